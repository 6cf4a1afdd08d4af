/* step_parquet_case.h - make, parse and judge Parquet step timelines: for the tests of the format.
 */
#ifndef HC_TESTS_UNIT_STEP_PARQUET_CASE_H
#define HC_TESTS_UNIT_STEP_PARQUET_CASE_H

#include "tests/support/bytes_source.h"
#include "tests/support/parquet_maker.h"

#include "core/tables/op_table.h"
#include "parsers/registry/format_registry.h"
#include "parsers/steps/step_rows.h"

#include <check.h>

enum { N = 50 }; /* rows of a made file */

static struct hc_error err;

struct result {
    enum hc_status status;
    struct hc_table ops;
    struct hc_row_report report;
};

static inline void fini_result(struct result *result)
{
    hc_table_fini(&result->ops);
    hc_row_report_fini(&result->report);
}

/* Parse a source in batches of at most `batch` rows into one table of `capacity`. */
static inline struct result parse_source(const struct hc_format *format,
                                         const struct hc_source *source, size_t batch,
                                         size_t capacity, const struct hc_job *job)
{
    const struct hc_parse_options options = {.job = job, .float32_times = true};
    struct result result = {0};
    void *parser = NULL;
    err = (struct hc_error){0};
    ck_assert_int_eq(hc_table_init(&result.ops, &hc_ops_def, capacity, &err), HC_OK);
    result.status = format->open(&parser, source, &options, &err);
    int64_t position = 0;
    for (size_t before = SIZE_MAX; result.status == HC_OK && before != result.ops.n_rows;) {
        before = result.ops.n_rows;
        result.ops.capacity = before + batch < capacity ? before + batch : capacity;
        result.status = format->next_batch(parser, &result.ops, &result.report, &err);
        ck_assert_int_ge(format->position(parser), position);
        position = format->position(parser);
        ck_assert_int_le(position, source->size);
    }
    if (result.status == HC_OK)
        ck_assert_int_eq(position, source->size);
    format->close(parser);
    return result;
}

static inline struct result parse_bytes(const void *bytes, size_t n, size_t batch)
{
    struct hc_source source = bytes_source("x.parquet", bytes, n);
    struct result result = parse_source(&hc_format_step_parquet, &source, batch, 4 * N, NULL);
    hc_source_close(&source);
    return result;
}

/* Parse the file of these columns, which are freed. */
static inline struct result parse_columns(struct mk_column *columns, size_t n_groups, size_t batch)
{
    struct mk_file file = {columns, MK_N_STEP_COLUMNS, n_groups, N, 0};
    struct mk bytes = mk_file(&file);
    struct result result = parse_bytes(bytes.p, bytes.n, batch);
    mk_free_columns(columns, MK_N_STEP_COLUMNS);
    free(bytes.p);
    return result;
}

static inline void expect_message(const char *part)
{
    ck_assert_msg(strstr(err.message, part) != NULL, "'%s' is not in: %s", part, err.message);
}

static inline void expect_failure(struct mk_column *columns, const char *part)
{
    struct result result = parse_columns(columns, 1, 1000);
    ck_assert_int_eq(result.status, HC_BAD_INPUT);
    expect_message("'x.parquet'");
    expect_message(part);
    fini_result(&result);
}

