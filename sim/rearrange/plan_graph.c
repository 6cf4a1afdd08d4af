/* plan_graph.c - fillers out of a graph. A filler takes no time and transfers nothing: what waits
 * for it waits for what it waited for. That is a pass and a transfer of its type at most, for those
 * of a stage follow each other. */
#include "sim/rearrange/plan_graph.h"

#include "core/base/memory.h"

#include <stdlib.h>
#include <string.h>

#define NONE UINT32_MAX

/* What a filler waits for, through the fillers before it: the latest of each, ops of the graph. */
struct waited {
    uint32_t pass, transfer;
};

struct removal {
    const struct hc_step_graph *from;
    struct hc_planned_ops *planned;
    struct waited *waited; /* [n_ops] of fillers */
    uint32_t *kept_as;     /* [n_ops] number in the new graph; NONE for fillers */
    size_t n_kept, n_edges, edges_capacity;
    uint32_t (*edges)[2];
    int32_t *group_of;  /* [n_kept] */
    uint8_t *is_synced; /* [n_groups] */
    int32_t *group_as;  /* [n_groups of from] */
    struct hc_error *err;
};

static bool is_filler(const struct removal *r, uint32_t op)
{
    return r->planned->recipe[op].kind == HC_RECIPE_NOTHING;
}

/* Later in the order of its stage: by the start that the plan has given it. */
static uint32_t later_of(const struct removal *r, uint32_t a, uint32_t b)
{
    const struct hc_graph_op *ops = r->from->ops;
    if (a == NONE || b == NONE)
        return a == NONE ? b : a;
    return ops[a].start_ns < ops[b].start_ns ? b : a;
}

static void wait_for(const struct removal *r, struct waited *waited, uint32_t op)
{
    if (hc_op_is_pass(r->from->ops[op].op_type))
        waited->pass = later_of(r, waited->pass, op);
    else
        waited->transfer = later_of(r, waited->transfer, op);
}

/* Fillers stand behind those of their type and stage that they wait for. */
static void find_waited(struct removal *r)
{
    const struct hc_step_graph *graph = r->from;
    for (uint32_t op = 0; op < graph->n_ops; op++) {
        struct waited *waited = &r->waited[op];
        *waited = (struct waited){NONE, NONE};
        for (uint32_t k = graph->dep_begin[op]; is_filler(r, op) && k < graph->dep_begin[op + 1];
             k++) {
            uint32_t dep = graph->dep[k];
            if (!is_filler(r, dep)) {
                wait_for(r, waited, dep);
                continue;
            }
            waited->pass = later_of(r, waited->pass, r->waited[dep].pass);
            waited->transfer = later_of(r, waited->transfer, r->waited[dep].transfer);
        }
    }
}

static enum hc_status add_edge(struct removal *r, uint32_t before, uint32_t after)
{
    if (before == NONE)
        return HC_OK;
    if (hc_reserve(&r->edges, &r->edges_capacity, r->n_edges + 1, sizeof *r->edges, r->err))
        return r->err->status;
    r->edges[r->n_edges][0] = r->kept_as[before];
    r->edges[r->n_edges][1] = r->kept_as[after];
    r->n_edges++;
    return HC_OK;
}

static enum hc_status list_edges(struct removal *r)
{
    const struct hc_step_graph *graph = r->from;
    for (uint32_t op = 0; op < graph->n_ops; op++)
        for (uint32_t k = graph->dep_begin[op]; !is_filler(r, op) && k < graph->dep_begin[op + 1];
             k++) {
            uint32_t dep = graph->dep[k];
            if (!is_filler(r, dep) ? add_edge(r, dep, op)
                                   : (add_edge(r, r->waited[dep].pass, op) ||
                                      add_edge(r, r->waited[dep].transfer, op)))
                return r->err->status;
        }
    return HC_OK;
}

