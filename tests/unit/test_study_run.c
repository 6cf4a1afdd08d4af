/* Studies: what is computed of many runs, against sums by hand and against what must come out. */
#include "models/stats/student.h"
#include "reports/study/study_views.h"
#include "study/engines/lifetime/lifetime_result.h"
#include "study/run/study_tally.h"
#include "tests/support/study_case.h"

#include <check.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#define HEAD "{\"schema\": \"hindcast/scenario/1\", \"kind\": \"lifetime\", "
#define FAULTS                                                                                     \
    "\"faults\": {\"machine\": {\"class\": \"explicit\", \"per_1000_node_days\": 20, "             \
    "\"remedy\": \"evict\", \"detect_s\": 300}}, "                                                 \
    "\"checkpoint\": {\"mode\": \"blocking\", \"every_s\": 600, \"stall_s\": 5, \"load_s\": 30}, " \
    "\"startup\": {\"full_s\": {\"lognormal\": {\"median\": 300, \"p99\": 900}}, \"hot_s\": 60}, "
#define JOB "\"job\": {\"nodes\": 64, \"gpus_per_node\": 8, \"work_d\": 10}, "

#define N 150 /* replicas of the runs that are summed by hand */

static void live(const struct hc_study_result *result, size_t which,
                 struct hc_lifetime_replica *replica)
{
    ck_assert_int_eq(
        hc_lifetime_run(hc_life_run_detail(&result->run[which])->config, 0, N, replica, &err),
        HC_OK);
}

/* Mean and half-width by two passes. */
static void assert_value(const struct hc_study_value *value, const double *x)
{
    double mean = 0, squares = 0;
    for (int i = 0; i < N; i++)
        mean += x[i] / N;
    for (int i = 0; i < N; i++)
        squares += (x[i] - mean) * (x[i] - mean);
    double half = hc_student_t(N - 1, 0.95) * sqrt(squares / (N - 1) / N);
    ck_assert_double_eq_tol(value->mean, mean, 1e-9 * fabs(mean) + 1e-12);
    ck_assert_double_eq_tol(value->high - value->mean, half, 1e-7 * half + 1e-12);
    ck_assert_double_eq_tol(value->mean - value->low, half, 1e-7 * half + 1e-12);
}

#define VARIANTS                                                                                   \
    "\"replicas\": 150, \"variants\": {"                                                           \
    "\"standbys\": {\"set\": {\"/recovery/warm_standbys\": 4}}, "                                  \
    "\"fast\": {\"set\": {\"/faults/machine/detect_s\": 10}}, "                                    \
    "\"both\": {\"use\": [\"standbys\", \"fast\"]}}, "                                             \
    "\"recovery\": {\"wake_s\": 30, \"replenish_h\": 6, \"reschedule_s\": 600}}"

static struct hc_lifetime_replica lives[4][N];

START_TEST(differences_are_paired)
{
    const struct hc_study_result *r = run(HEAD JOB FAULTS VARIANTS);
    size_t ettr = column(r, "ettr"), wall = column(r, "wall_d");
    double by_ettr[N], by_wall[N];
    ck_assert_uint_eq(r->n_runs, 4);
    ck_assert(r->is_compared && !r->run[0].difference && !r->run[1].interaction);
    for (size_t k = 0; k < 4; k++)
        live(r, k, lives[k]);
    for (size_t k = 0; k < 4; k++) {
        for (int i = 0; i < N; i++) {
            double own = hc_lifetime_figure(&lives[k][i], HC_FIGURE_ETTR_BYTEROBUST);
            by_ettr[i] =
                k ? own - hc_lifetime_figure(&lives[0][i], HC_FIGURE_ETTR_BYTEROBUST) : own;
            by_wall[i] = (double)(lives[k][i].wall_ns - (k ? lives[0][i].wall_ns : 0)) / 86400e9;
        }
        const struct hc_study_value *value = k ? r->run[k].difference : r->run[k].value;
        assert_value(&value[ettr], by_ettr);
        assert_value(&value[wall], by_wall);
    }
    /* What pairing is for: the interval is narrower than that of independent runs. */
    double paired = r->run[1].difference[wall].sd,
           alone = hypot(r->run[0].value[wall].sd, r->run[1].value[wall].sd);
    ck_assert_msg(paired < 0.7 * alone, "paired %g, independent %g", paired, alone);
}
END_TEST

