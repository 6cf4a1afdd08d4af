/* The time of an attempt, cut by hand-worked cases: one for each rule, and for what rules meet.
 *
 * Attempts are of 8 GPUs and begin at second 1000. Times of the cases are seconds.
 */
#include "core/base/missing.h"
#include "models/account/tree/attempt_slices.h"

#include <check.h>
#include <stdlib.h>

#define S         ((int64_t)1000000000)
#define MOST      64
#define N_LAUNCH  4
#define NO        HC_MISSING_I64
#define WHATEVER  (-1)
#define LENGTH(a) (sizeof(a) / sizeof *(a))

static struct hc_error err;

/* An attempt with its launches, and the slices that came of it. */
struct world {
    struct hc_launch list[N_LAUNCH];
    struct hc_loss losses[N_LAUNCH];
    struct hc_launches launches;
    struct hc_launch_facts facts[N_LAUNCH];
    struct hc_attempt_facts attempt;
    size_t n;
    struct hc_slice slices[MOST];
};

static struct hc_stop planned_stop(void)
{
    return (struct hc_stop){.why = HC_WHY_PLANNED,
                            .evidence = HC_EVIDENCE_NONE,
                            .failure = -1,
                            .notice_ns = NO,
                            .fault_high_ns = NO};
}

/* An infrastructure's failure, whose number is 7, noticed at a second. */
static struct hc_stop failed_stop(int64_t high_s, int64_t notice_s)
{
    return (struct hc_stop){.why = HC_WHY_INFRASTRUCTURE,
                            .evidence = HC_EVIDENCE_LIKELY,
                            .failure = 7,
                            .notice_ns = notice_s * S,
                            .fault_high_ns = high_s * S};
}

/* An attempt from second 1000 to end_s whose time was up; n launches that are to be filled. */
static struct world *new_world(int64_t end_s, size_t n)
{
    struct world *w = calloc(1, sizeof *w);
    w->launches = (struct hc_launches){.n = n, .list = w->list, .losses = w->losses};
    for (size_t i = 0; i < n; i++) {
        w->list[i] = (struct hc_launch){.start_ns = NO,
                                        .first_step_ns = NO,
                                        .end_ns = NO,
                                        .first_iteration = NO,
                                        .last_iteration = NO,
                                        .resumed_iteration = NO,
                                        .saved_iteration = NO,
                                        .line = 1,
                                        .run = 0,
                                        .number = (int32_t)i,
                                        .world_size = HC_MISSING_I32,
                                        .source = 5,
                                        .is_last = i + 1 == n,
                                        .before = (int32_t)i - 1,
                                        .stop = planned_stop()};
        w->facts[i].launch = &w->list[i];
    }
    w->attempt = (struct hc_attempt_facts){.start_ns = 1000 * S,
                                           .end_ns = end_s * S,
                                           .as_of_ns = (end_s + 3600) * S,
                                           .gpus = 8,
                                           .n_launches = n,
                                           .launches = w->facts};
    return w;
}

/* Say of a launch when its log begins, its first step, and its log ends; it steps behind an
 * iteration. */
static void launch_at(struct world *w, size_t i, int64_t start_s, int64_t first_step_s,
                      int64_t end_s)
{
    w->list[i].start_ns = start_s * S;
    w->list[i].first_step_ns = first_step_s == NO ? NO : first_step_s * S;
    w->list[i].end_ns = end_s * S;
}

static void step_rows(struct world *w, size_t i, const struct hc_step_row *rows, size_t n)
{
    w->facts[i].steps = rows;
    w->facts[i].n_steps = n;
    w->list[i].first_iteration = rows[0].iteration - rows[0].iterations + 1;
    w->list[i].last_iteration = rows[n - 1].iteration;
    w->list[i].resumed_iteration = w->list[i].first_iteration - 1;
}

static enum hc_status take(const struct hc_slice *slice, void *context, struct hc_error *why)
{
    struct world *w = context;
    (void)why;
    ck_assert_uint_lt(w->n, MOST);
    w->slices[w->n++] = *slice;
    return HC_OK;
}

static void cut(struct world *w)
{
    w->n = 0;
    ck_assert_msg(
        !hc_attempt_slices(&w->attempt, &w->launches, &(struct hc_slice_sink){take, w}, &err), "%s",
        err.message);
}

/* A slice as a case expects it: to the next one's beginning. steps: WHATEVER is not looked at. */
struct expected {
    double from_s, to_s;
    enum hc_what what;
    enum hc_why why;
    enum hc_mark mark;
    enum hc_slice_rule rule;
    int64_t steps;
};

static void expect(const struct world *w, const struct expected *expected, size_t n)
{
    for (size_t i = 0; i < n && i < w->n; i++) {
        const struct hc_slice *is = &w->slices[i];
        const struct expected *e = &expected[i];
        ck_assert_msg(is->from_ns == (int64_t)(e->from_s * 1e9) &&
                          is->to_ns == (int64_t)(e->to_s * 1e9) && is->what == e->what &&
                          is->why == e->why && is->mark == e->mark && is->rule == e->rule,
                      "slice %zu is %.3f-%.3f %s/%s %s %s", i, (double)is->from_ns * 1e-9,
                      (double)is->to_ns * 1e-9, hc_what_name(is->what), hc_why_name(is->why),
                      hc_mark_name(is->mark), hc_slice_rule_name(is->rule));
        if (e->steps != WHATEVER)
            ck_assert_int_eq(is->steps, e->steps);
    }
    ck_assert_uint_eq(w->n, n);
}

