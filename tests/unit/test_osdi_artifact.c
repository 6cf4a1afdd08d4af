#include "reports/whatif/osdi_artifact.h"
#include "tests/support/fake_whatif.h"
#include "tests/support/outset_case.h"

#include <dirent.h>
#include <jansson.h>
#include <sys/stat.h>

static char directory[64];

static void make_directory(void)
{
    strcpy(directory, "/tmp/hc-compat-XXXXXX");
    ck_assert_ptr_nonnull(mkdtemp(directory));
}

static char *path_of(const char *name)
{
    static char path[512];
    snprintf(path, sizeof path, "%s/%s", directory, name);
    return path;
}

/* Remove the directory; it must hold exactly n files besides their indexes. */
static void remove_directory(int n)
{
    DIR *listing = opendir(directory);
    ck_assert_ptr_nonnull(listing);
    int found = 0;
    for (struct dirent *entry; (entry = readdir(listing));) {
        if (!strcmp(entry->d_name, ".") || !strcmp(entry->d_name, ".."))
            continue;
        found += strncmp(entry->d_name, "files-", 6) != 0;
        unlink(path_of(entry->d_name));
    }
    closedir(listing);
    ck_assert_int_eq(rmdir(directory), 0);
    ck_assert_int_eq(found, n);
}

static enum hc_status put_files(const char *where, struct hc_whatif_report *report,
                                struct hc_error *err)
{
    struct hc_outset *set = case_set();
    report->run_id = CASE_RUN_ID;
    return case_commit(set, hc_whatif_write_compat(set, where, report, err), err);
}

static void write_result(struct hc_whatif_result *result)
{
    struct hc_whatif_report report = fake_report(result);
    struct hc_error err = {.status = HC_OK};
    ck_assert_msg(put_files(directory, &report, &err) == HC_OK, "%s", err.message);
}

static json_t *load(const char *path)
{
    json_error_t error;
    json_t *root = json_load_file(path, JSON_REJECT_DUPLICATES, &error);
    ck_assert_msg(root != NULL, "'%s' line %d: %s", path, error.line, error.text);
    return root;
}

/* The keys of an object, each followed by a space. */
static void check_keys(json_t *object, const char *expected)
{
    char keys[2048] = "";
    const char *key = NULL;
    json_t *value = NULL;
    json_object_foreach(object, key, value)
        snprintf(keys + strlen(keys), sizeof keys - strlen(keys), "%s ", key);
    ck_assert_str_eq(keys, expected);
}

static double number(json_t *object, const char *key)
{
    ck_assert_msg(json_is_real(json_object_get(object, key)), "'%s' is no real", key);
    return json_real_value(json_object_get(object, key));
}

static void check_result_of_ar(json_t *root)
{
    check_keys(root, "job_meta step_t_base step_t_nodelay step_t_noblk launch_slowdown "
                     "blocking_slowdown blocking_step_slowdown launch_step_slowdown "
                     "blocking_decompose_by_dp_rank launch_decompose_by_dp_rank "
                     "blocking_decompose_by_stage launch_decompose_by_stage "
                     "blocking_decompose_by_optype launch_decompose_by_optype "
                     "blocking_decompose_by_dp_rank_per_step launch_decompose_by_dp_rank_per_step "
                     "blocking_decompose_by_stage_per_step launch_decompose_by_stage_per_step "
                     "blocking_decompose_by_optype_per_step launch_decompose_by_optype_per_step ");
    check_keys(json_object_get(root, "job_meta"), "trial_name run_id dp_size pp_size tp_size "
                                                  "dsp_size vpp_size world_size ");
    check_keys(json_object_get(root, "step_t_base"), "6 13 20 ");
    check_keys(json_object_get(root, "blocking_step_slowdown"), "20 13 6 ");
    check_keys(json_object_get(root, "launch_step_slowdown"), "6 13 20 ");
    check_keys(json_object_get(root, "blocking_decompose_by_stage"), "0 2 1 3 ");
    check_keys(json_object_get(root, "blocking_decompose_by_stage_per_step"), "20 13 6 ");
    check_keys(json_object_get(root, "blocking_decompose_by_optype"),
               "backward-compute forward-compute grads-reduce-scatter params-all-gather "
               "embedding-grads-all-reduce optimizer forward-pp-comm backward-pp-comm "
               "optimizer-clip-main-grad gc layernorm-grads-all-reduce ");
    ck_assert(number(root, "blocking_slowdown") == 1.9730450967);
    ck_assert(json_is_null(json_object_get(root, "launch_decompose_by_dp_rank")));
    ck_assert(json_is_null(json_object_get(root, "launch_decompose_by_optype_per_step")));
}

