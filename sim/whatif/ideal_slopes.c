/* ideal_slopes.c - the slopes are difference quotients: the ideal of one op type is made a little
 * longer, and the timelines are swept again. For the ideal timeline this is one lane for each
 * structure; the timelines that mix ideal and traced ops are swept for a few steps only. */
#include "sim/whatif/ideal_slopes.h"

#include "core/base/memory.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* How many steps the slopes of the mixed timelines are measured on. Few are enough: slopes only
 * enter the part of an interval's width that comes from the ideals. */
#define MOST_STEPS 8

struct slopes_finder {
    const struct hc_whatif_analysis *analysis;
    struct hc_step_lanes lanes; /* a copy with few of the steps, whose ideals are changed */
    size_t n_steps;             /* in them */
    size_t *step;               /* [n_steps] index among the analysed steps */
    int64_t *span_ns;           /* [2][analysed steps] scratch: stage ideal, slowest ideal */
};

static void finder_fini(struct slopes_finder *f)
{
    for (size_t i = 0; i < f->lanes.n_structures; i++) {
        free(f->lanes.structures[i].ideal);
        free(f->lanes.structures[i].blocks);
    }
    free(f->lanes.structures);
    free(f->step);
    free(f->span_ns);
}

/* Keep the first steps of each block, in all MOST_STEPS, spread over the blocks in proportion to
 * their sizes. */
static void thin_blocks(struct slopes_finder *f, struct hc_step_structure *structure, size_t *seen)
{
    size_t all = f->lanes.n_steps, most = all < MOST_STEPS ? all : MOST_STEPS, n_blocks = 0;
    for (size_t k = 0; k < structure->n_blocks; k++) {
        struct hc_lane_block block = structure->blocks[k];
        size_t before = *seen * most / all;
        *seen += block.n_steps;
        block.n_steps = *seen * most / all - before;
        block.n_lanes = block.n_steps * (size_t)f->lanes.dp_size;
        if (block.n_steps == 0)
            continue;
        for (size_t s = 0; s < block.n_steps; s++)
            f->step[f->n_steps++] = block.step[s];
        structure->blocks[n_blocks++] = block;
    }
    structure->n_blocks = n_blocks;
}

static enum hc_status finder_init(struct slopes_finder *f, const struct hc_whatif_analysis *a)
{
    memset(f, 0, sizeof *f);
    f->analysis = a;
    f->lanes = a->lanes;
    f->lanes.structures = hc_new_array(a->lanes.n_structures, sizeof *a->lanes.structures, a->err);
    f->lanes.n_structures = 0;
    f->step = hc_new_array(MOST_STEPS, sizeof *f->step, a->err);
    f->span_ns = hc_new_array(2 * a->lanes.n_steps, sizeof *f->span_ns, a->err);
    if (!f->lanes.structures || !f->step || !f->span_ns)
        return a->err->status;
    size_t seen = 0;
    for (size_t i = 0; i < a->lanes.n_structures; i++) {
        const struct hc_step_structure *from = &a->lanes.structures[i];
        struct hc_step_structure *to = &f->lanes.structures[f->lanes.n_structures++];
        *to = *from;
        to->ideal = hc_new_array(from->order.n_ops, sizeof *to->ideal, a->err);
        to->blocks = hc_new_array(from->n_blocks, sizeof *to->blocks, a->err);
        if (!to->ideal || !to->blocks)
            return a->err->status;
        memcpy(to->ideal, from->ideal, from->order.n_ops * sizeof *to->ideal);
        memcpy(to->blocks, from->blocks, from->n_blocks * sizeof *to->blocks);
        thin_blocks(f, to, &seen);
    }
    return HC_OK;
}

/* How much longer an ideal is made: by one standard error of it, in whole ns, since that is about
 * how far resamples move it. */
static double stretch_of(const double *move, size_t n_steps)
{
    double squares = 0;
    for (size_t s = 0; s < n_steps; s++)
        squares += move[s] * move[s];
    return ceil(sqrt(squares) / (double)n_steps);
}

