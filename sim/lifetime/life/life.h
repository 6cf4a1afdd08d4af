/* life.h - one job from submission to its end, replica after replica.
 *
 * A life is written as one thing after another: start, run, stop, recover, run. It has its own
 * clock, which nobody else sets. On a pool of its own it runs to its end in one call. On a shared
 * pool the same call asks for its turn (sim/lifetime/nodes/pool_turns.h) wherever other jobs may
 * come first, and so must run in a coroutine.
 *
 *     hc_life_new(&life, compiled, NULL, &err);
 *     hc_life_replica(life, replica, &out);      as often as wanted
 *     hc_life_free(life);
 */
#ifndef HC_SIM_LIFETIME_LIFE_LIFE_H
#define HC_SIM_LIFETIME_LIFE_LIFE_H

#include "sim/lifetime/lifetime_faults.h"
#include "sim/lifetime/lifetime_trace.h"
#include "sim/lifetime/nodes/node_pool.h"

struct hc_life;

/* The life of the job of this client, which has joined its pool; NULL: on a pool of its own. err
 * also gets what fails inside later replicas. *life is to be freed in any case. */
enum hc_status hc_life_new(struct hc_life **life, const struct hc_compiled_lifetime *compiled,
                           struct hc_node_client *client, struct hc_error *err);
void hc_life_free(struct hc_life *life);

/* A whole replica on a pool of its own. */
enum hc_status hc_life_replica(struct hc_life *life, uint64_t replica,
                               struct hc_lifetime_replica *out);

/* Take down the next replica into trace, until hc_life_unwatch() completes it. */
void hc_life_watch(struct hc_life *life, struct hc_lifetime_trace *trace);
void hc_life_unwatch(struct hc_life *life);

/* The same, and each fault of it into the sink (lifetime_faults.h). */
enum hc_status hc_life_tell_faults(struct hc_life *life, uint64_t replica,
                                   hc_drawn_fault_sink *sink, void *context,
                                   struct hc_lifetime_replica *out);

/* ---- on a shared pool ---- */

/* Stand at the beginning of a replica. The jobs of a pool begin in their order, then its nodes are
 * handed out (hc_node_pool_begin), then they live. */
void hc_life_begin(struct hc_life *life, uint64_t replica, struct hc_lifetime_replica *out);
enum hc_status hc_life_live(struct hc_life *life);
/* The life has ended: its nodes go to the others. */
void hc_life_leave(struct hc_life *life);
/* Another job failed with this status: end as fast as possible, in the middle of whatever. */
void hc_life_give_up(struct hc_life *life, enum hc_status status);
/* What failed since the life has ended, while repairs of its nodes went on. */
enum hc_status hc_life_status(const struct hc_life *life);

#endif
