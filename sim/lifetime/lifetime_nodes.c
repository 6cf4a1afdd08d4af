/* Nodes: in the job, standing by, free, at other work, or out for repair.
 *
 * A pool without an end has no nodes of its own: what is evicted is replaced by a node like any
 * other, and only the standbys are counted. A pool with an end follows each node. While it has free
 * nodes, and none comes back from repair, a job on it lives exactly as on one without an end: both
 * take the standbys that are there when the job stops, and hosts for the rest. */
#include "sim/lifetime/lifetime_state.h"

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

/* The number of free nodes is about to change. */
void hc_life_pool_idle(struct hc_life_pool *pool, int64_t now_ns)
{
    pool->idle_ns += (hc_gpu_ns)pool->free.n * (now_ns - pool->since_ns);
    pool->since_ns = now_ns;
}

static void to_free(struct hc_life *s, int32_t node)
{
    hc_life_pool_idle(s->pool, s->now_ns);
    put(s, &s->pool->free, node, HC_LIFE_FREE);
}

static int32_t from_free(struct hc_life *s)
{
    hc_life_pool_idle(s->pool, s->now_ns);
    return s->pool->free.node[--s->pool->free.n];
}

static void to_standby(struct hc_life *s, int32_t node)
{
    hc_life_standbys(s, 1);
    put(s, &s->standby, node, HC_LIFE_STANDBY_LIST);
}

static int32_t from_standby(struct hc_life *s)
{
    hc_life_standbys(s, -1);
    return s->standby.node[--s->standby.n];
}

/* A standby is brought in, and another ordered where free nodes become standbys by order. */
static void count_standby(struct hc_life *s)
{
    const struct hc_lifetime_recovery *r = &s->config->recovery;
    s->out->count[HC_COUNT_STANDBYS_USED]++;
    if (!s->plan->finite || r->refill == HC_REFILL_ALWAYS)
        hc_life_push(s, s->now_ns + hc_life_draw(s, &r->replenish_s, HC_STREAM_RECOVER),
                     HC_LIFE_STANDBY, 0);
}

/* May a free node stand by for this job? Not while another stands for want of one. */
static bool may_stand_by(const struct hc_life *s)
{
    return s->pool->free.n && !(s->pool->fleet && hc_life_fleet_waits(s));
}

static void refill_from_free(struct hc_life *s)
{
    while (s->n_standby < s->plan->standbys && may_stand_by(s))
        to_standby(s, from_free(s));
}

void hc_life_nodes_start(struct hc_life *s)
{
    int32_t nodes = s->config->job.nodes;
    if (s->index == 0)
        draw_lemons(s);
    s->standby.n = s->handed.n = s->n_wanted = s->n_lemon_slots = 0;
    memset(s->born, 0, (size_t)nodes * sizeof *s->born);
    s->standby_ns = s->standby_since_ns = s->n_standby = 0;
    for (int32_t slot = 0; slot < nodes; slot++) {
        int32_t node = s->first_node + slot;
        s->slot_node[slot] = node;
        s->place[node] = HC_LIFE_JOB;
        s->lemon_index[slot] = -1;
        set_lemon_slot(s, slot, s->lemon[node]);
    }
    if (!s->plan->finite)
        s->n_standby = s->plan->standbys;
    else if (!s->pool->fleet)
        hc_life_pool_start(&s, 1);
}

/* The nodes beyond those in jobs: standbys of each job in turn, free ones, spares. */
void hc_life_pool_start(struct hc_life *const *job, size_t n)
{
    struct hc_life *s = job[0];
    struct hc_life_pool *pool = s->pool;
    pool->free.n = pool->spare.n = 0;
    pool->idle_ns = pool->since_ns = 0;
    int32_t node = job[n - 1]->first_node + job[n - 1]->config->job.nodes;
    size_t at = 0;
    for (; node < s->plan->n_nodes; node++) {
        while (at < n && job[at]->n_standby >= job[at]->plan->standbys)
            at++;
        if (node >= s->config->recovery.pool_nodes)
            put(s, &pool->spare, node, HC_LIFE_SPARE);
        else if (at < n)
            to_standby(job[at], node);
        else
            to_free(s, node);
    }
    if (s->history)
        memset(s->history, 0x80,
               (size_t)s->plan->n_nodes * (size_t)s->config->repair.quarantine_faults *
                   sizeof *s->history);
}

/* ---- repair ---- */

