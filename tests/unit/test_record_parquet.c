/* Rows of tables as Parquet, read back by the program's own reader: more rows than a group has,
 * different texts in each segment, missing values, and bytes that are no text. */
#include "parsers/io/source.h"
#include "parsers/parquet/parquet_column.h"
#include "reports/export/record_parquet_writer.h"

#include <check.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum { COUNT, TIME, NAME, REAL, N_COLUMNS };
static const struct hc_column_def columns[] = {
    {"count", HC_I32, "", "a number", NULL},
    {"time_ns", HC_I64, "ns", "a time", NULL},
    {"name", HC_I32, "", "a text", "names"},
    {"real", HC_F64, "s", "a length", NULL},
};
static const struct hc_table_def def = {"things", N_COLUMNS, columns, 0};
static const char *const column_names[] = {"count", "time_ns", "name", "real"};

#define SEGMENT  7001
#define SEGMENTS 10 /* 70,010 rows: more than a row group */
#define BROKEN   5  /* the row whose text is no UTF-8 */
#define IS_BYTES 1000000

static struct hc_error err;

static bool lacks(size_t row, int column)
{
    return row % 7 == (size_t)column;
}

/* Row `row` of all is the next of the table; its texts are of its segment alone. */
static void add_row(struct hc_table *table, struct hc_table_names *names, size_t row)
{
    char text[32];
    size_t at = table->n_rows++;
    int32_t code = HC_MISSING_I32;
    snprintf(text, sizeof text, row == BROKEN ? "\xff" : "t%zu", row / 2);
    if (!lacks(row, NAME))
        ck_assert_int_eq(
            hc_text_set_add(hc_table_names_find(names, "names"), text, strlen(text), &code, &err),
            HC_OK);
    hc_table_i32(table, COUNT)[at] = lacks(row, COUNT) ? HC_MISSING_I32 : (int32_t)row - 3;
    hc_table_i64(table, TIME)[at] =
        lacks(row, TIME) ? HC_MISSING_I64 : (int64_t)row * 1000000000 + 1;
    hc_table_i32(table, NAME)[at] = code;
    hc_table_f64(table, REAL)[at] = lacks(row, REAL) ? NAN : (double)row / 4;
}

static void write_segment(struct hc_record_parquet *parquet, size_t segment)
{
    const struct hc_table_def *const tables[] = {&def, NULL};
    struct hc_table table;
    struct hc_table_names names = {0};
    ck_assert_int_eq(hc_table_init(&table, &def, SEGMENT, &err), HC_OK);
    ck_assert_int_eq(hc_table_names_init(&names, tables, &err), HC_OK);
    for (size_t i = 0; i < SEGMENT; i++)
        add_row(&table, &names, segment * SEGMENT + i);
    for (size_t i = 0; i < SEGMENT; i++)
        ck_assert_int_eq(hc_record_parquet_add(parquet, &table, &names, i, &err), HC_OK);
    hc_table_names_fini(&names);
    hc_table_fini(&table);
}

static void write_file(const char *path, size_t segments)
{
    static const size_t places[] = {COUNT, TIME, NAME, REAL};
    const struct hc_record_columns all = {&def, N_COLUMNS, places};
    struct hc_record_parquet *parquet;
    FILE *stream = fopen(path, "w");
    ck_assert_ptr_nonnull(stream);
    ck_assert_int_eq(hc_record_parquet_open(&parquet, stream, path, &all, &err), HC_OK);
    for (size_t s = 0; s < segments; s++)
        write_segment(parquet, s);
    ck_assert_int_eq(hc_record_parquet_finish(parquet, &err), HC_OK);
    hc_record_parquet_close(parquet);
    ck_assert_int_eq(fclose(stream), 0);
}

/* ---- reading back ---- */

static bool find_name(void *context, const char *name, size_t length, int32_t *code)
{
    (void)context;
    char text[32];
    ck_assert_uint_lt(length, sizeof text);
    memcpy(text, name, length);
    text[length] = '\0';
    *code = strcmp(text, "\\xff") == 0 ? IS_BYTES : atoi(text + 1);
    return *code == IS_BYTES || text[0] == 't';
}

