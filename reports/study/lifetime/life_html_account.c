/* The account of GPU-time, and ETTR beside its closed forms. */
#include "reports/page/section_html.h"
#include "reports/study/lifetime/life_sections.h"

#include "core/base/memory.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#define MAX_RUNS 24 /* rows of a table */
#define MAX_BARS 16 /* of a chart */

static const char *hours_text(double hours, char text[HC_STUDY_TEXT])
{
    return hc_study_html_number(hours, "", NAN, text);
}

/* ---- bars ---- */

static enum hc_status draw_states(const struct hc_figure_sink *figures,
                                  const struct hc_study_result *result, bool only_unproductive,
                                  struct hc_error *err)
{
    struct hc_figure_part parts[HC_STATE_COUNT];
    const struct hc_life_findings *life = hc_life_run_findings(&result->run[0]);
    double hours[HC_STATE_COUNT];
    char note[256], number[HC_STUDY_TEXT];
    hc_study_html_state_parts(parts);
    for (int s = 0; s < HC_STATE_COUNT; s++)
        hours[s] = only_unproductive && s == HC_STATE_PRODUCTIVE ? 0 : life->state_gpu_h[s];
    snprintf(note, sizeof note, "100 %% is %s GPU-hours, the mean of the lives.%s",
             hours_text(only_unproductive ? life->unproductive_gpu_h : life->gpu_h, number),
             only_unproductive && hours[HC_STATE_SLOW] > 0
                 ? " Slow steps: what they took longer than healthy ones; ETTR counts it as "
                   "productive."
                 : "");
    const struct hc_figure figure = {
        .kind = HC_FIGURE_STACK,
        .name = only_unproductive ? "account-unproductive" : "account",
        .title =
            only_unproductive ? "GPU-hours without progress" : "All GPU-hours, standbys included",
        .note = note,
        .x = {.unit = "GPU-h"},
        .n_rows = 1,
        .n_parts = HC_STATE_COUNT,
        .parts = parts,
        .part_values = hours,
        .is_share_of_row = true,
    };
    return hc_figure_put(figures, &figure, err);
}

/* ---- the table ---- */

/* GPU-hours or money of the table: whole where the largest has four digits or more, so that rows
 * can be added up and compared by their length. */
static const char *ledger_text(double value, double largest, char text[HC_NUMBER_TEXT])
{
    if (!isfinite(value))
        return "-";
    return largest >= 1000 && fabs(value) < 9e15 ? hc_format_count(llround(value), text)
                                                 : hc_format_fixed(value, 1, text);
}

/* What the GPUs did, a row each, and why, a column each. */
static enum hc_status write_ledger(FILE *stream, const struct hc_life_findings *life,
                                   bool has_money, struct hc_error *err)
{
    struct hc_section_column columns[4 + HC_WHY_COUNT] = {
        {.title = "what"},
        {.title = "GPU-hours", .is_right = true},
        {.title = "share", .is_right = true},
        {.title = "money", .is_right = true, .only = has_money ? HC_HTML_ONLY : HC_NO_VIEW}};
    struct hc_section section = {
        .caption = "What the GPUs did (rows) and why (columns), GPU-hours of a life",
        .columns = columns,
        .n_columns = 4};
    for (int why = 0; why < HC_WHY_COUNT; why++)
        if (life->has_why[why])
            columns[section.n_columns++] = (struct hc_section_column){
                .title = hc_why_title((enum hc_why)why), .is_right = true};
    for (size_t i = 0; i < life->n_whats; i++) {
        const struct hc_life_what *what = &life->what[i];
        char text[HC_NUMBER_TEXT];
        hc_section_text(&section, what->title);
        hc_section_text(&section, ledger_text(what->gpu_h, life->gpu_h, text));
        hc_section_percent(&section, what->share);
        hc_section_text(&section, ledger_text(what->money, life->gpu_h, text));
        for (int why = 0; why < HC_WHY_COUNT; why++)
            if (life->has_why[why])
                hc_section_text(&section,
                                isnan(what->why_gpu_h[why])
                                    ? ""
                                    : ledger_text(what->why_gpu_h[why], life->gpu_h, text));
    }
    return hc_section_print_html(stream, section, err);
}

enum hc_status hc_study_html_account(FILE *stream, const struct hc_figure_sink *figures,
                                     const struct hc_study_result *result, struct hc_error *err)
{
    char price[HC_NUMBER_TEXT];
    const struct hc_life_findings *life = hc_life_run_findings(&result->run[0]);
    if (!life)
        return HC_OK;
    hc_html_section_start(stream, "account", "Where the time goes");
    hc_html_paragraph(stream, NULL,
                      "Every GPU-nanosecond that was held has one what and one why, and they add "
                      "up to all of it. These are means of the lives of the base. A wait in the "
                      "queue holds no GPU and is not in the account.");
    if (life->n_leaves == 0) {
        hc_html_paragraph(stream, NULL, "No GPU-time was held.");
        hc_html_section_end(stream);
        return HC_OK;
    }
    hc_html_grid_start(stream);
    enum hc_status status = draw_states(figures, result, false, err);
    if (status == HC_OK)
        status = draw_states(figures, result, true, err);
    hc_html_grid_end(stream);
    if (status == HC_OK)
        status = write_ledger(stream, life, result->price_per_gpu_h > 0, err);
    if (result->price_per_gpu_h > 0)
        hc_html_paragraph(stream, "note", "Money is GPU-hours times the price of %s.",
                          hc_format_fixed(result->price_per_gpu_h, 2, price));
    hc_html_section_end(stream);
    return status;
}

