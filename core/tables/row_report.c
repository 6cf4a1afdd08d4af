#include "core/tables/row_report.h"

#include "core/tables/table.h"

#include <inttypes.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

static const struct {
    const char *key, *text;
} reasons[HC_N_BAD_REASONS] = {
    [HC_BAD_FIELDS] = {"fields", "rows with a wrong number of fields"},
    [HC_BAD_NUMBER] = {"number", "rows with a field that is not a number"},
    [HC_BAD_RANGE] = {"range", "rows with a number out of range"},
    [HC_BAD_TEXT] = {"text", "rows with a name or text that cannot be kept"},
    [HC_BAD_NULL] = {"null", "rows with an empty field that must be filled"},
    [HC_BAD_DUPLICATE] = {"duplicate", "duplicate rows"},
    [HC_BAD_ABSENT] = {"absent", "rows that other dp ranks of the step have"},
    [HC_BAD_CLIPPED] = {"clipped", "durations between -10 ms and 0, taken as 0"},
    [HC_BAD_UNCLEAN] = {"unclean", "texts with control bytes, not in UTF-8, or too long"},
};

const char *hc_bad_reason_text(enum hc_bad_reason reason)
{
    return reasons[reason].text;
}

const char *hc_bad_reason_outcome(enum hc_bad_reason reason)
{
    return reason == HC_BAD_ABSENT    ? "absent"
           : reason == HC_BAD_CLIPPED ? "clipped"
           : reason == HC_BAD_UNCLEAN ? "cleaned"
                                      : "skipped";
}

bool hc_bad_reason_is_skipped(enum hc_bad_reason reason)
{
    return reason != HC_BAD_ABSENT && reason != HC_BAD_CLIPPED && reason != HC_BAD_UNCLEAN;
}

const char *hc_bad_reason_key(enum hc_bad_reason reason)
{
    return reasons[reason].key;
}

static void keep_first(struct hc_row_report *report, enum hc_bad_reason reason, const char *format,
                       va_list args)
{
    if (report->count[reason]++ == 0)
        vsnprintf(report->example[reason], sizeof report->example[reason], format, args);
}

void hc_row_report_clipped(struct hc_row_report *report, const char *format, ...)
{
    va_list args;
    va_start(args, format);
    keep_first(report, HC_BAD_CLIPPED, format, args);
    va_end(args);
}

void hc_row_report_unclean(struct hc_row_report *report, const char *format, ...)
{
    va_list args;
    va_start(args, format);
    keep_first(report, HC_BAD_UNCLEAN, format, args);
    va_end(args);
}

enum hc_status hc_row_report_bad(struct hc_row_report *report, enum hc_bad_reason reason,
                                 int32_t step, struct hc_error *err, const char *format, ...)
{
    va_list args;
    va_start(args, format);
    keep_first(report, reason, format, args);
    va_end(args);
    if (step == HC_MISSING_I32) {
        report->bad_without_step++;
        return HC_OK;
    }
    size_t entry = 0;
    if (hc_int_map_insert(&report->bad_steps, (uint32_t)step, 0, &entry, err))
        return err->status;
    report->bad_steps.values[entry]++;
    return HC_OK;
}

int64_t hc_row_report_total_bad(const struct hc_row_report *report)
{
    int64_t total = 0;
    for (int reason = 0; reason < HC_N_BAD_REASONS; reason++)
        total += hc_bad_reason_is_skipped(reason) ? report->count[reason] : 0;
    return total;
}

enum hc_status hc_row_report_limit(const struct hc_row_report *report, double max_bad,
                                   struct hc_error *err)
{
    int64_t bad = hc_row_report_total_bad(report) + report->bad_before;
    int64_t rows_read = report->rows_read + report->rows_before;
    if ((double)bad <= max_bad * (double)rows_read)
        return HC_OK;
    char detail[HC_ERROR_SIZE] = "";
    size_t used = 0;
    for (int reason = 0; reason < HC_N_BAD_REASONS; reason++) {
        if (!report->count[reason] || !hc_bad_reason_is_skipped(reason) || used >= sizeof detail)
            continue;
        int n =
            snprintf(detail + used, sizeof detail - used, "%s%" PRId64 " %s (%s)", used ? "; " : "",
                     report->count[reason], reasons[reason].text, report->example[reason]);
        used += n > 0 ? (size_t)n : 0;
    }
    return hc_fail(err, HC_BAD_INPUT,
                   "%" PRId64 " of %" PRId64
                   " rows are bad, more than --max-bad allows (%g %%): %s",
                   bad, rows_read, 100 * max_bad, detail);
}

enum hc_status hc_row_report_limit_early(const struct hc_row_report *report, int64_t n_duplicates,
                                         int64_t n_rows, double max_bad, struct hc_error *err)
{
    /* The report as it would be if all that is still to come were good. */
    struct hc_row_report best = *report;
    best.rows_read = n_rows;
    best.count[HC_BAD_DUPLICATE] += n_duplicates;
    snprintf(best.example[HC_BAD_DUPLICATE], sizeof best.example[0],
             "among the first %" PRId64 " rows", report->rows_read);
    return hc_row_report_limit(&best, max_bad, err);
}

void hc_row_report_fini(struct hc_row_report *report)
{
    hc_int_map_fini(&report->bad_steps);
    memset(report, 0, sizeof *report);
}
