/* cmd_export.c - `hindcast export`: the steps of a job as a timeline for a trace viewer, or the
 * rows of a table for other tools. */
#include "cli/commands/profiles/profile_export.h"
#include "cli/commands/records/table_export.h"
#include "cli/frame/command.h"
#include "cli/frame/output.h"
#include "cli/options/choice_options.h"
#include "cli/options/trace_options.h"
#include "core/base/log.h"
#include "core/base/memory.h"
#include "core/tables/op_table.h"
#include "core/text/number_format.h"
#include "pipeline/inputs/source_input.h"
#include "pipeline/inputs/trace_load.h"
#include "reports/export/perfetto/perfetto_writer.h"
#include "reports/whatif/culprits/culprit_marks.h"
#include "reports/whatif/osdi_artifact.h"
#include "sim/fleet/fleet_row.h"
#include "sim/replay/timeline.h"

#include <stdlib.h>
#include <string.h>

struct export_settings {
    struct hc_common_options common;
    struct hc_archive_options archive;
    struct hc_trace_options trace;
    struct hc_step_ranges steps;
    bool keep_outliers, no_align, culprits;
    struct hc_choice_options choice;
    const char *perfetto;              /* file */
    int timeline;                      /* enum hc_timeline, or BOTH_TIMELINES */
    const char *where, *columns, *key; /* of a table */
    int form;                          /* enum export_form */
};

/* What is written: a timeline, or a table in a form of enum hc_table_form. */
enum export_form { TIMELINE, CSV, JSONL, PARQUET };
static const char *const form_words[] = {"timeline", "csv", "jsonl", "parquet", NULL};

/* Traced and ideal in one file. */
#define BOTH_TIMELINES HC_N_TIMELINES
static const char *const timeline_words[] = {"traced", "replayed", "ideal", "both", NULL};

/* One export being written. */
struct session {
    const struct export_settings *settings;
    struct hc_perfetto *perfetto;
    struct hc_perfetto_counts counts;
    struct hc_progress progress;
    struct hc_timeline_request request;
    size_t n_begun;    /* of its timelines */
    int64_t n_clamped; /* values that shape this timeline */
    size_t n_marks;
    struct hc_perfetto_mark *marks; /* of --culprits */
};

static struct session new_session(const struct export_settings *settings)
{
    struct session session = {.settings = settings, .request = {.n = 1}};
    session.request.timelines[0] = (enum hc_timeline)settings->timeline;
    if (settings->timeline == BOTH_TIMELINES)
        session.request = (struct hc_timeline_request){
            .n = 2, .timelines = {HC_TIMELINE_TRACED, HC_TIMELINE_IDEAL}};
    return session;
}

/* ---- notes ---- */

/* Before the first step: what will not be in the timeline. */
static void note_source(struct session *session, const struct hc_timeline_source *source)
{
    const struct hc_step_ranges *ranges = &session->settings->steps;
    hc_warn_absent_steps(ranges, source->job->id,
                         &(struct hc_step_lists){source->n_steps, source->steps, source->n_left_out,
                                                 source->left_out});
    size_t n_wrong = 0, first = 0;
    for (size_t i = 0; i < source->n_left_out; i++)
        if (source->left_out[i].fate != HC_STEP_NOT_SELECTED && n_wrong++ == 0)
            first = i;
    if (n_wrong)
        hc_warn("%zu of the %zu steps are left out, first step %d: %s", n_wrong,
                source->n_steps + source->n_left_out, source->left_out[first].step,
                source->left_out[first].detail);
    session->n_clamped = source->clamped_transfers;
    if (session->request.timelines[0] == HC_TIMELINE_TRACED)
        session->n_clamped += source->clamped_delays;
    hc_progress_start(&session->progress, "export", "ops",
                      source->n_ops * (int64_t)session->request.n);
}

