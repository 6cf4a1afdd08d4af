#include "sim/profiles/edits/work_edits.h"

#include "core/base/memory.h"
#include "sim/profiles/profile_emit.h"
#include "sim/profiles/profile_sweep.h"

#include <stdlib.h>
#include <string.h>

#define NS_PER_S 1e9

const char *hc_profile_edit_refusal(const struct hc_edit *edit)
{
    switch ((enum hc_edit_kind)edit->kind) {
    case HC_EDIT_SCALE:
    case HC_EDIT_ADD:
    case HC_EDIT_SET:
    case HC_EDIT_CAP:
    case HC_EDIT_DELAY:
    case HC_EDIT_LINK:
        return NULL;
    case HC_EDIT_REPLACE:
        return edit->replace.how == HC_REPLACE_IDEAL
                   ? NULL
                   : "work of profiler traces is held against the same work of other ranks: "
                     "'ideal' takes the lower median of these, and there are no other classes";
    case HC_EDIT_OVERLAP:
        if (edit->overlap.when != HC_WHEN_TRACED)
            return "profiler traces say what each transfer waited for, and not when its inputs "
                   "were ready: only 'traced' has a meaning";
        return edit->overlap.compute_slowdown == 1 && edit->overlap.tp_comm_share == 0
                   ? NULL
                   : "of profiler traces only 'efficiency' has a meaning: kernels beside transfers "
                     "were measured so";
    case HC_EDIT_REARRANGE:
    case HC_EDIT_EXTRAPOLATE:
        return "profiler traces have no stages and microbatches: their steps cannot be rearranged";
    default:
        return "has no meaning for profiler traces, whose work is CPU time, kernels and transfers "
               "of ranks: there 'scale', 'add_s', 'set_s', 'cap_s', 'replace', 'delay_s', 'link' "
               "and 'overlap' apply";
    }
}

/* ---- made ready ---- */

enum hc_status hc_work_edits_init(struct hc_work_edits *w, const struct hc_profile_base *base,
                                  const struct hc_edit *edits, size_t n_edits,
                                  const struct hc_edit_draws *draws,
                                  struct hc_profile_effect *effect, struct hc_error *err)
{
    *w = (struct hc_work_edits){
        .base = base, .edits = edits, .n_edits = n_edits, .draws = draws, .effect = effect};
    w->selections = hc_new_array(n_edits + 1, sizeof(struct hc_profile_selection *), err);
    if (!w->selections)
        return err->status;
    for (size_t i = 0; i < n_edits; i++)
        if (hc_profile_selection_new(&w->selections[i], &edits[i].select, base, draws, err))
            return err->status;
    return HC_OK;
}

void hc_work_edits_fini(struct hc_work_edits *w)
{
    for (size_t i = 0; w->selections && i < w->n_edits; i++)
        hc_profile_selection_free(w->selections[i]);
    free(w->selections);
    free(w->delayed);
    memset(w, 0, sizeof *w);
}

/* ---- one work ---- */

/* What is edited: a work of an item, at the points that it has in the graph. */
struct editing {
    struct hc_work_edits *w;
    struct hc_profile_build *build;
    struct hc_profile_work work;
    uint32_t point; /* where it starts */
    struct hc_error *err;
};

static double value_of(const struct editing *e, const struct hc_edit *edit)
{
    return edit->value.kind == HC_DISTRIBUTION_CONSTANT
               ? edit->value.scale
               : hc_distribution_exceeded(&edit->value,
                                          hc_profile_uniform(e->w->draws, edit->stream,
                                                             (enum hc_drawn_per)edit->drawn_per,
                                                             &e->work));
}

/* level_ns: what the peers take, as measured. Halves go to even, as the scaled work of a what-if
 * does (sim/profiles/profile_sweep.h), so that both give the same replay to the nanosecond. */
