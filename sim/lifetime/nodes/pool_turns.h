/* pool_turns.h - in which order the jobs of a shared pool act on it.
 *
 * Between two things that a job does to the pool nothing of the others concerns it: it runs ahead,
 * as if it were alone, until one of its nodes comes back, it asks for a node, it waits for one, or
 * it ends. There it asks for its turn, with its own time, and goes on when nothing that comes
 * before is left. Each job is a coroutine for this: to ask is to yield.
 *
 * What meets at one nanosecond goes in this order: jobs that end, nodes that come back, then
 * requests by hc_node_has_precedence().
 *
 * Invariants: pool->now_ns never goes back. A job is resumed only by who runs the scheduler
 * (shared_pool.c), never by another job. In a pool that is not shared all of this does nothing.
 *
 *     while ((next = hc_turn_next(pool)).kind != HC_NEXT_NONE)       the scheduler
 *         next.kind == HC_NEXT_CLIENT ? resume next.client : hc_turn_node_event(pool);
 */
#ifndef HC_SIM_LIFETIME_NODES_POOL_TURNS_H
#define HC_SIM_LIFETIME_NODES_POOL_TURNS_H

#include "sim/lifetime/nodes/node_pool.h"

/* ---- requests of a job, on its own stack; at_ns is the job's time ---- */

/* Go on when it is this job's turn, for what `kind` says. */
void hc_turn_request(struct hc_node_client *client, enum hc_turn_kind kind, int64_t at_ns);

/* The same where it may be this job's turn already: no time has passed since the last one, or the
 * pool is its own. */
static inline void hc_turn_meet(struct hc_node_client *client, enum hc_turn_kind kind,
                                int64_t at_ns)
{
    if (client->pool->is_shared && at_ns != client->pool->now_ns)
        hc_turn_request(client, kind, at_ns);
}

/* The same for a job that has just stopped, and asks for nodes from now on. */
void hc_turn_ask(struct hc_node_client *client, int64_t at_ns);
/* Wait for a node. Returns when to look for one again, or INT64_MAX: none can come any more. */
int64_t hc_turn_wait(struct hc_node_client *client, int64_t at_ns);
/* After a wait: others may come before, also for a node that this job has brought back. */
void hc_turn_look(struct hc_node_client *client, int64_t at_ns);

/* ---- the scheduler ---- */

/* All jobs stand at the beginning, and have a request there. */
void hc_turns_begin(struct hc_node_pool *pool);

enum hc_next_kind { HC_NEXT_NONE, HC_NEXT_CLIENT, HC_NEXT_EVENT };
struct hc_next_turn {
    enum hc_next_kind kind;
    struct hc_node_client *client;
};
/* Whose turn it is; the pool's time goes on to it. HC_NEXT_NONE: all jobs are gone. */
struct hc_next_turn hc_turn_next(struct hc_node_pool *pool);

/* HC_NEXT_EVENT: let the next event of the pool's calendar happen. Returns its client. */
struct hc_node_client *hc_turn_node_event(struct hc_node_pool *pool);

/* The job has ended at at_ns: its nodes go to the others, and repairs that it began go on. */
void hc_turn_leave(struct hc_node_client *client, const int32_t *slot_node, int64_t at_ns);

#endif
