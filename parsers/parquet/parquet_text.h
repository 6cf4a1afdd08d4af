/* parquet_text.h - the encodings of byte arrays: PLAIN, DELTA_LENGTH_BYTE_ARRAY, DELTA_BYTE_ARRAY.
 * Private to this wing.
 */
#ifndef HC_PARSERS_PARQUET_PARQUET_TEXT_H
#define HC_PARSERS_PARQUET_PARQUET_TEXT_H

#include "core/base/status.h"
#include "parsers/parquet/parquet_codec.h"
#include "parsers/parquet/parquet_delta.h"

#include <stddef.h>
#include <stdint.h>

struct hc_parquet_text {
    int32_t encoding;
    const uint8_t *at, *end;           /* lengths and bytes, or only bytes */
    struct hc_delta prefixes, lengths; /* of the two delta encodings */
    struct hc_parquet_buffer whole;    /* DELTA_BYTE_ARRAY: the last value, put together */
    size_t whole_length;
};

/* One value; valid until the next call. */
struct hc_parquet_name {
    const char *data;
    size_t length;
};

/* Start on encoded bytes, which are followed by HC_PARQUET_SLACK readable ones. A zeroed struct may
 * be started, a used one again. Errors name neither file nor place. */
enum hc_status hc_parquet_text_init(struct hc_parquet_text *text, int32_t encoding,
                                    const uint8_t *at, const uint8_t *end, struct hc_error *err);
void hc_parquet_text_fini(struct hc_parquet_text *text);

enum hc_status hc_parquet_text_next(struct hc_parquet_text *text, struct hc_parquet_name *name,
                                    struct hc_error *err);

/* HC_BAD_INPUT unless all bytes have been used. */
enum hc_status hc_parquet_text_finish(const struct hc_parquet_text *text, struct hc_error *err);

#endif
