/* The exact slowdown of every worker against a plain event simulation of each worker on its own, on
 * random jobs and, where ../shared is there, on AR and ST. To the last bit: all times are whole
 * nanoseconds. Fix curves and Shapley values against the same simulation. */
#include "core/base/memory.h"
#include "core/random/philox.h"
#include "pipeline/inputs/source_input.h"
#include "sim/replay/ideal.h"
#include "sim/replay/step_lanes.h"
#include "sim/synth/step_synth.h"
#include "sim/whatif/whatif.h"
#include "tests/support/oracle.h"

#include <check.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#define N_RANDOM_JOBS 200
#define DEPTH         (HC_DEPTH_WORKERS | HC_DEPTH_FIXES | HC_DEPTH_SHAPLEY)

static struct hc_error err;
static const struct hc_whatif_options options = {
    .threshold = 0, .replay.max_bad = 0.01, .replay.threads = 1, .depth = DEPTH};

/* ---- jobs ---- */

typedef struct hc_step_trace *load_job(const void *source);

static struct hc_step_trace *load_synthetic(const void *source)
{
    struct hc_synth_steps *generator = NULL;
    struct hc_step_trace *trace = NULL;
    struct hc_table ops;
    ck_assert_msg(!hc_synth_steps_open(&generator, source, &err), "%s", err.message);
    ck_assert(!hc_table_init(&ops, &hc_ops_def, (size_t)hc_synth_steps_rows(generator), &err));
    ck_assert(!hc_synth_steps_next(generator, &ops, &err));
    ck_assert(!hc_step_trace_new(&trace, hc_synth_steps_job(generator), &err));
    ck_assert(!hc_step_trace_add(trace, &ops, &err));
    hc_synth_steps_close(generator);
    hc_table_fini(&ops);
    return trace;
}

static enum hc_status take_batch(const struct hc_table *ops, void *trace, struct hc_error *error)
{
    return hc_step_trace_add(trace, ops, error);
}

static struct hc_step_trace *load_file(const void *path)
{
    struct hc_trace_options trace_options = {.max_bad = 0.01};
    struct hc_source_input input;
    struct hc_step_trace *trace = NULL;
    ck_assert_msg(!hc_source_input_open(&input, path, &trace_options, &err), "%s", err.message);
    ck_assert(!hc_step_trace_new(&trace, &input.job, &err));
    ck_assert(!hc_source_input_read(&input, take_batch, trace, &err));
    hc_source_input_close(&input);
    return trace;
}

/* ---- the plain simulation ---- */

/* Which ops keep their traced durations. */
typedef bool is_traced(const struct hc_step_structure *structure, size_t position, size_t dp_rank,
                       const void *context);

struct plain {
    double *end_ns, *span_ns; /* [n_steps] */
};