/* Groups without those of fillers, each of which is alone in its own. */
static size_t list_groups(struct removal *r)
{
    const struct hc_step_graph *graph = r->from;
    size_t n = 0;
    for (size_t g = 0; g < graph->n_groups; g++) {
        r->group_as[g] = -1;
        if (is_filler(r, graph->member[graph->member_begin[g]]))
            continue;
        r->group_as[g] = (int32_t)n;
        r->is_synced[n++] = graph->group_is_synced[g];
    }
    for (uint32_t op = 0; op < graph->n_ops; op++)
        if (!is_filler(r, op))
            r->group_of[r->kept_as[op]] =
                graph->group_of[op] < 0 ? -1 : r->group_as[graph->group_of[op]];
    return n;
}

static void compact(struct removal *r)
{
    struct hc_planned_ops *p = r->planned;
    for (uint32_t op = 0; op < r->from->n_ops; op++)
        if (r->kept_as[op] != NONE) {
            p->ops[r->kept_as[op]] = p->ops[op];
            p->recipe[r->kept_as[op]] = p->recipe[op];
        }
    p->n = r->n_kept;
    p->n_fillers = 0;
}

static enum hc_status rebuild(struct removal *r, struct hc_step_graph *graph)
{
    const struct hc_step_graph *from = r->from;
    find_waited(r);
    for (uint32_t op = 0; op < from->n_ops; op++)
        r->kept_as[op] = is_filler(r, op) ? NONE : (uint32_t)r->n_kept++;
    if (list_edges(r))
        return r->err->status;
    size_t n_groups = list_groups(r);
    compact(r);
    const struct hc_graph_lists lists = {.ops = r->planned->ops,
                                         .n_ops = r->n_kept,
                                         .edges = (const uint32_t(*)[2])r->edges,
                                         .n_edges = r->n_edges,
                                         .group_of = r->group_of,
                                         .n_groups = n_groups,
                                         .group_is_synced = r->is_synced};
    if (hc_step_graph_build(graph, &lists, r->err))
        return r->err->status;
    graph->n_stages = from->n_stages;
    graph->uses_dp = from->uses_dp;
    graph->overlaps_dp = from->overlaps_dp;
    for (uint32_t op = 0; op < from->n_ops; op++)
        if (r->kept_as[op] != NONE)
            graph->ends_step[r->kept_as[op]] = from->ends_step[op];
    return HC_OK;
}

static enum hc_status remove_fillers(struct hc_step_graph *graph, struct hc_planned_ops *planned,
                                     struct hc_error *err)
{
    struct hc_step_graph from = *graph;
    struct removal r = {.from = &from, .planned = planned, .err = err};
    *graph = (struct hc_step_graph){.n_ops = 0};
    r.waited = hc_new_array(from.n_ops, sizeof *r.waited, err);
    r.kept_as = hc_new_array(from.n_ops, sizeof *r.kept_as, err);
    r.group_of = hc_new_array(from.n_ops, sizeof *r.group_of, err);
    r.is_synced = hc_new_array(from.n_groups, 1, err);
    r.group_as = hc_new_array(from.n_groups, sizeof *r.group_as, err);
    bool has_room = r.waited && r.kept_as && r.group_of && r.is_synced && r.group_as;
    enum hc_status status = has_room ? rebuild(&r, graph) : err->status;
    free(r.waited);
    free(r.kept_as);
    free(r.edges);
    free(r.group_of);
    free(r.is_synced);
    free(r.group_as);
    hc_step_graph_fini(&from);
    return status;
}

enum hc_status hc_plan_graph_make(struct hc_step_graph *graph, struct hc_planned_ops *planned,
                                  const struct hc_graph_options *options, struct hc_error *err)
{
    if (hc_step_graph_derive(graph, planned->ops, planned->n, options, err))
        return hc_context(err, "with the new plan");
    return planned->n_fillers ? remove_fillers(graph, planned, err) : HC_OK;
}
