#include "models/stats/survival_posterior.h"

#include "core/base/memory.h"
#include "core/random/gamma_function.h"
#include "core/random/philox.h"
#include "core/random/stable_math.h"
#include "models/stats/rounding.h"
#include "models/stats/survival_families.h"

#include <math.h>
#include <stdlib.h>

#define SEED   UINT64_C(0x706f73746572696f)
#define SIDE   41   /* of the grid, in either direction */
#define SPREAD 5.0  /* standard deviations from its middle to its edge */
#define MOST   2.5  /* of the logarithm: a fit may hardly know its shape */
#define NORMAL 3.92 /* standard deviations in a 95 % interval */

/* The posterior on a grid around the maximum, in the logarithms. */
struct grid {
    double scale_step, shape_step;
    double sum[SIDE * SIDE]; /* of the weights up to each cell */
};

static double step_of(double low, double high, int64_t n)
{
    double sd = isfinite(low) && low > 0 ? hc_stable_log(high / low) / NORMAL : 1 / sqrt((double)n);
    double edge = SPREAD * sd < MOST ? SPREAD * sd : MOST;
    /* The last digits of an interval are not those of every machine. */
    return hc_round_digits(2 * edge / (SIDE - 1), 2);
}

static double at(double value, double step, double place)
{
    return value * hc_stable_exp((place - (SIDE - 1) / 2.0) * step);
}

/* Of the scale, as the inverse of its root: half an event more than the times have. */
static double log_prior(double place, double step)
{
    return -0.5 * (place - (SIDE - 1) / 2.0) * step;
}

static void weigh(struct grid *grid, enum hc_fit_family family, const struct hc_fit *fit,
                  const struct hc_survival *survival)
{
    double sum = 0;
    grid->scale_step = step_of(fit->scale_low, fit->scale_high, survival->n_events);
    grid->shape_step = step_of(fit->shape_low, fit->shape_high, survival->n_events);
    for (int i = 0; i < SIDE; i++)
        for (int j = 0; j < SIDE; j++) {
            double value =
                hc_fit_log_likelihood(family, survival, at(fit->scale, grid->scale_step, i),
                                      at(fit->shape, grid->shape_step, j)) -
                fit->log_likelihood + log_prior(i, grid->scale_step);
            sum += isfinite(value) ? hc_stable_exp(value < 50 ? value : 50) : 0;
            grid->sum[i * SIDE + j] = sum;
        }
}

static int find_cell(const struct grid *grid, double u)
{
    int low = 0, high = SIDE * SIDE - 1;
    double wanted = u * grid->sum[high];
    while (low < high) {
        int middle = (low + high) / 2;
        if (grid->sum[middle] > wanted)
            high = middle;
        else
            low = middle + 1;
    }
    return low;
}

/* Anywhere in the cell, each logarithm as likely as the others. */
static void draw(const struct grid *grid, const struct hc_fit *fit, struct hc_philox *rng,
                 double *scale, double *shape)
{
    int cell = find_cell(grid, hc_philox_uniform(rng));
    double i = cell / SIDE + hc_philox_uniform(rng) - 0.5;
    double j = cell % SIDE + hc_philox_uniform(rng) - 0.5;
    *scale = hc_round_digits(at(fit->scale, grid->scale_step, i), HC_FIT_DIGITS);
    *shape = hc_round_digits(at(fit->shape, grid->shape_step, j), HC_FIT_DIGITS);
}

/* The rate of an exponential is gamma: of half an event more than happened, over the time watched.
 */
static double draw_mean(const struct hc_survival *survival, struct hc_philox *rng)
{
    double u = (hc_philox_uniform(rng) * 0x1p53 + 0.5) * 0x1p-53;
    double rate = hc_gamma_exceeded((double)survival->n_events + 0.5, u < 1 ? u : 1 - 0x1p-53);
    return hc_round_digits(survival->total / rate, HC_FIT_DIGITS);
}

enum hc_status hc_fit_posterior(enum hc_fit_family family, const struct hc_fit *fit,
                                const struct hc_survival *survival, uint64_t stream, size_t n,
                                double *scale, double *shape, struct hc_error *err)
{
    struct hc_philox rng;
    struct grid *grid = hc_new_array(1, sizeof *grid, err);
    if (!grid)
        return err->status;
    hc_philox_seek(&rng, SEED, stream, 0);
    if (family != HC_FIT_EXPONENTIAL)
        weigh(grid, family, fit, survival);
    for (size_t i = 0; i < n; i++) {
        scale[i] = family == HC_FIT_EXPONENTIAL ? draw_mean(survival, &rng) : 0;
        shape[i] = 0;
        if (family != HC_FIT_EXPONENTIAL)
            draw(grid, fit, &rng, &scale[i], &shape[i]);
    }
    free(grid);
    return HC_OK;
}
