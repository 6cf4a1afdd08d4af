/* Steps that stand apart, on series of spans: what is found, what is kept, and how often a job of
 * which nothing stands apart loses a step all the same. */
#include "core/random/philox.h"
#include "sim/replay/step_outliers.h"

#include <check.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

#define MS        1000000
#define MAX_STEPS 200

static struct hc_error err;

static enum hc_status never_shared(bool *shared, size_t s, void *context, struct hc_error *e)
{
    (void)s, (void)e;
    ++*(int *)context;
    *shared = false;
    return HC_OK;
}

/* Spans of n steps of 100 ms, give or take 1 ms. */
static struct hc_step_outliers usual(size_t n)
{
    static int64_t spans[MAX_STEPS];
    static enum hc_step_fate fates[MAX_STEPS];
    for (size_t s = 0; s < n; s++)
        spans[s] = (100 + (int64_t)(s * 7 % 3) - 1) * MS;
    return (struct hc_step_outliers){.n = n, .span_ns = spans, .fate = fates};
}

static void set_ms(struct hc_step_outliers *o, size_t s, double ms)
{
    ((int64_t *)o->span_ns)[s] = (int64_t)(ms * MS);
}

/* "w" for warm-up, "o" for an outlier, "." for a step that is used. */
static void expect(struct hc_step_outliers *o, const char *fates)
{
    char found[MAX_STEPS + 1];
    ck_assert(!hc_step_outliers_find(o, &err));
    for (size_t s = 0; s < o->n; s++)
        found[s] = o->fate[s] == HC_STEP_WARM_UP ? 'w' : o->fate[s] == HC_STEP_OUTLIER ? 'o' : '.';
    found[o->n] = '\0';
    ck_assert_str_eq(found, fates);
}

START_TEST(finds_warm_up)
{
    struct hc_step_outliers o = usual(20);
    expect(&o, "....................");
    set_ms(&o, 0, 520);
    expect(&o, "w...................");
    ck_assert_double_eq(o.median_ns, 100 * MS);
    set_ms(&o, 1, 126);
    expect(&o, "ww..................");
    set_ms(&o, 1, 124); /* not by a quarter */
    expect(&o, "w...................");
    set_ms(&o, 0, 110);
    set_ms(&o, 1, 200); /* the first one is as the others */
    expect(&o, "....................");
}
END_TEST

START_TEST(keeps_a_longer_beginning)
{
    struct hc_step_outliers o = usual(20);
    for (size_t s = 0; s < 3; s++)
        set_ms(&o, s, 160);
    expect(&o, "....................");
    struct hc_step_outliers many = usual(100);
    for (size_t s = 0; s < 5; s++)
        set_ms(&many, s, 200);
    ck_assert(!hc_step_outliers_find(&many, &err));
    for (size_t s = 0; s < many.n; s++)
        ck_assert_int_eq(many.fate[s], s < 5 ? HC_STEP_WARM_UP : HC_STEP_USED);
    set_ms(&many, 5, 200);
    ck_assert(!hc_step_outliers_find(&many, &err));
    for (size_t s = 0; s < many.n; s++)
        ck_assert_int_eq(many.fate[s], HC_STEP_USED);
}
END_TEST

START_TEST(finds_single_steps)
{
    struct hc_step_outliers o = usual(20);
    set_ms(&o, 12, 301);
    expect(&o, "............o.......");
    set_ms(&o, 12, 299);
    expect(&o, "....................");
    set_ms(&o, 12, 900);
    set_ms(&o, 0, 200);
    expect(&o, "w...........o.......");
    set_ms(&o, 19, 400); /* two of twenty are how the job is */
    expect(&o, "w...................");
    struct hc_step_outliers more = usual(40);
    set_ms(&more, 5, 400);
    set_ms(&more, 30, 500);
    expect(&more, ".....o........................o.........");
}
END_TEST

/* Where steps differ much, six deviations are more than three medians. */
START_TEST(measures_by_the_noise)
{
    static const double ms[] = {70, 190, 40, 100, 160, 60, 130, 30, 90, 110, 380, 100};
    struct hc_step_outliers o = usual(12);
    for (size_t s = 0; s < o.n; s++)
        set_ms(&o, s, ms[s]);
    expect(&o, "............");
    set_ms(&o, 10, 600);
    expect(&o, "..........o.");
    set_ms(&o, 0, 300);
    expect(&o, "..........o.");
}
END_TEST

START_TEST(keeps_what_few_workers_bring)
{
    int n_asked = 0;
    struct hc_step_outliers o = usual(20);
    o.is_shared = never_shared;
    o.context = &n_asked;
    expect(&o, "....................");
    ck_assert_int_eq(n_asked, 0); /* nothing to ask of */
    set_ms(&o, 0, 520);
    set_ms(&o, 12, 900);
    expect(&o, "....................");
    ck_assert_int_ge(n_asked, 2);
}
END_TEST

