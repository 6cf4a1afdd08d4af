/* A slow part that is slow in part of the time or of its ops acts there and nowhere else. */
#include "core/random/philox.h"
#include "sim/synth/step_synth.h"
#include "tests/support/synth_pair.h"
#include "tests/support/synth_rules.h"
#include "tests/support/synth_run.h"

#include <check.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

enum { DP = 2, PP = 4, MICROBATCHES = 8, STEPS = 60, FIRST = 100 };

static struct hc_synth_steps_options defaults(int vpp)
{
    struct hc_synth_steps_options o = hc_synth_steps_defaults();
    o.dp = DP;
    o.pp = PP;
    o.vpp = vpp;
    o.microbatches = MICROBATCHES;
    o.n_steps = STEPS;
    o.first_step = FIRST;
    o.step_stride = 1;
    o.seed = 17;
    return o;
}

/* How many times as long an op takes as without what is planted: 1 or the factor, within the
 * rounding of both to whole nanoseconds. */
static bool is_slow(const struct pair *pair, size_t i, double factor)
{
    double healthy = taken(&pair->healthy[i]), sick = taken(&pair->sick[i]);
    bool slow = fabs(sick - healthy) > 0.5;
    ck_assert_double_eq_tol(sick, healthy * (slow ? factor : 1), slow ? factor : 0.5);
    return slow;
}

static struct pair planted(const struct hc_synth_slow *slow, int vpp)
{
    struct hc_synth_steps_options o = defaults(vpp), with = o;
    with.slow = slow;
    with.n_slow = 1;
    return pair_of(&o, &with);
}

static bool is_compute(const struct rule_row *row)
{
    return hc_op_is_pass(row->type) || row->type == HC_OPTIMIZER;
}

static bool is_worker(const struct rule_row *row)
{
    return row->dp == 1 && row->stage == 2;
}

#define WORKER(...)                                                                                \
    {                                                                                              \
        1, 2, 1.5, HC_SYNTH_COMPUTE,                                                               \
        {                                                                                          \
            __VA_ARGS__                                                                            \
        }                                                                                          \
    }

/* Steps by number: from one on, between two, every fourth, every fourth between two. */
START_TEST(steps_are_chosen_by_number)
{
    static const struct hc_synth_slow slow[] = {
        WORKER(.has_steps = true, .first_step = FIRST + 20, .last_step = INT32_MAX),
        WORKER(.has_steps = true, .first_step = FIRST + 5, .last_step = FIRST + 9),
        WORKER(.every = 4),
        WORKER(.has_steps = true, .first_step = FIRST + 3, .last_step = FIRST + 30, .every = 7)};
    struct pair pair = planted(&slow[_i], 1);
    size_t n_slow = 0;
    for (size_t i = 0; i < pair.n; i++) {
        const struct rule_row *row = &pair.sick[i];
        int k = row->step - FIRST;
        const bool is_on[] = {k >= 20, k >= 5 && k <= 9, row->step % 4 == 0,
                              k >= 3 && k <= 30 && (k - 3) % 7 == 0};
        bool here = is_on[_i] && is_worker(row) && is_compute(row);
        ck_assert_int_eq(is_slow(&pair, i, 1.5), here);
        n_slow += here;
    }
    ck_assert_uint_gt(n_slow, 0);
    free_pair(&pair);
}
END_TEST

/* Which steps of a duty are slow: all ops of the worker in such a step, or none. */
static size_t steps_of_duty(const struct hc_synth_slow *slow, size_t n, bool is_on[STEPS])
{
    struct hc_synth_steps_options o = defaults(1), with = o;
    with.slow = slow;
    with.n_slow = n;
    struct pair pair = pair_of(&o, &with);
    int seen[STEPS] = {0};
    size_t n_on = 0;
    for (size_t i = 0; i < pair.n; i++) {
        if (!is_worker(&pair.sick[i]) || !is_compute(&pair.sick[i]))
            continue;
        int k = pair.sick[i].step - FIRST, now = is_slow(&pair, i, slow->factor) ? 1 : -1;
        ck_assert_int_ne(seen[k], -now);
        seen[k] = now;
    }
    for (size_t k = 0; k < STEPS; k++) {
        is_on[k] = seen[k] == 1;
        n_on += is_on[k];
    }
    free_pair(&pair);
    return n_on;
}

