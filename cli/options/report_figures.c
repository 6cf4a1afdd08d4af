/* report_figures.c - the figures of each kind of report, by their paths in its JSON, for
 * --fail-on (cli/options/fail_on.h). */
#include "cli/options/fail_on.h"
#include "models/account/account_result.h"
#include "models/capacity/capacity_result.h"
#include "models/evidence/failures.h"
#include "models/incidents/reliability.h"
#include "reports/profiles/profile_report.h"
#include "sim/compare/compare.h"
#include "sim/fleet/fleet_summary.h"
#include "sim/whatif/whatif.h"

#include <math.h>

static struct hc_condition_value plain(double value)
{
    return (struct hc_condition_value){value, NAN, NAN};
}

/* enum hc_straggler_cause, as hc_straggler_cause_key names it. */
#define CAUSES "none|worker|stage|sequence|gc|link|common|launch|unexplained"

/* ---- what-if of a job ---- */

enum {
    SLOWDOWN,
    WASTE,
    TRACED_S,
    REPLAYED_S,
    IDEAL_S,
    LAUNCH_SLOWDOWN,
    DISCREPANCY,
    M_W_REMOVING,
    M_W_ADDING,
    M_S_REMOVING,
    M_S_ADDING,
    GPU_HOURS_TRACED,
    GPU_HOURS_LOST,
    CULPRITS,
    CAUSE,
    N_WHATIF
};

static const struct hc_condition_figure whatif_figures[N_WHATIF] = {
    [SLOWDOWN] = {"slowdown", "", true, false},
    [WASTE] = {"waste", "share", false, false},
    [TRACED_S] = {"mean_traced_s", "s", false, false},
    [REPLAYED_S] = {"mean_replayed_s", "s", false, false},
    [IDEAL_S] = {"mean_ideal_s", "s", false, false},
    [LAUNCH_SLOWDOWN] = {"launch_slowdown", "", false, false},
    [DISCREPANCY] = {"discrepancy", "share", false, false},
    [M_W_REMOVING] = {"m_w.explained_by_removing", "share", true, false},
    [M_W_ADDING] = {"m_w.explained_by_adding", "share", false, false},
    [M_S_REMOVING] = {"m_s.explained_by_removing", "share", true, false},
    [M_S_ADDING] = {"m_s.explained_by_adding", "share", false, false},
    [GPU_HOURS_TRACED] = {"cost.gpu_hours_traced", "GPU-h", false, false},
    [GPU_HOURS_LOST] = {"cost.gpu_hours_lost", "GPU-h", false, false},
    [CULPRITS] = {"culprits", "", false, false},
    [CAUSE] = {"cause", CAUSES, false, false},
};

static struct hc_condition_value with_interval(const struct hc_whatif_result *r, double value,
                                               const struct hc_interval *interval)
{
    bool done = r->depth.intervals.done;
    return (struct hc_condition_value){value, done ? interval->low : NAN,
                                       done ? interval->high : NAN};
}

static struct hc_condition_value whatif_value(const void *report, size_t i)
{
    const struct hc_whatif_result *r = report;
    switch (i) {
    case SLOWDOWN:
        return with_interval(r, r->slowdown, &r->depth.intervals.slowdown);
    case WASTE:
        return plain(r->waste);
    case TRACED_S:
        return plain(r->traced_s);
    case REPLAYED_S:
        return plain(r->replayed_s);
    case IDEAL_S:
        return plain(r->ideal_s);
    case LAUNCH_SLOWDOWN:
        return plain(r->launch_slowdown);
    case DISCREPANCY:
        return plain(r->discrepancy);
    case M_W_REMOVING:
        return with_interval(r, r->m_w.done ? r->m_w.rem : NAN, &r->depth.intervals.m_w);
    case M_W_ADDING:
        return plain(r->m_w.done ? r->m_w.add : NAN);
    case M_S_REMOVING:
        return with_interval(r, r->m_s.done ? r->m_s.rem : NAN, &r->depth.intervals.m_s);
    case M_S_ADDING:
        return plain(r->m_s.done ? r->m_s.add : NAN);
    case GPU_HOURS_TRACED:
        return plain(r->gpu_hours_traced);
    case CULPRITS:
        return plain(r->depth.culprits.done ? (double)r->depth.culprits.n : NAN);
    case CAUSE:
        return plain(r->depth.verdict.done ? (double)r->depth.verdict.cause : NAN);
    default:
        return plain(r->gpu_hours_lost);
    }
}

const struct hc_report_figures hc_whatif_figures = {whatif_figures, N_WHATIF, whatif_value, NULL};

/* ---- profiler traces ---- */

enum { PROFILE_SLOWDOWN, PROFILE_WASTE, N_PROFILE };