START_TEST(follows_the_layout)
{
    struct hc_whatif_result result;
    fake_result(&result, 4, 4, 3);
    make_directory();
    write_result(&result);
    json_t *root = load(path_of("result-AR.json"));
    check_result_of_ar(root);
    ck_assert(number(json_object_get(root, "step_t_noblk"), "13") == 23.48470021);
    /* Inner maps hold the ratio of the step's own ends. */
    json_t *steps = json_object_get(root, "blocking_decompose_by_stage_per_step");
    const struct hc_split_group *stage = &result.blocking[HC_BY_STAGE].groups[2];
    ck_assert(number(json_object_get(steps, "13"), "2") ==
              (double)stage->end_ns[1] / (double)result.ideal_end_ns[1]);
    json_decref(root);
    root = load(path_of("ms-AR.json"));
    check_keys(root, "trem tadd tori tideal rem add Ms ");
    ck_assert(number(root, "Ms") == -0.0012120);
    ck_assert(number(root, "tadd") == 23.5403373);
    json_decref(root);
    root = load(path_of("mw-AR.json"));
    check_keys(root, "trem tadd tori tideal rem add Mw ");
    json_decref(root);
    remove_directory(3);
    fake_free(&result);
}
END_TEST

START_TEST(writes_the_same_text_as_the_artifact)
{
    struct hc_whatif_result result;
    fake_result(&result, 4, 4, 3);
    make_directory();
    write_result(&result);
    char text[512];
    FILE *stream = fopen(path_of("ms-AR.json"), "r");
    size_t length = fread(text, 1, sizeof text - 1, stream);
    text[length] = '\0';
    fclose(stream);
    ck_assert_str_eq(text, "{\n    \"trem\": 46.36407,\n    \"tadd\": 23.5403373,\n"
                           "    \"tori\": 46.3363726,\n    \"tideal\": 23.4847002,\n"
                           "    \"rem\": -0.001212,\n    \"add\": 0.0024347,\n"
                           "    \"Ms\": -0.001212\n}");
    stream = fopen(path_of("result-AR.json"), "r");
    length = fread(text, 1, 60, stream);
    text[length] = '\0';
    fclose(stream);
    ck_assert_str_eq(text,
                     "{\n  \"job_meta\": {\n    \"trial_name\": \"AR\",\n    \"run_id\": 0,\n ");
    remove_directory(3);
    fake_free(&result);
}
END_TEST

START_TEST(writes_no_mw_without_decomposition)
{
    struct hc_whatif_result result;
    fake_result(&result, 4, 4, 3);
    make_directory();
    write_result(&result); /* its mw-AR.json must not outlive the next */
    fake_undo_blocking(&result);
    result.job.tp_size = HC_MISSING_I32;
    write_result(&result);
    json_t *root = load(path_of("result-AR.json"));
    ck_assert(json_is_null(json_object_get(root, "blocking_decompose_by_stage")));
    ck_assert(json_is_null(json_object_get(root, "blocking_decompose_by_optype_per_step")));
    ck_assert(json_is_null(json_object_get(json_object_get(root, "job_meta"), "tp_size")));
    json_decref(root);
    remove_directory(2);
    fake_free(&result);
}
END_TEST