START_TEST(a_duty_is_a_share_of_the_steps)
{
    const struct hc_synth_slow slow[] = {WORKER(.duty = 0.3),
                                         {0, 1, 2.0, HC_SYNTH_COMPUTE, {.duty = 0.5}},
                                         {0, 1, 3.0, HC_SYNTH_LINK, {.duty = 0.5}}};
    const struct hc_synth_slow later[] = {slow[1], slow[2], slow[0]};
    bool alone[STEPS], among[STEPS];
    size_t n = steps_of_duty(slow, 1, alone);
    ck_assert_uint_gt(n, 7); /* of 60 at 0.3: 18, deviation 3.5 */
    ck_assert_uint_lt(n, 29);
    /* What else is planted, and in which order, changes nothing. */
    struct hc_synth_steps_options o = defaults(1), with = o;
    with.slow = later;
    with.n_slow = 3;
    struct pair pair = pair_of(&o, &with);
    for (size_t i = 0; i < pair.n; i++)
        if (is_worker(&pair.sick[i]) && is_compute(&pair.sick[i]))
            among[pair.sick[i].step - FIRST] = is_slow(&pair, i, 1.5);
    ck_assert_int_eq(memcmp(alone, among, sizeof alone), 0);
    free_pair(&pair);
}
END_TEST

/* Two at the same place are drawn apart: both on in 0.5 x 0.5 of the steps, not in 0.5. */
START_TEST(the_same_twice_is_drawn_apart)
{
    const struct hc_synth_slow slow[] = {{1, 2, 3, HC_SYNTH_COMPUTE, {.duty = 0.5}},
                                         {1, 2, 3, HC_SYNTH_COMPUTE, {.duty = 0.5}}};
    struct hc_synth_steps_options o = defaults(1), with = o;
    with.slow = slow;
    with.n_slow = 2;
    struct pair pair = pair_of(&o, &with);
    int n[3] = {0};
    for (size_t i = 0; i < pair.n; i++)
        if (is_worker(&pair.sick[i]) && pair.sick[i].type == HC_OPTIMIZER) {
            double factor = taken(&pair.sick[i]) / taken(&pair.healthy[i]);
            n[factor > 8 ? 2 : factor > 2]++;
        }
    ck_assert_int_eq(n[0] + n[1] + n[2], STEPS);
    for (int twice = 0; twice < 3; twice += 2) { /* 15 of 60, deviation 3.4 */
        ck_assert_int_gt(n[twice], 4);
        ck_assert_int_lt(n[twice], 28);
    }
    free_pair(&pair);
}
END_TEST

START_TEST(some_passes_are_slow)
{
    const struct hc_synth_slow slow = WORKER(.passes = 0.25);
    struct pair pair = planted(&slow, _i ? 2 : 1);
    int n = 0, n_slow = 0, n_slow_forward = 0;
    for (size_t i = 0; i < pair.n; i++) {
        bool slow_now = is_slow(&pair, i, 1.5), pass = hc_op_is_pass(pair.sick[i].type);
        if (!is_worker(&pair.sick[i]) || !pass) {
            ck_assert(!slow_now);
            continue;
        }
        n++;
        n_slow += slow_now;
        n_slow_forward += slow_now && pair.sick[i].type == HC_FORWARD_COMPUTE;
    }
    ck_assert_int_eq(n, 2 * MICROBATCHES * STEPS * (_i ? 2 : 1));
    ck_assert_double_eq_tol((double)n_slow / n, 0.25, 0.06); /* four deviations of 960 */
    ck_assert_double_eq_tol((double)n_slow_forward / n_slow, 0.5, 0.14);
    free_pair(&pair);
}
END_TEST

/* Throttling: from six tenths of the microbatches on; the optimizer is of no microbatch. */
START_TEST(the_last_microbatches_are_slow)
{
    const struct hc_synth_slow slow = WORKER(.from = 0.6);
    struct pair pair = planted(&slow, _i ? 2 : 1);
    for (size_t i = 0; i < pair.n; i++) {
        const struct rule_row *row = &pair.sick[i];
        bool here = is_worker(row) && hc_op_is_pass(row->type) && row->microbatch >= 5;
        ck_assert_int_eq(is_slow(&pair, i, 1.5), here);
    }
    free_pair(&pair);
}
END_TEST

static int32_t peer_stage(const struct rule_row *row)
{
    bool up = row->type == HC_FORWARD_SEND || row->type == HC_BACKWARD_RECV;
    return hc_op_is_p2p(row->type) ? (row->stage + (up ? 1 : PP - 1)) % PP : row->stage;
}

