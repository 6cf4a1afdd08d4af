#include "core/files/outfile.h"
#include "core/text/csv_writer.h"
#include "reports/whatif/whatif_csv.h"
#include "tests/support/fake_depth.h"
#include "tests/support/fake_whatif.h"
#include "tests/support/outset_case.h"

static char directory[] = "/tmp/hindcast-csv-XXXXXX";

static void make_directory(void)
{
    strcpy(directory, "/tmp/hindcast-csv-XXXXXX");
    ck_assert_ptr_nonnull(mkdtemp(directory));
}

static void remove_directory(void)
{
    char command[128];
    snprintf(command, sizeof command, "rm -rf '%s'", directory);
    ck_assert_int_eq(system(command), 0);
}

/* A file of the directory, NULL when it is not there. */
static char *contents(const char *name)
{
    char path[256], *text = NULL;
    size_t size = 0;
    snprintf(path, sizeof path, "%s/%s", directory, name);
    FILE *file = fopen(path, "r");
    if (!file)
        return NULL;
    ck_assert(getdelim(&text, &size, '\0', file) >= 0);
    fclose(file);
    return text;
}

static size_t count_lines(const char *text)
{
    size_t n = 0;
    for (; *text; text++)
        n += *text == '\n';
    return n;
}

static void check_file(const char *name, size_t n_lines, const char *part)
{
    char *text = contents(name);
    ck_assert_msg(text != NULL, "no '%s'", name);
    ck_assert_msg(count_lines(text) == n_lines, "'%s' has %zu lines:\n%s", name, count_lines(text),
                  text);
    ck_assert_msg(strstr(text, part) != NULL, "no '%s' in %s:\n%s", part, name, text);
    free(text);
}

static void check_absent(const char *name)
{
    char *text = contents(name);
    ck_assert_msg(text == NULL, "there is '%s':\n%s", name, text);
}

static enum hc_status put_files(const char *where, struct hc_whatif_report *report,
                                struct hc_error *err)
{
    struct hc_outset *set = case_set();
    report->run_id = CASE_RUN_ID;
    return case_commit(set, hc_whatif_write_csv(set, where, report, err), err);
}

static void write_tables(struct hc_whatif_result *result)
{
    struct hc_error err = {.status = HC_OK};
    struct hc_whatif_report report = fake_report(result);
    ck_assert_msg(put_files(directory, &report, &err) == HC_OK, "%s", err.message);
}

START_TEST(quotes_what_must_be)
{
    char *text = NULL;
    size_t size = 0;
    FILE *stream = open_memstream(&text, &size);
    struct hc_csv csv = {.stream = stream};
    hc_csv_text(&csv, "plain text");
    hc_csv_text(&csv, "a,b");
    hc_csv_text(&csv, "say \"x\"\n");
    hc_csv_text(&csv, " led");
    hc_csv_text(&csv, NULL);
    hc_csv_i64(&csv, HC_MISSING_I64);
    hc_csv_i64(&csv, -5);
    hc_csv_real(&csv, NAN);
    hc_csv_real(&csv, 0.1);
    hc_csv_bool(&csv, true);
    hc_csv_end(&csv);
    hc_csv_i64(&csv, 7);
    hc_csv_end(&csv);
    fclose(stream);
    ck_assert_str_eq(text,
                     "plain text,\"a,b\",\"say \"\"x\"\"\\x0a\",\" led\",,,-5,,0.1,true\n7\n");
    free(text);
}
END_TEST

START_TEST(writes_every_table)
{
    struct hc_whatif_result result;
    fake_result(&result, 4, 4, 44);
    fake_depth(&result);
    write_tables(&result);
    check_file("steps.csv", 45, "\n13,");
    check_file("workers.csv", 17, "\n0,0,0,1.97");
    check_file("worker_steps.csv", 44 * 16 + 1, "\n6,0,0,0,");
    check_file("splits.csv", 11 + 4 + 4 + 1, "\nblocking,op_type,forward-pp-comm,1.0024\n");
    check_file("fixes.csv", 17 + 5 + 12 + 1, "\nworkers,1,\"rank 0 (dp 0, stage 0)\",23.7794867");
    check_file("fixes.csv", 17 + 5 + 12 + 1, ",0.9871,true\n");
    check_file("shapley.csv", 12, "\nbackward-compute,1,14.3516724,1.6204\n");
    check_file("evidence.csv", 5, "\nm_w,worker,1.0017,0.5,true,\"1.002 of");
    check_file("evidence.csv", 5, "\ngc_pauses,gc,,0.1,false,");
    check_absent("left_out.csv");
    check_file("job.csv", 44, "key,value,unit\ncluster,default,\nid,AR,\nattempt,0,\n");
    check_file("job.csv", 44, "\ngpu_hours_lost,17.876,GPU-hours\ncause,worker,\n");
    fake_free(&result);
}
END_TEST

START_TEST(what_was_not_done_is_no_file)
{
    struct hc_whatif_result result;
    fake_result(&result, 2, 2, 3);
    fake_depth(&result);
    write_tables(&result);
    check_file("shapley.csv", 12, "op_type");
    fake_free(&result);
    fake_result(&result, 2, 2, 3);
    write_tables(&result);
    static const char *const empty[] = {"worker_steps.csv", "fixes.csv", "shapley.csv",
                                        "evidence.csv"};
    for (size_t i = 0; i < 4; i++)
        check_absent(empty[i]);
    check_file("job.csv", 44, "\ngpu_hours_lost,,GPU-hours\n");
    fake_free(&result);
}
END_TEST

START_TEST(keeps_the_tables_of_another_job)
{
    struct hc_whatif_result result;
    struct hc_error err = {.status = HC_OK};
    fake_result(&result, 2, 2, 3);
    write_tables(&result);
    char *before = contents("job.csv"), *after;
    result.job.attempt = 1;
    struct hc_whatif_report report = fake_report(&result);
    ck_assert_int_eq(put_files(directory, &report, &err), HC_USAGE);
    ck_assert_msg(strstr(err.message, "is not of this job") != NULL, "%s", err.message);
    after = contents("job.csv");
    ck_assert_str_eq(before, after);
    free(before);
    free(after);
    fake_free(&result);
}
END_TEST

int main(void)
{
    Suite *suite = suite_create("whatif_csv");
    TCase *tests = tcase_create("whatif_csv");
    tcase_add_checked_fixture(tests, make_directory, remove_directory);
    tcase_add_test(tests, quotes_what_must_be);
    tcase_add_test(tests, writes_every_table);
    tcase_add_test(tests, what_was_not_done_is_no_file);
    tcase_add_test(tests, keeps_the_tables_of_another_job);
    suite_add_tcase(suite, tests);
    SRunner *runner = srunner_create(suite);
    srunner_run_all(runner, CK_NORMAL);
    int failed = srunner_ntests_failed(runner);
    srunner_free(runner);
    return failed != 0;
}
