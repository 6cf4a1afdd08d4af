#include "parsers/parquet/parquet_values.h"

#include "core/base/dispatch.h"
#include "core/base/memory.h"
#include "parsers/parquet/parquet_bytes.h"

#include <inttypes.h>
#include <stdlib.h>

void hc_parquet_values_fini(struct hc_parquet_values *values)
{
    hc_parquet_text_fini(&values->text);
    free(values->dictionary);
    free(values->name_bytes.data);
    memset(values, 0, sizeof *values);
}

/* Look a name up, keeping the last answer: neighbouring rows often have the same. */
static bool find_name(struct hc_parquet_values *values, const struct hc_parquet_name *name,
                      int32_t *code)
{
    bool fits = name->length > 0 && name->length <= sizeof values->memo;
    if (fits && name->length == values->memo_length &&
        memcmp(name->data, values->memo, name->length) == 0) {
        *code = values->memo_code;
        return true;
    }
    if (!values->names->find(values->names->context, name->data, name->length, code))
        return false;
    if (fits) {
        memcpy(values->memo, name->data, name->length);
        values->memo_length = name->length;
        values->memo_code = *code;
    }
    return true;
}

/* The codes of a dictionary of names. Its bytes are kept to tell which name has no code. */
static enum hc_status load_names(struct hc_parquet_values *values,
                                 const struct hc_parquet_page *page, struct hc_parquet_buffer *body,
                                 struct hc_error *err)
{
    struct hc_parquet_text text = {0};
    if (hc_parquet_text_init(&text, HC_PARQUET_PLAIN, page->values, page->values_end, err))
        return err->status;
    for (size_t i = 0; i < values->n_dictionary; i++) {
        struct hc_parquet_name name;
        int32_t code;
        if (hc_parquet_text_next(&text, &name, err))
            return err->status;
        bool known = find_name(values, &name, &code);
        values->dictionary[i] = known ? code : HC_PARQUET_LOWEST + (int64_t)i;
    }
    if (hc_parquet_text_finish(&text, err))
        return err->status;
    struct hc_parquet_buffer other = values->name_bytes;
    values->name_bytes = *body;
    values->n_name_bytes = (size_t)(page->values_end - page->values);
    *body = other;
    return HC_OK;
}

enum hc_status hc_parquet_values_dictionary(struct hc_parquet_values *values,
                                            const struct hc_parquet_page *page,
                                            struct hc_parquet_buffer *body, struct hc_error *err)
{
    size_t n = (size_t)page->n_values, n_bytes = (size_t)(page->values_end - page->values);
    if (page->encoding != HC_PARQUET_PLAIN && page->encoding != HC_PARQUET_PLAIN_DICTIONARY)
        return hc_fail(err, HC_BAD_INPUT, "encoding %s is unsupported for dictionaries",
                       hc_parquet_encoding_name(page->encoding));
    /* a text takes four bytes or more: bytes that are there bound what is allocated */
    if (values->width ? n * values->width != n_bytes : n > n_bytes / 4)
        return hc_fail(err, HC_BAD_INPUT, "its %zu values do not fit its %zu bytes", n, n_bytes);
    if (hc_reserve(&values->dictionary, &values->dictionary_capacity, n, sizeof *values->dictionary,
                   err))
        return err->status;
    values->n_dictionary = n;
    values->has_dictionary = true;
    if (values->kind == HC_PARQUET_FROM_NAME)
        return load_names(values, page, body, err);
    hc_parquet_convert_plain(values->kind, page->values, n, values->dictionary);
    return HC_OK;
}

static enum hc_status start_indices(struct hc_parquet_values *values, struct hc_error *err)
{
    if (!values->has_dictionary)
        return hc_fail(err, HC_BAD_INPUT, "it needs a dictionary, but the column chunk has none");
    /* a page of nulls may lack even the byte with the width */
    if (values->at == values->end)
        return hc_rle_init(&values->indices, values->at, values->end, 1, err);
    return hc_rle_init(&values->indices, values->at + 1, values->end, values->at[0], err);
}

