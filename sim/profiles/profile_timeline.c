/* profile_timeline.c - the graph is gone through twice, a step at a time: first to find the
 * critical path, which is known at its end only, then to show everything. */
#include "sim/profiles/profile_timeline.h"

#include "core/base/memory.h"
#include "core/process/threads.h"
#include "sim/profiles/profile_build.h"
#include "sim/profiles/profile_emit.h"
#include "sim/profiles/profile_path.h"

#include <stdlib.h>
#include <string.h>

/* Where a carried value stands: the slots of profile_order.h. */
struct carried {
    int64_t value_ns;
    uint32_t point; /* number over all parts */
};

/* What a point of the part in hand is of. */
struct point_of {
    uint32_t row; /* of calls, extras or gpu; of a join: the collective */
    uint16_t rank_index;
    uint8_t what; /* enum hc_build_what, or JOIN */
    bool is_end;
};
enum { JOIN = HC_BUILD_GPU + 1 };

struct show {
    const struct hc_profile *profile;
    const struct hc_collectives *collectives;
    const struct hc_profile_view *view;
    hc_profile_slice_sink *sink;
    void *context;
    struct hc_scan_window window;
    struct hc_profile_build build;

    size_t n_before; /* points of earlier parts */
    size_t slot_capacity, point_capacity, of_capacity, from_capacity, mark_capacity;
    struct carried *slots;
    int64_t *values; /* of the points of this part */
    struct point_of *of;
    uint32_t *from;      /* of all points: what binds, HC_NO_POINT a source */
    uint8_t *is_on_path; /* of all points, once the path is known */
    uint32_t last;       /* point where the path ends */
    int64_t last_ns, first_ns;
    uint16_t last_rank;
    uint8_t last_finish;
    int64_t *bound_ns; /* of a rank: where the step under way began */
};

/* ---- values ---- */

static bool is_ideal(const struct show *s)
{
    return s->view->timeline == HC_PROFILE_IDEAL;
}

static int64_t weight(const struct show *s, const struct hc_graph_arc *arc)
{
    bool has_level = arc->work == HC_WORK_CPU || arc->work == HC_WORK_GPU;
    return is_ideal(s) && has_level ? arc->alt_ns : arc->w_ns;
}

static struct carried source_of(const struct show *s, const struct hc_graph_arc *arc)
{
    if (arc->from & HC_CARRIED)
        return s->slots[arc->from & ~HC_CARRIED];
    return (struct carried){s->values[arc->from], (uint32_t)(s->n_before + arc->from)};
}

/* The value of a point, and what binds it. */
static void evaluate(struct show *s, uint32_t p)
{
    const struct hc_profile_graph *graph = &s->build.graph;
    const struct hc_graph_point *point = &graph->points[p];
    const struct hc_graph_arc *best = NULL;
    struct carried from = {0, HC_NO_POINT};
    int64_t latest = is_ideal(s) && point->is_start ? s->build.median_start_ns : point->t_ns;
    for (size_t a = point->first_arc; a < hc_graph_end_arc(graph, p); a++) {
        const struct hc_graph_arc *arc = &graph->arcs[a];
        struct carried source = source_of(s, arc);
        int64_t at = source.value_ns + weight(s, arc);
        if (best && (at < latest || (at == latest && !hc_path_prefers(arc, best))))
            continue;
        best = arc;
        latest = at;
        from = source;
    }
    s->values[p] = best ? latest + point->residual_ns : latest;
    s->from[s->n_before + p] = from.point;
}

static enum hc_status make_room(struct show *s, struct hc_error *err)
{
    size_t n = s->build.graph.n_points, n_slots = s->build.order.n_slots, n_all = s->n_before + n;
    if ((n > s->point_capacity &&
         hc_reserve(&s->values, &s->point_capacity, n, sizeof *s->values, err)) ||
        (n > s->of_capacity && hc_reserve(&s->of, &s->of_capacity, n, sizeof *s->of, err)) ||
        (n_slots > s->slot_capacity &&
         hc_reserve(&s->slots, &s->slot_capacity, n_slots, sizeof *s->slots, err)) ||
        (n_all > s->from_capacity &&
         hc_reserve(&s->from, &s->from_capacity, n_all, sizeof *s->from, err)))
        return err->status;
    if (n_all >= HC_CARRIED)
        return hc_fail(err, HC_BAD_INPUT,
                       "more than %u points cannot be shown at once; say --steps", HC_CARRIED);
    return HC_OK;
}

