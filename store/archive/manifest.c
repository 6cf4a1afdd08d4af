#include "store/archive/manifest.h"

#include "core/base/memory.h"
#include "store/archive/manifest_fields.h"
#include "store/archive/segment_name.h"
#include "store/folder/locked_temporary.h"

#include <stdlib.h>
#include <string.h>

const struct hc_temporary_kind hc_temporary_manifest = {HC_MANIFEST_FILE ".tmp-", "",
                                                        hc_begins_as_document, HC_MANIFEST_FILE};

#define ENTRY(member, kind)                                                                        \
    {                                                                                              \
#member, kind, offsetof(struct hc_manifest_entry, member)                                  \
    }

const struct hc_manifest_field hc_manifest_fields[HC_MANIFEST_N_FIELDS] = {
    ENTRY(cluster, HC_FIELD_TEXT),
    ENTRY(job_id, HC_FIELD_TEXT),
    ENTRY(attempt, HC_FIELD_INT32),
    ENTRY(file, HC_FIELD_FILE_NAME),
    ENTRY(size, HC_FIELD_INT64),
    ENTRY(sha256, HC_FIELD_DIGEST),
    ENTRY(table, HC_FIELD_TEXT),
    ENTRY(source_path, HC_FIELD_TEXT),
    ENTRY(source_sha256, HC_FIELD_DIGEST),
    ENTRY(format, HC_FIELD_TEXT),
    ENTRY(format_version, HC_FIELD_INT32),
    ENTRY(options, HC_FIELD_TEXT),
    ENTRY(meta_sha256, HC_FIELD_OPTIONAL_DIGEST),
};

/* ---- entries ---- */

void hc_manifest_entry_fini(struct hc_manifest_entry *entry)
{
    free(entry->file);
    free(entry->cluster);
    free(entry->job_id);
    free(entry->table);
    hc_table_counts_fini(&entry->tables);
    free(entry->source_path);
    free(entry->format);
    free(entry->options);
    memset(entry, 0, sizeof *entry);
}

enum hc_status hc_manifest_entry_init(struct hc_manifest_entry *entry, const struct hc_job *job,
                                      const struct hc_provenance *provenance,
                                      const struct hc_table_counts *tables, struct hc_error *err)
{
    memset(entry, 0, sizeof *entry);
    entry->attempt = job->attempt;
    memcpy(entry->day, job->day, sizeof entry->day);
    entry->of_rank = job->of_rank;
    entry->format_version = provenance->format_version;
    memcpy(entry->source_sha256, provenance->source_sha256, HC_DIGEST_TEXT);
    memcpy(entry->meta_sha256, job->meta_sha256, HC_DIGEST_TEXT);
    const char *source = provenance->source_path ? provenance->source_path : "";
    const char *table = provenance->table     ? provenance->table
                        : tables && tables->n ? tables->list[0].table
                                              : "";
    if (!(entry->cluster = hc_utf8_text(job->cluster, err)) ||
        !(entry->table = hc_utf8_text(table, err)) ||
        (tables && hc_table_counts_copy(&entry->tables, tables, err)) ||
        !(entry->job_id = hc_utf8_text(job->id, err)) ||
        !(entry->source_path = hc_utf8_text(source, err)) ||
        !(entry->format = hc_utf8_text(provenance->format ? provenance->format : "", err)) ||
        !(entry->options = hc_utf8_text(provenance->options ? provenance->options : "", err)) ||
        !(entry->file = hc_segment_file_name(entry, "", err))) {
        hc_manifest_entry_fini(entry);
        return err->status;
    }
    return HC_OK;
}

enum hc_status hc_manifest_entry_copy(struct hc_manifest_entry *copy,
                                      const struct hc_manifest_entry *entry, struct hc_error *err)
{
    *copy = *entry;
    copy->file = hc_copy_text(entry->file, err);
    copy->cluster = hc_copy_text(entry->cluster, err);
    copy->job_id = hc_copy_text(entry->job_id, err);
    copy->table = hc_copy_text(entry->table, err);
    bool is_short = hc_table_counts_copy(&copy->tables, &entry->tables, err) != HC_OK;
    copy->source_path = hc_copy_text(entry->source_path, err);
    copy->format = hc_copy_text(entry->format, err);
    copy->options = hc_copy_text(entry->options, err);
    if (!is_short && copy->file && copy->cluster && copy->job_id && copy->table &&
        copy->source_path && copy->format && copy->options)
        return HC_OK;
    hc_manifest_entry_fini(copy);
    return err->status;
}

/* Order of the manifest. */
static int compare_entries(const void *first, const void *second)
{
    const struct hc_manifest_entry *a = first, *b = second;
    int order = strcmp(a->cluster, b->cluster);
    if (order == 0)
        order = strcmp(a->job_id, b->job_id);
    if (order == 0)
        order = (a->attempt > b->attempt) - (a->attempt < b->attempt);
    if (order == 0)
        order = strcmp(a->day, b->day);
    if (order == 0)
        order = strcmp(a->table, b->table);
    return order ? order : (a->of_rank > b->of_rank) - (a->of_rank < b->of_rank);
}

bool hc_manifest_same(const struct hc_manifest_entry *a, const struct hc_manifest_entry *b)
{
    return compare_entries(a, b) == 0 && strcmp(a->source_sha256, b->source_sha256) == 0 &&
           strcmp(a->meta_sha256, b->meta_sha256) == 0 && strcmp(a->format, b->format) == 0 &&
           a->format_version == b->format_version && strcmp(a->options, b->options) == 0;
}

