#include "sim/profiles/profile_emit.h"

#include "core/base/clock.h"
#include "core/base/memory.h"

#include <stdio.h>
#include <stdlib.h>

int64_t hc_build_time(const struct hc_profile_build *build, size_t rank_index, int64_t ns)
{
    const struct hc_build_rank *rank = &build->ranks[rank_index];
    if (build->window->collectives->has_drift)
        return (int64_t)((uint64_t)hc_aligned_ns(build->window->collectives, rank_index, ns) -
                         (uint64_t)build->origin_ns);
    return hc_capped_sum(ns - rank->scan.bound_ns[0], rank->start_ns);
}

/* Going through calls, extra points and GPU events of a rank in the order of their starts. */
struct walk {
    const struct hc_build_rank *rank;
    size_t call, extra, gpu;
};

enum item { ITEM_CALL, ITEM_EXTRA, ITEM_GPU, ITEM_NONE };

static enum item next_item(struct walk *w, size_t *at)
{
    const struct hc_build_rank *rank = w->rank;
    const struct hc_rank_scan *scan = &rank->scan;
    while (w->call < rank->end_call && scan->outer[w->call] != w->call)
        w->call++;
    int64_t call = w->call < rank->end_call ? hc_scan_call_start(scan, w->call) : INT64_MAX;
    int64_t extra = w->extra < rank->end_extra ? scan->extras[w->extra].t_ns : INT64_MAX;
    int64_t gpu =
        w->gpu < rank->n_gpu ? hc_scan_gpu_start(scan, rank->gpu_rows[w->gpu]) : INT64_MAX;
    if (w->extra < rank->end_extra && extra <= call && extra <= gpu) {
        *at = w->extra++;
        return ITEM_EXTRA;
    }
    if (w->call < rank->end_call && call <= gpu) {
        *at = w->call++;
        return ITEM_CALL;
    }
    if (w->gpu >= rank->n_gpu)
        return ITEM_NONE;
    *at = rank->gpu_rows[w->gpu++];
    return ITEM_GPU;
}

enum hc_status hc_build_number(struct hc_profile_build *build, size_t rank_index, uint32_t *next,
                               struct hc_error *err)
{
    struct hc_build_rank *rank = &build->ranks[rank_index];
    size_t n_calls = rank->end_call - rank->next_call,
           n_extras = rank->end_extra - rank->next_extra;
    if ((n_calls > rank->call_capacity && hc_reserve(&rank->call_point, &rank->call_capacity,
                                                     n_calls, sizeof *rank->call_point, err)) ||
        (n_extras > rank->extra_capacity && hc_reserve(&rank->extra_point, &rank->extra_capacity,
                                                       n_extras, sizeof *rank->extra_point, err)))
        return err->status;
    struct walk w = {.rank = rank, .call = rank->next_call, .extra = rank->next_extra};
    size_t at;
    for (enum item item; (item = next_item(&w, &at)) != ITEM_NONE;) {
        if (item == ITEM_CALL)
            rank->call_point[at - rank->next_call] = *next;
        else if (item == ITEM_EXTRA)
            rank->extra_point[at - rank->next_extra] = *next;
        else
            rank->gpu_point[at] = *next;
        *next += item == ITEM_EXTRA ? 1 : 2;
    }
    return HC_OK;
}

/* ---- edges ---- */

struct emit {
    struct hc_profile_build *build;
    struct hc_build_rank *rank;
    struct hc_error *err;
    int32_t step; /* of the call or extra point under way */
    uint16_t rank_index;
};

static enum hc_status add_point(struct emit *e, struct hc_graph_point point)
{
    point.rank_index = e->rank_index;
    point.collective = HC_NO_POINT;
    return hc_graph_add_point(&e->build->graph, point, e->err);
}

static enum hc_status add_arc(struct emit *e, struct hc_graph_arc arc)
{
    arc.rank_index = e->rank_index;
    arc.alt_ns = arc.w_ns;
    return hc_graph_add_arc(&e->build->graph, arc, e->err);
}

/* The edge added last is work of a thread that other ranks may do too. It is counted anew in each
 * step: which steps stand in one part then changes no level, and what a rank did once too often in
 * one step does not shift the steps after it. */
static enum hc_status has_peers(struct emit *e, uint64_t key)
{
    struct hc_peer_work work = {
        .kind = key, .step = e->step, .arc = (uint32_t)e->build->graph.n_arcs - 1};
    return hc_peers_add(&e->build->peers, e->rank_index, work, e->err);
}

