/* Profiler traces linked: launches, steps and their windows, ranks that are missing or there twice.
 */
#include "tests/support/profile_builder.h"

#include <check.h>
#include <string.h>

static struct hc_error err;

static void link_profile(struct hc_profile *profile, enum hc_steps_by by)
{
    ck_assert_msg(!hc_profile_link(profile, by, &err), "%s", err.message);
}

static const struct hc_profile_rank *only(const struct hc_profile *profile)
{
    ck_assert_uint_eq(profile->n_ranks, 1);
    return &profile->ranks[0];
}

/* The launch is the first call of that correlation; one call launches many kernels; 0 is none. */
START_TEST(launches)
{
    struct hc_profile profile;
    profile_begin(&profile, 1);
    add_call(&profile, 0, (struct built_call){.start = 50, .name = "late", .correlation = 7});
    add_call(&profile, 0, (struct built_call){.start = 20, .name = "first", .correlation = 7});
    add_call(&profile, 0, (struct built_call){.start = 10, .name = "graph", .correlation = 3});
    add_call(&profile, 0, (struct built_call){.start = 5, .name = "no correlation"});
    for (int64_t i = 0; i < 6; i++)
        add_gpu(&profile, 0,
                (struct built_gpu){.start = 100 + i,
                                   .correlation = i < 3    ? 3
                                                  : i == 3 ? 7
                                                  : i == 4 ? 8
                                                           : 0});
    link_profile(&profile, HC_STEPS_BY_PROFILER);
    static const uint32_t expected[] = {1, 1, 1, 2, HC_NO_ROW, HC_NO_ROW};
    for (size_t i = 0; i < 6; i++)
        ck_assert_uint_eq(only(&profile)->launch[i], expected[i]);
    ck_assert_uint_eq(only(&profile)->n_unlinked, 2);
    hc_profile_fini(&profile);
}
END_TEST

/* Two steps: a kernel belongs to the step of its launch, wherever it runs; what is launched before
 * the first step or after the end of the last is of none. */
START_TEST(windows)
{
    struct hc_profile profile;
    profile_begin(&profile, 1);
    add_step(&profile, 0, 5, 300, 500);
    add_step(&profile, 0, 4, 100, 250);
    add_launch(&profile, 0, (struct built_launch){.at = 90, .start = 105, .duration = 5});
    add_launch(&profile, 0, (struct built_launch){.at = 100, .start = 120, .duration = 300});
    add_launch(&profile, 0, (struct built_launch){.at = 260, .start = 430, .duration = 10});
    add_launch(&profile, 0, (struct built_launch){.at = 310, .start = 450, .duration = 200});
    add_launch(&profile, 0, (struct built_launch){.at = 500, .start = 700, .duration = 1});
    add_gpu(&profile, 0, (struct built_gpu){.start = 110, .duration = 5});
    add_gpu(&profile, 0, (struct built_gpu){.start = 600, .duration = 5});
    link_profile(&profile, HC_STEPS_BY_PROFILER);
    const struct hc_profile_rank *rank = only(&profile);
    /* By start: launched at 90, unlinked, at 100, at 260, at 310, unlinked, at 500. */
    static const int32_t expected[] = {HC_NO_STEP, 0, 0, 0, 1, HC_NO_STEP, HC_NO_STEP};
    for (size_t i = 0; i < 7; i++)
        ck_assert_int_eq(rank->step[i], expected[i]);
    ck_assert_uint_eq(rank->n_steps, 2);
    const struct hc_profile_step *one = &rank->steps[0], *two = &rank->steps[1];
    ck_assert_int_eq(one->number, 4);
    ck_assert_int_eq(one->cpu_start_ns, 100);
    ck_assert_int_eq(one->cpu_end_ns, 300);
    ck_assert_int_eq(one->end_ns, 250);
    ck_assert_int_eq(one->gpu_start_ns, 120); /* the unlinked one at 110 does not begin it */
    ck_assert_int_eq(one->gpu_end_ns, 450);
    ck_assert_int_eq(one->last_gpu_end_ns, 440);
    ck_assert_int_eq(two->cpu_end_ns, 500);
    ck_assert_int_eq(two->gpu_start_ns, 450);
    ck_assert_int_eq(two->gpu_end_ns, 650);
    hc_profile_fini(&profile);
}
END_TEST

