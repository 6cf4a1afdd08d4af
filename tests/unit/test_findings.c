/* Findings by hand: what each kind sees and does not see. How often they err is in
 * test_findings_calibration. */
#include "models/findings/day_summary.h"
#include "models/stats/special.h"
#include "models/stats/student.h"
#include "tests/support/finding_case.h"

#include <math.h>

/* ---- tails and summaries ---- */

START_TEST(tails)
{
    ck_assert_double_eq_tol(hc_sf_poisson_upper(3, 2), 1 - 5 * exp(-2), 1e-14);
    ck_assert(hc_sf_poisson_upper(0, 2) == 1 && hc_sf_poisson_upper(1, 0) == 0);
    /* A rate of shape 1 makes a count geometric: 2 / 3 each further one. */
    ck_assert_double_eq_tol(hc_sf_negative_binomial_upper(3, 2, 6), 8.0 / 27, 1e-14);
    ck_assert_double_eq_tol(hc_sf_negative_binomial_upper(3, 2, 2), 1 - 5 * exp(-2), 1e-14);
    ck_assert_double_eq_tol(hc_sf_negative_binomial_upper(3, 2, 2.001), 1 - 5 * exp(-2), 1e-3);
    ck_assert_double_eq_tol(hc_student_upper(1, 1), 0.25, 1e-12);
    ck_assert_double_eq_tol(hc_student_upper(4, hc_student_t(4, 0.99)), 0.005, 1e-12);
}
END_TEST

/* Of ten times the lowest and the highest are left out; winsorised they are their neighbours. */
START_TEST(summary_of_a_day)
{
    double seconds[] = {900, 2, 16, NAN, 4, 8, 32, -1, 64, 128, 256, 512}, back[10];
    struct hc_day_summary day = hc_day_summarise(seconds, 12);
    ck_assert_uint_eq(day.n, 10);
    ck_assert_uint_eq(day.n_bad, 2);
    ck_assert_double_eq_tol(day.location, log(2) * (2 + 3 + 4 + 5 + 6 + 7 + 8 + 9) / 8, 1e-14);
    ck_assert_double_eq(day.median_s, 48);
    /* Squares about 5.5: 2 (3.5^2 + 3.5^2 + 2.5^2 + 1.5^2 + 0.5^2) = 66.5 of nine free ones. */
    ck_assert_double_eq_tol(day.error, log(2) * sqrt(66.5 / 9 / 10) / 0.8, 1e-14);
    for (int i = 0; i < 10; i++)
        back[i] = i ? pow(2, 10 - i) : 900;
    ck_assert(hc_day_summarise(back, 10).location == day.location);
    double none[] = {NAN}, short_ones[] = {0, 0.5, 1};
    ck_assert(isnan(hc_day_summarise(none, 1).location));
    ck_assert(hc_day_summarise(short_ones, 3).location == 0 &&
              isnan(hc_day_summarise(short_ones, 3).error));
}
END_TEST

/* ---- nodes ---- */

START_TEST(lemon_node)
{
    add_nodes();
    for (int k = 0; k < 7; k++) {
        put_failure(2, TODAY - 4 * k, 7 + (uint64_t)k, 1);
        s.gpu_hours[2][TODAY - 4 * k] = 200;
    }
    run();
    ck_assert_uint_eq(found.n, 1);
    const struct hc_finding *lemon = finding_of("n02");
    ck_assert_ptr_nonnull(lemon);
    ck_assert_int_eq(lemon->kind, HC_FINDING_LEMON_NODE);
    ck_assert_int_eq(lemon->n_runs, 7);
    ck_assert_int_eq(lemon->window_days, 28);
    ck_assert_double_eq(lemon->value, 7);
    /* The rate of the others, 10 failures of 39 nodes; those ten may be lemons, too, a little. */
    ck_assert_double_eq_tol(lemon->expected, 10.0 / 39, 0.015);
    ck_assert_double_gt(lemon->probability, 0.95);
    /* The others differ no more than by chance, so its p value is that of Poisson. */
    ck_assert_double_eq_tol(lemon->p_value, hc_sf_poisson_upper(7, lemon->expected), 1e-9);
    ck_assert_int_eq(lemon->severity, HC_FINDING_CRITICAL);
    ck_assert_double_eq(lemon->gpu_hours, 1400);
    ck_assert_ptr_nonnull(strstr(lemon->text, "node n02 had 7 failures in the last 28 days"));
}
END_TEST