static uint64_t cpu_key(size_t thread, const struct hc_build_thread *from, int32_t name)
{
    uint64_t ends = (uint64_t)(uint32_t)from->name << 32 | (uint32_t)name;
    return hc_peer_mix(hc_peer_mix(ends, thread), HC_WORK_CPU);
}

static uint32_t last_point(const struct emit *e)
{
    return (uint32_t)e->build->graph.n_points - 1;
}

/* CPU work: what a thread does between two calls, up to the point added last, the start of a call
 * of that name. */
static enum hc_status add_gap(struct emit *e, size_t thread, int64_t w_ns, int32_t name)
{
    const struct hc_build_thread *last = &e->rank->threads[thread];
    struct hc_graph_arc arc = {.from = last->end.ref,
                               .w_ns = w_ns,
                               .kind = HC_EDGE_THREAD,
                               .work = HC_WORK_CPU,
                               .part = HC_PATH_CPU};
    return add_arc(e, arc) ? e->err->status : has_peers(e, cpu_key(thread, last, name));
}

/* What a call itself takes is the runtime's and stays as it is: it counts as CPU time without
 * peers. */
static enum hc_status add_call_time(struct emit *e, int64_t w_ns)
{
    struct hc_graph_arc arc = {.from = last_point(e) - 1,
                               .w_ns = w_ns,
                               .kind = HC_EDGE_THREAD,
                               .work = HC_WORK_FIXED,
                               .part = HC_PATH_CPU};
    e->build->peers.total_ns[HC_WORK_CPU] += (double)w_ns;
    return add_arc(e, arc);
}

static void move_thread(struct emit *e, size_t thread, int64_t t_ns, int32_t name)
{
    e->rank->threads[thread] =
        (struct hc_build_thread){.end = {.ref = last_point(e), .t_ns = t_ns}, .name = name};
}

/* A thread of which nothing is known begins with the window. */
static void begin_thread(struct emit *e, size_t thread)
{
    struct hc_build_thread *last = &e->rank->threads[thread];
    if (last->end.ref == HC_NO_POINT && e->rank->begin.ref != HC_NO_POINT)
        *last = (struct hc_build_thread){.end = e->rank->begin, .name = -1 - HC_EXTRA_START};
}

/* The point where a wait begins. */
static uint32_t ref_of_source(const struct emit *e, const struct hc_scan_wait *wait)
{
    const struct hc_build_rank *rank = e->rank;
    const struct hc_rank_scan *scan = &rank->scan;
    uint64_t key = (uint64_t)wait->source_of << 32 | wait->source;
    size_t low = 0, high = scan->n_crossings;
    while (low < high) {
        size_t middle = low + (high - low) / 2;
        if (scan->crossings[middle].source < key)
            low = middle + 1;
        else
            high = middle;
    }
    if (low < scan->n_crossings && scan->crossings[low].source == key &&
        scan->crossings[low].slot != HC_NO_POINT)
        return HC_CARRIED | scan->crossings[low].slot;
    if (wait->source_of == HC_SOURCE_GPU_END)
        return rank->gpu_point[wait->source] + 1;
    if (wait->source_of == HC_SOURCE_CALL_START)
        return rank->call_point[wait->source - rank->next_call];
    return rank->extra_point[wait->source - rank->next_extra];
}

/* The waits of a kind that end at a target. */
static enum hc_status add_waits(struct emit *e, enum hc_graph_edge kind, uint32_t target,
                                enum hc_path_part part)
{
    const struct hc_rank_scan *scan = &e->rank->scan;
    size_t low = 0, high = scan->n_waits;
    while (low < high) {
        size_t middle = low + (high - low) / 2;
        const struct hc_scan_wait *wait = &scan->waits[middle];
        if (wait->kind < kind || (wait->kind == kind && wait->target < target))
            low = middle + 1;
        else
            high = middle;
    }
    for (; low < scan->n_waits; low++) {
        const struct hc_scan_wait *wait = &scan->waits[low];
        if (wait->kind != kind || wait->target != target)
            break;
        struct hc_graph_arc arc = {.from = ref_of_source(e, wait),
                                   .w_ns = wait->w_ns,
                                   .kind = (uint8_t)kind,
                                   .work = HC_WORK_FIXED,
                                   .part = part};
        if (add_arc(e, arc))
            return e->err->status;
    }
    return HC_OK;
}

/* A thread that goes on when another lets it. Peers tell how long that takes where a rank stops
 * just there (profile_peers.c). */
static enum hc_status add_wake(struct emit *e, size_t at)
{
    size_t n = e->build->graph.n_arcs;
    if (add_waits(e, HC_EDGE_WAKE, (uint32_t)at, HC_PATH_WAKE) || e->build->graph.n_arcs == n)
        return e->err->status;
    uint64_t thread = (uint64_t)e->rank->scan.extras[at].thread;
    return has_peers(e, hc_peer_mix(hc_peer_mix(thread, HC_WORK_FIXED), HC_EDGE_WAKE));
}

