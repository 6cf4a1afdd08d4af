/* Do the threads that nobody asked for cost anything? Commands as they are run, with as many
 * threads as OpenMP says, against the same with --threads 1: small and large work, alone and beside
 * a process on each core that is always busy. Both are run by turns, and each figure is the median
 * of the ratios of neighbours, so that what else the machine does is the same for both. A ratio
 * below 1 is a gain. Threads that spin while they wait would show in CPU time. */
#include "bench/bench.h"

#include <math.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#define MOST_WORDS 12
#define MOST_PAIRS 61
#define MOST_BUSY  256

struct work {
    const char *name;
    const char *arguments[MOST_WORDS]; /* end in NULL */
    int pairs;                         /* more of short ones, whose ratios differ more */
    double cpu_limit, wall_limit;      /* alone */
    double busy_limit;                 /* of wall time beside busy processes */
};

static pid_t busy[MOST_BUSY];
static size_t n_busy;

static void stop_busy(void)
{
    for (; n_busy > 0; n_busy--) {
        kill(busy[n_busy - 1], SIGKILL);
        waitpid(busy[n_busy - 1], NULL, 0);
    }
}

static void start_busy(void)
{
    long n = sysconf(_SC_NPROCESSORS_ONLN);
    for (long i = 0; i < n && n_busy < MOST_BUSY; i++) {
        pid_t child = fork();
        if (child == 0)
            for (volatile unsigned long turns = 0;; turns++)
                ;
        if (child > 0)
            busy[n_busy++] = child;
    }
}

/* One run of a command with these words behind it; false where it failed. */
static bool run(const struct work *work, const char *option, const char *value,
                struct hc_bench_usage *usage)
{
    const char *argv[MOST_WORDS + 4] = {hc_bench_hindcast()};
    size_t n = 1;
    for (size_t i = 0; work->arguments[i]; i++)
        argv[n++] = work->arguments[i];
    argv[n++] = option;
    argv[n++] = value;
    return hc_bench_command(argv, usage);
}

/* Medians over pairs of the ratios default / one thread, of CPU and of wall time. */
static bool compare(const struct work *work, double *cpu, double *wall)
{
    double cpu_ratio[MOST_PAIRS], wall_ratio[MOST_PAIRS];
    for (int i = 0; i < work->pairs; i++) {
        struct hc_bench_usage usual, one;
        /* By turns: which of the two comes first changes. */
        bool is_done = i % 2 ? run(work, "--threads", "1", &one) && run(work, "-q", NULL, &usual)
                             : run(work, "-q", NULL, &usual) && run(work, "--threads", "1", &one);
        if (!is_done)
            return false;
        cpu_ratio[i] = (usual.user_s + usual.system_s) / (one.user_s + one.system_s);
        wall_ratio[i] = usual.wall_s / one.wall_s;
    }
    *cpu = hc_bench_median(cpu_ratio, (size_t)work->pairs);
    *wall = hc_bench_median(wall_ratio, (size_t)work->pairs);
    return true;
}

static void measure(struct hc_bench *bench, const struct work *work, bool beside)
{
    char name[128];
    double cpu = 0, wall = 0;
    const char *where = beside ? ", beside busy" : "";
    if (!compare(work, &cpu, &wall)) {
        hc_bench_skip(bench, work->name, "the command failed");
        return;
    }
    snprintf(name, sizeof name, "%s%s: CPU", work->name, where);
    hc_bench_at_most(bench, name, cpu, "of 1 thread", work->cpu_limit);
    snprintf(name, sizeof name, "%s%s: wall", work->name, where);
    hc_bench_at_most(bench, name, wall, "of 1 thread",
                     beside ? work->busy_limit : work->wall_limit);
}

/* Whatever the command line of the benchmarks says: what a user gets who says nothing. */
static void forget_settings(void)
{
    unsetenv("OMP_NUM_THREADS");
    unsetenv("OMP_WAIT_POLICY");
    unsetenv("GOMP_SPINCOUNT");
}

static void make(const char *path, const char *dp, const char *steps)
{
    const char *const argv[] = {
        hc_bench_hindcast(), "synth", "steps",   "-q",  "--dp",     dp,   "--pp", "4",
        "--microbatches",    "16",    "--steps", steps, "--output", path, NULL};
    struct hc_bench_usage usage;
    struct hc_error err;
    if (!hc_bench_command(argv, &usage)) {
        hc_fail(&err, HC_INTERNAL, "cannot make '%s'", path);
        hc_bench_stop(&err);
    }
}

int main(void)
{
    static char small[HC_BENCH_PATH], large[HC_BENCH_PATH], archive[HC_BENCH_PATH];
    struct hc_bench bench = hc_bench_start();
    struct hc_bench_usage usage;
    forget_settings();
    hc_bench_scratch(small, "trace-small.csv");
    hc_bench_scratch(large, "trace-large.parquet");
    hc_bench_scratch(archive, "archive");
    make(small, "2", "10");
    make(large, "32", "120");
    const char *const ingest[] = {hc_bench_hindcast(), "ingest", "-q", "-a", archive, small, NULL};
    if (!hc_bench_command(ingest, &usage))
        hc_bench_skip(&bench, "ls", "the ingest failed");
    const struct work works[] = {
        {"ls", {"ls", "-a", archive, NULL}, 61, 1.2, 1.2, 1.5},
        {"whatif, 7,000 ops", {"whatif", small, NULL}, 61, 1.2, 1.2, 1.5},
        {"whatif, 2 M ops", {"whatif", large, NULL}, 9, 1.2, 1.1, 1.3},
        {"simulate, 20 lives", {"simulate", "llama3", "--replicas", "20", NULL}, 61, 1.2, 1.2, 1.5},
        {"simulate, 2,000 lives",
         {"simulate", "llama3", "--replicas", "2000", NULL},
         15,
         1.2,
         1.0,
         1.3},
    };
    const size_t n = sizeof works / sizeof *works;
    hc_bench_note(&bench, "cores", (double)sysconf(_SC_NPROCESSORS_ONLN), "");
    for (size_t i = 0; i < n; i++)
        measure(&bench, &works[i], false);
    start_busy();
    for (size_t i = 0; i < n; i++)
        measure(&bench, &works[i], true);
    stop_busy();
    return hc_bench_end(&bench);
}
