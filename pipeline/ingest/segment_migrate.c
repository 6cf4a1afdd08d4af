#include "pipeline/ingest/segment_migrate.h"

#include "core/base/memory.h"
#include "core/tables/table_names.h"
#include "pipeline/kinds/kind.h"
#include "store/archive/archive.h"
#include "store/segment/segment_each.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

struct migration {
    const struct hc_segment_migrate *settings;
    struct hc_archive *archive;
};

/* A segment and the definitions of its tables. */
struct subject {
    char sha256[HC_DIGEST_TEXT];
    struct hc_segment *segment;
    const struct hc_table_def *defs[HC_KIND_MOST_TABLES + 1]; /* ends in NULL */
    bool lacks_columns;
    const char *refusal; /* why it cannot be written anew, or NULL */
};

/* ---- which ---- */

static bool is_wanted(const struct migration *migration, const struct hc_manifest_entry *entry)
{
    const struct hc_segment_migrate *settings = migration->settings;
    char last_day[HC_DAY_TEXT + sizeof HC_LAST_DAY_OF_MONTH];
    snprintf(last_day, sizeof last_day, "%s%s", entry->day,
             hc_is_month(entry->day) ? HC_LAST_DAY_OF_MONTH : "");
    return (!settings->before || (entry->day[0] && strcmp(last_day, settings->before) < 0)) &&
           (!settings->table || strcmp(settings->table, entry->table) == 0) &&
           (!settings->cluster || strcmp(settings->cluster, entry->cluster) == 0);
}

static const struct hc_table_def *find_def(const struct hc_kind *kind, const char *table)
{
    for (size_t i = 0; kind && kind->tables[i]; i++)
        if (strcmp(kind->tables[i]->name, table) == 0)
            return kind->tables[i];
    return NULL;
}

static void examine(struct subject *subject, const struct hc_manifest_entry *entry)
{
    const struct hc_table_counts *tables = hc_segment_tables(subject->segment);
    const struct hc_kind *kind = hc_kind_find(entry->table);
    size_t n = 0;
    for (size_t i = 0; i < tables->n; i++) {
        const struct hc_table_def *def = find_def(kind, tables->list[i].table);
        enum hc_segment_fit fit = def ? hc_segment_fit(subject->segment, def) : HC_SEGMENT_HAS_MORE;
        if (fit == HC_SEGMENT_HAS_MORE || n == HC_KIND_MOST_TABLES) {
            subject->refusal = "it has tables or columns that this hindcast does not know";
            return;
        }
        subject->lacks_columns |= fit == HC_SEGMENT_LACKS;
        subject->defs[n++] = def;
    }
}

/* ---- writing ---- */

static enum hc_status append_chunk(const struct hc_table *table, void *writer, struct hc_error *err)
{
    return hc_segment_writer_append(writer, table, err);
}

static enum hc_status copy_tables(const struct subject *subject, struct hc_table_names *names,
                                  struct hc_segment_writer *writer, struct hc_error *err)
{
    if (hc_table_names_init(names, subject->defs, err))
        return err->status;
    for (size_t i = 0; i < names->n; i++)
        if (hc_segment_names(subject->segment, names->dictionary[i], &names->set[i], err) ||
            hc_segment_writer_names(writer, names->dictionary[i], &names->set[i], err))
            return err->status;
    for (size_t i = 0; subject->defs[i]; i++) {
        struct hc_table none = {.def = subject->defs[i]}; /* makes the table, be it empty */
        if (hc_segment_writer_append(writer, &none, err) ||
            hc_segment_each(subject->segment, subject->defs[i], ~(uint64_t)0, append_chunk, writer,
                            err))
            return err->status;
    }
    return HC_OK;
}

