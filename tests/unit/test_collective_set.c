/* Dumps made by hand: which counters are believed, which groups are one, and who is suspected where
 * dumps leave something open. The rules are those of docs/methods/collectives-diagnosis.md. */
#include "core/tables/collectives/collective_tables.h"
#include "core/tables/profile_tables.h"
#include "models/collectives/collective_diagnosis.h"
#include "models/collectives/collective_names.h"

#include <check.h>
#include <string.h>

static struct hc_error err;

/* What a dump of one group says. */
struct entry {
    const char *group;
    int64_t seq;
    int32_t state;
    int64_t local, elements;
    const char *op;
};

struct group {
    const char *name, *description;
    int64_t local, enqueued, completed; /* local -1: no counters */
    int n;
    int32_t members[4];
};

static int32_t code(struct hc_table_names *names, const char *dictionary, const char *text)
{
    int32_t found = -1;
    for (size_t d = 0; d < names->n; d++)
        if (strcmp(names->dictionary[d], dictionary) == 0)
            ck_assert_int_eq(hc_text_set_add(&names->set[d], text, strlen(text), &found, &err),
                             HC_OK);
    return found;
}

static size_t add_row(struct hc_table *table)
{
    size_t row = table->n_rows++;
    for (size_t c = 0; c < table->def->n_columns; c++)
        if (table->def->columns[c].type == HC_I32)
            hc_table_i32(table, c)[row] = HC_MISSING_I32;
        else
            hc_table_i64(table, c)[row] = HC_MISSING_I64;
    return row;
}

static void put_entry(struct hc_table *table, struct hc_table_names *names,
                      const struct entry *entry)
{
    size_t row = add_row(table);
    hc_table_i32(table, HC_ENTRIES_GROUP)[row] = code(names, "group", entry->group);
    hc_table_i32(table, HC_ENTRIES_OP)[row] =
        code(names, "collective", entry->op ? entry->op : "nccl:all_reduce");
    hc_table_i64(table, HC_ENTRIES_SEQ)[row] = entry->seq;
    hc_table_i64(table, HC_ENTRIES_LOCAL_GROUP)[row] = entry->local;
    hc_table_i32(table, HC_ENTRIES_STATE)[row] = entry->state;
    hc_table_i64(table, HC_ENTRIES_IN_ELEMENTS)[row] = entry->elements;
    hc_table_i64(table, HC_ENTRIES_CREATED_NS)[row] = 1000 + entry->seq;
}

static void put_group(struct hc_table tables[], struct hc_table_names *names,
                      const struct group *group)
{
    struct hc_table *groups = &tables[HC_COLLECTIVE_GROUPS];
    struct hc_table *progress = &tables[HC_COLLECTIVE_PROGRESS];
    for (int i = 0; i < group->n; i++) {
        size_t row = add_row(groups);
        hc_table_i32(groups, HC_GROUPS_GROUP)[row] = code(names, "group", group->name);
        hc_table_i32(groups, HC_GROUPS_DESCRIPTION)[row] =
            code(names, "group_description", group->description);
        hc_table_i32(groups, HC_GROUPS_MEMBER)[row] = group->members[i];
    }
    if (group->local < 0)
        return;
    size_t row = add_row(progress);
    hc_table_i64(progress, HC_PROGRESS_LOCAL_GROUP)[row] = group->local;
    hc_table_i64(progress, HC_PROGRESS_ENQUEUED)[row] = group->enqueued;
    hc_table_i64(progress, HC_PROGRESS_COMPLETED)[row] = group->completed;
}

/* Add the dump of a rank; lists end where a name is NULL. */
static void add_dump(struct hc_collective_set *set, int32_t rank, const struct group *groups,
                     const struct entry *entries)
{
    struct hc_table_names names;
    struct hc_table tables[HC_COLLECTIVE_N_TABLES];
    ck_assert_int_eq(hc_table_names_init(&names, hc_collective_tables, &err), HC_OK);
    for (int t = 0; t < HC_COLLECTIVE_N_TABLES; t++)
        ck_assert_int_eq(hc_table_init(&tables[t], hc_collective_tables[t], 32, &err), HC_OK);
    for (; groups->name; groups++)
        put_group(tables, &names, groups);
    for (; entries && entries->group; entries++)
        put_entry(&tables[HC_COLLECTIVE_ENTRIES], &names, entries);
    size_t row = add_row(&tables[HC_COLLECTIVE_DUMPS]);
    hc_table_i64(&tables[HC_COLLECTIVE_DUMPS], HC_DUMPS_N_ENTRIES)[row] =
        (int64_t)tables[HC_COLLECTIVE_ENTRIES].n_rows;
    hc_table_i64(&tables[HC_COLLECTIVE_DUMPS], HC_DUMPS_N_DROPPED)[row] = 0;
    ck_assert_int_eq(hc_collective_set_begin(set, rank, &names, &err), HC_OK);
    for (int t = 0; t < HC_COLLECTIVE_N_TABLES; t++)
        ck_assert_int_eq(hc_collective_set_add(set, &tables[t], &err), HC_OK);
    ck_assert_int_eq(hc_collective_set_end(set, &err), HC_OK);
    for (int t = 0; t < HC_COLLECTIVE_N_TABLES; t++)
        hc_table_fini(&tables[t]);
    hc_table_names_fini(&names);
}

