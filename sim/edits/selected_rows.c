#include "sim/edits/selected_rows.h"

#include "core/base/memory.h"

#include <stdlib.h>
#include <string.h>

struct finding {
    struct hc_selected_rows *rows;
    const struct hc_replay_base *base;
    struct hc_selection *selection;
    uint8_t *mask, *other; /* [HC_SELECTOR_MASKS][n_lanes of the widest block] each */
    bool with_pairs;
    size_t n_last; /* lanes of the last mask that was kept; 0: none */
    struct hc_error *err;
};

/* Lay over mask what is selected of another op of the same node. */
static enum hc_selected add_other(struct finding *f, enum hc_selected selected,
                                  const struct hc_op_row *other, size_t n_lanes)
{
    enum hc_selected also = hc_selection_row(f->selection, other, f->other);
    if (selected == HC_SELECTED_ALL || also == HC_SELECTED_NONE)
        return selected;
    if (selected == HC_SELECTED_NONE && also == HC_SELECTED_SOME)
        memcpy(f->mask, f->other, n_lanes);
    for (size_t l = 0; l < n_lanes && selected == HC_SELECTED_SOME && also == HC_SELECTED_SOME; l++)
        f->mask[l] |= f->other[l];
    return also;
}

static enum hc_selected select_row(struct finding *f, const struct hc_op_order_node *node,
                                   const struct hc_op_row *row)
{
    const struct hc_step_structure *of = &f->base->lanes.structures[row->structure];
    enum hc_selected selected = hc_selection_row(f->selection, row, f->mask);
    bool is_pair = f->with_pairs && !node->is_synced && hc_op_is_p2p(of->op_type[row->position]);
    for (uint32_t m = 0; m < node->n_ops && is_pair; m++) {
        struct hc_op_row other = *row;
        other.position = node->first_position + m;
        if (other.position != row->position)
            selected = add_other(f, selected, &other, of->blocks[row->block].n_lanes);
    }
    return selected;
}

/* Whether the mask at hand is that of the row of a mask before it, as it is of a worker. */
static bool is_last_mask(const struct finding *f, size_t n)
{
    const struct hc_selected_rows *rows = f->rows;
    return f->n_last == n && memcmp(rows->masks + rows->n_masks - n, f->mask, n) == 0;
}

/* The lanes of the mask at hand, and itself. */
static enum hc_status keep_lanes(struct finding *f, struct hc_selected_row *row, size_t n)
{
    struct hc_selected_rows *rows = f->rows;
    row->is_as_before = is_last_mask(f, n);
    if (row->is_as_before)
        return HC_OK;
    if (hc_reserve(&rows->masks, &rows->masks_room, rows->n_masks + n, 1, f->err) ||
        hc_reserve(&rows->lanes, &rows->lanes_room, rows->n_lanes + n, sizeof *rows->lanes, f->err))
        return f->err->status;
    memcpy(rows->masks + rows->n_masks, f->mask, n);
    rows->n_masks += n;
    f->n_last = n;
    row->n_meant = 0;
    for (size_t l = 0; l < n; l++)
        if (f->mask[l])
            rows->lanes[rows->n_lanes + row->n_meant++] = (uint32_t)l;
    rows->n_lanes += row->n_meant;
    return HC_OK;
}

static enum hc_status keep_row(struct finding *f, const struct hc_op_row *row,
                               enum hc_selected selected)
{
    struct hc_selected_rows *rows = f->rows;
    size_t n = f->base->lanes.structures[row->structure].blocks[row->block].n_lanes;
    if (hc_reserve(&rows->rows, &rows->room, rows->n + 1, sizeof *rows->rows, f->err))
        return f->err->status;
    struct hc_selected_row *kept = &rows->rows[rows->n++];
    *kept = (struct hc_selected_row){.row = *row, .n_meant = n};
    if (selected == HC_SELECTED_ALL)
        return HC_OK;
    kept->mask = f->mask; /* of some lanes, until all masks are there */
    return keep_lanes(f, kept, n);
}

/* Masks and lists of lanes move while they grow: rows are told where theirs stand at the end. */
static void place_lanes(struct finding *f)
{
    const uint8_t *next_mask = f->rows->masks;
    const uint32_t *next_lane = f->rows->lanes;
    const struct hc_selected_row *last = NULL;
    for (size_t r = 0; r < f->rows->n; r++) {
        struct hc_selected_row *row = &f->rows->rows[r];
        if (!row->mask)
            continue;
        if (row->is_as_before) {
            row->mask = last->mask;
            row->lane = last->lane;
            row->n_meant = last->n_meant;
        } else {
            row->mask = next_mask;
            row->lane = next_lane;
            next_mask +=
                f->base->lanes.structures[row->row.structure].blocks[row->row.block].n_lanes;
            next_lane += row->n_meant;
        }
        last = row;
    }
}

static enum hc_status find_all(struct finding *f)
{
    const struct hc_step_lanes *lanes = &f->base->lanes;
    for (size_t i = 0; i < lanes->n_structures; i++)
        for (size_t k = 0; k < lanes->structures[i].n_blocks; k++)
            for (size_t j = 0; j < lanes->structures[i].order.n_nodes; j++) {
                const struct hc_op_order_node *node = &lanes->structures[i].order.nodes[j];
                for (uint32_t m = 0; m < node->n_ops; m++) {
                    const struct hc_op_row row = {i, k, node->first_position + m};
                    enum hc_selected selected = select_row(f, node, &row);
                    if (selected && keep_row(f, &row, selected))
                        return f->err->status;
                }
            }
    place_lanes(f);
    return HC_OK;
}

enum hc_status hc_selected_rows_find(struct hc_selected_rows *rows,
                                     const struct hc_selector *selector,
                                     const struct hc_replay_base *base,
                                     const struct hc_edit_draws *draws, bool with_pairs,
                                     struct hc_error *err)
{
    size_t n = HC_SELECTOR_MASKS * hc_replay_widest(base);
    struct finding f = {.rows = rows,
                        .base = base,
                        .mask = hc_new_array(2 * n, 1, err),
                        .with_pairs = with_pairs,
                        .err = err};
    f.other = f.mask ? f.mask + n : NULL;
    enum hc_status status =
        f.mask ? hc_selection_new(&f.selection, selector, base, draws, err) : err->status;
    if (!status)
        status = find_all(&f);
    hc_selection_free(f.selection);
    free(f.mask);
    return status;
}

void hc_selected_rows_fini(struct hc_selected_rows *rows)
{
    free(rows->rows);
    free(rows->masks);
    free(rows->lanes);
    *rows = (struct hc_selected_rows){.n = 0};
}
