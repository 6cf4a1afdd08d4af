/* The account of GPU-time, and ETTR beside its closed forms. */
#include "reports/study/study_sections.h"

#include <assert.h>
#include <math.h>
#include <stdlib.h>

#define MAX_RUNS 24 /* rows of a table or chart */

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
    double hours[HC_STATE_COUNT], total = 0;
    char note[256], number[HC_STUDY_TEXT];
    hc_study_html_parts(parts);
    hc_study_html_states(&hc_life_of(&result->run[0])->summary, hours);
    for (int s = 0; s < HC_STATE_COUNT; s++) {
        if (only_unproductive && s == HC_STATE_PRODUCTIVE)
            hours[s] = 0;
        total += isfinite(hours[s]) ? hours[s] : 0;
    }
    snprintf(note, sizeof note, "100 %% is %s GPU-hours, the mean of the lives.%s",
             hours_text(total, number),
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

struct ledger {
    const struct hc_study_result *result;
    const struct hc_account *account;
    struct hc_html_column columns[4 + HC_WHY_COUNT];
    bool has_why[HC_WHY_COUNT];
    size_t n_columns;
    double total;
};

static void make_ledger(struct ledger *ledger, const struct hc_study_result *result)
{
    *ledger =
        (struct ledger){.result = result, .account = &hc_life_of(&result->run[0])->summary.account};
    ledger->total = hc_study_html_hours(&hc_life_of(&result->run[0])->summary,
                                        hc_account_total(ledger->account));
    ledger->columns[ledger->n_columns++] = (struct hc_html_column){"what", false};
    ledger->columns[ledger->n_columns++] = (struct hc_html_column){"GPU-hours", true};
    ledger->columns[ledger->n_columns++] = (struct hc_html_column){"share", true};
    if (result->price_per_gpu_h > 0)
        ledger->columns[ledger->n_columns++] = (struct hc_html_column){"money", true};
    for (int why = 0; why < HC_WHY_COUNT; why++) {
        for (int what = 0; what < HC_WHAT_COUNT; what++)
            ledger->has_why[why] |= ledger->account->leaf[what][why] != 0;
        if (ledger->has_why[why])
            ledger->columns[ledger->n_columns++] =
                (struct hc_html_column){hc_study_html_why_name((enum hc_why)why), true};
    }
}

static void write_row(struct hc_html_table *table, const struct ledger *ledger, const char *name,
                      const hc_gpu_ns by_why[HC_WHY_COUNT])
{
    const struct hc_lifetime_summary *summary = &hc_life_of(&ledger->result->run[0])->summary;
    char text[HC_STUDY_TEXT], share[HC_NUMBER_TEXT];
    hc_gpu_ns sum = 0;
    for (int why = 0; why < HC_WHY_COUNT; why++)
        sum += by_why[why];
    double hours = hc_study_html_hours(summary, sum);
    hc_html_row(table);
    hc_html_cell(table, "%s", name);
    hc_html_cell(table, "%s", hours_text(hours, text));
    hc_html_cell(table, "%s", hc_format_percent(hours / ledger->total, share));
    if (ledger->result->price_per_gpu_h > 0)
        hc_html_cell(table, "%s", hours_text(hours * ledger->result->price_per_gpu_h, text));
    for (int why = 0; why < HC_WHY_COUNT; why++)
        if (ledger->has_why[why])
            hc_html_cell(table, "%s",
                         by_why[why] ? hours_text(hc_study_html_hours(summary, by_why[why]), text)
                                     : "");
}

static void write_ledger(FILE *stream, const struct hc_study_result *result)
{
    struct ledger ledger;
    struct hc_html_table table;
    hc_gpu_ns all[HC_WHY_COUNT] = {0};
    make_ledger(&ledger, result);
    hc_html_table_start(&table, stream,
                        "What the GPUs did (rows) and why (columns), GPU-hours of a life",
                        ledger.columns, ledger.n_columns);
    static const enum hc_what order[] = {HC_WHAT_PRODUCTIVE_IDEAL,
                                         HC_WHAT_PRODUCTIVE_STRAGGLER_EXCESS,
                                         HC_WHAT_PRODUCTIVE_UNSPLIT,
                                         HC_WHAT_DEGRADED,
                                         HC_WHAT_CHECKPOINT_STALL,
                                         HC_WHAT_EVALUATION,
                                         HC_WHAT_DATA_WAIT,
                                         HC_WHAT_LOST_WORK,
                                         HC_WHAT_DETECTION,
                                         HC_WHAT_LOCALISATION,
                                         HC_WHAT_RECOVERY,
                                         HC_WHAT_STARTUP_IMAGE,
                                         HC_WHAT_STARTUP_ENVIRONMENT,
                                         HC_WHAT_STARTUP_INIT,
                                         HC_WHAT_STARTUP_LOAD,
                                         HC_WHAT_STARTUP_COMPILE,
                                         HC_WHAT_STARTUP_FIRST_STEP,
                                         HC_WHAT_STARTUP_UNSPLIT,
                                         HC_WHAT_STARTUP_FAILED,
                                         HC_WHAT_IDLE_AFTER,
                                         HC_WHAT_STANDBY_IDLE,
                                         HC_WHAT_POOL_IDLE,
                                         HC_WHAT_UNKNOWN};
    static_assert(sizeof order / sizeof *order == HC_WHAT_COUNT, "each leaf has its row");
    for (int i = 0; i < HC_WHAT_COUNT; i++) {
        const hc_gpu_ns *leaf = ledger.account->leaf[order[i]];
        for (int why = 0; why < HC_WHY_COUNT; why++)
            all[why] += leaf[why];
        if (hc_account_what(ledger.account, order[i]) != 0)
            write_row(&table, &ledger, hc_study_html_what_name(order[i]), leaf);
    }
    write_row(&table, &ledger, "all", all);
    hc_html_table_end(&table);
}

enum hc_status hc_study_html_account(FILE *stream, const struct hc_figure_sink *figures,
                                     const struct hc_study_result *result, struct hc_error *err)
{
    char price[HC_NUMBER_TEXT];
    if (!hc_life_of(&result->run[0]))
        return HC_OK;
    hc_html_section_start(stream, "account", "Where the time goes");
    hc_html_paragraph(stream, NULL,
                      "Every GPU-nanosecond that was held has one what and one why, and they add "
                      "up to all of it. These are means of the lives of the base. A wait in the "
                      "queue holds no GPU and is not in the account.");
    if (hc_account_total(&hc_life_of(&result->run[0])->summary.account) == 0) {
        hc_html_paragraph(stream, NULL, "No GPU-time was held.");
        hc_html_section_end(stream);
        return HC_OK;
    }
    hc_html_grid_start(stream);
    enum hc_status status = draw_states(figures, result, false, err);
    if (status == HC_OK)
        status = draw_states(figures, result, true, err);
    hc_html_grid_end(stream);
    write_ledger(stream, result);
    if (result->price_per_gpu_h > 0)
        hc_html_paragraph(stream, "note", "Money is GPU-hours times the price of %s.",
                          hc_format_fixed(result->price_per_gpu_h, 2, price));
    hc_html_section_end(stream);
    return status;
}

/* ---- closed forms ---- */

static bool has_reference(const struct hc_study_run *run)
{
    const struct hc_life_detail *life = hc_life_of(run);
    return life &&
           (isfinite(life->reference.ettr_exact) || isfinite(life->reference.ettr_first_order) ||
            isfinite(life->reference.mttf_s) || isfinite(life->reference.young_interval_s));
}

bool hc_study_html_has_references(const struct hc_study_result *result)
{
    for (size_t r = 0; r < result->n_runs; r++)
        if (has_reference(&result->run[r]))
            return true;
    return false;
}

enum hc_status hc_study_html_references(FILE *stream, const struct hc_figure_sink *figures,
                                        const struct hc_study_result *result, struct hc_error *err)
{
    (void)figures;
    static const struct hc_html_column columns[] = {
        {"variant", false},    {"ETTR, simulated", true},      {"exact", true},
        {"first order", true}, {"mean time to failure", true}, {"Young's interval", true}};
    struct hc_html_table table;
    size_t ettr = hc_study_column_at(result, "ettr"), shown = 0, all = 0;
    char text[HC_STUDY_TEXT], number[HC_NUMBER_TEXT];
    (void)err;
    if (!hc_study_html_has_references(result))
        return HC_OK;
    hc_html_section_start(stream, "theory", "Beside closed forms");
    hc_html_paragraph(stream, NULL,
                      "What theory says for exponential faults and an endless run: exact by a "
                      "renewal argument, and of first order as published (arXiv 2410.21680). The "
                      "simulation has more in it (causes that differ, standbys, noise, an end), so "
                      "the two need not agree; a large gap asks for a reason.");
    hc_html_table_start(&table, stream, NULL, columns, 6);
    for (size_t r = 0; r < result->n_runs; r++) {
        const struct hc_study_run *run = &result->run[r];
        if (!has_reference(run) || all++ >= MAX_RUNS)
            continue;
        shown++;
        hc_html_row(&table);
        hc_html_cell(&table, "%s", run->name);
        hc_html_cell(&table, "%s",
                     ettr == HC_STUDY_NONE ? "-"
                                           : hc_study_html_value(&run->value[ettr], "share", text));
        hc_html_cell(
            &table, "%s",
            hc_study_html_number(hc_life_of(run)->reference.ettr_exact, "share", NAN, text));
        hc_html_cell(
            &table, "%s",
            hc_study_html_number(hc_life_of(run)->reference.ettr_first_order, "share", NAN, text));
        hc_html_cell(&table, "%s",
                     hc_study_html_duration(hc_life_of(run)->reference.mttf_s, number));
        hc_html_cell(&table, "%s",
                     hc_study_html_duration(hc_life_of(run)->reference.young_interval_s, number));
    }
    hc_html_table_end(&table);
    hc_study_html_left_out(stream, all, shown, "variants");
    hc_html_section_end(stream);
    return HC_OK;
}
