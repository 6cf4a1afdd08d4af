/* Rows of tables by name: order, replacement, and what agrees. */
#include "core/base/missing.h"
#include "core/tables/job.h"
#include "core/tables/table_counts.h"

#include <check.h>
#include <stdlib.h>

static struct hc_error err;

START_TEST(names_are_in_order_and_once)
{
    static const char *const names[] = {"steps", "ops", "zebra", "incidents", "ops"};
    static const char *const sorted[] = {"incidents", "ops", "steps", "zebra"};
    struct hc_table_counts counts = {0}, copy;
    for (int i = 0; i < 5; i++)
        ck_assert_int_eq(hc_table_counts_set(&counts, names[i], i, &err), HC_OK);
    ck_assert_uint_eq(counts.n, 4);
    for (size_t i = 0; i < 4; i++)
        ck_assert_str_eq(counts.list[i].table, sorted[i]);
    ck_assert_int_eq(hc_table_counts_rows(&counts, "ops"), 4);
    ck_assert_int_eq(hc_table_counts_rows(&counts, "op"), 0);
    ck_assert_int_eq(hc_table_counts_copy(&copy, &counts, &err), HC_OK);
    ck_assert(hc_table_counts_agree(&copy, &counts));
    ck_assert_int_eq(hc_table_counts_set(&copy, "ops", 5, &err), HC_OK);
    ck_assert(!hc_table_counts_agree(&copy, &counts));
    hc_table_counts_fini(&copy);
    hc_table_counts_fini(&counts);
    ck_assert_uint_eq(counts.n, 0);
}
END_TEST

START_TEST(what_is_not_known_agrees_with_any_number)
{
    struct hc_table_counts known = {0}, open = {0};
    ck_assert_int_eq(hc_table_counts_set(&known, "inventory", 3, &err), HC_OK);
    ck_assert(!hc_table_counts_agree(&known, &open));
    ck_assert_int_eq(hc_table_counts_set(&open, "inventory", HC_MISSING_I64, &err), HC_OK);
    ck_assert(hc_table_counts_agree(&known, &open) && hc_table_counts_agree(&open, &known));
    ck_assert_int_eq(hc_table_counts_rows(&open, "inventory"), 0);
    ck_assert_int_eq(hc_table_counts_set(&open, "other", HC_MISSING_I64, &err), HC_OK);
    ck_assert(!hc_table_counts_agree(&known, &open));
    hc_table_counts_fini(&known);
    hc_table_counts_fini(&open);
}
END_TEST

START_TEST(names_are_plain)
{
    static const char *const wrong[] = {"", "Ops", "a b", "a\"b", "job/nodes", "a-b", "\xc3\xa9"};
    struct hc_table_counts counts = {0};
    for (size_t i = 0; i < sizeof wrong / sizeof *wrong; i++)
        ck_assert_int_eq(hc_table_counts_set(&counts, wrong[i], 1, &err), HC_BAD_INPUT);
    ck_assert_uint_eq(counts.n, 0);
}
END_TEST

START_TEST(days_are_written_one_way)
{
    static const char *const wrong[] = {"",           "2026-3-01",  "2026-03-01 ",
                                        "2026/03/01", "20260-3-01", "2026-03-0a"};
    ck_assert(hc_is_day("2026-03-01"));
    for (size_t i = 0; i < sizeof wrong / sizeof *wrong; i++)
        ck_assert_msg(!hc_is_day(wrong[i]), "'%s'", wrong[i]);
}
END_TEST

int main(void)
{
    Suite *suite = suite_create("table counts");
    TCase *tests = tcase_create("all");
    tcase_add_test(tests, names_are_in_order_and_once);
    tcase_add_test(tests, what_is_not_known_agrees_with_any_number);
    tcase_add_test(tests, names_are_plain);
    tcase_add_test(tests, days_are_written_one_way);
    suite_add_tcase(suite, tests);
    SRunner *runner = srunner_create(suite);
    srunner_run_all(runner, CK_ENV);
    int failed = srunner_ntests_failed(runner);
    srunner_free(runner);
    return failed ? EXIT_FAILURE : EXIT_SUCCESS;
}
