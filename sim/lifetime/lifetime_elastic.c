/* A job that goes on with fewer dp replicas while nodes are replaced.
 *
 * Slots are absent from the eviction of their node until the next one is taken in: at once while
 * steps run, else when they run again. The job does not hold absent slots, and n_absent changes
 * between bookings only. A replica runs when all of its slots are there and it has rejoined.
 *
 * The leaves are of wall time, as if all nodes were there; less_ns is what that is too much. For
 * steps it depends on what becomes of them, so that they are kept on a stack, in stretches of the
 * same shape: what is lost is always what ran last. */
#include "sim/lifetime/lifetime_state.h"

#include "core/base/memory.h"

#include <stdlib.h>
#include <string.h>

/* Steps with the same nodes. */
struct stretch {
    int64_t ideal_ns, excess_ns;
    int32_t n_run, n_absent; /* nodes */
    int32_t cause;           /* of what is missing */
};

struct hc_life_elastic {
    int32_t n_replicas, each; /* nodes of a replica */
    int32_t n_running;        /* replicas */
    int32_t blame;            /* cause of the last leave */
    int32_t *missing;         /* of replica: absent slots */
    bool *runs;               /* replica */
    bool *absent;             /* slot */
    int64_t *due_ns;          /* of absent slot: its event in the calendar; others are stale */
    int32_t *node;            /* of absent slot: what comes, where nodes are followed */
    struct hc_life_list came; /* slots whose node waits for the next steps */
    struct hc_life_list want; /* slots for which no node was to be had, longest first */

    hc_gpu_ns less_ns[HC_WHAT_COUNT][HC_WHY_COUNT]; /* node-ns */
    hc_gpu_ns absent_ns;                            /* node-ns, up to since_ns */
    int64_t since_ns;                               /* of time held */
    struct stretch *stretch;
    size_t n_stretches, capacity;
};

enum hc_status hc_life_elastic_init(struct hc_life *s, struct hc_error *err)
{
    struct hc_life_elastic *e = hc_new_array(1, sizeof *e, err);
    size_t slots = (size_t)s->config->job.nodes;
    if (!(s->elastic = e))
        return err->status;
    e->n_replicas = s->config->elastic.dp_replicas;
    e->each = s->config->job.nodes / e->n_replicas;
    bool made = (e->missing = hc_new_array((size_t)e->n_replicas, sizeof *e->missing, err)) &&
                (e->runs = hc_new_array((size_t)e->n_replicas, sizeof *e->runs, err)) &&
                (e->absent = hc_new_array(slots, sizeof *e->absent, err)) &&
                (e->due_ns = hc_new_array(slots, sizeof *e->due_ns, err)) &&
                (e->node = hc_new_array(slots, sizeof *e->node, err)) &&
                (e->came.node = hc_new_array(slots, sizeof *e->came.node, err)) &&
                (e->want.node = hc_new_array(slots, sizeof *e->want.node, err));
    return made ? HC_OK : err->status;
}

void hc_life_elastic_fini(struct hc_life *s)
{
    struct hc_life_elastic *e = s->elastic;
    if (!e)
        return;
    free(e->missing);
    free(e->runs);
    free(e->absent);
    free(e->due_ns);
    free(e->node);
    free(e->came.node);
    free(e->want.node);
    free(e->stretch);
    free(e);
}

void hc_life_elastic_reset(struct hc_life *s)
{
    struct hc_life_elastic *e = s->elastic;
    size_t slots = (size_t)s->config->job.nodes;
    e->n_running = e->n_replicas;
    e->blame = 0;
    e->came.n = e->want.n = 0;
    e->n_stretches = 0;
    e->absent_ns = e->since_ns = 0;
    memset(e->less_ns, 0, sizeof e->less_ns);
    memset(e->missing, 0, (size_t)e->n_replicas * sizeof *e->missing);
    memset(e->runs, true, (size_t)e->n_replicas * sizeof *e->runs);
    memset(e->absent, false, slots * sizeof *e->absent);
}

/* ---- leaving ---- */

/* The number of absent slots changes now. */
static void count_absent(struct hc_life *s, int32_t change)
{
    struct hc_life_elastic *e = s->elastic;
    int64_t held_ns = s->now_ns - s->out->queue_ns;
    e->absent_ns += (hc_gpu_ns)s->n_absent * (held_ns - e->since_ns);
    e->since_ns = held_ns;
    s->n_absent += change;
}

/* Leaves only those in s->evict_slot that are there; returns how many. */
int32_t hc_life_elastic_present(struct hc_life *s, int32_t n)
{
    int32_t left = 0;
    for (int32_t i = 0; i < n; i++) {
        if (s->elastic->absent[s->evict_slot[i]])
            continue;
        s->evict_slot[left] = s->evict_slot[i];
        s->guilty[left++] = s->guilty[i];
    }
    return left;
}

