/* Intervals of the difference of two series of steps: what they are by hand, and how often they
 * hold the truth. */
#include "core/random/philox.h"
#include "models/stats/serial_ratio.h"
#include "models/stats/student.h"

#include <check.h>
#include <gsl/gsl_statistics_double.h>
#include <math.h>
#include <stdio.h>

#define MOST_STEPS 128

/* Values that tell nothing of those after them: the textbook's mean, error and Welch's interval
 * (the pairs sum to what their neighbours take back, so that the correlation is below 0). */
START_TEST(independent_values)
{
    const double a[] = {3, 1, 4, 1, 5, 1, 6, 2, 5, 1}, b[] = {2, 8, 1, 8, 2, 8, 1, 8};
    struct hc_serial_ratio left = hc_serial_ratio_find(a, NULL, 10);
    struct hc_serial_ratio right = hc_serial_ratio_find(b, NULL, 8);
    double va = gsl_stats_variance(a, 1, 10) / 10, vb = gsl_stats_variance(b, 1, 8) / 8;
    ck_assert_double_eq_tol(left.value, 2.9, 1e-15);
    ck_assert_double_eq_tol(left.error, sqrt(va), 1e-15);
    ck_assert_double_eq_tol(left.freedom, 9, 1e-12);
    double freedom = (va + vb) * (va + vb) / (va * va / 9 + vb * vb / 7);
    double reach = sqrt(va + vb) * hc_student_t(freedom, 0.95);
    struct hc_serial_difference d = hc_serial_difference_find(&left, &right, 0.95);
    ck_assert_double_eq_tol(d.value, 4.75 - 2.9, 1e-14);
    ck_assert_double_eq_tol(d.low, 4.75 - 2.9 - reach, 1e-10);
    ck_assert_double_eq_tol(d.high, 4.75 - 2.9 + reach, 1e-10);
    /* The mirror image, to the last bit. */
    struct hc_serial_difference back = hc_serial_difference_find(&right, &left, 0.95);
    ck_assert(back.value == -d.value && back.low == -d.high && back.high == -d.low);
}
END_TEST

/* A ratio of sums; what is in proportion to its whole has no error. */
START_TEST(ratios)
{
    const double whole[] = {10, 20, 30, 15, 25}, part[] = {5, 10, 15, 7.5, 12.5};
    struct hc_serial_ratio r = hc_serial_ratio_find(part, whole, 5);
    ck_assert_double_eq_tol(r.value, 0.5, 1e-15);
    ck_assert_double_eq_tol(r.error, 0, 1e-15);
    struct hc_serial_ratio mean = hc_serial_ratio_find(part, NULL, 5);
    ck_assert_double_eq_tol(mean.value, 10, 1e-14);
    ck_assert(mean.error > 1);
}
END_TEST

/* Where each value is half of the one before, the mean is known as by a third of the values: the
 * error is larger by more than half. */
START_TEST(correlated_values)
{
    const double smooth[] = {1, 2, 3, 4, 5, 6, 7, 8, 8, 7, 6, 5, 4, 3, 2, 1};
    const double mixed[] = {1, 8, 2, 7, 3, 6, 4, 5, 8, 1, 7, 2, 6, 3, 5, 4};
    struct hc_serial_ratio slow = hc_serial_ratio_find(smooth, NULL, 16);
    struct hc_serial_ratio fast = hc_serial_ratio_find(mixed, NULL, 16);
    ck_assert_double_eq(slow.value, fast.value);
    ck_assert_double_gt(slow.error, 2 * fast.error);
    ck_assert_double_lt(slow.freedom, fast.freedom);
    ck_assert_double_ge(slow.freedom, 1);
}
END_TEST

START_TEST(what_is_not_known)
{
    const double values[] = {1, 2, 3}, zero[] = {0, 0, 0};
    ck_assert(isnan(hc_serial_ratio_find(values, NULL, 0).value));
    ck_assert(isnan(hc_serial_ratio_find(values, zero, 3).value));
    struct hc_serial_ratio one = hc_serial_ratio_find(values, NULL, 1);
    struct hc_serial_ratio three = hc_serial_ratio_find(values, NULL, 3);
    ck_assert(one.value == 1 && isnan(one.error));
    struct hc_serial_difference d = hc_serial_difference_find(&one, &three, 0.95);
    ck_assert(d.value == 1 && isnan(d.low) && isnan(d.high));
}
END_TEST

/* ---- where intervals end ---- */

/* Two levels of two values each count as two values, with one degree of freedom: the ends are those
 * of single values. */
START_TEST(ranges_that_do_not_touch)
{
    const double a[] = {9, 9, 9, 9, 9, 11, 11, 11, 11, 11},
                 b[] = {13, 13, 13, 13, 13, 14, 14, 14, 14, 14};
    struct hc_serial_ratio left = hc_serial_ratio_find(a, NULL, 10);
    struct hc_serial_ratio right = hc_serial_ratio_find(b, NULL, 10);
    ck_assert(left.least == 9 && left.most == 11 && right.least == 13 && right.most == 14);
    struct hc_serial_difference d = hc_serial_difference_find(&left, &right, 0.95);
    ck_assert(d.is_bounded && d.low == 2 && d.high == 5);
    ck_assert_double_eq_tol(d.ratio_low, 13.0 / 11, 1e-15);
    ck_assert_double_eq_tol(d.ratio_high, 14.0 / 9, 1e-15);
    double low, high;
    hc_serial_ratio_interval(&left, 0.95, &low, &high);
    ck_assert(low == 9 && high == 11);
    /* They touch: 0 is in it, and 1 in that of the ratio, which is not negative. */
    const double c[] = {1, 1, 1, 1, 1, 11, 11, 11, 11, 11};
    struct hc_serial_ratio wide = hc_serial_ratio_find(c, NULL, 10);
    d = hc_serial_difference_find(&left, &wide, 0.95);
    ck_assert(!d.is_bounded && d.low == -10 && d.high == 2);
    ck_assert_double_eq_tol(d.ratio_low, 1.0 / 11, 1e-15);
    ck_assert_double_eq_tol(d.ratio_high, 11.0 / 9, 1e-15);
}
END_TEST

