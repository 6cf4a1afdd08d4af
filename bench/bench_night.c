/* The nightly report over a year of a large site: 1,000,000 jobs, 5,000 nodes, 50,000 faults, 99
 * training runs with their logs, as `hindcast synth cluster` makes them. One day with its findings;
 * the year as one stretch of days; each from the segments, and from what an earlier report kept of
 * them. Then another day is ingested, as a night does, and reported: what that reads beside the
 * night before is the segments that are new.
 */
#include "bench/bench.h"

#include <dirent.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

#define MOST_MB 500
#define N_JOBS  1e6

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

/* A report of so many days, of which date is the last. */
struct report {
    struct hc_bench_usage usage;
    double units; /* of CPU time, as bytes of the byte loop */
};

static bool report(const char *archive, const char *date, const char *days, bool cached,
                   struct report *run)
{
    double unit_s = hc_bench_unit_seconds(HC_BENCH_BYTES);
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
                                cached ? NULL : "--no-cache",
                                NULL};
    bool is_done = hc_bench_command(argv, &run->usage);
    unit_s = (unit_s + hc_bench_unit_seconds(HC_BENCH_BYTES)) / 2;
    run->units = (run->usage.user_s + run->usage.system_s) / unit_s;
    return is_done;
}

/* ---- the last day is yet to come ---- */

#define LAST_DAY     "2027-02-28"
#define DAY_BEFORE   "2027-02-27"
#define MOST_FIELDS  64
#define SUBMIT_FIELD 8 /* of the dump that is made here */
#define END_FIELD    11
#define RAN_FIELD    12
#define STATE_FIELD  14

static bool is_on_last_day(const char *time)
{
    return *time >= '0' && *time <= '9' && strcmp(time, LAST_DAY) >= 0;
}

/* Write a row of the dump as it was at the midnight before the last day: what goes on then has no
 * end yet. False: it was not submitted yet. */
static bool put_row_before(char *line, FILE *to)
{
    const char *field[MOST_FIELDS] = {NULL};
    size_t n = 0;
    line[strcspn(line, "\n")] = '\0';
    for (char *rest = line, *text; (text = strsep(&rest, "|")) && n < MOST_FIELDS;)
        field[n++] = text;
    if (n <= STATE_FIELD || is_on_last_day(field[SUBMIT_FIELD]))
        return false;
    if (is_on_last_day(field[END_FIELD])) {
        field[END_FIELD] = "Unknown";
        field[RAN_FIELD] = "1";
        field[STATE_FIELD] = "RUNNING";
    }
    for (size_t i = 0; i < n; i++)
        fprintf(to, "%s%s", i ? "|" : "", field[i]);
    fputc('\n', to);
    return true;
}

static bool copy_rows_before(FILE *from, FILE *to)
{
    char *line = NULL;
    size_t room = 0;
    bool is_first = true; /* the names of the columns stay */
    while (getline(&line, &room, from) > 0) {
        if (is_first)
            fputs(line, to);
        else if (!put_row_before(line, to))
            break; /* rows are in order of their submission */
        is_first = false;
    }
    free(line);
    return !ferror(from);
}

/* Put the dump aside, and in its place what it was a day before. */
static bool go_back_a_day(const char *dump, const char *whole)
{
    FILE *from = rename(dump, whole) ? NULL : fopen(whole, "r"), *to = fopen(dump, "w");
    bool copied = from && to && copy_rows_before(from, to);
    if (from)
        fclose(from);
    return to && fclose(to) == 0 && copied;
}

/* ---- sizes ---- */

/* Of the files of a folder whose names have a text in them, MB; changed: only those that were
 * written since the clock was that. */
static double folder_mb(const char *archive, const char *folder, const char *text, time_t since)
{
    char path[HC_BENCH_PATH + 300];
    double bytes = 0;
    struct stat info;
    snprintf(path, sizeof path, "%s/%s", archive, folder);
    DIR *directory = opendir(path);
    for (struct dirent *file; directory && (file = readdir(directory));) {
        snprintf(path, sizeof path, "%s/%s/%s", archive, folder, file->d_name);
        if (strstr(file->d_name, text) && stat(path, &info) == 0 && info.st_mtime >= since)
            bytes += (double)info.st_size;
    }
    if (directory)
        closedir(directory);
    return bytes / 1e6;
}

/* ---- the nights ---- */

struct figures {
    struct hc_bench_usage made, added;
    struct report plain, first, kept, next, again, year, year_kept;
    double packs_mb, segments_mb, new_mb, changed_mb;
};

