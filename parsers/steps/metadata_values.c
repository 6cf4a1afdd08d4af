/* metadata_values.c - the values of metadata that are one number or one text. */
#include "parsers/steps/metadata_reader.h"

#include "core/base/memory.h"
#include "core/base/printable.h"
#include "core/text/number_text.h"

#include <stdbool.h>
#include <stdlib.h>

#define MAX_TEXT 255 /* ids and names become parts of file names */

enum hc_status hc_metadata_wrong(const struct hc_metadata_reader *r,
                                 const struct hc_yaml_token *token, const char *key,
                                 const char *wanted, struct hc_error *err)
{
    if (token->kind != HC_YAML_SCALAR)
        return hc_fail(err, HC_BAD_INPUT, "'%s': line %lld: %s: %s is expected, not a list or map",
                       r->path, (long long)token->line, key, wanted);
    return hc_fail(err, HC_BAD_INPUT, "'%s': line %lld: %s: '%s' is not %s", r->path,
                   (long long)token->line, key, hc_printable(token->text, token->length).text,
                   wanted);
}

enum hc_status hc_metadata_read_i32(struct hc_metadata_reader *r, const char *key, int32_t least,
                                    int32_t *to, struct hc_error *err)
{
    struct hc_yaml_token token;
    if (hc_yaml_next(r->yaml, &token, err))
        return err->status;
    int64_t value = 0;
    if (token.kind != HC_YAML_SCALAR ||
        hc_text_to_i64(token.text, token.length, &value) != HC_TEXT_OK || value < least ||
        value > INT32_MAX)
        return hc_metadata_wrong(r, &token, key,
                                 least ? "a whole number from 1 to 2147483647"
                                       : "a whole number from 0 to 2147483647",
                                 err);
    *to = (int32_t)value;
    return HC_OK;
}

/* Of UTF-8 that ends in a NUL: U+0000 to U+001F, U+007F, U+0080 to U+009F. */
static bool is_control(const char *text)
{
    unsigned char first = (unsigned char)text[0], second = first ? (unsigned char)text[1] : 0;
    return first < 0x20 || first == 0x7f || (first == 0xC2 && second >= 0x80 && second < 0xA0);
}

enum hc_status hc_metadata_take_text(struct hc_metadata_reader *r,
                                     const struct hc_yaml_token *token, const char *key, char **to,
                                     struct hc_error *err)
{
    static const char wanted[] = "a text of 1 to 255 letters without control characters";
    bool good = token->kind == HC_YAML_SCALAR && token->length > 0 && token->length <= MAX_TEXT &&
                !hc_yaml_is_null(token);
    for (size_t i = 0; good && i < token->length; i++)
        good = !is_control(token->text + i);
    if (!good)
        return hc_metadata_wrong(r, token, key, wanted, err);
    char *text = hc_copy_text(token->text, err);
    if (!text)
        return err->status;
    free(*to);
    *to = text;
    return HC_OK;
}

enum hc_status hc_metadata_read_text(struct hc_metadata_reader *r, const char *key, char **to,
                                     struct hc_error *err)
{
    struct hc_yaml_token token;
    if (hc_yaml_next(r->yaml, &token, err))
        return err->status;
    return hc_metadata_take_text(r, &token, key, to, err);
}
