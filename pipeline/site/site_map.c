#include "pipeline/site/site_map.h"

#include "parsers/tabular/own_try.h"

#include <string.h>

struct reader {
    struct hc_site *site;
    struct hc_site_map *map;
    struct hc_path path;
    const struct hc_text_pattern *source_path; /* on the names of its files; or NULL */
    struct hc_error *err;
};

#define complain(r, node, ...)                                                                     \
    hc_scenario_complain(&(r)->site->errors, &(node)->place, (r)->path.text, __VA_ARGS__)

static void *take(struct reader *r, size_t n, size_t size)
{
    return hc_arena_new(&r->site->arena, (n ? n : 1) * size, r->err);
}

/* A text, or a list of them; what is none was complained of. */
static const char *const *texts_of(struct reader *r, const struct hc_node *node, size_t *n)
{
    *n = 0;
    if (!node)
        return NULL;
    const char **texts = take(r, node->n, sizeof *texts);
    if (texts && node->type == HC_NODE_TEXT)
        texts[(*n)++] = node->text;
    for (const struct hc_node *at = node->type == HC_NODE_ARRAY ? node->first : NULL; texts && at;
         at = at->next)
        if (at->type == HC_NODE_TEXT)
            texts[(*n)++] = at->text;
    return texts;
}

static const char *text_of(const struct hc_node *object, const char *key)
{
    const struct hc_node *node = hc_node_member(object, key);
    return node && node->type == HC_NODE_TEXT && *node->text ? node->text : NULL;
}

/* ---- a column ---- */

static void read_unit(struct reader *r, const struct hc_node *object, struct hc_map_rule *rule)
{
    const struct hc_node *node = hc_node_member(object, "unit");
    const char *unit = text_of(object, "unit");
    const struct hc_own_form *form = r->map->form;
    const char *column = form->def->columns[rule->column].name;
    if (!unit)
        return;
    rule->unit = hc_map_unit_find(unit);
    rule->format = rule->unit == HC_UNIT_FORMAT ? unit : NULL;
    if (rule->unit == HC_N_MAP_UNITS)
        complain(r, node,
                 "'%s' is no unit: ns, us, ms, s, min, h, d, hash, or a format of strptime", unit);
    else if (!hc_own_takes_unit(form, rule->column, rule->unit))
        complain(r, node, "the column '%s' holds %s, and has no unit '%s'", column,
                 hc_own_is_time(form, rule->column)            ? "a time"
                 : hc_own_is_duration(form, rule->column)      ? "a duration"
                 : form->def->columns[rule->column].dictionary ? "a text"
                                                               : "a number",
                 unit);
    if (rule->unit == HC_N_MAP_UNITS)
        rule->unit = HC_UNIT_OF_COLUMN;
}

/* A value that the map itself gives. */
static void try_value(struct reader *r, const struct hc_map_rule *rule, const struct hc_node *node)
{
    struct hc_error why = {0};
    if (node->type == HC_NODE_TEXT && *node->text &&
        hc_own_try(r->map->form, rule, node->text, &why))
        complain(r, node, "%s", why.message);
}

static void read_words(struct reader *r, const struct hc_node *object, struct hc_map_rule *rule)
{
    const struct hc_node *words = hc_node_member(object, "values");
    const struct hc_node *otherwise = hc_node_member(object, "otherwise");
    if (words && words->type == HC_NODE_OBJECT) {
        struct hc_map_word *list = take(r, words->n, sizeof *list);
        for (const struct hc_node *at = words->first; list && at; at = at->next) {
            if (at->type != HC_NODE_TEXT)
                continue;
            list[rule->n_words++] = (struct hc_map_word){at->key, at->text};
            try_value(r, rule, at);
        }
        rule->words = list;
    }
    rule->otherwise = text_of(object, "otherwise");
    if (rule->otherwise)
        try_value(r, rule, otherwise);
}

