/* Our deflate encoder against libdeflate's level 1 on what it was made for: the shuffled byte
 * planes of the columns of a real job. Why it is own code. */
#include "bench/bench.h"

#include "core/tables/op_table.h"
#include "parsers/registry/format_registry.h"
#include "store/codec/plane_deflate.h"
#include "store/codec/shuffle.h"

#include <libdeflate.h>
#include <stdlib.h>
#include <string.h>

#define LEVEL 1 /* the fastest that libdeflate has */

struct column {
    size_t size; /* bytes a value */
    uint8_t *planes;
};

struct job {
    size_t n_rows;
    struct column column[HC_OPS_N_COLUMNS];
    struct hc_plane_deflate *own;
    struct libdeflate_compressor *library;
    struct libdeflate_decompressor *inflater;
    uint8_t *out, *back;
    size_t capacity;
    size_t own_bytes, library_bytes; /* of the last run */
};

static void encode_own(void *context)
{
    struct job *job = context;
    job->own_bytes = 0;
    for (int i = 0; i < HC_OPS_N_COLUMNS; i++)
        job->own_bytes += hc_plane_deflate(job->own, job->column[i].planes, job->column[i].size,
                                           job->n_rows, job->out);
}

static void encode_library(void *context)
{
    struct job *job = context;
    job->library_bytes = 0;
    for (int i = 0; i < HC_OPS_N_COLUMNS; i++)
        job->library_bytes +=
            libdeflate_deflate_compress(job->library, job->column[i].planes,
                                        job->n_rows * job->column[i].size, job->out, job->capacity);
}

/* What we write is what libdeflate reads. */
static void check(const struct job *job)
{
    for (int i = 0; i < HC_OPS_N_COLUMNS; i++) {
        const struct column *column = &job->column[i];
        size_t length = job->n_rows * column->size, made = 0;
        size_t used =
            hc_plane_deflate(job->own, column->planes, column->size, job->n_rows, job->out);
        if (libdeflate_deflate_decompress(job->inflater, job->out, used, job->back, length,
                                          &made) ||
            made != length || memcmp(job->back, column->planes, length) != 0) {
            struct hc_error err;
            hc_fail(&err, HC_INTERNAL, "column %d does not come back", i);
            hc_bench_stop(&err);
        }
    }
}

/* The first rows of a trace, as many as a chunk of an archive has, shuffled column by column. */
static void load(struct job *job, const char *path)
{
    const struct hc_parse_options options = {0};
    struct hc_source source;
    struct hc_table ops;
    struct hc_row_report report = {0};
    struct hc_error err = {0};
    void *parser = NULL;
    if (hc_source_open(&source, path, &err) || hc_table_init(&ops, &hc_ops_def, 262144, &err) ||
        hc_format_step_parquet.open(&parser, &source, &options, &err) ||
        hc_format_step_parquet.next_batch(parser, &ops, &report, &err))
        hc_bench_stop(&err);
    job->n_rows = ops.n_rows;
    for (int i = 0; i < HC_OPS_N_COLUMNS; i++) {
        size_t size = hc_type_size(hc_ops_def.columns[i].type);
        job->column[i] = (struct column){size, malloc(ops.n_rows * size)};
        if (!job->column[i].planes)
            abort();
        hc_shuffle(ops.column[i], ops.n_rows, size, job->column[i].planes);
    }
    hc_format_step_parquet.close(parser);
    hc_row_report_fini(&report);
    hc_table_fini(&ops);
    hc_source_close(&source);
}

int main(void)
{
    struct hc_bench bench = hc_bench_start();
    const char *path = hc_bench_shared("data/bytedance-straggler/data/trace-AR.parquet");
    if (!path) {
        hc_bench_skip(&bench, "deflate", "needs ../shared");
        return hc_bench_end(&bench);
    }
    struct job job = {.n_rows = 0};
    struct hc_error err = {0};
    load(&job, path);
    job.own = hc_plane_deflate_new(&err);
    job.library = libdeflate_alloc_compressor(LEVEL);
    job.inflater = libdeflate_alloc_decompressor();
    job.capacity = hc_plane_deflate_bound(8, job.n_rows);
    job.out = malloc(job.capacity);
    job.back = malloc(8 * job.n_rows);
    if (!job.own || !job.library || !job.inflater || !job.out || !job.back)
        abort();
    check(&job);
    size_t bytes = 0;
    for (int i = 0; i < HC_OPS_N_COLUMNS; i++)
        bytes += job.n_rows * job.column[i].size;
    double own = hc_bench_seconds(encode_own, &job),
           library = hc_bench_seconds(encode_library, &job);
    hc_bench_note(&bench, "deflate, own", (double)bytes / own * 1e-6, "MB/s");
    hc_bench_note(&bench, "deflate, libdeflate level 1", (double)bytes / library * 1e-6, "MB/s");
    hc_bench_at_least(&bench, "deflate, own over libdeflate", library / own, "times", 2);
    hc_bench_at_most(&bench, "size, own over libdeflate",
                     (double)job.own_bytes / (double)job.library_bytes, "times", 1.1);
    for (int i = 0; i < HC_OPS_N_COLUMNS; i++)
        free(job.column[i].planes);
    hc_plane_deflate_free(job.own);
    libdeflate_free_compressor(job.library);
    libdeflate_free_decompressor(job.inflater);
    free(job.out);
    free(job.back);
    return hc_bench_end(&bench);
}
