/* Logs of training runs: timers in their dialects, phases of start-up, straggler lines; and a log
 * that is read while it grows. */
#include "core/tables/logs/log_tables.h"
#include "core/tables/nodes/phase_table.h"
#include "parsers/logs/pattern_check.h"
#include "parsers/registry/format_registry.h"
#include "pipeline/kinds/kind.h"
#include "tests/support/bytes_source.h"

#include <check.h>
#include <math.h>
#include <string.h>

#define S     ((int64_t)1000000000)
#define START (1622151766 * S) /* 2021-05-27 21:42:46 UTC */

static struct hc_error err;
static struct hc_table_names names;
static struct hc_table rows[HC_N_LOG_TABLES];

static struct hc_pattern_text patterns;

/* The rows of a log, read in batches of n. */
static void read_batches(const struct hc_format *format, const char *text, size_t length, size_t n)
{
    struct hc_source source = bytes_source("runs/1234.out", text, length);
    struct hc_row_report report = {0};
    struct hc_table some[HC_N_LOG_TABLES];
    void *parser = NULL;
    size_t n_new;
    source.state.info.st_mtim.tv_sec = 1714700000;
    ck_assert_int_eq(hc_kind_start_names(&hc_kind_train_steps, true, &names, &err), HC_OK);
    for (int t = 0; t < HC_N_LOG_TABLES; t++) {
        ck_assert_int_eq(hc_table_init(&rows[t], hc_log_tables[t], 400, &err), HC_OK);
        ck_assert_int_eq(hc_table_init(&some[t], hc_log_tables[t], n, &err), HC_OK);
    }
    const struct hc_parse_options options = {.names = &names, .patterns = patterns};
    ck_assert_int_eq(format->open(&parser, &source, &options, &err), HC_OK);
    do {
        n_new = 0;
        for (int t = 0; t < HC_N_LOG_TABLES; t++)
            some[t].n_rows = 0;
        ck_assert_int_eq(format->next_tables(parser, some, &report, &err), HC_OK);
        for (int t = 0; t < HC_N_LOG_TABLES; t++) {
            hc_table_append(&rows[t], &some[t], 0, some[t].n_rows);
            n_new += some[t].n_rows;
        }
    } while (n_new);
    format->close(parser);
    for (int t = 0; t < HC_N_LOG_TABLES; t++)
        hc_table_fini(&some[t]);
    hc_row_report_fini(&report);
    hc_source_close(&source);
}

static void read_log(const char *text)
{
    read_batches(&hc_format_training_log, text, strlen(text), 8);
}

static void forget(void)
{
    for (int t = 0; t < HC_N_LOG_TABLES; t++)
        hc_table_fini(&rows[t]);
    hc_table_names_fini(&names);
}

static const char *text_of(enum hc_log_table table, size_t column, size_t row)
{
    int32_t code = hc_table_i32(&rows[table], column)[row];
    if (code == HC_MISSING_I32)
        return "";
    return hc_table_names_find(&names, rows[table].def->columns[column].dictionary)->text[code];
}

static const char start_up[] =
    "using world size: 64, data-parallel-size: 4\n"
    ">>> done with dataset index builder. Compilation time: 0.109 seconds\n"
    ">>> done with compiling and loading fused kernels. Compilation time: 17.880 seconds\n"
    "time to initialize megatron (seconds): 54.967\n"
    "[after megatron is initialized] datetime: 2021-05-27 21:42:46 \n"
    "time (ms) | load-checkpoint: 2500.50\n"
    "[after model, optimizer, and learning rate scheduler are built] datetime: 2021-05-27 21:42:56 "
    "\n"
    "[after dataloaders are built] datetime: 2021-05-27 21:42:58 \n"
    "time (ms) | model-and-optimizer-setup: 330.34 | train/valid/test-data-iterators-setup: "
    "512.59\n"
    "[before the start of training step] datetime: 2021-05-27 21:43:00 \n"
    " iteration        1/     100 | consumed samples:         1024 | elapsed time per iteration "
    "(ms): 10500.5 | lm loss: 1.1E+01 | TFLOPs: 147.61 |\n"
    "time (ms) | forward-compute: 29733.63 | backward-compute: 79549.00 | optimizer: 323.04\n";

