/* What is slow, and when, in every view of a what-if. */
#include "reports/figure/figure.h"
#include "reports/whatif/culprits/culprit_figure.h"
#include "reports/whatif/culprits/culprit_tables.h"
#include "reports/whatif/whatif_csv.h"
#include "reports/whatif/whatif_figures.h"
#include "reports/whatif/whatif_html.h"
#include "reports/whatif/whatif_json.h"
#include "reports/whatif/whatif_text.h"
#include "tests/support/fake_culprits.h"
#include "tests/support/fake_depth.h"
#include "tests/support/outset_case.h"

#include <jansson.h>

static struct hc_whatif_result result;
static struct hc_whatif_report report;

static void make(void)
{
    fake_result(&result, 4, 4, 44);
    fake_depth(&result);
    fake_culprits(&result);
    report = fake_report(&result);
    report.depth = HC_DEPTH_ALL;
}

static void drop(void)
{
    fake_free(&result);
}

static void check_has(const char *text, const char *part)
{
    ck_assert_msg(strstr(text, part) != NULL, "no '%s' in:\n%.2000s", part, text);
}

START_TEST(names_of_all_kinds)
{
    for (int i = 0; i < HC_N_CULPRIT_KINDS; i++)
        ck_assert_ptr_nonnull(hc_culprit_kind_key((enum hc_culprit_kind)i));
    for (int i = 0; i < HC_N_SLOW_OPS; i++)
        ck_assert_ptr_nonnull(hc_slow_ops_key((enum hc_slow_ops)i));
    for (int i = 0; i < HC_N_SLOW_PATTERNS; i++)
        ck_assert_ptr_nonnull(hc_slow_pattern_key((enum hc_slow_pattern)i));
    ck_assert_str_eq(hc_culprit_kind_key(HC_CULPRIT_DP_RANK), "dp_rank");
    ck_assert_str_eq(hc_slow_ops_key(HC_SLOW_LAUNCHES), "launches");
    ck_assert_str_eq(hc_slow_pattern_key(HC_SLOW_SOME_PASSES), "some_passes");
}
END_TEST

START_TEST(text_says_who_when_and_how_much)
{
    char *text = fake_written(hc_whatif_write_text, &report);
    check_has(text,
              "\n\nSlower than their peers, or than before: who, when, how much, and what mending "
              "saves\n"
              "  rank 20 (dp 1, stage 1)\n"
              "      from step 146 on: passes take 1.60 times as long (1.58 to 1.62); mending\n"
              "      it alone saves 250.0 ms (0.54 %) of a mean step; alone 63.0 % of the\n"
              "      excess (60.1 % to 66.0 %), 3.21 GPU-hours\n"
              "  link of dp 2 between <stages> 1 and 2\n"
              "      in 4 of 44 steps: transfers take 30.50 times as long; mending it alone\n"
              "      saves 10.00 ms (0.02 %) of a mean step, its part of all together is 20.00\n"
              "      ms (0.04 %)\n");
    check_has(text, "6 to 139");
    check_has(text, "1.60 (1.58 to 1.62)");
    free(text);
}
END_TEST

START_TEST(nothing_slow_says_nothing)
{
    hc_culprits_fini(&result.depth.culprits);
    ck_assert(!hc_whatif_has_culprits(&result));
    result.depth.culprits.done = true;
    ck_assert(!hc_whatif_has_culprits(&result));
    char *text = fake_written(hc_whatif_write_text, &report);
    ck_assert_ptr_null(strstr(text, "Slower than"));
    free(text);
    char *page = fake_written(hc_whatif_write_html, &report);
    ck_assert_ptr_null(strstr(page, "id=\"culprits\""));
    ck_assert_ptr_null(strstr(page, "class=\"mark\""));
    free(page);
}
END_TEST

static json_t *member(json_t *object, const char *key)
{
    json_t *value = json_object_get(object, key);
    ck_assert_msg(value != NULL, "no '%s'", key);
    return value;
}

static int64_t number(json_t *object, const char *key)
{
    ck_assert_msg(json_is_integer(member(object, key)), "'%s' is no integer", key);
    return json_integer_value(member(object, key));
}

static const char *text_at(json_t *object, const char *key)
{
    return json_string_value(member(object, key));
}

