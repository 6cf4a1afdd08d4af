/* The ETTR of a run under its four names, by a run that is worked out by hand.
 *
 * Seconds of the run, which has 8 GPUs but in its second attempt, which has 4:
 *   0 submitted, held until 100; eligible, queued until 400
 *   400 to 1400 first attempt: 300 start-up, of which 20 warm-up; 500 steps; 100 stall; 50 lost;
 *               50 evaluation
 *   1400 to 1500 nothing is submitted; submitted and eligible at 1500, queued until 1600
 *   1600 to 2600 second attempt: 200 start-up, 800 steps
 * Steps took 1 s in the first attempt and 2 s in the second.
 */
#include "core/base/missing.h"
#include "models/account/night/night_runs.h"

#include <check.h>
#include <math.h>
#include <stdlib.h>

#define S   ((int64_t)1000000000)
#define NO  HC_MISSING_I64
#define EPS 1e-12

static struct hc_error err;

static void take(struct hc_night_runs *runs, int32_t gpus, enum hc_what what, int64_t seconds,
                 int64_t steps)
{
    const struct hc_slice slice = {
        .from_ns = 0, .to_ns = seconds * S, .gpus = gpus, .what = what, .steps = steps};
    hc_night_runs_take_slice(runs, 0, gpus, &slice);
}

/* An attempt with one launch, whose log has ten lines of steps of such times. */
static void take_attempt(struct hc_night_runs *runs, const struct hc_run_attempt *attempt,
                         int64_t step_ns, bool has_failed)
{
    struct hc_step_row rows[10];
    for (int i = 0; i < 10; i++)
        rows[i] = (struct hc_step_row){(i + 1) * step_ns, i + 1, i, step_ns, 1};
    const struct hc_launch launch = {.stop = {.failure = has_failed ? 0 : -1}};
    const struct hc_launch_facts launches = {.launch = &launch, .n_steps = 10, .steps = rows};
    const struct hc_attempt_facts facts = {.n_launches = 1, .launches = &launches};
    ck_assert(!hc_night_runs_take_attempt(runs, 0, attempt, &facts, &err));
}

static void take_all(struct hc_night_runs *runs)
{
    take_attempt(runs, &(struct hc_run_attempt){1, 0, 0, 100 * S, 400 * S, 1400 * S, 8, false}, S,
                 true);
    take(runs, 8, HC_WHAT_STARTUP_INIT, 280, 0);
    take(runs, 8, HC_WHAT_STARTUP_WARM_UP, 20, 0);
    take(runs, 8, HC_WHAT_PRODUCTIVE_UNSPLIT, 500, 500);
    take(runs, 8, HC_WHAT_CHECKPOINT_STALL, 100, 0);
    take(runs, 8, HC_WHAT_LOST_WORK, 50, 50);
    take(runs, 8, HC_WHAT_EVALUATION, 50, 0);
    take_attempt(runs,
                 &(struct hc_run_attempt){1, 0, 1500 * S, 1500 * S, 1600 * S, 2600 * S, 4, false},
                 2 * S, false);
    take(runs, 4, HC_WHAT_STARTUP_INIT, 200, 0);
    take(runs, 4, HC_WHAT_PRODUCTIVE_UNSPLIT, 800, 400);
}

/* meta: (500 + 20 + 50 + 800) / (2000 run + 400 queued). byterobust: the same over 2200 s since the
 * first start. goodput: (500 x 8 + 800 x 4) / (1000 x 8 + 1000 x 4). nominal: 500 steps of
 * 1 s and 400 of 2 s, the 10th percentiles of their sizes, over 2200 s. */
