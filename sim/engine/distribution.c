#include "sim/engine/distribution.h"

#include "core/random/gamma_function.h"
#include "core/random/stable_math.h"
#include "core/random/stable_rows.h"

static const char *const kind_name[] = {"constant",  "exponential", "weibull",
                                        "lognormal", "gamma",       "empirical"};

struct hc_distribution hc_distribution_constant(double value)
{
    return (struct hc_distribution){.kind = HC_DISTRIBUTION_CONSTANT, .scale = value};
}

struct hc_distribution hc_distribution_exponential(double mean)
{
    return (struct hc_distribution){.kind = HC_DISTRIBUTION_EXPONENTIAL, .scale = mean};
}

struct hc_distribution hc_distribution_lognormal_p99(double median, double p99)
{
    double sigma = hc_stable_log(p99 / median) / hc_normal_quantile(0.99);
    return (struct hc_distribution){
        .kind = HC_DISTRIBUTION_LOGNORMAL, .scale = median, .shape = sigma};
}

struct hc_distribution hc_distribution_lognormal_mean(double mean, double sd)
{
    double variance = hc_stable_log(1 + sd / mean * (sd / mean));
    return (struct hc_distribution){.kind = HC_DISTRIBUTION_LOGNORMAL,
                                    .scale = mean * hc_stable_exp(-variance / 2),
                                    .shape = __builtin_sqrt(variance)};
}

/* gamma(x) for x > 0 */
static double gamma_of(double x)
{
    return hc_stable_exp(hc_log_gamma(x));
}

struct hc_distribution hc_distribution_weibull_mean(double mean, double shape)
{
    return (struct hc_distribution){
        .kind = HC_DISTRIBUTION_WEIBULL, .scale = mean / gamma_of(1 + 1 / shape), .shape = shape};
}

struct hc_distribution hc_distribution_gamma_mean(double mean, double shape)
{
    return (struct hc_distribution){
        .kind = HC_DISTRIBUTION_GAMMA, .scale = mean / shape, .shape = shape};
}

static enum hc_status check_values(const struct hc_distribution *d, const char *name,
                                   struct hc_error *err)
{
    if (!d->n_values || !d->value)
        return hc_fail_at(err, name, "an empirical distribution without values");
    for (size_t i = 0; i < d->n_values; i++) {
        if (!(d->value[i] >= 0 && d->value[i] < 1e12))
            return hc_fail_at(err, name, "value %zu is %g, not a number from 0 to 1e12", i,
                              d->value[i]);
        if (i && d->value[i] < d->value[i - 1])
            return hc_fail_at(err, name, "value %zu is %g, below the one before it", i,
                              d->value[i]);
    }
    return HC_OK;
}

enum hc_status hc_distribution_check(const struct hc_distribution *d, const char *name,
                                     struct hc_error *err)
{
    if (d->kind < 0 || d->kind > HC_DISTRIBUTION_EMPIRICAL)
        return hc_fail_at(err, name, "no distribution has the number %d", (int)d->kind);
    if (!(d->scale >= 0 && d->scale <= HC_DISTRIBUTION_MOST))
        return hc_fail_at(err, name, "%s: %g is not a number from 0 to 1e12", kind_name[d->kind],
                          d->scale);
    bool shaped = d->kind == HC_DISTRIBUTION_WEIBULL || d->kind == HC_DISTRIBUTION_GAMMA;
    if (shaped && !(d->shape >= 0.05 && d->shape <= 1e4))
        return hc_fail_at(err, name, "%s: shape %g is not from 0.05 to 10,000", kind_name[d->kind],
                          d->shape);
    if (d->kind == HC_DISTRIBUTION_LOGNORMAL && !(d->shape >= 0 && d->shape <= 5))
        return hc_fail_at(err, name,
                          "lognormal: sigma %g, ln(p99 / median) / 2.33, is not from 0 to 5",
                          d->shape);
    return d->kind == HC_DISTRIBUTION_EMPIRICAL ? check_values(d, name, err) : HC_OK;
}

