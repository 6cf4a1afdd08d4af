/* night_before.h - the days before the one that is reported, as they were known when it began. */
#ifndef HC_PIPELINE_NIGHT_NIGHT_BEFORE_H
#define HC_PIPELINE_NIGHT_NIGHT_BEFORE_H

#include "models/account/night/night_restated.h"
#include "pipeline/night/night_input.h"

#define HC_RESTATED_DAYS 7

/* Load a night, and, beside it where there are two threads, the 7 days before its last one as they
 * were known when that began; *before stays empty where nothing was known then. Both are the
 * caller's to hc_night_data_fini whatever the result. Errors as hc_night_load. */
enum hc_status hc_night_load_both(struct hc_night_data *now, struct hc_night_data *before,
                                  const struct hc_night_choice *choice, struct hc_error *err);

/* What of these days is another now. Texts are those of both, which must stay. */
enum hc_status hc_night_restated_make(struct hc_restated *restated, const struct hc_night_data *now,
                                      const struct hc_night_data *before, struct hc_error *err);

#endif
