/* Order statistics against sorting. */
#include "core/base/select.h"

#include <check.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

static int by_value(const void *a, const void *b)
{
    double x = *(const double *)a, y = *(const double *)b;
    return (x > y) - (x < y);
}

static uint32_t next(uint32_t *state)
{
    return *state = *state * 1664525u + 1013904223u;
}

START_TEST(test_against_sorting)
{
    uint32_t state = 7;
    static double values[500], sorted[500];
    for (int round = 0; round < 3000; round++) {
        size_t n = 1 + next(&state) % 500;
        uint32_t distinct = 1 + next(&state) % 600; /* many ties, and none */
        for (size_t i = 0; i < n; i++)
            sorted[i] = values[i] = (double)(next(&state) / 7 % distinct) - 100;
        if (round % 3 == 0)
            qsort(values, n, sizeof *values, by_value); /* the worst case of naive pivots */
        qsort(sorted, n, sizeof *sorted, by_value);
        size_t k = next(&state) % n;
        double expected = n % 2 ? sorted[n / 2] : (sorted[n / 2 - 1] + sorted[n / 2]) / 2;
        ck_assert_double_eq(hc_select(values, n, k), sorted[k]);
        ck_assert_double_eq(hc_median(values, n), expected);
    }
}
END_TEST

int main(void)
{
    Suite *suite = suite_create("select");
    TCase *tc = tcase_create("select");
    tcase_add_test(tc, test_against_sorting);
    suite_add_tcase(suite, tc);
    SRunner *runner = srunner_create(suite);
    srunner_run_all(runner, CK_NORMAL);
    int n_failed = srunner_ntests_failed(runner);
    srunner_free(runner);
    return n_failed ? 1 : 0;
}
