#include "core/base/text_layout.h"

#include <check.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

START_TEST(names_are_cut_and_cleaned)
{
    char text[20];
    ck_assert_str_eq(hc_text_tail(text, sizeof text, "a/b/c.csv", 9), "a/b/c.csv");
    ck_assert_str_eq(hc_text_tail(text, sizeof text, "aa/b/c.csv", 9), ".../c.csv");
    ck_assert_str_eq(hc_text_head(text, sizeof text, "aa/b/c.csv", 9), "aa/b/c...");
    ck_assert_str_eq(hc_text_head(text, sizeof text, "a\tb\033", 10), "a\\x09b\\x1b");
    ck_assert_str_eq(hc_text_head(text, sizeof text,
                                  "a\xc2\x9b"
                                  "31m\xc2\x80\u00a0",
                                  18),
                     "a\\u009b31m\\u0080\u00a0");
    ck_assert_str_eq(hc_text_head(text, sizeof text, "ab\u202ecd", 8), "ab...");
    ck_assert_str_eq(hc_text_tail(text, sizeof text, "ab\u202ecd", 8), "...cd");
    ck_assert_uint_eq(hc_text_columns("\u202e\u00e4"), 7);
    ck_assert_str_eq(hc_text_head(text, sizeof text, NULL, 9), "");
    /* Never half a character, and never more than the buffer. */
    ck_assert_str_eq(hc_text_head(text, sizeof text, "\u00e4\u00e4\u00e4\u00e4\u00e4\u00e4", 5),
                     "\u00e4\u00e4...");
    ck_assert_str_eq(hc_text_tail(text, sizeof text, "\u00e4\u00e4\u00e4\u00e4\u00e4\u00e4", 5),
                     "...\u00e4\u00e4");
    ck_assert_str_eq(hc_text_head(text, 8, "\u20ac\u20ac\u20ac\u20ac", 80), "\u20ac...");
    ck_assert_str_eq(hc_text_tail(text, 8, "\u20ac\u20ac\u20ac\u20ac", 80), "...\u20ac");
}
END_TEST

static void check_wrap(const char *text, const char *expected)
{
    char *wrapped = NULL;
    size_t size = 0;
    FILE *stream = open_memstream(&wrapped, &size);
    fputs("ab: ", stream);
    hc_text_wrap(stream, text, 4, 2, 10);
    fclose(stream);
    ck_assert_str_eq(wrapped, expected);
    free(wrapped);
}

START_TEST(text_wraps)
{
    check_wrap("", "ab: \n");
    check_wrap("one", "ab: one\n");
    check_wrap("sixsix", "ab: sixsix\n");
    check_wrap("one two three", "ab: one\n  two\n  three\n");
    check_wrap("1m\033", "ab: 1m\\x1b\n");
    check_wrap("\xc2\x9b"
               "1m\033",
               "ab: \n  \\u009b1m\n  \\x1b\n");
    check_wrap("12 345  678", "ab: 12 345\n  678\n");
    check_wrap("0123456789abcdef x", "ab: \n  01234567\n  89abcdef\n  x\n");
    check_wrap("\u00e4\u00e4\u00e4\u00e4\u00e4\u00e4 y",
               "ab: \u00e4\u00e4\u00e4\u00e4\u00e4\u00e4\n  y\n");
}
END_TEST

int main(void)
{
    Suite *suite = suite_create("text_layout");
    TCase *tests = tcase_create("text_layout");
    tcase_add_test(tests, names_are_cut_and_cleaned);
    tcase_add_test(tests, text_wraps);
    suite_add_tcase(suite, tests);
    SRunner *runner = srunner_create(suite);
    srunner_run_all(runner, CK_NORMAL);
    int failed = srunner_ntests_failed(runner);
    srunner_free(runner);
    return failed != 0;
}
