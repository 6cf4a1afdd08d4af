/* life_driver.h - what moves a life on: the files that see all of its parts. Private to this wing.
 *
 * They stand in layers, as below: each calls the parts and the layers above it, never one below.
 * lifetime_replica.c is the last, and lives a replica with all of them.
 */
#ifndef HC_SIM_LIFETIME_LIFE_LIFE_DRIVER_H
#define HC_SIM_LIFETIME_LIFE_LIFE_DRIVER_H

#include "sim/lifetime/life/life_state.h"

/* ---- life_change.c: changes of several parts at once; no time passes ---- */

void hc_life_mark(struct hc_life *s, int32_t cause, int32_t slot, const char *name);
/* Steps are interrupted now, or a rejoin is: until they run again it is one stop. */
void hc_life_interrupted(struct hc_life *s);
/* The job stops for another thing, which comes from there: no more comes of what it stopped for. */
void hc_life_trace_stop(struct hc_life *s, const struct hc_life_origin *origin);
/* The nodes of the first n of s->evicted that a fault struck are evicted now: note it down, since
 * their repair is what comes of it, where the pool has an end and there is a log. */
void hc_life_note_evicted(struct hc_life *s, int32_t n);
/* Evict the node of this slot. */
void hc_life_vacate(struct hc_life *s, int32_t slot, bool guilty);
/* Close the open incidents of the slot: they belong to the node that leaves, and must not pass to
 * the one that comes. */
void hc_life_node_leaves(struct hc_life *s, int32_t slot);
/* Put this node into the slot. In a pool without an end nodes are not followed, and the number
 * means nothing. */
void hc_life_occupy(struct hc_life *s, int32_t slot, int32_t node);
void hc_life_close_incident(struct hc_life *s, size_t place);
/* Take work from the job and book it as lost because of why. _lose: the steps since the last
 * durable save. _fall_back: n durable saves besides, or all that a silent corruption has touched.
 * _lose_taint: only what it has touched. _lose_memory: saves that are in the memory of nodes only.
 */
void hc_life_lose(struct hc_life *s, enum hc_why why);
void hc_life_fall_back(struct hc_life *s, int32_t n, enum hc_why why);
void hc_life_lose_taint(struct hc_life *s, enum hc_why why);
void hc_life_lose_memory(struct hc_life *s, enum hc_why why);

/* ---- life_phase.c: what a start takes; no time passes ---- */

/* What a phase of a start takes, drawn, for n nodes. */
int64_t hc_life_phase_ns(struct hc_life *s, const struct hc_lifetime_phase *phase,
                         enum hc_life_start kind, int32_t n);

/* ---- life_elastic.c: going on with fewer replicas; only where s->elastic is there ---- */

enum hc_status hc_life_elastic_init(struct hc_life *s, struct hc_error *err);
void hc_life_elastic_fini(struct hc_life *s);
void hc_life_elastic_begin(struct hc_life *s);
/* Strike absent nodes from the first n of s->evicted: they are gone already. Returns how many are
 * left. */
int32_t hc_life_elastic_present(struct hc_life *s, int32_t n);
/* Whether enough replicas are whole without the first n to be evicted. */
bool hc_life_elastic_may_leave(const struct hc_life *s, int32_t n);
/* Go on without the first n to be evicted: their replacements are ordered. */
void hc_life_elastic_leave(struct hc_life *s, int32_t n);
/* HC_LIFE_CHOSEN, _STARTS or _ARRIVES. True: a replica is whole again, and steps must stop for it.
 */
bool hc_life_elastic_event(struct hc_life *s, const struct hc_event *event, bool running);
/* A node comes to the pool: true where an absent slot waits for it, and has it now. */
bool hc_life_elastic_wants(struct hc_life *s, int32_t node);
/* The job queues again: it comes back with all its nodes, as far as the pool has some. */
void hc_life_elastic_requeued(struct hc_life *s);
/* Steps begin: replicas that are whole again are in. Returns the share of the replicas that run. */
double hc_life_elastic_start_run(struct hc_life *s);
/* A fault of this cause took s->struck.slot: leave those where steps run. */
void hc_life_elastic_struck(struct hc_life *s, int32_t cause);
/* What the steps run without now, and which cause that is charged to; nothing where the job is not
 * elastic. */
struct hc_life_missing hc_life_elastic_missing(const struct hc_life *s);
/* The cause of the last leave, whether or not something is still missing. */
int32_t hc_life_elastic_blame(const struct hc_life *s);
/* Steps ran: the stretch for the account. */
void hc_life_elastic_ran(struct hc_life *s, const struct hc_life_run *before);

/* ---- life_strike.c: a fault strikes ---- */

/* The first record of a fault; NULL where it was drawn, or no more is recorded of it than when it
 * struck and where. */
static inline const struct hc_lifetime_record *
hc_life_record_of(const struct hc_lifetime_fault *fault, const struct hc_life_origin *origin)
{
    return origin->n_rows && fault->record ? &fault->record[origin->row] : NULL;
}

/* The fault that hc_arrivals_next_ns() announced is there. True: it stops the job now, as s->stop
 * says. */
bool hc_life_strike(struct hc_life *s, int32_t cause, bool running);
/* Draw the time from a fault to its detection. */
int64_t hc_life_detect_ns(struct hc_life *s, const struct hc_lifetime_fault *fault);

/* ---- life_time.c: time passes ---- */

/* The job stands for ns, and nothing can strike. */
void hc_life_down(struct hc_life *s, int64_t ns, enum hc_what what, enum hc_why why);
/* The same, for a duration in seconds drawn from lasts_s, as a step of a remedy takes. */
void hc_life_down_drawn(struct hc_life *s, const struct hc_distribution *lasts_s, enum hc_why why);
/* The job waits in the queue and holds no nodes. */
void hc_life_queue(struct hc_life *s);
/* Start-up for ns, during which faults may strike: false when one stopped it, or the life is over.
 * The time that passed is added to *passed_ns, and booked by the caller. */
bool hc_life_exposed(struct hc_life *s, int64_t ns, int64_t *passed_ns);
/* Steps run until something stops them, the work is done or the horizon comes. */
void hc_life_run_stretch(struct hc_life *s);
/* A save before a stop that was foreseen: the job stands for it, then it is durable. */
void hc_life_save_now(struct hc_life *s);

/* ---- life_eviction.c: which nodes are evicted ---- */

/* The nodes that this remedy of the fault that stopped the job evicts, into s->evicted; returns how
 * many. wrong: the diagnosis was, and an innocent one goes. */
int32_t hc_life_choose_evicted(struct hc_life *s, int32_t remedy, bool wrong);
/* Where saves are in the memory of nodes: whether the first n of s->evicted hold both a state and
 * its copy, so that evicting them loses it. */
bool hc_life_loses_copies(const struct hc_life *s, int32_t n);

/* ---- life_replace.c: other nodes in their place ---- */

/* Replace the first n of s->evicted. Returns how the job must start again. */
enum hc_life_start hc_life_replace(struct hc_life *s, int32_t n, enum hc_why why);
/* All nodes are given back, with what was in their memory. Returns how to start. */
enum hc_life_start hc_life_requeue(struct hc_life *s, enum hc_why why);

/* ---- life_recovery.c: from a stop to the next step ---- */

/* All phases and the load of the checkpoint, each with its barrier. Where a fault strikes on the
 * way, s->stopped is set and all of it was a failed start. */
void hc_life_start(struct hc_life *s, enum hc_life_start kind, enum hc_why why);
/* From s->stop to running steps, whatever strikes on the way. */
void hc_life_recover(struct hc_life *s);

#endif
