#include "study/grammar/scenario_check.h"

#include "core/base/printable.h"
#include "core/base/step_ranges.h"

#include <math.h>
#include <string.h>

static void check_members(const struct hc_scenario_key *table, const struct hc_node *node,
                          struct hc_path *path, struct hc_scenario_errors *errors);

/* ---- scalars ---- */

static void wrong_type(const char *wanted, const struct hc_node *value, const struct hc_path *path,
                       struct hc_scenario_errors *errors)
{
    hc_scenario_complain(errors, &value->place, path->text, "must be %s, not %s", wanted,
                         hc_node_type_name(value->type));
}

static void check_limits(const struct hc_scenario_key *key, const struct hc_node *value,
                         const struct hc_path *path, struct hc_scenario_errors *errors)
{
    double number = value->number;
    struct hc_printable written = hc_printable(value->text, strlen(value->text));
    if (key->is_above && number <= key->low)
        hc_scenario_complain(errors, &value->place, path->text, "must be above %.15g, not %s",
                             key->low, written.text);
    else if (number < key->low)
        hc_scenario_complain(errors, &value->place, path->text, "must be at least %.15g, not %s",
                             key->low, written.text);
    else if (key->high != 0 && number > key->high)
        hc_scenario_complain(errors, &value->place, path->text, "must be at most %.15g, not %s",
                             key->high, written.text);
    else if (key->kind == HC_KEY_COUNT && number != floor(number))
        hc_scenario_complain(errors, &value->place, path->text, "must be a whole number, not %s",
                             written.text);
}

/* Draws between the ends are made of ratios (study/run/study_inputs.c). */
static void check_interval(const struct hc_scenario_key *key, const struct hc_node *value,
                           const struct hc_node_interval *interval, const struct hc_path *path,
                           struct hc_scenario_errors *errors)
{
    double low = interval->low->number, mean = interval->mean->number,
           high = interval->high->number;
    if (key->kind == HC_KEY_COUNT || !(key->is_bound || key->takes_interval))
        hc_scenario_complain(errors, &value->place, path->text,
                             "must be one number: this key takes none with an interval");
    else if (low <= 0)
        hc_scenario_complain(errors, &interval->low->place, path->text,
                             "'low' of an interval must be above 0, not %s", interval->low->text);
    else if (mean < low || mean > high || low == high)
        hc_scenario_complain(errors, &value->place, path->text,
                             "'mean' (%s) must be from 'low' (%s) to 'high' (%s), and these differ",
                             interval->mean->text, interval->low->text, interval->high->text);
    else {
        check_limits(key, interval->low, path, errors);
        check_limits(key, interval->high, path, errors);
    }
}

static void check_number(const struct hc_scenario_key *key, const struct hc_node *value,
                         const struct hc_path *path, struct hc_scenario_errors *errors)
{
    struct hc_node_interval interval;
    if (hc_node_interval(value, &interval))
        check_interval(key, value, &interval, path, errors);
    else
        check_limits(key, value, path, errors);
}

static void check_choice(const struct hc_scenario_key *key, const struct hc_node *value,
                         const struct hc_path *path, struct hc_scenario_errors *errors)
{
    char all[256] = "";
    size_t n = 0, length = 0;
    for (; key->choices[n]; n++) {
        if (strcmp(key->choices[n], value->text) == 0)
            return;
        if (length < sizeof all)
            length += (size_t)snprintf(all + length, sizeof all - length, "%s'%s'", n ? ", " : "",
                                       key->choices[n]);
    }
    struct hc_did_you_mean hint = hc_did_you_mean(value->text, key->choices, n);
    struct hc_printable shown = hc_printable(value->text, strlen(value->text));
    const char *word = shown.text;
    if (*hint.text)
        hc_scenario_complain(errors, &value->place, path->text, "'%s' is none of its values%s",
                             word, hint.text);
    else
        hc_scenario_complain(errors, &value->place, path->text, "'%s' is none of its values: %s",
                             word, all);
}

