#include "study/grammar/scenario_load.h"

#include "core/base/log.h"
#include "core/base/printable.h"
#include "study/grammar/presets.h"
#include "study/grammar/scenario_check.h"
#include "study/grammar/scenario_text.h"

#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

/* The files that are open, from the innermost outwards. */
struct opened {
    const char *path;
    const char *text; /* NULL: of the file */
    const struct opened *by;
    int depth;
    struct stat stat; /* zeroed when it is no file */
};

static enum hc_status read_file(struct hc_scenario *scenario, const struct opened *file,
                                struct hc_node **root, struct hc_error *err);

/* ---- merging ---- */

bool hc_scenario_overlay(struct hc_arena *arena, struct hc_node *base, const struct hc_node *over,
                         struct hc_error *err)
{
    base->place = over->place;
    for (const struct hc_node *child = over->first; child; child = child->next) {
        struct hc_node *old = hc_node_member(base, child->key);
        if (old && old->type == HC_NODE_OBJECT && child->type == HC_NODE_OBJECT &&
            !hc_is_distribution(old) && !hc_is_distribution(child)) {
            old->key_place = child->key_place;
            if (!hc_scenario_overlay(arena, old, child, err))
                return false;
            continue;
        }
        struct hc_node *copy = hc_node_copy(arena, child, err);
        if (!copy)
            return false;
        hc_node_put(base, copy);
    }
    return true;
}

/* ---- include ---- */

/* A path relative to the directory of the file that names it. */
static const char *beside(struct hc_scenario *scenario, const char *file, const char *path)
{
    const char *slash = strrchr(file, '/');
    if (*path == '/' || !slash || hc_preset_name(path))
        return path;
    return hc_arena_format(&scenario->arena, &scenario->errors.no_memory, "%.*s%s",
                           (int)(slash - file + 1), file, path);
}

static struct opened opened(const char *path, const struct opened *by)
{
    struct opened file = {.path = path, .by = by, .depth = by ? by->depth + 1 : 0};
    if (hc_preset_name(path) || stat(path, &file.stat))
        memset(&file.stat, 0, sizeof file.stat);
    return file;
}

/* The same file may have several paths. */
static bool is_open(const struct opened *file, const struct stat *stat)
{
    for (; file && stat->st_ino; file = file->by)
        if (file->stat.st_ino == stat->st_ino && file->stat.st_dev == stat->st_dev)
            return true;
    return false;
}

/* Of a preset with several versions a file should say which it means: with a later program it would
 * be another, with other results. */
static void warn_of_versions(const struct hc_node *include, const char *by)
{
    struct hc_error ignored;
    const char *name = hc_preset_name(include->text);
    if (!name || !hc_preset_is_open(name))
        return;
    const struct hc_preset *newest = hc_preset_find(name, HC_IO, &ignored);
    hc_warn("%s:%d: '%s' is version %d, and may be a newer one in a later program; versions 1 to "
            "%d are there: write '%s@%d' to keep this one",
            hc_printable(by, strlen(by)).text, include->place.line, include->text, newest->version,
            newest->version, include->text, newest->version);
}

static enum hc_status include_one(struct hc_scenario *scenario, const struct opened *by,
                                  const struct hc_node *name, struct hc_node *base,
                                  struct hc_error *err)
{
    struct hc_scenario_errors *errors = &scenario->errors;
    struct hc_node *root = NULL;
    if (name->type != HC_NODE_TEXT || !*name->text)
        return HC_OK; /* the check of types says so */
    const char *path = beside(scenario, by->path, name->text);
    if (!path)
        return HC_INTERNAL;
    struct opened file = opened(path, by);
    if (is_open(by, &file.stat)) {
        hc_scenario_complain(errors, &name->place, "/include", "'%s' includes itself",
                             hc_printable(path, strlen(path)).text);
        return HC_OK;
    }
    if (file.depth > HC_SCENARIO_MAX_INCLUDES || ++scenario->n_files > HC_SCENARIO_MAX_FILES) {
        hc_scenario_complain(errors, &name->place, "/include",
                             "more than %d files within each other, or %d in all",
                             HC_SCENARIO_MAX_INCLUDES, HC_SCENARIO_MAX_FILES);
        return HC_OK;
    }
    warn_of_versions(name, by->path);
    enum hc_status status = read_file(scenario, &file, &root, err);
    if (status == HC_IO) {
        hc_scenario_complain(errors, &name->place, "/include", "%s", err->message);
        *err = (struct hc_error){.status = HC_OK};
        return HC_OK;
    }
    if (status == HC_OK && root &&
        !hc_scenario_overlay(&scenario->arena, base, root, &scenario->errors.no_memory))
        status = HC_INTERNAL;
    return status;
}

