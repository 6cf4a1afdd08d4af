#include "pipeline/ingest/held_day.h"

#include <stdlib.h>
#include <string.h>

const struct hc_manifest_entry *hc_held_day_find(const struct hc_archive *archive,
                                                 const struct hc_kind *kind, const char *cluster,
                                                 const char *day)
{
    for (size_t i = 0; i < archive->n_entries; i++) {
        const struct hc_manifest_entry *entry = &archive->entries[i];
        if (hc_manifest_entry_is(entry, kind->tables[0]) && strcmp(entry->cluster, cluster) == 0 &&
            strcmp(entry->job_id, kind->name) == 0 &&
            (strcmp(entry->day, day) == 0 || hc_month_has_day(entry->day, day)))
            return entry;
    }
    return NULL;
}

static enum hc_status take_chunk(const struct hc_table *chunk, void *context, struct hc_error *err)
{
    struct hc_table *table = context;
    if (hc_table_reserve(table, table->n_rows + chunk->n_rows, err))
        return err->status;
    hc_table_append(table, chunk, 0, chunk->n_rows);
    return HC_OK;
}

enum hc_status hc_held_day_each(struct hc_held_day *held, const struct hc_archive *archive,
                                const struct hc_manifest_entry *entry, const struct hc_kind *kind,
                                const struct hc_held_sink *sink, struct hc_error *err)
{
    struct hc_segment *segment = NULL;
    if (hc_table_names_init(&held->names, kind->tables, err))
        return err->status;
    if (!entry)
        return HC_OK;
    memcpy(held->sha256, entry->sha256, sizeof held->sha256);
    if (hc_archive_open_segment(archive, entry, &segment, err))
        return err->status;
    enum hc_status status = HC_OK;
    for (size_t i = 0; i < held->names.n && !status; i++)
        status = hc_segment_names(segment, held->names.dictionary[i], &held->names.set[i], err);
    if (!status)
        status =
            hc_segment_each(segment, kind->tables[0], ~(uint64_t)0, sink->take, sink->context, err);
    hc_segment_close(segment);
    return status;
}

enum hc_status hc_held_day_load(struct hc_held_day *held, const struct hc_archive *archive,
                                const struct hc_manifest_entry *entry, const struct hc_kind *kind,
                                struct hc_error *err)
{
    const struct hc_held_sink sink = {take_chunk, &held->table};
    held->table.def = kind->tables[0];
    return hc_held_day_each(held, archive, entry, kind, &sink, err);
}

void hc_held_day_fini(struct hc_held_day *held)
{
    hc_table_fini(&held->table);
    hc_table_names_fini(&held->names);
    for (size_t i = 0; i < HC_MOST_DICTIONARIES; i++)
        free(held->maps[i].codes);
}

enum hc_status hc_held_day_begin(struct hc_segment_writer *writer,
                                 const struct hc_table_names *names, struct hc_error *err)
{
    hc_segment_writer_set_chunk(writer, HC_RECORD_CHUNK_ROWS);
    for (size_t i = 0; i < names->n; i++)
        if (hc_segment_writer_names(writer, names->dictionary[i], &names->set[i], err))
            return err->status;
    return HC_OK;
}
