/* Tables of a study: variants against each other, points of a sweep, values tried, a tornado. */
#include "reports/study/study_text_sections.h"

#include "core/base/printable.h"
#include "core/base/text_layout.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#define NAME_WIDTH   22
#define VALUE_WIDTH  26
#define MOST_POINTS  100 /* of a sweep that are printed; JSON and CSV have them all */
#define MOST_FIGURES 4   /* of a point */
#define BAR_WIDTH    30  /* of half a tornado */

/* ---- comparison ---- */

/* "-0.91 +- 0.03 (-0.98 %)", and whether it could be nought. */
static void put_difference(FILE *stream, const struct hc_study_value *difference, double base)
{
    char text[HC_STUDY_NUMBER], percent[HC_NUMBER_TEXT], all[2 * HC_STUDY_NUMBER];
    hc_study_change_text(difference, text);
    if (isfinite(difference->mean) && base != 0 && isfinite(base))
        snprintf(all, sizeof all, "%s (%s%s)%s", text, difference->mean / base > 0 ? "+" : "",
                 hc_format_percent(difference->mean / base, percent),
                 hc_study_is_clear(difference) ? "" : " ?");
    else
        snprintf(all, sizeof all, "%s%s", text, hc_study_is_clear(difference) ? "" : " ?");
    fprintf(stream, " %s", all);
}

static void put_compared(const struct hc_study_result *result, size_t column, FILE *stream)
{
    char text[HC_STUDY_NUMBER];
    double base = result->run[result->compare_base].value[column].mean;
    for (size_t i = 0; i < result->n_runs; i++) {
        const struct hc_study_run *run = &result->run[i];
        fprintf(stream, "  ");
        hc_study_text_cell(stream, run->name, NAME_WIDTH);
        hc_study_value_text(&run->value[column], text);
        if (run->difference) {
            hc_study_text_number(stream, text, VALUE_WIDTH);
            put_difference(stream, &run->difference[column], base);
        } else {
            fprintf(stream, "%s", text);
        }
        if (run->interaction)
            fprintf(stream, ", interaction %s%s",
                    hc_study_change_text(&run->interaction[column], text),
                    hc_study_is_clear(&run->interaction[column]) ? "" : " ?");
        fprintf(stream, "\n");
    }
}

void hc_study_text_compare(const struct hc_study_result *result, FILE *stream)
{
    if (!result->is_compared)
        return;
    fputs("\nagainst '", stream);
    hc_show_text(stream, result->run[result->compare_base].name);
    fprintf(stream, "', %s (?: could be nought)\n",
            result->common_random_numbers ? "replica by replica with the same faults"
                                          : "each with faults of its own");
    for (size_t i = 0; i < result->order.n_compared; i++) {
        const struct hc_study_column *column = &result->column[result->order.compared[i]];
        fprintf(stream, "%s: %s\n", column->name, column->help);
        put_compared(result, result->order.compared[i], stream);
    }
}

/* ---- sweep ---- */

/* The figures that are shown of a point: those that the scenario names, else the first of all. */
static size_t choose_figures(const struct hc_study_result *result, size_t chosen[MOST_FIGURES])
{
    static const char *const usual[] = {"ettr", "wall_d", "total_gpu_h"};
    size_t n = 0, n_reported = 0;
    for (size_t i = 0; i < result->n_columns; i++)
        n_reported += result->column[i].is_reported;
    bool is_usual = n_reported > MOST_FIGURES;
    for (size_t i = 0; i < result->n_columns && n < MOST_FIGURES; i++) {
        bool is_shown = !is_usual && result->column[i].is_reported;
        for (size_t k = 0; k < 3 && is_usual; k++)
            is_shown = is_shown || strcmp(result->column[i].name, usual[k]) == 0;
        if (is_shown)
            chosen[n++] = i;
    }
    return n;
}

/* The last token of a pointer. */
static const char *short_name(const char *path)
{
    const char *slash = strrchr(path, '/');
    return slash ? slash + 1 : path;
}

static size_t axis_width(const struct hc_study_axis *axis)
{
    size_t width = hc_text_columns(short_name(axis->path));
    for (size_t i = 0; i < axis->n; i++) {
        size_t columns = hc_text_columns(axis->label[i]);
        width = columns > width ? columns : width;
    }
    return width > 24 ? 24 : width < 4 ? 4 : width;
}

static void put_labels(const struct hc_study_result *result, size_t point, FILE *stream)
{
    size_t after = result->n_points;
    fprintf(stream, "  ");
    for (size_t k = 0; k < result->n_axes; k++) {
        const struct hc_study_axis *axis = &result->axis[k];
        after /= axis->n;
        hc_study_text_cell(stream, axis->label[point / after % axis->n], axis_width(axis));
        fprintf(stream, "  ");
    }
}

static void put_points(const struct hc_study_result *result, size_t run, FILE *stream)
{
    size_t chosen[MOST_FIGURES], n = choose_figures(result, chosen);
    char text[HC_STUDY_NUMBER];
    for (size_t point = 0; point < result->n_points && point < MOST_POINTS; point++) {
        const struct hc_study_cell *cell = &result->cell[run * result->n_points + point];
        put_labels(result, point, stream);
        for (size_t i = 0; i < n; i++) {
            hc_study_value_text(&cell->value[chosen[i]], text);
            if (i + 1 < n)
                hc_study_text_number(stream, text, VALUE_WIDTH);
            else
                fprintf(stream, "%s\n", text);
        }
    }
    if (result->n_points > MOST_POINTS)
        fprintf(stream, "  and %zu more, which --json and --csv list\n",
                result->n_points - MOST_POINTS);
}

