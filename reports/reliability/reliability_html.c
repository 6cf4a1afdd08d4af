#include "reports/reliability/reliability_report.h"

#include "core/tables/incidents/incident_table.h"
#include "core/text/number_format.h"
#include "core/text/text_stream.h"
#include "reports/figure/figure_page.h"
#include "reports/page/html_page.h"
#include "reports/page/section_html.h"
#include "reports/reliability/reliability_figures.h"

#include <math.h>
#include <stdlib.h>

#define MAX_ROWS  50 /* of a table; JSON and CSV have all */
#define RATE_TEXT (3 * HC_NUMBER_TEXT + 8)

/* "4.184 (3.851 to 4.538)" */
static const char *rate_text(const struct hc_estimate *rate, char text[RATE_TEXT])
{
    char value[HC_NUMBER_TEXT], low[HC_NUMBER_TEXT], high[HC_NUMBER_TEXT];
    if (!isfinite(rate->value))
        return "-";
    snprintf(text, RATE_TEXT, "%s (%s to %s)", hc_format_fixed(rate->value, 3, value),
             hc_format_fixed(rate->low, 3, low), hc_format_fixed(rate->high, 3, high));
    return text;
}

/* ---- the top ---- */

static void put_tiles(FILE *stream, const struct hc_reliability *result)
{
    const struct hc_reliability_rate *rate = &result->rates[HC_RATE_INFRASTRUCTURE];
    char value[HC_NUMBER_TEXT], low[HC_NUMBER_TEXT], high[HC_NUMBER_TEXT], note[128];
    hc_html_tiles_start(stream);
    hc_html_tile(stream, HC_TONE_PLAIN, "Incidents", hc_format_count(result->n_incidents, value),
                 "of all causes");
    if (isfinite(rate->per_1000.value)) {
        snprintf(note, sizeof note, "per 1,000 node-days; 95 %%: %s to %s",
                 hc_format_fixed(rate->per_1000.low, 3, low),
                 hc_format_fixed(rate->per_1000.high, 3, high));
        hc_html_tile(stream, HC_TONE_PLAIN, "Failures of the infrastructure",
                     hc_format_fixed(rate->per_1000.value, 3, value), note);
        hc_html_tile(stream, HC_TONE_PLAIN, "Time to failure of a node",
                     hc_reliability_hours(rate->mttf_node_h.value, value), "mean time in use");
    }
    if (result->all.n_repairs > 0) {
        snprintf(note, sizeof note, "mean of %s incidents with an end",
                 hc_format_count(result->all.n_repairs, high));
        hc_html_tile(stream, HC_TONE_PLAIN, "Repair", hc_reliability_hours(result->mttr_h, value),
                     note);
    }
    if (isfinite(result->availability)) {
        snprintf(note, sizeof note, "%% of node-time; %s node-days down",
                 hc_format_fixed(result->down_node_days, 1, high));
        hc_html_tile(stream, HC_TONE_PLAIN, "Availability",
                     hc_format_fixed(100 * result->availability, 4, value), note);
    }
    hc_html_tiles_end(stream);
}

static void put_answer(FILE *stream, const struct hc_reliability *result)
{
    char count[HC_NUMBER_TEXT], days[HC_NUMBER_TEXT];
    hc_html_callout_start(stream, HC_TONE_PLAIN, "What was watched");
    if (result->n_groups_known == 0)
        hc_html_paragraph(stream, "lead",
                          "No rates can be given: the number of nodes or the time of watching is "
                          "not recorded (--nodes, --from, --to).");
    else
        hc_html_paragraph(stream, "lead", "%s nodes over %s days.",
                          hc_format_count(result->nodes, count),
                          hc_format_fixed(result->span_days, 1, days));
    if (result->n_exposed < result->n_incidents && result->n_groups_known > 0)
        hc_html_paragraph(stream, NULL,
                          "Rates count %s of the incidents: of the others the nodes or the time "
                          "of watching are not recorded.",
                          hc_format_count(result->n_exposed, count));
    hc_html_callout_end(stream);
}

/* ---- tables ---- */

static struct hc_section rates_table(const struct hc_reliability *result)
{
    static const struct hc_section_column columns[] = {
        {.title = "failures"},
        {.title = "count", .is_right = true},
        {.title = "per 1,000 node-days (95 %)", .is_right = true},
        {.title = "MTTF of a node", .is_right = true},
        {.title = "MTTF of any node", .is_right = true},
        {.title = "MTBF of a node", .is_right = true},
    };
    struct hc_section section = {.caption = "Failures by what counts as one",
                                 .columns = columns,
                                 .n_columns = sizeof columns / sizeof columns[0]};
    char text[RATE_TEXT], hours[HC_NUMBER_TEXT];
    for (int i = 0; i < HC_N_RATES; i++) {
        const struct hc_reliability_rate *rate = &result->rates[i];
        hc_section_text(&section, hc_rate_rule_name((enum hc_rate_rule)i));
        hc_section_count(&section, rate->count);
        hc_section_text(&section, rate_text(&rate->per_1000, text));
        hc_section_text(&section, hc_reliability_hours(rate->mttf_node_h.value, hours));
        hc_section_text(&section, hc_reliability_hours(rate->mttf_fleet_h.value, hours));
        hc_section_text(&section, hc_reliability_hours(rate->mtbf_node_h, hours));
    }
    return section;
}

static const char *name_of(const struct hc_reliability_report *report,
                           enum hc_reliability_grouping by, const struct hc_tally *row,
                           char text[HC_PERIOD_TEXT])
{
    switch (by) {
    case HC_BY_CAUSE:
        return hc_incident_cause_info((enum hc_incident_cause)row->key)->name;
    case HC_BY_NODE:
        return hc_reliability_name(report, HC_NAMES_NODE, row->node);
    case HC_BY_MONTH:
        break;
    }
    return hc_reliability_month(row->key, text);
}