static void stretch_ideal(struct slopes_finder *f, int op_type, double ns)
{
    for (size_t i = 0; i < f->lanes.n_structures; i++) {
        struct hc_step_structure *structure = &f->lanes.structures[i];
        const double *ideal = f->analysis->lanes.structures[i].ideal;
        for (size_t p = 0; p < structure->order.n_ops; p++)
            structure->ideal[p] = ideal[p] + (structure->op_type[p] == op_type ? ns : 0);
    }
}

static double mean_growth(const struct slopes_finder *f, const int64_t *span_ns,
                          const int64_t *before_ns)
{
    double sum = 0;
    for (size_t s = 0; s < f->n_steps; s++)
        sum += (double)(span_ns[f->step[s]] - before_ns[f->step[s]]);
    return sum / (double)f->n_steps;
}

/* The growth of the mean ideal end and span. They are the same for all steps of a structure, so all
 * steps count here, not only those of MOST_STEPS. */
static void add_ideal_growth(const struct slopes_finder *f, double *end_ns, double *span_ns)
{
    *end_ns = *span_ns = 0;
    for (size_t i = 0; i < f->lanes.n_structures; i++) {
        const struct hc_step_structure *now = &f->lanes.structures[i];
        const struct hc_step_structure *before = &f->analysis->lanes.structures[i];
        double n_steps = 0;
        for (size_t k = 0; k < before->n_blocks; k++)
            n_steps += (double)before->blocks[k].n_steps;
        *end_ns += n_steps / (double)f->lanes.n_steps * (now->ideal_end - before->ideal_end);
        *span_ns += n_steps / (double)f->lanes.n_steps * (now->ideal_span - before->ideal_span);
    }
}

static enum hc_status find_type(struct slopes_finder *f, int op_type, double ns,
                                struct hc_ideal_slopes *slopes)
{
    const struct hc_whatif_analysis *a = f->analysis;
    struct hc_counterfactuals sweeps = a->sweeps;
    int64_t *stage_ns = f->span_ns, *slowest_ns = f->span_ns + a->lanes.n_steps;
    struct hc_counterfactual counterfactuals[] = {
        {.kind = HC_SWEEP_STAGE_IDEAL, .arg = a->lanes.n_stages - 1, .span_ns = stage_ns},
        {.kind = HC_SWEEP_WORKERS_IDEAL, .span_ns = slowest_ns}};
    sweeps.lanes = &f->lanes;
    sweeps.chosen = a->slowest_chosen;
    stretch_ideal(f, op_type, ns);
    if (hc_sweep_ideal(&f->lanes, sweeps.has_negative, a->err) ||
        hc_counterfactuals_run(&sweeps, counterfactuals, a->slowest_chosen ? 2 : 1, a->err))
        return a->err->status;
    add_ideal_growth(f, &slopes->end[op_type], &slopes->span[op_type]);
    slopes->end[op_type] /= ns;
    slopes->span[op_type] /= ns;
    slopes->stage_ideal[op_type] = mean_growth(f, stage_ns, a->stage_ideal_span_ns) / ns;
    if (a->slowest_chosen)
        slopes->slowest_ideal[op_type] = mean_growth(f, slowest_ns, a->slowest_ideal_span_ns) / ns;
    return HC_OK;
}

enum hc_status hc_ideal_slopes_find(struct hc_ideal_slopes *slopes,
                                    const struct hc_whatif_analysis *analysis,
                                    const struct hc_ideal_moves *moves)
{
    memset(slopes, 0, sizeof *slopes);
    struct slopes_finder f;
    enum hc_status status = finder_init(&f, analysis);
    for (int type = 0; status == HC_OK && type < HC_N_OP_TYPES; type++)
        if (moves->move_ns[type])
            status = find_type(&f, type, stretch_of(moves->move_ns[type], analysis->lanes.n_steps),
                               slopes);
    finder_fini(&f);
    return status;
}
