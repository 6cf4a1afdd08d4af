/* Two analyses compared: figures made by hand, culprits that are gone, new, stronger or weaker, and
 * the sentence. */
#include "core/base/memory.h"
#include "core/tables/op_table.h"
#include "sim/compare/compare.h"
#include "sim/replay/step_trace.h"
#include "sim/synth/step_synth.h"

#include <check.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static struct hc_error err;

/* Analyse 20 steps of dp 4, pp 2; slow.factor 0: a healthy job. */
static void analyse(struct hc_whatif_result *result, uint64_t seed, struct hc_synth_slow slow)
{
    struct hc_synth_steps_options synth = hc_synth_steps_defaults();
    struct hc_synth_steps *generator = NULL;
    struct hc_step_trace *trace = NULL;
    struct hc_table ops;
    struct hc_job job;
    synth.seed = seed;
    synth.dp = 4;
    synth.pp = 2;
    synth.microbatches = 4;
    synth.n_steps = 20;
    synth.slow = &slow;
    synth.n_slow = slow.factor > 0;
    ck_assert(!hc_job_init(&job, "job", &err));
    ck_assert_msg(!hc_synth_steps_open(&generator, &synth, &err), "%s", err.message);
    ck_assert(!hc_table_init(&ops, &hc_ops_def, 65536, &err));
    ck_assert(!hc_step_trace_new(&trace, &job, &err));
    do {
        ops.n_rows = 0;
        ck_assert(!hc_synth_steps_next(generator, &ops, &err));
        ck_assert(!hc_step_trace_add(trace, &ops, &err));
    } while (ops.n_rows > 0);
    const struct hc_whatif_options options = {.threshold = HC_COMPARE_THRESHOLD,
                                              .depth = HC_COMPARE_DEPTH,
                                              .picture_step = HC_MISSING_I32,
                                              .replay = {.max_bad = 0.01, .threads = 1}};
    ck_assert_msg(!hc_whatif_run(result, trace, &options, &err), "%s", err.message);
    hc_table_fini(&ops);
    hc_step_trace_free(trace);
    hc_synth_steps_close(generator);
    hc_job_fini(&job);
}

/* Give a result one culprit, in place of what the analysis found. */
static struct hc_culprit *blame(struct hc_whatif_result *result, const struct hc_culprit *culprit)
{
    struct hc_culprits *culprits = &result->depth.culprits;
    hc_culprits_fini(culprits);
    culprits->done = true;
    if (!culprit)
        return NULL;
    culprits->culprits = hc_new_array(1, sizeof *culprit, &err);
    ck_assert_ptr_nonnull(culprits->culprits);
    *culprits->culprits = *culprit;
    culprits->culprits->n_members = 1;
    culprits->culprits->members = hc_new_array(1, sizeof(int32_t), &err);
    ck_assert_ptr_nonnull(culprits->culprits->members);
    *culprits->culprits->members = culprit->dp_rank * result->pp_size + culprit->stage;
    culprits->n = 1;
    return culprits->culprits;
}

/* Rank 6: dp rank 2 at stage 1. */
static struct hc_culprit slow_worker(double factor, double duty)
{
    struct hc_culprit culprit = {
        .kind = HC_CULPRIT_WORKER,
        .ops = HC_SLOW_PASSES,
        .dp_rank = 2,
        .stage = 1,
        .rank = 6,
        .direction = -1,
        .cause = HC_STRAGGLER_WORKER,
        .factor = {factor, factor - 0.01, factor + 0.01},
        .duty = {duty, duty, duty},
        .alone_s = 0.1,
        .split_s = 0.1,
        .name = "rank 6 (dp 2, stage 1)",
        .text = "rank 6 (dp 2, stage 1) is slow",
    };
    return culprit;
}

static void expect(const struct hc_comparison *c, enum hc_culprit_change change, const char *words)
{
    ck_assert_uint_eq(c->n_culprits, 1);
    ck_assert_int_eq(c->culprits[0].change, change);
    ck_assert_msg(!words || strstr(c->sentence, words), "no '%s' in: %s", words, c->sentence);
}

static struct hc_comparison compare(const struct hc_whatif_result *a,
                                    const struct hc_whatif_result *b)
{
    struct hc_comparison c;
    ck_assert_msg(!hc_compare(&c, a, b, false, &err), "%s", err.message);
    return c;
}

static struct hc_whatif_result slow, healthy, faint;

static void set_up(void)
{
    analyse(&slow, 3, (struct hc_synth_slow){.dp_rank = 2, .stage = 1, .factor = 1.6});
    analyse(&faint, 4, (struct hc_synth_slow){.dp_rank = 2, .stage = 1, .factor = 1.2});
    analyse(&healthy, 5, (struct hc_synth_slow){.factor = 0});
}

static void tear_down(void)
{
    hc_whatif_result_fini(&slow);
    hc_whatif_result_fini(&faint);
    hc_whatif_result_fini(&healthy);
}