/* Give a node that comes back from s to a job (to s, or to whoever of a fleet needs it more): to
 * one that stands and waits for nodes, else to one that lacks standbys. The job of the standby may
 * be ahead in time: for its nodes it is now. */
static bool is_given(struct hc_life *s, int32_t node)
{
    struct hc_life *heir = s->pool->fleet ? hc_life_fleet_heir(s) : s;
    if (!heir)
        return false;
    if (hc_life_is_short(heir)) {
        put(heir, &heir->handed, node, HC_LIFE_JOB);
        return true;
    }
    if (heir->n_standby >= heir->plan->standbys)
        return false;
    int64_t ahead_ns = heir->now_ns;
    heir->now_ns = s->now_ns;
    to_standby(heir, node);
    heir->now_ns = ahead_ns;
    return true;
}

static void back_to_pool(struct hc_life *s, int32_t node)
{
    struct hc_life_pool *pool = s->pool;
    if (s->n_absent && hc_life_elastic_wants(s, node))
        return;
    if (is_given(s, node))
        return;
    if (s->config->recovery.spares_return && pool->spare.n < s->config->recovery.spare_nodes)
        put(s, &pool->spare, node, HC_LIFE_SPARE);
    else
        to_free(s, node);
}

static void release(struct hc_life *s, int32_t node)
{
    if (!is_given(s, node))
        to_free(s, node);
}

/* All nodes of a job that has ended. */
void hc_life_release(struct hc_life *s)
{
    s->n_wanted = 0;
    while (s->handed.n)
        release(s, s->handed.node[--s->handed.n]);
    while (s->standby.n) {
        hc_life_standbys(s, -1);
        release(s, s->standby.node[--s->standby.n]);
    }
    for (int32_t slot = 0; slot < s->config->job.nodes; slot++)
        if (s->slot_node[slot] >= 0)
            release(s, s->slot_node[slot]);
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
        else if (may_stand_by(s))
            to_standby(s, from_free(s));
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
    if (!s->plan->finite)
        return;
    send_to_repair(s, s->slot_node[slot], guilty);
    s->slot_node[slot] = -1;
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
    int32_t node = -1;
    if (s->plan->finite)
        node = from_standby(s);
    else
        hc_life_standbys(s, -1);
    count_standby(s);
    return node;
}

/* A node of the pool with an end, for a slot whose hosts are chosen: a free one, so that standbys
 * stay what they are, else a standby; -1 where there is none. */
int32_t hc_life_free_node(struct hc_life *s)
{
    if (s->pool->free.n)
        return from_free(s);
    return s->standby.n ? hc_life_wake_standby(s) : -1;
}

/* A spare of other work, which takes preempt_s; -1: there is none. */
int32_t hc_life_preempt_one(struct hc_life *s)
{
    if (!s->pool->spare.n)
        return -1;
    s->out->count[HC_COUNT_PREEMPTED]++;
    return s->pool->spare.node[--s->pool->spare.n];
}

/* All nodes are given back, with what was in their memory. */
int hc_life_requeue(struct hc_life *s, enum hc_why why)
{
    if (s->config->checkpoint.mode == HC_CHECKPOINT_IN_MEMORY)
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
        return hc_life_requeue(s, why);
    s->out->count[HC_COUNT_RESCHEDULES]++;
    hc_life_down(s, hc_life_draw(s, &r->reschedule_s, HC_STREAM_RECOVER), HC_WHAT_RECOVERY, why);
    return r->full_start_on_reschedule ? HC_START_FULL : HC_START_HOT;
}

/* A standby of another job, of lower priority, that is taken for this one; -1: none. */
static int32_t take_standby(struct hc_life *s)
{
    struct hc_life *victim = s->pool->fleet ? hc_life_fleet_victim(s) : NULL;
    if (!victim)
        return -1;
    const struct hc_lifetime_recovery *r = &victim->config->recovery;
    int64_t ahead_ns = victim->now_ns;
    victim->now_ns = s->now_ns;
    hc_life_standbys(victim, -1);
    victim->now_ns = ahead_ns;
    if (r->refill == HC_REFILL_ALWAYS)
        hc_life_fleet_push(victim,
                           s->now_ns + hc_life_draw(victim, &r->replenish_s, HC_STREAM_RECOVER),
                           HC_LIFE_STANDBY, 0);
    s->out->count[HC_COUNT_PREEMPTED]++;
    return victim->standby.node[--victim->standby.n];
}

