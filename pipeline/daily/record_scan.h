/* record_scan.h - the records of a table over an archive, day by day.
 *
 * Records (pipeline/kinds/kind.h) lie in segments of a cluster and a UTC day, by the time that
 * their key begins with. A scan opens one segment after the other, in order of cluster and day, and
 * gives its rows as they are: in order of time, each key once, those of one time in an order that
 * no name of a file decides (pipeline/ingest/row_order.h). One segment is in memory at a time. A
 * row whose record names no cluster has that of its source. Of other tables, whose segments are of
 * jobs, it gives the rows job by job.
 */
#ifndef HC_PIPELINE_DAILY_RECORD_SCAN_H
#define HC_PIPELINE_DAILY_RECORD_SCAN_H

#include "core/base/status.h"
#include "core/tables/table.h"
#include "core/tables/table_names.h"
#include "store/archive/archive.h"

#include <stdint.h>

/* Rows of one segment, and the texts behind the codes of the columns that are read. */
struct hc_record_rows {
    const struct hc_table *table;
    struct hc_table_names *names;
    const struct hc_manifest_entry *entry; /* cluster, day, what it was last read from */
};

typedef enum hc_status hc_record_sink(const struct hc_record_rows *rows, void *context,
                                      struct hc_error *err);

struct hc_record_scan {
    const struct hc_archive *archive;
    const struct hc_table_def *def;
    const char *cluster;    /* NULL: all */
    int64_t from_ns, to_ns; /* days of the key that touch [from_ns, to_ns); INT64_MIN and
                               INT64_MAX: all */
    uint64_t columns;       /* bit i: column i is read; the others hold nothing */
    const bool *is_wanted;  /* of the entries of the archive: which are opened; NULL: all */
};

/* Give all rows of the days of the scan to sink, in batches. What the window leaves out within a
 * day is left to the sink. */
enum hc_status hc_record_scan_run(const struct hc_record_scan *scan, hc_record_sink *sink,
                                  void *context, struct hc_error *err);

/* The text of a code of a column; NULL: missing. */
const char *hc_record_text(const struct hc_record_rows *rows, size_t column, size_t row);

#endif
