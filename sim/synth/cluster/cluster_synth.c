#include "sim/synth/cluster/cluster_synth.h"

#include "core/base/memory.h"
#include "core/base/missing.h"
#include "sim/engine/event_heap.h"
#include "sim/synth/cluster/cluster_mistake.h"
#include "sim/synth/cluster/cluster_node_start.h"
#include "sim/synth/cluster/cluster_places.h"
#include "sim/synth/cluster/cluster_plan.h"
#include "sim/synth/cluster/cluster_plant.h"
#include "sim/synth/cluster/cluster_queue_plant.h"
#include "sim/synth/cluster/cluster_runs.h"

#include <stdlib.h>

#define SECOND_NS       ((int64_t)1000000000)
#define DAY_S           86400
#define LOOKED_AT       100 /* waiting attempts that may pass the first */
#define REQUEUE_S       120
#define RESUBMIT_S      60
#define FIRST_MISTAKE_S 600 /* of a run that loses time */
#define RUN_LIMIT_S     (2 * DAY_S)
#define MOST_CYCLES     4
#define RESTART_S       90
#define TORN_DOWN_S     20   /* from the notice of a fault to the end of the attempt */
#define MISTAKE_SHARE   0.08 /* of attempts of runs that a mistake of the user's ends */

enum event {
    EVENT_SUBMIT,
    EVENT_RUN,
    EVENT_WAKE,
    EVENT_END,
    EVENT_FAULT,
    EVENT_REPAIR,
    EVENT_ETTR, /* of a run that loses time from now on */
    EVENT_LOOK  /* of a scheduler that looks from time to time */
};

/* An attempt while it waits or runs. */
struct state {
    int32_t next; /* in the queue */
    bool is_struck;
    enum hc_cluster_end end; /* how it would end now */
    int64_t work_s;          /* of jobs without a run */
};

struct life {
    struct hc_cluster *cluster;
    struct hc_cluster_submission *plan;
    size_t n_plan, attempt_room, state_room, node_room, stray_room;
    struct state *states;
    struct hc_event_heap heap;
    struct hc_philox rng;
    struct hc_cluster_cycles cycles;
    int32_t first, last; /* of the queue */
    struct hc_cluster_places places;
    int64_t now_s, next_job;
    int64_t looked_s, looks_s; /* of the scheduler: the last time, and the next */
};

static enum hc_status push(struct life *life, int64_t at_s, enum event kind, size_t who,
                           struct hc_error *err)
{
    return hc_event_heap_push(
        &life->heap, (struct hc_event){at_s * SECOND_NS, 0, (int32_t)kind, (int32_t)who}, err);
}

/* ---- waiting ---- */

static void enqueue(struct life *life, size_t attempt)
{
    life->states[attempt].next = HC_CLUSTER_NONE;
    if (life->last == HC_CLUSTER_NONE)
        life->first = (int32_t)attempt;
    else
        life->states[life->last].next = (int32_t)attempt;
    life->last = (int32_t)attempt;
}

static void unlink_from_queue(struct life *life, int32_t before, int32_t attempt)
{
    int32_t next = life->states[attempt].next;
    if (before == HC_CLUSTER_NONE)
        life->first = next;
    else
        life->states[before].next = next;
    if (life->last == attempt)
        life->last = before;
}

/* Add an attempt that waits from eligible_s on. */
static enum hc_status add_attempt(struct life *life, const struct hc_cluster_attempt *attempt,
                                  const struct state *state, struct hc_error *err)
{
    struct hc_cluster *c = life->cluster;
    size_t i = c->n_attempts;
    if (hc_reserve(&c->attempts, &life->attempt_room, i + 1, sizeof *c->attempts, err) ||
        hc_reserve(&life->states, &life->state_room, i + 1, sizeof *life->states, err))
        return err->status;
    c->attempts[i] = *attempt;
    c->attempts[i].start_s = c->attempts[i].end_s = HC_CLUSTER_NO_TIME_S;
    c->attempts[i].end = HC_CLUSTER_PENDING;
    c->attempts[i].fault = HC_CLUSTER_NONE;
    life->states[i] = *state;
    c->n_attempts++;
    enqueue(life, i);
    return push(life, attempt->eligible_s, EVENT_WAKE, i, err);
}

