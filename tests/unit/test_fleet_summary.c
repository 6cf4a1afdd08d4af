#include "models/stats/binomial_interval.h"
#include "sim/fleet/fleet_summary.h"
#include "tests/support/fake_fleet.h"

#include <check.h>

#define NEAR 1e-12

static void summarise(struct hc_fleet_summary *summary, const struct hc_fleet_row *rows, size_t n)
{
    struct hc_error err = {.message = ""};
    ck_assert_msg(hc_fleet_summarise(summary, rows, n, &err) == HC_OK, "%s", err.message);
}

/* ---- quantiles ---- */

START_TEST(quantile_is_the_least_value_that_holds_its_share)
{
    struct hc_weighted points[10], turned[10];
    struct hc_fleet_cdf cdf, other;
    for (int i = 0; i < 10; i++) {
        points[i] = (struct hc_weighted){i + 1, 1};
        turned[9 - i] = points[i];
    }
    hc_fleet_cdf_build(&cdf, points, 10);
    ck_assert_uint_eq(cdf.n, 10);
    ck_assert_double_eq(cdf.mean, 5.5);
    /* 5 of 10 are half, so no mean of 5 and 6; 9 of 10 are 90 %; 99 % needs the tenth. */
    ck_assert_double_eq(hc_fleet_cdf_percent(&cdf, 0), 1);
    ck_assert_double_eq(hc_fleet_cdf_percent(&cdf, 50), 5);
    ck_assert_double_eq(hc_fleet_cdf_percent(&cdf, 51), 6);
    ck_assert_double_eq(hc_fleet_cdf_percent(&cdf, 90), 9);
    ck_assert_double_eq(hc_fleet_cdf_percent(&cdf, 91), 10);
    ck_assert_double_eq(hc_fleet_cdf_percent(&cdf, 99), 10);
    ck_assert_double_eq(hc_fleet_cdf_percent(&cdf, 100), 10);
    hc_fleet_cdf_build(&other, turned, 10);
    ck_assert_mem_eq(&cdf, &other, sizeof cdf);
}
END_TEST

START_TEST(quantile_of_weights_and_ties)
{
    struct hc_weighted points[] = {{3, 6}, {1, 1}, {2, 1}, {3, 2}};
    struct hc_fleet_cdf cdf;
    hc_fleet_cdf_build(&cdf, points, 4);
    ck_assert_double_eq(cdf.weight, 10);
    ck_assert_double_eq(cdf.mean, 2.7);
    ck_assert_double_eq(hc_fleet_cdf_percent(&cdf, 10), 1);
    ck_assert_double_eq(hc_fleet_cdf_percent(&cdf, 20), 2);
    ck_assert_double_eq(hc_fleet_cdf_percent(&cdf, 21), 3);
    ck_assert_double_eq(hc_fleet_cdf_percent(&cdf, 50), 3);
}
END_TEST

START_TEST(quantile_of_one_and_of_none)
{
    struct hc_weighted point = {7, 0.1};
    struct hc_fleet_cdf cdf;
    hc_fleet_cdf_build(&cdf, &point, 1);
    for (int percent = 0; percent <= 100; percent++)
        ck_assert_double_eq(hc_fleet_cdf_percent(&cdf, percent), 7);
    hc_fleet_cdf_build(&cdf, &point, 0);
    ck_assert_double_nan(cdf.mean);
    ck_assert_double_nan(hc_fleet_cdf_percent(&cdf, 0));
    ck_assert_double_nan(hc_fleet_cdf_percent(&cdf, 100));
}
END_TEST

/* ---- the exact interval ---- */

/* Probability of k or more of n, term by term with the C library. */
static double plain_tail(size_t k, size_t n, double p)
{
    double sum = 0;
    for (size_t i = k; i <= n; i++)
        sum += exp(lgamma((double)n + 1) - lgamma((double)i + 1) - lgamma((double)(n - i) + 1) +
                   (double)i * log(p) + (double)(n - i) * log1p(-p));
    return sum;
}

