/* One replica from submission to its end, and the proof that no nanosecond is missing. */
#include "sim/lifetime/lifetime_state.h"

#include "core/base/memory.h"

#include <stdlib.h>
#include <string.h>

static enum hc_status new_list(struct hc_life_list *list, int32_t n, struct hc_error *err)
{
    list->node = hc_new_array((size_t)n, sizeof *list->node, err);
    return list->node ? HC_OK : err->status;
}

static enum hc_status new_arrays(struct hc_life *s, struct hc_error *err)
{
    size_t slots = (size_t)s->config->job.nodes, nodes = (size_t)s->plan->n_nodes;
    size_t k = (size_t)s->config->repair.quarantine_faults;
    bool made = (s->slot_node = hc_new_array(slots, sizeof *s->slot_node, err)) &&
                (s->born = hc_new_array(slots, sizeof *s->born, err)) &&
                (s->lemon_slot = hc_new_array(slots, sizeof *s->lemon_slot, err)) &&
                (s->lemon_index = hc_new_array(slots, sizeof *s->lemon_index, err)) &&
                (s->stop_slot = hc_new_array(slots, sizeof *s->stop_slot, err)) &&
                (s->evict_slot = hc_new_array(slots, sizeof *s->evict_slot, err)) &&
                (s->guilty = hc_new_array(slots, sizeof *s->guilty, err)) &&
                (!s->config->job.parallel.tp ||
                 (s->in_group = hc_new_array(slots, sizeof *s->in_group, err))) &&
                (s->place = hc_new_array(nodes, sizeof *s->place, err)) &&
                (s->lemon = hc_new_array(nodes, sizeof *s->lemon, err)) &&
                (s->was_lemon = hc_new_array(nodes, sizeof *s->was_lemon, err)) &&
                (!k || (s->history = hc_new_array(nodes * k, sizeof *s->history, err)));
    for (size_t f = 0; f < s->config->n_faults && made; f++)
        if (hc_distribution_mean(&s->config->fault[f].between_s) > 0)
            made = (s->clock_ns[f] =
                        hc_new_array((size_t)s->plan->n_units[f], sizeof *s->clock_ns[f], err));
    return made ? HC_OK : err->status;
}

enum hc_status hc_life_init(struct hc_life *s, const struct hc_compiled_lifetime *plan,
                            struct hc_error *err)
{
    memset(s, 0, sizeof *s);
    s->plan = plan;
    s->config = plan->config;
    s->err = err;
    enum hc_status status = new_arrays(s, err);
    if (!status)
        status = hc_event_heap_init(&s->calendar, 256, err);
    if (!status)
        status = hc_event_heap_init(&s->clocks, 16, err);
    if (!status)
        status = new_list(&s->standby, plan->n_nodes, err);
    if (!status)
        status = new_list(&s->handed, s->config->job.nodes, err);
    s->pool = &s->own_pool;
    if (!status)
        status = new_list(&s->pool->free, plan->n_nodes, err);
    if (!status && plan->has_infants)
        status = hc_life_infants_init(s, err);
    if (!status && s->config->elastic.on)
        status = hc_life_elastic_init(s, err);
    return status ? status : new_list(&s->pool->spare, plan->n_nodes, err);
}

void hc_life_fini(struct hc_life *s)
{
    for (int f = 0; f < HC_LIFETIME_MAX_FAULTS; f++)
        free(s->clock_ns[f]);
    free(s->slot_node);
    free(s->born);
    free(s->lemon_slot);
    free(s->lemon_index);
    free(s->stop_slot);
    free(s->evict_slot);
    free(s->guilty);
    free(s->in_group);
    free(s->place);
    free(s->lemon);
    free(s->was_lemon);
    free(s->history);
    free(s->standby.node);
    free(s->handed.node);
    free(s->own_pool.free.node);
    free(s->own_pool.spare.node);
    free(s->open);
    free(s->live);
    free(s->due);
    hc_event_heap_fini(&s->calendar);
    hc_event_heap_fini(&s->clocks);
    hc_life_infants_fini(s);
    hc_life_elastic_fini(s);
}

/* Streams are named by (seed, key, replica, purpose). */
static void seek_streams(struct hc_life *s, uint64_t replica)
{
    uint64_t seed = s->config->seed + 0x9E3779B97F4A7C15u * s->config->key;
    int n = HC_STREAM_ARRIVAL + (int)s->config->n_faults;
    for (int i = 0; i < n; i++)
        hc_philox_seek(&s->rng[i], seed, replica * HC_STREAM_COUNT + (uint64_t)i, 0);
    for (uint64_t i = 0; i < HC_EXTRA_COUNT; i++)
        hc_philox_seek(&s->extra[i], ~seed, replica * HC_STREAM_COUNT + i, 0);
}

static void reset_progress(struct hc_life *s)
{
    const struct hc_life_run none = {0};
    s->kept = s->flight = s->fresh = s->tainted = s->unremote = none;
    s->n_gaps = s->gap_end = 0;
    s->saves_tainted = s->saves_unremote = 0;
    s->is_tainted = false;
    s->since_ns = s->stall_left_ns = s->stall_ns = s->durable_ns = 0;
    s->pending_at_ns = HC_LIFE_NEVER;
    s->every_ns = s->plan->every_ns;
    s->code_speed = s->step_factor = s->slow = 1.0;
}