void hc_study_text_sweep(const struct hc_study_result *result, FILE *stream)
{
    size_t chosen[MOST_FIGURES], n = choose_figures(result, chosen);
    for (size_t run = 0; run < result->n_runs && result->n_points; run++) {
        fputs(result->n_runs > 1 ? "\nsweep of '" : "\nsweep", stream);
        hc_show_text(stream, result->n_runs > 1 ? result->run[run].name : "");
        fputs(result->n_runs > 1 ? "'\n  " : "\n  ", stream);
        for (size_t k = 0; k < result->n_axes; k++) {
            hc_study_text_cell(stream, short_name(result->axis[k].path),
                               axis_width(&result->axis[k]));
            fprintf(stream, "  ");
        }
        for (size_t i = 0; i + 1 < n; i++)
            hc_study_text_cell(stream, result->column[chosen[i]].name, VALUE_WIDTH);
        fprintf(stream, "%s\n", n ? result->column[chosen[n - 1]].name : "");
        put_points(result, run, stream);
    }
}

/* ---- what was tried ---- */

/* ", by 0.00002": how far from its bound the value is, where the digits beside do not tell. */
static void put_margin(FILE *stream, const struct hc_study_try *try)
{
    char number[HC_NUMBER_TEXT];
    if (try->is_near)
        fprintf(stream, ", by %s", hc_study_number_text(try->margin, number));
}

void hc_study_text_tries(const struct hc_study_result *result, FILE *stream)
{
    const struct hc_study_found *found = &result->found;
    char number[HC_NUMBER_TEXT], value[HC_STUDY_NUMBER];
    if (!found->is_asked)
        return;
    fputs("\ntried for ", stream);
    hc_show_text(stream, found->such_that);
    fputc('\n', stream);
    for (size_t i = 0; i < found->n_tries; i++) {
        fprintf(stream, "  %*s  ", 14, hc_study_number_text(found->tries[i].number, number));
        hc_study_text_number(stream, hc_study_value_text(&found->tries[i].value, value),
                             VALUE_WIDTH);
        fprintf(stream, "%s", found->tries[i].holds ? "holds" : "does not hold");
        put_margin(stream, &found->tries[i]);
        fprintf(stream, "\n");
    }
}

/* ---- tornado ---- */

struct scale {
    double from, to;
};

static struct scale scale_of(const struct hc_study_result *result)
{
    struct scale scale = {INFINITY, -INFINITY};
    for (size_t i = 0; i < result->n_bars; i++) {
        const double ends[] = {result->bar[i].at_low.mean, result->bar[i].at_high.mean};
        for (size_t k = 0; k < 2; k++) {
            scale.from = ends[k] < scale.from ? ends[k] : scale.from;
            scale.to = ends[k] > scale.to ? ends[k] : scale.to;
        }
    }
    return scale;
}

static size_t place_of(const struct scale *scale, double value)
{
    double span = scale->to - scale->from;
    if (!isfinite(value) || !(span > 0))
        return 0;
    return (size_t)((value - scale->from) / span * (2 * BAR_WIDTH - 1) + 0.5);
}

/* '=' from end to end; 'l' and 'h' are where the low and the high value lead. */
static void put_bar(FILE *stream, const struct scale *scale, const struct hc_study_bar *bar)
{
    char text[2 * BAR_WIDTH + 1];
    size_t low = place_of(scale, bar->at_low.mean), high = place_of(scale, bar->at_high.mean);
    size_t from = low < high ? low : high, to = low < high ? high : low;
    memset(text, ' ', sizeof text);
    memset(text + from, '=', to - from + 1);
    text[low] = 'l';
    text[high] = low == high ? '|' : 'h';
    text[to + 1] = '\0';
    fprintf(stream, "    %s\n", text);
}

void hc_study_text_tornado(const struct hc_study_result *result, FILE *stream)
{
    struct scale scale = scale_of(result);
    char low[HC_NUMBER_TEXT], high[HC_NUMBER_TEXT], at_low[HC_STUDY_NUMBER],
        at_high[HC_STUDY_NUMBER], base[HC_NUMBER_TEXT];
    if (!result->bar_column)
        return;
    fprintf(stream, "\nwhat moves %s, widest first (l: at the low value, h: at the high one)\n",
            result->bar_column->name);
    for (size_t i = 0; i < result->n_bars; i++) {
        const struct hc_study_bar *bar = &result->bar[i];
        fputs("  ", stream);
        hc_show_text(stream, bar->path);
        fprintf(stream, ": %s at %s, %s at %s", hc_study_value_text(&bar->at_low, at_low),
                hc_study_number_text(bar->low, low), hc_study_value_text(&bar->at_high, at_high),
                hc_study_number_text(bar->high, high));
        if (isfinite(bar->base))
            fprintf(stream, " (now %s)", hc_study_number_text(bar->base, base));
        fprintf(stream, "\n");
        put_bar(stream, &scale, bar);
    }
}
