/* Nodes: in the job, standing by, free, at other work, or out for repair.
 *
 * A pool without an end has no nodes of its own: what is evicted is replaced by a node like any
 * other, and only the standbys are counted. A pool with an end follows each node. */
#include "sim/lifetime_state.h"

#include <string.h>

/* ---- lemons ---- */

static void set_lemon_slot(struct hc_life *s, int32_t slot, bool lemon)
{
    int32_t at = s->lemon_index[slot];
    if (lemon == (at >= 0))
        return;
    if (lemon) {
        s->lemon_index[slot] = s->n_lemon_slots;
        s->lemon_slot[s->n_lemon_slots++] = slot;
        return;
    }
    int32_t last = s->lemon_slot[--s->n_lemon_slots];
    s->lemon_slot[at] = last;
    s->lemon_index[last] = at;
    s->lemon_index[slot] = -1;
}

/* Exactly the share of all nodes, each set as likely as any other. */
static void draw_lemons(struct hc_life *s)
{
    int32_t n = s->plan->n_nodes;
    int64_t left = (int64_t)(s->config->lemon_share * n + 0.5);
    memset(s->lemon, 0, (size_t)n * sizeof *s->lemon);
    for (int32_t i = 0; i < n && left; i++) {
        s->lemon[i] = hc_philox_uniform(&s->rng[HC_STREAM_LEMONS]) * (n - i) < (double)left;
        left -= s->lemon[i];
    }
}

/* ---- lists ---- */

static void put(struct hc_life *s, struct hc_life_list *list, int32_t node,
                enum hc_life_place place)
{
    list->node[list->n++] = node;
    s->place[node] = (int8_t)place;
}

/* The number of standbys changes now: what they idled so far is added up. */
void hc_life_standbys(struct hc_life *s, int32_t change)
{
    s->standby_ns += (hc_gpu_ns)s->n_standby * (s->now_ns - s->standby_since_ns);
    s->standby_since_ns = s->now_ns;
    s->n_standby += change;
}

static void to_standby(struct hc_life *s, int32_t node)
{
    hc_life_standbys(s, 1);
    put(s, &s->standby, node, HC_LIFE_STANDBY_LIST);
}

static int32_t from_standby(struct hc_life *s)
{
    hc_life_standbys(s, -1);
    s->out->count[HC_COUNT_STANDBYS_USED]++;
    return s->standby.node[--s->standby.n];
}

static void refill_from_free(struct hc_life *s)
{
    while (s->n_standby < s->plan->standbys && s->free.n)
        to_standby(s, s->free.node[--s->free.n]);
}

void hc_life_nodes_start(struct hc_life *s)
{
    int32_t nodes = s->config->job.nodes, pool = s->config->recovery.pool_nodes;
    draw_lemons(s);
    memset(s->born, 0, (size_t)nodes * sizeof *s->born);
    s->standby.n = s->free.n = s->spare.n = s->n_lemon_slots = 0;
    s->standby_ns = s->standby_since_ns = s->n_standby = 0;
    for (int32_t slot = 0; slot < nodes; slot++) {
        s->slot_node[slot] = slot;
        s->place[slot] = HC_LIFE_JOB;
        s->lemon_index[slot] = -1;
        set_lemon_slot(s, slot, s->lemon[slot]);
    }
    if (!s->plan->finite) {
        s->n_standby = s->plan->standbys;
        return;
    }
    for (int32_t node = nodes; node < s->plan->n_nodes; node++) {
        if (node >= pool)
            put(s, &s->spare, node, HC_LIFE_SPARE);
        else if (s->n_standby < s->plan->standbys)
            to_standby(s, node);
        else
            put(s, &s->free, node, HC_LIFE_FREE);
    }
    if (s->history)
        memset(s->history, 0x80,
               (size_t)s->plan->n_nodes * (size_t)s->config->repair.quarantine_faults *
                   sizeof *s->history);
}

/* ---- repair ---- */