static enum hc_status rewrite(const struct migration *migration, const struct subject *subject,
                              bool is_small, bool *replaced, struct hc_error *err)
{
    struct hc_archive_ingest *ingest = NULL;
    struct hc_table_names names = {0};
    if (hc_archive_ingest_begin(&ingest, migration->archive, is_small, err))
        return err->status;
    hc_archive_ingest_rewrites(ingest, subject->sha256);
    enum hc_status status = copy_tables(subject, &names, hc_archive_ingest_writer(ingest), err);
    if (!status)
        status = hc_archive_ingest_finish(ingest, hc_segment_job(subject->segment),
                                          hc_segment_provenance(subject->segment), err);
    hc_table_names_fini(&names);
    if (status) {
        hc_archive_ingest_abort(ingest);
        return status;
    }
    return hc_archive_ingest_publish(&(struct hc_ingest_set){1, &ingest, replaced}, err);
}

static enum hc_status migrate_subject(const struct migration *migration, struct subject *subject,
                                      const struct hc_manifest_entry *entry, struct hc_error *err)
{
    const struct hc_segment_migrate *settings = migration->settings;
    bool replaced = false;
    struct hc_migrated_segment said = {.cluster = entry->cluster,
                                       .id = entry->job_id,
                                       .day = entry->day,
                                       .table = entry->table,
                                       .size_before = entry->size,
                                       .refusal = subject->refusal};
    if (!subject->lacks_columns && !subject->refusal)
        return HC_OK;
    if (!settings->is_dry && !subject->refusal &&
        rewrite(migration, subject, entry->day[0] != '\0', &replaced, err))
        return err->status;
    for (size_t i = 0; replaced && i < migration->archive->n_entries; i++) {
        const struct hc_manifest_entry *now = &migration->archive->entries[i];
        if (strcmp(now->cluster, entry->cluster) == 0 && strcmp(now->job_id, entry->job_id) == 0 &&
            now->attempt == entry->attempt && now->of_rank == entry->of_rank &&
            strcmp(now->day, entry->day) == 0 && strcmp(now->table, entry->table) == 0)
            said.size_after = now->size;
    }
    if (settings->is_dry || subject->refusal || replaced)
        settings->done(&said, settings->context);
    return HC_OK;
}

static enum hc_status migrate_entry(const struct migration *migration,
                                    const struct hc_manifest_entry *entry, struct hc_error *err)
{
    struct subject subject = {0};
    if (hc_archive_open_segment(migration->archive, entry, &subject.segment, err))
        return err->status;
    memcpy(subject.sha256, entry->sha256, sizeof subject.sha256);
    examine(&subject, entry);
    enum hc_status status = migrate_subject(migration, &subject, entry, err);
    hc_segment_close(subject.segment);
    return status;
}

/* The entries as they were at the beginning, since each publication makes the archive's anew; what
 * others publish meanwhile is of today. */
static enum hc_status migrate_all(struct migration *migration, const char *path,
                                  struct hc_error *err)
{
    struct hc_archive *old = NULL;
    if (hc_archive_open(&old, path, false, err))
        return err->status;
    enum hc_status status = HC_OK;
    for (size_t i = 0; i < old->n_entries && !status; i++)
        if (is_wanted(migration, &old->entries[i]))
            status = migrate_entry(migration, &old->entries[i], err);
    hc_archive_close(old);
    return status;
}

enum hc_status hc_segment_migrate_run(const char *path, const struct hc_segment_migrate *migrate,
                                      struct hc_error *err)
{
    struct migration migration = {.settings = migrate};
    int lock = -1;
    if (hc_archive_open(&migration.archive, path, false, err))
        return err->status;
    enum hc_status status = hc_archive_lock_records(migration.archive, &lock, err);
    if (!status && migration.archive->newer)
        status = hc_fail(err, HC_BAD_INPUT,
                         "archive '%s' was written by a newer hindcast: this one can read it, but "
                         "not rewrite it",
                         path);
    if (!status)
        status = migrate_all(&migration, path, err);
    if (lock >= 0)
        close(lock);
    hc_archive_close(migration.archive);
    return status;
}
