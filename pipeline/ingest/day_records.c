#include "pipeline/ingest/day_records.h"

#include "core/base/clock.h"
#include "core/base/digest.h"
#include "core/base/memory.h"
#include "core/base/missing.h"
#include "core/base/sort_keys.h"
#include "pipeline/ingest/held_day.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#define DAY_NS ((int64_t)86400 * 1000000000)

/* A batch of rows of a table. */
struct batch {
    struct hc_day_records *records;
    const struct hc_kind *kind;
    const struct hc_table *rows;
    uint32_t *order; /* rows by cluster, day and key */
    struct hc_code_map maps[HC_MOST_DICTIONARIES];
    uint32_t n_groups;
};

/* ---- order ---- */

static int64_t day_of(const struct hc_record_rules *rules, const struct hc_table *rows, size_t row)
{
    int64_t time_ns = hc_table_i64(rows, rules->key[0])[row];
    return time_ns / DAY_NS - (time_ns % DAY_NS < 0);
}

static int compare_groups(const struct hc_record_rules *rules, const struct hc_table *rows,
                          uint32_t a, uint32_t b)
{
    int32_t x = hc_table_i32(rows, rules->cluster)[a], y = hc_table_i32(rows, rules->cluster)[b];
    int64_t day_a = day_of(rules, rows, a), day_b = day_of(rules, rows, b);
    return x != y ? (x > y) - (x < y) : (day_a > day_b) - (day_a < day_b);
}

static int compare_rows(const void *a, const void *b, void *context)
{
    const struct batch *batch = context;
    const struct hc_record_rules *rules = batch->kind->records;
    uint32_t x = *(const uint32_t *)a, y = *(const uint32_t *)b;
    int order = compare_groups(rules, batch->rows, x, y);
    if (order == 0)
        order = hc_day_compare_keys(rules, batch->rows, x, batch->rows, y);
    return order ? order : (x > y) - (x < y);
}

/* Rows of one cluster, as nearly all batches are: by the time that the key begins with in linear
 * time, and of one time by the rest of the key. */
static enum hc_status sort_by_time(struct batch *batch, struct hc_error *err)
{
    size_t n = batch->rows->n_rows;
    const int64_t *time_ns = hc_table_i64(batch->rows, batch->kind->records->key[0]);
    struct hc_sort_key *keys = hc_new_array(n, sizeof *keys, err);
    if (!keys)
        return err->status;
    for (size_t i = 0; i < n; i++)
        keys[i] = (struct hc_sort_key){time_ns[i], (uint32_t)i};
    enum hc_status status = hc_sort_keys(keys, n, err);
    for (size_t first = 0, end; first < n && !status; first = end) {
        for (end = first; end < n && keys[end].key == keys[first].key; end++)
            batch->order[end] = keys[end].row;
        if (end - first > 1)
            qsort_r(batch->order + first, end - first, sizeof *batch->order, compare_rows, batch);
    }
    free(keys);
    return status;
}

static enum hc_status sort_rows(struct batch *batch, struct hc_error *err)
{
    size_t n = batch->rows->n_rows;
    const int32_t *cluster = hc_table_i32(batch->rows, batch->kind->records->cluster);
    bool is_of_one = true;
    batch->order = hc_new_array(n, sizeof *batch->order, err);
    if (!batch->order)
        return err->status;
    for (size_t i = 0; i < n; i++) {
        batch->order[i] = (uint32_t)i;
        is_of_one &= cluster[i] == cluster[0];
    }
    if (is_of_one)
        return sort_by_time(batch, err);
    qsort_r(batch->order, n, sizeof *batch->order, compare_rows, batch);
    return HC_OK;
}

/* ---- a day ---- */

static enum hc_status name_day(const struct batch *batch, uint32_t row, struct hc_job *job,
                               struct hc_error *err)
{
    const struct hc_record_rules *rules = batch->kind->records;
    struct hc_table_names *names = &batch->records->input->names;
    int32_t cluster = hc_table_i32(batch->rows, rules->cluster)[row];
    const char *dictionary = batch->kind->tables[0]->columns[rules->cluster].dictionary;
    const char *text = batch->records->input->options->cluster;
    char when[32];
    if (hc_job_init(job, batch->kind->name, err))
        return err->status;
    if (cluster != HC_MISSING_I32)
        text = hc_table_names_find(names, dictionary)->text[cluster];
    if (text) {
        free(job->cluster);
        job->cluster = hc_copy_text(text, err);
    }
    if (!job->cluster) {
        hc_job_fini(job);
        return err->status;
    }
    hc_format_iso8601(day_of(rules, batch->rows, row) * DAY_NS, when);
    memcpy(job->day, when, HC_DAY_TEXT - 1);
    job->day[HC_DAY_TEXT - 1] = '\0';
    return HC_OK;
}

