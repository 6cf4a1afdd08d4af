/* job_levels.c - stretches of steps between changes of level of the job as a whole, and S of each:
 * of a job that changes, S of all steps is that of none of them. */
#include "sim/whatif/whatif_analysis.h"

#include "sim/whatif/change/level_stretches.h"

#include "core/base/memory.h"

#include <math.h>
#include <stdio.h>

static void fill_level(struct hc_job_level *level, const struct hc_whatif_result *r)
{
    size_t n = level->last - level->first + 1;
    level->replayed_s = hc_mean_s(r->replayed_ns + level->first, n);
    level->slowdown.value = level->replayed_s / hc_mean_s(r->ideal_end_ns + level->first, n);
}

static enum hc_status list_levels(struct hc_culprits *out, const struct hc_whatif_result *r,
                                  struct hc_error *err)
{
    struct hc_level_stretch stretches[HC_MOST_LEVEL_STRETCHES];
    size_t n;
    if (hc_level_stretches_find(stretches, &n, r->step_slowdown, r->n_steps, err))
        return err->status;
    if (n == 0)
        return HC_OK;
    out->levels = hc_new_array(n, sizeof *out->levels, err);
    if (!out->levels)
        return err->status;
    out->n_levels = n;
    for (size_t i = 0; i < n; i++) {
        out->levels[i].first = stretches[i].first;
        out->levels[i].last = stretches[i].last;
        fill_level(&out->levels[i], r);
    }
    return HC_OK;
}

/* S of all steps together is a mean of levels, and how far it is off depends on how long each
 * lasts: its interval gives way to those of the stretches. */
static void explain_share(const struct hc_interval *interval, struct hc_interval_reason *reason)
{
    if (!isnan(interval->low) || reason->lack == HC_INTERVAL_NO_FIGURE)
        return;
    reason->lack = HC_INTERVAL_CHANGES;
    snprintf(reason->text, sizeof reason->text,
             "the trace changes, and each of its levels has shares of its own");
}

/* S of all steps together is a mean of levels, and how far it is off depends on how long each
 * lasts: its interval gives way to those of the stretches. */
static void explain(struct hc_whatif_result *r)
{
    const struct hc_culprits *culprits = &r->depth.culprits;
    struct hc_interval_reason *reason = &r->depth.intervals.slowdown_reason;
    const struct hc_job_level *before = &culprits->levels[0], *after = &culprits->levels[1];
    r->depth.intervals.slowdown = (struct hc_interval){NAN, NAN};
    reason->lack = HC_INTERVAL_CHANGES;
    explain_share(&r->depth.intervals.m_w, &r->depth.intervals.m_w_reason);
    explain_share(&r->depth.intervals.m_s, &r->depth.intervals.m_s_reason);
    if (culprits->n_levels == 2)
        snprintf(
            reason->text, sizeof reason->text,
            "the trace changes at step %d; before it S is %.3f (%.3f to %.3f), from it on %.3f "
            "(%.3f to %.3f)",
            r->steps[after->first], before->slowdown.value, before->slowdown.low,
            before->slowdown.high, after->slowdown.value, after->slowdown.low,
            after->slowdown.high);
    else
        snprintf(
            reason->text, sizeof reason->text,
            "the trace changes its level %zu times, first at step %d; S of each stretch stands "
            "below",
            culprits->n_levels - 1, r->steps[after->first]);
}

enum hc_status hc_job_levels_find(struct hc_whatif_analysis *analysis)
{
    struct hc_whatif_result *r = analysis->result;
    enum hc_status status = list_levels(&r->depth.culprits, r, analysis->err);
    if (status == HC_OK && r->depth.culprits.n_levels > 1)
        status = hc_job_levels_doubt(&r->depth.culprits, analysis);
    if (status == HC_OK && r->depth.culprits.n_levels > 1 && r->depth.intervals.done)
        explain(r);
    return status;
}