/* The finish of greatest value; of equal ones that of the lowest rank, and of its main thread. */
static void note_finish(struct show *s, uint32_t p)
{
    const struct hc_graph_point *point = &s->build.graph.points[p];
    bool is_later = s->last == HC_NO_POINT || s->values[p] > s->last_ns;
    bool is_equal = s->last != HC_NO_POINT && s->values[p] == s->last_ns;
    bool is_first =
        is_equal && (point->rank_index < s->last_rank ||
                     (point->rank_index == s->last_rank && point->finishes > s->last_finish));
    if (!point->finishes || !(is_later || is_first))
        return;
    s->last = (uint32_t)(s->n_before + p);
    s->last_ns = s->values[p];
    s->last_rank = point->rank_index;
    s->last_finish = point->finishes;
}

static int64_t shown(const struct show *s, uint32_t p)
{
    return s->view->timeline == HC_PROFILE_TRACED ? s->build.graph.points[p].t_ns : s->values[p];
}

static enum hc_status evaluate_part(struct show *s, struct hc_error *err)
{
    const struct hc_graph_order *order = &s->build.order;
    if (make_room(s, err))
        return err->status;
    for (size_t i = 0; i < order->n; i++) {
        evaluate(s, order->points[i]);
        note_finish(s, order->points[i]);
        int64_t at = shown(s, order->points[i]);
        s->first_ns = at < s->first_ns ? at : s->first_ns;
    }
    return HC_OK;
}

/* What later parts need of this one. */
static void carry(struct show *s)
{
    for (size_t p = 0; p < s->build.graph.n_points; p++)
        if (s->build.graph.points[p].is_kept)
            s->slots[s->build.order.slot[p]] =
                (struct carried){s->values[p], (uint32_t)(s->n_before + p)};
    s->n_before += s->build.graph.n_points;
}

/* ---- slices ---- */

static enum hc_status put(const struct show *s, size_t rank_index, struct hc_profile_slice slice,
                          struct hc_error *err)
{
    const struct hc_profile_scene scene = {s->profile, s->collectives, s->build.origin_ns,
                                           s->first_ns};
    slice.rank_index = (uint32_t)rank_index;
    slice.rank = s->profile->ranks[rank_index].rank;
    return s->sink(&scene, &slice, s->context, err);
}

static const char *event_name(const struct show *s, int32_t code)
{
    return hc_profile_text(s->profile, "event", code);
}

static int64_t step_number(const struct show *s, int32_t step)
{
    return step < 0 || (size_t)step >= s->window.n_steps ? HC_MISSING_I64 : s->window.numbers[step];
}

static enum hc_status put_gpu(const struct show *s, size_t r, const struct hc_build_item *item,
                              struct hc_error *err)
{
    const struct hc_build_rank *rank = &s->build.ranks[r];
    const struct hc_table *gpu = &rank->scan.rank->table[HC_PROFILE_GPU];
    int32_t activity = hc_table_i32(gpu, HC_GPU_ACTIVITY)[item->row];
    return put(
        s, r,
        (struct hc_profile_slice){.kind = HC_SLICE_GPU,
                                  .part = activity == HC_GPU_COMMUNICATES ? HC_PATH_COMM
                                          : activity == HC_GPU_COPIES     ? HC_PATH_MEMCPY
                                                                          : HC_PATH_COMPUTE,
                                  .stream = hc_table_i32(gpu, HC_GPU_STREAM)[item->row],
                                  .name = event_name(s, hc_table_i32(gpu, HC_GPU_NAME)[item->row]),
                                  .step = step_number(s, rank->scan.gpu_step[item->row]),
                                  .start_ns = shown(s, item->point),
                                  .end_ns = shown(s, item->point + 1),
                                  .collective = rank->join[item->row]},
        err);
}

