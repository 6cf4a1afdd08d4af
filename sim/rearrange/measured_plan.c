#include "sim/rearrange/measured_plan.h"

#include "core/base/memory.h"
#include "core/tables/table.h"

#include <stdlib.h>
#include <string.h>

int32_t hc_measured_chunk(const struct hc_measured_plan *plan, const struct hc_graph_op *op)
{
    if (op->model_chunk != HC_MISSING_I32)
        return op->model_chunk;
    return op->global_chunk != HC_MISSING_I32 ? op->global_chunk / plan->n_stages : 0;
}

/* ---- sizes ---- */

/* Passes by stage, chunk and direction. */
static uint32_t *count_passes(const struct hc_measured_plan *plan, struct hc_error *err)
{
    const struct hc_step_graph *graph = &plan->of->graph;
    size_t n_cells = (size_t)plan->n_stages * (size_t)plan->n_chunks;
    uint32_t *n = hc_new_array(2 * n_cells, sizeof *n, err);
    for (size_t i = 0; i < graph->n_ops && n; i++) {
        const struct hc_graph_op *op = &graph->ops[i];
        size_t cell = (size_t)op->stage * (size_t)plan->n_chunks;
        if (hc_op_is_pass(op->op_type))
            n[2 * (cell + (size_t)hc_measured_chunk(plan, op)) +
              (op->op_type == HC_BACKWARD_COMPUTE)]++;
    }
    return n;
}

static enum hc_status check_counts(const struct hc_measured_plan *plan, const uint32_t *n,
                                   struct hc_error *err)
{
    for (int32_t stage = 0; stage < plan->n_stages; stage++)
        for (int32_t chunk = 0; chunk < plan->n_chunks; chunk++)
            for (int d = 0; d < 2; d++) {
                uint32_t its = n[2 * (stage * plan->n_chunks + chunk) + d];
                if (its != n[0] || !its)
                    return hc_fail(err, HC_BAD_INPUT,
                                   "stage %d has %u %s of model chunk %d, and stage 0 %u "
                                   "forward-compute of chunk 0: a plan has as many everywhere",
                                   stage, its, d ? "backward-compute" : "forward-compute", chunk,
                                   n[0]);
            }
    return HC_OK;
}

static enum hc_status find_sizes(struct hc_measured_plan *plan, struct hc_error *err)
{
    const struct hc_step_graph *graph = &plan->of->graph;
    plan->n_stages = graph->n_stages;
    for (size_t i = 0; i < graph->n_ops; i++) {
        const struct hc_graph_op *op = &graph->ops[i];
        int32_t chunk = hc_measured_chunk(plan, op);
        plan->has_type[op->op_type] = true;
        if (!hc_op_is_pass(op->op_type))
            continue;
        if (op->global_chunk != HC_MISSING_I32 &&
            (int64_t)op->global_chunk != (int64_t)chunk * plan->n_stages + op->stage)
            return hc_fail(err, HC_BAD_INPUT,
                           "chunk %d of stage %d is chunk %d of the model: only chunks that are "
                           "dealt out to the stages in turn can be rearranged",
                           chunk, op->stage, op->global_chunk);
        if (chunk < 0 || ((int64_t)chunk + 1) * plan->n_stages > (int64_t)graph->n_ops)
            return hc_fail(err, HC_BAD_INPUT, "model chunks are numbered with gaps");
        if (chunk >= plan->n_chunks)
            plan->n_chunks = chunk + 1;
    }
    uint32_t *n = count_passes(plan, err);
    if (!n)
        return err->status;
    plan->n_microbatches = (int32_t)n[0];
    enum hc_status status = check_counts(plan, n, err);
    free(n);
    return status;
}

/* FSDP: gathers of single layers stand between the passes, so passes are no microbatches. */
static enum hc_status check_gathers(const struct hc_measured_plan *plan, struct hc_error *err)
{
    const struct hc_step_graph *graph = &plan->of->graph;
    int32_t n_gathers = 0;
    if (graph->n_stages > 1 || !graph->overlaps_dp)
        return HC_OK;
    for (size_t i = 0; i < graph->n_ops; i++)
        n_gathers += graph->ops[i].op_type == HC_PARAMS_ALL_GATHER;
    if (n_gathers <= plan->n_chunks)
        return HC_OK;
    return hc_fail(err, HC_BAD_INPUT,
                   "parameters are gathered %d times a step, between its passes (FSDP): such a "
                   "step has no plan of a pipeline that could be another",
                   n_gathers);
}

