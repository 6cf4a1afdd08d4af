/* fix_curve.c - what fixing the worst 1, 2, 3, ... workers (stages, op types) together would bring.
 *
 * Worst first by their own slowdown, equal ones by number (workers by rank, as those of M_W). A
 * point replays the job with the worst so many set to ideal, so effects that overlap are counted
 * once; the last point is the ideal itself.
 */
#include "sim/whatif/whatif_analysis.h"

#include "core/base/memory.h"

#include <math.h>
#include <stdlib.h>

/* Up to here every number of fixed groups has a point; after that each number is about a quarter
 * larger than the one before. */
#define LAST_SINGLE 8
/* A knee is above the straight line by at least this share of the excess. */
#define LEAST_KNEE 0.1

struct curve {
    struct hc_whatif_analysis *analysis;
    struct hc_fix_curve *curve;
    size_t n_swept;    /* points between the first and the last */
    size_t *size;      /* [n_swept] */
    int64_t *spans_ns; /* [n_swept][n_steps] */
};

/* ---- order ---- */

struct ranked {
    double slowdown;
    int32_t number; /* rank of a worker, else the group */
    int32_t group;
};

static int compare_ranked(const void *x, const void *y)
{
    const struct ranked *a = x, *b = y;
    if (a->slowdown != b->slowdown)
        return a->slowdown > b->slowdown ? -1 : 1;
    return (a->number > b->number) - (a->number < b->number);
}

static int32_t number_of(const struct hc_whatif_result *r, enum hc_fix_kind kind, size_t group)
{
    return kind == HC_FIX_WORKERS ? r->workers[group].rank : (int32_t)group;
}

static double slowdown_of(const struct hc_whatif_result *r, enum hc_fix_kind kind, size_t group)
{
    if (kind != HC_FIX_WORKERS)
        return r->blocking[kind == HC_FIX_STAGES ? HC_BY_STAGE : HC_BY_OP_TYPE]
            .groups[group]
            .slowdown;
    const struct hc_worker *worker = &r->workers[group];
    return isnan(worker->exact) ? worker->slowdown : worker->exact;
}

static enum hc_status find_order(struct curve *c, enum hc_fix_kind kind)
{
    size_t n = c->curve->n_groups;
    struct ranked *ranked = hc_new_array(n, sizeof *ranked, c->analysis->err);
    c->curve->order = hc_new_array(n, sizeof *c->curve->order, c->analysis->err);
    if (ranked && c->curve->order) {
        for (size_t g = 0; g < n; g++)
            ranked[g] = (struct ranked){slowdown_of(c->analysis->result, kind, g),
                                        number_of(c->analysis->result, kind, g), (int32_t)g};
        qsort(ranked, n, sizeof *ranked, compare_ranked);
        for (size_t g = 0; g < n; g++)
            c->curve->order[g] = ranked[g].group;
    }
    enum hc_status status = ranked && c->curve->order ? HC_OK : c->analysis->err->status;
    free(ranked);
    return status;
}

/* ---- points ---- */

static size_t next_size(size_t size)
{
    return size < LAST_SINGLE ? size + 1 : size + (size + 3) / 4;
}

static enum hc_status list_sizes(struct curve *c)
{
    size_t n_groups = c->curve->n_groups;
    for (size_t size = 1; size < n_groups; size = next_size(size))
        c->n_swept++;
    c->size = hc_new_array(c->n_swept + 1, sizeof *c->size, c->analysis->err);
    c->spans_ns = hc_new_array(c->n_swept * c->analysis->result->n_steps + 1, sizeof *c->spans_ns,
                               c->analysis->err);
    c->curve->points = hc_new_array(c->n_swept + 2, sizeof *c->curve->points, c->analysis->err);
    if (!c->size || !c->spans_ns || !c->curve->points)
        return c->analysis->err->status;
    for (size_t i = 0, size = 1; i < c->n_swept; i++, size = next_size(size))
        c->size[i] = size;
    return HC_OK;
}

static void add_point(struct curve *c, size_t n_fixed, double step_s)
{
    const struct hc_whatif_result *r = c->analysis->result;
    c->curve->points[c->curve->n_points++] =
        (struct hc_fix_point){n_fixed, step_s, (r->replayed_s - step_s) / hc_whatif_excess_s(r)};
}

