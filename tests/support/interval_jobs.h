/* interval_jobs.h - synthetic jobs whose long-run S, M_W and M_S are known, for asking how often
 * intervals hold them: of the unit test and of tools/interval_coverage.c. */
#ifndef HC_TESTS_INTERVAL_JOBS_H
#define HC_TESTS_INTERVAL_JOBS_H

#include "core/base/memory.h"
#include "core/base/select.h"
#include "core/random/philox.h"
#include "core/tables/op_table.h"
#include "sim/replay/counterfactuals.h"
#include "sim/replay/ideal.h"
#include "sim/synth/step_synth.h"
#include "sim/whatif/whatif.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define JOB_MAX_WORKERS 16
#define JOB_PAUSE_NS    300000000 /* of the garbage collector */

/* A job, and how its steps differ from each other. */
struct job_kind {
    const char *name;
    int32_t dp, pp, microbatches;
    double compute_cv;
    double loss_factor;
    double slow_factor; /* of dp 0, stage 1; or of the wandering worker */
    int32_t stay;   /* the slow worker is another one after so many steps on average; 0: never */
    double step_sd; /* of the logarithm of a factor that all times of a step have in common */
    double slow_sd; /* of the logarithm of a factor on the slow one's excess */
    double rho;     /* correlation of these logarithms from step to step */

    double sequence_cv; /* of the loads of microbatches */
    double gc_every;    /* a pause of a worker in one step of so many; 0: never */
    double drift_sd;    /* of the logarithm of a factor that each worker has of its own; by rho */
    double fault_rate;  /* the slow worker is slow in this share of the steps only; 0: in all */
    double onset;       /* the slow worker is slow after this share of the trace only */
    double job_factor;  /* all times are this much longer after the onset; 0: they are not */
};

/* What a long trace of the same job gives: M_W for each worker that could be the slowest. */
struct job_truth {
    double slowdown, m_s, m_w[JOB_MAX_WORKERS];
};

/* What changes from step to step. */
struct job_state {
    struct hc_philox rng;
    double step_z, slow_z;
    int32_t slow_worker;
    double drift_z[JOB_MAX_WORKERS];
    bool has_fault, is_after; /* after the onset */
};

static void job_next_step(struct job_state *state, const struct job_kind *kind, bool is_first)
{
    double keep = is_first ? 0 : kind->rho, new_part = sqrt(1 - keep * keep);
    state->step_z = keep * state->step_z + new_part * hc_philox_normal(&state->rng);
    state->slow_z = keep * state->slow_z + new_part * hc_philox_normal(&state->rng);
    double moves = hc_philox_uniform(&state->rng);
    uint64_t worker = hc_philox_integer(&state->rng, (uint64_t)(kind->dp * kind->pp));
    if (kind->stay && (is_first || moves < 1.0 / kind->stay))
        state->slow_worker = (int32_t)worker;
    for (int32_t w = 0; kind->drift_sd > 0 && w < kind->dp * kind->pp; w++)
        state->drift_z[w] = keep * state->drift_z[w] + new_part * hc_philox_normal(&state->rng);
    state->has_fault = kind->fault_rate == 0 || hc_philox_uniform(&state->rng) < kind->fault_rate;
}

static struct job_state job_first_state(const struct job_kind *kind, uint64_t seed)
{
    struct job_state state = {.slow_worker = kind->pp > 1 ? 1 : 0};
    hc_philox_seek(&state.rng, seed, UINT64_MAX, 0);
    return state;
}

/* Whether a trace of this seed has a step in which the slow worker is slow. */
__attribute__((unused)) static bool job_shows_fault(const struct job_kind *kind, int32_t n_steps,
                                                    uint64_t seed)
{
    struct job_state state = job_first_state(kind, seed);
    bool shows = false;
    for (int32_t step = 0; step < n_steps; step++) {
        job_next_step(&state, kind, step == 0);
        shows |= state.has_fault;
    }
    return shows;
}

