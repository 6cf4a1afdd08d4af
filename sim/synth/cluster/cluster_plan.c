#include "sim/synth/cluster/cluster_plan.h"

#include "core/base/memory.h"
#include "core/random/stable_math.h"

#include <stdlib.h>

#define DAY_S         86400
#define N_USERS       40
#define SWITCH_NODES  16
#define ARRAY_SHARE   0.03
#define MOST_TASKS    12
#define MOST_STALL_S  40
#define WEIBULL_SHAPE 0.6
#define WEIBULL_MEAN  1.5045754882515559 /* gamma(1 + 1 / shape), of scale 1 */
#define AGAIN_SHARE   0.3 /* of faults in bursts that strike the node of the last one */

int64_t hc_cluster_draw_s(struct hc_philox *rng, double median_s, double spread, int64_t most)
{
    double drawn = median_s * hc_stable_exp(spread * hc_philox_normal(rng));
    return drawn < 1 ? 1 : drawn > (double)most ? most : (int64_t)drawn;
}

/* ---- jobs ---- */

static int32_t draw_gpus(struct hc_philox *rng)
{
    static const struct {
        double up_to;
        int32_t gpus;
    } sizes[] = {{0.35, 0}, {0.70, 1}, {0.80, 2}, {0.88, 4}, {0.96, 8}, {0.99, 16}, {1.1, 32}};
    double u = hc_philox_uniform(rng);
    size_t i = 0;
    while (u >= sizes[i].up_to)
        i++;
    return sizes[i].gpus;
}

static enum hc_cluster_end draw_end(struct hc_philox *rng)
{
    double u = hc_philox_uniform(rng);
    return u < 0.72   ? HC_CLUSTER_COMPLETED
           : u < 0.86 ? HC_CLUSTER_FAILED
           : u < 0.94 ? HC_CLUSTER_CANCELLED
           : u < 0.98 ? HC_CLUSTER_TIMEOUT
                      : HC_CLUSTER_OUT_OF_MEMORY;
}

static void draw_job(struct hc_cluster_submission *job, struct hc_philox *rng,
                     const struct hc_cluster_options *options)
{
    *job = (struct hc_cluster_submission){.run = HC_CLUSTER_NONE, .n_tasks = 1};
    job->submit_s =
        options->start_s + (int64_t)(hc_philox_uniform(rng) * (double)options->n_days * DAY_S);
    job->user = (int32_t)hc_philox_integer(rng, N_USERS);
    job->gpus = draw_gpus(rng);
    while (job->gpus > options->n_nodes * HC_CLUSTER_GPUS / 4)
        job->gpus /= 2;
    job->work_s = hc_cluster_draw_s(rng, 900, 1.5, DAY_S);
    job->end = draw_end(rng);
    job->limit_s = job->end == HC_CLUSTER_TIMEOUT ? job->work_s - job->work_s % 60 + 60
                                                  : (job->work_s / 3600 + 1) * 3600;
    if (job->end == HC_CLUSTER_TIMEOUT)
        job->work_s = job->limit_s;
    if (hc_philox_uniform(rng) < ARRAY_SHARE && job->gpus <= 1)
        job->n_tasks = 2 + (int32_t)hc_philox_integer(rng, MOST_TASKS - 1);
}

static int compare_submissions(const void *a, const void *b)
{
    const struct hc_cluster_submission *x = a, *y = b;
    if (x->submit_s != y->submit_s)
        return x->submit_s < y->submit_s ? -1 : 1;
    if (x->work_s != y->work_s)
        return x->work_s < y->work_s ? -1 : 1;
    return (x->user > y->user) - (x->user < y->user);
}

/* From when on more jobs are submitted. */
static int64_t extra_from_s(const struct hc_cluster_options *options)
{
    for (int32_t i = 0; i < options->n_plants; i++)
        if (options->plants[i].kind == HC_CLUSTER_QUEUE)
            return options->start_s + (int64_t)options->plants[i].day * DAY_S;
    return options->start_s;
}