static void remove_one(struct hc_scenario *scenario, const struct hc_node *name,
                       struct hc_node *base)
{
    struct hc_pointer pointer;
    if (name->type != HC_NODE_TEXT)
        return;
    if (!hc_pointer_parse(&pointer, name->text) || !pointer.n) {
        hc_scenario_complain(&scenario->errors, &name->place, "/remove",
                             "'%s' is no JSON pointer to a value (as '/faults/hang')",
                             hc_printable(name->text, strlen(name->text)).text);
        return;
    }
    struct hc_node *parent = hc_pointer_walk(&pointer, pointer.n - 1, base);
    struct hc_node *child = hc_pointer_walk(&pointer, pointer.n, base);
    if (!child)
        hc_scenario_complain(&scenario->errors, &name->place, "/remove",
                             "'%s' is not there in what is included",
                             hc_printable(name->text, strlen(name->text)).text);
    else
        hc_node_remove(parent, child);
}

static void check_kinds(struct hc_scenario *scenario, const struct hc_node *base,
                        const struct hc_node *root)
{
    const struct hc_node *included = hc_node_member(base, "kind"),
                         *own = hc_node_member(root, "kind");
    if (included && own && included->type == HC_NODE_TEXT && own->type == HC_NODE_TEXT &&
        strcmp(included->text, own->text) != 0)
        hc_scenario_complain(&scenario->errors, &own->place, "/kind",
                             "'%s' includes a scenario of kind '%s'",
                             hc_printable(own->text, strlen(own->text)).text,
                             hc_printable(included->text, strlen(included->text)).text);
}

static struct hc_node *new_object(struct hc_scenario *scenario, const struct hc_place *place)
{
    struct hc_node *node =
        hc_arena_new(&scenario->arena, sizeof *node, &scenario->errors.no_memory);
    if (node) {
        node->type = HC_NODE_OBJECT;
        node->place = node->key_place = *place;
    }
    return node;
}

/* Replace *root, the document of file, by what it includes with itself laid over. */
static enum hc_status resolve(struct hc_scenario *scenario, const struct opened *file,
                              struct hc_node **root, struct hc_error *err)
{
    struct hc_node *include = hc_node_member(*root, "include"),
                   *removed = hc_node_member(*root, "remove");
    /* What editors go by is nothing of the scenario. */
    const struct hc_node *for_editors = hc_node_member(*root, "$schema");
    enum hc_status status = HC_OK;
    if (for_editors)
        hc_node_remove(*root, for_editors);
    if (!include && removed)
        hc_scenario_complain(&scenario->errors, &removed->key_place, "/remove",
                             "needs 'include': nothing else can be removed");
    if (!include)
        return HC_OK;
    struct hc_node *base = new_object(scenario, &(*root)->place);
    if (!base)
        return HC_INTERNAL;
    if (include->type == HC_NODE_TEXT)
        status = include_one(scenario, file, include, base, err);
    const struct hc_node *name = include->type == HC_NODE_ARRAY ? include->first : NULL;
    for (; name && status == HC_OK; name = name->next)
        status = include_one(scenario, file, name, base, err);
    if (status != HC_OK)
        return status;
    name = removed && removed->type == HC_NODE_ARRAY ? removed->first : NULL;
    for (; name; name = name->next)
        remove_one(scenario, name, base);
    check_kinds(scenario, base, *root);
    const char *const gone[] = {"include", "remove"};
    for (size_t i = 0; i < 2; i++) { /* of included files: done, and not of this document */
        const struct hc_node *old = hc_node_member(base, gone[i]);
        if (old)
            hc_node_remove(base, old);
    }
    if (!hc_scenario_overlay(&scenario->arena, base, *root, &scenario->errors.no_memory))
        return HC_INTERNAL;
    *root = base;
    return HC_OK;
}

