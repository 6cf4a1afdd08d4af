/* life_arrivals.h - when faults strike. Private to this wing.
 *
 * The clocks of faults count exposure: time in which the job can be struck. There are three kinds.
 * Exponential causes have one clock a cause, of the rate of all its units together; when that rate
 * changes, the time left is stretched, which keeps it exponential. Renewals have a clock a unit, in
 * the heap `clocks`. Recorded incidents go by wall time.
 *
 * Entries of `clocks` are not taken out when a unit is renewed: an entry is stale when its time is
 * not the one that its unit has now. Invariant: between calls the first entry is not stale.
 *
 * Infant mortality (life_infants.c): a node that was repaired has another rate for a while. What a
 * factor above 1 adds is a process of each such node, which has entries in `clocks` as well, with
 * the kind cause + HC_LIFETIME_MAX_FAULTS; what a factor below 1 takes away is thinned.
 */
#ifndef HC_SIM_LIFETIME_LIFE_LIFE_ARRIVALS_H
#define HC_SIM_LIFETIME_LIFE_LIFE_ARRIVALS_H

#include "sim/lifetime/compiled_lifetime.h"
#include "sim/lifetime/life/life_slots.h"
#include "sim/lifetime/life_calendar.h"

struct hc_life_infants {
    int64_t *used_ns;  /* of node: exposure since its repair; -1: no infant */
    int64_t *since_ns; /* of slot: exposure when such a node came; -1: none is there */
    int64_t *next_ns[HC_LIFETIME_MAX_FAULTS]; /* of slot, by exposure: tells stale entries */
    int64_t lasts_ns[HC_LIFETIME_MAX_FAULTS]; /* 0: the cause knows no infants */
    double factor[HC_LIFETIME_MAX_FAULTS];
};

struct hc_life_arrivals {
    const struct hc_compiled_lifetime *compiled;
    const struct hc_lifetime_config *config;
    const struct hc_life_slots *slots; /* this and the next two: of the life */
    struct hc_life_streams *streams;
    struct hc_life_end *end;
    int64_t exposure_ns;
    int64_t next_ns[HC_LIFETIME_MAX_FAULTS]; /* exponential causes, by exposure */
    size_t next_incident[HC_LIFETIME_MAX_FAULTS], end_incident[HC_LIFETIME_MAX_FAULTS];
    struct hc_event_heap clocks; /* by exposure; kind: cause, who: unit; of infants who: slot */
    int64_t *clock_ns[HC_LIFETIME_MAX_FAULTS]; /* of each unit of a renewal */
    struct hc_life_infants *infants;           /* NULL: no cause has a factor */
};

enum hc_status hc_arrivals_init(struct hc_life_arrivals *a,
                                const struct hc_compiled_lifetime *compiled, struct hc_error *err);
void hc_arrivals_fini(struct hc_life_arrivals *a);
/* The slots have their first nodes. */
void hc_arrivals_begin(struct hc_life_arrivals *a, uint64_t replica);

/* Wall time of the next fault, if the job is exposed from now_ns until then, and its cause; one
 * that infancy added is cause + HC_LIFETIME_MAX_FAULTS. */
int64_t hc_arrivals_next_ns(const struct hc_life_arrivals *a, int64_t now_ns, int32_t *cause);
/* When a recorded incident is due. */
static inline int64_t hc_incident_at_ns(const struct hc_lifetime_fault *fault, size_t i)
{
    return fault->record ? fault->record[i].at_ns : hc_life_ns(fault->incident[i].at_s);
}

/* The arrival of a cause that is no record happens now: its clock goes on to the next. Returns the
 * unit of a renewal, -1: that is still to be drawn. */
int32_t hc_arrivals_take(struct hc_life_arrivals *a, int32_t cause);
/* Pass over recorded incidents of a time in which nothing could strike; returns how many. */
int64_t hc_arrivals_skip_incidents(struct hc_life_arrivals *a, int64_t now_ns);

/* The number of slots with lemons was n_before. */
void hc_arrivals_rates_changed(struct hc_life_arrivals *a, int32_t n_before);
/* A new node is in this slot: the renewals of its own begin anew. */
void hc_arrivals_renew(struct hc_life_arrivals *a, int32_t slot);
/* Take stale entries off the top of `clocks`. */
void hc_arrivals_drop_stale(struct hc_life_arrivals *a);

/* ---- life_infants.c; only where a->infants is there ---- */

enum hc_status hc_infants_init(struct hc_life_arrivals *a, struct hc_error *err);
void hc_infants_begin(struct hc_life_arrivals *a);
/* The repair of a node has ended. */
void hc_infants_repaired(struct hc_life_arrivals *a, int32_t node);
/* The node of this slot goes: what is left of its infancy goes on when it comes back. */
void hc_infants_leave(struct hc_life_arrivals *a, int32_t slot);
/* The node that is in this slot now has come. */
void hc_infants_come(struct hc_life_arrivals *a, int32_t slot);
/* The arrival that infancy added, and that is due: its slot. */
int32_t hc_infants_take(struct hc_life_arrivals *a, int32_t cause);
/* Enter the arrival of `kind` into `clocks`, after wait_ns more of exposure. */
void hc_arrivals_enter(struct hc_life_arrivals *a, int64_t wait_ns, int32_t kind, int32_t who);

/* A fault of this cause is to strike this slot; is_added: one that infancy added. */
enum hc_infant_strike {
    HC_INFANT_NONE,   /* it strikes; the node is no infant */
    HC_INFANT_STRUCK, /* it strikes an infant */
    HC_INFANT_SPARED  /* it does not strike */
};
enum hc_infant_strike hc_infants_strike(struct hc_life_arrivals *a, int32_t cause, int32_t slot,
                                        bool is_added);

#endif
