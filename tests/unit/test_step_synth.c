#include "core/random/philox.h"
#include "sim/synth/step_synth.h"
#include "tests/support/synth_rules.h"
#include "tests/support/synth_run.h"

#include <check.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

static void count_types(const struct hc_synth_steps_options *o, int count[HC_N_OP_TYPES])
{
    size_t n;
    struct rule_row *rows = generate(o, 1000, &n);
    memset(count, 0, HC_N_OP_TYPES * sizeof *count);
    for (size_t i = 0; i < n / (size_t)o->n_steps; i++)
        count[rows[i].type] += rows[i].dp == 0;
    free(rows);
}

START_TEST(counts_of_trace_ar)
{
    struct hc_synth_steps_options o = hc_synth_steps_defaults();
    o.dp = 4;
    o.microbatches = 32;
    o.n_steps = 1;
    int count[HC_N_OP_TYPES];
    count_types(&o, count);
    static const int expected[HC_N_OP_TYPES] = {[HC_FORWARD_COMPUTE] = 128,
                                                [HC_BACKWARD_COMPUTE] = 128,
                                                [HC_FORWARD_SEND] = 96,
                                                [HC_FORWARD_RECV] = 96,
                                                [HC_BACKWARD_SEND] = 96,
                                                [HC_BACKWARD_RECV] = 96,
                                                [HC_EMBEDDING_GRADS_ALL_REDUCE] = 2,
                                                [HC_PARAMS_ALL_GATHER] = 4,
                                                [HC_GRADS_REDUCE_SCATTER] = 4,
                                                [HC_OPTIMIZER_CLIP_MAIN_GRAD] = 4,
                                                [HC_GC] = 4,
                                                [HC_LAYERNORM_GRADS_ALL_REDUCE] = 4,
                                                [HC_OPTIMIZER] = 4};
    int total = 0;
    for (int type = 0; type < HC_N_OP_TYPES; type++) {
        ck_assert_int_eq(count[type], expected[type]);
        total += count[type];
    }
    ck_assert_int_eq(total, 666);
}
END_TEST

START_TEST(counts_of_other_shapes)
{
    struct hc_synth_steps_options o = hc_synth_steps_defaults();
    int count[HC_N_OP_TYPES];
    /* Interleaved: sends and receives on the model's ends too; one collective a chunk. */
    o.vpp = 3;
    o.overlap_dp = true;
    count_types(&o, count);
    ck_assert_int_eq(count[HC_FORWARD_COMPUTE], 4 * 3 * 8);
    ck_assert_int_eq(count[HC_FORWARD_RECV], 4 * 3 * 8);
    ck_assert_int_eq(count[HC_BACKWARD_SEND], 4 * 3 * 8);
    ck_assert_int_eq(count[HC_PARAMS_ALL_GATHER], 4 * 3);
    ck_assert_int_eq(count[HC_GRADS_REDUCE_SCATTER], 4 * 3);
    ck_assert_int_eq(count[HC_SEPARATE_GRADS_ALL_REDUCE], 4);
    /* One stage, one dp rank: nothing to send, nothing to reduce, but the ends meet in it. */
    o = hc_synth_steps_defaults();
    o.pp = o.dp = 1;
    count_types(&o, count);
    ck_assert_int_eq(count[HC_FORWARD_COMPUTE], 8);
    ck_assert_int_eq(count[HC_FORWARD_SEND] + count[HC_BACKWARD_RECV], 0);
    ck_assert_int_eq(count[HC_PARAMS_ALL_GATHER] + count[HC_GRADS_REDUCE_SCATTER], 0);
    ck_assert_int_eq(count[HC_EMBEDDING_GRADS_ALL_REDUCE], 1);
    ck_assert_int_eq(count[HC_OPTIMIZER_CLIP_MAIN_GRAD], 1);
    /* A second shard of the parameters makes DP collectives even with one dp rank. */
    o.dsp = 2;
    count_types(&o, count);
    ck_assert_int_eq(count[HC_PARAMS_ALL_GATHER], 1);
}
END_TEST

/* The rules on one run: starts never before what they wait for, and without launch
 * delays exactly then (so a replay without delays gives the same times); every member of a group
 * ends after all have started. */