/* Spares of other work, all that are missing at once. */
static void preempt_spares(struct hc_life *s, int32_t missing, enum hc_why why)
{
    struct hc_life_pool *pool = s->pool;
    int32_t taken = missing < pool->spare.n ? missing : pool->spare.n;
    hc_life_down(s, hc_life_draw(s, &s->config->recovery.preempt_s, HC_STREAM_RECOVER),
                 HC_WHAT_RECOVERY, why);
    hc_life_meet(s, HC_MEETS_REQUEST);
    taken = taken < pool->spare.n ? taken : pool->spare.n; /* another job may have been first */
    s->out->count[HC_COUNT_PREEMPTED] += taken;
    for (; taken; taken--)
        to_free(s, pool->spare.node[--pool->spare.n]);
}

/* Nothing is free and nothing can be taken for the n slots that are empty: wait for the next
 * repair.
 */
static void wait_for_node(struct hc_life *s, int32_t n, enum hc_why why)
{
    s->n_wanted = n;
    int64_t next = s->pool->fleet ? hc_life_fleet_wait(s) : hc_event_heap_next_ns(&s->calendar);
    if (next == INT64_MAX) {
        s->out->starved = true;
        s->over = true;
    } else {
        /* An event that is due now is not behind a wait of 0: 1 ns lets it happen. */
        hc_life_down(s, next > s->now_ns ? next - s->now_ns : 1, HC_WHAT_RECOVERY, why);
        if (s->pool->fleet)
            hc_life_fleet_look(s);
    }
    s->n_wanted = 0;
}

/* A node that is there at once, for a job that stands; -1: none. */
static int32_t node_at_once(struct hc_life *s)
{
    if (s->handed.n)
        return s->handed.node[--s->handed.n];
    int32_t node = hc_life_free_node(s);
    return node >= 0 ? node : take_standby(s);
}

/* Hosts from the pool, then spares, then whatever comes back, until slot[0..n) are full again. */
static void choose_hosts(struct hc_life *s, const int32_t *slot, int32_t n, enum hc_why why)
{
    int32_t filled = 0, node;
    bool waits = false;
    hc_life_meet(s, HC_MEETS_REQUEST);
    s->waits_for_hosts = true;
    while (filled < n && !s->over) {
        if ((node = node_at_once(s)) >= 0) {
            hc_life_occupy(s, slot[filled++], node);
        } else if (s->pool->spare.n) {
            preempt_spares(s, n - filled, why);
        } else {
            s->out->count[HC_COUNT_WAITS] += !waits; /* one, however much happens meanwhile */
            waits = true;
            wait_for_node(s, n - filled, why);
        }
    }
    s->waits_for_hosts = false;
    if (!s->over && s->config->recovery.refill == HC_REFILL_AT_RESCHEDULE)
        refill_from_free(s);
}

/* The standbys that are there come into the first of slot[0..n), the job waits for hosts, and these
 * come into the rest. Returns how to start. */
static int fill_slots(struct hc_life *s, const int32_t *slot, int32_t n, enum hc_why why)
{
    int32_t woken = n < s->n_standby ? n : s->n_standby, lemons_before = s->n_lemon_slots;
    for (int32_t i = 0; i < woken; i++)
        hc_life_occupy(s, slot[i], hc_life_wake_standby(s));
    hc_life_rates_changed(s, lemons_before);
    if (woken == n) {
        hc_life_down(s, hc_life_draw(s, &s->config->recovery.wake_s, HC_STREAM_RECOVER),
                     HC_WHAT_RECOVERY, why);
        return HC_START_HOT;
    }
    int kind = shortfall(s, why);
    lemons_before = s->n_lemon_slots;
    if (s->plan->finite)
        choose_hosts(s, slot + woken, n - woken, why);
    for (int32_t i = woken; i < n && !s->plan->finite; i++)
        hc_life_occupy(s, slot[i], slot[i]);
    hc_life_rates_changed(s, lemons_before);
    return kind;
}

/* Other nodes into slot[0..n); s->guilty says which of them were at fault. Returns how to start. */
int hc_life_replace(struct hc_life *s, const int32_t *slot, int32_t n, enum hc_why why)
{
    if (s->pool->fleet)
        hc_life_fleet_ask(s);
    for (int32_t i = 0; i < n; i++)
        hc_life_vacate(s, slot[i], s->guilty[i]);
    return fill_slots(s, slot, n, why);
}
