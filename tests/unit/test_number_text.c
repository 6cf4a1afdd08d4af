#include "core/text/number_text.h"

#include <check.h>
#include <errno.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <time.h>

static uint64_t state;

static uint64_t next_random(void)
{
    state ^= state << 13;
    state ^= state >> 7;
    state ^= state << 17;
    return state;
}

static int64_t below(int64_t n)
{
    return (int64_t)(next_random() % (uint64_t)n);
}

static void seed(void)
{
    const char *given = getenv("HC_TEST_SEED");
    state = given ? strtoull(given, NULL, 0) : (uint64_t)time(NULL) * 2654435761u + 1;
    printf("seed: HC_TEST_SEED=%llu\n", (unsigned long long)state);
}

static int64_t ns_of(const char *text)
{
    int64_t ns = 1;
    ck_assert_msg(hc_text_to_ns(text, strlen(text), &ns) == HC_TEXT_OK, "'%s'", text);
    return ns;
}

static enum hc_text_number ns_result(const char *text)
{
    int64_t ns = 1;
    enum hc_text_number result = hc_text_to_ns(text, strlen(text), &ns);
    ck_assert(result == HC_TEXT_OK || ns == 0);
    return result;
}

START_TEST(seconds_become_nanoseconds_exactly)
{
    ck_assert_int_eq(ns_of("0"), 0);
    ck_assert_int_eq(ns_of("-0.0"), 0);
    ck_assert_int_eq(ns_of("0.61643934"), 616439340);
    ck_assert_int_eq(ns_of("1.5e-05"), 15000);
    ck_assert_int_eq(ns_of("1.5E+2"), 150000000000);
    ck_assert_int_eq(ns_of(".5"), 500000000);
    ck_assert_int_eq(ns_of("5."), 5000000000);
    ck_assert_int_eq(ns_of("+2.25"), 2250000000);
    ck_assert_int_eq(ns_of(" \t7 "), 7000000000);
    /* A double would lose the last digits of these. */
    ck_assert_int_eq(ns_of("1763718722.123456789"), 1763718722123456789);
    ck_assert_int_eq(ns_of("-1763718722.123456789"), -1763718722123456789);
    ck_assert_int_eq(ns_of("9223372036.854775807"), INT64_MAX);
    ck_assert_int_eq(ns_of("0.0000000000000000000000000000001e+31"), 1000000000);
    ck_assert_int_eq(ns_of("100000000000000000000e-20"), 1000000000);
    ck_assert_int_eq(ns_of("1e-99999999999999999999"), 0);
    ck_assert_int_eq(ns_of("0e99999999999999999999"), 0);
}
END_TEST

START_TEST(halves_go_away_from_zero)
{
    ck_assert_int_eq(ns_of("0.0000000005"), 1);
    ck_assert_int_eq(ns_of("-0.0000000005"), -1);
    ck_assert_int_eq(ns_of("0.00000000049999999999999999999"), 0);
    ck_assert_int_eq(ns_of("5e-10"), 1);
    ck_assert_int_eq(ns_of("4.99e-10"), 0);
    ck_assert_int_eq(ns_of("0.9999999995"), 1000000000);
    ck_assert_int_eq(ns_of("0.99999999949999"), 999999999);
}
END_TEST

START_TEST(microseconds_keep_their_last_digits)
{
    int64_t ns = 0;
    static const struct {
        const char *text;
        int64_t ns;
    } cases[] = {{"1759312345678901.125", 1759312345678901125},
                 {"1759312345678901.1254999", 1759312345678901125},
                 {"1759312345678901.1255", 1759312345678901126},
                 {"-0.0005", -1},
                 {"1.5e3", 1500000},
                 {"9223372036854775.807", INT64_MAX}};
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        ck_assert_int_eq(hc_text_us_to_ns(cases[i].text, strlen(cases[i].text), &ns), HC_TEXT_OK);
        ck_assert_int_eq(ns, cases[i].ns);
    }
    ck_assert_int_eq(hc_text_us_to_ns("9223372036854775.808", 20, &ns), HC_TEXT_OUT_OF_RANGE);
    ck_assert_int_eq(hc_text_us_to_ns("1e300", 5, &ns), HC_TEXT_OUT_OF_RANGE);
}
END_TEST

