/* log_patterns.h - lines of training runs that are described by regular expressions: of frameworks
 * that no reader of hindcast is for (data/patterns/training.conf), and those of a site.
 * docs/formats/log-patterns.md is for users.
 *
 * A pattern says by `tells` what a line is; the named groups of its expression are columns. Of a
 * step, any other group is a measure of that name. Private to this wing. */
#ifndef HC_PARSERS_LOGS_LOG_PATTERNS_H
#define HC_PARSERS_LOGS_LOG_PATTERNS_H

#include "parsers/io/format.h"
#include "parsers/logs/run_log.h"

struct hc_log_patterns;

/* The text of data/patterns/training.conf, terminated. */
extern const char hc_training_patterns_text[];

/* The patterns with `tells` of a text, of which nothing is kept. *patterns becomes NULL where there
 * are none. HC_BAD_INPUT names file, line and column of what is wrong. */
enum hc_status hc_log_patterns_make(struct hc_log_patterns **patterns, struct hc_pattern_text text,
                                    struct hc_error *err);
void hc_log_patterns_free(struct hc_log_patterns *patterns);

/* Warn of lines of a file in which expressions have used up their steps. patterns may be NULL. */
void hc_log_patterns_report(const struct hc_log_patterns *patterns, const char *file);

/* How many patterns there are, and what stands in each line of one. */
size_t hc_log_patterns_count(const struct hc_log_patterns *patterns);
const char *hc_log_patterns_literal(const struct hc_log_patterns *patterns, size_t i);

/* A line by the first pattern that knows it. *is_taken: there is one. A step without a number that
 * can be read is a bad row. */
enum hc_status hc_log_patterns_take(const struct hc_log_patterns *patterns, struct hc_run_log *log,
                                    const struct hc_line *line, struct hc_row_report *report,
                                    bool *is_taken, struct hc_error *err);

#endif
