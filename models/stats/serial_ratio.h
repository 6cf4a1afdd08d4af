/* serial_ratio.h - ratios of sums over a series whose values depend on those before them, as the
 * steps of a job do, and the difference of two of them that were recorded apart.
 *
 * Source: Zwiers and von Storch, "Taking serial correlation into account in tests of the mean",
 * Journal of Climate 8 (1995) 336-351, for a mean; a ratio of sums is treated as the mean of its
 * residuals (Cochran, "Sampling Techniques", 3rd edition, 1977, chapter 6); Welch, Biometrika 34
 * (1947) 28-35, for the difference.
 */
#ifndef HC_MODELS_STATS_SERIAL_RATIO_H
#define HC_MODELS_STATS_SERIAL_RATIO_H

#include <stddef.h>

/* A figure, its standard error, and the degrees of freedom (1 or more) with which the error is
 * known. NaN where a series does not tell. */
struct hc_serial_ratio {
    double value, error, freedom;
};

/* The sum of part [n] over that of whole [n] (NULL: n, so that the ratio is the mean of part). The
 * error counts the n values as fewer, by how much a residual says of the next one. All are NaN of
 * no values or of a whole that is not above 0; of one value the error is. */
struct hc_serial_ratio hc_serial_ratio_find(const double *part, const double *whole, size_t n);

/* By how much b is larger than a, and its interval of this level (0 to 1): Student's t, with the
 * degrees of freedom of Welch. low and high are NaN where an error is not known. */
struct hc_serial_difference {
    double value, low, high;
};
struct hc_serial_difference hc_serial_difference_find(const struct hc_serial_ratio *a,
                                                      const struct hc_serial_ratio *b,
                                                      double level);

#endif
