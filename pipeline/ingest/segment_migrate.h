/* segment_migrate.h - segments of an older schema, written anew with all columns of today.
 *
 * hindcast reads older segments as they are: what they lack is missing. Other programs that read
 * the files, h5py for one, see the columns that are there; after this, all are.
 */
#ifndef HC_PIPELINE_INGEST_SEGMENT_MIGRATE_H
#define HC_PIPELINE_INGEST_SEGMENT_MIGRATE_H

#include "core/base/status.h"

#include <stdbool.h>
#include <stdint.h>

struct hc_migrated_segment {
    const char *cluster, *id, *day, *table; /* of the manifest; day "": of a job */
    int64_t size_before, size_after;        /* bytes; after: 0 where nothing was written */
    const char *refusal;                    /* why it stays as it is, or NULL */
};

struct hc_segment_migrate {
    const char *before;          /* segments of days and months before this day; NULL: all */
    const char *table, *cluster; /* the main table, of these only; NULL: of all */
    bool is_dry;                 /* nothing is changed */
    /* Called for each segment that lacks columns, in order of the manifest. */
    void (*done)(const struct hc_migrated_segment *segment, void *context);
    void *context;
};

/* Write each such segment of the archive at path anew. The lock of the records is held all the
 * time; a job that is ingested meanwhile keeps what was ingested. After a failure, what was done
 * before it is there. */
enum hc_status hc_segment_migrate_run(const char *path, const struct hc_segment_migrate *migrate,
                                      struct hc_error *err);

#endif
