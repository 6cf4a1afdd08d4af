#include "reports/fleet/fleet_views.h"

#include "core/base/memory.h"

#include <inttypes.h>
#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

const enum hc_fleet_fate hc_fleet_stages[HC_N_FLEET_FATES] = {
    HC_FLEET_RESTARTED, HC_FLEET_UNREADABLE, HC_FLEET_DAMAGED,     HC_FLEET_NO_MEMORY,
    HC_FLEET_FEW_STEPS, HC_FLEET_NO_REPLAY,  HC_FLEET_DISCREPANCY, HC_FLEET_ANALYSED};

const char *hc_fleet_stage_key(enum hc_fleet_fate fate)
{
    static const char *const keys[HC_N_FLEET_FATES] = {
        [HC_FLEET_ANALYSED] = "analysed",     [HC_FLEET_RESTARTED] = "restarted",
        [HC_FLEET_UNREADABLE] = "unreadable", [HC_FLEET_DAMAGED] = "damaged",
        [HC_FLEET_NO_MEMORY] = "no_memory",   [HC_FLEET_FEW_STEPS] = "few_steps",
        [HC_FLEET_NO_REPLAY] = "no_replay",   [HC_FLEET_DISCREPANCY] = "discrepancy"};
    return keys[fate];
}

const char *hc_fleet_stage_text(const struct hc_fleet_report *report, enum hc_fleet_fate fate,
                                char text[HC_FLEET_STAGE_TEXT])
{
    static const char *const plain[HC_N_FLEET_FATES] = {[HC_FLEET_ANALYSED] = "analysed",
                                                        [HC_FLEET_RESTARTED] = "too many attempts",
                                                        [HC_FLEET_UNREADABLE] = "cannot be read",
                                                        [HC_FLEET_DAMAGED] = "damaged",
                                                        [HC_FLEET_NO_MEMORY] = "out of memory",
                                                        [HC_FLEET_FEW_STEPS] = "too few steps",
                                                        [HC_FLEET_NO_REPLAY] = "cannot be replayed",
                                                        [HC_FLEET_DISCREPANCY] =
                                                            "discrepancy too large"};
    char number[HC_NUMBER_TEXT];
    strcpy(text, plain[fate]);
    if (fate == HC_FLEET_RESTARTED && report->max_attempts > 0)
        snprintf(text, HC_FLEET_STAGE_TEXT, "over %" PRId32 " attempts", report->max_attempts);
    if (fate == HC_FLEET_FEW_STEPS && report->min_steps > 0)
        snprintf(text, HC_FLEET_STAGE_TEXT, "under %" PRId32 " whole steps", report->min_steps);
    if (fate == HC_FLEET_DISCREPANCY && report->max_discrepancy > 0)
        snprintf(text, HC_FLEET_STAGE_TEXT, "discrepancy over %s",
                 hc_format_percent(report->max_discrepancy, number));
    return text;
}

/* Append to text, which has HC_FLEET_LACKING_TEXT bytes. */
__attribute__((format(printf, 2, 3))) static void append(char *text, const char *format, ...)
{
    size_t used = strlen(text);
    va_list args;
    va_start(args, format);
    vsnprintf(text + used, HC_FLEET_LACKING_TEXT - used, format, args);
    va_end(args);
}

const char *hc_fleet_lacking_text(const struct hc_fleet_summary *summary,
                                  char text[HC_FLEET_LACKING_TEXT])
{
    static const struct hc_fleet_report no_limits;
    const struct hc_fleet_part *part = &summary->lacking;
    char a[HC_NUMBER_TEXT], b[HC_NUMBER_TEXT], stage[HC_FLEET_STAGE_TEXT];
    const char *before = ": ";
    snprintf(text, HC_FLEET_LACKING_TEXT, "%s of %s job%s %s lacking",
             hc_format_count((int64_t)part->n, a), hc_format_count((int64_t)part->of, b),
             part->of == 1 ? "" : "s", part->n == 1 ? "is" : "are");
    for (int s = 0; s < HC_N_FLEET_FATES; s++) {
        enum hc_fleet_fate fate = hc_fleet_stages[s];
        size_t n = summary->funnel[fate].part.n;
        if (!hc_fleet_is_lacking(fate) || n == 0)
            continue;
        append(text, "%s%s %s", before, hc_format_count((int64_t)n, a),
               hc_fleet_stage_text(&no_limits, fate, stage));
        before = ", ";
    }
    if (part->unknown == part->n)
        append(text, "; %s GPU-hours are not known", part->n == 1 ? "its" : "their");
    else
        append(text, "; %s GPU-hours traced", hc_fleet_hours_text(part->hours, a));
    if (part->unknown > 0 && part->unknown < part->n)
        append(text, ", and of %s jobs not known", hc_format_count((int64_t)part->unknown, a));
    return text;
}

const char *hc_fleet_metric_key(enum hc_fleet_metric_id id)
{
    static const char *const keys[HC_N_FLEET_METRICS] = {"m_w", "m_s", "correlation"};
    return keys[id];
}

