#include "core/base/nearest.h"
#include "core/base/printable.h"

#include <check.h>
#include <string.h>

static const char *const words[] = {"dp_size", "pp_size", NULL, "world_size", "forward-compute"};

static const char *nearest(const char *word)
{
    return hc_nearest(word, strlen(word), words, sizeof words / sizeof words[0]);
}

START_TEST(finds_what_was_meant)
{
    ck_assert_str_eq(nearest("foward-compute"), "forward-compute");
    ck_assert_str_eq(nearest("forward_compute"), "forward-compute");
    ck_assert_str_eq(nearest("World-Size"), "world_size");
    ck_assert_str_eq(nearest("wordl_size"), "world_size");
    ck_assert_str_eq(nearest("dp_sizes"), "dp_size");
    ck_assert_str_eq(nearest("xp_size"), "dp_size"); /* the first of equally near ones */
}
END_TEST

START_TEST(does_not_guess_wildly)
{
    ck_assert_ptr_null(nearest("banana"));
    ck_assert_ptr_null(nearest(""));
    char lengthy[200];
    memset(lengthy, 'd', sizeof lengthy);
    ck_assert_ptr_null(hc_nearest(lengthy, sizeof lengthy, words, 5));
}
END_TEST

START_TEST(printable_is_short_ascii)
{
    ck_assert_str_eq(hc_printable("abc", 3).text, "abc");
    ck_assert_str_eq(hc_printable("a\n\0\xff", 4).text, "a\\x0a\\x00\\xff");
    char lengthy[200];
    memset(lengthy, 'd', sizeof lengthy);
    struct hc_printable out = hc_printable(lengthy, sizeof lengthy);
    ck_assert_uint_lt(strlen(out.text), HC_PRINTABLE_SIZE);
    ck_assert_str_eq(out.text + strlen(out.text) - 4, "d...");
}
END_TEST

int main(void)
{
    Suite *suite = suite_create("nearest");
    TCase *tcase = tcase_create("all");
    tcase_add_test(tcase, finds_what_was_meant);
    tcase_add_test(tcase, does_not_guess_wildly);
    tcase_add_test(tcase, printable_is_short_ascii);
    suite_add_tcase(suite, tcase);
    SRunner *runner = srunner_create(suite);
    srunner_run_all(runner, CK_NORMAL);
    int failed = srunner_ntests_failed(runner);
    srunner_free(runner);
    return failed != 0;
}
