/* Regular expressions: what they find, and that what a search may take is bounded by steps that are
 * counted, whatever the expression and the text are. No time is measured here. */
#include "parsers/patterns/pattern_shape.h"
#include "parsers/patterns/text_pattern.h"

#include <check.h>
#include <stdlib.h>
#include <string.h>
#define PCRE2_CODE_UNIT_WIDTH 8
#include <pcre2.h>

static struct hc_text_pattern *make(const char *expression)
{
    struct hc_error err = {0};
    struct hc_text_pattern *pattern = NULL;
    hc_text_pattern_make(&pattern, (struct hc_matched){expression, strlen(expression)}, NULL, &err);
    ck_assert_msg(pattern, "%s: %s", expression, err.message);
    return pattern;
}

/* n letters a, then a b. */
static char *letters(size_t n)
{
    char *text = malloc(n + 2);
    ck_assert_ptr_nonnull(text);
    memset(text, 'a', n);
    memcpy(text + n, "b", 2);
    return text;
}

START_TEST(groups_by_number_and_name)
{
    struct hc_matched groups[HC_PATTERN_MOST_GROUPS];
    const char *text = "x step=12 loss=2.5";
    struct hc_text_pattern *pattern = make("step=(?<step>\\d+)(?: lr=(\\S+))? loss=(?<loss>\\S+)");
    size_t number = 0;
    ck_assert_uint_eq(hc_text_pattern_groups(pattern), 3);
    ck_assert_uint_eq(hc_text_pattern_names(pattern), 2);
    ck_assert_str_eq(hc_text_pattern_name(pattern, 0, &number), "loss");
    ck_assert_uint_eq(number, 3);
    ck_assert_str_eq(hc_text_pattern_group(pattern, 1), "step");
    ck_assert_ptr_null(hc_text_pattern_group(pattern, 2));
    ck_assert(hc_text_pattern_find(pattern, text, strlen(text), groups));
    ck_assert(groups[1].length == 2 && memcmp(groups[1].text, "12", 2) == 0);
    ck_assert_uint_eq(groups[2].length, 0);
    ck_assert_uint_eq(hc_text_pattern_named(pattern, text, "loss").length, 3);
    ck_assert_uint_eq(hc_text_pattern_named(pattern, "nothing", "loss").length, 0);
    ck_assert_int_eq(hc_text_pattern_use(pattern).n_counted, 0);
    hc_text_pattern_free(pattern);
}
END_TEST

/* Expressions that take all steps there are, each in another way: by loops in loops, by
 * alternatives, by what a group holds, by what calls itself, by comparing much and finding nothing.
 */
static const char *const hard[] = {
    "(?=(a+))a*b\\1c?[xy]",
    "(a+)+[xy]",
    "(a|a)+[xy]",
    "(?:a|aa)*[xy]",
    "(a*)*\\1[xy]",
    ("(a|a)(a|a)(a|a)(a|a)(a|a)(a|a)(a|a)(a|a)(a|a)(a|a)(a|a)(a|a)(a|a)(a|a)(a|a)(a|a)(a|a)(a|a)(a|"
     "a)[xy]"),
    "(?:a?){40}(?:a){40}[xy]",
    "(a(?1)?a?)[xy]",
    "(.*)(.*)(.*)(.*)[xy]",
    "(?:a{1000}b?)*[xy]",
    "(a+)\\1+\\1+[xy]",
    "(?<x>a+?)(?P=x)*a*[xy]",
    "^(?:.*?,){11}P",
    "(?i)(A+)+[xy]",
    "(?x) ( a | a )+ [xy]",
};

START_TEST(no_expression_takes_more_steps_than_are_promised)
{
    static const size_t lengths[] = {30, 300, 2047, 4000, 100000};
    for (size_t i = 0; i < sizeof hard / sizeof *hard; i++)
        for (size_t k = 0; k < sizeof lengths / sizeof *lengths; k++) {
            struct hc_text_pattern *pattern = make(hard[i]);
            char *text = letters(lengths[k]);
            int64_t most = HC_PATTERN_STEPS + HC_PATTERN_STEPS_A_BYTE * (int64_t)(lengths[k] + 1);
            ck_assert(!hc_text_pattern_match(pattern, text, lengths[k] + 1));
            struct hc_pattern_use use = hc_text_pattern_use(pattern);
            /* The last step may pass over all of the text. */
            ck_assert_msg(use.most_steps <= most + 1 + (int64_t)lengths[k] / 8,
                          "%s: %lld steps in %zu letters", hard[i], (long long)use.most_steps,
                          lengths[k]);
            ck_assert_int_le(use.n_given_up, use.n_counted);
            free(text);
            hc_text_pattern_free(pattern);
        }
}
END_TEST

