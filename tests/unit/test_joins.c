/* Which log belongs to which attempt, and which attempts are one run: names with their symbols,
 * logs that several jobs may have, and lineages that the made-up clusters do not have. */
#include "core/base/missing.h"
#include "models/joins/join_logs.h"
#include "models/joins/join_match.h"
#include "models/joins/lineage.h"
#include "models/joins/log_pattern.h"

#include <check.h>
#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#define HOUR_NS ((int64_t)3600 * 1000000000)

/* ---- names of logs ---- */

static int32_t agree(const char *pattern, const char *path)
{
    const struct hc_log_fields fields = {.job = 70,
                                         .raw_job = 73,
                                         .array_task = 3,
                                         .name = "train",
                                         .user = "ada",
                                         .work_dir = "/work/ada/run"};
    struct hc_log_names names;
    ck_assert(hc_log_pattern_expand(pattern, &fields, &names));
    return hc_log_pattern_agree(&names, path);
}

START_TEST(names_of_logs)
{
    ck_assert_int_eq(agree("slurm-%j.out", "/work/ada/run/slurm-73.out"), INT32_MAX);
    ck_assert_int_eq(agree("%x-%A_%a.log", "/copy/run/train-70_3.log"), 2);
    ck_assert_int_eq(agree("%x-%A_%4a.log", "train-70_0003.log"), 1);
    ck_assert_int_eq(agree("/logs/%u/100%%.%j", "/logs/ada/100%.73"), INT32_MAX);
    ck_assert_int_eq(agree("out/%j/%N-%t.log", "/else/73/node7-0.log"), 2);
    ck_assert_int_eq(agree("out/%j/%N-%t.log", "/else/74/node7-0.log"), 1);
    ck_assert_int_eq(agree("%j.out", "/work/ada/run/74.out"), 0);
    ck_assert_int_eq(agree("%j.out", "73.out"), 1);
}
END_TEST

static enum hc_log_number number_in(const char *path, int64_t raw_job, int32_t task)
{
    const struct hc_log_fields fields = {.job = 70, .raw_job = raw_job, .array_task = task};
    return hc_log_number_in(path, &fields);
}

START_TEST(numbers_in_names)
{
    ck_assert_int_eq(number_in("slurm-70_3.out", 73, 3), HC_LOG_TASK);
    ck_assert_int_eq(number_in("slurm-70_30.out", 73, 3), HC_LOG_JOB); /* of all its tasks */
    ck_assert_int_eq(number_in("slurm-70_4.out", 70, 3), HC_LOG_JOB);  /* whose last one is 70 */
    ck_assert_int_eq(number_in("70/3.out", 70, 3), HC_LOG_JOB);
    ck_assert_int_eq(number_in("slurm-73.out", 73, 3), HC_LOG_ALLOCATION);
    ck_assert_int_eq(number_in("/logs/70/train_3.out", 70, HC_MISSING_I32), HC_LOG_ALLOCATION);
    ck_assert_int_eq(number_in("het-70.out", 71, HC_MISSING_I32), HC_LOG_JOB); /* a component */
    ck_assert_int_eq(number_in("a70-70b.700", 70, HC_MISSING_I32), HC_LOG_NO_NUMBER);
    ck_assert_int_eq(number_in("train.log", 70, HC_MISSING_I32), HC_LOG_NO_NUMBER);
}
END_TEST

START_TEST(names_without_end)
{
    struct hc_log_names names;
    const struct hc_log_fields fields = {.work_dir = "/work"};
    char pattern[HC_LOG_PATTERN_ROOM + 8];
    memset(pattern, 'x', sizeof pattern - 1);
    pattern[sizeof pattern - 1] = '\0';
    ck_assert(!hc_log_pattern_expand(pattern, &fields, &names));
}
END_TEST

/* ---- a site in a few lines ---- */

static struct hc_joins joins;
static struct hc_error err;

static int64_t id_of(const char *path)
{
    uint32_t id = 0;
    for (const char *c = path; *c; c++)
        id = id * 31 + (unsigned char)*c;
    return id;
}

