/* cmd_reproduce.c - `hindcast reproduce`. */
#include "cli/commands/study/study_output.h"
#include "cli/frame/command.h"
#include "core/process/made_by.h"
#include "core/text/text_stream.h"
#include "pipeline/inputs/study_data.h"
#include "pipeline/results/recorded_result.h"
#include "study/grammar/scenario_prepare.h"
#include "study/run/study_run.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

struct reproduce_settings {
    struct hc_common_options common;
    struct hc_archive_options archive;
};

/* A result, the run of it now, and the document that this gave. */
struct again {
    const struct hc_recorded_result *recorded;
    struct hc_scenario scenario;
    struct hc_study study;
    struct hc_study_answer answer;
    char *text;
    size_t length;
};

/* ---- what it is run from ---- */

/* Data that the run reads must be what it read then. Files of the scenario are not read again. */
static enum hc_status check_inputs(const struct again *again, struct hc_error *err)
{
    for (size_t i = 0; i < again->scenario.n_inputs; i++) {
        const struct hc_scenario_input *now = &again->scenario.input[i];
        const struct hc_study_input *then = hc_recorded_input(again->recorded, now->path);
        if (!then)
            return hc_fail(err, HC_BAD_INPUT, "'%s': '%s' is read, but is none of its inputs",
                           again->recorded->path, now->path);
        if (strcmp(now->sha256, then->sha256) != 0)
            return hc_fail(err, HC_BAD_INPUT,
                           "'%s' is not what '%s' was made of: its SHA-256 was %s and is %s",
                           now->path, again->recorded->path, then->sha256, now->sha256);
    }
    return HC_OK;
}

static enum hc_status prepare(struct again *again, const struct reproduce_settings *settings,
                              struct hc_error *err)
{
    struct hc_study_data data = {.archive_path = hc_archive_path(&settings->archive)};
    const struct hc_data_provider provider = hc_study_data_provider(&data);
    const struct hc_scenario_request request = {.path = "the scenario of the result",
                                                .text = again->recorded->scenario,
                                                .engines = hc_engines,
                                                .data = &provider};
    if (hc_scenario_prepare(&again->scenario, &again->study, &request, err) ||
        hc_scenario_errors_status(&again->scenario.errors, err))
        return err->status;
    return check_inputs(again, err);
}

/* ---- the run ---- */

static enum hc_status write_document(struct again *again, struct hc_error *err)
{
    struct hc_output output = {.stream = hc_text_stream(&again->text, &again->length, err),
                               .path = "the result of now"};
    if (!output.stream)
        return err->status;
    return hc_text_stream_end(output.stream, &again->text,
                              hc_study_output_json(&output, &again->answer.result, err), err);
}

/* What a result has from its command line, and not from the run, is taken over. */
static enum hc_status run_again(struct again *again, int threads, struct hc_error *err)
{
    const struct hc_recorded_result *recorded = again->recorded;
    struct hc_study_result *result = &again->answer.result;
    char run_id[HC_RUN_ID];
    if (hc_study_run(&again->answer, &again->scenario, &again->study, threads, err))
        return err->status;
    result->name = recorded->name;
    result->inputs = recorded->input;
    result->n_inputs = recorded->n_inputs;
    result->drawn_events = recorded->life_events;
    if (hc_study_draw(&again->answer, err) ||
        (recorded->has_run_id && hc_study_output_run_id(result, run_id, err)))
        return err->status;
    result->run_id = recorded->has_run_id ? run_id : NULL;
    const struct hc_made_by now = hc_made_by();
    hc_made_by_set(&recorded->made_by);
    enum hc_status status = write_document(again, err);
    hc_made_by_set(&now);
    result->run_id = NULL;
    return status;
}

/* ---- the answer ---- */

static void tell_inputs(const struct again *again, FILE *stream)
{
    for (size_t i = 0; i < again->scenario.n_inputs; i++)
        hc_output_line(stream, "read again: %s, SHA-256 %s", again->scenario.input[i].path,
                       again->scenario.input[i].sha256);
}

static enum hc_status tell_difference(const struct again *again, FILE *stream, struct hc_error *err)
{
    const struct hc_recorded_result *recorded = again->recorded;
    struct hc_json_difference difference;
    size_t at = 0;
    while (at < recorded->length && at < again->length && recorded->text[at] == again->text[at])
        at++;
    if (hc_recorded_differs(recorded, again->text, again->length, &difference))
        hc_output_line(stream, "different: %s is %s in the result, and %s now", difference.path,
                       difference.a, difference.b);
    else
        hc_output_line(
            stream, "different: the same values, written in another way from byte %zu on", at + 1);
    return hc_fail(err, HC_FINDING, "'%s' is not what its scenario gives now", recorded->path);
}

