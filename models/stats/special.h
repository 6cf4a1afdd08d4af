/* special.h - special functions, by the GNU Scientific Library.
 *
 * New statistics begin here: call GSL from models/stats, with its status checked, and write own
 * code only where GSL was measured to be wrong or too slow (docs/architecture.md, Statistics).
 * GSL's error handler, which would end the program, is off from the start of the process in
 * whatever links this file.
 *
 * All return NaN where GSL has no answer, and 0 for what is too small for a number. What they
 * return may differ in its last bits between machines, as exp and log of the C library do: nothing
 * that is drawn may depend on it (core/random/gamma_function.h is for that).
 */
#ifndef HC_MODELS_STATS_SPECIAL_H
#define HC_MODELS_STATS_SPECIAL_H

/* ln gamma(x), x > 0 */
double hc_sf_log_gamma(double x);

/* Derivative of ln gamma(x), x > 0 */
double hc_sf_digamma(double x);

/* Probability that a gamma variable of this shape and scale 1 is at most, and exceeds, x; shape >
 * 0, x >= 0. */
double hc_sf_gamma_lower(double shape, double x);
double hc_sf_gamma_upper(double shape, double x);

/* Regularised incomplete beta function: the probability that a beta variable is at most x; a, b >
 * 0, 0 <= x <= 1. Of n tries at p each, k or more succeed with probability hc_sf_beta_lower(k, n -
 * k + 1, p), k >= 1. */
double hc_sf_beta_lower(double a, double b, double x);

/* Standard normal: density over probability to exceed z, the logarithm of that probability, and the
 * probability to be as far from 0 as z, on both sides. */
double hc_sf_normal_hazard(double z);
double hc_sf_normal_log_upper(double z);
double hc_sf_normal_two_sided(double z);

/* The probability of n or more events, n a fraction too (between those of its neighbours): of a
 * Poisson number with this mean, and of a negative binomial one with this mean and variance
 * (Poisson where the variance is not above the mean). 1 for n <= 0; mean >= 0. */
double hc_sf_poisson_upper(double n, double mean);
double hc_sf_negative_binomial_upper(double n, double mean, double variance);

#endif
