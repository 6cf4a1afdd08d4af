/* block_bootstrap.h - resampling a series of steps in blocks, and the interval of a figure of it
 * (docs/methods/intervals.md). Private to this wing. */
#ifndef HC_SIM_WHATIF_BLOCK_BOOTSTRAP_H
#define HC_SIM_WHATIF_BLOCK_BOOTSTRAP_H

#include "core/base/status.h"
#include "sim/whatif/whatif_depth.h"

#include <stddef.h>
#include <stdint.h>

/* A series to be resampled: n_steps rows of n_columns values. */
struct hc_step_rows {
    size_t n_steps, n_columns;
    const double *value; /* [n_steps][n_columns] */
};

/* The default length of a block: n_steps^(1/3), to the nearest. */
size_t hc_block_steps(size_t n_steps);

/* Sums of the columns over resamples of n_steps rows each, in blocks of block_steps rows that
 * follow each other (the first follows the last): sums[n_resamples][n_columns]. The same numbers
 * every time. */
enum hc_status hc_block_bootstrap(double *sums, int32_t n_resamples,
                                  const struct hc_step_rows *rows, size_t block_steps,
                                  struct hc_error *err);

/* The correlation of a value (mean 0) with that of the next step, from 0 to HC_MOST_CORRELATION:
 * the bias of short series is taken off, and what can well be chance (below one standard error)
 * counts as 0. */
#define HC_MOST_CORRELATION 0.9
double hc_step_correlation(const double *value, size_t n_steps);

/* The interval from the figures of the resamples (reordered): their quantiles, moved away from the
 * estimate by what blocks and few steps take from the spread. */
struct hc_interval hc_bootstrap_interval(double estimate, double *figures, double correlation,
                                         const struct hc_intervals *settings);

#endif
