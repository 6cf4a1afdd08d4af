/* Sums of slices by day and group: exact, whatever the order, over days of 23 and 25 hours; what an
 * incident costs in all; and nodes that have no equal parts.
 */
#include "core/base/missing.h"
#include "models/account/night/night.h"
#include "models/account/tree/account_cube.h"

#include <check.h>
#include <stdlib.h>
#include <string.h>

#define S ((int64_t)1000000000)
#define H (3600 * S)

static struct hc_error err;

static const struct hc_attempt_facts no_facts;

/* A window of days of such lengths. */
static void make_days(struct hc_night *night, const int *hours, size_t n)
{
    night->days.n = n;
    night->days.edges_ns = calloc(n + 1, sizeof *night->days.edges_ns);
    night->days.names = calloc(n, sizeof *night->days.names);
    for (size_t i = 0; i < n; i++)
        night->days.edges_ns[i + 1] = night->days.edges_ns[i] + hours[i] * H;
}

static struct hc_slice slice_of(int64_t from_ns, int64_t to_ns, enum hc_what what, int32_t gpus)
{
    return (struct hc_slice){.from_ns = from_ns,
                             .to_ns = to_ns,
                             .line = HC_MISSING_I64,
                             .gpus = gpus,
                             .launch = -1,
                             .failure = -1,
                             .source = HC_MISSING_I32,
                             .what = what,
                             .why = HC_WHY_NONE,
                             .evidence = HC_EVIDENCE_NONE};
}

static struct hc_night_attempt attempt_of(int64_t from_ns, int64_t to_ns, int32_t gpus)
{
    return (struct hc_night_attempt){.submit_ns = from_ns,
                                     .eligible_ns = from_ns,
                                     .start_ns = from_ns,
                                     .end_ns = to_ns,
                                     .gpus = gpus,
                                     .run = -1,
                                     .user = "ann",
                                     .node_list = "n[1-3]"};
}

static void take(struct hc_night *night, const struct hc_night_attempt *attempt,
                 const struct hc_slice *slice, const char *cause)
{
    ck_assert(!hc_night_take_slice(night, attempt, slice, cause, &err));
}

/* What a cube has of a day, dimension and name; of all days: day -1. */
static hc_gpu_ns sum_of(const struct hc_night *night, int32_t day, enum hc_cube_dimension dimension,
                        const char *name)
{
    hc_gpu_ns sum = 0;
    for (size_t i = 0; i < night->cube.of_key.n; i++) {
        struct hc_cube_place place;
        struct hc_cube_cell cell;
        hc_gpu_ns gpu_ns = hc_cube_get(&night->cube, i, &place, &cell);
        if (place.dimension == dimension && (day < 0 || place.day == day) &&
            (!name || strcmp(night->cube.names[dimension].text[place.name], name) == 0))
            sum += gpu_ns;
    }
    return sum;
}

/* One slice over days of 24, 23, 25 and 24 hours, from the middle of the first to that of the last:
 * 12, 23, 25 and 12 hours of 4 GPUs. */
START_TEST(days_of_23_and_25_hours)
{
    static const int hours[] = {24, 23, 25, 24}, expected[] = {12, 23, 25, 12};
    struct hc_night night = {0};
    make_days(&night, hours, 4);
    const struct hc_night_attempt attempt = attempt_of(12 * H, (24 + 23 + 25 + 12) * H, 4);
    const struct hc_slice slice =
        slice_of(attempt.start_ns, attempt.end_ns, HC_WHAT_PRODUCTIVE_UNSPLIT, 4);
    ck_assert(!hc_night_take_attempt(&night, &attempt, &no_facts, &err));
    take(&night, &attempt, &slice, NULL);
    for (int32_t day = 0; day < 4; day++)
        ck_assert(sum_of(&night, day, HC_CUBE_ALL, NULL) == (hc_gpu_ns)expected[day] * H * 4);
    ck_assert(night.held_gpu_ns == (hc_gpu_ns)72 * H * 4);
    ck_assert_int_eq(night.n_attempts, 1);
    hc_night_fini(&night);
}
END_TEST

