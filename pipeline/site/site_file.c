#include "pipeline/site/site_file.h"

#include "core/files/outfile.h"
#include "parsers/patterns/pattern_report.h"
#include "parsers/registry/format_registry.h"
#include "pipeline/site/pattern_input.h"
#include "pipeline/site/site_keys.h"
#include "pipeline/site/site_map.h"
#include "pipeline/site/site_runs.h"

#include <stdlib.h>
#include <string.h>

#define DEFAULT_PATH "site.json"

/* What a document is read with: its site, and where memory ran out. */
struct reader {
    struct hc_site *site;
    const char *directory; /* of the site file, with its slash; or "" */
    struct hc_error *err;
};

#define complain(r, node, pointer, ...)                                                            \
    hc_scenario_complain(&(r)->site->errors, &(node)->place, pointer, __VA_ARGS__)

/* The text of a member, or `otherwise` where it is not there or no text. */
static const char *text_of(const struct hc_node *object, const char *key, const char *otherwise)
{
    const struct hc_node *node = hc_node_member(object, key);
    return node && node->type == HC_NODE_TEXT && *node->text ? node->text : otherwise;
}

static void check_zone(struct reader *r, const struct hc_node *object, const char *pointer)
{
    struct hc_zone zone = {0};
    struct hc_error why = {0};
    const struct hc_node *node = hc_node_member(object, "zone");
    if (node && node->type == HC_NODE_TEXT && hc_zone_init(&zone, node->text, &why))
        complain(r, node, pointer, "%s", why.message);
    hc_zone_fini(&zone);
}

static void check_format(struct reader *r, const struct hc_node *object, const char *pointer)
{
    const struct hc_node *node = hc_node_member(object, "format");
    if (node && node->type == HC_NODE_TEXT && !hc_format_find(node->text))
        complain(r, node, pointer, "unknown format '%s'; 'hindcast formats' lists them",
                 node->text);
}

static enum hc_status add_pattern(struct reader *r, struct hc_site_source *source,
                                  const struct hc_node *node)
{
    if (node->type != HC_NODE_TEXT || !*node->text)
        return HC_OK;
    const char *before = *node->text == '/' ? "" : r->directory;
    char *pattern = hc_arena_format(&r->site->arena, r->err, "%s%s", before, node->text);
    source->patterns[source->n_patterns] = pattern;
    source->n_patterns += pattern != NULL;
    return r->err->status;
}

static enum hc_status read_files(struct reader *r, struct hc_site_source *source,
                                 const struct hc_node *object)
{
    const struct hc_node *files = hc_node_member(object, "files");
    if (!files)
        return HC_OK;
    bool is_list = files->type == HC_NODE_ARRAY;
    source->patterns =
        hc_arena_new(&r->site->arena, (is_list ? files->n : 1) * sizeof *source->patterns, r->err);
    if (!source->patterns)
        return r->err->status;
    if (!is_list)
        return add_pattern(r, source, files);
    for (const struct hc_node *at = files->first; at; at = at->next)
        if (add_pattern(r, source, at))
            return r->err->status;
    return HC_OK;
}

static void check_name(struct reader *r, const struct hc_site_source *source,
                       const struct hc_node *object, const char *pointer)
{
    const struct hc_site *site = r->site;
    for (size_t i = 0; source->name && i < site->n_sources; i++)
        if (site->sources[i].name && strcmp(site->sources[i].name, source->name) == 0)
            complain(r, hc_node_member(object, "name"), pointer, "'%s' is there twice",
                     source->name);
}

static enum hc_status read_map(struct reader *r, struct hc_site_source *source,
                               const struct hc_node *object, const char *pointer)
{
    const struct hc_node *map = hc_node_member(object, "map");
    if (!map)
        return HC_OK;
    if (source->format)
        complain(r, hc_node_member(object, "format"), pointer,
                 "a source has a format, or a map, not both");
    if (hc_site_map_read(r->site, map, pointer, source, r->err))
        return r->err->status;
    source->format = source->map ? source->map->form->format : NULL;
    return HC_OK;
}

