/* The trace writers, read back by the parsers; and Parquet's parts against its specification. */
#include "core/base/memory.h"
#include "core/random/philox.h"
#include "core/tables/op_table.h"
#include "parsers/io/source.h"
#include "parsers/registry/format_registry.h"
#include "parsers/steps/metadata.h"
#include "reports/export/metadata_writer.h"
#include "reports/export/parquet_writer.h"
#include "reports/export/rle_writer.h"
#include "reports/export/step_csv_writer.h"
#include "reports/export/step_parquet_writer.h"
#include "reports/export/thrift_compact.h"
#include "sim/synth/step_synth.h"

#include <check.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static char directory[] = "/tmp/hc-trace-writers-XXXXXX";
static char path[128];

static const char *in_directory(const char *name)
{
    snprintf(path, sizeof path, "%s/%s", directory, name);
    return path;
}

/* A table of awkward values: all sizes of numbers, missing ones, times before 0. */
static void fill_awkward(struct hc_table *ops, size_t n)
{
    struct hc_error err = {0};
    struct hc_philox rng;
    hc_philox_seek(&rng, 11, n, 0);
    ck_assert(!hc_table_init(ops, &hc_ops_def, n, &err));
    struct hc_op_columns c = hc_op_columns(ops);
    for (size_t i = 0; i < n; i++) {
        c.step[i] = (int32_t)(i / 100) * 1000000;
        c.dp_rank[i] = (int32_t)hc_philox_integer(&rng, 3);
        c.stage[i] = (int32_t)(i % 7 == 0);
        c.rank[i] = (int32_t)hc_philox_integer(&rng, INT32_MAX);
        c.op_type[i] = (int32_t)hc_philox_integer(&rng, HC_N_OP_TYPES);
        c.seq_id[i] = (int32_t)(i % 100);
        c.model_chunk[i] = i % 3 ? HC_MISSING_I32 : (int32_t)(i % 4);
        c.global_chunk[i] = i % 5 ? HC_MISSING_I32 : (int32_t)i;
        c.microbatch[i] = i % 2 ? HC_MISSING_I32 : INT32_MAX;
        c.start_ns[i] = (int64_t)hc_philox_integer(&rng, 4000000000000) - (i % 11 == 0 ? 1000 : 0);
        c.duration_ns[i] = (int64_t)hc_philox_integer(&rng, i % 13 ? 2000000000 : 1);
    }
    ops->n_rows = n;
}

static void assert_same_rows(const struct hc_table *a, const struct hc_table *b, int64_t tolerance)
{
    ck_assert_uint_eq(a->n_rows, b->n_rows);
    for (size_t column = 0; column < HC_OPS_START_NS; column++)
        ck_assert_msg(memcmp(a->column[column], b->column[column], a->n_rows * 4) == 0, "column %s",
                      hc_ops_def.columns[column].name);
    for (size_t column = HC_OPS_START_NS; column <= HC_OPS_DURATION_NS; column++)
        for (size_t i = 0; i < a->n_rows; i++) {
            int64_t left = hc_table_i64(a, column)[i], right = hc_table_i64(b, column)[i];
            ck_assert_int_le(llabs(left - right), tolerance ? llabs(left) / 16000000 + 1 : 0);
        }
}

/* Read a trace of a known format into ops, which has room for it. Bad rows are an error, too. */
static enum hc_status try_read(const char *file, const char *format_name, struct hc_table *ops,
                               struct hc_error *err)
{
    struct hc_source source;
    const struct hc_format *format = hc_format_find(format_name);
    struct hc_parse_options options = {0};
    struct hc_row_report report = {0};
    void *parser = NULL;
    ops->n_rows = 0;
    ck_assert_msg(!hc_source_open(&source, file, err), "%s", err->message);
    enum hc_status status = format->open(&parser, &source, &options, err);
    for (size_t before = SIZE_MAX; status == HC_OK && before != ops->n_rows;) {
        before = ops->n_rows;
        status = format->next_batch(parser, ops, &report, err);
    }
    if (status == HC_OK && hc_row_report_total_bad(&report))
        status = hc_fail(err, HC_BAD_INPUT, "bad rows");
    format->close(parser);
    hc_row_report_fini(&report);
    hc_source_close(&source);
    return status;
}

