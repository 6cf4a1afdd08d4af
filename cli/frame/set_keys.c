#include "cli/frame/set_keys.h"

#include "core/base/nearest.h"
#include "study/grammar/engine.h"
#include "study/grammar/scenario_keys.h"

#include <stdio.h>
#include <string.h>

#define MOST_DEEP 6 /* sections within sections */

struct walk {
    void (*take)(const char *pointer, void *context);
    void *context;
};

/* The keys of a table, below the pointer that is in path so far. */
static void walk_table(const struct walk *walk, const struct hc_scenario_key *table,
                       const char *path, int depth)
{
    for (const struct hc_scenario_key *key = table; key && key->name; key++) {
        char pointer[HC_SET_POINTER];
        if (snprintf(pointer, sizeof pointer, "%s/%s", path, key->name) >= HC_SET_POINTER)
            continue;
        bool is_section = key->kind == HC_KEY_OBJECT && key->members && !key->is_again;
        if (is_section && depth < MOST_DEEP)
            walk_table(walk, key->members, pointer, depth + 1);
        else
            walk->take(pointer, walk->context);
    }
}

void hc_set_keys_each(void (*take)(const char *pointer, void *context), void *context)
{
    const struct walk walk = {take, context};
    for (const struct hc_scenario_key *key = hc_scenario_keys; key->name; key++) {
        char pointer[HC_SET_POINTER];
        if (key->is_setting && snprintf(pointer, sizeof pointer, "/%s", key->name) > 0)
            take(pointer, context);
    }
    for (size_t i = 0; hc_engines[i]; i++)
        if (!hc_engines[i]->is_later)
            walk_table(&walk, hc_engines[i]->keys, "", 0);
}

/* A key that is looked for by its last name. */
struct wanted {
    const char *name;
    size_t length;
    char found[HC_SET_POINTER];
};

static const char *last_name(const char *pointer)
{
    const char *slash = strrchr(pointer, '/');
    return slash ? slash + 1 : pointer;
}

/* The nearest name wins, the first of equal ones. */
static void compare_key(const char *pointer, void *context)
{
    struct wanted *wanted = context;
    const char *const both[] = {wanted->found[0] ? last_name(wanted->found) : NULL,
                                last_name(pointer)};
    if (hc_nearest(wanted->name, wanted->length, both, 2) == both[1])
        snprintf(wanted->found, sizeof wanted->found, "%s", pointer);
}

enum hc_status hc_set_words_check(const struct hc_words *set, struct hc_error *err)
{
    for (size_t i = 0; i < set->n; i++) {
        const char *word = set->word[i], *equals = strchr(word, '=');
        if (*word == '/' && equals)
            continue;
        if (*word == '/')
            return hc_fail(err, HC_USAGE,
                           "'--set %s': the value is missing, as in '--set %s=VALUE'", word, word);
        struct wanted wanted = {.name = word, .length = strcspn(word, "=")};
        hc_set_keys_each(compare_key, &wanted);
        if (wanted.found[0])
            return hc_fail(err, HC_USAGE,
                           "'--set %s': must be '/pointer=value' (did you mean '--set %s%s'?)",
                           word, wanted.found, equals ? equals : "=VALUE");
        return hc_fail(err, HC_USAGE,
                       "'--set %s': must be '/pointer=value', as '--set /job/nodes=1200'", word);
    }
    return HC_OK;
}
