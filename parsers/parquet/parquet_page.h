/* parquet_page.h - the pages of one column chunk, one after the other, checked and decompressed.
 * Private to this wing. */
#ifndef HC_PARSERS_PARQUET_PARQUET_PAGE_H
#define HC_PARSERS_PARQUET_PARQUET_PAGE_H

#include "core/base/status.h"
#include "parsers/io/source.h"
#include "parsers/parquet/parquet_codec.h"
#include "parsers/parquet/parquet_footer.h"

#include <stdbool.h>
#include <stdint.h>

/* Largest page that is read, bytes uncompressed. Writers make pages of about 1 MB, some one for a
 * whole row group. */
#define HC_PARQUET_MAX_PAGE ((int32_t)256 << 20)

/* Budget before work, as for rows (hc_source_check_rows): what a page holds is in memory, for every
 * column at once, and packed it can be a thousandth or less. A page may always have FREE_PAGE bytes
 * uncompressed, and beyond them PAGE_PER_BYTE for each byte of the file. */
#define HC_PARQUET_FREE_PAGE     ((int64_t)4 << 20)
#define HC_PARQUET_PAGE_PER_BYTE 8

/* A dictionary has no more values than its column chunk, as each is there for one that uses it; but
 * of categories some writers store all, used or not, so this many are always taken. */
#define HC_PARQUET_FREE_DICTIONARY 65536

/* One page; its bytes lie in the buffer of the stream, with HC_PARQUET_SLACK readable bytes behind.
 */
struct hc_parquet_page {
    bool is_dictionary;
    int32_t encoding;
    int32_t n_values;                   /* nulls included */
    int32_t n_nulls;                    /* -1 when not said */
    int64_t place;                      /* byte of the file where its header starts */
    const uint8_t *levels, *levels_end; /* definition levels; NULL for required columns */
    const uint8_t *values, *values_end;
};

struct hc_parquet_pages {
    const struct hc_source *source;
    const struct hc_parquet_field *field;
    const struct hc_parquet_chunk *chunk;
    int64_t at, end; /* bytes of the file: the next page, the end of the chunk */
    struct hc_parquet_buffer packed, body;
};

/* Start on a chunk. A zeroed struct may be started, a used one again. */
void hc_parquet_pages_start(struct hc_parquet_pages *pages, const struct hc_source *source,
                            const struct hc_parquet_field *field,
                            const struct hc_parquet_chunk *chunk);
void hc_parquet_pages_fini(struct hc_parquet_pages *pages);

/* Read the next dictionary or data page; index pages are passed over. *more is false at the end of
 * the chunk. Errors name file, column and byte. */
enum hc_status hc_parquet_pages_next(struct hc_parquet_pages *pages, struct hc_parquet_page *page,
                                     bool *more, struct hc_error *err);

#endif
