/* slowest_workers.c - the workers, how slow each is, and what the slowest of them explain (M_W). */
#include "sim/whatif/whatif_analysis.h"

#include "core/base/memory.h"

#include <math.h>
#include <stdlib.h>

static enum hc_status list_workers(struct hc_whatif_analysis *a)
{
    struct hc_whatif_result *r = a->result;
    r->n_workers = (size_t)r->dp_size * (size_t)r->pp_size;
    r->workers = hc_new_array(r->n_workers, sizeof *r->workers, a->err);
    if (!r->workers)
        return a->err->status;
    bool rated = r->blocking[HC_BY_STAGE].n_groups > 0;
    for (int32_t d = 0; d < r->dp_size; d++)
        for (int32_t s = 0; s < r->pp_size; s++) {
            struct hc_worker *worker = &r->workers[d * r->pp_size + s];
            *worker = (struct hc_worker){hc_census_rank(a->trace->census, d, s), d, s, NAN, NAN};
            if (rated)
                worker->slowdown = fmin(r->blocking[HC_BY_DP_RANK].groups[d].slowdown,
                                        r->blocking[HC_BY_STAGE].groups[s].slowdown);
        }
    return HC_OK;
}

/* Slower workers first; of equal ones the smaller rank, and where the trace gives no ranks the
 * smaller number. */
static int compare_workers(const void *x, const void *y, void *workers)
{
    const struct hc_worker *a = (const struct hc_worker *)workers + *(const int32_t *)x;
    const struct hc_worker *b = (const struct hc_worker *)workers + *(const int32_t *)y;
    if (a->slowdown != b->slowdown)
        return a->slowdown > b->slowdown ? -1 : 1;
    if (a->rank != b->rank)
        return a->rank > b->rank ? 1 : -1;
    return (a > b) - (a < b);
}

static enum hc_status choose_slowest(struct hc_whatif_analysis *a, uint8_t *chosen)
{
    struct hc_whatif_result *r = a->result;
    r->slowest = hc_new_array(r->n_workers, sizeof *r->slowest, a->err);
    if (!r->slowest)
        return a->err->status;
    for (size_t i = 0; i < r->n_workers; i++)
        r->slowest[i] = (int32_t)i;
    qsort_r(r->slowest, r->n_workers, sizeof *r->slowest, compare_workers, r->workers);
    r->n_slowest = (3 * r->n_workers + 99) / 100;
    for (size_t i = 0; i < r->n_slowest; i++)
        chosen[r->slowest[i]] = 1;
    return HC_OK;
}

static enum hc_status explain_workers(struct hc_whatif_analysis *a)
{
    struct hc_whatif_result *r = a->result;
    size_t n = r->n_steps;
    a->slowest_chosen = hc_new_array(r->n_workers, 1, a->err);
    a->slowest_ideal_span_ns = hc_new_array(n, sizeof *a->slowest_ideal_span_ns, a->err);
    a->slowest_traced_span_ns = hc_new_array(n, sizeof *a->slowest_traced_span_ns, a->err);
    if (!a->slowest_chosen || !a->slowest_ideal_span_ns || !a->slowest_traced_span_ns ||
        choose_slowest(a, a->slowest_chosen))
        return a->err->status;
    struct hc_counterfactual counterfactuals[] = {
        {.kind = HC_SWEEP_WORKERS_IDEAL, .span_ns = a->slowest_ideal_span_ns},
        {.kind = HC_SWEEP_WORKERS_TRACED, .span_ns = a->slowest_traced_span_ns}};
    a->sweeps.chosen = a->slowest_chosen;
    if (hc_counterfactuals_run(&a->sweeps, counterfactuals, 2, a->err))
        return a->err->status;
    hc_explain(&r->m_w, r, a->slowest_ideal_span_ns, a->slowest_traced_span_ns);
    return HC_OK;
}

enum hc_status hc_workers_find(struct hc_whatif_analysis *analysis)
{
    enum hc_status status = list_workers(analysis);
    bool is_split = analysis->result->blocking[HC_BY_STAGE].n_groups > 0;
    return status == HC_OK && is_split ? explain_workers(analysis) : status;
}
