/* Exact Poisson intervals against published tables and against their own definition. */
#include "models/stats/poisson_interval.h"

#include <check.h>
#include <math.h>
#include <stdlib.h>

/* Garwood's limits at 95 %, as printed in tables of them. */
START_TEST(test_table)
{
    static const struct {
        int64_t n;
        double low, high;
    } rows[] = {{0, 0, 3.688879},         {1, 0.025318, 5.571643},   {2, 0.242209, 7.224688},
                {5, 1.623486, 11.668332}, {10, 4.795389, 18.390356}, {50, 37.111, 65.919},
                {100, 81.364, 121.627}};
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        double low = 0, high = 0, near = rows[i].n < 50 ? 1e-6 : 1e-3;
        hc_poisson_interval(rows[i].n, 0.95, &low, &high);
        ck_assert_double_eq_tol(low, rows[i].low, near);
        ck_assert_double_eq_tol(high, rows[i].high, near);
    }
}
END_TEST

/* The sum of Poisson terms from 0 to n, by the logarithm of the gamma function. */
static double at_most(int64_t n, double mean)
{
    double sum = 0;
    for (int64_t i = 0; i <= n; i++)
        sum += exp((double)i * log(mean) - mean - lgamma((double)i + 1));
    return sum;
}

START_TEST(test_definition)
{
    static const int64_t counts[] = {3, 17, 419, 23739};
    for (size_t i = 0; i < 4; i++) {
        double low = 0, high = 0;
        hc_poisson_interval(counts[i], 0.9, &low, &high);
        ck_assert_double_eq_tol(1 - at_most(counts[i] - 1, low), 0.05, 1e-9);
        ck_assert_double_eq_tol(at_most(counts[i], high), 0.05, 1e-9);
    }
}
END_TEST

/* Counts beyond a table of factorials: near the normal limits. */
START_TEST(test_many)
{
    double low = 0, high = 0;
    hc_poisson_interval(100000000, 0.95, &low, &high);
    ck_assert_double_eq_tol(low, 1e8 - 1.959964 * 1e4, 10);
    ck_assert_double_eq_tol(high, 1e8 + 1.959964 * 1e4, 10);
}
END_TEST

int main(void)
{
    Suite *suite = suite_create("poisson_interval");
    TCase *tests = tcase_create("all");
    tcase_set_timeout(tests, 60);
    tcase_add_test(tests, test_table);
    tcase_add_test(tests, test_definition);
    tcase_add_test(tests, test_many);
    suite_add_tcase(suite, tests);
    SRunner *runner = srunner_create(suite);
    srunner_run_all(runner, CK_ENV);
    int failed = srunner_ntests_failed(runner);
    srunner_free(runner);
    return failed ? EXIT_FAILURE : EXIT_SUCCESS;
}
