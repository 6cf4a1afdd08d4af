/* replay_job.h - a synthetic job as the scenarios of step timelines take it (sim/edits/), and its
 * replays with edits. A failure ends the test. */
#ifndef HC_TESTS_SUPPORT_REPLAY_JOB_H
#define HC_TESTS_SUPPORT_REPLAY_JOB_H

#include "core/tables/op_table.h"
#include "sim/rearrange/edited_job.h"
#include "sim/synth/step_synth.h"
#include "tests/support/edited_times.h"

#include <check.h>

static struct hc_error err;

static inline void add_steps(struct hc_step_trace **trace, const struct hc_synth_steps_options *job)
{
    enum { BATCH = 65536 };
    struct hc_synth_steps *generator = NULL;
    struct hc_table ops;
    ck_assert_msg(!hc_synth_steps_open(&generator, job, &err), "%s", err.message);
    ck_assert(*trace || !hc_step_trace_new(trace, hc_synth_steps_job(generator), &err));
    ck_assert(!hc_table_init(&ops, &hc_ops_def, BATCH, &err));
    do {
        ops.n_rows = 0;
        ck_assert(!hc_synth_steps_next(generator, &ops, &err));
        ck_assert(!hc_step_trace_add(*trace, &ops, &err));
    } while (ops.n_rows);
    hc_table_fini(&ops);
    hc_synth_steps_close(generator);
}

/* The steps of several jobs as those of one. The caller's to hc_replay_base_free. */
static inline struct hc_replay_base *new_joint_base(const struct hc_synth_steps_options *jobs,
                                                    size_t n)
{
    struct hc_step_trace *trace = NULL;
    struct hc_replay_base *base = NULL;
    const struct hc_replay_options options = {.max_bad = 0.01};
    for (size_t i = 0; i < n; i++)
        add_steps(&trace, &jobs[i]);
    ck_assert_msg(!hc_replay_base_new(&base, trace, &options, &err), "%s", err.message);
    hc_step_trace_free(trace);
    return base;
}

static inline struct hc_replay_base *new_base(const struct hc_synth_steps_options *job)
{
    return new_joint_base(job, 1);
}

/* Times of each step with edits, the caller's to edited_times_fini. */
static inline struct hc_edited_outcome replay_edits(struct hc_edited_times *times,
                                                    const struct hc_replay_base *base,
                                                    const struct hc_edit *edits, size_t n,
                                                    const struct hc_edit_draws *draws)
{
    static int64_t n_selected[16];
    const struct hc_edited_job job = {base, edits, n};
    struct hc_edited_outcome outcome = {.times = times, .n_selected = n_selected};
    size_t failed = 0;
    edited_times_init(times, base->lanes.n_steps);
    ck_assert_msg(!hc_edited_job_replay(&outcome, &job, draws, &failed, &err), "%s", err.message);
    return outcome;
}

static inline double mean_ns(const double *values, size_t n)
{
    double sum = 0;
    for (size_t i = 0; i < n; i++)
        sum += values[i];
    return sum / (double)n;
}

#endif
