#include "models/query/query_condition.h"

#include <check.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { COUNT, TIME, NAME, N_COLUMNS };
static const struct hc_column_def columns[] = {
    {"count", HC_I32, "", "a number", NULL},
    {"time_ns", HC_I64, "ns", "a time or a duration", NULL},
    {"name", HC_I32, "", "a text", "names"},
};
static const struct hc_table_def def = {"things", N_COLUMNS, columns, 0};

#define N_ROWS 6
static const int32_t counts[N_ROWS] = {-2, 0, 7, 8, INT32_MAX, HC_MISSING_I32};
static const int64_t times[N_ROWS] = {INT64_MIN + 1, 0,         67000000,
                                      INT64_MAX,     774000000, HC_MISSING_I64};
static const char *const texts[N_ROWS] = {"one", "two", "three", "one", "it", NULL};

static struct hc_table table;
static struct hc_table_names names;
static struct hc_error err;

static void set_up(void)
{
    const struct hc_table_def *const tables[] = {&def, NULL};
    err = (struct hc_error){.status = HC_OK};
    ck_assert_int_eq(hc_table_init(&table, &def, N_ROWS, &err), HC_OK);
    ck_assert_int_eq(hc_table_names_init(&names, tables, &err), HC_OK);
    for (size_t i = 0; i < N_ROWS; i++) {
        int32_t code = HC_MISSING_I32;
        if (texts[i])
            ck_assert_int_eq(hc_text_set_add(hc_table_names_find(&names, "names"), texts[i],
                                             strlen(texts[i]), &code, &err),
                             HC_OK);
        hc_table_i32(&table, COUNT)[i] = counts[i];
        hc_table_i64(&table, TIME)[i] = times[i];
        hc_table_i32(&table, NAME)[i] = code;
    }
    table.n_rows = N_ROWS;
}

static void tear_down(void)
{
    hc_table_names_fini(&names);
    hc_table_fini(&table);
}

/* The rows that are wanted, as "0123". */
static void check_rows(const char *text, const char *rows)
{
    struct hc_query_condition *condition;
    uint8_t is_wanted[N_ROWS];
    char found[N_ROWS + 1] = "";
    ck_assert_msg(hc_query_condition_parse(&condition, text, &def, &err) == HC_OK, "%s: %s", text,
                  err.message);
    ck_assert_int_eq(hc_query_condition_filter(condition, &table, &names, is_wanted, &err), HC_OK);
    for (size_t i = 0; i < N_ROWS; i++)
        if (is_wanted[i])
            found[strlen(found)] = (char)('0' + i);
    ck_assert_msg(strcmp(found, rows) == 0, "%s: rows %s, and %s were expected", text, found, rows);
    hc_query_condition_free(condition);
}

START_TEST(numbers_beyond_all_compare_as_such)
{
    static const char *const columns_of_numbers[] = {"count", "time_ns"};
    static const struct {
        const char *relation, *above, *below; /* of 1e30, of -1e30 */
    } cases[] = {{"<", "01234", ""},  {"<=", "01234", ""},      {">", "", "01234"},
                 {">=", "", "01234"}, {"!=", "01234", "01234"}, {"=", "", ""}};
    for (size_t c = 0; c < 2; c++)
        for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
            char text[64];
            snprintf(text, sizeof text, "%s %s 1e30", columns_of_numbers[c], cases[i].relation);
            check_rows(text, cases[i].above);
            snprintf(text, sizeof text, "%s %s -1e30", columns_of_numbers[c], cases[i].relation);
            check_rows(text, cases[i].below);
        }
    check_rows("time_ns < 1e300 d", "01234");
    check_rows("time_ns > 200000 d", "");
    check_rows("time_ns >= 9223372036854775807", "3");
    check_rows("time_ns = 9223372036854775808", "");
    check_rows("time_ns < 9223372036854775808", "01234");
    check_rows("time_ns = -9223372036854775807", "0");
    check_rows("time_ns >= -9223372036854775808", "01234");
    check_rows("time_ns = -9223372036854775808", "");
    check_rows("time_ns != -9223372036854775808", "01234");
    check_rows("count >= -2147483648", "01234");
    check_rows("count = -2147483648", "");
}
END_TEST

START_TEST(decimals_of_durations_are_exact)
{
    check_rows("time_ns = 0.067 s", "2");
    check_rows("time_ns = 0.067s", "2");
    check_rows("time_ns >= 0.067 s and time_ns < 1 s", "24");
    check_rows("time_ns <= 0.067 s and time_ns > 0", "2");
    check_rows("time_ns != 0.067 s", "0134");
    check_rows("time_ns = 67 ms or time_ns = 67000 us", "2");
    check_rows("time_ns = 0.0129 min", "4");
    check_rows("time_ns = 0.000215 h", "4");
    check_rows("time_ns > 0.5 ns and time_ns < 1 ms", "");
    check_rows("time_ns >= -0.5 ns and time_ns <= 0.5 ns", "1");
}
END_TEST

/* Each count of thousandths of a unit, as text, finds exactly the time that it is. */
START_TEST(thousandths_of_each_unit)
{
    static const struct {
        const char *name;
        int64_t ns;
    } units[] = {{"us", 1000},           {"ms", 1000000},        {"s", 1000000000},
                 {"min", 60000000000LL}, {"h", 3600000000000LL}, {"d", 86400000000000LL}};
    for (size_t u = 0; u < sizeof units / sizeof *units; u++)
        for (int64_t n = 1; n < 2000; n++) {
            char text[64];
            hc_table_i64(&table, TIME)[2] = n * (units[u].ns / 1000);
            snprintf(text, sizeof text, "time_ns = %d.%03d %s and name = three", (int)(n / 1000),
                     (int)(n % 1000), units[u].name);
            check_rows(text, "2");
        }
}
END_TEST

START_TEST(fractions_lie_between_whole_numbers)
{
    check_rows("count > 7.5", "34");
    check_rows("count < 7.5", "012");
    check_rows("count = 7.5", "");
    check_rows("count != 7.5", "01234");
    check_rows("count >= -1.5", "1234");
    check_rows("count = 8.0 or count = 7e0", "23");
}
END_TEST

START_TEST(words_join_terms)
{
    check_rows("name in (one, two) and not count = 0", "03");
    check_rows("name = one or name = two and count > 0", "03");
    check_rows("(name = one or name = two) and count > 0", "3");
    check_rows("not name = one", "1245"); /* a missing text is not one */
    check_rows("name != one", "124");
    check_rows("name is missing or count is missing", "5");
    check_rows("name ~ 't*'", "12");
}
END_TEST

int main(void)
{
    Suite *suite = suite_create("query_condition");
    TCase *cases = tcase_create("query_condition");
    tcase_add_checked_fixture(cases, set_up, tear_down);
    tcase_add_test(cases, numbers_beyond_all_compare_as_such);
    tcase_add_test(cases, decimals_of_durations_are_exact);
    tcase_add_test(cases, thousandths_of_each_unit);
    tcase_add_test(cases, fractions_lie_between_whole_numbers);
    tcase_add_test(cases, words_join_terms);
    suite_add_tcase(suite, cases);
    SRunner *runner = srunner_create(suite);
    srunner_run_all(runner, CK_ENV);
    int n_failed = srunner_ntests_failed(runner);
    srunner_free(runner);
    return n_failed != 0;
}
