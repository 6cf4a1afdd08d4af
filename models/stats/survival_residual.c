/* Fits to times of which some are residual: of nodes in service for long when watching began.
 *
 * The likelihood has no simple maximum. For a shape the best scale is where its derivative is zero,
 * which has a closed form; the best shape is where the derivative by the shape is, the scale at its
 * best for it: a central difference. */
#include "models/stats/survival_families.h"

#include "core/random/gamma_function.h"
#include "core/random/stable_math.h"
#include "models/stats/root.h"
#include "models/stats/special.h"

#include <math.h>

#define LEAST_SHAPE 0.02
#define MOST_SHAPE  1000.0
#define SHAPE_STEP  1e-4 /* of the logarithm */

/* ---- the families, at a scale of 1 ---- */

static double log_mean(enum hc_fit_family family, double shape)
{
    return hc_stable_log(hc_fit_mean(family, 1, shape));
}

/* Time times the hazard. */
static double hazard(enum hc_fit_family family, double shape, double z)
{
    double y = hc_stable_log(z);
    return family == HC_FIT_WEIBULL ? shape * hc_stable_exp(shape * y)
           : family == HC_FIT_GAMMA ? z * hc_gamma_hazard(shape, z)
                                    : hc_sf_normal_hazard(y / shape) / shape;
}

/* Derivative of the logarithm of the density, by that of the scale. */
static double density_slope(enum hc_fit_family family, double shape, double z)
{
    double y = hc_stable_log(z);
    return family == HC_FIT_WEIBULL ? shape * hc_stable_exp(shape * y) - shape
           : family == HC_FIT_GAMMA ? z - shape
                                    : y / (shape * shape);
}

/* ---- the best scale of a shape ---- */

struct profile {
    const struct hc_survival *survival;
    enum hc_fit_family family;
    double shape;
    double best_scale; /* of the shape tried last */
};

static double scale_slope(double scale, void *context)
{
    const struct profile *p = context;
    double sum = 0;
    for (size_t i = 0; i < p->survival->n; i++) {
        const struct hc_survival_time *time = &p->survival->times[i];
        double z = time->time / scale, slope;
        if (time->is_residual && time->is_censored)
            slope = hc_stable_exp(
                hc_stable_log(z) + hc_fit_log_survival(p->family, 1, p->shape, z) -
                hc_fit_log_residual(p->family, 1, p->shape, z) - log_mean(p->family, p->shape));
        else if (time->is_residual)
            slope = hazard(p->family, p->shape, z) - 1;
        else
            slope = time->is_censored ? hazard(p->family, p->shape, z)
                                      : density_slope(p->family, p->shape, z);
        sum += (double)time->count * slope;
    }
    return sum;
}

static double mean_time(const struct hc_survival *survival)
{
    return survival->total / (double)survival->n_events;
}

/* The scale whose mean is the time watched over what happened is near it. */
static bool find_scale(struct profile *p)
{
    double centre = mean_time(p->survival) * hc_stable_exp(-log_mean(p->family, p->shape));
    for (double factor = 4; factor < 1e12; factor *= factor)
        if (hc_find_root(scale_slope, p, centre / factor, centre * factor, &p->best_scale))
            return true;
    return false;
}

/* ---- the best shape ---- */

static double shape_slope(double shape, void *context)
{
    struct profile *p = context;
    p->shape = shape;
    if (!find_scale(p))
        return NAN;
    double up = hc_fit_log_likelihood(p->family, p->survival, p->best_scale,
                                      shape * hc_stable_exp(SHAPE_STEP)),
           down = hc_fit_log_likelihood(p->family, p->survival, p->best_scale,
                                        shape * hc_stable_exp(-SHAPE_STEP));
    return (up - down) / (2 * SHAPE_STEP);
}

bool hc_fit_with_residuals(enum hc_fit_family family, const struct hc_survival *survival,
                           double *scale, double *shape)
{
    /* Near 1 first: far out some likelihoods have no value any more. */
    static const double bounds[][2] = {
        {0.25, 4}, {0.1, 10}, {LEAST_SHAPE, 0.25}, {4, 50}, {50, MOST_SHAPE}};
    struct profile p = {.survival = survival, .family = family};
    for (size_t i = 0; i < sizeof bounds / sizeof *bounds; i++) {
        if (!hc_find_root(shape_slope, &p, bounds[i][0], bounds[i][1], shape))
            continue;
        p.shape = *shape;
        if (!find_scale(&p))
            return false;
        *scale = p.best_scale;
        return true;
    }
    return false;
}
