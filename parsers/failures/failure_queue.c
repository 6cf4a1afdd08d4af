#include "parsers/failures/failure_queue.h"

#include "core/base/memory.h"
#include "core/base/missing.h"

#include <stdlib.h>
#include <string.h>

/* More that wait for one stamp are given without it. */
#define MOST_OPEN 1024

struct hc_queued_failure {
    struct hc_event event;
    bool is_open;
    char message[HC_FAILURE_MESSAGE_MOST];
    char word[4][HC_FAILURE_WORD_MOST];
};

static struct hc_event_text keep(char *to, size_t most, struct hc_event_text text)
{
    size_t n = text.length < most ? text.length : most;
    if (n)
        memcpy(to, text.text, n);
    return (struct hc_event_text){to, n};
}

/* Texts of an entry point into it, so they are set anew after it was moved. */
static void point(struct hc_queued_failure *entry)
{
    struct hc_event *e = &entry->event;
    e->message.text = entry->message;
    e->node.text = entry->word[0];
    e->device.text = entry->word[1];
    e->process.text = entry->word[2];
    e->name.text = entry->word[3];
}

enum hc_status hc_failure_queue_put(struct hc_failure_queue *queue, const struct hc_event *event,
                                    bool is_open, struct hc_error *err)
{
    if (queue->first) {
        memmove(queue->entries, queue->entries + queue->first, queue->n * sizeof *queue->entries);
        queue->first = 0;
    }
    if (hc_reserve(&queue->entries, &queue->capacity, queue->n + 1, sizeof *queue->entries, err))
        return err->status;
    struct hc_queued_failure *entry = &queue->entries[queue->n++];
    entry->event = *event;
    entry->is_open = is_open;
    entry->event.message = keep(entry->message, HC_FAILURE_MESSAGE_MOST, event->message);
    entry->event.node = keep(entry->word[0], HC_FAILURE_WORD_MOST, event->node);
    entry->event.device = keep(entry->word[1], HC_FAILURE_WORD_MOST, event->device);
    entry->event.process = keep(entry->word[2], HC_FAILURE_WORD_MOST, event->process);
    entry->event.name = keep(entry->word[3], HC_FAILURE_WORD_MOST, event->name);
    if (queue->n > MOST_OPEN)
        hc_failure_queue_close_open(queue, HC_MISSING_I64);
    return HC_OK;
}

/* The time of an event that waited: before time_ns, a stamp; missing: before end_ns, the end of the
 * log. */
static void close_event(struct hc_event *event, int64_t time_ns, int64_t end_ns)
{
    bool is_dated = event->time_ns != HC_MISSING_I64;
    if (time_ns == HC_MISSING_I64 && !is_dated) {
        event->time_ns = event->to_ns = end_ns;
        event->clock = HC_CLOCK_BEFORE_FILE;
    } else if (time_ns != HC_MISSING_I64) {
        if (!is_dated)
            event->time_ns = time_ns;
        if (time_ns >= event->time_ns)
            event->to_ns = time_ns;
    }
}

void hc_failure_queue_date_open(struct hc_failure_queue *queue, int64_t time_ns)
{
    for (size_t i = queue->n; i-- > 0;) {
        struct hc_queued_failure *entry = &queue->entries[queue->first + i];
        if (!entry->is_open || entry->event.time_ns != HC_MISSING_I64)
            continue;
        close_event(&entry->event, time_ns, queue->end_ns);
        entry->is_open = false;
    }
}

/* The end of the log as it is now would be another time than that of the next ingest. */
static void leave_undated(struct hc_failure_queue *queue)
{
    struct hc_queued_failure *entries = queue->entries + queue->first;
    size_t n = 0;
    for (size_t i = 0; i < queue->n; i++) {
        if (entries[i].is_open && entries[i].event.time_ns == HC_MISSING_I64)
            queue->n_waiting++;
        else if (n++ != i)
            entries[n - 1] = entries[i];
    }
    queue->n = n;
    if (!n)
        queue->first = 0;
}

bool hc_failure_queue_open_at(const struct hc_failure_queue *queue, size_t i,
                              struct hc_event *event)
{
    struct hc_queued_failure *entry = &queue->entries[queue->first + i];
    point(entry);
    *event = entry->event;
    return entry->is_open;
}

void hc_failure_queue_close_open(struct hc_failure_queue *queue, int64_t time_ns)
{
    if (time_ns == HC_MISSING_I64 && queue->may_grow && queue->n)
        leave_undated(queue);
    for (size_t i = queue->n; i-- > 0;) {
        struct hc_queued_failure *entry = &queue->entries[queue->first + i];
        if (entry->is_open)
            close_event(&entry->event, time_ns, queue->end_ns);
        entry->is_open = false;
    }
}

const struct hc_event *hc_failure_queue_first(struct hc_failure_queue *queue)
{
    struct hc_queued_failure *entry = queue->n ? &queue->entries[queue->first] : NULL;
    if (!entry || entry->is_open)
        return NULL;
    point(entry);
    return &entry->event;
}

void hc_failure_queue_drop_first(struct hc_failure_queue *queue)
{
    queue->first = --queue->n ? queue->first + 1 : 0;
}

void hc_failure_queue_fini(struct hc_failure_queue *queue)
{
    free(queue->entries);
    *queue = (struct hc_failure_queue){0};
}
