/* Kineto traces by hand: each rule of docs/formats/kineto.md with the least text that shows it.
 * What is damaged or cut stands in test_kineto_damage.c. */
#include "tests/support/kineto_texts.h"

#include <inttypes.h>

static int64_t first(enum hc_profile_table which, size_t column)
{
    const struct hc_table *table = &c.table[which];
    ck_assert_uint_ge(table->n_rows, 1);
    return table->def->columns[column].type == HC_I32 ? hc_table_i32(table, column)[0]
                                                      : hc_table_i64(table, column)[0];
}

/* ---- classes ---- */

START_TEST(classes)
{
    static const struct {
        const char *cat;
        enum hc_ranks_column counted;
        int table; /* that gets a row, or -1 */
    } cats[] = {
        {"cpu_op", HC_RANKS_N_CPU_OPS, HC_PROFILE_MARKS},
        {"Operator", HC_RANKS_N_CPU_OPS, HC_PROFILE_MARKS},
        {"kernel", HC_RANKS_N_KERNELS, HC_PROFILE_GPU},
        {"Kernel", HC_RANKS_N_KERNELS, HC_PROFILE_GPU},
        {"gpu_memcpy", HC_RANKS_N_MEMCPYS, HC_PROFILE_GPU},
        {"Memcpy", HC_RANKS_N_MEMCPYS, HC_PROFILE_GPU},
        {"gpu_memset", HC_RANKS_N_MEMSETS, HC_PROFILE_GPU},
        {"Memset", HC_RANKS_N_MEMSETS, HC_PROFILE_GPU},
        {"cuda_runtime", HC_RANKS_N_CALLS, HC_PROFILE_CALLS},
        {"hip_runtime", HC_RANKS_N_CALLS, HC_PROFILE_CALLS},
        {"privateuse1_driver", HC_RANKS_N_CALLS, HC_PROFILE_CALLS},
        {"Runtime", HC_RANKS_N_CALLS, HC_PROFILE_CALLS},
        {"user_annotation", HC_RANKS_N_ANNOTATIONS, -1},
        {"cuda_sync", HC_RANKS_N_SYNCS, HC_PROFILE_SYNCS},
        {"python_function", HC_RANKS_N_PYTHON, -1},
        {"Trace", HC_RANKS_N_OTHERS, -1},
        {"overhead", HC_RANKS_N_OTHERS, -1},
        {"gpu_user_annotation", HC_RANKS_N_OTHERS, -1},
        {"ac2g", HC_RANKS_N_OTHERS, -1},
        {"", HC_RANKS_N_OTHERS, -1},
    };
    char event[200];
    snprintf(event, sizeof event, "{\"ph\": \"X\", \"cat\": \"%s\", \"name\": \"n\", " TIMES "}",
             cats[_i].cat);
    read_events(event);
    ck_assert_int_eq(count(HC_RANKS_N_EVENTS), 1);
    for (int column = HC_RANKS_N_CPU_OPS; column <= HC_RANKS_N_DAMAGED; column++)
        ck_assert_int_eq(count((enum hc_ranks_column)column), column == (int)cats[_i].counted);
    for (int table = 0; table < HC_PROFILE_GROUPS; table++)
        ck_assert_uint_eq(c.table[table].n_rows, table == cats[_i].table);
}
END_TEST

START_TEST(other_phases_do_not_count)
{
    read_events("{\"ph\": \"s\", \"cat\": \"kernel\", \"ts\": 1, \"dur\": 1}, "
                "{\"ph\": \"M\", \"name\": \"process_name\", \"args\": {\"name\": \"}{\"}}, {}, "
                "{\"cat\": \"kernel\", " TIMES "}, {\"ph\": 1}, " OP);
    ck_assert_int_eq(count(HC_RANKS_N_EVENTS), 1);
    ck_assert_int_eq(count(HC_RANKS_N_CPU_OPS), 1);
    ck_assert_int_eq(hc_row_report_total_bad(&c.report), 0);
}
END_TEST

