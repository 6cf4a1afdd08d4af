/* profile_wakes.c - threads that wait for other threads: a gap in what a thread does ends because
 * another one did something. So the thread of the backward pass is found, whose calls would hang in
 * the air otherwise. */
#include "sim/profiles/profile_scan.h"

#include "core/base/memory.h"

#include <stdlib.h>
#include <string.h>

/* A mark: something that a thread does. */
struct mark {
    int64_t start, end;
    int32_t code;  /* thread */
    uint32_t call; /* row of calls, or HC_NO_ROW */
};

/* What is known of a thread up to here. */
struct activity {
    int64_t busy_until;         /* end of its busy stretch */
    int64_t last, before;       /* the last two different starts of its marks; INT64_MIN none */
    uint32_t call, call_before; /* the outer call that the thread had begun by then */
    int32_t code;
    size_t process;          /* length of "<pid>/" in its name */
    int64_t last_end;        /* of the marks that are over */
    size_t n_open, capacity; /* ends of the marks that were not over when last looked at */
    int64_t *open;
};

struct finder {
    struct hc_rank_scan *scan;
    const struct hc_scan_window *window;
    size_t n, capacity;
    struct activity *threads;
    struct hc_int_map index;
};

static const char *name_of(const struct finder *f, int32_t code)
{
    return hc_profile_text(f->window->profile, "thread", code);
}

static bool is_same_process(const struct finder *f, const struct activity *a,
                            const struct activity *b)
{
    return a->process == b->process &&
           !strncmp(name_of(f, a->code), name_of(f, b->code), a->process);
}

static enum hc_status activity_of(struct finder *f, int32_t code, size_t *at, struct hc_error *err)
{
    if (hc_int_map_insert(&f->index, (uint32_t)code, (int32_t)f->n, at, err))
        return err->status;
    if (*at < f->n)
        return HC_OK;
    if (f->n == f->capacity &&
        hc_reserve(&f->threads, &f->capacity, f->n + 1, sizeof *f->threads, err))
        return err->status;
    const char *name = name_of(f, code), *slash = strrchr(name, '/');
    f->threads[f->n++] = (struct activity){.busy_until = f->scan->bound_ns[0],
                                           .last = INT64_MIN,
                                           .before = INT64_MIN,
                                           .last_end = INT64_MIN,
                                           .call = HC_NO_ROW,
                                           .call_before = HC_NO_ROW,
                                           .code = code,
                                           .process = slash ? (size_t)(slash - name) + 1 : 0};
    return HC_OK;
}

static enum hc_status add_extra(struct hc_rank_scan *scan, struct hc_scan_extra extra,
                                struct hc_error *err)
{
    if (scan->n_extras == scan->extra_capacity &&
        hc_reserve(&scan->extras, &scan->extra_capacity, scan->n_extras + 1, sizeof *scan->extras,
                   err))
        return err->status;
    extra.step = hc_scan_step_at(scan, extra.t_ns);
    if (extra.what == HC_EXTRA_END)
        extra.step = (int32_t)scan->n_steps - 1;
    scan->extras[scan->n_extras++] = extra;
    return HC_OK;
}

/* Marks that ended before a time are over. */
static void close_marks(struct activity *thread, int64_t before)
{
    size_t n = 0;
    for (size_t i = 0; i < thread->n_open; i++) {
        int64_t end = thread->open[i];
        if (end >= before)
            thread->open[n++] = end;
        else if (end > thread->last_end)
            thread->last_end = end;
    }
    thread->n_open = n;
}

/* The last time within (from, to) at which a mark of another thread of the process began or ended;
 * false: none. call: the last that this thread had begun by then. */
