/* The maximum of the likelihood of each family. */
#include "models/stats/survival_families.h"

#include "core/random/gamma_function.h"
#include "core/random/stable_math.h"
#include "models/stats/root.h"
#include "models/stats/special.h"

#include <math.h>

#define LEAST_SHAPE 0.01
#define MOST_SHAPE  10000.0 /* beyond, the times hardly differ */

/* ---- Weibull ---- */

/* Derivative of the likelihood by the shape, the scale at its best for it, over the events: falls.
 */
static void add_powers(const struct hc_fit_row *rows, size_t n, double shape, double *sum,
                       double *sum_log)
{
    for (size_t i = 0; i < n; i++) {
        double power = rows[i].count * hc_stable_exp(shape * rows[i].log_time);
        *sum += power;
        *sum_log += power * rows[i].log_time;
    }
}

static double weibull_slope(double shape, void *context)
{
    const struct hc_fit_data *data = context;
    double sum = 0, sum_log = 0;
    add_powers(data->rows, data->n, shape, &sum, &sum_log);
    add_powers(data->cut, data->n_cut, shape, &sum, &sum_log);
    return 1 / shape + data->sum_log / data->n_events - sum_log / sum;
}

bool hc_fit_weibull(const struct hc_fit_data *data, double *scale, double *shape)
{
    double sum = 0, sum_log = 0;
    if (!hc_find_root(weibull_slope, (void *)(uintptr_t)data, LEAST_SHAPE, MOST_SHAPE, shape))
        return false;
    add_powers(data->rows, data->n, *shape, &sum, &sum_log);
    add_powers(data->cut, data->n_cut, *shape, &sum, &sum_log);
    *scale = hc_stable_exp(hc_stable_log(sum / data->n_events) / *shape);
    return true;
}

/* ---- gamma ---- */

/* The first and second derivative by the logarithm of the rate. The first falls, since the hazard
 * times the time rises. */
static double gamma_rate_slope(const struct hc_fit_data *data, double shape, double rate,
                               double *curve)
{
    double slope = data->n_events * shape - rate * data->sum_events;
    *curve = -rate * data->sum_events;
    for (size_t i = 0; i < data->n_cut; i++) {
        const struct hc_fit_row *row = &data->cut[i];
        double x = rate * row->time, h = x * hc_gamma_hazard(shape, x);
        slope -= row->count * h;
        *curve -= row->count * h * (shape - x + h);
    }
    return slope;
}

/* The best rate for a shape, by Newton's method in its logarithm, kept between the bounds known. */
static double gamma_rate(const struct hc_fit_data *data, double shape)
{
    /* Upper bound: the best rate if failures were all there is, since censored times only lower it.
     * Lower bound: the best rate at shape 1, whose hazard is 1. Below that shape the hazard is
     * higher and the best rate lower, so divide by 4 until the slope is not negative. */
    double high = data->n_events * shape / data->sum_events, curve;
    double low = data->n_events * shape / data->sum;
    while (low > 1e-250 && gamma_rate_slope(data, shape, low, &curve) < 0)
        low /= 4;
    double from = hc_stable_log(low), to = hc_stable_log(high), y = from;
    for (int step = 0; step < 100 && to > from; step++) {
        double slope = gamma_rate_slope(data, shape, hc_stable_exp(y), &curve);
        *(slope > 0 ? &from : &to) = y;
        double next = y - slope / curve;
        if (!(next > from && next < to))
            next = (from + to) / 2;
        if (fabs(next - y) < 1e-13 * (1 + fabs(y)))
            return hc_stable_exp(next);
        y = next;
    }
    return hc_stable_exp(y);
}

/* Derivative by the shape, the rate at its best for it. That of the cut times has no simple form:
 * a central difference. */
static double gamma_slope(double shape, void *context)
{
    const struct hc_fit_data *data = context;
    double rate = gamma_rate(data, shape), step = 1e-4 * shape;
    double slope = data->n_events * (hc_stable_log(rate) - hc_sf_digamma(shape)) + data->sum_log;
    for (size_t i = 0; i < data->n_cut; i++) {
        double x = rate * data->cut[i].time;
        slope += data->cut[i].count *
                 (hc_log_gamma_upper(shape + step, x) - hc_log_gamma_upper(shape - step, x)) /
                 (2 * step);
    }
    return slope;
}

bool hc_fit_gamma(const struct hc_fit_data *data, double *scale, double *shape)
{
    void *context = (void *)(uintptr_t)data;
    if (!hc_find_root(gamma_slope, context, 0.25, 4, shape) &&
        !hc_find_root(gamma_slope, context, LEAST_SHAPE, 0.25, shape) &&
        !hc_find_root(gamma_slope, context, 4, MOST_SHAPE, shape))
        return false;
    *scale = 1 / gamma_rate(data, *shape);
    return true;
}

/* ---- lognormal ---- */

/* The likelihood with z = a ln t - b, and its derivatives: concave in (a, b) (Olsen 1978). */
struct olsen {
    double value, by_a, by_b, by_aa, by_ab, by_bb;
};

static void add(struct olsen *o, double count, double y, double slope, double curve)
{
    o->by_a -= count * slope * y;
    o->by_b += count * slope;
    o->by_aa -= count * curve * y * y;
    o->by_ab += count * curve * y;
    o->by_bb -= count * curve;
}

static struct olsen olsen(const struct hc_fit_data *data, double centre, double a, double b)
{
    struct olsen o = {.value = data->n_events * hc_stable_log(a),
                      .by_a = data->n_events / a,
                      .by_aa = -data->n_events / (a * a)};
    for (size_t i = 0; i < data->n; i++) {
        const struct hc_fit_row *row = &data->rows[i];
        double y = row->log_time - centre, z = a * y - b;
        o.value -= row->count * z * z / 2;
        add(&o, row->count, y, z, 1);
    }
    for (size_t i = 0; i < data->n_cut; i++) {
        const struct hc_fit_row *row = &data->cut[i];
        double y = row->log_time - centre, z = a * y - b, hazard = hc_sf_normal_hazard(z);
        o.value += row->count * hc_sf_normal_log_upper(z);
        add(&o, row->count, y, hazard, hazard * (hazard - z));
    }
    return o;
}

bool hc_fit_lognormal(const struct hc_fit_data *data, double *scale, double *shape)
{
    double centre = data->sum_log / data->n_events, a = 1, b = 0;
    struct olsen at = olsen(data, centre, a, b);
    for (int i = 0; i < 200; i++) {
        double d = at.by_aa * at.by_bb - at.by_ab * at.by_ab;
        if (!(d > 0))
            return false;
        double step_a = (at.by_ab * at.by_b - at.by_bb * at.by_a) / d,
               step_b = (at.by_ab * at.by_a - at.by_aa * at.by_b) / d;
        double part = 1;
        struct olsen next = at;
        for (; part > 1e-10; part /= 2) {
            if (!(a + part * step_a > 0))
                continue;
            next = olsen(data, centre, a + part * step_a, b + part * step_b);
            if (next.value >= at.value)
                break;
        }
        bool is_still =
            part <= 1e-10 || (fabs(step_a) < 1e-12 * a && fabs(step_b) < 1e-12 * (1 + fabs(b)));
        if (part > 1e-10) {
            a += part * step_a;
            b += part * step_b;
            at = next;
        }
        if (a > MOST_SHAPE)
            return false;
        if (is_still)
            break;
    }
    *scale = hc_stable_exp(b / a + centre);
    *shape = 1 / a;
    return *shape < 100;
}
