/* Variants against each other: filled once, shown as text a figure after the other, and on the page
 * as tables of all figures, one of the values, one of the differences, one of the interactions. */
#include "reports/study/study_comparison.h"

#include "core/base/memory.h"
#include "reports/study/study_sections.h"
#include "study/run/study_numbers.h"

#include <math.h>
#include <stdlib.h>

#define NAME_WIDTH  22
#define VALUE_WIDTH 24
#define NAME_SIZE   512

enum { NAME, SUM, N_NAMES }; /* columns before those of the figures */

/* ---- cells ---- */

/* "A+B = A + B": what a combination combines. */
static void add_sum(struct hc_section *section, const struct hc_study_run *run)
{
    char text[NAME_SIZE];
    size_t used = 0;
    if (!run->interaction || run->n_combines == 0) {
        hc_section_text(section, run->interaction ? run->name : "");
        return;
    }
    used = (size_t)snprintf(text, sizeof text, "%.100s = ", run->name);
    for (size_t i = 0; i < run->n_combines && used + 120 < sizeof text; i++)
        used += (size_t)snprintf(text + used, sizeof text - used, "%s%.100s", i ? " + " : "",
                                 run->combines[i]);
    hc_section_text(section, text);
}

/* "-0.91 +- 0.03 (-0.98 %)", and whether it could be nought; on the page "-0.91 pp (-0.94 to
 * -0.88)".
 */
static void add_difference(struct hc_section *section, const struct hc_study_value *difference,
                           double base, const char *unit)
{
    char text[HC_STUDY_NUMBER], percent[HC_NUMBER_TEXT],
        share[HC_NUMBER_TEXT + 8] = "", all[2 * HC_STUDY_NUMBER], change[HC_STUDY_TEXT],
                               html[HC_STUDY_TEXT + 16];
    double relative = hc_study_relative(difference, base);
    if (!isnan(relative))
        snprintf(share, sizeof share, " (%s%s)", relative > 0 ? "+" : "",
                 hc_format_percent(relative, percent));
    snprintf(all, sizeof all, "%s%s%s", hc_study_change_text(difference, text), share,
             hc_study_is_clear(difference) ? "" : " ?");
    snprintf(html, sizeof html, "%s%s", hc_study_html_change(difference, unit, change),
             hc_study_is_unclear(difference) ? " unclear" : "");
    hc_section_forms(section, all, html);
}

static void add_interaction(struct hc_section *section, const struct hc_study_value *interaction,
                            const char *unit)
{
    char text[HC_STUDY_NUMBER], all[HC_STUDY_NUMBER + 24], change[HC_STUDY_TEXT],
        html[HC_STUDY_TEXT + 16];
    snprintf(all, sizeof all, ", interaction %s%s", hc_study_change_text(interaction, text),
             hc_study_is_clear(interaction) ? "" : " ?");
    snprintf(html, sizeof html, "%s%s", hc_study_html_change(interaction, unit, change),
             hc_study_is_unclear(interaction) ? " unclear" : "");
    hc_section_forms(section, all, html);
}

static void add_run(struct hc_section *section, const struct hc_study_result *result,
                    const struct hc_study_run *run)
{
    char text[HC_STUDY_NUMBER], html[HC_STUDY_TEXT];
    hc_section_text(section, run->name);
    add_sum(section, run);
    for (size_t i = 0; i < result->order.n_compared; i++) {
        size_t c = result->order.compared[i];
        const char *unit = result->column[c].unit;
        hc_section_forms(section, hc_study_value_text(&run->value[c], text),
                         hc_study_html_value(&run->value[c], unit, html));
        if (run->difference)
            add_difference(section, &run->difference[c],
                           result->run[result->compare_base].value[c].mean, unit);
        else
            hc_section_text(section, "");
        if (run->interaction)
            add_interaction(section, &run->interaction[c], unit);
        else
            hc_section_text(section, "");
    }
}

/* ---- columns ---- */

static struct hc_section_column *column_of(struct hc_study_comparison *comparison, size_t figure,
                                           enum hc_compared what)
{
    return &comparison->column[N_NAMES + HC_N_COMPARED * figure + what];
}

static void add_columns(struct hc_study_comparison *comparison,
                        const struct hc_study_result *result)
{
    static const struct hc_section_column columns[HC_N_COMPARED] = {
        [HC_COMPARED_VALUES] = {.width = VALUE_WIDTH, .is_whole = true, .is_number = true},
        [HC_COMPARED_DIFFERENCES] = {.gap = 3, .width = 1, .is_whole = true, .is_number = true},
        [HC_COMPARED_INTERACTIONS] = {.is_number = true},
    };
    comparison->column[NAME] =
        (struct hc_section_column){.html_title = "variant", .width = NAME_WIDTH};
    comparison->column[SUM] = (struct hc_section_column){.html_title = "variant"};
    for (size_t i = 0; i < comparison->n_figures; i++)
        for (int what = 0; what < HC_N_COMPARED; what++) {
            *column_of(comparison, i, what) = columns[what];
            column_of(comparison, i, what)->html_title =
                result->column[result->order.compared[i]].title;
        }
}

static void hide_all(struct hc_study_comparison *comparison)
{
    for (size_t c = 0; c < comparison->section.n_columns; c++) {
        comparison->column[c].only = HC_NO_VIEW;
        comparison->column[c].is_needed = false;
    }
}

/* ---- all of it ---- */

enum hc_status hc_study_comparison_init(struct hc_study_comparison *comparison,
                                        const struct hc_study_result *result, struct hc_error *err)
{
    size_t n_columns = N_NAMES + HC_N_COMPARED * result->order.n_compared;
    *comparison = (struct hc_study_comparison){
        .n_figures = result->order.n_compared,
        .column = hc_new_array(n_columns, sizeof *comparison->column, err)};
    if (!comparison->column)
        return err->status;
    comparison->section =
        (struct hc_section){.columns = comparison->column, .n_columns = n_columns, .indent = 2};
    add_columns(comparison, result);
    for (size_t r = 0; r < result->n_runs; r++)
        add_run(&comparison->section, result, &result->run[r]);
    return hc_section_check(&comparison->section, err);
}

void hc_study_comparison_fini(struct hc_study_comparison *comparison)
{
    hc_section_fini(&comparison->section);
    free(comparison->column);
}

enum hc_status hc_study_comparison_text(FILE *stream, struct hc_study_comparison *comparison,
                                        size_t figure, struct hc_error *err)
{
    hide_all(comparison);
    comparison->column[NAME].only = HC_TEXT_ONLY;
    for (int what = 0; what < HC_N_COMPARED; what++)
        column_of(comparison, figure, what)->only = HC_TEXT_ONLY;
    return hc_section_write_text(stream, &comparison->section) ? hc_fail_memory(err, NAME_SIZE)
                                                               : HC_OK;
}

const struct hc_section *hc_study_comparison_table(struct hc_study_comparison *comparison,
                                                   enum hc_compared what, size_t n_figures,
                                                   const char *caption)
{
    hide_all(comparison);
    comparison->section.caption = caption;
    comparison->column[what == HC_COMPARED_INTERACTIONS ? SUM : NAME].only = HC_HTML_ONLY;
    for (size_t i = 0; i < n_figures; i++) {
        column_of(comparison, i, what)->only = HC_HTML_ONLY;
        column_of(comparison, i, what)->is_needed = true;
    }
    return &comparison->section;
}
