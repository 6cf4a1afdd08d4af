/* Replays of published profiler traces: every figure of eight ranks of a DLRM step, and of traces
 * of one rank. Skipped without the shared data. */
#include "pipeline/inputs/profile_load.h"
#include "sim/profiles/profile_whatif.h"
#include "tests/support/shared_data.h"

#include <check.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define US 1000

static struct hc_error err;

static const char *shared(const char *file)
{
    static char path[PATH_MAX];
    return shared_data(path, file);
}

static const struct hc_profile_question questions[] = {
    {.comm = true, .factor = 0},
    {.comm = true, .factor = 2},
    {.cpu = true, .factor = 1.5, .n_ranks = 1, .ranks = (const int32_t[]){2}},
    {.ask = HC_ASK_MEND, .n_ranks = 1, .ranks = (const int32_t[]){7}},
    {.ask = HC_ASK_ONLY, .n_ranks = 1, .ranks = (const int32_t[]){7}},
    {.ask = HC_ASK_MEND},
    {.ask = HC_ASK_ONLY},
};

static void replay(const char *relative, int threads, struct hc_profile_whatif_result *result)
{
    const char *path = shared(relative);
    struct hc_trace_options trace_options = HC_TRACE_DEFAULTS;
    struct hc_trace_loader loader = {.trace_options = &trace_options};
    struct hc_profile_choice choice = {.n = 1, .arguments = &path, .by = HC_STEPS_BY_PROFILER};
    struct hc_profile_whatif_options options = {.first_step = HC_MISSING_I64,
                                                .last_step = HC_MISSING_I64,
                                                .n_questions = sizeof questions / sizeof *questions,
                                                .questions = questions,
                                                .threads = threads};
    struct hc_loaded_profile loaded = {0};
    struct hc_collectives collectives;
    ck_assert_msg(!hc_profile_load(&loaded, &loader, &choice, &err), "%s", err.message);
    ck_assert_msg(!hc_collectives_match(&collectives, &loaded.profile, true, &err), "%s",
                  err.message);
    ck_assert_msg(!hc_profile_whatif_run(result, &loaded.profile, &collectives, &options, &err),
                  "%s", err.message);
    hc_collectives_fini(&collectives);
    hc_loaded_profile_fini(&loaded);
    hc_trace_loader_close(&loader);
}

static void check_times(const struct hc_profile_whatif_result *result)
{
    static const int64_t skew[] = {5468, 0, 6887, 696, 2844, 2990, 6875, 7513};
    static const int64_t mend[] = {17833, 17833, 17833, 17833, 17797, 17833, 17833, 17324};
    static const int64_t cost[] = {2383, 0, 3974, 0, 661, 667, 4009, 4483};
    ck_assert_int_eq(result->traced_ns, 17833 * US);
    ck_assert_int_eq(result->replayed_ns, 17833 * US);
    ck_assert_int_eq(result->structural_ns, 17793 * US);
    ck_assert_int_eq(result->no_skew_ns, 14349 * US);
    ck_assert_int_eq(result->gpu_ideal_ns, 17832 * US);
    ck_assert_int_eq(result->cpu_ideal_ns, 16964 * US);
    ck_assert_int_eq(result->ideal_ns, 12622 * US);
    ck_assert_double_eq_tol(result->slowdown, 1.4129, 5e-5);
    ck_assert_double_eq_tol(result->gpu_share_with_peers, 0.934, 5e-4);
    ck_assert_double_eq_tol(result->cpu_share_with_peers, 0.872, 5e-4);
    ck_assert_int_eq(result->answer_ns[0], 17826 * US);
    ck_assert_int_eq(result->answer_ns[1], 17840 * US);
    ck_assert_int_eq(result->answer_ns[2], 21953 * US);
    ck_assert_int_eq(result->answer_ns[3], 17324 * US);
    ck_assert_int_eq(result->answer_ns[4], 17105 * US);
    ck_assert_int_eq(result->answer_ns[5], result->ideal_ns);    /* all of them mended */
    ck_assert_int_eq(result->answer_ns[6], result->replayed_ns); /* all of them as traced */
    for (size_t r = 0; r < 8; r++) {
        ck_assert_int_eq(result->ranks[r].start_skew_ns, skew[r] * US);
        ck_assert_int_eq(result->ranks[r].mend_ns, mend[r] * US);
        ck_assert_int_eq(result->ranks[r].cost_ns, cost[r] * US);
    }
    ck_assert(!result->is_unreliable);
}

