/* The JSON reader on a real Chrome timeline: to tokens, to events, to checked rows. */
#include "bench/bench.h"
#include "bench/support/trace_reading.h"
#include "parsers/io/json_source.h"
#include "parsers/registry/format_registry.h"
#include "parsers/steps/chrome_events.h"

static void read_tokens(void *context)
{
    struct hc_bench_trace *run = context;
    struct hc_error err = {0};
    struct hc_json_pull *pull = NULL;
    struct hc_pull_token token = {.kind = HC_PULL_NULL};
    if (hc_pull_open_source(&pull, &run->source, &err))
        hc_bench_stop(&err);
    while (token.kind != HC_PULL_END)
        if (hc_pull_next(pull, &token, &err))
            hc_bench_stop(&err);
    hc_pull_close(pull);
}

static void read_events(void *context)
{
    static struct hc_chrome_event event;
    struct hc_bench_trace *run = context;
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

int main(void)
{
    struct hc_bench bench = hc_bench_start();
    const char *path = hc_bench_shared("data/bytedance-straggler/data/timeline-AR.json.gz");
    if (!path) {
        hc_bench_skip(&bench, "JSON", "needs ../shared");
        return hc_bench_end(&bench);
    }
    struct hc_bench_trace packed = {.format = &hc_format_step_chrome}, plain = packed;
    hc_bench_open_traces(&packed, &plain, path, "timeline-AR.json");
    double megabytes = (double)plain.source.size * 1e-6;
    struct hc_bench_pair pair = hc_bench_beside(HC_BENCH_BYTES, read_tokens, &plain);
    hc_bench_limit(&bench, "JSON to tokens", &pair, megabytes * 1e6, "MB/s", 2.7);
    hc_bench_note(&bench, "JSON to events", megabytes / hc_bench_seconds(read_events, &plain),
                  "MB/s");
    hc_bench_note(&bench, "Chrome timeline to checked rows",
                  megabytes / hc_bench_seconds(hc_bench_read_trace, &plain), "MB/s");
    hc_bench_note(&bench, "Chrome timeline, gzip, of plain text",
                  megabytes / hc_bench_seconds(hc_bench_read_trace, &packed), "MB/s");
    hc_bench_close_traces(&packed, &plain);
    return hc_bench_end(&bench);
}
