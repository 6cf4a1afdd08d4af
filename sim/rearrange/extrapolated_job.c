#include "sim/rearrange/extrapolated_job.h"

#include "core/base/memory.h"
#include "core/random/philox.h"

#include <stdlib.h>
#include <string.h>

/* Lanes a block aims at, as of measured steps (sim/replay/step_lanes.c). */
#define TARGET_LANES 128

#define STREAM_OF_RANKS ((uint64_t)1 << 63)

struct drawing {
    struct hc_planned_job *job;
    const struct hc_edited_lanes *lanes;
    uint64_t seed;
    int32_t *rank; /* [dp_size] which measured one each new one is */
    double *level; /* [n_steps] of each measured step for all its ranks, over the mean */
    struct hc_error *err;
};

enum hc_status hc_job_extrapolate_check(const struct hc_replay_base *base, int32_t dp_size,
                                        struct hc_error *err)
{
    int64_t n = 0;
    if (base->lanes.dp_size < 2)
        return hc_fail(err, HC_BAD_INPUT,
                       "the job has one dp rank: others cannot be drawn from that, and their "
                       "collectives were not measured");
    for (size_t i = 0; i < base->lanes.n_structures; i++) {
        const struct hc_step_structure *of = &base->lanes.structures[i];
        for (size_t k = 0; k < of->n_blocks; k++)
            n += (int64_t)of->order.n_ops * (int64_t)of->blocks[k].n_steps * dp_size;
    }
    if (n <= HC_PLAN_MAX_DURATIONS)
        return HC_OK;
    return hc_fail(err, HC_BAD_INPUT,
                   "%lld ops in all are too many: %lld at most; take fewer steps ('steps' of "
                   "'input'), or fewer ranks",
                   (long long)n, (long long)HC_PLAN_MAX_DURATIONS);
}

/* ---- what is drawn ---- */

static enum hc_status draw_ranks(struct drawing *d)
{
    size_t n = (size_t)d->job->base->lanes.dp_size;
    struct hc_philox rng;
    d->rank = hc_new_array(n, sizeof *d->rank, d->err);
    for (size_t j = 0; j < n && d->rank; j++) {
        hc_philox_seek(&rng, d->seed, STREAM_OF_RANKS | j, 0);
        d->rank[j] = (int32_t)hc_philox_integer(&rng, (uint64_t)d->lanes->base->lanes.dp_size);
    }
    return d->rank ? HC_OK : d->err->status;
}

/* Which of the n steps of a structure new rank j has in a step. */
static size_t draw_step(const struct drawing *d, size_t step, size_t j, size_t n)
{
    struct hc_philox rng;
    hc_philox_seek(&rng, d->seed, (uint64_t)step << 32 | j, 0);
    return (size_t)hc_philox_integer(&rng, n);
}

/* ---- columns ---- */

/* A measured column: its block of the structure, and its lane there. */
struct column {
    size_t block, lane;
};

/* What a dp rank of a step gets: a column, by a factor, and of collectives of all ranks what its
 * rank had in the step itself. */
struct drawn {
    struct column column, own;
    double factor;
};

/* A structure that is drawn from, and what it becomes. */
struct pool {
    const struct hc_step_structure *of;
    double *const *durations, *const *delays; /* [n_blocks of it]; delays may be NULL */
    size_t n_steps;
    struct column *step; /* [n_steps] with the lane of dp rank 0 */
    struct hc_step_structure *to;
    double **new_delays; /* [n_blocks of `to`] or NULL */
};

static enum hc_status list_steps(const struct drawing *d, struct pool *pool)
{
    size_t dp_size = (size_t)d->lanes->base->lanes.dp_size, at = 0;
    for (size_t k = 0; k < pool->of->n_blocks; k++)
        pool->n_steps += pool->of->blocks[k].n_steps;
    pool->step = hc_new_array(pool->n_steps, sizeof *pool->step, d->err);
    if (!pool->step)
        return d->err->status;
    for (size_t k = 0; k < pool->of->n_blocks; k++)
        for (size_t s = 0; s < pool->of->blocks[k].n_steps; s++)
            pool->step[at++] = (struct column){k, s * dp_size};
    return HC_OK;
}

