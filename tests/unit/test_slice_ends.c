/* The time of an attempt, cut by hand-worked cases: how launches end, what is lost by that, several
 * launches, and fewer ranks than GPUs. */
#include "tests/support/slice_case.h"

/* ---- ends ---- */

/* Last line at 1140, noticed at 1160: the fault is taken to be at 1150. What no line tells of up to
 * there is lost by it. */
START_TEST(a_fault_between_two_lines)
{
    struct world *w = stepping(1200);
    w->list[0].stop = failed_stop(1160, 1160);
    cut(w);
    expect(w,
           (struct expected[]){
               {1000, 1050, UNSPLIT, FIRST, MEASURED, HC_RULE_BEFORE_LAUNCH, 0},
               {1050, 1100, UNSPLIT, FIRST, MEASURED, HC_RULE_UNMARKED_START, 0},
               {1100, 1110, STEPS, NONE, MEASURED, HC_RULE_STEPS, 10},
               {1110, 1120, STEPS, NONE, MEASURED, HC_RULE_STEPS, 10},
               {1120, 1130, STEPS, NONE, MEASURED, HC_RULE_STEPS, 10},
               {1130, 1140, STEPS, NONE, MEASURED, HC_RULE_STEPS, 10},
               {1140, 1150, LOST, INFRA, ESTIMATED, HC_RULE_AT_RISK, 0},
               {1150, 1160, HC_WHAT_DETECTION, INFRA, ESTIMATED, HC_RULE_FAULT_TO_NOTICE, 0},
               {1160, 1200, HC_WHAT_RECOVERY, INFRA, MEASURED, HC_RULE_NOTICE_TO_END, 0},
           },
           9);
    ck_assert_int_eq(w->slices[6].uncertain_ns, 20 * S);
    ck_assert_int_eq(w->slices[7].uncertain_ns, 20 * S);
    ck_assert_int_eq(w->slices[8].failure, 7);
    ck_assert_int_eq(w->slices[8].evidence, HC_EVIDENCE_LIKELY);
    free(w);
}
END_TEST

/* A watchdog of 600 s that fired at 1760 bounds the fault by 1160: the middle is 1150, and the rest
 * of the 610 s is detection. */
START_TEST(a_hang_is_bounded_by_its_watchdog)
{
    struct world *w = stepping(1800);
    w->list[0].stop = failed_stop(1160, 1760);
    cut(w);
    ck_assert_uint_eq(w->n, 9);
    expect(w,
           (struct expected[]){
               {1000, 1050, UNSPLIT, FIRST, MEASURED, HC_RULE_BEFORE_LAUNCH, 0},
               {1050, 1100, UNSPLIT, FIRST, MEASURED, HC_RULE_UNMARKED_START, 0},
               {1100, 1110, STEPS, NONE, MEASURED, HC_RULE_STEPS, 10},
               {1110, 1120, STEPS, NONE, MEASURED, HC_RULE_STEPS, 10},
               {1120, 1130, STEPS, NONE, MEASURED, HC_RULE_STEPS, 10},
               {1130, 1140, STEPS, NONE, MEASURED, HC_RULE_STEPS, 10},
               {1140, 1150, LOST, INFRA, ESTIMATED, HC_RULE_AT_RISK, 0},
               {1150, 1760, HC_WHAT_DETECTION, INFRA, ESTIMATED, HC_RULE_FAULT_TO_NOTICE, 0},
               {1760, 1800, HC_WHAT_RECOVERY, INFRA, MEASURED, HC_RULE_NOTICE_TO_END, 0},
           },
           9);
    ck_assert_int_eq(w->slices[7].uncertain_ns, 20 * S);
    free(w);
}
END_TEST

/* A watchdog whose collective began before the last line, which the log told before it wrote: the
 * fault is at the last line, and certain. */
START_TEST(a_watchdog_that_contradicts_the_log)
{
    struct world *w = stepping(1800);
    w->list[0].stop = failed_stop(1120, 1760);
    cut(w);
    ck_assert_int_eq(w->slices[6].what, HC_WHAT_DETECTION);
    ck_assert_int_eq(w->slices[6].from_ns, 1140 * S);
    ck_assert_int_eq(w->slices[6].to_ns, 1760 * S);
    ck_assert_int_eq(w->slices[6].mark, MEASURED);
    ck_assert_int_eq(w->slices[6].uncertain_ns, 0);
    free(w);
}
END_TEST

