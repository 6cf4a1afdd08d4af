/* night_context_input.h - what stands around the account of a night, out of what it was made of. */
#ifndef HC_PIPELINE_NIGHT_NIGHT_CONTEXT_INPUT_H
#define HC_PIPELINE_NIGHT_NIGHT_CONTEXT_INPUT_H

#include "models/account/night/night_context.h"
#include "pipeline/night/night_input.h"

/* choice: that the data were loaded by. result: of the days that are reported, the last ones of the
 * night and of the series of findings. Texts last as long as data and archive. context is the
 * caller's to hc_night_context_fini whatever the result. */
enum hc_status hc_night_context_make(struct hc_night_context *context,
                                     const struct hc_night_choice *choice,
                                     const struct hc_night_data *data,
                                     const struct hc_night_result *result, struct hc_error *err);
void hc_night_context_fini(struct hc_night_context *context);

#endif
