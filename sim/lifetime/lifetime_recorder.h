/* lifetime_recorder.h - takes down a life while it is lived; of lifetime*.c only.
 *
 * The engine says what each stretch of time was when it is over, so that stretches touch: each
 * begins where the one before it ended. What steps were worth is known later; see the source.
 */
#ifndef HC_SIM_LIFETIME_LIFETIME_RECORDER_H
#define HC_SIM_LIFETIME_LIFETIME_RECORDER_H

#include "sim/lifetime/lifetime_state.h"
#include "sim/lifetime/lifetime_trace.h"

/* Where the saves lie in a stretch of steps: every_ns of steps and stall_ns of stall by turns, from
 * origin_ns on, which is not after the stretch begins. */
struct hc_life_rhythm {
    int64_t start_ns, origin_ns, every_ns, stall_ns;
};

struct hc_life_recorder {
    struct hc_lifetime_trace *trace; /* to be filled */
    struct hc_life_rhythm *rhythm;   /* by start */
    size_t n_rhythms, rhythm_capacity;
    int64_t run_ns, excess_ns;  /* time in steps, and slow steps in it, that is not lost so far */
    double slow;                /* of the last stretch of steps */
    int32_t without, missed_by; /* nodes that it ran without, and whose fault that is */
};

/* Before each life: the trace is emptied, its memory kept. */
void hc_life_recorder_start(struct hc_life_recorder *recorder, struct hc_lifetime_trace *trace);
/* After it; the job has so many nodes. */
void hc_life_recorder_end(struct hc_life_recorder *recorder, int32_t nodes);
void hc_life_recorder_fini(struct hc_life_recorder *recorder);

#endif
