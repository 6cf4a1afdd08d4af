/* cmd_help.c - `hindcast help [COMMAND]`. */
#include "cli/frame/command.h"
#include "cli/frame/help.h"
#include "cli/frame/manual.h"
#include "cli/frame/output.h"

enum form { FORM_TEXT, FORM_MAN, FORM_BASH, FORM_NAMES };

struct help_settings {
    struct hc_common_options common;
    int form; /* enum form */
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

static void write_text(FILE *stream, const struct hc_command *command, const char *group)
{
    if (command)
        hc_help_command(stream, command);
    else if (group)
        hc_help_group(stream, group);
    else
        hc_help_program(stream);
}

static enum hc_status run(void *settings, const struct hc_words *words, struct hc_error *err)
{
    const struct help_settings *help = settings;
    const char *group =
        words->n == 1 && hc_command_is_group(words->word[0]) ? words->word[0] : NULL;
    const struct hc_command *command = NULL;
    struct hc_output output;
    if (words->n > 0 && !group && find_command(&command, words, err))
        return err->status;
    if (words->n > 0 && help->form >= FORM_BASH)
        return hc_fail(err, HC_USAGE, "that form is for all commands at once; leave out '%s'",
                       words->word[0]);
    if (group && help->form == FORM_MAN)
        return hc_fail(err, HC_USAGE, "'%s' is a group; each of its commands has a manual page",
                       group);
    if (hc_output_open(&output, &help->common, false, err))
        return err->status;
    if (help->form == FORM_MAN)
        hc_manual_page(output.stream, command);
    else if (help->form == FORM_BASH)
        hc_completion_bash(output.stream);
    else if (help->form == FORM_NAMES)
        hc_manual_names(output.stream);
    else
        write_text(output.stream, command, group);
    return hc_output_end(&output, HC_OK, err);
}

static const char *const forms[] = {"text", "man", "bash", "names", NULL};

static const struct hc_option options[] = {
    {.name = "as",
     .kind = HC_OPTION_CHOICE,
     .argument = "FORM",
     .target = offsetof(struct help_settings, form),
     .value = "text",
     .choices = forms,
     .help = "text, man (a manual page, as scdoc source), bash (completion for all commands) or "
             "names (of all manual pages)"},
    HC_OPTION_GROUP(struct help_settings, common, hc_plain_options),
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
    .examples =
        (const char *const[]){"hindcast help whatif", "hindcast help --as man -o whatif.scd whatif",
                              "hindcast help --as bash -o hindcast.bash", NULL},
    .settings_size = sizeof(struct help_settings),
    .run = run,
};
