/* late_launches.c - who starts ops late: workers, hosts, dp ranks or stages as culprits, with what
 * the trace would gain were they in time (docs/methods/causes.md). */
#include "sim/whatif/cause/culprit_search.h"
#include "sim/whatif/cause/launch_delays.h"

#include "core/base/memory.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* A worker is named when its late ops take this part of those of the worst one. */
#define LATE_AS_WORST 0.2
/* All workers are late, and the job is named, from this part of them on. */
#define LATE_JOB 0.9

struct search {
    struct hc_whatif_analysis *analysis;
    struct hc_launch_delays delays;
    uint8_t *is_named;                /* [n_workers] late enough */
    size_t first;                     /* of the culprits of this search in the result */
    struct hc_culprit_game game;      /* of these */
    const struct hc_asked_fix *fixes; /* replays are these, and no rounds of the game; or NULL */
};

/* Fill factors [n_slow_steps]: the mean over members of delay over the usual. Returns by how much
 * the ops of the mean member start late in the mean one of these steps, in s. */
static double find_factors(const struct search *search, const struct hc_culprit *culprit,
                           double *factors)
{
    const struct hc_launch_delays *delays = &search->delays;
    double late_s = 0;
    size_t n = 0;
    for (size_t s = 0; s < delays->n_steps; s++) {
        double mean_ns = 0;
        for (size_t i = 0; culprit->is_slow[s] && i < culprit->n_members; i++) {
            size_t worker = (size_t)culprit->members[i];
            double delay_ns = delays->mean_ns[worker * delays->n_steps + s];
            mean_ns += delay_ns / (double)culprit->n_members;
            late_s += (delay_ns - delays->usual_ns) *
                      delays->n_ops[worker % delays->n_stages * delays->n_steps + s] /
                      (double)culprit->n_members / (double)culprit->n_slow_steps / 1e9;
        }
        if (culprit->is_slow[s])
            factors[n++] = delays->usual_ns > 0 ? mean_ns / delays->usual_ns : NAN;
    }
    return late_s;
}

/* One stretch for each run of late steps. Launch delays are so far from the usual ones where they
 * are late that the ends are taken as exact. */
static void list_stretches(struct hc_culprit *culprit, const double *factors, size_t n_steps)
{
    size_t n = 0, k = 0;
    for (size_t s = 0; s < n_steps; s++) {
        if (!culprit->is_slow[s])
            continue;
        if (s == 0 || !culprit->is_slow[s - 1])
            culprit->stretches[n++] =
                (struct hc_slow_stretch){.first = s, .first_low = s, .first_high = s};
        struct hc_slow_stretch *stretch = &culprit->stretches[n - 1];
        stretch->last = stretch->last_low = stretch->last_high = s;
        stretch->factor += (factors[k++] - stretch->factor) / (double)(s - stretch->first + 1);
    }
}

/* ---- what the trace would gain ---- */

/* Whether a culprit is in time in a step of a replay. */
static bool is_in_time(const struct search *search, int32_t arg, size_t culprit, size_t worker,
                       size_t step)
{
    if (search->fixes)
        return search->fixes[arg].chosen[worker] && search->game.culprits[culprit].is_slow[step];
    return hc_culprit_game_mends(&search->game, (size_t)arg, culprit, step);
}

/* The members' launch delays of late steps as usual ones. */
static void be_in_time(const void *context, int32_t arg, const struct hc_step_structure *structure,
                       const struct hc_lane_block *block, double *delay)
{
    const struct search *search = context;
    size_t n_stages = search->delays.n_stages, dp_size = search->delays.n_workers / n_stages;
    double usual_ns = rint(search->delays.usual_ns); /* times of a replay are whole ns */
    for (size_t c = 0; c < search->game.n; c++)
        for (size_t i = 0; i < search->game.culprits[c].n_members; i++) {
            size_t worker = (size_t)search->game.culprits[c].members[i];
            for (size_t p = 0; p < structure->order.n_ops; p++) {
                double *row = delay + p * block->stride + worker / n_stages;
                for (size_t k = 0;
                     (size_t)structure->stage[p] == worker % n_stages && k < block->n_steps; k++)
                    if (row[k * dp_size] > usual_ns &&
                        is_in_time(search, arg, c, worker, block->step[k]))
                        row[k * dp_size] = usual_ns;
            }
        }
}

static enum hc_status replay_in_time(struct search *search)
{
    struct hc_whatif_analysis *a = search->analysis;
    struct hc_culprits *culprits = &a->result->depth.culprits;
    hc_culprit_game_fini(&search->game);
    search->game = (struct hc_culprit_game){.culprits = culprits->culprits + search->first,
                                            .n = culprits->n - search->first,
                                            .untouched_ns = a->result->traced_ns};
    enum hc_status status =
        hc_culprit_game_play(&search->game, a, HC_SWEEP_DELAYS_REWRITTEN, be_in_time, search);
    culprits->launches_together_s = 0;
    for (size_t t = 0; status == HC_OK && t < search->game.n_steps; t++)
        culprits->launches_together_s += search->game.together_s[t] / (double)search->game.n_steps;
    return status;
}

