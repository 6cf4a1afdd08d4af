/* parquet_maker.h - makes small Parquet files byte by byte for the tests: whole and damaged ones.
 *
 * An oracle of its own: it shares no code with the reader, and writes what no common writer would.
 */
#ifndef HC_TESTS_UNIT_PARQUET_MAKER_H
#define HC_TESTS_UNIT_PARQUET_MAKER_H

#include <stdbool.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <libdeflate.h>
#include <snappy-c.h>
#include <zstd.h>

struct mk {
    uint8_t *p;
    size_t n, capacity;
};

static inline void mk_put(struct mk *mk, const void *bytes, size_t n)
{
    if (mk->n + n > mk->capacity) {
        mk->capacity = 2 * (mk->n + n);
        mk->p = realloc(mk->p, mk->capacity);
        if (!mk->p)
            abort();
    }
    if (n)
        memcpy(mk->p + mk->n, bytes, n);
    mk->n += n;
}

static inline void mk_byte(struct mk *mk, unsigned byte)
{
    uint8_t b = (uint8_t)byte;
    mk_put(mk, &b, 1);
}

static inline void mk_u32(struct mk *mk, uint32_t value)
{
    mk_put(mk, &value, 4);
}

static inline void mk_u64(struct mk *mk, uint64_t value)
{
    mk_put(mk, &value, 8);
}

static inline void mk_float(struct mk *mk, float value)
{
    mk_put(mk, &value, 4);
}

static inline void mk_varint(struct mk *mk, uint64_t value)
{
    for (; value >= 0x80; value >>= 7)
        mk_byte(mk, (unsigned)(value & 0x7f) | 0x80);
    mk_byte(mk, (unsigned)value);
}

static inline void mk_zigzag(struct mk *mk, int64_t value)
{
    mk_varint(mk, ((uint64_t)value << 1) ^ (uint64_t)(value >> 63));
}

static inline void mk_text(struct mk *mk, const char *text)
{
    mk_varint(mk, strlen(text));
    mk_put(mk, text, strlen(text));
}

/* A text as PLAIN stores it. */
static inline void mk_plain_text(struct mk *mk, const char *text)
{
    mk_u32(mk, (uint32_t)strlen(text));
    mk_put(mk, text, strlen(text));
}

/* Append n values of width bits, from the low end, padded to whole bytes. */
static inline void mk_bits(struct mk *mk, const uint64_t *values, size_t n, unsigned width)
{
    size_t n_bytes = (n * width + 7) / 8, start = mk->n;
    for (size_t i = 0; i < n_bytes; i++)
        mk_byte(mk, 0);
    for (size_t i = 0; i < n * width; i++)
        if (values[i / width] >> (i % width) & 1)
            mk->p[start + i / 8] |= (uint8_t)(1u << i % 8);
}

/* Thrift compact: the head of field id after field *last. */
enum { MK_TRUE = 1, MK_FALSE, MK_I8, MK_I32 = 5, MK_I64, MK_BINARY = 8, MK_LIST, MK_STRUCT = 12 };

static inline void mk_field(struct mk *mk, int *last, int id, int type)
{
    if (id > *last && id - *last < 16) {
        mk_byte(mk, (unsigned)((id - *last) << 4 | type));
    } else {
        mk_byte(mk, (unsigned)type);
        mk_zigzag(mk, id);
    }
    *last = id;
}

static inline void mk_number(struct mk *mk, int *last, int id, int type, int64_t value)
{
    mk_field(mk, last, id, type);
    mk_zigzag(mk, value);
}

static inline void mk_list(struct mk *mk, int *last, int id, int type, size_t n)
{
    mk_field(mk, last, id, MK_LIST);
    if (n < 15) {
        mk_byte(mk, (unsigned)(n << 4) | (unsigned)type);
    } else {
        mk_byte(mk, 0xf0u | (unsigned)type);
        mk_varint(mk, n);
    }
}

enum { MK_PLAIN_CODEC = 0, MK_SNAPPY = 1, MK_GZIP = 2, MK_LZO = 3, MK_ZSTD = 6 };

