/* node_pool.h - nodes that jobs take, give back and wait for; their repair, and whose turn it is.
 *
 * A pool has free nodes and spares, which are at other work until they are taken. A job is a client
 * of its pool: it has standbys there, and nodes that were handed to it while it waited. Nodes in
 * the job's slots and nodes that are away for repair are in no list.
 *
 * The pool has no clock of the jobs and sets none: who calls says at which moment (at_ns) the thing
 * happens. Jobs that share a pool run ahead of each other in time, so that a job asks for its turn
 * before it acts (pool_turns.h); what one job does to another's standbys is booked at the moment of
 * the job that does it.
 *
 * Invariants: each node is in one place only. What free nodes and standbys idled is added up before
 * their number changes. A pool without an end (compiled->finite is false) follows no nodes: only
 * the numbers of standbys count, the next host is always there, and its lists stay empty. While a
 * pool with an end has free nodes, and none comes back from repair, a job lives on it exactly as on
 * one without an end: both take the standbys that are there when the job stops, and hosts for the
 * rest.
 *
 *     hc_node_pool_init(&pool, n_jobs, is_shared, &err);
 *     hc_node_pool_join(&pool, i, compiled, &err);      for each job; the job fills client->lent
 *     hc_node_client_begin(client);                     each replica, in the order of the jobs
 *     hc_node_pool_begin(&pool);                        after the last of them
 */
#ifndef HC_SIM_LIFETIME_NODES_NODE_POOL_H
#define HC_SIM_LIFETIME_NODES_NODE_POOL_H

#include "sim/engine/coroutine.h"
#include "sim/lifetime/compiled_lifetime.h"
#include "sim/lifetime/life_calendar.h"

struct hc_node_list {
    int32_t *node;
    int32_t n;
};

enum hc_turn_kind {
    HC_TURN_ACTS,  /* has a request */
    HC_TURN_NODE,  /* one of its nodes comes back, or a standby of its own is due */
    HC_TURN_WAITS, /* for a node */
    HC_TURN_LOOKS, /* waited, and something has happened: looks for a node in its turn */
    HC_TURN_ENDS,
    HC_TURN_GONE /* has ended and given its nodes back */
};

/* Where a job that shares its pool stands in the order of time. Its own clock may be ahead. */
struct hc_pool_turn {
    int32_t kind;     /* enum hc_turn_kind */
    int32_t priority; /* higher goes first */
    int64_t at_ns;    /* the job's time when it last asked for its turn */
    int64_t since_ns; /* when it stopped for the nodes that it asks for */
    bool is_starved;  /* no node can come any more */
    struct hc_coroutine *routine;
};

/* What a job lends its pool, so that a repair draws and counts as the job's. */
struct hc_node_lent {
    struct hc_life_streams *streams;
    struct hc_event_heap *calendar; /* the job's */
    struct hc_life_end *end;
    int64_t *count; /* enum hc_lifetime_count */
};

struct hc_node_client {
    struct hc_node_pool *pool;
    const struct hc_compiled_lifetime *compiled;
    struct hc_node_lent lent;
    int32_t index, first_node; /* among the clients; of the nodes that it has at first */

    struct hc_node_list standby;
    int32_t n_standby; /* also where no nodes are followed */
    hc_gpu_ns standby_ns;
    int64_t standby_since_ns;

    /* How many nodes the job lacks while it stands because no node is to be had, and those that
     * came back for it since. */
    int32_t n_wanted;
    struct hc_node_list handed;

    struct hc_pool_turn turn; /* of a shared pool only */
};

struct hc_node_pool {
    const struct hc_compiled_lifetime *compiled; /* of the first client: what all have in common */
    struct hc_node_client *client;
    int32_t n_clients;
    bool is_shared;

    struct hc_node_list free, spare;
    hc_gpu_ns idle_ns; /* of free nodes, up to since_ns */
    int64_t since_ns;
    bool *lemon, *was_lemon; /* of node: now, and at its last eviction */
    int64_t *history;        /* of node: times of its last quarantine_faults faults */
    int64_t *repaired_ns;    /* of node that is away: recorded end of its repair, -1: none; NULL: no
                                fault of any client has records */

    /* Of a shared pool only: how far its order of events has come; events of nodes whose job has
     * ended, or may be ahead, with the client in the kind; whether an error ends all jobs. */
    int64_t now_ns;
    struct hc_event_heap calendar;
    bool is_given_up;
    int64_t nobody[HC_COUNT_COUNT]; /* counts for jobs that are gone */
};

enum hc_status hc_node_pool_init(struct hc_node_pool *pool, size_t n_clients, bool is_shared,
                                 struct hc_error *err);
void hc_node_pool_fini(struct hc_node_pool *pool);
/* Client `index` is the job of this compiled lifetime; clients join in their order. */
enum hc_status hc_node_pool_join(struct hc_node_pool *pool, int32_t index,
                                 const struct hc_compiled_lifetime *compiled, struct hc_error *err);

