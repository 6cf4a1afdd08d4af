#include "reports/reliability/reliability_report.h"

#include "core/text/csv_writer.h"

#include <inttypes.h>
#include <stddef.h>
#include <time.h>

/* ---- labels ---- */

const char *hc_rate_rule_name(enum hc_rate_rule rule)
{
    static const char *const names[HC_N_RATES] = {"infrastructure", "infrastructure and unknown",
                                                  "all but planned"};
    return names[rule];
}

const char *hc_reliability_month(int64_t key, char text[HC_PERIOD_TEXT])
{
    int64_t month = key - HC_CALENDAR_MONTHS;
    if (month < 0)
        snprintf(text, HC_PERIOD_TEXT, "day %" PRId64 " to %" PRId64, key * 30, key * 30 + 30);
    else
        snprintf(text, HC_PERIOD_TEXT, "%04" PRId64 "-%02" PRId64, month / 12, month % 12 + 1);
    return text;
}

const char *hc_reliability_day(int64_t ns, bool is_relative, char text[HC_PERIOD_TEXT])
{
    time_t seconds = (time_t)(ns / 1000000000 - (ns % 1000000000 < 0));
    struct tm date;
    if (is_relative || !gmtime_r(&seconds, &date))
        snprintf(text, HC_PERIOD_TEXT, "day %.1f", (double)ns / 86400e9);
    else
        snprintf(text, HC_PERIOD_TEXT, "%04d-%02d-%02d", date.tm_year + 1900, date.tm_mon + 1,
                 date.tm_mday);
    return text;
}

const char *hc_reliability_name(const struct hc_reliability_report *report,
                                enum hc_incident_dictionary dictionary, int64_t code)
{
    return code < 0 ? NULL : report->names->set[dictionary].text[code];
}

const char *hc_reliability_words(const struct hc_reliability_report *report,
                                 const struct hc_tally *row)
{
    return hc_reliability_name(report, HC_NAMES_TEXT, row->key / HC_N_INCIDENT_CAUSES);
}

/* ---- JSON ---- */

void hc_reliability_put_estimate(struct hc_json_writer *json, const char *key,
                                 const struct hc_estimate *estimate)
{
    hc_json_object_line(json, key);
    hc_json_real(json, "value", estimate->value);
    hc_json_real(json, "low", estimate->low);
    hc_json_real(json, "high", estimate->high);
    hc_json_end(json);
}

static void write_rates(struct hc_json_writer *json, const struct hc_reliability *result)
{
    hc_json_array(json, "rates");
    for (int i = 0; i < HC_N_RATES; i++) {
        const struct hc_reliability_rate *rate = &result->rates[i];
        hc_json_object(json, NULL);
        hc_json_text(json, "failures", hc_rate_rule_name((enum hc_rate_rule)i));
        hc_json_i64(json, "count", rate->count);
        hc_json_i64(json, "exposed", rate->exposed);
        hc_reliability_put_estimate(json, "per_1000_node_days", &rate->per_1000);
        hc_reliability_put_estimate(json, "mttf_node_h", &rate->mttf_node_h);
        hc_reliability_put_estimate(json, "mttf_fleet_h", &rate->mttf_fleet_h);
        hc_json_real(json, "mtbf_node_h", rate->mtbf_node_h);
        hc_json_end(json);
    }
    hc_json_end(json);
}

static void write_totals(struct hc_json_writer *json, const struct hc_reliability *result)
{
    hc_json_i64(json, "sources", result->n_sources);
    hc_json_i64(json, "incidents", result->n_incidents);
    hc_json_i64(json, "incidents_out_of_window", result->n_out_of_window);
    hc_json_i64(json, "incidents_exposed", result->n_exposed);
    hc_json_i64(json, "incidents_without_time", result->n_no_time);
    hc_json_i64(json, "incidents_without_node", result->n_no_node);
    hc_json_i64(json, "incidents_without_end", result->n_no_end);
    hc_json_i64(json, "groups", (int64_t)result->n_groups);
    hc_json_i64(json, "groups_known", (int64_t)result->n_groups_known);
    hc_json_i64(json, "nodes", result->n_groups_known ? result->nodes : HC_MISSING_I64);
    hc_json_real(json, "node_days", result->node_days);
    hc_json_real(json, "span_days", result->span_days);
    hc_json_i64(json, "nodes_struck", result->n_nodes_struck);
    hc_json_i64(json, "repeats", result->n_repeats);
    hc_json_i64(json, "overlapping_starts", result->n_overlapping);
    hc_json_real(json, "level", HC_RELIABILITY_LEVEL);
}

static void write_repair(struct hc_json_writer *json, const struct hc_reliability *result)
{
    hc_json_object(json, "repair");
    hc_json_i64(json, "known", result->all.n_repairs);
    hc_json_real(json, "mttr_h", result->mttr_h);
    hc_json_real(json, "mean_s", result->all.repair_mean_s);
    hc_json_real(json, "median_s", result->all.repair_median_s);
    hc_json_i64(json, "outages", result->n_outages);
    hc_json_real(json, "down_node_days", result->down_node_days);
    hc_json_real(json, "availability", result->availability);
    hc_json_end(json);
}

/* What every tally has; its object is open. */
static void write_tally(struct hc_json_writer *json, const struct hc_tally *row, bool rate)
{
    hc_json_i64(json, "count", row->count);
    hc_json_real(json, "share", row->share);
    if (rate)
        hc_reliability_put_estimate(json, "per_1000_node_days", &row->per_1000);
    hc_json_i64(json, "repairs", row->n_repairs);
    hc_json_real(json, "repair_mean_s", row->repair_mean_s);
    hc_json_real(json, "repair_median_s", row->repair_median_s);
    hc_json_end(json);
}

