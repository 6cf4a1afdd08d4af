/* parquet_values.h - the values of a page, by their encoding, and the dictionary that they may
 * refer to. Nulls are no matter here: a page stores only the values that are there.
 * Private to this wing.
 */
#ifndef HC_PARSERS_PARQUET_PARQUET_VALUES_H
#define HC_PARSERS_PARQUET_PARQUET_VALUES_H

#include "core/base/status.h"
#include "parsers/parquet/parquet_codec.h"
#include "parsers/parquet/parquet_convert.h"
#include "parsers/parquet/parquet_delta.h"
#include "parsers/parquet/parquet_page.h"
#include "parsers/parquet/parquet_rle.h"
#include "parsers/parquet/parquet_text.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define HC_PARQUET_BLOCK 1024 /* most values decoded at once; a multiple of 8 */

/* How names become codes. Each name of a dictionary is looked up once. */
struct hc_parquet_names {
    void *context;
    /* The code of a name; false when it has none. */
    bool (*find)(void *context, const char *name, size_t length, int32_t *code);
    /* Fail for a name without a code that row (from 1) uses. */
    enum hc_status (*fail)(void *context, int64_t row, const char *name, size_t length,
                           struct hc_error *err);
};

struct hc_parquet_values {
    enum hc_parquet_convert kind;
    size_t width; /* bytes of a number in PLAIN; 0 for names */
    const struct hc_parquet_names *names;

    bool has_dictionary;
    int64_t *dictionary; /* converted; name i without a code is HC_PARQUET_LOWEST + i */
    size_t n_dictionary, dictionary_capacity;
    struct hc_parquet_buffer name_bytes; /* the dictionary of names as it is in the file */
    size_t n_name_bytes;

    int32_t encoding;
    const uint8_t *begin, *at, *end; /* of the page */
    size_t stride;                   /* BYTE_STREAM_SPLIT: values in the page */
    struct hc_rle indices;
    struct hc_delta delta;
    struct hc_parquet_text text;

    bool has_unknown; /* hc_parquet_values_read met a name without a code: the unknown_at-th */
    size_t unknown_at;
    struct hc_parquet_name unknown;
    char memo[64]; /* the last name that was looked up, and its code */
    size_t memo_length;
    int32_t memo_code;
};

/* Set kind, width and names first, in a zeroed struct. Errors name neither file nor place. */
void hc_parquet_values_fini(struct hc_parquet_values *values);

/* Read a dictionary page. For names the buffer that holds the page is swapped for another one. */
enum hc_status hc_parquet_values_dictionary(struct hc_parquet_values *values,
                                            const struct hc_parquet_page *page,
                                            struct hc_parquet_buffer *body, struct hc_error *err);

/* Start on a data page. */
enum hc_status hc_parquet_values_start(struct hc_parquet_values *values,
                                       const struct hc_parquet_page *page, struct hc_error *err);

/* Decode the next n values, at most HC_PARQUET_BLOCK. Stops at a name without a code: has_unknown.
 */
enum hc_status hc_parquet_values_read(struct hc_parquet_values *values, size_t n, int64_t *out,
                                      struct hc_error *err);

/* After the last value of a page: HC_BAD_INPUT when something is left over. */
enum hc_status hc_parquet_values_finish(const struct hc_parquet_values *values,
                                        struct hc_error *err);

#endif