static void read_pattern(struct reader *r, const struct hc_node *object, struct hc_map_rule *rule)
{
    struct hc_error why = {0};
    const char *pattern = text_of(object, "pattern");
    if (pattern && hc_text_pattern_make(&rule->pattern,
                                        (struct hc_matched){pattern, strlen(pattern)}, NULL, &why))
        complain(r, hc_node_member(object, "pattern"), "%s", why.message);
}

/* From a text, the name of a column of the source, or from an object. */
static void read_rule(struct reader *r, const struct hc_node *node, struct hc_map_rule *rule)
{
    if (node->type == HC_NODE_TEXT) {
        rule->from = node->text;
        return;
    }
    const struct hc_node *value = hc_node_member(node, "value");
    rule->from = text_of(node, "from");
    rule->plus = text_of(node, "plus");
    rule->constant = text_of(node, "value");
    if (!rule->from == !rule->constant)
        complain(r, node, "either 'from', a column of the source, or 'value', the same for all");
    if (rule->plus && (!rule->from || !hc_own_is_time(r->map->form, rule->column)))
        complain(r, hc_node_member(node, "plus"), "'plus' is added to a time that 'from' gives");
    read_unit(r, node, rule);
    read_words(r, node, rule);
    read_pattern(r, node, rule);
    if (rule->constant)
        try_value(r, rule, value);
}

static size_t find_column(struct reader *r, const struct hc_node *node)
{
    const struct hc_table_def *def = r->map->form->def;
    const char *names[HC_TABLE_MAX_COLUMNS];
    size_t column = hc_own_column(def, node->key, strlen(node->key));
    for (size_t c = 0; c < def->n_columns; c++)
        names[c] = def->columns[c].name;
    if (column == def->n_columns)
        hc_scenario_complain(&r->site->errors, &node->key_place, r->path.text,
                             "table '%s' has no column '%s'%s", def->name, node->key,
                             hc_did_you_mean(node->key, names, def->n_columns).text);
    return column;
}

/* Whether the name of a file says what a column is. */
static bool names_group(const struct hc_text_pattern *path, const char *column)
{
    for (size_t i = 1; path && i <= hc_text_pattern_groups(path); i++) {
        const char *name = hc_text_pattern_group(path, i);
        if (name && strcmp(name, column) == 0)
            return true;
    }
    return false;
}

static void check_required(struct reader *r, const struct hc_node *columns)
{
    const struct hc_table_def *def = r->map->form->def;
    for (size_t c = 0; c < def->n_columns; c++)
        if (hc_own_is_required(r->map->form, c) && !hc_node_member(columns, def->columns[c].name) &&
            !names_group(r->source_path, def->columns[c].name))
            complain(r, columns, "table '%s' needs '%s': %s", def->name, def->columns[c].name,
                     def->columns[c].description);
}

static void read_columns(struct reader *r, const struct hc_node *object)
{
    const struct hc_node *columns = hc_node_member(object, "columns");
    if (!columns || columns->type != HC_NODE_OBJECT)
        return;
    size_t before = hc_path_add(&r->path, "columns");
    struct hc_map_rule *rules = take(r, columns->n, sizeof *rules);
    r->map->map.rules = rules;
    for (const struct hc_node *at = columns->first; rules && at; at = at->next) {
        size_t outer = hc_path_add(&r->path, at->key);
        struct hc_map_rule *rule = &rules[r->map->map.n_rules];
        rule->column = find_column(r, at);
        if (rule->column < r->map->form->def->n_columns) {
            r->map->map.n_rules++;
            read_rule(r, at, rule);
        }
        hc_path_back(&r->path, outer);
    }
    check_required(r, columns);
    hc_path_back(&r->path, before);
}

/* ---- the map ---- */

static const char *const default_missing[] = {"None", "NaN", "nan", "null", "NULL", "NA", "N/A"};

