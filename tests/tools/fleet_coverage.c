/* fleet_coverage [N [SEED]] - how often the intervals of the N jobs of a synthetic fleet (300, seed
 * 1) hold the truth.
 *
 * The truth of a job is what a long trace of the same job gives: the same options, hundreds to
 * thousands of other steps. Each job counts once, with the steps that the fleet gives it. M_W is
 * compared where the long trace finds the same workers slowest: the interval is of those (see
 * docs/methods/intervals.md). Exit: 0, 1 when a rate is below 92 %, 2 usage, 3 failure.
 */
#include "sim/replay/step_trace.h"
#include "sim/synth/fleet_synth.h"
#include "sim/whatif/whatif.h"

#include <math.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>

#define LOW_RATE   0.92
#define BATCH_ROWS 262144
/* Steps of a long trace: as many as keep it below these rows, within these bounds. */
#define LONG_ROWS 3000000
#define LEAST     400
#define MOST      3000
/* Far from the steps of the fleet's own trace, so that none is in both. */
#define LONG_FIRST_STEP 10000000

enum figure { S, M_W, M_S, N_FIGURES };

struct tally {
    long n, below, above, none, other_workers;
};

/* ---- one trace ---- */

static enum hc_status add_rows(struct hc_step_trace *trace, struct hc_synth_steps *generator,
                               struct hc_error *err)
{
    struct hc_table ops;
    if (hc_table_init(&ops, &hc_ops_def, BATCH_ROWS, err))
        return err->status;
    enum hc_status status = HC_OK;
    do {
        ops.n_rows = 0;
        status = hc_synth_steps_next(generator, &ops, err);
        if (status == HC_OK)
            status = hc_step_trace_add(trace, &ops, err);
    } while (status == HC_OK && ops.n_rows);
    hc_table_fini(&ops);
    return status;
}

static enum hc_status analyse(struct hc_whatif_result *result,
                              const struct hc_synth_steps_options *job, unsigned depth,
                              struct hc_error *err)
{
    const struct hc_whatif_options options = {
        .threshold = 1.03, .replay.max_bad = 0.01, .replay.threads = 1, .depth = depth};
    struct hc_synth_steps *generator = NULL;
    struct hc_step_trace *trace = NULL;
    if (hc_synth_steps_open(&generator, job, err))
        return err->status;
    enum hc_status status = hc_step_trace_new(&trace, hc_synth_steps_job(generator), err);
    if (status == HC_OK)
        status = add_rows(trace, generator, err);
    hc_synth_steps_close(generator);
    if (status == HC_OK)
        status = hc_whatif_run(result, trace, &options, err);
    hc_step_trace_free(trace);
    return status;
}

/* ---- comparing ---- */

static void count(struct tally *tally, const struct hc_interval *interval, double truth)
{
    if (isnan(interval->low) || isnan(truth)) {
        tally->none++;
        return;
    }
    tally->n++;
    tally->below += truth < interval->low;
    tally->above += truth > interval->high;
}

static bool are_same_workers(const struct hc_whatif_result *a, const struct hc_whatif_result *b)
{
    for (size_t i = 0; i < a->n_slowest; i++) {
        bool is_there = false;
        for (size_t k = 0; k < b->n_slowest; k++)
            is_there |= a->slowest[i] == b->slowest[k];
        if (!is_there)
            return false;
    }
    return true;
}

static void compare(struct tally tallies[N_FIGURES], const struct hc_whatif_result *found,
                    const struct hc_whatif_result *truth)
{
    const struct hc_intervals *intervals = &found->depth.intervals;
    count(&tallies[S], &intervals->slowdown, truth->slowdown);
    if (found->pp_size > 1)
        count(&tallies[M_S], &intervals->m_s, truth->m_s.rem);
    if (!found->m_w.done || !truth->m_w.done)
        tallies[M_W].none++;
    else if (!are_same_workers(found, truth))
        tallies[M_W].other_workers++;
    else
        count(&tallies[M_W], &intervals->m_w, truth->m_w.rem);
}

static enum hc_status compare_job(struct tally tallies[N_FIGURES],
                                  const struct hc_fleet_synth_job *job, struct hc_error *err)
{
    struct hc_whatif_result found, truth;
    if (analyse(&found, &job->options, HC_DEPTH_INTERVALS, err))
        return err->status;
    struct hc_synth_steps_options longer = job->options;
    int64_t n = LONG_ROWS * (int64_t)found.n_steps / found.n_ops;
    longer.n_steps = (int32_t)(n < LEAST ? LEAST : n > MOST ? MOST : n);
    longer.first_step = LONG_FIRST_STEP;
    enum hc_status status = analyse(&truth, &longer, 0, err);
    if (status == HC_OK) {
        compare(tallies, &found, &truth);
        hc_whatif_result_fini(&truth);
    }
    hc_whatif_result_fini(&found);
    return status;
}

static bool report(const struct tally tallies[N_FIGURES])
{
    static const char *const names[] = {"S", "M_W", "M_S"};
    bool is_good = true;
    printf("%-6s %6s %8s %8s %8s %8s %14s\n", "", "jobs", "held %", "below %", "above %", "none",
           "other workers");
    for (int f = 0; f < N_FIGURES; f++) {
        const struct tally *t = &tallies[f];
        double n = (double)t->n, held = 1 - (double)(t->below + t->above) / n;
        bool is_in = held >= LOW_RATE;
        printf("%-6s %6ld %8.1f %8.1f %8.1f %8ld %14ld%s\n", names[f], t->n, 100 * held,
               100 * (double)t->below / n, 100 * (double)t->above / n, t->none, t->other_workers,
               is_in ? "" : "  OUTSIDE");
        is_good &= is_in;
    }
    return is_good;
}

static enum hc_status compare_fleet(struct tally tallies[N_FIGURES],
                                    const struct hc_fleet_synth_options *options,
                                    struct hc_error *err)
{
    struct hc_fleet_synth_job *jobs = NULL;
    enum hc_status status = hc_fleet_synth_new(&jobs, options, err);
    for (int32_t i = 0; status == HC_OK && i < options->n_jobs; i++)
        status = compare_job(tallies, &jobs[i], err);
    free(jobs);
    return status;
}

int main(int argc, char **argv)
{
    struct hc_fleet_synth_options options = {.n_jobs =
                                                 argc > 1 ? (int32_t)strtol(argv[1], NULL, 10) : 0};
    struct tally tallies[N_FIGURES] = {0};
    if (argc < 3 || options.n_jobs < 1) {
        fprintf(stderr, "usage: fleet_coverage N SEED...\n");
        return 2;
    }
    for (int i = 2; i < argc; i++) {
        struct hc_error err = {0};
        options.seed = strtoull(argv[i], NULL, 10);
        if (compare_fleet(tallies, &options, &err)) {
            fprintf(stderr, "fleet_coverage: %s\n", err.message);
            return 3;
        }
    }
    return report(tallies) ? 0 : 1;
}