static enum hc_status submit_plain(struct life *life, const struct hc_cluster_submission *job,
                                   struct hc_error *err)
{
    struct hc_cluster_attempt a = {.job = life->next_job,
                                   .run = HC_CLUSTER_NONE,
                                   .user = job->user,
                                   .submit_s = life->now_s,
                                   .eligible_s = life->now_s,
                                   .limit_s = job->limit_s,
                                   .gpus = job->gpus};
    const struct state state = {.end = job->end, .work_s = job->work_s};
    a.n_nodes = job->gpus > HC_CLUSTER_GPUS ? job->gpus / HC_CLUSTER_GPUS : 1;
    for (int32_t task = 0; task < job->n_tasks; task++) {
        a.array_task = job->n_tasks > 1 ? task : HC_CLUSTER_NONE;
        a.raw_job = life->next_job++;
        if (add_attempt(life, &a, &state, err))
            return err->status;
    }
    return HC_OK;
}

static enum hc_status submit_run(struct life *life, size_t run, struct hc_error *err)
{
    const struct hc_cluster_run *r = &life->cluster->runs[run];
    const struct hc_cluster_attempt a = {.job = life->next_job,
                                         .raw_job = life->next_job,
                                         .array_task = HC_CLUSTER_NONE,
                                         .run = (int32_t)run,
                                         .user = r->user,
                                         .submit_s = life->now_s,
                                         .eligible_s = life->now_s,
                                         .limit_s = RUN_LIMIT_S,
                                         .n_nodes = r->n_nodes,
                                         .gpus = r->n_nodes * HC_CLUSTER_GPUS};
    life->next_job++;
    return add_attempt(life, &a, &(struct state){.end = HC_CLUSTER_COMPLETED}, err);
}

static enum hc_status requeue(struct life *life, size_t attempt, struct hc_error *err)
{
    struct hc_cluster_attempt a = life->cluster->attempts[attempt];
    a.restarts++;
    a.submit_s = life->now_s;
    a.eligible_s = life->now_s + REQUEUE_S;
    a.n_cycles = 0;
    return add_attempt(life, &a, &(struct state){.end = HC_CLUSTER_COMPLETED}, err);
}

/* ---- running ---- */

/* A mistake of the user's ends the attempt at at_s, if its training goes on until then. */
static void err_at(struct life *life, size_t attempt, int64_t at_s, int64_t *end_s)
{
    if (at_s >= *end_s - HC_CLUSTER_IDLE_S)
        return;
    *end_s = at_s;
    life->states[attempt].end = HC_CLUSTER_FAILED;
}

/* The mistakes of a run that loses time. */
static void err_again(struct life *life, size_t attempt, int64_t *end_s)
{
    struct hc_cluster *c = life->cluster;
    const struct hc_cluster_attempt *a = &c->attempts[attempt];
    if (hc_cluster_planted(c, HC_CLUSTER_ETTR, a->run, life->now_s))
        err_at(life, attempt,
               hc_cluster_next_mistake_s(c, &c->cycles[a->last_cycle]) + HC_CLUSTER_TRACEBACK_S,
               end_s);
}