static void check_text(const struct hc_scenario_key *key, const struct hc_node *value,
                       const struct hc_path *path, struct hc_scenario_errors *errors)
{
    if (value->type != HC_NODE_TEXT)
        wrong_type("a text", value, path, errors);
    else if (key->kind == HC_KEY_CHOICE)
        check_choice(key, value, path, errors);
    else if (!*value->text)
        hc_scenario_complain(errors, &value->place, path->text, "is empty");
}

/* A number, or a text of numbers and ranges of them, or one of the words of the key. */
static void check_ranges(const struct hc_scenario_key *key, const struct hc_node *value,
                         const struct hc_path *path, struct hc_scenario_errors *errors)
{
    struct hc_step_ranges ranges = {.n = 0};
    struct hc_error wrong = {.status = HC_OK};
    if (value->type == HC_NODE_NUMBER) {
        struct hc_scenario_key one = *key;
        one.kind = HC_KEY_COUNT;
        one.high = INT32_MAX;
        check_number(&one, value, path, errors);
        return;
    }
    if (value->type != HC_NODE_TEXT) {
        wrong_type("a number or a text as \"0-3,7\"", value, path, errors);
        return;
    }
    for (const char *const *choice = key->choices; choice && *choice; choice++)
        if (strcmp(*choice, value->text) == 0)
            return;
    if (hc_step_ranges_parse(&ranges, value->text, &wrong))
        hc_scenario_complain(errors, &value->place, path->text, "%s", wrong.message);
    hc_step_ranges_fini(&ranges);
}

/* ---- arrays ---- */

/* Values of a sweep may be anything here: the study holds them against the key that they are for.
 */
static void check_element(const struct hc_scenario_key *key, const struct hc_node *value,
                          struct hc_path *path, struct hc_scenario_errors *errors)
{
    struct hc_scenario_key one = *key;
    one.kind = key->kind == HC_KEY_CHOICES ? HC_KEY_CHOICE : HC_KEY_TEXT;
    one.members = NULL;
    if (key->kind == HC_KEY_VALUES)
        return;
    if (key->kind != HC_KEY_LIST)
        check_text(&one, value, path, errors);
    else if (value->type != HC_NODE_OBJECT)
        wrong_type("an object", value, path, errors);
    else
        check_members(key->members, value, path, errors);
}

static void check_array(const struct hc_scenario_key *key, const struct hc_node *value,
                        struct hc_path *path, struct hc_scenario_errors *errors)
{
    if (value->type != HC_NODE_ARRAY) {
        wrong_type("an array", value, path, errors);
        return;
    }
    if (!value->n)
        hc_scenario_complain(errors, &value->place, path->text, "is empty");
    if (key->most && value->n > key->most)
        hc_scenario_complain(errors, &value->place, path->text, "has %zu values, %u at most",
                             value->n, key->most);
    size_t i = 0;
    for (const struct hc_node *child = value->first; child; child = child->next, i++) {
        size_t before = hc_path_add_index(path, i);
        check_element(key, child, path, errors);
        hc_path_back(path, before);
    }
}

/* ---- durations ---- */

static bool is_later(const struct hc_node *value, const struct hc_path *path,
                     struct hc_scenario_errors *errors)
{
    for (size_t i = 0; hc_distributions_later[i].name; i++) {
        const struct hc_node *child = hc_node_member(value, hc_distributions_later[i].name);
        if (!child)
            continue;
        hc_scenario_complain(errors, &child->key_place, path->text, "'%s': %s", child->key,
                             hc_distributions_later[i].why);
        return true;
    }
    return false;
}

