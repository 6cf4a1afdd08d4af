#include "sim/replay/ideal.h"

#include "core/base/memory.h"
#include "core/base/select.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

bool hc_ideal_is_mean(int op_type)
{
    return hc_op_is_pass(op_type) || op_type == HC_OPTIMIZER || op_type == HC_GC;
}

/* Sums of durations, each up to 2^52 ns, must not wrap. */
__extension__ typedef __int128 wide_int;

/* sum_ns / n to the nearest nanosecond, halves up. */
static int64_t rounded_mean(wide_int sum_ns, int64_t n)
{
    int64_t quotient = (int64_t)(sum_ns / n), rest = (int64_t)(sum_ns % n);
    return quotient + (rest >= n - rest);
}

/* Call the function for each row of durations of an op type, over all blocks: the n lanes of one
 * op. */
static void each_row(const struct hc_step_lanes *lanes, int op_type,
                     void (*take)(const double *values, size_t n, void *context), void *context)
{
    for (size_t i = 0; i < lanes->n_structures; i++) {
        const struct hc_step_structure *structure = &lanes->structures[i];
        for (size_t k = 0; k < structure->n_blocks; k++) {
            const struct hc_lane_block *block = &structure->blocks[k];
            for (size_t p = 0; p < structure->order.n_ops; p++)
                if (structure->op_type[p] == op_type)
                    take(block->duration + p * block->stride, block->n_lanes, context);
        }
    }
}

static void add_to_sum(const double *values, size_t n, void *context)
{
    wide_int *sum_ns = context;
    for (size_t l = 0; l < n; l++)
        *sum_ns += (int64_t)values[l];
}

struct pool {
    double *values;
    size_t n;
};

static void add_to_pool(const double *values, size_t n, void *context)
{
    struct pool *pool = context;
    memcpy(pool->values + pool->n, values, n * sizeof *values);
    pool->n += n;
}

static int64_t mean_of(const struct hc_step_lanes *lanes, int op_type, int64_t n)
{
    wide_int sum_ns = 0;
    each_row(lanes, op_type, add_to_sum, &sum_ns);
    return rounded_mean(sum_ns, n);
}

static int64_t median_of(const struct hc_step_lanes *lanes, int op_type, double *values)
{
    struct pool pool = {values, 0};
    each_row(lanes, op_type, add_to_pool, &pool);
    return (int64_t)floor(hc_median(values, pool.n) + 0.5);
}

static void count_rows(const struct hc_step_lanes *lanes, int64_t *n)
{
    for (size_t i = 0; i < lanes->n_structures; i++) {
        const struct hc_step_structure *structure = &lanes->structures[i];
        int64_t n_lanes = 0;
        for (size_t k = 0; k < structure->n_blocks; k++)
            n_lanes += (int64_t)structure->blocks[k].n_lanes;
        for (size_t p = 0; p < structure->order.n_ops; p++)
            n[structure->op_type[p]] += n_lanes;
    }
}

enum hc_status hc_ideals_find(struct hc_ideals *ideals, struct hc_step_lanes *lanes,
                              struct hc_error *err)
{
    memset(ideals, 0, sizeof *ideals);
    count_rows(lanes, ideals->n);
    int64_t most = 0;
    for (int type = 0; type < HC_N_OP_TYPES; type++)
        if (!hc_ideal_is_mean(type) && ideals->n[type] > most)
            most = ideals->n[type];
    double *values = hc_new_aligned((size_t)most, sizeof *values, err);
    if (!values)
        return err->status;
    for (int type = 0; type < HC_N_OP_TYPES; type++) {
        if (!ideals->n[type])
            continue;
        ideals->duration_ns[type] = hc_ideal_is_mean(type) ? mean_of(lanes, type, ideals->n[type])
                                                           : median_of(lanes, type, values);
        ideals->has_negative |= ideals->duration_ns[type] < 0;
    }
    free(values);
    for (size_t i = 0; i < lanes->n_structures; i++) {
        struct hc_step_structure *structure = &lanes->structures[i];
        for (size_t p = 0; p < structure->order.n_ops; p++)
            structure->ideal[p] = (double)ideals->duration_ns[structure->op_type[p]];
    }
    return HC_OK;
}
