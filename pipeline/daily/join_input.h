/* join_input.h - the records of an archive, joined: logs to attempts, attempts to runs. */
#ifndef HC_PIPELINE_DAILY_JOIN_INPUT_H
#define HC_PIPELINE_DAILY_JOIN_INPUT_H

#include "models/evidence/recorded.h"
#include "models/joins/joins.h"
#include "pipeline/daily/segment_spans.h"
#include "pipeline/site/site_file.h"
#include "store/archive/archive.h"

#include <stdbool.h>

struct hc_join_source {
    const struct hc_archive *archive;
    const char *cluster;            /* of the jobs; NULL: all */
    const struct hc_site *site;     /* whose rules name runs; NULL: no rules */
    struct hc_recorded *recorded;   /* incidents that the jobs are offered to; NULL: none */
    bool with_timelines;            /* else none is looked at, which saves opening each */
    int64_t as_of_ns;               /* what came later is not known; 0: all is */
    struct hc_segment_spans *spans; /* to be filled, of this archive; or NULL */
};

/* Join what an archive has, and the facts that joins holds already, to the jobs of the cluster.
 * Logs are not asked for theirs, which they seldom know. There may be none: then nothing is joined.
 */
enum hc_status hc_joins_load(struct hc_joins *joins, const struct hc_join_source *source,
                             struct hc_error *err);

#endif
