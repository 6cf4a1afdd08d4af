/* cause_search.h - what the files that find the cause of straggling share. Private to this wing.
 *
 * The duration of a pass (one forward or backward computation of a microbatch) is read as
 *     base(stage, chunk) * worker(dp rank, stage) * factor(step, dp rank, microbatch) * noise
 * each part found by medians. What a forward pass takes far beyond that is a pause. Each cause is
 * one of these parts, or a slow link; its remedy is a replay with just this part set right
 * (docs/methods/causes.md).
 */
#ifndef HC_SIM_WHATIF_CAUSE_CAUSE_SEARCH_H
#define HC_SIM_WHATIF_CAUSE_CAUSE_SEARCH_H

#include "sim/whatif/whatif_analysis.h"
#include "sim/whatif/worker_wander.h"

/* ---- which passes belong together (sim/whatif/cause/pass_pairs.c) ---- */

#define HC_NO_POSITION UINT32_MAX

enum hc_pass { HC_FORWARD_PASS, HC_BACKWARD_PASS, HC_N_PASSES };

/* A chunk of a stage: all its forward (or backward) passes do the same work. */
struct hc_pass_line {
    int32_t stage, chunk; /* chunk: 0 when the trace has none */
};

struct hc_pass_layout { /* of one structure */
    size_t n_microbatches;
    uint32_t
        *position[HC_N_PASSES]; /* [n_lines][n_microbatches] in the op order, or HC_NO_POSITION */
};

struct hc_pass_pairs {
    size_t n_lines;
    struct hc_pass_line *lines; /* by stage, then chunk */
    bool by_order; /* the trace has no usable microbatches: the k-th forward pass of a line goes
                      with its k-th backward pass */
    size_t n_layouts;
    struct hc_pass_layout *layouts; /* by structure */
};

enum hc_status hc_pass_pairs_find(struct hc_pass_pairs *pairs, const struct hc_step_lanes *lanes,
                                  struct hc_error *err);
void hc_pass_pairs_fini(struct hc_pass_pairs *pairs);

/* Sums of pairs (x, y), for Pearson's r. They are plain sums, so values should be of the order of
 * 1. */
struct hc_pair_sums {
    int64_t n;
    double x, y, xx, yy, xy;
};

void hc_pair_sums_add(struct hc_pair_sums *to, const struct hc_pair_sums *more);
double hc_pair_sums_pearson(const struct hc_pair_sums *sums); /* NaN: fewer than 3, or no spread */

/* Pearson's r of forward against backward within each stage: r and n are [n_stages]. */
enum hc_status hc_pass_correlations(const struct hc_pass_pairs *pairs,
                                    const struct hc_step_lanes *lanes, double *r, int64_t *n,
                                    struct hc_error *err);

/* ---- the parts of compute (sim/whatif/cause/pass_model.c, sim/whatif/cause/pass_sample.c,
 * sim/whatif/cause/pauses.c) ---- */

struct hc_model_block {
    size_t structure;
    const struct hc_lane_block *lanes;
    double *factor; /* [n_microbatches][stride] work of the microbatch; 1 is the median */
};

struct hc_slow_map; /* sim/whatif/cause/slow_map.h */

