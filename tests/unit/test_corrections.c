/* Which correction holds for an end: what it is about, which of several, what matches nothing, and
 * what a failure is then. */
#include "core/base/missing.h"
#include "core/tables/jobs/job_state.h"
#include "models/evidence/failures.h"

#include <check.h>

#define S_NS ((int64_t)1000000000)

static struct hc_corrections corrections;
static struct hc_error err;

static void start(void)
{
    corrections = (struct hc_corrections){0};
}

static void stop(void)
{
    hc_corrections_fini(&corrections);
}

/* Of a job; date in s. */
static struct hc_correction of_job(int64_t date_s, int64_t job, enum hc_correction_cause cause)
{
    return (struct hc_correction){.date_ns = date_s * S_NS,
                                  .job = job,
                                  .time_ns = HC_MISSING_I64,
                                  .line = date_s,
                                  .array_task = HC_MISSING_I32,
                                  .restarts = HC_MISSING_I32,
                                  .cluster = "default",
                                  .author = "ann",
                                  .reason = "knows",
                                  .source = "c.csv",
                                  .cause = cause,
                                  .scope = HC_MISSING_I32};
}

static void add(struct hc_correction row)
{
    ck_assert_int_eq(hc_corrections_add(&corrections, &row, &err), HC_OK);
}

static void end_rows(void)
{
    ck_assert_int_eq(hc_corrections_end(&corrections, &err), HC_OK);
}

/* Of job 7, task 2, second attempt, on n[1-3], ended at 1,000 s. */
static struct hc_corrected_end the_end(void)
{
    return (struct hc_corrected_end){.cluster = "c",
                                     .nodes = "n[1-3]",
                                     .job = 7,
                                     .from_ns = 400 * S_NS,
                                     .to_ns = 1300 * S_NS,
                                     .gpu_ns = 10,
                                     .array_task = 2,
                                     .restarts = 1,
                                     .is_failure = true};
}

START_TEST(the_latest_holds)
{
    add(of_job(30, 7, HC_CORRECTION_USER));
    add(of_job(10, 7, HC_CORRECTION_INFRASTRUCTURE));
    add(of_job(20, 7, HC_CORRECTION_PLANNED));
    add(of_job(40, 8, HC_CORRECTION_UNKNOWN)); /* another job */
    end_rows();
    struct hc_corrected_end end = the_end();
    const struct hc_correction *held = hc_corrections_find(&corrections, &end);
    ck_assert_int_eq(held->cause, HC_CORRECTION_USER);
    ck_assert_int_eq(hc_correction_outcome(held), HC_CORRECTION_ACTED);
    ck_assert(held->gpu_ns == 10);
    struct hc_correction_counts counts = hc_corrections_count(&corrections);
    ck_assert_int_eq(counts.n[HC_CORRECTION_ACTED], 1);
    ck_assert_int_eq(counts.n[HC_CORRECTION_OVERRULED], 2);
    ck_assert_int_eq(counts.n[HC_CORRECTION_UNMATCHED], 1);
    ck_assert_int_eq(counts.n_tied, 0);
}
END_TEST

START_TEST(ties_are_told_and_the_closer_holds)
{
    struct hc_correction closer = of_job(10, 7, HC_CORRECTION_INFRASTRUCTURE);
    closer.restarts = 1;
    add(closer);
    add(of_job(10, 7, HC_CORRECTION_USER));
    end_rows();
    struct hc_corrected_end end = the_end();
    ck_assert_int_eq(hc_corrections_find(&corrections, &end)->cause, HC_CORRECTION_INFRASTRUCTURE);
    ck_assert_int_eq(hc_corrections_count(&corrections).n_tied, 2);
    end.restarts = 0; /* another attempt: only the general one is about it */
    ck_assert_int_eq(hc_corrections_find(&corrections, &end)->cause, HC_CORRECTION_USER);
}
END_TEST

/* What a correction says, and whether it is about that end. */
static const struct {
    int64_t job, time_s; /* -1: not said */
    int32_t array_task, restarts;
    const char *cluster, *node;
    bool is_about, of_launch, of_well; /* it; a launch in it; an end that is no failure */
} subjects[] = {
    {7, -1, -1, -1, "default", NULL, true, false, true},
    {7, -1, -1, -1, "c", NULL, true, false, true},
    {7, -1, -1, -1, "d", NULL, false, false, false},
    {7, -1, 2, 1, "c", NULL, true, false, true},
    {7, -1, 3, -1, "c", NULL, false, false, false},
    {7, -1, -1, 0, "c", NULL, false, false, false},
    {7, 400, -1, -1, "c", NULL, true, true, true},
    {7, 1301, -1, -1, "c", NULL, false, false, false},
    {-1, 1000, -1, -1, "c", "n3.site.org", true, true, false},
    {-1, 1000, -1, -1, "c", "n4", false, false, false},
    {-1, 399, -1, -1, "c", "n3", false, false, false},
    {-1, -1, -1, -1, "c", "n3", false, false, false}, /* a node without a time */
};

