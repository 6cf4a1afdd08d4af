/* Findings by hand: what each kind sees and does not see, when one opens and closes, and that
 * nothing but the input matters. How often they err is in test_findings_calibration. */
#include "core/random/stable_math.h"
#include "models/findings/day_summary.h"
#include "models/findings/findings.h"
#include "models/stats/special.h"
#include "models/stats/student.h"

#include <check.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define N_DAYS  98 /* the days of look-back, of the baseline, and those between, and a week */
#define TODAY   (N_DAYS - 1)
#define MOST    64
#define HOUR_NS INT64_C(3600000000000)
#define FIRST   20000 /* 2024-10-04 */

static struct hc_error err;

/* ---- a small input ---- */

static struct {
    struct hc_findings_input input;
    struct hc_findings_options options;
    struct hc_finding_series series[MOST];
    double amount[MOST][N_DAYS], exposure[MOST][N_DAYS], error[MOST][N_DAYS];
    double gpu_hours[MOST][N_DAYS];
    struct hc_finding_failure failures[MOST][40];
    struct hc_failure_end ends[400];
    int64_t start[N_DAYS + 1];
} s;
static struct hc_findings found;

static void setup(void)
{
    memset(&s, 0, sizeof s);
    s.options = hc_findings_defaults();
    for (int day = 0; day <= N_DAYS; day++)
        s.start[day] = 24 * HOUR_NS * day;
    s.input = (struct hc_findings_input){.n_days = N_DAYS,
                                         .first_day = FIRST,
                                         .series = s.series,
                                         .ends = s.ends,
                                         .day_start_ns = s.start};
}

static void teardown(void)
{
    hc_findings_fini(&found);
}

static int add(enum hc_finding_kind kind, const char *subject, double exposure)
{
    int i = (int)s.input.n_series++;
    ck_assert_int_lt(i, MOST);
    s.series[i] = (struct hc_finding_series){.kind = kind,
                                             .subject = subject,
                                             .amount = s.amount[i],
                                             .exposure = s.exposure[i],
                                             .error = s.error[i],
                                             .gpu_hours = s.gpu_hours[i],
                                             .failures = s.failures[i]};
    if (kind == HC_FINDING_LEMON_NODE)
        s.series[i].amount = NULL;
    for (int day = 0; day < N_DAYS; day++)
        s.exposure[i][day] = exposure;
    return i;
}

static void put_failure(int i, int day, uint64_t run, double weight)
{
    s.failures[i][s.series[i].n_failures++] =
        (struct hc_finding_failure){.day = day, .run = run, .source = 1, .weight = weight};
}

static void run(void)
{
    hc_findings_fini(&found);
    ck_assert_msg(hc_findings_run(&found, &s.input, &s.options, &err) == HC_OK, "%s", err.message);
}

static const struct hc_finding *finding_of(const char *subject)
{
    for (size_t i = 0; i < found.n; i++)
        if (strcmp(found.rows[i].subject, subject) == 0)
            return &found.rows[i];
    return NULL;
}

/* Days that differ a little and have no pattern: within 1 of 0, the same for all tests. */
static double wiggle(int day, int which)
{
    return (double)((day * 7919 + which * 104729) % 1009) / 504 - 1;
}

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

static const char *const node_names[40] = {"n00", "n01", "n02", "n03", "n04", "n05", "n06", "n07",
                                           "n08", "n09", "n10", "n11", "n12", "n13", "n14", "n15",
                                           "n16", "n17", "n18", "n19", "n20", "n21", "n22", "n23",
                                           "n24", "n25", "n26", "n27", "n28", "n29", "n30", "n31",
                                           "n32", "n33", "n34", "n35", "n36", "n37", "n38", "n39"};

/* 40 nodes; every fourth one failed once in the window, a different day each. */
static void add_nodes(void)
{
    for (int i = 0; i < 40; i++) {
        add(HC_FINDING_LEMON_NODE, node_names[i], 1);
        if (i % 4 == 1)
            put_failure(i, TODAY - 2 * (i / 4), 100 + (uint64_t)i, 1);
    }
}

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

/* ---- levels ---- */

static void set_level(int i, int day, double value)
{
    s.amount[i][day] = value;
    s.error[i][day] = 0.02;
}

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

/* ---- failures together ---- */

static struct hc_failure_end *end_at(int day, double second, const char *job, const char *user)
{
    struct hc_failure_end *end = &s.ends[s.input.n_ends++];
    *end = (struct hc_failure_end){.time_ns = s.start[day] + (int64_t)(second * 1e9),
                                   .job = job,
                                   .user = user,
                                   .place = {[HC_PLACE_PARTITION] = "gpu"},
                                   .gpu_hours = 10};
    return end;
}

/* A failure a day, of four users. */
static void add_ends(void)
{
    static char names[N_DAYS][8];
    static const char *const users[] = {"ada", "bo", "cy", "dee"};
    for (int day = 0; day < N_DAYS; day++) {
        snprintf(names[day], sizeof names[day], "d%d", day);
        end_at(day, 500.0 * (day % 100), names[day], users[day % 4])->place[HC_PLACE_RACK] = "r1";
    }
}

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

/* An array of one user is none; nor are jobs that end three minutes apart. */
START_TEST(no_cofailure)
{
    add_ends();
    static char names[50][8];
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
    tcase_add_test(tests, hysteresis);
    tcase_add_test(tests, startup);
    tcase_add_test(tests, queue_weekdays);
    tcase_add_test(tests, run_ettr);
    tcase_add_test(tests, cofailure);
    tcase_add_test(tests, no_cofailure);
    tcase_add_test(tests, reconciliation);
    tcase_add_test(tests, stale_source);
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
