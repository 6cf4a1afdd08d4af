/* A job that goes on with fewer dp replicas while nodes are replaced.
 *
 * Slots are absent from the eviction of their node until the next one is taken in: at once while
 * steps run, else when they run again. A replica runs when all of its slots are there and it has
 * rejoined. The account knows how many nodes are absent (life_account.h); which, is known here. */
#include "sim/lifetime/life/life_driver.h"

#include "core/base/memory.h"

#include <stdlib.h>
#include <string.h>

struct hc_life_elastic {
    int32_t n_replicas, each;  /* nodes of a replica */
    int32_t n_running;         /* replicas */
    int32_t blame;             /* cause of the last leave */
    int32_t *missing;          /* of replica: absent slots */
    bool *runs;                /* replica */
    bool *absent;              /* slot */
    bool *held;                /* of absent slot: its next node is, and starts up */
    int64_t *due_ns;           /* of absent slot: its event in the calendar; others are stale */
    int32_t *node;             /* of absent slot: what comes, where nodes are followed */
    struct hc_node_list start; /* slots whose node began to start while the job stood */
    struct hc_node_list came;  /* slots whose node waits for the next steps */
    struct hc_node_list want;  /* slots for which no node was to be had, longest first */
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
                (e->held = hc_new_array(slots, sizeof *e->held, err)) &&
                (e->start.node = hc_new_array(slots, sizeof *e->start.node, err)) &&
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
    free(e->held);
    free(e->start.node);
    free(e->due_ns);
    free(e->node);
    free(e->came.node);
    free(e->want.node);
    free(e);
}

void hc_life_elastic_begin(struct hc_life *s)
{
    struct hc_life_elastic *e = s->elastic;
    size_t slots = (size_t)s->config->job.nodes;
    e->n_running = e->n_replicas;
    e->blame = 0;
    e->start.n = e->came.n = e->want.n = 0;
    memset(e->missing, 0, (size_t)e->n_replicas * sizeof *e->missing);
    memset(e->runs, true, (size_t)e->n_replicas * sizeof *e->runs);
    memset(e->absent, false, slots * sizeof *e->absent);
}

/* ---- leaving ---- */

static void count_absent(struct hc_life *s, int32_t change)
{
    hc_life_count_absent(&s->account, change, s->now_ns - s->out->queue_ns);
}

int32_t hc_life_elastic_present(struct hc_life *s, int32_t n)
{
    int32_t left = 0;
    for (int32_t i = 0; i < n; i++) {
        if (s->elastic->absent[s->evicted.slot[i]])
            continue;
        s->evicted.slot[left] = s->evicted.slot[i];
        s->evicted.guilty[left++] = s->evicted.guilty[i];
    }
    return left;
}

