/* Profiler traces of several ranks into an archive: a made job of 8 ranks (hindcast synth kineto,
 * 200 bytes an event, which is short), by one thread and by two; and what the process takes. Beside
 * it, as published with the files they were measured on: Holistic Trace Analysis 0.013 GB/s,
 * TraceLens 0.056 GB/s. */
#include "bench/bench.h"

#include <dirent.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>

#define MOST_MB 256

static double gigabytes_in(const char *directory)
{
    double bytes = 0;
    DIR *listing = opendir(directory);
    for (struct dirent *entry; listing && (entry = readdir(listing));) {
        char path[HC_BENCH_PATH + 300];
        struct stat info;
        snprintf(path, sizeof path, "%s/%s", directory, entry->d_name);
        if (strncmp(entry->d_name, "rank-", 5) == 0 && stat(path, &info) == 0)
            bytes += (double)info.st_size;
    }
    if (listing)
        closedir(listing);
    return bytes * 1e-9;
}

static void ingest(struct hc_bench *bench, const char *traces, const char *threads)
{
    char archive[HC_BENCH_PATH], name[100];
    struct hc_bench_usage usage;
    snprintf(name, sizeof name, "archive-%s", threads);
    hc_bench_scratch(archive, name);
    const char *const argv[] = {
        hc_bench_hindcast(), "ingest", "-q", "--threads", threads, "-a", archive, traces, NULL};
    if (!hc_bench_command(argv, &usage)) {
        hc_bench_skip(bench, "Kineto to archive", "the ingest failed");
        return;
    }
    double gigabytes = gigabytes_in(traces);
    snprintf(name, sizeof name, "Kineto to archive, %s thread(s), CPU", threads);
    hc_bench_note(bench, name, gigabytes / (usage.user_s + usage.system_s), "GB/s");
    snprintf(name, sizeof name, "Kineto to archive, %s thread(s), wall", threads);
    hc_bench_note(bench, name, gigabytes / usage.wall_s, "GB/s");
    snprintf(name, sizeof name, "memory, %s thread(s)", threads);
    hc_bench_at_most(bench, name, usage.peak_mb, "MB", MOST_MB);
}

int main(void)
{
    struct hc_bench bench = hc_bench_start();
    struct hc_bench_usage usage;
    char traces[HC_BENCH_PATH], truth[HC_BENCH_PATH + 20];
    hc_bench_scratch(traces, "traces");
    const char *const synth[] = {
        hc_bench_hindcast(), "synth", "kineto",  "-q", "--dp", "8",    "--layers", "24",
        "--microbatches",    "4",     "--steps", "40", "-o",   traces, NULL};
    if (!hc_bench_command(synth, &usage))
        return 1;
    snprintf(truth, sizeof truth, "%s/truth.json", traces);
    remove(truth);
    ingest(&bench, traces, "1");
    ingest(&bench, traces, "2");
    return hc_bench_end(&bench);
}