/* The arguments of what is only counted are not read: no rule holds in them. */
START_TEST(python_functions_are_passed_over)
{
    read_events("{\"ph\": \"X\", \"cat\": \"python_function\", \"name\": \"f\\\"\\\\\", \"args\": "
                "{\"a\": {\"b\": [1, {\"c\": \"}\"}]}, \"d\": nonsense here}}, " OP);
    ck_assert_int_eq(count(HC_RANKS_N_PYTHON), 1);
    ck_assert_int_eq(count(HC_RANKS_N_CPU_OPS), 1);
    ck_assert_int_eq(count(HC_RANKS_N_DAMAGED), 0);
}
END_TEST

START_TEST(keys_in_any_order)
{
    read_events("{\"args\": {\"correlation\": 7, \"stream\": 20}, \"cat\": \"kernel\", \"dur\": 5, "
                "\"name\": \"k\", \"ph\": \"X\", \"pid\": 0, \"tid\": 7, \"ts\": 10}");
    ck_assert_int_eq(first(HC_PROFILE_GPU, HC_GPU_CORRELATION), 7);
    ck_assert_int_eq(first(HC_PROFILE_GPU, HC_GPU_STREAM), 20);
    ck_assert_int_eq(first(HC_PROFILE_GPU, HC_GPU_START_NS), 10000);
}
END_TEST

/* ---- values ---- */

START_TEST(times)
{
    static const struct {
        const char *ts;
        int64_t ns;
    } cases[] = {
        {"10", 10000},
        {"\"10\"", 10000},
        {"1694128201540000", 1694128201540000000},
        {"4458677009853.422", 4458677009853422},
        {"0.0005", 1},
        {"0.0004999", 0},
        {"-0.0005", -1},
        {"\"-1.5\"", -1500},
        {"1e3", 1000000},
        {"1.5E-3", 2},
        {"4611686018427387.903", 4611686018427387903},
    };
    char event[200];
    snprintf(event, sizeof event,
             "{\"ph\": \"X\", \"cat\": \"cpu_op\", \"name\": \"n\", \"pid\": 1, \"tid\": 2, "
             "\"ts\": %s, \"dur\": 0}",
             cases[_i].ts);
    read_events(event);
    if (cases[_i].ns < 4611686018427387903)
        ck_assert_int_eq(first(HC_PROFILE_MARKS, HC_MARKS_START_NS), cases[_i].ns);
    ck_assert_int_eq(count(HC_RANKS_N_OUT_OF_RANGE), 0);
}
END_TEST

