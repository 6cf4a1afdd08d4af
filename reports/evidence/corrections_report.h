/* corrections_report.h - the views of what people said, and where that acted; a part of every
 * report that corrections act in. */
#ifndef HC_REPORTS_EVIDENCE_CORRECTIONS_REPORT_H
#define HC_REPORTS_EVIDENCE_CORRECTIONS_REPORT_H

#include "core/tables/record.h"
#include "models/evidence/corrections.h"

#include <stdio.h>

/* Of a struct hc_correction. */
extern const struct hc_record_def hc_correction_record;

/* A line of sums; nothing where there are none. */
void hc_corrections_put_head(FILE *stream, const struct hc_corrections *corrections);

/* The first of them, those that did not act first. HC_INTERNAL where memory was short. */
enum hc_status hc_corrections_put(FILE *stream, const struct hc_corrections *corrections,
                                  size_t top, struct hc_error *err);

#endif
