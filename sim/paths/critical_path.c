#include "sim/paths/critical_path.h"

#include "core/base/dispatch.h"
#include "core/base/memory.h"

#include <math.h>
#include <stdlib.h>

/* An op in a lane of the run. */
struct place {
    uint32_t position;
    size_t lane;
};

struct walk {
    struct hc_critical_steps *steps;
    const struct hc_critical_times *times;
    const struct hc_step_structure *structure;
    size_t first_lane; /* of the step */
    struct hc_error *err;
};

static double end_of(const struct walk *w, struct place at)
{
    return w->times->end[at.position * w->times->n_lanes + at.lane];
}

static double transfer_of(const struct walk *w, struct place at)
{
    return w->times->transfer[w->times->node_of[at.position] * w->times->n_lanes + at.lane];
}

static double delay_of(const struct walk *w, struct place at)
{
    const struct hc_step_run *of = &w->times->of;
    return of->has_delays ? hc_critical_row(w->times, of->block->delay, at.position)[at.lane] : 0;
}

/* Ties go to the smallest (dp rank, stage, op type, seq). */
static bool is_before(const struct hc_step_structure *of, struct place x, struct place y)
{
    const struct hc_graph_op *a = &of->graph.ops[of->order.op_at[x.position]];
    const struct hc_graph_op *b = &of->graph.ops[of->order.op_at[y.position]];
    if (x.lane != y.lane)
        return x.lane < y.lane;
    if (a->stage != b->stage)
        return a->stage < b->stage;
    if (a->op_type != b->op_type)
        return a->op_type < b->op_type;
    return a->seq_id < b->seq_id;
}

/* ---- the last op of each step ---- */

#define NO_OP UINT32_MAX

/* How many lanes of a row are the last of their step. */
HC_DISPATCH
static int64_t count_equal(const double *row, const double *other, size_t n)
{
    int64_t n_equal = 0;
    for (size_t l = 0; l < n; l++)
        n_equal += row[l] == other[l];
    return n_equal;
}

/* The op that ends last, of each step: last [steps of the run]. */
static void find_last(const struct hc_critical_times *times, struct place *last)
{
    const struct hc_step_structure *structure = times->of.structure;
    size_t n = times->n_lanes;
    for (size_t k = 0; k < times->of.n; k++)
        last[k].position = NO_OP;
    for (uint32_t p = 0; p < structure->order.n_ops; p++) {
        const double *end = times->end + p * n;
        if (!count_equal(end, times->last, n))
            continue;
        for (size_t l = 0; l < n; l++) {
            const struct place at = {p, l};
            struct place *of_step = &last[l / times->of.dp_size];
            if (end[l] == times->last[l] &&
                (of_step->position == NO_OP || is_before(structure, at, *of_step)))
                *of_step = at;
        }
    }
}

/* ---- from the last op to the first ---- */

/* What an op waits for that ended last: false where it waits for nothing. */
static bool find_before(const struct walk *w, struct place at, struct place *before)
{
    const struct hc_step_graph *graph = &w->structure->graph;
    const struct hc_op_order *order = &w->structure->order;
    uint32_t op = order->op_at[at.position], first = graph->dep_begin[op];
    double latest = -INFINITY;
    for (uint32_t k = first; k < graph->dep_begin[op + 1]; k++) {
        const struct place other = {order->position[graph->dep[k]], at.lane};
        double end = end_of(w, other);
        if (k == first || end > latest ||
            (end == latest && is_before(w->structure, other, *before))) {
            *before = other;
            latest = end;
        }
    }
    return first < graph->dep_begin[op + 1];
}

static double start_of(const struct walk *w, struct place at)
{
    struct place before;
    return (find_before(w, at, &before) ? end_of(w, before) : 0) + delay_of(w, at);
}

/* The op that the transfer of an op began with: itself, or one of its group that came last. */
static struct place find_awaited(const struct walk *w, struct place at)
{
    const struct hc_op_order_node *node =
        &w->structure->order.nodes[w->times->node_of[at.position]];
    double transfer = transfer_of(w, at);
    size_t first = node->is_synced ? w->first_lane : at.lane;
    size_t n_lanes = node->is_synced ? w->times->of.dp_size : 1;
    struct place found = at;
    bool is_found = false;
    for (size_t l = first; l < first + n_lanes && node->n_ops * n_lanes > 1; l++)
        for (uint32_t m = 0; m < node->n_ops; m++) {
            const struct place other = {node->first_position + m, l};
            if (start_of(w, other) == transfer &&
                (!is_found || is_before(w->structure, other, found))) {
                found = other;
                is_found = true;
            }
        }
    return found;
}

static enum hc_status add_part(struct walk *w, struct place at, int64_t delay_ns, int64_t own_ns)
{
    struct hc_critical_steps *steps = w->steps;
    if (hc_reserve(&steps->parts, &steps->parts_capacity, steps->n_parts + 1, sizeof *steps->parts,
                   w->err))
        return w->err->status;
    steps->parts[steps->n_parts++] = (struct hc_critical_part){
        at.position, (int32_t)(at.lane - w->first_lane), delay_ns, own_ns};
    return HC_OK;
}