static bool measure(struct figures *f, const char *cluster, const char *archive)
{
    char site[HC_BENCH_PATH + 20], dump[HC_BENCH_PATH + 20], whole[HC_BENCH_PATH + 20];
    snprintf(dump, sizeof dump, "%s/slurm/sacct.txt", cluster);
    snprintf(whole, sizeof whole, "%s/slurm/sacct.whole", cluster);
    if (!make_cluster(cluster) || !write_site(cluster, site) || !go_back_a_day(dump, whole) ||
        !ingest(site, archive, &f->made) || !report(archive, DAY_BEFORE, "1", false, &f->plain) ||
        !report(archive, DAY_BEFORE, "1", true, &f->first) ||
        !report(archive, DAY_BEFORE, "1", true, &f->kept))
        return false;
    sleep(1); /* times of files are told apart by seconds */
    time_t before_added = time(NULL);
    if (rename(whole, dump) || !ingest(site, archive, &f->added))
        return false;
    f->new_mb = folder_mb(archive, "segments", ".h5", before_added);
    f->segments_mb = folder_mb(archive, "segments", ".h5", 0);
    bool is_done = report(archive, LAST_DAY, "1", true, &f->next);
    f->changed_mb = folder_mb(archive, "derived", ".pack", before_added);
    is_done = is_done && report(archive, LAST_DAY, "1", true, &f->again) &&
              report(archive, LAST_DAY, "365", false, &f->year) &&
              report(archive, LAST_DAY, "365", true, &f->year_kept);
    f->packs_mb = folder_mb(archive, "derived", ".pack", 0);
    return is_done;
}

static void limit_report(struct hc_bench *bench, const char *name, const struct report *run,
                         double most)
{
    hc_bench_note(bench, name, run->usage.wall_s, "s");
    hc_bench_at_most(bench, name, run->units / N_JOBS, "x byte loop", most); /* for each job */
}

int main(void)
{
    struct hc_bench bench = hc_bench_start();
    struct figures f;
    char cluster[HC_BENCH_PATH], archive[HC_BENCH_PATH];
    hc_bench_scratch(cluster, "cluster");
    hc_bench_scratch(archive, "archive");
    if (!measure(&f, cluster, archive))
        return 1;
    hc_bench_note(&bench, "night: the year is ingested", f.made.wall_s, "s");
    hc_bench_note(&bench, "night: segments of the year", f.segments_mb, "MB");
    hc_bench_note(&bench, "night: packs of the year", f.packs_mb, "MB");
    limit_report(&bench, "night: report of a day, no cache", &f.plain, 9200);
    hc_bench_note(&bench, "night: it reads", f.plain.usage.read_mb, "MB");
    hc_bench_at_most(&bench, "night: report of a day, memory", f.plain.usage.peak_mb, "MB",
                     MOST_MB);
    hc_bench_note(&bench, "night: the first that keeps packs", f.first.usage.wall_s, "s");
    hc_bench_note(&bench, "night: it reads", f.first.usage.read_mb, "MB");
    limit_report(&bench, "night: report of a day, cached", &f.kept, 5000);
    hc_bench_note(&bench, "night: it reads", f.kept.usage.read_mb, "MB");
    hc_bench_at_most(&bench, "night: the same, memory", f.kept.usage.peak_mb, "MB", MOST_MB);
    hc_bench_note(&bench, "night: a day is ingested", f.added.wall_s, "s");
    hc_bench_note(&bench, "night: segments that are new", f.new_mb, "MB");
    limit_report(&bench, "night: report of the new day", &f.next, 7400);
    hc_bench_note(&bench, "night: it reads", f.next.usage.read_mb, "MB");
    hc_bench_note(&bench, "night: made again it reads", f.again.usage.read_mb, "MB");
    hc_bench_note(&bench, "night: packs that it wrote anew", f.changed_mb, "MB");
    /* Of these packs it read the old ones; and the new segments, which cost far more reads than
     * they have bytes: each of their 50 columns and dictionaries is found by headers of its own, of
     * which pieces of many kilobytes are fetched. */
    hc_bench_at_most(&bench, "night: so the new day costs reads of",
                     f.next.usage.read_mb - f.again.usage.read_mb, "MB",
                     f.changed_mb + 32 * f.new_mb);
    limit_report(&bench, "night: report of the year, no cache", &f.year, 13500);
    hc_bench_note(&bench, "night: it reads", f.year.usage.read_mb, "MB");
    hc_bench_at_most(&bench, "night: report of the year, memory", f.year.usage.peak_mb, "MB",
                     MOST_MB);
    limit_report(&bench, "night: report of the year, cached", &f.year_kept, 7500);
    hc_bench_note(&bench, "night: it reads", f.year_kept.usage.read_mb, "MB");
    hc_bench_at_most(&bench, "night: the same, memory", f.year_kept.usage.peak_mb, "MB", MOST_MB);
    return hc_bench_end(&bench);
}
