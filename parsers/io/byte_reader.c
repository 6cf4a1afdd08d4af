#include "parsers/io/byte_reader.h"

#include "core/base/memory.h"
#include "parsers/io/zip.h"

#include <limits.h>
#include <lzma.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>
#include <zlib.h>
#include <zstd.h>
#include <zstd_errors.h>

#define INPUT_SIZE          HC_BUFFER_SIZE((size_t)1 << 17)
#define ZSTD_WINDOW_LOG_MAX 27                    /* 128 MiB: what `zstd -d` takes without --long */
#define XZ_MEMORY_MAX       ((uint64_t)130 << 20) /* the same window, and what comes with it */
#define XZ_MAGIC_SIZE       6

enum packing { PLAIN, GZIP, ZSTD, XZ, ZIP };
static const char *const packing_names[] = {"plain", "gzip", "zstd", "xz", "zip"};

struct hc_byte_reader {
    const struct hc_source *source;
    enum packing packing;
    int64_t offset;     /* of the next byte to load from the source */
    int64_t end_offset; /* no byte behind it is loaded */
    unsigned char *input;
    size_t at, end; /* input[at, end) is loaded and not yet used */
    bool is_unbound;
    int64_t n_unpacked;
    bool is_cut;    /* the packed data ends within a stream */
    bool in_stream; /* within a gzip member, a zstd frame or an xz stream */
    z_stream inflater;
    bool inflater_ready;
    ZSTD_DStream *unzstd;
    struct hc_zip_file zip;
    int64_t n_unzipped;
    uint32_t crc;     /* of what was unpacked of a zip archive */
    lzma_stream unxz; /* all zeros before its first use, as LZMA_STREAM_INIT */
};

/* Unpack what is loaded to room bytes: a member's end ends in_stream. */
typedef enum hc_status step_function(struct hc_byte_reader *reader, unsigned char *to, size_t room,
                                     size_t *made, struct hc_error *err);

static uint32_t little_endian_32(const unsigned char *bytes)
{
    return bytes[0] | (uint32_t)bytes[1] << 8 | (uint32_t)bytes[2] << 16 | (uint32_t)bytes[3] << 24;
}

static bool is_gzip(const unsigned char *head, size_t length)
{
    return length >= 2 && head[0] == 0x1f && head[1] == 0x8b;
}

/* A zstd frame, or a skippable one, which pzstd puts first. */
static bool is_zstd(const unsigned char *head, size_t length)
{
    if (length < 4)
        return false;
    uint32_t magic = little_endian_32(head);
    return magic == ZSTD_MAGICNUMBER ||
           (magic & ZSTD_MAGIC_SKIPPABLE_MASK) == ZSTD_MAGIC_SKIPPABLE_START;
}

static bool is_xz(const unsigned char *head, size_t length)
{
    return length >= XZ_MAGIC_SIZE && memcmp(head,
                                             "\375"
                                             "7zXZ",
                                             XZ_MAGIC_SIZE) == 0;
}

bool hc_is_packed(const unsigned char *head, size_t length)
{
    return is_gzip(head, length) || is_zstd(head, length) || is_xz(head, length) ||
           hc_is_zip(head, length);
}

/* Load more input behind what is left; at the end of the source nothing is added. */
static enum hc_status load(struct hc_byte_reader *reader, struct hc_error *err)
{
    memmove(reader->input, reader->input + reader->at, reader->end - reader->at);
    reader->end -= reader->at;
    reader->at = 0;
    int64_t left = reader->end_offset - reader->offset;
    size_t length = INPUT_SIZE - reader->end;
    if ((int64_t)length > left)
        length = (size_t)left;
    if (hc_source_read_at(reader->source, reader->offset, reader->input + reader->end, length, err))
        return err->status;
    reader->offset += (int64_t)length;
    reader->end += length;
    return HC_OK;
}

/* Go to the file of a zip archive; its data is deflated without a header, or as it is. */
static enum hc_status prepare_zip(struct hc_byte_reader *reader, struct hc_error *err)
{
    if (hc_zip_find(&reader->zip, reader->source, err))
        return err->status;
    if (reader->zip.is_deflated && inflateInit2(&reader->inflater, -15) != Z_OK)
        return hc_fail_memory(err, 1 << 16);
    reader->inflater_ready = reader->zip.is_deflated;
    reader->packing = ZIP;
    reader->offset = reader->zip.start;
    reader->end_offset = reader->zip.end;
    reader->at = reader->end = 0;
    reader->in_stream = true;
    return HC_OK;
}