static void check_run(const struct hc_synth_steps_options *o)
{
    size_t n;
    struct rule_row *rows = generate(o, 777, &n);
    for (int k = 0; k < o->n_steps; k++) {
        struct rule_step step = step_of(o, rows, n, k);
        rule_apply(&step);
        int64_t first_start = INT64_MAX;
        for (size_t i = 0; i < step.n_rows; i++) {
            const struct rule_row *row = &step.rows[i];
            int64_t ready = row->ready < 0 ? 0 : row->ready;
            ck_assert_int_eq(row->step, o->first_step + k * o->step_stride);
            ck_assert_int_eq(row->rank, (row->stage * o->dp + row->dp) * o->tp * o->dsp);
            ck_assert_msg(o->launch_ns ? row->start >= ready : row->start == ready,
                          "%s %d of stage %d starts at %lld, ready at %lld",
                          hc_op_type_name(row->type), row->seq, row->stage, (long long)row->start,
                          (long long)ready);
            ck_assert(row->joined < 0 ? row->end >= row->start : row->end > row->joined);
            ck_assert(row->type == HC_GC || row->end > row->start);
            first_start = row->start < first_start ? row->start : first_start;
        }
        ck_assert_int_eq(first_start, 0);
    }
    free(rows);
}

START_TEST(rules_hold)
{
    struct hc_philox rng;
    uint64_t seed = 20261121 + (uint64_t)_i;
    hc_philox_seek(&rng, seed, 0, 0);
    struct hc_synth_steps_options o = hc_synth_steps_defaults();
    o.seed = seed;
    o.dp = 1 + (int32_t)hc_philox_integer(&rng, 3);
    o.pp = 1 + (int32_t)hc_philox_integer(&rng, 6);
    o.vpp = o.pp > 1 ? 1 + (int32_t)hc_philox_integer(&rng, 4) : 1;
    o.tp = 1 + (int32_t)hc_philox_integer(&rng, 4);
    o.dsp = 1 + (int32_t)hc_philox_integer(&rng, 2);
    o.microbatches = 1 + (int32_t)hc_philox_integer(&rng, 9);
    if (o.vpp > 1)
        o.microbatches = o.pp * (1 + o.microbatches % 3);
    o.n_steps = 2;
    o.overlap_dp = hc_philox_integer(&rng, 2);
    o.launch_ns = hc_philox_integer(&rng, 2) ? 300000 : 0;
    o.compute_cv = 0.5 * hc_philox_uniform(&rng);
    o.mean_ns[HC_FORWARD_RECV] = o.mean_ns[HC_FORWARD_SEND] =
        1 + (int64_t)hc_philox_integer(&rng, 20000000);
    o.extra_ns[HC_GC] = hc_philox_integer(&rng, 2) ? 1000000 : 0;
    printf("rules_hold: seed %llu dp %d pp %d vpp %d microbatches %d overlap %d launch %lld\n",
           (unsigned long long)seed, o.dp, o.pp, o.vpp, o.microbatches, o.overlap_dp,
           (long long)o.launch_ns);
    check_run(&o);
}
END_TEST

START_TEST(schedule_is_1f1b)
{
    struct hc_synth_steps_options o = hc_synth_steps_defaults();
    o.n_steps = 1;
    size_t n;
    struct rule_row *rows = generate(&o, 100, &n);
    struct rule_step step = step_of(&o, rows, n, 0);
    rule_apply(&step);
    static const char *const expected[4] = {"FFFFBFBFBFBFBBBB", "FFFBFBFBFBFBFBBB",
                                            "FFBFBFBFBFBFBFBB", "FBFBFBFBFBFBFBFB"};
    for (int stage = 0; stage < 4; stage++) {
        char text[17] = "";
        struct rule_list passes =
            rule_select(&step, 1, stage, 1u << HC_FORWARD_COMPUTE | 1u << HC_BACKWARD_COMPUTE);
        for (size_t i = 0; i < passes.n; i++) {
            text[i] = passes.row[i]->type == HC_FORWARD_COMPUTE ? 'F' : 'B';
            ck_assert_int_eq(passes.row[i]->microbatch, passes.row[i]->seq);
        }
        ck_assert_str_eq(text, expected[stage]);
        free(passes.row);
    }
    free(rows);
}
END_TEST

START_TEST(schedule_is_interleaved)
{
    struct hc_synth_steps_options o = hc_synth_steps_defaults();
    o.n_steps = 1;
    o.vpp = 2;
    size_t n;
    struct rule_row *rows = generate(&o, 100, &n);
    struct rule_step step = step_of(&o, rows, n, 0);
    static const int chunk[16] = {0, 0, 0, 0, 1, 1, 1, 1, 0, 0, 0, 0, 1, 1, 1, 1};
    static const int microbatch[16] = {0, 1, 2, 3, 0, 1, 2, 3, 4, 5, 6, 7, 4, 5, 6, 7};
    for (int i = 0; i < 16; i++) {
        struct rule_row *forward = rule_find(&step, 0, 2, HC_FORWARD_COMPUTE, i);
        struct rule_row *backward = rule_find(&step, 0, 2, HC_BACKWARD_COMPUTE, i);
        ck_assert_int_eq(forward->chunk, chunk[i]);
        ck_assert_int_eq(backward->chunk, 1 - chunk[i]);
        ck_assert_int_eq(forward->microbatch, microbatch[i]);
        ck_assert_int_eq(backward->microbatch, microbatch[i]);
        ck_assert_int_eq(forward->global_chunk, chunk[i] * 4 + 2);
    }
    /* Megatron's warm-up of stage 0: 2 * (4 - 1) + 4 forwards, then one before each backward. */
    struct rule_row *first_backward = rule_find(&step, 0, 0, HC_BACKWARD_COMPUTE, 0);
    ck_assert_int_le(rule_find(&step, 0, 0, HC_FORWARD_COMPUTE, 10)->end, first_backward->start);
    ck_assert_int_ge(rule_find(&step, 0, 0, HC_FORWARD_COMPUTE, 11)->start, first_backward->end);
    free(rows);
}
END_TEST

