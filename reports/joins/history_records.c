#include "reports/joins/history_records.h"

#include "reports/joins/history_report.h"

#define ITEM(...) HC_FIELD(struct hc_history_item, __VA_ARGS__)
static const struct hc_field item_fields[] = {
    ITEM("time_ns", time_ns, "ns", "Unix time"), ITEM("table", table, "", "that has it"),
    ITEM("text", text, "", "what is told"),      ITEM("source", source, "", "file that tells it"),
    ITEM("line", line, "", "of that file"),
};
static const struct hc_record_def item_record = HC_RECORD(NULL, item_fields);

static const struct hc_history *history_of(const struct hc_item *at)
{
    const struct hc_history_report *report = hc_item_root(at);
    return report->history;
}

HC_GIVES(size_t, count_items, history_of(at)->n)
HC_GIVES_ITEM(nth_item, &history_of(at)->items[i])

#define REPORT(...) HC_FIELD(struct hc_history_report, __VA_ARGS__)
static const struct hc_field report_fields[] = {
    REPORT("archive", archive, "", "that was read"),
    REPORT("of", what, "", "job, run or node"),
    REPORT("name", name, "", "as it was given"),
    HC_LIST_OF("facts", count_items, nth_item, &item_record, "in order of time", .rules = HC_LINE),
};
const struct hc_record_def hc_history_record = HC_RECORD(NULL, report_fields);
