#include "parsers/parquet/parquet_column.h"

#include "core/base/dispatch.h"
#include "parsers/parquet/parquet_bytes.h"

#include <inttypes.h>

/* The conversion that gives the target from the type of the field; false when none does. */
static bool choose_kind(const struct hc_parquet_field *field, enum hc_parquet_target target,
                        enum hc_parquet_convert *kind)
{
    switch (target) {
    case HC_PARQUET_INTEGERS:
        if (field->meaning != HC_PARQUET_NO_MEANING && field->meaning != HC_PARQUET_MEANS_INTEGER)
            return false;
        if (field->type == HC_PARQUET_INT32)
            *kind = field->is_unsigned ? HC_PARQUET_FROM_U32 : HC_PARQUET_FROM_I32;
        else
            *kind = field->is_unsigned ? HC_PARQUET_FROM_U64 : HC_PARQUET_FROM_I64;
        return field->type == HC_PARQUET_INT32 || field->type == HC_PARQUET_INT64;
    case HC_PARQUET_SECONDS:
        *kind = field->type == HC_PARQUET_FLOAT ? HC_PARQUET_FROM_F32_SECONDS
                                                : HC_PARQUET_FROM_F64_SECONDS;
        return (field->type == HC_PARQUET_FLOAT || field->type == HC_PARQUET_DOUBLE) &&
               field->meaning == HC_PARQUET_NO_MEANING;
    default:
        *kind = HC_PARQUET_FROM_NAME;
        return field->type == HC_PARQUET_BYTE_ARRAY && field->meaning != HC_PARQUET_MEANS_OTHER &&
               field->meaning != HC_PARQUET_MEANS_INTEGER;
    }
}

static const char *wanted_type(enum hc_parquet_target target)
{
    switch (target) {
    case HC_PARQUET_INTEGERS:
        return "it must be INT32 or INT64, annotated as nothing but an integer";
    case HC_PARQUET_SECONDS:
        return "it must be FLOAT or DOUBLE, in seconds; the unit of others is not known";
    default:
        return "it must be BYTE_ARRAY, holding text";
    }
}

static enum hc_status fail_type(const struct hc_parquet_column *column,
                                enum hc_parquet_target target, struct hc_error *err)
{
    const struct hc_parquet_field *field = column->field;
    return hc_fail(err, HC_BAD_INPUT, "'%s': column '%s': type %s%s is unsupported here; %s",
                   column->source->name, field->name, hc_parquet_type_name(field->type),
                   field->meaning == HC_PARQUET_NO_MEANING ? "" : " with its annotation",
                   wanted_type(target));
}

enum hc_status hc_parquet_column_init(struct hc_parquet_column *column,
                                      const struct hc_source *source,
                                      const struct hc_parquet_field *field,
                                      enum hc_parquet_target target,
                                      const struct hc_parquet_names *names, struct hc_error *err)
{
    *column = (struct hc_parquet_column){.source = source, .field = field};
    if (field->nested)
        return hc_fail(err, HC_BAD_INPUT,
                       "'%s': column '%s': nested and repeated columns are unsupported here; "
                       "write it as a flat column",
                       source->name, field->name);
    if (!choose_kind(field, target, &column->values.kind))
        return fail_type(column, target, err);
    column->values.width = hc_parquet_type_width(field->type);
    column->values.names = names;
    return HC_OK;
}

void hc_parquet_column_fini(struct hc_parquet_column *column)
{
    hc_parquet_pages_fini(&column->pages);
    hc_parquet_values_fini(&column->values);
}

void hc_parquet_column_start(struct hc_parquet_column *column, const struct hc_parquet_chunk *chunk)
{
    hc_parquet_pages_start(&column->pages, column->source, column->field, chunk);
    column->chunk = chunk;
    column->chunk_left = chunk->n_values;
    column->values.has_dictionary = column->has_data = column->in_page = false;
    column->page_left = 0;
    column->min = INT64_MAX;
    column->max = INT64_MIN;
    column->n_nulls = 0;
}

