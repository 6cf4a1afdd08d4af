/* The dependency graph of profiler traces: built, swept for one variant and for 64, and a whole
 * what-if with the mend and only of each rank. 64 ranks of ten steps, two streams, a collective
 * every twentieth launch. Then the same launches in 500 steps, which must cost about as much: what
 * is done for each step does not grow with the window. */
#include "bench/bench.h"

#include "core/random/philox.h"
#include "sim/profiles/profile_build.h"
#include "sim/profiles/profile_sweep.h"
#include "tests/support/profile_builder.h"

#include <string.h>

#define N_RANKS    64
#define N_STEPS    10
#define MANY_STEPS 500
#define N_LAUNCHES 10000 /* of a rank in all steps */
#define SPACE_NS   20000

static struct hc_error err;

struct subject {
    struct hc_profile profile;
    struct hc_collectives collectives;
    struct hc_scan_window window;
    struct hc_profile_build build;
    struct hc_sweep_lanes lanes;
    size_t n_points, n_edges;
};

static void add_one(struct hc_profile *profile, struct hc_philox *rng, size_t rank, int64_t k)
{
    static const char *const names[] = {"gemm", "relu", "norm", "softmax", "add"};
    bool joins = k % 20 == 19;
    int64_t at = k * SPACE_NS, start = at + 7000 + (int64_t)hc_philox_integer(rng, 500);
    struct built_launch kernel = {.at = at,
                                  .start = start,
                                  .duration = 9000 + (int64_t)hc_philox_integer(rng, 2000),
                                  .stream = joins ? 20 : 7,
                                  .name = joins ? "ncclDevKernel_AllReduce_Sum_f32_RING_LL"
                                                : names[k % 5]};
    if (joins) {
        kernel.activity = HC_GPU_COMMUNICATES;
        kernel.duration = at + SPACE_NS - 500 - start;
    }
    int64_t correlation = add_launch(profile, rank, kernel);
    if (joins)
        add_comm(profile, rank,
                 (struct built_comm){.start = start,
                                     .duration = kernel.duration,
                                     .correlation = correlation,
                                     .of_kernel = true,
                                     .stream = 20,
                                     .op = "all_reduce",
                                     .group = "0",
                                     .group_size = N_RANKS,
                                     .rank_stride = 1});
}

static void make_profile(struct hc_profile *profile, int64_t n_steps)
{
    struct hc_philox rng;
    int64_t step_ns = N_LAUNCHES / n_steps * SPACE_NS;
    profile_begin(profile, N_RANKS);
    for (size_t r = 0; r < N_RANKS; r++) {
        hc_philox_seek(&rng, (uint32_t)r, 0, 0);
        for (int64_t s = 0; s < n_steps; s++)
            add_step(profile, r, s, s * step_ns, (s + 1) * step_ns);
        for (int64_t k = 0; k < N_LAUNCHES; k++)
            add_one(profile, &rng, r, k);
    }
}

static size_t count_edges(const struct hc_profile_graph *graph)
{
    size_t n = 0;
    for (size_t k = 0; k < HC_EDGE_FINISH; k++)
        n += graph->n_arcs_of_kind[k];
    return n;
}

/* The whole window, with the order of each part. */
static void build(void *context)
{
    struct subject *subject = context;
    if (hc_build_init(&subject->build, &subject->window, &err))
        hc_bench_stop(&err);
    while (hc_build_next(&subject->build, &err))
        ;
    if (err.status)
        hc_bench_stop(&err);
    subject->n_points = subject->build.graph.n_points_so_far;
    subject->n_edges = count_edges(&subject->build.graph);
    hc_build_fini(&subject->build);
}

/* The part that stands in build. */
static void sweep(void *context)
{
    struct subject *subject = context;
    struct hc_sweep sweep;
    if (hc_sweep_init(&sweep, &subject->lanes, &err) ||
        hc_sweep_part(&sweep, &subject->build.graph, &subject->build.order, &err))
        hc_bench_stop(&err);
    hc_sweep_fini(&sweep);
}

static void whatif(void *context)
{
    struct subject *subject = context;
    struct hc_profile_whatif_result result;
    struct hc_profile_whatif_options options = {
        .first_step = HC_MISSING_I64, .last_step = HC_MISSING_I64, .threads = 1};
    if (hc_profile_whatif_run(&result, &subject->profile, &subject->collectives, &options, &err))
        hc_bench_stop(&err);
    hc_profile_whatif_result_fini(&result);
}

static struct hc_bench_pair sweep_lanes(struct subject *subject, size_t n_lanes)
{
    if (hc_sweep_lanes_init(&subject->lanes, n_lanes, N_RANKS, &err))
        hc_bench_stop(&err);
    struct hc_bench_pair pair = hc_bench_beside(HC_BENCH_BYTES, sweep, subject);
    hc_sweep_lanes_fini(&subject->lanes);
    return pair;
}

static void measure(struct subject *subject, struct hc_bench *bench)
{
    struct hc_bench_pair pair = hc_bench_beside(HC_BENCH_SORT, build, subject);
    hc_bench_limit(bench, "points built", &pair, (double)subject->n_points, "M points/s", 2);
    if (hc_build_init(&subject->build, &subject->window, &err) ||
        !hc_build_next(&subject->build, &err))
        hc_bench_stop(&err);
    double edges = (double)count_edges(&subject->build.graph);
    pair = sweep_lanes(subject, 1);
    hc_bench_limit(bench, "sweep of one variant", &pair, edges, "M edges/s", 11);
    pair = sweep_lanes(subject, 64);
    hc_bench_limit(bench, "sweep of 64 edge-variants", &pair, 64 * edges, "G/s", 0.77);
    double bytes = (double)(subject->build.graph.n_points *
                                (sizeof(struct hc_graph_point) + 4 * sizeof(uint32_t)) +
                            subject->build.graph.n_arcs * sizeof(struct hc_graph_arc));
    hc_bench_at_most(bench, "memory of a part", bytes / (double)subject->build.graph.n_points,
                     "B a point", 96);
    hc_build_fini(&subject->build);
    double all = hc_bench_seconds(whatif, subject);
    hc_bench_note(bench, "what-if with 134 variants", all, "s");
    hc_bench_note(bench, "the same for 13 M points (10 GB of traces)",
                  all * 13e6 / (double)subject->n_points, "s");
    hc_bench_note(bench, "peak memory with the tables", hc_bench_peak_mb(), "MB");
}

static void begin(struct subject *subject, int64_t n_steps)
{
    make_profile(&subject->profile, n_steps);
    if (hc_profile_link(&subject->profile, HC_STEPS_BY_PROFILER, &err) ||
        hc_collectives_match(&subject->collectives, &subject->profile, true, &err) ||
        hc_scan_window_init(&subject->window, &subject->profile, &subject->collectives, &err))
        hc_bench_stop(&err);
    subject->window.n_steps = subject->profile.n_common_steps;
    subject->window.numbers = subject->profile.common_steps;
}

static void end(struct subject *subject)
{
    hc_scan_window_fini(&subject->window);
    hc_collectives_fini(&subject->collectives);
    hc_profile_fini(&subject->profile);
}

int main(void)
{
    static struct subject subject;
    struct hc_bench bench = hc_bench_start();
    begin(&subject, N_STEPS);
    measure(&subject, &bench);
    end(&subject);
    begin(&subject, MANY_STEPS);
    double seconds = hc_bench_seconds(build, &subject);
    hc_bench_note(&bench, "points built in 500 steps", (double)subject.n_points / seconds / 1e6,
                  "M points/s");
    end(&subject);
    return hc_bench_end(&bench);
}
