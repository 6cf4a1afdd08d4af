/* startup_load.h - the starts of the launches of an archive, and what they cost. */
#ifndef HC_PIPELINE_NIGHT_STARTUP_LOAD_H
#define HC_PIPELINE_NIGHT_STARTUP_LOAD_H

#include "models/account/startup/startup_result.h"
#include "pipeline/night/account_walk.h"

struct hc_startup_data {
    struct hc_walk walk;
    struct hc_startup_input input;
    struct hc_startup_result result;
};

/* HC_BAD_INPUT: the archive has no accounting. data is the caller's to hc_startup_data_fini
 * whatever the result. */
enum hc_status hc_startup_load(struct hc_startup_data *data, const struct hc_walk_choice *choice,
                               struct hc_error *err);
void hc_startup_data_fini(struct hc_startup_data *data);

#endif
