/* Clocks of ranks that were recorded into files of their own (models/steps/rank_clocks.h). */
#include "core/tables/op_table.h"
#include "core/tables/op_type.h"
#include "models/steps/rank_clocks.h"

#include <check.h>

#define MS ((int64_t)1000000)

static struct hc_error err;

struct op {
    int32_t step, dp_rank, stage;
    int type;
    int64_t start_ns, end_ns;
};

static void add(struct hc_rank_clocks *clocks, size_t file, struct op op, int64_t offset_ns)
{
    struct hc_table ops;
    ck_assert(!hc_table_init(&ops, &hc_ops_def, 1, &err));
    struct hc_op_columns c = hc_op_columns(&ops);
    ops.n_rows = 1;
    c.step[0] = op.step;
    c.dp_rank[0] = op.dp_rank;
    c.stage[0] = op.stage;
    c.rank[0] = (int32_t)file;
    c.op_type[0] = op.type;
    c.seq_id[0] = 0;
    c.start_ns[0] = op.start_ns + offset_ns;
    c.duration_ns[0] = op.end_ns - op.start_ns;
    ck_assert(!hc_rank_clocks_add(clocks, file, &ops, &err));
    hc_table_fini(&ops);
}

static struct hc_rank_clocks *new_clocks(size_t n)
{
    struct hc_rank_clocks *clocks = NULL;
    ck_assert(!hc_rank_clocks_new(&clocks, n, &err));
    return clocks;
}

/* Three ranks of one stage reduce in every step; file 1 has a fixed offset, file 2 one that grows
 * by a microsecond a step. Each ends up to 2 ms late in one step of eleven, which the median passes
 * over. */
START_TEST(test_collectives_and_drift)
{
    struct hc_rank_clocks *clocks = new_clocks(3);
    enum { N_STEPS = 5000 };
    for (size_t file = 0; file < 3; file++)
        for (int32_t step = 0; step < N_STEPS; step++) {
            int64_t end_ns = step * 100 * MS + (step % 11 == (int32_t)file ? 2 * MS : 0);
            int64_t offset_ns = file == 1 ? -7000 * MS : file == 2 ? 50 * MS + step * 1000 : 0;
            add(clocks, file,
                (struct op){step, (int32_t)file, 0, HC_GRADS_REDUCE_SCATTER, end_ns - 5 * MS,
                            end_ns},
                offset_ns);
        }
    ck_assert(!hc_rank_clocks_tie(clocks, &err));
    ck_assert_uint_eq(hc_rank_clocks_n_untied(clocks), 0);
    for (int32_t step = 0; step < N_STEPS; step += 7) {
        ck_assert_int_eq(hc_rank_clocks_offset(clocks, 0, step), 0);
        ck_assert_int_eq(hc_rank_clocks_offset(clocks, 1, step), -7000 * MS);
        int64_t off_ns = hc_rank_clocks_offset(clocks, 2, step) - 50 * MS - step * 1000;
        ck_assert_msg(off_ns > -300000 && off_ns < 300000, "step %d: off by %lld ns", step,
                      (long long)off_ns);
    }
    ck_assert_int_eq(hc_rank_clocks_largest(clocks), 7000 * MS);
    hc_rank_clocks_free(clocks);
}
END_TEST

/* Two stages that share transfers only: 1 ms each way, so the bounds are 1 ms to either side of the
 * offset, and their middle is it. A third file shares nothing with anyone. */
START_TEST(test_transfers)
{
    struct hc_rank_clocks *clocks = new_clocks(3);
    int64_t offset_ns = 1234567890;
    for (int32_t step = 0; step < 20; step++) {
        int64_t t = step * 100 * MS;
        add(clocks, 0, (struct op){step, 0, 0, HC_FORWARD_SEND, t, t + 1 * MS}, 0);
        add(clocks, 1, (struct op){step, 0, 1, HC_FORWARD_RECV, t - 9 * MS, t + 1 * MS}, offset_ns);
        add(clocks, 1, (struct op){step, 0, 1, HC_BACKWARD_SEND, t + 40 * MS, t + 41 * MS},
            offset_ns);
        add(clocks, 0, (struct op){step, 0, 0, HC_BACKWARD_RECV, t + 10 * MS, t + 41 * MS}, 0);
        add(clocks, 2, (struct op){step, 1, 1, HC_FORWARD_RECV, t, t + 1 * MS}, 5);
    }
    ck_assert(!hc_rank_clocks_tie(clocks, &err));
    ck_assert_int_eq(hc_rank_clocks_offset(clocks, 1, 10), offset_ns);
    ck_assert_int_eq(hc_rank_clocks_offset(clocks, 2, 10), 0);
    ck_assert_uint_eq(hc_rank_clocks_n_untied(clocks), 1);
    hc_rank_clocks_free(clocks);
}
END_TEST

/* Of one host there is one clock, however late the end of a collective was noted; unless most steps
 * contradict it. */
START_TEST(test_hosts)
{
    for (int differs = 0; differs < 2; differs++) {
        struct hc_rank_clocks *clocks = new_clocks(2);
        for (int32_t step = 0; step < 20; step++)
            for (size_t file = 0; file < 2; file++) {
                int64_t t = step * 100 * MS;
                int64_t end_ns = t + (file ? 8 : 5) * MS;
                add(clocks, file,
                    (struct op){step, (int32_t)file, 0, HC_GRADS_REDUCE_SCATTER, t, end_ns},
                    file && differs ? 60 * MS : 0);
            }
        hc_rank_clocks_set_host(clocks, 0, 0);
        hc_rank_clocks_set_host(clocks, 1, 0);
        ck_assert(!hc_rank_clocks_tie(clocks, &err));
        ck_assert_int_eq(hc_rank_clocks_offset(clocks, 1, 3), differs ? 63 * MS : 0);
        hc_rank_clocks_free(clocks);
    }
}
END_TEST

/* Times at the ends of what a parser lets through: too far apart to be clocks, and no overflow. */
START_TEST(test_extreme_times)
{
    struct hc_rank_clocks *clocks = new_clocks(2);
    add(clocks, 0,
        (struct op){0, 0, 0, HC_GRADS_REDUCE_SCATTER, HC_OPS_TIME_LIMIT - 1, HC_OPS_TIME_LIMIT}, 0);
    add(clocks, 1,
        (struct op){0, 1, 0, HC_GRADS_REDUCE_SCATTER, -HC_OPS_TIME_LIMIT, -HC_OPS_TIME_LIMIT}, 0);
    ck_assert(!hc_rank_clocks_tie(clocks, &err));
    ck_assert_int_eq(hc_rank_clocks_offset(clocks, 1, 0), 0);
    ck_assert_uint_eq(hc_rank_clocks_n_untied(clocks), 1);
    hc_rank_clocks_free(clocks);
}
END_TEST

int main(void)
{
    Suite *suite = suite_create("rank_clocks");
    TCase *tcase = tcase_create("rank_clocks");
    tcase_add_test(tcase, test_collectives_and_drift);
    tcase_add_test(tcase, test_transfers);
    tcase_add_test(tcase, test_hosts);
    tcase_add_test(tcase, test_extreme_times);
    suite_add_tcase(suite, tcase);
    SRunner *runner = srunner_create(suite);
    srunner_run_all(runner, CK_NORMAL);
    int failed = srunner_ntests_failed(runner);
    srunner_free(runner);
    return failed != 0;
}
