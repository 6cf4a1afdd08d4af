/* cmd_report_ettr.c - `hindcast report ettr`. */
#include "cli/commands/night/day_range.h"
#include "cli/frame/command.h"
#include "cli/frame/output.h"
#include "cli/options/fail_on.h"
#include "cli/options/report_output.h"
#include "core/base/clock.h"
#include "pipeline/night/ettr_input.h"
#include "reports/ettr/ettr_report.h"

struct ettr_settings {
    struct hc_common_options common;
    struct hc_archive_options archive;
    struct hc_night_options site; /* without a date */
    struct hc_moment from, to;
    const char *run;
    int64_t least_gpus, top;
    double least_hours;
    struct hc_report_options report;
};

HC_FIGURE_WRITERS(hc_ettr, "hindcast-ettr");

/* ---- the report ---- */

static enum hc_status report_ettr(const struct ettr_settings *settings,
                                  const struct hc_night_inputs *inputs,
                                  const struct hc_ettr_data *data, struct hc_error *err)
{
    char days[2][32];
    hc_format_iso8601(settings->from.ns, days[0]);
    hc_format_iso8601(settings->to.ns, days[1]);
    days[0][10] = days[1][10] = '\0';
    struct hc_ettr_report report = {
        .result = &data->result,
        .archive = inputs->archive->path,
        .cluster = settings->site.cluster,
        .zone = inputs->zone_name,
        .run = settings->run,
        .from = settings->from.is_given ? days[0] : NULL,
        .to = settings->to.is_given ? days[1] : NULL,
        .as_of_ns = settings->site.as_of.is_given ? settings->site.as_of.ns : data->walk.last_ns,
        .least_gpus = settings->least_gpus,
        .least_hours = settings->least_hours,
        .top = (size_t)settings->top};
    const struct hc_report_output output = {&writers, &report, &report.run_id, &settings->report,
                                            &settings->common};
    enum hc_status status = hc_report_output_write(&output, false, err);
    return status
               ? status
               : hc_fail_on(&settings->report.fail_on, &hc_ettr_figures, &data->result, NULL, err);
}

static enum hc_status load_and_report(const struct ettr_settings *settings,
                                      const struct hc_night_inputs *inputs, struct hc_error *err)
{
    struct hc_ettr_data data = {.days = {.n = 0}};
    int64_t bounds_ns[2];
    if (hc_day_bounds_find(bounds_ns, &settings->from, &settings->to, &inputs->zone, err))
        return err->status;
    const struct hc_ettr_source source = {.walk = {.archive = inputs->archive,
                                                   .cluster = settings->site.cluster,
                                                   .site = inputs->site_or_null,
                                                   .from_ns = bounds_ns[0],
                                                   .to_ns = bounds_ns[1],
                                                   .as_of_ns = inputs->as_of_ns},
                                          .zone = &inputs->zone,
                                          .name = settings->run,
                                          .least_gpus = (int32_t)settings->least_gpus,
                                          .least_hours = settings->least_hours};
    enum hc_status status = hc_ettr_load(&data, &source, err);
    if (!status)
        status = report_ettr(settings, inputs, &data, err);
    hc_ettr_data_fini(&data);
    return status;
}

static enum hc_status run(void *context, const struct hc_words *words, struct hc_error *err)
{
    const struct ettr_settings *settings = context;
    struct hc_night_inputs inputs = {0};
    (void)words;
    if (hc_report_options_check(&settings->report, &settings->common, err) ||
        hc_fail_on_check(&settings->report.fail_on, &hc_ettr_figures, err))
        return err->status;
    enum hc_status status = hc_night_inputs_open(&inputs, &settings->site, &settings->archive, err);
    if (!status)
        status = load_and_report(settings, &inputs, err);
    hc_night_inputs_close(&inputs);
    return status;
}

static const struct hc_option options[] = {
    HC_OPTION_GROUP(struct ettr_settings, archive, hc_record_archive_options),
    {.name = "run",
     .kind = HC_OPTION_TEXT,
     .argument = "NAME",
     .target = offsetof(struct ettr_settings, run),
     .unset = "all",
     .help = "report this run, with its days"},
    {.name = "from",
     .kind = HC_OPTION_CALLBACK,
     .argument = "DATE",
     .target = offsetof(struct ettr_settings, from),
     .unset = "from the beginning",
     .parse = hc_moment_parse,
     .help = "runs that held GPUs on this day or later, as 2026-03-01; each is reported as a "
             "whole"},
    {.name = "to",
     .kind = HC_OPTION_CALLBACK,
     .argument = "DATE",
     .target = offsetof(struct ettr_settings, to),
     .unset = "up to the end",
     .parse = hc_moment_parse,
     .help = "runs that held GPUs on this day or before"},
    HC_OPTION_GROUP(struct ettr_settings, site, hc_undated_night_options),
    {.name = "min-gpus",
     .kind = HC_OPTION_INT,
     .argument = "N",
     .target = offsetof(struct ettr_settings, least_gpus),
     .value = "1",
     .low = 1,
     .high = 1e9,
     .help = "runs with fewer GPUs do not count in the value of all"},
    {.name = "min-hours",
     .kind = HC_OPTION_DOUBLE,
     .argument = "H",
     .target = offsetof(struct ettr_settings, least_hours),
     .value = "0",
     .low = 0,
     .high = 1e9,
     .help = "runs that are shorter since their first start do not count in the value of all"},
    {.name = "top",
     .kind = HC_OPTION_INT,
     .argument = "N",
     .target = offsetof(struct ettr_settings, top),
     .value = "25",
     .low = 1,
     .high = 1e9,
     .help = "rows of each table of text and page"},
    HC_OPTION_GROUP(struct ettr_settings, report, hc_report_options),
    HC_OPTION_GROUP(struct ettr_settings, common, hc_common_options),
    HC_OPTION_END,
};

const struct hc_command hc_command_report_ettr = {
    .name = "report ettr",
    .summary = "give the effective training time ratio of runs",
    .description =
        "Gives of each run the share of its time that made progress (ETTR), under the four names "
        "that are in use, each with its numerator and denominator and with what it counts: meta, "
        "byterobust, goodput, and at nominal speed. Also day by day, over a sliding hour, and for "
        "all runs together, as the ratio of sums. A run of which attempts are missing has no meta.",
    .options = options,
    .examples =
        (const char *const[]){"hindcast report ettr -a nightly --min-gpus 64",
                              "hindcast report ettr -a nightly --run run-04 --html e.html", NULL},
    .finding = "a condition of --fail-on holds",
    .settings_size = sizeof(struct ettr_settings),
    .run = run,
};