static void note_counts(const struct session *session)
{
    const struct hc_perfetto_counts *counts = &session->counts;
    bool is_traced = session->request.timelines[0] == HC_TIMELINE_TRACED;
    char ops[HC_NUMBER_TEXT], steps[HC_NUMBER_TEXT], moved[HC_NUMBER_TEXT], error[HC_NUMBER_TEXT];
    hc_note("wrote %s ops of %s steps%s", hc_format_count(counts->n_slices, ops),
            hc_format_count(counts->n_steps, steps),
            session->request.n > 1 ? ", as traced and as ideal" : "");
    if (counts->n_moved)
        hc_note("%s ops overlap another of their lane; they are on %lld further tracks",
                hc_format_count(counts->n_moved, moved), (long long)counts->n_further_tracks);
    if (counts->n_backward)
        hc_warn("%lld ops end before they start, by less than 10 ms; they are shown without length",
                (long long)counts->n_backward);
    if (session->n_clamped)
        hc_warn("%s of -10 ms or less count as 0 (%lld); such ops are not where they were recorded",
                is_traced ? "launch delays and transfer times" : "transfer times",
                (long long)session->n_clamped);
    if (counts->worst_ns)
        hc_warn("a step is not as long as recorded: off by %s",
                hc_format_seconds((double)counts->worst_ns / 1e9, error));
}

/* ---- what is slow ---- */

/* Search a trace for what is slow, which uses it up: the timeline has a load of its own. */
static enum hc_status find_marks(struct session *session, struct hc_trace_loader *loader,
                                 const char *argument, struct hc_error *err)
{
    const struct export_settings *settings = session->settings;
    struct hc_loaded_trace loaded;
    struct hc_whatif_result result;
    if (!settings->culprits)
        return HC_OK;
    if (strcmp(argument, "-") == 0)
        return hc_fail(err, HC_USAGE,
                       "--culprits reads the trace twice, and standard input is "
                       "read once: give a file");
    if (hc_trace_load(&loaded, loader, argument, err))
        return err->status;
    const struct hc_whatif_options options = {
        .threshold = HC_FLEET_THRESHOLD,
        .depth = HC_FLEET_DEPTH,
        .picture_step = HC_MISSING_I32,
        .replay = {.steps = &settings->steps,
                   .max_bad = loaded.max_bad,
                   .threads = (int)settings->common.threads,
                   .leaves_out_outliers = !settings->keep_outliers}};
    enum hc_status status = hc_whatif_run(&result, loaded.trace, &options, err);
    if (status == HC_OK) {
        status = hc_culprit_marks(&session->marks, &session->n_marks, &result, err);
        hc_whatif_result_fini(&result);
    } else {
        hc_context(err, "%s", loaded.label);
    }
    hc_loaded_trace_release(&loaded);
    return status;
}

/* ---- writing ---- */

/* Timelines that stand side by side have names; one that stands alone has none. */
static enum hc_status begin_timeline(struct session *session, enum hc_timeline timeline,
                                     struct hc_error *err)
{
    bool is_begun =
        session->n_begun && session->request.timelines[session->n_begun - 1] == timeline;
    if (session->request.n == 1 || is_begun)
        return HC_OK;
    session->n_begun++;
    const struct hc_perfetto_group group = {hc_timeline_names[timeline], NULL};
    return hc_perfetto_begin_group(session->perfetto, &group, err);
}

static enum hc_status take_step(const struct hc_timeline_step *step, void *context,
                                struct hc_error *err)
{
    struct session *session = context;
    if (!session->progress.started_ns)
        note_source(session, step->source);
    if (begin_timeline(session, step->timeline, err) ||
        hc_perfetto_step(session->perfetto, step, err))
        return err->status;
    hc_progress_update(&session->progress, session->progress.done + (int64_t)step->n_ops);
    return HC_OK;
}