/* The groups of a pattern on names of files are columns of the table of a map, or else what parsers
 * ask for. */
static void check_path_groups(struct reader *r, const struct hc_site_source *source,
                              const struct hc_node *node, const char *pointer)
{
    size_t n_named = 0;
    for (size_t i = 1; i <= hc_text_pattern_groups(source->path); i++) {
        const char *name = hc_text_pattern_group(source->path, i);
        n_named += name != NULL;
        if (!name)
            continue;
        const struct hc_table_def *def = source->map ? source->map->form->def : NULL;
        bool is_known = def ? hc_own_column(def, name, strlen(name)) < def->n_columns
                            : strcmp(name, "node") == 0 || strcmp(name, "job") == 0;
        if (!is_known)
            complain(r, node, pointer, "the group '%s' is %s", name,
                     def ? "no column of the table" : "neither 'node' nor 'job'");
    }
    if (!n_named)
        complain(r, node, pointer, "'path' has no named group, as (?<node>...)");
}

static void read_path(struct reader *r, struct hc_site_source *source, const struct hc_node *object,
                      const char *pointer)
{
    struct hc_error why = {0};
    const char *path = text_of(object, "path", NULL);
    const struct hc_node *node = hc_node_member(object, "path");
    source->path_text = path;
    if (path &&
        hc_text_pattern_make(&source->path, (struct hc_matched){path, strlen(path)}, NULL, &why))
        complain(r, node, pointer, "%s", why.message);
}

static enum hc_status read_source(struct reader *r, const struct hc_node *root,
                                  const struct hc_node *object, const char *pointer)
{
    struct hc_site_source source = {.place = object->place};
    if (object->type != HC_NODE_OBJECT)
        return HC_OK;
    source.name = text_of(object, "name", NULL);
    source.format = text_of(object, "format", NULL);
    source.cluster = text_of(object, "cluster", text_of(root, "cluster", NULL));
    source.zone = text_of(object, "zone", text_of(root, "zone", NULL));
    check_name(r, &source, object, pointer);
    check_format(r, object, pointer);
    check_zone(r, object, pointer);
    read_path(r, &source, object, pointer);
    if (read_files(r, &source, object) || read_map(r, &source, object, pointer))
        return r->err->status;
    if (source.path)
        check_path_groups(r, &source, hc_node_member(object, "path"), pointer);
    r->site->sources[r->site->n_sources++] = source;
    return HC_OK;
}

static enum hc_status read_sources(struct reader *r, const struct hc_node *root)
{
    const struct hc_node *sources = hc_node_member(root, "sources");
    if (!sources || sources->type != HC_NODE_ARRAY || !sources->n)
        return HC_OK;
    r->site->sources = hc_arena_new(&r->site->arena, sources->n * sizeof *r->site->sources, r->err);
    if (!r->site->sources)
        return r->err->status;
    struct hc_path path = {.text = ""};
    hc_path_add(&path, "sources");
    size_t index = 0;
    for (const struct hc_node *at = sources->first; at; at = at->next) {
        size_t before = hc_path_add_index(&path, index++);
        if (read_source(r, root, at, path.text))
            return r->err->status;
        hc_path_back(&path, before);
    }
    return HC_OK;
}

/* What is wrong with the file, or in it, is a mistake of the site. */
static enum hc_status read_patterns(struct reader *r, const struct hc_node *root)
{
    struct hc_error why = {0};
    const char *name = text_of(root, "log_patterns", NULL);
    if (!name)
        return HC_OK;
    char *path =
        hc_arena_format(&r->site->arena, r->err, "%s%s", *name == '/' ? "" : r->directory, name);
    if (!path)
        return r->err->status;
    enum hc_status status = hc_pattern_input_load(&r->site->patterns, path, &why);
    if (status == HC_BAD_INPUT || (status == HC_IO && hc_site_lacks(path)))
        complain(r, hc_node_member(root, "log_patterns"), "/log_patterns", "%s", why.message);
    else if (status)
        *r->err = why;
    return r->err->status;
}