START_TEST(interaction_is_what_is_left_over)
{
    const struct hc_study_result *r = run(HEAD JOB FAULTS VARIANTS);
    size_t wall = column(r, "wall_d");
    double left[N];
    for (size_t k = 0; k < 4; k++)
        live(r, k, lives[k]);
    for (int i = 0; i < N; i++)
        left[i] = (double)(lives[3][i].wall_ns - lives[1][i].wall_ns - lives[2][i].wall_ns +
                           lives[0][i].wall_ns) /
                  86400e9;
    ck_assert_uint_eq(r->run[3].n_combines, 2);
    ck_assert_str_eq(r->run[3].combines[1], "fast");
    ck_assert_ptr_nonnull(r->run[3].interaction);
    assert_value(&r->run[3].interaction[wall], left);
}
END_TEST

/* Of sums, with the interval of the linearised ratio. */
START_TEST(time_between_stops_is_a_ratio_of_sums)
{
    const struct hc_study_result *r = run(HEAD JOB FAULTS VARIANTS);
    size_t mtbf = column(r, "mtbf_h");
    double running[2][N], stops[2][N], sum[2][2] = {{0}}, rest[N], ratio[2];
    for (size_t k = 0; k < 2; k++) {
        live(r, k, lives[k]);
        for (int i = 0; i < N; i++) {
            const struct hc_account *a = &lives[k][i].account;
            running[k][i] = hc_gpu_hours(hc_account_what(a, HC_WHAT_PRODUCTIVE_IDEAL) +
                                         hc_account_what(a, HC_WHAT_LOST_WORK) +
                                         hc_account_what(a, HC_WHAT_CHECKPOINT_STALL)) /
                            512;
            stops[k][i] = (double)lives[k][i].count[HC_COUNT_STOPS];
            sum[k][0] += running[k][i];
            sum[k][1] += stops[k][i];
        }
        ratio[k] = sum[k][0] / sum[k][1];
        ck_assert_double_eq_tol(r->run[k].value[mtbf].mean, ratio[k], 1e-9);
    }
    for (int i = 0; i < N; i++)
        rest[i] = ratio[1] + (running[1][i] - ratio[1] * stops[1][i]) / (sum[1][1] / N) -
                  (ratio[0] + (running[0][i] - ratio[0] * stops[0][i]) / (sum[0][1] / N));
    assert_value(&r->run[1].difference[mtbf], rest);
}
END_TEST

START_TEST(independent_runs_have_welchs_interval)
{
    const struct hc_study_result *r =
        run(HEAD JOB FAULTS "\"compare\": {\"common_random_numbers\": false}, " VARIANTS);
    size_t wall = column(r, "wall_d");
    const struct hc_study_value *a = &r->run[1].value[wall], *b = &r->run[0].value[wall];
    ck_assert_uint_ne(hc_life_run_detail(&r->run[0])->config->key,
                      hc_life_run_detail(&r->run[1])->config->key);
    double va = a->sd * a->sd / N, vb = b->sd * b->sd / N;
    double freedom = (va + vb) * (va + vb) / ((va * va + vb * vb) / (N - 1));
    const struct hc_study_value *d = &r->run[1].difference[wall];
    ck_assert_double_eq_tol(d->mean, a->mean - b->mean, 1e-12);
    ck_assert_double_eq_tol(d->high - d->mean, hc_student_t(freedom, 0.95) * sqrt(va + vb), 1e-9);
}
END_TEST