/* Read a trace that must be recognised as of this format. */
static void read_back(const char *file, const char *format_name, struct hc_table *ops, size_t n)
{
    struct hc_error err = {0};
    struct hc_source source;
    const struct hc_format *format = NULL;
    ck_assert_msg(!hc_source_open(&source, file, &err), "%s", err.message);
    ck_assert_msg(!hc_format_detect(&format, &source, &err), "%s", err.message);
    ck_assert_str_eq(format->name, format_name);
    hc_source_close(&source);
    ck_assert(!hc_table_init(ops, &hc_ops_def, n + 1, &err));
    ck_assert_msg(!try_read(file, format_name, ops, &err), "%s", err.message);
}

static void write_csv(const struct hc_table *ops, const char *file, bool gzip)
{
    struct hc_error err = {0};
    struct hc_step_csv *csv = NULL;
    FILE *stream = fopen(file, "w");
    ck_assert(!hc_step_csv_open(&csv, stream, file, gzip, &err));
    ck_assert(!hc_step_csv_write(csv, ops, &err));
    ck_assert(!hc_step_csv_finish(csv, &err));
    hc_step_csv_close(csv);
    ck_assert_int_eq(fclose(stream), 0);
}

START_TEST(csv_comes_back)
{
    struct hc_table ops, back;
    fill_awkward(&ops, 5000);
    write_csv(&ops, in_directory("trace-x.csv"), false);
    read_back(in_directory("trace-x.csv"), "step-csv", &back, 5000);
    assert_same_rows(&ops, &back, 0);
    hc_table_fini(&back);
    write_csv(&ops, in_directory("trace-x.csv.gz"), true);
    read_back(in_directory("trace-x.csv.gz"), "step-csv", &back, 5000);
    assert_same_rows(&ops, &back, 0);
    hc_table_fini(&back);
    hc_table_fini(&ops);
}
END_TEST

START_TEST(csv_is_as_the_artifact_has_it)
{
    struct hc_table ops;
    fill_awkward(&ops, 3);
    struct hc_op_columns c = hc_op_columns(&ops);
    static const int32_t rows[3][9] = {
        {16, 1, 0, 4, HC_FORWARD_COMPUTE, 0, 0, 0, 7},
        {16, 1, 3, 5, HC_GC, 0, HC_MISSING_I32, HC_MISSING_I32, 0},
        {16, 0, 2, 6, HC_FORWARD_RECV, 12, HC_MISSING_I32, HC_MISSING_I32, HC_MISSING_I32}};
    static const int64_t times[3][2] = {{1250000001, 48274387}, {5000000000, 0}, {-120, 10000}};
    for (int i = 0; i < 3; i++) {
        for (int column = HC_OPS_STEP; column <= HC_OPS_MICROBATCH; column++)
            hc_table_i32(&ops, (size_t)column)[i] = rows[i][column];
        c.start_ns[i] = times[i][0];
        c.duration_ns[i] = times[i][1];
    }
    write_csv(&ops, in_directory("three.csv"), false);
    char text[512] = "";
    FILE *stream = fopen(in_directory("three.csv"), "r");
    text[fread(text, 1, sizeof text - 1, stream)] = '\0';
    fclose(stream);
    ck_assert_str_eq(text, "dp_rank,stage,rank,step,optype,start_ts,duration,seq_id,mc,mb_id,gmc\n"
                           "1,0,4,16,forward-compute,1.250000001,0.048274387,0,0,7,0\n"
                           "1,3,5,16,gc,5,0,0,-1,0,-1\n"
                           "0,2,6,16,forward-recv,-0.00000012,0.00001,12,-1,-1,-1\n");
    hc_table_fini(&ops);
}
END_TEST

START_TEST(parquet_comes_back)
{
    /* Groups and pages that do not divide the rows; bit i of the case switches option i. */
    const struct hc_step_parquet_options options = {.required = _i & 1,
                                                    .uncompressed = _i & 2,
                                                    .float32_times = _i & 4,
                                                    .row_group_rows = _i & 8 ? 777 : 0};
    struct hc_error err = {0};
    struct hc_table ops, back;
    struct hc_step_parquet *parquet = NULL;
    FILE *stream = fopen(in_directory("trace-x.parquet"), "w");
    fill_awkward(&ops, 20000);
    ck_assert(!hc_step_parquet_open(&parquet, stream, path, &options, &err));
    ck_assert(!hc_step_parquet_write(parquet, &ops, &err));
    ck_assert(!hc_step_parquet_finish(parquet, &err));
    hc_step_parquet_close(parquet);
    ck_assert_int_eq(fclose(stream), 0);
    read_back(in_directory("trace-x.parquet"), "step-parquet", &back, 20000);
    assert_same_rows(&ops, &back, options.float32_times);
    hc_table_fini(&back);
    hc_table_fini(&ops);
}
END_TEST

