/* The pull reader on its own, and against Jansson on random documents. */
#include "core/base/memory.h"
#include "parsers/io/json_source.h"
#include "tests/support/bytes_source.h"

#include <check.h>
#include <jansson.h>
#include <stdbool.h>

struct out {
    char text[1 << 16];
    size_t used;
};

static void put(struct out *out, const char *text, size_t length)
{
    if (out->used + length < sizeof out->text) {
        memcpy(out->text + out->used, text, length);
        out->used += length;
    }
    out->text[out->used] = '\0';
}

static void put_token(struct out *out, const struct hc_pull_token *token)
{
    static const char *const signs[] = {"$", "{", "}", "[", "]", "k", "s", "n", "T", "F", "N"};
    put(out, signs[token->kind], 1);
    if (token->kind == HC_PULL_KEY || token->kind == HC_PULL_STRING ||
        token->kind == HC_PULL_NUMBER) {
        put(out, "<", 1);
        put(out, token->text, token->length);
        put(out, ">", 1);
    }
}

/* All tokens as text, or the message. */
static enum hc_status read_all(struct hc_json_pull *pull, struct out *out, struct hc_error *err)
{
    struct hc_pull_token token = {.kind = HC_PULL_NULL};
    out->used = 0;
    put(out, "", 0);
    while (token.kind != HC_PULL_END) {
        if (hc_pull_next(pull, &token, err))
            return err->status;
        put_token(out, &token);
    }
    return HC_OK;
}

static enum hc_status read_bytes(const char *bytes, size_t length, struct out *out,
                                 struct hc_error *err)
{
    struct hc_json_pull *pull = NULL;
    *err = (struct hc_error){.status = HC_OK};
    ck_assert_msg(
        hc_pull_open_text(&pull, &(struct hc_pull_text){"t.json", bytes, length}, 0, err) == HC_OK,
        "%s", err->message);
    enum hc_status status = read_all(pull, out, err);
    hc_pull_close(pull);
    return status;
}

static void check_tokens(const char *text, const char *expected)
{
    static struct out out;
    struct hc_error err;
    ck_assert_msg(read_bytes(text, strlen(text), &out, &err) == HC_OK, "%s: %s", text, err.message);
    ck_assert_str_eq(out.text, expected);
}

static void check_fails(const char *text, const char *message)
{
    static struct out out;
    struct hc_error err;
    ck_assert_msg(read_bytes(text, strlen(text), &out, &err) == HC_BAD_INPUT, "'%s' is taken",
                  text);
    ck_assert_msg(strstr(err.message, message) != NULL, "'%s': %s", text, err.message);
}

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

/* ---- long documents and long strings: what stands on the edges of what is loaded ---- */

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

/* ---- against Jansson ---- */

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
    tcase_add_test(tcase, reads_over_the_edges_of_its_buffer);
    tcase_add_test(tcase, edges_fall_into_every_token);
    tcase_add_test(tcase, refuses_or_skips_a_long_string);
    tcase_add_test(tcase, skips_values);
    tcase_add_test(tcase, agrees_with_jansson);
    SRunner *runner = srunner_create(suite);
    srunner_run_all(runner, CK_NORMAL);
    int failed = srunner_ntests_failed(runner);
    srunner_free(runner);
    return failed != 0;
}
