/* Starts of training: own times of nodes, what could be avoided, and nodes that are slow again and
 * again, which chance alone seldom makes. */
#include "models/account/startup/startup_result.h"

#include <check.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define S ((int64_t)1000000000)

static struct hc_error err;

/* A launch of n nodes from begin_s on, whose image takes so long on each; then steps for 1000 s. */
static void launch(struct hc_startup_input *input, int64_t begin_s, const char *const *nodes,
                   const int64_t *image_s, size_t n)
{
    const struct hc_startup_attempt attempt = {.job = begin_s,
                                               .gpus = (int32_t)(8 * n),
                                               .run = "r",
                                               .user = "u",
                                               .partition = "p",
                                               .size = "s"};
    int64_t slowest = 0;
    ck_assert_int_eq(hc_startup_take_attempt(input, &attempt, &err), HC_OK);
    for (size_t i = 0; i < n; i++) {
        const struct hc_startup_row row = {
            .phase = HC_PHASE_IMAGE, .from_ns = begin_s * S, .to_ns = (begin_s + image_s[i]) * S};
        slowest = image_s[i] > slowest ? image_s[i] : slowest;
        ck_assert_int_eq(hc_startup_take_phase(input, nodes[i], &row, &err), HC_OK);
    }
    struct hc_slice slice = {.from_ns = begin_s * S,
                             .to_ns = (begin_s + slowest) * S,
                             .gpus = (int32_t)(8 * n),
                             .what = HC_WHAT_STARTUP_IMAGE};
    ck_assert_int_eq(hc_startup_take_slice(input, &slice, &err), HC_OK);
    slice.from_ns = slice.to_ns;
    slice.to_ns += 1000 * S;
    slice.what = HC_WHAT_PRODUCTIVE_UNSPLIT;
    ck_assert_int_eq(hc_startup_take_slice(input, &slice, &err), HC_OK);
}

static const char *const four[] = {"a", "b", "c", "d"};

START_TEST(sums_and_the_best_tenth)
{
    struct hc_startup_input input = {.from_ns = 0, .to_ns = 1000000 * S};
    struct hc_startup_result result;
    for (int64_t i = 0; i < 5; i++) { /* 10, 20, 30, 40, 50 s on the slowest */
        const int64_t image_s[] = {10, 10, 10, 10 * (i + 1)};
        launch(&input, 10000 * i, four, image_s, 4);
    }
    const int64_t late[] = {500, 500, 500, 500};
    launch(&input, 1000000, four, late, 4); /* behind the window */
    hc_startup_end(&input);
    ck_assert_int_eq(hc_startup_result_make(&result, &input, &err), HC_OK);
    ck_assert_int_eq(result.n_starts, 5);
    ck_assert_double_eq_tol(result.startup, 150.0 * 32 / 3600, 1e-12);
    ck_assert_double_eq_tol(result.held, 5150.0 * 32 / 3600, 1e-12);
    ck_assert_uint_eq(result.n_classes, 1);
    ck_assert_double_eq(result.classes[0].best_s, 10);
    ck_assert_double_eq(result.classes[0].median_s, 30);
    ck_assert_double_eq_tol(result.avoidable, (10 + 20 + 30 + 40) * 32 / 3600.0, 1e-12);
    ck_assert_double_eq_tol(result.groups[HC_STARTUP_USER][0].avoidable, result.avoidable, 1e-12);
    /* own times sum to 5 * 30 + 150, slowest ones to 4 * 150 */
    ck_assert_double_eq_tol(result.phases[0].waiting_share, 1 - 300.0 / 600, 1e-12);
    ck_assert_double_eq(result.phases[0].ratio_median, 3);
    ck_assert_double_eq(result.phases[0].ratio_most, 5);
    /* d alone is slow, in those of 20 s and more: 10 s is 1.5 times and 5 s more */
    ck_assert_str_eq(result.nodes[0].node, "d");
    ck_assert_int_eq(result.nodes[0].n_slow, 4);
    ck_assert_double_eq_tol(result.nodes[0].extra_gpu_hours, 100 * 32 / 3600.0, 1e-12);
    hc_startup_result_fini(&result);
    hc_startup_input_fini(&input);
}
END_TEST

