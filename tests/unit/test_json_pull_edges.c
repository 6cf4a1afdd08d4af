/* The pull reader on long documents and long strings: what stands on the edges of what is loaded.
 */
#include "tests/support/pull_case.h"

/* "[" then n strings of one length, of bytes that count through the alphabet. */
static char *make_strings(size_t n, size_t length, size_t *size)
{
    char *text = malloc(n * (length + 3) + 2), *at = text;
    *at++ = '[';
    for (size_t i = 0; i < n; i++) {
        *at++ = '"';
        for (size_t k = 0; k < length; k++)
            *at++ = (char)('a' + (i + k) % 26);
        *at++ = '"';
        *at++ = i + 1 < n ? ',' : ']';
    }
    *size = (size_t)(at - text);
    return text;
}

static void check_strings(size_t n, size_t length)
{
    size_t size = 0;
    char *text = make_strings(n, length, &size);
    struct hc_error err = {0};
    struct hc_source source = bytes_source("long.json", text, size);
    struct hc_json_pull *pull = NULL;
    struct hc_pull_token token;
    ck_assert(hc_pull_open_source(&pull, &source, &err) == HC_OK);
    ck_assert(hc_pull_next(pull, &token, &err) == HC_OK && token.kind == HC_PULL_ARRAY);
    for (size_t i = 0; i < n; i++) {
        ck_assert_msg(hc_pull_next(pull, &token, &err) == HC_OK, "%s", err.message);
        ck_assert(token.kind == HC_PULL_STRING && token.length == length);
        ck_assert(memcmp(token.text, text + 1 + i * (length + 3) + 1, length) == 0);
        ck_assert_int_eq(token.byte, (int64_t)(1 + i * (length + 3)));
    }
    ck_assert(hc_pull_next(pull, &token, &err) == HC_OK && token.kind == HC_PULL_ARRAY_END);
    ck_assert(hc_pull_next(pull, &token, &err) == HC_OK && token.kind == HC_PULL_END);
    hc_pull_close(pull);
    hc_source_close(&source);
    free(text);
}

START_TEST(reads_over_the_edges_of_its_buffer)
{
    check_strings(100000, 7);
    check_strings(9000, 61);
    check_strings(3, 262144);
    check_strings(2, 500000);
    check_strings(2, HC_PULL_MAX_TOKEN);
}
END_TEST

/* Every place of the edge within escapes, sequences and numbers. */
START_TEST(edges_fall_into_every_token)
{
    static const char tail[] = "\"x\\ud83d\\ude00\\u20ac\xF0\x9F\x98\x80\",-12.5e+3,true,null]";
    static char text[262144 + 128];
    for (size_t shift = 0; shift < sizeof tail + 4; shift++) {
        size_t blanks = 262144 - shift;
        memset(text, '\n', blanks);
        text[0] = '[';
        memcpy(text + blanks, tail, sizeof tail - 1);
        static struct out out;
        struct hc_error err;
        ck_assert_msg(read_bytes(text, blanks + sizeof tail - 1, &out, &err) == HC_OK, "%s",
                      err.message);
        ck_assert_str_eq(out.text,
                         "[s<x\xF0\x9F\x98\x80\xE2\x82\xAC\xF0\x9F\x98\x80>n<-12.5e+3>TN]$");
        text[blanks + 1] = '\x01';
        ck_assert(read_bytes(text, blanks + sizeof tail - 1, &out, &err) == HC_BAD_INPUT);
        char place[64];
        snprintf(place, sizeof place, "line %zu, byte %zu:", blanks, blanks + 1);
        ck_assert_msg(strstr(err.message, place) != NULL, "%s: %s", place, err.message);
    }
}
END_TEST

