#include "core/process/temporary_files.h"

#include <signal.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stdlib.h>
#include <time.h>
#include <unistd.h>

#define NAMES_A_BLOCK 256

/* Blocks are added and never freed, so that the signal handler can walk them at any moment. */
struct block {
    _Atomic(const char *) names[NAMES_A_BLOCK];
    _Atomic(struct block *) next;
};

static struct block first;

#define ENDING -1

static atomic_int holders; /* ENDING from when the handler removes what is temporary */

static bool put_name(struct block *block, const char *path)
{
    for (size_t i = 0; i < NAMES_A_BLOCK; i++) {
        const char *none = NULL;
        if (atomic_load_explicit(&block->names[i], memory_order_relaxed) == NULL &&
            atomic_compare_exchange_strong(&block->names[i], &none, path))
            return true;
    }
    return false;
}

/* The block after this one, made when there is none; NULL without memory. */
static struct block *next_block(struct block *block)
{
    struct block *next = atomic_load(&block->next);
    if (next)
        return next;
    struct block *made = calloc(1, sizeof *made);
    if (made && !atomic_compare_exchange_strong(&block->next, &next, made)) {
        free(made); /* another thread was first */
        made = next;
    }
    return made;
}

void hc_temporary_add(const char *path)
{
    for (struct block *block = &first; block; block = next_block(block))
        if (put_name(block, path))
            return;
}

static void take_off(const char *path)
{
    for (struct block *block = path ? &first : NULL; block; block = atomic_load(&block->next))
        for (size_t i = 0; i < NAMES_A_BLOCK; i++) {
            const char *same = path;
            if (atomic_load_explicit(&block->names[i], memory_order_relaxed) == path &&
                atomic_compare_exchange_strong(&block->names[i], &same, NULL))
                return;
        }
}

void hc_temporary_forget(const char *path)
{
    take_off(path);
    /* The handler, on another thread, may have read the pointer before it was taken off. Were the
     * text freed now and its memory used for another name, the handler would remove that file. */
    while (atomic_load(&holders) == ENDING)
        pause();
}

/* Call remove for every name, and take off the list those that it removed: how many. */
static size_t remove_with(int (*remove_name)(const char *path))
{
    size_t n = 0;
    for (struct block *block = &first; block; block = atomic_load(&block->next))
        for (size_t i = 0; i < NAMES_A_BLOCK; i++) {
            const char *path = atomic_load(&block->names[i]);
            if (path && remove_name(path) == 0) {
                atomic_store(&block->names[i], NULL);
                n++;
            }
        }
    return n;
}

void hc_temporary_remove_all(void)
{
    /* A directory goes when those in it are gone; the list has them in no order. Other threads go
     * on making files meanwhile, until their directory is gone. */
    while (remove_with(unlink) + remove_with(rmdir))
        ;
}

/* ---- signals ---- */

static _Thread_local int own_holds;

static atomic_int pending; /* the signal that came while somebody held */

void hc_temporary_hold(void)
{
    int n = atomic_load(&holders);
    for (;;) {
        if (n == ENDING) /* another thread ends the process */
            pause();
        else if (atomic_compare_exchange_strong(&holders, &n, n + 1)) {
            own_holds++;
            return;
        }
        n = atomic_load(&holders);
    }
}

void hc_temporary_release(void)
{
    own_holds--;
    if (atomic_fetch_sub(&holders, 1) > 1)
        return;
    int number = atomic_exchange(&pending, 0);
    if (number)
        raise(number);
}

bool hc_temporary_may_end(int number)
{
    /* Told first, tried second: a holder that lets go in between finds it, or we find it gone. */
    atomic_store(&pending, number);
    int none = 0;
    return atomic_compare_exchange_strong(&holders, &none, ENDING);
}

/* Two threads that end while both hold would wait for each other: the wait is limited. */
#define MOST_MOMENTS 1000

void hc_temporary_end(void)
{
    const struct timespec moment = {.tv_nsec = 1000000};
    for (int i = 0; i < MOST_MOMENTS; i++) {
        int own = own_holds;
        if (atomic_compare_exchange_strong(&holders, &own, ENDING)) {
            hc_temporary_remove_all();
            return;
        }
        nanosleep(&moment, NULL);
    }
}
