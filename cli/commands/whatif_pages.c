#include "cli/commands/whatif_pages.h"

#include "core/base/memory.h"
#include "core/tables/table.h"
#include "reports/whatif/osdi_artifact.h"
#include "reports/whatif/whatif_csv.h"
#include "reports/whatif/whatif_figures.h"
#include "reports/whatif/whatif_html.h"

#include <stdlib.h>
#include <string.h>

const struct hc_option hc_whatif_page_options[] = {
    {.name = "quick",
     .kind = HC_OPTION_FLAG,
     .target = offsetof(struct hc_whatif_page_options, quick),
     .help = "only the figures of the paper: no intervals, fix curves, Shapley values, exact "
             "slowdown of each worker, verdict"},
    HC_OPTION_GROUP(struct hc_whatif_page_options, report, hc_report_options),
    {.name = "picture-step",
     .kind = HC_OPTION_RANGES,
     .argument = "N",
     .target = offsetof(struct hc_whatif_page_options, picture_step),
     .unset = "that of median slowdown",
     .help = "draw this step on the page of --html and in --figures, as recorded and ideal"},
    HC_OPTION_END,
};

static enum hc_status check_picture_step(const struct hc_whatif_page_options *options,
                                         struct hc_error *err)
{
    const struct hc_step_ranges *step = &options->picture_step;
    if (step->n == 0)
        return HC_OK;
    if (!options->report.html && !options->report.figures.directory)
        return hc_fail(err, HC_USAGE, "--picture-step is for the page of --html, and --figures");
    if (options->quick)
        return hc_fail(err, HC_USAGE, "--picture-step asks for what --quick leaves out");
    if (step->n > 1 || step->range[0][0] != step->range[0][1])
        return hc_fail(err, HC_USAGE, "--picture-step '%s': one step is drawn, not several",
                       step->text);
    return HC_OK;
}

enum hc_status hc_whatif_page_options_check(const struct hc_whatif_page_options *options,
                                            size_t n_jobs, struct hc_error *err)
{
    const char *html = options->report.html;
    if (html && n_jobs > 1)
        return hc_fail(err, HC_USAGE,
                       "--html '%s' is the page of one job, and there are %zu: run hindcast once "
                       "for each",
                       html, n_jobs);
    if (html && html[strlen(html) - 1] == '/')
        return hc_fail(err, HC_USAGE,
                       "--html '%s' names a directory, and the page of one job is a file", html);
    if (hc_report_is_csv(&options->report) && n_jobs > 1)
        return hc_fail(err, HC_USAGE,
                       "--csv - prints the table of one job, and there are %zu: name a directory",
                       n_jobs);
    return check_picture_step(options, err);
}

void hc_whatif_page_depth(const struct hc_whatif_page_options *options,
                          struct hc_whatif_options *whatif)
{
    whatif->depth = options->quick ? 0 : HC_DEPTH_ALL;
    if ((options->report.html || options->report.figures.directory) && !options->quick)
        whatif->depth |= HC_DEPTH_PICTURE;
    whatif->picture_step =
        options->picture_step.n ? options->picture_step.range[0][0] : HC_MISSING_I32;
}

/* The directory of a job: that of the option, or one of its own within it; to be freed. */
static char *directory_of(const char *directory, bool is_one, const struct hc_whatif_report *report,
                          struct hc_error *err)
{
    char name[HC_COMPAT_NAME_LENGTH + 1];
    if (is_one)
        return hc_copy_text(directory, err);
    hc_osdi_artifact_name(report->result->job.id, name);
    return hc_new_text(err, "%s/%s", directory, name);
}

static enum hc_status write_csv(struct hc_outset *set, const char *directory, bool is_one,
                                const struct hc_whatif_report *report, struct hc_error *err)
{
    char *own = directory_of(directory, is_one, report, err);
    enum hc_status status = own ? hc_whatif_write_csv(set, own, report, err) : err->status;
    free(own);
    return status;
}

static enum hc_status put_figures(const struct hc_figure_sink *sink, const void *report,
                                  struct hc_error *err)
{
    return hc_whatif_put_figures(sink, report, err);
}

static enum hc_status write_figures(struct hc_outset *set, const struct hc_figure_options *options,
                                    bool is_one, const struct hc_whatif_report *report,
                                    struct hc_error *err)
{
    struct hc_figure_options own = *options;
    char *directory = directory_of(options->directory, is_one, report, err);
    own.directory = directory;
    enum hc_status status =
        directory ? hc_figure_options_write(&own, set, report->run_id, put_figures, report, err)
                  : err->status;
    free(directory);
    return status;
}

static enum hc_status write_html(struct hc_outset *set, const char *path,
                                 const struct hc_whatif_report *report, struct hc_error *err)
{
    FILE *stream;
    if (hc_outset_add_held(set, path, &stream, err))
        return err->status;
    return hc_whatif_write_html(stream, report, err);
}

enum hc_status hc_whatif_write_pages(struct hc_outset *set,
                                     const struct hc_whatif_page_options *options, bool is_one,
                                     const struct hc_whatif_report *report, struct hc_error *err)
{
    enum hc_status status = HC_OK;
    const char *csv = hc_report_csv_directory(&options->report);
    if (csv)
        status = write_csv(set, csv, is_one, report, err);
    if (status == HC_OK && options->report.html)
        status = write_html(set, options->report.html, report, err);
    if (status == HC_OK && options->report.figures.directory)
        status = write_figures(set, &options->report.figures, is_one, report, err);
    return status;
}