struct hc_pass_model {
    const struct hc_step_lanes *lanes;
    const struct hc_pass_pairs *pairs;
    /* Workers that are slow in part of the steps; their passes are seen without that. NULL: none,
     * or not looked for yet. */
    const struct hc_slow_map *slow;
    size_t n_blocks,
        *first_block; /* [n_structures] number in blocks of the first block of each structure */
    struct hc_model_block *blocks;
    double *center[HC_N_PASSES]; /* [n_lines][dp_size] median duration of the worker, ns */
    double *base[HC_N_PASSES];   /* [n_lines] what a healthy worker takes, ns */
    double *worker; /* [dp_size * n_stages] how slow the worker is; 1 is as its peers */
    double *drift; /* [dp_size] how long its microbatches are on average, where chance explains that
                      it differs from the other dp ranks; else 1 */
    double factor_mean, factor_sd;
    /* How far the factors of microbatches are from 1, x in forward and y in backward passes:
     * `factors` as found, `within` after the mean of their step and dp rank was taken off, so that
     * its sums of x and of y are 0. */
    struct hc_pair_sums factors, within;
    /* As `within`: x of forward passes on the first stage, y of backward passes on the last. */
    struct hc_pair_sums across;
    double *pause_limit[HC_N_PASSES]; /* [n_lines] a pass of this many times its expected duration,
                                         or longer, has a pause */
    struct hc_pauses pauses;          /* n and excess_s by enum hc_pass */
    /* [dp_size * n_stages] bits 1 << enum hc_pass: some of these passes of the worker are slow,
     * more than chance makes of its peers; and how many workers have a bit. */
    uint8_t *some_slow;
    size_t n_with_slow_passes;
    uint8_t *left_out; /* [dp_size] its microbatches are not asked about sequence lengths; their
                          factor is 1 */
    double *slow_pass_limit[HC_N_PASSES]; /* [n_lines][dp_size] a pass that takes more than this
                                             many times what is expected is slow */
    /* [n_lines][dp_size] of workers whose passes are of two kinds within the steps: the center of
     * the lower kind, which is what is usual for them, and the middle between both over it; else 0.
     */
    double *lower_center[HC_N_PASSES], *lower_cut[HC_N_PASSES];
    bool has_mixtures;
};

/* The passes of one line and microbatch in a block, a lane for each step and dp rank. */
struct hc_pass_row {
    enum hc_pass pass;
    size_t line;
    int32_t stage;
    uint32_t position; /* in the op order: passes of a worker run in the order of theirs */
    const struct hc_model_block *block;
    const double *center; /* [dp_size] */
    const double *factor; /* [stride] */
    double *duration;     /* [stride] as traced, or being rewritten */
};

/* Visit the rows of a block whose durations [n_ops][stride] are given; of all blocks, as traced. */
typedef void hc_pass_row_fn(void *context, const struct hc_pass_row *row);
void hc_pass_rows_of_block(const struct hc_pass_model *model, const struct hc_model_block *block,
                           double *duration, hc_pass_row_fn *visit, void *context);
void hc_pass_rows_each(const struct hc_pass_model *model, hc_pass_row_fn *visit, void *context);

/* Find the workers of which some passes are slow. Needs factors. */
enum hc_status hc_slow_passes_find(struct hc_pass_model *model, struct hc_error *err);
/* What a pass takes when it is not slow: center, slow steps and, where there are stages enough to
 * tell, the factor of the microbatch. step: within the block of the row. */
double hc_expected_pass_ns(const struct hc_pass_model *model, const struct hc_pass_row *row,
                           size_t dp_rank, size_t step);

/* Find centers and bases; then, once it is known which workers change (model->slow), these anew and
 * all else. */
enum hc_status hc_pass_model_begin(struct hc_pass_model *model, const struct hc_pass_pairs *pairs,
                                   const struct hc_step_lanes *lanes, struct hc_error *err);
enum hc_status hc_pass_model_finish(struct hc_pass_model *model, struct hc_error *err);
void hc_pass_model_fini(struct hc_pass_model *model);

/* How many times as long as usual the passes of one stage take on one dp rank, in each step: a row
 * [n_steps], or NULL where it is 1 in all. */
const double *hc_pass_slow_row(const struct hc_pass_model *model, enum hc_pass pass, int32_t stage,
                               size_t dp_rank);

/* Durations of the passes of a line, for each dp rank n of them: values[dp_rank * capacity + i], in
 * ns, or over the expected duration when is_relative. About n_most of them, evenly taken. */
struct hc_pass_sample {
    enum hc_pass pass;
    size_t line;
    bool is_relative;
    size_t n, capacity;
    double *values;
};

enum hc_status hc_pass_sample_take(struct hc_pass_sample *sample, const struct hc_pass_model *model,
                                   size_t n_most, struct hc_error *err);

