/* Findings from night to night: when one opens and closes, that nothing but the input matters, what
 * is left out and refused, and the bound. */
#include "tests/support/finding_case.h"

#include <math.h>

/* Opens, stays while it is in between, closes after two quiet days; a rate that is high for weeks
 * becomes the usual one. */
START_TEST(hysteresis)
{
    int i = add(HC_FINDING_EVENT_RATE, "xid 79", 100);
    for (int day = 0; day < N_DAYS; day++)
        s.amount[i][day] = 20 + day % 3;
    for (int day = TODAY - 5; day <= TODAY - 3; day++)
        s.amount[i][day] = 70;
    struct hc_findings_input all = s.input;
    char id[HC_FINDING_ID_SIZE] = "";
    for (int day = TODAY - 6; day <= TODAY; day++) {
        s.input = all;
        s.input.n_days = day + 1;
        run();
        bool shall_be_open = day >= TODAY - 5 && found.n;
        ck_assert(day != TODAY - 6 || found.n == 0);
        ck_assert(day < TODAY - 5 || day > TODAY - 3 || found.n == 1);
        if (!shall_be_open)
            continue;
        ck_assert_int_eq(found.rows[0].first_seen, FIRST + TODAY - 5);
        ck_assert(found.rows[0].is_new == (day == TODAY - 5));
        ck_assert(!*id || strcmp(id, found.rows[0].id) == 0);
        memcpy(id, found.rows[0].id, sizeof id);
    }
    /* The week still holds three bad days: it closes after the last of these have left it. */
    s.input = all;
    for (int day = TODAY - 30; day <= TODAY - 28; day++)
        s.amount[i][day] = 70;
    for (int day = TODAY - 5; day <= TODAY - 3; day++)
        s.amount[i][day] = 20;
    run();
    ck_assert_uint_eq(found.n, 0);
}
END_TEST

/* A source that is 20 hours old each night, with 1 hour for what may differ: x hours more have a
 * probability of about e^-x. The budget is 0.05 / 7, and 20 times it 0.14: 24 hours more open it, 3
 * keep it, one is quiet; two quiet nights in a row close it. */
START_TEST(opens_and_closes)
{
    static const struct night {
        double more;
        bool is_open, is_ongoing;
    } nights[] = {{1, false, false}, {24, true, false}, {3, true, true},  {1, true, true},
                  {3, true, true},   {1, true, true},   {1, false, false}};
    int n = sizeof nights / sizeof nights[0];
    add(HC_FINDING_STALE_SOURCE, "sacct", 1);
    for (int day = 0; day < N_DAYS; day++)
        s.amount[0][day] = 20;
    for (int i = 0; i < n; i++)
        s.amount[0][N_DAYS - n + i] += nights[i].more;
    struct hc_findings_input all = s.input;
    for (int i = 0; i < n; i++) {
        s.input = all;
        s.input.n_days = N_DAYS - n + i + 1;
        run();
        ck_assert_int_eq((int)found.n, nights[i].is_open);
        if (!nights[i].is_open)
            continue;
        ck_assert(found.rows[0].is_ongoing == nights[i].is_ongoing);
        ck_assert(found.rows[0].is_new == (i == 1));
        ck_assert_int_eq(found.rows[0].first_seen, FIRST + N_DAYS - n + 1);
    }
}
END_TEST

/* ---- the input alone ---- */

