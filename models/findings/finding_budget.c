/* What may be said by chance, and what is to be expected of that. */
#include "models/findings/findings.h"

#include <math.h>

struct hc_findings_options hc_findings_defaults(void)
{
    return (struct hc_findings_options){
        .false_per_week = 1,
        .share = {[HC_FINDING_LEMON_NODE] = 0.2,
                  [HC_FINDING_EVENT_RATE] = 0.2,
                  [HC_FINDING_STARTUP] = 0.15,
                  [HC_FINDING_RUN_ETTR] = 0.15,
                  [HC_FINDING_QUEUE] = 0.15,
                  [HC_FINDING_COFAILURE] = 0.1,
                  [HC_FINDING_STALE_SOURCE] = 0.05},
        .keep_factor = 20,
        .keep_days = 2,
        .baseline_days = 56,
        .least_baseline = 21,
        .lookback_days = 28,
        .lemon_window_days = 28,
        .lemon_factor = 3,
        .lemon_prevalence = 0.012, /* arXiv 2410.21680: 1.2 % of RSC-1 */
        .lemon_fdr = 0.1,
        .least_growth_events = 1.5,
        .least_growth_startup = 1.25,
        .least_growth_queue = 1.2,
        .least_fall_ettr = 0.02,
        .reconciliation_limit = 0.001,
        .cofailure_window_ns = INT64_C(120000000000),
        .cofailure_least_jobs = 3,
        .cofailure_least_users = 2,
        .warning_gpu_hours = 100,
        .critical_gpu_hours = 1000,
    };
}

int hc_findings_days_wanted(const struct hc_findings_options *options)
{
    return options->lookback_days + options->baseline_days + HC_FINDING_RECENT_DAYS;
}

double hc_finding_budget(const struct hc_findings_options *options, enum hc_finding_kind kind)
{
    return options->false_per_week * options->share[kind] / 7;
}

struct hc_findings_bound hc_findings_expected(const struct hc_findings_options *options,
                                              const size_t n_series[HC_N_FINDING_KINDS],
                                              double prevalence, double power)
{
    struct hc_findings_bound bound = {.false_share = NAN};
    for (int kind = 0; kind < HC_N_FINDING_KINDS; kind++) {
        /* Only what did not change can be found wrongly; and a kind without series spends nothing,
         * but for cofailures, which have none. */
        if (n_series[kind] || kind == HC_FINDING_COFAILURE)
            bound.false_per_week +=
                (1 - prevalence) * 7 * hc_finding_budget(options, (enum hc_finding_kind)kind);
        bound.true_per_week += prevalence * power * (double)n_series[kind];
    }
    double all = bound.false_per_week + bound.true_per_week;
    if (all > 0)
        bound.false_share = bound.false_per_week / all;
    return bound;
}
