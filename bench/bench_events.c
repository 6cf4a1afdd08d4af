/* Readers of logs of events, on lines that are none and on lines that all are. */
#include "bench/bench.h"
#include "core/base/memory.h"
#include "core/tables/events/event_table.h"
#include "parsers/registry/format_registry.h"
#include "tests/support/bytes_source.h"

#define N_LINES 200000

struct log {
    const struct hc_format *format;
    struct hc_source source;
    struct hc_table_names names;
    struct hc_table rows;
    int64_t n_rows;
};

static void read_log(void *context)
{
    struct log *log = context;
    struct hc_row_report report = {0};
    struct hc_error err = {0};
    void *parser = NULL;
    const struct hc_parse_options options = {.names = &log->names};
    enum hc_status status = log->format->open(&parser, &log->source, &options, &err);
    log->n_rows = 0;
    do {
        log->rows.n_rows = 0;
        if (!status)
            status = log->format->next_batch(parser, &log->rows, &report, &err);
        log->n_rows += (int64_t)log->rows.n_rows;
        hc_table_names_fini(&log->names); /* as ingest does for each batch */
        if (!status)
            status = hc_event_names_init(&log->names, &err);
    } while (!status && log->rows.n_rows);
    log->format->close(parser);
    hc_row_report_fini(&report);
    if (status)
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
    if (hc_event_names_init(&log.names, &err) ||
        hc_table_init(&log.rows, &hc_events_def, 131072, &err))
        hc_bench_stop(&err);
    double rate = (double)size * 1e-6 / hc_bench_seconds(read_log, &log);
    hc_bench_at_least(bench, what, rate, "MB/s", limit);
    hc_table_fini(&log.rows);
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
    measure(&bench, "kernel log, no line an event", &hc_format_kernel_log, other, 300);
    measure(&bench, "kernel log, each line an event", &hc_format_kernel_log, xid, 150);
    measure(&bench, "job log, no line a failure", &hc_format_job_log, other, 300);
    measure(&bench, "job log, each line a failure", &hc_format_job_log, warn, 150);
    return hc_bench_end(&bench);
}