static enum hc_status write_steps(struct session *session, struct hc_loaded_trace *loaded,
                                  struct hc_error *err)
{
    const struct export_settings *settings = session->settings;
    /* Steps that stand apart are part of what was recorded, but not of the job without stragglers:
     * its ideal durations are those of the what-if. */
    bool is_ideal = session->request.timelines[session->request.n - 1] == HC_TIMELINE_IDEAL;
    const struct hc_replay_options options = {.steps = &settings->steps,
                                              .max_bad = loaded->max_bad,
                                              .threads = (int)settings->common.threads,
                                              .leaves_out_outliers =
                                                  is_ideal && !settings->keep_outliers};
    session->request.options = &options;
    enum hc_status status =
        hc_timeline_each(loaded->trace, &session->request, take_step, session, err);
    session->request.options = NULL;
    if (session->progress.started_ns)
        hc_progress_end(&session->progress);
    if (status) /* what could not be written says where to */
        return status == HC_IO ? status : hc_context(err, "%s", loaded->label);
    return hc_perfetto_finish(session->perfetto, &session->counts, err);
}

static bool is_gzip(const char *path)
{
    size_t length = strlen(path);
    return length > 3 && strcmp(path + length - 3, ".gz") == 0;
}

/* Write the timeline of a trace to a stream, which has this path. */
static enum hc_status write_timeline(struct session *session, struct hc_loaded_trace *loaded,
                                     FILE *stream, const char *path, struct hc_error *err)
{
    enum hc_status status =
        hc_perfetto_open(&session->perfetto, stream,
                         strcmp(path, "-") == 0 ? "standard output" : path, is_gzip(path), err);
    if (status == HC_OK) {
        hc_perfetto_set_marks(session->perfetto, session->marks, session->n_marks);
        status = write_steps(session, loaded, err);
    }
    hc_perfetto_close(session->perfetto);
    session->perfetto = NULL;
    return status;
}

static enum hc_status write_output(struct session *session, struct hc_loaded_trace *loaded,
                                   struct hc_error *err)
{
    const char *path = session->settings->perfetto;
    struct hc_common_options common = {.output = path};
    struct hc_output output;
    if (hc_output_open(&output, &common, false, err))
        return err->status;
    enum hc_status status = write_timeline(session, loaded, output.stream, path, err);
    status = hc_output_end(&output, status, err);
    if (status == HC_OK)
        note_counts(session);
    return status;
}

/* ---- several jobs, in a directory ---- */

struct folder {
    const struct export_settings *settings;
    struct hc_trace_loader *loader;
    struct hc_outset *set;
    const char *directory;
};

/* DIR/CLUSTER_ID_ATTEMPT.json.gz */
static enum hc_status add_job(const struct folder *folder, const char *argument,
                              struct hc_error *err)
{
    struct session session = new_session(folder->settings);
    struct hc_loaded_trace loaded;
    char name[HC_COMPAT_NAME_LENGTH + 1];
    FILE *stream = NULL;
    hc_osdi_artifact_name(argument, name);
    char *path = hc_new_text(err, "%s%s.json.gz", folder->directory, name);
    enum hc_status status = path ? hc_outset_add(folder->set, path, &stream, err) : err->status;
    if (status == HC_OK)
        status = find_marks(&session, folder->loader, argument, err);
    if (status == HC_OK)
        status = hc_trace_load(&loaded, folder->loader, argument, err);
    if (status == HC_OK) {
        status = write_timeline(&session, &loaded, stream, path, err);
        hc_loaded_trace_release(&loaded);
    }
    free(path);
    free(session.marks);
    if (status == HC_OK)
        note_counts(&session);
    return status;
}

static enum hc_status export_folder(const struct export_settings *settings,
                                    struct hc_trace_loader *loader, const struct hc_words *jobs,
                                    struct hc_error *err)
{
    const struct hc_common_options common = {.output = "-"};
    const char *directory = settings->perfetto;
    struct hc_output output;
    if (directory[strlen(directory) - 1] != '/')
        return hc_fail(err, HC_USAGE, "%zu jobs are as many files: name a directory, as '-o %s/'",
                       jobs->n, strcmp(directory, "-") == 0 ? "timelines" : directory);
    if (hc_output_open(&output, &common, true, err))
        return err->status;
    const struct folder folder = {settings, loader, output.set, directory};
    enum hc_status status = hc_outset_directory(output.set, directory, err);
    for (size_t i = 0; i < jobs->n && status == HC_OK; i++)
        status = add_job(&folder, jobs->word[i], err);
    return hc_output_end(&output, status, err);
}

