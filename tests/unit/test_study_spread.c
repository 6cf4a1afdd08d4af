/* What one replica may meet, against sorting and counting lives by hand; and whether intervals of
 * differences of quantiles hold what is true. */
#include "core/base/select.h"
#include "core/random/philox.h"
#include "study/engines/lifetime/lifetime_result.h"
#include "study/run/study_spread.h"
#include "tests/support/study_case.h"

#include <check.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#define N 200
#define SCENARIO                                                                                   \
    "{\"schema\": \"hindcast/scenario/1\", \"kind\": \"lifetime\", \"replicas\": 200, "            \
    "\"job\": {\"nodes\": 64, \"gpus_per_node\": 8, \"work_d\": 10}, "                             \
    "\"faults\": {\"machine\": {\"class\": \"explicit\", \"per_1000_node_days\": 20, "             \
    "\"remedy\": \"evict\", \"detect_s\": 300}}, "                                                 \
    "\"checkpoint\": {\"mode\": \"blocking\", \"every_s\": 600, \"stall_s\": 5, \"load_s\": 30}, " \
    "\"startup\": {\"full_s\": {\"lognormal\": {\"median\": 300, \"p99\": 900}}, \"hot_s\": 60}"

static void live(const struct hc_study_result *result, size_t which,
                 struct hc_lifetime_replica *replica)
{
    ck_assert_int_eq(
        hc_lifetime_run(hc_life_run_detail(&result->run[which])->config, 0, N, replica, &err),
        HC_OK);
}

/* Of 200, the 10th, 100th and 190th; a column of the quantile is the same number. */
START_TEST(quantiles_are_those_of_sorted_lives)
{
    static struct hc_lifetime_replica replica[N];
    double days[N], hours[N];
    const struct hc_study_result *result =
        run(SCENARIO ", \"report\": {\"figures\": [\"wall_d\", \"wall_d.p95\", \"mtbf_h.p10\"]}}");
    live(result, 0, replica);
    for (int i = 0; i < N; i++) {
        days[i] = (double)replica[i].wall_ns * 1e-9 / 86400;
        hours[i] = result->run[0].value[column(result, "mtbf_h")].mean;
    }
    hc_sort(days, N);
    const struct hc_study_spread *spread = &result->run[0].spread[column(result, "wall_d")];
    ck_assert_double_eq(spread->p05.mean, days[9]);
    ck_assert_double_eq(spread->p50.mean, days[99]);
    ck_assert_double_eq(spread->p95.mean, days[189]);
    ck_assert_uint_eq(spread->n_replicas, N);
    const struct hc_study_value *p95 = &result->run[0].value[column(result, "wall_d.p95")];
    ck_assert_double_eq(p95->mean, days[189]);
    ck_assert_double_eq(p95->low, spread->p95.low);
    ck_assert_double_eq(p95->high, spread->p95.high);
    /* The ends are lives, too: for 200 those of ranks 184 and 197 (binomial, 0.95). */
    ck_assert_double_eq(p95->low, days[183]);
    ck_assert_double_eq(p95->high, days[196]);
    const struct hc_study_value *p10 = &result->run[0].value[column(result, "mtbf_h.p10")];
    ck_assert_double_lt(p10->mean, hours[0]);
    ck_assert_double_gt(p10->mean, 0);
}
END_TEST

START_TEST(done_by_a_day_is_counted)
{
    static struct hc_lifetime_replica replica[N];
    const struct hc_study_result *result = run(SCENARIO ", \"report\": {\"done_by_d\": 10.2}}");
    size_t n = 0;
    live(result, 0, replica);
    for (int i = 0; i < N; i++)
        n += replica[i].finished && (double)replica[i].wall_ns * 1e-9 / 86400 <= 10.2;
    const struct hc_study_value *value = &result->run[0].value[column(result, "done_by_d")];
    ck_assert_uint_gt(n, 10);
    ck_assert_uint_lt(n, N - 10);
    ck_assert_double_eq_tol(value->mean, (double)n / N, 1e-12);
    /* No farther than 5 standard errors, and not past 0 and 1. */
    double se = sqrt(value->mean * (1 - value->mean) / N);
    ck_assert_double_gt(value->low, value->mean - 5 * se);
    ck_assert_double_lt(value->low, value->mean - se);
    ck_assert_double_gt(value->high, value->mean + se);
    ck_assert_double_le(value->high, 1);
}
END_TEST

/* All lives are done: an interval of a mean would have no width. */
START_TEST(all_done_is_not_certain)
{
    const struct hc_study_result *result = run(SCENARIO ", \"report\": {\"done_by_d\": 30}}");
    const struct hc_study_value *value = &result->run[0].value[column(result, "done_by_d")];
    ck_assert_double_eq(value->mean, 1);
    ck_assert_double_eq(value->high, 1);
    ck_assert_double_eq_tol(value->low, pow(0.025, 1.0 / N), 1e-9); /* Clopper and Pearson */
}
END_TEST

START_TEST(conditions_take_quantiles)
{
    const struct hc_study_result *result =
        run(SCENARIO ", \"find\": {\"largest\": \"/checkpoint/every_s\", \"such_that\": "
                     "\"wall_d.p95.high <= 10.9\", \"range\": {\"from\": 600, \"to\": 6600, "
                     "\"step\": 600}}}");
    ck_assert(result->found.is_found);
    const struct hc_study_try *try = &result->found.tries[result->found.answer];
    ck_assert_double_le(try->value.high, 10.9);
    ck_assert_str_eq(result->column[result->found.column].name, "wall_d.p95");
    ck_assert(result->found.again.is_there);
    ck_assert_double_ne(result->found.again.value[result->found.column].mean, try->value.mean);
}
END_TEST