static struct hc_section tally_table(const struct hc_reliability_report *report,
                                     enum hc_reliability_grouping by,
                                     const struct hc_tallies *tallies)
{
    static const struct hc_section_column columns[3][6] = {
#define TALLY_COLUMNS(name)                                                                        \
    {                                                                                              \
        {.title = name},                                                                           \
        {.title = "incidents", .is_right = true},                                                  \
        {.title = "share", .is_right = true},                                                      \
        {.title = "per 1,000 node-days (95 %)", .is_right = true},                                 \
        {.title = "repair, mean", .is_right = true},                                               \
        {.title = "repair, median", .is_right = true},                                             \
    }
        [HC_BY_CAUSE] = TALLY_COLUMNS("cause"),
        [HC_BY_NODE] = TALLY_COLUMNS("node"),
        [HC_BY_MONTH] = TALLY_COLUMNS("month"),
    };
    struct hc_section section = {.columns = columns[by], .n_columns = 6};
    char name[HC_PERIOD_TEXT], text[RATE_TEXT], hours[HC_NUMBER_TEXT];
    for (size_t i = 0; i < tallies->n && i < MAX_ROWS; i++) {
        const struct hc_tally *row = &tallies->rows[i];
        hc_section_text(&section, name_of(report, by, row, name));
        hc_section_count(&section, row->count);
        snprintf(text, sizeof text, "%s %%", hc_format_fixed(100 * row->share, 1, hours));
        hc_section_text(&section, text);
        hc_section_text(&section, rate_text(&row->per_1000, text));
        hc_section_text(&section, hc_reliability_hours(row->repair_mean_s / 3600, hours));
        hc_section_text(&section, hc_reliability_hours(row->repair_median_s / 3600, hours));
    }
    if (tallies->n > MAX_ROWS)
        hc_section_note(&section, "And %zu more, which --json and --csv have.",
                        tallies->n - MAX_ROWS);
    return section;
}

static enum hc_status put_tables(FILE *stream, const struct hc_reliability_report *report,
                                 struct hc_error *err)
{
    const struct hc_reliability *result = report->result;
    const struct {
        const char *anchor, *title;
        enum hc_reliability_grouping by;
        const struct hc_tallies *tallies;
    } tables[] = {
        {"causes", "Causes", HC_BY_CAUSE, &result->causes},
        {"nodes", "Nodes", HC_BY_NODE, &result->nodes_struck},
        {"months", "Months", HC_BY_MONTH, &result->months},
    };
    enum hc_status status =
        hc_section_print_headed(stream, "failures", "Failures", rates_table(result), err);
    for (size_t i = 0; i < sizeof tables / sizeof tables[0] && status == HC_OK; i++)
        status = hc_section_print_headed(stream, tables[i].anchor, tables[i].title,
                                         tally_table(report, tables[i].by, tables[i].tallies), err);
    return status;
}

/* Fits, lemons and comparisons, where they were asked for, as the terminal has them. */
static enum hc_status put_analysis(FILE *stream, const struct hc_reliability_report *report,
                                   struct hc_error *err)
{
    char *text = NULL;
    size_t size = 0;
    if (!report->fits && !report->lemons && !report->comparison)
        return HC_OK;
    FILE *memory = hc_text_stream(&text, &size, err);
    if (!memory)
        return err->status;
    hc_reliability_write_analysis_text(report, memory);
    if (hc_text_stream_end(memory, &text, HC_OK, err))
        return err->status;
    hc_html_section_start(stream, "analysis", "Comparison, fits and lemons");
    fputs("<pre>", stream);
    hc_html_text(stream, text);
    fputs("</pre>\n", stream);
    hc_html_section_end(stream);
    free(text);
    return HC_OK;
}

/* ---- the page ---- */

/* The first and the last month, for the dates of the head; NULL on a clock of the source's own. */
static const char *month_at(const struct hc_tallies *months, bool is_last,
                            char text[HC_PERIOD_TEXT])
{
    int64_t key = 0;
    for (size_t i = 0; i < months->n; i++)
        if (i == 0 || (is_last ? months->rows[i].key > key : months->rows[i].key < key))
            key = months->rows[i].key;
    return key >= HC_CALENDAR_MONTHS ? hc_reliability_month(key, text) : NULL;
}

enum hc_status hc_reliability_write_html(const struct hc_reliability_report *report, FILE *stream,
                                         struct hc_error *err)
{
    const struct hc_figure_sink sink = hc_figure_page(stream);
    const struct hc_reliability *result = report->result;
    char first[HC_PERIOD_TEXT], last[HC_PERIOD_TEXT], count[HC_NUMBER_TEXT], subtitle[96];
    snprintf(subtitle, sizeof subtitle, "%s source%s", hc_format_count(result->n_sources, count),
             result->n_sources == 1 ? "" : "s");
    hc_html_start(stream, &(struct hc_html_head){
                              "reliability", "Incidents: rates, repair, availability", subtitle,
                              report->run_id, month_at(&result->months, false, first),
                              month_at(&result->months, true, last)});
    put_answer(stream, result);
    put_tiles(stream, result);
    hc_html_section_start(stream, "figures", "Figures");
    hc_html_grid_start(stream);
    enum hc_status status = hc_reliability_put_figures(&sink, report, err);
    hc_html_grid_end(stream);
    hc_html_section_end(stream);
    if (status == HC_OK)
        status = put_tables(stream, report, err);
    if (status == HC_OK)
        status = put_analysis(stream, report, err);
    hc_html_end(stream, NULL, 0);
    return hc_html_written(stream, status, "the page of incidents", err);
}
