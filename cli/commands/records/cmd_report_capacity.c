/* cmd_report_capacity.c - `hindcast report capacity`. */
#include "cli/frame/command.h"
#include "cli/frame/output.h"
#include "cli/options/fail_on.h"
#include "cli/options/moment.h"
#include "cli/options/report_output.h"
#include "pipeline/capacity/capacity_input.h"
#include "reports/capacity/capacity_report.h"
#include "store/archive/archive.h"

struct capacity_settings {
    struct hc_common_options common;
    struct hc_archive_options archive;
    const char *cluster, *zone, *site;
    struct hc_moment from, to;
    int64_t top;
    struct hc_report_options report;
};

HC_FIGURE_WRITERS(hc_capacity, "hindcast-capacity");

static enum hc_status write_report(const struct capacity_settings *settings,
                                   const struct hc_capacity_choice *choice,
                                   const struct hc_capacity_records *records, struct hc_error *err)
{
    struct hc_capacity_result result = {.n_days = 0};
    const struct hc_capacity_facts facts = hc_capacity_facts_of(records);
    enum hc_status status = hc_capacity_result_make(&result, &facts, err);
    if (status == HC_OK) {
        struct hc_capacity_report report = {.result = &result,
                                            .archive = choice->archive->path,
                                            .cluster = records->cluster,
                                            .zone = choice->zone,
                                            .zone_name = settings->zone ? settings->zone : "UTC",
                                            .top = (size_t)settings->top};
        const struct hc_report_output output = {&writers, &report, &report.run_id,
                                                &settings->report, &settings->common};
        status = hc_report_output_write(&output, false, err);
    }
    if (status == HC_OK)
        status = hc_fail_on(&settings->report.fail_on, &hc_capacity_figures, &result, NULL, err);
    hc_capacity_result_fini(&result);
    return status;
}

static enum hc_status run_on(const struct capacity_settings *settings,
                             const struct hc_archive *archive, const struct hc_zone *zone,
                             struct hc_error *err)
{
    struct hc_site site = {0};
    bool has_site = hc_site_is_there(settings->site);
    enum hc_status status = has_site ? hc_site_open(&site, settings->site, err) : HC_OK;
    const struct hc_capacity_choice choice = {.archive = archive,
                                              .cluster = settings->cluster,
                                              .site = has_site ? &site : NULL,
                                              .zone = zone,
                                              .has_from = settings->from.is_given,
                                              .has_to = settings->to.is_given,
                                              .from_ns = hc_moment_in(&settings->from, zone),
                                              .to_ns = hc_moment_in(&settings->to, zone)};
    struct hc_capacity_records records = {.day_ns = NULL};
    if (status == HC_OK)
        status = hc_capacity_load(&records, &choice, err);
    if (status == HC_OK)
        status = write_report(settings, &choice, &records, err);
    hc_capacity_records_fini(&records);
    if (has_site)
        hc_site_close(&site);
    return status;
}

static enum hc_status check(const struct capacity_settings *settings, const struct hc_zone *zone,
                            struct hc_error *err)
{
    if (settings->from.is_relative || settings->to.is_relative)
        return hc_fail(err, HC_USAGE, "records have dates: give --from and --to as 2026-03-30");
    if (settings->from.is_given && settings->to.is_given &&
        hc_moment_in(&settings->from, zone) >= hc_moment_in(&settings->to, zone))
        return hc_fail(err, HC_USAGE, "--to is not after --from");
    if (hc_report_options_check(&settings->report, &settings->common, err))
        return err->status;
    return hc_fail_on_check(&settings->report.fail_on, &hc_capacity_figures, err);
}

static enum hc_status run(void *context, const struct hc_words *words, struct hc_error *err)
{
    const struct capacity_settings *settings = context;
    struct hc_archive *archive = NULL;
    struct hc_zone zone = {0};
    (void)words;
    if (settings->zone && hc_zone_init(&zone, settings->zone, err))
        return hc_context(err, "--zone");
    enum hc_status status = check(settings, &zone, err);
    if (status == HC_OK)
        status = hc_archive_open(&archive, hc_archive_path(&settings->archive), false, err);
    if (status == HC_OK)
        status = run_on(settings, archive, &zone, err);
    hc_archive_close(archive);
    hc_zone_fini(&zone);
    return status;
}

static const struct hc_option options[] = {
    HC_OPTION_GROUP(struct capacity_settings, archive, hc_record_archive_options),
    {.name = "from",
     .kind = HC_OPTION_CALLBACK,
     .argument = "TIME",
     .target = offsetof(struct capacity_settings, from),
     .unset = "the first record",
     .parse = hc_moment_parse,
     .help = "count from this time on, as 2026-03-30 (midnight of --zone) or 2026-03-30T12:00:00Z"},
    {.name = "to",
     .kind = HC_OPTION_CALLBACK,
     .argument = "TIME",
     .target = offsetof(struct capacity_settings, to),
     .unset = "the last record",
     .parse = hc_moment_parse,
     .help = "count what was before this time"},
    {.name = "cluster",
     .kind = HC_OPTION_TEXT,
     .argument = "NAME",
     .target = offsetof(struct capacity_settings, cluster),
     .unset = "the only one",
     .help = "count the nodes and jobs of this cluster"},
    {.name = "zone",
     .kind = HC_OPTION_TEXT,
     .argument = "ZONE",
     .target = offsetof(struct capacity_settings, zone),
     .unset = "UTC",
     .help = "whose days are counted, as Europe/Berlin; some have 23 or 25 hours"},
    {.name = "site",
     .kind = HC_OPTION_TEXT,
     .argument = "FILE",
     .target = offsetof(struct capacity_settings, site),
     .unset = "$HINDCAST_SITE, else site.json if there is one",
     .help = "a site file, which says what the nodes of a partition have"},
    {.name = "top",
     .kind = HC_OPTION_INT,
     .argument = "N",
     .target = offsetof(struct capacity_settings, top),
     .value = "10",
     .low = 1,
     .high = 1e9,
     .help = "rows of each table of the text; of days the last"},
    HC_OPTION_GROUP(struct capacity_settings, report, hc_report_options),
    HC_OPTION_GROUP(struct capacity_settings, common, hc_common_options),
    HC_OPTION_END,
};

const struct hc_command hc_command_report_capacity = {
    .name = "report capacity",
    .summary = "say where installed GPU-time went, and what waited for it",
    .description =
        "Installed GPU-time is allocated, down, drained, in maintenance, reserved, or idle: with "
        "demand, without, or with nobody knowing, as GPU jobs waited in the queue for resources in "
        "a partition of the node. It is counted in whole GPU-nanoseconds by day, partition and "
        "node from snapshots and the history of nodes, the records of jobs and looks at the queue. "
        "Beside it stand how long jobs waited and ran and how much longer that made them, the "
        "nodes that were free as a whole, and the work that waited at the end of each day.",
    .options = options,
    .examples = (const char *const[]){"hindcast report capacity -a nightly",
                                      "hindcast report capacity -a nightly --zone Europe/Berlin "
                                      "--html page.html",
                                      "hindcast report capacity -a nightly --csv tables", NULL},
    .finding = "a condition of --fail-on holds",
    .settings_size = sizeof(struct capacity_settings),
    .run = run,
};