/* A step without linked GPU events has no GPU window; the one before it lasts to the next that has.
 */
START_TEST(step_without_gpu)
{
    struct hc_profile profile;
    profile_begin(&profile, 1);
    for (int64_t k = 0; k < 3; k++)
        add_step(&profile, 0, k, 100 * k, 100 * k + 100);
    add_launch(&profile, 0, (struct built_launch){.at = 10, .start = 20, .duration = 10});
    add_launch(&profile, 0, (struct built_launch){.at = 210, .start = 220, .duration = 10});
    link_profile(&profile, HC_STEPS_BY_PROFILER);
    const struct hc_profile_step *steps = only(&profile)->steps;
    ck_assert_int_eq(steps[0].gpu_end_ns, 220);
    ck_assert_int_eq(steps[1].gpu_start_ns, HC_MISSING_I64);
    ck_assert_int_eq(steps[1].gpu_end_ns, HC_MISSING_I64);
    ck_assert_int_eq(steps[2].gpu_start_ns, 220);
    hc_profile_fini(&profile);
}
END_TEST

START_TEST(steps_by_optimizer)
{
    struct hc_profile profile;
    profile_begin(&profile, 1);
    add_mark(&profile, 0, (struct built_span){.start = 10, .duration = 500});
    add_annotation(&profile, 0, (struct built_span){200, 20, NULL, "Optimizer.step#Adam.step"});
    add_annotation(&profile, 0, (struct built_span){300, 20, NULL, "Optimizer.zero_grad#Adam"});
    add_annotation(&profile, 0, (struct built_span){400, 30, NULL, "Optimizer.step#Adam.step"});
    add_launch(&profile, 0, (struct built_launch){.at = 219, .start = 230, .duration = 10});
    add_launch(&profile, 0, (struct built_launch){.at = 220, .start = 250, .duration = 10});
    add_launch(&profile, 0, (struct built_launch){.at = 430, .start = 440, .duration = 10});
    link_profile(&profile, HC_STEPS_BY_OPTIMIZER);
    const struct hc_profile_rank *rank = only(&profile);
    ck_assert_uint_eq(rank->n_steps, 2);
    ck_assert_int_eq(rank->steps[0].start_ns, 10);
    ck_assert_int_eq(rank->steps[0].end_ns, 220);
    ck_assert_int_eq(rank->steps[1].end_ns, 430);
    ck_assert_int_eq(rank->steps[1].number, 1);
    ck_assert_int_eq(rank->step[0], 0);
    ck_assert_int_eq(rank->step[1], 1);
    ck_assert_int_eq(rank->step[2], HC_NO_STEP);
    hc_profile_fini(&profile);
}
END_TEST

/* Nothing that names a step: the whole trace is one, the event at its very end included. */
START_TEST(whole_trace)
{
    struct hc_profile profile;
    profile_begin(&profile, 1);
    add_launch(&profile, 0,
               (struct built_launch){.at = 10, .call_duration = 5, .start = 30, .duration = 70});
    add_gpu(&profile, 0, (struct built_gpu){.start = 100});
    link_profile(&profile, HC_STEPS_BY_PROFILER);
    const struct hc_profile_rank *rank = only(&profile);
    ck_assert_uint_eq(rank->n_steps, 1);
    ck_assert_int_eq(rank->steps[0].number, HC_MISSING_I64);
    ck_assert_int_eq(rank->steps[0].start_ns, 10);
    ck_assert_int_eq(rank->steps[0].end_ns, 100);
    ck_assert_int_eq(rank->step[0], 0);
    ck_assert_int_eq(rank->step[1], 0);
    hc_profile_fini(&profile);

    profile_begin(&profile, 1); /* a trace of nothing */
    link_profile(&profile, HC_STEPS_BY_OPTIMIZER);
    ck_assert_uint_eq(only(&profile)->n_steps, 0);
    ck_assert_uint_eq(profile.n_common_steps, 0);
    hc_profile_fini(&profile);
}
END_TEST

