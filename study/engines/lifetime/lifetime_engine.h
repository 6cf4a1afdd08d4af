/* lifetime_engine.h - months of a job with faults: the row of sim/lifetime. */
#ifndef HC_STUDY_ENGINES_LIFETIME_LIFETIME_ENGINE_H
#define HC_STUDY_ENGINES_LIFETIME_LIFETIME_ENGINE_H

#include "study/grammar/engine.h"

extern const struct hc_engine hc_lifetime_engine;

#endif