static void simulate_step(const struct hc_step_lanes *lanes,
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

static void simulate(const struct hc_step_lanes *lanes, is_traced *traced, const void *context,
                     struct plain *plain)
{
    for (size_t i = 0; i < lanes->n_structures; i++)
        for (size_t b = 0; b < lanes->structures[i].n_blocks; b++)
            for (size_t k = 0; k < lanes->structures[i].blocks[b].n_steps; k++)
                simulate_step(lanes, &lanes->structures[i], &lanes->structures[i].blocks[b], k,
                              traced, context, plain);
}

static bool is_worker(const struct hc_step_structure *structure, size_t position, size_t dp_rank,
                      const void *context)
{
    const struct hc_worker *worker = context;
    return (size_t)worker->dp_rank == dp_rank && structure->stage[position] == worker->stage;
}

struct fixed {
    const struct hc_fix_curve *curve;
    size_t n;
    int32_t n_stages;
};

static bool is_not_fixed_worker(const struct hc_step_structure *structure, size_t position,
                                size_t dp_rank, const void *context)
{
    const struct fixed *fixed = context;
    int32_t worker = (int32_t)dp_rank * fixed->n_stages + structure->stage[position];
    for (size_t i = 0; i < fixed->n; i++)
        if (fixed->curve->order[i] == worker)
            return false;
    return true;
}

static bool is_not_fixed_stage(const struct hc_step_structure *structure, size_t position,
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

static void compare_workers(const struct hc_step_lanes *lanes, const struct hc_whatif_result *r,
                            struct plain *plain)
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

static void compare_curve(const struct hc_step_lanes *lanes, const struct hc_whatif_result *r,
                          enum hc_fix_kind kind, struct plain *plain)
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
static void check_worker_order(const struct hc_whatif_result *r)
{
    const struct hc_fix_curve *curve = &r->depth.fixes[HC_FIX_WORKERS];
    for (size_t i = 1; i < curve->n_groups; i++) {
        const struct hc_worker *a = &r->workers[curve->order[i - 1]];
        const struct hc_worker *b = &r->workers[curve->order[i]];
        ck_assert(a->exact > b->exact || (a->exact == b->exact && a->rank < b->rank));
    }
}

static void check_shapley(const struct hc_whatif_result *r)
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

static void compare_job(load_job *load, const void *source)
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

/* ---- tests ---- */

static struct hc_synth_steps_options draw_job(uint32_t number)
{
    uint32_t draw[4];
    struct hc_synth_steps_options job = hc_synth_steps_defaults();
    hc_philox4x32((const uint32_t[4]){number, 1, 0, 0}, (const uint32_t[2]){2026, 3}, draw);
    job.job_id = "random";
    job.seed = number;
    job.pp = 1 + (int32_t)(draw[0] % 4);
    job.vpp = job.pp > 1 ? 1 + (int32_t)(draw[0] >> 8 & 1) : 1;
    job.dp = 1 + (int32_t)(draw[1] % 4);
    job.dsp = 1 + (int32_t)(draw[1] >> 8 & 1);
    job.overlap_dp = job.dp * job.dsp > 1 && draw[1] >> 16 & 1;
    job.microbatches = job.pp * (1 + (int32_t)(draw[2] % 2));
    job.n_steps = 1 + (int32_t)(draw[2] >> 8 & 3);
    job.loss_factor = 1 + (double)(draw[3] % 100) / 100;
    return job;
}

START_TEST(test_random_jobs)
{
    for (uint32_t number = 0; number < N_RANDOM_JOBS; number++) {
        struct hc_synth_steps_options job = draw_job(number);
        struct hc_synth_slow slow = {.dp_rank = (int32_t)(number % (uint32_t)job.dp),
                                     .stage = (int32_t)(number / 7 % (uint32_t)job.pp),
                                     .factor = 1.5};
        job.slow = &slow;
        job.n_slow = number % 3 > 0;
        compare_job(load_synthetic, &job);
    }
}
END_TEST

START_TEST(test_published_jobs)
{
    const char *shared = getenv("HINDCAST_SHARED");
    static const char *const names[] = {"AR", "ST"};
    for (size_t i = 0; i < 2; i++) {
        char path[4096];
        snprintf(path, sizeof path, "%s/data/bytedance-straggler/data/trace-%s.parquet",
                 shared ? shared : "../shared", names[i]);
        if (access(path, R_OK)) {
            printf("test_worker_slowdowns: skipped %s: '%s' is not there\n", names[i], path);
            continue;
        }
        compare_job(load_file, path);
    }
}
END_TEST

int main(void)
{
    Suite *suite = suite_create("worker_slowdowns");
    TCase *tests = tcase_create("all");
    tcase_set_timeout(tests, 300);
    tcase_add_test(tests, test_random_jobs);
    tcase_add_test(tests, test_published_jobs);
    suite_add_tcase(suite, tests);
    SRunner *runner = srunner_create(suite);
    srunner_run_all(runner, CK_ENV);
    int failed = srunner_ntests_failed(runner);
    srunner_free(runner);
    return failed != 0;
}
