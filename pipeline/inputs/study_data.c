#include "pipeline/inputs/study_data.h"

#include "core/base/memory.h"
#include "core/base/printable.h"
#include "core/files/outfile.h"
#include "core/process/threads.h"
#include "core/tables/op_table.h"
#include "pipeline/inputs/incident_input.h"
#include "pipeline/inputs/study_profile.h"
#include "pipeline/inputs/trace_load.h"
#include "sim/edits/replay_base.h"
#include "sim/whatif/whatif.h"
#include "study/engines/replay/replay_engine.h"
#include "study/grammar/scenario_errors.h"
#include "study/grammar/scenario_prepare.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#define MOST_NAMES 64 /* of which one may be meant */

/* ---- where it comes from ---- */

static enum hc_status keep_origin(struct hc_data_source *source,
                                  const struct hc_loaded_trace *loaded, const struct hc_job *job,
                                  struct hc_error *err)
{
    if (source->is_job) /* its segment has the metadata in it */
        return HC_OK;
    memcpy(source->sha256, loaded->origin.source_sha256, sizeof source->sha256);
    if (!job->meta_path)
        return HC_OK;
    memcpy(source->meta_sha256, job->meta_sha256, sizeof source->meta_sha256);
    source->meta_path = hc_copy_text(job->meta_path, err);
    return source->meta_path ? HC_OK : err->status;
}

/* ---- what-if ---- */

static enum hc_status take(struct hc_data_source *source, const struct hc_loaded_trace *loaded,
                           const struct hc_whatif_result *result, struct hc_error *err)
{
    const struct hc_job *job = &result->job;
    if (!(result->discrepancy <= HC_DISCREPANCY_LIMIT))
        return hc_fail(err, HC_BAD_INPUT,
                       "%s: the replay is %.3g %% off the trace, %.3g %% at most: its slowdown "
                       "cannot be taken",
                       loaded->label, 1e2 * result->discrepancy, 1e2 * HC_DISCREPANCY_LIMIT);
    source->slowdown = result->slowdown;
    source->worst_worker = NAN;
    for (size_t i = 0; i < result->n_workers; i++) /* NaN is passed over */
        source->worst_worker = fmax(source->worst_worker, result->workers[i].exact);
    source->title = source->is_job ? hc_new_text(err, "job %s (%s/%s, attempt %d)", source->name,
                                                 job->cluster, job->id, (int)job->attempt)
                                   : hc_new_text(err, "%s (job %s)", loaded->label, job->id);
    return source->title ? keep_origin(source, loaded, job, err) : err->status;
}

/* ---- timelines ---- */

/* A step timeline that is replayed. */
struct kept {
    struct hc_replay_input input; /* first: the timeline of the source */
    struct hc_replay_base *base;
};

static void free_kept(void *timeline)
{
    struct kept *kept = timeline;
    hc_replay_base_free(kept->base);
    free(kept);
}

static enum hc_status keep_steps(struct hc_data_source *source,
                                 const struct hc_loaded_trace *loaded, struct hc_error *err)
{
    struct hc_step_ranges steps = {.n = 0};
    struct kept *kept = hc_new_array(1, sizeof *kept, err);
    if (!kept)
        return err->status;
    source->timeline = kept;
    source->free_timeline = free_kept;
    if (source->steps && hc_step_ranges_parse(&steps, source->steps, err))
        return err->status;
    const struct hc_replay_options options = {
        .steps = &steps, .max_bad = loaded->max_bad, .leaves_out_outliers = true};
    enum hc_status status = hc_replay_base_new(&kept->base, loaded->trace, &options, err);
    hc_step_ranges_fini(&steps);
    if (status)
        return hc_context(err, "%s", loaded->label);
    kept->input = (struct hc_replay_input){.steps = kept->base, .job = &kept->base->job};
    source->title = hc_new_text(err, "%s", source->is_job ? source->name : loaded->label);
    return source->title ? keep_origin(source, loaded, &kept->base->job, err) : err->status;
}

