/* Profiler traces to rows: a made trace of some 200 MB, plain and from gzip, one core; and a real
 * one where the shared data is at hand. */
#include "bench/bench.h"
#include "core/base/memory.h"
#include "core/tables/profile_tables.h"
#include "core/tables/table_names.h"
#include "parsers/io/byte_reader.h"
#include "parsers/registry/format_registry.h"

#include <libdeflate.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define MADE_BYTES 200000000
#define BATCH_ROWS 32768

/* What a launch leaves in a trace, in the layout and the lengths of PyTorch 2: the op with shapes
 * and stack, two of Python's functions, the call, the kernel and the arrows between. @ is a
 * count, ~ the time. */
static const char launch[] =
    "  {\n    \"ph\": \"X\", \"cat\": \"cpu_op\", \"name\": \"aten::addmm\", \"pid\": 2910249, "
    "\"tid\": 2910249,\n    \"ts\": ~, \"dur\": 57.482,\n    \"args\": {\n      "
    "\"External id\": @,\"Record function id\": 0, \"Sequence number\": 4711, \"Fwd thread "
    "id\": 0, \"Input Dims\": [[512], [8, 768], [768, 512], [], []], \"Input type\": [\"float\", "
    "\"float\", \"float\", \"Scalar\", \"Scalar\"], \"Input Strides\": [[1], [768, 1], [1, 768], "
    "[], []], \"Concrete Inputs\": [\"\", \"\", \"\", \"1\", \"1\"], \"Ev Idx\": @\n    }\n  },\n"
    "  {\n    \"ph\": \"X\", \"cat\": \"python_function\", \"name\": "
    "\"torch/nn/modules/linear.py(114): "
    "forward\", \"pid\": 2910249, \"tid\": 2910249,\n    \"ts\": ~, \"dur\": "
    "88.120,\n    \"args\": {\n      \"External id\": @,\"Python parent id\": 811, \"Python "
    "id\": @, \"Ev Idx\": @\n    }\n  },\n"
    "  {\n    \"ph\": \"X\", \"cat\": \"python_function\", \"name\": \"<built-in function "
    "linear>\", "
    "\"pid\": 2910249, \"tid\": 2910249,\n    \"ts\": ~, \"dur\": 71.003,\n    "
    "\"args\": {\n      \"External id\": @,\"Python parent id\": 812, \"Python id\": @, "
    "\"Ev Idx\": @\n    }\n  },\n"
    "  {\n    \"ph\": \"X\", \"cat\": \"cuda_runtime\", \"name\": \"cudaLaunchKernel\", \"pid\": "
    "2910249, \"tid\": 2910249,\n    \"ts\": ~, \"dur\": 5.412,\n    \"args\": {\n"
    "      \"External id\": @,      \"cbid\": 211, \"correlation\": @\n    }\n  },\n"
    "  {\n    \"ph\": \"s\", \"id\": @, \"pid\": 2910249, \"tid\": 2910249, \"ts\": "
    "~,\n    \"cat\": \"ac2g\", \"name\": \"ac2g\"\n  },\n"
    "  {\n    \"ph\": \"X\", \"cat\": \"kernel\", \"name\": \"void "
    "at::native::vectorized_elementwise_kernel<4, at::native::CUDAFunctor_add<float>, "
    "at::detail::Array<char*, 3> >(int, at::native::CUDAFunctor_add<float>, "
    "at::detail::Array<char*, 3>)\", \"pid\": 0, \"tid\": 7,\n    \"ts\": ~, "
    "\"dur\": 2.304,\n    \"args\": {\n      \"External id\": @,      \"queued\": 0, "
    "\"device\": 0, \"context\": 1,      \"stream\": 7, \"correlation\": @,      "
    "\"registers per thread\": 32,      \"shared memory\": 0,      \"blocks per SM\": 0.151515,    "
    "  \"warps per SM\": 0.606061,      \"grid\": [20, 1, 1],      \"block\": [128, 1, 1],      "
    "\"est. achieved occupancy %\": 1\n    }\n  },\n"
    "  {\n    \"ph\": \"f\", \"id\": @, \"pid\": 0, \"tid\": 7, \"ts\": ~,\n    "
    "\"cat\": \"ac2g\", \"name\": \"ac2g\", \"bp\": \"e\"\n  },\n";

static const char head[] =
    "{\n  \"schemaVersion\": 1,\n  \"distributedInfo\": {\"backend\": \"nccl\", \"rank\": 3, "
    "\"world_size\": 8},\n  \"displayTimeUnit\": \"ms\",\n  \"baseTimeNanoseconds\": "
    "1711964646000000000,\n  \"traceEvents\": [\n";
static const char tail[] = "  {\"ph\": \"M\"}\n  ]\n}\n";

/* Append a launch to text; returns its length. */
static size_t put_launch(char *text, long long i)
{
    size_t used = 0;
    for (const char *at = launch; *at; at++)
        if (*at == '@')
            used += (size_t)sprintf(text + used, "%lld", i);
        else if (*at == '~')
            used +=
                (size_t)sprintf(text + used, "%lld.%03lld", 4458677000000 + 97 * i, i * 131 % 1000);
        else
            text[used++] = *at;
    return used;
}

