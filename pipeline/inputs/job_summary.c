#include "pipeline/inputs/job_summary.h"

#include "core/tables/op_table.h"
#include "pipeline/inputs/segment_input.h"

#include <string.h>

#define OPS_COLUMNS                                                                                \
    (1U << HC_OPS_DP_RANK | 1U << HC_OPS_STAGE | 1U << HC_OPS_MODEL_CHUNK | 1U << HC_OPS_OP_TYPE)
#define ALL_COLUMNS(n) ((1U << (n)) - 1)

static int32_t largest(const int32_t *values, size_t n, int32_t so_far)
{
    for (size_t i = 0; i < n; i++)
        if (values[i] >= so_far)
            so_far = values[i] < INT32_MAX ? values[i] + 1 : INT32_MAX;
    return so_far;
}

static enum hc_status take_ops(const struct hc_table *ops, void *context, struct hc_error *err)
{
    struct hc_job_summary *summary = context;
    struct hc_op_columns columns = hc_op_columns(ops);
    (void)err;
    summary->n_ops += (int64_t)ops->n_rows;
    summary->dp_size = largest(columns.dp_rank, ops->n_rows, summary->dp_size);
    summary->pp_size = largest(columns.stage, ops->n_rows, summary->pp_size);
    summary->vpp_size = largest(columns.model_chunk, ops->n_rows, summary->vpp_size);
    for (size_t i = 0; i < ops->n_rows; i++)
        if (columns.op_type[i] >= 0 && columns.op_type[i] < HC_N_OP_TYPES)
            summary->n_by_type[columns.op_type[i]]++;
    return HC_OK;
}

/* Take the time span of one step, which comes after that of the steps before it. */
static void take_span(struct hc_job_summary *summary, int64_t start_ns, int64_t end_ns,
                      int64_t previous_end_ns)
{
    bool is_first = summary->first_start_ns == HC_MISSING_I64;
    int64_t span_ns = end_ns - start_ns;
    summary->n_overlaps += !is_first && start_ns < previous_end_ns;
    if (is_first || start_ns < summary->first_start_ns)
        summary->first_start_ns = start_ns;
    if (is_first || end_ns > summary->last_end_ns)
        summary->last_end_ns = end_ns;
    if (is_first || span_ns < summary->shortest_ns)
        summary->shortest_ns = span_ns;
    if (is_first || span_ns > summary->longest_ns)
        summary->longest_ns = span_ns;
    summary->total_ns += span_ns;
}

static enum hc_status take_steps(const struct hc_table *steps, void *context, struct hc_error *err)
{
    struct hc_job_summary *summary = context;
    const int32_t *step = hc_table_i32(steps, HC_STEPS_STEP);
    const int32_t *structure = hc_table_i32(steps, HC_STEPS_STRUCTURE);
    const int64_t *start = hc_table_i64(steps, HC_STEPS_FIRST_START_NS);
    const int64_t *end = hc_table_i64(steps, HC_STEPS_LAST_END_NS);
    (void)err;
    for (size_t i = 0; i < steps->n_rows; i++) {
        summary->first_step = summary->n_steps ? summary->first_step : step[i];
        summary->last_step = step[i];
        summary->n_steps++;
        summary->n_left_out += structure[i] < 0 || hc_table_i64(steps, HC_STEPS_BAD)[i] > 0 ||
                               hc_table_i64(steps, HC_STEPS_DUPLICATE)[i] > 0 ||
                               hc_table_i64(steps, HC_STEPS_ABSENT)[i] > 0;
        summary->n_structures = largest(&structure[i], 1, summary->n_structures);
        if (start[i] != HC_MISSING_I64) /* missing: none of its rows could be read */
            take_span(summary, start[i], end[i], i > 0 ? end[i - 1] : INT64_MIN);
    }
    return HC_OK;
}

bool hc_job_has_step_clocks(const struct hc_job_summary *summary)
{
    return summary->n_steps > 1 && summary->n_overlaps == summary->n_steps - 1;
}

enum hc_status hc_job_summarise(struct hc_segment *segment, struct hc_job_summary *summary,
                                struct hc_error *err)
{
    memset(summary, 0, sizeof *summary);
    summary->first_start_ns = summary->last_end_ns = HC_MISSING_I64;
    if (hc_segment_each(segment, &hc_ops_def, OPS_COLUMNS, take_ops, summary, err) ||
        hc_segment_each(segment, &hc_steps_def, ALL_COLUMNS(HC_STEPS_N_COLUMNS), take_steps,
                        summary, err))
        return err->status;
    return HC_OK;
}
