/* Collectives of 64 ranks matched, and their clocks aligned: 20,000 for each rank, in three groups,
 * as kernels say them, with clocks up to an hour apart. */
#include "bench/bench.h"

#include "core/random/philox.h"
#include "models/profiles/collectives.h"
#include "tests/support/profile_builder.h"

#include <stdio.h>

#define N_RANKS  64
#define N_EACH   20000
#define N_STEPS  10
#define SPACE_NS 1000000

static struct hc_error err;

/* Collective k of a rank: of all ranks, of the eight of its host, or of those at its place there.
 */
static void add_kernel(struct hc_profile *profile, struct hc_philox *rng, size_t rank, int64_t k)
{
    static const char *const names[] = {"0", "1", "2"};
    int64_t launch = k * SPACE_NS, end = launch + 900000 + (int64_t)hc_philox_integer(rng, 2000);
    int64_t start = launch + 50000 + (int64_t)hc_philox_integer(rng, 600000);
    struct built_launch kernel = {.at = launch,
                                  .start = start,
                                  .duration = end - start,
                                  .stream = 20 + (int32_t)(k % 3),
                                  .activity = HC_GPU_COMMUNICATES,
                                  .name = "ncclDevKernel_AllReduce_Sum_f32_RING_LL"};
    struct built_comm said = {.start = start,
                              .duration = end - start,
                              .correlation = add_launch(profile, rank, kernel),
                              .of_kernel = true,
                              .stream = kernel.stream,
                              .op = "all_reduce",
                              .group = names[k % 3],
                              .dtype = "Float",
                              .group_size = k % 3 ? 8 : N_RANKS,
                              .in_elements = 1000};
    said.rank_start = (int32_t)(k % 3 == 0 ? 0 : k % 3 == 1 ? rank / 8 * 8 : rank % 8);
    said.rank_stride = k % 3 == 2 ? 8 : 1;
    add_comm(profile, rank, said);
}

static void build(struct hc_profile *profile)
{
    struct hc_philox rng;
    profile_begin(profile, N_RANKS);
    for (size_t r = 0; r < N_RANKS; r++) {
        hc_philox_seek(&rng, (uint32_t)r, 0, 0);
        for (int64_t s = 0; s < N_STEPS; s++)
            add_step(profile, r, s, s * N_EACH / N_STEPS * SPACE_NS,
                     (s + 1) * N_EACH / N_STEPS * SPACE_NS);
        for (int64_t k = 0; k < N_EACH; k++)
            add_kernel(profile, &rng, r, k);
        shift_rank(profile, r, (int64_t)hc_philox_integer(&rng, 3600000000000));
    }
}

static void match(void *context)
{
    struct hc_collectives found;
    if (hc_collectives_match(&found, context, true, &err))
        hc_bench_stop(&err);
    hc_collectives_fini(&found);
}

int main(void)
{
    static struct hc_profile profile;
    struct hc_bench bench = hc_bench_start();
    build(&profile);
    if (hc_profile_link(&profile, HC_STEPS_BY_PROFILER, &err))
        hc_bench_stop(&err);
    struct hc_bench_pair pair = hc_bench_beside(HC_BENCH_SORT, match, &profile);
    hc_bench_limit(&bench, "64 ranks: collectives matched, aligned", &pair, N_RANKS * N_EACH, "M/s",
                   11);
    hc_bench_note(&bench, "peak memory with their tables", hc_bench_peak_mb(), "MB");
    hc_profile_fini(&profile);
    return hc_bench_end(&bench);
}
