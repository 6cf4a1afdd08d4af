/* trial_shape.c - sizes of a job and the machine that it runs on. */
#include "tests/trials/trial.h"

#include <gsl/gsl_randist.h>
#include <math.h>

#define MOST_ROWS  40000
#define LARGE_ROWS 160000 /* of one trial in twenty */

static int one_of(gsl_rng *rng, const int *values, size_t n)
{
    return values[gsl_rng_uniform_int(rng, n)];
}

static double scaled(gsl_rng *rng, double low, double high)
{
    return exp(gsl_ran_flat(rng, log(low), log(high)));
}

static long count_rows(const struct trial_shape *shape)
{
    long n = 0;
    for (int op = 0; op < TRIAL_N_OPS; op++)
        for (int s = 0; s < shape->pp; s++)
            n += trial_has_op(shape, (enum trial_op)op, s)
                     ? trial_op_count(shape, (enum trial_op)op)
                     : 0;
    return n * shape->dp * shape->n_steps;
}

static void draw_times(struct trial_shape *shape, gsl_rng *rng)
{
    double forward = scaled(rng, 0.01, 0.2);
    double transfer = forward * scaled(rng, 0.01, 0.08);
    for (int op = TRIAL_FORWARD_SEND; op <= TRIAL_BACKWARD_RECV; op++)
        shape->mean_s[op] = transfer;
    shape->mean_s[TRIAL_FORWARD] = forward;
    shape->mean_s[TRIAL_BACKWARD] = forward * gsl_ran_flat(rng, 1.6, 2.4);
    shape->mean_s[TRIAL_GATHER] = forward * scaled(rng, 0.1, 1);
    shape->mean_s[TRIAL_SCATTER] = forward * scaled(rng, 0.1, 2);
    shape->mean_s[TRIAL_SEPARATE] = forward * 0.1;
    shape->mean_s[TRIAL_EMBEDDING] = forward * scaled(rng, 0.02, 0.3);
    shape->mean_s[TRIAL_LAYERNORM] = forward * 0.01;
    shape->mean_s[TRIAL_CLIP] = forward * 0.05;
    shape->mean_s[TRIAL_OPTIMIZER] = forward * scaled(rng, 0.1, 0.6);
    shape->delay_s = forward * scaled(rng, 0.0005, 0.004);
    shape->last_stage = gsl_rng_uniform(rng) < 0.7 ? 1 : gsl_ran_flat(rng, 0.95, 1.04);
}

/* Nodes hold several workers more often than not; a switch has two nodes or more. */
static void draw_machine(struct trial_shape *shape, gsl_rng *rng)
{
    static const int tps[] = {1, 1, 2, 4, 8}, workers[] = {1, 2, 2, 4, 4, 8};
    shape->tp = one_of(rng, tps, sizeof tps / sizeof *tps);
    shape->pipeline_first = gsl_rng_uniform(rng) < 0.3;
    shape->node_workers =
        gsl_rng_uniform(rng) < 0.7 ? one_of(rng, workers, sizeof workers / sizeof *workers) : 0;
    shape->switch_nodes = shape->node_workers && gsl_rng_uniform(rng) < 0.5
                              ? 2 + (int)gsl_rng_uniform_int(rng, 3)
                              : 0;
}

/* Number of a worker among all, in the order of ranks. */
static int rank_order(const struct trial_shape *shape, int worker)
{
    return trial_rank(shape, worker) / shape->tp;
}

/* Which workers share a node: some of one stage, a mixture, all of a dp rank, or none. */
static void draw_layout(struct trial_shape *shape, gsl_rng *rng)
{
    static const int several[] = {2, 2, 4}, mixed[] = {2, 3, 4, 8};
    unsigned long layout = gsl_rng_uniform_int(rng, 4);
    shape->node_workers = 1;
    if (layout == 0) {
        int n = one_of(rng, several, sizeof several / sizeof *several);
        shape->pipeline_first = false;
        shape->node_workers = shape->dp % n ? 1 : n;
    } else if (layout == 1) {
        shape->node_workers = one_of(rng, mixed, sizeof mixed / sizeof *mixed);
    } else if (layout == 2) {
        shape->pipeline_first = true;
        shape->node_workers = shape->pp;
    }
    if (shape->node_workers >= shape->dp * shape->pp)
        shape->node_workers = 1;
    shape->switch_nodes = gsl_rng_uniform(rng) < 0.3 ? 2 + (int)gsl_rng_uniform_int(rng, 2) : 0;
}

void trial_draw_shape(struct trial_shape *shape, const struct trial_case *of, gsl_rng *rng)
{
    static const int dps[] = {1, 2, 3, 4, 4, 6, 8, 8, 12, 16}, pps[] = {1, 2, 2, 3, 4, 4, 6, 8};
    static const int microbatches[] = {4, 5, 6, 8, 8, 10, 12, 16, 24, 32};
    *shape = (struct trial_shape){0};
    draw_times(shape, rng);
    draw_machine(shape, rng);
    shape->overlaps = gsl_rng_uniform(rng) < 0.3;
    shape->is_absolute = gsl_rng_uniform(rng) < 0.4;
    shape->first_step = (int)gsl_rng_uniform_int(rng, 5000);
    shape->stride = gsl_rng_uniform(rng) < 0.5 ? 1 : 1 + (int)gsl_rng_uniform_int(rng, 10);
    shape->n_steps =
        of->least_steps +
        (int)gsl_rng_uniform_int(rng, (unsigned long)(of->most_steps - of->least_steps + 1));
    long most_rows = gsl_rng_uniform(rng) < 0.05 ? LARGE_ROWS : MOST_ROWS;
    if (of->most_copies)
        most_rows = LARGE_ROWS;
    do {
        shape->dp = one_of(rng, dps, sizeof dps / sizeof *dps);
        shape->pp = one_of(rng, pps, sizeof pps / sizeof *pps);
        shape->microbatches = one_of(rng, microbatches, sizeof microbatches / sizeof *microbatches);
    } while (shape->dp < of->least_dp || (of->least_dp < 0 && shape->dp > 1) ||
             shape->pp < of->least_pp || (of->most_pp && shape->pp > of->most_pp) ||
             shape->dp * shape->pp < of->most_copies || count_rows(shape) > most_rows);
    if (of->has_nodes)
        draw_layout(shape, rng);
}

int trial_rank(const struct trial_shape *shape, int worker)
{
    int dp = worker / shape->pp, stage = worker % shape->pp;
    return (shape->pipeline_first ? worker : stage * shape->dp + dp) * shape->tp;
}

int trial_node(const struct trial_shape *shape, int worker)
{
    return shape->node_workers ? rank_order(shape, worker) / shape->node_workers : -1;
}

int trial_switch(const struct trial_shape *shape, int worker)
{
    return shape->switch_nodes ? trial_node(shape, worker) / shape->switch_nodes : -1;
}

int trial_slot_of_node(const struct trial_shape *shape, int worker)
{
    return shape->node_workers > 1 ? rank_order(shape, worker) % shape->node_workers : -1;
}