static bool find_waker(struct finder *f, const struct activity *woken, int64_t to, int64_t *at,
                       uint32_t *call, int32_t *code)
{
    *at = INT64_MIN;
    for (size_t i = 0; i < f->n; i++) {
        struct activity *other = &f->threads[i];
        if (other == woken || !is_same_process(f, woken, other))
            continue;
        close_marks(other, to);
        bool is_now = other->last >= to;
        int64_t time = is_now ? other->before : other->last;
        time = other->last_end > time ? other->last_end : time;
        if (time > *at) {
            *at = time;
            *call = is_now ? other->call_before : other->call;
            *code = other->code;
        }
    }
    return *at > woken->busy_until && *at < to;
}

static enum hc_status add_wake(struct finder *f, const struct activity *woken, int64_t to,
                               struct hc_error *err)
{
    struct hc_rank_scan *scan = f->scan;
    int64_t at;
    uint32_t call = HC_NO_ROW;
    int32_t code = 0, thread, waker;
    if (!find_waker(f, woken, to, &at, &call, &code))
        return HC_OK;
    struct hc_scan_wait wait = {.kind = HC_EDGE_WAKE, .w_ns = to - at};
    bool is_in_call = call != HC_NO_ROW && hc_scan_call_end(scan, call) > at;
    if (hc_scan_thread(scan, woken->code, &thread, err) || hc_scan_thread(scan, code, &waker, err))
        return err->status;
    if (is_in_call) {
        wait.source_of = HC_SOURCE_CALL_START;
        wait.source = call;
        wait.w_ns = to - hc_scan_call_start(scan, call);
    } else {
        wait.source_of = HC_SOURCE_EXTRA;
        wait.source = (uint32_t)scan->n_extras;
        struct hc_scan_extra extra = {.t_ns = at, .thread = waker, .what = HC_EXTRA_WAKER};
        if (add_extra(scan, extra, err))
            return err->status;
    }
    wait.target = (uint32_t)scan->n_extras;
    struct hc_scan_extra extra = {
        .t_ns = to, .busy_ns = woken->busy_until, .thread = thread, .what = HC_EXTRA_WOKEN};
    return add_extra(scan, extra, err) ? err->status : hc_scan_add_wait(scan, wait, err);
}

static enum hc_status take_mark(struct finder *f, const struct mark *mark, struct hc_error *err)
{
    size_t at;
    if (activity_of(f, mark->code, &at, err))
        return err->status;
    struct activity *thread = &f->threads[at];
    if (mark->start - thread->busy_until >= HC_LEAST_GAP_NS &&
        add_wake(f, thread, mark->start, err))
        return err->status;
    if (mark->start > thread->last) {
        thread->before = thread->last;
        thread->call_before = thread->call;
        thread->last = mark->start;
    }
    if (mark->call != HC_NO_ROW && f->scan->outer[mark->call] == mark->call)
        thread->call = mark->call;
    if (thread->n_open == thread->capacity) {
        close_marks(thread, mark->start);
        if (thread->n_open == thread->capacity &&
            hc_reserve(&thread->open, &thread->capacity, thread->n_open + 1, sizeof *thread->open,
                       err))
            return err->status;
    }
    thread->open[thread->n_open++] = mark->end;
    thread->busy_until = mark->end > thread->busy_until ? mark->end : thread->busy_until;
    return HC_OK;
}

/* Marks and calls of the window in the order of their starts. */
static enum hc_status take_marks(struct finder *f, struct hc_error *err)
{
    const struct hc_table *marks = &f->scan->rank->table[HC_PROFILE_MARKS];
    const struct hc_table *calls = &f->scan->rank->table[HC_PROFILE_CALLS];
    const int64_t *mark_start = hc_table_i64(marks, HC_MARKS_START_NS);
    const int64_t *call_start = hc_table_i64(calls, HC_CALLS_START_NS);
    const int64_t begin = f->scan->bound_ns[0], end = f->scan->bound_ns[f->scan->n_steps];
    enum hc_status status = HC_OK;
    for (size_t i = 0, k = 0; status == HC_OK && (i < marks->n_rows || k < calls->n_rows);) {
        bool is_mark = k >= calls->n_rows || (i < marks->n_rows && mark_start[i] <= call_start[k]);
        struct mark mark = {.call = HC_NO_ROW};
        if (is_mark) {
            mark.start = mark_start[i];
            mark.end = mark.start + hc_table_i64(marks, HC_MARKS_DURATION_NS)[i];
            mark.code = hc_table_i32(marks, HC_MARKS_THREAD)[i++];
        } else {
            mark.start = call_start[k];
            mark.end = hc_scan_call_end(f->scan, k);
            mark.code = hc_table_i32(calls, HC_CALLS_THREAD)[k];
            mark.call = (uint32_t)k++;
        }
        if (mark.start >= begin && mark.start < end)
            status = take_mark(f, &mark, err);
    }
    return status;
}

