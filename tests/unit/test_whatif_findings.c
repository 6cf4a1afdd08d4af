/* What follows from a result: orders, the median, the error of approximation, shares. */
#include "sim/whatif/whatif.h"

#include <check.h>
#include <math.h>
#include <stdlib.h>

static struct hc_error err;

static double step_slowdown[4];
static int32_t step_numbers[] = {3, 5, 8, 9};
static struct hc_worker workers[3];
static struct hc_shapley_share shares[2];

/* Nothing in it is the result's own, but what is found. */
static struct hc_whatif_result new_result(void)
{
    const double steps[] = {1.2, NAN, 1.5, 1.2};
    for (int i = 0; i < 4; i++)
        step_slowdown[i] = steps[i];
    workers[0] = (struct hc_worker){.rank = 4, .slowdown = 1.05, .exact = 1.1};
    workers[1] = (struct hc_worker){.rank = 8, .slowdown = 1.1, .exact = 1.35};
    workers[2] = (struct hc_worker){.rank = 12, .slowdown = 1.5, .exact = 1.4};
    shares[0] = (struct hc_shapley_share){.name = "a", .n_types = 1, .seconds = 3};
    shares[1] = (struct hc_shapley_share){.name = "b", .n_types = 1, .seconds = 1};
    struct hc_whatif_result result = {.dp_size = 3,
                                      .pp_size = 1,
                                      .n_steps = 4,
                                      .steps = step_numbers,
                                      .step_slowdown = step_slowdown,
                                      .n_workers = 3,
                                      .workers = workers,
                                      .replayed_s = 5,
                                      .ideal_s = 1};
    result.depth.shapley = (struct hc_shapley){.done = true, .n_groups = 2, .groups = shares};
    return result;
}

START_TEST(finds_orders)
{
    struct hc_whatif_result result = new_result();
    ck_assert_int_eq(hc_whatif_find(&result, &err), HC_OK);
    const size_t steps[] = {2, 0, 3, 1}, order[] = {2, 1, 0};
    for (size_t i = 0; i < 4; i++)
        ck_assert_uint_eq(result.findings.steps[i], steps[i]); /* ties in order, NaN last */
    for (size_t i = 0; i < 3; i++)
        ck_assert_uint_eq(result.findings.workers[i], order[i]);
    ck_assert(result.findings.has_exact);
    ck_assert_double_eq(result.findings.worker_slowdown[1], 1.35);
    ck_assert_double_eq(result.findings.median_step_slowdown, 1.2);
    ck_assert_uint_eq(result.findings.wander.n_workers, 0); /* no ends of workers: not known */
    hc_whatif_findings_fini(&result.findings);
}
END_TEST

/* By slowdown the steps are 3, 9, 8 and 5, which has none: the faster of the middle two is 9. */
START_TEST(finds_the_step_that_a_picture_shows)
{
    struct hc_whatif_result result = new_result();
    ck_assert_int_eq(hc_whatif_find(&result, &err), HC_OK);
    ck_assert_int_eq(result.findings.picture_step, 9);
    result.n_steps = 3;
    ck_assert_int_eq(hc_whatif_find(&result, &err), HC_OK);
    ck_assert_int_eq(result.findings.picture_step, 8);
    result.depth.picture = (struct hc_step_picture){.done = true, .step = 5};
    ck_assert_int_eq(hc_whatif_find(&result, &err), HC_OK);
    ck_assert_int_eq(result.findings.picture_step, 5); /* as drawn */
    result.depth.picture.done = false;
    result.n_steps = 0;
    ck_assert_int_eq(hc_whatif_find(&result, &err), HC_OK);
    ck_assert_int_eq(result.findings.picture_step, HC_MISSING_I32);
    hc_whatif_findings_fini(&result.findings);
}
END_TEST

START_TEST(finds_the_error_of_approximation)
{
    struct hc_whatif_result result = new_result();
    ck_assert_int_eq(hc_whatif_find(&result, &err), HC_OK);
    ck_assert_double_eq_tol(result.findings.approximation_error, 0.25, 1e-12);
    ck_assert_uint_eq(result.findings.approximation_worst, 1);
    for (int w = 0; w < 3; w++)
        workers[w].slowdown = NAN;
    ck_assert_int_eq(hc_whatif_find(&result, &err), HC_OK); /* anew */
    ck_assert(isnan(result.findings.approximation_error));
    hc_whatif_findings_fini(&result.findings);
}
END_TEST

/* One worker without: none is taken as known. */
START_TEST(falls_back_on_approximations)
{
    struct hc_whatif_result result = new_result();
    workers[0].exact = NAN;
    ck_assert_int_eq(hc_whatif_find(&result, &err), HC_OK);
    ck_assert(!result.findings.has_exact);
    ck_assert_double_eq(result.findings.worker_slowdown[1], 1.1);
    ck_assert_double_eq_tol(result.findings.approximation_error, 0.25, 1e-12);
    hc_whatif_findings_fini(&result.findings);
}
END_TEST

START_TEST(shares_the_excess)
{
    struct hc_whatif_result result = new_result();
    ck_assert_int_eq(hc_whatif_find(&result, &err), HC_OK);
    ck_assert_double_eq(result.findings.shapley_s, 4);
    ck_assert_double_eq(shares[0].share, 0.75);
    ck_assert_double_eq(shares[1].share, 0.25);
    result.replayed_s = result.ideal_s; /* nothing to share */
    ck_assert_int_eq(hc_whatif_find(&result, &err), HC_OK);
    ck_assert(isnan(shares[0].share));
    hc_whatif_findings_fini(&result.findings);
}
END_TEST

