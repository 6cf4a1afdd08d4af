/* straggler_cause.c - the likely cause of straggling: which part of the work is suspected, what a
 * replay without it brings, and the verdict (docs/methods/causes.md). */
#include "sim/whatif/cause/culprit_search.h"

#include "core/base/memory.h"
#include "core/base/select.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* A worker is slow when it takes this much longer than its peers, and this part of what the worst
 * worker takes longer. */
#define SLOW_WORKER   0.04
#define SLOW_AS_WORST 0.3
/* And it stands out of what chance makes of workers that are alike. */
#define CHANCE_SPREADS 4.0
#define LEAST_VISITED  5.0
/* And no less than this part of a mean step. */
#define LEAST_COST 0.005
/* And how slow such a culprit must be. */
#define FACTOR_TO_NAME 1.1
/* A part of the work is suspected when it could explain this part of S - 1. */
#define LEAST_SUSPICION 0.1
/* Sequence lengths are suspected when forward and backward passes vary together. At least this part
 * of their covariance must be between microbatches of the same step and dp rank: what is common to
 * all microbatches of a step comes from the step, or from a worker that is slow for a step. */
#define LEAST_WITHIN 0.3
/* A microbatch that is long is long on all stages. Where its forward pass on the first stage and
 * its backward pass on the last do not agree, what differs is the load of each stage, as in a
 * mixture of experts. */
#define LEAST_ACROSS 0.2
/* Garbage collection stops forward passes only. It is suspected when pauses of backward passes take
 * at most this part of the time that those of forward passes take. */
#define MOST_BACKWARD_PAUSES 0.25

/* ---- suspects ---- */

static double least_suspicion(const struct hc_straggler_cause_search *search)
{
    return fmax(LEAST_SUSPICION * (search->analysis->result->slowdown - 1), LEAST_COST);
}

/* The spread of the effects of workers as chance makes it: drifts that outlast a step, and noise.
 */
static enum hc_status spread_of_workers(const struct hc_straggler_cause_search *search,
                                        double *spread)
{
    const struct hc_whatif_result *r = search->analysis->result;
    double *values = hc_new_array(r->n_workers, sizeof *values, search->analysis->err);
    if (!values)
        return search->analysis->err->status;
    for (size_t i = 0; i < r->n_workers; i++)
        values[i] = fabs(search->model.worker[i] - 1);
    *spread = HC_MAD_TO_SD * hc_lower_median(values, r->n_workers);
    free(values);
    return HC_OK;
}

/* Suspect the workers that are slower than their peers, the same stage of other dp ranks, in all
 * steps. With one dp rank there are none, and what is slow is the stage. */
static enum hc_status suspect_workers(struct hc_straggler_cause_search *search)
{
    const struct hc_whatif_result *r = search->analysis->result;
    const double *effect = search->model.worker;
    double *slow = search->remedies.slow_worker, worst = 1, spread = 0;
    if (spread_of_workers(search, &spread))
        return search->analysis->err->status;
    for (size_t i = 0; i < r->n_workers; i++)
        worst = fmax(worst, effect[i]);
    double limit = fmax(fmax(SLOW_WORKER, CHANCE_SPREADS * spread),
                        fmax(SLOW_AS_WORST * (worst - 1), least_suspicion(search)));
    for (size_t i = 0; i < r->n_workers; i++)
        slow[i] = effect[i] - 1 >= limit ? effect[i] : 1;
    return HC_OK;
}

/* Find the workers that change from step to step, see the passes without it, and then those that
 * are slow all along. */
static enum hc_status find_changes(struct hc_straggler_cause_search *search)
{
    struct hc_whatif_analysis *a = search->analysis;
    const struct hc_whatif_result *r = a->result;
    if (hc_pass_model_begin(&search->model, &search->pairs, &a->lanes, a->err) ||
        hc_step_levels_find(&search->levels, &search->model, a->err))
        return a->err->status;
    double least_s = least_suspicion(search) * r->ideal_s;
    if (hc_slow_map_find(&search->slow, &search->levels, r->replayed_ns, least_s, a->err))
        return a->err->status;
    /* Slowness that wanders over many workers is no fault of those it visits most. */
    if (hc_wanders_one_by_one(&search->wander, r->n_steps) &&
        search->wander.n_effective >= LEAST_VISITED)
        hc_slow_map_clear(&search->slow);
    if (hc_pass_mixtures_find(&search->model, &search->slow, a->err))
        return a->err->status;
    search->model.slow = search->slow.n_changing ? &search->slow : NULL;
    return hc_pass_model_finish(&search->model, a->err);
}

/* Suspect the stage with most work, measured by what its passes take on a healthy worker, when it
 * is far enough above the mean of the stages. */
