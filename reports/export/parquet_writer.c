#include "reports/export/parquet_writer.h"

#include "core/base/memory.h"
#include "reports/export/parquet_chunk.h"

#include <stdlib.h>
#include <string.h>

/* Parquet's numbers. */
enum { REQUIRED = 0, OPTIONAL = 1 };
enum { CONVERTED_UTF8 = 0 };
enum { CODEC_UNCOMPRESSED = 0, CODEC_SNAPPY = 1 };
enum { ENCODING_PLAIN = 0, ENCODING_RLE = 3, ENCODING_RLE_DICTIONARY = 8 };

static const char magic[4] = {'P', 'A', 'R', '1'};

struct row_group {
    int64_t n_rows;
    struct hc_parquet_chunk *chunks; /* [n_columns] */
};

struct hc_parquet_writer {
    FILE *stream;
    char *name;
    struct hc_parquet_options options;
    int64_t offset; /* bytes written */
    int64_t n_rows; /* in finished row groups */
    size_t n_held;  /* rows of the group being filled */
    void **held;    /* [n_columns][row_group_rows] */
    struct hc_parquet_scratch scratch;
    size_t n_groups, group_capacity;
    struct row_group *groups;
};

static enum hc_status write_out(struct hc_parquet_writer *w, const void *data, size_t n,
                                struct hc_error *err)
{
    if (n && fwrite(data, 1, n, w->stream) != n)
        return hc_fail_errno(err, "cannot write", w->name);
    w->offset += (int64_t)n;
    return HC_OK;
}

static enum hc_status allocate(struct hc_parquet_writer *w, const char *name, struct hc_error *err)
{
    const struct hc_parquet_options *o = &w->options;
    size_t span = HC_PARQUET_DICTIONARY_SPAN;
    w->name = hc_copy_text(name, err);
    w->held = w->name ? hc_new_array(o->n_columns, sizeof *w->held, err) : NULL;
    if (!w->held)
        return err->status;
    for (size_t c = 0; c < o->n_columns; c++) {
        span = o->columns[c].n_words > span ? o->columns[c].n_words : span;
        size_t size = hc_parquet_value_size(o->columns[c].type);
        if (!(w->held[c] = hc_new_array(o->row_group_rows, size, err)))
            return err->status;
    }
    struct hc_parquet_scratch *scratch = &w->scratch;
    scratch->codes = hc_new_array(o->page_rows, sizeof *scratch->codes, err);
    scratch->levels =
        scratch->codes ? hc_new_array(o->page_rows, sizeof *scratch->levels, err) : NULL;
    scratch->code_of = scratch->levels ? hc_new_array(span, sizeof *scratch->code_of, err) : NULL;
    return scratch->code_of ? HC_OK : err->status;
}

enum hc_status hc_parquet_open(struct hc_parquet_writer **writer, FILE *stream, const char *name,
                               const struct hc_parquet_options *options, struct hc_error *err)
{
    *writer = NULL;
    struct hc_parquet_writer *w = hc_new_array(1, sizeof *w, err);
    if (!w)
        return err->status;
    w->stream = stream;
    w->options = *options;
    if (w->options.row_group_rows == 0)
        w->options.row_group_rows = 1 << 20;
    if (w->options.page_rows == 0)
        w->options.page_rows = 1 << 17;
    if (allocate(w, name, err) || write_out(w, magic, sizeof magic, err)) {
        hc_parquet_close(w);
        return err->status;
    }
    *writer = w;
    return HC_OK;
}

void hc_parquet_close(struct hc_parquet_writer *writer)
{
    if (!writer)
        return;
    for (size_t c = 0; writer->held && c < writer->options.n_columns; c++)
        free(writer->held[c]);
    for (size_t g = 0; g < writer->n_groups; g++)
        free(writer->groups[g].chunks);
    hc_bytes_fini(&writer->scratch.pages);
    hc_bytes_fini(&writer->scratch.plain);
    hc_bytes_fini(&writer->scratch.packed);
    hc_bytes_fini(&writer->scratch.header);
    free(writer->scratch.codes);
    free(writer->scratch.levels);
    free(writer->scratch.code_of);
    free(writer->groups);
    free(writer->held);
    free(writer->name);
    free(writer);
}

