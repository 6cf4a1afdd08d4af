/* day_records.h - rows of records that many sources tell of (struct hc_record_rules), into segments
 * of a table, a cluster and a day.
 *
 * A batch of rows is sorted by cluster, day and key. The rows of a day are merged with those that
 * the archive has of it: of two rows of one key, the one that tells of a later moment wins (of two
 * alike, the newer one), and what it leaves open is taken from the other. A day whose rows stay as
 * they were is left alone, so that the same source again changes nothing.
 *
 * Segments are published many at once, since to sync them one by one takes longer than all the
 * rest: those of a log wait for its end, those of a long dump for the end of a batch. All that time
 * the lock of the records is held, so that what a day is merged with stays the newest. A kill
 * leaves whole days, and the next ingest completes them.
 */
#ifndef HC_PIPELINE_INGEST_DAY_RECORDS_H
#define HC_PIPELINE_INGEST_DAY_RECORDS_H

#include "pipeline/inputs/source_input.h"
#include "store/archive/archive.h"

/* Segments that are published together; more would hold too many open files. */
#define HC_DAYS_TOGETHER 256

/* Zeroed memory but for the first two. */
struct hc_day_records {
    struct hc_archive *archive;
    struct hc_source_input *input;
    int64_t n_batches;
    int64_t n_new, n_changed, n_same; /* records */
    int64_t n_new_main;               /* of n_new, those of the main table of the kind */
    int64_t n_days_changed;           /* counted once a batch */
    struct hc_text_set days;          /* table, cluster and day of each that rows were of */
    /* Segments that wait to be published, and of which of the days they are. */
    size_t n_waiting;
    struct hc_archive_ingest *waiting[HC_DAYS_TOGETHER];
    int32_t waiting_day[HC_DAYS_TOGETHER];
    bool is_locked; /* the records of the archive, by lock */
    int lock;
};

/* Merge a batch of rows of a table of records into the archive: a hc_table_sink, context being a
 * struct hc_day_records. HC_BAD_INPUT also where too many rows were bad so far. */
enum hc_status hc_day_records_take(const struct hc_table *rows, void *context,
                                   struct hc_error *err);

/* After the last batch, also where reading failed: publish what waits, and give up the lock. */
enum hc_status hc_day_records_publish(struct hc_day_records *records, struct hc_error *err);

/* What waits still is not published. */
void hc_day_records_fini(struct hc_day_records *records);

#endif