/* ---- who is late ---- */

/* Mark the workers that are late enough to be named. Returns how many. */
static size_t mark_named(struct search *search)
{
    const struct hc_launch_delays *delays = &search->delays;
    double worst_ns = 0;
    size_t n = 0;
    for (size_t w = 0; w < delays->n_workers; w++)
        worst_ns = fmax(worst_ns, delays->late_ns[w]);
    for (size_t w = 0; w < delays->n_workers; w++) {
        search->is_named[w] = worst_ns > 0 && delays->late_ns[w] >= LATE_AS_WORST * worst_ns;
        n += search->is_named[w];
    }
    return n;
}

static enum hc_status group_workers(struct search *search, struct hc_grouping *g)
{
    const struct hc_whatif_result *r = search->analysis->result;
    struct hc_launch_delays *delays = &search->delays;
    size_t n = mark_named(search);
    if (n == 0 && r->launch_slowdown >= HC_STRAGGLING) {
        /* Where every worker is late in every step, no usual delay is left to be late against: the
         * delays as a whole are what is lost. */
        delays->usual_ns = 0;
        memset(delays->is_late, 1, delays->n_workers * delays->n_steps);
        return hc_culprits_add_job(g, r->n_workers > 1 ? HC_CULPRIT_JOB : HC_CULPRIT_WORKER);
    }
    if (n > 1 && (double)n >= LATE_JOB * (double)r->n_workers)
        return hc_culprits_add_job(g, r->n_workers > 1 ? HC_CULPRIT_JOB : HC_CULPRIT_WORKER);
    return hc_culprits_split_by_steps(g, search->is_named);
}

static enum hc_status describe(struct search *search, struct hc_culprit *culprit, double *factors)
{
    const struct hc_whatif_result *r = search->analysis->result;
    double late_s = find_factors(search, culprit, factors);
    culprit->factor = hc_mean_of_steps(factors, culprit->n_slow_steps);
    if (culprit->factor.low < 0) /* of few steps; no ratio of delays is */
        culprit->factor.low = 0;
    culprit->alone_share.value =
        culprit->alone_s / (r->slowdown >= HC_STRAGGLING ? hc_whatif_excess_s(r) : NAN);
    culprit->stretches =
        hc_new_array(culprit->n_stretches, sizeof *culprit->stretches, search->analysis->err);
    if (!culprit->stretches)
        return search->analysis->err->status;
    list_stretches(culprit, factors, search->delays.n_steps);
    culprit->extra_s = late_s;
    return HC_OK;
}

/* ---- all together ---- */

static enum hc_status find(struct search *search, struct hc_grouping *g, double *factors)
{
    const struct hc_whatif_result *r = search->analysis->result;
    struct hc_culprits *culprits = &search->analysis->result->depth.culprits;
    if (hc_launch_delays_find(&search->delays, search->analysis))
        return search->analysis->err->status;
    g->is_slow = search->delays.is_late;
    if (group_workers(search, g))
        return search->analysis->err->status;
    for (size_t i = search->first; i < culprits->n; i++)
        hc_culprit_find_pattern(&culprits->culprits[i], r->n_steps);
    enum hc_status status = replay_in_time(search);
    if (status == HC_OK &&
        hc_culprits_judge(culprits, search->first, HC_COST_TO_NAME * r->traced_s, false)) {
        hc_culprits_drop(culprits, search->first, NULL);
        status = replay_in_time(search);
    }
    search->fixes = r->depth.asked_fixes;
    if (status == HC_OK)
        status =
            hc_asked_fixes_replay(search->analysis, HC_SWEEP_DELAYS_REWRITTEN, be_in_time, search);
    for (size_t i = search->first; status == HC_OK && i < culprits->n; i++)
        status = describe(search, &culprits->culprits[i], factors);
    return status;
}

enum hc_status hc_late_launches_find(struct hc_straggler_cause_search *search)
{
    struct hc_whatif_analysis *analysis = search->analysis;
    const struct hc_whatif_result *r = analysis->result;
    if (isnan(r->launch_slowdown) ||
        !(r->traced_s - r->replayed_s >= HC_COST_TO_NAME * r->traced_s))
        return HC_OK; /* not known where the trace hides waiting */
    struct search of = {.analysis = analysis, .first = r->depth.culprits.n};
    struct hc_grouping g = {
        .search = search, .ops = HC_SLOW_LAUNCHES, .pattern = HC_SLOW_RECURRENT};
    of.is_named = hc_new_array(r->n_workers, 1, analysis->err);
    g.in = hc_new_array(r->n_workers, 1, analysis->err);
    double *factors = hc_new_array(r->n_steps, sizeof *factors, analysis->err);
    enum hc_status status =
        of.is_named && g.in && factors ? find(&of, &g, factors) : analysis->err->status;
    hc_launch_delays_fini(&of.delays);
    hc_culprit_game_fini(&of.game);
    free(of.is_named);
    free(g.in);
    free(factors);
    return status;
}
