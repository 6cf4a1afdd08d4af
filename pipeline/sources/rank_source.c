#include "pipeline/sources/rank_source.h"

#include "core/base/digest.h"
#include "core/base/int_map.h"
#include "core/base/log.h"
#include "core/base/memory.h"
#include "core/tables/op_table.h"
#include "models/steps/rank_clocks.h"

#include <errno.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#define BATCH_ROWS   32768
#define MOST_NAMED   4       /* workers of a message */
#define NOTABLE_NS   1000000 /* clocks that are less apart are not worth a word */
#define MOST_WORKERS 10000000

struct hc_rank_source {
    const struct hc_rank_set *set;
    struct hc_source *files;
    size_t n_open;
    struct hc_rank_clocks *clocks; /* NULL before the survey */
    struct hc_int_map file_of;     /* (dp rank, stage) -> file */
    int32_t dp_size, pp_size;      /* of the rows */
};

/* ---- the set ---- */

enum hc_status hc_rank_set_metadata(const struct hc_rank_set *set, char **path,
                                    struct hc_error *err)
{
    struct stat info;
    *path = NULL;
    for (size_t i = 0; i < set->n; i++) {
        const char *file = set->files[i].path, *slash = strrchr(file, '/');
        char *beside = hc_new_text(err, "%.*smeta.yaml", slash ? (int)(slash + 1 - file) : 0, file);
        if (!beside)
            return err->status;
        if (stat(beside, &info) == 0) {
            *path = beside;
            return HC_OK;
        }
        if (errno != ENOENT && errno != ENOTDIR && errno != ENAMETOOLONG)
            hc_fail_errno(err, "cannot look for the metadata", beside);
        free(beside);
        if (err->status)
            return err->status;
    }
    return HC_OK;
}

static enum hc_status check_size(const struct hc_rank_set *set, const char *name, int32_t recorded,
                                 int32_t *of_metadata, struct hc_error *err)
{
    if (*of_metadata == HC_MISSING_I32)
        *of_metadata = recorded;
    if (recorded == HC_MISSING_I32 || *of_metadata == recorded)
        return HC_OK;
    return hc_fail(err, HC_BAD_INPUT,
                   "'%s': its ranks recorded %s %d, and the metadata says %d; correct the metadata",
                   set->files[0].path, name, recorded, *of_metadata);
}

enum hc_status hc_rank_set_check_sizes(const struct hc_rank_set *set, struct hc_job *job,
                                       struct hc_error *err)
{
    const struct hc_rank_file *first = &set->files[0].head;
    for (size_t i = 1; i < set->n; i++) {
        const struct hc_rank_file *other = &set->files[i].head;
        if (other->dp_size != first->dp_size || other->pp_size != first->pp_size)
            return hc_fail(err, HC_BAD_INPUT,
                           "'%s' was recorded in a world of dp %d, pp %d, and '%s' of the same job "
                           "'%.80s' in one of dp %d, pp %d: give the files of one run",
                           set->files[0].path, first->dp_size, first->pp_size, set->files[i].path,
                           first->job, other->dp_size, other->pp_size);
    }
    if (check_size(set, "dp_size", first->dp_size, &job->dp_size, err))
        return err->status;
    return check_size(set, "pp_size", first->pp_size, &job->pp_size, err);
}

/* ---- opening ---- */

void hc_rank_source_close(struct hc_rank_source *source)
{
    if (!source)
        return;
    for (size_t i = 0; i < source->n_open; i++)
        hc_source_close(&source->files[i]);
    hc_rank_clocks_free(source->clocks);
    hc_int_map_fini(&source->file_of);
    free(source->files);
    free(source);
}

static int by_digest(const void *x, const void *y)
{
    return strcmp(*(const char *const *)x, *(const char *const *)y);
}

/* Size and digest of all files together; the order in which they were given does not matter. */
static enum hc_status measure(struct hc_rank_source *source, struct hc_source *whole,
                              struct hc_error *err)
{
    size_t n = source->n_open;
    const char **digests = hc_new_array(n, sizeof *digests, err);
    FILE *stream = digests ? hc_digest_stream(whole->sha256, err) : NULL;
    for (size_t i = 0; stream && i < n; i++) {
        whole->size += source->files[i].size;
        digests[i] = source->files[i].sha256;
    }
    if (stream) {
        qsort(digests, n, sizeof *digests, by_digest);
        for (size_t i = 0; i < n; i++)
            fprintf(stream, "%s\n", digests[i]);
        fclose(stream);
    }
    free(digests);
    return err->status;
}

