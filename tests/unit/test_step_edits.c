/* Edits of step timelines, each held against what is made without the shortcuts of sim/edits: lanes
 * whose durations are written over and pooled, sorted and swept anew. */
#include "core/random/stable_math.h"
#include "core/random/stable_rows.h"
#include "sim/edits/edited_replay.h"
#include "sim/edits/remedies/multiway_partition.h"
#include "sim/edits/stopped_step.h"
#include "sim/synth/step_synth.h"
#include "tests/support/edited_times.h"

#include <check.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

static struct hc_error err;

/* ---- a job ---- */

static struct hc_replay_base *make_base(int32_t dp, int32_t pp, int32_t vpp, uint64_t seed)
{
    struct hc_synth_steps_options options = hc_synth_steps_defaults();
    struct hc_synth_steps *generator = NULL;
    struct hc_step_trace *trace = NULL;
    struct hc_replay_base *base = NULL;
    struct hc_table ops;
    struct hc_job job;
    options.dp = dp;
    options.pp = pp;
    options.vpp = vpp;
    options.microbatches = 2 * pp;
    options.n_steps = 5;
    options.seed = seed;
    ck_assert(!hc_synth_steps_open(&generator, &options, &err));
    ck_assert(!hc_table_init(&ops, &hc_ops_def, 4096, &err));
    ck_assert(!hc_job_init(&job, "edited", &err));
    ck_assert(!hc_step_trace_new(&trace, &job, &err));
    do {
        ops.n_rows = 0;
        ck_assert(!hc_synth_steps_next(generator, &ops, &err));
        ck_assert(!hc_step_trace_add(trace, &ops, &err));
    } while (ops.n_rows);
    const struct hc_replay_options replay = {.max_bad = 0};
    ck_assert_msg(!hc_replay_base_new(&base, trace, &replay, &err), "%s", err.message);
    hc_table_fini(&ops);
    hc_job_fini(&job);
    hc_step_trace_free(trace);
    hc_synth_steps_close(generator);
    return base;
}

static int32_t one_worker[1][2] = {{1, 1}};

/* Of every kind that changes durations, and mixtures of compute and transfers. */
static size_t make_edits(struct hc_edit edits[8], uint64_t seed)
{
    size_t n = 0;
    double factor = 1 + (double)(seed % 7) / 10;
    edits[n++] = (struct hc_edit){.name = "worker",
                                  .kind = HC_EDIT_SCALE,
                                  .value = hc_distribution_constant(factor),
                                  .select = {.n_workers = 1, .workers = one_worker}};
    edits[n++] = (struct hc_edit){.name = "drawn",
                                  .kind = HC_EDIT_SCALE,
                                  .value = hc_distribution_lognormal_mean(1.1, 0.2),
                                  .select = {.is_random = true, .probability = 0.3, .stream = 5},
                                  .stream = 9};
    edits[n++] = (struct hc_edit){
        .name = "more",
        .kind = HC_EDIT_ADD,
        .value = hc_distribution_constant(0.0012345),
        .select = {.op_types = 1u << HC_FORWARD_SEND | 1u << HC_GRADS_REDUCE_SCATTER}};
    edits[n++] = (struct hc_edit){.name = "cap", .kind = HC_EDIT_CAP, .cap_s = 0.11};
    edits[n++] = (struct hc_edit){
        .name = "median",
        .kind = HC_EDIT_REPLACE,
        .select = {.has_outliers = true, .mad = 2, .outliers_by = HC_CLASS_OP | HC_CLASS_WORKER},
        .replace = {.how = HC_REPLACE_MEDIAN, .by = HC_CLASS_OP | HC_CLASS_STAGE}};
    edits[n++] = (struct hc_edit){.name = "swap", .kind = HC_EDIT_SWAP, .swap = {{0, 0}, {1, 1}}};
    return n;
}

/* ---- without shortcuts ---- */

static double sum_of(const double *values, size_t n)
{
    double sum = 0;
    for (size_t i = 0; i < n; i++)
        sum += values[i];
    return sum;
}

/* Write the edited durations over those of the job, and find ideal and spans as the what-if does.
 */
