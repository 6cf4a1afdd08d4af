#include "core/base/memory.h"
#include "parsers/registry/format_registry.h"
#include "tests/support/chrome_case.h"

#define TRACK(pid, tid, name)                                                                      \
    "{\"name\":\"thread_name\",\"ph\":\"M\",\"pid\":" #pid ",\"tid\":" #tid                        \
    ",\"args\":{\"name\":\"" name "\"}}"
#define STAGE_0 TRACK(0, 20, "PP rank 0, TP rank 0, compute")
#define STAGE_1 TRACK(0, 41, "PP rank 1, TP rank 0, pp-comm")
#define ARGS    "\"args\":{\"step\":7,\"model_chunk\":0,\"mb_id\":2,\"seq_id\":3}"
#define OP(name, pid, tid, ts, dur, args)                                                          \
    "{\"name\":\"" name "\",\"cat\":\"" name "\",\"ph\":\"X\",\"pid\":" #pid ",\"tid\":" #tid      \
    ",\"ts\":" #ts ",\"dur\":" #dur "," args "}"
#define GOOD OP("gc", 0, 20, 1, 2, ARGS)

static const struct hc_format *const chrome = &hc_format_step_chrome;

static void read_good(struct chrome_case *c, const char *text, size_t n_rows)
{
    chrome_case_read(c, chrome, text, NULL);
    ck_assert_msg(c->status == HC_OK, "%s", c->err.message);
    ck_assert_uint_eq(c->ops.n_rows, n_rows);
    ck_assert_int_eq(hc_row_report_total_bad(&c->report), 0);
}

START_TEST(reads_the_layout_of_the_artifact)
{
    struct chrome_case c;
    read_good(&c,
              "[" OP("forward-compute", 0, 20, 1759312345678901.125, 12.0625,
                     ARGS) "," OP("forward-send", 0, 41, 0.0005, 0,
                                  "\"args\":{\"step\":7,\"model_chunk\":-1,\"mb_id\":null,\"seq_"
                                  "id\":0}") "," STAGE_0 "," STAGE_1
                                             "," TRACK(0, 99, "a name that says nothing") "]",
              2);
    ck_assert_int_eq(c.row.op_type[0], HC_FORWARD_COMPUTE);
    ck_assert_int_eq(c.row.step[0], 7);
    ck_assert_int_eq(c.row.dp_rank[0], 0);
    ck_assert_int_eq(c.row.stage[0], 0);
    ck_assert_int_eq(c.row.rank[0], 4);
    ck_assert_int_eq(c.row.seq_id[0], 3);
    ck_assert_int_eq(c.row.model_chunk[0], 0);
    ck_assert_int_eq(c.row.global_chunk[0], 0);
    ck_assert_int_eq(c.row.microbatch[0], 2);
    /* A double would lose 125 ns here. */
    ck_assert_int_eq(c.row.start_ns[0], 1759312345678901125);
    ck_assert_int_eq(c.row.duration_ns[0], 12063);
    ck_assert_int_eq(c.row.stage[1], 1);
    ck_assert_int_eq(c.row.rank[1], 8);
    ck_assert_int_eq(c.row.start_ns[1], 1);
    ck_assert_int_eq(c.row.model_chunk[1], HC_MISSING_I32);
    ck_assert_int_eq(c.row.global_chunk[1], HC_MISSING_I32);
    ck_assert_int_eq(c.row.microbatch[1], HC_MISSING_I32);
    chrome_case_fini(&c);
}
END_TEST

START_TEST(prefers_what_the_event_says)
{
    struct chrome_case c;
    read_good(
        &c,
        "{\"displayTimeUnit\":\"ms\",\"traceEvents\":[" TRACK(
            0, 20, "PP rank 0, TP rank 0, compute") "," OP("backward-compute", 1, 20, 1, 2,
                                                           "\"args\":{\"step\":1,\"seq_id\":0,"
                                                           "\"model_chunk\":1,\"stage\":2,\"rank\":"
                                                           "77}") "],\"traceEvents2\":[1],"
                                                                  "\"otherData\":{\"a\":[{}]}}",
        1);
    ck_assert_int_eq(c.row.dp_rank[0], 1);
    ck_assert_int_eq(c.row.stage[0], 2);
    ck_assert_int_eq(c.row.rank[0], 77);
    ck_assert_int_eq(c.row.global_chunk[0], 1 * 3 + 2); /* stages 0 to 2 */
    chrome_case_fini(&c);
    /* The size of the metadata counts where there is one. */
    struct hc_job job = {.dp_size = HC_MISSING_I32, .pp_size = 8};
    chrome_case_read(&c, chrome,
                     "[" OP("backward-compute", 1, 20, 1, 2,
                            "\"args\":{\"step\":1,\"seq_id\":0,\"model_chunk\":1,\"stage\":2,"
                            "\"rank\":77}") "]",
                     &job);
    ck_assert_msg(c.status == HC_OK, "%s", c.err.message);
    ck_assert_int_eq(c.row.global_chunk[0], 1 * 8 + 2);
    chrome_case_fini(&c);
}
END_TEST

