/* A rank that gave back what nothing reads (hc_profile_rank_settle) has the same waits as one that
 * kept every mark: threads that wait for each other, nested marks, marks that reach into the next
 * step, whichever steps are replayed. */
#include "models/profiles/profile_fill.h"
#include "sim/profiles/profile_scan.h"
#include "tests/support/profile_builder.h"

#include <check.h>
#include <string.h>

#define N_STEPS 4
#define STEP_NS 2000000

static struct hc_error err;
static uint64_t state;

static int64_t draw(int64_t below)
{
    state ^= state << 13;
    state ^= state >> 7;
    state ^= state << 17;
    return (int64_t)(state % (uint64_t)below);
}

static const char *const threads[] = {"1/1", "1/2", "1/3", "2/1", "2/2", "3/1"};
#define N_THREADS (int64_t)(sizeof threads / sizeof threads[0])

/* Marks within marks, some of which end with what they are in, or after it. */
static void add_nest(struct hc_profile *profile, const char *thread, int64_t at, int64_t length)
{
    for (int depth = 0; depth < 4 && length > 4; depth++) {
        add_mark(profile, 0,
                 (struct built_span){.start = at, .duration = length, .thread = thread});
        int64_t in = draw(length / 2);
        at += in;
        length = draw(3) ? length - in : 1 + draw(length);
    }
}

static void make_rank(struct hc_profile *profile, uint64_t seed)
{
    state = seed * 0x9e3779b97f4a7c15u;
    profile_begin(profile, 1);
    for (int64_t s = 0; s < N_STEPS; s++)
        add_step(profile, 0, s, s * STEP_NS, (s + 1) * STEP_NS);
    for (int64_t i = 0; i < 60; i++) {
        const char *thread = threads[draw(1 + draw(N_THREADS))];
        /* Round times, so that starts and ends meet each other and the bounds of steps. */
        int64_t at = draw((N_STEPS + 1) * STEP_NS / 50000) * 50000 - STEP_NS / 4;
        int64_t length = draw(8) ? (1 + draw(10)) * 10000 : (1 + draw(60)) * 50000;
        if (draw(4))
            add_nest(profile, thread, at, length);
        else
            add_launch(profile, 0,
                       (struct built_launch){.at = at,
                                             .call_duration = length / 2,
                                             .start = at + length,
                                             .duration = 1000,
                                             .stream = 7,
                                             .name = "gemm",
                                             .thread = thread});
    }
}

static void scan_from(struct hc_rank_scan *scan, const struct hc_profile *profile, size_t first)
{
    struct hc_scan_window window;
    struct hc_collectives collectives;
    ck_assert(!hc_collectives_match(&collectives, profile, true, &err));
    ck_assert(!hc_scan_window_init(&window, profile, &collectives, &err));
    window.n_steps = profile->n_common_steps - first;
    window.numbers = profile->common_steps + first;
    ck_assert_msg(!hc_scan_rank(scan, &window, 0, &err), "%s", err.message);
    hc_scan_window_fini(&window);
    hc_collectives_fini(&collectives);
}

static void check_same(const struct hc_rank_scan *a, const struct hc_rank_scan *b)
{
    ck_assert_uint_eq(a->n_extras, b->n_extras);
    for (size_t i = 0; i < a->n_extras; i++) {
        ck_assert_int_eq(a->extras[i].t_ns, b->extras[i].t_ns);
        ck_assert_int_eq(a->extras[i].busy_ns, b->extras[i].busy_ns);
        ck_assert_int_eq(a->extras[i].thread, b->extras[i].thread);
        ck_assert_int_eq(a->extras[i].what, b->extras[i].what);
    }
    ck_assert_uint_eq(a->n_waits, b->n_waits);
    for (size_t i = 0; i < a->n_waits; i++) {
        ck_assert_int_eq(a->waits[i].w_ns, b->waits[i].w_ns);
        ck_assert_uint_eq(a->waits[i].target, b->waits[i].target);
        ck_assert_uint_eq(a->waits[i].source, b->waits[i].source);
        ck_assert_int_eq(a->waits[i].kind, b->waits[i].kind);
    }
}

