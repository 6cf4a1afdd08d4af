#include "bench/bench.h"

#include "core/base/clock.h"

#include <errno.h>
#include <fcntl.h>
#include <ftw.h>
#include <math.h>
#include <spawn.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

extern char **environ;

#define SAMPLE_NS   20000000 /* a group of calls takes at least this: the clock ticks coarsely */
#define TOTAL_NS    500000000
#define MIN_SAMPLES 3
#define MAX_SAMPLES 1000
#define PATIENCE_NS                                                                                \
    5000000000 /* of the clock on the wall: what waits for disks takes no user time */

#define N_BYTES      ((size_t)1 << 18) /* of the reference: in the cache of a core */
#define N_COPIED     ((size_t)1 << 25) /* in no cache */
#define N_SORTED     ((size_t)50000)
#define REFERENCE_NS 5000000

struct hc_bench hc_bench_start(void)
{
    setvbuf(stdout, NULL, _IOLBF, 0);
    return (struct hc_bench){0};
}

int hc_bench_end(const struct hc_bench *bench)
{
    return bench->n_missed > 0 || bench->n_figures == 0;
}

void hc_bench_stop(const struct hc_error *err)
{
    fprintf(stderr, "bench: %s\n", err->message);
    exit(1);
}

static int64_t user_ns(int whose)
{
    struct rusage usage;
    getrusage(whose, &usage);
    return usage.ru_utime.tv_sec * 1000000000LL + usage.ru_utime.tv_usec * 1000LL;
}

int64_t hc_user_cpu_ns(void)
{
    return user_ns(RUSAGE_SELF) + user_ns(RUSAGE_CHILDREN);
}

static int64_t time_calls(void (*body)(void *), void *context, int64_t n)
{
    int64_t started = hc_user_cpu_ns();
    for (int64_t i = 0; i < n; i++)
        body(context);
    return hc_user_cpu_ns() - started;
}

static int by_value(const void *a, const void *b)
{
    double x = *(const double *)a, y = *(const double *)b;
    return (x > y) - (x < y);
}

double hc_bench_median(double *sample, size_t n)
{
    qsort(sample, n, sizeof *sample, by_value);
    return sample[n / 2];
}

/* ---- references ---- */

/* Four at a time, as many as a core has to do in the latency of one multiplication. */
static void hash_bytes(void *room)
{
    const unsigned char *bytes = room;
    uint32_t hash[4] = {1, 2, 3, 4};
    for (size_t i = 0; i < N_BYTES; i += 4)
        for (size_t k = 0; k < 4; k++)
            hash[k] = (hash[k] ^ bytes[i + k]) * 16777619u;
    *(volatile unsigned char *)room = (unsigned char)(hash[0] ^ hash[1] ^ hash[2] ^ hash[3]);
}

static void copy_bytes(void *room)
{
    memcpy((char *)room + N_COPIED, room, N_COPIED);
    *(volatile char *)room = ((volatile char *)room)[2 * N_COPIED - 1];
}

static void sort_numbers(void *room)
{
    double *number = room;
    uint32_t state = 1;
    for (size_t i = 0; i < N_SORTED; i++)
        number[i] = (state = state * 1664525u + 1013904223u);
    qsort(number, N_SORTED, sizeof *number, by_value);
}

static const struct {
    const char *unit; /* of a ratio to it */
    size_t n_units, room;
    void (*body)(void *room);
} references[] = {
    [HC_BENCH_BYTES] = {"x byte loop", N_BYTES, N_BYTES, hash_bytes},
    [HC_BENCH_COPY] = {"x copy", N_COPIED, 2 * N_COPIED, copy_bytes},
    [HC_BENCH_SORT] = {"x sort", N_SORTED, N_SORTED * sizeof(double), sort_numbers},
};

double hc_bench_unit_seconds(enum hc_bench_reference reference)
{
    static void *rooms[sizeof references / sizeof *references];
    void **room = &rooms[reference];
    if (!*room) {
        if (!(*room = malloc(references[reference].room)))
            abort();
        memset(*room, 1, references[reference].room);
        references[reference].body(*room);
    }
    int64_t n_calls = 0, took = 0;
    for (; took < REFERENCE_NS; n_calls++)
        took += time_calls(references[reference].body, *room, 1);
    return (double)took * 1e-9 / (double)n_calls / (double)references[reference].n_units;
}

