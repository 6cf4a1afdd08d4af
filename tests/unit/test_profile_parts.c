/* A window built step by step gives what it gives in one piece, with a GPU that lags behind its
 * calls, waits and wakes that reach from one step into the next, collectives that end in the step
 * after theirs, kernels that nobody launched, and a rank that makes calls which the others do not:
 * every variant and the whole critical path. */
#include "sim/profiles/profile_build.h"
#include "sim/profiles/profile_path.h"
#include "sim/profiles/profile_sweep.h"
#include "tests/support/profile_builder.h"

#include <check.h>
#include <string.h>

#define N_RANKS 3
#define N_STEPS 5
#define STEP_NS 1000000
#define N_LANES 6

static struct hc_error err;
static uint64_t state;

static int64_t draw(int64_t below)
{
    state ^= state << 13;
    state ^= state >> 7;
    state ^= state << 17;
    return (int64_t)(state % (uint64_t)below);
}

/* A thread that the main one wakes: at the start of a step by what was done in the step before, and
 * in the middle of it. One rank does so once too often, in one step. */
static void add_helper(struct hc_profile *profile, size_t rank, int64_t step)
{
    int64_t at = step * STEP_NS;
    struct built_span main_mark = {
        .start = at + 400000, .duration = 50000 + draw(20000), .thread = "1/1", .name = "forward"};
    add_mark(profile, rank, main_mark);
    main_mark.start = at + 900000 + draw(10000);
    add_mark(profile, rank, main_mark);
    int n = rank == 1 && step == 2 ? 3 : 2;
    for (int k = 0; k < n; k++, at += 300000 + draw(100000)) {
        struct built_call call = {.start = at + 300 + draw(300),
                                  .duration = 4000 + draw(3000),
                                  .thread = "1/2",
                                  .name = "cudaStreamSynchronize"};
        add_call(profile, rank, call);
    }
}