/* A bit flipped anywhere is noticed, unless the values are what they were. */
START_TEST(parquet_damage_is_noticed)
{
    const struct hc_step_parquet_options options = {.required = _i & 1, .uncompressed = _i & 2};
    enum { N = 60, MOST = 16384 };
    static unsigned char bytes[MOST];
    struct hc_error err = {0};
    struct hc_table ops, back;
    struct hc_step_parquet *parquet = NULL;
    FILE *stream = fopen(in_directory("trace-x.parquet"), "w+");
    fill_awkward(&ops, N);
    ck_assert(!hc_step_parquet_open(&parquet, stream, path, &options, &err));
    ck_assert(!hc_step_parquet_write(parquet, &ops, &err));
    ck_assert(!hc_step_parquet_finish(parquet, &err));
    hc_step_parquet_close(parquet);
    rewind(stream);
    size_t size = fread(bytes, 1, MOST, stream), n_refused = 0;
    ck_assert_uint_lt(size, MOST);
    ck_assert(!hc_table_init(&back, &hc_ops_def, N + 1, &err));
    for (size_t at = 0; at < size; at++) {
        unsigned char flipped = (unsigned char)(bytes[at] ^ 1U << at % 8);
        ck_assert_int_eq(pwrite(fileno(stream), &flipped, 1, (off_t)at), 1);
        if (try_read(path, "step-parquet", &back, &err))
            n_refused++;
        else
            assert_same_rows(&ops, &back, 0);
        ck_assert_int_eq(pwrite(fileno(stream), &bytes[at], 1, (off_t)at), 1);
    }
    ck_assert_uint_gt(n_refused, size * 3 / 4);
    fclose(stream);
    hc_table_fini(&back);
    hc_table_fini(&ops);
}
END_TEST

START_TEST(parquet_without_rows)
{
    struct hc_error err = {0};
    struct hc_table back;
    struct hc_step_parquet *parquet = NULL;
    FILE *stream = fopen(in_directory("trace-none.parquet"), "w");
    ck_assert(!hc_step_parquet_open(&parquet, stream, path, NULL, &err));
    ck_assert(!hc_step_parquet_finish(parquet, &err));
    hc_step_parquet_close(parquet);
    fclose(stream);
    read_back(in_directory("trace-none.parquet"), "step-parquet", &back, 4);
    ck_assert_uint_eq(back.n_rows, 0);
    hc_table_fini(&back);
}
END_TEST

START_TEST(parquet_nulls)
{
    static const char *const words[] = {"a", "bc"};
    struct hc_parquet_column columns[2] = {
        {.name = "n", .type = HC_PARQUET_I64, .optional = true},
        {.name = "t", .type = HC_PARQUET_TEXT, .optional = true, .n_words = 2, .words = words}};
    const struct hc_parquet_options options = {.n_columns = 2, .columns = columns};
    const int64_t n[3] = {1, HC_MISSING_I64, 3};
    const int32_t none[3] = {HC_MISSING_I32, HC_MISSING_I32, HC_MISSING_I32}, bad[3] = {0, 2, 0};
    for (int i = 0; i < 3; i++) { /* nulls; nulls where none may be; a code without a word */
        struct hc_error err = {0};
        struct hc_parquet_writer *writer = NULL;
        FILE *stream = fopen(in_directory("flat.parquet"), "w");
        columns[0].optional = i != 1;
        ck_assert(!hc_parquet_open(&writer, stream, "flat.parquet", &options, &err));
        ck_assert(
            !hc_parquet_append(writer, (const void *const[]){n, i == 2 ? bad : none}, 3, &err));
        ck_assert_int_eq(hc_parquet_finish(writer, &err), i ? HC_INTERNAL : HC_OK);
        hc_parquet_close(writer);
        fclose(stream);
        if (i)
            ck_assert_ptr_nonnull(strstr(err.message, i == 1 ? "'n'" : "'t'"));
    }
}
END_TEST

