/* stable_rows.h - random numbers and functions of them for many values at once: the same bits as
 * one by one (core/random/philox.h, core/random/stable_math.h), several times as fast. */
#ifndef HC_CORE_RANDOM_STABLE_ROWS_H
#define HC_CORE_RANDOM_STABLE_ROWS_H

#include <stddef.h>
#include <stdint.h>

/* Two uniform numbers in (0, 1) of each of n blocks of a stream of Philox, to[2 * i] and
 * to[2 * i + 1]: centres of 2^52 cells, so that neither end comes up. */
void hc_philox_rows(uint64_t seed, uint64_t stream, const uint64_t *block, size_t n, double *to);

/* value[i] = e^value[i] */
void hc_exp_row(double *value, size_t n);
/* value[i] = ln value[i] of positive, normal, finite values */
void hc_log_row(double *value, size_t n);
/* value[i] = the standard normal value that is not exceeded with probability value[i], in (0, 1)
 */
void hc_normal_row(double *value, size_t n);

#endif
