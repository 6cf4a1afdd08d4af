/* cmd_help.c - `hindcast help [COMMAND]`. */
#include "cli/command.h"
#include "cli/help.h"

struct help_settings {
    struct hc_common_options common;
};

static enum hc_status run(void *settings, const struct hc_words *words, struct hc_error *err)
{
    (void)settings;
    if (words->n == 0) {
        hc_help_program(stdout);
        return HC_OK;
    }
    if (words->n == 1 && hc_command_is_group(words->word[0])) {
        hc_help_group(stdout, words->word[0]);
        return HC_OK;
    }
    char *argv[] = {NULL, (char *)words->word[0], words->n > 1 ? (char *)words->word[1] : NULL};
    int n_words = 0;
    const struct hc_command *command = hc_command_find((int)words->n + 1, argv, &n_words, err);
    if (command)
        hc_help_command(stdout, command);
    return command ? HC_OK : err->status;
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
