#include "reports/fleet/fleet_report.h"

#include "core/base/text_layout.h"
#include "reports/fleet/fleet_views.h"

#include <math.h>
#include <stdarg.h>
#include <stdlib.h>

#define WIDTH 80
#define LABEL 14

/* ---- cells ---- */

/* Text of at most columns columns, cut where it is longer, padded on the right unless it is last.
 */
static void put_left(FILE *stream, const char *text, int columns)
{
    char shown[4 * WIDTH];
    hc_text_head(shown, sizeof shown, text, (size_t)columns);
    fprintf(stream, "%s%*s", shown, columns - (int)hc_text_columns(shown), "");
}

/* Right-aligned, after one blank. */
static void put_right(FILE *stream, const char *text, int columns)
{
    fprintf(stream, " %*s", columns - 1, text);
}

static void put_count(FILE *stream, size_t count, int columns)
{
    char number[HC_NUMBER_TEXT];
    put_right(stream, hc_format_count((int64_t)count, number), columns);
}

static void put_percent(FILE *stream, double share, int columns)
{
    char number[HC_NUMBER_TEXT];
    put_right(stream, hc_format_percent(share, number), columns);
}

/* A ratio in at most seven columns: three decimals, fewer of one that is large. */
static void put_fixed(FILE *stream, double value, int columns)
{
    char number[HC_NUMBER_TEXT];
    double size = fabs(value);
    hc_format_fixed(value, size < 99.9995 ? 3 : size < 9999.95 ? 1 : 0, number);
    if (size >= 999999.5)
        snprintf(number, sizeof number, "%.1e", value);
    put_right(stream, number, columns);
}

static void put_hours(FILE *stream, double hours, int columns)
{
    char number[HC_NUMBER_TEXT];
    put_right(stream, hc_fleet_hours_text(hours, number), columns);
}

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
    enum hc_straggler_cause id = hc_fleet_main_cause(summary);
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
    put_waste(stream, summary);
    put_main_cause(stream, summary);
}

/* ---- tables ---- */

/* A column: left-aligned with negative width. */
struct column {
    const char *title;
    int width;
};

static void put_heads(FILE *stream, const char *title, const struct column *columns, size_t n)
{
    fprintf(stream, "\n%s\n", title);
    for (size_t c = 0; c < n; c++)
        if (columns[c].width < 0)
            put_left(stream, columns[c].title, -columns[c].width);
        else
            put_right(stream, columns[c].title, columns[c].width);
    fputc('\n', stream);
}

#define HEADS(stream, title, columns)                                                              \
    put_heads(stream, title, columns, sizeof(columns) / sizeof(columns)[0])

static void put_funnel(FILE *stream, const struct hc_fleet_report *report,
                       const struct hc_fleet_summary *summary)
{
    static const struct column columns[] = {{"discarded", -27}, {"jobs", 8},       {"of rest", 9},
                                            {"of all", 9},      {"GPU-hours", 11}, {"of rest", 9},
                                            {"unkn.", 7}};
    char text[HC_FLEET_STAGE_TEXT];
    HEADS(stream, "FUNNEL (of rest: of what the stages before left; unkn.: GPU-hours not known)",
          columns);
    for (int s = 0; s < HC_N_FLEET_FATES; s++) {
        enum hc_fleet_fate fate = hc_fleet_stages[s];
        const struct hc_fleet_stage *stage = &summary->funnel[fate];
        bool is_end = fate == HC_FLEET_ANALYSED;
        put_left(stream, hc_fleet_stage_text(report, fate, text), 27);
        put_count(stream, stage->part.n, 8);
        put_percent(stream, is_end ? NAN : stage->part.share, 9);
        put_percent(stream, stage->share_of_all, 9);
        put_hours(stream, hc_fleet_part_hours(&stage->part), 11);
        put_percent(stream, is_end ? NAN : stage->part.hours_share, 9);
        put_count(stream, stage->part.unknown, 7);
        fputc('\n', stream);
    }
    if (summary->n_discarded_late > 0)
        fprintf(stream,
                "late launches: %s of the jobs discarded for their discrepancy (launch\n"
                "slowdown >= 1.1); they are not among the causes below\n",
                hc_format_count((int64_t)summary->n_discarded_late, text));
}

/* Who is lacking and why: they are in no other table. */
static void put_lacking(FILE *stream, const struct hc_fleet_report *report,
                        const struct hc_fleet_summary *summary)
{
    size_t top = report->top ? report->top : HC_FLEET_TOP, n = 0;
    char text[256], shown[4 * WIDTH], number[HC_NUMBER_TEXT];
    if (summary->lacking.n == 0)
        return;
    fprintf(stream, "\nLACKING JOBS\n");
    for (size_t i = 0; i < report->n_rows; i++) {
        const struct hc_fleet_row *row = &report->rows[i];
        if (!hc_fleet_is_lacking(row->fate) || n++ >= top)
            continue;
        hc_fleet_job_text(row, text, sizeof text);
        fprintf(stream, "%s\n", hc_text_head(shown, sizeof shown, text, WIDTH));
        if (row->detail[0]) {
            fprintf(stream, "    ");
            hc_text_wrap(stream, row->detail, 4, 4, WIDTH);
        }
    }
    if (n > top)
        fprintf(stream, "and %s more, which --json lists\n",
                hc_format_count((int64_t)(n - top), number));
}