struct phase {
    enum hc_phase phase;
    int64_t start_ns, end_ns;
};

static const struct phase phases_of_start_up[] = {
    {HC_PHASE_INIT, START - 54967 * S / 1000, START - 17880 * S / 1000},
    {HC_PHASE_COMPILE, START - 17880 * S / 1000, START},
    {HC_PHASE_DATA, START + 10 * S, START + 12 * S},
    {HC_PHASE_INIT, START, START + 10 * S - 25005 * S / 10000},
    {HC_PHASE_LOAD, START + 10 * S - 25005 * S / 10000, START + 10 * S},
    {HC_PHASE_FIRST_STEP, START + 14 * S, START + 14 * S + 105005 * S / 10000},
};
#define N_PHASES (sizeof phases_of_start_up / sizeof *phases_of_start_up)

START_TEST(start_up_is_split)
{
    read_log(start_up);
    const struct hc_table *t = &rows[HC_LOG_PHASES];
    ck_assert_uint_eq(t->n_rows, N_PHASES);
    for (size_t i = 0; i < N_PHASES; i++) {
        const struct phase *wanted = &phases_of_start_up[i];
        ck_assert_int_eq(hc_table_i32(t, HC_PHASES_PHASE)[i], wanted->phase);
        ck_assert_int_eq(hc_table_i64(t, HC_PHASES_START_NS)[i], wanted->start_ns);
        ck_assert_int_eq(hc_table_i64(t, HC_PHASES_END_NS)[i], wanted->end_ns);
        ck_assert_int_eq(hc_table_i64(t, HC_PHASES_JOB)[i], 1234);
        ck_assert_int_eq(hc_table_i32(t, HC_PHASES_CYCLE)[i], 0);
        ck_assert_int_eq(hc_table_i64(t, HC_PHASES_LOG_ID)[i],
                         hc_table_i64(&rows[HC_LOG_CYCLES], HC_CYCLES_LOG_ID)[0]);
    }
    ck_assert(hc_table_f64(&rows[HC_LOG_STEPS], HC_TRAIN_STEPS_TFLOPS)[0] == 147.61);
    forget();
}
END_TEST

/* A log is read again and again while it grows: what a part of it tells of start-up, the whole
 * tells too, to the last digit. */
START_TEST(growing_log_takes_nothing_back)
{
    for (size_t length = 0; length < sizeof start_up - 1; length++) {
        if (length && start_up[length - 1] != '\n')
            continue;
        read_batches(&hc_format_training_log, start_up, length, 8);
        const struct hc_table *t = &rows[HC_LOG_PHASES];
        for (size_t i = 0; i < t->n_rows; i++) {
            size_t k = 0;
            while (k < N_PHASES &&
                   (phases_of_start_up[k].start_ns != hc_table_i64(t, HC_PHASES_START_NS)[i] ||
                    phases_of_start_up[k].end_ns != hc_table_i64(t, HC_PHASES_END_NS)[i]))
                k++;
            ck_assert_uint_lt(k, N_PHASES);
        }
        forget();
    }
}
END_TEST

/* A measure of a name in the order of rows; its row. */
static size_t measure(const char *name, size_t nth)
{
    for (size_t i = 0; i < rows[HC_LOG_MEASURES].n_rows; i++)
        if (strcmp(text_of(HC_LOG_MEASURES, HC_TRAIN_MEASURES_NAME, i), name) == 0 && nth-- == 0)
            return i;
    ck_abort_msg("no measure '%s'", name);
}

static double real(size_t column, size_t row)
{
    return hc_table_f64(&rows[HC_LOG_MEASURES], column)[row];
}

