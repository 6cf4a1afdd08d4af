#include "models/stats/student.h"

#include "models/stats/gsl_quiet.h"
#include "models/stats/rounding.h"

#include <gsl/gsl_cdf.h>

double hc_student_t(double n, double level)
{
    hc_quiet_gsl();
    /* By the tail, which has the digits: (1 + level) / 2 is nearly 1. */
    return hc_round_digits(gsl_cdf_tdist_Qinv((1 - level) / 2, n), HC_STATS_DIGITS);
}

double hc_student_upper(double n, double t)
{
    hc_quiet_gsl();
    return hc_round_digits(gsl_cdf_tdist_Q(t, n), HC_STATS_DIGITS);
}
