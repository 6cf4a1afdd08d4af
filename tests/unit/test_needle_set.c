/* Many literals looked for at once, against looking for each by itself. */
#include "core/text/needle_set.h"

#include <check.h>
#include <stdlib.h>
#include <string.h>

#define N_NEEDLES 12
#define TEXT_MOST 300

/* The needle that begins first from `at` on, of those that begin together the first. */
static int32_t find_slowly(const struct hc_needle *needles, const char *text, size_t length,
                           size_t *at)
{
    for (; *at < length; ++*at)
        for (int32_t i = 0; i < N_NEEDLES; i++)
            if (needles[i].length <= length - *at &&
                memcmp(text + *at, needles[i].text, needles[i].length) == 0) {
                ++*at;
                return i;
            }
    return -1;
}

/* Few letters, so that needles share their beginnings, overlap and stand often in the text. */
static void fill(char *text, size_t length)
{
    for (size_t i = 0; i < length; i++)
        text[i] = "ab c"[rand() % 4];
}

static void check_set(void)
{
    char words[N_NEEDLES][16], text[TEXT_MOST];
    struct hc_needle needles[N_NEEDLES];
    struct hc_needle_set *set;
    struct hc_error err = {0};
    for (int i = 0; i < N_NEEDLES; i++) {
        needles[i] = (struct hc_needle){words[i], 4 + (size_t)rand() % 9};
        fill(words[i], needles[i].length);
    }
    ck_assert_msg(!hc_needle_set_make(&set, needles, N_NEEDLES, &err), "%s", err.message);
    for (int round = 0; round < 50; round++) {
        size_t length = (size_t)rand() % TEXT_MOST, at = 0, slowly_at = 0;
        fill(text, length);
        for (int32_t found = 0; found >= 0;) {
            found = hc_needle_set_find(set, text, length, &at);
            ck_assert_int_eq(found, find_slowly(needles, text, length, &slowly_at));
            ck_assert_uint_eq(at, slowly_at);
        }
    }
    hc_needle_set_free(set);
}

START_TEST(all_places_are_found)
{
    srand(1);
    for (int i = 0; i < 200; i++)
        check_set();
}
END_TEST

START_TEST(short_needles_are_refused)
{
    const struct hc_needle needles[] = {{"long enough", 11}, {"abc", 3}};
    struct hc_needle_set *set;
    struct hc_error err = {0};
    ck_assert_int_eq(hc_needle_set_make(&set, needles, 2, &err), HC_INTERNAL);
    ck_assert_ptr_null(set);
}
END_TEST

int main(void)
{
    Suite *suite = suite_create("needle_set");
    TCase *tests = tcase_create("needle_set");
    tcase_add_test(tests, all_places_are_found);
    tcase_add_test(tests, short_needles_are_refused);
    suite_add_tcase(suite, tests);
    SRunner *runner = srunner_create(suite);
    srunner_run_all(runner, CK_NORMAL);
    int failed = srunner_ntests_failed(runner);
    srunner_free(runner);
    return failed != 0;
}
