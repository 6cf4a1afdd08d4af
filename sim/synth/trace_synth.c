#include "sim/synth/trace_synth.h"

#include "core/base/memory.h"
#include "core/base/missing.h"
#include "core/random/philox.h"
#include "sim/synth/trace_schedule.h"

#include <stdlib.h>
#include <string.h>

/* 2026-01-01T00:00:00Z; and how long before its first step a trace begins. */
#define EPOCH_NS INT64_C(1767225600000000000)
#define LEAD_NS  INT64_C(1000000000)
/* Streams of random numbers beside those of ops, whose upper half is the number of a step. */
#define CLOCK_STREAM ((uint64_t)UINT32_MAX << 32)
#define LOST_STREAM  ((uint64_t)1 << 63)

static const int32_t stream_number[HC_N_TRACE_STREAMS] = {7, 20, 24, 28};

/* What a rank records of a step. */
struct recorder {
    struct hc_trace_clock clock;
    int64_t base_ns, correlation, n_lost;
    size_t n, capacity;
    struct hc_trace_event *events;
};

struct hc_trace_synth {
    struct hc_trace_schedule schedule;
    struct recorder *recorders;
};

/* ---- checks ---- */

static enum hc_status check_plant(const struct hc_trace_synth_options *o,
                                  const struct hc_trace_plant *plant, struct hc_error *err)
{
    int32_t n_ranks = o->dp * o->pp;
    if (plant->rank < 0 || plant->rank >= n_ranks)
        return hc_fail(err, HC_USAGE, "rank %d is not of the %d ranks of the job", plant->rank,
                       n_ranks);
    if (plant->kind == HC_PLANT_SLOW_LINK &&
        (plant->other < 0 || plant->other >= n_ranks || plant->other == plant->rank))
        return hc_fail(err, HC_USAGE, "a link from rank %d to rank %d is none of the job",
                       plant->rank, plant->other);
    if (plant->kind == HC_PLANT_PAUSE &&
        (plant->step < o->first_step || plant->step - o->first_step >= o->n_steps))
        return hc_fail(err, HC_USAGE, "a pause in step %d, but the steps are %d to %d", plant->step,
                       o->first_step, o->first_step + o->n_steps - 1);
    return HC_OK;
}

static enum hc_status check(const struct hc_trace_synth_options *o, struct hc_error *err)
{
    if ((int64_t)o->dp * o->pp > HC_TRACE_SYNTH_MAX_RANKS)
        return hc_fail(err, HC_USAGE, "dp %d and pp %d make more than %d ranks", o->dp, o->pp,
                       HC_TRACE_SYNTH_MAX_RANKS);
    for (size_t i = 0; i < o->n_plants; i++)
        if (check_plant(o, &o->plants[i], err))
            return err->status;
    for (size_t i = 0; i < o->n_clocks; i++)
        if (o->clocks[i].rank < 0 || o->clocks[i].rank >= o->dp * o->pp)
            return hc_fail(err, HC_USAGE, "a clock of rank %d, but the job has %d ranks",
                           o->clocks[i].rank, o->dp * o->pp);
    return HC_OK;
}

/* ---- clocks ---- */

static void set_clock(struct recorder *recorder, const struct hc_trace_synth_options *o,
                      int32_t rank)
{
    struct hc_philox rng;
    hc_philox_seek(&rng, o->seed, CLOCK_STREAM | (uint32_t)rank, 0);
    double offset = 2 * hc_philox_uniform(&rng) - 1, drift = 2 * hc_philox_uniform(&rng) - 1;
    recorder->clock =
        (struct hc_trace_clock){.rank = rank,
                                .offset_ns = (int64_t)(offset * (double)o->clock_spread_ns),
                                .drift = drift * o->drift_spread};
    for (size_t i = 0; i < o->n_clocks; i++)
        if (o->clocks[i].rank == rank)
            recorder->clock = o->clocks[i];
    recorder->base_ns = EPOCH_NS + recorder->clock.offset_ns - LEAD_NS;
}

