/* What models/stats takes from GSL: against published values and values of mpmath with 30 digits,
 * against their definitions, and where GSL has no answer of its own. */
#include "models/stats/binomial_interval.h"
#include "models/stats/poisson_interval.h"
#include "models/stats/rank_correlation.h"
#include "models/stats/root.h"
#include "models/stats/rounding.h"
#include "models/stats/special.h"
#include "models/stats/student.h"

#include <check.h>
#include <gsl/gsl_cdf.h>
#include <math.h>
#include <stdlib.h>

static void near(double value, double wanted, double part)
{
    if (!(fabs(value - wanted) <= part * fabs(wanted)))
        ck_abort_msg("%.17g is not %.17g", value, wanted);
}

START_TEST(students_t)
{
    static const struct {
        double n, level, t;
    } rows[] = {
        {1, 0.95, 12.7062047361747},   {2, 0.95, 4.30265272974946},  {5, 0.99, 4.03214298355523},
        {9, 0.95, 2.26215716280},      {9, 0.99, 3.24983554159},     {30, 0.95, 2.04227245630124},
        {120, 0.95, 1.97993040508244}, {4.5, 0.9, 2.06557588887852}, {1e6, 0.95, 1.95996635681}};
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++)
        near(hc_student_t(rows[i].n, rows[i].level), rows[i].t, 1e-11);
    for (double n = 1; n < 1e9; n *= 1.37)
        for (double tail = 0.4; tail > 1e-7; tail /= 3)
            near(gsl_cdf_tdist_Q(hc_student_t(n, 1 - 2 * tail), n), tail, 1e-9);
}
END_TEST

START_TEST(gamma_family)
{
    static const double digamma[][2] = {{0.001, -1000.5755719318103}, {0.5, -1.9635100260214235},
                                        {1, -0.57721566490153286},    {1.5, 0.036489973978576521},
                                        {10, 2.2517525890667211},     {1234.5, 7.1180162318279978}};
    for (size_t i = 0; i < sizeof digamma / sizeof *digamma; i++)
        near(hc_sf_digamma(digamma[i][0]), digamma[i][1], 1e-14);
    for (double x = 0.01; x < 1e6; x *= 1.7) {
        near(hc_sf_digamma(x + 1), hc_sf_digamma(x) + 1 / x, 1e-12);
        ck_assert_double_eq_tol(hc_sf_log_gamma(x), lgamma(x), 1e-14 * (1 + fabs(lgamma(x))));
    }
    near(hc_sf_gamma_upper(1, 3), exp(-3), 1e-14);
    near(hc_sf_gamma_upper(0.5, 2), erfc(sqrt(2)), 1e-14);
    near(hc_sf_gamma_lower(0.5, 2), erf(sqrt(2)), 1e-14);
    ck_assert_double_eq(hc_sf_gamma_upper(12, 1e5), 0);
    ck_assert_double_nan(hc_sf_gamma_upper(-1, 2));
    ck_assert_double_nan(hc_sf_digamma(0));
}
END_TEST

/* Shapes for which GSL's continued fraction does not end: against the normal limit with its first
 * correction (Edgeworth), which is off by less than 1 / shape. */
START_TEST(gamma_of_large_shapes)
{
    for (double shape = 1e6; shape <= 1e10; shape *= 10)
        for (double z = -4; z <= 4; z += 0.5) {
            double density = exp(-z * z / 2) / sqrt(2 * M_PI);
            double above = erfc(z / sqrt(2)) / 2 + density * (z * z - 1) / (3 * sqrt(shape));
            double x = shape + z * sqrt(shape);
            ck_assert_double_eq_tol(hc_sf_gamma_upper(shape, x), above, 1 / shape);
            ck_assert_double_eq_tol(hc_sf_gamma_lower(shape, x), 1 - above, 1 / shape);
        }
}
END_TEST

/* k or more of n, term by term. */
static double at_least(double k, double n, double p)
{
    double log_first =
        lgamma(n + 1) - lgamma(k + 1) - lgamma(n - k + 1) + k * log(p) + (n - k) * log1p(-p);
    double term = exp(log_first), sum = 0;
    for (double i = k; i <= n && (term > 1e-18 * sum || i < p * n); i++) {
        sum += term;
        term *= (n - i) / (i + 1) * p / (1 - p);
    }
    return sum;
}

