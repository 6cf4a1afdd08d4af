/* Into the archive and out of it: ingests as a user runs them, but for the start of the program,
 * and scans of whole segments with every checksum verified. */
#include "bench/bench.h"

#include "cli/command_line.h"
#include "core/tables/op_table.h"
#include "store/archive/archive.h"
#include "store/segment/segment.h"
#include "tests/support/segment_path.h"

#include <stdio.h>
#include <stdlib.h>

#define ALL_COLUMNS ((1U << HC_OPS_N_COLUMNS) - 1)
#define COPIES      9   /* of AR's rows in the long segment: four chunks */
#define INGEST_MOST 170 /* for each row */
#define SCAN_MOST   0.84

/* ---- Parquet to archive ---- */

struct ingest {
    const char *trace;
    char archive[HC_BENCH_PATH];
};

/* Into an archive of its own, all of the command: digests, checks, manifest. */
static void ingest(void *context)
{
    struct ingest *job = context;
    struct hc_error err = {0};
    char *argv[] = {"hindcast", "ingest",     "--quiet",          "-o", "/dev/null",
                    "-a",       job->archive, (char *)job->trace, NULL};
    hc_bench_remove(job->archive);
    if (hc_command_line((int)(sizeof argv / sizeof *argv) - 1, argv, &err))
        hc_bench_stop(&err);
}

/* The only segment of an archive. */
static struct hc_segment *open_only(const char *path)
{
    struct hc_error err = {0};
    struct hc_archive *archive = NULL;
    struct hc_segment *segment = NULL;
    char *segment_path = NULL;
    if (hc_archive_open(&archive, path, false, &err) ||
        hc_archive_segment_path(archive, &archive->entries[0], &segment_path, &err) ||
        segment_open_path(&segment, segment_path, &err))
        hc_bench_stop(&err);
    free(segment_path);
    hc_archive_close(archive);
    return segment;
}

static void bench_ingest(struct hc_bench *bench, const char *name, struct ingest *job)
{
    struct hc_bench_pair pair = hc_bench_beside(HC_BENCH_BYTES, ingest, job);
    struct hc_segment *segment = open_only(job->archive);
    double rows = (double)hc_segment_n_rows(segment, &hc_ops_def);
    hc_bench_limit(bench, name, &pair, rows, "M rows/s", INGEST_MOST);
    hc_segment_close(segment);
}

/* ---- scan ---- */

struct scan {
    struct hc_segment *segment;
    struct hc_table ops;
    int64_t n_chunks;
};

static void scan(void *context)
{
    struct scan *job = context;
    struct hc_error err = {0};
    for (int64_t i = 0; i < job->n_chunks; i++)
        if (hc_segment_read(job->segment, &hc_ops_def, ALL_COLUMNS, i, &job->ops, &err))
            hc_bench_stop(&err);
}

/* Takes the segment over. */
static void bench_scan(struct hc_bench *bench, const char *name, struct hc_segment *segment)
{
    struct hc_error err = {0};
    struct scan job = {.segment = segment};
    int64_t stored = 0, raw = 0, n_rows = hc_segment_n_rows(segment, &hc_ops_def);
    int64_t chunk_rows = hc_segment_chunk_rows(segment, &hc_ops_def);
    job.n_chunks = (n_rows + chunk_rows - 1) / chunk_rows;
    if (hc_table_init(&job.ops, &hc_ops_def, (size_t)chunk_rows, &err) ||
        hc_segment_sizes(segment, &hc_ops_def, &stored, &raw, &err))
        hc_bench_stop(&err);
    struct hc_bench_pair pair = hc_bench_beside(HC_BENCH_BYTES, scan, &job);
    hc_bench_limit(bench, name, &pair, (double)raw, "GB/s raw", SCAN_MOST);
    char note[64];
    snprintf(note, sizeof note, "%s, raw over stored", name);
    hc_bench_note(bench, note, (double)raw / (double)stored, "");
    hc_table_fini(&job.ops);
    hc_segment_close(segment);
}

/* A segment with the rows of another COPIES times, each time at later steps. */
static struct hc_segment *repeat_rows(struct hc_segment *segment)
{
    char path[HC_BENCH_PATH];
    struct hc_error err = {0};
    struct hc_segment_writer *writer = NULL;
    struct hc_segment *longer = NULL;
    struct hc_table ops;
    hc_bench_scratch(path, "repeated.h5");
    if (hc_table_init(&ops, &hc_ops_def, (size_t)hc_segment_chunk_rows(segment, &hc_ops_def),
                      &err) ||
        hc_segment_read(segment, &hc_ops_def, ALL_COLUMNS, 0, &ops, &err) ||
        hc_segment_writer_open(&writer, path, false, &err))
        hc_bench_stop(&err);
    int32_t *step = hc_table_i32(&ops, HC_OPS_STEP);
    for (int copy = 0; copy < COPIES; copy++) {
        if (hc_segment_writer_append(writer, &ops, &err))
            hc_bench_stop(&err);
        for (size_t i = 0; i < ops.n_rows; i++)
            step[i] += 1000;
    }
    if (hc_segment_writer_close(writer, hc_segment_job(segment), hc_segment_provenance(segment),
                                &err) ||
        segment_open_path(&longer, path, &err))
        hc_bench_stop(&err);
    hc_table_fini(&ops);
    return longer;
}

/* ---- the two traces ---- */

static void bench_ar(struct hc_bench *bench)
{
    struct ingest job = {.trace =
                             hc_bench_shared("data/bytedance-straggler/data/trace-AR.parquet")};
    if (!job.trace) {
        hc_bench_skip(bench, "AR, Parquet to archive", "needs ../shared");
        hc_bench_skip(bench, "AR, archive scan", "needs ../shared");
        return;
    }
    hc_bench_scratch(job.archive, "archive-ar");
    bench_ingest(bench, "AR, Parquet to archive", &job);
    struct hc_segment *segment = open_only(job.archive), *longer = repeat_rows(segment);
    bench_scan(bench, "AR, archive scan", segment);
    bench_scan(bench, "AR repeated, archive scan", longer);
}

static void bench_synthetic(struct hc_bench *bench)
{
    struct ingest job;
    struct hc_bench_usage usage;
    char trace[HC_BENCH_PATH];
    hc_bench_scratch(trace, "trace-big.parquet");
    hc_bench_scratch(job.archive, "archive-big");
    job.trace = trace;
    const char *synth[] = {
        hc_bench_hindcast(), "synth", "steps",   "--quiet", "--dp", "256", "--pp", "4",
        "--microbatches",    "32",    "--steps", "44",      "-o",   trace, NULL};
    if (!hc_bench_command(synth, &usage))
        exit(1);
    bench_ingest(bench, "7.5 M rows, Parquet to archive", &job);
    bench_scan(bench, "7.5 M rows, archive scan", open_only(job.archive));
}

int main(void)
{
    struct hc_bench bench = hc_bench_start();
    bench_ar(&bench);
    bench_synthetic(&bench);
    return hc_bench_end(&bench);
}
