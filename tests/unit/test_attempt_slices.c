/* The time of an attempt, cut by hand-worked cases: without a log, start-up, steps, and the gaps
 * between them. */
#include "tests/support/slice_case.h"

/* ---- without a log ---- */

START_TEST(without_a_log_nothing_is_known)
{
    struct world *w = new_world(2000, 0);
    cut(w);
    expect(w, (struct expected[]){{1000, 2000, HC_WHAT_UNKNOWN, NONE, UNKNOWN, HC_RULE_NO_LOG, 0}},
           1);
    ck_assert_int_eq(w->slices[0].launch, -1);
    ck_assert_int_eq(w->slices[0].source, HC_MISSING_I32);
    free(w);
}
END_TEST

/* Phases that name the job hold without a log; the reason of the start is not known then. */
START_TEST(phases_hold_without_a_log)
{
    const struct hc_phase_span phases[] = {{1000 * S, 1040 * S, HC_PHASE_IMAGE},
                                           {1050 * S, 1060 * S, HC_PHASE_ENVIRONMENT}};
    struct world *w = new_world(2000, 0);
    w->attempt.phases = phases;
    w->attempt.n_phases = 2;
    cut(w);
    expect(
        w,
        (struct expected[]){
            {1000, 1040, HC_WHAT_STARTUP_IMAGE, HC_WHY_UNKNOWN, MEASURED, HC_RULE_PHASE, 0},
            {1040, 1050, UNSPLIT, HC_WHY_UNKNOWN, MEASURED, HC_RULE_UNMARKED_START, 0},
            {1050, 1060, HC_WHAT_STARTUP_ENVIRONMENT, HC_WHY_UNKNOWN, MEASURED, HC_RULE_PHASE, 0},
            {1060, 2000, HC_WHAT_UNKNOWN, NONE, UNKNOWN, HC_RULE_NO_LOG, 0}},
        4);
    free(w);
}
END_TEST

START_TEST(no_gpus_or_no_time_is_no_slice)
{
    struct world *w = new_world(2000, 0);
    w->attempt.gpus = 0;
    cut(w);
    ck_assert_uint_eq(w->n, 0);
    w->attempt.gpus = 8;
    w->attempt.end_ns = w->attempt.start_ns;
    cut(w);
    ck_assert_uint_eq(w->n, 0);
    w->attempt.end_ns = w->attempt.start_ns - 1;
    cut(w);
    ck_assert_uint_eq(w->n, 0);
    free(w);
}
END_TEST

/* ---- start-up ---- */

/* A phase lasts until its slowest node has ended it: fast nodes wait at the barrier, in the phase.
 * Image of both nodes from 1000 to 1030, environment of one from 1010 to 1040: 10 s of it count. */
START_TEST(phases_last_to_their_slowest_node)
{
    const struct hc_phase_span phases[] = {{1000 * S, 1030 * S, HC_PHASE_IMAGE},
                                           {1010 * S, 1040 * S, HC_PHASE_ENVIRONMENT},
                                           {1015 * S, 1040 * S, HC_PHASE_OTHER},
                                           {1060 * S, 1080 * S, HC_PHASE_LOAD},
                                           {1085 * S, 1300 * S, HC_PHASE_COMPILE}};
    struct world *w = stepping(1140);
    w->facts[0].phases = phases;
    w->facts[0].n_phases = LENGTH(phases);
    w->list[0].before = -1;
    cut(w);
    expect(w,
           (struct expected[]){
               {1000, 1030, HC_WHAT_STARTUP_IMAGE, FIRST, MEASURED, HC_RULE_PHASE, 0},
               {1030, 1040, HC_WHAT_STARTUP_ENVIRONMENT, FIRST, MEASURED, HC_RULE_PHASE, 0},
               {1040, 1050, UNSPLIT, FIRST, MEASURED, HC_RULE_BEFORE_LAUNCH, 0},
               {1050, 1060, UNSPLIT, FIRST, MEASURED, HC_RULE_UNMARKED_START, 0},
               {1060, 1080, HC_WHAT_STARTUP_LOAD, FIRST, MEASURED, HC_RULE_PHASE, 0},
               {1080, 1085, UNSPLIT, FIRST, MEASURED, HC_RULE_UNMARKED_START, 0},
               {1085, 1100, HC_WHAT_STARTUP_COMPILE, FIRST, MEASURED, HC_RULE_PHASE, 0},
               {1100, 1110, STEPS, NONE, MEASURED, HC_RULE_STEPS, 10},
               {1110, 1120, STEPS, NONE, MEASURED, HC_RULE_STEPS, 10},
               {1120, 1130, STEPS, NONE, MEASURED, HC_RULE_STEPS, 10},
               {1130, 1140, STEPS, NONE, MEASURED, HC_RULE_STEPS, 10},
           },
           11);
    free(w);
}
END_TEST

