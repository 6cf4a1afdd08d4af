#include "study/engines/lifetime/scenario_whatif.h"

#include "core/base/memory.h"
#include "pipeline/inputs/trace_load.h"
#include "reports/whatif/whatif_views.h"
#include "study/engines/lifetime/scenario_records.h"

#include <math.h>
#include <string.h>

/* ---- reading ---- */

static enum hc_status take(struct hc_record_source *source, const struct hc_loaded_trace *loaded,
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
    if (!source->title || source->is_job) /* its segment has the metadata in it */
        return source->title ? HC_OK : err->status;
    memcpy(source->sha256, loaded->origin.source_sha256, sizeof source->sha256);
    if (!job->meta_path)
        return HC_OK;
    memcpy(source->meta_sha256, job->meta_sha256, sizeof source->meta_sha256);
    source->meta_path = hc_copy_text(job->meta_path, err);
    return source->meta_path ? HC_OK : err->status;
}

/* Which workers are slow is found only where it is asked for: it takes a replay of each. */
static enum hc_status replay(struct hc_record_source *source, const struct hc_loaded_trace *loaded,
                             bool wants_workers, struct hc_error *err)
{
    const struct hc_whatif_options options = {
        .threshold = wants_workers ? 0 : INFINITY, /* all of it, or S alone */
        .replay.max_bad = loaded->max_bad,
        .depth = wants_workers ? HC_DEPTH_WORKERS : 0,
        .picture_step = HC_MISSING_I32,
    };
    struct hc_whatif_result result;
    if (hc_whatif_run(&result, loaded->trace, &options, err))
        return hc_context(err, "%s", loaded->label);
    enum hc_status status = take(source, loaded, &result, err);
    hc_whatif_result_fini(&result);
    return status;
}

enum hc_status hc_whatif_source_file(struct hc_record_source *source, bool wants_workers,
                                     struct hc_error *err)
{
    const struct hc_trace_options options = HC_TRACE_DEFAULTS;
    struct hc_trace_loader loader = {.trace_options = &options};
    struct hc_loaded_trace loaded;
    if (!hc_is_trace_file(source->path)) /* else it would be looked for in the archive */
        return hc_fail(err, HC_IO, "'%s' is no file", source->path);
    if (hc_trace_load(&loaded, &loader, source->path, err))
        return err->status;
    enum hc_status status = replay(source, &loaded, wants_workers, err);
    hc_loaded_trace_release(&loaded);
    return status;
}

enum hc_status hc_whatif_source_entry(struct hc_record_source *source,
                                      const struct hc_archive *archive,
                                      const struct hc_manifest_entry *entry, bool wants_workers,
                                      struct hc_error *err)
{
    struct hc_loaded_trace loaded;
    if (hc_trace_load_entry(&loaded, archive, entry, err))
        return err->status;
    enum hc_status status = replay(source, &loaded, wants_workers, err);
    hc_loaded_trace_release(&loaded);
    return status;
}

/* ---- taking ---- */

static const struct hc_record_source *source_of(const struct hc_node *whatif)
{
    const struct hc_node *file = hc_node_member(whatif, "file");
    const struct hc_node *name = file ? file : hc_node_member(whatif, "job");
    return name ? name->source : NULL;
}

static bool is_of_worker(const struct hc_node *whatif)
{
    const struct hc_node *figure = hc_node_member(whatif, "figure");
    return figure && strcmp(figure->text, "worst_worker") == 0;
}

char *hc_whatif_factor_words(const struct hc_node *whatif, struct hc_error *err)
{
    return hc_new_text(err, "the %s of %s",
                       is_of_worker(whatif) ? "slowdown by the worst worker" : "slowdown",
                       source_of(whatif)->title);
}

enum hc_status hc_bind_whatif_factor(double *factor, const struct hc_node *whatif,
                                     struct hc_error *err)
{
    const struct hc_record_source *source = source_of(whatif);
    if (!source)
        return hc_fail(err, HC_BAD_INPUT, "the job was not replayed");
    *factor = is_of_worker(whatif) ? source->worst_worker : source->slowdown;
    if (isfinite(*factor) && *factor >= 1)
        return HC_OK;
    return hc_fail(err, HC_BAD_INPUT, "the slowdown%s of %s is %.6g, which makes no step longer",
                   is_of_worker(whatif) ? " by the worst worker" : "", source->title, *factor);
}
