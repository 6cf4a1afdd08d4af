/* cmd_report_failures.c - `hindcast report failures`. */
#include "cli/frame/command.h"
#include "cli/frame/output.h"
#include "cli/options/fail_on.h"
#include "cli/options/report_output.h"
#include "pipeline/daily/failure_input.h"
#include "reports/evidence/failures_report.h"
#include "store/archive/archive.h"

struct failures_settings {
    struct hc_common_options common;
    struct hc_archive_options archive;
    const char *cluster;
    int64_t top;
    struct hc_report_options report;
};

HC_TABLE_WRITERS(hc_failures, "hindcast-failures");

static enum hc_status run_on(const struct failures_settings *settings,
                             const struct hc_archive *archive, struct hc_error *err)
{
    struct hc_failure_records records = {0};
    enum hc_status status =
        hc_failures_load(&records,
                         &(struct hc_failure_source){.archive = archive,
                                                     .cluster = settings->cluster,
                                                     .as_of_ns = INT64_MAX,
                                                     .from_ns = INT64_MIN},
                         err);
    if (!status) {
        struct hc_failures_report report = {.failures = &records.failures,
                                            .archive = archive->path,
                                            .cluster = settings->cluster,
                                            .n_own_unjoined = records.n_own_unjoined,
                                            .top = (size_t)settings->top};
        const struct hc_report_output output = {&writers, &report, &report.run_id,
                                                &settings->report, &settings->common};
        status = hc_report_output_write(&output, false, err);
    }
    if (!status)
        status = hc_fail_on(&settings->report.fail_on, &hc_failure_figures, &records.failures, NULL,
                            err);
    hc_failure_records_fini(&records);
    return status;
}

static enum hc_status run(void *context, const struct hc_words *words, struct hc_error *err)
{
    const struct failures_settings *settings = context;
    struct hc_archive *archive = NULL;
    (void)words;
    if (hc_report_options_check(&settings->report, &settings->common, err) ||
        hc_fail_on_check(&settings->report.fail_on, &hc_failure_figures, err) ||
        hc_archive_open(&archive, hc_archive_path(&settings->archive), false, err))
        return err->status;
    enum hc_status status = run_on(settings, archive, err);
    hc_archive_close(archive);
    return status;
}

static const struct hc_option options[] = {
    HC_OPTION_GROUP(struct failures_settings, archive, hc_record_archive_options),
    {.name = "cluster",
     .kind = HC_OPTION_TEXT,
     .argument = "NAME",
     .target = offsetof(struct failures_settings, cluster),
     .unset = "all",
     .help = "judge the jobs of this cluster"},
    {.name = "top",
     .kind = HC_OPTION_INT,
     .argument = "N",
     .target = offsetof(struct failures_settings, top),
     .value = "10",
     .low = 1,
     .high = 1e9,
     .help = "rows of the table of failures in the text"},
    HC_OPTION_GROUP(struct failures_settings, report, hc_table_report_options),
    HC_OPTION_GROUP(struct failures_settings, common, hc_common_options),
    HC_OPTION_END,
};

const struct hc_command hc_command_report_failures = {
    .name = "report failures",
    .summary = "say whose failure ended which jobs, and how sure that is",
    .description =
        "Judges each attempt that failed, and each launch of training that another followed in "
        "place, by what its nodes and its own log said. Certain: the scheduler says that a node "
        "failed, or a kernel names the process of the rank that failed first. Likely: an event "
        "that can stop a job on one of its nodes, from 10 minutes before the fault to 5 after its "
        "notice. Coincident: an event there that proves nothing, as one of the driver's clean-up, "
        "of another process, or after the end. Beside the likely ones stands how many chance alone "
        "would give: the same windows on the same nodes on other days.",
    .options = options,
    .examples = (const char *const[]){"hindcast report failures -a nightly",
                                      "hindcast report failures -a nightly --csv tables", NULL},
    .finding = "a condition of --fail-on holds",
    .settings_size = sizeof(struct failures_settings),
    .run = run,
};
