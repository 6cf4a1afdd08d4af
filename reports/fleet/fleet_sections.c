#include "reports/fleet/fleet_sections.h"

#include "reports/figure/figure_page.h"
#include "reports/fleet/fleet_charts.h"
#include "reports/fleet/fleet_tables.h"
#include "reports/fleet/fleet_views.h"
#include "reports/page/html_page.h"
#include "reports/page/section_html.h"

#include <math.h>
#include <stdlib.h>

static const char *count_text(size_t count, char text[HC_NUMBER_TEXT])
{
    return hc_format_count((int64_t)count, text);
}

/* ---- the ranking ---- */

/* A ranking: what it is by, and the rows of the report in its order. */
struct ranking {
    const char *by;
    const size_t *order;
    size_t n;
};

static enum hc_status put_ranked(FILE *stream, struct hc_section table, const char *caption,
                                 struct hc_error *err)
{
    table.caption = caption;
    return hc_section_print_html(stream, table, err);
}

/* The worst in sight, the others folded away: each has its line, and a link to its page. */
static enum hc_status put_folded(FILE *stream, const struct hc_fleet_report *report,
                                 const struct ranking *ranking, struct hc_error *err)
{
    size_t top = report->top ? report->top : HC_FLEET_TOP, n = ranking->n;
    char a[HC_NUMBER_TEXT], b[HC_NUMBER_TEXT], caption[160];
    if (n == 0)
        return HC_OK;
    top = n < top ? n : top;
    snprintf(caption, sizeof caption, "%s, %s of %s jobs", ranking->by, count_text(top, a),
             count_text(n, b));
    if (put_ranked(stream, hc_fleet_ranking_table(report, ranking->order, 0, top), caption, err))
        return err->status;
    if (n == top)
        return HC_OK;
    snprintf(caption, sizeof caption, "The other %s jobs", count_text(n - top, a));
    hc_html_details_start(stream, caption);
    enum hc_status status = put_ranked(
        stream, hc_fleet_ranking_table(report, ranking->order, top, n), ranking->by, err);
    hc_html_details_end(stream);
    return status;
}

static enum hc_status put_ranking(FILE *stream, const struct hc_fleet_report *report,
                                  const struct hc_fleet_summary *summary, struct hc_error *err)
{
    const struct ranking by_hours = {"By GPU-hours lost", summary->ranked, summary->n_ranked},
                         by_waste = {"Jobs whose GPU-hours are not known, by waste",
                                     summary->unranked, summary->n_unranked};
    bool is_mixed = summary->n_ranked > 0 && summary->n_unranked > 0;
    hc_html_section_start(stream, "jobs", "Jobs that lost the most");
    enum hc_status status = put_folded(stream, report, &by_hours, err);
    if (is_mixed)
        hc_html_details_start(stream, "Jobs whose GPU-hours are not known");
    if (status == HC_OK)
        status = put_folded(stream, report, &by_waste, err);
    if (is_mixed)
        hc_html_details_end(stream);
    hc_html_section_end(stream);
    return status;
}

/* ---- distributions, causes, op types and sizes ---- */

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

/* A section of figures, with a table under them: what it has, from top to bottom. */
struct figure_section {
    const char *id, *title;
    const char *lead; /* NULL: none */
    hc_fleet_figure_section *figures;
    bool is_wide;     /* a figure over the whole width, and not two abreast */
    const char *note; /* NULL: none */
    struct hc_section (*table)(const struct hc_fleet_summary *summary); /* NULL: none */
};

static const struct figure_section waste = {
    .id = "waste",
    .title = "How much is wasted",
    .lead = "Each curve is the share of jobs, or of their GPU-hours, up to a waste or slowdown. "
            "Where the two curves part, large jobs differ from small ones.",
    .figures = hc_fleet_waste_figures,
};

static const struct figure_section causes = {
    .id = "causes",
    .title = "Causes",
    .figures = hc_fleet_cause_figures,
    .note = "Jobs that do not straggle lose GPU-hours too, little each.",
    .table = hc_fleet_causes_table,
};

static const struct figure_section types = {
    .id = "types",
    .title = "Waste by op type",
    .lead = "What would be wasted if only ops of this type were as traced and all others ideal. "
            "These are separate counterfactuals: they do not add up to the waste.",
    .figures = hc_fleet_type_figures,
    .note = "Of a class: the largest of its types in each job.",
    .table = hc_fleet_types_table,
};

static const struct figure_section sizes = {
    .id = "sizes",
    .title = "Sizes",
    .figures = hc_fleet_size_figures,
    .is_wide = true,
    .table = hc_fleet_sizes_table,
};

static const struct figure_section steps = {
    .id = "steps",
    .title = "Steps, and how well they replay",
    .lead = "When most steps of a job are as slow as the job, its causes last, and a few steps "
            "tell of all.",
    .figures = hc_fleet_step_figures,
};

