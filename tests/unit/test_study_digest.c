/* What views show beside what the runs gave: orders, the best, the tries beside the answer. */
#include "study/run/study_numbers.h"
#include "tests/support/fake_study.h"

#include <check.h>

enum { ETTR, WALL, GPU_HOURS, LOST };

START_TEST(the_best_run_goes_by_the_better_direction)
{
    struct fake_study fake;
    fake_study_init(&fake, 1, 3);
    struct hc_study_result *result = &fake.result;
    const double means[] = {5, 9, 2};
    for (size_t r = 0; r < 3; r++) {
        result->run[r].value[ETTR].mean = means[r];
        result->run[r].value[WALL].mean = means[r];
        result->run[r].value[LOST].mean = 7 * (1 + 1e-12 * means[r]);
    }
    fake_digest(&fake);
    ck_assert_uint_eq(result->order.best_run[ETTR], 1);
    ck_assert_uint_eq(result->order.best_run[WALL], 2);
    ck_assert_uint_eq(result->order.best_run[LOST], HC_STUDY_NONE);
    fake_study_free(&fake);
}
END_TEST

START_TEST(wall_time_leads_the_comparison)
{
    struct fake_study fake;
    fake_study_init(&fake, 1, 2);
    fake_digest(&fake);
    const struct hc_study_order *order = &fake.result.order;
    ck_assert_uint_eq(order->n_compared, 3);
    ck_assert_uint_eq(order->compared[0], WALL);
    ck_assert_uint_eq(order->compared[1], GPU_HOURS);
    ck_assert_uint_eq(order->compared[2], ETTR);
    ck_assert_uint_eq(order->n_swept, 0);
    fake_study_free(&fake);
}
END_TEST

START_TEST(only_what_varies_is_of_the_sweep)
{
    struct fake_study fake;
    fake_study_init(&fake, 1, 1);
    fake_sweep(&fake, (size_t[]){4}, 1, false);
    struct hc_study_result *result = &fake.result;
    for (size_t i = 0; i < 4; i++) {
        result->cell[i].value[WALL].mean = i == 1 ? NAN : 90; /* what is not known varies not */
        result->cell[i].value[ETTR].mean = (double[]){0.5, NAN, 0.9, 0.7}[i];
    }
    fake_digest(&fake);
    const struct hc_study_order *order = &result->order;
    ck_assert(order->is_ascending);
    ck_assert_uint_eq(order->swept[0], ETTR);
    ck_assert_uint_eq(order->swept[1], GPU_HOURS);
    for (size_t i = 0; i < order->n_swept; i++)
        ck_assert_uint_ne(order->swept[i], WALL);
    /* Highest ETTR first, what is not known last. */
    ck_assert_uint_eq(order->n_best_cells, 4);
    const size_t best[] = {2, 3, 0, 1};
    for (size_t i = 0; i < 4; i++)
        ck_assert_uint_eq(order->best_cell[i], best[i]);
    ((double *)result->axis[0].number)[2] = 1;
    fake_digest(&fake);
    ck_assert(!order->is_ascending);
    fake_study_free(&fake);
}
END_TEST

START_TEST(other_axes_stand_at_the_value_of_the_scenario)
{
    struct fake_study fake;
    fake_study_init(&fake, 1, 2);
    fake_sweep(&fake, (size_t[]){3, 2, 4}, 3, false);
    struct hc_study_result *result = &fake.result;
    ck_assert_uint_eq(hc_study_plane_cell(result, 1, 2, 1), 24 + (2 * 2 + 1) * 4);
    ((struct hc_study_axis *)result->axis)[2].base = 3;
    ck_assert_uint_eq(hc_study_plane_cell(result, 1, 2, 1), 24 + (2 * 2 + 1) * 4 + 3);
    /* Flat on the plane, though not off it. */
    for (size_t i = 0; i < 48; i++)
        result->cell[i].value[LOST].mean = i % 4 == 3 ? 5 : (double)i;
    fake_digest(&fake);
    ck_assert(result->order.is_flat[result->n_columns + LOST]);
    ck_assert(!result->order.is_flat[result->n_columns + ETTR]);
    fake_study_free(&fake);
}
END_TEST

