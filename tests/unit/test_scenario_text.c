/* Scenario text: what is JSON, what is allowed beyond it, and where each value stands. */
#include "study/grammar/scenario_text.h"

#include <check.h>
#include <jansson.h>
#include <string.h>

static struct hc_arena arena;
static struct hc_scenario_errors errors;

static void setup(void)
{
    memset(&arena, 0, sizeof arena);
    memset(&errors, 0, sizeof errors);
}

static void teardown(void)
{
    hc_scenario_errors_fini(&errors);
    hc_arena_fini(&arena);
}

static struct hc_node *read_text(const char *text)
{
    return hc_scenario_text("f", text, strlen(text), &arena, &errors);
}

static struct hc_node *at(struct hc_node *root, const char *text)
{
    struct hc_pointer pointer;
    ck_assert(hc_pointer_parse(&pointer, text));
    return hc_pointer_walk(&pointer, pointer.n, root);
}

static void check_place(const struct hc_node *node, int line, int column)
{
    ck_assert_ptr_nonnull(node);
    ck_assert_int_eq(node->place.line, line);
    ck_assert_int_eq(node->place.column, column);
    ck_assert_str_eq(node->place.file, "f");
}

START_TEST(values_know_their_places)
{
    struct hc_node *root = read_text("// first\n{ \"a\": [1,\n  {\"b/c\": true}], // \"x\": 1\n"
                                     "\t\"d~\": \"\\u00e4//\", \"e\": {},}\n// last");
    ck_assert_ptr_nonnull(root);
    check_place(root, 2, 1);
    check_place(at(root, "/a"), 2, 8);
    check_place(at(root, "/a/0"), 2, 9);
    check_place(at(root, "/a/1"), 3, 3);
    check_place(at(root, "/a/1/b~1c"), 3, 11);
    ck_assert_int_eq(at(root, "/a/1/b~1c")->key_place.column, 4);
    check_place(at(root, "/d~0"), 4, 8);
    ck_assert_str_eq(at(root, "/d~0")->text, "\xc3\xa4//");
    ck_assert_ptr_null(at(root, "/x"));
    ck_assert_ptr_null(at(root, "/a/2"));
    ck_assert_ptr_null(at(root, "/a/01"));
    ck_assert_ptr_eq(at(root, ""), root);
}
END_TEST

/* Everything that Jansson takes is taken, and nothing that it refuses. */
static const char *const texts[] = {
    "{}",
    "[]",
    "[1]",
    "0",
    "-0",
    "-",
    "01",
    "1.5",
    "1.",
    ".5",
    "1e5",
    "1E+5",
    "1e",
    "1e+",
    "1e400",
    "\"\"",
    "\"a\\\"b\"",
    "\"\\u00e9\"",
    "\"\\ud83d\\ude00\"",
    "\"\\ud83d\"",
    "\"\\x41\"",
    "\"\x01\"",
    "\"\xc3\xa9\"",
    "\"\xc3\"",
    "\"\xed\xa0\x80\"",
    "true",
    "tru",
    "truee",
    "null",
    "nul",
    "NaN",
    "{\"a\":1}",
    "{\"a\":1 \"b\":2}",
    "{\"a\" 1}",
    "{a:1}",
    "{\"a\":1,\"a\":2}",
    "{\"a\":}",
    "[1 2]",
    "[",
    "]",
    "{",
    "}",
    "[}",
    "{]",
    "\"",
    "\"\\",
    "1 2",
    "",
    " ",
    "'a'",
    "[true,false,null,1.25e-3]",
    "{\"a\":{\"b\":[{\"c\":[]}]}}",
    "-1e-400",
    "+1",
    "1x",
    "[1,]x",
    "\"a\nb\"",
    "/",
    "[/",
    "{\"a\":1}/",
};

