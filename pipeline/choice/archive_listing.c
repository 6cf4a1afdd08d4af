#include "pipeline/choice/archive_listing.h"

#include "core/base/memory.h"
#include "core/base/missing.h"
#include "core/tables/table_names.h"
#include "pipeline/kinds/kind.h"
#include "pipeline/records/archive_records.h"

#include <stdlib.h>
#include <string.h>

/* ---- columns ---- */

enum column {
    CLUSTER,
    ID,
    ATTEMPT,
    DAY,
    KIND,
    TABLE,
    ROWS,
    RANKS,
    FIRST_NS,
    LAST_NS,
    SIZE,
    FORMAT,
    SOURCE,
    N_COLUMNS
};

static const struct hc_column_def columns[N_COLUMNS] = {
    [CLUSTER] = {"cluster", HC_I32, "", "as it was ingested", "cluster"},
    [ID] = {"id", HC_I32, "", "of the job, or the source of a day", "id"},
    [ATTEMPT] = {"attempt", HC_I32, "", "of the job", NULL},
    [DAY] = {"day", HC_I32, "", "or month, of records", "day"},
    [KIND] = {"kind", HC_I32, "", "of what is kept: steps, incidents, jobs, ...", "kind"},
    [TABLE] = {"table", HC_I32, "", "the main one: ops, incidents, jobs, ...", "table"},
    [ROWS] = {"rows", HC_I64, "", "of the main table", NULL},
    [RANKS] = {"ranks", HC_I64, "", "that are kept one by one", NULL},
    [FIRST_NS] = {"first_ns", HC_I64, "ns", "first time that it tells of, Unix time", NULL},
    [LAST_NS] = {"last_ns", HC_I64, "ns", "last time that it tells of", NULL},
    [SIZE] = {"size_bytes", HC_I64, "B", "in the archive", NULL},
    [FORMAT] = {"format", HC_I32, "", "that the source was read as", "format"},
    [SOURCE] = {"source", HC_I32, "", "path of the source", "source"},
};

const struct hc_table_def hc_archive_listing_def = {
    .name = "archive", .n_columns = N_COLUMNS, .columns = columns};

struct rows {
    struct hc_table table;
    struct hc_table_names names;
};

static void rows_fini(struct rows *rows)
{
    hc_table_names_fini(&rows->names);
    hc_table_fini(&rows->table);
}

static enum hc_status put_text(struct rows *rows, enum column column, size_t at, const char *text,
                               struct hc_error *err)
{
    int32_t *code = &hc_table_i32(&rows->table, column)[at];
    *code = HC_MISSING_I32;
    if (!text || !*text)
        return HC_OK;
    struct hc_text_set *set = hc_table_names_find(&rows->names, columns[column].dictionary);
    return hc_text_set_add(set, text, strlen(text), code, err);
}

static int64_t main_rows(const struct hc_listed_job *job)
{
    int64_t n = 0;
    for (size_t i = 0; i < job->n_ranks; i++)
        n += hc_table_counts_rows(&job->entry[i].tables, job->entry[i].table);
    return n;
}

static enum hc_status put_job(struct rows *rows, size_t at, const struct hc_listed_job *job,
                              struct hc_error *err)
{
    const struct hc_manifest_entry *entry = job->entry;
    bool is_of_ranks = entry->of_rank != HC_MISSING_I32;
    hc_table_i32(&rows->table, ATTEMPT)[at] = entry->day[0] ? HC_MISSING_I32 : entry->attempt;
    hc_table_i64(&rows->table, ROWS)[at] = main_rows(job);
    hc_table_i64(&rows->table, RANKS)[at] = is_of_ranks ? (int64_t)job->n_ranks : HC_MISSING_I64;
    hc_table_i64(&rows->table, FIRST_NS)[at] = job->dates.first_ns;
    hc_table_i64(&rows->table, LAST_NS)[at] = job->dates.last_ns;
    hc_table_i64(&rows->table, SIZE)[at] = job->size;
    return put_text(rows, CLUSTER, at, entry->cluster, err) ||
                   put_text(rows, ID, at, entry->job_id, err) ||
                   put_text(rows, DAY, at, entry->day, err) ||
                   put_text(rows, KIND, at, hc_kind_name(entry->table), err) ||
                   put_text(rows, TABLE, at, entry->table, err) ||
                   put_text(rows, FORMAT, at, entry->format, err) ||
                   put_text(rows, SOURCE, at, entry->source_path, err)
               ? err->status
               : HC_OK;
}

