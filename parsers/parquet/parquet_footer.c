#include "parsers/parquet/parquet_footer.h"

#include "core/base/memory.h"
#include "parsers/parquet/parquet_bytes.h"
#include "parsers/parquet/parquet_codec.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#define MAGIC_LENGTH 4
#define TAIL_LENGTH  8 /* footer length and magic */

/* ColumnChunk and what hangs on it, flattened. */
struct chunk_fields {
    struct hc_thrift_bytes file_path, path, min, max, encrypted;
    int n_path;
    bool has_meta, has_crypto, has_statistics;
    int32_t type, codec;
    int64_t n_values, size, data_offset, dictionary_offset, n_nulls;
    int8_t min_is_exact, max_is_exact;
};

/* The pass over the row groups. */
struct walk {
    struct hc_parquet_footer *footer;
    struct hc_error *err;
    int64_t n_rows; /* in the groups so far */
    int64_t n_orders;
};

struct group_fields {
    struct walk *walk;
    int64_t n_rows;
    int64_t n_leaves;
};

static void read_path_element(struct hc_thrift *thrift, int type, void *target)
{
    struct chunk_fields *chunk = target;
    chunk->path = hc_thrift_read_bytes(thrift, type);
    chunk->n_path++;
}

#define MEMBER(name) offsetof(struct chunk_fields, name)

static const struct hc_thrift_field no_fields[] = {{0}};

/* Fields 1 and 2, the older min and max, have no defined order and are not read. */
static const struct hc_thrift_field statistics_fields[] = {
    {3, HC_THRIFT_INT64, MEMBER(n_nulls), NULL, NULL},
    {5, HC_THRIFT_BYTES, MEMBER(max), NULL, NULL},
    {6, HC_THRIFT_BYTES, MEMBER(min), NULL, NULL},
    {7, HC_THRIFT_BOOL, MEMBER(max_is_exact), NULL, NULL},
    {8, HC_THRIFT_BOOL, MEMBER(min_is_exact), NULL, NULL},
    {0},
};

static const struct hc_thrift_field meta_fields[] = {
    {1, HC_THRIFT_INT32, MEMBER(type), NULL, NULL},
    {3, HC_THRIFT_LIST, 0, NULL, read_path_element},
    {4, HC_THRIFT_INT32, MEMBER(codec), NULL, NULL},
    {5, HC_THRIFT_INT64, MEMBER(n_values), NULL, NULL},
    {7, HC_THRIFT_INT64, MEMBER(size), NULL, NULL},
    {9, HC_THRIFT_INT64, MEMBER(data_offset), NULL, NULL},
    {11, HC_THRIFT_INT64, MEMBER(dictionary_offset), NULL, NULL},
    {12, HC_THRIFT_STRUCT, MEMBER(has_statistics), statistics_fields, NULL},
    {0},
};

static const struct hc_thrift_field chunk_fields[] = {
    {1, HC_THRIFT_BYTES, MEMBER(file_path), NULL, NULL},
    {3, HC_THRIFT_STRUCT, MEMBER(has_meta), meta_fields, NULL},
    {8, HC_THRIFT_STRUCT, MEMBER(has_crypto), no_fields, NULL},
    {9, HC_THRIFT_BYTES, MEMBER(encrypted), NULL, NULL},
    {0},
};

/* One bound of the statistics; NULL or what is wrong with it. */
static const char *set_bound(uint8_t bound[8], bool *has, const struct hc_thrift_bytes *bytes,
                             const struct hc_parquet_field *field)
{
    size_t width = hc_parquet_type_width(field->type);
    if (!bytes->data || width == 0 || !field->ordered)
        return NULL;
    if (bytes->length != width)
        return "a minimum or maximum in its statistics has the wrong length";
    memcpy(bound, bytes->data, width);
    *has = true;
    return NULL;
}

/* Where the chunk lies. The dictionary page comes first when there is one, but the offset of the
 * data pages is the start too in files that give 0 for the dictionary or do not mention it. */
