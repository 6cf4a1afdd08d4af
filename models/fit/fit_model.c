#include "models/fit/fit_model.h"

#include "models/fit/fit_making.h"

#define LEAST_FOLLOWS 5   /* strikes of a run after which its own restarts are what is fitted */
#define RESOLUTION_S  1.0 /* of the records of schedulers and kernels */

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

static int64_t count_follows(const struct hc_fit_records *records)
{
    int64_t n = 0;
    for (size_t i = 0; i < records->n_strikes && records->run >= 0; i++)
        n += records->strikes[i].run == records->run &&
             records->strikes[i].follow != HC_FOLLOW_UNKNOWN;
    return n;
}

/* What every scenario of this kind begins with. */
static enum hc_status add_head(struct hc_fit_making *making, struct hc_error *err)
{
    static const char *const words[][2] = {{"/schema", "hindcast/scenario/1"},
                                           {"/kind", "lifetime"}};
    for (int i = 0; i < 2; i++) {
        struct hc_fit_parameter *p =
            hc_fit_parameter_add(making->parameters, "", err, "%s", words[i][0]);
        if (!p)
            return err->status;
        p->form = HC_FIT_WORD;
        p->word = words[i][1];
    }
    return HC_OK;
}

enum hc_status hc_fit_model_make(struct hc_fit_parameters *parameters,
                                 const struct hc_fit_records *records, int64_t least,
                                 struct hc_error *err)
{
    struct hc_fit_making making = {.records = records,
                                   .parameters = parameters,
                                   .has_own_follows = count_follows(records) >= LEAST_FOLLOWS,
                                   .stream = 1};
    enum hc_status status = hc_fault_fits_make(&making.faults, records, least, err);
    if (!status)
        status = add_head(&making, err);
    if (!status)
        status = hc_fit_make_job(&making, err);
    if (!status)
        status = hc_fit_make_faults(&making, err);
    if (!status)
        status = hc_fit_make_stops(&making, err);
    if (!status)
        status = hc_fit_make_checkpoint(&making, err);
    if (!status)
        status = hc_fit_make_restart(&making, err);
    hc_fault_fits_fini(&making.faults);
    return status;
}