static void put_quantiles(FILE *stream, const struct hc_fleet_summary *summary)
{
    static const struct column columns[] = {{"figure", -19}, {"weight", -10}, {"values", 9},
                                            {"mean", 10},    {"P50", 10},     {"P90", 10},
                                            {"P99", 10}};
    static const int percents[] = {50, 90, 99};
    char number[HC_NUMBER_TEXT];
    HEADS(stream, "DISTRIBUTIONS (from step slowdown on: of the straggling jobs)", columns);
    for (int id = 0; id < HC_N_FLEET_CDFS; id++) {
        const struct hc_fleet_cdf *cdf = &summary->cdf[id];
        put_left(stream, hc_fleet_cdf_text(id), 19);
        put_left(stream, hc_fleet_weight_text(id), 10);
        put_count(stream, cdf->n, 9);
        put_right(stream, hc_fleet_cdf_value(id, cdf->mean, number), 10);
        for (int p = 0; p < 3; p++) {
            double value = hc_fleet_cdf_percent(cdf, percents[p]);
            put_right(stream, hc_fleet_cdf_value(id, value, number), 10);
        }
        fputc('\n', stream);
    }
}

static void put_causes(FILE *stream, const struct hc_fleet_summary *summary)
{
    static const struct column columns[] = {{"cause", -27}, {"jobs", 8},        {"share", 9},
                                            {"mean S", 8},  {"GPU-h lost", 12}, {"share", 9},
                                            {"also", 7}};
    HEADS(stream, "CAUSES (share of the straggling jobs, and of all GPU-hours lost)", columns);
    for (int k = 1; k <= HC_N_STRAGGLER_CAUSES; k++) {
        enum hc_straggler_cause id = k % HC_N_STRAGGLER_CAUSES; /* the jobs without one last */
        const struct hc_fleet_cause *cause = &summary->causes[id];
        put_left(stream, hc_straggler_cause_text(id), 27);
        put_count(stream, cause->part.n, 8);
        put_percent(stream, cause->share_of_straggling, 9);
        put_fixed(stream, cause->mean_slowdown, 8);
        put_hours(stream, cause->hours_lost, 12);
        put_percent(stream, cause->lost_share, 9);
        put_count(stream, cause->n_also, 7);
        fputc('\n', stream);
    }
    fprintf(stream, "also: jobs of another cause whose tests this one passes besides\n");
}

static void put_metrics(FILE *stream, const struct hc_fleet_summary *summary)
{
    static const struct column columns[] = {{"test", -29}, {"jobs", 8},     {"of", 8},
                                            {"share", 9},  {"by GPU-h", 9}, {"mean S", 8},
                                            {"unkn.", 7}};
    HEADS(stream, "TESTS, each by itself (of the straggling jobs; unkn.: the test is not known)",
          columns);
    for (int id = 0; id < HC_N_FLEET_METRICS; id++) {
        const struct hc_fleet_metric *metric = &summary->metric[id];
        put_left(stream, hc_fleet_metric_text(id), 29);
        put_count(stream, metric->passed.n, 8);
        put_count(stream, metric->passed.of, 8);
        put_percent(stream, metric->passed.share, 9);
        put_percent(stream, metric->passed.hours_share, 9);
        put_fixed(stream, metric->mean_slowdown, 8);
        put_count(stream, metric->n_unknown, 7);
        fputc('\n', stream);
    }
    char a[HC_NUMBER_TEXT], b[HC_NUMBER_TEXT];
    fprintf(stream,
            "without pipeline parallelism (M_S is 0): %s of all jobs,\n%s of the straggling ones\n",
            hc_format_percent(summary->without_pp.share, a),
            hc_format_percent(summary->straggling_without_pp.share, b));
}

static void put_type(FILE *stream, const char *name, const struct hc_fleet_type_waste *waste)
{
    put_left(stream, name, 30);
    put_count(stream, waste->by_jobs.n, 8);
    put_percent(stream, waste->by_jobs.mean, 9);
    put_percent(stream, hc_fleet_cdf_percent(&waste->by_jobs, 50), 9);
    put_percent(stream, hc_fleet_cdf_percent(&waste->by_jobs, 90), 9);
    put_percent(stream, waste->by_hours.mean, 14);
    fputc('\n', stream);
}

static void put_types(FILE *stream, const struct hc_fleet_summary *summary)
{
    static const struct column columns[] = {{"op type", -30}, {"jobs", 8}, {"mean", 9},
                                            {"P50", 9},       {"P90", 9},  {"mean by GPU-h", 14}};
    char name[48];
    HEADS(stream, "WASTE BY OP TYPE (a class: the largest of its types in each job)", columns);
    for (int c = 0; c < HC_N_FLEET_CLASSES; c++) {
        put_type(stream, hc_fleet_class_text(c), &summary->class_waste[c]);
        for (size_t t = 0; t < summary->n_types; t++) {
            snprintf(name, sizeof name, "  %s", summary->types[t].name);
            if ((int)summary->types[t].op_class == c)
                put_type(stream, name, &summary->types[t]);
        }
    }
    char number[HC_NUMBER_TEXT];
    fprintf(stream, "%s of the analysed jobs were split by op type\n",
            hc_format_count((int64_t)summary->n_split, number));
}

