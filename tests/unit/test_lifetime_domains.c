/* Slow and corrupt faults of several nodes at once, each nanosecond by hand. */
#include "tests/support/hand_life.h"

#include <check.h>
#include <stdlib.h>
#include <string.h>

static struct hc_error err;

/* As in hand_life.h, but what strikes takes nodes 3, 4 and 5, and is noticed after 80 s. A start
 * after the first takes 20 s. */
static struct life *life(int32_t effect)
{
    static struct life l;
    life_init(&l);
    l.phase.what = HC_WHAT_STARTUP_UNSPLIT;
    l.phase.full_s = l.phase.hot_s;
    l.incident[0].nodes = 3;
    l.incident[1] = (struct hc_lifetime_incident){0};
    l.fault[0].name = "switch";
    l.fault[1].name = "node";
    l.fault[0].effect = effect;
    l.fault[0].slow_factor = effect == HC_EFFECT_SLOW ? 2 : 1;
    l.fault[0].why = HC_WHY_USER;
    l.fault[0].detection.delay_s = hc_distribution_constant(80);
    return &l;
}

static void lives(struct life *l, double wall_s, double lost_s, int64_t evicted)
{
    if (hc_lifetime_run(&l->config, 0, 1, &l->out, &err))
        ck_abort_msg("%s", err.message);
    ck_assert(l->out.finished);
    ck_assert_double_eq_tol((double)l->out.wall_ns * 1e-9, wall_s, 1e-8);
    ck_assert(hc_account_what(&l->out.account, HC_WHAT_LOST_WORK) ==
              (hc_gpu_ns)(lost_s * 1e9 + 0.5) * 80);
    ck_assert_int_eq(l->out.count[HC_COUNT_EVICTED], evicted);
    ck_assert_int_eq(l->out.count[HC_COUNT_INNOCENT], 0);
}

START_TEST(slow_until_it_is_found)
{
    struct life *l = life(HC_EFFECT_SLOW);
    /* 80 s at half speed: 330 s of run time, saved up to 300 with 275 of work. */
    lives(l, 380 + 25 + 725, 30, 3);
    ck_assert(l->out.account.leaf[HC_WHAT_LOST_WORK][HC_WHY_USER] == (hc_gpu_ns)30e9 * 80);
    ck_assert(l->out.account.leaf[HC_WHAT_STARTUP_UNSPLIT][HC_WHY_USER] == (hc_gpu_ns)20e9 * 80);
    ck_assert(l->out.account.leaf[HC_WHAT_PRODUCTIVE_STRAGGLER_EXCESS][HC_WHY_NONE] ==
              (hc_gpu_ns)25e9 * 80);
    ck_assert_int_eq(l->out.unproductive_ns[0], 55000000000);
    ck_assert_int_eq(l->out.count[HC_COUNT_STOPS], 1);
    /* A record that goes over the last node takes those that there are. */
    l->incident[0] = (struct hc_lifetime_incident){300, 8, 5};
    lives(l, 380 + 25 + 725, 30, 2);
}
END_TEST

START_TEST(slow_until_its_last_node_is_gone)
{
    struct life *l = life(HC_EFFECT_SLOW);
    /* Node 4 stops at 340: 20 of work since 300 done, 270 saved up to 250. It restarts at 365,
     * still slow, and is found at 380: 15 s more are lost, and the two that are left evicted. */
    l->config.n_faults = 2;
    l->incident[1] = (struct hc_lifetime_incident){340, 4, 1};
    lives(l, 405 + 800, 50 + 40 + 15, 3);
    /* With all three at once it is over: 280 s of run time in the first run, and no second stop. */
    l->incident[1] = (struct hc_lifetime_incident){340, 2, 4};
    lives(l, 365 + 800, 50 + 40, 4);
    ck_assert_int_eq(l->out.count[HC_COUNT_STOPS], 1);
    /* One by one as well: 340 and 370; at 380 nothing is left to be found. */
    l->incident[1] = (struct hc_lifetime_incident){340, 3, 2};
    l->incident[2] = (struct hc_lifetime_incident){370, 5, 1};
    l->fault[1].n_incidents = 2;
    lives(l, 395 + 800, 50 + 40 + 5, 3);
    ck_assert_int_eq(l->out.count[HC_COUNT_STOPS], 2);
}
END_TEST

START_TEST(corrupt_until_it_is_found)
{
    struct life *l = life(HC_EFFECT_CORRUPT);
    l->fault[0].detection.delay_s = hc_distribution_constant(170);
    lives(l, 470 + 25 + 800, 220, 3); /* back to the save of 200 s */
    ck_assert_int_eq(l->out.count[HC_COUNT_LATE_FINDS], 1);
    /* Node 3 is replaced in between, at 410: what it did stays corrupt. 360 s of run time, 300
     * saved; restart at 435, 35 s more. */
    l->config.n_faults = 2;
    l->incident[1] = (struct hc_lifetime_incident){410, 3, 1};
    lives(l, 470 + 25 + 800, 60 + 100 + 35, 3);
    ck_assert_int_eq(l->out.count[HC_COUNT_LATE_FINDS], 1);
    /* All three are: there is nobody left to evict. */
    l->incident[1].nodes = 3;
    lives(l, 470 + 25 + 800, 60 + 100 + 35, 3);
}
END_TEST

/* One domain of all nodes, every 250 s of exposure: 100 s at half speed bring 50, 150 s more 150.
 */
START_TEST(domains_have_clocks)
{
    struct life *l = life(HC_EFFECT_SLOW);
    l->fault[0].incident = NULL;
    l->fault[0].n_incidents = 0;
    l->fault[0].unit = HC_PER_DOMAIN;
    l->fault[0].domain_nodes = 10;
    l->fault[0].between_s = hc_distribution_constant(250);
    l->fault[0].remedy = HC_REMEDY_NONE;
    l->fault[0].detection.delay_s = hc_distribution_constant(0);
    l->fault[0].lasts_s = hc_distribution_constant(100);
    lives(l, 50 + 250 + 3 * 250 + 100 + 100, 0, 0);
    ck_assert_int_eq(l->out.faults[0], 4);
    /* Three domains, of 4, 4 and 2 nodes, each after 800 s, when as much is saved; all are found
     * 80 s later. The first takes its four; the others are put off to the next steps. */
    l->fault[0].domain_nodes = 4;
    l->fault[0].remedy = HC_REMEDY_EVICT;
    l->fault[0].lasts_s = hc_distribution_constant(0);
    l->fault[0].detection.delay_s = hc_distribution_constant(80);
    l->fault[0].between_s = hc_distribution_constant(800);
    lives(l, 930 + 3 * 25 + 200, 80, 10);
    ck_assert_int_eq(l->out.faults[0], 3);
}
END_TEST

int main(void)
{
    Suite *suite = suite_create("lifetime_domains");
    TCase *tests = tcase_create("all");
    suite_add_tcase(suite, tests);
    tcase_add_test(tests, slow_until_it_is_found);
    tcase_add_test(tests, slow_until_its_last_node_is_gone);
    tcase_add_test(tests, corrupt_until_it_is_found);
    tcase_add_test(tests, domains_have_clocks);
    SRunner *runner = srunner_create(suite);
    srunner_run_all(runner, CK_NORMAL);
    int failed = srunner_ntests_failed(runner);
    srunner_free(runner);
    return failed != 0;
}
