/* chunk_codec.h - one chunk of a column as HDF5's filters shuffle, deflate and Fletcher32 have it.
 *
 * A codec is the working memory of one thread; a pool holds one for each OpenMP thread.
 */
#ifndef HC_STORE_CODEC_CHUNK_CODEC_H
#define HC_STORE_CODEC_CHUNK_CODEC_H

#include "core/base/status.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct hc_plane_deflate;
struct libdeflate_decompressor;

struct hc_chunk_codec {
    struct hc_plane_deflate *encoder;             /* NULL in a pool for reading */
    struct libdeflate_decompressor *decompressor; /* NULL in a pool for writing */
    uint8_t *planes;                              /* shuffled values */
    size_t capacity;                              /* of planes */
};

struct hc_codec_pool {
    bool writing;
    size_t n;
    struct hc_chunk_codec *codecs;
};

/* The bytes of a chunk as they are in the file. */
struct hc_stored_chunk {
    uint8_t *bytes;
    size_t size, capacity;
};

/* Why a chunk cannot be read. */
enum hc_chunk_fault {
    HC_CHUNK_WHOLE,
    HC_CHUNK_SHORT,    /* no room for a checksum */
    HC_CHUNK_CHECKSUM, /* the bytes are not those that were written */
    HC_CHUNK_STREAM,   /* not a zlib stream */
    HC_CHUNK_LENGTH    /* a stream of another length than the chunk */
};

/* Make sure that every OpenMP thread has a codec for chunks of raw_size bytes. To be called before
 * the parallel region that uses the pool; a zeroed pool (with writing set) is empty. */
enum hc_status hc_codec_pool_reserve(struct hc_codec_pool *pool, size_t raw_size,
                                     struct hc_error *err);
void hc_codec_pool_fini(struct hc_codec_pool *pool);

/* The codec of the calling thread, within a parallel region that the caller itself opened; outside
 * of one, use codecs[0]. */
struct hc_chunk_codec *hc_codec_pool_mine(struct hc_codec_pool *pool);

/* Room for n values of size bytes when stored. */
size_t hc_chunk_bound(size_t n, size_t size);

/* Encode n values of size bytes into out (hc_chunk_bound bytes); returns the bytes used. */
size_t hc_chunk_encode(struct hc_chunk_codec *codec, const void *values, size_t n, size_t size,
                       uint8_t *out);

/* Decode into n values of size bytes, verifying checksum and length. */
enum hc_chunk_fault hc_chunk_decode(struct hc_chunk_codec *codec, const uint8_t *stored,
                                    size_t stored_size, void *values, size_t n, size_t size);

/* "the checksum is wrong", ... */
const char *hc_chunk_fault_text(enum hc_chunk_fault fault);

#endif
