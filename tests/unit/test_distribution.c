/* Draws against what their distributions promise, and the calendar against a sort. */
#include "models/stats/special.h"
#include "sim/engine/distribution.h"
#include "sim/engine/event_heap.h"

#include <check.h>
#include <math.h>
#include <stdlib.h>

static struct hc_error err;

/* P(X > x), by the C library. */
static double above(const struct hc_distribution *d, double x)
{
    switch (d->kind) {
    case HC_DISTRIBUTION_EXPONENTIAL:
        return exp(-x / d->scale);
    case HC_DISTRIBUTION_WEIBULL:
        return exp(-pow(x / d->scale, d->shape));
    case HC_DISTRIBUTION_LOGNORMAL:
        return 0.5 * erfc(log(x / d->scale) / d->shape / sqrt(2));
    default:
        return hc_sf_gamma_upper(d->shape, x / d->scale);
    }
}

static const struct hc_distribution law[] = {
    {HC_DISTRIBUTION_EXPONENTIAL, 7, 0, NULL, 0}, {HC_DISTRIBUTION_WEIBULL, 3, 0.5, NULL, 0},
    {HC_DISTRIBUTION_WEIBULL, 3, 4, NULL, 0},     {HC_DISTRIBUTION_LOGNORMAL, 5, 1.3, NULL, 0},
    {HC_DISTRIBUTION_GAMMA, 2, 0.3, NULL, 0},     {HC_DISTRIBUTION_GAMMA, 2, 1, NULL, 0},
    {HC_DISTRIBUTION_GAMMA, 2, 60, NULL, 0}};

enum { N_LAWS = sizeof law / sizeof *law };

START_TEST(inverses)
{
    for (int i = 0; i < N_LAWS; i++)
        for (double q = 1e-9; q < 1; q = q < 0.05 ? q * 3 : q + 0.05) {
            double x = hc_distribution_exceeded(&law[i], q);
            ck_assert_msg(fabs(above(&law[i], x) / q - 1) < 1e-9, "law %d, %g: %g gives %g", i, q,
                          x, above(&law[i], x));
        }
}
END_TEST

/* Means and deviations, and the share above the median, of 50,000 draws. */
START_TEST(draws)
{
    enum { N = 50000 };
    for (int i = 0; i < N_LAWS; i++) {
        struct hc_philox rng;
        hc_philox_seek(&rng, 5, (uint64_t)i, 0);
        double sum = 0, mean = hc_distribution_mean(&law[i]), sd = hc_distribution_sd(&law[i]);
        double median = hc_distribution_exceeded(&law[i], 0.5);
        int n_above = 0;
        for (int j = 0; j < N; j++) {
            double x = hc_distribution_draw(&law[i], &rng);
            sum += x;
            n_above += x > median;
        }
        ck_assert_double_eq_tol(sum / N, mean, 4 * sd / sqrt(N));
        ck_assert_double_eq_tol((double)n_above / N, 0.5, 4 * 0.5 / sqrt(N));
        ck_assert_uint_eq(rng.block, N / 2); /* two words each */
    }
}
END_TEST

START_TEST(largest_of_many)
{
    const double n[3] = {1, 10, 100000};
    for (int i = 0; i < N_LAWS; i++)
        for (int k = 0; k < 3; k++) {
            /* F(largest)^n is uniform. */
            struct hc_philox rng;
            hc_philox_seek(&rng, 6, (uint64_t)(i * 3 + k), 0);
            double sum = 0;
            for (int j = 0; j < 4000; j++)
                sum += exp(n[k] *
                           log1p(-above(&law[i], hc_distribution_draw_max(&law[i], n[k], &rng))));
            ck_assert_double_eq_tol(sum / 4000, 0.5, 4 * sqrt(1.0 / 12 / 4000));
        }
}
END_TEST

