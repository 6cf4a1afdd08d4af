/* The step-parquet format: made files of every feature. */
#include "parsers/registry/format_registry.h"
#include "tests/support/step_parquet_case.h"

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
    struct hc_source source = bytes_source("x.parquet", bytes.p, bytes.n);
    struct result result = parse_source(&hc_format_step_parquet, &source, 1000, 4 * N, &job);
    ck_assert_int_eq(result.status, HC_OK);
    ck_assert_uint_eq(result.ops.n_rows, N / 2);
    ck_assert_int_eq(result.report.rows_ignored, N / 2);
    fini_result(&result);
    hc_source_close(&source);
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
    tcase_add_test(tests, unknown_op_types_count_only_when_used);
    tcase_add_test(tests, aliases_of_the_metadata_apply);
    tcase_add_test(tests, other_columns_are_passed_over);
    suite_add_tcase(suite, tests);
    SRunner *runner = srunner_create(suite);
    srunner_run_all(runner, CK_NORMAL);
    int failed = srunner_ntests_failed(runner);
    srunner_free(runner);
    return failed != 0;
}
