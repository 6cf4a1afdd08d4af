/* Standbys that fail while they wait. Each of the places of standbys has a fault at the highest
 * rate that a node may have, all of them in one process; one of a place where none stands, or
 * beyond the rate of the node there, is passed over. So thinned, it is exact, whatever comes and
 * goes. */
#include "sim/lifetime/nodes/node_pool.h"

static double highest_rate(const struct hc_compiled_lifetime *compiled)
{
    return compiled->standby_healthy > compiled->standby_lemon ? compiled->standby_healthy
                                                               : compiled->standby_lemon;
}

void hc_node_next_standby_fault(struct hc_node_client *client, int64_t at_ns)
{
    double rate = client->compiled->standbys * highest_rate(client->compiled);
    if (!(rate > 0))
        return;
    struct hc_distribution d = hc_distribution_exponential(1e-9 / rate);
    struct hc_philox *rng = &client->lent.streams->extra[HC_EXTRA_STANDBYS];
    int64_t wait_ns = hc_life_ns(hc_distribution_draw(&d, rng));
    if (wait_ns < HC_LIFE_NEVER)
        hc_node_enter(client, at_ns + wait_ns, HC_LIFE_STANDBY_FAILS, 0);
}

/* The rate of the standby in a place; of nodes that are not followed, in the mean over lemons. */
static double rate_at(const struct hc_node_client *client, int32_t place)
{
    const struct hc_compiled_lifetime *compiled = client->compiled;
    double lemon = compiled->config->lemon_share;
    if (compiled->finite)
        lemon = client->pool->lemon[client->standby.node[place]];
    return compiled->standby_healthy * (1 - lemon) + compiled->standby_lemon * lemon;
}

void hc_node_standby_fails(struct hc_node_client *client, int64_t at_ns)
{
    const struct hc_compiled_lifetime *compiled = client->compiled;
    struct hc_philox *rng = &client->lent.streams->extra[HC_EXTRA_STANDBYS];
    int32_t place = (int32_t)hc_philox_integer(rng, (uint64_t)compiled->standbys);
    double u = hc_philox_uniform(rng) * highest_rate(compiled);
    hc_node_next_standby_fault(client, at_ns);
    if (place >= client->n_standby || u >= rate_at(client, place))
        return;
    client->lent.count[HC_COUNT_STANDBYS_FAILED]++;
    hc_node_standbys(client, -1, at_ns);
    if (compiled->finite) {
        int32_t node = client->standby.node[place];
        client->standby.node[place] = client->standby.node[--client->standby.n];
        hc_node_evict(client, node, true, -1, at_ns);
    }
    hc_node_order_standby(client, at_ns);
}
