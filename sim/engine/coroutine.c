/* Stacks are switched by getcontext and setcontext of the C library. Sanitizers and Valgrind follow
 * one stack a thread, so each switch is announced to them. */
#include "sim/engine/coroutine.h"

#include "core/base/memory.h"

#include <stdint.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <ucontext.h>
#include <unistd.h>

#ifdef __has_feature
#if __has_feature(address_sanitizer)
#define HAS_ASAN 1
#endif
#if __has_feature(thread_sanitizer)
#define HAS_TSAN 1
#endif
#endif
#ifdef __SANITIZE_ADDRESS__
#define HAS_ASAN 1
#endif
#ifdef __SANITIZE_THREAD__
#define HAS_TSAN 1
#endif
#ifdef HAS_ASAN
#include <sanitizer/asan_interface.h>
#include <sanitizer/common_interface_defs.h>
#endif
#ifdef HAS_TSAN
#include <sanitizer/tsan_interface.h>
#endif
#if __has_include(<valgrind/valgrind.h>)
#include <valgrind/valgrind.h>
#define HAS_VALGRIND 1
#endif

#define STACK_SIZE ((size_t)256 * 1024) /* address space: only pages that are used take memory */

struct hc_coroutine {
    ucontext_t body_context, caller_context;
    hc_coroutine_body *body;
    void *context;
    bool is_begun, has_ended;
    unsigned char *map; /* a page that faults when the stack is too small, then the stack */
    size_t page;
#ifdef HAS_ASAN
    void *fake_of_body, *fake_of_caller;
    const void *caller_bottom;
    size_t caller_size;
#endif
#ifdef HAS_TSAN
    void *fiber, *caller_fiber;
#endif
#ifdef HAS_VALGRIND
    unsigned valgrind_id;
#endif
};

struct hc_coroutine *hc_coroutine_new(struct hc_error *err)
{
    struct hc_coroutine *c = hc_new_array(1, sizeof *c, err);
    if (!c)
        return NULL;
    c->page = (size_t)sysconf(_SC_PAGESIZE);
    void *map = mmap(NULL, c->page + STACK_SIZE, PROT_READ | PROT_WRITE,
                     MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE | MAP_STACK, -1, 0);
    if (map == MAP_FAILED || mprotect(map, c->page, PROT_NONE)) {
        hc_fail_memory(err, c->page + STACK_SIZE);
        if (map != MAP_FAILED)
            munmap(map, c->page + STACK_SIZE);
        free(c);
        return NULL;
    }
    c->map = map;
#ifdef HAS_VALGRIND
    c->valgrind_id = VALGRIND_STACK_REGISTER(c->map + c->page, c->map + c->page + STACK_SIZE);
#endif
    return c;
}

void hc_coroutine_free(struct hc_coroutine *c)
{
    if (!c)
        return;
#ifdef HAS_VALGRIND
    VALGRIND_STACK_DEREGISTER(c->valgrind_id);
#endif
#ifdef HAS_ASAN
    __asan_unpoison_memory_region(c->map + c->page, STACK_SIZE);
#endif
    munmap(c->map, c->page + STACK_SIZE);
    free(c);
}

void hc_coroutine_start(struct hc_coroutine *c, hc_coroutine_body *body, void *context)
{
    c->body = body;
    c->context = context;
    c->is_begun = c->has_ended = false;
}

/* ---- telling the sanitizers and Valgrind about a switch ---- */

/* ThreadSanitizer counts calls and returns of each stack: between telling it and switching no
 * function may return. */
#define PART static inline __attribute__((always_inline))

PART void tell_to_body(struct hc_coroutine *c)
{
#ifdef HAS_ASAN
    __sanitizer_start_switch_fiber(&c->fake_of_caller, c->map + c->page, STACK_SIZE);
#endif
#ifdef HAS_TSAN
    c->caller_fiber = __tsan_get_current_fiber();
    __tsan_switch_to_fiber(c->fiber, 0);
#endif
    (void)c;
}

PART void tell_in_caller(struct hc_coroutine *c)
{
#ifdef HAS_ASAN
    __sanitizer_finish_switch_fiber(c->fake_of_caller, NULL, NULL);
#endif
    (void)c;
}

PART void tell_to_caller(struct hc_coroutine *c)
{
#ifdef HAS_ASAN
    __sanitizer_start_switch_fiber(c->has_ended ? NULL : &c->fake_of_body, c->caller_bottom,
                                   c->caller_size);
#endif
#ifdef HAS_TSAN
    __tsan_switch_to_fiber(c->caller_fiber, 0);
#endif
    (void)c;
}

PART void tell_in_body(struct hc_coroutine *c, bool first)
{
#ifdef HAS_ASAN
    __sanitizer_finish_switch_fiber(first ? NULL : c->fake_of_body, &c->caller_bottom,
                                    &c->caller_size);
#endif
    (void)c;
    (void)first;
}

/* ---- switching ---- */

#ifdef HAS_ASAN
/* What swapcontext does, in two calls: ThreadSanitizer warns of swapcontext. getcontext returns a
 * second time when the stack is switched back. */
static void swap(ucontext_t *from, const ucontext_t *to)
{
    volatile bool is_back = false;
    getcontext(from);
    if (is_back)
        return;
    is_back = true;
    setcontext(to);
}
#else
PART void swap(ucontext_t *from, const ucontext_t *to)
{
    swapcontext(from, to);
}
#endif

static void enter(unsigned high, unsigned low)
{
    struct hc_coroutine *c = (struct hc_coroutine *)((uintptr_t)high << 32 | low);
    tell_in_body(c, true);
    c->body(c->context);
    c->has_ended = true;
    tell_to_caller(c);
    setcontext(&c->caller_context);
}

static void begin(struct hc_coroutine *c)
{
    uintptr_t self = (uintptr_t)c;
    getcontext(&c->body_context);
    c->body_context.uc_stack.ss_sp = c->map + c->page;
    c->body_context.uc_stack.ss_size = STACK_SIZE;
    c->body_context.uc_link = NULL;
    makecontext(&c->body_context, (void (*)(void))enter, 2, (unsigned)(self >> 32), (unsigned)self);
    c->is_begun = true;
#ifdef HAS_TSAN
    c->fiber = __tsan_create_fiber(0);
#endif
}

bool hc_coroutine_resume(struct hc_coroutine *c)
{
    if (c->has_ended)
        return false;
    if (!c->is_begun)
        begin(c);
    tell_to_body(c);
    swap(&c->caller_context, &c->body_context);
    tell_in_caller(c);
#ifdef HAS_TSAN
    if (c->has_ended)
        __tsan_destroy_fiber(c->fiber);
#endif
    return !c->has_ended;
}

void hc_coroutine_yield(struct hc_coroutine *c)
{
    tell_to_caller(c);
    swap(&c->body_context, &c->caller_context);
    tell_in_body(c, false);
}