START_TEST(runs_until_the_interval_is_narrow)
{
    const struct hc_study_result *r =
        run(HEAD JOB FAULTS "\"replicas\": {\"until\": {\"figure\": \"wall_d\", \"half_width\": "
                            "0.004}, \"max\": 5000}}");
    const struct hc_study_value *value = &r->run[0].value[column(r, "wall_d")];
    uint64_t n = hc_life_run_detail(&r->run[0])->summary.n;
    ck_assert_uint_eq(n % 64, 0);
    ck_assert_uint_gt(n, 64);
    ck_assert_uint_lt(n, 5000);
    ck_assert_double_le(value->high - value->mean, 0.004);
    ck_assert_uint_eq(r->n_notes, 1);
    ck_assert_ptr_nonnull(strstr(r->notes[0], "The model is without"));
    /* 64 replicas earlier it was not. */
    struct hc_moments before = {0};
    for (uint64_t i = 0; i < n - 64; i++) {
        struct hc_lifetime_replica one;
        ck_assert_int_eq(hc_lifetime_run(hc_life_run_detail(&r->run[0])->config, i, 1, &one, &err),
                         HC_OK);
        hc_moments_add(&before, (double)one.wall_ns / 86400e9);
    }
    ck_assert_double_gt(hc_moments_half_width(&before, 0.95), 0.004);
    /* And it stops at the most, and says so. */
    r = run(HEAD JOB FAULTS "\"replicas\": {\"until\": {\"figure\": \"wall_d\", \"half_width\": "
                            "0.0001}, \"max\": 100}}");
    ck_assert_uint_eq(hc_life_run_detail(&r->run[0])->summary.n, 100);
    ck_assert_uint_eq(r->n_notes, 2);
    ck_assert_ptr_nonnull(strstr(r->notes[0], "100 replicas"));
}
END_TEST

/* Without faults ETTR is 86,400 / (86,400 + s): at least 0.9 up to s = 9,600. */
#define START                                                                                      \
    "\"job\": {\"nodes\": 8, \"work_d\": 1}, \"startup\": {\"full_s\": 0}, \"replicas\": 2, "

START_TEST(finds_what_is_known)
{
    const struct hc_study_result *r =
        run(HEAD START "\"find\": {\"largest\": \"/startup/full_s\", \"such_that\": \"ettr.low >= "
                       "0.89999\", \"range\": {\"from\": 0, \"to\": 50000, \"step\": 1}}}");
    ck_assert(r->found.is_found && !r->found.is_smallest);
    ck_assert_double_eq(r->found.number, 9601);
    ck_assert_uint_lt(r->found.n_tries, 40);
    ck_assert_uint_eq(r->n_notes, 1); /* that it was bisected */
    for (size_t i = 0; i < r->found.n_tries; i++)
        ck_assert_int_eq(r->found.tries[i].holds, r->found.tries[i].number <= 9601);
    /* A few values are all tried. */
    r = run(HEAD START
            "\"find\": {\"largest\": \"/startup/full_s\", \"such_that\": \"ettr > 0.9\", "
            "\"range\": {\"from\": 9000, \"to\": 10000, \"step\": 100}}}");
    ck_assert_uint_eq(r->found.n_tries, 11);
    ck_assert_double_eq(r->found.number, 9500);
    ck_assert_uint_eq(r->n_notes, 0);
    /* The whole range of a count: n nodes of 8 GPUs for a day hold 192 n GPU-hours. */
    r = run(HEAD START "\"find\": {\"smallest\": \"/job/nodes\", \"such_that\": \"total_gpu_h >= "
                       "100000\"}}");
    ck_assert(r->found.is_found);
    ck_assert_double_eq(r->found.number, ceil(100000 / 192.0));
    /* And there is what there is not. */
    r = run(HEAD START "\"find\": {\"smallest\": \"/startup/full_s\", \"such_that\": \"ettr > 1\", "
                       "\"range\": {\"from\": 0, \"to\": 10, \"step\": 1}}}");
    ck_assert(r->found.is_asked && !r->found.is_found);
    ck_assert_uint_eq(r->found.n_tries, 11);
}
END_TEST