static enum hc_status put_call(const struct show *s, size_t r, const struct hc_build_item *item,
                               struct hc_error *err)
{
    const struct hc_rank_scan *scan = &s->build.ranks[r].scan;
    const struct hc_table *calls = &scan->rank->table[HC_PROFILE_CALLS];
    int32_t thread = hc_table_i32(calls, HC_CALLS_THREAD)[item->row];
    int32_t step = hc_scan_step_at(scan, hc_scan_call_start(scan, item->row));
    return put(s, r,
               (struct hc_profile_slice){.kind = HC_SLICE_CALL,
                                         .thread = hc_profile_text(s->profile, "thread", thread),
                                         .name = event_name(s, hc_scan_call_name(scan, item->row)),
                                         .step = step_number(s, step),
                                         .start_ns = shown(s, item->point),
                                         .end_ns = shown(s, item->point + 1),
                                         .collective = -1},
               err);
}

/* A step lasts from one bound of the main thread to the next. */
static enum hc_status put_bound(struct show *s, size_t r, const struct hc_build_item *item,
                                struct hc_error *err)
{
    const struct hc_scan_extra *extra = &s->build.ranks[r].scan.extras[item->row];
    int64_t from_ns = s->bound_ns[r], to_ns = shown(s, item->point);
    if (extra->what != HC_EXTRA_START && extra->what != HC_EXTRA_BOUND &&
        extra->what != HC_EXTRA_END)
        return HC_OK;
    s->bound_ns[r] = to_ns;
    if (extra->what == HC_EXTRA_START)
        return HC_OK;
    int32_t step = extra->step - (extra->what == HC_EXTRA_BOUND);
    return put(s, r,
               (struct hc_profile_slice){.kind = HC_SLICE_STEP,
                                         .name = "step",
                                         .step = step_number(s, step),
                                         .start_ns = from_ns,
                                         .end_ns = to_ns,
                                         .collective = -1},
               err);
}

static enum hc_status put_item(struct show *s, size_t r, const struct hc_build_item *item,
                               struct hc_error *err)
{
    bool has_end = item->what != HC_BUILD_EXTRA;
    for (uint32_t e = 0; e <= has_end; e++)
        s->of[item->point + e] = (struct point_of){.row = (uint32_t)item->row,
                                                   .rank_index = (uint16_t)r,
                                                   .what = (uint8_t)item->what,
                                                   .is_end = e};
    return item->what == HC_BUILD_GPU    ? put_gpu(s, r, item, err)
           : item->what == HC_BUILD_CALL ? put_call(s, r, item, err)
                                         : put_bound(s, r, item, err);
}

/* ---- the path ---- */

/* What a stretch of the path leads to. */
static const char *name_of(const struct show *s, const struct point_of *of)
{
    const struct hc_profile_rank *rank = &s->profile->ranks[of->rank_index];
    if (of->what == JOIN)
        return s->collectives->collectives[of->row].op;
    if (of->what == HC_BUILD_GPU)
        return event_name(s, hc_table_i32(&rank->table[HC_PROFILE_GPU], HC_GPU_NAME)[of->row]);
    if (of->what == HC_BUILD_CALL)
        return event_name(s, hc_table_i32(&rank->table[HC_PROFILE_CALLS], HC_CALLS_NAME)[of->row]);
    return "step";
}

static const struct hc_graph_arc *arc_from(const struct show *s, uint32_t p, uint32_t from)
{
    const struct hc_profile_graph *graph = &s->build.graph;
    const struct hc_graph_arc *best = NULL;
    for (size_t a = graph->points[p].first_arc; a < hc_graph_end_arc(graph, p); a++) {
        const struct hc_graph_arc *arc = &graph->arcs[a];
        if (source_of(s, arc).point == from && (!best || weight(s, arc) > weight(s, best)))
            best = arc;
    }
    return best;
}

