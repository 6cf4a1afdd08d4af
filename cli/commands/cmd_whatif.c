/* cmd_whatif.c - `hindcast whatif`. */
#include "cli/commands/fleet_whatif.h"
#include "cli/commands/profiles/fix_choice.h"
#include "cli/commands/profiles/profile_output.h"
#include "cli/commands/whatif_pages.h"
#include "cli/frame/command.h"
#include "cli/frame/output.h"
#include "cli/options/choice_options.h"
#include "cli/options/fail_on.h"
#include "cli/options/trace_options.h"
#include "core/base/digest.h"
#include "core/base/memory.h"
#include "core/tables/op_table.h"
#include "pipeline/inputs/source_input.h"
#include "pipeline/inputs/trace_load.h"
#include "reports/whatif/osdi_artifact.h"
#include "reports/whatif/whatif_csv.h"
#include "reports/whatif/whatif_json.h"
#include "reports/whatif/whatif_report.h"
#include "reports/whatif/whatif_text.h"
#include "sim/replay/step_trace.h"
#include "sim/whatif/whatif.h"

#include <stdlib.h>
#include <string.h>

struct whatif_settings {
    struct hc_common_options common;
    struct hc_archive_options archive;
    struct hc_trace_options trace;
    struct hc_step_ranges steps;
    struct hc_profile_asked asked;
    bool keep_outliers;
    double threshold;
    const char *compat; /* directory, or NULL */
    struct hc_fleet_options fleet;
    struct hc_choice_options choice;
    struct hc_whatif_page_options pages;
    const char *execution; /* execution traces */
};

/* One run of the command. */
struct session {
    const struct whatif_settings *settings;
    struct hc_trace_loader loader;
    struct hc_output output;
    struct hc_words names; /* of the files of each job */
    size_t n_arguments, n_written;
    struct hc_error finding; /* of --fail-on, the first one; HC_OK: none */
};

/* ---- analysis and output of a loaded trace ---- */

/* Two jobs of one name would overwrite each other's files of --compat, --csv or --figures. */
static enum hc_status check_name(struct session *session, const struct hc_whatif_report *report,
                                 struct hc_error *err)
{
    const struct whatif_settings *settings = session->settings;
    char name[HC_COMPAT_NAME_LENGTH + 1];
    const struct hc_whatif_page_options *pages = &settings->pages;
    if (!settings->compat && !hc_report_csv_directory(&pages->report) &&
        !pages->report.figures.directory)
        return HC_OK;
    hc_osdi_artifact_name(report->result->job.id, name);
    for (size_t i = 0; i < session->names.n; i++)
        if (strcmp(session->names.word[i], name) == 0)
            return hc_fail(err, HC_USAGE,
                           "two of the jobs have the name '%s' in the files of %s: run "
                           "hindcast once for each, with directories of their own",
                           name,
                           settings->compat    ? "--compat"
                           : pages->report.csv ? "--csv"
                                               : "--figures");
    char *copy = hc_copy_text(name, err);
    if (!copy || hc_words_add(&session->names, copy, err)) {
        free(copy);
        return err->status;
    }
    return HC_OK;
}

/* Text one after the other; JSON as an array when there is more than one argument. */
static enum hc_status write_result(struct session *session, const struct hc_whatif_report *report,
                                   struct hc_error *err)
{
    FILE *stream = session->output.stream;
    bool is_first = session->n_written++ == 0;
    if (hc_report_is_csv(&session->settings->pages.report)) {
        hc_whatif_write_csv_job(stream, report);
        return HC_OK;
    }
    if (!session->settings->common.json) {
        if (!is_first)
            fputc('\n', stream);
        return hc_whatif_write_text(stream, report, err);
    }
    if (session->n_arguments > 1)
        fputs(is_first ? "[\n" : ",\n", stream);
    enum hc_status status = hc_whatif_write_json(stream, report, err);
    if (session->n_arguments > 1 && session->n_written == session->n_arguments)
        fputs("]\n", stream);
    return status;
}

/* Whether files are written besides the output of the command. */
static bool writes_files(const struct whatif_settings *settings)
{
    const struct hc_whatif_page_options *pages = &settings->pages;
    return settings->compat || hc_report_csv_directory(&pages->report) || pages->report.html ||
           pages->report.figures.directory;
}

static enum hc_status write_record(const struct hc_output *record, const void *report,
                                   struct hc_error *err)
{
    return hc_whatif_write_json(record->stream, report, err);
}