/* Index among the analysed steps of step i of the pool. */
static size_t step_at(const struct drawing *d, const struct pool *pool, size_t i)
{
    const struct column *step = &pool->step[i];
    return pool->of->blocks[step->block].step[step->lane / (size_t)d->lanes->base->lanes.dp_size];
}

/* The columns that the dp ranks of steps [first, first + n) of the pool get. */
static struct drawn *draw_columns(const struct drawing *d, const struct pool *pool, size_t first,
                                  size_t n)
{
    size_t dp_size = (size_t)d->job->base->lanes.dp_size;
    struct drawn *drawn = hc_new_array(n * dp_size, sizeof *drawn, d->err);
    for (size_t s = 0; s < n && drawn; s++)
        for (size_t j = 0; j < dp_size; j++) {
            struct drawn *its = &drawn[s * dp_size + j];
            size_t step = step_at(d, pool, first + s);
            size_t from = draw_step(d, step, j, pool->n_steps);
            *its = (struct drawn){pool->step[from], pool->step[first + s],
                                  d->level[step] / d->level[step_at(d, pool, from)]};
            its->column.lane += (size_t)d->rank[j];
            its->own.lane += (size_t)d->rank[j];
        }
    return drawn;
}

static double value_at(const struct hc_step_structure *of, double *const *from,
                       const struct column *column, size_t position)
{
    return from[column->block][position * of->blocks[column->block].stride + column->lane];
}

/* Whether all dp ranks take part in the op at a position. */
static bool is_of_all(const struct hc_step_structure *of, size_t position)
{
    int32_t group = of->graph.group_of[of->order.op_at[position]];
    return group >= 0 && of->graph.group_is_synced[group];
}

/* Rows [n_ops][stride] of drawn columns out of rows [n_ops][its stride] of measured blocks. */
static void gather(double *to, const struct hc_lane_block *block, const struct drawn *drawn,
                   const struct hc_step_structure *of, double *const *from)
{
    for (size_t p = 0; p < of->order.n_ops; p++) {
        double *row = to + p * block->stride;
        bool is_own = is_of_all(of, p);
        for (size_t l = 0; l < block->n_lanes; l++) {
            double ns = value_at(of, from, is_own ? &drawn[l].own : &drawn[l].column, p);
            row[l] = is_own || drawn[l].factor == 1 ? ns : hc_whole_ns(ns * drawn[l].factor);
        }
        for (size_t l = block->n_lanes; l < block->stride; l++)
            row[l] = 0;
    }
}

static enum hc_status fill_block(const struct drawing *d, const struct pool *pool, size_t k,
                                 const struct drawn *drawn)
{
    struct hc_lane_block *block = &pool->to->blocks[k];
    gather(block->duration, block, drawn, pool->of, pool->durations);
    if (!pool->new_delays)
        return HC_OK;
    size_t n = pool->of->order.n_ops * block->stride;
    pool->new_delays[k] = hc_new_aligned(n, sizeof **pool->new_delays, d->err);
    if (!pool->new_delays[k])
        return d->err->status;
    gather(pool->new_delays[k], block, drawn, pool->of, pool->delays);
    return HC_OK;
}

/* The next block, with steps [first, first + n) of the pool. */
static enum hc_status draw_block(const struct drawing *d, const struct pool *pool, size_t first,
                                 size_t n)
{
    size_t k = pool->to->n_blocks++;
    struct hc_lane_block *block = &pool->to->blocks[k];
    struct drawn *drawn = draw_columns(d, pool, first, n);
    enum hc_status status = drawn ? HC_OK : d->err->status;
    if (status == HC_OK)
        status = hc_planned_block_new(block, pool->of->order.n_ops, n, d->job->base->lanes.dp_size,
                                      d->err);
    for (size_t s = 0; s < n && status == HC_OK; s++)
        block->step[s] = step_at(d, pool, first + s);
    if (status == HC_OK)
        status = fill_block(d, pool, k, drawn);
    free(drawn);
    return status;
}

