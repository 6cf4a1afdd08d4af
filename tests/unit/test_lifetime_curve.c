/* ETTR over time: by hand, against a plain computation, and for any number of threads. */
#include "sim/lifetime/lifetime_trace.h"
#include "tests/support/any_life.h"
#include "tests/support/lifetime_case.h"

#include <check.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

static struct hc_error err;

/* ---- by hand ---- */

/* 800 s of work, no saves; a queue of 30 s, start-up 50 s, one incident 500 s after submission:
 * from 420 s after the first start to 470 s there is a start again, and what was run is lost. */
struct by_hand {
    struct hc_lifetime_config config;
    struct hc_lifetime_fault fault;
    struct hc_lifetime_incident incident;
    struct hc_lifetime_phase phase;
};

static struct by_hand *by_hand(void)
{
    static struct by_hand l;
    l.config = hc_lifetime_config_defaults();
    l.config.job.work_s = 800;
    l.phase = hc_lifetime_phase_defaults();
    l.phase.first_s = l.phase.full_s = l.phase.hot_s = hc_distribution_constant(50);
    l.config.startup.phase = &l.phase;
    l.config.startup.n_phases = 1;
    l.config.recovery.queues_first = true;
    l.config.recovery.queue_s = hc_distribution_constant(30);
    l.incident = (struct hc_lifetime_incident){450, 0, 1};
    l.fault = hc_lifetime_fault_defaults();
    l.fault.name = "incident";
    l.fault.incident = &l.incident;
    l.fault.n_incidents = 1;
    l.config.fault = &l.fault;
    return &l;
}

static struct hc_lifetime_curve curve_of(const struct hc_lifetime_config *c, uint64_t n_replicas,
                                         size_t n, double window_s)
{
    struct hc_lifetime_curve curve;
    if (hc_lifetime_curve_run(&curve, c, n_replicas, n, window_s, &err))
        ck_abort_msg("%s", err.message);
    return curve;
}

START_TEST(counts_from_the_first_start)
{
    struct by_hand *l = by_hand();
    struct hc_lifetime_curve c = curve_of(&l->config, 3, 17, 100);
    for (size_t i = 0; i < 17; i++) {
        double at_s = 50 * (double)(i + 1), ran_s = at_s - 50;
        ck_assert_double_eq_tol(c.time_s[i], at_s, 1e-9);
        ck_assert_int_eq(c.n_alive[i], 3);
        for (int line = 0; line < HC_CURVE_N_LINES; line++) {
            ck_assert_double_eq_tol(c.cumulative[line][i], ran_s / at_s, 1e-12);
            /* Nothing at 50 s, half of the first 100 s, then all. */
            ck_assert_double_eq_tol(c.sliding[line][i], i == 0 ? 0 : i == 1 ? 0.5 : 1, 1e-12);
        }
    }
    hc_lifetime_curve_fini(&c);
}
END_TEST

/* Struck 420 s after the first start: 370 s are lost, then a start, 800 s, the end at 1,270 s. */
START_TEST(what_is_lost_never_counted)
{
    struct by_hand *l = by_hand();
    l->config.n_faults = 1;
    struct hc_lifetime_curve c = curve_of(&l->config, 1, 127, 200);
    for (size_t i = 0; i < 127; i++) {
        double at_s = 10 * (double)(i + 1), ran_s = at_s > 470 ? at_s - 470 : 0;
        double window_s = at_s < 200 ? at_s : 200;
        ck_assert_double_eq_tol(c.time_s[i], at_s, 1e-9);
        ck_assert_double_eq_tol(c.cumulative[HC_CURVE_MEAN][i], ran_s / at_s, 1e-12);
        ck_assert_double_eq_tol(c.sliding[HC_CURVE_P50][i], (ran_s < 200 ? ran_s : 200) / window_s,
                                1e-12);
    }
    hc_lifetime_curve_fini(&c);
}
END_TEST

/* ---- plainly: every stretch of every replica for every time ---- */

static double productive_s(const struct hc_lifetime_trace *trace, double from_s, double to_s)
{
    double sum = 0;
    for (size_t i = 0; i < trace->n_spans; i++) {
        const struct hc_lifetime_span *span = &trace->span[i];
        double start = (double)span->start_ns * 1e-9, end = (double)span->end_ns * 1e-9;
        double share = 1 - (double)span->stall_ns * 1e-9 / (end - start);
        double within = fmin(end, to_s) - fmax(start, from_s);
        if (span->what == HC_WHAT_PRODUCTIVE_IDEAL && within > 0)
            sum += within * share;
    }
    return sum;
}