/* Which workers are slow is found only where it is asked for: it takes a replay of each. */
static enum hc_status replay(struct hc_data_source *source, const struct hc_loaded_trace *loaded,
                             bool wants_workers, struct hc_error *err)
{
    const struct hc_whatif_options options = {
        .threshold = wants_workers ? 0 : INFINITY, /* all of it, or S alone */
        .replay = {.max_bad = loaded->max_bad, .leaves_out_outliers = true},
        .depth = wants_workers ? HC_DEPTH_WORKERS : 0,
        .picture_step = HC_MISSING_I32,
    };
    struct hc_whatif_result result;
    if (source->kind == HC_DATA_TIMELINE)
        return keep_steps(source, loaded, err);
    if (hc_whatif_run(&result, loaded->trace, &options, err))
        return hc_context(err, "%s", loaded->label);
    enum hc_status status = take(source, loaded, &result, err);
    hc_whatif_result_fini(&result);
    return status;
}

static enum hc_status replay_file(struct hc_data_source *source, bool wants_workers,
                                  struct hc_error *err)
{
    const struct hc_trace_options options = HC_TRACE_DEFAULTS;
    struct hc_trace_loader loader = {.trace_options = &options};
    struct hc_loaded_trace loaded;
    hc_threads_raise(1); /* what is done with the trace may be much, whatever its size */
    if (!hc_is_trace_file(source->path)) /* else it would be looked for in the archive */
        return hc_fail(err, HC_IO, "'%s' is no file", source->path);
    if (hc_trace_load(&loaded, &loader, source->path, err))
        return err->status;
    enum hc_status status = replay(source, &loaded, wants_workers, err);
    hc_loaded_trace_release(&loaded);
    return status;
}

static enum hc_status replay_entry(struct hc_data_source *source, const struct hc_archive *archive,
                                   const struct hc_manifest_entry *entry, bool wants_workers,
                                   struct hc_error *err)
{
    struct hc_loaded_trace loaded;
    hc_threads_raise(1); /* what is done with the trace may be much, whatever its size */
    if (hc_trace_load_entry(&loaded, archive, entry, err))
        return err->status;
    enum hc_status status = replay(source, &loaded, wants_workers, err);
    hc_loaded_trace_release(&loaded);
    return status;
}

/* ---- another scenario ---- */

static enum hc_status keep_variant(struct hc_data_source *source, const char *name,
                                   const struct hc_replay_steps *steps, struct hc_error *err)
{
    struct hc_source_steps *of = hc_new_array(1, sizeof *of, err), **end = &source->variants;
    if (!of)
        return err->status;
    while (*end)
        end = &(*end)->next;
    *end = of;
    of->n = steps->n_steps;
    of->variant = hc_copy_text(name, err);
    of->traced_s = hc_new_array(of->n, sizeof(double), err);
    of->untouched_s = hc_new_array(of->n, sizeof(double), err);
    of->edited_s = hc_new_array(of->n, sizeof(double), err);
    if (!of->variant || !of->traced_s || !of->untouched_s || !of->edited_s)
        return err->status;
    for (size_t i = 0; i < of->n; i++) {
        of->traced_s[i] = (double)steps->traced_ns[i] / 1e9;
        of->untouched_s[i] = (double)steps->untouched_ns[i] / 1e9;
        of->edited_s[i] = steps->edited_ns[i] / 1e9;
    }
    return HC_OK;
}

static enum hc_status run_variants(struct hc_data_source *source,
                                   const struct hc_scenario *scenario, const struct hc_study *study,
                                   struct hc_error *err)
{
    if (hc_scenario_errors_status(&scenario->errors, err))
        return err->status;
    if (strcmp(scenario->engine->name, hc_replay_engine.name) != 0)
        return hc_fail(err, HC_BAD_INPUT,
                       "'%s' is no scenario on a step timeline, of the kind "
                       "'replay'",
                       source->path);
    for (size_t i = 0; i < study->n_variants; i++) {
        struct hc_replay_steps steps;
        if (hc_replay_steps(&steps, study->variant[i].point.config, err) ||
            keep_variant(source, study->variant[i].name, &steps, err))
            return err->status;
    }
    source->title = hc_copy_text(source->name, err);
    return source->title ? HC_OK : err->status;
}