START_TEST(bad_times)
{
    static const struct {
        const char *times;
        enum hc_ranks_column counted;
        enum hc_bad_reason reason;
        const char *example;
    } cases[] = {
        {"\"dur\": 1", HC_RANKS_N_NO_TIME, HC_BAD_NULL, "'ts' of the event is not there"},
        {"\"ts\": null, \"dur\": 1", HC_RANKS_N_NO_TIME, HC_BAD_NULL,
         "'ts' of the event is not there"},
        {"\"ts\": \"soon\", \"dur\": 1", HC_RANKS_N_NO_TIME, HC_BAD_NULL,
         "'ts' of the event is soon"},
        {"\"ts\": 1", HC_RANKS_N_NO_DURATION, HC_BAD_NULL, "'dur' of the event is not there"},
        {"\"ts\": 1, \"dur\": NaN", HC_RANKS_N_NO_DURATION, HC_BAD_NULL,
         "'dur' of the event is NaN"},
        {"\"ts\": 1, \"dur\": {}", HC_RANKS_N_NO_DURATION, HC_BAD_NULL, "'dur' of the event is {}"},
        {"\"ts\": 1, \"dur\": -0.001", HC_RANKS_N_NEGATIVE, HC_BAD_RANGE,
         "'dur' of the event is -0.001"},
        {"\"ts\": 4611686018427387.904, \"dur\": 0", HC_RANKS_N_OUT_OF_RANGE, HC_BAD_RANGE,
         "the event is out of the range of times"},
        {"\"ts\": -4611686018427387.904, \"dur\": 0", HC_RANKS_N_OUT_OF_RANGE, HC_BAD_RANGE,
         "the event is out of the range of times"},
        {"\"ts\": 1e30, \"dur\": 0", HC_RANKS_N_OUT_OF_RANGE, HC_BAD_RANGE,
         "the event is out of the range of times"},
        {"\"ts\": 1000, \"dur\": 4611686018427387", HC_RANKS_N_OUT_OF_RANGE, HC_BAD_RANGE,
         "the event is out of the range of times"},
    };
    char event[200], example[200];
    snprintf(event, sizeof event, "{\"ph\": \"X\", \"cat\": \"kernel\", %s}, " OP, cases[_i].times);
    read_events(event);
    for (int column = HC_RANKS_N_NO_OBJECTS; column <= HC_RANKS_N_DAMAGED; column++)
        ck_assert_int_eq(count((enum hc_ranks_column)column), column == (int)cases[_i].counted);
    ck_assert_int_eq(count(HC_RANKS_N_EVENTS), 2);
    ck_assert_int_eq(count(HC_RANKS_N_KERNELS), 0);
    ck_assert_int_eq(c.report.count[cases[_i].reason], 1);
    ck_assert_int_eq(hc_row_report_total_bad(&c.report), 1);
    snprintf(example, sizeof example, "'trace.json': byte 37: %s", cases[_i].example);
    ck_assert_str_eq(c.report.example[cases[_i].reason], example);
}
END_TEST

START_TEST(streams_and_devices)
{
    static const struct {
        const char *where;
        int64_t device, stream;
    } cases[] = {
        {"\"pid\": 3, \"tid\": 7", 3, 7},
        {"\"pid\": \"3\", \"tid\": \"7\"", 3, 7},
        {"\"pid\": 3, \"tid\": \"stream 7\"", 3, 7},
        {"\"pid\": \"Spans\", \"tid\": \"\"", HC_MISSING_I32, HC_MISSING_I32},
        {"\"pid\": 3, \"tid\": 7, \"args\": {\"device\": 1, \"stream\": 20}", 1, 20},
        {"\"pid\": 3, \"tid\": 7, \"args\": {\"device\": 1, \"stream\": -1}", 1, -1},
        {"\"pid\": 3, \"tid\": 7, \"args\": {\"stream\": 4294967295}", 3, -1},
        {"\"pid\": 3, \"tid\": 4294967295", 3, -1},
        {"\"tid\": 99999999999", HC_MISSING_I32, HC_MISSING_I32},
    };
    char event[200];
    snprintf(event, sizeof event,
             "{\"ph\": \"X\", \"cat\": \"kernel\", \"name\": \"k\", \"ts\": 1, \"dur\": 1, %s}",
             cases[_i].where);
    read_events(event);
    ck_assert_int_eq(first(HC_PROFILE_GPU, HC_GPU_DEVICE), cases[_i].device);
    ck_assert_int_eq(first(HC_PROFILE_GPU, HC_GPU_STREAM), cases[_i].stream);
}
END_TEST

