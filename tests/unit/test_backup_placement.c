/* Copies of states survive every single eviction of a parallel group. */
#include "sim/lifetime/backup_placement.h"

#include <check.h>
#include <stdlib.h>
#include <string.h>

/* Whether two ranks have a group in common: they differ in at most one dimension. */
static bool shares_group(const struct hc_backup_shape *shape, int64_t a, int64_t b)
{
    int differ = 0;
    for (int i = 0; i < HC_PARALLEL_COUNT; i++) {
        differ += a % shape->size[i] != b % shape->size[i];
        a /= shape->size[i];
        b /= shape->size[i];
    }
    return differ <= 1;
}

enum { MOST = 64 };

static struct hc_backup_shape shape_of(int32_t tp, int32_t pp, int32_t dp,
                                       int32_t ranks_per_machine)
{
    struct hc_backup_shape shape = {.ranks_per_machine = ranks_per_machine};
    shape.size[HC_PARALLEL_TP] = tp;
    shape.size[HC_PARALLEL_PP] = pp;
    shape.size[HC_PARALLEL_DP] = dp;
    return shape;
}

START_TEST(the_published_example)
{
    struct hc_backup_shape shape = shape_of(2, 4, 2, 2);
    ck_assert_int_eq(hc_backup_rank(&shape, 8), 2);
    ck_assert_int_eq(hc_backup_rank(&shape, 9), 3);
    ck_assert_int_eq(hc_backup_rank(&shape, 2), 8);
    ck_assert_int_eq(hc_backup_rank(&shape, 3), 9);
}
END_TEST

/* Evict each group in turn, and look for a rank that is gone together with its copy. Returns how
 * many evictions lose a state. */
static int lost_evictions(const struct hc_backup_shape *shape)
{
    int64_t ranks = hc_backup_ranks(shape), stride = 1;
    int lost = 0;
    for (int d = 0; d < HC_PARALLEL_COUNT; d++) {
        int64_t size = shape->size[d];
        for (int64_t first = 0; first < ranks; first++) {
            bool gone[512] = {false}, loses = false;
            if (first / stride % size) /* not the first of its group */
                continue;
            for (int64_t i = 0; i < size; i++)
                gone[first + i * stride] = true;
            for (int64_t rank = 0; rank < ranks; rank++)
                loses |= gone[rank] && gone[hc_backup_rank(shape, rank)];
            lost += loses;
        }
        stride *= size;
    }
    return lost;
}

/* Rank by rank and group by group, where that is small. */
START_TEST(evicting_any_group_keeps_every_state)
{
    int n_all = 0, n_one_group = 0;
    for (int tp = 1; tp <= MOST; tp++)
        for (int pp = 1; tp * pp <= 192 && pp <= MOST; pp++)
            for (int dp = 1; tp * pp * dp <= 192 && dp <= MOST; dp++) {
                struct hc_backup_shape shape = shape_of(tp, pp, dp, 1);
                bool keeps[512] = {false};
                for (int64_t rank = 0; rank < tp * pp * dp; rank++)
                    keeps[hc_backup_rank(&shape, rank)] = true;
                for (int64_t rank = 0; rank < tp * pp * dp; rank++)
                    ck_assert(keeps[rank]);
                int lost = lost_evictions(&shape);
                if ((tp > 1) + (pp > 1) + (dp > 1) >= 2) {
                    ck_assert_int_eq(lost, 0);
                    n_all++;
                } else {
                    /* One dimension: its one group is the whole job, and nothing else is lost. A
                     * single rank is all three groups. */
                    ck_assert_int_eq(lost, tp * pp * dp > 1 ? 1 : 3);
                    n_one_group++;
                }
            }
    ck_assert_int_eq(n_one_group, 3 * (MOST - 1) + 1);
    ck_assert_int_gt(n_all, 1500);
}
END_TEST

/* Every shape up to 64 x 64 x 64. Each dimension is moved on its own, so that the ranks of the
 * three axes stand for all: what rank does in one dimension, it does whatever the others are. */
