#include "models/stats/special.h"

#include "models/stats/gsl_quiet.h"

#include <gsl/gsl_errno.h>
#include <gsl/gsl_sf_erf.h>
#include <gsl/gsl_sf_gamma.h>
#include <gsl/gsl_sf_psi.h>
#include <math.h>

static double checked(int status, const gsl_sf_result *result)
{
    if (status == GSL_EUNDRFLW)
        return 0;
    return status == GSL_SUCCESS ? result->val : NAN;
}

double hc_sf_log_gamma(double x)
{
    gsl_sf_result result;
    hc_quiet_gsl();
    return checked(gsl_sf_lngamma_e(x, &result), &result);
}

double hc_sf_digamma(double x)
{
    gsl_sf_result result;
    hc_quiet_gsl();
    return checked(gsl_sf_psi_e(x, &result), &result);
}

double hc_sf_gamma_lower(double shape, double x)
{
    gsl_sf_result result;
    hc_quiet_gsl();
    return checked(gsl_sf_gamma_inc_P_e(shape, x, &result), &result);
}

double hc_sf_gamma_upper(double shape, double x)
{
    gsl_sf_result result;
    hc_quiet_gsl();
    int status = gsl_sf_gamma_inc_Q_e(shape, x, &result);
    /* From a shape of 1e6 on, a little above the mean, GSL 2.7's continued fraction does not end
     * (after 5,000 terms), while the other side has an asymptotic form. */
    return status == GSL_EMAXITER ? 1 - hc_sf_gamma_lower(shape, x) : checked(status, &result);
}

/* Continued fraction of the incomplete beta function, by Lentz's method (Abramowitz and Stegun
 * 26.5.8); some sqrt(max(a, b)) terms. */
static double beta_fraction(double a, double b, double x)
{
    double c = 1, d = 1 / (1 - (a + b) * x / (a + 1)), h = d;
    for (int m = 1; m < 1000000; m++) {
        double even = m * (b - m) * x / ((a + 2 * m - 1) * (a + 2 * m));
        d = 1 / (1 + even * d);
        c = 1 + even / c;
        h *= d * c;
        double odd = -(a + m) * (a + b + m) * x / ((a + 2 * m) * (a + 2 * m + 1));
        d = 1 / (1 + odd * d);
        c = 1 + odd / c;
        h *= d * c;
        if (fabs(d * c - 1) < 1e-15)
            break;
    }
    return h;
}

static double own_beta_below(double a, double b, double x)
{
    gsl_sf_result log_beta;
    hc_quiet_gsl();
    double front = checked(gsl_sf_lnbeta_e(a, b, &log_beta), &log_beta);
    front = exp(a * log(x) + b * log1p(-x) - front);
    if (x < (a + 1) / (a + b + 2))
        return front * beta_fraction(a, b, x) / a;
    return 1 - front * beta_fraction(b, a, 1 - x) / b;
}

double hc_sf_beta_lower(double a, double b, double x)
{
    gsl_sf_result result;
    hc_quiet_gsl();
    int status = gsl_sf_beta_inc_e(a, b, x, &result);
    /* From a or b of some 1e7 on, near the middle, the 512 terms of GSL 2.7 are too few. */
    return status == GSL_EMAXITER ? own_beta_below(a, b, x) : checked(status, &result);
}

double hc_sf_normal_hazard(double z)
{
    gsl_sf_result result;
    hc_quiet_gsl();
    return checked(gsl_sf_hazard_e(z, &result), &result);
}

double hc_sf_normal_log_upper(double z)
{
    gsl_sf_result result;
    hc_quiet_gsl();
    return checked(gsl_sf_log_erfc_e(z * M_SQRT1_2, &result), &result) - M_LN2;
}

double hc_sf_normal_two_sided(double z)
{
    gsl_sf_result result;
    hc_quiet_gsl();
    return checked(gsl_sf_erfc_e(fabs(z) * M_SQRT1_2, &result), &result);
}

double hc_sf_poisson_upper(double n, double mean)
{
    if (!(n > 0))
        return 1;
    return mean > 0 ? hc_sf_gamma_lower(n, mean) : 0;
}

double hc_sf_negative_binomial_upper(double n, double mean, double variance)
{
    /* So near to Poisson, the second shape of the beta function would be too large to be exact. */
    if (!(n > 0) || !(mean > 0) || variance <= mean * (1 + 1e-6))
        return hc_sf_poisson_upper(n, mean);
    double shape = mean * mean / (variance - mean);
    return hc_sf_beta_lower(n, shape, mean / (mean + shape));
}
