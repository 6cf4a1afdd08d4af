/* segment_input.h - a segment of recorded steps into memory, and what it says of lost rows. */
#ifndef HC_PIPELINE_INPUTS_SEGMENT_INPUT_H
#define HC_PIPELINE_INPUTS_SEGMENT_INPUT_H

#include "core/base/status.h"
#include "core/tables/row_report.h"
#include "sim/replay/step_trace.h"
#include "store/segment/segment.h"

/* What the segment says of rows that its source had and that could not be read. Duplicate and
 * absent rows are not in it: whoever takes the census of the ops counts those again. Examples are
 * not kept. */
enum hc_status hc_segment_row_report(struct hc_segment *segment, struct hc_row_report *report,
                                     struct hc_error *err);

/* Add all ops of the segment, and its row report, to an empty trace. */
enum hc_status hc_segment_load(struct hc_segment *segment, struct hc_step_trace *trace,
                               struct hc_error *err);

#endif
