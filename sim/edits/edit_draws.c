/* Random numbers of edits, by place: a block of Philox holds the numbers of two dp ranks. */
#include "sim/edits/selector.h"

#include "core/random/stable_rows.h"

/* The stream of numbers that an op takes part in, and the seed of an edit and draw. */
struct place {
    uint64_t seed, stream;
    bool by_step, by_rank;
};

static struct place place_of(const struct hc_replay_base *base, const struct hc_edit_draws *draws,
                             uint32_t stream, enum hc_drawn_per per, const struct hc_op_row *row)
{
    const struct hc_step_structure *of = &base->lanes.structures[row->structure];
    const struct hc_graph_op *op = &of->graph.ops[of->order.op_at[row->position]];
    uint64_t which = (uint64_t)draws->draw << 32 | stream;
    bool by_worker = per == HC_PER_WORKER || per == HC_PER_WORKER_STEP;
    struct place place = {.seed = draws->seed ^ draws->key ^ which * 0x9E3779B97F4A7C15u,
                          .by_step =
                              per == HC_PER_OP || per == HC_PER_STEP || per == HC_PER_WORKER_STEP,
                          .by_rank = per == HC_PER_OP || by_worker};
    if (per == HC_PER_OP)
        place.stream = hc_graph_op_key(op->op_type, op->seq_id, op->stage) + 1;
    else if (by_worker)
        place.stream = (uint64_t)op->stage + 1;
    return place;
}

static uint64_t block_of(const struct hc_replay_base *base, const struct place *place, int32_t step,
                         size_t dp_rank)
{
    uint64_t each = ((uint64_t)base->lanes.dp_size + 1) / 2;
    return (place->by_step ? (uint64_t)step * each : 0) + (place->by_rank ? dp_rank / 2 : 0);
}

void hc_edit_uniform_row(const struct hc_replay_base *base, const struct hc_edit_draws *draws,
                         uint32_t stream, enum hc_drawn_per per, const struct hc_op_row *row,
                         double *to, double *scratch)
{
    const struct hc_lane_block *lanes = &base->lanes.structures[row->structure].blocks[row->block];
    const struct place place = place_of(base, draws, stream, per, row);
    size_t dp_size = (size_t)base->lanes.dp_size, each = (dp_size + 1) / 2, n = 0;
    double *first = scratch, *second = scratch + lanes->n_lanes;
    uint64_t *block = (uint64_t *)(void *)(scratch + 2 * lanes->n_lanes);
    for (size_t s = 0; s < lanes->n_steps; s++)
        for (size_t i = 0; i < each; i++)
            block[n++] = block_of(base, &place, base->lanes.steps[lanes->step[s]], 2 * i);
    hc_philox_rows(place.seed, place.stream, block, n, first, second);
    for (size_t s = 0; s < lanes->n_steps; s++)
        for (size_t d = 0; d < dp_size; d++) {
            size_t at = s * each + d / 2;
            to[s * dp_size + d] = place.by_rank && d % 2 ? second[at] : first[at];
        }
}

double hc_edit_uniform(const struct hc_replay_base *base, const struct hc_edit_draws *draws,
                       uint32_t stream, enum hc_drawn_per per, const struct hc_op_row *row,
                       size_t lane)
{
    const struct hc_lane_block *lanes = &base->lanes.structures[row->structure].blocks[row->block];
    const struct place place = place_of(base, draws, stream, per, row);
    size_t dp_size = (size_t)base->lanes.dp_size, dp_rank = lane % dp_size;
    uint64_t block =
        block_of(base, &place, base->lanes.steps[lanes->step[lane / dp_size]], dp_rank);
    double first, second;
    hc_philox_rows(place.seed, place.stream, &block, 1, &first, &second);
    return place.by_rank && dp_rank % 2 ? second : first;
}
