#include "reports/fleet/fleet_report.h"

#include "core/base/text_layout.h"
#include "reports/fleet/fleet_tables.h"
#include "reports/fleet/fleet_views.h"

#include <math.h>
#include <stdarg.h>
#include <stdlib.h>

#define WIDTH 80
#define LABEL 14

/* A line of the summary, wrapped under its label. */
__attribute__((format(printf, 3, 4))) static void put_line(FILE *stream, const char *label,
                                                           const char *format, ...)
{
    char text[1024];
    va_list args;
    va_start(args, format);
    vsnprintf(text, sizeof text, format, args);
    va_end(args);
    fprintf(stream, "%-*s", LABEL, label);
    hc_text_wrap(stream, text, LABEL, LABEL, WIDTH);
}

/* ---- the summary ---- */

static void put_source(FILE *stream, const struct hc_fleet_report *report)
{
    char shown[4 * WIDTH];
    if (report->archive)
        put_line(stream, "archive", "%s",
                 hc_text_tail(shown, sizeof shown, report->archive, WIDTH - LABEL - 1));
    if (report->options)
        put_line(stream, "options", "%s", report->options);
    if (report->run_id)
        put_line(stream, "run", "%s", report->run_id);
}

static void put_waste(FILE *stream, const struct hc_fleet_summary *summary)
{
    const struct hc_fleet_cdf *waste = &summary->cdf[HC_CDF_WASTE_BY_JOBS];
    char a[HC_NUMBER_TEXT], b[HC_NUMBER_TEXT], c[HC_NUMBER_TEXT];
    if (summary->n_hours_unknown < summary->n_analysed)
        put_line(stream, "GPU-hours", "%s lost to stragglers, %s of the %s traced",
                 hc_fleet_hours_text(summary->hours_lost, a),
                 hc_format_percent(summary->lost_share, b),
                 hc_fleet_hours_text(summary->hours_traced, c));
    if (summary->n_hours_unknown > 0)
        put_line(stream, summary->n_hours_unknown < summary->n_analysed ? "" : "GPU-hours",
                 "not known for %s of the jobs: these count as jobs only",
                 hc_format_count((int64_t)summary->n_hours_unknown, a));
    put_line(stream, "waste", "of a job: median %s, P90 %s, P99 %s",
             hc_format_percent(hc_fleet_cdf_percent(waste, 50), a),
             hc_format_percent(hc_fleet_cdf_percent(waste, 90), b),
             hc_format_percent(hc_fleet_cdf_percent(waste, 99), c));
}

static void put_main_cause(FILE *stream, const struct hc_fleet_summary *summary)
{
    enum hc_straggler_cause id = summary->main_cause;
    const struct hc_fleet_cause *cause = &summary->causes[id];
    char a[HC_NUMBER_TEXT], b[HC_NUMBER_TEXT];
    if (id == HC_STRAGGLER_NONE)
        put_line(stream, "main cause", "none: no job is given a cause");
    else if (isfinite(cause->lost_share))
        put_line(stream, "main cause", "%s: %s of the straggling jobs, %s of the GPU-hours lost",
                 hc_straggler_cause_text(id), hc_format_percent(cause->share_of_straggling, a),
                 hc_format_percent(cause->lost_share, b));
    else
        put_line(stream, "main cause", "%s: %s of the straggling jobs", hc_straggler_cause_text(id),
                 hc_format_percent(cause->share_of_straggling, a));
}

static void put_straggling(FILE *stream, const struct hc_fleet_summary *summary)
{
    const struct hc_fleet_part *part = &summary->straggling;
    char a[HC_NUMBER_TEXT], b[HC_NUMBER_TEXT], c[HC_NUMBER_TEXT], d[HC_NUMBER_TEXT];
    put_line(stream, "straggling", "%s of these, S >= 1.1: %s (95 %% interval %s to %s %%)",
             hc_format_count((int64_t)part->n, a), hc_format_percent(part->share, b),
             hc_format_fixed(100 * summary->straggling_interval.low, 1, c),
             hc_format_fixed(100 * summary->straggling_interval.high, 1, d));
    if (isfinite(part->hours_share))
        put_line(stream, "", "they ran %s of the GPU-hours; their mean S is %s",
                 hc_format_percent(part->hours_share, a),
                 hc_format_fixed(summary->mean_straggling_slowdown, 3, b));
}

static void put_late(FILE *stream, const struct hc_fleet_summary *summary)
{
    const struct hc_fleet_part *late = &summary->late, *others = &summary->straggling_in_time;
    char a[HC_NUMBER_TEXT], b[HC_NUMBER_TEXT], c[HC_NUMBER_TEXT];
    if (late->n == 0)
        return;
    put_line(stream, "late launches",
             "%s of these (%s) start their ops so late that replayed and traced steps differ by "
             "over 5 %%; without them, as the paper counts, %s straggle",
             hc_format_count((int64_t)late->n, a), hc_format_percent(late->share, b),
             hc_format_percent(others->share, c));
    if (late->n > late->unknown)
        put_line(stream, "", "late launches took %s GPU-hours of them, beside what stragglers took",
                 hc_fleet_hours_text(summary->late_hours_lost, a));
}

