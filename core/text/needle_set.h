/* needle_set.h - many literals looked for at once: which of them stands first in a text.
 *
 * Logs are mostly lines that nobody asks for. This tells so at some GB/s, before anything dearer
 * looks at a line: the text is passed over in steps of almost the length of the shortest needle
 * (Wu and Manber, "A fast algorithm for multi-pattern searching", TR-94-17, with blocks of three
 * bytes).
 */
#ifndef HC_CORE_TEXT_NEEDLE_SET_H
#define HC_CORE_TEXT_NEEDLE_SET_H

#include "core/base/status.h"

#include <stddef.h>
#include <stdint.h>

struct hc_needle_set;

struct hc_needle {
    const char *text; /* stays the caller's */
    size_t length;    /* at least 4 */
};

/* A set of n needles. HC_INTERNAL: one is shorter than four bytes, or there are more than 65,535.
 */
enum hc_status hc_needle_set_make(struct hc_needle_set **set, const struct hc_needle *needles,
                                  size_t n, struct hc_error *err);
void hc_needle_set_free(struct hc_needle_set *set);

/* The needle that begins first in text, from byte *at on, of those that begin together that of the
 * lowest number; or -1. *at is moved behind the first byte of it, to look on for more. */
int32_t hc_needle_set_find(const struct hc_needle_set *set, const char *text, size_t length,
                           size_t *at);

#endif
