#include "reports/top/top_records.h"

#include "core/base/clock.h"
#include "reports/top/top_report.h"

static const struct hc_top_report *report_of(const struct hc_item *at)
{
    return hc_item_root(at);
}

#define ROW(...) HC_FIELD(struct hc_top_row, __VA_ARGS__)
HC_GIVES_TEXT(row_by, hc_cube_dimension_name(HC_OF(struct hc_top_rows, at->parent)->by))
HC_GIVES_TEXT(row_ns, hc_gpu_ns_text(HC_OF(struct hc_top_row, at)->gpu_ns, room))
static const struct hc_field row_fields[] = {
    HC_TEXT_OF("by", row_by, "what it is grouped by", .rules = HC_ONLY_CSV),
    ROW("name", name, "",
        "of the group; null: of none, as time that no failure took, or attempts of no run"),
    ROW("gpu_hours", gpu_hours, "GPU-hours", "of the leaves that were asked for"),
    HC_TEXT_OF("gpu_ns", row_ns, "the same in GPU-nanoseconds, exactly"),
    ROW("share", share, "", "of all of these leaves"),
    ROW("lost", parts[HC_TOP_LOST], "GPU-hours", "of it: lost and abandoned work"),
    ROW("failed_startup", parts[HC_TOP_FAILED_STARTUP], "GPU-hours",
        "of it: launches that came to no step"),
    ROW("detection", parts[HC_TOP_DETECTION], "GPU-hours", "of it: detection and localisation"),
    ROW("recovery", parts[HC_TOP_RECOVERY], "GPU-hours", "of it"),
    ROW("startup", parts[HC_TOP_STARTUP], "GPU-hours", "of it: start-up that came to a step"),
    ROW("other", parts[HC_TOP_OTHER], "GPU-hours", "of it: other leaves"),
    ROW("infrastructure", infrastructure, "GPU-hours",
        "of it: by failures of the infrastructure that are certain or likely"),
    ROW("held", held, "GPU-hours", "that the group held; null: a cause holds nothing"),
    ROW("share_of_held", share_of_held, "", "of these, of the leaves that were asked for"),
    ROW("before", before, "GPU-hours",
        "of these leaves in as many days before; null: these were not looked at"),
};
static const struct hc_record_def row_record = HC_RECORD("a row of what took most", row_fields);

HC_GIVES_TEXT(rows_by, hc_cube_dimension_name(HC_OF(struct hc_top_rows, at)->by))
static const struct hc_field rows_fields[] = {
    HC_TEXT_OF("by", rows_by, "what the time is grouped by"),
    HC_FIELD(struct hc_top_rows, "adds_up", adds_up, "",
             "the rows sum to the total, to the nanosecond"),
    HC_LIST(struct hc_top_rows, "rows", rows, n, &row_record, "most first", .rules = HC_LINE),
};
static const struct hc_record_def rows_record = HC_RECORD(NULL, rows_fields);

#define REPORT(...) HC_FIELD(struct hc_top_report, __VA_ARGS__)
HC_GIVES_TEXT(as_of_of, hc_known_iso8601(report_of(at)->as_of_ns, room))
HC_GIVES_ITEM(total_at, &report_of(at)->top->total)
HC_GIVES(size_t, count_groupings, report_of(at)->top->n)
HC_GIVES_ITEM(grouping_at, &report_of(at)->top->by[i])
static const struct hc_field report_fields[] = {
    REPORT("archive", archive, "", "that was read"),
    REPORT("cluster", cluster, "", "that was asked for; null: all"),
    REPORT("zone", zone, "", "of the days"),
    REPORT("leaf", leaf, "", "leaves that were asked for"),
    REPORT("first_day", first_day, "", "that is looked at"),
    REPORT("last_day", last_day, "", "that is looked at"),
    HC_TEXT_OF("as_of", as_of_of, "what came later is not known"),
    HC_OBJECT_OF("total", total_at, &row_record, "all of it"),
    HC_LIST_OF("groups", count_groupings, grouping_at, &rows_record, "the same by group"),
};
const struct hc_record_def hc_top_record = HC_RECORD(NULL, report_fields);
