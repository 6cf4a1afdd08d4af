#include "sim/profiles/profile_build.h"

#include "core/base/memory.h"
#include "sim/profiles/profile_emit.h"

#include <stdlib.h>
#include <string.h>

/* ---- before the first part ---- */

static int compare_times(const void *a, const void *b)
{
    int64_t one = *(const int64_t *)a, other = *(const int64_t *)b;
    return (one > other) - (one < other);
}

/* Where the window of a rank begins on the time of the graph. */
static enum hc_status place_rank(struct hc_profile_build *build, size_t r, int64_t start_ns,
                                 struct hc_error *err)
{
    struct hc_build_rank *rank = &build->ranks[r];
    if (__builtin_sub_overflow(start_ns, build->origin_ns, &rank->start_ns) ||
        rank->start_ns > HC_GRAPH_FARTHEST_NS)
        return hc_fail(err, HC_BAD_INPUT,
                       "the window of '%s' begins more than 26 days after that of another rank, "
                       "which cannot be replayed; do their clocks agree?",
                       rank->scan.rank->name);
    return HC_OK;
}

/* The graph counts from the earliest start of the window. */
static enum hc_status place_origin(struct hc_profile_build *build, struct hc_error *err)
{
    const struct hc_collectives *collectives = build->window->collectives;
    enum hc_status status = HC_OK;
    int64_t *starts = hc_new_array(build->n_ranks, sizeof *starts, err);
    if (!starts)
        return err->status;
    for (size_t r = 0; r < build->n_ranks; r++)
        starts[r] = hc_aligned_ns(collectives, r, build->ranks[r].scan.bound_ns[0]);
    qsort(starts, build->n_ranks, sizeof *starts, compare_times);
    build->origin_ns = starts[0];
    int64_t median_ns = starts[(build->n_ranks - 1) / 2];
    free(starts);
    for (size_t r = 0; status == HC_OK && r < build->n_ranks; r++)
        status = place_rank(build, r,
                            hc_aligned_ns(collectives, r, build->ranks[r].scan.bound_ns[0]), err);
    if (status == HC_OK)
        build->median_start_ns = median_ns - build->origin_ns;
    return status;
}

/* Where the arrival at each collective is, if at least two of its members are in the window. */
static enum hc_status find_joins(struct hc_profile_build *build, struct hc_error *err)
{
    const struct hc_collectives *c = build->window->collectives;
    build->n_joins = c->n;
    build->joins = hc_new_array(c->n, sizeof *build->joins, err);
    if (!build->joins)
        return err->status;
    for (size_t i = 0; i < c->n; i++) {
        struct hc_build_join *join = &build->joins[i];
        size_t n = 0;
        *join = (struct hc_build_join){.t_ns = INT64_MIN, .step = HC_NO_STEP};
        for (size_t m = 0; m < c->collectives[i].n && !c->collectives[i].is_mismatched; m++) {
            const struct hc_comm_kernel *kernel =
                &c->kernels[c->member_kernels[c->collectives[i].first + m]];
            const struct hc_rank_scan *scan = &build->ranks[kernel->rank_index].scan;
            int32_t step = scan->gpu_step[kernel->row];
            if (step == HC_NO_STEP)
                continue;
            int64_t at =
                hc_build_time(build, kernel->rank_index, hc_scan_gpu_start(scan, kernel->row));
            if (at > join->t_ns) {
                join->t_ns = at;
                join->last = (uint16_t)kernel->rank_index;
            }
            join->step = step > join->step ? step : join->step;
            n++;
        }
        if (n < 2)
            join->step = HC_NO_STEP;
    }
    for (size_t k = 0; k < c->n_kernels; k++) {
        const struct hc_comm_kernel *kernel = &c->kernels[k];
        struct hc_build_rank *rank = &build->ranks[kernel->rank_index];
        bool is_joined = kernel->collective >= 0 &&
                         build->joins[kernel->collective].step != HC_NO_STEP &&
                         rank->scan.gpu_step[kernel->row] != HC_NO_STEP;
        if (is_joined)
            rank->join[kernel->row] = kernel->collective;
    }
    return HC_OK;
}