static void check_lognormal(const struct hc_node *shape, const struct hc_path *path,
                            struct hc_scenario_errors *errors)
{
    const struct hc_node *median = hc_node_member(shape, "median"),
                         *p99 = hc_node_member(shape, "p99"), *mean = hc_node_member(shape, "mean"),
                         *sd = hc_node_member(shape, "sd");
    bool by_median = median && p99 && !mean && !sd, by_mean = mean && sd && !median && !p99;
    if (!by_median && !by_mean)
        hc_scenario_complain(errors, &shape->place, path->text,
                             "needs 'median' and 'p99', or 'mean' and 'sd'");
    else if (by_median && p99->type == HC_NODE_NUMBER && median->type == HC_NODE_NUMBER &&
             p99->number <= median->number)
        hc_scenario_complain(errors, &p99->place, path->text,
                             "'p99' must be above the median (%s), not %s", median->text,
                             p99->text);
}

static void check_empirical(const struct hc_node *shape, struct hc_path *path,
                            struct hc_scenario_errors *errors)
{
    static const struct hc_scenario_key number = {.kind = HC_KEY_NUMBER};
    const struct hc_node *values = hc_node_member(shape, "values");
    if (!values || values->type != HC_NODE_ARRAY)
        return;
    size_t before = hc_path_add(path, "values"), i = 0;
    for (const struct hc_node *child = values->first; child; child = child->next, i++) {
        size_t here = hc_path_add_index(path, i);
        hc_scenario_check_value(&number, child, path, errors);
        hc_path_back(path, here);
    }
    hc_path_back(path, before);
}

static void check_distribution(const struct hc_node *value, struct hc_path *path,
                               struct hc_scenario_errors *errors)
{
    if (is_later(value, path, errors))
        return;
    if (value->n > 1 || !value->n) {
        hc_scenario_complain(errors, &value->place, path->text,
                             "must have one key, the distribution; there are %zu", value->n);
        return;
    }
    check_members(hc_distribution_keys, value, path, errors);
    const struct hc_node *shape = value->first;
    if (shape->type != HC_NODE_OBJECT)
        return;
    size_t before = hc_path_add(path, shape->key);
    if (strcmp(shape->key, "lognormal") == 0)
        check_lognormal(shape, path, errors);
    else if (strcmp(shape->key, "empirical") == 0)
        check_empirical(shape, path, errors);
    hc_path_back(path, before);
}

/* ---- objects ---- */

/* Whether node is value, or an array that has it; values is "a|b". */
static bool has_value(const struct hc_node *node, const char *values, size_t length)
{
    if (node->type == HC_NODE_ARRAY) {
        for (const struct hc_node *child = node->first; child; child = child->next)
            if (has_value(child, values, length))
                return true;
        return false;
    }
    if (node->type != HC_NODE_TEXT)
        return true; /* a wrong type is complained of elsewhere */
    const char *at = values, *end = values + length;
    while (at < end) {
        size_t n = strcspn(at, "|");
        if (strlen(node->text) == n && memcmp(node->text, at, n) == 0)
            return true;
        at += n + 1;
    }
    return false;
}

/* Whether the check of key `name` itself has a complaint: it is required and missing, or its value
 * is none of its choices. A key that needs it gets no second complaint then. */
static bool is_wrong_itself(const struct hc_scenario_key *table, const char *name,
                            const struct hc_node *value)
{
    const struct hc_scenario_key *key = hc_scenario_key(table, name);
    if (!value)
        return key && key->is_required;
    if (!key || key->kind != HC_KEY_CHOICE || value->type != HC_NODE_TEXT)
        return false;
    for (const char *const *choice = key->choices; *choice; choice++)
        if (strcmp(*choice, value->text) == 0)
            return false;
    return true;
}

