#include "sim/whatif/worker_wander.h"

#include "core/base/memory.h"

#include <math.h>
#include <stdlib.h>

size_t hc_step_worst_worker(const struct hc_whatif_result *result, size_t step)
{
    size_t worst = 0;
    for (size_t w = 1; w < result->n_workers; w++)
        if (result->worker_end_ns[w * result->n_steps + step] >
            result->worker_end_ns[worst * result->n_steps + step])
            worst = w;
    return worst;
}

static int64_t next_worst_end(const struct hc_whatif_result *result, size_t step, size_t worst)
{
    int64_t end_ns = result->ideal_end_ns[step];
    for (size_t w = 0; w < result->n_workers; w++)
        if (w != worst && result->worker_end_ns[w * result->n_steps + step] > end_ns)
            end_ns = result->worker_end_ns[w * result->n_steps + step];
    return end_ns;
}

static void spread_over_workers(struct hc_wander *wander, const double *brought_ns, size_t n)
{
    double sum = 0, squares = 0, most = 0;
    for (size_t w = 0; w < n; w++) {
        sum += brought_ns[w];
        squares += brought_ns[w] * brought_ns[w];
        most = fmax(most, brought_ns[w]);
    }
    wander->most_share = most / sum;
    wander->n_effective = sum * sum / squares;
}

/* Shares are of sums over all steps, so that steps of little excess count little. n_worst and
 * brought_ns: [n_workers] zeros, for in how many steps each worker is the worst, and what it brings
 * in them. */
static void measure(const struct hc_whatif_result *result, struct hc_wander *wander,
                    size_t *n_worst, double *brought_ns)
{
    double worst_ns = 0, next_ns = 0, excess_ns = 0;
    for (size_t s = 0; s < result->n_steps; s++) {
        size_t worst = hc_step_worst_worker(result, s);
        int64_t ideal_ns = result->ideal_end_ns[s];
        n_worst[worst]++;
        double brought = (double)(result->worker_end_ns[worst * result->n_steps + s] - ideal_ns);
        worst_ns += brought;
        brought_ns[worst] += fmax(brought, 0);
        next_ns += (double)(next_worst_end(result, s, worst) - ideal_ns);
        excess_ns += (double)(result->replayed_end_ns[s] - ideal_ns);
    }
    bool has_excess = excess_ns > 0 && !isnan(hc_whatif_excess_s(result));
    wander->share = has_excess ? worst_ns / excess_ns : NAN;
    wander->next_share = has_excess ? next_ns / excess_ns : NAN;
    if (has_excess && worst_ns > 0)
        spread_over_workers(wander, brought_ns, result->n_workers);
    for (size_t w = 0; w < result->n_workers; w++) {
        wander->n_workers += n_worst[w] > 0;
        if (n_worst[w] > wander->n_steps) {
            wander->n_steps = n_worst[w];
            wander->most = w;
        }
    }
}

enum hc_status hc_whatif_wander(const struct hc_whatif_result *result, struct hc_wander *wander,
                                struct hc_error *err)
{
    *wander =
        (struct hc_wander){.share = NAN, .next_share = NAN, .most_share = NAN, .n_effective = NAN};
    if (!result->worker_end_ns || result->n_workers == 0 || result->n_steps == 0)
        return HC_OK;
    size_t *n_worst = hc_new_array(result->n_workers, sizeof *n_worst, err);
    double *brought_ns = hc_new_array(result->n_workers, sizeof *brought_ns, err);
    if (n_worst && brought_ns)
        measure(result, wander, n_worst, brought_ns);
    free(n_worst);
    free(brought_ns);
    return n_worst && brought_ns ? HC_OK : err->status;
}

bool hc_wanders(const struct hc_wander *wander, size_t n_steps)
{
    if (wander->n_workers == 0)
        return false;
    return isnan(wander->most_share) ? 2 * wander->n_steps <= n_steps : wander->most_share <= 0.5;
}

bool hc_wanders_one_by_one(const struct hc_wander *wander, size_t n_steps)
{
    return hc_wanders(wander, n_steps) && wander->share >= 0.5 &&
           2 * wander->next_share <= wander->share;
}