static enum hc_status begin(struct life *life, size_t attempt, struct hc_error *err)
{
    struct hc_cluster_attempt *a = &life->cluster->attempts[attempt];
    struct state *state = &life->states[attempt];
    a->start_s = life->now_s;
    a->end = HC_CLUSTER_RUNNING;
    int64_t end_s = a->start_s + state->work_s, ready_s[HC_CLUSTER_N_PHASES + 1];
    if (a->run != HC_CLUSTER_NONE) {
        hc_cluster_slowest_start(life->cluster, attempt, ready_s);
        if (hc_cluster_cycle_begin(&life->cycles, attempt, ready_s[HC_CLUSTER_N_PHASES], &end_s,
                                   err))
            return err->status;
        if (end_s > a->start_s + a->limit_s) {
            end_s = a->start_s + a->limit_s;
            state->end = HC_CLUSTER_TIMEOUT;
        }
        double share = hc_philox_uniform(&life->rng) / MISTAKE_SHARE;
        if (share < 1)
            err_at(life, attempt,
                   a->start_s + (int64_t)(share * (double)(end_s - a->start_s)) + 120, &end_s);
        err_again(life, attempt, &end_s);
    }
    a->end_s = end_s;
    return push(life, end_s, EVENT_END, attempt, err);
}

/* From one look of the scheduler to the next. */
static int64_t between_looks_s(const struct life *life)
{
    const struct hc_cluster *c = life->cluster;
    double factor = hc_cluster_planted(c, HC_CLUSTER_LOOKS, 0, life->now_s)
                        ? hc_cluster_plant_factor(HC_CLUSTER_LOOKS)
                        : 1;
    return (int64_t)(factor * c->options.look_s);
}

static enum hc_status start_now(struct life *life, struct hc_error *err)
{
    struct hc_cluster *c = life->cluster;
    int32_t before = HC_CLUSTER_NONE, next;
    int n = 0;
    for (int32_t i = life->first; i != HC_CLUSTER_NONE && n < LOOKED_AT; i = next, n++) {
        struct hc_cluster_attempt *a = &c->attempts[i];
        next = life->states[i].next;
        if (hc_reserve(&c->nodes, &life->node_room, c->n_nodes + (size_t)a->n_nodes,
                       sizeof *c->nodes, err))
            return err->status;
        if (a->eligible_s > life->now_s ||
            !hc_cluster_place(&life->places, a, i, c->nodes + c->n_nodes)) {
            before = i;
            continue;
        }
        a->nodes = c->n_nodes;
        c->n_nodes += (size_t)a->n_nodes;
        unlink_from_queue(life, before, i);
        if (begin(life, (size_t)i, err))
            return err->status;
    }
    return HC_OK;
}

/* At once, or when the scheduler looks next. Nobody waits for a look that nothing has asked for. */
static enum hc_status start_waiting(struct life *life, struct hc_error *err)
{
    if (!life->cluster->options.look_s)
        return start_now(life, err);
    if (life->looks_s > life->now_s)
        return HC_OK;
    int64_t each_s = between_looks_s(life);
    life->looks_s = life->now_s + each_s - (life->now_s - life->looked_s) % each_s;
    return push(life, life->looks_s, EVENT_LOOK, 0, err);
}

static enum hc_status look(struct life *life, struct hc_error *err)
{
    life->looked_s = life->now_s;
    return start_now(life, err);
}

/* ---- ending ---- */

static enum hc_status add_stray(struct life *life, const struct hc_cluster_attempt *a,
                                struct hc_error *err)
{
    struct hc_cluster *c = life->cluster;
    if (a->gpus == 0 || !(hc_philox_uniform(&life->rng) < c->options.stray_share))
        return HC_OK;
    if (hc_reserve(&c->strays, &life->stray_room, c->n_strays + 1, sizeof *c->strays, err))
        return err->status;
    struct hc_cluster_stray *stray = &c->strays[c->n_strays++];
    stray->is_of_tool = hc_philox_uniform(&life->rng) < 0.3;
    stray->time_s = a->end_s - (int64_t)hc_philox_integer(&life->rng, 4);
    stray->node = c->nodes[a->nodes];
    stray->gpu = (int32_t)hc_philox_integer(&life->rng, HC_CLUSTER_GPUS);
    stray->code = stray->is_of_tool ? 31 : hc_philox_uniform(&life->rng) < 0.5 ? 43 : 45;
    return HC_OK;
}

