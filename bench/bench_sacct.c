/* Accounting of a cluster into an archive, beside a Python script that does the same: a month of
 * 500,000 jobs on 5,000 nodes as `hindcast synth cluster` writes it (317 bytes a line), by one
 * thread. */
#include "bench/bench.h"

#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

#define MOST_MB 200
#define SAMPLES 5

static double count_lines(const char *path)
{
    double n = 0;
    FILE *file = fopen(path, "r");
    for (int c; file && (c = getc(file)) != EOF;)
        n += c == '\n';
    if (file)
        fclose(file);
    return n;
}

/* Longer than a file counts as one that may still change: such a one is read twice (RECENT_S of
 * core/files/input_file.c), and a dump of a site lies at rest. */
#define REST_S 4

/* Median user CPU of a command that makes `made` anew each time; below 0: it failed. */
static double median_seconds(const char *const argv[], const char *made, size_t n, double *peak_mb)
{
    struct hc_bench_usage usage;
    double sample[SAMPLES];
    *peak_mb = 0;
    for (size_t i = 0; i < n; i++) {
        hc_bench_remove(made);
        if (!hc_bench_command(argv, &usage))
            return -1;
        sample[i] = usage.user_s;
        *peak_mb = usage.peak_mb > *peak_mb ? usage.peak_mb : *peak_mb;
    }
    return hc_bench_median(sample, n);
}

static void compare(struct hc_bench *bench, const char *dump, double ours_s)
{
    char columns[HC_BENCH_PATH], script[HC_BENCH_PATH];
    const char *root = getenv("SOURCE_DIR");
    double peak_mb;
    hc_bench_scratch(columns, "columns");
    snprintf(script, sizeof script, "%s/bench/sacct_to_columns.py", root ? root : ".");
    const char *const argv[] = {"python3", script, dump, columns, NULL};
    double theirs_s = median_seconds(argv, columns, 3, &peak_mb);
    if (theirs_s < 0)
        hc_bench_skip(bench, "sacct to archive, as a Python script", "needs python3");
    else
        hc_bench_at_least(bench, "sacct to archive, as a Python script", theirs_s / ours_s, "times",
                          15);
}

int main(void)
{
    struct hc_bench bench = hc_bench_start();
    struct hc_bench_usage usage;
    char cluster[HC_BENCH_PATH], dump[HC_BENCH_PATH + 20], archive[HC_BENCH_PATH];
    double peak_mb;
    hc_bench_scratch(cluster, "cluster");
    hc_bench_scratch(archive, "archive");
    const char *const synth[] = {hc_bench_hindcast(),
                                 "synth",
                                 "cluster",
                                 "-q",
                                 "--nodes",
                                 "5000",
                                 "--days",
                                 "30",
                                 "--jobs",
                                 "500000",
                                 "--runs",
                                 "4",
                                 "-o",
                                 cluster,
                                 NULL};
    if (!hc_bench_command(synth, &usage))
        return 1;
    snprintf(dump, sizeof dump, "%s/slurm/sacct.txt", cluster);
    double n_lines = count_lines(dump);
    sleep(REST_S);
    const char *const argv[] = {
        hc_bench_hindcast(), "ingest", "-q", "--threads", "1", "-a", archive, dump, NULL};
    double seconds = median_seconds(argv, archive, SAMPLES, &peak_mb);
    if (seconds < 0 || n_lines == 0)
        return 1;
    hc_bench_note(&bench, "sacct to archive", n_lines / seconds * 1e-6, "M lines/s");
    hc_bench_at_most(&bench, "sacct to archive, memory", peak_mb, "MB", MOST_MB);
    compare(&bench, dump, seconds);
    return hc_bench_end(&bench);
}