static enum hc_status prepare(struct hc_byte_reader *reader, struct hc_error *err)
{
    reader->input = hc_new_array(INPUT_SIZE, 1, err);
    if (!reader->input || load(reader, err))
        return err->status;
    if (is_gzip(reader->input, reader->end)) {
        reader->packing = GZIP;
        if (inflateInit2(&reader->inflater, 15 + 16) != Z_OK) /* 16: with gzip header */
            return hc_fail_memory(err, 1 << 16);
        reader->inflater_ready = true;
    } else if (is_zstd(reader->input, reader->end)) {
        reader->packing = ZSTD;
        reader->unzstd = ZSTD_createDStream();
        if (!reader->unzstd)
            return hc_fail_memory(err, ZSTD_DStreamInSize());
        ZSTD_DCtx_setParameter(reader->unzstd, ZSTD_d_windowLogMax, ZSTD_WINDOW_LOG_MAX);
    } else if (is_xz(reader->input, reader->end)) {
        reader->packing = XZ;
    } else if (hc_is_zip(reader->input, reader->end)) {
        return prepare_zip(reader, err);
    }
    return HC_OK;
}

enum hc_status hc_byte_reader_open(struct hc_byte_reader **reader, const struct hc_source *source,
                                   struct hc_error *err)
{
    *reader = hc_new_array(1, sizeof **reader, err);
    if (!*reader)
        return err->status;
    (*reader)->source = source;
    (*reader)->end_offset = source->size;
    if (prepare(*reader, err)) {
        hc_byte_reader_close(*reader);
        *reader = NULL;
        return err->status;
    }
    return HC_OK;
}

void hc_byte_reader_close(struct hc_byte_reader *reader)
{
    if (!reader)
        return;
    if (reader->inflater_ready)
        inflateEnd(&reader->inflater);
    ZSTD_freeDStream(reader->unzstd);
    lzma_end(&reader->unxz);
    free(reader->input);
    free(reader);
}

int64_t hc_byte_reader_position(const struct hc_byte_reader *reader)
{
    return reader->offset - (int64_t)(reader->end - reader->at);
}

bool hc_byte_reader_is_cut(const struct hc_byte_reader *reader)
{
    return reader->is_cut;
}

static enum hc_status damaged(const struct hc_byte_reader *reader, const char *why,
                              struct hc_error *err)
{
    return hc_fail(err, HC_BAD_INPUT,
                   "'%s': byte %lld: the %s data is damaged (%s); fetch or write the file again",
                   reader->source->name, (long long)hc_byte_reader_position(reader),
                   packing_names[reader->packing], why ? why : "no reason given");
}

static enum hc_status cut_off(struct hc_byte_reader *reader, struct hc_error *err)
{
    reader->is_cut = true;
    return hc_fail(err, HC_BAD_INPUT,
                   "'%s': byte %lld: the %s data is cut off here; fetch or write the file again",
                   reader->source->name, (long long)hc_byte_reader_position(reader),
                   packing_names[reader->packing]);
}

static bool begins_member(const struct hc_byte_reader *reader)
{
    const unsigned char *head = reader->input + reader->at;
    size_t length = reader->end - reader->at;
    return reader->packing == GZIP   ? is_gzip(head, length)
           : reader->packing == ZSTD ? is_zstd(head, length)
                                     : is_xz(head, length);
}

/* Zeros by fours may stand behind an xz stream. */
static enum hc_status skip_padding(struct hc_byte_reader *reader, struct hc_error *err)
{
    static const unsigned char zeros[4];
    while (reader->end - reader->at >= sizeof zeros &&
           memcmp(reader->input + reader->at, zeros, sizeof zeros) == 0) {
        reader->at += sizeof zeros;
        if (reader->end - reader->at < XZ_MAGIC_SIZE && load(reader, err))
            return err->status;
    }
    return HC_OK;
}

static enum hc_status start_member(struct hc_byte_reader *reader, struct hc_error *err)
{
    if (reader->packing == GZIP)
        inflateReset(&reader->inflater);
    if (reader->packing == XZ &&
        lzma_stream_decoder(&reader->unxz, XZ_MEMORY_MAX, LZMA_TELL_UNSUPPORTED_CHECK) != LZMA_OK)
        return hc_fail_memory(err, 1 << 16);
    reader->in_stream = true;
    return HC_OK;
}

