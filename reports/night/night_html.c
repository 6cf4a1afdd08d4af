#include "reports/night/night_figures.h"
#include "reports/night/night_report.h"
#include "reports/night/night_sections.h"

#include "core/base/clock.h"
#include "reports/figure/figure_page.h"
#include "reports/page/html_page.h"
#include "reports/page/section_html.h"

#include <math.h>

/* ---- what is read first ---- */

static const struct hc_leaf_row *dearest_loss(const struct hc_night_result *result)
{
    const struct hc_leaf_row *dearest = NULL;
    for (size_t i = 0; i < result->n_leaves; i++) {
        const struct hc_leaf_row *row = &result->leaves[i];
        bool is_loss = row->why == HC_WHY_COUNT && row->what != HC_WHAT_UNKNOWN &&
                       hc_what_goodput(row->what) != HC_GOODPUT_PRODUCTIVE;
        if (is_loss && (!dearest || row->gpu_hours > dearest->gpu_hours))
            dearest = row;
    }
    return dearest;
}

static void put_callout(FILE *stream, const struct hc_night_report *report)
{
    const struct hc_night_result *result = report->result;
    const struct hc_leaf_row *loss = dearest_loss(result);
    char title[200], number[2][HC_NUMBER_TEXT];
    snprintf(title, sizeof title, "%.1f %% of %s GPU-hours made progress that counts",
             100 * result->productive_share, hc_night_hours(result->gpu_hours, number[0]));
    if (result->total_gpu_ns == 0)
        snprintf(title, sizeof title, "No attempt held a GPU in these days");
    hc_html_callout_start(stream, HC_TONE_PLAIN, title);
    if (loss && loss->gpu_hours > 0)
        hc_html_paragraph(stream, "lead", "The dearest loss is %s: %s GPU-hours (%.1f %%).",
                          hc_what_title(loss->what), hc_night_hours(loss->gpu_hours, number[0]),
                          100 * loss->share);
    if (result->n_incidents > 0)
        hc_html_paragraph(stream, NULL,
                          "The dearest of %zu incidents is that of job %lld (%s): %s GPU-hours in "
                          "all.",
                          result->n_incidents, (long long)result->incidents[0].failure->job,
                          result->incidents[0].cause,
                          hc_night_hours(result->incidents[0].gpu_hours, number[0]));
    if (result->days[result->range.last].is_provisional)
        hc_html_paragraph(stream, NULL, "The day is provisional: later records may restate it.");
    hc_html_callout_end(stream);
}

static void put_tile(FILE *stream, const char *label, double share, const char *note)
{
    char text[HC_NUMBER_TEXT];
    if (isnan(share))
        snprintf(text, sizeof text, "-");
    else
        snprintf(text, sizeof text, "%.1f %%", 100 * share);
    hc_html_tile(stream, HC_TONE_PLAIN, label, text, note);
}

static void put_tiles(FILE *stream, const struct hc_night_result *result)
{
    char number[HC_NUMBER_TEXT], note[128], count[HC_NUMBER_TEXT];
    hc_html_tiles_start(stream);
    snprintf(note, sizeof note, "by %s attempts in %zu days",
             hc_format_count(result->night->n_attempts, count), result->n_days);
    hc_html_tile(stream, HC_TONE_PLAIN, "GPU-hours held", hc_night_hours(result->gpu_hours, number),
                 note);
    put_tile(stream, "productive", result->productive_share, "steps that count");
    put_tile(stream, "measured", result->measured_share, "of all GPU-hours");
    put_tile(stream, "estimated", result->estimated_share, "with an assumption that is named");
    put_tile(stream, "unknown", result->unknown_share, "nothing recorded says");
    hc_html_tiles_end(stream);
}

/* ---- sections ---- */

/* Without the title that it has in text. */
static enum hc_status put_table(FILE *stream, struct hc_section section, struct hc_error *err)
{
    section.title = NULL;
    return hc_section_print_html(stream, section, err);
}

