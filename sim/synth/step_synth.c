#include "sim/synth/step_synth.h"

#include "core/base/memory.h"
#include "core/random/philox.h"
#include "core/tables/op_table.h"
#include "sim/synth/step_plant.h"
#include "sim/synth/step_synth_plan.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* Longest op. With at most HC_SYNTH_MAX_OPS ops after each other no time in a step overflows int64.
 */
#define LONGEST_NS 3600000000000

#define NO_OP_NS 10000 /* what the profiler notes for a send or receive that moves nothing */

/* The members of a collective share 0.9 of the variance of its transfer time, and 0.1 is their own:
 * square roots of these. */
#define SHARED_PART 0.94868329805051379960
#define OWN_PART    0.31622776601683793320

struct hc_synth_steps {
    struct hc_synth_steps_options options; /* without what it points to */
    struct hc_job job;
    struct hc_synth_plan plan;
    double *mean; /* [n_ops] ns, before the factors of workers */
    struct hc_synth_planted planted;
    struct hc_synth_spread compute, transfer, launch;
    int64_t *start, *end; /* [n_ops][dp] of the step at hand, ns */
    int64_t *joined;      /* [dp] scratch of the sweep */
    int32_t next_step;    /* 0 .. n_steps */
    size_t row, n_rows;   /* of the step at hand: handed out, in all */
};

struct hc_synth_steps_options hc_synth_steps_defaults(void)
{
    return (struct hc_synth_steps_options){
        .job_id = "synthetic",
        .dp = 2,
        .pp = 4,
        .tp = 1,
        .dsp = 1,
        .vpp = 1,
        .microbatches = 8,
        .n_steps = 10,
        .first_step = 10,
        .step_stride = 3,
        .mean_ns = {[HC_BACKWARD_RECV] = 1000000,
                    [HC_BACKWARD_SEND] = 1000000,
                    [HC_EMBEDDING_GRADS_ALL_REDUCE] = 5000000,
                    [HC_FORWARD_COMPUTE] = 50000000,
                    [HC_FORWARD_RECV] = 1000000,
                    [HC_FORWARD_SEND] = 1000000,
                    [HC_GRADS_REDUCE_SCATTER] = 40000000,
                    [HC_LAYERNORM_GRADS_ALL_REDUCE] = 1000000,
                    [HC_OPTIMIZER] = 20000000,
                    [HC_OPTIMIZER_CLIP_MAIN_GRAD] = 3000000,
                    [HC_PARAMS_ALL_GATHER] = 20000000,
                    [HC_SEPARATE_GRADS_ALL_REDUCE] = 5000000},
        .backward_ratio = 2.0,
        .loss_factor = 1.0,
        .compute_cv = 0.02,
        .transfer_cv = 0.1,
        .launch_ns = 200000,
        .launch_cv = 0.5,
        .gc_every = 10,
        .planned_every = 10,
        .warmup_steps = 1,
    };
}

/* --- options ---------------------------------------------------------------------------------- */

static enum hc_status check_count(const char *name, int64_t value, int64_t least, int64_t most,
                                  struct hc_error *err)
{
    if (value >= least && value <= most)
        return HC_OK;
    return hc_fail(err, HC_USAGE, "%s is %lld; give a number from %lld to %lld", name,
                   (long long)value, (long long)least, (long long)most);
}

static enum hc_status check_number(const char *name, double value, double least, double most,
                                   struct hc_error *err)
{
    if (value >= least && value <= most)
        return HC_OK;
    return hc_fail(err, HC_USAGE, "%s is %g; give a number from %g to %g", name, value, least,
                   most);
}

