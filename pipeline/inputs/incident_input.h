/* incident_input.h - incidents from files and from segments, as a set for reports. */
#ifndef HC_PIPELINE_INPUTS_INCIDENT_INPUT_H
#define HC_PIPELINE_INPUTS_INCIDENT_INPUT_H

#include "core/tables/incidents/incident_table.h"
#include "models/incidents/incident_set.h"
#include "pipeline/inputs/source_input.h"
#include "store/archive/archive.h"

/* Add what a file, or a segment of an archive, holds to a set, as one more source; the digest is
 * that of the file's bytes as they were read. */
enum hc_status hc_incident_load_file(struct hc_incident_set *set, const char *path,
                                     const struct hc_trace_options *options,
                                     char sha256[HC_DIGEST_TEXT], struct hc_error *err);
enum hc_status hc_incident_load_segment(struct hc_incident_set *set,
                                        const struct hc_archive *archive,
                                        const struct hc_manifest_entry *entry,
                                        struct hc_error *err);

/* The same of all that the archive at path holds; HC_USAGE when it holds none. */
enum hc_status hc_incident_load_archive(struct hc_incident_set *set, const char *path,
                                        struct hc_error *err);

#endif
