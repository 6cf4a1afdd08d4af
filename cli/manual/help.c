#include "cli/manual/help.h"

#include "cli/manual/doc_folder.h"
#include "core/base/text_layout.h"

#include <H5public.h>
#include <gsl/gsl_version.h>
#include <jansson.h>
#include <libdeflate.h>
#include <lzma.h>
#include <string.h>
#include <yaml.h>
#include <zlib.h>
#include <zstd.h>

#define WIDTH       80
#define HELP_COLUMN 24 /* where the explanations of options start */

const char hc_program_description[] =
    "Reads what an LLM training job left behind, keeps it in an archive, replays it with its "
    "stragglers taken out, and reports what they cost.";

/* Paragraphs, each on lines of its own. */
static void print_paragraphs(FILE *stream, const char *text)
{
    while (*text) {
        char paragraph[2048];
        size_t length = strcspn(text, "\n");
        snprintf(paragraph, sizeof paragraph, "%.*s", (int)length, text);
        hc_text_wrap(stream, paragraph, 0, 0, WIDTH);
        text += length + (text[length] == '\n');
    }
}

/* "  NAME" in the left column, help wrapped in the right one. */
static void print_entry(FILE *stream, const char *left, const char *help)
{
    int column = fprintf(stream, "  %s", left);
    if (column > HELP_COLUMN - 2) {
        fputc('\n', stream);
        column = 0;
    }
    fprintf(stream, "%*s", HELP_COLUMN - column, "");
    hc_text_wrap(stream, help, HELP_COLUMN, HELP_COLUMN, WIDTH);
}

static void print_option(FILE *stream, const struct hc_option *option)
{
    char left[64], help[1024];
    int length = option->letter ? snprintf(left, sizeof left, "-%c, ", option->letter)
                                : snprintf(left, sizeof left, "    ");
    snprintf(left + length, sizeof left - (size_t)length, "--%s%s%s", option->name,
             option->argument ? " " : "", option->argument ? option->argument : "");
    const char *shown = option->value ? option->value : option->unset;
    if (shown)
        snprintf(help, sizeof help, "%s (default: %s)", option->help, shown);
    else
        snprintf(help, sizeof help, "%s", option->help);
    print_entry(stream, left, help);
}

static void print_options(FILE *stream, const char *title, const struct hc_option *options,
                          bool is_common)
{
    const struct hc_option *common = hc_common_options;
    struct hc_option_place places[HC_MAX_OPTIONS], shared[HC_MAX_OPTIONS];
    size_t n = hc_options_flatten(options, places);
    size_t n_common = hc_options_flatten(common, shared);
    bool titled = false;
    for (size_t i = 0; i < n; i++) {
        const struct hc_option *option = places[i].option;
        if ((option >= common && option < common + n_common) != is_common)
            continue;
        if (!titled)
            fprintf(stream, "\n%s:\n", title);
        titled = true;
        print_option(stream, option);
    }
}

static void print_usage(FILE *stream, const struct hc_command *command)
{
    fprintf(stream, "Usage: hindcast %s [OPTION...]", command->name);
    for (const struct hc_positional *p = command->positionals; p && p->name; p++) {
        fprintf(stream, p->least ? " %s" : " [%s", p->name);
        fprintf(stream, "%s%s", p->most == 1 ? "" : "...", p->least ? "" : "]");
    }
    fputs("\n\n", stream);
}

static void print_exit_codes(FILE *stream, const struct hc_command *command)
{
    fputs("\nExit status:\n  0  done\n", stream);
    if (command->finding)
        fprintf(stream, "  1  %s\n", command->finding);
    fputs("  2  the command line is wrong\n"
          "  3  the input is wrong, or too much of it\n"
          "  4  the system refused to read or write\n"
          "  5  out of memory, or a mistake in hindcast\n",
          stream);
}

