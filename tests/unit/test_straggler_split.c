/* Productive steps divided by timelines: cases worked out by hand, and slices that keep time and
 * steps. */
#include "core/base/missing.h"
#include "models/account/tree/straggler_split.h"
#include "models/steps/step_dates.h"

#include <check.h>
#include <math.h>
#include <string.h>

#define S     ((int64_t)1000000000)
#define START (2000000 * 900 * S) /* a quarter of an hour */

struct taken {
    size_t n;
    struct hc_slice slices[4096];
};

static struct taken taken;

static enum hc_status take(const struct hc_slice *slice, void *context, struct hc_error *err)
{
    struct taken *t = context;
    (void)err;
    ck_assert_uint_lt(t->n, sizeof t->slices / sizeof *t->slices);
    t->slices[t->n++] = *slice;
    return HC_OK;
}

static void split(const struct hc_slice *slice, const struct hc_traced *traced)
{
    struct hc_error err = {0};
    taken.n = 0;
    ck_assert_int_eq(hc_straggler_split(slice, traced, &(struct hc_slice_sink){take, &taken}, &err),
                     HC_OK);
}

static struct hc_slice steps(int64_t from_s, int64_t to_s, int64_t n_steps)
{
    return (struct hc_slice){.from_ns = START + from_s * S,
                             .to_ns = START + to_s * S,
                             .line = 17,
                             .steps = n_steps,
                             .gpus = 8,
                             .failure = -1,
                             .source = 3,
                             .what = HC_WHAT_PRODUCTIVE_UNSPLIT,
                             .why = HC_WHY_NONE,
                             .mark = HC_MARK_MEASURED,
                             .rule = HC_RULE_STEPS};
}

static struct hc_traced_stretch stretch(int64_t from_s, int64_t to_s, double slowdown)
{
    return (struct hc_traced_stretch){.from_ns = START + from_s * S,
                                      .to_ns = START + to_s * S,
                                      .slowdown = slowdown,
                                      .source = 9};
}

static void is_piece(size_t i, int64_t from_s, int64_t to_s, enum hc_what what, enum hc_mark mark)
{
    const struct hc_slice *slice = &taken.slices[i];
    ck_assert_uint_lt(i, taken.n);
    ck_assert_int_eq(slice->from_ns, START + from_s * S);
    ck_assert_int_eq(slice->to_ns, START + to_s * S);
    ck_assert_str_eq(hc_what_name(slice->what), hc_what_name(what));
    ck_assert_str_eq(hc_mark_name(slice->mark), hc_mark_name(mark));
}

/* S = 2 from 20 to 60 s: half of that is excess. The rest is bounded, where tracing was chosen. */
START_TEST(other_steps_of_chosen_traces_are_bounded)
{
    const struct hc_traced_stretch traced = stretch(20, 60, 2);
    const struct hc_slice slice = steps(0, 100, 50);
    split(&slice, &(struct hc_traced){1, &traced, 2, false});
    ck_assert_uint_eq(taken.n, 4);
    is_piece(0, 0, 20, HC_WHAT_PRODUCTIVE_UNSPLIT, HC_MARK_MEASURED);
    is_piece(1, 20, 40, HC_WHAT_PRODUCTIVE_IDEAL, HC_MARK_MEASURED);
    is_piece(2, 40, 60, HC_WHAT_PRODUCTIVE_STRAGGLER_EXCESS, HC_MARK_MEASURED);
    is_piece(3, 60, 100, HC_WHAT_PRODUCTIVE_UNSPLIT, HC_MARK_MEASURED);
    ck_assert_int_eq(taken.slices[0].excess_bound_ns, 10 * S);
    ck_assert_int_eq(taken.slices[1].excess_bound_ns, 0);
    ck_assert_int_eq(taken.slices[3].excess_bound_ns, 20 * S);
    ck_assert_int_eq(taken.slices[0].steps, 10);
    ck_assert_int_eq(taken.slices[1].steps, 20);
    ck_assert_int_eq(taken.slices[2].steps, 0);
    ck_assert_int_eq(taken.slices[3].steps, 20);
    ck_assert_int_eq(taken.slices[0].rule, HC_RULE_STEPS);
    ck_assert_int_eq(taken.slices[2].rule, HC_RULE_TIMELINE);
    ck_assert_int_eq(taken.slices[2].source, 9); /* the timeline tells it */
    ck_assert_int_eq(taken.slices[2].line, HC_MISSING_I64);
    ck_assert_int_eq(taken.slices[1].line, 17); /* the log tells that steps were done */
}
END_TEST

