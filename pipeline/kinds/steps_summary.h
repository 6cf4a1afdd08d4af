/* steps_summary.h - what `show` says of a step timeline. Private to this wing. */
#ifndef HC_PIPELINE_KINDS_STEPS_SUMMARY_H
#define HC_PIPELINE_KINDS_STEPS_SUMMARY_H

#include "core/base/status.h"
#include "core/tables/record.h"
#include "pipeline/kinds/description.h"
#include "store/segment/segment.h"

enum hc_status hc_steps_describe(struct hc_segment *segment, struct hc_description *description,
                                 struct hc_error *err);
extern const struct hc_record_def hc_steps_summary_record;

#endif