START_TEST(activities)
{
    static const struct {
        const char *cat, *name, *args;
        enum hc_gpu_activity activity;
    } cases[] = {
        {"kernel", "gemm", "", HC_GPU_COMPUTES},
        {"kernel", "ncclDevKernel_SendRecv", "", HC_GPU_COMMUNICATES},
        {"kernel", "void NCCLKernel<1>", "", HC_GPU_COMMUNICATES},
        {"kernel", "rcclGeneric", "", HC_GPU_COMMUNICATES},
        {"kernel", "x_HCCL", "", HC_GPU_COMMUNICATES},
        {"kernel", "vllm::cross_device_reduce_1stage<half>", "", HC_GPU_COMMUNICATES},
        {"kernel", "k", "\"Collective name\": \"allreduce\"", HC_GPU_COMMUNICATES},
        {"kernel", "MEMORY_COPY_DEVICE_TO_HOST", "", HC_GPU_COPIES},
        {"kernel", "__amd_rocclr_copyBufferAligned", "", HC_GPU_COPIES},
        {"gpu_memcpy", "nccl?", "", HC_GPU_COPIES},
        {"gpu_memset", "Memset (Device)", "\"Collective name\": \"x\"", HC_GPU_COMPUTES},
    };
    char event[400];
    snprintf(event, sizeof event,
             "{\"ph\": \"X\", \"cat\": \"%s\", \"name\": \"%s\", " TIMES ", \"args\": {%s}}",
             cases[_i].cat, cases[_i].name, cases[_i].args);
    read_events(event);
    ck_assert_int_eq(first(HC_PROFILE_GPU, HC_GPU_ACTIVITY), cases[_i].activity);
}
END_TEST

START_TEST(names)
{
    static const struct {
        const char *written, *kept;
    } cases[] = {
        {"void f<int>(char*)", "void f<int>(char*)"},
        {"a\\\"b\\\\c\\/\\n\\t", "a\"b\\c/\n\t"},
        {"\\u0041\\u00e9\\u20ac\\ud83d\\ude00", "A\xC3\xA9\xE2\x82\xAC\xF0\x9F\x98\x80"},
        {"\\ud83d!\\u0000\\uZZ", "\xEF\xBF\xBD!\xEF\xBF\xBD\xEF\xBF\xBDZZ"},
        {"a\x01"
         "b\n{}[]",
         "a\x01"
         "b\n{}[]"},
        {"caf\xE9\xC3\xA9", "caf\xEF\xBF\xBD\xC3\xA9"},
        {"", ""},
    };
    char event[400];
    snprintf(event, sizeof event,
             "{\"ph\": \"X\", \"cat\": \"kernel\", \"name\": \"%s\", " TIMES ", \"args\": {}}",
             cases[_i].written);
    read_events(event);
    ck_assert_str_eq(kineto_case_text(&c, "event", (int32_t)first(HC_PROFILE_GPU, HC_GPU_NAME)),
                     cases[_i].kept);
}
END_TEST

START_TEST(long_names_are_cut)
{
    static char event[150000];
    int used = snprintf(event, sizeof event, "{\"ph\": \"X\", \"cat\": \"kernel\", \"name\": \"");
    memset(event + used, 'k', 100000);
    snprintf(event + used + 100000, 200, "\", " TIMES "}, " OP);
    read_events(event);
    const char *name = kineto_case_text(&c, "event", (int32_t)first(HC_PROFILE_GPU, HC_GPU_NAME));
    ck_assert_uint_eq(strlen(name), 4096);
    ck_assert_int_eq(count(HC_RANKS_N_CPU_OPS), 1);
}
END_TEST

START_TEST(threads)
{
    read_events(
        "{\"ph\": \"X\", \"cat\": \"cuda_runtime\", \"name\": \"cudaLaunchKernel\", \"pid\": "
        "\"Spans\", \"tid\": 7, \"ts\": 1, \"dur\": 1, \"args\": {\"correlation\": 0}}, " OP
        ", " OP);
    ck_assert_str_eq(
        kineto_case_text(&c, "thread", (int32_t)first(HC_PROFILE_CALLS, HC_CALLS_THREAD)),
        "Spans/7");
    ck_assert_int_eq(first(HC_PROFILE_CALLS, HC_CALLS_CORRELATION), HC_MISSING_I64);
    for (size_t i = 0; i < 2; i++)
        ck_assert_str_eq(
            kineto_case_text(&c, "thread",
                             hc_table_i32(&c.table[HC_PROFILE_MARKS], HC_MARKS_THREAD)[i]),
            "1/2");
    ck_assert_int_eq(first(HC_PROFILE_MARKS, HC_MARKS_NAME), HC_MISSING_I32);
}
END_TEST