START_TEST(what_is_no_number_is_told_apart)
{
    ck_assert_int_eq(ns_result(""), HC_TEXT_EMPTY);
    ck_assert_int_eq(ns_result("  "), HC_TEXT_EMPTY);
    ck_assert_int_eq(ns_result("nan"), HC_TEXT_NAN);
    ck_assert_int_eq(ns_result("-NaN"), HC_TEXT_NAN);
    ck_assert_int_eq(ns_result("inf"), HC_TEXT_INFINITE);
    ck_assert_int_eq(ns_result("-Infinity"), HC_TEXT_INFINITE);
    static const char *const wrong[] = {"abc",  "-",     "+",   ".",    "1e",  "1e+",
                                        "e5",   "1.2.3", "1 2", "0x10", "1_0", "infinit",
                                        "nanx", "--1",   "1,5", "1-"};
    for (size_t i = 0; i < sizeof wrong / sizeof wrong[0]; i++)
        ck_assert_msg(ns_result(wrong[i]) == HC_TEXT_NOT_NUMBER, "'%s'", wrong[i]);
    ck_assert_int_eq(ns_result("9223372036.8547758075"), HC_TEXT_OUT_OF_RANGE);
    ck_assert_int_eq(ns_result("9223372036.854775808"), HC_TEXT_OUT_OF_RANGE);
    ck_assert_int_eq(ns_result("-9223372036.854775808"), HC_TEXT_OUT_OF_RANGE);
    ck_assert_int_eq(ns_result("1e400"), HC_TEXT_OUT_OF_RANGE);
    ck_assert_int_eq(ns_result("99999999999999999999999999"), HC_TEXT_OUT_OF_RANGE);
}
END_TEST

static enum hc_text_number int_of(const char *text, int64_t *value)
{
    return hc_text_to_i64(text, strlen(text), value);
}

START_TEST(whole_numbers_in_any_spelling)
{
    int64_t value = 0;
    ck_assert(int_of("3.0", &value) == HC_TEXT_OK && value == 3);
    ck_assert(int_of("-1.000", &value) == HC_TEXT_OK && value == -1);
    ck_assert(int_of("1e3", &value) == HC_TEXT_OK && value == 1000);
    ck_assert(int_of("1200e-2", &value) == HC_TEXT_OK && value == 12);
    ck_assert(int_of("+0007", &value) == HC_TEXT_OK && value == 7);
    ck_assert(int_of("9223372036854775807", &value) == HC_TEXT_OK && value == INT64_MAX);
    ck_assert_int_eq(int_of("3.5", &value), HC_TEXT_NOT_WHOLE);
    ck_assert_int_eq(value, 0);
    ck_assert_int_eq(int_of("1e-1", &value), HC_TEXT_NOT_WHOLE);
    ck_assert_int_eq(int_of("9223372036854775808", &value), HC_TEXT_OUT_OF_RANGE);
    ck_assert_int_eq(int_of("1e19", &value), HC_TEXT_OUT_OF_RANGE);
    ck_assert_int_eq(int_of("seven", &value), HC_TEXT_NOT_NUMBER);
}
END_TEST

/* Random spellings of whole * 10^-9 + tail: the answer is known by construction. */
START_TEST(random_seconds_agree_with_their_making)
{
    seed();
    for (int round = 0; round < 200000; round++) {
        int64_t ns = (int64_t)(next_random() >> (1 + below(62)));
        int tail = (int)below(12);
        char digits[64], text[128];
        uint64_t extra = next_random() % 1000000000000ULL;
        char extra_text[16];
        snprintf(extra_text, sizeof extra_text, "%012llu", (unsigned long long)extra);
        snprintf(digits, sizeof digits, "%019lld%.*s", (long long)ns, tail, extra_text);
        int64_t expected = ns + (tail > 0 && extra_text[0] >= '5');
        bool negative = below(2);
        int point = (int)below((int64_t)strlen(digits) + 1);
        /* The point belongs behind digit 10; the exponent moves it back there. */
        snprintf(text, sizeof text, "%s%.*s.%se%d", negative ? "-" : "", point, digits,
                 digits + point, 10 - point);
        if (point == 10 && below(2))
            *strchr(text, 'e') = '\0';
        if (ns < INT64_MAX)
            ck_assert_msg(ns_of(text) == (negative ? -expected : expected), "'%s'", text);
    }
}
END_TEST

/* The fast reader either says no or says the same. */
START_TEST(fast_readers_agree_with_slow_ones)
{
    static const char letters[] = "0123456789012345678901234567890123456789..-+e ,n";
    seed();
    size_t fast_hits = 0;
    for (int round = 0; round < 1000000; round++) {
        char text[64 + HC_TEXT_PADDING];
        for (size_t i = 0; i < sizeof text; i++)
            text[i] = letters[below(sizeof letters - 1)];
        size_t length = (size_t)below(24);
        if (below(2) && length > 4)
            text[1 + below(3)] = '.';
        int64_t fast = 0, slow = 0;
        if (hc_padded_to_ns(text, length, &fast)) {
            fast_hits++;
            ck_assert_msg(hc_text_to_ns(text, length, &slow) == HC_TEXT_OK && fast == slow,
                          "'%.*s': %lld, %lld", (int)length, text, (long long)fast,
                          (long long)slow);
        }
        float fast32 = 0, slow32 = 1;
        if (hc_padded_to_float32(text, length, &fast32))
            ck_assert_msg(hc_text_to_float32(text, length, &slow32) == HC_TEXT_OK &&
                              fast32 == slow32,
                          "'%.*s'", (int)length, text);
        if (hc_padded_to_i64(text, length, &fast)) {
            fast_hits++;
            ck_assert_msg(hc_text_to_i64(text, length, &slow) == HC_TEXT_OK && fast == slow,
                          "'%.*s'", (int)length, text);
        }
    }
    ck_assert_uint_gt(fast_hits, 10000);
}
END_TEST

