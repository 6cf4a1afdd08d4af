/* The census: keys, never positions; what is there twice or lacking; hostile shapes. */
#include "core/tables/op_table.h"
#include "core/tables/op_type.h"
#include "models/steps/census.h"

#include <check.h>
#include <stdio.h>
#include <string.h>

static struct hc_error err;

struct row {
    int32_t step, dp_rank, stage, rank, op_type, seq_id, model_chunk;
};

static void append(struct hc_table *ops, struct row r)
{
    struct hc_op_columns c = hc_op_columns(ops);
    size_t i = ops->n_rows++;
    c.step[i] = r.step;
    c.dp_rank[i] = r.dp_rank;
    c.stage[i] = r.stage;
    c.rank[i] = r.rank;
    c.op_type[i] = r.op_type;
    c.seq_id[i] = r.seq_id;
    c.model_chunk[i] = r.model_chunk;
    c.start_ns[i] = (int64_t)100 * r.seq_id + r.step;
    c.duration_ns[i] = 10;
}

/* Steps 5, 3, 9 with two dp ranks, one stage and three ops each. */
static void fill(struct hc_table *ops)
{
    static const int32_t steps[] = {5, 3, 9};
    ck_assert(!hc_table_init(ops, &hc_ops_def, 100000, &err));
    for (int s = 0; s < 3; s++)
        for (int32_t d = 0; d < 2; d++)
            for (int32_t q = 0; q < 3; q++)
                append(ops, (struct row){steps[s], d, 0, 7 * d, HC_FORWARD_COMPUTE, q, 0});
}

static enum hc_status count(struct hc_census **census, const struct hc_table *ops,
                            struct hc_row_report *report)
{
    memset(report, 0, sizeof *report);
    ck_assert(!hc_census_new(census, &err));
    enum hc_status status = hc_census_add(*census, ops, NULL, &err);
    return status ? status : hc_census_finish(*census, report, &err);
}

START_TEST(test_whole)
{
    struct hc_table ops;
    struct hc_census *census;
    struct hc_row_report report;
    fill(&ops);
    ck_assert_msg(!count(&census, &ops, &report), "%s", err.message);
    const struct hc_census_step *steps = hc_census_steps(census);
    ck_assert_uint_eq(hc_census_n_steps(census), 3);
    ck_assert_int_eq(steps[0].step, 3);
    ck_assert_int_eq(steps[2].step, 9);
    ck_assert_int_eq(steps[2].structure, 0);
    ck_assert_int_eq(steps[0].n_rows, 6);
    ck_assert_int_eq(steps[0].first_start_ns, 3);
    ck_assert_int_eq(steps[0].last_end_ns, 213);
    ck_assert_int_eq(hc_census_dp_size(census), 2);
    ck_assert_int_eq(hc_census_rank(census, 1, 0), 7);
    ck_assert_int_eq(hc_census_rank(census, 1, 1), HC_MISSING_I32);
    ck_assert_int_eq(hc_row_report_total_bad(&report), 0);
    hc_census_free(census);
    hc_table_fini(&ops);
}
END_TEST

START_TEST(test_duplicate_and_absent)
{
    struct hc_table ops;
    struct hc_census *census;
    struct hc_row_report report;
    fill(&ops);
    append(&ops, (struct row){3, 1, 0, 7, HC_FORWARD_COMPUTE, 2, 0}); /* twice */
    append(&ops, (struct row){9, 0, 0, 0, HC_GC, 0, HC_MISSING_I32}); /* dp rank 1 lacks it */
    ck_assert(!count(&census, &ops, &report));
    const struct hc_census_step *steps = hc_census_steps(census);
    ck_assert_int_eq(steps[0].n_duplicate, 1);
    ck_assert_str_eq(steps[0].detail,
                     "two rows for forward-compute seq 2, stage 0, mc 0, dp_rank 1");
    ck_assert_int_eq(steps[1].structure, 0);
    ck_assert_int_eq(steps[2].n_absent, 1);
    ck_assert_int_eq(steps[2].structure, -1);
    ck_assert_str_eq(steps[2].detail, "dp_rank 1 lacks gc seq 0, stage 0");
    ck_assert_int_eq(report.count[HC_BAD_DUPLICATE], 1);
    ck_assert_int_eq(report.count[HC_BAD_ABSENT], 1);
    ck_assert_int_eq(hc_row_report_total_bad(&report), 1);
    hc_census_free(census);
    hc_table_fini(&ops);
}
END_TEST

/* The chunk is part of what a step has: another chunk, another structure. */
START_TEST(test_structures)
{
    struct hc_table ops;
    struct hc_census *census;
    struct hc_row_report report;
    fill(&ops);
    for (size_t i = 0; i < ops.n_rows; i++)
        if (hc_op_columns(&ops).step[i] == 5 && hc_op_columns(&ops).seq_id[i] == 1)
            hc_op_columns(&ops).model_chunk[i] = 1;
    ck_assert(!count(&census, &ops, &report));
    const struct hc_census_step *steps = hc_census_steps(census);
    ck_assert_int_eq(steps[0].structure, 0);
    ck_assert_int_eq(steps[1].structure, 1);
    ck_assert_int_eq(steps[2].structure, 0);
    hc_census_free(census);
    hc_table_fini(&ops);
}
END_TEST

