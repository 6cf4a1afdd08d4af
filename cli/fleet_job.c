#include "cli/fleet_job.h"

#include "cli/fleet_row_json.h"
#include "cli/segment_input.h"
#include "cli/trace_load.h"
#include "core/memory.h"
#include "core/number_format.h"
#include "core/op_table.h"
#include "core/sealed_json.h"
#include "reports/whatif_report.h"
#include "store/derived.h"

#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#define SCHEMA "hindcast-fleet-row"
#define KIND   "fleet-row"

/* ---- what figures depend on ---- */

char *hc_fleet_inputs(const struct hc_ranges *steps, double threshold, unsigned depth,
                      struct hc_error *err)
{
    char real[HC_NUMBER_TEXT];
    char *text = hc_new_text(err, "method %d, schema %d, depth %u, threshold %s, steps%s",
                             HC_FLEET_METHOD_VERSION, HC_FLEET_ROW_SCHEMA, depth,
                             hc_format_real(threshold, real), steps->n ? "" : " all");
    for (size_t i = 0; text && i < steps->n; i++) {
        char *longer =
            hc_new_text(err, "%s %d-%d", text, (int)steps->range[i][0], (int)steps->range[i][1]);
        free(text);
        text = longer;
    }
    return text;
}

/* ---- the cache ---- */

static struct hc_derived_key key_of(const struct hc_fleet_analysis *analysis,
                                    const struct hc_fleet_job *job)
{
    return (struct hc_derived_key){
        .segment_sha256 = job->entry->sha256, .kind = KIND, .inputs = analysis->inputs};
}

static bool has_text(const json_t *object, const char *key, const char *text)
{
    const char *value = json_string_value(json_object_get(object, key));
    return value && strcmp(value, text) == 0;
}

/* A row is believed when its seal holds and it says that it is of this segment, job and inputs. */
static bool take_document(struct hc_fleet_row *row, json_t *root,
                          const struct hc_fleet_analysis *analysis)
{
    struct hc_error why;
    struct hc_fleet_row kept;
    if (!has_text(root, "schema", SCHEMA) || !has_text(root, "inputs", analysis->inputs) ||
        hc_fleet_row_read(&kept, json_object_get(root, "row"), &why))
        return false;
    if (hc_fleet_row_compare(&kept, row) != 0 ||
        strcmp(kept.segment_sha256, row->segment_sha256) != 0) {
        hc_fleet_row_fini(&kept);
        return false;
    }
    hc_fleet_row_fini(row);
    *row = kept;
    return true;
}

static bool get_cached(struct hc_fleet_row *row, const struct hc_fleet_analysis *analysis,
                       const struct hc_fleet_job *job)
{
    struct hc_derived_key key = key_of(analysis, job);
    char *text = NULL;
    size_t length = 0;
    if (!hc_derived_get(analysis->archive->path, &key, &text, &length))
        return false;
    json_t *root = json_loadb(text, length, JSON_REJECT_DUPLICATES, NULL);
    bool taken = root && take_document(row, root, analysis);
    json_decref(root);
    free(text);
    return taken;
}

static enum hc_status put_cached(const struct hc_fleet_row *row,
                                 const struct hc_fleet_analysis *analysis,
                                 const struct hc_fleet_job *job, struct hc_error *err)
{
    struct hc_derived_key key = key_of(analysis, job);
    struct hc_json_writer json;
    char *document = NULL, *sealed = NULL;
    size_t length = 0;
    FILE *stream = open_memstream(&document, &length);
    if (!stream)
        return hc_fail_memory(err, 0);
    hc_json_start(&json, stream, 2);
    hc_json_object(&json, NULL);
    hc_json_text(&json, "schema", SCHEMA);
    hc_json_text(&json, "inputs", analysis->inputs);
    hc_fleet_row_write(&json, "row", row);
    hc_json_end(&json);
    enum hc_status status = hc_json_finish(&json, "memory", err);
    fclose(stream);
    if (status == HC_OK && document)
        sealed = hc_sealed_json(document, err);
    status = sealed ? hc_derived_put(analysis->archive->path, &key, sealed, err) : err->status;
    free(document);
    free(sealed);
    return status;
}

/* ---- what is known without a replay ---- */

/* Of the steps that are asked for and whole: their number and time. */
struct whole_steps {
    const struct hc_ranges *asked;
    int64_t n, n_left_out, traced_ns, n_ops;
};

