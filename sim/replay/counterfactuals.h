/* counterfactuals.h - replays of a job in which some ops keep what was traced of them and the
 * others are ideal: the sweeps that the figures of a what-if are ratios of.
 *
 * Each counterfactual is swept over each block of lanes. Blocks and counterfactuals do not depend
 * on each other, so they are what threads share out. Two shortcuts are exact: the ideal needs one
 * lane, since all lanes are alike; and where only one dp rank differs, a step needs two lanes, that
 * rank and one ideal lane that stands for all others.
 */
#ifndef HC_SIM_REPLAY_COUNTERFACTUALS_H
#define HC_SIM_REPLAY_COUNTERFACTUALS_H

#include "core/base/status.h"
#include "sim/replay/step_lanes.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum hc_sweep_kind {
    HC_SWEEP_REPLAYED,       /* traced durations, no launch delays */
    HC_SWEEP_DELAYED,        /* traced durations and launch delays: should give the traced times */
    HC_SWEEP_TYPE_TRACED,    /* ideal, but the op type group `arg` traced */
    HC_SWEEP_STAGE_TRACED,   /* ideal, but stage `arg` traced */
    HC_SWEEP_STAGE_IDEAL,    /* replayed, but stage `arg` ideal */
    HC_SWEEP_DP_TRACED,      /* ideal, but one dp rank traced: all dp ranks in one sweep */
    HC_SWEEP_WORKERS_TRACED, /* ideal, but the chosen workers traced */
    HC_SWEEP_WORKERS_IDEAL,  /* replayed, but the chosen workers ideal */
    HC_SWEEP_WORKER_TRACED,  /* ideal, but one worker of stage `arg` traced: all dp ranks at once */
    HC_SWEEP_FIRST_IDEAL,    /* replayed, but the first workers of `fix` ideal: one result for
                                each of its sizes */
    HC_SWEEP_STAGES_TRACED,  /* ideal, but the stages in the set `traced` */
    HC_SWEEP_TYPES_TRACED,   /* ideal, but the op type groups in the set `traced` */
    HC_SWEEP_TYPE_DELAYED,   /* replayed, but the launch delays of op type group `arg` put back */
    HC_SWEEP_STAGE_DELAYED,  /* the same of stage `arg` */
    HC_SWEEP_DP_DELAYED,     /* the same of dp rank `arg` */
    HC_SWEEP_REWRITTEN,      /* replayed, with durations that `rewrite` has changed */
    HC_SWEEP_DELAYS_REWRITTEN /* as traced, with launch delays that `rewrite` has changed */
};

/* Workers in the order in which they are set to ideal, and after how many of them to sweep. */
struct hc_fix_order {
    const int32_t *worker; /* dp_rank * n_stages + stage */
    size_t n_sizes;
    const size_t *size; /* [n_sizes] ascending */
};

/* Changes the durations (or launch delays) [n_ops][stride] of a block, which it is given as traced.
 * Called by several threads at once, each with a block of its own. */
typedef void hc_rewrite_fn(const void *context, int32_t arg,
                           const struct hc_step_structure *structure,
                           const struct hc_lane_block *block, double *duration);

struct hc_counterfactual {
    enum hc_sweep_kind kind;
    int32_t arg;
    int64_t *end_ns;       /* [n_steps] latest optimizer end; DP_TRACED: [dp_size][n_steps];
                              WORKER_TRACED: [dp_size][n_stages][n_steps], this stage's part filled */
    int64_t *span_ns;      /* [n_steps] latest end - earliest start, or NULL; FIRST_IDEAL:
                              [n_sizes][n_steps]; DP_TRACED, WORKER_TRACED: not filled */
    const uint8_t *traced; /* [n_stages] or [groups->n], of STAGES_ and TYPES_TRACED */
    const struct hc_fix_order *fix; /* of FIRST_IDEAL */
};

/* Groups of op types of the two partitions, numbered. */
struct hc_type_groups {
    size_t n;
    const char *name[HC_N_OP_TYPES + 1];
    int32_t first_op;               /* number of the group "first-op", or -1 */
    int32_t of_type[HC_N_OP_TYPES]; /* -1 for types that are not there */
};

struct hc_counterfactuals {
    const struct hc_step_lanes *lanes;
    const struct hc_type_groups *groups; /* of the partition in use */
    bool has_negative;
    const uint8_t *chosen;  /* for the WORKERS kinds, at dp_rank * n_stages + stage */
    hc_rewrite_fn *rewrite; /* for REWRITTEN and DELAYS_REWRITTEN, with its context */
    const void *rewrite_context;
};

/* Sweep all counterfactuals over all blocks; results land in the arrays of the counterfactuals. */
enum hc_status hc_counterfactuals_run(const struct hc_counterfactuals *sweeps,
                                      const struct hc_counterfactual *counterfactuals, size_t n,
                                      struct hc_error *err);

/* Sweep the ideal: one lane of each structure; fills ideal_end and ideal_span. */
enum hc_status hc_sweep_ideal(struct hc_step_lanes *lanes, bool has_negative, struct hc_error *err);

#endif