/* All of one run: withheld, unless another source says so, too. */
START_TEST(lemon_needs_evidence)
{
    add_nodes();
    for (int k = 0; k < 7; k++)
        put_failure(2, TODAY - 4 * k, 7, 1);
    run();
    ck_assert_uint_eq(found.n, 0);
    ck_assert_uint_eq(found.counts[HC_FINDING_LEMON_NODE].n_withheld, 1);
    s.failures[2][3].source = 2;
    run();
    ck_assert_uint_eq(found.n, 1);
    ck_assert_uint_eq(found.counts[HC_FINDING_LEMON_NODE].n_withheld, 0);
}
END_TEST

/* Seven failures that eight nodes share are less than one. */
START_TEST(lemon_shares_failures)
{
    add_nodes();
    for (int k = 0; k < 7; k++)
        put_failure(2, TODAY - 4 * k, 7 + (uint64_t)k, 0.125);
    run();
    ck_assert_uint_eq(found.n, 0);
}
END_TEST

/* Seven failures within two days, in a fleet in which each failure comes as seven. */
START_TEST(lemon_bursts)
{
    for (int i = 0; i < 40; i++) {
        add(HC_FINDING_LEMON_NODE, node_names[i], 1);
        for (int k = 0; k < 7 && i % 2 == 1; k++)
            put_failure(i, TODAY - i - k / 4, (uint64_t)(10 * i + k + 1), 1);
    }
    for (int k = 0; k < 7; k++)
        put_failure(2, TODAY - k / 4, 1000 + (uint64_t)k, 1);
    run();
    ck_assert_uint_eq(found.n, 0);
}
END_TEST

/* ---- events ---- */

START_TEST(event_rate)
{
    int i = add(HC_FINDING_EVENT_RATE, "xid 79", 100),
        j = add(HC_FINDING_EVENT_RATE, "xid 31", 100);
    for (int day = 0; day < N_DAYS; day++)
        s.amount[i][day] = s.amount[j][day] = 10 + day % 3;
    s.amount[i][TODAY] = 33;
    run();
    ck_assert_uint_eq(found.n, 1);
    ck_assert_str_eq(found.rows[0].subject, "xid 79");
    ck_assert_double_eq(found.rows[0].value, 33);
    ck_assert_int_eq(found.rows[0].window_days, 1);
    ck_assert_double_eq_tol(found.rows[0].expected, 11, 0.5);
    ck_assert(found.rows[0].is_new && !found.rows[0].is_ongoing);
    ck_assert_int_eq(found.rows[0].first_seen, FIRST + TODAY);
    ck_assert_double_le(found.rows[0].by_chance,
                        hc_finding_budget(&s.options, HC_FINDING_EVENT_RATE));
    /* Three times the node-days explain it. */
    s.exposure[i][TODAY] = 300;
    run();
    ck_assert_uint_eq(found.n, 0);
    /* And so does a past in which every ninth day was like that. */
    s.exposure[i][TODAY] = 100;
    for (int day = 4; day < TODAY; day += 9)
        s.amount[i][day] = 33;
    run();
    ck_assert_uint_eq(found.n, 0);
}
END_TEST

/* What never came: one is no finding, six are. */
START_TEST(new_event)
{
    int i = add(HC_FINDING_EVENT_RATE, "xid 119", 100);
    s.amount[i][TODAY] = 1;
    run();
    ck_assert_uint_eq(found.n, 0);
    s.amount[i][TODAY] = 6;
    run();
    ck_assert_uint_eq(found.n, 1);
}
END_TEST

/* ---- levels ---- */

/* Pulls of 20 s that take twice as long from yesterday on; a single day of it is no finding. */
START_TEST(startup)
{
    static const char *const phases[] = {"image", "env", "init", "load", "compile", "warm-up"};
    for (int i = 0; i < 6; i++) {
        add(HC_FINDING_STARTUP, phases[i], 100);
        for (int day = 0; day < N_DAYS; day++)
            set_level(i, day, hc_stable_log(20) + 0.2 * wiggle(day, i + 1));
    }
    int i = 0;
    run();
    ck_assert_uint_eq(found.n, 0);
    set_level(i, TODAY, hc_stable_log(40));
    run();
    ck_assert_uint_eq(found.n, 0);
    set_level(i, TODAY - 1, hc_stable_log(40));
    run();
    ck_assert_uint_eq(found.n, 1);
    ck_assert_double_eq_tol(found.rows[0].value, 40, 1e-9);
    ck_assert_double_eq_tol(found.rows[0].expected, 20, 3);
    ck_assert_int_eq(found.rows[0].window_days, 2);
    /* Few starts on each of these days: not sure. */
    s.error[i][TODAY] = s.error[i][TODAY - 1] = 0.6;
    run();
    ck_assert_uint_eq(found.n, 0);
    /* Too few starts today: not judged. */
    s.exposure[i][TODAY] = 4;
    run();
    ck_assert_uint_eq(found.counts[HC_FINDING_STARTUP].n_short, 1);
    ck_assert_uint_eq(found.counts[HC_FINDING_STARTUP].n_tested, 5);
}
END_TEST