/* From true ns since the first step to ns since the base of the trace. */
static int64_t local_ns(const struct recorder *recorder, int64_t ns)
{
    return ns + LEAD_NS + (int64_t)(recorder->clock.drift * (double)ns);
}

/* ---- events ---- */

struct record {
    struct recorder *recorder;
    const struct hc_trace_schedule *schedule;
    struct hc_error *err;
};

static enum hc_status put(struct record *r, int64_t start, int64_t end, struct hc_trace_event event)
{
    struct recorder *recorder = r->recorder;
    if (hc_reserve(&recorder->events, &recorder->capacity, recorder->n + 1,
                   sizeof *recorder->events, r->err))
        return r->err->status;
    event.start_ns = local_ns(recorder, start);
    event.duration_ns = local_ns(recorder, end) - event.start_ns;
    recorder->events[recorder->n++] = event;
    return HC_OK;
}

static struct hc_trace_event new_event(enum hc_trace_event_kind kind, const char *name,
                                       int32_t thread)
{
    return (struct hc_trace_event){.kind = kind, .name = name, .number = -1, .thread = thread};
}

/* What a transfer is, as both the record on the CPU and the kernel say it. */
static struct hc_trace_comm comm_of(const struct record *r, const struct hc_trace_op *op,
                                    const struct hc_trace_program *program)
{
    const struct hc_trace_schedule *s = r->schedule;
    return (struct hc_trace_comm){.op = op->comm_name,
                                  .group = &program->groups[op->group],
                                  .elements = op->elements,
                                  .seq = s->options.has_no_seq
                                             ? HC_MISSING_I64
                                             : (int64_t)s->step * op->n_a_step + op->order + 1,
                                  .source = op->source,
                                  .destination = op->destination};
}

static enum hc_status put_launch(struct record *r, const struct hc_trace_op *op,
                                 const struct hc_trace_times *t,
                                 const struct hc_trace_program *program)
{
    bool is_comm = op->kind == HC_OP_COMM, is_copy = op->kind == HC_OP_COPY;
    struct hc_trace_event cpu =
        new_event(is_comm ? HC_TRACE_COMM_OP : HC_TRACE_CPU_OP,
                  is_comm ? "record_param_comms" : op->cpu_name, op->thread);
    struct hc_trace_event call = new_event(HC_TRACE_CALL,
                                           is_copy   ? "cudaMemcpyAsync"
                                           : is_comm ? "cudaLaunchKernelExC"
                                                     : "cudaLaunchKernel",
                                           op->thread);
    struct hc_trace_event gpu = new_event(is_comm   ? HC_TRACE_COMM_KERNEL
                                          : is_copy ? HC_TRACE_COPY
                                                    : HC_TRACE_KERNEL,
                                          op->name, 0);
    call.correlation = gpu.correlation = ++r->recorder->correlation;
    gpu.stream = stream_number[op->stream];
    gpu.bytes = is_copy ? 1048576 : 0;
    if (is_comm)
        cpu.comm = gpu.comm = comm_of(r, op, program);
    enum hc_status status = put(r, t->cpu_ns, t->call_end_ns, cpu);
    if (status == HC_OK && is_comm)
        status = put(r, t->cpu_ns + 500, t->call_end_ns - 200,
                     new_event(HC_TRACE_ANNOTATION, op->cpu_name, op->thread));
    if (status == HC_OK)
        status = put(r, t->call_ns, t->call_end_ns - 500, call);
    return status ? status : put(r, t->gpu_ns, t->gpu_end_ns, gpu);
}

