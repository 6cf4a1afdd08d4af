/* pass_rows.c - a loop over all passes, row by row as the lanes hold them, and how slow a worker
 * is, step by step, as the parts of the pass model look it up. */
#include "sim/whatif/cause/slow_map.h"

void hc_pass_rows_of_block(const struct hc_pass_model *model, const struct hc_model_block *block,
                           double *duration, hc_pass_row_fn *visit, void *context)
{
    const struct hc_pass_layout *layout = &model->pairs->layouts[block->structure];
    size_t stride = block->lanes->stride;
    for (int p = 0; p < HC_N_PASSES; p++)
        for (size_t line = 0; line < model->pairs->n_lines; line++)
            for (size_t m = 0; m < layout->n_microbatches; m++) {
                uint32_t position = layout->position[p][line * layout->n_microbatches + m];
                if (position == HC_NO_POSITION)
                    continue;
                struct hc_pass_row row = {.pass = (enum hc_pass)p,
                                          .line = line,
                                          .stage = model->pairs->lines[line].stage,
                                          .position = position,
                                          .block = block,
                                          .center = model->center[p] +
                                                    line * (size_t)model->lanes->dp_size,
                                          .factor = block->factor + m * stride,
                                          .duration = duration + position * stride};
                visit(context, &row);
            }
}

void hc_pass_rows_each(const struct hc_pass_model *model, hc_pass_row_fn *visit, void *context)
{
    for (size_t k = 0; k < model->n_blocks; k++)
        hc_pass_rows_of_block(model, &model->blocks[k], model->blocks[k].lanes->duration, visit,
                              context);
}

const double *hc_pass_slow_row(const struct hc_pass_model *model, enum hc_pass pass, int32_t stage,
                               size_t dp_rank)
{
    const struct hc_slow_map *slow = model->slow;
    size_t worker = dp_rank * (size_t)model->lanes->n_stages + (size_t)stage;
    if (!slow || !(slow->passes[worker] & 1 << pass))
        return NULL;
    return slow->level[pass] + worker * slow->n_steps;
}