static enum hc_status check_shape(const struct hc_synth_steps_options *o, struct hc_error *err)
{
    const struct {
        const char *name;
        int32_t value, least;
    } counts[] = {{"the number of dp ranks", o->dp, 1},
                  {"the number of stages", o->pp, 1},
                  {"the tensor-parallel size", o->tp, 1},
                  {"the dp shard size", o->dsp, 1},
                  {"the number of model chunks a stage", o->vpp, 1},
                  {"the number of microbatches", o->microbatches, 1},
                  {"the number of steps", o->n_steps, 1},
                  {"the step stride", o->step_stride, 1}};
    for (size_t i = 0; i < sizeof counts / sizeof *counts; i++)
        if (check_count(counts[i].name, counts[i].value, counts[i].least, 1000000, err))
            return err->status;
    if (check_count("the first step", o->first_step, 0, INT32_MAX, err) ||
        check_count("the last step", o->first_step + (int64_t)(o->n_steps - 1) * o->step_stride, 0,
                    INT32_MAX, err))
        return err->status;
    int64_t world = (int64_t)o->dp * o->pp;
    if (world > INT32_MAX || (world *= o->tp) > INT32_MAX || (world *= o->dsp) > INT32_MAX)
        return hc_fail(err, HC_USAGE,
                       "dp %d, pp %d, tp %d and dsp %d make more ranks than fit 32 "
                       "bits; use smaller sizes",
                       o->dp, o->pp, o->tp, o->dsp);
    if (o->vpp > 1 && (o->pp < 2 || o->microbatches % o->pp))
        return hc_fail(err, HC_USAGE,
                       "an interleaved schedule (vpp %d) of %d stages and %d "
                       "microbatches; it needs two stages or more, and a multiple "
                       "of their number of microbatches",
                       o->vpp, o->pp, o->microbatches);
    return HC_OK;
}

static enum hc_status check_times(const struct hc_synth_steps_options *o, struct hc_error *err)
{
    for (int type = 0; type < HC_N_OP_TYPES; type++)
        if (check_count(hc_op_type_name(type), o->mean_ns[type], 0, LONGEST_NS, err) ||
            check_count(hc_op_type_name(type), o->extra_ns[type], 0, LONGEST_NS, err))
            return hc_context(err, "time in nanoseconds");
    if (check_number("the backward to forward ratio", o->backward_ratio, 0, 1000, err) ||
        check_number("the factor of the loss", o->loss_factor, 0, 1000, err) ||
        check_number("the variation of compute", o->compute_cv, 0, 10, err) ||
        check_number("the variation of transfers", o->transfer_cv, 0, 10, err) ||
        check_number("the variation of launch delays", o->launch_cv, 0, 10, err) ||
        check_count("the launch delay in nanoseconds", o->launch_ns, 0, LONGEST_NS, err))
        return err->status;
    return hc_synth_plant_check(o, err);
}

/* --- open ------------------------------------------------------------------------------------- */

static bool is_compute(int type)
{
    return hc_op_is_pass(type) || type == HC_OPTIMIZER || type == HC_GC;
}

static void set_means(struct hc_synth_steps *g)
{
    const struct hc_synth_steps_options *o = &g->options;
    for (size_t op = 0; op < g->plan.n_ops; op++) {
        int type = g->plan.op_type[op];
        double mean = (double)o->mean_ns[type];
        if (type == HC_BACKWARD_COMPUTE)
            mean = (double)o->mean_ns[HC_FORWARD_COMPUTE] * o->backward_ratio;
        if (g->plan.global_chunk[op] == o->vpp * o->pp - 1)
            mean *= o->loss_factor;
        g->mean[op] = mean;
    }
}

/* Ranks fill one node after the other. */
static enum hc_status set_nodes(struct hc_job *job, const struct hc_synth_steps_options *o,
                                struct hc_error *err)
{
    if (!(job->nodes = hc_new_array((size_t)job->world_size, sizeof *job->nodes, err)))
        return err->status;
    for (int32_t rank = 0; rank < job->world_size; rank++) {
        struct hc_rank_node *at = &job->nodes[job->n_nodes++];
        at->rank = rank;
        at->node = hc_new_text(err, "gpu-%03d", o->first_node + rank / o->gpus_per_node);
        if (!at->node)
            return err->status;
    }
    return HC_OK;
}

