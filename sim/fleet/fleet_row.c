#include "sim/fleet/fleet_row.h"

#include "core/base/digest.h"
#include "core/base/memory.h"
#include "core/base/printable.h"
#include "core/random/philox.h"
#include "core/text/number_format.h"

#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* ---- rows ---- */

static void forget_culprit(struct hc_fleet_row *row)
{
    row->culprit[0] = '\0';
    row->culprit_kind = HC_CULPRIT_WORKER;
    row->culprit_since = row->culprit_until = HC_MISSING_I32;
    row->culprit_factor = row->culprit_duty = row->culprit_share = NAN;
}

/* Mark all figures of a replay as not known. */
static void forget_replay(struct hc_fleet_row *row)
{
    row->gpu_hours_lost = row->mean_traced_s = row->mean_replayed_s = row->mean_ideal_s = NAN;
    row->slowdown = row->waste = row->launch_slowdown = row->discrepancy = NAN;
    row->slowdown_interval = (struct hc_interval){NAN, NAN};
    row->m_w = row->m_s = row->correlation = row->max_worker = NAN;
    row->cause = HC_STRAGGLER_NONE;
    row->also = 0;
    forget_culprit(row);
    row->n_types = row->n_sampled = row->n_hosts = row->n_culprits = 0;
    row->n_found = 0;
}

enum hc_status hc_fleet_row_init(struct hc_fleet_row *row, const char *cluster, const char *job_id,
                                 int32_t attempt, struct hc_error *err)
{
    memset(row, 0, sizeof *row);
    row->cluster = hc_copy_text(cluster, err);
    row->job_id = hc_copy_text(job_id, err);
    if (!row->cluster || !row->job_id) {
        hc_fleet_row_fini(row);
        return err->status;
    }
    row->attempt = attempt;
    hc_fleet_row_forget(row);
    return HC_OK;
}

void hc_fleet_row_forget(struct hc_fleet_row *row)
{
    row->dp_size = row->pp_size = row->vpp_size = row->tp_size = HC_MISSING_I32;
    row->n_gpus = row->n_ops = row->n_steps = row->n_steps_left_out = 0;
    row->gpu_hours_traced = NAN;
    forget_replay(row);
}

void hc_fleet_row_fini(struct hc_fleet_row *row)
{
    free(row->cluster);
    free(row->job_id);
    memset(row, 0, sizeof *row);
}

int hc_fleet_row_compare(const void *a, const void *b)
{
    const struct hc_fleet_row *x = a, *y = b;
    int order = strcmp(x->cluster, y->cluster);
    if (order == 0)
        order = strcmp(x->job_id, y->job_id);
    return order ? order : (x->attempt > y->attempt) - (x->attempt < y->attempt);
}

/* ---- figures ---- */

/* Rows hold finite figures or NaN: an infinite ratio (of a job without time) counts as not known.
 */
static double finite_or_nan(double value)
{
    return isfinite(value) ? value : NAN;
}

/* The seed of the sampled steps: a hash of the job's key, so that every machine and shard samples
 * the same steps. */
static uint64_t seed_of(const struct hc_fleet_row *row)
{
    struct hc_error ignored;
    char digest[HC_DIGEST_TEXT] = "0";
    char *key = hc_new_text(&ignored, "%s/%s#%d", row->cluster, row->job_id, (int)row->attempt);
    if (key)
        hc_digest_bytes(key, strlen(key), digest);
    free(key);
    digest[16] = '\0';
    return strtoull(digest, NULL, 16);
}

/* Draw steps without putting back (Floyd's way: no list of all of them), ascending. */
static size_t draw_steps(const struct hc_fleet_row *row, size_t n_steps,
                         size_t drawn[HC_FLEET_SAMPLED_STEPS])
{
    struct hc_philox rng;
    size_t n = 0;
    size_t wanted = n_steps < HC_FLEET_SAMPLED_STEPS ? n_steps : HC_FLEET_SAMPLED_STEPS;
    hc_philox_seek(&rng, seed_of(row), 0, 0);
    for (size_t last = n_steps - wanted; last < n_steps; last++) {
        size_t step = (size_t)hc_philox_integer(&rng, last + 1), at = n;
        for (size_t i = 0; i < n; i++)
            if (drawn[i] == step) {
                step = last; /* larger than all that were drawn */
                break;
            }
        for (; at > 0 && drawn[at - 1] > step; at--)
            drawn[at] = drawn[at - 1];
        drawn[at] = step;
        n++;
    }
    return n;
}

static void fill_sampled(struct hc_fleet_row *row, const struct hc_whatif_result *result)
{
    size_t drawn[HC_FLEET_SAMPLED_STEPS];
    size_t n = result->n_steps ? draw_steps(row, result->n_steps, drawn) : 0;
    for (size_t i = 0; i < n; i++)
        row->sampled[i] = finite_or_nan(result->step_slowdown[drawn[i]] / result->slowdown);
    row->n_sampled = n;
}