bool hc_life_elastic_may_leave(const struct hc_life *s, int32_t n)
{
    const struct hc_life_elastic *e = s->elastic;
    int32_t broken = 0, last = -1;
    if (!n || (!s->config->elastic.before_standbys && n <= s->client->n_standby))
        return false;
    for (int32_t i = 0; i < n; i++) {
        int32_t replica = s->evicted.slot[i] / e->each;
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
    int32_t woken = n < s->client->n_standby ? n : s->client->n_standby;
    int64_t wake_ns = woken ? hc_life_draw(&s->streams, &r->wake_s, HC_STREAM_RECOVER) : 0;
    int64_t choose_ns =
        woken < n ? hc_life_draw(&s->streams, &r->reschedule_s, HC_STREAM_RECOVER) : 0;
    s->out->count[HC_COUNT_RESCHEDULES] += woken < n;
    for (int32_t i = 0; i < n; i++) {
        int32_t slot = s->evicted.slot[i];
        if (i < woken) {
            s->elastic->node[slot] = hc_node_wake_standby(s->client, s->now_ns);
            due(s, slot, s->now_ns + wake_ns, HC_LIFE_ARRIVES);
        } else {
            s->elastic->node[slot] = -1;
            due(s, slot, s->now_ns + choose_ns, HC_LIFE_CHOSEN);
        }
    }
}

void hc_life_elastic_leave(struct hc_life *s, int32_t n)
{
    struct hc_life_elastic *e = s->elastic;
    s->out->count[HC_COUNT_LEAVES]++;
    e->blame = s->account.blame;
    count_absent(s, n);
    for (int32_t i = 0; i < n; i++) {
        int32_t slot = s->evicted.slot[i], replica = slot / e->each;
        hc_life_vacate(s, slot, s->evicted.guilty[i]);
        e->absent[slot] = true;
        e->held[slot] = false;
        e->missing[replica]++;
        e->n_running -= e->runs[replica];
        e->runs[replica] = false;
    }
    order(s, n);
}

/* ---- coming back ---- */

/* The next node of the slot is the job's from now on. */
static void hold(struct hc_life *s, int32_t slot)
{
    struct hc_life_elastic *e = s->elastic;
    if (!e->held[slot])
        count_absent(s, -1);
    e->held[slot] = true;
}

/* The node for a slot is there, but has nothing on it: it starts up on its own, while the others
 * run. Its state it gets from them, in the time of the rejoin. While the job stands nothing is
 * booked by node: it is held from the next steps on. */
static void start_node(struct hc_life *s, int32_t slot, bool running)
{
    const struct hc_lifetime_startup *startup = &s->config->startup;
    bool is_full = s->config->recovery.full_start_on_reschedule;
    int64_t ns = 0;
    for (size_t i = 0; i < startup->n_phases && ns < HC_LIFE_NEVER; i++)
        ns += hc_life_phase_ns(s, &startup->phase[i], is_full ? HC_START_FULL : HC_START_HOT, 1);
    if (running)
        hold(s, slot);
    else
        s->elastic->start.node[s->elastic->start.n++] = slot;
    due(s, slot, s->now_ns + ns, HC_LIFE_ARRIVES);
}

static void hold_all(struct hc_life *s)
{
    struct hc_node_list *start = &s->elastic->start;
    for (int32_t i = 0; i < start->n; i++)
        if (s->elastic->absent[start->node[i]])
            hold(s, start->node[i]);
    start->n = 0;
}

static void take_in(struct hc_life *s, int32_t slot)
{
    struct hc_life_elastic *e = s->elastic;
    int32_t lemons_before = s->slots.n_lemons;
    hold(s, slot);
    e->absent[slot] = false;
    e->missing[slot / e->each]--;
    hc_life_node_leaves(s, slot); /* incidents drawn while the slot was empty */
    hc_life_occupy(s, slot, e->node[slot]);
    hc_arrivals_rates_changed(&s->arrivals, lemons_before);
}

static void take_in_all(struct hc_life *s)
{
    struct hc_life_elastic *e = s->elastic;
    for (int32_t i = 0; i < e->came.n; i++)
        take_in(s, e->came.node[i]);
    e->came.n = 0;
}

/* A node for this slot that the pool can give without delay, its spares left alone: they cost a
 * preemption. -1: the pool has none. A pool without an end has one for every slot. */
static int32_t node_at_once(struct hc_life *s, int32_t slot)
{
    return s->compiled->finite ? hc_node_take_free(s->client, s->now_ns) : slot;
}

/* Find the slot's next node: a free one of the pool, else a spare, which comes after its
 * preemption. Where there is neither, the slot is put on the list of those that want one. */
static void choose(struct hc_life *s, int32_t slot)
{
    struct hc_life_elastic *e = s->elastic;
    int64_t at_ns = s->now_ns;
    /* Where the whole job stands and waits for nodes, these have to go to it first. */
    bool stays = s->compiled->finite && s->waits_for_hosts;
    e->node[slot] = stays ? -1 : node_at_once(s, slot);
    if (e->node[slot] < 0 && !stays && (e->node[slot] = hc_node_take_spare(s->client)) >= 0)
        at_ns += hc_life_draw(&s->streams, &s->config->recovery.preempt_s, HC_STREAM_RECOVER);
    if (e->node[slot] >= 0)
        due(s, slot, at_ns, HC_LIFE_STARTS);
    else
        e->want.node[e->want.n++] = slot;
}

bool hc_life_elastic_wants(struct hc_life *s, int32_t node)
{
    struct hc_node_list *want = &s->elastic->want;
    if (!want->n || s->waits_for_hosts)
        return false;
    int32_t slot = want->node[0];
    want->n--;
    memmove(want->node, want->node + 1, (size_t)want->n * sizeof *want->node);
    s->elastic->node[slot] = node;
    due(s, slot, s->now_ns, HC_LIFE_STARTS);
    return true;
}

bool hc_life_elastic_event(struct hc_life *s, const struct hc_event *event, bool running)
{
    struct hc_life_elastic *e = s->elastic;
    int32_t slot = event->who, replica = slot / e->each;
    if (!e->absent[slot] || e->due_ns[slot] != event->time_ns)
        return false;
    e->due_ns[slot] = HC_LIFE_NEVER;
    if (event->kind == HC_LIFE_CHOSEN) {
        choose(s, slot);
        return false;
    }
    if (event->kind == HC_LIFE_STARTS) {
        start_node(s, slot, running);
        return false;
    }
    e->came.node[e->came.n++] = slot;
    if (!running)
        return false;
    take_in_all(s);
    return !e->missing[replica];
}

void hc_life_elastic_requeued(struct hc_life *s)
{
    struct hc_life_elastic *e = s->elastic;
    int32_t wanted = e->want.n;
    e->start.n = e->came.n = e->want.n = 0;
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

/* While the whole job stood, it may have given nodes back to the pool: give them to the slots that
 * still want one. */
static void choose_wanted(struct hc_life *s)
{
    struct hc_node_list *want = &s->elastic->want;
    for (int32_t n = want->n; n; n--) {
        int32_t slot = want->node[0];
        want->n--;
        memmove(want->node, want->node + 1, (size_t)want->n * sizeof *want->node);
        choose(s, slot);
    }
}

double hc_life_elastic_start_run(struct hc_life *s)
{
    struct hc_life_elastic *e = s->elastic;
    take_in_all(s);
    hold_all(s);
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

struct hc_life_missing hc_life_elastic_missing(const struct hc_life *s)
{
    const struct hc_life_elastic *e = s->elastic;
    int32_t without = e ? s->config->job.nodes - e->n_running * e->each : 0;
    return (struct hc_life_missing){without, without ? e->blame : -1};
}

void hc_life_elastic_ran(struct hc_life *s, const struct hc_life_run *before)
{
    const struct hc_life_elastic *e = s->elastic;
    struct hc_life_run sum = hc_work_sum(&s->progress);
    struct hc_life_stretch ran = {.ideal_ns = sum.ideal_ns - before->ideal_ns,
                                  .excess_ns = sum.excess_ns - before->excess_ns,
                                  .n_run = e->n_running * e->each,
                                  .n_absent = s->account.n_absent,
                                  .cause = e->blame};
    hc_life_book_stretch(&s->account, &ran, &s->end);
}

/* ---- faults ---- */

static int32_t running_slot(struct hc_life *s)
{
    struct hc_life_elastic *e = s->elastic;
    struct hc_philox *rng = &s->streams.rng[HC_STREAM_PLACE];
    int32_t skip = (int32_t)hc_philox_integer(rng, (uint64_t)e->n_running), replica = 0;
    while (!e->runs[replica] || skip--)
        replica++;
    return replica * e->each + (int32_t)hc_philox_integer(rng, (uint64_t)e->each);
}

/* Faults strike only where steps run: to drop the others keeps exponential arrivals exponential. A
 * fault of the job as a whole, or a record without a node, strikes somewhere in what runs. */
void hc_life_elastic_struck(struct hc_life *s, int32_t cause)
{
    struct hc_life_elastic *e = s->elastic;
    const struct hc_lifetime_fault *fault = &s->config->fault[cause];
    bool somewhere = fault->n_incidents
                         ? fault->incident[s->arrivals.next_incident[cause] - 1].node < 0
                         : fault->unit == HC_PER_JOB;
    int32_t left = 0;
    if (e->n_running == e->n_replicas)
        return;
    for (int32_t i = 0; i < s->struck.n_slots; i++)
        if (e->runs[s->struck.slot[i] / e->each])
            s->struck.slot[left++] = s->struck.slot[i];
    if (!left && somewhere)
        s->struck.slot[left++] = running_slot(s);
    s->struck.n_slots = left;
}
