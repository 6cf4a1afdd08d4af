/* The engines of the program. Adding one is its folder, and a row here. */
#include "study/engines/lifetime/lifetime_engine.h"

/* Names of scenarios that will have an engine. */
static const struct hc_engine replay_later = {.name = "replay", .is_later = true};

const struct hc_engine *const hc_engines[] = {&hc_lifetime_engine, &replay_later, NULL};
