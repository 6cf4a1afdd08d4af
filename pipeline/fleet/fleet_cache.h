/* fleet_cache.h - rows of a fleet kept from before (ARCHIVE/derived/), and when one is believed.
 * Private to this wing.
 *
 * A kept row must not hide that its segment is damaged or cannot be read now. So the segment is
 * opened first, and looked at as far as that is cheap: size, inode, times of change. The row says
 * what these were when it was made. As long as they are the same, nobody wrote to the file through
 * its file system. Where they differ (a copied archive, a file written to), or no row is kept, the
 * whole file must have the hash of the manifest before its row is believed, made or kept: a row
 * that was made of other bytes would stand under the right hash for good. What a disk changes by
 * itself below a row that is kept is found by `hindcast check`.
 */
#ifndef HC_PIPELINE_FLEET_FLEET_CACHE_H
#define HC_PIPELINE_FLEET_FLEET_CACHE_H

#include "pipeline/fleet/fleet_job.h"

/* A segment file as it is now. */
struct hc_segment_look {
    int fd;          /* open for reading, or -1 */
    char stamp[120]; /* inode, size, times of change */
};

/* HC_IO: it cannot be read now; HC_BAD_INPUT: it is missing, or not of the size that the manifest
 * says. Release it whatever the result. */
enum hc_status hc_segment_look_begin(struct hc_segment_look *look, const struct hc_archive *archive,
                                     const struct hc_manifest_entry *entry, struct hc_error *err);
void hc_segment_look_end(struct hc_segment_look *look);

/* Replace row, which is initialised, by what is kept of the job. *is_new: the stamp is another one;
 * the row holds if the file has its hash (hc_archive_verify_file), and is to be kept again. */
bool hc_fleet_cache_get(struct hc_fleet_row *row, const struct hc_fleet_analysis *analysis,
                        const struct hc_fleet_job *job, const struct hc_segment_look *look,
                        bool *is_new);

enum hc_status hc_fleet_cache_put(const struct hc_fleet_row *row,
                                  const struct hc_fleet_analysis *analysis,
                                  const struct hc_fleet_job *job,
                                  const struct hc_segment_look *look, struct hc_error *err);

#endif
