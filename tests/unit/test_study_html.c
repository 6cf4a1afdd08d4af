#include "reports/figure/svg_chart.h"
#include "reports/figure/svg_matrix.h"
#include "reports/page/axis.h"
#include "reports/study/study_html.h"
#include "tests/support/fake_study.h"
#include "tests/support/page_checks.h"

#include <check.h>
#include <ctype.h>

/* ---- reading a page ---- */

static char *page_of(struct fake_study *fake)
{
    fake_digest(fake);
    struct hc_error err = {.status = HC_OK};
    char *text = NULL;
    size_t size = 0;
    FILE *stream = open_memstream(&text, &size);
    ck_assert_ptr_nonnull(stream);
    ck_assert_msg(hc_study_html_write(stream, &fake->result, &err) == HC_OK, "%s", err.message);
    fclose(stream);
    return text;
}

/* No NaN or infinity as a word of its own, in text or coordinates ("infrastructure" may stand). */
static void check_finite(const char *text)
{
    static const char *const words[] = {"nan", "inf", "NaN"};
    for (size_t w = 0; w < 3; w++)
        for (const char *p = text; (p = strstr(p, words[w])); p++) {
            bool before = p > text && (isalpha((unsigned char)p[-1]) || p[-1] == '-');
            bool after = isalpha((unsigned char)p[strlen(words[w])]) || p[strlen(words[w])] == '-';
            ck_assert_msg(before || after, "'%.40s'", p);
        }
}

/* Every element is closed where it should be. Attributes are quoted, so that '>' is no riddle. */
static void check_nesting(const char *text)
{
    static const char *const alone[] = {"meta", "link", "br", "!DOCTYPE"};
    char open[64][16];
    size_t depth = 0;
    for (const char *p = text; (p = strchr(p, '<')); p++) {
        bool is_end = p[1] == '/', is_alone = false;
        const char *name = p + 1 + is_end, *end = strchr(p, '>');
        size_t n = strcspn(name, " >/\n");
        ck_assert_ptr_nonnull(end);
        ck_assert_uint_lt(n, 16);
        for (size_t i = 0; i < sizeof alone / sizeof alone[0]; i++)
            is_alone |= strlen(alone[i]) == n && memcmp(alone[i], name, n) == 0;
        if (is_alone || end[-1] == '/')
            continue;
        if (is_end) {
            ck_assert_uint_gt(depth, 0);
            depth--;
            ck_assert_msg(strlen(open[depth]) == n && memcmp(open[depth], name, n) == 0,
                          "</%.*s> closes %s", (int)n, name, open[depth]);
        } else {
            ck_assert_uint_lt(depth, 64);
            memcpy(open[depth], name, n);
            open[depth++][n] = '\0';
        }
    }
    ck_assert_uint_eq(depth, 0);
}

/* Every link within the page leads somewhere. */
static void check_links(const char *text)
{
    char anchor[64];
    for (const char *p = text; (p = strstr(p, "href=\"#")); p++) {
        size_t n = strcspn(p + 7, "\"");
        snprintf(anchor, sizeof anchor, "id=\"%.*s\"", (int)n, p + 7);
        ck_assert_msg(count(text, anchor) == 1, "%s", anchor);
    }
}

static void check_page(const char *text)
{
    check_nesting(text);
    check_links(text);
    check_finite(text);
    check_lacks(text, "<script");
    check_lacks(text, "http:");
    check_lacks(text, "https:");
}

/* ---- the whole ---- */

START_TEST(the_answer_comes_first)
{
    struct fake_study fake;
    fake_study_full(&fake, 5, 4);
    fake_sweep(&fake, (size_t[]){9}, 1, false);
    char *text = page_of(&fake);
    check_page(text);
    const char *answer = strstr(text, "The smallest recovery warm standbys with ettr.low &gt;= "
                                      "0.97 is 4.");
    ck_assert_ptr_nonnull(answer);
    ck_assert(strstr(text, "How many warm standbys for 97 % ETTR?") < answer);
    ck_assert(answer < strstr(text, "id=\"account\""));
    check_has(text, "ETTR is 97.31 % (97.27 to 97.35), the wall time 92.49 d (92.45 to 92.53).");
    check_has(text, "Least GPU-hours of 4 variants: variant 3, 21.187 M GPU-h (21.178 to 21.196)");
    check_has(text, "3.2 recorded incidents of a life");
    check_has(text, "0123456789abcdef0123456789abcdef0123456789abcdef0123456789abcdef");
    static const char *const sections[] = {"account", "theory",   "curves",  "unproductive",
                                           "stops",   "variants", "sweep",   "find",
                                           "tornado", "life",     "figures", "source"};
    for (size_t i = 0; i < sizeof sections / sizeof sections[0]; i++) {
        char id[64];
        snprintf(id, sizeof id, "<section id=\"%s\">", sections[i]);
        ck_assert_uint_eq(count(text, id), 1);
    }
    char *again = page_of(&fake);
    ck_assert_str_eq(text, again);
    free(again);
    free(text);
    fake_study_free(&fake);
}
END_TEST

