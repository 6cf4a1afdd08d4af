/* site_ingest.h - what is new of the sources of a site file into an archive.
 *
 * A file that was read before, in the same way, and is as it was, is passed over without being
 * read; one that holds the bytes of another (rotated logs) after its digest was taken. One that
 * grew is read on from where reading had come, where its format can do that. What is left is read
 * whole: rows that the archive has are merged by key and change nothing. So neither order nor
 * repetition of files matters, nor that an ingest was killed.
 */
#ifndef HC_PIPELINE_SITE_SITE_INGEST_H
#define HC_PIPELINE_SITE_SITE_INGEST_H

#include "core/tables/record.h"
#include "pipeline/ingest/ingest.h"
#include "pipeline/site/site_file.h"
#include "pipeline/site/site_glob.h"

struct hc_site_counts {
    int64_t n_files;     /* that the patterns name */
    int64_t n_unchanged; /* read before, and as they were */
    int64_t n_renamed;   /* of them, those that had another name */
    int64_t n_empty;     /* without a byte */
    int64_t n_waiting;   /* whose last line or last rows are not finished, and wait */
    int64_t n_shorter;   /* were cut since they were read */
    int64_t n_resumed;   /* that grew, and were read on from where reading had come */
    int64_t n_passed;    /* bytes of these that were not read again */
    int64_t n_ended;     /* were cut, replaced or removed while their end waited, and it was told */
    int64_t n_lost;      /* the same where it could not be told any more */
};

/* "site": of a struct hc_site_counts. */
extern const struct hc_record_def hc_site_counts_record;

/* Read what is new. options: what is the same for all sources (limits); their format, cluster and
 * zone come from the site. One file that fails does not keep others from being read: the error is
 * then that of the first. A source without any file is warned of. */
enum hc_status hc_site_ingest(struct hc_archive *archive, const struct hc_site *site,
                              const struct hc_trace_options *options,
                              const struct hc_ingest_observer *observer,
                              struct hc_site_counts *counts, struct hc_error *err);

/* The files of a source, sorted by name; of those that an earlier source of the site names, too,
 * *n_twice is their number, and they are left out. */
enum hc_status hc_site_source_files(const struct hc_site *site, size_t index,
                                    struct hc_site_files *files, size_t *n_twice,
                                    struct hc_error *err);

#endif
