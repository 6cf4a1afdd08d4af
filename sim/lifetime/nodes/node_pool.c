#include "sim/lifetime/nodes/node_pool.h"

#include "core/base/memory.h"

#include <stdlib.h>
#include <string.h>

/* ---- memory ---- */

static enum hc_status new_list(struct hc_node_list *list, int32_t n, struct hc_error *err)
{
    list->node = hc_new_array((size_t)n, sizeof *list->node, err);
    return list->node ? HC_OK : err->status;
}

enum hc_status hc_node_pool_init(struct hc_node_pool *pool, size_t n_clients, bool is_shared,
                                 struct hc_error *err)
{
    *pool = (struct hc_node_pool){.is_shared = is_shared};
    pool->client = hc_new_array(n_clients, sizeof *pool->client, err);
    if (!pool->client)
        return err->status;
    pool->n_clients = (int32_t)n_clients;
    return is_shared ? hc_event_heap_init(&pool->calendar, 256, err) : HC_OK;
}

void hc_node_pool_fini(struct hc_node_pool *pool)
{
    for (int32_t i = 0; i < pool->n_clients; i++) {
        free(pool->client[i].standby.node);
        free(pool->client[i].handed.node);
    }
    free(pool->client);
    free(pool->free.node);
    free(pool->spare.node);
    free(pool->lemon);
    free(pool->was_lemon);
    free(pool->history);
    free(pool->repaired_ns);
    hc_event_heap_fini(&pool->calendar);
    *pool = (struct hc_node_pool){0};
}

static enum hc_status new_nodes(struct hc_node_pool *pool,
                                const struct hc_compiled_lifetime *compiled, struct hc_error *err)
{
    size_t nodes = (size_t)compiled->n_nodes;
    size_t k = (size_t)compiled->config->repair.quarantine_faults;
    pool->compiled = compiled;
    bool made = (pool->lemon = hc_new_array(nodes, sizeof *pool->lemon, err)) &&
                (pool->was_lemon = hc_new_array(nodes, sizeof *pool->was_lemon, err)) &&
                (!k || (pool->history = hc_new_array(nodes * k, sizeof *pool->history, err)));
    if (!made || new_list(&pool->free, compiled->n_nodes, err))
        return err->status;
    return new_list(&pool->spare, compiled->n_nodes, err);
}

enum hc_status hc_node_pool_join(struct hc_node_pool *pool, int32_t index,
                                 const struct hc_compiled_lifetime *compiled, struct hc_error *err)
{
    struct hc_node_client *client = &pool->client[index];
    client->pool = pool;
    client->compiled = compiled;
    client->index = index;
    client->turn.priority = compiled->config->job.priority;
    if (index)
        client->first_node = client[-1].first_node + client[-1].compiled->config->job.nodes;
    else if (new_nodes(pool, compiled, err))
        return err->status;
    if (compiled->has_moments && !pool->repaired_ns &&
        !(pool->repaired_ns =
              hc_new_array((size_t)pool->compiled->n_nodes, sizeof *pool->repaired_ns, err)))
        return err->status;
    if (new_list(&client->standby, compiled->n_nodes, err))
        return err->status;
    return new_list(&client->handed, compiled->config->job.nodes, err);
}

/* ---- a replica begins ---- */

/* Exactly the share of all nodes, each set as likely as any other. */
static void draw_lemons(struct hc_node_pool *pool, struct hc_philox *rng)
{
    int32_t n = pool->compiled->n_nodes;
    int64_t left = (int64_t)(pool->compiled->config->lemon_share * n + 0.5);
    memset(pool->lemon, 0, (size_t)n * sizeof *pool->lemon);
    for (int32_t i = 0; i < n && left; i++) {
        pool->lemon[i] = hc_philox_uniform(rng) * (n - i) < (double)left;
        left -= pool->lemon[i];
    }
}

void hc_node_client_begin(struct hc_node_client *client)
{
    if (client->index == 0)
        draw_lemons(client->pool, &client->lent.streams->rng[HC_STREAM_LEMONS]);
    client->standby.n = client->handed.n = client->n_wanted = 0;
    client->standby_ns = client->standby_since_ns = 0;
    client->n_standby = client->compiled->finite ? 0 : client->compiled->standbys;
}

static void put(struct hc_node_list *list, int32_t node)
{
    list->node[list->n++] = node;
}

static void to_free(struct hc_node_pool *pool, int32_t node, int64_t at_ns)
{
    hc_node_pool_idle(pool, at_ns);
    put(&pool->free, node);
}

static int32_t from_free(struct hc_node_pool *pool, int64_t at_ns)
{
    hc_node_pool_idle(pool, at_ns);
    return pool->free.node[--pool->free.n];
}

static void to_standby(struct hc_node_client *client, int32_t node, int64_t at_ns)
{
    hc_node_standbys(client, 1, at_ns);
    put(&client->standby, node);
}