/* The text of a file, or of a preset. */
static enum hc_status read_text(struct hc_scenario *scenario, struct hc_scenario_input *input,
                                struct hc_node **root, struct hc_error *err)
{
    const char *name = hc_preset_name(input->path);
    if (!name)
        return hc_scenario_file(input, root, &scenario->arena, &scenario->errors, err);
    const struct hc_preset *preset = hc_preset_find(name, HC_IO, err);
    if (!preset)
        return err->status;
    hc_digest_bytes(preset->text, preset->length, input->sha256);
    *root = hc_scenario_text(input->path, preset->text, preset->length, &scenario->arena,
                             &scenario->errors);
    /* Places are told as the file names it; what was read, by its version. */
    input->path = hc_arena_format(&scenario->arena, err, HC_PRESET_PREFIX "%s@%d", preset->name,
                                  preset->version);
    return input->path ? HC_OK : err->status;
}

/* The array doubles: the arena keeps the old ones, of which there are few. */
enum hc_status hc_scenario_add_input(struct hc_scenario *scenario,
                                     const struct hc_scenario_input *input, struct hc_error *err)
{
    size_t n = scenario->n_inputs;
    for (size_t i = 0; i < n; i++)
        if (strcmp(scenario->input[i].path, input->path) == 0 &&
            strcmp(scenario->input[i].sha256, input->sha256) == 0)
            return HC_OK;
    if ((n & (n - 1)) == 0) { /* full */
        struct hc_scenario_input *more =
            hc_arena_new(&scenario->arena, (n ? 2 * n : 1) * sizeof *more, err);
        if (!more)
            return err->status;
        if (n)
            memcpy(more, scenario->input, n * sizeof *more);
        scenario->input = more;
    }
    char *path = hc_arena_text(&scenario->arena, input->path, strlen(input->path), err);
    if (!path)
        return err->status;
    scenario->input[n] = *input;
    scenario->input[n].path = path;
    scenario->n_inputs++;
    return HC_OK;
}

static enum hc_status read_file(struct hc_scenario *scenario, const struct opened *file,
                                struct hc_node **root, struct hc_error *err)
{
    struct hc_scenario_input input = {.path = file->path};
    enum hc_status status = HC_OK;
    if (file->text)
        *root = hc_scenario_text(file->path, file->text, strlen(file->text), &scenario->arena,
                                 &scenario->errors);
    else
        status = read_text(scenario, &input, root, err);
    if (status == HC_OK && !file->text)
        status = hc_scenario_add_input(scenario, &input, err);
    if (status != HC_OK || !*root)
        return status;
    if ((*root)->type == HC_NODE_OBJECT)
        return resolve(scenario, file, root, err);
    hc_scenario_complain(&scenario->errors, &(*root)->place, NULL, "must be an object, not %s",
                         hc_node_type_name((*root)->type));
    *root = NULL;
    return HC_OK;
}

/* ---- pointers into the table ---- */

