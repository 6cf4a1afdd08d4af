#include "sim/replay/step_trace.h"

#include "core/base/memory.h"
#include "core/tables/op_table.h"

#include <stdlib.h>
#include <string.h>

enum hc_status hc_step_trace_new(struct hc_step_trace **trace, const struct hc_job *job,
                                 struct hc_error *err)
{
    *trace = hc_new_array(1, sizeof **trace, err);
    if (!*trace)
        return err->status;
    if (hc_job_copy(&(*trace)->job, job, err) || hc_census_new(&(*trace)->census, err)) {
        hc_step_trace_free(*trace);
        *trace = NULL;
        return err->status;
    }
    return HC_OK;
}

void hc_step_trace_free(struct hc_step_trace *trace)
{
    if (!trace)
        return;
    for (size_t i = 0; i < trace->n_steps; i++)
        free(trace->steps[i].rows);
    free(trace->steps);
    free(trace->global_chunk);
    free(trace->microbatch);
    free(trace->op_index);
    hc_int_map_fini(&trace->step_map);
    hc_row_report_fini(&trace->report);
    hc_census_free(trace->census);
    hc_job_fini(&trace->job);
    free(trace);
}

static enum hc_status find_or_add(struct hc_step_trace *trace, int32_t step,
                                  struct hc_packed_step **packed, struct hc_error *err)
{
    size_t entry = 0;
    if (hc_int_map_insert(&trace->step_map, (uint32_t)step, 0, &entry, err))
        return err->status;
    if (entry == trace->n_steps) {
        if (hc_reserve(&trace->steps, &trace->steps_capacity, entry + 1, sizeof *trace->steps, err))
            return err->status;
        memset(&trace->steps[entry], 0, sizeof *trace->steps);
        trace->n_steps++;
    }
    *packed = &trace->steps[entry];
    return HC_OK;
}

struct hc_packed_step *hc_step_trace_find(struct hc_step_trace *trace, int32_t step)
{
    int64_t entry = hc_int_map_find(&trace->step_map, (uint32_t)step);
    return entry < 0 ? NULL : &trace->steps[entry];
}

/* Remember the model-wide chunk and the microbatch of ops that are new. */
static enum hc_status note_new_ops(struct hc_step_trace *trace, const struct hc_op_columns *row,
                                   size_t n_rows, struct hc_error *err)
{
    size_t n_ops = hc_census_n_ops(trace->census);
    if (n_ops == trace->n_noted_ops)
        return HC_OK;
    if (hc_reserve(&trace->global_chunk, &trace->global_chunk_capacity, n_ops,
                   sizeof *trace->global_chunk, err) ||
        hc_reserve(&trace->microbatch, &trace->microbatch_capacity, n_ops,
                   sizeof *trace->microbatch, err))
        return err->status;
    /* Indices are given in order of appearance, so the new ones appear in this batch in order. */
    for (size_t i = 0; i < n_rows; i++)
        if ((size_t)trace->op_index[i] == trace->n_noted_ops) {
            trace->global_chunk[trace->n_noted_ops] = row->global_chunk[i];
            trace->microbatch[trace->n_noted_ops++] = row->microbatch[i];
        }
    return HC_OK;
}

/* Length of the run of rows of one step that starts at row i. */
static size_t run_length(const struct hc_op_columns *row, size_t i, size_t n_rows)
{
    size_t end = i + 1;
    while (end < n_rows && row->step[end] == row->step[i])
        end++;
    return end - i;
}

enum hc_status hc_step_trace_add(struct hc_step_trace *trace, const struct hc_table *ops,
                                 struct hc_error *err)
{
    size_t n_rows = ops->n_rows;
    if (hc_reserve(&trace->op_index, &trace->op_index_capacity, n_rows, sizeof *trace->op_index,
                   err) ||
        hc_census_add(trace->census, ops, trace->op_index, err))
        return err->status;
    struct hc_op_columns row = hc_op_columns(ops);
    if (note_new_ops(trace, &row, n_rows, err))
        return err->status;
    for (size_t i = 0; i < n_rows;) {
        struct hc_packed_step *step = NULL;
        size_t n = run_length(&row, i, n_rows);
        if (find_or_add(trace, row.step[i], &step, err) ||
            hc_reserve(&step->rows, &step->capacity, step->n_rows + n, sizeof *step->rows, err))
            return err->status;
        struct hc_packed_row *to = step->rows + step->n_rows;
        for (size_t k = 0; k < n; k++, i++)
            to[k] = (struct hc_packed_row){row.start_ns[i], row.duration_ns[i], trace->op_index[i],
                                           row.dp_rank[i]};
        step->n_rows += n;
    }
    return HC_OK;
}

void hc_step_trace_set_report(struct hc_step_trace *trace, struct hc_row_report *report)
{
    hc_row_report_fini(&trace->report);
    trace->report = *report;
    memset(report, 0, sizeof *report);
}