/* n nodes of 8 GPUs for a day hold 192 n GPU-hours: 521 nodes are the first to hold 100,000. */
#define NODES "\"find\": {\"smallest\": \"/job/nodes\", \"such_that\": \"total_gpu_h >= 100000\""

/* An answer claims no more than what was tried shows, and whole numbers between the values of a
 * sweep are looked at. */
START_TEST(says_what_an_answer_rests_on)
{
    const struct hc_study_result *r =
        run(HEAD START
            "\"sweep\": [{\"path\": \"/job/nodes\", \"values\": [1, 1000, 2, 400]}], " NODES "}}");
    ck_assert_double_eq(r->found.number, 521);
    ck_assert_int_eq(r->found.proof, HC_FOUND_NEXT_FAILS);
    int64_t tried = 0;
    for (size_t i = 0; i < r->found.n_tries; i++)
        tried += r->found.tries[i].number < 521;
    ck_assert_int_eq(r->found.n_untried, 520 - tried);
    ck_assert_uint_eq(r->found.n_changes, 1);
    ck_assert_uint_eq(r->n_notes, 1); /* that it was bisected */
    /* The first of a sweep holds: nobody looked below it. */
    r = run(HEAD START "\"sweep\": [{\"path\": \"/job/nodes\", \"values\": [600, 700]}], " NODES
                       "}}");
    ck_assert_double_eq(r->found.number, 600);
    ck_assert_int_eq(r->found.proof, HC_FOUND_OF_TRIED);
    ck_assert_int_eq(r->found.n_untried, 599);
    /* All below it were tried. */
    r = run(HEAD START NODES ", \"range\": {\"from\": 500, \"to\": 550, \"step\": 1}}}");
    ck_assert_double_eq(r->found.number, 521);
    ck_assert_int_eq(r->found.proof, HC_FOUND_ALL_TRIED);
    ck_assert_uint_eq(r->n_notes, 0);
    /* Between seconds there are others. */
    r = run(HEAD START
            "\"sweep\": [{\"path\": \"/startup/full_s\", \"values\": [0, 9000, 10000]}], "
            "\"find\": {\"largest\": \"/startup/full_s\", \"such_that\": \"ettr > 0.9\"}}");
    ck_assert_double_eq(r->found.number, 9000);
    ck_assert_int_eq(r->found.proof, HC_FOUND_OF_TRIED);
    ck_assert_int_eq(r->found.n_untried, -1);
}
END_TEST

/* A search of more values than are all tried, in nodes: n nodes of 8 GPUs for a day hold 192 n
 * GPU-hours. */
static const struct hc_study_found *seek_nodes(const char *extreme, const char *condition,
                                               const char *range)
{
    char text[600];
    snprintf(text, sizeof text, "%s\"find\": {\"%s\": \"/job/nodes\", \"such_that\": \"%s\"%s}}",
             HEAD START, extreme, condition, range);
    return &run(text)->found;
}

#define TO_100 ", \"range\": {\"from\": 1, \"to\": 100, \"step\": 1}"

/* The best value of all is the answer when it holds, whichever way the condition changes: of 1 to
 * 100 nodes, all but the first hold at least 384 GPU-hours. */
START_TEST(the_best_of_many_is_tried_first)
{
    static const struct {
        const char *extreme, *condition;
        double number;
    } row[] = {{"largest", "total_gpu_h >= 384", 100},
               {"smallest", "total_gpu_h <= 384", 1},
               {"largest", "total_gpu_h >= 0", 100},
               {"smallest", "total_gpu_h >= 0", 1}};
    for (size_t i = 0; i < sizeof row / sizeof *row; i++) {
        const struct hc_study_found *found = seek_nodes(row[i].extreme, row[i].condition, TO_100);
        ck_assert_msg(found->is_found, "%s %s", row[i].extreme, row[i].condition);
        ck_assert_double_eq(found->number, row[i].number);
        ck_assert_int_eq(found->proof, HC_FOUND_ALL_TRIED);
        ck_assert_int_eq(found->n_untried, 0);
        ck_assert_uint_eq(found->n_tries, 1);
        ck_assert_uint_eq(answer.result.n_notes, 0);
    }
}
END_TEST

