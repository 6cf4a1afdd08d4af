#include "core/text/condition.h"

#include "cli/options/fail_on.h"
#include "sim/whatif/straggler_causes.h"

#include <check.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

static const struct hc_condition_figure figures[] = {
    {"ettr", "share", true, true},
    {"mttr_s", "s", true, false},
    {"lost_gpu_h", "GPU-h", true, false},
    {"stops", "", true, false},
    {"worst", NULL, false, false},
    {"job.waste", "share", false, false},
    {"job", "d", false, true},
    {"cause", "none|worker|work", false, false},
};
#define N (sizeof figures / sizeof figures[0])

static struct hc_condition condition;
static struct hc_error err;

static enum hc_status parse(const char *text)
{
    err = (struct hc_error){.status = HC_OK};
    return hc_condition_parse(&condition, text, figures, N, &err);
}

static void check_term(const char *text, size_t figure, enum hc_condition_bound bound,
                       enum hc_condition_relation relation, double number)
{
    ck_assert_msg(parse(text) == HC_OK, "%s: %s", text, err.message);
    ck_assert_uint_eq(condition.n, 1);
    ck_assert_uint_eq(condition.term[0].figure, figure);
    ck_assert_int_eq(condition.term[0].bound, bound);
    ck_assert_int_eq(condition.term[0].relation, relation);
    ck_assert_msg(condition.term[0].number == number, "%s: %.17g", text, condition.term[0].number);
}

START_TEST(reads_a_term)
{
    check_term("ettr.low >= 0.97", 0, HC_BOUND_LOW, HC_AT_LEAST, 0.97);
    check_term("  ettr.high<=1e-3 ", 0, HC_BOUND_HIGH, HC_AT_MOST, 1e-3);
    check_term("ettr.mean>.5", 0, HC_BOUND_MEAN, HC_ABOVE, 0.5);
    check_term("stops<-3", 3, HC_BOUND_MEAN, HC_BELOW, -3);
    check_term("stops < 007", 3, HC_BOUND_MEAN, HC_BELOW, 7);
}
END_TEST

/* The quantile stands before the end of its interval. */
START_TEST(quantiles_are_read)
{
    check_term("ettr.p05 > 0.9", 0, HC_BOUND_MEAN, HC_ABOVE, 0.9);
    ck_assert_int_eq(condition.term[0].percent, 5);
    check_term("ettr.p95.low > 0.9", 0, HC_BOUND_LOW, HC_ABOVE, 0.9);
    ck_assert_int_eq(condition.term[0].percent, 95);
    check_term("ettr.low > 0.9", 0, HC_BOUND_LOW, HC_ABOVE, 0.9);
    ck_assert_int_eq(condition.term[0].percent, 0);
    static const char *const wrong[] = {
        "ettr.p00 > 1",     "ettr.p100 > 1",    "ettr.p5 > 1",
        "ettr.low.p95 > 1", "ettr.p9x > 1",     "ettr.p95.p05 > 1",
        "mttr_s.p95 > 1",   "job.p50.high > 1", "stops.p50.low > 1"};
    for (size_t i = 0; i < sizeof wrong / sizeof *wrong; i++)
        ck_assert_msg(parse(wrong[i]) == HC_BAD_INPUT, "%s", wrong[i]);
    parse("mttr_s.p95 > 1");
    ck_assert_ptr_nonnull(strstr(err.message, "no quantiles"));
    parse("job.p50.high > 1");
    ck_assert_ptr_nonnull(strstr(err.message, "no interval"));
}
END_TEST

/* A name may have a point of its own, and the longer name is the one that is meant. */
START_TEST(names_may_have_points)
{
    check_term("job.waste > 1", 5, HC_BOUND_MEAN, HC_ABOVE, 1);
    check_term("job.mean > 1", 6, HC_BOUND_MEAN, HC_ABOVE, 1);
}
END_TEST

