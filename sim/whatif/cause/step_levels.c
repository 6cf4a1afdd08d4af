#include "sim/whatif/cause/step_levels.h"

#include "core/base/memory.h"
#include "core/base/select.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* Two series of slow steps are of one culprit when of the steps in which one is slow both are in
 * this part. */
#define SAME_STEPS 0.6

/* ---- medians over the passes of a step ---- */

/* The passes of one kind of a stage, in one structure. */
struct stage_passes {
    size_t n;
    uint32_t *position; /* [n] */
    double *base;       /* [n] ns */
};

static size_t count_of_stage(const struct hc_pass_model *model, int32_t stage,
                             size_t n_microbatches)
{
    size_t n = 0;
    for (size_t line = 0; line < model->pairs->n_lines; line++)
        if (model->pairs->lines[line].stage == stage)
            n += n_microbatches;
    return n;
}

static enum hc_status list_passes(struct stage_passes *passes, const struct hc_pass_model *model,
                                  size_t structure, int32_t stage, enum hc_pass pass,
                                  struct hc_error *err)
{
    const struct hc_pass_layout *layout = &model->pairs->layouts[structure];
    size_t most = count_of_stage(model, stage, layout->n_microbatches);
    *passes = (struct stage_passes){.position = hc_new_array(most + 1, sizeof(uint32_t), err),
                                    .base = hc_new_array(most + 1, sizeof(double), err)};
    if (!passes->position || !passes->base)
        return err->status;
    for (size_t line = 0; line < model->pairs->n_lines; line++)
        for (size_t m = 0; m < layout->n_microbatches; m++) {
            uint32_t at = layout->position[pass][line * layout->n_microbatches + m];
            if (model->pairs->lines[line].stage != stage || at == HC_NO_POSITION)
                continue;
            passes->position[passes->n] = at;
            passes->base[passes->n++] = model->base[pass][line];
        }
    return HC_OK;
}

static void passes_fini(struct stage_passes *passes)
{
    free(passes->position);
    free(passes->base);
}

/* The standard error of the median (of normal values 1.2533 times that of the mean). Overwrites the
 * values. */
static double error_of_median(double *values, size_t n, double median)
{
    for (size_t i = 0; i < n; i++)
        values[i] = fabs(values[i] - median);
    return 1.2533 * HC_MAD_TO_SD * hc_median(values, n) / sqrt((double)n);
}

/* Write the levels of one stage in the steps of one block; a step without passes of this kind has
 * level 1. values: [passes->n] scratch. Returns the mean error of the first level of each step. */
static double fill_block(const struct hc_step_levels *levels, double *own,
                         const struct stage_passes *passes, const struct hc_lane_block *block,
                         double *values)
{
    double errors = 0;
    for (size_t l = 0; l < block->n_lanes; l++) {
        for (size_t i = 0; i < passes->n; i++)
            values[i] = block->duration[passes->position[i] * block->stride + l] / passes->base[i];
        size_t dp_rank = l % levels->dp_size, step = block->step[l / levels->dp_size];
        double level = passes->n ? hc_median(values, passes->n) : 1;
        own[dp_rank * levels->n_stages * levels->n_steps + step] = level;
        if (dp_rank == 0 && passes->n)
            errors += error_of_median(values, passes->n, level);
    }
    return errors / (double)levels->n_steps;
}

static enum hc_status fill_stage(struct hc_step_levels *levels, const struct hc_pass_model *model,
                                 int32_t stage, enum hc_pass pass, struct hc_error *err)
{
    enum hc_status status = HC_OK;
    double *own = levels->part[HC_LEVEL_OWN][pass] + (size_t)stage * levels->n_steps;
    for (size_t i = 0; status == HC_OK && i < model->lanes->n_structures; i++) {
        const struct hc_step_structure *structure = &model->lanes->structures[i];
        struct stage_passes passes;
        status = list_passes(&passes, model, i, stage, pass, err);
        double *values = status ? NULL : hc_new_array(passes.n + 1, sizeof *values, err);
        if (!values)
            status = err->status;
        for (size_t k = 0; status == HC_OK && k < structure->n_blocks; k++) {
            levels->pass_error[pass][stage] +=
                fill_block(levels, own, &passes, &structure->blocks[k], values);
            for (size_t j = 0; j < passes.n; j++)
                levels->work_ns[pass][stage] +=
                    passes.base[j] * (double)structure->blocks[k].n_steps / (double)levels->n_steps;
        }
        free(values);
        passes_fini(&passes);
    }
    return status;
}

static enum hc_status fill_all(struct hc_step_levels *levels, const struct hc_pass_model *model,
                               struct hc_error *err)
{
    enum hc_status status = HC_OK;
#pragma omp parallel for schedule(dynamic)
    for (size_t i = 0; i < levels->n_stages * HC_N_PASSES; i++) {
        struct hc_error own;
        if (fill_stage(levels, model, (int32_t)(i / HC_N_PASSES), (enum hc_pass)(i % HC_N_PASSES),
                       &own)) {
#pragma omp critical(hc_step_levels)
            {
                *err = own;
                status = own.status;
            }
        }
    }
    return status;
}

