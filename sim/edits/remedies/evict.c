/* A worker that was slow for k steps in a row is replaced: from the next step on its ops take what
 * is ideal for their type, and that step takes longer by what a replacement costs. */
#include "sim/edits/applying.h"

#include "core/base/memory.h"
#include "core/base/select.h"

#include <stdlib.h>

struct evicting {
    double *pass_ns;    /* [n_workers][n_steps] time of the passes, as edited so far */
    size_t *since;      /* [n_workers] the step from which on it is another; n_steps: never */
    uint8_t *is_chosen; /* [n_workers] some pass of it is selected */
};

static enum hc_status weigh(struct hc_applying *a, const struct hc_op_row *row, void *context)
{
    struct evicting *e = context;
    const struct hc_replay_base *base = a->lanes->base;
    const struct hc_step_structure *of = hc_applying_structure(a, row);
    size_t dp_size = (size_t)base->lanes.dp_size;
    if (!hc_op_is_pass(of->op_type[row->position]))
        return HC_OK;
    enum hc_selected selected = hc_selection_row(a->selection, row, a->mask);
    const double *now_ns = hc_applying_durations(a, row);
    for (size_t l = 0; l < of->blocks[row->block].n_lanes; l++) {
        size_t worker = hc_replay_worker(base, l % dp_size, of->stage[row->position]);
        size_t step = of->blocks[row->block].step[l / dp_size];
        e->pass_ns[worker * base->lanes.n_steps + step] += now_ns[l];
        e->is_chosen[worker] |= hc_applying_is_meant(a, selected, l);
    }
    return HC_OK;
}

/* The passes of the workers of a stage in a step, of two middle ones the smaller: a worker is held
 * against its peers on other dp ranks. */
static double peers_ns(const struct hc_replay_base *base, const struct evicting *e, size_t stage,
                       size_t step, double *scratch)
{
    size_t dp_size = (size_t)base->lanes.dp_size;
    for (size_t d = 0; d < dp_size; d++)
        scratch[d] =
            e->pass_ns[hc_replay_worker(base, d, (int32_t)stage) * base->lanes.n_steps + step];
    return hc_lower_median(scratch, dp_size);
}

static void judge_stage(struct hc_applying *a, struct evicting *e, size_t stage, double *scratch,
                        int32_t *in_a_row)
{
    const struct hc_replay_base *base = a->lanes->base;
    size_t dp_size = (size_t)base->lanes.dp_size, n_steps = base->lanes.n_steps;
    for (size_t d = 0; d < dp_size; d++)
        in_a_row[d] = 0;
    for (size_t s = 0; s < n_steps; s++) {
        double usual = peers_ns(base, e, stage, s, scratch);
        for (size_t d = 0; d < dp_size; d++) {
            size_t worker = hc_replay_worker(base, d, (int32_t)stage);
            bool is_slow =
                e->pass_ns[worker * n_steps + s] >= a->edit->evict.factor * usual && usual > 0;
            in_a_row[d] = is_slow ? in_a_row[d] + 1 : 0;
            if (in_a_row[d] >= a->edit->evict.after_steps && e->since[worker] == n_steps &&
                e->is_chosen[worker])
                e->since[worker] = s + 1 < n_steps ? s + 1 : n_steps + 1;
        }
    }
}

static enum hc_status judge(struct hc_applying *a, struct evicting *e)
{
    const struct hc_replay_base *base = a->lanes->base;
    size_t dp_size = (size_t)base->lanes.dp_size;
    double *scratch = hc_new_array(dp_size, sizeof *scratch, a->err);
    int32_t *in_a_row = hc_new_array(dp_size, sizeof *in_a_row, a->err);
    for (size_t w = 0; w < base->n_workers; w++)
        e->since[w] = base->lanes.n_steps;
    for (size_t stage = 0; stage < (size_t)base->lanes.n_stages && scratch && in_a_row; stage++)
        judge_stage(a, e, stage, scratch, in_a_row);
    bool all = scratch && in_a_row;
    free(scratch);
    free(in_a_row);
    return all ? HC_OK : a->err->status;
}

static enum hc_status replace(struct hc_applying *a, const struct hc_op_row *row, void *context)
{
    const struct evicting *e = context;
    const struct hc_replay_base *base = a->lanes->base;
    const struct hc_step_structure *of = hc_applying_structure(a, row);
    size_t dp_size = (size_t)base->lanes.dp_size;
    double ideal_ns = (double)base->ideals.duration_ns[of->op_type[row->position]];
    for (size_t l = 0; l < of->blocks[row->block].n_lanes; l++) {
        size_t worker = hc_replay_worker(base, l % dp_size, of->stage[row->position]);
        if (of->blocks[row->block].step[l / dp_size] >= e->since[worker] &&
            hc_applying_put(a, row, l, ideal_ns))
            return a->err->status;
    }
    return HC_OK;
}

enum hc_status hc_apply_evict(struct hc_applying *a)
{
    const struct hc_replay_base *base = a->lanes->base;
    size_t n_steps = base->lanes.n_steps;
    struct evicting e = {.pass_ns = hc_new_array(base->n_workers * n_steps, sizeof(double), a->err),
                         .since = hc_new_array(base->n_workers, sizeof(size_t), a->err),
                         .is_chosen = hc_new_array(base->n_workers, 1, a->err)};
    enum hc_status status = HC_INTERNAL;
    if (e.pass_ns && e.since && e.is_chosen)
        status = hc_applying_each_row(a, weigh, &e);
    if (!status)
        status = judge(a, &e);
    if (!status)
        status = hc_applying_each_row(a, replace, &e);
    for (size_t w = 0; w < base->n_workers && !status; w++)
        if (e.since[w] < n_steps)
            a->lanes->extra_ns[e.since[w]] += hc_whole_ns(a->edit->evict.cost_s * HC_NS_PER_S);
    free(e.pass_ns);
    free(e.since);
    free(e.is_chosen);
    return status;
}
