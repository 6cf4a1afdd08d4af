#include "sim/rearrange/plan_shape.h"

/* ---- what is asked for ---- */

static enum hc_status find_schedule(struct hc_pass_schedule *schedule,
                                    const struct hc_measured_plan *measured,
                                    const struct hc_rearrangement *to,
                                    struct hc_plan_refusal *refusal, struct hc_error *err)
{
    int32_t kind = to->schedule;
    refusal->member = "schedule";
    if (kind == HC_PLAN_AS_MEASURED)
        kind = to->chunks || measured->n_chunks > 1 ? HC_PLAN_INTERLEAVED : HC_PLAN_1F1B;
    schedule->kind = kind == HC_PLAN_1F1B          ? HC_SCHEDULE_1F1B
                     : kind == HC_PLAN_INTERLEAVED ? HC_SCHEDULE_INTERLEAVED
                                                   : HC_SCHEDULE_GPIPE;
    schedule->n_chunks = 1;
    schedule->backwards_ascend = to->order == HC_PLAN_ASCENDING;
    if (kind != HC_PLAN_INTERLEAVED)
        return HC_OK;
    schedule->n_chunks = to->chunks ? to->chunks : measured->n_chunks;
    if (to->chunks || measured->n_chunks > 1)
        return HC_OK;
    return hc_fail(err, HC_BAD_INPUT,
                   "an interleaved schedule needs 'chunks': the stages of the trace are one chunk "
                   "each, so it does not say how many");
}

static enum hc_status check_division(const struct hc_plan_shape *shape,
                                     struct hc_plan_refusal *refusal, struct hc_error *err)
{
    const struct hc_measured_plan *measured = shape->measured;
    int64_t to = shape->schedule.n_stages, from = measured->n_stages;
    refusal->member = "stages";
    if (to % from && from % to)
        return hc_fail(err, HC_BAD_INPUT,
                       "%d stages cannot be made of %d evenly: one number must divide the other",
                       (int)to, (int)from);
    if (to > 1 && from == 1 && measured->has_type[HC_OPTIMIZER])
        return hc_fail(err, HC_BAD_INPUT,
                       "the trace has one stage: nothing in it tells how long a transfer between "
                       "stages takes");
    int64_t to_all = to * shape->schedule.n_chunks, from_all = from * measured->n_chunks;
    refusal->member = "chunks";
    if (shape->moves_layers && to_all % from_all && from_all % to_all)
        return hc_fail(err, HC_BAD_INPUT,
                       "%lld chunks of the model cannot be made of %lld evenly: one number must "
                       "divide the other",
                       (long long)to_all, (long long)from_all);
    return HC_OK;
}

enum hc_status hc_plan_shape_find(struct hc_plan_shape *shape,
                                  const struct hc_measured_plan *measured,
                                  const struct hc_rearrangement *to,
                                  struct hc_plan_refusal *refusal, struct hc_error *err)
{
    struct hc_pass_schedule *schedule = &shape->schedule;
    *shape =
        (struct hc_plan_shape){.measured = measured, .moves_layers = to->layers == HC_LAYERS_MOVE};
    if (find_schedule(schedule, measured, to, refusal, err))
        return err->status;
    schedule->n_stages = to->stages ? to->stages : measured->n_stages;
    schedule->n_microbatches = to->microbatches ? to->microbatches : measured->n_microbatches;
    if (check_division(shape, refusal, err))
        return err->status;
    if (schedule->n_chunks > 1 && schedule->n_stages == 1) {
        refusal->member = to->chunks ? "chunks" : "stages";
        return hc_fail(err, HC_BAD_INPUT,
                       "one stage alone has nothing to interleave %d chunks with: it needs two "
                       "stages or more",
                       schedule->n_chunks);
    }
    if (schedule->n_chunks > 1 && schedule->n_microbatches % schedule->n_stages) {
        refusal->member = to->microbatches ? "microbatches" : to->stages ? "stages" : "schedule";
        return hc_fail(err, HC_BAD_INPUT,
                       "an interleaved schedule takes microbatches in rounds of %d, one a stage, "
                       "and %d are no whole number of rounds",
                       schedule->n_stages, schedule->n_microbatches);
    }
    refusal->member = "";
    return HC_OK;
}

/* ---- where work comes from ---- */

static struct hc_plan_work moved_work(const struct hc_plan_shape *shape, int32_t at)
{
    int32_t from = shape->measured->n_stages * shape->measured->n_chunks;
    int32_t to = shape->schedule.n_stages * shape->schedule.n_chunks;
    struct hc_plan_work work = {.moves = true, .parts = 1, .chunk_parts = 1};
    work.n_virtual = to <= from ? from / to : 1;
    work.parts = to <= from ? 1 : to / from;
    work.first_virtual = to <= from ? at * work.n_virtual : at / work.parts;
    work.part = at % work.parts;
    return work;
}

struct hc_plan_work hc_plan_work_of(const struct hc_plan_shape *shape, int32_t stage, int32_t chunk)
{
    const struct hc_measured_plan *measured = shape->measured;
    const struct hc_pass_schedule *to = &shape->schedule;
    if (shape->moves_layers)
        return moved_work(shape, chunk * to->n_stages + stage);
    struct hc_plan_work work = {.parts = 1, .chunk_parts = 1};
    work.n_stages = to->n_stages <= measured->n_stages ? measured->n_stages / to->n_stages : 1;
    work.parts = to->n_stages <= measured->n_stages ? 1 : to->n_stages / measured->n_stages;
    work.first_stage =
        to->n_stages <= measured->n_stages ? stage * work.n_stages : stage / work.parts;
    work.part = stage % work.parts;
    bool has_same_chunks = to->n_chunks == measured->n_chunks;
    work.first_chunk = has_same_chunks ? chunk : 0;
    work.n_chunks = has_same_chunks ? 1 : measured->n_chunks;
    work.chunk_parts = has_same_chunks ? 1 : to->n_chunks;
    work.chunk_part = has_same_chunks ? 0 : chunk;
    return work;
}

bool hc_plan_edge(const struct hc_plan_shape *shape, int32_t stage, int32_t chunk, bool is_behind,
                  int32_t *measured_stage, int32_t *measured_chunk)
{
    const struct hc_measured_plan *measured = shape->measured;
    const struct hc_plan_work work = hc_plan_work_of(shape, stage, chunk);
    bool is_inside = is_behind ? work.part + 1 < work.parts : work.part > 0;
    if (is_inside)
        return false;
    if (work.moves) {
        int32_t at = work.first_virtual + (is_behind ? work.n_virtual - 1 : 0);
        *measured_stage = at % measured->n_stages;
        *measured_chunk = at / measured->n_stages;
        return true;
    }
    *measured_stage = work.first_stage + (is_behind ? work.n_stages - 1 : 0);
    *measured_chunk = work.first_chunk;
    if (shape->schedule.n_chunks == measured->n_chunks)
        return true;
    /* Workers keep their work: only neighbours had transfers, and the first chunk has them. */
    return chunk == 0 && (is_behind ? stage + 1 < shape->schedule.n_stages : stage > 0);
}
