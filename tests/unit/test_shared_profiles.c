/* The profiler traces of others in ../shared, against what was worked out for them beforehand
 * (spec/profiler-traces.md, "Check values") and against what other tools print. */
#include "models/profiles/breakdown.h"
#include "models/profiles/collectives.h"
#include "tests/support/profile_builder.h"
#include "tests/support/profile_loader.h"

#include <check.h>
#include <math.h>
#include <omp.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define US            1000
#define DLRM          "chakra-param/dlrm_kineto.tar.gz"
#define N_RANKS       8
#define N_COLLECTIVES 8

static struct hc_error err;

static void link_profile(struct hc_profile *profile)
{
    ck_assert_msg(!hc_profile_link(profile, HC_STEPS_BY_PROFILER, &err), "%s", err.message);
}

static void load(struct hc_profile *profile, const char *file)
{
    profile_load_begin(profile);
    profile_load(profile, file);
    link_profile(profile);
}

static void match(struct hc_collectives *found, const struct hc_profile *profile)
{
    ck_assert_msg(!hc_collectives_match(found, profile, true, &err), "%s", err.message);
}

static int64_t count(const struct hc_profile *profile, size_t rank, size_t column)
{
    return hc_table_i64(&profile->ranks[rank].table[HC_PROFILE_RANKS], column)[0];
}

/* ---- eight ranks of DLRM ---- */

START_TEST(dlrm_tables)
{
    struct hc_profile profile;
    load(&profile, DLRM);
    ck_assert_uint_eq(profile.n_ranks, N_RANKS);
    ck_assert_int_eq(profile.world_size, N_RANKS);
    ck_assert_uint_eq(profile.n_missing, 0);
    ck_assert_int_eq(count(&profile, 0, HC_RANKS_N_CPU_OPS), 1633);
    ck_assert_int_eq(count(&profile, 0, HC_RANKS_N_CALLS), 525);
    ck_assert_int_eq(count(&profile, 0, HC_RANKS_N_KERNELS), 245);
    ck_assert_int_eq(count(&profile, 0, HC_RANKS_N_MEMCPYS), 16);
    ck_assert_int_eq(count(&profile, 0, HC_RANKS_N_ANNOTATIONS), 40);
    for (size_t r = 0; r < N_RANKS; r++) {
        ck_assert_uint_eq(profile.ranks[r].n_unlinked, r == 1 || r == 3 ? 64 : 0);
        ck_assert_uint_eq(profile.ranks[r].n_steps, 1);
        ck_assert_int_eq(profile.ranks[r].steps[0].number, 10);
    }
    hc_profile_fini(&profile);
}
END_TEST

/* In us: of the step's GPU window, and of all GPU events where that differs. */
static const struct {
    int64_t cpu_step, window, compute, exposed_comm, overlapped, memcpy;
    int64_t all_window, all_compute, all_idle; /* 0: the same */
    int64_t hta_compute;
} dlrm_steps[N_RANKS] = {
    {14455, 13009, 1034, 5537, 261, 19, 0, 0, 0, 1034},
    {19901, 18467, 1050, 11056, 280, 19, 18749, 1246, 6428, 1246},
    {13017, 11350, 1068, 3217, 275, 19, 0, 0, 0, 1068},
    {19313, 17511, 1074, 9440, 334, 18, 18853, 1250, 8145, 1240},
    {17979, 16589, 1133, 6550, 37, 19, 0, 0, 0, 1126},
    {17797, 16392, 1041, 6211, 40, 19, 0, 0, 0, 1041},
    {13091, 11410, 1051, 3289, 269, 19, 0, 0, 0, 1051},
    {12509, 10967, 1059, 1580, 166, 20, 0, 0, 0, 1059},
};

static void check_breakdown(const struct hc_breakdown *found, int64_t window, int64_t compute)
{
    ck_assert_int_eq(found->window_ns, window * US);
    ck_assert_int_eq(found->compute_ns, compute * US);
    ck_assert_int_eq(found->compute_ns + found->exposed_comm_ns + found->exposed_memcpy_ns +
                         found->idle_ns,
                     found->window_ns);
}

