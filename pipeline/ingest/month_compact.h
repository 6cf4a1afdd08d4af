/* month_compact.h - the days of a month of records, which are a segment each, into one segment.
 *
 * A segment of a quiet day is mostly what HDF5 needs to describe it. Of months long over, whose
 * days hardly change any more, one segment holds the same rows in the same order with a fraction of
 * the bytes and files. The manifest names the month in place of its days in one step; readers that
 * opened the archive before still find the days, which stay until `archive gc`.
 */
#ifndef HC_PIPELINE_INGEST_MONTH_COMPACT_H
#define HC_PIPELINE_INGEST_MONTH_COMPACT_H

#include "core/base/status.h"
#include "core/tables/job.h"

#include <stdbool.h>
#include <stdint.h>

/* Months with more rows stay by day: a chunk of a segment, which is the most that is held at once.
 * Of such a month, the days are large enough by themselves. */
#define HC_COMPACT_MOST_ROWS 262144

struct hc_compacted_month {
    const char *cluster, *table;
    char month[HC_DAY_TEXT]; /* "2026-03" */
    int64_t n_days, n_rows;
    int64_t size_before, size_after; /* bytes; after: 0 where nothing was written */
    bool is_too_large;               /* of more rows than HC_COMPACT_MOST_ROWS: left alone */
};

struct hc_month_compact {
    const char *before;          /* months whose last day is before this one ("2026-10-25") */
    const char *table, *cluster; /* of these only; NULL: of all */
    bool is_dry;                 /* nothing is changed */
    /* Called for each month in order of cluster, table and month. */
    void (*done)(const struct hc_compacted_month *month, void *context);
    void *context;
};

/* Write each such month of the archive at path that has two segments or more. The lock of the
 * records is held all the time. After a failure, the months that were done before it are there. */
enum hc_status hc_month_compact_run(const char *path, const struct hc_month_compact *compact,
                                    struct hc_error *err);

#endif
