#include "core/random/gamma_function.h"

#include "core/random/stable_math.h"

double hc_log_gamma(double x)
{
    /* Stirling's series from 12 on, by the recurrence below. */
    double product = 1, result;
    while (x < 12) {
        product *= x;
        x += 1;
    }
    double y = 1 / (x * x);
    result = (x - 0.5) * hc_stable_log(x) - x + 0.91893853320467274178;
    result += (1.0 / 12 - y * (1.0 / 360 - y * (1.0 / 1260 - y * (1.0 / 1680 - y / 1188)))) / x;
    return result - hc_stable_log(product);
}

/* x^shape e^-x / gamma(shape) */
static double kernel_of(double shape, double x, double log_gamma)
{
    return hc_stable_exp(shape * hc_stable_log(x) - x - log_gamma);
}

static double kernel(double shape, double x)
{
    return kernel_of(shape, x, hc_log_gamma(shape));
}

/* What is below x, over the kernel. */
static double series_below(double shape, double x)
{
    double term = 1 / shape, sum = term;
    for (double a = shape + 1; term > sum * 1e-17; a += 1) {
        term *= x / a;
        sum += term;
    }
    return sum;
}

static double below_by_series(double shape, double x)
{
    return series_below(shape, x) * kernel(shape, x);
}

/* gamma(shape, x) / (x^shape e^-x): Lentz's method on its continued fraction. */
static double fraction_above(double shape, double x)
{
    double b = x + 1 - shape, c = 1e300, d = 1 / b, h = d;
    for (int i = 1; i < 100000; i++) {
        double a = -i * (i - shape);
        b += 2;
        d = a * d + b;
        c = b + a / c;
        d = 1 / (d == 0 ? 1e-300 : d);
        c = c == 0 ? 1e-300 : c;
        h *= d * c;
        if (d * c - 1 < 1e-16 && d * c - 1 > -1e-16)
            break;
    }
    return h;
}

double hc_log_gamma_upper(double shape, double x)
{
    if (x < 1e-300)
        return 0;
    if (x < shape + 1)
        return hc_stable_log(1 - below_by_series(shape, x));
    return hc_stable_log(fraction_above(shape, x)) + shape * hc_stable_log(x) - x -
           hc_log_gamma(shape);
}

double hc_gamma_hazard(double shape, double x)
{
    if (x < shape + 1) {
        double density = kernel(shape, x);
        return density / x / (1 - series_below(shape, x) * density);
    }
    return 1 / (x * fraction_above(shape, x));
}

/* Positive where x is still too small: with the tail that has the digits. */
static double miss(double shape, double x, double slope, double above)
{
    if (x < shape + 1)
        return (1 - above) - series_below(shape, x) * slope;
    return fraction_above(shape, x) * slope - above;
}

double hc_gamma_exceeded(double shape, double above)
{
    /* Newton in ln x from the mean on, kept between the bounds known. */
    double low = -690, high = hc_stable_log(shape + 2000), root = 0;
    double y = hc_stable_log(shape), log_gamma = hc_log_gamma(shape);
    for (int i = 0; i < 200; i++) {
        double x = hc_stable_exp(y), slope = kernel_of(shape, x, log_gamma);
        double f = miss(shape, x, slope, above);
        if (f > 0)
            low = y;
        else
            high = y;
        double next = slope > 0 ? y + f / slope : (low + high) / 2;
        if (!(next > low && next < high))
            next = (low + high) / 2;
        root = next;
        if (next - y < 1e-15 && next - y > -1e-15)
            break;
        y = next;
    }
    return hc_stable_exp(root);
}