START_TEST(by_what_people_give)
{
    struct hc_distribution d = hc_distribution_lognormal_p99(700, 1800);
    ck_assert_double_eq_tol(hc_distribution_exceeded(&d, 0.5), 700, 1e-9);
    ck_assert_double_eq_tol(hc_distribution_exceeded(&d, 0.01), 1800, 1e-9);
    d = hc_distribution_lognormal_mean(10, 30);
    ck_assert_double_eq_tol(hc_distribution_mean(&d), 10, 1e-12);
    ck_assert_double_eq_tol(hc_distribution_sd(&d), 30, 1e-11);
    d = hc_distribution_weibull_mean(10, 0.7);
    ck_assert_double_eq_tol(hc_distribution_mean(&d), 10, 1e-12);
    const double value[4] = {1, 2, 2, 7};
    d = (struct hc_distribution){HC_DISTRIBUTION_EMPIRICAL, 2, 0, value, 4};
    ck_assert_double_eq_tol(hc_distribution_mean(&d), 6, 1e-12);
    ck_assert_double_eq(hc_distribution_exceeded(&d, 0.999), 2);
    ck_assert_double_eq(hc_distribution_exceeded(&d, 0.001), 14);
}
END_TEST

START_TEST(refuses_what_is_none)
{
    const double value[2] = {3, 1};
    const struct {
        struct hc_distribution d;
        const char *said;
    } wrong[] = {
        {{9, 1, 1, NULL, 0}, "x: no distribution has the number 9"},
        {{HC_DISTRIBUTION_EXPONENTIAL, -2, 0, NULL, 0},
         "x: exponential: -2 is not a number from 0 to 1e12"},
        {{HC_DISTRIBUTION_GAMMA, 2, 0, NULL, 0}, "x: gamma: shape 0 is not from 0.05 to 10,000"},
        {{HC_DISTRIBUTION_LOGNORMAL, 2, -1, NULL, 0},
         "x: lognormal: sigma -1, ln(p99 / median) / 2.33, is not from 0 to 5"},
        {{HC_DISTRIBUTION_EMPIRICAL, 1, 0, NULL, 0}, "x: an empirical distribution without values"},
        {{HC_DISTRIBUTION_EMPIRICAL, 1, 0, value, 2}, "x: value 1 is 1, below the one before it"}};
    for (size_t i = 0; i < sizeof wrong / sizeof *wrong; i++) {
        ck_assert_int_eq(hc_distribution_check(&wrong[i].d, "x", &err), HC_BAD_INPUT);
        ck_assert_str_eq(err.message, wrong[i].said);
    }
}
END_TEST

START_TEST(calendar_in_order)
{
    struct hc_event_heap heap;
    struct hc_philox rng;
    hc_philox_seek(&rng, 8, 0, 0);
    ck_assert_int_eq(hc_event_heap_init(&heap, 1, &err), HC_OK);
    ck_assert_int_eq(hc_event_heap_next_ns(&heap), INT64_MAX);
    int64_t now = 0;
    for (int i = 0; i < 20000; i++) {
        if (heap.n && hc_philox_integer(&rng, 5) < 2) {
            struct hc_event event = hc_event_heap_pop(&heap);
            ck_assert_int_ge(event.time_ns, now);
            now = event.time_ns;
        } else {
            struct hc_event event = {.time_ns = now + (int64_t)hc_philox_integer(&rng, 50),
                                     .who = i};
            ck_assert_int_eq(hc_event_heap_push(&heap, event, &err), HC_OK);
        }
    }
    /* What is left comes in order of time, then of arrival. */
    struct hc_event before = hc_event_heap_pop(&heap);
    while (heap.n) {
        struct hc_event event = hc_event_heap_pop(&heap);
        ck_assert(event.time_ns > before.time_ns ||
                  (event.time_ns == before.time_ns && event.sequence > before.sequence));
        before = event;
    }
    hc_event_heap_fini(&heap);
}
END_TEST

/* ---- what is left of a time ---- */

static const double values[] = {1, 2, 5, 50};

