#include "reports/night/findings_report.h"

#include "core/base/clock.h"

#include <string.h>

/* "2026-03-20" */
static const char *day_text(int64_t day, char room[HC_CELL_ROOM])
{
    hc_format_iso8601(day * 86400 * (int64_t)1000000000, room);
    room[10] = '\0';
    return room;
}

#define ROW(...)   HC_FIELD(struct hc_shown_finding, __VA_ARGS__)
#define ROW_OF(at) HC_OF(struct hc_shown_finding, at)->finding
HC_GIVES_TEXT(id_of, ROW_OF(at)->id)
HC_GIVES_TEXT(kind_of, hc_finding_kind_name(ROW_OF(at)->kind))
HC_GIVES_TEXT(severity_of, hc_finding_severity_name(ROW_OF(at)->severity))
HC_GIVES_TEXT(subject_of, ROW_OF(at)->subject)
HC_GIVES_TEXT(text_of, ROW_OF(at)->text)
HC_GIVES_TEXT(first_seen_of, day_text(ROW_OF(at)->first_seen, room))
HC_GIVES(bool, is_earlier_of, ROW_OF(at)->is_first_seen_earlier)
HC_GIVES(bool, is_new_of, ROW_OF(at)->is_new)
HC_GIVES(bool, is_ongoing_of, ROW_OF(at)->is_ongoing)
HC_GIVES(bool, is_steady_of, ROW_OF(at)->is_steady)
HC_GIVES(bool, is_explained_of, ROW_OF(at)->is_explained)
HC_GIVES(double, value_of, ROW_OF(at)->value)
HC_GIVES(double, expected_of, ROW_OF(at)->expected)
HC_GIVES(double, p_of, ROW_OF(at)->p_value)
HC_GIVES(double, probability_of, ROW_OF(at)->probability)
HC_GIVES(double, by_chance_of, ROW_OF(at)->by_chance)
HC_GIVES(double, dispersion_of, ROW_OF(at)->dispersion)
HC_GIVES(int64_t, window_of, ROW_OF(at)->window_days)
HC_GIVES(int64_t, baseline_of, ROW_OF(at)->n_baseline)
HC_GIVES(double, hours_of, ROW_OF(at)->gpu_hours)

static const struct hc_field finding_fields[] = {
    HC_TEXT_OF("id", id_of, "of kind and subject: the same each night"),
    HC_TEXT_OF("kind", kind_of, "of the finding"),
    HC_TEXT_OF("severity", severity_of, "by the GPU-hours at stake"),
    ROW("owner", owner, "", "of this kind, by the site file; null: it names none"),
    HC_TEXT_OF("subject", subject_of, "what it is about"),
    HC_TEXT_OF("text", text_of, "what was found, in a sentence"),
    HC_TEXT_OF("first_seen", first_seen_of, "day on which it opened, judged anew"),
    HC_BOOL_OF("first_seen_or_earlier", is_earlier_of,
               "it was open on the first day that was judged"),
    HC_BOOL_OF("is_new", is_new_of, "it opened on the day of the report"),
    HC_BOOL_OF("is_ongoing", is_ongoing_of,
               "below the threshold at which it opened, and not yet closed"),
    ROW("acknowledged_until", acknowledged_until, "", "by the site file; null: it is not"),
    HC_REAL_OF("value", value_of, "", "of the day or window"),
    HC_REAL_OF("expected", expected_of, "", "by the days before"),
    HC_REAL_OF("p_value", p_of, "", "of this subject alone; null: no test"),
    HC_REAL_OF("probability", probability_of, "",
               "of a node: that its rate is above the factor; else null"),
    HC_REAL_OF("by_chance", by_chance_of, "",
               "subjects of this kind that would look so on a day if nothing had changed"),
    HC_REAL_OF("dispersion", dispersion_of, "",
               "variance over that of Poisson, or deviation between days, by the site's own past"),
    HC_INTEGER_OF("window_days", window_of, "", "that decided"),
    HC_INTEGER_OF("baseline_days", baseline_of, "", "that they were compared with"),
    HC_REAL_OF("gpu_hours", hours_of, "GPU-hours", "at stake"),
    HC_BOOL_OF("without_stops", is_steady_of,
               "of a run: value and expected are of the time that its stops did not take"),
    HC_BOOL_OF("explained", is_explained_of,
               "of jobs that failed together: faults that other sources tell ended most of them"),
};
static const struct hc_record_def finding_record = HC_RECORD(NULL, finding_fields);

static const struct hc_findings_view *view_of(const struct hc_item *at)
{
    return at->record;
}
HC_GIVES(int64_t, count_kind_series, view_of(at->parent)->found->counts[at->index].n_series)
HC_GIVES(int64_t, count_kind_tested, view_of(at->parent)->found->counts[at->index].n_tested)
HC_GIVES(int64_t, count_kind_short, view_of(at->parent)->found->counts[at->index].n_short)
HC_GIVES(int64_t, count_kind_withheld, view_of(at->parent)->found->counts[at->index].n_withheld)
HC_GIVES(int64_t, count_kind_findings, view_of(at->parent)->found->counts[at->index].n_findings)
HC_GIVES_TEXT(kind_name_of, hc_finding_kind_name((enum hc_finding_kind)at->index))
static const struct hc_field count_fields[] = {
    HC_TEXT_OF("kind", kind_name_of, "of findings"),
    HC_INTEGER_OF("series", count_kind_series, "", "that were looked at"),
    HC_INTEGER_OF("tested", count_kind_tested, "", "of them"),
    HC_INTEGER_OF("short", count_kind_short, "", "not tested: too little of the past is recorded"),
    HC_INTEGER_OF("withheld", count_kind_withheld, "",
                  "nodes that would be named if more than one run or source said so"),
    HC_INTEGER_OF("findings", count_kind_findings, "", "of the kind"),
};
static const struct hc_record_def count_record = HC_RECORD(NULL, count_fields);

