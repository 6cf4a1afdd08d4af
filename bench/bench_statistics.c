/* GSL against the statistics that stay own code: what each costs, and where GSL 2.7 is wrong.
 * docs/architecture.md rests on these figures; when a GSL is right, own code may go. */
#include "bench/bench.h"

#include "core/base/select.h"
#include "core/random/gamma_function.h"
#include "core/random/philox.h"
#include "models/stats/binomial_interval.h"
#include "models/stats/poisson_interval.h"
#include "models/stats/student.h"

#include <gsl/gsl_cdf.h>
#include <gsl/gsl_errno.h>
#include <gsl/gsl_sf_gamma.h>
#include <gsl/gsl_sort_double.h>
#include <gsl/gsl_statistics_double.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#define CALLS 1000
#define MANY  10000000

static volatile double sink;

/* CALLS values of an expression of u, which goes from 0 to 1. */
#define BODY(name, expression)                                                                     \
    static void name(void *context)                                                                \
    {                                                                                              \
        double sum = 0;                                                                            \
        (void)context;                                                                             \
        for (int i = 0; i < CALLS; i++) {                                                          \
            double u = (i + 0.5) / CALLS;                                                          \
            sum += (expression);                                                                   \
        }                                                                                          \
        sink = sum;                                                                                \
    }

BODY(student, hc_student_t(1 + 100 * u, 0.95))
BODY(student_gsl, gsl_cdf_tdist_Qinv(0.025, 1 + 100 * u))
BODY(quantile_low, hc_gamma_exceeded(0.4, u))
BODY(quantile_low_gsl, gsl_cdf_gamma_Qinv(u, 0.4, 1))
BODY(quantile_high, hc_gamma_exceeded(4, u))
BODY(quantile_high_gsl, gsl_cdf_gamma_Qinv(u, 4, 1))
BODY(tail_low, hc_log_gamma_upper(0.4, 3 * u))
BODY(tail_low_gsl, log(gsl_sf_gamma_inc_Q(0.4, 3 * u)))
BODY(tail_high, hc_log_gamma_upper(4, 12 * u))
BODY(tail_high_gsl, log(gsl_sf_gamma_inc_Q(4, 12 * u)))

static double poisson_low(double n)
{
    double low = 0, high = 0;
    hc_poisson_interval((int64_t)n, 0.95, &low, &high);
    return low;
}

static double binomial_low(double n)
{
    double low = 0, high = 0;
    hc_binomial_interval((size_t)n / 10, (size_t)n, 0.95, &low, &high);
    return low;
}

BODY(poisson, poisson_low(1 + 1000 * u))
BODY(poisson_many, poisson_low(100000 + 1000 * u))
BODY(binomial, binomial_low(1 + 1000 * u))
BODY(binomial_many, binomial_low(100000 + 1000 * u))

static void time_calls(struct hc_bench *bench, const char *name, void (*body)(void *))
{
    hc_bench_note(bench, name, hc_bench_seconds(body, NULL) / CALLS * 1e6, "us");
}

/* ---- many numbers ---- */

struct numbers {
    double *given, *values;
};

static int by_value(const void *a, const void *b)
{
    double x = *(const double *)a, y = *(const double *)b;
    return (x > y) - (x < y);
}

static void copy(void *context)
{
    struct numbers *numbers = context;
    memcpy(numbers->values, numbers->given, MANY * sizeof *numbers->values);
}

static void sort_gsl(void *context)
{
    copy(context);
    gsl_sort(((struct numbers *)context)->values, 1, MANY);
}

static void sort_libc(void *context)
{
    copy(context);
    qsort(((struct numbers *)context)->values, MANY, sizeof(double), by_value);
}

static void median(void *context)
{
    copy(context);
    sink = hc_median(((struct numbers *)context)->values, MANY);
}

static void median_gsl(void *context)
{
    copy(context);
    sink = gsl_stats_median(((struct numbers *)context)->values, 1, MANY);
}

static void time_many(struct hc_bench *bench)
{
    struct hc_philox rng;
    struct numbers numbers = {malloc(MANY * sizeof(double)), malloc(MANY * sizeof(double))};
    if (!numbers.given || !numbers.values)
        abort();
    hc_philox_seek(&rng, 1, 2, 3);
    for (size_t i = 0; i < MANY; i++)
        numbers.given[i] = (double)hc_philox_u64(&rng);
    double copying = hc_bench_seconds(copy, &numbers);
    hc_bench_note(bench, "sort of 10 M, gsl_sort", hc_bench_seconds(sort_gsl, &numbers) - copying,
                  "s");
    hc_bench_note(bench, "sort of 10 M, qsort", hc_bench_seconds(sort_libc, &numbers) - copying,
                  "s");
    hc_bench_note(bench, "median of 10 M, gsl_stats_median",
                  hc_bench_seconds(median_gsl, &numbers) - copying, "s");
    hc_bench_note(bench, "median of 10 M, own", hc_bench_seconds(median, &numbers) - copying, "s");
    free(numbers.given);
    free(numbers.values);
}

/* ---- where GSL is wrong ---- */

/* Of quantiles at 0.01 to 0.99 in shapes that scenarios may have, how many are off by a millionth.
 */
static double wrong_quantiles(void)
{
    int wrong = 0;
    for (double shape = 0.05; shape < 0.2; shape += 0.01)
        for (int percent = 1; percent < 100; percent++) {
            double x = gsl_cdf_gamma_Qinv(percent / 100.0, shape, 1);
            wrong += !(fabs(gsl_sf_gamma_inc_Q(shape, x) - percent / 100.0) < 1e-6);
        }
    return wrong;
}

/* The least of 1e4, 2e4, ... for which half a quantile of chi-square is no number. */
static double first_without_quantile(void)
{
    double n = 1e4;
    while (n < 1e9 && gsl_cdf_chisq_Pinv(0.025, 2 * n) > 0)
        n *= 2;
    return n;
}

int main(void)
{
    struct hc_bench bench = hc_bench_start();
    gsl_set_error_handler_off();
    time_calls(&bench, "Student's t", student);
    time_calls(&bench, "Student's t, GSL alone", student_gsl);
    time_calls(&bench, "gamma quantile, shape 0.4, own", quantile_low);
    time_calls(&bench, "gamma quantile, shape 0.4, GSL", quantile_low_gsl);
    time_calls(&bench, "gamma quantile, shape 4, own", quantile_high);
    time_calls(&bench, "gamma quantile, shape 4, GSL", quantile_high_gsl);
    time_calls(&bench, "log of gamma tail, shape 0.4, own", tail_low);
    time_calls(&bench, "log of gamma tail, shape 0.4, GSL", tail_low_gsl);
    time_calls(&bench, "log of gamma tail, shape 4, own", tail_high);
    time_calls(&bench, "log of gamma tail, shape 4, GSL", tail_high_gsl);
    time_calls(&bench, "Poisson interval, to 1,000", poisson);
    time_calls(&bench, "Poisson interval, 100,000", poisson_many);
    time_calls(&bench, "binomial interval, to 1,000", binomial);
    time_calls(&bench, "binomial interval, 100,000", binomial_many);
    time_many(&bench);
    hc_bench_note(&bench, "wrong of 1,485 quantiles, Qinv", wrong_quantiles(), "");
    hc_bench_note(&bench, "chisq_Pinv is NaN from about", first_without_quantile(), "events");
    hc_bench_note(&bench, "gamma_Qinv(0.69, 0.05), right: 3.926",
                  gsl_cdf_gamma_Qinv(0.69, 0.05, 1) * 1e11, "e-11");
    return hc_bench_end(&bench);
}