enum hc_status hc_cluster_plan_jobs(struct hc_cluster_submission **jobs, size_t *n,
                                    const struct hc_cluster_options *options, struct hc_error *err)
{
    struct hc_philox rng;
    int64_t from_s = extra_from_s(options), life_s = (int64_t)options->n_days * DAY_S;
    double share = (double)(options->start_s + life_s - from_s) / (double)life_s;
    size_t n_plain = (size_t)options->n_jobs;
    *n = n_plain + (size_t)(options->extra_arrivals * share * options->n_jobs);
    *jobs = hc_new_array(*n ? *n : 1, sizeof **jobs, err);
    if (!*jobs)
        return err->status;
    hc_philox_seek(&rng, options->seed, HC_CLUSTER_JOB_STREAM, 0);
    for (size_t i = 0; i < *n; i++) {
        if (i == n_plain)
            hc_philox_seek(&rng, options->seed, HC_CLUSTER_EXTRA_STREAM, 0);
        draw_job(&(*jobs)[i], &rng, options);
        if (i >= n_plain) /* of those that come in the whole record, into what is left of it */
            (*jobs)[i].submit_s =
                from_s + (int64_t)(share * (double)((*jobs)[i].submit_s - options->start_s));
    }
    qsort(*jobs, *n, sizeof **jobs, compare_submissions);
    return HC_OK;
}

/* ---- runs ---- */

int64_t hc_cluster_run_start_s(const struct hc_cluster *cluster, size_t run)
{
    int64_t life_s = (int64_t)cluster->options.n_days * DAY_S;
    int64_t until_s = cluster->options.model == HC_CLUSTER_BURSTY ? life_s / 5 * 4 : life_s / 2;
    return cluster->options.start_s + 3600 + (int64_t)run * until_s / (int64_t)cluster->n_runs;
}

/* How saves and evaluations hold the steps of a run up: half of the runs evaluate. */
static void draw_stalls(struct hc_cluster_run *run, uint64_t seed, size_t number)
{
    struct hc_philox rng;
    hc_philox_seek(&rng, seed, HC_CLUSTER_STALL_STREAM, 4 * number);
    run->stall_s = (int64_t)hc_philox_integer(&rng, MOST_STALL_S + 1);
    if (hc_philox_uniform(&rng) < 0.5) {
        run->evaluation_iterations = 250 * (1 + (int64_t)hc_philox_integer(&rng, 4));
        run->evaluation_s = 10 + (int64_t)hc_philox_integer(&rng, 111);
    }
}

enum hc_status hc_cluster_plan_runs(struct hc_cluster *cluster, struct hc_error *err)
{
    struct hc_philox rng;
    const struct hc_cluster_options *options = &cluster->options;
    cluster->n_runs = (size_t)options->n_runs;
    cluster->runs = hc_new_array(cluster->n_runs ? cluster->n_runs : 1, sizeof *cluster->runs, err);
    if (!cluster->runs)
        return err->status;
    hc_philox_seek(&rng, options->seed, HC_CLUSTER_RUN_STREAM, 0);
    int32_t most = options->n_nodes / 2 / (options->n_runs ? options->n_runs : 1);
    for (size_t i = 0; i < cluster->n_runs; i++) {
        struct hc_cluster_run *run = &cluster->runs[i];
        run->user = (int32_t)hc_philox_integer(&rng, N_USERS);
        run->n_nodes = 1 + (int32_t)hc_philox_integer(&rng, (uint64_t)(most > 1 ? most : 1));
        run->step_s = 4 + (int64_t)hc_philox_integer(&rng, 25);
        run->checkpoint_iterations = 100 * (1 + (int64_t)hc_philox_integer(&rng, 5));
        run->iterations =
            (int64_t)(hc_philox_uniform(&rng) * 0.4 * options->n_days * DAY_S) / run->step_s + 500;
        run->requeues = hc_philox_uniform(&rng) < 0.5;
        run->restarts_in_place = hc_philox_uniform(&rng) < 0.5;
        run->forked_from = i > 0 && hc_philox_uniform(&rng) < 0.25
                               ? (int32_t)hc_philox_integer(&rng, i)
                               : HC_CLUSTER_NONE;
        draw_stalls(run, options->seed, i);
    }
    return HC_OK;
}

