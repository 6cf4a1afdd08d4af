#include "reports/fleet/fleet_sections.h"

#include "reports/figure/figure_page.h"
#include "reports/fleet/fleet_charts.h"
#include "reports/fleet/fleet_views.h"
#include "reports/page/html_page.h"

#include <math.h>
#include <stdlib.h>

#define COLUMNS(columns) columns, sizeof(columns) / sizeof(columns)[0]

static const char *count_text(size_t count, char text[HC_NUMBER_TEXT])
{
    return hc_format_count((int64_t)count, text);
}

/* ---- cells ---- */

static void cell_percent(struct hc_html_table *table, double share)
{
    char number[HC_NUMBER_TEXT];
    hc_html_cell(table, "%s", hc_format_percent(share, number));
}

static void cell_count(struct hc_html_table *table, size_t count)
{
    char number[HC_NUMBER_TEXT];
    hc_html_cell(table, "%s", count_text(count, number));
}

static void cell_hours(struct hc_html_table *table, double hours)
{
    char number[HC_NUMBER_TEXT];
    hc_html_cell(table, "%s", hc_fleet_hours_text(hours, number));
}

static void cell_fixed(struct hc_html_table *table, double value)
{
    char number[HC_NUMBER_TEXT];
    hc_html_cell(table, "%s", hc_format_fixed(value, 3, number));
}

/* ---- the ranking ---- */

struct range {
    size_t first, end;
};

static bool has_page(const struct hc_fleet_report *report, size_t i)
{
    if (!report->pages)
        return false;
    return report->has_page ? report->has_page[i] : report->rows[i].fate == HC_FLEET_ANALYSED;
}

static void cell_job(struct hc_html_table *table, const struct hc_fleet_report *report, size_t i)
{
    char text[512], name[HC_FLEET_PAGE_NAME], href[1024];
    hc_fleet_job_text(&report->rows[i], text, sizeof text);
    snprintf(href, sizeof href, "%s/%s", report->pages ? report->pages : "",
             hc_fleet_page_name(&report->rows[i], name));
    if (has_page(report, i))
        hc_html_cell_link(table, href, text);
    else
        hc_html_cell(table, "%s", text);
}

/* The cause and what passes besides, with blanks that do not break: on a small screen the table is
 * to scroll, and not to grow a line a word. */
static void cell_cause(struct hc_html_table *table, const struct hc_fleet_row *row)
{
    char words[256], text[512];
    size_t used = (size_t)snprintf(words, sizeof words, "%s", hc_straggler_cause_text(row->cause)),
           n = 0;
    for (int id = 0; id < HC_N_STRAGGLER_CAUSES && used < sizeof words; id++)
        if (row->also >> id & 1)
            used += (size_t)snprintf(words + used, sizeof words - used, ", also %s",
                                     hc_straggler_cause_key(id));
    for (const char *word = words; *word; word++) {
        if (*word == ' ')
            text[n++] = '\xC2';
        text[n++] = *word == ' ' ? '\xA0' : *word;
    }
    text[n] = '\0';
    hc_html_cell(table, "%s", text);
}

static void put_job(struct hc_html_table *table, const struct hc_fleet_report *report, size_t rank,
                    size_t i)
{
    const struct hc_fleet_row *row = &report->rows[i];
    char number[HC_NUMBER_TEXT];
    bool is_known = !isnan(hc_fleet_row_hours(row));
    hc_html_row(table);
    cell_count(table, rank);
    cell_job(table, report, i);
    cell_hours(table, is_known ? row->gpu_hours_lost : NAN);
    cell_fixed(table, row->slowdown);
    cell_percent(table, row->waste);
    hc_html_cell(table, "%s", row->n_gpus > 0 ? hc_format_count(row->n_gpus, number) : "-");
    cell_cause(table, row);
    cell_fixed(table, row->m_w);
    cell_fixed(table, row->m_s);
    cell_fixed(table, row->correlation);
}

