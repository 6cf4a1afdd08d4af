/* What reasons of a queue say, and what tells its rows apart. */
#include "core/base/missing.h"
#include "core/tables/jobs/queue_table.h"

#include <check.h>
#include <string.h>

static const struct {
    const char *reason;
    int wait;
} reasons[] = {
    {"Resources", HC_WAITS_RESOURCES},
    {"resources", HC_WAITS_RESOURCES},
    {"Nodes required for job are DOWN, DRAINED or reserved for jobs in higher priority partitions",
     HC_WAITS_RESOURCES},
    {"Priority", HC_WAITS_PRIORITY},
    {"QOSMaxGRESPerUser", HC_WAITS_LIMIT},
    {"QOSGrpGRES", HC_WAITS_LIMIT},
    {"AssocGrpGRES", HC_WAITS_LIMIT},
    {"AssociationJobLimit", HC_WAITS_LIMIT},
    {"MaxGRESPerAccount", HC_WAITS_LIMIT},
    {"JobArrayTaskLimit", HC_WAITS_LIMIT},
    {"Licenses", HC_WAITS_LIMIT},
    {"PartitionTimeLimit", HC_WAITS_LIMIT},
    {"Dependency", HC_WAITS_DEPENDENCY},
    {"DependencyNeverSatisfied", HC_WAITS_DEPENDENCY},
    {"JobHeldUser", HC_WAITS_HELD},
    {"JobHeldAdmin", HC_WAITS_HELD},
    {"launch failed requeued held", HC_WAITS_HELD},
    {"BeginTime", HC_WAITS_TIME},
    {"ReqNodeNotAvail, UnavailableNodes:n[1-2]", HC_WAITS_UNAVAILABLE},
    {"PartitionDown", HC_WAITS_UNAVAILABLE},
    {"Reservation", HC_WAITS_RESERVATION},
    {"QOSNotAllowed", HC_WAITS_OTHER},
    {"BadConstraints", HC_WAITS_OTHER},
    {"Resource", HC_WAITS_OTHER},
    {"None", -1},
    {"(null)", -1},
    {"", -1},
};

START_TEST(what_reasons_say)
{
    ck_assert_int_eq(hc_queue_wait_of(reasons[_i].reason, strlen(reasons[_i].reason)),
                     reasons[_i].wait);
}
END_TEST

START_TEST(what_is_one_row)
{
    int64_t job = hc_queue_fact(7, HC_MISSING_I32, HC_MISSING_I32);
    ck_assert_int_eq(hc_queue_fact(HC_MISSING_I64, 3, 4), 0);
    ck_assert_int_gt(job, 0);
    ck_assert_int_eq(job, hc_queue_fact(7, HC_MISSING_I32, HC_MISSING_I32));
    ck_assert_int_ne(job, hc_queue_fact(7, 0, HC_MISSING_I32));
    ck_assert_int_ne(hc_queue_fact(7, 1, HC_MISSING_I32), hc_queue_fact(7, HC_MISSING_I32, 1));
}
END_TEST

int main(void)
{
    Suite *suite = suite_create("queue_table");
    TCase *tests = tcase_create("rows");
    tcase_add_loop_test(tests, what_reasons_say, 0, sizeof reasons / sizeof *reasons);
    tcase_add_test(tests, what_is_one_row);
    suite_add_tcase(suite, tests);
    SRunner *runner = srunner_create(suite);
    srunner_run_all(runner, CK_NORMAL);
    int failed = srunner_ntests_failed(runner);
    srunner_free(runner);
    return failed != 0;
}
