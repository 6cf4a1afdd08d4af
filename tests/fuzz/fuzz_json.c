/* Any bytes as JSON: tokens must stay within the text, keep their order and nest, and skipping must
 * take and refuse what reading does. */
#include "core/text/json_pull.h"
#include "tests/fuzz/target.h"
#include "tests/support/bytes_source.h"

static volatile unsigned sink; /* so that every byte of every token is read */

static void touch(const struct hc_pull_token *token)
{
    bool has_text = token->kind == HC_PULL_KEY || token->kind == HC_PULL_STRING ||
                    token->kind == HC_PULL_NUMBER;
    for (size_t i = 0; has_text && i < token->length; i++)
        sink = (unsigned char)token->text[i];
}

static bool read_all(struct hc_json_pull *pull, size_t size)
{
    struct hc_pull_token token = {.kind = HC_PULL_NULL};
    struct hc_error err = {0};
    int64_t last = -1, depth = 0;
    while (token.kind != HC_PULL_END) {
        if (hc_pull_next(pull, &token, &err)) {
            require(err.status == HC_BAD_INPUT && err.message[0]);
            return false;
        }
        if (token.kind == HC_PULL_END)
            break;
        touch(&token);
        require(token.byte > last && token.byte < (int64_t)size);
        last = token.byte;
        depth += token.kind == HC_PULL_OBJECT || token.kind == HC_PULL_ARRAY;
        depth -= token.kind == HC_PULL_OBJECT_END || token.kind == HC_PULL_ARRAY_END;
        require(depth >= 0 && depth <= HC_PULL_MAX_DEPTH);
    }
    require(depth == 0 && !hc_pull_is_cut(pull));
    return true;
}

static bool skip_all(struct hc_json_pull *pull)
{
    struct hc_pull_token token;
    struct hc_error err = {0};
    return hc_pull_skip_value(pull, &err) == HC_OK && hc_pull_next(pull, &token, &err) == HC_OK &&
           token.kind == HC_PULL_END;
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    struct hc_error err = {0};
    struct hc_json_pull *pull = NULL;
    require(hc_pull_open_text(&pull, &(struct hc_pull_text){"fuzz", data, size}, 0, &err) == HC_OK);
    bool taken = read_all(pull, size);
    hc_pull_close(pull);
    require(hc_pull_open_text(&pull, &(struct hc_pull_text){"fuzz", data, size}, 0, &err) == HC_OK);
    require(skip_all(pull) == taken);
    hc_pull_close(pull);
    return 0;
}
