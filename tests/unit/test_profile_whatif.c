/* The replay of profiler traces: the case of two ranks that was worked out by hand, to the
 * nanosecond, whatever the clocks, the order of events and the number of threads. */
#include "models/profiles/collectives.h"
#include "sim/profiles/profile_whatif.h"
#include "tests/support/profile_builder.h"

#include <check.h>
#include <math.h>
#include <string.h>

static struct hc_error err;

static const struct hc_profile_question questions[] = {
    {.comm = true, .factor = 0},
    {.comm = true, .factor = 2},
};

static void replay(struct hc_profile *profile, int threads, struct hc_profile_whatif_result *result)
{
    struct hc_profile_whatif_options options = {.first_step = HC_MISSING_I64,
                                                .last_step = HC_MISSING_I64,
                                                .n_questions = 2,
                                                .questions = questions,
                                                .threads = threads};
    struct hc_collectives collectives;
    ck_assert_msg(!hc_profile_link(profile, HC_STEPS_BY_PROFILER, &err), "%s", err.message);
    ck_assert_msg(!hc_collectives_match(&collectives, profile, true, &err), "%s", err.message);
    ck_assert_msg(!hc_profile_whatif_run(result, profile, &collectives, &options, &err), "%s",
                  err.message);
    hc_collectives_fini(&collectives);
    hc_profile_fini(profile);
}

static void check_by_hand(const struct hc_profile_whatif_result *result)
{
    ck_assert_int_eq(result->traced_ns, 500000);
    ck_assert_int_eq(result->replayed_ns, 500000);
    ck_assert_int_eq(result->structural_ns, 495000);
    ck_assert_int_eq(result->ideal_ns, 230000);
    ck_assert_double_eq_tol(result->slowdown, 500.0 / 230, 1e-12);
    ck_assert(!result->is_unreliable);
    ck_assert_int_eq(result->ranks[0].mend_ns, 500000);
    ck_assert_int_eq(result->ranks[1].mend_ns, 230000);
    ck_assert_int_eq(result->ranks[1].cost_ns, 270000);
    ck_assert_int_eq(result->ranks[0].cost_ns, 0);
    ck_assert_int_eq(result->answer_ns[0], 475000);
    ck_assert_int_eq(result->answer_ns[1], 525000);
    ck_assert_uint_eq(result->n_edges[HC_EDGE_SYNC], 4);
    ck_assert_uint_eq(result->n_edges[HC_EDGE_JOIN], 4);
    ck_assert_uint_eq(result->n_edges[HC_EDGE_FINISH], 4);
    for (size_t k = 0; k < HC_N_EDGES; k++)
        ck_assert_uint_eq(result->n_late_edges[k], 0);
}

static void check_path(const struct hc_profile_whatif_result *result)
{
    ck_assert_uint_eq(result->n_path, 2);
    ck_assert_int_eq(result->path[0].rank, 1);
    ck_assert_int_eq(result->path[1].rank, 0);
    ck_assert_int_eq(result->path[0].to_ns, result->path[1].from_ns);
    int64_t sum = 0;
    for (size_t k = 0; k < HC_N_PATH_PARTS; k++)
        sum += result->path_ns[k];
    ck_assert_int_eq(sum, result->path[1].to_ns - result->path[0].from_ns);
    ck_assert_int_eq(result->path_ns[HC_PATH_COMPUTE], 370000);
    ck_assert_int_eq(result->path_ns[HC_PATH_COMM], 25000);
    ck_assert_int_eq(result->path_ns[HC_PATH_UNEXPLAINED], 5000);
}

START_TEST(by_hand)
{
    struct hc_profile profile;
    struct hc_profile_whatif_result result;
    build_two_ranks(&profile);
    replay(&profile, 1, &result);
    check_by_hand(&result);
    check_path(&result);
    hc_profile_whatif_result_fini(&result);
}
END_TEST

