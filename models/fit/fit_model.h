/* fit_model.h - parameters of the lifetime engine, fitted to the records of a cluster. */
#ifndef HC_MODELS_FIT_FIT_MODEL_H
#define HC_MODELS_FIT_FIT_MODEL_H

#include "models/fit/fault_fit.h"
#include "models/fit/fit_parameter.h"

/* Fit all that the records tell. least: incidents of a cause, with fewer of which it is put
 * together with others. HC_INTERNAL only. */
enum hc_status hc_fit_model_make(struct hc_fit_parameters *parameters,
                                 const struct hc_fit_records *records, int64_t least,
                                 struct hc_error *err);

#endif
