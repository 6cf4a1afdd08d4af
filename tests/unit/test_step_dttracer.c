/* DT-Tracer's events to rows, and the replay of steps that have passes only. */
#include "core/base/memory.h"
#include "parsers/registry/format_registry.h"
#include "sim/whatif/whatif.h"
#include "tests/support/chrome_case.h"

#define EVENT(ph, name, ts, pid, it, args)                                                         \
    "{\"name\":\"" name "\",\"cname\":\"x\",\"ph\":\"" ph "\",\"ts\":" #ts ",\"pid\":" #pid        \
    ",\"tid\":0,\"args\":{\"iteration\":" #it args "}},"
#define BEGIN(name, ts, pid, it) EVENT("B", name, ts, pid, it, "")
#define END(name, ts, pid, it, mb, chunk)                                                          \
    EVENT("E", name, ts, pid, it,                                                                  \
          ",\"microbatch\":" #mb ",\"model_chunk\":" #chunk ",\"pp_rank\":" #pid)
#define PASS(name, begin, end, pid, it, mb, chunk)                                                 \
    BEGIN(name, begin, pid, it) END(name, end, pid, it, mb, chunk)
#define LAST "{\"name\":\"iteration end\",\"ph\":\"i\",\"pid\":0,\"tid\":0,\"ts\":1}]"

static const struct hc_format *const tracer = &hc_format_step_dttracer;

static const char simple[] = "[" PASS("forward", 100, 110, 0, 3, 0, 0)
    PASS("forward", 112, 122, 0, 3, 1, 0) PASS("forward", 111, 131, 1, 3, 0, 0)
        PASS("backward", 131, 171, 1, 3, 0, 0) PASS("forward", 171, 191, 1, 3, 1, 0)
            PASS("backward", 175, 195, 0, 3, 0, 0) PASS("backward", 191.5, 231.5, 1, 3, 1, 0)
                PASS("backward", 240, 260, 0, 3, 1, 0) LAST;

START_TEST(pairs_begins_and_ends)
{
    struct chrome_case c;
    chrome_case_read(&c, tracer, simple, NULL);
    ck_assert_msg(c.status == HC_OK, "%s", c.err.message);
    ck_assert_uint_eq(c.ops.n_rows, 8);
    ck_assert_int_eq(c.report.rows_read, 8);
    ck_assert_int_eq(c.row.op_type[2], HC_FORWARD_COMPUTE);
    ck_assert_int_eq(c.row.step[2], 3);
    ck_assert_int_eq(c.row.stage[2], 1);
    ck_assert_int_eq(c.row.rank[2], 1);
    ck_assert_int_eq(c.row.dp_rank[2], 0);
    ck_assert_int_eq(c.row.seq_id[2], 0);
    ck_assert_int_eq(c.row.model_chunk[2], 0);
    ck_assert_int_eq(c.row.global_chunk[2], 1);
    ck_assert_int_eq(c.row.start_ns[2], 111000);
    ck_assert_int_eq(c.row.duration_ns[2], 20000);
    ck_assert_int_eq(c.row.op_type[6], HC_BACKWARD_COMPUTE);
    ck_assert_int_eq(c.row.seq_id[6], 1);
    ck_assert_int_eq(c.row.microbatch[6], 1);
    ck_assert_int_eq(c.row.start_ns[6], 191500);
    chrome_case_fini(&c);
}
END_TEST

static void run_whatif(struct hc_whatif_result *result, const struct chrome_case *c)
{
    struct hc_job job;
    struct hc_step_trace *trace = NULL;
    struct hc_error err = {0};
    const struct hc_whatif_options options = {
        .threshold = 1.03, .replay.max_bad = 0.01, .replay.threads = 1};
    ck_assert(hc_job_init(&job, "t", &err) == HC_OK);
    ck_assert(hc_step_trace_new(&trace, &job, &err) == HC_OK);
    ck_assert_msg(hc_step_trace_add(trace, &c->ops, &err) == HC_OK, "%s", err.message);
    ck_assert_msg(hc_whatif_run(result, trace, &options, &err) == HC_OK, "%s", err.message);
    hc_step_trace_free(trace);
    hc_job_fini(&job);
}

/* By hand. Replayed: stage 0 F0 0-10, F1 10-20; stage 1 F0 10-30, B0 30-70, F1 70-90, B1 90-130;
 * stage 0 B0 70-90, B1 130-150. Ideal, with forward 15 and backward 30: stage 0 F0 0-15, F1 15-30;
 * stage 1 F0 15-30, B0 30-60, F1 60-75, B1 75-105; stage 0 B0 60-90, B1 105-135. */
START_TEST(replays_passes_by_hand)
{
    struct chrome_case c;
    struct hc_whatif_result result;
    chrome_case_read(&c, tracer, simple, NULL);
    run_whatif(&result, &c);
    ck_assert_uint_eq(result.n_steps, 1);
    ck_assert_int_eq(result.traced_ns[0], 160000);
    ck_assert_int_eq(result.replayed_ns[0], 150000);
    ck_assert_int_eq(result.replayed_end_ns[0], 150000);
    ck_assert_int_eq(result.ideal_ns[0], 135000);
    ck_assert_int_eq(result.ideal_end_ns[0], 135000);
    ck_assert_int_eq(result.delayed_error_ns, 0);
    ck_assert_uint_eq(result.n_graph_groups, 0);
    ck_assert_uint_eq(result.n_graph_roots, 1);
    /* 2 chains of 3 edges; F0, F1 of stage 1; B0, B1 of each stage; B0 of stage 1 has its forward
     * twice. */
    ck_assert_uint_eq(result.n_graph_edges, 6 + 2 + 4 - 2);
    ck_assert(!result.hides_waiting);
    hc_whatif_result_fini(&result);
    chrome_case_fini(&c);
}
END_TEST

/* Interleaved: the forward of chunk 1 on stage 0 waits for that of chunk 0 on stage 1. */
START_TEST(follows_the_chunks_of_the_model)
{
    struct chrome_case c;
    struct hc_whatif_result result;
    chrome_case_read(
        &c, tracer,
        "[" PASS("forward", 0, 10, 0, 1, 0, 0) PASS("forward", 10, 15, 1, 1, 0, 0)
            PASS("forward", 20, 27, 0, 1, 0, 1) PASS("forward", 30, 31, 1, 1, 0, 1)
                PASS("backward", 31, 34, 1, 1, 0, 1) PASS("backward", 40, 52, 0, 1, 0, 1)
                    PASS("backward", 52, 65, 1, 1, 0, 0) PASS("backward", 65, 79, 0, 1, 0, 0) LAST,
        NULL);
    run_whatif(&result, &c);
    ck_assert_int_eq(result.vpp_size, 2);
    ck_assert_int_eq(result.traced_ns[0], 79000);
    ck_assert_int_eq(result.replayed_ns[0], 1000 * (10 + 5 + 7 + 1 + 3 + 12 + 13 + 14));
    hc_whatif_result_fini(&result);
    chrome_case_fini(&c);
}
END_TEST

START_TEST(counts_halves_of_pairs)
{
    static const char *const begin_only =
        "[" PASS("forward", 0, 1, 0, 5, 0, 0) BEGIN("forward", 2, 0, 5) LAST;
    static const char *const end_only =
        "[" PASS("forward", 0, 1, 0, 5, 0, 0) END("forward", 2, 0, 5, 1, 0) LAST;
    static const char *const begun_twice =
        "[" BEGIN("forward", 0, 0, 5) PASS("forward", 2, 3, 0, 5, 0, 0) LAST;
    static const char *const no_time = "[" PASS("forward", 0, 1, 0, 5, 0, 0)
        BEGIN("forward", 2, 0, 5) END("forward", "x", 0, 5, 1, 0) LAST;
    chrome_case_bad(tracer, begin_only, HC_BAD_NULL, 5, 1);
    chrome_case_bad(tracer, end_only, HC_BAD_NULL, 5, 1);
    chrome_case_bad(tracer, begun_twice, HC_BAD_NULL, 5, 1);
    chrome_case_bad(tracer, no_time, HC_BAD_NUMBER, 5, 1);
    /* Partly overlapping: neither of the two can be told. */
    struct chrome_case c;
    chrome_case_read(&c, tracer,
                     "[" BEGIN("forward", 0, 0, 5) BEGIN("backward", 1, 0, 5)
                         END("forward", 2, 0, 5, 0, 0) END("backward", 3, 0, 5, 0, 0) LAST,
                     NULL);
    ck_assert_msg(c.status == HC_OK, "%s", c.err.message);
    ck_assert_int_eq(c.report.count[HC_BAD_NULL], 2);
    ck_assert_uint_eq(c.ops.n_rows, 1);
    chrome_case_fini(&c);
}
END_TEST

START_TEST(refuses_what_is_ambiguous)
{
    static const char two[] = "[" PASS(
        "forward", 0, 1, 0, 5, 0,
        0) "{\"name\":\"forward\",\"ph\":\"B\",\"ts\":0,"
           "\"pid\":0,\"tid\":4,\"args\":{\"iteration\":5}},{\"name\":\"forward\",\"ph\":\"E\","
           "\"ts\":2,\"pid\":0,\"tid\":4,\"args\":{\"iteration\":5,\"microbatch\":0,\"model_"
           "chunk\":0,"
           "\"pp_rank\":0}}," LAST;
    chrome_case_fails(tracer, two, "2 different tid (0 and 4 first)");
    struct hc_job job = {.dp_size = 2, .pp_size = HC_MISSING_I32};
    struct chrome_case c;
    chrome_case_read(&c, tracer, two, &job);
    ck_assert_msg(c.status == HC_OK, "%s", c.err.message);
    ck_assert_int_eq(c.row.dp_rank[0], 0);
    ck_assert_int_eq(c.row.dp_rank[1], 1);
    ck_assert_int_eq(c.row.rank[1], 1);
    chrome_case_fini(&c);
    chrome_case_fails(
        tracer, "[" BEGIN("forward", 0, 0, 5) EVENT("E", "forward", 1, 0, 5, ",\"pp_rank\":1") LAST,
        "args.pp_rank is 1 on pid 0");
    chrome_case_fails(tracer,
                      "[" PASS("forward", 0, 1, 0, 5, 0, 0) PASS("forward", 2, 3, 0, 4, 0, 0) LAST,
                      "iteration 4 of stage 0 comes after iteration 5");
    chrome_case_fails(tracer, "[" PASS("forward", 5, 1, 0, 5, 0, 0) LAST, "is negative");
    chrome_case_fails(tracer, "[" PASS("forward", 5, 6, "a", 5, 0, 0) LAST, "the pid 'a'");
    chrome_case_fails(tracer, "[" PASS("wait", 5, 6, 0, 5, 0, 0) LAST, "optype 'wait' is unknown");
    chrome_case_fails(tracer, "[" LAST, "none of DT-Tracer");
}
END_TEST

static void check_graph_fails(const char *text, const char *message)
{
    struct chrome_case c;
    struct hc_job job;
    struct hc_step_trace *trace = NULL;
    struct hc_whatif_result result;
    const struct hc_whatif_options options = {
        .threshold = 1.03, .replay.max_bad = 0.01, .replay.threads = 1};
    chrome_case_read(&c, tracer, text, NULL);
    ck_assert_msg(c.status == HC_OK, "%s", c.err.message);
    ck_assert(hc_job_init(&job, "t", &c.err) == HC_OK);
    ck_assert(hc_step_trace_new(&trace, &job, &c.err) == HC_OK);
    ck_assert(hc_step_trace_add(trace, &c.ops, &c.err) == HC_OK);
    ck_assert(hc_whatif_run(&result, trace, &options, &c.err) == HC_BAD_INPUT);
    ck_assert_msg(strstr(c.err.message, message) != NULL, "%s", c.err.message);
    hc_step_trace_free(trace);
    hc_job_fini(&job);
    chrome_case_fini(&c);
}

START_TEST(refuses_passes_without_input)
{
    check_graph_fails("[" PASS("forward", 0, 1, 0, 1, 0, 0) PASS("forward", 1, 2, 1, 1, 1, 0)
                          PASS("backward", 2, 3, 1, 1, 1, 0) LAST,
                      "forward-compute seq 0, stage 1 has no input: there is no forward-compute of "
                      "chunk 0 for microbatch 1");
    check_graph_fails("[" PASS("forward", 0, 1, 0, 1, 0, 0) PASS("forward", 1, 2, 1, 1, 0, 0)
                          PASS("backward", 2, 3, 0, 1, 0, 0) LAST,
                      "backward-compute seq 0, stage 0 has no input: there is no backward-compute "
                      "of chunk 1 for microbatch 0");
    check_graph_fails("[" PASS("forward", 0, 1, 0, 1, 0, 0) PASS("forward", 1, 2, 0, 1, 0, 0)
                          PASS("backward", 2, 3, 0, 1, 0, 0) LAST,
                      "the second pass of its direction over chunk 0 for microbatch 0");
    check_graph_fails("[" BEGIN("forward", 0, 0, 1) EVENT("E", "forward", 1, 0, 1, "")
                          PASS("backward", 2, 3, 0, 1, 0, 0) LAST,
                      "has no microbatch");
    check_graph_fails("[" PASS("forward", 0, 1, 1, 1, 0, 0) PASS("backward", 2, 3, 1, 1, 0, 0) LAST,
                      "stage 0 has neither forward-compute nor backward-compute");
    check_graph_fails("[" PASS("forward", 0, 1, 0, 1, 0, 0) LAST, "stage 0 has no gc");
}
END_TEST

START_TEST(is_recognised_by_content)
{
    const unsigned char *head = (const unsigned char *)simple;
    ck_assert_int_eq(tracer->probe(head, sizeof simple - 1, "x"), 95);
    ck_assert_int_eq(tracer->probe(head, 200, "x"), 95);
    ck_assert_int_eq(hc_format_step_chrome.probe(head, sizeof simple - 1, "x"), 5);
    ck_assert_int_eq(tracer->probe((const unsigned char *)"[{\"ph\":\"X\"}]", 12, "x"), 0);
}
END_TEST

/* The second reading may find a track that the first did not. */
START_TEST(refuses_a_file_that_is_written_meanwhile)
{
    enum { FAR = 1 << 20 }; /* behind what open loads for the second reading */
    char *text = malloc(FAR + sizeof simple);
    ck_assert(text != NULL);
    memset(text, ' ', FAR);
    memcpy(text + FAR, simple, sizeof simple);
    text[0] = '[';
    text[FAR] = ' ';
    struct hc_source source = bytes_source("t.json", text, FAR + sizeof simple - 1);
    free(text);
    struct hc_parse_options options = {.job = NULL};
    struct hc_row_report report = {0};
    struct hc_error err = {0};
    struct hc_table batch;
    void *parser = NULL;
    ck_assert(hc_table_init(&batch, &hc_ops_def, 10, &err) == HC_OK);
    ck_assert(tracer->open(&parser, &source, &options, &err) == HC_OK);
    off_t digit = FAR + (strstr(simple, "\"pid\":1") + 6 - simple);
    ck_assert_int_eq(pwrite(source.fd, "7", 1, digit), 1);
    ck_assert_int_eq(tracer->next_batch(parser, &batch, &report, &err), HC_BAD_INPUT);
    ck_assert_msg(strstr(err.message, "pid 7, tid 0 was not there") != NULL, "%s", err.message);
    tracer->close(parser);
    hc_row_report_fini(&report);
    hc_table_fini(&batch);
    hc_source_close(&source);
}
END_TEST

int main(void)
{
    Suite *suite = suite_create("step_dttracer");
    TCase *tcase = tcase_create("all");
    suite_add_tcase(suite, tcase);
    tcase_add_test(tcase, pairs_begins_and_ends);
    tcase_add_test(tcase, replays_passes_by_hand);
    tcase_add_test(tcase, follows_the_chunks_of_the_model);
    tcase_add_test(tcase, counts_halves_of_pairs);
    tcase_add_test(tcase, refuses_what_is_ambiguous);
    tcase_add_test(tcase, refuses_passes_without_input);
    tcase_add_test(tcase, is_recognised_by_content);
    tcase_add_test(tcase, refuses_a_file_that_is_written_meanwhile);
    SRunner *runner = srunner_create(suite);
    srunner_run_all(runner, CK_NORMAL);
    int failed = srunner_ntests_failed(runner);
    srunner_free(runner);
    return failed != 0;
}