static void no_such_name(struct hc_scenario *scenario, const struct hc_node *object,
                         const char *name, const char *pointer, const struct hc_place *place)
{
    const char *names[HC_MOST_KEYS];
    size_t n = 0;
    const struct hc_node *child = object ? object->first : NULL;
    for (; child && n < HC_MOST_KEYS; child = child->next)
        names[n++] = child->key;
    struct hc_printable shown = hc_printable(name, strlen(name));
    hc_scenario_complain(&scenario->errors, place, pointer, "there is no '%s' in the scenario%s",
                         shown.text, hc_did_you_mean(name, names, n).text);
}

static void no_such_key(struct hc_scenario *scenario, const struct hc_scenario_key *table,
                        const char *name, const char *pointer, const struct hc_place *place)
{
    const char *names[HC_MOST_KEYS];
    size_t n = hc_scenario_key_names(table, names);
    struct hc_printable shown = hc_printable(name, strlen(name));
    for (size_t i = 0; table == hc_distribution_keys && hc_distributions_later[i].name; i++)
        if (strcmp(hc_distributions_later[i].name, name) == 0) {
            hc_scenario_complain(&scenario->errors, place, pointer, "'%s': %s", shown.text,
                                 hc_distributions_later[i].why);
            return;
        }
    hc_scenario_complain(&scenario->errors, place, pointer, "there is no key '%s'%s", shown.text,
                         hc_did_you_mean(name, names, n).text);
}

/* Only what the engine is told may be varied, and the seed; the command line may change what is
 * asked too, but not what the file is. */
static bool may_vary(const struct hc_scenario *scenario, const struct hc_scenario_key *top)
{
    static const char *const fixed[] = {"schema", "kind", "include", "remove"};
    for (size_t i = 0; i < sizeof fixed / sizeof fixed[0]; i++)
        if (strcmp(top->name, fixed[i]) == 0)
            return false;
    return scenario->is_option || top->is_engine || top->is_setting;
}

const struct hc_scenario_key *hc_scenario_resolve_key(struct hc_scenario *scenario,
                                                      struct hc_node *root, const char *text,
                                                      bool may_be_new, const struct hc_place *place)
{
    struct hc_pointer pointer;
    struct hc_scenario_errors *errors = &scenario->errors;
    const struct hc_scenario_key *table = scenario->top->keys, *key = NULL;
    if (!hc_pointer_parse(&pointer, text) || !pointer.n) {
        hc_scenario_complain(errors, place, NULL,
                             "'%s' is no JSON pointer to a value (as '/job/nodes')",
                             hc_printable(text, strlen(text)).text);
        return NULL;
    }
    for (size_t i = 0; i < pointer.n; i++) {
        const char *token = pointer.token[i];
        if (!table) {
            hc_scenario_complain(errors, place, text, "'%s' has no keys in it", key->name);
            return NULL;
        }
        key = hc_scenario_key(table, token);
        if (!key) {
            no_such_key(scenario, table, token, text, place);
            return NULL;
        }
        if (i == 0 && !may_vary(scenario, key)) {
            hc_scenario_complain(errors, place, text,
                                 "'%s' is part of the question: it cannot be varied", token);
            return NULL;
        }
        table = key->kind == HC_KEY_DURATION ? hc_distribution_keys : key->members;
        if (key->kind != HC_KEY_NAMED || i + 1 == pointer.n)
            continue;
        const struct hc_node *object = hc_pointer_walk(&pointer, i + 1, root);
        i++;
        if (!hc_node_member(object, pointer.token[i]) && !(may_be_new && i + 1 == pointer.n)) {
            no_such_name(scenario, object, pointer.token[i], text, place);
            return NULL;
        }
        if (i + 1 == pointer.n)
            return key; /* of one element: its members are the row's */
    }
    return key;
}

/* ---- setting ---- */

/* The object name within parent, made when it is not there, and no longer shared with another
 * document; NULL with a complaint when it is no object. */