START_TEST(agrees_with_jansson)
{
    for (size_t i = 0; i < sizeof texts / sizeof texts[0]; i++) {
        json_t *json = json_loads(texts[i], JSON_REJECT_DUPLICATES | JSON_DECODE_ANY, NULL);
        bool is_ours = read_text(texts[i]) != NULL;
        ck_assert_msg(is_ours == (json != NULL), "'%s': ours %d, Jansson %d", texts[i], is_ours,
                      json != NULL);
        json_decref(json);
    }
}
END_TEST

START_TEST(a_text_that_is_too_long_is_refused)
{
    static char text[HC_SCENARIO_MAX_BYTES + 2];
    memset(text, ' ', sizeof text - 1);
    text[0] = '0';
    ck_assert_ptr_null(read_text(text));
    ck_assert_str_eq(errors.error[0].what, "a scenario has at most 4194304 bytes");
    text[HC_SCENARIO_MAX_BYTES] = '\0';
    ck_assert_ptr_nonnull(read_text(text));
}
END_TEST

START_TEST(what_is_written_reads_back)
{
    const char *text =
        "{\n  \"a\": [1, 2.50, {\"b\": null}],\n  \"c\": {\n    \"d\": \"\\\"\\u0007\"\n"
        "  },\n  \"e\": {}\n}\n";
    struct hc_node *root = read_text(text);
    char written[256] = "";
    FILE *stream = fmemopen(written, sizeof written, "w");
    hc_node_write(stream, root);
    fclose(stream);
    ck_assert_str_eq(written, text);
}
END_TEST

START_TEST(members_are_put_and_removed)
{
    struct hc_error err = {.status = HC_OK};
    struct hc_node *root = read_text("{\"a\": 1, \"b\": 2, \"c\": 3}");
    struct hc_node *copy = hc_node_shallow(&arena, root, &err);
    struct hc_node *last = hc_node_copy(&arena, at(root, "/c"), &err);
    last->number = 4;
    hc_node_put(copy, last);
    ck_assert(hc_node_remove(copy, at(copy, "/a")));
    ck_assert(!hc_node_remove(copy, at(root, "/a")));
    ck_assert_uint_eq(copy->n, 2);
    ck_assert_ptr_eq(copy->last, last);
    ck_assert(at(copy, "/c")->number == 4);
    ck_assert(at(root, "/c")->number == 3); /* the original is as it was */
    ck_assert_uint_eq(root->n, 3);
}
END_TEST

START_TEST(memory_goes_back_to_a_mark)
{
    struct hc_error err = {.status = HC_OK};
    char *kept = hc_arena_text(&arena, "kept", 4, &err);
    struct hc_arena_mark mark = hc_arena_mark(&arena);
    for (int i = 0; i < 100; i++)
        memset(hc_arena_new(&arena, 1000, &err), 0xff, 1000);
    hc_arena_release(&arena, mark);
    ck_assert_str_eq(kept, "kept");
    unsigned char *again = hc_arena_new(&arena, 1000, &err);
    for (size_t i = 0; i < 1000; i++)
        ck_assert_uint_eq(again[i], 0);
}
END_TEST

int main(void)
{
    Suite *suite = suite_create("scenario_text");
    TCase *tcase = tcase_create("all");
    tcase_add_checked_fixture(tcase, setup, teardown);
    tcase_add_test(tcase, values_know_their_places);
    tcase_add_test(tcase, agrees_with_jansson);
    tcase_add_test(tcase, a_text_that_is_too_long_is_refused);
    tcase_add_test(tcase, what_is_written_reads_back);
    tcase_add_test(tcase, members_are_put_and_removed);
    tcase_add_test(tcase, memory_goes_back_to_a_mark);
    suite_add_tcase(suite, tcase);
    SRunner *runner = srunner_create(suite);
    srunner_run_all(runner, CK_NORMAL);
    int failed = srunner_ntests_failed(runner);
    srunner_free(runner);
    return failed != 0;
}