/* ---- passes ---- */

static int compare_start(const void *x, const void *y, void *context)
{
    const struct hc_measured_plan *plan = context;
    const struct hc_graph_op *a = hc_measured_op(plan, *(const uint32_t *)x),
                             *b = hc_measured_op(plan, *(const uint32_t *)y);
    if (a->stage != b->stage)
        return a->stage < b->stage ? -1 : 1;
    if (a->op_type != b->op_type)
        return a->op_type < b->op_type ? -1 : 1;
    if (a->start_ns != b->start_ns)
        return a->start_ns < b->start_ns ? -1 : 1;
    return (a->seq_id > b->seq_id) - (a->seq_id < b->seq_id);
}

/* Whether the microbatch ids of the trace tell passes of a stage, chunk and direction apart. */
static bool place_by_id(struct hc_measured_plan *plan, const uint32_t *list, size_t n)
{
    for (size_t i = 0; i < n; i++) {
        const struct hc_graph_op *op = hc_measured_op(plan, list[i]);
        if (op->microbatch == HC_MISSING_I32 || op->microbatch < 0 ||
            op->microbatch >= plan->n_microbatches)
            return false;
        uint32_t *at = &plan->at[op->op_type][hc_measured_index(
            plan, op->stage, hc_measured_chunk(plan, op), op->microbatch)];
        if (*at != HC_NOWHERE)
            return false;
        *at = list[i];
    }
    return true;
}

/* Else the n-th pass of a stage, chunk and direction is of microbatch n. */
static enum hc_status place_by_turn(struct hc_measured_plan *plan, const uint32_t *list, size_t n,
                                    struct hc_error *err)
{
    size_t n_cells = (size_t)plan->n_stages * (size_t)plan->n_chunks;
    int32_t *turn = hc_new_array(2 * n_cells, sizeof *turn, err);
    for (size_t i = 0; i < n && turn; i++) {
        const struct hc_graph_op *op = hc_measured_op(plan, list[i]);
        int32_t chunk = hc_measured_chunk(plan, op);
        size_t cell = (size_t)op->stage * (size_t)plan->n_chunks + (size_t)chunk;
        int32_t *next = &turn[2 * cell + (op->op_type == HC_BACKWARD_COMPUTE)];
        plan->at[op->op_type][hc_measured_index(plan, op->stage, chunk, (*next)++)] = list[i];
    }
    free(turn);
    return turn ? HC_OK : err->status;
}

/* ---- transfers ---- */

static int pass_of(int p2p)
{
    return p2p == HC_FORWARD_SEND || p2p == HC_FORWARD_RECV ? HC_FORWARD_COMPUTE
                                                            : HC_BACKWARD_COMPUTE;
}

/* A send waits for its pass, and a pass for its receive: no other edge joins a transfer and a pass
 * of its direction that way round. */
static void place_transfers(struct hc_measured_plan *plan, const size_t *place_of)
{
    const struct hc_step_graph *graph = &plan->of->graph;
    const uint32_t *position = plan->of->order.position;
    for (size_t i = 0; i < graph->n_ops; i++)
        for (uint32_t k = graph->dep_begin[i]; k < graph->dep_begin[i + 1]; k++) {
            uint32_t dep = graph->dep[k];
            int after = graph->ops[i].op_type, before = graph->ops[dep].op_type;
            if ((after == HC_FORWARD_SEND || after == HC_BACKWARD_SEND) && before == pass_of(after))
                plan->at[after][place_of[dep]] = position[i];
            if ((before == HC_FORWARD_RECV || before == HC_BACKWARD_RECV) &&
                after == pass_of(before))
                plan->at[before][place_of[i]] = position[dep];
        }
}