static void check_plainly(struct hc_replay_base *base, const struct hc_edited_lanes *lanes,
                          const struct hc_edited_times *times)
{
    struct hc_step_lanes *all = &base->lanes;
    struct hc_ideals ideals;
    int64_t span_ns[5], end_ns[5];
    for (size_t i = 0; i < all->n_structures; i++)
        for (size_t k = 0; k < all->structures[i].n_blocks; k++) {
            struct hc_lane_block *block = &all->structures[i].blocks[k];
            memcpy(block->duration, lanes->rows.duration[i][k],
                   all->structures[i].order.n_ops * block->stride * sizeof(double));
        }
    ck_assert(!hc_ideals_find(&ideals, all, &err));
    ck_assert(!hc_sweep_ideal(all, true, &err));
    const struct hc_counterfactuals sweeps = {.lanes = all, .has_negative = true};
    const struct hc_counterfactual replayed = {
        .kind = HC_SWEEP_REPLAYED, .end_ns = end_ns, .span_ns = span_ns};
    ck_assert(!hc_counterfactuals_run(&sweeps, &replayed, 1, &err));
    for (size_t s = 0; s < all->n_steps; s++) {
        ck_assert_double_eq(times->span[s], (double)span_ns[s]);
        ck_assert_double_eq(times->end[s], (double)end_ns[s]);
        ck_assert_double_eq(times->ideal_end[s], all->structures[0].ideal_end);
        ck_assert_double_eq(times->ideal_span[s], all->structures[0].ideal_span);
    }
}

START_TEST(edited_steps_are_those_of_lanes_written_over)
{
    static const int32_t shapes[][3] = {{2, 2, 1}, {3, 4, 1}, {2, 2, 2}, {5, 3, 1}};
    const int32_t *shape = shapes[_i % 4];
    struct hc_replay_base *base = make_base(shape[0], shape[1], shape[2], (uint64_t)_i);
    struct hc_edit edits[8];
    struct hc_edited_lanes lanes;
    struct hc_edited_times times;
    const struct hc_edit_draws draws = {7, 11, (uint32_t)_i};
    size_t n = make_edits(edits, (uint64_t)_i), failed = 0;
    edited_times_init(&times, base->lanes.n_steps);
    ck_assert_msg(!hc_edited_lanes_make(&lanes, base, edits, n, &draws, &failed, &err), "%s",
                  err.message);
    for (size_t i = 0; i < n; i++)
        ck_assert_int_gt(lanes.n_selected[i], 0);
    ck_assert(!hc_edited_replay(&times, &lanes, &err));
    ck_assert_double_gt(sum_of(times.span, base->lanes.n_steps), 0);
    check_plainly(base, &lanes, &times);
    hc_edited_lanes_fini(&lanes);
    edited_times_fini(&times);
    hc_replay_base_free(base);
}
END_TEST

/* Lanes that were edited and given back are as they were measured. */
START_TEST(edits_leave_nothing_behind)
{
    struct hc_replay_base *base = make_base(2, 2, 1, 3);
    struct hc_edit edits[8];
    size_t n = make_edits(edits, 3), failed = 0, n_steps = base->lanes.n_steps;
    for (uint32_t draw = 0; draw < 4; draw++) {
        struct hc_edited_lanes lanes;
        struct hc_edited_times times;
        const struct hc_edit_draws draws = {1, 2, draw};
        edited_times_init(&times, n_steps);
        ck_assert(
            !hc_edited_lanes_make(&lanes, base, edits, draw % 2 ? n : 0, &draws, &failed, &err));
        ck_assert(!hc_edited_replay(&times, &lanes, &err));
        for (size_t s = 0; s < n_steps && draw % 2 == 0; s++) {
            ck_assert_double_eq(times.span[s], (double)base->span_ns[s]);
            ck_assert_double_eq(times.ideal_end[s], (double)base->ideal_end_ns[s]);
        }
        hc_edited_lanes_fini(&lanes);
        edited_times_fini(&times);
    }
    hc_replay_base_free(base);
}
END_TEST

/* Launches that are all later by one time, and a pause as delay, move the end and not the ideal. */
START_TEST(delays_are_in_no_ideal)
{
    struct hc_replay_base *base = make_base(2, 3, 1, 4);
    struct hc_edit late = {.name = "late",
                           .kind = HC_EDIT_PAUSE,
                           .pause_as = HC_PAUSE_DELAY,
                           .value = hc_distribution_constant(0.01),
                           .select = {.op_types = 1u << HC_FORWARD_COMPUTE}};
    struct hc_edit longer = late;
    struct hc_edited_times delayed, prolonged;
    struct hc_edited_lanes lanes;
    const struct hc_edit_draws draws = {1, 1, 0};
    size_t failed = 0, n = base->lanes.n_steps;
    longer.pause_as = HC_PAUSE_DURATION;
    edited_times_init(&delayed, n);
    edited_times_init(&prolonged, n);
    ck_assert(!hc_edited_lanes_make(&lanes, base, &late, 1, &draws, &failed, &err));
    ck_assert(!hc_edited_replay(&delayed, &lanes, &err));
    hc_edited_lanes_fini(&lanes);
    ck_assert(!hc_edited_lanes_make(&lanes, base, &longer, 1, &draws, &failed, &err));
    ck_assert(!hc_edited_replay(&prolonged, &lanes, &err));
    hc_edited_lanes_fini(&lanes);
    for (size_t s = 0; s < n; s++) {
        ck_assert_double_eq(delayed.end[s], prolonged.end[s]);
        ck_assert_double_gt(delayed.end[s], (double)base->end_ns[s]);
        ck_assert_double_eq(delayed.ideal_end[s], (double)base->ideal_end_ns[s]);
        ck_assert_double_gt(prolonged.ideal_end[s], (double)base->ideal_end_ns[s]);
    }
    edited_times_fini(&delayed);
    edited_times_fini(&prolonged);
    hc_replay_base_free(base);
}
END_TEST

