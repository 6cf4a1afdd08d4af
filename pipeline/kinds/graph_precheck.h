/* graph_precheck.h - the rows of dp rank 0 of a trace that is being ingested, so that its
 * dependency graphs can be checked before it is kept. Private to this wing. */
#ifndef HC_PIPELINE_KINDS_GRAPH_PRECHECK_H
#define HC_PIPELINE_KINDS_GRAPH_PRECHECK_H

#include "core/base/status.h"
#include "core/tables/job.h"
#include "core/tables/table.h"
#include "models/steps/census.h"
#include "sim/replay/step_trace.h"

struct hc_graph_precheck {
    struct hc_step_trace *trace;
    struct hc_table kept; /* rows of dp rank 0 of one batch */
    size_t n_rows, most_rows;
};

/* A zeroed struct is valid for fini. max_step_ops: the most ops that a step has in one dp rank. */
enum hc_status hc_graph_precheck_init(struct hc_graph_precheck *rows, const struct hc_job *job,
                                      int64_t max_step_ops, struct hc_error *err);
void hc_graph_precheck_fini(struct hc_graph_precheck *rows);

/* Keep the rows of dp rank 0 of a batch, up to a million in all, or the ops of the largest step
 * where that is more: the graphs of later steps are then checked when they are replayed. */
enum hc_status hc_graph_precheck_add(struct hc_graph_precheck *rows, const struct hc_table *ops,
                                     struct hc_error *err);

/* With the finished census of all rows: HC_BAD_INPUT when the sizes are not those of the metadata,
 * or the ops of the steps make no valid graph. */
enum hc_status hc_graph_precheck_check(struct hc_graph_precheck *rows,
                                       const struct hc_census *census, struct hc_error *err);

#endif