/* Encode and write the rows held, column by column. */
static enum hc_status flush_group(struct hc_parquet_writer *w, struct hc_error *err)
{
    const struct hc_parquet_options *o = &w->options;
    if (hc_reserve(&w->groups, &w->group_capacity, w->n_groups + 1, sizeof *w->groups, err))
        return err->status;
    struct row_group *group = &w->groups[w->n_groups];
    group->n_rows = (int64_t)w->n_held;
    group->chunks = hc_new_array(o->n_columns, sizeof *group->chunks, err);
    if (!group->chunks)
        return err->status;
    w->n_groups++;
    for (size_t c = 0; c < o->n_columns; c++) {
        struct hc_parquet_chunk *chunk = &group->chunks[c];
        const struct hc_parquet_held held = {&o->columns[c], w->held[c], w->n_held};
        if (hc_parquet_encode_chunk(chunk, &w->scratch, &held, o, err))
            return hc_context(err, "cannot write '%s'", w->name);
        chunk->offset = w->offset;
        chunk->data_offset += w->offset;
        if (write_out(w, w->scratch.pages.data, w->scratch.pages.size, err))
            return err->status;
    }
    w->n_rows += group->n_rows;
    w->n_held = 0;
    return HC_OK;
}

enum hc_status hc_parquet_append(struct hc_parquet_writer *writer, const void *const *values,
                                 size_t n, struct hc_error *err)
{
    struct hc_parquet_writer *w = writer;
    for (size_t done = 0; done < n;) {
        size_t room = w->options.row_group_rows - w->n_held;
        size_t rows = n - done < room ? n - done : room;
        for (size_t c = 0; c < w->options.n_columns; c++) {
            size_t size = hc_parquet_value_size(w->options.columns[c].type);
            memcpy((char *)w->held[c] + w->n_held * size, (const char *)values[c] + done * size,
                   rows * size);
        }
        w->n_held += rows;
        done += rows;
        if (w->n_held == w->options.row_group_rows && flush_group(w, err))
            return err->status;
    }
    return HC_OK;
}

/* --- footer ----------------------------------------------------------------------------------- */

static void put_schema(struct hc_thrift *thrift, const struct hc_parquet_options *o)
{
    hc_thrift_list(thrift, 2, HC_THRIFT_STRUCT, o->n_columns + 1);
    hc_thrift_element(thrift);
    hc_thrift_text(thrift, 4, "schema");
    hc_thrift_i32(thrift, 5, (int32_t)o->n_columns);
    hc_thrift_end(thrift);
    for (size_t c = 0; c < o->n_columns; c++) {
        const struct hc_parquet_column *column = &o->columns[c];
        hc_thrift_element(thrift);
        hc_thrift_i32(thrift, 1, (int32_t)hc_parquet_physical(column->type));
        hc_thrift_i32(thrift, 3, column->optional ? OPTIONAL : REQUIRED);
        hc_thrift_text(thrift, 4, column->name);
        if (column->type == HC_PARQUET_TEXT) {
            hc_thrift_i32(thrift, 6, CONVERTED_UTF8);
            hc_thrift_begin(thrift, 10); /* LogicalType: a union whose field 1 is STRING */
            hc_thrift_begin(thrift, 1);
            hc_thrift_end(thrift);
            hc_thrift_end(thrift);
        }
        hc_thrift_end(thrift);
    }
}

static void put_statistics(struct hc_thrift *thrift, const struct hc_parquet_chunk *chunk)
{
    hc_thrift_begin(thrift, 12);
    hc_thrift_i64(thrift, 3, chunk->n_nulls);
    if (chunk->has_range && chunk->least_word) {
        hc_thrift_text(thrift, 5, chunk->most_word);
        hc_thrift_text(thrift, 6, chunk->least_word);
    } else if (chunk->has_range) {
        hc_thrift_binary(thrift, 5, chunk->most, chunk->range_size);
        hc_thrift_binary(thrift, 6, chunk->least, chunk->range_size);
    }
    hc_thrift_end(thrift);
}

