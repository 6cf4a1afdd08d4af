/* Standbys that fail while they wait: against the share of an alternating renewal, and a pool with
 * an end against one without. */
#include "sim/lifetime/lifetime.h"
#include "tests/support/lifetime_case.h"

#include <check.h>
#include <math.h>
#include <stdlib.h>

static struct hc_error err;

#define STANDBYS 20
#define LIVES    20
#define DAYS     400

static struct hc_lifetime_fault fault;

/* One node, whose own faults bring in no standby; one of these is there again a day after it
 * failed, which it does every other day. */
static struct hc_lifetime_config config(void)
{
    struct hc_lifetime_config c = hc_lifetime_config_defaults();
    fault = hc_lifetime_fault_defaults();
    fault.name = "node";
    fault.per_day = 0.5;
    fault.remedy = HC_REMEDY_REATTEMPT;
    c.job.nodes = 1;
    c.job.gpus_per_node = 1;
    c.job.horizon_s = DAYS * DAY_S;
    c.fault = &fault;
    c.n_faults = 1;
    c.checkpoint.mode = HC_CHECKPOINT_ASYNC;
    c.checkpoint.every_s = 600;
    c.recovery.warm_standbys = STANDBYS;
    c.recovery.replenish_s = hc_distribution_constant(DAY_S);
    c.recovery.standbys_fail = true;
    return c;
}

static double standing_by(const struct hc_lifetime_replica *r)
{
    return (double)r->account.leaf[HC_WHAT_STANDBY_IDLE][HC_WHY_NONE] /
           ((double)r->wall_ns * STANDBYS);
}

START_TEST(share_that_is_there)
{
    struct hc_lifetime_config c = config();
    struct hc_lifetime_replica out[LIVES];
    double share = 0, failed = 0;
    ck_assert_int_eq(hc_lifetime_run(&c, 0, LIVES, out, &err), HC_OK);
    for (int i = 0; i < LIVES; i++) {
        share += standing_by(&out[i]) / LIVES;
        failed += (double)out[i].count[HC_COUNT_STANDBYS_FAILED] / LIVES;
    }
    /* Up 2 days in the mean, away 1; all are there at first. */
    ck_assert_double_eq_tol(share, 2.0 / 3, 0.005);
    ck_assert_double_eq_tol(failed, STANDBYS * DAYS / 3.0, 0.01 * STANDBYS * DAYS / 3.0);
    c.recovery.standbys_fail = false;
    ck_assert_int_eq(hc_lifetime_run(&c, 0, 1, out, &err), HC_OK);
    ck_assert_double_eq(standing_by(&out[0]), 1);
}
END_TEST

/* No node comes back, and there is always another: which node a standby is then does not matter. */
START_TEST(pool_that_never_runs_dry)
{
    struct hc_lifetime_config endless = config(), pool = config();
    struct hc_lifetime_replica a[3], b[3];
    pool.recovery.pool_nodes = 20000;
    pool.repair.retire = 1;
    ck_assert_int_eq(hc_lifetime_run(&endless, 0, 3, a, &err), HC_OK);
    ck_assert_int_eq(hc_lifetime_run(&pool, 0, 3, b, &err), HC_OK);
    for (int i = 0; i < 3; i++) {
        ck_assert_int_gt(a[i].count[HC_COUNT_STANDBYS_FAILED], 2000);
        ck_assert_int_eq(a[i].count[HC_COUNT_STANDBYS_FAILED],
                         b[i].count[HC_COUNT_STANDBYS_FAILED]);
        ck_assert(a[i].account.leaf[HC_WHAT_STANDBY_IDLE][HC_WHY_NONE] ==
                  b[i].account.leaf[HC_WHAT_STANDBY_IDLE][HC_WHY_NONE]);
        ck_assert_int_eq(a[i].work_done_ns, b[i].work_done_ns);
    }
}
END_TEST

int main(void)
{
    Suite *suite = suite_create("lifetime_standbys");
    TCase *all = tcase_create("all");
    tcase_set_timeout(all, 60);
    tcase_add_test(all, share_that_is_there);
    tcase_add_test(all, pool_that_never_runs_dry);
    suite_add_tcase(suite, all);
    SRunner *runner = srunner_create(suite);
    srunner_run_all(runner, CK_ENV);
    int n_failed = srunner_ntests_failed(runner);
    srunner_free(runner);
    return n_failed != 0;
}
