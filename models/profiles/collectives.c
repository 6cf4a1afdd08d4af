#include "models/profiles/collectives.h"

#include "core/base/memory.h"
#include "models/profiles/collective_waits.h"
#include "models/profiles/comm_groups.h"
#include "models/profiles/comm_join.h"
#include "models/profiles/profile_clocks.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* A group is refused where more than one match in so many is wrong, and at least so many are. */
#define REFUSED_SHARE  50
#define REFUSED_FEWEST 2
/* Groups of which each is left out in turn; of more, the worst goes. */
#define MOST_TRIED 8

void hc_collectives_fini(struct hc_collectives *collectives)
{
    for (size_t g = 0; g < collectives->n_groups && collectives->groups; g++) {
        free(collectives->groups[g].name);
        free(collectives->groups[g].members);
    }
    hc_profile_clocks_fini(collectives->clocks, collectives->n_clocks);
    free(collectives->kernels);
    free(collectives->collectives);
    free(collectives->member_kernels);
    free(collectives->wait_ns);
    free(collectives->groups);
    free(collectives->clocks);
    memset(collectives, 0, sizeof *collectives);
}

/* ---- joining ---- */

/* Ranks have nothing to do with each other here; the error is that of the lowest that failed. */
static enum hc_status list_ranks(struct hc_rank_comms *ranks, const struct hc_profile *profile,
                                 struct hc_error *err)
{
    struct hc_error *errors = hc_new_array(profile->n_ranks, sizeof *errors, err);
    enum hc_status status = errors ? HC_OK : err->status;
    if (status == HC_OK) {
#pragma omp parallel for schedule(dynamic, 1)
        for (size_t r = 0; r < profile->n_ranks; r++)
            hc_rank_comms_list(&ranks[r], profile, r, &errors[r]);
    }
    for (size_t r = 0; status == HC_OK && r < profile->n_ranks; r++)
        if (errors[r].status) {
            *err = errors[r];
            status = err->status;
        }
    free(errors);
    return status;
}

static enum hc_status join(struct hc_collectives *collectives, const struct hc_profile *profile,
                           struct hc_error *err)
{
    struct hc_rank_comms *ranks = hc_new_array(profile->n_ranks, sizeof *ranks, err);
    if (!ranks)
        return err->status;
    enum hc_status status = list_ranks(ranks, profile, err);
    if (status == HC_OK)
        status = hc_comm_groups_join(collectives, ranks, profile, err);
    if (status == HC_OK)
        status = hc_comm_join(collectives, ranks, profile->n_ranks, err);
    for (size_t r = 0; r < profile->n_ranks; r++)
        hc_rank_comms_fini(&ranks[r]);
    free(ranks);
    return status;
}

/* ---- refusing ---- */

/* Whether group a has the larger share of wrong matches. */
static bool is_worse(const struct hc_comm_group *a, size_t wrong_a, const struct hc_comm_group *b,
                     size_t wrong_b)
{
    return wrong_a * b->n_by_order > wrong_b * a->n_by_order;
}

static size_t n_wrong(const struct hc_comm_group *group)
{
    return group->n_mismatches + group->n_violations;
}

static bool is_refusable(const struct hc_comm_group *group)
{
    return !group->is_refused && group->n_by_order > 0 && n_wrong(group) >= REFUSED_FEWEST &&
           n_wrong(group) * REFUSED_SHARE > group->n_by_order;
}

static size_t count_refusable(const struct hc_collectives *collectives)
{
    size_t n = 0;
    for (size_t g = 0; g < collectives->n_groups; g++)
        n += is_refusable(&collectives->groups[g]);
    return n;
}

/* Of many, a group whose ranks have different numbers of kernels goes first: it has lost some. */
static bool goes_before(const struct hc_comm_group *a, const struct hc_comm_group *b)
{
    if ((a->n_uneven > 0) != (b->n_uneven > 0))
        return a->n_uneven > 0;
    return is_worse(a, n_wrong(a), b, n_wrong(b));
}

static struct hc_comm_group *worst_group(const struct hc_collectives *collectives)
{
    struct hc_comm_group *worst = NULL;
    for (size_t g = 0; g < collectives->n_groups; g++) {
        struct hc_comm_group *group = &collectives->groups[g];
        if (is_refusable(group) && (!worst || goes_before(group, worst)))
            worst = group;
    }
    return worst;
}

static enum hc_status align_and_judge(struct hc_collectives *collectives,
                                      const struct hc_profile *profile,
                                      struct hc_contradiction *contradiction, struct hc_error *err)
{
    enum hc_status status = hc_profile_clocks_find(collectives, profile, contradiction, err);
    if (status == HC_OK)
        hc_collectives_judge(collectives, profile);
    return status;
}

/* How many matches of the other groups are wrong when this one tells no clocks. */
static enum hc_status try_without(struct hc_collectives *collectives,
                                  const struct hc_profile *profile, struct hc_comm_group *group,
                                  size_t *n_left, struct hc_error *err)
{
    struct hc_contradiction contradiction;
    group->is_refused = true;
    enum hc_status status = align_and_judge(collectives, profile, &contradiction, err);
    hc_contradiction_fini(&contradiction);
    *n_left = 0;
    for (size_t g = 0; g < collectives->n_groups; g++)
        if (!collectives->groups[g].is_refused)
            *n_left += n_wrong(&collectives->groups[g]);
    group->is_refused = false;
    return status;
}

/* Wrong matches shift the clocks, if they are many, and make right ones look wrong. So of a few
 * groups each is left out in turn: that is refused without which the rest is best. */
