#include "reports/study/study_views.h"

#include "reports/study/study_engine_views.h"

#include <inttypes.h>

/* ---- runs ---- */

static void write_run(struct hc_json_writer *json, const struct hc_study_result *result,
                      const struct hc_study_run *run)
{
    const struct hc_study_engine_views *views = hc_study_views_of(result);
    hc_json_object(json, NULL);
    hc_json_text(json, "name", run->name);
    hc_json_array_line(json, "combines");
    for (size_t i = 0; i < run->n_combines; i++)
        hc_json_text(json, NULL, run->combines[i]);
    hc_json_end(json);
    hc_json_i64(json, "replicas", (int64_t)run->n_replicas);
    hc_json_i64(json, "finished", (int64_t)run->n_finished);
    if (views)
        views->json_counts(json, run);
    hc_study_json_values(json, "figures", result, run->value);
    hc_study_json_values(json, "difference", result, run->difference);
    hc_study_json_values(json, "interaction", result, run->interaction);
    if (views)
        views->json_run(json, result, run);
    hc_study_write_sections_json(run, json);
    hc_json_end(json);
}

/* ---- sweep, find, sensitivity ---- */

static void write_column_names(struct hc_json_writer *json, const char *key,
                               const struct hc_study_result *result, const size_t *columns,
                               size_t n)
{
    hc_json_array_line(json, key);
    for (size_t i = 0; i < n; i++)
        hc_json_text(json, NULL, result->column[columns[i]].name);
    hc_json_end(json);
}

static void write_axes(struct hc_json_writer *json, const struct hc_study_result *result)
{
    hc_json_array(json, "axes");
    for (size_t i = 0; i < result->n_axes; i++) {
        const struct hc_study_axis *axis = &result->axis[i];
        hc_json_object(json, NULL);
        hc_json_text(json, "path", axis->path);
        hc_json_text(json, "unit", axis->unit);
        hc_json_array_line(json, "values");
        for (size_t k = 0; k < axis->n; k++)
            hc_json_text(json, NULL, axis->label[k]);
        hc_json_end(json);
        hc_json_text(json, "base", axis->base == HC_STUDY_NONE ? NULL : axis->label[axis->base]);
        hc_json_end(json);
    }
    hc_json_end(json);
}

static void write_cell(struct hc_json_writer *json, const struct hc_study_result *result,
                       size_t run, size_t point)
{
    const struct hc_study_cell *cell = &result->cell[run * result->n_points + point];
    size_t place[64], rest = point;
    for (size_t k = result->n_axes; k-- > 0;) {
        place[k] = rest % result->axis[k].n;
        rest /= result->axis[k].n;
    }
    hc_json_object(json, NULL);
    hc_json_text(json, "run", result->run[run].name);
    hc_json_array_line(json, "at");
    for (size_t k = 0; k < result->n_axes; k++)
        hc_json_text(json, NULL, result->axis[k].label[place[k]]);
    hc_json_end(json);
    hc_json_i64(json, "replicas", (int64_t)cell->n_replicas);
    hc_json_i64(json, "unfinished", (int64_t)cell->n_unfinished);
    hc_study_json_values(json, "figures", result, cell->value);
    hc_json_end(json);
}

static void write_sweep(struct hc_json_writer *json, const struct hc_study_result *result)
{
    if (!result->n_points) {
        hc_json_null(json, "sweep");
        return;
    }
    hc_json_object(json, "sweep");
    write_axes(json, result);
    hc_json_array(json, "points");
    for (size_t run = 0; run < result->n_runs; run++)
        for (size_t point = 0; point < result->n_points; point++)
            write_cell(json, result, run, point);
    hc_json_end(json);
    write_column_names(json, "varying", result, result->order.swept, result->order.n_swept);
    hc_json_array_line(json, "best");
    for (size_t i = 0; i < result->order.n_best_cells; i++)
        hc_json_i64(json, NULL, (int64_t)result->order.best_cell[i]);
    hc_json_end(json);
    hc_json_end(json);
}

static void write_proof(struct hc_json_writer *json, const struct hc_study_found *found)
{
    static const char *const proof[] = {[HC_FOUND_ALL_TRIED] = "all_tried",
                                        [HC_FOUND_NEXT_FAILS] = "next_fails",
                                        [HC_FOUND_OF_TRIED] = "of_tried",
                                        [HC_FOUND_ENDS_FAIL] = "ends_fail"};
    hc_json_text(json, "proof", proof[found->proof]);
    if (found->n_untried >= 0)
        hc_json_i64(json, "untried", found->n_untried);
    else
        hc_json_null(json, "untried");
    hc_json_i64(json, "changes", (int64_t)found->n_changes);
}

/* The figures of the other terms, where the condition has several. */
static void write_also(struct hc_json_writer *json, const struct hc_study_result *result,
                       const struct hc_study_try *try)
{
    hc_json_array(json, "also");
    for (size_t i = 1; i < result->found.n_terms; i++) {
        const struct hc_study_column *column = &result->column[result->found.term[i].figure];
        hc_json_object(json, NULL);
        hc_json_text(json, "name", column->name);
        hc_study_json_value(json, "figure", &try->also[i - 1]);
        hc_json_end(json);
    }
    hc_json_end(json);
}

