/* trial_schedule.c - a step run forward: 1F1B on each dp rank, collectives over dp ranks. */
#include "tests/trials/trial.h"

#include <gsl/gsl_sort.h>
#include <gsl/gsl_statistics_double.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

/* One step under way; the functions below take its ops by worker. */
struct run {
    struct trial *trial;
    const struct trial_shape *shape;
    int step;
    bool with_delays;
};

static size_t slot(const struct run *run, int dp, int stage, enum trial_op op, int seq)
{
    return trial_slot(run->shape, run->step, trial_worker(run->shape, dp, stage), op, seq);
}

static double end_of(const struct run *run, int dp, int stage, enum trial_op op, int seq)
{
    return run->trial->end[slot(run, dp, stage, op, seq)];
}

static double launch(struct run *run, size_t at, double ready)
{
    return run->trial->start[at] = ready + (run->with_delays ? run->trial->delay[at] : 0);
}

/* An op that works alone. */
static double work(struct run *run, size_t at, double ready)
{
    return run->trial->end[at] = launch(run, at, ready) + run->trial->duration[at];
}

/* Both ends of a transfer: neither moves before the other is there. */
static void meet(struct run *run, size_t send, size_t receive)
{
    const struct trial *trial = run->trial;
    double both = fmax(trial->start[send], trial->start[receive]);
    trial->end[send] = both + trial->duration[send];
    trial->end[receive] = both + trial->duration[receive];
}

struct trial_pass trial_pass_at(const struct trial_shape *shape, int stage, int i)
{
    int n = shape->microbatches, ahead = shape->pp - 1 - stage;
    if (ahead > n)
        ahead = n;
    if (i < ahead)
        return (struct trial_pass){TRIAL_FORWARD, i};
    if (i >= 2 * n - ahead)
        return (struct trial_pass){TRIAL_BACKWARD, i - n};
    int k = (i - ahead) / 2;
    return (i - ahead) % 2 ? (struct trial_pass){TRIAL_BACKWARD, k}
                           : (struct trial_pass){TRIAL_FORWARD, ahead + k};
}

/* The first backward receive of a stage is posted while its last forward pass of the warm-up runs.
 */
static double first_backward_gate(const struct run *run, int dp, int stage)
{
    int i = 0;
    while (trial_pass_at(run->shape, stage, i).op == TRIAL_FORWARD)
        i++;
    if (i < 2)
        return 0;
    struct trial_pass gate = trial_pass_at(run->shape, stage, i - 2);
    return end_of(run, dp, stage, gate.op, gate.microbatch);
}

/* Brings what the pass needs from its neighbour; gives the time at which it is there. */
static double receive(struct run *run, int dp, int stage, struct trial_pass pass)
{
    bool is_forward = pass.op == TRIAL_FORWARD;
    int from = is_forward ? stage - 1 : stage + 1, k = pass.microbatch;
    enum trial_op sends = is_forward ? TRIAL_FORWARD_SEND : TRIAL_BACKWARD_SEND;
    enum trial_op takes = is_forward ? TRIAL_FORWARD_RECV : TRIAL_BACKWARD_RECV;
    if (from < 0 || from >= run->shape->pp)
        return 0;
    double sender = end_of(run, dp, from, pass.op, k), taker = 0;
    if (k > 0) {
        sender = fmax(sender, end_of(run, dp, from, sends, k - 1));
        taker = fmax(end_of(run, dp, stage, pass.op, k - 1), end_of(run, dp, stage, takes, k - 1));
    } else if (!is_forward) {
        taker = first_backward_gate(run, dp, stage);
    }
    size_t send = slot(run, dp, from, sends, k), take = slot(run, dp, stage, takes, k);
    launch(run, send, sender);
    launch(run, take, taker);
    meet(run, send, take);
    return run->trial->end[take];
}

/* All passes of a dp rank: each stage goes on as far as its neighbours let it, round and round. */
static void run_pipeline(struct run *run, int dp, double *free_s)
{
    const struct trial_shape *shape = run->shape;
    int n_stages = shape->pp, n_passes = 2 * shape->microbatches;
    int at[64] = {0}, done[64][2] = {{0}};
    for (int left = n_stages * n_passes; left > 0;) {
        for (int s = 0; s < n_stages; s++) {
            while (at[s] < n_passes) {
                struct trial_pass pass = trial_pass_at(shape, s, at[s]);
                int is_back = pass.op == TRIAL_BACKWARD, from = is_back ? s + 1 : s - 1;
                if (from >= 0 && from < n_stages && done[from][is_back] <= pass.microbatch)
                    break;
                double ready = fmax(free_s[s], receive(run, dp, s, pass));
                free_s[s] = work(run, slot(run, dp, s, pass.op, pass.microbatch), ready);
                done[s][is_back]++;
                at[s]++;
                left--;
            }
        }
    }
}

/* A collective of one type over the dp ranks of [first, last] and stages of [low, high], each ready
 * when ready[worker] says; its ends take their place there. */
static void gather(struct run *run, enum trial_op op, const int dps[2], const int stages[2],
                   double *ready)
{
    const struct trial_shape *shape = run->shape;
    int stride = op == TRIAL_EMBEDDING && shape->pp > 1 ? shape->pp - 1 : 1;
    double last = 0;
    for (int d = dps[0]; d <= dps[1]; d++)
        for (int s = stages[0]; s <= stages[1]; s += stride)
            last =
                fmax(last, launch(run, slot(run, d, s, op, 0), ready[trial_worker(shape, d, s)]));
    for (int d = dps[0]; d <= dps[1]; d++)
        for (int s = stages[0]; s <= stages[1]; s += stride) {
            size_t at = slot(run, d, s, op, 0);
            ready[trial_worker(shape, d, s)] = run->trial->end[at] =
                last + run->trial->duration[at];
        }
}