static double edited(const struct editing *e, const struct hc_edit *edit, double now_ns,
                     double level_ns)
{
    bool is_comm = e->work.op == HC_PROFILE_OP_COMM;
    double cap_ns = hc_sweep_whole_ns(edit->cap_s * NS_PER_S);
    switch ((enum hc_edit_kind)edit->kind) {
    case HC_EDIT_SCALE:
        return hc_sweep_whole_ns(now_ns * value_of(e, edit));
    case HC_EDIT_ADD:
        return now_ns + hc_sweep_whole_ns(value_of(e, edit) * NS_PER_S);
    case HC_EDIT_SET:
        return hc_sweep_whole_ns(value_of(e, edit) * NS_PER_S);
    case HC_EDIT_CAP:
        return now_ns > cap_ns ? cap_ns : now_ns;
    case HC_EDIT_REPLACE:
        return level_ns;
    case HC_EDIT_LINK:
        return !is_comm ? now_ns
                        : hc_sweep_whole_ns(now_ns / edit->link.bandwidth +
                                            edit->link.latency_s * NS_PER_S);
    case HC_EDIT_OVERLAP:
        return is_comm ? hc_sweep_whole_ns((1 - edit->overlap.efficiency) * now_ns) : now_ns;
    default:
        return now_ns;
    }
}

/* Sums along a path are of 64 bits. */
#define MOST_LENGTH_NS 0x1p59

static enum hc_status lengthen(const struct editing *e, size_t which, double ns)
{
    e->w->length_ns += ns;
    if (ns <= (double)HC_GRAPH_FARTHEST_NS && e->w->length_ns <= MOST_LENGTH_NS)
        return HC_OK;
    e->w->failed = which;
    return hc_fail(e->err, HC_BAD_INPUT, "makes the replay last more than can be told to the ns");
}

static enum hc_status refuse(const struct editing *e, size_t which, double ns)
{
    e->w->failed = which;
    return hc_fail(e->err, HC_BAD_INPUT, "makes '%.60s' of rank %d in step %d last %.9g s",
                   hc_profile_text(e->w->base->profile, "event", e->work.name), (int)e->work.rank,
                   (int)e->work.step, ns / NS_PER_S);
}

/* The edge that a work weighs. A stretch of CPU time may be measured below 0, where calls of a
 * thread overlap, and stays so. */
static enum hc_status edit_arc(const struct editing *e, struct hc_graph_arc *arc)
{
    double now_ns = (double)arc->w_ns, level_ns = (double)arc->alt_ns;
    for (size_t i = 0; i < e->w->n_edits; i++) {
        struct hc_profile_effect *effect = &e->w->effect[i];
        double before_ns = now_ns;
        if (!hc_profile_selects(e->w->selections[i], &e->work))
            continue;
        now_ns = edited(e, &e->w->edits[i], before_ns, level_ns);
        if (now_ns < 0 && now_ns < before_ns)
            return refuse(e, i, now_ns);
        if (now_ns == before_ns)
            continue;
        if (lengthen(e, i, now_ns))
            return e->err->status;
        effect->n_changed++;
        effect->before_ns += before_ns;
        effect->after_ns += now_ns;
    }
    if (now_ns != (double)arc->w_ns) {
        arc->w_ns = (int64_t)now_ns;
        e->w->has_changed = true;
    }
    return HC_OK;
}

/* Edges of fixed weight are what starts and launches take of the runtime: no work. */
static enum hc_status edit_point(const struct editing *e, uint32_t point)
{
    struct hc_profile_graph *graph = &e->build->graph;
    size_t end = hc_graph_end_arc(graph, point);
    for (size_t a = graph->points[point].first_arc; a < end; a++)
        if (graph->arcs[a].work != HC_WORK_FIXED && edit_arc(e, &graph->arcs[a]))
            return e->err->status;
    return HC_OK;
}

static enum hc_status delay(const struct editing *e, int64_t delay_ns)
{
    struct hc_work_edits *w = e->w;
    if (w->n_delayed == w->delayed_capacity &&
        hc_reserve(&w->delayed, &w->delayed_capacity, w->n_delayed + 1, sizeof *w->delayed, e->err))
        return e->err->status;
    w->delayed[w->n_delayed++] = (struct hc_delayed_point){e->point, delay_ns};
    e->build->graph.points[e->point].residual_ns += delay_ns;
    return HC_OK;
}

/* What a rank begins with has no edge: its start itself moves. */
static void move_start(const struct editing *e, const struct hc_edit *edit, int64_t later_ns)
{
    struct hc_graph_point *start = &e->build->graph.points[e->point];
    if (edit->kind == HC_EDIT_REPLACE)
        start->t_ns = e->build->median_start_ns;
    else
        start->t_ns += later_ns;
}

