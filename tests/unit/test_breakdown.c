/* The breakdown of a GPU's window: against a bitmap of every nanosecond for random streams, and by
 * hand for what the rules of other tools change. */
#include "core/random/philox.h"
#include "models/profiles/breakdown.h"
#include "tests/support/profile_builder.h"

#include <check.h>
#include <string.h>

#define LENGTH 600

static struct hc_error err;

static void link_profile(struct hc_profile *profile)
{
    ck_assert_msg(!hc_profile_link(profile, HC_STEPS_BY_PROFILER, &err), "%s", err.message);
}

static void check_sum(const struct hc_breakdown *b)
{
    ck_assert_int_eq(b->compute_ns + b->exposed_comm_ns + b->exposed_memcpy_ns + b->idle_ns,
                     b->window_ns);
    ck_assert_int_ge(b->idle_ns, 0);
}

/* Bit a of every nanosecond: whether an event of activity a that counts runs then. */
static void draw_bitmap(uint8_t bitmap[LENGTH], const struct hc_profile_rank *rank,
                        bool linked_only)
{
    const struct hc_table *gpu = &rank->table[HC_PROFILE_GPU];
    memset(bitmap, 0, LENGTH);
    for (size_t i = 0; i < gpu->n_rows; i++)
        for (int64_t t = 0; t < hc_table_i64(gpu, HC_GPU_DURATION_NS)[i]; t++)
            if (!linked_only || rank->launch[i] != HC_NO_ROW)
                bitmap[hc_table_i64(gpu, HC_GPU_START_NS)[i] + t] |=
                    (uint8_t)(1 << hc_table_i32(gpu, HC_GPU_ACTIVITY)[i]);
}

static struct hc_breakdown count_bitmap(const uint8_t bitmap[LENGTH], int64_t start, int64_t end)
{
    struct hc_breakdown b = {.window_ns = end - start};
    for (int64_t t = start; t < end; t++) {
        bool computes = bitmap[t] & 1 << HC_GPU_COMPUTES;
        bool communicates = bitmap[t] & 1 << HC_GPU_COMMUNICATES;
        b.compute_ns += computes;
        b.exposed_comm_ns += communicates && !computes;
        b.overlapped_comm_ns += communicates && computes;
        b.exposed_memcpy_ns += bitmap[t] == 1 << HC_GPU_COPIES;
        b.idle_ns += bitmap[t] == 0;
    }
    return b;
}

static void add_random_events(struct hc_profile *profile, struct hc_philox *rng)
{
    size_t n = (size_t)hc_philox_integer(rng, 60);
    int64_t longest = 1 + (int64_t)hc_philox_integer(rng, 50);
    for (size_t i = 0; i < n; i++) {
        struct built_gpu gpu = {
            .start = (int64_t)hc_philox_integer(rng, LENGTH - 50),
            .duration = (int64_t)hc_philox_integer(rng, (uint64_t)longest),
            .stream = (int32_t)hc_philox_integer(rng, 3),
            .activity = (enum hc_gpu_activity)hc_philox_integer(rng, 3),
            .correlation = (int64_t)hc_philox_integer(rng, 2),
        };
        add_gpu(profile, 0, gpu);
    }
    add_call(profile, 0, (struct built_call){.correlation = 1});
}

static void check_window(const struct hc_profile *profile, const struct hc_breakdown_choice *choice)
{
    uint8_t bitmap[LENGTH];
    struct hc_breakdown found, expected;
    draw_bitmap(bitmap, &profile->ranks[0], choice->linked_only);
    hc_profile_breakdown(&found, profile, 0, choice);
    expected = count_bitmap(bitmap, choice->start_ns, choice->end_ns);
    ck_assert_mem_eq(&found, &expected, sizeof found);
    check_sum(&found);
}

START_TEST(random_streams)
{
    struct hc_philox rng;
    hc_philox_seek(&rng, (uint32_t)_i, 0, 0);
    struct hc_profile profile;
    profile_begin(&profile, 1);
    add_random_events(&profile, &rng);
    link_profile(&profile);
    for (int w = 0; w < 20; w++) {
        int64_t start = (int64_t)hc_philox_integer(&rng, LENGTH);
        int64_t end = start + (int64_t)hc_philox_integer(&rng, (uint64_t)(LENGTH - start));
        struct hc_breakdown_choice choice = {start, end, w % 2, HC_BREAKDOWN_OURS};
        check_window(&profile, &choice);
    }
    struct hc_breakdown whole;
    struct hc_breakdown_choice all = {HC_MISSING_I64, HC_MISSING_I64, false, HC_BREAKDOWN_OURS};
    hc_profile_breakdown(&whole, &profile, 0, &all);
    check_sum(&whole);
    hc_profile_fini(&profile);
}
END_TEST