START_TEST(interval_has_the_tails_it_claims)
{
    static const size_t cases[][2] = {{5, 10}, {1, 40}, {39, 40}, {1309, 3079}, {2, 10000}};
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        size_t k = cases[i][0], n = cases[i][1];
        double low, high;
        hc_binomial_interval(k, n, 0.95, &low, &high);
        ck_assert_double_eq_tol(plain_tail(k, n, low), 0.025, 1e-9);
        ck_assert_double_eq_tol(1 - plain_tail(k + 1, n, high), 0.025, 1e-9);
    }
}
END_TEST

START_TEST(interval_at_the_ends)
{
    double low, high;
    hc_binomial_interval(0, 10, 0.95, &low, &high);
    ck_assert_double_eq(low, 0);
    ck_assert_double_eq_tol(high, 0.3084971, 1e-7); /* 1 - 0.025^(1/10) */
    hc_binomial_interval(10, 10, 0.95, &low, &high);
    ck_assert_double_eq_tol(low, 0.6915029, 1e-7);
    ck_assert_double_eq(high, 1);
    hc_binomial_interval(0, 0, 0.95, &low, &high);
    ck_assert_double_nan(low);
    ck_assert_double_nan(high);
}
END_TEST

/* ---- a fleet worked out by hand ---- */

/* Four jobs analysed, one of unknown size; three discarded, one of unknown GPU-hours. */
static size_t small_fleet(struct hc_fleet_row rows[7])
{
    rows[0] = fake_row("a", 1.0, 100);  /* waste 0 */
    rows[1] = fake_row("b", 1.25, 300); /* waste 0.2, 60 lost */
    rows[2] = fake_row("c", 2.0, 0);    /* waste 0.5 */
    rows[3] = fake_row("d", 1.1, 100);  /* just straggling: 1/11, 100/11 lost */
    rows[4] = fake_discarded("e", HC_FLEET_RESTARTED, NAN);
    rows[5] = fake_discarded("f", HC_FLEET_FEW_STEPS, 50);
    rows[6] = fake_discarded("g", HC_FLEET_DISCREPANCY, 25);
    rows[6].discrepancy = 0.08;
    rows[6].launch_slowdown = 1.1;
    return 7;
}

START_TEST(headline)
{
    struct hc_fleet_row rows[7];
    struct hc_fleet_summary summary;
    summarise(&summary, rows, small_fleet(rows));
    ck_assert_uint_eq(summary.n_jobs, 7);
    ck_assert_uint_eq(summary.n_analysed, 4);
    ck_assert_uint_eq(summary.n_straggling, 3);
    ck_assert_uint_eq(summary.n_hours_unknown, 1);
    ck_assert_double_eq(summary.straggling.share, 0.75);
    ck_assert_double_eq(summary.straggling.hours_share, 0.8); /* 400 of 500 */
    ck_assert_uint_eq(summary.straggling.unknown, 1);
    ck_assert_double_eq_tol(summary.straggling_interval.low, 0.1941204, 1e-7);
    ck_assert_double_eq_tol(summary.straggling_interval.high, 0.9936905, 1e-7);
    ck_assert_double_eq(summary.hours_traced, 500);
    ck_assert_double_eq_tol(summary.hours_lost, 60 + 100.0 / 11, NEAR);
    ck_assert_double_eq_tol(summary.lost_share, (60 + 100.0 / 11) / 500, NEAR);
    ck_assert_double_eq_tol(summary.mean_straggling_slowdown, (1.25 + 2 + 1.1) / 3, NEAR);
    hc_fleet_summary_fini(&summary);
}
END_TEST

