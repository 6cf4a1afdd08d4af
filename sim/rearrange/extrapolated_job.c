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

/* A measured column: the rows of its block begin at `duration`, and its lane there. */
struct column {
    size_t block, lane;
};

/* Of each step of a measured structure: block, and first lane. */
static struct column *list_steps(const struct drawing *d, const struct hc_step_structure *of,
                                 size_t *n)
{
    *n = 0;
    for (size_t k = 0; k < of->n_blocks; k++)
        *n += of->blocks[k].n_steps;
    struct column *list = hc_new_array(*n, sizeof *list, d->err);
    size_t at = 0, dp_size = (size_t)d->lanes->base->lanes.dp_size;
    for (size_t k = 0; k < of->n_blocks && list; k++)
        for (size_t s = 0; s < of->blocks[k].n_steps; s++)
            list[at++] = (struct column){k, s * dp_size};
    return list;
}

static size_t step_at(const struct hc_step_structure *of, const struct column *step, size_t dp_size)
{
    return of->blocks[step->block].step[step->lane / dp_size];
}

/* Rows [n_ops][stride] of drawn columns out of rows [n_ops][its stride] of measured ones. */
static void gather(double *to, size_t stride, const struct column *drawn, size_t n_lanes,
                   const struct hc_step_structure *of, double *const *from)
{
    for (size_t p = 0; p < of->order.n_ops; p++) {
        double *row = to + p * stride;
        for (size_t l = 0; l < n_lanes; l++)
            row[l] = from[drawn[l].block][p * of->blocks[drawn[l].block].stride + drawn[l].lane];
        for (size_t l = n_lanes; l < stride; l++)
            row[l] = 0;
    }
}

/* Fill the next block of a structure with steps [first, first + n) of the list. */
static enum hc_status fill_block(struct drawing *d, size_t which, size_t to,
                                 const struct column *list, size_t n_list, size_t first, size_t n)
{
    const struct hc_step_structure *of = &d->lanes->base->lanes.structures[which];
    struct hc_step_lanes *lanes = &d->job->base->lanes;
    struct hc_step_structure *structure = &lanes->structures[to];
    size_t dp_size = (size_t)lanes->dp_size, k = structure->n_blocks++;
    struct hc_lane_block *block = &structure->blocks[k];
    struct column *drawn = hc_new_array(n * dp_size, sizeof *drawn, d->err);
    if (!drawn || hc_planned_block_new(block, of->order.n_ops, n, lanes->dp_size, d->err)) {
        free(drawn);
        return d->err->status;
    }
    for (size_t s = 0; s < n; s++) {
        block->step[s] = step_at(of, &list[first + s], (size_t)d->lanes->base->lanes.dp_size);
        for (size_t j = 0; j < dp_size; j++) {
            struct column column = list[draw_step(d, block->step[s], j, n_list)];
            column.lane += (size_t)d->rank[j];
            drawn[s * dp_size + j] = column;
        }
    }
    gather(block->duration, block->stride, drawn, block->n_lanes, of,
           d->lanes->rows.duration[which]);
    if (d->job->delays.duration) {
        size_t n_values = of->order.n_ops * block->stride;
        double *delays = hc_new_aligned(n_values, sizeof *delays, d->err);
        d->job->delays.duration[to][k] = delays;
        if (delays)
            gather(delays, block->stride, drawn, block->n_lanes, of,
                   d->lanes->delays.duration[which]);
    }
    free(drawn);
    return d->err->status;
}

static enum hc_status draw_structure(struct drawing *d, size_t which, size_t to)
{
    const struct hc_step_structure *of = &d->lanes->base->lanes.structures[which];
    struct hc_step_lanes *lanes = &d->job->base->lanes;
    struct hc_step_structure *structure = &lanes->structures[to];
    size_t n_steps = 0, dp_size = (size_t)lanes->dp_size;
    struct column *list = list_steps(d, of, &n_steps);
    size_t per_block = dp_size < TARGET_LANES ? TARGET_LANES / dp_size : 1;
    size_t n_blocks = (n_steps + per_block - 1) / per_block;
    enum hc_status status = list ? HC_OK : d->err->status;
    if (!status && !(status = hc_step_graph_copy(&structure->graph, &of->graph, d->err)))
        status = hc_step_structure_compile(structure, d->err);
    structure->blocks = hc_new_array(n_blocks, sizeof *structure->blocks, d->err);
    if (d->job->delays.duration)
        d->job->delays.duration[to] = hc_new_array(n_blocks, sizeof(double *), d->err);
    if (!status)
        status = d->err->status;
    for (size_t k = 0, first = 0; k < n_blocks && !status; k++) {
        size_t n = (n_steps - first) / (n_blocks - k);
        status = fill_block(d, which, to, list, n_steps, first, n);
        first += n;
    }
    free(list);
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

enum hc_status hc_job_extrapolate(struct hc_planned_job *job, const struct hc_edited_lanes *lanes,
                                  int32_t dp_size, uint64_t seed, struct hc_error *err)
{
    const struct hc_step_lanes *measured = &lanes->base->lanes;
    struct drawing d = {.job = job, .lanes = lanes, .seed = seed, .err = err};
    size_t n = 0;
    *job = (struct hc_planned_job){.base = NULL};
    if (hc_job_extrapolate_check(lanes->base, dp_size, err) ||
        hc_planned_job_start(job, lanes, dp_size, measured->n_stages, err))
        return err->status;
    enum hc_status status = draw_ranks(&d);
    for (size_t i = 0; i < measured->n_structures && !status; i++)
        if (measured->structures[i].n_blocks)
            status = draw_structure(&d, i, n++);
    free(d.rank);
    return status ? status : keep_ideals(&d);
}