START_TEST(beta_function)
{
    near(hc_sf_beta_lower(2, 3, 0.4), 0.5248, 1e-14); /* 1 - 0.6^4 - 4 * 0.4 * 0.6^3 */
    for (double n = 10; n <= 1e8; n *= 10)
        for (double share = 0.001; share < 1; share += 0.2) {
            double k = ceil(share * n);
            double below = hc_sf_beta_lower(k, n - k + 1, share);
            ck_assert_double_eq_tol(below + hc_sf_beta_lower(n - k + 1, k, 1 - share), 1, 1e-7);
            near(below, at_least(k, n, share), 1e-6);
        }
}
END_TEST

START_TEST(normal_tail)
{
    static const double rows[][3] = {
        {-3, 0.0044378390421256638, -0.0013508099647481938},
        {0, 0.79788456080286536, -0.69314718055994531},
        {1.5, 1.9386771666225432, -2.7059444008238898},
        {10, 10.098093233962512, -53.231285150512471},
        {40, 40.024968847207264, -804.60844201375379},
    };
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        near(hc_sf_normal_hazard(rows[i][0]), rows[i][1], 1e-14);
        near(hc_sf_normal_log_upper(rows[i][0]), rows[i][2], 1e-12);
    }
    ck_assert_double_eq(hc_sf_normal_hazard(-100), 0);
    near(hc_sf_normal_two_sided(-1.959963984540054), 0.05, 1e-14);
}
END_TEST

START_TEST(poisson_and_binomial)
{
    static const double poisson[][3] = {{1, 0.02531780798428988, 5.571643390938899},
                                        {10, 4.795388696132434, 18.39035604201778},
                                        {1000, 938.9730184076952, 1063.952136016302},
                                        {100000, 99381.15266374473, 100621.7447397439}};
    double low = 0, high = 0;
    for (size_t i = 0; i < sizeof poisson / sizeof *poisson; i++) {
        hc_poisson_interval((int64_t)poisson[i][0], 0.95, &low, &high);
        near(low, poisson[i][1], 1e-11);
        near(high, poisson[i][2], 1e-11);
    }
    /* Counts for which gsl_cdf_gamma_Pinv is NaN: the series of Cornish and Fisher, off by less
     * than 1 / n. */
    double z = 1.959963984540054;
    for (double n = 1e5; n <= 1e10; n *= 10) {
        double second = (z * z - 1) / 3, third = (z * z * z - 7 * z) / 36;
        hc_poisson_interval((int64_t)n, 0.95, &low, &high);
        ck_assert_double_eq_tol(low, n - z * sqrt(n) + second - third / sqrt(n), 1e-11 * n);
        double up = n + 1;
        ck_assert_double_eq_tol(high, up + z * sqrt(up) + second + third / sqrt(up), 1e-11 * n);
    }
    hc_binomial_interval(3, 1000000, 0.95, &low, &high);
    near(low, 6.1867255019064e-7, 1e-11);
    near(high, 8.76724778814522e-6, 1e-11);
    hc_binomial_interval(0, 1000000, 0.95, &low, &high);
    near(high, 3.68887265020649e-6, 1e-11);
    for (size_t n = 1; n < 40; n++) /* each side is the other's mirror, and they hold k / n */
        for (size_t k = 0; k <= n; k++) {
            double share = (double)k / (double)n, other_low = 0, other_high = 0;
            hc_binomial_interval(k, n, 0.9, &low, &high);
            hc_binomial_interval(n - k, n, 0.9, &other_low, &other_high);
            ck_assert(low <= share && share <= high);
            ck_assert_double_eq_tol(low, 1 - other_high, 1e-11);
            ck_assert_double_eq_tol(high, 1 - other_low, 1e-11);
        }
    hc_binomial_interval(25000000, 100000000, 0.95, &low, &high);
    near(low, 0.25 - z * sqrt(0.25 * 0.75 / 1e8), 1e-7);
    near(high, 0.25 + z * sqrt(0.25 * 0.75 / 1e8), 1e-7);
}
END_TEST