/* Waits on Mondays and Tuesdays are three times as long; the same on a Thursday and a Friday is a
 * finding. The days of the report are moved, the series stay. */
START_TEST(queue_weekdays)
{
    int i = add(HC_FINDING_QUEUE, "gpu", 500);
    for (int day = 0; day < N_DAYS; day++) {
        bool is_long = day % 7 == 0 || day % 7 == 1;
        set_level(i, day, hc_stable_log(is_long ? 1800 : 600) + 0.2 * wiggle(day, 2));
    }
    ck_assert_int_eq(TODAY % 7, 6);
    struct hc_findings_backtest backtest;
    ck_assert_int_eq(hc_findings_backtest(&backtest, &s.input, &s.options, 14, &err), HC_OK);
    ck_assert_uint_eq(backtest.n, 0);
    ck_assert_uint_eq(backtest.n_tested[HC_FINDING_QUEUE], 14);
    hc_findings_backtest_fini(&backtest);
    set_level(i, TODAY - 1, hc_stable_log(1800));
    set_level(i, TODAY, hc_stable_log(1800));
    run();
    ck_assert_uint_eq(found.n, 1);
}
END_TEST

/* One bad day is an incident of the run; two in a row are a finding. */
START_TEST(run_ettr)
{
    int i = add(HC_FINDING_RUN_ETTR, "llm-7", 2400);
    for (int day = 0; day < N_DAYS; day++)
        s.amount[i][day] = 2400 * (0.95 + 0.01 * wiggle(day, 3));
    s.amount[i][TODAY] = 2400 * 0.6;
    run();
    ck_assert_uint_eq(found.n, 0);
    s.amount[i][TODAY] = s.amount[i][TODAY - 1] = 2400 * 0.9;
    run();
    ck_assert_uint_eq(found.n, 1);
    ck_assert_double_eq_tol(found.rows[0].value, 0.9, 1e-9);
    ck_assert_double_eq_tol(found.rows[0].expected, 0.95, 0.005);
    /* A run of five days has no past yet. */
    for (int day = 0; day < TODAY - 4; day++)
        s.exposure[i][day] = 0;
    run();
    ck_assert_uint_eq(found.n, 0);
    ck_assert_uint_eq(found.counts[HC_FINDING_RUN_ETTR].n_short, 1);
}
END_TEST

/* On every third day a failure takes up to a fifth, so that two days five points lower are nothing
 * of note; of the time that failures leave they are. */
START_TEST(run_without_its_stops)
{
    static double kept[N_DAYS], going[N_DAYS];
    int i = add(HC_FINDING_RUN_ETTR, "llm-7", 2400);
    for (int day = 0; day < N_DAYS; day++) {
        double share = 0.95 + 0.005 * wiggle(day, 3) - (day >= TODAY - 1 ? 0.05 : 0);
        double stopped = day % 3 == 0 && day < TODAY - 1 ? 0.1 + 0.1 * wiggle(day, 5) : 0.0;
        going[day] = 2400 * (1 - stopped);
        kept[day] = s.amount[i][day] = going[day] * share;
    }
    run();
    ck_assert_uint_eq(found.n, 0);
    s.series[i].steady_amount = kept;
    s.series[i].steady_exposure = going;
    run();
    ck_assert_uint_eq(found.n, 1);
    ck_assert(found.rows[0].is_steady);
    ck_assert_double_eq_tol(found.rows[0].value, 0.9, 0.006);
    ck_assert_double_eq_tol(found.rows[0].expected, 0.95, 0.005);
    ck_assert_ptr_nonnull(strstr(found.rows[0].text, "of the time that its stops left it, llm-7"));
    ck_assert_uint_eq(found.counts[HC_FINDING_RUN_ETTR].n_tested, 1);
    double alone = found.rows[0].p_value;
    /* By itself it would be half as likely by chance: the two share what may be false. */
    memcpy(s.amount[i], kept, sizeof kept);
    memcpy(s.exposure[i], going, sizeof going);
    s.series[i].steady_amount = s.series[i].steady_exposure = NULL;
    run();
    ck_assert_uint_eq(found.n, 1);
    ck_assert(!found.rows[0].is_steady);
    ck_assert_double_eq_tol(alone / found.rows[0].p_value, 2, 1e-6);
}
END_TEST

