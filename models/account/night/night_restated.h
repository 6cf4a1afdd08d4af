/* night_restated.h - what days before the one that is reported were said to be, and are now.
 *
 * The account of a day changes while later records come: a launch resumes below what was made, a
 * checkpoint saves what was at risk, a job that ran has ended, a person corrects a cause.
 */
#ifndef HC_MODELS_ACCOUNT_NIGHT_NIGHT_RESTATED_H
#define HC_MODELS_ACCOUNT_NIGHT_NIGHT_RESTATED_H

#include "models/account/night/night.h"

struct hc_restated_row {
    const char *day; /* of the account of now */
    enum hc_what what;
    double before_gpu_hours, now_gpu_hours;
    int32_t run;          /* of now: that changed most of it, or -1: attempts without a run */
    double run_gpu_hours; /* by which that changed */
    const char *reason;   /* static */
};

struct hc_restated {
    size_t n, room;
    struct hc_restated_row *rows; /* by day and leaf */
};

/* The days of `before`, which are days of `now`, too. run_now gives the code that a run of `before`
 * has in `now`, or -1. */
struct hc_restated_runs {
    int32_t (*run_now)(int32_t run, const void *context);
    const void *context;
};
enum hc_status hc_restated_make(struct hc_restated *restated, const struct hc_night *now,
                                const struct hc_night *before, const struct hc_restated_runs *runs,
                                struct hc_error *err);
void hc_restated_fini(struct hc_restated *restated);

#endif
