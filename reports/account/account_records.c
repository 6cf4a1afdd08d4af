#include "reports/account/account_records.h"

#include "core/base/clock.h"
#include "core/base/missing.h"
#include "reports/account/account_report.h"
#include "reports/evidence/corrections_report.h"

static const struct hc_account_report *report_of(const struct hc_item *at)
{
    return hc_item_root(at);
}

static const struct hc_account_result *result_of(const struct hc_item *at)
{
    return report_of(at)->result;
}

static const struct hc_job_account *account_of(const struct hc_item *at)
{
    return result_of(at)->account;
}

/* ---- totals ---- */

#define HAS_ANY(at) (account_of(at)->total.n_attempts > 0)
HC_GIVES_TEXT(first_of, HAS_ANY(at) ? hc_known_iso8601(account_of(at)->first_ns, room) : NULL)
HC_GIVES_TEXT(last_of, HAS_ANY(at) ? hc_known_iso8601(account_of(at)->last_ns, room) : NULL)
HC_GIVES_TEXT(from_of, hc_known_iso8601(account_of(at)->from_ns, room))
HC_GIVES_TEXT(to_of, hc_known_iso8601(account_of(at)->to_ns, room))
HC_GIVES(int64_t, attempts_of, account_of(at)->total.n_attempts)
HC_GIVES(int64_t, records_of, account_of(at)->n_records)
HC_GIVES(int64_t, outside_of, account_of(at)->n_outside)
HC_GIVES(int64_t, never_ran_of, account_of(at)->n_never_ran)
HC_GIVES(int64_t, unplaced_of, account_of(at)->n_unplaced)
HC_GIVES(int64_t, running_of, account_of(at)->n_running)
HC_GIVES(int64_t, gpus_unknown_of, account_of(at)->n_gpus_unknown)
HC_GIVES(int64_t, suspended_of, account_of(at)->n_suspended_clipped)
HC_GIVES(int64_t, lost_of, account_of(at)->n_lost)
HC_GIVES(double, gpu_hours_of, result_of(at)->gpu_hours)
HC_GIVES(int64_t, gpus_estimated_of, account_of(at)->n_gpus_estimated)
HC_GIVES(double, estimated_hours_of, result_of(at)->estimated_gpu_hours)
HC_GIVES(double, cost_of, result_of(at)->cost)
HC_GIVES(double, unpriced_of, result_of(at)->unpriced_gpu_hours)
HC_GIVES(double, cpu_hours_of, result_of(at)->cpu_hours)

static const struct hc_field total_fields[] = {
    HC_TEXT_OF("from", from_of, "as asked for; null: everything"),
    HC_TEXT_OF("to", to_of, "as asked for; null: everything"),
    HC_TEXT_OF("first", first_of, "start of the first attempt that is counted"),
    HC_TEXT_OF("last", last_of, "end of the last attempt that is counted"),
    HC_INTEGER_OF("records", records_of, "", "of the scheduler"),
    HC_INTEGER_OF("attempts", attempts_of, "", "of them, those that ran in the window"),
    HC_INTEGER_OF("outside", outside_of, "", "of them, those that ran outside of it"),
    HC_INTEGER_OF("never_ran", never_ran_of, "", "of them, those that never ran"),
    HC_INTEGER_OF("unplaced", unplaced_of, "",
                  "of them, those that ran at a time that is not recorded: not counted"),
    HC_INTEGER_OF("running", running_of, "",
                  "attempts counted up to when their record was written"),
    HC_INTEGER_OF("gpus_unknown", gpus_unknown_of, "",
                  "attempts whose record does not say what they held: counted as no GPU"),
    HC_INTEGER_OF("suspended_cut", suspended_of, "",
                  "attempts cut by the window whose suspended time in it is not known: their "
                  "CPU-time is counted"),
    HC_INTEGER_OF("attempts_missing", lost_of, "",
                  "attempts that restart counts tell of, and no record"),
    HC_REAL_OF("gpu_hours", gpu_hours_of, "GPU-hours", "held by the attempts in the window"),
    HC_REAL_OF("cpu_hours", cpu_hours_of, "CPU-hours", "held by the attempts in the window"),
    HC_INTEGER_OF(
        "gpus_estimated", gpus_estimated_of, "",
        "attempts whose record does not say what they held: their nodes, by the GPUs that "
        "the site file says a node of the partition has"),
    HC_REAL_OF("estimated_gpu_hours", estimated_hours_of, "GPU-hours", "held by these"),
    HC_REAL_OF("cost", cost_of, "currency",
               "of GPU-hours at the prices of the site file; null: it has none"),
    HC_REAL_OF("unpriced_gpu_hours", unpriced_of, "GPU-hours", "of partitions without a price"),
};
static const struct hc_record_def total_record = HC_RECORD(NULL, total_fields);