static enum hc_status emit_extra(struct emit *e, size_t at)
{
    const struct hc_scan_extra *extra = &e->rank->scan.extras[at];
    int64_t t = hc_build_time(e->build, e->rank_index, extra->t_ns);
    struct hc_build_thread *last = &e->rank->threads[extra->thread];
    /* The start of the window is that of its first step: as other steps have it. */
    int32_t name = -1 - (extra->what == HC_EXTRA_BOUND ? HC_EXTRA_START : extra->what);
    bool is_begin = extra->what == HC_EXTRA_START, is_end = extra->what == HC_EXTRA_END;
    e->step = extra->step;
    if (extra->what != HC_EXTRA_WOKEN && !is_begin)
        begin_thread(e, (size_t)extra->thread);
    if (add_point(
            e, (struct hc_graph_point){.t_ns = t,
                                       .is_start = is_begin,
                                       .finishes = is_end ? HC_FINISH_OF_THREAD : HC_NOT_FINISH}))
        return e->err->status;
    if (is_begin)
        e->rank->begin = (struct hc_build_end){.ref = last_point(e), .t_ns = t};
    int64_t until =
        extra->what == HC_EXTRA_WOKEN ? hc_build_time(e->build, e->rank_index, extra->busy_ns) : t;
    if (!is_begin && last->end.ref != HC_NO_POINT &&
        add_gap(e, (size_t)extra->thread, until - last->end.t_ns, name))
        return e->err->status;
    if (extra->what == HC_EXTRA_WOKEN && add_wake(e, at))
        return e->err->status;
    e->build->graph.n_arcs_of_kind[HC_EDGE_THREAD] += is_end; /* to F */
    move_thread(e, (size_t)extra->thread, t, name);
    return HC_OK;
}

#define MOST_SYNC_NS 10000

static enum hc_status emit_call(struct emit *e, size_t row)
{
    const struct hc_rank_scan *scan = &e->rank->scan;
    size_t thread = (size_t)scan->call_thread[row];
    int32_t name = hc_scan_call_name(scan, row);
    int64_t start = hc_build_time(e->build, e->rank_index, hc_scan_call_start(scan, row));
    int64_t duration = hc_scan_call_end(scan, row) - hc_scan_call_start(scan, row), own = duration;
    int64_t end = hc_capped_sum(start, duration);
    if (scan->call_flags[row] & HC_CALL_SHORTENED) {
        int64_t shortest = name >= 0 ? scan->shortest_ns[name] : duration;
        own = shortest < MOST_SYNC_NS ? shortest : MOST_SYNC_NS;
    }
    while (hc_scan_call_start(scan, row) >= scan->bound_ns[e->step + 1])
        e->step++;
    begin_thread(e, thread);
    const struct hc_build_thread *last = &e->rank->threads[thread];
    if (add_point(e, (struct hc_graph_point){.t_ns = start}))
        return e->err->status;
    if (last->end.ref != HC_NO_POINT && add_gap(e, thread, start - last->end.t_ns, name))
        return e->err->status;
    if (add_point(e, (struct hc_graph_point){.t_ns = end}) || add_call_time(e, own))
        return e->err->status;
    if (scan->call_flags[row] & HC_CALL_HAS_WAITS &&
        add_waits(e, HC_EDGE_SYNC, (uint32_t)row, HC_PATH_SYNC))
        return e->err->status;
    move_thread(e, thread, end, name);
    return HC_OK;
}

static enum hc_status add_stream(struct emit *e, const struct hc_build_stream *last, int64_t start)
{
    struct hc_graph_arc arc = {
        .kind = HC_EDGE_STREAM, .work = HC_WORK_FIXED, .part = HC_PATH_STREAM};
    if (start >= last->end.t_ns) {
        arc.from = last->end.ref;
        arc.w_ns = e->rank->scan.stream_gap_ns;
    } else {
        arc.from = last->start.ref;
        arc.w_ns = start - last->start.t_ns;
        e->build->n_overlaps++;
    }
    return add_arc(e, arc);
}

