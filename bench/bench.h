/* bench.h - measure and report: every figure is printed with its unit; those that have a limit,
 * with the limit and whether it holds.
 *
 * A limit is a ratio to something else that is measured in the same run, by turns: another program,
 * or a reference (below), which is a piece of work that is not ours. So it holds on a slow machine
 * and on a busy one. What is absolute, as "MB/s", is printed and no more; but bytes of memory,
 * which are the same everywhere, may have a limit.
 *
 * A benchmark is a program bench/bench_<name>.c:
 *
 *     struct hc_bench bench = hc_bench_start();
 *     struct hc_bench_pair pair = hc_bench_beside(HC_BENCH_BYTES, body, &context);
 *     hc_bench_limit(&bench, "CSV to checked rows", &pair, bytes, "MB/s", 1.3);
 *     return hc_bench_end(&bench);
 *
 * Times are user CPU unless said. Run with OMP_NUM_THREADS=1 (bench/run does) for figures of one
 * core.
 */
#ifndef HC_BENCH_BENCH_H
#define HC_BENCH_BENCH_H

#include "core/base/status.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define HC_BENCH_PATH 4096

struct hc_bench {
    int n_figures, n_missed;
};

struct hc_bench hc_bench_start(void);

/* Exit status of the program: 1 when a figure missed its limit, or nothing was measured. */
int hc_bench_end(const struct hc_bench *bench);

/* Print what failed and exit: a benchmark that cannot do its work has no figure. */
_Noreturn void hc_bench_stop(const struct hc_error *err);

/* User CPU time of this process and of the commands that it ran, so far. */
int64_t hc_user_cpu_ns(void);

/* Median user CPU seconds of one call of body(context), over samples that together take at least
 * half a second. Calls that are too short for the clock are measured in groups; one call that takes
 * longer than that half second is measured three times. The first call is not counted. */
double hc_bench_seconds(void (*body)(void *context), void *context);

/* The median of samples that were taken otherwise; sorts them, so that sample[0] is the least. */
double hc_bench_median(double *sample, size_t n);

/* ---- beside a reference ---- */

/* Work that is not ours, to which ours is held. */
enum hc_bench_reference {
    HC_BENCH_BYTES, /* a loop over bytes that hashes them one by one: what the core does by itself
                     */
    HC_BENCH_COPY,  /* memcpy of 32 MB, for each byte: memory */
    HC_BENCH_SORT   /* qsort() of 50,000 numbers, for each number: branches, calls, cache */
};

/* Our work, and how many bytes (numbers) the reference does in that time. What else runs on the
 * machine slows some work more than other: so the ratio is of the least times of both, and the
 * seconds are a median. */
struct hc_bench_pair {
    enum hc_bench_reference reference;
    double seconds, units;
};

/* Seconds that the reference takes now for one byte or number. */
double hc_bench_unit_seconds(enum hc_bench_reference reference);

/* Samples of body(context) as those of hc_bench_seconds, and the reference by turns. */
struct hc_bench_pair hc_bench_beside(enum hc_bench_reference reference, void (*body)(void *context),
                                     void *context);

/* The same of n samples that were taken otherwise, seconds and those of a unit; sorts both. */
struct hc_bench_pair hc_bench_pair_of(enum hc_bench_reference reference, double *seconds,
                                      double *unit_s, size_t n);

/* Print how many of the n things that were done a second takes, in the unit, which begins with "M"
 * or "G" or has no such letter; and how many bytes (numbers) the reference does in the time of one
 * of them, which is at most the limit. */
void hc_bench_limit(struct hc_bench *bench, const char *name, const struct hc_bench_pair *pair,
                    double n, const char *unit, double limit);

/* Print one figure; with a limit it must be at most, or at least, that. */
void hc_bench_at_most(struct hc_bench *bench, const char *name, double figure, const char *unit,
                      double limit);
void hc_bench_at_least(struct hc_bench *bench, const char *name, double figure, const char *unit,
                       double limit);
void hc_bench_note(struct hc_bench *bench, const char *name, double figure, const char *unit);

/* Say that a figure could not be measured, and why ("needs ../shared"): seen, but no miss. */
void hc_bench_skip(struct hc_bench *bench, const char *name, const char *why);

/* Largest resident size of this process so far, MB (10^6 bytes). */
double hc_bench_peak_mb(void);

/* What a child process used. */
struct hc_bench_usage {
    double user_s, system_s, wall_s;
    double peak_mb; /* largest resident size, MB; not below that of this process so far, whose
                       memory the child shares until it has become the command */
    long faults;    /* pages that were mapped, or copied, as it touched them */
    double read_mb; /* that its read calls returned, MB; NaN where the system does not count them */
};

/* Run a command (NULL-terminated argv, found through PATH) with its output thrown away. False, with
 * a message on stderr, when it could not be run or did not exit with 0. */
bool hc_bench_command(const char *const argv[], struct hc_bench_usage *usage);

/* The hindcast program to measure: HINDCAST of the environment, else "hindcast". */
const char *hc_bench_hindcast(void);

/* Path of a file of the shared data (HINDCAST_SHARED, else ../shared beside SOURCE_DIR or the
 * working directory) in a static buffer, or NULL when it is not there. */
const char *hc_bench_shared(const char *relative);

/* The path of name in a directory for temporary files, which goes when the process exits. */
void hc_bench_scratch(char path[HC_BENCH_PATH], const char *name);

/* Remove a file, or a directory with what is in it; nothing there is no error. */
void hc_bench_remove(const char *path);

#endif