START_TEST(waste_by_jobs_and_by_hours)
{
    struct hc_fleet_row rows[7];
    struct hc_fleet_summary summary;
    summarise(&summary, rows, small_fleet(rows));
    const struct hc_fleet_cdf *jobs = &summary.cdf[HC_CDF_WASTE_BY_JOBS];
    const struct hc_fleet_cdf *hours = &summary.cdf[HC_CDF_WASTE_BY_HOURS];
    ck_assert_uint_eq(jobs->n, 4);
    ck_assert_double_eq_tol(hc_fleet_cdf_percent(jobs, 50), 1.0 / 11, NEAR);
    ck_assert_double_eq(hc_fleet_cdf_percent(jobs, 90), 0.5);
    /* Job c weighs nothing that is known; b alone holds 60 %. */
    ck_assert_uint_eq(hours->n, 3);
    ck_assert_double_eq(hours->weight, 500);
    ck_assert_double_eq_tol(hc_fleet_cdf_percent(hours, 40), 1.0 / 11, NEAR);
    ck_assert_double_eq_tol(hc_fleet_cdf_percent(hours, 41), 0.2, NEAR);
    ck_assert_double_eq_tol(hours->mean, summary.lost_share, NEAR);
    hc_fleet_summary_fini(&summary);
}
END_TEST

static void check_stage(const struct hc_fleet_summary *summary, enum hc_fleet_fate fate, size_t n,
                        size_t of)
{
    const struct hc_fleet_stage *stage = &summary->funnel[fate];
    ck_assert_uint_eq(stage->part.n, n);
    ck_assert_uint_eq(stage->part.of, of);
    ck_assert_double_eq(stage->part.share, (double)n / (double)of);
    ck_assert_double_eq(stage->share_of_all, (double)n / 7);
}

/* Jobs that start their ops late keep their place; by the rule of the paper they are not counted.
 */
START_TEST(late_launches)
{
    struct hc_fleet_row rows[7];
    struct hc_fleet_summary summary;
    size_t n = small_fleet(rows);
    struct hc_fleet_row *late = NULL;
    for (size_t i = 0; i < n; i++)
        if (rows[i].fate == HC_FLEET_ANALYSED && rows[i].slowdown < HC_STRAGGLING &&
            rows[i].n_gpus > 0)
            late = &rows[i];
    ck_assert_ptr_nonnull(late);
    late->cause = HC_STRAGGLER_LAUNCH;
    late->discrepancy = 0.2;
    late->launch_slowdown = 1.25;
    late->mean_traced_s = 10;
    late->mean_replayed_s = 8;
    double late_hours = late->gpu_hours_traced;
    summarise(&summary, rows, n);
    ck_assert_uint_eq(summary.n_analysed, 4);
    ck_assert_uint_eq(summary.late.n, 1);
    ck_assert_uint_eq(summary.late.of, 4);
    ck_assert_double_eq_tol(summary.late_hours_lost, 0.2 * late_hours, NEAR);
    ck_assert_uint_eq(summary.straggling_in_time.of, 3);
    ck_assert_uint_eq(summary.straggling_in_time.n, summary.straggling.n);
    ck_assert_uint_eq(summary.causes[HC_STRAGGLER_LAUNCH].part.n, 1);
    ck_assert_double_eq(summary.causes[HC_STRAGGLER_LAUNCH].share_of_straggling, 0);
    hc_fleet_summary_fini(&summary);
}
END_TEST

START_TEST(funnel)
{
    struct hc_fleet_row rows[7];
    struct hc_fleet_summary summary;
    summarise(&summary, rows, small_fleet(rows));
    check_stage(&summary, HC_FLEET_RESTARTED, 1, 7);
    check_stage(&summary, HC_FLEET_UNREADABLE, 0, 6);
    check_stage(&summary, HC_FLEET_FEW_STEPS, 1, 6);
    check_stage(&summary, HC_FLEET_NO_REPLAY, 0, 5);
    check_stage(&summary, HC_FLEET_DISCREPANCY, 1, 5);
    ck_assert_uint_eq(summary.late.n, 0); /* a discarded job is no analysed one */
    check_stage(&summary, HC_FLEET_ANALYSED, 4, 7);
    ck_assert_uint_eq(summary.funnel[HC_FLEET_RESTARTED].part.unknown, 1);
    ck_assert_uint_eq(summary.funnel[HC_FLEET_RESTARTED].part.of_unknown, 2);
    ck_assert_double_eq(summary.funnel[HC_FLEET_RESTARTED].part.hours, 0);
    ck_assert_double_eq(summary.funnel[HC_FLEET_FEW_STEPS].part.hours_share, 50.0 / 575);
    ck_assert_double_eq(summary.funnel[HC_FLEET_DISCREPANCY].part.hours_share, 25.0 / 525);
    ck_assert_double_eq(summary.funnel[HC_FLEET_ANALYSED].hours_share_of_all, 500.0 / 575);
    /* Discrepancy is of all that were replayed. */
    ck_assert_uint_eq(summary.cdf[HC_CDF_DISCREPANCY_BY_JOBS].n, 5);
    ck_assert_double_eq(hc_fleet_cdf_percent(&summary.cdf[HC_CDF_DISCREPANCY_BY_JOBS], 100), 0.08);
    hc_fleet_summary_fini(&summary);
}
END_TEST