/* Whether enough replicas are whole without the first n of s->evict_slot, which ascend. */
bool hc_life_elastic_may_leave(const struct hc_life *s, int32_t n)
{
    const struct hc_life_elastic *e = s->elastic;
    int32_t broken = 0, last = -1;
    if (!n || (!s->config->elastic.before_standbys && n <= s->n_standby))
        return false;
    for (int32_t i = 0; i < n; i++) {
        int32_t replica = s->evict_slot[i] / e->each;
        broken += replica != last && e->runs[replica];
        last = replica;
    }
    return e->n_running - broken >= s->config->elastic.min_replicas;
}

static void due(struct hc_life *s, int32_t slot, int64_t at_ns, enum hc_life_event kind)
{
    s->elastic->due_ns[slot] = at_ns;
    hc_life_push(s, at_ns, kind, slot);
}

/* Replacements: standbys as far as there are, the rest from the pool. */
static void order(struct hc_life *s, int32_t n)
{
    const struct hc_lifetime_recovery *r = &s->config->recovery;
    int32_t woken = n < s->n_standby ? n : s->n_standby;
    int64_t wake_ns = woken ? hc_life_draw(s, &r->wake_s, HC_STREAM_RECOVER) : 0;
    int64_t choose_ns = woken < n ? hc_life_draw(s, &r->reschedule_s, HC_STREAM_RECOVER) : 0;
    s->out->count[HC_COUNT_RESCHEDULES] += woken < n;
    for (int32_t i = 0; i < n; i++) {
        int32_t slot = s->evict_slot[i];
        if (i < woken) {
            s->elastic->node[slot] = hc_life_wake_standby(s);
            due(s, slot, s->now_ns + wake_ns, HC_LIFE_ARRIVES);
        } else {
            s->elastic->node[slot] = -1;
            due(s, slot, s->now_ns + choose_ns, HC_LIFE_CHOSEN);
        }
    }
}

/* Go on without the first n of s->evict_slot. Returns how to start. */
int hc_life_elastic_leave(struct hc_life *s, int32_t n, enum hc_why why)
{
    struct hc_life_elastic *e = s->elastic;
    s->out->count[HC_COUNT_LEAVES]++;
    e->blame = s->blame;
    count_absent(s, n);
    for (int32_t i = 0; i < n; i++) {
        int32_t slot = s->evict_slot[i], replica = slot / e->each;
        hc_life_vacate(s, slot, s->guilty[i]);
        e->absent[slot] = true;
        e->missing[replica]++;
        e->n_running -= e->runs[replica];
        e->runs[replica] = false;
    }
    order(s, n);
    hc_life_down(s, hc_life_draw(s, &s->config->elastic.leave_s, HC_STREAM_RECOVER),
                 HC_WHAT_RECOVERY, why);
    return s->config->elastic.keeps_state ? HC_START_NONE : HC_START_HOT;
}

/* ---- coming back ---- */

static void take_in(struct hc_life *s, int32_t slot)
{
    struct hc_life_elastic *e = s->elastic;
    int32_t lemons_before = s->n_lemon_slots;
    count_absent(s, -1);
    e->absent[slot] = false;
    e->missing[slot / e->each]--;
    hc_life_node_leaves(s, slot); /* what struck the slot while nobody was in it */
    hc_life_occupy(s, slot, e->node[slot]);
    hc_life_rates_changed(s, lemons_before);
}

static void take_in_all(struct hc_life *s)
{
    struct hc_life_elastic *e = s->elastic;
    for (int32_t i = 0; i < e->came.n; i++)
        take_in(s, e->came.node[i]);
    e->came.n = 0;
}

/* A node that the pool has for this slot now, but for spares; -1: none. */
static int32_t node_at_once(struct hc_life *s, int32_t slot)
{
    return s->plan->finite ? hc_life_free_node(s) : slot;
}

/* A node for this slot from the pool, now; without one the slot waits for it. */
static void choose(struct hc_life *s, int32_t slot)
{
    struct hc_life_elastic *e = s->elastic;
    int64_t at_ns = s->now_ns;
    bool stays = s->plan->finite && s->waits_for_hosts; /* the nodes are for the job that stands */
    e->node[slot] = stays ? -1 : node_at_once(s, slot);
    if (e->node[slot] < 0 && !stays && (e->node[slot] = hc_life_preempt_one(s)) >= 0)
        at_ns += hc_life_draw(s, &s->config->recovery.preempt_s, HC_STREAM_RECOVER);
    if (e->node[slot] >= 0)
        due(s, slot, at_ns, HC_LIFE_ARRIVES);
    else
        e->want.node[e->want.n++] = slot;
}

