#include "reports/export/parquet_chunk.h"

#include "core/tables/table.h"
#include "reports/export/rle_writer.h"

#include <math.h>
#include <snappy-c.h>
#include <string.h>
#include <zlib.h>

/* Parquet's numbers. */
enum { PAGE_DATA = 0, PAGE_DICTIONARY = 2 };
enum { ENCODING_PLAIN = 0, ENCODING_RLE = 3, ENCODING_RLE_DICTIONARY = 8 };

#define NO_CODE UINT32_MAX

/* The dictionary of a chunk: text has its words, integers those values of [low, low + span) that
 * occur. span 0: no dictionary. */
struct dictionary {
    int64_t low;
    size_t span, n;
};

/* A chunk being encoded, so that the parts need not hand on six things each. */
struct job {
    struct hc_parquet_chunk *chunk;
    struct hc_parquet_scratch *scratch;
    const struct hc_parquet_column *column;
    const void *values;
    size_t n;
    const struct hc_parquet_options *options;
    struct dictionary dictionary;
};

enum hc_parquet_physical hc_parquet_physical(enum hc_parquet_type type)
{
    switch (type) {
    case HC_PARQUET_I32:
        return HC_PHYSICAL_INT32;
    case HC_PARQUET_I64:
        return HC_PHYSICAL_INT64;
    case HC_PARQUET_F32:
        return HC_PHYSICAL_FLOAT;
    case HC_PARQUET_F64:
        return HC_PHYSICAL_DOUBLE;
    default:
        return HC_PHYSICAL_BYTE_ARRAY;
    }
}

size_t hc_parquet_value_size(enum hc_parquet_type type)
{
    return type == HC_PARQUET_I32 || type == HC_PARQUET_TEXT ? 4 : 8;
}

static bool is_float(enum hc_parquet_type type)
{
    return type == HC_PARQUET_F32 || type == HC_PARQUET_F64;
}

/* Value i of an integer or text column; INT64_MIN when it is missing. */
static int64_t integer_at(const struct job *job, size_t i)
{
    if (job->column->type == HC_PARQUET_I64)
        return ((const int64_t *)job->values)[i];
    int32_t value = ((const int32_t *)job->values)[i];
    return value == HC_MISSING_I32 ? HC_MISSING_I64 : value;
}

static double float_at(const struct job *job, size_t i)
{
    double value = ((const double *)job->values)[i];
    return job->column->type == HC_PARQUET_F32 ? (double)(float)value : value;
}

static bool is_missing(const struct job *job, size_t i)
{
    return is_float(job->column->type) ? isnan(float_at(job, i))
                                       : integer_at(job, i) == HC_MISSING_I64;
}

/* --- range ------------------------------------------------------------------------------------ */

static void put_value(struct hc_bytes *out, enum hc_parquet_type type, int64_t integer, double real)
{
    uint64_t bits = (uint64_t)integer;
    uint32_t half;
    float single = (float)real;
    if (type == HC_PARQUET_F64) {
        memcpy(&bits, &real, sizeof bits);
    } else if (type == HC_PARQUET_F32) {
        memcpy(&half, &single, sizeof half);
        bits = half;
    }
    hc_bytes_little_endian(out, bits, type == HC_PARQUET_I32 || type == HC_PARQUET_F32 ? 4 : 8);
}

static void set_range(struct job *job, int64_t low, int64_t high, double least, double most)
{
    struct hc_parquet_chunk *chunk = job->chunk;
    struct hc_bytes *plain = &job->scratch->plain;
    /* Readers compare -0 and 0 as they like, so zeros are widened, as the format demands. */
    least = least == 0 ? -0.0 : least;
    most = most == 0 ? 0.0 : most;
    hc_bytes_clear(plain);
    put_value(plain, job->column->type, low, least);
    put_value(plain, job->column->type, high, most);
    if (plain->failure.status)
        return;
    chunk->range_size = plain->size / 2;
    memcpy(chunk->least, plain->data, chunk->range_size);
    memcpy(chunk->most, plain->data + chunk->range_size, chunk->range_size);
    chunk->has_range = true;
}

static void scan_floats(struct job *job)
{
    double least = INFINITY, most = -INFINITY;
    for (size_t i = 0; i < job->n; i++) {
        double value = float_at(job, i);
        job->chunk->n_nulls += isnan(value);
        least = value < least ? value : least;
        most = value > most ? value : most;
    }
    if (job->chunk->n_nulls < (int64_t)job->n)
        set_range(job, 0, 0, least, most);
}

