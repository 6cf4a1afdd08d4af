/* worker_slowdowns.c - the exact slowdown of every worker (paper Eq. 4): only this worker keeps its
 * traced durations, everything else is ideal.
 *
 * All other dp ranks are then ideal and alike, so two columns a worker and step are enough: its own
 * dp rank and one ideal stand-in. All dp ranks of a stage are one sweep.
 */
#include "sim/whatif/whatif_analysis.h"

#include "core/base/memory.h"

#include <stdlib.h>

enum hc_status hc_worker_slowdowns_find(struct hc_whatif_analysis *analysis)
{
    struct hc_whatif_result *r = analysis->result;
    size_t n_stages = (size_t)r->pp_size;
    if (r->blocking[HC_BY_STAGE].n_groups == 0)
        return HC_OK;
    struct hc_counterfactual *counterfactuals =
        hc_new_array(n_stages, sizeof *counterfactuals, analysis->err);
    r->worker_end_ns =
        hc_new_array(r->n_workers * r->n_steps, sizeof *r->worker_end_ns, analysis->err);
    enum hc_status status = counterfactuals && r->worker_end_ns ? HC_OK : analysis->err->status;
    for (size_t s = 0; status == HC_OK && s < n_stages; s++)
        counterfactuals[s] = (struct hc_counterfactual){
            .kind = HC_SWEEP_WORKER_TRACED, .arg = (int32_t)s, .end_ns = r->worker_end_ns};
    if (status == HC_OK)
        status =
            hc_counterfactuals_run(&analysis->sweeps, counterfactuals, n_stages, analysis->err);
    free(counterfactuals);
    double ideal_ns = hc_sum_ns(r->ideal_end_ns, r->n_steps);
    for (size_t w = 0; status == HC_OK && w < r->n_workers; w++)
        r->workers[w].exact = hc_sum_ns(r->worker_end_ns + w * r->n_steps, r->n_steps) / ideal_ns;
    return status;
}
