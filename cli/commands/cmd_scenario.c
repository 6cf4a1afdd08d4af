/* cmd_scenario.c - `hindcast scenario check`, `show` and `schema`. */
#include "cli/commands/study/fleet_simulate.h"
#include "cli/frame/command.h"
#include "cli/frame/output.h"
#include "cli/frame/set_keys.h"
#include "cli/options/scenario_choice.h"
#include "core/base/printable.h"
#include "pipeline/inputs/study_data.h"
#include "pipeline/records/scenario_records.h"
#include "study/engines/replay/replay_jobs.h"
#include "study/grammar/scenario_schema.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

/* ---- check ---- */

struct check_settings {
    struct hc_common_options common;
    struct hc_archive_options archive;
    struct hc_words set;
};

struct report {
    struct hc_output output;
    struct hc_json_writer json;
    bool as_json;
    size_t n_wrong;
};

/* ", 3 variants"; nothing for none. */
static size_t put_count(char *text, size_t size, size_t n, const char *one, const char *many)
{
    return n ? (size_t)snprintf(text, size, ", %zu %s", n, n == 1 ? one : many) : 0;
}

/* n_jobs: that it chooses; 0 where it is on one. */
static void put_file_text(FILE *stream, const struct hc_scenario *scenario,
                          const struct hc_study *study, size_t n_jobs)
{
    char line[HC_ERROR_SIZE + HC_POINTER_SIZE];
    const struct hc_scenario_errors *errors = &scenario->errors;
    for (size_t i = 0; i < errors->n; i++) {
        hc_scenario_error_format(&errors->error[i], line, sizeof line);
        hc_output_line(stream, "%s", line);
    }
    if (errors->n_more)
        hc_output_line(stream, "%s: %zu more mistakes", scenario->path, errors->n_more);
    if (errors->n)
        return;
    char parts[160] = "";
    size_t n = put_count(parts, sizeof parts, study->n_variants - 1, "variant", "variants");
    n += put_count(parts + n, sizeof parts - n, study->n_sweeps ? study->n_points : 0,
                   "point to sweep", "points to sweep");
    n += put_count(parts + n, sizeof parts - n, study->n_sensitivities, "value to test",
                   "values to test");
    n += put_count(parts + n, sizeof parts - n, study->find.is_asked, "value to find", "");
    put_count(parts + n, sizeof parts - n, n_jobs, "job", "jobs");
    hc_output_line(stream, "%s: ok: %s%s", scenario->path, scenario->engine->name, parts);
}

/* Read its data and bind it; of a scenario on many jobs, choose them and bind it to one. */
static enum hc_status bind(struct hc_scenario *scenario, struct hc_study *study,
                           const char *archive_path, size_t *n_jobs, struct hc_error *err)
{
    struct hc_study_data data = {.archive_path = archive_path};
    const struct hc_data_provider provider = hc_study_data_provider(&data);
    if (!hc_replay_asks_jobs(scenario) || scenario->errors.n)
        return hc_scenario_bind(scenario, study, &provider, err);
    return hc_fleet_simulate_check(scenario, study, archive_path, n_jobs, err);
}

static enum hc_status check_file(struct report *report, const char *word,
                                 const struct check_settings *check, struct hc_error *err)
{
    char buffer[HC_SCENARIO_PATH];
    const char *path;
    if (hc_scenario_choose(word, buffer, &path, err))
        return err->status;
    struct hc_scenario scenario;
    struct hc_study study = {.question = NULL};
    const struct hc_scenario_request request = {.path = path,
                                                .settings = (const char *const *)check->set.word,
                                                .n_settings = check->set.n,
                                                .engines = hc_engines};
    size_t n_jobs = 0;
    enum hc_status status = hc_scenario_read(&scenario, &study, &request, err);
    if (status == HC_OK)
        status = bind(&scenario, &study, hc_archive_path(&check->archive), &n_jobs, err);
    if (status == HC_OK) {
        report->n_wrong += scenario.errors.n > 0;
        const struct hc_checked_scenario checked = {&scenario, &study};
        if (report->as_json)
            hc_record_json(&report->json, NULL, &hc_checked_scenario_record,
                           &(struct hc_item){.record = &checked});
        else
            put_file_text(report->output.stream, &scenario, &study, n_jobs);
    }
    hc_scenario_fini(&scenario);
    return status;
}

static enum hc_status run_check(void *settings, const struct hc_words *words, struct hc_error *err)
{
    const struct check_settings *check = settings;
    struct report report = {.as_json = check->common.json};
    enum hc_status status = HC_OK;
    if (hc_set_words_check(&check->set, err) ||
        hc_output_open(&report.output, &check->common, true, err))
        return err->status;
    if (report.as_json) {
        hc_output_json_start(&report.json, &report.output, "hindcast-scenario-check");
        hc_json_array(&report.json, "scenarios");
    }
    for (size_t i = 0; i < words->n && status == HC_OK; i++)
        status = check_file(&report, words->word[i], check, err);
    if (report.as_json && status == HC_OK) {
        hc_json_end(&report.json);
        status = hc_output_json_end(&report.json, &report.output, err);
    }
    status = hc_output_end(&report.output, status, err);
    if (status != HC_OK || !report.n_wrong)
        return status;
    if (words->n == 1)
        return hc_fail(err, HC_BAD_INPUT, "'%s' cannot be run", words->word[0]);
    return hc_fail(err, HC_BAD_INPUT, "%zu of %zu scenarios cannot be run", report.n_wrong,
                   words->n);
}