/* Where it is declared to be at random, they are divided, and estimated. */
START_TEST(other_steps_of_sampled_traces_are_estimated)
{
    const struct hc_traced_stretch traced = stretch(20, 60, 4);
    const struct hc_slice slice = steps(0, 100, 50);
    split(&slice, &(struct hc_traced){1, &traced, 4, true});
    ck_assert_uint_eq(taken.n, 6);
    is_piece(0, 0, 5, HC_WHAT_PRODUCTIVE_IDEAL, HC_MARK_ESTIMATED);
    is_piece(1, 5, 20, HC_WHAT_PRODUCTIVE_STRAGGLER_EXCESS, HC_MARK_ESTIMATED);
    is_piece(2, 20, 30, HC_WHAT_PRODUCTIVE_IDEAL, HC_MARK_MEASURED);
    is_piece(3, 30, 60, HC_WHAT_PRODUCTIVE_STRAGGLER_EXCESS, HC_MARK_MEASURED);
    is_piece(4, 60, 70, HC_WHAT_PRODUCTIVE_IDEAL, HC_MARK_ESTIMATED);
    is_piece(5, 70, 100, HC_WHAT_PRODUCTIVE_STRAGGLER_EXCESS, HC_MARK_ESTIMATED);
    ck_assert_int_eq(taken.slices[0].rule, HC_RULE_TIMELINE_OF_OTHERS);
    ck_assert_int_eq(taken.slices[3].rule, HC_RULE_TIMELINE);
    for (size_t i = 0; i < taken.n; i++)
        ck_assert_int_eq(taken.slices[i].excess_bound_ns, 0);
}
END_TEST

/* A day that begins at a quarter of an hour has its share of what goes over it. */
START_TEST(pieces_end_at_quarters_of_an_hour)
{
    const struct hc_traced_stretch traced = stretch(-100, 1000, 2);
    const struct hc_slice slice = steps(-40, 1000, 0);
    split(&slice, &(struct hc_traced){1, &traced, 2, false});
    ck_assert_uint_eq(taken.n, 6);
    is_piece(0, -40, -20, HC_WHAT_PRODUCTIVE_IDEAL, HC_MARK_MEASURED);
    is_piece(1, -20, 0, HC_WHAT_PRODUCTIVE_STRAGGLER_EXCESS, HC_MARK_MEASURED);
    is_piece(2, 0, 450, HC_WHAT_PRODUCTIVE_IDEAL, HC_MARK_MEASURED);
    is_piece(4, 900, 950, HC_WHAT_PRODUCTIVE_IDEAL, HC_MARK_MEASURED);
}
END_TEST

START_TEST(what_is_not_productive_or_not_traced_stays)
{
    const struct hc_traced_stretch traced = stretch(0, 100, 2);
    struct hc_slice slice = steps(0, 100, 50);
    split(&slice, &(struct hc_traced){0, NULL, NAN, true});
    ck_assert_uint_eq(taken.n, 1);
    is_piece(0, 0, 100, HC_WHAT_PRODUCTIVE_UNSPLIT, HC_MARK_MEASURED);
    for (int what = 0; what < HC_WHAT_COUNT; what++) {
        slice.what = (enum hc_what)what;
        if (what == HC_WHAT_PRODUCTIVE_UNSPLIT)
            continue;
        split(&slice, &(struct hc_traced){1, &traced, 2, true});
        ck_assert_uint_eq(taken.n, 1);
        ck_assert_mem_eq(&taken.slices[0], &slice, sizeof slice);
    }
}
END_TEST

/* Of a job that is faster than its ideal nothing is excess; of times that are not exact the marks
 * say so. */
START_TEST(no_excess_is_negative)
{
    struct hc_traced_stretch traced = stretch(0, 100, 0.98);
    const struct hc_slice slice = steps(0, 100, 50);
    traced.is_estimated = true;
    split(&slice, &(struct hc_traced){1, &traced, 0.98, false});
    ck_assert_uint_eq(taken.n, 1);
    is_piece(0, 0, 100, HC_WHAT_PRODUCTIVE_IDEAL, HC_MARK_ESTIMATED);
    ck_assert_int_eq(taken.slices[0].steps, 50);
}
END_TEST

START_TEST(stretches_are_put_in_order)
{
    struct hc_traced_stretch list[] = {stretch(5, 20, 4), stretch(0, 10, 2), stretch(6, 8, 3)};
    size_t n = 3;
    hc_traced_order(list, &n);
    ck_assert_uint_eq(n, 2);
    ck_assert_int_eq(list[1].from_ns, START + 10 * S);
    ck_assert_int_eq(list[1].to_ns, START + 20 * S);
    ck_assert_double_eq_tol(hc_traced_slowdown(list, n), 20 / (10 / 2. + 10 / 4.), 1e-15);
    ck_assert(isnan(hc_traced_slowdown(list, 0)));
}
END_TEST

