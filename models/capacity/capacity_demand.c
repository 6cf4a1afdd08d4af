#include "models/capacity/capacity_demand.h"

#include "core/base/memory.h"

#include <stdlib.h>

static int compare_demands(const void *a, const void *b)
{
    const struct hc_capacity_demand *x = a, *y = b;
    if (x->time_ns != y->time_ns)
        return x->time_ns < y->time_ns ? -1 : 1;
    return (x->partition > y->partition) - (x->partition < y->partition);
}

static int compare_looks(const void *a, const void *b)
{
    const struct hc_capacity_look *x = a, *y = b;
    return (x->time_ns > y->time_ns) - (x->time_ns < y->time_ns);
}

/* Look i holds until the next, but not longer than looks hold. */
static void sum_known(struct hc_capacity_queue *queue, const struct hc_capacity *capacity)
{
    int64_t most_ns =
        capacity->queue_holds_ns > 0 ? capacity->queue_holds_ns : HC_CAPACITY_QUEUE_HOLDS_NS;
    size_t demand = 0;
    for (size_t i = 0; i < queue->n; i++) {
        bool has_next = i + 1 < queue->n;
        /* Times are within some centuries of 1970, so that differences fit. */
        int64_t gap_ns = has_next ? queue->at_ns[i + 1] - queue->at_ns[i] : most_ns;
        queue->holds_ns[i] = gap_ns < most_ns ? gap_ns : most_ns;
        queue->known_ns[i + 1] = queue->known_ns[i] + queue->holds_ns[i];
        while (demand < capacity->n_demands && capacity->demands[demand].time_ns < queue->at_ns[i])
            demand++;
        queue->first[i] = demand;
    }
    queue->first[queue->n] = capacity->n_demands;
}

enum hc_status hc_capacity_queue_init(struct hc_capacity_queue *queue, struct hc_capacity *capacity,
                                      struct hc_error *err)
{
    size_t n = capacity->n_looks;
    *queue = (struct hc_capacity_queue){0};
    if (n)
        qsort(capacity->looks, n, sizeof *capacity->looks, compare_looks);
    if (capacity->n_demands)
        qsort(capacity->demands, capacity->n_demands, sizeof *capacity->demands, compare_demands);
    queue->at_ns = hc_new_array(n, sizeof *queue->at_ns, err);
    queue->holds_ns = queue->at_ns ? hc_new_array(n, sizeof *queue->holds_ns, err) : NULL;
    queue->known_ns = queue->holds_ns ? hc_new_array(n + 1, sizeof *queue->known_ns, err) : NULL;
    queue->demanded_ns =
        queue->known_ns ? hc_new_array(n + 1, sizeof *queue->demanded_ns, err) : NULL;
    queue->first = queue->demanded_ns ? hc_new_array(n + 1, sizeof *queue->first, err) : NULL;
    queue->is_demanded = queue->first ? hc_new_array(n, sizeof *queue->is_demanded, err) : NULL;
    if (!queue->is_demanded)
        return err->status;
    for (size_t i = 0; i < n; i++)
        if (i == 0 || capacity->looks[i].time_ns != capacity->looks[i - 1].time_ns)
            queue->at_ns[queue->n++] = capacity->looks[i].time_ns;
    sum_known(queue, capacity);
    return HC_OK;
}

void hc_capacity_queue_fini(struct hc_capacity_queue *queue)
{
    free(queue->at_ns);
    free(queue->holds_ns);
    free(queue->known_ns);
    free(queue->demanded_ns);
    free(queue->first);
    free(queue->is_demanded);
    *queue = (struct hc_capacity_queue){0};
}

void hc_capacity_queue_choose(struct hc_capacity_queue *queue, const struct hc_capacity *capacity,
                              const bool *is_of)
{
    for (size_t i = 0; i < queue->n; i++) {
        queue->is_demanded[i] = false;
        for (size_t d = queue->first[i]; d < queue->first[i + 1] && !queue->is_demanded[i]; d++)
            queue->is_demanded[i] = is_of[capacity->demands[d].partition];
        queue->demanded_ns[i + 1] =
            queue->demanded_ns[i] + (queue->is_demanded[i] ? queue->holds_ns[i] : 0);
    }
}

/* Up to a moment. */
static struct hc_capacity_demanded up_to(const struct hc_capacity_queue *queue, int64_t ns)
{
    size_t low = 0, high = queue->n; /* the number of looks at or before ns */
    while (low < high) {
        size_t middle = low + (high - low) / 2;
        if (queue->at_ns[middle] <= ns)
            low = middle + 1;
        else
            high = middle;
    }
    if (!low)
        return (struct hc_capacity_demanded){0, 0};
    size_t last = low - 1;
    int64_t part_ns = ns - queue->at_ns[last];
    part_ns = part_ns < queue->holds_ns[last] ? part_ns : queue->holds_ns[last];
    return (struct hc_capacity_demanded){queue->known_ns[last] + part_ns,
                                         queue->demanded_ns[last] +
                                             (queue->is_demanded[last] ? part_ns : 0)};
}

struct hc_capacity_demanded hc_capacity_queue_within(const struct hc_capacity_queue *queue,
                                                     int64_t from_ns, int64_t to_ns)
{
    struct hc_capacity_demanded start = up_to(queue, from_ns), end = up_to(queue, to_ns);
    return (struct hc_capacity_demanded){end.known_ns - start.known_ns,
                                         end.demanded_ns - start.demanded_ns};
}
