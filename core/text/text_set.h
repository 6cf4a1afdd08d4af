/* text_set.h - texts numbered in the order in which they first came: the dictionary of a column in
 * memory. */
#ifndef HC_CORE_TEXT_TEXT_SET_H
#define HC_CORE_TEXT_TEXT_SET_H

#include "core/base/status.h"

#include <stddef.h>
#include <stdint.h>
#include <string.h>

struct hc_text_set {
    size_t n, capacity;
    char **text; /* text[code], terminated */
    size_t n_slots;
    struct hc_text_slot {
        uint32_t entry; /* 1 + code, 0 when free */
        uint32_t hash;  /* of the text */
    } * slots;
    /* The bytes of the texts: blocks, the last of them partly used. A text of its own would cost an
     * allocation each, of which a day of records has thousands. */
    size_t n_blocks, blocks_capacity, block_size, block_used;
    char **blocks;
};

/* A zeroed struct is an empty set. */
void hc_text_set_fini(struct hc_text_set *set);

/* How long the text of a code is: in its block, the length stands before it. */
static inline size_t hc_text_set_length(const struct hc_text_set *set, int32_t code)
{
    uint32_t length;
    memcpy(&length, set->text[code] - sizeof length, sizeof length);
    return length;
}

/* The code of a text, or -1. */
int32_t hc_text_set_find(const struct hc_text_set *set, const char *text, size_t length);

/* The code of a text, which is added when it is new. The text holds no NUL. */
enum hc_status hc_text_set_add(struct hc_text_set *set, const char *text, size_t length,
                               int32_t *code, struct hc_error *err);

/* Fill an empty set from n texts one behind the other, each its length (32 bits), the text and a
 * NUL, as a set keeps them: code i is the i-th. The bytes are copied as one; what finds or adds
 * looks at the texts then for the first time, so that a set whose codes are only shown costs no
 * more than that. HC_BAD_INPUT: the bytes are not n such texts. */
enum hc_status hc_text_set_fill(struct hc_text_set *set, const void *bytes, size_t length, size_t n,
                                struct hc_error *err);

#endif