/* The joins of each step side by side, so that a part goes through its own ones only. */
static enum hc_status sort_joins(struct hc_profile_build *build, struct hc_error *err)
{
    size_t n_steps = build->window->n_steps;
    build->first_join = hc_new_array(n_steps + 2, sizeof *build->first_join, err);
    build->join_rows = hc_new_array(build->n_joins, sizeof *build->join_rows, err);
    if (!build->first_join || !build->join_rows)
        return err->status;
    size_t *next = build->first_join + 1; /* of step k: next[k] moves from its first to its end */
    for (size_t i = 0; i < build->n_joins; i++)
        if (build->joins[i].step != HC_NO_STEP)
            next[build->joins[i].step + 1]++;
    for (size_t k = 1; k <= n_steps; k++)
        next[k] += next[k - 1];
    for (size_t i = 0; i < build->n_joins; i++)
        if (build->joins[i].step != HC_NO_STEP)
            build->join_rows[next[build->joins[i].step]++] = (uint32_t)i;
    return HC_OK;
}

static void put_together(struct hc_profile_build *build, int32_t from, int32_t to)
{
    if (from < to && build->together[from] < to)
        build->together[from] = to;
}

/* Steps are parts, unless something of one hangs on something of a later one. */
static enum hc_status find_together(struct hc_profile_build *build, struct hc_error *err)
{
    size_t n = build->window->n_steps;
    build->together = hc_new_array(n, sizeof *build->together, err);
    for (size_t k = 0; build->together && k < n; k++)
        build->together[k] = (int32_t)k;
    for (size_t r = 0; build->together && r < build->n_ranks; r++) {
        const struct hc_build_rank *rank = &build->ranks[r];
        const struct hc_rank_scan *scan = &rank->scan;
        int32_t *last = hc_new_array(scan->n_streams, sizeof *last, err);
        if (!last)
            return err->status;
        for (size_t i = 0; i < scan->rank->table[HC_PROFILE_GPU].n_rows; i++) {
            int32_t step = scan->gpu_step[i];
            if (step == HC_NO_STEP)
                continue;
            put_together(build, step, last[scan->stream[i]]);
            if (step > last[scan->stream[i]])
                last[scan->stream[i]] = step;
            if (rank->join[i] >= 0)
                put_together(build, step, build->joins[rank->join[i]].step);
        }
        free(last);
        for (size_t i = 0; i < scan->n_waits; i++)
            put_together(build, hc_scan_target_step(scan, &scan->waits[i]),
                         hc_scan_source_step(scan, &scan->waits[i]));
    }
    return build->together ? HC_OK : err->status;
}

static int compare_keys(const void *a, const void *b)
{
    uint64_t one = *(const uint64_t *)a, other = *(const uint64_t *)b;
    return (one > other) - (one < other);
}

/* A source in no step is never carried: as an unsigned number its step comes after all. */
static enum hc_status sort_crossings(struct hc_build_rank *rank, struct hc_error *err)
{
    size_t n = rank->scan.n_crossings;
    rank->crossings_by_step = hc_new_array(n, sizeof *rank->crossings_by_step, err);
    rank->open = hc_new_array(n, sizeof *rank->open, err);
    if (!rank->crossings_by_step || !rank->open)
        return err->status;
    for (size_t i = 0; i < n; i++)
        rank->crossings_by_step[i] = (uint64_t)(uint32_t)rank->scan.crossings[i].step << 32 | i;
    if (n)
        qsort(rank->crossings_by_step, n, sizeof *rank->crossings_by_step, compare_keys);
    return HC_OK;
}

static enum hc_status begin_rank(struct hc_build_rank *rank, struct hc_error *err)
{
    const struct hc_rank_scan *scan = &rank->scan;
    size_t n_gpu = scan->rank->table[HC_PROFILE_GPU].n_rows;
    rank->threads = hc_new_array(scan->threads.n, sizeof *rank->threads, err);
    rank->streams = hc_new_array(scan->n_streams, sizeof *rank->streams, err);
    rank->join = hc_new_aligned(n_gpu, sizeof *rank->join, err);
    rank->gpu_point = hc_new_aligned(n_gpu, sizeof *rank->gpu_point, err);
    if (!rank->threads || !rank->streams || !rank->join || !rank->gpu_point)
        return err->status;
    memset(rank->join, 0xff, n_gpu * sizeof *rank->join);
    rank->begin.ref = HC_NO_POINT;
    for (size_t t = 0; t < scan->threads.n; t++)
        rank->threads[t].end.ref = HC_NO_POINT;
    for (size_t s = 0; s < scan->n_streams; s++)
        rank->streams[s].start.ref = rank->streams[s].end.ref = HC_NO_POINT;
    return sort_crossings(rank, err);
}