/* A cycle of hours [from, to) in its log; -1: it loaded nothing, or saved nothing. Its number is
 * the hour at which it began. */
static void add_cycle(const char *path, int from, int to, int64_t loaded, int64_t saved)
{
    int64_t job = HC_MISSING_I64, number;
    if (sscanf(strrchr(path, '/') + 1, "%" SCNd64 ".out", &number) == 1)
        job = number;
    const struct hc_cycle_row row = {
        .log_id = id_of(path),
        .job = job,
        .path = path,
        .cycle = {.start_ns = from * HOUR_NS,
                  .end_ns = to * HOUR_NS,
                  .first_step_ns = HC_MISSING_I64,
                  .first_iteration = (loaded < 0 ? 0 : loaded) + 1,
                  .last_iteration = saved < 0 ? (loaded < 0 ? 0 : loaded) + 5 : saved + 5,
                  .loaded_iteration = loaded < 0 ? HC_MISSING_I64 : loaded,
                  .saved_iteration = saved < 0 ? HC_MISSING_I64 : saved,
                  .number = from,
                  .has_clock = true}};
    ck_assert_int_eq(hc_joins_add_cycle(&joins, &row, &err), HC_OK);
}

/* A checkpoint of the cycle that began at that hour. */
static void add_checkpoint(const char *path, int from, const char *place, int64_t iteration,
                           bool is_load)
{
    const struct hc_checkpoint_row row = {.log_id = id_of(path),
                                          .time_ns = from * HOUR_NS + HOUR_NS / 2,
                                          .iteration = iteration,
                                          .number = from,
                                          .path = place,
                                          .is_load = is_load};
    ck_assert_int_eq(hc_joins_add_checkpoint(&joins, &row, &err), HC_OK);
}

static void add_job(int64_t number, int from, int to, const char *output, const char *directory)
{
    const struct hc_attempt_row row = {.attempt = {.job = number,
                                                   .raw_job = number,
                                                   .submit_ns = from * HOUR_NS,
                                                   .start_ns = from * HOUR_NS,
                                                   .end_ns = to * HOUR_NS,
                                                   .gpu_ns = (to - from) * HOUR_NS * 8,
                                                   .array_task = HC_MISSING_I32,
                                                   .gpus = 8},
                                       .name = "train",
                                       .user = "ada",
                                       .work_dir = directory,
                                       .standard_output = output,
                                       .source = "sacct.txt"};
    ck_assert_int_eq(hc_joins_offer(&joins, &row, &err), HC_OK);
}

static void finish(void)
{
    hc_joins_match(&joins);
    ck_assert_int_eq(hc_joins_make_runs(&joins, &err), HC_OK);
}

static void start(void)
{
    joins = (struct hc_joins){0};
}

static void stop(void)
{
    hc_joins_fini(&joins);
}

static const struct hc_join_cycle *cycle_at(int from)
{
    for (size_t i = 0; i < joins.n_cycles; i++)
        if (joins.cycles[i].number == from)
            return &joins.cycles[i];
    ck_abort_msg("no cycle at %d", from);
    return NULL;
}

static int64_t job_of(int from)
{
    int32_t attempt = cycle_at(from)->attempt;
    return attempt < 0 ? -1 : joins.attempts[attempt].job;
}

/* ---- the match ---- */

START_TEST(one_name_for_all_jobs)
{
    /* "train.log" in the directory of each run, moved elsewhere: time and directory tell. */
    add_cycle("/copy/one/train.log", 1, 2, -1, -1);
    add_cycle("/copy/two/train.log", 4, 5, -1, -1);
    add_cycle("/copy/two/train.log", 9, 10, -1, -1);
    ck_assert_int_eq(hc_joins_end_cycles(&joins, &err), HC_OK);
    add_job(100, 1, 3, "train.log", "/work/one");
    add_job(101, 4, 6, "train.log", "/work/two");
    add_job(102, 8, 11, "train.log", "/work/two");
    add_job(103, 4, 6, "train.log", "/work/three");
    finish();
    ck_assert_int_eq(job_of(1), 100);
    ck_assert_int_eq(job_of(4), 101);
    ck_assert_int_eq(job_of(9), 102);
    ck_assert_int_eq(joins.n_without_log, 1);
    ck_assert_int_eq((int64_t)joins.without_log_gpu_ns, 2 * 8 * HOUR_NS);
}
END_TEST