/* The last checkpoint is of iteration 25: steps 26 to 40 are at risk, half of the third line too.
 * A week after the end nobody had gone on: abandoned. */
START_TEST(what_is_above_the_last_checkpoint)
{
    struct world *w = stepping(1140);
    w->list[0].saved_iteration = 25;
    cut(w);
    struct expected expected[] = {
        {1000, 1050, UNSPLIT, FIRST, MEASURED, HC_RULE_BEFORE_LAUNCH, 0},
        {1050, 1100, UNSPLIT, FIRST, MEASURED, HC_RULE_UNMARKED_START, 0},
        {1100, 1110, STEPS, NONE, MEASURED, HC_RULE_STEPS, 10},
        {1110, 1120, STEPS, NONE, MEASURED, HC_RULE_STEPS, 10},
        {1120, 1125, STEPS, NONE, MEASURED, HC_RULE_STEPS, 5},
        {1125, 1130, LOST, PLANNED, ESTIMATED, HC_RULE_AT_RISK, 5},
        {1130, 1140, LOST, PLANNED, ESTIMATED, HC_RULE_AT_RISK, 10},
    };
    expect(w, expected, 7);
    w->attempt.as_of_ns = w->attempt.end_ns + HC_ABANDONED_NS;
    cut(w);
    expect(w, expected, 7);
    w->attempt.as_of_ns++;
    cut(w);
    for (int i = 5; i < 7; i++) {
        expected[i].what = HC_WHAT_ABANDONED;
        expected[i].rule = HC_RULE_ABANDONED;
    }
    expect(w, expected, 7);
    /* Of one that runs, that came to its own end, or that says that it is done, nothing is. */
    for (int i = 4; i < 7; i++)
        expected[i] = (struct expected){
            1120 + (i - 4) * 10, 1130 + (i - 4) * 10, STEPS, NONE, MEASURED, HC_RULE_STEPS, 10};
    for (int k = 0; k < 3; k++) {
        w->attempt.is_running = k == 0;
        w->attempt.is_completed = k == 1;
        w->list[0].is_done = k == 2;
        cut(w);
        expect(w, expected, 6);
    }
    free(w);
}
END_TEST

/* Without a checkpoint all that the launch made is at risk. */
START_TEST(without_a_checkpoint_all_is_at_risk)
{
    struct world *w = stepping(1140);
    w->list[0].saved_iteration = NO;
    cut(w);
    for (size_t i = 2; i < w->n; i++)
        ck_assert_int_eq(w->slices[i].what, LOST);
    ck_assert_uint_eq(w->n, 6);
    free(w);
}
END_TEST

/* A time limit ends an attempt 4 s into the next line: these steps count, since the launch that
 * went on took no more than what is above 40. Its line was due at 1155 at the latest: what is
 * behind that nothing explains. */
START_TEST(steps_at_pace_until_the_next_line_is_due)
{
    struct world *w = stepping(1144);
    w->list[0].goes_on = true;
    cut(w);
    ck_assert_uint_eq(w->n, 7);
    ck_assert_int_eq(w->slices[6].what, STEPS);
    ck_assert_int_eq(w->slices[6].rule, HC_RULE_STEPS_AT_PACE);
    ck_assert_int_eq(w->slices[6].mark, ESTIMATED);
    ck_assert_int_eq(w->slices[6].to_ns, 1144 * S);
    w->attempt.end_ns = 1200 * S;
    cut(w);
    ck_assert_uint_eq(w->n, 8);
    ck_assert_int_eq(w->slices[6].to_ns, 1155 * S);
    ck_assert_int_eq(w->slices[7].what, HC_WHAT_UNKNOWN);
    ck_assert_int_eq(w->slices[7].rule, HC_RULE_BEYOND_PACE);
    free(w);
}
END_TEST

