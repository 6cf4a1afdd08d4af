/* template_rows.h - the rows of dp rank 0 of a trace that is being ingested, so that its dependency
 * graphs can be checked before it is kept. */
#ifndef HC_CLI_TEMPLATE_ROWS_H
#define HC_CLI_TEMPLATE_ROWS_H

#include "core/job.h"
#include "core/status.h"
#include "core/table.h"
#include "models/census.h"
#include "sim/step_trace.h"

struct hc_template_rows {
    struct hc_step_trace *trace;
    struct hc_table kept; /* rows of dp rank 0 of one batch */
    size_t n_rows, most_rows;
};

/* A zeroed struct is valid for fini. max_step_ops: the most ops that a step has in one dp rank. */
enum hc_status hc_template_rows_init(struct hc_template_rows *rows, const struct hc_job *job,
                                     int64_t max_step_ops, struct hc_error *err);
void hc_template_rows_fini(struct hc_template_rows *rows);

/* Keep the rows of dp rank 0 of a batch, up to a million in all, or the ops of the largest step
 * where that is more: the graphs of later steps are then checked when they are replayed. */
enum hc_status hc_template_rows_add(struct hc_template_rows *rows, const struct hc_table *ops,
                                    struct hc_error *err);

/* With the finished census of all rows: HC_BAD_INPUT when the sizes are not those of the metadata,
 * or the ops of the steps make no valid graph. */
enum hc_status hc_template_rows_check(struct hc_template_rows *rows, const struct hc_census *census,
                                      struct hc_error *err);

#endif
