/* From an eviction until the node is to be had again: check, automatic and manual repair, and
 * quarantine. */
#include "sim/lifetime/nodes/node_pool.h"

/* When the repair of this node ends by the record of its fault; -1: nothing was recorded. */
static int64_t recorded_end_ns(const struct hc_node_pool *pool, int32_t node)
{
    return pool->repaired_ns ? pool->repaired_ns[node] : -1;
}

/* How long an evicted node stays in quarantine: after too many faults, or by mistake. -1: not. */
static int64_t quarantine_ns(struct hc_node_client *client, int32_t node, bool repaired,
                             int64_t at_ns)
{
    const struct hc_node_pool *pool = client->pool;
    const struct hc_lifetime_repair *r = &client->compiled->config->repair;
    size_t k = (size_t)r->quarantine_faults;
    if (!k && r->quarantine_false <= 0)
        return -1;
    bool goes = repaired && k &&
                pool->history[(size_t)node * k] >= at_ns - hc_life_ns(r->quarantine_window_s);
    if (!goes && !pool->was_lemon[node])
        goes = hc_philox_uniform(&client->lent.streams->extra[HC_EXTRA_QUARANTINE]) <
               r->quarantine_false;
    client->lent.count[HC_COUNT_QUARANTINED] += goes;
    client->lent.count[HC_COUNT_QUARANTINED_HEALTHY] += goes && !pool->was_lemon[node];
    return goes ? hc_life_ns(r->quarantine_s) : -1;
}

/* A repair has ended; only_seems: the share of such repairs that leaves a lemon what it is. */
static struct hc_node_news repaired(struct hc_node_client *client, int32_t node, double only_seems,
                                    int64_t at_ns)
{
    const struct hc_lifetime_repair *r = &client->compiled->config->repair;
    struct hc_node_news news = {.repaired = node, .back = -1};
    if (!hc_life_chance(client->lent.streams, only_seems, HC_STREAM_REPAIR))
        client->pool->lemon[node] = false;
    bool is_given_up = hc_life_chance(client->lent.streams, r->retire, HC_STREAM_REPAIR);
    if (is_given_up && recorded_end_ns(client->pool, node) < 0) {
        client->lent.count[HC_COUNT_RETIRED]++;
        news.back = HC_NODE_RETIRED;
        return news;
    }
    int64_t out_ns = quarantine_ns(client, node, true, at_ns);
    if (out_ns >= 0)
        hc_node_enter(client, at_ns + out_ns, HC_LIFE_CHECK_ENDS, node);
    else
        news.back = node;
    return news;
}

/* Automatic repair has ended, or the time that was recorded for all of the repair. Whether it goes
 * on to a manual one is drawn in any case; its end is as recorded. */
static struct hc_node_news automatic_ended(struct hc_node_client *client, int32_t node,
                                           int64_t at_ns)
{
    const struct hc_lifetime_repair *r = &client->compiled->config->repair;
    const struct hc_node_news none = {.repaired = -1, .back = -1};
    int64_t end_ns = recorded_end_ns(client->pool, node);
    bool goes_on = hc_life_chance(client->lent.streams, r->to_manual, HC_STREAM_REPAIR);
    if (!goes_on && end_ns <= at_ns)
        return repaired(client, node, r->automatic_false, at_ns);
    if (!goes_on) {
        hc_node_enter(client, end_ns, HC_LIFE_RECORDED_ENDS, node);
        return none;
    }
    client->lent.count[HC_COUNT_MANUAL_REPAIRS]++;
    int64_t drawn_ns = at_ns + hc_life_draw(client->lent.streams, &r->manual_s, HC_STREAM_REPAIR);
    if (end_ns >= 0)
        drawn_ns = end_ns > at_ns ? end_ns : at_ns;
    hc_node_enter(client, drawn_ns, HC_LIFE_MANUAL_ENDS, node);
    return none;
}

struct hc_node_news hc_node_handle(struct hc_node_client *client, const struct hc_event *event)
{
    const struct hc_lifetime_repair *r = &client->compiled->config->repair;
    struct hc_node_news news = {.repaired = -1, .back = -1};
    int64_t at_ns = event->time_ns;
    switch (event->kind) {
    case HC_LIFE_AUTOMATIC_ENDS:
        return automatic_ended(client, event->who, at_ns);
    case HC_LIFE_RECORDED_ENDS:
        return repaired(client, event->who, r->automatic_false, at_ns);
    case HC_LIFE_MANUAL_ENDS:
        return repaired(client, event->who, r->manual_false, at_ns);
    case HC_LIFE_CHECK_ENDS:
        news.back = event->who;
        return news;
    default: /* HC_LIFE_STANDBY */
        hc_node_standby_due(client, at_ns);
        return news;
    }
}

/* Its repair begins: it ends as was recorded, or as is drawn, now and when automatic repair ends.
 */
static void begin_repair(struct hc_node_client *client, int32_t node, int64_t repaired_ns,
                         int64_t at_ns)
{
    struct hc_node_pool *pool = client->pool;
    const struct hc_distribution *automatic_s = &client->compiled->config->repair.automatic_s;
    int64_t drawn_ns = hc_life_draw(client->lent.streams, automatic_s, HC_STREAM_REPAIR);
    int64_t end_ns = at_ns + drawn_ns;
    if (pool->repaired_ns)
        pool->repaired_ns[node] = repaired_ns;
    if (repaired_ns >= 0 && repaired_ns < end_ns)
        end_ns = repaired_ns > at_ns ? repaired_ns : at_ns;
    hc_node_enter(client, end_ns, HC_LIFE_AUTOMATIC_ENDS, node);
}

void hc_node_evict(struct hc_node_client *client, int32_t node, bool guilty, int64_t repaired_ns,
                   int64_t at_ns)
{
    struct hc_node_pool *pool = client->pool;
    const struct hc_lifetime_repair *r = &client->compiled->config->repair;
    int32_t k = r->quarantine_faults;
    pool->was_lemon[node] = pool->lemon[node];
    if (!guilty) {
        int64_t check_ns = hc_life_draw(client->lent.streams, &r->innocent_s, HC_STREAM_REPAIR);
        int64_t out_ns = quarantine_ns(client, node, false, at_ns);
        hc_node_enter(client, at_ns + check_ns + (out_ns > 0 ? out_ns : 0), HC_LIFE_CHECK_ENDS,
                      node);
        return;
    }
    client->lent.count[HC_COUNT_REPAIRS]++;
    int64_t *history = k ? &pool->history[(size_t)node * (size_t)k] : NULL;
    for (int32_t i = 0; i < k; i++)
        history[i] = i + 1 < k ? history[i + 1] : at_ns;
    begin_repair(client, node, repaired_ns, at_ns);
}
