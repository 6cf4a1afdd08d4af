/* The variants beside each other: values, differences and interactions. */
#include "reports/page/section_html.h"
#include "reports/study/study_comparison.h"
#include "reports/study/study_engine_views.h"
#include "reports/study/study_sections.h"
#include "reports/study/study_tables.h"
#include "study/run/study_numbers.h"

#include "core/base/memory.h"

#include <math.h>
#include <stdlib.h>

#define MAX_COLUMNS 24
#define MAX_ROWS    16 /* of a chart */
#define MAX_CHARTS  8

static size_t n_compared(const struct hc_study_result *result)
{
    return result->order.n_compared < MAX_COLUMNS ? result->order.n_compared : MAX_COLUMNS;
}

/* ---- tables ---- */

static bool has_differences(const struct hc_study_result *result)
{
    for (size_t r = 0; r < result->n_runs; r++)
        if (result->run[r].difference)
            return true;
    return false;
}

static bool has_interactions(const struct hc_study_result *result)
{
    for (size_t r = 0; r < result->n_runs; r++)
        if (result->run[r].interaction)
            return true;
    return false;
}

static enum hc_status write_tables(FILE *stream, const struct hc_study_result *result, size_t n,
                                   struct hc_study_comparison *comparison)
{
    char differences[HC_STUDY_TEXT * 2];
    snprintf(differences, sizeof differences,
             "Difference from %.100s. Unclear: the interval holds 0. pp: percentage points",
             result->run[result->compare_base].name);
    const struct {
        bool is_there;
        const char *caption;
    } tables[HC_N_COMPARED] = {
        [HC_COMPARED_VALUES] = {true, "Means with their intervals"},
        [HC_COMPARED_DIFFERENCES] = {has_differences(result), differences},
        [HC_COMPARED_INTERACTIONS] = {
            has_interactions(result),
            "Interaction: what a combination brings beyond the sum of its parts"}};
    enum hc_status status = HC_OK;
    for (int what = 0; what < HC_N_COMPARED && status == HC_OK; what++)
        if (tables[what].is_there)
            status = hc_section_write_html(
                stream, hc_study_comparison_table(comparison, what, n, tables[what].caption));
    return status;
}

static enum hc_status compare(FILE *stream, const struct hc_study_result *result, size_t n,
                              struct hc_error *err)
{
    struct hc_study_comparison comparison;
    enum hc_status status = hc_study_comparison_init(&comparison, result, err);
    if (status == HC_OK && write_tables(stream, result, n, &comparison))
        status = hc_fail_memory(err, sizeof comparison);
    hc_study_comparison_fini(&comparison);
    return status;
}

/* ---- charts ---- */

struct rows {
    struct hc_figure_row *range;
    char (*text)[HC_STUDY_TEXT];
};

static size_t fill_rows(struct rows *rows, const struct hc_study_result *result, size_t column,
                        bool is_difference, size_t *n_all)
{
    const struct hc_study_column *c = &result->column[column];
    char number[HC_STUDY_TEXT];
    size_t n = 0;
    *n_all = 0;
    for (size_t r = 0; r < result->n_runs; r++) {
        const struct hc_study_value *values =
            is_difference ? result->run[r].difference : result->run[r].value;
        if (!values || (*n_all)++ >= MAX_ROWS)
            continue;
        const struct hc_study_value *value = &values[column];
        hc_study_html_number(value->mean,
                             is_difference ? hc_study_html_change_unit(c->unit) : c->unit,
                             hc_study_html_half_width(value), number);
        snprintf(rows->text[n], HC_STUDY_TEXT, "%s%.*s",
                 is_difference && value->mean > 0 ? "+" : "", HC_STUDY_TEXT - 2, number);
        rows->range[n] = (struct hc_figure_row){
            .name = result->run[r].name,
            .text = rows->text[n],
            .value = value->mean,
            .low = value->low,
            .high = value->high,
            .color = is_difference && hc_study_is_unclear(value) ? HC_GREY : HC_BLUE};
        n++;
    }
    return n;
}