#define VIEW(...) HC_FIELD(struct hc_findings_view, __VA_ARGS__)
HC_GIVES(size_t, count_rows, view_of(at)->n)
HC_GIVES_ITEM(row_at, &view_of(at)->rows[i])
HC_GIVES(size_t, count_kinds, HC_N_FINDING_KINDS)
HC_GIVES_ITEM(kind_at, view_of(at))
static const struct hc_field view_fields[] = {
    VIEW("unacknowledged", n_unacknowledged, "", "of the findings"),
    VIEW("false_per_week", false_per_week, "", "findings that open by chance, at most"),
    VIEW("prevalence", prevalence, "", "share of subjects that change in a week, assumed"),
    VIEW("power", power, "", "share of changes that are found, assumed"),
    VIEW("false_share", false_share, "", "of all findings that are false then, at most"),
    HC_LIST_OF("rows", count_rows, row_at, &finding_record, "most severe first", .rules = HC_LINE),
    HC_LIST_OF("kinds", count_kinds, kind_at, &count_record, "what was looked at",
               .rules = HC_LINE),
};
const struct hc_record_def hc_night_findings_record = HC_RECORD(NULL, view_fields);

/* ---- the report ---- */

static const struct hc_findings_report *report_of(const struct hc_item *at)
{
    return hc_item_root(at);
}

#define ONSET_OF(at) HC_OF(struct hc_finding_onset, at)
HC_GIVES_TEXT(onset_kind, hc_finding_kind_name(ONSET_OF(at)->kind))
HC_GIVES_TEXT(onset_subject, ONSET_OF(at)->subject)
HC_GIVES_TEXT(onset_day, report_of(at)->days->names[ONSET_OF(at)->day])
static const struct hc_field onset_fields[] = {
    HC_TEXT_OF("day", onset_day, "on which it would have opened"),
    HC_TEXT_OF("kind", onset_kind, "of the finding"),
    HC_TEXT_OF("subject", onset_subject, "what it would have been about"),
};
static const struct hc_record_def onset_record = HC_RECORD(NULL, onset_fields);

HC_GIVES_TEXT(backtest_kind_of, hc_finding_kind_name((enum hc_finding_kind)at->index))
HC_GIVES(int64_t, opened_of, report_of(at)->backtest->n_opened[at->index])
HC_GIVES(int64_t, tested_of, report_of(at)->backtest->n_tested[at->index])
static const struct hc_field backtest_kind_fields[] = {
    HC_TEXT_OF("kind", backtest_kind_of, "of findings"),
    HC_INTEGER_OF("opened", opened_of, "", "findings in the days of the backtest"),
    HC_INTEGER_OF("tested", tested_of, "", "subjects times days"),
};
static const struct hc_record_def backtest_kind_record = HC_RECORD(NULL, backtest_kind_fields);

#define BACKTEST_OF(at) HC_OF(struct hc_findings_backtest, at)
HC_GIVES(int64_t, n_days_of, BACKTEST_OF(at)->n_days)
HC_GIVES(size_t, count_onsets, BACKTEST_OF(at)->n)
HC_GIVES_ITEM(onset_at, &BACKTEST_OF(at)->rows[i])
HC_GIVES(size_t, count_backtest_kinds, HC_N_FINDING_KINDS)
HC_GIVES_ITEM(backtest_kind_at, BACKTEST_OF(at))
static const struct hc_field backtest_fields[] = {
    HC_INTEGER_OF("days", n_days_of, "", "that were judged, each by the days up to it"),
    HC_LIST_OF("kinds", count_backtest_kinds, backtest_kind_at, &backtest_kind_record,
               "how often each would have found", .rules = HC_LINE),
    HC_LIST_OF("onsets", count_onsets, onset_at, &onset_record, "what would have opened, by day",
               .rules = HC_LINE),
};
static const struct hc_record_def backtest_record = HC_RECORD(NULL, backtest_fields);

#define REPORT(...) HC_FIELD(struct hc_findings_report, __VA_ARGS__)
HC_GIVES_TEXT(judged_day_of, report_of(at)->days->names[report_of(at)->days->n - 1])
static const struct hc_field report_fields[] = {
    REPORT("archive", archive, "", "that was read"),
    REPORT("cluster", cluster, "", "that was asked for; null: all"),
    REPORT("zone", zone, "", "of the days"),
    HC_TEXT_OF("day", judged_day_of, "that is judged"),
    HC_OBJECT_BEHIND(struct hc_findings_report, "findings", view, &hc_night_findings_record,
                     "of that day"),
    HC_OBJECT_BEHIND(struct hc_findings_report, "backtest", backtest, &backtest_record,
                     "what the past would have said; null without --backtest"),
};
const struct hc_record_def hc_findings_report_record = HC_RECORD(NULL, report_fields);
