#include "sim/rearrange/planned_ops.h"

#include "core/base/memory.h"
#include "core/tables/table.h"

#include <stdlib.h>
#include <string.h>

/* Times of a stage's ops: they only tell an order. Passes start at FIRST_NS and then every PASS_NS;
 * what the profiler recorded and never happened lies outside of them by more than the tolerance of
 * the rules that tell it by that (models/steps/step_passes.c). */
#define FIRST_NS 1000000000ll
#define PASS_NS  1000000ll

struct listing {
    struct hc_planned_ops *planned;
    const struct hc_plan_shape *shape;
    const struct hc_measured_plan *measured;
    int32_t stage; /* at hand */
    struct hc_pass *passes;
    size_t n_passes;
    int32_t n_of[HC_N_OP_TYPES]; /* listed of the stage */
    struct hc_error *err;
};

void hc_planned_ops_fini(struct hc_planned_ops *planned)
{
    free(planned->ops);
    free(planned->recipe);
    free(planned->source);
    *planned = (struct hc_planned_ops){.n = 0};
}

/* ---- one op ---- */

/* Add an op of the stage at hand, whose sources have been added since `first_source`. */
static enum hc_status add_op(struct listing *l, int type, int64_t start_ns,
                             const struct hc_op_recipe *recipe)
{
    struct hc_planned_ops *p = l->planned;
    if (hc_reserve(&p->ops, &p->ops_capacity, p->n + 1, sizeof *p->ops, l->err) ||
        hc_reserve(&p->recipe, &p->recipe_capacity, p->n + 1, sizeof *p->recipe, l->err))
        return l->err->status;
    p->ops[p->n] = (struct hc_graph_op){.op_type = type,
                                        .seq_id = l->n_of[type]++,
                                        .stage = l->stage,
                                        .model_chunk = HC_MISSING_I32,
                                        .global_chunk = HC_MISSING_I32,
                                        .microbatch = HC_MISSING_I32,
                                        .start_ns = start_ns,
                                        .end_ns = start_ns + 1};
    p->recipe[p->n] = *recipe;
    p->recipe[p->n].n_sources = (uint32_t)p->n_sources - recipe->first_source;
    p->n_fillers += recipe->kind == HC_RECIPE_NOTHING;
    p->n++;
    return HC_OK;
}

static enum hc_status add_source(struct listing *l, uint32_t position)
{
    struct hc_planned_ops *p = l->planned;
    if (hc_reserve(&p->source, &p->source_capacity, p->n_sources + 1, sizeof *p->source, l->err))
        return l->err->status;
    p->source[p->n_sources++] = position;
    return HC_OK;
}

static struct hc_op_recipe new_recipe(const struct listing *l, enum hc_recipe_kind kind)
{
    return (struct hc_op_recipe){.kind = (int32_t)kind,
                                 .first_source = (uint32_t)l->planned->n_sources,
                                 .parts = 1,
                                 .chunk_parts = 1};
}

static struct hc_op_recipe part_of_sum(const struct listing *l, const struct hc_plan_work *work)
{
    struct hc_op_recipe recipe = new_recipe(l, HC_RECIPE_SUM);
    recipe.parts = work->parts;
    recipe.part = work->part;
    recipe.chunk_parts = work->chunk_parts;
    recipe.chunk_part = work->chunk_part;
    return recipe;
}

/* ---- what work comes from ---- */

typedef enum hc_status cell_visit(struct listing *l, int type, int32_t stage, int32_t chunk,
                                  int32_t microbatch);

/* For each measured stage and chunk that the work comes from. */
static enum hc_status each_cell(struct listing *l, const struct hc_plan_work *work,
                                cell_visit *visit, int type, int32_t microbatch)
{
    int32_t n_stages = l->measured->n_stages;
    for (int32_t i = 0; i < (work->moves ? work->n_virtual : 0); i++) {
        int32_t at = work->first_virtual + i;
        if (visit(l, type, at % n_stages, at / n_stages, microbatch))
            return l->err->status;
    }
    for (int32_t s = 0; s < (work->moves ? 0 : work->n_stages); s++)
        for (int32_t c = 0; c < work->n_chunks; c++)
            if (visit(l, type, work->first_stage + s, work->first_chunk + c, microbatch))
                return l->err->status;
    return HC_OK;
}

static enum hc_status take_pass(struct listing *l, int type, int32_t stage, int32_t chunk,
                                int32_t microbatch)
{
    return add_source(
        l, l->measured->at[type][hc_measured_index(l->measured, stage, chunk, microbatch)]);
}

