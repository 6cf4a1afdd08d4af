/* Files that grow: a log that is read up to any of its lines, and then from the mark that was left,
 * gives the rows that reading all of it gives; digests of beginnings; which files are of one log.
 */
#include "core/base/log.h"
#include "core/tables/logs/log_tables.h"
#include "parsers/failures/failure_state.h"
#include "parsers/io/log_name.h"
#include "parsers/io/watermark.h"
#include "parsers/registry/format_registry.h"
#include "pipeline/kinds/kind.h"
#include "tests/support/bytes_source.h"

#include <check.h>
#include <inttypes.h>
#include <string.h>

#define ROOM 4000 /* rows of a table */

static struct hc_error err;

/* What one reading gave. */
struct reading {
    size_t n_tables;
    struct hc_table table[HC_KIND_MOST_TABLES];
    struct hc_read_mark mark;
    int64_t n_waiting;
};

/* Where it begins, and what it knows: NULL, the start. */
static struct reading read_text(const struct hc_format *format, const char *text, size_t length,
                                const struct hc_read_mark *go_on, bool may_grow)
{
    struct reading reading = {.n_tables = 0};
    const struct hc_kind *kind = hc_kind_find(format->table->name);
    const struct hc_table_def *const *defs = kind->yields ? kind->yields : kind->tables;
    struct hc_source source = bytes_source("runs/1234.out", text, length);
    struct hc_row_report report = {0};
    struct hc_table_names names;
    void *parser = NULL;
    source.state.info.st_mtim.tv_sec = 1772999999;
    ck_assert_int_eq(hc_kind_start_names(kind, true, &names, &err), HC_OK);
    for (; *defs && (format->next_tables || reading.n_tables == 0); defs++)
        ck_assert_int_eq(hc_table_init(&reading.table[reading.n_tables++], *defs, ROOM, &err),
                         HC_OK);
    const struct hc_parse_options options = {.names = &names, .may_grow = may_grow, .go_on = go_on};
    ck_assert_msg(!format->open(&parser, &source, &options, &err), "%s", err.message);
    for (size_t had = 1, n = 0; had != n;) {
        had = n;
        n = 0;
        ck_assert_msg(!(format->next_tables ? format->next_tables : format->next_batch)(
                          parser, reading.table, &report, &err),
                      "%s", err.message);
        for (size_t t = 0; t < reading.n_tables; t++)
            n += reading.table[t].n_rows;
        had = n == 0 ? 0 : had;
    }
    reading.mark.state = format->state_size ? calloc(1, format->state_size) : NULL;
    format->mark(parser, &reading.mark);
    reading.n_waiting = report.rows_waiting;
    format->close(parser);
    hc_row_report_fini(&report);
    hc_table_names_fini(&names);
    hc_source_close(&source);
    return reading;
}

static void forget(struct reading *reading)
{
    free(reading->mark.state);
    for (size_t t = 0; t < reading->n_tables; t++)
        hc_table_fini(&reading->table[t]);
}

/* Columns of texts have codes of their own in each reading. */
static bool is_same_row(const struct hc_table *a, size_t i, const struct hc_table *b, size_t j)
{
    for (size_t c = 0; c < a->def->n_columns; c++) {
        const struct hc_column_def *column = &a->def->columns[c];
        if (column->dictionary)
            continue;
        if (column->type == HC_I32 ? hc_table_i32(a, c)[i] != hc_table_i32(b, c)[j]
                                   : memcmp(&hc_table_i64(a, c)[i], &hc_table_i64(b, c)[j], 8))
            return false;
    }
    return true;
}

static bool has_row(const struct hc_table *in, const struct hc_table *of, size_t row)
{
    for (size_t i = 0; i < in->n_rows; i++)
        if (is_same_row(in, i, of, row))
            return true;
    return false;
}

/* Each row of all is in the part that was read first, or in the rest; and each of the rest in all.
 */
