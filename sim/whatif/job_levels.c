/* job_levels.c - stretches of steps between changes of level of the job as a whole, and S of each:
 * of a job that changes, S of all steps is that of none of them. How sure S of a stretch is: its
 * steps differ, and so do those of all other stretches, which the ideals are made of too, so that S
 * of a stretch of equal steps is as unsure as the ideals are (docs/methods/intervals.md). */
#include "sim/whatif/whatif_analysis.h"

#include "core/base/memory.h"
#include "models/stats/student.h"
#include "sim/replay/ideal_moves.h"
#include "sim/whatif/change/level_stretches.h"
#include "sim/whatif/ideal_slopes.h"
#include "sim/whatif/step_doubt.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>

/* Standard errors of the correlation on top of it. */
#define CORRELATION_ERRORS 0.5

/* A sum over steps, one stretch after the other: squared standard error, and what Student's t needs
 * of it (Welch 1947). */
struct doubt {
    double variance, squares_by_freedom;
};

/* Add n steps of one level, ns each: what they do to the sum less their mean, which belongs to the
 * stretch and would be there in another trace. They count as steps do that may follow each other.
 */
static void add_steps(struct doubt *doubt, double *effect, size_t n_steps)
{
    double n = (double)n_steps, mean = 0, squares = 0;
    for (size_t s = 0; s < n_steps; s++)
        mean += effect[s] / n;
    for (size_t s = 0; s < n_steps; s++) {
        effect[s] -= mean;
        squares += effect[s] * effect[s];
    }
    struct hc_step_doubt of_steps =
        hc_doubt_of_steps(hc_step_correlation(effect, n_steps), n_steps, CORRELATION_ERRORS);
    /* The mean that was taken off has taken a part of the variance with it. */
    double growth = fmin(of_steps.growth, n - 1), kept = 1 - (growth - 1) / (n - 1);
    double variance = n * growth * squares / (n - 1) / fmax(kept, 1 / n);
    doubt->variance += variance;
    doubt->squares_by_freedom += variance * variance / of_steps.freedom;
}

/* How much each step moves S of a stretch to first order, times the mean ideal end of the stretch,
 * ns. Its own steps by their time, all steps by their part in the ideals. */
static void find_effects(double *effect, const struct hc_job_level *level,
                         const struct hc_whatif_result *r, const double *move_ns)
{
    double n = (double)r->n_steps, n_own = (double)(level->last - level->first + 1);
    double slowdown = level->slowdown.value;
    for (size_t s = 0; s < r->n_steps; s++) {
        effect[s] = -slowdown * move_ns[s] / n;
        if (s >= level->first && s <= level->last)
            effect[s] +=
                ((double)r->replayed_ns[s] - slowdown * (double)r->ideal_end_ns[s]) / n_own;
    }
}

/* No end beyond the steps of the trace. */
static void bound(struct hc_measured *slowdown, const struct hc_whatif_result *r)
{
    double least = slowdown->value, most = least;
    for (size_t s = 0; s < r->n_steps; s++) {
        least = fmin(least, r->step_slowdown[s]);
        most = fmax(most, r->step_slowdown[s]);
    }
    slowdown->low = fmax(slowdown->low, least);
    slowdown->high = fmin(slowdown->high, most);
}

static void doubt_level(struct hc_job_level *level, const struct hc_culprits *all,
                        const struct hc_whatif_result *r, double *effect)
{
    struct doubt doubt = {0};
    double ideal_ns = 0, n_own = (double)(level->last - level->first + 1);
    for (size_t s = level->first; s <= level->last; s++)
        ideal_ns += (double)r->ideal_end_ns[s] / n_own;
    for (size_t i = 0; i < all->n_levels; i++) {
        size_t first = all->levels[i].first;
        add_steps(&doubt, effect + first, all->levels[i].last - first + 1);
    }
    double half = 0;
    if (doubt.variance > 0) {
        double freedom = doubt.variance * doubt.variance / doubt.squares_by_freedom;
        half = hc_student_t(freedom, HC_CONFIDENCE) * sqrt(doubt.variance) / ideal_ns;
    }
    level->slowdown.low = level->slowdown.value - half;
    level->slowdown.high = level->slowdown.value + half;
    bound(&level->slowdown, r);
}

