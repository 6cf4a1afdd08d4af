/* distribution.h - a random duration, rate or size, and how it is drawn.
 *
 * Every draw is the inverse of the distribution at one uniform number, in arithmetic that gives the
 * same bits on every IEEE machine (core/random/stable_math.h). So a draw takes exactly two words of
 * its stream, and the slowest of n is one draw as well.
 */
#ifndef HC_SIM_ENGINE_DISTRIBUTION_H
#define HC_SIM_ENGINE_DISTRIBUTION_H

#include "core/base/status.h"
#include "core/random/philox.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* The largest scale, and so the largest constant: 31,700 years in seconds. The message of the check
 * says it, too. */
#define HC_DISTRIBUTION_MOST 1e12

enum hc_distribution_kind {
    HC_DISTRIBUTION_CONSTANT,    /* scale = the value */
    HC_DISTRIBUTION_EXPONENTIAL, /* scale = the mean */
    HC_DISTRIBUTION_WEIBULL,     /* scale; shape */
    HC_DISTRIBUTION_LOGNORMAL,   /* scale = the median; shape = sigma of the logarithm */
    HC_DISTRIBUTION_GAMMA,       /* scale; shape: mean = scale * shape */
    HC_DISTRIBUTION_EMPIRICAL /* scale * one of value[0..n_values), each as likely as the others */
};

/* All zero is the constant 0. The unit is in the name of the member that has this type. */
struct hc_distribution {
    int32_t kind; /* enum hc_distribution_kind */
    double scale;
    double shape;
    const double *value; /* not owned; ascending */
    size_t n_values;
};

struct hc_distribution hc_distribution_constant(double value);
struct hc_distribution hc_distribution_exponential(double mean);
/* By median and 99th percentile, as scenarios give it. */
struct hc_distribution hc_distribution_lognormal_p99(double median, double p99);
/* By mean and standard deviation. */
struct hc_distribution hc_distribution_lognormal_mean(double mean, double sd);
struct hc_distribution hc_distribution_weibull_mean(double mean, double shape);
struct hc_distribution hc_distribution_gamma_mean(double mean, double shape);

/* HC_BAD_INPUT, with a message that begins with name, unless this is a distribution over numbers >=
 * 0 with a finite mean. */
enum hc_status hc_distribution_check(const struct hc_distribution *d, const char *name,
                                     struct hc_error *err);

double hc_distribution_mean(const struct hc_distribution *d);
double hc_distribution_sd(const struct hc_distribution *d);

/* The value that is exceeded with probability above, 0 < above < 1. */
double hc_distribution_exceeded(const struct hc_distribution *d, double above);

/* The same of n probabilities, which become the values. */
void hc_distribution_exceeded_row(const struct hc_distribution *d, double *above, size_t n);

double hc_distribution_draw(const struct hc_distribution *d, struct hc_philox *rng);

/* The largest of n independent values, n >= 1. */
double hc_distribution_draw_max(const struct hc_distribution *d, double n, struct hc_philox *rng);

/* Of a renewal that has been going on for long, the time from any moment to the next event (forward
 * recurrence: the uniform part of a time that is drawn by its length). At most four words. */
double hc_distribution_draw_residual(const struct hc_distribution *d, struct hc_philox *rng);

/* What is left of a time that has lasted `age` already; 0 where none lasts so long. */
double hc_distribution_draw_left(const struct hc_distribution *d, double age,
                                 struct hc_philox *rng);

/* Uniform in (0, 1), never 0 or 1; takes two words. */
double hc_open_uniform(struct hc_philox *rng);

#endif
