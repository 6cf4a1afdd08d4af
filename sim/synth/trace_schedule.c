#include "sim/synth/trace_schedule.h"

#include "core/base/memory.h"
#include "core/random/philox.h"

#include <stdlib.h>
#include <string.h>

/* What the CPU takes, in ns. */
#define GAP_NS       3000  /* from one op to the next */
#define COMM_GAP_NS  12000 /* before a transfer */
#define CALL_NS      5000
#define WAIT_CALL_NS 3000  /* both calls of a wait together */
#define THREAD_NS    40000 /* another thread takes over */
#define SYNC_NS      4000  /* from the end of the GPU's work to the return of the call */
/* What the GPU takes. */
#define LAUNCH_NS     8000 /* from the start of the call, at the soonest */
#define STREAM_GAP_NS 1000
#define MOST_END_NS   2000 /* how much later one member of a collective ends than another */

enum hc_status hc_trace_schedule_init(struct hc_trace_schedule *s,
                                      const struct hc_trace_synth_options *options,
                                      struct hc_error *err)
{
    *s = (struct hc_trace_schedule){.options = *options,
                                    .n_ranks = options->dp * options->pp,
                                    .step = -1,
                                    .n_meetings = hc_trace_plan_meetings(options)};
    s->meetings = hc_new_array((size_t)s->n_meetings, sizeof *s->meetings, err);
    s->lanes = hc_new_array((size_t)s->n_ranks, sizeof *s->lanes, err);
    if (!s->meetings || !s->lanes)
        return err->status;
    for (int32_t r = 0; r < s->n_ranks; r++) {
        struct hc_trace_lane *lane = &s->lanes[r];
        if (hc_trace_plan_init(&lane->program, options, r, err))
            return err->status;
        lane->times = hc_new_array(lane->program.n, sizeof *lane->times, err);
        if (!lane->times)
            return err->status;
    }
    return HC_OK;
}

void hc_trace_schedule_fini(struct hc_trace_schedule *s)
{
    for (int32_t r = 0; s->lanes && r < s->n_ranks; r++) {
        hc_trace_plan_fini(&s->lanes[r].program);
        free(s->lanes[r].times);
    }
    free(s->lanes);
    free(s->meetings);
    memset(s, 0, sizeof *s);
}

/* ---- what is planted ---- */

static double factor_of_kernel(const struct hc_trace_schedule *s, int32_t rank,
                               const struct hc_trace_op *op)
{
    double factor = 1;
    for (size_t i = 0; i < s->options.n_plants; i++) {
        const struct hc_trace_plant *plant = &s->options.plants[i];
        if (plant->rank == rank &&
            (plant->kind == HC_PLANT_SLOW_RANK ||
             (plant->kind == HC_PLANT_SLOW_KERNEL && strstr(op->name, plant->kernel))))
            factor *= plant->factor;
    }
    return factor;
}

static bool is_member(const struct hc_trace_op *op, int32_t rank)
{
    int32_t place = (rank - op->first) / op->stride;
    return rank >= op->first && (rank - op->first) % op->stride == 0 && place < op->n_members;
}

static double factor_of_transfer(const struct hc_trace_schedule *s, const struct hc_trace_op *op)
{
    double factor = 1;
    for (size_t i = 0; i < s->options.n_plants; i++) {
        const struct hc_trace_plant *plant = &s->options.plants[i];
        if (plant->kind == HC_PLANT_SLOW_LINK && is_member(op, plant->rank) &&
            is_member(op, plant->other))
            factor *= plant->factor;
    }
    return factor;
}

/* How long the CPU stops before the op. */
static int64_t pause_before(const struct hc_trace_schedule *s, int32_t rank, size_t op)
{
    int64_t ns = 0;
    for (size_t i = 0; i < s->options.n_plants; i++) {
        const struct hc_trace_plant *plant = &s->options.plants[i];
        bool is_here = plant->rank == rank;
        bool is_late = plant->kind == HC_PLANT_LATE_HOST && op == 0;
        bool is_pause = plant->kind == HC_PLANT_PAUSE &&
                        plant->step == s->options.first_step + s->step &&
                        op == s->lanes[rank].program.n / 2;
        if (is_here && (is_late || is_pause))
            ns += plant->ns;
    }
    return ns;
}

/* ---- the CPU ---- */

/* The noise of an op, by place alone: the same with and without a plant. */
struct noise {
    double cpu, gpu;     /* factors */
    int64_t end_skew_ns; /* by which this member ends a transfer later */
};

static struct noise draw(const struct hc_trace_schedule *s, int32_t rank, size_t op)
{
    struct hc_philox rng;
    hc_philox_seek(&rng, s->options.seed, (uint64_t)(uint32_t)s->step << 32 | (uint32_t)rank,
                   2 * (uint64_t)op);
    struct noise noise = {.cpu = 1 + s->options.jitter_cv * hc_philox_normal(&rng),
                          .gpu = 1 + s->options.jitter_cv * hc_philox_normal(&rng)};
    noise.end_skew_ns = (int64_t)(MOST_END_NS * hc_philox_uniform(&rng));
    noise.cpu = noise.cpu < 0.1 ? 0.1 : noise.cpu;
    noise.gpu = noise.gpu < 0.1 ? 0.1 : noise.gpu;
    return noise;
}

static int64_t scaled(int64_t ns, double factor)
{
    return (int64_t)((double)ns * factor + 0.5);
}

/* The times of the CPU; in gpu_end_ns what the GPU adds: its work, or the skew of a transfer's end.
 */