/* Put file, column and page in front of what went wrong in it. */
static enum hc_status in_page(const struct hc_parquet_column *column, struct hc_error *err)
{
    return hc_context(err, "'%s': column '%s': %spage at byte %" PRId64, column->source->name,
                      column->field->name, column->page.is_dictionary ? "dictionary " : "",
                      column->page.place);
}

static enum hc_status start_page(struct hc_parquet_column *column, struct hc_error *err)
{
    const struct hc_parquet_page *page = &column->page;
    if (page->is_dictionary) {
        if (column->values.has_dictionary || column->has_data)
            return hc_fail(err, HC_BAD_INPUT, "it is not the first page of the column chunk");
        return hc_parquet_values_dictionary(&column->values, page, &column->pages.body, err);
    }
    if (page->n_values > column->chunk_left)
        return hc_fail(err, HC_BAD_INPUT,
                       "it has %" PRId32 " values, but the column chunk only %" PRId64 " more",
                       page->n_values, column->chunk_left);
    if (column->field->optional &&
        hc_rle_init(&column->levels, page->levels, page->levels_end, 1, err))
        return err->status;
    column->has_data = column->in_page = true;
    column->chunk_left -= page->n_values;
    column->page_left = (size_t)page->n_values;
    column->page_nulls = 0;
    return hc_parquet_values_start(&column->values, page, err);
}

/* After the last value of a page: nothing may be left over in it. */
static enum hc_status finish_page(struct hc_parquet_column *column, struct hc_error *err)
{
    const struct hc_parquet_page *page = &column->page;
    if (!column->in_page)
        return HC_OK;
    column->in_page = false;
    if (column->field->optional && hc_rle_finish(&column->levels, err))
        return err->status;
    if (page->n_nulls >= 0 && (size_t)page->n_nulls != column->page_nulls)
        return hc_fail(err, HC_BAD_INPUT, "it should have %" PRId32 " nulls, but has %zu",
                       page->n_nulls, column->page_nulls);
    return hc_parquet_values_finish(&column->values, err);
}

/* Go on to the next page; *more is false when there is none. */
static enum hc_status next_page(struct hc_parquet_column *column, bool *more, struct hc_error *err)
{
    if (finish_page(column, err))
        return in_page(column, err);
    if (hc_parquet_pages_next(&column->pages, &column->page, more, err))
        return err->status;
    if (*more && start_page(column, err))
        return in_page(column, err);
    return HC_OK;
}

/* Go on until there are values. */
static enum hc_status need_page(struct hc_parquet_column *column, struct hc_error *err)
{
    bool more = true;
    while (column->page_left == 0) {
        if (next_page(column, &more, err))
            return err->status;
        if (!more)
            return hc_fail(err, HC_BAD_INPUT,
                           "'%s': column '%s': the column chunk at byte %" PRId64
                           " ends with %" PRId64 " of its %" PRId64 " values missing",
                           column->source->name, column->field->name, column->chunk->start,
                           column->chunk_left, column->chunk->n_values);
    }
    return HC_OK;
}

/* Which of the next n rows have a value. All of them (levels is not filled) is the common case. */
static enum hc_status read_levels(struct hc_parquet_column *column, size_t n, uint32_t *levels,
                                  size_t *n_there, struct hc_error *err)
{
    *n_there = n;
    if (!column->field->optional || hc_rle_take(&column->levels, n, 1))
        return HC_OK;
    if (hc_rle_read(&column->levels, n, levels, err))
        return err->status;
    *n_there = 0;
    for (size_t i = 0; i < n; i++)
        *n_there += levels[i];
    return HC_OK;
}

/* Move the values to their rows, from the back, with nulls between them. */
static void spread(const uint32_t *levels, size_t n, size_t n_there, int64_t *out)
{
    for (size_t i = n; i-- > 0;)
        out[i] = levels[i] ? out[--n_there] : HC_PARQUET_NULL;
}

HC_DISPATCH
static void track_range(struct hc_parquet_column *column, const int64_t *values, size_t n)
{
    int64_t min = column->min, max = column->max;
    for (size_t i = 0; i < n; i++) {
        min = values[i] < min ? values[i] : min;
        max = values[i] > max ? values[i] : max;
    }
    column->min = min;
    column->max = max;
}