static bool differs(const struct hc_manifest_field *field, const struct hc_manifest_entry *a,
                    const struct hc_manifest_entry *b)
{
    const char *x = (const char *)a + field->offset, *y = (const char *)b + field->offset;
    if (field->kind == HC_FIELD_INT32 || field->kind == HC_FIELD_INT64)
        return memcmp(x, y, field->kind == HC_FIELD_INT32 ? sizeof(int32_t) : sizeof(int64_t)) != 0;
    if (!hc_field_is_text(field->kind))
        return strcmp(x, y) != 0;
    const char *texts[2];
    memcpy(&texts[0], x, sizeof texts[0]);
    memcpy(&texts[1], y, sizeof texts[1]);
    return strcmp(texts[0], texts[1]) != 0;
}

const char *hc_manifest_difference(const struct hc_manifest_entry *a,
                                   const struct hc_manifest_entry *b)
{
    if (strcmp(a->day, b->day) != 0)
        return HC_MANIFEST_DAY_KEY;
    if (a->of_rank != b->of_rank)
        return HC_MANIFEST_RANK_KEY;
    for (size_t i = 0; i < HC_MANIFEST_N_FIELDS; i++)
        if (hc_manifest_fields[i].kind != HC_FIELD_FILE_NAME &&
            differs(&hc_manifest_fields[i], a, b))
            return hc_manifest_fields[i].key;
    return hc_table_counts_agree(&a->tables, &b->tables) ? NULL : HC_MANIFEST_TABLES_KEY;
}

static int compare_files(const void *a, const void *b)
{
    return strcmp(*(const char *const *)a, *(const char *const *)b);
}

struct hc_manifest_entry *hc_manifest_find(const struct hc_archive *archive,
                                           const struct hc_manifest_entry *like)
{
    for (size_t i = 0; i < archive->n_entries; i++)
        if (compare_entries(&archive->entries[i], like) == 0)
            return &archive->entries[i];
    return NULL;
}

bool hc_manifest_covers(const struct hc_manifest_entry *month, const struct hc_manifest_entry *day)
{
    return hc_month_has_day(month->day, day->day) && strcmp(month->cluster, day->cluster) == 0 &&
           strcmp(month->job_id, day->job_id) == 0 && strcmp(month->table, day->table) == 0;
}

struct hc_manifest_entry *hc_manifest_covering(const struct hc_archive *archive,
                                               const struct hc_manifest_entry *like)
{
    struct hc_manifest_entry *found = hc_manifest_find(archive, like);
    for (size_t i = 0; i < archive->n_entries && !found; i++)
        if (hc_manifest_covers(&archive->entries[i], like))
            found = &archive->entries[i];
    return found;
}

static void drop_days(struct hc_archive *archive, const struct hc_manifest_entry *month)
{
    size_t n_kept = 0;
    for (size_t i = 0; i < archive->n_entries; i++) {
        struct hc_manifest_entry entry = archive->entries[i];
        if (hc_manifest_covers(month, &entry))
            hc_manifest_entry_fini(&entry);
        else
            archive->entries[n_kept++] = entry;
    }
    archive->n_entries = n_kept;
}

enum hc_status hc_manifest_put(struct hc_archive *archive, const struct hc_manifest_entry *entry,
                               struct hc_error *err)
{
    struct hc_manifest_entry *old = hc_manifest_find(archive, entry);
    if (old) {
        hc_manifest_entry_fini(old);
        *old = *entry;
        return HC_OK;
    }
    size_t capacity = archive->n_entries;
    if (hc_reserve(&archive->entries, &capacity, archive->n_entries + 1, sizeof *entry, err))
        return err->status;
    if (hc_is_month(entry->day))
        drop_days(archive, entry);
    size_t at = archive->n_entries++;
    for (; at > 0 && compare_entries(&archive->entries[at - 1], entry) > 0; at--)
        archive->entries[at] = archive->entries[at - 1];
    archive->entries[at] = *entry;
    return HC_OK;
}

void hc_manifest_clear(struct hc_archive *archive)
{
    for (size_t i = 0; i < archive->n_entries; i++)
        hc_manifest_entry_fini(&archive->entries[i]);
    free(archive->entries);
    archive->entries = NULL;
    archive->n_entries = 0;
}

/* Two entries for one job, or for one file, would be two answers to one question. */
enum hc_status hc_manifest_sort(struct hc_archive *archive, struct hc_error *err)
{
    enum hc_status status = HC_OK;
    qsort(archive->entries, archive->n_entries, sizeof *archive->entries, compare_entries);
    for (size_t i = 1; i < archive->n_entries; i++)
        if (compare_entries(&archive->entries[i - 1], &archive->entries[i]) == 0)
            return hc_fail(err, HC_BAD_INPUT, "job '%s/%s' attempt %d is there twice",
                           archive->entries[i].cluster, archive->entries[i].job_id,
                           (int)archive->entries[i].attempt);
        else if (hc_manifest_covers(&archive->entries[i - 1], &archive->entries[i]))
            return hc_fail(err, HC_BAD_INPUT, "day %s of '%s/%s' is there twice, once in its month",
                           archive->entries[i].day, archive->entries[i].cluster,
                           archive->entries[i].job_id);
    const char **files = hc_new_array(archive->n_entries, sizeof *files, err);
    if (!files)
        return err->status;
    for (size_t i = 0; i < archive->n_entries; i++)
        files[i] = archive->entries[i].file;
    qsort(files, archive->n_entries, sizeof *files, compare_files);
    for (size_t i = 1; !status && i < archive->n_entries; i++)
        if (strcmp(files[i - 1], files[i]) == 0)
            status = hc_fail(err, HC_BAD_INPUT, "file '%s' is there twice", files[i]);
    free(files);
    return status;
}
