/* Several jobs on one pool, in the order of time.
 *
 * Between two things that a job does to the pool nothing of the others concerns it: it runs ahead,
 * as if it were alone, until it wants to act there (one of its nodes comes back, it asks for one),
 * waits for a node, or ends. There it yields, and goes on when nothing that comes before is left.
 * What meets at one nanosecond goes in this order: jobs that end, nodes that come back, requests by
 * priority, by the time since when they stand, and as the jobs are in the config. */
#include "sim/lifetime/pool/shared_pool_state.h"

#include "core/base/memory.h"

#include <stdlib.h>
#include <string.h>

static struct hc_life_seat *seat_of(const struct hc_life *s)
{
    return &s->pool->fleet->seat[s->index];
}

#define KINDS 16 /* in the calendar of the fleet: kind + KINDS * index of the job */

/* ---- who comes first ---- */

/* Among jobs that ask at one time. */
static bool before(const struct hc_life_seat *a, const struct hc_life_seat *b)
{
    if (a->priority != b->priority)
        return a->priority > b->priority;
    return a->since_ns != b->since_ns ? a->since_ns < b->since_ns : a < b;
}

/* Whether another job than s stands for want of a node. */
bool hc_life_fleet_waits(const struct hc_life *s)
{
    const struct hc_life_fleet *fleet = s->pool->fleet;
    for (size_t i = 0; i < fleet->n; i++)
        if (hc_life_is_short(&fleet->seat[i].life) && &fleet->seat[i].life != s)
            return true;
    return false;
}

/* For whom a node is that s gives back: first who stands for want of one, then who lacks standbys;
 * by priority, s before its equals. NULL: for nobody. */
struct hc_life *hc_life_fleet_heir(struct hc_life *s)
{
    struct hc_life_fleet *fleet = s->pool->fleet;
    struct hc_life_seat *heir = NULL;
    for (size_t i = 0; i < fleet->n; i++) {
        struct hc_life_seat *seat = &fleet->seat[i];
        bool lacks = seat->life.n_standby < seat->plan.standbys;
        bool is_short = hc_life_is_short(&seat->life);
        if (seat->state == HC_SEAT_GONE || !(is_short || lacks))
            continue;
        bool heir_is_short = heir && hc_life_is_short(&heir->life);
        if (!heir || (is_short && !heir_is_short))
            heir = seat;
        else if (is_short == heir_is_short &&
                 (is_short ? before(seat, heir)
                           : seat->priority > heir->priority ||
                                 (seat->priority == heir->priority && &seat->life == s)))
            heir = seat;
    }
    return heir ? &heir->life : NULL;
}

/* The job of lowest priority, below that of s, which has a standby; NULL where s takes none. */
struct hc_life *hc_life_fleet_victim(struct hc_life *s)
{
    struct hc_life_fleet *fleet = s->pool->fleet;
    struct hc_life_seat *victim = NULL;
    for (size_t i = 0; i < fleet->n && s->config->recovery.takes_standbys; i++) {
        struct hc_life_seat *seat = &fleet->seat[i];
        if (seat->state != HC_SEAT_GONE && seat->life.standby.n &&
            seat->priority < seat_of(s)->priority &&
            (!victim || seat->priority <= victim->priority))
            victim = seat;
    }
    return victim ? &victim->life : NULL;
}

/* ---- the order of things ---- */

/* Whether a job that waits has something to look at. */
static bool may_look(struct hc_life_seat *seat)
{
    const struct hc_life_pool *pool = seat->life.pool;
    return seat->life.handed.n || seat->life.standby.n || pool->free.n || pool->spare.n ||
           hc_life_fleet_victim(&seat->life);
}

/* When a job goes on. One that waits: when something of its own is due, at the horizon, or now. */
static int64_t due_ns(const struct hc_life_fleet *fleet, struct hc_life_seat *seat)
{
    int64_t own = hc_event_heap_next_ns(&seat->life.calendar);
    if (seat->state != HC_SEAT_WAITS)
        return seat->life.now_ns;
    if (may_look(seat))
        return fleet->now_ns;
    return own < seat->plan.horizon_ns ? own : seat->plan.horizon_ns;
}

