/* Slices of random attempts, also of absurd ones, tile their time: no gap, no overlap, nothing less
 * than nothing; and their sums are the same whatever they are grouped by.
 *
 * Run under the address and undefined-behaviour sanitizers too.
 */
#include "core/base/missing.h"
#include "models/account/night/night.h"
#include "models/account/tree/attempt_slices.h"
#include "tests/support/random_numbers.h"

#include <check.h>
#include <stdlib.h>
#include <string.h>

#define S          ((int64_t)1000000000)
#define N_ATTEMPTS 20000
#define N_LAUNCHES 4
#define N_ROWS     20
#define FAR        (INT64_MAX / 4) /* 73 years: beyond, times are none of the archive */

static struct hc_error err;

/* ---- random facts ---- */

static uint64_t state;

static uint64_t draw(void)
{
    return hc_test_random(&state);
}

static int64_t below(int64_t n)
{
    return (int64_t)(draw() % (uint64_t)n);
}

static bool one_in(int64_t n)
{
    return below(n) == 0;
}

/* A time near, or anywhere, or missing. */
static int64_t any_time(int64_t near_ns)
{
    if (one_in(20))
        return HC_MISSING_I64;
    if (one_in(20))
        return below(2 * FAR) - FAR;
    return near_ns + below(4000 * S) - 1000 * S;
}

static int64_t any_number(int64_t near)
{
    return one_in(30)   ? HC_MISSING_I64
           : one_in(30) ? INT64_MAX - below(3)
           : one_in(30) ? INT64_MIN + 1 + below(3)
                        : near + below(40) - 10;
}

static int64_t any_duration(void)
{
    return one_in(10)   ? HC_MISSING_I64
           : one_in(30) ? INT64_MAX - below(9)
           : one_in(30) ? -below(1000 * S)
           : one_in(10) ? 0
                        : below(50 * S);
}

/* Facts as a damaged archive may have them. */
struct facts {
    struct hc_launches launches;
    struct hc_launch list[N_LAUNCHES];
    struct hc_loss losses[N_LAUNCHES];
    struct hc_launch_facts of[N_LAUNCHES];
    struct hc_step_row steps[N_LAUNCHES][N_ROWS];
    struct hc_moment_row saves[N_LAUNCHES][N_ROWS], evaluations[N_LAUNCHES][N_ROWS];
    struct hc_phase_span phases[N_LAUNCHES + 1][N_ROWS];
    struct hc_attempt_facts attempt;
};

/* Whether rows are in order of time, and plausible. */
static void fill_steps(struct facts *f, size_t i, bool is_sane)
{
    int64_t end_ns = f->list[i].first_step_ns, iteration = below(100);
    if (end_ns == HC_MISSING_I64)
        end_ns = 1000 * S;
    f->of[i].steps = f->steps[i];
    f->of[i].n_steps = (size_t)below(N_ROWS + 1);
    for (size_t k = 0; k < f->of[i].n_steps; k++) {
        int32_t iterations = is_sane ? 1 + (int32_t)below(10) : (int32_t)below(12) - 1;
        int64_t duration_ns = is_sane ? 1 + below(20 * S) : any_duration();
        iteration += iterations;
        end_ns += is_sane ? iterations * duration_ns + below(3) * S : below(100 * S) - 20 * S;
        f->steps[i][k] = (struct hc_step_row){
            .end_ns = is_sane || !one_in(20) ? end_ns : any_time(end_ns),
            .iteration = is_sane || !one_in(5) ? iteration : any_number(iteration),
            .line = (int64_t)k,
            .duration_ns = duration_ns,
            .iterations = !is_sane && one_in(30) ? INT32_MAX : iterations};
    }
}

static void fill_moments(struct hc_moment_row *rows, size_t *n, bool is_sane)
{
    int64_t iteration = 0;
    *n = (size_t)below(N_ROWS + 1);
    for (size_t k = 0; k < *n; k++) {
        iteration += below(30);
        rows[k] =
            (struct hc_moment_row){any_time(2000 * S), is_sane ? iteration : any_number(iteration)};
    }
}

static void fill_phases(struct hc_phase_span *rows, size_t *n, int64_t from_ns)
{
    *n = (size_t)below(6);
    for (size_t k = 0; k < *n; k++)
        rows[k] = (struct hc_phase_span){any_time(from_ns), any_time(from_ns),
                                         (enum hc_phase)below(HC_N_PHASES)};
}

static struct hc_stop any_stop(int64_t near_ns)
{
    bool has_failed = one_in(2);
    return (struct hc_stop){.why = (enum hc_why)below(HC_WHY_COUNT),
                            .evidence = (enum hc_failure_evidence)below(HC_N_EVIDENCES),
                            .failure = has_failed ? (int32_t)below(5) : -1,
                            .notice_ns = has_failed ? any_time(near_ns) : HC_MISSING_I64,
                            .event_ns = has_failed ? any_time(near_ns) : HC_MISSING_I64,
                            .fault_high_ns = has_failed ? any_time(near_ns) : HC_MISSING_I64};
}

