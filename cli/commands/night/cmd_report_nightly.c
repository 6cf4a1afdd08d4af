/* cmd_report_nightly.c - `hindcast report nightly`. */
#include "cli/commands/night/explain_leaf.h"
#include "cli/commands/night/night_findings.h"
#include "cli/commands/night/night_folder.h"
#include "cli/commands/night/night_installed.h"
#include "cli/commands/night/night_options.h"
#include "cli/frame/command.h"
#include "cli/frame/output.h"
#include "cli/options/fail_on.h"
#include "cli/options/report_output.h"
#include "core/files/outfile.h"
#include "pipeline/night/night_before.h"
#include "pipeline/night/night_context_input.h"
#include "pipeline/night/night_input.h"
#include "reports/night/night_report.h"
#include "store/archive/archive.h"

struct nightly_settings {
    struct hc_common_options common;
    struct hc_archive_options archive;
    struct hc_night_options night;
    int64_t top, days;
    const char *explain, *folder; /* folder: NULL: to standard output */
    struct hc_report_options report;
};

#define WINDOW_DAYS 29 /* with the day that is reported: so 28 days before is in it */

HC_FIGURE_WRITERS(hc_night, "hindcast-nightly");

/* A night, and the days before it as they were known then. */
struct nights {
    struct hc_night_choice choice;
    struct hc_night_data now, before;
};

static enum hc_status report_night(const struct nightly_settings *settings,
                                   const struct hc_night_inputs *inputs, struct nights *nights,
                                   struct hc_error *err)
{
    struct hc_night_data *data = &nights->now;
    size_t last = data->night.days.n - 1;
    struct hc_night_result result = {0};
    struct hc_night_findings findings = {.rows = NULL};
    struct hc_night_context context = {.n_sources = 0};
    enum hc_status status = hc_night_result_make(
        &result, &data->night, &(struct hc_night_range){last - (size_t)settings->days + 1, last},
        &data->names, err);
    if (!status)
        status = hc_night_findings_make(&findings, data, inputs->site_or_null, err);
    if (!status)
        status = hc_night_context_make(&context, &nights->choice, data, &result, err);
    struct hc_night_installed installed = {.is_known = false};
    struct hc_restated restated = {.n = 0};
    if (!status)
        status = hc_night_restated_make(&restated, data, &nights->before, err);
    int64_t as_of_ns =
        settings->night.as_of.is_given ? settings->night.as_of.ns : data->walk.last_ns;
    const int64_t *edges_ns = data->night.days.edges_ns;
    const int64_t window_ns[2] = {edges_ns[last - (size_t)settings->days + 1],
                                  as_of_ns < edges_ns[last + 1] ? as_of_ns : edges_ns[last + 1]};
    if (!status)
        status =
            hc_night_installed_load(&installed, inputs, settings->night.cluster, window_ns, err);
    struct hc_night_report report = {.installed = installed.is_known ? &installed.result : NULL,
                                     .restated = &restated,
                                     .names = &data->names,
                                     .findings = &findings.view,
                                     .context = &context,
                                     .result = &result,
                                     .timelines = &data->walk.timelines,
                                     .archive = inputs->archive->path,
                                     .cluster = settings->night.cluster,
                                     .zone = inputs->zone_name,
                                     .site_sha256 =
                                         inputs->site_or_null ? inputs->site.input.sha256 : NULL,
                                     .as_of_ns = as_of_ns,
                                     .top = (size_t)settings->top};
    const struct hc_report_output output = {&writers, &report, &report.run_id, &settings->report,
                                            &settings->common};
    const struct hc_night_folder folder = {settings->folder, &report, data, write_json};
    if (!status)
        status = settings->folder ? hc_night_folder_write(&folder, err)
                                  : hc_report_output_write(&output, false, err);
    if (!status)
        status = hc_fail_on(&settings->report.fail_on, &hc_night_figures, &result, NULL, err);
    hc_night_result_fini(&result);
    hc_night_findings_fini(&findings);
    hc_night_context_fini(&context);
    hc_night_installed_fini(&installed);
    hc_restated_fini(&restated);
    return status;
}

static enum hc_status explain(const struct nightly_settings *settings,
                              const struct hc_night_inputs *inputs, struct hc_error *err)
{
    struct hc_output output;
    const struct hc_explain_choice choice = {.leaf = settings->explain,
                                             .first_day = inputs->day - settings->days + 1,
                                             .last_day = inputs->day,
                                             .is_csv = hc_report_is_csv(&settings->report)};
    if (hc_output_open(&output, &settings->common, false, err))
        return err->status;
    enum hc_status status =
        hc_explain_leaf(inputs, settings->night.cluster, &choice, output.stream, err);
    return hc_output_end(&output, status, err);
}

