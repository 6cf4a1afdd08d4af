#include "study/engines/lifetime/scenario_records.h"

#include "core/base/memory.h"
#include "core/base/printable.h"
#include "core/files/outfile.h"
#include "core/tables/op_table.h"
#include "pipeline/inputs/incident_input.h"
#include "study/engines/lifetime/scenario_whatif.h"

#include <stdlib.h>
#include <string.h>

struct reading {
    struct hc_scenario *scenario;
    const char *archive_path;
    struct hc_archive *archive; /* opened when the first job is named */
    bool wants_workers;         /* somewhere the figure `worst_worker` is asked for */
    struct hc_path path;
    struct hc_error *err;
};

void hc_record_sources_free(struct hc_record_source *first)
{
    while (first) {
        struct hc_record_source *next = first->next;
        hc_incident_set_fini(&first->set);
        free(first->name);
        free(first->path);
        free(first->meta_path);
        free(first->title);
        free(first);
        first = next;
    }
}

/* ---- one source ---- */

static bool is_named(const struct hc_manifest_entry *entry, const char *name)
{
    size_t cluster = strlen(entry->cluster);
    if (!hc_manifest_entry_is(entry, &hc_incidents_def))
        return false;
    return strcmp(entry->job_id, name) == 0 ||
           (strncmp(entry->cluster, name, cluster) == 0 && name[cluster] == '/' &&
            strcmp(entry->job_id, name + cluster + 1) == 0);
}

static enum hc_status find_entry(const struct hc_archive *archive, const char *name,
                                 const struct hc_manifest_entry **entry, struct hc_error *err)
{
    const char *names[HC_MOST_KEYS];
    size_t n = 0, n_found = 0;
    for (size_t i = 0; i < archive->n_entries; i++) {
        const struct hc_manifest_entry *one = &archive->entries[i];
        if (hc_manifest_entry_is(one, &hc_incidents_def) && n < HC_MOST_KEYS)
            names[n++] = one->job_id;
        if (is_named(one, name)) {
            *entry = one;
            n_found++;
        }
    }
    struct hc_printable shown = hc_printable(name, strlen(name));
    if (n_found > 1)
        return hc_fail(err, HC_BAD_INPUT,
                       "archive '%s' has %zu lists of incidents '%s': name it as "
                       "'cluster/job'",
                       archive->path, n_found, shown.text);
    if (!n_found)
        return hc_fail(err, HC_BAD_INPUT, "archive '%s' has no list of incidents '%s'%s",
                       archive->path, shown.text, hc_did_you_mean(name, names, n).text);
    return HC_OK;
}

static enum hc_status read_job(struct reading *reading, struct hc_record_source *source,
                               struct hc_error *err)
{
    const struct hc_manifest_entry *entry = NULL;
    if (!reading->archive && hc_archive_open(&reading->archive, reading->archive_path, false, err))
        return err->status;
    const struct hc_archive *archive = reading->archive;
    enum hc_status status =
        source->is_trace ? hc_archive_find(archive, source->name, hc_ops_def.name, &entry, err)
                         : find_entry(archive, source->name, &entry, err);
    if (status || hc_archive_segment_path(archive, entry, &source->path, err))
        return err->status;
    memcpy(source->sha256, entry->sha256, sizeof source->sha256);
    return source->is_trace
               ? hc_whatif_source_entry(source, archive, entry, reading->wants_workers, err)
               : hc_incident_load_segment(&source->set, archive, entry, err);
}

static enum hc_status read_file(const struct reading *reading, struct hc_record_source *source,
                                struct hc_error *err)
{
    const struct hc_trace_options options = HC_TRACE_DEFAULTS;
    source->path = hc_copy_text(source->name, err);
    if (!source->path)
        return err->status;
    if (source->is_trace)
        return hc_whatif_source_file(source, reading->wants_workers, err);
    return hc_incident_load_file(&source->set, source->path, &options, source->sha256, err);
}

/* ---- those that are named ---- */

/* A path relative to the file that has it (of the command line, as it is), and never standard
 * input, which could be read only once; NULL when there is no memory. */
static const char *file_name(struct reading *reading, const struct hc_node *node)
{
    struct hc_scenario *scenario = reading->scenario;
    bool has_place = node->place.line && strncmp(node->place.file, "--set '", 7) != 0;
    const char *slash = has_place ? strrchr(node->place.file, '/') : NULL;
    int length = slash ? (int)(slash - node->place.file + 1) : 0;
    if (*node->text == '/' || (!length && strcmp(node->text, "-") != 0))
        return node->text;
    return hc_arena_format(&scenario->arena, reading->err, "%.*s%s", length ? length : 2,
                           length ? node->place.file : "./", node->text);
}

static struct hc_record_source *add_source(struct reading *reading, bool is_job, bool is_trace,
                                           const char *name)
{
    struct hc_record_source *source = hc_new_array(1, sizeof *source, reading->err);
    if (!source)
        return NULL;
    source->is_job = is_job;
    source->is_trace = is_trace;
    source->name = hc_copy_text(name, reading->err);
    if (!source->name || hc_incident_set_init(&source->set, reading->err)) {
        hc_record_sources_free(source);
        return NULL;
    }
    return source;
}