static void fill_launch(struct facts *f, size_t i, size_t n, bool is_sane)
{
    struct hc_launch *launch = &f->list[i];
    int64_t near_ns = 1000 * S + (int64_t)i * 1000 * S;
    *launch = (struct hc_launch){.start_ns = any_time(near_ns),
                                 .first_step_ns = one_in(4) ? HC_MISSING_I64 : any_time(near_ns),
                                 .end_ns = any_time(near_ns + 900 * S),
                                 .first_iteration = any_number(0),
                                 .last_iteration = any_number(100),
                                 .resumed_iteration = any_number(0),
                                 .saved_iteration = any_number(50),
                                 .line = 1,
                                 .run = 0,
                                 .number = (int32_t)i,
                                 .world_size = one_in(3) ? HC_MISSING_I32 : (int32_t)below(20) - 2,
                                 .is_done = one_in(6),
                                 .is_last = i + 1 == n,
                                 .goes_on = one_in(2),
                                 .before = (int32_t)i - 1,
                                 .losses = i,
                                 .n_losses = (size_t)below((int64_t)(n - i) + 1),
                                 .stop = any_stop(near_ns + 900 * S)};
    f->losses[i] = (struct hc_loss){any_number(50), (int32_t)below((int64_t)n)};
    f->of[i] = (struct hc_launch_facts){.launch = launch,
                                        .saves = f->saves[i],
                                        .evaluations = f->evaluations[i],
                                        .phases = f->phases[i]};
    fill_steps(f, i, is_sane);
    fill_moments(f->saves[i], &f->of[i].n_saves, is_sane);
    fill_moments(f->evaluations[i], &f->of[i].n_evaluations, is_sane);
    fill_phases(f->phases[i], &f->of[i].n_phases, near_ns);
}

static void fill(struct facts *f)
{
    bool is_sane = one_in(3);
    size_t n = (size_t)below(N_LAUNCHES + 1);
    memset(f, 0, sizeof *f);
    f->launches = (struct hc_launches){.n = n, .list = f->list, .losses = f->losses};
    for (size_t i = 0; i < n; i++)
        fill_launch(f, i, n, is_sane);
    f->attempt = (struct hc_attempt_facts){
        .start_ns = 1000 * S + below(10),
        .end_ns = one_in(20) ? below(2000 * S) : 1000 * S + below(5000 * S),
        .as_of_ns = any_time(9000 * S),
        .gpus = one_in(20) ? (int32_t)below(3) - 1 : 1 + (int32_t)below(4096),
        .is_running = one_in(4),
        .is_completed = one_in(4),
        .n_launches = n,
        .launches = f->of};
    if (one_in(50)) {
        f->attempt.start_ns = -FAR;
        f->attempt.end_ns = FAR;
    }
    fill_phases(f->phases[N_LAUNCHES], &f->attempt.n_phases, 1000 * S);
    f->attempt.phases = f->phases[N_LAUNCHES];
}

/* ---- what must hold ---- */

struct tiling {
    const struct hc_attempt_facts *attempt;
    struct hc_night *night;
    const struct hc_night_attempt *known;
    int64_t begin_ns, end_ns; /* of the slices at hand, which may be of parts of the GPUs */
    int64_t gpus;
    hc_gpu_ns sum;
    size_t n;
    bool has_rule[HC_N_SLICE_RULES];
};

/* Slices of all GPUs follow one another; those of parts of them are of one stretch. */
static void check_order(struct tiling *t, const struct hc_slice *slice)
{
    if (t->n == 0 || t->gpus == t->attempt->gpus) {
        ck_assert_int_eq(slice->from_ns, t->n ? t->end_ns : t->attempt->start_ns);
        t->begin_ns = slice->from_ns;
        t->end_ns = slice->to_ns;
        t->gpus = 0;
    }
    ck_assert_int_eq(slice->from_ns, t->begin_ns);
    ck_assert_int_eq(slice->to_ns, t->end_ns);
    t->gpus += slice->gpus;
    ck_assert_int_le(t->gpus, t->attempt->gpus);
}

static enum hc_status take(const struct hc_slice *slice, void *context, struct hc_error *why)
{
    struct tiling *t = context;
    check_order(t, slice);
    ck_assert_int_lt(slice->from_ns, slice->to_ns);
    ck_assert_int_gt(slice->gpus, 0);
    ck_assert_int_ge(slice->steps, 0);
    ck_assert_int_ge(slice->uncertain_ns, 0);
    ck_assert_int_ge((int)slice->what, 0);
    ck_assert_int_lt(slice->what, HC_WHAT_COUNT);
    ck_assert_int_lt(slice->why, HC_WHY_COUNT);
    ck_assert_int_lt(slice->mark, HC_N_MARKS);
    ck_assert_int_lt(slice->rule, HC_N_SLICE_RULES);
    ck_assert_ptr_nonnull(hc_slice_rule_sentence(slice->rule));
    if (!hc_what_has_why(slice->what))
        ck_assert_int_eq(slice->why, HC_WHY_NONE);
    ck_assert_int_eq(slice->what == HC_WHAT_UNKNOWN, slice->mark == HC_MARK_UNKNOWN);
    t->sum += hc_slice_gpu_ns(slice);
    t->has_rule[slice->rule] = true;
    t->n++;
    return hc_night_take_slice(t->night, t->known, slice, "cause", why);
}

