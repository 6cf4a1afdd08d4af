#include "sim/edits/remedies/multiway_partition.h"

#include "core/base/memory.h"

#include <stdint.h>
#include <stdlib.h>

#define NO_ITEM SIZE_MAX

/* Items of a bin of a partial partition, linked. */
struct part {
    double sum;
    size_t first, last; /* items, or NO_ITEM */
};

/* A partial partition: n_bins parts, ascending by sum. */
struct partial {
    struct part *part;
    size_t number; /* of its first item, for ties */
};

struct item {
    double cost;
    size_t number;
};

static int compare_items(const void *x, const void *y)
{
    const struct item *a = x, *b = y;
    if (a->cost != b->cost)
        return a->cost > b->cost ? -1 : 1;
    return (a->number > b->number) - (a->number < b->number);
}

static int compare_parts(const void *x, const void *y)
{
    const struct part *a = x, *b = y;
    if (a->sum != b->sum)
        return a->sum > b->sum ? 1 : -1;
    return (a->first > b->first) - (a->first < b->first);
}

/* ---- a heap of partial partitions, the most uneven on top ---- */

struct heap {
    size_t n, n_bins;
    struct partial *of;
    size_t *next; /* [items] in its part */
};

static bool is_above(const struct heap *heap, size_t x, size_t y)
{
    const struct partial *a = &heap->of[x], *b = &heap->of[y];
    double uneven_a = a->part[heap->n_bins - 1].sum - a->part[0].sum;
    double uneven_b = b->part[heap->n_bins - 1].sum - b->part[0].sum;
    return uneven_a != uneven_b ? uneven_a > uneven_b : a->number < b->number;
}

static void exchange(struct heap *heap, size_t x, size_t y)
{
    struct partial kept = heap->of[x];
    heap->of[x] = heap->of[y];
    heap->of[y] = kept;
}

static void sink(struct heap *heap, size_t at)
{
    for (;;) {
        size_t top = at;
        for (size_t child = 2 * at + 1; child <= 2 * at + 2 && child < heap->n; child++)
            if (is_above(heap, child, top))
                top = child;
        if (top == at)
            return;
        exchange(heap, at, top);
        at = top;
    }
}

/* Lay the two most uneven ones over each other, the fullest part of one on the emptiest of the
 * other. */
static void merge_top(struct heap *heap)
{
    struct partial most = heap->of[0];
    exchange(heap, 0, --heap->n);
    sink(heap, 0);
    struct partial *with = &heap->of[0];
    for (size_t b = 0; b < heap->n_bins; b++) {
        struct part *to = &with->part[b];
        const struct part *from = &most.part[heap->n_bins - 1 - b];
        to->sum += from->sum;
        if (from->first == NO_ITEM)
            continue;
        if (to->first == NO_ITEM)
            to->first = from->first;
        else
            heap->next[to->last] = from->first;
        to->last = from->last;
    }
    qsort(with->part, heap->n_bins, sizeof *with->part, compare_parts);
    with->number = most.number < with->number ? most.number : with->number;
    sink(heap, 0);
}

static void start(struct heap *heap, const struct item *items, size_t n, bool are_equal,
                  struct part *parts)
{
    size_t each = are_equal ? heap->n_bins : 1;
    heap->n = n / each;
    for (size_t i = 0; i < heap->n; i++) {
        struct part *part = parts + i * heap->n_bins;
        heap->of[i] = (struct partial){part, items[i * each].number};
        for (size_t b = 0; b < heap->n_bins; b++) /* ascending: the last have items */
            part[b] = (struct part){0, NO_ITEM, NO_ITEM};
        for (size_t k = 0; k < each; k++) {
            const struct item *item = &items[i * each + k];
            part[heap->n_bins - 1 - k] = (struct part){item->cost, item->number, item->number};
        }
    }
    for (size_t i = heap->n / 2 + 1; i-- > 0 && heap->n;)
        sink(heap, i);
}

enum hc_status hc_multiway_partition(const double *cost, size_t n, size_t n_bins, bool are_equal,
                                     size_t *bin, struct hc_error *err)
{
    struct heap heap = {.n_bins = n_bins,
                        .of = hc_new_array(n, sizeof *heap.of, err),
                        .next = hc_new_array(n, sizeof *heap.next, err)};
    struct item *items = hc_new_array(n, sizeof *items, err);
    struct part *parts = hc_new_array(n * n_bins, sizeof *parts, err);
    bool all = heap.of && heap.next && items && parts;
    for (size_t i = 0; i < n && all; i++) {
        items[i] = (struct item){cost[i], i};
        heap.next[i] = NO_ITEM;
    }
    if (all && n) {
        qsort(items, n, sizeof *items, compare_items);
        start(&heap, items, n, are_equal, parts);
        while (heap.n > 1)
            merge_top(&heap);
        for (size_t b = 0; b < n_bins; b++)
            for (size_t i = heap.of[0].part[b].first; i != NO_ITEM; i = heap.next[i])
                bin[i] = b;
    }
    free(heap.of);
    free(heap.next);
    free(items);
    free(parts);
    return all ? HC_OK : err->status;
}

double hc_partition_bound(const double *cost, size_t n, size_t n_bins)
{
    double sum = 0, largest = 0;
    for (size_t i = 0; i < n; i++) {
        sum += cost[i];
        largest = cost[i] > largest ? cost[i] : largest;
    }
    sum /= (double)n_bins;
    return sum > largest ? sum : largest;
}
