#include "sim/engine/event_heap.h"

#include "core/base/memory.h"

#include <stdbool.h>
#include <stdlib.h>

enum hc_status hc_event_heap_init(struct hc_event_heap *heap, size_t capacity, struct hc_error *err)
{
    *heap = (struct hc_event_heap){0};
    return hc_reserve(&heap->event, &heap->capacity, capacity ? capacity : 1, sizeof *heap->event,
                      err);
}

void hc_event_heap_fini(struct hc_event_heap *heap)
{
    free(heap->event);
    *heap = (struct hc_event_heap){0};
}

void hc_event_heap_clear(struct hc_event_heap *heap)
{
    heap->n = 0;
    heap->sequence = 0;
}

static bool before(const struct hc_event *a, const struct hc_event *b)
{
    /* No short cuts: which of two children is first is as good as random, a branch guesses wrong.
     */
    return (a->time_ns < b->time_ns) | ((a->time_ns == b->time_ns) & (a->sequence < b->sequence));
}

enum hc_status hc_event_heap_push(struct hc_event_heap *heap, struct hc_event event,
                                  struct hc_error *err)
{
    if (heap->n == heap->capacity) {
        enum hc_status status =
            hc_reserve(&heap->event, &heap->capacity, heap->n + 1, sizeof *heap->event, err);
        if (status)
            return status;
    }
    event.sequence = heap->sequence++;
    size_t place = heap->n++;
    while (place && before(&event, &heap->event[(place - 1) / 2])) {
        heap->event[place] = heap->event[(place - 1) / 2];
        place = (place - 1) / 2;
    }
    heap->event[place] = event;
    return HC_OK;
}

struct hc_event hc_event_heap_pop(struct hc_event_heap *heap)
{
    struct hc_event *event = heap->event, first = event[0], last = event[--heap->n];
    size_t n = heap->n, place = 0, child;
    /* The hole sinks to a leaf, and the last event rises from there: it is a late one, so that it
     * seldom rises far. */
    for (; (child = 2 * place + 2) < n; place = child) {
        child -= before(&event[child - 1], &event[child]);
        event[place] = event[child];
    }
    if (child == n) { /* a single child */
        event[place] = event[child - 1];
        place = child - 1;
    }
    for (; place && before(&last, &event[(place - 1) / 2]); place = (place - 1) / 2)
        event[place] = event[(place - 1) / 2];
    event[place] = last;
    return first;
}