START_TEST(several_and_none)
{
    add_cycle("/work/shared/a.log", 1, 2, -1, -1);  /* two jobs in its directory ran then */
    add_cycle("/work/shared/b.log", 7, 8, -1, -1);  /* nobody ran then */
    add_cycle("/work/alone/900.log", 1, 2, -1, -1); /* a number that no job has */
    ck_assert_int_eq(hc_joins_end_cycles(&joins, &err), HC_OK);
    add_job(100, 1, 3, NULL, "/work/shared");
    add_job(101, 1, 3, NULL, "/work/shared/");
    finish();
    ck_assert_int_eq(cycle_at(7)->failure, HC_JOIN_NO_ATTEMPT);
    int n_several = 0, n_none = 0;
    for (size_t i = 0; i < joins.n_cycles; i++) {
        n_several += joins.cycles[i].failure == HC_JOIN_SEVERAL;
        n_none += joins.cycles[i].failure == HC_JOIN_NO_ATTEMPT;
        ck_assert_int_eq(joins.cycles[i].attempt, -1);
    }
    ck_assert_int_eq(n_several, 1);
    ck_assert_int_eq(n_none, 2);
}
END_TEST

/* What Slurm before 24.05 records of logs: no path, but a directory that its jobs share. */
START_TEST(names_in_one_directory)
{
    add_cycle("/work/repo/slurm-100.out", 1, 2, -1, -1);
    add_cycle("/work/repo/logs/101/train.log", 1, 2, -1, -1);
    add_cycle("/work/repo/slurm-101.out", 9, 10, -1, -1); /* an hour late; another job ran then */
    add_cycle("/work/repo/other.out", 9, 10, -1, -1);
    ck_assert_int_eq(hc_joins_end_cycles(&joins, &err), HC_OK);
    add_job(100, 1, 3, NULL, "/work/repo");
    add_job(101, 1, 3, NULL, "/work/repo");
    add_job(102, 8, 11, NULL, "/work/repo");
    add_job(103, 1, 3, NULL, "/work/repo/logs"); /* deeper, but the log names another */
    finish();
    for (size_t i = 0; i < joins.n_cycles; i++) {
        const struct hc_join_cycle *cycle = &joins.cycles[i];
        const char *path = joins.texts.text[joins.logs[cycle->log].path];
        ck_assert_int_ge(cycle->attempt, 0);
        ck_assert_int_eq(joins.attempts[cycle->attempt].job, strstr(path, "100")   ? 100
                                                             : strstr(path, "101") ? 101
                                                                                   : 102);
        ck_assert_int_eq(cycle->is_off, strstr(path, "slurm-101") != NULL);
        ck_assert_int_eq(cycle->method, HC_JOIN_WORK_DIR);
    }
    ck_assert_uint_eq(joins.offset.n, 3); /* the logs that name their jobs tell of the clocks */
}
END_TEST

START_TEST(tasks_in_one_directory)
{
    for (int task = 1; task <= 3; task++) {
        char path[64];
        snprintf(path, sizeof path, "/work/sweep/slurm-70_%d.out", task);
        add_cycle(path, task, task + 1, -1, -1);
    }
    ck_assert_int_eq(hc_joins_end_cycles(&joins, &err), HC_OK);
    for (int task = 1; task <= 3; task++) {
        const struct hc_attempt_row row = {.attempt = {.job = 70,
                                                       .raw_job = task == 3 ? 70 : 70 + task,
                                                       .submit_ns = HOUR_NS,
                                                       .start_ns = HOUR_NS,
                                                       .end_ns = 6 * HOUR_NS,
                                                       .array_task = task,
                                                       .gpus = 8},
                                           .work_dir = "/work/sweep"};
        ck_assert_int_eq(hc_joins_offer(&joins, &row, &err), HC_OK);
    }
    finish();
    for (int task = 1; task <= 3; task++) {
        ck_assert_int_ge(cycle_at(task)->attempt, 0);
        ck_assert_int_eq(joins.attempts[cycle_at(task)->attempt].array_task, task);
    }
}
END_TEST