struct hc_bench_pair hc_bench_pair_of(enum hc_bench_reference reference, double *seconds,
                                      double *unit_s, size_t n)
{
    hc_bench_median(unit_s, n);
    double median_s = hc_bench_median(seconds, n);
    return (struct hc_bench_pair){reference, median_s, seconds[0] / unit_s[0]};
}

/* ---- samples ---- */

/* Calls that together take long enough for the clock. The first call is not counted. */
static int64_t find_n_calls(void (*body)(void *), void *context)
{
    int64_t n_calls = 1, started;
    body(context);
    for (started = hc_monotonic_ns(); time_calls(body, context, n_calls) < SAMPLE_NS; n_calls *= 2)
        if (hc_monotonic_ns() - started > PATIENCE_NS)
            break;
    return n_calls;
}

static bool has_too_few(size_t n, int64_t total_ns, int64_t started_ns)
{
    return n < MIN_SAMPLES ||
           (n < MAX_SAMPLES && total_ns < TOTAL_NS && hc_monotonic_ns() - started_ns < PATIENCE_NS);
}

struct hc_bench_pair hc_bench_beside(enum hc_bench_reference reference, void (*body)(void *),
                                     void *context)
{
    static double seconds[MAX_SAMPLES], unit_s[MAX_SAMPLES];
    int64_t n_calls = find_n_calls(body, context), took;
    int64_t started = hc_monotonic_ns(), total = 0;
    size_t n = 0;
    for (; has_too_few(n, total, started); n++) {
        unit_s[n] = hc_bench_unit_seconds(reference);
        total += took = time_calls(body, context, n_calls);
        seconds[n] = (double)took * 1e-9 / (double)n_calls;
    }
    return hc_bench_pair_of(reference, seconds, unit_s, n);
}

double hc_bench_seconds(void (*body)(void *), void *context)
{
    static double sample[MAX_SAMPLES];
    int64_t n_calls = find_n_calls(body, context), took;
    int64_t started = hc_monotonic_ns(), total = 0;
    size_t n = 0;
    for (; has_too_few(n, total, started); n++) {
        total += took = time_calls(body, context, n_calls);
        sample[n] = (double)took * 1e-9 / (double)n_calls;
    }
    return hc_bench_median(sample, n);
}

/* ---- figures ---- */

static void print_figure(const char *name, double figure, const char *unit, const char *limit,
                         const char *verdict)
{
    const char *format = figure >= 100 ? "%.0f" : figure >= 1 ? "%.2f" : "%.4f";
    char text[32];
    snprintf(text, sizeof text, format, figure);
    printf("%-40s %10s %-12s %-12s %s\n", name, text, unit, limit, verdict);
}

/* Count a figure that has a limit; returns the word for it. */
static const char *judge(struct hc_bench *bench, bool holds)
{
    bench->n_figures++;
    bench->n_missed += !holds;
    return holds ? "ok" : "MISSED";
}

void hc_bench_at_most(struct hc_bench *bench, const char *name, double figure, const char *unit,
                      double limit)
{
    char text[32];
    snprintf(text, sizeof text, "<= %g", limit);
    print_figure(name, figure, unit, text, judge(bench, figure <= limit));
}

void hc_bench_at_least(struct hc_bench *bench, const char *name, double figure, const char *unit,
                       double limit)
{
    char text[32];
    snprintf(text, sizeof text, ">= %g", limit);
    print_figure(name, figure, unit, text, judge(bench, figure >= limit));
}

void hc_bench_note(struct hc_bench *bench, const char *name, double figure, const char *unit)
{
    print_figure(name, figure, unit, "-", "-");
    bench->n_figures++;
}

void hc_bench_skip(struct hc_bench *bench, const char *name, const char *why)
{
    printf("%-40s %10s %-12s %-12s skipped: %s\n", name, "-", "-", "-", why);
    bench->n_figures++;
}

void hc_bench_limit(struct hc_bench *bench, const char *name, const struct hc_bench_pair *pair,
                    double n, const char *unit, double limit)
{
    double scale = unit[0] == 'M' ? 1e6 : unit[0] == 'G' ? 1e9 : 1;
    hc_bench_note(bench, name, n / pair->seconds / scale, unit);
    hc_bench_at_most(bench, name, pair->units / n, references[pair->reference].unit, limit);
}

