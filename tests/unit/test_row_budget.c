/* Budgets before work: small files that stand for more rows than any trace has. */
#include "tests/support/bytes_source.h"
#include "tests/support/parquet_maker.h"

#include "core/tables/op_table.h"
#include "core/tables/op_type.h"
#include "models/steps/census.h"
#include "pipeline/inputs/source_input.h"
#include "pipeline/inputs/trace_load.h"

#include <check.h>
#include <stdio.h>
#include <unistd.h>

#define BOMB_ROWS 100000000

static char path[] = "/tmp/hindcast-test-budget-XXXXXX";

static void write_file(const void *bytes, size_t length)
{
    FILE *file = fopen(path, "w");
    ck_assert(file && fwrite(bytes, 1, length, file) == length && fclose(file) == 0);
}

/* A column of n equal values: a dictionary of one, and one run of its index. */
static void make_constant(struct mk_column *column, int c, int n)
{
    struct mk_page dictionary = {.type = 2, .n_values = 1}, page = {.n_values = n, .encoding = 8};
    free(column->chunk.p);
    column->chunk = (struct mk){0};
    if (c == MK_OPTYPE)
        mk_plain_text(&dictionary.values, "gc");
    else if (c >= MK_START_TS)
        mk_float(&dictionary.values, 1);
    else
        mk_u32(&dictionary.values, 0);
    mk_page(&column->chunk, &dictionary, 0);
    column->first_data = column->chunk.n;
    mk_byte(&page.values, 1);
    mk_varint(&page.values, (uint64_t)n << 1);
    mk_byte(&page.values, 0);
    mk_page(&column->chunk, &page, 0);
    column->n_values = n;
}

/* The same op over and over, in about a kilobyte. */
static size_t write_bomb(int n_rows)
{
    struct mk_column columns[MK_N_STEP_COLUMNS];
    mk_step_columns(columns, 1);
    for (int c = 0; c < MK_N_STEP_COLUMNS; c++)
        make_constant(&columns[c], c, n_rows);
    struct mk_file file = {columns, MK_N_STEP_COLUMNS, 1, n_rows, 0};
    struct mk bytes = mk_file(&file);
    size_t length = bytes.n;
    write_file(bytes.p, length);
    mk_free_columns(columns, MK_N_STEP_COLUMNS);
    free(bytes.p);
    return length;
}

static int64_t n_read; /* by the parser, good and bad */

static enum hc_status count_batch(const struct hc_table *ops, void *context, struct hc_error *err)
{
    (void)err;
    *(int64_t *)context += (int64_t)ops->n_rows;
    return HC_OK;
}

/* The file is refused with these words; returns the rows that came before. */
static int64_t check_refused(const struct hc_trace_options *options, const char *words)
{
    struct hc_error err = {0};
    struct hc_source_input input;
    int64_t n_rows = 0;
    ck_assert_msg(!hc_source_input_open(&input, path, options, &err), "%s", err.message);
    ck_assert_int_eq(hc_source_input_read(&input, count_batch, &n_rows, &err), HC_BAD_INPUT);
    ck_assert_msg(strstr(err.message, words), "'%s' is not in: %s", words, err.message);
    n_read = input.report.rows_read;
    hc_source_input_close(&input);
    return n_rows;
}

static void check_load_refused(const struct hc_trace_options *options, const char *words)
{
    struct hc_error err = {0};
    struct hc_trace_loader loader = {.trace_options = options};
    struct hc_loaded_trace loaded;
    ck_assert_int_eq(hc_trace_load(&loaded, &loader, path, &err), HC_BAD_INPUT);
    ck_assert_msg(strstr(err.message, words), "'%s' is not in: %s", words, err.message);
    ck_assert_msg(strstr(err.message, path), "no file in: %s", err.message);
}

