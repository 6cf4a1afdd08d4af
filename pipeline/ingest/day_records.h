/* day_records.h - rows of records that many sources tell of (struct hc_record_rules), into segments
 * of a table, a cluster and a day.
 *
 * A batch of rows is sorted by cluster, day and key. The rows of a day are merged with those that
 * the archive has of it: of two rows of one key, the one that tells of a later moment wins (of two
 * alike, the newer one), and what it leaves open is taken from the other. A day whose rows stay as
 * they were is left alone, so that the same source again changes nothing. A day is read, merged and
 * written chunk by chunk, however many rows it has; rows of one time are in order of the key while
 * they are merged, and put in the order of pipeline/ingest/row_order.h before they are written.
 *
 * Segments are published many at once, since to sync them one by one takes longer than all the
 * rest. From the first batch to the publication the lock of the records is held, so that what a day
 * is merged with stays the newest. A kill leaves whole days, and the next ingest completes them.
 */
#ifndef HC_PIPELINE_INGEST_DAY_RECORDS_H
#define HC_PIPELINE_INGEST_DAY_RECORDS_H

#include "pipeline/ingest/day_merge.h"
#include "pipeline/inputs/source_input.h"
#include "store/archive/archive.h"

/* Segments that are published together; more would hold too many open files. */
#define HC_DAYS_TOGETHER 256

/* Rows of one table, from one source or several. */
struct hc_record_batch {
    const struct hc_kind *kind;
    const struct hc_table *rows;
    const struct hc_table_names *names; /* the texts behind their codes */
    const int32_t *source;              /* of each row; NULL: all are of one_source */
    int32_t one_source;
    /* The source of a number, which the provenance of a day names; context is the caller's. */
    const struct hc_source_input *(*input)(const void *context, int32_t source);
    const void *context;
};

/* Zeroed memory but for the first two. */
struct hc_day_records {
    struct hc_archive *archive;
    const char *cluster;             /* of rows that name none; NULL: that of a job without one */
    struct hc_day_outcome *outcomes; /* [number of a source]: the caller's, may change its place */
    char history[HC_DIGEST_TEXT];    /* of the sources of all batches so far */
    struct hc_text_set days;         /* table, cluster and day of each that rows were of */
    /* Segments that wait to be published, and of which of the days they are. */
    size_t n_waiting;
    struct hc_archive_ingest *waiting[HC_DAYS_TOGETHER];
    int32_t waiting_day[HC_DAYS_TOGETHER];
    bool is_locked; /* the records of the archive, by lock */
    int lock;
};

/* Before its rows are merged: a batch is of a source with this digest. What the archive will hold
 * depends on all of them and on their order, and segments are named by that. */
void hc_day_records_note(struct hc_day_records *records, const char *sha256);

/* Merge a batch into the days of the archive, and count in outcomes. */
enum hc_status hc_day_records_merge(struct hc_day_records *records,
                                    const struct hc_record_batch *batch, struct hc_error *err);

/* After the last batch, also where one failed: publish what waits, and give up the lock. */
enum hc_status hc_day_records_publish(struct hc_day_records *records, struct hc_error *err);

/* What waits still is not published. */
void hc_day_records_fini(struct hc_day_records *records);

/* The number of the day, since 1970, that a row belongs to. */
int64_t hc_day_of_record(const struct hc_record_rules *rules, const struct hc_table *rows,
                         size_t row);

#endif