START_TEST(full_disk_is_reported)
{
    struct hc_error err = {0};
    struct hc_table ops;
    struct hc_step_csv *csv = NULL;
    struct hc_step_parquet *parquet = NULL;
    FILE *full = fopen("/dev/full", "w");
    if (!full) {
        printf("skipped: full_disk_is_reported, there is no /dev/full\n");
        return;
    }
    setvbuf(full, NULL, _IONBF, 0);
    fill_awkward(&ops, 5000);
    ck_assert(!hc_step_csv_open(&csv, full, "full", false, &err));
    ck_assert_int_eq(hc_step_csv_write(csv, &ops, &err), HC_IO);
    ck_assert_ptr_nonnull(strstr(err.message, "cannot write 'full'"));
    hc_step_csv_close(csv);
    ck_assert_int_eq(hc_step_parquet_open(&parquet, full, "full", NULL, &err), HC_IO);
    ck_assert_ptr_null(parquet);
    fclose(full);
    hc_table_fini(&ops);
}
END_TEST

/* Decode the hybrid as the Parquet specification describes it. */
static size_t decode_rle(const unsigned char *in, size_t size, unsigned width, uint32_t *out,
                         size_t n)
{
    size_t at = 0, count = 0;
    while (at < size && count < n) {
        uint64_t head = 0;
        for (unsigned shift = 0;; shift += 7) {
            head |= (uint64_t)(in[at] & 0x7f) << shift;
            if (!(in[at++] & 0x80))
                break;
        }
        if (head & 1) {
            size_t n_values = (head >> 1) * 8, bit = at * 8;
            for (size_t i = 0; i < n_values; i++) {
                uint32_t value = 0;
                for (unsigned b = 0; b < width; b++, bit++)
                    value |= (uint32_t)(in[bit / 8] >> bit % 8 & 1) << b;
                if (count < n)
                    out[count++] = value;
            }
            at += (head >> 1) * width;
        } else {
            uint32_t value = 0;
            for (unsigned b = 0; b < (width + 7) / 8; b++)
                value |= (uint32_t)in[at++] << 8 * b;
            for (size_t i = 0; i < head >> 1 && count < n; i++)
                out[count++] = value;
        }
    }
    ck_assert_uint_eq(at, size);
    return count;
}

START_TEST(rle_comes_back)
{
    struct hc_philox rng;
    uint32_t values[600], back[600];
    for (unsigned round = 0; round < 2000; round++) {
        hc_philox_seek(&rng, 12, round, 0);
        unsigned width = 1 + (unsigned)hc_philox_integer(&rng, 32);
        size_t n = hc_philox_integer(&rng, 600), longest = 1 + hc_philox_integer(&rng, 40);
        for (size_t i = 0; i < n;) {
            uint32_t value = (uint32_t)(hc_philox_u64(&rng) & (((uint64_t)1 << width) - 1));
            for (size_t run = 1 + hc_philox_integer(&rng, longest); run > 0 && i < n; run--)
                values[i++] = value;
        }
        struct hc_bytes bytes = {0};
        hc_rle_write(&bytes, values, n, width);
        ck_assert_uint_eq(decode_rle(bytes.data, bytes.size, width, back, n), n);
        ck_assert(n == 0 || memcmp(values, back, n * sizeof *values) == 0);
        hc_bytes_fini(&bytes);
    }
    ck_assert_uint_eq(hc_rle_bit_width(1), 1);
    ck_assert_uint_eq(hc_rle_bit_width(2), 1);
    ck_assert_uint_eq(hc_rle_bit_width(3), 2);
    ck_assert_uint_eq(hc_rle_bit_width(256), 8);
    ck_assert_uint_eq(hc_rle_bit_width(257), 9);
}
END_TEST

START_TEST(thrift_bytes)
{
    struct hc_bytes bytes = {0};
    struct hc_thrift thrift = {.out = &bytes};
    hc_thrift_i32(&thrift, 1, -1);
    hc_thrift_begin(&thrift, 20);
    hc_thrift_text(&thrift, 3, "hi");
    hc_thrift_end(&thrift);
    hc_thrift_i64(&thrift, 21, 300);
    hc_thrift_list(&thrift, 22, HC_THRIFT_I32, 15);
    hc_thrift_end(&thrift);
    static const unsigned char expected[] = {0x15, 0x01, 0x0c, 0x28, 0x38, 0x02, 'h',  'i',
                                             0x00, 0x16, 0xd8, 0x04, 0x19, 0xf5, 0x0f, 0x00};
    ck_assert_uint_eq(bytes.size, sizeof expected);
    ck_assert_mem_eq(bytes.data, expected, sizeof expected);
    hc_bytes_fini(&bytes);
}
END_TEST