static struct hc_distribution nth(int i)
{
    const struct hc_distribution all[] = {
        hc_distribution_constant(7),
        hc_distribution_exponential(30),
        hc_distribution_weibull_mean(10, 0.5),
        hc_distribution_weibull_mean(10, 2.5),
        hc_distribution_gamma_mean(20, 0.4),
        hc_distribution_gamma_mean(20, 6),
        hc_distribution_lognormal_mean(5, 3),
        {.kind = HC_DISTRIBUTION_EMPIRICAL, .scale = 3, .value = values, .n_values = 4}};
    return all[i];
}
#define N_LEFT 8

/* Whether the mean of what was summed is wanted, within 4.5 standard errors. */
static void near(double sum, double squares, double n, double wanted, const char *what, int i)
{
    double mean = sum / n, error = sqrt(fmax(squares / n - mean * mean, 0) / n);
    ck_assert_msg(fabs(mean - wanted) <= 4.5 * error + 1e-9, "%s of %d: %g, not %g (+- %g)", what,
                  i, mean, wanted, error);
}

/* Forward recurrence: the mean is E X^2 / 2 E X, and it is above the mean of X with the probability
 * of the area under the survival beyond that. */
START_TEST(residual_of_a_renewal)
{
    enum { N = 50000 };
    for (int i = 0; i < N_LEFT; i++) {
        struct hc_distribution d = nth(i);
        double mean = hc_distribution_mean(&d), sd = hc_distribution_sd(&d);
        double sum = 0, squares = 0, above = 0, beyond = 0, beyond_squares = 0;
        struct hc_philox rng, other;
        hc_philox_seek(&rng, 5, (uint64_t)i, 0);
        hc_philox_seek(&other, 6, (uint64_t)i, 0);
        for (int j = 0; j < N; j++) {
            double x = hc_distribution_draw_residual(&d, &rng);
            double y = fmax(hc_distribution_draw(&d, &other) - mean, 0);
            sum += x;
            squares += x * x;
            above += x > mean;
            beyond += y;
            beyond_squares += y * y;
        }
        near(sum, squares, N, (sd * sd + mean * mean) / (2 * mean), "mean", i);
        /* E (X - m)+ / m, itself simulated. */
        near(beyond / mean, beyond_squares / mean / mean, N, above / N, "share above", i);
    }
}
END_TEST

START_TEST(left_of_a_time)
{
    enum { N = 20000 };
    for (int i = 0; i < N_LEFT; i++) {
        struct hc_distribution d = nth(i);
        double age = 0.6 * hc_distribution_mean(&d), wanted = 0, n = 0, sum = 0, squares = 0;
        struct hc_philox rng, other;
        hc_philox_seek(&rng, 7, (uint64_t)i, 0);
        hc_philox_seek(&other, 8, (uint64_t)i, 0);
        for (int j = 0; j < 8 * N; j++) {
            double x = hc_distribution_draw(&d, &other);
            wanted += x > age ? x - age : 0;
            n += x > age;
        }
        for (int j = 0; j < N; j++) {
            double x = hc_distribution_draw_left(&d, age, &rng);
            ck_assert_double_ge(x, 0);
            sum += x;
            squares += x * x;
        }
        near(sum, squares, N, wanted / n, "left", i);
        ck_assert_double_eq(
            hc_distribution_draw_left(&(struct hc_distribution){.scale = 1}, 2, &rng), 0);
    }
}
END_TEST

int main(void)
{
    Suite *suite = suite_create("distribution");
    TCase *tests = tcase_create("all");
    tcase_set_timeout(tests, 60);
    suite_add_tcase(suite, tests);
    tcase_add_test(tests, inverses);
    tcase_add_test(tests, draws);
    tcase_add_test(tests, largest_of_many);
    tcase_add_test(tests, by_what_people_give);
    tcase_add_test(tests, refuses_what_is_none);
    tcase_add_test(tests, calendar_in_order);
    tcase_add_test(tests, residual_of_a_renewal);
    tcase_add_test(tests, left_of_a_time);
    SRunner *runner = srunner_create(suite);
    srunner_run_all(runner, CK_NORMAL);
    int failed = srunner_ntests_failed(runner);
    srunner_free(runner);
    return failed != 0;
}