START_TEST(ranking_lists_unknown_hours_apart)
{
    struct hc_fleet_row rows[7];
    struct hc_fleet_summary summary;
    size_t n = small_fleet(rows);
    rows[0].gpu_hours_lost = 60; /* as much as job b: the order of the rows decides */
    rows[3].n_gpus = 0;          /* then its hours are worth nothing */
    summarise(&summary, rows, n);
    ck_assert_uint_eq(summary.n_ranked, 2);
    ck_assert_uint_eq(summary.ranked[0], 0);
    ck_assert_uint_eq(summary.ranked[1], 1);
    ck_assert_uint_eq(summary.n_unranked, 2);
    ck_assert_uint_eq(summary.unranked[0], 2);
    ck_assert_uint_eq(summary.unranked[1], 3);
    hc_fleet_summary_fini(&summary);
}
END_TEST

START_TEST(rows_without_what_they_lost_have_no_hours)
{
    struct hc_fleet_row row = fake_row("a", 1.5, 8);
    ck_assert_double_eq(hc_fleet_row_hours(&row), 8);
    row.gpu_hours_lost = NAN;
    ck_assert_double_nan(hc_fleet_row_hours(&row));
    row.fate = HC_FLEET_FEW_STEPS; /* here nothing was ever lost */
    ck_assert_double_eq(hc_fleet_row_hours(&row), 8);
    row.gpu_hours_traced = -1;
    ck_assert_double_nan(hc_fleet_row_hours(&row));
    row.gpu_hours_traced = INFINITY;
    ck_assert_double_nan(hc_fleet_row_hours(&row));
}
END_TEST

/* ---- tests of causes ---- */

START_TEST(metrics_at_their_limits)
{
    struct hc_fleet_row rows[] = {fake_row("a", 1.2, 10), fake_row("b", 1.4, 30),
                                  fake_row("c", 2.0, 0), fake_row("d", 1.05, 10)};
    struct hc_fleet_summary summary;
    rows[0].m_w = 0.5; /* has to be above */
    rows[1].m_w = 0.500001;
    rows[3].m_w = 1; /* does not straggle */
    rows[0].m_s = 0.5;
    rows[1].m_s = 0.499999;
    rows[2].m_s = 0;
    rows[2].pp_size = 1;
    rows[3].pp_size = HC_MISSING_I32;
    rows[2].correlation = 0.9;
    summarise(&summary, rows, 4);
    const struct hc_fleet_metric *m_w = &summary.metric[HC_METRIC_M_W];
    ck_assert_uint_eq(m_w->passed.n, 1);
    ck_assert_uint_eq(m_w->passed.of, 2);
    ck_assert_uint_eq(m_w->n_unknown, 1);
    ck_assert_double_eq(m_w->passed.hours_share, 0.75);
    ck_assert_double_eq(m_w->mean_slowdown, 1.4);
    ck_assert_uint_eq(summary.metric[HC_METRIC_M_S].passed.n, 1);
    ck_assert_uint_eq(summary.metric[HC_METRIC_M_S].passed.of, 3);
    ck_assert_double_eq(summary.metric[HC_METRIC_M_S].mean_slowdown, 1.2);
    ck_assert_uint_eq(summary.metric[HC_METRIC_R].passed.n, 1);
    ck_assert_uint_eq(summary.metric[HC_METRIC_R].n_unknown, 2);
    ck_assert_double_nan(summary.metric[HC_METRIC_R].passed.hours_share);
    ck_assert_uint_eq(summary.without_pp.of, 3);
    ck_assert_uint_eq(summary.straggling_without_pp.n, 1);
    /* Weighted by waste: c wastes 1/2 of what the three waste, 1/6 + 2/7 + 1/2. */
    const struct hc_fleet_cdf *by_waste = &summary.cdf[HC_CDF_M_S_BY_WASTE];
    ck_assert_double_eq_tol(by_waste->weight, 1.0 / 6 + 2.0 / 7 + 0.5, NEAR);
    ck_assert_double_eq(hc_fleet_cdf_percent(by_waste, 50), 0);
    ck_assert_double_eq(hc_fleet_cdf_percent(by_waste, 60), 0.499999);
    hc_fleet_summary_fini(&summary);
}
END_TEST

