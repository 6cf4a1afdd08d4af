/* metadata_path.h - what the name of a trace says: its metadata file and its job.
 * Private to this wing. */
#ifndef HC_PARSERS_STEPS_METADATA_PATH_H
#define HC_PARSERS_STEPS_METADATA_PATH_H

#include "core/base/status.h"

/* The metadata file that belongs to a trace by name: trace-X.parquet (or .csv, .csv.gz, ...) or
 * timeline-X.json, and plain X.csv too -> meta-X.yaml in the same directory, when that exists; else
 * NULL. *path is the caller's to free. */
enum hc_status hc_metadata_beside(const char *trace_path, char **path, struct hc_error *err);

/* The job id that a trace's name gives: "trace-AR.csv.gz" -> "AR", "x.parquet" -> "x",
 * "-" -> "stdin". */
enum hc_status hc_job_id_of_path(const char *trace_path, char **id, struct hc_error *err);

#endif