START_TEST(takes_numbers_in_strings_and_names_of_the_metadata)
{
    struct hc_op_alias aliases[] = {{.name = "F", .op_type = HC_FORWARD_COMPUTE},
                                    {.name = "marker", .op_type = HC_OP_IGNORED}};
    struct hc_job job = {
        .n_aliases = 2, .aliases = aliases, .dp_size = HC_MISSING_I32, .pp_size = HC_MISSING_I32};
    struct chrome_case c;
    chrome_case_read(
        &c, chrome,
        "[" STAGE_0 ",{\"name\":\"F\",\"ph\":\"X\",\"pid\":\"0\",\"tid\":\"20\","
        "\"ts\":\"1.5\",\"dur\":\"2e1\"," ARGS
        "}," OP("marker", 0, 20, 1, 1, "\"args\":{}") ","
                                                      "{\"name\":\"x\",\"cat\":\"gc\",\"ph\":\"X\","
                                                      "\"pid\":0,\"tid\":20,\"ts\":5,"
                                                      "\"dur\":0," ARGS "}]",
        &job);
    ck_assert_msg(c.status == HC_OK, "%s", c.err.message);
    ck_assert_uint_eq(c.ops.n_rows, 2);
    ck_assert_int_eq(c.report.rows_ignored, 1);
    ck_assert_int_eq(c.row.op_type[0], HC_FORWARD_COMPUTE);
    ck_assert_int_eq(c.row.start_ns[0], 1500);
    ck_assert_int_eq(c.row.duration_ns[0], 20000);
    ck_assert_int_eq(c.row.op_type[1], HC_GC); /* by its category */
    chrome_case_fini(&c);
}
END_TEST

START_TEST(takes_a_tail_cut_between_events)
{
    struct chrome_case c;
    read_good(&c, "[" STAGE_0 "," GOOD, 1);
    chrome_case_fini(&c);
    read_good(&c, "[" STAGE_0 "," GOOD ",\n", 1);
    chrome_case_fini(&c);
    read_good(&c, "{\"traceEvents\":[" STAGE_0 "," GOOD "],\"a\":", 1);
    chrome_case_fini(&c);
    chrome_case_fails(chrome, "[" STAGE_0 "," GOOD ",{\"name\":\"g", "in the middle of a string");
    chrome_case_fails(chrome, "[" STAGE_0 "," GOOD ",{\"name\":", "in the middle of an object");
    chrome_case_fails(chrome, "[" STAGE_0 "," GOOD "]]", "the end of the document");
}
END_TEST

START_TEST(refuses_tracks_without_a_stage)
{
    chrome_case_fails(chrome, "[" GOOD "]", "pid '0', tid '20': no thread_name of the form");
    chrome_case_fails(chrome, "[" TRACK(0, 20, "compute") "," GOOD "]", "no thread_name");
    chrome_case_fails(chrome, "[" TRACK(1, 20, "PP rank 0, TP rank 0, x") "," GOOD "]",
                      "pid '0', tid '20'");
    chrome_case_fails(chrome,
                      "[" STAGE_0 "," TRACK(0, 20, "PP rank 3, TP rank 0, compute") "," GOOD "]",
                      "pid 0, tid 20 is named as a track of stage 0 and of stage 3");
    chrome_case_fails(chrome, "[" STAGE_0 "," OP("gc", 0, "x\\u0001", 1, 2, ARGS) "]", "tid 'x");
    struct chrome_case c; /* named twice alike */
    read_good(&c, "[" STAGE_0 "," STAGE_0 "," GOOD "]", 1);
    chrome_case_fini(&c);
}
END_TEST