/* One machine in several jobs is a finding of its own: the one of the most jobs is named. */
static void put_shared_hosts(FILE *stream, const struct hc_fleet_summary *summary)
{
    char a[HC_NUMBER_TEXT], b[HC_NUMBER_TEXT];
    if (summary->n_shared_hosts == 0)
        return;
    if (summary->n_shared_hosts == 1)
        put_line(stream, "slow hosts", "%.80s is slow in %s jobs: a machine, not a job",
                 summary->hosts[0].name, hc_format_count((int64_t)summary->hosts[0].n_jobs, a));
    else
        put_line(stream, "slow hosts",
                 "%s are slow in several jobs, first %.80s in %s: machines, not jobs",
                 hc_format_count((int64_t)summary->n_shared_hosts, a), summary->hosts[0].name,
                 hc_format_count((int64_t)summary->hosts[0].n_jobs, b));
}

static void put_summary(FILE *stream, const struct hc_fleet_summary *summary)
{
    char a[HC_NUMBER_TEXT], b[HC_NUMBER_TEXT], c[HC_NUMBER_TEXT], lacking[HC_FLEET_LACKING_TEXT];
    put_line(stream, "jobs", "%s, of which %s (%s) could be analysed",
             hc_format_count((int64_t)summary->n_jobs, a),
             hc_format_count((int64_t)summary->n_analysed, b),
             hc_format_percent(summary->funnel[HC_FLEET_ANALYSED].share_of_all, c));
    if (summary->lacking.n > 0)
        put_line(stream, "incomplete", "%s", hc_fleet_lacking_text(summary, lacking));
    if (summary->n_analysed == 0)
        return;
    put_straggling(stream, summary);
    put_late(stream, summary);
    put_waste(stream, summary);
    put_main_cause(stream, summary);
    put_shared_hosts(stream, summary);
}

/* ---- tables ---- */

static enum hc_status put_funnel(FILE *stream, const struct hc_fleet_report *report,
                                 const struct hc_fleet_summary *summary, struct hc_error *err)
{
    struct hc_section table = hc_fleet_funnel_table(report, summary);
    char number[HC_NUMBER_TEXT];
    if (summary->late.n > 0)
        hc_section_note(
            &table,
            "late launches: %s of the analysed jobs have a discrepancy over 5 %%, because\n"
            "their ops start late; the paper (OSDI'25) discards them",
            hc_format_count((int64_t)summary->late.n, number));
    return hc_section_print(stream, table, err);
}

/* Who is lacking and why: they are in no other table. */
static enum hc_status put_lacking(FILE *stream, const struct hc_fleet_report *report,
                                  const struct hc_fleet_summary *summary, struct hc_error *err)
{
    size_t top = report->top ? report->top : HC_FLEET_TOP, n = summary->lacking.n;
    char number[HC_NUMBER_TEXT];
    if (n == 0)
        return HC_OK;
    struct hc_section table = hc_fleet_lacking_table(report, top);
    if (n > top)
        hc_section_note(&table, "and %s more, which --json lists",
                        hc_format_count((int64_t)(n - top), number));
    return hc_section_print(stream, table, err);
}

/* ---- the ranking ---- */

struct ranking {
    const size_t *order;
    size_t n;
    const char *title;
};

static enum hc_status put_ranking(FILE *stream, const struct hc_fleet_report *report,
                                  const struct ranking *ranking, struct hc_error *err)
{
    size_t top = report->top ? report->top : HC_FLEET_TOP, n = ranking->n;
    char a[HC_NUMBER_TEXT], b[HC_NUMBER_TEXT], title[160];
    if (n == 0)
        return HC_OK;
    top = n < top ? n : top;
    snprintf(title, sizeof title, "%s (%s of %s)", ranking->title, hc_format_count((int64_t)top, a),
             hc_format_count((int64_t)n, b));
    struct hc_section table = hc_fleet_ranking_table(report, ranking->order, 0, top);
    table.title = title;
    return hc_section_print(stream, table, err);
}

static enum hc_status put_hosts(FILE *stream, const struct hc_fleet_report *report,
                                const struct hc_fleet_summary *summary, struct hc_error *err)
{
    size_t top = report->top ? report->top : HC_FLEET_TOP;
    if (summary->n_hosts == 0)
        return HC_OK;
    return hc_section_print(stream, hc_fleet_hosts_table(report, summary, top), err);
}

/* ---- all of it ---- */

static enum hc_status put_tables(FILE *stream, const struct hc_fleet_report *report,
                                 const struct hc_fleet_summary *summary, struct hc_error *err)
{
    const struct ranking by_hours = {summary->ranked, summary->n_ranked, "JOBS BY GPU-HOURS LOST"},
                         by_waste = {summary->unranked, summary->n_unranked,
                                     "JOBS BY WASTE, GPU-HOURS NOT KNOWN"};
    if (put_funnel(stream, report, summary, err) || put_lacking(stream, report, summary, err))
        return err->status;
    if (summary->n_analysed == 0)
        return HC_OK;
    if (put_ranking(stream, report, &by_hours, err) ||
        put_ranking(stream, report, &by_waste, err) || put_hosts(stream, report, summary, err) ||
        hc_section_print(stream, hc_fleet_causes_table(summary), err) ||
        hc_section_print(stream, hc_fleet_tests_table(summary), err) ||
        hc_section_print(stream, hc_fleet_quantiles_table(summary), err) ||
        hc_section_print(stream, hc_fleet_types_table(summary), err) ||
        hc_section_print(stream, hc_fleet_sizes_table(summary), err))
        return err->status;
    return HC_OK;
}

enum hc_status hc_fleet_write_text(FILE *stream, const struct hc_fleet_report *report,
                                   struct hc_error *err)
{
    put_source(stream, report);
    put_summary(stream, report->summary);
    enum hc_status status = put_tables(stream, report, report->summary, err);
    if (status != HC_OK)
        return status;
    return ferror(stream) ? hc_fail_errno(err, "cannot write", "the fleet report") : HC_OK;
}
