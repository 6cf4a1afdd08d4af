/* Launches of attempts, what each resumed from, and what was lost by which end: by hand-worked
 * runs.
 *
 * Times of the cases are seconds.
 */
#include "core/base/missing.h"
#include "core/tables/jobs/job_state.h"
#include "models/account/tree/launches.h"

#include <check.h>
#include <stdlib.h>

#define S    ((int64_t)1000000000)
#define NO   HC_MISSING_I64
#define MOST 8

static struct hc_error err;

struct world {
    struct hc_join_attempt attempts[MOST];
    struct hc_join_cycle cycles[MOST];
    struct hc_failure ends[MOST];
    struct hc_joins joins;
    struct hc_failures failures;
    struct hc_launches launches;
};

static struct world *new_world(void)
{
    struct world *w = calloc(1, sizeof *w);
    w->joins.attempts = w->attempts;
    w->joins.cycles = w->cycles;
    w->failures.failures = w->ends;
    return w;
}

static void free_world(struct world *w)
{
    hc_launches_fini(&w->launches);
    free(w);
}

static void add_attempt(struct world *w, int64_t start_s, int32_t state)
{
    size_t i = w->joins.n_attempts++;
    w->attempts[i] = (struct hc_join_attempt){.job = 100 + (int64_t)i,
                                              .raw_job = 100 + (int64_t)i,
                                              .submit_ns = (start_s - 5) * S,
                                              .start_ns = start_s * S,
                                              .end_ns = NO,
                                              .state = state,
                                              .cluster = HC_MISSING_I32};
}

/* A launch that resumed behind an iteration and made steps up to another. */
static struct hc_join_cycle *add_cycle(struct world *w, int32_t attempt, int64_t start_s,
                                       int64_t end_s)
{
    struct hc_join_cycle *c = &w->cycles[w->joins.n_cycles++];
    *c = (struct hc_join_cycle){.start_ns = start_s * S,
                                .first_step_ns = NO,
                                .end_ns = end_s * S,
                                .first_iteration = NO,
                                .last_iteration = NO,
                                .loaded_iteration = NO,
                                .saved_iteration = NO,
                                .line = (int64_t)w->joins.n_cycles,
                                .world_size = HC_MISSING_I32,
                                .source = HC_MISSING_I32,
                                .has_clock = true,
                                .attempt = attempt,
                                .run = 0,
                                .parent = -1};
    return c;
}

static struct hc_join_cycle *add_steps(struct world *w, int32_t attempt, int64_t start_s,
                                       int64_t behind, int64_t last)
{
    struct hc_join_cycle *c = add_cycle(w, attempt, start_s, start_s + 50);
    c->first_step_ns = (start_s + 10) * S;
    c->first_iteration = behind + 1;
    c->last_iteration = last;
    return c;
}

static void add_failure(struct world *w, int32_t attempt, int32_t cycle, int64_t end_s)
{
    w->ends[w->failures.n++] =
        (struct hc_failure){.raw_job = w->attempts[attempt].raw_job,
                            .submit_ns = w->attempts[attempt].submit_ns,
                            .attempt_start_ns = w->attempts[attempt].start_ns,
                            .start_ns = w->attempts[attempt].start_ns,
                            .end_ns = end_s * S,
                            .notice_ns = NO,
                            .bound_ns = NO,
                            .cycle = cycle,
                            .cluster = HC_MISSING_I32,
                            .side = HC_SIDE_INFRASTRUCTURE,
                            .evidence = HC_EVIDENCE_CERTAIN};
}

static void make(struct world *w)
{
    ck_assert_msg(!hc_launches_make(&w->launches, &w->joins, &w->failures, &err), "%s",
                  err.message);
}

static const struct hc_loss *loss_of(const struct world *w, size_t launch, int64_t iteration)
{
    return hc_launch_loss(&w->launches, &w->launches.list[launch], iteration);
}

/* ---- losses ---- */

