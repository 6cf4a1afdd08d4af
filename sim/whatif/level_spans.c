#include "sim/whatif/level_spans.h"

#include "core/base/memory.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* Fewer ops of a kind in a step do not show how much single ops vary. */
#define LEAST_OPS 3
/* A kind has levels where the variance between steps exceeds what single ops make by so many
 * standard errors; by chance that comes once in some thousand kinds. */
#define CLEAR_ERRORS 5.5

/* Kinds that a step has fewer of are judged by what they do from step to step: they have levels
 * where they follow each other by so many standard errors. */
#define CLEAR_CORRELATION 3.5

/* One op type of one worker. */
struct op_kind {
    double n_ops, squares; /* over all steps; the squares of their relative durations */
    bool has_levels;
};

struct finder {
    const struct hc_whatif_analysis *analysis;
    size_t dp_size, n_stages, n_steps;
    double **mean;         /* [n_structures] of [n_ops][dp_size]: duration over the steps, ns */
    struct op_kind *kinds; /* [HC_N_OP_TYPES][n_stages][dp_size] */
    double *level;         /* [kinds][n_steps] mean relative duration */
    double *count;         /* [kinds / dp_size][n_steps] ops of the kind in the step */
};

/* Index into count of the kinds that an op belongs to, one for each dp rank. */
static size_t kinds_of(const struct finder *f, const struct hc_step_structure *structure, size_t p)
{
    return (size_t)structure->op_type[p] * f->n_stages + (size_t)structure->stage[p];
}

static void find_means(const struct finder *f, const struct hc_step_structure *structure,
                       double *mean)
{
    double n_steps = 0;
    for (size_t b = 0; b < structure->n_blocks; b++) {
        const struct hc_lane_block *block = &structure->blocks[b];
        n_steps += (double)block->n_steps;
        for (size_t p = 0; p < structure->order.n_ops; p++) {
            const double *row = block->duration + p * block->stride;
            for (size_t k = 0; k < block->n_steps; k++)
                for (size_t d = 0; d < f->dp_size; d++)
                    mean[p * f->dp_size + d] += row[k * f->dp_size + d];
        }
    }
    for (size_t i = 0; i < structure->order.n_ops * f->dp_size; i++)
        mean[i] /= n_steps;
}

static void add_op(struct finder *f, const struct hc_lane_block *block, size_t p,
                   const double *mean, size_t kinds)
{
    const double *row = block->duration + p * block->stride;
    for (size_t d = 0; d < f->dp_size; d++) {
        struct op_kind *kind = &f->kinds[kinds * f->dp_size + d];
        double *level = f->level + (kinds * f->dp_size + d) * f->n_steps;
        double scale = mean[d] > 0 ? 1 / mean[d] : 0, squares = 0;
        double none = mean[d] > 0 ? 0 : 1; /* ops that take no time take what they always take */
        for (size_t k = 0; k < block->n_steps; k++) {
            double relative = row[k * f->dp_size + d] * scale + none;
            level[block->step[k]] += relative;
            squares += relative * relative;
        }
        kind->squares += squares;
        kind->n_ops += (double)block->n_steps;
    }
    for (size_t k = 0; k < block->n_steps; k++)
        f->count[kinds * f->n_steps + block->step[k]]++;
}

static void add_structure(struct finder *f, const struct hc_step_structure *structure,
                          const double *mean)
{
    for (size_t b = 0; b < structure->n_blocks; b++)
        for (size_t p = 0; p < structure->order.n_ops; p++) {
            size_t kinds = kinds_of(f, structure, p);
            add_op(f, &structure->blocks[b], p, mean + p * f->dp_size, kinds);
        }
}

/* Whether the variance between steps is clearly larger than single ops make it (analysis of
 * variance in one way: its F has a standard error of about sqrt(2 / (steps - 1))). */
static bool has_levels(const struct op_kind *kind, const double *level, const double *count,
                       size_t n_steps)
{
    double n = (double)n_steps, between = 0, within = kind->squares, product = 0, square = 0;
    if (kind->n_ops < LEAST_OPS * n) {
        for (size_t s = 0; s < n_steps; s++) {
            square += (level[s] - 1) * (level[s] - 1);
            product += s > 0 ? (level[s] - 1) * (level[s - 1] - 1) : 0;
        }
        return product > (CLEAR_CORRELATION / sqrt(n) - 1 / n) * square;
    }
    for (size_t s = 0; s < n_steps; s++) {
        between += count[s] * (level[s] - 1) * (level[s] - 1);
        within -= count[s] * level[s] * level[s];
    }
    double expected = within / (kind->n_ops - n) * (n - 1);
    return between > fmax(0, expected) * (1 + CLEAR_ERRORS * sqrt(2 / (n - 1)));
}

/* Means of the steps from sums; whether some kind has levels. */
static bool judge_kinds(struct finder *f)
{
    bool any = false;
    for (size_t kinds = 0; kinds < HC_N_OP_TYPES * f->n_stages; kinds++) {
        const double *count = f->count + kinds * f->n_steps;
        for (size_t d = 0; d < f->dp_size; d++) {
            struct op_kind *kind = &f->kinds[kinds * f->dp_size + d];
            double *level = f->level + (kinds * f->dp_size + d) * f->n_steps;
            for (size_t s = 0; s < f->n_steps; s++)
                level[s] = count[s] > 0 ? level[s] / count[s] : 1;
            kind->has_levels = has_levels(kind, level, count, f->n_steps);
            any |= kind->has_levels;
        }
    }
    return any;
}

