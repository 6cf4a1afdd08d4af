/* Budgets before work: small Parquet files whose pages or dictionaries would fill memory. */
#include "parsers/registry/format_registry.h"
#include "tests/support/step_parquet_case.h"

enum { FREE_PAGE = 4 << 20, PER_BYTE = 8, FREE_DICTIONARY = 65536 };

/* A dictionary of n values, all zeros or empty texts but for the first of optype. */
static void start_dictionary(struct mk_column *column, int c, int n)
{
    struct mk_page page = {.type = 2, .n_values = n};
    drop_chunk(column);
    column->codec = MK_ZSTD;
    for (int i = 0; i < n; i++)
        if (c == MK_OPTYPE && i == 0)
            mk_plain_text(&page.values, mk_op_of(0));
        else
            mk_u32(&page.values, 0);
    mk_page(&column->chunk, &page, column->codec);
    column->first_data = column->chunk.n;
}

/* N rows that all have the first value of the dictionary. */
static void add_rows(struct mk_column *column)
{
    struct mk_page page = {.n_values = N, .encoding = 8};
    mk_byte(&page.values, 1);
    mk_varint(&page.values, (uint64_t)N << 1);
    mk_byte(&page.values, 0);
    mk_page(&column->chunk, &page, column->codec);
}

static void with_wide_dictionary(struct mk_column *column, int c, int n)
{
    start_dictionary(column, c, n);
    add_rows(column);
}

static void expect_read(struct mk_column *columns)
{
    struct result result = parse_columns(columns, 1, 1000);
    ck_assert_msg(result.status == HC_OK, "%s", err.message);
    ck_assert_uint_eq(result.ops.n_rows, N);
    fini_result(&result);
}

START_TEST(dictionary_of_one_column)
{
    static const int kinds[] = {5, MK_OPTYPE, MK_START_TS};
    struct mk_column columns[MK_N_STEP_COLUMNS];
    for (int k = 0; k < 3; k++) {
        mk_step_columns(columns, N);
        with_wide_dictionary(&columns[kinds[k]], kinds[k], FREE_DICTIONARY);
        expect_read(columns);
        mk_step_columns(columns, N);
        with_wide_dictionary(&columns[kinds[k]], kinds[k], FREE_DICTIONARY + 1);
        expect_failure(columns, "a dictionary of 65537 values is over 65536 and over the 50 values "
                                "of the column chunk");
        expect_message(k == 0   ? "column 'mc': page header at byte "
                       : k == 1 ? "column 'optype': page header at byte "
                                : "column 'start_ts': page header at byte ");
    }
}
END_TEST

START_TEST(dictionaries_of_all_columns)
{
    struct mk_column columns[MK_N_STEP_COLUMNS];
    mk_step_columns(columns, N);
    for (int c = 0; c < MK_N_STEP_COLUMNS; c++)
        with_wide_dictionary(&columns[c], c, 1000000);
    expect_failure(columns, "column 'dp_rank': page header at byte 4: a dictionary of 1000000 ");
    mk_step_columns(columns, N);
    for (int c = 0; c < MK_N_STEP_COLUMNS; c++)
        with_wide_dictionary(&columns[c], c, FREE_DICTIONARY);
    expect_read(columns);
}
END_TEST

/* Announced alone it is refused: before its bytes are unpacked, and whether or not they fit. */
START_TEST(dictionary_that_is_only_announced)
{
    struct mk_column columns[MK_N_STEP_COLUMNS];
    mk_step_columns(columns, N);
    struct mk_page page = {.type = 2, .n_values = 100000000, .with_crc = true, .lie_crc = 1};
    drop_chunk(&columns[2]);
    mk_page(&columns[2].chunk, &page, 0);
    expect_failure(columns, "column 'rank': page header at byte");
    expect_message("a dictionary of 100000000 values");
}
END_TEST

/* rank of n rows is 0, 1, 2, ... from a dictionary of as many. */
START_TEST(dictionary_as_large_as_its_values)
{
    enum { ROWS = 70000, WIDTH = 17 };
    struct mk_column columns[MK_N_STEP_COLUMNS];
    struct mk_page dictionary = {.type = 2, .n_values = ROWS}, page = {.n_values = ROWS};
    uint64_t *index = calloc(ROWS, sizeof *index);
    ck_assert_ptr_nonnull(index);
    mk_step_columns(columns, ROWS);
    for (int i = 0; i < ROWS; i++) {
        mk_u32(&dictionary.values, (uint32_t)i);
        index[i] = (uint64_t)i;
    }
    drop_chunk(&columns[2]);
    mk_page(&columns[2].chunk, &dictionary, 0);
    columns[2].first_data = columns[2].chunk.n;
    page.encoding = 8;
    mk_byte(&page.values, WIDTH);
    mk_varint(&page.values, (uint64_t)(ROWS / 8) << 1 | 1);
    mk_bits(&page.values, index, ROWS, WIDTH);
    mk_page(&columns[2].chunk, &page, 0);
    struct mk_file file = {columns, MK_N_STEP_COLUMNS, 1, ROWS, 0};
    struct mk bytes = mk_file(&file);
    struct hc_source source = bytes_source("x.parquet", bytes.p, bytes.n);
    struct result result = parse_source(&hc_format_step_parquet, &source, ROWS + 1, ROWS + 1, NULL);
    ck_assert_msg(result.status == HC_OK, "%s", err.message);
    ck_assert_uint_eq(result.ops.n_rows, ROWS);
    struct hc_op_columns ops = hc_op_columns(&result.ops);
    for (int i = 0; i < ROWS; i++)
        ck_assert_int_eq(ops.rank[i], i);
    fini_result(&result);
    hc_source_close(&source);
    mk_free_columns(columns, MK_N_STEP_COLUMNS);
    free(bytes.p);
    free(index);
}
END_TEST