static const char *set_extent(struct hc_parquet_chunk *chunk, const struct chunk_fields *fields,
                              int64_t limit)
{
    chunk->start = fields->data_offset;
    if (fields->dictionary_offset > 0 && fields->dictionary_offset < chunk->start)
        chunk->start = fields->dictionary_offset;
    chunk->size = fields->size;
    if (chunk->n_values == 0 && chunk->size == 0)
        return NULL;
    if (chunk->start < MAGIC_LENGTH || chunk->size < 0 || chunk->start > limit ||
        chunk->size > limit - chunk->start)
        return "its bytes do not lie between the start of the file and the footer";
    return NULL;
}

static const char *set_chunk(struct hc_parquet_chunk *chunk, const struct chunk_fields *fields,
                             const struct hc_parquet_field *field, int64_t limit)
{
    if (fields->has_crypto || fields->encrypted.data)
        return "it is encrypted, which is unsupported; decrypt the file first";
    if (fields->file_path.data && fields->file_path.length > 0)
        return "it is kept in another file, which is unsupported";
    if (!fields->has_meta)
        return "its metadata is missing";
    if (fields->type != field->type)
        return "its type is not the one in the schema";
    if (fields->n_path != 1 || fields->path.length != strlen(field->name) ||
        memcmp(fields->path.data, field->name, fields->path.length) != 0)
        return "the chunk in its place is of another column";
    if (fields->n_values < 0)
        return "its number of values is missing or negative";
    *chunk = (struct hc_parquet_chunk){.n_values = fields->n_values, .codec = fields->codec};
    struct hc_parquet_promise *promise = &chunk->promise;
    promise->n_nulls = fields->n_nulls;
    promise->min_is_exact = fields->min_is_exact;
    promise->max_is_exact = fields->max_is_exact;
    const char *problem = set_extent(chunk, fields, limit);
    if (!problem)
        problem = set_bound(promise->min, &promise->has_min, &fields->min, field);
    if (!problem)
        problem = set_bound(promise->max, &promise->has_max, &fields->max, field);
    return problem;
}

static enum hc_status fail_chunk(const struct walk *walk, const struct hc_parquet_field *field,
                                 const char *problem)
{
    return hc_fail(walk->err, HC_BAD_INPUT, "'%s': row group %zu, column '%s': %s",
                   walk->footer->source->name, walk->footer->n_groups, field->name, problem);
}

static void read_chunk(struct hc_thrift *thrift, int type, void *target)
{
    struct group_fields *group = target;
    struct hc_parquet_footer *footer = group->walk->footer;
    struct chunk_fields fields = {.type = -1,
                                  .codec = -1,
                                  .n_values = -1,
                                  .size = -1,
                                  .n_nulls = -1,
                                  .min_is_exact = 1,
                                  .max_is_exact = 1};
    hc_thrift_read_element(thrift, type, chunk_fields, &fields);
    int64_t leaf = group->n_leaves++;
    for (size_t i = 0; i < footer->schema.n_columns && !thrift->problem; i++) {
        const struct hc_parquet_field *field = &footer->schema.columns[i];
        if (field->leaf != leaf)
            continue;
        struct hc_parquet_chunk *chunk =
            &footer->chunks[footer->n_groups * footer->schema.n_columns + i];
        const char *problem = set_chunk(chunk, &fields, field, footer->offset);
        if (!problem && !hc_parquet_codec_known(fields.codec)) {
            hc_fail(group->walk->err, HC_BAD_INPUT,
                    "'%s': column '%s': compression %s is unsupported; "
                    "write the file with snappy, gzip, zstd or none",
                    footer->source->name, field->name, hc_parquet_codec_name(fields.codec));
            hc_thrift_stop(thrift, "");
        } else if (problem) {
            fail_chunk(group->walk, field, problem);
            hc_thrift_stop(thrift, "");
        }
    }
}

static const struct hc_thrift_field group_struct[] = {
    {1, HC_THRIFT_LIST, 0, NULL, read_chunk},
    {3, HC_THRIFT_INT64, offsetof(struct group_fields, n_rows), NULL, NULL},
    {0},
};

