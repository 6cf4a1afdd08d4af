/* lifetime_means.h - all replicas of a config, as means: what tests of the engine ask for. */
#ifndef HC_TESTS_SUPPORT_LIFETIME_MEANS_H
#define HC_TESTS_SUPPORT_LIFETIME_MEANS_H

#include "sim/lifetime/lifetime.h"

/* All of config->replicas, in blocks, so that memory does not grow with their number. */
enum hc_status hc_lifetime_simulate(const struct hc_lifetime_config *config,
                                    struct hc_lifetime_summary *summary, struct hc_error *err);

#endif