/* Made 1 to 100; the next resumed behind 80: 81 to 100 are lost by the end of the first. */
START_TEST(work_above_the_resumption_is_lost)
{
    struct world *w = new_world();
    add_attempt(w, 1000, HC_JOB_FAILED);
    add_attempt(w, 2000, HC_JOB_COMPLETED);
    add_steps(w, 0, 1000, 0, 100);
    add_steps(w, 1, 2000, 80, 150);
    add_failure(w, 0, HC_MISSING_I32, 1060);
    make(w);
    ck_assert_uint_eq(w->launches.n, 2);
    ck_assert_ptr_null(loss_of(w, 0, 80));
    ck_assert_int_eq(loss_of(w, 0, 81)->stop, 0);
    ck_assert(w->launches.list[0].goes_on);
    ck_assert(!w->launches.list[1].goes_on);
    ck_assert_int_eq(w->launches.list[1].before, 0);
    ck_assert_int_eq(w->launches.list[0].stop.failure, 0);
    ck_assert_int_eq(w->launches.list[0].stop.why, HC_WHY_INFRASTRUCTURE);
    ck_assert_int_eq(w->launches.list[0].stop.notice_ns, 1060 * S); /* its end: no line tells */
    ck_assert_int_eq(w->launches.list[1].stop.failure, -1);
    ck_assert_int_eq(w->launches.list[1].stop.why, HC_WHY_PLANNED);
    free_world(w);
}
END_TEST

/* A launch that never stepped takes nothing, whatever it loaded; the next one that steps does, and
 * what is lost is lost by the end of the one that had made steps. */
START_TEST(a_launch_without_a_step_takes_nothing)
{
    struct world *w = new_world();
    for (int i = 0; i < 3; i++)
        add_attempt(w, 1000 * (i + 1), HC_JOB_FAILED);
    add_steps(w, 0, 1000, 0, 100);
    add_cycle(w, 1, 2000, 2050)->loaded_iteration = 40;
    add_steps(w, 2, 3000, 80, 150);
    make(w);
    ck_assert_ptr_null(loss_of(w, 0, 80));
    ck_assert_int_eq(loss_of(w, 0, 81)->stop, 0);
    ck_assert_int_eq(w->launches.list[1].resumed_iteration, NO);
    ck_assert(w->launches.list[1].goes_on);
    free_world(w);
}
END_TEST

/* 1 to 100, then 91 to 120, then from 60 on: of the first 91 to 100 are lost by its own end, 61 to
 * 90 by that of the second, of which all is lost. A launch further on takes no more than that. */
START_TEST(a_launch_further_on_takes_more)
{
    struct world *w = new_world();
    for (int i = 0; i < 4; i++)
        add_attempt(w, 1000 * (i + 1), HC_JOB_FAILED);
    add_steps(w, 0, 1000, 0, 100);
    add_steps(w, 1, 2000, 90, 120);
    add_steps(w, 2, 3000, 60, 130);
    add_steps(w, 3, 4000, 110, 140);
    make(w);
    ck_assert_ptr_null(loss_of(w, 0, 60));
    ck_assert_int_eq(loss_of(w, 0, 61)->stop, 1);
    ck_assert_int_eq(loss_of(w, 0, 90)->stop, 1);
    ck_assert_int_eq(loss_of(w, 0, 91)->stop, 0);
    ck_assert_int_eq(loss_of(w, 1, 91)->stop, 1);
    ck_assert_ptr_null(loss_of(w, 2, 110));
    ck_assert_int_eq(loss_of(w, 2, 111)->stop, 2);
    ck_assert_uint_eq(w->launches.list[0].n_losses, 2);
    free_world(w);
}
END_TEST

/* A fork is a run of its own: what it loads takes nothing of the run that it left. */
START_TEST(a_fork_takes_nothing)
{
    struct world *w = new_world();
    for (int i = 0; i < 2; i++)
        add_attempt(w, 1000 * (i + 1), HC_JOB_FAILED);
    add_steps(w, 0, 1000, 0, 100);
    add_steps(w, 1, 2000, 20, 50)->run = 1;
    make(w);
    ck_assert_ptr_null(loss_of(w, 0, 100));
    ck_assert(!w->launches.list[0].goes_on);
    ck_assert_int_eq(w->launches.list[1].before, -1);
    free_world(w);
}
END_TEST

/* Behind a training that was complete: a fork that saved nothing yet, by which nobody can tell it.
 */
START_TEST(what_comes_behind_the_end_takes_nothing)
{
    struct world *w = new_world();
    for (int i = 0; i < 3; i++)
        add_attempt(w, 1000 * (i + 1), HC_JOB_COMPLETED);
    add_steps(w, 0, 1000, 0, 100);
    add_steps(w, 1, 2000, 90, 150)->is_done = true;
    add_steps(w, 2, 3000, 20, 50);
    make(w);
    ck_assert_ptr_null(loss_of(w, 1, 150));
    ck_assert_ptr_null(loss_of(w, 0, 90));
    ck_assert_int_eq(loss_of(w, 0, 91)->stop, 0);
    ck_assert_int_eq(w->launches.list[1].before, 0);
    ck_assert_int_eq(w->launches.list[2].before, -1);
    free_world(w);
}
END_TEST