/* By its footer alone: no row is decoded. */
START_TEST(parquet_is_judged_by_its_footer)
{
    struct hc_trace_options options = HC_TRACE_DEFAULTS;
    size_t length = write_bomb(BOMB_ROWS);
    ck_assert_uint_lt(length, 2000);
    ck_assert_int_eq(check_refused(&options, "has 100000000 rows or more in "), 0);
    ck_assert_int_eq(check_refused(&options, "raise --max-rows-per-byte"), 0);
    check_load_refused(&options, "raise --max-rows-per-byte");
}
END_TEST

/* What is left of the budgets when one is raised: a step has at most so many ops, and of the rows
 * that the footer announces no more than --max-bad are read that are there twice. */
START_TEST(raised_budgets_leave_the_others)
{
    struct hc_trace_options options = HC_TRACE_DEFAULTS;
    options.max_rows_per_byte = 1000000;
    write_bomb(BOMB_ROWS);
    check_load_refused(&options, "step 0 has more than 1000000 ops of dp_rank 0");
    check_load_refused(&options, "raise --max-step-ops");
    options.max_step_ops = 0;
    check_load_refused(&options, "of 100000000 rows are bad, more than --max-bad allows (1 %)");
    check_load_refused(&options, "duplicate rows (among the first 10");
}
END_TEST

/* Bad rows, too, end the reading at the share of all that are announced, not behind the last. */
START_TEST(bad_rows_count_against_the_footer)
{
    struct hc_trace_options options = HC_TRACE_DEFAULTS;
    struct mk_column columns[MK_N_STEP_COLUMNS];
    enum { ROWS = 4000000 };
    options.max_rows_per_byte = 1000000;
    mk_step_columns(columns, 1);
    for (int c = 0; c < MK_N_STEP_COLUMNS; c++)
        make_constant(&columns[c], c, ROWS);
    free(columns[3].chunk.p); /* step: -1, which none has */
    columns[3].chunk = (struct mk){0};
    struct mk_page page = {.n_values = ROWS, .encoding = 8},
                   dictionary = {.type = 2, .n_values = 1};
    mk_u32(&dictionary.values, UINT32_MAX);
    mk_page(&columns[3].chunk, &dictionary, 0);
    columns[3].first_data = columns[3].chunk.n;
    mk_byte(&page.values, 1);
    mk_varint(&page.values, (uint64_t)ROWS << 1);
    mk_byte(&page.values, 0);
    mk_page(&columns[3].chunk, &page, 0);
    struct mk_file file = {columns, MK_N_STEP_COLUMNS, 1, ROWS, 0};
    struct mk bytes = mk_file(&file);
    write_file(bytes.p, bytes.n);
    ck_assert_int_eq(check_refused(&options, "of 4000000 rows are bad"), 0);
    ck_assert_int_lt(n_read, 50000); /* 40,000 bad ones are too many, whatever follows */
    mk_free_columns(columns, MK_N_STEP_COLUMNS);
    free(bytes.p);
}
END_TEST

/* Text has no footer: what is unpacked is counted as it comes. */
START_TEST(packed_text_is_judged_as_it_comes)
{
    static const char header[] =
        "dp_rank,stage,rank,step,optype,start_ts,duration,seq_id,mc,mb_id,gmc\n";
    static const char row[] = "0,0,0,1,gc,0,1,0,,,0\n";
    enum { ROWS = 3000000 };
    struct hc_trace_options options = HC_TRACE_DEFAULTS;
    struct mk text = {0};
    mk_put(&text, header, sizeof header - 1);
    for (int i = 0; i < ROWS; i++)
        mk_put(&text, row, sizeof row - 1);
    size_t room = ZSTD_compressBound(text.n);
    char *packed = malloc(room);
    ck_assert_ptr_nonnull(packed);
    size_t length = ZSTD_compress(packed, room, text.p, text.n, 1);
    ck_assert_uint_lt(length, 15000); /* 200 rows a byte */
    write_file(packed, length);
    int64_t n_rows = check_refused(&options, "raise --max-rows-per-byte");
    ck_assert_int_ge(n_rows, HC_FREE_ROWS);
    ck_assert_int_lt(n_rows, ROWS);
    options.max_rows_per_byte = 1000000;
    check_load_refused(&options, "raise --max-step-ops");
    free(packed);
    free(text.p);
}
END_TEST

