/* level_doubt.c - how sure S of a stretch between changes of level of the job is. Its steps differ,
 * and so do those of all other stretches, which the ideals are made of too: S of a stretch of equal
 * steps is as unsure as the ideals are (docs/methods/intervals.md). */
#include "sim/whatif/whatif_analysis.h"

#include "core/base/memory.h"
#include "models/stats/student.h"
#include "sim/replay/ideal_moves.h"
#include "sim/whatif/ideal_slopes.h"
#include "sim/whatif/step_doubt.h"

#include <math.h>
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

enum hc_status hc_job_levels_doubt(struct hc_culprits *culprits,
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