/* A save of iteration 45 behind the last line, as one before took 2 s: 5 s of steps, 2 s of stall,
 * then the steps that the end cut short. */
START_TEST(a_save_behind_the_last_line)
{
    const struct hc_step_row rows[] = {{1110 * S, 10, 20, S, 10},
                                       {1122 * S, 20, 21, S, 10},
                                       {1132 * S, 30, 22, S, 10},
                                       {1142 * S, 40, 23, S, 10}};
    const struct hc_moment_row saves[] = {{1117 * S, 15}, {1149 * S, 45}};
    struct world *w = new_world(1150, 1);
    launch_at(w, 0, 1100, 1100, 1149);
    w->attempt.start_ns = 1100 * S;
    step_rows(w, 0, rows, 4);
    w->facts[0].saves = saves;
    w->facts[0].n_saves = 2;
    w->list[0].saved_iteration = 45;
    cut(w);
    expect(w,
           (struct expected[]){
               {1100, 1110, STEPS, NONE, MEASURED, HC_RULE_STEPS, 10},
               {1110, 1112, STALL, NONE, MEASURED, HC_RULE_SAVE_IN_GAP, 0},
               {1112, 1122, STEPS, NONE, MEASURED, HC_RULE_STEPS, 10},
               {1122, 1132, STEPS, NONE, MEASURED, HC_RULE_STEPS, 10},
               {1132, 1142, STEPS, NONE, MEASURED, HC_RULE_STEPS, 10},
               {1142, 1147, STEPS, NONE, ESTIMATED, HC_RULE_STEPS_AT_PACE, 5},
               {1147, 1149, STALL, NONE, ESTIMATED, HC_RULE_SAVE_AS_OTHERS, 0},
               {1149, 1150, LOST, PLANNED, ESTIMATED, HC_RULE_AT_RISK, 0},
           },
           8);
    free(w);
}
END_TEST

/* The training is done at 1142; the allocation went on for 20 s. */
START_TEST(behind_the_end_of_the_training)
{
    struct world *w = stepping(1162);
    w->list[0].end_ns = 1142 * S;
    w->list[0].is_done = true;
    cut(w);
    ck_assert_uint_eq(w->n, 8);
    ck_assert_int_eq(w->slices[6].what, STEPS);
    ck_assert_int_eq(w->slices[6].rule, HC_RULE_STEPS_AT_PACE);
    ck_assert_int_eq(w->slices[7].what, HC_WHAT_IDLE_AFTER);
    ck_assert_int_eq(w->slices[7].rule, HC_RULE_TRAINING_DONE);
    ck_assert_int_eq(w->slices[7].from_ns, 1142 * S);
    ck_assert_int_eq(w->slices[7].to_ns, 1162 * S);
    free(w);
}
END_TEST

/* The training is done half a second behind its last line, less than a step takes, and the last
 * step was saved behind that line: the time is the save's. A save from before the line says
 * nothing, and in 10 s there may have been steps. */
START_TEST(a_training_that_ends_with_a_save)
{
    struct hc_moment_row save = {1140 * S, 40};
    struct world *w = stepping(1160);
    w->facts[0].saves = &save;
    w->facts[0].n_saves = 1;
    w->list[0].saved_iteration = 40;
    w->list[0].is_done = true;
    w->list[0].end_ns = 1140 * S + S / 2;
    cut(w);
    ck_assert_int_eq(w->slices[w->n - 2].what, STALL);
    ck_assert_int_eq(w->slices[w->n - 2].mark, ESTIMATED);
    ck_assert_int_eq(w->slices[w->n - 2].from_ns, 1140 * S);
    ck_assert_int_eq(w->slices[w->n - 2].to_ns, 1140 * S + S / 2);
    ck_assert_int_eq(w->slices[w->n - 1].what, HC_WHAT_IDLE_AFTER);
    save.time_ns = 1130 * S;
    cut(w);
    ck_assert_int_eq(w->slices[w->n - 2].what, STEPS);
    save.time_ns = 1140 * S;
    w->list[0].end_ns = 1150 * S;
    cut(w);
    ck_assert_int_eq(w->slices[w->n - 2].what, STEPS);
    ck_assert_int_eq(w->slices[w->n - 2].to_ns, 1150 * S);
    free(w);
}
END_TEST

