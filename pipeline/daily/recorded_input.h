/* recorded_input.h - the incidents that an archive has lists of. */
#ifndef HC_PIPELINE_DAILY_RECORDED_INPUT_H
#define HC_PIPELINE_DAILY_RECORDED_INPUT_H

#include "models/evidence/recorded.h"
#include "store/archive/archive.h"

/* Read all lists of a cluster, and those of which nothing says what cluster they are of; NULL: all.
 * Incidents that a row only counts (of sources that give totals) are left out. corrections, which
 * may be NULL, say whose doing an incident was. */
enum hc_status hc_recorded_load(struct hc_recorded *recorded, struct hc_corrections *corrections,
                                const struct hc_archive *archive, const char *cluster,
                                struct hc_error *err);

#endif