static enum hc_status rows_make(struct rows *rows, const struct hc_archive_listing *listing,
                                struct hc_error *err)
{
    const struct hc_table_def *const tables[] = {&hc_archive_listing_def, NULL};
    if (hc_table_init(&rows->table, &hc_archive_listing_def, listing->n, err) ||
        hc_table_names_init(&rows->names, tables, err))
        return err->status;
    rows->table.n_rows = listing->n;
    for (size_t i = 0; i < listing->n; i++)
        if (put_job(rows, i, &listing->jobs[i], err))
            return err->status;
    return HC_OK;
}

/* ---- the lines ---- */

enum hc_status hc_archive_listing_make(struct hc_archive_listing *listing,
                                       const struct hc_archive *archive, const bool *is_chosen,
                                       struct hc_error *err)
{
    struct hc_error why;
    *listing = (struct hc_archive_listing){.archive = archive};
    listing->jobs = hc_new_array(archive->n_entries + 1, sizeof *listing->jobs, err);
    if (!listing->jobs)
        return err->status;
    for (size_t i = 0, n; i < archive->n_entries; i += n) {
        const struct hc_manifest_entry *entry = &archive->entries[i];
        n = hc_archive_n_ranks(archive, entry);
        if (is_chosen && !is_chosen[i])
            continue;
        struct hc_listed_job *job = &listing->jobs[listing->n++];
        *job = (struct hc_listed_job){.entry = entry, .n_ranks = n};
        for (size_t r = 0; r < n; r++)
            job->size += entry[r].size;
        /* A segment that cannot be read is still one that the archive has: it is listed. */
        enum hc_status status = hc_entry_dates_find(&job->dates, archive, entry, &why);
        listing->n_unreadable += status == HC_IO;
        listing->n_damaged += status == HC_BAD_INPUT;
        if (status == HC_INTERNAL) {
            *err = why;
            return status;
        }
    }
    return HC_OK;
}

void hc_archive_listing_fini(struct hc_archive_listing *listing)
{
    free(listing->jobs);
    free(listing->segments);
    *listing = (struct hc_archive_listing){.n = 0};
}

enum hc_status hc_archive_listing_filter(struct hc_archive_listing *listing,
                                         struct hc_query_condition *condition, struct hc_error *err)
{
    struct rows rows = {.table = {.def = NULL}};
    size_t n = 0;
    if (!condition || listing->n == 0)
        return HC_OK;
    uint8_t *is_wanted = hc_new_array(listing->n, 1, err);
    enum hc_status status = is_wanted ? rows_make(&rows, listing, err) : err->status;
    if (!status)
        status = hc_query_condition_filter(condition, &rows.table, &rows.names, is_wanted, err);
    for (size_t i = 0; i < listing->n && !status; i++)
        if (is_wanted[i])
            listing->jobs[n++] = listing->jobs[i];
    listing->n = status ? listing->n : n;
    rows_fini(&rows);
    free(is_wanted);
    return status;
}

/* ---- sorting ---- */

enum hc_status hc_archive_listing_key(size_t *column, const char *key, struct hc_error *err)
{
    size_t n = strlen(key), n_found = 0;
    for (size_t i = 0; i < N_COLUMNS && n > 0; i++)
        if (strncmp(columns[i].name, key, n) == 0) {
            *column = i;
            n_found++;
            if (!columns[i].name[n])
                return HC_OK;
        }
    return n_found == 1 ? HC_OK : hc_query_column(column, &hc_archive_listing_def, key, n, err);
}

/* What a line is sorted by: a text, or a number. */
struct sort_key {
    const char *text;
    int64_t number;
    bool is_missing, is_reverse;
    size_t place; /* before */
};

static int compare_keys(const void *left, const void *right)
{
    const struct sort_key *a = left, *b = right;
    int order;
    if (a->is_missing != b->is_missing)
        return a->is_missing ? 1 : -1;
    if (a->text && b->text)
        order = strcmp(a->text, b->text);
    else
        order = (a->number > b->number) - (a->number < b->number);
    if (order && !a->is_missing)
        return a->is_reverse ? -order : order;
    return a->place < b->place ? -1 : 1;
}