/* ---- groups ---- */

#define ROW(...) HC_FIELD(struct hc_account_row, __VA_ARGS__)
HC_GIVES_TEXT(grouping_of, hc_account_grouping_name((enum hc_account_grouping)at->parent->index))

static const struct hc_field row_fields[] = {
    HC_TEXT_OF("by", grouping_of, "what it is grouped by", .rules = HC_ONLY_CSV),
    ROW("name", name, "", "of the group; ? where the record says none"),
    ROW("attempts", n_attempts, "", "in it"),
    ROW("gpu_hours", gpu_hours, "GPU-hours", "held by them"),
    ROW("cpu_hours", cpu_hours, "CPU-hours", "held by them"),
    ROW("share", share, "", "of all GPU-hours; of CPU-hours, where there are no GPUs"),
    ROW("cost", cost, "currency", "of those of its GPU-hours that have a price; null: none has"),
};
static const struct hc_record_def row_record = HC_RECORD(NULL, row_fields);

static size_t count_rows(const struct hc_item *at)
{
    return result_of(at)->by[at->index].n;
}

HC_GIVES_ITEM(row_at, &result_of(at)->by[at->index].rows[i])
HC_GIVES_TEXT(name_of, hc_account_grouping_name((enum hc_account_grouping)at->index))

static const struct hc_field group_fields[] = {
    HC_TEXT_OF("by", name_of, "what the attempts are grouped by"),
    HC_LIST_OF("rows", count_rows, row_at, &row_record, "most GPU-hours first", .rules = HC_LINE),
};
static const struct hc_record_def group_record = HC_RECORD(NULL, group_fields);

static size_t count_groups(const struct hc_item *at)
{
    (void)at;
    return HC_N_ACCOUNT_GROUPINGS;
}
HC_GIVES_ITEM(group_at, &result_of(at)->by[i])

/* ---- queue, interruptions, needs ---- */

HC_GIVES(int64_t, waits_of, result_of(at)->n_waits)
HC_GIVES(int64_t, from_submit_of, account_of(at)->queue.n_from_submit)
HC_GIVES(double, wait_mean, result_of(at)->wait_mean_s)
HC_GIVES(double, wait_median, result_of(at)->wait_median_s)
HC_GIVES(double, wait_p90, result_of(at)->wait_p90_s)
HC_GIVES(double, wait_p99, result_of(at)->wait_p99_s)
HC_GIVES(double, wait_hours, result_of(at)->gpu_wait_hours)
static const struct hc_field queue_fields[] = {
    HC_INTEGER_OF("attempts", waits_of, "", "with GPUs that started in the window"),
    HC_INTEGER_OF("from_submit", from_submit_of, "",
                  "of them, counted from submission: since when they could start is not recorded"),
    HC_REAL_OF("mean_s", wait_mean, "s", "from when a job could start to its start"),
    HC_REAL_OF("median_s", wait_median, "s", "of them"),
    HC_REAL_OF("p90_s", wait_p90, "s", "of them"),
    HC_REAL_OF("p99_s", wait_p99, "s", "of them"),
    HC_REAL_OF("gpu_hours", wait_hours, "GPU-hours", "waits times the GPUs waited for"),
};
static const struct hc_record_def queue_record = HC_RECORD(NULL, queue_fields);

HC_GIVES(int64_t, interrupted_of, result_of(at)->n_interrupted)
HC_GIVES(double, low_of, result_of(at)->interrupted_low_gpu_hours)
HC_GIVES(double, high_of, result_of(at)->interrupted_high_gpu_hours)
HC_GIVES(int64_t, put_in_of, result_of(at)->n_put_in)
HC_GIVES(int64_t, taken_out_of, result_of(at)->n_taken_out)
static const struct hc_field interrupted_fields[] = {
    HC_INTEGER_OF("attempts", interrupted_of, "",
                  "ended by the failure of a node, a failed boot, pre-emption or a requeue"),
    HC_REAL_OF("low_gpu_hours", low_of, "GPU-hours", "lost, where each saved all of its work"),
    HC_REAL_OF("high_gpu_hours", high_of, "GPU-hours", "lost, where none saved anything"),
    HC_INTEGER_OF("put_in", put_in_of, "", "attempts that count by a correction only"),
    HC_INTEGER_OF("taken_out", taken_out_of, "", "attempts that do not, by a correction"),
};
static const struct hc_record_def interrupted_record = HC_RECORD(NULL, interrupted_fields);

