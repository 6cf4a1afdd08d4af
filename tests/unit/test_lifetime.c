/* The lifetime simulator against closed forms, and what must hold in every replica. */
#include "tests/support/lifetime_case.h"
#include "tests/support/lifetime_means.h"

#include <check.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static struct hc_error err;

static struct hc_lifetime_summary simulate(const struct hc_lifetime_config *config)
{
    struct hc_lifetime_summary sum;
    if (hc_lifetime_simulate(config, &sum, &err))
        ck_abort_msg("%s", err.message);
    return sum;
}

static void assert_within(const char *what, const struct hc_moments *m, double expected)
{
    double half = hc_moments_half_width(m, 0.999);
    ck_assert_msg(fabs(m->mean - expected) <= half, "%s: %.6g +- %.2g, not %.6g", what, m->mean,
                  half, expected);
}

/* Simulated against exact: 20 replicas of about 4,000 faults. */
static double check_ettr(const char *what, const struct hc_ettr_terms *t)
{
    struct hc_renewal_case r;
    hc_renewal_case_init(&r, t);
    r.config.job.horizon_s = 4000 / t->rate_per_s;
    r.config.replicas = 20;
    r.config.key = (uint64_t)(t->rate_per_s * 1e12) ^ (uint64_t)(t->every_s * 1000);
    struct hc_lifetime_summary sum = simulate(&r.config);
    const struct hc_moments *ettr = &sum.figure[HC_FIGURE_ETTR_META];
    assert_within(what, ettr, hc_ettr_exact(t));
    ck_assert_msg(hc_moments_half_width(ettr, 0.999) < 0.012, "%s: interval is too wide", what);
    return hc_ettr_exact(t);
}

START_TEST(published_points)
{
    static const struct {
        double gpus, rate, every_min, restart_min, queue_min, write_min, first, exact;
    } point[] = {{16000, 6.50e-3, 60, 5, 0, 0, 0.684, 0.7202},
                 {16000, 6.50e-3, 5, 5, 0, 0, 0.932, 0.9345},
                 {8000, 6.50e-3, 30, 5, 1, 0, 0.905, 0.9089},
                 {100000, 6.50e-3, 7, 5, 0, 0, 0.520, 0.6150},
                 {100000, 2.34e-3, 2, 2, 0, 0, 0.939, 0.9408},
                 {100000, 2.34e-3, 21, 5, 0, 0, 0.685, 0.7244},
                 {12000, 6.50e-3, 38.4, 5, 0, 5, 0.740, 0.7358},
                 {12000, 1.00e-3, 98.0, 5, 0, 5, 0.898, 0.8966},
                 {12000, 6.50e-3, 7.0, 5, 0, 10.0 / 60, 0.921, 0.9215},
                 {2048, 6.50e-3, 60, 5, 0, 0, 0.960, 0.9602},
                 {4096, 6.50e-3, 60, 5, 0, 0, 0.919, 0.9216}};
    for (size_t i = 0; i < sizeof point / sizeof *point; i++) {
        struct hc_ettr_terms t = {point[i].gpus / 8 * point[i].rate / DAY_S,
                                  point[i].every_min * 60, point[i].write_min * 60,
                                  point[i].restart_min * 60, point[i].queue_min * 60};
        char what[32];
        snprintf(what, sizeof what, "point %zu", i);
        ck_assert_double_eq_tol(check_ettr(what, &t), point[i].exact, 0.00006);
        /* The third row of the table has a run of 7 days in its first-order value. */
        if (i != 2)
            ck_assert_double_eq_tol(hc_ettr_first_order(&t), point[i].first, 0.0006);
    }
}
END_TEST

START_TEST(random_points)
{
    struct hc_philox rng;
    hc_philox_seek(&rng, 2026, 4, 0);
    for (int i = 0; i < 30; i++) {
        double between = 600 * pow(100, hc_philox_uniform(&rng)), u[4];
        for (int j = 0; j < 4; j++)
            u[j] = hc_philox_uniform(&rng);
        /* A third with free saves, half with a queue. */
        struct hc_ettr_terms t = {1 / between, between * (0.02 + 0.8 * u[0]),
                                  i % 3 ? between * 0.15 * u[1] : 0, between * 0.4 * u[2],
                                  i % 2 ? between * 0.5 * u[3] : 0};
        char what[32];
        snprintf(what, sizeof what, "random set %d", i);
        check_ettr(what, &t);
    }
}
END_TEST

