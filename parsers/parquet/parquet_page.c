#include "parsers/parquet/parquet_page.h"

#include "core/base/memory.h"
#include "parsers/parquet/parquet_bytes.h"
#include "parsers/parquet/parquet_thrift.h"

#include <inttypes.h>
#include <libdeflate.h>
#include <stdlib.h>

#define HEADER_GUESS 256                 /* bytes read for a header; more when it is longer */
#define MAX_HEADER   ((int64_t)16 << 20) /* headers may hold statistics of long texts */
#define ABSENT       INT32_MIN

enum { DATA_PAGE, INDEX_PAGE, DICTIONARY_PAGE, DATA_PAGE_V2 };

/* PageHeader and the struct for its type, flattened. */
struct header {
    int32_t type, n_out, n_in, crc;
    bool has_v1, has_dictionary, has_v2;
    int32_t n_values, encoding, level_encoding;
    int32_t n_nulls, n_rows, n_level_bytes, n_repetition_bytes;
    int8_t is_compressed;
    int64_t n_bytes; /* of the header itself */
};

#define MEMBER(name) offsetof(struct header, name)

static const struct hc_thrift_field v1_fields[] = {
    {1, HC_THRIFT_INT32, MEMBER(n_values), NULL, NULL},
    {2, HC_THRIFT_INT32, MEMBER(encoding), NULL, NULL},
    {3, HC_THRIFT_INT32, MEMBER(level_encoding), NULL, NULL},
    {0},
};

static const struct hc_thrift_field dictionary_fields[] = {
    {1, HC_THRIFT_INT32, MEMBER(n_values), NULL, NULL},
    {2, HC_THRIFT_INT32, MEMBER(encoding), NULL, NULL},
    {0},
};

static const struct hc_thrift_field v2_fields[] = {
    {1, HC_THRIFT_INT32, MEMBER(n_values), NULL, NULL},
    {2, HC_THRIFT_INT32, MEMBER(n_nulls), NULL, NULL},
    {3, HC_THRIFT_INT32, MEMBER(n_rows), NULL, NULL},
    {4, HC_THRIFT_INT32, MEMBER(encoding), NULL, NULL},
    {5, HC_THRIFT_INT32, MEMBER(n_level_bytes), NULL, NULL},
    {6, HC_THRIFT_INT32, MEMBER(n_repetition_bytes), NULL, NULL},
    {7, HC_THRIFT_BOOL, MEMBER(is_compressed), NULL, NULL},
    {0},
};

static const struct hc_thrift_field header_fields[] = {
    {1, HC_THRIFT_INT32, MEMBER(type), NULL, NULL},
    {2, HC_THRIFT_INT32, MEMBER(n_out), NULL, NULL},
    {3, HC_THRIFT_INT32, MEMBER(n_in), NULL, NULL},
    {4, HC_THRIFT_INT32, MEMBER(crc), NULL, NULL},
    {5, HC_THRIFT_STRUCT, MEMBER(has_v1), v1_fields, NULL},
    {7, HC_THRIFT_STRUCT, MEMBER(has_dictionary), dictionary_fields, NULL},
    {8, HC_THRIFT_STRUCT, MEMBER(has_v2), v2_fields, NULL},
    {0},
};

void hc_parquet_pages_start(struct hc_parquet_pages *pages, const struct hc_source *source,
                            const struct hc_parquet_field *field,
                            const struct hc_parquet_chunk *chunk)
{
    pages->source = source;
    pages->field = field;
    pages->chunk = chunk;
    pages->at = chunk->start;
    pages->end = chunk->start + chunk->size;
}

void hc_parquet_pages_fini(struct hc_parquet_pages *pages)
{
    free(pages->packed.data);
    free(pages->body.data);
    pages->packed = pages->body = (struct hc_parquet_buffer){0};
}

