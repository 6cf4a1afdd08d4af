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

struct hc_serial_ratio hc_serial_ratio_find(const double *part, const double *whole, size_t n)
{
    struct residuals r = {.part = part, .whole = whole, .n = n};
    double sum = 0, sum_whole = 0, square = 0, product = 0;
    for (size_t i = 0; i < n; i++) {
        sum += part[i];
        sum_whole += whole_at(&r, i);
    }
    if (!(sum_whole > 0))
        return (struct hc_serial_ratio){NAN, NAN, NAN};
    r.ratio = sum / sum_whole;
    r.mean_whole = sum_whole / (double)n;
    for (size_t i = 0; i < n; i++) {
        square += residual_at(&r, i) * residual_at(&r, i);
        if (i > 0)
            product += residual_at(&r, i) * residual_at(&r, i - 1);
    }
    if (n < 2)
        return (struct hc_serial_ratio){r.ratio, NAN, NAN};
    double correlation = square > 0 ? unbiased_correlation(product / square, (double)n) : 0;
    double equivalent = equivalent_number(correlation, n);
    /* The residuals are taken from their own mean, which takes 1 / equivalent off their variance:
     * square / (n (1 - 1 / equivalent)) is that of a value, over `equivalent` that of the mean. */
    return (struct hc_serial_ratio){r.ratio, sqrt(square / ((double)n * (equivalent - 1))),
                                    equivalent - 1};
}

struct hc_serial_difference hc_serial_difference_find(const struct hc_serial_ratio *a,
                                                      const struct hc_serial_ratio *b, double level)
{
    double a2 = a->error * a->error, b2 = b->error * b->error, reach = sqrt(a2 + b2);
    double difference = b->value - a->value;
    if (reach > 0) {
        double share = a2 / (a2 + b2); /* of the variance; both squared could underflow */
        double freedom = 1 / (share * share / a->freedom + (1 - share) * (1 - share) / b->freedom);
        reach *= hc_student_t(fmax(freedom, 1), level);
    }
    return (struct hc_serial_difference){difference, difference - reach, difference + reach};
}