START_TEST(what_is_given_up_is_counted)
{
    struct hc_text_pattern *pattern = make("(a|a)+[xy]");
    char *text = letters(60);
    ck_assert(!hc_text_pattern_match(pattern, text, 61));
    ck_assert(!hc_text_pattern_match(pattern, text, 61));
    ck_assert(!hc_text_pattern_match(pattern, text + 50, 11));
    text[60] = 'x';
    ck_assert(hc_text_pattern_match(pattern, text, 61));
    ck_assert_int_eq(hc_text_pattern_use(pattern).n_given_up, 2);
    free(text);
    hc_text_pattern_free(pattern);
}
END_TEST

/* Where machine code stops at its loops, or is not tried, the count finds what is there. */
START_TEST(what_takes_many_steps_is_found)
{
    size_t n = (size_t)1 << 20;
    char *text = letters(n);
    struct hc_text_pattern *loops = make(".*a.*b"), *far = make("b(?<last>$)"),
                           *runs = make("(a+)b");
    ck_assert(hc_text_pattern_match(loops, text + n - 2000, 2001));
    ck_assert(hc_text_pattern_match(loops, text, n + 1));
    ck_assert(hc_text_pattern_match(far, text, n + 1));
    ck_assert(hc_text_pattern_match(runs, text, n + 1));
    ck_assert_uint_eq(hc_text_pattern_text(runs, 1, text).length, n);
    ck_assert_int_eq(hc_text_pattern_use(loops).n_given_up, 0);
    hc_text_pattern_free(loops);
    hc_text_pattern_free(far);
    hc_text_pattern_free(runs);
    free(text);
}
END_TEST

START_TEST(ways_through_an_expression)
{
    static const struct {
        const char *expression;
        uint32_t ways;
    } cases[] = {
        {"", 1},
        {"abc+d*", 1},
        {"a|b", 2},
        {"(?:a|b)(c|d|e)", 6},
        {"(a|b)?x", 3},
        {"(?:(a|b)|c)+", 4},
        {"(?:a|b){3}", 27},
        {"(?:ab){3}", 1},
        {"(?:ab){1,3}", 8},
        {"[|(]|\\|", 2},
        {"[]|(a]b", 1},
        {"[^]|]|x", 2},
        {"[[:alpha:]|]x|y", 2},
        {"(?<n>a|b)(?P<m>c)(?'o'd|e)", 4},
        {"(?i)(?s-i:a|b)", 2},
        {"(?=a|b)(?<!c|d)", 4},
        /* what is not understood here */
        {"(a", UINT32_MAX},
        {"a)", UINT32_MAX},
        {"(?R)?", UINT32_MAX},
        {"(?1)", UINT32_MAX},
        {"(?(1)a|b)", UINT32_MAX},
        {"(*ACCEPT)", UINT32_MAX},
        {"(?x)a", UINT32_MAX},
        {"(?#a|b)", UINT32_MAX},
        {"\\Q|\\E", UINT32_MAX},
        {"\\g<1>", UINT32_MAX},
        {"[a", UINT32_MAX},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++)
        ck_assert_msg(hc_pattern_ways(cases[i].expression, strlen(cases[i].expression)) ==
                          cases[i].ways,
                      "%s", cases[i].expression);
    ck_assert_uint_eq(hc_pattern_part_bytes("a{17,30}", 8), 30);
    ck_assert_uint_eq(hc_pattern_part_bytes("a+", 2), 0);
    ck_assert(hc_pattern_part_refers("\\1", 2) && hc_pattern_part_refers("(?P=x)", 6));
    ck_assert(!hc_pattern_part_refers("\\d+", 3));
}
END_TEST

/* ---- what machine code is trusted with ---- */

struct random {
    uint32_t state;
    char expression[512];
    size_t length;
};

static uint32_t draw(struct random *r, uint32_t n)
{
    r->state = r->state * 1664525 + 1013904223;
    return (r->state >> 8) % n;
}

static void put(struct random *r, const char *text)
{
    size_t n = strlen(text);
    if (r->length + n < sizeof r->expression)
        memcpy(r->expression + r->length, text, n + 1);
    r->length += r->length + n < sizeof r->expression ? n : 0;
}

