/* clock.h - times: the monotonic clock and ISO-8601. All times are int64 nanoseconds. */
#ifndef HC_CORE_BASE_CLOCK_H
#define HC_CORE_BASE_CLOCK_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

int64_t hc_monotonic_ns(void);

/* Parse "YYYY-MM-DD[T ]HH:MM:SS[.fraction](Z|+hh:mm|-hh:mm)" into Unix nanoseconds. A time without
 * a zone is refused, since nothing says which it is. Returns false when text is not such a time. */
bool hc_parse_iso8601(const char *text, size_t length, int64_t *unix_ns);

/* Days since 1970-01-01 of a proleptic Gregorian date; month from 1 to 12. */
int64_t hc_days_of_date(int64_t year, int month, int day);
int hc_days_in_month(int64_t year, int month);

/* "2026-11-21T09:52:02.000000000Z" into a buffer of at least 32 bytes. */
void hc_format_iso8601(int64_t unix_ns, char text[32]);

/* The same, in `text`; NULL of a time that is not known: INT64_MIN or INT64_MAX. */
const char *hc_known_iso8601(int64_t ns, char text[32]);

/* What can be wrong with a time besides its value. */
enum hc_time_flag { HC_TIME_OK = 0, HC_TIME_NULL, HC_TIME_NOT_FINITE, HC_TIME_OUT_OF_RANGE };

/* Seconds as double to nanoseconds, rounded to nearest; sets the flag. */
enum hc_time_flag hc_seconds_to_ns(double seconds, int64_t *ns);

/* a + b, at most INT64_MAX; b >= 0. Times of damaged records may be centuries apart, so that their
 * sum does not fit: the largest stays the largest then. */
static inline int64_t hc_capped_sum(int64_t a, int64_t b)
{
    int64_t sum;
    return __builtin_add_overflow(a, b, &sum) ? INT64_MAX : sum;
}

#endif