static enum hc_status start_split(struct hc_parquet_values *values, struct hc_error *err)
{
    size_t n_bytes = (size_t)(values->end - values->at);
    if (n_bytes % values->width != 0)
        return hc_fail(err, HC_BAD_INPUT, "its bytes are no whole number of values");
    values->stride = n_bytes / values->width;
    return HC_OK;
}

enum hc_status hc_parquet_values_start(struct hc_parquet_values *values,
                                       const struct hc_parquet_page *page, struct hc_error *err)
{
    const bool is_name = values->kind == HC_PARQUET_FROM_NAME;
    values->encoding = page->encoding;
    values->begin = values->at = page->values;
    values->end = page->values_end;
    switch (page->encoding) {
    case HC_PARQUET_PLAIN_DICTIONARY:
    case HC_PARQUET_RLE_DICTIONARY:
        return start_indices(values, err);
    case HC_PARQUET_PLAIN:
        if (!is_name)
            return HC_OK;
        return hc_parquet_text_init(&values->text, page->encoding, values->at, values->end, err);
    case HC_PARQUET_DELTA_BINARY_PACKED:
        if (values->kind > HC_PARQUET_FROM_U64)
            break;
        return hc_delta_init(&values->delta, values->at, values->end, err);
    case HC_PARQUET_DELTA_LENGTH_BYTE_ARRAY:
    case HC_PARQUET_DELTA_BYTE_ARRAY:
        if (!is_name)
            break;
        return hc_parquet_text_init(&values->text, page->encoding, values->at, values->end, err);
    case HC_PARQUET_BYTE_STREAM_SPLIT:
        if (is_name)
            break;
        return start_split(values, err);
    }
    return hc_fail(err, HC_BAD_INPUT, "encoding %s is unsupported for the values of this column",
                   hc_parquet_encoding_name(page->encoding));
}

static void set_unknown(struct hc_parquet_values *values, size_t at,
                        const struct hc_parquet_name *name)
{
    values->has_unknown = true;
    values->unknown_at = at;
    values->unknown = *name;
}

/* Find the first name without a code among n decoded ones, and its text in the dictionary. */
static enum hc_status find_unknown(struct hc_parquet_values *values, const int64_t *codes, size_t n,
                                   struct hc_error *err)
{
    size_t at = 0;
    while (at < n && codes[at] >= INT32_MIN)
        at++;
    if (at == n)
        return HC_OK;
    struct hc_parquet_text text = {0};
    struct hc_parquet_name name = {NULL, 0};
    const uint8_t *bytes = values->name_bytes.data;
    enum hc_status status =
        hc_parquet_text_init(&text, HC_PARQUET_PLAIN, bytes, bytes + values->n_name_bytes, err);
    for (int64_t i = HC_PARQUET_LOWEST; status == HC_OK && i <= codes[at]; i++)
        status = hc_parquet_text_next(&text, &name, err);
    if (status == HC_OK)
        set_unknown(values, at, &name);
    return status;
}

/* Look n indices up; false when one is not below limit. */
HC_DISPATCH
static bool look_up(const int64_t *dictionary, uint32_t limit, const uint32_t *index, size_t n,
                    int64_t *out)
{
    uint32_t beyond = 0;
    for (size_t i = 0; i < n; i++)
        beyond |= index[i] >= limit;
    if (beyond)
        return false;
    for (size_t i = 0; i < n; i++)
        out[i] = dictionary[index[i]];
    return true;
}

static enum hc_status read_indexed(struct hc_parquet_values *values, size_t n, int64_t *out,
                                   struct hc_error *err)
{
    uint32_t index[HC_PARQUET_BLOCK];
    if (hc_rle_read(&values->indices, n, index, err))
        return err->status;
    const uint32_t limit = (uint32_t)values->n_dictionary;
    if (!look_up(values->dictionary, limit, index, n, out))
        return hc_fail(err, HC_BAD_INPUT,
                       "an index is beyond the %" PRIu32 " values of the dictionary", limit);
    return values->kind == HC_PARQUET_FROM_NAME ? find_unknown(values, out, n, err) : HC_OK;
}

