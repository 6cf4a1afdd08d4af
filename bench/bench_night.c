/* The nightly report over a year of a large site: 1,000,000 jobs, 5,000 nodes, 50,000 faults, 99
 * training runs with their logs, as `hindcast synth cluster` makes them. One day with its findings;
 * the year as one stretch of days. How much a day reads is printed beside the size of the archive.
 */
#include "bench/bench.h"

#include <stdio.h>
#include <stdlib.h>

#define MOST_MB 500

static bool make_cluster(const char *cluster)
{
    struct hc_bench_usage usage;
    const char *const argv[] = {hc_bench_hindcast(),
                                "synth",
                                "cluster",
                                "-q",
                                "--nodes",
                                "5000",
                                "--days",
                                "365",
                                "--jobs",
                                "1000000",
                                "--runs",
                                "99",
                                "--faults",
                                "28",
                                "-o",
                                cluster,
                                NULL};
    return hc_bench_command(argv, &usage);
}

/* A site file, by which all of it is read. */
static bool write_site(const char *cluster, char path[HC_BENCH_PATH + 20])
{
    snprintf(path, HC_BENCH_PATH + 20, "%s/site.json", cluster);
    FILE *file = fopen(path, "w");
    if (!file)
        return false;
    fputs("{\"schema\": \"hindcast/site/1\", \"sources\": [\n"
          "{\"name\": \"accounting\", \"files\": \"slurm/sacct.txt\"},\n"
          "{\"name\": \"nodes\", \"files\": \"slurm/events.txt\"},\n"
          "{\"name\": \"kernel\", \"files\": \"kernel/journal.json\"},\n"
          "{\"name\": \"phases\", \"files\": \"starts/marks.log\"},\n"
          "{\"name\": \"logs\", \"files\": \"logs/*/*.out\", \"zone\": \"Europe/Berlin\"}]}\n",
          file);
    return fclose(file) == 0;
}

static bool ingest(const char *site, const char *archive, struct hc_bench_usage *usage)
{
    const char *const argv[] = {
        hc_bench_hindcast(), "ingest", "-q", "--site", site, "-a", archive, NULL};
    return hc_bench_command(argv, usage);
}

static bool report(const char *archive, const char *date, const char *days,
                   struct hc_bench_usage *usage)
{
    const char *const argv[] = {hc_bench_hindcast(),
                                "report",
                                "nightly",
                                "--threads",
                                "2",
                                "-a",
                                archive,
                                "--date",
                                date,
                                "--days",
                                days,
                                NULL};
    return hc_bench_command(argv, usage);
}

int main(void)
{
    struct hc_bench bench = hc_bench_start();
    struct hc_bench_usage made, day, year;
    char cluster[HC_BENCH_PATH], archive[HC_BENCH_PATH], site[HC_BENCH_PATH + 20];
    hc_bench_scratch(cluster, "cluster");
    hc_bench_scratch(archive, "archive");
    if (!make_cluster(cluster) || !write_site(cluster, site) || !ingest(site, archive, &made) ||
        !report(archive, "2026-10-20", "1", &day) || !report(archive, "2027-02-28", "365", &year))
        return 1;
    hc_bench_note(&bench, "night: the year is ingested", made.wall_s, "s");
    hc_bench_at_most(&bench, "night: report of a day", day.wall_s, "s", 5);
    hc_bench_at_most(&bench, "night: report of a day, memory", day.peak_mb, "MB", MOST_MB);
    hc_bench_note(&bench, "night: report of a day reads", day.read_mb, "MB");
    hc_bench_at_most(&bench, "night: report of the year", year.wall_s, "s", 60);
    hc_bench_at_most(&bench, "night: report of the year, memory", year.peak_mb, "MB", MOST_MB);
    hc_bench_note(&bench, "night: report of the year reads", year.read_mb, "MB");
    return hc_bench_end(&bench);
}
