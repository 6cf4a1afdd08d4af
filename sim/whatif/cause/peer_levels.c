/* peer_levels.c - how long the passes of a worker take against those of its healthy peers, step by
 * step, and how much healthy workers differ all along. */
#include "sim/whatif/cause/culprit_search.h"

#include "core/base/select.h"
#include "models/stats/student.h"

#include <math.h>

/* Before any worker is seen, healthy ones differ by this standard deviation (chips of one kind do,
 * by a percent or so), which counts as much as so many degrees of freedom of what is seen. */
#define USUAL_SPREAD     0.008
#define USUAL_SPREAD_DOF 4.0

static double raw_level(const struct hc_step_levels *levels, size_t worker, size_t step, int pass)
{
    return levels->part[HC_LEVEL_JOB][pass][step] * hc_worker_level(levels, worker, step, pass);
}

static bool is_healthy(const struct hc_peers *peers, size_t worker, size_t step)
{
    const struct hc_straggler_cause_search *search = peers->search;
    const struct hc_slow_map *slow = &search->slow;
    return !peers->is_member[worker] && search->remedies.lasting_of[worker] < 0 &&
           !slow->is_slow[worker * slow->n_steps + step];
}

/* The median level of the healthy workers of a stage, or of those of all other stages. NaN without
 * any. */
static double level_of_peers(const struct hc_peers *peers, size_t stage, size_t step, int pass)
{
    const struct hc_step_levels *levels = &peers->search->levels;
    size_t n_workers = levels->dp_size * levels->n_stages, n = 0;
    for (size_t w = stage; w < n_workers; w += levels->n_stages)
        if (is_healthy(peers, w, step))
            peers->scratch[n++] = raw_level(levels, w, step, pass);
    for (size_t w = 0; n == 0 && peers->is_whole_stage && w < n_workers; w++)
        if (is_healthy(peers, w, step))
            peers->scratch[n++] = raw_level(levels, w, step, pass);
    return n ? hc_median(peers->scratch, n) : NAN;
}

void hc_levels_over_peers(const struct hc_peers *peers, size_t worker, int pass, double *ratio)
{
    const struct hc_step_levels *levels = &peers->search->levels;
    for (size_t t = 0; t < levels->n_steps; t++) {
        /* The other one of two stages is no peer: it may be faster for what this one does. */
        bool is_half = peers->is_whole_stage && levels->n_stages == 2;
        double usual = is_half ? 1 : level_of_peers(peers, worker % levels->n_stages, t, pass);
        ratio[t] = usual > 0 ? raw_level(levels, worker, t, pass) / usual
                             : hc_worker_level(levels, worker, t, pass);
    }
}

/* The mean level of a worker over all steps and both kinds of passes. */
static double mean_level(const struct hc_step_levels *levels, size_t worker)
{
    double sum = 0;
    for (int p = 0; p < HC_N_PASSES; p++)
        for (size_t t = 0; t < levels->n_steps; t++)
            sum += raw_level(levels, worker, t, p);
    return sum / HC_N_PASSES / (double)levels->n_steps;
}

double hc_peer_doubt(const struct hc_straggler_cause_search *search)
{
    const struct hc_step_levels *levels = &search->levels;
    double squares = USUAL_SPREAD_DOF * USUAL_SPREAD * USUAL_SPREAD, dof = USUAL_SPREAD_DOF;
    for (size_t stage = 0; stage < levels->n_stages; stage++) {
        double sum = 0, sum_of_squares = 0, n = 0;
        for (size_t d = 0; d < levels->dp_size; d++) {
            size_t w = d * levels->n_stages + stage;
            if (search->remedies.lasting_of[w] >= 0 || search->slow.passes[w] ||
                search->model.some_slow[w])
                continue;
            double level = mean_level(levels, w);
            sum += level;
            sum_of_squares += level * level;
            n++;
        }
        if (n < 2)
            continue;
        double mean = sum / n;
        squares += fmax(0, sum_of_squares / mean / mean - n);
        dof += n - 1;
    }
    return hc_student_t(dof, HC_CONFIDENCE) * sqrt(squares / dof);
}
