#include "core/text/text_set.h"

#include "core/base/memory.h"
#include "core/text/text_hash.h"

#include <stdbool.h>
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

/* Of a set that was filled and has no slots yet. */
static int32_t find_unslotted(const struct hc_text_set *set, const char *text, size_t length)
{
    for (size_t i = 0; i < set->n; i++)
        if (hc_text_set_length(set, (int32_t)i) == length &&
            hc_is_same_text(set->text[i], text, length))
            return (int32_t)i;
    return -1;
}

int32_t hc_text_set_find(const struct hc_text_set *set, const char *text, size_t length)
{
    if (!set->n_slots)
        return find_unslotted(set, text, length);
    return (int32_t)slot_of(set, text, length, hc_text_hash(text, length))->entry - 1;
}

/* Give slots to the texts of a set that was filled. Of a text that is there twice, the first code
 * is found. */
static void take_slots(struct hc_text_set *set)
{
    for (size_t i = 0; i < set->n; i++) {
        size_t length = hc_text_set_length(set, (int32_t)i);
        uint32_t hashed = hc_text_hash(set->text[i], length);
        struct hc_text_slot *slot = slot_of(set, set->text[i], length, hashed);
        if (!slot->entry)
            *slot = (struct hc_text_slot){(uint32_t)i + 1, hashed};
    }
}

/* At most half of the slots are ever taken. */
static enum hc_status grow(struct hc_text_set *set, struct hc_error *err)
{
    bool is_filled = !set->n_slots && set->n;
    size_t n_slots = set->n_slots ? 2 * set->n_slots : 64;
    while (n_slots < 2 * (set->n + 1))
        n_slots *= 2;
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
    if (is_filled)
        take_slots(set);
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

/* Point at each of n texts that lie in a block. False: they do not end where it does. */
static bool point_at_texts(struct hc_text_set *set, char *block, size_t length, size_t n)
{
    size_t at = 0;
    for (size_t i = 0; i < n; i++) {
        uint32_t text_length;
        if (length - at < sizeof text_length + 1)
            return false;
        memcpy(&text_length, block + at, sizeof text_length);
        at += sizeof text_length;
        if (length - at <= text_length || block[at + text_length] != '\0' ||
            memchr(block + at, '\0', text_length))
            return false;
        set->text[i] = block + at;
        at += (size_t)text_length + 1;
    }
    return at == length;
}

enum hc_status hc_text_set_fill(struct hc_text_set *set, const void *bytes, size_t length, size_t n,
                                struct hc_error *err)
{
    if (n > length / (sizeof(uint32_t) + 1) || n > INT32_MAX || (n == 0 && length))
        return hc_fail(err, HC_BAD_INPUT, "%zu texts cannot be in %zu bytes", n, length);
    if (n == 0)
        return HC_OK;
    if (hc_reserve(&set->text, &set->capacity, n, sizeof *set->text, err) ||
        hc_reserve(&set->blocks, &set->blocks_capacity, 1, sizeof *set->blocks, err))
        return err->status;
    char *block = malloc(length);
    if (!block)
        return hc_fail(err, HC_INTERNAL, "out of memory: %zu bytes of texts", length);
    memcpy(block, bytes, length);
    set->blocks[set->n_blocks++] = block;
    set->block_size = set->block_used = length;
    if (!point_at_texts(set, block, length, n))
        return hc_fail(err, HC_BAD_INPUT, "%zu bytes are not the %zu texts they should be", length,
                       n);
    set->n = n;
    return HC_OK;
}
