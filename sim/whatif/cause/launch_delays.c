#include "sim/whatif/cause/launch_delays.h"

#include "core/base/memory.h"
#include "core/base/select.h"

#include <math.h>
#include <stdlib.h>

#define LATE_DEVIATIONS 6.0
/* What late launches of a worker make in a step, over what all launch delays cost the mean step. */
#define LATE_PART 0.1
/* Of normal noise, the standard deviation over the lower quartile of absolute deviations. */
#define QUARTILE_TO_SD (1 / 0.3186)

/* ---- delays ---- */

/* Add up the delays of the ops of each stage: sums [n_stages][stride]. */
static void sum_block(double *sums, const struct hc_step_structure *structure,
                      const struct hc_lane_block *block)
{
    for (size_t p = 0; p < structure->order.n_ops; p++) {
        double *sum = sums + (size_t)structure->stage[p] * block->stride;
        const double *delay = block->delay + p * block->stride;
        for (size_t l = 0; l < block->n_lanes; l++)
            sum[l] += delay[l];
    }
}

static void take_block(struct hc_launch_delays *delays, const double *sums,
                       const struct hc_lane_block *block, const uint32_t *n_ops)
{
    size_t dp_size = delays->n_workers / delays->n_stages;
    for (size_t stage = 0; stage < delays->n_stages; stage++)
        for (size_t l = 0; l < block->n_lanes; l++) {
            size_t worker = l % dp_size * delays->n_stages + stage, step = block->step[l / dp_size];
            delays->mean_ns[worker * delays->n_steps + step] =
                n_ops[stage] ? sums[stage * block->stride + l] / n_ops[stage] : 0;
            delays->n_ops[stage * delays->n_steps + step] = n_ops[stage];
        }
}

static enum hc_status sum_structure(struct hc_launch_delays *delays,
                                    const struct hc_step_structure *structure, struct hc_error *err)
{
    uint32_t *n_ops = hc_new_array(delays->n_stages, sizeof *n_ops, err);
    enum hc_status status = n_ops ? HC_OK : err->status;
    for (size_t p = 0; n_ops && p < structure->order.n_ops; p++)
        n_ops[structure->stage[p]]++;
    for (size_t k = 0; status == HC_OK && k < structure->n_blocks; k++) {
        const struct hc_lane_block *block = &structure->blocks[k];
        double *sums = hc_new_array(delays->n_stages * block->stride, sizeof *sums, err);
        if (!sums) {
            status = err->status;
            break;
        }
        sum_block(sums, structure, block);
        take_block(delays, sums, block, n_ops);
        free(sums);
    }
    free(n_ops);
    return status;
}

/* ---- what is usual ---- */

static enum hc_status find_usual(struct hc_launch_delays *delays, struct hc_error *err)
{
    size_t n = delays->n_workers * delays->n_steps;
    double *values = hc_new_array(n, sizeof *values, err);
    double *medians = hc_new_array(delays->n_workers, sizeof *medians, err);
    enum hc_status status = values && medians ? HC_OK : err->status;
    if (status == HC_OK) {
        for (size_t i = 0; i < n; i++)
            values[i] = delays->mean_ns[i];
        for (size_t w = 0; w < delays->n_workers; w++)
            medians[w] = hc_median(values + w * delays->n_steps, delays->n_steps);
        delays->usual_ns = hc_select(medians, delays->n_workers, (delays->n_workers - 1) / 4);
        for (size_t i = 0; i < n; i++)
            values[i] = fabs(delays->mean_ns[i] - delays->usual_ns);
        delays->noise_ns = QUARTILE_TO_SD * hc_select(values, n, (n - 1) / 4);
    }
    free(values);
    free(medians);
    return status;
}

static void mark_late(struct hc_launch_delays *delays, double cost_ns)
{
    for (size_t w = 0; w < delays->n_workers; w++)
        for (size_t s = 0; s < delays->n_steps; s++) {
            size_t at = w * delays->n_steps + s;
            double beyond_ns = delays->mean_ns[at] - delays->usual_ns;
            double late_ns = beyond_ns * delays->n_ops[w % delays->n_stages * delays->n_steps + s];
            if (beyond_ns <= LATE_DEVIATIONS * delays->noise_ns || late_ns < LATE_PART * cost_ns)
                continue;
            delays->is_late[at] = 1;
            delays->late_ns[w] += late_ns;
        }
}

enum hc_status hc_launch_delays_find(struct hc_launch_delays *delays,
                                     const struct hc_whatif_analysis *analysis)
{
    const struct hc_whatif_result *r = analysis->result;
    struct hc_error *err = analysis->err;
    *delays = (struct hc_launch_delays){
        .n_workers = r->n_workers, .n_stages = (size_t)r->pp_size, .n_steps = r->n_steps};
    delays->mean_ns = hc_new_array(r->n_workers * r->n_steps, sizeof *delays->mean_ns, err);
    delays->n_ops = hc_new_array(delays->n_stages * r->n_steps, sizeof *delays->n_ops, err);
    delays->is_late = hc_new_array(r->n_workers * r->n_steps, sizeof *delays->is_late, err);
    delays->late_ns = hc_new_array(r->n_workers, sizeof *delays->late_ns, err);
    if (!delays->mean_ns || !delays->n_ops || !delays->is_late || !delays->late_ns)
        return err->status;
    for (size_t i = 0; i < analysis->lanes.n_structures; i++)
        if (sum_structure(delays, &analysis->lanes.structures[i], err))
            return err->status;
    if (find_usual(delays, err))
        return err->status;
    mark_late(delays, (r->traced_s - r->replayed_s) * 1e9);
    return HC_OK;
}

void hc_launch_delays_fini(struct hc_launch_delays *delays)
{
    free(delays->mean_ns);
    free(delays->n_ops);
    free(delays->is_late);
    free(delays->late_ns);
    *delays = (struct hc_launch_delays){.n_workers = 0};
}
