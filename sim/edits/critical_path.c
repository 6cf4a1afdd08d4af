#include "sim/edits/critical_path.h"

#include "core/base/memory.h"

#include <stdlib.h>
#include <string.h>

/* An op of one dp rank of the step. */
struct place {
    uint32_t position;
    size_t dp_rank;
};

struct walk {
    struct hc_critical_step *step;
    const struct hc_step_structure *structure;
    const struct hc_lane_block *block;
    size_t first_lane; /* of the step in the block */
    bool has_delays;
    double first_start; /* of the step */
    struct hc_error *err;
};

static size_t index_of(const struct walk *w, struct place at)
{
    return hc_op_times_index(&w->step->times, at.position, at.dp_rank);
}

static double delay_of(const struct walk *w, struct place at)
{
    return w->has_delays
               ? w->block->delay[at.position * w->block->stride + w->first_lane + at.dp_rank]
               : 0;
}

/* Ties go to the smallest (dp rank, stage, op type, seq). */
static bool is_before(const struct walk *w, struct place x, struct place y)
{
    const struct hc_step_structure *of = w->structure;
    const struct hc_graph_op *a = &of->graph.ops[of->order.op_at[x.position]];
    const struct hc_graph_op *b = &of->graph.ops[of->order.op_at[y.position]];
    if (x.dp_rank != y.dp_rank)
        return x.dp_rank < y.dp_rank;
    if (a->stage != b->stage)
        return a->stage < b->stage;
    if (a->op_type != b->op_type)
        return a->op_type < b->op_type;
    return a->seq_id < b->seq_id;
}

/* ---- the ends of the step ---- */

static struct place find_last(struct walk *w)
{
    const struct hc_op_times *times = &w->step->times;
    struct place last = {0, 0};
    w->first_start = times->start[0];
    for (uint32_t p = 0; p < times->n_ops; p++)
        for (size_t d = 0; d < times->width; d++) {
            const struct place at = {p, d};
            double end = times->end[index_of(w, at)], latest = times->end[index_of(w, last)];
            if (end > latest || (end == latest && is_before(w, at, last)))
                last = at;
            if (times->start[index_of(w, at)] < w->first_start)
                w->first_start = times->start[index_of(w, at)];
        }
    w->step->span_ns = (int64_t)(times->end[index_of(w, last)] - w->first_start);
    return last;
}

/* ---- from the last op to the first ---- */

static int compare_position(const void *key, const void *element)
{
    uint32_t position = *(const uint32_t *)key;
    const struct hc_op_order_node *node = element;
    if (position < node->first_position)
        return -1;
    return position >= node->first_position + node->n_ops;
}

/* Nodes stand in order of their positions. */
static const struct hc_op_order_node *node_of(const struct walk *w, uint32_t position)
{
    const struct hc_op_order *order = &w->structure->order;
    return bsearch(&position, order->nodes, order->n_nodes, sizeof *order->nodes, compare_position);
}

/* The op that the transfer of an op began with: itself, or one of its group that came last. */
static struct place find_awaited(const struct walk *w, struct place at)
{
    const struct hc_op_times *times = &w->step->times;
    const struct hc_op_order_node *node = node_of(w, at.position);
    double transfer = times->transfer[index_of(w, at)];
    struct place found = at;
    bool is_found = false;
    for (uint32_t m = 0; m < node->n_ops; m++)
        for (size_t d = node->is_synced ? 0 : at.dp_rank;
             d < (node->is_synced ? times->width : at.dp_rank + 1); d++) {
            const struct place other = {node->first_position + m, d};
            if (times->start[index_of(w, other)] == transfer &&
                (!is_found || is_before(w, other, found))) {
                found = other;
                is_found = true;
            }
        }
    return found;
}