START_TEST(causes_share_jobs_and_losses)
{
    struct hc_fleet_row rows[] = {fake_row("a", 1.25, 100), fake_row("b", 2, 100),
                                  fake_row("c", 2, 0), fake_row("d", 1, 100)};
    struct hc_fleet_summary summary;
    rows[0].cause = HC_STRAGGLER_STAGE;
    rows[0].also = 1u << HC_STRAGGLER_SEQUENCE;
    rows[1].cause = HC_STRAGGLER_WORKER;
    rows[1].also = 1u << HC_STRAGGLER_WORKER; /* itself does not count */
    rows[2].cause = HC_STRAGGLER_WORKER;
    summarise(&summary, rows, 4);
    const struct hc_fleet_cause *worker = &summary.causes[HC_STRAGGLER_WORKER];
    ck_assert_uint_eq(worker->part.n, 2);
    ck_assert_uint_eq(worker->part.of, 4);
    ck_assert_double_eq(worker->share_of_straggling, 2.0 / 3);
    ck_assert_double_eq_tol(worker->hours_lost, 50, NEAR);
    ck_assert_double_eq_tol(worker->lost_share, 50.0 / 70, NEAR);
    ck_assert_uint_eq(worker->n_also, 0);
    ck_assert_uint_eq(summary.causes[HC_STRAGGLER_SEQUENCE].n_also, 1);
    ck_assert_double_nan(summary.causes[HC_STRAGGLER_SEQUENCE].mean_slowdown);
    ck_assert_double_nan(summary.causes[HC_STRAGGLER_NONE].share_of_straggling);
    ck_assert_double_eq(summary.causes[HC_STRAGGLER_NONE].part.share, 0.25);
    ck_assert_int_eq(summary.main_cause, HC_STRAGGLER_WORKER);
    hc_fleet_summary_fini(&summary);
    summarise(&summary, rows + 3, 1);
    ck_assert_int_eq(summary.main_cause, HC_STRAGGLER_NONE);
    hc_fleet_summary_fini(&summary);
    rows[0].n_gpus = rows[1].n_gpus = 0; /* no hours are known: the most jobs */
    rows[0].gpu_hours_traced = rows[1].gpu_hours_traced = NAN;
    summarise(&summary, rows, 3);
    ck_assert_int_eq(summary.main_cause, HC_STRAGGLER_WORKER);
    hc_fleet_summary_fini(&summary);
}
END_TEST

/* ---- sizes ---- */

