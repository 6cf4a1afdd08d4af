#include "cli/frame/command.h"

#include <string.h>

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

const struct hc_command *hc_command_named(const char *name)
{
    size_t i = 0;
    while (table[i] && strcmp(table[i]->name, name) != 0)
        i++;
    return table[i];
}

/* The second word of a command in a group, or NULL where an option or nothing stands there. */
static const char *second_argument(int argc, char *const *argv)
{
    return argc > 2 && argv[2][0] != '-' ? argv[2] : NULL;
}

const struct hc_command *hc_command_find(int argc, char *const *argv, int *n_words)
{
    const char *word = argv[1];
    bool is_group = hc_command_is_group(word);
    const char *second = is_group ? second_argument(argc, argv) : NULL;
    *n_words = is_group ? 2 : 1;
    for (size_t i = 0; table[i]; i++) {
        const struct hc_command *command = table[i];
        size_t length = first_word(command);
        if (strlen(word) != length || strncmp(command->name, word, length) != 0)
            continue;
        if (!is_group || (second && strcmp(command->name + length + 1, second) == 0))
            return command;
    }
    return NULL;
}