/* Those from first on and before end, of the n that order has. */
static void put_ranked(FILE *stream, const struct hc_fleet_report *report, const size_t *order,
                       struct range range, const char *caption)
{
    static const struct hc_html_column columns[] = {
        {"", true},      {"job", false}, {"GPU-hours lost", true}, {"S", true},
        {"waste", true}, {"GPUs", true}, {"cause", false},         {"M_W", true},
        {"M_S", true},   {"r", true}};
    struct hc_html_table table;
    hc_html_table_start(&table, stream, caption, COLUMNS(columns));
    for (size_t i = range.first; i < range.end; i++)
        put_job(&table, report, i + 1, order[i]);
    hc_html_table_end(&table);
}

/* The worst in sight, the others folded away: each has its line, and a link to its page. */
static void put_folded(FILE *stream, const struct hc_fleet_report *report, const size_t *order,
                       size_t n, const char *by)
{
    size_t top = report->top ? report->top : HC_FLEET_TOP;
    char a[HC_NUMBER_TEXT], b[HC_NUMBER_TEXT], caption[160];
    if (n == 0)
        return;
    snprintf(caption, sizeof caption, "%s, %s of %s jobs", by, count_text(n < top ? n : top, a),
             count_text(n, b));
    put_ranked(stream, report, order, (struct range){0, n < top ? n : top}, caption);
    if (n <= top)
        return;
    snprintf(caption, sizeof caption, "The other %s jobs", count_text(n - top, a));
    hc_html_details_start(stream, caption);
    put_ranked(stream, report, order, (struct range){top, n}, by);
    hc_html_details_end(stream);
}

static void put_ranking(FILE *stream, const struct hc_fleet_report *report,
                        const struct hc_fleet_summary *summary)
{
    bool is_mixed = summary->n_ranked > 0 && summary->n_unranked > 0;
    hc_html_section_start(stream, "jobs", "Jobs that lost the most");
    put_folded(stream, report, summary->ranked, summary->n_ranked, "By GPU-hours lost");
    if (is_mixed)
        hc_html_details_start(stream, "Jobs whose GPU-hours are not known");
    put_folded(stream, report, summary->unranked, summary->n_unranked,
               "Jobs whose GPU-hours are not known, by waste");
    if (is_mixed)
        hc_html_details_end(stream);
    hc_html_section_end(stream);
}

/* ---- distributions ---- */

/* The figures of one section, two abreast. */
static enum hc_status put_grid(FILE *stream, hc_fleet_figure_section *figures,
                               const struct hc_fleet_report *report,
                               const struct hc_fleet_summary *summary, struct hc_error *err)
{
    const struct hc_figure_sink page = hc_figure_page(stream);
    hc_html_grid_start(stream);
    enum hc_status status = figures(&page, report, summary, err);
    hc_html_grid_end(stream);
    return status;
}

static enum hc_status put_waste(FILE *stream, const struct hc_fleet_report *report,
                                const struct hc_fleet_summary *summary, struct hc_error *err)
{
    hc_html_section_start(stream, "waste", "How much is wasted");
    hc_html_paragraph(stream, NULL,
                      "Each curve is the share of jobs, or of their GPU-hours, up to a waste or "
                      "slowdown. Where the two curves part, large jobs differ from small ones.");
    enum hc_status status = put_grid(stream, hc_fleet_waste_figures, report, summary, err);
    hc_html_section_end(stream);
    return status;
}

static enum hc_status put_steps(FILE *stream, const struct hc_fleet_report *report,
                                const struct hc_fleet_summary *summary, struct hc_error *err)
{
    hc_html_section_start(stream, "steps", "Steps, and how well they replay");
    hc_html_paragraph(stream, NULL,
                      "When most steps of a job are as slow as the job, its causes last, and a few "
                      "steps tell of all.");
    enum hc_status status = put_grid(stream, hc_fleet_step_figures, report, summary, err);
    hc_html_section_end(stream);
    return status;
}

/* ---- causes, and the tests that tell them apart ---- */

