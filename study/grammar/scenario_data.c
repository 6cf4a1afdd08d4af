#include "study/grammar/scenario_data.h"

#include "core/base/memory.h"

#include <string.h>

struct reading {
    struct hc_scenario *scenario;
    const struct hc_data_provider *provider;
    bool wants_workers; /* somewhere the figure of the worst worker is asked for */
    const char *steps;  /* of the object at hand, beside what names a timeline; or NULL */
    struct hc_path path;
    struct hc_error *err;
};

/* ---- one source ---- */

/* The same document outside of its directory needs this path (hc_scenario_renamed). */
static bool keep_name(struct reading *reading, const struct hc_node *node, const char *path)
{
    struct hc_scenario *scenario = reading->scenario;
    struct hc_scenario_renamed *renamed =
        hc_arena_new(&scenario->arena, sizeof *renamed, reading->err);
    if (!renamed)
        return false;
    *renamed = (struct hc_scenario_renamed){scenario->renamed, node->place, path};
    scenario->renamed = renamed;
    return true;
}

/* The path of the data file that a scenario names. In a scenario file the name is relative to that
 * file, from --set to the working directory. "-" is a file of that name: standard input could be
 * read only once, and a study reads its data again. NULL when there is no memory. */
static const char *file_name(struct reading *reading, const struct hc_node *node)
{
    struct hc_scenario *scenario = reading->scenario;
    bool has_place = node->place.line && strncmp(node->place.file, "--set '", 7) != 0;
    const char *slash = has_place ? strrchr(node->place.file, '/') : NULL;
    int length = slash ? (int)(slash - node->place.file + 1) : 0;
    if (*node->text == '/' || (!length && strcmp(node->text, "-") != 0))
        return node->text;
    const char *path =
        hc_arena_format(&scenario->arena, reading->err, "%.*s%s", length ? length : 2,
                        length ? node->place.file : "./", node->text);
    return path && keep_name(reading, node, path) ? path : NULL;
}

static bool is_same(const char *a, const char *b)
{
    return a && b ? strcmp(a, b) == 0 : a == b;
}

static struct hc_data_source *new_source(const struct reading *reading,
                                         const struct hc_scenario_key *key, const char *name)
{
    struct hc_error *err = reading->err;
    struct hc_data_source *source = hc_new_array(1, sizeof *source, err);
    if (!source)
        return NULL;
    source->kind = (enum hc_data_kind)key->data;
    source->is_job = key->is_data_job;
    source->name = hc_copy_text(name, err);
    if (reading->steps)
        source->steps = hc_copy_text(reading->steps, err);
    if (!source->name || (reading->steps && !source->steps) ||
        hc_incident_set_init(&source->set, err)) {
        hc_data_sources_free(source);
        return NULL;
    }
    return source;
}

/* What was read is what the answer depends on. */
static bool keep_inputs(struct reading *reading, const struct hc_data_source *source)
{
    struct hc_scenario_input input = {.path = source->path}, meta = {.path = source->meta_path};
    memcpy(input.sha256, source->sha256, sizeof input.sha256);
    memcpy(meta.sha256, source->meta_sha256, sizeof meta.sha256);
    return hc_scenario_add_input(reading->scenario, &input, reading->err) == HC_OK &&
           (!meta.path || hc_scenario_add_input(reading->scenario, &meta, reading->err) == HC_OK);
}

static enum hc_status provide(const struct reading *reading, struct hc_data_source *source,
                              struct hc_error *err)
{
    const struct hc_data_provider *provider = reading->provider;
    if (!provider)
        return hc_fail(err, HC_BAD_INPUT, "recorded data cannot be read here");
    return provider->read(provider->context, source, reading->wants_workers, err);
}

/* Tie the source that node names to it; false with reading->err filled when it cannot be read, or
 * there is no memory. */
