/* The execution traces of the published DLRM step and of other models: what is counted of them, and
 * what the first give to the profiler traces of the same ranks. Exit 77 where they are not at hand.
 */
#include "core/tables/execution/execution_tables.h"
#include "models/profiles/collectives.h"
#include "pipeline/inputs/execution_input.h"
#include "pipeline/inputs/profile_load.h"
#include "tests/support/shared_data.h"

#include <check.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const struct hc_trace_options options = HC_TRACE_DEFAULTS;

static const char *shared(const char *file)
{
    static char path[PATH_MAX];
    return shared_data(path, file);
}

struct counted {
    int64_t n_nodes, n_comms, n_missing, n_cycles;
    int64_t n_waits, n_all_reduces, n_broadcasts, n_all_to_alls;
    const struct hc_table_names *names;
};

static enum hc_status count(const struct hc_table *rows, void *context, struct hc_error *err)
{
    struct counted *counted = context;
    (void)err;
    for (size_t i = 0; rows->def == &hc_et_comms_def && i < rows->n_rows; i++)
        for (size_t d = 0; d < counted->names->n; d++) {
            if (strcmp(counted->names->dictionary[d], "collective") != 0)
                continue;
            const char *op = counted->names->set[d].text[hc_table_i32(rows, HC_ET_COMMS_OP)[i]];
            counted->n_waits += strcmp(op, "wait") == 0;
            counted->n_all_reduces += strcmp(op, "all_reduce") == 0;
            counted->n_broadcasts += strcmp(op, "broadcast") == 0;
            counted->n_all_to_alls += strcmp(op, "all_to_all") == 0;
        }
    if (rows->def == &hc_executions_def) {
        counted->n_nodes = hc_table_i64(rows, HC_EXECUTIONS_N_NODES)[0];
        counted->n_comms = hc_table_i64(rows, HC_EXECUTIONS_N_COMMS)[0];
        counted->n_missing = hc_table_i64(rows, HC_EXECUTIONS_N_MISSING_PARENTS)[0];
        counted->n_cycles = hc_table_i64(rows, HC_EXECUTIONS_N_IN_CYCLES)[0];
    }
    return HC_OK;
}

START_TEST(counts)
{
    struct hc_source_input input;
    struct hc_error err = {0};
    ck_assert_int_eq(hc_source_input_open(
                         &input, shared("chakra-param/1.0.3-chakra.0.0.4/resnet_1gpu_et.json.gz"),
                         &options, &err),
                     HC_OK);
    struct counted counted = {.names = &input.names};
    ck_assert_msg(hc_source_input_read(&input, count, &counted, &err) == HC_OK, "%s", err.message);
    ck_assert_int_eq(counted.n_nodes, 14391);
    ck_assert_int_eq(counted.n_all_reduces, 15);
    ck_assert_int_eq(counted.n_broadcasts, 6);
    ck_assert_int_eq(counted.n_waits, 6);
    ck_assert_int_eq(counted.n_comms, 27);
    ck_assert_int_eq(counted.n_cycles, 0);
    hc_source_input_close(&input);
}
END_TEST

START_TEST(joined)
{
    static const int64_t bytes[] = {24576, 192, 1536, 13568, 1576964, 24576, 448, 907840};
    static const double busbw[] = {2.1504, 0, 0, 0, 32.0894, 0, 0, 23.0249};
    char path[4096];
    snprintf(path, sizeof path, "%s", shared("chakra-param/dlrm_kineto.tar.gz"));
    struct hc_trace_loader loader = {.trace_options = &options};
    const char *arguments[] = {path};
    const struct hc_profile_choice choice = {
        .n = 1, .arguments = arguments, .by = HC_STEPS_BY_PROFILER};
    struct hc_loaded_profile loaded;
    struct hc_collectives found;
    struct hc_error err = {0};
    ck_assert_msg(hc_profile_load(&loaded, &loader, &choice, &err) == HC_OK, "%s", err.message);
    ck_assert_msg(hc_execution_join_path(&loaded.profile,
                                         shared("chakra-param/dlrm_pytorch_et.tar.gz"), &options,
                                         &err) == HC_OK,
                  "%s", err.message);
    ck_assert_int_eq(hc_collectives_match(&found, &loaded.profile, true, &err), HC_OK);
    ck_assert_uint_eq(found.n, 8);
    for (size_t c = 0; c < found.n; c++) {
        ck_assert_int_eq(found.collectives[c].bytes, bytes[c]);
        if (busbw[c] > 0)
            ck_assert_double_eq_tol(found.collectives[c].busbw_gb_s, busbw[c], 5e-5);
    }
    hc_collectives_fini(&found);
    hc_loaded_profile_fini(&loaded);
    hc_trace_loader_close(&loader);
}
END_TEST

int main(void)
{
    if (shared_data_is_missing("chakra-param/dlrm_pytorch_et.tar.gz"))
        return TEST_SKIPPED;
    Suite *suite = suite_create("published_executions");
    TCase *tcase = tcase_create("published_executions");
    tcase_set_timeout(tcase, 120);
    tcase_add_test(tcase, counts);
    tcase_add_test(tcase, joined);
    suite_add_tcase(suite, tcase);
    SRunner *runner = srunner_create(suite);
    srunner_run_all(runner, CK_NORMAL);
    int n_failed = srunner_ntests_failed(runner);
    srunner_free(runner);
    return n_failed != 0;
}
