#include "sim/rearrange/rearranged_job.h"

#include "core/base/memory.h"
#include "sim/rearrange/plan_graph.h"

#include <stdlib.h>
#include <string.h>

struct rearranging {
    struct hc_planned_job *job;
    const struct hc_edited_lanes *lanes;
    const struct hc_rearrangement *to;
    struct hc_plan_refusal *refusal;
    double usual_ns[HC_N_OP_TYPES]; /* of transfers */
    struct hc_error *err;
};

/* ---- one row ---- */

/* One of so many equal parts of a duration in whole ns; the first has the remainder. */
static double part_of(double ns, int32_t parts, int32_t part)
{
    int64_t whole = (int64_t)ns, each = whole / parts;
    return (double)(part ? each : whole - each * (parts - 1));
}

static void add_row(double *to, const double *from, size_t n)
{
    for (size_t l = 0; l < n; l++)
        to[l] += from[l];
}

static void raise_row(double *to, const double *from, size_t n)
{
    for (size_t l = 0; l < n; l++)
        to[l] = from[l] > to[l] ? from[l] : to[l];
}

static void cut_row(double *row, const struct hc_op_recipe *recipe, size_t n)
{
    for (size_t l = 0; l < n; l++)
        row[l] = part_of(part_of(row[l], recipe->parts, recipe->part), recipe->chunk_parts,
                         recipe->chunk_part);
}

/* The rows of a measured block, and what new ones are made of. */
struct source_rows {
    const struct hc_planned_ops *planned;
    const double *from; /* [n_ops][stride] by measured position */
    size_t stride;
};

typedef void join_row(double *to, const double *from, size_t n);

/* Join the sources of an op, in all lanes of the block. */
static void join_rows(double *row, const struct source_rows *rows,
                      const struct hc_op_recipe *recipe, join_row *join)
{
    const uint32_t *source = rows->planned->source + recipe->first_source;
    memcpy(row, rows->from + source[0] * rows->stride, rows->stride * sizeof *row);
    for (uint32_t i = 1; i < recipe->n_sources; i++)
        join(row, rows->from + source[i] * rows->stride, rows->stride);
}

static void make_row(double *row, const struct source_rows *rows, const struct hc_op_recipe *recipe)
{
    join_rows(row, rows, recipe, recipe->kind == HC_RECIPE_MOST ? raise_row : add_row);
    if (recipe->parts > 1 || recipe->chunk_parts > 1)
        cut_row(row, recipe, rows->stride);
}

/* What was joined is one launch, with the longest delay; of what was cut the first part has it. */
static void make_delays(double *row, const struct source_rows *rows,
                        const struct hc_op_recipe *recipe)
{
    if (recipe->n_sources && !recipe->part && !recipe->chunk_part)
        join_rows(row, rows, recipe, raise_row);
}

/* ---- one structure ---- */

static void fill_block(const struct rearranging *r, const struct hc_planned_ops *planned,
                       const double *from, const struct hc_step_structure *structure,
                       struct hc_lane_block *block)
{
    const struct source_rows rows = {planned, from, block->stride};
    for (size_t p = 0; p < structure->order.n_ops; p++) {
        const struct hc_op_recipe *recipe = &planned->recipe[structure->order.op_at[p]];
        double *row = block->duration + p * block->stride;
        if (recipe->kind != HC_RECIPE_USUAL) {
            make_row(row, &rows, recipe);
            continue;
        }
        for (size_t l = 0; l < block->stride; l++)
            row[l] = l < block->n_lanes ? r->usual_ns[structure->op_type[p]] : 0;
    }
}

static enum hc_status fill_structure(struct rearranging *r, size_t which,
                                     const struct hc_planned_ops *planned,
                                     struct hc_step_structure *structure)
{
    const struct hc_step_lanes *lanes = &r->lanes->base->lanes;
    const struct hc_step_structure *measured = &lanes->structures[which];
    size_t n_ops = structure->order.n_ops, n_lanes = 0;
    for (size_t k = 0; k < measured->n_blocks; k++)
        n_lanes += measured->blocks[k].n_lanes;
    structure->blocks = hc_new_array(measured->n_blocks, sizeof *structure->blocks, r->err);
    if (hc_planned_job_check_size(r->job, n_ops, n_lanes, r->err) || !structure->blocks)
        return r->err->status;
    for (size_t k = 0; k < measured->n_blocks; k++) {
        const struct hc_lane_block *from = &measured->blocks[k];
        struct hc_lane_block *block = &structure->blocks[structure->n_blocks++];
        if (hc_planned_block_new(block, n_ops, from->n_steps, lanes->dp_size, r->err))
            return r->err->status;
        memcpy(block->step, from->step, from->n_steps * sizeof *block->step);
        fill_block(r, planned, r->lanes->rows.duration[which][k], structure, block);
    }
    return HC_OK;
}

