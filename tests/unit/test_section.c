/* One table as text and as HTML. */
#include "reports/page/section_html.h"
#include "reports/write/section.h"

#include "core/base/missing.h"

#include <check.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

static const struct hc_section_column columns[] = {
    {.title = "job", .width = 8},
    {.title = "S", .html_title = "slowdown", .width = 6, .gap = 1, .is_right = true},
    {.html_title = "page only", .only = HC_HTML_ONLY},
    {.title = "of all", .gap = 2, .is_right = true},
    {.title = "cause", .gap = 1},
    {.title = "text only", .only = HC_TEXT_ONLY, .gap = 3},
};

static struct hc_section new_section(void)
{
    struct hc_section section = {
        .title = "JOBS", .caption = "Jobs & more", .columns = columns, .n_columns = 6, .indent = 1};
    hc_section_link(&section, "jobs/a.html", "much too long");
    hc_section_text(&section, "1.235");
    hc_section_text(&section, "seen on the page");
    hc_section_percent(&section, 0.5);
    hc_section_text(&section, "a<b");
    hc_section_text(&section, "x\x1b");
    hc_section_text(&section, "short");
    hc_section_text(&section, "-");
    hc_section_prose(&section, "more of it");
    hc_section_count(&section, 1234567);
    hc_section_text(&section, NULL);
    hc_section_count(&section, HC_MISSING_I64);
    hc_section_note(&section, "%d jobs,\nno more", 2);
    return section;
}

typedef enum hc_status view(FILE *stream, const struct hc_section *section);

static char *shown(view *write, const struct hc_section *section)
{
    char *text = NULL;
    size_t size = 0;
    FILE *stream = open_memstream(&text, &size);
    ck_assert_int_eq(write(stream, section), HC_OK);
    fclose(stream);
    return text;
}

START_TEST(shows_text)
{
    struct hc_section section = new_section();
    char *text = shown(hc_section_write_text, &section);
    ck_assert_str_eq(text, "\nJOBS\n"
                           " job           S     of all cause   text only\n"
                           " much ...  1.235     50.0 % a<b     x\\x1b\n"
                           " short         -  1,234,567         -\n"
                           "2 jobs,\nno more\n");
    ck_assert_uint_eq(hc_section_n_rows(&section), 2);
    free(text);
    hc_section_fini(&section);
}
END_TEST

START_TEST(shows_html)
{
    struct hc_section section = new_section();
    char *text = shown(hc_section_write_html, &section);
    static const char *const there[] = {
        "Jobs &amp; more",      "slowdown",      "page only",  "a&lt;b",
        "href=\"jobs/a.html\"", "much too long", "more of it", "2 jobs,\nno more"};
    for (size_t i = 0; i < sizeof there / sizeof *there; i++)
        ck_assert_msg(strstr(text, there[i]) != NULL, "no '%s' in %s", there[i], text);
    ck_assert_ptr_null(strstr(text, "text only"));
    ck_assert_ptr_null(strstr(text, "JOBS"));
    free(text);
    hc_section_fini(&section);
}
END_TEST

/* A column with a form of its own for each view, never cut in text, a number in HTML. */
START_TEST(has_two_forms)
{
    static const struct hc_section_column two[] = {
        {.title = "ETTR", .width = 6, .is_whole = true, .is_number = true},
        {.title = "hidden", .only = HC_NO_VIEW},
        {.title = "note", .gap = 2},
    };
    struct hc_section section = {.columns = two, .n_columns = 3};
    hc_section_forms(&section, "0.97 +- 0.01", "97 % (96 to 98)");
    hc_section_text(&section, "seen nowhere");
    hc_section_text(&section, "x");
    hc_section_forms(&section, "0.9", "90 %");
    hc_section_text(&section, "seen nowhere");
    hc_section_text(&section, "y");
    char *text = shown(hc_section_write_text, &section),
         *html = shown(hc_section_write_html, &section);
    ck_assert_str_eq(text, "ETTR    note\n0.97 +- 0.01  x\n0.9     y\n");
    ck_assert_ptr_nonnull(
        strstr(html, "<th scope=\"row\" class=\"n\">97 % (96 to 98)</th><td>x</td>"));
    ck_assert_ptr_null(strstr(html, "+-"));
    ck_assert_ptr_null(strstr(html, "nowhere"));
    free(text);
    free(html);
    hc_section_fini(&section);
}
END_TEST

/* Columns below their row in text stand beside the others in HTML, and in the line of a paragraph.
 */
START_TEST(stands_below_its_row)
{
    static const struct hc_section_column three[] = {
        {.html_title = "job", .width = 4},
        {.html_title = "why", .gap = 4, .is_below = true},
        {.title = "bar", .gap = 2, .is_below = true, .is_whole = true, .only = HC_TEXT_ONLY},
    };
    struct hc_section section = {.columns = three, .n_columns = 3};
    hc_section_text(&section, "job-7");
    hc_section_text(&section, "the sum of its file is not the one that was written when it came "
                              "into the archive");
    hc_section_text(&section, "  l==h");
    hc_section_text(&section, "job-8");
    hc_section_text(&section, "");
    hc_section_text(&section, NULL);
    char *text = shown(hc_section_write_text, &section),
         *html = shown(hc_section_write_html, &section);
    ck_assert_str_eq(text, "job-7\n"
                           "    the sum of its file is not the one that was written when it came "
                           "into the\n"
                           "    archive\n"
                           "    l==h\n"
                           "job-8\n");
    ck_assert_ptr_nonnull(strstr(html, "<th scope=\"row\">job-7</th><td>the sum of"));
    ck_assert_ptr_nonnull(strstr(html, "<th scope=\"row\">job-8</th><td></td></tr>"));
    free(text);
    free(html);
    hc_section_fini(&section);
}
END_TEST