static void suspect_stages(struct hc_straggler_cause_search *search)
{
    const struct hc_pass_pairs *pairs = &search->pairs;
    int32_t n_stages = search->analysis->lanes.n_stages;
    double mean[HC_N_PASSES] = {0}, all = 0;
    for (int p = 0; p < HC_N_PASSES; p++)
        for (size_t line = 0; line < pairs->n_lines; line++) {
            mean[p] += search->model.base[p][line] / (double)pairs->n_lines;
            all += search->model.base[p][line] / n_stages;
        }
    search->worst_stage = -1;
    for (int32_t stage = 0; stage < n_stages; stage++) {
        double work = 0;
        for (int p = 0; p < HC_N_PASSES; p++)
            for (size_t line = 0; line < pairs->n_lines; line++)
                if (pairs->lines[line].stage == stage)
                    work += search->model.base[p][line];
        if (search->worst_stage >= 0 && work / all <= search->worst_stage_ratio)
            continue;
        search->worst_stage = stage;
        search->worst_stage_ratio = work / all;
    }
    for (int p = 0; p < HC_N_PASSES; p++)
        for (size_t line = 0; line < pairs->n_lines; line++)
            search->remedies.balance[p][line] = mean[p] / search->model.base[p][line];
    search->remedies.suspected[HC_REMEDY_STAGE] =
        n_stages > 1 && search->worst_stage_ratio - 1 >= least_suspicion(search);
}

/* The part of the covariance of forward and backward passes that is between microbatches of the
 * same step and dp rank, not between steps or dp ranks. 1 when there is no covariance, or no two
 * microbatches in a step to tell it from. */
static double part_within(const struct hc_pass_model *model)
{
    const struct hc_pair_sums *all = &model->factors, *within = &model->within;
    double common = all->xy - all->x * all->y / (double)all->n;
    return within->xx > 0 && within->yy > 0 && common > 0 ? within->xy / common : 1;
}

static void suspect_microbatches(struct hc_straggler_cause_search *search)
{
    const struct hc_pass_model *model = &search->model;
    bool has_within = model->within.xx > 0 && model->within.yy > 0;
    search->r_microbatch = hc_pair_sums_pearson(has_within ? &model->within : &model->factors);
    search->r_stages = model->lanes->n_stages > 1 ? hc_pair_sums_pearson(&model->across) : NAN;
    bool by_stage = search->r_stages < LEAST_ACROSS; /* false when not known */
    search->remedies.suspected[HC_REMEDY_SEQUENCE] =
        search->r_microbatch >= HC_LEAST_AGREEMENT && !by_stage &&
        part_within(model) >= LEAST_WITHIN && model->factor_sd >= least_suspicion(search);
}

static void suspect_pauses(struct hc_straggler_cause_search *search)
{
    const struct hc_whatif_result *r = search->analysis->result;
    const struct hc_pauses *pauses = &search->model.pauses;
    double forward_s = pauses->excess_s[HC_FORWARD_PASS];
    search->remedies.suspected[HC_REMEDY_PAUSES] =
        pauses->excess_s[HC_BACKWARD_PASS] <= MOST_BACKWARD_PAUSES * forward_s &&
        forward_s / (double)r->n_steps >= least_suspicion(search) * r->ideal_s;
}

static void suspect_links(struct hc_straggler_cause_search *search)
{
    const struct hc_whatif_result *r = search->analysis->result;
    const struct hc_links *links = &search->links;
    if (links->worst == HC_NO_LINK)
        return;
    const struct hc_link *worst = &links->links[links->worst];
    double excess_s = (worst->ns - worst->base_ns) / 1e9 / (double)r->n_steps;
    search->remedies.suspected[HC_REMEDY_LINKS] = excess_s >= least_suspicion(search) * r->ideal_s;
}

static enum hc_status allocate_remedies(struct hc_straggler_cause_search *search)
{
    struct hc_remedies *remedies = &search->remedies;
    struct hc_error *err = search->analysis->err;
    *remedies = (struct hc_remedies){.model = &search->model,
                                     .links = &search->links,
                                     .culprits = &search->analysis->result->depth.culprits};
    remedies->slow_worker = hc_new_array(search->analysis->result->n_workers, sizeof(double), err);
    for (int p = 0; p < HC_N_PASSES; p++) {
        remedies->balance[p] = hc_new_array(search->pairs.n_lines, sizeof(double), err);
        if (!remedies->balance[p])
            return err->status;
    }
    return remedies->slow_worker ? HC_OK : err->status;
}

static bool has_culprit(const struct hc_straggler_cause_search *search,
                        enum hc_straggler_cause cause)
{
    const struct hc_culprits *culprits = &search->analysis->result->depth.culprits;
    for (size_t i = 0; i < culprits->n; i++)
        if (culprits->culprits[i].cause == cause)
            return true;
    return false;
}

