/* job_levels.c - stretches of steps between changes of level of the job as a whole, and S of each:
 * of a job that changes, S of all steps is that of none of them. */
#include "sim/whatif/cause/culprit_search.h"

#include "sim/whatif/change/two_levels.h"

#include "core/base/memory.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>

/* The upper level is this part above the lower one. */
#define LEAST_RISE 0.04
/* A job that changes more often comes and goes, and stretches say nothing of it; nor do stretches
 * of fewer steps. */
#define MOST_LEVELS 5
#define LEAST_STEPS 3

static size_t count_levels(const uint8_t *is_high, size_t n_steps, size_t *shortest)
{
    size_t n = 0, length = 0;
    *shortest = n_steps;
    for (size_t t = 0; t < n_steps; t++) {
        bool begins = t == 0 || is_high[t] != is_high[t - 1];
        if (begins && t > 0 && length < *shortest)
            *shortest = length;
        n += begins;
        length = begins ? 1 : length + 1;
    }
    if (length < *shortest)
        *shortest = length;
    return n;
}

static void fill_level(struct hc_job_level *level, const struct hc_whatif_result *r)
{
    size_t n = level->last - level->first + 1;
    level->replayed_s = hc_mean_s(r->replayed_ns + level->first, n);
    level->slowdown.value = level->replayed_s / hc_mean_s(r->ideal_end_ns + level->first, n);
}

static enum hc_status list_levels(struct hc_culprits *out, const struct hc_whatif_result *r,
                                  const uint8_t *is_high, struct hc_error *err)
{
    size_t shortest, n = count_levels(is_high, r->n_steps, &shortest);
    if (n < 2 || n > MOST_LEVELS || shortest < LEAST_STEPS)
        return HC_OK;
    out->levels = hc_new_array(n, sizeof *out->levels, err);
    if (!out->levels)
        return err->status;
    for (size_t t = 0; t < r->n_steps; t++) {
        if (t == 0 || is_high[t] != is_high[t - 1])
            out->levels[out->n_levels++].first = t;
        out->levels[out->n_levels - 1].last = t;
    }
    for (size_t i = 0; i < out->n_levels; i++)
        fill_level(&out->levels[i], r);
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
    struct hc_error *err = analysis->err;
    uint8_t *is_high = hc_new_array(r->n_steps, 1, err);
    if (!is_high)
        return err->status;
    struct hc_level_rule rule = {0, LEAST_RISE, false};
    struct hc_two_levels levels = {.is_high = is_high};
    enum hc_status status = hc_two_levels_find(&levels, r->step_slowdown, r->n_steps, &rule, err);
    if (status == HC_OK && levels.found)
        status = list_levels(&r->depth.culprits, r, is_high, err);
    if (status == HC_OK && r->depth.culprits.n_levels > 1)
        status = hc_job_levels_doubt(&r->depth.culprits, analysis);
    if (status == HC_OK && r->depth.culprits.n_levels > 1 && r->depth.intervals.done)
        explain(r);
    free(is_high);
    return status;
}
