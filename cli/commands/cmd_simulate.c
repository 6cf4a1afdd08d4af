/* cmd_simulate.c - `hindcast simulate`. */
#include "cli/commands/study/fleet_simulate.h"
#include "cli/commands/study/study_output.h"
#include "cli/frame/command.h"
#include "cli/frame/output.h"
#include "cli/frame/set_keys.h"
#include "cli/options/choice_options.h"
#include "cli/options/fail_on.h"
#include "cli/options/replica_range.h"
#include "cli/options/report_options.h"
#include "cli/options/scenario_choice.h"
#include "core/base/log.h"
#include "core/base/memory.h"
#include "core/text/json_writer.h"
#include "core/text/number_text.h"
#include "core/text/text_stream.h"
#include "pipeline/inputs/study_data.h"
#include "reports/study/study_html.h"
#include "reports/study/study_views.h"
#include "study/engines/replay/replay_jobs.h"
#include "study/grammar/presets.h"
#include "study/grammar/scenario_prepare.h"
#include "study/run/study_run.h"

#include <inttypes.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#define HC_MOST_LIFE_EVENTS 1000000000

struct simulate_settings {
    struct hc_common_options common; /* output: a file, or a directory by its last '/' */
    struct hc_archive_options archive;
    struct hc_words set;
    bool all;             /* on every job of the archive, in place of what the scenario names */
    const char *where;    /* on those that this condition chooses; NULL: no option says so */
    struct hc_words jobs; /* on those with these names; none: no option says so */
    struct hc_choice_options choice;
    const char *preset; /* or NULL */
    struct hc_report_options report;
    int64_t replicas; /* 0: as the scenario says */
    struct hc_replica_range range;
    const char *faults; /* file for those of these replicas, or NULL */
    int64_t life_events;
    struct seed {
        bool is_given;
        int64_t value;
    } seed;
};

static enum hc_status parse_seed(const char *text, void *target, struct hc_error *err)
{
    struct seed *seed = target;
    seed->is_given = true;
    if (hc_text_to_i64(text, strlen(text), &seed->value) == HC_TEXT_OK && seed->value >= 0 &&
        seed->value <= HC_SCENARIO_MOST_SEED)
        return HC_OK;
    return hc_fail(err, HC_USAGE, "'%s' is not a whole number from 0 to %" PRId64, text,
                   (int64_t)HC_SCENARIO_MOST_SEED);
}

/* ---- what is asked ---- */

/* Whether the command line says on which jobs of the archive. */
static bool is_on_jobs(const struct simulate_settings *settings)
{
    return settings->all || settings->where || settings->jobs.n ||
           hc_choice_is_given(&settings->choice);
}

static enum hc_status check_asked(const struct simulate_settings *settings, struct hc_error *err)
{
    if (settings->all && (settings->where || settings->jobs.n))
        return hc_fail(err, HC_USAGE, "--all chooses every job: give no --%s",
                       settings->where ? "where" : "on");
    if (settings->range.end && settings->replicas)
        return hc_fail(err, HC_USAGE, "--replica says which, and so how many: give no --replicas");
    if (settings->faults && !settings->range.end)
        return hc_fail(err, HC_USAGE, "--faults-out needs --replica: whose faults");
    return hc_set_words_check(&settings->set, err);
}

/* The scenario to read, into path: the file that is named, or the preset. */
static enum hc_status choose(const struct simulate_settings *settings, const struct hc_words *words,
                             char path[HC_SCENARIO_PATH], const char **chosen, struct hc_error *err)
{
    if (!settings->preset && !words->n)
        return hc_fail(
            err, HC_USAGE,
            "FILE|PRESET is missing, as in 'hindcast simulate llama3' ('hindcast presets' "
            "lists them)");
    if (settings->preset && words->n)
        return hc_fail(err, HC_USAGE, "--preset and '%s' are two scenarios; give one",
                       words->word[0]);
    if (words->n)
        return hc_scenario_choose(words->word[0], path, chosen, err);
    *chosen = path;
    if (!hc_preset_find(settings->preset, HC_USAGE, err))
        return err->status;
    snprintf(path, HC_SCENARIO_PATH, "%s%s", HC_PRESET_PREFIX, settings->preset);
    return HC_OK;
}

/* --all, --where and the names and dates beside them are values, too, which take the place of the
 * job that the scenario names. The condition is written as JSON: it may begin with what begins
 * JSON. */
static const char *const one_job[] = {"/input/job", "/input/file", "/input/jobs", NULL};

