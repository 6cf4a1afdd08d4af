/* cmd_report_account.c - `hindcast report account`. */
#include "cli/frame/command.h"
#include "cli/frame/output.h"
#include "cli/options/fail_on.h"
#include "cli/options/moment.h"
#include "cli/options/report_options.h"
#include "core/base/memory.h"
#include "models/account/account_result.h"
#include "models/account/usage_check.h"
#include "parsers/jobs/sreport.h"
#include "pipeline/daily/account_input.h"
#include "reports/account/account_report.h"
#include "store/archive/archive.h"

#include <stdlib.h>

struct account_settings {
    struct hc_common_options common;
    struct hc_archive_options archive;
    const char *cluster, *sreport, *zone, *site;
    struct hc_moment from, to;
    int64_t top;
    struct hc_report_options report;
};

static enum hc_status check(const struct account_settings *settings, struct hc_error *err)
{
    if (settings->from.is_relative || settings->to.is_relative)
        return hc_fail(err, HC_USAGE, "jobs have dates: give --from and --to as 2026-03-30");
    if (settings->from.is_given && settings->to.is_given && settings->from.ns >= settings->to.ns)
        return hc_fail(err, HC_USAGE, "--to is not after --from");
    if (settings->sreport && (settings->from.is_given || settings->to.is_given))
        return hc_fail(err, HC_USAGE,
                       "--sreport has a window of its own: leave out --from and --to");
    if (settings->zone && !settings->sreport)
        return hc_fail(err, HC_USAGE, "--zone is of the times of --sreport");
    return hc_report_options_check(&settings->report, &settings->common, err)
               ? err->status
               : hc_fail_on_check(&settings->report.fail_on, &hc_account_figures, err);
}

static enum hc_status write_json(const struct hc_output *output, const void *report,
                                 struct hc_error *err)
{
    struct hc_json_writer json;
    hc_output_json_start(&json, output, "hindcast-account");
    hc_account_write_json(report, &json);
    return hc_output_json_end(&json, output, err);
}

static enum hc_status write_table(struct hc_outset *set, const char *directory,
                                  const struct hc_account_report *report, struct hc_error *err)
{
    char run_id[HC_RUN_ID];
    FILE *stream;
    if (hc_output_run_id(run_id, write_json, report, err) ||
        hc_outset_directory(set, directory, err) ||
        hc_outset_index_begin(set, directory, HC_OUTSET_INDEX, run_id, err))
        return err->status;
    char *path = hc_new_text(err, "%s/groups.csv", directory);
    enum hc_status status = path ? hc_outset_add_table(set, path, &stream, err) : err->status;
    if (!status)
        hc_account_write_csv(report, stream);
    free(path);
    hc_outset_index_end(set);
    return status;
}

static enum hc_status write_report(const struct account_settings *settings,
                                   const struct hc_account_report *report, struct hc_error *err)
{
    struct hc_output output;
    const char *tables = hc_report_csv_directory(&settings->report);
    if (hc_output_open(&output, &settings->common, tables, err))
        return err->status;
    enum hc_status status = tables ? write_table(output.set, tables, report, err) : HC_OK;
    if (status)
        return hc_output_end(&output, status, err);
    if (settings->common.json)
        status = write_json(&output, report, err);
    else if (hc_report_is_csv(&settings->report))
        hc_account_write_csv(report, output.stream);
    else
        status = hc_account_write_text(report, output.stream, err);
    return hc_output_end(&output, status, err);
}