static int32_t small(size_t column, size_t row)
{
    return hc_table_i32(&rows[HC_LOG_MEASURES], column)[row];
}

/* Megatron tells of an evaluation by its loss; since 2023 also of what set it is. */
START_TEST(evaluations)
{
    read_log(
        "using world size: 8, data-parallel size: 8\n"
        " [2026-03-01 10:00:00.000000] iteration      100/     200 | elapsed time per iteration "
        "(ms): 100.0 | \n"
        " validation loss at iteration 100 | lm loss value: 8.017406E+00 | lm loss PPL: "
        "3.033300E+03 | \n"
        " [2026-03-01 10:00:10.000000] iteration      200/     200 | elapsed time per iteration "
        "(ms): 100.0 | \n"
        " validation loss at iteration 200 on test set | lm loss value: 7.5E+00 | \n"
        " validation loss at iteration 200 | lm loss value: much | \n");
    ck_assert_uint_eq(rows[HC_LOG_MEASURES].n_rows, 2);
    ck_assert(real(HC_TRAIN_MEASURES_VALUE, measure("validation_loss", 0)) == 8.017406);
    ck_assert(real(HC_TRAIN_MEASURES_VALUE, measure("validation_loss", 1)) == 7.5);
    ck_assert_int_eq(hc_table_i64(&rows[HC_LOG_MEASURES], HC_TRAIN_MEASURES_ITERATION)[1], 200);
    forget();
}
END_TEST

START_TEST(timers_of_one_rank)
{
    read_log(start_up);
    ck_assert_uint_eq(rows[HC_LOG_MEASURES].n_rows, 6);
    size_t row = measure("backward-compute", 0);
    ck_assert(real(HC_TRAIN_MEASURES_VALUE, row) == 79.549);
    ck_assert(isnan(real(HC_TRAIN_MEASURES_MAX, row)));
    ck_assert_str_eq(text_of(HC_LOG_MEASURES, HC_TRAIN_MEASURES_UNIT, row), "s");
    ck_assert_int_eq(hc_table_i64(&rows[HC_LOG_MEASURES], HC_TRAIN_MEASURES_ITERATION)[row], 1);
    row = measure("train/valid/test-data-iterators-setup", 0);
    ck_assert(real(HC_TRAIN_MEASURES_VALUE, row) == 0.51259);
    ck_assert_int_eq(hc_table_i64(&rows[HC_LOG_MEASURES], HC_TRAIN_MEASURES_ITERATION)[row],
                     HC_MISSING_I64);
    forget();
}
END_TEST

START_TEST(timers_over_all_ranks)
{
    read_log("vm-1:  iteration 7/ 9 | elapsed time per iteration (ms): 1.5 |\n"
             "vm-1: (min, max) time across ranks (ms):\n"
             "vm-1:     forward-backward ...............................: (900.12, 950.34)\n"
             "vm-0: something else that was printed between\n"
             "12:     optimizer ......................................: (1.00, 2.00)\n"
             "max time across ranks (ms):\n"
             "    forward-backward ...............................: 950.34\n"
             "times across ranks (ms):\n"
             "  forward-compute:\n"
             "     rank  0: 12.50\n"
             "     rank 11: 13.25\n"
             "  optimizer:\n"
             "     rank  0: 3.00\n"
             "(min, max) time across ranks (ms):\n"
             "    all-grads-sync .................................: (5.00, 6.00)\n");
    ck_assert_uint_eq(rows[HC_LOG_MEASURES].n_rows, 7);
    size_t row = measure("forward-backward", 0);
    ck_assert(real(HC_TRAIN_MEASURES_MIN, row) == 0.90012);
    ck_assert(real(HC_TRAIN_MEASURES_MAX, row) == 0.95034);
    ck_assert(real(HC_TRAIN_MEASURES_MAX, measure("optimizer", 0)) == 0.002);
    row = measure("forward-backward", 1);
    ck_assert(isnan(real(HC_TRAIN_MEASURES_MIN, row)));
    ck_assert(real(HC_TRAIN_MEASURES_MAX, row) == 0.95034);
    row = measure("forward-compute", 1);
    ck_assert(real(HC_TRAIN_MEASURES_VALUE, row) == 0.01325);
    ck_assert_int_eq(small(HC_TRAIN_MEASURES_RANK, row), 11);
    ck_assert(real(HC_TRAIN_MEASURES_VALUE, measure("optimizer", 1)) == 0.003);
    ck_assert(real(HC_TRAIN_MEASURES_MIN, measure("all-grads-sync", 0)) == 0.005);
    forget();
}
END_TEST