static enum hc_status fail_short(struct hc_error *err)
{
    return hc_fail(err, HC_BAD_INPUT, "it ends before its last value");
}

static enum hc_status read_plain(struct hc_parquet_values *values, size_t n, int64_t *out,
                                 struct hc_error *err)
{
    if (n > (size_t)(values->end - values->at) / values->width)
        return fail_short(err);
    hc_parquet_convert_plain(values->kind, values->at, n, out);
    values->at += n * values->width;
    return HC_OK;
}

static enum hc_status read_split(struct hc_parquet_values *values, size_t n, int64_t *out,
                                 struct hc_error *err)
{
    uint8_t plain[HC_PARQUET_BLOCK * 8];
    const size_t width = values->width;
    if (n > values->stride - (size_t)(values->at - values->begin))
        return fail_short(err);
    for (size_t b = 0; b < width; b++) {
        const uint8_t *stream = values->at + b * values->stride;
        for (size_t i = 0; i < n; i++)
            plain[i * width + b] = stream[i];
    }
    hc_parquet_convert_plain(values->kind, plain, n, out);
    values->at += n;
    return HC_OK;
}

static enum hc_status read_delta(struct hc_parquet_values *values, size_t n, int64_t *out,
                                 struct hc_error *err)
{
    if (hc_delta_read(&values->delta, n, out, err))
        return err->status;
    hc_parquet_convert_wide(values->kind, out, n);
    return HC_OK;
}

static enum hc_status read_names(struct hc_parquet_values *values, size_t n, int64_t *out,
                                 struct hc_error *err)
{
    for (size_t i = 0; i < n; i++) {
        struct hc_parquet_name name;
        int32_t code;
        if (hc_parquet_text_next(&values->text, &name, err))
            return err->status;
        if (!find_name(values, &name, &code)) {
            set_unknown(values, i, &name);
            return HC_OK;
        }
        out[i] = code;
    }
    return HC_OK;
}

enum hc_status hc_parquet_values_read(struct hc_parquet_values *values, size_t n, int64_t *out,
                                      struct hc_error *err)
{
    values->has_unknown = false;
    switch (values->encoding) {
    case HC_PARQUET_PLAIN_DICTIONARY:
    case HC_PARQUET_RLE_DICTIONARY:
        return read_indexed(values, n, out, err);
    case HC_PARQUET_DELTA_BINARY_PACKED:
        return read_delta(values, n, out, err);
    case HC_PARQUET_BYTE_STREAM_SPLIT:
        return read_split(values, n, out, err);
    }
    return values->kind == HC_PARQUET_FROM_NAME ? read_names(values, n, out, err)
                                                : read_plain(values, n, out, err);
}

enum hc_status hc_parquet_values_finish(const struct hc_parquet_values *values,
                                        struct hc_error *err)
{
    switch (values->encoding) {
    case HC_PARQUET_PLAIN_DICTIONARY:
    case HC_PARQUET_RLE_DICTIONARY:
        return hc_rle_finish(&values->indices, err);
    case HC_PARQUET_DELTA_BINARY_PACKED:
        return hc_delta_finish(&values->delta, err);
    case HC_PARQUET_BYTE_STREAM_SPLIT:
        if (values->at != values->begin + values->stride)
            return hc_fail(err, HC_BAD_INPUT, "it has more values than it should");
        return HC_OK;
    }
    if (values->kind == HC_PARQUET_FROM_NAME)
        return hc_parquet_text_finish(&values->text, err);
    if (values->at != values->end)
        return hc_fail(err, HC_BAD_INPUT, "%td bytes follow its values", values->end - values->at);
    return HC_OK;
}