static bool is_network(const struct rule_row *row)
{
    return hc_op_is_p2p(row->type) || row->type == HC_PARAMS_ALL_GATHER ||
           row->type == HC_GRADS_REDUCE_SCATTER || row->type == HC_SEPARATE_GRADS_ALL_REDUCE ||
           row->type == HC_EMBEDDING_GRADS_ALL_REDUCE;
}

START_TEST(ops_are_chosen)
{
    struct hc_synth_slow slow = WORKER(.ops = (enum hc_synth_ops)_i);
    struct pair pair = planted(&slow, 1);
    size_t n_slow = 0;
    for (size_t i = 0; i < pair.n; i++) {
        const struct rule_row *row = &pair.sick[i];
        bool forward = row->type == HC_FORWARD_COMPUTE, backward = row->type == HC_BACKWARD_COMPUTE;
        bool network = is_network(row);
        const bool has[] = {[HC_SYNTH_OPS_OF_TARGET] = is_compute(row),
                            [HC_SYNTH_OPS_FORWARD] = forward,
                            [HC_SYNTH_OPS_BACKWARD] = backward,
                            [HC_SYNTH_OPS_BOTH] = forward || backward,
                            [HC_SYNTH_OPS_TRANSFERS] = network,
                            [HC_SYNTH_OPS_ALL] = network || is_compute(row)};
        bool here = row->dp == 1 && (row->stage == 2 || peer_stage(row) == 2) && has[_i];
        ck_assert_int_eq(is_slow(&pair, i, 1.5), here && !row->is_no_op);
        n_slow += here;
    }
    ck_assert_uint_gt(n_slow, 0);
    free_pair(&pair);
}
END_TEST

START_TEST(a_link_has_one_direction)
{
    struct hc_synth_slow slow = {1, 1, 20, HC_SYNTH_LINK, {.ops = HC_SYNTH_OPS_BACKWARD}};
    struct pair pair = planted(&slow, 1);
    for (size_t i = 0; i < pair.n; i++) {
        const struct rule_row *row = &pair.sick[i];
        bool here = row->dp == 1 && ((row->type == HC_BACKWARD_RECV && row->stage == 1) ||
                                     (row->type == HC_BACKWARD_SEND && row->stage == 2));
        ck_assert_int_eq(is_slow(&pair, i, 20), here);
    }
    free_pair(&pair);
}
END_TEST

/* Both ends of a transfer are slow, or neither. */
START_TEST(transfers_are_slow_at_both_ends)
{
    struct hc_synth_slow slow = {
        1, 2, 20, HC_SYNTH_COMPUTE, {.ops = HC_SYNTH_OPS_TRANSFERS, .passes = 0.5}};
    struct pair pair = planted(&slow, 1);
    static int ends[2][STEPS][MICROBATCHES][2];
    int n[3] = {0};
    memset(ends, 0, sizeof ends);
    for (size_t i = 0; i < pair.n; i++) {
        const struct rule_row *row = &pair.sick[i];
        if (!is_slow(&pair, i, 20))
            continue;
        ck_assert(hc_op_is_p2p(row->type));
        bool forward = row->type == HC_FORWARD_SEND || row->type == HC_FORWARD_RECV;
        bool below = row->stage == 1 || (row->stage == 2 && peer_stage(row) == 1);
        ends[forward][row->step - FIRST][row->seq][below]++;
    }
    for (size_t i = 0; i < sizeof ends / sizeof(int); i++) {
        int at = ((int *)ends)[i];
        ck_assert(at == 0 || at == 2);
        n[at]++;
    }
    ck_assert_double_eq_tol(n[2] / (double)(n[0] + n[2]), 0.5, 0.08);
    free_pair(&pair);
}
END_TEST

