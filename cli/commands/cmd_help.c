/* cmd_help.c - `hindcast help [COMMAND]`. */
#include "cli/frame/command.h"
#include "cli/frame/command_guess.h"
#include "cli/frame/output.h"
#include "cli/manual/glossary.h"
#include "cli/manual/help.h"
#include "cli/manual/manual.h"
#include "core/base/text_layout.h"

#include <stdio.h>

/* From FORM_BASH on they are of all commands at once. */
enum form { FORM_TEXT, FORM_MAN, FORM_BASH, FORM_ZSH, FORM_FISH, FORM_NAMES, FORM_GLOSSARY };

struct help_settings {
    struct hc_common_options common;
    int form; /* enum form */
};

static enum hc_status find_command(const struct hc_command **command, const struct hc_words *words,
                                   struct hc_error *err)
{
    char *argv[] = {NULL, (char *)words->word[0], words->n > 1 ? (char *)words->word[1] : NULL};
    int n_words = 0;
    *command = hc_command_find((int)words->n + 1, argv, &n_words);
    if (!*command)
        return hc_command_unknown((int)words->n + 1, argv, err);
    if ((size_t)n_words < words->n)
        return hc_fail(err, HC_USAGE, "unexpected argument '%s'; see 'hindcast help --help'",
                       words->word[n_words]);
    return HC_OK;
}

static void write_term(FILE *stream, const struct hc_term *term)
{
    char text[512];
    snprintf(text, sizeof text, "%s: %s", term->name, term->meaning);
    hc_text_wrap(stream, text, 0, 2, 80);
}

/* A group of commands may be a word of reports, too: "scenario". */
static void write_text(FILE *stream, const struct hc_command *command, const char *group,
                       const struct hc_term *term)
{
    if (command)
        hc_help_command(stream, command);
    else if (group)
        hc_help_group(stream, group);
    else if (!term)
        hc_help_program(stream);
    if (group && term)
        fputc('\n', stream);
    if (term)
        write_term(stream, term);
}

static void write_form(FILE *stream, int form, const struct hc_command *command)
{
    switch ((enum form)form) {
    case FORM_MAN:
        hc_manual_page(stream, command);
        return;
    case FORM_BASH:
        hc_completion_bash(stream);
        return;
    case FORM_ZSH:
        hc_completion_zsh(stream);
        return;
    case FORM_FISH:
        hc_completion_fish(stream);
        return;
    case FORM_NAMES:
        hc_manual_names(stream);
        return;
    case FORM_GLOSSARY:
        hc_glossary_write(stream);
        return;
    case FORM_TEXT:
        return;
    }
}

/* A word of the glossary, which no command is called; words with a space are given as one or two.
 */
static const struct hc_term *find_term(const struct hc_words *words)
{
    char name[128];
    if (words->n == 0 || hc_command_named(words->word[0]))
        return NULL;
    snprintf(name, sizeof name, "%s%s%s", words->word[0], words->n > 1 ? " " : "",
             words->n > 1 ? words->word[1] : "");
    return hc_term_find(name);
}

static enum hc_status run(void *settings, const struct hc_words *words, struct hc_error *err)
{
    const struct help_settings *help = settings;
    const char *group =
        words->n == 1 && hc_command_is_group(words->word[0]) ? words->word[0] : NULL;
    const struct hc_command *command = NULL;
    const struct hc_term *term = find_term(words);
    struct hc_output output;
    if (words->n > 0 && !group && !term && find_command(&command, words, err))
        return err->status;
    if (words->n > 0 && help->form >= FORM_BASH)
        return hc_fail(err, HC_USAGE, "that form is for all commands at once; leave out '%s'",
                       words->word[0]);
    if (group && help->form == FORM_MAN)
        return hc_fail(err, HC_USAGE, "'%s' is a group; each of its commands has a manual page",
                       group);
    if (hc_output_open(&output, &help->common, false, err))
        return err->status;
    if (help->form == FORM_TEXT)
        write_text(output.stream, command, group, term);
    else
        write_form(output.stream, help->form, command);
    return hc_output_end(&output, HC_OK, err);
}

static const char *const forms[] = {"text", "man",   "bash",     "zsh",
                                    "fish", "names", "glossary", NULL};

static const struct hc_option options[] = {
    {.name = "as",
     .kind = HC_OPTION_CHOICE,
     .argument = "FORM",
     .target = offsetof(struct help_settings, form),
     .value = "text",
     .choices = forms,
     .help = "text, man (a manual page, as scdoc source), bash, zsh or fish (completion for all "
             "commands), names (of all manual pages) or glossary (the words that reports print, as "
             "docs/glossary.md)"},
    HC_OPTION_GROUP(struct help_settings, common, hc_plain_options),
    HC_OPTION_END,
};

static const struct hc_positional positionals[] = {
    {"COMMAND",
     "the command to explain, which may be two words; or a word that a report prints, as "
     "ETTR or 'launch delay'",
     0, 2},
    {NULL, NULL, 0, 0},
};

const struct hc_command hc_command_help = {
    .name = "help",
    .summary = "explain a command, or a word that a report prints",
    .options = options,
    .positionals = positionals,
    .examples = (const char *const[]){"hindcast help whatif", "hindcast help ettr",
                                      "hindcast help --as man -o whatif.scd whatif",
                                      "hindcast help --as bash -o hindcast.bash", NULL},
    .settings_size = sizeof(struct help_settings),
    .threads_later = true,
    .run = run,
};
