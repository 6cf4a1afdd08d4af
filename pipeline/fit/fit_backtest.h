/* fit_backtest.h - the periods of a backtest, counted from records. */
#ifndef HC_PIPELINE_FIT_FIT_BACKTEST_H
#define HC_PIPELINE_FIT_FIT_BACKTEST_H

#include "models/fit/backtest.h"
#include "models/fit/fit_records.h"

enum hc_fit_period { HC_FIT_MONTHS, HC_FIT_WEEKS, HC_FIT_DAYS_ALONE };

/* Cut the window of records into whole periods of the calendar (UTC; weeks of seven days that end
 * with the window), count, and predict the last n_held_out. Days before the first whole month and
 * after the last are left out. backtest->periods are the caller's to free. HC_BAD_INPUT: there are
 * not more than n_held_out periods. */
enum hc_status hc_fit_backtest_make(struct hc_backtest *backtest,
                                    const struct hc_fit_records *records, enum hc_fit_period period,
                                    size_t n_held_out, struct hc_error *err);

#endif