START_TEST(adds_the_empty_category_without_p2p)
{
    struct hc_whatif_result result;
    fake_result(&result, 4, 1, 3);
    for (int type = 0; type < HC_N_OP_TYPES; type++)
        if (hc_op_is_p2p(type))
            result.n_by_type[type] = 0;
    fake_split(&result.launch[HC_BY_OP_TYPE], 1, 3);
    result.launch[HC_BY_OP_TYPE].groups[0].name = "gc";
    fake_group(&result.launch[HC_BY_OP_TYPE].groups[0], 1, result.replayed_end_ns, 3);
    make_directory();
    write_result(&result);
    json_t *root = load(path_of("result-AR.json"));
    json_t *types = json_object_get(root, "blocking_decompose_by_optype");
    ck_assert(number(types, "first-op") == 1.0);
    /* Among equal values it comes last. */
    void *place = json_object_iter_at(types, "gc");
    place = json_object_iter_next(types, place);
    ck_assert_str_eq(json_object_iter_key(place), "first-op");
    types = json_object_get(json_object_get(root, "blocking_decompose_by_optype_per_step"), "13");
    ck_assert(number(types, "first-op") == 1.0);
    check_keys(json_object_get(root, "launch_decompose_by_optype"), "gc ");
    ck_assert_ptr_null(
        json_object_get(json_object_get(root, "blocking_decompose_by_stage"), "first-op"));
    json_decref(root);
    remove_directory(3);
    fake_free(&result);
}
END_TEST

START_TEST(makes_job_ids_safe)
{
    struct hc_whatif_result result;
    fake_result(&result, 2, 2, 3);
    free(result.job.id);
    result.job.id = strdup("../a b/\n*");
    make_directory();
    write_result(&result);
    json_t *root = load(path_of("result-.._a_b___.json"));
    ck_assert_str_eq(
        json_string_value(json_object_get(json_object_get(root, "job_meta"), "trial_name")),
        "../a b/\n*");
    json_decref(root);
    free(result.job.id);
    result.job.id = malloc(1001);
    memset(result.job.id, 'x', 1000);
    result.job.id[1000] = '\0';
    write_result(&result);
    remove_directory(6);
    fake_free(&result);
}
END_TEST

START_TEST(refuses_several_structures)
{
    struct hc_whatif_result result;
    fake_result(&result, 2, 2, 3);
    result.n_structures = 2;
    struct hc_whatif_report report = fake_report(&result);
    struct hc_error err = {.status = HC_OK};
    make_directory();
    ck_assert_int_eq(put_files(directory, &report, &err), HC_BAD_INPUT);
    ck_assert_ptr_nonnull(strstr(err.message, "--steps"));
    remove_directory(0);
    fake_free(&result);
}
END_TEST

/* A directory is in the place of one of the files: nothing is left behind. */
START_TEST(writes_all_or_none)
{
    struct hc_whatif_result result;
    fake_result(&result, 2, 2, 3);
    struct hc_whatif_report report = fake_report(&result);
    struct hc_error err = {.status = HC_OK};
    make_directory();
    char *blocked = strdup(path_of("mw-AR.json"));
    ck_assert_int_eq(mkdir(blocked, 0777), 0);
    ck_assert_int_eq(put_files(directory, &report, &err), HC_IO);
    ck_assert_ptr_nonnull(strstr(err.message, "mw-AR.json"));
    ck_assert_int_eq(rmdir(blocked), 0);
    free(blocked);
    remove_directory(0);
    fake_free(&result);
}
END_TEST

int main(void)
{
    Suite *suite = suite_create("osdi_artifact");
    TCase *tests = tcase_create("osdi_artifact");
    tcase_add_test(tests, follows_the_layout);
    tcase_add_test(tests, writes_the_same_text_as_the_artifact);
    tcase_add_test(tests, writes_no_mw_without_decomposition);
    tcase_add_test(tests, adds_the_empty_category_without_p2p);
    tcase_add_test(tests, makes_job_ids_safe);
    tcase_add_test(tests, refuses_several_structures);
    tcase_add_test(tests, writes_all_or_none);
    suite_add_tcase(suite, tests);
    SRunner *runner = srunner_create(suite);
    srunner_run_all(runner, CK_NORMAL);
    int failed = srunner_ntests_failed(runner);
    srunner_free(runner);
    return failed != 0;
}
