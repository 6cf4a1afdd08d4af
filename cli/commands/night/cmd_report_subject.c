/* cmd_report_subject.c - `hindcast report run`, `report job` and `report node`. */
#include "cli/commands/night/night_options.h"
#include "cli/frame/command.h"
#include "cli/frame/output.h"
#include "cli/options/fail_on.h"
#include "cli/options/report_output.h"
#include "pipeline/fleet/fleet_kept.h"
#include "pipeline/night/ettr_input.h"
#include "pipeline/night/subject_load.h"
#include "reports/subject/subject_report.h"

#include <math.h>

struct subject_settings {
    struct hc_common_options common;
    struct hc_archive_options archive;
    struct hc_night_options night; /* without a date */
    int64_t top;
    struct hc_report_options report;
};

HC_PAGE_WRITERS(hc_subject, "hindcast-subject");

/* ---- the report ---- */

/* The ratios of a run, by a walk of their own. */
static enum hc_status find_ettr(double ettr[HC_N_ETTRS], const struct hc_walk_choice *walk,
                                const struct hc_zone *zone, const char *name, struct hc_error *err)
{
    struct hc_ettr_data data = {.days = {.n = 0}};
    enum hc_status status = hc_ettr_load(
        &data, &(struct hc_ettr_source){.walk = *walk, .zone = zone, .name = name}, err);
    for (int e = 0; e < HC_N_ETTRS; e++)
        ettr[e] = !status && data.result.n ? data.result.rows[0].ratio[e].value : NAN;
    hc_ettr_data_fini(&data);
    return status;
}

static enum hc_status load_and_report(const struct subject_settings *settings,
                                      const struct hc_night_inputs *inputs,
                                      enum hc_subject_kind kind, const char *name,
                                      struct hc_error *err)
{
    const struct hc_walk_choice walk = {.archive = inputs->archive,
                                        .cluster = settings->night.cluster,
                                        .site = inputs->site_or_null,
                                        .from_ns = INT64_MIN,
                                        .to_ns = INT64_MAX,
                                        .as_of_ns = inputs->as_of_ns};
    struct hc_subject_data data;
    double ettr[HC_N_ETTRS];
    struct hc_history slow = {0};
    enum hc_status status = hc_subject_load(&data, &walk, kind, name, err);
    if (!status && kind == HC_SUBJECT_RUN)
        status = find_ettr(ettr, &walk, &inputs->zone, name, err);
    if (!status && kind == HC_SUBJECT_NODE)
        status = hc_fleet_kept_history(&slow, inputs->archive, name, err);
    struct hc_subject_report report = {.subject = &data.subject,
                                       .failures = &data.walk.records.failures,
                                       .archive = inputs->archive->path,
                                       .cluster = settings->night.cluster,
                                       .ettr = kind == HC_SUBJECT_RUN ? ettr : NULL,
                                       .slow = kind == HC_SUBJECT_NODE ? &slow : NULL,
                                       .top = (size_t)settings->top};
    const struct hc_report_output output = {&writers, &report, &report.run_id, &settings->report,
                                            &settings->common};
    if (!status)
        status = hc_report_output_write(&output, false, err);
    if (!status)
        status =
            hc_fail_on(&settings->report.fail_on, &hc_subject_figures, &data.subject, NULL, err);
    hc_subject_data_fini(&data);
    hc_history_fini(&slow);
    return status;
}

static enum hc_status report_subject(const struct subject_settings *settings,
                                     enum hc_subject_kind kind, const char *name,
                                     struct hc_error *err)
{
    struct hc_night_inputs inputs = {0};
    if (hc_report_options_check(&settings->report, &settings->common, err) ||
        hc_fail_on_check(&settings->report.fail_on, &hc_subject_figures, err))
        return err->status;
    enum hc_status status =
        hc_night_inputs_open(&inputs, &settings->night, &settings->archive, err);
    if (!status)
        status = load_and_report(settings, &inputs, kind, name, err);
    hc_night_inputs_close(&inputs);
    return status;
}