/* usage: of --sreport, whose window it is; NULL without. */
static enum hc_status run_on(const struct account_settings *settings,
                             const struct hc_account_choice *choice,
                             const struct hc_job_usage *usage, struct hc_error *err)
{
    struct hc_job_account account = {.from_ns =
                                         settings->from.is_given ? settings->from.ns : INT64_MIN,
                                     .to_ns = settings->to.is_given ? settings->to.ns : INT64_MAX};
    struct hc_usage_check check = {.file = NULL};
    if (usage) {
        account.from_ns = usage->from_ns;
        account.to_ns = usage->to_ns;
    }
    struct hc_account_source source = {0};
    struct hc_account_result result = {0};
    enum hc_status status = hc_account_load(&account, &source, choice, err);
    if (!status)
        status = hc_account_result_make(&result, &account, err);
    if (!status && usage)
        status = hc_usage_check_make(&check, usage, &account, err);
    check.file = settings->sreport;
    if (!status)
        status = write_report(
            settings,
            &(struct hc_account_report){.result = &result,
                                        .check = usage ? &check : NULL,
                                        .archive = choice->archive->path,
                                        .currency = choice->site ? choice->site->currency : NULL,
                                        .cluster = settings->cluster,
                                        .n_segments = source.n_segments,
                                        .n_clusters = source.n_clusters,
                                        .first_day = source.first_day,
                                        .last_day = source.last_day,
                                        .top = (size_t)settings->top},
            err);
    if (!status)
        status = hc_fail_on(&settings->report.fail_on, &hc_account_figures, &result, NULL, err);
    if (!status && check.is_finding)
        status = hc_fail(err, HC_FINDING,
                         "the records have %.1f GPU-hours and '%s' %.1f: more than 0.1 %% apart",
                         check.gpu_hours, check.file, check.scheduler_gpu_hours);
    hc_usage_check_fini(&check);
    hc_account_result_fini(&result);
    hc_account_source_fini(&source);
    hc_job_account_fini(&account);
    return status;
}

static enum hc_status read_sreport(struct hc_job_usage *usage,
                                   const struct account_settings *settings, struct hc_error *err)
{
    struct hc_zone zone = {0};
    if (settings->zone && hc_zone_init(&zone, settings->zone, err))
        return hc_context(err, "--zone");
    enum hc_status status =
        hc_sreport_read(usage, settings->sreport, settings->cluster, &zone, err);
    hc_zone_fini(&zone);
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
    struct hc_job_usage usage = {0};
    enum hc_status status = settings->sreport ? read_sreport(&usage, settings, err) : HC_OK;
    struct hc_site site = {0};
    bool has_site = !status && hc_site_is_there(settings->site);
    if (has_site)
        status = hc_site_open(&site, settings->site, err);
    const struct hc_account_choice choice = {
        .archive = archive, .cluster = settings->cluster, .site = has_site ? &site : NULL};
    if (!status)
        status = run_on(settings, &choice, settings->sreport ? &usage : NULL, err);
    if (has_site)
        hc_site_close(&site);
    hc_job_usage_fini(&usage);
    hc_archive_close(archive);
    return status;
}

static const struct hc_option options[] = {
    HC_OPTION_GROUP(struct account_settings, archive, hc_record_archive_options),
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
    {.name = "site",
     .kind = HC_OPTION_TEXT,
     .argument = "FILE",
     .target = offsetof(struct account_settings, site),
     .unset = "$HINDCAST_SITE, else site.json if there is one",
     .help =
         "a site file, which says what a GPU-hour of a partition costs, and what its nodes have"},
    {.name = "sreport",
     .kind = HC_OPTION_TEXT,
     .argument = "FILE",
     .target = offsetof(struct account_settings, sreport),
     .help = "compare with what 'sreport -P -t seconds -T gres/gpu cluster "
             "AccountUtilizationByUser' printed, in its window"},
    {.name = "zone",
     .kind = HC_OPTION_TEXT,
     .argument = "ZONE",
     .target = offsetof(struct account_settings, zone),
     .unset = "UTC",
     .help = "where the times of --sreport are of, as Europe/Berlin"},
    {.name = "top",
     .kind = HC_OPTION_INT,
     .argument = "N",
     .target = offsetof(struct account_settings, top),
     .value = "10",
     .low = 1,
     .high = 1e9,
     .help = "rows of each table of the text"},
    HC_OPTION_GROUP(struct account_settings, report, hc_table_report_options),
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
    .examples = (const char *const[]){"hindcast report account -a nightly",
                                      "hindcast report account -a nightly --sreport sreport.txt",
                                      "hindcast report account -a nightly --from 2026-03-01 --to "
                                      "2026-04-01 --json",
                                      NULL},
    .finding = "a condition of --fail-on holds, or --sreport differs by over 0.1 %",
    .settings_size = sizeof(struct account_settings),
    .run = run,
};
