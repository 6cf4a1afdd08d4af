#include "models/stats/serial_ratio.h"

#include "models/stats/student.h"

#include <math.h>

/* Above this a short series cannot be told from one that wanders off. */
#define MOST_CORRELATION 0.9
/* A series of steps says at least as much as two independent values: one degree of freedom. */
#define LEAST_EQUIVALENT 2.0

/* A ratio and what its residuals are made of. */
struct residuals {
    const double *part, *whole;
    size_t n;
    double ratio, mean_whole;
};

static double whole_at(const struct residuals *r, size_t i)
{
    return r->whole ? r->whole[i] : 1;
}

/* How much value i moves the ratio, to first order; their mean is 0. */
static double residual_at(const struct residuals *r, size_t i)
{
    return (r->part[i] - r->ratio * whole_at(r, i)) / r->mean_whole;
}

/* The correlation of a residual with the next, where its share of the squares is r: a short series
 * shows (1 + 3r) / n too little (Kendall 1954, Marriott and Pope 1954). What is within a standard
 * error of 0 counts as 0, and below 0 too: the error is then not made smaller. */
static double unbiased_correlation(double r, double n)
{
    double correlation = r + (1 + 3 * r) / n;
    return correlation < 1 / sqrt(n) ? 0 : fmin(correlation, MOST_CORRELATION);
}

/* As many independent values as tell the mean of n values of a first-order autoregression as well
 * (Zwiers and von Storch). */
static double equivalent_number(double correlation, size_t n)
{
    double sum = 0, power = 1;
    for (size_t lag = 1; lag < n && power > 1e-17; lag++) {
        power *= correlation;
        sum += (1 - (double)lag / (double)n) * power;
    }
    return fmax((double)n / (1 + 2 * sum), fmin((double)n, LEAST_EQUIVALENT));
}

/* Widen the range of single values by value i. One without part and whole says nothing. */
static void widen(struct hc_serial_ratio *ratio, double part, double whole)
{
    if (part == 0 && whole == 0)
        return;
    double value = whole > 0 ? part / whole : INFINITY;
    ratio->least = fmin(ratio->least, value);
    ratio->most = fmax(ratio->most, value);
}

struct hc_serial_ratio hc_serial_ratio_find(const double *part, const double *whole, size_t n)
{
    struct residuals r = {.part = part, .whole = whole, .n = n};
    struct hc_serial_ratio ratio = {NAN, NAN, NAN, NAN, NAN};
    double sum = 0, sum_whole = 0, square = 0, product = 0;
    for (size_t i = 0; i < n; i++) {
        sum += part[i];
        sum_whole += whole_at(&r, i);
        widen(&ratio, part[i], whole_at(&r, i));
    }
    if (!(sum_whole > 0))
        return (struct hc_serial_ratio){NAN, NAN, NAN, NAN, NAN};
    ratio.value = r.ratio = sum / sum_whole;
    r.mean_whole = sum_whole / (double)n;
    for (size_t i = 0; i < n; i++) {
        square += residual_at(&r, i) * residual_at(&r, i);
        if (i > 0)
            product += residual_at(&r, i) * residual_at(&r, i - 1);
    }
    if (n < 2)
        return ratio;
    double correlation = square > 0 ? unbiased_correlation(product / square, (double)n) : 0;
    double equivalent = equivalent_number(correlation, n);
    /* The residuals are taken from their own mean, which takes 1 / equivalent off their variance:
     * square / (n (1 - 1 / equivalent)) is that of a value, over `equivalent` that of the mean. */
    ratio.error = sqrt(square / ((double)n * (equivalent - 1)));
    ratio.freedom = equivalent - 1;
    return ratio;
}

/* No end beyond the bounds, nor beyond the value, which rounding may have put a little outside. */
static void bound(double *low, double *high, double value, double least, double most)
{
    if (isnan(*low) || isnan(*high))
        return;
    *low = fmin(fmax(*low, least), value);
    *high = fmax(fmin(*high, most), value);
}

void hc_serial_ratio_interval(const struct hc_serial_ratio *ratio, double level, double *low,
                              double *high)
{
    double reach = hc_student_t(ratio->freedom, level) * ratio->error;
    *low = ratio->value - reach;
    *high = ratio->value + reach;
    bound(low, high, ratio->value, ratio->least, ratio->most);
}

/* Not hypot, whose last bit is the library's own. */
static double root_of_squares(double x, double y)
{
    return sqrt(x * x + y * y);
}

/* The ratio r at which b - r a is as large as its reach, (reach_b^2 + r^2 reach_a^2)^(1/2), is a
 * root of (a^2 - reach_a^2) r^2 - 2 a b r + b^2 - reach_b^2. Both roots divide by one sum, which is
 * above 0. */
static double middle(double a, double reach_a, double b, double reach_b)
{
    return a * b + sqrt(fmax(0, a * a * reach_b * reach_b + b * b * reach_a * reach_a -
                                    reach_a * reach_a * reach_b * reach_b));
}

struct hc_apart hc_apart_find(const struct hc_reach *a, const struct hc_reach *b)
{
    double difference = b->value - a->value;
    struct hc_apart m = {.low = difference - root_of_squares(b->below, a->above),
                         .high = difference + root_of_squares(b->above, a->below),
                         .ratio_low = NAN,
                         .ratio_high = NAN};
    if (!(a->value > 0 && b->value > 0) || isnan(m.low) || isnan(m.high))
        return m;
    double low = (b->value - b->below) * (b->value + b->below);
    double high = (a->value - a->below) * (a->value + a->below);
    m.ratio_low = low > 0 ? low / middle(a->value, a->above, b->value, b->below) : 0;
    m.ratio_high = high > 0 ? middle(a->value, a->below, b->value, b->above) / high : INFINITY;
    return m;
}

struct hc_serial_difference hc_serial_difference_find(const struct hc_serial_ratio *a,
                                                      const struct hc_serial_ratio *b, double level)
{
    double a2 = a->error * a->error, b2 = b->error * b->error, t = 0;
    if (a2 + b2 > 0) {
        double share = a2 / (a2 + b2); /* of the variance; both squared could underflow */
        double freedom = 1 / (share * share / a->freedom + (1 - share) * (1 - share) / b->freedom);
        t = hc_student_t(fmax(freedom, 1), level);
    }
    struct hc_apart m = hc_apart_find(&(struct hc_reach){a->value, t * a->error, t * a->error},
                                      &(struct hc_reach){b->value, t * b->error, t * b->error});
    struct hc_serial_difference d = {b->value - a->value, m.low,        m.high,
                                     m.ratio_low,         m.ratio_high, false};
    bool was_sure = d.low > 0 || d.high < 0;
    bound(&d.low, &d.high, d.value, b->least - a->most, b->most - a->least);
    bound(&d.ratio_low, &d.ratio_high, b->value / a->value, fmax(b->least, 0) / a->most,
          b->most / fmax(a->least, 0));
    d.is_bounded = !was_sure && (d.low > 0 || d.high < 0);
    return d;
}