/* Two steps, times in ns: HTA takes 1..2 us of a kernel of 0.5..2.9 us, calls a memset a copy, lets
 * a wait on a stream compute, and leaves out what is not linked. */
START_TEST(other_tools)
{
    struct hc_profile profile;
    profile_begin(&profile, 1);
    add_step(&profile, 0, 1, 0, 5000);
    add_step(&profile, 0, 2, 5000, 9000);
    add_launch(&profile, 0,
               (struct built_launch){.at = 100, .start = 500, .duration = 2400, .name = "gemm"});
    add_launch(&profile, 0,
               (struct built_launch){
                   .at = 200, .start = 3000, .duration = 1000, .name = "Memset (Device)"});
    add_launch(&profile, 0,
               (struct built_launch){.at = 300,
                                     .start = 5000,
                                     .duration = 1000,
                                     .name = "nccl",
                                     .activity = HC_GPU_COMMUNICATES});
    add_gpu(&profile, 0, (struct built_gpu){.start = 7000, .duration = 2000, .name = "before"});
    add_sync(&profile, 0,
             (struct built_sync){.start = 4000,
                                 .duration = 500,
                                 .correlation = 1,
                                 .stream = 7,
                                 .kind = "Stream Wait Event"});
    add_sync(&profile, 0,
             (struct built_sync){.start = 6000,
                                 .duration = 3000,
                                 .correlation = 1,
                                 .stream = -1,
                                 .kind = "Context Sync"});
    link_profile(&profile);
    struct hc_breakdown ours, tracelens, hta;
    struct hc_breakdown_choice choice = {HC_MISSING_I64, HC_MISSING_I64, false, HC_BREAKDOWN_OURS};
    hc_profile_breakdown(&ours, &profile, 0, &choice);
    choice.like = HC_BREAKDOWN_LIKE_TRACELENS;
    hc_profile_breakdown(&tracelens, &profile, 0, &choice);
    choice.like = HC_BREAKDOWN_LIKE_HTA;
    hc_profile_breakdown(&hta, &profile, 0, &choice);
    struct hc_breakdown expected_ours = {8500, 5400, 1000, 0, 0, 2100};
    struct hc_breakdown expected_tracelens = {5500, 3400, 1000, 0, 0, 1100};
    /* 1..2 computes, 3..4 copies, 5..6 communicates; the wait at 4..4.5 is 4..4. */
    struct hc_breakdown expected_hta = {5000, 1000, 1000, 0, 1000, 2000};
    ck_assert_mem_eq(&ours, &expected_ours, sizeof ours);
    ck_assert_mem_eq(&tracelens, &expected_tracelens, sizeof ours);
    ck_assert_mem_eq(&hta, &expected_hta, sizeof ours);
    hc_profile_fini(&profile);
}
END_TEST

/* The case that is worked out by hand: communication that nothing covers. */
START_TEST(two_ranks)
{
    struct hc_profile profile;
    build_two_ranks(&profile);
    link_profile(&profile);
    for (size_t r = 0; r < 2; r++) {
        const struct hc_profile_step *step = &profile.ranks[r].steps[0];
        struct hc_breakdown_choice choice = {step->gpu_start_ns, step->gpu_end_ns, false,
                                             HC_BREAKDOWN_OURS};
        struct hc_breakdown found;
        hc_profile_breakdown(&found, &profile, r, &choice);
        struct hc_breakdown expected = {400000, r ? 370000 : 100000, r ? 25000 : 295000, 0, 0,
                                        5000};
        ck_assert_mem_eq(&found, &expected, sizeof found);
    }
    hc_profile_fini(&profile);
}
END_TEST

int main(void)
{
    Suite *suite = suite_create("breakdown");
    TCase *tcase = tcase_create("all");
    tcase_add_loop_test(tcase, random_streams, 0, 200);
    tcase_add_test(tcase, other_tools);
    tcase_add_test(tcase, two_ranks);
    suite_add_tcase(suite, tcase);
    SRunner *runner = srunner_create(suite);
    srunner_run_all(runner, CK_NORMAL);
    int n_failed = srunner_ntests_failed(runner);
    srunner_free(runner);
    return n_failed != 0;
}
