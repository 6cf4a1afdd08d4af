/* attempt_timelines.h - what the timelines of ops that joined an attempt tell of its stragglers, by
 * the what-if of each, which is kept in the archive as that of `whatif --all` is.
 * Private to this wing. */
#ifndef HC_PIPELINE_NIGHT_ATTEMPT_TIMELINES_H
#define HC_PIPELINE_NIGHT_ATTEMPT_TIMELINES_H

#include "models/account/tree/straggler_split.h"
#include "models/joins/joins.h"
#include "pipeline/fleet/fleet_job.h"
#include "pipeline/site/site_file.h"

struct hc_attempt_timelines {
    const struct hc_archive *archive;
    const struct hc_joins *joins;
    struct hc_timeline_use *use; /* is counted in */
    bool is_sample;
    char *inputs; /* of the analyses: part of the key of what is kept */
    size_t n;
    struct hc_timeline_of {
        int32_t attempt;
        size_t entry; /* of the archive */
        int32_t path; /* code of the texts of the joins */
    } * list;         /* by attempt and entry */
    size_t stretches_room;
    struct hc_traced_stretch *stretches; /* of the attempt that was asked for last */
};

/* Which timelines there are. as_of_ns: those that end later are not known then. site may be NULL.
 */
enum hc_status hc_attempt_timelines_open(struct hc_attempt_timelines *timelines,
                                         const struct hc_joins *joins, const struct hc_site *site,
                                         int64_t as_of_ns, struct hc_error *err);
/* Of an attempt of the joins, or -1; good until the next call. Timelines that cannot be used are
 * counted. HC_INTERNAL only. */
enum hc_status hc_attempt_timelines_of(struct hc_attempt_timelines *timelines, int32_t attempt,
                                       struct hc_traced *traced, struct hc_error *err);
/* Zeroed memory has none. */
void hc_attempt_timelines_close(struct hc_attempt_timelines *timelines);

#endif
