/* Figures on a page: where their texts go, what is said of what is cut off, and their tables. */
#include "reports/figure/figure_page.h"

#include <check.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

/* The caller frees it. */
static char *page_of(const struct hc_figure *figure)
{
    char *text = NULL;
    size_t size = 0;
    struct hc_error err;
    FILE *stream = open_memstream(&text, &size);
    const struct hc_figure_sink sink = hc_figure_page(stream);
    ck_assert_int_eq(hc_figure_put(&sink, figure, &err), HC_OK);
    fclose(stream);
    return text;
}

static bool has(const char *page, const char *what)
{
    return strstr(page, what) != NULL;
}

/* The coordinate of the text element that holds `text`: "x=" or "y=". */
static double place_of(const char *page, const char *text, const char *axis)
{
    const char *at = strstr(page, text);
    ck_assert_msg(at, "no '%s'", text);
    while (at > page && strncmp(at, "<text", 5) != 0)
        at--;
    return atof(strstr(at, axis) + 3);
}

static double y_of(const char *page, const char *text)
{
    return place_of(page, text, "y=\"");
}

/* Texts of up to nine letters: a line apart, or further than they are long. */
static void check_apart(const char *page, const char *a, const char *b)
{
    double dy = fabs(y_of(page, a) - y_of(page, b));
    double dx = fabs(place_of(page, a, "x=\"") - place_of(page, b, "x=\""));
    ck_assert_msg(dy >= 14 || dx >= 160, "%s and %s: %.1f beside, %.1f below", a, b, dx, dy);
}

static const double xs[] = {0, 1, 2, 3, 4}, ys[] = {0.5, 0.5, 0.5, 0.5, 0.5};
static const double lows[] = {0.4, 0.4, -2, 0.4, 0.4}, highs[] = {0.6, 0.6, 0.7, 0.6, 0.6};

static struct hc_figure chart_of(const struct hc_figure_series *series, size_t n)
{
    return (struct hc_figure){.kind = HC_FIGURE_CHART,
                              .name = "chart",
                              .title = "A chart",
                              .x = {.title = "x", .low = 0, .high = 4},
                              .y = {.title = "y", .low = 0, .high = 1},
                              .n_series = n,
                              .series = series};
}

/* A mark, a rule through it and the text of the rule would all be at one place; so would two marks.
 */
START_TEST(no_text_lies_on_another)
{
    const struct hc_figure_series line = {
        .kind = HC_SERIES_LINE, .color = HC_BLUE, .n = 5, .x = xs, .y = ys};
    const struct hc_figure_mark marks[] = {{3.9, 0.5, HC_VERMILLION, "found: 4", false},
                                           {3.9, 0.5, HC_VERMILLION, "also: 4", false}};
    struct hc_figure figure = chart_of(&line, 1);
    figure.n_marks = 2;
    figure.marks = marks;
    figure.n_rules = 1;
    figure.rules = &(struct hc_figure_rule){.at = 0.5, .text = "the bound"};
    char *page = page_of(&figure);
    check_apart(page, ">found: 4<", ">also: 4<");
    check_apart(page, ">found: 4<", ">the bound<");
    check_apart(page, ">also: 4<", ">the bound<");
    free(page);
}
END_TEST

START_TEST(a_cut_axis_is_said)
{
    const struct hc_figure_series series[] = {
        {.kind = HC_SERIES_BAND, .color = HC_BLUE, .n = 5, .x = xs, .y = lows, .high = highs},
        {.kind = HC_SERIES_LINE, .color = HC_BLUE, .n = 5, .x = xs, .y = ys}};
    struct hc_figure figure = chart_of(series, 2);
    char *page = page_of(&figure);
    ck_assert(has(page, "The axis is cut: the values go from -2.000 to 0.700."));
    free(page);
    figure.y.low = -2;
    page = page_of(&figure);
    ck_assert(!has(page, "The axis is cut"));
    free(page);
}
END_TEST

/* A band upon another looks as dark as both, in the legend too: its sample is drawn on the other's.
 */
