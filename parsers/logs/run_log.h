/* run_log.h - a log of a training run while it is read: its rows, and what is known of the start-up
 * and of the timers whose lines are at hand. Private to this wing. */
#ifndef HC_PARSERS_LOGS_RUN_LOG_H
#define HC_PARSERS_LOGS_RUN_LOG_H

#include "core/tables/row_report.h"
#include "parsers/logs/line_labels.h"
#include "parsers/logs/log_rows.h"

/* The start-up of the cycle at hand, as Megatron tells it line by line. HC_MISSING_I64, NaN: not
 * told yet. */
struct hc_log_startup {
    double init_s, compile_s, load_s;           /* that these took */
    int64_t initialised_ns, built_ns, ready_ns; /* Megatron; model and optimizer; all */
    int64_t compile_line, load_line, built_line, ready_line;
    bool is_split; /* the time to build the model is among the rows */
};

/* Lines below "times across ranks (ms):", which are about timers. */
enum hc_timer_form {
    HC_TIMERS_NONE,
    HC_TIMERS_MIN_MAX, /* "    forward-backward ....: (900.12, 950.34)" */
    HC_TIMERS_MAX,     /* "    forward-backward ....: 950.34" */
    HC_TIMERS_EACH,    /* "  forward-backward:", then "     rank  0: 900.12" for each rank */
    HC_N_TIMER_FORMS
};
struct hc_timer_block {
    enum hc_timer_form form;
    int n_others; /* lines since the last one of it */
    char name[64];
};

struct hc_run_log {
    struct hc_log_rows rows;
    struct hc_log_startup startup;
    struct hc_timer_block timers;
    int64_t n_logged_steps;                  /* of MLPerf */
    struct hc_line_labels *iteration_labels; /* of Megatron */

    /* Measures of the lines so far that are no rows yet: one line may have more than a batch has
     * room for. */
    struct hc_log_measure *pending;
    size_t n_pending, first_pending, pending_capacity;
    int64_t n_dropped; /* of a line with more of them than are kept */
};

/* What a sort of line says; training_log.c calls it where the words that mark it stand in a line.
 */
typedef enum hc_status hc_log_take(struct hc_run_log *log, const struct hc_line *line,
                                   struct hc_row_report *report, struct hc_error *err);

/* Whether no later line changes when the launch at hand began. */
bool hc_log_start_is_final(const struct hc_run_log *log);

/* Keep a measure until a batch has room. */
enum hc_status hc_log_keep_measure(struct hc_run_log *log, const struct hc_log_measure *measure,
                                   struct hc_error *err);

#endif
