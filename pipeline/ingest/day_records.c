#include "pipeline/ingest/day_records.h"

#include "core/base/clock.h"
#include "core/base/digest.h"
#include "core/base/memory.h"
#include "core/base/missing.h"
#include "core/base/sort_keys.h"
#include "pipeline/ingest/held_day.h"
#include "pipeline/ingest/row_order.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#define DAY_NS ((int64_t)86400 * 1000000000)

/* Rows of a day, from each side, that are merged at a time. */
#define PIECE_ROWS 32768

/* A batch as it is being merged. */
struct batch {
    struct hc_day_records *records;
    const struct hc_record_batch *given;
    const struct hc_kind *kind;
    const struct hc_table *rows;
    uint32_t *order; /* rows by cluster, day and key */
    struct hc_code_map maps[HC_MOST_DICTIONARIES];
    uint32_t n_groups;
};

/* ---- order ---- */

int64_t hc_day_of_record(const struct hc_record_rules *rules, const struct hc_table *rows,
                         size_t row)
{
    int64_t time_ns = hc_table_i64(rows, rules->key[0])[row];
    return time_ns / DAY_NS - (time_ns % DAY_NS < 0);
}

static int compare_groups(const struct hc_record_rules *rules, const struct hc_table *rows,
                          uint32_t a, uint32_t b)
{
    int32_t x = hc_table_i32(rows, rules->cluster)[a], y = hc_table_i32(rows, rules->cluster)[b];
    int64_t day_a = hc_day_of_record(rules, rows, a), day_b = hc_day_of_record(rules, rows, b);
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

/* Whether rows of one cluster and time are in order of the key as they are. */
static bool are_in_order(const struct batch *batch, size_t first, size_t end)
{
    const struct hc_record_rules *rules = batch->kind->records;
    for (size_t i = first + 1; i < end; i++)
        if (hc_day_compare_keys(rules, batch->rows, batch->order[i - 1], batch->rows,
                                batch->order[i]) > 0)
            return false;
    return true;
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
        if (!are_in_order(batch, first, end))
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
    int32_t cluster = hc_table_i32(batch->rows, rules->cluster)[row];
    const char *dictionary = batch->kind->tables[0]->columns[rules->cluster].dictionary;
    const char *text = batch->records->cluster;
    char when[32];
    if (hc_job_init(job, batch->kind->name, err))
        return err->status;
    if (cluster != HC_MISSING_I32)
        text = hc_table_names_text(batch->given->names, dictionary, cluster);
    if (text) {
        free(job->cluster);
        job->cluster = hc_copy_text(text, err);
    }
    if (!job->cluster) {
        hc_job_fini(job);
        return err->status;
    }
    hc_format_iso8601(hc_day_of_record(rules, batch->rows, row) * DAY_NS, when);
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

/* Number the day, and see to it that the archive has what was made of it before, and that one more
 * segment may wait. */
static enum hc_status note_day(struct hc_day_records *records, const struct hc_job *job,
                               int32_t *number, struct hc_error *err)
{
    char *day = hc_new_text(err, "%s %s %s", job->id, job->day, job->cluster);
    if (day)
        hc_text_set_add(&records->days, day, strlen(day), number, err);
    free(day);
    if (err->status)
        return err->status;
    bool is_full = records->n_waiting == HC_DAYS_TOGETHER;
    return is_full || is_waiting(records, *number) ? publish(records, err) : HC_OK;
}

/* ---- a day as it is merged and written ---- */

struct day {
    struct batch *batch;
    const uint32_t *rows; /* of the batch, in order of the key */
    size_t n, next;       /* of them; those before next are merged */
    struct hc_held_day held;
    struct hc_table late; /* held rows that are not merged yet: more of their time may follow */
    struct hc_day_merge merge;
    struct hc_row_order order;
    struct hc_table merged; /* rows that are not given to the writer yet */
    struct hc_table_names names;
    struct hc_archive_ingest *ingest; /* NULL: there is no need of one yet */
};

static enum hc_status begin_segment(struct day *day, struct hc_error *err)
{
    if (day->ingest)
        return HC_OK;
    if (hc_archive_ingest_begin(&day->ingest, day->batch->records->archive, true, err))
        return err->status;
    return hc_held_day_begin(hc_archive_ingest_writer(day->ingest), &day->names, err);
}

/* Rows first to end of a table, without a copy. */
static struct hc_table part_of(const struct hc_table *table, size_t first, size_t end)
{
    struct hc_table part = *table;
    for (size_t c = 0; c < table->def->n_columns; c++)
        part.column[c] =
            (char *)table->column[c] + first * hc_type_size(table->def->columns[c].type);
    part.n_rows = part.capacity = end - first;
    return part;
}

/* Take the first n rows out of a table. */
static void take_out(struct hc_table *table, size_t n)
{
    for (size_t c = 0; c < table->def->n_columns && n < table->n_rows; c++) {
        size_t size = hc_type_size(table->def->columns[c].type);
        memmove(table->column[c], (char *)table->column[c] + n * size, (table->n_rows - n) * size);
    }
    table->n_rows -= n;
}

/* Give what is merged to the writer, once it is a chunk. */
static enum hc_status write_chunk(struct day *day, struct hc_error *err)
{
    size_t n = hc_row_order_settled(day->order.rules, &day->merged);
    if (n < HC_RECORD_CHUNK_ROWS)
        return HC_OK;
    enum hc_status status = begin_segment(day, err);
    if (!status)
        status = hc_row_order_as_kept(&day->order, &day->merged, n, err);
    const struct hc_table part = part_of(&day->merged, 0, n);
    if (!status)
        status = hc_segment_writer_append(hc_archive_ingest_writer(day->ingest), &part, err);
    take_out(&day->merged, n);
    return status;
}

/* Merge held rows with the next n rows of the batch. */
static enum hc_status merge_piece(struct day *day, const struct hc_table *held, size_t n,
                                  struct hc_error *err)
{
    day->merge.held.table = held;
    if (hc_table_reserve(&day->merged, day->merged.n_rows + held->n_rows + n, err) ||
        hc_day_merge_run(&day->merge, day->rows + day->next, n, err))
        return err->status;
    day->next += n;
    return write_chunk(day, err);
}

static int compare_held(const struct day *day, const struct hc_table *held, size_t held_row,
                        size_t i)
{
    return hc_day_compare_keys(day->merge.kind->records, held, held_row, day->batch->rows,
                               day->rows[i]);
}

/* How many of the next rows, up to about PIECE_ROWS, are merged at once where no held row comes
 * between them: rows of one key stay together. */
static size_t piece_of(const struct day *day, size_t end)
{
    const struct hc_record_rules *rules = day->merge.kind->records;
    const struct hc_table *rows = day->batch->rows;
    size_t at = day->next + PIECE_ROWS;
    if (at >= end)
        return end - day->next;
    while (at < end &&
           hc_day_compare_keys(rules, rows, day->rows[at - 1], rows, day->rows[at]) == 0)
        at++;
    return at - day->next;
}

/* The first of the next rows whose key is beyond that of a held row. */
static size_t rows_up_to(const struct day *day, const struct hc_table *held, size_t held_row)
{
    size_t low = day->next, high = day->n;
    while (low < high) {
        size_t middle = low + (high - low) / 2;
        if (compare_held(day, held, held_row, middle) >= 0)
            low = middle + 1;
        else
            high = middle;
    }
    return low;
}

/* The first held row from first on, before end, whose key is beyond that of row i of the batch. */
static size_t held_up_to(const struct day *day, const struct hc_table *held, size_t first,
                         size_t end, size_t i)
{
    while (first < end) {
        size_t middle = first + (end - first) / 2;
        if (compare_held(day, held, middle, i) <= 0)
            first = middle + 1;
        else
            end = middle;
    }
    return first;
}

/* Held rows in order of the key, and what of the batch lies before their last key. */
static enum hc_status merge_held(struct day *day, const struct hc_table *chunk,
                                 struct hc_error *err)
{
    enum hc_status status = HC_OK;
    for (size_t first = 0, end; first < chunk->n_rows && !status; first = end) {
        end = chunk->n_rows - first > PIECE_ROWS ? first + PIECE_ROWS : chunk->n_rows;
        size_t until = rows_up_to(day, chunk, end - 1), n = piece_of(day, until);
        if (day->next + n < until)
            end = held_up_to(day, chunk, first, end, day->next + n - 1);
        struct hc_table part = part_of(chunk, first, end);
        status = merge_piece(day, &part, n, err);
    }
    return status;
}

static enum hc_status merge_late(struct day *day, size_t n, struct hc_error *err)
{
    if (n == 0)
        return HC_OK;
    enum hc_status status = hc_row_order_by_key(&day->order, &day->late, n, err);
    const struct hc_table part = part_of(&day->late, 0, n);
    if (!status)
        status = merge_held(day, &part, err);
    take_out(&day->late, n);
    return status;
}

/* A chunk of the held rows. */
static enum hc_status take_held(const struct hc_table *chunk, void *context, struct hc_error *err)
{
    struct day *day = context;
    if (!day->order.rules->has_hash)
        return merge_held(day, chunk, err);
    if (hc_table_reserve(&day->late, day->late.n_rows + chunk->n_rows, err))
        return err->status;
    hc_table_append(&day->late, chunk, 0, chunk->n_rows);
    return merge_late(day, hc_row_order_settled(day->order.rules, &day->late), err);
}

/* What of the batch lies behind all held rows. */
static enum hc_status take_rest(struct day *day, struct hc_error *err)
{
    const struct hc_table nothing = {.def = day->batch->rows->def};
    enum hc_status status = merge_late(day, day->late.n_rows, err);
    while (day->next < day->n && !status)
        status = merge_piece(day, &nothing, piece_of(day, day->n), err);
    return status;
}

/* The last source of which the batch has rows of the day. */
static const struct hc_source_input *last_input(const struct day *day)
{
    const struct hc_record_batch *given = day->batch->given;
    int32_t last = given->one_source;
    for (size_t i = 0; given->source && i < day->n; i++) {
        int32_t source = given->source[day->rows[i]];
        last = i == 0 || source > last ? source : last;
    }
    return given->input(given->context, last);
}

/* A day has its rows from many sources, of which the last is named. What it holds follows from what
 * it held before and from the batches: that is what its digest of a source is of, since segments of
 * one digest are taken to be the same. */
static enum hc_status say_source(struct hc_provenance *provenance, const struct day *day,
                                 struct hc_error *err)
{
    char history[2 * HC_DIGEST_TEXT + 2];
    const struct batch *batch = day->batch;
    if (hc_source_input_provenance(last_input(day), provenance, err))
        return err->status;
    int n = snprintf(history, sizeof history, "%s %s", day->held.sha256, batch->records->history);
    hc_digest_bytes(history, (size_t)n, provenance->source_sha256);
    free(provenance->table);
    provenance->table = hc_copy_text(batch->kind->tables[0]->name, err);
    return provenance->table ? HC_OK : err->status;
}

static enum hc_status finish_segment(struct day *day, const struct hc_job *job, int32_t number,
                                     struct hc_error *err)
{
    struct hc_day_records *records = day->batch->records;
    struct hc_provenance provenance = {0};
    enum hc_status status = begin_segment(day, err);
    if (!status)
        status = hc_row_order_as_kept(&day->order, &day->merged, day->merged.n_rows, err);
    if (!status)
        status = hc_segment_writer_take(hc_archive_ingest_writer(day->ingest), &day->merged, err);
    if (!status)
        status = say_source(&provenance, day, err);
    if (!status)
        status = hc_archive_ingest_finish(day->ingest, job, &provenance, err);
    hc_provenance_fini(&provenance);
    if (status)
        return status;
    records->waiting_day[records->n_waiting] = number;
    records->waiting[records->n_waiting++] = day->ingest;
    day->ingest = NULL;
    return HC_OK;
}

static enum hc_status begin_day(struct day *day, struct hc_error *err)
{
    struct batch *batch = day->batch;
    const struct hc_record_batch *given = batch->given;
    day->merged.def = day->late.def = batch->rows->def;
    day->order = (struct hc_row_order){.rules = batch->kind->records, .names = &day->names};
    day->merge = (struct hc_day_merge){
        .kind = batch->kind,
        .held = {.names = &day->held.names, .maps = day->held.maps},
        .batch = {.table = batch->rows, .names = given->names, .maps = batch->maps},
        .merged = &day->merged,
        .names = &day->names,
        .group = ++batch->n_groups,
        .source = given->source,
        .one_source = given->one_source,
        .outcomes = batch->records->outcomes};
    return hc_kind_start_names(batch->kind, false, &day->names, err);
}

/* Merge the rows first to end of the order, all of what job, the day or month of a cluster, is of.
 */
static enum hc_status merge_day(struct batch *batch, const struct hc_job *job, size_t first,
                                size_t end, struct hc_error *err)
{
    struct hc_day_records *records = batch->records;
    struct day day = {.batch = batch, .rows = batch->order + first, .n = end - first};
    const struct hc_held_sink sink = {take_held, &day};
    int32_t number = 0;
    enum hc_status status = note_day(records, job, &number, err);
    if (!status)
        status = begin_day(&day, err);
    if (!status)
        status = hc_held_day_each(
            &day.held, records->archive,
            hc_held_day_find(records->archive, batch->kind, job->cluster, job->day), batch->kind,
            &sink, err);
    if (!status)
        status = take_rest(&day, err);
    if (!status && day.merge.is_changed)
        status = finish_segment(&day, job, number, err);
    hc_archive_ingest_abort(day.ingest);
    hc_table_fini(&day.merged);
    hc_table_fini(&day.late);
    hc_row_order_fini(&day.order);
    hc_table_names_fini(&day.names);
    hc_held_day_fini(&day.held);
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

/* Where the rows from first on end in the order that are of its cluster and its day. */
static size_t end_of_day(const struct batch *batch, size_t first)
{
    const struct hc_record_rules *rules = batch->kind->records;
    const int32_t *clusters = hc_table_i32(batch->rows, rules->cluster);
    const int64_t *times_ns = hc_table_i64(batch->rows, rules->key[0]);
    const uint32_t *order = batch->order;
    const int32_t cluster = clusters[order[first]];
    /* Unsigned, since a day may begin below the least time, or end above the greatest. */
    const uint64_t start_ns =
        (uint64_t)hc_day_of_record(rules, batch->rows, order[first]) * (uint64_t)DAY_NS;
    size_t end = first + 1;
    while (end < batch->rows->n_rows && clusters[order[end]] == cluster &&
           (uint64_t)times_ns[order[end]] - start_ns < (uint64_t)DAY_NS)
        end++;
    return end;
}

/* The same of a month. */
static size_t end_of_month(const struct batch *batch, size_t first, const char *month)
{
    const struct hc_record_rules *rules = batch->kind->records;
    const int32_t *clusters = hc_table_i32(batch->rows, rules->cluster);
    const uint32_t *order = batch->order;
    size_t end = first + 1;
    for (; end < batch->rows->n_rows && clusters[order[end]] == clusters[order[first]]; end++) {
        char when[32];
        hc_format_iso8601(hc_day_of_record(rules, batch->rows, order[end]) * DAY_NS, when);
        if (strncmp(when, month, strlen(month)) != 0)
            break;
    }
    return end;
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
        end = hc_is_month(job.day) ? end_of_month(batch, first, job.day) : end_of_day(batch, first);
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

void hc_day_records_note(struct hc_day_records *records, const char *sha256)
{
    char history[2 * HC_DIGEST_TEXT + 2];
    int n = snprintf(history, sizeof history, "%s %s", records->history, sha256);
    hc_digest_bytes(history, (size_t)n, records->history);
}

enum hc_status hc_day_records_merge(struct hc_day_records *records,
                                    const struct hc_record_batch *given, struct hc_error *err)
{
    struct batch *batch = hc_new_array(1, sizeof *batch, err);
    if (!batch)
        return err->status;
    batch->records = records;
    batch->given = given;
    batch->kind = given->kind;
    batch->rows = given->rows;
    enum hc_status status = lock(records, err);
    if (!status)
        status = merge_days(batch, err);
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