START_TEST(straggler_lines)
{
    read_log(
        " [2026-03-01 10:11:12] iteration 50/ 100 | elapsed time per iteration (ms): 123.4 |\n"
        "[2026-03-01 10:11:13] | MnRtt/Rnk: 123.45ms/7 | MxRtt/Rnk: 130.00ms/2 | MnPwr/Rnk: "
        "412.00W/3 | MxPwr/Rnk: 650.00W/1 | MnTmp/Rnk: 40.00C/2 | MxTmp/Rnk: 61.00C/5 | "
        "MnUtl/Rnk: 99.00%/0 | MxUtl/Rnk: 100.00%/1 | MnClk/Rnk: 1755.00MHz/9 | MxClk/Rnk: "
        "1980.00MHz/4 | MnDRtt/Rnk: 300.00us/1 | MxDRtt/Rnk: 0.75ms/6 | MnEtpt/Rnk: 129.44TF/0 | "
        "MxEtpt/Rnk: 129.54TF/2\n"
        "^^^^ Bottom 2 Ranks with lowest  Etpt(TF): 129.44/0, 129.46/5\n"
        "^^^^ Top    2 Ranks with highest Etpt(TF): 129.54/2, 129.53/1\n");
    ck_assert_uint_eq(rows[HC_LOG_MEASURES].n_rows, 7 + 4);
    size_t row = measure("straggler-rtt", 0);
    ck_assert(real(HC_TRAIN_MEASURES_MIN, row) == 0.12345);
    ck_assert(real(HC_TRAIN_MEASURES_MAX, row) == 0.13);
    ck_assert_int_eq(small(HC_TRAIN_MEASURES_MIN_RANK, row), 7);
    ck_assert_int_eq(small(HC_TRAIN_MEASURES_MAX_RANK, row), 2);
    row = measure("straggler-data-rtt", 0);
    ck_assert(fabs(real(HC_TRAIN_MEASURES_MIN, row) - 0.0003) < 1e-15);
    ck_assert(real(HC_TRAIN_MEASURES_MAX, row) == 0.00075);
    row = measure("straggler-clock", 0);
    ck_assert(real(HC_TRAIN_MEASURES_MIN, row) == 1755);
    ck_assert_str_eq(text_of(HC_LOG_MEASURES, HC_TRAIN_MEASURES_UNIT, row), "MHz");
    row = measure("straggler-throughput", 2);
    ck_assert(real(HC_TRAIN_MEASURES_VALUE, row) == 129.46);
    ck_assert_int_eq(small(HC_TRAIN_MEASURES_RANK, row), 5);
    ck_assert_int_eq(hc_table_i64(&rows[HC_LOG_MEASURES], HC_TRAIN_MEASURES_ITERATION)[row], 50);
    ck_assert_int_eq(hc_table_i64(&rows[HC_LOG_MEASURES], HC_TRAIN_MEASURES_TIME_NS)[row] / S,
                     1772359873);
    forget();
}
END_TEST