START_TEST(dlrm_breakdown)
{
    static const double hta_overlap[] = {4.50, 2.47, 7.88, 3.31, 0.56, 0.64, 7.56, 9.51};
    struct hc_profile profile;
    load(&profile, DLRM);
    for (size_t r = 0; r < N_RANKS; r++) {
        const struct hc_profile_step *step = &profile.ranks[r].steps[0];
        struct hc_breakdown found, whole, hta;
        struct hc_breakdown_choice choice = {step->gpu_start_ns, step->gpu_end_ns, false,
                                             HC_BREAKDOWN_OURS};
        hc_profile_breakdown(&found, &profile, r, &choice);
        check_breakdown(&found, dlrm_steps[r].window, dlrm_steps[r].compute);
        ck_assert_int_eq(step->cpu_end_ns - step->cpu_start_ns, dlrm_steps[r].cpu_step * US);
        ck_assert_int_eq(found.exposed_comm_ns, dlrm_steps[r].exposed_comm * US);
        ck_assert_int_eq(found.overlapped_comm_ns, dlrm_steps[r].overlapped * US);
        ck_assert_int_eq(found.exposed_memcpy_ns, dlrm_steps[r].memcpy * US);
        choice.start_ns = choice.end_ns = HC_MISSING_I64;
        hc_profile_breakdown(&whole, &profile, r, &choice);
        if (dlrm_steps[r].all_window) {
            check_breakdown(&whole, dlrm_steps[r].all_window, dlrm_steps[r].all_compute);
            ck_assert_int_eq(whole.idle_ns, dlrm_steps[r].all_idle * US);
        } else {
            ck_assert_mem_eq(&whole, &found, sizeof whole);
        }
        choice.like = HC_BREAKDOWN_LIKE_HTA;
        hc_profile_breakdown(&hta, &profile, r, &choice);
        check_breakdown(&hta, whole.window_ns / US, dlrm_steps[r].hta_compute);
        ck_assert_int_eq(hta.idle_ns, whole.idle_ns);
        double overlap = 100 * (double)hta.overlapped_comm_ns /
                         (double)(hta.overlapped_comm_ns + hta.exposed_comm_ns);
        ck_assert_double_eq_tol(overlap, hta_overlap[r], 0.005);
    }
    hc_profile_fini(&profile);
}
END_TEST

/* In us; waits of ranks 0 to 7. */
static const struct {
    const char *op;
    int32_t last;
    int64_t waits[N_RANKS], transfer, end_skew;
} dlrm_collectives[N_COLLECTIVES] = {
    {"all_to_all", 7, {2136, 7624, 508, 6121, 4872, 4669, 505, 0}, 10, 2},
    {"all_to_all", 7, {1025, 1017, 509, 1014, 1101, 1053, 512, 0}, 8, 1},
    {"all_to_all", 7, {169, 162, 165, 166, 163, 168, 168, 0}, 7, 1},
    {"all_to_all", 7, {125, 124, 124, 124, 124, 125, 125, 0}, 7, 3},
    {"all_reduce", 7, {160, 223, 116, 207, 9, 12, 127, 0}, 86, 4},
    {"all_to_all", 5, {504, 534, 458, 532, 52, 0, 475, 348}, 10, 3},
    {"all_reduce", 5, {583, 583, 554, 583, 49, 0, 579, 448}, 20, 5},
    {"all_reduce", 4, {886, 858, 846, 816, 0, 14, 851, 738}, 69, 6},
};

static void check_dlrm(const struct hc_collectives *found)
{
    ck_assert_uint_eq(found->n_kernels, N_RANKS * N_COLLECTIVES);
    ck_assert_uint_eq(found->n, N_COLLECTIVES);
    ck_assert_uint_eq(found->n_violations, 0);
    ck_assert_uint_eq(found->n_mismatched, 0);
    for (size_t c = 0; c < N_COLLECTIVES; c++) {
        const struct hc_collective *one = &found->collectives[c];
        ck_assert_uint_eq(one->n, N_RANKS);
        ck_assert_str_eq(one->op, dlrm_collectives[c].op);
        ck_assert_int_eq(one->last_rank, dlrm_collectives[c].last);
        ck_assert_int_eq(one->transfer_ns, dlrm_collectives[c].transfer * US);
        ck_assert_int_eq(one->end_skew_ns, dlrm_collectives[c].end_skew * US);
        ck_assert(one->is_complete && one->is_joint);
        for (size_t m = 0; m < N_RANKS; m++)
            ck_assert_int_eq(found->wait_ns[one->first + m], dlrm_collectives[c].waits[m] * US);
    }
    ck_assert_int_eq(found->median_residual_ns, 1 * US);
    ck_assert_int_eq(found->max_residual_ns, 4 * US);
    ck_assert(!found->has_drift);
}