/* Of ProfilerStep, else where most was launched from; a call that launches much counts once. */
START_TEST(main_thread)
{
    struct hc_profile profile;
    profile_begin(&profile, 2);
    for (size_t r = 0; r < 2; r++) {
        for (int64_t i = 0; i < 9; i++)
            add_gpu(&profile, r, (struct built_gpu){.start = 100 + i, .correlation = 1});
        add_call(&profile, r, (struct built_call){.start = 1, .thread = "graph", .correlation = 1});
        for (int64_t i = 0; i < 2; i++)
            add_launch(&profile, r,
                       (struct built_launch){.at = 2 + i, .start = 50 + i, .thread = "backward"});
        for (int64_t i = 0; i < 9; i++)
            add_call(&profile, r, (struct built_call){.start = i, .thread = "idle"});
    }
    add_step(&profile, 1, 1, 0, 10);
    link_profile(&profile, HC_STEPS_BY_PROFILER);
    ck_assert_str_eq(hc_profile_text(&profile, "thread", profile.ranks[0].main_thread), "backward");
    ck_assert_str_eq(hc_profile_text(&profile, "thread", profile.ranks[1].main_thread), "1/1");
    ck_assert_str_eq(hc_profile_text(&profile, "thread", HC_MISSING_I32), "");
    ck_assert_str_eq(hc_profile_text(&profile, "nothing", 0), "");
    hc_profile_fini(&profile);
}
END_TEST

/* Starts count from the base; what does not fit 64 bits with it, or ends before it starts, goes and
 * is counted. */
START_TEST(unusable_times)
{
    struct hc_profile profile;
    profile_begin(&profile, 1);
    struct hc_table *ranks = &profile.ranks[0].table[HC_PROFILE_RANKS];
    hc_table_i64(ranks, HC_RANKS_BASE_NS)[0] = 1000;
    add_gpu(&profile, 0, (struct built_gpu){.start = 5, .duration = 10});
    add_gpu(&profile, 0, (struct built_gpu){.start = INT64_MAX, .duration = 10});
    add_gpu(&profile, 0, (struct built_gpu){.start = 5, .duration = INT64_MAX});
    add_gpu(&profile, 0, (struct built_gpu){.start = 5, .duration = -1});
    add_gpu(&profile, 0, (struct built_gpu){.start = HC_MISSING_I64, .duration = 1});
    add_mark(&profile, 0, (struct built_span){.start = (int64_t)1 << 62, .duration = 1});
    add_gpu(&profile, 0, (struct built_gpu){.start = -5, .duration = 10});
    link_profile(&profile, HC_STEPS_BY_PROFILER);
    const struct hc_table *gpu = &profile.ranks[0].table[HC_PROFILE_GPU];
    ck_assert_uint_eq(gpu->n_rows, 2);
    ck_assert_int_eq(hc_table_i64(gpu, HC_GPU_START_NS)[0], 995);
    ck_assert_int_eq(hc_table_i64(gpu, HC_GPU_START_NS)[1], 1005);
    ck_assert_uint_eq(profile.ranks[0].table[HC_PROFILE_MARKS].n_rows, 0);
    ck_assert_int_eq(hc_table_i64(ranks, HC_RANKS_N_OUT_OF_RANGE)[0], 5);
    ck_assert_int_eq(hc_table_i64(ranks, HC_RANKS_BASE_NS)[0], 0);
    hc_profile_fini(&profile);
}
END_TEST

/* Rows that differ in one column each, all of one start. */
static void add_equal_starts(struct hc_profile *profile)
{
    static const char *const names[] = {"a", "b", "c"};
    for (int i = 0; i < 54; i++)
        add_gpu(profile, 0,
                (struct built_gpu){.start = 10 * (i % 2),
                                   .duration = i / 2 % 3,
                                   .stream = i / 6 % 3,
                                   .name = names[i / 18]});
    for (int i = 0; i < 9; i++)
        add_call(profile, 0,
                 (struct built_call){.start = 1, .duration = i % 3, .name = names[i / 3]});
}

