/* Ranks of quantiles and of their intervals, against sums of binomial probabilities and against
 * samples. */
#include "core/random/philox.h"
#include "models/stats/order_statistics.h"

#include <check.h>
#include <math.h>
#include <stdlib.h>

/* That fewer than r of n are below a value which each is below with this probability. */
static double fewer(size_t r, size_t n, double p)
{
    double sum = 0;
    for (size_t k = 0; k < r; k++)
        sum += exp(lgamma((double)n + 1) - lgamma((double)k + 1) - lgamma((double)(n - k) + 1) +
                   (double)k * log(p) + (double)(n - k) * log1p(-p));
    return sum;
}

/* Each end keeps the tail, and the next rank within would not. */
START_TEST(ends_are_the_narrowest_that_keep_the_level)
{
    static const double shares[] = {0.05, 0.5, 0.95, 0.01, 0.3};
    for (size_t n = 1; n < 400; n += n < 20 ? 1 : 37)
        for (size_t s = 0; s < 5; s++) {
            double p = shares[s], tail = 0.025;
            struct hc_quantile_ranks ranks = hc_quantile_ranks(n, p, 0.95);
            ck_assert_uint_eq(ranks.at, (size_t)ceil((double)n * p - 1e-9) - 1);
            if (ranks.high == HC_NO_RANK)
                ck_assert_double_gt(1 - fewer(n, n, p), tail);
            else {
                ck_assert_double_le(1 - fewer(ranks.high + 1, n, p), tail + 1e-9);
                ck_assert_double_gt(1 - fewer(ranks.high, n, p), tail - 1e-9);
            }
            if (ranks.low == HC_NO_RANK)
                ck_assert_double_gt(fewer(1, n, p), tail);
            else {
                ck_assert_double_le(fewer(ranks.low + 1, n, p), tail + 1e-9);
                ck_assert_double_gt(fewer(ranks.low + 2, n, p), tail - 1e-9);
            }
        }
}
END_TEST

START_TEST(nothing_is_known_of_none)
{
    struct hc_quantile_ranks ranks = hc_quantile_ranks(0, 0.5, 0.95);
    ck_assert_uint_eq(ranks.at, HC_NO_RANK);
    ck_assert_uint_eq(ranks.low, HC_NO_RANK);
    ck_assert_uint_eq(ranks.high, HC_NO_RANK);
}
END_TEST

static int by_size(const void *a, const void *b)
{
    double x = *(const double *)a, y = *(const double *)b;
    return (x > y) - (x < y);
}

/* Of 2,000 samples of 150, the interval misses the quantile in at most 5 %, and not in far fewer:
 * what ranks cannot split is what makes it wider. */
START_TEST(samples_are_covered)
{
    static const double shares[] = {0.05, 0.5, 0.95};
    enum { SAMPLES = 2000, N = 150 };
    double value[N];
    struct hc_philox rng;
    hc_philox_seek(&rng, 5, 1, 0);
    for (size_t s = 0; s < 3; s++) {
        struct hc_quantile_ranks ranks = hc_quantile_ranks(N, shares[s], 0.95);
        int n_held = 0;
        for (int i = 0; i < SAMPLES; i++) {
            for (int k = 0; k < N; k++)
                value[k] = hc_philox_uniform(&rng);
            qsort(value, N, sizeof *value, by_size);
            n_held += value[ranks.low] <= shares[s] && shares[s] <= value[ranks.high];
        }
        ck_assert_int_ge(n_held, 1880);
        ck_assert_int_le(n_held, 1990);
    }
}
END_TEST

int main(void)
{
    Suite *suite = suite_create("order_statistics");
    TCase *cases = tcase_create("all");
    tcase_add_test(cases, ends_are_the_narrowest_that_keep_the_level);
    tcase_add_test(cases, nothing_is_known_of_none);
    tcase_add_test(cases, samples_are_covered);
    suite_add_tcase(suite, cases);
    SRunner *runner = srunner_create(suite);
    srunner_run_all(runner, CK_ENV);
    int failed = srunner_ntests_failed(runner);
    srunner_free(runner);
    return failed != 0;
}
