/* cmd_help.c - `hindcast help [COMMAND]`. */
#include "cli/command.h"
#include "cli/help.h"
#include "cli/output.h"

struct help_settings {
    struct hc_common_options common;
};

static enum hc_status find_command(const struct hc_command **command, const struct hc_words *words,
                                   struct hc_error *err)
{
    char *argv[] = {NULL, (char *)words->word[0], words->n > 1 ? (char *)words->word[1] : NULL};
    int n_words = 0;
    *command = hc_command_find((int)words->n + 1, argv, &n_words, err);
    if (*command && (size_t)n_words < words->n)
        return hc_fail(err, HC_USAGE, "unexpected argument '%s'; see 'hindcast help --help'",
                       words->word[n_words]);
    return *command ? HC_OK : err->status;
}

static enum hc_status run(void *settings, const struct hc_words *words, struct hc_error *err)
{
    const struct help_settings *help = settings;
    const bool is_group = words->n == 1 && hc_command_is_group(words->word[0]);
    const struct hc_command *command = NULL;
    struct hc_output output;
    if (help->common.json)
        return hc_fail(err, HC_USAGE, "help is not written as JSON; leave out '--json'");
    if (words->n > 0 && !is_group && find_command(&command, words, err))
        return err->status;
    if (hc_output_open(&output, &help->common, false, err))
        return err->status;
    if (command)
        hc_help_command(output.stream, command);
    else if (is_group)
        hc_help_group(output.stream, words->word[0]);
    else
        hc_help_program(output.stream);
    return hc_output_end(&output, HC_OK, err);
}

static const struct hc_option options[] = {
    HC_OPTION_GROUP(struct help_settings, common, hc_common_options),
    HC_OPTION_END,
};

static const struct hc_positional positionals[] = {
    {"COMMAND", "the command to explain, which may be two words", 0, 2},
    {NULL, NULL, 0, 0},
};

const struct hc_command hc_command_help = {
    .name = "help",
    .summary = "explain a command",
    .options = options,
    .positionals = positionals,
    .examples = (const char *const[]){"hindcast help whatif", NULL},
    .settings_size = sizeof(struct help_settings),
    .run = run,
};
