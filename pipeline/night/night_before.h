/* night_before.h - the days before the one that is reported, as they were known when it began. */
#ifndef HC_PIPELINE_NIGHT_NIGHT_BEFORE_H
#define HC_PIPELINE_NIGHT_NIGHT_BEFORE_H

#include "models/account/night/night_restated.h"
#include "pipeline/night/night_input.h"

#define HC_RESTATED_DAYS 7

/* Fill what of the 7 days before choice->last_day is another by what came since that day began. day
 * names are those of *before, which is the caller's to hc_night_data_fini whatever the result. */
enum hc_status hc_night_restated_load(struct hc_restated *restated, struct hc_night_data *before,
                                      const struct hc_night_data *now,
                                      const struct hc_night_choice *choice, struct hc_error *err);

#endif
