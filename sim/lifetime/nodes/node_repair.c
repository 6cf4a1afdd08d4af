/* From an eviction until the node is to be had again: check, automatic and manual repair, and
 * quarantine. */
#include "sim/lifetime/nodes/node_pool.h"

static void enter_after(struct hc_node_client *client, int64_t at_ns,
                        const struct hc_distribution *wait_s, enum hc_life_event kind, int32_t node)
{
    hc_node_enter(client, at_ns + hc_life_draw(client->lent.streams, wait_s, HC_STREAM_REPAIR),
                  kind, node);
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
    if (hc_life_chance(client->lent.streams, r->retire, HC_STREAM_REPAIR)) {
        client->lent.count[HC_COUNT_RETIRED]++;
        return news;
    }
    int64_t out_ns = quarantine_ns(client, node, true, at_ns);
    if (out_ns >= 0)
        hc_node_enter(client, at_ns + out_ns, HC_LIFE_CHECK_ENDS, node);
    else
        news.back = node;
    return news;
}

struct hc_node_news hc_node_handle(struct hc_node_client *client, const struct hc_event *event)
{
    const struct hc_lifetime_repair *r = &client->compiled->config->repair;
    struct hc_node_news news = {.repaired = -1, .back = -1};
    int64_t at_ns = event->time_ns;
    switch (event->kind) {
    case HC_LIFE_AUTOMATIC_ENDS:
        if (!hc_life_chance(client->lent.streams, r->to_manual, HC_STREAM_REPAIR))
            return repaired(client, event->who, r->automatic_false, at_ns);
        client->lent.count[HC_COUNT_MANUAL_REPAIRS]++;
        enter_after(client, at_ns, &r->manual_s, HC_LIFE_MANUAL_ENDS, event->who);
        return news;
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

void hc_node_evict(struct hc_node_client *client, int32_t node, bool guilty, int64_t at_ns)
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
    enter_after(client, at_ns, &r->automatic_s, HC_LIFE_AUTOMATIC_ENDS, node);
}
