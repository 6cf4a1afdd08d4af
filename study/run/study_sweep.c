/* The grid of a sweep, for the scenario and each variant. */
#include "study/run/study_work.h"

#include <math.h>
#include <string.h>

struct grid {
    struct hc_study_work *work;
    const char *path[8];
    const struct hc_node *value[8]; /* of the point at hand */
};

static enum hc_status make_spot(void *context, size_t i, struct hc_study_spot *spot,
                                struct hc_error *err)
{
    struct grid *grid = context;
    const struct hc_study *study = grid->work->study;
    size_t point = i % study->n_points;
    (void)err;
    for (size_t k = study->n_sweeps; k-- > 0;) {
        const struct hc_study_sweep *sweep = &study->sweep[k];
        grid->path[k] = sweep->path;
        grid->value[k] = sweep->value[point % sweep->n];
        point /= sweep->n;
    }
    *spot = (struct hc_study_spot){&study->variant[i / study->n_points], study->n_sweeps,
                                   grid->path, grid->value};
    return HC_OK;
}

static size_t n_cells(const struct hc_study_work *work)
{
    return work->study->n_sweeps ? work->study->n_points * work->study->n_variants : 0;
}

enum hc_status hc_study_bind_sweep(struct hc_study_work *work, struct hc_error *err)
{
    struct grid *grid = hc_arena_new(work->arena, sizeof *grid, err);
    if (!grid)
        return err->status;
    grid->work = work;
    work->sweep = (struct hc_study_points){.n = n_cells(work), .make = make_spot, .context = grid};
    return hc_study_bind_spots(work, &work->sweep, err);
}

static enum hc_status find_base(struct hc_study_work *work, const struct hc_study_sweep *sweep,
                                struct hc_study_axis *axis, struct hc_error *err)
{
    struct hc_pointer pointer;
    const struct hc_node *node = hc_pointer_parse(&pointer, sweep->path)
                                     ? hc_pointer_walk(&pointer, pointer.n, work->scenario->root)
                                     : NULL;
    const char *label = node ? hc_study_source_label(work, node, err) : "";
    if (!label)
        return err->status;
    axis->base = HC_STUDY_NONE;
    for (size_t i = 0; node && i < axis->n && axis->base == HC_STUDY_NONE; i++)
        if (node->type == HC_NODE_NUMBER
                ? axis->number[i] == node->number
                : sweep->value[i]->type == node->type && strcmp(axis->label[i], label) == 0)
            axis->base = i;
    return HC_OK;
}

static enum hc_status make_axis(struct hc_study_work *work, const struct hc_study_sweep *sweep,
                                struct hc_study_axis *axis, struct hc_error *err)
{
    const char **label = hc_arena_new(work->arena, sweep->n * sizeof *label, err);
    double *number = hc_arena_new(work->arena, sweep->n * sizeof *number, err);
    if (!label || !number)
        return err->status;
    for (size_t i = 0; i < sweep->n; i++) {
        number[i] = sweep->value[i]->type == HC_NODE_NUMBER ? sweep->value[i]->number : NAN;
        if (!(label[i] = hc_study_source_label(work, sweep->value[i], err)))
            return err->status;
    }
    *axis = (struct hc_study_axis){.path = sweep->path,
                                   .unit = sweep->key->unit ? sweep->key->unit : "",
                                   .n = sweep->n,
                                   .label = label,
                                   .number = number};
    return find_base(work, sweep, axis, err);
}

enum hc_status hc_study_sweep_all(struct hc_study_work *work, struct hc_error *err)
{
    const struct hc_study *study = work->study;
    struct hc_study_result *result = work->result;
    size_t n = work->sweep.n;
    if (!n)
        return HC_OK;
    struct hc_study_axis *axis = hc_arena_new(work->arena, study->n_sweeps * sizeof *axis, err);
    struct hc_study_cell *cell = hc_arena_new(work->arena, n * sizeof *cell, err);
    if (!axis || !cell)
        return err->status;
    for (size_t i = 0; i < study->n_sweeps; i++)
        if (make_axis(work, &study->sweep[i], &axis[i], err))
            return err->status;
    result->axis = axis;
    result->n_axes = study->n_sweeps;
    result->n_points = study->n_points;
    result->cell = cell;
    return hc_study_run_points(work, &work->sweep, cell, err);
}
