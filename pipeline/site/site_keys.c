#include "pipeline/site/site_keys.h"

#include "core/files/outfile.h"

#include <math.h>
#include <string.h>

static const char *const run_columns[] = {"name", "comment", "work_dir", NULL};
static const char *const tracings[] = {"random", "periodic", "chosen", NULL};
static const char *const layouts[] = {"csv", "jsonl", "json", NULL};

static const struct hc_site_key column_keys[] = {
    {"from", HC_SITE_TEXT, false,
     "Column of the source; within objects of JSON the keys joined by points.", NULL, NULL},
    {"plus", HC_SITE_TEXT, false,
     "Of a time: column of a duration in the same unit, which is added.", NULL, NULL},
    {"value", HC_SITE_TEXT, false, "The value of every row, in place of a column.", NULL, NULL},
    {"unit", HC_SITE_TEXT, false,
     "Of times and durations ns, us, ms, s, min, h or d, or a format of strptime; 'hash' makes a "
     "whole number of a text.",
     NULL, NULL},
    {"pattern", HC_SITE_TEXT, false,
     "Regular expression: the value is its first group, or all that it matches.", NULL, NULL},
    {"values", HC_SITE_WORDS, false, "What the words of the source mean.", NULL, NULL},
    {"otherwise", HC_SITE_TEXT, false, "The value of a word that 'values' does not have.", NULL,
     NULL},
    {NULL, HC_SITE_TEXT, false, NULL, NULL, NULL},
};

static const struct hc_site_key map_keys[] = {
    {"table", HC_SITE_TEXT, true, "The table of records that the rows go into.", NULL, NULL},
    {"columns", HC_SITE_COLUMNS, true,
     "Where the value of each column of the table comes from: a column of the source, or an "
     "object.",
     column_keys, NULL},
    {"layout", HC_SITE_TEXT, false,
     "csv, jsonl (an object a line), or json (a document); by default csv or jsonl, by content.",
     NULL, layouts},
    {"rows", HC_SITE_TEXT, false,
     "Of a document: the keys, joined by points, of the array of rows; by default it is the "
     "document.",
     NULL, NULL},
    {"header", HC_SITE_TEXTS, false, "The columns of a CSV without a line of their names.", NULL,
     NULL},
    {"missing", HC_SITE_TEXTS, false,
     "Texts that mean that nothing is known; by default None, NaN, nan, null, NULL, NA and N/A.",
     NULL, NULL},
    {"only", HC_SITE_SETS, false,
     "Rows that are taken: for columns of the source the texts that they may have.", NULL, NULL},
    {NULL, HC_SITE_TEXT, false, NULL, NULL, NULL},
};

static const struct hc_site_key source_keys[] = {
    {"name", HC_SITE_TEXT, true, "By which messages tell the source; each has another.", NULL,
     NULL},
    {"files", HC_SITE_TEXTS, true,
     "Patterns of file names: *, ?, [a-z], {a,b}, and ** for any number of directories.", NULL,
     NULL},
    {"format", HC_SITE_TEXT, false, "As 'hindcast formats' lists them; else by content.", NULL,
     NULL},
    {"cluster", HC_SITE_TEXT, false, "Of records that name none, in place of that of the site.",
     NULL, NULL},
    {"zone", HC_SITE_TEXT, false, "Of local times, in place of that of the site.", NULL, NULL},
    {"path", HC_SITE_TEXT, false,
     "Regular expression on the names of its files: its named groups are 'node' (kernel logs), "
     "'job' (logs of training runs), or, with a map, columns of the table.",
     NULL, NULL},
    {"map", HC_SITE_OBJECT, false, "How to read the table of any tool into a table of records.",
     map_keys, NULL},
    {NULL, HC_SITE_TEXT, false, NULL, NULL, NULL},
};

static const struct hc_site_key partition_keys[] = {
    {"gpu_type", HC_SITE_TEXT, false, "Type of its GPUs, where records do not say it.", NULL, NULL},
    {"gpus_per_node", HC_SITE_COUNT, false, "GPUs of each of its nodes.", NULL, NULL},
    {"price", HC_SITE_NUMBER, false, "Of an hour of one GPU, in the currency of the site.", NULL,
     NULL},
    {NULL, HC_SITE_TEXT, false, NULL, NULL, NULL},
};