/* The counts of a group that has been read. */
static enum hc_status check_group(const struct walk *walk, const struct group_fields *group)
{
    const struct hc_parquet_footer *footer = walk->footer;
    const char *name = footer->source->name;
    size_t n_columns = footer->schema.n_columns;
    if (group->n_leaves != footer->schema.n_leaves)
        return hc_fail(walk->err, HC_BAD_INPUT,
                       "'%s': row group %zu has %" PRId64 " columns, the schema %" PRId64, name,
                       footer->n_groups, group->n_leaves, footer->schema.n_leaves);
    if (group->n_rows < 0 || group->n_rows > footer->n_rows - walk->n_rows)
        return hc_fail(walk->err, HC_BAD_INPUT,
                       "'%s': row group %zu has %" PRId64 " rows, the file %" PRId64 " in all",
                       name, footer->n_groups, group->n_rows, footer->n_rows);
    for (size_t i = 0; i < n_columns; i++) {
        int64_t n_values = footer->chunks[footer->n_groups * n_columns + i].n_values;
        if (n_values != group->n_rows)
            return hc_fail(walk->err, HC_BAD_INPUT,
                           "'%s': row group %zu, column '%s': it has %" PRId64
                           " values, the row group %" PRId64 " rows",
                           name, footer->n_groups, footer->schema.columns[i].name, n_values,
                           group->n_rows);
    }
    return HC_OK;
}

static void read_group(struct hc_thrift *thrift, int type, void *target)
{
    struct walk *walk = target;
    struct hc_parquet_footer *footer = walk->footer;
    size_t n_columns = footer->schema.n_columns;
    if (hc_reserve(&footer->chunks, &footer->chunk_capacity, (footer->n_groups + 1) * n_columns,
                   sizeof *footer->chunks, walk->err)) {
        hc_thrift_stop(thrift, "");
        return;
    }
    struct group_fields group = {walk, -1, 0};
    hc_thrift_read_element(thrift, type, group_struct, &group);
    if (thrift->problem)
        return;
    if (check_group(walk, &group)) {
        hc_thrift_stop(thrift, "");
        return;
    }
    walk->n_rows += group.n_rows;
    footer->n_groups++;
}

/* The first pass: everything but the row groups. */
struct file_fields {
    struct hc_parquet_footer *footer;
    int64_t n_rows;
    int64_t n_orders;
};

static void read_schema_element(struct hc_thrift *thrift, int type, void *target)
{
    hc_parquet_schema_element(&((struct file_fields *)target)->footer->schema, thrift, type);
}

struct order_fields {
    bool by_type;
};

static void read_order(struct hc_thrift *thrift, int type, void *target)
{
    static const struct hc_thrift_field fields[] = {
        {1, HC_THRIFT_STRUCT, offsetof(struct order_fields, by_type), no_fields, NULL}, {0}};
    struct file_fields *file = target;
    struct order_fields order = {false};
    hc_thrift_read_element(thrift, type, fields, &order);
    struct hc_parquet_schema *schema = &file->footer->schema;
    for (size_t i = 0; i < schema->n_columns; i++)
        if (schema->columns[i].leaf == file->n_orders)
            schema->columns[i].ordered = order.by_type;
    file->n_orders++;
}

static const struct hc_thrift_field file_struct[] = {
    {2, HC_THRIFT_LIST, 0, NULL, read_schema_element},
    {3, HC_THRIFT_INT64, offsetof(struct file_fields, n_rows), NULL, NULL},
    {7, HC_THRIFT_LIST, 0, NULL, read_order},
    {0},
};

static const struct hc_thrift_field groups_struct[] = {
    {4, HC_THRIFT_LIST, 0, NULL, read_group},
    {0},
};

static enum hc_status fail_thrift(const struct hc_parquet_footer *footer,
                                  const struct hc_thrift *thrift, struct hc_error *err)
{
    if (thrift->problem[0] == '\0')
        return err->status;
    return hc_fail(err, HC_BAD_INPUT, "'%s': footer at byte %" PRId64 ", near byte %" PRId64 ": %s",
                   footer->source->name, footer->offset,
                   footer->offset + (thrift->at - thrift->begin), thrift->problem);
}

