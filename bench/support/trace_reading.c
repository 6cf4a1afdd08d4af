#include "bench/support/trace_reading.h"

#include "bench/bench.h"
#include "core/tables/op_table.h"
#include "parsers/io/byte_reader.h"

#include <stdio.h>
#include <stdlib.h>

void hc_bench_read_trace(void *trace)
{
    struct hc_bench_trace *run = trace;
    const struct hc_format *format = run->format;
    const struct hc_parse_options options = {.float32_times = run->float32};
    struct hc_row_report report = {0};
    struct hc_error err = {0};
    void *parser = NULL;
    if (format->open(&parser, &run->source, &options, &err))
        hc_bench_stop(&err);
    do {
        run->ops.n_rows = 0;
        if (format->next_batch(parser, &run->ops, &report, &err))
            hc_bench_stop(&err);
    } while (run->ops.n_rows > 0);
    format->close(parser);
    hc_row_report_fini(&report);
}

/* Write the text of a compressed source to path. */
static void unpack(const struct hc_source *source, const char *path)
{
    static char block[1 << 16];
    struct hc_byte_reader *reader = NULL;
    struct hc_error err = {0};
    FILE *out = fopen(path, "wb");
    size_t length = 0;
    if (hc_byte_reader_open(&reader, source, &err))
        hc_bench_stop(&err);
    do {
        if (hc_byte_reader_read(reader, block, sizeof block, &length, &err))
            hc_bench_stop(&err);
        if (out)
            fwrite(block, 1, length, out);
    } while (length > 0);
    hc_byte_reader_close(reader);
    if (!out || ferror(out) || fclose(out)) {
        fprintf(stderr, "bench: cannot write '%s'\n", path);
        exit(1);
    }
}

void hc_bench_open_traces(struct hc_bench_trace *packed, struct hc_bench_trace *plain,
                          const char *path, const char *name)
{
    char text_path[HC_BENCH_PATH];
    struct hc_error err = {0};
    hc_bench_scratch(text_path, name);
    if (hc_source_open(&packed->source, path, &err))
        hc_bench_stop(&err);
    unpack(&packed->source, text_path);
    if (hc_source_open(&plain->source, text_path, &err) ||
        hc_table_init(&plain->ops, &hc_ops_def, 16384, &err))
        hc_bench_stop(&err);
    packed->ops = plain->ops;
}

void hc_bench_close_traces(struct hc_bench_trace *packed, struct hc_bench_trace *plain)
{
    hc_source_close(&packed->source);
    hc_source_close(&plain->source);
    hc_table_fini(&plain->ops);
}
