#include "reports/figure/gnuplot/figure_data.h"
#include "reports/figure/gnuplot/figure_files.h"
#include "tests/support/outset_case.h"

#include <check.h>
#include <math.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

/* What would make a file named "pwned" if gnuplot, a shell or the script took it for more than
 * text. */
#define NASTY                                                                                      \
    "it's `touch pwned` \"$(touch pwned)\" '; system('touch pwned') #\n!touch pwned\n@m {/B x} "   \
    "^a_b 100 %s %d \t<text>&\\"

static const double xs[] = {1, 2, 3}, ys[] = {0.5, NAN, 1}, highs[] = {1, 1.5, 2};
static const char *const texts[] = {NASTY, NASTY, NASTY};

static struct hc_figure nasty_figure(enum hc_figure_kind kind)
{
    static const struct hc_figure_series series[] = {
        {.kind = HC_SERIES_BAND,
         .color = HC_BLUE,
         .name = NASTY,
         .n = 3,
         .x = xs,
         .y = ys,
         .high = highs},
        {.kind = HC_SERIES_LINE, .color = HC_BLUE, .name = NASTY, .n = 3, .x = xs, .y = ys},
        {.kind = HC_SERIES_STEPS, .color = HC_PURPLE, .name = NASTY, .n = 3, .x = highs, .y = ys},
        {.kind = HC_SERIES_POINTS, .color = HC_SKY, .n = 3, .x = xs, .y = ys, .texts = texts},
        {.kind = HC_SERIES_COLUMNS, .color = HC_YELLOW, .name = NASTY, .n = 3, .x = xs, .y = highs},
    };
    static const struct hc_figure_mark mark = {1, 0.5, HC_GREEN, NASTY, false};
    static const struct hc_figure_rule rules[] = {{true, 2, NASTY}, {false, 1, NASTY}};
    static const struct hc_figure_row rows[] = {{NASTY, NASTY, 1, 0.5, 2, HC_GREY},
                                                {NASTY, NASTY, NAN, NAN, NAN, HC_BLACK}};
    static const struct hc_figure_key keys[] = {{NASTY, NASTY, NASTY, 1, 3, {0, 2}, {2, 4}},
                                                {NASTY, NASTY, NASTY, NAN, 3, {NAN, 2}, {2, 4}}};
    static const struct hc_figure_part parts[] = {{NASTY, HC_ORANGE}, {NASTY, HC_HATCHED_GREEN}};
    static const double part_values[] = {1, 2, NAN, 0};
    static const struct hc_figure_bar bars[] = {{0, 0, 0, 1, false, NASTY},
                                                {1, 1, 1, 2, true, NULL}};
    static const struct hc_figure_panel panels[] = {{NASTY, NASTY, part_values},
                                                    {NASTY, NASTY, part_values}};
    return (struct hc_figure){
        .kind = kind,
        .name = "../" NASTY,
        .title = NASTY,
        .says = NASTY,
        .note = NASTY,
        .x = {.title = NASTY, .unit = NASTY, .low = 0, .high = 4},
        .y = {.title = NASTY, .unit = NASTY, .low = 0, .high = 2},
        .n_series = 5,
        .series = series,
        .column_width = 1,
        .n_marks = 1,
        .marks = &mark,
        .n_rules = 2,
        .rules = rules,
        .n_rows = 2,
        .rows = rows,
        .keys = keys,
        .row_names = texts,
        .n_parts = 2,
        .parts = parts,
        .part_values = part_values,
        .n_bars = 2,
        .bars = bars,
        .matrix = {.n_x = 2,
                   .n_y = 2,
                   .values = part_values,
                   .low = 1,
                   .high = 2,
                   .value = NASTY,
                   .x_name = NASTY,
                   .y_name = NASTY,
                   .x_labels = texts,
                   .y_labels = texts},
        .n_panels = 2,
        .panels = panels,
    };
}

static bool is_there(const char *path)
{
    struct stat info;
    return stat(path, &info) == 0;
}

static void enter_directory(char path[64])
{
    snprintf(path, 64, "/tmp/hindcast-test-XXXXXX");
    ck_assert(mkdtemp(path) && chdir(path) == 0);
}

static char *written(void (*write)(FILE *, const struct hc_figure *),
                     const struct hc_figure *figure)
{
    char *text = NULL;
    size_t size = 0;
    FILE *stream = open_memstream(&text, &size);
    write(stream, figure);
    fclose(stream);
    return text;
}

