/* lifetime_life.h - one recorded life, ready to be shown: its interruptions, and what each slice of
 * it was spent on. */
#ifndef HC_STUDY_ENGINES_LIFETIME_LIFETIME_LIFE_H
#define HC_STUDY_ENGINES_LIFETIME_LIFETIME_LIFE_H

#include "sim/lifetime/lifetime_trace.h"
#include "study/engines/lifetime/lifetime_states.h"
#include "study/grammar/scenario_node.h"

#define HC_LIFE_SLICES 120
#define HC_LIFE_NAMED  20 /* halts that are named: the longest */

/* Stretches without steps in a row: [first, first + n) of the spans. */
struct hc_life_halt {
    size_t first, n;
    size_t lost_first; /* steps that were lost just before; first where there are none */
    double start_s, length_s, lost_s;
    int32_t cause;    /* index of config->fault, or -1 */
    const char *name; /* of the cause, of what was planned, "first start"; NULL: not named */
    double state_s[HC_STATE_COUNT];
};

struct hc_life_story {
    const struct hc_lifetime_trace *trace;
    uint64_t replica;
    double wall_s;
    size_t most_events;  /* stretches and events that are kept one by one; 0: all */
    bool is_summed;      /* there were more: halts are not known */
    int64_t n_stretches; /* of the life */
    int64_t n_events;
    double slice_s;            /* that it is summed up in; NaN: it is not */
    struct hc_life_halt *halt; /* longest first */
    size_t n_halts;
    double slice[HC_STATE_COUNT][HC_LIFE_SLICES]; /* share of each slice */
    double most;                                  /* highest share without progress of a slice */
};

/* trace has a span or more; config names its causes. What is made lives in the arena. */
enum hc_status hc_life_tell(struct hc_life_story *story, const struct hc_lifetime_trace *trace,
                            const struct hc_lifetime_config *config, struct hc_arena *arena,
                            struct hc_error *err);

#endif