const char *hc_fleet_metric_text(enum hc_fleet_metric_id id)
{
    static const char *const texts[HC_N_FLEET_METRICS] = {
        "M_W > 0.5 (few slow workers)", "M_S >= 0.5 (last stage)", "r >= 0.9 (sequence lengths)"};
    return texts[id];
}

const char *hc_fleet_class_text(enum hc_fleet_class op_class)
{
    static const char *const texts[HC_N_FLEET_CLASSES] = {"computation", "pipeline communication",
                                                          "data-parallel communication", "other"};
    return texts[op_class];
}

const char *hc_fleet_cdf_text(enum hc_fleet_cdf_id id)
{
    switch (id) {
    case HC_CDF_WASTE_BY_JOBS:
    case HC_CDF_WASTE_BY_HOURS:
        return "waste 1 - 1/S";
    case HC_CDF_SLOWDOWN_BY_JOBS:
    case HC_CDF_SLOWDOWN_BY_HOURS:
        return "slowdown S";
    case HC_CDF_LAUNCH_BY_JOBS:
        return "launch slowdown";
    case HC_CDF_DISCREPANCY_BY_JOBS:
        return "discrepancy";
    case HC_CDF_STEPS:
        return "step slowdown / S";
    case HC_CDF_M_W_BY_JOBS:
    case HC_CDF_M_W_BY_HOURS:
    case HC_CDF_M_W_BY_WASTE:
        return "M_W";
    case HC_CDF_M_S_BY_JOBS:
    case HC_CDF_M_S_BY_HOURS:
    case HC_CDF_M_S_BY_WASTE:
        return "M_S";
    default:
        return "r forward/backward";
    }
}

const char *hc_fleet_weight_text(enum hc_fleet_cdf_id id)
{
    const char *key = hc_fleet_cdf_weight(id);
    return strcmp(key, "gpu_hours") == 0 ? "GPU-hours" : key;
}

bool hc_fleet_cdf_is_share(enum hc_fleet_cdf_id id)
{
    return id == HC_CDF_WASTE_BY_JOBS || id == HC_CDF_WASTE_BY_HOURS ||
           id == HC_CDF_DISCREPANCY_BY_JOBS;
}

const char *hc_fleet_cdf_value(enum hc_fleet_cdf_id id, double value, char text[HC_NUMBER_TEXT])
{
    return hc_fleet_cdf_is_share(id) ? hc_format_percent(value, text)
                                     : hc_format_fixed(value, 3, text);
}

const char *hc_fleet_size_text(const struct hc_fleet_size *size, char text[2 * HC_NUMBER_TEXT])
{
    char from[HC_NUMBER_TEXT], to[HC_NUMBER_TEXT];
    if (size->from == 0)
        return strcpy(text, "not known");
    if (size->to == size->from + 1)
        return hc_format_count(size->from, text);
    snprintf(text, 2 * HC_NUMBER_TEXT, "%s to %s", hc_format_count(size->from, from),
             hc_format_count(size->to - 1, to));
    return text;
}

const char *hc_fleet_hours_text(double hours, char text[HC_NUMBER_TEXT])
{
    double size = fabs(hours);
    char number[HC_NUMBER_TEXT];
    if (!isfinite(hours) || size < 10)
        return hc_format_fixed(hours, size >= 0.0995 || hours == 0 ? 2 : 4, text);
    if (size < 999.95)
        return hc_format_fixed(hours, 1, text);
    if (size < 99999999.5)
        return hc_format_count(llround(hours), text);
    if (size < 1e12)
        return strcat(strcpy(text, hc_format_fixed(hours / 1e6, size < 1e10 ? 1 : 0, number)),
                      " M");
    snprintf(text, HC_NUMBER_TEXT, "%.3e", hours);
    return text;
}

double hc_fleet_part_hours(const struct hc_fleet_part *part)
{
    return part->n > 0 && part->unknown == part->n ? NAN : part->hours;
}

const char *hc_fleet_job_text(const struct hc_fleet_row *row, char *text, size_t size)
{
    const char *id = row->job_id ? row->job_id : "";
    bool has_cluster = row->cluster && strcmp(row->cluster, "default") != 0;
    int n =
        snprintf(text, size, "%s%s%s", has_cluster ? row->cluster : "", has_cluster ? "/" : "", id);
    if (row->attempt != 0 && n >= 0 && (size_t)n < size)
        snprintf(text + n, size - (size_t)n, "#%" PRId32, row->attempt);
    return text;
}

size_t *hc_fleet_ranks(const struct hc_fleet_report *report, struct hc_error *err)
{
    const struct hc_fleet_summary *summary = report->summary;
    size_t *rank = hc_new_array(report->n_rows, sizeof *rank, err);
    for (size_t i = 0; rank && i < summary->n_ranked; i++)
        rank[summary->ranked[i]] = i + 1;
    return rank;
}
