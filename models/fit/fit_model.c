#include "models/fit/fit_model.h"

#include "models/fit/fit_making.h"

#define LEAST_FOLLOWS 5 /* strikes of a run after which its own restarts are what is fitted */

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
