/* Completion for fish: a line for each option of each command, with the sentence of the help. */
#include "cli/manual/completion_words.h"
#include "cli/manual/manual.h"

#include <string.h>

/* Text within single quotes. */
static void put_text(FILE *stream, const char *text)
{
    for (; *text; text++)
        if (strchr("'\\", *text))
            fprintf(stream, "\\%c", *text);
        else
            fputc(*text, stream);
}

static const char functions[] =
    "function __hindcast_at # COMMAND: whether the line is one of this command\n"
    "    set -l words (commandline -opc)\n"
    "    set -e words[1]\n"
    "    string match -q -- \"$argv[1] *\" \"$words \"\n"
    "end\n"
    "function __hindcast_first # whether a command is still to come\n"
    "    test (count (commandline -opc)) -eq 1\n"
    "end\n"
    "function __hindcast_second # GROUP\n"
    "    set -l words (commandline -opc)\n"
    "    test (count $words) -eq 2; and test $words[2] = $argv[1]\n"
    "end\n"
    "function __hindcast_jobs # cluster/id, and the bare id\n"
    "    set -l words (commandline -opc)\n"
    "    set -l archive hindcast-archive\n"
    "    set -q HINDCAST_ARCHIVE; and set archive $HINDCAST_ARCHIVE\n"
    "    for i in (seq (count $words))\n"
    "        contains -- $words[$i] -a --archive; and set archive $words[(math $i + 1)]\n"
    "    end\n"
    "    $words[1] ls -q -a $archive 2>/dev/null | sed -n '2,${s/ .*//; p; s|.*/||p}'\n"
    "end\n"
    "complete -c hindcast -f\n"
    "complete -c hindcast -n __hindcast_first -F\n"
    "complete -c hindcast -n __hindcast_first -l version -d 'which hindcast and libraries this "
    "is'\n";

/* "-F" where a file may stand, and the words that may. */
static void put_kinds(FILE *stream, unsigned kinds, const struct hc_option *option)
{
    if (kinds & (HC_WORD_FILE | HC_WORD_DIRECTORY))
        fputs(" -F", stream);
    if (!(kinds & (HC_WORD_JOB | HC_WORD_PRESET | HC_WORD_KEY | HC_WORD_CHOICES | HC_WORD_COMMAND)))
        return;
    fputs(" -a '", stream);
    if (kinds & HC_WORD_JOB)
        fputs("(__hindcast_jobs)", stream);
    if (kinds & HC_WORD_PRESET)
        hc_put_presets(stream);
    if (kinds & HC_WORD_KEY)
        hc_put_set_keys(stream);
    if (kinds & HC_WORD_COMMAND)
        hc_put_command_words(stream, NULL);
    if (kinds & HC_WORD_CHOICES)
        hc_put_choices(stream, option);
    fputc('\'', stream);
}

static void put_option(FILE *stream, const struct hc_command *command,
                       const struct hc_option *option)
{
    fprintf(stream, "complete -c hindcast -n '__hindcast_at \"%s\"' -l %s", command->name,
            option->name);
    if (option->letter)
        fprintf(stream, " -s %c", option->letter);
    if (option->kind != HC_OPTION_FLAG) {
        unsigned kinds = hc_word_kinds_of_option(option);
        fputs(" -r", stream);
        put_kinds(stream, kinds, option);
    }
    fputs(" -d '", stream);
    put_text(stream, option->help);
    fputs("'\n", stream);
}

static void put_command(FILE *stream, const struct hc_command *command)
{
    struct hc_option_place places[HC_MAX_OPTIONS];
    size_t n = hc_options_flatten(command->options, places), first = strcspn(command->name, " ");
    const char *word = command->name[first] ? command->name + first + 1 : command->name;
    if (command->name[first])
        fprintf(stream, "complete -c hindcast -n '__hindcast_second %.*s' -a %s -d '", (int)first,
                command->name, word);
    else
        fprintf(stream, "complete -c hindcast -n __hindcast_first -a %s -d '", word);
    put_text(stream, command->summary);
    fputs("'\n", stream);
    for (size_t i = 0; i < n; i++)
        put_option(stream, command, places[i].option);
    unsigned kinds = hc_word_kinds_of_argument(command->positionals);
    if (!kinds)
        return;
    fprintf(stream, "complete -c hindcast -n '__hindcast_at \"%s\"'", command->name);
    put_kinds(stream, kinds, NULL);
    fputc('\n', stream);
}

void hc_completion_fish(FILE *stream)
{
    fprintf(stream, "# fish completion for hindcast %s; made by 'hindcast help --as fish'\n",
            HC_VERSION);
    fputs(functions, stream);
    fputs("complete -c hindcast -n __hindcast_first -a '", stream);
    hc_put_command_words(stream, NULL);
    fputs("'\n", stream);
    const struct hc_command *const *commands = hc_command_table();
    for (size_t i = 0; commands[i]; i++)
        put_command(stream, commands[i]);
}