/* ---- a replica begins ---- */

/* The lemons are drawn by the first client, whose streams must stand at their beginning. */
void hc_node_client_begin(struct hc_node_client *client);
/* Hand out the nodes beyond those in jobs: the standbys of each job in turn, free ones, spares. */
void hc_node_pool_begin(struct hc_node_pool *pool);

/* ---- events of nodes ---- */

/* Kinds in the pool's calendar: enum hc_life_event + HC_NODE_KINDS * index of the client. */
#define HC_NODE_KINDS 16

/* Enter an event of a node: into the job's calendar, or, when the job is gone, into the pool's. */
void hc_node_enter(struct hc_node_client *client, int64_t at_ns, enum hc_life_event kind,
                   int32_t node);
/* Into the pool's calendar, for a job that is gone or may be ahead of at_ns. */
void hc_node_enter_shared(struct hc_node_client *client, int64_t at_ns, enum hc_life_event kind,
                          int32_t node);

/* ---- idle time ---- */

/* The number of standbys changes now; a change of 0 brings standby_ns up to at_ns. */
void hc_node_standbys(struct hc_node_client *client, int32_t change, int64_t at_ns);
/* Brings idle_ns up to at_ns. */
void hc_node_pool_idle(struct hc_node_pool *pool, int64_t at_ns);

/* ---- a job takes; -1: there is none ---- */

/* A standby, in whose place another is ordered; also -1 where no nodes are followed. */
int32_t hc_node_wake_standby(struct hc_node_client *client, int64_t at_ns);
/* A free node, so that standbys stay what they are; else a standby. */
int32_t hc_node_take_free(struct hc_node_client *client, int64_t at_ns);
/* A node for a job that stands: one that was handed to it, a free one, a standby, or a standby of
 * another job of lower priority. */
int32_t hc_node_take_any(struct hc_node_client *client, int64_t at_ns);
/* A spare; to take it costs the job preempt_s. */
int32_t hc_node_take_spare(struct hc_node_client *client);
/* n spares, or as many as there are, become free nodes. */
void hc_node_free_spares(struct hc_node_client *client, int32_t n, int64_t at_ns);
/* Free nodes become standbys, as many as the job lacks. */
void hc_node_refill(struct hc_node_client *client, int64_t at_ns);

/* Whether the job stands for want of nodes, also after those that were handed to it. */
static inline bool hc_node_is_short(const struct hc_node_client *client)
{
    return client->handed.n < client->n_wanted;
}

/* Who comes first of two jobs that stand and ask: by priority, by the time since when they stand,
 * by their order. */
bool hc_node_has_precedence(const struct hc_node_client *a, const struct hc_node_client *b);

/* Another job of lower priority that has a standby which this one may take; NULL: none. */
struct hc_node_client *hc_node_victim(const struct hc_node_client *client);

/* A standby that was ordered is ready, as far as one is still lacking and a node is free. */
void hc_node_standby_due(struct hc_node_client *client, int64_t at_ns);

/* ---- standbys that fail: standby_faults.c ---- */

/* Enter the next time at which one may fail, after at_ns; nothing where none does. */
void hc_node_next_standby_fault(struct hc_node_client *client, int64_t at_ns);
/* That time has come: a standby is evicted, if one stands in the place that is drawn, and the next
 * one entered. */
void hc_node_standby_fails(struct hc_node_client *client, int64_t at_ns);
/* Another standby is ordered in place of one that is used or gone. */
void hc_node_order_standby(struct hc_node_client *client, int64_t at_ns);

/* ---- a job gives ---- */

/* A node is back from repair: to a job that waits, to one that lacks standbys, to the spares, or to
 * the free nodes. */
void hc_node_return(struct hc_node_client *client, int32_t node, int64_t at_ns);
/* The job has ended: all that it has, and what is in its slots (-1: empty). */
void hc_node_client_leave(struct hc_node_client *client, const int32_t *slot_node, int64_t at_ns);

/* ---- repair: node_repair.c ---- */

/* A node is evicted; guilty: a fault was at it. repaired_ns: when its repair ends, as was recorded
 * of that fault; -1: that is drawn. Pool with an end. */
void hc_node_evict(struct hc_node_client *client, int32_t node, bool guilty, int64_t repaired_ns,
                   int64_t at_ns);

#define HC_NODE_RETIRED (-2)

/* Which nodes an event of the pool concerns; -1: none. */
struct hc_node_news {
    int32_t repaired; /* node whose repair has ended, even when it does not come back yet */
    int32_t back;     /* node that may be used again: the caller gives it to a job or calls
                         hc_node_return; HC_NODE_RETIRED: it never comes back */
};
struct hc_node_news hc_node_handle(struct hc_node_client *client, const struct hc_event *event);

#endif