/* A name without a code: fail with its row. */
static enum hc_status fail_name(const struct hc_parquet_column *column, const uint32_t *levels,
                                struct hc_error *err)
{
    const struct hc_parquet_values *values = &column->values;
    int64_t row = column->row + 1;
    size_t before = values->unknown_at;
    for (size_t i = 0; levels && (before > 0 || !levels[i]); i++, row++)
        before -= levels[i];
    if (!levels)
        row += (int64_t)before;
    return values->names->fail(values->names->context, row, values->unknown.data,
                               values->unknown.length, err);
}

static enum hc_status read_block(struct hc_parquet_column *column, size_t n, int64_t *out,
                                 struct hc_error *err)
{
    uint32_t levels[HC_PARQUET_BLOCK];
    size_t n_there;
    if (read_levels(column, n, levels, &n_there, err) ||
        hc_parquet_values_read(&column->values, n_there, out, err))
        return in_page(column, err);
    if (column->values.has_unknown)
        return fail_name(column, n_there < n ? levels : NULL, err);
    track_range(column, out, n_there);
    if (n_there < n)
        spread(levels, n, n_there, out);
    column->n_nulls += (int64_t)(n - n_there);
    column->page_nulls += n - n_there;
    column->page_left -= n;
    column->row += (int64_t)n;
    return HC_OK;
}

enum hc_status hc_parquet_column_read(struct hc_parquet_column *column, size_t n, int64_t *out,
                                      struct hc_error *err)
{
    while (n > 0) {
        if (column->page_left == 0 && need_page(column, err))
            return err->status;
        size_t part = n < HC_PARQUET_BLOCK ? n : HC_PARQUET_BLOCK;
        if (part > column->page_left)
            part = column->page_left;
        if (read_block(column, part, out, err))
            return err->status;
        out += part;
        n -= part;
    }
    return HC_OK;
}

/* A bound of the statistics in converted form; false when there is none that can be compared. */
static bool promised(const struct hc_parquet_column *column, bool has, const uint8_t bound[8],
                     int64_t *value)
{
    if (!has || column->min > column->max || column->min < HC_PARQUET_LOWEST)
        return false;
    hc_parquet_convert_plain(column->values.kind, bound, 1, value);
    return *value >= HC_PARQUET_LOWEST;
}

/* Compare the values with the statistics of the chunk (nulls, least, greatest). Damage that changes
 * values but no length, level or checksum is found only here. Returns what is wrong, or NULL. */
static const char *broken_promise(const struct hc_parquet_column *column)
{
    const struct hc_parquet_promise *promise = &column->chunk->promise;
    const struct hc_parquet_field *field = column->field;
    int64_t bound;
    if (promise->n_nulls >= 0 && promise->n_nulls != column->n_nulls)
        return "the number of nulls is not the one of its statistics";
    if (promised(column, promise->has_min, promise->min, &bound) &&
        (column->min < bound || (promise->min_is_exact && column->min > bound)))
        return "the least value is not the one of its statistics";
    if (promised(column, promise->has_max, promise->max, &bound) &&
        (column->max > bound || (promise->max_is_exact && column->max < bound)))
        return "the greatest value is not the one of its statistics";
    if (field->meaning != HC_PARQUET_MEANS_INTEGER || field->bits <= 0 || field->bits >= 64 ||
        column->min > column->max)
        return NULL;
    int64_t span = (int64_t)1 << (field->is_unsigned ? field->bits : field->bits - 1);
    if (column->min < (field->is_unsigned ? 0 : -span) || column->max >= span)
        return "a value has more bits than its annotation allows";
    return NULL;
}

enum hc_status hc_parquet_column_finish(struct hc_parquet_column *column, struct hc_error *err)
{
    bool more = true;
    while (more) /* pages without values may follow; start_page refuses others */
        if (next_page(column, &more, err))
            return err->status;
    const char *problem = broken_promise(column);
    if (problem)
        return hc_fail(err, HC_BAD_INPUT,
                       "'%s': column '%s': column chunk at byte %" PRId64
                       ": %s; the file is damaged",
                       column->source->name, column->field->name, column->chunk->start, problem);
    return HC_OK;
}