void hc_node_pool_begin(struct hc_node_pool *pool)
{
    const struct hc_compiled_lifetime *compiled = pool->compiled;
    struct hc_node_client *last = &pool->client[pool->n_clients - 1], *at = pool->client;
    pool->free.n = pool->spare.n = 0;
    pool->idle_ns = pool->since_ns = 0;
    if (!compiled->finite)
        return;
    int32_t node = last->first_node + last->compiled->config->job.nodes;
    for (; node < compiled->n_nodes; node++) {
        while (at <= last && at->n_standby >= at->compiled->standbys)
            at++;
        if (node >= compiled->config->recovery.pool_nodes)
            put(&pool->spare, node);
        else if (at <= last)
            to_standby(at, node, 0);
        else
            to_free(pool, node, 0);
    }
    if (pool->history) /* so long ago that no window reaches it */
        memset(pool->history, 0x80,
               (size_t)compiled->n_nodes * (size_t)compiled->config->repair.quarantine_faults *
                   sizeof *pool->history);
}

/* ---- events of nodes ---- */

void hc_node_enter_shared(struct hc_node_client *client, int64_t at_ns, enum hc_life_event kind,
                          int32_t node)
{
    hc_life_enter(&client->pool->calendar, client->lent.end,
                  (struct hc_event){.time_ns = at_ns,
                                    .kind = (int32_t)kind + HC_NODE_KINDS * client->index,
                                    .who = node});
}

void hc_node_enter(struct hc_node_client *client, int64_t at_ns, enum hc_life_event kind,
                   int32_t node)
{
    if (client->turn.kind == HC_TURN_GONE)
        hc_node_enter_shared(client, at_ns, kind, node);
    else
        hc_life_enter(client->lent.calendar, client->lent.end,
                      (struct hc_event){.time_ns = at_ns, .kind = (int32_t)kind, .who = node});
}

/* ---- idle time ---- */

void hc_node_standbys(struct hc_node_client *client, int32_t change, int64_t at_ns)
{
    client->standby_ns += (hc_gpu_ns)client->n_standby * (at_ns - client->standby_since_ns);
    client->standby_since_ns = at_ns;
    client->n_standby += change;
}

void hc_node_pool_idle(struct hc_node_pool *pool, int64_t at_ns)
{
    pool->idle_ns += (hc_gpu_ns)pool->free.n * (at_ns - pool->since_ns);
    pool->since_ns = at_ns;
}

/* ---- whose a node is ---- */

/* Whether another job of a shared pool stands for want of a node. */
static bool other_waits(const struct hc_node_client *client)
{
    const struct hc_node_pool *pool = client->pool;
    for (int32_t i = 0; i < pool->n_clients; i++)
        if (i != client->index && hc_node_is_short(&pool->client[i]))
            return true;
    return false;
}

bool hc_node_has_precedence(const struct hc_node_client *a, const struct hc_node_client *b)
{
    if (a->turn.priority != b->turn.priority)
        return a->turn.priority > b->turn.priority;
    return a->turn.since_ns != b->turn.since_ns ? a->turn.since_ns < b->turn.since_ns : a < b;
}

/* For whom a node is that this client gives back: first the jobs that stand for want of one, then
 * those that lack standbys, each by priority; among equals of the latter this client, then their
 * order. NULL: for nobody. */
static struct hc_node_client *heir_of(struct hc_node_client *client)
{
    struct hc_node_pool *pool = client->pool;
    struct hc_node_client *heir = NULL;
    if (!pool->is_shared)
        return client;
    for (int32_t i = 0; i < pool->n_clients; i++) {
        struct hc_node_client *other = &pool->client[i];
        bool lacks = other->n_standby < other->compiled->standbys;
        bool is_short = hc_node_is_short(other);
        if (other->turn.kind == HC_TURN_GONE || !(is_short || lacks))
            continue;
        bool heir_is_short = heir && hc_node_is_short(heir);
        int32_t above = heir ? other->turn.priority - heir->turn.priority : 1;
        if (!heir || is_short != heir_is_short)
            heir = !heir || is_short ? other : heir;
        else if (is_short ? hc_node_has_precedence(other, heir)
                          : above > 0 || (above == 0 && other == client))
            heir = other;
    }
    return heir;
}

struct hc_node_client *hc_node_victim(const struct hc_node_client *client)
{
    struct hc_node_pool *pool = client->pool;
    struct hc_node_client *victim = NULL;
    if (!pool->is_shared || !client->compiled->config->recovery.takes_standbys)
        return NULL;
    for (int32_t i = 0; i < pool->n_clients; i++) {
        struct hc_node_client *other = &pool->client[i];
        if (other->turn.kind != HC_TURN_GONE && other->standby.n &&
            other->turn.priority < client->turn.priority &&
            (!victim || other->turn.priority <= victim->turn.priority))
            victim = other;
    }
    return victim;
}

/* ---- a job takes ---- */

