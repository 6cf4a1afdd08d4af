/* perfetto_text.h - pieces of an event of Chrome trace JSON, put one behind the other into a buffer
 * that has room for them: a timeline has millions of events, and fprintf takes most of the time to
 * write one. Each returns where the next piece goes. Private to this wing. */
#ifndef HC_REPORTS_EXPORT_PERFETTO_PERFETTO_TEXT_H
#define HC_REPORTS_EXPORT_PERFETTO_PERFETTO_TEXT_H

#include <stddef.h>
#include <stdint.h>
#include <string.h>

static inline char *hc_put_text(char *to, const char *text, size_t n)
{
    memcpy(to, text, n);
    return to + n;
}

#define HC_PUT(to, text) hc_put_text(to, text, sizeof(text) - 1)

/* Of at most 20 characters. */
char *hc_put_number(char *to, int64_t value);

/* A number, or "null" for HC_MISSING_I32. */
char *hc_put_id(char *to, int32_t id);

/* Nanoseconds, 0 or more, as microseconds with three decimals. */
char *hc_put_microseconds(char *to, int64_t ns);

#endif
