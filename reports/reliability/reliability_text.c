#include "reports/reliability/reliability_report.h"

#include "core/base/text_layout.h"
#include "core/text/number_format.h"

#include <inttypes.h>
#include <math.h>
#include <string.h>

#define MAX_NODES 20 /* listed; JSON and CSV have them all */
#define WIDTH     40 /* columns of a label */

/* "4.184 (3.851-4.538)" */
static const char *rate_text(const struct hc_estimate *rate, char text[3 * HC_NUMBER_TEXT])
{
    if (!isfinite(rate->value))
        return "-";
    snprintf(text, 3 * HC_NUMBER_TEXT, "%.3f (%.3f-%.3f)", rate->value, rate->low, rate->high);
    return text;
}

static void print_watched(const struct hc_reliability *result, FILE *stream)
{
    char a[HC_NUMBER_TEXT], b[HC_NUMBER_TEXT];
    if (!result->n_groups_known) {
        fprintf(stream, "  no rates: the number of nodes or the time of watching is not recorded; "
                        "give --nodes, --from, --to\n");
        return;
    }
    fprintf(stream, "  watched: %s nodes over %.1f days, %s node-days\n",
            hc_format_count(result->nodes, a), result->span_days,
            hc_format_count((int64_t)(result->node_days + 0.5), b));
    if (result->n_groups_known < result->n_groups)
        fprintf(stream,
                "  %zu of %zu groups are not in any rate: their nodes or dates are not "
                "recorded\n",
                result->n_groups - result->n_groups_known, result->n_groups);
    if (result->n_exposed < result->n_incidents)
        fprintf(stream,
                "  rates count %s of the incidents: the others are of such groups, or "
                "outside the time of watching\n",
                hc_format_count(result->n_exposed, a));
}

static void print_head(const struct hc_reliability *result, FILE *stream)
{
    char a[HC_NUMBER_TEXT], b[HC_NUMBER_TEXT], c[HC_NUMBER_TEXT];
    fprintf(stream, "%s incidents of %" PRId64 " source%s\n",
            hc_format_count(result->n_incidents, a), result->n_sources,
            result->n_sources == 1 ? "" : "s");
    if (result->n_out_of_window)
        fprintf(stream, "  %s more began outside --from and --to\n",
                hc_format_count(result->n_out_of_window, a));
    if (result->n_nodes_struck)
        fprintf(stream,
                "  %s nodes struck; %s incidents of a node that had one before; %s begin "
                "while the node has an open one\n",
                hc_format_count(result->n_nodes_struck, a), hc_format_count(result->n_repeats, b),
                hc_format_count(result->n_overlapping, c));
    if (result->n_no_time || result->n_no_node || result->n_no_end)
        fprintf(stream, "  without a time %s, without a node %s, without an end %s\n",
                hc_format_count(result->n_no_time, a), hc_format_count(result->n_no_node, b),
                hc_format_count(result->n_no_end, c));
    print_watched(result, stream);
}

static void print_rates(const struct hc_reliability *result, FILE *stream)
{
    char rate_buffer[3 * HC_NUMBER_TEXT], a[HC_NUMBER_TEXT], b[HC_NUMBER_TEXT], c[HC_NUMBER_TEXT];
    char count[HC_NUMBER_TEXT];
    fprintf(stream, "\n%-28s %8s  %-26s %10s %10s %10s\n", "failures", "count",
            "per 1,000 node-days (95 %)", "MTTF node", "MTTF any", "MTBF node");
    for (int i = 0; i < HC_N_RATES; i++) {
        const struct hc_reliability_rate *rate = &result->rates[i];
        fprintf(stream, "%-28s %8s  %-26s %10s %10s %10s\n",
                hc_rate_rule_name((enum hc_rate_rule)i), hc_format_count(rate->count, count),
                rate_text(&rate->per_1000, rate_buffer),
                hc_reliability_hours(rate->mttf_node_h.value, a),
                hc_reliability_hours(rate->mttf_fleet_h.value, b),
                hc_reliability_hours(rate->mtbf_node_h, c));
    }
    if (!result->all.n_repairs)
        return;
    fprintf(stream, "\nrepair: mean %s, median %s, of %s incidents with a known end\n",
            hc_reliability_hours(result->mttr_h, a),
            hc_reliability_hours(result->all.repair_median_s / 3600, b),
            hc_format_count(result->all.n_repairs, c));
    if (isfinite(result->availability))
        fprintf(stream,
                "availability %.4f %%: %s node-days down in %s outages, those of one node "
                "that overlap merged\n",
                100 * result->availability, hc_format_fixed(result->down_node_days, 1, a),
                hc_format_count(result->n_outages, b));
}

