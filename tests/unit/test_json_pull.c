/* The pull reader on texts: tokens, what is no JSON, liberties, cuts and depth. */
#include "tests/support/pull_case.h"

START_TEST(gives_tokens)
{
    check_tokens("[]", "[]$");
    check_tokens(" {\t}\r\n", "{}$");
    check_tokens("\xEF\xBB\xBF[1]", "[n<1>]$");
    check_tokens("{\"a\":1,\"b\":[true,false,null],\"c\":{\"d\":\"e\"}}",
                 "{k<a>n<1>k<b>[TFN]k<c>{k<d>s<e>}}$");
    check_tokens("[0,-0,-1.5,1e9,2E-3,1.25e+07,1759312345678901.125]",
                 "[n<0>n<-0>n<-1.5>n<1e9>n<2E-3>n<1.25e+07>n<1759312345678901.125>]$");
    check_tokens("\"\"", "s<>$");
    check_tokens("  7 ", "n<7>$");
    check_tokens("null", "N$");
}
END_TEST

START_TEST(resolves_escapes)
{
    check_tokens("[\"\\\"\\\\\\/\\b\\f\\n\\r\\t\"]", "[s<\"\\/\b\f\n\r\t>]$");
    check_tokens("[\"\\u0041\\u00e9\\u20AC\\ud83d\\ude00\"]",
                 "[s<A\xC3\xA9\xE2\x82\xAC\xF0\x9F\x98\x80>]$");
    check_tokens("{\"a\\u0062\":\"\xC3\xA9\"}", "{k<ab>s<\xC3\xA9>}$");
}
END_TEST

START_TEST(refuses_what_is_no_json)
{
    check_fails("", "line 1, byte 0: there is no JSON value");
    check_fails("[1,]", "byte 3: ']' where a value is expected");
    check_fails("[1 2]", "byte 3: '2' where ',' or ']' is expected");
    check_fails("{\"a\":1,}", "byte 7: '}' where a key in quotes is expected");
    check_fails("{a:1}", "'a' where a key in quotes or '}' is expected");
    check_fails("{\"a\" 1}", "'1' where ':' is expected");
    check_fails("{\"a\":1]", "']' where ',' or '}' is expected");
    check_fails("[1}", "'}' where ',' or ']' is expected");
    check_fails("[1]x", "'x' where the end of the document is expected");
    check_fails("[NaN]", "'NaN' where a value is expected");
    check_fails("[-Infinity]", "'Infinity' where a digit is expected");
    check_fails("[tru]", "'tru' where a value is expected");
    check_fails("[truex]", "'x' where ',' or ']' is expected");
    check_fails("['a']", "where a value is expected");
    check_fails("[01]", "byte 2: '1' where a digit is expected");
    check_fails("[+1]", "'+' where a value is expected");
    check_fails("[.5]", "'.' where a value is expected");
    check_fails("[1.]", "']' where a digit is expected");
    check_fails("[1e]", "']' where a digit is expected");
    check_fails("[1.5.2]", "'.' where ',' or ']' is expected");
    check_fails("[0x10]", "'x' where ',' or ']' is expected");
    check_fails("[\n\n \"a\tb\"]", "line 3, byte 6: the control character 0x09 inside a string");
    check_fails("[\"a\nb\"]", "the control character 0x0a");
    check_fails("[\"\\x\"]", "no valid escape");
    check_fails("[\"\\u12g4\"]", "no valid escape");
    check_fails("[\"\\ud83d\"]", "no valid escape");
    check_fails("[\"\\ude00\\ud83d\"]", "no valid escape");
    check_fails("[\"\xFF\"]", "byte 2: a string is not valid UTF-8");
    check_fails("[\"\xC0\x80\"]", "not valid UTF-8");
    check_fails("[\"\xED\xA0\x80\"]", "not valid UTF-8");
    check_fails("[\"\xF4\x90\x80\x80\"]", "not valid UTF-8");
    check_fails("[\"a", "in the middle of a string");
    check_fails("[\"a\\u00", "in the middle of a string");
    check_fails("[1.", "in the middle of a number");
    check_fails("[fal", "in the middle of a word");
    check_fails("[1", "in the middle of an array");
    check_fails("{\"a\":", "in the middle of an object");
    check_fails("[\xC3\xA9]", "'\\xc3' where a value");
}
END_TEST

