/* lifetime_reader.h - how much of one kind of time a recorded life had until any moment. */
#ifndef HC_SIM_LIFETIME_READER_H
#define HC_SIM_LIFETIME_READER_H

#include "sim/lifetime_trace.h"

/* Of steps (HC_WHAT_PRODUCTIVE_IDEAL: those that count, slow ones too; HC_WHAT_LOST_WORK) without
 * the stalls among them. Within a stretch they are spread evenly. */
struct hc_life_reader {
    const struct hc_lifetime_trace *trace;
    int32_t what;
    size_t span;    /* that was reached ... */
    int64_t sum_ns; /* ... and the sum of those before it */
};

/* Time of the kind from submission to at_ns, which does not go back from call to call. */
int64_t hc_life_read_until(struct hc_life_reader *reader, int64_t at_ns);

#endif
