/* Medians of values of which some were changed, against sorting them all. */
#include "core/base/select.h"
#include "sim/edits/changed_median.h"
#include "tests/support/random_numbers.h"

#include <check.h>
#include <math.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#define MOST 3000

static double value_below(uint64_t *state, uint64_t n)
{
    return (double)(int64_t)(hc_test_random(state) % n) - (double)(n / 8); /* some are below 0 */
}

static double expected(double *values, size_t n)
{
    return floor(hc_median(values, n) + 0.5);
}

/* Few values make many that are equal, and of two middle ones that differ by one a half. */
START_TEST(changed_medians_are_those_of_all)
{
    static double sorted[MOST], now[MOST], before[MOST], after[MOST];
    uint64_t state = 20261201 + (uint64_t)_i;
    for (int round = 0; round < 400; round++) {
        static const uint64_t ranges[] = {3, 50, 1000000, 1000000000000};
        uint64_t range = ranges[hc_test_random(&state) % 4], share = hc_test_random(&state) % 101;
        size_t n = 1 + hc_test_random(&state) % (round % 2 ? MOST : 20), n_changed = 0;
        for (size_t i = 0; i < n; i++)
            now[i] = value_below(&state, range);
        memcpy(sorted, now, n * sizeof *now);
        hc_sort(sorted, n);
        for (size_t i = 0; i < n; i++)
            if (hc_test_random(&state) % 100 < share) {
                before[n_changed] = now[i];
                now[i] = round % 3 ? value_below(&state, range) : floor(now[i] * 1.7);
                after[n_changed++] = now[i];
            }
        struct hc_changed_values values = {.sorted = sorted,
                                           .n = n,
                                           .before = before,
                                           .after = after,
                                           .n_before = n_changed,
                                           .n_after = n_changed};
        double found = hc_changed_median(&values);
        memcpy(after, now, n * sizeof *now);
        struct hc_changed_values all = {.after = after, .n_after = n};
        double found_of_all = hc_changed_median(&all), median = expected(now, n);
        ck_assert_double_eq(found, median);
        ck_assert_double_eq(found_of_all, median);
    }
}
END_TEST

/* Beyond 2^53 the next whole number is not the next double. */
START_TEST(far_values_end_the_search)
{
    double after[] = {0x1p70, 0x1.0000000000001p70, 0x1p70, 0x1.0000000000002p70, -0x1p71};
    struct hc_changed_values values = {.after = after, .n_after = 5};
    ck_assert_double_eq(hc_changed_median(&values), 0x1p70);
}
END_TEST

int main(void)
{
    Suite *suite = suite_create("changed_median");
    TCase *tests = tcase_create("changed_median");
    tcase_add_loop_test(tests, changed_medians_are_those_of_all, 0, 4);
    tcase_add_test(tests, far_values_end_the_search);
    suite_add_tcase(suite, tests);
    SRunner *runner = srunner_create(suite);
    srunner_run_all(runner, CK_NORMAL);
    int failed = srunner_ntests_failed(runner);
    srunner_free(runner);
    return failed ? 1 : 0;
}
