/* memory.h - allocation for sizes that come from input: checked for overflow, reported as an error.
 */
#ifndef HC_CORE_BASE_MEMORY_H
#define HC_CORE_BASE_MEMORY_H

#include "core/base/status.h"

#include <stddef.h>

/* Size of a buffer, a batch or the longest token: whatever it is, results are the same. In fuzz
 * builds it is a 64th, so that small inputs reach what happens where a buffer ends, and a run does
 * not pay for megabytes (page faults and shadow memory were nine tenths of a run). */
#ifdef FUZZING_BUILD_MODE_UNSAFE_FOR_PRODUCTION
#define HC_BUFFER_SIZE(size) ((size) / 64)
#else
#define HC_BUFFER_SIZE(size) (size)
#endif

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

/* Allocators for libraries that are not to be trusted with a failed allocation: HDF5 crashes
 * (H5A__create), Jansson takes a text for wrong. Where a request of up to 64 MB finds no memory,
 * they end the process by exit(HC_INTERNAL), whose handler removes what is temporary
 * (core/process/threads.h). A larger request returns NULL: the size may come from a damaged file,
 * and such failures the libraries report. */
void *hc_library_malloc(size_t size);
void *hc_library_calloc(size_t n, size_t size);
void *hc_library_realloc(void *old, size_t size);
char *hc_library_strdup(const char *text);

/* What these do without memory: for a place from which no error can be returned. */
_Noreturn void hc_memory_exhausted(void);

/* From now on, freed arrays of up to most_bytes (32 MB at most) stay with the process for the next
 * use; larger ones go back to the system at once. For work that needs arrays of the same sizes
 * again and again: to give their pages back and fetch others takes longer than to fill them. */
void hc_keep_freed_arrays(size_t most_bytes);

#endif
