/* Profiler traces with anything in them: random rows, events that are missing, clocks and numbers
 * at the ends of their types. Nothing crashes, sums hold, and what is lost is said. */
#include "core/random/philox.h"
#include "models/profiles/breakdown.h"
#include "models/profiles/collectives.h"
#include "tests/support/profile_builder.h"

#include <check.h>
#include <string.h>

static struct hc_error err;

/* Mostly small numbers, sometimes those at which arithmetic breaks. */
static int64_t odd_number(struct hc_philox *rng, int64_t usual)
{
    static const int64_t edges[] = {
        0,         -1,        INT64_MAX, INT64_MIN, (int64_t)1 << 62, -((int64_t)1 << 62),
        INT32_MAX, INT32_MIN, 1};
    uint64_t choice = hc_philox_integer(rng, 200);
    return choice < 9 ? edges[choice] : (int64_t)hc_philox_integer(rng, (uint64_t)usual);
}

static const char *odd_text(struct hc_philox *rng)
{
    static const char *const texts[] = {"nccl:all_reduce",
                                        "ProfilerStep#1",
                                        "ProfilerStep#x",
                                        "Optimizer.step#SGD",
                                        "all_reduce",
                                        "send",
                                        "recv",
                                        "",
                                        "ncclDevKernel_AllGather",
                                        "Half",
                                        "1/2"};
    uint64_t choice = hc_philox_integer(rng, 14);
    return choice < 11 ? texts[choice] : NULL;
}

static void add_random_row(struct hc_profile *profile, size_t r, struct hc_philox *rng)
{
    int64_t start = odd_number(rng, 2000), duration = odd_number(rng, 300);
    int64_t correlation = odd_number(rng, 20);
    int32_t small = (int32_t)odd_number(rng, 4);
    switch (hc_philox_integer(rng, 7)) {
    case 0:
    case 1:
        add_gpu(profile, r,
                (struct built_gpu){.start = start,
                                   .duration = duration,
                                   .correlation = correlation,
                                   .stream = small,
                                   .activity = (enum hc_gpu_activity)hc_philox_integer(rng, 3),
                                   .name = odd_text(rng)});
        return;
    case 2:
        add_call(profile, r,
                 (struct built_call){start, duration, correlation, odd_text(rng), odd_text(rng)});
        return;
    case 3:
        add_annotation(profile, r,
                       (struct built_span){start, duration, odd_text(rng), odd_text(rng)});
        return;
    case 4:
        add_sync(profile, r,
                 (struct built_sync){start, duration, correlation, 1, small, 1, odd_text(rng)});
        return;
    case 5:
        add_group(profile, r, odd_text(rng), odd_text(rng), (int32_t[]){small, 0, (int32_t)r}, 3);
        return;
    default:
        add_comm(profile, r,
                 (struct built_comm){.start = start,
                                     .duration = duration,
                                     .correlation = correlation,
                                     .of_kernel = small % 2 == 0,
                                     .has_seq = small == 1,
                                     .has_peers = small == 3,
                                     .is_p2p = small == 3,
                                     .stream = small,
                                     .op = odd_text(rng),
                                     .group = odd_text(rng),
                                     .dtype = odd_text(rng),
                                     .group_size = (int32_t)odd_number(rng, 4),
                                     .rank_start = (int32_t)odd_number(rng, 3),
                                     .rank_stride = (int32_t)odd_number(rng, 3),
                                     .source = small,
                                     .destination = 1,
                                     .in_elements = odd_number(rng, 100),
                                     .seq = correlation});
    }
}

static void check_profile(const struct hc_profile *profile)
{
    for (size_t r = 0; r < profile->n_ranks; r++)
        for (int like = HC_BREAKDOWN_OURS; like <= HC_BREAKDOWN_LIKE_HTA; like++) {
            struct hc_breakdown_choice choice = {HC_MISSING_I64, HC_MISSING_I64, like % 2,
                                                 (enum hc_breakdown_like)like};
            struct hc_breakdown b;
            hc_profile_breakdown(&b, profile, r, &choice);
            ck_assert_int_eq(b.compute_ns + b.exposed_comm_ns + b.exposed_memcpy_ns + b.idle_ns,
                             b.window_ns);
        }
}