START_TEST(what_was_not_studied_is_left_out)
{
    struct fake_study fake;
    fake_study_init(&fake, 0, 1);
    char *text = page_of(&fake);
    check_page(text);
    static const char *const absent[] = {"theory", "curves", "stops",   "variants",
                                         "sweep",  "find",   "tornado", "life"};
    for (size_t i = 0; i < sizeof absent / sizeof absent[0]; i++) {
        char id[64];
        snprintf(id, sizeof id, "#%s\"", absent[i]);
        check_lacks(text, id);
        snprintf(id, sizeof id, "id=\"%s\"", absent[i]);
        check_lacks(text, id);
    }
    check_has(text, "The answer");
    check_lacks(text, "Read with care");
    check_lacks(text, "<th scope=\"col\" class=\"n\">money</th>");
    free(text);
    fake_study_free(&fake);
}
END_TEST

START_TEST(no_run_is_an_error)
{
    struct hc_study_result result = {.name = "none"};
    struct hc_error err = {.status = HC_OK};
    FILE *stream = fopen("/dev/null", "w");
    ck_assert_int_eq(hc_study_html_write(stream, &result, &err), HC_INTERNAL);
    ck_assert_str_eq(err.message, "a study without a run has no page");
    fclose(stream);
}
END_TEST

START_TEST(a_stream_that_fails_is_an_error)
{
    struct fake_study fake;
    struct hc_error err = {.status = HC_OK};
    fake_study_full(&fake, 5, 2);
    fake_digest(&fake);
    FILE *stream = fopen("/dev/full", "w");
    ck_assert_ptr_nonnull(stream);
    ck_assert_int_eq(hc_study_html_write(stream, &fake.result, &err), HC_IO);
    fclose(stream);
    fake_study_free(&fake);
}
END_TEST

/* ---- values that are not there ---- */

START_TEST(what_is_not_known_is_a_dash)
{
    struct fake_study fake;
    const struct hc_study_value none = {NAN, NAN, NAN, NAN};
    fake_study_full(&fake, 5, 4);
    fake_sweep(&fake, (size_t[]){5, 3}, 2, false);
    struct hc_study_result *result = &fake.result;
    for (size_t r = 0; r < result->n_runs; r++)
        for (size_t c = 0; c < result->n_columns; c++) {
            result->run[r].value[c] = none;
            if (result->run[r].difference)
                result->run[r].difference[c] = none;
            if (result->run[r].interaction)
                result->run[r].interaction[c] = none;
        }
    for (size_t i = 0; i < result->n_runs * result->n_points; i += 2)
        for (size_t c = 0; c < result->n_columns; c++)
            result->cell[i].value[c] = none;
    for (size_t i = 0; i < result->n_bars; i++)
        result->bar[i].at_low = result->bar[i].at_high = none;
    for (size_t i = 0; i < result->found.n_tries; i++)
        result->found.tries[i].value = none;
    char *text = page_of(&fake);
    check_page(text);
    check_has(text, "ETTR is -");
    check_lacks(text, "unclear</td>");
    free(text);
    fake_study_free(&fake);
}
END_TEST

/* One life: a mean, and an interval without end. */
START_TEST(one_life_has_no_interval)
{
    struct fake_study fake;
    fake_study_full(&fake, 5, 2);
    struct hc_study_result *result = &fake.result;
    for (size_t r = 0; r < result->n_runs; r++) {
        fake_summary(&fake, &hc_life_run_detail(&result->run[r])->summary,
                     hc_life_run_detail(&result->run[r])->config, 1);
        result->run[r].n_replicas = 1;
        for (size_t c = 0; c < result->n_columns; c++) {
            result->run[r].value[c].low = -INFINITY;
            result->run[r].value[c].high = INFINITY;
        }
    }
    char *text = page_of(&fake);
    check_page(text);
    check_has(text, "ETTR is 97.31 %, the wall time 92.49 d.");
    check_has(text, "1 simulated life,");
    free(text);
    fake_study_free(&fake);
}
END_TEST

