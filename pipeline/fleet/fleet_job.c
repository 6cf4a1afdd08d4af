#include "pipeline/fleet/fleet_job.h"

#include "core/base/memory.h"
#include "core/tables/op_table.h"
#include "core/text/number_format.h"
#include "pipeline/fleet/fleet_cache.h"
#include "pipeline/inputs/segment_input.h"
#include "pipeline/inputs/trace_load.h"
#include "reports/whatif/whatif_report.h"
#include "store/segment/segment_each.h"

#include <stdlib.h>
#include <string.h>

/* ---- what figures depend on ---- */

char *hc_fleet_inputs(const struct hc_step_ranges *steps, bool keeps_outliers, double threshold,
                      unsigned depth, struct hc_error *err)
{
    char real[HC_NUMBER_TEXT];
    char *text = hc_new_text(err, "method %d, schema %d, depth %u, threshold %s%s, steps%s",
                             HC_FLEET_METHOD_VERSION, HC_FLEET_ROW_SCHEMA, depth,
                             hc_format_real(threshold, real), keeps_outliers ? ", outliers" : "",
                             steps->n ? "" : " all");
    for (size_t i = 0; text && i < steps->n; i++) {
        char *longer =
            hc_new_text(err, "%s %d-%d", text, (int)steps->range[i][0], (int)steps->range[i][1]);
        free(text);
        text = longer;
    }
    return text;
}

/* ---- what is known without a replay ---- */

int64_t hc_fleet_job_rows(const struct hc_fleet_job *job)
{
    return hc_manifest_entry_rows(job->entry, &hc_ops_def);
}

/* Of the steps that are asked for and whole: their number and time. */
struct whole_steps {
    const struct hc_step_ranges *asked;
    int64_t n, n_left_out, traced_ns, n_ops;
};

static enum hc_status count_steps(const struct hc_table *steps, void *context, struct hc_error *err)
{
    struct whole_steps *whole = context;
    (void)err;
    for (size_t i = 0; i < steps->n_rows; i++) {
        bool is_whole = hc_table_i64(steps, HC_STEPS_BAD)[i] <= 0 &&
                        hc_table_i64(steps, HC_STEPS_DUPLICATE)[i] <= 0 &&
                        hc_table_i64(steps, HC_STEPS_ABSENT)[i] <= 0;
        if (!is_whole ||
            !hc_step_ranges_include(whole->asked, hc_table_i32(steps, HC_STEPS_STEP)[i])) {
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
                                 const struct hc_step_ranges *asked, struct hc_error *err)
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

enum hc_status hc_fleet_job_peek(struct hc_fleet_row *row, const struct hc_archive *archive,
                                 const struct hc_fleet_job *job, const struct hc_step_ranges *steps,
                                 struct hc_error *err)
{
    struct hc_segment *segment = NULL;
    enum hc_status status = hc_archive_open_segment(archive, job->entry, &segment, err);
    if (!status)
        status = fill_known(row, segment, steps, err);
    hc_segment_close(segment);
    return status;
}

/* A job that is discarded before its ops are read keeps its place in the GPU-hours of the funnel.
 */
static enum hc_status peek(struct hc_fleet_row *row, const struct hc_fleet_analysis *analysis,
                           const struct hc_fleet_job *job, struct hc_error *err)
{
    return hc_fleet_job_peek(row, analysis->archive, job, analysis->steps, err);
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
        .keeps_outliers = analysis->keeps_outliers,
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
                             struct hc_loaded_trace *loaded, int threads,
                             struct hc_fleet_job_outcome *outcome, struct hc_error *err)
{
    unsigned more = analysis->wants && analysis->depth ? HC_DEPTH_ALL | HC_DEPTH_PICTURE : 0;
    struct hc_whatif_options options = {
        .threshold = analysis->threshold,
        .replay = {.steps = analysis->steps,
                   .max_bad = loaded->max_bad,
                   .threads = threads,
                   .leaves_out_outliers = !analysis->keeps_outliers},
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
    outcome->take_failed = status == HC_IO;
    hc_whatif_result_fini(&result);
    return status;
}

/* Load and replay. */
static enum hc_status analyse(struct hc_fleet_row *row, const struct hc_fleet_analysis *analysis,
                              const struct hc_fleet_job *job, int threads,
                              struct hc_fleet_job_outcome *outcome, struct hc_error *err)
{
    struct hc_loaded_trace loaded;
    enum hc_status status = hc_trace_load_entry(&loaded, analysis->archive, job->entry, err);
    if (status)
        return status;
    status = fill_known(row, loaded.segment, analysis->steps, err);
    if (!status)
        status = replay(row, analysis, &loaded, threads, outcome, err);
    hc_loaded_trace_release(&loaded);
    return status;
}

/* ---- what is lacking ---- */

/* The report lacks a job whose segment cannot be read or is damaged, or for which memory is short:
 * the others go on. What can be read of the segment is still in the row: its GPU-hours, mostly. */
static void lack(struct hc_fleet_row *row, const struct hc_fleet_analysis *analysis,
                 const struct hc_fleet_job *job, const struct hc_error *why)
{
    struct hc_error ignored;
    if (why->status != HC_INTERNAL) {
        hc_fleet_row_forget(row); /* also what was kept of it: the report must not depend on that */
        peek(row, analysis, job, &ignored);
    }
    hc_fleet_row_discard(row,
                         why->status == HC_IO         ? HC_FLEET_UNREADABLE
                         : why->status == HC_INTERNAL ? HC_FLEET_NO_MEMORY
                                                      : HC_FLEET_DAMAGED,
                         why->message);
}

/* Fill the row of a segment that was looked at. */
static enum hc_status fill_from(struct hc_fleet_row *row, const struct hc_fleet_analysis *analysis,
                                const struct hc_fleet_job *job, const struct hc_segment_look *look,
                                int threads, struct hc_fleet_job_outcome *outcome,
                                struct hc_error *err)
{
    bool is_new = false;
    if (hc_fleet_row_judge_attempts(row, job->n_attempts, &analysis->limits))
        return peek(row, analysis, job, err);
    outcome->hit = analysis->use_cache && hc_fleet_cache_get(row, analysis, job, look, &is_new);
    bool analyses = !outcome->hit || is_wanted(row, analysis);
    if ((analyses || is_new) &&
        hc_archive_verify_file(analysis->archive, job->entry, look->fd, err))
        return err->status;
    if (analyses && analyse(row, analysis, job, threads, outcome, err))
        return err->status;
    outcome->put_failed = analysis->use_cache && (!outcome->hit || is_new) &&
                          hc_fleet_cache_put(row, analysis, job, look, &outcome->why) != HC_OK;
    hc_fleet_row_judge(row, &analysis->limits);
    return HC_OK;
}

enum hc_status hc_fleet_job_row(struct hc_fleet_row *row, const struct hc_fleet_analysis *analysis,
                                const struct hc_fleet_job *job, int threads,
                                struct hc_fleet_job_outcome *outcome, struct hc_error *err)
{
    struct hc_segment_look look;
    *outcome = (struct hc_fleet_job_outcome){.hit = false};
    memcpy(row->segment_sha256, job->entry->sha256, sizeof row->segment_sha256);
    enum hc_status status = hc_segment_look_begin(&look, analysis->archive, job->entry, err);
    if (!status)
        status = fill_from(row, analysis, job, &look, threads, outcome, err);
    hc_segment_look_end(&look);
    if (status && outcome->take_failed)
        return hc_context(err, "job '%s/%s'", row->cluster, row->job_id);
    if (status)
        lack(row, analysis, job, err);
    return HC_OK;
}