static void scan_integers(struct job *job)
{
    int64_t low = INT64_MAX, high = INT64_MIN;
    for (size_t i = 0; i < job->n; i++) {
        int64_t value = integer_at(job, i);
        if (value == HC_MISSING_I64) {
            job->chunk->n_nulls++;
            continue;
        }
        low = value < low ? value : low;
        high = value > high ? value : high;
    }
    if (low > high)
        return;
    set_range(job, low, high, 0, 0);
    uint64_t span = (uint64_t)high - (uint64_t)low;
    if (span < HC_PARQUET_DICTIONARY_SPAN)
        job->dictionary = (struct dictionary){.low = low, .span = (size_t)span + 1};
}

static enum hc_status scan_text(struct job *job, struct hc_error *err)
{
    const struct hc_parquet_column *column = job->column;
    struct hc_parquet_chunk *chunk = job->chunk;
    for (size_t i = 0; i < job->n; i++) {
        int64_t code = integer_at(job, i);
        if (code == HC_MISSING_I64) {
            chunk->n_nulls++;
            continue;
        }
        if (code < 0 || code >= (int64_t)column->n_words)
            return hc_fail(err, HC_INTERNAL, "column '%s': no word for code %lld", column->name,
                           (long long)code);
        const char *word = column->words[code];
        if (column->words_vary) /* it is gone when the footer is written */
            continue;
        if (!chunk->least_word || strcmp(word, chunk->least_word) < 0)
            chunk->least_word = word;
        if (!chunk->most_word || strcmp(word, chunk->most_word) > 0)
            chunk->most_word = word;
    }
    chunk->has_range = chunk->least_word != NULL;
    job->dictionary = (struct dictionary){.span = column->n_words};
    return HC_OK;
}

static enum hc_status scan(struct job *job, struct hc_error *err)
{
    enum hc_status status = HC_OK;
    if (job->column->type == HC_PARQUET_TEXT)
        status = scan_text(job, err);
    else if (is_float(job->column->type))
        scan_floats(job);
    else
        scan_integers(job);
    if (status == HC_OK && job->chunk->n_nulls && !job->column->optional)
        status = hc_fail(err, HC_INTERNAL, "column '%s' may not have missing values, and has %lld",
                         job->column->name, (long long)job->chunk->n_nulls);
    return status;
}

/* --- pages ------------------------------------------------------------------------------------ */

static void data_header(struct hc_thrift *thrift, size_t n_values, int encoding)
{
    hc_thrift_begin(thrift, 5);
    hc_thrift_i32(thrift, 1, (int32_t)n_values);
    hc_thrift_i32(thrift, 2, encoding);
    hc_thrift_i32(thrift, 3, ENCODING_RLE);
    hc_thrift_i32(thrift, 4, ENCODING_RLE);
    hc_thrift_end(thrift);
}

static void dictionary_header(struct hc_thrift *thrift, size_t n_values)
{
    hc_thrift_begin(thrift, 7);
    hc_thrift_i32(thrift, 1, (int32_t)n_values);
    hc_thrift_i32(thrift, 2, ENCODING_PLAIN);
    hc_thrift_end(thrift);
}

/* Header and contents of the page in scratch->plain, to the end of scratch->pages. */
static enum hc_status append_page(struct job *job, int type, size_t n_values, struct hc_error *err)
{
    struct hc_parquet_scratch *scratch = job->scratch;
    const struct hc_bytes *body = &scratch->plain;
    if (hc_bytes_status(&scratch->plain, err))
        return err->status;
    if (!job->options->uncompressed) {
        hc_bytes_clear(&scratch->packed);
        size_t size = snappy_max_compressed_length(scratch->plain.size);
        char *room = (char *)hc_bytes_room(&scratch->packed, size);
        if (room && snappy_compress((const char *)scratch->plain.data, scratch->plain.size, room,
                                    &size) != SNAPPY_OK)
            return hc_fail(err, HC_INTERNAL, "cannot compress a page of column '%s'",
                           job->column->name);
        scratch->packed.size = size;
        body = &scratch->packed;
    }
    hc_bytes_clear(&scratch->header);
    struct hc_thrift thrift = {.out = &scratch->header};
    hc_thrift_i32(&thrift, 1, type);
    hc_thrift_i32(&thrift, 2, (int32_t)scratch->plain.size);
    hc_thrift_i32(&thrift, 3, (int32_t)body->size);
    /* Nothing else in the format tells a flipped bit from another value. */
    hc_thrift_i32(&thrift, 4, (int32_t)crc32_z(0, body->data, body->size));
    if (type == PAGE_DICTIONARY)
        dictionary_header(&thrift, n_values);
    else
        data_header(&thrift, n_values,
                    job->chunk->has_dictionary ? ENCODING_RLE_DICTIONARY : ENCODING_PLAIN);
    hc_thrift_end(&thrift);
    if (hc_bytes_status(body, err) || hc_bytes_status(&scratch->header, err))
        return err->status;
    hc_bytes_append(&scratch->pages, scratch->header.data, scratch->header.size);
    hc_bytes_append(&scratch->pages, body->data, body->size);
    job->chunk->plain_size += (int64_t)(scratch->header.size + scratch->plain.size);
    return hc_bytes_status(&scratch->pages, err);
}

