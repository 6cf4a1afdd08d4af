/* The answer of a comparison by the step times alone: sides that do not touch, change their level
 * or drift, single steps; and how often two sides of one kind are told apart. */
#include "core/base/memory.h"
#include "core/random/philox.h"
#include "sim/compare/change.h"
#include "sim/compare/compare_parts.h"

#include <check.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define MOST_STEPS 128

static struct hc_error err;

/* One side: step times in seconds. */
struct steps {
    int32_t number[MOST_STEPS];
    int64_t traced_ns[MOST_STEPS];
    struct hc_whatif_result result;
};

/* Steps whose numbers go on from `first`. */
static void make_side(struct steps *side, int32_t first, const double *seconds, size_t n)
{
    for (size_t i = 0; i < n; i++) {
        side->number[i] = first + (int32_t)i;
        side->traced_ns[i] = llround(1e9 * seconds[i]);
    }
    side->result = (struct hc_whatif_result){
        .n_steps = n, .steps = side->number, .traced_ns = side->traced_ns};
}

/* What hc_compare does for the mean step, without ops. */
static struct hc_comparison compare(struct steps *a, struct steps *b)
{
    struct hc_comparison c = {.a = &a->result, .b = &b->result};
    double *left = hc_new_seconds(a->traced_ns, a->result.n_steps, &err);
    double *right = hc_new_seconds(b->traced_ns, b->result.n_steps, &err);
    for (int i = 0; i < HC_N_COMPARED; i++)
        c.figures[i] = hc_change_of_values(NAN, NAN);
    c.figures[HC_COMPARED_STEP] =
        hc_change_of_series(&(struct hc_step_series){left, NULL, a->result.n_steps},
                            &(struct hc_step_series){right, NULL, b->result.n_steps}, 1);
    ck_assert(!hc_compare_levels(&c, &err));
    hc_compare_say(&c);
    free(left);
    free(right);
    return c;
}

/* Steps from `from` to `to` seconds, one as much longer than the last as the next, with a ripple of
 * 0.3 %. */
static size_t ramp(double *seconds, size_t n, double from, double to)
{
    for (size_t i = 0; i < n; i++) {
        double at = n > 1 ? (double)i / (double)(n - 1) : 0;
        seconds[i] = (from + at * (to - from)) * (1 + 0.003 * sin(2.4 * (double)i));
    }
    return n;
}

/* Up to three pieces of a side, each {steps, from, to}; 0 steps: none. */
typedef const double pieces[3][3];

static size_t fill(double *seconds, pieces made_of)
{
    size_t n = 0;
    for (int i = 0; i < 3; i++)
        n += ramp(seconds + n, (size_t)made_of[i][0], made_of[i][1], made_of[i][2]);
    return n;
}

static void expect(pieces a, pieces b, enum hc_comparison_verdict verdict, const char *words)
{
    static struct steps sides[2];
    double seconds[MOST_STEPS];
    size_t n = fill(seconds, a);
    make_side(&sides[0], 1, seconds, n);
    make_side(&sides[1], 1 + (int32_t)n, seconds, fill(seconds, b));
    struct hc_comparison c = compare(&sides[0], &sides[1]);
    ck_assert_msg(c.verdict == verdict && strncmp(c.sentence, words, strlen(words)) == 0,
                  "'%s' expected, not: %s", words, c.sentence);
    hc_comparison_fini(&c);
}

START_TEST(sides_that_do_not_touch)
{
    expect((pieces){{14, 0.83, 0.83}}, (pieces){{9, 1, 1.05}, {8, 1.05, 1}}, HC_VERDICT_SLOWER,
           "B is slower: its steps take 1.00 to 1.05 s, those of A 0.83 s;");
    /* One drift through both: each step of B is longer than all of A. */
    expect((pieces){{20, 0.8, 0.9}}, (pieces){{20, 0.91, 1}}, HC_VERDICT_SLOWER,
           "B is slower: its steps take");
    expect((pieces){{20, 1, 0.91}}, (pieces){{20, 0.9, 0.8}}, HC_VERDICT_FASTER,
           "B is faster: its steps take");
    /* Too few steps for an interval. */
    expect((pieces){{6, 0.83, 0.83}}, (pieces){{5, 1, 1.05}}, HC_VERDICT_SLOWER,
           "B is slower: its steps take");
    expect((pieces){{3, 0.83, 0.83}}, (pieces){{3, 1, 1.05}}, HC_VERDICT_UNSURE,
           "too few steps to say: its steps take 1.00 to 1.05 s, those of A 0.83 s");
    expect((pieces){{1, 1.05, 1.05}}, (pieces){{14, 0.83, 0.83}}, HC_VERDICT_UNSURE,
           "too few steps to say: its steps take 0.83 s, that of A 1.05 s");
}
END_TEST