/* The workers that are slow in a step: the slow one, and all that drift. */
static size_t job_slow_workers(struct hc_synth_slow slow[JOB_MAX_WORKERS + 1],
                               const struct job_kind *kind, const struct job_state *state)
{
    size_t n = 0;
    double excess = (kind->slow_factor - 1) * exp(kind->slow_sd * state->slow_z);
    if (kind->slow_factor != 1 && state->has_fault)
        slow[n++] = (struct hc_synth_slow){.dp_rank = state->slow_worker / kind->pp,
                                           .stage = state->slow_worker % kind->pp,
                                           .factor = 1 + excess};
    for (int32_t w = 0; kind->drift_sd > 0 && w < kind->dp * kind->pp; w++)
        slow[n++] = (struct hc_synth_slow){.dp_rank = w / kind->pp,
                                           .stage = w % kind->pp,
                                           .factor = exp(kind->drift_sd * state->drift_z[w])};
    return n;
}

/* Bring all times of a step to its speed. */
static void job_scale_rows(struct hc_table *ops, double factor)
{
    struct hc_op_columns row = hc_op_columns(ops);
    for (size_t i = 0; factor != 1 && i < ops->n_rows; i++) {
        double end = (double)(row.start_ns[i] + row.duration_ns[i]);
        row.start_ns[i] = llround(factor * (double)row.start_ns[i]);
        row.duration_ns[i] = llround(factor * end) - row.start_ns[i];
    }
}

/* The rows of one step into an empty table of the right size. */
static enum hc_status job_step_rows(struct hc_table *ops, const struct job_kind *kind,
                                    uint64_t seed, int32_t step, const struct job_state *state,
                                    struct hc_error *err)
{
    struct hc_synth_steps_options options = hc_synth_steps_defaults();
    struct hc_synth_slow slow[JOB_MAX_WORKERS + 1];
    options.seed = seed;
    options.dp = kind->dp;
    options.pp = kind->pp;
    options.microbatches = kind->microbatches;
    options.compute_cv = kind->compute_cv;
    options.loss_factor = kind->loss_factor;
    options.n_steps = 1;
    options.first_step = step;
    options.n_slow = job_slow_workers(slow, kind, state);
    options.slow = slow;
    options.sequence_cv = kind->sequence_cv;
    options.gc_every = kind->gc_every;
    options.gc_pause_ns = kind->gc_every > 0 ? JOB_PAUSE_NS : 0;
    struct hc_synth_steps *generator = NULL;
    if (hc_synth_steps_open(&generator, &options, err))
        return err->status;
    enum hc_status status = HC_OK;
    if (!ops->def)
        status = hc_table_init(ops, &hc_ops_def, (size_t)hc_synth_steps_rows(generator), err);
    ops->n_rows = 0;
    if (status == HC_OK)
        status = hc_synth_steps_next(generator, ops, err);
    hc_synth_steps_close(generator);
    if (status == HC_OK)
        job_scale_rows(ops, exp(kind->step_sd * state->step_z) *
                                (state->is_after && kind->job_factor > 0 ? kind->job_factor : 1));
    return status;
}

/* A trace of n_steps steps; the seed decides all of it. */
static enum hc_status job_trace(struct hc_step_trace **trace, const struct job_kind *kind,
                                int32_t n_steps, uint64_t seed, struct hc_error *err)
{
    struct hc_job job;
    struct hc_table ops = {0};
    struct job_state state = job_first_state(kind, seed);
    if (hc_job_init(&job, "synthetic", err))
        return err->status;
    enum hc_status status = hc_step_trace_new(trace, &job, err);
    hc_job_fini(&job);
    for (int32_t step = 0; status == HC_OK && step < n_steps; step++) {
        job_next_step(&state, kind, step == 0);
        state.is_after = step >= kind->onset * n_steps;
        state.has_fault &= state.is_after;
        status = job_step_rows(&ops, kind, seed, step, &state, err);
        if (status == HC_OK)
            status = hc_step_trace_add(*trace, &ops, err);
    }
    if (ops.def)
        hc_table_fini(&ops);
    return status;
}

static const struct hc_whatif_options job_options = {
    .threshold = 1.03, .replay.max_bad = 0.01, .replay.threads = 1, .depth = HC_DEPTH_INTERVALS};

__attribute__((unused)) static enum hc_status job_analyse(struct hc_whatif_result *result,
                                                          const struct job_kind *kind,
                                                          int32_t n_steps, uint64_t seed,
                                                          struct hc_error *err)
{
    struct hc_step_trace *trace = NULL;
    enum hc_status status = job_trace(&trace, kind, n_steps, seed, err);
    if (status == HC_OK)
        status = hc_whatif_run(result, trace, &job_options, err);
    hc_step_trace_free(trace);
    return status;
}