START_TEST(rank_correlation)
{
    struct hc_fleet_row rows[] = {fake_row("a", 1.1, 8), fake_row("b", 1.3, 16),
                                  fake_row("c", 1.2, 32), fake_row("d", 1.4, 64),
                                  fake_row("e", 9, 0)};
    struct hc_fleet_summary summary;
    summarise(&summary, rows, 5);
    ck_assert_uint_eq(summary.n_size_pairs, 4);
    ck_assert_double_eq_tol(summary.size_correlation, 0.8, NEAR); /* 1 - 6 * 2 / (4 * 15) */
    ck_assert_uint_eq(summary.n_size_unknown, 1);
    ck_assert_uint_eq(summary.n_sized[0], 0);
    ck_assert_uint_eq(summary.n_sized[1], 4);
    ck_assert_uint_eq(summary.sized[1][3], 3);
    hc_fleet_summary_fini(&summary);
    rows[1].slowdown = 1.05;
    rows[2].slowdown = NAN;
    summarise(&summary, rows, 5);
    ck_assert_uint_eq(summary.n_sized[0], 1);
    ck_assert_uint_eq(summary.sized[0][0], 1);
    ck_assert_uint_eq(summary.n_sized[1], 2);
    ck_assert_uint_eq(summary.n_size_unknown, 2);
    hc_fleet_summary_fini(&summary);
    rows[1].slowdown = 1.3;
    rows[2].slowdown = 1.2;
    rows[1].n_gpus = 8; /* ranks 0.5, 0.5, 2 against 0, 2, 1 */
    summarise(&summary, rows, 3);
    ck_assert_double_eq_tol(summary.size_correlation, 0, NEAR);
    hc_fleet_summary_fini(&summary);
    rows[1].slowdown = 1.15; /* against 0, 1, 2 */
    summarise(&summary, rows, 3);
    ck_assert_double_eq_tol(summary.size_correlation, 1.5 / sqrt(3), NEAR);
    hc_fleet_summary_fini(&summary);
    rows[2].n_gpus = 8; /* all of one size: undefined */
    summarise(&summary, rows, 3);
    ck_assert_double_nan(summary.size_correlation);
    hc_fleet_summary_fini(&summary);
}
END_TEST

START_TEST(size_classes)
{
    struct hc_fleet_row rows[] = {fake_row("a", 1.5, 127), fake_row("b", 1.2, 128),
                                  fake_row("c", 1.0, 255), fake_row("d", 3, 0),
                                  fake_row("e", 1, 1),     fake_row("f", 1, INT64_MAX)};
    struct hc_fleet_summary summary;
    rows[5].gpu_hours_traced = rows[5].gpu_hours_lost = 1;
    summarise(&summary, rows, 6);
    static const int64_t from[] = {1, 64, 128, (int64_t)1 << 62, 0};
    static const size_t n[] = {1, 1, 2, 1, 1};
    ck_assert_uint_eq(summary.n_sizes, 5);
    for (size_t i = 0; i < 5; i++) {
        ck_assert_int_eq(summary.sizes[i].from, from[i]);
        ck_assert_uint_eq(summary.sizes[i].straggling.of, n[i]);
    }
    ck_assert_int_eq(summary.sizes[2].to, 256);
    ck_assert_double_eq(summary.sizes[2].straggling.share, 0.5);
    ck_assert_double_eq(hc_fleet_cdf_percent(&summary.sizes[2].slowdown, 50), 1);
    ck_assert_double_eq(hc_fleet_cdf_percent(&summary.sizes[2].slowdown, 90), 1.2);
    ck_assert_double_eq_tol(summary.sizes[2].hours_lost, 128.0 / 6, 1e-9);
    hc_fleet_summary_fini(&summary);
}
END_TEST

/* ---- op types and steps ---- */

static void set_type(struct hc_fleet_row *row, const char *name, double slowdown)
{
    strcpy(row->types[row->n_types].name, name);
    row->types[row->n_types++].slowdown = slowdown;
}

