/* step_rules.c - from the ops of a template step to its graph: the rules of
 * docs/methods/straggler-whatif.md, edges first, then groups. */
#include "models/steps/step_builder.h"

#include "core/base/memory.h"
#include "core/tables/op_type.h"

#include <stdlib.h>
#include <string.h>

/* Refuse ops that no rule has brought into the graph. */
static enum hc_status check_all_placed(struct hc_step_builder *b)
{
    uint8_t *placed = hc_new_array(b->n_ops, 1, b->err);
    if (!placed)
        return b->err->status;
    for (size_t e = 0; e < b->n_edges; e++)
        placed[b->edges[e][0]] = placed[b->edges[e][1]] = 1;
    enum hc_status status = HC_OK;
    for (size_t i = 0; status == HC_OK && i < b->n_ops; i++) {
        if (placed[i] || b->group_of[i] >= 0)
            continue;
        char text[96];
        hc_graph_op_describe(&b->ops[i], text, sizeof text);
        status =
            hc_fail(b->err, HC_BAD_INPUT, "%s has no place in the dependency graph of the step%s",
                    text, b->uses_dp ? "" : ": the job has one data-parallel rank and dsp_size 1");
    }
    free(placed);
    return status;
}

/* What the metadata says is not there must not be there. */
static enum hc_status check_absent(struct hc_step_builder *b)
{
    for (size_t i = 0; b->absent_ops && i < b->n_ops; i++) {
        if (!hc_builder_lacks(b, b->ops[i].op_type))
            continue;
        char text[96];
        hc_graph_op_describe(&b->ops[i], text, sizeof text);
        return hc_fail(
            b->err, HC_BAD_INPUT,
            "%s is there, but the metadata says that the job has no such ops; take %s out "
            "of absent_ops",
            text, hc_op_type_name(b->ops[i].op_type));
    }
    return HC_OK;
}

static enum hc_status apply_rules(struct hc_step_builder *b)
{
    if (check_absent(b))
        return b->err->status;
    if (hc_builder_has_only_passes(b))
        return hc_rules_passes_only(b);
    for (size_t i = 0; i < b->n_ops; i++)
        b->ends_step[i] = b->ops[i].op_type == HC_OPTIMIZER;
    for (int32_t stage = 0; stage < b->n_stages; stage++) {
        hc_builder_list_passes(b, stage);
        if (hc_rules_passes(b, stage) || hc_rules_dp(b, stage) || hc_rules_tail(b, stage))
            return b->err->status;
    }
    if (hc_rules_groups(b))
        return b->err->status;
    return check_all_placed(b);
}

enum hc_status hc_step_graph_derive(struct hc_step_graph *graph, const struct hc_graph_op *ops,
                                    size_t n_ops, const struct hc_graph_options *options,
                                    struct hc_error *err)
{
    struct hc_step_builder b = {.ops = ops,
                                .n_ops = n_ops,
                                .n_stages = options->n_stages,
                                .uses_dp = options->uses_dp,
                                .absent_ops = options->absent_ops,
                                .err = err};
    b.overlaps_dp = hc_builder_lacks(&b, HC_SEPARATE_GRADS_ALL_REDUCE);
    memset(graph, 0, sizeof *graph);
    enum hc_status status = hc_builder_check_stages(&b);
    if (status == HC_OK)
        status = hc_builder_allocate(&b);
    if (status == HC_OK)
        status = hc_builder_index(&b);
    if (status == HC_OK)
        status = apply_rules(&b);
    if (status == HC_OK) {
        struct hc_graph_lists lists = {.ops = ops,
                                       .n_ops = n_ops,
                                       .edges = (const uint32_t(*)[2])b.edges,
                                       .n_edges = b.n_edges,
                                       .group_of = b.group_of,
                                       .n_groups = b.n_groups,
                                       .group_is_synced = b.group_is_synced};
        status = hc_step_graph_build(graph, &lists, err);
        if (status == HC_OK)
            memcpy(graph->ends_step, b.ends_step, n_ops);
        graph->n_stages = b.n_stages;
        graph->uses_dp = b.uses_dp;
        graph->overlaps_dp = b.overlaps_dp;
    }
    hc_builder_fini(&b);
    return status;
}