static enum hc_status put_causes(FILE *stream, const struct hc_fleet_report *report,
                                 const struct hc_fleet_summary *summary, struct hc_error *err)
{
    static const struct hc_html_column columns[] = {
        {"cause", false},         {"jobs", true},        {"of straggling", true}, {"mean S", true},
        {"GPU-hours lost", true}, {"of all lost", true}, {"passes also", true}};
    struct hc_html_table table;
    hc_html_section_start(stream, "causes", "Causes");
    enum hc_status status = put_grid(stream, hc_fleet_cause_figures, report, summary, err);
    hc_html_paragraph(
        stream, "note",
        "Passes also: jobs of another cause whose tests this one passes besides. Jobs "
        "that do not straggle lose GPU-hours too, little each.");
    hc_html_table_start(&table, stream, NULL, COLUMNS(columns));
    for (int k = 1; k <= HC_N_STRAGGLER_CAUSES; k++) {
        enum hc_straggler_cause id = k % HC_N_STRAGGLER_CAUSES; /* the jobs without one last */
        const struct hc_fleet_cause *cause = &summary->causes[id];
        hc_html_row(&table);
        hc_html_cell(&table, "%s", hc_straggler_cause_text(id));
        cell_count(&table, cause->part.n);
        cell_percent(&table, cause->share_of_straggling);
        cell_fixed(&table, cause->mean_slowdown);
        cell_hours(&table, cause->hours_lost);
        cell_percent(&table, cause->lost_share);
        cell_count(&table, cause->n_also);
    }
    hc_html_table_end(&table);
    hc_html_section_end(stream);
    return status;
}

static enum hc_status put_tests(FILE *stream, const struct hc_fleet_report *report,
                                const struct hc_fleet_summary *summary, struct hc_error *err)
{
    static const struct hc_html_column columns[] = {
        {"test", false},        {"jobs that pass", true}, {"of", true},       {"share", true},
        {"by GPU-hours", true}, {"mean S", true},         {"not known", true}};
    struct hc_html_table table;
    char a[HC_NUMBER_TEXT], b[HC_NUMBER_TEXT];
    hc_html_section_start(stream, "tests", "Tests, each by itself");
    hc_html_paragraph(
        stream, NULL,
        "The figures of the paper, over the straggling jobs, whose mean S is %s. A job may pass "
        "several; its cause above has tests of its own. M_S is 0 without pipeline parallelism: "
        "%s of all jobs, %s of the straggling ones.",
        hc_format_fixed(summary->mean_straggling_slowdown, 3, (char[HC_NUMBER_TEXT]){""}),
        hc_format_percent(summary->without_pp.share, a),
        hc_format_percent(summary->straggling_without_pp.share, b));
    hc_html_table_start(&table, stream, NULL, COLUMNS(columns));
    for (int id = 0; id < HC_N_FLEET_METRICS; id++) {
        const struct hc_fleet_metric *metric = &summary->metric[id];
        hc_html_row(&table);
        hc_html_cell(&table, "%s", hc_fleet_metric_text(id));
        cell_count(&table, metric->passed.n);
        cell_count(&table, metric->passed.of);
        cell_percent(&table, metric->passed.share);
        cell_percent(&table, metric->passed.hours_share);
        cell_fixed(&table, metric->mean_slowdown);
        cell_count(&table, metric->n_unknown);
    }
    hc_html_table_end(&table);
    hc_html_paragraph(stream, "note",
                      "Each curve is the share of the jobs, of their GPU-hours, or "
                      "of their waste, up to a value.");
    enum hc_status status = put_grid(stream, hc_fleet_test_figures, report, summary, err);
    hc_html_section_end(stream);
    return status;
}

/* ---- op types ---- */

/* A class, or with a name a type of it. */
static void put_type(struct hc_html_table *table, const struct hc_fleet_type_waste *type)
{
    hc_html_row(table);
    hc_html_cell(table, "%s", type->name[0] ? "" : hc_fleet_class_text(type->op_class));
    hc_html_cell(table, "%s", type->name);
    cell_count(table, type->by_jobs.n);
    cell_percent(table, type->by_jobs.mean);
    cell_percent(table, hc_fleet_cdf_percent(&type->by_jobs, 50));
    cell_percent(table, hc_fleet_cdf_percent(&type->by_jobs, 90));
    cell_percent(table, type->by_hours.mean);
}

