/* attempt_phases.h - the start-up phases of an attempt, over all its nodes, by launch.
 * Private to this wing. */
#ifndef HC_PIPELINE_NIGHT_ATTEMPT_PHASES_H
#define HC_PIPELINE_NIGHT_ATTEMPT_PHASES_H

#include "pipeline/night/account_walk.h"
#include "pipeline/night/launch_rows.h"

struct hc_attempt_phases {
    size_t n, room;
    struct hc_span_of {
        size_t launch;
        struct hc_phase_span span;
    } * found; /* by launch and end */
    size_t n_own, own_room;
    struct hc_own_phase *own; /* those that nodes marked, as they were found */
    size_t spans_room;
    struct hc_phase_span *spans; /* the same, without the launch */
};

/* Those that a log of the attempt tells, and those that name its job: of a launch by its number,
 * else of the first whose first step comes after them. An attempt without a launch has them as
 * those of launch 0. */
enum hc_status hc_attempt_phases_find(struct hc_attempt_phases *phases,
                                      const struct hc_launch_rows *rows,
                                      const struct hc_walked_attempt *attempt,
                                      const struct hc_launches *launches, struct hc_error *err);
/* Those of a launch of the attempt that was looked for last, in order of their ends. */
const struct hc_phase_span *hc_attempt_phases_of(const struct hc_attempt_phases *phases,
                                                 size_t launch, size_t *n);
void hc_attempt_phases_fini(struct hc_attempt_phases *phases);

#endif