enum { AS_TRACED, STAGE_IDEAL, SLOWEST_IDEAL };

static bool is_ideal(const struct finder *f, int32_t what, int32_t stage, size_t dp_rank)
{
    if (what == SLOWEST_IDEAL)
        return f->analysis->slowest_chosen[dp_rank * f->n_stages + (size_t)stage];
    return what == STAGE_IDEAL && (size_t)stage + 1 == f->n_stages;
}

static void rewrite(const void *context, int32_t what, const struct hc_step_structure *structure,
                    const struct hc_lane_block *block, double *duration)
{
    const struct finder *f = context;
    const double *mean = f->mean[structure - f->analysis->lanes.structures];
    for (size_t p = 0; p < structure->order.n_ops; p++)
        for (size_t d = 0; d < f->dp_size; d++) {
            double *lane = duration + p * block->stride + d;
            size_t at = kinds_of(f, structure, p) * f->dp_size + d;
            bool ideal = is_ideal(f, what, structure->stage[p], d);
            double value = ideal ? structure->ideal[p] : mean[p * f->dp_size + d];
            const double *level =
                !ideal && f->kinds[at].has_levels ? f->level + at * f->n_steps : NULL;
            for (size_t k = 0; k < block->n_steps; k++)
                lane[k * f->dp_size] = level ? value * level[block->step[k]] : value;
        }
}

static enum hc_status replay(struct hc_level_spans *levels, const struct finder *f)
{
    const struct hc_whatif_analysis *a = f->analysis;
    struct hc_counterfactuals sweeps = a->sweeps;
    struct hc_counterfactual counterfactuals[] = {
        {.kind = HC_SWEEP_REWRITTEN, .arg = AS_TRACED, .span_ns = levels->replayed_ns},
        {.kind = HC_SWEEP_REWRITTEN, .arg = STAGE_IDEAL, .span_ns = levels->stage_ideal_ns},
        {.kind = HC_SWEEP_REWRITTEN, .arg = SLOWEST_IDEAL, .span_ns = levels->slowest_ideal_ns}};
    sweeps.rewrite = rewrite;
    sweeps.rewrite_context = f;
    return hc_counterfactuals_run(&sweeps, counterfactuals, a->slowest_chosen ? 3 : 2, a->err);
}

static void finder_fini(struct finder *f)
{
    for (size_t i = 0; f->mean && i < f->analysis->lanes.n_structures; i++)
        free(f->mean[i]);
    free(f->mean);
    free(f->kinds);
    free(f->level);
    free(f->count);
}

static enum hc_status finder_init(struct finder *f, const struct hc_whatif_analysis *a)
{
    size_t n_kinds = HC_N_OP_TYPES * (size_t)a->lanes.n_stages;
    *f = (struct finder){.analysis = a,
                         .dp_size = (size_t)a->lanes.dp_size,
                         .n_stages = (size_t)a->lanes.n_stages,
                         .n_steps = a->lanes.n_steps};
    f->mean = hc_new_array(a->lanes.n_structures, sizeof *f->mean, a->err);
    f->kinds = hc_new_array(n_kinds * f->dp_size, sizeof *f->kinds, a->err);
    f->level = hc_new_array(n_kinds * f->dp_size * f->n_steps, sizeof *f->level, a->err);
    f->count = hc_new_array(n_kinds * f->n_steps, sizeof *f->count, a->err);
    if (!f->mean || !f->kinds || !f->level || !f->count)
        return a->err->status;
    for (size_t i = 0; i < a->lanes.n_structures; i++) {
        const struct hc_step_structure *structure = &a->lanes.structures[i];
        if (!structure->n_blocks)
            continue;
        f->mean[i] = hc_new_array(structure->order.n_ops * f->dp_size, sizeof(double), a->err);
        if (!f->mean[i])
            return a->err->status;
        find_means(f, structure, f->mean[i]);
        add_structure(f, structure, f->mean[i]);
    }
    return HC_OK;
}

enum hc_status hc_level_spans_find(struct hc_level_spans *levels,
                                   const struct hc_whatif_analysis *analysis)
{
    struct finder f;
    size_t n = analysis->lanes.n_steps;
    *levels = (struct hc_level_spans){0};
    enum hc_status status = finder_init(&f, analysis);
    if (status == HC_OK)
        levels->any = judge_kinds(&f);
    if (levels->any) {
        levels->replayed_ns = hc_new_array(n, sizeof(int64_t), analysis->err);
        levels->stage_ideal_ns = hc_new_array(n, sizeof(int64_t), analysis->err);
        levels->slowest_ideal_ns = hc_new_array(n, sizeof(int64_t), analysis->err);
        bool ok = levels->replayed_ns && levels->stage_ideal_ns && levels->slowest_ideal_ns;
        status = ok ? replay(levels, &f) : analysis->err->status;
    }
    finder_fini(&f);
    if (status)
        hc_level_spans_fini(levels);
    return status;
}

void hc_level_spans_fini(struct hc_level_spans *levels)
{
    free(levels->replayed_ns);
    free(levels->stage_ideal_ns);
    free(levels->slowest_ideal_ns);
}
