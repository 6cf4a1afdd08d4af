/* Two levels of a series: found where they are planted, hardly ever where there is only noise, and
 * the same for pairs of series that must have one answer. */
#include "core/random/philox.h"
#include "sim/whatif/change/two_levels.h"

#include <check.h>
#include <math.h>
#include <string.h>

#define MOST 100

static struct hc_error err;

/* 1 plus normal noise, times factor where is_high. */
static void make(double *values, size_t n, double noise, const uint8_t *is_high, double factor,
                 uint32_t seed)
{
    struct hc_philox rng;
    hc_philox_seek(&rng, seed, 0, 0);
    for (size_t i = 0; i < n; i++)
        values[i] = (1 + noise * hc_philox_normal(&rng)) * (is_high && is_high[i] ? factor : 1);
}

static bool find(const double *values, size_t n, uint8_t *is_high, struct hc_two_levels *levels)
{
    struct hc_level_rule rule = {0, 0.06, false};
    *levels = (struct hc_two_levels){.is_high = is_high};
    ck_assert(!hc_two_levels_find(levels, values, n, &rule, &err));
    return levels->found;
}

/* A stretch, steps here and there, and an end: each in noise of a fifth of the rise. */
START_TEST(planted_levels)
{
    uint8_t planted[3][MOST] = {{0}}, is_high[MOST];
    double values[MOST];
    memset(planted[0] + 12, 1, 9);
    for (size_t i = 0; i < 40; i += 4)
        planted[1][i] = 1;
    memset(planted[2] + 30, 1, 10);
    for (int p = 0; p < 3; p++) {
        struct hc_two_levels levels;
        make(values, 40, 0.06, planted[p], 1.4, (uint32_t)p);
        ck_assert(find(values, 40, is_high, &levels));
        ck_assert_mem_eq(is_high, planted[p], 40);
        ck_assert_double_eq_tol(levels.low, 1, 0.04);
        ck_assert_double_eq_tol(levels.high, 1.4, 0.06);
    }
}
END_TEST

/* A value half way does not break a stretch; two of them next to each other, at the lower level,
 * do. */
START_TEST(stretches_hold_together)
{
    uint8_t planted[MOST] = {0}, is_high[MOST];
    double values[MOST];
    struct hc_two_levels levels;
    memset(planted + 10, 1, 20);
    make(values, 40, 0.05, planted, 1.5, 7);
    values[20] = 1.26;
    ck_assert(find(values, 40, is_high, &levels));
    ck_assert_mem_eq(is_high, planted, 40);
    values[20] = values[21] = 1;
    planted[20] = planted[21] = 0;
    ck_assert(find(values, 40, is_high, &levels));
    ck_assert_mem_eq(is_high, planted, 40);
}
END_TEST

/* Of 1,000 series of normal noise of 10 %, at most 1 % have two levels, at any length. */
START_TEST(noise_is_one_level)
{
    static const size_t sizes[] = {6, 10, 20, 40, 100};
    for (size_t s = 0; s < sizeof sizes / sizeof *sizes; s++) {
        int n_found = 0;
        for (uint32_t seed = 0; seed < 1000; seed++) {
            double values[MOST];
            uint8_t is_high[MOST];
            struct hc_two_levels levels;
            make(values, sizes[s], 0.1, NULL, 1, seed);
            struct hc_level_rule rule = {0.1, 0.06, false}; /* as a usual unit has it */
            levels = (struct hc_two_levels){.is_high = is_high};
            ck_assert(!hc_two_levels_find(&levels, values, sizes[s], &rule, &err));
            n_found += levels.found;
        }
        ck_assert_msg(n_found <= 10, "%zu values: %d of 1,000", sizes[s], n_found);
    }
}
END_TEST

/* One high value is an accident unless it is far out; of five values nothing is said. */
START_TEST(few_values)
{
    double values[MOST];
    uint8_t is_high[MOST];
    struct hc_two_levels levels;
    make(values, 20, 0.03, NULL, 1, 3);
    values[9] = 1.25;
    ck_assert(!find(values, 20, is_high, &levels));
    values[9] = 1.6;
    ck_assert(find(values, 20, is_high, &levels));
    ck_assert_uint_eq(levels.n_high, 1);
    const double five[] = {1, 1, 1, 2, 2};
    ck_assert(!find(five, 5, is_high, &levels));
}
END_TEST

/* Times in another unit, and a trace read backwards, have the same levels. */
START_TEST(pairs_agree)
{
    uint8_t planted[MOST] = {0}, is_high[MOST], other[MOST];
    double values[MOST], changed[MOST];
    struct hc_two_levels levels, others;
    for (size_t i = 5; i < 30; i += 3)
        planted[i] = 1;
    make(values, 40, 0.08, planted, 1.6, 11);
    ck_assert(find(values, 40, is_high, &levels));
    for (size_t i = 0; i < 40; i++)
        changed[i] = 1024 * values[i];
    ck_assert(find(changed, 40, other, &others));
    ck_assert_mem_eq(is_high, other, 40);
    ck_assert(others.high == 1024 * levels.high);
    for (size_t i = 0; i < 40; i++)
        changed[i] = values[39 - i];
    ck_assert(find(changed, 40, other, &others));
    for (size_t i = 0; i < 40; i++)
        ck_assert_uint_eq(other[i], is_high[39 - i]);
}
END_TEST

/* 1, 1, 2, 4, 10: median 2, deviations 1, 1, 0, 2, 8. */
START_TEST(spread_by_hand)
{
    const double values[] = {10, 1, 4, 1, 2};
    double scratch[5];
    ck_assert_double_eq_tol(hc_spread(values, 5, scratch), 1.4826, 1e-12);
}
END_TEST

int main(void)
{
    Suite *suite = suite_create("two_levels");
    TCase *tests = tcase_create("two_levels");
    tcase_add_test(tests, planted_levels);
    tcase_add_test(tests, stretches_hold_together);
    tcase_add_test(tests, noise_is_one_level);
    tcase_add_test(tests, few_values);
    tcase_add_test(tests, pairs_agree);
    tcase_add_test(tests, spread_by_hand);
    suite_add_tcase(suite, tests);
    SRunner *runner = srunner_create(suite);
    srunner_run_all(runner, CK_NORMAL);
    int failed = srunner_ntests_failed(runner);
    srunner_free(runner);
    return failed ? 1 : 0;
}
