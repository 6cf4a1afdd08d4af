/* cmd_report_account.c - `hindcast report account`. */
#include "cli/frame/command.h"
#include "cli/frame/output.h"
#include "cli/options/moment.h"
#include "models/account/account_result.h"
#include "pipeline/daily/account_input.h"
#include "reports/account/account_report.h"
#include "store/archive/archive.h"

struct account_settings {
    struct hc_common_options common;
    struct hc_archive_options archive;
    const char *cluster;
    struct hc_moment from, to;
    int64_t top;
    bool csv;
};

static enum hc_status check(const struct account_settings *settings, struct hc_error *err)
{
    if (settings->from.is_relative || settings->to.is_relative)
        return hc_fail(err, HC_USAGE, "jobs have dates: give --from and --to as 2026-03-30");
    if (settings->from.is_given && settings->to.is_given && settings->from.ns >= settings->to.ns)
        return hc_fail(err, HC_USAGE, "--to is not after --from");
    if (settings->csv && settings->common.json)
        return hc_fail(err, HC_USAGE, "--csv and --json are two forms of one output: give one");
    return HC_OK;
}

static enum hc_status write_json(const struct hc_output *output, const void *report,
                                 struct hc_error *err)
{
    struct hc_json_writer json;
    hc_output_json_start(&json, output, "hindcast-account");
    hc_account_write_json(report, &json);
    return hc_output_json_end(&json, output, err);
}

static enum hc_status write_report(const struct account_settings *settings,
                                   const struct hc_account_report *report, struct hc_error *err)
{
    struct hc_output output;
    if (hc_output_open(&output, &settings->common, false, err))
        return err->status;
    enum hc_status status = HC_OK;
    if (settings->common.json)
        status = write_json(&output, report, err);
    else if (settings->csv)
        hc_account_write_csv(report, output.stream);
    else
        status = hc_account_write_text(report, output.stream, err);
    return hc_output_end(&output, status, err);
}

static enum hc_status run_on(const struct account_settings *settings,
                             const struct hc_archive *archive, struct hc_error *err)
{
    struct hc_job_account account = {.from_ns =
                                         settings->from.is_given ? settings->from.ns : INT64_MIN,
                                     .to_ns = settings->to.is_given ? settings->to.ns : INT64_MAX};
    struct hc_account_source source = {0};
    struct hc_account_result result = {0};
    enum hc_status status = hc_account_load(&account, &source, archive, settings->cluster, err);
    if (!status)
        status = hc_account_result_make(&result, &account, err);
    if (!status)
        status = write_report(settings,
                              &(struct hc_account_report){.result = &result,
                                                          .archive = archive->path,
                                                          .cluster = settings->cluster,
                                                          .n_segments = source.n_segments,
                                                          .n_clusters = source.n_clusters,
                                                          .first_day = source.first_day,
                                                          .last_day = source.last_day,
                                                          .top = (size_t)settings->top},
                              err);
    hc_account_result_fini(&result);
    hc_account_source_fini(&source);
    hc_job_account_fini(&account);
    return status;
}

static enum hc_status run(void *context, const struct hc_words *words, struct hc_error *err)
{
    const struct account_settings *settings = context;
    struct hc_archive *archive = NULL;
    (void)words;
    if (check(settings, err) ||
        hc_archive_open(&archive, hc_archive_path(&settings->archive), false, err))
        return err->status;
    enum hc_status status = run_on(settings, archive, err);
    hc_archive_close(archive);
    return status;
}

static const struct hc_option options[] = {
    HC_OPTION_GROUP(struct account_settings, archive, hc_archive_options),
    {.name = "from",
     .kind = HC_OPTION_CALLBACK,
     .argument = "TIME",
     .target = offsetof(struct account_settings, from),
     .unset = "the first job",
     .parse = hc_moment_parse,
     .help = "count what was held from this time on, as 2026-03-30 or 2026-03-30T12:00:00Z"},
    {.name = "to",
     .kind = HC_OPTION_CALLBACK,
     .argument = "TIME",
     .target = offsetof(struct account_settings, to),
     .unset = "the last job",
     .parse = hc_moment_parse,
     .help = "count what was held before this time"},
    {.name = "cluster",
     .kind = HC_OPTION_TEXT,
     .argument = "NAME",
     .target = offsetof(struct account_settings, cluster),
     .unset = "all",
     .help = "count the jobs of this cluster"},
    {.name = "top",
     .kind = HC_OPTION_INT,
     .argument = "N",
     .target = offsetof(struct account_settings, top),
     .value = "10",
     .low = 1,
     .high = 1e9,
     .help = "rows of each table of the text"},
    {.name = "csv",
     .kind = HC_OPTION_FLAG,
     .target = offsetof(struct account_settings, csv),
     .help = "write all groups as CSV in place of the text"},
    HC_OPTION_GROUP(struct account_settings, common, hc_common_options),
    HC_OPTION_END,
};

const struct hc_command hc_command_report_account = {
    .name = "report account",
    .summary = "say where the GPU-hours of a cluster went, by the records of its scheduler",
    .description =
        "Counts the GPU-time that attempts held, in whole GPU-nanoseconds, by how they ended, how "
        "large they were, partition, account and user; how long jobs waited from when they could "
        "start; and between what bounds lies what node failures, pre-emptions and requeues cost. "
        "What the records of a scheduler cannot tell is listed, with the GPU-hours that it is "
        "about and the input that would tell it.",
    .options = options,
    .examples = (const char *const[]){"hindcast ingest -a nightly sacct.txt",
                                      "hindcast report account -a nightly",
                                      "hindcast report account -a nightly --from 2026-03-01 --to "
                                      "2026-04-01 --json",
                                      NULL},
    .settings_size = sizeof(struct account_settings),
    .run = run,
};