static char *make_trace(size_t *length)
{
    struct hc_error err = {0};
    char *text = hc_new_array(MADE_BYTES + 8192, 1, &err);
    if (!text)
        hc_bench_stop(&err);
    size_t used = (size_t)sprintf(text, "%s", head);
    for (long long i = 1; used < MADE_BYTES; i++)
        used += put_launch(text + used, i);
    used += (size_t)sprintf(text + used, "%s", tail);
    *length = used;
    return text;
}

static void write_file(const char *path, const void *bytes, size_t length)
{
    FILE *file = fopen(path, "wb");
    if (!file || fwrite(bytes, 1, length, file) != length || fclose(file)) {
        fprintf(stderr, "bench: cannot write '%s'\n", path);
        exit(1);
    }
}

static void write_packed(const char *path, const char *text, size_t length)
{
    struct libdeflate_compressor *compressor = libdeflate_alloc_compressor(6);
    size_t room = compressor ? libdeflate_gzip_compress_bound(compressor, length) : 0;
    char *packed = malloc(room);
    if (!packed || !compressor)
        exit(1);
    write_file(path, packed, libdeflate_gzip_compress(compressor, text, length, packed, room));
    free(packed);
    libdeflate_free_compressor(compressor);
}

struct run {
    struct hc_source source;
    struct hc_table batch[HC_PROFILE_N_TABLES];
    int64_t n_rows;
};

static void read_trace(void *context)
{
    struct run *run = context;
    struct hc_error err = {0};
    struct hc_table_names names;
    struct hc_row_report report = {0};
    void *parser = NULL;
    size_t n_rows = 1;
    if (hc_table_names_init(&names, hc_profile_tables, &err))
        hc_bench_stop(&err);
    const struct hc_parse_options options = {.names = &names};
    if (hc_format_kineto.open(&parser, &run->source, &options, &err))
        hc_bench_stop(&err);
    for (run->n_rows = 0; n_rows; run->n_rows += (int64_t)n_rows) {
        n_rows = 0;
        for (size_t i = 0; i < HC_PROFILE_N_TABLES; i++)
            run->batch[i].n_rows = 0;
        if (hc_format_kineto.next_tables(parser, run->batch, &report, &err))
            hc_bench_stop(&err);
        for (size_t i = 0; i < HC_PROFILE_N_TABLES; i++)
            n_rows += run->batch[i].n_rows;
    }
    hc_format_kineto.close(parser);
    hc_row_report_fini(&report);
    hc_table_names_fini(&names);
}

/* The bytes alone, without a look at them; returns how many. */
static size_t n_unpacked;
static void unpack(void *context)
{
    static char block[1 << 18];
    struct run *run = context;
    struct hc_byte_reader *reader = NULL;
    struct hc_error err = {0};
    size_t length = 1;
    if (hc_byte_reader_open(&reader, &run->source, &err))
        hc_bench_stop(&err);
    for (n_unpacked = 0; length; n_unpacked += length)
        if (hc_byte_reader_read(reader, block, sizeof block, &length, &err))
            hc_bench_stop(&err);
    hc_byte_reader_close(reader);
}

/* The speed over the unpacked bytes, against a limit; 0: none. */
static void measure(struct hc_bench *bench, struct run *run, const char *path, const char *what,
                    double limit)
{
    struct hc_error err = {0};
    char name[100];
    if (hc_source_open(&run->source, path, &err))
        hc_bench_stop(&err);
    double unpack_s = hc_bench_seconds(unpack, run);
    double gigabytes = (double)n_unpacked * 1e-9;
    struct hc_bench_pair pair = hc_bench_beside(HC_BENCH_BYTES, read_trace, run);
    snprintf(name, sizeof name, "Kineto to rows, %s", what);
    if (limit > 0)
        hc_bench_limit(bench, name, &pair, (double)n_unpacked, "GB/s", limit);
    else
        hc_bench_note(bench, name, gigabytes / pair.seconds, "GB/s");
    snprintf(name, sizeof name, "Kineto, %s: bytes alone", what);
    hc_bench_note(bench, name, gigabytes / unpack_s, "GB/s");
    hc_source_close(&run->source);
}

int main(void)
{
    struct hc_bench bench = hc_bench_start();
    struct hc_error err = {0};
    struct run run = {.n_rows = 0};
    char plain[HC_BENCH_PATH], packed[HC_BENCH_PATH];
    size_t length = 0;
    for (size_t i = 0; i < HC_PROFILE_N_TABLES; i++)
        if (hc_table_init(&run.batch[i], hc_profile_tables[i], BATCH_ROWS, &err))
            hc_bench_stop(&err);
    hc_bench_scratch(plain, "rank3.json");
    hc_bench_scratch(packed, "rank3.json.gz");
    char *text = make_trace(&length);
    write_file(plain, text, length);
    write_packed(packed, text, length);
    free(text);
    measure(&bench, &run, plain, "plain", 1.5);
    measure(&bench, &run, packed, "gzip", 2.2);
    const char *real = hc_bench_shared("data/chakra-param/resnet_kineto.json.gz");
    if (real)
        measure(&bench, &run, real, "gzip, real (resnet)", 0);
    else
        hc_bench_skip(&bench, "Kineto, real", "needs ../shared");
    hc_bench_note(&bench, "memory", hc_bench_peak_mb(), "MB, with the made trace");
    for (size_t i = 0; i < HC_PROFILE_N_TABLES; i++)
        hc_table_fini(&run.batch[i]);
    return hc_bench_end(&bench);
}
