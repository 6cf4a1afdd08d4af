/* root.h - where a function of a positive number is zero. */
#ifndef HC_MODELS_STATS_ROOT_H
#define HC_MODELS_STATS_ROOT_H

#include <stdbool.h>

typedef double hc_root_function(double x, void *context);

/* The root between low and high, 0 < low < high, where the function has different signs, by Brent's
 * method (GSL's) in the logarithm of x, as near as doubles are. False where it has one sign at both
 * ends, or no value on the way. */
bool hc_find_root(hc_root_function *function, void *context, double low, double high, double *x);

#endif