/* What was read is what the answer depends on. */
static bool keep_inputs(struct reading *reading, const struct hc_record_source *source)
{
    struct hc_scenario_input input = {.path = source->path}, meta = {.path = source->meta_path};
    memcpy(input.sha256, source->sha256, sizeof input.sha256);
    memcpy(meta.sha256, source->meta_sha256, sizeof meta.sha256);
    return hc_scenario_add_input(reading->scenario, &input, reading->err) == HC_OK &&
           (!meta.path || hc_scenario_add_input(reading->scenario, &meta, reading->err) == HC_OK);
}

/* A source that is not there is a mistake of the scenario; one that the system does not let us read
 * is none, and may be read the next time. */
static bool is_mistake(const char *path, enum hc_status status)
{
    struct hc_error ignored;
    enum hc_file_kind kind;
    if (status != HC_IO)
        return status != HC_INTERNAL;
    return hc_look_at_file(path, &kind, &ignored) == HC_OK && kind == HC_FILE_NONE;
}

/* Tie the source that node names to it; false with reading->err filled when it cannot be read, or
 * there is no memory. */
static bool attach(struct reading *reading, struct hc_node *node, bool is_job, bool is_trace)
{
    struct hc_scenario *scenario = reading->scenario;
    if (node->type != HC_NODE_TEXT || !*node->text || node->source)
        return true;
    const char *name = is_job ? node->text : file_name(reading, node);
    struct hc_record_source **end = &scenario->sources;
    if (!name)
        return false;
    for (; *end; end = &(*end)->next)
        if ((*end)->is_job == is_job && (*end)->is_trace == is_trace &&
            strcmp((*end)->name, name) == 0) {
            node->source = *end;
            return true;
        }
    struct hc_record_source *source = add_source(reading, is_job, is_trace, name);
    struct hc_error refusal = {.status = HC_OK};
    if (!source)
        return false;
    enum hc_status status =
        is_job ? read_job(reading, source, &refusal) : read_file(reading, source, &refusal);
    if (status == HC_OK) {
        node->source = *end = source;
        return keep_inputs(reading, source);
    }
    bool goes_on = is_mistake(is_job ? reading->archive_path : source->name, status);
    hc_record_sources_free(source);
    if (goes_on)
        hc_scenario_complain(&scenario->errors, &node->place, reading->path.text, "%s",
                             refusal.message);
    else {
        *reading->err = refusal;
        hc_context(reading->err, "%s:%d:%d: %s", node->place.file, node->place.line,
                   node->place.column, reading->path.text);
    }
    return goes_on;
}

static bool walk(struct reading *reading, const struct hc_node *node)
{
    bool is_object = node->key && node->type == HC_NODE_OBJECT;
    bool is_trace = is_object && strcmp(node->key, "whatif") == 0;
    bool chooses = is_trace || (is_object && (strcmp(node->key, "recorded") == 0 ||
                                              strcmp(node->key, "fitted") == 0 ||
                                              strcmp(node->key, "incidents_from") == 0));
    size_t i = 0;
    bool all = true;
    for (struct hc_node *child = node->first; child && all; child = child->next, i++) {
        size_t before = child->key ? hc_path_add(&reading->path, child->key)
                                   : hc_path_add_index(&reading->path, i);
        if (chooses && (strcmp(child->key, "file") == 0 || strcmp(child->key, "job") == 0))
            all = attach(reading, child, *child->key == 'j', is_trace);
        else
            all = walk(reading, child);
        hc_path_back(&reading->path, before);
    }
    return all;
}

/* Values of a sweep over the name of a source. */
static bool walk_sweep(struct reading *reading, const struct hc_node *sweep)
{
    const struct hc_node *path = hc_node_member(sweep, "path"),
                         *values = hc_node_member(sweep, "values");
    const char *last = path && path->type == HC_NODE_TEXT ? strrchr(path->text, '/') : NULL;
    bool is_file = last && strcmp(last, "/file") == 0, is_job = last && strcmp(last, "/job") == 0;
    bool is_trace = last && strstr(path->text, "/slow_factor/whatif/"), all = true;
    struct hc_node *child = values && values->type == HC_NODE_ARRAY ? values->first : NULL;
    for (; child && all && (is_file || is_job); child = child->next)
        all = attach(reading, child, is_job, is_trace);
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

enum hc_status hc_scenario_read_records(struct hc_scenario *scenario, const struct hc_study *study,
                                        const char *archive, struct hc_error *err)
{
    struct reading reading = {.scenario = scenario, .archive_path = archive, .err = err};
    bool all = true;
    reading.wants_workers = has_text(scenario->root, "worst_worker");
    for (size_t i = 0; i < study->n_variants && all && !scenario->errors.n; i++) {
        scenario->errors.variant = i ? study->variant[i].name : NULL;
        all = walk(&reading, study->variant[i].root);
    }
    scenario->errors.variant = NULL;
    const struct hc_node *sweeps = hc_node_member(scenario->root, "sweep");
    hc_path_add(&reading.path, "sweep");
    for (const struct hc_node *child = sweeps ? sweeps->first : NULL; child && all;
         child = child->next)
        all = walk(&reading, child) && walk_sweep(&reading, child);
    hc_archive_close(reading.archive);
    return all ? HC_OK : err->status;
}
