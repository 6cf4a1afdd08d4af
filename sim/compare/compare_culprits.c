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

/* Whether the place of a culprit means the same in both jobs: of other shapes only hosts and
 * switches do. */
static bool has_place_in_both(const struct hc_comparison *c, const struct hc_culprit *culprit)
{
    return c->n_workers > 0 || culprit->kind == HC_CULPRIT_HOST ||
           culprit->kind == HC_CULPRIT_SWITCH || culprit->kind == HC_CULPRIT_JOB;
}

static const struct hc_culprit *find_part(const struct hc_comparison *c,
                                          const struct hc_culprits *in, const struct hc_culprit *of)
{
    if (!has_place_in_both(c, of))
        return NULL;
    for (size_t i = 0; i < in->n; i++)
        if (same_part(&in->culprits[i], of))
            return &in->culprits[i];
    return NULL;
}

/* ---- whether a part is slower, or less slow, by more than its steps scatter ---- */

static bool is_of_passes(const struct hc_culprit *culprit)
{
    return culprit->ops != HC_SLOW_TRANSFERS && culprit->ops != HC_SLOW_LAUNCHES &&
           culprit->kind != HC_CULPRIT_LINK && culprit->kind != HC_CULPRIT_JOB;
}

/* A worker that only one analysis names may be as slow in the other, and not stand out there: of
 * fewer steps, or beside a slower one. So what the analyses say is held against what the passes of
 * both took: of a stage by themselves, of workers beside their peers. True where that cannot be
 * asked. */
static bool is_backed(const struct hc_comparison *c, const struct hc_culprit *culprit,
                      enum hc_change_sign sign)
{
    if (!is_of_passes(culprit))
        return true;
    if (culprit->kind == HC_CULPRIT_STAGE) {
        size_t stage = (size_t)culprit->stage;
        return stage >= c->n_stages || c->stages[stage].forward_s.sign == sign ||
               c->stages[stage].backward_s.sign == sign;
    }
    if (c->n_workers == 0 || c->a->dp_size < 2 || culprit->n_members == 0)
        return true;
    bool is_known = true;
    for (size_t i = 0; i < culprit->n_members; i++) {
        const struct hc_change *ratio = &c->workers[culprit->members[i]].pass_ratio;
        if (ratio->sign == sign)
            return true;
        is_known &= ratio->sign != HC_CHANGE_UNKNOWN;
    }
    return !is_known;
}

static bool is_known_change(const struct hc_change *change)
{
    return change->sign == HC_CHANGE_UP || change->sign == HC_CHANGE_DOWN;
}

static enum hc_culprit_change change_of_both(const struct hc_comparison *c,
                                             const struct hc_compared_culprit *both)
{
    if (!is_known_change(&both->factor) && !is_known_change(&both->duty))
        return HC_CULPRIT_SAME;
    bool is_more = (both->factor.b - 1) * both->duty.b > (both->factor.a - 1) * both->duty.a;
    if (!is_backed(c, both->a, is_more ? HC_CHANGE_UP : HC_CHANGE_DOWN))
        return HC_CULPRIT_SAME;
    return is_more ? HC_CULPRIT_STRONGER : HC_CULPRIT_WEAKER;
}

static enum hc_culprit_change change_of_one(const struct hc_comparison *c,
                                            const struct hc_culprit *culprit, bool is_new)
{
    if (!has_place_in_both(c, culprit) ||
        !is_backed(c, culprit, is_new ? HC_CHANGE_UP : HC_CHANGE_DOWN))
        return HC_CULPRIT_UNSURE;
    return is_new ? HC_CULPRIT_NEW : HC_CULPRIT_GONE;
}

/* ---- all of them ---- */

/* A culprit that costs less than this part of the mean step of its trace is passed over where the
 * other trace names none there: noise has such ones. */
#define LEAST_COST 0.01

static bool costs_little(const struct hc_culprit *culprit, const struct hc_whatif_result *in)
{
    return !culprit || culprit->lost_s < LEAST_COST * in->traced_s;
}

static void add(struct hc_comparison *c, const struct hc_culprit *a, const struct hc_culprit *b)
{
    const struct hc_measured none = {NAN, NAN, NAN};
    if (costs_little(a, c->a) && costs_little(b, c->b))
        return;
    struct hc_compared_culprit *to = &c->culprits[c->n_culprits++];
    *to = (struct hc_compared_culprit){
        .a = a,
        .b = b,
        .factor = hc_change_of_intervals(a ? &a->factor : &none, b ? &b->factor : &none),
        .duty = hc_change_of_intervals(a ? &a->duty : &none, b ? &b->duty : &none),
    };
    to->change = a && b ? change_of_both(c, to) : change_of_one(c, a ? a : b, !a);
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
        add(c, &a->culprits[i], find_part(c, b, &a->culprits[i]));
    for (size_t i = 0; i < b->n; i++)
        if (!find_part(c, a, &b->culprits[i]))
            add(c, NULL, &b->culprits[i]);
    return HC_OK;
}