/* ---- names from input ---- */

START_TEST(names_are_escaped)
{
    static const char bad[] = "<i>\"&'\xFF\x01";
    static const char escaped[] = "&lt;i&gt;&quot;&amp;'\\xff\\x01";
    struct fake_study fake;
    fake_study_full(&fake, 5, 4);
    fake_sweep(&fake, (size_t[]){3}, 1, true);
    struct hc_study_result *result = &fake.result;
    const char *const names[] = {bad, bad};
    result->name = result->question = result->scenario = bad;
    result->notes = names;
    result->n_notes = 2;
    result->found.path = result->found.such_that = result->found.unit = bad;
    result->inputs = &(struct hc_study_input){.path = bad, .sha256 = "00"};
    for (size_t r = 0; r < result->n_runs; r++)
        result->run[r].name = bad;
    result->run[3].combines = names;
    for (size_t i = 0; i < 5; i++)
        ((struct hc_lifetime_fault *)hc_life_run_detail(&result->run[0])->config->fault)[i].name =
            bad;
    for (size_t i = 0; i < result->n_bars; i++)
        result->bar[i].path = result->bar[i].unit = bad;
    struct hc_study_axis axis = result->axis[0];
    axis.path = axis.unit = bad;
    axis.label = (const char *const[]){bad, bad, bad};
    result->axis = &axis;
    char *text = page_of(&fake);
    check_page(text);
    check_lacks(text, "<i>");
    check_lacks(text, "\xFF");
    check_lacks(text, "\x01");
    ck_assert_uint_gt(count(text, escaped), 60);
    free(text);
    fake_study_free(&fake);
}
END_TEST

/* ---- much of everything ---- */

START_TEST(much_is_cut_and_counted)
{
    struct fake_study fake;
    fake_study_full(&fake, 64, 64);
    fake_sweep(&fake, (size_t[]){1000}, 1, false);
    fake_life(&fake, 11000, 64);
    char *text = page_of(&fake);
    check_page(text);
    ck_assert_msg(strlen(text) < 3000000, "%zu bytes", strlen(text));
    /* All causes in the table, and the charts say what they join. */
    check_has(text, "cause 63");
    check_has(text, "45 others");
    check_has(text, "variant 63");
    check_has(text, "And 58 more variants, which are not shown here.");
    check_has(text, "And 63,800 more points, which are not shown here.");
    check_has(text, "And 48 more variants in this chart, which are not shown here.");
    check_has(text, "The first 16 of 63 variants; the tables have all.");
    check_has(text, "And 10,981 more shorter interruptions, which are not shown here.");
    free(text);
    fake_study_free(&fake);
}
END_TEST

/* ---- sweeps ---- */

START_TEST(more_axes_stand_where_the_scenario_has_them)
{
    struct fake_study fake;
    fake_study_full(&fake, 5, 1);
    fake_sweep(&fake, (size_t[]){3, 2, 4}, 3, false);
    /* The third axis is /checkpoint/every_s with 0, 3, 6, 9; the scenario has 4. */
    char *text = page_of(&fake);
    check_page(text);
    check_has(text, "<dt>checkpoint every s</dt><dd>0, the first, since");
    check_has(text, "The 20 points of highest ETTR");
    free(text);
    ((struct hc_study_axis *)fake.result.axis)[2].base = 2;
    text = page_of(&fake);
    check_has(text, "<dt>checkpoint every s</dt><dd>6, as in the scenario</dd>");
    /* Point (x 2, y 1) of the map is where the third axis is at its third value. */
    char value[64];
    snprintf(value, sizeof value, "recovery warm standbys 2, recovery replenish (h) 2: %.1f<",
             100 * fake.result.cell[(2 * 2 + 1) * 4 + 2].value[0].mean);
    check_has(text, value);
    free(text);
    fake_study_free(&fake);
}
END_TEST

START_TEST(words_are_rows_and_numbers_are_curves)
{
    struct fake_study fake;
    fake_study_init(&fake, 2, 1);
    fake_sweep(&fake, (size_t[]){4}, 1, true);
    char *text = page_of(&fake);
    check_page(text);
    check_has(text, "&quot;choice 3&quot;");
    check_lacks(text, "Bands are the intervals");
    free(text);
    fake_sweep(&fake, (size_t[]){4}, 1, false);
    text = page_of(&fake);
    check_has(text, "Bands are the intervals");
    free(text);
    fake_study_free(&fake);
}
END_TEST

/* ---- one life ---- */