/* Values in ascending order, words in the order of their list; those that do not occur are left
 * out. */
static enum hc_status append_dictionary(struct job *job, struct hc_error *err)
{
    struct dictionary *dictionary = &job->dictionary;
    uint32_t *code_of = job->scratch->code_of;
    struct hc_bytes *plain = &job->scratch->plain;
    for (size_t i = 0; i < dictionary->span; i++)
        code_of[i] = NO_CODE;
    for (size_t i = 0; i < job->n; i++)
        if (!is_missing(job, i))
            code_of[integer_at(job, i) - dictionary->low] = 0;
    hc_bytes_clear(plain);
    for (size_t i = 0; i < dictionary->span; i++) {
        if (code_of[i] == NO_CODE)
            continue;
        code_of[i] = (uint32_t)dictionary->n++;
        if (job->column->type == HC_PARQUET_TEXT) {
            const char *word = job->column->words[i];
            hc_bytes_little_endian(plain, strlen(word), 4);
            hc_bytes_append(plain, word, strlen(word));
        } else {
            put_value(plain, job->column->type, dictionary->low + (int64_t)i, 0);
        }
    }
    job->chunk->has_dictionary = true;
    return append_page(job, PAGE_DICTIONARY, dictionary->n, err);
}

static void put_levels(struct job *job, size_t from, size_t n)
{
    struct hc_bytes *plain = &job->scratch->plain;
    for (size_t i = 0; i < n; i++)
        job->scratch->levels[i] = !is_missing(job, from + i);
    size_t prefix = plain->size;
    hc_bytes_little_endian(plain, 0, 4);
    hc_rle_write(plain, job->scratch->levels, n, 1);
    if (plain->failure.status)
        return;
    for (size_t i = 0; i < 4; i++)
        plain->data[prefix + i] = (unsigned char)((plain->size - prefix - 4) >> 8 * i);
}

static void put_codes(struct job *job, size_t from, size_t n)
{
    struct hc_parquet_scratch *scratch = job->scratch;
    size_t n_codes = 0;
    for (size_t i = from; i < from + n; i++)
        if (!is_missing(job, i))
            scratch->codes[n_codes++] = scratch->code_of[integer_at(job, i) - job->dictionary.low];
    unsigned bit_width = hc_rle_bit_width(job->dictionary.n);
    hc_bytes_byte(&scratch->plain, (unsigned char)bit_width);
    hc_rle_write(&scratch->plain, scratch->codes, n_codes, bit_width);
}

static void put_plain(struct job *job, size_t from, size_t n)
{
    enum hc_parquet_type type = job->column->type;
    bool real = is_float(type);
    for (size_t i = from; i < from + n; i++)
        if (!is_missing(job, i))
            put_value(&job->scratch->plain, type, real ? 0 : integer_at(job, i),
                      real ? float_at(job, i) : 0);
}

static enum hc_status append_data(struct job *job, size_t from, size_t n, struct hc_error *err)
{
    hc_bytes_clear(&job->scratch->plain);
    if (job->column->optional)
        put_levels(job, from, n);
    if (job->chunk->has_dictionary)
        put_codes(job, from, n);
    else
        put_plain(job, from, n);
    return append_page(job, PAGE_DATA, n, err);
}

enum hc_status hc_parquet_encode_chunk(struct hc_parquet_chunk *chunk,
                                       struct hc_parquet_scratch *scratch,
                                       const struct hc_parquet_held *held,
                                       const struct hc_parquet_options *options,
                                       struct hc_error *err)
{
    size_t n = held->n;
    struct job job = {.chunk = chunk,
                      .scratch = scratch,
                      .column = held->column,
                      .values = held->values,
                      .n = n,
                      .options = options};
    memset(chunk, 0, sizeof *chunk);
    chunk->n_values = (int64_t)n;
    hc_bytes_clear(&scratch->pages);
    if (scan(&job, err) || (job.dictionary.span && append_dictionary(&job, err)))
        return err->status;
    chunk->data_offset = (int64_t)scratch->pages.size;
    for (size_t from = 0; from < n; from += options->page_rows) {
        size_t rows = n - from < options->page_rows ? n - from : options->page_rows;
        if (append_data(&job, from, rows, err))
            return err->status;
    }
    chunk->stored_size = (int64_t)scratch->pages.size;
    return HC_OK;
}