/* Kernels and collectives point at each other, and the waits of ranks are those of collectives. */
static void check_collectives(const struct hc_collectives *found)
{
    size_t n_members = 0;
    for (size_t c = 0; c < found->n; c++) {
        const struct hc_collective *one = &found->collectives[c];
        ck_assert_uint_ge(one->n, 2);
        for (size_t m = 0; m < one->n; m++)
            ck_assert_int_eq(found->kernels[found->member_kernels[one->first + m]].collective,
                             (int32_t)c);
        ck_assert(!found->groups[one->group].is_refused);
        n_members += one->n;
    }
    ck_assert_uint_eq(found->n_local, found->n_kernels - n_members);
    for (size_t r = 0; r < found->n_clocks; r++) {
        const struct hc_rank_clock *clock = &found->clocks[r];
        ck_assert_int_ge(clock->wait_ns, 0);
        if (clock->low_ns != HC_MISSING_I64 && clock->high_ns != HC_MISSING_I64)
            ck_assert_int_le(clock->low_ns, clock->high_ns);
    }
}

START_TEST(random_rows)
{
    struct hc_philox rng;
    struct hc_profile profile;
    struct hc_collectives found;
    hc_philox_seek(&rng, (uint32_t)_i, 0, 0);
    size_t n_ranks = 1 + (size_t)hc_philox_integer(&rng, 4);
    profile_begin(&profile, n_ranks);
    for (size_t r = 0; r < n_ranks; r++) {
        size_t n = (size_t)hc_philox_integer(&rng, 150);
        for (size_t i = 0; i < n; i++)
            add_random_row(&profile, r, &rng);
        hc_table_i64(&profile.ranks[r].table[HC_PROFILE_RANKS], HC_RANKS_BASE_NS)[0] =
            odd_number(&rng, 1000);
        profile.ranks[r].world_size = (int32_t)odd_number(&rng, 6);
    }
    ck_assert_msg(!hc_profile_link(&profile, (enum hc_steps_by)(_i % 2), &err), "%s", err.message);
    check_profile(&profile);
    enum hc_status status = hc_collectives_match(&found, &profile, _i % 3 > 0, &err);
    if (status == HC_OK)
        check_collectives(&found);
    else
        ck_assert_int_eq(status, HC_BAD_INPUT); /* sequence numbers that contradict each other */
    hc_collectives_fini(&found);
    hc_profile_fini(&profile);
}
END_TEST

/* Four ranks of 40 all-reduces in 4 steps, of which each kernel is lost with a chance of 5 %: what
 * is left of a step without losses is joined, offsets stay right, and refused is what was joined
 * wrongly. */
START_TEST(lost_events)
{
    struct hc_philox rng;
    struct hc_profile profile;
    struct hc_collectives found;
    size_t n_lost = 0;
    hc_philox_seek(&rng, (uint32_t)_i, 1, 0);
    profile_begin(&profile, 4);
    for (size_t r = 0; r < 4; r++)
        for (int64_t k = 0; k < 160; k++) {
            int64_t from = k * 1000000;
            if (k % 40 == 0)
                add_step(&profile, r, k / 40, from, from + 40000000);
            if (hc_philox_integer(&rng, 20) == 0) {
                n_lost++;
                continue;
            }
            int64_t late = (int64_t)hc_philox_integer(&rng, 500000);
            add_launch(&profile, r,
                       (struct built_launch){.at = from,
                                             .start = from + 100000 + late,
                                             .duration = 800000 - late,
                                             .stream = 20 + (int32_t)(k % 2),
                                             .activity = HC_GPU_COMMUNICATES,
                                             .name = "ncclDevKernel_AllReduce_Sum_f32_RING_LL"});
        }
    ck_assert_uint_gt(n_lost, 0);
    ck_assert(!hc_profile_link(&profile, HC_STEPS_BY_PROFILER, &err));
    ck_assert_msg(!hc_collectives_match(&found, &profile, true, &err), "%s", err.message);
    check_collectives(&found);
    ck_assert_uint_eq(found.n_groups, 2);
    for (size_t c = 0; c < found.n; c++) /* what is held is right, but for a match here or there */
        ck_assert_uint_le(found.groups[found.collectives[c].group].n_violations, 1);
    hc_collectives_fini(&found);
    hc_profile_fini(&profile);
}
END_TEST

int main(void)
{
    Suite *suite = suite_create("profile_damage");
    TCase *tests = tcase_create("profile_damage");
    tcase_add_loop_test(tests, random_rows, 0, 1500);
    tcase_add_loop_test(tests, lost_events, 0, 20);
    suite_add_tcase(suite, tests);
    SRunner *runner = srunner_create(suite);
    srunner_run_all(runner, CK_NORMAL);
    int failed = srunner_ntests_failed(runner);
    srunner_free(runner);
    return failed ? 1 : 0;
}
