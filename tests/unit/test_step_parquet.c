/* The step-parquet format: made files of every feature, damaged ones, and the real traces. */
#include "parquet_maker.h"

#include "core/op_table.h"
#include "parsers/format.h"
#include "parsers/step_rows.h"

#include <check.h>
#include <fcntl.h>
#include <stdio.h>
#include <sys/mman.h>
#include <unistd.h>

enum { N = 50 }; /* rows of a made file */

static struct hc_error err;

struct result {
    enum hc_status status;
    struct hc_table ops;
    struct hc_row_report report;
};

static void fini_result(struct result *result)
{
    hc_table_fini(&result->ops);
    hc_row_report_fini(&result->report);
}

/* Parse a source in batches of at most `batch` rows into one table of `capacity`. */
static struct result parse_source(const struct hc_source *source, size_t batch, size_t capacity,
                                  const struct hc_job *job)
{
    const struct hc_format *format = &hc_format_step_parquet;
    const struct hc_parse_options options = {.job = job};
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

static struct result parse_bytes(const void *bytes, size_t n, size_t batch)
{
    struct hc_source source = {.name = "x.parquet", .size = (int64_t)n};
    source.fd = memfd_create("x", MFD_CLOEXEC);
    ck_assert_int_ge(source.fd, 0);
    ck_assert_int_eq(write(source.fd, bytes, n), (ssize_t)n);
    struct result result = parse_source(&source, batch, 4 * N, NULL);
    close(source.fd);
    return result;
}

/* Parse the file of these columns, which are freed. */
static struct result parse_columns(struct mk_column *columns, size_t n_groups, size_t batch)
{
    struct mk_file file = {columns, MK_N_STEP_COLUMNS, n_groups, N, 0};
    struct mk bytes = mk_file(&file);
    struct result result = parse_bytes(bytes.p, bytes.n, batch);
    mk_free_columns(columns, MK_N_STEP_COLUMNS);
    free(bytes.p);
    return result;
}

static void expect_message(const char *part)
{
    ck_assert_msg(strstr(err.message, part) != NULL, "'%s' is not in: %s", part, err.message);
}

static void expect_failure(struct mk_column *columns, const char *part)
{
    struct result result = parse_columns(columns, 1, 1000);
    ck_assert_int_eq(result.status, HC_BAD_INPUT);
    expect_message("'x.parquet'");
    expect_message(part);
    fini_result(&result);
}

/* Rows as mk_step_columns makes them, in n_groups groups. */
static void expect_rows(struct mk_column *columns, size_t n_groups, size_t batch)
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

START_TEST(plain_files_in_batches_and_groups)
{
    struct mk_column columns[MK_N_STEP_COLUMNS];
    static const size_t batches[] = {1, 7, 50, 51, 1000};
    for (size_t b = 0; b < 5; b++)
        for (size_t groups = 0; groups < 4; groups++) {
            mk_step_columns(columns, N);
            expect_rows(columns, groups, batches[b]);
        }
}
END_TEST

/* Replace the chunk of a column. */
static void drop_chunk(struct mk_column *column)
{
    free(column->chunk.p);
    column->chunk = (struct mk){0};
    column->first_data = 0;
}

/* An all-ones level run for n rows. */
static struct mk all_there(int n)
{
    struct mk levels = {0};
    mk_varint(&levels, (uint64_t)n << 1);
    mk_byte(&levels, 1);
    return levels;
}

/* Column c anew: optional, with a dictionary, in pages of 7 to 20 rows, of which those from
 * `fallback` on are PLAIN. */
static void with_dictionary(struct mk_column *column, int c, int codec, int page_type, int fallback)
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

START_TEST(dictionaries_codecs_and_page_versions)
{
    static const int codecs[] = {MK_PLAIN_CODEC, MK_SNAPPY, MK_GZIP, MK_ZSTD};
    for (int k = 0; k < 4; k++)
        for (int page_type = 0; page_type <= 3; page_type += 3)
            for (int fallback = 0; fallback <= 2 * N; fallback += 25) {
                struct mk_column columns[MK_N_STEP_COLUMNS];
                mk_step_columns(columns, N);
                for (int c = 0; c < MK_N_STEP_COLUMNS; c++) {
                    with_dictionary(&columns[c], c, codecs[k], page_type, fallback);
                    columns[c].hide_dictionary = c % 2;
                }
                expect_rows(columns, 2, 11);
            }
}
END_TEST

/* Column c as one required page of raw values. */
static void with_page(struct mk_column *column, int encoding, struct mk values)
{
    struct mk_page page = {.n_values = N, .encoding = encoding, .values = values};
    drop_chunk(column);
    mk_page(&column->chunk, &page, column->codec);
}

START_TEST(byte_stream_split)
{
    struct mk_column columns[MK_N_STEP_COLUMNS];
    mk_step_columns(columns, N);
    static const int split[] = {2, MK_START_TS}; /* INT32 and FLOAT */
    for (int k = 0; k < 2; k++) {
        struct mk values = {0};
        for (int b = 0; b < 4; b++)
            for (int i = 0; i < N; i++) {
                float start = (float)i / 2;
                uint32_t bits = (uint32_t)i;
                if (k)
                    memcpy(&bits, &start, 4);
                mk_byte(&values, bits >> 8 * b & 0xff);
            }
        with_page(&columns[split[k]], 9, values);
    }
    expect_rows(columns, 1, 13);
}
END_TEST

START_TEST(delta_and_wide_types)
{
    struct mk_column columns[MK_N_STEP_COLUMNS];
    mk_step_columns(columns, N);
    struct mk rank = {0}, step = {0}, start = {0};
    /* 0, 1, 2, ...: first 0, then 49 deltas of 1, all by the least delta */
    mk_put(&rank, "\x80\x01\x04\x32\x00\x02\x00\x00\x00\x00", 10);
    with_page(&columns[2], 5, rank);
    columns[3].type = 2; /* INT64 */
    for (int i = 0; i < N; i++)
        mk_u64(&step, (uint64_t)mk_int_of(3, i));
    with_page(&columns[3], 0, step);
    columns[MK_START_TS].type = 5; /* DOUBLE */
    for (int i = 0; i < N; i++) {
        double seconds = i / 2.0;
        mk_put(&start, &seconds, 8);
    }
    with_page(&columns[MK_START_TS], 0, start);
    expect_rows(columns, 3, 1000);
}
END_TEST

START_TEST(nulls_are_bad_rows_where_a_value_must_be)
{
    struct mk_column columns[MK_N_STEP_COLUMNS];
    mk_step_columns(columns, N);
    /* mc: every third is null; rank: row 5 is null; optype: the last two rows are null */
    static const int with_nulls[] = {5, 2, MK_OPTYPE};
    for (int k = 0; k < 3; k++) {
        struct mk_column *column = &columns[with_nulls[k]];
        struct mk_page page = {.type = k ? 0 : 3, .n_values = N};
        uint64_t there[56] = {0};
        for (int i = 0; i < N; i++) {
            there[i] = k == 0 ? i % 3 != 0 : k == 1 ? i != 5 : i < N - 2;
            page.n_nulls += !there[i];
            if (there[i] && k < 2)
                mk_u32(&page.values, (uint32_t)mk_int_of(with_nulls[k], i));
            else if (there[i])
                mk_plain_text(&page.values, mk_op_of(i));
        }
        mk_varint(&page.levels, 7 << 1 | 1);
        mk_bits(&page.levels, there, 56, 1);
        column->has_statistics = true;
        column->n_nulls = page.n_nulls;
        column->optional = true;
        drop_chunk(column);
        mk_page(&column->chunk, &page, 0);
    }
    struct result result = parse_columns(columns, 1, 1000);
    ck_assert_msg(result.status == HC_OK, "%s", err.message);
    ck_assert_uint_eq(result.ops.n_rows, N - 3);
    ck_assert_int_eq(result.report.rows_read, N);
    ck_assert_int_eq(result.report.count[HC_BAD_NULL], 3);
    ck_assert_ptr_nonnull(strstr(result.report.example[HC_BAD_NULL], "row 6"));
    struct hc_op_columns ops = hc_op_columns(&result.ops);
    ck_assert_int_eq(ops.rank[4], 4);
    ck_assert_int_eq(ops.rank[5], 6);
    fini_result(&result);
    /* the statistics promise one null less */
    mk_step_columns(columns, N);
    columns[2].has_statistics = true;
    columns[2].n_nulls = 1;
    expect_failure(columns, "number of nulls");
}
END_TEST

START_TEST(unsigned_integers)
{
    struct mk_column columns[MK_N_STEP_COLUMNS];
    mk_step_columns(columns, N);
    columns[0].converted = 13; /* UINT_32: no value is negative */
    struct mk values = {0};
    for (int i = 0; i < N; i++)
        mk_u32(&values, i == 3 ? UINT32_MAX : 0);
    with_page(&columns[0], 0, values);
    struct mk wide = {0};
    columns[4].type = 2;
    columns[4].converted = 14; /* UINT_64 */
    for (int i = 0; i < N; i++)
        mk_u64(&wide, i == 9 ? UINT64_MAX : 1);
    with_page(&columns[4], 0, wide);
    struct result result = parse_columns(columns, 1, 1000);
    ck_assert_msg(result.status == HC_OK, "%s", err.message);
    ck_assert_uint_eq(result.ops.n_rows, N - 2);
    ck_assert_int_eq(result.report.count[HC_BAD_RANGE], 2);
    ck_assert_ptr_nonnull(strstr(result.report.example[HC_BAD_RANGE], "4294967295"));
    fini_result(&result);
    mk_step_columns(columns, N);
    columns[2].converted = 15; /* INT_8 holds 0 to 49 */
    expect_rows(columns, 1, 1000);
    mk_step_columns(columns, N);
    columns[5].converted = 11; /* UINT_8 does not hold -1 */
    expect_failure(columns, "'mc'");
}
END_TEST

static void set_bounds(struct mk_column *column, int32_t min, int32_t max)
{
    column->has_statistics = true;
    column->bound_length = 4;
    memcpy(column->min, &min, 4);
    memcpy(column->max, &max, 4);
}

START_TEST(statistics_are_held_against_the_values)
{
    struct mk_column columns[MK_N_STEP_COLUMNS];
    static const float start[2] = {-0.0f, (N - 1) / 2.0f};
    mk_step_columns(columns, N);
    set_bounds(&columns[2], 0, N - 1);
    set_bounds(&columns[MK_START_TS], 0, 0);
    memcpy(columns[MK_START_TS].min, &start[0], 4); /* -0 and 0 are one */
    memcpy(columns[MK_START_TS].max, &start[1], 4);
    set_bounds(&columns[1], -100, 100);
    columns[1].inexact = true;
    expect_rows(columns, 2, 1000);
    static const int32_t wrong[][2] = {{1, N - 1}, {-1, N - 1}, {0, N - 2}, {0, N}};
    for (int k = 0; k < 4; k++) {
        mk_step_columns(columns, N);
        set_bounds(&columns[2], wrong[k][0], wrong[k][1]);
        expect_failure(columns, "value is not the one of its statistics");
        expect_message("'rank'");
    }
    mk_step_columns(columns, N);
    set_bounds(&columns[2], 0, N - 2);
    columns[2].inexact = true; /* still a bound */
    expect_failure(columns, "greatest value");
    mk_step_columns(columns, N);
    set_bounds(&columns[2], 0, N - 1);
    columns[2].bound_length = 3;
    expect_failure(columns, "wrong length");
}
END_TEST

START_TEST(unknown_op_types_count_only_when_used)
{
    struct mk_column columns[MK_N_STEP_COLUMNS];
    for (int encoding = 0; encoding < 2; encoding++) {
        struct mk values = {0};
        mk_step_columns(columns, N);
        columns[MK_OPTYPE].optional = true;
        drop_chunk(&columns[MK_OPTYPE]);
        struct mk_page page = {.n_values = N, .encoding = encoding ? 8 : 0};
        if (encoding) {
            struct mk_page dictionary = {.type = 2, .n_values = 2};
            mk_plain_text(&dictionary.values, "gc");
            mk_plain_text(&dictionary.values, "first-op");
            mk_page(&columns[MK_OPTYPE].chunk, &dictionary, 0);
            columns[MK_OPTYPE].first_data = columns[MK_OPTYPE].chunk.n;
            mk_put(&values, "\x01\x46\x00\x02\x01", 5); /* 35 times gc, once first-op */
        } else {
            for (int i = 0; i < 36; i++)
                mk_plain_text(&values, i < 35 ? "gc" : "first-op");
        }
        /* rows 1 to 14 have no op type */
        mk_varint(&page.levels, 14 << 1);
        mk_byte(&page.levels, 0);
        mk_varint(&page.levels, 36 << 1);
        mk_byte(&page.levels, 1);
        page.values = values;
        mk_page(&columns[MK_OPTYPE].chunk, &page, 0);
        expect_failure(columns, "row 50");
        expect_message("first-op");
    }
}
END_TEST

START_TEST(aliases_of_the_metadata_apply)
{
    struct hc_op_alias alias = {(char *)"forward-compute", HC_OP_IGNORED};
    struct hc_job job = {
        .dp_size = HC_MISSING_I32, .pp_size = HC_MISSING_I32, .n_aliases = 1, .aliases = &alias};
    struct mk_column columns[MK_N_STEP_COLUMNS];
    mk_step_columns(columns, N);
    struct mk_file file = {columns, MK_N_STEP_COLUMNS, 1, N, 0};
    struct mk bytes = mk_file(&file);
    struct hc_source source = {.name = (char *)"x.parquet", .size = (int64_t)bytes.n};
    source.fd = memfd_create("x", MFD_CLOEXEC);
    ck_assert_int_eq(write(source.fd, bytes.p, bytes.n), (ssize_t)bytes.n);
    struct result result = parse_source(&source, 1000, 4 * N, &job);
    ck_assert_int_eq(result.status, HC_OK);
    ck_assert_uint_eq(result.ops.n_rows, N / 2);
    ck_assert_int_eq(result.report.rows_ignored, N / 2);
    fini_result(&result);
    close(source.fd);
    mk_free_columns(columns, MK_N_STEP_COLUMNS);
    free(bytes.p);
}
END_TEST

START_TEST(other_columns_are_passed_over)
{
    struct mk_column columns[MK_N_STEP_COLUMNS + 3];
    mk_step_columns(columns + 2, N);
    /* before: a group with a leaf called 'step' and a column of a type that is not read */
    columns[0] = (struct mk_column){
        .name = "list", .is_group = true, .repeated = true, .converted = -1, .codec = MK_LZO};
    columns[1] = (struct mk_column){.name = "flag", .type = 0, .converted = -1, .codec = 77};
    columns[MK_N_STEP_COLUMNS + 2] = (struct mk_column){
        .name = "stamp", .type = 3, .converted = -1, .is_encrypted = true, .n_values = -9};
    struct mk_file file = {columns, MK_N_STEP_COLUMNS + 3, 2, N, 0};
    struct mk bytes = mk_file(&file);
    struct result result = parse_bytes(bytes.p, bytes.n, 1000);
    ck_assert_msg(result.status == HC_OK, "%s", err.message);
    ck_assert_uint_eq(result.ops.n_rows, 2 * N);
    fini_result(&result);
    free(bytes.p);
    /* a column missing, another one there twice */
    columns[MK_N_STEP_COLUMNS + 2].name = "gmc";
    columns[2].name = "other";
    bytes = mk_file(&file);
    result = parse_bytes(bytes.p, bytes.n, 1000);
    ck_assert_int_eq(result.status, HC_BAD_INPUT);
    expect_message("'dp_rank'");
    expect_message("'gmc'");
    fini_result(&result);
    free(bytes.p);
    mk_free_columns(columns, MK_N_STEP_COLUMNS + 3);
}
END_TEST

START_TEST(what_is_not_read_is_refused_by_name)
{
    struct mk_column columns[MK_N_STEP_COLUMNS];
    mk_step_columns(columns, N);
    columns[0].is_group = true;
    expect_failure(columns, "'dp_rank': nested and repeated columns are unsupported");
    mk_step_columns(columns, N);
    columns[1].repeated = true;
    expect_failure(columns, "'stage': nested and repeated");
    mk_step_columns(columns, N);
    columns[2].type = 0;
    expect_failure(columns, "'rank': type BOOLEAN is unsupported");
    mk_step_columns(columns, N);
    columns[3].converted = 9; /* TIMESTAMP_MILLIS */
    expect_failure(columns, "'step': type INT32 with its annotation is unsupported");
    mk_step_columns(columns, N);
    columns[MK_START_TS].type = 2;
    expect_failure(columns, "'start_ts': type INT64 is unsupported");
    expect_message("seconds");
    mk_step_columns(columns, N);
    columns[MK_OPTYPE].type = 7;
    expect_failure(columns, "'optype': type FIXED_LEN_BYTE_ARRAY is unsupported");
    mk_step_columns(columns, N);
    columns[4].codec = MK_LZO;
    expect_failure(columns, "'seq_id': compression LZO is unsupported");
    mk_step_columns(columns, N);
    columns[4].is_encrypted = true;
    expect_failure(columns, "encrypted, which is unsupported");
    mk_step_columns(columns, N);
    with_page(&columns[5], 4, (struct mk){0});
    expect_failure(columns, "encoding BIT_PACKED is unsupported");
    mk_step_columns(columns, N);
    with_page(&columns[MK_OPTYPE], 5, (struct mk){0});
    expect_failure(columns, "encoding DELTA_BINARY_PACKED is unsupported");
    struct result result = parse_bytes("PAR1xxxxPARE", 12, 10);
    ck_assert_int_eq(result.status, HC_BAD_INPUT);
    expect_message("encrypted, which is unsupported");
    fini_result(&result);
}
END_TEST

START_TEST(counts_that_disagree)
{
    struct mk_column columns[MK_N_STEP_COLUMNS];
    mk_step_columns(columns, N);
    columns[6].n_values = N - 1;
    expect_failure(columns, "'mb_id': it has 49 values, the row group 50 rows");
    mk_step_columns(columns, N);
    mk_free_columns(&columns[6], 1);
    struct mk_column fewer[MK_N_STEP_COLUMNS];
    mk_step_columns(fewer, N - 1);
    columns[6].chunk = fewer[6].chunk;
    fewer[6].chunk = (struct mk){0};
    expect_failure(columns, "ends with 1 of its 50 values missing");
    mk_free_columns(fewer, MK_N_STEP_COLUMNS);
    mk_step_columns(columns, N);
    struct mk_file file = {columns, MK_N_STEP_COLUMNS, 2, N, 1};
    struct mk bytes = mk_file(&file);
    struct result result = parse_bytes(bytes.p, bytes.n, 1000);
    ck_assert_int_eq(result.status, HC_BAD_INPUT);
    expect_message("have 100 rows together, the file says 101");
    fini_result(&result);
    free(bytes.p);
    mk_free_columns(columns, MK_N_STEP_COLUMNS);
}
END_TEST

START_TEST(damage_inside_pages)
{
    struct mk_column columns[MK_N_STEP_COLUMNS];
    struct mk_page page = {.n_values = N, .with_crc = true, .lie_crc = 1};
    mk_step_columns(columns, N);
    for (int i = 0; i < N; i++)
        mk_u32(&page.values, 0);
    drop_chunk(&columns[7]);
    mk_page(&columns[7].chunk, &page, 0);
    expect_failure(columns, "checksum");
    expect_message("column 'gmc': page at byte");
    /* one value too many, and half of one */
    for (int extra = 2; extra <= 4; extra += 2) {
        struct mk values = {0};
        for (int i = 0; i < N; i++)
            mk_u32(&values, 0);
        mk_put(&values, "abcd", (size_t)extra);
        mk_step_columns(columns, N);
        with_page(&columns[7], 0, values);
        expect_failure(columns, extra == 2 ? "2 bytes follow its values" : "4 bytes follow");
    }
    /* a page that claims a gigabyte */
    mk_step_columns(columns, N);
    columns[7].codec = MK_SNAPPY;
    struct mk_page liar = {.n_values = N, .lie_n_out = 1 << 29};
    drop_chunk(&columns[7]);
    mk_page(&columns[7].chunk, &liar, MK_SNAPPY);
    expect_failure(columns, "SNAPPY data is damaged");
    /* an index that the dictionary does not have */
    mk_step_columns(columns, N);
    drop_chunk(&columns[7]);
    struct mk_page dictionary = {.type = 2, .n_values = 1};
    mk_u32(&dictionary.values, 0);
    mk_page(&columns[7].chunk, &dictionary, 0);
    struct mk_page indices = {.n_values = N, .encoding = 2};
    mk_put(&indices.values, "\x01\x64\x01", 3);
    mk_page(&columns[7].chunk, &indices, 0);
    expect_failure(columns, "an index is beyond the 1 values of the dictionary");
    /* indices without a dictionary */
    struct mk lone = {0};
    mk_put(&lone, "\x01\x64\x00", 3);
    mk_step_columns(columns, N);
    with_page(&columns[7], 8, lone);
    expect_failure(columns, "the column chunk has none");
}
END_TEST

START_TEST(what_is_no_parquet_file)
{
    static const char *const files[] = {"",
                                        "PAR1",
                                        "PAR1PAR1PAR1",
                                        "xxxx\0\0\0\0PAR1",
                                        "PAR1\x01\0\0\0PARx",
                                        "PAR1\xff\xff\xff\xffPAR1"};
    for (size_t i = 0; i < 6; i++) {
        struct result result = parse_bytes(files[i], i == 0 ? 0 : i == 1 ? 4 : 12, 10);
        ck_assert_int_eq(result.status, HC_BAD_INPUT);
        expect_message("'x.parquet'");
        fini_result(&result);
    }
    const struct hc_format *format = &hc_format_step_parquet;
    ck_assert_int_eq(format->probe((const unsigned char *)"PAR1", 4, "x"), 100);
    ck_assert_int_eq(format->probe((const unsigned char *)"PARE", 4, "x"), 100);
    ck_assert_int_eq(format->probe((const unsigned char *)"PAR1", 3, "x.parquet"), 0);
    ck_assert_int_eq(format->probe((const unsigned char *)"step,", 5, "x.parquet"), 0);
}
END_TEST

/* A file with a bit of everything, for damaging. */
static struct mk make_rich_file(void)
{
    static const int codecs[] = {MK_PLAIN_CODEC, MK_SNAPPY, MK_GZIP, MK_ZSTD};
    struct mk_column columns[MK_N_STEP_COLUMNS];
    mk_step_columns(columns, N);
    for (int c = 0; c < MK_N_STEP_COLUMNS; c++)
        with_dictionary(&columns[c], c, codecs[c % 4], c % 2 * 3, 15);
    set_bounds(&columns[2], 0, N - 1);
    struct mk_file file = {columns, MK_N_STEP_COLUMNS, 1, N, 0};
    struct mk bytes = mk_file(&file);
    mk_free_columns(columns, MK_N_STEP_COLUMNS);
    return bytes;
}

START_TEST(every_truncation_is_an_error)
{
    struct mk bytes = make_rich_file();
    for (size_t n = 0; n < bytes.n; n++) {
        struct result result = parse_bytes(bytes.p, n, 1000);
        ck_assert_msg(result.status == HC_BAD_INPUT, "cut at %zu: %d", n, result.status);
        ck_assert_msg(strstr(err.message, "'x.parquet'") != NULL, "%s", err.message);
        fini_result(&result);
    }
    free(bytes.p);
}
END_TEST

START_TEST(flipped_bits_are_survived)
{
    struct mk bytes = make_rich_file();
    size_t n_found = 0, n_flips = 0;
    for (size_t bit = 0; bit < bytes.n * 8; bit += 7, n_flips++) { /* one or two in each byte */
        bytes.p[bit / 8] ^= (uint8_t)(1u << bit % 8);
        struct result result = parse_bytes(bytes.p, bytes.n, 1000);
        ck_assert_msg(result.status == HC_OK || result.status == HC_BAD_INPUT, "bit %zu: %s", bit,
                      err.message);
        n_found += result.status == HC_BAD_INPUT;
        fini_result(&result);
        bytes.p[bit / 8] ^= (uint8_t)(1u << bit % 8);
    }
    /* Data pages have checksums here. What is left are the dictionaries, which have none, and what
     * nobody relies on: the writer's name, sizes that are not needed. */
    ck_assert_msg(n_found * 10 > n_flips * 8, "only %zu of %zu flips were noticed", n_found,
                  n_flips);
    free(bytes.p);
}
END_TEST

START_TEST(real_traces)
{
    static const struct {
        const char *name;
        size_t n_rows;
        int n_steps, max_dp;
        int64_t sum_step, sum_rank, sum_duration; /* as from the CSV files of the same traces */
    } traces[] = {{"AR", 117216, 44, 3, 78151104, 3516480, 33220985253950},
                  {"ST", 6784, 32, 1, 3616932, 23744, 662008708785}};
    const char *shared = getenv("HINDCAST_SHARED");
    char path[4096];
    for (int t = 0; t < 2; t++) {
        snprintf(path, sizeof path, "%s/data/bytedance-straggler/data/trace-%s.parquet",
                 shared ? shared : "../shared", traces[t].name);
        if (access(path, R_OK) != 0) {
            printf("skipped: '%s' is not there\n", path);
            continue;
        }
        struct hc_source source;
        ck_assert_int_eq(hc_source_open(&source, path, &err), HC_OK);
        struct result result = parse_source(&source, 10007, 200000, NULL);
        ck_assert_msg(result.status == HC_OK, "%s", err.message);
        ck_assert_uint_eq(result.ops.n_rows, traces[t].n_rows);
        ck_assert_int_eq(hc_row_report_total_bad(&result.report), 0);
        struct hc_op_columns ops = hc_op_columns(&result.ops);
        int64_t sum_step = 0, sum_rank = 0, sum_duration = 0;
        int n_steps = 0, max_dp = 0;
        for (size_t i = 0; i < result.ops.n_rows; i++) {
            sum_step += ops.step[i];
            sum_rank += ops.rank[i];
            sum_duration += ops.duration_ns[i];
            n_steps += i == 0 || ops.step[i] != ops.step[i - 1];
            max_dp = ops.dp_rank[i] > max_dp ? ops.dp_rank[i] : max_dp;
        }
        ck_assert_int_eq(sum_step, traces[t].sum_step);
        ck_assert_int_eq(sum_rank, traces[t].sum_rank);
        ck_assert_int_eq(sum_duration, traces[t].sum_duration);
        ck_assert_int_eq(n_steps, traces[t].n_steps);
        ck_assert_int_eq(max_dp, traces[t].max_dp);
        fini_result(&result);
        hc_source_close(&source);
    }
}
END_TEST

int main(void)
{
    Suite *suite = suite_create("step_parquet");
    TCase *tests = tcase_create("all");
    tcase_set_timeout(tests, 300);
    tcase_add_test(tests, plain_files_in_batches_and_groups);
    tcase_add_test(tests, dictionaries_codecs_and_page_versions);
    tcase_add_test(tests, byte_stream_split);
    tcase_add_test(tests, delta_and_wide_types);
    tcase_add_test(tests, nulls_are_bad_rows_where_a_value_must_be);
    tcase_add_test(tests, unsigned_integers);
    tcase_add_test(tests, statistics_are_held_against_the_values);
    tcase_add_test(tests, unknown_op_types_count_only_when_used);
    tcase_add_test(tests, aliases_of_the_metadata_apply);
    tcase_add_test(tests, other_columns_are_passed_over);
    tcase_add_test(tests, what_is_not_read_is_refused_by_name);
    tcase_add_test(tests, counts_that_disagree);
    tcase_add_test(tests, damage_inside_pages);
    tcase_add_test(tests, what_is_no_parquet_file);
    tcase_add_test(tests, every_truncation_is_an_error);
    tcase_add_test(tests, flipped_bits_are_survived);
    tcase_add_test(tests, real_traces);
    suite_add_tcase(suite, tests);
    SRunner *runner = srunner_create(suite);
    srunner_run_all(runner, CK_NORMAL);
    int failed = srunner_ntests_failed(runner);
    srunner_free(runner);
    return failed != 0;
}
