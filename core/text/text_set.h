/* text_set.h - texts numbered in the order in which they first came: the dictionary of a column in
 * memory. */
#ifndef HC_CORE_TEXT_TEXT_SET_H
#define HC_CORE_TEXT_TEXT_SET_H

#include "core/base/status.h"

#include <stddef.h>
#include <stdint.h>

struct hc_text_set {
    size_t n, capacity;
    char **text; /* text[code], terminated */
    size_t n_slots;
    uint32_t *slots; /* 1 + code, 0 when free */
};

/* A zeroed struct is an empty set. */
void hc_text_set_fini(struct hc_text_set *set);

/* The code of a text, or -1. */
int32_t hc_text_set_find(const struct hc_text_set *set, const char *text, size_t length);

/* The code of a text, which is added when it is new. The text holds no NUL. */
enum hc_status hc_text_set_add(struct hc_text_set *set, const char *text, size_t length,
                               int32_t *code, struct hc_error *err);

#endif
