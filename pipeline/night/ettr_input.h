/* ettr_input.h - the ETTR of the runs of an archive. */
#ifndef HC_PIPELINE_NIGHT_ETTR_INPUT_H
#define HC_PIPELINE_NIGHT_ETTR_INPUT_H

#include "core/base/zone.h"
#include "models/account/ettr/ettr_result.h"
#include "pipeline/night/account_walk.h"

struct hc_ettr_source {
    struct hc_walk_choice walk; /* INT64_MIN to INT64_MAX: all runs of the archive */
    const struct hc_zone *zone; /* of the days */
    const char *name;           /* of the only run, or NULL */
    int32_t least_gpus;         /* of runs that count for the fleet */
    double least_hours;
};

struct hc_ettr_data {
    struct hc_walk walk;
    struct hc_ettr_input input;
    struct hc_night_days days;
    struct hc_ettr_result result;
};

/* HC_BAD_INPUT: the archive has no accounting. HC_USAGE: it has no run of that name. data is the
 * caller's to hc_ettr_data_fini whatever the result. */
enum hc_status hc_ettr_load(struct hc_ettr_data *data, const struct hc_ettr_source *source,
                            struct hc_error *err);
void hc_ettr_data_fini(struct hc_ettr_data *data);

#endif
