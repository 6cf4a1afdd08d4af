/* json_difference.h - where two JSON documents differ first. Private to this wing. */
#ifndef HC_PIPELINE_RESULTS_JSON_DIFFERENCE_H
#define HC_PIPELINE_RESULTS_JSON_DIFFERENCE_H

#include "pipeline/results/recorded_result.h"

#include <jansson.h>
#include <stdbool.h>

/* False where all values are the same, in the order of a's members. */
bool hc_json_differ(struct hc_json_difference *difference, const json_t *a, const json_t *b);

#endif