static inline void mk_compress(struct mk *out, int codec, const uint8_t *in, size_t n)
{
    size_t room = 4 * n + 1024, length = room;
    char *buffer = malloc(room);
    if (!buffer)
        abort();
    if (codec == MK_SNAPPY) {
        snappy_compress((const char *)in, n, buffer, &length);
    } else if (codec == MK_GZIP) {
        struct libdeflate_compressor *c = libdeflate_alloc_compressor(6);
        length = libdeflate_gzip_compress(c, in, n, buffer, room);
        libdeflate_free_compressor(c);
    } else if (codec == MK_ZSTD) {
        length = ZSTD_compress(buffer, room, in, n, 3);
    } else {
        if (n)
            memcpy(buffer, in, n);
        length = n;
    }
    mk_put(out, buffer, length);
    free(buffer);
}

/* One page to be made. Lies are for the tests of damage. */
struct mk_page {
    int type; /* 0 data, 2 dictionary, 3 data V2 */
    int encoding;
    int n_values;
    int n_nulls;      /* V2 */
    struct mk levels; /* RLE bytes of the definition levels, without a length */
    struct mk values;
    bool with_crc;
    int lie_n_out; /* added to the uncompressed size */
    uint32_t lie_crc;
};

/* Append the page and free its bytes. */
static inline void mk_page(struct mk *out, struct mk_page *page, int codec)
{
    struct mk raw = {0}, body = {0};
    mk_put(&raw, "", 1); /* so that there is something to point to */
    raw.n = 0;
    bool is_v2 = page->type == 3;
    if (page->levels.n && !is_v2)
        mk_u32(&raw, (uint32_t)page->levels.n);
    if (!is_v2)
        mk_put(&raw, page->levels.p, page->levels.n);
    mk_put(&raw, page->values.p, page->values.n);
    if (is_v2)
        mk_put(&body, page->levels.p, page->levels.n);
    mk_compress(&body, codec, raw.p, raw.n);
    size_t n_out = raw.n + (is_v2 ? page->levels.n : 0);
    int last = 0, inner = 0;
    mk_number(out, &last, 1, MK_I32, page->type);
    mk_number(out, &last, 2, MK_I32, (int64_t)n_out + page->lie_n_out);
    mk_number(out, &last, 3, MK_I32, (int64_t)body.n);
    if (page->with_crc)
        mk_number(out, &last, 4, MK_I32,
                  (int32_t)(libdeflate_crc32(0, body.p, body.n) ^ page->lie_crc));
    mk_field(out, &last, page->type == 0 ? 5 : page->type == 2 ? 7 : 8, MK_STRUCT);
    mk_number(out, &inner, 1, MK_I32, page->n_values);
    if (is_v2) {
        mk_number(out, &inner, 2, MK_I32, page->n_nulls);
        mk_number(out, &inner, 3, MK_I32, page->n_values);
        mk_number(out, &inner, 4, MK_I32, page->encoding);
        mk_number(out, &inner, 5, MK_I32, (int64_t)page->levels.n);
        mk_number(out, &inner, 6, MK_I32, 0);
    } else {
        mk_number(out, &inner, 2, MK_I32, page->encoding);
        mk_number(out, &inner, 3, MK_I32, page->type == 0 ? 3 : 0);
        mk_number(out, &inner, 4, MK_I32, 3);
    }
    mk_byte(out, 0);
    mk_byte(out, 0);
    mk_put(out, body.p, body.n);
    free(raw.p);
    free(body.p);
    free(page->levels.p);
    free(page->values.p);
}

/* One column of a file of one or more equal row groups. */
struct mk_column {
    const char *name;
    int type;      /* physical */
    int converted; /* ConvertedType or -1 */
    bool optional, is_group, repeated, is_encrypted;
    int codec;
    int64_t n_values;
    struct mk chunk;
    size_t first_data; /* byte of the first data page in the chunk, where a dictionary precedes */
    bool hide_dictionary; /* give no dictionary_page_offset, and the start as data_page_offset */
    bool has_statistics;
    bool inexact;
    int64_t n_nulls;
    uint8_t min[8], max[8];
    size_t bound_length;
};

