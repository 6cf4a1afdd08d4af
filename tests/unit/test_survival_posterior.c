/* Draws of what a fit leaves open: as wide as the intervals of the fit, where these are good, and
 * the same for the same stream. */
#include "models/stats/survival_posterior.h"
#include "sim/engine/distribution.h"

#include <check.h>
#include <math.h>
#include <stdlib.h>

static struct hc_error err;

#define N 2000

static int by_size(const void *a, const void *b)
{
    double x = *(const double *)a, y = *(const double *)b;
    return (x > y) - (x < y);
}

/* 400 times, the longest fifth cut. */
static struct hc_survival times_of(const struct hc_distribution *d)
{
    struct hc_survival s = {.n = 0};
    struct hc_philox rng;
    double most = hc_distribution_exceeded(d, 0.2);
    hc_philox_seek(&rng, 3, 3, 0);
    for (int i = 0; i < 400; i++) {
        double x = hc_distribution_draw(d, &rng);
        ck_assert(!hc_survival_add(&s, x < most ? x : most, x >= most, 1, &err));
    }
    hc_survival_finish(&s);
    return s;
}

/* Of many times the posterior is normal: its quantiles are the ends of the intervals. */
static void agrees(double *drawn, double low, double high, const char *what)
{
    qsort(drawn, N, sizeof *drawn, by_size);
    double width = log(high / low);
    ck_assert_msg(fabs(log(drawn[N / 40] / low)) < 0.12 * width, "%s: %g, not %g", what,
                  drawn[N / 40], low);
    ck_assert_msg(fabs(log(drawn[N - N / 40] / high)) < 0.12 * width, "%s: %g, not %g", what,
                  drawn[N - N / 40], high);
}

START_TEST(as_wide_as_the_intervals)
{
    static double scale[N], shape[N], again[N], other[N];
    const struct hc_distribution of[HC_N_FIT_FAMILIES] = {
        [HC_FIT_EXPONENTIAL] = hc_distribution_exponential(3600),
        [HC_FIT_WEIBULL] = hc_distribution_weibull_mean(5e5, 0.7),
        [HC_FIT_GAMMA] = hc_distribution_gamma_mean(100, 3),
        [HC_FIT_LOGNORMAL] = hc_distribution_lognormal_mean(9000, 12000)};
    for (int i = 0; i < HC_N_FIT_FAMILIES; i++) {
        enum hc_fit_family family = (enum hc_fit_family)i;
        struct hc_survival s = times_of(&of[i]);
        struct hc_fits fits;
        ck_assert(!hc_fit_survival(&fits, &s, &err));
        const struct hc_fit *fit = &fits.fit[i];
        ck_assert(!hc_fit_posterior(family, fit, &s, 1, N, scale, shape, &err));
        ck_assert(!hc_fit_posterior(family, fit, &s, 1, N, again, other, &err));
        for (int k = 0; k < N; k++)
            ck_assert(scale[k] == again[k] && shape[k] == other[k]);
        ck_assert(!hc_fit_posterior(family, fit, &s, 2, N, again, other, &err));
        ck_assert(scale[0] != again[0]);
        agrees(scale, fit->scale_low, fit->scale_high, hc_fit_family_name(family));
        if (family != HC_FIT_EXPONENTIAL)
            agrees(shape, fit->shape_low, fit->shape_high, hc_fit_family_name(family));
        hc_survival_fini(&s);
    }
}
END_TEST

int main(void)
{
    Suite *suite = suite_create("survival_posterior");
    TCase *all = tcase_create("all");
    tcase_set_timeout(all, 60);
    tcase_add_test(all, as_wide_as_the_intervals);
    suite_add_tcase(suite, all);
    SRunner *runner = srunner_create(suite);
    srunner_run_all(runner, CK_ENV);
    int n_failed = srunner_ntests_failed(runner);
    srunner_free(runner);
    return n_failed != 0;
}