static void print_title(FILE *stream, const char *title)
{
    fprintf(stream, "\n%-*s %8s %7s  %-26s %10s %10s\n", WIDTH, title, "count", "share",
            "per 1,000 node-days (95 %)", "mean", "median");
}

static void print_tally(FILE *stream, const char *label, const struct hc_tally *row)
{
    char text[WIDTH * 4], count[HC_NUMBER_TEXT], rate[3 * HC_NUMBER_TEXT], a[HC_NUMBER_TEXT],
        b[HC_NUMBER_TEXT];
    hc_text_head(text, sizeof text, label, WIDTH);
    size_t columns = hc_text_columns(text);
    fprintf(stream, "%s%*s %8s %5.1f %%  %-26s %10s %10s\n", text,
            (int)(columns < WIDTH ? WIDTH - columns : 0), "", hc_format_count(row->count, count),
            100 * row->share, rate_text(&row->per_1000, rate),
            hc_reliability_hours(row->repair_mean_s / 3600, a),
            hc_reliability_hours(row->repair_median_s / 3600, b));
}

static void print_causes(const struct hc_reliability_report *report, FILE *stream)
{
    const struct hc_reliability *result = report->result;
    print_title(stream, "cause");
    for (size_t i = 0; i < result->causes.n; i++)
        print_tally(
            stream,
            hc_incident_cause_info((enum hc_incident_cause)result->causes.rows[i].key)->name,
            &result->causes.rows[i]);
    bool any = false;
    for (size_t i = 0; i < result->texts.n; i++) {
        const struct hc_tally *row = &result->texts.rows[i];
        if (row->cause != HC_CAUSE_UNKNOWN)
            continue;
        if (!any)
            print_title(stream, "words that are not known");
        any = true;
        print_tally(stream, hc_reliability_words(report, row), row);
    }
}

/* How incidents were resolved, where that is recorded. */
static void print_actions(const struct hc_reliability_report *report, FILE *stream)
{
    const struct hc_tallies *actions = &report->result->actions;
    if (actions->n)
        print_title(stream, "action");
    for (size_t i = 0; i < actions->n && i < MAX_NODES; i++)
        print_tally(stream, hc_reliability_name(report, HC_NAMES_ACTION, actions->rows[i].key),
                    &actions->rows[i]);
    if (actions->n > MAX_NODES)
        fprintf(stream, "and %zu more, which --json lists\n", actions->n - MAX_NODES);
}

static void print_nodes(const struct hc_reliability_report *report, FILE *stream)
{
    const struct hc_tallies *nodes = &report->result->nodes_struck;
    print_title(stream, "node");
    for (size_t i = 0; i < nodes->n && i < MAX_NODES; i++)
        print_tally(stream, hc_reliability_name(report, HC_NAMES_NODE, nodes->rows[i].node),
                    &nodes->rows[i]);
    if (nodes->n > MAX_NODES)
        fprintf(stream, "and %zu more, which --csv and --json list\n", nodes->n - MAX_NODES);
}

static void print_months(const struct hc_reliability_report *report, FILE *stream)
{
    const struct hc_tallies *months = &report->result->months;
    char month[HC_PERIOD_TEXT];
    print_title(stream, "month");
    for (size_t i = 0; i < months->n; i++)
        print_tally(stream, hc_reliability_month(months->rows[i].key, month), &months->rows[i]);
}

void hc_reliability_write_text(const struct hc_reliability_report *report, FILE *stream)
{
    const struct hc_reliability *result = report->result;
    print_head(result, stream);
    print_rates(result, stream);
    print_title(stream, "domain");
    for (size_t i = 0; i < result->domains.n; i++)
        print_tally(stream, hc_fault_domain_name((enum hc_fault_domain)result->domains.rows[i].key),
                    &result->domains.rows[i]);
    print_title(stream, "class");
    for (size_t i = 0; i < result->classes.n; i++)
        print_tally(stream,
                    hc_incident_class_name((enum hc_incident_class)result->classes.rows[i].key),
                    &result->classes.rows[i]);
    print_actions(report, stream);
    if (report->by == HC_BY_CAUSE)
        print_causes(report, stream);
    else if (report->by == HC_BY_NODE)
        print_nodes(report, stream);
    else
        print_months(report, stream);
    hc_reliability_write_analysis_text(report, stream);
}
