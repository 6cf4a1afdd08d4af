#include "reports/reliability/reliability_report.h"

#include "reports/reliability/reliability_records.h"

void hc_reliability_write_json(const struct hc_reliability_report *report,
                               struct hc_json_writer *json)
{
    hc_record_members(json, &hc_reliability_record, &(struct hc_item){.record = report});
}

void hc_reliability_write_csv(const struct hc_reliability_report *report, FILE *stream)
{
#define RATE                                                                                       \
    "per_1000_node_days=per_1000_node_days.value,per_1000_low=per_1000_node_days.low,"             \
    "per_1000_high=per_1000_node_days.high,"
#define REPAIRS "repairs,repair_mean_s,repair_median_s"
    const struct hc_reliability *result = report->result;
    const struct {
        const struct hc_tallies *rows;
        const struct hc_record_def *def;
        const char *columns;
    } tables[] = {
        [HC_BY_CAUSE] = {&result->causes, &hc_cause_tally_record,
                         "cause,domain,origin,count,share," RATE REPAIRS},
        [HC_BY_NODE] = {&result->nodes_struck, &hc_node_tally_record,
                        "node,source,count,share," REPAIRS},
        [HC_BY_MONTH] = {&result->months, &hc_month_tally_record,
                         "month,count,share," RATE REPAIRS},
    };
    const struct hc_item parent = {.record = report};
    struct hc_record_csv csv;
    hc_record_csv_start(&csv, stream, tables[report->by].def, tables[report->by].columns, NULL);
    for (size_t i = 0; i < tables[report->by].rows->n; i++)
        hc_record_csv_row(&csv, &(struct hc_item){&tables[report->by].rows->rows[i], i, &parent});
}