/* What is asked for and is not there. */
START_TEST(wrong_quantiles_are_refused)
{
    static const char *const wrong[] = {"wall_d.p00", "wall_d.p5", "wall_d.p100", "nothing.p50",
                                        "interaction.p50"};
    for (size_t i = 0; i < sizeof wrong / sizeof *wrong; i++) {
        char text[1024];
        snprintf(text, sizeof text, SCENARIO ", \"report\": {\"figures\": [\"%s\"]}}", wrong[i]);
        ck_assert_msg(try_study(text, 2) == HC_BAD_INPUT, "%s", wrong[i]);
    }
    ck_assert_int_eq(try_study(SCENARIO ", \"report\": {\"figures\": [\"done_by_d\"]}}", 2),
                     HC_BAD_INPUT);
}
END_TEST

/* ---- differences of quantiles ---- */

static double itself(const struct hc_engine_figure *figure, const void *replica,
                     const struct hc_figure_scale *scale)
{
    (void)figure;
    (void)scale;
    return *(const double *)replica;
}

/* In how many of 1,000 pairs of samples the interval of p80(y) - p80(x) holds what is true; x and y
 * are normal with deviations 1 and 2, and share a part. */
static int count_held(double shared, int32_t percent, double truth)
{
    enum { SAMPLES = 1000, SIZE = 300 };
    struct hc_engine_figure figure = {.name = "x", .above = itself, .percent = percent};
    const struct hc_engine_figure *figures[] = {&figure};
    const struct hc_study_columns columns = {figures, 1, SIZE};
    const size_t which[] = {0, 1};
    const double factor[] = {-1, 1};
    struct hc_philox rng;
    int n_held = 0;
    hc_philox_seek(&rng, 11, (uint64_t)percent, 0);
    for (int i = 0; i < SAMPLES; i++) {
        struct hc_arena arena = {NULL};
        struct hc_study_kept kept;
        ck_assert_int_eq(hc_study_kept_init(&kept, &columns, 2, false, &arena, &err), HC_OK);
        for (int k = 0; k < SIZE; k++) {
            double common = hc_philox_normal(&rng), rest = sqrt(1 - shared * shared);
            struct hc_figure_value x = {shared * common + rest * hc_philox_normal(&rng), 1},
                                   y = {2 * (shared * common + rest * hc_philox_normal(&rng)), 1};
            const struct hc_figure_value *const sample[] = {&x, &y};
            hc_study_kept_add(&kept, which, sample);
        }
        struct hc_study_value value = hc_study_kept_quantile(&kept, 0, factor, percent, 0.95);
        n_held += value.low <= truth && truth <= value.high;
        hc_arena_fini(&arena);
    }
    return n_held;
}

START_TEST(differences_of_quantiles_are_covered)
{
    static const double shares[] = {0, 0.9};
    for (size_t i = 0; i < 2; i++)
        for (int32_t percent = 20; percent <= 80; percent += 30) {
            int held = count_held(shares[i], percent, hc_normal_quantile(percent / 100.0));
            ck_assert_msg(held >= 925 && held <= 985, "%d %% sharing %g: %d of 1,000", percent,
                          shares[i], held);
        }
}
END_TEST

/* A figure that nobody had, and one that is above all others. */
START_TEST(ratios_to_nothing)
{
    struct hc_engine_figure figure = {.name = "x", .above = itself, .percent = 50};
    const struct hc_engine_figure *figures[] = {&figure};
    const struct hc_study_columns columns = {figures, 1, 8};
    const size_t which[] = {0};
    const double factor[] = {1};
    const struct hc_figure_value values[] = {{0, 0}, {3, 1}, {5, 0}, {1, 1}, {0, 0}, {7, 0}};
    struct hc_arena arena = {NULL};
    struct hc_study_kept kept;
    ck_assert_int_eq(hc_study_kept_init(&kept, &columns, 1, false, &arena, &err), HC_OK);
    ck_assert(isnan(hc_study_kept_quantile(&kept, 0, factor, 50, 0.95).mean));
    for (size_t i = 0; i < 6; i++) {
        const struct hc_figure_value *const sample[] = {&values[i]};
        hc_study_kept_add(&kept, which, sample);
    }
    ck_assert_double_eq(hc_study_kept_quantile(&kept, 0, factor, 50, 0.95).mean, 3); /* of 4 */
    ck_assert(isinf(hc_study_kept_quantile(&kept, 0, factor, 75, 0.95).mean));
    hc_arena_fini(&arena);
}
END_TEST

int main(void)
{
    Suite *suite = suite_create("study_spread");
    TCase *cases = tcase_create("all");
    tcase_add_checked_fixture(cases, NULL, tear_down);
    tcase_set_timeout(cases, 120);
    tcase_add_test(cases, quantiles_are_those_of_sorted_lives);
    tcase_add_test(cases, done_by_a_day_is_counted);
    tcase_add_test(cases, all_done_is_not_certain);
    tcase_add_test(cases, conditions_take_quantiles);
    tcase_add_test(cases, wrong_quantiles_are_refused);
    tcase_add_test(cases, differences_of_quantiles_are_covered);
    tcase_add_test(cases, ratios_to_nothing);
    suite_add_tcase(suite, cases);
    SRunner *runner = srunner_create(suite);
    srunner_run_all(runner, CK_ENV);
    int failed = srunner_ntests_failed(runner);
    srunner_free(runner);
    return failed != 0;
}