static enum hc_status report_run(void *settings, const struct hc_words *words, struct hc_error *err)
{
    return report_subject(settings, HC_SUBJECT_RUN, words->word[0], err);
}

static enum hc_status report_job(void *settings, const struct hc_words *words, struct hc_error *err)
{
    return report_subject(settings, HC_SUBJECT_JOB, words->word[0], err);
}

static enum hc_status report_node(void *settings, const struct hc_words *words,
                                  struct hc_error *err)
{
    return report_subject(settings, HC_SUBJECT_NODE, words->word[0], err);
}

static const struct hc_option options[] = {
    HC_OPTION_GROUP(struct subject_settings, archive, hc_record_archive_options),
    HC_OPTION_GROUP(struct subject_settings, night, hc_undated_night_options),
    {.name = "top",
     .kind = HC_OPTION_INT,
     .argument = "N",
     .target = offsetof(struct subject_settings, top),
     .value = "100",
     .low = 1,
     .high = 1e9,
     .help = "attempts of text and page"},
    HC_OPTION_GROUP(struct subject_settings, report, hc_report_options),
    HC_OPTION_GROUP(struct subject_settings, common, hc_common_options),
    HC_OPTION_END,
};

static const struct hc_positional run_positionals[] = {
    {"NAME", "the name of a run, as 'hindcast report ettr' lists it", 1, 1},
    {NULL, NULL, 0, 0},
};

const struct hc_command hc_command_report_run = {
    .name = "report run",
    .summary = "give the attempts of a run, with what each made and lost",
    .description =
        "Gives the account of GPU-time of one run: where its GPU-hours went, its effective "
        "training "
        "time ratio, and attempt by attempt what was productive, lost and unknown, and what ended "
        "it.",
    .options = options,
    .positionals = run_positionals,
    .examples = (const char *const[]){"hindcast report run run-04 -a nightly", NULL},
    .finding = "a condition of --fail-on holds",
    .settings_size = sizeof(struct subject_settings),
    .run = report_run,
};

static const struct hc_positional job_positionals[] = {
    {"JOB", "the number of a job, as 1234, or 1234_5 of an array", 1, 1},
    {NULL, NULL, 0, 0},
};

const struct hc_command hc_command_report_job = {
    .name = "report job",
    .summary = "give the attempts of a job, with what each made and lost",
    .description =
        "Gives the account of GPU-time of one job, attempt by attempt: what was productive, lost "
        "and unknown, and what ended it. What all records tell of it in order of time is in "
        "'hindcast show'.",
    .options = options,
    .positionals = job_positionals,
    .examples = (const char *const[]){"hindcast report job 100232 -a nightly", NULL},
    .finding = "a condition of --fail-on holds",
    .settings_size = sizeof(struct subject_settings),
    .run = report_job,
};

static const struct hc_positional node_positionals[] = {
    {"NODE", "the name of a node", 1, 1},
    {NULL, NULL, 0, 0},
};

const struct hc_command hc_command_report_node = {
    .name = "report node",
    .summary = "give what a node's GPUs did, and its failures against those of the fleet",
    .description =
        "Gives the account of GPU-time of one node: its part of each attempt that held it, what of "
        "it was productive, lost and unknown, and how many failures of the infrastructure its "
        "events tell, beside what the rate of all nodes lets expect; and the jobs in which it is "
        "slow by itself, of those that 'whatif --all' or 'report nightly' analysed. What all "
        "records tell of it in order of time is in 'hindcast show'.",
    .options = options,
    .positionals = node_positionals,
    .examples = (const char *const[]){"hindcast report node gpu0011 -a nightly", NULL},
    .finding = "a condition of --fail-on holds",
    .settings_size = sizeof(struct subject_settings),
    .run = report_node,
};
