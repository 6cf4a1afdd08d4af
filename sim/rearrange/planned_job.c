#include "sim/rearrange/planned_job.h"

#include "core/base/memory.h"

#include <stdlib.h>
#include <string.h>

static void delays_fini(struct hc_lane_rows *delays, const struct hc_step_lanes *lanes)
{
    for (size_t i = 0; delays->duration && i < lanes->n_structures; i++) {
        for (size_t k = 0; delays->duration[i] && k < lanes->structures[i].n_blocks; k++)
            free(delays->duration[i][k]);
        free(delays->duration[i]);
    }
    free(delays->duration);
}

void hc_planned_job_fini(struct hc_planned_job *job)
{
    if (job->base)
        delays_fini(&job->delays, &job->base->lanes);
    hc_replay_base_free(job->base);
    *job = (struct hc_planned_job){.base = NULL};
}

/* Workers that are those of the trace have its ranks, and ran where these did. */
static enum hc_status name_workers(struct hc_replay_base *base, const struct hc_replay_base *from,
                                   struct hc_error *err)
{
    bool is_same = base->lanes.dp_size == from->lanes.dp_size &&
                   base->lanes.n_stages == from->lanes.n_stages && from->rank;
    base->n_workers = (size_t)base->lanes.dp_size * (size_t)base->lanes.n_stages;
    base->rank = hc_new_array(base->n_workers, sizeof *base->rank, err);
    for (size_t w = 0; w < base->n_workers && base->rank; w++)
        base->rank[w] = is_same ? from->rank[w] : HC_MISSING_I32;
    if (!base->rank)
        return err->status;
    if (!is_same || !from->places.n_hosts)
        return HC_OK;
    return hc_job_places_find(&base->places, &from->job, base->rank, base->n_workers, err);
}

static enum hc_status copy_steps(struct hc_step_lanes *to, const struct hc_step_lanes *from,
                                 struct hc_error *err)
{
    size_t n_structures = 0;
    for (size_t i = 0; i < from->n_structures; i++)
        n_structures += from->structures[i].n_blocks > 0;
    to->steps = hc_new_array(from->n_steps, sizeof *to->steps, err);
    to->traced_ns = hc_new_array(from->n_steps, sizeof *to->traced_ns, err);
    to->structures = hc_new_array(n_structures, sizeof *to->structures, err);
    if (!to->steps || !to->traced_ns || !to->structures)
        return err->status;
    to->n_steps = from->n_steps;
    to->n_structures = n_structures;
    memcpy(to->steps, from->steps, from->n_steps * sizeof *to->steps);
    memcpy(to->traced_ns, from->traced_ns, from->n_steps * sizeof *to->traced_ns);
    return HC_OK;
}

enum hc_status hc_planned_job_start(struct hc_planned_job *job, const struct hc_edited_lanes *lanes,
                                    int32_t dp_size, int32_t n_stages, struct hc_error *err)
{
    const struct hc_replay_base *from = lanes->base;
    *job = (struct hc_planned_job){.base = hc_new_array(1, sizeof *job->base, err)};
    if (!job->base)
        return err->status;
    job->base->job.absent_ops = from->job.absent_ops;
    job->base->hides_waiting = from->hides_waiting;
    job->base->lanes.dp_size = dp_size;
    job->base->lanes.n_stages = n_stages;
    job->base->lanes.has_negative = lanes->has_negative;
    if (copy_steps(&job->base->lanes, &from->lanes, err))
        return err->status;
    if (lanes->delays.duration &&
        !(job->delays.duration =
              hc_new_array(job->base->lanes.n_structures, sizeof *job->delays.duration, err)))
        return err->status;
    return name_workers(job->base, from, err);
}

enum hc_status hc_planned_job_check_size(struct hc_planned_job *job, size_t n_ops, size_t n_lanes,
                                         struct hc_error *err)
{
    int64_t n = (int64_t)n_ops * (int64_t)n_lanes; /* both below 2^31 */
    job->base->lanes.n_rows += n;
    if (n <= HC_PLAN_MAX_DURATIONS && job->base->lanes.n_rows <= HC_PLAN_MAX_DURATIONS)
        return HC_OK;
    return hc_fail(err, HC_BAD_INPUT,
                   "the steps would have more than %lld ops in all: take fewer of them "
                   "('steps' of 'input')",
                   (long long)HC_PLAN_MAX_DURATIONS);
}

enum hc_status hc_planned_block_new(struct hc_lane_block *block, size_t n_ops, size_t n_steps,
                                    int32_t dp_size, struct hc_error *err)
{
    block->n_steps = n_steps;
    block->n_lanes = n_steps * (size_t)dp_size;
    block->stride = (block->n_lanes + 7) / 8 * 8;
    block->step = hc_new_array(n_steps, sizeof *block->step, err);
    block->duration = hc_new_aligned(n_ops * block->stride, sizeof *block->duration, err);
    return block->step && block->duration ? HC_OK : err->status;
}
