/* The pull reader against Jansson, on random documents, whole and damaged. */
#include "tests/support/pull_case.h"

#include <jansson.h>

static uint64_t next_random(uint64_t *state)
{
    *state ^= *state << 13;
    *state ^= *state >> 7;
    *state ^= *state << 17;
    return *state;
}

static size_t below(uint64_t *state, size_t n)
{
    return (size_t)(next_random(state) % n);
}

/* A document of random pieces, mostly well-formed. */
static void make_value(uint64_t *state, struct out *out, int depth)
{
    static const char *const scalars[] = {"0",
                                          "-1",
                                          "12.75",
                                          "1e3",
                                          "true",
                                          "false",
                                          "null",
                                          "\"\"",
                                          "\"ab\"",
                                          "\"\\n\\u00e9\"",
                                          "\"\\ud83d\\ude00\"",
                                          "\"\xC3\xA9\"",
                                          "-0.5E-2",
                                          "01",
                                          "1.",
                                          "\"\\q\"",
                                          "\"\xC3\"",
                                          "nul",
                                          "\"\\ud83d\""};
    size_t kind = below(state, depth > 6 ? 1 : 3), n = below(state, 4);
    if (kind == 0) { /* the last few are wrong, and rare */
        size_t i = below(state, below(state, 40) ? 13 : 19);
        put(out, scalars[i], strlen(scalars[i]));
        return;
    }
    put(out, kind == 1 ? "[" : "{", 1);
    for (size_t i = 0; i < n; i++) {
        static const char *const blanks[] = {"", " ", "\n", "\t "};
        const char *blank = blanks[below(state, 4)];
        put(out, blank, strlen(blank));
        char key[32];
        snprintf(key, sizeof key, "\"k%zu\":", i);
        if (kind == 2)
            put(out, key, strlen(key));
        make_value(state, out, depth + 1);
        if (i + 1 < n || below(state, 60) == 0)
            put(out, ",", 1);
    }
    put(out, kind == 1 ? "]" : "}", 1);
}

/* Break one byte of a document, or cut it. */
static void damage(uint64_t *state, struct out *out)
{
    static const char bytes[] = "[]{},:\"\\ 0e.-x\n\x01\xFF";
    if (out->used == 0)
        return;
    if (below(state, 2))
        out->text[below(state, out->used)] = bytes[below(state, sizeof bytes - 1)];
    else
        out->used = below(state, out->used);
}

static void print_json(const json_t *value, struct out *out)
{
    const char *key = NULL;
    json_t *member = NULL;
    size_t i = 0;
    switch (json_typeof(value)) {
    case JSON_OBJECT:
        put(out, "{", 1);
        json_object_foreach((json_t *)value, key, member)
        {
            put(out, "k<", 2);
            put(out, key, strlen(key));
            put(out, ">", 1);
            print_json(member, out);
        }
        put(out, "}", 1);
        break;
    case JSON_ARRAY:
        put(out, "[", 1);
        json_array_foreach(value, i, member) print_json(member, out);
        put(out, "]", 1);
        break;
    case JSON_STRING:
        put(out, "s<", 2);
        put(out, json_string_value(value), json_string_length(value));
        put(out, ">", 1);
        break;
    case JSON_INTEGER:
    case JSON_REAL:
        put(out, "n", 1);
        break;
    default:
        put(out, json_is_true(value) ? "T" : json_is_false(value) ? "F" : "N", 1);
    }
}

/* The text of numbers is not compared: Jansson keeps their values. */
static void drop_numbers(struct out *out)
{
    size_t to = 0;
    bool in_string = false, in_number = false;
    for (size_t i = 0; i < out->used; i++) {
        char c = out->text[i];
        if (!in_string && !in_number && c == 'n' && out->text[i + 1] == '<') {
            in_number = true;
            out->text[to++] = 'n';
        } else if (in_number) {
            in_number = c != '>';
        } else {
            in_string = in_string ? c != '>' : c == '<';
            out->text[to++] = c;
        }
    }
    out->used = to;
    out->text[to] = '\0';
}

START_TEST(agrees_with_jansson)
{
    static struct out text, tokens, expected;
    uint64_t state = 88172645463325252ULL;
    size_t n_taken = 0, n_refused = 0;
    for (int round = 0; round < 30000; round++) {
        struct hc_error err;
        json_error_t error;
        text.used = 0;
        make_value(&state, &text, 0);
        if (below(&state, 3) == 0)
            damage(&state, &text);
        json_t *json =
            json_loadb(text.text, text.used,
                       JSON_DECODE_ANY | JSON_ALLOW_NUL | JSON_REJECT_DUPLICATES, &error);
        bool duplicate = !json && strstr(error.text, "duplicate") != NULL;
        bool overflow = !json && strstr(error.text, "too big") != NULL;
        enum hc_status status = read_bytes(text.text, text.used, &tokens, &err);
        if (!duplicate && !overflow)
            ck_assert_msg((status == HC_OK) == (json != NULL), "%.*s: %s, Jansson: %s",
                          (int)text.used, text.text, status ? err.message : "taken",
                          json ? "taken" : error.text);
        n_taken += json != NULL;
        n_refused += status != HC_OK;
        if (json) {
            expected.used = 0;
            print_json(json, &expected);
            put(&expected, "$", 1);
            drop_numbers(&tokens);
            ck_assert_str_eq(tokens.text, expected.text);
        }
        json_decref(json);
    }
    ck_assert_msg(n_taken > 10000 && n_refused > 3000, "%zu taken, %zu refused", n_taken,
                  n_refused);
}
END_TEST

int main(void)
{
    Suite *suite = suite_create("json_pull_random");
    TCase *tcase = tcase_create("all");
    tcase_set_timeout(tcase, 120);
    suite_add_tcase(suite, tcase);
    tcase_add_test(tcase, agrees_with_jansson);
    SRunner *runner = srunner_create(suite);
    srunner_run_all(runner, CK_NORMAL);
    int failed = srunner_ntests_failed(runner);
    srunner_free(runner);
    return failed != 0;
}