/* A slice that ends at an edge is of the day before it alone; one outside the window of none. */
START_TEST(edges_of_days)
{
    static const int hours[] = {24, 24};
    struct hc_night night = {0};
    make_days(&night, hours, 2);
    const struct hc_night_attempt attempt = attempt_of(-H, 49 * H, 1);
    const struct hc_slice slices[] = {slice_of(-H, 0, HC_WHAT_UNKNOWN, 1),
                                      slice_of(0, 24 * H, HC_WHAT_UNKNOWN, 1),
                                      slice_of(24 * H, 24 * H + 1, HC_WHAT_UNKNOWN, 1),
                                      slice_of(24 * H + 1, 49 * H, HC_WHAT_UNKNOWN, 1)};
    ck_assert(!hc_night_take_attempt(&night, &attempt, &no_facts, &err));
    for (int i = 0; i < 2; i++)
        take(&night, &attempt, &slices[i], NULL);
    ck_assert(sum_of(&night, 0, HC_CUBE_ALL, NULL) == (hc_gpu_ns)24 * H);
    ck_assert(sum_of(&night, 1, HC_CUBE_ALL, NULL) == 0);
    take(&night, &attempt, &slices[2], NULL);
    ck_assert(sum_of(&night, 1, HC_CUBE_ALL, NULL) == 1);
    take(&night, &attempt, &slices[3], NULL);
    ck_assert(sum_of(&night, 1, HC_CUBE_ALL, NULL) == (hc_gpu_ns)24 * H);
    ck_assert(night.held_gpu_ns == (hc_gpu_ns)48 * H);
    hc_night_fini(&night);
}
END_TEST

/* 8 GPUs on 3 nodes: 3, 3 and 2. Without a list, or with one that cannot be read, all is of "?". */
START_TEST(nodes_share_the_gpus)
{
    static const int hours[] = {24};
    struct hc_night night = {0};
    make_days(&night, hours, 1);
    struct hc_night_attempt attempt = attempt_of(0, H, 8);
    const struct hc_slice slice = slice_of(0, H, HC_WHAT_RECOVERY, 8);
    ck_assert(!hc_night_take_attempt(&night, &attempt, &no_facts, &err));
    take(&night, &attempt, &slice, NULL);
    ck_assert(sum_of(&night, 0, HC_CUBE_NODE, "n1") == (hc_gpu_ns)3 * H);
    ck_assert(sum_of(&night, 0, HC_CUBE_NODE, "n2") == (hc_gpu_ns)3 * H);
    ck_assert(sum_of(&night, 0, HC_CUBE_NODE, "n3") == (hc_gpu_ns)2 * H);
    ck_assert_int_eq(night.n_uneven, 1);
    attempt.node_list = "n[1-";
    ck_assert(!hc_night_take_attempt(&night, &attempt, &no_facts, &err));
    take(&night, &attempt, &slice, NULL);
    attempt.node_list = NULL;
    ck_assert(!hc_night_take_attempt(&night, &attempt, &no_facts, &err));
    take(&night, &attempt, &slice, NULL);
    ck_assert_int_eq(night.n_bad_lists, 1);
    ck_assert(sum_of(&night, 0, HC_CUBE_NODE, "?") == (hc_gpu_ns)16 * H);
    ck_assert(sum_of(&night, 0, HC_CUBE_NODE, NULL) == sum_of(&night, 0, HC_CUBE_ALL, NULL));
    hc_night_fini(&night);
}
END_TEST

/* What a failure cost is the sum of its slices, on whatever day and of whatever attempt: 10 h lost,
 * 1 h of detection, known to 2 h, 3 h of recovery on the next day, 4 h of another's start-up after
 * the window. The cause is charged with what is in the window: 14 h. */