#define MEASURED  HC_MARK_MEASURED
#define ESTIMATED HC_MARK_ESTIMATED
#define UNKNOWN   HC_MARK_UNKNOWN
#define FIRST     HC_WHY_FIRST_START
#define INFRA     HC_WHY_INFRASTRUCTURE
#define PLANNED   HC_WHY_PLANNED
#define NONE      HC_WHY_NONE
#define STEPS     HC_WHAT_PRODUCTIVE_UNSPLIT
#define LOST      HC_WHAT_LOST_WORK
#define STALL     HC_WHAT_CHECKPOINT_STALL
#define UNSPLIT   HC_WHAT_STARTUP_UNSPLIT

/* 4 lines of 10 steps of 1 s from second 1100 on. */
static const struct hc_step_row four_rows[] = {{1110 * S, 10, 20, S, 10},
                                               {1120 * S, 20, 21, S, 10},
                                               {1130 * S, 30, 22, S, 10},
                                               {1140 * S, 40, 23, S, 10}};

/* One launch that steps at these rows, and whose time is up at second 1141. */
static struct world *stepping(int64_t end_s)
{
    struct world *w = new_world(end_s, 1);
    launch_at(w, 0, 1050, 1100, 1140);
    step_rows(w, 0, four_rows, 4);
    w->list[0].saved_iteration = 40;
    return w;
}

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

/* Without a failure the rest of it was for nothing; completed, it is not known what it was. */
START_TEST(a_launch_that_never_stepped_and_did_not_fail)
{
    struct world *w = new_world(1100, 1);
    launch_at(w, 0, 1050, NO, 1070);
    w->list[0].stop.why = HC_WHY_USER;
    cut(w);
    expect(w,
           (struct expected[]){{1000, 1050, UNSPLIT, FIRST, MEASURED, HC_RULE_BEFORE_LAUNCH, 0},
                               {1050, 1100, HC_WHAT_STARTUP_FAILED, HC_WHY_USER, MEASURED,
                                HC_RULE_NEVER_STEPPED, 0}},
           2);
    w->attempt.is_completed = true;
    cut(w);
    expect(w,
           (struct expected[]){{1000, 1050, UNSPLIT, FIRST, MEASURED, HC_RULE_BEFORE_LAUNCH, 0},
                               {1050, 1100, HC_WHAT_UNKNOWN, NONE, UNKNOWN, HC_RULE_NO_STEPS, 0}},
           2);
    w->attempt.is_completed = false;
    w->attempt.is_running = true;
    cut(w);
    expect(w,
           (struct expected[]){{1000, 1050, UNSPLIT, FIRST, MEASURED, HC_RULE_BEFORE_LAUNCH, 0},
                               {1050, 1100, UNSPLIT, FIRST, MEASURED, HC_RULE_UNMARKED_START, 0}},
           2);
    free(w);
}
END_TEST

/* 12 lines of one step: the first three of 4, 3 and 2 s, the others of 1 s, which is the steady
 * median. What is above it is warm-up: 3 + 2 + 1 s. */
START_TEST(warm_up_is_counted_for_its_excess)
{
    struct hc_step_row rows[12];
    struct world *w = new_world(1018, 1);
    int64_t end_s = 1000;
    for (int i = 0; i < 12; i++) {
        int64_t took_s = i < 3 ? 4 - i : 1;
        end_s += took_s;
        rows[i] = (struct hc_step_row){end_s * S, i + 1, 10 + i, took_s * S, 1};
    }
    ck_assert_int_eq(end_s, 1018);
    launch_at(w, 0, 1000, 1000, 1018);
    step_rows(w, 0, rows, 12);
    w->list[0].saved_iteration = 12;
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
    struct world *w = new_world(1177, 1);
    launch_at(w, 0, 1000, 1100, 1177);
    step_rows(w, 0, rows, 5);
    w->facts[0].saves = saves;
    w->facts[0].n_saves = 2;
    w->facts[0].evaluations = evaluations;
    w->facts[0].n_evaluations = 2;
    w->list[0].saved_iteration = 50;
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
    struct world *w = new_world(1120, 1);
    w->attempt.end_ns = rows[1].end_ns;
    launch_at(w, 0, 1100, 1100, 1120);
    w->attempt.start_ns = 1100 * S;
    step_rows(w, 0, rows, 2);
    w->list[0].saved_iteration = 20;
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
    struct world *w = new_world(1130, 1);
    launch_at(w, 0, 1000, 1100, 1130);
    step_rows(w, 0, rows, 3);
    w->list[0].saved_iteration = 20;
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
    tcase_add_test(tests, a_fault_between_two_lines);
    tcase_add_test(tests, a_hang_is_bounded_by_its_watchdog);
    tcase_add_test(tests, a_watchdog_that_contradicts_the_log);
    tcase_add_test(tests, what_is_above_the_last_checkpoint);
    tcase_add_test(tests, without_a_checkpoint_all_is_at_risk);
    tcase_add_test(tests, steps_at_pace_until_the_next_line_is_due);
    tcase_add_test(tests, a_save_behind_the_last_line);
    tcase_add_test(tests, behind_the_end_of_the_training);
    tcase_add_test(tests, a_restart_in_place);
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
