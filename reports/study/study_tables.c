/* Tables that every study has: its figures, the points of its sweep, what was tried for `find`. */
#include "reports/study/study_tables.h"

#include "core/base/text_layout.h"
#include "reports/study/study_sections.h"
#include "study/run/study_numbers.h"
#include "study/run/study_ranges.h"

#include <math.h>
#include <string.h>

#define MAX_AXES      8
#define MAX_SWEPT     12 /* figures of the sweep, in HTML */
#define VALUE_WIDTH   24
#define NARROWEST     4
#define WIDEST        24
#define FIGURES_WIDTH 31

static void add_column(struct hc_study_listing *table, struct hc_section_column column)
{
    table->column[table->section.n_columns++] = column;
}

static void add_value(struct hc_section *section, const struct hc_study_value *value,
                      const char *unit)
{
    char text[HC_STUDY_NUMBER], html[HC_STUDY_TEXT];
    hc_section_forms(section, hc_study_value_text(value, text),
                     hc_study_html_value(value, unit, html));
}

/* ---- figures ---- */

/* What one replica may meet: "89.4 to 93.2 %". */
static void put_between(struct hc_section *section, const struct hc_study_spread *spread,
                        const char *unit)
{
    char text[HC_STUDY_TEXT];
    struct hc_study_value ends = {NAN, NAN, NAN, NAN};
    if (spread && spread->n_replicas >= HC_STUDY_LEAST_SPREAD)
        ends = (struct hc_study_value){spread->p50.mean, spread->p05.mean, spread->p95.mean, NAN};
    const char *range = hc_study_html_interval(&ends, unit, text);
    hc_section_text(section, range ? range : "");
}

void hc_study_figures_table(struct hc_study_listing *table, const struct hc_study_result *result,
                            bool only_reported)
{
    static const struct hc_section_column columns[] = {
        {.html_title = "key", .width = 20},
        {.html_title = "figure", .only = HC_HTML_ONLY},
        {.html_title = "mean", .width = FIGURES_WIDTH, .is_whole = true, .is_number = true},
        {.html_title = "5 % to 95 % of replicas", .is_right = true, .only = HC_HTML_ONLY},
        {.html_title = "what it is", .gap = 2},
    };
    struct hc_section *section = &table->section;
    *section = (struct hc_section){.columns = columns, .n_columns = 5};
    for (size_t c = 0; c < result->n_columns; c++) {
        const struct hc_study_column *column = &result->column[c];
        const struct hc_study_value *value = &result->run[0].value[c];
        char text[HC_STUDY_NUMBER], unit[HC_NUMBER_TEXT], all[2 * HC_STUDY_NUMBER],
            html[HC_STUDY_TEXT];
        if (only_reported && !column->is_reported)
            continue;
        hc_section_text(section, column->name);
        hc_section_text(section, column->title);
        snprintf(all, sizeof all, "%s%s", hc_study_value_text(value, text),
                 hc_study_unit_text(isfinite(value->mean) ? column->unit : "", unit));
        hc_section_forms(section, all, hc_study_html_value(value, column->unit, html));
        put_between(section, result->run[0].spread ? &result->run[0].spread[c] : NULL,
                    column->unit);
        hc_section_prose(section, column->help ? column->help : "");
    }
}

/* ---- spreads ---- */

/* "wall time (d)": ranges have numbers without units. */
static const char *title_with_unit(const struct hc_study_column *column, char text[HC_STUDY_TEXT])
{
    bool has_unit = column->unit[0] && strcmp(column->unit, "share") != 0;
    snprintf(text, HC_STUDY_TEXT, "%s%s%s%s", column->title, has_unit ? " (" : "",
             has_unit ? column->unit : "", has_unit ? ")" : "");
    return text;
}

static void add_range(struct hc_section *section, const struct hc_study_result *result, size_t c,
                      size_t run, const struct hc_study_range *range)
{
    char name[64], html[HC_STUDY_TEXT];
    const struct hc_study_value ends = {(range->low + range->high) / 2, range->low, range->high,
                                        NAN};
    hc_section_text(section, result->run[run].name);
    hc_section_text(section, title_with_unit(&result->column[c], html));
    hc_section_text(section, hc_study_range_name(result, range->kind, name));
    hc_section_text(section, hc_study_html_interval(&ends, result->column[c].unit, html));
}