static enum hc_status scan_ranks(struct hc_profile_build *build, struct hc_error *err)
{
    struct hc_error *errors = hc_new_array(build->n_ranks, sizeof *errors, err);
    if (!errors)
        return err->status;
#pragma omp parallel for schedule(dynamic, 1)
    for (size_t r = 0; r < build->n_ranks; r++) {
        struct hc_build_rank *rank = &build->ranks[r];
        if (hc_scan_rank(&rank->scan, build->window, r, &errors[r]) == HC_OK)
            begin_rank(rank, &errors[r]);
    }
    enum hc_status status = HC_OK;
    for (size_t r = 0; status == HC_OK && r < build->n_ranks; r++)
        if (errors[r].status) {
            *err = errors[r];
            status = err->status;
        }
    free(errors);
    return status;
}

static enum hc_status find_classes(struct hc_profile_build *build, struct hc_error *err)
{
    struct hc_rank_scan *scans = hc_new_array(build->n_ranks, sizeof *scans, err);
    if (!scans)
        return err->status;
    for (size_t r = 0; r < build->n_ranks; r++)
        scans[r] = build->ranks[r].scan;
    enum hc_status status =
        hc_peers_init(&build->peers, scans, build->n_ranks, build->window->collectives, err);
    free(scans);
    return status;
}

enum hc_status hc_build_init(struct hc_profile_build *build, const struct hc_scan_window *window,
                             struct hc_error *err)
{
    *build = (struct hc_profile_build){.window = window, .n_ranks = window->profile->n_ranks};
    if (build->n_ranks > UINT16_MAX)
        return hc_fail(err, HC_BAD_INPUT, "more than %d ranks cannot be replayed", UINT16_MAX);
    build->ranks = hc_new_array(build->n_ranks, sizeof *build->ranks, err);
    if (!build->ranks)
        return err->status;
    build->graph.describe = hc_build_describe;
    build->graph.describe_context = build;
    if (scan_ranks(build, err) || place_origin(build, err) || find_joins(build, err) ||
        sort_joins(build, err) || find_together(build, err))
        return err->status;
    return find_classes(build, err);
}

/* ---- a part ---- */

/* The rows of a rank in the steps of this part. */
static enum hc_status choose_rows(struct hc_profile_build *build, struct hc_build_rank *rank,
                                  struct hc_error *err)
{
    const struct hc_rank_scan *scan = &rank->scan;
    size_t n_calls = scan->rank->table[HC_PROFILE_CALLS].n_rows;
    size_t first = scan->first_in_step[build->next_step], n;
    int64_t end = scan->bound_ns[build->end_step];
    rank->end_call = rank->next_call;
    while (rank->end_call < n_calls && hc_scan_call_start(scan, rank->end_call) < end)
        rank->end_call++;
    rank->end_extra = rank->next_extra;
    while (rank->end_extra < scan->n_extras &&
           scan->extras[rank->end_extra].step < (int32_t)build->end_step)
        rank->end_extra++;
    n = scan->first_in_step[build->end_step] - first;
    if (n > rank->gpu_row_capacity &&
        hc_reserve(&rank->gpu_rows, &rank->gpu_row_capacity, n, sizeof *rank->gpu_rows, err))
        return err->status;
    if (n)
        memcpy(rank->gpu_rows, scan->in_step + first, n * sizeof *rank->gpu_rows);
    rank->n_gpu = n;
    return HC_OK;
}

static int compare_rows(const void *a, const void *b)
{
    uint32_t one = *(const uint32_t *)a, other = *(const uint32_t *)b;
    return (one > other) - (one < other);
}

static enum hc_status emit_joins(struct hc_profile_build *build, struct hc_error *err)
{
    const struct hc_collectives *c = build->window->collectives;
    for (size_t k = build->first_join[build->next_step]; k < build->first_join[build->end_step];
         k++) {
        size_t i = build->join_rows[k];
        const struct hc_build_join *join = &build->joins[i];
        if (hc_graph_add_point(&build->graph,
                               (struct hc_graph_point){.t_ns = join->t_ns,
                                                       .rank_index = join->last,
                                                       .collective = (uint32_t)i},
                               err))
            return err->status;
        for (size_t m = 0; m < c->collectives[i].n; m++) {
            const struct hc_comm_kernel *kernel =
                &c->kernels[c->member_kernels[c->collectives[i].first + m]];
            const struct hc_build_rank *rank = &build->ranks[kernel->rank_index];
            if (rank->join[kernel->row] != (int32_t)i)
                continue;
            struct hc_graph_arc arc = {.from = rank->gpu_point[kernel->row],
                                       .rank_index = (uint16_t)kernel->rank_index,
                                       .kind = HC_EDGE_JOIN,
                                       .work = HC_WORK_FIXED,
                                       .part = HC_PATH_NONE};
            if (hc_graph_add_arc(&build->graph, arc, err))
                return err->status;
        }
    }
    return HC_OK;
}

