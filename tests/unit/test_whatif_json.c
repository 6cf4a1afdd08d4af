#include "reports/whatif/whatif_json.h"
#include "tests/support/fake_depth.h"
#include "tests/support/fake_whatif.h"

#include <jansson.h>

static json_t *parse(const char *text)
{
    json_error_t error;
    json_t *root = json_loads(text, JSON_REJECT_DUPLICATES, &error);
    ck_assert_msg(root != NULL, "line %d: %s\n%s", error.line, error.text, text);
    return root;
}

/* The value at a path like "a/b/2/c". */
static json_t *at(json_t *root, const char *path)
{
    char copy[128], *rest = NULL;
    snprintf(copy, sizeof copy, "%s", path);
    for (char *key = strtok_r(copy, "/", &rest); key; key = strtok_r(NULL, "/", &rest)) {
        root = json_is_array(root) ? json_array_get(root, strtoul(key, NULL, 10))
                                   : json_object_get(root, key);
        ck_assert_msg(root != NULL, "no '%s' of '%s'", key, path);
    }
    return root;
}

static void check_text(json_t *root, const char *path, const char *expected)
{
    ck_assert_str_eq(json_string_value(at(root, path)), expected);
}

static void check_int(json_t *root, const char *path, json_int_t expected)
{
    ck_assert_msg(json_is_integer(at(root, path)), "'%s' is no integer", path);
    ck_assert_int_eq(json_integer_value(at(root, path)), expected);
}

static void check_real(json_t *root, const char *path, double expected)
{
    ck_assert_msg(json_is_real(at(root, path)), "'%s' is no real", path);
    ck_assert(json_real_value(at(root, path)) == expected);
}

START_TEST(records_the_deeper_parts)
{
    struct hc_whatif_result result;
    fake_result(&result, 4, 4, 44);
    fake_depth(&result);
    struct hc_whatif_report report = fake_report(&result);
    report.depth = HC_DEPTH_ALL;
    char *text = fake_written(hc_whatif_write_json, &report);
    json_t *root = parse(text);
    check_int(root, "schema_minor", 0);
    ck_assert(json_is_false(at(root, "options/quick")));
    check_text(root, "verdict/cause", "worker");
    check_text(root, "verdict/also/0", "launch");
    check_text(root, "verdict/evidence/1/test", "m_s");
    check_real(root, "verdict/evidence/0/value", 1.0017);
    ck_assert(json_is_true(at(root, "verdict/evidence/0/passed")));
    ck_assert(json_is_null(at(root, "verdict/evidence/3/value")));
    ck_assert(json_is_null(at(root, "verdict/pass_correlation/1/correlation")));
    check_int(root, "verdict/pass_correlation/2/pairs", 5632);
    check_real(root, "intervals/slowdown/low", 1.9612);
    ck_assert(json_is_null(at(root, "intervals/m_s/high")));
    check_int(root, "cost/gpus", 64);
    check_real(root, "cost/gpu_hours_lost", 17.876);
    check_int(root, "fixes/workers/worst_first/1", result.workers[1].rank);
    check_text(root, "fixes/op_types/worst_first/3", "forward-compute");
    check_int(root, "fixes/op_types/knee", 4);
    check_real(root, "fixes/stages/points/1/recovered", 0.9812);
    check_real(root, "shapley/shares/0/share_s", 14.3516724);
    check_real(root, "shapley/shares/0/share", result.depth.shapley.groups[0].share);
    check_real(root, "findings/median_step_slowdown", result.findings.median_step_slowdown);
    check_int(root, "findings/ranks_worst_first/0",
              result.workers[result.findings.workers[0]].rank);
    ck_assert_uint_eq(json_array_size(at(root, "findings/steps_worst_first")), 44);
    check_int(root, "findings/worst_worker/steps", (int)result.findings.wander.n_steps);
    check_int(root, "findings/picture/step", result.depth.picture.step);
    check_int(root, "findings/picture/worst_dp_rank", 0);
    check_int(root, "findings/picture/typical_dp_rank", result.findings.typical_dp_rank);
    ck_assert(json_is_null(at(root, "workers/0/node")));
    check_real(root, "workers/0/slowdown_exact", result.workers[0].exact);
    ck_assert_uint_eq(json_array_size(at(root, "workers/15/step_slowdown")), 44);
    check_real(root, "workers/0/step_slowdown/2",
               (double)result.worker_end_ns[2] / (double)result.ideal_end_ns[2]);
    json_decref(root);
    free(text);
    fake_free(&result);
}
END_TEST