static const struct hc_condition_figure profile_figures[N_PROFILE] = {
    [PROFILE_SLOWDOWN] = {"whatif.slowdown", "", false, false},
    [PROFILE_WASTE] = {"whatif.waste", "share", false, false},
};

/* NaN, of which no condition holds, in reports without a replay. */
static struct hc_condition_value profile_value(const void *report, size_t i)
{
    const struct hc_profile_whatif_result *w = ((const struct hc_profile_report *)report)->whatif;
    double value = !w ? NAN : i == PROFILE_SLOWDOWN ? w->slowdown : w->waste;
    return (struct hc_condition_value){value, NAN, NAN};
}

const struct hc_report_figures hc_profile_figures = {profile_figures, N_PROFILE, profile_value,
                                                     NULL};

/* ---- two timelines ---- */

enum { STEP_CHANGE, FIRST_FIGURE_CHANGE, N_COMPARE = FIRST_FIGURE_CHANGE + HC_N_COMPARED };

static const struct hc_condition_figure compare_figures[N_COMPARE] = {
    [STEP_CHANGE] = {"step_change", "share", true, false},
    [FIRST_FIGURE_CHANGE + HC_COMPARED_STEP] = {"mean_traced_s_change", "s", true, false},
    [FIRST_FIGURE_CHANGE + HC_COMPARED_REPLAYED] = {"mean_replayed_s_change", "s", true, false},
    [FIRST_FIGURE_CHANGE + HC_COMPARED_IDEAL] = {"mean_ideal_s_change", "s", false, false},
    [FIRST_FIGURE_CHANGE + HC_COMPARED_SLOWDOWN] = {"slowdown_change", "", true, false},
    [FIRST_FIGURE_CHANGE + HC_COMPARED_WASTE] = {"waste_change", "share", true, false},
    [FIRST_FIGURE_CHANGE + HC_COMPARED_LAUNCH] = {"launch_slowdown_change", "", true, false},
    [FIRST_FIGURE_CHANGE + HC_COMPARED_M_W] = {"m_w_change", "share", true, false},
    [FIRST_FIGURE_CHANGE + HC_COMPARED_M_S] = {"m_s_change", "share", true, false},
};

static struct hc_condition_value compare_value(const void *report, size_t i)
{
    const struct hc_comparison *c = report;
    if (i == STEP_CHANGE) {
        const struct hc_change *step = &c->figures[HC_COMPARED_STEP];
        return (struct hc_condition_value){step->relative, step->relative_low, step->relative_high};
    }
    const struct hc_change *change = &c->figures[i - FIRST_FIGURE_CHANGE];
    return (struct hc_condition_value){change->difference, change->low, change->high};
}

const struct hc_report_figures hc_compare_figures = {compare_figures, N_COMPARE, compare_value,
                                                     NULL};

/* ---- jobs of an archive ---- */

enum {
    JOBS,
    JOBS_ANALYSED,
    LACKING_JOBS,
    LACKING_SHARE,
    FLEET_HOURS_TRACED,
    FLEET_HOURS_LOST,
    LOST_SHARE,
    STRAGGLING_JOBS,
    STRAGGLING_SHARE,
    STRAGGLING_HOURS_SHARE,
    STRAGGLING_SLOWDOWN,
    FLEET_CAUSE,
    FLEET_CULPRITS,
    N_FLEET
};

static const struct hc_condition_figure fleet_figures[N_FLEET] = {
    [JOBS] = {"jobs", "", false, false},
    [JOBS_ANALYSED] = {"jobs_analysed", "", false, false},
    [LACKING_JOBS] = {"lacking.jobs", "", false, false},
    [LACKING_SHARE] = {"lacking.share", "share", false, false},
    [FLEET_HOURS_TRACED] = {"gpu_hours_traced", "GPU-h", false, false},
    [FLEET_HOURS_LOST] = {"gpu_hours_lost", "GPU-h", false, false},
    [LOST_SHARE] = {"lost_share", "share", false, false},
    [STRAGGLING_JOBS] = {"straggling.jobs", "", false, false},
    [STRAGGLING_SHARE] = {"straggling.share", "share", true, false},
    [STRAGGLING_HOURS_SHARE] = {"straggling.gpu_hours_share", "share", false, false},
    [STRAGGLING_SLOWDOWN] = {"straggling.mean_slowdown", "", false, false},
    [FLEET_CAUSE] = {"cause", CAUSES, false, false},
    [FLEET_CULPRITS] = {"culprits", "", false, false},
};