static const struct hc_site_key run_keys[] = {
    {"column", HC_SITE_TEXT, false, "What of an attempt names its run.", NULL, run_columns},
    {"pattern", HC_SITE_TEXT, false,
     "Regular expression on it, whose group (?<run>...) is the name of the run.", NULL, NULL},
    {"csv", HC_SITE_TEXT, false, "Or a CSV with the columns 'job' and 'run'.", NULL, NULL},
    {"cluster", HC_SITE_TEXT, false, "Of attempts of this cluster only.", NULL, NULL},
    {NULL, HC_SITE_TEXT, false, NULL, NULL, NULL},
};

static const struct hc_site_key owner_keys[] = {
    {"kind", HC_SITE_TEXT, true, "Of findings of the nightly report, as 'lemon_node'.", NULL, NULL},
    {"owner", HC_SITE_TEXT, true, "Who looks after them.", NULL, NULL},
    {NULL, HC_SITE_TEXT, false, NULL, NULL, NULL},
};

static const struct hc_site_key acknowledged_keys[] = {
    {"id", HC_SITE_TEXT, true, "Of a finding of the nightly report.", NULL, NULL},
    {"until", HC_SITE_TEXT, true, "Day up to which it is known, as 2026-04-01.", NULL, NULL},
    {"reason", HC_SITE_TEXT, false, "Why, for people.", NULL, NULL},
    {NULL, HC_SITE_TEXT, false, NULL, NULL, NULL},
};

const struct hc_site_key hc_site_keys[] = {
    {"$schema", HC_SITE_TEXT, false, "For editors: where this schema is. It is passed over.", NULL,
     NULL},
    {"schema", HC_SITE_TEXT, true, "hindcast/site/1", NULL, NULL},
    {"cluster", HC_SITE_TEXT, false, "Of records that name none; by default 'default'.", NULL,
     NULL},
    {"zone", HC_SITE_TEXT, false,
     "Of local times that say no zone, and of the days of reports, as 'Europe/Berlin' or '+05:30'; "
     "by default UTC.",
     NULL, NULL},
    {"log_patterns", HC_SITE_TEXT, false,
     "File of patterns by which lines of logs are known (docs/formats/log-patterns.md).", NULL,
     NULL},
    {"sources", HC_SITE_LIST, true,
     "What there is to be read; of files that two sources name, the earlier decides.", source_keys,
     NULL},
    {"partitions", HC_SITE_NAMED, false, "What records do not say of partitions.", partition_keys,
     NULL},
    {"currency", HC_SITE_TEXT, false, "Of prices, as EUR.", NULL, NULL},
    {"runs", HC_SITE_LIST, false,
     "Which attempts are one run: the first rule that names a run decides.", run_keys, NULL},
    {"tracing", HC_SITE_TEXT, false,
     "Which steps of jobs timelines are taken of: at 'random', 'periodic', or 'chosen' by people, "
     "who trace slow jobs; by default chosen. Of the first two, steps without a timeline are taken "
     "to have the slowdown of the traced ones of the same attempt.",
     NULL, tracings},
    {"owners", HC_SITE_LIST, false, "Who looks after which findings of the nightly report.",
     owner_keys, NULL},
    {"acknowledged", HC_SITE_LIST, false, "Findings that are known, and until when.",
     acknowledged_keys, NULL},
    {NULL, HC_SITE_TEXT, false, NULL, NULL, NULL},
};

/* ---- checking ---- */

struct walk {
    struct hc_scenario_errors *errors;
    struct hc_path path;
};

#define complain(w, node, ...)                                                                     \
    hc_scenario_complain((w)->errors, &(node)->place, (w)->path.text, __VA_ARGS__)

static void check_object(struct walk *w, const struct hc_site_key *keys,
                         const struct hc_node *object);

static bool is_text(const struct hc_node *node)
{
    return node->type == HC_NODE_TEXT && *node->text;
}

static const char *type_name(const struct hc_node *node)
{
    return node->type == HC_NODE_TEXT ? "an empty one" : hc_node_type_name(node->type);
}

static void check_text(struct walk *w, const struct hc_site_key *key, const struct hc_node *node)
{
    bool is_choice = !key->choices;
    char list[200] = "";
    if (!is_text(node)) {
        complain(w, node, "'%s' is a text that is not empty, not %s", key->name, type_name(node));
        return;
    }
    for (size_t i = 0; key->choices && key->choices[i]; i++) {
        is_choice |= strcmp(key->choices[i], node->text) == 0;
        strcat(strcat(list, i ? ", " : ""), key->choices[i]);
    }
    if (!is_choice)
        complain(w, node, "'%s' is one of %s, not '%s'", key->name, list, node->text);
}

