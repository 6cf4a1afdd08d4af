/* serial_ratio.h - ratios of sums over a series whose values depend on those before them, as the
 * steps of a job do, and the difference and ratio of two figures that were measured apart.
 *
 * Source: Zwiers and von Storch, "Taking serial correlation into account in tests of the mean",
 * Journal of Climate 8 (1995) 336-351, for a mean; a ratio of sums is treated as the mean of its
 * residuals (Cochran, "Sampling Techniques", 3rd edition, 1977, chapter 6); Welch, Biometrika 34
 * (1947) 28-35, for the difference; Zou and Donner, "Construction of confidence limits about effect
 * measures: a general approach", Statistics in Medicine 27 (2008) 1693-1702, and Newcombe, "MOVER-R
 * confidence intervals for ratios and products of two independently estimated quantities",
 * Statistical Methods in Medical Research 25 (2016) 1774-1778, for intervals made of intervals.
 */
#ifndef HC_MODELS_STATS_SERIAL_RATIO_H
#define HC_MODELS_STATS_SERIAL_RATIO_H

#include <stdbool.h>
#include <stddef.h>

/* A figure, its standard error, and the degrees of freedom (1 or more) with which the error is
 * known. NaN where a series does not tell. */
struct hc_serial_ratio {
    double value, error, freedom;
    double least, most; /* ratio of a single value; INFINITY where its whole is 0 and its part is
                           not */
};

/* The sum of part [n] over that of whole [n] (NULL: n, so that the ratio is the mean of part). The
 * error counts the n values as fewer, by how much a residual says of the next one. All are NaN of
 * no values or of a whole that is not above 0; of one value the error is. */
struct hc_serial_ratio hc_serial_ratio_find(const double *part, const double *whole, size_t n);

/* The interval of a ratio, of this level (0 to 1): Student's t. It ends at the least and the most
 * of a single value, since a ratio of sums lies between these: of a series that wanders off, which
 * counts as two values, t has one degree of freedom and reaches below 0. NaN where the error is not
 * known. */
void hc_serial_ratio_interval(const struct hc_serial_ratio *ratio, double level, double *low,
                              double *high);

/* A figure, and how far its interval reaches below and above it. */
struct hc_reach {
    double value, below, above;
};

/* The intervals of the difference and of the ratio of two figures, made of theirs (method of
 * variance estimates recovery). They agree: that of the difference holds 0 where that of the ratio
 * holds 1. Where the reaches of a figure are a multiple of its standard error, the difference has
 * the usual interval and the ratio that of Fieller. */
struct hc_apart {
    double low, high;             /* of b less a */
    double ratio_low, ratio_high; /* of b over a, never below 0: low is 0 where b reaches 0, high is
                                     infinite where a does. NaN where a or b is not above 0 */
};

/* NaN where a reach is. */
struct hc_apart hc_apart_find(const struct hc_reach *a, const struct hc_reach *b);

/* By how much b is larger than a, and its interval of this level; the interval of b over a, where
 * both are above 0. Student's t, with the degrees of freedom of Welch. All
 * end where single values do, as above: where no value of a is as large as one of b, 0 is not in
 * the interval of the difference, whatever drifts within a or b. low and high are NaN where an
 * error is not known. */
struct hc_serial_difference {
    double value, low, high;
    double ratio_low, ratio_high;
    bool is_bounded; /* 0 is not in it, but would be without what single values say */
};
struct hc_serial_difference hc_serial_difference_find(const struct hc_serial_ratio *a,
                                                      const struct hc_serial_ratio *b,
                                                      double level);

#endif
