/* failure_patterns.h - which lines of a job's log tell of a failure, by a table of patterns: those
 * of data/patterns/failures.conf, which are in the program, and those of a site.
 *
 * A pattern has a literal, which quickly says that a line is nothing, a regular expression (PCRE2),
 * class and effect. Named groups of the expression are columns: name, code, node, device, gpu, job,
 * rank, pid, process, time, timeout_ms, ran_ms. docs/formats/log-patterns.md is for users.
 */
#ifndef HC_PARSERS_FAILURES_FAILURE_PATTERNS_H
#define HC_PARSERS_FAILURES_FAILURE_PATTERNS_H

#include "core/tables/events/event_table.h"
#include "parsers/io/format.h"

#include <stdbool.h>
#include <stddef.h>

/* The text of data/patterns/failures.conf, terminated. */
extern const char hc_failure_patterns_text[];

struct hc_failure_patterns;

/* The patterns of a site go before those of the program. HC_BAD_INPUT names file, line and column
 * of what is wrong in a pattern. */
enum hc_status hc_failure_patterns_make(struct hc_failure_patterns **patterns,
                                        struct hc_pattern_text site, struct hc_error *err);
void hc_failure_patterns_free(struct hc_failure_patterns *patterns);

/* What a line says beside what an event holds. */
struct hc_failure_groups {
    struct hc_event_text time;  /* as written, or empty */
    int64_t timeout_ms, ran_ms; /* or HC_MISSING_I64 */
    char device[24];            /* of a GPU's number, which the event points to */
};

/* The literals, one of which stands in each line that is matched, for a reader that looks for words
 * of its own too: one pass over a line finds both. They may repeat. */
size_t hc_failure_literals_count(const struct hc_failure_patterns *patterns);
const char *hc_failure_literal(const struct hc_failure_patterns *patterns, size_t i);

/* Whether some literal stands in a line. */
bool hc_failure_may_match(const struct hc_failure_patterns *patterns, const char *line,
                          size_t length);

/* Match a line, without its stamp. False: no pattern knows it. Else class, effect and all columns
 * that the pattern has groups for are put; they point into the line, the patterns, or groups. */
bool hc_failure_match(const struct hc_failure_patterns *patterns, struct hc_event_text line,
                      struct hc_event *event, struct hc_failure_groups *groups);

/* Warn of lines of a file in which expressions have used up their steps. patterns may be NULL. */
void hc_failure_patterns_report(const struct hc_failure_patterns *patterns, const char *file);

#endif
