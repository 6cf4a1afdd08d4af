/* failure_input.h - the failures of the attempts that an archive has, with their evidence. */
#ifndef HC_PIPELINE_DAILY_FAILURE_INPUT_H
#define HC_PIPELINE_DAILY_FAILURE_INPUT_H

#include "models/evidence/failures.h"
#include "models/joins/joins.h"
#include "pipeline/daily/segment_spans.h"
#include "pipeline/site/site_file.h"
#include "store/archive/archive.h"

/* All of it, of one life. */
struct hc_failure_records {
    struct hc_evidence_set set;
    struct hc_corrections corrections;
    struct hc_recorded recorded;
    struct hc_failures failures;
    struct hc_joins joins;
    struct hc_segment_spans spans; /* of the jobs */
    int64_t n_own_unjoined;        /* events in logs of jobs that joined no attempt */
};

struct hc_failure_source {
    const struct hc_archive *archive;
    const char *cluster;        /* of the jobs; NULL: all */
    const struct hc_site *site; /* whose rules name runs; NULL: no rules */
    int64_t as_of_ns;           /* what came later is not known; INT64_MAX: all is */
    int64_t
        from_ns; /* ends of attempts before it are not judged, unless a run of them goes on then;
                  * INT64_MIN: all are. Counts of healthy ends and the like are of those then */
    bool with_timelines; /* join these too */
};

/* Read what an archive has of events and logs, and judge its jobs. HC_BAD_INPUT: it has no
 * accounting. */
enum hc_status hc_failures_load(struct hc_failure_records *records,
                                const struct hc_failure_source *source, struct hc_error *err);
void hc_failure_records_fini(struct hc_failure_records *records);

#endif