/* Of what is due at one time. */
static bool goes_first(const struct hc_life_seat *a, const struct hc_life_seat *b)
{
    static const int rank[] = {[HC_SEAT_ENDS] = 0,
                               [HC_SEAT_NODE] = 1,
                               [HC_SEAT_ACTS] = 2,
                               [HC_SEAT_WAITS] = 2,
                               [HC_SEAT_LOOKS] = 2};
    return rank[a->state] != rank[b->state] ? rank[a->state] < rank[b->state] : before(a, b);
}

/* Who goes on next, and when; NULL: all are gone. */
static struct hc_life_seat *choose(struct hc_life_fleet *fleet, int64_t *at_ns)
{
    struct hc_life_seat *next = NULL;
    for (size_t i = 0; i < fleet->n; i++) {
        struct hc_life_seat *seat = &fleet->seat[i];
        if (seat->state == HC_SEAT_GONE)
            continue;
        int64_t due = due_ns(fleet, seat);
        if (!next || due < *at_ns || (due == *at_ns && goes_first(seat, next))) {
            next = seat;
            *at_ns = due;
        }
    }
    return next;
}

/* An event of the fleet comes before this job. */
static bool is_node_first(const struct hc_life_fleet *fleet, const struct hc_life_seat *next,
                          int64_t at_ns)
{
    int64_t node_ns = hc_event_heap_next_ns(&fleet->calendar);
    return node_ns < at_ns || (node_ns == at_ns && next->state != HC_SEAT_ENDS);
}

/* ---- what a job asks, on its own stack ---- */

static void yield_as(struct hc_life *s, enum hc_life_seat_state state)
{
    struct hc_life_fleet *fleet = s->pool->fleet;
    struct hc_life_seat *seat = seat_of(s);
    int64_t at_ns = 0;
    if (fleet->is_given_up)
        return;
    seat->state = (int32_t)state;
    if (state != HC_SEAT_WAITS && choose(fleet, &at_ns) == seat &&
        !is_node_first(fleet, seat, at_ns))
        fleet->now_ns = at_ns; /* it would be the next to go on */
    else
        hc_coroutine_yield(seat->routine);
}

/* It is its turn already when no time has passed since it was chosen. */
void hc_life_fleet_meet(struct hc_life *s, enum hc_life_meeting why)
{
    static const enum hc_life_seat_state state[] = {[HC_MEETS_END] = HC_SEAT_ENDS,
                                                    [HC_MEETS_NODE] = HC_SEAT_NODE,
                                                    [HC_MEETS_REQUEST] = HC_SEAT_ACTS};
    if (s->now_ns != s->pool->fleet->now_ns)
        yield_as(s, state[why]);
}

/* The same for a new request. */
void hc_life_fleet_ask(struct hc_life *s)
{
    seat_of(s)->since_ns = s->now_ns;
    hc_life_fleet_meet(s, HC_MEETS_REQUEST);
}

/* Until when to wait for a node before it is looked for again; INT64_MAX: none can come. */
int64_t hc_life_fleet_wait(struct hc_life *s)
{
    struct hc_life_seat *seat = seat_of(s);
    seat->is_starved = false;
    yield_as(s, HC_SEAT_WAITS);
    return seat->is_starved ? INT64_MAX : s->pool->fleet->now_ns;
}

/* After a wait: others may come before, also for a node that this job has brought back. */
void hc_life_fleet_look(struct hc_life *s)
{
    yield_as(s, s->over ? HC_SEAT_ENDS : HC_SEAT_LOOKS);
}

/* The last in the order, where all wait and nothing can come that would end it; else NULL. It gives
 * up, and what it has goes to the others. */