struct mk_file {
    struct mk_column *columns;
    size_t n_columns;
    size_t n_groups; /* each repeats the chunks */
    int64_t n_rows;  /* of a group */
    int64_t lie_n_rows;
};

static inline void mk_schema_of(struct mk *out, const struct mk_column *column)
{
    int last = 0;
    if (!column->is_group)
        mk_number(out, &last, 1, MK_I32, column->type);
    mk_number(out, &last, 3, MK_I32, column->repeated ? 2 : column->optional);
    mk_field(out, &last, 4, MK_BINARY);
    mk_text(out, column->name);
    if (column->is_group)
        mk_number(out, &last, 5, MK_I32, 1);
    if (column->converted >= 0)
        mk_number(out, &last, 6, MK_I32, column->converted);
    mk_byte(out, 0);
    if (column->is_group) {
        const struct mk_column leaf = {.name = "step", .type = 1, .converted = -1};
        mk_schema_of(out, &leaf);
    }
}

static inline void mk_chunk_of(struct mk *out, const struct mk_column *column, int64_t start)
{
    int last = 0, meta = 0, stats = 0;
    mk_number(out, &last, 2, MK_I64, start);
    mk_field(out, &last, 3, MK_STRUCT);
    mk_number(out, &meta, 1, MK_I32, column->type);
    mk_list(out, &meta, 2, MK_I32, 1);
    mk_zigzag(out, 0);
    mk_list(out, &meta, 3, MK_BINARY, 1 + column->is_group);
    mk_text(out, column->name);
    if (column->is_group)
        mk_text(out, "step");
    mk_number(out, &meta, 4, MK_I32, column->codec);
    mk_number(out, &meta, 5, MK_I64, column->n_values);
    mk_number(out, &meta, 6, MK_I64, (int64_t)column->chunk.n);
    mk_number(out, &meta, 7, MK_I64, (int64_t)column->chunk.n);
    bool says = column->first_data > 0 && !column->hide_dictionary;
    mk_number(out, &meta, 9, MK_I64, start + (says ? (int64_t)column->first_data : 0));
    if (says)
        mk_number(out, &meta, 11, MK_I64, start);
    if (column->has_statistics) {
        mk_field(out, &meta, 12, MK_STRUCT);
        mk_number(out, &stats, 3, MK_I64, column->n_nulls);
        if (column->bound_length) {
            mk_field(out, &stats, 5, MK_BINARY);
            mk_varint(out, column->bound_length);
            mk_put(out, column->max, column->bound_length);
            mk_field(out, &stats, 6, MK_BINARY);
            mk_varint(out, column->bound_length);
            mk_put(out, column->min, column->bound_length);
        }
        if (column->inexact) {
            mk_field(out, &stats, 7, MK_FALSE);
            mk_field(out, &stats, 8, MK_FALSE);
        }
        mk_byte(out, 0);
    }
    mk_byte(out, 0);
    if (column->is_encrypted) {
        mk_field(out, &last, 8, MK_STRUCT);
        mk_byte(out, 0);
    }
    mk_byte(out, 0);
}

