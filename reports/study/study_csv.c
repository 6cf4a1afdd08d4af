#include "reports/study/study_views.h"

/* Tables of a study for spreadsheets and data frames. A table that has nothing to show has its
 * header all the same, so that a directory always holds the same files. */
#include "core/text/csv_writer.h"
#include "reports/study/study_engine_views.h"

#include <math.h>

static void put_value(struct hc_csv *csv, const struct hc_study_value *value)
{
    static const struct hc_study_value none = {NAN, NAN, NAN, NAN};
    const struct hc_study_value *v = value ? value : &none;
    hc_csv_real(csv, v->mean);
    hc_csv_real(csv, v->low);
    hc_csv_real(csv, v->high);
}

/* "ettr", "ettr_low", "ettr_high" as fields of a header. */
static void put_names(struct hc_csv *csv, const char *name)
{
    char text[80];
    hc_csv_text(csv, name);
    snprintf(text, sizeof text, "%s_low", name);
    hc_csv_text(csv, text);
    snprintf(text, sizeof text, "%s_high", name);
    hc_csv_text(csv, text);
}

/* ---- runs ---- */

static void write_runs(const struct hc_study_result *result, FILE *stream)
{
    struct hc_csv csv;
    hc_csv_start(&csv, stream, "run,figure,unit,mean,low,high,sd,replicas");
    for (size_t run = 0; run < result->n_runs; run++)
        for (size_t i = 0; i < result->n_columns; i++) {
            hc_csv_text(&csv, result->run[run].name);
            hc_csv_text(&csv, result->column[i].name);
            hc_csv_text(&csv, result->column[i].unit);
            put_value(&csv, &result->run[run].value[i]);
            hc_csv_real(&csv, result->run[run].value[i].sd);
            hc_csv_i64(&csv, (int64_t)result->run[run].n_replicas);
            hc_csv_end(&csv);
        }
}

static void write_comparison(const struct hc_study_result *result, FILE *stream)
{
    struct hc_csv csv;
    hc_csv_start(&csv, stream,
                 "run,base,figure,unit,difference,difference_low,difference_high,interaction,"
                 "interaction_low,interaction_high");
    for (size_t k = 0; k < result->n_runs; k++) {
        const struct hc_study_run *run = &result->run[k];
        for (size_t i = 0; i < result->n_columns && run->difference; i++) {
            hc_csv_text(&csv, run->name);
            hc_csv_text(&csv, result->run[result->compare_base].name);
            hc_csv_text(&csv, result->column[i].name);
            hc_csv_text(&csv, result->column[i].unit);
            put_value(&csv, &run->difference[i]);
            put_value(&csv, run->interaction ? &run->interaction[i] : NULL);
            hc_csv_end(&csv);
        }
    }
}

/* ---- points ---- */

static void put_point(struct hc_csv *csv, const struct hc_study_result *result, size_t run,
                      size_t point)
{
    const struct hc_study_cell *cell = &result->cell[run * result->n_points + point];
    size_t after = result->n_points;
    hc_csv_text(csv, result->run[run].name);
    for (size_t k = 0; k < result->n_axes; k++) {
        after /= result->axis[k].n;
        hc_csv_text(csv, result->axis[k].label[point / after % result->axis[k].n]);
    }
    hc_csv_i64(csv, (int64_t)cell->n_replicas);
    hc_csv_i64(csv, (int64_t)cell->n_unfinished);
    for (size_t i = 0; i < result->n_columns; i++)
        put_value(csv, &cell->value[i]);
    hc_csv_end(csv);
}

static void write_sweep(const struct hc_study_result *result, FILE *stream)
{
    struct hc_csv csv = {.stream = stream};
    hc_csv_text(&csv, "run");
    for (size_t k = 0; k < result->n_axes; k++)
        hc_csv_text(&csv, result->axis[k].path);
    hc_csv_text(&csv, "replicas");
    hc_csv_text(&csv, "unfinished");
    for (size_t i = 0; i < result->n_columns; i++)
        put_names(&csv, result->column[i].name);
    hc_csv_end(&csv);
    for (size_t run = 0; run < result->n_runs; run++)
        for (size_t point = 0; point < result->n_points; point++)
            put_point(&csv, result, run, point);
}

/* ---- what was tried ---- */

static void write_find(const struct hc_study_result *result, FILE *stream)
{
    const struct hc_study_found *found = &result->found;
    struct hc_csv csv;
    hc_csv_start(&csv, stream, "path,value,mean,low,high,holds,found");
    for (size_t i = 0; i < found->n_tries; i++) {
        const struct hc_study_try *try = &found->tries[i];
        hc_csv_text(&csv, found->path);
        hc_csv_real(&csv, try->number);
        put_value(&csv, &try->value);
        hc_csv_bool(&csv, try->holds);
        hc_csv_bool(&csv, found->is_found && try->number == found->number);
        hc_csv_end(&csv);
    }
}

static void write_sensitivity(const struct hc_study_result *result, FILE *stream)
{
    struct hc_csv csv;
    hc_csv_start(&csv, stream,
                 "path,unit,figure,base,low,high,at_low,at_low_low,at_low_high,at_high,at_high_low,"
                 "at_high_high");
    for (size_t i = 0; i < result->n_bars; i++) {
        const struct hc_study_bar *bar = &result->bar[i];
        hc_csv_text(&csv, bar->path);
        hc_csv_text(&csv, bar->unit);
        hc_csv_text(&csv, result->bar_column->name);
        hc_csv_real(&csv, bar->base);
        hc_csv_real(&csv, bar->low);
        hc_csv_real(&csv, bar->high);
        put_value(&csv, &bar->at_low);
        put_value(&csv, &bar->at_high);
        hc_csv_end(&csv);
    }
}

/* ---- all tables ---- */

/* Tables of every study; those of its engine stand between the two groups. */
static const struct hc_study_csv first[] = {{"runs", write_runs}, {"comparison", write_comparison}};
static const struct hc_study_csv last[] = {
    {"sweep", write_sweep}, {"find", write_find}, {"sensitivity", write_sensitivity}};

const struct hc_study_csv *hc_study_csv_at(const struct hc_study_result *result, size_t i)
{
    const struct hc_study_engine_views *views = hc_study_views_of(result);
    const size_t n_first = sizeof first / sizeof *first, n_engine = views ? views->n_csv : 0;
    if (i < n_first)
        return &first[i];
    i -= n_first;
    if (i < n_engine)
        return &views->csv[i];
    i -= n_engine;
    return i < sizeof last / sizeof *last ? &last[i] : NULL;
}

void hc_study_write_csv(const struct hc_study_result *result, FILE *stream)
{
    if (result->n_points)
        write_sweep(result, stream);
    else
        write_runs(result, stream);
}
