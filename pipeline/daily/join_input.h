/* join_input.h - the records of an archive, joined: logs to attempts, attempts to runs. */
#ifndef HC_PIPELINE_DAILY_JOIN_INPUT_H
#define HC_PIPELINE_DAILY_JOIN_INPUT_H

#include "models/joins/joins.h"
#include "store/archive/archive.h"

/* Join what an archive has (of one cluster; NULL: of all), and the facts that joins holds already.
 * It may have no logs: then nothing is joined. */
enum hc_status hc_joins_load(struct hc_joins *joins, const struct hc_archive *archive,
                             const char *cluster, struct hc_error *err);

#endif