/* The order of the events in a trace, by which names are numbered too, changes no row. */
START_TEST(shuffled)
{
    struct hc_profile one, other;
    profile_begin(&one, 1);
    profile_begin(&other, 1);
    add_gpu(&other, 0, (struct built_gpu){.start = 20, .name = "c"}); /* takes the code of "a" */
    other.ranks[0].table[HC_PROFILE_GPU].n_rows = 0;
    add_equal_starts(&one);
    add_equal_starts(&other);
    shuffle_events(&other, 3);
    link_profile(&one, HC_STEPS_BY_PROFILER);
    link_profile(&other, HC_STEPS_BY_PROFILER);
    const struct hc_table *gpu[] = {&one.ranks[0].table[HC_PROFILE_GPU],
                                    &other.ranks[0].table[HC_PROFILE_GPU]};
    for (size_t i = 0; i < 54; i++) {
        for (size_t c = HC_GPU_START_NS; c <= HC_GPU_DURATION_NS; c++)
            ck_assert_int_eq(hc_table_i64(gpu[0], c)[i], hc_table_i64(gpu[1], c)[i]);
        ck_assert_int_eq(hc_table_i32(gpu[0], HC_GPU_STREAM)[i],
                         hc_table_i32(gpu[1], HC_GPU_STREAM)[i]);
        ck_assert_str_eq(hc_profile_text(&one, "event", hc_table_i32(gpu[0], HC_GPU_NAME)[i]),
                         hc_profile_text(&other, "event", hc_table_i32(gpu[1], HC_GPU_NAME)[i]));
    }
    const struct hc_table *calls = &other.ranks[0].table[HC_PROFILE_CALLS];
    for (size_t i = 1; i < 9; i++) /* longer first */
        ck_assert_int_ge(hc_table_i64(calls, HC_CALLS_DURATION_NS)[i - 1],
                         hc_table_i64(calls, HC_CALLS_DURATION_NS)[i]);
    hc_profile_fini(&one);
    hc_profile_fini(&other);
}
END_TEST

static void renumber(struct hc_profile *profile, const int32_t *ranks)
{
    for (size_t r = 0; r < profile->n_ranks; r++)
        profile->ranks[r].rank = ranks[r];
}

START_TEST(missing_ranks)
{
    struct hc_profile profile;
    profile_begin(&profile, 4);
    renumber(&profile, (int32_t[]){6, 2, 3, 9});
    for (size_t r = 0; r < 4; r++)
        profile.ranks[r].world_size = r == 2 ? 8 : 12;
    link_profile(&profile, HC_STEPS_BY_PROFILER);
    static const int32_t ranks[] = {2, 3, 6, 9};
    for (size_t r = 0; r < 4; r++)
        ck_assert_int_eq(profile.ranks[r].rank, ranks[r]);
    ck_assert_str_eq(profile.ranks[0].name, "rank1");
    ck_assert_int_eq(profile.world_size, 12);
    ck_assert(profile.has_unequal_worlds);
    ck_assert_uint_eq(profile.n_missing, 8);
    static const int32_t gaps[][2] = {{0, 1}, {4, 5}, {7, 8}, {10, 11}};
    ck_assert_uint_eq(profile.n_gaps, 4);
    for (size_t g = 0; g < 4; g++) {
        ck_assert_int_eq(profile.gaps[g].first, gaps[g][0]);
        ck_assert_int_eq(profile.gaps[g].last, gaps[g][1]);
    }
    hc_profile_fini(&profile);
}
END_TEST

