/* Real profiler traces: the counts and sums of their events are those that a script of another
 * language (json and decimal of Python) found. Exit 77 where the data is not at hand. */
#include "parsers/io/tar.h"
#include "tests/support/bytes_source.h"
#include "tests/support/kineto_case.h"
#include "tests/support/published_traces.h"

#include <check.h>

static struct kineto_case c;
static struct hc_error err;

static void read_source(const struct hc_source *source)
{
    kineto_case_fini(&c);
    kineto_case_read(&c, source, 1000, false);
    ck_assert_msg(!c.status, "%s", c.err.message);
    ck_assert_int_eq(hc_row_report_total_bad(&c.report), 0);
}

static void read_file(const char *file)
{
    char path[PATH_MAX];
    const struct hc_format *format = NULL;
    struct hc_source source;
    ck_assert_msg(!hc_source_open(&source, shared_data(path, file), &err), "%s", err.message);
    ck_assert_msg(!hc_format_detect(&format, &source, &err), "%s", err.message);
    ck_assert_str_eq(format->name, "kineto");
    read_source(&source);
    hc_source_close(&source);
}

static int64_t count(enum hc_ranks_column column)
{
    return kineto_case_count(&c, column);
}

static int64_t n_comms_on_gpu(void)
{
    const struct hc_table *gpu = &c.table[HC_PROFILE_GPU];
    int64_t n = 0;
    for (size_t i = 0; i < gpu->n_rows; i++)
        n += hc_table_i32(gpu, HC_GPU_ACTIVITY)[i] == HC_GPU_COMMUNICATES;
    return n;
}

static const struct {
    const char *file;
    int64_t rank, base_ns, n_events, n_cpu_ops, n_calls, n_kernels, n_memcpys, n_memsets, n_python;
    int64_t mark_ns, call_ns, gpu_ns, call_correlation, gpu_correlation, streams, bytes, elements;
} traces[] = {
    {"kineto-hta/trace_filter/sampled_rank-1.json.gz", 1, 0, 4676, 2302, 1154, 1104, 40, 10, 0,
     775959000, 9602000, 667530000, 8106120711, 8106120711, 11390, 3362442928, 0},
    {"kineto-hta/nccl_parser_config/nccl_data.json.gz", 0, 1711964646000000000, 26933, 14346, 8740,
     2700, 960, 114, 0, 1419306842, 44633816, 165185838, 368563179, 161232121, 27111, 716464101,
     153661230},
    {"kineto-tracelens/h100/Qwen_Qwen1.5-0.5B-Chat__1016005.json.gz", 0, 1751410836000000000, 12080,
     4186, 1922, 1465, 1, 241, 4262, 45647935, 21619374, 45647300, 1328153875, 1173564459, 11949,
     965, 0},
};

START_TEST(sums_agree)
{
    read_file(traces[_i].file);
    ck_assert_int_eq(count(HC_RANKS_RANK), traces[_i].rank);
    ck_assert_int_eq(count(HC_RANKS_BASE_NS), traces[_i].base_ns);
    ck_assert_int_eq(count(HC_RANKS_N_EVENTS), traces[_i].n_events);
    ck_assert_int_eq(count(HC_RANKS_N_CPU_OPS), traces[_i].n_cpu_ops);
    ck_assert_int_eq(count(HC_RANKS_N_CALLS), traces[_i].n_calls);
    ck_assert_int_eq(count(HC_RANKS_N_KERNELS), traces[_i].n_kernels);
    ck_assert_int_eq(count(HC_RANKS_N_MEMCPYS), traces[_i].n_memcpys);
    ck_assert_int_eq(count(HC_RANKS_N_MEMSETS), traces[_i].n_memsets);
    ck_assert_int_eq(count(HC_RANKS_N_PYTHON), traces[_i].n_python);
#define SUM(table, column) kineto_case_sum(&c, HC_PROFILE_##table, column)
    ck_assert_int_eq(SUM(MARKS, HC_MARKS_DURATION_NS), traces[_i].mark_ns);
    ck_assert_int_eq(SUM(CALLS, HC_CALLS_DURATION_NS), traces[_i].call_ns);
    ck_assert_int_eq(SUM(GPU, HC_GPU_DURATION_NS), traces[_i].gpu_ns);
    ck_assert_int_eq(SUM(CALLS, HC_CALLS_CORRELATION), traces[_i].call_correlation);
    ck_assert_int_eq(SUM(GPU, HC_GPU_CORRELATION), traces[_i].gpu_correlation);
    ck_assert_int_eq(SUM(GPU, HC_GPU_STREAM), traces[_i].streams);
    ck_assert_int_eq(SUM(GPU, HC_GPU_BYTES), traces[_i].bytes);
    ck_assert_int_eq(SUM(COMMS, HC_COMMS_IN_ELEMENTS), traces[_i].elements);
}
END_TEST

