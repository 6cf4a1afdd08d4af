#include "cli/commands/fleet_output.h"

#include "cli/options/fail_on.h"
#include "core/base/digest.h"
#include "core/base/log.h"
#include "core/base/memory.h"
#include "pipeline/fleet/fleet_pages.h"
#include "reports/fleet/fleet_charts.h"
#include "reports/fleet/fleet_report.h"
#include "reports/fleet/fleet_views.h"
#include "sim/fleet/fleet_summary.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static struct hc_fleet_report report_of(const struct hc_fleet_partial *fleet,
                                        const struct hc_fleet_summary *summary)
{
    return (struct hc_fleet_report){
        .rows = fleet->rows,
        .n_rows = fleet->n_rows,
        .summary = summary,
        .archive = fleet->archive,
        .options = fleet->options,
        .max_attempts = fleet->limits.max_attempts,
        .min_steps = fleet->limits.min_steps,
        .max_discrepancy = fleet->limits.max_discrepancy,
    };
}

enum hc_status hc_fleet_output_open(struct hc_output *output,
                                    const struct hc_common_options *common,
                                    const struct hc_fleet_views *views, struct hc_error *err)
{
    return hc_output_open(output, common,
                          hc_report_csv_directory(views->report) || views->report->html ||
                              views->report->figures.directory,
                          err);
}

static enum hc_status write_record(const struct hc_output *record, const void *report,
                                   struct hc_error *err)
{
    return hc_fleet_write_json(record->stream, report, err);
}

static enum hc_status put_figures(const struct hc_figure_sink *sink, const void *report,
                                  struct hc_error *err)
{
    return hc_fleet_put_figures(sink, report, err);
}

/* Views that have a file of their own, then the one on the output of the command. */
static enum hc_status write_views(const struct hc_output *output,
                                  const struct hc_fleet_views *views, struct hc_fleet_report report,
                                  struct hc_error *err)
{
    char run_id[HC_RUN_ID];
    if (hc_output_run_id(run_id, write_record, &report, err))
        return err->status;
    report.run_id = run_id;
    const char *csv = hc_report_csv_directory(views->report), *html = views->report->html;
    if (csv && hc_fleet_write_csv(output->set, csv, &report, err))
        return err->status;
    if (html && hc_fleet_pages_index(output->set, html, views->leaves_pages, &report, err))
        return err->status;
    if (hc_figure_options_write(&views->report->figures, output->set, run_id, put_figures, &report,
                                err))
        return err->status;
    /* A file has it whatever else is written, so that shards and one process give the same bytes.
     */
    if (strcmp(output->path, "-") == 0)
        report.run_id = NULL;
    if (hc_report_is_csv(views->report))
        return hc_fleet_write_csv_jobs(output->stream, &report, err);
    return views->json ? hc_fleet_write_json(output->stream, &report, err)
                       : hc_fleet_write_text(output->stream, &report, err);
}

enum hc_status hc_fleet_output_write(const struct hc_output *output,
                                     const struct hc_fleet_views *views,
                                     const struct hc_fleet_partial *fleet, struct hc_error *err)
{
    struct hc_fleet_summary *summary = hc_new_array(1, sizeof *summary, err); /* 150 kB */
    if (!summary)
        return err->status;
    enum hc_status status = hc_fleet_summarise(summary, fleet->rows, fleet->n_rows, err);
    if (status == HC_OK) {
        status = write_views(output, views, report_of(fleet, summary), err);
        hc_fleet_summary_fini(summary);
    }
    free(summary);
    return status;
}

/* Jobs named on standard error: where all are lacking, the report is the place to look. */
#define MOST_NAMED 100

/* n: jobs of each fate. */
static enum hc_status fail_incomplete(const size_t n[HC_N_FLEET_FATES], size_t n_jobs,
                                      struct hc_error *err)
{
    char list[200] = "";
    int length = 0;
    if (n[HC_FLEET_UNREADABLE])
        length += snprintf(list + length, sizeof list - (size_t)length, ": %zu could not be read",
                           n[HC_FLEET_UNREADABLE]);
    if (n[HC_FLEET_DAMAGED])
        length += snprintf(list + length, sizeof list - (size_t)length,
                           "%s %zu damaged (see 'hindcast check')", length ? "," : ":",
                           n[HC_FLEET_DAMAGED]);
    if (n[HC_FLEET_NO_MEMORY])
        snprintf(list + length, sizeof list - (size_t)length, "%s %zu out of memory",
                 length ? "," : ":", n[HC_FLEET_NO_MEMORY]);
    return hc_fail(err,
                   n[HC_FLEET_UNREADABLE]  ? HC_IO
                   : n[HC_FLEET_NO_MEMORY] ? HC_INTERNAL
                                           : HC_FINDING,
                   "the report lacks %zu of %zu jobs%s",
                   n[HC_FLEET_UNREADABLE] + n[HC_FLEET_DAMAGED] + n[HC_FLEET_NO_MEMORY], n_jobs,
                   list);
}

static enum hc_status check_conditions(const struct hc_fleet_partial *fleet,
                                       const struct hc_words *fail_on, struct hc_error *err)
{
    if (fail_on->n == 0)
        return HC_OK;
    struct hc_fleet_summary *summary = hc_new_array(1, sizeof *summary, err);
    if (!summary)
        return err->status;
    enum hc_status status = hc_fleet_summarise(summary, fleet->rows, fleet->n_rows, err);
    if (status == HC_OK) {
        status = hc_fail_on(fail_on, &hc_fleet_figures, summary, NULL, err);
        hc_fleet_summary_fini(summary);
    }
    free(summary);
    return status;
}

enum hc_status hc_fleet_output_verdict(const struct hc_fleet_partial *fleet,
                                       const struct hc_words *fail_on, struct hc_error *err)
{
    size_t n[HC_N_FLEET_FATES] = {0}, n_lacking = 0;
    for (size_t i = 0; i < fleet->n_rows; i++) {
        const struct hc_fleet_row *row = &fleet->rows[i];
        if (!hc_fleet_is_lacking(row->fate))
            continue;
        n[row->fate]++;
        if (n_lacking++ < MOST_NAMED)
            hc_warn("job '%s/%s' attempt %d is lacking: %s", row->cluster, row->job_id,
                    (int)row->attempt, row->detail);
    }
    if (n_lacking > MOST_NAMED)
        hc_warn("and %zu jobs more are lacking, which the report lists", n_lacking - MOST_NAMED);
    return n_lacking ? fail_incomplete(n, fleet->n_rows, err)
                     : check_conditions(fleet, fail_on, err);
}

void hc_fleet_output_note(const struct hc_fleet_partial *fleet, size_t n_cached)
{
    size_t n[HC_N_FLEET_FATES] = {0};
    char line[512];
    for (size_t i = 0; i < fleet->n_rows; i++)
        n[fleet->rows[i].fate]++;
    int at = snprintf(line, sizeof line, "%zu job%s: %zu analysed", fleet->n_rows,
                      fleet->n_rows == 1 ? "" : "s", n[HC_FLEET_ANALYSED]);
    for (int fate = HC_FLEET_ANALYSED + 1; fate < HC_N_FLEET_FATES; fate++)
        if (n[fate])
            at += snprintf(line + at, sizeof line - (size_t)at, ", %zu %s", n[fate],
                           hc_fleet_stage_key((enum hc_fleet_fate)fate));
    if (n_cached)
        snprintf(line + at, sizeof line - (size_t)at, "; %zu kept from before", n_cached);
    for (char *p = line; *p; p++)
        if (*p == '_')
            *p = ' ';
    hc_note("%s", line);
}
