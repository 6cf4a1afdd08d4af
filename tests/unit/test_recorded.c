/* Recorded incidents: which attempts they join, and what they prove of ends. */
#include "core/base/missing.h"
#include "models/evidence/recorded.h"

#include <check.h>

#define S_NS ((int64_t)1000000000)

static struct hc_recorded recorded;
static struct hc_error err;

static void start(void)
{
    recorded = (struct hc_recorded){0};
}

static void stop(void)
{
    hc_recorded_fini(&recorded);
}

/* From 1,000 s to 2,000 s. */
static struct hc_recorded_incident incident(const char *node, enum hc_incident_cause cause)
{
    return (struct hc_recorded_incident){.time_ns = 1000 * S_NS,
                                         .recovered_ns = 2000 * S_NS,
                                         .row = 1,
                                         .job = HC_MISSING_I64,
                                         .attempt = HC_MISSING_I32,
                                         .cause = (int32_t)cause,
                                         .noticed = HC_CLASS_EXPLICIT,
                                         .cluster = "default",
                                         .list = "tickets",
                                         .node = node};
}

static void add(struct hc_recorded_incident row)
{
    ck_assert_int_eq(hc_recorded_add(&recorded, &row, NULL, &err), HC_OK);
    ck_assert_int_eq(hc_recorded_end(&recorded, &err), HC_OK);
}

static int64_t joined(struct hc_recorded_attempt attempt)
{
    hc_recorded_offer(&recorded, &attempt);
    return recorded.list[0].n_attempts;
}

static struct hc_recorded_attempt attempt(int64_t start_s, int64_t end_s, const char *nodes)
{
    return (struct hc_recorded_attempt){.cluster = "c",
                                        .partition = "p",
                                        .nodes = nodes,
                                        .job = 7,
                                        .start_ns = start_s * S_NS,
                                        .end_ns = end_s < 0 ? HC_MISSING_I64 : end_s * S_NS,
                                        .gpu_ns = 5,
                                        .restarts = 1};
}

static const struct {
    int64_t start_s, end_s;
    const char *nodes;
    int64_t n;
} overlaps[] = {
    {0, 5000, "n[1-3]", 1},
    {0, 5000, "n4", 0},
    {0, 699, "n2", 0},
    {0, 700, "n2", 1},
    /* 5 min */ {2000, 5000, "n2", 1},
    {2001, 5000, "n2", 0},
    {1500, -1, "n1,n2.site.org", 1},
    {0, 5000, "n[1-", 0},
    {0, 5000, NULL, 0},
};

START_TEST(nodes_join_by_overlap)
{
    add(incident("n[2-3]", HC_CAUSE_SWITCH));
    ck_assert_int_eq(joined(attempt(overlaps[_i].start_s, overlaps[_i].end_s, overlaps[_i].nodes)),
                     overlaps[_i].n);
    ck_assert(recorded.list[0].gpu_ns == 5 * overlaps[_i].n);
}
END_TEST

START_TEST(jobs_join_by_number)
{
    struct hc_recorded_incident row = incident(NULL, HC_CAUSE_GPU);
    row.job = 7;
    row.attempt = 1;
    add(row);
    ck_assert_int_eq(recorded.list[0].method, HC_RECORDED_BY_JOB);
    struct hc_recorded_attempt other = attempt(0, 5000, "n1");
    other.restarts = 0;
    ck_assert_int_eq(joined(other), 0);
    other = attempt(0, 5000, "n1");
    other.job = 8;
    ck_assert_int_eq(joined(other), 0);
    ck_assert_int_eq(joined(attempt(3000, 5000, "n1")), 0); /* later */
    ck_assert_int_eq(joined(attempt(0, 5000, NULL)), 1);
}
END_TEST

START_TEST(groups_are_partitions_and_clusters)
{
    struct hc_recorded_incident row = incident(NULL, HC_CAUSE_POWER);
    row.group = "c";
    add(row);
    ck_assert_int_eq(joined(attempt(0, 5000, NULL)), 1);
    struct hc_recorded_attempt other = attempt(0, 5000, NULL);
    other.cluster = "d";
    ck_assert_int_eq(joined(other), 1);
    other.partition = "c";
    ck_assert_int_eq(joined(other), 2);
}
END_TEST

