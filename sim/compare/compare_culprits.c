/* compare_culprits.c - what was slow in A and is not in B, and the other way round. */
#include "core/base/memory.h"
#include "sim/compare/change.h"
#include "sim/compare/compare_parts.h"

#include <math.h>
#include <string.h>

static bool same_text(const char *a, const char *b)
{
    return a == b || (a && b && strcmp(a, b) == 0);
}

/* Whether two culprits are the same part of the job, whichever of its ops are slow. */
static bool same_part(const struct hc_culprit *a, const struct hc_culprit *b)
{
    return a->kind == b->kind && a->dp_rank == b->dp_rank && a->stage == b->stage &&
           a->direction == b->direction && same_text(a->host, b->host) &&
           same_text(a->switch_name, b->switch_name) &&
           (a->ops == HC_SLOW_LAUNCHES) == (b->ops == HC_SLOW_LAUNCHES);
}

static const struct hc_culprit *find_part(const struct hc_culprits *in, const struct hc_culprit *of)
{
    for (size_t i = 0; i < in->n; i++)
        if (same_part(&in->culprits[i], of))
            return &in->culprits[i];
    return NULL;
}

static bool is_known_change(const struct hc_change *change)
{
    return change->sign == HC_CHANGE_UP || change->sign == HC_CHANGE_DOWN;
}

static enum hc_culprit_change change_of_both(const struct hc_compared_culprit *both)
{
    if (!is_known_change(&both->factor) && !is_known_change(&both->duty))
        return HC_CULPRIT_SAME;
    double cost_a = (both->factor.a - 1) * both->duty.a;
    double cost_b = (both->factor.b - 1) * both->duty.b;
    return cost_b > cost_a ? HC_CULPRIT_STRONGER : HC_CULPRIT_WEAKER;
}

/* A worker that only one analysis names may be as slow in the other, and not stand out there: of
 * fewer steps, or beside a slower one. Its passes are held against those of its peers in both. */
static enum hc_culprit_change change_of_one(const struct hc_comparison *c,
                                            const struct hc_culprit *culprit, bool is_new)
{
    enum hc_culprit_change change = is_new ? HC_CULPRIT_NEW : HC_CULPRIT_GONE;
    size_t worker = (size_t)culprit->dp_rank * (size_t)c->a->pp_size + (size_t)culprit->stage;
    bool has_passes = culprit->ops == HC_SLOW_FORWARD || culprit->ops == HC_SLOW_BACKWARD ||
                      culprit->ops == HC_SLOW_PASSES || culprit->ops == HC_SLOW_ALL;
    if (culprit->kind != HC_CULPRIT_WORKER || !has_passes || culprit->dp_rank < 0 ||
        culprit->stage < 0 || worker >= c->n_workers)
        return change;
    const struct hc_change *ratio = &c->workers[worker].pass_ratio;
    double moved = is_new ? ratio->difference : -ratio->difference;
    return ratio->sign == HC_CHANGE_NONE || moved < 0 ? HC_CULPRIT_UNSURE : change;
}

static void add(struct hc_comparison *c, const struct hc_culprit *a, const struct hc_culprit *b)
{
    const struct hc_measured none = {NAN, NAN, NAN};
    struct hc_compared_culprit *to = &c->culprits[c->n_culprits++];
    *to = (struct hc_compared_culprit){
        .a = a,
        .b = b,
        .factor = hc_change_of_intervals(a ? &a->factor : &none, b ? &b->factor : &none),
        .duty = hc_change_of_intervals(a ? &a->duty : &none, b ? &b->duty : &none),
    };
    to->change = a && b ? change_of_both(to) : change_of_one(c, a ? a : b, !a);
}

enum hc_status hc_compare_culprits(struct hc_comparison *c, struct hc_error *err)
{
    const struct hc_culprits *a = &c->a->depth.culprits, *b = &c->b->depth.culprits;
    c->has_culprits = a->done && b->done;
    if (!c->has_culprits || a->n + b->n == 0)
        return HC_OK;
    c->culprits = hc_new_array(a->n + b->n, sizeof *c->culprits, err);
    if (!c->culprits)
        return err->status;
    for (size_t i = 0; i < a->n; i++)
        add(c, &a->culprits[i], find_part(b, &a->culprits[i]));
    for (size_t i = 0; i < b->n; i++)
        if (!find_part(a, &b->culprits[i]))
            add(c, NULL, &b->culprits[i]);
    return HC_OK;
}
