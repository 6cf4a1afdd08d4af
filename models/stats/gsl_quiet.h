/* gsl_quiet.h - for each function that calls GSL. Private to this wing.
 *
 * GSL's error handler prints and ends the program. hc_quiet_gsl() turns it off, once in a process
 * and for all threads; not before main starts, since most commands never call GSL.
 */
#ifndef HC_MODELS_STATS_GSL_QUIET_H
#define HC_MODELS_STATS_GSL_QUIET_H

void hc_quiet_gsl(void);

#endif
