#include "core/tables/op_table.h"

#include "core/tables/op_type.h"

static const struct hc_column_def ops_columns[HC_OPS_N_COLUMNS] = {
    [HC_OPS_STEP] = {"step", HC_I32, "", "training step", NULL},
    [HC_OPS_DP_RANK] = {"dp_rank", HC_I32, "", "data-parallel rank", NULL},
    [HC_OPS_STAGE] = {"stage", HC_I32, "", "pipeline rank", NULL},
    [HC_OPS_RANK] = {"rank", HC_I32, "", "global rank of the worker", NULL},
    [HC_OPS_OP_TYPE] = {"op_type", HC_I32, "", "operation type, a code of the dictionary",
                        HC_OP_TYPE_DICTIONARY},
    [HC_OPS_SEQ_ID] = {"seq_id", HC_I32, "",
                       "index among the ops of its type on its worker in its step", NULL},
    [HC_OPS_MODEL_CHUNK] = {"model_chunk", HC_I32, "", "model chunk within the stage", NULL},
    [HC_OPS_GLOBAL_CHUNK] = {"global_chunk", HC_I32, "", "model chunk within the model", NULL},
    [HC_OPS_MICROBATCH] = {"microbatch", HC_I32, "", "microbatch", NULL},
    [HC_OPS_START_NS] = {"start_ns", HC_I64, "ns", "start on the clock of the source", NULL},
    [HC_OPS_DURATION_NS] = {"duration_ns", HC_I64, "ns", "duration", NULL},
};

const struct hc_table_def hc_ops_def = {"ops", HC_OPS_N_COLUMNS, ops_columns, 0};

static const struct hc_column_def steps_columns[HC_STEPS_N_COLUMNS] = {
    [HC_STEPS_STEP] = {"step", HC_I32, "", "training step", NULL},
    [HC_STEPS_FIRST_START_NS] = {"first_start_ns", HC_I64, "ns", "earliest start of the step",
                                 NULL},
    [HC_STEPS_LAST_END_NS] = {"last_end_ns", HC_I64, "ns", "latest end of the step", NULL},
    [HC_STEPS_N_OPS] = {"n_ops", HC_I64, "", "rows of the step", NULL},
    [HC_STEPS_STRUCTURE] = {"structure", HC_I32, "", "steps with the same ops share a number",
                            NULL},
    [HC_STEPS_BAD] = {"bad_rows", HC_I64, "", "rows that could not be read", NULL},
    [HC_STEPS_DUPLICATE] = {"duplicate_rows", HC_I64, "", "rows whose key was there already", NULL},
    [HC_STEPS_ABSENT] = {"absent_rows", HC_I64, "", "rows that some dp ranks lack", NULL},
};

const struct hc_table_def hc_steps_def = {"steps", HC_STEPS_N_COLUMNS, steps_columns, 0};

struct hc_op_columns hc_op_columns(const struct hc_table *ops)
{
    return (struct hc_op_columns){
        .step = ops->column[HC_OPS_STEP],
        .dp_rank = ops->column[HC_OPS_DP_RANK],
        .stage = ops->column[HC_OPS_STAGE],
        .rank = ops->column[HC_OPS_RANK],
        .op_type = ops->column[HC_OPS_OP_TYPE],
        .seq_id = ops->column[HC_OPS_SEQ_ID],
        .model_chunk = ops->column[HC_OPS_MODEL_CHUNK],
        .global_chunk = ops->column[HC_OPS_GLOBAL_CHUNK],
        .microbatch = ops->column[HC_OPS_MICROBATCH],
        .start_ns = ops->column[HC_OPS_START_NS],
        .duration_ns = ops->column[HC_OPS_DURATION_NS],
    };
}
