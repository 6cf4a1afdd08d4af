#include "sim/replay/timeline.h"

#include "core/base/memory.h"
#include "sim/replay/ideal.h"
#include "sim/replay/op_times.h"
#include "sim/replay/step_lanes.h"

#include <stdlib.h>
#include <string.h>

struct worker {
    int32_t rank, dp_rank, stage;
};

/* The positions of a structure by stage, then op type, then seq_id. */
struct row_order {
    uint32_t *position;  /* [n_ops] */
    size_t *stage_begin; /* [n_stages + 1] */
};

struct run {
    struct hc_step_trace *trace;
    enum hc_timeline timeline;
    struct hc_step_lanes lanes;
    struct hc_step_place *places; /* [n_steps] */
    size_t n_workers;
    struct worker *workers;   /* by rank */
    struct row_order *orders; /* [n_structures] */
    struct hc_op_times times;
    size_t capacity;
    struct hc_timeline_op *ops;
    struct hc_timeline_source source;
    struct hc_error *err;
};

static void run_fini(struct run *run)
{
    for (size_t i = 0; run->orders && i < run->lanes.n_structures; i++) {
        free(run->orders[i].position);
        free(run->orders[i].stage_begin);
    }
    free(run->orders);
    free(run->places);
    free(run->workers);
    free(run->ops);
    hc_op_times_fini(&run->times);
    hc_step_lanes_fini(&run->lanes);
}

/* ---- orders ---- */

static int compare_ranks(const void *x, const void *y)
{
    const struct worker *a = x, *b = y;
    return (a->rank > b->rank) - (a->rank < b->rank);
}

static enum hc_status list_workers(struct run *run)
{
    int32_t dp_size = run->lanes.dp_size, n_stages = run->lanes.n_stages;
    run->workers = hc_new_array((size_t)dp_size * (size_t)n_stages, sizeof *run->workers, run->err);
    if (!run->workers)
        return run->err->status;
    for (int32_t d = 0; d < dp_size; d++)
        for (int32_t s = 0; s < n_stages; s++) {
            int32_t rank = hc_census_rank(run->trace->census, d, s);
            if (rank != HC_MISSING_I32)
                run->workers[run->n_workers++] = (struct worker){rank, d, s};
        }
    qsort(run->workers, run->n_workers, sizeof *run->workers, compare_ranks);
    return HC_OK;
}

static int compare_rows(const void *x, const void *y, void *structure)
{
    const struct hc_step_structure *of = structure;
    const struct hc_graph_op *a = &of->graph.ops[of->order.op_at[*(const uint32_t *)x]];
    const struct hc_graph_op *b = &of->graph.ops[of->order.op_at[*(const uint32_t *)y]];
    if (a->stage != b->stage)
        return a->stage > b->stage ? 1 : -1;
    if (a->op_type != b->op_type)
        return a->op_type > b->op_type ? 1 : -1;
    return (a->seq_id > b->seq_id) - (a->seq_id < b->seq_id);
}

static enum hc_status order_rows(struct run *run, struct hc_step_structure *structure,
                                 struct row_order *order)
{
    size_t n = structure->order.n_ops, n_stages = (size_t)run->lanes.n_stages;
    order->position = hc_new_array(n, sizeof *order->position, run->err);
    order->stage_begin = hc_new_array(n_stages + 1, sizeof *order->stage_begin, run->err);
    if (!order->position || !order->stage_begin)
        return run->err->status;
    for (size_t p = 0; p < n; p++) {
        order->position[p] = (uint32_t)p;
        order->stage_begin[structure->stage[p] + 1]++;
    }
    for (size_t s = 0; s < n_stages; s++)
        order->stage_begin[s + 1] += order->stage_begin[s];
    qsort_r(order->position, n, sizeof *order->position, compare_rows, structure);
    return HC_OK;
}

/* ---- what the job is ---- */

/* Refuse metadata that contradicts the trace, as the what-if does. */
static enum hc_status check_sizes(struct run *run)
{
    return hc_job_check_sizes(&run->trace->job, run->lanes.dp_size, run->lanes.n_stages,
                              hc_step_lanes_vpp_size(&run->lanes), run->err);
}