START_TEST(four_names)
{
    struct hc_night_runs runs = {0};
    take_all(&runs);
    hc_night_runs_end(&runs);
    const struct hc_night_run *run = &runs.list[0];
    ck_assert_double_eq_tol(run->ran_s, 2000, EPS);
    ck_assert_double_eq_tol(run->queued_s, 400, EPS);
    ck_assert_double_eq_tol(run->held_s, 100, EPS);
    ck_assert_double_eq_tol(run->off_s, 100, EPS);
    ck_assert_double_eq_tol(run->wall_s, 2200, EPS);
    ck_assert_double_eq_tol(run->reference_step_s, 1300. / 900, EPS);
    ck_assert_double_eq_tol(run->ettr[HC_ETTR_META], 1370. / 2400, EPS);
    ck_assert_double_eq_tol(run->ettr[HC_ETTR_BYTEROBUST], 1370. / 2200, EPS);
    ck_assert_double_eq_tol(run->ettr[HC_ETTR_GOODPUT], 7200. / 12000, EPS);
    ck_assert_double_eq_tol(run->ettr[HC_ETTR_NOMINAL], 1300. / 2200, EPS);
    ck_assert_int_eq(run->steps, 950);
    ck_assert_int_eq(run->kept_steps, 900);
    ck_assert_int_eq(run->lost_steps, 50);
    ck_assert_int_eq(run->n_stops, 1);
    ck_assert_int_eq(run->most_gpus, 8);
    ck_assert_int_eq(run->n_attempts, 2);
    hc_night_runs_fini(&runs);
}
END_TEST

/* A line of 90 steps of 2 s and one of 10 steps of 1 s: of 100 steps the 11th fastest takes 2 s. As
 * many lines with as many steps each have it the other way. */
START_TEST(reference_by_steps)
{
    for (int n = 10; n <= 90; n += 80) {
        struct hc_night_runs runs = {0};
        const struct hc_step_row rows[] = {{90 * 2 * S, 90, 0, 2 * S, 90},
                                           {(90 * 2 + n) * S, 90 + n, 1, S, n}};
        const struct hc_launch launch = {.stop = {.failure = -1}};
        const struct hc_launch_facts launches = {.launch = &launch, .n_steps = 2, .steps = rows};
        const struct hc_attempt_facts facts = {.n_launches = 1, .launches = &launches};
        const struct hc_run_attempt attempt = {1, 0, 0, 0, 0, 300 * S, 8, false};
        ck_assert(!hc_night_runs_take_attempt(&runs, 0, &attempt, &facts, &err));
        take(&runs, 8, HC_WHAT_PRODUCTIVE_UNSPLIT, 180 + n, 90 + n);
        hc_night_runs_end(&runs);
        ck_assert_double_eq_tol(runs.list[0].reference_step_s, n == 10 ? 2 : 1, EPS);
        hc_night_runs_fini(&runs);
    }
}
END_TEST

/* Two attempts at once count once as running; what is queued beside them not at all. */
START_TEST(attempts_at_once)
{
    struct hc_night_runs runs = {0};
    take_attempt(&runs, &(struct hc_run_attempt){1, 0, 0, 0, 100 * S, 300 * S, 8, false}, S, false);
    take_attempt(&runs, &(struct hc_run_attempt){1, 0, 50 * S, 60 * S, 200 * S, 400 * S, 8, false},
                 S, false);
    hc_night_runs_end(&runs);
    const struct hc_night_run *run = &runs.list[0];
    ck_assert_double_eq_tol(run->ran_s, 300, EPS);
    ck_assert_double_eq_tol(run->queued_s, 100, EPS);
    ck_assert_double_eq_tol(run->held_s, 0, EPS);
    ck_assert_double_eq_tol(run->off_s, 0, EPS);
    hc_night_runs_fini(&runs);
}
END_TEST