/* The number is in the unit of the figure, and the very double of the decimal. */
START_TEST(units_are_turned_into_that_of_the_figure)
{
    check_term("ettr >= 97 %", 0, HC_BOUND_MEAN, HC_AT_LEAST, 0.97);
    check_term("ettr >= 97share", 0, HC_BOUND_MEAN, HC_AT_LEAST, 97);
    check_term("mttr_s < 1.5min", 1, HC_BOUND_MEAN, HC_BELOW, 90);
    check_term("mttr_s < 2h", 1, HC_BOUND_MEAN, HC_BELOW, 7200);
    check_term("mttr_s < 300 ms", 1, HC_BOUND_MEAN, HC_BELOW, 0.3);
    check_term("mttr_s < 7 s", 1, HC_BOUND_MEAN, HC_BELOW, 7);
    check_term("job > 36 h", 6, HC_BOUND_MEAN, HC_ABOVE, 1.5);
    check_term("lost_gpu_h > 12 GPU-h", 2, HC_BOUND_MEAN, HC_ABOVE, 12);
}
END_TEST

START_TEST(all_terms_must_hold)
{
    const char *text = "ettr.low >= 90% and  stops < 5 and worst > 1";
    ck_assert_int_eq(parse(text), HC_OK);
    ck_assert_uint_eq(condition.n, 3);
    ck_assert_uint_eq(condition.term[1].length, strlen("stops < 5"));
    ck_assert(!strncmp(text + condition.term[1].begin, "stops < 5", strlen("stops < 5")));
    ck_assert_uint_eq(condition.term[2].length, strlen("worst > 1"));
    struct hc_condition_value value[] = {{0.95, 0.9, 1}, {4, NAN, NAN}, {2, NAN, NAN}};
    ck_assert(hc_condition_holds(&condition, value));
    value[0].low = 0.89;
    ck_assert(!hc_condition_holds(&condition, value));
    value[0].low = 0.9;
    value[2].mean = 1;
    ck_assert(!hc_condition_holds(&condition, value));
}
END_TEST

START_TEST(each_relation_at_its_edge)
{
    static const struct {
        const char *text;
        bool below, at, above;
    } row[] = {{"stops >= 2", false, true, true},
               {"stops <= 2", true, true, false},
               {"stops > 2", false, false, true},
               {"stops < 2", true, false, false}};
    for (size_t i = 0; i < sizeof row / sizeof row[0]; i++) {
        ck_assert_int_eq(parse(row[i].text), HC_OK);
        const struct hc_condition_value below = {1, NAN, NAN}, at = {2, NAN, NAN},
                                        above = {3, NAN, NAN}, unknown = {NAN, NAN, NAN};
        ck_assert_int_eq(hc_condition_holds(&condition, &below), row[i].below);
        ck_assert_int_eq(hc_condition_holds(&condition, &at), row[i].at);
        ck_assert_int_eq(hc_condition_holds(&condition, &above), row[i].above);
        ck_assert(!hc_condition_holds(&condition, &unknown));
    }
}
END_TEST

START_TEST(says_what_is_wrong)
{
    static const char *const row[][2] = {
        {"", "'': it begins with no figure (as in 'ettr.low >= 0.97')"},
        {">= 3", "'>= 3': it begins with no figure (as in 'ettr.low >= 0.97')"},
        {"etr > 3", "there is no figure 'etr' (did you mean 'ettr'?)"},
        {"banana.low > 3", "there is no figure 'banana'"},
        {"ettr.lower > 3", "'ettr.lower > 3': after the figure, only '.low', '.high' or '.mean' "
                           "may stand, or a quantile ('.p95') (as in 'ettr.low >= 0.97')"},
        {"worst.low > 3",
         "'worst.low > 3': this figure has no interval (as in 'ettr.low >= 0.97')"},
        {"ettr == 3", "'ettr == 3': '>=', '<=', '>' or '<' is missing after the figure (as in "
                      "'ettr.low >= 0.97')"},
        {"ettr > nan", "'ettr > nan': it does not end in a number (as in 'ettr.low >= 0.97')"},
        {"ettr > 0x10", "'ettr > 0x10': it does not end in a number (as in 'ettr.low >= 0.97')"},
        {"ettr > 1e999", "'ettr > 1e999': it does not end in a number (as in 'ettr.low >= 0.97')"},
        {"ettr > 3 h", "'ettr > 3 h': 'ettr' is in '%', and cannot be counted in 'h'"},
        {"stops > 3 %", "'stops > 3 %': 'stops' is a number without a unit, not in '%'"},
        {"worst > 3 s", "'worst > 3 s': 'worst' is a number without a unit, not in 's'"},
        {"mttr_s > 3 %", "'mttr_s > 3 %': 'mttr_s' is in 's', and cannot be counted in '%'"},
        {"stops > 3 and", "'stops > 3 and': no figure follows (as in 'ettr.low >= 0.97')"},
        {"ettr > 3 % or 4", "'ettr > 3 % or 4': after a term, only 'and' and another may stand "
                            "(as in 'ettr.low >= 0.97')"},
    };
    for (size_t i = 0; i < sizeof row / sizeof row[0]; i++) {
        ck_assert_int_eq(parse(row[i][0]), HC_BAD_INPUT);
        ck_assert_str_eq(err.message, row[i][1]);
    }
    char many[256] = "stops > 0";
    for (int i = 0; i < HC_CONDITION_MOST_TERMS; i++)
        strcat(many, " and stops > 0");
    ck_assert_int_eq(parse(many), HC_BAD_INPUT);
    ck_assert_ptr_nonnull(strstr(err.message, "it has too many terms"));
}
END_TEST