START_TEST(legend_has_the_shades_of_the_bands)
{
    const struct hc_figure_series of = {
        .kind = HC_SERIES_BAND, .color = HC_BLUE, .n = 5, .x = xs, .y = lows, .high = highs};
    struct hc_figure_series series[] = {of, of};
    series[0].name = "5 to 95 %";
    series[1].name = "25 to 75 %";
    series[1].strength = HC_DEEP;
    const struct hc_figure figure = chart_of(series, 2);
    char *page = page_of(&figure);
    size_t n = 0;
    for (const char *at = page; (at = strstr(at, "<rect")); at++)
        n++;
    ck_assert_uint_eq(n, 3);
    free(page);
}
END_TEST

START_TEST(long_names_stand_above_their_bars)
{
    static const char name[] = "a name that leaves no room for the bar beside it";
    const struct hc_figure_row rows[] = {{.name = name, .text = "1.5", .value = 1.5, .color = 1}};
    const struct hc_figure figure = {.kind = HC_FIGURE_BARS,
                                     .name = "bars",
                                     .title = "Bars",
                                     .x = {.title = "value"},
                                     .n_rows = 1,
                                     .rows = rows};
    char *page = page_of(&figure);
    ck_assert_double_lt(y_of(page, name), y_of(page, ">1.5<"));
    free(page);
}
END_TEST

/* Few points are all in the table; many are summed up, a row a series. */
START_TEST(tables_have_all_or_a_summary)
{
    double x[100], y[100];
    for (size_t i = 0; i < 100; i++) {
        x[i] = (double)i;
        y[i] = i == 57 ? 0.93 : 0.25;
    }
    struct hc_figure_series line = {
        .kind = HC_SERIES_LINE, .color = HC_BLUE, .name = "the line", .n = 5, .x = xs, .y = ys};
    struct hc_figure figure = chart_of(&line, 1);
    char *page = page_of(&figure);
    ck_assert(has(page, "<tr><th scope=\"row\">4</th><td class=\"n\">0.5000</td></tr>"));
    free(page);
    line.n = 100;
    line.x = x;
    line.y = y;
    page = page_of(&figure);
    ck_assert(has(page, "<tr><th scope=\"row\">the line</th><td class=\"n\">100</td>"));
    ck_assert(has(page, "<td class=\"n\">0.2500</td><td class=\"n\">0.9300</td></tr>"));
    ck_assert(!has(page, "<th scope=\"row\">4</th>"));
    free(page);
}
END_TEST

START_TEST(largest_cells_of_a_map_come_first)
{
    double values[20 * 20];
    for (size_t i = 0; i < 400; i++)
        values[i] = 1 + (double)i * 1e-5;
    values[7 * 20 + 3] = 1.5;
    values[8 * 20 + 3] = NAN;
    const struct hc_figure figure = {.kind = HC_FIGURE_MATRIX,
                                     .name = "map",
                                     .title = "Map",
                                     .matrix = {.n_x = 20,
                                                .n_y = 20,
                                                .values = values,
                                                .low = 1,
                                                .high = 1.5,
                                                .value = "slowdown",
                                                .x_name = "dp rank",
                                                .y_name = "stage"}};
    char *page = page_of(&figure);
    ck_assert(has(page, "The 10 largest of 400 cells"));
    ck_assert(has(page, "<tbody>\n<tr><th scope=\"row\">dp rank 7, stage 3</th>"
                        "<td class=\"n\">1.500</td></tr>\n<tr><th scope=\"row\">dp rank 19, stage "
                        "19</th><td class=\"n\">1.004</td></tr>"));
    free(page);
}
END_TEST

int main(void)
{
    Suite *suite = suite_create("figure_page");
    TCase *tests = tcase_create("all");
    tcase_add_test(tests, no_text_lies_on_another);
    tcase_add_test(tests, a_cut_axis_is_said);
    tcase_add_test(tests, legend_has_the_shades_of_the_bands);
    tcase_add_test(tests, long_names_stand_above_their_bars);
    tcase_add_test(tests, tables_have_all_or_a_summary);
    tcase_add_test(tests, largest_cells_of_a_map_come_first);
    suite_add_tcase(suite, tests);
    SRunner *runner = srunner_create(suite);
    srunner_run_all(runner, CK_NORMAL);
    int failed = srunner_ntests_failed(runner);
    srunner_free(runner);
    return failed != 0;
}