static void check_attempt(const struct facts *f, struct tiling *t)
{
    const struct hc_attempt_facts *a = &f->attempt;
    bool holds = a->gpus > 0 && a->end_ns > a->start_ns;
    t->attempt = a;
    t->n = 0;
    t->sum = 0;
    ck_assert(!hc_attempt_slices(a, &f->launches, &(struct hc_slice_sink){take, t}, &err));
    ck_assert(t->sum == (holds ? (hc_gpu_ns)(a->end_ns - a->start_ns) * a->gpus : 0));
    if (holds) {
        ck_assert_int_eq(t->end_ns, a->end_ns);
        ck_assert_int_eq(t->gpus, a->gpus);
    }
}

/* All that the cube has within the window, by dimension. */
static void check_sums(const struct hc_night *night)
{
    hc_gpu_ns sums[HC_N_CUBE_DIMENSIONS] = {0};
    for (size_t i = 0; i < night->cube.of_key.n; i++) {
        struct hc_cube_place place;
        struct hc_cube_cell cell;
        hc_gpu_ns gpu_ns = hc_cube_get(&night->cube, i, &place, &cell);
        ck_assert(gpu_ns > 0);
        sums[place.dimension] += gpu_ns;
    }
    for (int d = 0; d < HC_N_CUBE_DIMENSIONS; d++)
        if (d != HC_CUBE_CAUSE && d != HC_CUBE_RUN)
            ck_assert_msg(sums[d] == night->held_gpu_ns, "by %s",
                          hc_cube_dimension_name((enum hc_cube_dimension)d));
    ck_assert(sums[HC_CUBE_CAUSE] < sums[HC_CUBE_ALL]);
    ck_assert(sums[HC_CUBE_RUN] < sums[HC_CUBE_ALL]);
}

/* A window of a long day and short ones, which the attempts begin before and end after. */
static void make_window(struct hc_night *night)
{
    static const int64_t edges_s[] = {1500, 1501, 2000, 4000, 4100, 5500};
    night->days.n = 5;
    night->days.edges_ns = calloc(6, sizeof *night->days.edges_ns);
    night->days.names = calloc(5, sizeof *night->days.names);
    for (int i = 0; i < 6; i++)
        night->days.edges_ns[i] = edges_s[i] * S;
}

static struct hc_night_attempt known_of(const struct facts *f)
{
    static const char *const lists[] = {NULL, "n1", "n[1-3]", "n[1-7],m2", "n[3-", ""};
    const char *users[] = {NULL, "a", "b"};
    return (struct hc_night_attempt){.submit_ns = any_time(900 * S),
                                     .eligible_ns = any_time(950 * S),
                                     .start_ns = f->attempt.start_ns,
                                     .end_ns = f->attempt.end_ns,
                                     .gpus = f->attempt.gpus,
                                     .run = (int32_t)below(4) - 1,
                                     .is_running = f->attempt.is_running,
                                     .user = users[below(3)],
                                     .account = users[below(3)],
                                     .partition = users[below(3)],
                                     .node_list = lists[below(6)]};
}

START_TEST(slices_tile_the_time)
{
    struct facts *f = calloc(1, sizeof *f);
    struct hc_night night = {0};
    struct tiling tiling = {.night = &night};
    make_window(&night);
    state = (uint64_t)_i;
    for (int i = 0; i < N_ATTEMPTS / 4; i++) {
        fill(f);
        const struct hc_night_attempt known = known_of(f);
        tiling.known = &known;
        if (f->attempt.gpus <= 0 || f->attempt.end_ns <= f->attempt.start_ns) {
            check_attempt(f, &tiling);
            continue;
        }
        ck_assert(!hc_night_take_attempt(&night, &known, &f->attempt, &err));
        check_attempt(f, &tiling);
    }
    check_sums(&night);
    hc_night_runs_end(&night.runs);
    for (int rule = 0; rule < HC_N_SLICE_RULES; rule++)
        ck_assert_msg(tiling.has_rule[rule] || rule == HC_RULE_TIMELINE ||
                          rule == HC_RULE_TIMELINE_OF_OTHERS,
                      "rule %s was never met, so nothing is tested of it",
                      hc_slice_rule_name((enum hc_slice_rule)rule));
    hc_night_fini(&night);
    free(f);
}
END_TEST

int main(void)
{
    Suite *suite = suite_create("slice_properties");
    TCase *tests = tcase_create("random");
    tcase_set_timeout(tests, 120);
    tcase_add_loop_test(tests, slices_tile_the_time, 1, 5);
    suite_add_tcase(suite, tests);
    SRunner *runner = srunner_create(suite);
    srunner_run_all(runner, CK_NORMAL);
    int n_failed = srunner_ntests_failed(runner);
    srunner_free(runner);
    return n_failed != 0;
}