static enum hc_status put_wait(struct record *r, const struct hc_trace_op *op,
                               const struct hc_trace_times *t)
{
    int64_t middle = t->call_ns + (t->call_end_ns - t->call_ns) / 2;
    struct hc_trace_event record = new_event(HC_TRACE_CALL, "cudaEventRecord", op->thread);
    struct hc_trace_event call = new_event(HC_TRACE_CALL, "cudaStreamWaitEvent", op->thread);
    struct hc_trace_event sync = new_event(HC_TRACE_STREAM_WAIT, "Stream Wait Event", 0);
    record.correlation = ++r->recorder->correlation;
    call.correlation = sync.correlation = ++r->recorder->correlation;
    sync.record_correlation = record.correlation;
    sync.stream = stream_number[op->stream];
    sync.awaited_stream = stream_number[op->awaited];
    if (put(r, t->call_ns, middle - 200, record) || put(r, middle, t->call_end_ns - 200, call))
        return r->err->status;
    return put(r, middle + 200, t->call_end_ns - 400, sync);
}

static enum hc_status put_sync(struct record *r, const struct hc_trace_times *t)
{
    struct hc_trace_event call = new_event(HC_TRACE_CALL, "cudaDeviceSynchronize", 0);
    struct hc_trace_event sync = new_event(HC_TRACE_DEVICE_SYNC, "Context Sync", 0);
    call.correlation = sync.correlation = ++r->recorder->correlation;
    sync.stream = -1;
    enum hc_status status = put(r, t->call_ns, t->call_end_ns - 500, call);
    return status ? status : put(r, t->call_ns + 200, t->call_end_ns - 700, sync);
}

static enum hc_status put_step(struct record *r, const struct hc_trace_lane *lane)
{
    struct hc_trace_event step = new_event(HC_TRACE_ANNOTATION, "ProfilerStep#", 0);
    step.number = r->schedule->options.first_step + r->schedule->step;
    enum hc_status status = put(r, lane->step_ns, lane->end_ns, step);
    for (size_t i = 0; status == HC_OK && i < lane->program.n; i++) {
        const struct hc_trace_op *op = &lane->program.ops[i];
        const struct hc_trace_times *times = &lane->times[i];
        if (op->kind == HC_OP_WAIT)
            status = put_wait(r, op, times);
        else if (op->kind == HC_OP_SYNC)
            status = put_sync(r, times);
        else
            status = put_launch(r, op, times, &lane->program);
    }
    return status;
}

/* Steps stay. */
static void lose(struct recorder *recorder, const struct hc_trace_schedule *s, int32_t rank)
{
    struct hc_philox rng;
    size_t kept = 0;
    hc_philox_seek(&rng, s->options.seed,
                   LOST_STREAM | (uint64_t)(uint32_t)s->step << 32 | (uint32_t)rank, 0);
    for (size_t i = 0; i < recorder->n; i++) {
        bool is_lost = hc_philox_uniform(&rng) < s->options.lost_share;
        if (!is_lost || recorder->events[i].number >= 0)
            recorder->events[kept++] = recorder->events[i];
    }
    recorder->n_lost += (int64_t)(recorder->n - kept);
    recorder->n = kept;
}

/* ---- the whole ---- */

enum hc_status hc_trace_synth_open(struct hc_trace_synth **made,
                                   const struct hc_trace_synth_options *options,
                                   struct hc_error *err)
{
    *made = NULL;
    if (check(options, err))
        return err->status;
    struct hc_trace_synth *synth = hc_new_array(1, sizeof *synth, err);
    if (!synth)
        return err->status;
    size_t n_ranks = (size_t)options->dp * (size_t)options->pp;
    synth->recorders = hc_new_array(n_ranks, sizeof *synth->recorders, err);
    if (!synth->recorders || hc_trace_schedule_init(&synth->schedule, options, err)) {
        hc_trace_synth_close(synth);
        return err->status;
    }
    for (size_t r = 0; r < n_ranks; r++)
        set_clock(&synth->recorders[r], options, (int32_t)r);
    *made = synth;
    return HC_OK;
}