static enum hc_status draw_column(const struct hc_figure_sink *figures,
                                  const struct hc_study_result *result, struct rows *rows,
                                  size_t column, struct hc_error *err)
{
    const struct hc_study_column *c = &result->column[column];
    bool is_difference = has_differences(result);
    char title[HC_STUDY_TEXT * 2], note[HC_STUDY_TEXT], head[HC_STUDY_TEXT], name[HC_STUDY_TEXT];
    size_t n_all, n = fill_rows(rows, result, column, is_difference, &n_all);
    double size = 0;
    for (size_t i = 0; i < n; i++)
        size = hc_study_html_size(&(struct hc_study_value){rows->range[i].value, rows->range[i].low,
                                                           rows->range[i].high, NAN},
                                  size);
    struct hc_study_column shown = *c;
    if (is_difference)
        shown.unit = hc_study_html_change_unit(c->unit);
    if (is_difference)
        snprintf(title, sizeof title, "%s, difference from %.64s", hc_study_html_head(c, head),
                 result->run[result->compare_base].name);
    else
        snprintf(title, sizeof title, "%s", hc_study_html_head(c, head));
    snprintf(name, sizeof name, "%s-%.100s", is_difference ? "difference" : "variants", c->name);
    snprintf(note, sizeof note, "The first %zu of %zu variants; the tables have all.", n, n_all);
    const struct hc_figure figure = {
        .kind = HC_FIGURE_RANGES,
        .name = name,
        .title = title,
        .note = n < n_all ? note : NULL,
        .x = hc_study_html_axis(&shown, size),
        .n_rules = is_difference,
        .rules = &(struct hc_figure_rule){true, 0, NULL},
        .n_rows = n,
        .rows = rows->range,
    };
    return hc_figure_put(figures, &figure, err);
}

static enum hc_status draw_columns(FILE *stream, const struct hc_figure_sink *figures,
                                   const struct hc_study_result *result, struct hc_error *err)
{
    size_t n = n_compared(result), shown = 0;
    bool is_difference = has_differences(result);
    struct rows rows = {.range = hc_new_array(MAX_ROWS, sizeof *rows.range, err)};
    rows.text = rows.range ? hc_new_array(MAX_ROWS, sizeof *rows.text, err) : NULL;
    enum hc_status status = rows.text ? HC_OK : err->status;
    if (rows.text) {
        hc_html_grid_start(stream);
        for (; shown < n && shown < MAX_CHARTS && status == HC_OK; shown++)
            status = draw_column(figures, result, &rows, result->order.compared[shown], err);
        hc_html_grid_end(stream);
        hc_study_html_remainder(stream, n, shown, "figures as charts");
        if (is_difference)
            hc_html_paragraph(stream, "note",
                              "The line through a dot is its interval. Grey: 0, the dashed line, "
                              "is within it, so that no difference is shown.");
    }
    free(rows.text);
    free(rows.range);
    return status;
}

static enum hc_status write_changes(FILE *stream, const struct hc_study_result *result,
                                    struct hc_error *err)
{
    struct hc_study_listing table;
    hc_html_paragraph(
        stream, NULL,
        "How sure the changes are. Inputs: each draw of what is known of them, against "
        "the same draw of the base.");
    hc_study_changes_table(&table, result);
    return hc_section_print_html(stream, table.section, err);
}

enum hc_status hc_study_html_compare(FILE *stream, const struct hc_figure_sink *figures,
                                     const struct hc_study_result *result, struct hc_error *err)
{
    if (result->n_runs < 2)
        return HC_OK;
    hc_html_section_start(stream, "variants", "Variants");
    const struct hc_study_engine_views *views = hc_study_views_find(result);
    if (views && views->variants_note)
        hc_html_paragraph(stream, NULL, "%s", views->variants_note);
    if (result->is_compared && result->common_random_numbers)
        hc_html_paragraph(stream, NULL,
                          "All variants meet the same events (common random numbers), and "
                          "differences are taken %s by %s.",
                          result->one, result->one);
    enum hc_status status = compare(stream, result, n_compared(result), err);
    hc_study_html_remainder(stream, result->order.n_compared, n_compared(result),
                            "figures that are compared");
    if (status == HC_OK)
        status = draw_columns(stream, figures, result, err);
    if (status == HC_OK && hc_study_has_difference_inputs(result))
        status = write_changes(stream, result, err);
    if (status == HC_OK && views && views->variants)
        status = views->variants(stream, figures, result, err);
    hc_html_section_end(stream);
    return status;
}
