/* What theory says of a job without simulating it: docs/methods/lifetime.md, "Against closed
 * forms".
 */
#include "sim/lifetime/compiled_lifetime.h"

#include "core/random/stable_math.h"

int32_t hc_lifetime_units(const struct hc_lifetime_config *config,
                          const struct hc_lifetime_fault *fault)
{
    int32_t nodes = config->job.nodes;
    switch (fault->unit) {
    case HC_PER_NODE:
        return nodes;
    case HC_PER_DEVICE:
        return nodes * config->job.gpus_per_node;
    case HC_PER_DOMAIN:
        return (nodes + fault->domain_nodes - 1) / fault->domain_nodes;
    default:
        return 1;
    }
}

/* Faults a second of exposure that stop the job, by one cause. */
static double stops_per_s(const struct hc_lifetime_config *config,
                          const struct hc_lifetime_fault *fault)
{
    if (fault->effect != HC_EFFECT_STOP)
        return 0;
    double units = hc_lifetime_units(config, fault),
           between = hc_distribution_mean(&fault->between_s);
    if (between > 0)
        return units / between;
    double lemons =
        fault->unit == HC_PER_NODE || fault->unit == HC_PER_DEVICE ? config->lemon_share : 0;
    return fault->per_day / 86400 * units *
           (fault->on_healthy * (1 - lemons) + fault->on_lemon * lemons);
}

double hc_lifetime_stop_rate(const struct hc_lifetime_config *config)
{
    double sum = 0;
    for (size_t i = 0; i < config->n_faults; i++) {
        if (config->fault[i].n_incidents)
            return __builtin_nan("");
        sum += stops_per_s(config, &config->fault[i]);
    }
    return sum;
}

double hc_ettr_exact(const struct hc_ettr_terms *t)
{
    double rate = t->rate_per_s, cycle = t->every_s + t->write_s;
    if (rate <= 0)
        return t->every_s / cycle;
    double scheduled =
        hc_stable_exp(rate * t->restart_s) * (hc_stable_exp(rate * cycle) - 1) / rate;
    return t->every_s / (scheduled * (1 + rate * t->queue_s));
}

double hc_ettr_first_order(const struct hc_ettr_terms *t)
{
    return (1 - t->rate_per_s * (t->restart_s + t->every_s / 2)) /
           (1 + t->write_s / t->every_s + t->rate_per_s * t->queue_s);
}

double hc_young_interval_s(double write_s, double between_faults_s)
{
    return __builtin_sqrt(2 * write_s * between_faults_s);
}

int32_t hc_binomial_quantile(int32_t n, double p, double quantile)
{
    if (p <= 0 || p >= 1)
        return p <= 0 ? 0 : n;
    double log_term = n * hc_stable_log(1 - p), below = 0;
    double log_odds = hc_stable_log(p / (1 - p));
    for (int32_t k = 0; k < n; k++) {
        below += hc_stable_exp(log_term);
        if (below >= quantile)
            return k;
        log_term += hc_stable_log((double)(n - k) / (k + 1)) + log_odds;
    }
    return n;
}