static enum hc_status edit_start(const struct editing *e)
{
    for (size_t i = 0; i < e->w->n_edits; i++) {
        const struct hc_edit *edit = &e->w->edits[i];
        if (!hc_profile_selects(e->w->selections[i], &e->work))
            continue;
        e->w->effect[i].n_selected++;
        double later_ns =
            edit->kind == HC_EDIT_DELAY ? hc_sweep_whole_ns(value_of(e, edit) * NS_PER_S) : 0;
        e->w->effect[i].delay_ns += later_ns;
        if (lengthen(e, i, later_ns))
            return e->err->status;
        if (e->work.op == HC_PROFILE_OP_START)
            move_start(e, edit, (int64_t)later_ns);
        else if (later_ns > 0 && delay(e, (int64_t)later_ns))
            return e->err->status;
    }
    return HC_OK;
}

/* ---- a part ---- */

/* Which work an item of the part is. Its step is that in whose window it is launched. */
static struct hc_profile_work work_of(const struct hc_profile_build *build, size_t r,
                                      const struct hc_build_item *item)
{
    const struct hc_rank_scan *scan = &build->ranks[r].scan;
    const struct hc_profile_graph *graph = &build->graph;
    struct hc_profile_work work = {.op = HC_PROFILE_OP_CPU,
                                   .rank_index = r,
                                   .rank = scan->rank->rank,
                                   .name = HC_MISSING_I32,
                                   .place = (uint64_t)item->what << 32 | item->row};
    int32_t step;
    if (item->what == HC_BUILD_CALL) {
        step = hc_scan_step_at(scan, hc_scan_call_start(scan, item->row));
        work.name = hc_scan_call_name(scan, item->row);
    } else if (item->what == HC_BUILD_EXTRA) {
        step = scan->extras[item->row].step;
        if (scan->extras[item->row].what == HC_EXTRA_START)
            work.op = HC_PROFILE_OP_START;
    } else {
        size_t arc = graph->points[item->point + 1].first_arc;
        step = scan->gpu_step[item->row];
        work.name = hc_table_i32(&scan->rank->table[HC_PROFILE_GPU], HC_GPU_NAME)[item->row];
        work.op = graph->arcs[arc].work == HC_WORK_COMM ? HC_PROFILE_OP_COMM : HC_PROFILE_OP_GPU;
    }
    size_t at =
        step >= 0 && (size_t)step < build->window->n_steps ? (size_t)step : build->next_step;
    int64_t number = build->window->numbers[at];
    work.step = number == HC_MISSING_I64 ? 0 : (int32_t)number;
    return work;
}

static enum hc_status edit_item(struct editing *e, const struct hc_build_item *item)
{
    e->point = item->point;
    if (edit_start(e) || edit_point(e, item->point))
        return e->err->status;
    return item->what == HC_BUILD_EXTRA ? HC_OK : edit_point(e, item->point + 1);
}

/* The level of the peers of what the edits have made. */
static enum hc_status level_again(struct hc_profile_build *build, struct hc_error *err)
{
    struct hc_peers *peers = &build->peers;
    for (size_t i = 0; i < build->graph.n_arcs; i++)
        build->graph.arcs[i].alt_ns = build->graph.arcs[i].w_ns;
    for (size_t r = 0; r < peers->n_ranks; r++)
        for (size_t i = 0; i < peers->n_works[r]; i++)
            peers->works[r][i].has_level = false;
    return hc_peers_level(peers, &build->graph, err);
}

enum hc_status hc_work_edits_apply(struct hc_work_edits *w, struct hc_profile_build *build,
                                   struct hc_error *err)
{
    w->n_delayed = 0;
    w->has_changed = false;
    if (!w->n_edits)
        return HC_OK;
    for (size_t r = 0; r < build->n_ranks; r++) {
        struct hc_build_cursor cursor = {0};
        struct hc_build_item item;
        while (hc_build_next_item(&build->ranks[r], &cursor, &item)) {
            struct editing e = {
                .w = w, .build = build, .work = work_of(build, r, &item), .err = err};
            if (edit_item(&e, &item))
                return err->status;
        }
    }
    return w->has_changed ? level_again(build, err) : HC_OK;
}

void hc_work_edits_undelay(struct hc_work_edits *w, struct hc_profile_build *build)
{
    for (size_t i = 0; i < w->n_delayed; i++)
        build->graph.points[w->delayed[i].point].residual_ns -= w->delayed[i].delay_ns;
    w->n_delayed = 0;
}
