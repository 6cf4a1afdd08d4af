/* failure_queue.h - events that wait for the next stamp of their log, with texts of their own.
 * Private to this wing. */
#ifndef HC_PARSERS_FAILURES_FAILURE_QUEUE_H
#define HC_PARSERS_FAILURES_FAILURE_QUEUE_H

#include "core/tables/events/event_table.h"

#include <stdbool.h>
#include <stddef.h>

/* Bytes kept of a message: enough for what is shown of it. Its hash is of these. And of each other
 * text. */
#define HC_FAILURE_MESSAGE_MOST 512
#define HC_FAILURE_WORD_MOST    128

/* Zeroed memory but for end_ns and may_grow is an empty queue. */
struct hc_failure_queue {
    int64_t end_ns;            /* no line of the log is later */
    bool may_grow;             /* another end may be said of it later */
    int64_t n_waiting;         /* events that were left out for that */
    size_t first, n, capacity; /* entries[first, first + n) */
    struct hc_queued_failure *entries;
};

/* Append a copy. is_open: its to_ns (and, where from_ns is missing, its time) are those of the next
 * stamp. */
enum hc_status hc_failure_queue_put(struct hc_failure_queue *queue, const struct hc_event *event,
                                    bool is_open, struct hc_error *err);

/* What waits happened before time_ns, or, where that is missing, before the end of the log; of a
 * log that may grow, whose end is not known yet, what has no other time is left out. */
void hc_failure_queue_close_open(struct hc_failure_queue *queue, int64_t time_ns);

/* The i-th event, where it waits for the next stamp; its texts stay the queue's. */
bool hc_failure_queue_open_at(const struct hc_failure_queue *queue, size_t i,
                              struct hc_event *event);

/* What waits and has no stamp before it happened before time_ns, which a line tells of itself. */
void hc_failure_queue_date_open(struct hc_failure_queue *queue, int64_t time_ns);

/* The first event, if it waits for nothing; else NULL. */
const struct hc_event *hc_failure_queue_first(struct hc_failure_queue *queue);
void hc_failure_queue_drop_first(struct hc_failure_queue *queue);

void hc_failure_queue_fini(struct hc_failure_queue *queue);

#endif