static enum hc_status open_files(struct hc_rank_source *source, struct hc_source *whole,
                                 struct hc_error *err)
{
    const struct hc_rank_set *set = source->set;
    source->files = hc_new_array(set->n, sizeof *source->files, err);
    for (size_t i = 0; source->files && i < set->n; i++, source->n_open++)
        if (hc_source_open(&source->files[i], set->files[i].path, err))
            return err->status;
    struct stat info;
    bool is_directory = stat(set->input, &info) == 0 && S_ISDIR(info.st_mode);
    whole->name = is_directory || set->n == 1
                      ? hc_copy_text(set->input, err)
                      : hc_new_text(err, "%s and %zu more", set->files[0].path, set->n - 1);
    return whole->name ? measure(source, whole, err) : err->status;
}

enum hc_status hc_rank_source_open(struct hc_rank_source **source, struct hc_source *whole,
                                   const struct hc_rank_set *set, struct hc_error *err)
{
    *source = NULL;
    memset(whole, 0, sizeof *whole);
    whole->fd = -1;
    struct hc_rank_source *made = hc_new_array(1, sizeof *made, err);
    if (!made)
        return err->status;
    made->set = set;
    if (open_files(made, whole, err)) {
        hc_rank_source_close(made);
        hc_source_close(whole);
        return err->status;
    }
    *source = made;
    return HC_OK;
}

size_t hc_rank_source_n(const struct hc_rank_source *source)
{
    return source->n_open;
}

const struct hc_source *hc_rank_source_file(const struct hc_rank_source *source, size_t i)
{
    return &source->files[i];
}

enum hc_status hc_rank_source_verify(const struct hc_rank_source *source, struct hc_error *err)
{
    for (size_t i = 0; i < source->n_open; i++)
        if (hc_source_verify(&source->files[i], err))
            return err->status;
    return HC_OK;
}

/* ---- survey ---- */

static uint64_t worker_key(int32_t dp_rank, int32_t stage)
{
    return (uint64_t)(uint32_t)dp_rank << 32 | (uint32_t)stage;
}

/* A worker is in one file. */
static enum hc_status note_worker(struct hc_rank_source *source, size_t file, int32_t dp_rank,
                                  int32_t stage, struct hc_error *err)
{
    size_t entry = 0;
    if (hc_int_map_insert(&source->file_of, worker_key(dp_rank, stage), (int32_t)file, &entry, err))
        return err->status;
    size_t other = (size_t)source->file_of.values[entry];
    source->dp_size = dp_rank >= source->dp_size ? dp_rank + 1 : source->dp_size;
    source->pp_size = stage >= source->pp_size ? stage + 1 : source->pp_size;
    if (other == file)
        return HC_OK;
    return hc_fail(
        err, HC_BAD_INPUT,
        "'%s' and '%s' of job '%.80s' both hold the rank with dp %d, stage %d: leave out "
        "the one that is not of this run",
        source->files[other].name, source->files[file].name, source->set->files[0].head.job,
        dp_rank, stage);
}

static enum hc_status survey_batch(struct hc_rank_source *source, size_t file,
                                   const struct hc_table *rows, struct hc_error *err)
{
    const struct hc_op_columns c = hc_op_columns(rows);
    for (size_t i = 0; i < rows->n_rows; i++)
        if ((i == 0 || c.dp_rank[i] != c.dp_rank[i - 1] || c.stage[i] != c.stage[i - 1]) &&
            note_worker(source, file, c.dp_rank[i], c.stage[i], err))
            return err->status;
    return hc_rank_clocks_add(source->clocks, file, rows, err);
}

/* Hosts by number, in the order in which the files name them. */
static void tell_hosts(struct hc_rank_source *source, const struct hc_job *job)
{
    for (size_t i = 0; i < source->n_open; i++) {
        const char *host = hc_job_node(job, source->set->files[i].head.rank);
        for (size_t k = 0; host && k <= i; k++) {
            const char *other = hc_job_node(job, source->set->files[k].head.rank);
            if (!other || strcmp(other, host) != 0)
                continue;
            hc_rank_clocks_set_host(source->clocks, i, (int32_t)k);
            break;
        }
    }
}