START_TEST(shares_no_excess_below_a_thousandth)
{
    struct hc_whatif_result result = {.n_steps = 10, .ideal_s = 2, .replayed_s = 2.0019};
    ck_assert(isnan(hc_whatif_excess_s(&result)));
    result.replayed_s = 2.0021;
    ck_assert_double_eq_tol(hc_whatif_excess_s(&result), 0.0021, 1e-12);
}
END_TEST

/* By the slowest worker of each: dp ranks 1, 2 and 0. */
START_TEST(finds_the_worst_dp_rank_and_a_typical_one)
{
    struct hc_whatif_result result = new_result();
    struct hc_worker six[6];
    const double exact[] = {1.1, 1.2, 1.9, 1.0, 1.3, 1.4};
    for (int w = 0; w < 6; w++)
        six[w] = (struct hc_worker){.dp_rank = w / 2, .stage = w % 2, .exact = exact[w]};
    result.pp_size = 2;
    result.n_workers = 6;
    result.workers = six;
    ck_assert_int_eq(hc_whatif_find(&result, &err), HC_OK);
    ck_assert_int_eq(result.findings.worst_dp_rank, 1);
    ck_assert_int_eq(result.findings.typical_dp_rank, 2);
    hc_whatif_findings_fini(&result.findings);
}
END_TEST

START_TEST(finds_the_largest_slowdowns_of_a_step)
{
    int64_t ideal_ns[] = {100, 0}, ends_ns[4][2] = {{110, 1}, {150, 1}, {130, 1}, {120, 1}};
    struct hc_whatif_result result = {.dp_size = 2,
                                      .pp_size = 2,
                                      .n_workers = 4,
                                      .n_steps = 2,
                                      .ideal_end_ns = ideal_ns,
                                      .worker_end_ns = ends_ns[0]};
    ck_assert_double_eq(hc_stage_step_slowdown(&result, 0, 0), 1.3);
    ck_assert_double_eq(hc_stage_step_slowdown(&result, 1, 0), 1.5);
    ck_assert_double_eq(hc_dp_rank_step_slowdown(&result, 1, 0, 2, 0), 1.3);
    ck_assert_double_eq(hc_dp_rank_step_slowdown(&result, 1, 1, 1, 0), 1.2);
    ck_assert(isnan(hc_stage_step_slowdown(&result, 1, 1))); /* no ideal time: not known */
    ck_assert(isnan(hc_dp_rank_step_slowdown(&result, 0, 0, 2, 1)));
}
END_TEST

START_TEST(puts_a_group_back_in_a_step)
{
    int64_t ideal_ns[] = {100, 200}, replayed_ns[] = {150, 160}, end_ns[] = {120, 240};
    const struct hc_whatif_result result = {
        .n_steps = 2, .ideal_end_ns = ideal_ns, .replayed_end_ns = replayed_ns};
    const struct hc_split_group group = {.end_ns = end_ns};
    ck_assert_double_eq(hc_blocking_step_slowdown(&result, &group, 0), 1.2);
    ck_assert_double_eq(hc_launch_step_slowdown(&result, &group, 0), 0.8);
    ck_assert_double_eq(hc_launch_step_slowdown(&result, &group, 1), 1.5);
}
END_TEST

/* What is known stays as it is; an excess that says nothing has shares all the same. */
START_TEST(shares_any_excess_but_nought)
{
    struct hc_explained explained = {.done = true,
                                     .removed_s = 3,
                                     .added_s = 2.5,
                                     .replayed_s = 4,
                                     .ideal_s = 2,
                                     .rem = 0.7,
                                     .add = 0.1};
    ck_assert_double_eq(hc_explained_of_any_excess(&explained).rem, 0.7);
    ck_assert_double_eq(hc_explained_of_any_excess(&explained).add, 0.1);
    explained.rem = explained.add = NAN;
    ck_assert_double_eq(hc_explained_of_any_excess(&explained).rem, 0.5);
    ck_assert_double_eq(hc_explained_of_any_excess(&explained).add, 0.25);
    explained.ideal_s = 6; /* longer than the replayed steps */
    ck_assert_double_eq(hc_explained_of_any_excess(&explained).rem, -0.5);
    explained.ideal_s = 4;
    ck_assert(isnan(hc_explained_of_any_excess(&explained).rem));
}
END_TEST

int main(void)
{
    Suite *suite = suite_create("whatif_findings");
    TCase *tests = tcase_create("whatif_findings");
    tcase_add_test(tests, finds_orders);
    tcase_add_test(tests, finds_the_step_that_a_picture_shows);
    tcase_add_test(tests, finds_the_error_of_approximation);
    tcase_add_test(tests, falls_back_on_approximations);
    tcase_add_test(tests, shares_the_excess);
    tcase_add_test(tests, shares_no_excess_below_a_thousandth);
    tcase_add_test(tests, finds_the_worst_dp_rank_and_a_typical_one);
    tcase_add_test(tests, finds_the_largest_slowdowns_of_a_step);
    tcase_add_test(tests, puts_a_group_back_in_a_step);
    tcase_add_test(tests, shares_any_excess_but_nought);
    suite_add_tcase(suite, tests);
    SRunner *runner = srunner_create(suite);
    srunner_run_all(runner, CK_NORMAL);
    int failed = srunner_ntests_failed(runner);
    srunner_free(runner);
    return failed != 0;
}
