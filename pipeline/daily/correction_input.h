/* correction_input.h - what people know better than the records, as an archive has it. */
#ifndef HC_PIPELINE_DAILY_CORRECTION_INPUT_H
#define HC_PIPELINE_DAILY_CORRECTION_INPUT_H

#include "models/evidence/corrections.h"
#include "store/archive/archive.h"

/* Read the corrections of a cluster, and those of which nothing says what cluster they are of;
 * NULL: all. */
enum hc_status hc_corrections_load(struct hc_corrections *corrections,
                                   const struct hc_archive *archive, const char *cluster,
                                   struct hc_error *err);

#endif