/* ---- segments ---- */

static enum hc_status publish(struct hc_day_records *records, struct hc_error *err)
{
    bool replaced[HC_DAYS_TOGETHER];
    size_t n = records->n_waiting;
    records->n_waiting = 0;
    return hc_archive_ingest_publish(&(struct hc_ingest_set){n, records->waiting, replaced}, err);
}

/* Whether a segment of a day waits: it is to be there before the day is merged once more. */
static bool is_waiting(const struct hc_day_records *records, int32_t day)
{
    for (size_t i = 0; i < records->n_waiting; i++)
        if (records->waiting_day[i] == day)
            return true;
    return false;
}

/* A day has its rows from many sources, of which this is the last. What it holds follows from what
 * it held before and from the batch: that is what its digest of a source is of, since segments of
 * one digest are taken to be the same. */
static enum hc_status say_source(struct hc_provenance *provenance, const struct batch *batch,
                                 const char *held_sha256, struct hc_error *err)
{
    char history[2 * HC_DIGEST_TEXT + 32];
    if (hc_source_input_provenance(batch->records->input, provenance, err))
        return err->status;
    int n = snprintf(history, sizeof history, "%s %s %lld", held_sha256, provenance->source_sha256,
                     (long long)batch->records->n_batches);
    hc_digest_bytes(history, (size_t)n, provenance->source_sha256);
    free(provenance->table);
    provenance->table = hc_copy_text(batch->kind->tables[0]->name, err);
    return provenance->table ? HC_OK : err->status;
}

static enum hc_status write_segment(struct batch *batch, const struct hc_day_merge *merge,
                                    const struct hc_job *job, int32_t day, const char *held_sha256,
                                    struct hc_error *err)
{
    struct hc_day_records *records = batch->records;
    struct hc_archive_ingest *ingest = NULL;
    struct hc_provenance provenance = {0};
    if (records->n_waiting == HC_DAYS_TOGETHER && publish(records, err))
        return err->status;
    if (hc_archive_ingest_begin(&ingest, records->archive, true, err))
        return err->status;
    enum hc_status status =
        hc_held_day_write(hc_archive_ingest_writer(ingest), merge->merged, merge->names, err);
    if (!status)
        status = say_source(&provenance, batch, held_sha256, err);
    if (!status)
        status = hc_archive_ingest_finish(ingest, job, &provenance, err);
    hc_provenance_fini(&provenance);
    if (status) {
        hc_archive_ingest_abort(ingest);
        return status;
    }
    records->waiting_day[records->n_waiting] = day;
    records->waiting[records->n_waiting++] = ingest;
    return HC_OK;
}

/* Number the day, and see to it that the archive has what was made of it before. */
static enum hc_status note_day(struct hc_day_records *records, const struct hc_job *job,
                               int32_t *number, struct hc_error *err)
{
    char *day = hc_new_text(err, "%s %s %s", job->id, job->day, job->cluster);
    if (day)
        hc_text_set_add(&records->days, day, strlen(day), number, err);
    free(day);
    if (err->status || !is_waiting(records, *number))
        return err->status;
    return publish(records, err);
}

/* Merge the rows first to end of the order, all of what job, the day or month of a cluster, is of.
 */
