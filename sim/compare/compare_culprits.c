/* compare_culprits.c - what was slow in A and is not in B, and the other way round. */
#include "core/base/memory.h"
#include "models/stats/binomial_interval.h"
#include "sim/compare/change.h"
#include "sim/compare/compare_parts.h"

#include <math.h>
#include <stdlib.h>
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

/* In how many steps a worker takes longer than `limit` times what its peers do. */
static enum hc_status count_slow(size_t *n, const struct hc_whatif_result *r, size_t worker,
                                 double limit, struct hc_error *err)
{
    double *ratio = hc_new_array(r->n_steps, sizeof *ratio, err);
    enum hc_status status = ratio ? hc_pass_ratios(ratio, r, worker, err) : err->status;
    *n = 0;
    for (size_t s = 0; status == HC_OK && s < r->n_steps; s++)
        *n += ratio[s] > limit;
    free(ratio);
    return status;
}

/* Half of the way to what the worker takes in the steps in which the culprit is slow. */
static enum hc_status find_limit(double *limit, const struct hc_whatif_result *r,
                                 const struct hc_culprit *culprit, size_t worker,
                                 struct hc_error *err)
{
    double *ratio = hc_new_array(r->n_steps, sizeof *ratio, err), sum = 0;
    enum hc_status status = ratio ? hc_pass_ratios(ratio, r, worker, err) : err->status;
    for (size_t s = 0; status == HC_OK && s < r->n_steps; s++)
        sum += culprit->is_slow[s] ? ratio[s] : 0;
    *limit = (1 + sum / (double)culprit->n_slow_steps) / 2;
    free(ratio);
    return status;
}

/* Which way the share of the steps went in which the first worker of a culprit is slow, where it
 * did by more than chance: the interval of the difference is made of two exact binomial ones. in_b:
 * the culprit is one of B. */
static enum hc_status find_share_change(enum hc_change_sign *sign, const struct hc_comparison *c,
                                        const struct hc_culprit *culprit, bool in_b,
                                        struct hc_error *err)
{
    const struct hc_whatif_result *sides[2] = {c->a, c->b};
    size_t worker = (size_t)culprit->members[0], n;
    struct hc_measured share[2];
    double limit;
    *sign = HC_CHANGE_UNKNOWN;
    if (!culprit->is_slow || culprit->n_slow_steps == 0)
        return HC_OK;
    if (find_limit(&limit, sides[in_b], culprit, worker, err))
        return err->status;
    for (int i = 0; i < 2; i++) {
        if (count_slow(&n, sides[i], worker, limit, err))
            return err->status;
        share[i].value = (double)n / (double)sides[i]->n_steps;
        hc_binomial_interval(n, sides[i]->n_steps, HC_COMPARE_LEVEL, &share[i].low, &share[i].high);
    }
    *sign = hc_change_of_intervals(&share[0], &share[1]).sign;
    return HC_OK;
}

static bool has_ratio(const struct hc_comparison *c, const struct hc_culprit *culprit,
                      enum hc_change_sign sign)
{
    for (size_t i = 0; i < culprit->n_members; i++)
        if (c->workers[culprit->members[i]].pass_ratio.sign == sign)
            return true;
    return false;
}

/* A worker that only one analysis names may be as slow in the other, and not stand out there: of
 * fewer steps, or beside a slower one. So what the analyses say is held against what the passes of
 * both took: of a stage by themselves, of workers beside their peers, over all steps or in how many
 * of them. True where that cannot be asked. */
static enum hc_status find_backing(bool *is_backed, const struct hc_comparison *c,
                                   const struct hc_compared_culprit *compared,
                                   enum hc_change_sign sign, struct hc_error *err)
{
    const struct hc_culprit *culprit = compared->a ? compared->a : compared->b;
    size_t stage = (size_t)culprit->stage;
    enum hc_change_sign share;
    *is_backed = true;
    if (!is_of_passes(culprit))
        return HC_OK;
    if (culprit->kind == HC_CULPRIT_STAGE) {
        *is_backed = stage >= c->n_stages || c->stages[stage].forward_s.sign == sign ||
                     c->stages[stage].backward_s.sign == sign;
        return HC_OK;
    }
    bool can_be_asked = c->n_workers > 0 && c->a->dp_size > 1 && culprit->n_members > 0 &&
                        c->workers[0].pass_ratio.sign != HC_CHANGE_UNKNOWN;
    if (!can_be_asked || has_ratio(c, culprit, sign))
        return HC_OK;
    if (find_share_change(&share, c, culprit, !compared->a, err))
        return err->status;
    *is_backed = share == sign;
    return HC_OK;
}