START_TEST(names_do_nothing)
{
    struct hc_error err;
    struct hc_figure_files *files;
    char directory[64], command[128];
    struct hc_outset *set = case_set();
    enter_directory(directory);
    ck_assert(!hc_figure_files_open(&files, set, "out", HC_FIGURE_SVG, CASE_RUN_ID, &err));
    const struct hc_figure_sink sink = hc_figure_files_sink(files);
    for (int kind = 0; kind <= HC_FIGURE_GANTT; kind++) {
        const struct hc_figure figure = nasty_figure((enum hc_figure_kind)kind);
        ck_assert_int_eq(hc_figure_put(&sink, &figure, &err), HC_OK);
    }
    hc_figure_files_close(files);
    ck_assert_int_eq(case_commit(set, HC_OK, &err), HC_OK);
    ck_assert(!is_there("pwned") && !is_there("out/pwned"));
    /* One of each kind, under a plain name in the directory. */
    bool has_gnuplot = system("command -v gnuplot >/dev/null") == 0;
    FILE *list = popen("ls out | grep -c '\\.svg$'", "r");
    int n = -1;
    ck_assert(list && fscanf(list, "%d", &n) == 1);
    pclose(list);
    if (has_gnuplot)
        ck_assert_int_eq(n, HC_FIGURE_GANTT + 1);
    snprintf(command, sizeof command, "rm -rf %s", directory);
    ck_assert(chdir("/") == 0 && system(command) == 0);
}
END_TEST

START_TEST(series_that_share_x_share_a_table)
{
    const struct hc_figure_series series[] = {
        {.kind = HC_SERIES_LINE, .color = HC_BLUE, .name = "a", .n = 3, .x = xs, .y = ys},
        {.kind = HC_SERIES_POINTS, .color = HC_BLUE, .n = 3, .x = xs, .y = ys},
        {.kind = HC_SERIES_BAND,
         .color = HC_BLUE,
         .name = "b",
         .n = 3,
         .x = xs,
         .y = ys,
         .high = highs},
        {.kind = HC_SERIES_LINE, .color = HC_BLUE, .name = "c", .n = 2, .x = highs, .y = ys},
    };
    const struct hc_figure figure = {.kind = HC_FIGURE_CHART,
                                     .title = "T",
                                     .x = {.title = "time", .unit = "s"},
                                     .y = {.title = "share", .is_share = true},
                                     .n_series = 4,
                                     .series = series};
    struct hc_series_place places[HC_MAX_FIGURE_SERIES];
    hc_figure_places(&figure, places);
    ck_assert(places[0].table == 0 && places[0].column == 2);
    ck_assert(places[1].table == 0 && places[1].column == 2 && !places[1].is_first);
    ck_assert(places[2].table == 0 && places[2].column == 3);
    ck_assert(places[3].table == 1 && places[3].column == 2);
    char *text = written(hc_figure_write_data, &figure);
    ck_assert_str_eq(text, "# T\n"
                           "time (s)\ta (share)\tb: low (share)\tb: high (share)\n"
                           "1.0\t0.5\t0.5\t1.0\n2.0\tnan\tnan\t1.5\n3.0\t1.0\t1.0\t2.0\n"
                           "\n\ntime (s)\tc (share)\n1.0\t0.5\n1.5\tnan\n");
    free(text);
}
END_TEST

START_TEST(a_figure_without_anything_is_left_out)
{
    const struct hc_figure none = {.kind = HC_FIGURE_CHART}, bars = {.kind = HC_FIGURE_BARS};
    ck_assert(hc_figure_is_empty(&none) && hc_figure_is_empty(&bars));
    const struct hc_figure some = nasty_figure(HC_FIGURE_MATRIX);
    ck_assert(!hc_figure_is_empty(&some));
}
END_TEST

START_TEST(rows_make_room_for_what_they_hold)
{
    struct hc_axis axis;
    const struct hc_figure_row rows[] = {{"a", "", 1.2, 1.1, 1.9, HC_BLUE}};
    struct hc_figure figure = {.kind = HC_FIGURE_BARS, .base = 1, .n_rows = 1, .rows = rows};
    hc_figure_rows_axis(&figure, &axis);
    ck_assert(axis.low == 1 && axis.high >= 1.2 && axis.high < 1.9);
    figure.kind = HC_FIGURE_RANGES;
    hc_figure_rows_axis(&figure, &axis);
    ck_assert(axis.low <= 1.1 && axis.high >= 1.9);
    const double values[] = {1, NAN, -2, 3};
    figure = (struct hc_figure){
        .kind = HC_FIGURE_STACK, .n_rows = 2, .n_parts = 2, .part_values = values};
    hc_figure_rows_axis(&figure, &axis);
    ck_assert(axis.low == 0 && axis.high == 3);
}
END_TEST

int main(void)
{
    Suite *suite = suite_create("figure_files");
    TCase *tests = tcase_create("figure_files");
    tcase_set_timeout(tests, 60);
    tcase_add_test(tests, names_do_nothing);
    tcase_add_test(tests, series_that_share_x_share_a_table);
    tcase_add_test(tests, a_figure_without_anything_is_left_out);
    tcase_add_test(tests, rows_make_room_for_what_they_hold);
    suite_add_tcase(suite, tests);
    SRunner *runner = srunner_create(suite);
    srunner_run_all(runner, CK_NORMAL);
    int failed = srunner_ntests_failed(runner);
    srunner_free(runner);
    return failed != 0;
}