START_TEST(sides_that_change)
{
    expect((pieces){{10, 0.83, 0.83}}, (pieces){{4, 0.83, 0.83}, {17, 1, 1.05}}, HC_VERDICT_MIXED,
           "B is mixed, slower from step 15 on: a mean step");
    expect((pieces){{4, 0.83, 0.83}, {17, 1, 1.05}}, (pieces){{10, 0.83, 0.83}}, HC_VERDICT_MIXED,
           "A is mixed, slower from step 5 on: a mean step");
    expect((pieces){{12, 0.9, 0.9}}, (pieces){{8, 0.8, 0.8}, {8, 1, 1}}, HC_VERDICT_MIXED,
           "B is mixed, faster until step 20, slower from step 21 on: a mean step");
    expect((pieces){{20, 0.83, 0.83}}, (pieces){{12, 0.83, 0.83}, {5, 1, 1}, {12, 0.83, 0.83}},
           HC_VERDICT_MIXED, "B is mixed, slower in steps 33 to 37: a mean step");
    /* The same two levels on both sides, and none that is longer on one. */
    expect((pieces){{10, 0.83, 0.83}, {10, 1, 1}}, (pieces){{10, 0.83, 0.83}, {10, 1, 1}},
           HC_VERDICT_SAME, "no difference that the steps can show: ");
    /* A drift has no levels: the part that lies beyond all of the other side counts. */
    expect((pieces){{20, 0.83, 0.83}}, (pieces){{21, 0.83, 1.1}}, HC_VERDICT_MIXED,
           "B is mixed, slower from step 2");
    expect((pieces){{21, 1.1, 0.83}}, (pieces){{20, 0.83, 0.83}}, HC_VERDICT_MIXED,
           "A is mixed, slower until step ");
    /* Both levels lie beyond the other side. */
    expect((pieces){{10, 0.83, 0.83}}, (pieces){{10, 0.9, 0.9}, {10, 1, 1}}, HC_VERDICT_SLOWER,
           "B is slower: ");
}
END_TEST

/* ---- chance ---- */

/* A series of mean 1 with a first-order autoregression. */
static size_t draw(double *seconds, size_t n, struct hc_philox *rng, double cv, double correlation)
{
    double deviation = hc_philox_normal(rng);
    for (size_t i = 0; i < n; i++) {
        deviation =
            correlation * deviation + sqrt(1 - correlation * correlation) * hc_philox_normal(rng);
        seconds[i] = fmax(0.1, 1 + cv * deviation);
    }
    return n;
}

/* How many of 100 pairs of one kind are told apart: in all, because their steps do not touch, and
 * called mixed. */
struct told {
    double apart, by_range, mixed;
};

static struct told tell_apart(size_t n_a, size_t n_b, double cv, double correlation)
{
    static struct steps sides[2];
    const int n_trials = 2000;
    double seconds[MOST_STEPS];
    int n_apart = 0, n_by_range = 0, n_mixed = 0;
    struct hc_philox rng;
    hc_philox_seek(&rng, 2, n_a * 1000 + n_b, (uint64_t)(1000 * cv + 100 * correlation));
    for (int trial = 0; trial < n_trials; trial++) {
        make_side(&sides[0], 1, seconds, draw(seconds, n_a, &rng, cv, correlation));
        make_side(&sides[1], 200, seconds, draw(seconds, n_b, &rng, cv, correlation));
        struct hc_comparison c = compare(&sides[0], &sides[1]);
        n_apart += c.verdict == HC_VERDICT_FASTER || c.verdict == HC_VERDICT_SLOWER;
        n_by_range += c.figures[HC_COMPARED_STEP].is_by_range;
        n_mixed += c.verdict == HC_VERDICT_MIXED;
        hc_comparison_fini(&c);
    }
    struct told told = {100.0 * n_apart / n_trials, 100.0 * n_by_range / n_trials,
                        100.0 * n_mixed / n_trials};
    printf(
        "%2zu and %2zu steps, spread %.0f %%, correlation %.1f: %4.1f %% told apart, %4.1f %% by "
        "range alone; %.1f %% mixed\n",
        n_a, n_b, 100 * cv, correlation, told.apart, told.by_range, told.mixed);
    return told;
}

START_TEST(sides_of_one_kind)
{
    static const struct {
        size_t n_a, n_b;
        double most[3]; /* told apart, by correlation: what docs/methods/compare.md says */
    } sizes[] = {{5, 5, {1, 3, 20}},    {3, 30, {1, 1, 5}},   {9, 9, {1, 1, 6}},
                 {10, 10, {5, 10, 16}}, {20, 20, {5, 8, 10}}, {10, 60, {5, 13, 13}}};
    static const double spreads[] = {0.01, 0.05}, correlations[] = {0, 0.5, 0.8};
    for (size_t s = 0; s < 2; s++)
        for (size_t r = 0; r < 3; r++)
            for (size_t i = 0; i < sizeof sizes / sizeof sizes[0]; i++) {
                struct told told =
                    tell_apart(sizes[i].n_a, sizes[i].n_b, spreads[s], correlations[r]);
                ck_assert_double_le(told.apart, sizes[i].most[r]);
                ck_assert_double_le(told.mixed, s == 0 ? 0 : r == 0 ? 0.5 : r == 1 ? 3 : 10);
            }
}
END_TEST

int main(void)
{
    Suite *suite = suite_create("compare_steps");
    TCase *tests = tcase_create("compare_steps");
    tcase_set_timeout(tests, 120);
    tcase_add_test(tests, sides_that_do_not_touch);
    tcase_add_test(tests, sides_that_change);
    tcase_add_test(tests, sides_of_one_kind);
    suite_add_tcase(suite, tests);
    SRunner *runner = srunner_create(suite);
    srunner_run_all(runner, CK_NORMAL);
    int failed = srunner_ntests_failed(runner);
    srunner_free(runner);
    return failed ? 1 : 0;
}
