#include "parsers/parquet/parquet_text.h"

#include "parsers/parquet/parquet_bytes.h"
#include "parsers/parquet/parquet_schema.h"

#include <stdlib.h>

/* The lengths end where their count says; only then is it known where the bytes begin. */
static enum hc_status start_lengths(struct hc_parquet_text *text, struct hc_delta *lengths,
                                    struct hc_error *err)
{
    const uint8_t *end = NULL;
    if (hc_delta_init(lengths, text->at, text->end, err) || hc_delta_end(lengths, &end, err))
        return err->status;
    lengths->end = end;
    text->at = end;
    return HC_OK;
}

enum hc_status hc_parquet_text_init(struct hc_parquet_text *text, int32_t encoding,
                                    const uint8_t *at, const uint8_t *end, struct hc_error *err)
{
    text->encoding = encoding;
    text->at = at;
    text->end = end;
    text->whole_length = 0;
    if (encoding == HC_PARQUET_PLAIN)
        return HC_OK;
    if (encoding == HC_PARQUET_DELTA_BYTE_ARRAY && start_lengths(text, &text->prefixes, err))
        return err->status;
    return start_lengths(text, &text->lengths, err);
}

void hc_parquet_text_fini(struct hc_parquet_text *text)
{
    free(text->whole.data);
    text->whole = (struct hc_parquet_buffer){0};
}

static enum hc_status fail_cut(struct hc_error *err)
{
    return hc_fail(err, HC_BAD_INPUT, "a text is longer than what is left of the page");
}

/* The length of the next piece of bytes, checked against those that are left. */
static enum hc_status next_length(struct hc_parquet_text *text, size_t *length,
                                  struct hc_error *err)
{
    int64_t n = 0;
    if (text->encoding == HC_PARQUET_PLAIN) {
        if (text->end - text->at < 4)
            return fail_cut(err);
        n = hc_load_u32(text->at);
        text->at += 4;
    } else if (hc_delta_read(&text->lengths, 1, &n, err)) {
        return err->status;
    }
    if (n < 0 || n > text->end - text->at)
        return fail_cut(err);
    *length = (size_t)n;
    return HC_OK;
}

/* Put prefix (of the last value) and suffix together. */
static enum hc_status join(struct hc_parquet_text *text, size_t n_suffix,
                           struct hc_parquet_name *name, struct hc_error *err)
{
    int64_t n_prefix = 0;
    if (hc_delta_read(&text->prefixes, 1, &n_prefix, err))
        return err->status;
    if (n_prefix < 0 || (uint64_t)n_prefix > text->whole_length)
        return hc_fail(err, HC_BAD_INPUT, "a text shares more bytes with the last one than it has");
    size_t length = (size_t)n_prefix + n_suffix;
    if (hc_parquet_buffer_reserve(&text->whole, length, err))
        return err->status;
    memcpy(text->whole.data + n_prefix, text->at, n_suffix);
    text->whole_length = length;
    *name = (struct hc_parquet_name){(const char *)text->whole.data, length};
    return HC_OK;
}

enum hc_status hc_parquet_text_next(struct hc_parquet_text *text, struct hc_parquet_name *name,
                                    struct hc_error *err)
{
    size_t length = 0;
    if (next_length(text, &length, err))
        return err->status;
    *name = (struct hc_parquet_name){(const char *)text->at, length};
    if (text->encoding == HC_PARQUET_DELTA_BYTE_ARRAY && join(text, length, name, err))
        return err->status;
    text->at += length;
    return HC_OK;
}

enum hc_status hc_parquet_text_finish(const struct hc_parquet_text *text, struct hc_error *err)
{
    if (text->encoding == HC_PARQUET_DELTA_BYTE_ARRAY && hc_delta_finish(&text->prefixes, err))
        return err->status;
    if (text->encoding != HC_PARQUET_PLAIN && hc_delta_finish(&text->lengths, err))
        return err->status;
    if (text->at != text->end)
        return hc_fail(err, HC_BAD_INPUT, "%td bytes follow its texts", text->end - text->at);
    return HC_OK;
}