/* A node comes to the pool: is it wanted here? */
bool hc_life_elastic_wants(struct hc_life *s, int32_t node)
{
    struct hc_life_list *want = &s->elastic->want;
    if (!want->n || s->waits_for_hosts)
        return false;
    int32_t slot = want->node[0];
    want->n--;
    memmove(want->node, want->node + 1, (size_t)want->n * sizeof *want->node);
    s->place[node] = HC_LIFE_JOB;
    s->elastic->node[slot] = node;
    due(s, slot, s->now_ns, HC_LIFE_ARRIVES);
    return true;
}

void hc_life_elastic_event(struct hc_life *s, const struct hc_event *event, bool running)
{
    struct hc_life_elastic *e = s->elastic;
    int32_t slot = event->who, replica = slot / e->each;
    if (!e->absent[slot] || e->due_ns[slot] != event->time_ns)
        return;
    e->due_ns[slot] = HC_LIFE_NEVER;
    if (event->kind == HC_LIFE_CHOSEN) {
        choose(s, slot);
        return;
    }
    e->came.node[e->came.n++] = slot;
    if (!running)
        return;
    take_in_all(s);
    if (e->missing[replica])
        return;
    s->stopped = true;
    s->stop = (struct hc_life_stop){.kind = HC_STOP_REJOIN};
}

/* The job queues again, and comes back with all its nodes, as far as the pool has some. */
void hc_life_elastic_requeued(struct hc_life *s)
{
    struct hc_life_elastic *e = s->elastic;
    int32_t wanted = e->want.n;
    e->came.n = e->want.n = 0;
    for (int32_t slot = 0; slot < s->config->job.nodes; slot++) {
        if (!e->absent[slot])
            continue;
        if (e->node[slot] < 0)
            e->node[slot] = node_at_once(s, slot);
        if (e->node[slot] >= 0)
            take_in(s, slot);
    }
    for (int32_t i = 0; i < wanted; i++)
        if (e->absent[e->want.node[i]])
            e->want.node[e->want.n++] = e->want.node[i];
}

/* What the job left in the pool while it stood. */
static void choose_wanted(struct hc_life *s)
{
    struct hc_life_list *want = &s->elastic->want;
    for (int32_t n = want->n; n; n--) {
        int32_t slot = want->node[0];
        want->n--;
        memmove(want->node, want->node + 1, (size_t)want->n * sizeof *want->node);
        choose(s, slot);
    }
}

/* Steps begin: who is whole again is in. Returns the share of the replicas that run. */
double hc_life_elastic_begin(struct hc_life *s)
{
    struct hc_life_elastic *e = s->elastic;
    take_in_all(s);
    choose_wanted(s);
    for (int32_t i = 0; i < e->n_replicas && e->n_running < e->n_replicas; i++) {
        e->n_running += !e->runs[i] && !e->missing[i];
        e->runs[i] = !e->missing[i];
    }
    return (double)e->n_running / e->n_replicas;
}

int32_t hc_life_elastic_blame(const struct hc_life *s)
{
    return s->elastic->blame;
}

/* Nodes that have no part in the steps. */
int32_t hc_life_elastic_without(const struct hc_life *s)
{
    return s->config->job.nodes - s->elastic->n_running * s->elastic->each;
}

/* ---- faults ---- */

static int32_t running_slot(struct hc_life *s)
{
    struct hc_life_elastic *e = s->elastic;
    struct hc_philox *rng = &s->rng[HC_STREAM_PLACE];
    int32_t skip = (int32_t)hc_philox_below(rng, (uint64_t)e->n_running), replica = 0;
    while (!e->runs[replica] || skip--)
        replica++;
    return replica * e->each + (int32_t)hc_philox_below(rng, (uint64_t)e->each);
}

/* Faults strike only where steps run: thinning keeps exponential ones exponential. One of the job
 * as a whole strikes somewhere in it. */
void hc_life_elastic_struck(struct hc_life *s, int32_t cause)
{
    struct hc_life_elastic *e = s->elastic;
    const struct hc_lifetime_fault *fault = &s->config->fault[cause];
    bool somewhere = fault->n_incidents ? fault->incident[s->next_incident[cause] - 1].node < 0
                                        : fault->unit == HC_PER_JOB;
    int32_t left = 0;
    if (e->n_running == e->n_replicas)
        return;
    for (int32_t i = 0; i < s->stop.n_slots; i++)
        if (e->runs[s->stop_slot[i] / e->each])
            s->stop_slot[left++] = s->stop_slot[i];
    if (!left && somewhere)
        s->stop_slot[left++] = running_slot(s);
    s->stop.n_slots = left;
}

