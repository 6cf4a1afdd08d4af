/* multiway_partition.h - items dealt out to bins so that the fullest is as little full as can be,
 * by largest differencing (Karmarkar and Karp 1982; with equal counts: Michiels et al. 2003). */
#ifndef HC_SIM_EDITS_REMEDIES_MULTIWAY_PARTITION_H
#define HC_SIM_EDITS_REMEDIES_MULTIWAY_PARTITION_H

#include "core/base/status.h"

#include <stdbool.h>
#include <stddef.h>

/* Deal n items to n_bins bins; bin [n] is the bin of each. are_equal: every bin gets the same
 * number of items, which n must allow. Ties go by the number of the item, so that the same costs
 * give the same bins everywhere. */
enum hc_status hc_multiway_partition(const double *cost, size_t n, size_t n_bins, bool are_equal,
                                     size_t *bin, struct hc_error *err);

/* No partition has a fullest bin below this: the mean, or the largest item. */
double hc_partition_bound(const double *cost, size_t n, size_t n_bins);

#endif
