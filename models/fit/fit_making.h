/* fit_making.h - the parts of a fitted scenario, in its order. Private to this wing. */
#ifndef HC_MODELS_FIT_FIT_MAKING_H
#define HC_MODELS_FIT_FIT_MAKING_H

#include "models/fit/fit_model.h"

struct hc_fit_making {
    const struct hc_fit_records *records;
    struct hc_fit_parameters *parameters;
    struct hc_fault_fits faults;
    /* Whether what came after the strikes of the run that was asked for is enough to go by; else
     * that of all runs is. */
    bool has_own_follows;
    uint64_t stream; /* of draws, the next one */
};

/* Whether what followed a strike is looked at. */
static inline bool hc_fit_is_followed(const struct hc_fit_making *making,
                                      const struct hc_fit_strike *strike)
{
    return !making->has_own_follows || strike->run == making->records->run;
}

/* Add a parameter of times that were collected; times are released. It is absent where there are
 * none. *parameter, if wanted, is valid until the next one. */
enum hc_status hc_fit_making_times(struct hc_fit_making *making, struct hc_survival *times,
                                   const char *path, const char *source,
                                   struct hc_fit_parameter **parameter, struct hc_error *err);

enum hc_status hc_fit_make_faults(struct hc_fit_making *making, struct hc_error *err);
/* What else stops runs: failures of the user, limits of time, pre-emption; behind the faults. */
enum hc_status hc_fit_make_stops(struct hc_fit_making *making, struct hc_error *err);
/* Size and steps of the run, its checkpoints; absent without one. */
enum hc_status hc_fit_make_job(struct hc_fit_making *making, struct hc_error *err);
enum hc_status hc_fit_make_checkpoint(struct hc_fit_making *making, struct hc_error *err);
/* Start-up, recovery, repair. */
enum hc_status hc_fit_make_restart(struct hc_fit_making *making, struct hc_error *err);

#endif