START_TEST(parts_not_done_are_null)
{
    struct hc_whatif_result result;
    fake_result(&result, 2, 2, 3);
    struct hc_whatif_report report = fake_report(&result);
    char *text = fake_written(hc_whatif_write_json, &report);
    json_t *root = parse(text);
    static const char *const paths[] = {"verdict",
                                        "intervals",
                                        "cost",
                                        "fixes",
                                        "shapley",
                                        "findings/picture",
                                        "workers/0/slowdown_exact",
                                        "workers/0/step_slowdown"};
    for (size_t i = 0; i < sizeof paths / sizeof paths[0]; i++)
        ck_assert_msg(json_is_null(at(root, paths[i])), "'%s' is not null", paths[i]);
    ck_assert(json_is_true(at(root, "options/quick")));
    json_decref(root);
    free(text);
    fake_free(&result);
}
END_TEST

START_TEST(records_the_figures_exactly)
{
    struct hc_whatif_result result;
    fake_result(&result, 4, 4, 44);
    struct hc_whatif_report report = fake_report(&result);
    char *text = fake_written(hc_whatif_write_json, &report);
    json_t *root = parse(text);
    check_text(root, "schema", "hindcast-whatif");
    check_int(root, "schema_major", 2);
    check_text(root, "tool_version", HC_VERSION);
    check_text(root, "input/path", "data/trace-AR.parquet");
    check_int(root, "input/size_bytes", 1148014);
    ck_assert(json_is_null(at(root, "input/archive")));
    ck_assert(json_is_null(at(root, "job/start_unix_ns")));
    check_int(root, "job/world_size", 64);
    check_int(root, "trace/graph/edges", 1229);
    ck_assert_uint_eq(json_array_size(at(root, "trace/op_types")), 13);
    check_text(root, "trace/op_types/12/op_type", "params-all-gather");
    check_int(root, "trace/op_types/12/ideal_duration_ns", 12000000);
    check_real(root, "figures/slowdown", result.slowdown);
    check_real(root, "figures/waste", result.waste);
    ck_assert(json_is_true(at(root, "figures/straggling")));
    check_real(root, "m_w/explained_by_removing", result.m_w.rem);
    check_real(root, "m_s/mean_added_s", result.m_s.added_s);
    ck_assert_uint_eq(json_array_size(at(root, "workers")), 16);
    check_real(root, "workers/5/slowdown", result.workers[5].slowdown);
    check_int(root, "slowest_ranks/0", 0);
    ck_assert_uint_eq(json_array_size(at(root, "steps")), 44);
    check_int(root, "steps/43/step", 307);
    check_int(root, "steps/43/replayed_end_ns", result.replayed_end_ns[43]);
    check_real(root, "steps/43/slowdown", result.step_slowdown[43]);
    check_text(root, "blocking/by_op_type/4/op_type", "forward-pp-comm");
    check_int(root, "blocking/by_stage/3/stage", 3);
    check_int(root, "blocking/by_dp_rank/2/step_end_ns/43",
              result.blocking[HC_BY_DP_RANK].groups[2].end_ns[43]);
    ck_assert(json_is_null(at(root, "launch")));
    char *again = fake_written(hc_whatif_write_json, &report);
    ck_assert_str_eq(text, again);
    free(again);
    free(text);
    json_decref(root);
    fake_free(&result);
}
END_TEST