static bool is_known_change(const struct hc_change *change)
{
    return change->sign == HC_CHANGE_UP || change->sign == HC_CHANGE_DOWN;
}

static enum hc_status judge_both(struct hc_compared_culprit *both, const struct hc_comparison *c,
                                 struct hc_error *err)
{
    bool is_more = (both->factor.b - 1) * both->duty.b > (both->factor.a - 1) * both->duty.a;
    bool is_backed = false;
    both->change = HC_CULPRIT_SAME;
    if (!is_known_change(&both->factor) && !is_known_change(&both->duty))
        return HC_OK;
    if (find_backing(&is_backed, c, both, is_more ? HC_CHANGE_UP : HC_CHANGE_DOWN, err))
        return err->status;
    if (is_backed)
        both->change = is_more ? HC_CULPRIT_STRONGER : HC_CULPRIT_WEAKER;
    return HC_OK;
}

static enum hc_status judge_one(struct hc_compared_culprit *one, const struct hc_comparison *c,
                                struct hc_error *err)
{
    const struct hc_culprit *culprit = one->a ? one->a : one->b;
    bool is_backed = false;
    one->change = HC_CULPRIT_UNSURE;
    if (!has_place_in_both(c, culprit))
        return HC_OK;
    if (find_backing(&is_backed, c, one, one->b ? HC_CHANGE_UP : HC_CHANGE_DOWN, err))
        return err->status;
    if (is_backed)
        one->change = one->b ? HC_CULPRIT_NEW : HC_CULPRIT_GONE;
    return HC_OK;
}

/* ---- all of them ---- */

/* A culprit that costs less than this part of the mean step of its trace is passed over where the
 * other trace names none there: noise has such ones. */
#define LEAST_COST 0.01

static bool costs_little(const struct hc_culprit *culprit, const struct hc_whatif_result *in)
{
    return !culprit || fmax(culprit->alone_s, culprit->split_s) < LEAST_COST * in->traced_s;
}

/* The name by itself: that of a dp rank ends in a comma, since a sentence goes on after it. */
static void write_name(struct hc_compared_culprit *to, const struct hc_culprit *culprit)
{
    size_t length = strlen(culprit->name);
    memcpy(to->name, culprit->name, sizeof to->name);
    if (length > 0 && to->name[length - 1] == ',')
        to->name[length - 1] = '\0';
}

static enum hc_status add(struct hc_comparison *c, const struct hc_culprit *a,
                          const struct hc_culprit *b, struct hc_error *err)
{
    const struct hc_measured none = {NAN, NAN, NAN};
    if (costs_little(a, c->a) && costs_little(b, c->b))
        return HC_OK;
    struct hc_compared_culprit *to = &c->culprits[c->n_culprits++];
    *to = (struct hc_compared_culprit){
        .a = a,
        .b = b,
        .factor = hc_change_of_intervals(a ? &a->factor : &none, b ? &b->factor : &none),
        .duty = hc_change_of_intervals(a ? &a->duty : &none, b ? &b->duty : &none),
    };
    write_name(to, b ? b : a);
    return a && b ? judge_both(to, c, err) : judge_one(to, c, err);
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
    enum hc_status status = HC_OK;
    for (size_t i = 0; i < a->n && status == HC_OK; i++)
        status = add(c, &a->culprits[i], find_part(c, b, &a->culprits[i]), err);
    for (size_t i = 0; i < b->n && status == HC_OK; i++)
        if (!find_part(c, a, &b->culprits[i]))
            status = add(c, NULL, &b->culprits[i], err);
    return status;
}
