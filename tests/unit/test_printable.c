/* Foreign text, and what each kind of output makes of it. */
#include "core/base/printable.h"
#include "core/base/utf8.h"
#include "core/text/csv_writer.h"
#include "core/text/json_writer.h"
#include "reports/page/html_page.h"

#include <check.h>
#include <jansson.h>
#include <stdlib.h>
#include <string.h>

typedef void write_function(FILE *stream, const char *text);

/* The caller frees it. */
static char *written(write_function *write, const char *text)
{
    char *out = NULL;
    size_t size = 0;
    FILE *stream = open_memstream(&out, &size);
    write(stream, text);
    fclose(stream);
    return out;
}

static void check(write_function *write, const char *text, const char *expected)
{
    char *out = written(write, text);
    ck_assert_str_eq(out, expected);
    free(out);
}

static void write_csv(FILE *stream, const char *text)
{
    struct hc_csv csv = {.stream = stream};
    hc_csv_text(&csv, text);
}

START_TEST(what_acts_is_shown_as_escape)
{
    check(hc_show_text, "plain \u00e4 \u20ac \U0001F600 \\x1b",
          "plain \u00e4 \u20ac \U0001F600 \\x1b");
    check(hc_show_text, "\x1b[31m\x07\x7f\r\n\t", "\\x1b[31m\\x07\\x7f\\x0d\\x0a\\x09");
    check(hc_show_text,
          "\xc2\x9b"
          "1m \x9b"
          "1m",
          "\\u009b1m \\x9b1m");
    check(hc_show_text, "a\u202eb\u2066c\u200fd\u061ce", "a\\u202eb\\u2066c\\u200fd\\u061ce");
    check(hc_show_text, "a\u2028b\u2029c\u200bd\ufeffe\u00adf",
          "a\\u2028b\\u2029c\\u200bd\\ufeffe\\u00adf");
    check(hc_show_text, "\U000E0041\U000E007F!", "\\u{e0041}\\u{e007f}!");
    /* Not UTF-8: cut, too long, a surrogate. */
    check(hc_show_text, "\xe2\x80", "\\xe2\\x80");
    check(hc_show_text, "\xc0\xaf\xed\xa0\x80", "\\xc0\\xaf\\xed\\xa0\\x80");
}
END_TEST

START_TEST(csv_begins_no_formula)
{
    check(write_csv, "=1+1", "'=1+1");
    check(write_csv, "+cmd|' /C calc'!A0", "'+cmd|' /C calc'!A0");
    check(write_csv, "-2+3", "'-2+3");
    check(write_csv, "@SUM(A1)", "'@SUM(A1)");
    check(write_csv, "=\"a\",b", "\"'=\"\"a\"\",b\"");
    check(write_csv, "\uff1d1+1", "'\uff1d1+1");
    check(write_csv, "'=1", "''=1"); /* one apostrophe can always be taken away */
    check(write_csv, "\t=1", "\\x09=1");
    check(write_csv, "\r=1", "\\x0d=1");
    check(write_csv, "a=1", "a=1");
    check(write_csv, "-", "'-");
    /* Numbers are none, nor is what they are written as. */
    check(write_csv, "-1.5", "-1.5");
    check(write_csv, "+1e-9", "+1e-9");
    check(write_csv, "-0x1p3", "'-0x1p3");
    check(write_csv, "-inf", "'-inf");
    check(write_csv, "\x1b[2J\"\u202e", "\"\\x1b[2J\"\"\\u202e\"");
    check(write_csv, " a", "\" a\"");
    check(write_csv, "", "");
}
END_TEST

START_TEST(json_loses_nothing_and_acts_on_nothing)
{
    const char *text = "\x1b\xc2\x9b\u202e\u2028\U000E0041\"\\\u00e4\U0001F600\x7f";
    check(hc_json_string, text,
          "\"\\u001b\\u009b\\u202e\\u2028\\udb40\\udc41\\\"\\\\\u00e4\U0001F600\\u007f\"");
    char *out = written(hc_json_string, text);
    json_t *back = json_loads(out, JSON_DECODE_ANY, NULL);
    ck_assert_str_eq(json_string_value(back), text);
    json_decref(back);
    free(out);
    check(hc_json_string, "a\x9b\xff", "\"a\\ufffd\\ufffd\"");
}
END_TEST

START_TEST(pages_show_it_and_keep_its_direction_inside)
{
    check(hc_html_text, "<b>&\"\x1b\u202e\x9b", "&lt;b&gt;&amp;&quot;\\x1b\\u202e\\x9b");
    check(hc_html_text, "job-\u05d0\u05d1-7 is slow", "job-&#x2068;\u05d0\u05d1&#x2069;-7 is slow");
    check(hc_html_text, "\u05d0<\u05d1 \u0627",
          "&#x2068;\u05d0&lt;\u05d1&#x2069; &#x2068;\u0627&#x2069;");
}
END_TEST

/* Any bytes: what is shown is valid UTF-8, has nothing that acts, and shows itself. */
START_TEST(any_bytes_become_harmless)
{
    uint32_t seed = 7;
    for (int i = 0; i < 500; i++) {
        char text[24] = "";
        for (size_t k = 0; k + 1 < sizeof text; k++) {
            seed = seed * 1664525 + 1013904223;
            text[k] = (char)(seed >> 24 & 3 ? seed >> 16 : 0x80 | seed >> 18);
        }
        char *shown = written(hc_show_text, text), *again = written(hc_show_text, shown);
        ck_assert_str_eq(shown, again);
        for (const char *p = shown; *p; p += hc_utf8_length(p)) {
            ck_assert_uint_gt(hc_utf8_length(p), 0);
            ck_assert(!hc_show(p).is_escaped);
        }
        ck_assert_uint_le(strlen(shown), HC_SHOWN_MOST * strlen(text));
        char *json = written(hc_json_string, text);
        json_t *value = json_loads(json, JSON_DECODE_ANY, NULL);
        ck_assert_msg(value != NULL, "not JSON: %s", json);
        json_decref(value);
        free(json);
        free(shown);
        free(again);
    }
}
END_TEST

int main(void)
{
    Suite *suite = suite_create("printable");
    TCase *tcase = tcase_create("all");
    tcase_add_test(tcase, what_acts_is_shown_as_escape);
    tcase_add_test(tcase, csv_begins_no_formula);
    tcase_add_test(tcase, json_loses_nothing_and_acts_on_nothing);
    tcase_add_test(tcase, pages_show_it_and_keep_its_direction_inside);
    tcase_add_test(tcase, any_bytes_become_harmless);
    suite_add_tcase(suite, tcase);
    SRunner *runner = srunner_create(suite);
    srunner_run_all(runner, CK_NORMAL);
    int failed = srunner_ntests_failed(runner);
    srunner_free(runner);
    return failed != 0;
}