START_TEST(requeues_share_a_log)
{
    add_cycle("/r/logs/100.out", 1, 2, -1, -1);
    add_cycle("/r/logs/100.out", 4, 5, -1, -1);
    ck_assert_int_eq(hc_joins_end_cycles(&joins, &err), HC_OK);
    add_job(100, 1, 3, "/r/logs/%j.out", "/r");
    add_job(100, 4, 6, "/r/logs/%j.out", "/r");
    finish();
    ck_assert_int_ne(cycle_at(1)->attempt, cycle_at(4)->attempt);
    ck_assert_int_eq(joins.attempts[cycle_at(4)->attempt].start_ns, 4 * HOUR_NS);
    ck_assert_uint_eq(joins.n_runs, 1);
    ck_assert_int_eq(joins.runs[0].n_attempts, 2);
}
END_TEST

START_TEST(clocks_apart)
{
    /* Logs an hour late, whose paths the records give: joined, and the offset is told. */
    add_cycle("/r/logs/100.out", 3, 4, -1, -1);
    add_cycle("/r/logs/101.out", 9, 11, -1, -1);
    ck_assert_int_eq(hc_joins_end_cycles(&joins, &err), HC_OK);
    add_job(100, 2, 3, "%j.out", "/r/logs");
    add_job(101, 8, 11, "%j.out", "/r/logs");
    finish();
    ck_assert(cycle_at(3)->is_off || cycle_at(3)->attempt >= 0);
    ck_assert_int_eq(job_of(3), 100);
    ck_assert_int_eq(joins.offset.least_ns, -HOUR_NS);
    ck_assert_int_eq(joins.offset.most_ns, -HOUR_NS);
}
END_TEST

/* ---- lineage ---- */

struct life {
    int job, from, to;
    int64_t loaded;
    const char *load;
    int64_t saved;
    const char *save;
};

static const char *log_of(const struct life *life)
{
    static char path[64];
    snprintf(path, sizeof path, "/r/logs/%d.out", life->job);
    return path;
}

/* Each life: a cycle in a log of its own, of its own job. */
static void make_runs(const struct life *lives, size_t n)
{
    for (const struct life *l = lives; l < lives + n; l++)
        add_cycle(log_of(l), l->from, l->to, l->loaded, l->saved);
    ck_assert_int_eq(hc_joins_end_cycles(&joins, &err), HC_OK);
    for (const struct life *l = lives; l < lives + n; l++) {
        if (l->loaded >= 0)
            add_checkpoint(log_of(l), l->from, l->load, l->loaded, true);
        if (l->saved >= 0)
            add_checkpoint(log_of(l), l->from, l->save, l->saved, false);
        add_job(l->job, l->from, l->to + 1, "/r/logs/%j.out", "/r");
    }
    finish();
}
#define MAKE_RUNS(lives) make_runs(lives, sizeof(lives) / sizeof *(lives))

static int32_t run_at(int from)
{
    return cycle_at(from)->run;
}

START_TEST(tries_and_rollbacks_are_one_run)
{
    static const struct life lives[] = {
        {1, 1, 2, -1, NULL, -1, NULL},    {2, 3, 4, -1, NULL, 100, "/c"}, /* first saves nothing */
        {3, 5, 6, 100, "/c", -1, NULL},   {4, 7, 8, 100, "/c", 200, "/c"},
        {5, 9, 10, 100, "/c", 200, "/c"}, /* back before 200, by intent */
    };
    MAKE_RUNS(lives);
    ck_assert_int_eq(run_at(3), run_at(5));
    ck_assert_int_eq(run_at(3), run_at(7));
    ck_assert_int_eq(run_at(3), run_at(9));
    for (size_t i = 0; i < joins.n_runs; i++)
        ck_assert_int_eq(joins.runs[i].forked_from, -1);
}
END_TEST