/* ---- a worker that stops ---- */

/* The reference: ends of ops one by one over the graph, what never ends being infinite. */
static double last_by_hand(const struct hc_replay_base *base, size_t dp_rank, double at_ns)
{
    const struct hc_step_structure *of = &base->lanes.structures[0];
    const struct hc_lane_block *block = &of->blocks[0];
    size_t n = of->order.n_ops, width = (size_t)base->lanes.dp_size;
    double *end = calloc(n * width, sizeof *end), last = 0;
    for (int round = 0; round < 2; round++) /* as it is; then with what has not ended */
        for (size_t j = 0; j < of->order.n_nodes; j++) {
            const struct hc_op_order_node *node = &of->order.nodes[j];
            double latest[16] = {0}, all = 0;
            for (size_t d = 0; d < width; d++) {
                for (uint32_t m = 0; m < node->n_ops; m++) {
                    uint32_t op = of->order.op_at[node->first_position + m];
                    for (uint32_t k = of->graph.dep_begin[op]; k < of->graph.dep_begin[op + 1]; k++)
                        latest[d] =
                            fmax(latest[d], end[of->order.position[of->graph.dep[k]] * width + d]);
                }
                all = fmax(all, latest[d]);
            }
            for (uint32_t m = 0; m < node->n_ops; m++)
                for (size_t d = 0; d < width; d++) {
                    size_t p = node->first_position + m;
                    double *to = &end[p * width + d];
                    double is = (node->is_synced ? all : latest[d]) +
                                block->duration[p * block->stride + d];
                    bool never = round && d == dp_rank && *to > at_ns;
                    *to = never ? INFINITY : is;
                }
        }
    for (size_t p = 0; p < n; p++)
        for (size_t d = 0; d < width; d++)
            if (d != dp_rank && isfinite(end[p * width + d]))
                last = fmax(last, end[p * width + d]);
    free(end);
    return last;
}

START_TEST(others_go_on_until_they_wait)
{
    struct hc_replay_base *base = make_base(3, 1, 1, (uint64_t)_i);
    int32_t range[1][2] = {{1, 1}};
    const struct hc_selector rank = {.dp_ranks = {.n = 1, .range = range}}, all = {.op_types = 0};
    struct hc_stopped_step stopped;
    double at_s = (double)base->span_ns[0] * 1e-9 * (0.1 + 0.2 * _i);
    ck_assert_msg(!hc_stopped_step_find(&stopped, base, &rank, at_s, 600, &err), "%s", err.message);
    double last_s = last_by_hand(base, 1, at_s * 1e9) / 1e9;
    ck_assert_double_eq(stopped.last_completed_s, last_s);
    ck_assert_double_eq(stopped.stops_s, last_s + 600);
    ck_assert_double_eq(stopped.lost_s, stopped.stops_s);
    ck_assert_int_eq(stopped.step, base->lanes.steps[0]);
    ck_assert_int_eq(hc_stopped_step_find(&stopped, base, &all, at_s, 600, &err), HC_BAD_INPUT);
    ck_assert_int_eq(hc_stopped_step_find(&stopped, base, &rank, 1e6, 600, &err), HC_BAD_INPUT);
    hc_replay_base_free(base);
}
END_TEST

/* ---- partitions ---- */

/* The least fullest bin over all ways to deal n items to n_bins. */
static double best_of(const double *cost, size_t n, size_t n_bins, bool are_equal)
{
    double best = INFINITY;
    size_t n_ways = 1;
    for (size_t i = 0; i < n; i++)
        n_ways *= n_bins;
    for (size_t way = 0; way < n_ways; way++) {
        double sum[4] = {0}, fullest = 0;
        size_t count[4] = {0}, left = way;
        for (size_t i = 0; i < n; i++, left /= n_bins) {
            sum[left % n_bins] += cost[i];
            count[left % n_bins]++;
        }
        bool is_allowed = true;
        for (size_t b = 0; b < n_bins; b++) {
            fullest = fmax(fullest, sum[b]);
            is_allowed = is_allowed && (!are_equal || count[b] * n_bins == n);
        }
        if (is_allowed)
            best = fmin(best, fullest);
    }
    return best;
}

