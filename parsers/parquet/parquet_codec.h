/* parquet_codec.h - the compression of pages. Private to this wing. */
#ifndef HC_PARSERS_PARQUET_PARQUET_CODEC_H
#define HC_PARSERS_PARQUET_PARQUET_CODEC_H

#include "core/base/status.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum hc_parquet_codec {
    HC_PARQUET_UNCOMPRESSED = 0,
    HC_PARQUET_SNAPPY = 1,
    HC_PARQUET_GZIP = 2,
    HC_PARQUET_ZSTD = 6
};

/* Bytes that grow. A zeroed struct is empty; free data. */
struct hc_parquet_buffer {
    uint8_t *data;
    size_t capacity;
};

/* Make room for n bytes and HC_PARQUET_SLACK more. Contents are kept. */
enum hc_status hc_parquet_buffer_reserve(struct hc_parquet_buffer *buffer, size_t n,
                                         struct hc_error *err);

bool hc_parquet_codec_known(int32_t codec);
const char *hc_parquet_codec_name(int32_t codec); /* "LZO"; "an unknown codec" */

/* Decompress n_in bytes into buffer from byte `offset` on; they must give exactly n_out bytes. No
 * more is allocated than that many compressed bytes can give. Errors name neither file nor place.
 */
enum hc_status hc_parquet_decompress(int32_t codec, const uint8_t *in, size_t n_in,
                                     struct hc_parquet_buffer *buffer, size_t offset, size_t n_out,
                                     struct hc_error *err);

#endif