static void check_needs(const struct hc_scenario_key *table, const struct hc_scenario_key *key,
                        const struct hc_node *node, const struct hc_path *path,
                        struct hc_scenario_errors *errors)
{
    const struct hc_node *child = hc_node_member(node, key->name);
    size_t n_names = strcspn(key->needs, "=");
    const char *values = key->needs[n_names] ? key->needs + n_names + 1 : NULL;
    char name[64], shown[192];
    size_t length = 0;
    for (size_t at = 0; at < n_names;) {
        size_t n = strcspn(key->needs + at, ",=");
        snprintf(name, sizeof name, "%.*s", (int)n, key->needs + at);
        const struct hc_node *other = hc_node_member(node, name);
        if (is_wrong_itself(table, name, other) ||
            (other && (!values || has_value(other, values, strlen(values)))))
            return;
        length += (size_t)snprintf(shown + length, sizeof shown - length, "%s'%s'",
                                   at ? " or " : "", name);
        at += n + 1;
    }
    const char *to_be = values ? " to be " : " beside it";
    char choices[128] = "";
    for (size_t at = 0, put = 0; values && values[at]; at += values[at] == '|') {
        size_t n = strcspn(values + at, "|");
        put += (size_t)snprintf(choices + put, sizeof choices - put, "%s'%.*s'", at ? " or " : "",
                                (int)n, values + at);
        at += n;
    }
    hc_scenario_complain(errors, &child->key_place, path->text, "needs %s%s%s", shown, to_be,
                         choices);
}

/* Of rows with the same tag one may be given; the complaint is at the second. */
static void check_either(const struct hc_scenario_key *table, const struct hc_scenario_key *key,
                         const struct hc_node *node, const struct hc_path *path,
                         struct hc_scenario_errors *errors)
{
    const struct hc_node *first = NULL;
    char names[192] = "";
    size_t length = 0;
    for (const struct hc_scenario_key *row = table; row->name; row++) {
        if (!row->either || strcmp(row->either, key->either) != 0)
            continue;
        const struct hc_node *child = hc_node_member(node, row->name);
        if (child && first)
            hc_scenario_complain(errors, &child->key_place, path->text,
                                 "'%s' contradicts '%s': give one of them", child->key, first->key);
        else if (child)
            first = child;
        if (length < sizeof names)
            length += (size_t)snprintf(names + length, sizeof names - length, "%s'%s'",
                                       length ? ", " : "", row->name);
    }
    if (!first && key->is_either_needed)
        hc_scenario_complain(errors, &node->place, path->text, "needs one of %s", names);
}

static bool is_first_of_either(const struct hc_scenario_key *table,
                               const struct hc_scenario_key *key)
{
    for (; table != key; table++)
        if (table->either && strcmp(table->either, key->either) == 0)
            return false;
    return true;
}

static void check_rows(const struct hc_scenario_key *table, const struct hc_node *node,
                       struct hc_path *path, struct hc_scenario_errors *errors)
{
    for (const struct hc_scenario_key *key = table; key->name; key++) {
        const struct hc_node *child = hc_node_member(node, key->name);
        if (key->is_required && !child)
            hc_scenario_complain(errors, &node->place, path->text, "'%s' is missing", key->name);
        if (key->either && is_first_of_either(table, key))
            check_either(table, key, node, path, errors);
        if (child && key->needs) {
            size_t before = hc_path_add(path, key->name);
            check_needs(table, key, node, path, errors);
            hc_path_back(path, before);
        }
    }
}

static void check_members(const struct hc_scenario_key *table, const struct hc_node *node,
                          struct hc_path *path, struct hc_scenario_errors *errors)
{
    const char *names[HC_MOST_KEYS];
    size_t n = hc_scenario_key_names(table, names);
    for (const struct hc_node *child = node->first; child; child = child->next) {
        const struct hc_scenario_key *key = hc_scenario_key(table, child->key);
        size_t before = hc_path_add(path, child->key);
        if (key)
            hc_scenario_check_value(key, child, path, errors);
        else
            hc_scenario_complain(errors, &child->key_place, path->text, "unknown key%s",
                                 hc_did_you_mean(child->key, names, n).text);
        hc_path_back(path, before);
    }
    check_rows(table, node, path, errors);
}

