/* compare_groups.c - op types and stages: how long their ops take in A and in B. */
#include "core/base/memory.h"
#include "sim/compare/change.h"
#include "sim/compare/compare_parts.h"

#include <math.h>
#include <stdlib.h>

/* Sums of durations are ns; a figure in seconds is a ratio of them to so many times 1e9. */
#define NS_PER_S 1e9

/* Room for the series of a figure on both sides. */
struct scratch {
    double *part[2], *whole[2]; /* [n_steps of the side] */
};

static const struct hc_whatif_result *side_of(const struct hc_comparison *c, int side)
{
    return side == 0 ? c->a : c->b;
}

static enum hc_status scratch_init(struct scratch *scratch, const struct hc_comparison *c,
                                   struct hc_error *err)
{
    for (int i = 0; i < 2; i++) {
        size_t n = side_of(c, i)->n_steps;
        scratch->part[i] = hc_new_array(n, 2 * sizeof *scratch->part[i], err);
        if (!scratch->part[i])
            return err->status;
        scratch->whole[i] = scratch->part[i] + n;
    }
    return HC_OK;
}

static void scratch_fini(struct scratch *scratch)
{
    free(scratch->part[0]);
    free(scratch->part[1]);
}

static struct hc_change change_of(const struct hc_comparison *c, const struct scratch *scratch,
                                  size_t n_asked)
{
    return hc_change_of_series(
        &(struct hc_step_series){scratch->part[0], scratch->whole[0], c->a->n_steps},
        &(struct hc_step_series){scratch->part[1], scratch->whole[1], c->b->n_steps}, n_asked);
}

/* ---- op types ---- */

/* Add up a type over the stages from `first` to `last`: durations, and ops times 1e9. */
static void sum_stages(double *part, double *whole, const struct hc_whatif_result *r, int type,
                       const size_t stages[2])
{
    const struct hc_step_durations *d = &r->depth.durations;
    for (size_t s = 0; s < r->n_steps; s++)
        part[s] = whole[s] = 0;
    for (size_t stage = stages[0]; stage <= stages[1]; stage++) {
        size_t series = ((size_t)type * (size_t)r->pp_size + stage) * r->n_steps;
        for (size_t s = 0; s < r->n_steps; s++) {
            part[s] += d->type_ns[series + s];
            whole[s] += d->n_ops[series + s] * NS_PER_S;
        }
    }
}

static void compare_type(struct hc_compared_type *to, const struct hc_comparison *c,
                         const struct scratch *scratch, size_t n_asked)
{
    for (int i = 0; i < 2; i++) {
        const struct hc_whatif_result *r = side_of(c, i);
        sum_stages(scratch->part[i], scratch->whole[i], r, to->op_type,
                   (size_t[]){0, (size_t)r->pp_size - 1});
    }
    to->duration_s = change_of(c, scratch, n_asked);
    for (int i = 0; i < 2; i++) {
        const struct hc_whatif_result *r = side_of(c, i);
        for (size_t s = 0; s < r->n_steps; s++)
            scratch->whole[i][s] = (double)r->n_workers * NS_PER_S;
    }
    to->busy_s = change_of(c, scratch, n_asked);
    to->share_a = to->busy_s.a / c->a->traced_s;
    to->share_b = to->busy_s.b / c->b->traced_s;
    double *ideal[2] = {&to->ideal_a_s, &to->ideal_b_s};
    for (int i = 0; i < 2; i++) {
        const struct hc_whatif_result *r = side_of(c, i);
        *ideal[i] = r->n_by_type[to->op_type] > 0
                        ? (double)r->ideal_duration_ns[to->op_type] / NS_PER_S
                        : NAN;
    }
}

enum hc_status hc_compare_types(struct hc_comparison *c, struct hc_error *err)
{
    struct scratch scratch = {.part = {NULL, NULL}};
    c->types = hc_new_array(HC_N_OP_TYPES, sizeof *c->types, err);
    enum hc_status status = c->types ? scratch_init(&scratch, c, err) : err->status;
    for (int type = 0; status == HC_OK && type < HC_N_OP_TYPES; type++)
        if (c->a->n_by_type[type] > 0 || c->b->n_by_type[type] > 0)
            c->types[c->n_types++].op_type = type;
    for (size_t i = 0; status == HC_OK && i < c->n_types; i++)
        compare_type(&c->types[i], c, &scratch, c->n_types);
    scratch_fini(&scratch);
    return status;
}

/* ---- stages ---- */

static struct hc_change compare_passes(const struct hc_comparison *c, const struct scratch *scratch,
                                       int type, size_t stage)
{
    for (int i = 0; i < 2; i++)
        sum_stages(scratch->part[i], scratch->whole[i], side_of(c, i), type,
                   (size_t[]){stage, stage});
    return change_of(c, scratch, c->n_stages);
}

static struct hc_change compare_slowdown(const struct hc_comparison *c,
                                         const struct scratch *scratch, size_t stage)
{
    for (int i = 0; i < 2; i++) {
        const struct hc_whatif_result *r = side_of(c, i);
        const struct hc_split *split = &r->blocking[HC_BY_STAGE];
        if (stage >= split->n_groups)
            return hc_change_of_values(NAN, NAN);
        for (size_t s = 0; s < r->n_steps; s++) {
            scratch->part[i][s] = (double)split->groups[stage].end_ns[s];
            scratch->whole[i][s] = (double)r->ideal_end_ns[s];
        }
    }
    return change_of(c, scratch, c->n_stages);
}

enum hc_status hc_compare_stages(struct hc_comparison *c, struct hc_error *err)
{
    struct scratch scratch = {.part = {NULL, NULL}};
    if (c->a->pp_size != c->b->pp_size)
        return HC_OK;
    size_t n = (size_t)c->a->pp_size;
    c->stages = hc_new_array(n, sizeof *c->stages, err);
    enum hc_status status = c->stages ? scratch_init(&scratch, c, err) : err->status;
    if (status == HC_OK)
        c->n_stages = n;
    for (size_t stage = 0; stage < c->n_stages; stage++) {
        struct hc_compared_stage *to = &c->stages[stage];
        to->stage = (int32_t)stage;
        to->forward_s = compare_passes(c, &scratch, HC_FORWARD_COMPUTE, stage);
        to->backward_s = compare_passes(c, &scratch, HC_BACKWARD_COMPUTE, stage);
        to->slowdown = compare_slowdown(c, &scratch, stage);
    }
    scratch_fini(&scratch);
    return status;
}
