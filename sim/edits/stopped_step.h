/* stopped_step.h - a worker that stops in the middle of a step, as a process that dies: the others
 * go on until they wait for it, and the job stops when nobody has got on for a while. */
#ifndef HC_SIM_EDITS_STOPPED_STEP_H
#define HC_SIM_EDITS_STOPPED_STEP_H

#include "sim/edits/selector.h"

/* Times in s since the start of the untouched job, replayed, its steps following each other. */
struct hc_stopped_step {
    int32_t step;            /* its number: what it did is lost */
    double at_s;             /* the moment */
    double last_completed_s; /* end of the last op of the others that is completed */
    double stops_s;          /* of the job: a timeout after that */
    double lost_s;           /* from the start of the step to there */
};

/* What selected workers bring about that stop at a moment. An op of theirs that has not ended by
 * then never does, nor what waits for it. HC_BAD_INPUT: the moment is not within the steps, or no
 * worker is selected, or none is left. */
enum hc_status hc_stopped_step_find(struct hc_stopped_step *stopped,
                                    const struct hc_replay_base *base,
                                    const struct hc_selector *select, double at_s, double timeout_s,
                                    struct hc_error *err);

#endif