START_TEST(refuses_other_json)
{
    chrome_case_fails(chrome, "{\"a\":1}", "is JSON, but no Chrome trace");
    chrome_case_fails(chrome, "12", "is JSON, but no Chrome trace");
    chrome_case_fails(chrome, "{\"traceEvents\":3}", "traceEvents is not an array");
    chrome_case_fails(chrome, "{\"traceEvents\":[" STAGE_0 "," GOOD "],\"traceEvents\":[]}",
                      "traceEvents twice");
    chrome_case_fails(chrome, "[[1]]", "an event is an object");
    chrome_case_fails(chrome, "[]", "none of its 0 events");
    chrome_case_fails(chrome,
                      "[{\"ph\":\"X\",\"cat\":\"cpu_op\",\"name\":\"aten::mm\",\"pid\":1,\"tid\":1,"
                      "\"ts\":1,\"dur\":2,\"args\":{\"External id\":1}}]",
                      "looks like the profile of one process");
    chrome_case_fails(chrome, "[" STAGE_0 ",{\"ph\":\"X\",\"ph\":\"X\"}]", "has 'ph' twice");
    chrome_case_fails(chrome, "[" STAGE_0 "," OP("gc", 0, 20, 1, 2, ARGS ",\"args\":{}") "]",
                      "has 'args' twice");
    chrome_case_fails(chrome, "[" STAGE_0 "," OP("gc", 0, 20, NaN, 2, ARGS) "]", "'NaN' where");
    chrome_case_fails(chrome, "[" STAGE_0 "," OP("warmup", 0, 20, 1, 2, ARGS) "]",
                      "optype 'warmup' is unknown");
    chrome_case_fails(chrome, "[" STAGE_0 "," OP("gc", 0, 20, 1, -1e6, ARGS) "]",
                      "duration -1.000000000 s is negative");
    chrome_case_fails(chrome, "[" STAGE_0 "," OP("gc", 0, 20, "nan", 2, ARGS) "]",
                      "start_ts is not finite");
}
END_TEST

#define WITH(op) "[" STAGE_0 "," GOOD "," op "]"

START_TEST(counts_bad_rows)
{
    chrome_case_bad(chrome, WITH(OP("gc", 0, 20, "soon", 2, ARGS)), HC_BAD_NUMBER, 7, 1);
    chrome_case_bad(chrome, WITH(OP("gc", 0, 20, 1e300, 2, ARGS)), HC_BAD_RANGE, 7, 1);
    chrome_case_bad(chrome, WITH(OP("gc", 0, 20, 1, null, ARGS)), HC_BAD_NULL, 7, 1);
    chrome_case_bad(chrome, WITH(OP("gc", "Spans", 20, 1, 2, ARGS)), HC_BAD_NUMBER, 7, 1);
    chrome_case_bad(chrome, WITH(OP("gc", 0.5, 20, 1, 2, ARGS)), HC_BAD_NUMBER, 7, 1);
    chrome_case_bad(chrome, WITH(OP("gc", 0, 20, [1], 2, ARGS)), HC_BAD_NUMBER, 7, 1);
    chrome_case_bad(chrome, WITH(OP("gc", 0, 20, 1, 2, "\"args\":{\"step\":7}")), HC_BAD_NULL, 7,
                    1);
    chrome_case_bad(chrome, WITH(OP("gc", 0, 20, 1, 2, "\"args\":[]")), HC_BAD_NULL, HC_MISSING_I32,
                    1);
    chrome_case_bad(chrome, WITH(OP("gc", 0, 20, 1, 2, "\"args\":{\"step\":-7,\"seq_id\":0}")),
                    HC_BAD_RANGE, HC_MISSING_I32, 1);
    chrome_case_bad(chrome,
                    WITH(OP("gc", 0, 20, 1, 2, "\"args\":{\"step\":7,\"seq_id\":5000000000}")),
                    HC_BAD_RANGE, 7, 1);
    chrome_case_bad(chrome, WITH("{\"ph\":\"X\",\"pid\":0,\"tid\":20,\"ts\":1,\"dur\":1," ARGS "}"),
                    HC_BAD_NULL, 7, 1);
}
END_TEST

/* Transfers are measured with two clocks; 8 of 112,320 events of a published timeline are below 0,
 * by 75 us at most. */