START_TEST(names_of_ops_on_request)
{
    static const char text[] = "[" OP "]";
    struct hc_source source = bytes_source("x", text, strlen(text));
    kineto_case_fini(&c);
    kineto_case_read(&c, &source, 10, true);
    hc_source_close(&source);
    ck_assert_str_eq(kineto_case_text(&c, "event", (int32_t)first(HC_PROFILE_MARKS, HC_MARKS_NAME)),
                     "op");
}
END_TEST

START_TEST(syncs)
{
    read_events("{\"ph\": \"X\", \"cat\": \"cuda_sync\", \"name\": \"Sync\", \"pid\": 0, \"tid\": "
                "-1, \"ts\": 10, \"dur\": 5, \"args\": {\"cuda_sync_kind\": \"Stream Wait Event\", "
                "\"wait_on_stream\": 7, \"wait_on_cuda_event_record_corr_id\": 15, \"stream\": 20, "
                "\"correlation\": 16}}");
    ck_assert_str_eq(kineto_case_text(&c, "event", (int32_t)first(HC_PROFILE_SYNCS, HC_SYNCS_KIND)),
                     "Stream Wait Event");
    ck_assert_int_eq(first(HC_PROFILE_SYNCS, HC_SYNCS_STREAM), 20);
    ck_assert_int_eq(first(HC_PROFILE_SYNCS, HC_SYNCS_AWAITED_STREAM), 7);
    ck_assert_int_eq(first(HC_PROFILE_SYNCS, HC_SYNCS_RECORD_CORRELATION), 15);
    ck_assert_int_eq(first(HC_PROFILE_SYNCS, HC_SYNCS_CORRELATION), 16);
}
END_TEST

START_TEST(annotations)
{
#define ANNOTATION(name)                                                                           \
    "{\"ph\": \"X\", \"cat\": \"user_annotation\", \"name\": \"" name "\", " TIMES "}"
    read_events(ANNOTATION("ProfilerStep#12") ", " ANNOTATION("nccl:all_reduce") ", " ANNOTATION(
        "Optimizer.step#Adam.step") ", " ANNOTATION("forward") ", " ANNOTATION("ProfilerStep"));
    ck_assert_int_eq(count(HC_RANKS_N_ANNOTATIONS), 5);
    ck_assert_uint_eq(c.table[HC_PROFILE_ANNOTATIONS].n_rows, 3);
}
END_TEST

/* ---- collectives and groups ---- */

#define COMM_ARGS                                                                                  \
    "\"Collective name\": \"_allgather_base\", \"In msg nelems\": 10, \"Out msg nelems\": 80, "    \
    "\"Group size\": 8, \"dtype\": \"BFloat16\", \"Process Group Name\": \"7\", "                  \
    "\"Process Group Description\": \"mesh_fsdp\", \"Process Group Ranks\": \"[0, 1, ...]\", "     \
    "\"Global rank start\": 4, \"Global rank stride\": 2, \"Seq\": 33, \"Src Rank\": 5"