static void put_chunk(struct hc_thrift *thrift, const struct hc_parquet_column *column,
                      const struct hc_parquet_chunk *chunk, const struct hc_parquet_options *o)
{
    hc_thrift_element(thrift);
    hc_thrift_i64(thrift, 2, chunk->offset);
    hc_thrift_begin(thrift, 3);
    hc_thrift_i32(thrift, 1, (int32_t)hc_parquet_physical(column->type));
    hc_thrift_list(thrift, 2, HC_THRIFT_I32, chunk->has_dictionary ? 3 : 2);
    hc_thrift_element_i32(thrift, ENCODING_PLAIN);
    hc_thrift_element_i32(thrift, ENCODING_RLE);
    if (chunk->has_dictionary)
        hc_thrift_element_i32(thrift, ENCODING_RLE_DICTIONARY);
    hc_thrift_list(thrift, 3, HC_THRIFT_BINARY, 1);
    hc_thrift_element_text(thrift, column->name);
    hc_thrift_i32(thrift, 4, o->uncompressed ? CODEC_UNCOMPRESSED : CODEC_SNAPPY);
    hc_thrift_i64(thrift, 5, chunk->n_values);
    hc_thrift_i64(thrift, 6, chunk->plain_size);
    hc_thrift_i64(thrift, 7, chunk->stored_size);
    hc_thrift_i64(thrift, 9, chunk->data_offset);
    if (chunk->has_dictionary)
        hc_thrift_i64(thrift, 11, chunk->offset);
    put_statistics(thrift, chunk);
    hc_thrift_end(thrift);
    hc_thrift_end(thrift);
}

static void put_groups(struct hc_thrift *thrift, const struct hc_parquet_writer *w)
{
    hc_thrift_list(thrift, 4, HC_THRIFT_STRUCT, w->n_groups);
    for (size_t g = 0; g < w->n_groups; g++) {
        const struct row_group *group = &w->groups[g];
        int64_t plain = 0, stored = 0;
        hc_thrift_element(thrift);
        hc_thrift_list(thrift, 1, HC_THRIFT_STRUCT, w->options.n_columns);
        for (size_t c = 0; c < w->options.n_columns; c++) {
            put_chunk(thrift, &w->options.columns[c], &group->chunks[c], &w->options);
            plain += group->chunks[c].plain_size;
            stored += group->chunks[c].stored_size;
        }
        hc_thrift_i64(thrift, 2, plain);
        hc_thrift_i64(thrift, 3, group->n_rows);
        hc_thrift_i64(thrift, 5, group->chunks[0].offset);
        hc_thrift_i64(thrift, 6, stored);
        hc_thrift_end(thrift);
    }
}

/* That minima and maxima follow the order of the column's type; without it they are not used. */
static void put_orders(struct hc_thrift *thrift, size_t n_columns)
{
    hc_thrift_list(thrift, 7, HC_THRIFT_STRUCT, n_columns);
    for (size_t c = 0; c < n_columns; c++) {
        hc_thrift_element(thrift);
        hc_thrift_begin(thrift, 1);
        hc_thrift_end(thrift);
        hc_thrift_end(thrift);
    }
}

enum hc_status hc_parquet_finish(struct hc_parquet_writer *writer, struct hc_error *err)
{
    struct hc_parquet_writer *w = writer;
    if (w->n_held && flush_group(w, err))
        return err->status;
    struct hc_bytes *footer = &w->scratch.plain;
    hc_bytes_clear(footer);
    struct hc_thrift thrift = {.out = footer};
    hc_thrift_i32(&thrift, 1, 1);
    put_schema(&thrift, &w->options);
    hc_thrift_i64(&thrift, 3, w->n_rows);
    put_groups(&thrift, w);
    hc_thrift_text(&thrift, 6, "hindcast version " HC_VERSION);
    put_orders(&thrift, w->options.n_columns);
    hc_thrift_end(&thrift);
    size_t length = footer->size;
    hc_bytes_little_endian(footer, length, 4);
    hc_bytes_append(footer, magic, sizeof magic);
    if (hc_bytes_status(footer, err))
        return err->status;
    return write_out(w, footer->data, footer->size, err);
}