static enum hc_status emit_gpu_start(struct emit *e, size_t row, int64_t start)
{
    const struct hc_rank_scan *scan = &e->rank->scan;
    const struct hc_build_stream *last = &e->rank->streams[scan->stream[row]];
    int32_t class = hc_table_i32(&scan->rank->table[HC_PROFILE_GPU], HC_GPU_CLASS)[row];
    uint32_t launch = hc_scan_launch(scan, row);
    if (add_point(e, (struct hc_graph_point){.t_ns = start}))
        return e->err->status;
    if (launch != HC_NO_ROW) {
        struct hc_graph_arc arc = {.from = e->rank->call_point[launch - e->rank->next_call],
                                   .w_ns = scan->latency_ns[(size_t) class < 3 ? class : 0],
                                   .kind = HC_EDGE_LAUNCH,
                                   .work = HC_WORK_FIXED,
                                   .part = HC_PATH_LAUNCH};
        if (add_arc(e, arc))
            return e->err->status;
    }
    if (last->end.ref != HC_NO_POINT && add_stream(e, last, start))
        return e->err->status;
    if (!(scan->gpu_flags[row] & HC_CALL_HAS_WAITS))
        return HC_OK;
    return add_waits(e, HC_EDGE_EVENT, (uint32_t)row, HC_PATH_EVENT);
}

static enum hc_path_part part_of(int32_t activity)
{
    return activity == HC_GPU_COMMUNICATES ? HC_PATH_COMM
           : activity == HC_GPU_COPIES     ? HC_PATH_MEMCPY
                                           : HC_PATH_COMPUTE;
}

/* The end of an event hangs on the join of its collective, or on its own start. */
static enum hc_status emit_gpu_end(struct emit *e, size_t row, int64_t start, int64_t end)
{
    const struct hc_table *gpu = &e->rank->scan.rank->table[HC_PROFILE_GPU];
    const struct hc_build_join *join =
        e->rank->join[row] < 0 ? NULL : &e->build->joins[e->rank->join[row]];
    bool is_step = e->rank->scan.rank->launch[row] != HC_NO_ROW ||
                   hc_scan_gpu_start(&e->rank->scan, row) >= e->rank->scan.bound_ns[0];
    if (add_point(e, (struct hc_graph_point){
                         .t_ns = end, .finishes = is_step ? HC_FINISH_OF_GPU : HC_NOT_FINISH}))
        return e->err->status;
    e->build->graph.n_arcs_of_kind[HC_EDGE_FINISH] += is_step;
    struct hc_graph_arc arc = {.from = last_point(e) - 1,
                               .w_ns = end - start,
                               .kind = HC_EDGE_GPU,
                               .work = HC_WORK_GPU,
                               .part = part_of(hc_table_i32(gpu, HC_GPU_ACTIVITY)[row])};
    if (join && end >= join->t_ns) {
        arc.from = join->point;
        arc.w_ns = end - join->t_ns;
        arc.kind = HC_EDGE_JOIN;
        arc.work = HC_WORK_COMM;
        arc.part = HC_PATH_COMM;
        return add_arc(e, arc);
    }
    if (join)
        e->build->graph.n_late[HC_EDGE_JOIN]++;
    return add_arc(e, arc);
}

static enum hc_status emit_gpu(struct emit *e, size_t row)
{
    const struct hc_rank_scan *scan = &e->rank->scan;
    int64_t start = hc_build_time(e->build, e->rank_index, hc_scan_gpu_start(scan, row));
    int64_t end = hc_capped_sum(start, hc_scan_gpu_end(scan, row) - hc_scan_gpu_start(scan, row));
    if (emit_gpu_start(e, row, start))
        return e->err->status;
    uint32_t point = last_point(e);
    if (emit_gpu_end(e, row, start, end))
        return e->err->status;
    e->rank->streams[scan->stream[row]] = (struct hc_build_stream){
        .start = {.ref = point, .t_ns = start}, .end = {.ref = point + 1, .t_ns = end}};
    return HC_OK;
}

/* GPU work is what it is called, and the how manieth of that name the rank launched in the step.
 * What nobody launched has no such number: it is a key of its own. Transfers that hang on a join
 * have twins in other steps, but no peers: their ranks have the same one. */
static enum hc_status key_gpu(struct emit *e, size_t row)
{
    const struct hc_table *gpu = &e->rank->scan.rank->table[HC_PROFILE_GPU];
    const struct hc_profile_graph *graph = &e->build->graph;
    uint32_t arc = graph->points[e->rank->gpu_point[row] + 1].first_arc;
    uint8_t work_of = graph->arcs[arc].work;
    if (work_of != HC_WORK_GPU && work_of != HC_WORK_COMM)
        return HC_OK;
    uint64_t kind = hc_peer_mix(hc_peer_mix((uint64_t)(uint32_t)hc_table_i32(gpu, HC_GPU_NAME)[row],
                                            (uint64_t)hc_table_i32(gpu, HC_GPU_CLASS)[row]),
                                work_of);
    if (e->rank->scan.rank->launch[row] == HC_NO_ROW)
        kind = hc_peer_mix(kind, (uint64_t)e->rank_index << 32 | row);
    struct hc_peer_work work = {.kind = kind,
                                .step = e->rank->scan.gpu_step[row],
                                .arc = arc,
                                .is_twin_only = work_of == HC_WORK_COMM};
    return hc_peers_add(&e->build->peers, e->rank_index, work, e->err);
}