static void back_to_pool(struct hc_life *s, int32_t node)
{
    if (s->n_absent && hc_life_elastic_wants(s, node))
        return;
    if (s->n_standby < s->plan->standbys)
        to_standby(s, node);
    else if (s->config->recovery.spares_return && s->spare.n < s->config->recovery.spare_nodes)
        put(s, &s->spare, node, HC_LIFE_SPARE);
    else
        put(s, &s->free, node, HC_LIFE_FREE);
}

/* How long an evicted node stays in quarantine: after too many faults, or by mistake. -1: not. */
static int64_t quarantine_ns(struct hc_life *s, int32_t node, bool repaired)
{
    const struct hc_lifetime_repair *r = &s->config->repair;
    size_t k = (size_t)r->quarantine_faults;
    if (!k && r->quarantine_false <= 0)
        return -1;
    bool goes = repaired && k &&
                s->history[(size_t)node * k] >= s->now_ns - hc_life_ns(r->quarantine_window_s);
    if (!goes && !s->was_lemon[node])
        goes = hc_philox_uniform(&s->extra[HC_EXTRA_QUARANTINE]) < r->quarantine_false;
    s->out->count[HC_COUNT_QUARANTINED] += goes;
    s->out->count[HC_COUNT_QUARANTINED_HEALTHY] += goes && !s->was_lemon[node];
    return goes ? hc_life_ns(r->quarantine_s) : -1;
}

static void repaired(struct hc_life *s, int32_t node, double only_seems)
{
    const struct hc_lifetime_repair *r = &s->config->repair;
    if (!hc_life_chance(s, only_seems, HC_STREAM_REPAIR))
        s->lemon[node] = false;
    if (s->infants)
        hc_life_infant_repaired(s, node);
    if (hc_life_chance(s, r->retire, HC_STREAM_REPAIR)) {
        s->out->count[HC_COUNT_RETIRED]++;
        return;
    }
    int64_t out_ns = quarantine_ns(s, node, true);
    if (out_ns >= 0)
        hc_life_push(s, s->now_ns + out_ns, HC_LIFE_CHECK_ENDS, node);
    else
        back_to_pool(s, node);
}

void hc_life_node_event(struct hc_life *s, const struct hc_event *event)
{
    const struct hc_lifetime_repair *r = &s->config->repair;
    switch (event->kind) {
    case HC_LIFE_AUTOMATIC_ENDS:
        if (hc_life_chance(s, r->to_manual, HC_STREAM_REPAIR)) {
            s->out->count[HC_COUNT_MANUAL_REPAIRS]++;
            hc_life_push(s, s->now_ns + hc_life_draw(s, &r->manual_s, HC_STREAM_REPAIR),
                         HC_LIFE_MANUAL_ENDS, event->who);
            return;
        }
        repaired(s, event->who, r->automatic_false);
        return;
    case HC_LIFE_MANUAL_ENDS:
        repaired(s, event->who, r->manual_false);
        return;
    case HC_LIFE_CHECK_ENDS:
        back_to_pool(s, event->who);
        return;
    default: /* HC_LIFE_STANDBY */
        if (s->n_standby >= s->plan->standbys)
            return;
        if (!s->plan->finite)
            hc_life_standbys(s, 1);
        else if (s->free.n)
            to_standby(s, s->free.node[--s->free.n]);
    }
}

static void send_to_repair(struct hc_life *s, int32_t node, bool guilty)
{
    const struct hc_lifetime_repair *r = &s->config->repair;
    s->place[node] = HC_LIFE_OUT;
    s->was_lemon[node] = s->lemon[node];
    if (!guilty) {
        int64_t check_ns = hc_life_draw(s, &r->innocent_s, HC_STREAM_REPAIR);
        int64_t out_ns = quarantine_ns(s, node, false);
        hc_life_push(s, s->now_ns + check_ns + (out_ns > 0 ? out_ns : 0), HC_LIFE_CHECK_ENDS, node);
        return;
    }
    s->out->count[HC_COUNT_REPAIRS]++;
    for (int32_t i = 0; i < r->quarantine_faults; i++) {
        int64_t *h = &s->history[(size_t)node * (size_t)r->quarantine_faults];
        h[i] = i + 1 < r->quarantine_faults ? h[i + 1] : s->now_ns;
    }
    hc_life_push(s, s->now_ns + hc_life_draw(s, &r->automatic_s, HC_STREAM_REPAIR),
                 HC_LIFE_AUTOMATIC_ENDS, node);
}