static void fill_types(struct hc_fleet_row *row, const struct hc_whatif_result *result)
{
    const struct hc_split *split = &result->blocking[HC_BY_OP_TYPE];
    row->n_types = 0;
    for (size_t g = 0; g < split->n_groups && row->n_types < HC_FLEET_MAX_TYPES; g++) {
        struct hc_fleet_type *type = &row->types[row->n_types++];
        snprintf(type->name, sizeof type->name, "%s", split->groups[g].name);
        type->slowdown = finite_or_nan(split->groups[g].slowdown);
    }
}

static void fill_verdict(struct hc_fleet_row *row, const struct hc_verdict *verdict)
{
    row->cause = verdict->done                    ? verdict->cause
                 : row->slowdown >= HC_STRAGGLING ? HC_STRAGGLER_UNEXPLAINED
                                                  : HC_STRAGGLER_NONE;
    row->also = 0;
    for (size_t i = 0; i < verdict->n_also; i++)
        row->also |= 1U << verdict->also[i];
    row->correlation = NAN;
    for (size_t i = 0; i < verdict->n_evidence; i++)
        if (strcmp(verdict->evidence[i].key, "r_forward_backward") == 0)
            row->correlation = finite_or_nan(verdict->evidence[i].value);
}

static void fill_culprit(struct hc_fleet_row *row, const struct hc_whatif_result *result)
{
    const struct hc_culprits *culprits = &result->depth.culprits;
    const struct hc_culprit *culprit = culprits->culprits;
    char text[2 * sizeof row->culprit], factor[HC_NUMBER_TEXT], times[HC_NUMBER_TEXT + 16] = "";
    forget_culprit(row);
    if (culprits->n == 0)
        return;
    if (isfinite(culprit->factor.value))
        snprintf(times, sizeof times, ": %s times",
                 hc_format_fixed(culprit->factor.value, 2, factor));
    snprintf(text, sizeof text, "%s%s%s%s", culprit->name, culprit->when[0] ? ", " : "",
             culprit->when, times);
    hc_show_copy(row->culprit, sizeof row->culprit, text);
    row->culprit_kind = culprit->kind;
    row->culprit_since = result->steps[culprit->since];
    row->culprit_until = result->steps[culprit->until];
    row->culprit_factor = finite_or_nan(culprit->factor.value);
    row->culprit_duty = finite_or_nan(culprit->duty.value);
    row->culprit_share = finite_or_nan(culprit->alone_share.value);
}

static void fill_culprits(struct hc_fleet_row *row, const struct hc_whatif_result *result)
{
    const struct hc_culprits *culprits = &result->depth.culprits;
    row->n_found = (int64_t)culprits->n;
    row->n_culprits = 0;
    for (size_t i = 0; i < culprits->n && i < HC_FLEET_MAX_CULPRITS; i++) {
        const struct hc_culprit *culprit = &culprits->culprits[i];
        struct hc_fleet_culprit *kept = &row->culprits[row->n_culprits++];
        char fix[HC_FIX_NAME];
        *kept = (struct hc_fleet_culprit){.kind = culprit->kind,
                                          .ops = culprit->ops,
                                          .cause = culprit->cause,
                                          .since = result->steps[culprit->since],
                                          .until = result->steps[culprit->until],
                                          .n_slow_steps = (int64_t)culprit->n_slow_steps,
                                          .lasts = culprit->lasts,
                                          .factor = finite_or_nan(culprit->factor.value),
                                          .alone_s = finite_or_nan(culprit->alone_s),
                                          .split_s = finite_or_nan(culprit->split_s),
                                          .gpu_hours_lost = finite_or_nan(culprit->gpu_hours_lost)};
        hc_show_copy(kept->name, sizeof kept->name, culprit->name);
        if (hc_culprit_fix_name(result, culprit, fix) && strlen(fix) < sizeof kept->fix)
            hc_show_copy(kept->fix, sizeof kept->fix, fix);
    }
}

/* The entry of a host, a new one where it has none yet; NULL when the row is full. */
static struct hc_fleet_host *host_of(struct hc_fleet_row *row, const char *name)
{
    for (size_t i = 0; i < row->n_hosts; i++)
        if (strcmp(row->hosts[i].name, name) == 0)
            return &row->hosts[i];
    if (row->n_hosts == HC_FLEET_MAX_HOSTS)
        return NULL;
    struct hc_fleet_host *host = &row->hosts[row->n_hosts++];
    *host = (struct hc_fleet_host){
        .gpu_hours_lost = NAN, .since_step = INT32_MAX, .since_unix_ns = HC_MISSING_I64};
    snprintf(host->name, sizeof host->name, "%s", name);
    return host;
}

