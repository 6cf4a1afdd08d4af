#include "reports/account/account_report.h"

#include "core/base/clock.h"
#include "core/text/number_format.h"
#include "reports/evidence/corrections_report.h"
#include "reports/write/section.h"
#include "reports/write/text_line.h"

#include <inttypes.h>
#include <math.h>

static const char *hours(double value, char text[HC_NUMBER_TEXT])
{
    return hc_format_fixed(value, value < 100 ? 1 : 0, text);
}

/* ---- head ---- */

static void put_extent(FILE *stream, const struct hc_account_report *report)
{
    const struct hc_job_account *account = report->result->account;
    struct hc_text_line line = {.used = 0};
    char count[3][HC_NUMBER_TEXT], from[32], to[32];
    hc_line_add(&line, "%s records in '%s', submitted from %s to %s",
                hc_format_count(account->n_records, count[0]), report->archive, report->first_day,
                report->last_day);
    if (report->cluster)
        hc_line_add(&line, ", cluster '%s'", report->cluster);
    else if (report->n_clusters > 1)
        hc_line_add(&line, ", %zu clusters", report->n_clusters);
    hc_line_put(stream, "jobs", &line);
    hc_line_add(&line, "%s ran", hc_format_count(account->total.n_attempts, count[0]));
    if (account->total.n_attempts) {
        hc_format_iso8601(account->first_ns, from);
        hc_format_iso8601(account->last_ns, to);
        hc_line_add(&line, " from %.19sZ to %.19sZ", from, to);
    }
    hc_line_add(&line, ", %s never did", hc_format_count(account->n_never_ran, count[1]));
    if (account->n_unplaced)
        hc_line_add(&line, ", %s ran at times that are not recorded",
                    hc_format_count(account->n_unplaced, count[2]));
    if (account->n_outside)
        hc_line_add(&line, ", %s outside of the window",
                    hc_format_count(account->n_outside, count[2]));
    hc_line_put(stream, "attempts", &line);
}

/* A sum of money; "-" where no price is known. */
static const char *money(double cost, char text[HC_NUMBER_TEXT])
{
    if (isnan(cost))
        snprintf(text, HC_NUMBER_TEXT, "-");
    else
        hc_format_fixed(cost, fabs(cost) < 1000 ? 2 : 0, text);
    return text;
}

static void put_cost(FILE *stream, const struct hc_account_report *report)
{
    struct hc_text_line line = {.used = 0};
    char number[HC_NUMBER_TEXT];
    if (isnan(report->result->cost))
        return;
    hc_line_add(&line, "%s %.60s by the prices of the site file",
                money(report->result->cost, number),
                report->currency ? report->currency : "(it names no currency)");
    if (report->result->unpriced_gpu_hours > 0)
        hc_line_add(&line, "; %s GPU-hours are of partitions without a price",
                    hours(report->result->unpriced_gpu_hours, number));
    hc_line_put(stream, "cost", &line);
}

static void put_totals(FILE *stream, const struct hc_account_result *result)
{
    struct hc_text_line line = {.used = 0};
    char number[2][HC_NUMBER_TEXT];
    hc_line_add(&line, "%s GPU-hours, %s CPU-hours", hours(result->gpu_hours, number[0]),
                hours(result->cpu_hours, number[1]));
    if (result->gpu_hours <= 0)
        hc_line_add(&line, "; no record has GPUs: shares are of CPU-hours");
    hc_line_put(stream, "held", &line);
}

static void put_queue(FILE *stream, const struct hc_account_result *result)
{
    struct hc_text_line line = {.used = 0};
    char text[6][HC_NUMBER_TEXT];
    int64_t n_from_submit = result->account->queue.n_from_submit;
    if (result->n_waits == 0)
        return;
    hc_line_add(&line,
                "%s jobs with GPUs: median %s, mean %s, p90 %s, p99 %s from eligible to start; %s "
                "GPU-hours were waited for",
                hc_format_count(result->n_waits, text[0]),
                hc_format_seconds(result->wait_median_s, text[1]),
                hc_format_seconds(result->wait_mean_s, text[2]),
                hc_format_seconds(result->wait_p90_s, text[3]),
                hc_format_seconds(result->wait_p99_s, text[4]),
                hours(result->gpu_wait_hours, text[5]));
    if (n_from_submit)
        hc_line_add(&line, "; of %s only the submission is known",
                    hc_format_count(n_from_submit, text[0]));
    hc_line_put(stream, "queue", &line);
}

