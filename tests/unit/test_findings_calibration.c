/* How often findings err, and how often they find what was planted, over drawn fleets. Most of the
 * laws of these fleets are not what the tests assume. The figures of the same with more fleets are
 * in docs/methods/findings.md. */
#include "tests/support/finding_fleets.h"

#include <check.h>
#include <stdio.h>

#define N_FLEETS 1 /* a law */
#define N_WEEKS  12

/* At most one false finding a week, whatever the law; fewer over all of them than may be spent. */
START_TEST(false_findings)
{
    struct hc_findings_options options = hc_findings_defaults();
    int n_days = hc_findings_days_wanted(&options) + 7 * N_WEEKS;
    size_t all = 0;
    for (int i = 0; i < N_FLEET_LAWS; i++) {
        size_t n[HC_N_FINDING_KINDS] = {0}, of_law = 0;
        for (uint64_t seed = 1; seed <= N_FLEETS; seed++) {
            struct fleet_plan plan = fleet_plan_usual(&fleet_laws[i], seed, n_days);
            finding_fleet_count(&plan, 7 * N_WEEKS, n);
        }
        for (int kind = 0; kind < HC_N_FINDING_KINDS; kind++)
            of_law += n[kind];
        printf("%s: %zu in %d weeks\n", fleet_laws[i].name, of_law, N_FLEETS * N_WEEKS);
        ck_assert_uint_le(of_law, N_FLEETS * N_WEEKS);
        all += of_law;
    }
    /* And not of none, which would say that nothing is looked at. */
    ck_assert_uint_ge(all, 1);
    ck_assert_uint_le(all, N_FLEETS * N_WEEKS * N_FLEET_LAWS / 2);
}
END_TEST

static const struct planted {
    enum hc_finding_kind kind;
    int law;
    double exposure;
    int days;
    int n_fleets; /* of those of nodes, which take long, fewer */
} planted[] = {
    {HC_FINDING_LEMON_NODE, 0, 40, 2, 20}, {HC_FINDING_LEMON_NODE, 0, 2.5, 28, 20},
    {HC_FINDING_EVENT_RATE, 0, 8, 2, 50},  {HC_FINDING_EVENT_RATE, 1, 96, 2, 50},
    {HC_FINDING_STARTUP, 0, 60, 2, 50},    {HC_FINDING_STARTUP, 2, 150, 2, 50},
    {HC_FINDING_QUEUE, 0, 200, 2, 50},     {HC_FINDING_QUEUE, 1, 400, 2, 50},
    {HC_FINDING_RUN_ETTR, 0, 50, 2, 50},   {HC_FINDING_COFAILURE, 2, 200, 1, 50},
};

/* In at least nine of ten fleets. */
START_TEST(planted_changes)
{
    const struct planted *p = &planted[_i];
    int n = 0;
    for (uint64_t seed = 1; seed <= (uint64_t)p->n_fleets; seed++) {
        struct fleet_plan plan =
            fleet_plan_changed(&fleet_laws[p->law], seed, p->kind, p->exposure, p->days);
        n += finding_fleet_delay(&plan, p->kind, p->days) <= p->days;
    }
    printf("%s, %s, %g: %d of %d within %d days\n", hc_finding_kind_name(p->kind),
           fleet_laws[p->law].name, p->exposure, n, p->n_fleets, p->days);
    ck_assert_int_ge(10 * n, 9 * p->n_fleets);
}
END_TEST

int main(void)
{
    Suite *suite = suite_create("findings_calibration");
    TCase *tests = tcase_create("findings_calibration");
    tcase_set_timeout(tests, 0);
    tcase_add_test(tests, false_findings);
    tcase_add_loop_test(tests, planted_changes, 0, sizeof planted / sizeof planted[0]);
    suite_add_tcase(suite, tests);
    SRunner *runner = srunner_create(suite);
    srunner_run_all(runner, CK_NORMAL);
    int failed = srunner_ntests_failed(runner);
    srunner_free(runner);
    return failed ? 1 : 0;
}