static enum hc_status put_account(FILE *stream, const struct hc_figure_sink *sink,
                                  const struct hc_night_report *report, struct hc_error *err)
{
    hc_html_section_start(stream, "account", "Where the GPU-hours went");
    hc_html_grid_start(stream);
    enum hc_status status = hc_night_put_installed(sink, report, err);
    if (!status)
        status = hc_night_put_tree(sink, report, err);
    if (!status)
        status = hc_night_put_losses(sink, report, err);
    hc_html_grid_end(stream);
    if (!status && report->installed)
        status = put_table(stream, hc_night_installed_section(report), err);
    if (!status)
        status = put_table(stream, hc_night_leaves_section(report), err);
    if (!status)
        status = hc_night_put_days(sink, report, err);
    hc_html_section_end(stream);
    return status;
}

static enum hc_status put_section(FILE *stream, const char *anchor, const char *title,
                                  struct hc_section section, struct hc_error *err)
{
    section.title = NULL;
    return hc_section_print_headed(stream, anchor, title, section, err);
}

static enum hc_status put_failures(FILE *stream, const struct hc_figure_sink *sink,
                                   const struct hc_night_report *report, struct hc_error *err)
{
    hc_html_section_start(stream, "incidents", "Incidents, by what each cost in all");
    hc_html_grid_start(stream);
    enum hc_status status = hc_night_put_causes(sink, report, err);
    hc_html_grid_end(stream);
    struct hc_section section = hc_night_incidents_section(report);
    section.title = NULL;
    if (!status && !hc_section_is_empty(&section))
        status = hc_section_print_html(stream, section, err);
    else
        hc_section_fini(&section);
    if (report->result->n_incidents == 0)
        hc_html_paragraph(stream, NULL, "No failure ended an attempt or a launch.");
    hc_html_section_end(stream);
    return status;
}

static enum hc_status put_groups(FILE *stream, const struct hc_night_report *report,
                                 struct hc_error *err)
{
    static const struct {
        enum hc_cube_dimension dimension;
        const char *anchor, *title;
    } groups[] = {{HC_CUBE_USER, "users", "Users"},
                  {HC_CUBE_ACCOUNT, "accounts", "Accounts"},
                  {HC_CUBE_PARTITION, "partitions", "Partitions"},
                  {HC_CUBE_SIZE, "sizes", "GPUs of a job"}};
    for (size_t i = 0; i < sizeof groups / sizeof *groups; i++)
        if (put_section(stream, groups[i].anchor, groups[i].title,
                        hc_night_groups_section(report, groups[i].dimension), err))
            return err->status;
    return HC_OK;
}

/* What is read first, also where there is nothing to say. */
static enum hc_status put_findings(FILE *stream, const struct hc_night_report *report,
                                   struct hc_error *err)
{
    if (!report->findings)
        return HC_OK;
    struct hc_section section = hc_findings_section(report->findings);
    section.title = NULL;
    hc_html_section_start(stream, "findings", "Findings");
    enum hc_status status = hc_section_check(&section, err);
    if (!status && hc_section_n_rows(&section) > 0)
        status = hc_section_write_html(stream, &section);
    else
        hc_html_paragraph(stream, NULL,
                          "No findings: nothing changed beyond what chance explains.");
    hc_section_fini(&section);
    hc_html_section_end(stream);
    return status;
}

/* A page has room for more rows than a terminal, and yet an end: a thousand runs take 600 kB. */
static struct hc_night_report with_rows(const struct hc_night_report *report, size_t n)
{
    struct hc_night_report more = *report;
    more.top = n;
    return more;
}

/* How far each number can be trusted. */
static enum hc_status put_trust(FILE *stream, const struct hc_night_report *report,
                                struct hc_error *err)
{
    hc_html_section_start(stream, "trust", "How far the numbers can be trusted");
    enum hc_status status = put_table(stream, hc_night_marks_section(report->result), err);
    if (!status && report->context) {
        hc_html_heading(stream, "Logs of training");
        status = put_table(stream, hc_night_joins_section(report->context), err);
    }
    if (!status && report->timelines && report->timelines->n_joined > 0) {
        hc_html_heading(stream, "Timelines");
        status = put_table(stream, hc_night_timelines_section(report->timelines), err);
    }
    if (!status && report->context) {
        hc_html_heading(stream, "Sources");
        status = put_table(stream, hc_night_sources_section(report->context), err);
    }
    hc_html_section_end(stream);
    return status;
}