/* All ops of a type that are a chunk's, as the gathers of its parameters. */
static enum hc_status take_others(struct listing *l, int type, int32_t stage, int32_t chunk,
                                  int32_t microbatch)
{
    struct hc_positions others = hc_measured_others(l->measured, stage, type);
    (void)microbatch;
    for (size_t i = 0; i < others.n; i++)
        if (hc_measured_chunk(l->measured, hc_measured_op(l->measured, others.at[i])) == chunk &&
            add_source(l, others.at[i]))
            return l->err->status;
    return HC_OK;
}

/* ---- passes and their transfers ---- */

static int transfer_type(bool is_backward, bool is_recv)
{
    return is_backward ? is_recv ? HC_BACKWARD_RECV : HC_BACKWARD_SEND
           : is_recv   ? HC_FORWARD_RECV
                       : HC_FORWARD_SEND;
}

/* The measured transfer over the edge of a chunk, or HC_NOWHERE. */
static uint32_t find_transfer(const struct listing *l, int type, int32_t chunk, bool is_behind,
                              int32_t microbatch)
{
    int32_t stage = 0, measured_chunk = 0;
    if (!hc_plan_edge(l->shape, l->stage, chunk, is_behind, &stage, &measured_chunk))
        return HC_NOWHERE;
    return l->measured->at[type][hc_measured_index(l->measured, stage, measured_chunk, microbatch)];
}

static bool has_any_transfer(const struct listing *l, int type)
{
    const struct hc_measured_plan *m = l->measured;
    size_t first = hc_measured_index(m, l->stage, 0, 0),
           end = hc_measured_index(m, l->stage + 1, 0, 0);
    for (size_t i = first; i < end; i++)
        if (m->at[type][i] != HC_NOWHERE)
            return true;
    return false;
}

/* The transfer of a pass. At the ends of the model there is none; but the rules of the graph want
 * the sends and receives of a stage in full where it has some, and a trace may have recorded them
 * there, too. What was not recorded is filled in, and is gone again from the graph that comes out.
 */
static enum hc_status add_transfer(struct listing *l, const struct hc_pass *pass, bool is_recv,
                                   int64_t start_ns)
{
    const struct hc_pass_schedule *to = &l->shape->schedule;
    int type = transfer_type(pass->is_backward, is_recv);
    bool is_behind = pass->is_backward == is_recv, keeps_shape = hc_plan_keeps_shape(l->shape);
    int32_t at = pass->chunk * to->n_stages + l->stage, peer = at + (is_behind ? 1 : -1);
    bool is_end = peer < 0 || peer >= to->n_stages * to->n_chunks;
    if (!l->measured->has_type[type] ||
        (is_end && to->n_chunks == 1 && !(keeps_shape && has_any_transfer(l, type))))
        return HC_OK;
    uint32_t measured = is_end && !keeps_shape
                            ? HC_NOWHERE
                            : find_transfer(l, type, pass->chunk, is_behind,
                                            pass->microbatch % l->measured->n_microbatches);
    struct hc_op_recipe recipe = new_recipe(l, measured != HC_NOWHERE ? HC_RECIPE_SUM
                                               : is_end               ? HC_RECIPE_NOTHING
                                                                      : HC_RECIPE_USUAL);
    if (measured != HC_NOWHERE && add_source(l, measured))
        return l->err->status;
    if (add_op(l, type, start_ns, &recipe))
        return l->err->status;
    l->planned->ops[l->planned->n - 1].microbatch = pass->microbatch;
    return HC_OK;
}

static enum hc_status add_pass(struct listing *l, const struct hc_pass *pass, int64_t start_ns)
{
    int type = pass->is_backward ? HC_BACKWARD_COMPUTE : HC_FORWARD_COMPUTE;
    const struct hc_plan_work work = hc_plan_work_of(l->shape, l->stage, pass->chunk);
    struct hc_op_recipe recipe = part_of_sum(l, &work);
    if (each_cell(l, &work, take_pass, type, pass->microbatch % l->measured->n_microbatches) ||
        add_op(l, type, start_ns, &recipe))
        return l->err->status;
    struct hc_graph_op *op = &l->planned->ops[l->planned->n - 1];
    op->model_chunk = pass->chunk;
    op->global_chunk = pass->chunk * l->shape->schedule.n_stages + l->stage;
    op->microbatch = pass->microbatch;
    op->end_ns = start_ns + PASS_NS / 2;
    return HC_OK;
}

