#include "pipeline/ingest/ingest_plan.h"

#include "core/base/digest.h"
#include "core/base/log.h"
#include "core/base/memory.h"
#include "core/base/text_layout.h"
#include "pipeline/sources/tar_sources.h"
#include "store/archive/segment_name.h"

#include <stdlib.h>
#include <string.h>

/* Room in a message for a path: what tells two files apart is at its end more often than not. */
#define PATH_COLUMNS 200
#define PATH_SIZE    (4 * PATH_COLUMNS)

/* What an opened input would be in the archive. */
struct recording {
    const struct hc_format *format;
    bool has_day;
    char sha256[HC_DIGEST_TEXT];
    char meta_sha256[HC_DIGEST_TEXT];
};

static bool is_known(const struct hc_planned_input *input)
{
    return input->id != NULL;
}

/* Names are compared as the archive will have them: two that are not UTF-8 may become one. */
static enum hc_status take_names(struct hc_planned_input *input, const struct hc_job *job,
                                 struct hc_error *err)
{
    input->attempt = job->attempt;
    input->cluster = hc_utf8_text(job->cluster, err);
    input->id = input->cluster ? hc_utf8_text(job->id, err) : NULL;
    return input->id ? HC_OK : err->status;
}

static void release(struct hc_planned_input *input)
{
    free(input->cluster);
    free(input->id);
    input->cluster = input->id = NULL;
}

static int compare_jobs(const struct hc_planned_input *a, const struct hc_planned_input *b)
{
    int order = strcmp(a->cluster, b->cluster);
    if (order == 0)
        order = strcmp(a->id, b->id);
    return order ? order : (a->attempt > b->attempt) - (a->attempt < b->attempt);
}

/* Inputs of one job come to stand beside each other, in the order of the command line. */
static int compare_inputs(const void *a, const void *b)
{
    const struct hc_planned_input *x = *(struct hc_planned_input *const *)a;
    const struct hc_planned_input *y = *(struct hc_planned_input *const *)b;
    int order = is_known(y) - is_known(x);
    if (order == 0 && is_known(x))
        order = compare_jobs(x, y);
    return order ? order : (x > y) - (x < y);
}

static bool is_one_job(const struct hc_planned_input *a, const struct hc_planned_input *b)
{
    return is_known(a) && is_known(b) && compare_jobs(a, b) == 0;
}

static bool is_standard_input(const char *path)
{
    return strcmp(path, "-") == 0;
}

/* ---- two inputs of one job ---- */

static enum hc_status fail_same_job(const struct hc_planned_input *a,
                                    const struct hc_planned_input *b, struct hc_error *err)
{
    char x[PATH_SIZE], y[PATH_SIZE];
    if (is_standard_input(a->path) && is_standard_input(b->path))
        return hc_fail(err, HC_USAGE, "'-' is given twice: standard input can be read once only");
    return hc_fail(err, HC_USAGE,
                   "'%s' and '%s' are two recordings of one job, '%.80s/%.80s' attempt %d, and the "
                   "archive keeps one: leave one out, or say in their metadata which is which, by "
                   "job_id, cluster or attempt",
                   hc_text_tail(x, sizeof x, a->path, PATH_COLUMNS),
                   hc_text_tail(y, sizeof y, b->path, PATH_COLUMNS), a->cluster, a->id,
                   (int)a->attempt);
}

static enum hc_status look(struct recording *recording, const char *path,
                           const struct hc_trace_options *options, struct hc_error *err)
{
    struct hc_source_input input;
    if (hc_source_input_open(&input, path, options, err))
        return err->status;
    recording->format = input.format;
    recording->has_day = input.kind->day_column || input.kind->records;
    memcpy(recording->sha256, input.source.sha256, sizeof recording->sha256);
    memcpy(recording->meta_sha256, input.job.meta_sha256, sizeof recording->meta_sha256);
    hc_source_input_close(&input);
    return HC_OK;
}

static bool is_same_recording(const struct recording *a, const struct recording *b)
{
    return a->format == b->format && strcmp(a->sha256, b->sha256) == 0 &&
           strcmp(a->meta_sha256, b->meta_sha256) == 0;
}

/* The first of the recordings before number n that is of the same kind, or n. */
static size_t first_alike(const struct recording *recordings, size_t n)
{
    size_t i = 0;
    while (recordings[i].format->table != recordings[n].format->table)
        i++;
    return i;
}

/* inputs are n > 1 of one job. Each is compared with the first of its kind: all that pass are equal
 * to that. What cannot be opened now might be when its turn comes: that ends the command, too.
 * Sources of one name may tell of several days. */