START_TEST(fast_reader_takes_the_common_spellings)
{
    static const char *const common[] = {"0.61643934", "46.64917", "1763718722.123456",
                                         "0.1234567890123456", "0.5"};
    for (size_t i = 0; i < sizeof common / sizeof common[0]; i++) {
        char text[64] = "";
        int64_t ns = 0;
        strcpy(text, common[i]);
        ck_assert_msg(hc_padded_to_ns(text, strlen(text), &ns), "'%s'", text);
        ck_assert_int_eq(ns, ns_of(common[i]));
    }
}
END_TEST

static void compare_float32(const char *text)
{
    float value = 1;
    enum hc_text_number result = hc_text_to_float32(text, strlen(text), &value);
    float expected = strtof(text, NULL);
    if (isinf(expected))
        ck_assert_msg(result == HC_TEXT_OUT_OF_RANGE, "'%s'", text);
    else
        ck_assert_msg(result == HC_TEXT_OK && value == expected, "'%s': %.9g, not %.9g", text,
                      (double)value, (double)expected);
}

START_TEST(float32_is_the_nearest)
{
    static const char *const hard[] = {
        "16777217",
        "16777219",
        "16777217.000000000000000000000000000000000000000000000000001",
        "1.00000005960464477539062500000000000000000000000000000000000000001",
        "1.000000059604644775390625",
        "1.00000005960464477539062499999999999999999999999999",
        "3.4028235e38",
        "3.4028236e38",
        "3.5e38",
        "1e-45",
        "7e-46",
        "1.1754943e-38",
        "0e5",
        "1e-400",
        "0.1",
        "0.3",
        "123456789012345678901234567890"};
    for (size_t i = 0; i < sizeof hard / sizeof hard[0]; i++)
        compare_float32(hard[i]);
    char text[512];
    memset(text, '0', sizeof text);
    memcpy(text, "16777217.", 9);
    text[510] = '1';
    text[511] = '\0';
    compare_float32(text); /* the digit far behind decides */
    float value = 1;
    ck_assert_int_eq(hc_text_to_float32("nan", 3, &value), HC_TEXT_NAN);
    ck_assert_int_eq(hc_text_to_float32("x", 1, &value), HC_TEXT_NOT_NUMBER);
    ck_assert(value == 0);
}
END_TEST

START_TEST(random_float32_agree_with_strtof)
{
    seed();
    for (int round = 0; round < 300000; round++) {
        char text[96];
        switch (below(3)) {
        case 0:
            snprintf(text, sizeof text, "%lld.%0*lld", (long long)below(2000000000),
                     (int)(1 + below(12)), (long long)below(1000000000));
            break;
        case 1: { /* the middle of two floats */
            uint32_t bits = (uint32_t)below(0x7f000000);
            float low;
            memcpy(&low, &bits, sizeof low);
            float high = nextafterf(low, INFINITY);
            snprintf(text, sizeof text, "%.*e", (int)(5 + below(50)),
                     ((double)low + (double)high) / 2);
            break;
        }
        default:
            snprintf(text, sizeof text, "-%llue%d", (unsigned long long)next_random(),
                     (int)below(90) - 60);
        }
        compare_float32(text);
    }
}
END_TEST

int main(void)
{
    Suite *suite = suite_create("number_text");
    TCase *tcase = tcase_create("all");
    tcase_set_timeout(tcase, 120);
    tcase_add_test(tcase, seconds_become_nanoseconds_exactly);
    tcase_add_test(tcase, halves_go_away_from_zero);
    tcase_add_test(tcase, microseconds_keep_their_last_digits);
    tcase_add_test(tcase, what_is_no_number_is_told_apart);
    tcase_add_test(tcase, whole_numbers_in_any_spelling);
    tcase_add_test(tcase, random_seconds_agree_with_their_making);
    tcase_add_test(tcase, fast_readers_agree_with_slow_ones);
    tcase_add_test(tcase, fast_reader_takes_the_common_spellings);
    tcase_add_test(tcase, float32_is_the_nearest);
    tcase_add_test(tcase, random_float32_agree_with_strtof);
    suite_add_tcase(suite, tcase);
    SRunner *runner = srunner_create(suite);
    srunner_run_all(runner, CK_NORMAL);
    int failed = srunner_ntests_failed(runner);
    srunner_free(runner);
    return failed != 0;
}