static void diagnose(struct hc_collective_diagnosis *d, struct hc_collective_set *set)
{
    ck_assert_int_eq(hc_collective_set_finish(set, &err), HC_OK);
    ck_assert_int_eq(hc_collective_diagnose(d, set, &err), HC_OK);
}

static void finish(struct hc_collective_diagnosis *d, struct hc_collective_set *set)
{
    hc_collective_diagnosis_fini(d);
    hc_collective_set_fini(set);
}

enum { SCHEDULED, STARTED, COMPLETED };

/* Rank 1 has not queued collective 5, by counters that the order of names gives: "9" before "10".
 */
START_TEST(counters_are_put_to_names_by_their_order)
{
    struct hc_collective_set set = {0};
    struct hc_collective_diagnosis d;
    add_dump(&set, 0,
             (struct group[]){{"10", "b", 7, 2, 2, 2, {0, 1}}, {"9", "a", 3, 5, 4, 2, {0, 1}}, {0}},
             (struct entry[]){{"9", 5, SCHEDULED, 3, 8, NULL}, {0}});
    add_dump(&set, 1,
             (struct group[]){{"10", "b", 7, 2, 2, 2, {0, 1}}, {"9", "a", 3, 4, 4, 2, {0, 1}}, {0}},
             NULL);
    diagnose(&d, &set);
    ck_assert_uint_eq(d.n_suspects, 1);
    ck_assert_int_eq(d.suspects[0].rank, 1);
    ck_assert(d.suspects[0].is_late && !d.suspects[0].is_behind);
    finish(&d, &set);
}
END_TEST

/* An entry of rank 0 says that the order is wrong: of rank 1, which has no entry, nothing is known.
 */
START_TEST(contradicted_counters_are_left)
{
    struct hc_collective_set set = {0};
    struct hc_collective_diagnosis d;
    add_dump(&set, 0,
             (struct group[]){{"10", "b", 3, 2, 2, 2, {0, 1}}, {"9", "a", 7, 5, 4, 2, {0, 1}}, {0}},
             (struct entry[]){{"9", 5, SCHEDULED, 7, 8, NULL}, {0}});
    add_dump(&set, 1,
             (struct group[]){{"10", "b", 3, 2, 2, 2, {0, 1}}, {"9", "a", 7, 4, 4, 2, {0, 1}}, {0}},
             NULL);
    diagnose(&d, &set);
    ck_assert(set.dumps[0].is_contradicted && !set.dumps[1].is_by_order);
    ck_assert_uint_eq(d.n_suspects, 0);
    ck_assert_uint_eq(d.n_unknown_waits, 1);
    ck_assert_int_eq(d.ranks[d.unknown_waits[0].unknown.from], 1);
    finish(&d, &set);
}
END_TEST

/* The same members and description under other names are one group, unless a rank has two such. */
START_TEST(groups_with_other_names_on_other_ranks)
{
    struct hc_collective_set set = {0};
    struct hc_collective_diagnosis d;
    add_dump(&set, 0, (struct group[]){{"x0", "tp", -1, 0, 0, 2, {0, 1}}, {0}},
             (struct entry[]){{"x0", 1, COMPLETED, -1, 8, NULL}, {0}});
    add_dump(&set, 1, (struct group[]){{"x1", "tp", -1, 0, 0, 2, {0, 1}}, {0}},
             (struct entry[]){{"x1", 1, COMPLETED, -1, 8, NULL}, {0}});
    diagnose(&d, &set);
    ck_assert_uint_eq(set.n_ordered_groups, 1);
    ck_assert_int_eq(d.n_collectives, 1);
    ck_assert_int_eq(d.n_complete, 1);
    finish(&d, &set);

    add_dump(
        &set, 0,
        (struct group[]){{"x0", "tp", -1, 0, 0, 2, {0, 1}}, {"y0", "tp", -1, 0, 0, 2, {0, 1}}, {0}},
        (struct entry[]){{"x0", 1, COMPLETED, -1, 8, NULL}, {0}});
    add_dump(&set, 1, (struct group[]){{"x1", "tp", -1, 0, 0, 2, {0, 1}}, {0}},
             (struct entry[]){{"x1", 1, COMPLETED, -1, 8, NULL}, {0}});
    diagnose(&d, &set);
    ck_assert_uint_eq(set.n_ordered_groups, 3);
    ck_assert_int_eq(d.n_partial, 2);
    finish(&d, &set);
}
END_TEST

