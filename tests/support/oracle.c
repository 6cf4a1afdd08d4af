#include "tests/support/oracle.h"

#include "core/base/memory.h"
#include "core/tables/op_type.h"

#include <math.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

/* The end of one op on one dp rank. */
struct event {
    double time_ns;
    uint64_t sequence; /* ties in order of scheduling */
    uint32_t op, dp;
};

struct simulation {
    const struct hc_oracle_step *step;
    struct hc_oracle_times *times;
    size_t n_ops, dp_size;
    uint32_t *waiting;         /* [n_ops][dp] dependencies still to end */
    double *ready_ns;          /* [n_ops][dp] latest end of the dependencies so far */
    uint32_t *absent;          /* [n_groups][dp] members still to start (synced: in dp 0 for all) */
    double *group_start_ns;    /* [n_groups][dp] latest start of the members so far */
    uint32_t *out_begin, *out; /* who waits for each op */
    struct event *heap;
    size_t n_events, n_done;
    uint64_t next_sequence;
};

static int is_before(const struct event *a, const struct event *b)
{
    if (a->time_ns != b->time_ns)
        return a->time_ns < b->time_ns;
    return a->sequence < b->sequence;
}

static void schedule(struct simulation *sim, double time_ns, uint32_t op, uint32_t dp)
{
    struct event event = {time_ns, sim->next_sequence++, op, dp};
    size_t i = sim->n_events++;
    for (; i > 0 && is_before(&event, &sim->heap[(i - 1) / 2]); i = (i - 1) / 2)
        sim->heap[i] = sim->heap[(i - 1) / 2];
    sim->heap[i] = event;
}

static struct event next_event(struct simulation *sim)
{
    struct event first = sim->heap[0], last = sim->heap[--sim->n_events];
    size_t i = 0;
    for (size_t child = 1; child < sim->n_events; child = 2 * i + 1) {
        if (child + 1 < sim->n_events && is_before(&sim->heap[child + 1], &sim->heap[child]))
            child++;
        if (!is_before(&sim->heap[child], &last))
            break;
        sim->heap[i] = sim->heap[child];
        i = child;
    }
    sim->heap[i] = last;
    return first;
}

static void finish_group(struct simulation *sim, int32_t group, uint32_t dp)
{
    const struct hc_step_graph *graph = sim->step->graph;
    double start_ns = sim->group_start_ns[(size_t)group * sim->dp_size + dp];
    for (uint32_t k = graph->member_begin[group]; k < graph->member_begin[group + 1]; k++) {
        uint32_t op = graph->member[k];
        size_t first = graph->group_is_synced[group] ? 0 : dp;
        size_t last = graph->group_is_synced[group] ? sim->dp_size - 1 : dp;
        for (size_t d = first; d <= last; d++)
            schedule(sim, start_ns + sim->step->duration_ns[op * sim->dp_size + d], op,
                     (uint32_t)d);
    }
}

static void start_op(struct simulation *sim, uint32_t op, uint32_t dp)
{
    const struct hc_step_graph *graph = sim->step->graph;
    size_t at = (size_t)op * sim->dp_size + dp;
    double start_ns = sim->ready_ns[at];
    if (sim->step->delay_ns)
        start_ns += sim->step->delay_ns[at];
    if (sim->times->start_ns)
        sim->times->start_ns[at] = start_ns;
    if (start_ns < sim->times->span_start)
        sim->times->span_start = start_ns;
    int32_t group = graph->group_of[op];
    if (group < 0) {
        schedule(sim, start_ns + sim->step->duration_ns[at], op, dp);
        return;
    }
    uint32_t key = graph->group_is_synced[group] ? 0 : dp;
    size_t g = (size_t)group * sim->dp_size + key;
    if (start_ns > sim->group_start_ns[g])
        sim->group_start_ns[g] = start_ns;
    if (--sim->absent[g] == 0)
        finish_group(sim, group, key);
}

static void end_op(struct simulation *sim, const struct event *event)
{
    const struct hc_step_graph *graph = sim->step->graph;
    sim->n_done++;
    if (sim->times->end_ns)
        sim->times->end_ns[(size_t)event->op * sim->dp_size + event->dp] = event->time_ns;
    if (event->time_ns > sim->times->span_end)
        sim->times->span_end = event->time_ns;
    if (graph->ends_step[event->op] && event->time_ns > sim->times->end)
        sim->times->end = event->time_ns;
    for (uint32_t k = sim->out_begin[event->op]; k < sim->out_begin[event->op + 1]; k++) {
        size_t at = (size_t)sim->out[k] * sim->dp_size + event->dp;
        if (event->time_ns > sim->ready_ns[at])
            sim->ready_ns[at] = event->time_ns;
        if (--sim->waiting[at] == 0)
            start_op(sim, sim->out[k], event->dp);
    }
}

