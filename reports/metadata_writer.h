/* metadata_writer.h - the YAML beside a step timeline. */
#ifndef HC_REPORTS_METADATA_WRITER_H
#define HC_REPORTS_METADATA_WRITER_H

#include "core/job.h"
#include "core/status.h"

#include <stdio.h>

/* Write what is known of job to path ("-": standard output): the artifact's keys, and of hindcast's
 * own those that say more than nothing. */
enum hc_status hc_metadata_write(const struct hc_job *job, const char *path, struct hc_error *err);

/* The same to a stream, whose errors are the caller's to check. */
void hc_metadata_print(const struct hc_job *job, FILE *stream);

#endif
