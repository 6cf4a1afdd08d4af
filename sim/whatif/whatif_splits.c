/* whatif_splits.c - which dp ranks, stages and op types the excess comes from, and which the launch
 * delays: one replay for each group, with only this group as traced. */
#include "sim/whatif/whatif_analysis.h"

#include "core/base/memory.h"

#include <stdlib.h>
#include <string.h>

/* ---- groups of op types ---- */

/* "forward-pp-comm" or "backward-pp-comm" for the four P2P types, else the type's own name. */
static const char *type_group_name(int op_type)
{
    if (op_type == HC_FORWARD_SEND || op_type == HC_FORWARD_RECV)
        return "forward-pp-comm";
    if (op_type == HC_BACKWARD_SEND || op_type == HC_BACKWARD_RECV)
        return "backward-pp-comm";
    return hc_op_type_name(op_type);
}

void hc_type_groups_list(struct hc_type_groups *groups, const int64_t *n_by_type,
                         bool with_first_op)
{
    memset(groups, 0, sizeof *groups);
    groups->first_op = -1;
    for (int t = 0; t < HC_N_OP_TYPES; t++)
        groups->of_type[t] = -1;
    const char *names[HC_N_OP_TYPES + 1];
    size_t n = 0;
    for (int t = 0; t < HC_N_OP_TYPES; t++)
        if (n_by_type[t])
            names[n++] = type_group_name(t);
    if (with_first_op)
        names[n++] = "first-op";
    for (size_t k = 0; k < n; k++) { /* insertion sort, dropping repeats */
        size_t at = 0;
        while (at < groups->n && strcmp(groups->name[at], names[k]) < 0)
            at++;
        if (at < groups->n && strcmp(groups->name[at], names[k]) == 0)
            continue;
        memmove(groups->name + at + 1, groups->name + at, (groups->n - at) * sizeof *names);
        groups->name[at] = names[k];
        groups->n++;
    }
    for (size_t g = 0; g < groups->n; g++) {
        if (with_first_op && strcmp(groups->name[g], "first-op") == 0)
            groups->first_op = (int32_t)g;
        for (int t = 0; t < HC_N_OP_TYPES; t++)
            if (n_by_type[t] && strcmp(groups->name[g], type_group_name(t)) == 0)
                groups->of_type[t] = (int32_t)g;
    }
}

/* ---- decompositions ---- */

static enum hc_status new_split(struct hc_split *split, size_t n_groups, size_t n_steps,
                                const char *const *names, struct hc_error *err)
{
    split->groups = hc_new_array(n_groups, sizeof *split->groups, err);
    if (!split->groups)
        return err->status;
    for (size_t g = 0; g < n_groups; g++) {
        split->groups[g] =
            (struct hc_split_group){.id = (int32_t)g,
                                    .name = names ? names[g] : NULL,
                                    .end_ns = hc_new_array(n_steps, sizeof(int64_t), err)};
        split->n_groups = g + 1;
        if (!split->groups[g].end_ns)
            return err->status;
    }
    return HC_OK;
}

static enum hc_status new_splits(struct hc_whatif_analysis *a, struct hc_split *splits,
                                 const struct hc_type_groups *types)
{
    size_t n = a->result->n_steps;
    if (new_split(&splits[HC_BY_DP_RANK], (size_t)a->lanes.dp_size, n, NULL, a->err) ||
        new_split(&splits[HC_BY_STAGE], (size_t)a->lanes.n_stages, n, NULL, a->err) ||
        new_split(&splits[HC_BY_OP_TYPE], types->n, n, types->name, a->err))
        return a->err->status;
    return HC_OK;
}

static void rate_splits(struct hc_split *splits, const int64_t *base_ns, size_t n_steps)
{
    double base = hc_sum_ns(base_ns, n_steps);
    for (int p = 0; p < HC_N_PARTITIONS; p++)
        for (size_t g = 0; g < splits[p].n_groups; g++)
            splits[p].groups[g].slowdown = hc_sum_ns(splits[p].groups[g].end_ns, n_steps) / base;
}

/* Sweep one counterfactual for each group. With dp_ends, the groups by dp rank come from a single
 * sweep instead, into dp_ends [dp_size][n_steps]. */
static enum hc_status sweep_splits(struct hc_whatif_analysis *a, struct hc_split *splits,
                                   const enum hc_sweep_kind kinds[HC_N_PARTITIONS],
                                   int64_t *dp_ends)
{
    size_t n = 0, n_max = 1;
    for (int p = 0; p < HC_N_PARTITIONS; p++)
        n_max += splits[p].n_groups;
    struct hc_counterfactual *counterfactuals =
        hc_new_array(n_max, sizeof *counterfactuals, a->err);
    if (!counterfactuals)
        return a->err->status;
    if (dp_ends)
        counterfactuals[n++] =
            (struct hc_counterfactual){.kind = HC_SWEEP_DP_TRACED, .end_ns = dp_ends};
    for (int p = dp_ends ? HC_BY_STAGE : HC_BY_DP_RANK; p < HC_N_PARTITIONS; p++)
        for (size_t g = 0; g < splits[p].n_groups; g++)
            counterfactuals[n++] = (struct hc_counterfactual){
                .kind = kinds[p], .arg = (int32_t)g, .end_ns = splits[p].groups[g].end_ns};
    enum hc_status status = hc_counterfactuals_run(&a->sweeps, counterfactuals, n, a->err);
    free(counterfactuals);
    return status;
}

static enum hc_status decompose_blocking(struct hc_whatif_analysis *a)
{
    static const enum hc_sweep_kind kinds[] = {HC_SWEEP_DP_TRACED, HC_SWEEP_STAGE_TRACED,
                                               HC_SWEEP_TYPE_TRACED};
    struct hc_whatif_result *r = a->result;
    size_t dp_size = (size_t)a->lanes.dp_size;
    if (new_splits(a, r->blocking, &a->type_groups))
        return a->err->status;
    int64_t *dp_ends = hc_new_array(dp_size * r->n_steps, sizeof *dp_ends, a->err);
    if (!dp_ends)
        return a->err->status;
    a->sweeps.groups = &a->type_groups;
    enum hc_status status = sweep_splits(a, r->blocking, kinds, dp_ends);
    for (size_t d = 0; status == HC_OK && d < dp_size; d++)
        memcpy(r->blocking[HC_BY_DP_RANK].groups[d].end_ns, dp_ends + d * r->n_steps,
               r->n_steps * sizeof *dp_ends);
    free(dp_ends);
    rate_splits(r->blocking, r->ideal_end_ns, r->n_steps);
    return status;
}

static enum hc_status decompose_launch(struct hc_whatif_analysis *a)
{
    static const enum hc_sweep_kind kinds[] = {HC_SWEEP_DP_DELAYED, HC_SWEEP_STAGE_DELAYED,
                                               HC_SWEEP_TYPE_DELAYED};
    struct hc_whatif_result *r = a->result;
    if (new_splits(a, r->launch, &a->launch_type_groups))
        return a->err->status;
    a->sweeps.groups = &a->launch_type_groups;
    enum hc_status status = sweep_splits(a, r->launch, kinds, NULL);
    rate_splits(r->launch, r->replayed_end_ns, r->n_steps);
    return status;
}

enum hc_status hc_splits_find(struct hc_whatif_analysis *analysis)
{
    const struct hc_whatif_result *r = analysis->result;
    if (r->slowdown >= r->threshold && decompose_blocking(analysis))
        return analysis->err->status;
    return r->launch_slowdown >= r->threshold ? decompose_launch(analysis) : HC_OK;
}
