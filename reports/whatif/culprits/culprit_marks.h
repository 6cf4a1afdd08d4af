/* culprit_marks.h - what is slow, and when, as marks above the steps of a timeline
 * (reports/export/perfetto/perfetto_writer.h). */
#ifndef HC_REPORTS_WHATIF_CULPRITS_CULPRIT_MARKS_H
#define HC_REPORTS_WHATIF_CULPRITS_CULPRIT_MARKS_H

#include "core/base/status.h"
#include "reports/export/perfetto/perfetto_writer.h"
#include "sim/whatif/whatif.h"

/* A track for each culprit, with a slice for each of its stretches (for all its slow steps where it
 * has none). *marks [n] is the caller's to free. */
enum hc_status hc_culprit_marks(struct hc_perfetto_mark **marks, size_t *n,
                                const struct hc_whatif_result *result, struct hc_error *err);

#endif