/* The other two of the four: the best fails, the worst holds. */
START_TEST(many_are_bisected_from_both_ends)
{
    for (int n = 1; n < 100; n += 7) {
        char condition[64];
        snprintf(condition, sizeof condition, "total_gpu_h < %d", 192 * n + 96);
        const struct hc_study_found *found = seek_nodes("largest", condition, TO_100);
        ck_assert_double_eq(found->number, n);
        ck_assert_int_eq(found->proof, found->n_untried ? HC_FOUND_NEXT_FAILS : HC_FOUND_ALL_TRIED);
        ck_assert_uint_le(found->n_tries, 16);
        snprintf(condition, sizeof condition, "total_gpu_h > %d", 192 * n + 96);
        found = seek_nodes("smallest", condition, TO_100);
        ck_assert_double_eq(found->number, n + 1);
        ck_assert_int_eq(found->proof, found->n_untried ? HC_FOUND_NEXT_FAILS : HC_FOUND_ALL_TRIED);
        for (size_t i = 1; i < found->n_tries; i++)
            ck_assert_double_lt(found->tries[i - 1].number, found->tries[i].number);
    }
}
END_TEST

/* That there is none rests on both ends, and says so; a few values are all of them. */
START_TEST(none_says_what_it_rests_on)
{
    static const char *const extreme[] = {"smallest", "largest"}, *const never[] = {
                                                                      "total_gpu_h > 20000",
                                                                      "total_gpu_h < 100"};
    for (size_t i = 0; i < 4; i++) {
        const struct hc_study_found *found = seek_nodes(extreme[i / 2], never[i % 2], TO_100);
        ck_assert(!found->is_found);
        ck_assert_int_eq(found->proof, HC_FOUND_ENDS_FAIL);
        ck_assert_double_eq(found->tries[0].number, 1);
        ck_assert_double_eq(found->tries[found->n_tries - 1].number, 100);
        ck_assert_int_eq(found->n_untried, 100 - (int64_t)found->n_tries);
        ck_assert_int_gt(found->n_untried, 0);
        ck_assert_uint_eq(answer.result.n_notes, 1);
        ck_assert_ptr_nonnull(strstr(answer.result.notes[0], "is assumed"));
    }
    const struct hc_study_found *few =
        seek_nodes("largest", never[0], ", \"range\": {\"from\": 1, \"to\": 64, \"step\": 1}");
    ck_assert(!few->is_found);
    ck_assert_int_eq(few->proof, HC_FOUND_ALL_TRIED);
    ck_assert_int_eq(few->n_untried, 0);
    /* Of a sweep, nothing is known of what was not in it. */
    const struct hc_study_result *r =
        run(HEAD START "\"sweep\": [{\"path\": \"/job/nodes\", \"values\": [1, 5]}], " NODES "}}");
    ck_assert(!r->found.is_found);
    ck_assert_int_eq(r->found.proof, HC_FOUND_OF_TRIED);
    ck_assert_int_gt(r->found.n_untried, 1000);
}
END_TEST

/* Both ends fail, and some between them hold: they are found, and that it changes twice is said. */
START_TEST(finds_what_holds_between_ends_that_fail)
{
    const struct hc_study_result *r =
        run(HEAD JOB FAULTS
            "\"replicas\": 20, \"find\": {\"largest\": \"/checkpoint/every_s\", \"such_that\": "
            "\"ettr > 0.8\", \"range\": {\"from\": 10, \"to\": 60010, \"step\": 100}}}");
    ck_assert(r->found.is_found);
    ck_assert_int_eq(r->found.proof, HC_FOUND_NEXT_FAILS);
    ck_assert_uint_eq(r->found.n_changes, 2);
    ck_assert_ptr_nonnull(strstr(r->notes[0], "changes 2 times"));
}
END_TEST

