#include "store/codec/chunk_codec.h"

#include "core/base/memory.h"
#include "store/codec/fletcher32.h"
#include "store/codec/plane_deflate.h"
#include "store/codec/shuffle.h"

#include <libdeflate.h>
#include <stdlib.h>
#include <string.h>
#ifdef _OPENMP
#include <omp.h>
#endif

_Static_assert(__BYTE_ORDER__ == __ORDER_LITTLE_ENDIAN__,
               "chunks are written as they are in memory, and the datasets are little-endian");

#define ZLIB_HEADER_SIZE 2
#define ADLER_SIZE       4
#define FLETCHER_SIZE    4

static size_t n_threads(void)
{
#ifdef _OPENMP
    return (size_t)omp_get_max_threads();
#else
    return 1;
#endif
}

static void codec_fini(struct hc_chunk_codec *codec)
{
    hc_plane_deflate_free(codec->encoder);
    libdeflate_free_decompressor(codec->decompressor);
    free(codec->planes);
    memset(codec, 0, sizeof *codec);
}

static enum hc_status codec_reserve(struct hc_chunk_codec *codec, bool writing, size_t raw_size,
                                    struct hc_error *err)
{
    if (writing && !codec->encoder && !(codec->encoder = hc_plane_deflate_new(err)))
        return err->status;
    if (!writing && !codec->decompressor &&
        !(codec->decompressor = libdeflate_alloc_decompressor()))
        return hc_fail_memory(err, raw_size);
    if (raw_size <= codec->capacity)
        return HC_OK;
    free(codec->planes);
    codec->capacity = 0;
    codec->planes = hc_new_aligned(raw_size, 1, err);
    if (!codec->planes)
        return err->status;
    codec->capacity = raw_size;
    return HC_OK;
}

enum hc_status hc_codec_pool_reserve(struct hc_codec_pool *pool, size_t raw_size,
                                     struct hc_error *err)
{
    size_t n = pool->n;
    if (hc_reserve(&pool->codecs, &n, n_threads(), sizeof *pool->codecs, err))
        return err->status;
    if (n > pool->n)
        memset(pool->codecs + pool->n, 0, (n - pool->n) * sizeof *pool->codecs);
    pool->n = n;
    for (size_t i = 0; i < n_threads(); i++)
        if (codec_reserve(&pool->codecs[i], pool->writing, raw_size, err))
            return err->status;
    return HC_OK;
}

void hc_codec_pool_fini(struct hc_codec_pool *pool)
{
    for (size_t i = 0; i < pool->n; i++)
        codec_fini(&pool->codecs[i]);
    free(pool->codecs);
    pool->codecs = NULL;
    pool->n = 0;
}

struct hc_chunk_codec *hc_codec_pool_mine(struct hc_codec_pool *pool)
{
#ifdef _OPENMP
    return &pool->codecs[omp_get_thread_num()];
#else
    return &pool->codecs[0];
#endif
}

size_t hc_chunk_bound(size_t n, size_t size)
{
    return ZLIB_HEADER_SIZE + hc_plane_deflate_bound(size, n) + ADLER_SIZE + FLETCHER_SIZE;
}

static void put_big_endian(uint8_t *out, uint32_t value)
{
    value = __builtin_bswap32(value);
    memcpy(out, &value, 4);
}

size_t hc_chunk_encode(struct hc_chunk_codec *codec, const void *values, size_t n, size_t size,
                       uint8_t *out)
{
    hc_shuffle(values, n, size, codec->planes);
    uint8_t *p = out;
    *p++ = 0x78; /* deflate, window of 32 KiB */
    *p++ = 0x01; /* fastest; makes the header a multiple of 31 */
    p += hc_plane_deflate(codec->encoder, codec->planes, size, n, p);
    put_big_endian(p, libdeflate_adler32(1, codec->planes, n * size));
    p += ADLER_SIZE;
    uint32_t sum = hc_fletcher32(out, (size_t)(p - out));
    memcpy(p, &sum, FLETCHER_SIZE);
    return (size_t)(p - out) + FLETCHER_SIZE;
}

enum hc_chunk_fault hc_chunk_decode(struct hc_chunk_codec *codec, const uint8_t *stored,
                                    size_t stored_size, void *values, size_t n, size_t size)
{
    if (stored_size < FLETCHER_SIZE)
        return HC_CHUNK_SHORT;
    size_t length = stored_size - FLETCHER_SIZE;
    uint32_t sum = 0;
    memcpy(&sum, stored + length, FLETCHER_SIZE);
    if (sum != hc_fletcher32(stored, length))
        return HC_CHUNK_CHECKSUM;
    switch (libdeflate_zlib_decompress(codec->decompressor, stored, length, codec->planes, n * size,
                                       NULL)) {
    case LIBDEFLATE_SUCCESS:
        hc_unshuffle(codec->planes, n, size, values);
        return HC_CHUNK_WHOLE;
    case LIBDEFLATE_BAD_DATA:
        return HC_CHUNK_STREAM;
    default:
        return HC_CHUNK_LENGTH;
    }
}

const char *hc_chunk_fault_text(enum hc_chunk_fault fault)
{
    switch (fault) {
    case HC_CHUNK_WHOLE:
        break;
    case HC_CHUNK_SHORT:
        return "it is too short to hold a checksum";
    case HC_CHUNK_CHECKSUM:
        return "its checksum is wrong";
    case HC_CHUNK_STREAM:
        return "its bytes are not a deflate stream";
    case HC_CHUNK_LENGTH:
        return "its deflate stream is of another length than the chunk";
    }
    return "it is whole";
}
