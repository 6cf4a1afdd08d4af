/* cmd_simulate.c - `hindcast simulate`. */
#include "cli/command.h"
#include "cli/figure_options.h"
#include "cli/output.h"
#include "cli/study_output.h"
#include "core/text/number_text.h"
#include "reports/study/study_html.h"
#include "reports/study/study_views.h"
#include "study/engines/lifetime/scenario_engine.h"
#include "study/grammar/presets.h"
#include "study/run/study_run.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

struct simulate_settings {
    struct hc_common_options common; /* without its output */
    struct hc_archive_options archive;
    struct hc_words set;
    const char *preset;    /* or NULL */
    const char *directory; /* or NULL */
    struct hc_figure_options figures;
    bool csv;
    int64_t replicas; /* 0: as the scenario says */
    struct seed {
        bool is_given;
        int64_t value;
    } seed;
};

#define MOST_SEED 9000000000000000 /* as in the table of keys: a double holds it */

static enum hc_status parse_seed(const char *text, void *target, struct hc_error *err)
{
    struct seed *seed = target;
    seed->is_given = true;
    if (hc_text_to_i64(text, strlen(text), &seed->value) == HC_TEXT_OK && seed->value >= 0 &&
        seed->value <= MOST_SEED)
        return HC_OK;
    return hc_fail(err, HC_USAGE, "'%s' is not a whole number from 0 to %" PRId64, text,
                   (int64_t)MOST_SEED);
}

/* ---- what is asked ---- */

/* The scenario to read, into path: the file that is named, or the preset. */
static enum hc_status choose(const struct simulate_settings *settings, const struct hc_words *words,
                             char path[128], const char **chosen, struct hc_error *err)
{
    if (!settings->preset && !words->n)
        return hc_fail(err, HC_USAGE,
                       "FILE is missing, or --preset; see 'hindcast simulate --help'");
    if (settings->preset && words->n)
        return hc_fail(err, HC_USAGE, "--preset and '%s' are two scenarios; give one",
                       words->word[0]);
    *chosen = words->n ? words->word[0] : path;
    if (words->n)
        return HC_OK;
    if (!hc_preset_find(settings->preset, HC_USAGE, err))
        return err->status;
    snprintf(path, 128, "%s%s", HC_PRESET_PREFIX, settings->preset);
    return HC_OK;
}

/* --replicas and --seed are values like those of --set, and come last. */
static enum hc_status add_setting(struct hc_words *set, const char *pointer, int64_t value,
                                  char text[64], struct hc_error *err)
{
    snprintf(text, 64, "%s=%" PRId64, pointer, value);
    return hc_words_add(set, text, err);
}

static enum hc_status load(const struct simulate_settings *settings, const char *path,
                           struct hc_scenario *scenario, struct hc_study *study,
                           struct hc_error *err)
{
    struct hc_words set = {0};
    char replicas[64], seed[64];
    enum hc_status status = HC_OK;
    for (size_t i = 0; i < settings->set.n && status == HC_OK; i++)
        status = hc_words_add(&set, settings->set.word[i], err);
    if (status == HC_OK && settings->replicas)
        status = add_setting(&set, "/replicas", settings->replicas, replicas, err);
    if (status == HC_OK && settings->seed.is_given)
        status = add_setting(&set, "/seed", settings->seed.value, seed, err);
    const struct hc_scenario_request request = {path, &set, settings->archive.path};
    if (status == HC_OK)
        status = hc_scenario_prepare_from(scenario, study, &request, err);
    if (status == HC_OK)
        status = hc_scenario_errors_status(&scenario->errors, err);
    free(set.word);
    return status;
}

/* ---- output ---- */

/* The points of a sweep, or the runs where nothing is swept. */
static enum hc_study_table csv_table(const struct hc_study_result *result)
{
    return result->n_points ? HC_STUDY_SWEEP : HC_STUDY_RUNS;
}

static enum hc_status write_stream(const struct simulate_settings *settings,
                                   struct hc_output *output, const struct hc_study_result *result,
                                   struct hc_error *err)
{
    if (settings->common.json)
        return hc_study_output_json(output, result, err);
    if (settings->csv)
        hc_study_write_csv(result, csv_table(result), output->stream);
    else
        hc_study_write_text(result, output->stream);
    return HC_OK;
}

static enum hc_status put_figures(const struct hc_figure_sink *sink, const void *result,
                                  struct hc_error *err)
{
    return hc_study_figures(sink, result, err);
}