START_TEST(dlrm_collectives_match)
{
    static const int64_t offsets[] = {0, -1, -1, -2, -1, -1, -1, -1};
    static const int64_t caused[] = {0, 0, 0, 0, 5009, 6282, 0, 35552};
    struct hc_profile profile;
    struct hc_collectives found;
    load(&profile, DLRM);
    match(&found, &profile);
    check_dlrm(&found);
    for (size_t r = 0; r < N_RANKS; r++) {
        ck_assert_int_eq(found.clocks[r].offset_ns, offsets[r] * US);
        ck_assert_int_eq(found.clocks[r].caused_wait_ns, caused[r] * US);
    }
    static const struct {
        size_t rank;
        int64_t low, high;
    } bounds[] = {{7, -7, 131}, {5, -11, 131}, {1, -131, 132}};
    for (size_t b = 0; b < 3; b++) {
        ck_assert_int_eq(found.clocks[bounds[b].rank].low_ns, bounds[b].low * US);
        ck_assert_int_eq(found.clocks[bounds[b].rank].high_ns, bounds[b].high * US);
    }
    hc_collectives_fini(&found);
    hc_profile_fini(&profile);
}
END_TEST

/* Clocks milliseconds to hours apart, events in another order, other numbers of threads: the same
 * but for the offsets. */
START_TEST(dlrm_shifted)
{
    static const int64_t shifts[] = {0, 5000000, -3600000000000, 86400000000001, 1, -7, 123456, 9};
    static const int64_t offsets[] = {0, -1, -1, -2, -1, -1, -1, -1};
    for (int threads = 1; threads <= 3; threads++) {
        struct hc_profile profile;
        struct hc_collectives found;
        omp_set_num_threads(threads);
        profile_load_begin(&profile);
        profile_load(&profile, DLRM);
        shuffle_events(&profile, (uint32_t)threads);
        for (size_t r = 0; r < N_RANKS; r++)
            shift_rank(&profile, r, shifts[profile.ranks[r].rank]);
        link_profile(&profile);
        match(&found, &profile);
        check_dlrm(&found);
        for (size_t r = 0; r < N_RANKS; r++)
            ck_assert_int_eq(found.clocks[r].offset_ns, offsets[r] * US + shifts[r]);
        ck_assert_int_eq(found.clocks[7].high_ns, 131 * US + shifts[7]);
        hc_collectives_fini(&found);
        hc_profile_fini(&profile);
    }
    omp_set_num_threads(1);
}
END_TEST

START_TEST(dlrm_without_rank_7)
{
    static const int32_t last[] = {6, 2, 1, 1, 4, 5, 5, 4};
    static const int64_t transfers[] = {514, 517, 169, 131, 95, 10, 20, 69};
    struct hc_profile profile;
    struct hc_collectives found;
    profile_load_begin(&profile);
    profile_load(&profile, DLRM);
    profile_without(&profile, 7);
    link_profile(&profile);
    match(&found, &profile);
    ck_assert_uint_eq(profile.n_missing, 1);
    ck_assert_int_eq(profile.gaps[0].first, 7);
    ck_assert_uint_eq(found.n, N_COLLECTIVES);
    for (size_t c = 0; c < N_COLLECTIVES; c++) {
        ck_assert(!found.collectives[c].is_complete);
        ck_assert_int_eq(found.collectives[c].last_rank, last[c]);
        ck_assert_int_eq(found.collectives[c].transfer_ns, transfers[c] * US);
    }
    hc_collectives_fini(&found);
    hc_profile_fini(&profile);
}
END_TEST

/* What the execution traces of the same run say of its sizes: bytes of elements of one byte here.
 */