START_TEST(refuses_a_null_byte)
{
    static struct out out;
    struct hc_error err;
    ck_assert(read_bytes("[\"a\0b\"]", 7, &out, &err) == HC_BAD_INPUT);
    ck_assert(strstr(err.message, "0x00") != NULL);
    ck_assert(read_bytes("[1\0]", 4, &out, &err) == HC_BAD_INPUT);
    ck_assert(read_bytes("\0", 1, &out, &err) == HC_BAD_INPUT);
}
END_TEST

/* ---- liberties ---- */

#define ALL_LIBERTIES (HC_PULL_COMMENTS | HC_PULL_TRAILING_COMMAS | HC_PULL_NO_NUL)

/* The tokens of a text that is read with liberties; false where it is refused, with the mistake. */
static bool read_freely(const char *bytes, size_t length, unsigned liberties, struct out *out,
                        struct hc_pull_mistake *mistake)
{
    struct hc_json_pull *pull = NULL;
    struct hc_error err = {0};
    ck_assert(hc_pull_open_text(&pull, &(struct hc_pull_text){"t", bytes, length}, liberties,
                                &err) == HC_OK);
    bool read = read_all(pull, out, &err) == HC_OK;
    *mistake = hc_pull_mistake(pull);
    hc_pull_close(pull);
    return read;
}

static void check_freely(const char *text, const char *strict)
{
    static struct out out, expected;
    struct hc_error err;
    struct hc_pull_mistake mistake;
    ck_assert_msg(read_freely(text, strlen(text), ALL_LIBERTIES, &out, &mistake), "%s", text);
    ck_assert(read_bytes(strict, strlen(strict), &expected, &err) == HC_OK);
    ck_assert_str_eq(out.text, expected.text);
    ck_assert_msg(!read_freely(text, strlen(text), 0, &out, &mistake), "%s", text);
}

START_TEST(liberties_are_taken_where_they_are_given)
{
    check_freely("// a\n[1]", "[1]");
    check_freely("[1]//", "[1]");
    check_freely("[1 // \"x\" ]\n, // and\n 2\t//\n//\n]// end\n", "[1, 2]");
    check_freely("{//\n\"a\"//\n://\n{}//\n}", "{\"a\": {}}");
    check_freely("[1,]", "[1]");
    check_freely("{\"a\": [1, 2 , ],\n}", "{\"a\": [1, 2]}");
    check_freely("[\"//\",]", "[\"//\"]");
}
END_TEST

/* Comments that are longer than what is loaded at a time, and slashes where it ends. */
START_TEST(comments_have_any_length)
{
    static struct out out;
    static char text[700000];
    struct hc_pull_mistake mistake;
    for (size_t length = 262140; length < 262150; length++) {
        memset(text, ' ', sizeof text);
        text[0] = '[';
        memcpy(text + length, "//", 2);
        memset(text + length + 2, 'x', 300000);
        memcpy(text + length + 300002, "\n1]", 4);
        ck_assert(read_freely(text, strlen(text), ALL_LIBERTIES, &out, &mistake));
        ck_assert(!read_freely(text, length + 1, ALL_LIBERTIES, &out, &mistake));
        ck_assert_int_eq(mistake.byte, (int64_t)length);
        ck_assert_int_eq(mistake.wanted, HC_WANTED_VALUE);
    }
}
END_TEST