/* Behind the one file of a zip archive. */
static enum hc_status check_zip(const struct hc_byte_reader *reader, struct hc_error *err)
{
    if (reader->n_unzipped != reader->zip.size || reader->crc != reader->zip.crc)
        return damaged(reader, "its size or checksum is not that which the archive says", err);
    return HC_OK;
}

/* Between two members: *more tells whether another one follows. */
static enum hc_status next_member(struct hc_byte_reader *reader, bool *more, struct hc_error *err)
{
    *more = reader->packing != ZIP;
    if (!*more)
        return check_zip(reader, err);
    if (reader->end - reader->at < XZ_MAGIC_SIZE && load(reader, err))
        return err->status;
    if (reader->packing == XZ && skip_padding(reader, err))
        return err->status;
    *more = reader->at < reader->end;
    if (!*more)
        return HC_OK;
    if (!begins_member(reader))
        return hc_fail(err, HC_BAD_INPUT,
                       "'%s': byte %lld: these bytes after the %s data belong to nothing; "
                       "remove them or write the file again",
                       reader->source->name, (long long)hc_byte_reader_position(reader),
                       packing_names[reader->packing]);
    return start_member(reader, err);
}

static enum hc_status step_gzip(struct hc_byte_reader *reader, unsigned char *to, size_t room,
                                size_t *made, struct hc_error *err)
{
    z_stream *z = &reader->inflater;
    z->next_in = reader->input + reader->at;
    z->avail_in = (uInt)(reader->end - reader->at);
    z->next_out = to;
    z->avail_out = room < UINT_MAX ? (uInt)room : UINT_MAX;
    int result = inflate(z, Z_NO_FLUSH);
    reader->at = reader->end - z->avail_in;
    *made = (size_t)(z->next_out - to);
    if (result == Z_MEM_ERROR)
        return hc_fail_memory(err, 1 << 16);
    if (result != Z_OK && result != Z_STREAM_END && result != Z_BUF_ERROR)
        return damaged(reader, z->msg ? z->msg : "it needs a dictionary", err);
    reader->in_stream = result != Z_STREAM_END;
    return HC_OK;
}

static enum hc_status step_zip(struct hc_byte_reader *reader, unsigned char *to, size_t room,
                               size_t *made, struct hc_error *err)
{
    if (reader->zip.is_deflated) {
        if (step_gzip(reader, to, room, made, err))
            return err->status;
    } else {
        *made = reader->end - reader->at < room ? reader->end - reader->at : room;
        memcpy(to, reader->input + reader->at, *made);
        reader->at += *made;
        reader->in_stream = reader->at < reader->end || reader->offset < reader->end_offset;
    }
    reader->n_unzipped += (int64_t)*made;
    reader->crc = (uint32_t)crc32_z(reader->crc, to, *made);
    if (reader->n_unzipped > reader->zip.size)
        return check_zip(reader, err);
    return HC_OK;
}

static enum hc_status step_zstd(struct hc_byte_reader *reader, unsigned char *to, size_t room,
                                size_t *made, struct hc_error *err)
{
    ZSTD_inBuffer in = {reader->input + reader->at, reader->end - reader->at, 0};
    ZSTD_outBuffer out = {to, room, 0};
    size_t result = ZSTD_decompressStream(reader->unzstd, &out, &in);
    reader->at += in.pos;
    *made = out.pos;
    if (ZSTD_getErrorCode(result) == ZSTD_error_memory_allocation)
        return hc_fail_memory(err, (size_t)1 << ZSTD_WINDOW_LOG_MAX);
    if (ZSTD_isError(result))
        return damaged(reader, ZSTD_getErrorName(result), err);
    reader->in_stream = result != 0;
    return HC_OK;
}

static enum hc_status needs_memory(const struct hc_byte_reader *reader, struct hc_error *err)
{
    return hc_fail(
        err, HC_BAD_INPUT,
        "'%s': byte %lld: the xz data takes %llu MiB of memory to unpack, more than %llu; "
        "write the file again with a smaller dictionary, as with 'xz -9'",
        reader->source->name, (long long)hc_byte_reader_position(reader),
        (unsigned long long)(lzma_memusage(&reader->unxz) >> 20),
        (unsigned long long)(XZ_MEMORY_MAX >> 20));
}

