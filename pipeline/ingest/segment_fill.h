/* segment_fill.h - the rows of an opened source on their way into a segment, past the guard of
 * their kind. Private to this wing. */
#ifndef HC_PIPELINE_INGEST_SEGMENT_FILL_H
#define HC_PIPELINE_INGEST_SEGMENT_FILL_H

#include "pipeline/ingest/ingest.h"

/* Read the source into the open segment. The guard, and what it says of the rows, go into ingested,
 * also on failure. */
enum hc_status hc_segment_fill(struct hc_archive_ingest *ingest, struct hc_source_input *input,
                               struct hc_ingested *ingested, struct hc_error *err);

/* Close the segment, which is published at once or stays unpublished until
 * hc_archive_ingest_publish. It frees the ingest in the first case, whatever the result. */
enum hc_status hc_segment_close_up(struct hc_archive_ingest *ingest, struct hc_ingested *ingested,
                                   bool publishes, struct hc_error *err);

/* What ingested holds, of which the input is still open. */
void hc_ingested_fini(struct hc_ingested *ingested);

#endif
