#include "cli/whatif_pages.h"

#include "core/base/memory.h"
#include "core/tables/table.h"
#include "reports/whatif/osdi_artifact.h"
#include "reports/whatif/whatif_csv.h"
#include "reports/whatif/whatif_html.h"

#include <stdlib.h>
#include <string.h>

const struct hc_option hc_whatif_page_options[] = {
    {.name = "quick",
     .kind = HC_OPTION_FLAG,
     .target = offsetof(struct hc_whatif_page_options, quick),
     .help = "only the figures of the paper: no intervals, fix curves, Shapley values, exact "
             "slowdown of each worker, verdict"},
    {.name = "csv",
     .kind = HC_OPTION_TEXT,
     .argument = "DIR",
     .target = offsetof(struct hc_whatif_page_options, csv),
     .unset = "none",
     .help = "also write its tables as CSV files to DIR; for more than one job, to DIR/JOB; "
             "with --all, those of the fleet"},
    {.name = "html",
     .kind = HC_OPTION_TEXT,
     .argument = "FILE",
     .target = offsetof(struct hc_whatif_page_options, html),
     .unset = "none",
     .help = "also write FILE, a page about one job with its charts in it; with --all a directory, "
             "with index.html and a page of each job"},
    {.name = "picture-step",
     .kind = HC_OPTION_RANGES,
     .argument = "N",
     .target = offsetof(struct hc_whatif_page_options, picture_step),
     .unset = "that of median slowdown",
     .help = "draw this step on the page of --html, as recorded and ideal"},
    HC_OPTION_END,
};

static enum hc_status check_picture_step(const struct hc_whatif_page_options *options,
                                         struct hc_error *err)
{
    const struct hc_step_ranges *step = &options->picture_step;
    if (step->n == 0)
        return HC_OK;
    if (!options->html)
        return hc_fail(err, HC_USAGE, "--picture-step is for the page of --html");
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
    if (options->html && n_jobs > 1)
        return hc_fail(err, HC_USAGE,
                       "--html '%s' is the page of one job, and there are %zu: run hindcast once "
                       "for each",
                       options->html, n_jobs);
    if (options->html && strcmp(options->html, "-") == 0)
        return hc_fail(err, HC_USAGE,
                       "--html needs the name of a file: standard output is for the report");
    return check_picture_step(options, err);
}

void hc_whatif_page_depth(const struct hc_whatif_page_options *options,
                          struct hc_whatif_options *whatif)
{
    whatif->depth = options->quick ? 0 : HC_DEPTH_ALL;
    if (options->html && !options->quick)
        whatif->depth |= HC_DEPTH_PICTURE;
    whatif->picture_step =
        options->picture_step.n ? options->picture_step.range[0][0] : HC_MISSING_I32;
}

static enum hc_status write_csv(struct hc_outset *set, const char *directory, bool is_one,
                                const struct hc_whatif_report *report, struct hc_error *err)
{
    char name[HC_COMPAT_NAME_LENGTH + 1];
    if (is_one)
        return hc_whatif_write_csv(set, directory, report, err);
    hc_osdi_artifact_name(report->result->job.id, name);
    char *own = hc_new_text(err, "%s/%s", directory, name);
    enum hc_status status = own ? hc_whatif_write_csv(set, own, report, err) : err->status;
    free(own);
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
    if (options->csv)
        status = write_csv(set, options->csv, is_one, report, err);
    if (status == HC_OK && options->html)
        status = write_html(set, options->html, report, err);
    return status;
}