/* Take the durations apart, choose the suspects, and replay the job without them. */
static enum hc_status look_deep(struct hc_straggler_cause_search *search)
{
    struct hc_whatif_analysis *a = search->analysis;
    if (find_changes(search) || hc_links_find(&search->links, &a->lanes, a->err) ||
        allocate_remedies(search) || suspect_workers(search) || hc_culprits_group(search))
        return a->err->status;
    search->is_deep = true;
    search->remedies.suspected[HC_REMEDY_WORKER] = a->result->depth.culprits.n > 0;
    suspect_links(search);
    double least_s = least_suspicion(search) * a->result->ideal_s;
    if (hc_culprits_add_types(search, least_s) || hc_culprits_add_links(search) ||
        hc_culprits_measure(search))
        return a->err->status;
    suspect_stages(search);
    suspect_microbatches(search);
    suspect_pauses(search);
    if (hc_remedies_replay(&search->remedies, a))
        return a->err->status;
    search->remedies.suspected[HC_REMEDY_WORKER] = has_culprit(search, HC_STRAGGLER_WORKER);
    search->remedies.suspected[HC_REMEDY_LINKS] = has_culprit(search, HC_STRAGGLER_LINK);
    search->remedies.suspected[HC_REMEDY_COMMON] = has_culprit(search, HC_STRAGGLER_COMMON);
    return HC_OK;
}

/* ---- r of the paper ---- */

static bool is_touched(const struct hc_straggler_cause_search *search, int32_t stage)
{
    const struct hc_whatif_result *r = search->analysis->result;
    if (!search->is_deep)
        return false;
    if (search->remedies.suspected[HC_REMEDY_STAGE] && stage == search->worst_stage)
        return true;
    for (int32_t d = 0; d < r->dp_size; d++)
        if (search->remedies.lasting_of[d * r->pp_size + stage] >= 0 ||
            search->remedies.changing_of[d * r->pp_size + stage] >= 0 ||
            search->remedies.some_passes_of[d * r->pp_size + stage] >= 0)
            return true;
    return false;
}

/* The correlation of forward and backward passes that speaks for sequence lengths: the median over
 * the stages, leaving out that of a slow worker and the slow stage (whose correlation has another
 * reason), unless no stage is left. */
static enum hc_status find_r_stage(struct hc_straggler_cause_search *search)
{
    const struct hc_verdict *verdict = search->verdict;
    double *values = hc_new_array(verdict->n_stages, sizeof *values, search->analysis->err);
    if (!values)
        return search->analysis->err->status;
    size_t n = 0;
    for (int all = 0; all < 2 && n == 0; all++)
        for (size_t s = 0; s < verdict->n_stages; s++)
            if ((all || !is_touched(search, (int32_t)s)) && !isnan(verdict->pass_correlation[s]))
                values[n++] = verdict->pass_correlation[s];
    search->r_stage = n ? hc_median(values, n) : NAN;
    free(values);
    return HC_OK;
}

static enum hc_status correlate(struct hc_straggler_cause_search *search)
{
    struct hc_whatif_analysis *a = search->analysis;
    struct hc_verdict *verdict = search->verdict;
    verdict->n_stages = (size_t)a->lanes.n_stages;
    verdict->pass_correlation = hc_new_array(verdict->n_stages, sizeof(double), a->err);
    verdict->n_pass_pairs = hc_new_array(verdict->n_stages, sizeof(int64_t), a->err);
    if (!verdict->pass_correlation || !verdict->n_pass_pairs ||
        hc_pass_pairs_find(&search->pairs, &a->lanes, a->err))
        return a->err->status;
    return hc_pass_correlations(&search->pairs, &a->lanes, verdict->pass_correlation,
                                verdict->n_pass_pairs, a->err);
}

/* ---- verdict ---- */

/* Whether a cause has a culprit that is slow enough to be named in a job that does not straggle. */
static bool is_clear(const struct hc_straggler_cause_search *search, enum hc_straggler_cause cause)
{
    const struct hc_whatif_result *r = search->analysis->result;
    for (size_t i = 0; i < r->depth.culprits.n; i++) {
        const struct hc_culprit *culprit = &r->depth.culprits.culprits[i];
        double saved_s = fmax(culprit->alone_s, culprit->split_s);
        if (culprit->cause == cause && saved_s >= HC_COST_TO_NAME * r->replayed_s &&
            !(culprit->factor.value < FACTOR_TO_NAME)) /* NaN: its peers have no such op */
            return true;
    }
    return false;
}