START_TEST(an_incident_costs_the_sum_of_its_slices)
{
    static const int hours[] = {24, 24};
    static const enum hc_what whats[] = {HC_WHAT_LOST_WORK, HC_WHAT_DETECTION, HC_WHAT_RECOVERY,
                                         HC_WHAT_STARTUP_LOAD};
    static const int edges_h[] = {13, 23, 24, 27, 48};
    struct hc_night night = {0};
    make_days(&night, hours, 2);
    const struct hc_night_attempt attempt = attempt_of(13 * H, 27 * H, 2);
    ck_assert(!hc_night_take_attempt(&night, &attempt, &no_facts, &err));
    for (int i = 0; i < 4; i++) {
        struct hc_slice slice =
            slice_of(edges_h[i < 3 ? i : 4] * H, edges_h[i < 3 ? i + 1 : 4] * H + (i == 3) * 4 * H,
                     whats[i], 2);
        slice.failure = 6;
        slice.why = HC_WHY_INFRASTRUCTURE;
        slice.uncertain_ns = i < 2 ? 2 * H : 0; /* told with what is before the fault, too */
        take(&night, &attempt, &slice, "xid 79");
    }
    ck_assert_uint_eq(night.n_costs, 1);
    const struct hc_night_cost *cost = &night.costs[0];
    ck_assert_int_eq(cost->failure, 6);
    ck_assert(cost->total_gpu_ns == (hc_gpu_ns)18 * H * 2);
    ck_assert(cost->gpu_ns[HC_WHAT_LOST_WORK] == (hc_gpu_ns)10 * H * 2);
    ck_assert(cost->gpu_ns[HC_WHAT_STARTUP_LOAD] == (hc_gpu_ns)4 * H * 2);
    ck_assert(cost->uncertain_gpu_ns == (hc_gpu_ns)2 * H * 2);
    ck_assert(sum_of(&night, -1, HC_CUBE_CAUSE, "xid 79") == (hc_gpu_ns)14 * H * 2);
    ck_assert(sum_of(&night, 1, HC_CUBE_CAUSE, "xid 79") == (hc_gpu_ns)3 * H * 2);
    hc_night_fini(&night);
}
END_TEST

/* Every cell and name comes back as it was put, also the last of each. */
START_TEST(cells_come_back)
{
    struct hc_account_cube cube = {0};
    size_t n = 0;
    for (int what = 0; what < HC_WHAT_COUNT; what++)
        for (int why = 0; why < HC_WHY_COUNT; why++)
            for (int e = 0; e < HC_N_EVIDENCES; e++)
                for (int mark = 0; mark < HC_N_MARKS; mark++, n++) {
                    struct hc_slice slice = slice_of(0, 1, (enum hc_what)what, 1);
                    slice.why = (enum hc_why)why;
                    slice.evidence = (enum hc_failure_evidence)e;
                    slice.mark = (enum hc_mark)mark;
                    const struct hc_cube_place place = {65535, HC_CUBE_CAUSE, INT32_MAX};
                    ck_assert(!hc_cube_add(&cube, &place, &slice, (hc_gpu_ns)n + 1, &err));
                    ck_assert(!hc_cube_add(&cube, &place, &slice, (hc_gpu_ns)1 << 80, &err));
                }
    ck_assert_uint_eq(cube.of_key.n, HC_N_CUBE_CELLS);
    for (size_t i = 0; i < n; i++) {
        struct hc_cube_place place;
        struct hc_cube_cell cell;
        ck_assert(hc_cube_get(&cube, i, &place, &cell) == ((hc_gpu_ns)1 << 80) + (hc_gpu_ns)i + 1);
        ck_assert_int_eq(place.day, 65535);
        ck_assert_int_eq(place.dimension, HC_CUBE_CAUSE);
        ck_assert_int_eq(place.name, INT32_MAX);
        ck_assert_uint_eq(
            (((size_t)cell.what * HC_WHY_COUNT + cell.why) * HC_N_EVIDENCES + cell.evidence) *
                    HC_N_MARKS +
                cell.mark,
            i);
    }
    hc_cube_fini(&cube);
}
END_TEST

START_TEST(size_classes)
{
    static const struct {
        int32_t gpus;
        const char *name;
    } classes[] = {{1, "1"},          {2, "2-7"},         {7, "2-7"},      {8, "8"},
                   {9, "9-63"},       {63, "9-63"},       {64, "64-255"},  {255, "64-255"},
                   {256, "256-1023"}, {1023, "256-1023"}, {1024, "1024+"}, {INT32_MAX, "1024+"}};
    for (size_t i = 0; i < sizeof classes / sizeof *classes; i++)
        ck_assert_str_eq(hc_night_size_class(classes[i].gpus), classes[i].name);
}
END_TEST

int main(void)
{
    Suite *suite = suite_create("account_cube");
    TCase *tests = tcase_create("cases");
    tcase_add_test(tests, days_of_23_and_25_hours);
    tcase_add_test(tests, edges_of_days);
    tcase_add_test(tests, nodes_share_the_gpus);
    tcase_add_test(tests, an_incident_costs_the_sum_of_its_slices);
    tcase_add_test(tests, cells_come_back);
    tcase_add_test(tests, size_classes);
    suite_add_tcase(suite, tests);
    SRunner *runner = srunner_create(suite);
    srunner_run_all(runner, CK_NORMAL);
    int n_failed = srunner_ntests_failed(runner);
    srunner_free(runner);
    return n_failed != 0;
}