/* The time of failures cannot be below 0: left out and counted, as of the other series. */
START_TEST(bad_time_without_stops)
{
    static double kept[N_DAYS], going[N_DAYS];
    int i = add(HC_FINDING_RUN_ETTR, "llm-7", 2400);
    for (int day = 0; day < N_DAYS; day++) {
        going[day] = 2400;
        kept[day] = s.amount[i][day] = 2400 * (0.95 + 0.005 * wiggle(day, 3));
    }
    s.series[i].steady_amount = kept;
    s.series[i].steady_exposure = going;
    kept[50] = 2500;
    going[51] = -1;
    run();
    ck_assert_uint_eq(found.n, 0);
    ck_assert_uint_eq(found.n_bad_values, 2);
    ck_assert_str_eq(found.bad_subject, "llm-7");
}
END_TEST

/* ---- failures together ---- */

START_TEST(cofailure)
{
    add_ends();
    static const char *const nodes[] = {"n3", "n4"}, *const others[] = {"n5", "n4"};
    struct hc_failure_end *ends[] = {
        end_at(TODAY, 70000, "a", "ada"), end_at(TODAY, 70030, "b", "bo"),
        end_at(TODAY, 70060, "c", "cy"), end_at(TODAY, 70100, "d", "dee")};
    run();
    ck_assert_uint_eq(found.n, 1);
    ck_assert_str_eq(found.rows[0].subject, "partition gpu");
    ck_assert_double_eq(found.rows[0].value, 4);
    ck_assert_double_eq(found.rows[0].gpu_hours, 40);
    for (int i = 0; i < 4; i++)
        ends[i]->place[HC_PLACE_RACK] = "r2";
    run();
    ck_assert_uint_eq(found.n, 1);
    ck_assert_str_eq(found.rows[0].subject, "rack r2");
    ck_assert_ptr_nonnull(strstr(found.rows[0].text, "4 jobs of 4 users"));
    for (int i = 0; i < 4; i++) {
        ends[i]->nodes = i % 2 ? others : nodes;
        ends[i]->n_nodes = 2;
    }
    run();
    ck_assert_uint_eq(found.n, 1);
    ck_assert_str_eq(found.rows[0].subject, "node n4");
    /* An unrelated failure elsewhere leaves the rack. */
    end_at(TODAY, 70050, "e", "eli")->place[HC_PLACE_RACK] = "r9";
    run();
    ck_assert_uint_eq(found.n, 1);
    ck_assert_str_eq(found.rows[0].subject, "node n4");
    ck_assert_double_eq(found.rows[0].value, 4);
}
END_TEST

/* Faults that other sources tell explain it: still one finding, of which nothing is to be found
 * out, if they ended at least half of the jobs. */
START_TEST(explained_cofailure)
{
    add_ends();
    struct hc_failure_end *ends[] = {
        end_at(TODAY, 70000, "a", "ada"), end_at(TODAY, 70030, "b", "bo"),
        end_at(TODAY, 70060, "c", "cy"), end_at(TODAY, 70100, "d", "dee")};
    for (int i = 0; i < 4; i++)
        ends[i]->gpu_hours = 500;
    ends[2]->cause = "infiniband";
    run();
    ck_assert_uint_eq(found.n, 1);
    ck_assert(!found.rows[0].is_explained);
    ck_assert_int_eq(found.rows[0].severity, HC_FINDING_CRITICAL);
    ck_assert_ptr_nonnull(strstr(found.rows[0].text, "of 1 of the 4 ends"));
    ends[0]->cause = "xid";
    ends[3]->cause = "infiniband";
    run();
    ck_assert_uint_eq(found.n, 1);
    ck_assert(found.rows[0].is_explained);
    ck_assert_int_eq(found.rows[0].severity, HC_FINDING_INFO);
    ck_assert_ptr_nonnull(strstr(found.rows[0].text,
                                 "of 3 of the 4 ends another source tells the fault (infiniband)"));
}
END_TEST