static enum hc_status check_group(struct hc_planned_input *const *inputs, size_t n,
                                  const struct hc_trace_options *options, struct hc_error *err)
{
    for (size_t i = 0; i < n; i++) /* which can be opened once only */
        if (is_standard_input(inputs[i]->path))
            return fail_same_job(inputs[i ? 0 : 1], inputs[i], err);
    struct recording *recordings = hc_new_array(n, sizeof *recordings, err);
    if (!recordings)
        return err->status;
    enum hc_status status = HC_OK;
    for (size_t i = 0; i < n && !status; i++) {
        status = look(&recordings[i], inputs[i]->path, options, err);
        size_t first = status ? i : first_alike(recordings, i);
        if (!status && !recordings[i].has_day &&
            !is_same_recording(&recordings[first], &recordings[i]))
            status = fail_same_job(inputs[first], inputs[i], err);
    }
    free(recordings);
    return status;
}

/* ---- the plan ---- */

static enum hc_status name_job(struct hc_planned_input *input, const char *path,
                               const struct hc_trace_options *options, struct hc_error *err)
{
    struct hc_job job;
    struct hc_error why = {0};
    input->path = path;
    input->is_of_rank = hc_source_is_of_rank(path, options);
    if (input->is_of_rank || hc_is_tar(path)) /* many are of one job */
        return HC_OK;
    if (hc_source_input_job(&job, path, options, &why) == HC_INTERNAL) {
        *err = why;
        return err->status;
    }
    enum hc_status status = job.id ? take_names(input, &job, err) : HC_OK;
    hc_job_fini(&job);
    return status;
}

static enum hc_status check_groups(const struct hc_ingest_plan *plan,
                                   const struct hc_trace_options *options, struct hc_error *err)
{
    struct hc_planned_input **sorted = hc_new_array(plan->n, sizeof *sorted, err);
    enum hc_status status = sorted ? HC_OK : err->status;
    for (size_t i = 0; sorted && i < plan->n; i++)
        sorted[i] = &plan->inputs[i];
    if (sorted)
        qsort(sorted, plan->n, sizeof *sorted, compare_inputs);
    for (size_t i = 0, end; !status && i < plan->n; i = end) {
        for (end = i + 1; end < plan->n && is_one_job(sorted[i], sorted[end]);)
            end++;
        if (end - i > 1)
            status = check_group(sorted + i, end - i, options, err);
    }
    free(sorted);
    return status;
}

enum hc_status hc_ingest_plan_make(struct hc_ingest_plan *plan, const char *const *files,
                                   size_t n_files, const struct hc_trace_options *options,
                                   struct hc_error *err)
{
    memset(plan, 0, sizeof *plan);
    if (n_files < 2)
        return HC_OK;
    plan->inputs = hc_new_array(n_files, sizeof *plan->inputs, err);
    if (!plan->inputs)
        return err->status;
    plan->n = n_files;
    enum hc_status status = HC_OK;
    hc_log_hush(true); /* opening the inputs says it again */
    for (size_t i = 0; !status && i < plan->n; i++)
        status = name_job(&plan->inputs[i], files[i], options, err);
    if (!status)
        status = check_groups(plan, options, err);
    hc_log_hush(false);
    if (status)
        hc_ingest_plan_fini(plan);
    return status;
}

enum hc_status hc_ingest_plan_confirm(const struct hc_ingest_plan *plan, size_t i,
                                      const struct hc_source_input *input, struct hc_error *err)
{
    struct hc_planned_input now = {0};
    if (i >= plan->n || input->is_of_rank)
        return HC_OK;
    enum hc_status status = take_names(&now, &input->job, err);
    if (!status && !is_one_job(&plan->inputs[i], &now))
        status = hc_fail(err, HC_BAD_INPUT,
                         "the metadata of '%s' changed while hindcast was at work: now it is job "
                         "'%s/%s' attempt %d; ingest it again",
                         input->source.name, now.cluster, now.id, (int)now.attempt);
    release(&now);
    return status;
}

bool hc_ingest_plan_is_of_rank(const struct hc_ingest_plan *plan, size_t i)
{
    return i < plan->n && plan->inputs[i].is_of_rank;
}

void hc_ingest_plan_fini(struct hc_ingest_plan *plan)
{
    for (size_t i = 0; i < plan->n; i++)
        release(&plan->inputs[i]);
    free(plan->inputs);
    memset(plan, 0, sizeof *plan);
}