static void check_rest(const struct reading *all, const struct reading *first,
                       const struct reading *rest)
{
    for (size_t t = 0; t < all->n_tables; t++) {
        const struct hc_table *table = &all->table[t];
        for (size_t i = 0; i < table->n_rows; i++)
            ck_assert_msg(has_row(&first->table[t], table, i) || has_row(&rest->table[t], table, i),
                          "%s: row %zu is lacking", table->def->name, i);
        for (size_t i = 0; i < rest->table[t].n_rows; i++)
            ck_assert_msg(has_row(table, &rest->table[t], i), "%s: row %zu is too much",
                          table->def->name, i);
    }
}

static const struct {
    const char *format;
    size_t least; /* places after which a mark must be left */
    const char *text;
} grown[] = {
    {"training-log", 26,
     "using world size: 64, data-parallel-size: 4\n"
     ">>> done with compiling and loading fused kernels. Compilation time: 17.880 seconds\n"
     "time to initialize megatron (seconds): 54.967\n"
     "[after megatron is initialized] datetime: 2026-03-01 10:00:00 \n"
     "(min, max) time across ranks (ms):\n"
     "    load-checkpoint ......: (90.12, 95.34)\n"
     "[after model, optimizer, and learning rate scheduler are built] datetime: 2026-03-01 "
     "10:01:00\n"
     " successfully loaded checkpoint from /ckpt [ t 1/8 ] at iteration 4\n"
     "[after dataloaders are built] datetime: 2026-03-01 10:02:00 \n"
     "[before the start of training step] datetime: 2026-03-01 10:02:01 \n"
     " [2026-03-01 10:03:00.5] iteration 5/ 50 | elapsed time per iteration (ms): 500.5 | lm loss: "
     "3\n"
     "times across ranks (ms):\n"
     "  forward-compute:\n"
     "     rank  0: 12.50\n"
     "another line\n"
     "     rank  1: 13.50\n"
     " iteration 7/ 50 | elapsed time per iteration (ms): 500.5 | lm loss: 3\n"
     "successfully saved checkpoint from iteration 7 to /ckpt [ t 1/8 ]\n"
     "3: Traceback (most recent call last):\n"
     "3:   File \"a.py\", line 3, in main\n"
     "using world size: 32, data-parallel-size: 4\n"
     "[after megatron is initialized] datetime: 2026-03-01 11:00:00 \n"
     "3: ValueError: wrong\n"
     " [2026-03-01 11:03:00.5] iteration 8/ 50 | elapsed time per iteration (ms): 400.5 | lm loss: "
     "3\n"
     "torch.OutOfMemoryError: CUDA out of memory. Tried to allocate 8 MiB\n"
     " [2026-03-01 11:04:00.5] iteration 9/ 50 | elapsed time per iteration (ms): 400.5 | lm loss: "
     "3\n"
     "Root Cause (first observed failure):\n[0]:\n  time      : 2026-03-01_11:05:00\n  host      : "
     "n1\n"
     "  rank      : 3 (local_rank: 3)\n  exitcode  : 1 (pid: 77)\n  traceback : Signal 1\n=====\n"
     "[after training is done] datetime: 2026-03-01 11:06:00\n"},
    {"job-log", 4,
     "torch.OutOfMemoryError: CUDA out of memory. Tried to allocate 7 MiB\n"
     "[2026-03-01 11:03:00,123] well\n"
     "Traceback (most recent call last):\n"
     "  File \"a.py\", line 3, in main\n"
     "ValueError: wrong\n"
     "[2026-03-01 11:04:00,123] CUDA error: an illegal memory access was encountered\n"
     "torch.OutOfMemoryError: CUDA out of memory. Tried to allocate 8 MiB\n"
     "[2026-03-01 11:05:00,123] well\n"
     "torch.OutOfMemoryError: CUDA out of memory. Tried to allocate 9 MiB\n"},
    {"kernel-log", 3,
     "[    0.000000] Linux version 6.1.0\n"
     "[    0.500000] rtc_cmos 00:00: setting system clock to 2026-03-01T00:00:00 UTC (1772323200)\n"
     "[   10.500000] NVRM: Xid (PCI:0000:9b:00): 79, pid=1, GPU has fallen off the bus.\n"
     "[   11.500000] NVRM: Xid (PCI:0000:9b:00): 31, pid=2, name=python\n"},
    {"phase-marks", 4,
     "hindcast-phase 1 2026-03-01T10:00:00Z start image job=7 node=n1\n"
     "hindcast-phase 1 2026-03-01T10:00:01Z start init job=7 node=n2\n"
     "hindcast-phase 1 2026-03-01T10:01:00Z end image job=7 node=n1\n"
     "hindcast-phase 1 2026-03-01T10:02:00Z end init job=7 node=n2\n"},
    {"slurm-sacct", 3,
     "JobID|Submit|Start|End|ElapsedRaw|State|Comment|JobName\n"
     "1|2026-03-01T00:00:00|2026-03-01T01:00:00|2026-03-01T03:00:00|7200|COMPLETED||a|b\n"
     "2|2026-03-01T00:00:00|2026-03-01T01:00:00|2026-03-01T03:00:00|7200|FAILED|two\nlines|c\n"
     "3|2026-03-01T00:00:00|2026-03-01T01:00:00|2026-03-01T03:00:00|7200|FAILED||d\n"},
};