START_TEST(metadata_comes_back)
{
    struct hc_error err = {0};
    struct hc_job job, back;
    ck_assert(!hc_job_init(&job, "42: \"odd\"\\job", &err));
    free(job.cluster);
    job.cluster = hc_copy_text("no", &err);
    job.attempt = 3;
    job.dp_size = job.pp_size = 2;
    job.tp_size = job.dsp_size = job.vpp_size = 1;
    job.world_size = 4;
    job.start_unix_ns = 1700000000123456789;
    job.nodes = hc_new_array(2, sizeof *job.nodes, &err);
    for (int32_t i = 0; i < 2; i++, job.n_nodes++)
        job.nodes[i] = (struct hc_rank_node){.rank = 2 * i, .node = hc_new_text(&err, "n%d", i)};
    job.aliases = hc_new_array(2, sizeof *job.aliases, &err);
    job.aliases[job.n_aliases++] =
        (struct hc_op_alias){.name = hc_copy_text("fwd", &err), .op_type = HC_FORWARD_COMPUTE};
    job.aliases[job.n_aliases++] =
        (struct hc_op_alias){.name = hc_copy_text("data load", &err), .op_type = HC_OP_IGNORED};
    job.switches = hc_new_array(1, sizeof *job.switches, &err);
    job.switches[job.n_switches++] = hc_copy_text("leaf: 1", &err);
    job.switched = hc_new_array(2, sizeof *job.switched, &err);
    for (; job.n_switched < 2; job.n_switched++)
        job.switched[job.n_switched].node = hc_new_text(&err, "n%zu", job.n_switched);
    job.absent_ops = 1u << HC_OPTIMIZER_CLIP_MAIN_GRAD | 1u << HC_GC;
    FILE *stream = fopen(in_directory("meta-x.yaml"), "w");
    ck_assert_ptr_nonnull(stream);
    hc_metadata_print(&job, stream);
    ck_assert_int_eq(fclose(stream), 0);
    ck_assert_msg(!hc_metadata_read(&back, path, "fallback", &err), "%s", err.message);
    ck_assert_str_eq(back.id, job.id);
    ck_assert_str_eq(back.cluster, "no");
    ck_assert_int_eq(back.attempt, 3);
    ck_assert_int_eq(back.dp_size, 2);
    ck_assert_int_eq(back.world_size, 4);
    ck_assert_int_eq(back.start_unix_ns, job.start_unix_ns);
    ck_assert_uint_eq(back.n_nodes, 2);
    ck_assert_int_eq(back.nodes[1].rank, 2);
    ck_assert_str_eq(back.nodes[1].node, "n1");
    ck_assert_uint_eq(back.n_switches, 1);
    ck_assert_str_eq(back.switches[0], "leaf: 1");
    ck_assert_uint_eq(back.n_switched, 2);
    ck_assert_int_eq(hc_job_switch(&back, "n1"), 0);
    ck_assert_uint_eq(back.absent_ops, job.absent_ops);
    ck_assert_int_eq(hc_job_op_type(&back, "fwd", 3), HC_FORWARD_COMPUTE);
    ck_assert_int_eq(hc_job_op_type(&back, "data load", 9), HC_OP_IGNORED);
    hc_job_fini(&job);
    hc_job_fini(&back);
}
END_TEST

int main(void)
{
    Suite *suite = suite_create("trace_writers");
    TCase *tests = tcase_create("all");
    suite_add_tcase(suite, tests);
    tcase_add_test(tests, csv_comes_back);
    tcase_add_test(tests, csv_is_as_the_artifact_has_it);
    tcase_add_loop_test(tests, parquet_comes_back, 0, 16);
    tcase_add_loop_test(tests, parquet_damage_is_noticed, 0, 4);
    tcase_add_test(tests, parquet_without_rows);
    tcase_add_test(tests, parquet_nulls);
    tcase_add_test(tests, full_disk_is_reported);
    tcase_add_test(tests, rle_comes_back);
    tcase_add_test(tests, thrift_bytes);
    tcase_add_test(tests, metadata_comes_back);
    SRunner *runner = srunner_create(suite);
    if (!mkdtemp(directory))
        return 1;
    srunner_run_all(runner, CK_NORMAL);
    int failed = srunner_ntests_failed(runner);
    srunner_free(runner);
    static const char *const files[] = {"trace-x.csv",       "trace-x.csv.gz", "three.csv",
                                        "trace-x.parquet",   "flat.parquet",   "meta-x.yaml",
                                        "trace-none.parquet"};
    for (size_t i = 0; i < sizeof files / sizeof *files; i++)
        unlink(in_directory(files[i]));
    rmdir(directory);
    return failed != 0;
}