static enum hc_status account(const struct nightly_settings *settings,
                              const struct hc_night_inputs *inputs, struct hc_error *err)
{
    const struct hc_findings_options findings = hc_findings_defaults();
    int64_t n_series = hc_findings_days_wanted(&findings);
    struct nights nights = {.choice = {.archive = inputs->archive,
                                       .cluster = settings->night.cluster,
                                       .site = inputs->site_or_null,
                                       .zone = &inputs->zone,
                                       .first_day = inputs->day - WINDOW_DAYS - settings->days + 2,
                                       .last_day = inputs->day,
                                       .as_of_ns = inputs->as_of_ns,
                                       .series_day = inputs->day - n_series + 1}};
    enum hc_status status = hc_night_load_both(&nights.now, &nights.before, &nights.choice, err);
    if (!status)
        status = report_night(settings, inputs, &nights, err);
    hc_night_data_fini(&nights.before);
    hc_night_data_fini(&nights.now);
    return status;
}

/* The folder has all forms of the report, so they are not asked for beside it. */
static enum hc_status check_folder(const struct nightly_settings *settings, struct hc_error *err)
{
    const char *other = settings->common.json                ? "--json"
                        : settings->report.html              ? "--html"
                        : settings->report.csv               ? "--csv"
                        : settings->report.figures.directory ? "--figures"
                        : settings->explain                  ? "--explain"
                                                             : NULL;
    if (settings->folder && other)
        return hc_fail(err, HC_USAGE,
                       "-o DIR writes the whole report, and %s goes elsewhere: give one of them",
                       other);
    if (settings->folder && hc_is_regular_file(settings->folder))
        return hc_fail(err, HC_USAGE, "-o '%s' is a file, and a directory is needed",
                       settings->folder);
    return HC_OK;
}

static enum hc_status run(void *context, const struct hc_words *words, struct hc_error *err)
{
    struct nightly_settings *settings = context;
    struct hc_night_inputs inputs = {0};
    (void)words;
    settings->common.output = "-";
    if (check_folder(settings, err) ||
        hc_report_options_check(&settings->report, &settings->common, err) ||
        hc_fail_on_check(&settings->report.fail_on, &hc_night_figures, err) ||
        hc_explain_check(settings->explain, err))
        return err->status;
    enum hc_status status =
        hc_night_inputs_open(&inputs, &settings->night, &settings->archive, err);
    if (!status)
        status =
            settings->explain ? explain(settings, &inputs, err) : account(settings, &inputs, err);
    hc_night_inputs_close(&inputs);
    return status;
}

static const struct hc_option options[] = {
    HC_OPTION_GROUP(struct nightly_settings, archive, hc_record_archive_options),
    HC_OPTION_GROUP(struct nightly_settings, night, hc_night_options),
    {.name = "days",
     .kind = HC_OPTION_INT,
     .argument = "N",
     .target = offsetof(struct nightly_settings, days),
     .value = "1",
     .low = 1,
     .high = 3660,
     .help = "report so many days, of which --date is the last"},
    {.name = "explain",
     .kind = HC_OPTION_TEXT,
     .argument = "LEAF",
     .target = offsetof(struct nightly_settings, explain),
     .help = "print what is behind a leaf, as lost_work, startup, startup.image/user or all: each "
             "interval with its rule and the file and line that tell it (--csv -: as a table)"},
    {.name = "top",
     .kind = HC_OPTION_INT,
     .argument = "N",
     .target = offsetof(struct nightly_settings, top),
     .value = "10",
     .low = 1,
     .high = 1e9,
     .help = "rows of each table of the text"},
    HC_OPTION_GROUP(struct nightly_settings, report, hc_report_options),
    {.name = "output",
     .letter = 'o',
     .kind = HC_OPTION_PATH,
     .argument = "FILE|DIR",
     .target = offsetof(struct nightly_settings, folder),
     .unset = "the text to standard output",
     .help = "write the report as a folder DIR/DATE with index.html, report.json, tables/, "
             "metrics.prom, alerts.json, drain.txt and pages of runs, nodes and users, whole or "
             "not at all; DIR/latest leads to the newest; of a shard its part to FILE"},
    {.name = "json",
     .kind = HC_OPTION_FLAG,
     .target = offsetof(struct nightly_settings, common.json),
     .help = "write the result as JSON"},
    HC_OPTION_GROUP(struct nightly_settings, common, hc_silent_options),
    HC_OPTION_END,
};

const struct hc_command hc_command_report_nightly = {
    .name = "report nightly",
    .summary = "say where the GPU-hours of last night went",
    .description =
        "Cuts the time of every attempt of a day into what its GPUs did and why, by the records of "
        "the scheduler, the logs of the training runs, the phases of their start-up and the health "
        "events of nodes; sums it exactly by leaf, cause, user, account, partition, size, run and "
        "node; gives what each incident cost in all, and the effective training time ratio (ETTR) "
        "of each run. Beside each leaf stands what of it is measured, estimated or unknown, and "
        "what it was a day, a week and four weeks before.",
    .options = options,
    .examples = (const char *const[]){"hindcast report nightly -a nightly",
                                      "hindcast report nightly -a nightly --date 2026-03-30 --json",
                                      "hindcast report nightly -a nightly -o /srv/hindcast", NULL},
    .finding = "a condition of --fail-on holds",
    .settings_size = sizeof(struct nightly_settings),
    .run = run,
};