/* Calls that a rank coalesced have one number, and differ from each other without being wrong. */
START_TEST(coalesced_calls_count_once)
{
    struct hc_collective_set set = {0};
    struct hc_collective_diagnosis d;
    for (int32_t rank = 0; rank < 2; rank++)
        add_dump(&set, rank, (struct group[]){{"0", "", -1, 0, 0, 2, {0, 1}}, {0}},
                 (struct entry[]){{"0", 3, COMPLETED, 0, 8, NULL},
                                  {"0", 3, SCHEDULED, 0, 16, "nccl:coalesced"},
                                  {0}});
    diagnose(&d, &set);
    ck_assert_int_eq(d.n_entries, 4);
    ck_assert_int_eq(d.n_collectives, 1);
    ck_assert_int_eq(d.n_complete, 1);
    ck_assert_int_eq(d.n_mismatched, 0);
    ck_assert(!d.has_finding);
    finish(&d, &set);
}
END_TEST

/* Elements must agree, but not in all-to-all, nor what goes into an uneven gather. */
START_TEST(elements_of_one_collective)
{
    static const struct {
        const char *op;
        int64_t n_mismatched;
    } ops[] = {{"nccl:all_reduce", 1}, {"nccl:all_to_all", 0}, {"nccl:all_gather", 0}};
    for (size_t i = 0; i < sizeof ops / sizeof ops[0]; i++) {
        struct hc_collective_set set = {0};
        struct hc_collective_diagnosis d;
        for (int32_t rank = 0; rank < 2; rank++)
            add_dump(&set, rank, (struct group[]){{"0", "", -1, 0, 0, 2, {0, 1}}, {0}},
                     (struct entry[]){{"0", 1, COMPLETED, 0, 8 + rank, ops[i].op}, {0}});
        diagnose(&d, &set);
        ck_assert_int_eq(d.n_mismatched, ops[i].n_mismatched);
        ck_assert(d.has_finding == (ops[i].n_mismatched > 0));
        finish(&d, &set);
    }
}
END_TEST

/* One collective behind in one group is the skew of watchdogs; two are not. */
START_TEST(behind_by_one_is_no_suspect)
{
    for (int64_t by = 1; by <= 2; by++) {
        struct hc_collective_set set = {0};
        struct hc_collective_diagnosis d;
        add_dump(&set, 0, (struct group[]){{"0", "", 0, 9, 9, 2, {0, 1}}, {0}}, NULL);
        add_dump(&set, 1, (struct group[]){{"0", "", 0, 9, 9 - by, 2, {0, 1}}, {0}},
                 (struct entry[]){{"0", 9, SCHEDULED, 0, 8, NULL}, {0}});
        diagnose(&d, &set);
        ck_assert_uint_eq(d.n_suspects, by == 2);
        if (by == 2)
            ck_assert(d.suspects[0].rank == 1 && d.suspects[0].is_behind &&
                      d.suspects[0].seq == 8 && d.suspects[0].ahead == 0);
        ck_assert_int_eq(d.waits[0].n_like, 1);
        finish(&d, &set);
    }
}
END_TEST

/* Members of a group that no dump lists are the ranks that were seen in it. */
START_TEST(unlisted_group)
{
    struct hc_collective_set set = {0};
    struct hc_collective_diagnosis d;
    for (int32_t rank = 0; rank < 3; rank += 2)
        add_dump(&set, rank, (struct group[]){{0}},
                 (struct entry[]){{"lost", 1, SCHEDULED, 0, 8, NULL}, {0}});
    diagnose(&d, &set);
    ck_assert_int_eq(d.n_complete, 1);
    ck_assert_int_eq(d.world_size, 3);
    ck_assert_uint_eq(d.missing.n, 1);
    ck_assert_int_eq(d.ranks[d.missing.from], 1);
    ck_assert_uint_eq(d.n_suspects, 0);
    finish(&d, &set);
}
END_TEST

START_TEST(names_in_order)
{
    ck_assert_int_lt(hc_collective_compare_names("9", "10"), 0);
    ck_assert_int_lt(hc_collective_compare_names("10", "a"), 0);
    ck_assert_int_lt(hc_collective_compare_names("a10", "a9"), 0);
    ck_assert_int_gt(hc_collective_compare_names("123456789012345678901234567890", "99"), 0);
    ck_assert_int_eq(hc_collective_compare_names("7", "7"), 0);
}
END_TEST

int main(void)
{
    Suite *suite = suite_create("collective_set");
    TCase *tests = tcase_create("collective_set");
    tcase_add_test(tests, counters_are_put_to_names_by_their_order);
    tcase_add_test(tests, contradicted_counters_are_left);
    tcase_add_test(tests, groups_with_other_names_on_other_ranks);
    tcase_add_test(tests, coalesced_calls_count_once);
    tcase_add_test(tests, elements_of_one_collective);
    tcase_add_test(tests, behind_by_one_is_no_suspect);
    tcase_add_test(tests, unlisted_group);
    tcase_add_test(tests, names_in_order);
    suite_add_tcase(suite, tests);
    SRunner *runner = srunner_create(suite);
    srunner_run_all(runner, CK_NORMAL);
    int failed = srunner_ntests_failed(runner);
    srunner_free(runner);
    return failed != 0;
}
