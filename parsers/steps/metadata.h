/* metadata.h - the YAML beside a step timeline, and what hindcast adds.
 *
 * Keys of the artifact: trial_name, run_id, dp_size, pp_size, tp_size, dsp_size, vpp_size,
 * world_size. Ours, all optional: cluster, job_id, attempt, start_time (ISO-8601 with zone, or Unix
 * seconds), nodes (list: node of rank i; or map: rank -> node), switches (map: switch -> list of
 * its nodes), op_types (map: name in the source -> known op type, or "ignored"), absent_ops (list
 * of op types that the job does not have). Unknown keys are reported with the nearest known one and
 * ignored.
 */
#ifndef HC_PARSERS_STEPS_METADATA_H
#define HC_PARSERS_STEPS_METADATA_H

#include "core/base/status.h"
#include "core/tables/job.h"
#include "parsers/steps/metadata_path.h"

/* Read the metadata file at path into job. fallback_id is the id of the job when the file has
 * neither job_id nor trial_name. Fails with file, line and key on: malformed YAML, a duplicate key,
 * a node at two switches, a value of the wrong kind or out of range, world_size != dp*pp*tp*dsp
 * where all five are given.
 */
enum hc_status hc_metadata_read(struct hc_job *job, const char *path, const char *fallback_id,
                                struct hc_error *err);

#endif
