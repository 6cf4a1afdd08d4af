/* The rows of the published traces: read from Parquet they have the sums that a script of another
 * language found, and they are those of the CSV files. Exit 77 where the traces are not at hand. */
#include "tests/support/published_traces.h"
#include "tests/support/step_parquet_case.h"

/* A trace in full. */
static void parse_published(const struct hc_format *format, const char *file, struct result *result)
{
    char path[PATH_MAX];
    struct hc_source source;
    ck_assert_int_eq(hc_source_open(&source, published_file(path, file), &err), HC_OK);
    *result = parse_source(format, &source, 10007, 200000, NULL);
    ck_assert_msg(result->status == HC_OK, "%s", err.message);
    ck_assert_int_eq(hc_row_report_total_bad(&result->report), 0);
    hc_source_close(&source);
}

static int64_t sum_of(const struct hc_table *ops, size_t column)
{
    int64_t sum = 0;
    for (size_t i = 0; i < ops->n_rows; i++)
        sum += hc_ops_def.columns[column].type == HC_I32 ? hc_table_i32(ops, column)[i]
                                                         : hc_table_i64(ops, column)[i];
    return sum;
}

static const struct {
    const char *parquet, *csv;
    size_t n_rows;
    int64_t sum_step, sum_rank, sum_duration; /* by a script of another language, from the CSV */
} traces[] = {
    {"data/trace-AR.parquet", "csv/trace-AR.csv.gz", 117216, 78151104, 3516480, 33220985253950},
    {"data/trace-ST.parquet", "csv/trace-ST.csv.gz", 6784, 3616932, 23744, 662008708785},
};

START_TEST(sums_agree)
{
    struct result result;
    parse_published(&hc_format_step_parquet, traces[_i].parquet, &result);
    ck_assert_uint_eq(result.ops.n_rows, traces[_i].n_rows);
    ck_assert_int_eq(sum_of(&result.ops, HC_OPS_STEP), traces[_i].sum_step);
    ck_assert_int_eq(sum_of(&result.ops, HC_OPS_RANK), traces[_i].sum_rank);
    ck_assert_int_eq(sum_of(&result.ops, HC_OPS_DURATION_NS), traces[_i].sum_duration);
    fini_result(&result);
}
END_TEST

START_TEST(parquet_equals_csv)
{
    struct result parquet, csv;
    parse_published(&hc_format_step_parquet, traces[_i].parquet, &parquet);
    parse_published(&hc_format_step_csv, traces[_i].csv, &csv);
    ck_assert_uint_eq(parquet.ops.n_rows, csv.ops.n_rows);
    for (size_t c = 0; c < hc_ops_def.n_columns; c++)
        ck_assert_msg(memcmp(parquet.ops.column[c], csv.ops.column[c],
                             csv.ops.n_rows * hc_type_size(hc_ops_def.columns[c].type)) == 0,
                      "column %s differs", hc_ops_def.columns[c].name);
    fini_result(&csv);
    fini_result(&parquet);
}
END_TEST

int main(void)
{
    if (published_traces_are_missing())
        return TEST_SKIPPED;
    Suite *suite = suite_create("published_rows");
    TCase *tests = tcase_create("published_rows");
    tcase_set_timeout(tests, 300);
    tcase_add_loop_test(tests, sums_agree, 0, 2);
    tcase_add_loop_test(tests, parquet_equals_csv, 0, 2);
    suite_add_tcase(suite, tests);
    SRunner *runner = srunner_create(suite);
    srunner_run_all(runner, CK_NORMAL);
    int failed = srunner_ntests_failed(runner);
    srunner_free(runner);
    return failed != 0;
}