static enum hc_status emit_part(struct hc_profile_build *build, struct hc_error *err)
{
    uint32_t next = 0;
    hc_graph_empty(&build->graph);
    hc_peers_forget(&build->peers);
    for (size_t r = 0; r < build->n_ranks; r++) {
        struct hc_build_rank *rank = &build->ranks[r];
        if (choose_rows(build, rank, err))
            return err->status;
        if (build->end_step - build->next_step > 1 && rank->n_gpu)
            qsort(rank->gpu_rows, rank->n_gpu, sizeof *rank->gpu_rows, compare_rows);
        if (hc_build_number(build, r, &next, err))
            return err->status;
    }
    for (size_t k = build->first_join[build->next_step]; k < build->first_join[build->end_step];
         k++)
        build->joins[build->join_rows[k]].point = next++;
    for (size_t r = 0; r < build->n_ranks; r++)
        if (hc_build_emit(build, r, err))
            return err->status;
    return emit_joins(build, err);
}

/* ---- what is carried from part to part ---- */

/* Ends may be the same point: the start of a window is that of each thread that begins with it. */
static void keep(struct hc_profile_build *build, const struct hc_build_end *end)
{
    if (end->ref != HC_NO_POINT && !(end->ref & HC_CARRIED))
        build->graph.points[end->ref].is_kept = true;
}

static uint32_t point_of_crossing(const struct hc_build_rank *rank,
                                  const struct hc_scan_crossing *crossing)
{
    uint32_t source = (uint32_t)crossing->source;
    if (crossing->source >> 32 == HC_SOURCE_GPU_END)
        return rank->gpu_point[source] + 1;
    if (crossing->source >> 32 == HC_SOURCE_CALL_START)
        return rank->call_point[source - rank->next_call];
    return rank->extra_point[source - rank->next_extra];
}

/* From where on in rank->open are the crossings that begin in this part and that a later one needs.
 * A part looks at its own crossings and at the open ones, however many the window has. */
static size_t open_crossings(const struct hc_profile_build *build, struct hc_build_rank *rank)
{
    size_t first = rank->n_open;
    for (; rank->next_crossing < rank->scan.n_crossings; rank->next_crossing++) {
        uint32_t i = (uint32_t)rank->crossings_by_step[rank->next_crossing];
        const struct hc_scan_crossing *crossing = &rank->scan.crossings[i];
        if ((uint32_t)crossing->step >= build->end_step)
            break;
        if (crossing->last_step >= (int32_t)build->end_step)
            rank->open[rank->n_open++] = i;
    }
    return first;
}

static void keep_ends(struct hc_profile_build *build)
{
    for (size_t r = 0; r < build->n_ranks; r++) {
        struct hc_build_rank *rank = &build->ranks[r];
        keep(build, &rank->begin);
        for (size_t t = 0; t < rank->scan.threads.n; t++)
            keep(build, &rank->threads[t].end);
        for (size_t s = 0; s < rank->scan.n_streams; s++) {
            keep(build, &rank->streams[s].start);
            keep(build, &rank->streams[s].end);
        }
        rank->first_new_open = open_crossings(build, rank);
        for (size_t i = rank->first_new_open; i < rank->n_open; i++) {
            const struct hc_scan_crossing *crossing = &rank->scan.crossings[rank->open[i]];
            build->graph.points[point_of_crossing(rank, crossing)].is_kept = true;
        }
    }
}

/* Ends of this part become slots. */
static void carry(const struct hc_profile_build *build, struct hc_build_end *end)
{
    if (end->ref != HC_NO_POINT && !(end->ref & HC_CARRIED))
        end->ref = HC_CARRIED | build->order.slot[end->ref];
}

static void carry_ends(struct hc_profile_build *build)
{
    for (size_t r = 0; r < build->n_ranks; r++) {
        struct hc_build_rank *rank = &build->ranks[r];
        carry(build, &rank->begin);
        for (size_t t = 0; t < rank->scan.threads.n; t++)
            carry(build, &rank->threads[t].end);
        for (size_t s = 0; s < rank->scan.n_streams; s++) {
            carry(build, &rank->streams[s].start);
            carry(build, &rank->streams[s].end);
        }
        for (size_t i = rank->first_new_open; i < rank->n_open; i++) {
            struct hc_scan_crossing *crossing = &rank->scan.crossings[rank->open[i]];
            crossing->slot = build->order.slot[point_of_crossing(rank, crossing)];
        }
    }
}