/* A collective of each stage over all dp ranks. */
static void gather_stages(struct run *run, enum trial_op op, double *ready)
{
    const int dps[2] = {0, run->shape->dp - 1};
    for (int s = 0; run->shape->dp > 1 && s < run->shape->pp; s++)
        gather(run, op, dps, (const int[2]){s, s}, ready);
}

static void work_all(struct run *run, enum trial_op op, double *ready)
{
    for (int w = 0; w < trial_n_workers(run->shape); w++)
        ready[w] = work(run, trial_slot(run->shape, run->step, w, op, 0), ready[w]);
}

static void run_tail(struct run *run, double *ready, double *reduced)
{
    const struct trial_shape *shape = run->shape;
    if (shape->overlaps)
        gather_stages(run, TRIAL_SCATTER, reduced);
    work_all(run, TRIAL_GC, ready);
    for (int w = 0; shape->overlaps && w < trial_n_workers(shape); w++)
        ready[w] = fmax(ready[w], reduced[w]);
    work_all(run, TRIAL_LAYERNORM, ready);
    for (int d = 0; d < shape->dp; d++)
        gather(run, TRIAL_EMBEDDING, (const int[2]){d, d}, (const int[2]){0, shape->pp - 1}, ready);
    gather_stages(run, shape->overlaps ? TRIAL_SEPARATE : TRIAL_SCATTER, ready);
    gather(run, TRIAL_CLIP, (const int[2]){0, shape->dp - 1}, (const int[2]){0, shape->pp - 1},
           ready);
    work_all(run, TRIAL_OPTIMIZER, ready);
}

static double run_step(struct run *run)
{
    const struct trial_shape *shape = run->shape;
    int n = trial_n_workers(shape);
    double *ready = calloc(2 * (size_t)n, sizeof *ready);
    if (!ready)
        abort();
    gather_stages(run, TRIAL_GATHER, ready);
    for (int d = 0; d < shape->dp; d++)
        run_pipeline(run, d, ready + trial_worker(shape, d, 0));
    memcpy(ready + n, ready, (size_t)n * sizeof *ready);
    run_tail(run, ready, ready + n);
    double last = 0, first = INFINITY;
    for (int w = 0; w < n; w++) {
        last = fmax(last, ready[w]);
        for (int op = 0; op < TRIAL_N_OPS; op++)
            if (trial_has_op(shape, (enum trial_op)op, w % shape->pp))
                first =
                    fmin(first,
                         run->trial->start[trial_slot(shape, run->step, w, (enum trial_op)op, 0)]);
    }
    free(ready);
    return last - first;
}

double trial_run(struct trial *trial, bool with_delays)
{
    struct run run = {.trial = trial, .shape = &trial->shape, .with_delays = with_delays};
    double sum = 0;
    for (run.step = 0; run.step < trial->shape.n_steps; run.step++)
        sum += trial->step_s[run.step] = run_step(&run);
    return sum / trial->shape.n_steps;
}

bool trial_has_op(const struct trial_shape *shape, enum trial_op op, int stage)
{
    bool is_first = stage == 0, is_last = stage == shape->pp - 1;
    switch (op) {
    case TRIAL_FORWARD_SEND:
    case TRIAL_BACKWARD_RECV:
        return !is_last;
    case TRIAL_FORWARD_RECV:
    case TRIAL_BACKWARD_SEND:
        return !is_first;
    case TRIAL_GATHER:
    case TRIAL_SCATTER:
        return shape->dp > 1;
    case TRIAL_SEPARATE:
        return shape->dp > 1 && shape->overlaps;
    case TRIAL_EMBEDDING:
        return is_first || is_last;
    default:
        return true;
    }
}

/* Calls of one type, all of them, one after the other. */
static size_t collect(const struct trial *trial, enum trial_op op, double *values, double set)
{
    const struct trial_shape *shape = &trial->shape;
    size_t n = 0;
    for (int step = 0; step < shape->n_steps; step++)
        for (int w = 0; w < trial_n_workers(shape); w++)
            for (int k = 0; trial_has_op(shape, op, w % shape->pp) && k < trial_op_count(shape, op);
                 k++) {
                double *duration = &trial->duration[trial_slot(shape, step, w, op, k)];
                if (values)
                    values[n] = *duration;
                else
                    *duration = set;
                n++;
            }
    return n;
}

double trial_run_ideal(struct trial *trial)
{
    double *values = malloc(trial->n_slots * sizeof *values);
    if (!values)
        abort();
    for (int op = 0; op < TRIAL_N_OPS; op++) {
        size_t n = collect(trial, (enum trial_op)op, values, 0);
        if (n == 0)
            continue;
        bool is_compute =
            op == TRIAL_FORWARD || op == TRIAL_BACKWARD || op == TRIAL_OPTIMIZER || op == TRIAL_GC;
        double typical;
        if (is_compute) {
            typical = gsl_stats_mean(values, 1, n);
        } else {
            gsl_sort(values, 1, n);
            typical = gsl_stats_median_from_sorted_data(values, 1, n);
        }
        collect(trial, (enum trial_op)op, NULL, typical);
    }
    free(values);
    return trial_run(trial, false);
}