/* What the header of a page must fulfil whatever the column; NULL or what is wrong. */
static const char *problem_of(const struct header *header, const struct hc_parquet_pages *pages)
{
    if (header->type < DATA_PAGE || header->type > DATA_PAGE_V2)
        return "its page type is unknown";
    if (header->n_in < 0 || header->n_in > pages->end - pages->at - header->n_bytes)
        return "its compressed size is negative or reaches beyond the column chunk";
    if (header->n_out < 0 || header->n_out > HC_PARQUET_MAX_PAGE)
        return "its uncompressed size is negative or over 256 MiB";
    if (header->type == INDEX_PAGE)
        return NULL;
    if ((header->type == DATA_PAGE && !header->has_v1) ||
        (header->type == DICTIONARY_PAGE && !header->has_dictionary) ||
        (header->type == DATA_PAGE_V2 && !header->has_v2))
        return "the part that belongs to its page type is missing";
    if (header->n_values < 0)
        return "its number of values is missing or negative";
    if (header->type == DATA_PAGE && pages->field->optional &&
        header->level_encoding != HC_PARQUET_RLE)
        return header->level_encoding == HC_PARQUET_BIT_PACKED
                   ? "levels in the deprecated encoding BIT_PACKED are unsupported"
                   : "its definition levels are not RLE encoded";
    if (header->type != DATA_PAGE_V2)
        return NULL;
    if (header->n_level_bytes < 0 || header->n_repetition_bytes != 0 ||
        header->n_level_bytes > header->n_in || header->n_level_bytes > header->n_out)
        return "the lengths of its levels are wrong";
    if (header->n_nulls < 0 || header->n_nulls > header->n_values ||
        header->n_rows != header->n_values)
        return "its numbers of nulls or rows do not fit its number of values";
    if (!pages->field->optional && (header->n_nulls > 0 || header->n_level_bytes > 0))
        return "it has nulls or levels in a column that is required";
    return NULL;
}

static enum hc_status fail_page(const struct hc_parquet_pages *pages, const char *what,
                                struct hc_error *err)
{
    return hc_context(err, "'%s': column '%s': %s at byte %" PRId64, pages->source->name,
                      pages->field->name, what, pages->at);
}

/* Refuse what is made to fill memory, before anything is allocated for it. */
static enum hc_status check_budget(const struct hc_parquet_pages *pages,
                                   const struct header *header, struct hc_error *err)
{
    const int64_t n_values = pages->chunk->n_values, n_bytes = pages->source->size;
    const int64_t beyond = header->n_out - HC_PARQUET_FREE_PAGE;
    if (header->type == DICTIONARY_PAGE && header->n_values > HC_PARQUET_FREE_DICTIONARY &&
        header->n_values > n_values)
        return hc_fail(err, HC_BAD_INPUT,
                       "a dictionary of %" PRId32 " values is over %d and over the %" PRId64
                       " values of the column chunk: it is made to fill memory, or has values "
                       "that no row uses; write the file without them",
                       header->n_values, HC_PARQUET_FREE_DICTIONARY, n_values);
    if (beyond > 0 && (beyond - 1) / HC_PARQUET_PAGE_PER_BYTE >= n_bytes)
        return hc_fail(err, HC_BAD_INPUT,
                       "an uncompressed size of %" PRId32 " bytes is over %" PRId64
                       " and %d for each of the %" PRId64 " bytes of the file: it is made to fill "
                       "memory, or packed uncommonly well; then write it with smaller pages",
                       header->n_out, HC_PARQUET_FREE_PAGE, HC_PARQUET_PAGE_PER_BYTE, n_bytes);
    return HC_OK;
}

/* Read and check the header at pages->at, with as many bytes as it takes. */
static enum hc_status read_header(struct hc_parquet_pages *pages, struct header *header,
                                  struct hc_error *err)
{
    struct hc_thrift thrift;
    const int64_t left = pages->end - pages->at;
    int64_t window = left < HEADER_GUESS ? left : HEADER_GUESS;
    for (;;) {
        if (hc_parquet_buffer_reserve(&pages->packed, (size_t)window, err) ||
            hc_source_read_at(pages->source, pages->at, pages->packed.data, (size_t)window, err))
            return err->status;
        *header = (struct header){.type = -1,
                                  .n_out = -1,
                                  .n_in = -1,
                                  .crc = ABSENT,
                                  .n_values = -1,
                                  .encoding = -1,
                                  .level_encoding = -1,
                                  .n_nulls = -1,
                                  .n_rows = -1,
                                  .is_compressed = 1};
        hc_thrift_init(&thrift, pages->packed.data, (size_t)window);
        hc_thrift_read_struct(&thrift, header_fields, header);
        if (!thrift.ran_out || window == left || window >= MAX_HEADER)
            break;
        window = left / 16 < window ? left : window * 16;
    }
    header->n_bytes = thrift.at - thrift.begin;
    const char *problem = thrift.problem ? thrift.problem : problem_of(header, pages);
    if (problem)
        hc_fail(err, HC_BAD_INPUT, "%s", problem);
    else if (header->type == INDEX_PAGE || !check_budget(pages, header, err))
        return HC_OK;
    return fail_page(pages, "page header", err);
}

