/* slow_rows.c - how slow a worker is, step by step, as the parts of the pass model look it up. */
#include "sim/whatif/cause/slow_map.h"

const double *hc_pass_slow_row(const struct hc_pass_model *model, enum hc_pass pass, int32_t stage,
                               size_t dp_rank)
{
    const struct hc_slow_map *slow = model->slow;
    size_t worker = dp_rank * (size_t)model->lanes->n_stages + (size_t)stage;
    if (!slow || !(slow->passes[worker] & 1 << pass))
        return NULL;
    return slow->level[pass] + worker * slow->n_steps;
}