/* ---- show ---- */

struct show_settings {
    struct hc_common_options common;
    struct hc_words set;
    const char *variant;
    bool resolved;
};

static void put_place(FILE *stream, const struct hc_place *place)
{
    fputs("  # ", stream);
    hc_show_text(stream, place->file);
    if (place->line)
        fprintf(stream, ":%d", place->line);
    fputc('\n', stream);
}

static void put_values(FILE *stream, const struct hc_shown_scenario *shown)
{
    for (size_t i = 0; i < shown->n_values; i++) {
        hc_show_text(stream, shown->value[i].pointer);
        fprintf(stream, " = %s", shown->value[i].text);
        put_place(stream, shown->value[i].place);
    }
}

static const struct hc_node *shown_root(const struct hc_study *study, const char *variant,
                                        struct hc_error *err)
{
    const char *names[HC_MOST_KEYS + 1];
    for (size_t i = 0; i < study->n_variants; i++) {
        names[i] = study->variant[i].name;
        if (strcmp(names[i], variant) == 0)
            return study->variant[i].root;
    }
    hc_fail(err, HC_USAGE, "there is no variant '%s'%s", variant,
            hc_did_you_mean(variant, names, study->n_variants).text);
    return NULL;
}

static enum hc_status put_shown_json(const struct hc_shown_scenario *shown,
                                     struct hc_output *output, struct hc_error *err)
{
    struct hc_json_writer json;
    hc_output_json_start(&json, output, "hindcast-scenario-show");
    hc_record_members(&json, &hc_shown_scenario_record, &(struct hc_item){.record = shown});
    return hc_output_json_end(&json, output, err);
}

static enum hc_status put_shown(const struct show_settings *show, const struct hc_node *root,
                                const char *path, struct hc_output *output, struct hc_error *err)
{
    struct hc_shown_scenario shown = {.path = path, .variant = show->variant};
    if (!show->common.json && !show->resolved) {
        hc_node_write(output->stream, root);
        return HC_OK;
    }
    enum hc_status status = hc_shown_scenario_fill(&shown, root, err);
    if (status == HC_OK && show->common.json)
        status = put_shown_json(&shown, output, err);
    else if (status == HC_OK)
        put_values(output->stream, &shown);
    hc_shown_scenario_fini(&shown);
    return status;
}

/* What is shown is one document: what it was made of is left out. */
static void leave_includes(struct hc_node *root)
{
    static const char *const gone[] = {"include", "remove"};
    for (size_t i = 0; root && i < 2; i++) {
        const struct hc_node *old = hc_node_member(root, gone[i]);
        if (old)
            hc_node_remove(root, old);
    }
}

static enum hc_status run_show(void *settings, const struct hc_words *words, struct hc_error *err)
{
    const struct show_settings *show = settings;
    struct hc_scenario scenario;
    struct hc_study study = {.question = NULL};
    struct hc_output output;
    const struct hc_node *root = NULL;
    char buffer[HC_SCENARIO_PATH];
    const char *path;
    if (hc_set_words_check(&show->set, err) ||
        hc_scenario_choose(words->word[0], buffer, &path, err))
        return err->status;
    const struct hc_scenario_request request = {.path = path,
                                                .settings = (const char *const *)show->set.word,
                                                .n_settings = show->set.n,
                                                .engines = hc_engines};
    enum hc_status status = hc_scenario_load(&scenario, &request, err);
    leave_includes(scenario.root);
    if (status == HC_OK)
        status = hc_study_read(&study, &scenario, err);
    if (status == HC_OK)
        status = hc_scenario_errors_status(&scenario.errors, err);
    if (status == HC_OK) {
        root = shown_root(&study, show->variant, err);
        status = root ? HC_OK : err->status;
    }
    if (status == HC_OK)
        status = hc_output_open(&output, &show->common, show->common.json, err);
    if (status == HC_OK)
        status = hc_output_end(&output, put_shown(show, root, words->word[0], &output, err), err);
    hc_scenario_fini(&scenario);
    return status;
}

/* ---- schema ---- */

enum form { FORM_JSON, FORM_MARKDOWN };

struct schema_settings {
    struct hc_common_options common;
    int form;         /* enum form */
    const char *kind; /* NULL: that of a scenario that names none */
};

static const struct hc_engine *engine_of(const char *kind, struct hc_error *err)
{
    const struct hc_engine *engine = kind ? hc_engine_find(hc_engines, kind) : hc_engines[0];
    const char *names[HC_MOST_KEYS];
    size_t n = 0;
    if (engine && !engine->is_later)
        return engine;
    for (size_t i = 0; hc_engines[i] && n < HC_MOST_KEYS; i++)
        if (!hc_engines[i]->is_later)
            names[n++] = hc_engines[i]->name;
    hc_fail(err, HC_USAGE, "there are no scenarios of the kind '%s'%s", kind,
            hc_did_you_mean(kind, names, n).text);
    return NULL;
}

