/* culprit_words.c - what a culprit costs, and its name, time and sentence. */
#include "sim/whatif/cause/culprit_search.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* ---- names ---- */

static void name_link(const struct hc_whatif_result *r, struct hc_culprit *culprit)
{
    char *text = culprit->name;
    size_t size = sizeof culprit->name;
    int32_t stage = culprit->stage, next = (stage + 1) % r->pp_size;
    if (culprit->direction == HC_LINK_COLLECTIVES && culprit->dp_rank < 0)
        snprintf(text, size, "the collectives of stage %d", stage);
    else if (culprit->direction == HC_LINK_COLLECTIVES)
        snprintf(text, size, "the collectives of dp %d, stage %d", culprit->dp_rank, stage);
    else if (culprit->direction == HC_LINK_BOTH_WAYS)
        snprintf(text, size, "transfers between stage %d and stage %d of dp %d", stage, next,
                 culprit->dp_rank);
    else
        snprintf(text, size, "transfers from stage %d to stage %d of dp %d",
                 culprit->direction == HC_LINK_BACKWARD ? next : stage,
                 culprit->direction == HC_LINK_BACKWARD ? stage : next, culprit->dp_rank);
}

/* The workers of a host or switch may be all of a stage, or of a dp rank: then nothing in the trace
 * tells whether the machine is slow or its part of the job, and both are named, the machine first,
 * since it can be looked at. */
static void add_same_part(const struct hc_whatif_result *r, struct hc_culprit *culprit)
{
    size_t n_stages = (size_t)r->pp_size, used = strlen(culprit->name);
    bool is_stage = culprit->n_members == (size_t)r->dp_size && r->dp_size > 1;
    bool is_dp_rank = culprit->n_members == n_stages && n_stages > 1;
    size_t first = (size_t)culprit->members[0];
    for (size_t i = 1; i < culprit->n_members; i++) {
        size_t member = (size_t)culprit->members[i];
        is_stage = is_stage && member % n_stages == first % n_stages;
        is_dp_rank = is_dp_rank && member / n_stages == first / n_stages;
    }
    if (is_stage || is_dp_rank)
        snprintf(culprit->name + used, sizeof culprit->name - used, ", which are all of %s %zu",
                 is_stage ? "stage" : "dp rank", is_stage ? first % n_stages : first / n_stages);
}

void hc_culprit_write_name(struct hc_culprit *culprit, const struct hc_whatif_result *r)
{
    char *text = culprit->name;
    size_t size = sizeof culprit->name;
    switch (culprit->kind) {
    case HC_CULPRIT_JOB:
        snprintf(text, size, "every worker");
        return;
    case HC_CULPRIT_DP_RANK:
        snprintf(text, size, "dp rank %d, all %zu stages%s%.100s", culprit->dp_rank,
                 culprit->n_members,
                 culprit->host          ? ", on "
                 : culprit->switch_name ? ", on switch "
                                        : "",
                 culprit->host          ? culprit->host
                 : culprit->switch_name ? culprit->switch_name
                                        : "");
        return;
    case HC_CULPRIT_STAGE:
        snprintf(text, size, "stage %d, all %zu dp ranks", culprit->stage, culprit->n_members);
        return;
    case HC_CULPRIT_HOST:
        snprintf(text, size, "host %.100s, all %zu workers", culprit->host, culprit->n_members);
        add_same_part(r, culprit);
        return;
    case HC_CULPRIT_SWITCH:
        snprintf(text, size, "switch %.100s, all %zu workers", culprit->switch_name,
                 culprit->n_members);
        add_same_part(r, culprit);
        return;
    case HC_CULPRIT_LINK:
        name_link(r, culprit);
        return;
    default:
        if (culprit->ops == HC_SLOW_TRANSFERS) {
            char worker[HC_WORKER_NAME];
            hc_worker_name(r, (size_t)culprit->members[0], worker);
            snprintf(text, size, "all transfers of %.190s", worker);
        } else {
            hc_worker_name(r, (size_t)culprit->members[0], culprit->name);
        }
    }
}

void hc_culprit_write_when(struct hc_culprit *culprit, const struct hc_whatif_result *r)
{
    char *text = culprit->when;
    size_t size = sizeof culprit->when, n = r->n_steps;
    char since[HC_STEP_NAME], until[HC_STEP_NAME];
    hc_step_name(r, culprit->since, since);
    hc_step_name(r, culprit->until, until);
    switch (culprit->pattern) {
    case HC_SLOW_SINCE:
        snprintf(text, size, "from %s on, in %zu of %zu steps", since, culprit->n_slow_steps, n);
        return;
    case HC_SLOW_UNTIL:
        snprintf(text, size, "until %s, in %zu of %zu steps", until, culprit->n_slow_steps, n);
        return;
    case HC_SLOW_BETWEEN:
        if (culprit->since == culprit->until)
            snprintf(text, size, "in %s of %zu steps", since, n);
        else
            snprintf(text, size, "from %s to %s, in %zu of %zu steps", since, until,
                     culprit->n_slow_steps, n);
        return;
    case HC_SLOW_RECURRENT:
        snprintf(text, size, "between %s and %s, in %zu of %zu steps", since, until,
                 culprit->n_slow_steps, n);
        return;
    case HC_SLOW_SOME_PASSES:
        snprintf(text, size, "in %.0f %% of the passes of %zu of %zu steps",
                 100 * culprit->pass_duty.value, culprit->n_slow_steps, n);
        return;
    default:
        text[0] = '\0';
    }
}