static enum hc_status set_job(struct hc_synth_steps *g, const struct hc_synth_steps_options *o,
                              struct hc_error *err)
{
    if (hc_job_init(&g->job, o->job_id, err))
        return err->status;
    if (o->cluster) {
        free(g->job.cluster);
        if (!(g->job.cluster = hc_copy_text(o->cluster, err)))
            return err->status;
    }
    g->job.dp_size = o->dp;
    g->job.pp_size = o->pp;
    g->job.tp_size = o->tp;
    g->job.dsp_size = o->dsp;
    g->job.vpp_size = o->vpp;
    g->job.world_size = o->dp * o->pp * o->tp * o->dsp;
    g->job.start_unix_ns = o->start_unix_ns ? o->start_unix_ns : HC_MISSING_I64;
    return o->gpus_per_node ? set_nodes(&g->job, o, err) : HC_OK;
}

static enum hc_status allocate(struct hc_synth_steps *g, struct hc_error *err)
{
    size_t dp = (size_t)g->options.dp, n_ops = g->plan.n_ops;
    g->n_rows = n_ops * dp; /* at most 10^12 */
    g->row = g->n_rows;
    g->mean = hc_new_array(n_ops, sizeof *g->mean, err);
    g->joined = g->mean ? hc_new_array(dp, sizeof *g->joined, err) : NULL;
    g->start = g->joined ? hc_new_aligned(g->n_rows, sizeof *g->start, err) : NULL;
    g->end = g->start ? hc_new_aligned(g->n_rows, sizeof *g->end, err) : NULL;
    return g->end ? HC_OK : err->status;
}

enum hc_status hc_synth_steps_open(struct hc_synth_steps **generator,
                                   const struct hc_synth_steps_options *options,
                                   struct hc_error *err)
{
    *generator = NULL;
    if (check_shape(options, err) || check_times(options, err))
        return err->status;
    struct hc_synth_steps *g = hc_new_array(1, sizeof *g, err);
    if (!g)
        return err->status;
    g->options = *options;
    g->options.job_id = g->options.cluster = NULL;
    g->options.slow = NULL;
    const struct hc_synth_shape shape = {.pp = options->pp,
                                         .vpp = options->vpp,
                                         .microbatches = options->microbatches,
                                         .uses_dp = options->dp > 1 || options->dsp > 1,
                                         .overlaps_dp = options->overlap_dp};
    if (set_job(g, options, err) || hc_synth_plan_init(&g->plan, &shape, err) || allocate(g, err) ||
        hc_synth_plant_init(&g->planted, options, err)) {
        hc_synth_steps_close(g);
        return err->status;
    }
    set_means(g);
    g->compute = hc_synth_spread_make(options->compute_cv);
    g->transfer = hc_synth_spread_make(options->transfer_cv);
    g->launch = hc_synth_spread_make(options->launch_cv);
    *generator = g;
    return HC_OK;
}

void hc_synth_steps_close(struct hc_synth_steps *generator)
{
    if (!generator)
        return;
    hc_synth_plan_fini(&generator->plan);
    hc_job_fini(&generator->job);
    hc_synth_plant_fini(&generator->planted);
    free(generator->mean);
    free(generator->start);
    free(generator->end);
    free(generator->joined);
    free(generator);
}

const struct hc_job *hc_synth_steps_job(const struct hc_synth_steps *generator)
{
    return &generator->job;
}

int64_t hc_synth_steps_rows(const struct hc_synth_steps *generator)
{
    return (int64_t)generator->n_rows * generator->options.n_steps;
}

/* --- one step --------------------------------------------------------------------------------- */

/* Nearest whole ns; -1 when it is over the limit. */
static int64_t whole_ns(double ns)
{
    return ns <= (double)LONGEST_NS ? (int64_t)(ns + 0.5) : -1;
}

/* Random numbers of a step: one stream a dp rank, block = op; what a whole group shares has blocks
 * of its own, and what all dp ranks share a stream of its own. */
static double shared_normal(const struct hc_synth_steps *g, size_t group, int32_t step, size_t dp)
{
    struct hc_philox rng;
    uint64_t lane = g->plan.is_synced[group] ? UINT32_MAX : dp;
    uint64_t leader = g->plan.member[g->plan.member_first[group]];
    hc_philox_seek(&rng, g->options.seed, (uint64_t)step << 32 | lane, leader | (uint64_t)1 << 32);
    return hc_philox_normal(&rng);
}