/* The op that an op started after: false where it waits for nothing. */
static bool find_before(const struct walk *w, struct place at, struct place *before)
{
    const struct hc_step_graph *graph = &w->structure->graph;
    const struct hc_op_order *order = &w->structure->order;
    uint32_t op = order->op_at[at.position];
    double ready = w->step->times.start[index_of(w, at)] - delay_of(w, at);
    bool is_found = false;
    for (uint32_t k = graph->dep_begin[op]; k < graph->dep_begin[op + 1]; k++) {
        const struct place other = {order->position[graph->dep[k]], at.dp_rank};
        if (w->step->times.end[index_of(w, other)] == ready &&
            (!is_found || is_before(w, other, *before))) {
            *before = other;
            is_found = true;
        }
    }
    return is_found;
}

static enum hc_status add_part(struct walk *w, struct place at, int64_t delay_ns, int64_t own_ns)
{
    struct hc_critical_step *step = w->step;
    if (hc_reserve(&step->parts, &step->parts_capacity, step->n_parts + 1, sizeof *step->parts,
                   w->err))
        return w->err->status;
    step->parts[step->n_parts++] =
        (struct hc_critical_part){at.position, (int32_t)at.dp_rank, delay_ns, own_ns};
    return HC_OK;
}

static enum hc_status walk_back(struct walk *w)
{
    const struct hc_op_times *times = &w->step->times;
    struct place at = find_last(w), before;
    bool goes_on = true;
    w->step->n_parts = 0;
    while (goes_on) {
        struct place awaited = find_awaited(w, at);
        double own = times->end[index_of(w, at)] - times->transfer[index_of(w, at)];
        double start = times->start[index_of(w, awaited)], delay = delay_of(w, awaited);
        goes_on = find_before(w, awaited, &before);
        if (!goes_on)
            delay = start - w->first_start;
        /* The delay is of the op that was waited for, which is not always the one that transfers:
         * that is then on the path with its delay alone. */
        bool is_other = awaited.position != at.position || awaited.dp_rank != at.dp_rank;
        if (add_part(w, at, is_other ? 0 : (int64_t)delay, (int64_t)own) ||
            (is_other && delay != 0 && add_part(w, awaited, (int64_t)delay, 0)))
            return w->err->status;
        at = before;
    }
    return HC_OK;
}

/* ---- slack ---- */

static void lower(double *value, double limit)
{
    *value = limit < *value ? limit : *value;
}

/* The latest start of the transfer of a node that keeps what follows: over all dp ranks where it is
 * synchronised, as the transfers of a group start together. */
static void find_limits(const struct walk *w, const struct hc_op_order_node *node)
{
    const struct hc_op_times *times = &w->step->times;
    double *limit = w->step->limit, least;
    for (size_t d = 0; d < times->width; d++)
        for (uint32_t m = 0; m < node->n_ops; m++) {
            size_t at = index_of(w, (struct place){node->first_position + m, d});
            double start = w->step->latest_end[at] - (times->end[at] - times->transfer[at]);
            limit[d] = m == 0 || start < limit[d] ? start : limit[d];
        }
    least = limit[0];
    for (size_t d = 1; d < times->width; d++)
        lower(&least, limit[d]);
    for (size_t d = 0; node->is_synced && d < times->width; d++)
        limit[d] = least;
}

static void pass_limits(const struct walk *w, uint32_t position)
{
    const struct hc_step_graph *graph = &w->structure->graph;
    const struct hc_op_order *order = &w->structure->order;
    uint32_t op = order->op_at[position];
    for (uint32_t k = graph->dep_begin[op]; k < graph->dep_begin[op + 1]; k++)
        for (size_t d = 0; d < w->step->times.width; d++) {
            const struct place other = {order->position[graph->dep[k]], d};
            lower(&w->step->latest_end[index_of(w, other)],
                  w->step->limit[d] - delay_of(w, (struct place){position, d}));
        }
}