static enum hc_status choose_by_trial(struct hc_collectives *collectives,
                                      const struct hc_profile *profile,
                                      struct hc_comm_group **chosen, struct hc_error *err)
{
    struct hc_comm_group *tried[MOST_TRIED];
    size_t n = 0, fewest = SIZE_MAX;
    for (size_t g = 0; g < collectives->n_groups; g++)
        if (is_refusable(&collectives->groups[g]))
            tried[n++] = &collectives->groups[g];
    for (size_t t = 0; t < n; t++) {
        size_t n_left;
        if (try_without(collectives, profile, tried[t], &n_left, err))
            return err->status;
        if (n_left < fewest) {
            fewest = n_left;
            *chosen = tried[t];
        }
    }
    /* Once more with all of them, so that the group is refused with the counts that it was. */
    struct hc_contradiction contradiction;
    enum hc_status status = align_and_judge(collectives, profile, &contradiction, err);
    hc_contradiction_fini(&contradiction);
    return status;
}

/* Refuse one group, if any is to be: with its clocks out of the way, the others may turn out
 * right. */
static enum hc_status refuse_one(struct hc_collectives *collectives,
                                 const struct hc_profile *profile, bool *has_refused,
                                 struct hc_error *err)
{
    size_t n = count_refusable(collectives);
    struct hc_comm_group *chosen = worst_group(collectives);
    *has_refused = n > 0;
    if (n > 1 && n <= MOST_TRIED && choose_by_trial(collectives, profile, &chosen, err))
        return err->status;
    if (chosen)
        chosen->is_refused = true;
    return HC_OK;
}

static enum hc_status fail_contradiction(const struct hc_collectives *collectives,
                                         const struct hc_profile *profile,
                                         const struct hc_contradiction *contradiction,
                                         struct hc_error *err)
{
    char ranks[256] = "";
    size_t length = 0;
    for (size_t i = 0; i < contradiction->n && length + 16 < sizeof ranks; i++)
        length += (size_t)snprintf(ranks + length, sizeof ranks - length, "%s%d", i ? ", " : "",
                                   profile->ranks[contradiction->ranks[i]].rank);
    const struct hc_collective *one = &collectives->collectives[contradiction->collectives[0]];
    const struct hc_comm_kernel *kernel =
        &collectives->kernels[collectives->member_kernels[one->first]];
    return hc_fail(
        err, HC_BAD_INPUT,
        "no clocks fit the collectives of ranks %s (%s of group '%s', Seq %lld, is one of "
        "them): a member ends before another starts; these traces are not of one run",
        ranks, one->op, collectives->groups[one->group].name, (long long)kernel->seq);
}

/* Matches by order that contradict each other are wrong: refuse the worst of their groups. A Seq is
 * what the ranks say themselves. */
static enum hc_status refuse_contradictory(struct hc_collectives *collectives,
                                           const struct hc_profile *profile,
                                           const struct hc_contradiction *contradiction,
                                           struct hc_error *err)
{
    struct hc_comm_group *worst = NULL;
    for (size_t i = 0; i < contradiction->n; i++) {
        const struct hc_collective *one = &collectives->collectives[contradiction->collectives[i]];
        struct hc_comm_group *group = &collectives->groups[one->group];
        if (one->is_by_order &&
            (!worst || is_worse(group, group->n_violations, worst, worst->n_violations)))
            worst = group;
    }
    if (!worst)
        return fail_contradiction(collectives, profile, contradiction, err);
    worst->is_refused = true;
    return HC_OK;
}

static enum hc_status align(struct hc_collectives *collectives, const struct hc_profile *profile,
                            struct hc_error *err)
{
    for (bool has_refused = true; has_refused;) {
        struct hc_contradiction contradiction;
        enum hc_status status = align_and_judge(collectives, profile, &contradiction, err);
        if (status == HC_OK)
            status = refuse_one(collectives, profile, &has_refused, err);
        if (status == HC_OK && !has_refused && contradiction.n > 0) {
            status = refuse_contradictory(collectives, profile, &contradiction, err);
            has_refused = true;
        }
        hc_contradiction_fini(&contradiction);
        if (status != HC_OK)
            return status;
    }
    return HC_OK;
}

/* Raw clocks, all of which count as comparable. The bounds stay: they are what the traces say. */
static void forget_offsets(struct hc_collectives *collectives)
{
    for (size_t r = 0; r < collectives->n_clocks; r++) {
        struct hc_rank_clock *clock = &collectives->clocks[r];
        free(clock->segments);
        clock->segments = NULL;
        clock->n_segments = 0;
        clock->offset_ns = 0;
        clock->component = 0;
    }
}

enum hc_status hc_collectives_match(struct hc_collectives *collectives,
                                    const struct hc_profile *profile, bool aligns,
                                    struct hc_error *err)
{
    memset(collectives, 0, sizeof *collectives);
    collectives->is_aligned = aligns;
    collectives->n_clocks = profile->n_ranks;
    collectives->clocks = hc_new_array(profile->n_ranks, sizeof *collectives->clocks, err);
    enum hc_status status = collectives->clocks ? join(collectives, profile, err) : err->status;
    if (status == HC_OK)
        status = align(collectives, profile, err);
    if (status == HC_OK && !aligns)
        forget_offsets(collectives);
    if (status == HC_OK)
        status = hc_collectives_finish(collectives, profile, err);
    if (status != HC_OK)
        hc_collectives_fini(collectives);
    return status;
}