/* Duration (of a transfer: what it takes once all are there) and launch delay of one op. */
static bool draw_op(struct hc_synth_steps *g, size_t op, int32_t step, size_t dp, double shared)
{
    const struct hc_synth_steps_options *o = &g->options;
    int type = g->plan.op_type[op];
    size_t at = op * (size_t)o->dp + dp;
    struct hc_philox rng;
    hc_philox_seek(&rng, o->seed, (uint64_t)step << 32 | dp, op);
    double z = hc_philox_normal(&rng), z_launch = hc_philox_normal(&rng);
    struct hc_synth_op at_op = {.op = op, .dp = dp};
    double ns = g->mean[op], factor = hc_synth_plant_factor(&g->planted, o, &g->plan, at_op);
    if (is_compute(type))
        ns *= hc_synth_spread_value(g->compute, z) * factor;
    else
        ns *= hc_synth_spread_value(g->transfer,
                                    isnan(shared) ? z : SHARED_PART * shared + OWN_PART * z) *
              factor;
    if (g->plan.is_no_op[op])
        ns = NO_OP_NS;
    int64_t pause = hc_synth_plant_pause(&g->planted, o, &g->plan, at_op);
    int64_t duration = whole_ns(ns + (double)(o->extra_ns[type] + pause));
    at_op.is_delay = true;
    double late = hc_synth_plant_factor(&g->planted, o, &g->plan, at_op);
    int64_t delay =
        o->launch_ns
            ? whole_ns((double)o->launch_ns * hc_synth_spread_value(g->launch, z_launch) * late)
            : 0;
    /* Ops of no length would tie with their followers in start order; only gc is known to be so. */
    g->end[at] = duration == 0 && type != HC_GC ? 1 : duration;
    g->start[at] = delay;
    return duration >= 0 && delay >= 0;
}

static bool draw_group(struct hc_synth_steps *g, size_t group, int32_t step)
{
    const size_t *first = &g->plan.member_first[group];
    bool is_shared = first[1] - first[0] > 1 || g->plan.is_synced[group], fits = true;
    for (size_t dp = 0; dp < (size_t)g->options.dp; dp++) {
        double shared = is_shared ? shared_normal(g, group, step, dp) : NAN;
        for (size_t i = first[0]; i < first[1]; i++)
            fits &= draw_op(g, g->plan.member[i], step, dp, shared);
    }
    return fits;
}

static enum hc_status draw_step(struct hc_synth_steps *g, int32_t step, struct hc_error *err)
{
    bool fits = true;
    size_t n = g->plan.n_groups;
#pragma omp parallel for schedule(static) reduction(&& : fits) if (g->n_rows > 4096)
    for (size_t group = 0; group < n; group++)
        fits = draw_group(g, group, step) && fits;
    if (fits)
        return HC_OK;
    return hc_fail(err, HC_USAGE,
                   "an op of step %d came out longer than an hour; lower the mean "
                   "durations, their variation or the slow factors",
                   step);
}

/* Make the earliest start of the step 0. Only an op that waits for no other can have it. */
static void start_at_zero(struct hc_synth_steps *g)
{
    size_t dp = (size_t)g->options.dp;
    int64_t earliest = INT64_MAX;
    for (int pass = 0; pass < 2; pass++)
        for (size_t op = 0; op < g->plan.n_ops; op++) {
            if (g->plan.dep_first[op] != g->plan.dep_first[op + 1])
                continue;
            for (size_t i = op * dp; i < (op + 1) * dp; i++) {
                if (pass == 0)
                    earliest = g->start[i] < earliest ? g->start[i] : earliest;
                else
                    g->start[i] -= earliest;
            }
        }
}

/* Before the call the arrays start and end hold launch delays and durations of the group's ops;
 * after it their starts and ends. */