/* ---- replacing ---- */

/* The node of this slot is evicted. */
void hc_life_vacate(struct hc_life *s, int32_t slot, bool guilty)
{
    s->out->count[HC_COUNT_EVICTED]++;
    s->out->count[HC_COUNT_INNOCENT] += !guilty;
    hc_life_node_leaves(s, slot);
    if (s->infants)
        hc_life_infant_leaves(s, slot);
    if (s->plan->finite)
        send_to_repair(s, s->slot_node[slot], guilty);
}

/* This node comes into the slot; in a pool without end, any. */
void hc_life_occupy(struct hc_life *s, int32_t slot, int32_t node)
{
    if (s->plan->finite) {
        s->slot_node[slot] = node;
        s->place[node] = HC_LIFE_JOB;
    } else if (s->config->lemon_share > 0) {
        s->lemon[slot] = hc_life_chance(s, s->config->lemon_share, HC_STREAM_LEMONS);
        node = slot;
    }
    set_lemon_slot(s, slot, s->lemon[s->plan->finite ? node : slot]);
    if (s->infants)
        hc_life_infant_comes(s, slot);
    hc_life_renew_clocks(s, slot);
}

/* One standby is woken, and another ordered; its node where nodes are followed, else -1. */
int32_t hc_life_wake_standby(struct hc_life *s)
{
    const struct hc_lifetime_recovery *r = &s->config->recovery;
    int32_t node = -1;
    if (s->plan->finite) {
        node = from_standby(s);
    } else {
        hc_life_standbys(s, -1);
        s->out->count[HC_COUNT_STANDBYS_USED]++;
    }
    if (!s->plan->finite || r->refill == HC_REFILL_ALWAYS)
        hc_life_push(s, s->now_ns + hc_life_draw(s, &r->replenish_s, HC_STREAM_RECOVER),
                     HC_LIFE_STANDBY, 0);
    return node;
}

/* A node of the pool with an end: a standby, a free one, else a spare; -1 where there is none. */
int32_t hc_life_free_node(struct hc_life *s, bool *is_spare)
{
    *is_spare = false;
    if (s->standby.n)
        return from_standby(s);
    if (s->free.n)
        return s->free.node[--s->free.n];
    if (!s->spare.n)
        return -1;
    *is_spare = true;
    s->out->count[HC_COUNT_PREEMPTED]++;
    return s->spare.node[--s->spare.n];
}

static int queue_again(struct hc_life *s, enum hc_why why)
{
    if (s->plan->places_copies) /* all nodes are given back */
        hc_life_lose_memory(s, why);
    s->out->count[HC_COUNT_REQUEUES]++;
    hc_life_queue(s, hc_life_draw(s, &s->config->recovery.queue_s, HC_STREAM_RECOVER));
    return HC_START_FULL;
}

/* More nodes are missing than stand by: the wait for hosts to be chosen. Returns how to start. */
static int shortfall(struct hc_life *s, enum hc_why why)
{
    const struct hc_lifetime_recovery *r = &s->config->recovery;
    if (r->shortfall == HC_SHORTFALL_REQUEUE)
        return queue_again(s, why);
    s->out->count[HC_COUNT_RESCHEDULES]++;
    hc_life_down(s, hc_life_draw(s, &r->reschedule_s, HC_STREAM_RECOVER), HC_WHAT_RECOVERY, why);
    return r->full_start_on_reschedule ? HC_START_FULL : HC_START_HOT;
}

