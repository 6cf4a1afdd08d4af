/* Other nodes in place of those that are evicted: standbys first, then hosts from the pool, for
 * which the job stands and may have to wait. */
#include "sim/lifetime/life/life_driver.h"
#include "sim/lifetime/nodes/pool_turns.h"

enum hc_life_start hc_life_requeue(struct hc_life *s, enum hc_why why)
{
    if (s->config->checkpoint.mode == HC_CHECKPOINT_IN_MEMORY)
        hc_life_lose_memory(s, why);
    s->out->count[HC_COUNT_REQUEUES]++;
    hc_life_queue(s);
    return HC_START_FULL;
}

/* More nodes are missing than stand by: the wait for hosts to be chosen. Returns how to start. */
static enum hc_life_start wait_for_choice(struct hc_life *s, enum hc_why why)
{
    const struct hc_lifetime_recovery *r = &s->config->recovery;
    if (r->shortfall == HC_SHORTFALL_REQUEUE)
        return hc_life_requeue(s, why);
    s->out->count[HC_COUNT_RESCHEDULES]++;
    hc_life_down_drawn(s, &r->reschedule_s, why);
    return r->full_start_on_reschedule ? HC_START_FULL : HC_START_HOT;
}

/* Spares of other work, all that are missing at once. */
static void preempt_spares(struct hc_life *s, int32_t missing, enum hc_why why)
{
    int32_t n_spares = s->client->pool->spare.n;
    hc_life_down_drawn(s, &s->config->recovery.preempt_s, why);
    hc_turn_meet(s->client, HC_TURN_ACTS, s->now_ns);
    /* Another job may have been first: then there are fewer now. */
    hc_node_free_spares(s->client, missing < n_spares ? missing : n_spares, s->now_ns);
}

/* Nothing is free and nothing can be taken for the n slots that are empty: wait for the next
 * repair, or until another job gives a node. Where none can come the job is starved. */
static void wait_for_node(struct hc_life *s, int32_t n, enum hc_why why)
{
    bool is_shared = s->client->pool->is_shared;
    s->client->n_wanted = n;
    int64_t next =
        is_shared ? hc_turn_wait(s->client, s->now_ns) : hc_event_heap_next_ns(&s->calendar);
    if (next == INT64_MAX) {
        s->out->starved = true;
        s->end.over = true;
    } else {
        /* An event that is due now is not behind a wait of 0: 1 ns lets it happen. */
        hc_life_down(s, next > s->now_ns ? next - s->now_ns : 1, HC_WHAT_RECOVERY, why);
        if (is_shared)
            hc_turn_look(s->client, s->now_ns);
    }
    s->client->n_wanted = 0;
}

/* Whether a job that waits for its standbys, too, still lacks some when it has filled its slots. */
static bool lacks_standbys(const struct hc_life *s, int32_t missing)
{
    const struct hc_node_client *client = s->client;
    return s->config->recovery.wait_for == HC_WAIT_FOR_STANDBYS &&
           client->handed.n + client->pool->free.n + client->standby.n <
               missing + s->compiled->standbys;
}

/* Hosts from the pool, then spares, then whatever comes back, until slot[0..n) are full again. */
static void choose_hosts(struct hc_life *s, const int32_t *slot, int32_t n, enum hc_why why)
{
    int32_t filled = 0, node;
    bool waits = false;
    hc_turn_meet(s->client, HC_TURN_ACTS, s->now_ns);
    s->waits_for_hosts = true;
    while (filled < n && !s->end.over) {
        if (!(waits && lacks_standbys(s, n - filled)) &&
            (node = hc_node_take_any(s->client, s->now_ns)) >= 0) {
            hc_life_occupy(s, slot[filled++], node);
        } else if (!waits && s->client->pool->spare.n) {
            preempt_spares(s, n - filled, why);
        } else {
            s->out->count[HC_COUNT_WAITS] += !waits; /* one, however much happens meanwhile */
            waits = true;
            wait_for_node(s, n - filled, why);
        }
    }
    s->waits_for_hosts = false;
    if (!s->end.over && s->config->recovery.refill == HC_REFILL_AT_RESCHEDULE)
        hc_node_refill(s->client, s->now_ns);
}

/* The standbys that are there come into the first of slot[0..n), the job waits for hosts, and these
 * come into the rest. Returns how to start. */
static enum hc_life_start fill_slots(struct hc_life *s, const int32_t *slot, int32_t n,
                                     enum hc_why why)
{
    int32_t n_standby = s->client->n_standby, woken = n < n_standby ? n : n_standby;
    int32_t lemons_before = s->slots.n_lemons;
    for (int32_t i = 0; i < woken; i++)
        hc_life_occupy(s, slot[i], hc_node_wake_standby(s->client, s->now_ns));
    hc_arrivals_rates_changed(&s->arrivals, lemons_before);
    if (woken == n) {
        hc_life_down_drawn(s, &s->config->recovery.wake_s, why);
        return HC_START_HOT;
    }
    enum hc_life_start kind = wait_for_choice(s, why);
    lemons_before = s->slots.n_lemons;
    if (s->compiled->finite)
        choose_hosts(s, slot + woken, n - woken, why);
    for (int32_t i = woken; i < n && !s->compiled->finite; i++)
        hc_life_occupy(s, slot[i], slot[i]);
    hc_arrivals_rates_changed(&s->arrivals, lemons_before);
    return kind;
}

enum hc_life_start hc_life_replace(struct hc_life *s, int32_t n, enum hc_why why)
{
    if (s->client->pool->is_shared)
        hc_turn_ask(s->client, s->now_ns);
    for (int32_t i = 0; i < n; i++)
        hc_life_vacate(s, s->evicted.slot[i], s->evicted.guilty[i]);
    return fill_slots(s, s->evicted.slot, n, why);
}