START_TEST(says_nothing_of_few_steps)
{
    for (size_t n = 0; n < HC_OUTLIERS_LEAST_STEPS + 1; n++) {
        struct hc_step_outliers o = usual(n);
        if (n > 0)
            set_ms(&o, 0, 520);
        ck_assert(!hc_step_outliers_find(&o, &err));
        for (size_t s = 0; s < n; s++)
            ck_assert_int_eq(o.fate[s], s == 0 && n == HC_OUTLIERS_LEAST_STEPS ? HC_STEP_WARM_UP
                                                                               : HC_STEP_USED);
    }
}
END_TEST

START_TEST(takes_steps_without_time)
{
    struct hc_step_outliers o = usual(20);
    for (size_t s = 0; s < o.n; s++)
        set_ms(&o, s, 0);
    expect(&o, "....................");
}
END_TEST

/* ---- jobs of which nothing stands apart ---- */

static double lognormal(struct hc_philox *rng, double cv)
{
    double variance = log(1 + cv * cv);
    return exp(sqrt(variance) * hc_philox_normal(rng) - variance / 2);
}

/* Student's t with 3 degrees of freedom, of standard deviation 1. */
static double student(struct hc_philox *rng)
{
    double z = hc_philox_normal(rng), chi = 0;
    for (int i = 0; i < 3; i++) {
        double y = hc_philox_normal(rng);
        chi += y * y;
    }
    return z / sqrt(chi);
}

static double span_of(struct hc_philox *rng, double cv, bool is_t)
{
    return is_t ? exp(cv * student(rng)) : lognormal(rng, cv);
}

/* How many of 20,000 jobs lose a step, of a thousand. No job may lose more than its limit. */
static double lost_per_thousand(size_t n, double cv, bool is_t)
{
    enum { N_JOBS = 20000 };
    struct hc_step_outliers o = usual(n);
    size_t n_lost = 0, most = (n < 20 ? 1 : n / 20) + (n < 10 ? 1 : n / 10 < 5 ? n / 10 : 5);
    for (uint64_t job = 0; job < N_JOBS; job++) {
        struct hc_philox rng;
        size_t lost = 0;
        hc_philox_seek(&rng, 5, job, 0);
        for (size_t s = 0; s < n; s++)
            set_ms(&o, s, 100 * span_of(&rng, cv, is_t));
        ck_assert(!hc_step_outliers_find(&o, &err));
        for (size_t s = 0; s < n; s++)
            lost += o.fate[s] != HC_STEP_USED;
        ck_assert_uint_le(lost, most);
        n_lost += lost > 0;
    }
    return 1000.0 * (double)n_lost / N_JOBS;
}

START_TEST(rarely_takes_noise_for_it)
{
    static const struct {
        size_t n;
        double cv;
        bool is_t;
        double most; /* jobs of a thousand */
    } cases[] = {
        {10, 0.05, false, 0.1}, {20, 0.05, false, 0.1}, {40, 0.05, false, 0.1}, {10, 0.1, false, 4},
        {20, 0.1, false, 1},    {40, 0.1, false, 0.5},  {10, 0.2, false, 10},   {20, 0.2, false, 2},
        {40, 0.2, false, 1},    {20, 0.05, true, 4},    {40, 0.05, true, 4},    {20, 0.1, true, 12},
        {40, 0.1, true, 15},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        double lost = lost_per_thousand(cases[i].n, cases[i].cv, cases[i].is_t);
        printf("%zu steps, %s %g: %g of 1,000 jobs\n", cases[i].n,
               cases[i].is_t ? "t (3)" : "lognormal", cases[i].cv, lost);
        ck_assert_double_le(lost, cases[i].most);
    }
}
END_TEST

int main(void)
{
    Suite *suite = suite_create("step_outliers");
    TCase *tests = tcase_create("series");
    tcase_set_timeout(tests, 60);
    tcase_add_test(tests, finds_warm_up);
    tcase_add_test(tests, keeps_a_longer_beginning);
    tcase_add_test(tests, finds_single_steps);
    tcase_add_test(tests, measures_by_the_noise);
    tcase_add_test(tests, keeps_what_few_workers_bring);
    tcase_add_test(tests, says_nothing_of_few_steps);
    tcase_add_test(tests, takes_steps_without_time);
    tcase_add_test(tests, rarely_takes_noise_for_it);
    suite_add_tcase(suite, tests);
    SRunner *runner = srunner_create(suite);
    srunner_run_all(runner, CK_NORMAL);
    int n_failed = srunner_ntests_failed(runner);
    srunner_free(runner);
    return n_failed != 0;
}