START_TEST(a_million_rows_are_free)
{
    struct hc_error err = {0};
    struct hc_source source = {.name = (char *)"x", .size = 10};
    ck_assert_int_eq(hc_source_check_rows(&source, 1000000, 100, &err), HC_OK);
    ck_assert_int_eq(hc_source_check_rows(&source, 1001000, 100, &err), HC_OK);
    ck_assert_int_eq(hc_source_check_rows(&source, 1001001, 100, &err), HC_BAD_INPUT);
    ck_assert_int_eq(hc_source_check_rows(&source, INT64_MAX, 1000000000, &err), HC_BAD_INPUT);
    ck_assert_int_eq(hc_source_check_rows(&source, INT64_MAX, 0, &err), HC_OK);
}
END_TEST

/* The limit is one of a step and dp rank, whether its ops are different or not. */
START_TEST(steps_have_a_limit_of_ops)
{
    struct hc_error err = {0};
    struct hc_table ops = {0};
    struct hc_census *census = NULL;
    enum { MOST = 1000 };
    ck_assert(!hc_census_new(&census, &err) && !hc_table_init(&ops, &hc_ops_def, 1, &err));
    hc_census_limit_ops(census, MOST);
    ops.n_rows = 1;
    for (size_t c = 0; c < HC_OPS_N_COLUMNS; c++)
        if (hc_ops_def.columns[c].type == HC_I32)
            hc_table_i32(&ops, c)[0] = 0;
        else
            hc_table_i64(&ops, c)[0] = 0;
    for (int i = 0; i < 2 * MOST; i++) {
        hc_table_i32(&ops, HC_OPS_OP_TYPE)[0] = HC_GC;
        hc_table_i32(&ops, HC_OPS_SEQ_ID)[0] = i / 2;
        hc_table_i32(&ops, HC_OPS_DP_RANK)[0] = hc_table_i32(&ops, HC_OPS_RANK)[0] = i % 2;
        ck_assert_msg(!hc_census_add(census, &ops, NULL, &err), "row %d: %s", i, err.message);
    }
    hc_table_i32(&ops, HC_OPS_STEP)[0] = 1;
    ck_assert_int_eq(hc_census_add(census, &ops, NULL, &err), HC_OK);
    hc_table_i32(&ops, HC_OPS_STEP)[0] = 0;
    ck_assert_int_eq(hc_census_add(census, &ops, NULL, &err), HC_BAD_INPUT);
    ck_assert_ptr_nonnull(strstr(err.message, "more than 1000 ops of dp_rank 1"));
    hc_table_fini(&ops);
    hc_census_free(census);
}
END_TEST

int main(void)
{
    int fd = mkstemp(path);
    if (fd < 0)
        return 1;
    close(fd);
    Suite *suite = suite_create("row_budget");
    TCase *tcase = tcase_create("all");
    tcase_set_timeout(tcase, 60);
    tcase_add_test(tcase, parquet_is_judged_by_its_footer);
    tcase_add_test(tcase, raised_budgets_leave_the_others);
    tcase_add_test(tcase, bad_rows_count_against_the_footer);
    tcase_add_test(tcase, packed_text_is_judged_as_it_comes);
    tcase_add_test(tcase, a_million_rows_are_free);
    tcase_add_test(tcase, steps_have_a_limit_of_ops);
    suite_add_tcase(suite, tcase);
    SRunner *runner = srunner_create(suite);
    srunner_run_all(runner, CK_NORMAL);
    int failed = srunner_ntests_failed(runner);
    srunner_free(runner);
    unlink(path);
    return failed != 0;
}