static struct hc_node *own_member(struct hc_scenario *scenario, struct hc_node *parent,
                                  const char *name, const char *pointer,
                                  const struct hc_place *place)
{
    struct hc_error *err = &scenario->errors.no_memory;
    struct hc_node *old = hc_node_member(parent, name), *child = NULL;
    if (old && old->type != HC_NODE_OBJECT) {
        hc_scenario_complain(&scenario->errors, place, pointer,
                             "'%s' is %s in the scenario: nothing can be set in it", old->key,
                             hc_node_type_name(old->type));
        return NULL;
    }
    if (old)
        child = hc_node_shallow(&scenario->arena, old, err);
    else if ((child = new_object(scenario, place)))
        child->key = hc_arena_text(&scenario->arena, name, strlen(name), err);
    if (!child || !child->key)
        return NULL;
    hc_node_put(parent, child);
    return child;
}

bool hc_scenario_set(struct hc_scenario *scenario, struct hc_node *root, const char *text,
                     const struct hc_node *value, const struct hc_place *place)
{
    struct hc_pointer pointer;
    struct hc_error *err = &scenario->errors.no_memory;
    if (!hc_scenario_resolve_key(scenario, root, text, true, place) ||
        !hc_pointer_parse(&pointer, text))
        return false;
    struct hc_node *node = root;
    for (size_t i = 0; i + 1 < pointer.n && node; i++)
        node = own_member(scenario, node, pointer.token[i], text, place);
    if (!node)
        return false;
    struct hc_node *copy = hc_node_shallow(&scenario->arena, value, err);
    const char *last = pointer.token[pointer.n - 1];
    if (!copy || !(copy->key = hc_arena_text(&scenario->arena, last, strlen(last), err)))
        return false;
    copy->key_place = *place;
    hc_node_put(node, copy);
    return true;
}

/* A value of the command line: JSON, or a bare word, which is a text. */
static struct hc_node *option_value(struct hc_scenario *scenario, const char *name,
                                    const char *text)
{
    struct hc_error *err = &scenario->errors.no_memory;
    bool is_word = (*text >= 'a' && *text <= 'z') || (*text >= 'A' && *text <= 'Z');
    const char *const words[] = {"true", "false", "null"};
    for (size_t i = 0; i < 3; i++)
        is_word = is_word && strcmp(text, words[i]) != 0;
    struct hc_node *node = NULL;
    if (!is_word)
        node = hc_scenario_text(name, text, strlen(text), &scenario->arena, &scenario->errors);
    else if ((node = hc_arena_new(&scenario->arena, sizeof *node, err))) {
        node->type = HC_NODE_TEXT;
        node->text = hc_arena_text(&scenario->arena, text, strlen(text), err);
        if (!node->text)
            return NULL;
    }
    if (node)
        node->place = (struct hc_place){name, 0, 0};
    return node;
}

static void take_out(struct hc_node *root, const char *const *without)
{
    struct hc_pointer pointer;
    for (; without && *without; without++) {
        if (!hc_pointer_parse(&pointer, *without))
            continue;
        const struct hc_node *gone = hc_pointer_walk(&pointer, pointer.n, root);
        if (gone)
            hc_node_remove(hc_pointer_walk(&pointer, pointer.n - 1, root), gone);
    }
}

static enum hc_status set_words(struct hc_scenario *scenario,
                                const struct hc_scenario_request *request, struct hc_error *err)
{
    for (size_t i = 0; i < request->n_settings; i++) {
        const char *word = request->settings[i], *equals = strchr(word, '=');
        if (*word != '/' || !equals)
            return hc_fail(err, HC_USAGE, "'--set %s': must be '/pointer=value'", word);
        struct hc_error *no_memory = &scenario->errors.no_memory;
        const char *name = hc_arena_format(&scenario->arena, no_memory, "--set '%s'", word);
        char *pointer = hc_arena_text(&scenario->arena, word, (size_t)(equals - word), no_memory);
        if (!name || !pointer)
            return HC_OK; /* no_memory is told */
        struct hc_place place = {name, 0, 0};
        struct hc_node *value = option_value(scenario, name, equals + 1);
        scenario->is_option = true;
        if (value)
            hc_scenario_set(scenario, scenario->root, pointer, value, &place);
        scenario->is_option = false;
    }
    return HC_OK;
}

