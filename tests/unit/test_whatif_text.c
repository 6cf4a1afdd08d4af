#include "core/base/text_layout.h"
#include "reports/whatif/whatif_text.h"
#include "reports/write/heatmap_text.h"
#include "tests/support/fake_depth.h"
#include "tests/support/fake_whatif.h"

/* No line over 80 columns, no control byte, a final newline. */
static void check_layout(const char *text)
{
    for (const char *line = text; *line;) {
        const char *end = strchr(line, '\n');
        ck_assert_ptr_nonnull(end);
        char *copy = strndup(line, (size_t)(end - line));
        ck_assert_msg(hc_text_columns(copy) <= 80, "too long: '%s'", copy);
        for (const char *p = copy; *p; p++)
            ck_assert_msg((unsigned char)*p >= 0x20, "control byte in '%s'", copy);
        ck_assert_msg(end == line || end[-1] != ' ', "ends in a space: '%s'", copy);
        free(copy);
        line = end + 1;
    }
}

/* text with each run of white space as one space, so that line breaks do not matter. */
static char *flattened(const char *text)
{
    char *flat = malloc(strlen(text) + 1), *to = flat;
    for (; *text; text++) {
        bool is_space = *text == ' ' || *text == '\n';
        if (!is_space)
            *to++ = *text;
        else if (to > flat && to[-1] != ' ')
            *to++ = ' ';
    }
    *to = '\0';
    return flat;
}

static bool has(const char *text, const char *part)
{
    char *flat = flattened(text), *flat_part = flattened(part);
    bool found = strstr(flat, flat_part) != NULL;
    free(flat);
    free(flat_part);
    return found;
}

static void check_has(const char *text, const char *part)
{
    ck_assert_msg(has(text, part), "no '%s' in:\n%s", part, text);
}

static void check_lacks(const char *text, const char *part)
{
    ck_assert_msg(!has(text, part), "'%s' in:\n%s", part, text);
}

START_TEST(shows_the_figures)
{
    struct hc_whatif_result result;
    fake_result(&result, 4, 4, 44);
    struct hc_whatif_report report = fake_report(&result);
    char *text = fake_written(hc_whatif_write_text, &report);
    check_layout(text);
    check_has(text, "AR, cluster default, attempt 0");
    check_has(text, "sha256 0123456789ab\n");
    check_has(text, "dp 4 x pp 4 x vpp 1, tp 4, dsp 1; 64 GPUs, 16 workers");
    check_has(text, "44 used (6 to 307), 0 left out");
    check_has(text, "117,216 read, 0 skipped");
    check_has(text, "discrepancy 0.67 % between replayed and traced steps (fine");
    check_has(text, "S 1.973, waste 49.3 %: STRAGGLING");
    check_has(text, "traced 46.65 s, replayed 46.34 s, ideal 23.48 s");
    check_has(text, "1.002 of the excess");
    check_has(text, "rank 0 (dp 0, stage 0) 1.97");
    check_has(text, "suspect a fault");
    check_has(text, "-0.001 of the excess");
    check_lacks(text, "cut unevenly");
    check_lacks(text, "WARNING");
    check_has(text, "do not add up");
    check_has(text, "1.97@");
    /* Op types by descending slowdown. */
    ck_assert(strstr(text, "backward-compute") < strstr(text, "forward-compute"));
    ck_assert(strstr(text, "forward-compute") < strstr(text, "gc "));
    free(text);
    fake_free(&result);
}
END_TEST

START_TEST(names_what_was_left_out)
{
    struct hc_whatif_result result;
    fake_result(&result, 4, 4, 44);
    result.n_left_out = 14;
    result.left_out = fake_array(14, sizeof *result.left_out);
    for (int32_t i = 0; i < 14; i++)
        result.left_out[i] = (struct hc_left_out_step){500 + i, HC_STEP_ABSENT, ""};
    result.left_out[0].fate = HC_STEP_DUPLICATE;
    strcpy(result.left_out[0].detail, "forward-compute 3 of stage 1, dp rank 2");
    for (int i = 11; i < 14; i++)
        result.left_out[i].fate = HC_STEP_NOT_SELECTED;
    struct hc_error err;
    for (int i = 0; i < 2; i++)
        hc_row_report_bad(&result.rows, HC_BAD_DUPLICATE, 500, &err, "'trace.csv' line %d", 7 + i);
    struct hc_whatif_report report = fake_report(&result);
    report.steps_option = "1-510";
    char *text = fake_written(hc_whatif_write_text, &report);
    check_layout(text);
    check_has(text, "14 left out; --steps 1-510");
    check_has(text, "1 left out, duplicate rows: 500 (first: forward-compute 3 of stage 1, dp");
    check_has(text, "10 left out, dp ranks differ in their ops: 501, 502");
    check_has(text, "508 ... and 2 more");
    check_has(text, "3 left out, not selected by --steps\n");
    check_has(text, "2 skipped, duplicate rows; first: 'trace.csv' line 7");
    free(text);
    fake_free(&result);
}
END_TEST

