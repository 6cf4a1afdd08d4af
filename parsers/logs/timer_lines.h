/* timer_lines.h - timers of Megatron and of DeepSpeed, and lines of Megatron's straggler detector:
 * all become measures, in seconds where they are times. Private to this wing. */
#ifndef HC_PARSERS_LOGS_TIMER_LINES_H
#define HC_PARSERS_LOGS_TIMER_LINES_H

#include "parsers/logs/run_log.h"

/* "time (ms) | forward: 1.23 | ...", and headings of blocks. */
hc_log_take hc_take_timers_row, hc_take_timers_min_max, hc_take_timers_max, hc_take_timers_each;

/* A line while a block is open. *is_taken: it is of the block. */
enum hc_status hc_take_timer_line(struct hc_run_log *log, const struct hc_line *line,
                                  bool *is_taken, struct hc_error *err);

/* Of the straggler detector: a line of extremes, and lists of ranks. */
hc_log_take hc_take_straggler_extremes, hc_take_straggler_ranks;

#endif