static enum hc_status sweep_workers(struct curve *c)
{
    struct hc_fix_order fix = {c->curve->order, c->n_swept, c->size};
    struct hc_counterfactual counterfactual = {
        .kind = HC_SWEEP_FIRST_IDEAL, .span_ns = c->spans_ns, .fix = &fix};
    return hc_counterfactuals_run(&c->analysis->sweeps, &counterfactual, 1, c->analysis->err);
}

/* Stages or op types: a counterfactual a point. */
static enum hc_status sweep_groups(struct curve *c, enum hc_sweep_kind kind)
{
    size_t n_groups = c->curve->n_groups, n_steps = c->analysis->result->n_steps;
    struct hc_counterfactual *counterfactuals =
        hc_new_array(c->n_swept + 1, sizeof *counterfactuals, c->analysis->err);
    uint8_t *traced = hc_new_array(c->n_swept * n_groups + 1, 1, c->analysis->err);
    enum hc_status status = counterfactuals && traced ? HC_OK : c->analysis->err->status;
    for (size_t i = 0; status == HC_OK && i < c->n_swept; i++) {
        uint8_t *set = traced + i * n_groups;
        for (size_t k = 0; k < n_groups; k++)
            set[c->curve->order[k]] = k >= c->size[i];
        counterfactuals[i] = (struct hc_counterfactual){
            .kind = kind, .span_ns = c->spans_ns + i * n_steps, .traced = set};
    }
    if (status == HC_OK)
        status = hc_counterfactuals_run(&c->analysis->sweeps, counterfactuals, c->n_swept,
                                        c->analysis->err);
    free(counterfactuals);
    free(traced);
    return status;
}

/* The point farthest above the straight line from nothing fixed to everything fixed (Satopaa et
 * al., "Finding a Kneedle in a Haystack", 2011, without its smoothing). */
static size_t find_knee(const struct hc_fix_curve *curve)
{
    size_t knee = 0;
    double highest = LEAST_KNEE;
    for (size_t i = 1; i < curve->n_points; i++) {
        double line = (double)curve->points[i].n_fixed / (double)curve->n_groups;
        double height = curve->points[i].recovered - line;
        if (height > highest) {
            highest = height;
            knee = i;
        }
    }
    return knee;
}

static enum hc_status find_curve(struct curve *c, enum hc_fix_kind kind)
{
    const struct hc_whatif_result *r = c->analysis->result;
    if (find_order(c, kind) || list_sizes(c) ||
        (kind == HC_FIX_WORKERS ? sweep_workers(c)
                                : sweep_groups(c, kind == HC_FIX_STAGES ? HC_SWEEP_STAGES_TRACED
                                                                        : HC_SWEEP_TYPES_TRACED)))
        return c->analysis->err->status;
    add_point(c, 0, r->replayed_s);
    for (size_t i = 0; i < c->n_swept; i++)
        add_point(c, c->size[i], hc_mean_s(c->spans_ns + i * r->n_steps, r->n_steps));
    add_point(c, c->curve->n_groups, r->ideal_s);
    c->curve->knee = find_knee(c->curve);
    return HC_OK;
}

enum hc_status hc_fix_curves_find(struct hc_whatif_analysis *analysis)
{
    struct hc_whatif_result *r = analysis->result;
    size_t n_groups[HC_N_FIX_KINDS] = {[HC_FIX_WORKERS] = r->n_workers,
                                       [HC_FIX_STAGES] = r->blocking[HC_BY_STAGE].n_groups,
                                       [HC_FIX_OP_TYPES] = r->blocking[HC_BY_OP_TYPE].n_groups};
    if (r->blocking[HC_BY_STAGE].n_groups == 0)
        return HC_OK;
    analysis->sweeps.groups = &analysis->type_groups;
    enum hc_status status = HC_OK;
    for (int kind = 0; status == HC_OK && kind < HC_N_FIX_KINDS; kind++) {
        struct curve c = {.analysis = analysis, .curve = &r->depth.fixes[kind]};
        c.curve->n_groups = n_groups[kind];
        status = find_curve(&c, kind);
        free(c.size);
        free(c.spans_ns);
    }
    return status;
}
