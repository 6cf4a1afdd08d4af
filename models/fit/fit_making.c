#include "models/fit/fit_making.h"

#define RESOLUTION_S 1.0 /* of the records of schedulers and kernels */

enum hc_status hc_fit_making_times(struct hc_fit_making *making, struct hc_survival *times,
                                   const char *path, const char *source,
                                   struct hc_fit_parameter **parameter, struct hc_error *err)
{
    struct hc_duration_fit fit;
    enum hc_status status = hc_duration_fit_make(&fit, times, RESOLUTION_S, making->stream++, err);
    struct hc_fit_parameter *added =
        status ? NULL : hc_fit_parameter_add(making->parameters, source, err, "%s", path);
    if (added) {
        hc_fit_parameter_take(added, &fit);
        if (fit.family != HC_FIT_NO_FAMILY)
            hc_fit_note(added, "largest distance of the fit from what was seen %.2f", fit.distance);
        else if (fit.n > 0 && fit.n < 3)
            hc_fit_note(added, "%d time%s: no interval", (int)fit.n, fit.n == 1 ? "" : "s");
        if (fit.n_censored)
            hc_fit_note(added, "%lld were not over", (long long)fit.n_censored);
    }
    hc_survival_fini(times);
    if (parameter)
        *parameter = added;
    return added ? HC_OK : err->status;
}
