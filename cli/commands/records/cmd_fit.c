/* cmd_fit.c - `hindcast fit`. */
#include "cli/frame/command.h"
#include "cli/frame/output.h"
#include "cli/options/moment.h"
#include "core/base/clock.h"
#include "models/fit/fit_model.h"
#include "pipeline/fit/fit_backtest.h"
#include "pipeline/fit/fit_load.h"
#include "reports/fit/fit_report.h"
#include "store/archive/archive.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum period { PERIOD_MONTH, PERIOD_WEEK, PERIOD_DAY };
static const char *const period_names[] = {"month", "week", "day", NULL};

struct fit_settings {
    struct hc_common_options common; /* output: the scenario */
    struct hc_archive_options archive;
    const char *cluster, *run;
    struct hc_moment from, to;
    int64_t least;
    int64_t backtest; /* periods held out; 0: none is asked for */
    int period;       /* enum period */
};

/* ---- parameters ---- */

static enum hc_status write_json(const struct hc_output *output, const struct hc_fit_report *report,
                                 struct hc_error *err)
{
    struct hc_json_writer json;
    hc_output_json_start(&json, output, "hindcast-fit");
    hc_fit_write_json(report, &json);
    return hc_output_json_end(&json, output, err);
}

/* The scenario goes where -o says; the report to standard output, unless that is the same. */
static enum hc_status write_fit(const struct fit_settings *settings,
                                const struct hc_fit_report *report, struct hc_error *err)
{
    struct hc_common_options common = settings->common;
    bool has_scenario = strcmp(settings->common.output, "-") != 0;
    struct hc_output output;
    FILE *scenario;
    common.output = "-";
    if (hc_output_open(&output, &common, has_scenario, err))
        return err->status;
    enum hc_status status = HC_OK;
    if (has_scenario) {
        status = hc_outset_add_held(output.set, settings->common.output, &scenario, err);
        if (!status)
            hc_fit_write_scenario(report, scenario);
    }
    if (!status)
        status = settings->common.json ? write_json(&output, report, err)
                                       : hc_fit_write_text(report, output.stream, err);
    return hc_output_end(&output, status, err);
}

static enum hc_status run_fit(const struct fit_settings *settings, const struct hc_archive *archive,
                              const struct hc_fit_source *source, struct hc_error *err)
{
    struct hc_fit_parameters parameters = {0};
    char from[32], to[32];
    enum hc_status status = hc_fit_model_make(&parameters, &source->records, settings->least, err);
    if (!status) {
        const struct hc_fit_report report = {.parameters = &parameters,
                                             .archive = archive->path,
                                             .cluster = settings->cluster,
                                             .run = settings->run,
                                             .from = from,
                                             .to = to,
                                             .node_days = source->records.node_days};
        hc_format_iso8601(source->records.from_ns, from);
        hc_format_iso8601(source->records.to_ns, to);
        status = write_fit(settings, &report, err);
    }
    hc_fit_parameters_fini(&parameters);
    return status;
}

/* ---- the backtest ---- */

static enum hc_status write_backtest(const struct fit_settings *settings,
                                     const struct hc_backtest_report *report, struct hc_error *err)
{
    struct hc_output output;
    struct hc_json_writer json;
    if (hc_output_open(&output, &settings->common, false, err))
        return err->status;
    enum hc_status status = HC_OK;
    if (settings->common.json) {
        hc_output_json_start(&json, &output, "hindcast-fit-backtest");
        hc_backtest_write_json(report, &json);
        status = hc_output_json_end(&json, &output, err);
    } else {
        status = hc_backtest_write_text(report, output.stream, err);
    }
    return hc_output_end(&output, status, err);
}

static enum hc_status run_backtest(const struct fit_settings *settings,
                                   const struct hc_archive *archive,
                                   const struct hc_fit_source *source, struct hc_error *err)
{
    static const enum hc_fit_period periods[] = {HC_FIT_MONTHS, HC_FIT_WEEKS, HC_FIT_DAYS_ALONE};
    struct hc_backtest backtest = {0};
    enum hc_status status = hc_fit_backtest_make(
        &backtest, &source->records, periods[settings->period], (size_t)settings->backtest, err);
    if (!status) {
        int64_t n = backtest.n_hits + backtest.n_below + backtest.n_above;
        const struct hc_backtest_report report = {
            .backtest = &backtest,
            .archive = archive->path,
            .cluster = settings->cluster,
            .hit_share = n ? (double)backtest.n_hits / (double)n : NAN};
        status = write_backtest(settings, &report, err);
    }
    free(backtest.periods);
    return status;
}

/* ---- the command ---- */