/* ---- several launches ---- */

/* A restart in place: the first launch made 40 steps, was cut by a fault between 1140 and 1150, and
 * the second resumed behind 20. Steps 21 to 40 are lost, and what no line tells of; the start of
 * the second is of the same failure. */
START_TEST(a_restart_in_place)
{
    const struct hc_step_row again[] = {{1210 * S, 30, 40, S, 10}, {1220 * S, 40, 41, S, 10}};
    struct world *w = new_world(1220, 2);
    launch_at(w, 0, 1000, 1100, 1150);
    step_rows(w, 0, four_rows, 4);
    launch_at(w, 1, 1160, 1200, 1220);
    step_rows(w, 1, again, 2);
    w->list[0].stop = failed_stop(1150, 1150);
    w->list[0].goes_on = true;
    w->losses[0] = (struct hc_loss){20, 0};
    w->list[0].n_losses = 1;
    w->list[1].saved_iteration = 40;
    cut(w);
    expect(w,
           (struct expected[]){
               {1000, 1100, UNSPLIT, FIRST, MEASURED, HC_RULE_UNMARKED_START, 0},
               {1100, 1110, STEPS, NONE, MEASURED, HC_RULE_STEPS, 10},
               {1110, 1120, STEPS, NONE, MEASURED, HC_RULE_STEPS, 10},
               {1120, 1130, LOST, INFRA, MEASURED, HC_RULE_RESUMED_BELOW, 10},
               {1130, 1140, LOST, INFRA, MEASURED, HC_RULE_RESUMED_BELOW, 10},
               {1140, 1145, LOST, INFRA, ESTIMATED, HC_RULE_RESUMED_BELOW, 0},
               {1145, 1150, HC_WHAT_DETECTION, INFRA, ESTIMATED, HC_RULE_FAULT_TO_NOTICE, 0},
               {1150, 1160, HC_WHAT_RECOVERY, INFRA, MEASURED, HC_RULE_NOTICE_TO_LAUNCH, 0},
               {1160, 1200, UNSPLIT, INFRA, MEASURED, HC_RULE_UNMARKED_START, 0},
               {1200, 1210, STEPS, NONE, MEASURED, HC_RULE_STEPS, 10},
               {1210, 1220, STEPS, NONE, MEASURED, HC_RULE_STEPS, 10},
           },
           11);
    for (size_t i = 3; i < 9; i++)
        ck_assert_int_eq(w->slices[i].failure, 7);
    free(w);
}
END_TEST

/* The same, with phases of the second launch that are marked from 1153 on, before its log begins at
 * 1160: recovery is until then. A phase from before the end of the first launch says nothing. The
 * log tells of the first step from 1199 on, and its lines from 1200: that is start-up yet. */