/* Tries 0 to 32; condition true of those marked, the answer is the try at `answer`. */
static void check_beside(bool is_smallest, const char *holds, size_t answer, size_t better,
                         size_t worse)
{
    struct fake_study fake;
    fake_study_init(&fake, 1, 1);
    fake_find(&fake, true);
    struct hc_study_found *found = &fake.result.found;
    found->is_smallest = is_smallest;
    found->number = found->tries[answer].number;
    for (size_t i = 0; i < found->n_tries; i++)
        found->tries[i].holds = holds[i] == '+';
    fake_digest(&fake);
    ck_assert_uint_eq(found->answer, answer);
    ck_assert_uint_eq(found->better_fails, better);
    ck_assert_uint_eq(found->worse_fails, worse);
    fake_study_free(&fake);
}

START_TEST(the_answer_has_those_beside_it)
{
    check_beside(true, "--+++++", 2, 1, HC_STUDY_NONE);
    check_beside(true, "--+-+--", 2, 1, 3);
    check_beside(true, "+++-+--", 0, HC_STUDY_NONE, 3);
    check_beside(false, "--+++--", 4, 5, 1);
    check_beside(false, "+++++++", 6, HC_STUDY_NONE, HC_STUDY_NONE);
}
END_TEST

START_TEST(a_margin_is_near_within_a_tenth_of_the_interval)
{
    struct fake_study fake;
    fake_study_init(&fake, 1, 1);
    fake_find(&fake, false);
    struct hc_study_found *found = &fake.result.found;
    found->tries[0].margin = 0.09 * 0.0015;
    found->tries[1].margin = 0.11 * 0.0015;
    found->tries[2].margin = 0;
    found->tries[3].margin = NAN;
    fake_digest(&fake);
    ck_assert(found->tries[0].is_near);
    for (size_t i = 1; i < 4; i++)
        ck_assert(!found->tries[i].is_near);
    ck_assert_uint_eq(found->answer, HC_STUDY_NONE);
    fake_study_free(&fake);
}
END_TEST

START_TEST(a_difference_says_what_it_is_worth)
{
    const struct hc_study_value gain = {0.2, 0.1, 0.3, 1}, either = {0.2, -0.1, 0.5, 1},
                                at_nought = {0.2, 0, 0.4, 1}, alone = {0.2, NAN, NAN, NAN},
                                unknown = {NAN, NAN, NAN, NAN};
    ck_assert(hc_study_is_clear(&gain) && !hc_study_is_unclear(&gain));
    ck_assert(!hc_study_is_clear(&either) && hc_study_is_unclear(&either));
    ck_assert(!hc_study_is_clear(&at_nought) && hc_study_is_unclear(&at_nought));
    ck_assert(!hc_study_is_clear(&alone) && !hc_study_is_unclear(&alone));
    ck_assert_double_eq(hc_study_relative(&gain, 0.8), 0.25);
    ck_assert_double_eq(hc_study_relative(&gain, -0.4), -0.5);
    ck_assert(isnan(hc_study_relative(&gain, 0)) && isnan(hc_study_relative(&gain, NAN)));
    ck_assert(isnan(hc_study_relative(&unknown, 1)));
}
END_TEST

int main(void)
{
    Suite *suite = suite_create("study_digest");
    TCase *tests = tcase_create("study_digest");
    tcase_add_test(tests, the_best_run_goes_by_the_better_direction);
    tcase_add_test(tests, wall_time_leads_the_comparison);
    tcase_add_test(tests, only_what_varies_is_of_the_sweep);
    tcase_add_test(tests, other_axes_stand_at_the_value_of_the_scenario);
    tcase_add_test(tests, the_answer_has_those_beside_it);
    tcase_add_test(tests, a_margin_is_near_within_a_tenth_of_the_interval);
    tcase_add_test(tests, a_difference_says_what_it_is_worth);
    suite_add_tcase(suite, tests);
    SRunner *runner = srunner_create(suite);
    srunner_run_all(runner, CK_NORMAL);
    int failed = srunner_ntests_failed(runner);
    srunner_free(runner);
    return failed != 0;
}