/* M_W with each worker in turn as the slowest, on lanes with their ideals. */
static enum hc_status job_true_workers(struct job_truth *truth, struct hc_step_lanes *lanes,
                                       bool has_negative, struct hc_error *err)
{
    size_t n = lanes->n_steps, n_workers = (size_t)lanes->dp_size * (size_t)lanes->n_stages;
    uint8_t chosen[JOB_MAX_WORKERS] = {0};
    int64_t *span_ns = hc_new_array(2 * n, sizeof *span_ns, err);
    if (!span_ns || hc_sweep_ideal(lanes, has_negative, err)) {
        free(span_ns);
        return err->status;
    }
    struct hc_counterfactuals sweeps = {
        .lanes = lanes, .has_negative = has_negative, .chosen = chosen};
    struct hc_counterfactual replayed = {.kind = HC_SWEEP_REPLAYED, .span_ns = span_ns};
    struct hc_counterfactual removed = {.kind = HC_SWEEP_WORKERS_IDEAL, .span_ns = span_ns + n};
    enum hc_status status = hc_counterfactuals_run(&sweeps, &replayed, 1, err);
    for (size_t w = 0; status == HC_OK && w < n_workers; w++) {
        memset(chosen, 0, sizeof chosen);
        chosen[w] = 1;
        status = hc_counterfactuals_run(&sweeps, &removed, 1, err);
        double saved = 0, excess = 0;
        for (size_t s = 0; s < n; s++) {
            saved += (double)(span_ns[s] - span_ns[n + s]);
            excess += (double)span_ns[s] - lanes->structures[0].ideal_span;
        }
        truth->m_w[w] = saved / excess;
    }
    free(span_ns);
    return status;
}

__attribute__((unused)) static enum hc_status job_find_truth(struct job_truth *truth,
                                                             const struct job_kind *kind,
                                                             int32_t n_steps, uint64_t seed,
                                                             struct hc_error *err)
{
    struct hc_whatif_result result;
    struct hc_whatif_options options = job_options;
    struct hc_step_trace *trace = NULL;
    struct hc_step_lanes lanes = {0};
    struct hc_ideals ideals;
    options.depth = 0;
    options.threshold = INFINITY;
    if (job_trace(&trace, kind, n_steps, seed, err) ||
        hc_whatif_run(&result, trace, &options, err)) {
        hc_step_trace_free(trace);
        return err->status;
    }
    hc_step_trace_free(trace);
    truth->slowdown = result.slowdown;
    truth->m_s = result.m_s.rem;
    hc_whatif_result_fini(&result);
    enum hc_status status = job_trace(&trace, kind, n_steps, seed, err);
    if (status == HC_OK)
        status = hc_step_lanes_build(&lanes, trace, &options.replay, err);
    if (status == HC_OK)
        status = hc_ideals_find(&ideals, &lanes, err);
    if (status == HC_OK)
        status = job_true_workers(truth, &lanes, lanes.has_negative || ideals.has_negative, err);
    hc_step_lanes_fini(&lanes);
    hc_step_trace_free(trace);
    return status;
}

/* Whether the interval of a short job was given, and held the truth. */
struct job_hit {
    bool given, below, above; /* below: the interval lies below the truth */
    double width, error;
};

enum { JOB_S, JOB_M_W, JOB_M_S, JOB_N_FIGURES };

static struct job_hit job_compare(struct hc_interval interval, double estimate, double truth)
{
    return (struct job_hit){!isnan(interval.low), interval.high<truth, interval.low> truth,
                            interval.high - interval.low, estimate - truth};
}

__attribute__((unused)) static void job_rate(struct job_hit hit[JOB_N_FIGURES],
                                             const struct hc_whatif_result *result,
                                             const struct job_truth *truth)
{
    const struct hc_intervals *found = &result->depth.intervals;
    hit[JOB_S] = job_compare(found->slowdown, result->slowdown, truth->slowdown);
    hit[JOB_M_S] = job_compare(found->m_s, result->m_s.rem, truth->m_s);
    hit[JOB_M_W] = (struct job_hit){0};
    if (result->m_w.done)
        hit[JOB_M_W] = job_compare(found->m_w, result->m_w.rem, truth->m_w[result->slowest[0]]);
}

#endif
