/* fleet_jobs.h - the jobs of an archive that a fleet is made of, and how they are dealt to shards.
 */
#ifndef HC_PIPELINE_FLEET_FLEET_JOBS_H
#define HC_PIPELINE_FLEET_FLEET_JOBS_H

#include "core/base/digest.h"
#include "core/base/status.h"
#include "pipeline/fleet/fleet_job.h"
#include "pipeline/fleet/shard.h"
#include "store/archive/archive.h"

#include <stddef.h>
#include <stdint.h>

/* The newest attempt of each job of the archive, in the order of the manifest. The array is the
 * caller's to free; entries stay the archive's. */
enum hc_status hc_fleet_jobs_list(const struct hc_archive *archive, struct hc_fleet_job **jobs,
                                  size_t *n, struct hc_error *err);

/* Keep the jobs of one shard. Who gets what is a function of the manifest alone: the largest jobs
 * first, each to the shard with the fewest rows so far (the first of those). */
enum hc_status hc_fleet_jobs_deal(struct hc_fleet_job *jobs, size_t *n, struct hc_shard shard,
                                  struct hc_error *err);

/* Places of the jobs by descending number of rows, then as they are; the caller frees it. */
size_t *hc_fleet_jobs_by_size(const struct hc_fleet_job *jobs, size_t n, struct hc_error *err);

/* SHA-256 over the jobs, attempts and segment hashes of an archive: what a fleet was made from. */
enum hc_status hc_fleet_digest(const struct hc_archive *archive, char digest[HC_DIGEST_TEXT],
                               struct hc_error *err);

#endif