START_TEST(no_faults_lose_the_start_only)
{
    struct hc_ettr_terms t = {0, 600, 0, 333.25, 0};
    struct hc_renewal_case r;
    struct hc_lifetime_replica out;
    hc_renewal_case_init(&r, &t);
    r.config.n_faults = 0;
    r.config.job.work_s = 30 * DAY_S;
    ck_assert_int_eq(hc_lifetime_run(&r.config, 0, 1, &out, &err), HC_OK);
    ck_assert(out.finished);
    ck_assert_int_eq(out.wall_ns, (int64_t)((30 * DAY_S + 333.25) * 1e9));
    ck_assert_int_eq(out.productive_ns, (int64_t)(30 * DAY_S * 1e9));
    ck_assert_int_eq(out.work_done_ns, out.productive_ns);
    double share = 333.25 / (30 * DAY_S + 333.25);
    ck_assert_double_eq_tol(hc_lifetime_figure(&out, HC_FIGURE_ETTR_META), 1 - share, 1e-15);
    ck_assert(out.account.leaf[HC_WHAT_STARTUP_UNSPLIT][HC_WHY_FIRST_START] ==
              (hc_gpu_ns)333250000000 * 800);
    /* Blocking saves: one a whole interval, none at the very end. */
    r.config.checkpoint.mode = HC_CHECKPOINT_BLOCKING;
    r.config.checkpoint.stall_s = hc_distribution_constant(7);
    ck_assert_int_eq(hc_lifetime_run(&r.config, 0, 1, &out, &err), HC_OK);
    ck_assert_int_eq(out.wall_ns, (int64_t)((30 * DAY_S + 333.25 + 7 * 4319) * 1e9));
}
END_TEST

START_TEST(mean_time_to_failure)
{
    static const struct {
        double gpus, hours;
    } row[] = {{16384, 1.803}, {131072, 0.225}};
    for (int i = 0; i < 2; i++) {
        struct hc_ettr_terms t = {1, 60, 0, 0, 0};
        struct hc_renewal_case r;
        hc_renewal_case_init(&r, &t);
        r.fault.unit = HC_PER_NODE;
        r.fault.per_day = 6.5e-3;
        r.config.job.nodes = (int32_t)(row[i].gpus / 8);
        r.config.job.horizon_s = 4000 * row[i].hours * 3600;
        r.config.replicas = 50;
        ck_assert_double_eq_tol(1 / hc_lifetime_stop_rate(&r.config) / 3600, row[i].hours, 0.0005);
        struct hc_lifetime_summary sum = simulate(&r.config);
        assert_within("faults", &sum.figure[HC_FIGURE_FAULTS],
                      r.config.job.horizon_s * hc_lifetime_stop_rate(&r.config));
        ck_assert_double_eq_tol(r.config.job.horizon_s / 3600 / sum.figure[HC_FIGURE_FAULTS].mean,
                                row[i].hours, row[i].hours * 0.01);
    }
}
END_TEST

/* Up for a time of any law, down for a constant: productive share = mean up / (mean up + down). */
START_TEST(renewals_of_any_law)
{
    const struct hc_distribution law[] = {
        hc_distribution_weibull_mean(5000, 0.6),    hc_distribution_weibull_mean(5000, 2.5),
        hc_distribution_lognormal_mean(5000, 8000), hc_distribution_gamma_mean(5000, 0.4),
        hc_distribution_gamma_mean(5000, 7),        hc_distribution_exponential(5000)};
    for (size_t i = 0; i < sizeof law / sizeof *law; i++) {
        struct hc_ettr_terms t = {0, 0.01, 0, 900, 0};
        struct hc_renewal_case r;
        hc_renewal_case_init(&r, &t);
        r.fault.per_day = 0;
        r.fault.between_s = law[i];
        r.config.strikes = HC_STRIKES_RUNNING;
        r.config.job.horizon_s = 5900 * 3000;
        r.config.replicas = 40;
        r.config.key = i;
        struct hc_lifetime_summary sum = simulate(&r.config);
        assert_within("up share", &sum.figure[HC_FIGURE_ETTR_META], 5000.0 / 5900);
        assert_within("renewals", &sum.figure[HC_FIGURE_FAULTS], 3000);
    }
}
END_TEST

/* A pool with k spare nodes and exponential repairs: the job waits as Erlang's loss formula says.
 */
