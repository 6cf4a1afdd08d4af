#include "sim/whatif/step_doubt.h"

#include "models/stats/student.h"

#include <math.h>

/* Independent steps seldom seem to be correlated by more than so many standard errors. */
#define MOST_ERRORS 2.1
/* A correlation can be so many standard errors (of Fisher's transform) above what a short series
 * shows: 2.5 % of the series of 20 and of 40 steps show less, simulated with correlations of 0.5 to
 * 0.9. The width takes a few more, since intervals are given for just those series. */
#define UPPER_ERRORS 2.6
#define WIDTH_ERRORS 3.0
/* Levels that may be correlated by this or more say nothing in a few dozen steps, ... */
#define MOST_CORRELATION 0.8
/* ... and in more steps where so few independent values would be left. */
#define LEAST_FREE_STEPS 5
#define TOP_CORRELATION  0.995
#define LEAST_FREEDOM    1.5
#define MOST_STEPS       100000
/* A ratio to a mean whose square is not clearly larger than t^2 times its variance is not given:
 * its interval is wide, and at 0 endless. */
#define MOST_DOUBT 0.05

double hc_step_correlation(const double *value, size_t n_steps)
{
    double square = 0, product = 0, n = (double)n_steps;
    for (size_t s = 0; s < n_steps; s++) {
        square += value[s] * value[s];
        if (s > 0)
            product += value[s] * value[s - 1];
    }
    if (!(square > 0))
        return 0;
    double r = product / square;
    return fmin(fmax(r + (1 + 3 * r) / n, -TOP_CORRELATION), TOP_CORRELATION);
}

/* The variance of a mean of n values that are correlated by r, r^2, r^3, ... over that of
 * independent ones. */
static double variance_growth(double r, double n)
{
    return (1 + r) / (1 - r) - 2 * r * (1 - pow(r, n)) / (n * (1 - r) * (1 - r));
}

/* Student's t rests on as many values as have the same variance of their variance (Bartlett 1935).
 */
static double freedom_of(double r, double n)
{
    return fmax(LEAST_FREEDOM, n * (1 - r * r) / (1 + r * r) - 1);
}

struct hc_step_doubt hc_doubt_of_steps(double correlation, size_t n_steps, double errors)
{
    double n = (double)n_steps, r = fmax(0, correlation);
    double upper = fmin(TOP_CORRELATION, r + errors * sqrt((1 - r * r) / n));
    /* Of independent steps the mean is 0 once the bias is off. */
    bool is_hopeless = correlation > MOST_ERRORS / sqrt(n) * (1 + 3 / n);
    return (struct hc_step_doubt){correlation, variance_growth(upper, n), freedom_of(upper, n),
                                  is_hopeless};
}

/* The least correlation that series of n steps which are correlated by r can show. */
static double least_shown(double r, double n, double errors)
{
    return tanh(atanh(r) - errors / sqrt(n * (1 - r * r)));
}

static double most_correlation(double n)
{
    return fmin(TOP_CORRELATION,
                fmax(MOST_CORRELATION, (n - LEAST_FREE_STEPS) / (n + LEAST_FREE_STEPS)));
}

static bool is_hopeless(double correlation, double n)
{
    return correlation > least_shown(most_correlation(n), n, UPPER_ERRORS);
}

/* The largest correlation of which series show as little as this one. */
static double upper_correlation(double correlation, double n)
{
    double low = 0, high = TOP_CORRELATION;
    for (int i = 0; i < 40; i++) {
        double middle = (low + high) / 2;
        if (least_shown(middle, n, WIDTH_ERRORS) > correlation)
            high = middle;
        else
            low = middle;
    }
    return low;
}

struct hc_step_doubt hc_doubt_of_levels(double correlation, double share, size_t n_steps)
{
    double n = (double)n_steps;
    double growth = 1 + share * (variance_growth(upper_correlation(correlation, n), n) - 1);
    /* As of a series that is correlated throughout, and grows as much. */
    double even = (growth - 1) / (growth + 1);
    return (struct hc_step_doubt){correlation, growth, freedom_of(even, n),
                                  is_hopeless(correlation, n)};
}

size_t hc_enough_steps(double correlation)
{
    size_t n = 20;
    while (n < MOST_STEPS && is_hopeless(correlation, (double)n))
        n += n < 100 ? 10 : n / 10 / 10 * 10;
    return n;
}

struct hc_interval hc_ratio_interval(const double *part, const double *whole, size_t n_steps,
                                     const struct hc_step_doubt *doubt, double level)
{
    double n = (double)n_steps, mean_part = 0, mean_whole = 0, pp = 0, ww = 0, pw = 0;
    for (size_t s = 0; s < n_steps; s++) {
        mean_part += part[s] / n;
        mean_whole += whole[s] / n;
    }
    for (size_t s = 0; s < n_steps; s++) {
        double p = part[s] - mean_part, w = whole[s] - mean_whole;
        pp += p * p;
        ww += w * w;
        pw += p * w;
    }
    /* t^2 times the variances of the means. The mean that is taken off the steps has taken a part
     * of their variance with it, the more the more they are correlated. */
    double t = hc_student_t(doubt->freedom, level);
    double growth = fmin(doubt->growth, n - 1), kept = 1 - (growth - 1) / (n - 1);
    double scale = t * t * growth / n / (n - 1) / fmax(kept, 1 / n);
    double a = mean_whole * mean_whole - scale * ww, b = mean_part * mean_whole - scale * pw;
    double c = mean_part * mean_part - scale * pp;
    if (!(a > MOST_DOUBT * mean_whole * mean_whole))
        return (struct hc_interval){NAN, NAN};
    double root = sqrt(fmax(0, b * b - a * c));
    return (struct hc_interval){(b - root) / a, (b + root) / a};
}