static enum hc_status put_figure_section(FILE *stream, const struct figure_section *section,
                                         const struct hc_fleet_report *report,
                                         const struct hc_fleet_summary *summary,
                                         struct hc_error *err)
{
    const struct hc_figure_sink page = hc_figure_page(stream);
    hc_html_section_start(stream, section->id, section->title);
    if (section->lead)
        hc_html_paragraph(stream, NULL, "%s", section->lead);
    enum hc_status status = section->is_wide
                                ? section->figures(&page, report, summary, err)
                                : put_grid(stream, section->figures, report, summary, err);
    if (section->note)
        hc_html_paragraph(stream, "note", "%s", section->note);
    if (status == HC_OK && section->table)
        status = hc_section_print_html(stream, section->table(summary), err);
    hc_html_section_end(stream);
    return status;
}

/* ---- the tests that tell causes apart ---- */

static enum hc_status put_tests(FILE *stream, const struct hc_fleet_report *report,
                                const struct hc_fleet_summary *summary, struct hc_error *err)
{
    char number[HC_NUMBER_TEXT];
    hc_html_section_start(stream, "tests", "Tests, each by itself");
    hc_html_paragraph(
        stream, NULL,
        "The figures of the paper, over the straggling jobs, whose mean S is %s. A job may pass "
        "several; its cause above has tests of its own.",
        hc_format_fixed(summary->mean_straggling_slowdown, 3, number));
    enum hc_status status = hc_section_print_html(stream, hc_fleet_tests_table(summary), err);
    hc_html_paragraph(stream, "note",
                      "Each curve is the share of the jobs, of their GPU-hours, or "
                      "of their waste, up to a value.");
    if (status == HC_OK)
        status = put_grid(stream, hc_fleet_test_figures, report, summary, err);
    hc_html_section_end(stream);
    return status;
}

/* ---- hosts ---- */

static enum hc_status put_hosts(FILE *stream, const struct hc_fleet_report *report,
                                const struct hc_fleet_summary *summary, struct hc_error *err)
{
    if (summary->n_hosts == 0)
        return HC_OK;
    hc_html_section_start(stream, "hosts", "Slow hosts");
    hc_html_paragraph(
        stream, NULL,
        "Hosts that are slow by themselves in some job. The same host in several jobs "
        "is a machine at fault, whatever runs on it.");
    enum hc_status status =
        hc_section_print_html(stream, hc_fleet_hosts_table(report, summary, SIZE_MAX), err);
    hc_html_section_end(stream);
    return status;
}

/* ---- the funnel, and every quantile ---- */

static enum hc_status put_funnel(FILE *stream, const struct hc_fleet_report *report,
                                 const struct hc_fleet_summary *summary, struct hc_error *err)
{
    char number[HC_NUMBER_TEXT];
    hc_html_section_start(stream, "funnel", "What was left out, and why");
    enum hc_status status =
        hc_section_print_html(stream, hc_fleet_funnel_table(report, summary), err);
    if (status == HC_OK && summary->lacking.n > 0)
        status = hc_section_print_html(stream, hc_fleet_lacking_table(report, SIZE_MAX), err);
    if (summary->late.n > 0)
        hc_html_paragraph(stream, "note",
                          "%s of the analysed jobs have a discrepancy over 5 %%, because their ops "
                          "start late: a late launch is in the trace and not in its replay. The "
                          "paper (OSDI'25) discards such jobs.",
                          count_text(summary->late.n, number));
    hc_html_section_end(stream);
    return status;
}

static enum hc_status put_figures(FILE *stream, const struct hc_fleet_summary *summary,
                                  struct hc_error *err)
{
    hc_html_section_start(stream, "figures", "All quantiles");
    hc_html_paragraph(stream, "note",
                      "A quantile is the smallest value that at least so much of the weight does "
                      "not exceed: a value that a job has, without interpolation. Step slowdowns, "
                      "M_W, M_S and r are of the straggling jobs.");
    enum hc_status status = hc_section_print_html(stream, hc_fleet_quantiles_table(summary), err);
    hc_html_section_end(stream);
    return status;
}

enum hc_status hc_fleet_put_sections(FILE *stream, const struct hc_fleet_report *report,
                                     const struct hc_fleet_summary *summary, struct hc_error *err)
{
    if (summary->n_analysed > 0) {
        if (put_ranking(stream, report, summary, err))
            return err->status;
        if (put_figure_section(stream, &waste, report, summary, err) ||
            put_figure_section(stream, &causes, report, summary, err) ||
            put_hosts(stream, report, summary, err) || put_tests(stream, report, summary, err) ||
            put_figure_section(stream, &types, report, summary, err) ||
            put_figure_section(stream, &sizes, report, summary, err) ||
            put_figure_section(stream, &steps, report, summary, err))
            return err->status;
    }
    if (put_funnel(stream, report, summary, err))
        return err->status;
    return summary->n_analysed > 0 ? put_figures(stream, summary, err) : HC_OK;
}