static enum hc_status write_report(struct session *session, struct hc_whatif_report *report,
                                   struct hc_error *err)
{
    const struct whatif_settings *settings = session->settings;
    char run_id[HC_RUN_ID];
    enum hc_status status = check_name(session, report, err);
    if (status == HC_OK && writes_files(settings)) {
        status = hc_output_run_id(run_id, write_record, report, err);
        report->run_id = run_id;
    }
    if (status == HC_OK && settings->compat)
        status = hc_whatif_write_compat(session->output.set, settings->compat, report, err);
    if (status == HC_OK)
        status = hc_whatif_write_pages(session->output.set, &settings->pages,
                                       session->n_arguments == 1, report, err);
    if (status == HC_OK)
        status = write_result(session, report, err);
    report->run_id = NULL;
    return status;
}

/* report has everything but the result. max_bad: of the rows read, beyond which they are refused.
 */
static enum hc_status analyse(struct session *session, struct hc_step_trace *trace,
                              struct hc_whatif_report *report, double max_bad, struct hc_error *err)
{
    const struct whatif_settings *settings = session->settings;
    struct hc_whatif_options options = {
        .threshold = settings->threshold,
        .replay = {.steps = &settings->steps,
                   .max_bad = max_bad,
                   .threads = (int)settings->common.threads,
                   .leaves_out_outliers = !settings->keep_outliers && !settings->compat},
        .fix = {settings->asked.fix.n, settings->asked.fix.word, hc_fix_choose_workers},
    };
    struct hc_whatif_result result;
    hc_whatif_page_depth(&settings->pages, &options);
    if (hc_whatif_run(&result, trace, &options, err))
        return err->status;
    hc_warn_absent_steps(
        &settings->steps, result.job.id,
        &(struct hc_step_lists){result.n_steps, result.steps, result.n_left_out, result.left_out});
    report->result = &result;
    report->steps_option = settings->steps.text;
    report->keeps_outliers = !options.replay.leaves_out_outliers;
    report->depth = options.depth;
    enum hc_status status = write_report(session, report, err);
    if (status == HC_OK && session->finding.status == HC_OK)
        hc_fail_on(&settings->pages.report.fail_on, &hc_whatif_figures, &result, result.job.id,
                   &session->finding);
    hc_whatif_result_fini(&result);
    return status;
}

/* ---- the command ---- */

static enum hc_status whatif_argument(struct session *session, const char *argument,
                                      struct hc_error *err)
{
    struct hc_loaded_trace loaded;
    if (hc_trace_load(&loaded, &session->loader, argument, err))
        return err->status;
    struct hc_whatif_report report = {
        .source_path = loaded.origin.source_path,
        .source_sha256 = loaded.origin.source_sha256,
        .source_size = loaded.origin.source_size,
        .format = loaded.origin.format,
        .format_version = loaded.origin.format_version,
        .archive = loaded.origin.archive,
        .segment = loaded.origin.segment,
    };
    report.is_only = session->n_arguments == 1;
    enum hc_status status = analyse(session, loaded.trace, &report, loaded.max_bad, err);
    if (status)
        hc_context(err, "%s", loaded.label);
    hc_loaded_trace_release(&loaded);
    return status;
}

static void close_session(struct session *session)
{
    for (size_t i = 0; i < session->names.n; i++)
        free((char *)session->names.word[i]);
    free(session->names.word);
    hc_trace_loader_close(&session->loader);
}

/* The option by which something is asked that only profiler traces can answer, or NULL. */
static const char *name_asked(const struct hc_profile_asked *asked)
{
    return asked->scale.n ? "scale" : asked->mend.n ? "mend" : asked->only.n ? "only" : NULL;
}

/* --all is for jobs of the archive: those that are named, or else every one. */
static enum hc_status check_arguments(const struct whatif_settings *given,
                                      const struct hc_words *words, struct hc_error *err)
{
    const struct hc_fleet_options *fleet = &given->fleet;
    for (size_t i = 0; i < words->n && fleet->all; i++)
        if (hc_is_trace_file(words->word[i]))
            return hc_fail(err, HC_USAGE,
                           "--all is for jobs of the archive: it goes with no file, as '%.200s'",
                           words->word[i]);
    if (fleet->all && given->compat)
        return hc_fail(err, HC_USAGE, "--all is one report on many jobs: it goes with no --compat");
    if (fleet->all && name_asked(&given->asked))
        return hc_fail(err, HC_USAGE, "--%s is for profiler traces of one job: --all is not",
                       name_asked(&given->asked));
    if (given->asked.fix.n && (fleet->all || given->pages.quick))
        return hc_fail(err, HC_USAGE, "--fix %s",
                       fleet->all ? "is for one job: it goes with no --all"
                                  : "needs the search for causes, which --quick leaves out");
    if (!fleet->all && (fleet->shard.n || fleet->no_cache || fleet->where))
        return hc_fail(err, HC_USAGE, "%s goes with --all",
                       fleet->no_cache ? "--no-cache"
                       : fleet->where  ? "--where"
                                       : "--shard");
    if (!fleet->all && words->n == 0)
        return hc_fail(err, HC_USAGE, "JOB|FILE is missing, or --all");
    return HC_OK;
}