/* Numbers far apart cost no memory: a stray dp rank is an unseen one before it, */
START_TEST(test_stray_dp_rank)
{
    struct hc_table ops;
    struct hc_census *census;
    struct hc_row_report report;
    fill(&ops);
    append(&ops, (struct row){3, 2000000000, 0, 99, HC_FORWARD_COMPUTE, 0, 0});
    ck_assert_int_eq(count(&census, &ops, &report), HC_BAD_INPUT);
    ck_assert_ptr_nonnull(strstr(err.message, "dp_rank 2 has no rows"));
    hc_census_free(census);
    hc_table_fini(&ops);
}
END_TEST

/* and steps without a common op are refused before their product is allocated. */
START_TEST(test_steps_without_a_common_op)
{
    struct hc_table ops;
    struct hc_census *census;
    struct hc_row_report report;
    ck_assert(!hc_table_init(&ops, &hc_ops_def, 100000, &err));
    for (int32_t i = 0; i < 100000; i++)
        append(&ops, (struct row){i, 0, 0, 0, HC_FORWARD_COMPUTE, i, 0});
    ck_assert_int_eq(count(&census, &ops, &report), HC_BAD_INPUT);
    ck_assert_ptr_nonnull(strstr(err.message, "no timeline of a training job"));
    hc_census_free(census);
    hc_table_fini(&ops);
}
END_TEST

static enum hc_status count_one(struct row row, int64_t start_ns, int64_t duration_ns)
{
    struct hc_table ops;
    struct hc_census *census;
    ck_assert(!hc_table_init(&ops, &hc_ops_def, 1, &err));
    append(&ops, row);
    hc_op_columns(&ops).start_ns[0] = start_ns;
    hc_op_columns(&ops).duration_ns[0] = duration_ns;
    ck_assert(!hc_census_new(&census, &err));
    enum hc_status status = hc_census_add(census, &ops, NULL, &err);
    hc_census_free(census);
    hc_table_fini(&ops);
    return status;
}

/* What a segment of unknown origin may hold, and would otherwise be an index. */
START_TEST(test_impossible_rows)
{
    const struct row good = {0, 0, 0, 0, HC_GC, 0, HC_MISSING_I32};
    const int32_t wrong[] = {-1, HC_MISSING_I32};
    ck_assert_msg(!count_one(good, 0, 1), "%s", err.message);
    for (int i = 0; i < 2; i++)
        for (int field = 0; field < 6; field++) {
            struct row bad = good;
            *(int32_t *[]){&bad.step, &bad.dp_rank, &bad.stage,
                           &bad.rank, &bad.op_type, &bad.seq_id}[field] = wrong[i];
            ck_assert_int_eq(count_one(bad, 0, 1), HC_BAD_INPUT);
        }
    ck_assert_int_eq(count_one((struct row){0, INT32_MAX, 0, 0, HC_GC, 0, 0}, 0, 1), HC_BAD_INPUT);
    ck_assert_int_eq(count_one((struct row){0, 0, INT32_MAX, 0, HC_GC, 0, 0}, 0, 1), HC_BAD_INPUT);
    ck_assert_int_eq(count_one((struct row){0, 0, 0, 0, HC_N_OP_TYPES, 0, 0}, 0, 1), HC_BAD_INPUT);
    ck_assert_int_eq(count_one((struct row){0, 0, 0, 0, HC_GC, 0, -1}, 0, 1), HC_BAD_INPUT);
    ck_assert_int_eq(count_one(good, 0, -1), HC_BAD_INPUT);
    ck_assert_int_eq(count_one(good, INT64_MAX - 5, 1), HC_BAD_INPUT);
    ck_assert_int_eq(count_one(good, INT64_MIN, 1), HC_BAD_INPUT);
    ck_assert_int_eq(count_one(good, 1, INT64_MAX), HC_BAD_INPUT);
}
END_TEST

START_TEST(test_ranks)
{
    struct hc_table ops;
    struct hc_census *census;
    struct hc_row_report report;
    fill(&ops);
    append(&ops, (struct row){3, 1, 0, 8, HC_GC, 0, 0});
    ck_assert_int_eq(count(&census, &ops, &report), HC_BAD_INPUT);
    ck_assert_ptr_nonnull(strstr(err.message, "dp_rank 1, stage 0 has two ranks, 7 and 8"));
    hc_census_free(census);
    hc_op_columns(&ops).dp_rank[ops.n_rows - 1] = 0;
    hc_op_columns(&ops).stage[ops.n_rows - 1] = 1;
    hc_op_columns(&ops).rank[ops.n_rows - 1] = 7;
    ck_assert_int_eq(count(&census, &ops, &report), HC_BAD_INPUT);
    ck_assert_ptr_nonnull(strstr(err.message, "rank 7 stands for two workers"));
    hc_census_free(census);
    hc_table_fini(&ops);
}
END_TEST

int main(void)
{
    Suite *suite = suite_create("census");
    TCase *tc = tcase_create("census");
    tcase_add_test(tc, test_whole);
    tcase_add_test(tc, test_duplicate_and_absent);
    tcase_add_test(tc, test_structures);
    tcase_add_test(tc, test_stray_dp_rank);
    tcase_add_test(tc, test_steps_without_a_common_op);
    tcase_add_test(tc, test_impossible_rows);
    tcase_add_test(tc, test_ranks);
    suite_add_tcase(suite, tc);
    SRunner *runner = srunner_create(suite);
    srunner_run_all(runner, CK_NORMAL);
    int n_failed = srunner_ntests_failed(runner);
    srunner_free(runner);
    return n_failed ? 1 : 0;
}