START_TEST(waste_by_op_type)
{
    struct hc_fleet_row rows[] = {fake_row("a", 2, 100), fake_row("b", 2, 300),
                                  fake_row("c", 1, 100), fake_row("d", 2, 0)};
    struct hc_fleet_summary summary;
    set_type(&rows[0], "forward-compute", 1.25);
    set_type(&rows[0], "backward-compute", 2);
    set_type(&rows[0], "forward-pp-comm", 1);
    set_type(&rows[1], "backward-compute", 1);
    set_type(&rows[3], "forward-compute", 1.25);
    set_type(&rows[3], "gc", 1);
    summarise(&summary, rows, 4);
    ck_assert_uint_eq(summary.n_split, 3);
    ck_assert_uint_eq(summary.n_types, 4);
    /* Of one class by descending mean: 0.25 over a and b, 0.2 over a and d. */
    ck_assert_str_eq(summary.types[0].name, "backward-compute");
    ck_assert_double_eq(summary.types[0].by_jobs.mean, 0.25);
    ck_assert_double_eq(summary.types[0].by_hours.mean, 0.125);
    ck_assert_str_eq(summary.types[1].name, "forward-compute");
    ck_assert_double_eq_tol(summary.types[1].by_jobs.mean, 0.2, NEAR);
    ck_assert_uint_eq(summary.types[1].by_hours.n, 1);
    ck_assert_str_eq(summary.types[2].name, "forward-pp-comm");
    ck_assert_int_eq(summary.types[2].op_class, HC_CLASS_PP);
    ck_assert_int_eq(summary.types[3].op_class, HC_CLASS_OTHER);
    const struct hc_fleet_type_waste *compute = &summary.class_waste[HC_CLASS_COMPUTE];
    ck_assert_uint_eq(compute->by_jobs.n, 3);
    ck_assert_double_eq_tol(compute->by_jobs.mean, (0.5 + 0 + 0.2) / 3, NEAR);
    ck_assert_uint_eq(summary.class_waste[HC_CLASS_DP].by_jobs.n, 0);
    hc_fleet_summary_fini(&summary);
}
END_TEST

START_TEST(steps_of_straggling_jobs)
{
    struct hc_fleet_row rows[] = {fake_row("a", 1.5, 8), fake_row("b", 1.01, 8)};
    struct hc_fleet_summary summary;
    rows[0].n_sampled = 3;
    rows[0].sampled[0] = 1.06;
    rows[0].sampled[1] = 0.9;
    rows[0].sampled[2] = 1;
    rows[1].n_sampled = 1;
    rows[1].sampled[0] = 5;
    summarise(&summary, rows, 2);
    const struct hc_fleet_cdf *steps = &summary.cdf[HC_CDF_STEPS];
    ck_assert_uint_eq(steps->n, 3);
    ck_assert_double_eq(hc_fleet_cdf_percent(steps, 50), 1);
    ck_assert_double_eq(hc_fleet_cdf_percent(steps, 90), 1.06);
    hc_fleet_summary_fini(&summary);
}
END_TEST

/* ---- fleets at the edge ---- */

START_TEST(nothing_to_analyse)
{
    struct hc_fleet_row rows[] = {fake_discarded("a", HC_FLEET_NO_REPLAY, NAN),
                                  fake_discarded("b", HC_FLEET_UNREADABLE, NAN)};
    struct hc_fleet_summary summary;
    for (size_t n = 0; n <= 2; n += 2) {
        summarise(&summary, rows, n);
        ck_assert_uint_eq(summary.n_jobs, n);
        ck_assert_uint_eq(summary.n_analysed, 0);
        ck_assert_uint_eq(summary.lacking.n, n / 2);
        ck_assert_uint_eq(summary.lacking.unknown, n / 2);
        ck_assert_double_nan(summary.straggling.share);
        ck_assert_double_nan(summary.straggling_interval.low);
        ck_assert_double_nan(summary.lost_share);
        ck_assert_double_nan(summary.size_correlation);
        ck_assert_uint_eq(summary.n_sizes, 0);
        ck_assert_uint_eq(summary.n_types, 0);
        ck_assert_uint_eq(summary.n_ranked + summary.n_unranked, 0);
        hc_fleet_summary_fini(&summary);
    }
}
END_TEST