START_TEST(says_why_a_figure_is_not_there)
{
    struct hc_whatif_result result;
    fake_result(&result, 4, 1, 3);
    fake_undo_blocking(&result);
    result.job.world_size = HC_MISSING_I32;
    result.m_s.rem = result.m_s.add = NAN;
    struct hc_whatif_report report = fake_report(&result);
    char *text = fake_written(hc_whatif_write_text, &report);
    check_layout(text);
    check_has(text, "not straggling");
    check_has(text, "GPUs not known");
    check_has(text, "- (needs the decomposition)");
    check_has(text, "- (there is one stage)");
    result.pp_size = 4;
    free(text);
    text = fake_written(hc_whatif_write_text, &report);
    check_has(text, "- (the excess over the ideal steps is none, or too small to share out)");
    check_has(text, "- (S 1.012 is below the threshold 1.03)");
    check_lacks(text, "nan");
    check_lacks(text, "shades");
    free(text);
    result.slowdown = result.waste = result.discrepancy = result.launch_slowdown = NAN;
    text = fake_written(hc_whatif_write_text, &report);
    check_has(text, "S -, waste - (the ideal step takes no time)");
    check_has(text, "- (the traced steps take no time)");
    check_lacks(text, "nan");
    free(text);
    fake_free(&result);
}
END_TEST

/* What M_W and M_S make one suspect never contradicts the verdict. */
START_TEST(suspects_what_the_verdict_names)
{
    struct hc_whatif_result result;
    fake_result(&result, 4, 4, 44);
    fake_depth(&result);
    struct hc_whatif_report report = fake_report(&result);
    result.m_s.rem = 0.688;
    struct hc_verdict *verdict = &result.depth.verdict;
    static const struct {
        enum hc_straggler_cause cause;
        const char *m_w, *m_s;
    } cases[] = {
        {HC_STRAGGLER_WORKER, "Above 0.5: suspect a fault", "From 0.5 on, but the verdict"},
        {HC_STRAGGLER_STAGE, "Above 0.5, but the verdict names another cause", "cut unevenly"},
        {HC_STRAGGLER_SEQUENCE, "Above 0.5, but the verdict", "From 0.5 on, but the verdict"},
        {HC_STRAGGLER_UNEXPLAINED, "Above 0.5: suspect a fault", "cut unevenly"},
    };
    verdict->n_also = 0;
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        verdict->cause = cases[i].cause;
        char *text = fake_written(hc_whatif_write_text, &report);
        check_has(text, cases[i].m_w);
        check_has(text, cases[i].m_s);
        free(text);
    }
    verdict->cause = HC_STRAGGLER_SEQUENCE;
    verdict->also[verdict->n_also++] = HC_STRAGGLER_STAGE;
    char *text = fake_written(hc_whatif_write_text, &report);
    check_has(text, "cut unevenly");
    free(text);
    fake_free(&result);
}
END_TEST

/* Of 3 % of many workers most are as all others. */
START_TEST(suspects_only_workers_that_stand_out)
{
    struct hc_whatif_result result;
    struct hc_error err;
    fake_result(&result, 128, 4, 4);
    struct hc_whatif_report report = fake_report(&result);
    free(result.slowest);
    result.n_slowest = 16;
    result.slowest = fake_array(16, sizeof *result.slowest);
    result.m_w.rem = 0.9;
    for (size_t w = 0; w < result.n_workers; w++)
        result.workers[w].slowdown = result.workers[w].exact = 1 + 0.001 * (double)(w % 7);
    for (int32_t i = 0; i < 16; i++)
        result.slowest[i] = i == 0 ? 9 : i == 1 ? 70 : 7 * i + 6;
    static const char *const said[] = {"Above 0.5, but none of them stands out",
                                       "suspect a fault of the first, which stands out",
                                       "suspect faults of the first 2, which stand out"};
    for (size_t n = 0; n < 3; n++) {
        if (n > 0)
            result.workers[result.slowest[n - 1]].exact = 1.6 - 0.2 * (double)n;
        ck_assert(!hc_whatif_find(&result, &err));
        ck_assert_uint_eq(result.findings.n_outstanding, n);
        char *text = fake_written(hc_whatif_write_text, &report);
        check_has(text, said[n]);
        free(text);
    }
    fake_free(&result);
}
END_TEST

