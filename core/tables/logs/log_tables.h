/* log_tables.h - what the logs of training runs tell: steps, cycles, checkpoints, and whatever else
 * they measure of a step.
 *
 * A cycle is one launch of the training processes, as a log shows it: from its first line of
 * start-up to the next such line. Rows are of a log, named by log_id (a hash of its name without
 * what rotation and compression put behind it), so that a log that grew, was rotated or is read
 * again gives the same rows. Times are Unix time; of logs without any stamp they count nanoseconds
 * of lines from 1970 on, which only keeps them in order, and `clock` says so.
 */
#ifndef HC_CORE_TABLES_LOGS_LOG_TABLES_H
#define HC_CORE_TABLES_LOGS_LOG_TABLES_H

#include "core/tables/table.h"
#include "core/tables/table_names.h"

#include <stdbool.h>

enum hc_log_clock {
    HC_LOG_STAMPED, /* the line has its time */
    HC_LOG_BETWEEN, /* it has that of the line before it which has one */
    HC_LOG_NO_CLOCK /* no line of the log so far has one: the time is no time */
};
#define HC_N_LOG_CLOCKS 3

enum hc_checkpoint_kind { HC_CHECKPOINT_SAVE, HC_CHECKPOINT_LOAD };
#define HC_N_CHECKPOINT_KINDS 2

enum hc_train_steps_column {
    HC_TRAIN_STEPS_END_NS,
    HC_TRAIN_STEPS_ITERATION,
    HC_TRAIN_STEPS_LOG_ID,
    HC_TRAIN_STEPS_CLUSTER,
    HC_TRAIN_STEPS_JOB,
    HC_TRAIN_STEPS_LOG,
    HC_TRAIN_STEPS_CYCLE,
    HC_TRAIN_STEPS_ITERATIONS,  /* that the line is about, of which durations are the mean */
    HC_TRAIN_STEPS_DURATION_NS, /* of one iteration */
    HC_TRAIN_STEPS_SAMPLES,     /* consumed up to here */
    HC_TRAIN_STEPS_TOKENS,      /* consumed up to here */
    HC_TRAIN_STEPS_LOSS,
    HC_TRAIN_STEPS_TFLOPS, /* TFLOP/s of a GPU */
    HC_TRAIN_STEPS_SKIPPED,
    HC_TRAIN_STEPS_NAN,
    HC_TRAIN_STEPS_CLOCK,
    HC_TRAIN_STEPS_SOURCE,
    HC_TRAIN_STEPS_LINE,
    HC_TRAIN_STEPS_N_COLUMNS
};

enum hc_cycles_column {
    HC_CYCLES_START_NS,
    HC_CYCLES_LOG_ID,
    HC_CYCLES_NUMBER, /* in its log, from 0 */
    HC_CYCLES_CLUSTER,
    HC_CYCLES_JOB,
    HC_CYCLES_LOG,
    HC_CYCLES_FRAMEWORK,
    HC_CYCLES_FIRST_STEP_NS,   /* when the first step began */
    HC_CYCLES_END_NS,          /* last time that the log tells of it */
    HC_CYCLES_FIRST_ITERATION, /* that it made */
    HC_CYCLES_LAST_ITERATION,
    HC_CYCLES_LOADED_ITERATION, /* of the checkpoint that it began from */
    HC_CYCLES_SAVED_ITERATION,  /* of the last checkpoint that it saved */
    HC_CYCLES_WORLD_SIZE,
    HC_CYCLES_IS_DONE,  /* 1: it says that training is done */
    HC_CYCLES_RESTARTS, /* times the job was requeued before, where the source says it */
    HC_CYCLES_NODE_LIST,
    HC_CYCLES_CLOCK,
    HC_CYCLES_SOURCE,
    HC_CYCLES_LINE,
    HC_CYCLES_N_COLUMNS
};

