/* log_line.h - looking into a line of a log: what stands behind a label, and when it was written.
 * Private to this wing. */
#ifndef HC_PARSERS_LOGS_LOG_LINE_H
#define HC_PARSERS_LOGS_LOG_LINE_H

#include "core/base/zone.h"
#include "parsers/io/line_reader.h"
#include "parsers/io/log_name.h"

#include <stdbool.h>

/* Behind the label in the line, or NULL. */
const char *hc_log_find(const struct hc_line *line, const char *label);

/* The number behind the label, blanks and signs of equality passed over; NaN: there is none. */
double hc_log_real(const struct hc_line *line, const char *label);
/* The same at a place in the line, or NULL for none. */
double hc_log_real_at(const struct hc_line *line, const char *at);
/* The same as a whole number; HC_MISSING_I64: there is none. */
int64_t hc_log_whole(const struct hc_line *line, const char *label);

/* Of a number that a line gives; HC_MISSING_...: it is none, or out of range. */
int64_t hc_log_whole_of(double value);
int64_t hc_log_ns_of_ms(double ms);
int32_t hc_log_small(double value);

/* How local times of a log became Unix times. */
struct hc_log_times {
    const struct hc_zone *zone;
    int64_t n_twice, n_never; /* of hours that the clocks showed twice, or left out */
};

/* "2026-03-01 10:11:12.345678" at `at`, with 'T', '_' or a blank between, '.' or ',' before the
 * fraction, and a zone or none. False: it is no time. */
bool hc_log_time(struct hc_log_times *times, const char *at, const char *end, int64_t *unix_ns);

#endif