START_TEST(launches_are_late_in_some_steps)
{
    struct hc_synth_slow slow = {1,
                                 2,
                                 50,
                                 HC_SYNTH_HOST,
                                 {.ops = HC_SYNTH_OPS_FORWARD,
                                  .has_steps = true,
                                  .first_step = FIRST + 30,
                                  .last_step = INT32_MAX}};
    struct pair pair = planted(&slow, 1);
    size_t n_late = 0;
    for (size_t i = 0; i < pair.n; i++) {
        const struct rule_row *a = &pair.healthy[i], *b = &pair.sick[i];
        bool here =
            is_worker(b) && b->step >= FIRST + 30 && b->type == HC_FORWARD_COMPUTE && b->ready >= 0;
        ck_assert_double_eq(taken(a), taken(b));
        if (a->ready < 0)
            continue;
        ck_assert_double_eq_tol((double)(b->start - b->ready),
                                (here ? 50 : 1) * (double)(a->start - a->ready), here ? 50 : 0.5);
        n_late += here;
    }
    ck_assert_uint_gt(n_late, 0);
    free_pair(&pair);
}
END_TEST

/* A microbatch has another load on each stage; its forward and backward pass there have the same.
 */
START_TEST(loads_by_stage)
{
    struct hc_synth_steps_options o = defaults(_i ? 2 : 1), with = o;
    with.moe_cv = 0.4;
    struct pair pair = pair_of(&o, &with);
    static double load[STEPS][DP][2 * PP][MICROBATCHES];
    double sum = 0, squares = 0;
    int n = 0, n_like_next = 0;
    memset(load, 0, sizeof load);
    for (size_t i = 0; i < pair.n; i++) {
        const struct rule_row *row = &pair.sick[i];
        double factor = taken(row) / taken(&pair.healthy[i]);
        if (!hc_op_is_pass(row->type)) {
            ck_assert_double_eq(taken(row), taken(&pair.healthy[i]));
            continue;
        }
        double *at = &load[row->step - FIRST][row->dp][row->global_chunk][row->microbatch];
        if (*at == 0) {
            *at = factor;
            sum += factor;
            squares += factor * factor;
            n++;
        }
        ck_assert_double_eq_tol(factor, *at, 1e-6);
    }
    ck_assert_int_eq(n, STEPS * DP * PP * MICROBATCHES * (_i ? 2 : 1));
    ck_assert_double_eq_tol(sum / n, 1, 0.03);
    ck_assert_double_eq_tol(sqrt(squares / n - 1), 0.4, 0.05);
    for (int k = 0; k < STEPS; k++)
        for (int mb = 0; mb < MICROBATCHES; mb++)
            n_like_next += fabs(load[k][0][0][mb] - load[k][0][1][mb]) < 1e-4;
    ck_assert_int_lt(n_like_next, 5);
    free_pair(&pair);
}
END_TEST

/* All workers, each in one forward pass, in the steps that are multiples: those passes overlap. */
START_TEST(planned_pauses_are_of_all_workers_at_once)
{
    struct hc_synth_steps_options o = defaults(1), with = o;
    with.planned_pause_ns = 400000000;
    with.planned_every = 20;
    struct pair pair = pair_of(&o, &with);
    int n = 0;
    int64_t last_start = 0, first_end = INT64_MAX;
    for (size_t i = 0; i < pair.n; i++) {
        const struct rule_row *row = &pair.sick[i];
        double longer = taken(row) - taken(&pair.healthy[i]);
        if (longer == 0)
            continue;
        ck_assert_int_eq(row->type, HC_FORWARD_COMPUTE);
        ck_assert_int_eq(row->step % 20, 0);
        ck_assert_int_eq(row->seq, PP - 1 - row->stage);
        if (row->step == FIRST) {
            last_start = row->start > last_start ? row->start : last_start;
            first_end = row->end < first_end ? row->end : first_end;
        }
        n++;
    }
    ck_assert_int_eq(n, DP * PP * 3);
    ck_assert_int_lt(last_start, first_end);
    free_pair(&pair);
}
END_TEST

START_TEST(a_warm_up_is_uneven)
{
    struct hc_synth_steps_options o = defaults(1), with = o;
    with.warmup = 5;
    with.warmup_steps = 2;
    struct pair pair = pair_of(&o, &with);
    double sum = 0, least = INFINITY;
    int n = 0;
    for (size_t i = 0; i < pair.n; i++) {
        const struct rule_row *row = &pair.sick[i];
        double factor = taken(row) / taken(&pair.healthy[i]);
        if (row->step >= FIRST + 2 || taken(&pair.healthy[i]) < 1000) {
            if (row->step >= FIRST + 2)
                ck_assert_double_eq(taken(row), taken(&pair.healthy[i]));
            continue;
        }
        least = factor < least ? factor : least;
        sum += factor;
        n++;
    }
    ck_assert_double_ge(least, 0.999);
    ck_assert_double_lt(least, 1.1);
    ck_assert_double_eq_tol(sum / n, 5, 0.6);
    free_pair(&pair);
}
END_TEST

