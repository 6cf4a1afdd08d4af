/* The variants beside each other: values, differences and interactions. */
#include "reports/study/study_engine_views.h"
#include "reports/study/study_sections.h"

#include "core/base/memory.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#define MAX_COLUMNS 24
#define MAX_ROWS    16 /* of a chart */
#define MAX_CHARTS  8
#define NAME_SIZE   128

struct compared {
    size_t column[MAX_COLUMNS], n, n_all;
};

static struct compared compared_columns(const struct hc_study_order *order)
{
    struct compared compared = {.n_all = order->n_compared};
    compared.n = compared.n_all < MAX_COLUMNS ? compared.n_all : MAX_COLUMNS;
    memcpy(compared.column, order->compared, compared.n * sizeof compared.column[0]);
    return compared;
}

/* ---- tables ---- */

enum kind { VALUES, DIFFERENCES, INTERACTIONS };

static const struct hc_study_value *values_of(const struct hc_study_run *run, enum kind kind)
{
    return kind == VALUES ? run->value : kind == DIFFERENCES ? run->difference : run->interaction;
}

static bool has_any(const struct hc_study_result *result, enum kind kind)
{
    for (size_t r = 0; r < result->n_runs; r++)
        if (values_of(&result->run[r], kind))
            return true;
    return false;
}

/* Whether an interval of a difference has 0 in it; false where there is none. */
static bool is_unclear(const struct hc_study_value *value)
{
    return isfinite(value->mean) && value->low <= 0 && value->high >= 0;
}

static const char *run_name(const struct hc_study_run *run, enum kind kind,
                            char text[NAME_SIZE * 4])
{
    size_t used = 0, size = NAME_SIZE * 4;
    if (kind != INTERACTIONS || run->n_combines == 0)
        return run->name;
    used = (size_t)snprintf(text, size, "%.100s = ", run->name);
    for (size_t i = 0; i < run->n_combines && used + 120 < size; i++)
        used += (size_t)snprintf(text + used, size - used, "%s%.100s", i ? " + " : "",
                                 run->combines[i]);
    return text;
}

static void write_table(FILE *stream, const struct hc_study_result *result,
                        const struct compared *compared, enum kind kind, const char *caption)
{
    struct hc_html_column columns[MAX_COLUMNS + 1] = {{"variant", false}};
    struct hc_html_table table;
    char text[HC_STUDY_TEXT], name[NAME_SIZE * 4];
    if (!has_any(result, kind))
        return;
    for (size_t i = 0; i < compared->n; i++)
        columns[i + 1] = (struct hc_html_column){result->column[compared->column[i]].title, true};
    hc_html_table_start(&table, stream, caption, columns, compared->n + 1);
    for (size_t r = 0; r < result->n_runs; r++) {
        const struct hc_study_value *values = values_of(&result->run[r], kind);
        if (!values)
            continue;
        hc_html_row(&table);
        hc_html_cell(&table, "%s", run_name(&result->run[r], kind, name));
        for (size_t i = 0; i < compared->n; i++) {
            const struct hc_study_value *value = &values[compared->column[i]];
            const char *unit = result->column[compared->column[i]].unit;
            if (kind == VALUES)
                hc_html_cell(&table, "%s", hc_study_html_value(value, unit, text));
            else
                hc_html_cell(&table, "%s%s", hc_study_html_change(value, unit, text),
                             is_unclear(value) ? " unclear" : "");
        }
    }
    hc_html_table_end(&table);
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
            values_of(&result->run[r], is_difference ? DIFFERENCES : VALUES);
        if (!values || (*n_all)++ >= MAX_ROWS)
            continue;
        const struct hc_study_value *value = &values[column];
        hc_study_html_number(value->mean,
                             is_difference ? hc_study_html_change_unit(c->unit) : c->unit,
                             hc_study_html_half_width(value), number);
        snprintf(rows->text[n], HC_STUDY_TEXT, "%s%.*s",
                 is_difference && value->mean > 0 ? "+" : "", HC_STUDY_TEXT - 2, number);
        rows->range[n] =
            (struct hc_figure_row){.name = result->run[r].name,
                                   .text = rows->text[n],
                                   .value = value->mean,
                                   .low = value->low,
                                   .high = value->high,
                                   .color = is_difference && is_unclear(value) ? HC_GREY : HC_BLUE};
        n++;
    }
    return n;
}

static enum hc_status draw_column(const struct hc_figure_sink *figures,
                                  const struct hc_study_result *result, struct rows *rows,
                                  size_t column, struct hc_error *err)
{
    const struct hc_study_column *c = &result->column[column];
    bool is_difference = has_any(result, DIFFERENCES);
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
                                   const struct hc_study_result *result,
                                   const struct compared *compared, struct hc_error *err)
{
    bool is_difference = has_any(result, DIFFERENCES);
    size_t shown = 0;
    struct rows rows = {.range = hc_new_array(MAX_ROWS, sizeof *rows.range, err)};
    rows.text = rows.range ? hc_new_array(MAX_ROWS, sizeof *rows.text, err) : NULL;
    enum hc_status status = rows.text ? HC_OK : err->status;
    if (rows.text) {
        hc_html_grid_start(stream);
        for (; shown < compared->n && shown < MAX_CHARTS && status == HC_OK; shown++)
            status = draw_column(figures, result, &rows, compared->column[shown], err);
        hc_html_grid_end(stream);
        hc_study_html_left_out(stream, compared->n, shown, "figures as charts");
        if (is_difference)
            hc_html_paragraph(stream, "note",
                              "The line through a dot is its interval. Grey: 0, the dashed line, "
                              "is within it, so that no difference is shown.");
    }
    free(rows.text);
    free(rows.range);
    return status;
}

enum hc_status hc_study_html_compare(FILE *stream, const struct hc_figure_sink *figures,
                                     const struct hc_study_result *result, struct hc_error *err)
{
    struct compared compared = compared_columns(&result->order);
    if (result->n_runs < 2)
        return HC_OK;
    hc_html_section_start(stream, "variants", "Variants");
    const struct hc_study_engine_views *views = hc_study_views_of(result);
    if (views && views->variants_note)
        hc_html_paragraph(stream, NULL, "%s", views->variants_note);
    if (result->is_compared && result->common_random_numbers)
        hc_html_paragraph(stream, NULL,
                          "All variants meet the same events (common random numbers), and "
                          "differences are taken %s by %s.",
                          result->one, result->one);
    write_table(stream, result, &compared, VALUES, "Means with their intervals");
    char caption[HC_STUDY_TEXT * 2];
    snprintf(caption, sizeof caption,
             "Difference from %.100s. Unclear: the interval holds 0. pp: percentage points",
             result->run[result->compare_base].name);
    write_table(stream, result, &compared, DIFFERENCES, caption);
    write_table(stream, result, &compared, INTERACTIONS,
                "Interaction: what a combination brings beyond the sum of its parts");
    hc_study_html_left_out(stream, compared.n_all, compared.n, "figures that are compared");
    enum hc_status status = draw_columns(stream, figures, result, &compared, err);
    if (status == HC_OK && views)
        status = views->variants(stream, figures, result, err);
    hc_html_section_end(stream);
    return status;
}
