#include "sim/profiles/profile_path.h"

#include "core/base/memory.h"

#include <stdlib.h>
#include <string.h>

/* Which of two edges that bind equally the path follows: the lower. */
static const uint8_t precedence[HC_N_EDGES] = {
    [HC_EDGE_JOIN] = 0,   [HC_EDGE_EVENT] = 2,  [HC_EDGE_SYNC] = 3,
    [HC_EDGE_STREAM] = 4, [HC_EDGE_LAUNCH] = 5, [HC_EDGE_WAKE] = 6,
    [HC_EDGE_GPU] = 7,    [HC_EDGE_THREAD] = 8, [HC_EDGE_FINISH] = 9,
};

enum hc_status hc_path_init(struct hc_path *path, size_t n_ranks, struct hc_error *err)
{
    *path = (struct hc_path){.n_ranks = n_ranks};
    path->finish = hc_new_array(n_ranks, sizeof *path->finish, err);
    for (size_t r = 0; path->finish && r < n_ranks; r++)
        path->finish[r] = (struct hc_way){.value_ns = INT64_MIN, .stretch = HC_NO_POINT};
    return path->finish ? HC_OK : err->status;
}

void hc_path_fini(struct hc_path *path)
{
    free(path->ways);
    free(path->finish);
    free(path->stretches);
    memset(path, 0, sizeof *path);
}

static enum hc_status begin_stretch(struct hc_path *path, struct hc_way *way,
                                    struct hc_way_stretch stretch, struct hc_error *err)
{
    if (path->n_stretches == path->stretch_capacity &&
        hc_reserve(&path->stretches, &path->stretch_capacity, path->n_stretches + 1,
                   sizeof *path->stretches, err))
        return err->status;
    stretch.before = way->stretch;
    path->stretches[path->n_stretches] = stretch;
    way->stretch = (uint32_t)path->n_stretches++;
    return HC_OK;
}

static const struct hc_way *way_from(const struct hc_path *path, const struct hc_graph_order *order,
                                     uint32_t from)
{
    return &path->ways[from & HC_CARRIED ? from & ~HC_CARRIED : order->slot[from]];
}

bool hc_path_prefers(const struct hc_graph_arc *arc, const struct hc_graph_arc *other)
{
    return precedence[arc->kind] < precedence[other->kind] ||
           (precedence[arc->kind] == precedence[other->kind] &&
            arc->rank_index < other->rank_index);
}

/* The edge that a point waited for longest. */
static const struct hc_graph_arc *binding_arc(const struct hc_path *path,
                                              const struct hc_profile_graph *graph,
                                              const struct hc_graph_order *order, uint32_t p)
{
    const struct hc_graph_arc *best = NULL;
    int64_t latest = 0;
    for (size_t a = graph->points[p].first_arc; a < hc_graph_end_arc(graph, p); a++) {
        const struct hc_graph_arc *arc = &graph->arcs[a];
        int64_t at = way_from(path, order, arc->from)->value_ns + arc->w_ns;
        bool is_first = !best || at > latest || (at == latest && hc_path_prefers(arc, best));
        if (is_first) {
            best = arc;
            latest = at;
        }
    }
    return best;
}

static enum hc_status follow(struct hc_path *path, const struct hc_profile_graph *graph,
                             const struct hc_graph_order *order, uint32_t p, struct hc_error *err)
{
    const struct hc_graph_point *point = &graph->points[p];
    const struct hc_graph_arc *arc = binding_arc(path, graph, order, p);
    struct hc_way way = {.value_ns = point->t_ns, .begin_ns = point->t_ns, .stretch = HC_NO_POINT};
    uint16_t rank_index = point->rank_index;
    if (arc) {
        way = *way_from(path, order, arc->from);
        way.value_ns += arc->w_ns + point->residual_ns;
        if (arc->part != HC_PATH_NONE)
            way.part_ns[arc->part] += arc->w_ns;
        way.part_ns[HC_PATH_UNEXPLAINED] += point->residual_ns;
        if (point->collective != HC_NO_POINT)
            rank_index = arc->rank_index; /* a join goes to its last arriver */
    }
    uint32_t collective = arc && arc->kind == HC_EDGE_JOIN && !(arc->from & HC_CARRIED)
                              ? graph->points[arc->from].collective
                              : HC_NO_POINT;
    if (way.stretch == HC_NO_POINT || path->stretches[way.stretch].rank_index != rank_index)
        if (begin_stretch(path, &way,
                          (struct hc_way_stretch){.from_ns = way.value_ns,
                                                  .collective = collective,
                                                  .rank_index = rank_index},
                          err))
            return err->status;
    path->ways[order->slot[p]] = way;
    const struct hc_way *finish = &path->finish[point->rank_index];
    if (point->finishes &&
        (way.value_ns > finish->value_ns ||
         (way.value_ns == finish->value_ns && point->finishes == HC_FINISH_OF_THREAD)))
        path->finish[point->rank_index] = way;
    return HC_OK;
}

enum hc_status hc_path_part(struct hc_path *path, const struct hc_profile_graph *graph,
                            const struct hc_graph_order *order, struct hc_error *err)
{
    if (order->n_slots > path->slot_capacity &&
        hc_reserve(&path->ways, &path->slot_capacity, order->n_slots, sizeof *path->ways, err))
        return err->status;
    for (size_t i = 0; i < order->n; i++)
        if (follow(path, graph, order, order->points[i], err))
            return err->status;
    return HC_OK;
}

const struct hc_way *hc_path_last(const struct hc_path *path)
{
    const struct hc_way *last = NULL;
    for (size_t r = 0; r < path->n_ranks; r++)
        if (path->finish[r].stretch != HC_NO_POINT &&
            (!last || path->finish[r].value_ns > last->value_ns))
            last = &path->finish[r];
    return last;
}
