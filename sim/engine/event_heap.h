/* event_heap.h - a calendar: a binary heap on (time, sequence), so that events of one time come out
 * in the order in which they went in.
 */
#ifndef HC_SIM_ENGINE_EVENT_HEAP_H
#define HC_SIM_ENGINE_EVENT_HEAP_H

#include "core/base/status.h"

#include <stddef.h>
#include <stdint.h>

struct hc_event {
    int64_t time_ns;
    uint64_t sequence; /* filled by the heap */
    int32_t kind;
    int32_t who;
};

struct hc_event_heap {
    struct hc_event *event; /* a heap; event[0] is the next */
    size_t n, capacity;
    uint64_t sequence;
};

/* Room for this many events at once; grows when more come. */
enum hc_status hc_event_heap_init(struct hc_event_heap *heap, size_t capacity,
                                  struct hc_error *err);
void hc_event_heap_fini(struct hc_event_heap *heap);
void hc_event_heap_clear(struct hc_event_heap *heap);

enum hc_status hc_event_heap_push(struct hc_event_heap *heap, struct hc_event event,
                                  struct hc_error *err);

/* Take the next event; the heap is not empty. */
struct hc_event hc_event_heap_pop(struct hc_event_heap *heap);

/* When the next event is due; INT64_MAX when there is none. */
static inline int64_t hc_event_heap_next_ns(const struct hc_event_heap *heap)
{
    return heap->n ? heap->event[0].time_ns : INT64_MAX;
}

#endif