/* An object with any names. */
static void check_named(const struct hc_scenario_key *key, const struct hc_node *value,
                        struct hc_path *path, struct hc_scenario_errors *errors)
{
    if (key->most && value->n > key->most)
        hc_scenario_complain(errors, &value->place, path->text, "has %zu names, %u at most",
                             value->n, key->most);
    for (const struct hc_node *child = value->first; child; child = child->next) {
        size_t before = hc_path_add(path, child->key);
        if (!*child->key)
            hc_scenario_complain(errors, &child->key_place, path->text, "a name is empty");
        if (key->list_of && child->type == HC_NODE_ARRAY)
            check_array(&(struct hc_scenario_key){.kind = HC_KEY_TEXTS}, child, path, errors);
        else if (key->members && child->type != HC_NODE_OBJECT)
            wrong_type("an object", child, path, errors);
        else if (key->members)
            check_members(key->members, child, path, errors);
        hc_path_back(path, before);
    }
}

static void check_object(const struct hc_scenario_key *key, const struct hc_node *value,
                         struct hc_path *path, struct hc_scenario_errors *errors)
{
    if (value->type != HC_NODE_OBJECT)
        wrong_type("an object", value, path, errors);
    else if (key->is_overlay)
        return;
    else if (key->kind == HC_KEY_OBJECT)
        check_members(key->members, value, path, errors);
    else
        check_named(key, value, path, errors);
}

static void check_numeric(const struct hc_scenario_key *key, const struct hc_node *value,
                          struct hc_path *path, struct hc_scenario_errors *errors)
{
    if (value->type == HC_NODE_NUMBER)
        check_number(key, value, path, errors);
    else if (value->type == HC_NODE_OBJECT && key->kind == HC_KEY_DURATION)
        check_distribution(value, path, errors);
    else if (value->type == HC_NODE_OBJECT && key->members)
        check_members(key->members, value, path, errors);
    else
        wrong_type(key->kind == HC_KEY_DURATION ? "a number or an object with a distribution"
                   : key->members               ? "a number or an object"
                                                : "a number",
                   value, path, errors);
}

void hc_scenario_check_value(const struct hc_scenario_key *key, const struct hc_node *value,
                             struct hc_path *path, struct hc_scenario_errors *errors)
{
    switch (key->kind) {
    case HC_KEY_BOOL:
        if (value->type != HC_NODE_BOOL)
            wrong_type("true or false", value, path, errors);
        return;
    case HC_KEY_COUNT:
    case HC_KEY_NUMBER:
    case HC_KEY_DURATION:
        check_numeric(key, value, path, errors);
        return;
    case HC_KEY_OBJECT:
    case HC_KEY_NAMED:
    case HC_KEY_SETTINGS:
    case HC_KEY_BY_POINTER:
        check_object(key, value, path, errors);
        return;
    case HC_KEY_FILES:
        if (value->type == HC_NODE_TEXT)
            check_text(key, value, path, errors);
        else
            check_array(key, value, path, errors);
        return;
    case HC_KEY_RANGES:
        check_ranges(key, value, path, errors);
        return;
    case HC_KEY_CHOICE:
        if (key->members && value->type == HC_NODE_OBJECT)
            check_members(key->members, value, path, errors);
        else
            check_text(key, value, path, errors);
        return;
    case HC_KEY_TEXT:
    case HC_KEY_FIGURE:
    case HC_KEY_CONDITION:
    case HC_KEY_POINTER:
        check_text(key, value, path, errors);
        return;
    case HC_KEY_CHOICES:
        if (value->type == HC_NODE_TEXT && key->takes_one)
            check_choice(key, value, path, errors);
        else
            check_array(key, value, path, errors);
        return;
    case HC_KEY_LIST:
    case HC_KEY_TEXTS:
    case HC_KEY_FIGURES:
    case HC_KEY_POINTERS:
    case HC_KEY_VALUES:
        check_array(key, value, path, errors);
        return;
    }
}

void hc_scenario_check(const struct hc_scenario_key *table, const struct hc_node *root,
                       struct hc_scenario_errors *errors)
{
    struct hc_path path = {.length = 0};
    if (root->type != HC_NODE_OBJECT)
        wrong_type("an object", root, &path, errors);
    else
        check_members(table, root, &path, errors);
}
