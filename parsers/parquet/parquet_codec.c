#include "parsers/parquet/parquet_codec.h"

#include "core/base/memory.h"
#include "parsers/parquet/parquet_bytes.h"

#include <libdeflate.h>
#include <snappy-c.h>
#include <string.h>
#include <zstd.h>
#include <zstd_errors.h>

/* The most that a byte of deflate can give. */
#define DEFLATE_RATIO 1032
/* Zstandard can give 32 KiB a byte, so beyond this ratio its output grows as it comes. */
#define ZSTD_FIRST_RATIO 16

enum hc_status hc_parquet_buffer_reserve(struct hc_parquet_buffer *buffer, size_t n,
                                         struct hc_error *err)
{
    return hc_reserve(&buffer->data, &buffer->capacity, n + HC_PARQUET_SLACK, 1, err);
}

bool hc_parquet_codec_known(int32_t codec)
{
    return codec == HC_PARQUET_UNCOMPRESSED || codec == HC_PARQUET_SNAPPY ||
           codec == HC_PARQUET_GZIP || codec == HC_PARQUET_ZSTD;
}

const char *hc_parquet_codec_name(int32_t codec)
{
    static const char *const names[] = {"UNCOMPRESSED", "SNAPPY", "GZIP", "LZO",
                                        "BROTLI",       "LZ4",    "ZSTD", "LZ4_RAW"};
    if (codec < 0 || (size_t)codec >= sizeof names / sizeof names[0])
        return "an unknown codec";
    return names[codec];
}

static enum hc_status fail_length(struct hc_error *err, int32_t codec, size_t expected)
{
    return hc_fail(err, HC_BAD_INPUT, "its %s data is damaged or does not give %zu bytes",
                   hc_parquet_codec_name(codec), expected);
}

static enum hc_status copy(const uint8_t *in, size_t n_in, struct hc_parquet_buffer *buffer,
                           size_t offset, size_t n_out, struct hc_error *err)
{
    if (n_in != n_out)
        return hc_fail(err, HC_BAD_INPUT, "it has %zu bytes uncompressed, but should have %zu",
                       n_in, n_out);
    if (hc_parquet_buffer_reserve(buffer, offset + n_out, err))
        return err->status;
    if (n_in)
        memcpy(buffer->data + offset, in, n_in);
    return HC_OK;
}

static enum hc_status unsnap(const uint8_t *in, size_t n_in, struct hc_parquet_buffer *buffer,
                             size_t offset, size_t n_out, struct hc_error *err)
{
    size_t length = 0;
    /* Three bytes give at most 64, so a lying length is caught before it is allocated. */
    if (snappy_uncompressed_length((const char *)in, n_in, &length) != SNAPPY_OK ||
        length != n_out || n_out / 22 > n_in)
        return fail_length(err, HC_PARQUET_SNAPPY, n_out);
    if (hc_parquet_buffer_reserve(buffer, offset + n_out, err))
        return err->status;
    if (snappy_uncompress((const char *)in, n_in, (char *)buffer->data + offset, &length) !=
            SNAPPY_OK ||
        length != n_out)
        return fail_length(err, HC_PARQUET_SNAPPY, n_out);
    return HC_OK;
}

static enum hc_status gunzip(const uint8_t *in, size_t n_in, struct hc_parquet_buffer *buffer,
                             size_t offset, size_t n_out, struct hc_error *err)
{
    if (n_out / DEFLATE_RATIO > n_in)
        return fail_length(err, HC_PARQUET_GZIP, n_out);
    if (hc_parquet_buffer_reserve(buffer, offset + n_out, err))
        return err->status;
    struct libdeflate_decompressor *inflater = libdeflate_alloc_decompressor();
    if (!inflater)
        return hc_fail_memory(err, n_out);
    uint8_t *out = buffer->data + offset;
    enum libdeflate_result result;
    do { /* a page may be several gzip members in a row */
        size_t used = 0, made = 0;
        result = libdeflate_gzip_decompress_ex(inflater, in, n_in, out, n_out, &used, &made);
        if (result == LIBDEFLATE_SUCCESS) {
            in += used;
            n_in -= used;
            out += made;
            n_out -= made;
        }
    } while (result == LIBDEFLATE_SUCCESS && n_in > 0);
    libdeflate_free_decompressor(inflater);
    if (result != LIBDEFLATE_SUCCESS || n_out != 0)
        return fail_length(err, HC_PARQUET_GZIP, n_out);
    return HC_OK;
}