double hc_distribution_mean(const struct hc_distribution *d)
{
    double sum = 0;
    switch (d->kind) {
    case HC_DISTRIBUTION_WEIBULL:
        return d->scale * gamma_of(1 + 1 / d->shape);
    case HC_DISTRIBUTION_LOGNORMAL:
        return d->scale * hc_stable_exp(d->shape * d->shape / 2);
    case HC_DISTRIBUTION_GAMMA:
        return d->scale * d->shape;
    case HC_DISTRIBUTION_EMPIRICAL:
        for (size_t i = 0; i < d->n_values; i++)
            sum += d->value[i];
        return d->scale * sum / (double)d->n_values;
    default:
        return d->scale;
    }
}

static double empirical_sd(const struct hc_distribution *d)
{
    double mean = hc_distribution_mean(d), sum = 0;
    for (size_t i = 0; i < d->n_values; i++)
        sum += (d->scale * d->value[i] - mean) * (d->scale * d->value[i] - mean);
    return __builtin_sqrt(sum / (double)d->n_values);
}

double hc_distribution_sd(const struct hc_distribution *d)
{
    double mean = hc_distribution_mean(d);
    switch (d->kind) {
    case HC_DISTRIBUTION_EXPONENTIAL:
        return d->scale;
    case HC_DISTRIBUTION_WEIBULL:
        return __builtin_sqrt(d->scale * d->scale * gamma_of(1 + 2 / d->shape) - mean * mean);
    case HC_DISTRIBUTION_LOGNORMAL:
        return mean * __builtin_sqrt(hc_stable_exp(d->shape * d->shape) - 1);
    case HC_DISTRIBUTION_GAMMA:
        return d->scale * __builtin_sqrt(d->shape);
    case HC_DISTRIBUTION_EMPIRICAL:
        return empirical_sd(d);
    default:
        return 0;
    }
}

double hc_distribution_exceeded(const struct hc_distribution *d, double above)
{
    switch (d->kind) {
    case HC_DISTRIBUTION_EXPONENTIAL:
        return -d->scale * hc_stable_log(above);
    case HC_DISTRIBUTION_WEIBULL:
        return d->scale * hc_stable_exp(hc_stable_log(-hc_stable_log(above)) / d->shape);
    case HC_DISTRIBUTION_LOGNORMAL:
        return d->scale * hc_stable_exp(-d->shape * hc_normal_quantile(above));
    case HC_DISTRIBUTION_GAMMA:
        return d->scale * hc_gamma_exceeded(d->shape, above);
    case HC_DISTRIBUTION_EMPIRICAL: {
        size_t place = (size_t)((1 - above) * (double)d->n_values);
        return d->scale * d->value[place < d->n_values ? place : d->n_values - 1];
    }
    default:
        return d->scale;
    }
}

void hc_distribution_exceeded_row(const struct hc_distribution *d, double *above, size_t n)
{
    switch (d->kind) {
    case HC_DISTRIBUTION_EXPONENTIAL:
        hc_log_row(above, n);
        for (size_t i = 0; i < n; i++)
            above[i] = -d->scale * above[i];
        return;
    case HC_DISTRIBUTION_LOGNORMAL:
        hc_normal_row(above, n);
        for (size_t i = 0; i < n; i++)
            above[i] = -d->shape * above[i];
        hc_exp_row(above, n);
        for (size_t i = 0; i < n; i++)
            above[i] = d->scale * above[i];
        return;
    default:
        for (size_t i = 0; i < n; i++)
            above[i] = hc_distribution_exceeded(d, above[i]);
    }
}

double hc_open_uniform(struct hc_philox *rng)
{
    return ((double)(hc_philox_u64(rng) >> 12) + 0.5) * 0x1p-52;
}

double hc_distribution_draw(const struct hc_distribution *d, struct hc_philox *rng)
{
    if (d->kind == HC_DISTRIBUTION_CONSTANT)
        return d->scale;
    return hc_distribution_exceeded(d, hc_open_uniform(rng));
}

/* 1 - e^y for y <= 0, without cancellation */
static double one_less_exp(double y)
{
    if (y < -0.01)
        return 1 - hc_stable_exp(y);
    return -y * (1 + y / 2 * (1 + y / 3 * (1 + y / 4 * (1 + y / 5 * (1 + y / 6)))));
}