START_TEST(a_restart_in_place_with_marks)
{
    const struct hc_step_row again[] = {{1210 * S, 30, 40, S, 10}, {1220 * S, 40, 41, S, 10}};
    const struct hc_phase_span phases[] = {{1120 * S, 1130 * S, HC_PHASE_ENVIRONMENT},
                                           {1153 * S, 1170 * S, HC_PHASE_LOAD}};
    struct world *w = new_world(1220, 2);
    launch_at(w, 0, 1000, 1100, 1150);
    step_rows(w, 0, four_rows, 4);
    launch_at(w, 1, 1160, 1199, 1220);
    step_rows(w, 1, again, 2);
    w->facts[1].phases = phases;
    w->facts[1].n_phases = 2;
    w->list[0].stop = failed_stop(1150, 1150);
    w->list[0].goes_on = true;
    w->losses[0] = (struct hc_loss){20, 0};
    w->list[0].n_losses = 1;
    w->list[1].saved_iteration = 40;
    cut(w);
    expect(w,
           (struct expected[]){
               {1000, 1100, UNSPLIT, FIRST, MEASURED, HC_RULE_UNMARKED_START, 0},
               {1100, 1110, STEPS, NONE, MEASURED, HC_RULE_STEPS, 10},
               {1110, 1120, STEPS, NONE, MEASURED, HC_RULE_STEPS, 10},
               {1120, 1130, LOST, INFRA, MEASURED, HC_RULE_RESUMED_BELOW, 10},
               {1130, 1140, LOST, INFRA, MEASURED, HC_RULE_RESUMED_BELOW, 10},
               {1140, 1145, LOST, INFRA, ESTIMATED, HC_RULE_RESUMED_BELOW, 0},
               {1145, 1150, HC_WHAT_DETECTION, INFRA, ESTIMATED, HC_RULE_FAULT_TO_NOTICE, 0},
               {1150, 1153, HC_WHAT_RECOVERY, INFRA, MEASURED, HC_RULE_NOTICE_TO_LAUNCH, 0},
               {1153, 1170, HC_WHAT_STARTUP_LOAD, INFRA, MEASURED, HC_RULE_PHASE, 0},
               {1170, 1199, UNSPLIT, INFRA, MEASURED, HC_RULE_UNMARKED_START, 0},
               {1199, 1200, UNSPLIT, INFRA, MEASURED, HC_RULE_UNMARKED_START, 0},
               {1200, 1210, STEPS, NONE, MEASURED, HC_RULE_STEPS, 10},
               {1210, 1220, STEPS, NONE, MEASURED, HC_RULE_STEPS, 10},
           },
           13);
    free(w);
}
END_TEST

/* Two launches went on, the second from further back: of the first's steps, those above 30 are lost
 * by its own end, those above 15 by that of the next. */
START_TEST(a_rollback_that_goes_back_further_on)
{
    struct world *w = stepping(1140);
    w->launches.n = 2;
    w->list[1] = (struct hc_launch){.stop = {.why = HC_WHY_USER, .failure = 9}, .before = 0};
    w->list[0].goes_on = true;
    w->losses[0] = (struct hc_loss){30, 0};
    w->losses[1] = (struct hc_loss){15, 1};
    w->list[0].n_losses = 2;
    cut(w);
    expect(w,
           (struct expected[]){
               {1000, 1050, UNSPLIT, FIRST, MEASURED, HC_RULE_BEFORE_LAUNCH, 0},
               {1050, 1100, UNSPLIT, FIRST, MEASURED, HC_RULE_UNMARKED_START, 0},
               {1100, 1110, STEPS, NONE, MEASURED, HC_RULE_STEPS, 10},
               {1110, 1115, STEPS, NONE, MEASURED, HC_RULE_STEPS, 5},
               {1115, 1120, LOST, HC_WHY_USER, MEASURED, HC_RULE_RESUMED_BELOW, 5},
               {1120, 1130, LOST, HC_WHY_USER, MEASURED, HC_RULE_RESUMED_BELOW, 10},
               {1130, 1140, LOST, PLANNED, MEASURED, HC_RULE_RESUMED_BELOW, 10},
           },
           7);
    free(w);
}
END_TEST

/* A launch that a plan ended, and that another followed in place, without a failure that is told.
 */
START_TEST(a_relaunch_without_a_failure)
{
    struct world *w = new_world(1300, 2);
    launch_at(w, 0, 1000, 1100, 1140);
    step_rows(w, 0, four_rows, 4);
    launch_at(w, 1, 1200, NO, 1210);
    w->list[0].saved_iteration = 40;
    w->attempt.is_running = true;
    cut(w);
    ck_assert_int_eq(w->slices[w->n - 2].what, HC_WHAT_RECOVERY);
    ck_assert_int_eq(w->slices[w->n - 2].mark, ESTIMATED);
    ck_assert_int_eq(w->slices[w->n - 2].from_ns, 1155 * S); /* the next line was due */
    ck_assert_int_eq(w->slices[w->n - 1].what, UNSPLIT);
    ck_assert_int_eq(w->slices[w->n - 1].from_ns, 1200 * S);
    free(w);
}
END_TEST

/* ---- fewer ranks than GPUs ---- */