static const char *const readable[] = {
    "kineto-hta/cpu_only/rank-34.Jul_15_10_52_41.1074.pt.trace.json.gz",
    "kineto-hta/critical_path/alexnet/benchmark_result_2869224_1695835535_trace.json.gz",
    "kineto-hta/critical_path/cuda_event_sync/event_sync_trace.json.gz",
    "kineto-hta/execution_trace/benchmark_simple_add_trace.json.gz",
    "kineto-hta/negative_queue_length_values_check/rank0.json.gz",
    "kineto-hta/rank_unavailable/rank_not_found.json.gz",
    "kineto-hta/timeline_analysis/sampled_rank-0.json.gz",
    "kineto-hta/trace_file_list/inference_rank_1.json.gz",
    "kineto-tracelens/h100/Falconsai_nsfw_image_detection__1016002.json.gz",
    "kineto-tracelens/h100/gaunernst_bert-small-uncased__1016001.json.gz",
    "kineto-tracelens/inference/sglang_decode/sglang_Qwen3-8B_decode.json.gz",
    "kineto-tracelens/inference/vllm_decode_full/graph_execution.json.gz",
    "kineto-tracelens/torch_compile_triton/trace.json.gz",
    "chakra-param/linear_kineto.json.gz",
    "chakra-param/resnet_kineto.json.gz",
};

START_TEST(all_others_are_read)
{
    read_file(readable[_i]);
    ck_assert_int_gt(count(HC_RANKS_N_EVENTS), 0);
    ck_assert_int_eq(count(HC_RANKS_IS_CUT), 0);
}
END_TEST

/* Worker 3 as far as a job that was killed may have written it. */
static void check_cut_worker(const struct hc_source *member)
{
    static char text[784796];
    ck_assert(!hc_source_read_at(member, 0, text, sizeof text, &err));
    struct hc_source cut = bytes_source(member->name, text, sizeof text);
    read_source(&cut);
    ck_assert_int_eq(count(HC_RANKS_IS_CUT), 1);
    ck_assert_int_eq(count(HC_RANKS_N_CPU_OPS), 1633);
    ck_assert_int_eq(count(HC_RANKS_N_CALLS), 339);
    ck_assert_int_eq(count(HC_RANKS_N_KERNELS), 196);
    ck_assert_int_eq(count(HC_RANKS_N_MEMCPYS), 16);
    ck_assert_int_eq(n_comms_on_gpu(), 6);
    ck_assert_int_eq(count(HC_RANKS_RANK), 3);
    hc_source_close(&cut);
}

START_TEST(dlrm_in_its_archive)
{
    char path[PATH_MAX];
    struct hc_source archive, member;
    struct hc_tar *tar = NULL;
    bool found = true, seen[8] = {false};
    ck_assert(
        !hc_source_open(&archive, shared_data(path, "chakra-param/dlrm_kineto.tar.gz"), &err));
    ck_assert(!hc_tar_open(&tar, &archive, &err));
    while (!hc_tar_next(tar, &member, &found, &err) && found) {
        read_source(&member);
        int64_t rank = count(HC_RANKS_RANK);
        ck_assert(rank >= 0 && rank < 8 && !seen[rank]);
        seen[rank] = true;
        ck_assert_int_eq(count(HC_RANKS_WORLD_SIZE), 8);
        ck_assert_int_eq(n_comms_on_gpu(), 8);
        if (rank == 0) {
            ck_assert_int_eq(count(HC_RANKS_N_CPU_OPS), 1633);
            ck_assert_int_eq(count(HC_RANKS_N_CALLS), 525);
            ck_assert_int_eq(count(HC_RANKS_N_KERNELS), 245);
            ck_assert_int_eq(count(HC_RANKS_N_MEMCPYS), 16);
            ck_assert_int_eq(count(HC_RANKS_N_ANNOTATIONS), 40);
        }
        if (rank == 3)
            check_cut_worker(&member);
        hc_source_close(&member);
    }
    for (size_t rank = 0; rank < 8; rank++)
        ck_assert(seen[rank]);
    hc_tar_close(tar);
    hc_source_close(&archive);
}
END_TEST

int main(void)
{
    if (shared_data_is_missing("chakra-param/dlrm_kineto.tar.gz"))
        return TEST_SKIPPED;
    Suite *suite = suite_create("kineto_shared");
    TCase *tcase = tcase_create("all");
    tcase_set_timeout(tcase, 60);
    tcase_add_loop_test(tcase, sums_agree, 0, sizeof traces / sizeof *traces);
    tcase_add_loop_test(tcase, all_others_are_read, 0, sizeof readable / sizeof *readable);
    tcase_add_test(tcase, dlrm_in_its_archive);
    suite_add_tcase(suite, tcase);
    SRunner *runner = srunner_create(suite);
    srunner_run_all(runner, CK_NORMAL);
    int failed = srunner_ntests_failed(runner);
    srunner_free(runner);
    kineto_case_fini(&c);
    return failed ? 1 : 0;
}