START_TEST(values_of_megatrons_tests)
{
    static const char text[] =
        "{\"lm loss\": {\"start_step\": 1, \"end_step\": 10, \"step_interval\": 5, \"values\": "
        "{\"1\": 12.5, \"5\": 11.25, \"10\": \"nan\"}}, \"num-zeros\": {\"values\": {\"1\": 7}}, "
        "\"iteration-time\": {\"step_interval\": 5, \"values\": {\"5\": 8.96, \"10\": 1.5}}}";
    ck_assert_int_gt(
        hc_format_megatron_golden.probe((const unsigned char *)text, strlen(text), "x.json"), 0);
    read_batches(&hc_format_megatron_golden, text, strlen(text), 2);
    const struct hc_table *t = &rows[HC_LOG_STEPS]; /* those of one iteration have one key */
    ck_assert_uint_eq(t->n_rows, 4);
    ck_assert(hc_table_f64(t, HC_TRAIN_STEPS_LOSS)[1] == 11.25);
    ck_assert_int_eq(hc_table_i64(t, HC_TRAIN_STEPS_DURATION_NS)[2], 8960000000);
    ck_assert_int_eq(hc_table_i64(t, HC_TRAIN_STEPS_END_NS)[1],
                     hc_table_i64(t, HC_TRAIN_STEPS_END_NS)[2]);
    ck_assert_uint_eq(rows[HC_LOG_MEASURES].n_rows, 1);
    ck_assert_uint_eq(rows[HC_LOG_CYCLES].n_rows, 1);
    forget();
}
END_TEST

static const char our_patterns[] =
    "# lines of our trainer\n"
    "[step]\ntells = step\nliteral = step=\n"
    "regex = step=(?<iteration>\\S+) loss=(?<loss>\\S+) ms=(?<elapsed_ms>[\\d.]+) "
    "rate=(?<rate>[\\d,]+)\n"
    "[start]\ntells = cycle\nliteral = ranks\nregex = on (?<world_size>\\d+) ranks\n"
    "[saved]\ntells = checkpoint_saved\nliteral = saved\n"
    "regex = (?<iteration>\\d+) saved to (?<path>\\S+) at (?<time>\\d+)\n"
    "[compiled]\ntells = phase\nphase = compile\nname = graphs\nliteral = compiled\n"
    "regex = compiled in (?<elapsed_s>[\\d.]+)\n"
    "[power]\ntells = measure\nname = power\nunit = W\nliteral = power\n"
    "regex = power (?<min>\\S+) to (?<max>\\S+)\n"
    "[over]\ntells = done\nliteral = bye!\nregex = bye\n"
    "[lost]\nclass = other\neffect = stops\nliteral = lost\nregex = lost (?<node>\\w+)\n";

START_TEST(lines_by_patterns_of_a_site)
{
    patterns = (struct hc_pattern_text){"site.conf", our_patterns};
    read_log("2026-03-01 10:11:12 training on 16 ranks\n"
             "2026-03-01 10:11:52 compiled in 30.5 s\n"
             "[trainer] 2026-03-01 10:12:12.5 step=4 loss=2.5 ms=1500.5 rate=12,345\n"
             "step=x loss=2.5 ms=1500.5 rate=1\n"
             "4 saved to /ckpt/4 at 1772359990\n"
             "power 412 to 650\n"
             "lost n17\n"
             "bye!\n");
    patterns = (struct hc_pattern_text){0};
    const struct hc_table *steps = &rows[HC_LOG_STEPS], *cycles = &rows[HC_LOG_CYCLES];
    ck_assert_uint_eq(steps->n_rows, 1);
    ck_assert_int_eq(hc_table_i64(steps, HC_TRAIN_STEPS_DURATION_NS)[0], 1500500000);
    ck_assert_int_eq(hc_table_i64(steps, HC_TRAIN_STEPS_END_NS)[0], 1772359932500000000);
    ck_assert(hc_table_f64(steps, HC_TRAIN_STEPS_LOSS)[0] == 2.5);
    ck_assert_uint_eq(cycles->n_rows, 1);
    ck_assert_int_eq(hc_table_i32(cycles, HC_CYCLES_WORLD_SIZE)[0], 16);
    ck_assert_int_eq(hc_table_i32(cycles, HC_CYCLES_IS_DONE)[0], 1);
    ck_assert_int_eq(hc_table_i64(cycles, HC_CYCLES_SAVED_ITERATION)[0], 4);
    ck_assert_int_eq(hc_table_i64(&rows[HC_LOG_CHECKPOINTS], HC_CHECKPOINTS_TIME_NS)[0] / S,
                     1772359990);
    ck_assert_str_eq(text_of(HC_LOG_CHECKPOINTS, HC_CHECKPOINTS_PATH, 0), "/ckpt/4");
    ck_assert(real(HC_TRAIN_MEASURES_VALUE, measure("rate", 0)) == 12345);
    ck_assert(real(HC_TRAIN_MEASURES_MAX, measure("power", 0)) == 650);
    ck_assert_uint_eq(rows[HC_LOG_PHASES].n_rows, 1);
    ck_assert_int_eq(hc_table_i64(&rows[HC_LOG_PHASES], HC_PHASES_START_NS)[0],
                     1772359912 * S - 305 * S / 10);
    ck_assert_uint_eq(rows[HC_LOG_EVENTS].n_rows, 1);
    forget();
}
END_TEST

