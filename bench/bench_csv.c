/* The CSV reader on a real trace, all eleven columns to checked rows. */
#include "bench/bench.h"
#include "bench/support/trace_reading.h"
#include "parsers/registry/format_registry.h"

int main(void)
{
    struct hc_bench bench = hc_bench_start();
    const char *path = hc_bench_shared("data/bytedance-straggler/csv/trace-AR.csv.gz");
    if (!path) {
        hc_bench_skip(&bench, "CSV", "needs ../shared");
        return hc_bench_end(&bench);
    }
    struct hc_bench_trace packed = {.format = &hc_format_step_csv}, plain = packed;
    hc_bench_open_traces(&packed, &plain, path, "trace-AR.csv");
    double megabytes = (double)plain.source.size * 1e-6;
    struct hc_bench_pair pair = hc_bench_beside(HC_BENCH_BYTES, hc_bench_read_trace, &plain);
    hc_bench_limit(&bench, "CSV to checked rows", &pair, megabytes * 1e6, "MB/s", 3.9);
    plain.float32 = true;
    hc_bench_note(&bench, "CSV to checked rows, --float32",
                  megabytes / hc_bench_seconds(hc_bench_read_trace, &plain), "MB/s");
    hc_bench_note(&bench, "CSV, gzip, of plain text",
                  megabytes / hc_bench_seconds(hc_bench_read_trace, &packed), "MB/s");
    hc_bench_close_traces(&packed, &plain);
    return hc_bench_end(&bench);
}