/* Bad rows are counted when the file is read for good. */
static enum hc_status survey_file(struct hc_rank_source *source, size_t file,
                                  const struct hc_format *format,
                                  const struct hc_parse_options *options, struct hc_error *err)
{
    struct hc_row_report report = {0};
    struct hc_table rows = {0};
    void *parser = NULL;
    enum hc_status status = hc_table_init(&rows, format->table, BATCH_ROWS, err);
    if (!status)
        status = format->open(&parser, &source->files[file], options, err);
    while (!status) {
        rows.n_rows = 0;
        status = format->next_batch(parser, &rows, &report, err);
        if (status || rows.n_rows == 0)
            break;
        status = hc_source_check_rows(&source->files[file], report.rows_read,
                                      options->max_rows_per_byte, err);
        if (!status)
            status = survey_batch(source, file, &rows, err);
    }
    format->close(parser);
    hc_table_fini(&rows);
    hc_row_report_fini(&report);
    return status;
}

/* Every worker of the grid has a file; of those that lack one, the first few are named. */
static enum hc_status check_complete(const struct hc_rank_source *source, const struct hc_job *job,
                                     struct hc_error *err)
{
    int64_t dp_size = source->dp_size, pp_size = source->pp_size;
    dp_size = job->dp_size > dp_size ? job->dp_size : dp_size;
    pp_size = job->pp_size > pp_size ? job->pp_size : pp_size;
    if (dp_size * pp_size == (int64_t)source->file_of.n || dp_size * pp_size > MOST_WORKERS)
        return HC_OK; /* a size beyond all measure is the census's to refuse */
    char named[160] = "";
    size_t used = 0, n_missing = 0;
    for (int64_t w = 0; w < dp_size * pp_size; w++) {
        int32_t dp_rank = (int32_t)(w / pp_size), stage = (int32_t)(w % pp_size);
        if (hc_int_map_find(&source->file_of, worker_key(dp_rank, stage)) >= 0)
            continue;
        if (n_missing++ < MOST_NAMED)
            used += (size_t)snprintf(named + used, sizeof named - used, "%sdp %d, stage %d",
                                     used ? "; " : "", dp_rank, stage);
    }
    return hc_fail(err, HC_BAD_INPUT,
                   "job '%.80s' has %lld ranks (dp %lld x pp %lld) and %zu of them no file: %s%s; "
                   "give all files of the job together, again when the others are there: their "
                   "clocks are aligned by all of them, so a part is not kept",
                   source->set->files[0].head.job, (long long)(dp_size * pp_size),
                   (long long)dp_size, (long long)pp_size, n_missing, named,
                   n_missing > MOST_NAMED ? "; ..." : "");
}

static void tell_clocks(const struct hc_rank_source *source)
{
    size_t n_untied = hc_rank_clocks_n_untied(source->clocks);
    int64_t largest_ns = hc_rank_clocks_largest(source->clocks);
    const char *job = source->set->files[0].head.job;
    if (n_untied)
        hc_warn(
            "job '%.80s': no collective or transfer ties the clocks of %zu of %zu ranks to that "
            "of the first; their times are taken as they are",
            job, n_untied, source->n_open);
    if (largest_ns >= NOTABLE_NS)
        hc_note(
            "job '%.80s': the clocks of its %zu ranks were up to %.3f ms apart, and are aligned",
            job, source->n_open, (double)largest_ns / 1e6);
}

enum hc_status hc_rank_source_survey(struct hc_rank_source *source, const struct hc_format *format,
                                     const struct hc_parse_options *options, struct hc_error *err)
{
    hc_rank_clocks_free(source->clocks);
    enum hc_status status = hc_rank_clocks_new(&source->clocks, source->n_open, err);
    hc_log_hush(true); /* reading the files says it again */
    for (size_t i = 0; i < source->n_open && !status; i++)
        status = survey_file(source, i, format, options, err);
    hc_log_hush(false);
    if (!status)
        status = check_complete(source, options->job, err);
    if (!status) {
        tell_hosts(source, options->job);
        status = hc_rank_clocks_tie(source->clocks, err);
    }
    if (!status)
        tell_clocks(source);
    return status;
}

/* ---- rows on one clock ---- */

enum hc_status hc_rank_sink_take(const struct hc_table *rows, void *context, struct hc_error *err)
{
    const struct hc_rank_sink *shift = context;
    if (rows->def == &hc_ops_def && shift->file > 0) {
        const int32_t *step = hc_table_i32(rows, HC_OPS_STEP);
        int64_t *start_ns = hc_table_i64(rows, HC_OPS_START_NS), offset_ns = 0;
        for (size_t i = 0; i < rows->n_rows; i++) {
            if (i == 0 || step[i] != step[i - 1])
                offset_ns = hc_rank_clocks_offset(shift->source->clocks, shift->file, step[i]);
            start_ns[i] -= offset_ns;
        }
    }
    return shift->sink(rows, shift->context, err);
}
