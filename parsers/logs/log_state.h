/* log_state.h - what is known of a log of a training run between two of its lines, so that reading
 * can go on there (parsers/io/read_mark.h). Private to this wing. */
#ifndef HC_PARSERS_LOGS_LOG_STATE_H
#define HC_PARSERS_LOGS_LOG_STATE_H

#include "core/tables/record.h"
#include "parsers/failures/failure_lines.h"
#include "parsers/logs/run_log.h"

struct hc_log_state {
    struct hc_log_rows rows; /* what its pointers lead to is not kept: */
    char framework[16], step_framework[16];
    struct hc_log_startup startup;
    struct hc_timer_block timers;
    int64_t n_logged_steps;
    struct hc_failure_state failures;
};
extern const struct hc_record_def hc_log_state_record;

/* False: something waits that the state does not hold. */
bool hc_log_state_save(struct hc_log_state *state, const struct hc_run_log *log,
                       const struct hc_failure_lines *failures);

/* Before the first line of a log that was just opened. HC_BAD_INPUT: the state is none of ours. */
enum hc_status hc_log_state_go_on(const struct hc_log_state *state, struct hc_run_log *log,
                                  struct hc_failure_lines *failures, struct hc_error *err);

#endif