/* ---- the account ---- */

void hc_life_elastic_absent(struct hc_life *s, enum hc_what what, enum hc_why why, int64_t ns)
{
    s->elastic->less_ns[what][why] += (hc_gpu_ns)s->n_absent * ns;
}

static struct stretch *top_stretch(struct hc_life *s)
{
    struct hc_life_elastic *e = s->elastic;
    struct stretch now = {0, 0, e->n_running * e->each, s->n_absent, e->blame};
    struct stretch *top = e->n_stretches ? &e->stretch[e->n_stretches - 1] : NULL;
    if (top && top->n_run == now.n_run && top->n_absent == now.n_absent && top->cause == now.cause)
        return top;
    s->status =
        hc_reserve(&e->stretch, &e->capacity, e->n_stretches + 1, sizeof *e->stretch, s->err);
    s->over |= s->status != HC_OK;
    if (s->status)
        return NULL;
    e->stretch[e->n_stretches] = now;
    return &e->stretch[e->n_stretches++];
}

/* hc_life_advance(), with the steps put on the stack. */
void hc_life_elastic_advance(struct hc_life *s, int64_t ns)
{
    struct stretch *top = top_stretch(s);
    int64_t ideal_ns = s->kept.ideal_ns + s->flight.ideal_ns + s->fresh.ideal_ns;
    int64_t excess_ns = s->kept.excess_ns + s->flight.excess_ns + s->fresh.excess_ns;
    hc_life_advance(s, ns);
    if (!top)
        return;
    top->ideal_ns += s->kept.ideal_ns + s->flight.ideal_ns + s->fresh.ideal_ns - ideal_ns;
    top->excess_ns += s->kept.excess_ns + s->flight.excess_ns + s->fresh.excess_ns - excess_ns;
}

static int64_t least(int64_t a, int64_t b)
{
    return a < b ? a : b;
}

/* What ran last is lost; the idle nodes' time with it. */
void hc_life_elastic_lost(struct hc_life *s, const struct hc_life_run *run, enum hc_why why)
{
    struct hc_life_elastic *e = s->elastic;
    int64_t ideal_ns = run->ideal_ns, excess_ns = run->excess_ns;
    for (size_t i = e->n_stretches; i-- > 0 && (ideal_ns || excess_ns);) {
        struct stretch *of = &e->stretch[i];
        int64_t ideal = least(of->ideal_ns, ideal_ns), excess = least(of->excess_ns, excess_ns);
        of->ideal_ns -= ideal;
        of->excess_ns -= excess;
        ideal_ns -= ideal;
        excess_ns -= excess;
        e->less_ns[HC_WHAT_LOST_WORK][why] += (hc_gpu_ns)of->n_absent * (ideal + excess);
    }
    while (e->n_stretches && !e->stretch[e->n_stretches - 1].ideal_ns &&
           !e->stretch[e->n_stretches - 1].excess_ns)
        e->n_stretches--;
}

/* Steps that count: the share of who did not run is degraded, or was not held. */
static void close_stretch(struct hc_life *s, const struct stretch *of)
{
    struct hc_life_elastic *e = s->elastic;
    int32_t nodes = s->config->job.nodes, without = nodes - of->n_run;
    hc_gpu_ns run_ns = (hc_gpu_ns)of->ideal_ns + of->excess_ns;
    if (!without)
        return;
    e->less_ns[HC_WHAT_PRODUCTIVE_IDEAL][HC_WHY_NONE] += (hc_gpu_ns)without * of->ideal_ns;
    e->less_ns[HC_WHAT_PRODUCTIVE_STRAGGLER_EXCESS][HC_WHY_NONE] +=
        (hc_gpu_ns)without * of->excess_ns;
    e->less_ns[HC_WHAT_DEGRADED][s->config->fault[of->cause].why] -=
        run_ns * (without - of->n_absent);
    int64_t share_ns = (int64_t)(run_ns * without / nodes);
    s->out->productive_ns -= share_ns;
    s->out->unproductive_ns[of->cause] += share_ns;
}

/* Take off the account what was not there. */
void hc_life_elastic_close(struct hc_life *s)
{
    struct hc_life_elastic *e = s->elastic;
    int32_t gpus = s->config->job.gpus_per_node;
    count_absent(s, 0);
    s->out->absent_gpu_ns = e->absent_ns * gpus;
    for (size_t i = 0; i < e->n_stretches; i++)
        close_stretch(s, &e->stretch[i]);
    for (int what = 0; what < HC_WHAT_COUNT; what++)
        for (int why = 0; why < HC_WHY_COUNT; why++)
            s->out->account.leaf[what][why] -= e->less_ns[what][why] * gpus;
}
