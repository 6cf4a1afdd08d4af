/* failure_lines.h - the lines of a job's log that tell of a failure, found line by line, so that
 * any reader of such a log can run it beside its own work.
 *
 * What is found waits until its time is known: a line without a stamp lies between the stamps
 * before and behind it. So a reader asks after each line, and once more at the end:
 *
 *     hc_failure_lines_take(failures, &line, true, err);
 *     hc_failure_lines_give(failures, events, err);    up to the room of the table
 *     ...
 *     hc_failure_lines_end(failures, err);
 *     hc_failure_lines_give(failures, events, err);    until it appends nothing
 */
#ifndef HC_PARSERS_FAILURES_FAILURE_LINES_H
#define HC_PARSERS_FAILURES_FAILURE_LINES_H

#include "core/tables/events/event_table.h"
#include "core/tables/record.h"
#include "parsers/failures/failure_blocks.h"
#include "parsers/failures/failure_patterns.h"
#include "parsers/io/format.h"
#include "parsers/io/line_reader.h"

#include <stdbool.h>

struct hc_failure_lines;

/* Source and options must stay. Of options, names (that have the dictionaries of `events`), zone
 * and patterns are used; a site's patterns go before those of the program. */
enum hc_status hc_failure_lines_open(struct hc_failure_lines **failures,
                                     const struct hc_source *source,
                                     const struct hc_parse_options *options, struct hc_error *err);
void hc_failure_lines_close(struct hc_failure_lines *failures);

/* What is known between two lines, where nothing waits for the next stamp. Texts are UTF-8. */
#define HC_FAILURE_TRACEBACKS 64 /* at once: of so many ranks */
struct hc_failure_state {
    int64_t last_ns;
    size_t n_tracebacks;
    struct hc_traceback tracebacks[HC_FAILURE_TRACEBACKS];
};
extern const struct hc_record_def hc_failure_state_record;

/* False: something waits that the state does not hold. Behind the end of a log, what was told as
 * before that end waits no more. */
bool hc_failure_lines_save(const struct hc_failure_lines *failures, struct hc_failure_state *state);
/* To be called before the first line. */
void hc_failure_lines_go_on(struct hc_failure_lines *failures,
                            const struct hc_failure_state *state);

const struct hc_failure_patterns *
hc_failure_lines_patterns(const struct hc_failure_lines *failures);

/* Look at a line. Nothing is kept of it but what an event needs. may_match: false where the caller
 * knows that none of the patterns' literals stands in the line. */
enum hc_status hc_failure_lines_take(struct hc_failure_lines *failures, const struct hc_line *line,
                                     bool may_match, struct hc_error *err);

/* No line follows: what still waits has its time now. Of a log that may grow, what would be another
 * event with another end of the log is left out, and counted (rows_waiting). Warns of local times
 * that were ambiguous. */
enum hc_status hc_failure_lines_end(struct hc_failure_lines *failures, struct hc_row_report *report,
                                    struct hc_error *err);

/* Append events whose time is known, in the order of their lines, while the table has room. */
enum hc_status hc_failure_lines_give(struct hc_failure_lines *failures, struct hc_table *events,
                                     struct hc_error *err);

#endif