/* With a directory, its files and then standard output: what is printed is in place by then. */
static enum hc_status write_result(const struct simulate_settings *settings,
                                   struct hc_study_result *result, struct hc_error *err)
{
    const struct hc_common_options common = {.output = "-"};
    const char *directory = settings->directory;
    bool has_files = directory || settings->figures.directory;
    struct hc_output output;
    char run_id[HC_RUN_ID];
    enum hc_status status = HC_OK;
    if (hc_output_open(&output, &common, has_files, err))
        return err->status;
    if (has_files) {
        status = hc_study_output_run_id(result, run_id, err);
        result->run_id = run_id;
    }
    if (directory && status == HC_OK)
        status = hc_study_output_directory(output.set, directory, result, err);
    if (status == HC_OK)
        status = hc_figure_options_write(&settings->figures, output.set, run_id, put_figures,
                                         result, err);
    if (status == HC_OK)
        status = write_stream(settings, &output, result, err);
    result->run_id = NULL;
    return hc_output_end(&output, status, err);
}

static enum hc_status run(void *context, const struct hc_words *words, struct hc_error *err)
{
    const struct simulate_settings *settings = context;
    struct hc_scenario scenario = {.root = NULL};
    struct hc_study study;
    struct hc_study_answer answer = {.arena = {NULL}};
    char preset[128];
    const char *path = NULL;
    if (settings->csv && settings->common.json)
        return hc_fail(err, HC_USAGE, "--csv and --json are two outputs; give one");
    if (hc_figure_options_check(&settings->figures, err) ||
        choose(settings, words, preset, &path, err))
        return err->status;
    enum hc_status status = load(settings, path, &scenario, &study, err);
    if (status == HC_OK)
        status = hc_study_run(&answer, &scenario, &study, (int)settings->common.threads, err);
    if (status == HC_OK &&
        (settings->directory || settings->figures.directory || settings->common.json))
        status = hc_study_add_lives(&answer, err);
    if (status == HC_OK)
        status = write_result(settings, &answer.result, err);
    hc_study_answer_fini(&answer);
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
    HC_OPTION_GROUP(struct simulate_settings, archive, hc_archive_options),
    {.name = "replicas",
     .kind = HC_OPTION_INT,
     .argument = "N",
     .target = offsetof(struct simulate_settings, replicas),
     .unset = "as the scenario says",
     .low = 1,
     .high = 10000000,
     .help = "simulate N lives of each variant and point"},
    {.name = "seed",
     .kind = HC_OPTION_CALLBACK,
     .argument = "S",
     .target = offsetof(struct simulate_settings, seed),
     .unset = "as the scenario says",
     .parse = parse_seed,
     .help = "seed of the random numbers"},
    {.name = "json",
     .kind = HC_OPTION_FLAG,
     .target = offsetof(struct simulate_settings, common.json),
     .help = "print the result as JSON"},
    {.name = "csv",
     .kind = HC_OPTION_FLAG,
     .target = offsetof(struct simulate_settings, csv),
     .help = "print the points of the sweep as CSV, or the figures where nothing is swept"},
    {.name = "output",
     .letter = 'o',
     .kind = HC_OPTION_TEXT,
     .argument = "DIR",
     .target = offsetof(struct simulate_settings, directory),
     .unset = "none",
     .help = "also write all that the study gave as files to DIR, which is made"},
    HC_OPTION_GROUP(struct simulate_settings, figures, hc_figure_options),
    HC_OPTION_GROUP(struct simulate_settings, common, hc_silent_options),
    HC_OPTION_END,
};

static const struct hc_positional positionals[] = {
    {"FILE", "scenario; '-' is standard input", 0, 1},
    {.name = NULL},
};

const struct hc_command hc_command_simulate = {
    .name = "simulate",
    .summary = "answer a scenario: the months of a job, with faults",
    .description =
        "Simulates lives of the job that the scenario describes, its variants and the points of "
        "its sweep, and answers its question with confidence intervals: ETTR, where the GPU-hours "
        "went, what variants change, the value that is sought. The same scenario and seed give "
        "the same bytes for any number of threads. A value that is sought and not found is an "
        "answer too: the exit status is 0.\n"
        "docs/simulate.md shows a first result, docs/scenario.md all that a scenario may say. "
        "-o writes report.html, summary.txt, result.json, tables as CSV and the life of one "
        "replica for Perfetto.",
    .options = options,
    .positionals = positionals,
    .examples =
        (const char *const[]){"hindcast simulate standbys.json",
                              "hindcast simulate --set /recovery/warm_standbys=4 standbys.json",
                              "hindcast simulate -o answer standbys.json",
                              "hindcast simulate --preset llama3 --set /startup/full_s=120", NULL},
    .settings_size = sizeof(struct simulate_settings),
    .run = run,
};
