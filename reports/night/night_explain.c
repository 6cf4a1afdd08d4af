#include "reports/night/night_explain.h"

#include "core/base/clock.h"
#include "core/base/missing.h"
#include "core/base/printable.h"
#include "core/text/csv_writer.h"
#include "core/text/number_format.h"
#include "models/account/night/night_result.h"

#include <inttypes.h>

static void time_text(int64_t ns, char text[32])
{
    hc_format_iso8601(ns, text);
}

/* ---- CSV ---- */

static void put_csv(struct hc_explain *explain, const struct hc_explained *row)
{
    const struct hc_slice *slice = &row->slice;
    struct hc_csv csv = {.stream = explain->stream};
    char from[32], to[32], gpu_ns[48];
    time_text(slice->from_ns, from);
    time_text(slice->to_ns, to);
    hc_gpu_ns_text(hc_slice_gpu_ns(slice), gpu_ns);
    hc_csv_text(&csv, from);
    hc_csv_text(&csv, to);
    hc_csv_i64(&csv, slice->gpus);
    hc_csv_text(&csv, gpu_ns);
    hc_csv_text(&csv, hc_what_name(slice->what));
    hc_csv_text(&csv, hc_why_name(slice->why));
    hc_csv_text(&csv, hc_evidence_name(slice->evidence));
    hc_csv_text(&csv, hc_mark_name(slice->mark));
    hc_csv_text(&csv, hc_slice_rule_name(slice->rule));
    hc_csv_real(&csv, (double)slice->uncertain_ns * 1e-9);
    hc_csv_i64(&csv, row->job);
    hc_csv_i64(&csv, row->raw_job);
    hc_csv_i64(&csv, row->array_task == HC_MISSING_I32 ? HC_MISSING_I64 : row->array_task);
    hc_csv_i64(&csv, row->restarts == HC_MISSING_I32 ? HC_MISSING_I64 : row->restarts);
    hc_csv_text(&csv, row->user);
    hc_csv_text(&csv, row->run);
    hc_csv_text(&csv, row->cause);
    hc_csv_text(&csv, row->source);
    hc_csv_i64(&csv, slice->line);
    hc_csv_end(&csv);
}

/* ---- text ---- */

static void put_text(struct hc_explain *explain, const struct hc_explained *row)
{
    const struct hc_slice *slice = &row->slice;
    char from[32], to[32], hours[HC_NUMBER_TEXT], text[700];
    time_text(slice->from_ns, from);
    time_text(slice->to_ns, to);
    int n = snprintf(
        text, sizeof text, "%.19s  %.19s %7d %10s  %-20s %-15s %-10s %-18s job %" PRId64, from, to,
        slice->gpus, hc_format_fixed(hc_gpu_hours(hc_slice_gpu_ns(slice)), 2, hours),
        hc_what_name(slice->what), slice->why == HC_WHY_NONE ? "" : hc_why_name(slice->why),
        hc_mark_name(slice->mark), hc_slice_rule_name(slice->rule), row->job);
    if (row->source && n > 0 && (size_t)n < sizeof text)
        n += snprintf(text + n, sizeof text - (size_t)n, "  %.300s", row->source);
    if (row->source && slice->line != HC_MISSING_I64 && n > 0 && (size_t)n < sizeof text)
        snprintf(text + n, sizeof text - (size_t)n, ":%" PRId64, slice->line);
    hc_show_text(explain->stream, text);
    fputc('\n', explain->stream);
}

void hc_explain_start(struct hc_explain *explain)
{
    fputs(explain->is_csv
              ? "from,to,gpus,gpu_ns,what,why,evidence,mark,rule,uncertain_s,job,raw_job,"
                "array_task,restarts,user,run,cause,source,line\n"
              : "from                 to                     GPUs  GPU-hours  what                 "
                "why             known as   rule               where\n",
          explain->stream);
}

void hc_explain_row(struct hc_explain *explain, const struct hc_explained *row)
{
    explain->n++;
    explain->gpu_ns += hc_slice_gpu_ns(&row->slice);
    explain->has_rule[row->slice.rule] = true;
    if (explain->is_csv)
        put_csv(explain, row);
    else
        put_text(explain, row);
}

void hc_explain_end(const struct hc_explain *explain)
{
    char hours[HC_NUMBER_TEXT], count[HC_NUMBER_TEXT];
    if (explain->is_csv)
        return;
    fprintf(explain->stream, "\n%s intervals, %s GPU-hours\n", hc_format_count(explain->n, count),
            hc_format_fixed(hc_gpu_hours(explain->gpu_ns), 4, hours));
    for (int r = 0; r < HC_N_SLICE_RULES; r++)
        if (explain->has_rule[r])
            fprintf(explain->stream, "%s: %s\n", hc_slice_rule_name((enum hc_slice_rule)r),
                    hc_slice_rule_sentence((enum hc_slice_rule)r));
}