static enum hc_status read_document(struct reader *r, const struct hc_node *root)
{
    if (root->type != HC_NODE_OBJECT) {
        complain(r, root, "", "a site file is an object, not %s", hc_node_type_name(root->type));
        return HC_OK;
    }
    const struct hc_node *node = hc_node_member(root, "schema");
    const char *schema = text_of(root, "schema", NULL);
    hc_site_check_keys(&r->site->errors, root);
    if (schema && strcmp(schema, HC_SITE_SCHEMA) != 0)
        complain(r, node, "/schema", "'schema' is to be '" HC_SITE_SCHEMA "'");
    check_zone(r, root, "/zone");
    if (read_patterns(r, root))
        return r->err->status;
    return read_sources(r, root) ? r->err->status
                                 : hc_site_runs_read(r->site, root, r->directory, r->err);
}

/* The first mistake, and how many more there are. */
static enum hc_status conclude(struct hc_site *site, struct hc_error *err)
{
    struct hc_scenario_errors *errors = &site->errors;
    char first[1024];
    size_t n = errors->n + errors->n_more;
    hc_scenario_errors_sort(errors);
    if (n == 0 || errors->no_memory.status)
        return hc_scenario_errors_status(errors, err);
    hc_scenario_error_format(&errors->error[0], first, sizeof first);
    return n == 1 ? hc_fail(err, HC_BAD_INPUT, "%s", first)
                  : hc_fail(err, HC_BAD_INPUT, "%s (and %zu more; see 'hindcast site check')",
                            first, n - 1);
}

/* Where no path was given. */
static const char *default_path(struct hc_error *err)
{
    const char *variable = getenv("HINDCAST_SITE");
    enum hc_file_kind kind;
    if (variable && *variable)
        return variable;
    if (hc_look_at_file(DEFAULT_PATH, &kind, err))
        return NULL;
    if (kind != HC_FILE_NONE)
        return DEFAULT_PATH;
    hc_fail(err, HC_USAGE,
            "no file is given, and there is no site file '" DEFAULT_PATH "' (docs/site.md): name "
            "what is to be read, or let 'hindcast site init' write one");
    return NULL;
}

bool hc_site_is_there(const char *path)
{
    struct hc_error why = {0};
    return path || default_path(&why) || why.status != HC_USAGE;
}

enum hc_status hc_site_open(struct hc_site *site, const char *path, struct hc_error *err)
{
    struct hc_node *root = NULL;
    memset(site, 0, sizeof *site);
    if (!path && !(path = default_path(err)))
        return err->status;
    site->input.path = path;
    if (hc_scenario_file(&site->input, &root, &site->arena, &site->errors, err))
        return err->status;
    const char *slash = strrchr(path, '/');
    const char *directory =
        hc_arena_text(&site->arena, path, slash ? (size_t)(slash - path) + 1 : 0, err);
    struct reader reader = {site, directory, err};
    if (!directory || (root && read_document(&reader, root)))
        return err->status;
    return conclude(site, err);
}

/* Texts in which expressions of the site have used up their steps. */
static void report_patterns(const struct hc_site *site)
{
    for (size_t i = 0; i < site->n_sources; i++) {
        const struct hc_site_map *map = site->sources[i].map;
        hc_text_pattern_report(site->sources[i].path, "/sources/path", site->input.path);
        for (size_t k = 0; map && k < map->map.n_rules; k++)
            hc_text_pattern_report(map->map.rules[k].pattern, "/sources/columns/pattern",
                                   site->input.path);
    }
    for (size_t i = 0; i < site->n_run_rules; i++)
        hc_text_pattern_report(site->run_rules[i].pattern, "/runs/pattern", site->input.path);
}

static void source_fini(struct hc_site_source *source)
{
    hc_site_map_fini(source->map);
    hc_text_pattern_free(source->path);
}

void hc_site_close(struct hc_site *site)
{
    report_patterns(site);
    for (size_t i = 0; i < site->n_sources; i++)
        source_fini(&site->sources[i]);
    hc_site_runs_fini(site);
    hc_pattern_input_free(&site->patterns);
    hc_scenario_errors_fini(&site->errors);
    hc_arena_fini(&site->arena);
    memset(site, 0, sizeof *site);
}