/* A fault at the 5th second after the log's last sign of life, a phase that ended at 1060: noticed
 * at 1070. The failed start is up to the middle, 1065; the image before the launch stays image. */
START_TEST(a_launch_that_never_stepped)
{
    const struct hc_phase_span phases[] = {{1000 * S, 1050 * S, HC_PHASE_IMAGE},
                                           {1050 * S, 1060 * S, HC_PHASE_INIT}};
    struct world *w = new_world(1100, 1);
    launch_at(w, 0, 1050, NO, 1070);
    w->facts[0].phases = phases;
    w->facts[0].n_phases = 2;
    w->list[0].stop = failed_stop(1070, 1070);
    cut(w);
    expect(w,
           (struct expected[]){
               {1000, 1050, HC_WHAT_STARTUP_IMAGE, FIRST, MEASURED, HC_RULE_PHASE, 0},
               {1050, 1060, HC_WHAT_STARTUP_FAILED, INFRA, MEASURED, HC_RULE_NEVER_STEPPED, 0},
               {1060, 1065, HC_WHAT_STARTUP_FAILED, INFRA, MEASURED, HC_RULE_NEVER_STEPPED, 0},
               {1065, 1070, HC_WHAT_DETECTION, INFRA, ESTIMATED, HC_RULE_FAULT_TO_NOTICE, 0},
               {1070, 1100, HC_WHAT_RECOVERY, INFRA, MEASURED, HC_RULE_NOTICE_TO_END, 0},
           },
           5);
    ck_assert_int_eq(w->slices[2].uncertain_ns, 10 * S);
    ck_assert_int_eq(w->slices[3].uncertain_ns, 10 * S);
    for (size_t i = 1; i < 5; i++)
        ck_assert_int_eq(w->slices[i].failure, 7);
    free(w);
}
END_TEST

/* Cut an attempt of a launch at second 1050 that never stepped: the rest is this. */
static void expect_rest(struct world *w, const struct expected *rest)
{
    cut(w);
    expect(w,
           (struct expected[]){{1000, 1050, UNSPLIT, FIRST, MEASURED, HC_RULE_BEFORE_LAUNCH, 0},
                               *rest},
           2);
}

/* Without a failure the rest of it was for nothing; completed, it is not known what it was. */
START_TEST(a_launch_that_never_stepped_and_did_not_fail)
{
    struct world *w = new_world(1100, 1);
    launch_at(w, 0, 1050, NO, 1070);
    w->list[0].stop.why = HC_WHY_USER;
    expect_rest(w, &(struct expected){1050, 1100, HC_WHAT_STARTUP_FAILED, HC_WHY_USER, MEASURED,
                                      HC_RULE_NEVER_STEPPED, 0});
    w->attempt.is_completed = true;
    expect_rest(
        w, &(struct expected){1050, 1100, HC_WHAT_UNKNOWN, NONE, UNKNOWN, HC_RULE_NO_STEPS, 0});
    w->attempt.is_completed = false;
    w->attempt.is_running = true;
    expect_rest(
        w, &(struct expected){1050, 1100, UNSPLIT, FIRST, MEASURED, HC_RULE_UNMARKED_START, 0});
    free(w);
}
END_TEST

/* 12 lines of one step: the first three of 4, 3 and 2 s, the others of 1 s, which is the steady
 * median. What is above it is warm-up: 3 + 2 + 1 s. */
