/* life_calendar.h - what is due in a life by wall time, and how a life ends early.
 * Private to this wing.
 *
 * Invariants: an event at HC_LIFE_NEVER or later is never entered; after a failure nothing is
 * entered any more and `over` is set, so that each loop of the life comes to its end and the first
 * status is the one that is reported.
 */
#ifndef HC_SIM_LIFETIME_LIFE_CALENDAR_H
#define HC_SIM_LIFETIME_LIFE_CALENDAR_H

#include "sim/engine/event_heap.h"
#include "sim/lifetime/life_streams.h"

enum hc_life_event {
    /* Of nodes: who is a node. sim/lifetime/nodes handles these. Those before HC_LIFE_STANDBY come
     * also when the job has ended: other jobs may wait for the node. */
    HC_LIFE_AUTOMATIC_ENDS, /* automatic repair */
    HC_LIFE_MANUAL_ENDS,    /* manual repair */
    HC_LIFE_RECORDED_ENDS,  /* repair, at the time that was recorded of its fault */
    HC_LIFE_CHECK_ENDS,     /* the check of an innocent node, or quarantine */
    HC_LIFE_STANDBY,        /* one standby more is ready; who means nothing */
    HC_LIFE_STANDBY_FAILS,  /* one of the places of standbys, if one stands there */
    /* Of the job. */
    HC_LIFE_FOUND,   /* who: open incident that is noticed now */
    HC_LIFE_PASSES,  /* who: open incident, a slow one that ends by itself */
    HC_LIFE_PLANNED, /* who: planned stop */
    HC_LIFE_CODE,    /* who: change of code */
    HC_LIFE_CHOSEN,  /* who: slot of an elastic job whose replacement is chosen now */
    HC_LIFE_STARTS,  /* who: slot whose replacement is held now and starts up */
    HC_LIFE_ARRIVES  /* who: slot whose replacement is there */
};

struct hc_life_end {
    enum hc_status status; /* of what failed inside */
    bool over;             /* finished, at the horizon, starved or failed */
    struct hc_error *err;
};

/* True where status is a failure, which ends the life. */
static inline bool hc_life_failed(struct hc_life_end *end, enum hc_status status)
{
    if (!status)
        return false;
    end->status = status;
    end->over = true;
    return true;
}

static inline void hc_life_enter(struct hc_event_heap *calendar, struct hc_life_end *end,
                                 struct hc_event event)
{
    if (event.time_ns < HC_LIFE_NEVER && !end->status)
        hc_life_failed(end, hc_event_heap_push(calendar, event, end->err));
}

#endif