static enum hc_status add_jobs(struct hc_words *set, const char *where, char **text,
                               struct hc_error *err)
{
    size_t length = 0;
    FILE *stream = hc_text_stream(text, &length, err);
    if (!stream)
        return err->status;
    fputs("/input/jobs={", stream);
    if (where) {
        fputs("\"where\": ", stream);
        hc_json_string(stream, where);
    }
    fputc('}', stream);
    if (hc_text_stream_end(stream, text, HC_OK, err))
        return err->status;
    return hc_words_add(set, *text, err);
}

/* --replicas, --replica and --seed are values like those of --set, and come last. */
static enum hc_status add_setting(struct hc_words *set, const char *pointer, int64_t value,
                                  char text[64], struct hc_error *err)
{
    snprintf(text, 64, "%s=%" PRId64, pointer, value);
    return hc_words_add(set, text, err);
}

/* What is asked, with the values of the command line put in; its data are not read yet. */
static enum hc_status load(const struct simulate_settings *settings, const char *path,
                           struct hc_scenario *scenario, struct hc_study *study,
                           struct hc_error *err)
{
    struct hc_words set = {0};
    char replicas[64], first[64], seed[64], *jobs = NULL, *where = NULL;
    bool is_many = is_on_jobs(settings);
    int64_t n =
        settings->range.end ? settings->range.end - settings->range.first : settings->replicas;
    enum hc_status status = HC_OK;
    for (size_t i = 0; i < settings->set.n && status == HC_OK; i++)
        status = hc_words_add(&set, settings->set.word[i], err);
    if (status == HC_OK && is_many)
        status = hc_choice_condition(&where, &settings->choice, &settings->jobs, settings->where,
                                     hc_archive_path(&settings->archive), err);
    if (status == HC_OK && is_many)
        status = add_jobs(&set, where, &jobs, err);
    if (status == HC_OK && n)
        status = add_setting(&set, "/replicas", n, replicas, err);
    if (status == HC_OK && settings->range.end)
        status = add_setting(&set, "/first_replica", settings->range.first, first, err);
    if (status == HC_OK && settings->seed.is_given)
        status = add_setting(&set, "/seed", settings->seed.value, seed, err);
    const struct hc_scenario_request request = {.path = path,
                                                .without = is_many ? one_job : NULL,
                                                .settings = (const char *const *)set.word,
                                                .n_settings = set.n,
                                                .engines = hc_engines};
    if (status == HC_OK)
        status = hc_scenario_read(scenario, study, &request, err);
    if (status == HC_OK)
        status = hc_scenario_errors_status(&scenario->errors, err);
    free(where);
    free(jobs);
    free(set.word);
    return status;
}

/* ---- output ---- */

static bool is_directory(const char *path)
{
    return path[strlen(path) - 1] == '/';
}

/* Until 0.1, -o NAME was a directory. A name that may be meant so is not taken for a file. */
static enum hc_status check_output(const char *path, struct hc_error *err)
{
    struct stat info;
    const char *last = strrchr(path, '/');
    bool is_there = stat(path, &info) == 0;
    if (strcmp(path, "-") == 0 || is_directory(path) || (is_there && !S_ISDIR(info.st_mode)))
        return HC_OK;
    if (!is_there && strchr(last ? last : path, '.'))
        return HC_OK;
    return hc_fail(err, HC_USAGE,
                   "-o '%s' looks like a directory: give '%s/' for all that the study gave, or a "
                   "name with an ending for the report alone",
                   path, path);
}

static enum hc_status write_stream(const struct simulate_settings *settings,
                                   struct hc_output *output, const struct hc_study_result *result,
                                   struct hc_error *err)
{
    if (settings->common.json)
        return hc_study_output_json(output, result, err);
    if (!hc_report_is_csv(&settings->report))
        return hc_study_write_text(result, output->stream, err);
    hc_study_write_csv(result, output->stream);
    return HC_OK;
}

/* Whether files are written besides the report. */
static bool writes_files(const struct simulate_settings *settings)
{
    return is_directory(settings->common.output) || settings->report.html ||
           hc_report_csv_directory(&settings->report) || settings->report.figures.directory;
}

static enum hc_status put_figures(const struct hc_figure_sink *sink, const void *result,
                                  struct hc_error *err)
{
    return hc_study_put_figures(sink, result, err);
}