START_TEST(refuses_or_skips_a_long_string)
{
    size_t length = 3 << 20;
    char *text = malloc(length + 16);
    memcpy(text, "[\"", 2);
    memset(text + 2, 'x', length);
    text[1000000] = '\\'; /* an escape, and a sequence on the way */
    text[1000001] = 'n';
    memcpy(text + length + 2, "\",1]", 4);
    struct hc_error err = {0};
    struct hc_json_pull *pull = NULL;
    struct hc_pull_token token;
    static struct out out;
    ck_assert(read_bytes(text, length + 6, &out, &err) == HC_BAD_INPUT);
    ck_assert(strstr(err.message, "more than 1 MiB") != NULL);
    err = (struct hc_error){0};
    ck_assert(hc_pull_open_text(&pull, &(struct hc_pull_text){"t", text, length + 6}, 0, &err) ==
              HC_OK);
    ck_assert(hc_pull_next(pull, &token, &err) == HC_OK);
    ck_assert_msg(hc_pull_skip_value(pull, &err) == HC_OK, "%s", err.message);
    ck_assert(hc_pull_next(pull, &token, &err) == HC_OK && token.kind == HC_PULL_NUMBER);
    hc_pull_close(pull);
    memset(text + 1, '1', length);
    ck_assert(read_bytes(text, length, &out, &err) == HC_BAD_INPUT);
    ck_assert(strstr(err.message, "more than 1 MiB") != NULL);
    free(text);
}
END_TEST

START_TEST(skips_values)
{
    static const char text[] = "{\"a\":[1,{\"b\":[]},\"c\"],\"d\":{\"e\":[[2]],\"f\":3},\"g\":4}";
    struct hc_error err = {0};
    struct hc_json_pull *pull = NULL;
    struct hc_pull_token token;
    ck_assert(hc_pull_open_text(&pull, &(struct hc_pull_text){"t", text, sizeof text - 1}, 0,
                                &err) == HC_OK);
    ck_assert(hc_pull_next(pull, &token, &err) == HC_OK && token.kind == HC_PULL_OBJECT);
    ck_assert(hc_pull_next(pull, &token, &err) == HC_OK && token.text[0] == 'a');
    ck_assert(hc_pull_skip_value(pull, &err) == HC_OK);
    ck_assert(hc_pull_next(pull, &token, &err) == HC_OK && token.text[0] == 'd');
    ck_assert(hc_pull_next(pull, &token, &err) == HC_OK && token.kind == HC_PULL_OBJECT);
    ck_assert(hc_pull_next(pull, &token, &err) == HC_OK && token.text[0] == 'e');
    ck_assert(hc_pull_next(pull, &token, &err) == HC_OK && token.kind == HC_PULL_ARRAY);
    ck_assert(hc_pull_skip_rest(pull, &err) == HC_OK);
    ck_assert(hc_pull_skip_rest(pull, &err) == HC_OK);
    ck_assert(hc_pull_next(pull, &token, &err) == HC_OK && token.text[0] == 'g');
    ck_assert(hc_pull_skip_value(pull, &err) == HC_OK);
    ck_assert(hc_pull_next(pull, &token, &err) == HC_OK && token.kind == HC_PULL_OBJECT_END);
    ck_assert(hc_pull_next(pull, &token, &err) == HC_OK && token.kind == HC_PULL_END);
    hc_pull_close(pull);
}
END_TEST

int main(void)
{
    Suite *suite = suite_create("json_pull_edges");
    TCase *tcase = tcase_create("all");
    tcase_set_timeout(tcase, 120);
    suite_add_tcase(suite, tcase);
    tcase_add_test(tcase, reads_over_the_edges_of_its_buffer);
    tcase_add_test(tcase, edges_fall_into_every_token);
    tcase_add_test(tcase, refuses_or_skips_a_long_string);
    tcase_add_test(tcase, skips_values);
    SRunner *runner = srunner_create(suite);
    srunner_run_all(runner, CK_NORMAL);
    int failed = srunner_ntests_failed(runner);
    srunner_free(runner);
    return failed != 0;
}