START_TEST(what_cannot_join_is_told)
{
    add(incident(NULL, HC_CAUSE_GPU));
    ck_assert_int_eq(recorded.list[0].method, HC_RECORDED_NO_PLACE);
    stop();
    struct hc_recorded_incident row = incident("n1", HC_CAUSE_GPU);
    row.time_ns = row.recovered_ns = HC_MISSING_I64;
    add(row);
    ck_assert_int_eq(recorded.list[0].method, HC_RECORDED_NO_CLOCK);
    ck_assert_int_eq(joined(attempt(0, 5000, "n1")), 0);
}
END_TEST

/* What an incident at 1,000 s proves of the end at 1,100 s of job 7, restart 1, on n1. */
static const struct {
    int64_t job;
    int32_t attempt;
    const char *node;
    enum hc_incident_cause cause;
    enum hc_failure_evidence evidence;
} proofs[] = {
    {7, -1, NULL, HC_CAUSE_GPU, HC_EVIDENCE_CERTAIN},
    {7, 1, NULL, HC_CAUSE_GPU, HC_EVIDENCE_CERTAIN},
    {7, 0, NULL, HC_CAUSE_GPU, HC_EVIDENCE_NONE},
    {8, -1, NULL, HC_CAUSE_GPU, HC_EVIDENCE_NONE},
    {8, -1, "n1", HC_CAUSE_GPU, HC_EVIDENCE_LIKELY}, /* it stopped others too */
    {7, -1, NULL, HC_CAUSE_PROGRAM, HC_EVIDENCE_COINCIDENT},
    {-1, -1, "n1", HC_CAUSE_GPU, HC_EVIDENCE_LIKELY},
    {-1, -1, "n2", HC_CAUSE_GPU, HC_EVIDENCE_NONE},
    {-1, -1, "n1", HC_CAUSE_TEST, HC_EVIDENCE_COINCIDENT},
    {-1, -1, "n1", HC_CAUSE_UNKNOWN, HC_EVIDENCE_COINCIDENT},
};

START_TEST(incidents_prove)
{
    struct hc_evidence_set set = {0};
    struct hc_judgement judgement;
    struct hc_recorded_incident row = incident(proofs[_i].node, proofs[_i].cause);
    row.job = proofs[_i].job < 0 ? HC_MISSING_I64 : proofs[_i].job;
    row.attempt = proofs[_i].attempt < 0 ? HC_MISSING_I32 : proofs[_i].attempt;
    add(row);
    ck_assert_int_eq(hc_recorded_as_evidence(&recorded, &set, &err), HC_OK);
    ck_assert_int_eq(hc_evidence_end(&set, &err), HC_OK);
    const struct hc_end end = {.end_ns = 1100 * S_NS,
                               .fault_ns = 1100 * S_NS,
                               .root_pid = HC_MISSING_I64,
                               .job = 7,
                               .restarts = 1,
                               .cluster = "c",
                               .nodes = "n1"};
    hc_evidence_judge(&set, &end, &judgement);
    ck_assert_int_eq(judgement.evidence, proofs[_i].evidence);
    hc_evidence_fini(&set);
}
END_TEST

int main(void)
{
    Suite *suite = suite_create("recorded");
    TCase *tests = tcase_create("all");
    tcase_add_checked_fixture(tests, start, stop);
    tcase_add_loop_test(tests, nodes_join_by_overlap, 0, sizeof overlaps / sizeof *overlaps);
    tcase_add_test(tests, jobs_join_by_number);
    tcase_add_test(tests, groups_are_partitions_and_clusters);
    tcase_add_test(tests, what_cannot_join_is_told);
    tcase_add_loop_test(tests, incidents_prove, 0, sizeof proofs / sizeof *proofs);
    suite_add_tcase(suite, tests);
    SRunner *runner = srunner_create(suite);
    srunner_run_all(runner, CK_ENV);
    int failed = srunner_ntests_failed(runner);
    srunner_free(runner);
    return failed != 0;
}