/* The interval of the ratio holds 1 where that of the difference holds 0; one of figures that are
 * above 0 is, too, and that of figures which may be 0 begins at 0 or has no end. */
START_TEST(ratios_of_figures)
{
    const struct hc_reach a = {10, 1, 2}, b = {14, 3, 1}, zero = {1, 1.5, 2};
    struct hc_apart d = hc_apart_find(&a, &b);
    ck_assert_double_eq_tol(d.low, 4 - sqrt(9 + 4), 1e-14);
    ck_assert_double_eq_tol(d.high, 4 + sqrt(1 + 1), 1e-14);
    /* (14 - 10 r)^2 = 9 + 4 r^2 and = 1 + r^2 */
    ck_assert_double_eq_tol(14 - 10 * d.ratio_low, sqrt(9 + 4 * d.ratio_low * d.ratio_low), 1e-13);
    ck_assert_double_eq_tol(10 * d.ratio_high - 14, sqrt(1 + d.ratio_high * d.ratio_high), 1e-13);
    ck_assert(d.low > 0 && d.ratio_low > 1);
    d = hc_apart_find(&a, &zero);
    ck_assert(d.ratio_low == 0 && d.ratio_high > 0.1 && d.ratio_high < 1);
    d = hc_apart_find(&zero, &a);
    ck_assert(d.ratio_low > 1 && isinf(d.ratio_high));
    ck_assert(isnan(hc_apart_find(&(struct hc_reach){-1, 1, 1}, &a).ratio_low));
    /* Not the difference by a hair, and not the ratio. */
    for (double above = 2; above < 4; above += 0.01) {
        d = hc_apart_find(&(struct hc_reach){10, 1, above}, &b);
        ck_assert((d.low > 0) == (d.ratio_low > 1));
    }
}
END_TEST

/* ---- coverage ---- */

static struct hc_serial_ratio draw(struct hc_philox *rng, size_t n, double correlation)
{
    double value[MOST_STEPS], deviation = hc_philox_normal(rng);
    for (size_t i = 0; i < n; i++) {
        deviation =
            correlation * deviation + sqrt(1 - correlation * correlation) * hc_philox_normal(rng);
        value[i] = 2 + 0.1 * deviation;
    }
    return hc_serial_ratio_find(value, NULL, n);
}

static double coverage(size_t n_a, size_t n_b, double correlation)
{
    const int n_trials = 4000;
    int n_held = 0;
    struct hc_philox rng;
    hc_philox_seek(&rng, 1, n_a * 1000 + n_b, (uint64_t)(100 * correlation));
    for (int trial = 0; trial < n_trials; trial++) {
        struct hc_serial_ratio a = draw(&rng, n_a, correlation);
        struct hc_serial_ratio b = draw(&rng, n_b, correlation);
        struct hc_serial_difference d = hc_serial_difference_find(&a, &b, 0.95);
        n_held += d.low <= 0 && d.high >= 0;
    }
    double share = (double)n_held / n_trials;
    printf("%3zu and %3zu steps, correlation %.1f: %.1f %%\n", n_a, n_b, correlation, 100 * share);
    return share;
}

/* Two samples of one mean: 0 lies in the interval of their difference in 92 of 100 at least, and
 * not in all of them. */
START_TEST(covers)
{
    static const size_t sizes[][2] = {{20, 20}, {40, 40}, {20, 60}, {60, 40}, {100, 100}};
    static const double correlations[] = {0, 0.5, 0.8};
    for (size_t r = 0; r < 3; r++)
        for (size_t i = 0; i < sizeof sizes / sizeof sizes[0]; i++) {
            double share = coverage(sizes[i][0], sizes[i][1], correlations[r]);
            ck_assert_double_ge(share, r < 2 ? 0.92 : 0.91);
            ck_assert_double_le(share, 0.98);
        }
    ck_assert_double_ge(coverage(10, 10, 0), 0.92);
    ck_assert_double_ge(coverage(10, 10, 0.5), 0.90);
    ck_assert_double_ge(coverage(10, 10, 0.8), 0.84);
}
END_TEST

int main(void)
{
    Suite *suite = suite_create("serial_ratio");
    TCase *tests = tcase_create("serial_ratio");
    tcase_add_test(tests, independent_values);
    tcase_add_test(tests, ratios);
    tcase_add_test(tests, correlated_values);
    tcase_add_test(tests, what_is_not_known);
    tcase_add_test(tests, ranges_that_do_not_touch);
    tcase_add_test(tests, ratios_of_figures);
    tcase_add_test(tests, covers);
    suite_add_tcase(suite, tests);
    SRunner *runner = srunner_create(suite);
    srunner_run_all(runner, CK_NORMAL);
    int failed = srunner_ntests_failed(runner);
    srunner_free(runner);
    return failed ? 1 : 0;
}
