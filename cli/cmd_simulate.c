/* cmd_simulate.c - `hindcast simulate`. */
#include "cli/command.h"
#include "cli/output.h"
#include "cli/scenario_engine.h"
#include "cli/study_run.h"
#include "core/memory.h"
#include "reports/study_views.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

struct simulate_settings {
    struct hc_common_options common; /* output is a directory */
    struct hc_words set;
    int64_t replicas, seed;
};

/* ---- what is asked ---- */

/* --replicas and --seed are values like those of --set, and come last. */
static enum hc_status add_setting(struct hc_words *set, const char *pointer, int64_t value,
                                  char *text, struct hc_error *err)
{
    if (value < 0)
        return HC_OK;
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
    if (status == HC_OK)
        status = add_setting(&set, "/replicas", settings->replicas, replicas, err);
    if (status == HC_OK)
        status = add_setting(&set, "/seed", settings->seed, seed, err);
    if (status == HC_OK)
        status = hc_scenario_prepare(scenario, study, path, &set, err);
    if (status == HC_OK)
        status = hc_scenario_errors_status(&scenario->errors, err);
    free(set.word);
    return status;
}

/* ---- output ---- */

static enum hc_status write_stream(const struct simulate_settings *settings,
                                   const struct hc_study_result *result, struct hc_error *err)
{
    struct hc_output output;
    if (hc_output_open(&output, &settings->common, false, err))
        return err->status;
    enum hc_status status = HC_OK;
    if (settings->common.json) {
        struct hc_json_writer json;
        hc_output_json_start(&json, &output, "hindcast-simulate");
        hc_study_write_json(result, &json);
        status = hc_output_json_end(&json, &output, err);
    } else {
        hc_study_write_text(result, output.stream);
    }
    return hc_output_end(&output, status, err);
}

static enum hc_status run(void *context, const struct hc_words *words, struct hc_error *err)
{
    const struct simulate_settings *settings = context;
    struct hc_scenario scenario = {.root = NULL};
    struct hc_study study;
    struct hc_study_answer answer = {.arena = {NULL}};
    enum hc_status status = load(settings, words->word[0], &scenario, &study, err);
    if (status == HC_OK)
        status = hc_study_run(&answer, &scenario, &study, (int)settings->common.threads, err);
    if (status == HC_OK)
        status = write_stream(settings, &answer.result, err);
    hc_study_answer_fini(&answer);
    hc_scenario_fini(&scenario);
    return status;
}

static const struct hc_option options[] = {
    {.name = "set",
     .kind = HC_OPTION_LIST,
     .argument = "/PATH=VALUE",
     .target = offsetof(struct simulate_settings, set),
     .help = "put a value into the scenario, as JSON or as a word; may be given several times"},
    {.name = "replicas",
     .kind = HC_OPTION_INT,
     .argument = "N",
     .target = offsetof(struct simulate_settings, replicas),
     .value = "-1",
     .low = -1,
     .high = 10000000,
     .help = "simulate N lives of each point, whatever the scenario says"},
    {.name = "seed",
     .kind = HC_OPTION_INT,
     .argument = "S",
     .target = offsetof(struct simulate_settings, seed),
     .value = "-1",
     .low = -1,
     .high = 9e15,
     .help = "seed of the random numbers"},
    HC_OPTION_GROUP(struct simulate_settings, common, hc_common_options),
    HC_OPTION_END,
};

static const struct hc_positional positionals[] = {
    {"SCENARIO", "scenario file; '-' is standard input", 1, 1},
    {.name = NULL},
};

const struct hc_command hc_command_simulate = {
    .name = "simulate",
    .summary = "answer a scenario: the months of a job, with faults",
    .description = "Simulates lives of the job that the scenario describes, its variants and sweeps, "
                   "and answers its question with confidence intervals.\n"
                   "docs/scenario.md describes scenario files.",
    .options = options,
    .positionals = positionals,
    .examples = (const char *const[]){"hindcast simulate standbys.json",
                                      "hindcast simulate --set /recovery/warm_standbys=4 "
                                      "--replicas 1000 standbys.json",
                                      NULL},
    .settings_size = sizeof(struct simulate_settings),
    .run = run,
};