START_TEST(steps_stand_alone)
{
    struct hc_synth_steps_options o = hc_synth_steps_defaults();
    o.vpp = 2;
    o.dp = 12; /* enough rows for threads */
    size_t n, n_alone;
    struct rule_row *whole = generate(&o, 1 << 20, &n);
    struct rule_row *again = generate(&o, 999, &n_alone);
    ck_assert_uint_eq(n, n_alone);
    ck_assert_int_eq(memcmp(whole, again, n * sizeof *whole), 0);
    struct hc_synth_steps_options one = o;
    one.first_step = o.first_step + 7 * o.step_stride;
    one.n_steps = 1;
    struct rule_row *alone = generate(&one, 4096, &n_alone);
    ck_assert_int_eq(memcmp(whole + 7 * n_alone, alone, n_alone * sizeof *alone), 0);
    one.seed = 1;
    struct rule_row *other = generate(&one, 4096, &n_alone);
    ck_assert_int_ne(memcmp(alone, other, n_alone * sizeof *alone), 0);
    free(whole);
    free(again);
    free(alone);
    free(other);
}
END_TEST

/* A value that fixed options once gave: it may never change, or seeds of the past mean nothing. */
START_TEST(numbers_are_pinned)
{
    struct hc_synth_steps_options o = hc_synth_steps_defaults();
    o.seed = 42;
    size_t n;
    struct rule_row *rows = generate(&o, 5000, &n);
    uint64_t hash = 14695981039346656037u;
    for (size_t i = 0; i < n; i++) {
        hash = (hash ^ (uint64_t)rows[i].start) * 1099511628211u;
        hash = (hash ^ (uint64_t)rows[i].end) * 1099511628211u;
    }
    ck_assert_uint_eq(hash, 971653568323614346u);
    free(rows);
}
END_TEST

START_TEST(means_are_kept)
{
    struct hc_synth_steps_options o = hc_synth_steps_defaults();
    o.dp = 4;
    o.microbatches = 16;
    o.n_steps = 60;
    o.compute_cv = 0.3;
    o.transfer_cv = 0.4;
    size_t n;
    struct rule_row *rows = generate(&o, 5000, &n);
    double sum[HC_N_OP_TYPES] = {0}, squares[HC_N_OP_TYPES] = {0}, delay = 0;
    size_t count[HC_N_OP_TYPES] = {0}, n_delays = 0;
    for (int k = 0; k < 60; k++) {
        struct rule_step step = step_of(&o, rows, n, k);
        rule_apply(&step);
        for (size_t i = 0; i < step.n_rows; i++) {
            const struct rule_row *row = &step.rows[i];
            double ns = (double)(row->end - (row->joined < 0 ? row->start : row->joined));
            sum[row->type] += ns;
            squares[row->type] += ns * ns;
            count[row->type]++;
            if (row->ready >= 0) {
                delay += (double)(row->start - row->ready);
                n_delays++;
            }
        }
    }
    o.mean_ns[HC_BACKWARD_COMPUTE] = 2 * o.mean_ns[HC_FORWARD_COMPUTE];
    for (int type = 0; type < HC_N_OP_TYPES; type++) {
        if (count[type] == 0 || type == HC_GC)
            continue;
        bool compute = hc_op_is_pass(type) || type == HC_OPTIMIZER;
        double cv = compute ? o.compute_cv : o.transfer_cv, expected = (double)o.mean_ns[type];
        /* Collectives share their luck over dp ranks (clip: over stages too): one draw in 16. */
        double draws = compute ? (double)count[type] : (double)count[type] / 16;
        double mean = sum[type] / (double)count[type];
        ck_assert_msg(fabs(mean / expected - 1) < 5 * cv / sqrt(draws), "%s: %g for %g",
                      hc_op_type_name(type), mean, expected);
        if (hc_op_is_pass(type) || hc_op_is_p2p(type))
            ck_assert_double_eq_tol(sqrt(squares[type] / (double)count[type] - mean * mean) / mean,
                                    cv, 0.03);
    }
    ck_assert_double_eq_tol(delay / (double)n_delays, (double)o.launch_ns, 2000);
    free(rows);
}
END_TEST