enum hc_checkpoints_column {
    HC_CHECKPOINTS_TIME_NS,
    HC_CHECKPOINTS_ITERATION,
    HC_CHECKPOINTS_KIND,
    HC_CHECKPOINTS_LOG_ID,
    HC_CHECKPOINTS_CLUSTER,
    HC_CHECKPOINTS_JOB,
    HC_CHECKPOINTS_LOG,
    HC_CHECKPOINTS_CYCLE,
    HC_CHECKPOINTS_PATH,
    HC_CHECKPOINTS_CLOCK,
    HC_CHECKPOINTS_SOURCE,
    HC_CHECKPOINTS_LINE,
    HC_CHECKPOINTS_N_COLUMNS
};

/* A quantity that a log gives beside a step: a timer of the framework, a line of its straggler
 * detector. Where a log gives it for all ranks at once, minimum and maximum are over these. */
enum hc_train_measures_column {
    HC_TRAIN_MEASURES_TIME_NS,
    HC_TRAIN_MEASURES_ITERATION, /* the last one before; missing: none yet, it is of the start-up */
    HC_TRAIN_MEASURES_LOG_ID,
    HC_TRAIN_MEASURES_FACT, /* hash of name and rank */
    HC_TRAIN_MEASURES_CLUSTER,
    HC_TRAIN_MEASURES_JOB,
    HC_TRAIN_MEASURES_LOG,
    HC_TRAIN_MEASURES_CYCLE,
    HC_TRAIN_MEASURES_NAME,
    HC_TRAIN_MEASURES_UNIT,
    HC_TRAIN_MEASURES_RANK, /* that the value is of */
    HC_TRAIN_MEASURES_VALUE,
    HC_TRAIN_MEASURES_MIN,
    HC_TRAIN_MEASURES_MAX,
    HC_TRAIN_MEASURES_MIN_RANK,
    HC_TRAIN_MEASURES_MAX_RANK,
    HC_TRAIN_MEASURES_CLOCK,
    HC_TRAIN_MEASURES_SOURCE,
    HC_TRAIN_MEASURES_LINE,
    HC_TRAIN_MEASURES_N_COLUMNS
};

extern const struct hc_table_def hc_train_steps_def, hc_cycles_def, hc_checkpoints_def,
    hc_train_measures_def;

/* What logs fill, and the list of each alone; each ends in NULL. */
extern const struct hc_table_def *const hc_log_tables[];
extern const struct hc_table_def *const hc_train_step_tables[];
extern const struct hc_table_def *const hc_cycle_tables[];
extern const struct hc_table_def *const hc_checkpoint_tables[];
extern const struct hc_table_def *const hc_train_measure_tables[];

/* Places in hc_log_tables. */
enum hc_log_table {
    HC_LOG_STEPS,
    HC_LOG_CYCLES,
    HC_LOG_CHECKPOINTS,
    HC_LOG_EVENTS,
    HC_LOG_MEASURES,
    HC_LOG_PHASES,
    HC_N_LOG_TABLES
};

/* The sets of each, those of fixed codes filled. */
enum hc_status hc_train_step_names_init(struct hc_table_names *names, struct hc_error *err);
enum hc_status hc_cycle_names_init(struct hc_table_names *names, struct hc_error *err);
enum hc_status hc_checkpoint_names_init(struct hc_table_names *names, struct hc_error *err);
enum hc_status hc_train_measure_names_init(struct hc_table_names *names, struct hc_error *err);

/* Whether row a tells more of the same than row b: a better clock; a cycle also, that went on. */
bool hc_train_step_is_later(const struct hc_table *a, size_t row_a, const struct hc_table *b,
                            size_t row_b);
bool hc_cycle_is_later(const struct hc_table *a, size_t row_a, const struct hc_table *b,
                       size_t row_b);
bool hc_checkpoint_is_later(const struct hc_table *a, size_t row_a, const struct hc_table *b,
                            size_t row_b);
bool hc_train_measure_is_later(const struct hc_table *a, size_t row_a, const struct hc_table *b,
                               size_t row_b);

/* Append a row in which everything is missing; its number. There must be room. */
size_t hc_log_row_add(struct hc_table *table);

#endif