START_TEST(reading_goes_on_behind_any_line)
{
    const struct hc_format *format = hc_format_find(grown[_i].format);
    const char *text = grown[_i].text;
    size_t length = strlen(text), n_marks = 0;
    struct reading all = read_text(format, text, length, NULL, true);
    for (const char *feed = text; (feed = strchr(feed, '\n')); feed++) {
        struct reading first = read_text(format, text, (size_t)(feed + 1 - text), NULL, true);
        if (first.mark.offset) {
            ck_assert_int_le(first.mark.offset, feed + 1 - text);
            ck_assert_int_eq(text[first.mark.offset - 1], '\n');
            struct reading rest = read_text(format, text, length, &first.mark, true);
            check_rest(&all, &first, &rest);
            forget(&rest);
            n_marks++;
        }
        forget(&first);
    }
    ck_assert_uint_ge(n_marks, grown[_i].least);
    forget(&all);
}
END_TEST

/* More failures wait for a stamp at the end of a long log than a state holds: the place to go on is
 * not far before them. */
START_TEST(a_place_before_an_end_that_waits)
{
    const struct hc_format *format = hc_format_find("job-log");
    size_t room = (size_t)3 << 20, n = 0;
    char *text = malloc(room + 100 * (HC_FAILURE_WAITING + 4));
    n += (size_t)sprintf(text, "[2026-03-01 11:03:00,123] well\n");
    while (n < room)
        n += (size_t)sprintf(text + n, "a line of no stamp\n");
    size_t before = n;
    for (int i = 0; i <= HC_FAILURE_WAITING; i++)
        n +=
            (size_t)sprintf(text + n, "torch.OutOfMemoryError: CUDA out of memory. Number %d\n", i);
    struct reading first = read_text(format, text, n, NULL, true);
    ck_assert_uint_eq(first.table[0].n_rows, HC_FAILURE_WAITING + 1);
    ck_assert_int_gt(first.mark.offset, (int64_t)before - ((int64_t)1 << 20) - 200);
    ck_assert_int_le(first.mark.offset, (int64_t)before + 60 * HC_FAILURE_WAITING);
    size_t longer = n + (size_t)sprintf(text + n, "[2026-03-01 11:13:00,123] well\n");
    struct reading all = read_text(format, text, longer, NULL, true);
    struct reading rest = read_text(format, text, longer, &first.mark, true);
    const struct reading none = {.n_tables = 1, .table = {{.def = all.table[0].def}}};
    check_rest(&all, &none, &rest);
    forget(&first);
    forget(&all);
    forget(&rest);
    free(text);
}
END_TEST