START_TEST(dlrm_bandwidth)
{
    static const int64_t bytes[] = {24576, 192, 1536, 13568, 1576964, 24576, 448, 907840};
    static const struct {
        size_t collective;
        double gb_s;
    } expected[] = {{0, 2.1504}, {4, 32.0894}, {7, 23.0249}};
    struct hc_profile profile;
    struct hc_collectives found;
    load(&profile, DLRM);
    match(&found, &profile);
    int64_t *size = calloc(found.n_kernels, sizeof *size);
    for (size_t k = 0; k < found.n_kernels; k++)
        size[k] = bytes[found.kernels[k].collective];
    for (size_t k = 0; k < found.n_kernels; k++) {
        const struct hc_comm_kernel *kernel = &found.kernels[k];
        const struct hc_table *gpu = &profile.ranks[kernel->rank_index].table[HC_PROFILE_GPU];
        add_comm(
            &profile, kernel->rank_index,
            (struct built_comm){.of_kernel = true,
                                .start = hc_table_i64(gpu, HC_GPU_START_NS)[kernel->row],
                                .stream = hc_table_i32(gpu, HC_GPU_STREAM)[kernel->row],
                                .correlation = hc_table_i64(gpu, HC_GPU_CORRELATION)[kernel->row],
                                .dtype = "Char",
                                .in_elements = size[k]});
    }
    free(size);
    hc_collectives_fini(&found);
    link_profile(&profile); /* once more, with the rows that came */
    match(&found, &profile);
    check_dlrm(&found);
    for (size_t c = 0; c < N_COLLECTIVES; c++)
        ck_assert_int_eq(found.collectives[c].bytes, bytes[c]);
    for (size_t e = 0; e < 3; e++)
        ck_assert_double_eq_tol(found.collectives[expected[e].collective].busbw_gb_s,
                                expected[e].gb_s, 0.00005);
    hc_collectives_fini(&found);
    hc_profile_fini(&profile);
}
END_TEST

/* ---- others ---- */

#define HTA       "kineto-hta/"
#define TRACELENS "kineto-tracelens/"

/* ns: window, compute, exposed comm, exposed memcpy, idle. */
static const struct {
    const char *file;
    enum hc_breakdown_like like;
    bool linked_only;
    int64_t window, compute, comm, memcpy, idle;
} others[] = {
    {HTA "nccl_parser_config/nccl_data.json.gz", HC_BREAKDOWN_OURS, false, 660551005, 116046564,
     39529327, 1924123, 503050991},
    {HTA "negative_queue_length_values_check/rank0.json.gz", HC_BREAKDOWN_OURS, true, 1229072000,
     180107000, 160718000, 40031000, 848216000},
    {TRACELENS "h100/Qwen_Qwen1.5-0.5B-Chat__1016005.json.gz", HC_BREAKDOWN_LIKE_TRACELENS, false,
     34892419, 31903105, 0, 2368, 2986946},
    {TRACELENS "h100/Qwen_Qwen1.5-0.5B-Chat__1016005.json.gz", HC_BREAKDOWN_OURS, true, 34892419,
     31903105, 0, 2368, 2986946},
    {TRACELENS "h100/Qwen_Qwen1.5-0.5B-Chat__1016005.json.gz", HC_BREAKDOWN_OURS, false, 49652832,
     45644932, 0, 2368, 4005532},
    {TRACELENS "inference/sglang_decode/sglang_Qwen3-8B_decode.json.gz",
     HC_BREAKDOWN_LIKE_TRACELENS, false, 473749943, 9759749, 0, 13177, 463977017},
    {TRACELENS "inference/vllm_decode_full/graph_execution.json.gz", HC_BREAKDOWN_LIKE_TRACELENS,
     false, 10743181, 10674517, 0, 43191, 25473},
};

START_TEST(other_breakdowns)
{
    struct hc_profile profile;
    struct hc_breakdown found;
    struct hc_breakdown_choice choice = {HC_MISSING_I64, HC_MISSING_I64, others[_i].linked_only,
                                         others[_i].like};
    load(&profile, others[_i].file);
    hc_profile_breakdown(&found, &profile, 0, &choice);
    ck_assert_int_eq(found.window_ns, others[_i].window);
    ck_assert_int_eq(found.compute_ns, others[_i].compute);
    ck_assert_int_eq(found.exposed_comm_ns, others[_i].comm);
    ck_assert_int_eq(found.exposed_memcpy_ns, others[_i].memcpy);
    ck_assert_int_eq(found.idle_ns, others[_i].idle);
    hc_profile_fini(&profile);
}
END_TEST