static void check_path(const struct hc_profile_whatif_result *result)
{
    static const int64_t parts[HC_N_PATH_PARTS] = {
        [HC_PATH_CPU] = 12860, [HC_PATH_WAKE] = 275,       [HC_PATH_LAUNCH] = 62,
        [HC_PATH_SYNC] = 50,   [HC_PATH_UNEXPLAINED] = 45, [HC_PATH_MEMCPY] = 11,
        [HC_PATH_COMM] = 7,
    };
    for (size_t k = 0; k < HC_N_PATH_PARTS; k++)
        ck_assert_int_eq(result->path_ns[k], parts[k] * US);
    ck_assert_uint_eq(result->n_path, 2);
    ck_assert_int_eq(result->path[0].rank, 7);
    ck_assert_int_eq(result->path[1].rank, 4);
    ck_assert_int_eq(result->path[1].collective, 1);
    ck_assert_int_eq(result->path[1].to_ns - result->path[0].from_ns, 13310 * US);
}

START_TEST(eight_ranks)
{
    static const size_t edges[HC_N_EDGES] = {5152, 24, 2116, 2180, 2212, 824, 96, 128, 2244};
    struct hc_profile_whatif_result result;
    for (int threads = 1; threads <= 3; threads += 2) {
        replay("chakra-param/dlrm_kineto.tar.gz", threads, &result);
        ck_assert_uint_eq(result.n_points, 9664);
        for (size_t k = 0; k < HC_N_EDGES; k++) {
            ck_assert_uint_eq(result.n_edges[k], edges[k]);
            ck_assert_uint_eq(result.n_late_edges[k], 0);
        }
        check_times(&result);
        check_path(&result);
        hc_profile_whatif_result_fini(&result);
    }
}
END_TEST

static void check_one_rank(const char *relative, int64_t t_ns, double structural_percent,
                           int64_t unexplained_ns, bool is_unreliable)
{
    struct hc_profile_whatif_result result;
    replay(relative, 1, &result);
    ck_assert_int_eq(result.traced_ns, t_ns);
    ck_assert_int_eq(result.replayed_ns, t_ns);
    double off = 100 * (double)(result.structural_ns - t_ns) / (double)t_ns;
    ck_assert_double_eq_tol(off, structural_percent, structural_percent < -10 ? 0.05 : 0.005);
    ck_assert_int_eq(result.unexplained_ns, unexplained_ns);
    ck_assert_int_eq(result.is_unreliable, is_unreliable);
    hc_profile_whatif_result_fini(&result);
}

START_TEST(one_rank)
{
    check_one_rank("kineto-hta/nccl_parser_config/nccl_data.json.gz", 667225958, -0.0002, 1084,
                   false);
    check_one_rank("kineto-hta/negative_queue_length_values_check/rank0.json.gz", 1232450000, -50.0,
                   987878000, true);
    check_one_rank("kineto-tracelens/h100/Qwen_Qwen1.5-0.5B-Chat__1016005.json.gz", 49378903, -2.12,
                   1051996, false);
    /* Holds the GPU's side only in part. */
    check_one_rank("kineto-tracelens/inference/sglang_decode/sglang_Qwen3-8B_decode.json.gz",
                   473830532, -97.7, 463247754, true);
}
END_TEST

int main(void)
{
    if (shared_data_is_missing("chakra-param/dlrm_kineto.tar.gz"))
        return TEST_SKIPPED;
    Suite *suite = suite_create("published_replays");
    TCase *tcase = tcase_create("published_replays");
    tcase_set_timeout(tcase, 120);
    tcase_add_test(tcase, eight_ranks);
    tcase_add_test(tcase, one_rank);
    suite_add_tcase(suite, tcase);
    SRunner *runner = srunner_create(suite);
    srunner_run_all(runner, CK_NORMAL);
    int n_failed = srunner_ntests_failed(runner);
    srunner_free(runner);
    return n_failed != 0;
}
