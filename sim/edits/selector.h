/* selector.h - which ops of a job an edit is for (docs/methods/step-scenarios.md, "Selecting").
 *
 * A selector is a set of conditions that must all hold, and lists of selectors of which all, any or
 * none must. Most conditions tell by the op alone (its type, its stage), some by the lane (its dp
 * rank, its step), few by both; so a selector answers for a row of lanes of one op at a time, and
 * says at once where all or none of them are meant.
 */
#ifndef HC_SIM_EDITS_SELECTOR_H
#define HC_SIM_EDITS_SELECTOR_H

#include "core/base/step_ranges.h"
#include "sim/edits/op_classes.h"
#include "sim/edits/replay_base.h"

enum hc_slowest_of { HC_SLOWEST_OPS, HC_SLOWEST_WORKERS, HC_SLOWEST_DP_RANKS, HC_SLOWEST_STAGES };

/* What one random number is drawn for. */
enum hc_drawn_per {
    HC_PER_OP,          /* each op of each worker and step */
    HC_PER_WORKER,      /* all ops of a worker in all steps */
    HC_PER_STEP,        /* all ops of a step */
    HC_PER_WORKER_STEP, /* all ops of a worker in a step */
    HC_PER_JOB          /* all */
};

/* Where random numbers come from: the same for the same (seed, key, draw, edit, op, lane), whatever
 * else is edited. */
struct hc_edit_draws {
    uint64_t seed, key;
    uint32_t draw;
};

/* The seed of the numbers of one stream: of an edit, or of a selector. */
static inline uint64_t hc_edit_seed(const struct hc_edit_draws *draws, uint32_t stream)
{
    uint64_t which = (uint64_t)draws->draw << 32 | stream;
    return draws->seed ^ draws->key ^ which * 0x9E3779B97F4A7C15u;
}

/* In ranges of stages: the last one of the plan at hand, whose number a plan may change. */
#define HC_LAST_STAGE 2147483646

bool hc_stages_include(const struct hc_step_ranges *stages, int32_t stage, int32_t n_stages);

/* Zeroed memory selects all ops. Ranges are of ids, both ends included. */
struct hc_selector {
    uint32_t op_types; /* 1 << type; 0: any */
    struct hc_step_ranges stages, dp_ranks, ranks, steps, microbatches, chunks;
    size_t n_workers;      /* 0: any */
    int32_t (*workers)[2]; /* dp rank, stage */
    size_t n_nodes;        /* 0: any */
    const char **nodes;
    size_t n_names; /* 0: any; patterns of fnmatch(3) */
    const char *
        *names; /* of events of profiler traces (sim/profiles/edits/), which alone have any */
    bool has_window;
    double from_s, to_s; /* of replayed starts in the untouched job, steps following each other */
    bool has_slowest;
    int32_t slowest_of; /* enum hc_slowest_of */
    double percent;
    bool has_outliers;
    double mad;
    unsigned outliers_by; /* enum hc_class_by bits */
    bool is_random;
    double probability;
    int32_t drawn_per;    /* enum hc_drawn_per */
    uint32_t stream;      /* of random numbers: differs between selectors of a scenario */
    const void *identity; /* what is the same wherever this selector stands in a study; NULL: it
                             draws, or is alone */
    size_t n_all, n_any;
    struct hc_selector *all, *any, *none; /* none: not one of which must hold, or NULL */
};

/* A selector made ready for a job: what it must look up is found. *selection is the caller's to
 * hc_selection_free whatever the result; selector and draws must outlive it. */
struct hc_selection;
enum hc_status hc_selection_new(struct hc_selection **selection, const struct hc_selector *selector,
                                const struct hc_replay_base *base,
                                const struct hc_edit_draws *draws, struct hc_error *err);
void hc_selection_free(struct hc_selection *selection);

/* Which lanes of a row are meant; mask [HC_SELECTOR_MASKS * n_lanes]: the first n_lanes are 0 or 1
 * for HC_SELECTED_SOME, else not told. */
enum hc_selected hc_selection_row(const struct hc_selection *selection, const struct hc_op_row *row,
                                  uint8_t *mask);

/* The same for who does not know selectors. */
struct hc_row_choice hc_selection_choice(const struct hc_selection *selection);

/* The number that is drawn in (0, 1) for an op and lane. */
double hc_edit_uniform(const struct hc_replay_base *base, const struct hc_edit_draws *draws,
                       uint32_t stream, enum hc_drawn_per per, const struct hc_op_row *row,
                       size_t lane);
/* The same for all lanes of a row; scratch [3 * n_lanes]. */
void hc_edit_uniform_row(const struct hc_replay_base *base, const struct hc_edit_draws *draws,
                         uint32_t stream, enum hc_drawn_per per, const struct hc_op_row *row,
                         double *to, double *scratch);

#endif