/* ---- closed forms ---- */

static bool has_reference(const struct hc_study_run *run)
{
    const struct hc_life_findings *life = hc_life_run_findings(run);
    return life && life->has_reference;
}

bool hc_study_html_has_references(const struct hc_study_result *result)
{
    for (size_t r = 0; r < result->n_runs; r++)
        if (has_reference(&result->run[r]))
            return true;
    return false;
}

static void add_reference(struct hc_section *section, const struct hc_study_run *run, size_t ettr)
{
    const struct hc_study_reference *theory = &hc_life_run_findings(run)->reference;
    char text[HC_STUDY_TEXT], number[HC_NUMBER_TEXT];
    hc_section_text(section, run->name);
    hc_section_text(section, ettr == HC_STUDY_NONE
                                 ? "-"
                                 : hc_study_html_value(&run->value[ettr], "share", text));
    hc_section_text(section, hc_study_html_number(theory->ettr_exact, "share", NAN, text));
    hc_section_text(section, hc_study_html_number(theory->ettr_first_order, "share", NAN, text));
    hc_section_text(section, theory->outside ? theory->outside : "");
    hc_section_text(section, hc_study_html_duration(theory->mttf_s, number));
    hc_section_text(section, hc_study_html_duration(theory->young_interval_s, number));
}

enum hc_status hc_study_html_references(FILE *stream, const struct hc_figure_sink *figures,
                                        const struct hc_study_result *result, struct hc_error *err)
{
    static const struct hc_section_column columns[] = {
        {.title = "variant"},
        {.title = "ETTR, simulated", .is_right = true},
        {.title = "exact", .is_right = true},
        {.title = "first order", .is_right = true},
        {.title = "the formula does not know"},
        {.title = "mean time to failure", .is_right = true},
        {.title = "Young's interval", .is_right = true},
    };
    struct hc_section section = {.columns = columns, .n_columns = 7};
    size_t ettr = hc_study_column_find(result, "ettr"), all = 0;
    (void)figures;
    if (!hc_study_html_has_references(result))
        return HC_OK;
    hc_html_section_start(stream, "theory", "Beside closed forms");
    hc_html_paragraph(stream, NULL,
                      "What theory says for exponential faults and an endless run: exact by a "
                      "renewal argument, and of first order as published (arXiv 2410.21680). The "
                      "restart in it is the mean over causes, and it has no noise and no end, so "
                      "the two need not agree to the last digit. Where a scenario has what the "
                      "formula does not know, there is none.");
    for (size_t r = 0; r < result->n_runs; r++)
        if (has_reference(&result->run[r]) && all++ < MAX_RUNS)
            add_reference(&section, &result->run[r], ettr);
    enum hc_status status = hc_section_print_html(stream, section, err);
    hc_study_html_remainder(stream, all, all < MAX_RUNS ? all : MAX_RUNS, "variants");
    hc_html_section_end(stream);
    return status;
}

/* ---- beside the variants ---- */

/* Where the unproductive GPU-hours of each variant go. */
enum hc_status hc_study_html_spent(FILE *stream, const struct hc_figure_sink *figures,
                                   const struct hc_study_result *result, struct hc_error *err)
{
    size_t n = result->n_runs < MAX_BARS ? result->n_runs : MAX_BARS;
    struct hc_figure_part parts[HC_STATE_COUNT];
    const char *names[MAX_BARS];
    double *values = hc_new_array(n * HC_STATE_COUNT, sizeof *values, err), most = 0;
    if (!values)
        return err->status;
    hc_study_html_state_parts(parts);
    for (size_t r = 0; r < n; r++) {
        names[r] = result->run[r].name;
        const struct hc_life_findings *life = hc_life_run_findings(&result->run[r]);
        memcpy(&values[r * HC_STATE_COUNT], life->state_gpu_h, sizeof life->state_gpu_h);
        values[r * HC_STATE_COUNT + HC_STATE_PRODUCTIVE] = 0;
        most = fmax(most, life->unproductive_gpu_h);
    }
    static const struct hc_study_column column = {.title = "GPU-hours of a life without progress",
                                                  .unit = ""};
    struct hc_figure figure = {
        .kind = HC_FIGURE_STACK,
        .name = "variants-unproductive",
        .title = "What each variant spends without progress",
        .says = "Unproductive GPU-hours of each variant",
        .is_wide = true,
        .x = hc_study_html_axis(&column, most),
        .n_rows = n,
        .row_names = names,
        .n_parts = HC_STATE_COUNT,
        .parts = parts,
        .part_values = values,
    };
    figure.x.unit = "GPU-h";
    enum hc_status status = hc_figure_put(figures, &figure, err);
    hc_study_html_remainder(stream, result->n_runs, n, "variants in this chart");
    free(values);
    return status;
}