/* Without a range the largest is come to by steps: 2^31 nodes, which nobody asked for, are not run
 * when some fewer fail. */
START_TEST(an_open_end_is_come_to_by_steps)
{
    const struct hc_study_found *found = seek_nodes("largest", "total_gpu_h <= 100000", "");
    ck_assert_double_eq(found->number, 520);
    ck_assert_int_eq(found->proof, HC_FOUND_NEXT_FAILS);
    ck_assert_double_le(found->tries[found->n_tries - 1].number, 1024);
}
END_TEST

/* Nodes of two replicas are even: what lies between 2 and 1,000 cannot all be tried. */
START_TEST(leaves_out_what_cannot_be)
{
    const struct hc_study_result *r =
        run(HEAD START "\"elastic\": {\"on\": true, \"dp_replicas\": 2, \"min_replicas\": 1}, "
                       "\"sweep\": [{\"path\": "
                       "\"/job/nodes\", \"values\": [2, 1000]}], " NODES "}}");
    ck_assert_double_eq(r->found.number, 1000);
    ck_assert_int_eq(r->found.proof, HC_FOUND_OF_TRIED);
    ck_assert_uint_ge(r->n_notes, 1);
    ck_assert_ptr_nonnull(strstr(r->notes[0], "some cannot be"));
    /* The end of a range is the best of its values, so it has to be one that can be. */
    ck_assert_int_eq(
        try_study(HEAD START "\"recovery\": {\"pool_nodes\": 20}, \"find\": {\"largest\": "
                             "\"/recovery/warm_standbys\", \"such_that\": \"ettr > 0\", \"range\": "
                             "{\"from\": 0, \"to\": 100, \"step\": 1}}}",
                  2),
        HC_BAD_INPUT);
    ck_assert_msg(strstr(err.message, "'range'") && strstr(err.message, "warm_standbys = 100"),
                  "%s", err.message);
}
END_TEST

/* Saves too often cost, and too rarely: the condition changes twice. */
START_TEST(says_that_a_condition_comes_and_goes)
{
    const struct hc_study_result *r =
        run(HEAD JOB FAULTS "\"replicas\": 20, \"sweep\": [{\"path\": \"/checkpoint/every_s\", "
                            "\"values\": [10, 600, 60000]}], \"find\": {\"smallest\": "
                            "\"/checkpoint/every_s\", \"such_that\": \"ettr > 0.8\"}}");
    ck_assert_double_eq(r->found.number, 600);
    ck_assert_uint_eq(r->found.n_changes, 2);
    ck_assert_uint_eq(r->n_notes, 2);
    ck_assert_ptr_nonnull(strstr(r->notes[0], "changes 2 times"));
}
END_TEST

START_TEST(a_point_is_the_run_with_its_value)
{
    const struct hc_study_result *r =
        run(HEAD JOB FAULTS "\"recovery\": {\"warm_standbys\": 0, \"replenish_h\": 6}, "
                            "\"replicas\": 20, \"sweep\": [{\"path\": \"/recovery/warm_standbys\", "
                            "\"values\": [0, 3]}, {\"path\": \"/checkpoint/every_s\", \"values\": "
                            "[300, 600, 900]}]}");
    ck_assert_uint_eq(r->n_points, 6);
    ck_assert_str_eq(r->axis[1].label[2], "900");
    double at = r->cell[3 + 2].value[column(r, "wall_d")].mean;
    r = run(HEAD JOB
            "\"faults\": {\"machine\": {\"class\": \"explicit\", \"per_1000_node_days\": "
            "20, \"remedy\": \"evict\", \"detect_s\": 300}}, \"checkpoint\": {\"mode\": "
            "\"blocking\", \"every_s\": 900, \"stall_s\": 5, \"load_s\": 30}, \"startup\": "
            "{\"full_s\": {\"lognormal\": {\"median\": 300, \"p99\": 900}}, \"hot_s\": 60}, "
            "\"recovery\": {\"warm_standbys\": 3, \"replenish_h\": 6}, \"replicas\": 20}");
    ck_assert_double_eq(at, r->run[0].value[column(r, "wall_d")].mean);
}
END_TEST