START_TEST(json_has_the_numbers_of_steps)
{
    char *text = fake_written(hc_whatif_write_json, &report);
    json_t *root = json_loads(text, JSON_REJECT_DUPLICATES, NULL);
    json_t *culprits = member(member(root, "cause"), "culprits");
    json_t *worker = json_array_get(culprits, 0), *link = json_array_get(culprits, 1);
    ck_assert_uint_eq(json_array_size(culprits), 2);
    ck_assert_str_eq(text_at(worker, "kind"), "worker");
    ck_assert_str_eq(text_at(worker, "ops"), "passes");
    ck_assert_str_eq(text_at(worker, "pattern"), "since");
    ck_assert_str_eq(text_at(worker, "cause"), "worker");
    ck_assert_str_eq(text_at(worker, "host"), "gpu-042");
    ck_assert(json_is_null(member(worker, "switch")));
    ck_assert_int_eq(number(worker, "since"), 6 + 7 * 20);
    ck_assert_int_eq(number(worker, "until"), 6 + 7 * 43);
    ck_assert_int_eq(number(worker, "slow_steps"), 24);
    ck_assert_int_eq(number(worker, "steps"), 44);
    ck_assert(json_is_true(member(worker, "lasts")));
    json_t *factor = member(worker, "factor");
    ck_assert_double_eq(json_real_value(member(factor, "value")), 1.6);
    ck_assert_double_eq(json_real_value(member(factor, "low")), 1.58);
    json_t *one = json_array_get(member(worker, "workers"), 0);
    ck_assert_int_eq(number(one, "dp_rank"), result.workers[5].dp_rank);
    ck_assert_int_eq(number(one, "stage"), result.workers[5].stage);
    json_t *stretch = json_array_get(member(worker, "stretches"), 0);
    ck_assert_int_eq(number(stretch, "first"), 146);
    ck_assert_int_eq(number(stretch, "first_low"), 139);
    ck_assert_int_eq(number(stretch, "first_high"), 160);
    ck_assert_ptr_null(json_object_get(stretch, "name"));
    ck_assert(json_is_null(member(link, "stage")));
    ck_assert(json_is_null(member(link, "rank")));
    ck_assert(json_is_null(member(member(link, "alone_share"), "value")));
    ck_assert(json_is_false(member(link, "lasts")));
    ck_assert_str_eq(text_at(link, "direction"), "backward");
    ck_assert_uint_eq(json_array_size(member(link, "workers")), 0);
    json_t *level = json_array_get(member(member(root, "cause"), "levels"), 1);
    ck_assert_int_eq(number(level, "first"), 146);
    ck_assert_double_eq(json_real_value(member(member(level, "slowdown"), "high")), 1.62);
    json_decref(root);
    free(text);
}
END_TEST

START_TEST(not_looked_for_is_null)
{
    hc_culprits_fini(&result.depth.culprits);
    char *text = fake_written(hc_whatif_write_json, &report);
    json_t *root = json_loads(text, JSON_REJECT_DUPLICATES, NULL);
    ck_assert(json_is_null(member(root, "cause")));
    json_decref(root);
    free(text);
}
END_TEST

START_TEST(the_page_has_table_strips_and_frames)
{
    char *page = fake_written(hc_whatif_write_html, &report);
    check_has(page, "id=\"culprits\"");
    check_has(page, "link of dp 2 between &lt;stages&gt; 1 and 2");
    check_has(page, "rank 20: 1.60 times</text>");
    check_has(page, "link of dp 2: 30.50 times</text>");
    check_has(page, "class=\"band fill deep s2\"");
    check_has(page, "level of the job");
    check_has(page, "class=\"mark\"");
    check_has(page, "Stretches of slow steps");
    check_has(page, "139 to 160");
    ck_assert_ptr_null(strstr(page, "nan"));
    free(page);
}
END_TEST

