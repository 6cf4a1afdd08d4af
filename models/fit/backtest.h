/* backtest.h - whether what is fitted to the first part of the records foretells the rest.
 *
 * Incidents of the infrastructure are counted in periods of equal length. Of the first ones the
 * rate is n / E, n incidents in E node-days; a later period of e node-days has, by the posterior of
 * that rate (Jeffreys: gamma of n + 1/2), a negative binomial number of them. Where the periods
 * that were fitted vary by more than Poisson numbers of their exposures would, the rate itself is
 * taken to vary from period to period, gamma distributed with shape k by the method of moments:
 * mean m = (n + 1/2) e / E, variance m + m^2 (1 / (n + 1/2) + 1 / k), taken for that of one
 * negative binomial.
 */
#ifndef HC_MODELS_FIT_BACKTEST_H
#define HC_MODELS_FIT_BACKTEST_H

#include "core/base/status.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct hc_backtest_period {
    int64_t from_day, to_day; /* days since 1970, the last not in it */
    int64_t n_strikes, n_incidents;
    double node_days;
    /* Of those that are held out: */
    bool is_held_out, is_hit;
    double expected;
    int64_t low, high; /* between which 95 % of what such a period brings lies */
};

struct hc_backtest {
    size_t n, n_held_out;
    struct hc_backtest_period *periods; /* the held out ones last */
    int64_t n_fitted;                   /* incidents of the others */
    double fitted_node_days;
    double index; /* variance of the counts that were fitted over that of Poisson ones; NaN */
    double size;  /* k; infinite: no more than Poisson */
    int64_t n_hits, n_below, n_above;
};

/* Predict the last n_held_out of the periods, whose counts and exposures are there. Periods without
 * exposure are no test, and stay out of both. At least one period with exposure must be left to fit
 * to, else HC_BAD_INPUT. */
enum hc_status hc_backtest_run(struct hc_backtest *backtest, struct hc_error *err);

#endif