/* ---- the command ---- */

/* A timeline goes where --perfetto says, or --output, which means the same of it. */
static enum hc_status choose_output(struct export_settings *settings, struct hc_error *err)
{
    const char *output = settings->common.output;
    if (strcmp(output, "-") == 0)
        return HC_OK;
    if (settings->perfetto && strcmp(settings->perfetto, output) != 0)
        return hc_fail(err, HC_USAGE, "'--perfetto %s' and '--output %s' are two places; give one",
                       settings->perfetto, output);
    settings->perfetto = output;
    return HC_OK;
}

static enum hc_status check_settings(const struct export_settings *settings, const char *argument,
                                     struct hc_error *err)
{
    if (!settings->perfetto && hc_row_table_find(argument) && !hc_is_trace_file(argument))
        return hc_fail(err, HC_USAGE,
                       "'%s' is a table: say in which form with '--as csv', '--as jsonl' or '--as "
                       "parquet'",
                       argument);
    if (!settings->perfetto)
        return hc_fail(
            err, HC_USAGE,
            "nothing says where to export to: name a file with '-o timeline.json.gz', or "
            "the form of a table with '--as'");
    if (settings->where || settings->columns || settings->key)
        return hc_fail(err, HC_USAGE,
                       "--where, --columns and --anonymise are of tables: add '--as csv'");
    return hc_trace_options_check(&settings->trace, hc_is_trace_file(argument), err);
}

static enum hc_status export_profile(const struct export_settings *settings,
                                     struct hc_trace_loader *loader, const struct hc_words *words,
                                     struct hc_error *err)
{
    static const enum hc_profile_timeline timelines[] = {[BOTH_TIMELINES] = HC_PROFILE_TRACED,
                                                         [HC_TIMELINE_TRACED] = HC_PROFILE_TRACED,
                                                         [HC_TIMELINE_REPLAYED] =
                                                             HC_PROFILE_REPLAYED,
                                                         [HC_TIMELINE_IDEAL] = HC_PROFILE_IDEAL};
    const struct hc_profile_export given = {.loader = loader,
                                            .words = words,
                                            .steps = &settings->steps,
                                            .output = settings->perfetto,
                                            .timeline = timelines[settings->timeline],
                                            .adds_ideal = settings->timeline == BOTH_TIMELINES,
                                            .keeps_clocks = settings->no_align,
                                            .threads = (int)settings->common.threads};
    return hc_profile_export(&given, err);
}

static enum hc_status export_steps(const struct export_settings *settings,
                                   struct hc_trace_loader *loader, const struct hc_words *words,
                                   struct hc_error *err)
{
    struct session session = new_session(settings);
    struct hc_loaded_trace loaded;
    struct hc_words jobs;
    enum hc_status status =
        hc_choice_words(&jobs, words, &settings->choice, loader, hc_ops_def.name, err);
    size_t length = strlen(settings->perfetto);
    bool to_folder = jobs.n > 1 || (length && settings->perfetto[length - 1] == '/');
    if (status == HC_OK && to_folder)
        status = export_folder(settings, loader, &jobs, err);
    else if (status == HC_OK && !(status = find_marks(&session, loader, jobs.word[0], err)) &&
             !(status = hc_trace_load(&loaded, loader, jobs.word[0], err))) {
        status = write_output(&session, &loaded, err);
        hc_loaded_trace_release(&loaded);
    }
    free(session.marks);
    hc_choice_words_fini(&jobs);
    return status;
}