static enum hc_status check_times(const struct fit_settings *settings, struct hc_error *err)
{
    if ((settings->from.is_given && settings->from.is_relative) ||
        (settings->to.is_given && settings->to.is_relative))
        return hc_fail(err, HC_USAGE,
                       "--from and --to need dates: the records of a scheduler have "
                       "a calendar");
    if (settings->from.is_given && settings->to.is_given && settings->from.ns >= settings->to.ns)
        return hc_fail(err, HC_USAGE, "--from is not before --to");
    return HC_OK;
}

static enum hc_status run(void *context, const struct hc_words *words, struct hc_error *err)
{
    const struct fit_settings *settings = context;
    struct hc_archive *archive = NULL;
    struct hc_fit_source source = {0};
    (void)words;
    if (check_times(settings, err) ||
        hc_archive_open(&archive, hc_archive_path(&settings->archive), false, err))
        return err->status;
    const struct hc_fit_choice choice = {
        .archive = archive,
        .cluster = settings->cluster,
        .run = settings->backtest ? NULL : settings->run,
        .from_ns = settings->from.is_given ? settings->from.ns : INT64_MIN,
        .to_ns = settings->to.is_given ? settings->to.ns : INT64_MAX,
    };
    enum hc_status status = hc_fit_load(&source, &choice, err);
    if (!status)
        status = settings->backtest ? run_backtest(settings, archive, &source, err)
                                    : run_fit(settings, archive, &source, err);
    hc_fit_source_fini(&source);
    hc_archive_close(archive);
    return status;
}

static const struct hc_option options[] = {
    HC_OPTION_GROUP(struct fit_settings, archive, hc_record_archive_options),
    {.name = "cluster",
     .kind = HC_OPTION_TEXT,
     .argument = "NAME",
     .target = offsetof(struct fit_settings, cluster),
     .unset = "all",
     .help = "fit to the jobs and nodes of this cluster"},
    {.name = "run",
     .kind = HC_OPTION_TEXT,
     .argument = "NAME",
     .target = offsetof(struct fit_settings, run),
     .unset = "of the fleet only",
     .help = "fit also size, step time and checkpoints of this run, as 'hindcast runs propose' "
             "calls it, and its restarts where it had enough of them"},
    {.name = "from",
     .kind = HC_OPTION_CALLBACK,
     .argument = "DATE",
     .target = offsetof(struct fit_settings, from),
     .parse = hc_moment_parse,
     .unset = "the first job",
     .help = "fit to what came from this time on"},
    {.name = "to",
     .kind = HC_OPTION_CALLBACK,
     .argument = "DATE",
     .target = offsetof(struct fit_settings, to),
     .parse = hc_moment_parse,
     .unset = "the last record",
     .help = "fit to what came before this time"},
    {.name = "min-incidents",
     .kind = HC_OPTION_INT,
     .argument = "N",
     .target = offsetof(struct fit_settings, least),
     .value = "3",
     .low = 1,
     .high = 1e9,
     .help = "put causes of fewer incidents together as one, 'rare_causes'"},
    {.name = "backtest",
     .kind = HC_OPTION_INT,
     .argument = "N",
     .target = offsetof(struct fit_settings, backtest),
     .unset = "fit, and predict nothing",
     .low = 1,
     .high = 10000,
     .help = "hold out the last N periods, predict the incidents of each by what is fitted to the "
             "others, and count how many come true"},
    {.name = "period",
     .kind = HC_OPTION_CHOICE,
     .argument = "WHAT",
     .target = offsetof(struct fit_settings, period),
     .choices = period_names,
     .value = "month",
     .help = "periods of --backtest"},
    HC_OPTION_GROUP(struct fit_settings, common, hc_common_options),
    HC_OPTION_END,
};

const struct hc_command hc_command_fit = {
    .name = "fit",
    .summary = "fit the parameters of a scenario to a cluster's own records",
    .description =
        "Takes from the records of a cluster what a scenario of 'hindcast simulate' needs: how "
        "often each cause stops jobs on a node, how long until that is noticed and training goes "
        "on, start-up, repair, and with --run the size, steps and checkpoints of a run. Each "
        "number "
        "has an interval of 95 %, and says what is behind it. -o FILE writes them as a scenario "
        "that others include; without it, or beside it, a report tells them. What the records do "
        "not tell is left out, and said. --backtest tries the rate of faults on periods that it "
        "was not fitted to.",
    .options = options,
    .examples = (const char *const[]){"hindcast fit -a nightly --run pretrain-7b -o params.json",
                                      "hindcast fit -a nightly --backtest 3", NULL},
    .settings_size = sizeof(struct fit_settings),
    .run = run,
};
