/* whatif_depth_text.h - what a straggler what-if says beyond the paper's figures, as text.
 * Private to this wing. */
#ifndef HC_REPORTS_WHATIF_WHATIF_DEPTH_TEXT_H
#define HC_REPORTS_WHATIF_WHATIF_DEPTH_TEXT_H

#include "core/base/status.h"
#include "reports/whatif/whatif_report.h"

#include <stdio.h>

/* Each writes nothing where its part was not done. */

/* The likely cause in words. */
void hc_whatif_write_verdict(FILE *stream, const struct hc_whatif_result *result);

/* What it rests on: every test with its figure and limit. Fails when memory is short. */
enum hc_status hc_whatif_write_evidence(FILE *stream, const struct hc_whatif_result *result,
                                        struct hc_error *err);

/* " (95 %: 1.961 to 1.985)" into text, or "". */
#define HC_INTERVAL_TEXT 96
const char *hc_whatif_interval_text(const struct hc_intervals *intervals,
                                    const struct hc_interval *interval,
                                    char text[HC_INTERVAL_TEXT]);

/* What the intervals are made of, and of which figures there is none and why, for text and page. */
#define HC_INTERVALS_TEXT 640
const char *hc_whatif_intervals_text(const struct hc_intervals *intervals,
                                     char text[HC_INTERVALS_TEXT]);

/* What fixing the worst few would bring. */
void hc_whatif_write_fixes(FILE *stream, const struct hc_whatif_result *result);

/* The split by op type that adds up. */
void hc_whatif_write_shapley(FILE *stream, const struct hc_whatif_result *result);

/* The worst workers, exact beside approximated, and whether the worst one of a step stays the same.
 * Fails when memory is short. */
enum hc_status hc_whatif_write_worst_workers(FILE *stream, const struct hc_whatif_result *result,
                                             struct hc_error *err);

#endif