/* The level of n values by counting, without sorting. */
static double order_value(const double *value, size_t n, size_t rank)
{
    for (size_t i = 0; i < n; i++) {
        size_t below = 0, same = 0;
        for (size_t j = 0; j < n; j++) {
            below += value[j] < value[i];
            same += value[j] == value[i];
        }
        if (below <= rank && rank < below + same)
            return value[i];
    }
    return NAN;
}

static double quantile(const double *value, size_t n, double level)
{
    double place = level * (double)(n - 1);
    size_t rank = (size_t)place;
    double low = order_value(value, n, rank);
    return place > (double)rank
               ? low + (place - (double)rank) * (order_value(value, n, rank + 1) - low)
               : low;
}

static void assert_line(double *const line[HC_CURVE_N_LINES], size_t at, const double *value,
                        size_t n)
{
    static const double level[HC_CURVE_N_LINES] = {0, 0.05, 0.25, 0.5, 0.75, 0.95};
    double sum = 0;
    for (size_t i = 0; i < n; i++)
        sum += value[i];
    ck_assert_double_eq_tol(line[HC_CURVE_MEAN][at], sum / (double)n, 1e-8);
    for (int l = HC_CURVE_P05; l < HC_CURVE_N_LINES; l++)
        ck_assert_double_eq_tol(line[l][at], quantile(value, n, level[l]), 1e-8);
}

enum { LIVES = 9, TIMES = 23 };

static void assert_curve(const struct hc_lifetime_curve *c,
                         const struct hc_lifetime_trace trace[LIVES],
                         const struct hc_lifetime_replica out[LIVES])
{
    double longest_s = 0;
    for (int r = 0; r < LIVES; r++)
        longest_s = fmax(longest_s, (double)(out[r].wall_ns - out[r].first_queue_ns) * 1e-9);
    for (size_t i = 0; i < TIMES; i++) {
        double at_s = longest_s * (double)(i + 1) / TIMES, cumulative[LIVES], sliding[LIVES];
        double window_s = fmin(at_s, c->window_s);
        size_t n = 0;
        ck_assert_double_eq_tol(c->time_s[i], at_s, 2e-9);
        for (int r = 0; r < LIVES; r++) {
            double first_s = (double)out[r].first_queue_ns * 1e-9;
            if (c->time_s[i] > (double)out[r].wall_ns * 1e-9 - first_s + 1e-10)
                continue;
            double now_s = first_s + c->time_s[i];
            cumulative[n] = productive_s(&trace[r], 0, now_s) / c->time_s[i];
            sliding[n++] = productive_s(&trace[r], now_s - window_s, now_s) / window_s;
        }
        ck_assert_int_eq(c->n_alive[i], (int64_t)n);
        ck_assert_int_gt(c->n_alive[i], 0);
        assert_line(c->cumulative, i, cumulative, n);
        assert_line(c->sliding, i, sliding, n);
    }
}

START_TEST(agrees_with_a_plain_computation)
{
    int n_curves = 0;
    for (uint64_t key = 0; key < 60; key++) {
        struct any_life life;
        struct hc_lifetime_trace trace[LIVES];
        struct hc_lifetime_replica out[LIVES];
        any_life_init(&life, key);
        int64_t longest_ns = 0;
        for (uint64_t r = 0; r < LIVES; r++) {
            ck_assert_int_eq(hc_lifetime_trace_run(&trace[r], &life.config, r, &out[r], &err),
                             HC_OK);
            int64_t life_ns = out[r].wall_ns - out[r].first_queue_ns;
            longest_ns = life_ns > longest_ns ? life_ns : longest_ns;
        }
        struct hc_lifetime_curve c = curve_of(&life.config, LIVES, TIMES, DAY_S);
        if (longest_ns > 1000) {
            assert_curve(&c, trace, out);
            n_curves++;
        }
        hc_lifetime_curve_fini(&c);
        for (int r = 0; r < LIVES; r++)
            hc_lifetime_trace_fini(&trace[r]);
    }
    ck_assert_int_gt(n_curves, 50);
}
END_TEST

