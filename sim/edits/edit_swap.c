/* Two workers change their durations, op by op. */
#include "sim/edits/applying.h"

#include "core/base/int_map.h"

/* Positions of a stage by what identifies an op within it. */
static enum hc_status index_stage(struct hc_int_map *map, const struct hc_step_structure *of,
                                  int32_t stage, struct hc_error *err)
{
    size_t entry;
    for (size_t p = 0; p < of->order.n_ops; p++) {
        const struct hc_graph_op *op = &of->graph.ops[of->order.op_at[p]];
        if (op->stage == stage &&
            hc_int_map_insert(map, hc_graph_op_key(op->op_type, op->seq_id, 0), (int32_t)p, &entry,
                              err))
            return err->status;
    }
    return HC_OK;
}

static void swap_rows(struct hc_applying *a, const struct hc_op_row *row, size_t other)
{
    const struct hc_step_structure *of = hc_applying_structure(a, row);
    size_t dp_size = (size_t)a->lanes->base->lanes.dp_size;
    struct hc_op_row to = {row->structure, row->block, other};
    double *mine = hc_applying_durations(a, row), *its = hc_applying_durations(a, &to);
    hc_applying_mark(a, row);
    hc_applying_mark(a, &to);
    for (size_t k = 0; k < of->blocks[row->block].n_steps; k++) {
        double *x = &mine[k * dp_size + (size_t)a->edit->swap[0][0]],
               *y = &its[k * dp_size + (size_t)a->edit->swap[1][0]], kept = *x;
        *x = *y;
        *y = kept;
        *a->n_selected += 2;
    }
}

enum hc_status hc_apply_swap(struct hc_applying *a)
{
    const struct hc_step_lanes *lanes = &a->lanes->base->lanes;
    enum hc_status status = HC_OK;
    for (size_t i = 0; i < lanes->n_structures && !status; i++) {
        const struct hc_step_structure *of = &lanes->structures[i];
        struct hc_int_map map = {.n = 0};
        status = index_stage(&map, of, a->edit->swap[1][1], a->err);
        for (size_t p = 0; p < of->order.n_ops && !status; p++) {
            const struct hc_graph_op *op = &of->graph.ops[of->order.op_at[p]];
            int64_t entry = hc_int_map_find(&map, hc_graph_op_key(op->op_type, op->seq_id, 0));
            if (op->stage != a->edit->swap[0][1] || entry < 0 ||
                of->graph.ops[of->order.op_at[map.values[entry]]].model_chunk != op->model_chunk)
                continue;
            for (size_t k = 0; k < of->n_blocks; k++)
                swap_rows(a, &(struct hc_op_row){i, k, p}, (size_t)map.values[entry]);
        }
        hc_int_map_fini(&map);
    }
    return status;
}