/* What failed in zstd: memory is not the fault of the data. */
static enum hc_status fail_zstd(size_t result, size_t n_out, struct hc_error *err)
{
    if (ZSTD_isError(result) && ZSTD_getErrorCode(result) == ZSTD_error_memory_allocation)
        return hc_fail_memory(err, n_out);
    return fail_length(err, HC_PARQUET_ZSTD, n_out);
}

/* Inflate step by step, doubling the room while more comes. */
static enum hc_status unzstd_grow(ZSTD_DCtx *context, ZSTD_inBuffer *in,
                                  struct hc_parquet_buffer *buffer, size_t offset, size_t n_out,
                                  struct hc_error *err)
{
    size_t done = 0, room = n_out;
    if (room / ZSTD_FIRST_RATIO > in->size)
        room = in->size * ZSTD_FIRST_RATIO;
    for (;;) {
        if (hc_parquet_buffer_reserve(buffer, offset + room, err))
            return err->status;
        ZSTD_outBuffer out = {buffer->data + offset, room, done};
        size_t before = in->pos;
        size_t hint = ZSTD_decompressStream(context, &out, in);
        bool stuck = out.pos == done && in->pos == before;
        done = out.pos;
        if (ZSTD_isError(hint))
            return fail_zstd(hint, n_out, err);
        if (hint == 0 && in->pos == in->size)
            return done == n_out ? HC_OK : fail_length(err, HC_PARQUET_ZSTD, n_out);
        if (done == room && room < n_out)
            room = room > n_out / 2 ? n_out : room * 2;
        else if (stuck)
            break;
    }
    return fail_length(err, HC_PARQUET_ZSTD, n_out);
}

static enum hc_status unzstd(const uint8_t *data, size_t n_in, struct hc_parquet_buffer *buffer,
                             size_t offset, size_t n_out, struct hc_error *err)
{
    if (n_in == 0) /* nothing to double in unzstd_grow */
        return fail_length(err, HC_PARQUET_ZSTD, n_out);
    if (n_out / ZSTD_FIRST_RATIO <= n_in) {
        if (hc_parquet_buffer_reserve(buffer, offset + n_out, err))
            return err->status;
        size_t made = ZSTD_decompress(buffer->data + offset, n_out, data, n_in);
        return made == n_out ? HC_OK : fail_zstd(made, n_out, err);
    }
    ZSTD_DCtx *context = ZSTD_createDCtx();
    if (!context)
        return hc_fail_memory(err, n_out);
    ZSTD_inBuffer in = {data, n_in, 0};
    enum hc_status status = unzstd_grow(context, &in, buffer, offset, n_out, err);
    ZSTD_freeDCtx(context);
    return status;
}

enum hc_status hc_parquet_decompress(int32_t codec, const uint8_t *in, size_t n_in,
                                     struct hc_parquet_buffer *buffer, size_t offset, size_t n_out,
                                     struct hc_error *err)
{
    if (n_in == 0 && n_out == 0) /* some writers store nothing for nothing */
        return hc_parquet_buffer_reserve(buffer, offset, err);
    switch (codec) {
    case HC_PARQUET_UNCOMPRESSED:
        return copy(in, n_in, buffer, offset, n_out, err);
    case HC_PARQUET_SNAPPY:
        return unsnap(in, n_in, buffer, offset, n_out, err);
    case HC_PARQUET_GZIP:
        return gunzip(in, n_in, buffer, offset, n_out, err);
    case HC_PARQUET_ZSTD:
        return unzstd(in, n_in, buffer, offset, n_out, err);
    default:
        return hc_fail(err, HC_BAD_INPUT, "compression %s is unsupported",
                       hc_parquet_codec_name(codec));
    }
}