START_TEST(warm_up_is_counted_for_its_excess)
{
    struct hc_step_row rows[12];
    int64_t end_s = 1000;
    for (int i = 0; i < 12; i++) {
        int64_t took_s = i < 3 ? 4 - i : 1;
        end_s += took_s;
        rows[i] = (struct hc_step_row){end_s * S, i + 1, 10 + i, took_s * S, 1};
    }
    ck_assert_int_eq(end_s, 1018);
    struct world *w = one_launch(1018, 1000, 1000, rows, 12);
    cut(w);
    int64_t warm_ns = 0, n_steps = 0;
    for (size_t i = 0; i < w->n; i++) {
        warm_ns += w->slices[i].what == HC_WHAT_STARTUP_WARM_UP
                       ? w->slices[i].to_ns - w->slices[i].from_ns
                       : 0;
        n_steps += w->slices[i].steps;
    }
    ck_assert_int_eq(warm_ns, 6 * S);
    ck_assert_int_eq(n_steps, 12);
    expect(w,
           (struct expected[]){
               {1000, 1003, HC_WHAT_STARTUP_WARM_UP, FIRST, MEASURED, HC_RULE_WARM_UP, 0},
               {1003, 1004, STEPS, NONE, MEASURED, HC_RULE_STEPS, 1},
               {1004, 1006, HC_WHAT_STARTUP_WARM_UP, FIRST, MEASURED, HC_RULE_WARM_UP, 0},
               {1006, 1007, STEPS, NONE, MEASURED, HC_RULE_STEPS, 1},
               {1007, 1008, HC_WHAT_STARTUP_WARM_UP, FIRST, MEASURED, HC_RULE_WARM_UP, 0},
               {1008, 1009, STEPS, NONE, MEASURED, HC_RULE_STEPS, 1},
               {1009, 1010, STEPS, NONE, MEASURED, HC_RULE_STEPS, 1},
               {1010, 1011, STEPS, NONE, MEASURED, HC_RULE_STEPS, 1},
               {1011, 1012, STEPS, NONE, MEASURED, HC_RULE_STEPS, 1},
               {1012, 1013, STEPS, NONE, MEASURED, HC_RULE_STEPS, 1},
               {1013, 1014, STEPS, NONE, MEASURED, HC_RULE_STEPS, 1},
               {1014, 1015, STEPS, NONE, MEASURED, HC_RULE_STEPS, 1},
               {1015, 1016, STEPS, NONE, MEASURED, HC_RULE_STEPS, 1},
               {1016, 1017, STEPS, NONE, MEASURED, HC_RULE_STEPS, 1},
               {1017, 1018, STEPS, NONE, MEASURED, HC_RULE_STEPS, 1},
           },
           15);
    free(w);
}
END_TEST

/* ---- gaps ---- */

/* Lines of 10 s with 5 s between: a save, an evaluation, nothing, and both at once. The save alone
 * took 5 s, so of the 12 s of both the evaluation has 7. */