void hc_study_spreads_table(struct hc_study_listing *table, const struct hc_study_result *result)
{
    static const struct hc_section_column columns[] = {
        {.html_title = "variant"},
        {.html_title = "figure"},
        {.html_title = "spread, the widest first"},
        {.html_title = "from, to", .is_right = true},
    };
    table->section = (struct hc_section){.columns = columns, .n_columns = 4};
    for (size_t i = 0; i < result->order.n_brief; i++)
        for (size_t run = 0; run < result->n_runs; run++) {
            struct hc_study_range range[HC_STUDY_RANGES];
            size_t c = result->order.brief[i], n = hc_study_ranges(&result->run[run], c, range);
            for (size_t k = 0; k < n; k++)
                add_range(&table->section, result, c, run, &range[k]);
        }
}

/* ---- spreads of changes ---- */

bool hc_study_has_difference_inputs(const struct hc_study_result *result)
{
    for (size_t run = 0; run < result->n_runs; run++)
        for (size_t i = 0; result->run[run].difference_inputs && i < result->order.n_compared;
             i++) {
            const struct hc_study_value *range =
                &result->run[run].difference_inputs[result->order.compared[i]];
            if (range->high > range->low)
                return true;
        }
    return false;
}

static void add_change_range(struct hc_section *section, const struct hc_study_result *result,
                             size_t c, size_t run, const struct hc_study_range *range)
{
    char text[HC_STUDY_NUMBER], name[64], html[HC_STUDY_TEXT];
    const struct hc_study_value ends = {(range->low + range->high) / 2, range->low, range->high,
                                        NAN};
    hc_study_range_text(range->low, range->high, text);
    hc_section_text(section, result->run[run].name);
    hc_section_forms(section, result->column[c].name, title_with_unit(&result->column[c], html));
    hc_section_text(section, hc_study_range_name(result, range->kind, name));
    hc_section_forms(
        section, text,
        hc_study_html_interval(&ends, hc_study_html_change_unit(result->column[c].unit), html));
}

void hc_study_changes_table(struct hc_study_listing *table, const struct hc_study_result *result)
{
    static const struct hc_section_column columns[] = {
        {.html_title = "variant", .width = 22},
        {.html_title = "figure", .gap = 2, .width = 18},
        {.html_title = "spread, the widest first", .gap = 2, .width = 12},
        {.html_title = "change from, to", .gap = 2, .is_right = true, .width = 24},
    };
    table->section = (struct hc_section){.columns = columns, .n_columns = 4, .indent = 2};
    for (size_t run = 0; run < result->n_runs; run++)
        for (size_t i = 0; i < result->order.n_compared && result->run[run].difference; i++) {
            struct hc_study_range range[HC_STUDY_RANGES];
            size_t c = result->order.compared[i],
                   n = hc_study_difference_ranges(&result->run[run], c, range);
            for (size_t k = 0; k < n; k++)
                add_change_range(&table->section, result, c, run, &range[k]);
        }
}

/* ---- points of the sweep ---- */

/* The last token of a pointer. */
static const char *short_name(const char *path)
{
    const char *slash = strrchr(path, '/');
    return slash ? slash + 1 : path;
}

static int axis_width(const struct hc_study_axis *axis)
{
    size_t width = hc_text_columns(short_name(axis->path));
    for (size_t i = 0; i < axis->n; i++) {
        size_t columns = hc_text_columns(axis->label[i]);
        width = columns > width ? columns : width;
    }
    return (int)(width > WIDEST ? WIDEST : width < NARROWEST ? NARROWEST : width);
}

static bool is_among(const size_t *columns, size_t n, size_t column)
{
    for (size_t i = 0; i < n; i++)
        if (columns[i] == column)
            return true;
    return false;
}

size_t hc_study_points_figures(const struct hc_study_result *result)
{
    return result->order.n_swept < MAX_SWEPT ? result->order.n_swept : MAX_SWEPT;
}

/* What the text shows comes first; more of what varies is shown in HTML. */
static size_t choose(const struct hc_study_result *result, size_t figure[])
{
    const struct hc_study_order *order = &result->order;
    size_t n = 0;
    for (size_t i = 0; i < order->n_brief; i++)
        figure[n++] = order->brief[i];
    for (size_t i = 0; i < hc_study_points_figures(result); i++)
        if (!is_among(order->brief, order->n_brief, order->swept[i]))
            figure[n++] = order->swept[i];
    return n;
}