static void fill_hosts(struct hc_fleet_row *row, const struct hc_whatif_result *result)
{
    const struct hc_culprits *culprits = &result->depth.culprits;
    row->n_hosts = 0;
    for (size_t i = 0; i < culprits->n; i++) {
        const struct hc_culprit *culprit = &culprits->culprits[i];
        /* A stage, or the job as a whole, is no machine, wherever it ran. */
        bool is_placed = culprit->host && culprit->since < result->n_steps &&
                         culprit->kind != HC_CULPRIT_STAGE && culprit->kind != HC_CULPRIT_JOB;
        struct hc_fleet_host *host = is_placed ? host_of(row, culprit->host) : NULL;
        if (!host)
            continue;
        double hours = finite_or_nan(culprit->gpu_hours_lost);
        host->n_stretches += culprit->n_stretches ? (int64_t)culprit->n_stretches : 1;
        if (!isnan(hours))
            host->gpu_hours_lost =
                isnan(host->gpu_hours_lost) ? hours : host->gpu_hours_lost + hours;
        host->lasts |= culprit->lasts;
        if (result->steps[culprit->since] >= host->since_step)
            continue;
        host->since_step = result->steps[culprit->since];
        host->since_unix_ns = hc_step_unix_ns(result, culprit->since);
    }
}

static double largest_worker(const struct hc_whatif_result *result)
{
    double most = NAN;
    for (size_t i = 0; i < result->n_workers; i++)
        most = fmax(most, finite_or_nan(result->workers[i].exact)); /* NaN is passed over */
    return most;
}

void hc_fleet_row_fill(struct hc_fleet_row *row, const struct hc_whatif_result *result)
{
    row->dp_size = result->dp_size;
    row->pp_size = result->pp_size;
    row->vpp_size = result->vpp_size;
    row->tp_size = result->job.tp_size;
    row->n_gpus = result->n_gpus;
    row->n_ops = result->n_ops;
    row->n_steps = (int64_t)result->n_steps;
    row->n_steps_left_out = (int64_t)result->n_left_out;
    row->gpu_hours_traced = finite_or_nan(result->gpu_hours_traced);
    row->gpu_hours_lost = finite_or_nan(result->gpu_hours_lost);
    row->mean_traced_s = finite_or_nan(result->traced_s);
    row->mean_replayed_s = finite_or_nan(result->replayed_s);
    row->mean_ideal_s = finite_or_nan(result->ideal_s);
    row->slowdown = finite_or_nan(result->slowdown);
    row->waste = finite_or_nan(result->waste);
    row->launch_slowdown = finite_or_nan(result->launch_slowdown);
    row->discrepancy = finite_or_nan(result->discrepancy);
    if (result->depth.intervals.done)
        row->slowdown_interval =
            (struct hc_interval){finite_or_nan(result->depth.intervals.slowdown.low),
                                 finite_or_nan(result->depth.intervals.slowdown.high)};
    row->m_w = result->m_w.done ? finite_or_nan(result->m_w.rem) : NAN;
    row->m_s = result->m_s.done ? finite_or_nan(result->m_s.rem) : NAN;
    row->max_worker = largest_worker(result);
    fill_verdict(row, &result->depth.verdict);
    fill_culprit(row, result);
    fill_culprits(row, result);
    fill_types(row, result);
    fill_hosts(row, result);
    fill_sampled(row, result);
}

/* ---- the funnel ---- */

/* Late launches make the traced steps longer than the replayed ones. What makes them shorter
 * (clocks that disagree, a graph that is not the job's), or by what a trace that hides waiting
 * differs, is no finding about the job. */
static bool is_late(const struct hc_fleet_row *row, double limit)
{
    return row->discrepancy > limit && row->launch_slowdown > 1;
}

bool hc_fleet_row_is_late(const struct hc_fleet_row *row)
{
    return is_late(row, HC_DISCREPANCY_LIMIT);
}

void hc_fleet_row_discard(struct hc_fleet_row *row, enum hc_fleet_fate fate, const char *detail)
{
    row->fate = fate;
    hc_show_copy(row->detail, sizeof row->detail, detail);
    if (fate != HC_FLEET_DISCREPANCY)
        forget_replay(row);
}

bool hc_fleet_row_judge_attempts(struct hc_fleet_row *row, int64_t n_attempts,
                                 const struct hc_fleet_limits *limits)
{
    char detail[sizeof row->detail];
    if (n_attempts <= limits->max_attempts)
        return false;
    snprintf(detail, sizeof detail, "%" PRId64 " attempts, more than %d", n_attempts,
             (int)limits->max_attempts);
    hc_fleet_row_discard(row, HC_FLEET_RESTARTED, detail);
    return true;
}

void hc_fleet_row_judge(struct hc_fleet_row *row, const struct hc_fleet_limits *limits)
{
    char detail[sizeof row->detail];
    if (row->fate != HC_FLEET_ANALYSED && row->fate != HC_FLEET_NO_REPLAY)
        return;
    if (row->n_steps < limits->min_steps) {
        snprintf(detail, sizeof detail, "%" PRId64 " whole steps, fewer than %d", row->n_steps,
                 (int)limits->min_steps);
        hc_fleet_row_discard(row, HC_FLEET_FEW_STEPS, detail);
    } else if (row->fate == HC_FLEET_ANALYSED && row->discrepancy > limits->max_discrepancy &&
               !is_late(row, limits->max_discrepancy)) {
        snprintf(detail, sizeof detail,
                 "replayed and traced steps differ by %.2f %%, more than %g %%",
                 1e2 * row->discrepancy, 1e2 * limits->max_discrepancy);
        hc_fleet_row_discard(row, HC_FLEET_DISCREPANCY, detail);
    }
}