START_TEST(more_faults_and_slower_detection_cost)
{
    const struct hc_study_result *r =
        run(HEAD JOB FAULTS "\"replicas\": 100, \"variants\": {\"faults\": {\"set\": "
                            "{\"/faults/machine/per_1000_node_days\": 24}}, \"late\": {\"set\": "
                            "{\"/faults/machine/detect_s\": 400}}}}");
    size_t ettr = column(r, "ettr");
    for (size_t i = 1; i < 3; i++)
        ck_assert_msg(r->run[i].difference[ettr].high < 0, "%s: up to %g", r->run[i].name,
                      r->run[i].difference[ettr].high);
}
END_TEST

/* A blocking save, one restart time: what the formula is exact for, on an endless run. */
START_TEST(theory_stands_beside)
{
    const struct hc_study_result *r = run(
        HEAD "\"job\": {\"nodes\": 64, \"horizon_d\": 200}, \"faults\": {\"machine\": {\"class\": "
             "\"explicit\", \"per_1000_node_days\": 100, \"remedy\": \"reattempt\", \"detect_s\": "
             "200}}, \"checkpoint\": {\"mode\": \"blocking\", \"every_s\": 1200, \"stall_s\": 60}, "
             "\"startup\": {\"full_s\": 400}, \"replicas\": 40, \"confidence\": 0.999}");
    const struct hc_study_value *ettr = &r->run[0].value[column(r, "ettr")];
    double exact = hc_life_run_detail(&r->run[0])->reference.ettr_exact;
    ck_assert_double_eq_tol(hc_life_run_detail(&r->run[0])->reference.mttf_s, 86400 / 6.4, 1e-6);
    ck_assert_double_eq_tol(hc_life_run_detail(&r->run[0])->reference.young_interval_s,
                            sqrt(2 * 60 * 86400 / 6.4), 1e-6);
    ck_assert_msg(exact > ettr->low && exact < ettr->high, "%.5f is not in %.5f to %.5f", exact,
                  ettr->low, ettr->high);
    ck_assert_double_lt(ettr->high - ettr->low, 0.01);
    /* Where it knows nothing, it says nothing. */
    r = run(HEAD JOB FAULTS "\"recovery\": {\"pool_nodes\": 80}, \"replicas\": 2}");
    ck_assert(isnan(hc_life_run_detail(&r->run[0])->reference.ettr_exact));
}
END_TEST

START_TEST(tornado_is_widest_first)
{
    const struct hc_study_result *r = run(
        HEAD JOB FAULTS "\"replicas\": 20, \"sensitivity\": {\"figure\": \"wall_d\", \"values\": "
                        "{\"/checkpoint/stall_s\": {\"low\": 4, \"high\": 6}, "
                        "\"/faults/machine/per_1000_node_days\": {\"low\": 5, \"high\": 60}}}}");
    ck_assert_uint_eq(r->n_bars, 2);
    ck_assert_str_eq(r->bar_column->name, "wall_d");
    ck_assert_str_eq(r->bar[0].path, "/faults/machine/per_1000_node_days");
    ck_assert_double_eq(r->bar[0].base, 20);
    ck_assert_double_gt(r->bar[0].at_high.mean, r->bar[0].at_low.mean);
}
END_TEST