static enum hc_status fail_name(void *context, int64_t row, const char *name, size_t length,
                                struct hc_error *error)
{
    (void)context;
    return hc_fail(error, HC_BAD_INPUT, "row %lld: '%.*s'", (long long)row, (int)length, name);
}

static int64_t expected(size_t row, int column)
{
    if (lacks(row, column))
        return HC_PARQUET_NULL;
    switch (column) {
    case COUNT:
        return (int64_t)row - 3;
    case TIME:
        return (int64_t)row * 1000000000 + 1;
    case NAME:
        return row == BROKEN ? IS_BYTES : (int64_t)row / 2;
    default:
        return (int64_t)row * 250000000;
    }
}

static void check_group(struct hc_parquet_column *read, const struct hc_parquet_chunk *chunks,
                        size_t first)
{
    size_t n = (size_t)chunks[0].n_values;
    int64_t *out = malloc(n * sizeof *out);
    ck_assert_ptr_nonnull(out);
    for (int c = 0; c < N_COLUMNS; c++) {
        hc_parquet_column_start(&read[c], &chunks[c]);
        for (size_t done = 0; done < n; done += 1024)
            ck_assert_msg(hc_parquet_column_read(&read[c], n - done < 1024 ? n - done : 1024,
                                                 out + done, &err) == HC_OK,
                          "%s", err.message);
        ck_assert_msg(hc_parquet_column_finish(&read[c], &err) == HC_OK, "%s", err.message);
        for (size_t i = 0; i < n; i++)
            ck_assert_int_eq(out[i], expected(first + i, c));
    }
    free(out);
}

static size_t check_file(const char *path)
{
    static const enum hc_parquet_target targets[] = {HC_PARQUET_INTEGERS, HC_PARQUET_INTEGERS,
                                                     HC_PARQUET_NAMES, HC_PARQUET_SECONDS};
    const struct hc_parquet_names names = {NULL, find_name, fail_name};
    struct hc_source source;
    struct hc_parquet_footer footer = {0};
    struct hc_parquet_column read[N_COLUMNS] = {0};
    size_t first = 0;
    ck_assert_int_eq(hc_source_open(&source, path, &err), HC_OK);
    ck_assert_msg(hc_parquet_footer_open(&footer, &source, column_names, N_COLUMNS, &err) == HC_OK,
                  "%s", err.message);
    for (int c = 0; c < N_COLUMNS; c++)
        ck_assert_msg(hc_parquet_column_init(&read[c], &source, &footer.schema.columns[c],
                                             targets[c], &names, &err) == HC_OK,
                      "%s", err.message);
    ck_assert_msg(hc_parquet_footer_groups(&footer, &err) == HC_OK, "%s", err.message);
    for (size_t g = 0; g < footer.n_groups; g++) {
        check_group(read, footer.chunks + g * N_COLUMNS, first);
        first += (size_t)footer.chunks[g * N_COLUMNS].n_values;
    }
    ck_assert_int_eq(footer.n_rows, (int64_t)first);
    for (int c = 0; c < N_COLUMNS; c++)
        hc_parquet_column_fini(&read[c]);
    hc_parquet_footer_close(&footer);
    hc_source_close(&source);
    return first;
}

START_TEST(what_is_written_is_read)
{
    char path[] = "/tmp/record_parquet.XXXXXX";
    int fd = mkstemp(path);
    ck_assert_int_ge(fd, 0);
    close(fd);
    static const size_t segments[] = {0, 1, SEGMENTS};
    for (size_t i = 0; i < sizeof segments / sizeof *segments; i++) {
        write_file(path, segments[i]);
        ck_assert_uint_eq(check_file(path), segments[i] * SEGMENT);
    }
    unlink(path);
}
END_TEST

int main(void)
{
    Suite *suite = suite_create("record parquet");
    TCase *cases = tcase_create("all");
    tcase_add_test(cases, what_is_written_is_read);
    suite_add_tcase(suite, cases);
    SRunner *runner = srunner_create(suite);
    srunner_run_all(runner, CK_NORMAL);
    int failed = srunner_ntests_failed(runner);
    srunner_free(runner);
    return failed ? EXIT_FAILURE : EXIT_SUCCESS;
}
