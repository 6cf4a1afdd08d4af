/* Transfers hidden behind compute: with an efficiency E, (1 - E) of a transfer stays (Flux, arXiv
 * 2406.06858: E = 1 - exposed time with overlap / without). What is hidden slows the compute of the
 * same worker that it runs beside, and where communication of tensor parallelism is folded into the
 * passes, its share of these shrinks likewise. */
#include "sim/edits/applying.h"

#include "core/base/memory.h"

#include <stdlib.h>

/* By step and worker, ns. */
struct covered {
    size_t n_workers;
    double *hidden, *compute; /* [n_steps * n_workers] */
};

static size_t place_of(const struct hc_applying *a, const struct covered *covered,
                       const struct hc_op_row *row, size_t lane)
{
    const struct hc_replay_base *base = a->lanes->base;
    const struct hc_step_structure *of = hc_applying_structure(a, row);
    size_t dp_size = (size_t)base->lanes.dp_size;
    return of->blocks[row->block].step[lane / dp_size] * covered->n_workers +
           hc_replay_worker(base, lane % dp_size, of->stage[row->position]);
}

static enum hc_status hide(struct hc_applying *a, const struct hc_op_row *row, void *context)
{
    struct covered *covered = context;
    const struct hc_step_structure *of = hc_applying_structure(a, row);
    bool is_compute = hc_is_compute(of->op_type[row->position]);
    double efficiency = a->edit->overlap.efficiency, share = a->edit->overlap.tp_comm_share;
    double *now_ns = hc_applying_durations(a, row);
    enum hc_selected selected = hc_selection_row(a->selection, row, a->mask);
    bool is_pass = hc_op_is_pass(of->op_type[row->position]);
    for (size_t l = 0; l < of->blocks[row->block].n_lanes; l++) {
        size_t at = place_of(a, covered, row, l);
        bool is_meant = hc_applying_is_meant(a, selected, l);
        bool is_transfer = is_meant && !is_compute && now_ns[l] > 0;
        double kept_ns = now_ns[l];
        if (is_transfer) {
            kept_ns = now_ns[l] * (1 - efficiency);
            covered->hidden[at] += now_ns[l] - kept_ns;
        } else if (is_meant && is_pass)
            kept_ns = now_ns[l] * (1 - share * efficiency);
        if ((is_transfer || (is_meant && is_pass && share > 0)) &&
            hc_applying_put(a, row, l, hc_whole_ns(kept_ns)))
            return a->err->status;
        if (is_compute)
            covered->compute[at] += now_ns[l];
    }
    return HC_OK;
}

/* Of the compute of a worker as much is slowed as runs beside what was hidden. */
static enum hc_status slow(struct hc_applying *a, const struct hc_op_row *row, void *context)
{
    const struct covered *covered = context;
    const struct hc_step_structure *of = hc_applying_structure(a, row);
    const double *now_ns = hc_applying_durations(a, row);
    int64_t n_selected = *a->n_selected;
    if (!hc_is_compute(of->op_type[row->position]))
        return HC_OK;
    for (size_t l = 0; l < of->blocks[row->block].n_lanes; l++) {
        size_t at = place_of(a, covered, row, l);
        double hidden = covered->hidden[at], compute = covered->compute[at];
        double part = compute > 0 ? (hidden < compute ? hidden : compute) / compute : 0;
        double factor = 1 + (a->edit->overlap.compute_slowdown - 1) * part;
        if (hidden > 0 && hc_applying_put(a, row, l, hc_whole_ns(now_ns[l] * factor)))
            return a->err->status;
    }
    *a->n_selected = n_selected;
    return HC_OK;
}

enum hc_status hc_apply_overlap(struct hc_applying *a)
{
    const struct hc_replay_base *base = a->lanes->base;
    size_t n = base->lanes.n_steps * base->n_workers;
    struct covered covered = {.n_workers = base->n_workers,
                              .hidden = hc_new_array(n, sizeof(double), a->err),
                              .compute = hc_new_array(n, sizeof(double), a->err)};
    enum hc_status status = covered.hidden && covered.compute
                                ? hc_applying_each_row(a, hide, &covered)
                                : a->err->status;
    if (!status && a->edit->overlap.compute_slowdown != 1)
        status = hc_applying_each_row(a, slow, &covered);
    free(covered.hidden);
    free(covered.compute);
    return status;
}