START_TEST(two_rates)
{
    ck_assert_double_eq(hc_rate_p_value(1, 4, 20, 20), 0.625); /* 2 (1 + 4) / 16 */
    ck_assert_double_eq(hc_rate_p_value(3, 4, 20, 20), 0.625);
    ck_assert_double_eq(hc_rate_p_value(0, 3, 20, 20), 0.25);
    ck_assert_double_eq(hc_rate_p_value(3, 3, 20, 20), 0.25);
    ck_assert_double_eq(hc_rate_p_value(2, 4, 20, 20), 1);
    /* All 10 in a tenth of the time; and many, as they should be. */
    near(hc_rate_p_value(10, 10, 1, 9), 2e-10, 1e-11);
    near(hc_rate_p_value(25000000, 100000000, 1, 3), 1, 1e-3);
    ck_assert_double_eq(hc_rate_p_value(99999999, 100000000, 1, 3), 0);
}
END_TEST

static double less_two(double x, void *context)
{
    ++*(int *)context;
    return x * x - 2;
}

static double broken(double x, void *context)
{
    (void)context;
    return x < 1 ? -1 : x > 9 ? 1 : NAN;
}

START_TEST(roots)
{
    int n = 0;
    double x = -1;
    ck_assert(hc_find_root(less_two, &n, 1e-6, 1e6, &x));
    near(x, M_SQRT2, 1e-15);
    ck_assert_int_le(n, 40);
    ck_assert(!hc_find_root(less_two, &n, 2, 3, &x));
    ck_assert(!hc_find_root(broken, NULL, 0.5, 10, &x));
    near(x, M_SQRT2, 1e-15); /* left alone */
}
END_TEST

START_TEST(digits)
{
    ck_assert_double_eq(hc_round_digits(1.23456789012345, 9), 1.23456789);
    ck_assert_double_eq(hc_round_digits(-987654321987, 9), -987654322000);
    ck_assert_double_eq(hc_round_digits(0.1 + 0.2, 12), 0.3);
    ck_assert_double_eq(hc_round_digits(9.9999999996e-200, 9), 1e-199);
    ck_assert_double_eq(hc_round_digits(0, 9), 0);
    ck_assert_double_eq(hc_round_digits(-INFINITY, 9), -INFINITY);
    ck_assert_double_nan(hc_round_digits(NAN, 9));
}
END_TEST

START_TEST(ranks)
{
    /* Hours of television and intelligence, of the article on Spearman's coefficient in Wikipedia:
     * -29 / 165. */
    static const double iq[] = {106, 100, 86, 101, 99, 103, 97, 113, 112, 110},
                        hours[] = {7, 27, 2, 50, 28, 29, 20, 12, 6, 17}, same[10] = {0},
                        tied[] = {1, 2, 2, 3}, falls[] = {9, 4, 4, 1};
    double scratch[20];
    near(hc_rank_correlation(iq, hours, 10, scratch), -29.0 / 165, 1e-11);
    near(hc_rank_correlation(tied, falls, 4, scratch), -1, 1e-11);
    ck_assert_double_nan(hc_rank_correlation(iq, same, 10, scratch));
    ck_assert_double_nan(hc_rank_correlation(iq, hours, 1, scratch));
}
END_TEST

int main(void)
{
    Suite *suite = suite_create("statistics");
    TCase *all = tcase_create("all");
    tcase_set_timeout(all, 60);
    tcase_add_test(all, students_t);
    tcase_add_test(all, gamma_family);
    tcase_add_test(all, gamma_of_large_shapes);
    tcase_add_test(all, beta_function);
    tcase_add_test(all, normal_tail);
    tcase_add_test(all, poisson_and_binomial);
    tcase_add_test(all, two_rates);
    tcase_add_test(all, roots);
    tcase_add_test(all, digits);
    tcase_add_test(all, ranks);
    suite_add_tcase(suite, all);
    SRunner *runner = srunner_create(suite);
    srunner_run_all(runner, CK_ENV);
    int failed = srunner_ntests_failed(runner);
    srunner_free(runner);
    return failed ? EXIT_FAILURE : EXIT_SUCCESS;
}
