/* What the reports say of a trace that hides waiting: launch delays are unknown, not a number and
 * not a default. */
#include "reports/whatif/osdi_artifact.h"
#include "reports/whatif/whatif_json.h"
#include "reports/whatif/whatif_text.h"
#include "tests/support/fake_whatif.h"
#include "tests/support/outset_case.h"

#include <jansson.h>
#include <sys/stat.h>

/* As the analysis leaves such a result. */
static void hide(struct hc_whatif_result *result)
{
    result->hides_waiting = true;
    result->launch_slowdown = NAN;
    for (size_t s = 0; s < result->n_steps; s++)
        result->step_launch_slowdown[s] = NAN;
}

START_TEST(text_says_unknown)
{
    struct hc_whatif_result result;
    fake_result(&result, 4, 4, 3);
    struct hc_whatif_report report = fake_report(&result);
    char *text = fake_written(hc_whatif_write_text, &report);
    ck_assert(strstr(text, "launch delays 1.007, traced over replayed") != NULL);
    free(text);
    hide(&result);
    text = fake_written(hc_whatif_write_text, &report);
    ck_assert(strstr(text, "launch delays unknown: the trace shows transfers without the wait") !=
              NULL);
    ck_assert(strstr(text, "nan") == NULL);
    free(text);
    fake_free(&result);
}
END_TEST

START_TEST(json_says_null_and_why)
{
    for (int hidden = 0; hidden < 2; hidden++) {
        struct hc_whatif_result result;
        fake_result(&result, 4, 4, 3);
        if (hidden)
            hide(&result);
        struct hc_whatif_report report = fake_report(&result);
        char *text = fake_written(hc_whatif_write_json, &report);
        json_t *root = json_loads(text, JSON_REJECT_DUPLICATES, NULL);
        json_t *figures = json_object_get(root, "figures");
        ck_assert(json_is_boolean(json_object_get(figures, "hides_waiting")));
        ck_assert_int_eq(json_is_true(json_object_get(figures, "hides_waiting")), hidden);
        ck_assert_int_eq(json_is_null(json_object_get(figures, "launch_slowdown")), hidden);
        json_t *step = json_array_get(json_object_get(root, "steps"), 0);
        ck_assert_int_eq(json_is_null(json_object_get(step, "launch_slowdown")), hidden);
        json_decref(root);
        free(text);
        fake_free(&result);
    }
}
END_TEST

static enum hc_status put_files(const char *where, struct hc_whatif_report *report,
                                struct hc_error *err)
{
    struct hc_outset *set = case_set();
    report->run_id = CASE_RUN_ID;
    return case_commit(set, hc_whatif_write_compat(set, where, report, err), err);
}

START_TEST(compatible_output_says_null)
{
    char directory[] = "/tmp/hindcast-hidden-XXXXXX", path[64];
    struct hc_whatif_result result;
    struct hc_error err = {0};
    ck_assert(mkdtemp(directory) != NULL);
    fake_result(&result, 4, 4, 3);
    hide(&result);
    struct hc_whatif_report report = fake_report(&result);
    ck_assert_msg(put_files(directory, &report, &err) == HC_OK, "%s", err.message);
    snprintf(path, sizeof path, "%s/result-AR.json", directory);
    json_t *root = json_load_file(path, JSON_REJECT_DUPLICATES, NULL);
    ck_assert(json_is_null(json_object_get(root, "launch_slowdown")));
    ck_assert(json_is_null(json_object_get(root, "launch_step_slowdown")));
    ck_assert(json_is_null(json_object_get(root, "launch_decompose_by_stage")));
    ck_assert(json_is_object(json_object_get(root, "blocking_step_slowdown")));
    json_decref(root);
    static const char *const names[] = {"result", "ms", "mw"};
    for (int i = 0; i < 3; i++) {
        snprintf(path, sizeof path, "%s/%s-AR.json", directory, names[i]);
        ck_assert(unlink(path) == 0);
    }
    snprintf(path, sizeof path, "%s/files-AR.sha256", directory);
    ck_assert(unlink(path) == 0);
    ck_assert(rmdir(directory) == 0);
    fake_free(&result);
}
END_TEST

int main(void)
{
    Suite *suite = suite_create("hidden_waiting");
    TCase *tcase = tcase_create("all");
    suite_add_tcase(suite, tcase);
    tcase_add_test(tcase, text_says_unknown);
    tcase_add_test(tcase, json_says_null_and_why);
    tcase_add_test(tcase, compatible_output_says_null);
    SRunner *runner = srunner_create(suite);
    srunner_run_all(runner, CK_NORMAL);
    int failed = srunner_ntests_failed(runner);
    srunner_free(runner);
    return failed != 0;
}