/* Find the footer by the tail of the file and read its bytes. */
static enum hc_status load(struct hc_parquet_footer *footer, struct hc_error *err)
{
    const struct hc_source *source = footer->source;
    uint8_t head[MAGIC_LENGTH], tail[TAIL_LENGTH];
    if (source->size < MAGIC_LENGTH + TAIL_LENGTH)
        return hc_fail(err, HC_BAD_INPUT, "'%s': %" PRId64 " bytes are too few for a Parquet file",
                       source->name, source->size);
    if (hc_source_read_at(source, 0, head, sizeof head, err) ||
        hc_source_read_at(source, source->size - TAIL_LENGTH, tail, sizeof tail, err))
        return err->status;
    if (!memcmp(tail + 4, "PARE", 4) || !memcmp(head, "PARE", 4))
        return hc_fail(
            err, HC_BAD_INPUT,
            "'%s': the footer is encrypted, which is unsupported; decrypt the file first",
            source->name);
    if (memcmp(head, "PAR1", 4) != 0)
        return hc_fail(
            err, HC_BAD_INPUT,
            "'%s': byte 0: a Parquet file starts with 'PAR1'; unpack it first if it is packed",
            source->name);
    if (memcmp(tail + 4, "PAR1", 4) != 0)
        return hc_fail(err, HC_BAD_INPUT,
                       "'%s': byte %" PRId64 ": a Parquet file ends with 'PAR1'; it may be cut off",
                       source->name, source->size - 4);
    int64_t length = hc_load_u32(tail);
    if (length > source->size - MAGIC_LENGTH - TAIL_LENGTH || length > HC_PARQUET_MAX_FOOTER)
        return hc_fail(err, HC_BAD_INPUT,
                       "'%s': byte %" PRId64 ": a footer of %" PRId64
                       " bytes is longer than the file or than %" PRId64 " bytes",
                       source->name, source->size - TAIL_LENGTH, length, HC_PARQUET_MAX_FOOTER);
    footer->offset = source->size - TAIL_LENGTH - length;
    footer->length = (size_t)length;
    footer->bytes = hc_new_array(footer->length, 1, err);
    if (!footer->bytes)
        return err->status;
    return hc_source_read_at(source, footer->offset, footer->bytes, footer->length, err);
}

enum hc_status hc_parquet_footer_open(struct hc_parquet_footer *footer,
                                      const struct hc_source *source, const char *const *names,
                                      size_t n, struct hc_error *err)
{
    *footer = (struct hc_parquet_footer){.source = source};
    hc_parquet_schema_init(&footer->schema, names, n);
    if (load(footer, err))
        return err->status;
    struct hc_thrift thrift;
    hc_thrift_init(&thrift, footer->bytes, footer->length);
    struct file_fields file = {.footer = footer, .n_rows = -1};
    hc_thrift_read_struct(&thrift, file_struct, &file);
    if (!thrift.problem && !hc_parquet_schema_complete(&footer->schema))
        hc_thrift_stop(&thrift, "the schema has fewer columns than it announces");
    if (!thrift.problem && file.n_rows < 0)
        hc_thrift_stop(&thrift, "the number of rows is missing or negative");
    if (!thrift.problem && thrift.at != thrift.end)
        hc_thrift_stop(&thrift, "bytes follow that are no part of it");
    if (thrift.problem)
        return fail_thrift(footer, &thrift, err);
    footer->n_rows = file.n_rows;
    return HC_OK;
}

enum hc_status hc_parquet_footer_groups(struct hc_parquet_footer *footer, struct hc_error *err)
{
    struct hc_thrift thrift;
    hc_thrift_init(&thrift, footer->bytes, footer->length);
    struct walk walk = {.footer = footer, .err = err};
    hc_thrift_read_struct(&thrift, groups_struct, &walk);
    if (thrift.problem)
        return fail_thrift(footer, &thrift, err);
    if (walk.n_rows != footer->n_rows)
        return hc_fail(err, HC_BAD_INPUT,
                       "'%s': the row groups have %" PRId64
                       " rows together, the file says %" PRId64,
                       footer->source->name, walk.n_rows, footer->n_rows);
    free(footer->bytes);
    footer->bytes = NULL;
    return HC_OK;
}

void hc_parquet_footer_close(struct hc_parquet_footer *footer)
{
    free(footer->bytes);
    free(footer->chunks);
    footer->bytes = NULL;
    footer->chunks = NULL;
}