#define NEED(...) HC_FIELD(struct hc_account_need, __VA_ARGS__)
static const struct hc_field need_fields[] = {
    NEED("input", input, "", "that is not there"),
    NEED("answers", answers, "", "what it would tell"),
    NEED("gpu_hours", gpu_hours, "GPU-hours", "that this is about"),
};
static const struct hc_record_def need_record = HC_RECORD(NULL, need_fields);

static size_t count_needs(const struct hc_item *at)
{
    (void)at;
    return HC_ACCOUNT_N_NEEDS;
}
HC_GIVES_ITEM(need_at, &result_of(at)->needs[i])

/* ---- beside the scheduler's own report ---- */

#define CHECK(...) HC_FIELD(struct hc_usage_check, __VA_ARGS__)
#define USER(...)  HC_FIELD(struct hc_usage_row, __VA_ARGS__)

static const struct hc_field user_fields[] = {
    USER("name", user, "", "of the user"),
    USER("gpu_hours", gpu_hours, "GPU-hours", "by the records"),
    USER("scheduler_gpu_hours", scheduler_gpu_hours, "GPU-hours", "by the scheduler's report"),
    USER("difference_gpu_hours", difference_gpu_hours, "GPU-hours",
         "by which the records have more"),
};
static const struct hc_record_def user_record = HC_RECORD(NULL, user_fields);

#define CHECK_OF(at) HC_OF(struct hc_usage_check, at)
HC_GIVES_TEXT(check_from, hc_known_iso8601(CHECK_OF(at)->from_ns, room))
HC_GIVES_TEXT(check_to, hc_known_iso8601(CHECK_OF(at)->to_ns, room))

static const struct hc_field check_fields[] = {
    CHECK("file", file, "", "that has the report of sreport"),
    HC_TEXT_OF("from", check_from, "beginning of its window, which all of the account is of"),
    HC_TEXT_OF("to", check_to, "end of it"),
    CHECK("gpu_hours", gpu_hours, "GPU-hours", "by the records"),
    CHECK("scheduler_gpu_hours", scheduler_gpu_hours, "GPU-hours", "by the report"),
    CHECK("difference_gpu_hours", difference_gpu_hours, "GPU-hours",
          "by which the records have more"),
    CHECK("share", share, "", "the difference, of what the report says; null: that is nothing"),
    CHECK("rounding_gpu_hours", rounding_gpu_hours, "GPU-hours",
          "that the units of the report alone may make of difference"),
    CHECK("is_finding", is_finding, "", "the difference is more than that, and than 0.1 %"),
    HC_LIST(struct hc_usage_check, "users", rows, n, &user_record, "largest difference first"),
};
static const struct hc_record_def check_record = HC_RECORD(NULL, check_fields);

/* ---- the report ---- */

HC_GIVES(size_t, count_corrections,
         account_of(at)->corrections ? account_of(at)->corrections->n : 0)
HC_GIVES_ITEM(nth_correction, &account_of(at)->corrections->list[i])

#define REPORT(...) HC_FIELD(struct hc_account_report, __VA_ARGS__)
static const struct hc_field report_fields[] = {
    REPORT("archive", archive, "", "that was read"),
    REPORT("cluster", cluster, "", "that was asked for; null: all"),
    REPORT("currency", currency, "", "of the prices of the site file; null: it names none"),
    REPORT("segments", n_segments, "", "of the archive"),
    REPORT("clusters", n_clusters, "", "that have jobs in it"),
    REPORT("first_day", first_day, "", "of submission in the archive"),
    REPORT("last_day", last_day, "", "of submission in the archive"),
    HC_GROUP("totals", &total_record, "all attempts"),
    HC_LIST_OF("groups", count_groups, group_at, &group_record, "the same attempts, five times"),
    HC_GROUP("queue", &queue_record, "how long jobs with GPUs waited"),
    HC_GROUP("interrupted", &interrupted_record, "what ended attempts before their own end"),
    HC_OBJECT_BEHIND(struct hc_account_report, "sreport", check, &check_record,
                     "the records beside the scheduler's own report; null without --sreport"),
    HC_LIST_OF("corrections", count_corrections, nth_correction, &hc_correction_record,
               "what people said of ends, by date", .rules = HC_LINE),
    HC_LIST_OF("needs", count_needs, need_at, &need_record,
               "further input, by the GPU-hours that it would tell of"),
};
const struct hc_record_def hc_account_record = HC_RECORD(NULL, report_fields);