/* Rows of delays for the blocks of a structure, which are there. */
static enum hc_status fill_delays(const struct rearranging *r, size_t which, size_t to,
                                  const struct hc_planned_ops *planned)
{
    const struct hc_step_structure *structure = &r->job->base->lanes.structures[to];
    double ***delays = r->job->delays.duration;
    delays[to] = hc_new_array(structure->n_blocks, sizeof **delays, r->err);
    if (!delays[to])
        return r->err->status;
    for (size_t k = 0; k < structure->n_blocks; k++) {
        size_t stride = structure->blocks[k].stride, n_ops = structure->order.n_ops;
        const struct source_rows source = {planned, r->lanes->delays.duration[which][k], stride};
        double *rows = delays[to][k] = hc_new_array(n_ops * stride, sizeof *rows, r->err);
        if (!rows)
            return r->err->status;
        for (size_t p = 0; p < n_ops; p++)
            make_delays(rows + p * stride, &source, &planned->recipe[structure->order.op_at[p]]);
    }
    return HC_OK;
}

/* A job without separate-grads-all-reduce is taken to reduce gradients under its backward passes
 * (struct hc_graph_options): so is one that shall do so from now on. */
static uint32_t absent_ops(const struct hc_replay_base *base,
                           const struct hc_step_structure *measured,
                           const struct hc_rearrangement *to)
{
    bool is_new = to->dp_when_ready && !measured->graph.overlaps_dp;
    return base->job.absent_ops | (is_new ? (uint32_t)1 << HC_SEPARATE_GRADS_ALL_REDUCE : 0);
}

/* What all steps of a structure have in common with the new plan: its graph and the recipes. */
static enum hc_status plan_structure(const struct hc_replay_base *base, size_t which,
                                     const struct hc_rearrangement *to,
                                     struct hc_planned_ops *planned,
                                     struct hc_step_structure *structure,
                                     struct hc_plan_refusal *refusal, struct hc_error *err)
{
    const struct hc_step_structure *measured = &base->lanes.structures[which];
    struct hc_measured_plan plan;
    struct hc_plan_shape shape;
    refusal->member = "";
    enum hc_status status = hc_measured_plan_read(&plan, measured, err);
    if (status == HC_OK)
        status = hc_plan_shape_find(&shape, &plan, to, refusal, err);
    if (status == HC_OK)
        status = hc_planned_ops_list(planned, &shape, err);
    const struct hc_graph_options options = {.n_stages = status ? 0 : shape.schedule.n_stages,
                                             .uses_dp = measured->graph.uses_dp,
                                             .absent_ops = absent_ops(base, measured, to)};
    if (status == HC_OK)
        status = hc_plan_graph_make(&structure->graph, planned, &options, err);
    if (status == HC_OK)
        status = hc_step_structure_compile(structure, err);
    hc_measured_plan_fini(&plan);
    return status;
}

static enum hc_status rearrange_structure(struct rearranging *r, size_t which, size_t to)
{
    struct hc_step_lanes *lanes = &r->job->base->lanes;
    struct hc_planned_ops planned = {.n = 0};
    enum hc_status status = plan_structure(r->lanes->base, which, r->to, &planned,
                                           &lanes->structures[to], r->refusal, r->err);
    if (status == HC_OK)
        status = fill_structure(r, which, &planned, &lanes->structures[to]);
    if (status == HC_OK && r->job->delays.duration)
        status = fill_delays(r, which, to, &planned);
    hc_planned_ops_fini(&planned);
    return status;
}

/* ---- all of them ---- */

static enum hc_status find_usual(struct rearranging *r)
{
    for (int type = 0; type < HC_N_OP_TYPES; type++)
        if (hc_op_is_p2p(type) && hc_edited_ideal(r->lanes, type, &r->usual_ns[type], r->err))
            return r->err->status;
    return HC_OK;
}

enum hc_status hc_job_rearrange(struct hc_planned_job *job, const struct hc_edited_lanes *lanes,
                                const struct hc_rearrangement *to, struct hc_plan_refusal *refusal,
                                struct hc_error *err)
{
    const struct hc_step_lanes *measured = &lanes->base->lanes;
    struct rearranging r = {.job = job, .lanes = lanes, .to = to, .refusal = refusal, .err = err};
    int32_t n_stages = to->stages ? to->stages : measured->n_stages;
    size_t n = 0;
    if (hc_planned_job_start(job, lanes, measured->dp_size, n_stages, err) || find_usual(&r))
        return err->status;
    for (size_t i = 0; i < measured->n_structures; i++)
        if (measured->structures[i].n_blocks && rearrange_structure(&r, i, n++))
            return err->status;
    return hc_ideals_find(&job->base->ideals, &job->base->lanes, err);
}

enum hc_status hc_job_rearrange_check(const struct hc_replay_base *base,
                                      const struct hc_rearrangement *to,
                                      struct hc_plan_refusal *refusal, struct hc_error *err)
{
    enum hc_status status = HC_OK;
    for (size_t i = 0; i < base->lanes.n_structures && status == HC_OK; i++) {
        struct hc_planned_ops planned = {.n = 0};
        struct hc_step_structure structure = {.n_blocks = 0};
        if (!base->lanes.structures[i].n_blocks)
            continue;
        status = plan_structure(base, i, to, &planned, &structure, refusal, err);
        hc_planned_ops_fini(&planned);
        hc_step_structure_fini(&structure);
    }
    return status;
}