static enum hc_status allocate(struct simulation *sim, struct hc_error *err)
{
    const struct hc_step_graph *graph = sim->step->graph;
    size_t n = sim->n_ops * sim->dp_size, n_groups = graph->n_groups * sim->dp_size;
    sim->waiting = hc_new_array(n, sizeof *sim->waiting, err);
    sim->ready_ns = hc_new_array(n, sizeof *sim->ready_ns, err);
    sim->absent = hc_new_array(n_groups, sizeof *sim->absent, err);
    sim->group_start_ns = hc_new_array(n_groups, sizeof *sim->group_start_ns, err);
    sim->out_begin = hc_new_array(sim->n_ops + 2, sizeof *sim->out_begin, err);
    sim->out = hc_new_array(graph->n_edges, sizeof *sim->out, err);
    sim->heap = hc_new_array(n, sizeof *sim->heap, err);
    bool ok = sim->waiting && sim->ready_ns && sim->absent && sim->group_start_ns &&
              sim->out_begin && sim->out && sim->heap;
    return ok ? HC_OK : err->status;
}

static void set_up(struct simulation *sim)
{
    const struct hc_step_graph *graph = sim->step->graph;
    uint32_t *fill = sim->out_begin + 1;
    for (size_t e = 0; e < graph->n_edges; e++)
        fill[graph->dep[e] + 1]++;
    for (size_t i = 0; i < sim->n_ops; i++)
        fill[i + 1] += fill[i];
    for (size_t i = 0; i < sim->n_ops; i++) {
        for (uint32_t k = graph->dep_begin[i]; k < graph->dep_begin[i + 1]; k++)
            sim->out[fill[graph->dep[k]]++] = (uint32_t)i;
        for (size_t d = 0; d < sim->dp_size; d++) {
            size_t at = i * sim->dp_size + d;
            sim->waiting[at] = graph->dep_begin[i + 1] - graph->dep_begin[i];
            /* A dependent op starts after its dependencies, even before 0; a root at 0. */
            sim->ready_ns[at] = sim->waiting[at] ? -INFINITY : 0;
        }
    }
    for (size_t g = 0; g < graph->n_groups; g++) {
        uint32_t n_members = graph->member_begin[g + 1] - graph->member_begin[g];
        for (size_t d = 0; d < sim->dp_size; d++) {
            size_t at = g * sim->dp_size + d;
            sim->absent[at] = n_members * (graph->group_is_synced[g] ? (uint32_t)sim->dp_size : 1);
            sim->group_start_ns[at] = -INFINITY;
        }
    }
}

enum hc_status hc_oracle_run(const struct hc_oracle_step *step, struct hc_oracle_times *times,
                             struct hc_error *err)
{
    struct simulation sim = {
        .step = step, .times = times, .n_ops = step->graph->n_ops, .dp_size = step->dp_size};
    times->end = times->span_end = -INFINITY;
    times->span_start = INFINITY;
    enum hc_status status = allocate(&sim, err);
    if (status == HC_OK) {
        set_up(&sim);
        for (size_t i = 0; i < sim.n_ops; i++)
            for (size_t d = 0; d < sim.dp_size; d++)
                if (step->graph->dep_begin[i] == step->graph->dep_begin[i + 1])
                    start_op(&sim, (uint32_t)i, (uint32_t)d);
        while (sim.n_events) {
            struct event event = next_event(&sim);
            end_op(&sim, &event);
        }
        if (sim.n_done < sim.n_ops * sim.dp_size)
            status = hc_fail(err, HC_BAD_INPUT, "%zu of %zu ops never start: the graph has a cycle",
                             sim.n_ops * sim.dp_size - sim.n_done, sim.n_ops * sim.dp_size);
    }
    free(sim.waiting);
    free(sim.ready_ns);
    free(sim.absent);
    free(sim.group_start_ns);
    free(sim.out_begin);
    free(sim.out);
    free(sim.heap);
    return status;
}
