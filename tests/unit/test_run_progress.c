/* Progress of a run up to any moment, and the least of it in a sliding window. */
#include "models/account/ettr/run_progress.h"

#include "core/base/missing.h"
#include <check.h>
#include <math.h>
#include <stdlib.h>

#define S ((int64_t)1000000000)

static void add(struct hc_run_progress *progress, int64_t from_s, int64_t to_s, int32_t gpus,
                enum hc_what what)
{
    struct hc_error err = {0};
    const struct hc_slice slice = {
        .from_ns = from_s * S, .to_ns = to_s * S, .gpus = gpus, .what = what};
    ck_assert_int_eq(hc_run_progress_add(progress, &slice, 8, &err), HC_OK);
}

static void end(struct hc_run_progress *progress)
{
    struct hc_error err = {0};
    ck_assert_int_eq(hc_run_progress_end(progress, &err), HC_OK);
}

START_TEST(sums_what_counts)
{
    struct hc_run_progress progress = {.n_points = 0};
    add(&progress, 0, 10, 8, HC_WHAT_STARTUP_INIT);
    add(&progress, 10, 20, 8, HC_WHAT_PRODUCTIVE_UNSPLIT);
    add(&progress, 20, 30, 8, HC_WHAT_EVALUATION);
    add(&progress, 30, 40, 8, HC_WHAT_CHECKPOINT_STALL);
    add(&progress, 40, 50, 4, HC_WHAT_PRODUCTIVE_UNSPLIT); /* half of the GPUs */
    end(&progress);
    ck_assert_uint_eq(progress.n_stretches, 2); /* what follows without a gap is one */
    ck_assert_double_eq(hc_run_progress_until(&progress, 0), 0);
    ck_assert_double_eq(hc_run_progress_until(&progress, 15 * S), 5);
    ck_assert_double_eq(hc_run_progress_until(&progress, 35 * S), 20);
    ck_assert_double_eq(hc_run_progress_until(&progress, 50 * S), 25);
    ck_assert_double_eq(hc_run_progress_until(&progress, 500 * S), 25);
    hc_run_progress_fini(&progress);
}
END_TEST

START_TEST(attempts_at_once_add_up)
{
    struct hc_run_progress progress = {.n_points = 0};
    add(&progress, 0, 10, 4, HC_WHAT_PRODUCTIVE_UNSPLIT);
    add(&progress, 5, 10, 4, HC_WHAT_PRODUCTIVE_UNSPLIT);
    end(&progress);
    ck_assert_double_eq(hc_run_progress_until(&progress, 10 * S), 7.5);
    hc_run_progress_fini(&progress);
}
END_TEST

START_TEST(short_runs_have_no_window)
{
    struct hc_run_progress progress = {.n_points = 0};
    end(&progress);
    struct hc_progress_window window = hc_run_progress_slide(&progress, 0, 9 * S, 10 * S);
    ck_assert_double_nan(window.least);
    ck_assert_double_nan(window.last);
    ck_assert_int_eq(window.least_ns, HC_MISSING_I64);
    window = hc_run_progress_slide(&progress, 0, 10 * S, 10 * S);
    ck_assert_double_eq(window.least, 0);
    hc_run_progress_fini(&progress);
}
END_TEST

/* Against every second: 60 lives made by a small generator of whole numbers. */
START_TEST(least_window_is_that_of_every_second)
{
    uint32_t seed = (uint32_t)_i * 2654435761u + 1;
    struct hc_run_progress progress = {.n_points = 0};
    int64_t at = 0;
    for (int k = 0; k < 12; k++) {
        seed = seed * 1664525u + 1013904223u;
        int64_t to = at + 1 + (seed >> 8) % 40;
        add(&progress, at, to, 8, k % 2 ? HC_WHAT_PRODUCTIVE_UNSPLIT : HC_WHAT_LOST_WORK);
        at = to;
    }
    end(&progress);
    const int64_t length = 30;
    struct hc_progress_window window = hc_run_progress_slide(&progress, 0, at * S, length * S);
    double least = INFINITY;
    int64_t least_at = -1;
    for (int64_t t = length; t <= at; t++) {
        double share = (hc_run_progress_until(&progress, t * S) -
                        hc_run_progress_until(&progress, (t - length) * S)) /
                       (double)length;
        if (share < least - 1e-12) {
            least = share;
            least_at = t;
        }
    }
    ck_assert_double_eq_tol(window.least, least, 1e-12);
    ck_assert_int_le(window.least_ns, least_at * S);
    hc_run_progress_fini(&progress);
}
END_TEST

int main(void)
{
    Suite *suite = suite_create("run_progress");
    TCase *tcase = tcase_create("all");
    tcase_add_test(tcase, sums_what_counts);
    tcase_add_test(tcase, attempts_at_once_add_up);
    tcase_add_test(tcase, short_runs_have_no_window);
    tcase_add_loop_test(tcase, least_window_is_that_of_every_second, 0, 60);
    suite_add_tcase(suite, tcase);
    SRunner *runner = srunner_create(suite);
    srunner_run_all(runner, CK_NORMAL);
    int failed = srunner_ntests_failed(runner);
    srunner_free(runner);
    return failed != 0;
}
