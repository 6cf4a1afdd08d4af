#include "core/text/number_format.h"

#include <check.h>
#include <math.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

static void check_real(double value, const char *expected)
{
    char text[HC_NUMBER_TEXT];
    ck_assert_str_eq(hc_format_real(value, text), expected);
}

START_TEST(reals_are_short)
{
    check_real(1, "1.0");
    check_real(-0.0, "-0.0");
    check_real(0.1, "0.1");
    check_real(0.3, "0.3");
    check_real(0.1 + 0.2, "0.30000000000000004");
    check_real(9.007199254740993e15, "9007199254740992.0");
    check_real(1e22, "1e+22");
    check_real(5e-324, "4.94065645841247e-324");
    check_real(1.7976931348623157e308, "1.7976931348623157e+308");
    check_real(46.336372597, "46.336372597");
    check_real(NAN, "nan");
    check_real(-INFINITY, "-inf");
}
END_TEST

START_TEST(reals_read_back)
{
    uint64_t bits = 88172645463325252u;
    char text[HC_NUMBER_TEXT];
    for (int i = 0; i < 200000; i++) {
        double value;
        bits ^= bits << 13, bits ^= bits >> 7, bits ^= bits << 17;
        memcpy(&value, &bits, sizeof value);
        if (!isfinite(value))
            continue;
        double scaled = (double)(bits >> 11) * 0x1p-50;
        ck_assert(strtod(hc_format_real(value, text), NULL) == value);
        ck_assert_uint_lt(strlen(text), HC_NUMBER_TEXT);
        ck_assert(strtod(hc_format_real(scaled, text), NULL) == scaled);
    }
}
END_TEST

START_TEST(numbers_for_people)
{
    char text[HC_NUMBER_TEXT];
    ck_assert_str_eq(hc_format_count(0, text), "0");
    ck_assert_str_eq(hc_format_count(999, text), "999");
    ck_assert_str_eq(hc_format_count(-117216, text), "-117,216");
    ck_assert_str_eq(hc_format_count(INT64_MIN, text), "-9,223,372,036,854,775,808");
    ck_assert_str_eq(hc_format_fixed(-0.0001, 2, text), "0.00");
    ck_assert_str_eq(hc_format_fixed(-0.012, 2, text), "-0.01");
    ck_assert_str_eq(hc_format_fixed(NAN, 2, text), "-");
    ck_assert_str_eq(hc_format_fixed(-1e300, 9, text), "-1.000e+300");
    ck_assert_str_eq(hc_format_seconds(46.6491764, text), "46.65 s");
    ck_assert_str_eq(hc_format_seconds(0.2417336, text), "241.7 ms");
    ck_assert_str_eq(hc_format_seconds(12.2e-6, text), "12.20 us");
    ck_assert_str_eq(hc_format_seconds(-3e-9, text), "-3 ns");
    ck_assert_str_eq(hc_format_seconds(0, text), "0 s");
    ck_assert_str_eq(hc_format_seconds(1234.5, text), "1234 s");
    ck_assert_str_eq(hc_format_percent(0.0067, text), "0.67 %");
    ck_assert_str_eq(hc_format_percent(0.493, text), "49.3 %");
    ck_assert_str_eq(hc_format_percent(1, text), "100 %");
    ck_assert_str_eq(hc_format_percent(INFINITY, text), "-");
    ck_assert_str_eq(hc_format_bytes(512, text), "512 B");
    ck_assert_str_eq(hc_format_bytes(1148014, text), "1.1 MB");
    ck_assert_str_eq(hc_format_bytes(999999, text), "1.0 MB");
    ck_assert_str_eq(hc_format_bytes(INT64_MAX, text), "9.2 EB");
}
END_TEST

int main(void)
{
    Suite *suite = suite_create("number_format");
    TCase *tests = tcase_create("number_format");
    tcase_add_test(tests, reals_are_short);
    tcase_add_test(tests, reals_read_back);
    tcase_add_test(tests, numbers_for_people);
    suite_add_tcase(suite, tests);
    SRunner *runner = srunner_create(suite);
    srunner_run_all(runner, CK_NORMAL);
    int failed = srunner_ntests_failed(runner);
    srunner_free(runner);
    return failed != 0;
}
