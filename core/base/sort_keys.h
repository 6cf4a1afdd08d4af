/* sort_keys.h - millions of rows by one whole number each, in linear time.
 *
 * Stable: rows of equal keys stay in the order in which they were given.
 */
#ifndef HC_CORE_BASE_SORT_KEYS_H
#define HC_CORE_BASE_SORT_KEYS_H

#include "core/base/status.h"

#include <stddef.h>
#include <stdint.h>

struct hc_sort_key {
    int64_t key;
    uint32_t row;
};

/* Sort n of them by key, ascending. HC_INTERNAL: no memory for as many again. */
enum hc_status hc_sort_keys(struct hc_sort_key *keys, size_t n, struct hc_error *err);

#endif