START_TEST(mistakes_say_what_was_expected_where)
{
    static const struct {
        const char *text;
        enum hc_pull_wanted wanted;
        int64_t byte, token;
    } wrong[] = {
        {"", HC_WANTED_VALUE, 0, 0},
        {"[,1]", HC_WANTED_VALUE, 1, 1},
        {"[1,,]", HC_WANTED_VALUE, 3, 3},
        {"{,}", HC_WANTED_KEY, 1, 1},
        {"{\"a\": 1, b}", HC_WANTED_KEY, 9, 9},
        {"{\"a\" 1}", HC_WANTED_COLON, 5, 5},
        {"{\"a\": 1 2}", HC_WANTED_IN_OBJECT, 8, 8},
        {"[1 /* x */]", HC_WANTED_IN_ARRAY, 3, 3},
        {"[1] //\n 2", HC_WANTED_END, 8, 8},
        {"[\"a\\q\"]", HC_WANTED_STRING, 3, 1},
        {"[\"a\\u0000\"]", HC_WANTED_STRING, 3, 1},
        {"[\"ab\nc\"]", HC_WANTED_STRING, 4, 1},
        {"[\"ab", HC_WANTED_STRING, 4, 1},
        {"[-x]", HC_WANTED_NUMBER, 2, 1},
        {"[1.]", HC_WANTED_NUMBER, 3, 1},
        {"[12, 1e]", HC_WANTED_NUMBER, 7, 5},
    };
    static struct out out;
    for (size_t i = 0; i < sizeof wrong / sizeof *wrong; i++) {
        struct hc_pull_mistake mistake;
        ck_assert_msg(
            !read_freely(wrong[i].text, strlen(wrong[i].text), ALL_LIBERTIES, &out, &mistake), "%s",
            wrong[i].text);
        ck_assert_msg(mistake.wanted == wrong[i].wanted && mistake.byte == wrong[i].byte &&
                          mistake.token == wrong[i].token,
                      "%s: %d at %lld of %lld", wrong[i].text, (int)mistake.wanted,
                      (long long)mistake.byte, (long long)mistake.token);
    }
}
END_TEST

static bool is_cut(const char *text)
{
    static struct out out;
    struct hc_json_pull *pull = NULL;
    struct hc_error err = {0};
    ck_assert(hc_pull_open_text(&pull, &(struct hc_pull_text){"t.json", text, strlen(text)}, 0,
                                &err) == HC_OK);
    bool failed = read_all(pull, &out, &err) != HC_OK, cut = hc_pull_is_cut(pull);
    hc_pull_close(pull);
    return failed && cut;
}

START_TEST(tells_a_cut_between_tokens)
{
    ck_assert(is_cut("[1,2"));
    ck_assert(is_cut("[1,2,\n"));
    ck_assert(is_cut("{\"a\":[{}"));
    ck_assert(is_cut("{\"a\""));
    ck_assert(!is_cut("[1,\"a"));
    ck_assert(!is_cut("[tr"));
    ck_assert(!is_cut("[1,2}"));
    ck_assert(!is_cut("[1,2]"));
}
END_TEST

START_TEST(bounds_the_depth)
{
    static char text[1200];
    for (size_t depth = 511; depth <= 513; depth++) {
        memset(text, '[', depth);
        memset(text + depth, ']', depth);
        text[2 * depth] = '\0';
        if (depth > HC_PULL_MAX_DEPTH)
            check_fails(text, "byte 512: objects and arrays are nested more than 512 deep");
        else
            is_cut(text);
    }
    static struct out out;
    struct hc_error err;
    ck_assert(read_bytes(text, 1026 - 1, &out, &err) == HC_BAD_INPUT);
}
END_TEST

int main(void)
{
    Suite *suite = suite_create("json_pull");
    TCase *tcase = tcase_create("all");
    tcase_set_timeout(tcase, 120);
    suite_add_tcase(suite, tcase);
    tcase_add_test(tcase, gives_tokens);
    tcase_add_test(tcase, resolves_escapes);
    tcase_add_test(tcase, refuses_what_is_no_json);
    tcase_add_test(tcase, refuses_a_null_byte);
    tcase_add_test(tcase, liberties_are_taken_where_they_are_given);
    tcase_add_test(tcase, comments_have_any_length);
    tcase_add_test(tcase, mistakes_say_what_was_expected_where);
    tcase_add_test(tcase, tells_a_cut_between_tokens);
    tcase_add_test(tcase, bounds_the_depth);
    SRunner *runner = srunner_create(suite);
    srunner_run_all(runner, CK_NORMAL);
    int failed = srunner_ntests_failed(runner);
    srunner_free(runner);
    return failed != 0;
}