void hc_help_command(FILE *stream, const struct hc_command *command)
{
    print_usage(stream, command);
    fprintf(stream, "%c%s.\n", command->summary[0] - 'a' + 'A', command->summary + 1);
    if (command->description) {
        fputc('\n', stream);
        print_paragraphs(stream, command->description);
    }
    if (command->positionals)
        fputs("\nArguments:\n", stream);
    for (const struct hc_positional *p = command->positionals; p && p->name; p++)
        print_entry(stream, p->name, p->help);
    print_options(stream, "Options", command->options, false);
    print_options(stream, "Options of every command", command->options, true);
    fprintf(stream, "\nExample%s:\n", command->examples[1] ? "s" : "");
    for (size_t i = 0; command->examples[i]; i++)
        fprintf(stream, "  %s\n", command->examples[i]);
    print_exit_codes(stream, command);
}

static void print_commands(FILE *stream, const char *group)
{
    size_t length = group ? strlen(group) : 0;
    const struct hc_command *const *commands = hc_command_table();
    for (size_t i = 0; commands[i]; i++) {
        const char *name = commands[i]->name;
        if (!group || (strncmp(name, group, length) == 0 && name[length] == ' '))
            print_entry(stream, name, commands[i]->summary);
    }
}

void hc_help_group(FILE *stream, const char *group)
{
    fprintf(stream, "Usage: hindcast %s COMMAND [OPTION...] [ARGUMENT...]\n\nCommands:\n", group);
    print_commands(stream, group);
    fprintf(stream, "\n'hindcast %s COMMAND --help' explains a command.\n", group);
}

void hc_help_program(FILE *stream)
{
    fputs("Usage: hindcast COMMAND [OPTION...] [ARGUMENT...]\n\n", stream);
    print_paragraphs(stream, hc_program_description);
    fputs("\nCommands:\n", stream);
    print_commands(stream, NULL);
    fputs("\nEnvironment:\n", stream);
    print_entry(stream, "HINDCAST_ARCHIVE", "the archive, where no -a names one");
    print_entry(stream, "OMP_NUM_THREADS", "threads, where no --threads says how many");
    print_entry(stream, "TMPDIR",
                "where pipes and members of archives are kept while they are read (default: /tmp)");
    print_entry(stream, "HINDCAST_MAX_SPOOL",
                "the most bytes that one of them may have there, as 500M or 40G (default: 16G)");
    fputs("\n'hindcast FILE' says what a file is and which commands can use it.\n"
          "'hindcast COMMAND --help' explains a command, 'hindcast help WORD' a word that a\n"
          "report prints (docs/glossary.md has all). 'hindcast --version' says which\n"
          "hindcast and which libraries this is.\n",
          stream);
    char folder[4200];
    if (hc_doc_folder(folder, sizeof folder))
        fprintf(stream, "docs/, examples/ and data/samples/ that the help names are in\n%s.\n",
                folder);
}

const char *hc_help_libraries(void)
{
    static char text[256];
    /* HDF5 stops a program whose library is of another version than its headers; to ask it would
     * start it. */
    snprintf(text, sizeof text,
             "HDF5 %d.%d.%d, GSL %s, zlib %s, libdeflate %s, zstd %s, liblzma %s, libyaml %s, "
             "jansson %s",
             H5_VERS_MAJOR, H5_VERS_MINOR, H5_VERS_RELEASE, gsl_version, zlibVersion(),
             LIBDEFLATE_VERSION_STRING, ZSTD_versionString(), lzma_version_string(),
             yaml_get_version_string(), jansson_version_str());
    return text;
}

void hc_help_version(FILE *stream)
{
    fprintf(stream, "hindcast %s%s%s%s\n%s\n", HC_VERSION, hc_commit[0] ? " (commit " : "",
            hc_commit, hc_commit[0] ? ")" : "", hc_help_libraries());
    fputs("The sources of hindcast are under Apache-2.0. This program contains GSL, the GNU\n"
          "Scientific Library, and is as a whole under the GNU General Public License,\n"
          "version 3 or later (GPL-3+). There is no warranty.\n",
          stream);
}