/* Ends that wait: a traceback in a log without a stamp, a block of torchrun, a launch that says
 * neither its time nor a step. */
static const struct {
    const char *format, *text;
    size_t table, n_rows; /* of the table that waits, at rest */
    size_t n_told;        /* of them, those that do not wait */
} waiting[] = {
    {"job-log",
     "Traceback (most recent call last):\n  File \"a.py\", line 3, in main\nValueError: wrong\n", 0,
     1, 0},
    {"job-log",
     "Root Cause (first observed failure):\n[0]:\n  time      : 2026-03-01_10:00:00\n"
     "  host      : n1\n  rank      : 3 (local_rank: 0)\n  exitcode  : 1 (pid: 7)\n",
     0, 1, 0},
    {"job-log",
     "torch.OutOfMemoryError: CUDA out of memory.\nn1:18:25 [0] misc/socket.cc:50 NCCL "
     "WARN socketProgress: Connection closed by remote peer n18\n",
     0, 2, 0},
    {"training-log", "using world size: 16, data-parallel-size: 4\n", HC_LOG_CYCLES, 1, 0},
    {"training-log",
     "torch.OutOfMemoryError: CUDA out of memory.\nslurmstepd: error: *** STEP 3.0 ON n1 CANCELLED "
     "AT 2026-03-05T19:27:09 DUE TO TIME LIMIT ***\n", /* whose time is the first one's, too */
     HC_LOG_EVENTS, 2, 2},
    {"training-log",
     "using world size: 16, data-parallel-size: 4\ntorch.OutOfMemoryError: CUDA out of memory.\n",
     HC_LOG_EVENTS, 1, 0},
};

/* What has no time but that of the file waits while that may change, and is told at rest. Where the
 * file is gone by then, it is told by what was known at its end. */
START_TEST(an_end_that_waits_is_known_to_its_mark)
{
    const struct hc_format *format = hc_format_find(waiting[_i].format);
    const char *text = waiting[_i].text;
    size_t length = strlen(text), table = waiting[_i].table, n_rows = waiting[_i].n_rows;
    struct reading growing = read_text(format, text, length, NULL, true);
    struct reading at_rest = read_text(format, text, length, NULL, false);
    ck_assert_uint_eq(growing.table[table].n_rows, waiting[_i].n_told);
    ck_assert_int_ge(growing.n_waiting, (int64_t)(n_rows - waiting[_i].n_told));
    ck_assert_int_eq(growing.mark.offset, (int64_t)length);
    ck_assert_uint_eq(at_rest.table[table].n_rows, n_rows);
    ck_assert_int_eq(at_rest.n_waiting, 0);
    struct reading rest = read_text(format, text, length, &growing.mark, false);
    check_rest(&at_rest, &growing, &rest);
    forget(&growing);
    forget(&at_rest);
    forget(&rest);
}
END_TEST

START_TEST(digests_of_beginnings)
{
    char bytes[1000], whole[HC_DIGEST_TEXT], wanted[HC_DIGEST_TEXT];
    struct hc_digest_cut cut[] = {{1, ""}, {400, ""}, {400, ""}, {1000, ""}, {1001, ""}};
    struct hc_digest_cuts cuts = {.n = 5, .cut = cut};
    struct hc_digest_run *run = NULL;
    for (size_t i = 0; i < sizeof bytes; i++)
        bytes[i] = (char)(i == 100 || i == 899 ? '\n' : 'a' + i % 26);
    ck_assert_int_eq(hc_digest_run_start(&run, &cuts, &err), HC_OK);
    for (size_t at = 0; at < sizeof bytes; at += 250)
        hc_digest_run_take(run, bytes + at, 250);
    hc_digest_run_end(run, whole);
    for (int i = 0; i < 4; i++) {
        hc_digest_bytes(bytes, (size_t)cut[i].offset, wanted);
        ck_assert_str_eq(cut[i].text, wanted);
    }
    ck_assert_str_eq(cut[4].text, "");
    ck_assert_str_eq(whole, wanted);
    ck_assert_int_eq(cuts.last_line.offset, 900);
    hc_digest_bytes(bytes, 900, wanted);
    ck_assert_str_eq(cuts.last_line.text, wanted);
}
END_TEST

