/* life_recorder.h - takes down a life while it is lived. Private to this wing.
 *
 * The engine says what each stretch of time was when it is over, so that stretches touch: each
 * begins where the one before it ended. Whether steps count is only known later. They are taken
 * down as productive; at each loss the run time that the engine books as lost is taken off the
 * productive stretches, latest first. That is where it was: what a stop, a corrupt checkpoint, a
 * silent corruption or lost copies cost is always all that was run since some save and not lost
 * before, so the latest of what is still productive. The stretch in which that save lies is cut at
 * its snapshot, found by the rhythm of the saves. The stall of that save lies after the snapshot
 * and goes with the lost part, as a stall.
 *
 * A trace with a bound is folded when it is full (life_fold.h). A loss then takes off what is
 * productive within a slice as a whole.
 *
 * The recorder reads progress and is told the rest; a life that nobody looks at has none.
 */
#ifndef HC_SIM_LIFETIME_LIFE_LIFE_RECORDER_H
#define HC_SIM_LIFETIME_LIFE_LIFE_RECORDER_H

#include "sim/lifetime/life/life_progress.h"
#include "sim/lifetime/life_calendar.h"
#include "sim/lifetime/lifetime_trace.h"

/* Where the saves lie in a stretch of steps: every_ns of steps and stall_ns of stall by turns, from
 * origin_ns on, which is not after the stretch begins. */
struct hc_life_rhythm {
    int64_t start_ns, origin_ns, every_ns, stall_ns;
};

struct hc_life_recorder {
    struct hc_lifetime_trace *trace; /* to be filled */
    struct hc_life_end *end;         /* of the life: a failure here ends it */
    int32_t nodes;                   /* of the job */
    struct hc_life_rhythm *rhythm;   /* by start */
    size_t n_rhythms, rhythm_capacity;
    int64_t run_ns, excess_ns;  /* time in steps, and slow steps in it, that is not lost so far */
    double slow;                /* of the last stretch of steps */
    int32_t without, missed_by; /* nodes that it ran without, and the cause of that */
};

/* Before each life of a job of so many nodes: the trace is emptied, its memory and bound kept. */
void hc_life_recorder_start(struct hc_life_recorder *recorder, struct hc_lifetime_trace *trace,
                            struct hc_life_end *end, int32_t nodes);
/* After it. */
void hc_life_recorder_end(struct hc_life_recorder *recorder);
void hc_life_recorder_fini(struct hc_life_recorder *recorder);

/* In whose recovery something lies: blame of HC_LIFETIME_MAX_FAULTS stands for nobody's. */

/* All time from the last stretch until now_ns was what for why. */
void hc_life_record(struct hc_life_recorder *r, int64_t now_ns, int32_t what, enum hc_why why,
                    int32_t blame);
/* Steps and saves since the last stretch, without so many nodes, which is the fault of missed_by
 * (-1: all are there). */
struct hc_life_missing {
    int32_t without, missed_by;
};
void hc_life_record_steps(struct hc_life_recorder *r, int64_t now_ns,
                          const struct hc_life_progress *p, struct hc_life_missing missing);
/* These steps are lost: the latest of what counted until now. */
void hc_life_record_loss(struct hc_life_recorder *r, const struct hc_life_run *lost,
                         enum hc_why why, int32_t blame);
/* What passed since since_ns was start-up that came to nothing. */
void hc_life_record_failed_start(struct hc_life_recorder *r, int64_t since_ns);
/* Something came at mark.time_ns. */
void hc_life_record_mark(struct hc_life_recorder *r, struct hc_lifetime_mark mark);

#endif