/* A record without a submission, or with one after the start: the start is all that is known. */
START_TEST(submissions_that_cannot_be)
{
    struct hc_night_runs runs = {0};
    take_attempt(&runs, &(struct hc_run_attempt){1, 0, NO, NO, 100 * S, 300 * S, 8, false}, S,
                 false);
    take_attempt(&runs, &(struct hc_run_attempt){1, 0, 900 * S, 950 * S, 400 * S, 500 * S, 8, true},
                 S, false);
    take(&runs, 8, HC_WHAT_PRODUCTIVE_UNSPLIT, 300, 300);
    hc_night_runs_end(&runs);
    const struct hc_night_run *run = &runs.list[0];
    ck_assert_int_eq(run->first_submit_ns, 100 * S);
    ck_assert_double_eq_tol(run->ran_s, 300, EPS);
    ck_assert_double_eq_tol(run->queued_s + run->held_s, 0, EPS);
    ck_assert_double_eq_tol(run->off_s, 100, EPS);
    ck_assert_double_eq_tol(run->ettr[HC_ETTR_META], 1, EPS);
    ck_assert(run->is_running);
    hc_night_runs_fini(&runs);
    /* Of one attempt alone, too: no ratio above 1 for a submission after the start. */
    take_attempt(&runs, &(struct hc_run_attempt){1, 0, 450 * S, 450 * S, 400 * S, 500 * S, 8, true},
                 S, false);
    take(&runs, 8, HC_WHAT_PRODUCTIVE_UNSPLIT, 100, 100);
    hc_night_runs_end(&runs);
    ck_assert_double_eq_tol(runs.list[0].ran_s, 100, EPS);
    ck_assert_double_eq_tol(runs.list[0].ettr[HC_ETTR_META], 1, EPS);
    hc_night_runs_fini(&runs);
}
END_TEST

/* Of a run without a log no ETTR by steps is known, and no share of nothing. */
START_TEST(runs_of_which_nothing_is_known)
{
    struct hc_night_runs runs = {0};
    const struct hc_attempt_facts facts = {.n_launches = 0};
    const struct hc_run_attempt attempt = {1, 0, 0, 0, 0, 100 * S, 8, false};
    ck_assert(!hc_night_runs_take_attempt(&runs, 1, &attempt, &facts, &err));
    hc_night_runs_end(&runs);
    ck_assert_uint_eq(runs.n, 2);
    for (int e = 0; e < HC_N_ETTRS; e++)
        ck_assert(isnan(runs.list[0].ettr[e]));
    ck_assert(isnan(runs.list[1].ettr[HC_ETTR_NOMINAL]));
    ck_assert(isnan(runs.list[1].ettr[HC_ETTR_GOODPUT]));
    ck_assert_double_eq(runs.list[1].ettr[HC_ETTR_META], 0);
    hc_night_runs_fini(&runs);
}
END_TEST

/* What counts where: each definition by the leaves that it names, and by no other. */
START_TEST(what_counts)
{
    for (int what = 0; what < HC_WHAT_COUNT; what++) {
        bool is_step = what == HC_WHAT_PRODUCTIVE_IDEAL || what == HC_WHAT_PRODUCTIVE_UNSPLIT ||
                       what == HC_WHAT_PRODUCTIVE_STRAGGLER_EXCESS;
        bool is_more = what == HC_WHAT_EVALUATION || what == HC_WHAT_STARTUP_WARM_UP;
        enum hc_what leaf = (enum hc_what)what;
        ck_assert(hc_ettr_counts(HC_ETTR_META, leaf) == (is_step || is_more));
        ck_assert(hc_ettr_counts(HC_ETTR_BYTEROBUST, leaf) == (is_step || is_more));
        ck_assert(hc_ettr_counts(HC_ETTR_GOODPUT, leaf) == is_step);
        ck_assert(hc_ettr_counts(HC_ETTR_NOMINAL, leaf) == is_step);
    }
}
END_TEST

int main(void)
{
    Suite *suite = suite_create("night_runs");
    TCase *tests = tcase_create("cases");
    tcase_add_test(tests, four_names);
    tcase_add_test(tests, reference_by_steps);
    tcase_add_test(tests, attempts_at_once);
    tcase_add_test(tests, submissions_that_cannot_be);
    tcase_add_test(tests, runs_of_which_nothing_is_known);
    tcase_add_test(tests, what_counts);
    suite_add_tcase(suite, tests);
    SRunner *runner = srunner_create(suite);
    srunner_run_all(runner, CK_NORMAL);
    int n_failed = srunner_ntests_failed(runner);
    srunner_free(runner);
    return n_failed != 0;
}
