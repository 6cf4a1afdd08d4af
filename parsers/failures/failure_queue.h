/* failure_queue.h - events that wait for the next stamp of their log, with texts of their own.
 * Private to this wing. */
#ifndef HC_PARSERS_FAILURES_FAILURE_QUEUE_H
#define HC_PARSERS_FAILURES_FAILURE_QUEUE_H

#include "core/tables/events/event_table.h"

#include <stdbool.h>
#include <stddef.h>

/* Zeroed memory but for end_ns is an empty queue. */
struct hc_failure_queue {
    int64_t end_ns;            /* no line of the log is later */
    size_t first, n, capacity; /* entries[first, first + n) */
    struct hc_queued_failure *entries;
};

/* Append a copy. is_open: its to_ns (and, where from_ns is missing, its time) are those of the next
 * stamp. */
enum hc_status hc_failure_queue_put(struct hc_failure_queue *queue, const struct hc_event *event,
                                    bool is_open, struct hc_error *err);

/* What waits happened before time_ns, or, where that is missing, before the end of the log. */
void hc_failure_queue_close_open(struct hc_failure_queue *queue, int64_t time_ns);

/* The first event, if it waits for nothing; else NULL. */
const struct hc_event *hc_failure_queue_first(struct hc_failure_queue *queue);
void hc_failure_queue_drop_first(struct hc_failure_queue *queue);

void hc_failure_queue_fini(struct hc_failure_queue *queue);

#endif