static void check_texts(struct walk *w, const char *name, const struct hc_node *node)
{
    if (node->type != HC_NODE_ARRAY && !is_text(node))
        complain(w, node, "'%s' is a text that is not empty, or a list of them", name);
    if (node->type != HC_NODE_ARRAY)
        return;
    if (!node->n)
        complain(w, node, "'%s' is an empty list", name);
    for (const struct hc_node *at = node->first; at; at = at->next)
        if (at->type != HC_NODE_TEXT)
            complain(w, at, "'%s' is a list of texts", name);
}

static void check_number(struct walk *w, const struct hc_site_key *key, const struct hc_node *node)
{
    bool is_whole = key->kind == HC_SITE_COUNT;
    if (node->type != HC_NODE_NUMBER || !(node->number > 0) ||
        (is_whole && (node->number != floor(node->number) || node->number > 1e9)))
        complain(w, node, "'%s' is a %snumber above 0", key->name, is_whole ? "whole " : "");
}

static void check_list(struct walk *w, const struct hc_site_key *key, const struct hc_node *node)
{
    size_t index = 0;
    if (node->type != HC_NODE_ARRAY || !node->n) {
        complain(w, node, "'%s' is a list of objects, with one at least", key->name);
        return;
    }
    for (const struct hc_node *at = node->first; at; at = at->next) {
        size_t before = hc_path_add_index(&w->path, index++);
        check_object(w, key->members, at);
        hc_path_back(&w->path, before);
    }
}

/* Of an object of any names, the value of one. */
static void check_named(struct walk *w, const struct hc_site_key *key, const struct hc_node *node)
{
    size_t before = hc_path_add(&w->path, node->key);
    if (key->kind == HC_SITE_SETS)
        check_texts(w, node->key, node);
    else if (key->kind == HC_SITE_WORDS && node->type != HC_NODE_TEXT)
        complain(w, node, "'%s' is a text", node->key);
    else if (key->kind == HC_SITE_NAMED || (key->kind == HC_SITE_COLUMNS && !is_text(node)))
        check_object(w, key->members, node);
    hc_path_back(&w->path, before);
}

static void check_value(struct walk *w, const struct hc_site_key *key, const struct hc_node *node)
{
    switch (key->kind) {
    case HC_SITE_TEXT:
        check_text(w, key, node);
        return;
    case HC_SITE_TEXTS:
        check_texts(w, key->name, node);
        return;
    case HC_SITE_NUMBER:
    case HC_SITE_COUNT:
        check_number(w, key, node);
        return;
    case HC_SITE_OBJECT:
        check_object(w, key->members, node);
        return;
    case HC_SITE_LIST:
        check_list(w, key, node);
        return;
    default:
        if (node->type != HC_NODE_OBJECT)
            complain(w, node, "'%s' is an object, not %s", key->name,
                     hc_node_type_name(node->type));
        for (const struct hc_node *at = node->first; node->type == HC_NODE_OBJECT && at;
             at = at->next)
            check_named(w, key, at);
    }
}

#define MOST_KEYS 32

static void check_object(struct walk *w, const struct hc_site_key *keys,
                         const struct hc_node *object)
{
    const char *names[MOST_KEYS];
    size_t n = 0;
    if (object->type != HC_NODE_OBJECT) {
        complain(w, object, "is to be an object, not %s", hc_node_type_name(object->type));
        return;
    }
    for (; keys[n].name; n++)
        names[n] = keys[n].name;
    for (const struct hc_node *m = object->first; m; m = m->next) {
        size_t i = 0;
        while (i < n && strcmp(m->key, names[i]) != 0)
            i++;
        if (i == n) {
            hc_scenario_complain(w->errors, &m->key_place, w->path.text, "unknown key '%s'%s",
                                 m->key, hc_did_you_mean(m->key, names, n).text);
            continue;
        }
        size_t before = hc_path_add(&w->path, m->key);
        check_value(w, &keys[i], m);
        hc_path_back(&w->path, before);
    }
    for (size_t i = 0; i < n; i++)
        if (keys[i].is_required && !hc_node_member(object, names[i]))
            complain(w, object, "'%s' is missing: %s", names[i], keys[i].help);
}

void hc_site_check_keys(struct hc_scenario_errors *errors, const struct hc_node *root)
{
    struct walk walk = {.errors = errors};
    check_object(&walk, hc_site_keys, root);
}

bool hc_site_lacks(const char *path)
{
    struct hc_error ignored = {0};
    enum hc_file_kind kind;
    return hc_look_at_file(path, &kind, &ignored) == HC_OK && kind == HC_FILE_NONE;
}