/* Rows as mk_step_columns makes them, in n_groups groups. */
static inline void expect_rows(struct mk_column *columns, size_t n_groups, size_t batch)
{
    struct result result = parse_columns(columns, n_groups, batch);
    ck_assert_msg(result.status == HC_OK, "%s", err.message);
    ck_assert_uint_eq(result.ops.n_rows, N * n_groups);
    ck_assert_int_eq(hc_row_report_total_bad(&result.report), 0);
    struct hc_op_columns ops = hc_op_columns(&result.ops);
    for (size_t r = 0; r < N * n_groups; r++) {
        int i = (int)(r % N);
        ck_assert_int_eq(ops.dp_rank[r], mk_int_of(0, i));
        ck_assert_int_eq(ops.stage[r], mk_int_of(1, i));
        ck_assert_int_eq(ops.rank[r], mk_int_of(2, i));
        ck_assert_int_eq(ops.step[r], mk_int_of(3, i));
        ck_assert_int_eq(ops.seq_id[r], mk_int_of(4, i));
        ck_assert_int_eq(ops.model_chunk[r], HC_MISSING_I32);
        ck_assert_int_eq(ops.op_type[r], i % 2 ? HC_BACKWARD_COMPUTE : HC_FORWARD_COMPUTE);
        ck_assert_int_eq(ops.start_ns[r], i * 500000000LL);
        ck_assert_int_eq(ops.duration_ns[r], 250000000LL);
    }
    fini_result(&result);
}
/* Replace the chunk of a column. */
static inline void drop_chunk(struct mk_column *column)
{
    free(column->chunk.p);
    column->chunk = (struct mk){0};
    column->first_data = 0;
}

/* An all-ones level run for n rows. */
static inline struct mk all_there(int n)
{
    struct mk levels = {0};
    mk_varint(&levels, (uint64_t)n << 1);
    mk_byte(&levels, 1);
    return levels;
}

/* Column c anew: optional, with a dictionary, in pages of 7 to 20 rows, of which those from
 * `fallback` on are PLAIN. */
static inline void with_dictionary(struct mk_column *column, int c, int codec, int page_type,
                                   int fallback)
{
    drop_chunk(column);
    column->optional = true;
    column->codec = codec;
    struct mk_page dictionary = {.type = 2, .n_values = c == MK_OPTYPE ? 3 : N};
    for (int i = 0; i < dictionary.n_values; i++)
        if (c == MK_OPTYPE) /* the third is never used, and no op type */
            mk_plain_text(&dictionary.values, i < 2 ? mk_op_of(i) : "first-op");
        else if (c >= MK_START_TS)
            mk_float(&dictionary.values, c == MK_START_TS ? (float)i / 2 : 0.25f);
        else
            mk_u32(&dictionary.values, (uint32_t)mk_int_of(c, i));
    mk_page(&column->chunk, &dictionary, codec);
    column->first_data = column->chunk.n;
    for (int at = 0, n = 7 + c; at < N; at += n) {
        n = n < N - at ? n : N - at;
        struct mk_page page = {.type = page_type, .n_values = n, .with_crc = true};
        uint64_t index[N] = {0};
        page.levels = all_there(n);
        page.encoding = at >= fallback ? 0 : 8;
        if (page.encoding == 8) {
            mk_byte(&page.values, 6);
            mk_varint(&page.values, (uint64_t)((n + 7) / 8) << 1 | 1);
        }
        for (int i = 0; i < n; i++) {
            index[i] = (uint64_t)(c == MK_OPTYPE ? (at + i) % 2 : at + i);
            if (page.encoding == 8)
                continue;
            if (c == MK_OPTYPE)
                mk_plain_text(&page.values, mk_op_of(at + i));
            else if (c >= MK_START_TS)
                mk_float(&page.values, c == MK_START_TS ? (float)(at + i) / 2 : 0.25f);
            else
                mk_u32(&page.values, (uint32_t)mk_int_of(c, at + i));
        }
        if (page.encoding == 8)
            mk_bits(&page.values, index, (size_t)(n + 7) / 8 * 8, 6);
        mk_page(&column->chunk, &page, codec);
    }
}

/* Column c as one required page of raw values. */
static inline void with_page(struct mk_column *column, int encoding, struct mk values)
{
    struct mk_page page = {.n_values = N, .encoding = encoding, .values = values};
    drop_chunk(column);
    mk_page(&column->chunk, &page, column->codec);
}

static inline void set_bounds(struct mk_column *column, int32_t min, int32_t max)
{
    column->has_statistics = true;
    column->bound_length = 4;
    memcpy(column->min, &min, 4);
    memcpy(column->max, &max, 4);
}

#endif
