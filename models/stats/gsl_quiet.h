/* gsl_quiet.h - for each file that calls GSL. Private to this wing.
 *
 * GSL's error handler prints and ends the program. It is off before main starts, so before the
 * first call and before there are threads; in each file, since a program is linked of those that it
 * needs.
 */
#ifndef HC_MODELS_STATS_GSL_QUIET_H
#define HC_MODELS_STATS_GSL_QUIET_H

#include <gsl/gsl_errno.h>

__attribute__((constructor)) static void hc_quiet_gsl(void)
{
    gsl_set_error_handler_off();
}

#endif