/* What becomes of a run whose attempt is over. */
static enum hc_status carry_on(struct life *life, size_t attempt, struct hc_error *err)
{
    const struct hc_cluster_attempt *a = &life->cluster->attempts[attempt];
    if (life->cycles.progress[a->run].is_done)
        return HC_OK;
    if (a->end == HC_CLUSTER_NODE_FAIL && life->cluster->runs[a->run].requeues)
        return requeue(life, attempt, err);
    bool is_soon = a->end == HC_CLUSTER_TIMEOUT ||
                   hc_cluster_planted(life->cluster, HC_CLUSTER_ETTR, a->run, life->now_s);
    int64_t delay_s = is_soon ? RESUBMIT_S : hc_cluster_draw_s(&life->rng, 1800, 1.0, 2 * DAY_S);
    return push(life, life->now_s + delay_s, EVENT_RUN, (size_t)a->run, err);
}

static enum hc_status end_attempt(struct life *life, size_t attempt, struct hc_error *err)
{
    struct hc_cluster_attempt *a = &life->cluster->attempts[attempt];
    if (a->end != HC_CLUSTER_RUNNING || a->end_s != life->now_s)
        return HC_OK; /* it ended otherwise */
    a->end = life->states[attempt].end;
    hc_cluster_leave(&life->places, a, (int32_t)attempt, life->cluster->nodes + a->nodes);
    int64_t stops_s = life->now_s - (a->end == HC_CLUSTER_FAILED ? HC_CLUSTER_TRACEBACK_S : 0);
    if (a->run != HC_CLUSTER_NONE && a->fault == HC_CLUSTER_NONE)
        hc_cluster_cycle_end(&life->cycles, attempt, stops_s, life->now_s);
    if (a->end == HC_CLUSTER_COMPLETED && add_stray(life, a, err))
        return err->status;
    if (a->run != HC_CLUSTER_NONE && carry_on(life, attempt, err))
        return err->status;
    return start_waiting(life, err);
}

/* ---- faults ---- */

static bool restarts(const struct life *life, const struct hc_cluster_attempt *a,
                     const struct hc_cluster_fault *fault)
{
    return a->run != HC_CLUSTER_NONE && life->cluster->runs[a->run].restarts_in_place &&
           a->n_cycles < MOST_CYCLES && fault->n_nodes == 1 &&
           (fault->kind == HC_CLUSTER_ECC || fault->kind == HC_CLUSTER_LINK) &&
           fault->notice_s + RESTART_S + 3600 < a->start_s + a->limit_s;
}

/* The processes are launched again within the allocation; the node stays in use. */
static enum hc_status restart_in_place(struct life *life, size_t attempt, size_t fault,
                                       struct hc_error *err)
{
    struct hc_cluster *c = life->cluster;
    struct hc_cluster_attempt *a = &c->attempts[attempt];
    struct hc_cluster_fault *f = &c->faults[fault];
    int64_t end_s;
    hc_cluster_cycle_end(&life->cycles, attempt, f->time_s, f->notice_s);
    c->cycles[a->last_cycle].fault = (int32_t)fault;
    f->repaired_s = f->notice_s;
    if (hc_cluster_cycle_begin(&life->cycles, attempt, f->notice_s + RESTART_S, &end_s, err))
        return err->status;
    life->states[attempt].end = HC_CLUSTER_COMPLETED;
    if (end_s > a->start_s + a->limit_s) {
        end_s = a->start_s + a->limit_s;
        life->states[attempt].end = HC_CLUSTER_TIMEOUT;
    }
    err_again(life, attempt, &end_s);
    a->end_s = end_s;
    return push(life, end_s, EVENT_END, attempt, err);
}

