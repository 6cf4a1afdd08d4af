/* trial_noise.c - what varies in a job without a fault. */
#include "tests/trials/trial.h"

#include <gsl/gsl_randist.h>
#include <math.h>
#include <stdlib.h>

static double between(gsl_rng *rng, double low, double high)
{
    return gsl_ran_flat(rng, low, high);
}

/* Noise of a job in which something is planted: all kinds, none of them strong. */
static void draw_ordinary(struct trial_noise *noise, gsl_rng *rng)
{
    if (gsl_rng_uniform(rng) < 0.3) {
        noise->outlier_rate = between(rng, 0.001, 0.01);
        noise->outlier_mean = between(rng, 0.2, 1);
    }
    if (gsl_rng_uniform(rng) < 0.5)
        noise->drift_sd = between(rng, 0.002, 0.015);
    if (gsl_rng_uniform(rng) < 0.5)
        noise->step_sd = between(rng, 0.005, 0.05);
    if (gsl_rng_uniform(rng) < 0.3)
        noise->length_sd = between(rng, 0.01, 0.05);
    if (gsl_rng_uniform(rng) < 0.2) {
        noise->warm_up = 1 + (int)gsl_rng_uniform_int(rng, 2);
        noise->warm_up_factor = between(rng, 1.2, 4);
    }
}

static void draw_heavy(struct trial_noise *noise, gsl_rng *rng)
{
    noise->tail = gsl_rng_uniform(rng) < 0.5 ? TRIAL_STUDENT : TRIAL_FLOOR;
    noise->pass_sd = between(rng, 0.04, 0.15);
    noise->outlier_rate = between(rng, 0.002, 0.03);
    noise->outlier_mean = between(rng, 0.3, 3);
}

void trial_draw_noise(struct trial_noise *noise, enum trial_nuisance nuisance, gsl_rng *rng)
{
    *noise = (struct trial_noise){.tail = (enum trial_tail)gsl_rng_uniform_int(rng, TRIAL_N_TAILS),
                                  .pass_sd = exp(between(rng, log(0.005), log(0.05))),
                                  .transfer_sd = between(rng, 0.05, 0.3),
                                  .worker_sd = between(rng, 0, 0.008),
                                  .drift_rho = between(rng, 0.5, 0.95),
                                  .step_rho = between(rng, 0, 0.9)};
    switch (nuisance) {
    case TRIAL_LIGHT:
        break;
    case TRIAL_HEAVY:
        draw_heavy(noise, rng);
        break;
    case TRIAL_HARSH:
        draw_heavy(noise, rng);
        noise->pass_sd = between(rng, 0.12, 0.3);
        noise->outlier_rate = between(rng, 0.01, 0.05);
        break;
    case TRIAL_WANDERING:
        noise->wander_rate = between(rng, 0.3, 1);
        noise->wander_factor = between(rng, 1.3, 2.5);
        break;
    case TRIAL_DRIFTING:
        noise->drift_sd = between(rng, 0.015, 0.06);
        noise->drift_rho = between(rng, 0.7, 0.95);
        break;
    case TRIAL_WALKING:
        noise->drift_sd = between(rng, 0.01, 0.04);
        noise->drift_rho = 1;
        break;
    case TRIAL_STEPS:
        noise->step_sd = between(rng, 0.03, 0.15);
        noise->step_rho = between(rng, 0.3, 0.95);
        break;
    case TRIAL_LOADS:
        noise->length_sd = between(rng, 0.03, 0.12);
        break;
    case TRIAL_WARMING:
        noise->warm_up = 1 + (int)gsl_rng_uniform_int(rng, 4);
        noise->warm_up_factor = between(rng, 1.5, 8);
        break;
    case TRIAL_PLANNED:
        noise->planned_every = 3 + (int)gsl_rng_uniform_int(rng, 15);
        noise->planned_s = between(rng, 0.1, 1);
        break;
    case TRIAL_MIXED:
        draw_ordinary(noise, rng);
        draw_heavy(noise, rng);
        noise->drift_sd = between(rng, 0.01, 0.03);
        noise->drift_rho = between(rng, 0.5, 0.95);
        noise->step_sd = between(rng, 0.02, 0.1);
        break;
    case TRIAL_SPREAD:
        noise->worker_sd = between(rng, 0.008, 0.015);
        break;
    case TRIAL_EXPERTS:
        noise->expert_sd = between(rng, 0.05, 0.3);
        break;
    default:
        draw_ordinary(noise, rng);
        break;
    }
}

