/* parquet_footer.h - the footer of a Parquet file: its columns, row groups and column chunks.
 *
 * Everything that a reader will rely on is checked here: chunks lie inside the file, types and
 * codecs are ones that are read, and the row counts of file, groups and chunks agree.
 */
#ifndef HC_PARSERS_PARQUET_PARQUET_FOOTER_H
#define HC_PARSERS_PARQUET_PARQUET_FOOTER_H

#include "core/base/status.h"
#include "parsers/io/source.h"
#include "parsers/parquet/parquet_schema.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* Longest footer that is read, bytes; the only part of a file that is held whole, while opening. */
#define HC_PARQUET_MAX_FOOTER ((int64_t)64 << 20)

/* What the statistics of a chunk promise. Numbers are little-endian in the physical type. */
struct hc_parquet_promise {
    int64_t n_nulls; /* -1 when not said */
    bool has_min, has_max;
    bool min_is_exact, max_is_exact; /* else a bound */
    uint8_t min[8], max[8];
};

/* One wanted column in one row group. */
struct hc_parquet_chunk {
    int64_t start, size; /* bytes of the file, dictionary page and headers included */
    int64_t n_values;    /* nulls included: the rows of the group */
    int32_t codec;       /* enum hc_parquet_codec */
    struct hc_parquet_promise promise;
};

struct hc_parquet_footer {
    const struct hc_source *source;
    struct hc_parquet_schema schema;
    int64_t n_rows;
    size_t n_groups;
    struct hc_parquet_chunk *chunks; /* group-major: n_groups x schema.n_columns */
    size_t chunk_capacity;
    uint8_t *bytes; /* the encoded footer; gone after hc_parquet_footer_groups */
    size_t length;
    int64_t offset; /* where it starts in the file */
};

/* Read the schema, in which the columns of those n names (at most HC_PARQUET_MAX_COLUMNS) are
 * wanted. The caller looks at schema.columns[i].found before it goes on. */
enum hc_status hc_parquet_footer_open(struct hc_parquet_footer *footer,
                                      const struct hc_source *source, const char *const *names,
                                      size_t n, struct hc_error *err);

/* Read the row groups. Every wanted column must have been found exactly once, not nested. */
enum hc_status hc_parquet_footer_groups(struct hc_parquet_footer *footer, struct hc_error *err);

/* A zeroed footer may be closed. */
void hc_parquet_footer_close(struct hc_parquet_footer *footer);

#endif