/* The same version may be of other sources and use other libraries: where the bytes are equal,
 * these do not matter; where they differ, they may be why. */
static void tell_program(const struct hc_recorded_result *recorded, FILE *stream)
{
    const struct hc_made_by now = hc_made_by(), *then = &recorded->made_by;
    if (then->commit && strcmp(then->commit, now.commit) != 0)
        hc_output_line(stream, "made by commit %s, this is %s", then->commit, now.commit);
    if (then->libraries && strcmp(then->libraries, hc_made_by_libraries()) != 0)
        hc_output_line(stream, "made with %s, this is %s", then->libraries, hc_made_by_libraries());
}

static enum hc_status compare(const struct again *again, FILE *stream, struct hc_error *err)
{
    const struct hc_recorded_result *recorded = again->recorded;
    const struct hc_study_result *result = &again->answer.result;
    hc_output_line(
        stream, "%s: '%s', %s %s, seed %" PRIu64 ", run again from its scenario by hindcast %s",
        recorded->path, recorded->name, result->engine, result->many, result->seed, HC_VERSION);
    tell_program(recorded, stream);
    tell_inputs(again, stream);
    if (again->length != recorded->length ||
        memcmp(again->text, recorded->text, again->length) != 0)
        return tell_difference(again, stream, err);
    hc_output_line(stream, "equal: all %zu bytes", again->length);
    return HC_OK;
}

/* ---- the command ---- */

static enum hc_status answer(const struct reproduce_settings *settings, struct again *again,
                             struct hc_error *err)
{
    struct hc_output output;
    if (prepare(again, settings, err) || run_again(again, (int)settings->common.threads, err) ||
        hc_output_open(&output, &settings->common, false, err))
        return err->status;
    return hc_output_end(&output, compare(again, output.stream, err), err);
}

static enum hc_status run(void *context, const struct hc_words *words, struct hc_error *err)
{
    struct hc_recorded_result recorded;
    struct again *again = calloc(1, sizeof *again);
    if (!again)
        return hc_fail_memory(err, sizeof *again);
    again->recorded = &recorded;
    enum hc_status status = hc_recorded_result_read(&recorded, words->word[0], err);
    if (status == HC_OK) {
        status = answer(context, again, err);
        if (again->answer.engine)
            hc_study_answer_fini(&again->answer);
        hc_scenario_fini(&again->scenario);
    }
    free(again->text);
    free(again);
    hc_recorded_result_fini(&recorded);
    return status;
}

static const struct hc_option options[] = {
    HC_OPTION_GROUP(struct reproduce_settings, archive, hc_archive_options),
    {.name = "output",
     .letter = 'o',
     .kind = HC_OPTION_FILE,
     .argument = "FILE",
     .target = offsetof(struct reproduce_settings, common.output),
     .value = "-",
     .help = "write the result to FILE, whole or not at all; '-' is standard output"},
    HC_OPTION_GROUP(struct reproduce_settings, common, hc_silent_options),
    HC_OPTION_END,
};

const struct hc_command hc_command_reproduce = {
    .name = "reproduce",
    .summary = "run a JSON result of 'simulate' again and compare the bytes",
    .description =
        "RESULT.json is what 'hindcast simulate --json', or result.json of its -o DIR/, wrote. It "
        "has "
        "the scenario as it was resolved, with what was included and set on the command line, the "
        "seed and the replicas, so neither the scenario's files nor the options are needed. Data "
        "that the scenario names (incidents, traces, jobs of the archive) are read again, from the "
        "paths in it, and must be what they were, by their SHA-256. The number of threads does not "
        "matter.\n"
        "Variants, sweeps, sought values and sensitivities are run again with it. Results of "
        "another "
        "version of hindcast, and of other commands, are refused, and it says so. Where the bytes "
        "differ, the first value that does is named.",
    .options = options,
    .positionals =
        (const struct hc_positional[]){{"RESULT.json", "result to run again; a file", 1, 1},
                                       {.name = NULL}},
    .examples = (const char *const[]){"hindcast reproduce result.json",
                                      "hindcast reproduce --threads 1 answer/result.json", NULL},
    .finding = "the bytes differ",
    .settings_size = sizeof(struct reproduce_settings),
    .run = run,
};
