/* incident_input.h - incidents from files and from segments, for ingest and reports. */
#ifndef HC_PIPELINE_INPUTS_INCIDENT_INPUT_H
#define HC_PIPELINE_INPUTS_INCIDENT_INPUT_H

#include "core/tables/incident_table.h"
#include "models/incidents/incident_set.h"
#include "pipeline/inputs/source_input.h"
#include "store/archive/archive.h"

/* A file of incidents as it is read. Zeroed memory is one that holds nothing. */
struct hc_incident_input {
    struct hc_source_input *trace; /* opened by the caller; its format yields incidents */
    struct hc_incident_names names;
    struct hc_table inventory;
    int64_t n_rows;
};

enum hc_status hc_incident_input_start(struct hc_incident_input *input,
                                       struct hc_source_input *trace, struct hc_error *err);
void hc_incident_input_end(struct hc_incident_input *input);

/* Read it all: batch is called for each batch of rows, whose codes are those of input->names, and
 * input->inventory is there at the end. HC_BAD_INPUT when more rows are bad than --max-bad says. */
enum hc_status hc_incident_input_read(struct hc_incident_input *input, hc_trace_batch *batch,
                                      void *context, struct hc_error *err);

/* Read a file of incidents into a segment; what was read is left in input. */
enum hc_status hc_incident_input_store(struct hc_incident_input *input,
                                       struct hc_segment_writer *writer, struct hc_error *err);

/* Add what a file, or a segment of an archive, holds to a set, as one more source; the digest is
 * that of the file's bytes as they were read. */
enum hc_status hc_incident_load_file(struct hc_incident_set *set, const char *path,
                                     const struct hc_trace_options *options,
                                     char sha256[HC_DIGEST_TEXT], struct hc_error *err);
enum hc_status hc_incident_load_segment(struct hc_incident_set *set,
                                        const struct hc_archive *archive,
                                        const struct hc_manifest_entry *entry,
                                        struct hc_error *err);

#endif