/* How far each step moves the mean ideal end, ns. */
static enum hc_status find_moves(double *move_ns, const struct hc_whatif_analysis *analysis)
{
    struct hc_ideal_moves moves;
    struct hc_ideal_slopes slopes;
    if (hc_ideal_moves_find(&moves, &analysis->lanes, &analysis->ideals, analysis->err))
        return analysis->err->status;
    enum hc_status status = hc_ideal_slopes_find(&slopes, analysis, &moves);
    for (int type = 0; status == HC_OK && type < HC_N_OP_TYPES; type++)
        for (size_t s = 0; moves.move_ns[type] && s < analysis->result->n_steps; s++)
            move_ns[s] += slopes.end[type] * moves.move_ns[type][s];
    hc_ideal_moves_fini(&moves);
    return status;
}

static enum hc_status doubt_levels(struct hc_culprits *culprits,
                                   const struct hc_whatif_analysis *analysis)
{
    const struct hc_whatif_result *r = analysis->result;
    double *effect = hc_new_array(2 * r->n_steps, sizeof *effect, analysis->err);
    if (!effect)
        return analysis->err->status;
    double *move_ns = effect + r->n_steps;
    enum hc_status status = find_moves(move_ns, analysis);
    for (size_t i = 0; status == HC_OK && i < culprits->n_levels; i++) {
        find_effects(effect, &culprits->levels[i], r, move_ns);
        doubt_level(&culprits->levels[i], culprits, r, effect);
    }
    free(effect);
    return status;
}

/* ---- the stretches ---- */

static void fill_level(struct hc_job_level *level, const struct hc_whatif_result *r)
{
    size_t n = level->last - level->first + 1;
    level->replayed_s = hc_mean_s(r->replayed_ns + level->first, n);
    level->slowdown.value = level->replayed_s / hc_mean_s(r->ideal_end_ns + level->first, n);
}

static enum hc_status list_levels(struct hc_culprits *out, const struct hc_whatif_result *r,
                                  struct hc_error *err)
{
    struct hc_level_stretch stretches[HC_MOST_LEVEL_STRETCHES];
    size_t n;
    if (hc_level_stretches_find(stretches, &n, r->step_slowdown, r->n_steps, err))
        return err->status;
    if (n == 0)
        return HC_OK;
    out->levels = hc_new_array(n, sizeof *out->levels, err);
    if (!out->levels)
        return err->status;
    out->n_levels = n;
    for (size_t i = 0; i < n; i++) {
        out->levels[i].first = stretches[i].first;
        out->levels[i].last = stretches[i].last;
        fill_level(&out->levels[i], r);
    }
    return HC_OK;
}

/* S of all steps together is a mean of levels, and how far it is off depends on how long each
 * lasts: its interval gives way to those of the stretches. */
static void explain_share(const struct hc_interval *interval, struct hc_interval_reason *reason)
{
    if (!isnan(interval->low) || reason->lack == HC_INTERVAL_NO_FIGURE)
        return;
    reason->lack = HC_INTERVAL_CHANGES;
    snprintf(reason->text, sizeof reason->text,
             "the trace changes, and each of its levels has shares of its own");
}

/* S of all steps together is a mean of levels, and how far it is off depends on how long each
 * lasts: its interval gives way to those of the stretches. */
static void explain(struct hc_whatif_result *r)
{
    const struct hc_culprits *culprits = &r->depth.culprits;
    struct hc_interval_reason *reason = &r->depth.intervals.slowdown_reason;
    const struct hc_job_level *before = &culprits->levels[0], *after = &culprits->levels[1];
    r->depth.intervals.slowdown = (struct hc_interval){NAN, NAN};
    reason->lack = HC_INTERVAL_CHANGES;
    explain_share(&r->depth.intervals.m_w, &r->depth.intervals.m_w_reason);
    explain_share(&r->depth.intervals.m_s, &r->depth.intervals.m_s_reason);
    if (culprits->n_levels == 2)
        snprintf(
            reason->text, sizeof reason->text,
            "the trace changes at step %d; before it S is %.3f (%.3f to %.3f), from it on %.3f "
            "(%.3f to %.3f)",
            r->steps[after->first], before->slowdown.value, before->slowdown.low,
            before->slowdown.high, after->slowdown.value, after->slowdown.low,
            after->slowdown.high);
    else
        snprintf(
            reason->text, sizeof reason->text,
            "the trace changes its level %zu times, first at step %d; S of each stretch stands "
            "below",
            culprits->n_levels - 1, r->steps[after->first]);
}

enum hc_status hc_job_levels_find(struct hc_whatif_analysis *analysis)
{
    struct hc_whatif_result *r = analysis->result;
    enum hc_status status = list_levels(&r->depth.culprits, r, analysis->err);
    if (status == HC_OK && r->depth.culprits.n_levels > 1)
        status = doubt_levels(&r->depth.culprits, analysis);
    if (status == HC_OK && r->depth.culprits.n_levels > 1 && r->depth.intervals.done)
        explain(r);
    return status;
}