static struct hc_condition_value fleet_value(const void *report, size_t i)
{
    const struct hc_fleet_summary *s = report;
    switch (i) {
    case JOBS:
        return plain((double)s->n_jobs);
    case JOBS_ANALYSED:
        return plain((double)s->n_analysed);
    case LACKING_JOBS:
        return plain((double)s->lacking.n);
    case LACKING_SHARE:
        return plain(s->lacking.share);
    case FLEET_HOURS_TRACED:
        return plain(s->hours_traced);
    case FLEET_HOURS_LOST:
        return plain(s->hours_lost);
    case LOST_SHARE:
        return plain(s->lost_share);
    case STRAGGLING_JOBS:
        return plain((double)s->straggling.n);
    case STRAGGLING_SHARE:
        return (struct hc_condition_value){s->straggling.share, s->straggling_interval.low,
                                           s->straggling_interval.high};
    case STRAGGLING_HOURS_SHARE:
        return plain(s->straggling.hours_share);
    case FLEET_CAUSE:
        return plain((double)s->main_cause);
    case FLEET_CULPRITS:
        return plain((double)s->n_culprits);
    default:
        return plain(s->mean_straggling_slowdown);
    }
}

const struct hc_report_figures hc_fleet_figures = {fleet_figures, N_FLEET, fleet_value, NULL};

/* ---- recorded incidents ---- */

enum {
    INCIDENTS,
    NODE_DAYS,
    PER_1000,
    MTTF_NODE_H,
    MTTF_FLEET_H,
    MTBF_NODE_H,
    MTTR_H,
    DOWN_NODE_DAYS,
    AVAILABILITY,
    N_RELIABILITY
};

static const struct hc_condition_figure reliability_figures[N_RELIABILITY] = {
    [INCIDENTS] = {"incidents", "", false, false},
    [NODE_DAYS] = {"node_days", "", false, false},
    [PER_1000] = {"rates.infrastructure.per_1000_node_days", "", true, false},
    [MTTF_NODE_H] = {"rates.infrastructure.mttf_node_h", "h", true, false},
    [MTTF_FLEET_H] = {"rates.infrastructure.mttf_fleet_h", "h", true, false},
    [MTBF_NODE_H] = {"rates.infrastructure.mtbf_node_h", "h", false, false},
    [MTTR_H] = {"repair.mttr_h", "h", false, false},
    [DOWN_NODE_DAYS] = {"repair.down_node_days", "", false, false},
    [AVAILABILITY] = {"repair.availability", "share", false, false},
};

static struct hc_condition_value estimated(const struct hc_estimate *estimate)
{
    return (struct hc_condition_value){estimate->value, estimate->low, estimate->high};
}

static struct hc_condition_value reliability_value(const void *report, size_t i)
{
    const struct hc_reliability *r = report;
    const struct hc_reliability_rate *rate = &r->rates[HC_RATE_INFRASTRUCTURE];
    switch (i) {
    case INCIDENTS:
        return plain((double)r->n_incidents);
    case NODE_DAYS:
        return plain(r->node_days);
    case PER_1000:
        return estimated(&rate->per_1000);
    case MTTF_NODE_H:
        return estimated(&rate->mttf_node_h);
    case MTTF_FLEET_H:
        return estimated(&rate->mttf_fleet_h);
    case MTBF_NODE_H:
        return plain(rate->mtbf_node_h);
    case MTTR_H:
        return plain(r->mttr_h);
    case DOWN_NODE_DAYS:
        return plain(r->down_node_days);
    default:
        return plain(r->availability);
    }
}

const struct hc_report_figures hc_reliability_figures = {reliability_figures, N_RELIABILITY,
                                                         reliability_value, NULL};

/* ---- the account of GPU-time ---- */

enum {
    GPU_HOURS,
    ATTEMPTS_MISSING,
    WAIT_MEDIAN,
    WAIT_P90,
    INTERRUPTED,
    INTERRUPTED_HIGH,
    N_ACCOUNT
};

static const struct hc_condition_figure account_figures[N_ACCOUNT] = {
    [GPU_HOURS] = {"totals.gpu_hours", "GPU-hours", false, false},
    [ATTEMPTS_MISSING] = {"totals.attempts_missing", "", false, false},
    [WAIT_MEDIAN] = {"queue.median_s", "s", false, false},
    [WAIT_P90] = {"queue.p90_s", "s", false, false},
    [INTERRUPTED] = {"interrupted.attempts", "", false, false},
    [INTERRUPTED_HIGH] = {"interrupted.high_gpu_hours", "GPU-hours", false, false},
};

