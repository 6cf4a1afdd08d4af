/* The step-parquet format: what is refused, and damage of every kind. */
#include "parsers/registry/format_registry.h"
#include "tests/support/step_parquet_case.h"

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
    /* a page that claims more than its bytes can give */
    mk_step_columns(columns, N);
    columns[7].codec = MK_SNAPPY;
    struct mk_page liar = {.n_values = N, .lie_n_out = 1 << 21};
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

int main(void)
{
    Suite *suite = suite_create("step_parquet_damage");
    TCase *tests = tcase_create("all");
    tcase_set_timeout(tests, 300);
    tcase_add_test(tests, statistics_are_held_against_the_values);
    tcase_add_test(tests, what_is_not_read_is_refused_by_name);
    tcase_add_test(tests, counts_that_disagree);
    tcase_add_test(tests, damage_inside_pages);
    tcase_add_test(tests, what_is_no_parquet_file);
    tcase_add_test(tests, every_truncation_is_an_error);
    tcase_add_test(tests, flipped_bits_are_survived);
    suite_add_tcase(suite, tests);
    SRunner *runner = srunner_create(suite);
    srunner_run_all(runner, CK_NORMAL);
    int failed = srunner_ntests_failed(runner);
    srunner_free(runner);
    return failed != 0;
}