static enum hc_status put_types(FILE *stream, const struct hc_fleet_report *report,
                                const struct hc_fleet_summary *summary, struct hc_error *err)
{
    static const struct hc_html_column columns[] = {
        {"class", false},           {"op type", false}, {"jobs", true},
        {"mean waste", true},       {"P50", true},      {"P90", true},
        {"mean by GPU-hours", true}};
    struct hc_html_table table;
    char number[HC_NUMBER_TEXT];
    hc_html_section_start(stream, "types", "Waste by op type");
    hc_html_paragraph(stream, NULL,
                      "What would be wasted if only ops of this type were as traced and all others "
                      "ideal. These are separate counterfactuals: they do not add up to the waste. "
                      "%s jobs were split by op type.",
                      count_text(summary->n_split, number));
    enum hc_status status = put_grid(stream, hc_fleet_type_figures, report, summary, err);
    hc_html_paragraph(stream, "note", "Of a class: the largest of its types in each job.");
    hc_html_table_start(&table, stream, NULL, COLUMNS(columns));
    for (int c = 0; c < HC_N_FLEET_CLASSES; c++) {
        put_type(&table, &summary->class_waste[c]);
        for (size_t t = 0; t < summary->n_types; t++)
            if ((int)summary->types[t].op_class == c)
                put_type(&table, &summary->types[t]);
    }
    hc_html_table_end(&table);
    hc_html_section_end(stream);
    return status;
}

/* ---- sizes ---- */

static enum hc_status put_sizes(FILE *stream, const struct hc_fleet_report *report,
                                const struct hc_fleet_summary *summary, struct hc_error *err)
{
    static const struct hc_html_column columns[] = {{"GPUs", true},       {"jobs", true},
                                                    {"straggling", true}, {"median S", true},
                                                    {"P90 S", true},      {"GPU-hours lost", true}};
    struct hc_html_table table;
    char text[2 * HC_NUMBER_TEXT];
    hc_html_section_start(stream, "sizes", "Sizes");
    const struct hc_figure_sink page = hc_figure_page(stream);
    enum hc_status status = hc_fleet_size_figures(&page, report, summary, err);
    hc_html_table_start(&table, stream, NULL, COLUMNS(columns));
    for (size_t i = 0; i < summary->n_sizes; i++) {
        const struct hc_fleet_size *size = &summary->sizes[i];
        hc_html_row(&table);
        hc_html_cell(&table, "%s", hc_fleet_size_text(size, text));
        cell_count(&table, size->straggling.of);
        cell_percent(&table, size->straggling.share);
        cell_fixed(&table, hc_fleet_cdf_percent(&size->slowdown, 50));
        cell_fixed(&table, hc_fleet_cdf_percent(&size->slowdown, 90));
        cell_hours(&table, size->from > 0 ? size->hours_lost : NAN);
    }
    hc_html_table_end(&table);
    hc_html_section_end(stream);
    return status;
}

/* ---- the funnel, and every quantile ---- */

static void put_lacking(FILE *stream, const struct hc_fleet_report *report,
                        const struct hc_fleet_summary *summary)
{
    static const struct hc_html_column columns[] = {{"job", false}, {"why", false}};
    char text[256];
    struct hc_html_table table;
    if (summary->lacking.n == 0)
        return;
    hc_html_table_start(&table, stream, "Jobs that are lacking", COLUMNS(columns));
    for (size_t i = 0; i < report->n_rows; i++) {
        const struct hc_fleet_row *row = &report->rows[i];
        if (!hc_fleet_is_lacking(row->fate))
            continue;
        hc_html_row(&table);
        hc_html_cell(&table, "%s", hc_fleet_job_text(row, text, sizeof text));
        hc_html_cell(&table, "%s", row->detail);
    }
    hc_html_table_end(&table);
}

