#include "sim/profiles/profile_graph.h"

#include "core/base/memory.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#define MOST_LENGTH_NS 0x1p60

static bool is_far(int64_t ns)
{
    return ns < -HC_GRAPH_FARTHEST_NS || ns > HC_GRAPH_FARTHEST_NS;
}

enum hc_status hc_graph_add_point(struct hc_profile_graph *graph, struct hc_graph_point point,
                                  struct hc_error *err)
{
    if (graph->n_points >= HC_CARRIED - 1)
        return hc_fail(err, HC_BAD_INPUT, "a step of more than 2^31 events cannot be replayed");
    if (is_far(point.t_ns))
        return hc_fail(err, HC_BAD_INPUT,
                       "events more than 26 days from the begin of the window cannot be replayed");
    if (graph->n_points == graph->point_capacity &&
        hc_reserve(&graph->points, &graph->point_capacity, graph->n_points + 1,
                   sizeof *graph->points, err))
        return err->status;
    point.first_arc = (uint32_t)graph->n_arcs;
    graph->points[graph->n_points++] = point;
    graph->n_points_so_far++;
    return HC_OK;
}

enum hc_status hc_graph_add_arc(struct hc_profile_graph *graph, struct hc_graph_arc arc,
                                struct hc_error *err)
{
    if (graph->n_arcs >= UINT32_MAX - 1)
        return hc_fail(err, HC_BAD_INPUT,
                       "a step of more than 2^32 dependencies cannot be replayed");
    if (is_far(arc.w_ns))
        return hc_fail(err, HC_BAD_INPUT,
                       "events and gaps of more than 26 days cannot be replayed");
    if (graph->n_arcs == graph->arc_capacity &&
        hc_reserve(&graph->arcs, &graph->arc_capacity, graph->n_arcs + 1, sizeof *graph->arcs, err))
        return err->status;
    graph->arcs[graph->n_arcs++] = arc;
    graph->n_arcs_of_kind[arc.kind]++;
    return HC_OK;
}

enum hc_status hc_graph_find_residuals(struct hc_profile_graph *graph, const int64_t *carried_ns,
                                       struct hc_error *err)
{
    for (size_t p = 0; p < graph->n_points; p++) {
        struct hc_graph_point *point = &graph->points[p];
        int64_t earliest = INT64_MIN;
        for (size_t a = point->first_arc; a < hc_graph_end_arc(graph, p); a++) {
            const struct hc_graph_arc *arc = &graph->arcs[a];
            int64_t from = arc->from & HC_CARRIED ? carried_ns[arc->from & ~HC_CARRIED]
                                                  : graph->points[arc->from].t_ns;
            int64_t at = from + arc->w_ns;
            earliest = at > earliest ? at : earliest;
            graph->n_late[arc->kind] += at > point->t_ns;
            graph->length_ns += fabs((double)arc->w_ns);
        }
        bool is_source = earliest == INT64_MIN;
        point->residual_ns = is_source || point->t_ns < earliest ? 0 : point->t_ns - earliest;
        graph->length_ns += (double)point->residual_ns;
    }
    if (graph->length_ns > MOST_LENGTH_NS)
        return hc_fail(err, HC_BAD_INPUT,
                       "the events of the window are longer together than 36 years; such times "
                       "cannot be replayed");
    return HC_OK;
}

void hc_graph_empty(struct hc_profile_graph *graph)
{
    graph->n_points = graph->n_arcs = 0;
}

void hc_graph_fini(struct hc_profile_graph *graph)
{
    free(graph->points);
    free(graph->arcs);
    memset(graph, 0, sizeof *graph);
}