/* It says that it loaded 40, and its first line is of iteration 61 to 70: it resumed behind 40. */
START_TEST(what_was_loaded_is_where_it_resumed)
{
    struct world *w = new_world();
    add_attempt(w, 1000, HC_JOB_FAILED);
    add_attempt(w, 2000, HC_JOB_FAILED);
    add_steps(w, 0, 1000, 0, 100);
    add_steps(w, 1, 2000, 60, 90)->loaded_iteration = 40;
    make(w);
    ck_assert_int_eq(w->launches.list[1].resumed_iteration, 40);
    ck_assert_ptr_null(loss_of(w, 0, 40));
    ck_assert_ptr_nonnull(loss_of(w, 0, 41));
    /* A load above what it then made is another checkpoint's: of a model, or not used. */
    hc_launches_fini(&w->launches);
    w->cycles[1].loaded_iteration = 500;
    make(w);
    ck_assert_int_eq(w->launches.list[1].resumed_iteration, 60);
    free_world(w);
}
END_TEST

/* ---- launches ---- */

/* The launcher's file tells of the launch before a rank's log does; steps are of that, and the
 * checkpoint of the launcher's. */
START_TEST(two_logs_of_one_launch)
{
    struct world *w = new_world();
    add_attempt(w, 1000, HC_JOB_FAILED);
    struct hc_join_cycle *launcher = add_cycle(w, 0, 1000, 1200);
    launcher->saved_iteration = 90;
    launcher->world_size = 16;
    add_steps(w, 0, 1010, 0, 100);
    add_steps(w, 0, 1300, 90, 120);
    make(w);
    ck_assert_uint_eq(w->launches.n, 2);
    ck_assert_int_eq(w->launches.n_united, 1);
    const struct hc_launch *whole = &w->launches.list[0];
    ck_assert_int_eq(whole->start_ns, 1000 * S);
    ck_assert_int_eq(whole->end_ns, 1200 * S);
    ck_assert_int_eq(whole->cycle, 1);
    ck_assert_int_eq(whole->last_iteration, 100);
    ck_assert_int_eq(whole->saved_iteration, 90);
    ck_assert_int_eq(whole->world_size, 16);
    ck_assert(!whole->is_last);
    ck_assert(w->launches.list[1].is_last);
    ck_assert_int_eq(w->launches.list[1].number, 1);
    free_world(w);
}
END_TEST

/* What ran beside a launch did not go on from it: only one that steps behind its end takes. */
START_TEST(launches_at_once_take_nothing)
{
    struct world *w = new_world();
    add_attempt(w, 1000, HC_JOB_FAILED);
    add_attempt(w, 1005, HC_JOB_FAILED);
    add_steps(w, 0, 1000, 0, 100);
    add_steps(w, 1, 1005, 20, 90);
    make(w);
    ck_assert_uint_eq(w->launches.n, 2);
    ck_assert_ptr_null(loss_of(w, 0, 100));
    free_world(w);
}
END_TEST

/* Another failure of the same number and times, on another cluster, is not its. */
START_TEST(failures_of_another_cluster)
{
    struct world *w = new_world();
    int32_t here;
    add_attempt(w, 1000, HC_JOB_FAILED);
    add_steps(w, 0, 1000, 0, 100);
    add_failure(w, 0, HC_MISSING_I32, 1060);
    ck_assert(!hc_joins_text(&w->joins, "here", &here, &err));
    w->attempts[0].cluster = here;
    make(w);
    ck_assert_int_eq(w->launches.list[0].stop.failure, -1);
    hc_text_set_fini(&w->joins.texts);
    free_world(w);
}
END_TEST

/* Ends of launches in place are found by their number, that of the attempt by none. */
START_TEST(restarts_in_place_have_their_failures)
{
    struct world *w = new_world();
    add_attempt(w, 1000, HC_JOB_NODE_FAIL);
    for (int i = 0; i < 3; i++)
        add_steps(w, 0, 1000 + 100 * i, 10 * i, 10 * i + 20);
    add_failure(w, 0, 0, 1100);
    add_failure(w, 0, HC_MISSING_I32, 1260);
    w->ends[0].notice_ns = 1055 * S;
    w->ends[0].bound_ns = 1045 * S;
    w->ends[1].side = HC_SIDE_USER;
    make(w);
    ck_assert_int_eq(w->launches.list[0].stop.failure, 0);
    ck_assert_int_eq(w->launches.list[0].stop.notice_ns, 1055 * S);
    ck_assert_int_eq(w->launches.list[0].stop.fault_high_ns, 1045 * S);
    ck_assert_int_eq(w->launches.list[1].stop.failure, -1);
    ck_assert_int_eq(w->launches.list[2].stop.failure, 1);
    ck_assert_int_eq(w->launches.list[2].stop.why, HC_WHY_USER);
    ck_assert_int_eq(w->launches.list[2].stop.evidence, HC_EVIDENCE_CERTAIN);
    ck_assert_int_eq(w->launches.list[2].stop.notice_ns, 1260 * S);
    free_world(w);
}
END_TEST

