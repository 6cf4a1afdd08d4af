#include "core/text/text_set.h"

#include "core/base/memory.h"
#include "core/text/text_hash.h"

#include <stdlib.h>
#include <string.h>

#define FIRST_BLOCK   ((size_t)1 << 10)
#define LARGEST_BLOCK ((size_t)1 << 18)

void hc_text_set_fini(struct hc_text_set *set)
{
    for (size_t i = 0; i < set->n_blocks; i++)
        free(set->blocks[i]);
    free(set->blocks);
    free(set->text);
    free(set->slots);
    memset(set, 0, sizeof *set);
}

/* The slot of a text, or the free one where it belongs. There is always a free one. */
__attribute__((always_inline)) static inline struct hc_text_slot *
slot_of(const struct hc_text_set *set, const char *text, size_t length, uint32_t hashed)
{
    size_t slot = hashed & (set->n_slots - 1);
    for (; set->slots[slot].entry; slot = (slot + 1) & (set->n_slots - 1)) {
        int32_t code = (int32_t)(set->slots[slot].entry - 1);
        if (set->slots[slot].hash == hashed && hc_text_set_length(set, code) == length &&
            hc_is_same_text(set->text[code], text, length))
            break;
    }
    return &set->slots[slot];
}

int32_t hc_text_set_find(const struct hc_text_set *set, const char *text, size_t length)
{
    if (!set->n_slots)
        return -1;
    return (int32_t)slot_of(set, text, length, hc_text_hash(text, length))->entry - 1;
}

/* At most half of the slots are ever taken. */
static enum hc_status grow(struct hc_text_set *set, struct hc_error *err)
{
    size_t n_slots = set->n_slots ? 2 * set->n_slots : 64;
    struct hc_text_slot *slots = hc_new_array(n_slots, sizeof *slots, err);
    if (!slots)
        return err->status;
    for (size_t i = 0; i < set->n_slots; i++) {
        size_t to = set->slots[i].hash & (n_slots - 1);
        if (!set->slots[i].entry)
            continue;
        while (slots[to].entry)
            to = (to + 1) & (n_slots - 1);
        slots[to] = set->slots[i];
    }
    free(set->slots);
    set->slots = slots;
    set->n_slots = n_slots;
    return HC_OK;
}

/* Room for a text, its length before and its end behind it; NULL: no memory. */
static char *place(struct hc_text_set *set, size_t length, struct hc_error *err)
{
    size_t need = sizeof(uint32_t) + length + 1;
    if (set->n_blocks == 0 || set->block_size - set->block_used < need) {
        size_t size = set->n_blocks ? 2 * set->block_size : FIRST_BLOCK;
        size = size < LARGEST_BLOCK ? size : LARGEST_BLOCK;
        size = size > need ? size : need;
        if (hc_reserve(&set->blocks, &set->blocks_capacity, set->n_blocks + 1, sizeof *set->blocks,
                       err))
            return NULL;
        char *block = hc_new_array(size, 1, err);
        if (!block)
            return NULL;
        set->blocks[set->n_blocks++] = block;
        set->block_size = size;
        set->block_used = 0;
    }
    char *at = set->blocks[set->n_blocks - 1] + set->block_used;
    uint32_t field = (uint32_t)length;
    memcpy(at, &field, sizeof field);
    set->block_used += need;
    return at + sizeof field;
}

enum hc_status hc_text_set_add(struct hc_text_set *set, const char *text, size_t length,
                               int32_t *code, struct hc_error *err)
{
    uint32_t hashed = hc_text_hash(text, length);
    if (2 * (set->n + 1) > set->n_slots && grow(set, err))
        return err->status;
    struct hc_text_slot *slot = slot_of(set, text, length, hashed);
    *code = (int32_t)slot->entry - 1;
    if (slot->entry)
        return HC_OK;
    if (hc_reserve(&set->text, &set->capacity, set->n + 1, sizeof *set->text, err))
        return err->status;
    char *copy = place(set, length, err);
    if (!copy)
        return err->status;
    memcpy(copy, text, length);
    *slot = (struct hc_text_slot){(uint32_t)set->n + 1, hashed};
    *code = (int32_t)set->n;
    set->text[set->n++] = copy;
    return HC_OK;
}
