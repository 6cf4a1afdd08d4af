/* Failures in logs of jobs: what lines and blocks say, whose they are, and when. */
#include "core/tables/events/event_table.h"
#include "parsers/failures/failure_patterns.h"
#include "parsers/registry/format_registry.h"
#include "tests/support/bytes_source.h"

#include <check.h>
#include <string.h>

#define S ((int64_t)1000000000)

static struct hc_error err;
static struct hc_table_names names;
static struct hc_table rows;

/* The rows of a log, read in batches of one. */
static void read_log(const char *name, const char *text)
{
    struct hc_source source = bytes_source(name, text, strlen(text));
    struct hc_row_report report = {0};
    struct hc_table one;
    void *parser = NULL;
    source.state.info.st_mtim.tv_sec = 1714700000; /* 2024-05-03T01:33:20Z */
    ck_assert_int_eq(hc_event_names_init(&names, &err), HC_OK);
    ck_assert_int_eq(hc_table_init(&rows, &hc_events_def, 32, &err), HC_OK);
    ck_assert_int_eq(hc_table_init(&one, &hc_events_def, 1, &err), HC_OK);
    ck_assert_int_gt(hc_format_job_log.probe((const unsigned char *)text, strlen(text), name), 0);
    const struct hc_parse_options options = {.names = &names};
    ck_assert_int_eq(hc_format_job_log.open(&parser, &source, &options, &err), HC_OK);
    do {
        one.n_rows = 0;
        ck_assert_int_eq(hc_format_job_log.next_batch(parser, &one, &report, &err), HC_OK);
        hc_table_append(&rows, &one, 0, one.n_rows);
    } while (one.n_rows);
    ck_assert_int_eq(report.rows_read, (int64_t)rows.n_rows);
    hc_format_job_log.close(parser);
    hc_table_fini(&one);
    hc_row_report_fini(&report);
    hc_source_close(&source);
}

static void forget(void)
{
    hc_table_fini(&rows);
    hc_table_names_fini(&names);
}

static const char *text_of(enum hc_events_column column, size_t row)
{
    int32_t code = hc_table_i32(&rows, column)[row];
    const char *dictionary = hc_events_def.columns[column].dictionary;
    return code == HC_MISSING_I32 ? "" : hc_table_names_find(&names, dictionary)->text[code];
}

static int64_t number_of(enum hc_events_column column, size_t row)
{
    return hc_events_def.columns[column].type == HC_I64 ? hc_table_i64(&rows, column)[row]
                                                        : hc_table_i32(&rows, column)[row];
}

/* Notice at 12:34:56; the collective was started 600.123 s before, and stuck for its 600 s. */
START_TEST(watchdogs_bound_the_fault)
{
    const int64_t notice_ns = 1714653296 * S;
    read_log("slurm-4711.out",
             "[rank12]:[E502 12:34:56.000000000 ProcessGroupNCCL.cpp:563] [Rank 12] Watchdog "
             "caught collective operation timeout: WorkNCCL(SeqNum=4321, OpType=ALLREDUCE, "
             "NumelIn=1, NumelOut=1, Timeout(ms)=600000) ran for 600123 milliseconds before "
             "timing out.\n");
    ck_assert_uint_eq(rows.n_rows, 1);
    ck_assert_str_eq(text_of(HC_EVENTS_CLASS, 0), "watchdog");
    ck_assert_str_eq(text_of(HC_EVENTS_NAME, 0), "ALLREDUCE");
    ck_assert_int_eq(number_of(HC_EVENTS_CODE, 0), 4321);
    ck_assert_int_eq(number_of(HC_EVENTS_RANK, 0), 12);
    ck_assert_int_eq(number_of(HC_EVENTS_JOB, 0), 4711);
    ck_assert_int_eq(number_of(HC_EVENTS_TIME_NS, 0), notice_ns);
    ck_assert_int_eq(number_of(HC_EVENTS_FROM_NS, 0), notice_ns - 600123 * (S / 1000));
    ck_assert_int_eq(number_of(HC_EVENTS_TO_NS, 0), notice_ns - 600 * S);
    ck_assert_int_eq(number_of(HC_EVENTS_CLOCK, 0), HC_CLOCK_YEAR_INFERRED);
    forget();
}
END_TEST