void hc_trace_synth_close(struct hc_trace_synth *synth)
{
    if (!synth)
        return;
    for (int32_t r = 0; synth->recorders && r < synth->schedule.n_ranks; r++)
        free(synth->recorders[r].events);
    free(synth->recorders);
    hc_trace_schedule_fini(&synth->schedule);
    free(synth);
}

enum hc_status hc_trace_synth_step(struct hc_trace_synth *synth, bool *is_end, struct hc_error *err)
{
    struct hc_trace_schedule *s = &synth->schedule;
    *is_end = s->step + 1 >= s->options.n_steps;
    if (*is_end)
        return HC_OK;
    if (hc_trace_schedule_step(s, err))
        return err->status;
    for (int32_t rank = 0; rank < s->n_ranks; rank++) {
        struct record r = {&synth->recorders[rank], s, err};
        r.recorder->n = 0;
        if (put_step(&r, &s->lanes[rank]))
            return err->status;
        if (s->options.lost_share > 0)
            lose(r.recorder, s, rank);
    }
    return HC_OK;
}

const struct hc_trace_event *hc_trace_synth_events(const struct hc_trace_synth *synth, int32_t rank,
                                                   size_t *n)
{
    *n = synth->recorders[rank].n;
    return synth->recorders[rank].events;
}

int32_t hc_trace_synth_ranks(const struct hc_trace_synth *synth)
{
    return synth->schedule.n_ranks;
}

int64_t hc_trace_synth_base_ns(const struct hc_trace_synth *synth, int32_t rank)
{
    return synth->recorders[rank].base_ns;
}

struct hc_trace_clock hc_trace_synth_clock(const struct hc_trace_synth *synth, int32_t rank)
{
    return synth->recorders[rank].clock;
}

int64_t hc_trace_synth_lost(const struct hc_trace_synth *synth, int32_t rank)
{
    return synth->recorders[rank].n_lost;
}

const struct hc_trace_group *hc_trace_synth_groups(const struct hc_trace_synth *synth, int32_t rank,
                                                   size_t *n)
{
    *n = synth->schedule.lanes[rank].program.n_groups;
    return synth->schedule.lanes[rank].program.groups;
}

/* ---- the truth ---- */

static enum hc_status simulate(const struct hc_trace_synth_options *options, int64_t *total_ns,
                               struct hc_error *err)
{
    struct hc_trace_schedule schedule;
    enum hc_status status = hc_trace_schedule_init(&schedule, options, err);
    for (int32_t k = 0; status == HC_OK && k < options->n_steps; k++)
        status = hc_trace_schedule_step(&schedule, err);
    *total_ns = 0;
    for (int32_t r = 0; status == HC_OK && r < schedule.n_ranks; r++)
        if (schedule.lanes[r].end_ns > *total_ns)
            *total_ns = schedule.lanes[r].end_ns;
    hc_trace_schedule_fini(&schedule);
    return status;
}

enum hc_status hc_trace_synth_truth(struct hc_trace_truth *truth,
                                    const struct hc_trace_synth_options *options,
                                    struct hc_error *err)
{
    struct hc_trace_synth_options one = *options;
    *truth = (struct hc_trace_truth){0};
    if (check(options, err))
        return err->status;
    truth->cost_ns = hc_new_array(options->n_plants, sizeof *truth->cost_ns, err);
    one.n_plants = 0;
    if (!truth->cost_ns || simulate(&one, &truth->healthy_ns, err) ||
        simulate(options, &truth->total_ns, err))
        return err->status;
    one.n_plants = 1;
    for (size_t i = 0; i < options->n_plants; i++) {
        one.plants = &options->plants[i];
        if (simulate(&one, &truth->cost_ns[i], err))
            return err->status;
        truth->cost_ns[i] -= truth->healthy_ns;
    }
    return HC_OK;
}

void hc_trace_truth_fini(struct hc_trace_truth *truth)
{
    free(truth->cost_ns);
    *truth = (struct hc_trace_truth){0};
}
