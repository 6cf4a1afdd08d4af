/* The options of `hindcast synth steps` against the generator's own defaults. */
#include "cli/options/synth_options.h"

#include <check.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* Parse a command line and fill options from it; the status of whatever failed first. */
static enum hc_status fill(struct hc_synth_steps_options *options, struct hc_synth_slow **slow,
                           int argc, const char *const *argv, struct hc_error *err)
{
    struct hc_synth_settings settings = {0};
    struct hc_words words = {0};
    char *copy[8] = {0};
    ck_assert_int_le(argc, 8);
    *slow = NULL;
    for (int i = 0; i < argc; i++)
        copy[i] = (char *)argv[i];
    enum hc_status status = hc_options_parse(hc_synth_options, argc, copy, &settings, &words, err);
    if (status == HC_OK)
        status = hc_synth_options_fill(options, slow, &settings, err);
    hc_options_release(hc_synth_options, &settings, &words);
    return status;
}

START_TEST(defaults_agree)
{
    const struct hc_synth_steps_options expected = hc_synth_steps_defaults();
    struct hc_synth_steps_options o;
    struct hc_synth_slow *slow;
    struct hc_error err = {0};
    ck_assert_msg(!fill(&o, &slow, 1, (const char *const[]){"synth"}, &err), "%s", err.message);
    for (int type = 0; type < HC_N_OP_TYPES; type++) {
        ck_assert_int_eq(o.mean_ns[type], expected.mean_ns[type]);
        ck_assert_int_eq(o.extra_ns[type], 0);
    }
    ck_assert_int_eq(o.dp, expected.dp);
    ck_assert_int_eq(o.pp, expected.pp);
    ck_assert_int_eq(o.vpp, expected.vpp);
    ck_assert_int_eq(o.tp, expected.tp);
    ck_assert_int_eq(o.dsp, expected.dsp);
    ck_assert_int_eq(o.microbatches, expected.microbatches);
    ck_assert_int_eq(o.n_steps, expected.n_steps);
    ck_assert_int_eq(o.first_step, expected.first_step);
    ck_assert_int_eq(o.step_stride, expected.step_stride);
    ck_assert_uint_eq(o.seed, expected.seed);
    ck_assert_int_eq(o.overlap_dp, expected.overlap_dp);
    ck_assert_double_eq(o.backward_ratio, expected.backward_ratio);
    ck_assert_double_eq(o.loss_factor, expected.loss_factor);
    ck_assert_double_eq(o.compute_cv, expected.compute_cv);
    ck_assert_double_eq(o.transfer_cv, expected.transfer_cv);
    ck_assert_int_eq(o.launch_ns, expected.launch_ns);
    ck_assert_double_eq(o.launch_cv, expected.launch_cv);
    ck_assert_int_eq(o.planned_every, expected.planned_every);
    ck_assert_int_eq(o.warmup_steps, expected.warmup_steps);
    ck_assert_uint_eq(o.n_slow, 0);
    free(slow);
}
END_TEST

START_TEST(causes_are_read)
{
    struct hc_synth_steps_options o;
    struct hc_synth_slow *slow;
    struct hc_error err = {0};
    static const char *const argv[] = {"synth",
                                       "--slow-worker=1,2,1.5",
                                       "--slow-stage=3,2",
                                       "--slow-rank=0,1.25",
                                       "--slow-worker=0,0,3",
                                       "--extra=gc,0.25"};
    ck_assert_msg(!fill(&o, &slow, 6, argv, &err), "%s", err.message);
    static const struct hc_synth_slow expected[4] = {{1, 2, 1.5, HC_SYNTH_COMPUTE, {0}},
                                                     {0, 0, 3, HC_SYNTH_COMPUTE, {0}},
                                                     {-1, 3, 2, HC_SYNTH_COMPUTE, {0}},
                                                     {0, -1, 1.25, HC_SYNTH_COMPUTE, {0}}};
    ck_assert_uint_eq(o.n_slow, 4);
    for (int i = 0; i < 4; i++) {
        ck_assert_int_eq(o.slow[i].dp_rank, expected[i].dp_rank);
        ck_assert_int_eq(o.slow[i].stage, expected[i].stage);
        ck_assert_double_eq(o.slow[i].factor, expected[i].factor);
    }
    ck_assert_int_eq(o.extra_ns[HC_GC], 250000);
    free(slow);
}
END_TEST