/* A replica that is over counts with its ETTR, if it ends at one of the times. */
START_TEST(ends_at_the_ettr_of_the_replica)
{
    for (uint64_t key = 0; key < 50; key++) {
        struct any_life life;
        struct hc_lifetime_replica out;
        any_life_init(&life, key);
        ck_assert_int_eq(hc_lifetime_run(&life.config, 0, 1, &out, &err), HC_OK);
        struct hc_lifetime_curve c = curve_of(&life.config, 1, 5, 3600);
        if (out.wall_ns > out.first_queue_ns)
            ck_assert_double_eq_tol(c.cumulative[HC_CURVE_MEAN][4],
                                    hc_lifetime_figure(&out, HC_FIGURE_ETTR_BYTEROBUST), 1e-15);
        hc_lifetime_curve_fini(&c);
    }
}
END_TEST

/* The horizon is in the first queue: nobody ever starts. */
START_TEST(nobody_who_starts_is_nothing)
{
    struct by_hand *l = by_hand();
    l->config.job.horizon_s = 20;
    struct hc_lifetime_curve c = curve_of(&l->config, 4, 3, 3600);
    for (size_t i = 0; i < 3; i++) {
        ck_assert_int_eq(c.n_alive[i], 0);
        ck_assert(isnan(c.cumulative[HC_CURVE_MEAN][i]) && isnan(c.sliding[HC_CURVE_P95][i]));
    }
    hc_lifetime_curve_fini(&c);
}
END_TEST

START_TEST(is_the_same_for_any_number_of_threads)
{
    for (uint64_t key = 0; key < 20; key++) {
        struct any_life life;
        any_life_init(&life, key);
        life.config.threads = 1;
        struct hc_lifetime_curve one = curve_of(&life.config, 40, 50, 3600);
        for (int threads = 2; threads < 6; threads++) {
            life.config.threads = threads;
            struct hc_lifetime_curve c = curve_of(&life.config, 40, 50, 3600);
            ck_assert_mem_eq(c.time_s, one.time_s, 50 * sizeof *c.time_s);
            ck_assert_mem_eq(c.n_alive, one.n_alive, 50 * sizeof *c.n_alive);
            for (int l = 0; l < HC_CURVE_N_LINES; l++) {
                ck_assert_mem_eq(c.cumulative[l], one.cumulative[l], 50 * sizeof(double));
                ck_assert_mem_eq(c.sliding[l], one.sliding[l], 50 * sizeof(double));
            }
            hc_lifetime_curve_fini(&c);
        }
        hc_lifetime_curve_fini(&one);
    }
}
END_TEST

START_TEST(refuses_what_is_no_curve)
{
    struct by_hand *l = by_hand();
    struct hc_lifetime_curve c;
    ck_assert_int_eq(hc_lifetime_curve_run(&c, &l->config, 10, 0, 3600, &err), HC_BAD_INPUT);
    ck_assert_str_eq(err.message, "ETTR over time: 0 times of 10 replicas, over the last 3600 s");
    hc_lifetime_curve_fini(&c);
    ck_assert_int_eq(hc_lifetime_curve_run(&c, &l->config, 10, 9, 0, &err), HC_BAD_INPUT);
    hc_lifetime_curve_fini(&c);
    ck_assert_int_eq(hc_lifetime_curve_run(&c, &l->config, 1ull << 62, 9, 1, &err), HC_BAD_INPUT);
    hc_lifetime_curve_fini(&c);
}
END_TEST

int main(void)
{
    Suite *suite = suite_create("lifetime_curve");
    TCase *tests = tcase_create("all");
    tcase_set_timeout(tests, 120);
    suite_add_tcase(suite, tests);
    tcase_add_test(tests, counts_from_the_first_start);
    tcase_add_test(tests, what_is_lost_never_counted);
    tcase_add_test(tests, agrees_with_a_plain_computation);
    tcase_add_test(tests, ends_at_the_ettr_of_the_replica);
    tcase_add_test(tests, nobody_who_starts_is_nothing);
    tcase_add_test(tests, is_the_same_for_any_number_of_threads);
    tcase_add_test(tests, refuses_what_is_no_curve);
    SRunner *runner = srunner_create(suite);
    srunner_run_all(runner, CK_NORMAL);
    int failed = srunner_ntests_failed(runner);
    srunner_free(runner);
    return failed != 0;
}