static enum hc_status strike(struct life *life, size_t attempt, size_t fault, struct hc_error *err)
{
    struct hc_cluster *c = life->cluster;
    struct hc_cluster_attempt *a = &c->attempts[attempt];
    struct hc_cluster_fault *f = &c->faults[fault];
    struct state *state = &life->states[attempt];
    bool uses_it = f->kind == HC_CLUSTER_NODE_DOWN || a->gpus > 0;
    bool is_between = a->n_cycles > 1 && f->time_s < c->cycles[a->last_cycle].start_s;
    if (state->is_struck || !uses_it || f->time_s < a->start_s ||
        (is_between && f->kind != HC_CLUSTER_NODE_DOWN)) /* nothing runs on the GPU just now */
        return HC_OK;
    f->n_stopped++;
    if (restarts(life, a, f))
        return restart_in_place(life, attempt, fault, err);
    state->is_struck = true;
    state->end = f->kind == HC_CLUSTER_NODE_DOWN ? HC_CLUSTER_NODE_FAIL : HC_CLUSTER_FAILED;
    a->fault = (int32_t)fault;
    a->end_s = f->notice_s + (f->kind == HC_CLUSTER_NODE_DOWN ? 0 : TORN_DOWN_S);
    if (is_between) {
        hc_cluster_cycle_call_off(&life->cycles, attempt, f->notice_s, (int32_t)fault);
    } else if (a->run != HC_CLUSTER_NONE) {
        hc_cluster_cycle_end(&life->cycles, attempt, f->time_s, f->notice_s);
        c->cycles[a->last_cycle].fault = (int32_t)fault;
    }
    return push(life, a->end_s, EVENT_END, attempt, err);
}

static enum hc_status break_node(struct life *life, size_t fault, struct hc_error *err)
{
    struct hc_cluster_fault *f = &life->cluster->faults[fault];
    for (int32_t k = 0; k < f->n_nodes; k++) {
        int32_t node = f->node + k;
        for (int i = 0; i < HC_CLUSTER_GPUS; i++) {
            int32_t guest = life->places.guests[node][i];
            if (guest != HC_CLUSTER_NONE && strike(life, (size_t)guest, fault, err))
                return err->status;
        }
        hc_cluster_take_away(&life->places, node);
    }
    return push(life, f->repaired_s, EVENT_REPAIR, fault, err);
}

static enum hc_status repair(struct life *life, size_t fault, struct hc_error *err)
{
    const struct hc_cluster_fault *f = &life->cluster->faults[fault];
    for (int32_t k = 0; k < f->n_nodes; k++)
        hc_cluster_give_back(&life->places, f->node + k);
    return start_waiting(life, err);
}

/* ---- the life ---- */

/* A run that loses time from now on makes its first mistake soon. */
static enum hc_status lose_time(struct life *life, size_t run, struct hc_error *err)
{
    struct hc_cluster *c = life->cluster;
    size_t i = c->n_attempts;
    while (i > 0 &&
           (c->attempts[i - 1].run != (int32_t)run || c->attempts[i - 1].end != HC_CLUSTER_RUNNING))
        i--;
    if (i == 0 || life->states[i - 1].is_struck)
        return HC_OK;
    struct hc_cluster_attempt *a = &c->attempts[i - 1];
    err_at(life, i - 1, life->now_s + FIRST_MISTAKE_S, &a->end_s);
    return push(life, a->end_s, EVENT_END, i - 1, err);
}

static enum hc_status meet(struct life *life, struct hc_event event, struct hc_error *err)
{
    size_t who = (size_t)event.who;
    switch ((enum event)event.kind) {
    case EVENT_SUBMIT:
        return submit_plain(life, &life->plan[who], err);
    case EVENT_RUN:
        return submit_run(life, who, err);
    case EVENT_WAKE:
        return life->cluster->attempts[who].end == HC_CLUSTER_PENDING ? start_waiting(life, err)
                                                                      : HC_OK;
    case EVENT_END:
        return end_attempt(life, who, err);
    case EVENT_FAULT:
        return break_node(life, who, err);
    case EVENT_REPAIR:
        return repair(life, who, err);
    case EVENT_ETTR:
        return lose_time(life, who, err);
    case EVENT_LOOK:
        return look(life, err);
    }
    return HC_OK;
}

