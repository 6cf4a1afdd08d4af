#include "sim/lifetime/life/life_fold.h"

#define MINUTE_NS ((int64_t)60 * 1000000000)

/* Each divides the next, so that what lies within one slice still does when slices get wider. After
 * the last they double. */
static const int64_t minutes[] = {1, 5, 15, 30, 60, 120, 360, 720, 1440};
#define N_WIDTHS (sizeof minutes / sizeof *minutes)

static size_t larger(size_t a, size_t b)
{
    return a > b ? a : b;
}

void hc_life_fold_start(struct hc_lifetime_trace *trace)
{
    trace->fold.slice_ns = 0;
    trace->fold.next_spans = trace->fold.next_marks = trace->most;
}

void hc_life_weigh_missing(struct hc_lifetime_span *span, int32_t nodes)
{
    if (span->more)
        return;
    int64_t ran_ns = span->end_ns - span->start_ns - span->stall_ns;
    span->missing_ns = span->what == HC_WHAT_PRODUCTIVE_IDEAL
                           ? (int64_t)((hc_gpu_ns)ran_ns * span->missing_ns / nodes)
                           : 0;
}

/* ---- slices ---- */

/* Number of the slice at at_ns: of those that are given, or of even width. */
static int64_t slice_at(const struct hc_lifetime_trace *trace, int64_t at_ns)
{
    if (!trace->cut_ns)
        return at_ns / trace->fold.slice_ns;
    size_t low = 0, high = trace->n_cuts;
    while (low < high) {
        size_t middle = low + (high - low) / 2;
        if (trace->cut_ns[middle] <= at_ns)
            low = middle + 1;
        else
            high = middle;
    }
    return (int64_t)low;
}

/* The next wider slices; false where one holds the whole life. */
static bool widen(struct hc_lifetime_trace *trace)
{
    int64_t end_ns = trace->n_spans ? trace->span[trace->n_spans - 1].end_ns : 0;
    int64_t *slice_ns = &trace->fold.slice_ns;
    if (trace->cut_ns || *slice_ns > end_ns)
        return false;
    for (size_t i = 0; i < N_WIDTHS; i++)
        if (minutes[i] * MINUTE_NS > *slice_ns) {
            *slice_ns = minutes[i] * MINUTE_NS;
            return true;
        }
    *slice_ns *= 2;
    return true;
}

/* ---- stretches ---- */

static bool is_alike(const struct hc_lifetime_span *a, const struct hc_lifetime_span *b)
{
    return a->what == b->what && a->why == b->why && a->cause == b->cause;
}

/* What one fault took stays side by side. */
static bool is_of_one(const struct hc_lifetime_span *a, const struct hc_lifetime_span *b)
{
    return a->cause == b->cause && (a->cause >= 0 || a->why == b->why);
}

static void merge_spans(struct hc_lifetime_span *into, struct hc_lifetime_span *span, int32_t nodes)
{
    hc_life_weigh_missing(into, nodes);
    hc_life_weigh_missing(span, nodes);
    into->end_ns += span->end_ns - span->start_ns;
    into->stall_ns += span->stall_ns;
    into->excess_ns += span->excess_ns;
    into->missing_ns += span->missing_ns;
    into->more += span->more + 1;
}

/* Add a stretch to those of its slice, which are [first, n) of the list; returns the new n. */
static size_t add_span(struct hc_lifetime_span *list, size_t first, size_t n,
                       struct hc_lifetime_span span, int32_t nodes)
{
    size_t place = n;
    for (size_t i = first; i < n; i++) {
        if (is_alike(&list[i], &span)) {
            merge_spans(&list[i], &span, nodes);
            return n;
        }
        if (is_of_one(&list[i], &span))
            place = i + 1;
    }
    for (size_t i = n; i > place; i--)
        list[i] = list[i - 1];
    list[place] = span;
    return n + 1;
}

/* Let the stretches of a slice follow each other again; only their lengths count. */
static void line_up(struct hc_lifetime_span *list, size_t first, size_t n, int64_t at_ns)
{
    for (size_t i = first; i < n; i++) {
        int64_t length_ns = list[i].end_ns - list[i].start_ns;
        list[i].start_ns = at_ns;
        at_ns = list[i].end_ns = at_ns + length_ns;
    }
}

static void fold_spans(struct hc_lifetime_trace *trace, int32_t nodes)
{
    struct hc_lifetime_span *list = trace->span;
    size_t n = 0, first = 0;
    int64_t slice = -1, at_ns = 0;
    for (size_t i = 0; i + 1 < trace->n_spans; i++) {
        struct hc_lifetime_span span = list[i];
        int64_t here = slice_at(trace, span.start_ns);
        bool is_within = slice_at(trace, span.end_ns - 1) == here;
        if (!is_within || here != slice) {
            line_up(list, first, n, at_ns);
            first = n;
            at_ns = span.start_ns;
            slice = is_within ? here : -1;
        }
        if (is_within)
            n = add_span(list, first, n, span, nodes);
        else
            list[n++] = span;
    }
    line_up(list, first, n, at_ns);
    if (trace->n_spans)
        list[n++] = list[trace->n_spans - 1];
    trace->n_spans = n;
}

/* ---- marks ---- */

static bool joins_mark(struct hc_lifetime_mark *list, size_t first, size_t n,
                       const struct hc_lifetime_mark *mark)
{
    for (size_t i = first; i < n; i++)
        if (list[i].cause == mark->cause && list[i].name == mark->name) {
            list[i].more += mark->more + 1;
            list[i].node_slot = -1;
            return true;
        }
    return false;
}

static void fold_marks(struct hc_lifetime_trace *trace)
{
    struct hc_lifetime_mark *list = trace->mark;
    size_t n = 0, first = 0;
    int64_t slice = -1;
    for (size_t i = 0; i < trace->n_marks; i++) {
        int64_t here = slice_at(trace, list[i].time_ns);
        if (here != slice)
            first = n;
        slice = here;
        if (!joins_mark(list, first, n, &list[i]))
            list[n++] = list[i];
    }
    trace->n_marks = n;
}

/* ---- both ---- */

void hc_life_fold(struct hc_lifetime_trace *trace, int32_t nodes)
{
    size_t half = trace->most / 2;
    bool is_more = trace->cut_ns || trace->fold.slice_ns || widen(trace);
    while (is_more) {
        fold_spans(trace, nodes);
        fold_marks(trace);
        is_more = (trace->n_spans > half || trace->n_marks > half) && widen(trace);
    }
    trace->fold.next_spans = larger(trace->most, 2 * trace->n_spans);
    trace->fold.next_marks = larger(trace->most, 2 * trace->n_marks);
}
