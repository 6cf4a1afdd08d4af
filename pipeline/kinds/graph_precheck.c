#include "pipeline/kinds/graph_precheck.h"

#include "core/tables/op_table.h"
#include "sim/replay/step_lanes.h"

#include <string.h>

#define LEAST_ROWS ((size_t)1 << 20) /* 24 MB */

enum hc_status hc_graph_precheck_init(struct hc_graph_precheck *rows, const struct hc_job *job,
                                      int64_t max_step_ops, struct hc_error *err)
{
    memset(rows, 0, sizeof *rows);
    rows->most_rows = max_step_ops > (int64_t)LEAST_ROWS ? (size_t)max_step_ops : LEAST_ROWS;
    return hc_step_trace_new(&rows->trace, job, err);
}

void hc_graph_precheck_fini(struct hc_graph_precheck *rows)
{
    hc_step_trace_free(rows->trace);
    hc_table_fini(&rows->kept);
    memset(rows, 0, sizeof *rows);
}

enum hc_status hc_graph_precheck_add(struct hc_graph_precheck *rows, const struct hc_table *ops,
                                     struct hc_error *err)
{
    if (rows->kept.capacity < ops->n_rows) {
        hc_table_fini(&rows->kept);
        if (hc_table_init(&rows->kept, &hc_ops_def, ops->n_rows, err))
            return err->status;
    }
    const int32_t *dp_rank = hc_op_columns(ops).dp_rank;
    rows->kept.n_rows = 0;
    for (size_t i = 0, end; i < ops->n_rows && rows->n_rows < rows->most_rows; i = end) {
        for (end = i; end < ops->n_rows && dp_rank[end] == 0; end++)
            ;
        size_t n =
            end - i < rows->most_rows - rows->n_rows ? end - i : rows->most_rows - rows->n_rows;
        hc_table_append(&rows->kept, ops, i, n);
        rows->n_rows += n;
        while (end < ops->n_rows && dp_rank[end] != 0)
            end++;
    }
    return hc_step_trace_add(rows->trace, &rows->kept, err);
}

static int32_t largest_chunk(const struct hc_census *census)
{
    int32_t largest = -1;
    for (size_t i = 0; i < hc_census_n_ops(census); i++) {
        int32_t chunk = hc_census_ops(census)[i].model_chunk;
        if (chunk != HC_MISSING_I32 && chunk > largest)
            largest = chunk;
    }
    return largest;
}

enum hc_status hc_graph_precheck_check(struct hc_graph_precheck *rows,
                                       const struct hc_census *census, struct hc_error *err)
{
    if (hc_job_check_sizes(&rows->trace->job, hc_census_dp_size(census), hc_census_n_stages(census),
                           largest_chunk(census) + 1, err))
        return err->status;
    return hc_step_graphs_check(rows->trace, census, err);
}
