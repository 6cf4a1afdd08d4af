/* cmd_report_findings.c - `hindcast report findings`. */
#include "cli/commands/night/night_findings.h"
#include "cli/commands/night/night_options.h"
#include "cli/frame/command.h"
#include "cli/frame/output.h"
#include "cli/options/fail_on.h"
#include "cli/options/report_output.h"
#include "reports/night/findings_report.h"

struct findings_settings {
    struct hc_common_options common;
    struct hc_archive_options archive;
    struct hc_night_options night;
    int64_t backtest;
    struct hc_report_options report;
};

HC_TABLE_WRITERS(hc_findings, "hindcast-findings");

static enum hc_status judge(const struct findings_settings *settings,
                            const struct hc_night_inputs *inputs, const struct hc_night_data *data,
                            struct hc_error *err)
{
    struct hc_night_findings findings = {.rows = NULL};
    struct hc_findings_backtest backtest = {.n = 0};
    const struct hc_findings_options options = hc_findings_defaults();
    enum hc_status status = hc_night_findings_make(&findings, data, inputs->site_or_null, err);
    if (!status && settings->backtest)
        status = hc_findings_backtest(&backtest, &data->series.input, &options,
                                      (int)settings->backtest, err);
    struct hc_findings_report report = {.view = &findings.view,
                                        .backtest = settings->backtest ? &backtest : NULL,
                                        .days = &data->series.days,
                                        .archive = inputs->archive->path,
                                        .cluster = settings->night.cluster,
                                        .zone = inputs->zone_name};
    const struct hc_report_output output = {&writers, &report, &report.run_id, &settings->report,
                                            &settings->common};
    bool has_finding = false;
    for (size_t i = 0; i < findings.view.n; i++)
        has_finding |= !findings.view.rows[i].acknowledged_until;
    if (!status)
        status = hc_report_output_write(&output, has_finding && !settings->backtest, err);
    if (!status)
        status =
            hc_fail_on(&settings->report.fail_on, &hc_finding_figures, &findings.view, NULL, err);
    hc_findings_backtest_fini(&backtest);
    hc_night_findings_fini(&findings);
    return status;
}

static enum hc_status run(void *context, const struct hc_words *words, struct hc_error *err)
{
    const struct findings_settings *settings = context;
    struct hc_night_inputs inputs = {0};
    struct hc_night_data data = {.n_causes = 0};
    const struct hc_findings_options options = hc_findings_defaults();
    int64_t n_series = hc_findings_days_wanted(&options) + settings->backtest;
    (void)words;
    if (hc_report_options_check(&settings->report, &settings->common, err) ||
        hc_fail_on_check(&settings->report.fail_on, &hc_finding_figures, err))
        return err->status;
    enum hc_status status =
        hc_night_inputs_open(&inputs, &settings->night, &settings->archive, err);
    if (!status)
        status = hc_night_load(&data,
                               &(struct hc_night_choice){.archive = inputs.archive,
                                                         .cluster = settings->night.cluster,
                                                         .site = inputs.site_or_null,
                                                         .zone = &inputs.zone,
                                                         .first_day = inputs.day,
                                                         .last_day = inputs.day,
                                                         .as_of_ns = inputs.as_of_ns,
                                                         .series_day = inputs.day - n_series + 1},
                               err);
    if (!status)
        status = judge(settings, &inputs, &data, err);
    hc_night_data_fini(&data);
    hc_night_inputs_close(&inputs);
    return status;
}

static const struct hc_option options[] = {
    HC_OPTION_GROUP(struct findings_settings, archive, hc_record_archive_options),
    HC_OPTION_GROUP(struct findings_settings, night, hc_night_options),
    {.name = "backtest",
     .kind = HC_OPTION_CALLBACK,
     .argument = "DAYS",
     .target = offsetof(struct findings_settings, backtest),
     .parse = hc_night_days_parse,
     .help = "say on which of the last DAYS, as 90d, each kind would have found something, by the "
             "days before it alone"},
    HC_OPTION_GROUP(struct findings_settings, report, hc_table_report_options),
    HC_OPTION_GROUP(struct findings_settings, common, hc_common_options),
    HC_OPTION_END,
};

const struct hc_command hc_command_report_findings = {
    .name = "report findings",
    .summary = "say what changed in a cluster by the end of a day, with a bound on false alarms",
    .description =
        "Looks at what each night is judged by: failures of nodes, events of each kind, phases of "
        "start-up, waits of each partition, the ETTR of each run, jobs that failed together, and "
        "sources that fell silent, each against its own past. At most one finding a week opens by "
        "chance. Each has an id that stays, since when it is there, and who looks after it "
        "('owners' of the site file); one that the site file has 'acknowledged' is no reason for "
        "the exit status.",
    .options = options,
    .examples = (const char *const[]){"hindcast report findings -a nightly",
                                      "hindcast report findings -a nightly --backtest 90d", NULL},
    .finding = "something was found that is not acknowledged; not with --backtest",
    .settings_size = sizeof(struct findings_settings),
    .run = run,
};