static bool is_asked(const struct hc_ranges *ranges, int32_t step)
{
    for (size_t i = 0; i < ranges->n; i++)
        if (step >= ranges->range[i][0] && step <= ranges->range[i][1])
            return true;
    return ranges->n == 0;
}

static enum hc_status count_steps(const struct hc_table *steps, void *context, struct hc_error *err)
{
    struct whole_steps *whole = context;
    (void)err;
    for (size_t i = 0; i < steps->n_rows; i++) {
        bool is_whole = hc_table_i64(steps, HC_STEPS_BAD)[i] <= 0 &&
                        hc_table_i64(steps, HC_STEPS_DUPLICATE)[i] <= 0 &&
                        hc_table_i64(steps, HC_STEPS_ABSENT)[i] <= 0;
        if (!is_whole || !is_asked(whole->asked, hc_table_i32(steps, HC_STEPS_STEP)[i])) {
            whole->n_left_out++;
            continue;
        }
        whole->n++;
        whole->n_ops += hc_table_i64(steps, HC_STEPS_N_OPS)[i];
        whole->traced_ns += hc_table_i64(steps, HC_STEPS_LAST_END_NS)[i] -
                            hc_table_i64(steps, HC_STEPS_FIRST_START_NS)[i];
    }
    return HC_OK;
}

/* GPUs as the metadata has them, 0 when it does not say. */
static int64_t gpus_of(const struct hc_job *job)
{
    if (job->world_size != HC_MISSING_I32)
        return job->world_size;
    if (job->dp_size == HC_MISSING_I32 || job->pp_size == HC_MISSING_I32 ||
        job->tp_size == HC_MISSING_I32 || job->dsp_size == HC_MISSING_I32)
        return 0;
    return (int64_t)job->dp_size * job->pp_size * job->tp_size * job->dsp_size;
}

static enum hc_status fill_known(struct hc_fleet_row *row, struct hc_segment *segment,
                                 const struct hc_ranges *asked, struct hc_error *err)
{
    const struct hc_job *job = hc_segment_job(segment);
    struct whole_steps whole = {.asked = asked};
    uint32_t columns = (1U << HC_STEPS_N_COLUMNS) - 1;
    if (hc_segment_each(segment, &hc_steps_def, columns, count_steps, &whole, err))
        return err->status;
    row->dp_size = job->dp_size;
    row->pp_size = job->pp_size;
    row->vpp_size = job->vpp_size;
    row->tp_size = job->tp_size;
    row->n_gpus = gpus_of(job);
    row->n_steps = whole.n;
    row->n_steps_left_out = whole.n_left_out;
    row->n_ops = whole.n_ops;
    if (row->n_gpus && whole.n)
        row->gpu_hours_traced = (double)row->n_gpus * ((double)whole.traced_ns / 1e9) / 3600;
    return HC_OK;
}

/* A job that is discarded before it is read keeps its place in the GPU-hours of the funnel. */
static void peek(struct hc_fleet_row *row, const struct hc_fleet_analysis *analysis,
                 const struct hc_fleet_job *job)
{
    struct hc_error ignored;
    struct hc_segment *segment = NULL;
    if (hc_archive_open_segment(analysis->archive, job->entry, &segment, &ignored) == HC_OK)
        fill_known(row, segment, analysis->steps, &ignored);
    hc_segment_close(segment);
}

/* ---- the analysis ---- */

static enum hc_status take_result(const struct hc_fleet_row *row,
                                  const struct hc_fleet_analysis *analysis,
                                  const struct hc_loaded_trace *loaded,
                                  const struct hc_whatif_result *result, unsigned depth,
                                  struct hc_error *err)
{
    struct hc_whatif_report report = {
        .result = result,
        .source_path = loaded->origin.source_path,
        .source_sha256 = loaded->origin.source_sha256,
        .source_size = loaded->origin.source_size,
        .format = loaded->origin.format,
        .format_version = loaded->origin.format_version,
        .archive = loaded->origin.archive,
        .segment = loaded->origin.segment,
        .steps_option = analysis->steps->text,
        .depth = depth,
    };
    return analysis->take(row, &report, analysis->context, err);
}

/* Whether take is to have the result of a job, whose row its limits have not been held against. */
static bool is_wanted(const struct hc_fleet_row *row, const struct hc_fleet_analysis *analysis)
{
    struct hc_fleet_row judged = *row; /* shares the strings */
    hc_fleet_row_judge(&judged, &analysis->limits);
    return analysis->wants && judged.fate == HC_FLEET_ANALYSED &&
           analysis->wants(row, analysis->context);
}

