/* asked_fixes.c - replays in which what is slow on some workers is as it should be: which workers,
 * and what that saves. What "as it should be" means is up to the rewriting (sim/whatif/cause). */
#include "sim/whatif/whatif_analysis.h"

#include "core/base/memory.h"

#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum hc_status hc_asked_fixes_choose(struct hc_whatif_analysis *a)
{
    const struct hc_fix_request *request = &a->options->fix;
    struct hc_whatif_result *r = a->result;
    struct hc_whatif_depth *depth = &r->depth;
    if (request->n == 0)
        return HC_OK;
    depth->asked_fixes = hc_new_array(request->n, sizeof *depth->asked_fixes, a->err);
    for (size_t i = 0; depth->asked_fixes && i < request->n; i++) {
        struct hc_asked_fix *fix = &depth->asked_fixes[depth->n_asked_fixes++];
        *fix = (struct hc_asked_fix){.name = request->names[i],
                                     .launches_saved_s = r->hides_waiting ? NAN : 0,
                                     .chosen = hc_new_array(r->n_workers, 1, a->err)};
        if (!fix->chosen || request->choose(fix->chosen, r, fix->name, a->err))
            return a->err->status;
        for (size_t w = 0; w < r->n_workers; w++)
            fix->n_chosen += fix->chosen[w];
    }
    return depth->asked_fixes ? HC_OK : a->err->status;
}

static bool is_chosen(const struct hc_asked_fix *fix, const struct hc_culprit *culprit)
{
    for (size_t i = 0; i < culprit->n_members; i++)
        if (fix->chosen[culprit->members[i]])
            return true;
    return false;
}

/* What a replay saves. Only steps in which something that is chosen is slow count: launch delays
 * are put back to a few ns of the trace, not exactly. */
static double saved_s(const struct hc_whatif_result *r, const struct hc_asked_fix *fix,
                      bool are_launches, const int64_t *span_ns)
{
    const struct hc_culprits *culprits = &r->depth.culprits;
    double saved_ns = 0;
    for (size_t t = 0; t < r->n_steps; t++) {
        bool is_touched = false;
        for (size_t c = 0; c < culprits->n && !is_touched; c++)
            is_touched = (culprits->culprits[c].ops == HC_SLOW_LAUNCHES) == are_launches &&
                         culprits->culprits[c].is_slow[t] && is_chosen(fix, &culprits->culprits[c]);
        if (is_touched)
            saved_ns += (double)((are_launches ? r->traced_ns : r->replayed_ns)[t] - span_ns[t]);
    }
    return saved_ns / 1e9 / (double)r->n_steps;
}

enum hc_status hc_asked_fixes_replay(const struct hc_whatif_analysis *a, enum hc_sweep_kind kind,
                                     hc_rewrite_fn *rewrite, const void *context)
{
    const struct hc_whatif_result *r = a->result;
    bool are_launches = kind == HC_SWEEP_DELAYS_REWRITTEN;
    size_t n = r->depth.n_asked_fixes, n_steps = r->n_steps;
    if (n == 0)
        return HC_OK;
    int64_t *span_ns = hc_new_array(n * n_steps, sizeof *span_ns, a->err);
    struct hc_counterfactual *replays = hc_new_array(n, sizeof *replays, a->err);
    enum hc_status status = span_ns && replays ? HC_OK : a->err->status;
    for (size_t i = 0; status == HC_OK && i < n; i++)
        replays[i] = (struct hc_counterfactual){
            .kind = kind, .arg = (int32_t)i, .span_ns = span_ns + i * n_steps};
    struct hc_counterfactuals sweeps = a->sweeps;
    sweeps.rewrite = rewrite;
    sweeps.rewrite_context = context;
    if (status == HC_OK)
        status = hc_counterfactuals_run(&sweeps, replays, n, a->err);
    for (size_t i = 0; status == HC_OK && i < n; i++) {
        struct hc_asked_fix *fix = &r->depth.asked_fixes[i];
        *(are_launches ? &fix->launches_saved_s : &fix->saved_s) =
            saved_s(r, fix, are_launches, replays[i].span_ns);
    }
    free(span_ns);
    free(replays);
    return status;
}

/* "rank:1,5,9,13"; false where one has no rank, or they are too many. */
static bool name_ranks(const struct hc_whatif_result *r, const struct hc_culprit *culprit,
                       char name[HC_FIX_NAME])
{
    int used = 0;
    for (size_t i = 0; i < culprit->n_members; i++) {
        int32_t rank = r->workers[culprit->members[i]].rank;
        if (rank == HC_MISSING_I32 || used >= HC_FIX_NAME - 20)
            return false;
        used += snprintf(name + used, (size_t)(HC_FIX_NAME - used), "%s%" PRId32,
                         i ? "," : "rank:", rank);
    }
    return used > 0;
}

bool hc_culprit_fix_name(const struct hc_whatif_result *r, const struct hc_culprit *culprit,
                         char name[HC_FIX_NAME])
{
    switch (culprit->kind) {
    case HC_CULPRIT_HOST:
        snprintf(name, HC_FIX_NAME, "node:%s", culprit->host ? culprit->host : "");
        return culprit->host && !strpbrk(culprit->host, ", ");
    case HC_CULPRIT_DP_RANK:
        snprintf(name, HC_FIX_NAME, "dp:%" PRId32, culprit->dp_rank);
        return true;
    case HC_CULPRIT_STAGE:
        snprintf(name, HC_FIX_NAME, "stage:%" PRId32, culprit->stage);
        return true;
    case HC_CULPRIT_WORKER:
    case HC_CULPRIT_SLOT:
        return name_ranks(r, culprit, name);
    default:
        return false;
    }
}

bool hc_fix_to_try(const struct hc_whatif_result *result, char name[HC_FIX_NAME])
{
    const struct hc_culprits *culprits = &result->depth.culprits;
    for (size_t i = 0; i < culprits->n; i++)
        if (hc_culprit_fix_name(result, &culprits->culprits[i], name))
            return true;
    return false;
}

void hc_asked_fixes_count(struct hc_whatif_result *result)
{
    const struct hc_culprits *culprits = &result->depth.culprits;
    for (size_t i = 0; i < result->depth.n_asked_fixes; i++)
        for (size_t c = 0; c < culprits->n; c++)
            result->depth.asked_fixes[i].n_culprits +=
                is_chosen(&result->depth.asked_fixes[i], &culprits->culprits[c]);
}