/* Clocks that are hours apart, events in another order, two threads: the same figures. */
START_TEST(clocks_and_order)
{
    static const int64_t shifts[] = {-3600000000000, 7, 12345678, 3600000000000};
    for (size_t i = 0; i < sizeof shifts / sizeof shifts[0]; i++) {
        struct hc_profile profile;
        struct hc_profile_whatif_result result;
        build_two_ranks(&profile);
        shift_rank(&profile, i % 2, shifts[i]);
        shuffle_events(&profile, (uint32_t)i + 1);
        replay(&profile, 2, &result);
        check_by_hand(&result);
        check_path(&result);
        hc_profile_whatif_result_fini(&result);
    }
}
END_TEST

static void refuse(struct hc_profile *profile, const struct hc_profile_question *question,
                   const char *why)
{
    struct hc_collectives collectives;
    struct hc_profile_whatif_result result;
    struct hc_profile_whatif_options options = {.first_step = HC_MISSING_I64,
                                                .last_step = HC_MISSING_I64,
                                                .n_questions = question ? 1 : 0,
                                                .questions = question,
                                                .threads = 1};
    ck_assert(!hc_profile_link(profile, HC_STEPS_BY_PROFILER, &err));
    ck_assert(!hc_collectives_match(&collectives, profile, true, &err));
    ck_assert_int_eq(hc_profile_whatif_run(&result, profile, &collectives, &options, &err),
                     HC_BAD_INPUT);
    ck_assert_msg(strstr(err.message, why), "%s", err.message);
    hc_collectives_fini(&collectives);
    hc_profile_fini(profile);
}

/* Ranks without a step in common cannot be replayed. */
START_TEST(no_common_step)
{
    struct hc_profile profile;
    profile_begin(&profile, 2);
    add_step(&profile, 0, 1, 0, 1000);
    add_step(&profile, 1, 2, 0, 1000);
    refuse(&profile, NULL, "no step in common");
}
END_TEST

/* What no double tells to the nanosecond is refused: events that last, or lie off the window, for
 * weeks; ranks that begin weeks apart; a question that makes minutes last for months. */
START_TEST(times_of_weeks)
{
    static const int64_t day_ns = 86400000000000;
    static const struct hc_profile_question slower = {.gpu = true, .factor = 1e6};
    const struct {
        int64_t start_of_second, duration;
        const struct hc_profile_question *question;
        const char *why;
    } cases[] = {{0, 27 * day_ns, NULL, "26 days from the begin"},
                 {27 * day_ns, 1000, NULL, "do their clocks agree?"},
                 {0, INT64_MAX / 3, NULL, "26 days from the begin"},
                 {0, 60000000000, &slower, "what is asked makes the replay last more than"}};
    struct hc_profile profile;
    profile_begin(&profile, 2);
    for (size_t r = 0; r < 2; r++) {
        int64_t at = r ? cases[_i].start_of_second : 0;
        add_step(&profile, r, 1, at, at + 60000000000);
        add_launch(&profile, r,
                   (struct built_launch){.at = at + 1000,
                                         .start = at + 2000,
                                         .duration = cases[_i].duration,
                                         .stream = 7,
                                         .name = "gemm"});
    }
    refuse(&profile, cases[_i].question, cases[_i].why);
}
END_TEST

int main(void)
{
    Suite *suite = suite_create("profile_whatif");
    TCase *tcase = tcase_create("profile_whatif");
    tcase_add_test(tcase, by_hand);
    tcase_add_test(tcase, clocks_and_order);
    tcase_add_test(tcase, no_common_step);
    tcase_add_loop_test(tcase, times_of_weeks, 0, 4);
    suite_add_tcase(suite, tcase);
    SRunner *runner = srunner_create(suite);
    srunner_run_all(runner, CK_NORMAL);
    int failed = srunner_ntests_failed(runner);
    srunner_free(runner);
    return failed != 0;
}
