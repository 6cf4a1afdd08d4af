/* gamma_function.h - the gamma function and a gamma variable's tail, with the same bits on every
 * IEEE machine: for what is drawn, and where GSL has no answer (models/stats/special.h has the
 * rest). Relative errors stay below 1e-12 up to a shape of 1,000 and grow in proportion to it
 * beyond (7e-12 at 10,000).
 */
#ifndef HC_CORE_RANDOM_GAMMA_FUNCTION_H
#define HC_CORE_RANDOM_GAMMA_FUNCTION_H

/* ln gamma(x), x > 0 */
double hc_log_gamma(double x);

/* Logarithm of the probability that a gamma variable of this shape and scale 1 exceeds x, also
 * where that is too small for a number (GSL has the probability only). */
double hc_log_gamma_upper(double shape, double x);

/* Its hazard: density over the probability to exceed x; x > 0. */
double hc_gamma_hazard(double shape, double x);

/* The value that it exceeds with probability above, 0 < above < 1 (gsl_cdf_gamma_Qinv is wrong at
 * shapes of 0.1 and less). */
double hc_gamma_exceeded(double shape, double above);

#endif
