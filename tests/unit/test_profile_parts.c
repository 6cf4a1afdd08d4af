/* A window built step by step gives what it gives in one piece, with a GPU that lags behind its
 * calls and waits that reach from one step into the next. */
#include "sim/profiles/profile_build.h"
#include "sim/profiles/profile_path.h"
#include "sim/profiles/profile_sweep.h"
#include "tests/support/profile_builder.h"

#include <check.h>

#define N_RANKS 3
#define N_STEPS 5
#define STEP_NS 1000000
#define N_LANES 3

static struct hc_error err;
static uint64_t state;

static int64_t draw(int64_t below)
{
    state ^= state << 13;
    state ^= state >> 7;
    state ^= state << 17;
    return (int64_t)(state % (uint64_t)below);
}

/* Launches on two streams, the kernels of a step up to a step later; each step but the first begins
 * with a wait for what was launched so far. */
static void make_rank(struct hc_profile *profile, size_t rank)
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
    }
}

struct outcome {
    int64_t finish[N_LANES], path;
    size_t n_parts, n_points;
};

static struct outcome replay(struct hc_profile *profile, const struct hc_collectives *collectives,
                             bool in_one_piece)
{
    struct hc_scan_window window;
    struct hc_profile_build build;
    struct hc_sweep_lanes lanes;
    struct hc_sweep sweep;
    struct hc_path path;
    struct outcome outcome = {.path = 0};
    ck_assert(!hc_scan_window_init(&window, profile, collectives, &err));
    window.n_steps = profile->n_common_steps;
    window.numbers = profile->common_steps;
    ck_assert(!hc_build_init(&build, &window, &err));
    if (in_one_piece)
        build.together[0] = N_STEPS - 1;
    ck_assert(!hc_sweep_lanes_init(&lanes, N_LANES, N_RANKS, &err));
    lanes.residual[1] = 0;
    for (size_t i = 0; i < (size_t)N_RANKS * HC_N_WORKS; i++)
        lanes.factor[i * lanes.stride + 2] = 1.25;
    ck_assert(!hc_sweep_init(&sweep, &lanes, &err) && !hc_path_init(&path, N_RANKS, &err));
    while (hc_build_next(&build, &err))
        ck_assert(!hc_sweep_part(&sweep, &build.graph, &build.order, &err) &&
                  !hc_path_part(&path, &build.graph, &build.order, &err));
    ck_assert_int_eq(err.status, HC_OK);
    for (size_t l = 0; l < N_LANES; l++)
        outcome.finish[l] = hc_sweep_finish(&sweep, l);
    ck_assert_int_eq(outcome.finish[0], build.traced_finish_ns);
    outcome.path = hc_path_last(&path)->part_ns[HC_PATH_COMPUTE];
    outcome.n_parts = build.n_parts;
    outcome.n_points = build.graph.n_points_so_far;
    hc_path_fini(&path);
    hc_sweep_fini(&sweep);
    hc_sweep_lanes_fini(&lanes);
    hc_build_fini(&build);
    hc_scan_window_fini(&window);
    return outcome;
}

START_TEST(parts)
{
    for (uint64_t seed = 1; seed <= 20; seed++) {
        struct hc_profile profile;
        struct hc_collectives collectives;
        state = seed * 0x9e3779b97f4a7c15u;
        profile_begin(&profile, N_RANKS);
        for (size_t r = 0; r < N_RANKS; r++)
            make_rank(&profile, r);
        ck_assert(!hc_profile_link(&profile, HC_STEPS_BY_PROFILER, &err));
        ck_assert(!hc_collectives_match(&collectives, &profile, true, &err));
        struct outcome step = replay(&profile, &collectives, false);
        struct outcome whole = replay(&profile, &collectives, true);
        ck_assert_uint_eq(step.n_parts, N_STEPS);
        ck_assert_uint_eq(whole.n_parts, 1);
        ck_assert_uint_eq(step.n_points, whole.n_points);
        for (size_t l = 0; l < N_LANES; l++)
            ck_assert_int_eq(step.finish[l], whole.finish[l]);
        ck_assert_int_lt(step.finish[1], step.finish[2]);
        ck_assert_int_eq(step.path, whole.path);
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
