/* excess.c - sums and means over steps, and the excess that a set of ops explains: what the parts
 * of a what-if have in common, below all of them. */
#include "sim/whatif/whatif_analysis.h"

#include <math.h>

#define NS_PER_S 1e9

double hc_sum_ns(const int64_t *values, size_t n)
{
    double sum = 0;
    for (size_t i = 0; i < n; i++)
        sum += (double)values[i];
    return sum;
}

double hc_mean_s(const int64_t *values, size_t n)
{
    return hc_sum_ns(values, n) / (double)n / NS_PER_S;
}

double hc_whatif_excess_s(const struct hc_whatif_result *result)
{
    int64_t n_ops = 0;
    for (int type = 0; type < HC_N_OP_TYPES; type++)
        n_ops += result->n_by_type[type];
    double excess_s = result->replayed_s - result->ideal_s;
    double rounding_s = 0.5e-9 * (double)n_ops / (double)result->n_steps;
    bool is_enough = excess_s > rounding_s && excess_s >= HC_LEAST_EXCESS * result->ideal_s;
    return is_enough ? excess_s : NAN;
}

void hc_explain(struct hc_explained *e, const struct hc_whatif_result *r, const int64_t *removed_ns,
                const int64_t *added_ns)
{
    e->done = true;
    e->removed_s = hc_mean_s(removed_ns, r->n_steps);
    e->added_s = hc_mean_s(added_ns, r->n_steps);
    e->replayed_s = r->replayed_s;
    e->ideal_s = r->ideal_s;
    double excess_s = hc_whatif_excess_s(r);
    e->rem = (e->replayed_s - e->removed_s) / excess_s;
    e->add = (e->added_s - e->ideal_s) / excess_s;
}

void hc_explained_forget(struct hc_explained *explained)
{
    explained->rem = explained->add = NAN;
}

struct hc_explained_shares hc_explained_of_any_excess(const struct hc_explained *explained)
{
    struct hc_explained_shares shares = {explained->rem, explained->add};
    double excess_s = explained->replayed_s - explained->ideal_s;
    if (isnan(shares.rem) && excess_s != 0) {
        shares.rem = (explained->replayed_s - explained->removed_s) / excess_s;
        shares.add = (explained->added_s - explained->ideal_s) / excess_s;
    }
    return shares;
}