double hc_distribution_draw_max(const struct hc_distribution *d, double n, struct hc_philox *rng)
{
    if (d->kind == HC_DISTRIBUTION_CONSTANT)
        return d->scale;
    /* The largest of n is below x with probability F(x)^n. */
    return hc_distribution_exceeded(d, one_less_exp(hc_stable_log(hc_open_uniform(rng)) / n));
}

/* ---- what is left of a time ---- */

/* The value of an empirical distribution that is exceeded with probability above when each is as
 * likely as it is long. */
static double long_value(const struct hc_distribution *d, double above)
{
    double sum = 0, all = hc_distribution_mean(d) / d->scale * (double)d->n_values;
    for (size_t i = 0; i < d->n_values; i++) {
        sum += d->value[i];
        if (sum > (1 - above) * all)
            return d->value[i];
    }
    return d->value[d->n_values - 1];
}

/* The value that is exceeded with probability above where the density is that of d times the value,
 * over the mean: all families stay what they are, or nearly. Not of an exponential. */
static double exceeded_by_length(const struct hc_distribution *d, double above)
{
    switch (d->kind) {
    case HC_DISTRIBUTION_WEIBULL:
        return d->scale *
               hc_stable_exp(hc_stable_log(hc_gamma_exceeded(1 + 1 / d->shape, above)) / d->shape);
    case HC_DISTRIBUTION_LOGNORMAL:
        return d->scale * hc_stable_exp(d->shape * d->shape - d->shape * hc_normal_quantile(above));
    case HC_DISTRIBUTION_GAMMA:
        return d->scale * hc_gamma_exceeded(d->shape + 1, above);
    case HC_DISTRIBUTION_EMPIRICAL:
        return d->scale * long_value(d, above);
    default:
        return d->scale;
    }
}

double hc_distribution_draw_residual(const struct hc_distribution *d, struct hc_philox *rng)
{
    if (d->kind == HC_DISTRIBUTION_EXPONENTIAL) /* it has no memory */
        return hc_distribution_draw(d, rng);
    double part = hc_open_uniform(rng);
    bool is_constant = d->kind == HC_DISTRIBUTION_CONSTANT;
    return part * (is_constant ? d->scale : exceeded_by_length(d, hc_open_uniform(rng)));
}

/* The logarithm of the probability of a time above t, where quantiles are all that is known: the
 * place at which they are t. */
static double log_above(const struct hc_distribution *d, double t)
{
    double low = -600, high = -1e-15; /* of the logarithm */
    for (int i = 0; i < 80; i++) {
        double middle = (low + high) / 2;
        if (hc_distribution_exceeded(d, hc_stable_exp(middle)) > t)
            low = middle;
        else
            high = middle;
    }
    return high;
}

static double empirical_left(const struct hc_distribution *d, double age, struct hc_philox *rng)
{
    size_t first = 0;
    double u = hc_open_uniform(rng);
    while (first < d->n_values && d->scale * d->value[first] <= age)
        first++;
    size_t n = d->n_values - first, place = (size_t)(u * (double)n);
    return n ? d->scale * d->value[first + (place < n ? place : n - 1)] - age : 0;
}

double hc_distribution_draw_left(const struct hc_distribution *d, double age, struct hc_philox *rng)
{
    double end = age;
    if (age <= 0 || d->kind == HC_DISTRIBUTION_EXPONENTIAL)
        return hc_distribution_draw(d, rng);
    if (d->kind == HC_DISTRIBUTION_EMPIRICAL)
        return empirical_left(d, age, rng);
    if (d->kind == HC_DISTRIBUTION_CONSTANT)
        end = d->scale;
    else if (d->kind == HC_DISTRIBUTION_WEIBULL) {
        double lasted = hc_stable_exp(d->shape * hc_stable_log(age / d->scale));
        end = d->scale *
              hc_stable_exp(hc_stable_log(lasted - hc_stable_log(hc_open_uniform(rng))) / d->shape);
    } else
        end = hc_distribution_exceeded(
            d, hc_stable_exp(hc_stable_log(hc_open_uniform(rng)) + log_above(d, age)));
    return end > age ? end - age : 0;
}
