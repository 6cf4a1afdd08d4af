/* scenario_bind.h - a checked scenario into the config of its engine, by the table of keys. */
#ifndef HC_STUDY_ENGINES_LIFETIME_SCENARIO_BIND_H
#define HC_STUDY_ENGINES_LIFETIME_SCENARIO_BIND_H

#include "sim/lifetime/lifetime_config.h"
#include "study/grammar/scenario_node.h"

/* Fill config from root, a document without complaints; what is not given is as the
 * table says, or as the engine does where the table has no default. Arrays and
 * names live in arena or in root. `threads` is no part of a scenario: 0. HC_BAD_INPUT, with a
 * pointer in front of the message, when recorded incidents cannot be what is wanted; HC_INTERNAL
 * when there is no memory. */
enum hc_status hc_scenario_bind(struct hc_lifetime_config *config, const struct hc_node *root,
                                struct hc_arena *arena, struct hc_error *err);

#endif
