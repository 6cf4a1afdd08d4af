/* segment_input.h - reading the tables of a segment chunk by chunk, with progress. */
#ifndef HC_PIPELINE_INPUTS_SEGMENT_INPUT_H
#define HC_PIPELINE_INPUTS_SEGMENT_INPUT_H

#include "core/base/status.h"
#include "core/tables/row_report.h"
#include "core/tables/table.h"
#include "sim/replay/step_trace.h"
#include "store/segment/segment.h"

#include <stdint.h>

typedef enum hc_status hc_segment_chunk(const struct hc_table *table, void *context,
                                        struct hc_error *err);

/* Call chunk for each chunk of a table in order, with only the columns of column_mask (bit i:
 * column i) filled. One chunk is in memory at a time. */
enum hc_status hc_segment_each(struct hc_segment *segment, const struct hc_table_def *def,
                               uint32_t column_mask, hc_segment_chunk *chunk, void *context,
                               struct hc_error *err);

/* What the segment says of rows that its source had and that could not be read. Duplicate and
 * absent rows are not in it: whoever takes the census of the ops counts those again. Examples are
 * not kept. */
enum hc_status hc_segment_row_report(struct hc_segment *segment, struct hc_row_report *report,
                                     struct hc_error *err);

/* Add all ops of the segment, and its row report, to an empty trace. */
enum hc_status hc_segment_load(struct hc_segment *segment, struct hc_step_trace *trace,
                               struct hc_error *err);

#endif