static void add_everything(void)
{
    add_nodes();
    for (int k = 0; k < 7; k++)
        put_failure(2, TODAY - 4 * k, 7 + (uint64_t)k, k % 2 ? 0.7 : 1);
    int event = add(HC_FINDING_EVENT_RATE, "xid 79", 100);
    int phase = add(HC_FINDING_STARTUP, "image", 100),
        run_1 = add(HC_FINDING_RUN_ETTR, "llm", 2400);
    int source = add(HC_FINDING_STALE_SOURCE, "sacct", 1);
    int sum = add(HC_FINDING_RECONCILIATION, "GPU-hours", 1000);
    for (int day = 0; day < N_DAYS; day++) {
        bool is_bad = day >= TODAY - 2;
        s.amount[event][day] = is_bad ? 40 : 10 + day % 4;
        set_level(phase, day, hc_stable_log(is_bad ? 40 : 20) + 0.2 * wiggle(day, 1));
        s.amount[run_1][day] = 2400 * ((is_bad ? 0.85 : 0.95) + 0.01 * wiggle(day, 3));
        s.amount[source][day] = is_bad ? 24 * (day - TODAY + 4) : 20;
        s.amount[sum][day] = is_bad ? 900 : 1000;
    }
    add_ends();
    end_at(TODAY, 70000, "a", "ada");
    end_at(TODAY, 70030, "b", "bo");
    end_at(TODAY, 70030, "c", "cy");
    end_at(TODAY, 70100, "d", "dee");
}

static void turn(void *array, size_t n, size_t size)
{
    unsigned char kept[256], *bytes = array;
    for (size_t i = 0; i < n / 2; i++) {
        memcpy(kept, bytes + i * size, size);
        memcpy(bytes + i * size, bytes + (n - 1 - i) * size, size);
        memcpy(bytes + (n - 1 - i) * size, kept, size);
    }
}

START_TEST(order_does_not_matter)
{
    add_everything();
    run();
    ck_assert_uint_eq(found.n, 7);
    struct hc_findings first = found;
    found = (struct hc_findings){.n = 0};
    turn(s.series, s.input.n_series, sizeof s.series[0]);
    turn(s.ends, s.input.n_ends, sizeof s.ends[0]);
    for (int i = 0; i < MOST; i++)
        turn(s.failures[i], 7, sizeof s.failures[i][0]);
    for (size_t i = 0; i < s.input.n_series; i++)
        if (s.series[i].n_failures)
            s.series[i].n_failures = 7; /* the others are bad ones, of weight 0 */
    run();
    ck_assert_uint_eq(found.n, first.n);
    for (size_t i = 0; i < found.n; i++) {
        ck_assert_str_eq(found.rows[i].text, first.rows[i].text);
        ck_assert_str_eq(found.rows[i].id, first.rows[i].id);
        ck_assert(memcmp(&found.rows[i].value, &first.rows[i].value, sizeof(double)) == 0);
        ck_assert(memcmp(&found.rows[i].by_chance, &first.rows[i].by_chance, sizeof(double)) == 0);
        ck_assert_int_eq(found.rows[i].first_seen, first.rows[i].first_seen);
    }
    hc_findings_fini(&first);
}
END_TEST

/* What a backtest says of a day is what that day's report says of it; and the days before the ones
 * that are wanted change nothing. */
START_TEST(backtest_is_the_nights)
{
    add_everything();
    struct hc_findings_backtest backtest;
    ck_assert_int_eq(hc_findings_backtest(&backtest, &s.input, &s.options, 6, &err), HC_OK);
    ck_assert_int_eq(backtest.from_day, N_DAYS - 6);
    struct hc_findings_input all = s.input;
    size_t n_new = 0;
    for (int day = backtest.from_day; day < N_DAYS; day++) {
        s.input = all;
        s.input.n_days = day + 1;
        run();
        for (size_t i = 0; i < found.n; i++) {
            bool is_in = false;
            for (size_t j = 0; j < backtest.n; j++)
                is_in |= backtest.rows[j].day == day && backtest.rows[j].kind == found.rows[i].kind;
            ck_assert(is_in == found.rows[i].is_new);
            n_new += found.rows[i].is_new;
        }
    }
    ck_assert_uint_eq(n_new, backtest.n);
    ck_assert_uint_eq(n_new, 7);
    hc_findings_backtest_fini(&backtest);
    ck_assert_int_eq(hc_findings_backtest(&backtest, &s.input, &s.options, N_DAYS + 1, &err),
                     HC_BAD_INPUT);
}
END_TEST