static void put_interrupted(FILE *stream, const struct hc_account_result *result)
{
    struct hc_text_line line = {.used = 0};
    char text[3][HC_NUMBER_TEXT];
    if (result->n_interrupted == 0 && result->n_taken_out == 0)
        return;
    hc_line_add(&line,
                "%s attempts were ended by a node, pre-emption or a requeue: between %s (all had "
                "saved their work) and %s GPU-hours (none had) are lost",
                hc_format_count(result->n_interrupted, text[0]),
                hours(result->interrupted_low_gpu_hours, text[1]),
                hours(result->interrupted_high_gpu_hours, text[2]));
    if (result->n_put_in || result->n_taken_out)
        hc_line_add(&line, "; by corrections %s of them count, and %s others do not",
                    hc_format_count(result->n_put_in, text[0]),
                    hc_format_count(result->n_taken_out, text[1]));
    hc_line_put(stream, "interrupted", &line);
}

static void put_doubts(FILE *stream, const struct hc_account_result *result)
{
    const struct hc_job_account *account = result->account;
    const struct {
        int64_t n;
        const char *sentence;
    } doubts[] = {
        {account->n_lost, "attempts are missing: restart counts tell of them; dump with "
                          "--duplicates"},
        {account->n_running, "attempts still ran: counted up to when their record was written"},
        {account->n_gpus_unknown, "attempts do not say what they held: counted as no GPU"},
        {account->n_suspended_clipped,
         "attempts were suspended, and the window cuts them: CPU-time as if they ran"},
    };
    const char *label = "note";
    for (size_t i = 0; i < sizeof doubts / sizeof *doubts; i++) {
        struct hc_text_line line = {.used = 0};
        char count[HC_NUMBER_TEXT];
        if (doubts[i].n == 0)
            continue;
        hc_line_add(&line, "%s %s", hc_format_count(doubts[i].n, count), doubts[i].sentence);
        hc_line_put(stream, label, &line);
        label = "";
    }
    if (account->n_gpus_estimated) {
        struct hc_text_line line = {.used = 0};
        char count[2][HC_NUMBER_TEXT];
        hc_line_add(
            &line,
            "%s attempts do not say what they held: estimated as all GPUs of their nodes, by "
            "the site file, %s GPU-hours",
            hc_format_count(account->n_gpus_estimated, count[0]),
            hours(result->estimated_gpu_hours, count[1]));
        hc_line_put(stream, label, &line);
    }
}

/* The window of the account is that of the report. */
static void put_check(FILE *stream, const struct hc_usage_check *check)
{
    struct hc_text_line line = {.used = 0};
    char number[2][HC_NUMBER_TEXT];
    if (!check)
        return;
    hc_line_add(&line, "%s GPU-hours in this window by '%s', %s by the records",
                hours(check->scheduler_gpu_hours, number[0]), check->file,
                hours(check->gpu_hours, number[1]));
    if (!isnan(check->share))
        hc_line_add(&line, ": %+.2f %%", 100 * check->share);
    if (check->is_finding)
        hc_line_add(&line, ", a finding");
    hc_line_put(stream, "sreport", &line);
}

/* ---- tables ---- */

static enum hc_status put_differences(FILE *stream, const struct hc_account_report *report,
                                      struct hc_error *err)
{
    static const struct hc_section_column columns[] = {
        {.title = "user", .width = 26},
        {.title = "records", .gap = 2, .is_right = true},
        {.title = "sreport", .gap = 2, .is_right = true},
        {.title = "difference", .gap = 2, .is_right = true},
    };
    struct hc_section section = {.title = "GPU-HOURS BY THE RECORDS AND BY SREPORT",
                                 .columns = columns,
                                 .n_columns = sizeof columns / sizeof *columns};
    if (!report->check || !report->check->is_finding)
        return HC_OK;
    for (size_t i = 0; i < report->check->n && i < report->top; i++) {
        const struct hc_usage_row *row = &report->check->rows[i];
        char number[HC_NUMBER_TEXT];
        hc_section_text(&section, row->user);
        hc_section_text(&section, hours(row->gpu_hours, number));
        hc_section_text(&section, hours(row->scheduler_gpu_hours, number));
        hc_section_text(&section, hours(row->difference_gpu_hours, number));
    }
    return hc_section_print(stream, section, err);
}