static hc_gpu_ns sum_of(const struct world *w, enum hc_what what)
{
    hc_gpu_ns sum = 0;
    for (size_t i = 0; i < w->n; i++)
        sum += w->slices[i].what == what ? hc_slice_gpu_ns(&w->slices[i]) : 0;
    return sum;
}

/* 6 ranks in an allocation of 8 GPUs: two are standbys, all the time. */
START_TEST(standbys_are_what_no_rank_is_on)
{
    struct world *w = stepping(1140);
    w->list[0].world_size = 6;
    cut(w);
    ck_assert(sum_of(w, HC_WHAT_STANDBY_IDLE) == (hc_gpu_ns)140 * S * 2);
    ck_assert(sum_of(w, STEPS) == (hc_gpu_ns)40 * S * 6);
    ck_assert(sum_of(w, HC_WHAT_DEGRADED) == 0);
    w->list[0].world_size = 16; /* more ranks than GPUs: none is left out */
    cut(w);
    ck_assert(sum_of(w, HC_WHAT_STANDBY_IDLE) == 0);
    ck_assert(sum_of(w, STEPS) == (hc_gpu_ns)40 * S * 8);
    free(w);
}
END_TEST

/* A launch of 8 ranks, then one of 6: its two GPUs are degraded while it steps, by the failure;
 * while it starts they are of its start-up. */
START_TEST(degraded_is_what_a_smaller_launch_leaves_out)
{
    const struct hc_step_row again[] = {{1210 * S, 50, 40, S, 10}, {1220 * S, 60, 41, S, 10}};
    struct world *w = new_world(1220, 2);
    launch_at(w, 0, 1000, 1100, 1150);
    step_rows(w, 0, four_rows, 4);
    launch_at(w, 1, 1160, 1200, 1220);
    step_rows(w, 1, again, 2);
    w->list[0].world_size = 8;
    w->list[1].world_size = 6;
    w->list[0].stop = failed_stop(1150, 1150);
    w->list[0].goes_on = true;
    w->list[1].saved_iteration = 60;
    cut(w);
    ck_assert(sum_of(w, HC_WHAT_DEGRADED) == (hc_gpu_ns)20 * S * 2);
    ck_assert(sum_of(w, HC_WHAT_STANDBY_IDLE) == 0);
    ck_assert(sum_of(w, UNSPLIT) == (hc_gpu_ns)140 * S * 8);
    const struct hc_slice *last = &w->slices[w->n - 1];
    ck_assert_int_eq(last->what, HC_WHAT_DEGRADED);
    ck_assert_int_eq(last->why, INFRA);
    ck_assert_int_eq(last->failure, 7);
    ck_assert_int_eq(last->rule, HC_RULE_SMALLER_WORLD);
    free(w);
}
END_TEST

int main(void)
{
    Suite *suite = suite_create("slice_ends");
    TCase *tests = tcase_create("cases");
    tcase_add_test(tests, a_fault_between_two_lines);
    tcase_add_test(tests, a_hang_is_bounded_by_its_watchdog);
    tcase_add_test(tests, a_watchdog_that_contradicts_the_log);
    tcase_add_test(tests, what_is_above_the_last_checkpoint);
    tcase_add_test(tests, without_a_checkpoint_all_is_at_risk);
    tcase_add_test(tests, steps_at_pace_until_the_next_line_is_due);
    tcase_add_test(tests, a_save_behind_the_last_line);
    tcase_add_test(tests, behind_the_end_of_the_training);
    tcase_add_test(tests, a_training_that_ends_with_a_save);
    tcase_add_test(tests, a_restart_in_place);
    tcase_add_test(tests, a_restart_in_place_with_marks);
    tcase_add_test(tests, a_rollback_that_goes_back_further_on);
    tcase_add_test(tests, a_relaunch_without_a_failure);
    tcase_add_test(tests, standbys_are_what_no_rank_is_on);
    tcase_add_test(tests, degraded_is_what_a_smaller_launch_leaves_out);
    suite_add_tcase(suite, tests);
    SRunner *runner = srunner_create(suite);
    srunner_run_all(runner, CK_NORMAL);
    int n_failed = srunner_ntests_failed(runner);
    srunner_free(runner);
    return n_failed != 0;
}