/* Transfers that were recorded and never happened, where the stage is a measured one. */
static enum hc_status add_recorded_only(struct listing *l, int type, int64_t start_ns)
{
    if (l->shape->schedule.n_stages != l->measured->n_stages)
        return HC_OK;
    struct hc_positions others = hc_measured_others(l->measured, l->stage, type);
    for (size_t i = 0; i < others.n; i++) {
        struct hc_op_recipe recipe = new_recipe(l, HC_RECIPE_SUM);
        if (add_source(l, others.at[i]) || add_op(l, type, start_ns + 2 * (int64_t)i, &recipe))
            return l->err->status;
    }
    return HC_OK;
}

static enum hc_status add_passes(struct listing *l)
{
    hc_schedule_list(&l->shape->schedule, l->stage, l->passes);
    if (add_recorded_only(l, HC_FORWARD_SEND, 0) || add_recorded_only(l, HC_BACKWARD_SEND, 0))
        return l->err->status;
    int64_t start_ns = FIRST_NS;
    for (size_t i = 0; i < l->n_passes; i++, start_ns += PASS_NS)
        if (add_transfer(l, &l->passes[i], true, start_ns - 2) ||
            add_pass(l, &l->passes[i], start_ns) ||
            add_transfer(l, &l->passes[i], false, start_ns + PASS_NS / 2 + 1))
            return l->err->status;
    return add_recorded_only(l, HC_FORWARD_RECV, start_ns) ||
                   add_recorded_only(l, HC_BACKWARD_RECV, start_ns)
               ? l->err->status
               : HC_OK;
}

/* ---- collectives of data parallelism ---- */

/* As they are: one new op for each measured one. */
static enum hc_status copy_collectives(struct listing *l, int type, int64_t start_ns)
{
    struct hc_positions others = hc_measured_others(l->measured, l->stage, type);
    for (size_t i = 0; i < others.n; i++) {
        const struct hc_graph_op *measured = hc_measured_op(l->measured, others.at[i]);
        struct hc_op_recipe recipe = new_recipe(l, HC_RECIPE_SUM);
        if (add_source(l, others.at[i]) || add_op(l, type, start_ns + 2 * (int64_t)i, &recipe))
            return l->err->status;
        struct hc_graph_op *op = &l->planned->ops[l->planned->n - 1];
        op->seq_id = measured->seq_id;
        op->model_chunk = hc_measured_chunk(l->measured, measured);
    }
    return HC_OK;
}

/* One for each chunk: gathers from the first chunk on, reductions as backward is done with them. */
static enum hc_status add_collectives(struct listing *l, int type, int64_t start_ns)
{
    int32_t n_chunks = l->shape->schedule.n_chunks;
    if (hc_plan_keeps_shape(l->shape))
        return copy_collectives(l, type, start_ns);
    for (int32_t i = 0; i < n_chunks; i++) {
        int32_t chunk = type == HC_PARAMS_ALL_GATHER ? i : n_chunks - 1 - i;
        const struct hc_plan_work work = hc_plan_work_of(l->shape, l->stage, chunk);
        struct hc_op_recipe recipe = part_of_sum(l, &work);
        if (each_cell(l, &work, take_others, type, 0))
            return l->err->status;
        if (l->planned->n_sources == recipe.first_source)
            continue; /* the job has none */
        if (add_op(l, type, start_ns + 2 * (int64_t)i, &recipe))
            return l->err->status;
        l->planned->ops[l->planned->n - 1].model_chunk = chunk;
    }
    return HC_OK;
}

/* ---- what a stage has once ---- */

/* The measured stages whose work a new stage has: of those that it has a chunk of once a chunk. */
static enum hc_status take_stages(struct listing *l, int type, const struct hc_plan_work *work)
{
    int32_t n = work->moves ? work->n_virtual : work->n_stages;
    for (int32_t i = 0; i < n; i++) {
        int32_t stage =
            work->moves ? (work->first_virtual + i) % l->measured->n_stages : work->first_stage + i;
        struct hc_positions others = hc_measured_others(l->measured, stage, type);
        for (size_t k = 0; k < others.n; k++)
            if (add_source(l, others.at[k]))
                return l->err->status;
    }
    return HC_OK;
}

