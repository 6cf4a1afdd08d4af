#include "cli/manual/manual.h"

#include "cli/manual/glossary.h"
#include "cli/manual/help.h"

#include <string.h>

/* Commands that go together, beside those of a group. */
static const struct {
    const char *one, *other;
} related[] = {
    {"ingest", "formats"},
    {"ingest", "ls"},
    {"ingest", "site init"},
    {"ingest", "check"},
    {"ls", "show"},
    {"ls", "query"},
    {"check", "archive gc"},
    {"whatif", "compare"},
    {"whatif", "export"},
    {"whatif", "merge"},
    {"whatif", "synth steps"},
    {"whatif", "report stragglers"},
    {"compare", "simulate"},
    {"report stragglers", "synth kineto"},
    {"diagnose collectives", "report collectives"},
    {"report nightly", "joins"},
    {"report nightly", "compare"},
    {"report nightly", "top lost"},
    {"report failures", "joins"},
    {"joins", "runs propose"},
    {"fit", "simulate"},
    {"fit", "report reliability"},
    {"query", "export"},
    {"simulate", "presets"},
    {"simulate", "reproduce"},
    {"simulate", "scenario check"},
    {"simulate", "scenario show"},
    {"simulate", "scenario schema"},
    {NULL, NULL},
};

/* Text with what scdoc would take for markup escaped. */
static void put_text(FILE *stream, const char *text)
{
    for (; *text; text++) {
        if (strchr("\\_*~`#", *text))
            fputc('\\', stream);
        fputc(*text, stream);
    }
}

/* A newline in a description starts a new paragraph. */
static void put_paragraphs(FILE *stream, const char *text)
{
    for (; *text; text++) {
        char one[2] = {*text, '\0'};
        if (*text == '\n')
            fputs("\n\n", stream);
        else
            put_text(stream, one);
    }
    fputs("\n\n", stream);
}

/* "hindcast-synth-steps" */
static void put_page_name(FILE *stream, const struct hc_command *command)
{
    fputs("hindcast", stream);
    if (command)
        fputc('-', stream);
    for (const char *p = command ? command->name : ""; *p; p++)
        fputc(*p == ' ' ? '-' : *p, stream);
}

static void put_heading(FILE *stream, const struct hc_command *command, const char *summary)
{
    put_page_name(stream, command);
    fprintf(stream, "(1) \"hindcast %s\" \"Hindcast Manual\"\n\n# NAME\n\n", HC_VERSION);
    put_page_name(stream, command);
    fputs(" - ", stream);
    put_text(stream, summary);
    fputs("\n\n# SYNOPSIS\n\n", stream);
}

static void put_synopsis(FILE *stream, const struct hc_command *command)
{
    fprintf(stream, "*hindcast %s* [_OPTION_...]", command->name);
    for (const struct hc_positional *p = command->positionals; p && p->name; p++)
        fprintf(stream, " %s_%s_%s%s", p->least ? "" : "[", p->name, p->most == 1 ? "" : "...",
                p->least ? "" : "]");
    fputs("\n\n", stream);
}

/* "term" on a line of its own, its explanation indented below. */
static void put_entry(FILE *stream, const char *term, const char *text)
{
    fprintf(stream, "*%s*\n\t", term);
    put_text(stream, text);
    fputs("\n\n", stream);
}

static void put_option(FILE *stream, const struct hc_option *option)
{
    if (option->letter)
        fprintf(stream, "*-%c*, ", option->letter);
    fprintf(stream, "*--%s*", option->name);
    if (option->argument) {
        fputs(" _", stream);
        put_text(stream, option->argument);
        fputc('_', stream);
    }
    fputs("\n\t", stream);
    put_text(stream, option->help);
    const char *shown = option->value ? option->value : option->unset;
    if (shown) {
        fputs(" (default: ", stream);
        put_text(stream, shown);
        fputc(')', stream);
    }
    fputs("\n\n", stream);
}

static void put_options(FILE *stream, const struct hc_command *command)
{
    struct hc_option_place places[HC_MAX_OPTIONS];
    size_t n = hc_options_flatten(command->options, places);
    fputs("# OPTIONS\n\n", stream);
    for (size_t i = 0; i < n; i++)
        put_option(stream, places[i].option);
}

static void put_examples(FILE *stream, const struct hc_command *command)
{
    fputs("# EXAMPLES\n\n```\n", stream);
    for (size_t i = 0; command->examples[i]; i++)
        fprintf(stream, "%s\n", command->examples[i]);
    fputs("```\n\n", stream);
}

