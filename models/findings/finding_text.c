/* What a finding says, with its numbers. */
#include "models/findings/findings_judge.h"

#include "core/base/memory.h"

#include <stdlib.h>

static char *tell_lemon(const struct hc_finding_series *series, const struct hc_finding_verdict *v,
                        const struct hc_findings_options *options, struct hc_error *err)
{
    return hc_new_text(
        err,
        "node %s had %.3g failures in the last %d days, of %d runs and by %d sources, where the "
        "rate of the fleet would give %.3g; the probability that its rate is above %.3g times that "
        "of the fleet is %.4g %%",
        series->subject, v->value, v->window_days, v->n_runs, v->n_sources, v->expected,
        options->lemon_factor, 100 * v->probability);
}

static char *tell_change(const struct hc_finding_series *series, const struct hc_finding_verdict *v,
                         struct hc_error *err)
{
    const char *days = v->window_days == 1 ? "day" : "days";
    switch (series->kind) {
    case HC_FINDING_EVENT_RATE:
        return hc_new_text(err,
                           "%s came %.4g times in the last %d %s, where the %d days of before "
                           "would give %.4g (p = %.2g with a dispersion of %.3g)",
                           series->subject, v->value, v->window_days, days, v->n_baseline,
                           v->expected, v->p_value, v->dispersion);
    case HC_FINDING_RUN_ETTR:
        if (v->is_steady)
            return hc_new_text(err,
                               "of the time that its stops left it, %s was productive for %.2f %% "
                               "in the last %d %s, where it was for %.2f %% in the %d days of "
                               "before (p = %.2g; a day differs by %.2g points)",
                               series->subject, 100 * v->value, v->window_days, days,
                               100 * v->expected, v->n_baseline, v->p_value, 100 * v->dispersion);
        return hc_new_text(err,
                           "the ETTR of %s was %.2f %% in the last %d %s, where it was %.2f %% in "
                           "the %d days of before (p = %.2g; a day differs by %.2g points)",
                           series->subject, 100 * v->value, v->window_days, days, 100 * v->expected,
                           v->n_baseline, v->p_value, 100 * v->dispersion);
    default:
        return hc_new_text(err,
                           "%s of %s took %.4g s in the last %d %s, %.3g times the %.4g s that the "
                           "%d days of before would give (p = %.2g)",
                           series->kind == HC_FINDING_QUEUE ? "waits" : "starts", series->subject,
                           v->value, v->window_days, days, v->value / v->expected, v->expected,
                           v->n_baseline, v->p_value);
    }
}

char *hc_finding_sentence(const struct hc_finding_series *series,
                          const struct hc_finding_verdict *verdict,
                          const struct hc_findings_options *options, struct hc_error *err)
{
    if (!verdict->is_tested)
        return hc_new_text(err, "%s %s was found before and could not be judged today",
                           hc_finding_kind_name(series->kind), series->subject);
    switch (series->kind) {
    case HC_FINDING_LEMON_NODE:
        return tell_lemon(series, verdict, options, err);
    case HC_FINDING_RECONCILIATION:
        return hc_new_text(err,
                           "the account has %.6g GPU-hours of %s where the scheduler has %.6g, "
                           "which differs by %.3g %%",
                           verdict->value, series->subject, verdict->expected,
                           100 * fabs(verdict->value / verdict->expected - 1));
    case HC_FINDING_STALE_SOURCE:
        if (verdict->n_baseline == 0)
            return hc_new_text(err,
                               "the last record of source %s was %.4g hours old at the end of the "
                               "day: the days that are looked at have none",
                               series->subject, verdict->value);
        return hc_new_text(err,
                           "the last record of source %s was %.3g hours old at the end of the day, "
                           "and never more than %.3g in the %d days of before (p = %.2g)",
                           series->subject, verdict->value, verdict->expected, verdict->n_baseline,
                           verdict->p_value);
    default:
        return tell_change(series, verdict, err);
    }
}

char *hc_cofailure_sentence(const struct hc_cofailure *cofailure,
                            const struct hc_findings_options *options, struct hc_error *err)
{
    char *told = hc_new_text(
        err,
        "%d jobs of %d users ended in failure within %.3g s of each other, all in the same "
        "%s%s%s; by chance so many users do on %.2g days in a day",
        cofailure->n_jobs, cofailure->n_users, (double)options->cofailure_window_ns / 1e9,
        cofailure->scope, cofailure->place ? " " : "", cofailure->place ? cofailure->place : "",
        cofailure->by_chance);
    if (!told || cofailure->n_caused == 0)
        return told;
    char *all = hc_new_text(
        err, "%s; of %zu of the %zu ends another source tells the fault (%s)%s", told,
        cofailure->n_caused, cofailure->end - cofailure->first, cofailure->cause,
        hc_cofailure_is_explained(cofailure) ? ", which explains them: see the incidents" : "");
    free(told);
    return all;
}
