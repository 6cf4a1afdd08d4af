#include "core/base/step_ranges.h"

#include <check.h>
#include <stdio.h>
#include <string.h>

START_TEST(ranges_are_kept_in_the_order_given)
{
    struct hc_step_ranges ranges = {0};
    struct hc_error err;
    ck_assert(!hc_step_ranges_parse(&ranges, "12,20-23,0,2147483647", &err));
    const int32_t expected[][2] = {{12, 12}, {20, 23}, {0, 0}, {INT32_MAX, INT32_MAX}};
    ck_assert_uint_eq(ranges.n, 4);
    ck_assert_mem_eq(ranges.range, expected, sizeof expected);
    ck_assert_str_eq(ranges.text, "12,20-23,0,2147483647");
    ck_assert(!hc_step_ranges_parse(&ranges, "7", &err)); /* in place of the first */
    ck_assert_uint_eq(ranges.n, 1);
    ck_assert_int_eq(ranges.range[0][1], 7);
    hc_step_ranges_fini(&ranges);
    ck_assert_uint_eq(ranges.n, 0);
}
END_TEST

START_TEST(both_ends_are_included)
{
    struct hc_step_ranges ranges = {0};
    struct hc_error err;
    ck_assert(!hc_step_ranges_parse(&ranges, "3,5-7,6-9", &err));
    bool included[11] = {[3] = true, [5] = true, [6] = true, [7] = true, [8] = true, [9] = true};
    for (int32_t step = 0; step < 11; step++)
        ck_assert_msg(hc_step_ranges_include(&ranges, step) == included[step], "step %d", step);
    ck_assert(!hc_step_ranges_include(&ranges, -1));
    ck_assert(!hc_step_range_includes(ranges.range[1], 4));
    ck_assert(hc_step_range_includes(ranges.range[1], 5));
    ck_assert(hc_step_range_includes(ranges.range[1], 7));
    ck_assert(!hc_step_range_includes(ranges.range[1], 8));
    hc_step_ranges_fini(&ranges);
}
END_TEST

START_TEST(no_choice_is_every_step)
{
    struct hc_step_ranges none = {0};
    ck_assert(hc_step_ranges_include(NULL, 0));
    ck_assert(hc_step_ranges_include(&none, INT32_MAX));
}
END_TEST

START_TEST(what_is_no_list_is_refused)
{
    static const char *const bad[] = {
        "",     ",",     "1,",  ",1",   "1,,2",       "3-1", "-1",  "1-",
        "1-2-", "1-2-3", "x",   "1x",   "2147483648", "1 ",  " 1",  "+1",
        "1-+2", "1;2",   "0x1", "1--2", "1.5",        "1-x", "1,x", "99999999999999999999999"};
    for (size_t i = 0; i < sizeof bad / sizeof *bad; i++) {
        struct hc_step_ranges ranges = {0};
        struct hc_error err;
        ck_assert_msg(hc_step_ranges_parse(&ranges, bad[i], &err) == HC_USAGE, "'%s'", bad[i]);
        char expected[80];
        snprintf(expected, sizeof expected, "'%s' is not a list like 12,20-23", bad[i]);
        ck_assert_str_eq(err.message, expected);
        hc_step_ranges_fini(&ranges);
    }
}
END_TEST

int main(void)
{
    Suite *suite = suite_create("step_ranges");
    TCase *tcase = tcase_create("all");
    tcase_add_test(tcase, ranges_are_kept_in_the_order_given);
    tcase_add_test(tcase, both_ends_are_included);
    tcase_add_test(tcase, no_choice_is_every_step);
    tcase_add_test(tcase, what_is_no_list_is_refused);
    suite_add_tcase(suite, tcase);
    SRunner *runner = srunner_create(suite);
    srunner_run_all(runner, CK_NORMAL);
    int failed = srunner_ntests_failed(runner);
    srunner_free(runner);
    return failed != 0;
}
