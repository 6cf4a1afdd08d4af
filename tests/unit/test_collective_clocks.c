/* Clocks of random jobs whose truth is known: found within the noise, within their bounds, whatever
 * the order of events, the number of threads and the clocks themselves. */
#include "core/random/philox.h"
#include "models/profiles/collectives.h"
#include "tests/support/profile_builder.h"

#include <check.h>
#include <omp.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define US 1000

static struct hc_error err;

static void match(struct hc_profile *profile, struct hc_collectives *collectives)
{
    ck_assert_msg(!hc_profile_link(profile, HC_STEPS_BY_PROFILER, &err), "%s", err.message);
    ck_assert_msg(!hc_collectives_match(collectives, profile, true, &err), "%s", err.message);
}

/* An all-reduce as one rank sees it. */
static void add_kernel(struct hc_profile *profile, size_t rank, struct built_launch kernel,
                       const char *group)
{
    int64_t correlation = add_launch(profile, rank, kernel);
    add_comm(profile, rank,
             (struct built_comm){.of_kernel = true,
                                 .start = kernel.start,
                                 .duration = kernel.duration,
                                 .correlation = correlation,
                                 .stream = kernel.stream,
                                 .op = "all_reduce",
                                 .group = group});
}

#define MOST_RANKS 9

/* The truth of a random job. */
struct job {
    size_t n_ranks;
    int64_t offset_ns[MOST_RANKS];
    double drift[MOST_RANKS];
};

static int64_t on_clock(const struct job *job, size_t r, int64_t ns)
{
    return ns + job->offset_ns[r] + (int64_t)((double)ns * job->drift[r]);
}

/* Collectives of all, of the even and of the odd ranks, in random turn, in three steps; ends differ
 * by up to noise. */
static void build_job(struct hc_profile *profile, const struct job *job, uint32_t seed,
                      int64_t noise)
{
    static const char *const groups[] = {"all", "even", "odd"};
    struct hc_philox rng;
    hc_philox_seek(&rng, seed, 7, 0);
    profile_begin(profile, job->n_ranks);
    for (int64_t k = 0; k < 3; k++)
        for (size_t r = 0; r < job->n_ranks; r++)
            add_step(profile, r, k, on_clock(job, r, k * 100000 * US),
                     on_clock(job, r, (k + 1) * 100000 * US));
    for (int64_t c = 0; c < 60; c++) {
        int64_t from = c * 5000 * US;
        size_t which = (size_t)hc_philox_integer(&rng, 3);
        for (size_t r = 0; r < job->n_ranks; r++) {
            if (which > 0 && r % 2 != which - 1)
                continue;
            int64_t start = from + 100 * US + (int64_t)hc_philox_integer(&rng, 4000 * US);
            int64_t end = from + 4400 * US + (int64_t)hc_philox_integer(&rng, (uint64_t)noise + 1);
            struct built_launch kernel = {
                .at = on_clock(job, r, from),
                .call_duration = 1 * US,
                .start = on_clock(job, r, start),
                .duration = on_clock(job, r, end) - on_clock(job, r, start),
                .stream = 20 + (int32_t)which,
                .activity = HC_GPU_COMMUNICATES,
                .name = "ncclDevKernel_Generic",
            };
            add_kernel(profile, r, kernel, groups[which]);
        }
    }
}

static struct job random_job(uint32_t seed)
{
    struct hc_philox rng;
    hc_philox_seek(&rng, seed, 3, 0);
    struct job job = {.n_ranks = 4 + (size_t)hc_philox_integer(&rng, MOST_RANKS - 3)};
    for (size_t r = 1; r < job.n_ranks; r++)
        job.offset_ns[r] = (int64_t)hc_philox_integer(&rng, 7200000000000) - 3600000000000;
    return job;
}

/* Offsets are found within the noise of the ends, and always within their bounds, as the truth is.
 */
START_TEST(random_clocks)
{
    struct job job = random_job((uint32_t)_i);
    struct hc_profile profile;
    struct hc_collectives found;
    build_job(&profile, &job, (uint32_t)_i, 20 * US);
    match(&profile, &found);
    ck_assert_uint_eq(found.n_local, 0);
    ck_assert_uint_eq(found.n_violations, 0);
    ck_assert(!found.has_drift);
    for (size_t r = 0; r < job.n_ranks; r++) {
        const struct hc_rank_clock *clock = &found.clocks[r];
        ck_assert_int_eq(clock->component, 0);
        ck_assert_int_le(llabs(clock->offset_ns - job.offset_ns[r]), 20 * US);
        ck_assert_int_le(clock->low_ns, clock->offset_ns);
        ck_assert_int_ge(clock->high_ns, clock->offset_ns);
        ck_assert_int_le(clock->low_ns, job.offset_ns[r]);
        ck_assert_int_ge(clock->high_ns, job.offset_ns[r]);
    }
    ck_assert_int_le(found.max_residual_ns, 40 * US);
    hc_collectives_fini(&found);
    hc_profile_fini(&profile);
}
END_TEST