static const struct {
    const char *path, *log;
    bool is_same_id; /* its rows are those of a log of that name */
} paths[] = {
    {"/a/run.log", "/a/run.log", true},
    {"/a/run.log.1", "/a/run.log", true},
    {"/a/run.log.12.gz", "/a/run.log", true},
    {"/a/run.log-20260301", "/a/run.log", true},
    {"/a/run.log-20260301.xz", "/a/run.log", true},
    {"/a/run.log-20260301-1772323200.zst", "/a/run.log", true},
    {"/a/run.log-20260301-10", "/a/run.log", true},
    {"/a/messages-20260301", "/a/messages", false}, /* the date may be its own */
    {"/a/run.1.log", "/a/run.log", false},          /* so may the number: its content tells */
    {"/a/run.12.txt.gz", "/a/run.txt", false},
    {"/a/run-20260301.log", "/a/run.log", false},
    {"/a/run-20261301", "/a/run-20261301", true},
    {"/a/run.log-100234", "/a/run.log-100234", true},
    {"/a/100234.out", "/a/100234.out", true},
};

static int64_t id_of(const char *path)
{
    struct hc_log_name name;
    struct hc_error err = {0};
    ck_assert_int_eq(hc_log_name_read(&name, path, &err), HC_OK);
    return name.id;
}

START_TEST(files_of_one_log)
{
    ck_assert_uint_eq(hc_log_path_key(paths[_i].path), hc_log_path_key(paths[_i].log));
    ck_assert_int_eq(id_of(paths[_i].path) == id_of(paths[_i].log), paths[_i].is_same_id);
}
END_TEST

/* Of slurm-%A_%a.out Slurm makes slurm-7000_4294967294.out where the job is no array. */
START_TEST(job_in_the_name)
{
    static const struct {
        const char *path;
        int64_t job;
    } names[] = {
        {"/a/slurm-7000.out", 7000},
        {"/a/slurm-7000_3.out", 7000},
        {"/a/slurm-7000_4294967294.out", 7000},
        {"/a/4294967294_7000.out", 7000},
        {"/a/slurm-7000_4294967293.out", HC_MISSING_I64},
        {"/a/slurm-4294967294.out", HC_MISSING_I64},
        {"/a/train-12.out", HC_MISSING_I64},
    };
    for (size_t i = 0; i < sizeof names / sizeof *names; i++) {
        struct hc_log_name name;
        struct hc_error err = {0};
        ck_assert_int_eq(hc_log_name_read(&name, names[i].path, &err), HC_OK);
        ck_assert_msg(name.job == names[i].job, "%s: %" PRId64, names[i].path, name.job);
    }
}
END_TEST

int main(void)
{
    hc_log_hush(true);
    Suite *suite = suite_create("read_mark");
    TCase *tests = tcase_create("read_mark");
    tcase_set_timeout(tests, 60);
    tcase_add_loop_test(tests, reading_goes_on_behind_any_line, 0, sizeof grown / sizeof *grown);
    tcase_add_test(tests, a_place_before_an_end_that_waits);
    tcase_add_loop_test(tests, an_end_that_waits_is_known_to_its_mark, 0,
                        sizeof waiting / sizeof *waiting);
    tcase_add_test(tests, digests_of_beginnings);
    tcase_add_loop_test(tests, files_of_one_log, 0, sizeof paths / sizeof *paths);
    suite_add_tcase(suite, tests);
    tcase_add_test(tests, job_in_the_name);
    SRunner *runner = srunner_create(suite);
    srunner_run_all(runner, CK_ENV);
    int n_failed = srunner_ntests_failed(runner);
    srunner_free(runner);
    return n_failed ? 1 : 0;
}
