/* sreport.h - the report of Slurm's accounting on what users held: `sreport -P -t seconds -T
 * gres/gpu cluster AccountUtilizationByUser` or `... UserUtilizationByAccount`, with its headers.
 */
#ifndef HC_PARSERS_JOBS_SREPORT_H
#define HC_PARSERS_JOBS_SREPORT_H

#include "core/base/zone.h"
#include "core/tables/jobs/job_usage.h"

/* Read a report, of one cluster (NULL: of all that it has). Its times are of the zone (NULL: UTC).
 * HC_BAD_INPUT, naming file and line: what is no such report, has no GPUs (-T gres/gpu), no user of
 * that cluster, figures in percent, or several reports. usage is the caller's to
 * hc_job_usage_fini, also after a failure. */
enum hc_status hc_sreport_read(struct hc_job_usage *usage, const char *path, const char *cluster,
                               const struct hc_zone *zone, struct hc_error *err);

#endif