static enum hc_status replay(struct hc_fleet_row *row, const struct hc_fleet_analysis *analysis,
                             struct hc_loaded_trace *loaded, int threads, struct hc_error *err)
{
    unsigned more = analysis->wants && analysis->depth ? HC_DEPTH_ALL | HC_DEPTH_PICTURE : 0;
    struct hc_whatif_options options = {
        .threshold = analysis->threshold,
        .max_bad = loaded->max_bad,
        .n_step_ranges = analysis->steps->n,
        .step_ranges = (const int32_t(*)[2])analysis->steps->range,
        .threads = threads,
        .depth = analysis->depth | more,
        .picture_step = HC_MISSING_I32,
    };
    struct hc_whatif_result result;
    enum hc_status status = hc_whatif_run(&result, loaded->trace, &options, err);
    if (status == HC_BAD_INPUT || status == HC_USAGE) {
        hc_fleet_row_discard(row, HC_FLEET_NO_REPLAY, err->message);
        return HC_OK;
    }
    if (status)
        return status;
    hc_fleet_row_fill(row, &result);
    if (is_wanted(row, analysis))
        status = take_result(row, analysis, loaded, &result, options.depth, err);
    hc_whatif_result_fini(&result);
    return status;
}

/* Load and replay. *known: the row says what is in the segment, not that it could not be read. */
static enum hc_status analyse(struct hc_fleet_row *row, const struct hc_fleet_analysis *analysis,
                              const struct hc_fleet_job *job, int threads, bool *known,
                              struct hc_error *err)
{
    struct hc_loaded_trace loaded;
    enum hc_status status = hc_trace_load_entry(&loaded, analysis->archive, job->entry, err);
    *known = status == HC_OK;
    if (status == HC_OK) {
        status = fill_known(row, loaded.segment, analysis->steps, err);
        *known = status == HC_OK;
        if (status == HC_OK)
            status = replay(row, analysis, &loaded, threads, err);
        hc_loaded_trace_release(&loaded);
    }
    if (*known || status == HC_INTERNAL)
        return status;
    hc_fleet_row_discard(row, HC_FLEET_UNREADABLE, err->message);
    return HC_OK;
}

/* A file that is gone or of another size needs no reading to be known as damaged; what was kept of
 * it must not hide that. */
static bool is_there(const struct hc_fleet_analysis *analysis, const struct hc_fleet_job *job)
{
    struct hc_error ignored;
    struct stat info;
    char *path = NULL;
    bool there = hc_archive_segment_path(analysis->archive, job->entry, &path, &ignored) == HC_OK &&
                 stat(path, &info) == 0 && info.st_size == job->entry->size;
    free(path);
    return there;
}

static enum hc_status fill(struct hc_fleet_row *row, const struct hc_fleet_analysis *analysis,
                           const struct hc_fleet_job *job, int threads,
                           struct hc_fleet_cache_use *cache, struct hc_error *err)
{
    bool known = false;
    memcpy(row->segment_sha256, job->entry->sha256, sizeof row->segment_sha256);
    if (hc_fleet_row_judge_attempts(row, job->n_attempts, &analysis->limits)) {
        peek(row, analysis, job);
        return HC_OK;
    }
    cache->hit = analysis->use_cache && is_there(analysis, job) && get_cached(row, analysis, job);
    if (!cache->hit || is_wanted(row, analysis)) {
        if (analyse(row, analysis, job, threads, &known, err))
            return err->status;
        cache->put_failed = analysis->use_cache && known && !cache->hit &&
                            put_cached(row, analysis, job, &cache->why) != HC_OK;
    }
    hc_fleet_row_judge(row, &analysis->limits);
    return HC_OK;
}

enum hc_status hc_fleet_job_row(struct hc_fleet_row *row, const struct hc_fleet_analysis *analysis,
                                const struct hc_fleet_job *job, int threads,
                                struct hc_fleet_cache_use *cache, struct hc_error *err)
{
    const struct hc_manifest_entry *entry = job->entry;
    *cache = (struct hc_fleet_cache_use){.hit = false};
    if (hc_fleet_row_init(row, entry->cluster, entry->job_id, entry->attempt, err))
        return err->status;
    if (fill(row, analysis, job, threads, cache, err) == HC_OK)
        return HC_OK;
    hc_context(err, "job '%s/%s'", entry->cluster, entry->job_id);
    hc_fleet_row_fini(row);
    return err->status;
}
