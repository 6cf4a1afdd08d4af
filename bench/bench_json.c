/* The JSON reader on a real Chrome timeline: to tokens, to events, to checked rows. */
#include "bench/bench.h"

#include "core/op_table.h"
#include "parsers/byte_reader.h"
#include "parsers/chrome_events.h"
#include "parsers/format.h"
#include "parsers/json_pull.h"

#include <stdio.h>
#include <stdlib.h>

struct run {
    struct hc_source source;
    struct hc_table ops;
};

static void read_tokens(void *context)
{
    struct run *run = context;
    struct hc_error err = {0};
    struct hc_json_pull *pull = NULL;
    struct hc_pull_token token = {.kind = HC_PULL_NULL};
    if (hc_pull_open(&pull, &run->source, &err))
        hc_bench_stop(&err);
    while (token.kind != HC_PULL_END)
        if (hc_pull_next(pull, &token, &err))
            hc_bench_stop(&err);
    hc_pull_close(pull);
}

static void read_events(void *context)
{
    static struct hc_chrome_event event;
    struct run *run = context;
    struct hc_error err = {0};
    struct hc_chrome_reader *reader = NULL;
    bool found = true;
    if (hc_chrome_open(&reader, &run->source, true, &err))
        hc_bench_stop(&err);
    while (found)
        if (hc_chrome_next(reader, &event, &found, &err))
            hc_bench_stop(&err);
    hc_chrome_close(reader);
}

static void read_rows(void *context)
{
    const struct hc_format *format = &hc_format_step_chrome;
    struct run *run = context;
    const struct hc_parse_options options = {0};
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

int main(void)
{
    struct hc_bench bench = hc_bench_start();
    const char *path = hc_bench_shared("data/bytedance-straggler/data/timeline-AR.json.gz");
    if (!path) {
        hc_bench_skip(&bench, "JSON", "needs ../shared");
        return hc_bench_end(&bench);
    }
    char plain[HC_BENCH_PATH];
    struct run packed = {0}, run = {0};
    struct hc_error err = {0};
    hc_bench_scratch(plain, "timeline-AR.json");
    if (hc_source_open(&packed.source, path, &err))
        hc_bench_stop(&err);
    unpack(&packed.source, plain);
    if (hc_source_open(&run.source, plain, &err) ||
        hc_table_init(&run.ops, &hc_ops_def, 16384, &err))
        hc_bench_stop(&err);
    double megabytes = (double)run.source.size * 1e-6;
    hc_bench_at_least(&bench, "JSON to tokens", megabytes / hc_bench_seconds(read_tokens, &run),
                      "MB/s", 350);
    hc_bench_note(&bench, "JSON to events", megabytes / hc_bench_seconds(read_events, &run),
                  "MB/s");
    hc_bench_note(&bench, "Chrome timeline to checked rows",
                  megabytes / hc_bench_seconds(read_rows, &run), "MB/s");
    packed.ops = run.ops;
    hc_bench_note(&bench, "Chrome timeline, gzip, of plain text",
                  megabytes / hc_bench_seconds(read_rows, &packed), "MB/s");
    hc_source_close(&packed.source);
    hc_source_close(&run.source);
    hc_table_fini(&run.ops);
    return hc_bench_end(&bench);
}