static void put_funnel(FILE *stream, const struct hc_fleet_report *report,
                       const struct hc_fleet_summary *summary)
{
    static const struct hc_html_column columns[] = {
        {"", false},           {"jobs", true},
        {"of the rest", true}, {"of all", true},
        {"GPU-hours", true},   {"of the rest", true},
        {"of all", true},      {"GPU-hours not known", true}};
    char text[HC_FLEET_STAGE_TEXT], number[HC_NUMBER_TEXT];
    struct hc_html_table table;
    hc_html_section_start(stream, "funnel", "What was left out, and why");
    hc_html_table_start(&table, stream, "Of the rest: of what the stages above left",
                        COLUMNS(columns));
    for (int s = 0; s < HC_N_FLEET_FATES; s++) {
        enum hc_fleet_fate fate = hc_fleet_stages[s];
        const struct hc_fleet_stage *stage = &summary->funnel[fate];
        bool is_end = fate == HC_FLEET_ANALYSED;
        hc_html_row(&table);
        hc_html_cell(&table, "%s", hc_fleet_stage_text(report, fate, text));
        cell_count(&table, stage->part.n);
        cell_percent(&table, is_end ? NAN : stage->part.share);
        cell_percent(&table, stage->share_of_all);
        cell_hours(&table, hc_fleet_part_hours(&stage->part));
        cell_percent(&table, is_end ? NAN : stage->part.hours_share);
        cell_percent(&table, stage->hours_share_of_all);
        cell_count(&table, stage->part.unknown);
    }
    hc_html_table_end(&table);
    put_lacking(stream, report, summary);
    if (summary->n_discarded_late > 0)
        hc_html_paragraph(stream, "note",
                          "%s of the jobs discarded for their discrepancy launch their ops late "
                          "(launch slowdown from 1.1 on): a late launch is in the trace and not in "
                          "its replay. They are not among the causes.",
                          count_text(summary->n_discarded_late, number));
    hc_html_section_end(stream);
}

static void put_figures(FILE *stream, const struct hc_fleet_summary *summary)
{
    static const struct hc_html_column columns[] = {
        {"figure", false}, {"weighted by", false}, {"values", true}, {"mean", true},
        {"P50", true},     {"P90", true},          {"P99", true},    {"largest", true}};
    static const int percents[] = {50, 90, 99, 100};
    struct hc_html_table table;
    char number[HC_NUMBER_TEXT];
    hc_html_section_start(stream, "figures", "All quantiles");
    hc_html_paragraph(stream, "note",
                      "A quantile is the smallest value that at least so much of the weight does "
                      "not exceed: a value that a job has, without interpolation. Step slowdowns, "
                      "M_W, M_S and r are of the straggling jobs.");
    hc_html_table_start(&table, stream, NULL, COLUMNS(columns));
    for (int id = 0; id < HC_N_FLEET_CDFS; id++) {
        const struct hc_fleet_cdf *cdf = &summary->cdf[id];
        hc_html_row(&table);
        hc_html_cell(&table, "%s", hc_fleet_cdf_text(id));
        hc_html_cell(&table, "%s", hc_fleet_weight_text(id));
        cell_count(&table, cdf->n);
        hc_html_cell(&table, "%s", hc_fleet_cdf_value(id, cdf->mean, number));
        for (int p = 0; p < 4; p++) {
            double value = hc_fleet_cdf_percent(cdf, percents[p]);
            hc_html_cell(&table, "%s", hc_fleet_cdf_value(id, value, number));
        }
    }
    hc_html_table_end(&table);
    hc_html_section_end(stream);
}

typedef enum hc_status section_writer(FILE *stream, const struct hc_fleet_report *report,
                                      const struct hc_fleet_summary *summary, struct hc_error *err);

enum hc_status hc_fleet_put_sections(FILE *stream, const struct hc_fleet_report *report,
                                     const struct hc_fleet_summary *summary, struct hc_error *err)
{
    static section_writer *const sections[] = {put_waste, put_causes, put_tests,
                                               put_types, put_sizes,  put_steps};
    enum hc_status status = HC_OK;
    if (summary->n_analysed > 0)
        put_ranking(stream, report, summary);
    for (size_t i = 0; i < sizeof sections / sizeof sections[0] && summary->n_analysed > 0; i++)
        if (status == HC_OK)
            status = sections[i](stream, report, summary, err);
    put_funnel(stream, report, summary);
    if (summary->n_analysed > 0)
        put_figures(stream, summary);
    return status;
}