/* The stretch that leads to a point, and what of it nothing explains. */
static enum hc_status put_stretch(const struct show *s, uint32_t p, struct hc_error *err)
{
    uint32_t from = s->from[s->n_before + p];
    const struct hc_graph_arc *arc = from == HC_NO_POINT ? NULL : arc_from(s, p, from);
    const struct hc_graph_point *point = &s->build.graph.points[p];
    if (!arc)
        return HC_OK;
    const struct point_of *of = &s->of[p];
    struct hc_profile_slice slice = {
        .kind = HC_SLICE_PATH,
        .part = arc->part == HC_PATH_NONE ? HC_PATH_COMM : (enum hc_path_part)arc->part,
        .name = name_of(s, of),
        .step = HC_MISSING_I64,
        .start_ns = source_of(s, arc).value_ns,
        .end_ns = s->values[p] - point->residual_ns,
        .collective = of->what == JOIN ? (int32_t)of->row : -1};
    if (slice.end_ns > slice.start_ns && put(s, point->rank_index, slice, err))
        return err->status;
    slice.start_ns = slice.end_ns;
    slice.end_ns = s->values[p];
    slice.part = HC_PATH_UNEXPLAINED;
    return slice.end_ns > slice.start_ns ? put(s, point->rank_index, slice, err) : HC_OK;
}

static enum hc_status mark_path(struct show *s, struct hc_error *err)
{
    s->is_on_path = hc_new_array(s->n_before + 1, 1, err);
    if (!s->is_on_path)
        return err->status;
    for (uint32_t p = s->last; p != HC_NO_POINT; p = s->from[p])
        s->is_on_path[p] = 1;
    return HC_OK;
}

/* ---- the two passes ---- */

static enum hc_status show_part(struct show *s, struct hc_error *err)
{
    const struct hc_profile_build *build = &s->build;
    for (size_t p = 0; p < build->graph.n_points; p++) /* items overwrite all but the joins */
        s->of[p] = (struct point_of){.row = build->graph.points[p].collective,
                                     .rank_index = build->graph.points[p].rank_index,
                                     .what = JOIN};
    for (size_t r = 0; r < build->n_ranks; r++) {
        struct hc_build_cursor cursor = {0};
        struct hc_build_item item;
        while (hc_build_next_item(&build->ranks[r], &cursor, &item))
            if (put_item(s, r, &item, err))
                return err->status;
    }
    for (size_t i = 0; i < build->order.n; i++)
        if (s->is_on_path[s->n_before + build->order.points[i]] &&
            put_stretch(s, build->order.points[i], err))
            return err->status;
    return HC_OK;
}

/* Whether the part in hand has what is to be shown. */
static bool is_shown(const struct show *s)
{
    bool is = s->view->only_step == HC_MISSING_I64;
    for (size_t k = s->build.next_step; k < s->build.end_step && !is; k++)
        is = s->window.numbers[k] == s->view->only_step;
    return is;
}

static enum hc_status pass(struct show *s, bool shows, struct hc_error *err)
{
    enum hc_status status = hc_build_init(&s->build, &s->window, err);
    s->n_before = 0;
    while (status == HC_OK && hc_build_next(&s->build, err)) {
        if (s->view->change)
            status = s->view->change(&s->build, s->view->change_context, err);
        if (status == HC_OK)
            status = evaluate_part(s, err);
        if (status == HC_OK && shows && is_shown(s))
            status = show_part(s, err);
        if (status == HC_OK)
            carry(s);
    }
    if (status == HC_OK)
        status = err->status;
    hc_build_fini(&s->build);
    return status;
}

static enum hc_status show_all(struct show *s, const struct hc_profile_whatif_options *options,
                               struct hc_error *err)
{
    s->bound_ns = hc_new_array(s->profile->n_ranks, sizeof *s->bound_ns, err);
    if (!s->bound_ns || hc_scan_window_init(&s->window, s->profile, s->collectives, err) ||
        hc_scan_window_choose(&s->window, options, err) || pass(s, false, err) || mark_path(s, err))
        return err->status;
    return pass(s, true, err);
}

enum hc_status hc_profile_timeline_each(const struct hc_profile *profile,
                                        const struct hc_collectives *collectives,
                                        const struct hc_profile_whatif_options *options,
                                        const struct hc_profile_view *view,
                                        hc_profile_slice_sink *sink, void *context,
                                        struct hc_error *err)
{
    struct show show = {.profile = profile,
                        .collectives = collectives,
                        .view = view,
                        .sink = sink,
                        .context = context,
                        .last = HC_NO_POINT};
    hc_threads_prepare(options->threads);
    enum hc_status status = show_all(&show, options, err);
    hc_scan_window_fini(&show.window);
    free(show.slots);
    free(show.values);
    free(show.of);
    free(show.from);
    free(show.is_on_path);
    free(show.bound_ns);
    return status;
}
