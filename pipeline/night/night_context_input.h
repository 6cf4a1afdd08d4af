/* night_context_input.h - what stands around the account of a night, out of what it was made of. */
#ifndef HC_PIPELINE_NIGHT_NIGHT_CONTEXT_INPUT_H
#define HC_PIPELINE_NIGHT_NIGHT_CONTEXT_INPUT_H

#include "models/account/night/night_context.h"
#include "pipeline/night/night_input.h"

/* choice: that the data were loaded by. n_days: that are reported, the last ones of the series of
 * findings. Texts last as long as data and archive. context is the caller's to
 * hc_night_context_fini whatever the result. */
enum hc_status hc_night_context_make(struct hc_night_context *context,
                                     const struct hc_night_choice *choice,
                                     const struct hc_night_data *data, size_t n_days,
                                     struct hc_error *err);
void hc_night_context_fini(struct hc_night_context *context);

#endif
