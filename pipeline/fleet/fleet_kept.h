/* fleet_kept.h - what rows of a fleet that were kept (by `whatif --all`, or a nightly report) say
 * of a node, without analysing a job again. */
#ifndef HC_PIPELINE_FLEET_FLEET_KEPT_H
#define HC_PIPELINE_FLEET_FLEET_KEPT_H

#include "models/joins/history.h"
#include "store/archive/archive.h"

/* Add a fact for each job of the archive in which the node is slow by itself, at the date of its
 * first slow step. Jobs that were not analysed with the options that hold where none are given,
 * jobs without dates, and rows of segments that were written to since, are passed over. */
enum hc_status hc_fleet_kept_history(struct hc_history *history, const struct hc_archive *archive,
                                     const char *node, struct hc_error *err);

#endif
