#include "reports/figure/svg_chart.h"
#include "reports/figure/svg_matrix.h"
#include "reports/page/axis.h"
#include "reports/page/html_page.h"
#include "reports/whatif/whatif_html.h"
#include "tests/support/fake_depth.h"
#include "tests/support/fake_whatif.h"
#include "tests/support/page_checks.h"

static char *page_of(struct hc_whatif_result *result)
{
    struct hc_whatif_report report = fake_report(result);
    report.depth = HC_DEPTH_ALL | HC_DEPTH_PICTURE;
    return fake_written(hc_whatif_write_html, &report);
}

/* ---- axes ---- */

static void check_ticks(struct hc_axis axis, size_t n_ticks, const char *expected)
{
    struct hc_ticks ticks;
    char text[HC_NUMBER_TEXT], all[512] = "";
    hc_axis_ticks(&axis, n_ticks, &ticks);
    for (size_t i = 0; i < ticks.n; i++) {
        strcat(all, i ? " | " : "");
        strcat(all, hc_tick_text(&axis, &ticks, i, text));
    }
    ck_assert_str_eq(all, expected);
}

START_TEST(ticks_are_round)
{
    check_ticks((struct hc_axis){.low = 0, .high = 1}, 5, "0.0 | 0.2 | 0.4 | 0.6 | 0.8 | 1.0");
    check_ticks((struct hc_axis){.low = 6, .high = 307}, 6, "100 | 200 | 300");
    check_ticks((struct hc_axis){.low = 0.98, .high = 1.06}, 4,
                "0.98 | 1.00 | 1.02 | 1.04 | "
                "1.06");
    check_ticks((struct hc_axis){.low = 0, .high = 1, .is_share = true}, 4, "0 % | 50 % | 100 %");
    check_ticks((struct hc_axis){.low = 0, .high = 2, .is_counts = true}, 9, "0 | 1 | 2");
    check_ticks((struct hc_axis){.low = 100, .high = 10000, .is_log = true}, 8,
                "100 | 200 | 500 | 1,000 | 2,000 | 5,000 | 10,000");
    check_ticks((struct hc_axis){.low = 0.01, .high = 1e6, .is_log = true}, 6,
                "0.01 | 0.1 | 1 | 10 | 100 | 1,000 | 10,000 | 100,000 | 1,000,000");
    check_ticks((struct hc_axis){.low = 3, .high = 3}, 5, "");
}
END_TEST

START_TEST(axes_widen_to_ticks)
{
    struct hc_axis axis = {.low = 1.12, .high = 1.97};
    hc_axis_round(&axis, 5);
    ck_assert(fabs(axis.low - 1.0) < 1e-12 && fabs(axis.high - 2.0) < 1e-12);
    axis = (struct hc_axis){.low = 130, .high = 9000, .is_log = true};
    hc_axis_round(&axis, 5);
    ck_assert(fabs(axis.low - 100) < 1e-9 && fabs(axis.high - 10000) < 1e-9);
    axis = (struct hc_axis){.low = INFINITY, .high = -INFINITY};
    hc_axis_round(&axis, 5);
    ck_assert(axis.low == 0 && axis.high == 1);
    axis = (struct hc_axis){.low = 5, .high = 5};
    hc_axis_round(&axis, 5);
    ck_assert(axis.low < 5 && axis.high > 5);
    ck_assert(hc_axis_place(&axis, axis.high) == 1);
}
END_TEST

/* ---- drawings ---- */

static char *curve_of(const double *xs, const double *ys, size_t n)
{
    char *text = NULL;
    size_t size = 0;
    FILE *stream = open_memstream(&text, &size);
    struct hc_svg_chart chart = {.width = 500, .height = 280, .x = {.high = 4}, .y = {.high = 1}};
    hc_svg_chart_start(&chart, stream, "a \"chart\"");
    hc_svg_chart_line(&chart, "s1", xs, ys, n);
    hc_svg_chart_end(&chart);
    fclose(stream);
    return text;
}

START_TEST(a_curve_is_interrupted_and_kept_inside)
{
    char *text = curve_of((const double[]){0, 1, 2, 3, 4}, (const double[]){0, 0.5, NAN, 7, 1}, 5);
    check_has(text, "aria-label=\"a &quot;chart&quot;\"");
    /* Two pieces; the value beyond the axis ends at its end. */
    check_has(text, "<path class=\"line s1\" d=\"M62 254L164.5 135M369.5 16L472 16\"/>");
    free(text);
}
END_TEST

START_TEST(maps_fold_by_maximum)
{
    struct hc_error err;
    double *values = fake_array(4096 * 2, sizeof *values);
    for (size_t i = 0; i < 4096 * 2; i++)
        values[i] = 1;
    values[2 * 1001] = 1.7; /* x 1001, y 0 */
    values[2 * 5 + 1] = NAN;
    const struct hc_figure map = {.is_wide = true,
                                  .matrix = {.n_x = 4096,
                                             .n_y = 2,
                                             .values = values,
                                             .low = 1,
                                             .high = 1.5,
                                             .x_name = "dp rank",
                                             .y_name = "stage"}};
    size_t fold_x, fold_y;
    hc_svg_matrix_fold(&map, &fold_x, &fold_y);
    ck_assert_uint_eq(fold_x, 9);
    ck_assert_uint_eq(fold_y, 1);
    char *text = NULL;
    size_t size = 0;
    FILE *stream = open_memstream(&text, &size);
    ck_assert_int_eq(hc_svg_matrix(stream, "map", &map, &err), HC_OK);
    fclose(stream);
    /* The hot one is in a cell of its own, the unknown one is outvoted by its neighbours. */
    ck_assert_uint_eq(count(text, "<path class=\"q9\""), 1);
    check_lacks(text, "class=\"qn\"");
    ck_assert_uint_lt(strlen(text), 120000);
    free(text);
    free(values);
}
END_TEST

