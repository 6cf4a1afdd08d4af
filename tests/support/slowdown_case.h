/* slowdown_case.h - judge the what-if of a job by a plain event simulation: of each worker on its
 * own for the exact slowdowns, of what is mended for fix curves and Shapley values. To the last
 * bit: all times are whole nanoseconds.
 */
#ifndef HC_TESTS_SUPPORT_SLOWDOWN_CASE_H
#define HC_TESTS_SUPPORT_SLOWDOWN_CASE_H

#include "core/base/memory.h"
#include "sim/replay/ideal.h"
#include "sim/replay/step_lanes.h"
#include "sim/whatif/whatif.h"
#include "tests/support/oracle.h"

#include <check.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define DEPTH (HC_DEPTH_WORKERS | HC_DEPTH_FIXES | HC_DEPTH_SHAPLEY)

static struct hc_error err;
static const struct hc_whatif_options options = {
    .threshold = 0, .replay.max_bad = 0.01, .replay.threads = 1, .depth = DEPTH};

/* Gives the trace of a job, from what the caller of compare_job names. */
typedef struct hc_step_trace *load_job(const void *source);

/* ---- the plain simulation ---- */

/* Which ops keep their traced durations. */
typedef bool is_traced(const struct hc_step_structure *structure, size_t position, size_t dp_rank,
                       const void *context);

struct plain {
    double *end_ns, *span_ns; /* [n_steps] */
};

static inline void simulate_step(const struct hc_step_lanes *lanes,
                                 const struct hc_step_structure *structure,
                                 const struct hc_lane_block *block, size_t k, is_traced *traced,
                                 const void *context, struct plain *plain)
{
    size_t dp_size = (size_t)lanes->dp_size, n_ops = structure->order.n_ops;
    double *duration = hc_new_array(n_ops * dp_size, sizeof *duration, &err);
    for (size_t p = 0; p < n_ops; p++)
        for (size_t d = 0; d < dp_size; d++)
            duration[structure->order.op_at[p] * dp_size + d] =
                traced(structure, p, d, context)
                    ? block->duration[p * block->stride + k * dp_size + d]
                    : structure->ideal[p];
    struct hc_oracle_step step = {&structure->graph, dp_size, duration, NULL};
    struct hc_oracle_times times = {0};
    ck_assert(!hc_oracle_run(&step, &times, &err));
    plain->end_ns[block->step[k]] = times.end;
    plain->span_ns[block->step[k]] = times.span_end - times.span_start;
    free(duration);
}

static inline void simulate(const struct hc_step_lanes *lanes, is_traced *traced,
                            const void *context, struct plain *plain)
{
    for (size_t i = 0; i < lanes->n_structures; i++)
        for (size_t b = 0; b < lanes->structures[i].n_blocks; b++)
            for (size_t k = 0; k < lanes->structures[i].blocks[b].n_steps; k++)
                simulate_step(lanes, &lanes->structures[i], &lanes->structures[i].blocks[b], k,
                              traced, context, plain);
}

static inline bool is_worker(const struct hc_step_structure *structure, size_t position,
                             size_t dp_rank, const void *context)
{
    const struct hc_worker *worker = context;
    return (size_t)worker->dp_rank == dp_rank && structure->stage[position] == worker->stage;
}

struct fixed {
    const struct hc_fix_curve *curve;
    size_t n;
    int32_t n_stages;
};

static inline bool is_not_fixed_worker(const struct hc_step_structure *structure, size_t position,
                                       size_t dp_rank, const void *context)
{
    const struct fixed *fixed = context;
    int32_t worker = (int32_t)dp_rank * fixed->n_stages + structure->stage[position];
    for (size_t i = 0; i < fixed->n; i++)
        if (fixed->curve->order[i] == worker)
            return false;
    return true;
}

static inline bool is_not_fixed_stage(const struct hc_step_structure *structure, size_t position,
                                      size_t dp_rank, const void *context)
{
    const struct fixed *fixed = context;
    (void)dp_rank;
    for (size_t i = 0; i < fixed->n; i++)
        if (fixed->curve->order[i] == structure->stage[position])
            return false;
    return true;
}