double trial_draw_tail(const struct trial_noise *noise, gsl_rng *rng)
{
    double sd = noise->pass_sd, factor;
    switch (noise->tail) {
    case TRIAL_STUDENT:
        factor = 1 + 0.7 * sd * gsl_ran_tdist(rng, 4); /* deviation of t(4): 1.41 */
        break;
    case TRIAL_GAMMA:
        factor = gsl_ran_gamma(rng, 1 / (sd * sd), sd * sd);
        break;
    case TRIAL_FLOOR: /* a least time, and what is added to it */
        factor = 1 - sd + gsl_ran_exponential(rng, sd);
        break;
    default:
        factor = 1 + gsl_ran_gaussian(rng, sd);
        break;
    }
    bool is_outlier = gsl_rng_uniform(rng) < noise->outlier_rate;
    double outlier = gsl_ran_exponential(rng, noise->outlier_mean);
    return fmin(fmax(factor, 0.6), 20) * (is_outlier ? 1 + outlier : 1);
}

/* Documents of lognormal lengths fill a context of 1; attention costs the square of each. The
 * squares sum up to 0.30 in the mean, with a deviation of 0.23 (200,000 microbatches of this law).
 */
double trial_draw_load(gsl_rng *rng, double sd)
{
    double room = 1, squares = 0;
    while (room > 1e-3) {
        double length = fmin(room, gsl_ran_lognormal(rng, -2.2, 1.1));
        squares += length * length;
        room -= length;
    }
    return fmax(0.2, 1 + sd * (squares - 0.333) / 0.198);
}

/* Factors of a worker (or of the job) over steps: AR(1), or a walk. */
static void draw_drift(double *factors, int n, double sd, double rho, gsl_rng *rng)
{
    bool is_walk = rho >= 1;
    double z = is_walk ? 0 : gsl_ran_gaussian(rng, sd);
    double kick = is_walk ? sd / sqrt(n) : sd * sqrt(1 - rho * rho);
    for (int i = 0; i < n; i++) {
        factors[i] = exp(z);
        z = (is_walk ? 1 : rho) * z + gsl_ran_gaussian(rng, kick);
    }
}

struct factors {
    double *worker; /* [worker][step] */
    double *step;   /* [step] */
    double *load;   /* [step][dp][microbatch] */
};

static void draw_factors(const struct trial *trial, struct factors *factors, gsl_rng *rng)
{
    const struct trial_shape *shape = &trial->shape;
    const struct trial_noise *noise = &trial->noise;
    int n_steps = shape->n_steps;
    for (int w = 0; w < trial_n_workers(shape); w++) {
        double *own = factors->worker + (size_t)w * (size_t)n_steps;
        double is = exp(gsl_ran_gaussian(rng, noise->worker_sd));
        draw_drift(own, n_steps, noise->drift_sd, noise->drift_rho, rng);
        for (int i = 0; i < n_steps; i++)
            own[i] *= is;
    }
    for (int i = 0; i < n_steps && noise->wander_rate > 0; i++)
        if (gsl_rng_uniform(rng) < noise->wander_rate) {
            size_t w = gsl_rng_uniform_int(rng, (unsigned long)trial_n_workers(shape));
            factors->worker[w * (size_t)n_steps + (size_t)i] *= noise->wander_factor;
        }
    draw_drift(factors->step, n_steps, noise->step_sd, noise->step_rho, rng);
    for (int i = 0; i < n_steps && i < noise->warm_up; i++)
        factors->step[i] *= 1 + (noise->warm_up_factor - 1) * pow(0.3, i);
    int n_loads = n_steps * shape->dp * shape->microbatches;
    for (int i = 0; i < n_loads; i++)
        factors->load[i] = trial_draw_load(rng, noise->length_sd);
}