double hc_bench_peak_mb(void)
{
    struct rusage usage;
    getrusage(RUSAGE_SELF, &usage);
    return (double)usage.ru_maxrss * 1024e-6;
}

static double seconds_of(struct timeval time)
{
    return (double)time.tv_sec + (double)time.tv_usec * 1e-6;
}

/* What a child that has ended, and was not waited for yet, had read in all. */
static double megabytes_read(pid_t pid)
{
    char path[64];
    long long bytes;
    siginfo_t info;
    while (waitid(P_PID, (id_t)pid, &info, WEXITED | WNOWAIT) < 0)
        if (errno != EINTR)
            return NAN;
    snprintf(path, sizeof path, "/proc/%ld/io", (long)pid);
    FILE *file = fopen(path, "r");
    bool is_known = file && fscanf(file, "rchar: %lld", &bytes) == 1;
    if (file)
        fclose(file);
    return is_known ? (double)bytes * 1e-6 : NAN;
}

bool hc_bench_command(const char *const argv[], struct hc_bench_usage *usage)
{
    posix_spawn_file_actions_t actions;
    posix_spawn_file_actions_init(&actions);
    posix_spawn_file_actions_addopen(&actions, STDOUT_FILENO, "/dev/null", O_WRONLY, 0);
    int64_t started = hc_monotonic_ns();
    pid_t pid;
    int failure = posix_spawnp(&pid, argv[0], &actions, NULL, (char *const *)argv, environ);
    posix_spawn_file_actions_destroy(&actions);
    if (failure) {
        fprintf(stderr, "bench: could not run '%s': %s\n", argv[0], strerror(failure));
        return false;
    }
    int status;
    struct rusage used;
    usage->read_mb = megabytes_read(pid);
    while (wait4(pid, &status, 0, &used) < 0)
        if (errno != EINTR)
            return false;
    usage->wall_s = (double)(hc_monotonic_ns() - started) * 1e-9;
    usage->user_s = seconds_of(used.ru_utime);
    usage->system_s = seconds_of(used.ru_stime);
    usage->faults = used.ru_minflt + used.ru_majflt;
    usage->peak_mb = (double)used.ru_maxrss * 1024e-6;
    if (!WIFEXITED(status) || WEXITSTATUS(status) != 0) {
        fprintf(stderr, "bench: '%s %s' failed\n", argv[0], argv[1] ? argv[1] : "");
        return false;
    }
    return true;
}

const char *hc_bench_hindcast(void)
{
    const char *program = getenv("HINDCAST");
    return program ? program : "hindcast";
}

const char *hc_bench_shared(const char *relative)
{
    static char path[HC_BENCH_PATH];
    const char *shared = getenv("HINDCAST_SHARED"), *source = getenv("SOURCE_DIR");
    if (shared)
        snprintf(path, sizeof path, "%s/%s", shared, relative);
    else
        snprintf(path, sizeof path, "%s/../shared/%s", source ? source : ".", relative);
    return access(path, R_OK) == 0 ? path : NULL;
}

/* ---- temporary files ---- */

static char scratch[HC_BENCH_PATH];

static int remove_entry(const char *path, const struct stat *info, int kind, struct FTW *where)
{
    (void)info, (void)kind, (void)where;
    remove(path);
    return 0;
}

void hc_bench_remove(const char *path)
{
    nftw(path, remove_entry, 16, FTW_DEPTH | FTW_PHYS);
}

static void remove_scratch(void)
{
    hc_bench_remove(scratch);
}

void hc_bench_scratch(char path[HC_BENCH_PATH], const char *name)
{
    if (!scratch[0]) {
        const char *directory = getenv("TMPDIR");
        snprintf(scratch, sizeof scratch, "%s/hindcast-bench-XXXXXX",
                 directory && *directory ? directory : "/tmp");
        if (!mkdtemp(scratch)) {
            fprintf(stderr, "bench: cannot make '%s': %s\n", scratch, strerror(errno));
            exit(1);
        }
        atexit(remove_scratch);
    }
    if (snprintf(path, HC_BENCH_PATH, "%s/%s", scratch, name) >= HC_BENCH_PATH) {
        fprintf(stderr, "bench: the path of '%s' is too long\n", scratch);
        exit(1);
    }
}