START_TEST(collectives)
{
    read_events("{\"ph\": \"X\", \"cat\": \"kernel\", \"name\": \"k\", \"pid\": 0, \"tid\": 24, "
                "\"ts\": 1, \"dur\": 2, \"args\": {\"correlation\": 9, " COMM_ARGS "}}, "
                "{\"ph\": \"X\", \"cat\": \"cpu_op\", \"name\": \"record_param_comms\", " TIMES
                ", \"args\": {}}");
    const struct hc_table *comms = &c.table[HC_PROFILE_COMMS];
    static const int64_t wanted[2][HC_COMMS_N_COLUMNS - HC_COMMS_CORRELATION] = {
        {9, 0, 0, 0, 8, 10, 80, 0, 4, 2, 5, HC_MISSING_I32, 33, 0},
        {HC_MISSING_I64, HC_MISSING_I32, HC_MISSING_I32, HC_MISSING_I32, HC_MISSING_I32,
         HC_MISSING_I64, HC_MISSING_I64, HC_MISSING_I32, HC_MISSING_I32, HC_MISSING_I32,
         HC_MISSING_I32, HC_MISSING_I32, HC_MISSING_I64, HC_MISSING_I32},
    };
    ck_assert_uint_eq(comms->n_rows, 2);
    for (size_t row = 0; row < 2; row++)
        for (size_t column = HC_COMMS_CORRELATION; column < HC_COMMS_N_COLUMNS; column++)
            ck_assert_int_eq(hc_comms_def.columns[column].type == HC_I32
                                 ? hc_table_i32(comms, column)[row]
                                 : hc_table_i64(comms, column)[row],
                             wanted[row][column - HC_COMMS_CORRELATION]);
    ck_assert_int_eq(hc_table_i32(comms, HC_COMMS_STREAM)[0], 24);
    ck_assert_int_eq(hc_table_i32(comms, HC_COMMS_THREAD)[0], HC_MISSING_I32);
    ck_assert_int_eq(hc_table_i32(comms, HC_COMMS_ORIGIN)[1], HC_COMM_OF_RECORD);
    ck_assert_str_eq(kineto_case_text(&c, "collective", 0), "all_gather");
    ck_assert_str_eq(kineto_case_text(&c, "group", 0), "7");
    ck_assert_str_eq(kineto_case_text(&c, "group_description", 0), "mesh_fsdp");
    ck_assert_str_eq(kineto_case_text(&c, "dtype", 0), "BFloat16");
}
END_TEST

START_TEST(groups)
{
    static const char *const forms[] = {
        "{" INFO ", \"traceEvents\": [" OP "]}",
        "{\"traceEvents\": [" OP "], " INFO "}",
        "{\"traceEvents\": [" OP "], \"traceEvents\": [], \"baseTimeNanoseconds\": 1, " INFO "}",
    };
    static const int32_t members[] = {1, 3, 3, 7, HC_MISSING_I32, HC_MISSING_I32};
    read_text(forms[_i]);
    const struct hc_table *groups = &c.table[HC_PROFILE_GROUPS];
    ck_assert_uint_eq(groups->n_rows, 6);
    for (size_t row = 0; row < 6; row++)
        ck_assert_int_eq(hc_table_i32(groups, HC_GROUPS_MEMBER)[row], members[row]);
    ck_assert_str_eq(kineto_case_text(&c, "group", hc_table_i32(groups, HC_GROUPS_GROUP)[5]), "9");
    ck_assert_int_eq(hc_table_i32(groups, HC_GROUPS_SIZE)[4], HC_MISSING_I32);
    ck_assert_int_eq(count(HC_RANKS_RANK), 3);
    ck_assert_int_eq(count(HC_RANKS_RANK_ORIGIN), HC_RANK_RECORDED);
    ck_assert_int_eq(count(HC_RANKS_WORLD_SIZE), 8);
    ck_assert_int_eq(count(HC_RANKS_N_CPU_OPS), 1);
}
END_TEST

START_TEST(ranks_of_names)
{
    static const struct {
        const char *name;
        int32_t rank; /* -1: it tells none */
    } cases[] = {
        {"rank-3.Jul_15.json.gz", 3},
        {"d.rank9/worker12_step_12.1694.pt.trace.json", 12},
        {"host_rank[3].json", 3},
        {"x.tar.gz:dlrm/worker7_step_12.json", 7},
        {"x.tar.gz:rank5", 5},
        {"RANK_0", 0},
        {"inference_rank_1.json", 1},
        {"rank--3", -1},
        {"crank3.json", -1},
        {"3rank4.json", -1},
        {"rank.json", -1},
        {"rank/3.json", -1},
        {"rank99999999999", -1},
        {"host_4711.pt.trace.json", -1},
    };
    static const char text[] = "{\"traceEvents\": [" OP "]}";
    read_as(cases[_i].name, text, strlen(text));
    ck_assert(!c.status);
    ck_assert_int_eq(count(HC_RANKS_RANK), cases[_i].rank < 0 ? 0 : cases[_i].rank);
    ck_assert_int_eq(count(HC_RANKS_RANK_ORIGIN),
                     cases[_i].rank < 0 ? HC_RANK_ALONE : HC_RANK_OF_NAME);
}
END_TEST