START_TEST(text_is_escaped)
{
    char *text = NULL;
    size_t size = 0;
    FILE *stream = open_memstream(&text, &size);
    hc_html_text(stream, "<a b=\"c\">&\x01\xC2\x85\xFF \xC3\xA4");
    fclose(stream);
    ck_assert_str_eq(text, "&lt;a b=&quot;c&quot;&gt;&amp;\\x01\\u0085\\xff \xC3\xA4");
    free(text);
}
END_TEST

START_TEST(links_are_relative)
{
    static const struct hc_html_column columns[] = {{"job", 0}, {"page", 0}};
    struct hc_html_table table;
    char *text = NULL;
    size_t size = 0;
    FILE *stream = open_memstream(&text, &size);
    hc_html_table_start(&table, stream, "Links", columns, 2);
    hc_html_row(&table);
    hc_html_cell_link(&table, "jobs/a b.html#x", "x<");
    hc_html_cell_link(&table, "javascript:alert(1)", "y");
    hc_html_table_end(&table);
    fclose(stream);
    check_has(text, "<a href=\"jobs/a%20b.html#x\">x&lt;</a>");
    check_has(text, "<a href=\"javascript%3Aalert%281%29\">y</a>");
    free(text);
}
END_TEST

/* ---- the page ---- */

START_TEST(the_verdict_comes_first)
{
    struct hc_whatif_result result;
    fake_result(&result, 4, 4, 44);
    fake_depth(&result);
    char *text = page_of(&result);
    ck_assert(strstr(text, "Slow worker") < strstr(text, "1.973"));
    check_has(text, "95 %: 1.961 to 1.984");
    check_has(text, "of 36.49 GPU-hours");
    check_has(text, "<p class=\"lead\">Rank 0 (dp 0, stage 0) takes 2.39 times");
    check_has(text, "besides: late launches.</p>");
    check_has(text, "simulated for each");
    check_has(text, "off by up to 0.094");
    check_has(text, "these slowdowns do not add up");
    check_has(text, "These do add up.");
    check_has(text, "The first 4 bring 98.8 %, more bring little: backward-compute,");
    check_has(text, "Of 4 dp ranks these are drawn: 0 and 3.");
    check_has(text, "stage 2 (rank 32)");
    ck_assert_uint_eq(count(text, "<figure class=\"map\">"), 44);
    check_has(text, "0123456789abcdef0123456789abcdef0123456789abcdef0123456789abcdef");
    check_lacks(text, "<script");
    check_lacks(text, "nan");
    char *again = page_of(&result);
    ck_assert_str_eq(text, again);
    free(again);
    free(text);
    fake_free(&result);
}
END_TEST

START_TEST(parts_not_done_are_left_out)
{
    struct hc_whatif_result result;
    fake_result(&result, 4, 1, 3);
    fake_undo_blocking(&result);
    result.hides_waiting = true;
    result.launch_slowdown = NAN;
    char *text = page_of(&result);
    static const char *const absent[] = {
        "id=\"evidence\"", "id=\"workers\"", "id=\"splits\"", "id=\"fixes\"", "id=\"picture\"",
        "Shapley",         "GPU-hours",      "nan",           "#splits"};
    for (size_t i = 0; i < sizeof absent / sizeof absent[0]; i++)
        check_lacks(text, absent[i]);
    check_has(text, "Not straggling");
    check_has(text, "the trace hides waiting");
    check_has(text, "id=\"steps\"");
    free(text);
    fake_free(&result);
}
END_TEST

START_TEST(a_large_job_stays_small)
{
    struct hc_whatif_result result;
    fake_result(&result, 256, 4, 44);
    fake_depth(&result);
    /* No two neighbours alike: the most that the maps can take. */
    for (size_t i = 0; i < result.n_workers * result.n_steps; i++)
        result.worker_end_ns[i] =
            llround((1.0 + 0.05 * (double)(i * 7 % 11)) * (double)result.ideal_end_ns[0]);
    char *text = page_of(&result);
    ck_assert_msg(strlen(text) < 3000000, "%zu bytes", strlen(text));
    check_has(text, "The workers of stage 3 in each step");
    check_lacks(text, "<figure class=\"map\">");
    free(text);
    fake_free(&result);
    /* Of many stages, two views: the largest by dp rank, and by stage. */
    fake_result(&result, 16, 16, 44);
    fake_depth(&result);
    text = page_of(&result);
    check_has(text, "The worst stage of each dp rank in each step");
    check_has(text, "The worst dp rank of each stage in each step");
    check_has(text, "A cell shows the largest slowdown of its dp ranks.");
    free(text);
    fake_free(&result);
}
END_TEST

int main(void)
{
    Suite *suite = suite_create("whatif_html");
    TCase *tests = tcase_create("whatif_html");
    tcase_add_test(tests, ticks_are_round);
    tcase_add_test(tests, axes_widen_to_ticks);
    tcase_add_test(tests, a_curve_is_interrupted_and_kept_inside);
    tcase_add_test(tests, maps_fold_by_maximum);
    tcase_add_test(tests, text_is_escaped);
    tcase_add_test(tests, links_are_relative);
    tcase_add_test(tests, the_verdict_comes_first);
    tcase_add_test(tests, parts_not_done_are_left_out);
    tcase_add_test(tests, a_large_job_stays_small);
    suite_add_tcase(suite, tests);
    SRunner *runner = srunner_create(suite);
    srunner_run_all(runner, CK_NORMAL);
    int failed = srunner_ntests_failed(runner);
    srunner_free(runner);
    return failed != 0;
}