void hc_node_order_standby(struct hc_node_client *client, int64_t at_ns)
{
    const struct hc_lifetime_recovery *r = &client->compiled->config->recovery;
    if (!client->compiled->finite || r->refill == HC_REFILL_ALWAYS)
        hc_node_enter(
            client, at_ns + hc_life_draw(client->lent.streams, &r->replenish_s, HC_STREAM_RECOVER),
            HC_LIFE_STANDBY, 0);
}

int32_t hc_node_wake_standby(struct hc_node_client *client, int64_t at_ns)
{
    hc_node_standbys(client, -1, at_ns);
    int32_t node = client->compiled->finite ? client->standby.node[--client->standby.n] : -1;
    client->lent.count[HC_COUNT_STANDBYS_USED]++;
    hc_node_order_standby(client, at_ns);
    return node;
}

int32_t hc_node_take_free(struct hc_node_client *client, int64_t at_ns)
{
    if (client->pool->free.n)
        return from_free(client->pool, at_ns);
    return client->standby.n ? hc_node_wake_standby(client, at_ns) : -1;
}

/* The other job may be ahead in time: for its standbys, and for the order of a new one, it is
 * at_ns. */
static int32_t take_standby_of_other(struct hc_node_client *client, int64_t at_ns)
{
    struct hc_node_client *victim = hc_node_victim(client);
    if (!victim)
        return -1;
    const struct hc_lifetime_recovery *r = &victim->compiled->config->recovery;
    hc_node_standbys(victim, -1, at_ns);
    if (r->refill == HC_REFILL_ALWAYS)
        hc_node_enter_shared(
            victim, at_ns + hc_life_draw(victim->lent.streams, &r->replenish_s, HC_STREAM_RECOVER),
            HC_LIFE_STANDBY, 0);
    client->lent.count[HC_COUNT_PREEMPTED]++;
    return victim->standby.node[--victim->standby.n];
}

int32_t hc_node_take_any(struct hc_node_client *client, int64_t at_ns)
{
    if (client->handed.n)
        return client->handed.node[--client->handed.n];
    int32_t node = hc_node_take_free(client, at_ns);
    return node >= 0 ? node : take_standby_of_other(client, at_ns);
}

int32_t hc_node_take_spare(struct hc_node_client *client)
{
    struct hc_node_list *spare = &client->pool->spare;
    if (!spare->n)
        return -1;
    client->lent.count[HC_COUNT_PREEMPTED]++;
    return spare->node[--spare->n];
}

void hc_node_free_spares(struct hc_node_client *client, int32_t n, int64_t at_ns)
{
    int32_t node;
    for (; n > 0 && (node = hc_node_take_spare(client)) >= 0; n--)
        to_free(client->pool, node, at_ns);
}

/* Not while another job stands for want of a free node. */
static bool may_stand_by(const struct hc_node_client *client)
{
    return client->pool->free.n && !(client->pool->is_shared && other_waits(client));
}

void hc_node_refill(struct hc_node_client *client, int64_t at_ns)
{
    while (client->n_standby < client->compiled->standbys && may_stand_by(client))
        to_standby(client, from_free(client->pool, at_ns), at_ns);
}

void hc_node_standby_due(struct hc_node_client *client, int64_t at_ns)
{
    if (client->n_standby >= client->compiled->standbys)
        return;
    if (!client->compiled->finite)
        hc_node_standbys(client, 1, at_ns);
    else if (may_stand_by(client))
        to_standby(client, from_free(client->pool, at_ns), at_ns);
}

/* ---- a job gives ---- */

/* To this job, or to one that needs the node more; false where nobody does. */
static bool is_given(struct hc_node_client *client, int32_t node, int64_t at_ns)
{
    struct hc_node_client *heir = heir_of(client);
    if (!heir)
        return false;
    if (hc_node_is_short(heir)) {
        put(&heir->handed, node);
        return true;
    }
    if (heir->n_standby >= heir->compiled->standbys)
        return false;
    to_standby(heir, node, at_ns);
    return true;
}

void hc_node_return(struct hc_node_client *client, int32_t node, int64_t at_ns)
{
    struct hc_node_pool *pool = client->pool;
    const struct hc_lifetime_recovery *r = &client->compiled->config->recovery;
    if (is_given(client, node, at_ns))
        return;
    if (r->spares_return && pool->spare.n < r->spare_nodes)
        put(&pool->spare, node);
    else
        to_free(pool, node, at_ns);
}

static void release(struct hc_node_client *client, int32_t node, int64_t at_ns)
{
    if (!is_given(client, node, at_ns))
        to_free(client->pool, node, at_ns);
}

void hc_node_client_leave(struct hc_node_client *client, const int32_t *slot_node, int64_t at_ns)
{
    client->n_wanted = 0;
    while (client->handed.n)
        release(client, client->handed.node[--client->handed.n], at_ns);
    while (client->standby.n) {
        hc_node_standbys(client, -1, at_ns);
        release(client, client->standby.node[--client->standby.n], at_ns);
    }
    for (int32_t slot = 0; slot < client->compiled->config->job.nodes; slot++)
        if (slot_node[slot] >= 0)
            release(client, slot_node[slot], at_ns);
}