/* ---- taken apart ---- */

/* Take the median over the dp ranks, or over the stages, out of the own levels of one step and
 * pass, into the part that the stages, or dp ranks, have in common. */
static void polish(struct hc_step_levels *levels, enum hc_level_part part, enum hc_pass pass,
                   size_t step, double *scratch)
{
    bool by_rank = part == HC_LEVEL_DP_RANK;
    size_t n_outer = levels->n_units[part];
    size_t n_inner = by_rank ? levels->n_stages : levels->dp_size;
    double *own = levels->part[HC_LEVEL_OWN][pass];
    for (size_t i = 0; i < n_outer; i++) {
        size_t first = by_rank ? i * levels->n_stages : i;
        size_t stride = by_rank ? 1 : levels->n_stages;
        for (size_t j = 0; j < n_inner; j++)
            scratch[j] = own[(first + j * stride) * levels->n_steps + step];
        double common = n_inner > 1 ? hc_lower_median(scratch, n_inner) : 1;
        if (!(common > 0))
            common = 1;
        levels->part[part][pass][i * levels->n_steps + step] = common;
        for (size_t j = 0; j < n_inner; j++)
            own[(first + j * stride) * levels->n_steps + step] /= common;
    }
}

static void take_apart(struct hc_step_levels *levels, enum hc_pass pass, double *scratch)
{
    size_t n_workers = levels->n_units[HC_LEVEL_OWN];
    double *own = levels->part[HC_LEVEL_OWN][pass];
    for (size_t step = 0; step < levels->n_steps; step++) {
        for (size_t w = 0; w < n_workers; w++)
            scratch[w] = own[w * levels->n_steps + step];
        double job = hc_lower_median(scratch, n_workers);
        if (!(job > 0))
            job = 1;
        levels->part[HC_LEVEL_JOB][pass][step] = job;
        for (size_t w = 0; w < n_workers; w++)
            own[w * levels->n_steps + step] /= job;
        polish(levels, HC_LEVEL_DP_RANK, pass, step, scratch);
        polish(levels, HC_LEVEL_STAGE, pass, step, scratch);
    }
}

/* ---- all together ---- */

static enum hc_status allocate(struct hc_step_levels *levels, struct hc_error *err)
{
    for (int p = 0; p < HC_N_PASSES; p++) {
        levels->work_ns[p] = hc_new_array(levels->n_stages, sizeof(double), err);
        levels->pass_error[p] = hc_new_array(levels->n_stages, sizeof(double), err);
        if (!levels->work_ns[p] || !levels->pass_error[p])
            return err->status;
        for (int part = 0; part < HC_N_LEVEL_PARTS; part++) {
            size_t n = levels->n_units[part] * levels->n_steps;
            levels->part[part][p] = hc_new_array(n, sizeof(double), err);
            if (!levels->part[part][p])
                return err->status;
        }
    }
    return HC_OK;
}

enum hc_status hc_step_levels_find(struct hc_step_levels *levels, const struct hc_pass_model *model,
                                   struct hc_error *err)
{
    size_t dp_size = (size_t)model->lanes->dp_size, n_stages = (size_t)model->lanes->n_stages;
    *levels = (struct hc_step_levels){.n_steps = model->lanes->n_steps,
                                      .dp_size = dp_size,
                                      .n_stages = n_stages,
                                      .n_units = {1, dp_size, n_stages, dp_size * n_stages}};
    double *scratch = hc_new_array(dp_size * n_stages, sizeof *scratch, err);
    enum hc_status status = scratch ? allocate(levels, err) : err->status;
    if (status == HC_OK)
        status = fill_all(levels, model, err);
    for (int p = 0; status == HC_OK && p < HC_N_PASSES; p++)
        take_apart(levels, (enum hc_pass)p, scratch);
    free(scratch);
    if (status)
        hc_step_levels_fini(levels);
    return status;
}

double hc_worker_level(const struct hc_step_levels *levels, size_t worker, size_t step, int pass)
{
    size_t n = levels->n_steps, dp_rank = worker / levels->n_stages;
    size_t stage = worker % levels->n_stages;
    return levels->part[HC_LEVEL_DP_RANK][pass][dp_rank * n + step] *
           levels->part[HC_LEVEL_STAGE][pass][stage * n + step] *
           levels->part[HC_LEVEL_OWN][pass][worker * n + step];
}

bool hc_same_steps(const uint8_t *a, const uint8_t *b, size_t n)
{
    size_t both = 0, one = 0;
    for (size_t i = 0; i < n; i++) {
        both += a[i] && b[i];
        one += a[i] || b[i];
    }
    return (double)both >= SAME_STEPS * (double)one;
}

void hc_step_levels_fini(struct hc_step_levels *levels)
{
    for (int p = 0; p < HC_N_PASSES; p++) {
        free(levels->work_ns[p]);
        free(levels->pass_error[p]);
        for (int part = 0; part < HC_N_LEVEL_PARTS; part++)
            free(levels->part[part][p]);
    }
    memset(levels, 0, sizeof *levels);
}