static void read_missing(struct reader *r, const struct hc_node *object)
{
    struct hc_table_map *map = &r->map->map;
    map->missing = default_missing;
    map->n_missing = sizeof default_missing / sizeof *default_missing;
    if (hc_node_member(object, "missing"))
        map->missing = texts_of(r, hc_node_member(object, "missing"), &map->n_missing);
}

static void read_filters(struct reader *r, const struct hc_node *object)
{
    const struct hc_node *only = hc_node_member(object, "only");
    if (!only || only->type != HC_NODE_OBJECT)
        return;
    struct hc_map_filter *filters = take(r, only->n, sizeof *filters);
    r->map->map.filters = filters;
    for (const struct hc_node *at = only->first; filters && at; at = at->next) {
        struct hc_map_filter *filter = &filters[r->map->map.n_filters++];
        filter->from = at->key;
        filter->values = texts_of(r, at, &filter->n_values);
    }
}

static void read_layout(struct reader *r, const struct hc_node *object)
{
    static const struct {
        const char *name;
        enum hc_map_layout layout;
    } layouts[] = {{"csv", HC_LAYOUT_CSV}, {"jsonl", HC_LAYOUT_JSONL}, {"json", HC_LAYOUT_JSON}};
    struct hc_table_map *map = &r->map->map;
    const char *layout = text_of(object, "layout");
    for (size_t i = 0; layout && i < sizeof layouts / sizeof *layouts; i++)
        if (strcmp(layouts[i].name, layout) == 0)
            map->layout = layouts[i].layout;
    map->rows = text_of(object, "rows");
    map->header = texts_of(r, hc_node_member(object, "header"), &map->n_header);
    if (map->rows && map->layout != HC_LAYOUT_JSON)
        complain(r, hc_node_member(object, "rows"), "'rows' needs the layout 'json'");
    if (map->header && map->layout != HC_LAYOUT_CSV)
        complain(r, hc_node_member(object, "header"), "'header' needs the layout 'csv'");
}

static const struct hc_own_form *find_form(struct reader *r, const struct hc_node *object)
{
    const struct hc_node *node = hc_node_member(object, "table");
    const char *names[64], *table = text_of(object, "table");
    size_t n;
    const struct hc_own_form *forms = hc_own_forms(&n),
                             *form = table ? hc_own_form_find(table) : NULL;
    for (size_t i = 0; i < n; i++)
        names[i] = forms[i].def->name;
    if (table && !form)
        complain(r, node, "no table of records is called '%s'%s", table,
                 hc_did_you_mean(table, names, n).text);
    return form;
}

/* Another map means that its files are read once more: its text decides. */
static enum hc_status digest_map(struct hc_site_map *map, const struct hc_node *node,
                                 struct hc_error *err)
{
    FILE *stream = hc_digest_stream(map->sha256, err);
    if (!stream)
        return err->status;
    hc_node_write_line(stream, node);
    fclose(stream);
    return HC_OK;
}

enum hc_status hc_site_map_read(struct hc_site *site, const struct hc_node *node,
                                const char *pointer, struct hc_site_source *source,
                                struct hc_error *err)
{
    struct reader r = {.site = site, .source_path = source->path, .err = err};
    snprintf(r.path.text, sizeof r.path.text, "%s", pointer);
    r.path.length = strlen(r.path.text);
    hc_path_add(&r.path, "map");
    if (node->type != HC_NODE_OBJECT || !(r.map = take(&r, 1, sizeof *r.map)))
        return err->status;
    r.map->form = find_form(&r, node);
    if (!r.map->form)
        return HC_OK;
    source->map = r.map;
    read_layout(&r, node);
    read_missing(&r, node);
    read_filters(&r, node);
    read_columns(&r, node);
    return err->status ? err->status : digest_map(r.map, node, err);
}

void hc_site_map_fini(struct hc_site_map *map)
{
    for (size_t i = 0; map && i < map->map.n_rules; i++)
        hc_text_pattern_free(map->map.rules[i].pattern);
}