START_TEST(two_that_load_the_same_fork)
{
    static const struct life lives[] = {
        {1, 1, 2, -1, NULL, 100, "/a"},    {2, 3, 9, 100, "/a", 300, "/a"},
        {3, 4, 8, 100, "/a", 250, "/b"}, /* beside it, elsewhere */
        {4, 10, 11, 250, "/b", 400, "/b"}, {5, 12, 13, 300, "/a", 500, "/a"},
    };
    MAKE_RUNS(lives);
    ck_assert_uint_eq(joins.n_runs, 2);
    ck_assert_int_eq(run_at(1), run_at(12));
    ck_assert_int_eq(run_at(4), run_at(10));
    ck_assert_int_eq(joins.runs[run_at(4)].forked_from, run_at(1));
    ck_assert_int_eq(joins.runs[run_at(4)].fork_iteration, 100);
}
END_TEST

START_TEST(another_place_is_no_fork)
{
    static const struct life lives[] = {
        {1, 1, 2, -1, NULL, 100, "/a"},
        {2, 3, 4, 100, "/a", 200, "/b"}, /* the last of /a, and nobody goes on there */
        {3, 5, 6, 200, "/b", 300, "/c"},
    };
    MAKE_RUNS(lives);
    ck_assert_uint_eq(joins.n_runs, 1);
    ck_assert_int_eq(joins.runs[0].n_cycles, 3);
    ck_assert_int_eq(joins.runs[0].forked_from, -1);
    ck_assert_int_eq(joins.runs[0].last_iteration, 305);
}
END_TEST

START_TEST(missing_logs_are_gaps)
{
    static const struct life lives[] = {
        {1, 1, 2, -1, NULL, 100, "/a"}, {3, 5, 6, 700, "/a", 800, "/a"}, /* who wrote 700? */
    };
    MAKE_RUNS(lives);
    ck_assert_uint_eq(joins.n_runs, 1);
    ck_assert_int_eq(joins.runs[0].n_gaps, 1);
}
END_TEST

START_TEST(a_place_that_is_used_again)
{
    static const struct life lives[] = {
        {1, 1, 2, -1, NULL, 100, "/a"},
        {2, 3, 4, -1, NULL, 100, "/a"}, /* from the start, into the same place */
        {3, 5, 6, 100, "/a", 200, "/a"},
    };
    MAKE_RUNS(lives);
    ck_assert_uint_eq(joins.n_runs, 2);
    ck_assert_int_ne(run_at(1), run_at(3));
    ck_assert_int_eq(run_at(3), run_at(5));
    ck_assert_str_ne(joins.texts.text[joins.runs[0].name], joins.texts.text[joins.runs[1].name]);
}
END_TEST

int main(void)
{
    Suite *suite = suite_create("joins");
    TCase *tests = tcase_create("joins");
    tcase_add_checked_fixture(tests, start, stop);
    tcase_add_test(tests, names_of_logs);
    tcase_add_test(tests, numbers_in_names);
    tcase_add_test(tests, names_without_end);
    tcase_add_test(tests, one_name_for_all_jobs);
    tcase_add_test(tests, several_and_none);
    tcase_add_test(tests, names_in_one_directory);
    tcase_add_test(tests, tasks_in_one_directory);
    tcase_add_test(tests, requeues_share_a_log);
    tcase_add_test(tests, clocks_apart);
    tcase_add_test(tests, tries_and_rollbacks_are_one_run);
    tcase_add_test(tests, two_that_load_the_same_fork);
    tcase_add_test(tests, another_place_is_no_fork);
    tcase_add_test(tests, missing_logs_are_gaps);
    tcase_add_test(tests, a_place_that_is_used_again);
    suite_add_tcase(suite, tests);
    SRunner *runner = srunner_create(suite);
    srunner_run_all(runner, CK_ENV);
    int n_failed = srunner_ntests_failed(runner);
    srunner_free(runner);
    return n_failed ? 1 : 0;
}
