/* launches.h - the launches of training of each attempt, what each resumed from, and what of its
 * work was lost by which end.
 *
 * Several logs may tell of one launch (one a rank, a file of the launcher besides): cycles of an
 * attempt that begin before another has ended are one launch, whose steps are those of the log that
 * has most of them.
 *
 * Work is lost above the iteration from which a later launch of the same run really resumed
 * (account.md 2): really, that is with a step. A launch further on that goes back more takes more.
 * What a fork loads takes nothing: it is a run of its own.
 */
#ifndef HC_MODELS_ACCOUNT_TREE_LAUNCHES_H
#define HC_MODELS_ACCOUNT_TREE_LAUNCHES_H

#include "core/tables/account/leaf.h"
#include "models/evidence/failures.h"
#include "models/joins/joins.h"

#include <stdbool.h>
#include <stdint.h>

/* What ended a launch. */
struct hc_stop {
    enum hc_why why;
    enum hc_failure_evidence evidence;
    int32_t failure;       /* of hc_failures, or -1 */
    int64_t notice_ns;     /* of a failure: the line that tells it, else its end */
    int64_t event_ns;      /* of a failure: when a node told of what ended it, or missing */
    int64_t fault_high_ns; /* of a failure: the latest that the fault may have been, at most the
                            * notice: where a watchdog tells it, when its collective began */
};

struct hc_launch {
    int64_t start_ns;
    int64_t first_step_ns;                   /* missing: it never came to a step */
    int64_t end_ns;                          /* last that its logs tell */
    int64_t first_iteration, last_iteration; /* that it made; missing: none */
    int64_t resumed_iteration;               /* it went on behind that; missing: it made no step */
    int64_t saved_iteration;                 /* last checkpoint that it saved, or missing */
    int64_t line;
    int32_t attempt, run; /* of the joins; run -1: none */
    int32_t cycle;        /* of the joins: its log has the steps */
    int32_t number;       /* in its attempt, from 0 */
    int32_t world_size;   /* or missing */
    int32_t source;
    bool is_done;   /* the training was complete */
    bool is_last;   /* of its attempt */
    bool goes_on;   /* a later launch of the run came to a step */
    int32_t before; /* launch of the run before it, or -1: the first, also behind a complete one */
    size_t losses, n_losses;
    struct hc_stop stop;
};

/* Steps above an iteration, lost by the end of a launch. */
struct hc_loss {
    int64_t above;
    int32_t stop; /* launch */
};

struct hc_launches {
    size_t n;
    struct hc_launch *list; /* by attempt and time */
    size_t n_losses, losses_room;
    struct hc_loss *losses;  /* of a launch, in order of the ends */
    size_t *of_attempt;      /* of the joins: the first in list; of_attempt[n_attempts] is n */
    int64_t n_without_clock; /* cycles that joined, and cannot be placed in time */
    int64_t n_united;        /* cycles that tell of the launch of another */
};

/* Of joins that are matched and failures that are judged, which must stay. */
enum hc_status hc_launches_make(struct hc_launches *launches, const struct hc_joins *joins,
                                const struct hc_failures *failures, struct hc_error *err);
/* Zeroed memory has none. */
void hc_launches_fini(struct hc_launches *launches);

/* The loss that an iteration of a launch is part of, the one that came first; or NULL. */
const struct hc_loss *hc_launch_loss(const struct hc_launches *launches,
                                     const struct hc_launch *launch, int64_t iteration);

#endif