static enum hc_status put_times(FILE *stream, const struct hc_night_context *context,
                                struct hc_error *err)
{
    return put_section(stream, "start-up", "Start-up, phase by phase",
                       hc_night_times_section(context->starts, context->n_starts), err) ||
                   put_section(stream, "queue", "Waits in the queue",
                               hc_night_times_section(context->waits, context->n_waits), err)
               ? err->status
               : HC_OK;
}

static enum hc_status put_sections(FILE *stream, const struct hc_night_report *report,
                                   struct hc_error *err)
{
    const struct hc_figure_sink sink = hc_figure_page(stream);
    const struct hc_night_report few = with_rows(report, 100), many = with_rows(report, 1000);
    enum hc_status status = put_account(stream, &sink, report, err);
    if (!status)
        status = put_failures(stream, &sink, &few, err);
    if (!status)
        status = put_section(stream, "runs", "Runs, and their effective training time ratio (ETTR)",
                             hc_night_runs_section(&many), err);
    if (!status)
        status = put_section(stream, "nodes", "Nodes, those that lost most first",
                             hc_night_nodes_section(&few), err);
    if (!status && report->context)
        status = put_times(stream, report->context, err);
    if (!status)
        status = put_groups(stream, &few, err);
    if (!status && report->restated)
        status = put_section(stream, "restated", "Restated since the day began",
                             hc_night_restated_section(report), err);
    return status ? status : put_trust(stream, report, err);
}

static void put_contents(FILE *stream, const struct hc_night_report *report)
{
    const struct hc_night_result *result = report->result;
    hc_html_contents_start(stream);
    hc_html_contents_link(stream, "account", "where the GPU-hours went");
    hc_html_contents_link(stream, "incidents", "incidents");
    if (result->n_runs)
        hc_html_contents_link(stream, "runs", "runs");
    if (result->by[HC_CUBE_NODE].n)
        hc_html_contents_link(stream, "nodes", "nodes");
    if (result->by[HC_CUBE_USER].n)
        hc_html_contents_link(stream, "users", "users");
    if (report->context && report->context->n_starts)
        hc_html_contents_link(stream, "start-up", "start-up");
    if (report->context && report->context->n_waits)
        hc_html_contents_link(stream, "queue", "queue");
    hc_html_contents_link(stream, "trust", "trust");
    hc_html_contents_end(stream);
}

static enum hc_status put_page(FILE *stream, const struct hc_night_report *report,
                               struct hc_error *err)
{
    const struct hc_night_result *result = report->result;
    const struct hc_html_input inputs[] = {
        {.label = "archive", .path = report->archive},
        {.label = "site file",
         .path = report->site_sha256 ? "by which all days are counted" : NULL,
         .sha256 = report->site_sha256}};
    const char *day = result->night->days.names[result->range.last];
    char title[128], subtitle[256], as_of[32];
    hc_format_iso8601(report->as_of_ns, as_of);
    snprintf(title, sizeof title, "Where the GPU-hours of %s went", day);
    snprintf(subtitle, sizeof subtitle, "%s%s%s, days of %s, as known at %.19sZ", report->archive,
             report->cluster ? ", cluster " : "", report->cluster ? report->cluster : "",
             report->zone, as_of);
    hc_html_start(stream,
                  &(struct hc_html_head){"nightly report", title, subtitle, report->run_id,
                                         result->night->days.names[result->range.first], day});
    put_callout(stream, report);
    put_tiles(stream, result);
    enum hc_status status = put_findings(stream, report, err);
    if (!status) {
        put_contents(stream, report);
        status = put_sections(stream, report, err);
    }
    hc_html_end(stream, inputs, 2);
    return status;
}

enum hc_status hc_night_write_html(const struct hc_night_report *report, FILE *stream,
                                   struct hc_error *err)
{
    return hc_html_written(stream, put_page(stream, report, err), "the page of the night", err);
}

enum hc_status hc_night_put_figures(const struct hc_figure_sink *sink,
                                    const struct hc_night_report *report, struct hc_error *err)
{
    return hc_night_put_tree(sink, report, err) || hc_night_put_losses(sink, report, err) ||
                   hc_night_put_days(sink, report, err) || hc_night_put_causes(sink, report, err)
               ? err->status
               : HC_OK;
}
