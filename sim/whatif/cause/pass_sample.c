/* pass_sample.c - an even sample of the durations of one line of passes (without what the slow
 * steps of its workers add), and a loop over all lines that threads share. */
#include "sim/whatif/cause/cause_search.h"

#include "core/base/memory.h"

static uint32_t position_at(const struct hc_pass_model *model, size_t structure,
                            const struct hc_pass_sample *sample, size_t microbatch)
{
    const struct hc_pass_layout *layout = &model->pairs->layouts[structure];
    return layout->position[sample->pass][sample->line * layout->n_microbatches + microbatch];
}

static void sample_step(struct hc_pass_sample *sample, const struct hc_pass_model *model,
                        const struct hc_model_block *block, size_t microbatch, size_t lane)
{
    size_t dp_size = (size_t)model->lanes->dp_size, stride = block->lanes->stride;
    uint32_t position = position_at(model, block->structure, sample, microbatch);
    const double *row = block->lanes->duration + position * stride + lane;
    const double *center = model->center[sample->pass] + sample->line * dp_size;
    double *value = sample->values + sample->n++;
    int32_t stage = model->pairs->lines[sample->line].stage;
    for (size_t d = 0; d < dp_size; d++) {
        const double *slow = hc_pass_slow_row(model, sample->pass, stage, d);
        double usual = slow ? row[d] / slow[block->lanes->step[lane / dp_size]] : row[d];
        value[d * sample->capacity] =
            sample->is_relative
                ? usual / (center[d] * block->factor[microbatch * stride + lane + d])
                : usual;
    }
}

static size_t count_of_worker(const struct hc_pass_model *model,
                              const struct hc_pass_sample *sample)
{
    size_t n = 0;
    for (size_t k = 0; k < model->n_blocks; k++) {
        const struct hc_model_block *block = &model->blocks[k];
        size_t n_microbatches = model->pairs->layouts[block->structure].n_microbatches;
        for (size_t m = 0; m < n_microbatches; m++)
            if (position_at(model, block->structure, sample, m) != HC_NO_POSITION)
                n += block->lanes->n_steps;
    }
    return n;
}

enum hc_status hc_pass_sample_take(struct hc_pass_sample *sample, const struct hc_pass_model *model,
                                   size_t n_most, struct hc_error *err)
{
    size_t dp_size = (size_t)model->lanes->dp_size;
    /* Take every so many; an odd number, because an even one would meet the same microbatches of
     * every step (their numbers are mostly even). */
    size_t total = count_of_worker(model, sample), every = (total / n_most) | 1, next = 0;
    sample->n = 0;
    sample->capacity = total / every + 1;
    sample->values = hc_new_aligned(dp_size * sample->capacity, sizeof *sample->values, err);
    if (!sample->values)
        return err->status;
    for (size_t k = 0; k < model->n_blocks; k++) {
        const struct hc_model_block *block = &model->blocks[k];
        size_t n_microbatches = model->pairs->layouts[block->structure].n_microbatches;
        for (size_t m = 0; m < n_microbatches; m++) {
            if (position_at(model, block->structure, sample, m) == HC_NO_POSITION)
                continue;
            for (size_t s = 0; s < block->lanes->n_steps; s++)
                if (next++ % every == 0)
                    sample_step(sample, model, block, m, s * dp_size);
        }
    }
    return HC_OK;
}

enum hc_status hc_pass_lines_each(struct hc_pass_model *model, hc_pass_line_fn *find,
                                  struct hc_error *err)
{
    enum hc_status status = HC_OK;
#pragma omp parallel for schedule(dynamic)
    for (size_t i = 0; i < model->pairs->n_lines * HC_N_PASSES; i++) {
        struct hc_error own;
        if (find(model, (enum hc_pass)(i % HC_N_PASSES), i / HC_N_PASSES, &own)) {
#pragma omp critical(hc_pass_lines)
            {
                *err = own;
                status = own.status;
            }
        }
    }
    return status;
}
