/* gamma_function.h - the gamma function, its incomplete forms, and Student's t by them, with the
 * same bits on every IEEE machine. Relative errors stay below 1e-12.
 */
#ifndef HC_CORE_RANDOM_GAMMA_FUNCTION_H
#define HC_CORE_RANDOM_GAMMA_FUNCTION_H

/* ln gamma(x), x > 0 */
double hc_log_gamma(double x);

/* Probability that a gamma variable of this shape and scale 1 exceeds x. */
double hc_gamma_above(double shape, double x);

/* Its logarithm, also where the probability is too small for a number. */
double hc_log_gamma_above(double shape, double x);

/* Density over probability to exceed, x > 0. */
double hc_gamma_hazard(double shape, double x);

/* Derivative of ln gamma(x), x > 0 */
double hc_digamma(double x);

/* The value that it exceeds with probability above, 0 < above < 1. */
double hc_gamma_exceeded(double shape, double above);

/* t such that a Student variable with n degrees of freedom lies in [-t, t] with probability level;
 * n >= 1, 0 < level < 1. */
double hc_student_t(double n, double level);

#endif
