#include "cli/manual/completion_words.h"

#include "cli/frame/set_keys.h"
#include "parsers/registry/format_registry.h"
#include "study/grammar/presets.h"

#include <string.h>

/* By the word that the help has for it: "JOB|FILE". */
static unsigned kinds_of_name(const char *name)
{
    unsigned kinds = 0;
    if (strstr(name, "JOB"))
        kinds |= HC_WORD_JOB;
    if (strstr(name, "FILE") || strstr(name, "TRACE") || strstr(name, "PARTIAL"))
        kinds |= HC_WORD_FILE;
    if (strstr(name, "DIR"))
        kinds |= HC_WORD_DIRECTORY;
    if (strstr(name, "PRESET"))
        kinds |= HC_WORD_PRESET;
    if (strcmp(name, "COMMAND") == 0)
        kinds |= HC_WORD_COMMAND;
    return kinds;
}

unsigned hc_word_kinds_of_option(const struct hc_option *option)
{
    if (option->kind == HC_OPTION_CHOICE || strcmp(option->name, "format") == 0)
        return HC_WORD_CHOICES;
    if (strcmp(option->name, "set") == 0)
        return HC_WORD_KEY;
    return option->argument ? kinds_of_name(option->argument) : 0;
}

unsigned hc_word_kinds_of_argument(const struct hc_positional *positional)
{
    return positional && positional->name ? kinds_of_name(positional->name) : 0;
}

void hc_put_choices(FILE *stream, const struct hc_option *option)
{
    size_t n_formats = 0;
    const struct hc_format *const *formats = hc_formats(&n_formats);
    for (size_t i = 0; option->kind == HC_OPTION_CHOICE && option->choices[i]; i++)
        fprintf(stream, " %s", option->choices[i]);
    for (size_t i = 0; strcmp(option->name, "format") == 0 && i < n_formats; i++)
        fprintf(stream, " %s", formats[i]->name);
}

/* The newest version of a preset is the first of its name, and needs no number. */
void hc_put_presets(FILE *stream)
{
    for (size_t i = 0; i < hc_n_presets; i++)
        fprintf(stream,
                i && strcmp(hc_presets[i - 1].name, hc_presets[i].name) == 0 ? " %s@%d" : " %s",
                hc_presets[i].name, hc_presets[i].version);
}

static void put_key(const char *pointer, void *stream)
{
    fprintf(stream, " %s=", pointer);
}

void hc_put_set_keys(FILE *stream)
{
    hc_set_keys_each(put_key, stream);
}

/* Whether no command before this one begins with the same word: those of a group need not be
 * neighbours. */
static bool is_first_of_word(size_t place)
{
    const struct hc_command *const *commands = hc_command_table();
    size_t word = strcspn(commands[place]->name, " ");
    for (size_t i = 0; i < place; i++)
        if (strcspn(commands[i]->name, " ") == word &&
            strncmp(commands[i]->name, commands[place]->name, word) == 0)
            return false;
    return true;
}

void hc_put_command_words(FILE *stream, const char *group)
{
    size_t length = group ? strlen(group) : 0;
    const struct hc_command *const *commands = hc_command_table();
    for (size_t i = 0; commands[i]; i++) {
        const char *name = commands[i]->name;
        if (!group && is_first_of_word(i))
            fprintf(stream, " %.*s", (int)strcspn(name, " "), name);
        else if (group && strncmp(name, group, length) == 0 && name[length] == ' ')
            fprintf(stream, " %s", name + length + 1);
    }
}
