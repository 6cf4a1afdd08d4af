/* One replica from submission to its end: the driver of the parts. */
#include "sim/lifetime/life/life_driver.h"

#include "core/base/log.h"
#include "core/base/memory.h"
#include "sim/lifetime/nodes/pool_turns.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* ---- memory ---- */

static enum hc_status new_lists(struct hc_life *s, struct hc_error *err)
{
    size_t slots = (size_t)s->config->job.nodes;
    struct hc_life_evicted *e = &s->evicted;
    bool made = (s->stop.slot = hc_new_array(slots, sizeof *s->stop.slot, err)) &&
                (s->struck.slot = hc_new_array(slots, sizeof *s->struck.slot, err)) &&
                (e->slot = hc_new_array(slots, sizeof *e->slot, err)) &&
                (e->guilty = hc_new_array(slots, sizeof *e->guilty, err)) &&
                (!s->config->job.parallel.tp ||
                 (e->in_group = hc_new_array(slots, sizeof *e->in_group, err)));
    return made ? HC_OK : err->status;
}

/* The job in its pool, to which it lends what repairs draw from and count in. */
static enum hc_status join_pool(struct hc_life *s, struct hc_node_client *client,
                                struct hc_error *err)
{
    if (!client && (hc_node_pool_init(&s->own_pool, 1, false, err) ||
                    hc_node_pool_join(&s->own_pool, 0, s->compiled, err)))
        return err->status;
    s->client = client ? client : s->own_pool.client;
    s->client->lent =
        (struct hc_node_lent){.streams = &s->streams, .calendar = &s->calendar, .end = &s->end};
    return HC_OK;
}

static enum hc_status new_parts(struct hc_life *s, struct hc_error *err)
{
    const struct hc_lifetime_config *c = s->config;
    if (new_lists(s, err) || hc_event_heap_init(&s->calendar, 256, err) ||
        hc_slots_init(&s->slots, c->job.nodes, err) ||
        hc_arrivals_init(&s->arrivals, s->compiled, err) ||
        hc_incidents_init(&s->incidents, c, err) ||
        hc_life_account_init(&s->account, c->elastic.on, err))
        return err->status;
    s->arrivals.slots = &s->slots;
    s->arrivals.streams = &s->streams;
    s->arrivals.end = &s->end;
    if (s->compiled->has_infants && hc_infants_init(&s->arrivals, err))
        return err->status;
    return c->elastic.on ? hc_life_elastic_init(s, err) : HC_OK;
}

enum hc_status hc_life_new(struct hc_life **life, const struct hc_compiled_lifetime *compiled,
                           struct hc_node_client *client, struct hc_error *err)
{
    struct hc_life *s = *life = hc_new_array(1, sizeof *s, err);
    if (!s)
        return err->status;
    s->compiled = compiled;
    s->config = compiled->config;
    s->end.err = err;
    return join_pool(s, client, err) ? err->status : new_parts(s, err);
}

void hc_life_free(struct hc_life *s)
{
    if (!s)
        return;
    free(s->stop.slot);
    free(s->struck.slot);
    free(s->evicted.slot);
    free(s->evicted.guilty);
    free(s->evicted.in_group);
    free(s->due.event);
    hc_event_heap_fini(&s->calendar);
    hc_slots_fini(&s->slots);
    hc_arrivals_fini(&s->arrivals);
    hc_incidents_fini(&s->incidents);
    hc_life_account_fini(&s->account);
    hc_life_elastic_fini(s);
    hc_life_recorder_fini(&s->own_recorder);
    hc_node_pool_fini(&s->own_pool);
    free(s);
}

/* ---- who looks ---- */

void hc_life_watch(struct hc_life *s, struct hc_lifetime_trace *trace)
{
    s->recorder = &s->own_recorder;
    hc_life_recorder_start(s->recorder, trace, &s->end, s->config->job.nodes);
}

void hc_life_unwatch(struct hc_life *s)
{
    hc_life_recorder_end(s->recorder);
    s->recorder = NULL;
}

/* ---- how far it has come ---- */

#define TOLD_TIMES 256

/* Of several jobs the first tells. */
static void begin_telling(struct hc_life *s)
{
    bool tells = hc_progress_is_drawn() && s->client == s->client->pool->client;
    s->tell_at_ns = tells ? 0 : HC_LIFE_NEVER;
    s->told = 0;
}

/* The share of the work that is done, or of the time until the horizon; work that is lost is not
 * taken back. */