/* Start and end of the window, and the bounds of its steps, on the main thread. */
static enum hc_status add_bounds(struct hc_rank_scan *scan, struct hc_error *err)
{
    int32_t main_thread;
    if (hc_scan_thread(scan, scan->rank->main_thread, &main_thread, err))
        return err->status;
    for (size_t k = 0; k <= scan->n_steps; k++) {
        enum hc_extra what = k == 0              ? HC_EXTRA_START
                             : k < scan->n_steps ? HC_EXTRA_BOUND
                                                 : HC_EXTRA_END;
        struct hc_scan_extra extra = {
            .t_ns = scan->bound_ns[k], .thread = main_thread, .what = (uint8_t)what};
        if (add_extra(scan, extra, err))
            return err->status;
    }
    return HC_OK;
}

/* Of an extra point: its time, and its index before they were sorted. */
struct place {
    int64_t t_ns;
    uint8_t what;
    uint32_t before;
};

static int compare_places(const void *a, const void *b)
{
    const struct place *one = a, *other = b;
    if (one->t_ns != other->t_ns)
        return one->t_ns < other->t_ns ? -1 : 1;
    if (one->what != other->what)
        return one->what < other->what ? -1 : 1;
    return (one->before > other->before) - (one->before < other->before);
}

static enum hc_status sort_extras(struct hc_rank_scan *scan, struct hc_error *err)
{
    size_t n = scan->n_extras;
    struct place *places = hc_new_array(n, sizeof *places, err);
    uint32_t *now = hc_new_array(n, sizeof *now, err);
    struct hc_scan_extra *sorted = hc_new_array(n, sizeof *sorted, err);
    bool is_complete = places && now && sorted;
    for (size_t i = 0; is_complete && i < n; i++)
        places[i] = (struct place){scan->extras[i].t_ns, scan->extras[i].what, (uint32_t)i};
    if (is_complete)
        qsort(places, n, sizeof *places, compare_places);
    for (size_t i = 0; is_complete && i < n; i++) {
        sorted[i] = scan->extras[places[i].before];
        now[places[i].before] = (uint32_t)i;
    }
    for (size_t i = 0; is_complete && i < scan->n_waits; i++) {
        struct hc_scan_wait *wait = &scan->waits[i];
        wait->target = now[wait->target];
        if (wait->source_of == HC_SOURCE_EXTRA)
            wait->source = now[wait->source];
    }
    free(places);
    free(now);
    if (!is_complete) {
        free(sorted);
        return err->status;
    }
    free(scan->extras);
    scan->extras = sorted;
    scan->extra_capacity = n;
    return HC_OK;
}

enum hc_status hc_scan_wakes(struct hc_rank_scan *scan, const struct hc_scan_window *window,
                             struct hc_error *err)
{
    struct finder f = {.scan = scan, .window = window};
    enum hc_status status = add_bounds(scan, err);
    if (status == HC_OK)
        status = take_marks(&f, err);
    if (status == HC_OK)
        status = sort_extras(scan, err);
    for (size_t i = 0; i < f.n; i++)
        free(f.threads[i].open);
    free(f.threads);
    hc_int_map_fini(&f.index);
    return status;
}
