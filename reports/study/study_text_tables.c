/* Tables of a study: variants against each other, points of a sweep, values tried, a tornado. */
#include "reports/study/study_tables.h"
#include "reports/study/study_text_sections.h"

#include "core/base/printable.h"
#include "core/base/text_layout.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#define NAME_WIDTH  22
#define VALUE_WIDTH 26
#define MOST_POINTS 100 /* of a sweep that are printed; JSON and CSV have them all */
#define BAR_WIDTH   30  /* of half a tornado */

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
    if (result->common_random_numbers)
        fprintf(stream, "', replica by replica with the same %s", result->events);
    else
        fprintf(stream, "', each with %s of its own", result->events);
    fputs(" (?: could be nought)\n", stream);
    for (size_t i = 0; i < result->order.n_compared; i++) {
        const struct hc_study_column *column = &result->column[result->order.compared[i]];
        fprintf(stream, "%s: %s\n", column->name, column->help);
        put_compared(result, result->order.compared[i], stream);
    }
}

/* ---- sweep ---- */

static void put_points(const struct hc_study_result *result, size_t run, FILE *stream)
{
    size_t cells[MOST_POINTS], n = 0;
    struct hc_study_listing table;
    for (; n < result->n_points && n < MOST_POINTS; n++)
        cells[n] = run * result->n_points + n;
    hc_study_points_table(&table, result, cells, n);
    hc_section_write_text(stream, &table.section);
    hc_section_fini(&table.section);
    if (result->n_points > n)
        fprintf(stream, "  and %zu more, which --json and --csv list\n", result->n_points - n);
}

void hc_study_text_sweep(const struct hc_study_result *result, FILE *stream)
{
    for (size_t run = 0; run < result->n_runs && result->n_points; run++) {
        fputs(result->n_runs > 1 ? "\nsweep of '" : "\nsweep", stream);
        hc_show_text(stream, result->n_runs > 1 ? result->run[run].name : "");
        fputs(result->n_runs > 1 ? "'\n" : "\n", stream);
        put_points(result, run, stream);
    }
}

/* ---- what was tried ---- */

void hc_study_text_tries(const struct hc_study_result *result, FILE *stream)
{
    struct hc_study_listing table;
    if (!result->found.is_asked)
        return;
    fputs("\ntried for ", stream);
    hc_show_text(stream, result->found.such_that);
    fputc('\n', stream);
    hc_study_tries_table(&table, result, SIZE_MAX);
    hc_section_write_text(stream, &table.section);
    hc_section_fini(&table.section);
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