static enum hc_status merge_day(struct batch *batch, const struct hc_job *job, size_t first,
                                size_t end, struct hc_error *err)
{
    struct hc_day_records *records = batch->records;
    struct hc_held_day held = {0};
    struct hc_table merged = {0};
    struct hc_table_names names = {0};
    int32_t day = 0;
    enum hc_status status = note_day(records, job, &day, err);
    if (!status)
        status = hc_held_day_load(
            &held, records->archive,
            hc_held_day_find(records->archive, batch->kind, job->cluster, job->day), batch->kind,
            err);
    if (!status)
        status = hc_table_init(&merged, batch->rows->def, held.table.n_rows + end - first, err);
    if (!status)
        status = hc_kind_start_names(batch->kind, false, &names, err);
    struct hc_day_merge merge = {
        .kind = batch->kind,
        .held = {.table = &held.table, .names = &held.names, .maps = held.maps},
        .batch = {.table = batch->rows, .names = &records->input->names, .maps = batch->maps},
        .merged = &merged,
        .names = &names,
        .group = ++batch->n_groups};
    if (!status)
        status = hc_day_merge_run(&merge, batch->order + first, end - first, err);
    bool is_changed = merge.outcome.n_new || merge.outcome.n_changed;
    if (!status && is_changed)
        status = write_segment(batch, &merge, job, day, held.sha256, err);
    records->n_new += merge.outcome.n_new;
    records->n_new_main += batch->kind == records->input->kind ? merge.outcome.n_new : 0;
    records->n_changed += merge.outcome.n_changed;
    records->n_same += merge.outcome.n_same;
    records->n_days_changed += is_changed;
    hc_table_fini(&merged);
    hc_table_names_fini(&names);
    hc_held_day_fini(&held);
    return status;
}

/* Where the archive has the month of the day that job is of in one segment, make it that month: all
 * its days are merged at once then. */
static void widen_to_month(const struct batch *batch, struct hc_job *job)
{
    const struct hc_manifest_entry *entry =
        hc_held_day_find(batch->records->archive, batch->kind, job->cluster, job->day);
    if (entry)
        memcpy(job->day, entry->day, sizeof job->day);
}

/* Whether a row of the cluster that job is of belongs to its day or month. */
static bool is_of(const struct batch *batch, uint32_t row, uint32_t first, const struct hc_job *job)
{
    const struct hc_record_rules *rules = batch->kind->records;
    const int32_t *clusters = hc_table_i32(batch->rows, rules->cluster);
    char when[32];
    if (!hc_is_month(job->day))
        return compare_groups(rules, batch->rows, first, row) == 0;
    hc_format_iso8601(day_of(rules, batch->rows, row) * DAY_NS, when);
    return clusters[row] == clusters[first] && strncmp(when, job->day, strlen(job->day)) == 0;
}

static enum hc_status merge_days(struct batch *batch, struct hc_error *err)
{
    enum hc_status status = sort_rows(batch, err);
    size_t n = batch->rows->n_rows;
    for (size_t first = 0, end; first < n && !status; first = end) {
        struct hc_job job;
        if (name_day(batch, batch->order[first], &job, err))
            return err->status;
        widen_to_month(batch, &job);
        for (end = first + 1;
             end < n && is_of(batch, batch->order[end], batch->order[first], &job);)
            end++;
        status = merge_day(batch, &job, first, end, err);
        hc_job_fini(&job);
    }
    return status;
}

static enum hc_status lock(struct hc_day_records *records, struct hc_error *err)
{
    if (!records->is_locked && hc_archive_lock_records(records->archive, &records->lock, err))
        return err->status;
    records->is_locked = true;
    return HC_OK;
}

static void unlock(struct hc_day_records *records)
{
    if (records->is_locked)
        close(records->lock);
    records->is_locked = false;
}

enum hc_status hc_day_records_publish(struct hc_day_records *records, struct hc_error *err)
{
    enum hc_status status = publish(records, err);
    unlock(records);
    return status;
}

enum hc_status hc_day_records_take(const struct hc_table *rows, void *context, struct hc_error *err)
{
    struct hc_day_records *records = context;
    const struct hc_source_input *input = records->input;
    if (hc_row_report_limit(&input->report, input->options->max_bad, err))
        return err->status;
    struct batch *batch = hc_new_array(1, sizeof *batch, err);
    if (!batch)
        return err->status;
    batch->records = records;
    batch->kind = hc_kind_find(rows->def->name);
    batch->rows = rows;
    records->n_batches++;
    enum hc_status status = lock(records, err);
    if (!status)
        status = merge_days(batch, err);
    if (!status && rows->n_rows == rows->capacity) /* of a long source, which may read for long */
        status = hc_day_records_publish(records, err);
    for (size_t i = 0; i < HC_MOST_DICTIONARIES; i++)
        free(batch->maps[i].codes);
    free(batch->order);
    free(batch);
    return status;
}

void hc_day_records_fini(struct hc_day_records *records)
{
    for (size_t i = 0; i < records->n_waiting; i++)
        hc_archive_ingest_abort(records->waiting[i]);
    records->n_waiting = 0;
    unlock(records);
    hc_text_set_fini(&records->days);
}
