/* JSON that tools beside a training run leave: torchrun's error.json, events of Kubernetes, cycles
 * of NVRx. */
#include "core/tables/events/event_table.h"
#include "core/tables/logs/log_tables.h"
#include "core/tables/nodes/phase_table.h"
#include "parsers/registry/format_registry.h"
#include "pipeline/kinds/kind.h"
#include "tests/support/bytes_source.h"

#include <check.h>
#include <string.h>

#define S     ((int64_t)1000000000)
#define START (1772359872 * S) /* 2026-03-01T10:11:12Z */

static struct hc_error err;
static struct hc_table_names names;
static struct hc_table rows;
static int64_t n_bad;

static void read_source(const struct hc_format *format, const char *path, const char *text)
{
    struct hc_source source = bytes_source(path, text, strlen(text));
    struct hc_row_report report = {0};
    void *parser = NULL;
    size_t before;
    source.state.info.st_mtim.tv_sec = 1772359900;
    ck_assert_int_eq(hc_kind_start_names(hc_kind_find(format->table->name), true, &names, &err),
                     HC_OK);
    ck_assert_int_eq(hc_table_init(&rows, format->table, 32, &err), HC_OK);
    ck_assert_int_gt(format->probe((const unsigned char *)text, strlen(text), path), 0);
    const struct hc_parse_options options = {.names = &names};
    ck_assert_int_eq(format->open(&parser, &source, &options, &err), HC_OK);
    do {
        before = rows.n_rows;
        ck_assert_msg(format->next_batch(parser, &rows, &report, &err) == HC_OK, "%s", err.message);
    } while (rows.n_rows > before);
    n_bad = hc_row_report_total_bad(&report);
    format->close(parser);
    hc_row_report_fini(&report);
    hc_source_close(&source);
}

static void forget(void)
{
    hc_table_fini(&rows);
    hc_table_names_fini(&names);
}

static const char *text_of(size_t column, size_t row)
{
    int32_t code = hc_table_i32(&rows, column)[row];
    if (code == HC_MISSING_I32)
        return "";
    return hc_table_names_find(&names, rows.def->columns[column].dictionary)->text[code];
}

START_TEST(exception_of_a_rank)
{
    read_source(&hc_format_torch_error, "/tmp/run_7/attempt_0/3/error.json",
                "{\"message\": {\"message\": \"RuntimeError: CUDA error: uncorrectable ECC error "
                "encountered\\nmore\", \"extraInfo\": {\"py_callstack\": \"Traceback (most recent "
                "call last):\\n  File \\\"a.py\\\", line 1, in f\\n  File \\\"b.py\\\", line 2, in "
                "g\\nRuntimeError: x\\n\", \"timestamp\": \"1772359872\"}, \"errorCode\": 1}}");
    ck_assert_uint_eq(rows.n_rows, 1);
    ck_assert_int_eq(hc_table_i64(&rows, HC_EVENTS_TIME_NS)[0], START);
    ck_assert_str_eq(text_of(HC_EVENTS_CLASS, 0), "cuda");
    ck_assert_str_eq(text_of(HC_EVENTS_EFFECT, 0), "stops");
    ck_assert_str_eq(text_of(HC_EVENTS_NAME, 0), "RuntimeError");
    ck_assert_str_eq(text_of(HC_EVENTS_DEVICE, 0), "local rank 3");
    ck_assert_str_eq(text_of(HC_EVENTS_MESSAGE, 0),
                     "RuntimeError: CUDA error: uncorrectable ECC error encountered (File "
                     "\"b.py\", line 2, in g)");
    ck_assert_int_eq(hc_table_i32(&rows, HC_EVENTS_CODE)[0], 1);
    forget();
}
END_TEST

START_TEST(exception_without_a_time)
{
    read_source(&hc_format_torch_error, "error.json", "{\"message\": \"ValueError: no\"}");
    ck_assert_uint_eq(rows.n_rows, 1);
    ck_assert_str_eq(text_of(HC_EVENTS_CLASS, 0), "python");
    ck_assert_str_eq(text_of(HC_EVENTS_CLOCK, 0), "before_file");
    ck_assert_int_eq(hc_table_i64(&rows, HC_EVENTS_TO_NS)[0], 1772359900 * S);
    forget();
    read_source(&hc_format_torch_error, "error.json", "{\"message\": {\"other\": 1}}");
    ck_assert_uint_eq(rows.n_rows, 0);
    ck_assert_int_eq(n_bad, 1);
    forget();
}
END_TEST

/* Phase, start and end after START in milliseconds. */
static void check_phase(size_t row, enum hc_phase phase, int64_t start_ms, int64_t end_ms)
{
    ck_assert_int_eq(hc_table_i32(&rows, HC_PHASES_PHASE)[row], phase);
    ck_assert_int_eq(hc_table_i64(&rows, HC_PHASES_START_NS)[row], START + start_ms * 1000000);
    int64_t end_ns = hc_table_i64(&rows, HC_PHASES_END_NS)[row];
    ck_assert_int_eq(end_ns, end_ms < 0 ? HC_MISSING_I64 : START + end_ms * 1000000);
}

#define POD(name, reason, time, message)                                                           \
    "{\"kind\": \"Event\", \"metadata\": {\"name\": \"x\", \"creationTimestamp\": "                \
    "\"2026-03-01T10:59:59Z\"}, \"involvedObject\": {\"kind\": \"Pod\", \"namespace\": \"ml\", "   \
    "\"name\": \"" name "\"}, \"reason\": \"" reason "\", \"message\": \"" message                 \
    "\", \"source\": {\"component\": \"kubelet\", \"host\": \"n7\"}, \"firstTimestamp\": \"" time  \
    "\", \"count\": 1}"

