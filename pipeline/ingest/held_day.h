/* held_day.h - what the archive has of a day (or a month) of records, in memory. */
#ifndef HC_PIPELINE_INGEST_HELD_DAY_H
#define HC_PIPELINE_INGEST_HELD_DAY_H

#include "pipeline/ingest/day_merge.h"
#include "store/archive/archive.h"
#include "store/segment/segment_each.h"

/* Zeroed memory is empty. */
struct hc_held_day {
    char sha256[HC_DIGEST_TEXT]; /* of its segment, or "" */
    struct hc_table table;
    struct hc_table_names names;
    struct hc_code_map maps[HC_MOST_DICTIONARIES];
};

/* The segment of a table that holds a day of a cluster: that of the day, or of its month; NULL: the
 * archive has nothing of it. */
const struct hc_manifest_entry *hc_held_day_find(const struct hc_archive *archive,
                                                 const struct hc_kind *kind, const char *cluster,
                                                 const char *day);

/* Read all rows of an entry, which is of the kind (NULL: there are none), with their texts. After a
 * failure, which names the segment, held is to be given up all the same. */
enum hc_status hc_held_day_load(struct hc_held_day *held, const struct hc_archive *archive,
                                const struct hc_manifest_entry *entry, const struct hc_kind *kind,
                                struct hc_error *err);

/* The same chunk by chunk, in order of the key: held->table stays empty, and the texts are there
 * from the first call on. */
struct hc_held_sink {
    hc_segment_chunk *take;
    void *context;
};
enum hc_status hc_held_day_each(struct hc_held_day *held, const struct hc_archive *archive,
                                const struct hc_manifest_entry *entry, const struct hc_kind *kind,
                                const struct hc_held_sink *sink, struct hc_error *err);
void hc_held_day_fini(struct hc_held_day *held);

/* Rows of a chunk of records, at most: who merges days holds chunks of both. */
#define HC_RECORD_CHUNK_ROWS 65536

/* Before merged rows are given to the writer of their segment: their texts, which must stay until
 * that is closed, and may grow meanwhile. */
enum hc_status hc_held_day_begin(struct hc_segment_writer *writer,
                                 const struct hc_table_names *names, struct hc_error *err);

#endif
