/* step_graph.c - from lists of edges and groups to the graph in compressed rows. The rules that
 * make the lists are in step_rules.c. */
#include "models/steps/step_graph.h"

#include "core/base/memory.h"
#include "core/tables/op_type.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

uint64_t hc_graph_op_key(int op_type, int32_t seq_id, int32_t stage)
{
    return ((uint64_t)stage * HC_N_OP_TYPES + (uint64_t)op_type) << 32 | (uint32_t)seq_id;
}

void hc_graph_op_describe(const struct hc_graph_op *op, char *text, size_t size)
{
    const char *name = hc_op_type_name(op->op_type);
    snprintf(text, size, "%s seq %d, stage %d", name ? name : "op", op->seq_id, op->stage);
}

void hc_step_graph_fini(struct hc_step_graph *graph)
{
    free(graph->ops);
    free(graph->dep_begin);
    free(graph->dep);
    free(graph->member_begin);
    free(graph->member);
    free(graph->group_is_synced);
    free(graph->group_of);
    free(graph->ends_step);
    memset(graph, 0, sizeof *graph);
}

static int compare_u32(const void *a, const void *b)
{
    uint32_t x = *(const uint32_t *)a, y = *(const uint32_t *)b;
    return (x > y) - (x < y);
}

/* Sort the dependencies of each op and drop the ones that are there twice. */
static void dedupe(struct hc_step_graph *graph)
{
    uint32_t out = 0, begin = 0;
    for (size_t i = 0; i < graph->n_ops; i++) {
        uint32_t end = graph->dep_begin[i + 1];
        qsort(graph->dep + begin, end - begin, sizeof *graph->dep, compare_u32);
        graph->dep_begin[i] = out;
        for (uint32_t k = begin; k < end; k++)
            if (k == begin || graph->dep[k] != graph->dep[k - 1])
                graph->dep[out++] = graph->dep[k];
        graph->n_roots += out == graph->dep_begin[i];
        begin = end;
    }
    graph->dep_begin[graph->n_ops] = out;
    graph->n_edges = out;
}

static enum hc_status build_deps(struct hc_step_graph *graph, const struct hc_graph_lists *lists,
                                 struct hc_error *err)
{
    graph->dep_begin = hc_new_array(graph->n_ops + 2, sizeof *graph->dep_begin, err);
    graph->dep = hc_new_array(lists->n_edges, sizeof *graph->dep, err);
    if (!graph->dep_begin || !graph->dep)
        return err->status;
    uint32_t *fill = graph->dep_begin + 1; /* counts, then running ends: shifted by one */
    for (size_t e = 0; e < lists->n_edges; e++)
        fill[lists->edges[e][1] + 1]++;
    for (size_t i = 0; i < graph->n_ops; i++)
        fill[i + 1] += fill[i];
    for (size_t e = 0; e < lists->n_edges; e++)
        graph->dep[fill[lists->edges[e][1]]++] = lists->edges[e][0];
    dedupe(graph);
    return HC_OK;
}

static enum hc_status build_groups(struct hc_step_graph *graph, const struct hc_graph_lists *lists,
                                   struct hc_error *err)
{
    size_t n_groups = lists->n_groups;
    graph->n_groups = n_groups;
    graph->member_begin = hc_new_array(n_groups + 2, sizeof *graph->member_begin, err);
    graph->member = hc_new_array(graph->n_ops, sizeof *graph->member, err);
    graph->group_is_synced = hc_new_array(n_groups, 1, err);
    graph->group_of = hc_new_array(graph->n_ops, sizeof *graph->group_of, err);
    if (!graph->member_begin || !graph->member || !graph->group_is_synced || !graph->group_of)
        return err->status;
    if (n_groups) /* without groups there may be no array to read */
        memcpy(graph->group_is_synced, lists->group_is_synced, n_groups);
    memcpy(graph->group_of, lists->group_of, graph->n_ops * sizeof *graph->group_of);
    uint32_t *fill = graph->member_begin + 1;
    for (size_t i = 0; i < graph->n_ops; i++)
        if (lists->group_of[i] >= 0)
            fill[lists->group_of[i] + 1]++;
    for (size_t g = 0; g < n_groups; g++)
        fill[g + 1] += fill[g];
    for (size_t i = 0; i < graph->n_ops; i++)
        if (lists->group_of[i] >= 0)
            graph->member[fill[lists->group_of[i]]++] = (uint32_t)i;
    return HC_OK;
}

enum hc_status hc_step_graph_build(struct hc_step_graph *graph, const struct hc_graph_lists *lists,
                                   struct hc_error *err)
{
    memset(graph, 0, sizeof *graph);
    graph->n_ops = lists->n_ops;
    graph->ops = hc_new_array(lists->n_ops, sizeof *graph->ops, err);
    graph->ends_step = hc_new_array(lists->n_ops, 1, err);
    if (!graph->ops || !graph->ends_step)
        goto fail;
    for (size_t i = 0; i < lists->n_ops; i++)
        graph->ends_step[i] = lists->ops[i].op_type == HC_OPTIMIZER;
    memcpy(graph->ops, lists->ops, lists->n_ops * sizeof *graph->ops);
    if (build_deps(graph, lists, err) || build_groups(graph, lists, err))
        goto fail;
    return HC_OK;
fail:
    hc_step_graph_fini(graph);
    return err->status;
}

static void *copy_of(const void *from, size_t n, size_t size, struct hc_error *err)
{
    void *to = hc_new_array(n, size, err);
    if (to && n)
        memcpy(to, from, n * size);
    return to;
}

enum hc_status hc_step_graph_copy(struct hc_step_graph *to, const struct hc_step_graph *from,
                                  struct hc_error *err)
{
    size_t n = from->n_ops;
    *to = *from;
    to->ops = copy_of(from->ops, n, sizeof *to->ops, err);
    to->dep_begin = copy_of(from->dep_begin, n + 1, sizeof *to->dep_begin, err);
    to->dep = copy_of(from->dep, from->n_edges, sizeof *to->dep, err);
    to->member_begin =
        copy_of(from->member_begin, from->n_groups + 1, sizeof *to->member_begin, err);
    to->member = copy_of(from->member, from->member_begin[from->n_groups], sizeof *to->member, err);
    to->group_is_synced = copy_of(from->group_is_synced, from->n_groups, 1, err);
    to->group_of = copy_of(from->group_of, n, sizeof *to->group_of, err);
    to->ends_step = copy_of(from->ends_step, n, 1, err);
    if (to->ops && to->dep_begin && to->dep && to->member_begin && to->member &&
        to->group_is_synced && to->group_of && to->ends_step)
        return HC_OK;
    hc_step_graph_fini(to);
    return err->status;
}
