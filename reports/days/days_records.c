#include "reports/days/days_records.h"

#include "core/base/clock.h"
#include "reports/days/days_report.h"

#define DAY_NS ((int64_t)86400 * 1000000000)

static const struct hc_days_report *report_of(const struct hc_item *at)
{
    return hc_item_root(at);
}

static const char *day_text(int64_t day, char room[HC_CELL_ROOM])
{
    hc_format_iso8601(day * DAY_NS, room);
    room[10] = '\0';
    return room;
}

#define SIDE(...)   HC_FIELD(struct hc_compared_side, __VA_ARGS__)
#define SIDE_OF(at) HC_OF(struct hc_compared_side, at)
HC_GIVES_TEXT(side_name, report_of(at)->names[at->index])
HC_GIVES_TEXT(side_first, day_text(SIDE_OF(at)->first_day, room))
HC_GIVES_TEXT(side_last, day_text(SIDE_OF(at)->last_day, room))
static const struct hc_field side_fields[] = {
    HC_TEXT_OF("name", side_name, "as it was given"),
    HC_TEXT_OF("first_day", side_first, "of the side"),
    HC_TEXT_OF("last_day", side_last, "of the side"),
    SIDE("is_provisional", is_provisional, "", "later records may restate its last day yet"),
    SIDE("gpu_hours", sum.held, "GPU-hours", "held"),
};
static const struct hc_record_def side_record = HC_RECORD(NULL, side_fields);

#define ROW(...) HC_FIELD(struct hc_compared_row, __VA_ARGS__)
HC_GIVES_TEXT(row_what, hc_compared_name(HC_OF(struct hc_compared_row, at)->what))
static const struct hc_field row_fields[] = {
    HC_TEXT_OF("what", row_what, "a leaf, or a sum: productive, or lost to failures"),
    ROW("a_gpu_hours", hours[0], "GPU-hours", "of it in A"),
    ROW("b_gpu_hours", hours[1], "GPU-hours", "of it in B"),
    ROW("a_share", share[0], "", "of the GPU-hours of A"),
    ROW("b_share", share[1], "", "of the GPU-hours of B"),
    ROW("change", change, "", "of the share, B less A"),
    ROW("spread", spread, "",
        "standard deviation of the share from day to day, of a day of the mean size"),
    ROW("t", t, "", "Student's t of the difference of the shares"),
    ROW("freedom", freedom, "", "its degrees of freedom"),
    ROW("probability", probability, "",
        "of as large a change, either way, where nothing has changed; null: not tested"),
    ROW("has_changed", has_changed, "", "probability times the rows that are tested is below 0.05"),
};
static const struct hc_record_def row_record = HC_RECORD(NULL, row_fields);

#define REPORT(...) HC_FIELD(struct hc_days_report, __VA_ARGS__)
HC_GIVES_ITEM(side_at, &report_of(at)->result->side[i])
HC_GIVES(size_t, count_sides, 2)
HC_GIVES(size_t, count_rows, report_of(at)->result->n)
HC_GIVES_ITEM(row_at, &report_of(at)->result->rows[i])
HC_GIVES(int64_t, other_days, (int64_t)report_of(at)->result->n_other)
HC_GIVES(int64_t, tested_rows, (int64_t)report_of(at)->result->n_tested)
static const struct hc_field report_fields[] = {
    REPORT("archive", archive, "", "that was read; null: documents were"),
    REPORT("cluster", cluster, "", "that was asked for; null: all"),
    REPORT("zone", zone, "", "of the days; null: that of the documents"),
    REPORT(
        "has_other_site", has_other_site, "",
        "documents that were made by different site files: runs, or GPUs of nodes, may be defined "
        "differently"),
    HC_LIST_OF("sides", count_sides, side_at, &side_record, "A and B", .rules = HC_LINE),
    HC_INTEGER_OF("other_days", other_days, "",
                  "of neither side, that tell how much shares change from day to day"),
    HC_INTEGER_OF("tested", tested_rows, "", "rows that are tested"),
    HC_LIST_OF("rows", count_rows, row_at, &row_record, "what is compared", .rules = HC_LINE),
};
const struct hc_record_def hc_days_record = HC_RECORD(NULL, report_fields);

/* ---- runs ---- */

#define RUN_OF(at) (&report_of(at)->runs[(at)->index])
HC_GIVES_TEXT(run_rule, RUN_OF(at)->rule)
HC_GIVES(int64_t, run_attempts, RUN_OF(at)->attempts)
HC_GIVES(int64_t, run_launches, RUN_OF(at)->launches)
HC_GIVES(int64_t, run_failures, RUN_OF(at)->failures)
HC_GIVES(int64_t, run_gpus, RUN_OF(at)->gpus)
static const struct hc_field run_fields[] = {
    HC_TEXT_OF("name", side_name, "as it was given"),
    HC_TEXT_OF("first_day", side_first, "on which it held GPUs"),
    HC_TEXT_OF("last_day", side_last, "on which it held GPUs"),
    SIDE("is_provisional", is_provisional, "", "it runs: later records may restate it yet"),
    SIDE("gpu_hours", sum.held, "GPU-hours", "held"),
    HC_TEXT_OF("rule", run_rule,
               "what makes its attempts one run, as in `report ettr`; null: of a document"),
    HC_INTEGER_OF("attempts", run_attempts, "", "that held GPUs"),
    HC_INTEGER_OF("launches", run_launches, "", "of training, that logs tell"),
    HC_INTEGER_OF("failures", run_failures, "", "that ended one of them"),
    HC_INTEGER_OF("gpus", run_gpus, "", "the most that an attempt held"),
};
static const struct hc_record_def run_record = HC_RECORD(NULL, run_fields);

HC_GIVES_TEXT(ettr_name, hc_ettr_name((enum hc_ettr)at->index))
HC_GIVES(double, ettr_a, report_of(at)->runs[0].ettr[at->index])
HC_GIVES(double, ettr_b, report_of(at)->runs[1].ettr[at->index])
HC_GIVES(double, ettr_change,
         report_of(at)->runs[1].ettr[at->index] - report_of(at)->runs[0].ettr[at->index])
static const struct hc_field ettr_fields[] = {
    HC_TEXT_OF("name", ettr_name, "of the definition"),
    HC_REAL_OF("a", ettr_a, "", "of A; null: not known"),
    HC_REAL_OF("b", ettr_b, "", "of B; null: not known"),
    HC_REAL_OF("change", ettr_change, "", "B less A"),
};
static const struct hc_record_def ettr_record = HC_RECORD(NULL, ettr_fields);

HC_GIVES(size_t, count_ettrs, HC_N_ETTRS)
HC_GIVES_ITEM(ettr_at, &report_of(at)->runs[0].ettr[i])
static const struct hc_field runs_fields[] = {
    REPORT("archive", archive, "", "that was read; null: documents were"),
    REPORT("cluster", cluster, "", "that was asked for; null: all"),
    REPORT("zone", zone, "", "of the days; null: documents are compared, by days of UTC"),
    HC_LIST_OF("sides", count_sides, side_at, &run_record, "A and B", .rules = HC_LINE),
    HC_LIST_OF("ettr", count_ettrs, ettr_at, &ettr_record, "effective training time ratios",
               .rules = HC_LINE),
    HC_INTEGER_OF("tested", tested_rows, "", "rows that are tested"),
    HC_LIST_OF("rows", count_rows, row_at, &row_record, "what is compared", .rules = HC_LINE),
};
const struct hc_record_def hc_runs_record = HC_RECORD(NULL, runs_fields);
