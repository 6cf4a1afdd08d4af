/* log_patterns.h - lines of training runs that a site describes by regular expressions, for
 * frameworks that hindcast does not know. docs/formats/log-patterns.md is for users.
 *
 * A pattern says by `tells` what a line is; the named groups of its expression are columns. Of a
 * step, any other group is a measure of that name. Private to this wing. */
#ifndef HC_PARSERS_LOGS_LOG_PATTERNS_H
#define HC_PARSERS_LOGS_LOG_PATTERNS_H

#include "parsers/io/format.h"
#include "parsers/logs/run_log.h"

struct hc_log_patterns;

/* The patterns with `tells` of a text, of which nothing is kept. *patterns becomes NULL where there
 * are none. HC_BAD_INPUT names file, line and column of what is wrong. */
enum hc_status hc_log_patterns_make(struct hc_log_patterns **patterns, struct hc_pattern_text text,
                                    struct hc_error *err);
void hc_log_patterns_free(struct hc_log_patterns *patterns);

/* A line by the first pattern that knows it. *is_taken: there is one. A step without a number that
 * can be read is a bad row. */
enum hc_status hc_log_patterns_take(const struct hc_log_patterns *patterns, struct hc_run_log *log,
                                    const struct hc_line *line, struct hc_row_report *report,
                                    bool *is_taken, struct hc_error *err);

#endif
