/* held_day.h - what the archive has of a day (or a month) of records, in memory. */
#ifndef HC_PIPELINE_INGEST_HELD_DAY_H
#define HC_PIPELINE_INGEST_HELD_DAY_H

#include "pipeline/ingest/day_merge.h"
#include "store/archive/archive.h"

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
void hc_held_day_fini(struct hc_held_day *held);

/* Give merged rows, which are all of the segment, to its writer, with their texts. names must stay
 * until that is closed. */
enum hc_status hc_held_day_write(struct hc_segment_writer *writer, struct hc_table *rows,
                                 const struct hc_table_names *names, struct hc_error *err);

#endif