static enum hc_status whatif_fleet(const struct whatif_settings *given,
                                   const struct hc_words *names, struct hc_error *err)
{
    struct hc_fleet_request request = {
        .common = &given->common,
        .archive = &given->archive,
        .fleet = &given->fleet,
        .choice = &given->choice,
        .names = names,
        .steps = &given->steps,
        .keeps_outliers = given->keep_outliers,
        .threshold = given->threshold,
        .pages = &given->pages,
    };
    return hc_fleet_whatif(&request, err);
}

/* The arguments, after files of one job were put together. Takes over the archive, which may be
 * open already. */
static enum hc_status whatif_inputs(const struct whatif_settings *given,
                                    const struct hc_rank_sets *sets, struct hc_archive *archive,
                                    struct hc_error *err)
{
    struct hc_trace_options trace = given->trace;
    trace.sets = sets;
    struct session session = {
        .settings = given,
        .loader = {.archive_path = hc_archive_path(&given->archive),
                   .trace_options = &trace,
                   .archive = archive},
        .n_arguments = sets->n_inputs,
    };
    size_t n_files = 0, n = sets->n_inputs;
    for (size_t i = 0; i < n; i++)
        n_files += hc_is_trace_input(&trace, sets->inputs[i]);
    if (hc_trace_options_check(&trace, n_files, err) ||
        hc_fail_on_check(&given->pages.report.fail_on, &hc_whatif_figures, err) ||
        hc_whatif_page_options_check(&given->pages, n, err) ||
        hc_output_open(&session.output, &given->common, n > 1 || writes_files(given), err)) {
        close_session(&session);
        return err->status;
    }
    enum hc_status status = HC_OK;
    for (size_t i = 0; i < n && status == HC_OK; i++)
        status = whatif_argument(&session, sets->inputs[i], err);
    status = hc_output_end(&session.output, status, err);
    if (status == HC_OK && session.finding.status != HC_OK)
        status = hc_fail(err, session.finding.status, "%s", session.finding.message);
    close_session(&session);
    return status;
}

/* Profiler traces are ranks of one job, and have no steps in the form of the options left out here.
 */
static enum hc_status whatif_profile(const struct whatif_settings *given,
                                     const struct hc_words *words, struct hc_error *err)
{
    const struct hc_profile_request request = {
        .common = &given->common,
        .archive = &given->archive,
        .trace = &given->trace,
        .report = &given->pages.report,
        .words = words,
        .steps = &given->steps,
        .asked = given->asked,
        .execution = given->execution,
        .parts = HC_PROFILE_WHATIF | HC_PROFILE_STRAGGLERS | HC_PROFILE_BREAKDOWN | HC_PROFILE_PATH,
    };
    if (given->compat)
        return hc_fail(err, HC_USAGE, "--compat is for step timelines: '%s' is profiler traces",
                       words->word[0]);
    return hc_profile_run(&request, err);
}

/* Jobs that patterns mean are named one by one from here on. */
static enum hc_status whatif_steps(const struct whatif_settings *given,
                                   const struct hc_words *words, struct hc_error *err)
{
    struct hc_words jobs;
    struct hc_rank_sets sets;
    struct hc_trace_loader loader = {.archive_path = hc_archive_path(&given->archive)};
    enum hc_status status =
        hc_choice_words(&jobs, words, &given->choice, &loader, hc_ops_def.name, err);
    if (!status)
        status = hc_rank_sets_gather(&sets, jobs.word, jobs.n, given->trace.format, err);
    if (!status) {
        status = whatif_inputs(given, &sets, loader.archive, err);
        loader.archive = NULL;
        hc_rank_sets_fini(&sets);
    }
    hc_trace_loader_close(&loader);
    hc_choice_words_fini(&jobs);
    return status;
}

static enum hc_status run(void *settings, const struct hc_words *words, struct hc_error *err)
{
    const struct whatif_settings *given = settings;
    struct hc_trace_loader loader = {.archive_path = hc_archive_path(&given->archive),
                                     .trace_options = &given->trace};
    bool is_profile = false;
    if (check_arguments(given, words, err) ||
        hc_report_options_check(&given->pages.report, &given->common, err))
        return err->status;
    if (given->fleet.all)
        return whatif_fleet(given, words, err);
    enum hc_status asked = hc_is_profile(&loader, words->word[0], &is_profile, err);
    hc_trace_loader_close(&loader);
    if (asked)
        return asked;
    if (is_profile)
        return whatif_profile(given, words, err);
    const char *asked_name = given->execution ? "et" : name_asked(&given->asked);
    if (asked_name)
        return hc_fail(err, HC_USAGE, "--%s is for profiler traces: '%s' is none", asked_name,
                       words->word[0]);
    return whatif_steps(given, words, err);
}

