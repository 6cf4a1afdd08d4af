/* timed_rates.h - bandwidths by operation and size: of each communicator, and of all.
 * Private to this wing. */
#ifndef HC_MODELS_TIMINGS_TIMED_RATES_H
#define HC_MODELS_TIMINGS_TIMED_RATES_H

#include "models/timings/timed_result.h"

/* The rates of all collectives and, by record, of sends and receives. */
enum hc_status hc_timed_find_rates(struct hc_timed_result *result, const struct hc_timed_set *set,
                                   const struct hc_timed_options *options, struct hc_error *err);

#endif
