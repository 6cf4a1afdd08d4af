/* Days of the account beside each other: by hand, and how often chance alone is called a change. */
#include "models/account/compare/day_compare.h"

#include <check.h>
#include <math.h>
#include <stdlib.h>

static struct hc_compared_day day_of(int64_t day, double held, double productive)
{
    struct hc_compared_day d = {.day = day, .held = held};
    d.hours[HC_COMPARED_PRODUCTIVE] = productive;
    return d;
}

static struct hc_day_compare compare(struct hc_compared_day *days, size_t n, int64_t a_first,
                                     int64_t a_last, int64_t b_first, int64_t b_last)
{
    struct hc_day_compare result = {.side = {{.first_day = a_first, .last_day = a_last},
                                             {.first_day = b_first, .last_day = b_last}}};
    hc_compared_days_assign(days, n, result.side);
    hc_compared_side_sum(&result.side[0], HC_COMPARED_A, days, n);
    hc_compared_side_sum(&result.side[1], HC_COMPARED_B, days, n);
    hc_day_compare_make(&result, days, n);
    return result;
}

/* Equal days: the two-sample t of the textbook. Shares 0.8, 0.9 against 0.6, 0.7: means 0.85 and
 * 0.65, pooled variance 0.005, t = -0.2 / sqrt(0.005 (1/2 + 1/2)) = -2.8284 with 2 degrees. */
START_TEST(equal_days_give_the_usual_t)
{
    struct hc_compared_day days[] = {day_of(1, 100, 80), day_of(2, 100, 90), day_of(3, 100, 60),
                                     day_of(4, 100, 70)};
    const struct hc_day_compare result = compare(days, 4, 1, 2, 3, 4);
    const struct hc_compared_row *row = &result.rows[0];
    ck_assert_int_eq(row->what, HC_COMPARED_PRODUCTIVE);
    ck_assert_double_eq_tol(row->share[0], 0.85, 1e-12);
    ck_assert_double_eq_tol(row->change, -0.2, 1e-12);
    ck_assert_double_eq_tol(row->t, -2.8284271247, 1e-9);
    ck_assert_double_eq(row->freedom, 2);
    /* of |t| > 2 sqrt(2) with 2 degrees: 1 - t / sqrt(2 + t t) = 1 - sqrt(0.8) */
    ck_assert_double_eq_tol(row->probability, 1 - sqrt(0.8), 1e-8);
    ck_assert(!row->has_changed);
    ck_assert_double_eq_tol(row->spread, sqrt(0.005), 1e-12);
}
END_TEST

START_TEST(single_nights_need_other_days)
{
    struct hc_compared_day alone[] = {day_of(1, 100, 80), day_of(2, 100, 60)};
    ck_assert_double_nan(compare(alone, 2, 1, 1, 2, 2).rows[0].probability);
    struct hc_compared_day more[] = {day_of(1, 100, 80), day_of(2, 100, 60), day_of(3, 100, 81),
                                     day_of(4, 100, 79), day_of(5, 0, 0)};
    const struct hc_day_compare result = compare(more, 5, 1, 1, 2, 2);
    ck_assert_uint_eq(result.n_other, 2);
    ck_assert_double_eq(result.rows[0].freedom, 1);
    ck_assert_double_eq_tol(result.rows[0].t, -0.2 / sqrt(0.0002 * 2), 1e-9);
    /* Of a day without GPU-hours nothing follows, and it is no other day. */
    const struct hc_day_compare same = compare(more, 4, 1, 1, 2, 2);
    ck_assert_double_eq(same.rows[0].t, result.rows[0].t);
}
END_TEST

/* Of two runs, a date may be of both: the days above as four of two dates give the same t. */
START_TEST(runs_may_share_dates)
{
    struct hc_compared_day days[] = {day_of(1, 100, 80), day_of(2, 100, 90), day_of(1, 100, 60),
                                     day_of(2, 100, 70)};
    struct hc_day_compare result = {.n = 0};
    for (int d = 0; d < 4; d++)
        days[d].set = d < 2 ? HC_COMPARED_A : HC_COMPARED_B;
    hc_compared_side_sum(&result.side[0], HC_COMPARED_A, days, 4);
    hc_compared_side_sum(&result.side[1], HC_COMPARED_B, days, 4);
    hc_day_compare_make(&result, days, 4);
    ck_assert_double_eq(result.side[1].sum.hours[HC_COMPARED_PRODUCTIVE], 130);
    ck_assert_double_eq_tol(result.rows[0].t, -2.8284271247, 1e-9);
    ck_assert_uint_eq(result.n_other, 0);
}
END_TEST

/* ---- chance ---- */

static double uniform(uint32_t *seed)
{
    *seed = *seed * 1664525u + 1013904223u;
    return (double)(*seed >> 8) / (1 << 24);
}

/* Days of 5 to 105 pieces of work, of each of which half a share is productive or not; `change` is
 * added to what is productive on the last night. */
static bool has_changed(uint32_t seed, double change)
{
    struct hc_compared_day days[40];
    for (int d = 0; d < 40; d++) {
        int n = 5 + (int)(uniform(&seed) * 100);
        double productive = 0;
        for (int i = 0; i < n; i++)
            productive += uniform(&seed) < 0.9 + (d == 39 ? change : 0) ? 10 : 0;
        days[d] = day_of(d, 10.0 * n, productive);
    }
    return compare(days, 40, 32, 32, 39, 39).rows[0].probability < 0.05;
}

START_TEST(chance_is_seldom_called_a_change)
{
    int n_wrong = 0, n_found = 0;
    for (uint32_t seed = 1; seed <= 1000; seed++) {
        n_wrong += has_changed(seed * 7919, 0);
        n_found += has_changed(seed * 7919, -0.4);
    }
    ck_assert_int_le(n_wrong, 75); /* 50 are meant */
    ck_assert_int_ge(n_wrong, 25);
    ck_assert_int_ge(n_found, 800);
}
END_TEST

int main(void)
{
    Suite *suite = suite_create("day_compare");
    TCase *tcase = tcase_create("all");
    tcase_add_test(tcase, equal_days_give_the_usual_t);
    tcase_add_test(tcase, single_nights_need_other_days);
    tcase_add_test(tcase, runs_may_share_dates);
    tcase_add_test(tcase, chance_is_seldom_called_a_change);
    suite_add_tcase(suite, tcase);
    SRunner *runner = srunner_create(suite);
    srunner_run_all(runner, CK_NORMAL);
    int failed = srunner_ntests_failed(runner);
    srunner_free(runner);
    return failed != 0;
}