static inline void mk_footer(struct mk *out, const struct mk_file *file, const int64_t *starts)
{
    size_t begin = out->n;
    int last = 0, root = 0;
    mk_number(out, &last, 1, MK_I32, 2);
    size_t n_elements = 1 + file->n_columns;
    for (size_t i = 0; i < file->n_columns; i++)
        n_elements += file->columns[i].is_group;
    mk_list(out, &last, 2, MK_STRUCT, n_elements);
    mk_field(out, &root, 4, MK_BINARY);
    mk_text(out, "schema");
    mk_number(out, &root, 5, MK_I32, (int64_t)file->n_columns);
    mk_byte(out, 0);
    for (size_t i = 0; i < file->n_columns; i++)
        mk_schema_of(out, &file->columns[i]);
    mk_number(out, &last, 3, MK_I64, file->n_rows * (int64_t)file->n_groups + file->lie_n_rows);
    mk_list(out, &last, 4, MK_STRUCT, file->n_groups);
    for (size_t g = 0; g < file->n_groups; g++) {
        int group = 0;
        mk_list(out, &group, 1, MK_STRUCT, file->n_columns);
        for (size_t i = 0; i < file->n_columns; i++)
            mk_chunk_of(out, &file->columns[i], starts[g * file->n_columns + i]);
        mk_number(out, &group, 2, MK_I64, 0);
        mk_number(out, &group, 3, MK_I64, file->n_rows);
        mk_byte(out, 0);
    }
    mk_field(out, &last, 6, MK_BINARY);
    mk_text(out, "made by hand");
    mk_list(out, &last, 7, MK_STRUCT, file->n_columns);
    for (size_t i = 0; i < file->n_columns; i++) {
        int order = 0;
        mk_field(out, &order, 1, MK_STRUCT);
        mk_byte(out, 0);
        mk_byte(out, 0);
    }
    mk_byte(out, 0);
    mk_u32(out, (uint32_t)(out->n - begin));
}

/* The whole file. */
static inline struct mk mk_file(const struct mk_file *file)
{
    struct mk out = {0};
    int64_t *starts = calloc(file->n_groups * file->n_columns + 1, sizeof *starts);
    if (!starts)
        abort();
    mk_put(&out, "PAR1", 4);
    for (size_t i = 0; i < file->n_groups * file->n_columns; i++) {
        const struct mk *chunk = &file->columns[i % file->n_columns].chunk;
        starts[i] = (int64_t)out.n;
        mk_put(&out, chunk->p, chunk->n);
    }
    mk_footer(&out, file, starts);
    mk_put(&out, "PAR1", 4);
    free(starts);
    return out;
}

/* The eleven columns of a step timeline with n rows, each one PLAIN page, required and
 * uncompressed. Row i: dp_rank i % 2, stage i % 4, rank i, step 10 + i / 8, seq_id i % 8, mc mb_id
 * gmc -1, optype forward-compute or backward-compute, start_ts i / 2 s, duration 0.25 s. */
enum { MK_N_STEP_COLUMNS = 11, MK_OPTYPE = 8, MK_START_TS, MK_DURATION };

static inline int64_t mk_int_of(int column, int i)
{
    const int64_t values[8] = {i % 2, i % 4, i, 10 + i / 8, i % 8, -1, -1, -1};
    return values[column];
}

static inline const char *mk_op_of(int i)
{
    return i % 2 ? "backward-compute" : "forward-compute";
}

static inline void mk_step_columns(struct mk_column columns[MK_N_STEP_COLUMNS], int n)
{
    static const char *const names[MK_N_STEP_COLUMNS] = {"dp_rank", "stage",    "rank",    "step",
                                                         "seq_id",  "mc",       "mb_id",   "gmc",
                                                         "optype",  "start_ts", "duration"};
    for (int c = 0; c < MK_N_STEP_COLUMNS; c++) {
        struct mk_page page = {.n_values = n};
        for (int i = 0; i < n; i++)
            if (c == MK_OPTYPE)
                mk_plain_text(&page.values, mk_op_of(i));
            else if (c >= MK_START_TS)
                mk_float(&page.values, c == MK_START_TS ? (float)i / 2 : 0.25f);
            else
                mk_u32(&page.values, (uint32_t)mk_int_of(c, i));
        columns[c] = (struct mk_column){.name = names[c],
                                        .type = c < 8            ? 1
                                                : c == MK_OPTYPE ? 6
                                                                 : 4,
                                        .converted = -1,
                                        .n_values = n};
        mk_page(&columns[c].chunk, &page, 0);
    }
}

static inline void mk_free_columns(struct mk_column *columns, size_t n)
{
    for (size_t i = 0; i < n; i++)
        free(columns[i].chunk.p);
}

#endif