static void write_find(struct hc_json_writer *json, const struct hc_study_result *result)
{
    const struct hc_study_found *found = &result->found;
    if (!found->is_asked) {
        hc_json_null(json, "find");
        return;
    }
    hc_json_object(json, "find");
    hc_json_text(json, "wanted", found->is_smallest ? "smallest" : "largest");
    hc_json_text(json, "path", found->path);
    hc_json_text(json, "unit", found->unit);
    hc_json_text(json, "such_that", found->such_that);
    hc_json_text(json, "figure",
                 found->column == HC_STUDY_NONE ? NULL : result->column[found->column].name);
    hc_json_real(json, "bound", found->bound);
    hc_json_bool(json, "found", found->is_found);
    if (found->is_found)
        hc_json_real(json, "value", found->number);
    else
        hc_json_null(json, "value");
    write_proof(json, found);
    hc_json_array(json, "tries");
    for (size_t i = 0; i < found->n_tries; i++) {
        hc_json_object(json, NULL);
        hc_json_real(json, "value", found->tries[i].number);
        hc_study_json_value(json, "figure", &found->tries[i].value);
        hc_json_bool(json, "holds", found->tries[i].holds);
        hc_json_real(json, "margin", found->tries[i].margin);
        if (found->n_terms > 1)
            write_also(json, result, &found->tries[i]);
        hc_json_end(json);
    }
    hc_json_end(json);
    hc_json_end(json);
}

static void write_sensitivity(struct hc_json_writer *json, const struct hc_study_result *result)
{
    if (!result->bar_column) {
        hc_json_null(json, "sensitivity");
        return;
    }
    hc_json_object(json, "sensitivity");
    hc_json_text(json, "figure", result->bar_column->name);
    hc_json_real(json, "at_base", result->order.bar_base);
    hc_json_array(json, "bars");
    for (size_t i = 0; i < result->n_bars; i++) {
        const struct hc_study_bar *bar = &result->bar[i];
        hc_json_object(json, NULL);
        hc_json_text(json, "path", bar->path);
        hc_json_text(json, "unit", bar->unit);
        hc_json_real(json, "base", bar->base);
        hc_json_real(json, "low", bar->low);
        hc_json_real(json, "high", bar->high);
        hc_study_json_value(json, "at_low", &bar->at_low);
        hc_study_json_value(json, "at_high", &bar->at_high);
        hc_json_end(json);
    }
    hc_json_end(json);
    hc_json_end(json);
}

/* ---- the document ---- */

static void write_head(struct hc_json_writer *json, const struct hc_study_result *result)
{
    hc_json_text(json, "name", result->name);
    hc_json_text(json, "question", result->question);
    hc_json_text(json, "scenario", result->scenario);
    hc_json_array(json, "inputs");
    for (size_t i = 0; i < result->n_inputs; i++) {
        hc_json_object_line(json, NULL);
        hc_json_text(json, "path", result->inputs[i].path);
        hc_json_text(json, "sha256", result->inputs[i].sha256);
        hc_json_end(json);
    }
    hc_json_end(json);
    hc_json_array(json, "notes");
    for (size_t i = 0; i < result->n_notes; i++)
        hc_json_text(json, NULL, result->notes[i]);
    hc_json_end(json);
    hc_json_i64(json, "seed", (int64_t)result->seed);
    hc_json_real(json, "confidence", result->confidence);
    if (result->price_per_gpu_h > 0)
        hc_json_real(json, "price_per_gpu_h", result->price_per_gpu_h);
    else
        hc_json_null(json, "price_per_gpu_h");
}

static void write_columns(struct hc_json_writer *json, const struct hc_study_result *result)
{
    hc_json_array(json, "columns");
    for (size_t i = 0; i < result->n_columns; i++) {
        const struct hc_study_column *column = &result->column[i];
        hc_json_object_line(json, NULL);
        hc_json_text(json, "name", column->name);
        hc_json_text(json, "unit", column->unit);
        hc_json_text(json, "help", column->help);
        hc_json_bool(json, "reported", column->is_reported);
        hc_json_bool(json, "compared", column->is_compared);
        hc_json_text(json, "title", column->title);
        hc_json_text(json, "better", column->is_gain ? "higher" : "lower");
        size_t best = result->order.best_run[i];
        hc_json_text(json, "best_run", best == HC_STUDY_NONE ? NULL : result->run[best].name);
        hc_json_end(json);
    }
    hc_json_end(json);
}

void hc_study_write_json(const struct hc_study_result *result, struct hc_json_writer *json)
{
    if (result->run_id)
        hc_json_text(json, "run_id", result->run_id);
    write_head(json, result);
    write_columns(json, result);
    hc_json_array(json, "runs");
    for (size_t i = 0; i < result->n_runs; i++)
        write_run(json, result, &result->run[i]);
    hc_json_end(json);
    hc_json_object(json, "compare");
    hc_json_bool(json, "compared", result->is_compared);
    hc_json_text(json, "base", result->run[result->compare_base].name);
    hc_json_bool(json, "common_random_numbers", result->common_random_numbers);
    write_column_names(json, "figures", result, result->order.compared, result->order.n_compared);
    hc_json_end(json);
    write_sweep(json, result);
    write_find(json, result);
    write_sensitivity(json, result);
}
