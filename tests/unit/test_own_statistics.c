/* Statistics that stay own code (docs/architecture.md says why), against GSL wherever GSL has the
 * answer. */
#include "core/base/select.h"
#include "core/random/gamma_function.h"
#include "core/random/philox.h"
#include "sim/lifetime/lifetime.h"

#include <check.h>
#include <gsl/gsl_cdf.h>
#include <gsl/gsl_errno.h>
#include <gsl/gsl_randist.h>
#include <gsl/gsl_sf_gamma.h>
#include <gsl/gsl_statistics_double.h>
#include <math.h>
#include <stdlib.h>

static void near(double value, double wanted, double part)
{
    if (!(fabs(value - wanted) <= part * fabs(wanted)))
        ck_abort_msg("%.17g is not %.17g", value, wanted);
}

START_TEST(log_gamma)
{
    for (double x = 1e-8; x < 1e9; x *= 1.07) {
        double wanted = gsl_sf_lngamma(x);
        ck_assert_double_eq_tol(hc_log_gamma(x), wanted, 2e-14 * (1 + fabs(wanted)));
    }
}
END_TEST

/* Logarithm and hazard of the tail, wherever the tail is a number. */
START_TEST(gamma_tail)
{
    int n = 0;
    for (double shape = 0.01; shape < 2e4; shape *= 1.9)
        for (double part = 1e-3; part < 50; part *= 1.3) {
            double x = shape * part;
            gsl_sf_result above;
            double density = gsl_ran_gamma_pdf(x, shape, 1);
            if (gsl_sf_gamma_inc_Q_e(shape, x, &above) || above.val < 1e-290 || density < 1e-290)
                continue;
            ck_assert_double_eq_tol(hc_log_gamma_upper(shape, x), log(above.val), 1e-10);
            near(hc_gamma_hazard(shape, x), density / above.val, 1e-10);
            n++;
        }
    ck_assert_int_gt(n, 500);
    /* Where it is none: for shape 1, e^-x. */
    near(hc_log_gamma_upper(1, 5000), -5000, 1e-14);
    near(hc_gamma_hazard(1, 5000), 1, 1e-13);
}
END_TEST

/* The inverse, put into GSL's tail; over all shapes that a scenario may have. */
START_TEST(gamma_quantile)
{
    static const double tails[] = {1e-16, 1e-12, 1e-6,  0.001, 0.05, 0.3,
                                   0.5,   0.69,  0.875, 0.9,   0.99, 0.999};
    for (double shape = 0.05; shape < 1e4; shape *= 1.3)
        for (size_t i = 0; i < sizeof tails / sizeof *tails; i++) {
            double x = hc_gamma_exceeded(shape, tails[i]);
            near(gsl_sf_gamma_inc_Q(shape, x), tails[i], 1e-10);
            ck_assert_double_eq_tol(gsl_sf_gamma_inc_P(shape, x), 1 - tails[i], 1e-11);
            /* GSL's own inverse is wrong at shapes below, and at 1e-16 from a shape of 1,000 on. */
            if (shape > 0.2 && tails[i] > 1e-13 && tails[i] < 0.99)
                near(x, gsl_cdf_gamma_Qinv(tails[i], shape, 1), 1e-11);
        }
}
END_TEST

START_TEST(normal_quantile)
{
    for (double u = 1e-300; u < 0.5; u = u < 1e-3 ? u * 7 : u + 0.0037) {
        near(hc_normal_quantile(u), gsl_cdf_ugaussian_Pinv(u), 1e-12);
        if (u > 1e-12)
            near(hc_normal_quantile(1 - u), gsl_cdf_ugaussian_Pinv(1 - u), 1e-12);
    }
}
END_TEST

/* The least number that so much of a binomial lies at or below: how many standbys are enough. */
START_TEST(binomial_quantile)
{
    for (unsigned n = 1; n < 20000; n = 3 * n + 1)
        for (double p = 1e-4; p < 0.5; p *= 3)
            for (double part = 0.5; part < 0.9999; part = (1 + 2 * part) / 3) {
                int32_t k = hc_binomial_quantile((int32_t)n, p, part);
                ck_assert_double_ge(gsl_cdf_binomial_P((unsigned)k, p, n), part - 1e-9);
                if (k > 0)
                    ck_assert_double_le(gsl_cdf_binomial_P((unsigned)k - 1, p, n), part + 1e-9);
            }
}
END_TEST

START_TEST(median)
{
    static double values[1000], same[1000];
    struct hc_philox rng;
    hc_philox_seek(&rng, 5, 0, 0);
    for (size_t n = 1; n <= 1000; n += 1 + n / 7) {
        for (size_t i = 0; i < n; i++)
            values[i] = same[i] = (double)hc_philox_integer(&rng, 300);
        ck_assert_double_eq(hc_median(values, n), gsl_stats_median(same, 1, n));
    }
}
END_TEST

int main(void)
{
    gsl_set_error_handler_off();
    Suite *suite = suite_create("own_statistics");
    TCase *all = tcase_create("all");
    tcase_set_timeout(all, 60);
    tcase_add_test(all, log_gamma);
    tcase_add_test(all, gamma_tail);
    tcase_add_test(all, gamma_quantile);
    tcase_add_test(all, normal_quantile);
    tcase_add_test(all, binomial_quantile);
    tcase_add_test(all, median);
    suite_add_tcase(suite, all);
    SRunner *runner = srunner_create(suite);
    srunner_run_all(runner, CK_ENV);
    int failed = srunner_ntests_failed(runner);
    srunner_free(runner);
    return failed ? EXIT_FAILURE : EXIT_SUCCESS;
}