static void mark_used(uint8_t *is_used, const struct hc_build_end *end)
{
    if (end->ref != HC_NO_POINT && end->ref & HC_CARRIED)
        is_used[end->ref & ~HC_CARRIED] = 1;
}

/* Crossings that this part was the last to need are open no more. */
static void mark_open(const struct hc_profile_build *build, struct hc_build_rank *rank,
                      uint8_t *held)
{
    size_t n = 0;
    for (size_t i = 0; i < rank->n_open; i++) {
        const struct hc_scan_crossing *crossing = &rank->scan.crossings[rank->open[i]];
        if (crossing->last_step < (int32_t)build->end_step)
            continue;
        held[crossing->slot] = 1;
        rank->open[n++] = rank->open[i];
    }
    rank->n_open = n;
}

static void mark_all_used(const struct hc_profile_build *build, uint8_t *held)
{
    for (size_t r = 0; r < build->n_ranks; r++) {
        struct hc_build_rank *rank = &build->ranks[r];
        mark_used(held, &rank->begin);
        for (size_t t = 0; t < rank->scan.threads.n; t++)
            mark_used(held, &rank->threads[t].end);
        for (size_t s = 0; s < rank->scan.n_streams; s++) {
            mark_used(held, &rank->streams[s].start);
            mark_used(held, &rank->streams[s].end);
        }
        mark_open(build, rank, held);
    }
}

/* Note the slots that held a carried point and that nothing to come hangs on; this part still reads
 * them, so that they are given back before the next one. */
static enum hc_status find_released(struct hc_profile_build *build, struct hc_error *err)
{
    uint8_t *held = hc_new_array(build->order.n_slots, 1, err);
    if (!held)
        return err->status;
    mark_all_used(build, held);
    build->n_released = 0;
    for (size_t slot = 0; slot < build->n_held; slot++) {
        if (!build->held[slot] || held[slot])
            continue;
        if (build->n_released == build->released_capacity &&
            hc_reserve(&build->released, &build->released_capacity, build->n_released + 1,
                       sizeof *build->released, err)) {
            free(held);
            return err->status;
        }
        build->released[build->n_released++] = (uint32_t)slot;
    }
    free(build->held);
    build->held = held;
    build->n_held = build->order.n_slots;
    return HC_OK;
}

bool hc_build_next(struct hc_profile_build *build, struct hc_error *err)
{
    err->status = HC_OK;
    for (size_t i = 0; i < build->n_released; i++)
        if (hc_graph_release_slot(&build->order, build->released[i], err))
            return false;
    build->n_released = 0;
    build->next_step = build->end_step;
    if (build->next_step >= build->window->n_steps)
        return false;
    for (size_t r = 0; r < build->n_ranks; r++) {
        build->ranks[r].next_call = build->ranks[r].end_call;
        build->ranks[r].next_extra = build->ranks[r].end_extra;
    }
    build->end_step = build->next_step + 1;
    for (size_t k = build->next_step; k < build->end_step; k++)
        if ((size_t)build->together[k] + 1 > build->end_step)
            build->end_step = (size_t)build->together[k] + 1;
    if (emit_part(build, err) || hc_peers_level(&build->peers, &build->graph, err))
        return false;
    if (hc_graph_find_residuals(&build->graph, build->order.carried_ns, err))
        return false;
    for (size_t p = 0; p < build->graph.n_points; p++)
        if (build->graph.points[p].finishes &&
            build->graph.points[p].t_ns > build->traced_finish_ns)
            build->traced_finish_ns = build->graph.points[p].t_ns;
    keep_ends(build);
    if (hc_graph_find_order(&build->order, &build->graph, err))
        return false;
    carry_ends(build);
    build->n_parts++;
    return find_released(build, err) == HC_OK;
}

static void fini_rank(struct hc_build_rank *rank)
{
    hc_scan_rank_fini(&rank->scan);
    free(rank->threads);
    free(rank->streams);
    free(rank->join);
    free(rank->gpu_point);
    free(rank->crossings_by_step);
    free(rank->open);
    free(rank->gpu_rows);
    free(rank->call_point);
    free(rank->extra_point);
}

void hc_build_fini(struct hc_profile_build *build)
{
    for (size_t r = 0; build->ranks && r < build->n_ranks; r++)
        fini_rank(&build->ranks[r]);
    free(build->ranks);
    free(build->joins);
    free(build->join_rows);
    free(build->first_join);
    free(build->together);
    free(build->released);
    free(build->held);
    hc_graph_fini(&build->graph);
    hc_graph_order_fini(&build->order);
    hc_peers_fini(&build->peers);
    memset(build, 0, sizeof *build);
}