/* The same cells in another choice of columns, with the rows that have something to say in it; no
 * line ends in spaces. */
START_TEST(shows_what_a_view_needs)
{
    struct hc_section_column choice[] = {
        {.html_title = "variant", .width = 8},
        {.html_title = "value", .width = 6, .is_whole = true},
        {.html_title = "change", .gap = 1},
    };
    struct hc_section section = {.columns = choice, .n_columns = 3};
    hc_section_text(&section, "base");
    hc_section_text(&section, "0.9");
    hc_section_text(&section, "");
    hc_section_text(&section, "much too long");
    hc_section_text(&section, "0.95");
    hc_section_text(&section, "+0.05");
    char *all = shown(hc_section_write_text, &section);
    ck_assert_str_eq(all, "base    0.9\nmuch ...0.95   +0.05\n");
    choice[1].only = HC_NO_VIEW;
    choice[2].is_needed = true;
    char *text = shown(hc_section_write_text, &section),
         *html = shown(hc_section_write_html, &section);
    ck_assert_str_eq(text, "much ... +0.05\n");
    ck_assert_ptr_nonnull(strstr(html, "<th scope=\"row\">much too long</th><td>+0.05</td>"));
    ck_assert_ptr_null(strstr(html, ">base<"));
    choice[2].only = HC_TEXT_ONLY; /* needed by the other view only */
    ck_assert(hc_section_has_row(&section, HC_HTML_ONLY, 0));
    ck_assert(!hc_section_has_row(&section, HC_TEXT_ONLY, 0));
    free(all);
    free(text);
    free(html);
    hc_section_fini(&section);
}
END_TEST

/* What a paragraph takes of a row: what text shows and is not empty. */
START_TEST(is_a_list_in_a_paragraph)
{
    struct hc_section section = new_section();
    struct hc_text_line line = {.used = 0};
    struct hc_error err;
    ck_assert_int_eq(hc_section_check(&section, &err), HC_OK);
    hc_section_add_row(&line, &section, 0);
    hc_line_add(&line, "; ");
    hc_section_add_row(&line, &section, 1);
    ck_assert_str_eq(line.text, "much too long 1.235 50.0 % a<b x\x1b; short - 1,234,567 -");
    section.has_failed = true;
    ck_assert_int_eq(hc_section_check(&section, &err), HC_INTERNAL);
    hc_section_fini(&section);
}
END_TEST

/* Without memory for a cell no view shows a table with holes. */
/* In a terminal each number has the digits that it needs, on a page those of a column agree. */
START_TEST(columns_have_one_precision_on_a_page)
{
    static const struct hc_section_column columns[] = {{.title = "what"},
                                                       {.title = "share", .is_right = true},
                                                       {.title = "hours", .is_right = true}};
    static const double shares[] = {1, 0.0557, 0.0004}, hours[] = {28730, 999.5, 120};
    struct hc_section section = {.columns = columns, .n_columns = 3};
    for (size_t i = 0; i < 3; i++) {
        hc_section_text(&section, "x");
        hc_section_percent(&section, shares[i]);
        hc_section_hours(&section, hours[i], "as text");
    }
    char *text = shown(hc_section_write_text, &section),
         *html = shown(hc_section_write_html, &section);
    ck_assert_ptr_nonnull(strstr(text, "100 %"));
    ck_assert_ptr_nonnull(strstr(text, "5.57 %"));
    ck_assert_ptr_nonnull(strstr(html, ">100.00 %<"));
    ck_assert_ptr_nonnull(strstr(html, ">5.57 %<"));
    ck_assert_ptr_nonnull(strstr(html, ">0.04 %<"));
    ck_assert_ptr_nonnull(strstr(html, ">28,730<"));
    ck_assert_ptr_nonnull(strstr(html, ">1,000<"));
    ck_assert_ptr_null(strstr(html, "as text"));
    free(text);
    free(html);
    hc_section_fini(&section);
}
END_TEST

START_TEST(fails_as_a_whole)
{
    static view *const views[] = {hc_section_write_text, hc_section_write_html};
    for (size_t i = 0; i < sizeof views / sizeof views[0]; i++) {
        struct hc_section section = new_section();
        section.has_failed = true;
        char *text = NULL;
        size_t size = 0;
        FILE *stream = open_memstream(&text, &size);
        ck_assert_int_eq(views[i](stream, &section), HC_INTERNAL);
        fclose(stream);
        ck_assert_str_eq(text, "");
        free(text);
        hc_section_fini(&section);
        ck_assert_uint_eq(section.n_cells, 0);
    }
}
END_TEST

int main(void)
{
    Suite *suite = suite_create("section");
    TCase *tests = tcase_create("section");
    tcase_add_test(tests, shows_text);
    tcase_add_test(tests, shows_html);
    tcase_add_test(tests, has_two_forms);
    tcase_add_test(tests, stands_below_its_row);
    tcase_add_test(tests, is_a_list_in_a_paragraph);
    tcase_add_test(tests, shows_what_a_view_needs);
    tcase_add_test(tests, columns_have_one_precision_on_a_page);
    tcase_add_test(tests, fails_as_a_whole);
    suite_add_tcase(suite, tests);
    SRunner *runner = srunner_create(suite);
    srunner_run_all(runner, CK_NORMAL);
    int failed = srunner_ntests_failed(runner);
    srunner_free(runner);
    return failed != 0;
}