/* What the scenario reads is read by a provider of its own: that of the outer one is in use. */
static enum hc_status run_scenario(const struct hc_study_data *outer, struct hc_data_source *source,
                                   struct hc_error *err)
{
    struct hc_scenario scenario;
    struct hc_study study;
    struct hc_study_data data = {.archive_path = outer->archive_path};
    const struct hc_data_provider provider = hc_study_data_provider(&data);
    const struct hc_scenario_request request = {
        .path = source->path, .engines = hc_engines, .data = &provider};
    enum hc_status status = hc_scenario_prepare(&scenario, &study, &request, err);
    if (!status && scenario.n_inputs) /* the first is the scenario itself */
        memcpy(source->sha256, scenario.input[0].sha256, sizeof source->sha256);
    if (!status)
        status = run_variants(source, &scenario, &study, err);
    hc_scenario_fini(&scenario);
    return status;
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
    const char *names[MOST_NAMES];
    size_t n = 0, n_found = 0;
    for (size_t i = 0; i < archive->n_entries; i++) {
        const struct hc_manifest_entry *one = &archive->entries[i];
        if (hc_manifest_entry_is(one, &hc_incidents_def) && n < MOST_NAMES)
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

static enum hc_status read_job(struct hc_study_data *data, struct hc_data_source *source,
                               bool wants_workers, struct hc_error *err)
{
    const struct hc_manifest_entry *entry = source->kind == HC_DATA_TIMELINE ? data->job : NULL;
    bool is_trace = source->kind != HC_DATA_INCIDENTS;
    if (!data->archive && hc_archive_open(&data->archive, data->archive_path, false, err))
        return err->status;
    const struct hc_archive *archive = data->archive;
    enum hc_status status =
        entry      ? HC_OK
        : is_trace ? hc_archive_find(archive, source->name, hc_ops_def.name, &entry, err)
                   : find_entry(archive, source->name, &entry, err);
    if (status || hc_archive_segment_path(archive, entry, &source->path, err))
        return err->status;
    memcpy(source->sha256, entry->sha256, sizeof source->sha256);
    return is_trace ? replay_entry(source, archive, entry, wants_workers, err)
                    : hc_incident_load_segment(&source->set, archive, entry, err);
}

static enum hc_status read_file(const struct hc_study_data *data, struct hc_data_source *source,
                                bool wants_workers, struct hc_error *err)
{
    const struct hc_trace_options options = HC_TRACE_DEFAULTS;
    source->path = hc_copy_text(source->name, err);
    if (!source->path)
        return err->status;
    if (source->kind == HC_DATA_REPLAY)
        return run_scenario(data, source, err);
    if (source->kind != HC_DATA_INCIDENTS)
        return replay_file(source, wants_workers, err);
    return hc_incident_load_file(&source->set, source->path, &options, source->sha256, err);
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

/* Profiler traces are told from step timelines by what they are, not by how they are named. */
static enum hc_status read_profile(struct hc_study_data *data, struct hc_data_source *source,
                                   bool *is_profile, struct hc_error *err)
{
    const struct hc_trace_options options = HC_TRACE_DEFAULTS;
    struct hc_trace_loader loader = {.archive_path = data->archive_path, .trace_options = &options};
    enum hc_status status = HC_OK;
    *is_profile = false;
    if (source->kind == HC_DATA_TIMELINE && source->is_job)
        *is_profile = hc_is_profile_job(&loader, source->name);
    else if (source->kind == HC_DATA_TIMELINE)
        status = hc_is_profile(&loader, source->name, is_profile, err);
    if (!status && *is_profile)
        status = hc_study_profile_read(source, &loader, err);
    hc_trace_loader_close(&loader);
    return status;
}

static enum hc_status read_source(void *context, struct hc_data_source *source, bool wants_workers,
                                  struct hc_error *err)
{
    struct hc_study_data *data = context;
    bool is_profile;
    enum hc_status status = read_profile(data, source, &is_profile, err);
    if (!status && !is_profile)
        status = source->is_job ? read_job(data, source, wants_workers, err)
                                : read_file(data, source, wants_workers, err);
    if (status && is_mistake(source->is_job ? data->archive_path : source->name, status))
        err->status = HC_BAD_INPUT;
    return status ? err->status : HC_OK;
}

static void close_archive(void *context)
{
    struct hc_study_data *data = context;
    if (data->is_lent)
        return;
    hc_archive_close(data->archive);
    data->archive = NULL;
}

struct hc_data_provider hc_study_data_provider(struct hc_study_data *data)
{
    return (struct hc_data_provider){data, read_source, close_archive};
}
