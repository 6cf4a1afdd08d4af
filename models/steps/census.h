/* census.h - which ops each (step, dp rank) of a timeline has: the structures of its steps, and
 * what is there twice or lacking.
 *
 * Rows are keyed by (op type, seq id, stage, model chunk) and (step, dp rank), never by position,
 * and may come in any order. Memory: one bit a row, and some words per (step, dp rank).
 */
#ifndef HC_MODELS_STEPS_CENSUS_H
#define HC_MODELS_STEPS_CENSUS_H

#include "core/base/status.h"
#include "core/tables/row_report.h"
#include "core/tables/table.h"

#include <stddef.h>
#include <stdint.h>

struct hc_census;

/* An op of the timeline: what identifies it within a (step, dp rank). */
struct hc_census_op {
    int32_t op_type, seq_id, stage, model_chunk;
};

/* A step as the census found it. */
struct hc_census_step {
    int32_t step;
    int32_t structure; /* 0, 1, ... by first appearance in steps; -1 when dp ranks differ */
    int64_t n_rows, n_duplicate, n_absent, n_bad;
    int64_t first_start_ns, last_end_ns;
    char detail[160]; /* the first thing that is wrong, or "" */
};

enum hc_status hc_census_new(struct hc_census **census, struct hc_error *err);
void hc_census_free(struct hc_census *census);

/* Refuse more than max_step_ops rows of one dp rank in one step (0: any number), before anything is
 * built of them: the graph of a step has as many ops. To be said before the first row. */
void hc_census_limit_ops(struct hc_census *census, int64_t max_step_ops);

/* Count the rows of a batch. op_index, when not NULL, receives the op of each row ([n_rows]).
 * HC_BAD_INPUT when a rank stands for two (dp rank, stage) pairs or a pair has two ranks, for more
 * ops in a step than hc_census_limit_ops allows, and for rows that no parser lets through: missing
 * or negative numbers, times beyond HC_OPS_TIME_LIMIT. */
enum hc_status hc_census_add(struct hc_census *census, const struct hc_table *ops,
                             int32_t *op_index, struct hc_error *err);

/* After the last batch: compare the dp ranks of each step, number the structures, and add duplicate
 * and absent rows to the report (whose bad_steps are taken into account). The dp ranks of a step
 * are 0..D-1, D = largest dp rank of the trace + 1. */
enum hc_status hc_census_finish(struct hc_census *census, struct hc_row_report *report,
                                struct hc_error *err);

/* After finish. Steps ascend. */
size_t hc_census_n_steps(const struct hc_census *census);
const struct hc_census_step *hc_census_steps(const struct hc_census *census);
size_t hc_census_n_ops(const struct hc_census *census);
const struct hc_census_op *hc_census_ops(const struct hc_census *census);
int32_t hc_census_dp_size(const struct hc_census *census);  /* largest dp rank + 1 */
int32_t hc_census_n_stages(const struct hc_census *census); /* largest stage + 1 */
int64_t hc_census_n_rows(const struct hc_census *census);
int64_t hc_census_n_duplicates(const struct hc_census *census); /* also before finish */

/* Rank of a worker, or HC_MISSING_I32 when it has no rows. */
int32_t hc_census_rank(const struct hc_census *census, int32_t dp_rank, int32_t stage);

/* Append all steps to a table made with hc_steps_def and room for them. */
void hc_census_fill_steps(const struct hc_census *census, struct hc_table *steps);

#endif