START_TEST(limits_are_read)
{
    struct hc_synth_steps_options o;
    struct hc_synth_slow *slow;
    struct hc_error err = {0};
    static const char *const argv[] = {"synth",
                                       "--slow-worker=1,2,1.5:steps=114-:duty=0.3",
                                       "--slow-nic=0,1,4:steps=20-60:every=4",
                                       "--slow-link=0,1,9:ops=backward:steps=7",
                                       "--slow-rank=1,2:passes=0.25:from=0.6:ops=forward",
                                       "--warmup=4,3",
                                       "--nodes=8,42"};
    ck_assert_msg(!fill(&o, &slow, 7, argv, &err), "%s", err.message);
    ck_assert_uint_eq(o.n_slow, 4);
    const struct hc_synth_limits *worker = &o.slow[0].limits, *rank = &o.slow[1].limits;
    const struct hc_synth_limits *link = &o.slow[2].limits, *nic = &o.slow[3].limits;
    ck_assert(worker->has_steps && worker->first_step == 114 && worker->last_step == INT32_MAX);
    ck_assert_double_eq(worker->duty, 0.3);
    ck_assert_int_eq(worker->ops, HC_SYNTH_OPS_OF_TARGET);
    ck_assert(!rank->has_steps);
    ck_assert_double_eq(rank->passes, 0.25);
    ck_assert_double_eq(rank->from, 0.6);
    ck_assert_int_eq(rank->ops, HC_SYNTH_OPS_FORWARD);
    ck_assert_double_eq(o.slow[1].factor, 2);
    ck_assert(link->has_steps && link->first_step == 7 && link->last_step == 7);
    ck_assert_int_eq(link->ops, HC_SYNTH_OPS_BACKWARD);
    ck_assert(nic->has_steps && nic->first_step == 20 && nic->last_step == 60);
    ck_assert_int_eq(nic->every, 4);
    ck_assert_int_eq(nic->ops, HC_SYNTH_OPS_TRANSFERS);
    ck_assert_double_eq(o.warmup, 4);
    ck_assert_int_eq(o.warmup_steps, 3);
    ck_assert_int_eq(o.gpus_per_node, 8);
    ck_assert_int_eq(o.first_node, 42);
    free(slow);
}
END_TEST

START_TEST(nonsense_is_refused)
{
    static const char *const bad[] = {"--slow-worker=1,2",
                                      "--slow-worker=1,2,1.5,3",
                                      "--slow-worker=-1,2,2",
                                      "--slow-worker=1.5,2,2",
                                      "--slow-stage=1",
                                      "--slow-rank=1,nan",
                                      "--slow-rank=1,2x",
                                      "--extra=gc",
                                      "--extra=gc,-1",
                                      "--extra=ggc,1",
                                      "--extra=,1",
                                      "--dp=0",
                                      "--forward-ms=-1",
                                      "--seed=-1",
                                      "--slow-worker=1,2,1.5:",
                                      "--slow-worker=1,2,1.5:duty",
                                      "--slow-worker=1,2,1.5:duty=0",
                                      "--slow-worker=1,2,1.5:duty=0.5x",
                                      "--slow-worker=1,2,1.5:steps=9-4",
                                      "--slow-worker=1,2,1.5:steps=-4",
                                      "--slow-worker=1,2,1.5:every=0",
                                      "--slow-worker=1,2,1.5:ops=some",
                                      "--slow-worker=1,2,1.5:duty=0.5,every=2",
                                      "--slow-worker=1,2,1.5:dutyy=1",
                                      "--slow-worker=1,2:duty=0.5",
                                      "--slow-nic=1,2",
                                      "--warmup=x",
                                      "--warmup=2,1.5",
                                      "--nodes=0",
                                      "--nodes=8,",
                                      "--start-time=2026-03-01"};
    for (size_t i = 0; i < sizeof bad / sizeof *bad; i++) {
        struct hc_synth_steps_options o;
        struct hc_synth_slow *slow;
        struct hc_error err = {0};
        ck_assert_msg(fill(&o, &slow, 2, (const char *const[]){"synth", bad[i]}, &err) == HC_USAGE,
                      "%s", bad[i]);
        /* The message names the option. */
        char option[32];
        snprintf(option, sizeof option, "'%.*s'", (int)strcspn(bad[i], "="), bad[i]);
        ck_assert_msg(strstr(err.message, option), "%s", err.message);
        free(slow);
    }
}
END_TEST

int main(void)
{
    Suite *suite = suite_create("synth_options");
    TCase *tests = tcase_create("all");
    suite_add_tcase(suite, tests);
    tcase_add_test(tests, defaults_agree);
    tcase_add_test(tests, causes_are_read);
    tcase_add_test(tests, limits_are_read);
    tcase_add_test(tests, nonsense_is_refused);
    SRunner *runner = srunner_create(suite);
    srunner_run_all(runner, CK_NORMAL);
    int failed = srunner_ntests_failed(runner);
    srunner_free(runner);
    return failed != 0;
}