static struct hc_life_seat *starving(struct hc_life_fleet *fleet)
{
    struct hc_life_seat *last = NULL;
    if (fleet->calendar.n)
        return NULL;
    for (size_t i = 0; i < fleet->n; i++) {
        struct hc_life_seat *seat = &fleet->seat[i];
        if (seat->state == HC_SEAT_GONE)
            continue;
        if (seat->state != HC_SEAT_WAITS || seat->life.calendar.n || may_look(seat))
            return NULL;
        if (!last || before(last, seat))
            last = seat;
    }
    return last;
}

/* ---- what jobs leave behind ---- */

/* An event of a job that may be ahead of it, or gone: the fleet takes it for the job. */
void hc_life_fleet_push(struct hc_life *s, int64_t at_ns, enum hc_life_event kind, int32_t who)
{
    struct hc_event event = {
        .time_ns = at_ns, .kind = (int32_t)kind + KINDS * s->index, .who = who};
    if (at_ns >= HC_LIFE_NEVER || s->status)
        return;
    s->status = hc_event_heap_push(&s->pool->fleet->calendar, event, s->err);
    s->over |= s->status != HC_OK;
}

/* The repairs of nodes that a job gave away before it ended go on. */
static void bequeath(struct hc_life *s)
{
    while (s->calendar.n) {
        struct hc_event event = hc_event_heap_pop(&s->calendar);
        if (event.kind < HC_LIFE_STANDBY)
            hc_life_fleet_push(s, event.time_ns, (enum hc_life_event)event.kind, event.who);
    }
}

/* After an error no job may be left in its middle: each ends as fast as it can, and says nothing.
 */
static void give_up(struct hc_life_fleet *fleet, enum hc_status status)
{
    fleet->is_given_up = true;
    for (size_t i = 0; i < fleet->n; i++) {
        fleet->seat[i].life.over = true;
        fleet->seat[i].life.status = status;
    }
}

static void go_on(struct hc_life_fleet *fleet, struct hc_life_seat *seat)
{
    if (hc_coroutine_resume(seat->routine))
        return;
    seat->state = HC_SEAT_GONE;
    if (seat->status && !fleet->is_given_up)
        give_up(fleet, seat->status);
    if (fleet->is_given_up)
        return;
    seat->life.out = &fleet->nobody;
    hc_life_release(&seat->life);
    bequeath(&seat->life);
    if (seat->life.status)
        give_up(fleet, seat->life.status);
}

/* The next event that the fleet has taken. */
static void node_event(struct hc_life_fleet *fleet)
{
    struct hc_event event = hc_event_heap_pop(&fleet->calendar);
    struct hc_life_seat *seat = &fleet->seat[event.kind / KINDS];
    struct hc_life *life = &seat->life;
    int64_t ahead_ns = life->now_ns;
    event.kind %= KINDS;
    life->out->count[HC_COUNT_EVENTS]++;
    fleet->now_ns = life->now_ns = event.time_ns;
    if (event.kind != HC_LIFE_STANDBY || seat->state != HC_SEAT_GONE)
        hc_life_node_event(life, &event);
    life->now_ns = ahead_ns;
    if (seat->state == HC_SEAT_GONE)
        bequeath(life);
    if (life->status)
        give_up(fleet, life->status);
}

static void live(struct hc_life_fleet *fleet)
{
    int64_t at_ns = 0;
    struct hc_life_seat *next, *starved;
    while ((next = choose(fleet, &at_ns))) {
        if (fleet->is_given_up) {
            go_on(fleet, next);
        } else if ((starved = starving(fleet))) {
            /* It looks once more, so that its time is now; then it is here again. */
            starved->is_starved = starved->life.now_ns == fleet->now_ns;
            go_on(fleet, starved);
        } else if (is_node_first(fleet, next, at_ns)) {
            node_event(fleet);
        } else {
            fleet->now_ns = at_ns;
            go_on(fleet, next);
        }
    }
}

/* ---- a replica ---- */

static void body(void *context)
{
    struct hc_life_seat *seat = context;
    enum hc_status status = hc_life_live(&seat->life);
    seat->status = status;
}

