#include "core/text/text_set.h"

#include "core/base/memory.h"

#include <stdlib.h>
#include <string.h>

void hc_text_set_fini(struct hc_text_set *set)
{
    for (size_t i = 0; i < set->n; i++)
        free(set->text[i]);
    free(set->text);
    free(set->slots);
    memset(set, 0, sizeof *set);
}

/* As FNV-1a, but eight bytes at a time: messages of logs are long. Codes do not depend on it. */
static uint64_t hash(const char *text, size_t length)
{
    const uint64_t prime = 0x9E3779B97F4A7C15ULL;
    uint64_t value = 14695981039346656037ULL ^ length, word;
    for (; length >= 8; text += 8, length -= 8) {
        memcpy(&word, text, 8);
        value = (value ^ word) * prime;
        value ^= value >> 32;
    }
    word = 0;
    memcpy(&word, text, length);
    value = (value ^ word) * prime;
    return value ^ value >> 32;
}

/* The slot of a text, or the free one where it belongs. There is always a free one. */
static size_t slot_of(const struct hc_text_set *set, const char *text, size_t length)
{
    size_t slot = hash(text, length) & (set->n_slots - 1);
    while (set->slots[slot]) {
        const char *there = set->text[set->slots[slot] - 1];
        if (strncmp(there, text, length) == 0 && there[length] == '\0')
            break;
        slot = (slot + 1) & (set->n_slots - 1);
    }
    return slot;
}

int32_t hc_text_set_find(const struct hc_text_set *set, const char *text, size_t length)
{
    return set->n_slots ? (int32_t)set->slots[slot_of(set, text, length)] - 1 : -1;
}

/* At most half of the slots are ever taken. */
static enum hc_status grow(struct hc_text_set *set, struct hc_error *err)
{
    size_t n_slots = set->n_slots ? 2 * set->n_slots : 64;
    uint32_t *slots = hc_new_array(n_slots, sizeof *slots, err);
    if (!slots)
        return err->status;
    free(set->slots);
    set->slots = slots;
    set->n_slots = n_slots;
    for (size_t i = 0; i < set->n; i++)
        slots[slot_of(set, set->text[i], strlen(set->text[i]))] = (uint32_t)i + 1;
    return HC_OK;
}

enum hc_status hc_text_set_add(struct hc_text_set *set, const char *text, size_t length,
                               int32_t *code, struct hc_error *err)
{
    *code = hc_text_set_find(set, text, length);
    if (*code >= 0)
        return HC_OK;
    if (2 * (set->n + 1) > set->n_slots && grow(set, err))
        return err->status;
    if (hc_reserve(&set->text, &set->capacity, set->n + 1, sizeof *set->text, err))
        return err->status;
    char *copy = hc_new_array(length + 1, 1, err);
    if (!copy)
        return err->status;
    memcpy(copy, text, length);
    set->slots[slot_of(set, text, length)] = (uint32_t)set->n + 1;
    *code = (int32_t)set->n;
    set->text[set->n++] = copy;
    return HC_OK;
}