static void tell(struct hc_life *s)
{
    const struct hc_compiled_lifetime *c = s->compiled;
    double by_time = (double)s->now_ns / (double)c->horizon_ns;
    double by_work = (double)hc_work_sum(&s->progress).work_ns / (double)c->work_ns;
    double share = s->end.over ? 1 : fmin(1, fmax(by_time, by_work));
    int64_t length_ns = c->horizon_ns < c->work_ns ? c->horizon_ns : c->work_ns;
    s->tell_at_ns = s->now_ns + length_ns / TOLD_TIMES;
    if (share > s->told) {
        hc_progress_tell(share - s->told);
        s->told = share;
    }
}

/* ---- a replica ---- */

void hc_life_begin(struct hc_life *s, uint64_t replica, struct hc_lifetime_replica *out)
{
    const struct hc_lifetime_job *job = &s->config->job;
    memset(out, 0, sizeof *out);
    s->out = out;
    s->now_ns = 0;
    begin_telling(s);
    s->end.over = s->stopped = s->waits_for_hosts = false;
    s->end.status = HC_OK;
    s->due.first = s->due.n = 0;
    s->stopped_at_ns = -1;
    s->has_origins = s->compiled->has_records || s->log;
    s->stop.origin = s->struck.origin = HC_LIFE_NO_ORIGIN;
    hc_event_heap_clear(&s->calendar);
    hc_life_seek(&s->streams, s->config, replica);
    hc_work_begin(&s->progress, s->compiled);
    hc_life_account_begin(&s->account, out);
    hc_incidents_begin(&s->incidents);
    s->client->lent.count = out->count;
    hc_node_client_begin(s->client);
    hc_node_next_standby_fault(s->client, 0);
    hc_slots_begin(&s->slots, s->client->first_node, s->client->pool->lemon);
    hc_arrivals_begin(&s->arrivals, replica);
    if (s->arrivals.infants)
        hc_infants_begin(&s->arrivals);
    if (s->elastic)
        hc_life_elastic_begin(s);
    for (size_t i = 0; i < job->n_planned_stops; i++)
        hc_life_push(s, hc_life_ns(job->planned_stop[i].first_s), HC_LIFE_PLANNED, (int32_t)i);
    for (size_t i = 0; i < job->n_code_changes; i++)
        hc_life_push(s, hc_life_ns(job->code_change[i].at_s), HC_LIFE_CODE, (int32_t)i);
}

/* Wall time to GPU-time. Free nodes of a shared pool are no job's alone. */
static enum hc_status close_account(struct hc_life *s)
{
    struct hc_node_pool *pool = s->client->pool;
    hc_node_standbys(s->client, 0, s->now_ns);
    struct hc_life_closing closing = {.config = s->config,
                                      .counts = hc_work_sum(&s->progress),
                                      .wall_ns = s->now_ns,
                                      .standby_ns = s->client->standby_ns};
    if (!pool->is_shared) {
        hc_node_pool_idle(pool, s->now_ns);
        closing.idle_ns = pool->idle_ns;
    }
    return hc_life_account_close(&s->account, &closing, s->end.err);
}

/* Steps run again, or never will. */
static void end_stop(struct hc_life *s)
{
    int64_t ns = s->now_ns - s->stopped_at_ns;
    if (s->stopped_at_ns < 0)
        return;
    s->out->stops_of[hc_stop_length(ns)]++;
    s->out->stopped_ns += ns;
    if (ns > s->out->longest_stop_ns)
        s->out->longest_stop_ns = ns;
    s->stopped_at_ns = -1;
}

enum hc_status hc_life_live(struct hc_life *s)
{
    if (s->config->recovery.queues_first)
        hc_life_queue(s);
    s->out->first_queue_ns = s->out->queue_ns;
    hc_life_start(s, HC_START_FIRST, HC_WHY_FIRST_START);
    while (!s->end.over) {
        if (s->now_ns >= s->tell_at_ns)
            tell(s);
        if (s->stopped) {
            hc_life_recover(s);
            continue;
        }
        end_stop(s);
        hc_life_run_stretch(s);
    }
    end_stop(s);
    if (s->tell_at_ns < HC_LIFE_NEVER)
        tell(s);
    hc_turn_meet(s->client, HC_TURN_ENDS, s->now_ns);
    return s->end.status ? s->end.status : close_account(s);
}

enum hc_status hc_life_replica(struct hc_life *s, uint64_t replica, struct hc_lifetime_replica *out)
{
    hc_life_begin(s, replica, out);
    hc_node_pool_begin(s->client->pool);
    return hc_life_live(s);
}

/* ---- beside other jobs ---- */

void hc_life_leave(struct hc_life *s)
{
    hc_turn_leave(s->client, s->slots.node, s->now_ns);
}

void hc_life_give_up(struct hc_life *s, enum hc_status status)
{
    s->end.over = true;
    s->end.status = status;
}

enum hc_status hc_life_status(const struct hc_life *s)
{
    return s->end.status;
}