static enum hc_status key_gpu_events(struct emit *e)
{
    struct hc_build_rank *rank = e->rank;
    const struct hc_rank_scan *scan = &rank->scan;
    for (size_t i = 0; i < rank->n_gpu; i++)
        if (scan->rank->launch[rank->gpu_rows[i]] == HC_NO_ROW && key_gpu(e, rank->gpu_rows[i]))
            return e->err->status;
    for (; rank->next_launched < scan->n_by_launch; rank->next_launched++) {
        uint32_t row = scan->by_launch[rank->next_launched], launch = hc_scan_launch(scan, row);
        if (launch == HC_NO_ROW)
            continue;
        if (launch >= rank->end_call)
            break;
        if (key_gpu(e, row))
            return e->err->status;
    }
    return HC_OK;
}

enum hc_status hc_build_emit(struct hc_profile_build *build, size_t rank_index,
                             struct hc_error *err)
{
    struct hc_build_rank *rank = &build->ranks[rank_index];
    struct emit e = {.build = build,
                     .rank = rank,
                     .err = err,
                     .step = (int32_t)build->next_step,
                     .rank_index = (uint16_t)rank_index};
    struct walk w = {.rank = rank, .call = rank->next_call, .extra = rank->next_extra};
    size_t at;
    enum hc_status status = HC_OK;
    for (enum item item; status == HC_OK && (item = next_item(&w, &at)) != ITEM_NONE;)
        status = item == ITEM_CALL    ? emit_call(&e, at)
                 : item == ITEM_EXTRA ? emit_extra(&e, at)
                                      : emit_gpu(&e, at);
    return status == HC_OK ? key_gpu_events(&e) : status;
}

bool hc_build_next_item(const struct hc_build_rank *rank, struct hc_build_cursor *cursor,
                        struct hc_build_item *item)
{
    struct walk w = {rank, cursor->call, cursor->extra, cursor->gpu};
    if (!cursor->is_begun)
        w = (struct walk){.rank = rank, .call = rank->next_call, .extra = rank->next_extra};
    enum item kind = next_item(&w, &item->row);
    *cursor = (struct hc_build_cursor){true, w.call, w.extra, w.gpu};
    if (kind == ITEM_NONE)
        return false;
    item->what = kind == ITEM_CALL    ? HC_BUILD_CALL
                 : kind == ITEM_EXTRA ? HC_BUILD_EXTRA
                                      : HC_BUILD_GPU;
    item->point = kind == ITEM_CALL    ? rank->call_point[item->row - rank->next_call]
                  : kind == ITEM_EXTRA ? rank->extra_point[item->row - rank->next_extra]
                                       : rank->gpu_point[item->row];
    return true;
}

static void describe_item(const struct hc_build_rank *rank, const struct hc_profile *profile,
                          const struct hc_build_item *item, bool is_end, char *text, size_t size)
{
    const struct hc_table *gpu = &rank->scan.rank->table[HC_PROFILE_GPU];
    int32_t name = item->what == HC_BUILD_CALL  ? hc_scan_call_name(&rank->scan, item->row)
                   : item->what == HC_BUILD_GPU ? hc_table_i32(gpu, HC_GPU_NAME)[item->row]
                                                : HC_MISSING_I32;
    snprintf(text, size, "the %s of '%.60s' on rank %d", is_end ? "end" : "start",
             item->what == HC_BUILD_EXTRA ? "a thread" : hc_profile_text(profile, "event", name),
             rank->scan.rank->rank);
}

void hc_build_describe(const void *context, uint32_t point, char *text, size_t size)
{
    const struct hc_profile_build *build = context;
    for (size_t r = 0; r < build->n_ranks; r++) {
        struct hc_build_cursor cursor = {0};
        struct hc_build_item item;
        while (hc_build_next_item(&build->ranks[r], &cursor, &item))
            if (point == item.point || (item.what != HC_BUILD_EXTRA && point == item.point + 1)) {
                describe_item(&build->ranks[r], build->window->profile, &item, point != item.point,
                              text, size);
                return;
            }
    }
    snprintf(text, size, "the arrival at a collective");
}