static void put_sizes(FILE *stream, const struct hc_fleet_summary *summary)
{
    static const struct column columns[] = {{"GPUs", -27},   {"jobs", 8},  {"straggling", 11},
                                            {"median S", 9}, {"P90 S", 9}, {"GPU-h lost", 14}};
    char text[2 * HC_NUMBER_TEXT], number[HC_NUMBER_TEXT];
    HEADS(stream, "SLOWDOWN BY SIZE", columns);
    for (size_t i = 0; i < summary->n_sizes; i++) {
        const struct hc_fleet_size *size = &summary->sizes[i];
        put_left(stream, hc_fleet_size_text(size, text), 27);
        put_count(stream, size->straggling.of, 8);
        put_percent(stream, size->straggling.share, 11);
        put_fixed(stream, hc_fleet_cdf_percent(&size->slowdown, 50), 9);
        put_fixed(stream, hc_fleet_cdf_percent(&size->slowdown, 90), 9);
        put_hours(stream, size->from > 0 ? size->hours_lost : NAN, 14);
        fputc('\n', stream);
    }
    fprintf(stream, "rank correlation of S and GPUs: %s over %s jobs (Spearman)\n",
            hc_format_fixed(summary->size_correlation, 3, number),
            hc_format_count((int64_t)summary->n_size_pairs, text));
}

/* ---- the ranking ---- */

/* In at most eight columns: what has more digits is no cluster, and is not read to the last. */
static const char *gpus_text(int64_t n_gpus, char number[HC_NUMBER_TEXT])
{
    if (n_gpus < 1000000)
        return n_gpus > 0 ? hc_format_count(n_gpus, number) : "-";
    snprintf(number, HC_NUMBER_TEXT, "%.2e", (double)n_gpus);
    return number;
}

static void put_job(FILE *stream, size_t rank, const struct hc_fleet_row *row)
{
    char text[256], number[HC_NUMBER_TEXT];
    put_count(stream, rank, 4);
    fputc(' ', stream);
    put_left(stream, hc_fleet_job_text(row, text, sizeof text), 26);
    put_fixed(stream, row->slowdown, 8);
    put_percent(stream, row->waste, 8);
    put_right(stream, gpus_text(row->n_gpus, number), 9);
    put_hours(stream, isnan(hc_fleet_row_hours(row)) ? NAN : row->gpu_hours_lost, 11);
    fprintf(stream, " %s\n", hc_straggler_cause_key(row->cause));
}

static void put_ranking(FILE *stream, const struct hc_fleet_report *report, const size_t *order,
                        size_t n, const char *what)
{
    static const struct column columns[] = {{"", 5},       {"job", -26}, {"S", 8},
                                            {"waste", 8},  {"GPUs", 9},  {"GPU-h lost", 11},
                                            {" cause", -6}};
    size_t top = report->top ? report->top : HC_FLEET_TOP;
    char a[HC_NUMBER_TEXT], b[HC_NUMBER_TEXT], title[160];
    if (n == 0)
        return;
    snprintf(title, sizeof title, "%s (%s of %s)", what,
             hc_format_count((int64_t)(n < top ? n : top), a), hc_format_count((int64_t)n, b));
    HEADS(stream, title, columns);
    for (size_t i = 0; i < n && i < top; i++)
        put_job(stream, i + 1, &report->rows[order[i]]);
}

/* ---- all of it ---- */

static void put_tables(FILE *stream, const struct hc_fleet_report *report,
                       const struct hc_fleet_summary *summary)
{
    put_funnel(stream, report, summary);
    put_lacking(stream, report, summary);
    if (summary->n_analysed == 0)
        return;
    put_ranking(stream, report, summary->ranked, summary->n_ranked, "JOBS BY GPU-HOURS LOST");
    put_ranking(stream, report, summary->unranked, summary->n_unranked,
                "JOBS BY WASTE, GPU-HOURS NOT KNOWN");
    put_causes(stream, summary);
    put_metrics(stream, summary);
    put_quantiles(stream, summary);
    put_types(stream, summary);
    put_sizes(stream, summary);
}

enum hc_status hc_fleet_write_text(FILE *stream, const struct hc_fleet_report *report,
                                   struct hc_error *err)
{
    struct hc_fleet_summary summary;
    enum hc_status status = hc_fleet_summarise(&summary, report->rows, report->n_rows, err);
    if (status != HC_OK)
        return status;
    put_source(stream, report);
    put_summary(stream, &summary);
    put_tables(stream, report, &summary);
    hc_fleet_summary_fini(&summary);
    return ferror(stream) ? hc_fail_errno(err, "cannot write", "the fleet report") : HC_OK;
}