static enum hc_status put_groups(FILE *stream, const struct hc_account_report *report, int by,
                                 struct hc_error *err)
{
    const struct hc_account_rows *rows = &report->result->by[by];
    const struct hc_section_column columns[] = {
        {.title = hc_account_grouping_name((enum hc_account_grouping)by), .width = 26},
        {.title = "attempts", .gap = 2, .is_right = true},
        {.title = "GPU-hours", .gap = 2, .is_right = true},
        {.title = "CPU-hours", .gap = 2, .is_right = true},
        {.title = "share", .gap = 2, .is_right = true},
        {.title = report->currency ? report->currency : "cost", .gap = 2, .is_right = true},
    };
    bool has_cost = !isnan(report->result->cost);
    static const char *const titles[HC_N_ACCOUNT_GROUPINGS] = {
        [HC_ACCOUNT_BY_STATE] = "BY STATE",         [HC_ACCOUNT_BY_SIZE] = "BY SIZE",
        [HC_ACCOUNT_BY_PARTITION] = "BY PARTITION", [HC_ACCOUNT_BY_ACCOUNT] = "BY ACCOUNT",
        [HC_ACCOUNT_BY_USER] = "BY USER",
    };
    struct hc_section section = {
        .title = titles[by], .columns = columns, .n_columns = has_cost ? 6 : 5};
    size_t n = rows->n < report->top ? rows->n : report->top;
    char number[HC_NUMBER_TEXT];
    double rest = 0;
    for (size_t i = 0; i < n; i++) {
        const struct hc_account_row *row = &rows->rows[i];
        hc_section_text(&section, row->name);
        hc_section_count(&section, row->n_attempts);
        hc_section_text(&section, hours(row->gpu_hours, number));
        hc_section_text(&section, hours(row->cpu_hours, number));
        if (isnan(row->share))
            hc_section_text(&section, "-");
        else
            hc_section_percent(&section, row->share);
        if (has_cost)
            hc_section_text(&section, money(row->cost, number));
    }
    for (size_t i = n; i < rows->n; i++)
        rest += rows->rows[i].gpu_hours;
    if (n < rows->n)
        hc_section_note(&section, "and %zu more with %s GPU-hours, which --csv and --json list",
                        rows->n - n, hours(rest, number));
    return hc_section_print(stream, section, err);
}

static enum hc_status put_needs(FILE *stream, const struct hc_account_result *result,
                                struct hc_error *err)
{
    static const struct hc_section_column columns[] = {
        {.title = "GPU-hours", .is_right = true},
        {.title = "input", .gap = 2},
        {.title = "", .gap = 11, .is_below = true},
    };
    struct hc_section section = {
        .title = "WHAT FURTHER INPUT WOULD TELL", .columns = columns, .n_columns = 3};
    for (int i = 0; i < HC_ACCOUNT_N_NEEDS; i++) {
        const struct hc_account_need *need = &result->needs[i];
        char number[HC_NUMBER_TEXT];
        if (!(need->gpu_hours > 0))
            continue;
        hc_section_text(&section, hours(need->gpu_hours, number));
        hc_section_text(&section, need->input);
        hc_section_text(&section, need->answers);
    }
    return hc_section_print_any(stream, section, err);
}

enum hc_status hc_account_write_text(const struct hc_account_report *report, FILE *stream,
                                     struct hc_error *err)
{
    put_extent(stream, report);
    put_totals(stream, report->result);
    put_cost(stream, report);
    put_check(stream, report->check);
    put_queue(stream, report->result);
    put_interrupted(stream, report->result);
    put_doubts(stream, report->result);
    hc_corrections_put_head(stream, report->result->account->corrections);
    if (put_differences(stream, report, err))
        return err->status;
    for (int by = 0; by < HC_N_ACCOUNT_GROUPINGS; by++)
        if (put_groups(stream, report, by, err))
            return err->status;
    if (hc_corrections_put(stream, report->result->account->corrections, report->top, err))
        return err->status;
    return put_needs(stream, report->result, err);
}