static enum hc_status find_slacks(struct walk *w)
{
    struct hc_critical_step *step = w->step;
    const struct hc_op_order *order = &w->structure->order;
    size_t n = step->times.n_ops * step->times.width;
    if (hc_reserve(&step->latest_end, &step->latest_capacity, n, sizeof *step->latest_end,
                   w->err) ||
        hc_reserve(&step->limit, &step->limit_capacity, step->times.width, sizeof *step->limit,
                   w->err))
        return w->err->status;
    for (size_t i = 0; i < n; i++)
        step->latest_end[i] = w->first_start + (double)step->span_ns;
    for (size_t i = order->n_nodes; i-- > 0;) {
        find_limits(w, &order->nodes[i]);
        for (uint32_t m = 0; m < order->nodes[i].n_ops; m++)
            pass_limits(w, order->nodes[i].first_position + m);
    }
    return HC_OK;
}

enum hc_status hc_critical_step_find(struct hc_critical_step *step,
                                     const struct hc_step_place *place, int32_t dp_size,
                                     bool has_delays, struct hc_error *err)
{
    struct walk w = {.step = step,
                     .structure = place->structure,
                     .block = place->block,
                     .first_lane = place->k * (size_t)dp_size,
                     .has_delays = has_delays,
                     .err = err};
    if (hc_op_times_find(&step->times, place, dp_size,
                         has_delays ? HC_TIMELINE_TRACED : HC_TIMELINE_REPLAYED, err) ||
        walk_back(&w))
        return err->status;
    return find_slacks(&w);
}

void hc_critical_step_fini(struct hc_critical_step *step)
{
    hc_op_times_fini(&step->times);
    free(step->parts);
    free(step->latest_end);
    free(step->limit);
    *step = (struct hc_critical_step){.parts = NULL};
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
    sums->least_ns = hc_new_array(n, sizeof(int64_t), err);
    return sums->of_worker_ns && sums->slack_ns && sums->n_tight && sums->least_ns ? HC_OK
                                                                                   : err->status;
}

void hc_critical_sums_fini(struct hc_critical_sums *sums)
{
    free(sums->of_worker_ns);
    free(sums->slack_ns);
    free(sums->n_tight);
    free(sums->least_ns);
    *sums = (struct hc_critical_sums){.n_workers = 0};
}

static void add_path(struct hc_critical_sums *sums, const struct hc_critical_step *step,
                     const struct hc_step_structure *structure)
{
    for (size_t i = 0; i < step->n_parts; i++) {
        const struct hc_critical_part *part = &step->parts[i];
        size_t worker =
            (size_t)part->dp_rank * sums->n_stages + (size_t)structure->stage[part->position];
        sums->of_type_ns[structure->op_type[part->position]] += part->own_ns;
        sums->of_worker_ns[worker] += part->own_ns + part->delay_ns;
        sums->delay_ns += part->delay_ns;
    }
}

/* The least slack of the ops of each worker in this step; INT64_MAX: it has none. */
static void find_least(struct hc_critical_sums *sums, const struct hc_critical_step *step,
                       const struct hc_step_structure *structure)
{
    for (size_t w = 0; w < sums->n_workers; w++)
        sums->least_ns[w] = INT64_MAX;
    for (size_t p = 0; p < step->times.n_ops; p++)
        for (size_t d = 0; d < step->times.width; d++) {
            int64_t slack = hc_critical_slack(step, p, d);
            int64_t *least = &sums->least_ns[d * sums->n_stages + (size_t)structure->stage[p]];
            *least = slack < *least ? slack : *least;
        }
}

void hc_critical_sums_add(struct hc_critical_sums *sums, const struct hc_critical_step *step,
                          const struct hc_step_structure *structure)
{
    sums->n_steps++;
    sums->span_ns += step->span_ns;
    add_path(sums, step, structure);
    find_least(sums, step, structure);
    for (size_t w = 0; w < sums->n_workers; w++)
        if (sums->least_ns[w] != INT64_MAX) {
            sums->slack_ns[w] += sums->least_ns[w];
            sums->n_tight[w] += sums->least_ns[w] == 0;
        }
}