START_TEST(bad_numbers)
{
    add_everything();
    run();
    size_t n = found.n;
    ck_assert_uint_eq(found.n_bad_values, 0);
    ck_assert_ptr_null(found.bad_subject);
    s.amount[40][20] = NAN; /* events */
    s.amount[40][21] = -3;
    s.exposure[40][22] = INFINITY;
    s.error[41][23] = -1; /* start-up */
    s.amount[40][24] = 1e300;
    put_failure(5, N_DAYS, 1, 1);
    put_failure(5, INT32_MIN, 1, 1);
    put_failure(5, 3, 1, 1.5);
    put_failure(5, 3, 1, NAN);
    run();
    ck_assert_uint_eq(found.n, n);
    ck_assert_uint_eq(found.n_bad_values, 9);
    ck_assert_str_eq(found.bad_subject, "n05");
}
END_TEST

START_TEST(refusals)
{
    add(HC_FINDING_QUEUE, "gpu", 1);
    add(HC_FINDING_STARTUP, "gpu", 1);
    run(); /* one name of two kinds */
    add(HC_FINDING_QUEUE, "gpu", 1);
    hc_findings_fini(&found);
    ck_assert_int_eq(hc_findings_run(&found, &s.input, &s.options, &err), HC_BAD_INPUT);
    ck_assert_str_eq(err.message, "two series of findings are of queue 'gpu'");
    s.input.n_series = 2;
    s.options.share[HC_FINDING_QUEUE] += 0.1;
    ck_assert_int_eq(hc_findings_run(&found, &s.input, &s.options, &err), HC_BAD_INPUT);
    s.options = hc_findings_defaults();
    s.options.baseline_days = HC_FINDING_MOST_BASELINE + 1;
    ck_assert_int_eq(hc_findings_run(&found, &s.input, &s.options, &err), HC_BAD_INPUT);
    s.options = hc_findings_defaults();
    s.input.n_series = 0;
    for (s.input.n_days = 1; s.input.n_days < N_DAYS; s.input.n_days += 8) {
        run(); /* nothing, of few days */
        ck_assert_uint_eq(found.n, 0);
    }
}
END_TEST

/* ---- the bound ---- */

START_TEST(bound)
{
    size_t n[HC_N_FINDING_KINDS] = {[HC_FINDING_LEMON_NODE] = 1000};
    struct hc_findings_bound all = hc_findings_expected(&s.options, n, 0, 0.9);
    ck_assert_double_eq_tol(all.false_per_week, 0.2 + 0.1, 1e-12); /* nodes and cofailures */
    ck_assert(all.true_per_week == 0 && all.false_share == 1);
    all = hc_findings_expected(&s.options, n, 0.001, 0.9);
    ck_assert_double_eq_tol(all.true_per_week, 0.9, 1e-12);
    ck_assert_double_eq_tol(all.false_share, 0.2997 / 1.1997, 1e-12);
    double sum = 0;
    for (int kind = 0; kind < HC_N_FINDING_KINDS; kind++)
        sum += 7 * hc_finding_budget(&s.options, (enum hc_finding_kind)kind);
    ck_assert_double_eq_tol(sum, 1, 1e-12);
}
END_TEST

int main(void)
{
    Suite *suite = suite_create("findings_nights");
    TCase *tests = tcase_create("findings_nights");
    tcase_add_checked_fixture(tests, setup, teardown);
    tcase_add_test(tests, hysteresis);
    tcase_add_test(tests, opens_and_closes);
    tcase_add_test(tests, order_does_not_matter);
    tcase_add_test(tests, backtest_is_the_nights);
    tcase_add_test(tests, bad_numbers);
    tcase_add_test(tests, refusals);
    tcase_add_test(tests, bound);
    suite_add_tcase(suite, tests);
    SRunner *runner = srunner_create(suite);
    srunner_run_all(runner, CK_NORMAL);
    int failed = srunner_ntests_failed(runner);
    srunner_free(runner);
    return failed ? 1 : 0;
}