static void run_cpu(struct hc_trace_schedule *s, int32_t rank)
{
    struct hc_trace_lane *lane = &s->lanes[rank];
    int64_t now = lane->step_ns;
    int32_t thread = 0;
    for (size_t i = 0; i < lane->program.n; i++) {
        const struct hc_trace_op *op = &lane->program.ops[i];
        struct hc_trace_times *times = &lane->times[i];
        const struct noise noise = draw(s, rank, i);
        if (op->thread != thread)
            now += THREAD_NS;
        thread = op->thread;
        now += pause_before(s, rank, i);
        times->cpu_ns = now;
        now += scaled(op->kind == HC_OP_COMM ? COMM_GAP_NS : GAP_NS, noise.cpu);
        times->call_ns = now;
        now += op->kind == HC_OP_WAIT ? WAIT_CALL_NS : CALL_NS;
        times->call_end_ns = now;
        if (op->kind == HC_OP_KERNEL)
            times->gpu_end_ns = scaled(op->work_ns, noise.gpu * factor_of_kernel(s, rank, op));
        else
            times->gpu_end_ns = op->kind == HC_OP_COPY ? op->work_ns : noise.end_skew_ns;
    }
}

/* ---- the GPU ---- */

static int64_t start_on_stream(const struct hc_trace_lane *lane, const struct hc_trace_op *op,
                               const struct hc_trace_times *times)
{
    int64_t start = times->call_ns + LAUNCH_NS;
    if (lane->has_run[op->stream] && lane->stream_end_ns[op->stream] + STREAM_GAP_NS > start)
        start = lane->stream_end_ns[op->stream] + STREAM_GAP_NS;
    return lane->stream_ready_ns[op->stream] > start ? lane->stream_ready_ns[op->stream] : start;
}

static void end_on_stream(struct hc_trace_lane *lane, const struct hc_trace_op *op, int64_t end)
{
    lane->times[lane->next].gpu_end_ns = end;
    lane->stream_end_ns[op->stream] = end;
    lane->has_run[op->stream] = true;
}

/* Arrive, or leave if all are there; false while others are missing. */
static bool meet(struct hc_trace_schedule *s, struct hc_trace_lane *lane,
                 const struct hc_trace_op *op)
{
    struct hc_trace_meeting *meeting = &s->meetings[op->meeting];
    struct hc_trace_times *times = &lane->times[lane->next];
    if (!lane->has_arrived) {
        times->gpu_ns = start_on_stream(lane, op, times);
        if (meeting->n_arrived++ == 0 || times->gpu_ns > meeting->arrival_ns)
            meeting->arrival_ns = times->gpu_ns;
        lane->has_arrived = true;
    }
    if (meeting->n_arrived < op->n_members)
        return false;
    lane->has_arrived = false;
    end_on_stream(lane, op,
                  meeting->arrival_ns + scaled(op->work_ns, factor_of_transfer(s, op)) +
                      times->gpu_end_ns);
    return true;
}

static void wait_for_device(struct hc_trace_lane *lane, struct hc_trace_times *times)
{
    for (int i = 0; i < HC_N_TRACE_STREAMS; i++)
        if (lane->has_run[i] && lane->stream_end_ns[i] + SYNC_NS > times->call_end_ns)
            times->call_end_ns = lane->stream_end_ns[i] + SYNC_NS;
    lane->end_ns = times->call_end_ns;
}

/* Place ops of a rank until one has to wait for other ranks; false when none was placed. */
static bool advance(struct hc_trace_schedule *s, struct hc_trace_lane *lane)
{
    size_t first = lane->next;
    for (; lane->next < lane->program.n; lane->next++) {
        const struct hc_trace_op *op = &lane->program.ops[lane->next];
        struct hc_trace_times *times = &lane->times[lane->next];
        if (op->kind == HC_OP_SYNC) {
            wait_for_device(lane, times);
        } else if (op->kind == HC_OP_WAIT) {
            if (lane->has_run[op->awaited] &&
                lane->stream_end_ns[op->awaited] > lane->stream_ready_ns[op->stream])
                lane->stream_ready_ns[op->stream] = lane->stream_end_ns[op->awaited];
        } else if (op->kind == HC_OP_COMM) {
            bool had_arrived = lane->has_arrived;
            if (!meet(s, lane, op))
                return lane->next > first || !had_arrived;
        } else {
            times->gpu_ns = start_on_stream(lane, op, times);
            end_on_stream(lane, op, times->gpu_ns + times->gpu_end_ns);
        }
    }
    return lane->next > first;
}

enum hc_status hc_trace_schedule_step(struct hc_trace_schedule *s, struct hc_error *err)
{
    s->step++;
    memset(s->meetings, 0, (size_t)s->n_meetings * sizeof *s->meetings);
    for (int32_t r = 0; r < s->n_ranks; r++) {
        s->lanes[r].step_ns = s->lanes[r].end_ns;
        s->lanes[r].next = 0;
        run_cpu(s, r);
    }
    bool has_moved = true;
    while (has_moved) {
        has_moved = false;
        for (int32_t r = 0; r < s->n_ranks; r++)
            has_moved |= advance(s, &s->lanes[r]);
    }
    for (int32_t r = 0; r < s->n_ranks; r++)
        if (s->lanes[r].next < s->lanes[r].program.n)
            return hc_fail(err, HC_INTERNAL, "synthetic rank %d waits for ever at op %zu", r,
                           s->lanes[r].next);
    return HC_OK;
}