static enum hc_status export_table(const struct export_settings *settings,
                                   const struct hc_words *words, struct hc_error *err)
{
    static const enum hc_table_form forms[] = {
        [CSV] = HC_TABLE_CSV, [JSONL] = HC_TABLE_JSONL, [PARQUET] = HC_TABLE_PARQUET};
    if (settings->perfetto)
        return hc_fail(err, HC_USAGE,
                       "--perfetto is for the steps of a job, and --as %s for tables",
                       form_words[settings->form]);
    if (words->n > 1)
        return hc_fail(err, HC_USAGE, "one table is exported at a time");
    if (!hc_row_table_find(words->word[0]) && hc_is_trace_file(words->word[0]))
        return hc_fail(err, HC_USAGE,
                       "'%s' is a file, and --as %s is of tables of the archive: ingest it first, "
                       "or leave --as out for its timeline",
                       words->word[0], form_words[settings->form]);
    if (hc_output_floods_terminal(&settings->common))
        return hc_fail(err, HC_USAGE,
                       settings->form == PARQUET
                           ? "Parquet is not for a terminal: give a file, as '-o %s.%s'"
                           : "all rows of the table would go to the terminal: give a file, as '-o "
                             "%s.%s', or '-o -'; 'hindcast ls TABLE' shows some",
                       words->word[0], form_words[settings->form]);
    const struct hc_table_export table = {
        .archive = hc_archive_path(&settings->archive),
        .common = &settings->common,
        .words = {words->word[0], settings->where, settings->columns, &settings->choice},
        .form = forms[settings->form],
        .key = settings->key};
    return hc_table_export(&table, err);
}

static enum hc_status run(void *given, const struct hc_words *words, struct hc_error *err)
{
    struct export_settings *settings = given;
    struct hc_trace_loader loader = {.archive_path = hc_archive_path(&settings->archive),
                                     .trace_options = &settings->trace};
    bool is_profile = false;
    if (settings->culprits && settings->form != TIMELINE)
        return hc_fail(err, HC_USAGE,
                       "--culprits is for timelines of steps, and --as %s for tables",
                       form_words[settings->form]);
    if (settings->form != TIMELINE)
        return export_table(settings, words, err);
    if (choose_output(settings, err) || check_settings(settings, words->word[0], err))
        return err->status;
    enum hc_status status = hc_is_profile(&loader, words->word[0], &is_profile, err);
    if (status == HC_OK && is_profile && settings->culprits)
        status = hc_fail(err, HC_USAGE, "--culprits is for step timelines: '%s' is profiler traces",
                         words->word[0]);
    else if (status == HC_OK && is_profile)
        status = export_profile(settings, &loader, words, err);
    else if (status == HC_OK)
        status = export_steps(settings, &loader, words, err);
    hc_trace_loader_close(&loader);
    return status;
}

static const struct hc_option options[] = {
    {.name = "perfetto",
     .kind = HC_OPTION_FILE,
     .argument = "FILE",
     .target = offsetof(struct export_settings, perfetto),
     .help = "write Chrome trace JSON, which ui.perfetto.dev opens, to FILE, as --output does; "
             "compressed when its name ends in .gz; '-' is standard output"},
    {.name = "timeline",
     .kind = HC_OPTION_CHOICE,
     .argument = "WHICH",
     .target = offsetof(struct export_settings, timeline),
     .value = "traced",
     .choices = timeline_words,
     .help = "traced: as recorded; replayed: without launch delays; ideal: without stragglers "
             "either; both: traced and ideal, step beside step"},
    {.name = "steps",
     .kind = HC_OPTION_RANGES,
     .argument = "LIST",
     .target = offsetof(struct export_settings, steps),
     .unset = "all",
     .help = "export these steps only, as 12,20-23; ideal durations are of them too"},
    {.name = "keep-outliers",
     .kind = HC_OPTION_FLAG,
     .target = offsetof(struct export_settings, keep_outliers),
     .help = "let steps that stand apart into the ideal timeline (and both), as the option of "
             "whatif does; so "
             "does --steps; the other timelines always have them"},
    {.name = "no-align",
     .kind = HC_OPTION_FLAG,
     .target = offsetof(struct export_settings, no_align),
     .help = "of profiler traces: take the clocks of the ranks as they are"},
    {.name = "culprits",
     .kind = HC_OPTION_FLAG,
     .target = offsetof(struct export_settings, culprits),
     .help =
         "of steps: also mark what whatif finds slow, above the steps: a track for each culprit, "
         "a slice for each stretch of steps"},
    {.name = "as",
     .kind = HC_OPTION_CHOICE,
     .argument = "FORM",
     .target = offsetof(struct export_settings, form),
     .value = "timeline",
     .choices = form_words,
     .help =
         "timeline: steps, as Chrome trace JSON; csv, jsonl (an object a line), parquet: rows of "
         "a TABLE"},
    {.name = "where",
     .kind = HC_OPTION_TEXT,
     .argument = "CONDITION",
     .target = offsetof(struct export_settings, where),
     .unset = "every row",
     .help = "of a table: rows that are wanted, as that of query"},
    {.name = "columns",
     .kind = HC_OPTION_TEXT,
     .argument = "COLUMN,...",
     .target = offsetof(struct export_settings, columns),
     .unset = "all",
     .help = "of a table: columns that are written"},
    HC_OPTION_GROUP(struct export_settings, choice, hc_choice_options),
    {.name = "anonymise",
     .kind = HC_OPTION_TEXT,
     .argument = "KEYFILE",
     .target = offsetof(struct export_settings, key),
     .unset = "rows as they are",
     .help = "of a table: names and numbers of jobs become hashes, and times are shifted, by the "
             "key in this file, which is made where there is none: keep it secret"},
    HC_OPTION_GROUP(struct export_settings, archive, hc_archive_options),
    HC_OPTION_GROUP(struct export_settings, trace, hc_trace_options),
    {.name = "output",
     .letter = 'o',
     .kind = HC_OPTION_PATH,
     .argument = "FILE|DIR/",
     .target = offsetof(struct export_settings, common.output),
     .value = "-",
     .help = "write the result to FILE, whole or not at all; '-' is standard output; of several "
             "jobs to DIR/, by its last '/', a compressed timeline each"},
    HC_OPTION_GROUP(struct export_settings, common, hc_silent_options),
    HC_OPTION_END,
};