static const char *ops_in_words(enum hc_slow_ops ops)
{
    switch (ops) {
    case HC_SLOW_FORWARD:
        return " in forward passes";
    case HC_SLOW_BACKWARD:
        return " in backward passes";
    case HC_SLOW_ALL:
        return " in passes and transfers";
    default:
        return "";
    }
}

/* A share in words. It can be above 1: a part set right can be faster than the ideal, which is the
 * mean of the ops as they are, slow ones included. */
static void write_share(const struct hc_culprit *culprit, char *text, size_t size)
{
    if (isnan(culprit->share.value) && isnan(culprit->lost_s))
        snprintf(text, size, "it is not known what would go");
    else if (!(culprit->share.value > 0))
        snprintf(text, size, "%.3f s of a mean step are gone", culprit->lost_s);
    else if (culprit->share.value >= 0.995)
        snprintf(text, size, "all of the excess is gone");
    else
        snprintf(text, size, "%.0f %% of the excess is gone", 100 * culprit->share.value);
}

const char *hc_culprit_factor_reason(const struct hc_culprit *culprit)
{
    return isnan(culprit->factor.value) || !isnan(culprit->factor.low) ? NULL
           : culprit->n_slow_steps < 3                                 ? "too few slow steps"
                                                                       : "it would reach 1";
}

static void write_text(struct hc_culprit *culprit)
{
    char share[64], range[64] = "";
    const char *reason = hc_culprit_factor_reason(culprit);
    write_share(culprit, share, sizeof share);
    bool always = culprit->pattern == HC_SLOW_ALWAYS;
    bool transfers = culprit->ops == HC_SLOW_TRANSFERS;
    const char *take = transfers ? "take" : "takes";
    const struct hc_measured *factor = &culprit->factor;
    if (!always && !isnan(factor->low))
        snprintf(range, sizeof range, " (%.2f to %.2f)", factor->low, factor->high);
    else if (!always && reason)
        snprintf(range, sizeof range, " (no interval: %s)", reason);
    if (always)
        snprintf(culprit->text, sizeof culprit->text,
                 "%s%s %s %.2f times as long as %s%s; without that, %s", culprit->name,
                 culprit->n_members > 1 ? "," : "", take, factor->value,
                 transfers ? "elsewhere" : "its peers", ops_in_words(culprit->ops), share);
    else
        snprintf(culprit->text, sizeof culprit->text,
                 "%s, %s, %s %.2f times as long%s%s while %s; without that, %s", culprit->name,
                 culprit->when, take, factor->value, range, ops_in_words(culprit->ops),
                 transfers ? "they do" : "it does", share);
}

/* ---- what it costs ---- */

static void find_loss(const struct hc_whatif_result *r, struct hc_culprit *culprit)
{
    culprit->gpu_hours_lost =
        r->n_gpus ? culprit->lost_s * (double)r->n_steps * (double)r->n_gpus / 3600 : NAN;
}

/* Whether a culprit costs enough to be told: of the excess of a job that straggles, or of a step.
 */
static bool matters(const struct hc_whatif_result *r, const struct hc_culprit *culprit)
{
    if (isnan(culprit->lost_s)) /* one of many, mended together */
        return true;
    bool straggles = r->slowdown >= HC_STRAGGLING;
    return culprit->lost_s >= HC_COST_TO_NAME * r->replayed_s ||
           (straggles && culprit->share.value >= HC_LEAST_CULPRIT_SHARE);
}

static void culprit_fini(struct hc_culprit *culprit)
{
    free(culprit->members);
    free(culprit->is_slow);
    free(culprit->stretches);
}

/* Drop the culprits that hardly cost anything: among many workers there is always one that is a
 * little slower for a while. */
static void drop_small(const struct hc_whatif_result *r, struct hc_culprits *culprits)
{
    size_t n = 0;
    for (size_t i = 0; i < culprits->n; i++) {
        if (matters(r, &culprits->culprits[i]))
            culprits->culprits[n++] = culprits->culprits[i];
        else
            culprit_fini(&culprits->culprits[i]);
    }
    culprits->n = n;
}

enum hc_status hc_culprits_describe(struct hc_straggler_cause_search *search)
{
    const struct hc_whatif_result *r = search->analysis->result;
    struct hc_culprits *culprits = &search->analysis->result->depth.culprits;
    for (size_t i = 0; i < culprits->n; i++) {
        struct hc_culprit *culprit = &culprits->culprits[i];
        bool is_mended = i < HC_MOST_MENDED;
        culprit->share =
            is_mended ? search->remedies.culprit_share[i] : (struct hc_measured){NAN, NAN, NAN};
        culprit->lost_s = is_mended ? search->remedies.culprit_saved_s[i].value : NAN;
        find_loss(r, culprit);
        hc_culprit_write_name(culprit, r);
        hc_culprit_write_when(culprit, r);
        write_text(culprit);
    }
    drop_small(r, culprits);
    hc_culprits_sort(culprits);
    culprits->done = true;
    return HC_OK;
}