/* ---- comparing ---- */

static inline void compare_workers(const struct hc_step_lanes *lanes,
                                   const struct hc_whatif_result *r, struct plain *plain)
{
    for (size_t w = 0; w < r->n_workers; w++) {
        simulate(lanes, is_worker, &r->workers[w], plain);
        double sum = 0, ideal = 0;
        for (size_t s = 0; s < r->n_steps; s++) {
            ck_assert_int_eq(r->worker_end_ns[w * r->n_steps + s], (int64_t)plain->end_ns[s]);
            sum += plain->end_ns[s];
            ideal += (double)r->ideal_end_ns[s];
        }
        ck_assert_double_eq(r->workers[w].exact, sum / ideal);
    }
}

static inline void compare_curve(const struct hc_step_lanes *lanes,
                                 const struct hc_whatif_result *r, enum hc_fix_kind kind,
                                 struct plain *plain)
{
    const struct hc_fix_curve *curve = &r->depth.fixes[kind];
    for (size_t i = 0; i < curve->n_points; i++) {
        struct fixed fixed = {curve, curve->points[i].n_fixed, r->pp_size};
        simulate(lanes, kind == HC_FIX_WORKERS ? is_not_fixed_worker : is_not_fixed_stage, &fixed,
                 plain);
        double sum = 0;
        for (size_t s = 0; s < r->n_steps; s++)
            sum += plain->span_ns[s];
        ck_assert_double_eq_tol(curve->points[i].step_s, sum / 1e9 / (double)r->n_steps,
                                1e-12 * curve->points[i].step_s);
    }
    ck_assert_uint_eq(curve->points[0].n_fixed, 0);
    ck_assert_uint_eq(curve->points[curve->n_points - 1].n_fixed, curve->n_groups);
}

/* Worst first, equal ones by rank: whom to fix first does not depend on how workers are stored. */
static inline void check_worker_order(const struct hc_whatif_result *r)
{
    const struct hc_fix_curve *curve = &r->depth.fixes[HC_FIX_WORKERS];
    for (size_t i = 1; i < curve->n_groups; i++) {
        const struct hc_worker *a = &r->workers[curve->order[i - 1]];
        const struct hc_worker *b = &r->workers[curve->order[i]];
        ck_assert(a->exact > b->exact || (a->exact == b->exact && a->rank < b->rank));
    }
}

static inline void check_shapley(const struct hc_whatif_result *r)
{
    const struct hc_shapley *shapley = &r->depth.shapley;
    double sum = 0;
    size_t n_types = 0;
    ck_assert(shapley->done);
    for (size_t g = 0; g < shapley->n_groups; g++) {
        sum += shapley->groups[g].seconds;
        n_types += shapley->groups[g].n_types;
    }
    ck_assert_uint_eq(n_types, r->blocking[HC_BY_OP_TYPE].n_groups);
    ck_assert_double_eq_tol(sum, r->replayed_s - r->ideal_s, 1e-9 * r->replayed_s);
}

static inline void compare_job(load_job *load, const void *source)
{
    struct hc_step_lanes lanes;
    struct hc_ideals ideals;
    struct hc_whatif_result result;
    struct hc_step_trace *trace = load(source);
    ck_assert_msg(!hc_whatif_run(&result, trace, &options, &err), "%s", err.message);
    hc_step_trace_free(trace);
    trace = load(source);
    ck_assert(!hc_step_lanes_build(&lanes, trace, &options.replay, &err));
    ck_assert(!hc_ideals_find(&ideals, &lanes, &err));
    struct plain plain = {hc_new_array(lanes.n_steps, sizeof(double), &err),
                          hc_new_array(lanes.n_steps, sizeof(double), &err)};
    compare_workers(&lanes, &result, &plain);
    compare_curve(&lanes, &result, HC_FIX_WORKERS, &plain);
    compare_curve(&lanes, &result, HC_FIX_STAGES, &plain);
    check_worker_order(&result);
    check_shapley(&result);
    free(plain.end_ns);
    free(plain.span_ns);
    hc_step_lanes_fini(&lanes);
    hc_step_trace_free(trace);
    hc_whatif_result_fini(&result);
}

#endif