static void add_point(struct hc_section *section, const struct hc_study_result *result,
                      const size_t *figure, size_t n_figures, size_t at)
{
    const struct hc_study_cell *cell = &result->cell[at];
    char n[HC_NUMBER_TEXT], of[HC_NUMBER_TEXT], text[2 * HC_NUMBER_TEXT + 4];
    hc_section_text(section, result->run[at / result->n_points].name);
    for (size_t a = 0, below = result->n_points; a < result->n_axes && a < MAX_AXES; a++) {
        below /= result->axis[a].n;
        hc_section_text(section,
                        result->axis[a].label[at % result->n_points / below % result->axis[a].n]);
    }
    for (size_t i = 0; i < n_figures; i++)
        add_value(section, &cell->value[figure[i]], result->column[figure[i]].unit);
    snprintf(text, sizeof text, cell->n_unfinished ? "%s of %s" : "0",
             hc_format_count((int64_t)cell->n_unfinished, n),
             hc_format_count((int64_t)cell->n_replicas, of));
    hc_section_text(section, text);
}

void hc_study_points_table(struct hc_study_listing *table, const struct hc_study_result *result,
                           const size_t *cells, size_t n)
{
    const struct hc_study_order *order = &result->order;
    size_t figure[HC_STUDY_BRIEF + MAX_SWEPT], n_figures = choose(result, figure);
    table->section = (struct hc_section){.columns = table->column, .indent = 2};
    add_column(table,
               (struct hc_section_column){.title = "variant",
                                          .only = result->n_runs > 1 ? HC_HTML_ONLY : HC_NO_VIEW});
    for (size_t a = 0; a < result->n_axes && a < MAX_AXES; a++)
        add_column(table, (struct hc_section_column){.title = short_name(result->axis[a].path),
                                                     .html_title = result->axis[a].path,
                                                     .gap = a > 0 ? 2 : 0,
                                                     .width = axis_width(&result->axis[a]),
                                                     .is_number = true});
    for (size_t i = 0; i < n_figures; i++) {
        bool is_swept = is_among(order->swept, hc_study_points_figures(result), figure[i]);
        add_column(table, (struct hc_section_column){.title = result->column[figure[i]].name,
                                                     .html_title = result->column[figure[i]].title,
                                                     .gap = 2,
                                                     .width = VALUE_WIDTH,
                                                     .is_whole = true,
                                                     .is_number = true,
                                                     .only = i >= order->n_brief ? HC_HTML_ONLY
                                                             : is_swept          ? HC_BOTH_VIEWS
                                                                                 : HC_TEXT_ONLY});
    }
    add_column(table, (struct hc_section_column){
                          .title = "not finished", .is_number = true, .only = HC_HTML_ONLY});
    for (size_t i = 0; i < n; i++)
        add_point(&table->section, result, figure, n_figures, cells[i]);
}

/* ---- what was tried ---- */

void hc_study_tries_table(struct hc_study_listing *table, const struct hc_study_result *result,
                          size_t most)
{
    const struct hc_study_found *found = &result->found;
    const struct hc_study_column *column =
        found->column == HC_STUDY_NONE ? NULL : &result->column[found->column];
    table->section = (struct hc_section){.columns = table->column, .indent = 2};
    add_column(table, (struct hc_section_column){
                          .html_title = found->path, .width = 14, .is_right = true});
    add_column(table, (struct hc_section_column){.html_title = column ? column->title : "figure",
                                                 .gap = 2,
                                                 .width = VALUE_WIDTH,
                                                 .is_whole = true,
                                                 .is_number = true});
    add_column(table, (struct hc_section_column){.html_title = "condition holds", .gap = 2});
    for (size_t i = 0; i < found->n_tries && i < most; i++) {
        const struct hc_study_try *try = &found->tries[i];
        char number[HC_NUMBER_TEXT], text[64], html[HC_STUDY_TEXT];
        hc_section_forms(&table->section, hc_study_number_text(try->number, number),
                         hc_study_html_given(try->number, found->unit, html));
        add_value(&table->section, &try->value, column ? column->unit : "");
        /* How far from its bound the value is, where the digits beside do not tell. */
        snprintf(text, sizeof text, "%s%s%s", try->holds ? "holds" : "does not hold",
                 try->is_near ? ", by " : "",
                 try->is_near ? hc_study_number_text(try->margin, number) : "");
        hc_section_forms(&table->section, text, try->holds ? "yes" : "no");
    }
}