START_TEST(too_few_have_no_best_tenth)
{
    struct hc_startup_input input = {.from_ns = 0, .to_ns = 1000000 * S};
    struct hc_startup_result result;
    const int64_t image_s[] = {10, 10, 10, 100};
    for (int64_t i = 0; i < HC_STARTUP_LEAST_STARTS - 1; i++)
        launch(&input, 10000 * i, four, image_s, 4);
    hc_startup_end(&input);
    ck_assert_int_eq(hc_startup_result_make(&result, &input, &err), HC_OK);
    ck_assert_double_nan(result.classes[0].best_s);
    ck_assert_double_nan(result.avoidable_share);
    ck_assert_double_eq_tol(result.without_class, result.startup, 1e-12);
    hc_startup_result_fini(&result);
    hc_startup_input_fini(&input);
}
END_TEST

/* ---- nodes ---- */

static uint32_t draw(uint32_t *seed)
{
    *seed = *seed * 1664525u + 1013904223u;
    return *seed >> 8;
}

/* 120 starts of 5 of 60 nodes, of which each is slow in one of 40, but node 0 in one of `bad`; how
 * many nodes are called slow, and whether node 0 is. */
static size_t fleet(uint32_t seed, uint32_t bad, bool *is_found)
{
    static char names[60][8];
    struct hc_startup_input input = {.from_ns = 0, .to_ns = 10000000 * S};
    struct hc_startup_result result;
    size_t n_called = 0;
    *is_found = false;
    for (int64_t start = 0; start < 120; start++) {
        const char *nodes[5];
        int64_t image_s[5];
        uint32_t first = draw(&seed) % 56;
        for (uint32_t i = 0; i < 5; i++) {
            uint32_t node = i == 0 && start % 4 == 0 ? 0 : first + i;
            snprintf(names[node], sizeof names[node], "n%02u", node);
            nodes[i] = names[node];
            image_s[i] = draw(&seed) % (node == 0 ? bad : 40) == 0 ? 100 : 50 + draw(&seed) % 5;
        }
        launch(&input, 10000 * start, nodes, image_s, 5);
    }
    hc_startup_end(&input);
    ck_assert_int_eq(hc_startup_result_make(&result, &input, &err), HC_OK);
    for (size_t i = 0; i < result.n_nodes; i++) {
        n_called += result.nodes[i].is_slow;
        *is_found |= result.nodes[i].is_slow && strcmp(result.nodes[i].node, "n00") == 0;
    }
    hc_startup_result_fini(&result);
    hc_startup_input_fini(&input);
    return n_called;
}

START_TEST(slow_nodes_are_found_and_others_seldom)
{
    int n_wrong = 0, n_found = 0;
    for (uint32_t seed = 1; seed <= 200; seed++) {
        bool is_found;
        n_wrong += fleet(seed, 40, &is_found) > 0;
        fleet(seed, 3, &is_found);
        n_found += is_found;
    }
    ck_assert_int_le(n_wrong, 5); /* at most 1 in 100 is meant: 2 of 200 */
    ck_assert_int_ge(n_found, 180);
}
END_TEST

int main(void)
{
    Suite *suite = suite_create("startup");
    TCase *tcase = tcase_create("all");
    tcase_add_test(tcase, sums_and_the_best_tenth);
    tcase_add_test(tcase, too_few_have_no_best_tenth);
    tcase_add_test(tcase, slow_nodes_are_found_and_others_seldom);
    suite_add_tcase(suite, tcase);
    SRunner *runner = srunner_create(suite);
    srunner_run_all(runner, CK_NORMAL);
    int failed = srunner_ntests_failed(runner);
    srunner_free(runner);
    return failed != 0;
}
