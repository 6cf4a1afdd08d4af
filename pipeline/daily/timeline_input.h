/* timeline_input.h - the timelines of an archive, for the records of the scheduler to be joined to.
 */
#ifndef HC_PIPELINE_DAILY_TIMELINE_INPUT_H
#define HC_PIPELINE_DAILY_TIMELINE_INPUT_H

#include "models/joins/joins.h"
#include "store/archive/archive.h"

/* Add the timelines of ops and of profilers, before the end of the cycles. Of a timeline in several
 * segments, one a rank, there is one. */
enum hc_status hc_timelines_load(struct hc_joins *joins, const struct hc_archive *archive,
                                 struct hc_error *err);

#endif