static void write_causes(struct hc_json_writer *json, const struct hc_reliability_report *report)
{
    const struct hc_reliability *result = report->result;
    hc_json_array(json, "by_cause");
    for (size_t i = 0; i < result->causes.n; i++) {
        const struct hc_tally *row = &result->causes.rows[i];
        const struct hc_incident_cause_info *info =
            hc_incident_cause_info((enum hc_incident_cause)row->key);
        hc_json_object(json, NULL);
        hc_json_text(json, "cause", info->name);
        hc_json_text(json, "domain", hc_fault_domain_name(info->domain));
        hc_json_text(json, "origin", hc_fault_origin_name(info->origin));
        write_tally(json, row, true);
    }
    hc_json_end(json);
    hc_json_array(json, "by_text");
    for (size_t i = 0; i < result->texts.n; i++) {
        const struct hc_tally *row = &result->texts.rows[i];
        hc_json_object(json, NULL);
        hc_json_text(json, "text", hc_reliability_words(report, row));
        hc_json_text(json, "cause",
                     hc_incident_cause_info((enum hc_incident_cause)row->cause)->name);
        write_tally(json, row, true);
    }
    hc_json_end(json);
}

static void write_enum(struct hc_json_writer *json, const char *key, const char *name,
                       const struct hc_tallies *tallies, const char *(*text)(int64_t))
{
    hc_json_array(json, key);
    for (size_t i = 0; i < tallies->n; i++) {
        hc_json_object(json, NULL);
        hc_json_text(json, name, text(tallies->rows[i].key));
        write_tally(json, &tallies->rows[i], true);
    }
    hc_json_end(json);
}

static const char *domain_text(int64_t key)
{
    return hc_fault_domain_name((enum hc_fault_domain)key);
}

static const char *class_text(int64_t key)
{
    return hc_incident_class_name((enum hc_incident_class)key);
}

static const char *origin_text(int64_t key)
{
    return hc_fault_origin_name((enum hc_fault_origin)key);
}

void hc_reliability_write_json(const struct hc_reliability_report *report,
                               struct hc_json_writer *json)
{
    const struct hc_reliability *result = report->result;
    char month[HC_PERIOD_TEXT];
    write_totals(json, result);
    write_rates(json, result);
    write_repair(json, result);
    write_enum(json, "by_domain", "domain", &result->domains, domain_text);
    write_enum(json, "by_class", "class", &result->classes, class_text);
    write_enum(json, "by_origin", "origin", &result->origins, origin_text);
    write_causes(json, report);
    hc_json_array(json, "by_node");
    for (size_t i = 0; i < result->nodes_struck.n; i++) {
        const struct hc_tally *row = &result->nodes_struck.rows[i];
        hc_json_object(json, NULL);
        hc_json_text(json, "node", hc_reliability_name(report, HC_NAMES_NODE, row->node));
        hc_json_i64(json, "source", row->source);
        write_tally(json, row, false);
    }
    hc_json_end(json);
    hc_json_array(json, "by_month");
    for (size_t i = 0; i < result->months.n; i++) {
        const struct hc_tally *row = &result->months.rows[i];
        hc_json_object(json, NULL);
        hc_json_text(json, "month", hc_reliability_month(row->key, month));
        write_tally(json, row, true);
    }
    hc_json_end(json);
    hc_reliability_write_analysis_json(report, json);
}

/* ---- CSV ---- */

static void csv_tally(struct hc_csv *csv, const struct hc_tally *row, bool rate)
{
    hc_csv_i64(csv, row->count);
    hc_csv_real(csv, row->share);
    if (rate) {
        hc_csv_real(csv, row->per_1000.value);
        hc_csv_real(csv, row->per_1000.low);
        hc_csv_real(csv, row->per_1000.high);
    }
    hc_csv_i64(csv, row->n_repairs);
    hc_csv_real(csv, row->repair_mean_s);
    hc_csv_real(csv, row->repair_median_s);
    hc_csv_end(csv);
}

void hc_reliability_write_csv(const struct hc_reliability_report *report, FILE *stream)
{
    static const char *const headers[] = {
        [HC_BY_CAUSE] = ("cause,domain,origin,count,share,per_1000_node_days,per_1000_low,"
                         "per_1000_high,repairs,repair_mean_s,repair_median_s"),
        [HC_BY_NODE] = "node,source,count,share,repairs,repair_mean_s,repair_median_s",
        [HC_BY_MONTH] = ("month,count,share,per_1000_node_days,per_1000_low,per_1000_high,repairs,"
                         "repair_mean_s,repair_median_s"),
    };
    const struct hc_reliability *result = report->result;
    const struct hc_tallies *tables[] = {&result->causes, &result->nodes_struck, &result->months};
    const struct hc_tallies *table = tables[report->by];
    struct hc_csv csv;
    char month[HC_PERIOD_TEXT];
    hc_csv_start(&csv, stream, headers[report->by]);
    for (size_t i = 0; i < table->n; i++) {
        const struct hc_tally *row = &table->rows[i];
        if (report->by == HC_BY_CAUSE) {
            const struct hc_incident_cause_info *info =
                hc_incident_cause_info((enum hc_incident_cause)row->key);
            hc_csv_text(&csv, info->name);
            hc_csv_text(&csv, hc_fault_domain_name(info->domain));
            hc_csv_text(&csv, hc_fault_origin_name(info->origin));
        } else if (report->by == HC_BY_NODE) {
            hc_csv_text(&csv, hc_reliability_name(report, HC_NAMES_NODE, row->node));
            hc_csv_i64(&csv, row->source);
        } else {
            hc_csv_text(&csv, hc_reliability_month(row->key, month));
        }
        csv_tally(&csv, row, report->by != HC_BY_NODE);
    }
}