/* Two ranks write their tracebacks at once; a line between stamps lies between them. */
START_TEST(tracebacks_of_ranks_are_told_apart)
{
    read_log("job.out", "0: 2024-05-02T12:00:00Z start\n"
                        "3: Traceback (most recent call last):\n"
                        "5: Traceback (most recent call last):\n"
                        "3:   File \"a.py\", line 1, in <module>\n"
                        "5:   File \"b.py\", line 2, in f\n"
                        "5: ValueError: five\n"
                        "3:     x = y.cuda()\n"
                        "3: torch.cuda.OutOfMemoryError: CUDA out of memory. Tried\n"
                        "0: 2024-05-02T12:00:10Z end\n");
    ck_assert_uint_eq(rows.n_rows, 2);
    ck_assert_str_eq(text_of(HC_EVENTS_MESSAGE, 0),
                     "ValueError: five (File \"b.py\", line 2, in f)");
    ck_assert_str_eq(text_of(HC_EVENTS_NAME, 0), "ValueError");
    ck_assert_str_eq(text_of(HC_EVENTS_CLASS, 0), "python");
    ck_assert_int_eq(number_of(HC_EVENTS_RANK, 0), 5);
    ck_assert_str_eq(text_of(HC_EVENTS_NAME, 1), "torch.cuda.OutOfMemoryError");
    ck_assert_str_eq(text_of(HC_EVENTS_CLASS, 1), "out_of_memory");
    ck_assert_int_eq(number_of(HC_EVENTS_RANK, 1), 3);
    for (size_t i = 0; i < 2; i++) {
        ck_assert_int_eq(number_of(HC_EVENTS_FROM_NS, i), 1714651200 * S);
        ck_assert_int_eq(number_of(HC_EVENTS_TO_NS, i), 1714651210 * S);
        ck_assert_int_eq(number_of(HC_EVENTS_CLOCK, i), HC_CLOCK_BETWEEN);
    }
    forget();
}
END_TEST

START_TEST(torchrun_tells_who_failed_first)
{
    read_log("job.out", "============\ntrain.py FAILED\n------------\nFailures:\n[1]:\n"
                        "  rank      : 9 (local_rank: 1)\n------------\n"
                        "Root Cause (first observed failure):\n[0]:\n"
                        "  time      : 2024-05-02_12:34:57\n  host      : node01\n"
                        "  rank      : 3 (local_rank: 1)\n  exitcode  : -6 (pid: 1234)\n"
                        "  error_file: <N/A>\n"
                        "  traceback : Signal 6 (SIGABRT) received by PID 1234\n============\n");
    ck_assert_uint_eq(rows.n_rows, 1);
    ck_assert_str_eq(text_of(HC_EVENTS_CLASS, 0), "torchrun");
    ck_assert_str_eq(text_of(HC_EVENTS_NODE, 0), "node01");
    ck_assert_int_eq(number_of(HC_EVENTS_RANK, 0), 3);
    ck_assert_int_eq(number_of(HC_EVENTS_CODE, 0), -6);
    ck_assert_int_eq(number_of(HC_EVENTS_PID, 0), 1234);
    ck_assert_int_eq(number_of(HC_EVENTS_TIME_NS, 0), 1714653297 * S);
    ck_assert_str_eq(text_of(HC_EVENTS_MESSAGE, 0), "Signal 6 (SIGABRT) received by PID 1234");
    forget();
}
END_TEST