static enum hc_status write_files(const struct simulate_settings *settings, struct hc_outset *set,
                                  const struct hc_study_result *result, struct hc_error *err)
{
    const char *tables = hc_report_csv_directory(&settings->report);
    if (tables && hc_study_output_tables(set, tables, result, err))
        return err->status;
    if (settings->report.html && hc_study_output_page(set, settings->report.html, result, err))
        return err->status;
    return hc_figure_options_write(&settings->report.figures, set, result->run_id, put_figures,
                                   result, err);
}

/* The name of the directory is without its last '/'. */
static enum hc_status write_directory(const char *output, struct hc_outset *set,
                                      const struct hc_study_result *result, struct hc_error *err)
{
    char *directory = hc_copy_text(output, err);
    if (!directory)
        return err->status;
    for (size_t n = strlen(directory); n > 1 && directory[n - 1] == '/'; n--)
        directory[n - 1] = '\0';
    enum hc_status status = hc_study_output_directory(set, directory, result, err);
    free(directory);
    return status;
}

/* A study that was run. */
struct answered {
    const struct hc_scenario *scenario;
    const struct hc_study *study;
    struct hc_study_result *result;
};

static enum hc_status write_faults(const char *path, struct hc_outset *set,
                                   const struct answered *answered, struct hc_error *err)
{
    FILE *stream = NULL;
    if (hc_outset_add(set, path, &stream, err))
        return err->status;
    if (hc_study_list_write(answered->scenario, answered->study, stream, err))
        return hc_context(err, "'%s'", path);
    return HC_OK;
}

/* First the files, then the report: what is printed is in place by then. With a directory the
 * report goes to standard output, too. */
static enum hc_status write_result(const struct simulate_settings *settings,
                                   const struct answered *answered, struct hc_error *err)
{
    struct hc_study_result *result = answered->result;
    bool to_directory = is_directory(settings->common.output);
    const struct hc_common_options common = {.output =
                                                 to_directory ? "-" : settings->common.output};
    struct hc_output output;
    char run_id[HC_RUN_ID];
    enum hc_status status = HC_OK;
    if (hc_output_open(&output, &common, writes_files(settings) || settings->faults, err))
        return err->status;
    if (writes_files(settings)) {
        status = hc_study_output_run_id(result, run_id, err);
        result->run_id = run_id;
    }
    if (to_directory && status == HC_OK)
        status = write_directory(settings->common.output, output.set, result, err);
    if (status == HC_OK)
        status = write_files(settings, output.set, result, err);
    if (settings->faults && status == HC_OK)
        status = write_faults(settings->faults, output.set, answered, err);
    if (status == HC_OK)
        status = write_stream(settings, &output, result, err);
    result->run_id = NULL;
    return hc_output_end(&output, status, err);
}

/* ---- conditions of --fail-on: on the scenario itself, without its variants and its sweep ---- */

struct study_figures {
    struct hc_condition_figure figure[HC_CONDITION_MOST_FIGURES];
    const struct hc_study_result *result;
};

static struct hc_condition_value known(const struct hc_study_value *value)
{
    return (struct hc_condition_value){value->mean, value->low, value->high};
}

/* Which column a figure is; n_columns: none. */
static size_t column_of(const struct study_figures *figures, size_t i)
{
    size_t c = 0;
    while (c < figures->result->n_columns &&
           strcmp(figures->result->column[c].name, figures->figure[i].name) != 0)
        c++;
    return c;
}

static struct hc_condition_value value_of(const void *context, size_t i)
{
    const struct study_figures *figures = context;
    size_t c = column_of(figures, i);
    if (c == figures->result->n_columns)
        return (struct hc_condition_value){NAN, NAN, NAN};
    return known(&figures->result->run[0].value[c]);
}

static struct hc_condition_value quantile_of(const void *context, size_t i, int32_t percent)
{
    const struct study_figures *figures = context;
    size_t c = column_of(figures, i);
    if (c == figures->result->n_columns)
        return (struct hc_condition_value){NAN, NAN, NAN};
    const struct hc_study_spread *spread = &figures->result->run[0].spread[c];
    return known(percent == 5 ? &spread->p05 : percent == 50 ? &spread->p50 : &spread->p95);
}

/* ---- the command ---- */

/* What pictures need, and one life. */
static enum hc_status draw(const struct simulate_settings *settings, struct hc_study_answer *answer,
                           struct hc_error *err)
{
    answer->result.drawn_events = (size_t)settings->life_events;
    enum hc_status status = hc_study_draw(answer, err);
    if (status == HC_OK && answer->result.drawn_note)
        hc_note("%s; --life-events N keeps more one by one", answer->result.drawn_note);
    return status;
}

