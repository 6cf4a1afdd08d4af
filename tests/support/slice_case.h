/* slice_case.h - attempts that are put together by hand, and what their slices are expected to be.
 *
 * Attempts are of 8 GPUs and begin at second 1000. Times of the cases are seconds.
 */
#ifndef HC_TESTS_SUPPORT_SLICE_CASE_H
#define HC_TESTS_SUPPORT_SLICE_CASE_H

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

static struct hc_error slice_case_err;

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

__attribute__((unused)) static struct hc_stop planned_stop(void)
{
    return (struct hc_stop){.why = HC_WHY_PLANNED,
                            .evidence = HC_EVIDENCE_NONE,
                            .failure = -1,
                            .notice_ns = NO,
                            .event_ns = NO,
                            .fault_high_ns = NO};
}

/* An infrastructure's failure, whose number is 7, noticed at a second. */
__attribute__((unused)) static struct hc_stop failed_stop(int64_t high_s, int64_t notice_s)
{
    return (struct hc_stop){.why = HC_WHY_INFRASTRUCTURE,
                            .evidence = HC_EVIDENCE_LIKELY,
                            .failure = 7,
                            .notice_ns = notice_s * S,
                            .event_ns = NO,
                            .fault_high_ns = high_s * S};
}

/* An attempt from second 1000 to end_s whose time was up; n launches that are to be filled. */
__attribute__((unused)) static struct world *new_world(int64_t end_s, size_t n)
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
__attribute__((unused)) static void launch_at(struct world *w, size_t i, int64_t start_s,
                                              int64_t first_step_s, int64_t end_s)
{
    w->list[i].start_ns = start_s * S;
    w->list[i].first_step_ns = first_step_s == NO ? NO : first_step_s * S;
    w->list[i].end_ns = end_s * S;
}

__attribute__((unused)) static void step_rows(struct world *w, size_t i,
                                              const struct hc_step_row *rows, size_t n)
{
    w->facts[i].steps = rows;
    w->facts[i].n_steps = n;
    w->list[i].first_iteration = rows[0].iteration - rows[0].iterations + 1;
    w->list[i].last_iteration = rows[n - 1].iteration;
    w->list[i].resumed_iteration = w->list[i].first_iteration - 1;
}

__attribute__((unused)) static enum hc_status take(const struct hc_slice *slice, void *context,
                                                   struct hc_error *why)
{
    struct world *w = context;
    (void)why;
    ck_assert_uint_lt(w->n, MOST);
    w->slices[w->n++] = *slice;
    return HC_OK;
}

__attribute__((unused)) static void cut(struct world *w)
{
    w->n = 0;
    ck_assert_msg(!hc_attempt_slices(&w->attempt, &w->launches, &(struct hc_slice_sink){take, w},
                                     &slice_case_err),
                  "%s", slice_case_err.message);
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

__attribute__((unused)) static void expect(const struct world *w, const struct expected *expected,
                                           size_t n)
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
__attribute__((unused)) static const struct hc_step_row four_rows[] = {{1110 * S, 10, 20, S, 10},
                                                                       {1120 * S, 20, 21, S, 10},
                                                                       {1130 * S, 30, 22, S, 10},
                                                                       {1140 * S, 40, 23, S, 10}};

/* An attempt of one launch whose log begins at a second and ends with the last of its rows, which
 * was saved. */
__attribute__((unused)) static struct world *one_launch(int64_t end_s, int64_t start_s,
                                                        int64_t first_step_s,
                                                        const struct hc_step_row *rows, size_t n)
{
    struct world *w = new_world(end_s, 1);
    launch_at(w, 0, start_s, first_step_s, end_s);
    step_rows(w, 0, rows, n);
    w->list[0].end_ns = rows[n - 1].end_ns;
    w->list[0].saved_iteration = rows[n - 1].iteration;
    return w;
}

/* One launch that steps at the four rows, and whose time is up at a second. */
__attribute__((unused)) static struct world *stepping(int64_t end_s)
{
    return one_launch(end_s, 1050, 1100, four_rows, 4);
}

#endif
