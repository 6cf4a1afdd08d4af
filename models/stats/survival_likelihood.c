/* The families that are fitted: survival, density, mean, and the likelihood of times. */
#include "models/stats/survival_families.h"

#include "core/random/gamma_function.h"
#include "core/random/stable_math.h"
#include "models/stats/special.h"

#include <math.h>

#define HALF_LOG_2PI 0.91893853320467274178

const char *hc_fit_family_name(enum hc_fit_family family)
{
    static const char *const names[HC_N_FIT_FAMILIES] = {"exponential", "weibull", "gamma",
                                                         "lognormal"};
    return names[family];
}

/* ---- the families ---- */

double hc_fit_log_survival(enum hc_fit_family family, double scale, double shape, double t)
{
    double x = t / scale;
    switch (family) {
    case HC_FIT_WEIBULL:
        return -hc_stable_exp(shape * hc_stable_log(x));
    case HC_FIT_GAMMA:
        return hc_log_gamma_upper(shape, x);
    case HC_FIT_LOGNORMAL:
        return hc_sf_normal_log_upper(hc_stable_log(x) / shape);
    default:
        return -x;
    }
}

static double log_density(enum hc_fit_family family, double scale, double shape, double t)
{
    double x = t / scale, y = hc_stable_log(x);
    switch (family) {
    case HC_FIT_WEIBULL:
        return hc_stable_log(shape / t) + shape * y - hc_stable_exp(shape * y);
    case HC_FIT_GAMMA:
        return shape * y - x - hc_sf_log_gamma(shape) - hc_stable_log(t);
    case HC_FIT_LOGNORMAL:
        return -hc_stable_log(shape * t) - HALF_LOG_2PI - y * y / (2 * shape * shape);
    default:
        return -x - hc_stable_log(scale);
    }
}

double hc_fit_mean(enum hc_fit_family family, double scale, double shape)
{
    switch (family) {
    case HC_FIT_WEIBULL:
        return scale * hc_stable_exp(hc_sf_log_gamma(1 + 1 / shape));
    case HC_FIT_GAMMA:
        return scale * shape;
    case HC_FIT_LOGNORMAL:
        return scale * hc_stable_exp(shape * shape / 2);
    default:
        return scale;
    }
}

/* Logarithm of a - b, by theirs; a > b. */
static double log_less(double log_a, double log_b)
{
    return log_a + hc_stable_log(1 - hc_stable_exp(log_b - log_a));
}

double hc_fit_log_residual(enum hc_fit_family family, double scale, double shape, double t)
{
    double z = t / scale, y = hc_stable_log(z);
    switch (family) {
    case HC_FIT_WEIBULL:
        return hc_log_gamma_upper(1 / shape, hc_stable_exp(shape * y));
    case HC_FIT_GAMMA:
        return log_less(hc_log_gamma_upper(shape + 1, z),
                        y - hc_stable_log(shape) + hc_log_gamma_upper(shape, z));
    case HC_FIT_LOGNORMAL:
        return log_less(hc_sf_normal_log_upper(y / shape - shape),
                        y - shape * shape / 2 + hc_sf_normal_log_upper(y / shape));
    default:
        return -z;
    }
}

/* What a time adds to the likelihood. The rest of a renewal in service has the density S(t) / mean,
 * and is above t with the probability of the area under S beyond t, over the mean (Cox 1962). */
static double log_term(enum hc_fit_family family, double scale, double shape,
                       const struct hc_survival_time *time)
{
    if (!time->is_residual)
        return time->is_censored ? hc_fit_log_survival(family, scale, shape, time->time)
                                 : log_density(family, scale, shape, time->time);
    return time->is_censored ? hc_fit_log_residual(family, scale, shape, time->time)
                             : hc_fit_log_survival(family, scale, shape, time->time) -
                                   hc_stable_log(hc_fit_mean(family, scale, shape));
}

double hc_fit_log_likelihood(enum hc_fit_family family, const struct hc_survival *survival,
                             double scale, double shape)
{
    double sum = 0;
    for (size_t i = 0; i < survival->n; i++) {
        const struct hc_survival_time *time = &survival->times[i];
        sum += (double)time->count * log_term(family, scale, shape, time);
    }
    return sum;
}