/* Values are the places of words, also of one that begins as another. */
START_TEST(words_are_the_same_or_not)
{
    check_term("cause=worker", 7, HC_BOUND_MEAN, HC_IS, 1);
    struct hc_condition_value value = {1, NAN, NAN};
    ck_assert(hc_condition_holds(&condition, &value));
    check_term("cause != work", 7, HC_BOUND_MEAN, HC_IS_NOT, 2);
    ck_assert(hc_condition_holds(&condition, &value));
    value.mean = 2;
    ck_assert(!hc_condition_holds(&condition, &value));
    value.mean = NAN; /* not known: neither */
    ck_assert(!hc_condition_holds(&condition, &value));
    ck_assert(parse("cause = none and stops > 1") == HC_OK && condition.n == 2);
    static const char *const wrong[] = {"cause = wor",   "cause = ",  "cause > 1",
                                        "cause == work", "stops = 1", "cause = none|worker"};
    for (size_t i = 0; i < sizeof wrong / sizeof *wrong; i++)
        ck_assert_msg(parse(wrong[i]) == HC_BAD_INPUT, "%s", wrong[i]);
}
END_TEST

/* The words of a report's causes are those of its JSON. */
START_TEST(causes_have_their_names)
{
    const struct hc_report_figures *const reports[] = {&hc_whatif_figures, &hc_fleet_figures};
    for (size_t r = 0; r < 2; r++)
        for (size_t i = 0; i < reports[r]->n; i++)
            for (int c = 0; c < HC_N_STRAGGLER_CAUSES; c++) {
                size_t length;
                const char *word = hc_condition_word(&reports[r]->figure[i], c, &length);
                const char *key = hc_straggler_cause_key((enum hc_straggler_cause)c);
                ck_assert_int_eq(word != NULL, strcmp(reports[r]->figure[i].name, "cause") == 0);
                ck_assert(!word || (length == strlen(key) && strncmp(word, key, length) == 0));
            }
}
END_TEST

int main(void)
{
    Suite *suite = suite_create("condition");
    TCase *cases = tcase_create("condition");
    tcase_add_test(cases, reads_a_term);
    tcase_add_test(cases, names_may_have_points);
    tcase_add_test(cases, quantiles_are_read);
    tcase_add_test(cases, units_are_turned_into_that_of_the_figure);
    tcase_add_test(cases, all_terms_must_hold);
    tcase_add_test(cases, each_relation_at_its_edge);
    tcase_add_test(cases, says_what_is_wrong);
    tcase_add_test(cases, words_are_the_same_or_not);
    tcase_add_test(cases, causes_have_their_names);
    suite_add_tcase(suite, cases);
    SRunner *runner = srunner_create(suite);
    srunner_run_all(runner, CK_ENV);
    int n_failed = srunner_ntests_failed(runner);
    srunner_free(runner);
    return n_failed != 0;
}
