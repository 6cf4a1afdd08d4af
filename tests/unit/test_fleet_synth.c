#include "core/tables/op_table.h"
#include "core/tables/table.h"
#include "sim/synth/fleet_synth.h"

#include <check.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static struct hc_fleet_synth_job *fleet(uint64_t seed, int32_t n, bool with_discards)
{
    const struct hc_fleet_synth_options options = {seed, n, with_discards};
    struct hc_fleet_synth_job *jobs = NULL;
    struct hc_error err = {0};
    ck_assert_msg(!hc_fleet_synth_new(&jobs, &options, &err), "%s", err.message);
    return jobs;
}

/* Place in count: the cause of a job with one, HC_N_STRAGGLER_CAUSES for two. */
static int kind_of(const struct hc_fleet_synth_job *job)
{
    if (job->n_planted == 2)
        return HC_N_STRAGGLER_CAUSES;
    return job->n_planted ? (int)job->planted[0].cause : HC_STRAGGLER_NONE;
}

START_TEST(shares_are_fixed)
{
    static const int expected[HC_N_STRAGGLER_CAUSES + 1] = {
        [HC_STRAGGLER_NONE] = 60,     [HC_STRAGGLER_WORKER] = 42,  [HC_STRAGGLER_STAGE] = 48,
        [HC_STRAGGLER_SEQUENCE] = 42, [HC_STRAGGLER_GC] = 30,      [HC_STRAGGLER_LINK] = 30,
        [HC_STRAGGLER_LAUNCH] = 18,   [HC_N_STRAGGLER_CAUSES] = 30};
    int count[HC_N_STRAGGLER_CAUSES + 1] = {0}, n_changes = 0;
    struct hc_fleet_synth_job *jobs = fleet((uint64_t)_i, 300, false);
    for (size_t j = 0; j < 300; j++) {
        count[kind_of(&jobs[j])]++;
        n_changes += j && kind_of(&jobs[j]) != kind_of(&jobs[j - 1]);
        ck_assert(!jobs[j].is_too_short);
        ck_assert_int_ge(jobs[j].options.n_steps, 10);
        ck_assert_int_le(jobs[j].options.n_steps, 40);
    }
    for (int kind = 0; kind <= HC_N_STRAGGLER_CAUSES; kind++)
        ck_assert_int_eq(count[kind], expected[kind]);
    ck_assert_int_gt(n_changes, 200); /* shuffled, not one kind after the other */
    free(jobs);
}
END_TEST

START_TEST(causes_can_be_seen)
{
    struct hc_fleet_synth_job *jobs = fleet(5, 2000, true);
    int n_short = 0, n_other_stage = 0, n_one_host = 0;
    for (size_t j = 0; j < 2000; j++) {
        const struct hc_fleet_synth_job *job = &jobs[j];
        const struct hc_synth_steps_options *o = &job->options;
        n_short += job->is_too_short;
        ck_assert(job->is_too_short == (o->n_steps < 3));
        ck_assert_int_ge(o->dp * o->pp * o->tp, 8);
        ck_assert_ptr_eq(o->slow, job->slow);
        ck_assert_uint_le(o->n_slow, HC_MAX_FLEET_SLOW);
        for (size_t i = 0; i < job->n_planted; i++) {
            const struct hc_fleet_planted *p = &job->planted[i];
            bool has_dp = p->dp_rank != HC_MISSING_I32, has_stage = p->stage != HC_MISSING_I32;
            ck_assert_double_gt(p->strength, 0);
            ck_assert(!has_dp || (p->dp_rank >= 0 && p->dp_rank < o->dp));
            ck_assert(!has_stage || (p->stage >= 0 && p->stage < o->pp));
            if (p->cause == HC_STRAGGLER_WORKER)
                ck_assert(has_dp && has_stage && o->dp >= 2 && o->dp * o->pp >= 4);
            if (p->cause == HC_STRAGGLER_STAGE) {
                ck_assert(!has_dp && has_stage && o->pp >= 2 && o->dp >= 2);
                ck_assert((o->loss_factor == p->strength) == (p->stage == o->pp - 1));
                n_other_stage += p->stage != o->pp - 1;
            }
            if (p->cause == HC_STRAGGLER_SEQUENCE)
                ck_assert(!has_dp && !has_stage && o->sequence_cv == p->strength && o->dp >= 2);
            if (p->cause == HC_STRAGGLER_LINK)
                ck_assert(has_dp && p->stage < o->pp - 1 && o->dp * (o->pp - 1) >= 3);
            if (p->cause == HC_STRAGGLER_LAUNCH)
                n_one_host += has_dp;
        }
        ck_assert(job->n_planted < 2 || job->planted[0].cause != job->planted[1].cause);
    }
    ck_assert_int_eq(n_short, 100);
    ck_assert_int_gt(n_other_stage, 50);
    ck_assert_int_gt(n_one_host, 20);
    free(jobs);
}
END_TEST

/* What is written down of a job is all there is to it: nothing but its options makes its rows. */
START_TEST(jobs_are_made_again)
{
    struct hc_fleet_synth_job *jobs = fleet(9, 120, true), *again = fleet(9, 120, true);
    struct hc_fleet_synth_job *other = fleet(10, 120, true);
    struct hc_error err = {0};
    int n_same = 0;
    for (size_t j = 0; j < 120; j++) {
        struct hc_synth_steps *generator = NULL;
        char id[24];
        ck_assert_str_eq(jobs[j].id, again[j].id);
        snprintf(id, sizeof id, "fleet-%04zu", j + 1);
        ck_assert_str_eq(jobs[j].id, id);
        ck_assert_uint_eq(jobs[j].options.seed, again[j].options.seed);
        ck_assert_int_eq(jobs[j].n_planted, again[j].n_planted);
        ck_assert_int_eq(memcmp(jobs[j].planted, again[j].planted, sizeof jobs[j].planted), 0);
        n_same += jobs[j].options.seed == other[j].options.seed;
        ck_assert_msg(!hc_synth_steps_open(&generator, &jobs[j].options, &err), "%s", err.message);
        ck_assert_str_eq(hc_synth_steps_job(generator)->cluster, "fleet");
        hc_synth_steps_close(generator);
    }
    ck_assert_int_eq(n_same, 0);
    free(jobs);
    free(again);
    free(other);
}
END_TEST

START_TEST(numbers_of_jobs_are_checked)
{
    const int32_t wrong[] = {0, -1, HC_MAX_FLEET_JOBS + 1};
    for (size_t i = 0; i < 3; i++) {
        const struct hc_fleet_synth_options options = {.n_jobs = wrong[i]};
        struct hc_fleet_synth_job *jobs = NULL;
        struct hc_error err = {0};
        ck_assert_int_eq(hc_fleet_synth_new(&jobs, &options, &err), HC_USAGE);
        ck_assert_ptr_null(jobs);
    }
}
END_TEST

int main(void)
{
    Suite *suite = suite_create("fleet_synth");
    TCase *tests = tcase_create("all");
    suite_add_tcase(suite, tests);
    tcase_add_loop_test(tests, shares_are_fixed, 0, 5);
    tcase_add_test(tests, causes_can_be_seen);
    tcase_add_test(tests, jobs_are_made_again);
    tcase_add_test(tests, numbers_of_jobs_are_checked);
    SRunner *runner = srunner_create(suite);
    srunner_run_all(runner, CK_NORMAL);
    int failed = srunner_ntests_failed(runner);
    srunner_free(runner);
    return failed != 0;
}
