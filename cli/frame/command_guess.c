#include "cli/frame/command_guess.h"

#include "core/base/nearest.h"

#include <stdio.h>
#include <string.h>

/* The words that other tools have for commands. Of a word with several rows, the first that fits
 * the group is taken. */
static const struct other_word {
    const char *word, *command;
} other_words[] = {
    {"version", "--version"},
    {"list", "ls"},
    {"jobs", "ls"},
    {"status", "ls"},
    {"info", "show"},
    {"describe", "show"},
    {"inspect", "show"},
    {"cat", "query"},
    {"sql", "query"},
    {"select", "query"},
    {"verify", "check"},
    {"fsck", "check"},
    {"validate", "scenario check"},
    {"validate", "site check"},
    {"lint", "scenario check"},
    {"print", "scenario show"},
    {"import", "ingest"},
    {"load", "ingest"},
    {"add", "ingest"},
    {"read", "ingest"},
    {"analyze", "whatif"},
    {"analyse", "whatif"},
    {"replay", "whatif"},
    {"diff", "compare"},
    {"join", "merge"},
    {"convert", "export"},
    {"perfetto", "export"},
    {"dump", "export"},
    {"run", "simulate"},
    {"sim", "simulate"},
    {"rerun", "reproduce"},
    {"generate", "synth steps"},
    {"rm", "archive rm"},
    {"remove", "archive rm"},
    {"delete", "archive rm"},
    {"clean", "archive gc"},
    {"vacuum", "archive gc"},
    {"upgrade", "archive migrate"},
    {"man", "help"},
    {"usage", "help"},
    {NULL, NULL},
};

/* Length of the first word of a command's name, and the second word, or "". */
static size_t first_length(const char *name)
{
    return strcspn(name, " ");
}
static const char *second_word(const char *name)
{
    size_t length = first_length(name);
    return name[length] ? name + length + 1 : "";
}

static bool is_in_group(const char *name, const char *group)
{
    size_t length = first_length(name);
    return name[length] && strlen(group) == length && strncmp(name, group, length) == 0;
}

/* The command of the group whose second word is nearest to word, or NULL. */
static const struct hc_command *near_in_group(const char *group, const char *word)
{
    const struct hc_command *const *table = hc_command_table(), *best = NULL;
    for (size_t i = 0; table[i]; i++) {
        const char *second = is_in_group(table[i]->name, group) ? second_word(table[i]->name) : "";
        const char *const both[] = {best ? second_word(best->name) : NULL, second};
        if (*second && hc_nearest(word, strlen(word), both, 2) == second)
            best = table[i];
    }
    return best;
}

/* The nearest first word, or NULL; it lasts until the next call. */
static const char *near_first_word(const char *word)
{
    static char best[HC_GUESS_SIZE];
    const struct hc_command *const *table = hc_command_table();
    best[0] = '\0';
    for (size_t i = 0; table[i]; i++) {
        char first[HC_GUESS_SIZE];
        snprintf(first, sizeof first, "%.*s", (int)first_length(table[i]->name), table[i]->name);
        const char *const both[] = {best, first};
        if (hc_nearest(word, strlen(word), both, 2) == first)
            snprintf(best, sizeof best, "%s", first);
    }
    return best[0] ? best : NULL;
}

static const char *find_other_word(const char *group, const char *word)
{
    for (const struct other_word *other = other_words; other->word; other++)
        if (strcmp(other->word, word) == 0 && (!group || is_in_group(other->command, group)))
            return other->command;
    return NULL;
}

/* The command of two words, of whichever group, whose second one this is. */
static const struct hc_command *with_second_word(const char *word)
{
    const struct hc_command *const *table = hc_command_table();
    for (size_t i = 0; table[i]; i++)
        if (strcmp(second_word(table[i]->name), word) == 0)
            return table[i];
    return NULL;
}

bool hc_command_guess(const char *group, const char *word, char guess[HC_GUESS_SIZE])
{
    const struct hc_command *near = group ? near_in_group(group, word) : NULL;
    const char *meant = near ? near->name : group ? NULL : near_first_word(word);
    if (!meant)
        meant = find_other_word(group, word);
    if (!meant && group)
        meant = hc_command_named(word) ? word : find_other_word(NULL, word);
    near = meant ? NULL : with_second_word(word);
    if (near)
        meant = near->name;
    snprintf(guess, HC_GUESS_SIZE, "%s", meant ? meant : "");
    return meant != NULL;
}

enum hc_status hc_command_unknown(int argc, char *const *argv, struct hc_error *err)
{
    char guess[HC_GUESS_SIZE];
    const char *group = hc_command_is_group(argv[1]) ? argv[1] : NULL;
    const char *word = !group ? argv[1] : argc > 2 && argv[2][0] != '-' ? argv[2] : NULL;
    const char *before = group ? group : "", *gap = group ? " " : "";
    if (!word)
        return hc_fail(err, HC_USAGE, "'%s' needs a command after it (see 'hindcast %s --help')",
                       group, group);
    if (hc_command_guess(group, word, guess))
        return hc_fail(err, HC_USAGE, "unknown command '%s%s%s' (did you mean 'hindcast %s'?)",
                       before, gap, word, guess);
    return hc_fail(err, HC_USAGE, "unknown command '%s%s%s' (see 'hindcast %s%s--help')", before,
                   gap, word, before, gap);
}
