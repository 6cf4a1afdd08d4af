#include "store/segment/column_chunks.h"

#include "core/base/memory.h"
#include "store/objects/segment_layout.h"

#include <string.h>

/* A chunk on disk is always whole; the rows past the end are missing. */
static void pad(const struct hc_table *rows, size_t chunk_rows)
{
    for (size_t c = 0; c < rows->def->n_columns; c++) {
        enum hc_type type = rows->def->columns[c].type;
        union hc_value missing = hc_missing_value(type);
        size_t size = hc_type_size(type);
        char *column = rows->column[c];
        for (size_t i = rows->n_rows; i < chunk_rows; i++)
            memcpy(column + i * size, &missing, size);
    }
}

/* Of each column, the first one with the same values, as where a source fills neither, or a job was
 * eligible as soon as it was submitted. Columns that differ mostly do so in the first rows. */
static void find_same(const struct hc_table *rows, size_t n, size_t same[HC_TABLE_MAX_COLUMNS])
{
    const struct hc_column_def *columns = rows->def->columns;
    for (size_t c = 0; c < rows->def->n_columns; c++) {
        size_t size = hc_type_size(columns[c].type);
        same[c] = c;
        for (size_t d = 0; d < c && same[c] == c; d++)
            if (same[d] == d && hc_type_size(columns[d].type) == size &&
                memcmp(rows->column[c], rows->column[d], n * size) == 0)
                same[c] = d;
    }
}

/* Where a column is as another one is, so are its bytes. */
static void encode(struct hc_codec_pool *pool, const struct hc_table *rows, size_t n,
                   struct hc_stored_chunk *stored)
{
    const struct hc_table_def *def = rows->def;
    size_t same[HC_TABLE_MAX_COLUMNS];
    find_same(rows, n, same);
#pragma omp parallel for schedule(dynamic) if (n >= 4096)
    for (size_t c = 0; c < def->n_columns; c++)
        if (same[c] == c)
            stored[c].size = hc_chunk_encode(hc_codec_pool_mine(pool), rows->column[c], n,
                                             hc_type_size(def->columns[c].type), stored[c].bytes);
    for (size_t c = 0; c < def->n_columns; c++)
        if (same[c] != c) {
            stored[c].size = stored[same[c]].size;
            memcpy(stored[c].bytes, stored[same[c]].bytes, stored[c].size);
        }
}

enum hc_status hc_column_chunks_encode(struct hc_codec_pool *pool, const struct hc_table *rows,
                                       size_t chunk_rows, struct hc_stored_chunk *stored,
                                       struct hc_error *err)
{
    const struct hc_table_def *def = rows->def;
    if (hc_codec_pool_reserve(pool, chunk_rows * sizeof(union hc_value), err))
        return err->status;
    for (size_t c = 0; c < def->n_columns; c++)
        if (hc_reserve(&stored[c].bytes, &stored[c].capacity,
                       hc_chunk_bound(chunk_rows, hc_type_size(def->columns[c].type)), 1, err))
            return err->status;
    pad(rows, chunk_rows);
    encode(pool, rows, chunk_rows, stored);
    return HC_OK;
}