START_TEST(a_wrong_point_is_named)
{
    ck_assert_int_eq(try_study(HEAD JOB FAULTS
                               "\"recovery\": {\"warm_standbys\": 0, \"pool_nodes\": 66}, "
                               "\"variants\": {\"slow\": {\"set\": {\"/startup/hot_s\": 90}}}, "
                               "\"sweep\": [{\"path\": \"/recovery/warm_standbys\", \"values\": "
                               "[0, 2]}, {\"path\": \"/job/nodes\", \"values\": [64, 65]}]}",
                               1),
                     HC_BAD_INPUT);
    const char *expected = "/recovery/warm_standbys = 2, /job/nodes = 65: /proc/self/fd/";
    ck_assert_msg(strncmp(err.message, expected, strlen(expected)) == 0, "%s", err.message);
    ck_assert_ptr_nonnull(strstr(err.message, ":1:426: /recovery/pool_nodes: "));
}
END_TEST

static char *as_json(const char *text, int threads)
{
    char *bytes = NULL;
    size_t size = 0;
    struct hc_json_writer json;
    ck_assert_msg(try_study(text, threads) == HC_OK, "%s", err.message);
    FILE *stream = open_memstream(&bytes, &size);
    hc_json_start(&json, stream, 2);
    hc_json_object(&json, NULL);
    hc_study_write_json(&answer.result, &json);
    hc_json_end(&json);
    fclose(stream);
    return bytes;
}

START_TEST(threads_do_not_show)
{
    const char *text = HEAD JOB FAULTS
        "\"replicas\": {\"until\": {\"figure\": \"wall_d\", \"half_width\": 0.02}, \"max\": 300}, "
        "\"recovery\": {\"warm_standbys\": 0, \"replenish_h\": 6}, "
        "\"variants\": {\"fast\": {\"set\": {\"/faults/machine/detect_s\": 10}}}, "
        "\"sweep\": [{\"path\": \"/recovery/warm_standbys\", \"values\": [0, 1, 2, 3, 4]}], "
        "\"find\": {\"smallest\": \"/recovery/warm_standbys\", \"such_that\": \"ettr.low > 0.9\"}}";
    char *one = as_json(text, 1);
    for (int threads = 2; threads <= 5; threads++) {
        char *many = as_json(text, threads);
        ck_assert_msg(strcmp(one, many) == 0, "%d threads give other bytes", threads);
        free(many);
    }
    free(one);
}
END_TEST

int main(void)
{
    Suite *suite = suite_create("study_run");
    TCase *cases = tcase_create("all");
    tcase_add_checked_fixture(cases, NULL, tear_down);
    tcase_set_timeout(cases, 300);
    tcase_add_test(cases, differences_are_paired);
    tcase_add_test(cases, interaction_is_what_is_left_over);
    tcase_add_test(cases, time_between_stops_is_a_ratio_of_sums);
    tcase_add_test(cases, independent_runs_have_welchs_interval);
    tcase_add_test(cases, runs_until_the_interval_is_narrow);
    tcase_add_test(cases, finds_what_is_known);
    tcase_add_test(cases, says_what_an_answer_rests_on);
    tcase_add_test(cases, the_best_of_many_is_tried_first);
    tcase_add_test(cases, many_are_bisected_from_both_ends);
    tcase_add_test(cases, none_says_what_it_rests_on);
    tcase_add_test(cases, finds_what_holds_between_ends_that_fail);
    tcase_add_test(cases, an_open_end_is_come_to_by_steps);
    tcase_add_test(cases, leaves_out_what_cannot_be);
    tcase_add_test(cases, says_that_a_condition_comes_and_goes);
    tcase_add_test(cases, a_point_is_the_run_with_its_value);
    tcase_add_test(cases, more_faults_and_slower_detection_cost);
    tcase_add_test(cases, theory_stands_beside);
    tcase_add_test(cases, tornado_is_widest_first);
    tcase_add_test(cases, a_wrong_point_is_named);
    tcase_add_test(cases, threads_do_not_show);
    suite_add_tcase(suite, cases);
    SRunner *runner = srunner_create(suite);
    srunner_run_all(runner, CK_ENV);
    int failed = srunner_ntests_failed(runner);
    srunner_free(runner);
    return failed != 0;
}