/* HTA rounds each event to whole microseconds: its idle times here are published with it. */
START_TEST(hta_idle)
{
    static const struct {
        const char *file;
        int64_t idle;
        size_t n_unlinked;
    } idle[] = {
        {HTA "nccl_parser_config/nccl_data.json.gz", 506512000, 0},
        {HTA "negative_queue_length_values_check/rank0.json.gz", 848216000, 872},
    };
    struct hc_breakdown_choice choice = {HC_MISSING_I64, HC_MISSING_I64, false,
                                         HC_BREAKDOWN_LIKE_HTA};
    for (size_t i = 0; i < 2; i++) {
        struct hc_profile profile;
        struct hc_breakdown found;
        load(&profile, idle[i].file);
        hc_profile_breakdown(&found, &profile, 0, &choice);
        ck_assert_int_eq(found.idle_ns, idle[i].idle);
        ck_assert_uint_eq(profile.ranks[0].n_unlinked, idle[i].n_unlinked);
        hc_profile_fini(&profile);
    }
}
END_TEST

/* 421 kernels of one graph launch are all linked to it. */
START_TEST(graph_launch)
{
    struct hc_profile profile;
    load(&profile, TRACELENS "inference/vllm_decode_full/graph_execution.json.gz");
    const struct hc_profile_rank *rank = &profile.ranks[0];
    const struct hc_table *calls = &rank->table[HC_PROFILE_CALLS];
    size_t n = 0;
    for (size_t i = 0; i < rank->table[HC_PROFILE_GPU].n_rows; i++)
        n += rank->launch[i] != HC_NO_ROW &&
             !strcmp(hc_profile_text(&profile, "event",
                                     hc_table_i32(calls, HC_CALLS_NAME)[rank->launch[i]]),
                     "hipGraphLaunch");
    ck_assert_uint_eq(n, 421);
    hc_profile_fini(&profile);
}
END_TEST

/* Two ranks whose events were sampled: ten communication kernels each, those of stream 84 joined
 * wrongly. */
START_TEST(sampled_pair)
{
    struct hc_profile profile;
    struct hc_collectives found;
    profile_load_begin(&profile);
    profile_load(&profile, HTA "trace_filter/sampled_rank-0.json.gz");
    profile_load(&profile, HTA "trace_filter/sampled_rank-1.json.gz");
    link_profile(&profile);
    match(&found, &profile);
    ck_assert_uint_eq(found.n_kernels, 20);
    ck_assert_uint_eq(found.n_groups, 2);
    for (size_t g = 0; g < 2; g++) {
        const struct hc_comm_group *group = &found.groups[g];
        bool is_refused = !strcmp(group->name, "stream 84");
        ck_assert_int_eq(group->is_refused, is_refused);
        ck_assert_uint_eq(group->n_mismatches, is_refused ? 2 : 0);
        ck_assert_uint_eq(group->n_violations, is_refused ? 4 : 0);
    }
    ck_assert_uint_eq(found.n, 2);
    ck_assert_uint_eq(found.n_local, 16);
    hc_collectives_fini(&found);
    hc_profile_fini(&profile);
}
END_TEST

int main(void)
{
    if (shared_profiles_are_missing())
        return 77;
    Suite *suite = suite_create("shared_profiles");
    TCase *tests = tcase_create("shared_profiles");
    tcase_set_timeout(tests, 120);
    tcase_add_test(tests, dlrm_tables);
    tcase_add_test(tests, dlrm_breakdown);
    tcase_add_test(tests, dlrm_collectives_match);
    tcase_add_test(tests, dlrm_shifted);
    tcase_add_test(tests, dlrm_without_rank_7);
    tcase_add_test(tests, dlrm_bandwidth);
    tcase_add_loop_test(tests, other_breakdowns, 0, sizeof others / sizeof others[0]);
    tcase_add_test(tests, hta_idle);
    tcase_add_test(tests, graph_launch);
    tcase_add_test(tests, sampled_pair);
    suite_add_tcase(suite, tests);
    SRunner *runner = srunner_create(suite);
    srunner_run_all(runner, CK_NORMAL);
    int failed = srunner_ntests_failed(runner);
    srunner_free(runner);
    return failed ? 1 : 0;
}
