/* critical_path.h - what the length of a step is made of: the chain of ops that each began when the
 * one before it ended, from the last op of the step back to its start; and the slack of all ops
 * beside it (docs/methods/critical-path.md).
 *
 * An op is on the path with its whole time. An op that communicates is there with its transfer
 * alone: the path goes on to the op that its group waited for, so that waiting is nobody's. A
 * launch delay before an op of the path is a part of its own. Of ops that could all be next, the
 * path takes the one with the smallest dp rank, then stage, op type, seq. Times are whole
 * nanoseconds and exact: the parts of a step are together its span (latest end - earliest start).
 */
#ifndef HC_SIM_PATHS_CRITICAL_PATH_H
#define HC_SIM_PATHS_CRITICAL_PATH_H

#include "core/base/status.h"
#include "core/tables/op_type.h"
#include "sim/paths/critical_times.h"

#include <stddef.h>
#include <stdint.h>

/* An op on the path. */
struct hc_critical_part {
    uint32_t position; /* in the op order of its structure */
    int32_t dp_rank;
    int64_t delay_ns; /* before it: of its launch; of the first op of the path its start, counted
                         from the first start of the step */
    int64_t own_ns;   /* of itself; below 0 where a transfer was measured so */
};

/* The path of a step. */
struct hc_critical_path {
    int64_t span_ns;       /* of the step */
    size_t first, n_parts; /* in the parts of all: the last op of the step first */
};

/* The steps of a run; zeroed before the first, and used again for the next. */
struct hc_critical_steps {
    struct hc_critical_times times;
    struct hc_critical_path *path; /* [steps of the run] */
    size_t path_capacity;
    size_t n_parts, parts_capacity;
    struct hc_critical_part *parts;
};

/* Find the paths and the slacks of a run of steps. HC_INTERNAL only when there is no memory. */
enum hc_status hc_critical_steps_find(struct hc_critical_steps *steps, const struct hc_step_run *of,
                                      struct hc_error *err);
void hc_critical_steps_fini(struct hc_critical_steps *steps);

/* Slack of an op of a dp rank in step k of the run, ns: the most that it alone can take longer with
 * the end of the step where it is. */
static inline int64_t hc_critical_slack(const struct hc_critical_steps *steps, size_t k,
                                        size_t position, size_t dp_rank)
{
    const struct hc_critical_times *times = &steps->times;
    size_t at = position * times->n_lanes + k * times->of.dp_size + dp_rank;
    return (int64_t)(times->latest_end[at] - times->end[at]);
}

/* Sums over steps, and over draws of them. A worker is dp rank * n_stages + stage. */
struct hc_critical_sums {
    size_t n_stages, n_workers;
    int64_t n_steps;
    int64_t span_ns;
    int64_t delay_ns; /* launch delays on the path */
    double extra_ns;  /* of whole steps, as for a replacement: of no op (whoever adds it) */
    int64_t of_type_ns[HC_N_OP_TYPES];
    int64_t *of_worker_ns; /* [n_workers] its ops and the delays before them */
    int64_t *slack_ns;     /* [n_workers] of each step the least slack of its ops */
    int64_t *n_tight;      /* [n_workers] steps in which that is 0 */
};

enum hc_status hc_critical_sums_init(struct hc_critical_sums *sums, int32_t dp_size,
                                     int32_t n_stages, struct hc_error *err);
void hc_critical_sums_add(struct hc_critical_sums *sums, const struct hc_critical_steps *steps);
void hc_critical_sums_fini(struct hc_critical_sums *sums);

#endif