/* Pool without an end: only the time counts. */
static int replace_endless(struct hc_life *s, int32_t n, enum hc_why why)
{
    const struct hc_lifetime_recovery *r = &s->config->recovery;
    int32_t woken = n < s->n_standby ? n : s->n_standby;
    hc_life_standbys(s, -woken);
    s->out->count[HC_COUNT_STANDBYS_USED] += woken;
    for (int32_t i = 0; i < woken; i++)
        hc_life_push(s, s->now_ns + hc_life_draw(s, &r->replenish_s, HC_STREAM_RECOVER),
                     HC_LIFE_STANDBY, 0);
    if (woken < n)
        return shortfall(s, why);
    hc_life_down(s, hc_life_draw(s, &r->wake_s, HC_STREAM_RECOVER), HC_WHAT_RECOVERY, why);
    return HC_START_HOT;
}

/* Nothing is free and nothing can be taken: wait for the next repair. */
static bool wait_for_node(struct hc_life *s, enum hc_why why)
{
    int64_t next = hc_event_heap_next_ns(&s->calendar);
    if (next == INT64_MAX) {
        s->out->starved = true;
        s->over = true;
        return false;
    }
    s->out->count[HC_COUNT_WAITS]++;
    /* An event that is due now is not behind a wait of 0: 1 ns lets it happen. */
    hc_life_down(s, next > s->now_ns ? next - s->now_ns : 1, HC_WHAT_RECOVERY, why);
    return !s->over;
}

/* Hosts from the pool, then spares, then whatever comes back, until slot[0..n) are full again. */
static void choose_hosts(struct hc_life *s, const int32_t *slot, int32_t n, enum hc_why why)
{
    const struct hc_lifetime_recovery *r = &s->config->recovery;
    int32_t filled = 0;
    while (filled < n && !s->over) {
        if (s->standby.n) {
            hc_life_occupy(s, slot[filled++], from_standby(s));
        } else if (s->free.n) {
            hc_life_occupy(s, slot[filled++], s->free.node[--s->free.n]);
        } else if (s->spare.n) {
            int32_t taken = n - filled < s->spare.n ? n - filled : s->spare.n;
            hc_life_down(s, hc_life_draw(s, &r->preempt_s, HC_STREAM_RECOVER), HC_WHAT_RECOVERY,
                         why);
            s->out->count[HC_COUNT_PREEMPTED] += taken;
            for (; taken; taken--)
                put(s, &s->free, s->spare.node[--s->spare.n], HC_LIFE_FREE);
        } else if (!wait_for_node(s, why)) {
            return;
        }
    }
    if (r->refill == HC_REFILL_AT_RESCHEDULE)
        refill_from_free(s);
}

static int replace_pooled(struct hc_life *s, const int32_t *slot, int32_t n, enum hc_why why)
{
    const struct hc_lifetime_recovery *r = &s->config->recovery;
    if (s->standby.n < n) {
        int kind = shortfall(s, why);
        s->waits_for_hosts = true;
        choose_hosts(s, slot, n, why);
        s->waits_for_hosts = false;
        return kind;
    }
    for (int32_t i = 0; i < n; i++) {
        hc_life_occupy(s, slot[i], from_standby(s));
        if (r->refill == HC_REFILL_ALWAYS)
            hc_life_push(s, s->now_ns + hc_life_draw(s, &r->replenish_s, HC_STREAM_RECOVER),
                         HC_LIFE_STANDBY, 0);
    }
    hc_life_down(s, hc_life_draw(s, &r->wake_s, HC_STREAM_RECOVER), HC_WHAT_RECOVERY, why);
    return HC_START_HOT;
}

/* Other nodes into slot[0..n); s->guilty says which of them were at fault. Returns how to start. */
int hc_life_replace(struct hc_life *s, const int32_t *slot, int32_t n, enum hc_why why)
{
    int32_t lemons_before = s->n_lemon_slots;
    for (int32_t i = 0; i < n; i++)
        hc_life_vacate(s, slot[i], s->guilty[i]);
    int kind;
    if (s->plan->finite) {
        kind = replace_pooled(s, slot, n, why);
    } else {
        kind = replace_endless(s, n, why);
        for (int32_t i = 0; i < n; i++)
            hc_life_occupy(s, slot[i], slot[i]);
    }
    hc_life_rates_changed(s, lemons_before);
    return kind;
}