static size_t n_wakes, n_marks, n_left;

static void compare(uint64_t seed)
{
    struct hc_profile whole, settled;
    make_rank(&whole, seed);
    make_rank(&settled, seed);
    ck_assert(
        !hc_profile_rank_settle(&settled.ranks[0], &settled.names, HC_STEPS_BY_PROFILER, &err));
    ck_assert(!hc_profile_link(&whole, HC_STEPS_BY_PROFILER, &err));
    ck_assert(!hc_profile_link(&settled, HC_STEPS_BY_PROFILER, &err));
    n_marks += whole.ranks[0].table[HC_PROFILE_MARKS].n_rows;
    n_left += settled.ranks[0].table[HC_PROFILE_MARKS].n_rows;
    for (size_t first = 0; first < N_STEPS; first++) {
        struct hc_rank_scan a, b;
        scan_from(&a, &whole, first);
        scan_from(&b, &settled, first);
        check_same(&a, &b);
        for (size_t i = 0; i < a.n_waits; i++)
            n_wakes += a.waits[i].kind == HC_EDGE_WAKE;
        hc_scan_rank_fini(&a);
        hc_scan_rank_fini(&b);
    }
    hc_profile_fini(&whole);
    hc_profile_fini(&settled);
}

START_TEST(same_waits)
{
    for (uint64_t seed = 1; seed <= 600; seed++)
        compare(seed);
    ck_assert_uint_gt(n_wakes, 400);
    ck_assert_uint_lt(n_left, n_marks * 9 / 10);
}
END_TEST

/* Marks that have names are to be shown, and stay. */
START_TEST(names_stay)
{
    struct hc_profile profile;
    profile_begin(&profile, 1);
    add_step(&profile, 0, 0, 0, STEP_NS);
    add_mark(&profile, 0, (struct built_span){.start = 10, .duration = 100, .name = "aten::mm"});
    add_mark(&profile, 0, (struct built_span){.start = 20, .duration = 50, .name = "aten::t"});
    ck_assert(
        !hc_profile_rank_settle(&profile.ranks[0], &profile.names, HC_STEPS_BY_PROFILER, &err));
    ck_assert_uint_eq(profile.ranks[0].table[HC_PROFILE_MARKS].n_rows, 2);
    hc_profile_fini(&profile);
}
END_TEST

/* A code without a text, which only a segment that somebody made can have. */
START_TEST(wrong_code)
{
    struct hc_profile profile;
    profile_begin(&profile, 1);
    add_mark(&profile, 0, (struct built_span){.start = 10, .duration = 100});
    hc_table_i32(&profile.ranks[0].table[HC_PROFILE_MARKS], HC_MARKS_THREAD)[0] = 77;
    ck_assert_int_eq(
        hc_profile_rank_settle(&profile.ranks[0], &profile.names, HC_STEPS_BY_PROFILER, &err),
        HC_BAD_INPUT);
    ck_assert_ptr_nonnull(strstr(err.message, "'thread' is no code of its texts"));
    hc_profile_fini(&profile);
}
END_TEST

int main(void)
{
    Suite *suite = suite_create("profile_settle");
    TCase *tcase = tcase_create("profile_settle");
    tcase_set_timeout(tcase, 60);
    tcase_add_test(tcase, same_waits);
    tcase_add_test(tcase, names_stay);
    tcase_add_test(tcase, wrong_code);
    suite_add_tcase(suite, tcase);
    SRunner *runner = srunner_create(suite);
    srunner_run_all(runner, CK_NORMAL);
    int n_failed = srunner_ntests_failed(runner);
    srunner_free(runner);
    return n_failed != 0;
}