START_TEST(no_shape_shares_a_group)
{
    int n = 0;
    for (int tp = 1; tp <= MOST; tp++)
        for (int pp = 1; pp <= MOST; pp++)
            for (int dp = 1; dp <= MOST; dp++) {
                struct hc_backup_shape shape = shape_of(tp, pp, dp, 8);
                if ((tp > 1) + (pp > 1) + (dp > 1) < 2)
                    continue;
                int64_t stride = 1;
                for (int d = 0; d < HC_PARALLEL_COUNT; d++) {
                    for (int64_t i = 0; i < shape.size[d]; i++) {
                        int64_t rank = i * stride, copy = hc_backup_rank(&shape, rank);
                        if (shares_group(&shape, rank, copy))
                            ck_abort_msg("tp %d pp %d dp %d: %d and %d", tp, pp, dp, (int)rank,
                                         (int)copy);
                    }
                    stride *= shape.size[d];
                }
                n++;
            }
    ck_assert_int_eq(n, MOST * MOST * MOST - 3 * (MOST - 1) - 1);
}
END_TEST

/* That the dimensions are moved each on its own, for all ranks of some shapes. */
START_TEST(dimensions_do_not_mix)
{
    static const int32_t sizes[][3] = {
        {8, 16, 16}, {3, 5, 7}, {64, 2, 9}, {1, 31, 17}, {12, 1, 64}};
    for (size_t k = 0; k < sizeof sizes / sizeof *sizes; k++) {
        struct hc_backup_shape s = shape_of(sizes[k][0], sizes[k][1], sizes[k][2], 8);
        int64_t tp = s.size[0], dp = s.size[1];
        for (int64_t rank = 0; rank < hc_backup_ranks(&s); rank++) {
            int64_t in_tp = rank % tp, in_dp = rank / tp % dp * tp,
                    in_pp = rank / (tp * dp) * tp * dp;
            int64_t zero = hc_backup_rank(&s, 0), z_tp = zero % tp, z_dp = zero / tp % dp * tp;
            int64_t z_pp = zero / (tp * dp) * tp * dp, copy = hc_backup_rank(&s, rank);
            ck_assert_int_eq(copy % tp, hc_backup_rank(&s, in_tp) - z_dp - z_pp);
            ck_assert_int_eq(copy / tp % dp * tp, hc_backup_rank(&s, in_dp) - z_tp - z_pp);
            ck_assert_int_eq(copy / (tp * dp) * tp * dp, hc_backup_rank(&s, in_pp) - z_tp - z_dp);
            ck_assert(!shares_group(&s, rank, copy));
        }
    }
}
END_TEST

START_TEST(one_dimension_goes_to_the_neighbour)
{
    struct hc_backup_shape shape = shape_of(1, 1, 64, 8);
    ck_assert_int_eq(hc_backup_rank(&shape, 3), 11);
    ck_assert_int_eq(hc_backup_rank(&shape, 60), 4);
    ck_assert(shares_group(&shape, 3, 11));
    shape = shape_of(1, 8, 1, 8); /* one machine: the next rank */
    ck_assert_int_eq(hc_backup_rank(&shape, 7), 0);
    shape = shape_of(1, 1, 1, 8);
    ck_assert_int_eq(hc_backup_rank(&shape, 0), 0);
}
END_TEST

int main(void)
{
    Suite *suite = suite_create("backup_placement");
    TCase *tests = tcase_create("all");
    suite_add_tcase(suite, tests);
    tcase_set_timeout(tests, 60);
    tcase_add_test(tests, the_published_example);
    tcase_add_test(tests, evicting_any_group_keeps_every_state);
    tcase_add_test(tests, no_shape_shares_a_group);
    tcase_add_test(tests, dimensions_do_not_mix);
    tcase_add_test(tests, one_dimension_goes_to_the_neighbour);
    SRunner *runner = srunner_create(suite);
    srunner_run_all(runner, CK_NORMAL);
    int failed = srunner_ntests_failed(runner);
    srunner_free(runner);
    return failed != 0;
}
