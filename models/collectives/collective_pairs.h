/* collective_pairs.h - sends and their receives. Private to this wing. */
#ifndef HC_MODELS_COLLECTIVES_COLLECTIVE_PAIRS_H
#define HC_MODELS_COLLECTIVES_COLLECTIVE_PAIRS_H

#include "models/collectives/collective_diagnosis.h"

/* Put the sides of a set in order and find those that have no other end, or do not agree with it.
 */
enum hc_status hc_collective_pair(struct hc_collective_diagnosis *out,
                                  struct hc_collective_set *set, struct hc_error *err);

#endif