static const struct hc_option options[] = {
    {.name = "steps",
     .kind = HC_OPTION_RANGES,
     .argument = "LIST",
     .target = offsetof(struct whatif_settings, steps),
     .unset = "all",
     .help = "analyse these steps only, as 12,20-23"},
    HC_OPTION_GROUP(struct whatif_settings, asked, hc_profile_asked_options),
    {.name = "et",
     .kind = HC_OPTION_TEXT,
     .argument = "TRACES",
     .target = offsetof(struct whatif_settings, execution),
     .unset = "none",
     .help =
         "of profiler traces: execution traces of the same ranks (PyTorch's or Chakra's; a file, a "
         "directory, a tar archive), which say how many bytes their collectives have"},
    {.name = "keep-outliers",
     .kind = HC_OPTION_FLAG,
     .target = offsetof(struct whatif_settings, keep_outliers),
     .help = "analyse steps that stand apart, too: warm-up, and single ones that take over 3 times "
             "the median; so do --steps and --compat"},
    {.name = "threshold",
     .kind = HC_OPTION_DOUBLE,
     .argument = "S",
     .target = offsetof(struct whatif_settings, threshold),
     .value = HC_FLEET_TEXT(HC_FLEET_THRESHOLD),
     .low = 0,
     .high = 1000,
     .help = "tell which op types, ranks and stages it comes from when the slowdown is at least S"},
    {.name = "compat",
     .kind = HC_OPTION_DIR,
     .argument = "DIR",
     .target = offsetof(struct whatif_settings, compat),
     .unset = "none",
     .help = "also write result-JOB.json, ms-JOB.json and mw-JOB.json in the layout of the OSDI'25 "
             "artifact to DIR"},
    HC_OPTION_GROUP(struct whatif_settings, choice, hc_choice_options),
    HC_OPTION_GROUP(struct whatif_settings, fleet, hc_fleet_options),
    HC_OPTION_GROUP(struct whatif_settings, pages, hc_whatif_page_options),
    HC_OPTION_GROUP(struct whatif_settings, archive, hc_archive_options),
    HC_OPTION_GROUP(struct whatif_settings, trace, hc_trace_options),
    HC_OPTION_GROUP(struct whatif_settings, common, hc_common_options),
    HC_OPTION_END,
};

static const struct hc_positional positionals[] = {
    {"JOB|FILE",
     "a job of the archive (cluster/id, id, or an unambiguous start of either; id#2 is attempt 2; "
     "a "
     "pattern, as 'llama-*', is all that match it), or a trace; '-' is standard input. Files that "
     "ranks of one job recorded (column 'job'), or a "
     "directory of them, are one trace; so are profiler traces, a file a rank",
     0, 0},
    {NULL, NULL, 0, 0},
};

const struct hc_command hc_command_whatif = {
    .name = "whatif",
    .summary = "say what stragglers cost a job",
    .description =
        "Replays the steps of a job as they were and as they would have been without stragglers, "
        "and reports the slowdown, the GPU time it wasted, and the op types, ranks and stages it "
        "came from.\n"
        "An argument that is a file is read as a trace, without an archive, even when a job has "
        "the same name; every other argument names a job. --format, --meta, --max-bad and "
        "--float32 "
        "are for files. When one argument fails, nothing is written for any of them.\n"
        "With --all, a job that cannot be read, is damaged or finds no memory is named and "
        "counted, "
        "and the report of the others is written; the exit status is then 4, 1 or 5 (of several: "
        "4 before 5 before 1).",
    .options = options,
    .positionals = positionals,
    .examples =
        (const char *const[]){
            "hindcast whatif trace-AR.parquet", "hindcast whatif traces/rank-*.csv",
            "hindcast whatif --html ar.html --csv ar-tables trace-AR.parquet",
            "hindcast whatif --figures ar-figures --figure-format pdf AR.parquet",
            "hindcast whatif -a nightly --steps 12,20-23 --json -o ar.json AR",
            "hindcast whatif traces/ --fix rank:3,7 --only node:n12 --scale comm=0.5",
            "hindcast whatif --fix node:n2 --fix rank:7 trace-AR.parquet",
            "hindcast whatif -a nightly 'llama-*' --since 2026-03-01",
            "hindcast whatif -a nightly --all",
            "hindcast whatif -a nightly --all 'llama-*' --where 'gpus >= 64'",
            "hindcast whatif -a nightly --all --shard 3/16 -o shard-3.json", NULL},
    .finding = "a condition of --fail-on holds, or with --all a job is damaged",
    .threads_later = true,
    .settings_size = sizeof(struct whatif_settings),
    .run = run,
};