START_TEST(strips_lie_above_the_curve)
{
    struct hc_culprit_bands bands;
    struct hc_axis y = {.low = 1, .high = 2};
    struct hc_error err;
    ck_assert(!hc_culprit_bands_init(&bands, &result, &y, 200, &err));
    ck_assert_uint_eq(bands.n_series, 3);
    ck_assert_uint_eq(bands.n_marks, 2);
    ck_assert_double_eq_tol(y.high, 2.25, 1e-9); /* two strips of 20 of 200 */
    const struct hc_figure_series *worker = &bands.series[0], *link = &bands.series[1];
    ck_assert_uint_eq(worker->n, 4);
    ck_assert_uint_eq(link->n, 8);
    ck_assert_double_eq(worker->x[0], 6 + 7 * 19.5);
    ck_assert_double_eq(worker->x[3], 6 + 7 * 43);
    ck_assert_double_eq(link->x[4], 6 + 7 * 8.5);
    ck_assert_double_eq(link->x[7], 6 + 7 * 11.5);
    for (size_t i = 0; i < 4; i++)
        ck_assert(link->y[i] > 2 && link->high[i] < worker->y[0]);
    ck_assert_double_eq(bands.series[2].y[2], 1.6);
    hc_culprit_bands_fini(&bands);
    /* What is always slow has no strip, and takes no room. */
    result.depth.culprits.culprits[0].pattern = HC_SLOW_ALWAYS;
    result.depth.culprits.culprits[1].pattern = HC_SLOW_SOME_PASSES;
    y = (struct hc_axis){.low = 1, .high = 2};
    ck_assert(!hc_culprit_bands_init(&bands, &result, &y, 200, &err));
    ck_assert_uint_eq(bands.n_marks, 0);
    ck_assert_double_eq(y.high, 2);
    hc_culprit_bands_fini(&bands);
}
END_TEST

static char *read_file(const char *directory, const char *name)
{
    char path[128], *text = calloc(1, 1 << 16);
    snprintf(path, sizeof path, "%s/%s", directory, name);
    FILE *file = fopen(path, "r");
    ck_assert_ptr_nonnull(file);
    ck_assert_uint_gt(fread(text, 1, (1 << 16) - 1, file), 0);
    fclose(file);
    remove(path);
    return text;
}

START_TEST(csv_has_both_tables)
{
    char directory[] = "/tmp/hindcast-culprits-XXXXXX";
    struct hc_error err = {0};
    ck_assert_ptr_nonnull(mkdtemp(directory));
    struct hc_outset *set = case_set();
    report.run_id = CASE_RUN_ID;
    ck_assert_int_eq(case_commit(set, hc_whatif_write_csv(set, directory, &report, &err), &err),
                     HC_OK);
    char *text = read_file(directory, "culprits.csv");
    check_has(text, "culprit,name,kind,ops,op_types,pattern,cause,");
    check_has(text, "\n0,\"rank 20 (dp 1, stage 1)\",worker,passes,,since,worker,1,1,20,,gpu-042,,"
                    "1.6,1.58,1.62,");
    check_has(text, "\n1,link of dp 2 between <stages> 1 and 2,link,transfers,,recurrent,link,2,,,"
                    "backward,,,30.5,,,");
    free(text);
    text = read_file(directory, "stretches.csv");
    ck_assert_str_eq(text,
                     "culprit,name,first,last,first_low,first_high,last_low,last_high,factor\n"
                     "0,\"rank 20 (dp 1, stage 1)\",146,307,139,160,307,307,1.6\n"
                     "1,link of dp 2 between <stages> 1 and 2,27,27,27,27,27,27,28.0\n"
                     "1,link of dp 2 between <stages> 1 and 2,69,83,69,69,83,90,31.0\n");
    free(text);
    char command[64];
    snprintf(command, sizeof command, "rm -r %s", directory);
    ck_assert_int_eq(system(command), 0);
}
END_TEST

int main(void)
{
    Suite *suite = suite_create("culprit_views");
    TCase *tests = tcase_create("all");
    suite_add_tcase(suite, tests);
    tcase_add_checked_fixture(tests, make, drop);
    tcase_add_test(tests, names_of_all_kinds);
    tcase_add_test(tests, text_says_who_when_and_how_much);
    tcase_add_test(tests, nothing_slow_says_nothing);
    tcase_add_test(tests, json_has_the_numbers_of_steps);
    tcase_add_test(tests, not_looked_for_is_null);
    tcase_add_test(tests, the_page_has_table_strips_and_frames);
    tcase_add_test(tests, strips_lie_above_the_curve);
    tcase_add_test(tests, csv_has_both_tables);
    SRunner *runner = srunner_create(suite);
    srunner_run_all(runner, CK_NORMAL);
    int failed = srunner_ntests_failed(runner);
    srunner_free(runner);
    return failed != 0;
}