START_TEST(records_what_was_skipped)
{
    struct hc_whatif_result result;
    fake_result(&result, 2, 2, 3);
    result.n_left_out = 2;
    result.left_out = fake_array(2, sizeof *result.left_out);
    result.left_out[0] = (struct hc_left_out_step){9, HC_STEP_NO_GRAPH, "stage 1 has no 'gc'"};
    result.left_out[1] = (struct hc_left_out_step){11, HC_STEP_BAD_ROWS, ""};
    struct hc_error err;
    hc_row_report_bad(&result.rows, HC_BAD_NUMBER, HC_MISSING_I32, &err, "line 7: 'x\"\\\xFF\n'");
    hc_row_report_bad(&result.rows, HC_BAD_ABSENT, 9, &err, "step 9: dp_rank 1 lacks gc");
    struct hc_whatif_report report = fake_report(&result);
    report.archive = "archive";
    report.segment = "ops-1.h5";
    report.steps_option = "12,20-23";
    char *text = fake_written(hc_whatif_write_json, &report);
    json_t *root = parse(text);
    check_text(root, "options/steps", "12,20-23");
    check_text(root, "input/segment", "ops-1.h5");
    check_text(root, "steps_left_out/0/reason", "no_graph");
    check_text(root, "steps_left_out/0/detail", "stage 1 has no 'gc'");
    check_int(root, "steps_left_out/1/step", 11);
    ck_assert(json_is_null(at(root, "steps_left_out/1/detail")));
    check_int(root, "rows/skipped", 1);
    check_int(root, "rows/absent", 1);
    ck_assert_uint_eq(json_array_size(at(root, "rows/skipped_by_reason")), 1);
    check_int(root, "rows/skipped_without_step", 1);
    check_text(root, "rows/skipped_by_reason/0/reason", "number");
    check_text(root, "rows/skipped_by_reason/0/first", "line 7: 'x\"\\\xEF\xBF\xBD\n'");
    free(text);
    json_decref(root);
    fake_free(&result);
}
END_TEST

START_TEST(leaves_null_what_is_not_known)
{
    struct hc_whatif_result result;
    fake_result(&result, 2, 2, 3);
    fake_undo_blocking(&result);
    result.slowdown = result.waste = result.m_s.rem = NAN;
    result.discrepancy = INFINITY;
    struct hc_whatif_report report = fake_report(&result);
    char *text = fake_written(hc_whatif_write_json, &report);
    json_t *root = parse(text);
    ck_assert(json_is_null(at(root, "figures/slowdown")));
    ck_assert(json_is_false(at(root, "figures/straggling")));
    ck_assert(json_is_null(at(root, "figures/discrepancy")));
    ck_assert(json_is_null(at(root, "m_s/explained_by_removing")));
    ck_assert(json_is_null(at(root, "m_w")));
    ck_assert(json_is_null(at(root, "blocking")));
    ck_assert(json_is_null(at(root, "workers/3/slowdown")));
    ck_assert_uint_eq(json_array_size(at(root, "slowest_ranks")), 0);
    free(text);
    json_decref(root);
    fake_free(&result);
}
END_TEST

START_TEST(reports_a_full_disk)
{
    struct hc_whatif_result result;
    fake_result(&result, 4, 4, 44);
    struct hc_whatif_report report = fake_report(&result);
    struct hc_error err = {.status = HC_OK};
    FILE *full = fopen("/dev/full", "w");
    ck_assert_ptr_nonnull(full);
    ck_assert_int_eq(hc_whatif_write_json(full, &report, &err), HC_IO);
    ck_assert_ptr_nonnull(strstr(err.message, "cannot write"));
    fclose(full);
    fake_free(&result);
}
END_TEST

int main(void)
{
    Suite *suite = suite_create("whatif_json");
    TCase *tests = tcase_create("whatif_json");
    tcase_add_test(tests, records_the_figures_exactly);
    tcase_add_test(tests, records_the_deeper_parts);
    tcase_add_test(tests, parts_not_done_are_null);
    tcase_add_test(tests, records_what_was_skipped);
    tcase_add_test(tests, leaves_null_what_is_not_known);
    tcase_add_test(tests, reports_a_full_disk);
    suite_add_tcase(suite, tests);
    SRunner *runner = srunner_create(suite);
    srunner_run_all(runner, CK_NORMAL);
    int failed = srunner_ntests_failed(runner);
    srunner_free(runner);
    return failed != 0;
}