/* Where no rank says how many there are: the largest of a group, or the largest that is there. */
START_TEST(worlds)
{
    struct hc_profile profile;
    profile_begin(&profile, 2);
    profile.ranks[0].world_size = profile.ranks[1].world_size = HC_MISSING_I32;
    add_group(&profile, 1, "0", "default_pg", (int32_t[]){0, 1, 5}, 3);
    link_profile(&profile, HC_STEPS_BY_PROFILER);
    ck_assert_int_eq(profile.world_size, 6);
    ck_assert(!profile.has_unequal_worlds);
    ck_assert_uint_eq(profile.n_missing, 4);
    hc_profile_fini(&profile);

    profile_begin(&profile, 2);
    renumber(&profile, (int32_t[]){0, 4}); /* both say a world of 2 */
    link_profile(&profile, HC_STEPS_BY_PROFILER);
    ck_assert_int_eq(profile.world_size, 5);
    ck_assert(profile.has_unequal_worlds);
    hc_profile_fini(&profile);
}
END_TEST

START_TEST(doubled_ranks)
{
    struct hc_profile profile;
    profile_begin(&profile, 3);
    renumber(&profile, (int32_t[]){1, 0, 1});
    hc_table_i32(&profile.ranks[0].table[HC_PROFILE_RANKS], HC_RANKS_RANK)[0] = 1;
    hc_table_i32(&profile.ranks[2].table[HC_PROFILE_RANKS], HC_RANKS_RANK)[0] = 1;
    add_gpu(&profile, 0, (struct built_gpu){.start = 1, .duration = 2});
    add_gpu(&profile, 2, (struct built_gpu){.start = 1, .duration = 2});
    link_profile(&profile, HC_STEPS_BY_PROFILER); /* the same trace twice */
    ck_assert_uint_eq(profile.n_ranks, 2);
    hc_profile_fini(&profile);

    profile_begin(&profile, 3);
    renumber(&profile, (int32_t[]){1, 0, 1});
    add_gpu(&profile, 0, (struct built_gpu){.start = 1, .duration = 2});
    ck_assert_int_eq(hc_profile_link(&profile, HC_STEPS_BY_PROFILER, &err), HC_BAD_INPUT);
    ck_assert_str_eq(err.message, "'rank0' and 'rank2' are both of rank 1 and differ; leave one of "
                                  "them out");
    hc_profile_fini(&profile);

    profile_begin(&profile, 2);
    renumber(&profile, (int32_t[]){0, HC_MISSING_I32});
    ck_assert_int_eq(hc_profile_link(&profile, HC_STEPS_BY_PROFILER, &err), HC_BAD_INPUT);
    ck_assert_str_eq(err.message,
                     "'rank1' does not say of which rank it is, nor does its name ('rank3')");
    hc_profile_fini(&profile);
}
END_TEST

START_TEST(common_steps)
{
    struct hc_profile profile;
    profile_begin(&profile, 3);
    for (size_t r = 0; r < 3; r++)
        for (int64_t k = (int64_t)r; k < 5; k++)
            add_step(&profile, r, k, 100 * k, 100 * k + 90);
    add_step(&profile, 0, 9, 900, 950);
    link_profile(&profile, HC_STEPS_BY_PROFILER);
    ck_assert_uint_eq(profile.n_common_steps, 3);
    for (int64_t k = 0; k < 3; k++)
        ck_assert_int_eq(profile.common_steps[k], k + 2);
    hc_profile_fini(&profile);
}
END_TEST

int main(void)
{
    Suite *suite = suite_create("profile_link");
    TCase *tcase = tcase_create("all");
    tcase_add_test(tcase, launches);
    tcase_add_test(tcase, windows);
    tcase_add_test(tcase, step_without_gpu);
    tcase_add_test(tcase, steps_by_optimizer);
    tcase_add_test(tcase, whole_trace);
    tcase_add_test(tcase, main_thread);
    tcase_add_test(tcase, unusable_times);
    tcase_add_test(tcase, shuffled);
    tcase_add_test(tcase, missing_ranks);
    tcase_add_test(tcase, worlds);
    tcase_add_test(tcase, doubled_ranks);
    tcase_add_test(tcase, common_steps);
    suite_add_tcase(suite, tcase);
    SRunner *runner = srunner_create(suite);
    srunner_run_all(runner, CK_NORMAL);
    int n_failed = srunner_ntests_failed(runner);
    srunner_free(runner);
    return n_failed != 0;
}
