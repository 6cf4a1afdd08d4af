/* rows.h - the rows of a step timeline taken from the bytes of the input.
 *
 * 18 bytes a row: step, dp rank, stage, rank, op type, seq id, chunk, global chunk, microbatch,
 * unit of times, start and duration (little-endian int32). */
#ifndef HC_TESTS_FUZZ_ROWS_H
#define HC_TESTS_FUZZ_ROWS_H

#include "core/tables/op_table.h"
#include "core/tables/op_type.h"
#include "sim/replay/step_trace.h"
#include "tests/fuzz/target.h"

#define FUZZ_ROW_SIZE 18
#define FUZZ_MAX_ROWS 400

/* The highest bytes stand for what no small number reaches. */
static inline int32_t fuzz_id(struct fuzz_input *input)
{
    static const int32_t special[] = {HC_MISSING_I32, -1, INT32_MAX, 1 << 20, 70000, 1000};
    size_t from_top = 255u - fuzz_byte(input);
    return from_top < sizeof special / sizeof *special ? special[from_top]
                                                       : (int32_t)(255 - from_top);
}

static inline int64_t fuzz_ns(struct fuzz_input *input, int64_t unit)
{
    uint32_t value = 0;
    for (int i = 0; i < 4; i++)
        value |= (uint32_t)fuzz_byte(input) << 8 * i;
    return (int32_t)value * unit;
}

/* Where rows of one op contradict each other about its place in the model, the first is believed
 * (sim/replay/step_trace.h): let them agree, so that the order makes no difference. */
static inline void fuzz_agree(const struct hc_table *ops, size_t i)
{
    struct hc_op_columns c = hc_op_columns(ops);
    for (size_t j = 0; j < i; j++)
        if (c.op_type[j] == c.op_type[i] && c.seq_id[j] == c.seq_id[i] &&
            c.stage[j] == c.stage[i] && c.model_chunk[j] == c.model_chunk[i]) {
            c.global_chunk[i] = c.global_chunk[j];
            c.microbatch[i] = c.microbatch[j];
            return;
        }
}

static inline void fuzz_rows(struct fuzz_input *input, struct hc_table *ops)
{
    static const int64_t units[] = {1, 1000, 1000000, (int64_t)1 << 30, (int64_t)1 << 31};
    ops->n_rows = 0;
    while (input->end - input->at >= FUZZ_ROW_SIZE && ops->n_rows < FUZZ_MAX_ROWS) {
        size_t i = ops->n_rows++;
        for (size_t column = HC_OPS_STEP; column <= HC_OPS_MICROBATCH; column++)
            hc_table_i32(ops, column)[i] = fuzz_id(input);
        fuzz_agree(ops, i);
        int64_t unit = units[fuzz_byte(input) % (sizeof units / sizeof *units)];
        hc_table_i64(ops, HC_OPS_START_NS)[i] = fuzz_ns(input, unit);
        hc_table_i64(ops, HC_OPS_DURATION_NS)[i] = fuzz_ns(input, unit);
    }
}

/* A trace of the rows of a job, or NULL when they are refused. */
static inline struct hc_step_trace *fuzz_trace(const struct hc_table *ops, const char *job_id)
{
    struct hc_error err = {0};
    struct hc_step_trace *trace = NULL;
    struct hc_job job;
    require(hc_job_init(&job, job_id, &err) == HC_OK);
    require(hc_step_trace_new(&trace, &job, &err) == HC_OK);
    hc_job_fini(&job);
    if (hc_step_trace_add(trace, ops, &err) == HC_OK)
        return trace;
    require(err.status == HC_BAD_INPUT && err.message[0]);
    hc_step_trace_free(trace);
    return NULL;
}

#endif
