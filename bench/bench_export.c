/* Timelines out: ops a second of `hindcast export`, from the Parquet file to the JSON text. */
#include "bench/bench.h"

#include <stdio.h>
#include <stdlib.h>

#define N_STEPS 12
#define N_DP    64
/* Of AR's shape: 4 stages, 32 microbatches. */
#define N_OPS (666.0 * N_STEPS * N_DP)

static void run(void *argv)
{
    struct hc_bench_usage usage;
    if (!hc_bench_command(argv, &usage))
        exit(1);
}

static void measure(struct hc_bench *bench, const char *name, const char *argv[], double limit)
{
    struct hc_bench_pair pair = hc_bench_beside(HC_BENCH_BYTES, run, argv);
    hc_bench_limit(bench, name, &pair, N_OPS, "M ops/s", limit);
}

int main(void)
{
    struct hc_bench bench = hc_bench_start();
    char trace[HC_BENCH_PATH], text[HC_BENCH_PATH], packed[HC_BENCH_PATH];
    hc_bench_scratch(trace, "trace-wide.parquet");
    hc_bench_scratch(text, "wide.json");
    hc_bench_scratch(packed, "wide.json.gz");
    const char *synth[] = {
        hc_bench_hindcast(), "synth", "steps", "--dp", "64",  "--pp", "4", "--microbatches", "32",
        "--steps",           "12",    "-q",    "-o",   trace, NULL};
    const char *plain[] = {hc_bench_hindcast(), "export", "-q", trace, "--perfetto", text, NULL};
    const char *ideal[] = {hc_bench_hindcast(), "export", "-q", trace, "--perfetto", text,
                           "--timeline",        "ideal",  NULL};
    const char *gzip[] = {hc_bench_hindcast(), "export", "-q", trace, "--perfetto", packed, NULL};
    struct hc_bench_usage usage;
    if (!hc_bench_command(synth, &usage))
        return 1;
    measure(&bench, "export traced, .json", plain, 490);
    measure(&bench, "export ideal, .json", ideal, 450);
    measure(&bench, "export traced, .json.gz", gzip, 2350);
    hc_bench_remove(trace);
    hc_bench_remove(text);
    hc_bench_remove(packed);
    return hc_bench_end(&bench);
}