static enum hc_status run_schema(void *settings, const struct hc_words *words, struct hc_error *err)
{
    const struct schema_settings *schema = settings;
    struct hc_output output;
    struct hc_json_writer json;
    enum hc_status status = HC_OK;
    const struct hc_engine *engine = engine_of(schema->kind, err);
    (void)words;
    if (!engine || hc_output_open(&output, &schema->common, false, err))
        return err->status;
    if (schema->form == FORM_MARKDOWN) {
        hc_scenario_write_markdown(output.stream, hc_engines, engine);
    } else {
        hc_json_start(&json, output.stream, 2);
        hc_json_object(&json, NULL);
        hc_scenario_write_schema(&json, hc_engines, engine);
        status = hc_output_json_end(&json, &output, err);
    }
    return hc_output_end(&output, status, err);
}

/* ---- the commands ---- */

#define SET_OPTION(type)                                                                           \
    {                                                                                              \
        .name = "set", .kind = HC_OPTION_LIST, .argument = "/PATH=VALUE",                          \
        .target = offsetof(struct type, set),                                                      \
        .help = "put a value into the scenario, as JSON or as a word; may be given several times"  \
    }

static const struct hc_option check_options[] = {
    SET_OPTION(check_settings),
    HC_OPTION_GROUP(struct check_settings, archive, hc_archive_options),
    HC_OPTION_GROUP(struct check_settings, common, hc_common_options),
    HC_OPTION_END,
};

const struct hc_command hc_command_scenario_check = {
    .name = "scenario check",
    .summary = "say what is wrong with scenario files",
    .description =
        "Reads each scenario with all that it includes, holds it and its variants and sweeps "
        "against the table of keys, and lists every mistake with file, line, column and the JSON "
        "pointer of the value, up to 20 a scenario. Recorded incidents that it names are read, "
        "from "
        "files or from the archive. Nothing is simulated.\n"
        "docs/scenario.md describes the keys.",
    .options = check_options,
    .positionals =
        (const struct hc_positional[]){{"FILE|PRESET",
                                        "scenario, or the name of one of 'hindcast presets'; "
                                        "'-' is standard input",
                                        1, 0},
                                       {.name = NULL}},
    .examples =
        (const char *const[]){"hindcast scenario check standbys.json",
                              "hindcast scenario check --set /job/nodes=2400 standbys.json", NULL},
    .settings_size = sizeof(struct check_settings),
    .run = run_check,
};

static const struct hc_option show_options[] = {
    {.name = "resolved",
     .kind = HC_OPTION_FLAG,
     .target = offsetof(struct show_settings, resolved),
     .help = "list every value with the file and line that it comes from"},
    {.name = "variant",
     .kind = HC_OPTION_TEXT,
     .argument = "NAME",
     .target = offsetof(struct show_settings, variant),
     .value = "base",
     .help = "show the scenario with this variant applied"},
    SET_OPTION(show_settings),
    HC_OPTION_GROUP(struct show_settings, common, hc_common_options),
    HC_OPTION_END,
};

const struct hc_command hc_command_scenario_show = {
    .name = "scenario show",
    .summary = "print a scenario with its includes resolved",
    .description = "Prints one JSON document: included files merged, what is removed taken out, "
                   "values of --set put in. With --resolved, a line for each value instead; --json "
                   "gives that list as JSON.",
    .options = show_options,
    .positionals =
        (const struct hc_positional[]){{"FILE|PRESET",
                                        "scenario, or the name of one of 'hindcast presets'; "
                                        "'-' is standard input",
                                        1, 1},
                                       {.name = NULL}},
    .examples = (const char *const[]){"hindcast scenario show --resolved combined.json", NULL},
    .settings_size = sizeof(struct show_settings),
    .run = run_show,
};

static const char *const forms[] = {"json", "markdown", NULL};

static const struct hc_option schema_options[] = {
    {.name = "as",
     .kind = HC_OPTION_CHOICE,
     .argument = "FORM",
     .target = offsetof(struct schema_settings, form),
     .value = "json",
     .choices = forms,
     .help = "JSON Schema for editors, or the tables of docs/scenario.md"},
    {.name = "kind",
     .kind = HC_OPTION_TEXT,
     .argument = "KIND",
     .target = offsetof(struct schema_settings, kind),
     .unset = "the first that there is",
     .help = "of scenarios of this kind"},
    HC_OPTION_GROUP(struct schema_settings, common, hc_plain_options),
    HC_OPTION_END,
};

const struct hc_command hc_command_scenario_schema = {
    .name = "scenario schema",
    .summary = "print the keys of scenario files",
    .description = "What depends on several keys, or on other values, is not in a JSON Schema: "
                   "'scenario check' finds that too.",
    .options = schema_options,
    .examples = (const char *const[]){"hindcast scenario schema -o scenario.schema.json", NULL},
    .settings_size = sizeof(struct schema_settings),
    .run = run_schema,
};
