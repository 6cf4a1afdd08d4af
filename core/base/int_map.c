#include "core/base/int_map.h"

#include "core/base/memory.h"

#include <stdlib.h>
#include <string.h>

static size_t hash(uint64_t key)
{
    key ^= key >> 32;
    key *= 0x9e3779b97f4a7c15u;
    return (size_t)(key ^ (key >> 29));
}

void hc_int_map_fini(struct hc_int_map *map)
{
    free(map->keys);
    free(map->values);
    free(map->slots);
    memset(map, 0, sizeof *map);
}

/* The slot that holds key, or the free slot where it belongs. */
static size_t slot_of(const struct hc_int_map *map, uint64_t key)
{
    size_t mask = map->n_slots - 1;
    size_t slot = hash(key) & mask;
    while (map->slots[slot] && map->keys[map->slots[slot] - 1] != key)
        slot = (slot + 1) & mask;
    return slot;
}

int64_t hc_int_map_find(const struct hc_int_map *map, uint64_t key)
{
    if (!map->n_slots)
        return -1;
    return (int64_t)map->slots[slot_of(map, key)] - 1;
}

static enum hc_status grow_slots(struct hc_int_map *map, struct hc_error *err)
{
    size_t n_slots = map->n_slots ? map->n_slots * 2 : 64;
    uint32_t *slots = hc_new_array(n_slots, sizeof *slots, err);
    if (!slots)
        return err->status;
    free(map->slots);
    map->slots = slots;
    map->n_slots = n_slots;
    for (size_t i = 0; i < map->n; i++)
        slots[slot_of(map, map->keys[i])] = (uint32_t)(i + 1);
    return HC_OK;
}

enum hc_status hc_int_map_insert(struct hc_int_map *map, uint64_t key, int32_t value, size_t *entry,
                                 struct hc_error *err)
{
    if (2 * (map->n + 1) > map->n_slots && grow_slots(map, err))
        return err->status;
    size_t slot = slot_of(map, key);
    if (map->slots[slot]) {
        *entry = map->slots[slot] - 1;
        return HC_OK;
    }
    size_t capacity = map->capacity;
    if (hc_reserve(&map->keys, &capacity, map->n + 1, sizeof *map->keys, err))
        return err->status;
    if (hc_reserve(&map->values, &map->capacity, map->n + 1, sizeof *map->values, err))
        return err->status;
    map->keys[map->n] = key;
    map->values[map->n] = value;
    map->slots[slot] = (uint32_t)(map->n + 1);
    *entry = map->n++;
    return HC_OK;
}