static bool is_scaled(int type)
{
    return hc_op_is_pass(type) || type == HC_OPTIMIZER;
}

START_TEST(causes_do_what_they_say)
{
    struct hc_synth_steps_options o = hc_synth_steps_defaults();
    o.n_steps = 2;
    size_t n;
    struct rule_row *healthy = generate(&o, 5000, &n);
    const struct hc_synth_slow slow[] = {{.dp_rank = 1, .stage = 2, .factor = 1.5},
                                         {.dp_rank = -1, .stage = 3, .factor = 1.25}};
    o.slow = slow;
    o.n_slow = 2;
    o.loss_factor = 1.1;
    o.extra_ns[HC_GC] = 5000000;
    struct rule_row *sick = generate(&o, 5000, &n);
    for (size_t i = 0; i < n; i++) {
        const struct rule_row *row = &sick[i];
        double factor = 1;
        if (is_scaled(row->type) && row->stage == 2 && row->dp == 1)
            factor = 1.5;
        if (is_scaled(row->type) && row->stage == 3)
            factor = hc_op_is_pass(row->type) ? 1.25 * 1.1 : 1.25;
        double expected = (double)(healthy[i].end - healthy[i].start) * factor;
        if (row->type == HC_GC)
            expected = 5000000;
        if (is_scaled(row->type) || row->type == HC_GC)
            ck_assert_double_eq_tol((double)(row->end - row->start), expected, 2);
    }
    free(healthy);
    free(sick);
}
END_TEST

START_TEST(options_are_checked)
{
    static const struct hc_synth_slow nowhere = {.dp_rank = 9, .stage = 0, .factor = 2};
    struct hc_synth_steps_options bad[10];
    for (size_t i = 0; i < 10; i++)
        bad[i] = hc_synth_steps_defaults();
    bad[0].dp = 0;
    bad[1].pp = -1;
    bad[2].vpp = 2, bad[2].microbatches = 6;
    bad[3].vpp = 2, bad[3].pp = 1;
    bad[4].first_step = INT32_MAX;
    bad[5].compute_cv = NAN;
    bad[6].slow = &nowhere, bad[6].n_slow = 1;
    bad[7].mean_ns[HC_OPTIMIZER] = -1;
    bad[8].microbatches = 1000000;
    bad[9].dp = bad[9].tp = 100000;
    for (size_t i = 0; i < 10; i++) {
        struct hc_error err = {0};
        struct hc_synth_steps *generator = NULL;
        ck_assert_msg(hc_synth_steps_open(&generator, &bad[i], &err) == HC_USAGE, "case %zu", i);
        ck_assert_ptr_null(generator);
        ck_assert_str_ne(err.message, "");
    }
    /* What only a draw can tell is an error, too, and not a wrong number. */
    struct hc_error err = {0};
    struct hc_synth_steps *generator = NULL;
    struct hc_synth_steps_options o = hc_synth_steps_defaults();
    struct hc_table ops;
    o.mean_ns[HC_OPTIMIZER] = 3600000000000;
    ck_assert(!hc_synth_steps_open(&generator, &o, &err));
    ck_assert(!hc_table_init(&ops, &hc_ops_def, 16, &err));
    ck_assert_int_eq(hc_synth_steps_next(generator, &ops, &err), HC_USAGE);
    hc_table_fini(&ops);
    hc_synth_steps_close(generator);
}
END_TEST

int main(void)
{
    Suite *suite = suite_create("step_synth");
    TCase *tests = tcase_create("all");
    suite_add_tcase(suite, tests);
    tcase_set_timeout(tests, 120);
    tcase_add_test(tests, counts_of_trace_ar);
    tcase_add_test(tests, counts_of_other_shapes);
    tcase_add_loop_test(tests, rules_hold, 0, 40);
    tcase_add_test(tests, schedule_is_1f1b);
    tcase_add_test(tests, schedule_is_interleaved);
    tcase_add_test(tests, steps_stand_alone);
    tcase_add_test(tests, numbers_are_pinned);
    tcase_add_test(tests, means_are_kept);
    tcase_add_test(tests, causes_do_what_they_say);
    tcase_add_test(tests, options_are_checked);
    SRunner *runner = srunner_create(suite);
    srunner_run_all(runner, CK_NORMAL);
    int failed = srunner_ntests_failed(runner);
    srunner_free(runner);
    return failed != 0;
}
