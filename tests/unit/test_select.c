/* Order statistics against sorting. */
#include "core/base/select.h"
#include "core/base/sort_keys.h"

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

static int by_whole_value(const void *a, const void *b)
{
    int64_t x = *(const int64_t *)a, y = *(const int64_t *)b;
    return (x > y) - (x < y);
}

START_TEST(test_whole_numbers)
{
    uint32_t state = 9;
    static int64_t values[500], sorted[500];
    for (int round = 0; round < 3000; round++) {
        size_t n = 1 + next(&state) % 500;
        uint32_t distinct = 1 + next(&state) % 600;
        for (size_t i = 0; i < n; i++)
            sorted[i] = values[i] = INT64_MAX - next(&state) / 7 % distinct;
        if (round % 3 == 0)
            qsort(values, n, sizeof *values, by_whole_value);
        qsort(sorted, n, sizeof *sorted, by_whole_value);
        size_t k = next(&state) % n;
        ck_assert_int_eq(hc_select_i64(values, n, k), sorted[k]);
        ck_assert_int_eq(hc_lower_median_i64(values, n), sorted[(n - 1) / 2]);
    }
}
END_TEST

/* Keys near each other, far apart and all over 64 bits; equal keys keep their order. */
START_TEST(test_sort_keys)
{
    static const uint64_t masks[] = {0, 7, 0xffff, 0xffffffffff, UINT64_MAX};
    static struct hc_sort_key keys[3000];
    struct hc_error err;
    uint32_t state = 11;
    for (int round = 0; round < 200; round++) {
        size_t n = next(&state) % 3000;
        for (size_t i = 0; i < n; i++) {
            uint64_t high = next(&state), low = next(&state);
            keys[i] = (struct hc_sort_key){(int64_t)((high << 32 | low) & masks[round % 5]) / 2 -
                                               (round % 2 ? 1000 : 0),
                                           (uint32_t)i};
        }
        ck_assert(!hc_sort_keys(keys, n, &err));
        for (size_t i = 1; i < n; i++)
            ck_assert(keys[i - 1].key < keys[i].key ||
                      (keys[i - 1].key == keys[i].key && keys[i - 1].row < keys[i].row));
    }
}
END_TEST

int main(void)
{
    Suite *suite = suite_create("select");
    TCase *tc = tcase_create("select");
    tcase_add_test(tc, test_against_sorting);
    tcase_add_test(tc, test_whole_numbers);
    tcase_add_test(tc, test_sort_keys);
    suite_add_tcase(suite, tc);
    SRunner *runner = srunner_create(suite);
    srunner_run_all(runner, CK_NORMAL);
    int n_failed = srunner_ntests_failed(runner);
    srunner_free(runner);
    return n_failed ? 1 : 0;
}
