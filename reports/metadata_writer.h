/* metadata_writer.h - the YAML beside a step timeline (spec straggler-whatif 1.1). */
#ifndef HC_REPORTS_METADATA_WRITER_H
#define HC_REPORTS_METADATA_WRITER_H

#include "core/job.h"
#include "core/status.h"

/* Write what is known of job to path ("-": standard output): the artifact's keys, and of hindcast's
 * own those that say more than nothing. */
enum hc_status hc_metadata_write(const struct hc_job *job, const char *path, struct hc_error *err);

/* Where the metadata of a trace is looked for: trace-X.parquet -> meta-X.yaml, in the same
 * directory; other names get "meta-" before what is before their first dot. *path is the caller's
 * to free. */
enum hc_status hc_metadata_path(const char *trace_path, char **path, struct hc_error *err);

#endif