/* All ranks together, on a stream of their own; the end is in the next step. */
static void add_collective(struct hc_profile *profile, size_t rank, int64_t step)
{
    int64_t start = (step + 1) * STEP_NS - 200000 + draw(50000);
    struct built_launch kernel = {.at = start - 20000,
                                  .start = start,
                                  .duration = (step + 1) * STEP_NS + 60000 + draw(2000) - start,
                                  .stream = 20,
                                  .activity = HC_GPU_COMMUNICATES,
                                  .name = "ncclDevKernel_AllReduce_Sum_f32_RING_LL"};
    int64_t correlation = add_launch(profile, rank, kernel);
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

/* Launches on two streams, the kernels of a step up to a step later; each step but the first begins
 * with a wait for what was launched so far. Kernels that nobody launched are on a stream of their
 * own or, where steps are to hang together, between the others. */
static void make_rank(struct hc_profile *profile, size_t rank, bool hangs_together)
{
    int64_t busy[2] = {0, 0};
    for (int64_t s = 0; s < N_STEPS; s++) {
        add_step(profile, rank, s, s * STEP_NS, (s + 1) * STEP_NS);
        int64_t at = s * STEP_NS + 1000 + draw(500);
        if (s > 0) {
            int64_t done = busy[0] > busy[1] ? busy[0] : busy[1];
            int64_t end = done > at ? done + 2000 : at + 2000;
            add_call(profile, rank,
                     (struct built_call){
                         .start = at, .duration = end - at, .name = "cudaDeviceSynchronize"});
            at = end + 1000;
        }
        for (int k = 0; k < 6; k++, at += 20000 + draw(5000)) {
            int stream = k % 2;
            int64_t start = at + 6000 > busy[stream] ? at + 6000 : busy[stream] + 1000;
            struct built_launch kernel = {.at = at,
                                          .start = start,
                                          .duration = 50000 + draw(100000),
                                          .stream = stream,
                                          .name = k % 3 ? "gemm" : "relu"};
            if (k == 5)
                kernel.duration = (s + 1) * STEP_NS + 150000 - start; /* into the next step */
            busy[stream] = start + kernel.duration;
            add_launch(profile, rank, kernel);
        }
        if (hangs_together && s == 1) { /* begins after a kernel of the next step */
            struct built_launch late = {.at = 2 * STEP_NS - 30000,
                                        .start = 2 * STEP_NS + 170000,
                                        .duration = 10000,
                                        .stream = 1,
                                        .name = "late"};
            busy[1] = late.start + late.duration;
            add_launch(profile, rank, late);
        }
        struct built_gpu unlinked = {.start = s * STEP_NS + 155000 + draw(1000),
                                     .duration = 10000,
                                     .stream = hangs_together && s == 2 ? 1 : 9,
                                     .name = "unlinked"};
        add_gpu(profile, rank, unlinked);
        add_helper(profile, rank, s);
        add_collective(profile, rank, s);
    }
}

struct outcome {
    int64_t finish[N_LANES], path_ns[HC_N_PATH_PARTS];
    size_t n_parts, n_points, n_stretches, n_wakes, n_joins;
    int64_t stretch_ns; /* sum of their beginnings */
};

/* As traced, by the rules alone, all slower, ideal, one rank at its peers' level, all but one. */
static void fill_lanes(struct hc_sweep_lanes *lanes)
{
    lanes->residual[1] = 0;
    for (size_t r = 0; r < N_RANKS; r++)
        for (size_t work = 0; work < HC_N_WORKS; work++) {
            size_t row = (r * HC_N_WORKS + work) * lanes->stride;
            lanes->factor[row + 2] = 1.25;
            lanes->alt[row + 3] = 1;
            lanes->alt[row + 4] = r == 1;
            lanes->alt[row + 5] = r != 1;
        }
}

static void take_path(struct outcome *outcome, const struct hc_path *path)
{
    const struct hc_way *way = hc_path_last(path);
    memcpy(outcome->path_ns, way->part_ns, sizeof outcome->path_ns);
    for (uint32_t at = way->stretch; at != HC_NO_POINT; at = path->stretches[at].before) {
        outcome->n_stretches++;
        outcome->stretch_ns += path->stretches[at].from_ns;
    }
}

static struct outcome replay(struct hc_profile *profile, const struct hc_collectives *collectives,
                             bool in_one_piece)
{
    struct hc_scan_window window;
    struct hc_profile_build build;
    struct hc_sweep_lanes lanes;
    struct hc_sweep sweep;
    struct hc_path path;
    struct outcome outcome = {.n_parts = 0};
    ck_assert(!hc_scan_window_init(&window, profile, collectives, &err));
    window.n_steps = profile->n_common_steps;
    window.numbers = profile->common_steps;
    ck_assert(!hc_build_init(&build, &window, &err));
    if (in_one_piece)
        build.together[0] = N_STEPS - 1;
    ck_assert(!hc_sweep_lanes_init(&lanes, N_LANES, N_RANKS, &err));
    fill_lanes(&lanes);
    lanes.median_start_ns = (double)build.median_start_ns;
    ck_assert(!hc_sweep_init(&sweep, &lanes, &err) && !hc_path_init(&path, N_RANKS, &err));
    while (hc_build_next(&build, &err))
        ck_assert(!hc_sweep_part(&sweep, &build.graph, &build.order, &err) &&
                  !hc_path_part(&path, &build.graph, &build.order, &err));
    ck_assert_int_eq(err.status, HC_OK);
    for (size_t l = 0; l < N_LANES; l++)
        outcome.finish[l] = hc_sweep_finish(&sweep, l);
    ck_assert_int_eq(outcome.finish[0], build.traced_finish_ns);
    take_path(&outcome, &path);
    outcome.n_wakes = build.graph.n_arcs_of_kind[HC_EDGE_WAKE];
    outcome.n_joins = build.graph.n_arcs_of_kind[HC_EDGE_JOIN];
    outcome.n_parts = build.n_parts;
    outcome.n_points = build.graph.n_points_so_far;
    hc_path_fini(&path);
    hc_sweep_fini(&sweep);
    hc_sweep_lanes_fini(&lanes);
    hc_build_fini(&build);
    hc_scan_window_fini(&window);
    return outcome;
}

static void compare(const struct outcome *step, const struct outcome *whole)
{
    ck_assert_uint_eq(step->n_points, whole->n_points);
    for (size_t l = 0; l < N_LANES; l++)
        ck_assert_int_eq(step->finish[l], whole->finish[l]);
    for (size_t part = 0; part < HC_N_PATH_PARTS; part++)
        ck_assert_int_eq(step->path_ns[part], whole->path_ns[part]);
    ck_assert_uint_eq(step->n_stretches, whole->n_stretches);
    ck_assert_int_eq(step->stretch_ns, whole->stretch_ns);
    ck_assert_uint_eq(step->n_wakes, whole->n_wakes);
    ck_assert_uint_eq(step->n_joins, whole->n_joins);
}

START_TEST(parts)
{
    for (uint64_t seed = 1; seed <= 20; seed++) {
        struct hc_profile profile;
        struct hc_collectives collectives;
        bool hangs_together = seed % 2;
        state = seed * 0x9e3779b97f4a7c15u;
        profile_begin(&profile, N_RANKS);
        for (size_t r = 0; r < N_RANKS; r++)
            make_rank(&profile, r, hangs_together);
        ck_assert(!hc_profile_link(&profile, HC_STEPS_BY_PROFILER, &err));
        ck_assert(!hc_collectives_match(&collectives, &profile, true, &err));
        struct outcome step = replay(&profile, &collectives, false);
        struct outcome whole = replay(&profile, &collectives, true);
        ck_assert_uint_eq(whole.n_parts, 1);
        if (hangs_together)
            ck_assert(step.n_parts > 1 && step.n_parts < N_STEPS);
        else
            ck_assert_uint_eq(step.n_parts, N_STEPS);
        compare(&step, &whole);
        ck_assert_int_lt(step.finish[1], step.finish[2]);
        ck_assert_int_ne(step.finish[0], step.finish[3]);
        ck_assert_uint_gt(step.n_wakes, 0);
        ck_assert_uint_gt(step.n_joins, 0);
        hc_collectives_fini(&collectives);
        hc_profile_fini(&profile);
    }
}
END_TEST

int main(void)
{
    Suite *suite = suite_create("profile_parts");
    TCase *tcase = tcase_create("profile_parts");
    tcase_add_test(tcase, parts);
    suite_add_tcase(suite, tcase);
    SRunner *runner = srunner_create(suite);
    srunner_run_all(runner, CK_NORMAL);
    int n_failed = srunner_ntests_failed(runner);
    srunner_free(runner);
    return n_failed != 0;
}
