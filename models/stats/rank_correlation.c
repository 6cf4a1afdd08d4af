#include "models/stats/rank_correlation.h"

#include "models/stats/gsl_quiet.h"
#include "models/stats/rounding.h"

#include <gsl/gsl_statistics_double.h>
#include <math.h>

double hc_rank_correlation(const double *x, const double *y, size_t n, double *scratch)
{
    if (n < 2)
        return NAN;
    hc_quiet_gsl();
    return hc_round_digits(gsl_stats_spearman(x, 1, y, 1, n, scratch), HC_STATS_DIGITS);
}
