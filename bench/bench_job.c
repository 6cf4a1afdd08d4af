/* The what-if of a whole job: AR, as a user runs it, and AR's shape over 256 dp ranks. */
#include "bench/bench.h"

#include "pipeline/inputs/segment_input.h"
#include "sim/replay/step_trace.h"
#include "sim/whatif/whatif.h"
#include "store/archive/archive.h"
#include "tests/support/segment_path.h"

#include <stdio.h>
#include <stdlib.h>

#define AR_RUNS  41
#define BIG_RUNS 5

static struct hc_bench_usage run(const char *const argv[])
{
    struct hc_bench_usage usage;
    if (!hc_bench_command(argv, &usage))
        exit(1);
    return usage;
}

/* ---- AR, from the Parquet file to the three files of the artifact ---- */

/* Beside gzip, which unpacks the same trace as CSV: a small program that has to start, too. */
static void bench_ar(struct hc_bench *bench)
{
    char compat[HC_BENCH_PATH], path[HC_BENCH_PATH];
    double user[AR_RUNS], system[AR_RUNS], wall[AR_RUNS], cpu[AR_RUNS], gzip_cpu[AR_RUNS];
    const char *shared = hc_bench_shared("data/bytedance-straggler/data/trace-AR.parquet");
    if (!shared) {
        hc_bench_skip(bench, "AR, Parquet to result, ms, mw", "needs ../shared");
        return;
    }
    snprintf(path, sizeof path, "%s", shared);
    shared = hc_bench_shared("data/bytedance-straggler/csv/trace-AR.csv.gz");
    hc_bench_scratch(compat, "");
    const char *whatif[] = {hc_bench_hindcast(), "whatif", "--compat", compat, path, NULL};
    const char *gzip[] = {"gzip", "-dc", shared, NULL};
    run(whatif);
    for (size_t i = 0; i < AR_RUNS; i++) {
        struct hc_bench_usage ours = run(whatif), theirs = run(gzip);
        user[i] = ours.user_s;
        system[i] = ours.system_s;
        wall[i] = ours.wall_s;
        cpu[i] = ours.user_s + ours.system_s;
        gzip_cpu[i] = theirs.user_s + theirs.system_s;
    }
    hc_bench_note(bench, "AR, Parquet to result, ms, mw", 1e3 * hc_bench_median(user, AR_RUNS),
                  "ms");
    hc_bench_note(bench, "AR, system", 1e3 * hc_bench_median(system, AR_RUNS), "ms");
    hc_bench_note(bench, "AR, wall", 1e3 * hc_bench_median(wall, AR_RUNS), "ms");
    hc_bench_at_most(bench, "AR, CPU over that of gzip -dc of its CSV",
                     hc_bench_median(cpu, AR_RUNS) / hc_bench_median(gzip_cpu, AR_RUNS), "x gzip",
                     1.2);
    hc_bench_note(bench, "AR, the artifact (published)", 2400, "ms");
}

/* ---- 256 dp ranks ---- */

static void make_big(const char *archive)
{
    char trace[HC_BENCH_PATH];
    struct hc_bench_usage usage;
    hc_bench_scratch(trace, "trace-big.parquet");
    const char *synth[] = {hc_bench_hindcast(),
                           "synth",
                           "steps",
                           "--quiet",
                           "--dp",
                           "256",
                           "--pp",
                           "4",
                           "--microbatches",
                           "32",
                           "--steps",
                           "44",
                           "--slow-worker",
                           "0,0,1.5",
                           "--seed",
                           "1",
                           "-o",
                           trace,
                           NULL};
    const char *ingest[] = {hc_bench_hindcast(), "ingest", "--quiet", "-a", archive, trace, NULL};
    if (!hc_bench_command(synth, &usage) || !hc_bench_command(ingest, &usage))
        exit(1);
    hc_bench_remove(trace);
}

static struct hc_step_trace *load_big(const char *path)
{
    struct hc_error err = {0};
    struct hc_archive *archive = NULL;
    const struct hc_manifest_entry *entry = NULL;
    struct hc_segment *segment = NULL;
    struct hc_step_trace *trace = NULL;
    char *segment_path = NULL;
    if (hc_archive_open(&archive, path, false, &err) ||
        hc_archive_find(archive, "big", "ops", &entry, &err) ||
        hc_archive_segment_path(archive, entry, &segment_path, &err) ||
        segment_open_path(&segment, segment_path, &err) ||
        hc_step_trace_new(&trace, hc_segment_job(segment), &err) ||
        hc_segment_load(segment, trace, &err))
        hc_bench_stop(&err);
    hc_segment_close(segment);
    free(segment_path);
    hc_archive_close(archive);
    return trace;
}

/* Returns the ops analysed. */
static int64_t analyse(struct hc_step_trace *trace, unsigned depth)
{
    const struct hc_whatif_options options = {
        .threshold = 1.03, .replay.max_bad = 1, .replay.threads = 1, .depth = depth};
    struct hc_whatif_result result;
    struct hc_error err = {0};
    if (hc_whatif_run(&result, trace, &options, &err))
        hc_bench_stop(&err);
    int64_t n_ops = result.n_ops;
    if (!result.m_w.done || !result.m_s.done) {
        fprintf(stderr, "bench: M_W or M_S was left out: this is not the full analysis\n");
        exit(1);
    }
    hc_whatif_result_fini(&result);
    return n_ops;
}