START_TEST(clips_durations_a_little_below_zero)
{
    struct chrome_case c;
    read_good(&c,
              WITH(OP("forward-send", 0, 20, 100, -75, ARGS) "," OP(
                  "forward-send", 0, 20, 200, -9999.999,
                  "\"args\":{\"step\":7,\"seq_id\":4}") "," OP("forward-send", 0, 20, 300, -0.001,
                                                               "\"args\":{\"step\":7,\"seq_id\":"
                                                               "5}")),
              4);
    for (size_t i = 1; i < 4; i++)
        ck_assert_int_eq(c.row.duration_ns[i], 0);
    ck_assert_int_eq(c.row.start_ns[1], 100000);
    ck_assert_int_eq(c.report.rows_read, 4);
    ck_assert_int_eq(c.report.count[HC_BAD_CLIPPED], 3);
    ck_assert_int_eq(c.report.bad_without_step, 0);
    ck_assert_uint_eq(c.report.bad_steps.n, 0);
    ck_assert_ptr_nonnull(strstr(c.report.example[HC_BAD_CLIPPED], ": dur -75 us"));
    chrome_case_fini(&c);
    chrome_case_fails(chrome, WITH(OP("forward-send", 0, 20, 100, -10000, ARGS)),
                      "duration -0.010000000 s is negative");
}
END_TEST

START_TEST(bounds_memory_and_depth)
{
    size_t length = 8 << 20;
    char *text = malloc(length + 4096);
    size_t used = (size_t)sprintf(text, "[" STAGE_0 ",{\"junk\":\"");
    memset(text + used, 'x', length);
    strcpy(text + used + length, "\"}," GOOD "]");
    struct chrome_case c;
    read_good(&c, text, 1);
    chrome_case_fini(&c);
    used = (size_t)sprintf(text, "[" STAGE_0 ",{\"name\":\"");
    memset(text + used, 'x', length);
    strcpy(text + used + length, "\"}," GOOD "]");
    chrome_case_fails(chrome, text, "more than 1 MiB");
    used = (size_t)sprintf(text, "[" STAGE_0 ",{\"junk\":");
    memset(text + used, '[', 1000);
    strcpy(text + used + 1000, "1]");
    chrome_case_fails(chrome, text, "nested more than 512 deep");
    free(text);
}
END_TEST

static int sure(const struct hc_format *format, const char *text)
{
    return format->probe((const unsigned char *)text, strlen(text), "t.json");
}

START_TEST(is_recognised_by_content)
{
    ck_assert_int_eq(sure(chrome, "[" GOOD), 95);
    ck_assert_int_eq(sure(chrome, "  {\"a\":1,\"traceEvents\":[" GOOD), 95);
    ck_assert_int_eq(sure(chrome, "[" OP("F", 0, 20, 1, 2, ARGS)), 60);
    ck_assert_int_eq(sure(chrome, "[" STAGE_0), 80);
    ck_assert_int_eq(sure(chrome, "[1,2]"), 0);
    ck_assert_int_eq(sure(chrome, "{\"a\":"), 0);
    ck_assert_int_eq(sure(chrome, "{\"traceEvents\": [1,"), 5);
    ck_assert_int_eq(sure(chrome, "dp_rank,stage\n"), 0);
    ck_assert_int_eq(sure(chrome, ""), 0);
    ck_assert(chrome->hides_waiting);
}
END_TEST

int main(void)
{
    Suite *suite = suite_create("step_chrome");
    TCase *tcase = tcase_create("all");
    suite_add_tcase(suite, tcase);
    tcase_add_test(tcase, reads_the_layout_of_the_artifact);
    tcase_add_test(tcase, prefers_what_the_event_says);
    tcase_add_test(tcase, takes_numbers_in_strings_and_names_of_the_metadata);
    tcase_add_test(tcase, takes_a_tail_cut_between_events);
    tcase_add_test(tcase, refuses_tracks_without_a_stage);
    tcase_add_test(tcase, refuses_other_json);
    tcase_add_test(tcase, counts_bad_rows);
    tcase_add_test(tcase, clips_durations_a_little_below_zero);
    tcase_add_test(tcase, bounds_memory_and_depth);
    tcase_add_test(tcase, is_recognised_by_content);
    SRunner *runner = srunner_create(suite);
    srunner_run_all(runner, CK_NORMAL);
    int failed = srunner_ntests_failed(runner);
    srunner_free(runner);
    return failed != 0;
}
