/* day_records.h - rows of records that many sources tell of (struct hc_record_rules), into segments
 * of a table, a cluster and a day.
 *
 * A batch of rows is sorted by cluster, day and key. The rows of a day are merged with those that
 * the archive has of it: of two rows of one key, the one that tells of a later moment wins (of two
 * alike, the newer one), and what it leaves open is taken from the other. A day whose rows stay as
 * they were is left alone, so that the same source again changes nothing. Each batch of a table is
 * published before the next one is read, under the lock of the records: a kill leaves whole days,
 * and the next ingest completes them.
 */
#ifndef HC_PIPELINE_INGEST_DAY_RECORDS_H
#define HC_PIPELINE_INGEST_DAY_RECORDS_H

#include "pipeline/inputs/source_input.h"
#include "store/archive/archive.h"

/* Zeroed memory but for the first two. */
struct hc_day_records {
    struct hc_archive *archive;
    struct hc_source_input *input;
    int64_t n_batches;
    int64_t n_new, n_changed, n_same; /* records */
    int64_t n_new_main;               /* of n_new, those of the main table of the kind */
    int64_t n_days_changed;           /* counted once a batch */
    struct hc_text_set days;          /* table, cluster and day of each that rows were of; freed by
                                         hc_day_records_fini */
};

/* Merge a batch of rows of a table of records into the archive: a hc_table_sink, context being a
 * struct hc_day_records. HC_BAD_INPUT also where too many rows were bad so far. */
enum hc_status hc_day_records_take(const struct hc_table *rows, void *context,
                                   struct hc_error *err);

void hc_day_records_fini(struct hc_day_records *records);

#endif
