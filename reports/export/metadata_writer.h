/* metadata_writer.h - the YAML beside a step timeline. */
#ifndef HC_REPORTS_EXPORT_METADATA_WRITER_H
#define HC_REPORTS_EXPORT_METADATA_WRITER_H

#include "core/tables/job.h"

#include <stdio.h>

/* Write what is known of job: the artifact's keys, and of hindcast's own those that say more than
 * nothing. Errors of the stream are the caller's to check. */
void hc_metadata_print(const struct hc_job *job, FILE *stream);

#endif