static void run_group(struct hc_synth_steps *g, size_t group)
{
    const struct hc_synth_plan *plan = &g->plan;
    size_t n_dp = (size_t)g->options.dp;
    int64_t *joined = g->joined, all = 0;
    memset(joined, 0, n_dp * sizeof *joined);
    for (size_t m = plan->member_first[group]; m < plan->member_first[group + 1]; m++) {
        size_t op = plan->member[m];
        int64_t *start = g->start + op * n_dp;
        for (size_t dp = 0; dp < n_dp; dp++) {
            int64_t ready = 0;
            for (size_t d = plan->dep_first[op]; d < plan->dep_first[op + 1]; d++) {
                int64_t end = g->end[plan->dep[d] * n_dp + dp];
                ready = end > ready ? end : ready;
            }
            start[dp] += ready;
            joined[dp] = start[dp] > joined[dp] ? start[dp] : joined[dp];
            all = joined[dp] > all ? joined[dp] : all;
        }
    }
    for (size_t m = plan->member_first[group]; m < plan->member_first[group + 1]; m++) {
        int64_t *end = g->end + plan->member[m] * n_dp;
        for (size_t dp = 0; dp < n_dp; dp++)
            end[dp] += plan->is_synced[group] ? all : joined[dp];
    }
}

static enum hc_status run_step(struct hc_synth_steps *g, struct hc_error *err)
{
    int32_t step = g->options.first_step + g->next_step * g->options.step_stride;
    hc_synth_plant_step(&g->planted, &g->options, step);
    if (draw_step(g, step, err))
        return err->status;
    start_at_zero(g);
    for (size_t group = 0; group < g->plan.n_groups; group++)
        run_group(g, group);
    g->row = 0;
    g->next_step++;
    return HC_OK;
}

/* --- rows ------------------------------------------------------------------------------------- */

static void fill(int32_t *values, size_t n, int32_t value)
{
    for (size_t i = 0; i < n; i++)
        values[i] = value;
}

/* Append n ops of one dp rank, from op number `op` on, to the table. */
static void append_ops(const struct hc_synth_steps *g, size_t dp, size_t op, size_t n,
                       struct hc_table *ops)
{
    const struct hc_synth_plan *plan = &g->plan;
    const struct hc_synth_steps_options *o = &g->options;
    struct hc_op_columns to = hc_op_columns(ops);
    size_t at = ops->n_rows, bytes = n * sizeof(int32_t);
    fill(to.step + at, n, o->first_step + (g->next_step - 1) * o->step_stride);
    fill(to.dp_rank + at, n, (int32_t)dp);
    memcpy(to.stage + at, plan->stage + op, bytes);
    memcpy(to.op_type + at, plan->op_type + op, bytes);
    memcpy(to.seq_id + at, plan->seq_id + op, bytes);
    memcpy(to.model_chunk + at, plan->model_chunk + op, bytes);
    memcpy(to.global_chunk + at, plan->global_chunk + op, bytes);
    memcpy(to.microbatch + at, plan->microbatch + op, bytes);
    for (size_t i = 0; i < n; i++) {
        size_t cell = (op + i) * (size_t)o->dp + dp;
        to.rank[at + i] = (plan->stage[op + i] * o->dp + (int32_t)dp) * o->tp * o->dsp;
        to.start_ns[at + i] = g->start[cell];
        to.duration_ns[at + i] = g->end[cell] - g->start[cell];
    }
    ops->n_rows += n;
}

enum hc_status hc_synth_steps_next(struct hc_synth_steps *generator, struct hc_table *ops,
                                   struct hc_error *err)
{
    struct hc_synth_steps *g = generator;
    size_t n_ops = g->plan.n_ops;
    while (ops->n_rows < ops->capacity) {
        if (g->row == g->n_rows) {
            if (g->next_step == g->options.n_steps)
                break;
            if (run_step(g, err))
                return err->status;
        }
        size_t op = g->row % n_ops, n = n_ops - op, room = ops->capacity - ops->n_rows;
        n = n < room ? n : room;
        append_ops(g, g->row / n_ops, op, n, ops);
        g->row += n;
    }
    return HC_OK;
}
