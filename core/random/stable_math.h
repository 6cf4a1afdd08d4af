/* stable_math.h - exp and log that give the same bits on every IEEE machine.
 *
 * The C library picks variants by CPU that differ in the last bit; what is drawn through these must
 * not. Errors stay below 5e-16 relative (exp: for results that are normal numbers).
 */
#ifndef HC_CORE_RANDOM_STABLE_MATH_H
#define HC_CORE_RANDOM_STABLE_MATH_H

/* e^x; 0 below -708, infinite above 709. */
double hc_stable_exp(double x);

/* Natural logarithm of a positive, normal, finite x. */
double hc_stable_log(double x);

#endif