static enum hc_status walk_back(struct walk *w, struct place at)
{
    struct place before;
    double first_start = w->times->first[at.lane];
    for (bool goes_on = true; goes_on; at = before) {
        struct place awaited = find_awaited(w, at);
        double own = end_of(w, at) - transfer_of(w, at), delay = delay_of(w, awaited);
        goes_on = find_before(w, awaited, &before);
        if (!goes_on)
            delay -= first_start;
        /* The delay is of the op that was waited for, which is not always the one that transfers:
         * that is then on the path with its delay alone. */
        bool is_other = awaited.position != at.position || awaited.lane != at.lane;
        if (add_part(w, at, is_other ? 0 : (int64_t)delay, (int64_t)own) ||
            (is_other && delay != 0 && add_part(w, awaited, (int64_t)delay, 0)))
            return w->err->status;
    }
    return HC_OK;
}

static enum hc_status find_paths(struct hc_critical_steps *steps, const struct place *last,
                                 struct hc_error *err)
{
    const struct hc_critical_times *times = &steps->times;
    struct walk w = {.steps = steps, .times = times, .structure = times->of.structure, .err = err};
    steps->n_parts = 0;
    for (size_t k = 0; k < times->of.n; k++) {
        w.first_lane = k * times->of.dp_size;
        struct hc_critical_path *path = &steps->path[k];
        path->span_ns = (int64_t)(times->last[w.first_lane] - times->first[w.first_lane]);
        path->first = steps->n_parts;
        if (walk_back(&w, last[k]))
            return err->status;
        path->n_parts = steps->n_parts - path->first;
    }
    return HC_OK;
}

enum hc_status hc_critical_steps_find(struct hc_critical_steps *steps, const struct hc_step_run *of,
                                      struct hc_error *err)
{
    if (hc_reserve(&steps->path, &steps->path_capacity, of->n, sizeof *steps->path, err) ||
        hc_critical_times_find(&steps->times, of, err))
        return err->status;
    struct place *last = hc_new_array(of->n, sizeof *last, err);
    if (!last)
        return err->status;
    find_last(&steps->times, last);
    enum hc_status status = find_paths(steps, last, err);
    free(last);
    return status;
}

void hc_critical_steps_fini(struct hc_critical_steps *steps)
{
    hc_critical_times_fini(&steps->times);
    free(steps->path);
    free(steps->parts);
    *steps = (struct hc_critical_steps){.parts = NULL};
}

/* ---- sums ---- */

enum hc_status hc_critical_sums_init(struct hc_critical_sums *sums, int32_t dp_size,
                                     int32_t n_stages, struct hc_error *err)
{
    size_t n = (size_t)dp_size * (size_t)n_stages;
    *sums = (struct hc_critical_sums){.n_stages = (size_t)n_stages, .n_workers = n};
    sums->of_worker_ns = hc_new_array(n, sizeof(int64_t), err);
    sums->slack_ns = hc_new_array(n, sizeof(int64_t), err);
    sums->n_tight = hc_new_array(n, sizeof(int64_t), err);
    return sums->of_worker_ns && sums->slack_ns && sums->n_tight ? HC_OK : err->status;
}

void hc_critical_sums_fini(struct hc_critical_sums *sums)
{
    free(sums->of_worker_ns);
    free(sums->slack_ns);
    free(sums->n_tight);
    *sums = (struct hc_critical_sums){.n_workers = 0};
}

static void add_path(struct hc_critical_sums *sums, const struct hc_critical_steps *steps, size_t k)
{
    const struct hc_step_structure *structure = steps->times.of.structure;
    const struct hc_critical_part *part = steps->parts + steps->path[k].first;
    for (size_t i = 0; i < steps->path[k].n_parts; i++, part++) {
        size_t worker =
            (size_t)part->dp_rank * sums->n_stages + (size_t)structure->stage[part->position];
        sums->of_type_ns[structure->op_type[part->position]] += part->own_ns;
        sums->of_worker_ns[worker] += part->own_ns + part->delay_ns;
        sums->delay_ns += part->delay_ns;
    }
    sums->span_ns += steps->path[k].span_ns;
}

/* The least slack of the ops of each worker in a step; a stage without ops has none. */
static void add_slacks(struct hc_critical_sums *sums, const struct hc_critical_times *times,
                       size_t k)
{
    for (size_t s = 0; s < times->n_stages; s++)
        for (size_t d = 0; d < times->of.dp_size; d++) {
            double slack = times->slack[s * times->n_lanes + k * times->of.dp_size + d];
            size_t worker = d * sums->n_stages + s;
            if (slack == INFINITY)
                continue;
            sums->slack_ns[worker] += (int64_t)slack;
            sums->n_tight[worker] += slack == 0;
        }
}

void hc_critical_sums_add(struct hc_critical_sums *sums, const struct hc_critical_steps *steps)
{
    for (size_t k = 0; k < steps->times.of.n; k++) {
        add_path(sums, steps, k);
        add_slacks(sums, &steps->times, k);
    }
    sums->n_steps += (int64_t)steps->times.of.n;
}