static struct sort_key key_of(const struct rows *rows, size_t column, size_t at)
{
    const struct hc_table *table = &rows->table;
    struct sort_key key = {.place = at};
    if (columns[column].type == HC_I64) {
        key.number = hc_table_i64(table, column)[at];
        key.is_missing = key.number == HC_MISSING_I64;
        return key;
    }
    int32_t value = hc_table_i32(table, column)[at];
    key.number = value;
    key.is_missing = value == HC_MISSING_I32;
    if (columns[column].dictionary && !key.is_missing)
        key.text = hc_table_names_text(&rows->names, columns[column].dictionary, value);
    return key;
}

static enum hc_status sort_by(struct hc_archive_listing *listing, const struct rows *rows,
                              size_t column, bool is_reverse, struct hc_error *err)
{
    struct sort_key *keys = hc_new_array(listing->n, sizeof *keys, err);
    struct hc_listed_job *sorted = hc_new_array(listing->n + 1, sizeof *sorted, err);
    enum hc_status status = keys && sorted ? HC_OK : err->status;
    for (size_t i = 0; i < listing->n && !status; i++) {
        keys[i] = key_of(rows, column, i);
        keys[i].is_reverse = is_reverse;
    }
    if (!status) {
        qsort(keys, listing->n, sizeof *keys, compare_keys);
        for (size_t i = 0; i < listing->n; i++)
            sorted[i] = listing->jobs[keys[i].place];
        free(listing->jobs);
        listing->jobs = sorted;
        sorted = NULL;
    }
    free(keys);
    free(sorted);
    return status;
}

enum hc_status hc_archive_listing_sort(struct hc_archive_listing *listing, size_t column,
                                       bool is_reverse, struct hc_error *err)
{
    struct rows rows = {.table = {.def = NULL}};
    if (listing->n == 0)
        return HC_OK;
    enum hc_status status = rows_make(&rows, listing, err);
    if (!status)
        status = sort_by(listing, &rows, column, is_reverse, err);
    rows_fini(&rows);
    return status;
}

/* ---- JSON ---- */

enum hc_status hc_archive_listing_spread(struct hc_archive_listing *listing, struct hc_error *err)
{
    listing->segments =
        hc_new_array(listing->archive->n_entries + 1, sizeof *listing->segments, err);
    if (!listing->segments)
        return err->status;
    for (size_t i = 0; i < listing->n; i++)
        for (size_t r = 0; r < listing->jobs[i].n_ranks; r++)
            listing->segments[listing->n_segments++] =
                (struct hc_listed_segment){&listing->jobs[i].entry[r], listing->jobs[i].dates};
    return HC_OK;
}

HC_GIVES_ITEM(entry_of, HC_OF(struct hc_listed_segment, at)->entry)

#define SEGMENT(...) HC_FIELD(struct hc_listed_segment, __VA_ARGS__)
static const struct hc_field segment_fields[] = {
    HC_PART_OF(entry_of, &hc_archive_entry_record),
    SEGMENT("first_unix_ns", dates.first_ns, "ns",
            "first time that it tells of, since 1970 (of ranks, the first of them); null where it "
            "has no calendar, or cannot be read"),
    SEGMENT("last_unix_ns", dates.last_ns, "ns",
            "the last; of records of a day or month, where the next begins"),
};
static const struct hc_record_def segment_record = HC_RECORD(NULL, segment_fields);

HC_GIVES_ITEM(archive_of, HC_OF(struct hc_archive_listing, at)->archive)

#define ARCHIVE(...) HC_FIELD(struct hc_archive, __VA_ARGS__)
static const struct hc_field archive_fields[] = {
    ARCHIVE("archive", path, "", "its path"),
    ARCHIVE("generation", generation, "", "goes up by one with each change"),
};
static const struct hc_record_def archive_record = HC_RECORD(NULL, archive_fields);

static const struct hc_field listing_fields[] = {
    HC_PART_OF(archive_of, &archive_record),
    HC_LIST(struct hc_archive_listing, "jobs", segments, n_segments, &segment_record,
            "that are meant, ascending by cluster, id, attempt and day, or as `--sort` says"),
};
const struct hc_record_def hc_archive_listing_record = HC_RECORD(NULL, listing_fields);