START_TEST(pool_waits_by_erlang)
{
    for (int k = 0; k <= 4; k += 2) {
        struct hc_ettr_terms t = {1, 0.01, 0, 0, 0};
        struct hc_renewal_case r;
        hc_renewal_case_init(&r, &t);
        r.fault.unit = HC_PER_NODE;
        r.fault.per_day = 0.02;
        r.fault.remedy = HC_REMEDY_EVICT;
        r.config.recovery.pool_nodes = 100 + k;
        r.config.repair.automatic_s = hc_distribution_exponential(1.2 * DAY_S);
        r.config.job.horizon_s = 4000 * DAY_S;
        r.config.replicas = 40;
        double load = 0.02 * 100 * 1.2, loss = 1;
        for (int c = 1; c <= k + 1; c++)
            loss = load * loss / (c + load * loss);
        struct hc_lifetime_summary sum = simulate(&r.config);
        assert_within("running share", &sum.figure[HC_FIGURE_ETTR_META], 1 - loss);
        ck_assert(sum.count[HC_COUNT_WAITS].mean > 0);
    }
}
END_TEST

/* Least ETTR loss over a sweep of the interval, by a parabola in its logarithm. */
START_TEST(young_daly_optimum)
{
    enum { N = 9 };
    double write = 10, between = 186 * 60, x[5] = {0}, y[3] = {0};
    double young = hc_young_interval_s(write, between);
    ck_assert_double_eq_tol(young / 60, 7.9, 0.05);
    for (int i = 0; i < N; i++) {
        double z = -0.6 + 1.2 * i / (N - 1);
        struct hc_ettr_terms t = {1 / between, young * exp(z), write, 0, 0};
        struct hc_renewal_case r;
        hc_renewal_case_init(&r, &t);
        r.config.job.horizon_s = between * 1000;
        r.config.replicas = 200; /* the same key: common random numbers */
        double ettr = simulate(&r.config).figure[HC_FIGURE_ETTR_META].mean;
        for (int j = 0; j < 5; j++)
            x[j] += pow(z, j);
        for (int j = 0; j < 3; j++)
            y[j] += ettr * pow(z, j);
    }
    /* Odd sums of z vanish: slope and curvature come apart. */
    double b = y[1] / x[2], c = (N * y[2] - x[2] * y[0]) / (N * x[4] - x[2] * x[2]);
    ck_assert(c < 0);
    ck_assert_double_eq_tol(exp(-b / (2 * c)), 1, 0.05);
    /* The config's own choice is the same interval. */
    struct hc_ettr_terms t = {1 / between, young, write, 0, 0};
    struct hc_renewal_case own, given;
    hc_renewal_case_init(&own, &t);
    hc_renewal_case_init(&given, &t);
    own.config.checkpoint.every_s = 0;
    own.config.checkpoint.interval = HC_INTERVAL_YOUNG_DALY;
    own.config.job.horizon_s = given.config.job.horizon_s = between * 100;
    ck_assert_double_eq_tol(simulate(&own.config).figure[HC_FIGURE_ETTR_META].mean,
                            simulate(&given.config).figure[HC_FIGURE_ETTR_META].mean, 1e-9);
}
END_TEST

START_TEST(airesim_default_case)
{
    struct hc_airesim_case a;
    hc_airesim_case_init(&a);
    a.config.replicas = 60;
    struct hc_lifetime_summary sum = simulate(&a.config);
    const struct {
        const char *name;
        double mean, sd, ours;
    } figure[] = {{"wall h", 9880.5, 37.3, sum.figure[HC_FIGURE_WALL_S].mean / 3600},
                  {"ratio", 0.6218, 0.0023, sum.figure[HC_FIGURE_ETTR_META].mean},
                  {"failures", 11191, 111, sum.figure[HC_FIGURE_FAULTS].mean},
                  {"on bad servers", 686, 18, sum.faults[1].mean}};
    for (int i = 0; i < 4; i++) { /* the spares pre-empted are missed: docs/methods/lifetime.md */
        double half = 2.262 * figure[i].sd / sqrt(10); /* Student, 9 degrees of freedom */
        ck_assert_msg(fabs(figure[i].ours - figure[i].mean) <= half, "%s: %g, not %g +- %g",
                      figure[i].name, figure[i].ours, figure[i].mean, half);
    }
}
END_TEST

