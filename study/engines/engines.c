/* The engines of the program. Adding one is its folder, and a row here. */
#include "study/engines/lifetime/lifetime_engine.h"
#include "study/engines/replay/replay_engine.h"

const struct hc_engine *const hc_engines[] = {&hc_lifetime_engine, &hc_replay_engine, NULL};