/* What each cause takes of the mean step. */
static void weigh(struct hc_straggler_cause_search *search)
{
    const struct hc_whatif_result *r = search->analysis->result;
    bool straggles = r->slowdown >= HC_STRAGGLING;
    double launches_s = r->depth.culprits.launches_together_s;
    for (int i = 0; search->is_deep && i < HC_N_REMEDIES; i++) {
        double saved_s = search->remedies.saved_s[i];
        enum hc_straggler_cause cause = hc_cause_of_remedy((enum hc_remedy)i);
        bool is_named = saved_s >= HC_COST_TO_NAME * r->replayed_s && is_clear(search, cause);
        if (is_named || (straggles && saved_s >= HC_LEAST_FURTHER_SHARE * hc_whatif_excess_s(r)))
            search->weight_s[cause] = saved_s;
    }
    if (has_culprit(search, HC_STRAGGLER_LAUNCH))
        search->weight_s[HC_STRAGGLER_LAUNCH] = launches_s;
    else if (r->launch_slowdown >= HC_STRAGGLING)
        search->weight_s[HC_STRAGGLER_LAUNCH] = r->traced_s - r->replayed_s;
}

static enum hc_straggler_cause heaviest(const struct hc_straggler_cause_search *search,
                                        const bool *taken)
{
    enum hc_straggler_cause best = HC_STRAGGLER_NONE;
    for (int c = 0; c < HC_N_STRAGGLER_CAUSES; c++)
        if (!taken[c] && search->weight_s[c] > search->weight_s[best])
            best = (enum hc_straggler_cause)c;
    return best;
}

static void decide(struct hc_straggler_cause_search *search)
{
    struct hc_verdict *verdict = search->verdict;
    bool taken[HC_N_STRAGGLER_CAUSES] = {false};
    verdict->cause = heaviest(search, taken);
    bool straggles = search->analysis->result->slowdown >= HC_STRAGGLING;
    /* What takes less than the least share is no verdict of its own, unless it has a culprit. */
    double excess_s = hc_whatif_excess_s(search->analysis->result);
    if (!(search->weight_s[verdict->cause] >= HC_LEAST_SHARE * excess_s) &&
        verdict->cause != HC_STRAGGLER_LAUNCH && !is_clear(search, verdict->cause))
        verdict->cause = HC_STRAGGLER_NONE;
    taken[verdict->cause] = true;
    if (verdict->cause == HC_STRAGGLER_NONE && straggles)
        verdict->cause = HC_STRAGGLER_UNEXPLAINED;
    for (enum hc_straggler_cause c; (c = heaviest(search, taken)) != HC_STRAGGLER_NONE;
         taken[c] = true)
        verdict->also[verdict->n_also++] = c;
    if (verdict->cause == HC_STRAGGLER_LAUNCH && straggles && !verdict->n_also)
        verdict->also[verdict->n_also++] = HC_STRAGGLER_UNEXPLAINED;
}

static void search_fini(struct hc_straggler_cause_search *search)
{
    hc_pass_pairs_fini(&search->pairs);
    hc_pass_model_fini(&search->model);
    hc_links_fini(&search->links);
    hc_step_levels_fini(&search->levels);
    hc_slow_map_fini(&search->slow);
    free(search->remedies.slow_worker);
    free(search->remedies.lasting_of);
    free(search->remedies.changing_of);
    free(search->remedies.some_passes_of);
    free(search->remedies.culprit_of_link);
    for (int p = 0; p < HC_N_PASSES; p++)
        free(search->remedies.balance[p]);
}

enum hc_status hc_straggler_cause_find(struct hc_whatif_analysis *analysis)
{
    const struct hc_whatif_result *r = analysis->result;
    struct hc_straggler_cause_search search = {.analysis = analysis,
                                               .verdict = &analysis->result->depth.verdict,
                                               .r_microbatch = NAN,
                                               .worst_stage = -1};
    enum hc_status status = hc_whatif_wander(r, &search.wander, analysis->err);
    if (status == HC_OK)
        status = correlate(&search);
    /* The threshold is about the decompositions. What is slow in few of the steps shows little in
     * S, the mean of all, and is looked for below it. */
    if (status == HC_OK)
        status = look_deep(&search);
    if (status == HC_OK)
        status = find_r_stage(&search);
    if (status == HC_OK)
        status = hc_late_launches_find(&search);
    if (status == HC_OK)
        status = hc_job_levels_find(analysis);
    if (status == HC_OK) {
        hc_asked_fixes_count(analysis->result);
        hc_culprits_describe(&search);
        weigh(&search);
        decide(&search);
        hc_culprits_sort(&analysis->result->depth.culprits, search.verdict->cause);
        search.verdict->pauses = search.model.pauses;
        hc_straggler_cause_list_evidence(&search);
        hc_straggler_cause_write_text(&search);
        search.verdict->done = true;
    }
    search_fini(&search);
    return status;
}
