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
    bool by_worker = per == HC_PER_WORKER || per == HC_PER_WORKER_STEP;
    struct place place = {.seed = hc_edit_seed(draws, stream),
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

/* From numbers of blocks, each * 2 of a step, to those of lanes. */
static void spread_numbers(double *to, const double *drawn, size_t n_steps, size_t dp_size,
                           bool by_rank)
{
    size_t each = (dp_size + 1) / 2;
    for (size_t s = 0; s < n_steps; s++)
        for (size_t d = 0; d < dp_size; d++)
            to[s * dp_size + d] = drawn[2 * s * each + (by_rank ? d : 0)];
}

void hc_edit_uniform_row(const struct hc_replay_base *base, const struct hc_edit_draws *draws,
                         uint32_t stream, enum hc_drawn_per per, const struct hc_op_row *row,
                         double *to, double *scratch)
{
    const struct hc_lane_block *lanes = &base->lanes.structures[row->structure].blocks[row->block];
    const struct place place = place_of(base, draws, stream, per, row);
    size_t dp_size = (size_t)base->lanes.dp_size, each = (dp_size + 1) / 2, n = 0;
    uint64_t *block = (uint64_t *)(void *)scratch;
    for (size_t s = 0; s < lanes->n_steps; s++) {
        uint64_t first = block_of(base, &place, base->lanes.steps[lanes->step[s]], 0);
        for (size_t i = 0; i < each; i++)
            block[n++] = first + (place.by_rank ? i : 0);
    }
    /* Pairs of dp ranks are pairs of lanes, unless one has no other. */
    bool is_in_place = place.by_rank && dp_size % 2 == 0;
    double *drawn = is_in_place ? to : scratch + n;
    hc_philox_rows(place.seed, place.stream, block, n, drawn);
    if (!is_in_place)
        spread_numbers(to, drawn, lanes->n_steps, dp_size, place.by_rank);
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
    double pair[2];
    hc_philox_rows(place.seed, place.stream, &block, 1, pair);
    return pair[place.by_rank && dp_rank % 2];
}
