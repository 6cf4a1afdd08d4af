/* Tables of a study: variants against each other, points of a sweep, values tried, a tornado. */
#include "reports/study/study_comparison.h"
#include "reports/study/study_tables.h"
#include "reports/study/study_text_sections.h"

#include "core/base/printable.h"

#define MOST_POINTS 100 /* of a sweep that are printed; JSON and CSV have them all */

/* ---- comparison ---- */

static void put_compared(const struct hc_study_result *result, FILE *stream)
{
    struct hc_study_comparison comparison;
    struct hc_error err;
    enum hc_status status = hc_study_comparison_init(&comparison, result, &err);
    for (size_t i = 0; i < comparison.n_figures && status == HC_OK; i++) {
        const struct hc_study_column *column = &result->column[result->order.compared[i]];
        fprintf(stream, "%s: %s\n", column->name, column->help);
        status = hc_study_comparison_text(stream, &comparison, i);
    }
    hc_study_comparison_fini(&comparison);
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
    put_compared(result, stream);
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

void hc_study_text_tornado(const struct hc_study_result *result, FILE *stream)
{
    struct hc_study_listing table;
    if (!result->bar_column)
        return;
    fprintf(stream, "\nwhat moves %s, widest first (l: at the low value, h: at the high one)\n",
            result->bar_column->name);
    hc_study_tornado_table(&table, result, SIZE_MAX);
    hc_section_write_text(stream, &table.section);
    hc_section_fini(&table.section);
}