static void describe_source(struct run *run)
{
    run->source = (struct hc_timeline_source){
        .job = &run->trace->job,
        .dp_size = run->lanes.dp_size,
        .n_stages = run->lanes.n_stages,
        .n_steps = run->lanes.n_steps,
        .n_left_out = run->lanes.n_left_out,
        .steps = run->lanes.steps,
        .left_out = run->lanes.left_out,
        .n_ops = run->lanes.n_rows,
        .clamped_transfers = run->lanes.clamped_transfers,
        .clamped_delays = run->lanes.clamped_delays,
        .hides_waiting = run->trace->hides_waiting,
    };
}

static enum hc_status prepare(struct run *run, const struct hc_replay_options *options)
{
    struct hc_ideals ideals;
    if (hc_step_lanes_build(&run->lanes, run->trace, options, run->err) ||
        hc_ideals_find(&ideals, &run->lanes, run->err) || check_sizes(run) || list_workers(run))
        return run->err->status;
    run->places = hc_step_places(&run->lanes, run->err);
    run->orders = hc_new_array(run->lanes.n_structures, sizeof *run->orders, run->err);
    if (!run->places || !run->orders)
        return run->err->status;
    for (size_t i = 0; i < run->lanes.n_structures; i++)
        if (run->lanes.structures[i].n_blocks &&
            order_rows(run, &run->lanes.structures[i], &run->orders[i]))
            return run->err->status;
    describe_source(run);
    return HC_OK;
}

/* ---- steps ---- */

/* Fill run->ops; returns their number. */
static size_t list_ops(struct run *run, const struct hc_step_place *place)
{
    const struct hc_step_structure *of = place->structure;
    const struct row_order *order = &run->orders[of - run->lanes.structures];
    size_t n = 0;
    for (size_t w = 0; w < run->n_workers; w++) {
        const struct worker *worker = &run->workers[w];
        for (size_t i = order->stage_begin[worker->stage];
             i < order->stage_begin[worker->stage + 1]; i++) {
            uint32_t position = order->position[i];
            run->ops[n++] =
                hc_op_times_op(&run->times, position, of, worker->dp_rank, worker->rank);
        }
    }
    return n;
}

static int64_t find_span(const struct hc_timeline_op *ops, size_t n)
{
    int64_t first_ns = INT64_MAX, last_ns = INT64_MIN;
    for (size_t i = 0; i < n; i++) {
        first_ns = ops[i].start_ns < first_ns ? ops[i].start_ns : first_ns;
        last_ns = ops[i].end_ns > last_ns ? ops[i].end_ns : last_ns;
    }
    return last_ns - first_ns;
}

static enum hc_status give_step(struct run *run, size_t s, hc_timeline_take *take, void *context)
{
    const struct hc_step_place *place = &run->places[s];
    size_t most = place->structure->order.n_ops * (size_t)run->lanes.dp_size;
    if (hc_reserve(&run->ops, &run->capacity, most, sizeof *run->ops, run->err) ||
        hc_op_times_find(&run->times, place, run->lanes.dp_size, run->timeline, run->err))
        return run->err->status;
    size_t n = list_ops(run, place);
    struct hc_timeline_step step = {
        .step = run->lanes.steps[s],
        .timeline = run->timeline,
        .span_ns = find_span(run->ops, n),
        .recorded_ns = run->lanes.traced_ns[s],
        .n_ops = n,
        .n_pairs = place->structure->graph.n_groups,
        .ops = run->ops,
        .source = &run->source,
    };
    return take(&step, context, run->err);
}

enum hc_status hc_timeline_each(struct hc_step_trace *trace,
                                const struct hc_timeline_request *request, hc_timeline_take *take,
                                void *context, struct hc_error *err)
{
    struct run run = {.trace = trace, .err = err};
    enum hc_status status = prepare(&run, request->options);
    for (size_t t = 0; t < request->n; t++) {
        run.timeline = request->timelines[t];
        for (size_t s = 0; status == HC_OK && s < run.lanes.n_steps; s++)
            status = give_step(&run, s, take, context);
    }
    run_fini(&run);
    return status;
}