/* ---- faults ---- */

const char *hc_cluster_fault_name(enum hc_cluster_fault_kind kind)
{
    static const char *const names[HC_CLUSTER_N_FAULTS] = {
        [HC_CLUSTER_GPU_LOST] = "gpu_lost", [HC_CLUSTER_ECC] = "ecc",
        [HC_CLUSTER_NVLINK] = "nvlink",     [HC_CLUSTER_LINK] = "link",
        [HC_CLUSTER_SWITCH] = "switch",     [HC_CLUSTER_NODE_DOWN] = "node_down",
    };
    return names[kind];
}

static enum hc_cluster_fault_kind draw_kind(struct hc_philox *rng)
{
    static const double up_to[] = {0.25, 0.45, 0.60, 0.75, 0.78};
    double u = hc_philox_uniform(rng);
    size_t i = 0;
    while (i < sizeof up_to / sizeof *up_to && u >= up_to[i])
        i++;
    return (enum hc_cluster_fault_kind)i;
}

void hc_cluster_draw_fault(struct hc_cluster_fault *fault, struct hc_philox *rng, int64_t time_s,
                           const struct hc_cluster_options *options)
{
    int32_t n_nodes = options->n_nodes;
    double repair_s = options->repair_s ? options->repair_s : HC_CLUSTER_REPAIR_S;
    *fault = (struct hc_cluster_fault){.time_s = time_s, .n_nodes = 1};
    fault->kind = draw_kind(rng);
    fault->node = (int32_t)hc_philox_integer(rng, (uint64_t)n_nodes);
    fault->gpu = (int32_t)hc_philox_integer(rng, HC_CLUSTER_GPUS);
    if (fault->kind == HC_CLUSTER_SWITCH) {
        fault->node -= fault->node % SWITCH_NODES;
        int32_t left = n_nodes - fault->node;
        fault->n_nodes = left < SWITCH_NODES ? left : SWITCH_NODES;
    }
    bool hangs = fault->kind == HC_CLUSTER_LINK || fault->kind == HC_CLUSTER_SWITCH;
    fault->notice_s = time_s + (hangs ? 600 : fault->kind == HC_CLUSTER_NODE_DOWN ? 60 : 5);
    fault->repaired_s =
        fault->notice_s + hc_cluster_draw_s(rng, hangs ? repair_s / 6 : repair_s, 0.8, 3 * DAY_S);
}

/* From one fault to the next, of mean 1: exponential, or Weibull of shape 0.6, which comes in
 * bursts.
 */
static double draw_gap(struct hc_philox *rng, enum hc_cluster_model model)
{
    double gap = -hc_stable_log(1 - hc_philox_uniform(rng));
    if (model == HC_CLUSTER_STEADY || !(gap > 0))
        return gap;
    return hc_stable_exp(hc_stable_log(gap) / WEIBULL_SHAPE) / WEIBULL_MEAN;
}

enum hc_status hc_cluster_plan_faults(struct hc_cluster *cluster, struct hc_error *err)
{
    struct hc_philox rng;
    const struct hc_cluster_options *options = &cluster->options;
    double each_s = DAY_S * 1000.0 / options->n_nodes / options->faults_per_1000_node_days;
    size_t room = 0;
    hc_philox_seek(&rng, options->seed, HC_CLUSTER_FAULT_STREAM, 0);
    double at_s = 0, life_s = (double)options->n_days * DAY_S;
    for (;;) {
        at_s += each_s * draw_gap(&rng, options->model);
        if (!(at_s < life_s))
            return HC_OK;
        if (hc_reserve(&cluster->faults, &room, cluster->n_faults + 1, sizeof *cluster->faults,
                       err))
            return err->status;
        struct hc_cluster_fault *fault = &cluster->faults[cluster->n_faults++];
        hc_cluster_draw_fault(fault, &rng, options->start_s + (int64_t)at_s, options);
        if (options->model == HC_CLUSTER_BURSTY && fault->n_nodes == 1 && cluster->n_faults > 1 &&
            hc_philox_uniform(&rng) < AGAIN_SHARE)
            fault->node = fault[-1].node;
    }
}
