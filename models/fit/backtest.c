#include "models/fit/backtest.h"

#include "models/fit/negative_binomial.h"
#include "models/stats/rounding.h"

#include <math.h>

/* Pearson's statistic of the fitted periods over its degrees of freedom, and the moments' estimate
 * of the shape of the rate: the sum of (x - m)^2 - m over that of m^2. */
static void find_dispersion(struct hc_backtest *backtest)
{
    double rate = (double)backtest->n_fitted / backtest->fitted_node_days, pearson = 0, excess = 0,
           squares = 0;
    size_t n = 0;
    for (size_t i = 0; i + backtest->n_held_out < backtest->n; i++) {
        const struct hc_backtest_period *period = &backtest->periods[i];
        double mean = rate * period->node_days, off = (double)period->n_incidents - mean;
        if (mean <= 0)
            continue;
        n++;
        pearson += off * off / mean;
        excess += off * off - mean;
        squares += mean * mean;
    }
    backtest->size = INFINITY;
    backtest->index = NAN;
    if (n < 2)
        return;
    backtest->index = hc_round_digits(pearson / (double)(n - 1), HC_STATS_DIGITS);
    /* With few periods the moments fall short by about one period's part, as a variance does. */
    excess = excess * (double)n / (double)(n - 1);
    if (excess > 0 && backtest->index > 1)
        backtest->size = hc_round_digits(squares / excess, HC_STATS_DIGITS);
}

static void predict(struct hc_backtest *backtest, struct hc_backtest_period *period)
{
    double posterior = (double)backtest->n_fitted + 0.5;
    double mean = posterior * period->node_days / backtest->fitted_node_days;
    double size = 1 / (1 / posterior + 1 / backtest->size);
    period->expected = hc_round_digits(mean, HC_STATS_DIGITS);
    period->low = hc_negative_binomial_quantile(0.025, mean, size);
    period->high = hc_negative_binomial_quantile(0.975, mean, size);
    period->is_hit = period->n_incidents >= period->low && period->n_incidents <= period->high;
    backtest->n_hits += period->is_hit;
    backtest->n_below += period->n_incidents < period->low;
    backtest->n_above += period->n_incidents > period->high;
}

enum hc_status hc_backtest_run(struct hc_backtest *backtest, struct hc_error *err)
{
    backtest->n_fitted = backtest->n_hits = backtest->n_below = backtest->n_above = 0;
    backtest->fitted_node_days = 0;
    for (size_t i = 0; i + backtest->n_held_out < backtest->n; i++) {
        backtest->n_fitted += backtest->periods[i].n_incidents;
        backtest->fitted_node_days += backtest->periods[i].node_days;
    }
    if (!(backtest->fitted_node_days > 0))
        return hc_fail(err, HC_BAD_INPUT,
                       "no job with GPUs ran before the periods that are to be predicted: hold out "
                       "fewer (--backtest), or choose shorter ones (--period)");
    find_dispersion(backtest);
    for (size_t i = backtest->n - backtest->n_held_out; i < backtest->n; i++) {
        struct hc_backtest_period *period = &backtest->periods[i];
        period->is_held_out = true;
        if (period->node_days > 0)
            predict(backtest, period);
    }
    return HC_OK;
}