static uint64_t state = 88172645463325252u;
static int64_t draw(int64_t n)
{
    state ^= state << 13;
    state ^= state >> 7;
    state ^= state << 17;
    return (int64_t)(state % (uint64_t)n);
}

/* Whatever is traced: pieces tile the slice, with its steps and GPUs. */
START_TEST(time_and_steps_are_kept)
{
    for (int round = 0; round < 500; round++) {
        struct hc_traced_stretch list[20];
        size_t n = (size_t)draw(20);
        for (size_t i = 0; i < n; i++) {
            list[i] = stretch(0, 0, 0.9 + (double)draw(4000) / 1000);
            list[i].from_ns += draw(5000 * S);
            list[i].to_ns = list[i].from_ns + draw(draw(2) ? 10 : 900 * S);
        }
        hc_traced_order(list, &n);
        struct hc_slice slice = steps(0, 0, draw(1000));
        slice.from_ns += draw(4000 * S);
        slice.to_ns = slice.from_ns + 1 + draw(draw(2) ? 100 : 3000 * S);
        split(&slice, &(struct hc_traced){n, list, hc_traced_slowdown(list, n), round % 2});
        int64_t at_ns = slice.from_ns, n_steps = 0;
        for (size_t i = 0; i < taken.n; i++) {
            ck_assert_int_eq(taken.slices[i].from_ns, at_ns);
            ck_assert_int_gt(taken.slices[i].to_ns, at_ns);
            ck_assert_int_eq(taken.slices[i].gpus, slice.gpus);
            ck_assert_int_lt(taken.slices[i].excess_bound_ns,
                             taken.slices[i].to_ns - taken.slices[i].from_ns);
            at_ns = taken.slices[i].to_ns;
            n_steps += taken.slices[i].steps;
        }
        ck_assert_int_eq(at_ns, slice.to_ns);
        ck_assert_int_eq(n_steps, slice.steps);
    }
}
END_TEST

/* ---- when steps were ---- */

START_TEST(clocks_of_steps_become_dates)
{
    /* A clock for each step, steps 4, 5 and 8: two of the mean, 3 s, lie before the last. */
    struct hc_step_span by_step[] = {{0, 2 * S, 4}, {0, 4 * S, 5}, {0, 3 * S, 8}};
    bool is_estimated;
    ck_assert(hc_step_dates_set(by_step, 3, START, &is_estimated) && is_estimated);
    ck_assert_int_eq(by_step[1].from_ns, START + 2 * S);
    ck_assert_int_eq(by_step[2].from_ns, START + (2 + 4 + 2 * 3) * S);
    ck_assert_int_eq(by_step[2].to_ns, START + (2 + 4 + 2 * 3 + 3) * S);

    /* A clock of the trace counts from its first step. */
    struct hc_step_span by_trace[] = {{7 * S, 9 * S, 4}, {10 * S, 12 * S, 5}};
    ck_assert(!hc_step_dates_set(by_trace, 2, HC_MISSING_I64, &is_estimated));
    ck_assert_int_eq(by_trace[0].from_ns, 7 * S);
    ck_assert(hc_step_dates_set(by_trace, 2, START, &is_estimated) && !is_estimated);
    ck_assert_int_eq(by_trace[1].from_ns, START + 3 * S);

    /* Unix time needs no start, and is not moved by one. */
    struct hc_step_span unix_time[] = {{START + S, START + 2 * S, 1},
                                       {START + 3 * S, START + 5 * S, 2}};
    ck_assert(hc_step_dates_set(unix_time, 2, START + 500 * S, &is_estimated) && !is_estimated);
    ck_assert_int_eq(unix_time[0].from_ns, START + S);
    ck_assert(!hc_step_dates_set(unix_time, 0, START, &is_estimated));
}
END_TEST

int main(void)
{
    Suite *suite = suite_create("straggler_split");
    TCase *cases = tcase_create("straggler_split");
    tcase_add_test(cases, other_steps_of_chosen_traces_are_bounded);
    tcase_add_test(cases, other_steps_of_sampled_traces_are_estimated);
    tcase_add_test(cases, pieces_end_at_quarters_of_an_hour);
    tcase_add_test(cases, what_is_not_productive_or_not_traced_stays);
    tcase_add_test(cases, no_excess_is_negative);
    tcase_add_test(cases, stretches_are_put_in_order);
    tcase_add_test(cases, time_and_steps_are_kept);
    tcase_add_test(cases, clocks_of_steps_become_dates);
    suite_add_tcase(suite, cases);
    SRunner *runner = srunner_create(suite);
    srunner_run_all(runner, CK_ENV);
    int n_failed = srunner_ntests_failed(runner);
    srunner_free(runner);
    return n_failed != 0;
}