/* A page of one column with five million bytes that pack well: a text, of which there may be one.
 */
static void add_long_text(struct mk_column *column, int type, int codec)
{
    enum { LENGTH = 5000000 };
    struct mk_page page = {.type = type, .n_values = type == 2 ? 2 : N};
    drop_chunk(column);
    column->codec = codec;
    mk_plain_text(&page.values, mk_op_of(0));
    mk_u32(&page.values, LENGTH);
    for (int i = 0; i < LENGTH; i++)
        mk_byte(&page.values, 'x');
    mk_page(&column->chunk, &page, codec);
    column->first_data = type == 2 ? column->chunk.n : 0;
}

START_TEST(pages_that_pack_too_well)
{
    static const int types[] = {0, 2, 3}, codecs[] = {MK_GZIP, MK_ZSTD};
    struct mk_column columns[MK_N_STEP_COLUMNS];
    for (int t = 0; t < 3; t++)
        for (int k = 0; k < 2; k++) {
            mk_step_columns(columns, N);
            add_long_text(&columns[MK_OPTYPE], types[t], codecs[k]);
            expect_failure(columns, "column 'optype': page header at byte");
            expect_message("an uncompressed size of 5000023 bytes is over 4194304 and 8 for each");
            expect_message("write it with smaller pages");
        }
    /* as large, but the bytes are there */
    mk_step_columns(columns, N);
    add_long_text(&columns[MK_OPTYPE], 2, 0);
    add_rows(&columns[MK_OPTYPE]);
    expect_read(columns);
}
END_TEST

START_TEST(page_over_the_limit_of_all_files)
{
    struct mk_column columns[MK_N_STEP_COLUMNS];
    struct mk_page page = {.n_values = N, .lie_n_out = (256 << 20) + 1};
    mk_step_columns(columns, N);
    drop_chunk(&columns[7]);
    mk_page(&columns[7].chunk, &page, 0);
    expect_failure(columns, "its uncompressed size is negative or over 256 MiB");
}
END_TEST

/* The budget to the byte. That these bytes are not there is found behind it. */
START_TEST(limit_of_a_page)
{
    enum { CONTENT = 4 * N };
    size_t length = 0;
    for (int k = 0; k < 3; k++) {
        struct mk_column columns[MK_N_STEP_COLUMNS];
        int limit = FREE_PAGE + PER_BYTE * (int)length;
        struct mk_page page = {.n_values = N, .lie_n_out = limit + (k == 2) - CONTENT};
        mk_step_columns(columns, N);
        drop_chunk(&columns[7]);
        for (int i = 0; i < N; i++)
            mk_u32(&page.values, 0);
        mk_page(&columns[7].chunk, &page, 0);
        struct mk_file file = {columns, MK_N_STEP_COLUMNS, 1, N, 0};
        struct mk bytes = mk_file(&file);
        ck_assert(k == 0 || bytes.n == length);
        length = bytes.n;
        free(bytes.p);
        expect_failure(columns, k < 2 ? "has 200 bytes uncompressed, but should have" : "smaller");
    }
}
END_TEST

int main(void)
{
    Suite *suite = suite_create("parquet_budget");
    TCase *tests = tcase_create("all");
    tcase_set_timeout(tests, 300);
    tcase_add_test(tests, dictionary_of_one_column);
    tcase_add_test(tests, dictionaries_of_all_columns);
    tcase_add_test(tests, dictionary_that_is_only_announced);
    tcase_add_test(tests, dictionary_as_large_as_its_values);
    tcase_add_test(tests, pages_that_pack_too_well);
    tcase_add_test(tests, page_over_the_limit_of_all_files);
    tcase_add_test(tests, limit_of_a_page);
    suite_add_tcase(suite, tests);
    SRunner *runner = srunner_create(suite);
    srunner_run_all(runner, CK_NORMAL);
    int failed = srunner_ntests_failed(runner);
    srunner_free(runner);
    return failed != 0;
}
