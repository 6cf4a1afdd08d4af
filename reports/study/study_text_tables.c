/* Tables of a study: variants against each other, points of a sweep, values tried, a tornado. */
#include "reports/study/study_comparison.h"
#include "reports/study/study_tables.h"
#include "reports/study/study_text_sections.h"
#include "reports/study/study_winner.h"

#include "core/base/printable.h"
#include "core/base/text_layout.h"
#include "reports/write/text_line.h"

#define MOST_POINTS 100 /* of a sweep that are printed; JSON and CSV have them all */

/* ---- comparison ---- */

static enum hc_status put_compared(const struct hc_study_result *result, FILE *stream,
                                   struct hc_error *err)
{
    struct hc_study_comparison comparison;
    enum hc_status status = hc_study_comparison_init(&comparison, result, err);
    for (size_t i = 0; i < comparison.n_figures && status == HC_OK; i++) {
        const struct hc_study_column *column = &result->column[result->order.compared[i]];
        fprintf(stream, "%s: %s\n", column->name, column->help);
        status = hc_study_comparison_text(stream, &comparison, i, err);
    }
    hc_study_comparison_fini(&comparison);
    if (status == HC_OK && hc_study_has_difference_inputs(result)) {
        struct hc_study_listing table;
        fputs("how sure the changes are, the widest first (inputs: each draw of them against the "
              "same of the base)\n",
              stream);
        hc_study_changes_table(&table, result);
        status = hc_section_print(stream, table.section, err);
    }
    return status;
}

enum hc_status hc_study_text_compare(const struct hc_study_result *result, FILE *stream,
                                     struct hc_error *err)
{
    if (!result->is_compared)
        return HC_OK;
    fputs("\nagainst '", stream);
    hc_show_text(stream, result->run[result->compare_base].name);
    if (result->common_random_numbers)
        fprintf(stream, "', %s by %s with the same %s",
                result->has_given_replicas ? result->one : "replica",
                result->has_given_replicas ? result->one : "replica", result->events);
    else
        fprintf(stream, "', each with %s of its own", result->events);
    fputs(" (?: could be nought)\n", stream);
    return put_compared(result, stream, err);
}

/* ---- sweep ---- */

static enum hc_status put_points(const struct hc_study_result *result, size_t run, FILE *stream,
                                 struct hc_error *err)
{
    size_t cells[MOST_POINTS], n = 0;
    struct hc_study_listing table;
    for (; n < result->n_points && n < MOST_POINTS; n++)
        cells[n] = run * result->n_points + n;
    hc_study_points_table(&table, result, cells, n);
    enum hc_status status = hc_section_print(stream, table.section, err);
    if (result->n_points > n)
        fprintf(stream, "  and %zu more, which --json and --csv list\n", result->n_points - n);
    return status;
}

enum hc_status hc_study_text_sweep(const struct hc_study_result *result, FILE *stream,
                                   struct hc_error *err)
{
    enum hc_status status = HC_OK;
    for (size_t run = 0; run < result->n_runs && result->n_points && status == HC_OK; run++) {
        fputs(result->n_runs > 1 ? "\nsweep of '" : "\nsweep", stream);
        hc_show_text(stream, result->n_runs > 1 ? result->run[run].name : "");
        fputs(result->n_runs > 1 ? "'\n" : "\n", stream);
        status = put_points(result, run, stream, err);
    }
    char best[HC_WINNER_WORDS];
    if (status == HC_OK && *hc_study_best_again(result, best))
        hc_text_wrap(stream, best, 0, 2, HC_TEXT_WIDTH);
    return status;
}

/* ---- what was tried ---- */

enum hc_status hc_study_text_tries(const struct hc_study_result *result, FILE *stream,
                                   struct hc_error *err)
{
    struct hc_study_listing table;
    if (!result->found.is_asked)
        return HC_OK;
    fputs("\ntried for ", stream);
    hc_show_text(stream, result->found.such_that);
    fputc('\n', stream);
    hc_study_tries_table(&table, result, SIZE_MAX);
    return hc_section_print(stream, table.section, err);
}

/* ---- tornado ---- */

enum hc_status hc_study_text_tornado(const struct hc_study_result *result, FILE *stream,
                                     struct hc_error *err)
{
    struct hc_study_listing table;
    if (!result->bar_column)
        return HC_OK;
    fprintf(stream, "\nwhat moves %s, widest first (l: at the low value, h: at the high one)\n",
            result->bar_column->name);
    hc_study_tornado_table(&table, result, SIZE_MAX);
    return hc_section_print(stream, table.section, err);
}