static enum hc_status prepare(struct life *life, struct hc_error *err)
{
    struct hc_cluster *c = life->cluster;
    if (hc_cluster_places_init(&life->places, c->options.n_nodes, err) ||
        hc_cluster_plan_jobs(&life->plan, &life->n_plan, &c->options, err) ||
        hc_cluster_plan_runs(c, err) || hc_cluster_plan_faults(c, err) ||
        hc_cluster_choose_subjects(c, err) || hc_cluster_plant_faults(c, err) ||
        hc_event_heap_init(&life->heap, life->n_plan + c->n_faults + 64, err))
        return err->status;
    life->cycles.progress =
        hc_new_array(c->n_runs ? c->n_runs : 1, sizeof *life->cycles.progress, err);
    enum hc_status status = life->cycles.progress ? HC_OK : err->status;
    for (size_t i = 0; i < life->n_plan && !status; i++)
        status = push(life, life->plan[i].submit_s, EVENT_SUBMIT, i, err);
    for (size_t i = 0; i < c->n_runs && !status; i++)
        status = push(life, hc_cluster_run_start_s(c, i), EVENT_RUN, i, err);
    for (size_t i = 0; i < c->n_faults && !status; i++)
        status = push(life, c->faults[i].time_s, EVENT_FAULT, i, err);
    for (int32_t i = 0; i < c->options.n_plants && !status; i++) {
        const struct hc_cluster_plant *plant = &c->options.plants[i];
        if (plant->kind == HC_CLUSTER_ETTR)
            status =
                push(life, hc_cluster_plant_s(c, plant), EVENT_ETTR, (size_t)plant->subject, err);
    }
    return status;
}

/* What goes on at the end of the life has no end. */
static void break_off(struct life *life)
{
    struct hc_cluster *c = life->cluster;
    for (size_t i = 0; i < c->n_attempts; i++) {
        struct hc_cluster_attempt *a = &c->attempts[i];
        if (a->end != HC_CLUSTER_RUNNING)
            continue;
        if (a->run != HC_CLUSTER_NONE && !life->states[i].is_struck)
            hc_cluster_cycle_end(&life->cycles, i, c->end_s, HC_CLUSTER_NO_TIME_S);
        a->end_s = HC_CLUSTER_NO_TIME_S;
        a->fault = HC_CLUSTER_NONE;
    }
    for (size_t i = 0; i < c->n_runs; i++)
        c->runs[i].saved_iteration = life->cycles.progress[i].saved_iteration;
}

static void life_fini(struct life *life)
{
    free(life->plan);
    free(life->states);
    hc_cluster_places_fini(&life->places);
    free(life->cycles.progress);
    hc_event_heap_fini(&life->heap);
}

enum hc_status hc_cluster_live_once(struct hc_cluster *cluster,
                                    const struct hc_cluster_options *options, struct hc_error *err)
{
    *cluster = (struct hc_cluster){.options = *options};
    cluster->end_s = options->start_s + (int64_t)options->n_days * DAY_S;
    struct life life = {.cluster = cluster, .first = HC_CLUSTER_NONE, .last = HC_CLUSTER_NONE};
    life.cycles = (struct hc_cluster_cycles){.cluster = cluster, .rng = &life.rng};
    life.next_job = 100001;
    hc_philox_seek(&life.rng, options->seed, HC_CLUSTER_LIFE_STREAM, 0);
    enum hc_status status = prepare(&life, err);
    while (!status && hc_event_heap_next_ns(&life.heap) <= cluster->end_s * SECOND_NS) {
        struct hc_event event = hc_event_heap_pop(&life.heap);
        life.now_s = event.time_ns / SECOND_NS;
        status = meet(&life, event, err);
    }
    if (!status)
        break_off(&life);
    life_fini(&life);
    if (status)
        hc_cluster_fini(cluster);
    return status;
}

void hc_cluster_fini(struct hc_cluster *cluster)
{
    free(cluster->attempts);
    free(cluster->cycles);
    free(cluster->runs);
    free(cluster->faults);
    free(cluster->strays);
    free(cluster->nodes);
    *cluster = (struct hc_cluster){0};
}