static struct hc_condition_value account_value(const void *report, size_t i)
{
    const struct hc_account_result *r = report;
    switch (i) {
    case GPU_HOURS:
        return plain(r->gpu_hours);
    case ATTEMPTS_MISSING:
        return plain((double)r->account->n_lost);
    case WAIT_MEDIAN:
        return plain(r->wait_median_s);
    case WAIT_P90:
        return plain(r->wait_p90_s);
    case INTERRUPTED:
        return plain((double)r->n_interrupted);
    default:
        return plain(r->interrupted_high_gpu_hours);
    }
}

const struct hc_report_figures hc_account_figures = {account_figures, N_ACCOUNT, account_value,
                                                     NULL};

/* ---- failures ---- */

enum { F_ALL, F_INFRASTRUCTURE, F_USER, F_UNKNOWN, F_CERTAIN, F_LIKELY, F_CHANCE, N_FAILURES };

static const struct hc_condition_figure failure_figures[N_FAILURES] = {
    [F_ALL] = {"failures", "", false, false},
    [F_INFRASTRUCTURE] = {"by_side.infrastructure.failures", "", false, false},
    [F_USER] = {"by_side.user.failures", "", false, false},
    [F_UNKNOWN] = {"by_side.unknown.failures", "", false, false},
    [F_CERTAIN] = {"by_evidence.certain.failures", "", false, false},
    [F_LIKELY] = {"by_evidence.likely.failures", "", false, false},
    [F_CHANCE] = {"expected_by_chance", "", false, false},
};

static struct hc_condition_value failure_value(const void *report, size_t i)
{
    const struct hc_failures *f = report;
    switch (i) {
    case F_ALL:
        return plain((double)f->n);
    case F_INFRASTRUCTURE:
        return plain((double)f->by_side[HC_SIDE_INFRASTRUCTURE].n);
    case F_USER:
        return plain((double)f->by_side[HC_SIDE_USER].n);
    case F_UNKNOWN:
        return plain((double)f->by_side[HC_SIDE_UNKNOWN].n);
    case F_CERTAIN:
        return plain((double)f->by_evidence[HC_EVIDENCE_CERTAIN].n);
    case F_LIKELY:
        return plain((double)f->by_evidence[HC_EVIDENCE_LIKELY].n);
    default:
        return plain(f->chance);
    }
}

const struct hc_report_figures hc_failure_figures = {failure_figures, N_FAILURES, failure_value,
                                                     NULL};

/* ---- capacity ---- */

enum {
    C_INSTALLED,
    C_ALLOCATED,
    C_AVAILABLE,
    C_DOWN,
    C_DRAINED,
    C_WANTED,
    C_USED_OF_INSTALLED,
    C_USED_OF_AVAILABLE,
    C_OUTSIDE,
    C_OVER,
    N_CAPACITY
};

static const struct hc_condition_figure capacity_figures[N_CAPACITY] = {
    [C_INSTALLED] = {"total.installed_gpu_hours", "GPU-hours", false, false},
    [C_ALLOCATED] = {"total.allocated_gpu_hours", "GPU-hours", false, false},
    [C_AVAILABLE] = {"total.available_gpu_hours", "GPU-hours", false, false},
    [C_DOWN] = {"total.down_gpu_hours", "GPU-hours", false, false},
    [C_DRAINED] = {"total.drained_gpu_hours", "GPU-hours", false, false},
    [C_WANTED] = {"total.idle_demand_gpu_hours", "GPU-hours", false, false},
    [C_USED_OF_INSTALLED] = {"total.used_of_installed", "share", false, false},
    [C_USED_OF_AVAILABLE] = {"total.used_of_available", "share", false, false},
    [C_OUTSIDE] = {"total.outside_gpu_hours", "GPU-hours", false, false},
    [C_OVER] = {"total.over_gpu_hours", "GPU-hours", false, false},
};

static struct hc_condition_value capacity_value(const void *report, size_t i)
{
    const struct hc_capacity_result *r = report;
    switch (i) {
    case C_INSTALLED:
        return plain(r->total.installed);
    case C_ALLOCATED:
        return plain(r->total.hours[HC_CAPACITY_ALLOCATED]);
    case C_AVAILABLE:
        return plain(r->total.available);
    case C_DOWN:
        return plain(r->total.hours[HC_CAPACITY_DOWN]);
    case C_DRAINED:
        return plain(r->total.hours[HC_CAPACITY_DRAINED]);
    case C_WANTED:
        return plain(r->total.hours[HC_CAPACITY_IDLE_DEMAND]);
    case C_USED_OF_INSTALLED:
        return plain(r->total.used_of_installed);
    case C_USED_OF_AVAILABLE:
        return plain(r->total.used_of_available);
    case C_OUTSIDE:
        return plain(r->total.outside);
    default:
        return plain(r->total.over);
    }
}

const struct hc_report_figures hc_capacity_figures = {capacity_figures, N_CAPACITY, capacity_value,
                                                      NULL};