void hc_life_begin(struct hc_life *s, uint64_t replica, struct hc_lifetime_replica *out)
{
    const struct hc_lifetime_job *job = &s->config->job;
    memset(out, 0, sizeof *out);
    s->out = out;
    s->now_ns = s->exposure_ns = 0;
    s->over = s->stopped = false;
    s->status = HC_OK;
    s->n_open = s->n_live = s->first_due = s->n_due = 0;
    s->blame = HC_LIFETIME_MAX_FAULTS;
    s->stopped_at_ns = -1;
    memset(s->leaf_ns, 0, sizeof s->leaf_ns);
    hc_event_heap_clear(&s->calendar);
    hc_event_heap_clear(&s->clocks);
    seek_streams(s, replica);
    reset_progress(s);
    s->n_absent = 0;
    s->waits_for_hosts = false;
    if (s->infants)
        hc_life_infants_reset(s);
    if (s->elastic)
        hc_life_elastic_reset(s);
    hc_life_nodes_start(s);
    hc_life_faults_start(s);
    for (size_t i = 0; i < job->n_planned_stops; i++)
        hc_life_push(s, hc_life_ns(job->planned_stop[i].first_s), HC_LIFE_PLANNED, (int32_t)i);
    for (size_t i = 0; i < job->n_code_changes; i++)
        hc_life_push(s, hc_life_ns(job->code_change[i].at_s), HC_LIFE_CODE, (int32_t)i);
}

/* Work that was not lost by the end counts, durable or not. */
static void book_productive(struct hc_life *s)
{
    s->leaf_ns[HC_WHAT_PRODUCTIVE_IDEAL][HC_WHY_NONE] +=
        s->kept.ideal_ns + s->flight.ideal_ns + s->fresh.ideal_ns;
    s->leaf_ns[HC_WHAT_PRODUCTIVE_STRAGGLER_EXCESS][HC_WHY_NONE] +=
        s->kept.excess_ns + s->flight.excess_ns + s->fresh.excess_ns;
    s->out->productive_ns = s->leaf_ns[HC_WHAT_PRODUCTIVE_IDEAL][HC_WHY_NONE] +
                            s->leaf_ns[HC_WHAT_PRODUCTIVE_STRAGGLER_EXCESS][HC_WHY_NONE];
    s->out->work_done_ns = s->kept.work_ns + s->flight.work_ns + s->fresh.work_ns;
}

/* Wall time to GPU-time, and the proof: the leaves are the time that the nodes were held. */
static enum hc_status close_account(struct hc_life *s)
{
    const struct hc_lifetime_job *job = &s->config->job;
    hc_gpu_ns gpus = (hc_gpu_ns)job->nodes * job->gpus_per_node;
    hc_life_standbys(s, 0);
    book_productive(s);
    s->out->wall_ns = s->now_ns;
    for (int what = 0; what < HC_WHAT_COUNT; what++)
        for (int why = 0; why < HC_WHY_COUNT; why++)
            s->out->account.leaf[what][why] = s->leaf_ns[what][why] * gpus;
    hc_gpu_ns standby = s->standby_ns * job->gpus_per_node;
    s->out->account.leaf[HC_WHAT_STANDBY_IDLE][HC_WHY_NONE] = standby;
    if (s->elastic)
        hc_life_elastic_close(s);
    hc_gpu_ns held = (s->out->wall_ns - s->out->queue_ns) * gpus - s->out->absent_gpu_ns + standby;
    if (!s->pool->fleet) { /* else they are nobody's alone */
        hc_life_pool_idle(s->pool, s->now_ns);
        hc_gpu_ns idle = s->pool->idle_ns * job->gpus_per_node;
        s->out->account.leaf[HC_WHAT_POOL_IDLE][HC_WHY_NONE] = idle;
        held += idle;
    }
    if (hc_account_total(&s->out->account) != held)
        return hc_fail(s->err, HC_INTERNAL,
                       "lifetime: the account misses %g GPU-ns of %g (a mistake in hindcast)",
                       (double)(held - hc_account_total(&s->out->account)), (double)held);
    return HC_OK;
}

/* Steps run again, or never will. */
static void end_stop(struct hc_life *s)
{
    int64_t ns = s->now_ns - s->stopped_at_ns;
    if (s->stopped_at_ns < 0)
        return;
    s->out->stops_of[hc_stop_length(ns)]++;
    if (ns > s->out->longest_stop_ns)
        s->out->longest_stop_ns = ns;
    s->stopped_at_ns = -1;
}

enum hc_status hc_life_live(struct hc_life *s)
{
    if (s->config->recovery.queues_first)
        hc_life_queue(s, hc_life_draw(s, &s->config->recovery.queue_s, HC_STREAM_RECOVER));
    s->out->first_queue_ns = s->out->queue_ns;
    hc_life_start(s, HC_START_FIRST, HC_WHY_FIRST_START);
    while (!s->over) {
        if (s->stopped) {
            hc_life_recover(s);
            continue;
        }
        end_stop(s);
        hc_life_run_stretch(s);
    }
    end_stop(s);
    hc_life_meet(s, HC_MEETS_END);
    return s->status ? s->status : close_account(s);
}

enum hc_status hc_life_replica(struct hc_life *s, uint64_t replica, struct hc_lifetime_replica *out)
{
    hc_life_begin(s, replica, out);
    return hc_life_live(s);
}