static void put_exit_status(FILE *stream, const char *finding)
{
    fputs("# EXIT STATUS\n\n", stream);
    put_entry(stream, "0", "done");
    if (finding)
        put_entry(stream, "1", finding);
    put_entry(stream, "2", "the command line is wrong");
    put_entry(stream, "3", "the input is wrong, or too much of it");
    put_entry(stream, "4", "the system refused to read or write");
    put_entry(stream, "5", "out of memory, or a mistake in hindcast");
}

static void put_environment(FILE *stream)
{
    fputs("# ENVIRONMENT\n\n", stream);
    put_entry(stream, "HINDCAST\\_ARCHIVE", "the archive, where no -a names one");
    put_entry(stream, "OMP\\_NUM\\_THREADS", "threads, where no --threads says how many");
    put_entry(stream, "TMPDIR",
              "where pipes and members of archives are kept while they are read (default: /tmp)");
    put_entry(stream, "HINDCAST\\_MAX\\_SPOOL",
              "the most bytes that one of them may have there, as 500M or 40G (default: 16G)");
}

static void put_terms(FILE *stream, const struct hc_command *command)
{
    const struct hc_term *term = hc_term_of_command(command, NULL);
    if (term)
        fputs("# TERMS\n\n", stream);
    for (; term; term = hc_term_of_command(command, term)) {
        fputc('*', stream);
        put_text(stream, term->name);
        fputs("*\n\t", stream);
        put_text(stream, term->meaning);
        fputs("\n\n", stream);
    }
}

/* Whether somebody who reads the page of one command may want that of the other: those of its
 * group, and those that its page names. */
static bool is_related(const struct hc_command *command, const struct hc_command *other)
{
    char named[64];
    size_t first = strcspn(command->name, " ");
    snprintf(named, sizeof named, "hindcast %s", other->name);
    if (other == command)
        return false;
    if (command->name[first] && strncmp(command->name, other->name, first + 1) == 0)
        return true;
    if (command->description && strstr(command->description, named))
        return true;
    const struct hc_command *const pages[] = {command, other};
    for (size_t p = 0; p < 2; p++)
        for (size_t i = 0; related[i].one; i++)
            if (strcmp(related[i].one, pages[p]->name) == 0 &&
                strcmp(related[i].other, pages[1 - p]->name) == 0)
                return true;
    return false;
}

static void put_see_also(FILE *stream, const struct hc_command *command)
{
    const char *gap = command ? ", " : "";
    const struct hc_command *const *commands = hc_command_table();
    fputs("# SEE ALSO\n\n", stream);
    if (command)
        fputs("*hindcast*(1)", stream);
    for (size_t i = 0; commands[i]; i++) {
        if (command && !is_related(command, commands[i]))
            continue;
        fprintf(stream, "%s*", gap);
        put_page_name(stream, commands[i]);
        fputs("*(1)", stream);
        gap = ", ";
    }
    fputs(
        "\n\nThe words that reports print are in docs/glossary.md; *hindcast help* _WORD_ explains "
        "one.\n",
        stream);
}

static void put_command_page(FILE *stream, const struct hc_command *command)
{
    put_heading(stream, command, command->summary);
    put_synopsis(stream, command);
    if (command->description) {
        fputs("# DESCRIPTION\n\n", stream);
        put_paragraphs(stream, command->description);
    }
    if (command->positionals)
        fputs("# ARGUMENTS\n\n", stream);
    for (const struct hc_positional *p = command->positionals; p && p->name; p++)
        put_entry(stream, p->name, p->help);
    put_options(stream, command);
    put_examples(stream, command);
    put_exit_status(stream, command->finding);
    put_environment(stream);
    put_terms(stream, command);
    put_see_also(stream, command);
}

static void put_program_page(FILE *stream)
{
    put_heading(stream, NULL, "what stragglers, faults and start-up cost a training job");
    fputs("*hindcast* _COMMAND_ [_OPTION_...] [_ARGUMENT_...]\n\n# DESCRIPTION\n\n", stream);
    put_paragraphs(stream, hc_program_description);
    fputs("# COMMANDS\n\n", stream);
    const struct hc_command *const *commands = hc_command_table();
    for (size_t i = 0; commands[i]; i++)
        put_entry(stream, commands[i]->name, commands[i]->summary);
    put_exit_status(stream, "done, and something was found over its threshold");
    put_environment(stream);
    put_see_also(stream, NULL);
}

void hc_manual_page(FILE *stream, const struct hc_command *command)
{
    if (command)
        put_command_page(stream, command);
    else
        put_program_page(stream);
}

void hc_manual_names(FILE *stream)
{
    put_page_name(stream, NULL);
    fputc('\n', stream);
    const struct hc_command *const *commands = hc_command_table();
    for (size_t i = 0; commands[i]; i++) {
        put_page_name(stream, commands[i]);
        fputc('\n', stream);
    }
}