static enum hc_status draw_blocks(const struct drawing *d, struct pool *pool, double ***delays)
{
    size_t dp_size = (size_t)d->job->base->lanes.dp_size;
    size_t per_block = dp_size < TARGET_LANES ? TARGET_LANES / dp_size : 1;
    size_t n_blocks = (pool->n_steps + per_block - 1) / per_block;
    pool->to->blocks = hc_new_array(n_blocks, sizeof *pool->to->blocks, d->err);
    if (!pool->to->blocks ||
        (delays && !(*delays = hc_new_array(n_blocks, sizeof **delays, d->err))))
        return d->err->status;
    pool->new_delays = delays ? *delays : NULL;
    for (size_t k = 0, first = 0; k < n_blocks; k++) {
        size_t n = (pool->n_steps - first) / (n_blocks - k);
        if (draw_block(d, pool, first, n))
            return d->err->status;
        first += n;
    }
    return HC_OK;
}

static enum hc_status draw_structure(struct drawing *d, size_t which, size_t to)
{
    const struct hc_edited_lanes *from = d->lanes;
    double ***delays = d->job->delays.duration;
    struct pool pool = {.of = &from->base->lanes.structures[which],
                        .durations = from->rows.duration[which],
                        .delays = delays ? from->delays.duration[which] : NULL,
                        .to = &d->job->base->lanes.structures[to]};
    enum hc_status status = list_steps(d, &pool);
    if (status == HC_OK)
        status = hc_step_graph_copy(&pool.to->graph, &pool.of->graph, d->err);
    if (status == HC_OK)
        status = hc_step_structure_compile(pool.to, d->err);
    if (status == HC_OK)
        status = draw_blocks(d, &pool, delays ? &delays[to] : NULL);
    free(pool.step);
    return status;
}

/* The ideals of what is drawn are those of what it is drawn from. */
static enum hc_status keep_ideals(struct drawing *d)
{
    struct hc_ideals *ideals = &d->job->base->ideals;
    *ideals = d->lanes->base->ideals;
    ideals->has_negative = false;
    for (int type = 0; type < HC_N_OP_TYPES; type++) {
        double ideal_ns = 0;
        if (hc_edited_ideal(d->lanes, type, &ideal_ns, d->err))
            return d->err->status;
        ideals->duration_ns[type] = (int64_t)ideal_ns;
        ideals->has_negative |= ideal_ns < 0;
    }
    struct hc_step_lanes *lanes = &d->job->base->lanes;
    memset(ideals->n, 0, sizeof ideals->n);
    for (size_t i = 0; i < lanes->n_structures; i++) {
        struct hc_step_structure *of = &lanes->structures[i];
        int64_t n_lanes = 0;
        for (size_t k = 0; k < of->n_blocks; k++)
            n_lanes += (int64_t)of->blocks[k].n_lanes;
        for (size_t p = 0; p < of->order.n_ops; p++) {
            of->ideal[p] = (double)ideals->duration_ns[of->op_type[p]];
            ideals->n[of->op_type[p]] += n_lanes;
        }
        lanes->n_rows += (int64_t)of->order.n_ops * n_lanes;
    }
    return HC_OK;
}

static enum hc_status draw_all(struct drawing *d, struct hc_extrapolation *extrapolation)
{
    const struct hc_step_lanes *measured = &d->lanes->base->lanes;
    size_t n = 0;
    d->level = hc_new_array(measured->n_steps, sizeof *d->level, d->err);
    if (!d->level ||
        hc_extrapolation_describe(extrapolation, d->lanes, d->job->base->lanes.dp_size, d->level,
                                  d->err) ||
        draw_ranks(d))
        return d->err->status;
    for (size_t i = 0; i < measured->n_structures; i++)
        if (measured->structures[i].n_blocks && draw_structure(d, i, n++))
            return d->err->status;
    return keep_ideals(d);
}

enum hc_status hc_job_extrapolate(struct hc_planned_job *job, const struct hc_edited_lanes *lanes,
                                  const struct hc_extrapolating *how,
                                  struct hc_extrapolation *extrapolation, struct hc_error *err)
{
    struct drawing d = {.job = job, .lanes = lanes, .seed = how->seed, .err = err};
    *job = (struct hc_planned_job){.base = NULL};
    if (hc_job_extrapolate_check(lanes->base, how->dp_size, err) ||
        hc_planned_job_start(job, lanes, how->dp_size, lanes->base->lanes.n_stages, err))
        return err->status;
    enum hc_status status = draw_all(&d, extrapolation);
    free(d.rank);
    free(d.level);
    return status;
}