/* Bring the bytes of the page into pages->body, decompressed. */
static enum hc_status read_body(struct hc_parquet_pages *pages, const struct header *header,
                                struct hc_error *err)
{
    const size_t n_in = (size_t)header->n_in, n_out = (size_t)header->n_out;
    const size_t n_raw = header->type == DATA_PAGE_V2 ? (size_t)header->n_level_bytes : 0;
    int32_t codec = header->is_compressed ? pages->chunk->codec : HC_PARQUET_UNCOMPRESSED;
    if (hc_parquet_buffer_reserve(&pages->packed, n_in, err) ||
        hc_source_read_at(pages->source, pages->at + header->n_bytes, pages->packed.data, n_in,
                          err))
        return err->status;
    const uint8_t *in = pages->packed.data;
    enum hc_status status;
    /* the one checksum in four billion that looks absent goes unchecked */
    if (header->crc != ABSENT && libdeflate_crc32(0, in, n_in) != (uint32_t)header->crc)
        status = hc_fail(err, HC_BAD_INPUT, "its checksum does not match, the file is damaged");
    else /* in V2 the levels stand in front, never compressed */
        status =
            hc_parquet_decompress(HC_PARQUET_UNCOMPRESSED, in, n_raw, &pages->body, 0, n_raw, err);
    if (status == HC_OK)
        status = hc_parquet_decompress(codec, in + n_raw, n_in - n_raw, &pages->body, n_raw,
                                       n_out - n_raw, err);
    return status ? fail_page(pages, "page", err) : HC_OK;
}

/* Cut the levels off the values. */
static enum hc_status split(const struct hc_parquet_pages *pages, const struct header *header,
                            struct hc_parquet_page *page, struct hc_error *err)
{
    const uint8_t *body = pages->body.data;
    page->values = body;
    page->values_end = body + header->n_out;
    page->levels = page->levels_end = NULL;
    if (header->type == DICTIONARY_PAGE || !pages->field->optional)
        return HC_OK;
    size_t n_levels = (size_t)header->n_level_bytes;
    page->levels = body;
    if (header->type == DATA_PAGE) {
        if (header->n_out < 4 || hc_load_u32(body) > (uint32_t)header->n_out - 4) {
            hc_fail(err, HC_BAD_INPUT, "its definition levels are longer than the page");
            return fail_page(pages, "page", err);
        }
        n_levels = hc_load_u32(body);
        page->levels = body + 4;
    }
    page->levels_end = page->values = page->levels + n_levels;
    return HC_OK;
}

enum hc_status hc_parquet_pages_next(struct hc_parquet_pages *pages, struct hc_parquet_page *page,
                                     bool *more, struct hc_error *err)
{
    struct header header;
    do {
        *more = pages->at < pages->end;
        if (!*more)
            return HC_OK;
        if (read_header(pages, &header, err))
            return err->status;
        if (header.type == INDEX_PAGE)
            pages->at += header.n_bytes + header.n_in;
    } while (header.type == INDEX_PAGE);
    if (read_body(pages, &header, err))
        return err->status;
    *page = (struct hc_parquet_page){.is_dictionary = header.type == DICTIONARY_PAGE,
                                     .encoding = header.encoding,
                                     .n_values = header.n_values,
                                     .n_nulls = header.n_nulls,
                                     .place = pages->at};
    if (split(pages, &header, page, err))
        return err->status;
    pages->at += header.n_bytes + header.n_in;
    return HC_OK;
}