static const struct {
    const char *text, *said;
} wrong[] = {
    {"tells = steps\nliteral = abcd\nregex = x\n", "s.conf:2:9: unknown sort of line 'steps'"},
    {"tells = step\nliteral = abcd\nregex = x\n", "s.conf:4:9: no group 'iteration' in 'x'"},
    {"tells = step\nliteral = abcd\nregex = a(?<iteration>\\d\n", "s.conf:4:25: regex: missing"},
    {"tells = done\nliteral = abcd\nregex = a(?<loss>\\d)\n", "s.conf:4:13: no column for the"},
    {"tells = done\nclass = cuda\nliteral = abcd\nregex = a\n", "s.conf:3:9: a pattern with"},
    {"tells = phase\nliteral = abcd\nregex = a\n", "s.conf:1:1: pattern 'a' has no phase"},
    {"tells = phase\nphase = b\nliteral = abcd\nregex = a\n", "s.conf:3:9: unknown phase 'b'"},
    {"tells = measure\nliteral = abcd\nregex = a\n", "s.conf:1:1: pattern 'a' has no name"},
};

START_TEST(wrong_patterns_are_told_with_their_place)
{
    char text[200];
    struct hc_error why = {0};
    snprintf(text, sizeof text, "[a]\n%s", wrong[_i].text);
    const struct hc_pattern_text site = {"s.conf", text};
    ck_assert_int_eq(hc_patterns_check(site, &why), HC_BAD_INPUT);
    ck_assert_msg(strstr(why.message, wrong[_i].said), "%s", why.message);
}
END_TEST

int main(void)
{
    Suite *suite = suite_create("training_log");
    TCase *tests = tcase_create("training_log");
    tcase_add_test(tests, start_up_is_split);
    tcase_add_test(tests, growing_log_takes_nothing_back);
    tcase_add_test(tests, evaluations);
    tcase_add_test(tests, timers_of_one_rank);
    tcase_add_test(tests, timers_over_all_ranks);
    tcase_add_test(tests, straggler_lines);
    tcase_add_test(tests, values_of_megatrons_tests);
    tcase_add_test(tests, lines_by_patterns_of_a_site);
    tcase_add_loop_test(tests, wrong_patterns_are_told_with_their_place, 0,
                        sizeof wrong / sizeof *wrong);
    suite_add_tcase(suite, tests);
    SRunner *runner = srunner_create(suite);
    srunner_run_all(runner, CK_ENV);
    int n_failed = srunner_ntests_failed(runner);
    srunner_free(runner);
    return n_failed ? 1 : 0;
}
