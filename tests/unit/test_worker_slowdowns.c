/* The exact slowdown of every worker, fix curves and Shapley values of random jobs, against the
 * plain simulation of tests/support/slowdown_case.h. */
#include "core/random/philox.h"
#include "sim/synth/step_synth.h"
#include "tests/support/slowdown_case.h"

#define N_RANDOM_JOBS 200

/* ---- jobs ---- */

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

/* ---- tests ---- */

static struct hc_synth_steps_options draw_job(uint32_t number)
{
    struct hc_philox rng;
    uint64_t draw[4];
    struct hc_synth_steps_options job = hc_synth_steps_defaults();
    hc_philox_seek(&rng, 2026, number, 0);
    for (int i = 0; i < 4; i++)
        draw[i] = hc_philox_u64(&rng);
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

int main(void)
{
    Suite *suite = suite_create("worker_slowdowns");
    TCase *tests = tcase_create("all");
    tcase_set_timeout(tests, 300);
    tcase_add_test(tests, test_random_jobs);
    suite_add_tcase(suite, tests);
    SRunner *runner = srunner_create(suite);
    srunner_run_all(runner, CK_ENV);
    int failed = srunner_ntests_failed(runner);
    srunner_free(runner);
    return failed != 0;
}
