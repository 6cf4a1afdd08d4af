/* int_map.h - a hash map from 64-bit keys to int32 values (open addressing, linear probing).
 *
 * Iteration is by insertion order through keys[]/values[], so results never depend on hashing.
 */
#ifndef HC_CORE_BASE_INT_MAP_H
#define HC_CORE_BASE_INT_MAP_H

#include "core/base/status.h"

#include <stddef.h>
#include <stdint.h>

struct hc_int_map {
    size_t n;        /* entries */
    size_t capacity; /* of keys and values */
    uint64_t *keys;  /* in order of insertion */
    int32_t *values;
    size_t n_slots;  /* power of two, or 0 */
    uint32_t *slots; /* 1 + index of the entry, 0 when free */
};

/* A zeroed struct is an empty map. */
void hc_int_map_fini(struct hc_int_map *map);

/* The entry of key, or -1. */
int64_t hc_int_map_find(const struct hc_int_map *map, uint64_t key);

/* The entry of key, inserted with value when it is new, in *entry. Values may be changed in place
 * through map->values[*entry]. */
enum hc_status hc_int_map_insert(struct hc_int_map *map, uint64_t key, int32_t value, size_t *entry,
                                 struct hc_error *err);

#endif
