/* life_incidents.h - faults that did not stop the job: it is slow, its states are corrupt, or a
 * change of code waits. Private to this wing.
 *
 * An incident is open from its fault until its remedy, or until it passes. Events in the calendar
 * name it by its place, so that places are not used again within a life.
 *
 * Invariants: `live` lists the open ones, in no order that means anything. An incident that struck
 * several slots concerns those that still have the node that was struck: born[slot] is the number
 * of incidents there were when the slot got its node, so that born[slot] <= place says that it has.
 */
#ifndef HC_SIM_LIFETIME_LIFE_LIFE_INCIDENTS_H
#define HC_SIM_LIFETIME_LIFE_LIFE_INCIDENTS_H

#include "sim/lifetime/life_calendar.h"

/* Where a fault comes from, and where it is noted down. */
struct hc_life_origin {
    size_t row;     /* of the records of its cause: the first ... */
    int32_t n_rows; /* ... and how many; 0: it was drawn */
    int32_t noted;  /* in the log of what struck (life_fault_log.h); -1: nobody asks */
};

/* The last row of the origin whose first node is at this slot or before it; the first, where none
 * is. There are rows. */
size_t hc_life_row_of(const struct hc_lifetime_fault *fault, const struct hc_life_origin *origin,
                      int32_t slot);

struct hc_life_incident {
    int32_t fault;
    int32_t slot, n_slots; /* from the first to the last whose node it struck */
    int32_t at;            /* in the list of live ones */
    bool live;
    struct hc_life_origin origin;
};

struct hc_life_incidents {
    const struct hc_lifetime_config *config;
    struct hc_life_incident *open;
    size_t n_open, open_capacity;
    int32_t *live;
    size_t n_live, live_capacity;
    int32_t *born; /* of slot */
};

enum hc_status hc_incidents_init(struct hc_life_incidents *i,
                                 const struct hc_lifetime_config *config, struct hc_error *err);
void hc_incidents_fini(struct hc_life_incidents *i);
void hc_incidents_begin(struct hc_life_incidents *i);

/* A fault took slots incident->slot and so on. Returns its place; -1 when that failed. */
int32_t hc_incidents_open(struct hc_life_incidents *i, const struct hc_life_incident *incident,
                          struct hc_life_end *end);
void hc_incidents_close(struct hc_life_incidents *i, size_t place);

/* The slots where it is now, into slot[]; returns how many. An incident of one slot stays there,
 * whichever node the slot has by now. */
int32_t hc_incidents_slots(const struct hc_life_incidents *i, size_t place, int32_t *slot);

/* To be called when another node comes into this slot. A slow fault ends when the last node that it
 * struck has left: returns whether one ended now. */
bool hc_incidents_node_leaves(struct hc_life_incidents *i, int32_t slot);

/* What the open incidents together do to the job: returns the largest slow_factor, 1 where none
 * slows it; *is_tainted tells whether one is a silent corruption. */
double hc_incidents_slow(const struct hc_life_incidents *i, bool *is_tainted);

#endif