START_TEST(shows_the_deeper_parts)
{
    struct hc_whatif_result result;
    fake_result(&result, 4, 4, 44);
    fake_depth(&result);
    struct hc_whatif_report report = fake_report(&result);
    char *text = fake_written(hc_whatif_write_text, &report);
    check_layout(text);
    check_has(text, "verdict slow worker: rank 0 (dp 0, stage 0) takes 2.39 times as long");
    check_has(text, "is gone; besides: late launches");
    ck_assert(strstr(text, "verdict") < strstr(text, "slowdown  "));
    ck_assert(strstr(text, "worst workers") < strstr(text, "sha256 0123456789ab"));
    check_has(text, "S 1.973 (95 %: 1.961 to 1.984), waste 49.3 %: STRAGGLING");
    check_has(text,
              "intervals of 95 %, by how the 44 steps differ; what comes in fewer than 6.58 % "
              "of the steps may not have been seen; none of M_S: the excess may be 0");
    check_has(text, "M_W 1.002 (95 %: 0.999 to 1.004) of the excess goes when");
    check_has(text, "M_S -0.001 of the excess"); /* its interval is not known */
    check_has(text, "36.49 GPU-hours in these steps (64 GPUs), 17.88 of them lost");
    check_has(text, "* slow worker m_w 1.002 >= 0.500");
    check_has(text, "stage partitioning m_s -0.001 < 0.500");
    check_has(text, "garbage collection gc_pauses not known");
    check_has(text, "workers 1: 98.7 % (knee: rank 0 (dp 0, stage 0)), 2: 99.0 %");
    check_has(text, "16: 100 %");
    check_has(text, "4: 98.8 % (knee: backward-compute, backward-pp-comm, "
                    "embedding-grads-all-reduce, ...)");
    check_has(text, "add up; from all 322 coalitions of types");
    check_has(text, "backward-compute 1.620 14.3517 62.8 %");
    check_has(text, "only this worker as recorded");
    check_has(text, "rank 0 (dp 0, stage 0) 1.922 (approx. 1.973)");
    check_has(text, "off by up to 0.094, at rank 32 (dp 0, stage 2)");
    check_has(text, "the worst worker is rank 0 (dp 0, stage 0) in 44 of 44 steps");
    free(text);
    fake_free(&result);
}
END_TEST

START_TEST(sees_a_straggler_wander)
{
    struct hc_whatif_result result;
    fake_result(&result, 4, 4, 44);
    fake_exact_workers(&result, true);
    struct hc_whatif_report report = fake_report(&result);
    report.depth = HC_DEPTH_ALL;
    char *text = fake_written(hc_whatif_write_text, &report);
    check_layout(text);
    check_has(text, "the worst worker wanders over 16 workers in 44 steps; most often, in 3,");
    check_has(text, "intervals none: fewer than 10 steps (44)");
    check_lacks(text, "verdict");
    check_lacks(text, "Shapley");
    check_lacks(text, "GPU-hours");
    check_lacks(text, "nan");
    free(text);
    fake_free(&result);
}
END_TEST

START_TEST(says_that_launch_delays_are_not_known)
{
    struct hc_whatif_result result;
    fake_result(&result, 2, 2, 3);
    result.hides_waiting = true;
    result.launch_slowdown = NAN;
    struct hc_whatif_report report = fake_report(&result);
    char *text = fake_written(hc_whatif_write_text, &report);
    check_has(text, "launch delays unknown: the trace shows transfers without the wait");
    check_lacks(text, "not decomposed");
    free(text);
    fake_free(&result);
}
END_TEST

START_TEST(warns_of_a_large_discrepancy)
{
    struct hc_whatif_result result;
    fake_result(&result, 2, 2, 3);
    struct hc_whatif_report report = fake_report(&result);
    result.discrepancy = 0.0501;
    char *text = fake_written(hc_whatif_write_text, &report);
    check_has(text, "5.01 %: WARNING");
    free(text);
    result.discrepancy = 0.05;
    text = fake_written(hc_whatif_write_text, &report);
    check_lacks(text, "WARNING");
    free(text);
    fake_free(&result);
}
END_TEST

