#include "core/base/memory.h"

#include <malloc.h>
#include <stdarg.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

void *hc_new_array(size_t n, size_t size, struct hc_error *err)
{
    void *array = calloc(n ? n : 1, size ? size : 1);
    if (!array)
        hc_fail_memory(err, (unsigned long long)n * size);
    return array;
}

void *hc_new_aligned(size_t n, size_t size, struct hc_error *err)
{
    size_t bytes = 0;
    void *array = NULL;
    if (__builtin_mul_overflow(n, size, &bytes) || bytes > SIZE_MAX - 64 ||
        posix_memalign(&array, 64, bytes ? bytes : 64)) {
        hc_fail_memory(err, (unsigned long long)n * size);
        return NULL;
    }
    return array;
}

char *hc_copy_text(const char *text, struct hc_error *err)
{
    char *copy = strdup(text);
    if (!copy)
        hc_fail_memory(err, strlen(text) + 1);
    return copy;
}

char *hc_new_text(struct hc_error *err, const char *format, ...)
{
    char *text = NULL;
    va_list args;
    va_start(args, format);
    int length = vasprintf(&text, format, args);
    va_end(args);
    if (length < 0) {
        hc_fail_memory(err, strlen(format));
        return NULL;
    }
    return text;
}

enum hc_status hc_reserve(void *array, size_t *capacity, size_t need, size_t size,
                          struct hc_error *err)
{
    if (need <= *capacity)
        return HC_OK;
    size_t wanted = *capacity > SIZE_MAX / 2 ? need : *capacity * 2;
    if (wanted < need)
        wanted = need;
    if (wanted < 16)
        wanted = 16;
    size_t bytes = 0;
    if (__builtin_mul_overflow(wanted, size, &bytes))
        return hc_fail_memory(err, (unsigned long long)need * size);
    void *old = NULL;
    memcpy(&old, array, sizeof old);
    void *grown = realloc(old, bytes);
    if (!grown)
        return hc_fail_memory(err, bytes);
    memcpy(array, &grown, sizeof grown);
    *capacity = wanted;
    return HC_OK;
}

/* ---- for libraries ---- */

#define MOST_TRUSTED ((size_t)64 << 20)

void hc_memory_exhausted(void)
{
    exit(HC_INTERNAL);
}

static void *check_size(void *memory, size_t size)
{
    if (!memory && size && size <= MOST_TRUSTED)
        hc_memory_exhausted();
    return memory;
}

void *hc_library_malloc(size_t size)
{
    return check_size(malloc(size), size);
}

void *hc_library_calloc(size_t n, size_t size)
{
    size_t bytes = 0;
    return check_size(calloc(n, size), __builtin_mul_overflow(n, size, &bytes) ? SIZE_MAX : bytes);
}

void *hc_library_realloc(void *old, size_t size)
{
    return check_size(realloc(old, size), size);
}

char *hc_library_strdup(const char *text)
{
    return check_size(strdup(text), strlen(text) + 1);
}

#define KEPT_BYTES (256 << 20) /* in all */

void hc_keep_freed_arrays(size_t most_bytes)
{
#ifdef __GLIBC__
    mallopt(M_MMAP_THRESHOLD, (int)most_bytes);
    mallopt(M_TRIM_THRESHOLD, KEPT_BYTES);
#else
    (void)most_bytes;
#endif
}