START_TEST(threads_change_nothing)
{
    enum { N = 12 };
    struct hc_airesim_case a;
    hc_airesim_case_init(&a);
    a.config.job.work_s = 20 * DAY_S;
    struct hc_lifetime_replica *result[3];
    for (int i = 0; i < 3; i++) {
        result[i] = calloc(N, sizeof **result);
        a.config.threads = i + 1;
        ck_assert_int_eq(hc_lifetime_run(&a.config, 0, N, result[i], &err), HC_OK);
        ck_assert_int_eq(memcmp(result[0], result[i], N * sizeof **result), 0);
    }
    /* A block that starts elsewhere has the same replicas; another seed or key has others. */
    ck_assert_int_eq(hc_lifetime_run(&a.config, 5, 3, result[1], &err), HC_OK);
    ck_assert_int_eq(memcmp(&result[0][5], result[1], 3 * sizeof **result), 0);
    a.config.key = 1;
    ck_assert_int_eq(hc_lifetime_run(&a.config, 0, 1, result[2], &err), HC_OK);
    ck_assert_int_ne(result[2]->wall_ns, result[0]->wall_ns);
    for (int i = 0; i < 3; i++)
        free(result[i]);
}
END_TEST

START_TEST(moments_are_those_of_sums)
{
    struct hc_moments all = {0, 0, 0};
    for (int i = 0; i < 20; i++)
        hc_moments_add(&all, i * i);
    ck_assert_double_eq_tol(all.mean, 123.5, 1e-12); /* 19 * 39 / 6 */
    ck_assert_double_eq_tol(all.squares, 562666 - 20 * 123.5 * 123.5, 1e-8);
    struct hc_moments two = {0, 0, 0};
    hc_moments_add(&two, 1);
    ck_assert(isinf(hc_moments_half_width(&two, 0.95)));
    hc_moments_add(&two, 3);
    ck_assert_double_eq_tol(hc_moments_half_width(&two, 0.95), 12.7062047, 1e-6);
}
END_TEST

/* Dual-phase replay over m * n machines (docs/methods/lifetime.md): the one in horizontal group h
 * (x / m) and vertical group v (x mod n); -1 where there is none. It is the only one where m <= n.
 */
static int32_t dual_phase_machine(int32_t m, int32_t n, int32_t h, int32_t v)
{
    for (int32_t x = h * m; x < (h + 1) * m && x < m * n; x++)
        if (x >= 0 && x % n == v)
            return x;
    return -1;
}

START_TEST(small_tables)
{
    /* ByteRobust's standbys at p = 0.0012. */
    static const int32_t nodes[4] = {128, 256, 512, 1024}, expected[4] = {2, 2, 3, 4};
    for (int i = 0; i < 4; i++)
        ck_assert_int_eq(hc_binomial_quantile(nodes[i], 0.0012, 0.99), expected[i]);
    /* Dual-phase replay: m = 4, n = 6, H3 and V1 is machine 13; one machine each where m <= n. */
    ck_assert_int_eq(dual_phase_machine(4, 6, 3, 1), 13);
    for (int32_t m = 1; m <= 24; m++)
        for (int32_t n = m; n <= 24; n++)
            for (int32_t x = 0; x < m * n; x++)
                ck_assert_int_eq(dual_phase_machine(m, n, x / m, x % n), x);
    ck_assert_int_eq(dual_phase_machine(3, 2, 0, 0), 0); /* 2 as well: not unique for m > n */
    ck_assert_int_eq(dual_phase_machine(4, 6, 0, 5), -1);
}
END_TEST

int main(void)
{
    Suite *suite = suite_create("lifetime");
    TCase *tc = tcase_create("lifetime");
    tcase_set_timeout(tc, 300);
    tcase_add_test(tc, published_points);
    tcase_add_test(tc, random_points);
    tcase_add_test(tc, no_faults_lose_the_start_only);
    tcase_add_test(tc, mean_time_to_failure);
    tcase_add_test(tc, renewals_of_any_law);
    tcase_add_test(tc, pool_waits_by_erlang);
    tcase_add_test(tc, young_daly_optimum);
    tcase_add_test(tc, airesim_default_case);
    tcase_add_test(tc, threads_change_nothing);
    tcase_add_test(tc, moments_are_those_of_sums);
    tcase_add_test(tc, small_tables);
    suite_add_tcase(suite, tc);
    SRunner *runner = srunner_create(suite);
    srunner_run_all(runner, CK_NORMAL);
    int failed = srunner_ntests_failed(runner);
    srunner_free(runner);
    return failed ? EXIT_FAILURE : EXIT_SUCCESS;
}
