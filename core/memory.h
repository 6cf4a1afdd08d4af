/* memory.h - allocation for sizes that come from input: checked for overflow, reported as an error.
 */
#ifndef HC_CORE_MEMORY_H
#define HC_CORE_MEMORY_H

#include "core/status.h"

#include <stddef.h>

/* A zeroed array of n elements of size bytes (at least one byte), or NULL with err filled. */
void *hc_new_array(size_t n, size_t size, struct hc_error *err);

/* As hc_new_array, 64-byte aligned and not zeroed: for rows that vector code runs over. */
void *hc_new_aligned(size_t n, size_t size, struct hc_error *err);

/* A copy of text, or NULL with err filled. */
char *hc_copy_text(const char *text, struct hc_error *err);

/* A formatted string of its own, or NULL with err filled. */
char *hc_new_text(struct hc_error *err, const char *format, ...)
    __attribute__((format(printf, 2, 3)));

/* Make room for need elements of size bytes in the growing array *array of *capacity elements:
 * doubles, keeps the contents. array points to the caller's pointer, whatever its type. On failure
 * the array is left as it was. */
enum hc_status hc_reserve(void *array, size_t *capacity, size_t need, size_t size,
                          struct hc_error *err);

#endif
