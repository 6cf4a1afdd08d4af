/* The flight-recorder dumps of two hangs that NVIDIA's Resiliency Extension published, 16 ranks
 * each with two injected faults: what is counted of them, and who is suspected, against figures
 * found by a script of another language. Exit 77 where the dumps are not at hand. */
#include "models/collectives/collective_diagnosis.h"
#include "models/collectives/collective_names.h"
#include "pipeline/inputs/collective_input.h"
#include "tests/support/shared_data.h"

#include <check.h>
#include <string.h>

#define MOST 16

static const struct incident {
    const char *directory;
    int64_t n_entries, n_collective, n_p2p, n_groups, n_collectives, n_complete, n_partial;
    int64_t by_rank[MOST];
    int n_late, n_behind, n_suspects;
    int32_t late[2], behind[2], suspects[2];
    struct first {
        const char *group;
        int64_t seq;
        int n_waiting, n_absent, n_passed;
        int32_t absent[2];
    } firsts[3];
} incidents[] = {
    {"gpu_error_1st",
     289,
     227,
     62,
     65,
     119,
     68,
     51,
     {20, 20, 20, 20, 8, 8, 8, 8, 19, 19, 19, 19, 27, 16, 43, 15},
     1,
     2,
     2,
     {12, -1},
     {12, 14},
     {12, 14},
     {{"41", 42806, 1, 0, 1, {-1}}, {"42", 42806, 1, 0, 1, {-1}}, {"74", 20530, 2, 0, 2, {-1}}}},
    {"lock_gil_1st",
     142,
     118,
     24,
     59,
     29,
     15,
     14,
     {11, 11, 11, 11, 11, 11, 11, 11, 9, 0, 9, 9, 9, 9, 0, 9},
     2,
     0,
     2,
     {9, 14},
     {-1, -1},
     {9, 14},
     {{"37", 88684, 3, 1, 0, {9}}, {"38", 88684, 3, 1, 0, {14}}, {"72", 45265, 6, 2, 0, {9, 14}}}},
};

static const char *published_dumps(char path[PATH_MAX], const char *directory)
{
    char inner[256];
    snprintf(inner, sizeof inner, "nvrx-flight-recorder/fr_traces/%s", directory);
    return shared_data(path, inner);
}

static void check_ranks(const struct hc_collective_diagnosis *d, struct hc_rank_span span,
                        const int32_t *ranks, int n)
{
    ck_assert_uint_eq(span.n, (size_t)n);
    for (int i = 0; i < n; i++)
        ck_assert_int_eq(d->ranks[span.from + (size_t)i], ranks[i]);
}

static const struct hc_collective_wait *find_wait(const struct hc_collective_diagnosis *d,
                                                  const struct hc_collective_set *set,
                                                  const char *group)
{
    for (size_t i = 0; i < d->n_waits; i++)
        if (strcmp(hc_collective_group_name(set, d->waits[i].group), group) == 0)
            return &d->waits[i];
    return NULL;
}

static void check_counts(const struct incident *incident, const struct hc_collective_set *set,
                         const struct hc_collective_diagnosis *d)
{
    ck_assert_uint_eq(set->n_dumps, MOST);
    ck_assert_int_eq(d->world_size, MOST);
    ck_assert_uint_eq(d->missing.n, 0);
    ck_assert_int_eq(d->n_entries, incident->n_entries);
    ck_assert_int_eq(d->n_dropped, 0);
    ck_assert_int_eq(d->n_collective_entries, incident->n_collective);
    ck_assert_int_eq(d->n_p2p_entries, incident->n_p2p);
    ck_assert_uint_eq(set->n_ordered_groups, (size_t)incident->n_groups);
    ck_assert_int_eq(d->n_collectives, incident->n_collectives);
    ck_assert_int_eq(d->n_complete, incident->n_complete);
    ck_assert_int_eq(d->n_partial, incident->n_partial);
    ck_assert_int_eq(d->n_mismatched, 0);
    for (size_t i = 0; i < MOST; i++) {
        ck_assert_int_eq(set->dumps[i].n_entries, incident->by_rank[i]);
        ck_assert(set->dumps[i].is_by_order);
    }
}

START_TEST(hang_is_attributed)
{
    const struct incident *incident = &incidents[_i];
    const struct hc_trace_options options = HC_TRACE_DEFAULTS;
    struct hc_collective_input input;
    struct hc_collective_diagnosis d;
    struct hc_error err = {0};
    char path[PATH_MAX];
    const char *paths[] = {published_dumps(path, incident->directory)};
    ck_assert_msg(hc_collective_load(&input, paths, 1, &options, &err) == HC_OK, "%s", err.message);
    ck_assert_int_eq(hc_collective_diagnose(&d, &input.set, &err), HC_OK);
    check_counts(incident, &input.set, &d);
    check_ranks(&d, d.late, incident->late, incident->n_late);
    check_ranks(&d, d.behind, incident->behind, incident->n_behind);
    ck_assert_uint_eq(d.n_suspects, (size_t)incident->n_suspects);
    for (size_t i = 0; i < d.n_suspects; i++)
        ck_assert_int_eq(d.suspects[i].rank, incident->suspects[i]);
    for (size_t i = 0; i < 3; i++) {
        const struct first *first = &incident->firsts[i];
        const struct hc_collective_wait *wait = find_wait(&d, &input.set, first->group);
        ck_assert_ptr_nonnull(wait);
        ck_assert_int_eq(wait->seq, first->seq);
        ck_assert_uint_eq(wait->waiting.n, (size_t)first->n_waiting);
        ck_assert_uint_eq(wait->passed.n, (size_t)first->n_passed);
        check_ranks(&d, wait->absent, first->absent, first->n_absent);
    }
    hc_collective_diagnosis_fini(&d);
    hc_collective_input_fini(&input);
}
END_TEST

int main(void)
{
    if (shared_data_is_missing("nvrx-flight-recorder/fr_traces"))
        return TEST_SKIPPED;
    Suite *suite = suite_create("published_dumps");
    TCase *tests = tcase_create("published_dumps");
    tcase_add_loop_test(tests, hang_is_attributed, 0, 2);
    suite_add_tcase(suite, tests);
    SRunner *runner = srunner_create(suite);
    srunner_run_all(runner, CK_NORMAL);
    int failed = srunner_ntests_failed(runner);
    srunner_free(runner);
    return failed != 0;
}