START_TEST(refuses_what_no_row_can_be)
{
    struct hc_fleet_row row = fake_row("odd", 1.5, 8);
    struct hc_fleet_summary summary;
    struct hc_error err;
    row.fate = HC_N_FLEET_FATES;
    ck_assert_int_eq(hc_fleet_summarise(&summary, &row, 1, &err), HC_BAD_INPUT);
    ck_assert_str_eq(err.message, "job 'odd': no fate has the number 8");
    row.fate = HC_FLEET_ANALYSED;
    row.cause = 99;
    ck_assert_int_eq(hc_fleet_summarise(&summary, &row, 1, &err), HC_BAD_INPUT);
    row.cause = HC_STRAGGLER_GC;
    row.n_sampled = HC_FLEET_SAMPLED_STEPS + 1;
    ck_assert_int_eq(hc_fleet_summarise(&summary, &row, 1, &err), HC_BAD_INPUT);
}
END_TEST

START_TEST(ten_thousand_jobs_add_up)
{
    struct hc_fleet_row *rows = fake_fleet(10000);
    struct hc_fleet_summary summary;
    size_t in_funnel = 0, in_causes = 0, in_sizes = 0;
    double lost = 0;
    summarise(&summary, rows, 10000);
    for (int fate = 0; fate < HC_N_FLEET_FATES; fate++)
        in_funnel += summary.funnel[fate].part.n;
    for (int cause = 0; cause < HC_N_STRAGGLER_CAUSES; cause++) {
        in_causes += summary.causes[cause].part.n;
        lost += summary.causes[cause].lost_share;
    }
    for (size_t i = 0; i < summary.n_sizes; i++)
        in_sizes += summary.sizes[i].straggling.of;
    ck_assert_uint_eq(in_funnel, 10000);
    ck_assert_uint_eq(in_causes, summary.n_analysed);
    ck_assert_uint_eq(in_sizes, summary.n_analysed);
    ck_assert_uint_eq(summary.n_ranked + summary.n_unranked, summary.n_analysed);
    ck_assert_uint_eq(summary.n_unranked, summary.n_hours_unknown);
    ck_assert_double_eq_tol(lost, 1, 1e-12);
    for (size_t i = 1; i < summary.n_ranked; i++)
        ck_assert(rows[summary.ranked[i - 1]].gpu_hours_lost >=
                  rows[summary.ranked[i]].gpu_hours_lost);
    hc_fleet_summary_fini(&summary);
    fake_fleet_free(rows, 10000);
}
END_TEST

int main(void)
{
    Suite *suite = suite_create("fleet_summary");
    TCase *tests = tcase_create("all");
    tcase_add_test(tests, quantile_is_the_least_value_that_holds_its_share);
    tcase_add_test(tests, quantile_of_weights_and_ties);
    tcase_add_test(tests, quantile_of_one_and_of_none);
    tcase_add_test(tests, interval_has_the_tails_it_claims);
    tcase_add_test(tests, interval_at_the_ends);
    tcase_add_test(tests, headline);
    tcase_add_test(tests, waste_by_jobs_and_by_hours);
    tcase_add_test(tests, late_launches);
    tcase_add_test(tests, funnel);
    tcase_add_test(tests, ranking_lists_unknown_hours_apart);
    tcase_add_test(tests, rows_without_what_they_lost_have_no_hours);
    tcase_add_test(tests, metrics_at_their_limits);
    tcase_add_test(tests, causes_share_jobs_and_losses);
    tcase_add_test(tests, rank_correlation);
    tcase_add_test(tests, size_classes);
    tcase_add_test(tests, waste_by_op_type);
    tcase_add_test(tests, steps_of_straggling_jobs);
    tcase_add_test(tests, nothing_to_analyse);
    tcase_add_test(tests, refuses_what_no_row_can_be);
    tcase_add_test(tests, ten_thousand_jobs_add_up);
    suite_add_tcase(suite, tests);
    SRunner *runner = srunner_create(suite);
    srunner_run_all(runner, CK_NORMAL);
    int n_failed = srunner_ntests_failed(runner);
    srunner_free(runner);
    return n_failed > 0;
}