/* For each op of the graph that is a pass, its place in plan->at. */
static size_t *find_places(const struct hc_measured_plan *plan, struct hc_error *err)
{
    size_t n = hc_measured_index(plan, plan->n_stages, 0, 0);
    size_t *place_of = hc_new_array(plan->of->graph.n_ops, sizeof *place_of, err);
    for (size_t i = 0; i < n && place_of; i++) {
        place_of[plan->of->order.op_at[plan->at[HC_FORWARD_COMPUTE][i]]] = i;
        place_of[plan->of->order.op_at[plan->at[HC_BACKWARD_COMPUTE][i]]] = i;
    }
    return place_of;
}

/* ---- the rest ---- */

static void list_others(struct hc_measured_plan *plan, uint8_t *is_placed)
{
    size_t n_ops = plan->of->order.n_ops, n = 0;
    size_t n_places = hc_measured_index(plan, plan->n_stages, 0, 0);
    for (int type = 0; type < HC_N_OP_TYPES; type++)
        for (size_t i = 0; plan->at[type] && i < n_places; i++)
            if (plan->at[type][i] != HC_NOWHERE)
                is_placed[plan->at[type][i]] = 1;
    for (uint32_t p = 0; p < n_ops; p++) {
        const struct hc_graph_op *op = hc_measured_op(plan, p);
        if (is_placed[p])
            continue;
        plan->other[n++] = p;
        plan->first_other[(size_t)op->stage * HC_N_OP_TYPES + (size_t)op->op_type + 1]++;
    }
    for (size_t i = 0; i < (size_t)plan->n_stages * HC_N_OP_TYPES; i++)
        plan->first_other[i + 1] += plan->first_other[i];
    qsort_r(plan->other, n, sizeof *plan->other, compare_start, plan);
}

static enum hc_status allocate(struct hc_measured_plan *plan, struct hc_error *err)
{
    size_t n = hc_measured_index(plan, plan->n_stages, 0, 0);
    for (int type = 0; type < HC_N_OP_TYPES; type++) {
        if (!hc_op_is_pass(type) && !hc_op_is_p2p(type))
            continue;
        plan->at[type] = hc_new_array(n, sizeof(uint32_t), err);
        if (!plan->at[type])
            return err->status;
        memset(plan->at[type], 0xFF, n * sizeof(uint32_t));
    }
    plan->other = hc_new_array(plan->of->order.n_ops, sizeof *plan->other, err);
    plan->first_other =
        hc_new_array((size_t)plan->n_stages * HC_N_OP_TYPES + 1, sizeof *plan->first_other, err);
    return plan->other && plan->first_other ? HC_OK : err->status;
}

static enum hc_status place_all(struct hc_measured_plan *plan, struct hc_error *err)
{
    size_t n_ops = plan->of->order.n_ops, n = 0;
    uint32_t *list = hc_new_array(n_ops, sizeof *list, err);
    uint8_t *is_placed = hc_new_array(n_ops, 1, err);
    size_t *place_of = NULL;
    if (list && is_placed) {
        for (uint32_t p = 0; p < n_ops; p++)
            if (hc_op_is_pass(plan->of->op_type[p]))
                list[n++] = p;
        qsort_r(list, n, sizeof *list, compare_start, plan);
        if (place_by_id(plan, list, n) || !place_by_turn(plan, list, n, err))
            place_of = find_places(plan, err);
    }
    if (place_of) {
        place_transfers(plan, place_of);
        list_others(plan, is_placed);
    }
    enum hc_status status = place_of ? HC_OK : err->status;
    free(list);
    free(is_placed);
    free(place_of);
    return status;
}

enum hc_status hc_measured_plan_read(struct hc_measured_plan *plan,
                                     const struct hc_step_structure *structure,
                                     struct hc_error *err)
{
    *plan = (struct hc_measured_plan){.of = structure};
    if (find_sizes(plan, err) || check_gathers(plan, err) || allocate(plan, err))
        return err->status;
    return place_all(plan, err);
}

void hc_measured_plan_fini(struct hc_measured_plan *plan)
{
    for (int type = 0; type < HC_N_OP_TYPES; type++)
        free(plan->at[type]);
    free(plan->other);
    free(plan->first_other);
    *plan = (struct hc_measured_plan){.of = NULL};
}
