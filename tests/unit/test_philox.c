#include "core/random/philox.h"
#include "core/random/stable_math.h"

#include <check.h>
#include <math.h>
#include <stdlib.h>

/* Known answers published with Random123 (Salmon et al., SC'11). */
START_TEST(known_answers)
{
    static const uint32_t counter[3][4] = {{0, 0, 0, 0},
                                           {0xffffffff, 0xffffffff, 0xffffffff, 0xffffffff},
                                           {0x243f6a88, 0x85a308d3, 0x13198a2e, 0x03707344}};
    static const uint32_t key[3][2] = {{0, 0}, {0xffffffff, 0xffffffff}, {0xa4093822, 0x299f31d0}};
    static const uint32_t expected[3][4] = {{0x6627e8d5, 0xe169c58d, 0xbc57ac4c, 0x9b00dbd8},
                                            {0x408f276d, 0x41c83b0e, 0xa20bc7c6, 0x6d5451fd},
                                            {0xd16cfe09, 0x94fdcceb, 0x5001e420, 0x24126ea1}};
    for (int i = 0; i < 3; i++) {
        struct hc_philox rng;
        hc_philox_seek(&rng, key[i][0] | (uint64_t)key[i][1] << 32,
                       counter[i][2] | (uint64_t)counter[i][3] << 32,
                       counter[i][0] | (uint64_t)counter[i][1] << 32);
        for (int j = 0; j < 4; j += 2)
            ck_assert_uint_eq(hc_philox_u64(&rng),
                              expected[i][j] | (uint64_t)expected[i][j + 1] << 32);
    }
}
END_TEST

START_TEST(place_decides)
{
    struct hc_philox a, b;
    hc_philox_seek(&a, 7, 11, 0);
    for (int i = 0; i < 2 * 1000; i++)
        hc_philox_u64(&a);
    hc_philox_seek(&b, 7, 11, 1000);
    for (int i = 0; i < 100; i++)
        ck_assert_uint_eq(hc_philox_u64(&a), hc_philox_u64(&b));

    /* Seeds and streams that share half their bits still differ. */
    uint64_t first[5];
    const uint64_t name[5][2] = {
        {1, 2}, {2, 1}, {1, 2 + (1ull << 32)}, {1 + (1ull << 32), 2}, {0, 3}};
    for (int i = 0; i < 5; i++) {
        hc_philox_seek(&a, name[i][0], name[i][1], 0);
        first[i] = hc_philox_u64(&a);
        for (int j = 0; j < i; j++)
            ck_assert_uint_ne(first[i], first[j]);
    }
}
END_TEST

START_TEST(uniform_covers)
{
    struct hc_philox rng;
    hc_philox_seek(&rng, 3, 0, 0);
    enum { n = 200000 };
    double sum = 0, squares = 0;
    int bin[10] = {0};
    for (int i = 0; i < n; i++) {
        double u = hc_philox_uniform(&rng);
        ck_assert(u >= 0 && u < 1);
        sum += u;
        squares += u * u;
        bin[(int)(u * 10)]++;
    }
    ck_assert_double_eq_tol(sum / n, 0.5, 5 * 0.2887 / sqrt(n));
    ck_assert_double_eq_tol(squares / n, 1.0 / 3, 5 * 0.2981 / sqrt(n));
    for (int i = 0; i < 10; i++)
        ck_assert_double_eq_tol(bin[i], n / 10.0, 5 * sqrt(n * 0.09));
}
END_TEST

START_TEST(normal_is_normal)
{
    struct hc_philox rng;
    hc_philox_seek(&rng, 4, 9, 0);
    enum { n = 400000 };
    static const double point[] = {-4, -3, -2, -1, -0.3, 0, 0.3, 1, 2, 3, 4};
    enum { n_points = sizeof point / sizeof *point };
    int below[n_points] = {0};
    double sum = 0, squares = 0;
    for (int i = 0; i < n; i++) {
        double z = hc_philox_normal(&rng);
        sum += z;
        squares += z * z;
        for (int p = 0; p < n_points; p++)
            below[p] += z < point[p];
    }
    ck_assert_double_eq_tol(sum / n, 0, 5 / sqrt(n));
    ck_assert_double_eq_tol(squares / n, 1, 5 * sqrt(2.0 / n));
    for (int p = 0; p < n_points; p++) {
        double expected = 0.5 * erfc(-point[p] / sqrt(2));
        double tolerance = 5 * sqrt(expected * (1 - expected) / n) + 3.0 / n;
        ck_assert_double_eq_tol((double)below[p] / n, expected, tolerance);
    }
}
END_TEST

START_TEST(below_is_fair)
{
    struct hc_philox rng;
    hc_philox_seek(&rng, 5, 0, 0);
    int count[7] = {0};
    enum { n = 70000 };
    for (int i = 0; i < n; i++) {
        uint64_t value = hc_philox_integer(&rng, 7);
        ck_assert_uint_lt(value, 7);
        count[value]++;
    }
    for (int i = 0; i < 7; i++)
        ck_assert_double_eq_tol(count[i], n / 7.0, 5 * sqrt(n / 7.0));
    /* Two thirds of 2^64: without rejection the lower half would come up twice as often. */
    uint64_t bound = 0xAAAAAAAAAAAAAAAAull, low = 0;
    for (int i = 0; i < n; i++)
        low += hc_philox_integer(&rng, bound) < bound / 2;
    ck_assert_double_eq_tol((double)low, n / 2.0, 5 * sqrt(n / 4.0));
    ck_assert_uint_eq(hc_philox_integer(&rng, 1), 0);
}
END_TEST

START_TEST(stable_math_is_exact)
{
    double worst_exp = 0, worst_log = 0;
    struct hc_philox rng;
    hc_philox_seek(&rng, 6, 0, 0);
    for (int i = 0; i < 200000; i++) {
        double u = hc_philox_uniform(&rng);
        double x = (u - 0.5) * (i % 2 ? 1400 : 8);
        worst_exp = fmax(worst_exp, fabs(hc_stable_exp(x) / exp(x) - 1));
        double y = i % 3 ? exp(x) : 1 + (u - 0.5) * 0.01;
        double log_y = log(y);
        worst_log = fmax(worst_log,
                         log_y == 0 ? fabs(hc_stable_log(y)) : fabs(hc_stable_log(y) / log_y - 1));
    }
    ck_assert_double_lt(worst_exp, 4.5e-16);
    ck_assert_double_lt(worst_log, 4.5e-16);
    ck_assert_double_eq(hc_stable_exp(0), 1);
    ck_assert_double_eq(hc_stable_log(1), 0);
    ck_assert_double_eq(hc_stable_exp(-800), 0);
    ck_assert(isinf(hc_stable_exp(710)));
}
END_TEST

int main(void)
{
    Suite *suite = suite_create("philox");
    TCase *tests = tcase_create("all");
    suite_add_tcase(suite, tests);
    tcase_add_test(tests, known_answers);
    tcase_add_test(tests, place_decides);
    tcase_add_test(tests, uniform_covers);
    tcase_add_test(tests, normal_is_normal);
    tcase_add_test(tests, below_is_fair);
    tcase_add_test(tests, stable_math_is_exact);
    SRunner *runner = srunner_create(suite);
    srunner_run_all(runner, CK_NORMAL);
    int failed = srunner_ntests_failed(runner);
    srunner_free(runner);
    return failed != 0;
}