static bool attach(struct reading *reading, const struct hc_scenario_key *key, struct hc_node *node)
{
    struct hc_scenario *scenario = reading->scenario;
    if (node->type != HC_NODE_TEXT || !*node->text)
        return true;
    if (node->source && !is_same(node->source->steps, reading->steps))
        hc_scenario_complain(&scenario->errors, &node->place, reading->path.text,
                             "all variants replay the same steps of it");
    if (node->source)
        return true;
    const char *name = key->is_data_job ? node->text : file_name(reading, node);
    struct hc_data_source **end = &scenario->sources;
    if (!name)
        return false;
    for (; *end; end = &(*end)->next)
        if ((*end)->is_job == key->is_data_job && (int32_t)(*end)->kind == key->data &&
            strcmp((*end)->name, name) == 0 && is_same((*end)->steps, reading->steps)) {
            node->source = *end;
            return true;
        }
    struct hc_data_source *source = new_source(reading, key, name);
    struct hc_error refusal = {.status = HC_OK};
    if (!source)
        return false;
    enum hc_status status = provide(reading, source, &refusal);
    if (status == HC_OK) {
        node->source = *end = source;
        return keep_inputs(reading, source);
    }
    hc_data_sources_free(source);
    if (status == HC_BAD_INPUT) {
        hc_scenario_complain(&scenario->errors, &node->place, reading->path.text, "%s",
                             refusal.message);
        return true;
    }
    *reading->err = refusal;
    hc_context(reading->err, "%s:%d:%d: %s", node->place.file, node->place.line, node->place.column,
               reading->path.text);
    return false;
}

/* ---- those that are named ---- */

static bool walk(struct reading *reading, const struct hc_scenario_key *table,
                 const struct hc_node *node);

/* What may be in the value of a key: the members of an object, of each name, of each element. */
static bool walk_value(struct reading *reading, const struct hc_scenario_key *key,
                       struct hc_node *value)
{
    const struct hc_scenario_key *members =
        key->kind == HC_KEY_DURATION ? hc_distribution_keys : key->members;
    bool all = true;
    if (key->data)
        return attach(reading, key, value);
    if (!members)
        return true;
    if (key->kind != HC_KEY_NAMED && key->kind != HC_KEY_LIST)
        return walk(reading, members, value);
    size_t i = 0;
    for (struct hc_node *child = value->first; child && all; child = child->next, i++) {
        size_t before = child->key ? hc_path_add(&reading->path, child->key)
                                   : hc_path_add_index(&reading->path, i);
        all = walk(reading, members, child);
        hc_path_back(&reading->path, before);
    }
    return all;
}

static bool walk(struct reading *reading, const struct hc_scenario_key *table,
                 const struct hc_node *node)
{
    bool all = true;
    struct hc_node *child = node->type == HC_NODE_OBJECT ? node->first : NULL;
    for (; child && all; child = child->next) {
        const struct hc_scenario_key *key = hc_scenario_key(table, child->key);
        size_t before = hc_path_add(&reading->path, child->key);
        const struct hc_node *steps = hc_node_member(node, "steps");
        bool is_timeline = key && key->data == HC_DATA_TIMELINE;
        reading->steps = is_timeline && steps ? steps->text : NULL;
        if (key)
            all = walk_value(reading, key, child);
        reading->steps = NULL;
        hc_path_back(&reading->path, before);
    }
    return all;
}

static bool has_text(const struct hc_node *node, const char *text)
{
    if (node->type == HC_NODE_TEXT && strcmp(node->text, text) == 0)
        return true;
    for (const struct hc_node *child = node->first; child; child = child->next)
        if (has_text(child, text))
            return true;
    return false;
}

/* Values of sweeps: the names of sources, and what has such names in it. */
static bool walk_sweeps(struct reading *reading, const struct hc_study *study)
{
    bool all = true;
    hc_path_add(&reading->path, "sweep");
    for (size_t k = 0; k < study->n_sweeps && all; k++) {
        const struct hc_study_sweep *sweep = &study->sweep[k];
        for (size_t i = 0; i < sweep->n && all; i++) /* of the document, which is ours */
            all = walk_value(reading, sweep->key, (struct hc_node *)sweep->value[i]);
    }
    return all;
}

enum hc_status hc_scenario_read_data(struct hc_scenario *scenario, const struct hc_study *study,
                                     const struct hc_data_provider *provider, struct hc_error *err)
{
    struct reading reading = {.scenario = scenario, .provider = provider, .err = err};
    bool all = true;
    reading.wants_workers = has_text(scenario->root, HC_DATA_WORST_WORKER);
    for (size_t i = 0; i < study->n_variants && all && !scenario->errors.n; i++) {
        scenario->errors.variant = i ? study->variant[i].name : NULL;
        all = walk(&reading, scenario->top->keys, study->variant[i].root);
    }
    scenario->errors.variant = NULL;
    all = all && walk_sweeps(&reading, study);
    if (provider && provider->close)
        provider->close(provider->context);
    return all ? HC_OK : err->status;
}
