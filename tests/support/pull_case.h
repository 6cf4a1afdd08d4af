/* pull_case.h - the tokens of the JSON pull reader as text, for its tests. */
#ifndef HC_TESTS_SUPPORT_PULL_CASE_H
#define HC_TESTS_SUPPORT_PULL_CASE_H

#include "core/base/memory.h"
#include "parsers/io/json_source.h"
#include "tests/support/bytes_source.h"

#include <check.h>
#include <stdbool.h>

struct out {
    char text[1 << 16];
    size_t used;
};

static inline void put(struct out *out, const char *text, size_t length)
{
    if (out->used + length < sizeof out->text) {
        memcpy(out->text + out->used, text, length);
        out->used += length;
    }
    out->text[out->used] = '\0';
}

static inline void put_token(struct out *out, const struct hc_pull_token *token)
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
static inline enum hc_status read_all(struct hc_json_pull *pull, struct out *out,
                                      struct hc_error *err)
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

static inline enum hc_status read_bytes(const char *bytes, size_t length, struct out *out,
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

static inline void check_tokens(const char *text, const char *expected)
{
    static struct out out;
    struct hc_error err;
    ck_assert_msg(read_bytes(text, strlen(text), &out, &err) == HC_OK, "%s: %s", text, err.message);
    ck_assert_str_eq(out.text, expected);
}

static inline void check_fails(const char *text, const char *message)
{
    static struct out out;
    struct hc_error err;
    ck_assert_msg(read_bytes(text, strlen(text), &out, &err) == HC_BAD_INPUT, "'%s' is taken",
                  text);
    ck_assert_msg(strstr(err.message, message) != NULL, "'%s': %s", text, err.message);
}

#endif