static enum hc_status step_xz(struct hc_byte_reader *reader, unsigned char *to, size_t room,
                              size_t *made, struct hc_error *err)
{
    lzma_stream *xz = &reader->unxz;
    xz->next_in = reader->input + reader->at;
    xz->avail_in = reader->end - reader->at;
    xz->next_out = to;
    xz->avail_out = room;
    lzma_ret result = lzma_code(xz, LZMA_RUN);
    reader->at = reader->end - xz->avail_in;
    *made = room - xz->avail_out;
    switch (result) {
    case LZMA_OK:
    case LZMA_BUF_ERROR: /* nothing could be done: the caller sees that */
        return HC_OK;
    case LZMA_STREAM_END:
        reader->in_stream = false;
        return HC_OK;
    case LZMA_MEM_ERROR:
        return hc_fail_memory(err, (size_t)lzma_memusage(xz));
    case LZMA_MEMLIMIT_ERROR:
        return needs_memory(reader, err);
    case LZMA_OPTIONS_ERROR:
    case LZMA_UNSUPPORTED_CHECK:
        return damaged(reader, "it uses filters or checks that are not known here", err);
    default:
        return damaged(reader, "its contents do not agree with its checks", err);
    }
}

static enum hc_status read_packed(struct hc_byte_reader *reader, unsigned char *to, size_t capacity,
                                  size_t *length, struct hc_error *err)
{
    static step_function *const steps[] = {
        [GZIP] = step_gzip, [ZSTD] = step_zstd, [XZ] = step_xz, [ZIP] = step_zip};
    while (*length < capacity) {
        bool more = true;
        if (!reader->in_stream && next_member(reader, &more, err))
            return err->status;
        if (!more)
            return HC_OK;
        if (reader->at == reader->end && load(reader, err))
            return err->status;
        size_t used = reader->at, loaded = reader->end, made = 0;
        if (steps[reader->packing](reader, to + *length, capacity - *length, &made, err))
            return err->status;
        *length += made;
        if (reader->in_stream && !made && used == reader->at && loaded == reader->end &&
            reader->offset == reader->end_offset)
            return cut_off(reader, err);
    }
    return HC_OK;
}

static enum hc_status read_plain(struct hc_byte_reader *reader, unsigned char *to, size_t capacity,
                                 size_t *length, struct hc_error *err)
{
    size_t loaded = reader->end - reader->at; /* the head, which sniffing looked at */
    if (loaded > capacity)
        loaded = capacity;
    memcpy(to, reader->input + reader->at, loaded);
    reader->at += loaded;
    size_t direct = capacity - loaded;
    int64_t left = reader->end_offset - reader->offset;
    if ((int64_t)direct > left)
        direct = (size_t)left;
    if (hc_source_read_at(reader->source, reader->offset, to + loaded, direct, err))
        return err->status;
    reader->offset += (int64_t)direct;
    *length = loaded + direct;
    return HC_OK;
}

enum hc_status hc_byte_reader_read(struct hc_byte_reader *reader, void *buffer, size_t capacity,
                                   size_t *length, struct hc_error *err)
{
    *length = 0;
    if (reader->packing == PLAIN)
        return read_plain(reader, buffer, capacity, length, err);
    enum hc_status status = read_packed(reader, buffer, capacity, length, err);
    reader->n_unpacked += (int64_t)*length;
    if (status || reader->is_unbound)
        return status;
    return hc_source_check_unpacked(reader->source, hc_byte_reader_position(reader),
                                    reader->n_unpacked, err);
}

void hc_byte_reader_unbound(struct hc_byte_reader *reader)
{
    reader->is_unbound = true;
}

static enum hc_status skip_packed(struct hc_byte_reader *reader, int64_t n, struct hc_error *err)
{
    unsigned char *buffer = hc_new_array(INPUT_SIZE, 1, err);
    if (!buffer)
        return err->status;
    enum hc_status status = HC_OK;
    for (size_t length = 1; n > 0 && length && !status; n -= (int64_t)length)
        status = hc_byte_reader_read(
            reader, buffer, n < (int64_t)INPUT_SIZE ? (size_t)n : INPUT_SIZE, &length, err);
    free(buffer);
    return status;
}

enum hc_status hc_byte_reader_skip(struct hc_byte_reader *reader, int64_t offset,
                                   struct hc_error *err)
{
    if (reader->packing != PLAIN)
        return skip_packed(reader, offset, err);
    reader->offset = offset < reader->end_offset ? offset : reader->end_offset;
    reader->at = reader->end = 0;
    return HC_OK;
}
