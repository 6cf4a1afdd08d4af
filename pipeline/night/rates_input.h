/* rates_input.h - failures of the infrastructure over node-time, out of an archive. */
#ifndef HC_PIPELINE_NIGHT_RATES_INPUT_H
#define HC_PIPELINE_NIGHT_RATES_INPUT_H

#include "core/base/zone.h"
#include "models/account/rates/failure_rates.h"
#include "pipeline/night/account_walk.h"

struct hc_rates_source {
    struct hc_walk_choice walk; /* INT64_MIN to INT64_MAX: from the first start to the last end */
    const struct hc_zone *zone; /* of the days */
    int64_t nodes;              /* installed; 0: those that attempts of the window name */
};

struct hc_rates_data {
    struct hc_walk walk;
    struct hc_night_days days;
    struct hc_failure_rates rates;
    struct hc_text_set nodes; /* that attempts name */
    int64_t n_installed;
    bool *ended_launch;
    size_t n_spans, spans_room;
    struct hc_rates_span {
        int64_t from_ns, to_ns;
        int32_t nodes;
        enum hc_rate_basis basis;
    } * spans;
    hc_gpu_ns *costs; /* by failure */
};

/* HC_BAD_INPUT: the archive has no accounting. data is the caller's to hc_rates_data_fini whatever
 * the result. */
enum hc_status hc_rates_load(struct hc_rates_data *data, const struct hc_rates_source *source,
                             struct hc_error *err);
void hc_rates_data_fini(struct hc_rates_data *data);

#endif