/* The figures of the job are those of the two analyses; the interval of S is made of theirs. */
START_TEST(figures)
{
    struct hc_comparison c = compare(&slow, &healthy);
    const struct hc_change *s = &c.figures[HC_COMPARED_SLOWDOWN];
    const struct hc_interval *a = &slow.depth.intervals.slowdown,
                             *b = &healthy.depth.intervals.slowdown;
    double d = healthy.slowdown - slow.slowdown;
    ck_assert_double_eq(s->a, slow.slowdown);
    ck_assert_double_eq(s->b, healthy.slowdown);
    ck_assert_double_eq(s->difference, d);
    ck_assert_double_eq_tol(s->low, d - hypot(healthy.slowdown - b->low, a->high - slow.slowdown),
                            1e-12);
    ck_assert_double_eq_tol(s->high, d + hypot(b->high - healthy.slowdown, slow.slowdown - a->low),
                            1e-12);
    ck_assert_int_eq(s->sign, HC_CHANGE_DOWN);
    ck_assert_double_eq_tol(c.figures[HC_COMPARED_STEP].a, slow.traced_s, 1e-12);
    ck_assert_int_eq(c.verdict, HC_VERDICT_FASTER);
    ck_assert(strncmp(c.sentence, "B is faster: a mean step", 24) == 0);
    ck_assert(strncmp(c.sentence + c.detail, "a mean step", 11) == 0);
    /* The workers: dp rank 2 at stage 1 is mended, and no other one changed by 1 %. */
    ck_assert_uint_eq(c.n_workers, 8);
    for (size_t w = 0; w < 8; w++) {
        const struct hc_change *ratio = &c.workers[w].pass_ratio;
        ck_assert_double_eq_tol(ratio->difference, w == 5 ? -0.6 : 0, 0.01);
    }
    ck_assert_int_eq(c.workers[5].pass_ratio.sign, HC_CHANGE_DOWN);
    hc_comparison_fini(&c);
}
END_TEST

START_TEST(culprits_that_go_and_come)
{
    struct hc_culprit culprit = slow_worker(1.6, 1);
    blame(&slow, &culprit);
    blame(&healthy, NULL);
    struct hc_comparison c = compare(&slow, &healthy);
    expect(&c, HC_CULPRIT_GONE, ": rank 6 (dp 2, stage 1) is no longer slow");
    ck_assert(c.culprits[0].a && !c.culprits[0].b);
    hc_comparison_fini(&c);
    c = compare(&healthy, &slow);
    expect(&c, HC_CULPRIT_NEW, ": rank 6 (dp 2, stage 1) is slow now");
    hc_comparison_fini(&c);
    /* As slow as it was, though only one analysis names it. */
    blame(&slow, NULL);
    blame(&slow, &culprit);
    struct hc_whatif_result again;
    analyse(&again, 6, (struct hc_synth_slow){.dp_rank = 2, .stage = 1, .factor = 1.6});
    blame(&again, NULL);
    c = compare(&slow, &again);
    expect(&c, HC_CULPRIT_UNSURE, NULL);
    ck_assert_msg(!strstr(c.sentence, "no longer"), "%s", c.sentence);
    hc_comparison_fini(&c);
    hc_whatif_result_fini(&again);
}
END_TEST

START_TEST(culprits_that_stay)
{
    struct hc_culprit strong = slow_worker(1.6, 1), weak = slow_worker(1.2, 1);
    blame(&slow, &strong);
    blame(&faint, &weak);
    struct hc_comparison c = compare(&slow, &faint);
    expect(&c, HC_CULPRIT_WEAKER, "rank 6 (dp 2, stage 1) is less slow (1.20 times as long");
    hc_comparison_fini(&c);
    c = compare(&faint, &slow);
    expect(&c, HC_CULPRIT_STRONGER, "is slower (1.60 times as long");
    hc_comparison_fini(&c);
    c = compare(&slow, &slow);
    expect(&c, HC_CULPRIT_SAME, "in both");
    hc_comparison_fini(&c);
    /* The same factor in fewer of the steps. */
    struct hc_culprit rare = slow_worker(1.6, 0.2);
    blame(&faint, &rare);
    c = compare(&slow, &faint);
    expect(&c, HC_CULPRIT_WEAKER, "in 20 % of the steps; before");
    hc_comparison_fini(&c);
    /* What costs next to nothing in both is passed over. */
    struct hc_culprit cheap = slow_worker(1.1, 0.1);
    cheap.alone_s = cheap.split_s = 0.001;
    blame(&slow, &cheap);
    blame(&faint, &cheap);
    c = compare(&slow, &faint);
    ck_assert(c.has_culprits && c.n_culprits == 0);
    hc_comparison_fini(&c);
    blame(&slow, &strong);
    /* Two parts, not one that changed. */
    struct hc_culprit other = slow_worker(1.6, 1);
    other.dp_rank = 3;
    blame(&faint, &other);
    c = compare(&slow, &faint);
    ck_assert_uint_eq(c.n_culprits, 2);
    hc_comparison_fini(&c);
}
END_TEST

/* Without a look for culprits the sentence goes by the workers. */
START_TEST(without_culprits)
{
    slow.depth.culprits.done = healthy.depth.culprits.done = false;
    struct hc_comparison c = compare(&slow, &healthy);
    ck_assert(!c.has_culprits && c.n_culprits == 0);
    ck_assert_msg(strstr(c.sentence, ": rank 6 (dp 2, stage 1) is no longer slow: its passes take"),
                  "%s", c.sentence);
    hc_comparison_fini(&c);
}
END_TEST

int main(void)
{
    Suite *suite = suite_create("compare");
    TCase *tests = tcase_create("compare");
    tcase_add_checked_fixture(tests, set_up, tear_down);
    tcase_add_test(tests, figures);
    tcase_add_test(tests, culprits_that_go_and_come);
    tcase_add_test(tests, culprits_that_stay);
    tcase_add_test(tests, without_culprits);
    suite_add_tcase(suite, tests);
    SRunner *runner = srunner_create(suite);
    srunner_run_all(runner, CK_NORMAL);
    int failed = srunner_ntests_failed(runner);
    srunner_free(runner);
    return failed ? 1 : 0;
}