/* Run the study and write what it gave. */
static enum hc_status answer_study(const struct simulate_settings *settings,
                                   struct hc_scenario *scenario, struct hc_study *study,
                                   struct hc_error *err)
{
    struct hc_study_answer answer = {.arena = {NULL}};
    struct study_figures named = {.result = &answer.result};
    const struct hc_report_figures figures = {
        named.figure, hc_study_list_figures(scenario, named.figure), value_of, quantile_of};
    const struct hc_words *fail_on = &settings->report.fail_on;
    if (hc_fail_on_check(fail_on, &figures, err))
        return err->status;
    if (settings->faults && hc_study_list_check(scenario, study, err))
        return hc_context(err, "--faults-out");
    enum hc_status status =
        hc_study_run(&answer, scenario, study, (int)settings->common.threads, err);
    if (status == HC_OK && (writes_files(settings) || settings->common.json))
        status = draw(settings, &answer, err);
    if (status == HC_OK)
        status = write_result(settings, &(struct answered){scenario, study, &answer.result}, err);
    if (status == HC_OK)
        status = hc_fail_on(fail_on, &figures, &named, NULL, err);
    hc_study_answer_fini(&answer);
    return status;
}

/* One job, or none: its data are read before it is run. */
static enum hc_status answer_one(const struct simulate_settings *settings,
                                 struct hc_scenario *scenario, struct hc_study *study,
                                 struct hc_error *err)
{
    struct hc_study_data data = {.archive_path = hc_archive_path(&settings->archive)};
    const struct hc_data_provider provider = hc_study_data_provider(&data);
    enum hc_status status = hc_scenario_bind(scenario, study, &provider, err);
    if (status == HC_OK)
        status = hc_scenario_errors_status(&scenario->errors, err);
    return status ? status : answer_study(settings, scenario, study, err);
}

static enum hc_status answer_many(const struct simulate_settings *settings,
                                  struct hc_scenario *scenario, const struct hc_study *study,
                                  struct hc_error *err)
{
    return hc_fleet_simulate(
        &(struct hc_fleet_simulation){.common = &settings->common,
                                      .archive_path = hc_archive_path(&settings->archive),
                                      .report = &settings->report,
                                      .scenario = scenario,
                                      .study = study},
        err);
}

static enum hc_status run(void *context, const struct hc_words *words, struct hc_error *err)
{
    const struct simulate_settings *settings = context;
    struct hc_scenario scenario = {.root = NULL};
    struct hc_study study;
    char preset[HC_SCENARIO_PATH];
    const char *path = NULL;
    if (hc_report_options_check(&settings->report, &settings->common, err) ||
        check_output(settings->common.output, err) || check_asked(settings, err) ||
        choose(settings, words, preset, &path, err))
        return err->status;
    enum hc_status status = load(settings, path, &scenario, &study, err);
    if (status == HC_OK && hc_replay_asks_jobs(&scenario))
        status = answer_many(settings, &scenario, &study, err);
    else if (status == HC_OK)
        status = answer_one(settings, &scenario, &study, err);
    hc_scenario_fini(&scenario);
    return status;
}

