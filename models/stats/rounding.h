/* rounding.h - statistics without the digits in which machines differ.
 *
 * GSL uses exp, log and pow of the C library, which picks variants by CPU that differ in the last
 * bit. What is drawn by a fitted parameter must not depend on that, and no output should: results
 * are rounded to fewer digits than they are exact to. Two machines then differ only where a result
 * lies on the edge between two roundings (about one in a thousand with HC_STATS_DIGITS, one in a
 * hundred thousand with HC_FIT_DIGITS).
 */
#ifndef HC_MODELS_STATS_ROUNDING_H
#define HC_MODELS_STATS_ROUNDING_H

#define HC_STATS_DIGITS 12 /* of quantiles, ends of intervals, probabilities */
#define HC_FIT_DIGITS   9  /* of parameters that are fitted */

/* The double nearest to value rounded to that many significant decimal digits, 1 to 17; what is not
 * finite stays. */
double hc_round_digits(double value, int digits);

#endif