START_TEST(subjects_match)
{
    struct hc_correction row = of_job(10, subjects[_i].job, HC_CORRECTION_USER);
    row.job = subjects[_i].job < 0 ? HC_MISSING_I64 : subjects[_i].job;
    row.time_ns = subjects[_i].time_s < 0 ? HC_MISSING_I64 : subjects[_i].time_s * S_NS;
    row.array_task = subjects[_i].array_task < 0 ? HC_MISSING_I32 : subjects[_i].array_task;
    row.restarts = subjects[_i].restarts < 0 ? HC_MISSING_I32 : subjects[_i].restarts;
    row.cluster = subjects[_i].cluster;
    row.node = subjects[_i].node;
    add(row);
    end_rows();
    struct hc_corrected_end end = the_end();
    ck_assert(!hc_corrections_find(&corrections, &end) == !subjects[_i].is_about);
    end.is_launch = true;
    ck_assert(!hc_corrections_find(&corrections, &end) == !subjects[_i].of_launch);
    end.is_launch = end.is_failure = false;
    ck_assert(!hc_corrections_find(&corrections, &end) == !subjects[_i].of_well);
}
END_TEST

/* What an end of a state becomes by a cause. */
static const struct {
    enum hc_job_state state;
    enum hc_correction_cause cause;
    bool is_failure;
    enum hc_failure_side side;
    enum hc_failure_evidence evidence;
    int taken_out, put_in;
} ends[] = {
    {HC_JOB_FAILED, HC_CORRECTION_INFRASTRUCTURE, true, HC_SIDE_INFRASTRUCTURE, HC_EVIDENCE_CERTAIN,
     0, 0},
    {HC_JOB_NODE_FAIL, HC_CORRECTION_USER, true, HC_SIDE_USER, HC_EVIDENCE_NONE, 0, 0},
    {HC_JOB_NODE_FAIL, HC_CORRECTION_UNKNOWN, true, HC_SIDE_UNKNOWN, HC_EVIDENCE_NONE, 0, 0},
    {HC_JOB_NODE_FAIL, HC_CORRECTION_PLANNED, false, 0, 0, 1, 0},
    {HC_JOB_FAILED, HC_CORRECTION_PREEMPTION, false, 0, 0, 1, 0},
    {HC_JOB_FAILED, HC_CORRECTION_NO_FAILURE, false, 0, 0, 1, 0},
    {HC_JOB_CANCELLED, HC_CORRECTION_INFRASTRUCTURE, true, HC_SIDE_INFRASTRUCTURE,
     HC_EVIDENCE_CERTAIN, 0, 1},
    {HC_JOB_COMPLETED, HC_CORRECTION_USER, true, HC_SIDE_USER, HC_EVIDENCE_NONE, 0, 1},
    {HC_JOB_CANCELLED, HC_CORRECTION_UNKNOWN, false, 0, 0, 0, 0},
};

START_TEST(ends_become_what_is_said)
{
    struct hc_evidence_set set = {0};
    struct hc_failures failures = {.set = &set, .corrections = &corrections};
    add(of_job(10, 7, ends[_i].cause));
    end_rows();
    ck_assert_int_eq(hc_evidence_end(&set, &err), HC_OK);
    struct hc_failure_row row = {
        .failure = {.job = 7,
                    .raw_job = 7,
                    .gpus = 8,
                    .nodes = 1,
                    .array_task = HC_MISSING_I32,
                    .restarts = HC_MISSING_I32,
                    .cycle = HC_MISSING_I32,
                    .state = (int32_t)ends[_i].state,
                    .own = -1},
        .end = {.end_ns = 7200 * S_NS, .root_pid = HC_MISSING_I64, .nodes = "n1"},
        .cluster = "c"};
    ck_assert_int_eq(hc_failures_add(&failures, &row, &err), HC_OK);
    ck_assert_uint_eq(failures.n, ends[_i].is_failure);
    ck_assert_int_eq(failures.n_taken_out, ends[_i].taken_out);
    ck_assert_int_eq(failures.n_put_in, ends[_i].put_in);
    if (ends[_i].is_failure) {
        ck_assert_int_eq(failures.failures[0].side, ends[_i].side);
        ck_assert_int_eq(failures.failures[0].evidence, ends[_i].evidence);
        ck_assert_ptr_nonnull(failures.failures[0].correction);
    }
    hc_failures_fini(&failures);
    hc_evidence_fini(&set);
}
END_TEST

int main(void)
{
    Suite *suite = suite_create("corrections");
    TCase *tests = tcase_create("all");
    tcase_add_checked_fixture(tests, start, stop);
    tcase_add_test(tests, the_latest_holds);
    tcase_add_test(tests, ties_are_told_and_the_closer_holds);
    tcase_add_loop_test(tests, subjects_match, 0, sizeof subjects / sizeof *subjects);
    tcase_add_loop_test(tests, ends_become_what_is_said, 0, sizeof ends / sizeof *ends);
    suite_add_tcase(suite, tests);
    SRunner *runner = srunner_create(suite);
    srunner_run_all(runner, CK_ENV);
    int failed = srunner_ntests_failed(runner);
    srunner_free(runner);
    return failed != 0;
}