/* Without any stamp: before the file was written. */
static const struct {
    const char *line, *event_class, *effect, *name;
    int64_t rank, code;
} lines[] = {
    {"slurmstepd: error: *** JOB 7 ON n1 CANCELLED AT 2024-05-02T12:40:00 DUE TO TIME LIMIT ***",
     "scheduler", "scheduled", "TIME LIMIT", HC_MISSING_I32, HC_MISSING_I32},
    {"slurmstepd-n1: error: *** JOB 7 ON n1 CANCELLED AT 2024-05-02T12:40:00 DUE TO NODE FAILURE, "
     "SEE SLURMCTLD LOG FOR DETAILS ***",
     "scheduler", "stops", "NODE FAILURE", HC_MISSING_I32, HC_MISSING_I32},
    {"slurmstepd: error: *** STEP 7.0 ON n1 CANCELLED AT 2024-05-02T12:40:00 ***", "scheduler",
     "scheduled", "", HC_MISSING_I32, HC_MISSING_I32},
    {"srun: error: n1: task 5: Exited with exit code 137", "exit", "informs", "", 5, 137},
    {"srun: error: n1: tasks 0-3: Killed", "signal", "may_stop", "SIGKILL", 0, HC_MISSING_I32},
    {"RuntimeError: CUDA error: device-side assert triggered", "cuda", "program",
     "device-side assert triggered", HC_MISSING_I32, HC_MISSING_I32},
    {"RuntimeError: CUDA error: uncorrectable ECC error encountered", "cuda", "stops",
     "uncorrectable ECC error", HC_MISSING_I32, HC_MISSING_I32},
    {"n1:12:345 [2] NCCL WARN NET/IB : Got completion from peer", "nccl", "may_stop", "NET/IB",
     HC_MISSING_I32, HC_MISSING_I32},
    {"[n1:12345:0:12345] Caught signal 11 (Segmentation fault)", "segfault", "program", "",
     HC_MISSING_I32, HC_MISSING_I32},
    {"slurmstepd: error: Detected 1 oom_kill event in StepId=7.0. Some of the step tasks",
     "oom_killer", "program", "", HC_MISSING_I32, HC_MISSING_I32},
};

START_TEST(lines_say_what_they_are)
{
    read_log("job.out", lines[_i].line);
    ck_assert_uint_eq(rows.n_rows, 1);
    ck_assert_str_eq(text_of(HC_EVENTS_CLASS, 0), lines[_i].event_class);
    ck_assert_str_eq(text_of(HC_EVENTS_EFFECT, 0), lines[_i].effect);
    ck_assert_str_eq(text_of(HC_EVENTS_NAME, 0), lines[_i].name);
    ck_assert_int_eq(number_of(HC_EVENTS_RANK, 0), lines[_i].rank);
    ck_assert_int_eq(number_of(HC_EVENTS_CODE, 0), lines[_i].code);
    bool has_time = strstr(lines[_i].line, " AT ");
    ck_assert_int_eq(number_of(HC_EVENTS_TIME_NS, 0), has_time ? 1714653600 * S : 1714700000 * S);
    ck_assert_str_eq(text_of(HC_EVENTS_CLOCK, 0), has_time ? "zone_assumed" : "before_file");
    forget();
}
END_TEST

/* What Slurm 22.05 wrote of a job that took too much memory: one time, in the middle. */
START_TEST(a_time_in_a_line_dates_those_before_it)
{
    read_log(
        "slurm-7.out",
        "slurmstepd-n1: error: StepId=7.batch exceeded memory limit (300 > 100), being killed\n"
        "slurmstepd-n1: error: Exceeded job memory limit\n"
        "slurmstepd-n1: error: *** JOB 7 ON n1 CANCELLED AT 2024-05-02T12:40:00 ***\n"
        "slurmstepd-n1: error: StepId=7.batch exceeded memory limit (300 > 100), being killed\n");
    ck_assert_uint_eq(rows.n_rows, 3);
    for (size_t i = 0; i < 3; i++) {
        ck_assert_int_eq(number_of(HC_EVENTS_TIME_NS, i), 1714653600 * S);
        ck_assert_int_eq(number_of(HC_EVENTS_JOB, i), 7);
        ck_assert_str_eq(text_of(HC_EVENTS_CLOCK, i), i == 1 ? "zone_assumed" : "between");
        ck_assert_str_eq(text_of(HC_EVENTS_CLASS, i), i == 1 ? "scheduler" : "oom_killer");
    }
    ck_assert_int_eq(number_of(HC_EVENTS_TO_NS, 0), 1714653600 * S);
    forget();
}
END_TEST