static enum hc_status take_stage_work(struct listing *l, int type, struct hc_op_recipe *recipe)
{
    struct hc_plan_work work = hc_plan_work_of(l->shape, l->stage, 0);
    int32_t n_chunks = l->shape->moves_layers ? l->shape->schedule.n_chunks : 1;
    for (int32_t chunk = 0; chunk < n_chunks; chunk++) {
        work = hc_plan_work_of(l->shape, l->stage, chunk);
        if (take_stages(l, type, &work))
            return l->err->status;
    }
    if (recipe->kind == HC_RECIPE_SUM) {
        recipe->parts = work.parts * (work.moves ? l->measured->n_chunks : 1);
        recipe->part = work.part;
    }
    return HC_OK;
}

/* The embedding is at both ends of the model; on one stage alone the longer of the two counts. */
static enum hc_status take_ends(struct listing *l, int type)
{
    int32_t last = l->measured->n_stages - 1;
    bool is_first = l->stage == 0, is_last = l->stage == l->shape->schedule.n_stages - 1;
    struct hc_positions first = hc_measured_others(l->measured, 0, type),
                        second = hc_measured_others(l->measured, last, type);
    if (is_first && first.n && add_source(l, first.at[0]))
        return l->err->status;
    return is_last && last > 0 && second.n ? add_source(l, second.at[0]) : HC_OK;
}

/* Work adds up where stages are joined; a pause of a process or a barrier does not. */
static bool adds_up(int type)
{
    return type == HC_OPTIMIZER || type == HC_LAYERNORM_GRADS_ALL_REDUCE ||
           type == HC_SEPARATE_GRADS_ALL_REDUCE;
}

static enum hc_status add_single(struct listing *l, int type, int64_t start_ns)
{
    struct hc_op_recipe recipe = new_recipe(l, adds_up(type) ? HC_RECIPE_SUM : HC_RECIPE_MOST);
    if (type == HC_EMBEDDING_GRADS_ALL_REDUCE ? take_ends(l, type)
                                              : take_stage_work(l, type, &recipe))
        return l->err->status;
    return l->planned->n_sources == recipe.first_source ? HC_OK
                                                        : add_op(l, type, start_ns, &recipe);
}

static enum hc_status add_stage(struct listing *l)
{
    static const int singles[] = {HC_GC,
                                  HC_LAYERNORM_GRADS_ALL_REDUCE,
                                  HC_EMBEDDING_GRADS_ALL_REDUCE,
                                  HC_SEPARATE_GRADS_ALL_REDUCE,
                                  HC_OPTIMIZER_CLIP_MAIN_GRAD,
                                  HC_OPTIMIZER};
    int64_t end_ns = FIRST_NS + (int64_t)(l->n_passes + 1) * PASS_NS;
    memset(l->n_of, 0, sizeof l->n_of);
    if (add_collectives(l, HC_PARAMS_ALL_GATHER, 0) || add_passes(l) ||
        add_collectives(l, HC_GRADS_REDUCE_SCATTER, end_ns))
        return l->err->status;
    for (size_t i = 0; i < sizeof singles / sizeof *singles; i++)
        if (add_single(l, singles[i], end_ns + (int64_t)(i + 1) * PASS_NS))
            return l->err->status;
    return HC_OK;
}

enum hc_status hc_planned_ops_list(struct hc_planned_ops *planned,
                                   const struct hc_plan_shape *shape, struct hc_error *err)
{
    struct listing l = {
        .planned = planned, .shape = shape, .measured = shape->measured, .err = err};
    const struct hc_pass_schedule *to = &shape->schedule;
    int64_t n_passes = 2 * (int64_t)to->n_microbatches * to->n_chunks;
    *planned = (struct hc_planned_ops){.n = 0};
    /* A pass has at most a send and a receive beside it. */
    if (n_passes > HC_PLAN_MAX_OPS || n_passes * 3 * to->n_stages > HC_PLAN_MAX_OPS)
        return hc_fail(err, HC_BAD_INPUT,
                       "%d stages with %lld passes each would have more ops a step than %d; take "
                       "fewer microbatches, chunks or stages",
                       to->n_stages, (long long)n_passes, HC_PLAN_MAX_OPS);
    l.n_passes = (size_t)n_passes;
    l.passes = hc_new_array(l.n_passes, sizeof *l.passes, err);
    enum hc_status status = l.passes ? HC_OK : err->status;
    for (; l.stage < to->n_stages && status == HC_OK; l.stage++)
        status = add_stage(&l);
    free(l.passes);
    return status;
}
