/* cmd_report_startup.c - `hindcast report startup`. */
#include "cli/commands/night/day_range.h"
#include "cli/frame/command.h"
#include "cli/frame/output.h"
#include "cli/options/fail_on.h"
#include "cli/options/report_output.h"
#include "core/base/clock.h"
#include "pipeline/night/night_input.h"
#include "pipeline/night/startup_load.h"
#include "reports/startup/startup_report.h"

#define DAY_NS ((int64_t)86400 * 1000000000)

struct startup_settings {
    struct hc_common_options common;
    struct hc_archive_options archive;
    struct hc_night_options night;
    struct hc_range_options range;
    int64_t top;
    struct hc_report_options report;
};

HC_FIGURE_WRITERS(hc_startup, "hindcast-startup");

/* ---- the report ---- */

static enum hc_status report_startup(const struct startup_settings *settings,
                                     const struct hc_night_inputs *inputs,
                                     const struct hc_day_range *range,
                                     const struct hc_startup_data *data, struct hc_error *err)
{
    char days[2][32];
    hc_format_iso8601(range->first_day * DAY_NS, days[0]);
    hc_format_iso8601(range->last_day * DAY_NS, days[1]);
    days[0][10] = days[1][10] = '\0';
    struct hc_startup_report report = {
        .result = &data->result,
        .archive = inputs->archive->path,
        .cluster = settings->night.cluster,
        .zone = inputs->zone_name,
        .first_day = days[0],
        .last_day = days[1],
        .as_of_ns = settings->night.as_of.is_given ? settings->night.as_of.ns : data->walk.last_ns,
        .top = (size_t)settings->top};
    const struct hc_report_output output = {&writers, &report, &report.run_id, &settings->report,
                                            &settings->common};
    enum hc_status status = hc_report_output_write(&output, false, err);
    return status ? status
                  : hc_fail_on(&settings->report.fail_on, &hc_startup_figures, &data->result, NULL,
                               err);
}

static enum hc_status load_and_report(const struct startup_settings *settings,
                                      const struct hc_night_inputs *inputs, struct hc_error *err)
{
    struct hc_day_range range;
    struct hc_startup_data data = {.input = {.n_starts = 0}};
    if (hc_day_range_find(&range, &settings->range, &settings->night, inputs, err))
        return err->status;
    const struct hc_walk_choice walk = {.archive = inputs->archive,
                                        .cluster = settings->night.cluster,
                                        .site = inputs->site_or_null,
                                        .from_ns = hc_night_day_ns(&inputs->zone, range.first_day),
                                        .to_ns = hc_night_day_ns(&inputs->zone, range.last_day + 1),
                                        .as_of_ns = inputs->as_of_ns};
    enum hc_status status = hc_startup_load(&data, &walk, err);
    if (!status)
        status = report_startup(settings, inputs, &range, &data, err);
    hc_startup_data_fini(&data);
    return status;
}

static enum hc_status run(void *context, const struct hc_words *words, struct hc_error *err)
{
    const struct startup_settings *settings = context;
    struct hc_night_inputs inputs = {0};
    (void)words;
    if (hc_report_options_check(&settings->report, &settings->common, err) ||
        hc_fail_on_check(&settings->report.fail_on, &hc_startup_figures, err))
        return err->status;
    enum hc_status status =
        hc_night_inputs_open(&inputs, &settings->night, &settings->archive, err);
    if (!status)
        status = load_and_report(settings, &inputs, err);
    hc_night_inputs_close(&inputs);
    return status;
}

static const struct hc_option options[] = {
    HC_OPTION_GROUP(struct startup_settings, archive, hc_record_archive_options),
    HC_OPTION_GROUP(struct startup_settings, range, hc_range_options),
    HC_OPTION_GROUP(struct startup_settings, night, hc_night_options),
    {.name = "top",
     .kind = HC_OPTION_INT,
     .argument = "N",
     .target = offsetof(struct startup_settings, top),
     .value = "10",
     .low = 1,
     .high = 1e9,
     .help = "rows of each table of text and page"},
    HC_OPTION_GROUP(struct startup_settings, report, hc_report_options),
    HC_OPTION_GROUP(struct startup_settings, common, hc_common_options),
    HC_OPTION_END,
};

const struct hc_command hc_command_report_startup = {
    .name = "report startup",
    .summary = "say what starting up cost, and what of it could be avoided",
    .description =
        "Sums the GPU-time between allocations and steady steps over some days: by phase, run, "
        "user "
        "and size, and its share of all. Gives what each phase waits for its slowest node, what "
        "starts take above the best tenth of their partition and size, and which nodes are slow "
        "again and again, with the chance that they are so by accident.",
    .options = options,
    .examples =
        (const char *const[]){"hindcast report startup -a nightly --last 28d",
                              "hindcast report startup -a nightly --last 28d --csv tables", NULL},
    .finding = "a condition of --fail-on holds",
    .settings_size = sizeof(struct startup_settings),
    .run = run,
};