/* An array of one user is none; nor are jobs that end three minutes apart. */
START_TEST(no_cofailure)
{
    add_ends();
    static char names[50][16];
    for (int i = 0; i < 50; i++) {
        snprintf(names[i], sizeof names[i], "a%d", i);
        end_at(TODAY, 60000 + i, names[i], "ada");
    }
    end_at(TODAY, 70000, "b", "bo");
    end_at(TODAY, 70180, "c", "cy");
    end_at(TODAY, 70360, "d", "dee");
    end_at(TODAY, 70540, "e", "eli")->job = NULL; /* no end at all */
    run();
    ck_assert_uint_eq(found.n, 0);
    ck_assert_uint_eq(found.n_bad_values, 1);
}
END_TEST

/* ---- sums and sources ---- */

START_TEST(reconciliation)
{
    int i = add(HC_FINDING_RECONCILIATION, "GPU-hours", 1000);
    for (int day = 0; day < N_DAYS; day++)
        s.amount[i][day] = 1000.9;
    run();
    ck_assert_uint_eq(found.n, 0);
    s.amount[i][TODAY] = 998.9;
    run();
    ck_assert_uint_eq(found.n, 1);
    ck_assert_ptr_nonnull(strstr(found.rows[0].text, "0.11 %"));
}
END_TEST

/* Dumped each night at 4: 20 hours old. One that comes at random may be as old as it often is. */
START_TEST(stale_source)
{
    int i = add(HC_FINDING_STALE_SOURCE, "sacct", 1), j = add(HC_FINDING_STALE_SOURCE, "xid", 1);
    for (int day = 0; day < N_DAYS; day++) {
        s.amount[i][day] = 20;
        s.amount[j][day] = 12 + 12 * wiggle(day, 4);
    }
    s.amount[i][TODAY] = 44;
    s.amount[j][TODAY] = 40;
    run();
    ck_assert_uint_eq(found.n, 1);
    ck_assert_str_eq(found.rows[0].subject, "sacct");
}
END_TEST

/* However long it is silent, it is found; of how it was before, the less is left the longer. One
 * that is new to the archive is not stale for having little past. */
START_TEST(silent_for_long)
{
    int i = add(HC_FINDING_STALE_SOURCE, "sacct", 1);
    for (int since = TODAY - 1; since >= 0; since--) {
        for (int day = 0; day < N_DAYS; day++)
            s.amount[i][day] = day < since ? 20 : 20 + 24 * (day - since + 1);
        run();
        ck_assert_msg(found.n == 1, "silent from day %d on: %zu found", since, found.n);
        ck_assert_int_eq(found.rows[0].is_first_seen_earlier, since <= TODAY - 28);
    }
    ck_assert_ptr_nonnull(strstr(found.rows[0].text, "the days that are looked at have none"));
    for (int day = 0; day < N_DAYS; day++) {
        s.exposure[i][day] = day >= TODAY - 20;
        s.amount[i][day] = day < TODAY - 17 ? 20 : 20 + 24 * (day - TODAY + 18);
    }
    run();
    ck_assert_uint_eq(found.n, 0);
}
END_TEST

int main(void)
{
    Suite *suite = suite_create("findings");
    TCase *tests = tcase_create("findings");
    tcase_add_checked_fixture(tests, setup, teardown);
    tcase_add_test(tests, tails);
    tcase_add_test(tests, summary_of_a_day);
    tcase_add_test(tests, lemon_node);
    tcase_add_test(tests, lemon_needs_evidence);
    tcase_add_test(tests, lemon_shares_failures);
    tcase_add_test(tests, lemon_bursts);
    tcase_add_test(tests, event_rate);
    tcase_add_test(tests, new_event);
    tcase_add_test(tests, startup);
    tcase_add_test(tests, queue_weekdays);
    tcase_add_test(tests, run_ettr);
    tcase_add_test(tests, run_without_its_stops);
    tcase_add_test(tests, bad_time_without_stops);
    tcase_add_test(tests, cofailure);
    tcase_add_test(tests, explained_cofailure);
    tcase_add_test(tests, no_cofailure);
    tcase_add_test(tests, reconciliation);
    tcase_add_test(tests, stale_source);
    tcase_add_test(tests, silent_for_long);
    suite_add_tcase(suite, tests);
    SRunner *runner = srunner_create(suite);
    srunner_run_all(runner, CK_NORMAL);
    int failed = srunner_ntests_failed(runner);
    srunner_free(runner);
    return failed ? 1 : 0;
}