static const struct {
    const char *text, *said;
} wrong[] = {
    {"[a]\nclass = nonsense\neffect = stops\nliteral = abcd\nregex = x\n",
     "site.conf:2:9: unknown class 'nonsense'"},
    {"class = cuda\n", "site.conf:1:1: a key before the first pattern"},
    {"[a]\nclass = cuda\neffect = stops\nliteral = abcd\n",
     "site.conf:1:1: pattern 'a' has no regex"},
    {"[a]\nclass = cuda\neffect = stops\nliteral = abcd\nregex = (\n",
     "site.conf:5:10: regex: missing closing parenthesis"},
    {"[a]\nclass = cuda\neffect = stops\nliteral = abcd\nregex = ab(?<colour>x)\n",
     "site.conf:5:14: no column for the group 'colour'"},
    {"[a]\n  literal = abc\n", "site.conf:2:13: fewer than four bytes"},
    {"[a]\nliteral = abcd\nliteral = abcd\n", "site.conf:3:1: a second 'literal'"},
    {"[a\n", "site.conf:1:1: not the beginning of a pattern"},
    {"# fine\n\n what\n", "site.conf:3:2: no 'KEY = VALUE'"},
};

START_TEST(wrong_patterns_are_told_with_their_line)
{
    struct hc_failure_patterns *patterns;
    struct hc_error why = {0};
    const struct hc_pattern_text site = {"site.conf", wrong[_i].text};
    ck_assert_int_eq(hc_failure_patterns_make(&patterns, site, &why), HC_BAD_INPUT);
    ck_assert_msg(strstr(why.message, wrong[_i].said), "%s", why.message);
}
END_TEST

START_TEST(patterns_of_a_site_go_first)
{
    struct hc_failure_patterns *patterns;
    struct hc_failure_groups groups;
    struct hc_event event = hc_event_none;
    const struct hc_pattern_text site = {
        "site.conf", "[ours]\nclass = other\neffect = informs\nliteral = NCCL WARN\n"
                     "regex = NCCL WARN (?<name>\\w+) on (?<device>mlx\\d)\n"};
    const char *line = "n1:1:1 [0] NCCL WARN Trouble on mlx5";
    ck_assert_int_eq(hc_failure_patterns_make(&patterns, site, &err), HC_OK);
    ck_assert(
        hc_failure_match(patterns, (struct hc_event_text){line, strlen(line)}, &event, &groups));
    ck_assert_int_eq(event.event_class, HC_EVENT_OTHER);
    ck_assert_uint_eq(event.device.length, 4);
    hc_failure_patterns_free(patterns);
}
END_TEST

int main(void)
{
    Suite *suite = suite_create("failure_lines");
    TCase *tests = tcase_create("failure_lines");
    tcase_add_test(tests, watchdogs_bound_the_fault);
    tcase_add_test(tests, tracebacks_of_ranks_are_told_apart);
    tcase_add_test(tests, torchrun_tells_who_failed_first);
    tcase_add_loop_test(tests, lines_say_what_they_are, 0, sizeof lines / sizeof *lines);
    tcase_add_test(tests, a_time_in_a_line_dates_those_before_it);
    tcase_add_loop_test(tests, wrong_patterns_are_told_with_their_line, 0,
                        sizeof wrong / sizeof *wrong);
    tcase_add_test(tests, patterns_of_a_site_go_first);
    suite_add_tcase(suite, tests);
    SRunner *runner = srunner_create(suite);
    srunner_run_all(runner, CK_ENV);
    int n_failed = srunner_ntests_failed(runner);
    srunner_free(runner);
    return n_failed ? 1 : 0;
}