START_TEST(the_longest_stop_is_drawn_and_listed)
{
    struct fake_study fake;
    fake_study_init(&fake, 2, 1);
    fake_life(&fake, 0, 2);
    struct hc_lifetime_trace *life =
        (struct hc_lifetime_trace *)hc_life_run_detail(&fake.result.run[0])->life;
    const int64_t minute = 60000000000;
    /* Queue of 90 min and a start of 12 are there; a day, then 5 min lost and a stop of an hour. */
    fake_span(life, FAKE_DAY_NS, HC_WHAT_PRODUCTIVE_IDEAL, -1);
    fake_span(life, 5 * minute, HC_WHAT_LOST_WORK, 1);
    fake_span(life, 40 * minute, HC_WHAT_DETECTION, 1);
    fake_span(life, 80 * minute, HC_WHAT_RECOVERY, 1);
    fake_span(life, FAKE_DAY_NS, HC_WHAT_PRODUCTIVE_IDEAL, -1);
    char *text = page_of(&fake);
    check_page(text);
    check_has(text, "Longest: cause 1, after 25.8 h, 2.00 h long");
    check_has(text, "Second: first start, after 0 s, 1.70 h long");
    check_has(text, "time from the first step that was lost (minutes)");
    check_has(text,
              "<th scope=\"row\" class=\"n\">25.8 h</th><td>cause 1</td><td class=\"n\">2.00 h</td>"
              "<td class=\"n\">40.0 min</td><td class=\"n\"></td>"
              "<td class=\"n\">1.33 h</td><td class=\"n\"></td><td class=\"n\"></td>"
              "<td class=\"n\">5.00 min</td>");
    free(text);
    fake_study_free(&fake);
}
END_TEST

/* ---- pieces ---- */

START_TEST(axes_can_leave_out_a_power_of_ten)
{
    struct hc_axis axis = {.low = 21e6, .high = 22e6, .factor = 1e-6};
    struct hc_ticks ticks;
    char text[HC_NUMBER_TEXT];
    hc_axis_ticks(&axis, 5, &ticks);
    ck_assert_uint_eq(ticks.n, 6);
    ck_assert_str_eq(hc_tick_text(&axis, &ticks, 1, text), "21.2");
}
END_TEST

START_TEST(maps_can_be_turned_round)
{
    struct hc_error err;
    const double values[] = {1, 2};
    const struct hc_figure map = {.matrix = {.n_x = 2,
                                             .n_y = 1,
                                             .values = values,
                                             .low = 1,
                                             .high = 2,
                                             .x_name = "x",
                                             .y_name = "y",
                                             .x_labels = (const char *const[]){"a<", "b"},
                                             .y_labels = (const char *const[]){"c"},
                                             .is_reversed = true}};
    char *text = NULL;
    size_t size = 0;
    FILE *stream = open_memstream(&text, &size);
    ck_assert_int_eq(hc_svg_matrix(stream, "map", &map, &err), HC_OK);
    fclose(stream);
    const char *low = strstr(text, "class=\"q9\""), *high = strstr(text, "class=\"q0\"");
    ck_assert(low && high && low < high);
    check_has(text, "<title>x a&lt;, y c: 1.000</title>");
    free(text);
}
END_TEST

int main(void)
{
    Suite *suite = suite_create("study_html");
    TCase *tests = tcase_create("study_html");
    tcase_set_timeout(tests, 60);
    tcase_add_test(tests, the_answer_comes_first);
    tcase_add_test(tests, what_was_not_studied_is_left_out);
    tcase_add_test(tests, no_run_is_an_error);
    tcase_add_test(tests, a_stream_that_fails_is_an_error);
    tcase_add_test(tests, what_is_not_known_is_a_dash);
    tcase_add_test(tests, one_life_has_no_interval);
    tcase_add_test(tests, names_are_escaped);
    tcase_add_test(tests, much_is_cut_and_counted);
    tcase_add_test(tests, more_axes_stand_where_the_scenario_has_them);
    tcase_add_test(tests, words_are_rows_and_numbers_are_curves);
    tcase_add_test(tests, the_longest_stop_is_drawn_and_listed);
    tcase_add_test(tests, axes_can_leave_out_a_power_of_ten);
    tcase_add_test(tests, maps_can_be_turned_round);
    suite_add_tcase(suite, tests);
    SRunner *runner = srunner_create(suite);
    srunner_run_all(runner, CK_NORMAL);
    int failed = srunner_ntests_failed(runner);
    srunner_free(runner);
    return failed != 0;
}
