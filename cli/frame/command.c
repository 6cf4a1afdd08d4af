#include "cli/frame/command.h"

#include "core/base/nearest.h"

#include <stdio.h>
#include <string.h>

#define MAX_COMMANDS 64
#define MAX_WORD     32 /* of a command's name */

/* The table of the running program; empty until it is said. */
static const struct hc_command *const no_commands[] = {NULL};
static const struct hc_command *const *table = no_commands;

void hc_command_table_use(const struct hc_command *const *commands)
{
    table = commands;
}

const struct hc_command *const *hc_command_table(void)
{
    return table;
}

/* Length of the first word of a command's name. */
static size_t first_word(const struct hc_command *command)
{
    return strcspn(command->name, " ");
}

bool hc_command_is_group(const char *word)
{
    for (size_t i = 0; table[i]; i++) {
        size_t length = first_word(table[i]);
        if (table[i]->name[length] && strlen(word) == length &&
            strncmp(table[i]->name, word, length) == 0)
            return true;
    }
    return false;
}

/* The words that may stand after group (NULL: first on the command line); returns their number. */
static size_t known_words(const char *group, char known[MAX_COMMANDS][MAX_WORD])
{
    size_t n = 0;
    for (size_t i = 0; table[i] && n < MAX_COMMANDS; i++) {
        const char *name = table[i]->name;
        size_t length = first_word(table[i]);
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

const struct hc_command *hc_command_named(const char *name)
{
    size_t i = 0;
    while (table[i] && strcmp(table[i]->name, name) != 0)
        i++;
    return table[i];
}

const struct hc_command *hc_command_find(int argc, char *const *argv, int *n_words,
                                         struct hc_error *err)
{
    const char *word = argv[1];
    bool is_group = hc_command_is_group(word);
    const char *second = is_group && argc > 2 && argv[2][0] != '-' ? argv[2] : NULL;
    *n_words = is_group ? 2 : 1;
    for (size_t i = 0; table[i]; i++) {
        const struct hc_command *command = table[i];
        size_t length = first_word(command);
        if (strlen(word) != length || strncmp(command->name, word, length) != 0)
            continue;
        if (!is_group || (second && strcmp(command->name + length + 1, second) == 0))
            return command;
    }
    not_found(is_group ? word : NULL, is_group ? second : word, err);
    return NULL;
}