START_TEST(partitions_are_near_the_best)
{
    struct hc_philox rng;
    hc_philox_seek(&rng, 5, (uint64_t)_i, 0);
    size_t n_bins = 2 + (size_t)_i % 2, n = n_bins * 3, bin[9];
    bool are_equal = _i % 4 < 2;
    double cost[9], sum[4] = {0}, fullest = 0;
    size_t count[4] = {0};
    for (size_t i = 0; i < n; i++)
        cost[i] = floor(1 + 20 * hc_philox_uniform(&rng));
    ck_assert(!hc_multiway_partition(cost, n, n_bins, are_equal, bin, &err));
    for (size_t i = 0; i < n; i++) {
        ck_assert_uint_lt(bin[i], n_bins);
        sum[bin[i]] += cost[i];
        count[bin[i]]++;
    }
    for (size_t b = 0; b < n_bins; b++) {
        fullest = fmax(fullest, sum[b]);
        ck_assert(!are_equal || count[b] == n / n_bins);
    }
    double best = best_of(cost, n, n_bins, are_equal);
    ck_assert_double_ge(best, hc_partition_bound(cost, n, n_bins) - 1e-9);
    ck_assert_double_ge(fullest, best);
    ck_assert_double_le(fullest, best * 1.25); /* differencing is no search */
}
END_TEST

/* ---- rows ---- */

START_TEST(rows_have_the_bits_of_single_values)
{
    enum { N = 1001 };
    static double drawn[2 * N], first[N], second[N], value[N];
    static uint64_t block[N];
    struct hc_philox rng;
    for (size_t i = 0; i < N; i++)
        block[i] = i * 3 + (i % 7 == 0 ? (uint64_t)1 << 40 : 0);
    hc_philox_rows(99, 12345678901u, block, N, drawn);
    for (size_t i = 0; i < N; i++) {
        first[i] = drawn[2 * i];
        second[i] = drawn[2 * i + 1];
        hc_philox_seek(&rng, 99, 12345678901u, block[i]);
        ck_assert_double_eq(first[i], hc_open_uniform(&rng));
        ck_assert_double_eq(second[i], hc_open_uniform(&rng));
    }
    memcpy(value, first, sizeof value);
    value[0] = 0x1p-53;
    value[1] = 1 - 0x1p-53;
    memcpy(first, value, sizeof first);
    hc_normal_row(value, N);
    for (size_t i = 0; i < N; i++)
        ck_assert_double_eq(value[i], hc_normal_quantile(first[i]));
    for (size_t i = 0; i < N; i++)
        value[i] = (second[i] - 0.5) * 1600; /* beyond both ends of the numbers */
    memcpy(second, value, sizeof second);
    hc_exp_row(value, N);
    for (size_t i = 0; i < N; i++)
        ck_assert_double_eq(value[i], hc_stable_exp(second[i]));
    memcpy(value, first, sizeof value);
    hc_log_row(value, N);
    for (size_t i = 0; i < N; i++)
        ck_assert_double_eq(value[i], hc_stable_log(first[i]));
}
END_TEST

START_TEST(drawn_rows_are_drawn_values)
{
    const struct hc_distribution all[] = {
        hc_distribution_exponential(2), hc_distribution_lognormal_p99(3, 9),
        hc_distribution_weibull_mean(5, 0.7), hc_distribution_gamma_mean(2, 3)};
    for (size_t d = 0; d < sizeof all / sizeof *all; d++) {
        double above[64], value[64];
        for (size_t i = 0; i < 64; i++)
            value[i] = above[i] = ((double)i + 0.5) / 64;
        hc_distribution_exceeded_row(&all[d], value, 64);
        for (size_t i = 0; i < 64; i++)
            ck_assert_double_eq(value[i], hc_distribution_exceeded(&all[d], above[i]));
    }
}
END_TEST

int main(void)
{
    Suite *suite = suite_create("step edits");
    TCase *edits = tcase_create("edits"), *rows = tcase_create("rows");
    tcase_add_loop_test(edits, edited_steps_are_those_of_lanes_written_over, 0, 24);
    tcase_add_test(edits, edits_leave_nothing_behind);
    tcase_add_test(edits, delays_are_in_no_ideal);
    tcase_add_loop_test(edits, others_go_on_until_they_wait, 0, 5);
    tcase_add_loop_test(rows, partitions_are_near_the_best, 0, 40);
    tcase_add_test(rows, rows_have_the_bits_of_single_values);
    tcase_add_test(rows, drawn_rows_are_drawn_values);
    suite_add_tcase(suite, edits);
    suite_add_tcase(suite, rows);
    SRunner *runner = srunner_create(suite);
    srunner_run_all(runner, CK_NORMAL);
    int n_failed = srunner_ntests_failed(runner);
    srunner_free(runner);
    return n_failed != 0;
}