static void begin(struct hc_life_fleet *fleet, uint64_t replica, struct hc_lifetime_replica *out)
{
    struct hc_life *job[HC_LIFETIME_MAX_JOBS];
    fleet->now_ns = 0;
    fleet->is_given_up = false;
    hc_event_heap_clear(&fleet->calendar);
    for (size_t i = 0; i < fleet->n; i++) {
        struct hc_life_seat *seat = &fleet->seat[i];
        job[i] = &seat->life;
        seat->state = HC_SEAT_ACTS;
        seat->since_ns = 0;
        seat->is_starved = false;
        seat->status = HC_OK;
        hc_life_begin(&seat->life, replica, &out[i]);
        hc_coroutine_start(seat->routine, body, seat);
    }
    hc_life_pool_start(job, fleet->n);
}

enum hc_status hc_shared_pool_replica(struct hc_life_fleet *fleet, uint64_t replica,
                                      struct hc_lifetime_replica *job,
                                      struct hc_lifetime_pool *pool)
{
    struct hc_life_pool *nodes = fleet->seat[0].life.pool;
    begin(fleet, replica, job);
    live(fleet);
    for (size_t i = 0; i < fleet->n; i++)
        if (fleet->seat[i].status)
            return fleet->seat[i].status;
    hc_life_pool_idle(nodes, fleet->now_ns);
    pool->wall_ns = fleet->now_ns;
    pool->idle = nodes->idle_ns * fleet->config->job[0].config.job.gpus_per_node;
    return HC_OK;
}

/* ---- memory ---- */

/* Nodes, and where they are, are those of the first job. */
static void share(struct hc_life *s, struct hc_life *with)
{
    free(s->place);
    free(s->lemon);
    free(s->was_lemon);
    free(s->history);
    s->place = with->place;
    s->lemon = with->lemon;
    s->was_lemon = with->was_lemon;
    s->history = with->history;
    s->pool = with->pool;
}

static void unshare(struct hc_life *s)
{
    s->place = NULL;
    s->lemon = NULL;
    s->was_lemon = NULL;
    s->history = NULL;
}

static enum hc_status init_seat(struct hc_life_fleet *fleet, size_t i, struct hc_error *err)
{
    const struct hc_lifetime_config *config = &fleet->config->job[i].config;
    struct hc_life_seat *seat = &fleet->seat[i];
    struct hc_life *life = &seat->life, *first = &fleet->seat[0].life;
    seat->priority = config->job.priority;
    if (hc_compiled_lifetime(&seat->plan, config, err) || hc_life_init(life, &seat->plan, err))
        return err->status;
    life->index = (int32_t)i;
    if (i) {
        const struct hc_life *last = &fleet->seat[i - 1].life;
        life->first_node = last->first_node + last->config->job.nodes;
        share(life, first);
    } else {
        life->pool->fleet = fleet;
    }
    seat->routine = hc_coroutine_new(err);
    return seat->routine ? HC_OK : err->status;
}

enum hc_status hc_life_fleet_init(struct hc_life_fleet *fleet, const struct hc_shared_pool *config,
                                  struct hc_error *err)
{
    memset(fleet, 0, sizeof *fleet);
    fleet->config = config;
    fleet->seat = hc_new_array(config->n_jobs, sizeof *fleet->seat, err);
    if (!fleet->seat)
        return err->status;
    fleet->n = config->n_jobs;
    enum hc_status status = hc_event_heap_init(&fleet->calendar, 256, err);
    for (size_t i = 0; i < fleet->n && !status; i++)
        status = init_seat(fleet, i, err);
    return status;
}

void hc_life_fleet_fini(struct hc_life_fleet *fleet)
{
    for (size_t i = 0; i < fleet->n; i++) {
        struct hc_life_seat *seat = &fleet->seat[i];
        if (seat->life.pool && seat->life.pool != &seat->life.own_pool)
            unshare(&seat->life);
        hc_life_fini(&seat->life);
        hc_coroutine_free(seat->routine);
    }
    hc_event_heap_fini(&fleet->calendar);
    free(fleet->seat);
}