/* Ends that are no failure have the reason of their state. */
START_TEST(ends_by_plan_person_and_pre_emption)
{
    static const struct {
        int32_t state;
        enum hc_why why;
    } ends[] = {{HC_JOB_TIMEOUT, HC_WHY_PLANNED},   {HC_JOB_DEADLINE, HC_WHY_PLANNED},
                {HC_JOB_COMPLETED, HC_WHY_PLANNED}, {HC_JOB_CANCELLED, HC_WHY_USER},
                {HC_JOB_REVOKED, HC_WHY_USER},      {HC_JOB_PREEMPTED, HC_WHY_PREEMPTION},
                {HC_JOB_RUNNING, HC_WHY_UNKNOWN}};
    struct world *w = new_world();
    for (int32_t i = 0; i < 7; i++) {
        add_attempt(w, 1000 * (i + 1), ends[i].state);
        add_steps(w, i, 1000 * (i + 1), 0, 10);
    }
    make(w);
    for (size_t i = 0; i < 7; i++) {
        ck_assert_int_eq(w->launches.list[i].stop.why, ends[i].why);
        ck_assert_int_eq(w->launches.list[i].stop.failure, -1);
    }
    free_world(w);
}
END_TEST

/* Where nothing before the first line of steps has a time, the launch begins with its first step.
 */
START_TEST(a_log_that_begins_with_its_first_step)
{
    struct world *w = new_world();
    add_attempt(w, 1000, HC_JOB_COMPLETED);
    struct hc_join_cycle *late = add_steps(w, 0, 1020, 0, 10);
    late->first_step_ns = 1004 * S;
    add_steps(w, 0, 1100, 10, 20);
    make(w);
    ck_assert_int_eq(w->launches.list[0].start_ns, 1004 * S);
    ck_assert_int_eq(w->launches.list[1].start_ns, 1100 * S);
    free_world(w);
}
END_TEST

/* What has no time, or joined nothing, is no launch; the first is counted. */
START_TEST(cycles_without_a_clock_are_counted)
{
    struct world *w = new_world();
    add_attempt(w, 1000, HC_JOB_FAILED);
    add_steps(w, 0, 1000, 0, 10)->has_clock = false;
    add_steps(w, 0, 1000, 0, 10)->start_ns = NO;
    add_steps(w, -1, 1000, 0, 10);
    add_steps(w, 0, 1000, 0, 10)->end_ns = NO;
    make(w);
    ck_assert_int_eq(w->launches.n_without_clock, 2);
    ck_assert_uint_eq(w->launches.n, 1);
    ck_assert_int_eq(w->launches.list[0].end_ns, 1000 * S);
    free_world(w);
}
END_TEST

/* Nothing at all is no launch. */
START_TEST(nothing_is_no_launch)
{
    struct world *w = new_world();
    make(w);
    ck_assert_uint_eq(w->launches.n, 0);
    free_world(w);
}
END_TEST

int main(void)
{
    Suite *suite = suite_create("launches");
    TCase *tests = tcase_create("cases");
    tcase_add_test(tests, work_above_the_resumption_is_lost);
    tcase_add_test(tests, a_launch_without_a_step_takes_nothing);
    tcase_add_test(tests, a_launch_further_on_takes_more);
    tcase_add_test(tests, a_fork_takes_nothing);
    tcase_add_test(tests, what_comes_behind_the_end_takes_nothing);
    tcase_add_test(tests, what_was_loaded_is_where_it_resumed);
    tcase_add_test(tests, two_logs_of_one_launch);
    tcase_add_test(tests, launches_at_once_take_nothing);
    tcase_add_test(tests, failures_of_another_cluster);
    tcase_add_test(tests, restarts_in_place_have_their_failures);
    tcase_add_test(tests, ends_by_plan_person_and_pre_emption);
    tcase_add_test(tests, a_log_that_begins_with_its_first_step);
    tcase_add_test(tests, cycles_without_a_clock_are_counted);
    tcase_add_test(tests, nothing_is_no_launch);
    suite_add_tcase(suite, tests);
    SRunner *runner = srunner_create(suite);
    srunner_run_all(runner, CK_NORMAL);
    int n_failed = srunner_ntests_failed(runner);
    srunner_free(runner);
    return n_failed != 0;
}