static const struct hc_option options[] = {
    {.name = "preset",
     .kind = HC_OPTION_TEXT,
     .argument = "PRESET",
     .target = offsetof(struct simulate_settings, preset),
     .unset = "FILE",
     .help = "take a scenario of 'hindcast presets' instead of a file"},
    {.name = "set",
     .kind = HC_OPTION_LIST,
     .argument = "/PATH=VALUE",
     .target = offsetof(struct simulate_settings, set),
     .help = "put a value into the scenario, as JSON or as a word; may be given several times"},
    {.name = "where",
     .kind = HC_OPTION_TEXT,
     .argument = "CONDITION",
     .target = offsetof(struct simulate_settings, where),
     .unset = "as the scenario says",
     .help = "run a scenario of the kind 'replay' on each job of the archive that CONDITION "
             "chooses, as of query, in place of the job or file that it names; columns as cluster, "
             "id, gpus, steps, slowdown, cause are in docs/step-scenarios.md"},
    {.name = "all",
     .kind = HC_OPTION_FLAG,
     .target = offsetof(struct simulate_settings, all),
     .help = "the same on every job of the archive with a step timeline"},
    {.name = "on",
     .kind = HC_OPTION_LIST,
     .argument = "JOB",
     .target = offsetof(struct simulate_settings, jobs),
     .help =
         "the same on the jobs with this name, or that match this pattern, as 'llama-*'; may be "
         "given several times"},
    HC_OPTION_GROUP(struct simulate_settings, choice, hc_choice_options),
    HC_OPTION_GROUP(struct simulate_settings, archive, hc_archive_options),
    {.name = "replicas",
     .kind = HC_OPTION_INT,
     .argument = "N",
     .target = offsetof(struct simulate_settings, replicas),
     .unset = "as the scenario says",
     .low = 1,
     .high = HC_SCENARIO_MOST_REPLICAS,
     .help = "simulate N lives of each variant and point"},
    {.name = "replica",
     .kind = HC_OPTION_CALLBACK,
     .argument = "N[-M]",
     .target = offsetof(struct simulate_settings, range),
     .unset = "from the first on",
     .parse = hc_replica_range_parse,
     .help = "simulate these alone: replica N, or N to M, which are the same as among others"},
    {.name = "faults-out",
     .kind = HC_OPTION_PATH,
     .argument = "FILE",
     .target = offsetof(struct simulate_settings, faults),
     .unset = "none",
     .help = "also write the faults of --replica to FILE, of the scenario without its variants, as "
             "a list of incidents: other simulators read it, and 'incidents_from' takes it for "
             "the same lives"},
    {.name = "seed",
     .kind = HC_OPTION_CALLBACK,
     .argument = "N",
     .target = offsetof(struct simulate_settings, seed),
     .unset = "as the scenario says",
     .parse = parse_seed,
     .help = "seed of the random numbers"},
    {.name = "life-events",
     .kind = HC_OPTION_INT,
     .argument = "N",
     .target = offsetof(struct simulate_settings, life_events),
     .value = "200000",
     .low = 100,
     .high = HC_MOST_LIFE_EVENTS,
     .help = "of the life that is shown, keep up to N stretches and events one by one; one with "
             "more is summed up in slices of time, and a note says so"},
    HC_OPTION_GROUP(struct simulate_settings, report, hc_report_options),
    {.name = "json",
     .kind = HC_OPTION_FLAG,
     .target = offsetof(struct simulate_settings, common.json),
     .help = "write the result as JSON"},
    {.name = "output",
     .letter = 'o',
     .kind = HC_OPTION_PATH,
     .argument = "FILE|DIR/",
     .target = offsetof(struct simulate_settings, common.output),
     .value = "-",
     .help = "write the result to FILE, whole or not at all; '-' is standard output; to DIR/, by "
             "its last '/', all that the study gave, besides standard output"},
    HC_OPTION_GROUP(struct simulate_settings, common, hc_silent_options),
    HC_OPTION_END,
};

static const struct hc_positional positionals[] = {
    {"FILE|PRESET", "scenario, or the name of one of 'hindcast presets'; '-' is standard input", 0,
     1},
    {.name = NULL},
};

const struct hc_command hc_command_simulate = {
    .name = "simulate",
    .summary = "answer a scenario: the months of a job, or its steps, with something changed",
    .description =
        "Simulates lives of the job that the scenario describes, its variants and the points of "
        "its sweep, and answers its question with confidence intervals: ETTR, where the GPU-hours "
        "went, what variants change, the value that is sought. A scenario of the kind 'replay' "
        "changes the recorded steps of a job instead, and tells what they take then, and why; with "
        "/input/jobs, --where or --all, of each of many jobs of the archive, and over all of them. "
        "Jobs of these that the edits mean nothing in are named and counted; for one that cannot "
        "be read, is damaged or finds no memory the exit status is 4, 1 or 5. The "
        "same scenario and seed give the same bytes for any number of threads. A value that is "
        "sought and not found is an "
        "answer too: the exit status is 0.\n"
        "docs/simulate.md shows a first result, docs/scenario.md all that a scenario may say. "
        "-o DIR/ writes report.html, summary.txt, result.json, tables as CSV and the life of one "
        "replica, or a step, for Perfetto; -o FILE the report alone.",
    .options = options,
    .positionals = positionals,
    .examples =
        (const char *const[]){
            "hindcast simulate standbys.json",
            "hindcast simulate --set /recovery/warm_standbys=4 standbys.json",
            "hindcast simulate -o answer/ standbys.json",
            "hindcast simulate --replica 7 --faults-out faults.jsonl standbys.json",
            "hindcast simulate llama3 --set /startup/full_s=120",
            "hindcast simulate -a nightly --where 'slowdown>1.1' mend.json", NULL},
    .finding = "a condition of --fail-on holds, or of many jobs one is damaged",
    .threads_later = true,
    .settings_size = sizeof(struct simulate_settings),
    .run = run,
};