START_TEST(nodes_follow_the_ranks)
{
    struct hc_synth_steps_options o = defaults(1);
    struct hc_synth_steps *generator = NULL;
    struct hc_error err = {0};
    o.dp = 3;
    o.tp = 2;
    o.gpus_per_node = 8;
    o.first_node = 42;
    o.start_unix_ns = 1772323200000000000;
    ck_assert(!hc_synth_steps_open(&generator, &o, &err));
    const struct hc_job *job = hc_synth_steps_job(generator);
    ck_assert_int_eq(job->n_nodes, 3 * PP * 2);
    ck_assert_str_eq(hc_job_node(job, 0), "gpu-042");
    ck_assert_str_eq(hc_job_node(job, 7), "gpu-042");
    ck_assert_str_eq(hc_job_node(job, 8), "gpu-043");
    ck_assert_str_eq(hc_job_node(job, 23), "gpu-044");
    ck_assert(job->start_unix_ns == o.start_unix_ns);
    hc_synth_steps_close(generator);
}
END_TEST

START_TEST(limits_are_checked)
{
    static const struct hc_synth_slow wrong[] = {
        WORKER(.duty = 1.5),
        WORKER(.passes = -0.1),
        WORKER(.from = NAN),
        WORKER(.has_steps = true, .first_step = 5, .last_step = 4),
        WORKER(.every = -1),
        {-1, 1, 2, HC_SYNTH_COLLECTIVES, {.passes = 0.5}},
        {-1, 1, 2, HC_SYNTH_COLLECTIVES, {.ops = HC_SYNTH_OPS_ALL}},
        {1, 1, 2, HC_SYNTH_LINK, {.ops = HC_SYNTH_OPS_TRANSFERS}}};
    enum { N_SLOW = sizeof wrong / sizeof *wrong, N = N_SLOW + 4 };
    struct hc_synth_steps_options bad[N];
    for (size_t i = 0; i < N; i++) {
        bad[i] = defaults(1);
        bad[i].n_slow = i < N_SLOW;
        bad[i].slow = wrong + (i < N_SLOW ? i : 0);
    }
    bad[N_SLOW].moe_cv = -1;
    bad[N_SLOW + 1].planned_pause_ns = 5, bad[N_SLOW + 1].planned_every = 0;
    bad[N_SLOW + 2].warmup = 0.5;
    bad[N_SLOW + 3].gpus_per_node = -1;
    for (size_t i = 0; i < N; i++) {
        struct hc_error err = {0};
        struct hc_synth_steps *generator = NULL;
        ck_assert_msg(hc_synth_steps_open(&generator, &bad[i], &err) == HC_USAGE, "case %zu", i);
        ck_assert_ptr_null(generator);
    }
}
END_TEST

int main(void)
{
    Suite *suite = suite_create("step_limits");
    TCase *tests = tcase_create("all");
    suite_add_tcase(suite, tests);
    tcase_set_timeout(tests, 120);
    tcase_add_loop_test(tests, steps_are_chosen_by_number, 0, 4);
    tcase_add_test(tests, a_duty_is_a_share_of_the_steps);
    tcase_add_test(tests, the_same_twice_is_drawn_apart);
    tcase_add_loop_test(tests, some_passes_are_slow, 0, 2);
    tcase_add_loop_test(tests, the_last_microbatches_are_slow, 0, 2);
    tcase_add_loop_test(tests, ops_are_chosen, HC_SYNTH_OPS_OF_TARGET, HC_SYNTH_OPS_ALL + 1);
    tcase_add_test(tests, a_link_has_one_direction);
    tcase_add_test(tests, transfers_are_slow_at_both_ends);
    tcase_add_test(tests, launches_are_late_in_some_steps);
    tcase_add_loop_test(tests, loads_by_stage, 0, 2);
    tcase_add_test(tests, planned_pauses_are_of_all_workers_at_once);
    tcase_add_test(tests, a_warm_up_is_uneven);
    tcase_add_test(tests, nodes_follow_the_ranks);
    tcase_add_test(tests, limits_are_checked);
    SRunner *runner = srunner_create(suite);
    srunner_run_all(runner, CK_NORMAL);
    int failed = srunner_ntests_failed(runner);
    srunner_free(runner);
    return failed != 0;
}