START_TEST(folds_a_large_job)
{
    struct hc_whatif_result result;
    fake_result(&result, 512, 16, 44);
    struct hc_whatif_report report = fake_report(&result);
    char *text = fake_written(hc_whatif_write_text, &report);
    check_layout(text);
    check_has(text, "one cell is up to 8 dp ranks x 1 stage and");
    check_has(text, "... and 501 more");
    check_has(text, "... and 242 more");
    check_has(text, "   stage 0 |@");
    free(text);
    fake_free(&result);
}
END_TEST

START_TEST(cleans_hostile_names)
{
    struct hc_whatif_result result;
    fake_result(&result, 2, 2, 3);
    free(result.job.id);
    result.job.id = malloc(4001);
    memset(result.job.id, 'j', 4000);
    memcpy(result.job.id, "\033[31m\n", 6);
    result.job.id[4000] = '\0';
    struct hc_whatif_report report = fake_report(&result);
    char path[3000];
    memset(path, 'p', sizeof path);
    strcpy(path + sizeof path - 9, "/end.csv");
    report.source_path = path;
    report.archive = path;
    report.segment = "ops-1.h5";
    char *text = fake_written(hc_whatif_write_text, &report);
    check_layout(text);
    check_has(text, "\\x1b[31m\\x0ajj");
    check_has(text, "/end.csv, sha256");
    free(text);
    fake_free(&result);
}
END_TEST

START_TEST(heatmap_folds_by_maximum)
{
    enum { N_X = 130, N_Y = 40 };
    static double values[N_X * N_Y];
    for (size_t i = 0; i < N_X * N_Y; i++)
        values[i] = 1.0;
    values[129 * N_Y + 39] = 1.5;
    values[0] = 1.0500001;
    for (size_t x = 3; x < 6; x++)
        for (size_t y = 0; y < 2; y++)
            values[x * N_Y + y] = NAN;
    struct hc_heatmap map = {N_X, N_Y, values, 1, 1.5, "dp rank", "stage"};
    char *text = NULL;
    size_t size = 0;
    FILE *stream = open_memstream(&text, &size);
    hc_heatmap_write_text(stream, &map);
    fclose(stream);
    check_layout(text);
    check_has(text, "up to 3 dp ranks x 2 stages");
    ck_assert_ptr_nonnull(strstr(text, "stage 0 |.? ")); /* ranks 0-2, 3-5, 6-8 */
    char *last = strstr(text, "         38 |");
    ck_assert_ptr_nonnull(last);
    ck_assert_ptr_nonnull(strstr(last, "@|\n"));
    ck_assert_uint_eq((size_t)(strchr(last, '\n') - last), 13 + 44 + 1);
    ck_assert_ptr_eq(strchr(text, '@'), strstr(last, "@|\n"));
    free(text);
}
END_TEST

START_TEST(heatmap_shades_at_their_edges)
{
    const double values[] = {0.5, 1.0, 1.05, 1.15, 1.1499, 1.45, 9, NAN};
    struct hc_heatmap map = {8, 1, values, 1, 1.5, "dp rank", "stage"};
    char *text = NULL;
    size_t size = 0;
    FILE *stream = open_memstream(&text, &size);
    hc_heatmap_write_text(stream, &map);
    fclose(stream);
    ck_assert_ptr_nonnull(strstr(text, "| 0.50  1.00  1.05. 1.15- 1.15: 1.45@ 9.00@    -\n"));
    free(text);
}
END_TEST

int main(void)
{
    Suite *suite = suite_create("whatif_text");
    TCase *tests = tcase_create("whatif_text");
    tcase_add_test(tests, shows_the_figures);
    tcase_add_test(tests, names_what_was_left_out);
    tcase_add_test(tests, says_why_a_figure_is_not_there);
    tcase_add_test(tests, warns_of_a_large_discrepancy);
    tcase_add_test(tests, suspects_what_the_verdict_names);
    tcase_add_test(tests, suspects_only_workers_that_stand_out);
    tcase_add_test(tests, shows_the_deeper_parts);
    tcase_add_test(tests, sees_a_straggler_wander);
    tcase_add_test(tests, says_that_launch_delays_are_not_known);
    tcase_add_test(tests, folds_a_large_job);
    tcase_add_test(tests, cleans_hostile_names);
    tcase_add_test(tests, heatmap_folds_by_maximum);
    tcase_add_test(tests, heatmap_shades_at_their_edges);
    suite_add_tcase(suite, tests);
    SRunner *runner = srunner_create(suite);
    srunner_run_all(runner, CK_NORMAL);
    int failed = srunner_ntests_failed(runner);
    srunner_free(runner);
    return failed != 0;
}
