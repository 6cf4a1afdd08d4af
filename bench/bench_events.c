/* Readers of logs, on lines that tell nothing and on lines that all do. */
#include "bench/bench.h"
#include "core/base/memory.h"
#include "parsers/registry/format_registry.h"
#include "pipeline/kinds/kind.h"
#include "tests/support/bytes_source.h"

#define N_LINES    200000
#define BATCH_ROWS 32768 /* as ingest has them */

struct log {
    const struct hc_format *format;
    const struct hc_kind *kind;
    struct hc_source source;
    struct hc_table_names names;
    size_t n_tables;
    struct hc_table tables[HC_KIND_MOST_TABLES];
};

/* Rows of all tables that were read; the texts are forgotten, as ingest does for each batch. */
static size_t next_batch(struct log *log, void *parser, struct hc_row_report *report)
{
    struct hc_error err = {0};
    const struct hc_format *format = log->format;
    size_t n_rows = 0;
    for (size_t i = 0; i < log->n_tables; i++)
        log->tables[i].n_rows = 0;
    if ((format->next_tables ? format->next_tables : format->next_batch)(parser, log->tables,
                                                                         report, &err))
        hc_bench_stop(&err);
    for (size_t i = 0; i < log->n_tables; i++)
        n_rows += log->tables[i].n_rows;
    hc_table_names_fini(&log->names);
    if (hc_kind_start_names(log->kind, true, &log->names, &err))
        hc_bench_stop(&err);
    return n_rows;
}

static void read_log(void *context)
{
    struct log *log = context;
    struct hc_row_report report = {0};
    struct hc_error err = {0};
    void *parser = NULL;
    const struct hc_parse_options options = {.names = &log->names};
    if (log->format->open(&parser, &log->source, &options, &err))
        hc_bench_stop(&err);
    while (next_batch(log, parser, &report))
        ;
    log->format->close(parser);
    hc_row_report_fini(&report);
}

static void make_tables(struct log *log)
{
    struct hc_error err = {0};
    log->kind = hc_kind_find(log->format->table->name);
    const struct hc_table_def *const *defs =
        log->kind->yields ? log->kind->yields : log->kind->tables;
    if (hc_kind_start_names(log->kind, true, &log->names, &err))
        hc_bench_stop(&err);
    for (; defs[log->n_tables]; log->n_tables++)
        if (hc_table_init(&log->tables[log->n_tables], defs[log->n_tables], BATCH_ROWS, &err))
            hc_bench_stop(&err);
}

static void measure(struct hc_bench *bench, const char *what, const struct hc_format *format,
                    const char *line, double limit)
{
    struct hc_error err = {0};
    char *text = NULL;
    size_t size = 0;
    FILE *stream = open_memstream(&text, &size);
    for (int i = 0; stream && i < N_LINES; i++) {
        fprintf(stream, "2025-02-23T%02d:%02d:%02d.%06d+01:00 node%04d ", i / 36000 % 24,
                i / 600 % 60, i / 10 % 60, i, i % 512);
        fprintf(stream, line, i % 97, i % 12);
    }
    if (!stream || fclose(stream))
        hc_bench_stop(&err);
    struct log log = {.format = format, .source = bytes_source("syslog", text, size)};
    make_tables(&log);
    struct hc_bench_pair pair = hc_bench_beside(HC_BENCH_BYTES, read_log, &log);
    hc_bench_limit(bench, what, &pair, (double)size, "MB/s", limit);
    for (size_t i = 0; i < log.n_tables; i++)
        hc_table_fini(&log.tables[i]);
    hc_table_names_fini(&log.names);
    hc_source_close(&log.source);
    free(text);
}

int main(void)
{
    struct hc_bench bench = hc_bench_start();
    static const char other[] = "systemd-logind[8%02d]: New session %d of user root with a seat\n";
    static const char xid[] = "kernel: NVRM: Xid (PCI:0000:9b:00): 13, pid=%d, name=python3, "
                              "Graphics SM Warp Exception on (GPC %d, TPC 1, SM 1): Out Of Range\n";
    static const char warn[] = "n7:%d:345 [%d] NCCL WARN NET/IB : Got completion from peer with "
                               "error 12, opcode 0, len 0, vendor err 129\n";
    static const char step[] =
        "[2026-03-01 10:%02d:12] iteration     %3d/  500000 | consumed samples: "
        "        8192 | elapsed time per iteration (ms): 1234.5 | throughput "
        "per GPU (TFLOP/s/GPU): 410.2 | learning rate: 3.000E-04 | global "
        "batch size:  2048 | lm loss: 2.112134E+00 | loss scale: 1.0 | grad "
        "norm: 0.512 | number of skipped iterations:   0 | number of nan "
        "iterations:   0 |\n";
    measure(&bench, "kernel log, no line an event", &hc_format_kernel_log, other, 0.87);
    measure(&bench, "kernel log, each line an event", &hc_format_kernel_log, xid, 7.3);
    measure(&bench, "job log, no line a failure", &hc_format_job_log, other, 2.9);
    measure(&bench, "job log, each line a failure", &hc_format_job_log, warn, 11);
    measure(&bench, "training log, no line told of", &hc_format_training_log, other, 4.1);
    measure(&bench, "training log, each line a step", &hc_format_training_log, step, 9.2);
    return hc_bench_end(&bench);
}