static void put_parts(struct random *r, int depth)
{
    static const char *const quantifiers[] = {"",  "",   "",   "*",   "+",
                                              "?", "*?", "+?", "{2}", "{1,3}"};
    static const char *const parts[] = {"a", "b", ".", "[ab]", "\\w", "[^b]"};
    static const char *const heads[] = {"(", "(?:", "(?=", "(?>"};
    for (uint32_t n = 1 + draw(r, 4); n > 0; n--) {
        if (depth > 0 && draw(r, 2)) {
            put(r, heads[draw(r, 4)]);
            for (uint32_t k = draw(r, 3); k > 0; k--) {
                put_parts(r, depth - 1);
                put(r, "|");
            }
            put_parts(r, depth - 1);
            put(r, ")");
        } else {
            put(r, parts[draw(r, 6)]);
        }
        put(r, quantifiers[draw(r, 10)]);
    }
}

static int count_call(pcre2_callout_block *block, void *context)
{
    (void)block;
    return ++*(int64_t *)context > 100000000 ? PCRE2_ERROR_CALLOUT : 0;
}

/* Parts that machine code tries before its limit of loops a place ends it. */
static int64_t calls_of(const struct random *r, const char *text, size_t length, uint32_t loops)
{
    int code, result;
    PCRE2_SIZE offset;
    int64_t n = 0;
    pcre2_code *made = pcre2_compile((PCRE2_SPTR)r->expression, r->length, PCRE2_AUTO_CALLOUT,
                                     &code, &offset, NULL);
    if (!made)
        return 0;
    pcre2_jit_compile(made, PCRE2_JIT_COMPLETE);
    pcre2_match_data *match = pcre2_match_data_create_from_pattern(made, NULL);
    pcre2_match_context *limits = pcre2_match_context_create(NULL);
    pcre2_set_callout(limits, count_call, &n);
    pcre2_set_match_limit(limits, loops);
    result = pcre2_match(made, (PCRE2_SPTR)text, length, 0, 0, match, limits);
    ck_assert_int_ne(result, PCRE2_ERROR_CALLOUT);
    pcre2_match_context_free(limits);
    pcre2_match_data_free(match);
    pcre2_code_free(made);
    return n;
}

/* The limit bounds the parts that are tried: loops by ways by the length of the expression, at each
 * place. Without the ways it does not: see the last expression. */
START_TEST(loops_and_ways_bound_machine_code)
{
    struct random r = {.state = 2026};
    for (int i = 0; i < 20000; i++) {
        r.length = 0;
        put_parts(&r, 3);
        put(&r, draw(&r, 2) ? "[xy]" : "\\1");
        uint32_t ways = hc_pattern_ways(r.expression, r.length), loops = 4 + draw(&r, 60);
        size_t length = 10 + draw(&r, 60);
        char *text = letters(length);
        for (size_t k = 0; k < length; k++)
            text[k] = draw(&r, 12) ? 'a' : 'b';
        double bound = (double)(length + 2) * (loops + 1) * ways * (double)(r.length + 1);
        if (ways <= 128)
            ck_assert_msg((double)calls_of(&r, text, length + 1, loops) <= bound, "%s",
                          r.expression);
        free(text);
    }
    static const char alternatives[] =
        "(a|a)(a|a)(a|a)(a|a)(a|a)(a|a)(a|a)(a|a)(a|a)(a|a)(a|a)(a|a)[xy]";
    memcpy(r.expression, alternatives, sizeof alternatives);
    r.length = sizeof alternatives - 1;
    ck_assert_uint_eq(hc_pattern_ways(r.expression, r.length), 4096);
    ck_assert_int_gt(calls_of(&r, "aaaaaaaaaaaaab", 14, 4), (int64_t)15 * 5 * (int64_t)r.length);
}
END_TEST

int main(void)
{
    Suite *suite = suite_create("text_pattern");
    TCase *tcase = tcase_create("all");
    tcase_set_timeout(tcase, 120);
    tcase_add_test(tcase, groups_by_number_and_name);
    tcase_add_test(tcase, no_expression_takes_more_steps_than_are_promised);
    tcase_add_test(tcase, what_is_given_up_is_counted);
    tcase_add_test(tcase, what_takes_many_steps_is_found);
    tcase_add_test(tcase, ways_through_an_expression);
    tcase_add_test(tcase, loops_and_ways_bound_machine_code);
    suite_add_tcase(suite, tcase);
    SRunner *runner = srunner_create(suite);
    srunner_run_all(runner, CK_NORMAL);
    int failed = srunner_ntests_failed(runner);
    srunner_free(runner);
    return failed != 0;
}
