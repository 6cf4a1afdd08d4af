/* The tables of nccl-tests that Microsoft's SuperBench publishes: what they expect of sizes that
 * were measured, and between them. Exit 77 where they are not at hand. */
#include "pipeline/inputs/baseline_input.h"
#include "tests/support/shared_data.h"

#include <check.h>
#include <math.h>

static struct hc_error err;

/* Bus bandwidths out of place, as they stand in the tables. */
static const struct expected {
    const char *op;
    int64_t bytes;
    double busbw;
    bool is_beyond;
} expected[] = {
    {"all_gather", 8589934592, 223.39, false},
    {"all_gather", 16777216, 87.52, false},
    {"all_reduce", 8589934592, 235.26, false},
    {"all_reduce", 1048576, 24.54, false},
    {"all_to_all", 4194304, 38.05, false},
    {"reduce_scatter", 4294967296, 229.15, false},
    {"all_reduce", 17179869184, 235.26, true}, /* halfway between two powers of two: */
    {"all_reduce", 1482910, 24.54 + (39.26 - 24.54) / 2, false},
    {"all_reduce", 2, NAN, false},
    {"sendrecv", 1048576, NAN, false},
};

START_TEST(published_tables_are_read)
{
    struct hc_trace_loader loader = {0};
    struct hc_bandwidth_tables tables;
    char path[PATH_MAX];
    const char *names[] = {shared_data(path, "superbench")};
    ck_assert_msg(hc_baseline_load(&tables, &loader, names, 1, &err) == HC_OK, "%s", err.message);
    ck_assert_uint_eq(tables.ops.n, 6);
    for (size_t i = 0; i < sizeof expected / sizeof *expected; i++) {
        const struct expected *e = &expected[i];
        struct hc_expected_bandwidth got = hc_expected_bandwidth(&tables, e->op, 16, e->bytes);
        ck_assert_msg(isnan(e->busbw) ? isnan(got.busbw_gb_s)
                                      : fabs(got.busbw_gb_s - e->busbw) < 1e-4,
                      "%s of %lld: %g", e->op, (long long)e->bytes, got.busbw_gb_s);
        ck_assert_int_eq(got.is_beyond, e->is_beyond);
        ck_assert(isnan(e->busbw) || got.n_ranks == 8);
    }
    hc_bandwidth_tables_fini(&tables);
}
END_TEST

int main(void)
{
    if (shared_data_is_missing("superbench"))
        return TEST_SKIPPED;
    Suite *suite = suite_create("published_bandwidths");
    TCase *all = tcase_create("all");
    tcase_add_test(all, published_tables_are_read);
    suite_add_tcase(suite, all);
    SRunner *runner = srunner_create(suite);
    srunner_run_all(runner, CK_ENV);
    int failed = srunner_ntests_failed(runner);
    srunner_free(runner);
    return failed != 0;
}