/* In this process, so that loading and the rest can be told apart. An analysis uses its trace up.
 */
static void bench_analysis(struct hc_bench *bench, const char *archive)
{
    double run_s[BIG_RUNS], whole_s[BIG_RUNS], unit_s[BIG_RUNS];
    double n_ops = 0;
    for (size_t i = 0; i < BIG_RUNS; i++) {
        int64_t started = hc_user_cpu_ns();
        struct hc_step_trace *trace = load_big(archive);
        int64_t loaded = hc_user_cpu_ns();
        n_ops = (double)analyse(trace, 0);
        int64_t done = hc_user_cpu_ns();
        hc_step_trace_free(trace);
        unit_s[i] = hc_bench_unit_seconds(HC_BENCH_BYTES);
        run_s[i] = (double)(done - loaded) * 1e-9;
        whole_s[i] = (double)(done - started) * 1e-9;
    }
    struct hc_bench_pair once = hc_bench_pair_of(HC_BENCH_BYTES, run_s, unit_s, BIG_RUNS),
                         whole = hc_bench_pair_of(HC_BENCH_BYTES, whole_s, unit_s, BIG_RUNS);
    hc_bench_note(bench, "256 dp ranks", n_ops * 1e-6, "M ops");
    hc_bench_note(bench, "256 dp ranks, once loaded", once.seconds, "s");
    hc_bench_limit(bench, "256 dp ranks, once loaded", &once, n_ops, "M ops/s", 53);
    hc_bench_note(bench, "256 dp ranks, from the archive", whole.seconds, "s");
    hc_bench_limit(bench, "256 dp ranks, from the archive", &whole, n_ops, "M ops/s", 110);
}

/* What the parts beyond the paper's figures add to the analysis, each alone. */
static void bench_depth(struct hc_bench *bench, const char *archive)
{
    static const struct {
        const char *name;
        unsigned depth;
        double most; /* as a share of the analysis alone; 0: no limit */
    } parts[] = {{"the analysis alone", 0, 0},
                 {"exact slowdown of all 1,024 workers", HC_DEPTH_WORKERS, 0.25},
                 {"fix curves", HC_DEPTH_FIXES, 0},
                 {"Shapley values", HC_DEPTH_SHAPLEY, 0},
                 {"intervals", HC_DEPTH_INTERVALS, 0},
                 {"cause", HC_DEPTH_CAUSE, 0},
                 {"all parts", HC_DEPTH_ALL, 0}};
    double took[sizeof parts / sizeof *parts][BIG_RUNS], alone = 0;
    size_t n_parts = sizeof parts / sizeof *parts;
    for (size_t i = 0; i < BIG_RUNS; i++)
        for (size_t k = 0; k < n_parts; k++) {
            struct hc_step_trace *trace = load_big(archive);
            int64_t started = hc_user_cpu_ns();
            analyse(trace, parts[k].depth);
            took[k][i] = (double)(hc_user_cpu_ns() - started) * 1e-9;
            hc_step_trace_free(trace);
        }
    for (size_t k = 0; k < n_parts; k++) {
        char name[80];
        double median = hc_bench_median(took[k], BIG_RUNS);
        snprintf(name, sizeof name, "256 dp ranks, %s%s", k ? "+ " : "", parts[k].name);
        if (k == 0)
            alone = median;
        hc_bench_note(bench, name, median - (k ? alone : 0), "s");
        if (parts[k].most > 0)
            hc_bench_at_most(bench, name, (median - alone) / alone, "x alone", parts[k].most);
    }
}

static void bench_big(struct hc_bench *bench)
{
    char archive[HC_BENCH_PATH];
    struct hc_bench_usage usage;
    hc_bench_scratch(archive, "archive");
    make_big(archive);
    /* First, while this process is small: see hc_bench_usage. */
    const char *whatif[] = {hc_bench_hindcast(), "whatif", "-a", archive, "big", NULL};
    if (!hc_bench_command(whatif, &usage))
        exit(1);
    hc_bench_at_most(bench, "256 dp ranks, resident", usage.peak_mb, "MB", 350);
    hc_bench_note(bench, "256 dp ranks, resident, the artifact", 2800, "MB");
    hc_bench_note(bench, "256 dp ranks, the command, user", usage.user_s, "s");
    hc_bench_note(bench, "256 dp ranks, the command, system", usage.system_s, "s");
    hc_bench_note(bench, "256 dp ranks, the command, wall", usage.wall_s, "s");
    bench_analysis(bench, archive);
    bench_depth(bench, archive);
    hc_bench_note(bench, "256 dp ranks, the artifact, loaded", 107, "s");
}

int main(void)
{
    struct hc_bench bench = hc_bench_start();
    bench_ar(&bench);
    bench_big(&bench);
    return hc_bench_end(&bench);
}