/* All that may not depend on clocks, order of events or threads, as text. */
static char *describe(const struct hc_collectives *found, const struct job *job)
{
    char *text = NULL;
    size_t size;
    FILE *out = open_memstream(&text, &size);
    for (size_t c = 0; c < found->n; c++) {
        const struct hc_collective *one = &found->collectives[c];
        fprintf(out, "%s %zu %s %d %lld %d %d %lld %lld %lld %g:", one->op, one->n,
                found->groups[one->group].name, one->step, (long long)one->arrival_ns,
                one->last_rank, one->last_is_unsure, (long long)one->lead_ns,
                (long long)one->transfer_ns, (long long)one->end_skew_ns, one->busbw_gb_s);
        for (size_t m = 0; m < one->n; m++)
            fprintf(out, " %u %lld", found->member_kernels[one->first + m],
                    (long long)found->wait_ns[one->first + m]);
        fprintf(out, "\n");
    }
    for (size_t r = 0; r < job->n_ranks; r++) {
        const struct hc_rank_clock *clock = &found->clocks[r];
        fprintf(out, "%d %lld %lld %lld %lld %lld %zu %g\n", clock->component,
                (long long)(clock->offset_ns - job->offset_ns[r]),
                (long long)(clock->low_ns - job->offset_ns[r]),
                (long long)(clock->high_ns - job->offset_ns[r]), (long long)clock->caused_wait_ns,
                (long long)clock->wait_ns, clock->n_last, clock->drift);
    }
    fprintf(out, "%lld %lld\n", (long long)found->median_residual_ns,
            (long long)found->max_residual_ns);
    fclose(out);
    return text;
}

static char *describe_job(const struct job *job, uint32_t seed, uint32_t shuffled, int threads)
{
    struct hc_profile profile;
    struct hc_collectives found;
    omp_set_num_threads(threads);
    build_job(&profile, job, seed, 20 * US);
    if (shuffled)
        shuffle_events(&profile, shuffled);
    match(&profile, &found);
    char *text = describe(&found, job);
    hc_collectives_fini(&found);
    hc_profile_fini(&profile);
    return text;
}

START_TEST(nothing_else_matters)
{
    struct job job = random_job((uint32_t)_i), still = job;
    memset(still.offset_ns, 0, sizeof still.offset_ns);
    char *expected = describe_job(&still, (uint32_t)_i, 0, 1);
    char *shifted = describe_job(&job, (uint32_t)_i, 0, 1);
    char *shuffled = describe_job(&still, (uint32_t)_i, 5, 4);
    ck_assert_str_eq(shifted, expected);
    ck_assert_str_eq(shuffled, expected);
    free(expected);
    free(shifted);
    free(shuffled);
    omp_set_num_threads(1);
}
END_TEST

/* The clock of rank 1 gains 3 ms a second, 900 us in all: aligned per step, within what the clock
 * gains in one. */
START_TEST(drift)
{
    struct job job = random_job((uint32_t)_i);
    struct hc_profile profile;
    struct hc_collectives found;
    job.drift[1] = 3e-3;
    build_job(&profile, &job, (uint32_t)_i, 20 * US);
    match(&profile, &found);
    ck_assert(found.has_drift);
    ck_assert_uint_eq(found.n_violations, 0);
    ck_assert_uint_eq(found.n_local, 0);
    ck_assert_double_eq_tol(found.clocks[1].drift, 3e-3, 6e-4);
    ck_assert_uint_eq(found.clocks[1].n_segments, 3);
    for (size_t k = 0; k < 60; k++) {
        int64_t ns = (int64_t)k * 5000 * US + 4400 * US;
        int64_t aligned = hc_aligned_ns(&found, 1, on_clock(&job, 1, ns));
        ck_assert_int_le(llabs(aligned - ns), 300 * US);
    }
    for (size_t r = 0; r < job.n_ranks; r++) {
        ck_assert_int_le(found.clocks[r].low_ns, found.clocks[r].offset_ns);
        ck_assert_int_ge(found.clocks[r].high_ns, found.clocks[r].offset_ns);
    }
    hc_collectives_fini(&found);
    hc_profile_fini(&profile);
}
END_TEST

int main(void)
{
    Suite *suite = suite_create("collective_clocks");
    TCase *tests = tcase_create("collective_clocks");
    tcase_add_loop_test(tests, random_clocks, 0, 60);
    tcase_add_loop_test(tests, nothing_else_matters, 0, 20);
    tcase_add_loop_test(tests, drift, 0, 20);
    suite_add_tcase(suite, tests);
    SRunner *runner = srunner_create(suite);
    srunner_run_all(runner, CK_NORMAL);
    int failed = srunner_ntests_failed(runner);
    srunner_free(runner);
    return failed ? 1 : 0;
}