START_TEST(start_of_pods)
{
    read_source(
        &hc_format_kubernetes_events, "events.json",
        "{\"apiVersion\": \"v1\", \"items\": [\n" POD("w-0", "Started", "2026-03-01T10:11:32Z",
                                                      "Started container main") ",\n" //
        POD("w-0", "Pulled", "2026-03-01T10:11:30Z",
            "Successfully pulled image \\\"a\\\" in 15.5s (16s including waiting)") ",\n" //
        POD("w-1", "Pulled", "2026-03-01T10:11:40Z",
            "Successfully pulled image \\\"a\\\" in 1m2.5s") ",\n"           //
        POD("w-0", "BackOff", "2026-03-01T10:12:30Z", "no") ",\n"            //
        POD("w-0", "Pulling", "2026-03-01T10:11:14Z", "Pulling image") ",\n" //
        POD("w-2", "Scheduled", "sometime",
            "Successfully assigned ml/w-2") ",\n" //
                                            "{\"reason\": \"Scheduled\", \"message\": "
                                            "\"Successfully assigned ml/w-0 to n9\", "
                                            "\"regarding\": {\"kind\": \"Pod\", \"namespace\": "
                                            "\"ml\", \"name\": \"w-0\"}, "
                                            "\"eventTime\": \"2026-03-01T10:11:12.250000Z\"}], "
                                            "\"kind\": \"List\"}");
    ck_assert_uint_eq(rows.n_rows, 5);
    check_phase(0, HC_PHASE_ALLOCATE, 250, 2000);
    check_phase(1, HC_PHASE_IMAGE, 2000, 18000);
    check_phase(2, HC_PHASE_ENVIRONMENT, 18000, 20000);
    check_phase(3, HC_PHASE_IMAGE, 28000 - 62500, 28000);
    check_phase(4, HC_PHASE_ENVIRONMENT, 28000, -1);
    ck_assert_str_eq(text_of(HC_PHASES_NODE, 1), "n7");
    ck_assert_str_eq(text_of(HC_PHASES_DETAIL, 3), "ml/w-1");
    ck_assert_int_eq(n_bad, 1);
    forget();
}
END_TEST

START_TEST(events_a_line)
{
    read_source(&hc_format_kubernetes_events, "events.ndjson",
                POD("w-0", "Pulling", "2026-03-01T10:11:14Z",
                    "Pulling image") "\n"                                    //
                                     "{\"reason\": \"Pulled\" and no more\n" //
                POD("w-0", "Pulled", "2026-03-01T10:11:30Z", "Container image is there") "\n");
    ck_assert_uint_eq(rows.n_rows, 2);
    check_phase(0, HC_PHASE_IMAGE, 2000, 18000);
    ck_assert_int_eq(n_bad, 1);
    forget();
}
END_TEST

START_TEST(cycles_of_nvrx)
{
    static const char *const texts[] = {
        "{\"job_id\": \"1234\", \"attempt_index\": 1, \"cycle_number\": 3, \"cycle_start_time\": "
        "\"2026-03-01T10:11:12.500000Z\", \"cycle_end_time\": \"2026-03-01T10:12:12+00:00\", "
        "\"cycle_log_file\": \"/l/run_cycle3.log\", \"active_nodes\": \"n[1-4]\", "
        "\"standby_nodes\": \"n5\", \"generation\": {\"x\": [1]}}",
        "{\"jobId\": \"1234\", \"attemptIndex\": 1, \"cycleNumber\": 3, \"cycleStartTime\": "
        "\"2026-03-01T10:11:12.500000Z\", \"cycleEndTime\": \"2026-03-01T10:12:12Z\", "
        "\"cycleLogFile\": \"/l/run_cycle3.log\", \"activeNodes\": \"n[1-4]\"}"};
    for (size_t i = 0; i < 2; i++) {
        read_source(&hc_format_nvrx_cycle_info, "cycle_info.1234.1.3", texts[i]);
        ck_assert_uint_eq(rows.n_rows, 1);
        ck_assert_int_eq(hc_table_i64(&rows, HC_CYCLES_START_NS)[0], START + S / 2);
        ck_assert_int_eq(hc_table_i64(&rows, HC_CYCLES_END_NS)[0], START + 60 * S);
        ck_assert_int_eq(hc_table_i64(&rows, HC_CYCLES_JOB)[0], 1234);
        ck_assert_int_eq(hc_table_i32(&rows, HC_CYCLES_NUMBER)[0], 3);
        ck_assert_int_eq(hc_table_i32(&rows, HC_CYCLES_RESTARTS)[0], 1);
        ck_assert_str_eq(text_of(HC_CYCLES_NODE_LIST, 0), "n[1-4]");
        ck_assert_str_eq(text_of(HC_CYCLES_FRAMEWORK, 0), "nvrx");
        forget();
    }
}
END_TEST

int main(void)
{
    Suite *suite = suite_create("json_sources");
    TCase *tests = tcase_create("json_sources");
    tcase_add_test(tests, exception_of_a_rank);
    tcase_add_test(tests, exception_without_a_time);
    tcase_add_test(tests, start_of_pods);
    tcase_add_test(tests, events_a_line);
    tcase_add_test(tests, cycles_of_nvrx);
    suite_add_tcase(suite, tests);
    SRunner *runner = srunner_create(suite);
    srunner_run_all(runner, CK_ENV);
    int n_failed = srunner_ntests_failed(runner);
    srunner_free(runner);
    return n_failed ? 1 : 0;
}
