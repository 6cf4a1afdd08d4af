#include "sim/lifetime/nodes/pool_turns.h"

#include <string.h>

/* ---- who is next ---- */

/* Whether a job that waits would find a node. */
static bool would_find(const struct hc_node_client *client)
{
    const struct hc_node_pool *pool = client->pool;
    return client->handed.n || client->standby.n || pool->free.n || pool->spare.n ||
           hc_node_victim(client);
}

/* When a job goes on. One that waits: now, where it would find a node; else when something of its
 * own is due, or at its horizon. */
static int64_t due_ns(const struct hc_node_client *client)
{
    if (client->turn.kind != HC_TURN_WAITS)
        return client->turn.at_ns;
    if (would_find(client))
        return client->pool->now_ns;
    int64_t own_ns = hc_event_heap_next_ns(client->lent.calendar);
    int64_t horizon_ns = client->compiled->horizon_ns;
    return own_ns < horizon_ns ? own_ns : horizon_ns;
}

/* Of two jobs that are due at one time. */
static bool goes_first(const struct hc_node_client *a, const struct hc_node_client *b)
{
    static const int rank[] = {[HC_TURN_ENDS] = 0,
                               [HC_TURN_NODE] = 1,
                               [HC_TURN_ACTS] = 2,
                               [HC_TURN_WAITS] = 2,
                               [HC_TURN_LOOKS] = 2};
    int rank_a = rank[a->turn.kind], rank_b = rank[b->turn.kind];
    return rank_a != rank_b ? rank_a < rank_b : hc_node_has_precedence(a, b);
}

/* The job that goes on first, and when; NULL: all are gone. */
static struct hc_node_client *first_client(const struct hc_node_pool *pool, int64_t *at_ns)
{
    struct hc_node_client *next = NULL;
    for (int32_t i = 0; i < pool->n_clients; i++) {
        struct hc_node_client *client = &pool->client[i];
        if (client->turn.kind == HC_TURN_GONE)
            continue;
        int64_t due = due_ns(client);
        if (!next || due < *at_ns || (due == *at_ns && goes_first(client, next))) {
            next = client;
            *at_ns = due;
        }
    }
    return next;
}

/* Whether an event of the pool's calendar comes before this job, which is due at at_ns. */
static bool is_event_first(const struct hc_node_pool *pool, const struct hc_node_client *next,
                           int64_t at_ns)
{
    int64_t event_ns = hc_event_heap_next_ns(&pool->calendar);
    return event_ns < at_ns || (event_ns == at_ns && next->turn.kind != HC_TURN_ENDS);
}

/* Where all jobs wait, and nothing can come that would end it, the last in the order gives up, and
 * what it has goes to the others. NULL: not so. */
static struct hc_node_client *starving(const struct hc_node_pool *pool)
{
    struct hc_node_client *last = NULL;
    if (pool->calendar.n)
        return NULL;
    for (int32_t i = 0; i < pool->n_clients; i++) {
        struct hc_node_client *client = &pool->client[i];
        if (client->turn.kind == HC_TURN_GONE)
            continue;
        if (client->turn.kind != HC_TURN_WAITS || client->lent.calendar->n || would_find(client))
            return NULL;
        if (!last || hc_node_has_precedence(last, client))
            last = client;
    }
    return last;
}

struct hc_next_turn hc_turn_next(struct hc_node_pool *pool)
{
    int64_t at_ns = 0;
    struct hc_node_client *next = first_client(pool, &at_ns), *starved;
    if (!next)
        return (struct hc_next_turn){HC_NEXT_NONE, NULL};
    if (pool->is_given_up)
        return (struct hc_next_turn){HC_NEXT_CLIENT, next};
    if ((starved = starving(pool))) {
        /* A job that is behind the pool's time is resumed twice: first it advances its clock to
         * that of the pool and waits again, then it is told that it is starved. */
        starved->turn.is_starved = starved->turn.at_ns == pool->now_ns;
        return (struct hc_next_turn){HC_NEXT_CLIENT, starved};
    }
    if (is_event_first(pool, next, at_ns))
        return (struct hc_next_turn){HC_NEXT_EVENT, NULL};
    pool->now_ns = at_ns;
    return (struct hc_next_turn){HC_NEXT_CLIENT, next};
}

/* ---- requests of a job ---- */

void hc_turn_request(struct hc_node_client *client, enum hc_turn_kind kind, int64_t request_ns)
{
    struct hc_node_pool *pool = client->pool;
    int64_t at_ns = 0;
    if (pool->is_given_up)
        return;
    client->turn.kind = (int32_t)kind;
    client->turn.at_ns = request_ns;
    /* Where this job would be the next to go on, it need not leave its coroutine. */
    if (kind != HC_TURN_WAITS && first_client(pool, &at_ns) == client &&
        !is_event_first(pool, client, at_ns))
        pool->now_ns = at_ns;
    else
        hc_coroutine_yield(client->turn.routine);
}

void hc_turn_ask(struct hc_node_client *client, int64_t at_ns)
{
    client->turn.since_ns = at_ns;
    hc_turn_meet(client, HC_TURN_ACTS, at_ns);
}

int64_t hc_turn_wait(struct hc_node_client *client, int64_t at_ns)
{
    client->turn.is_starved = false;
    hc_turn_request(client, HC_TURN_WAITS, at_ns);
    return client->turn.is_starved ? INT64_MAX : client->pool->now_ns;
}

void hc_turn_look(struct hc_node_client *client, int64_t at_ns)
{
    hc_turn_request(client, client->lent.end->over ? HC_TURN_ENDS : HC_TURN_LOOKS, at_ns);
}

/* ---- what happens to the pool ---- */

void hc_turns_begin(struct hc_node_pool *pool)
{
    pool->now_ns = 0;
    pool->is_given_up = false;
    hc_event_heap_clear(&pool->calendar);
    for (int32_t i = 0; i < pool->n_clients; i++) {
        struct hc_pool_turn *turn = &pool->client[i].turn;
        turn->kind = HC_TURN_ACTS;
        turn->at_ns = turn->since_ns = 0;
        turn->is_starved = false;
    }
}

struct hc_node_client *hc_turn_node_event(struct hc_node_pool *pool)
{
    struct hc_event event = hc_event_heap_pop(&pool->calendar);
    struct hc_node_client *client = &pool->client[event.kind / HC_NODE_KINDS];
    event.kind %= HC_NODE_KINDS;
    client->lent.count[HC_COUNT_EVENTS]++;
    pool->now_ns = event.time_ns;
    if (event.kind == HC_LIFE_STANDBY && client->turn.kind == HC_TURN_GONE)
        return client;
    struct hc_node_news news = hc_node_handle(client, &event);
    if (news.back >= 0)
        hc_node_return(client, news.back, event.time_ns);
    return client;
}

void hc_turn_leave(struct hc_node_client *client, const int32_t *slot_node, int64_t at_ns)
{
    struct hc_event_heap *own = client->lent.calendar;
    client->turn.kind = HC_TURN_GONE;
    client->lent.count = client->pool->nobody;
    hc_node_client_leave(client, slot_node, at_ns);
    while (own->n) {
        struct hc_event event = hc_event_heap_pop(own);
        if (event.kind < HC_LIFE_STANDBY) /* a repair; the job's own events are no more */
            hc_node_enter_shared(client, event.time_ns, (enum hc_life_event)event.kind, event.who);
    }
}