static double draw_op(const struct trial *trial, enum trial_op op, int stage, gsl_rng *rng)
{
    const struct trial_shape *shape = &trial->shape;
    double mean = shape->mean_s[op];
    bool is_pass = op == TRIAL_FORWARD || op == TRIAL_BACKWARD;
    if (is_pass || op == TRIAL_OPTIMIZER)
        return mean * trial_draw_tail(&trial->noise, rng) *
               (is_pass && stage == shape->pp - 1 ? shape->last_stage : 1);
    if (op == TRIAL_GC)
        return 0;
    double k = 1 / pow(trial->noise.transfer_sd, 2);
    return gsl_ran_gamma(rng, k, mean / k);
}

/* All ops of a worker in a step; loads: of its microbatches. */
static void draw_worker(struct trial *trial, size_t of, double own, const double *loads,
                        gsl_rng *rng)
{
    const struct trial_shape *shape = &trial->shape;
    int n_workers = trial_n_workers(shape);
    int step = (int)of / n_workers, w = (int)of % n_workers;
    for (int o = 0; o < TRIAL_N_OPS; o++) {
        enum trial_op op = (enum trial_op)o;
        bool is_pass = op == TRIAL_FORWARD || op == TRIAL_BACKWARD;
        for (int k = 0; k < trial_op_count(shape, op); k++) {
            size_t at = trial_slot(shape, step, w, op, k);
            trial->drawn[at] =
                draw_op(trial, op, w % shape->pp, rng) * (is_pass                 ? own * loads[k]
                                                          : op == TRIAL_OPTIMIZER ? own
                                                                                  : 1);
            trial->drawn_delay[at] = gsl_ran_exponential(rng, shape->delay_s);
        }
    }
    const struct trial_noise *noise = &trial->noise;
    if (noise->planned_every && step % noise->planned_every == 0)
        trial->drawn[trial_slot(shape, step, w, TRIAL_GC, 0)] =
            noise->planned_s * (1 + 0.1 * gsl_rng_uniform(rng));
}

/* Load of the microbatches on one worker: of their sequences, which all stages share, and of the
 * experts of its stage. */
static void draw_loads(double *loads, const double *lengths, const struct trial *trial,
                       gsl_rng *rng)
{
    double sd = trial->noise.expert_sd, k = sd > 0 ? 1 / (sd * sd) : 0;
    for (int i = 0; i < trial->shape.microbatches; i++)
        loads[i] = lengths[i] * (sd > 0 ? gsl_ran_gamma(rng, k, 1 / k) : 1);
}

void trial_draw_ops(struct trial *trial, gsl_rng *rng)
{
    const struct trial_shape *shape = &trial->shape;
    size_t n_steps = (size_t)shape->n_steps, n_workers = (size_t)trial_n_workers(shape);
    size_t n_loads = n_steps * (size_t)shape->dp * (size_t)shape->microbatches;
    double *space = malloc((n_steps * (n_workers + 1) + n_loads) * sizeof *space);
    if (!space)
        abort();
    struct factors factors = {space, space + n_steps * n_workers,
                              space + n_steps * (n_workers + 1)};
    draw_factors(trial, &factors, rng);
    for (size_t i = 0; i < n_steps * n_workers; i++) {
        size_t step = i / n_workers, w = i % n_workers;
        size_t dp = w / (size_t)shape->pp, n = (size_t)shape->microbatches;
        double loads[64];
        draw_loads(loads, factors.load + (step * (size_t)shape->dp + dp) * n, trial, rng);
        draw_worker(trial, i, factors.worker[w * n_steps + step] * factors.step[step], loads, rng);
    }
    free(space);
}