/* Finds one line's values of the model. It must write nothing else: threads share the lines. */
typedef enum hc_status hc_pass_line_fn(struct hc_pass_model *model, enum hc_pass pass, size_t line,
                                       struct hc_error *err);
enum hc_status hc_pass_lines_each(struct hc_pass_model *model, hc_pass_line_fn *find,
                                  struct hc_error *err);

enum hc_status hc_pauses_find(struct hc_pass_model *model, struct hc_error *err);

/* ---- transfers (sim/whatif/cause/link_slowness.c) ---- */

struct hc_link {
    bool is_p2p;
    int32_t dp_rank, stage; /* P2P: the boundary behind this stage; collectives: the worker */
    int direction;          /* of P2P: HC_FORWARD_PASS, HC_BACKWARD_PASS */
    int64_t n;              /* transfers */
    double ns, base_ns;     /* all of them together; the same on a usual link */
};

struct hc_links {
    const struct hc_step_lanes *lanes;
    size_t n; /* 2 * n_stages * dp_size of P2P, then n_stages * dp_size of collectives */
    struct hc_link *links;
    double *base; /* [HC_N_OP_TYPES] usual mean transfer time, ns */
    size_t n_steps;
    double *level;    /* [n][n_steps] transfer time of the step over the usual; 1 without any */
    uint8_t *slow_in; /* [n][n_steps] slow steps */
    uint8_t *is_slow; /* [n] in some step */
    size_t n_used, n_slow, worst; /* worst: the slow one with most excess, or HC_NO_LINK */
};

enum hc_status hc_links_find(struct hc_links *links, const struct hc_step_lanes *lanes,
                             struct hc_error *err);
void hc_links_fini(struct hc_links *links);

#define HC_NO_LINK SIZE_MAX
/* The number of the link that the op at a position uses on dp rank 0; the links of other dp ranks
 * follow it. HC_NO_LINK for ops that move no data. */
size_t hc_first_link(const struct hc_step_structure *structure, size_t position, int32_t n_stages,
                     size_t dp_size);

/* ---- counterfactuals (sim/whatif/cause/straggler_remedies.c) ---- */

/* A replay that sets one part of the work right. */
enum hc_remedy {
    HC_REMEDY_WORKER, /* all culprits that are workers, or machines */
    HC_REMEDY_STAGE,  /* all stages even, and culprits that are stages */
    HC_REMEDY_SEQUENCE,
    HC_REMEDY_PAUSES,
    HC_REMEDY_LINKS,
    HC_REMEDY_COMMON, /* culprits that are the job: what changes for all workers alike */
    HC_N_REMEDIES
};

struct hc_remedies {
    const struct hc_pass_model *model;
    const struct hc_links *links;
    struct hc_culprits *culprits;
    double *slow_worker; /* [dp_size * n_stages] its passes are divided by this; 1: not slow */
    /* [dp_size * n_stages] the culprit to which a worker belongs that is slow in all steps, and in
     * part of them; -1: none. */
    int32_t *lasting_of, *changing_of;
    int32_t *culprit_of_link; /* [links->n] -1: none */
    int32_t *some_passes_of;  /* the same of a worker of which some passes are slow */
    double
        *balance[HC_N_PASSES]; /* [n_lines] passes are multiplied by this to even out the stages */
    bool suspected[HC_N_REMEDIES];
    /* Of the mean step, with the remedy alone; and the mean of that and of what comes back when it
     * alone is left out of all, by which causes are weighed. 0 when not suspected. */
    double alone_s[HC_N_REMEDIES], saved_s[HC_N_REMEDIES];
};

/* Replay what is needed: each remedy alone, and all but it; the culprits by their game, which fills
 * what mending them saves. Culprits that save too little to be told are dropped. */
enum hc_status hc_remedies_replay(struct hc_remedies *remedies,
                                  struct hc_whatif_analysis *analysis);

#endif
