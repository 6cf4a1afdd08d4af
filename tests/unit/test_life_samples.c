/* One life over time, by hand: its samples and its episodes. */
#include "sim/lifetime/lifetime_trace.h"

#include <check.h>
#include <string.h>

/* An hour in the queue, then on 4 GPUs: start-up for an hour, 2 hours of steps with an hour of
 * stalls among them, half an hour of steps that were lost, half an hour for the cause of that. */
static struct hc_lifetime_trace small_life(struct hc_lifetime_span span[5])
{
    const int64_t hour = (int64_t)3600 * 1000000000;
    const struct hc_lifetime_span spans[5] = {
        {0, hour, HC_SPAN_QUEUE, HC_WHY_FIRST_START, -1, 0, 0, 0, 0},
        {hour, 2 * hour, HC_WHAT_STARTUP_UNSPLIT, HC_WHY_FIRST_START, -1, 0, 0, 0, 0},
        {2 * hour, 4 * hour, HC_WHAT_PRODUCTIVE_IDEAL, HC_WHY_NONE, -1, hour, 0, 0, 0},
        {4 * hour, 9 * hour / 2, HC_WHAT_LOST_WORK, HC_WHY_INFRASTRUCTURE, 3, hour / 8, 0, 0, 0},
        {9 * hour / 2, 5 * hour, HC_WHAT_DETECTION, HC_WHY_INFRASTRUCTURE, 3, 0, 0, 0, 0},
    };
    memcpy(span, spans, sizeof spans);
    return (struct hc_lifetime_trace){.span = span, .n_spans = 5};
}

START_TEST(samples_of_a_small_life)
{
    const struct hc_lifetime_job job = {.nodes = 2, .gpus_per_node = 2};
    const int64_t hour = (int64_t)3600 * 1000000000;
    struct hc_lifetime_span span[5];
    const struct hc_lifetime_trace trace = small_life(span);
    struct hc_life_samples samples;
    struct hc_life_sample sample;
    hc_life_samples_start(&samples, &trace, &job, 7200);
    ck_assert_int_eq(samples.first_start_ns, hour);
    ck_assert_int_eq(samples.end_ns, 5 * hour);
    ck_assert_int_eq(samples.window_ns, 2 * hour);
    ck_assert_int_eq(samples.n, 8); /* 4 h, each half an hour and a nanosecond, and the end */
    for (int i = 1; i <= 8; i++) {
        ck_assert(hc_life_samples_next(&samples, &sample));
        ck_assert_int_eq(sample.at_ns, hour + i * hour / 2);
        if (i == 4) { /* half of the steps, of which half was a stall, in 2 hours */
            ck_assert_double_eq_tol(sample.cumulative, 0.25, 1e-12);
            ck_assert_double_eq_tol(sample.sliding, 0.25, 1e-12);
            ck_assert_double_eq(sample.lost_gpu_h, 0);
        }
    }
    ck_assert_double_eq_tol(sample.cumulative, 0.25, 1e-12); /* one hour of four */
    ck_assert_double_eq_tol(sample.sliding, 0.25, 1e-12);    /* half an hour of two */
    ck_assert_double_eq_tol(sample.lost_gpu_h, 4 * 0.375, 1e-12);
    ck_assert(!hc_life_samples_next(&samples, &sample));
}
END_TEST

START_TEST(samples_are_bounded)
{
    const struct hc_lifetime_job job = {.nodes = 1, .gpus_per_node = 1};
    const int64_t hour = (int64_t)3600 * 1000000000;
    struct hc_lifetime_span span[5];
    struct hc_lifetime_trace trace = small_life(span);
    struct hc_life_samples samples;
    struct hc_life_sample sample;
    hc_life_samples_start(&samples, &trace, &job, 0);
    ck_assert_int_eq(samples.window_ns, hour); /* a short life */
    hc_life_samples_start(&samples, &trace, &job, 1e-12);
    ck_assert_int_eq(samples.window_ns, 1);
    ck_assert_int_eq(samples.n, HC_LIFE_MOST_SAMPLES);
    span[4].end_ns = 400 * 24 * hour;
    hc_life_samples_start(&samples, &trace, &job, 0);
    ck_assert_int_eq(samples.window_ns, 24 * hour);
    trace.n_spans = 0;
    hc_life_samples_start(&samples, &trace, &job, 0);
    ck_assert(!hc_life_samples_next(&samples, &sample));
}
END_TEST

START_TEST(episodes_have_one_cause)
{
    const int64_t hour = (int64_t)3600 * 1000000000;
    struct hc_lifetime_span span[5];
    const struct hc_lifetime_trace trace = small_life(span);
    const size_t n[] = {2, 0, 1, 2};
    for (size_t first = 0; first < 5; first += n[first]) {
        struct hc_life_episode episode = hc_life_read_episode(&trace, first);
        ck_assert_uint_eq(episode.n, n[first]);
        ck_assert_int_eq(episode.lost_ns, first == 3 ? hour * 3 / 8 : 0);
    }
    span[4].cause = 2; /* the same reason, but another cause */
    ck_assert_uint_eq(hc_life_read_episode(&trace, 3).n, 1);
}
END_TEST

int main(void)
{
    Suite *suite = suite_create("life_samples");
    TCase *tests = tcase_create("all");
    suite_add_tcase(suite, tests);
    tcase_add_test(tests, samples_of_a_small_life);
    tcase_add_test(tests, samples_are_bounded);
    tcase_add_test(tests, episodes_have_one_cause);
    SRunner *runner = srunner_create(suite);
    srunner_run_all(runner, CK_NORMAL);
    int failed = srunner_ntests_failed(runner);
    srunner_free(runner);
    return failed != 0;
}