START_TEST(gaps_are_of_what_is_told_in_them)
{
    const struct hc_step_row rows[] = {{1110 * S, 10, 20, S, 10},
                                       {1125 * S, 20, 21, S, 10},
                                       {1140 * S, 30, 22, S, 10},
                                       {1155 * S, 40, 23, S, 10},
                                       {1177 * S, 50, 24, S, 10}};
    const struct hc_moment_row saves[] = {{1115 * S, 15}, {1160 * S, 45}};
    const struct hc_moment_row evaluations[] = {{1130 * S, 25}, {1165 * S, 45}};
    struct world *w = one_launch(1177, 1000, 1100, rows, 5);
    w->facts[0].saves = saves;
    w->facts[0].n_saves = 2;
    w->facts[0].evaluations = evaluations;
    w->facts[0].n_evaluations = 2;
    cut(w);
    expect(w,
           (struct expected[]){
               {1000, 1100, UNSPLIT, FIRST, MEASURED, HC_RULE_UNMARKED_START, 0},
               {1100, 1110, STEPS, NONE, MEASURED, HC_RULE_STEPS, 10},
               {1110, 1115, STALL, NONE, MEASURED, HC_RULE_SAVE_IN_GAP, 0},
               {1115, 1125, STEPS, NONE, MEASURED, HC_RULE_STEPS, 10},
               {1125, 1130, HC_WHAT_EVALUATION, NONE, MEASURED, HC_RULE_EVALUATION_IN_GAP, 0},
               {1130, 1140, STEPS, NONE, MEASURED, HC_RULE_STEPS, 10},
               {1140, 1145, HC_WHAT_UNKNOWN, NONE, UNKNOWN, HC_RULE_GAP, 0},
               {1145, 1155, STEPS, NONE, MEASURED, HC_RULE_STEPS, 10},
               {1155, 1160, STALL, NONE, ESTIMATED, HC_RULE_SAVE_IN_GAP, 0},
               {1160, 1167, HC_WHAT_EVALUATION, NONE, ESTIMATED, HC_RULE_EVALUATION_IN_GAP, 0},
               {1167, 1177, STEPS, NONE, MEASURED, HC_RULE_STEPS, 10},
           },
           11);
    free(w);
}
END_TEST

/* 0.05 s of 10 are rounding, and of the steps. */
START_TEST(rounding_is_no_gap)
{
    const struct hc_step_row rows[] = {{1110 * S, 10, 20, S, 10},
                                       {1120 * S + S / 20, 20, 21, S, 10}};
    struct world *w = one_launch(1120, 1100, 1100, rows, 2);
    w->attempt.end_ns = rows[1].end_ns;
    w->attempt.start_ns = 1100 * S;
    cut(w);
    expect(w,
           (struct expected[]){{1100, 1110, STEPS, NONE, MEASURED, HC_RULE_STEPS, 10},
                               {1110, 1120.05, STEPS, NONE, MEASURED, HC_RULE_STEPS, 10}},
           2);
    free(w);
}
END_TEST

/* A log that gives no times of steps: they fill the time between lines. And one that tells of steps
 * twice counts them once. */
START_TEST(lines_without_a_duration_and_lines_told_twice)
{
    const struct hc_step_row rows[] = {
        {1110 * S, 10, 20, NO, 10}, {1112 * S, 10, 21, S, 10}, {1130 * S, 20, 22, NO, 10}};
    struct world *w = one_launch(1130, 1000, 1100, rows, 3);
    cut(w);
    expect(w,
           (struct expected[]){
               {1000, 1100, UNSPLIT, FIRST, MEASURED, HC_RULE_UNMARKED_START, 0},
               {1100, 1110, STEPS, NONE, MEASURED, HC_RULE_STEPS, 10},
               {1110, 1112, STEPS, NONE, MEASURED, HC_RULE_STEPS, 0},
               {1112, 1130, STEPS, NONE, MEASURED, HC_RULE_STEPS, 10},
           },
           4);
    free(w);
}
END_TEST

int main(void)
{
    Suite *suite = suite_create("attempt_slices");
    TCase *tests = tcase_create("cases");
    tcase_add_test(tests, without_a_log_nothing_is_known);
    tcase_add_test(tests, phases_hold_without_a_log);
    tcase_add_test(tests, no_gpus_or_no_time_is_no_slice);
    tcase_add_test(tests, phases_last_to_their_slowest_node);
    tcase_add_test(tests, a_launch_that_never_stepped);
    tcase_add_test(tests, a_launch_that_never_stepped_and_did_not_fail);
    tcase_add_test(tests, warm_up_is_counted_for_its_excess);
    tcase_add_test(tests, gaps_are_of_what_is_told_in_them);
    tcase_add_test(tests, rounding_is_no_gap);
    tcase_add_test(tests, lines_without_a_duration_and_lines_told_twice);
    suite_add_tcase(suite, tests);
    SRunner *runner = srunner_create(suite);
    srunner_run_all(runner, CK_NORMAL);
    int n_failed = srunner_ntests_failed(runner);
    srunner_free(runner);
    return n_failed != 0;
}
