/* A fleet of many jobs: two threads against one, and the second night against the first. */
#include "bench/bench.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define N_JOBS 192 /* of 100,000 rows */
#define PAIRS  15  /* of runs; odd */

static void run(const char *const argv[], struct hc_bench_usage *usage)
{
    if (!hc_bench_command(argv, usage))
        exit(1);
}

/* Jobs of the same shape and other seeds: dp 8, pp 4, 16 microbatches, 36 steps. */
static void make_archive(const char *archive)
{
    for (int i = 0; i < N_JOBS; i++) {
        char trace[HC_BENCH_PATH], name[32], seed[16];
        struct hc_bench_usage usage;
        snprintf(name, sizeof name, "trace-job-%d.parquet", i);
        snprintf(seed, sizeof seed, "%d", i + 1);
        hc_bench_scratch(trace, name);
        const char *synth[] = {hc_bench_hindcast(),
                               "synth",
                               "steps",
                               "--quiet",
                               "--dp",
                               "8",
                               "--microbatches",
                               "16",
                               "--steps",
                               "36",
                               "--slow-worker",
                               i % 2 ? "0,0,1.5" : "1,1,1.02",
                               "--seed",
                               seed,
                               "-o",
                               trace,
                               NULL};
        const char *ingest[] = {
            hc_bench_hindcast(), "ingest", "--quiet", "-a", archive, trace, NULL};
        run(synth, &usage);
        run(ingest, &usage);
        hc_bench_remove(trace);
    }
}

static double wall_of(const char *archive, const char *threads, const char *cache,
                      struct hc_bench_usage *usage)
{
    const char *argv[] = {hc_bench_hindcast(), "whatif", "--all", "--quiet", "-a", archive,
                          "--threads",         threads,  cache,   NULL};
    run(argv, usage);
    return usage->wall_s;
}

/* One and two threads by turns, so that what else runs on the machine, and the clock of its cores,
 * disturbs both alike. Of each the median: the fastest runs of a kind are those of the best moments
 * of the clock, and which kind had the better moment is chance. */
static void bench_threads(struct hc_bench *bench, const char *archive)
{
    double one[PAIRS], two[PAIRS], user_one[PAIRS], user_two[PAIRS];
    struct hc_bench_usage usage;
    for (int i = 0; i < PAIRS; i++) {
        one[i] = wall_of(archive, "1", "--no-cache", &usage);
        user_one[i] = usage.user_s;
        two[i] = wall_of(archive, "2", "--no-cache", &usage);
        user_two[i] = usage.user_s;
    }
    double wall_one = hc_bench_median(one, PAIRS), wall_two = hc_bench_median(two, PAIRS);
    hc_bench_note(bench, "192 jobs of 100 k rows, one thread, median", wall_one, "s");
    hc_bench_note(bench, "two threads, median", wall_two, "s");
    hc_bench_note(bench, "user CPU of two threads over one",
                  hc_bench_median(user_two, PAIRS) / hc_bench_median(user_one, PAIRS), "x");
    hc_bench_note(bench, "two threads over one, fastest runs", one[0] / two[0], "x");
    hc_bench_at_least(bench, "two threads over one, medians", wall_one / wall_two, "x", 1.8);
}

static void bench_nights(struct hc_bench *bench, const char *archive)
{
    struct hc_bench_usage usage;
    double first = wall_of(archive, "1", "--no-cache", &usage);
    wall_of(archive, "1", "--", &usage);
    double second = wall_of(archive, "1", "--", &usage);
    hc_bench_at_least(bench, "nothing new: first run over second", first / second, "x", 10);
    hc_bench_note(bench, "peak of the second run", usage.peak_mb, "MB");
}

int main(void)
{
    struct hc_bench bench = hc_bench_start();
    char archive[HC_BENCH_PATH];
    hc_bench_scratch(archive, "archive");
    make_archive(archive);
    bench_threads(&bench, archive);
    bench_nights(&bench, archive);
    return hc_bench_end(&bench);
}