static const struct hc_positional positionals[] = {
    {"JOB|FILE|DIR|TABLE",
     "a job of the archive (cluster/id, id, or an unambiguous start of either; id#2 is attempt 2; "
     "a pattern, as 'llama-*'), or a trace; '-' is standard input; several go to -o DIR/, a file "
     "each; of profiler traces all files of a job, or their directory; with --as, a table of the "
     "archive, as jobs or events",
     1, 0},
    {NULL, NULL, 0, 0},
};

const struct hc_command hc_command_export = {
    .name = "export",
    .summary = "write the steps of a job for a trace viewer, or a table for other tools",
    .description =
        "Writes every op of every step with its times: as recorded, as replayed without launch "
        "delays, or as in the ideal job without stragglers. The steps stand end to end, with a gap "
        "of a tenth of a step after each. Communication is shown from its transfer on, without the "
        "wait before it.\n"
        "A worker has a track for compute, one for each kind of send and receive, and one for "
        "collectives. Nothing overlaps on a track: an op that would, as clock noise makes it, is "
        "on a further track of its lane. Arrows lead from each send to its receive, and the steps "
        "are a process of their own.\n"
        "Of profiler traces: a process a rank, on one clock, with its steps, a track a stream, and "
        "the calls of each thread that launch or wait; arrows lead from who arrives last at a "
        "collective to the others; the critical path is a process of its own.\n"
        "With --as, all rows of a table by cluster, day and key, with every column: numbers in the "
        "units that the names of columns say (times in ns since 1970, UTC), texts as text, nothing "
        "where a value is missing. One day is in memory at a time.",
    .options = options,
    .positionals = positionals,
    .examples = (const char *const[]){"hindcast export trace-AR.parquet -o ar.json.gz",
                                      "hindcast export AR --timeline ideal --steps 16 -o "
                                      "ideal.json",
                                      "hindcast export AR --timeline both -o ar.json.gz",
                                      "hindcast export AR --culprits -o ar.json.gz",
                                      "hindcast export 'llama-*' --since 2026-03-01 -o "
                                      "timelines/",
                                      "hindcast export traces/ -o ranks.json.gz",
                                      "hindcast export jobs --as parquet -o jobs.parquet",
                                      "hindcast export jobs --as csv --anonymise site.key", NULL},
    .settings_size = sizeof(struct export_settings),
    .run = run,
};
