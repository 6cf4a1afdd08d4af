/* collective_waits.h - who came last to a collective, and how long the others waited.
 * Private to this wing. */
#ifndef HC_MODELS_PROFILES_COLLECTIVE_WAITS_H
#define HC_MODELS_PROFILES_COLLECTIVE_WAITS_H

#include "models/profiles/collectives.h"

/* Count mismatches and violations of causality of each group on the clocks as they are; a refused
 * group keeps the counts that it was refused for. */
void hc_collectives_judge(struct hc_collectives *collectives, const struct hc_profile *profile);

/* Fill what follows from the clocks: residuals, arrivals, waits, transfers, sums over ranks. Leaves
 * out the collectives of refused groups and puts the others in order. */
enum hc_status hc_collectives_finish(struct hc_collectives *collectives,
                                     const struct hc_profile *profile, struct hc_error *err);

#endif