START_TEST(bases)
{
    read_text("{\"baseTimeNanoseconds\": 1711964646000000000, \"traceEvents\": [" OP "]}");
    ck_assert_int_eq(count(HC_RANKS_BASE_NS), 1711964646000000000);
    ck_assert_int_eq(first(HC_PROFILE_MARKS, HC_MARKS_START_NS), 10000);
    read_text("{\"traceEvents\": [" OP "], \"baseTimeNanoseconds\": \"5\"}");
    ck_assert_int_eq(count(HC_RANKS_BASE_NS), 5);
    static const char far[] =
        "{\"traceEvents\": [" OP "], \"baseTimeNanoseconds\": 4611686018427387903}";
    read_as("far.json", far, strlen(far));
    ck_assert_int_eq(c.status, HC_BAD_INPUT);
    ck_assert_str_eq(c.err.message, "'far.json': 'baseTimeNanoseconds' is 4611686018427387903, "
                                    "which puts events out of the range of times");
}
END_TEST

/* ---- recognition ---- */

START_TEST(recognised)
{
    static const struct {
        const char *text;
        bool is_kineto;
    } cases[] = {
        {"{\"schemaVersion\": 1, \"traceEvents\": [", true},
        {"\xEF\xBB\xBF{\"x\": {\"y\": []}, \"distributedInfo\": {}, \"traceEvents\": []}", true},
        {"{\"traceEvents\": [" OP, true},
        {"[{\"ph\": \"M\"}, " OP "]", true},
        {"{\"schemaVersion\": 1, \"deviceProperties\": [{", true},
        {"{\"traceEvents\": [{\"ph\": \"X\", \"name\": \"forward-compute\", \"args\": {\"step\": "
         "1}}]}",
         false},
        {"{\"args\": {\"schemaVersion\": 1}, \"traceEvents\": []}", false},
        {"{\"schema\": \"1.0.1\", \"nodes\": []}", false},
        {"[{\"ph\": \"B\", \"cat\": \"kernel\"}]", false},
        {"", false},
        {"time,node\n", false},
    };
    int sure =
        hc_format_kineto.probe((const unsigned char *)cases[_i].text, strlen(cases[_i].text), "x");
    ck_assert_int_eq(sure > 0, cases[_i].is_kineto);
}
END_TEST

#define LOOP(test, n) tcase_add_loop_test(tcase, test, 0, n)

int main(void)
{
    Suite *suite = suite_create("kineto");
    TCase *tcase = tcase_create("all");
    tcase_set_timeout(tcase, 60);
    LOOP(classes, 20);
    tcase_add_test(tcase, other_phases_do_not_count);
    tcase_add_test(tcase, python_functions_are_passed_over);
    tcase_add_test(tcase, keys_in_any_order);
    LOOP(times, 11);
    LOOP(bad_times, 11);
    LOOP(streams_and_devices, 9);
    LOOP(activities, 11);
    LOOP(names, 7);
    tcase_add_test(tcase, long_names_are_cut);
    tcase_add_test(tcase, threads);
    tcase_add_test(tcase, names_of_ops_on_request);
    tcase_add_test(tcase, syncs);
    tcase_add_test(tcase, annotations);
    tcase_add_test(tcase, collectives);
    LOOP(groups, 3);
    LOOP(ranks_of_names, 14);
    tcase_add_test(tcase, bases);
    LOOP(recognised, 11);
    suite_add_tcase(suite, tcase);
    SRunner *runner = srunner_create(suite);
    srunner_run_all(runner, CK_NORMAL);
    int failed = srunner_ntests_failed(runner);
    srunner_free(runner);
    kineto_case_fini(&c);
    return failed ? 1 : 0;
}