/* ---- loading ---- */

/* The engine that `kind` names, or the first; and its keys. */
static bool choose_engine(struct hc_scenario *scenario, const struct hc_scenario_request *request)
{
    const struct hc_node *kind = hc_node_member(scenario->root, "kind");
    scenario->engines = request->engines;
    scenario->engine = request->engines[0];
    if (kind && kind->type == HC_NODE_TEXT && hc_engine_find(request->engines, kind->text))
        scenario->engine = hc_engine_find(request->engines, kind->text);
    if (scenario->engine->is_later) {
        hc_scenario_complain(&scenario->errors, &kind->place, "/kind",
                             "'%s' scenarios cannot be run yet; '%s' can", kind->text,
                             request->engines[0]->name);
        scenario->is_other = true;
        return false;
    }
    scenario->top =
        hc_arena_new(&scenario->arena, sizeof *scenario->top, &scenario->errors.no_memory);
    if (scenario->top)
        hc_scenario_top(scenario->top, request->engines, scenario->engine);
    return scenario->top != NULL;
}

void hc_scenario_check_document(struct hc_scenario *scenario, const struct hc_node *root)
{
    hc_scenario_check(scenario->top->keys, root, &scenario->errors);
    if (scenario->engine->rules)
        scenario->engine->rules(scenario, root);
}

static enum hc_status finish(struct hc_scenario *scenario,
                             const struct hc_scenario_request *request, struct hc_error *err)
{
    enum hc_status status = HC_OK;
    if (scenario->root && choose_engine(scenario, request)) {
        take_out(scenario->root, request->without);
        status = set_words(scenario, request, err);
        hc_scenario_check_document(scenario, scenario->root);
    }
    hc_scenario_errors_sort(&scenario->errors);
    return status;
}

/* Whoever found no memory told the errors only. */
static enum hc_status with_memory(const struct hc_scenario *scenario, enum hc_status status,
                                  struct hc_error *err)
{
    if (!scenario->errors.no_memory.status)
        return status;
    *err = scenario->errors.no_memory;
    return err->status;
}

enum hc_status hc_scenario_load(struct hc_scenario *scenario,
                                const struct hc_scenario_request *request, struct hc_error *err)
{
    *scenario = (struct hc_scenario){.path = request->path};
    struct opened file = opened(request->path, NULL);
    file.text = request->text;
    enum hc_status status = HC_OK;
    if (!request->document)
        status = read_file(scenario, &file, &scenario->root, err);
    else if (!(scenario->root = hc_node_copy(&scenario->arena, request->document, err)))
        status = err->status;
    if (status == HC_OK)
        status = finish(scenario, request, err);
    return with_memory(scenario, status, err);
}

void hc_data_sources_free(struct hc_data_source *first)
{
    while (first) {
        struct hc_data_source *next = first->next;
        hc_incident_set_fini(&first->set);
        for (struct hc_source_fit *fit = first->fits, *after; fit; fit = after) {
            after = fit->next;
            free(fit->words);
            free(fit->scale);
            free(fit);
        }
        free(first->name);
        free(first->path);
        free(first->meta_path);
        free(first->title);
        free(first->steps);
        for (struct hc_source_steps *of = first->variants, *after; of; of = after) {
            after = of->next;
            free(of->variant);
            free(of->traced_s);
            free(of->untouched_s);
            free(of->edited_s);
            free(of);
        }
        if (first->free_timeline)
            first->free_timeline(first->timeline);
        free(first);
        first = next;
    }
}

void hc_scenario_fini(struct hc_scenario *scenario)
{
    hc_data_sources_free(scenario->sources);
    hc_scenario_errors_fini(&scenario->errors);
    hc_arena_fini(&scenario->arena);
    *scenario = (struct hc_scenario){.root = NULL};
}
