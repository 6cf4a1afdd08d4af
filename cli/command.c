#include "cli/command.h"

#include "cli/help.h"
#include "core/base/log.h"
#include "core/base/memory.h"
#include "core/base/nearest.h"
#include "core/base/threads.h"

#include <stdlib.h>
#include <string.h>

#define MAX_COMMANDS 64
#define MAX_WORD     32 /* of a command's name */

/* clang-format off */
const struct hc_command *const hc_commands[] = {
    &hc_command_ingest,
    &hc_command_ls,
    &hc_command_show,
    &hc_command_check,
    &hc_command_whatif,
    &hc_command_merge,
    &hc_command_report_reliability,
    &hc_command_export,
    &hc_command_simulate,
    &hc_command_presets,
    &hc_command_scenario_check,
    &hc_command_scenario_show,
    &hc_command_scenario_schema,
    &hc_command_synth_steps,
    &hc_command_formats,
    &hc_command_archive_gc,
    &hc_command_help,
    NULL,
};
/* clang-format on */

/* Length of the first word of a command's name. */
static size_t first_word(const struct hc_command *command)
{
    return strcspn(command->name, " ");
}

bool hc_command_is_group(const char *word)
{
    for (size_t i = 0; hc_commands[i]; i++) {
        size_t length = first_word(hc_commands[i]);
        if (hc_commands[i]->name[length] && strlen(word) == length &&
            strncmp(hc_commands[i]->name, word, length) == 0)
            return true;
    }
    return false;
}

/* The words that may stand after group (NULL: first on the command line); returns their number. */
static size_t known_words(const char *group, char known[MAX_COMMANDS][MAX_WORD])
{
    size_t n = 0;
    for (size_t i = 0; hc_commands[i] && n < MAX_COMMANDS; i++) {
        const char *name = hc_commands[i]->name;
        size_t length = first_word(hc_commands[i]);
        if (!group)
            snprintf(known[n++], MAX_WORD, "%.*s", (int)length, name);
        else if (strncmp(name, group, length) == 0 && name[length])
            snprintf(known[n++], MAX_WORD, "%s", name + length + 1);
    }
    return n;
}

/* Fill err for a word that names no command; group is the word before it, or NULL. */
static void not_found(const char *group, const char *word, struct hc_error *err)
{
    char known[MAX_COMMANDS][MAX_WORD];
    const char *names[MAX_COMMANDS] = {NULL};
    size_t n = known_words(group, known);
    for (size_t i = 0; i < n; i++)
        names[i] = known[i];
    const char *before = group ? group : "", *gap = group ? " " : "";
    if (!word) {
        hc_fail(err, HC_USAGE, "'%s' needs a command after it (see 'hindcast %s --help')", group,
                group);
        return;
    }
    const char *nearest = hc_nearest(word, strlen(word), names, n);
    if (nearest)
        hc_fail(err, HC_USAGE, "unknown command '%s%s%s' (did you mean '%s%s%s'?)", before, gap,
                word, before, gap, nearest);
    else
        hc_fail(err, HC_USAGE, "unknown command '%s%s%s' (see 'hindcast %s%s--help')", before, gap,
                word, before, gap);
}

const struct hc_command *hc_command_find(int argc, char *const *argv, int *n_words,
                                         struct hc_error *err)
{
    const char *word = argv[1];
    bool is_group = hc_command_is_group(word);
    const char *second = is_group && argc > 2 && argv[2][0] != '-' ? argv[2] : NULL;
    *n_words = is_group ? 2 : 1;
    for (size_t i = 0; hc_commands[i]; i++) {
        const struct hc_command *command = hc_commands[i];
        size_t length = first_word(command);
        if (strlen(word) != length || strncmp(command->name, word, length) != 0)
            continue;
        if (!is_group || (second && strcmp(command->name + length + 1, second) == 0))
            return command;
    }
    not_found(is_group ? word : NULL, is_group ? second : word, err);
    return NULL;
}

static void apply_common(struct hc_common_options *common)
{
    hc_log_set_quiet(common->quiet);
    int threads = hc_threads_prepare((int)common->threads);
    if (common->threads > threads)
        common->threads = threads;
}

static bool has_help(int argc, char *const *argv)
{
    for (int i = 1; i < argc && strcmp(argv[i], "--") != 0; i++)
        if (strcmp(argv[i], "--help") == 0 || strcmp(argv[i], "-h") == 0)
            return true;
    return false;
}

/* argv[0] is the last word of the command's name. */
static enum hc_status run_command(const struct hc_command *command, int argc, char **argv,
                                  struct hc_error *err)
{
    void *settings = hc_new_array(1, command->settings_size, err);
    if (!settings)
        return err->status;
    struct hc_words words = {0};
    enum hc_status status = hc_options_parse(command->options, argc, argv, settings, &words, err);
    if (status == HC_OK)
        status = hc_positionals_check(command->positionals, &words, err);
    if (status != HC_OK) {
        if (status == HC_USAGE) {
            char message[HC_ERROR_SIZE];
            memcpy(message, err->message, sizeof message);
            hc_fail(err, HC_USAGE, "%s; see 'hindcast %s --help'", message, command->name);
        }
    } else {
        apply_common(settings);
        status = command->run(settings, &words, err);
    }
    hc_options_release(command->options, settings, &words);
    free(settings);
    return status;
}

/* Nothing may have been lost on the way to standard output. */
static enum hc_status check_stdout(enum hc_status status, struct hc_error *err)
{
    if ((fflush(stdout) || ferror(stdout)) && (status == HC_OK || status == HC_FINDING))
        return hc_fail_errno(err, "cannot write", "standard output");
    return status;
}

static enum hc_status dispatch(int argc, char **argv, struct hc_error *err)
{
    if (argc < 2)
        return hc_fail(err, HC_USAGE, "no command given (see 'hindcast --help')");
    if (strcmp(argv[1], "--help") == 0 || strcmp(argv[1], "-h") == 0) {
        hc_help_program(stdout);
        return HC_OK;
    }
    if (strcmp(argv[1], "--version") == 0) {
        hc_help_version(stdout);
        return HC_OK;
    }
    if (argv[1][0] == '-')
        return hc_fail(err, HC_USAGE,
                       "unknown option '%s' before the command (see 'hindcast --help')", argv[1]);
    if (hc_command_is_group(argv[1]) && argc > 2 && argv[2][0] == '-' && has_help(argc, argv)) {
        hc_help_group(stdout, argv[1]);
        return HC_OK;
    }
    int n_words = 0;
    const struct hc_command *command = hc_command_find(argc, argv, &n_words, err);
    if (!command)
        return err->status;
    argc -= n_words;
    argv += n_words;
    if (has_help(argc, argv)) {
        hc_help_command(stdout, command);
        return HC_OK;
    }
    return run_command(command, argc, argv, err);
}

enum hc_status hc_command_line(int argc, char **argv, struct hc_error *err)
{
    return check_stdout(dispatch(argc, argv, err), err);
}
