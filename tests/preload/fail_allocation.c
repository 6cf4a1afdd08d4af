/* fail_allocation.c - the N-th allocation of the program finds no memory. Preloaded; glibc only.
 *
 *   FAIL_ALLOCATION_AT=N    the N-th (from 1) call of malloc, calloc, realloc or an aligned one
 *                           returns NULL; 0 or unset: none
 *   FAIL_ALLOCATION_COUNT=FILE   at its end the program writes the number of such calls into FILE
 *
 * Counted are the calls of the program and of all libraries, the C library included (stdio,
 * opendir), from the moment that this library is initialised. Only this process is meant, not what
 * it starts. A program that ends by _exit writes no count. */
#include <errno.h>
#include <fcntl.h>
#include <stdatomic.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

extern void *__libc_malloc(size_t size);
extern void *__libc_calloc(size_t n, size_t size);
extern void *__libc_realloc(void *old, size_t size);
extern void *__libc_memalign(size_t alignment, size_t size);

static atomic_long n_calls;
static long fail_at; /* -1: not before the constructor has run */

__attribute__((constructor)) static void begin(void)
{
    const char *at = getenv("FAIL_ALLOCATION_AT");
    fail_at = at ? atol(at) : 0;
    n_calls = 0;
    unsetenv("LD_PRELOAD"); /* not for gnuplot and the like */
}

__attribute__((destructor)) static void end(void)
{
    const char *path = getenv("FAIL_ALLOCATION_COUNT");
    int fd = path ? open(path, O_WRONLY | O_CREAT | O_TRUNC, 0666) : -1;
    if (fd >= 0)
        dprintf(fd, "%ld\n", (long)n_calls);
}

static int fails(void)
{
    if (atomic_fetch_add(&n_calls, 1) + 1 != fail_at)
        return 0;
    if (getenv("FAIL_ALLOCATION_STOP"))
        abort(); /* a debugger shows whose call it is */
    errno = ENOMEM;
    return 1;
}

void *malloc(size_t size)
{
    return fails() ? NULL : __libc_malloc(size);
}

void *calloc(size_t n, size_t size)
{
    return fails() ? NULL : __libc_calloc(n, size);
}

void *realloc(void *old, size_t size)
{
    return fails() ? NULL : __libc_realloc(old, size);
}

void *memalign(size_t alignment, size_t size)
{
    return fails() ? NULL : __libc_memalign(alignment, size);
}

void *aligned_alloc(size_t alignment, size_t size)
{
    return memalign(alignment, size);
}

int posix_memalign(void **memory, size_t alignment, size_t size)
{
    void *made = memalign(alignment, size);
    if (!made)
        return ENOMEM;
    *memory = made;
    return 0;
}
