/* op_table.h - the `ops` and `steps` tables of a step timeline. */
#ifndef HC_CORE_TABLES_OP_TABLE_H
#define HC_CORE_TABLES_OP_TABLE_H

#include "core/tables/table.h"

/* One row an operation of a worker in a step. Times are on the clock of the source (relative to the
 * step, or Unix time); the `steps` table holds the first start of each step on the same clock, and
 * whoever replays shifts by it. A value that the source leaves open (-1 there) is HC_MISSING_I32.
 */
enum hc_ops_column {
    HC_OPS_STEP,
    HC_OPS_DP_RANK,
    HC_OPS_STAGE,
    HC_OPS_RANK,
    HC_OPS_OP_TYPE, /* enum hc_op_type */
    HC_OPS_SEQ_ID,
    HC_OPS_MODEL_CHUNK,
    HC_OPS_GLOBAL_CHUNK,
    HC_OPS_MICROBATCH,
    HC_OPS_START_NS,
    HC_OPS_DURATION_NS,
    HC_OPS_N_COLUMNS
};

/* Starts, durations and ends, in ns, stay within it, so that no difference of two of them
 * overflows. */
#define HC_OPS_TIME_LIMIT ((int64_t)1 << 62)

/* One row a step of the timeline, ascending by step. */
enum hc_steps_column {
    HC_STEPS_STEP,
    HC_STEPS_FIRST_START_NS,
    HC_STEPS_LAST_END_NS,
    HC_STEPS_N_OPS,     /* rows of the step in `ops` */
    HC_STEPS_STRUCTURE, /* 0, 1, ...: steps with the same set of ops share a number */
    HC_STEPS_BAD,       /* rows of the step that could not be read */
    HC_STEPS_DUPLICATE, /* rows whose (op, step, dp rank) was there already */
    HC_STEPS_ABSENT,    /* rows that some dp ranks have and others lack */
    HC_STEPS_N_COLUMNS
};

extern const struct hc_table_def hc_ops_def;
extern const struct hc_table_def hc_steps_def;

/* Typed view of a table made with hc_ops_def. */
struct hc_op_columns {
    int32_t *step, *dp_rank, *stage, *rank, *op_type, *seq_id;
    int32_t *model_chunk, *global_chunk, *microbatch;
    int64_t *start_ns, *duration_ns;
};

struct hc_op_columns hc_op_columns(const struct hc_table *ops);

#endif
