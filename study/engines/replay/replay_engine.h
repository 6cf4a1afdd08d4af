/* replay_engine.h - the engine of step timelines: what is changed of the steps of a job, and what
 * they take then (docs/methods/step-scenarios.md). */
#ifndef HC_STUDY_ENGINES_REPLAY_REPLAY_ENGINE_H
#define HC_STUDY_ENGINES_REPLAY_REPLAY_ENGINE_H

#include "study/grammar/engine.h"

extern const struct hc_engine hc_replay_engine;

#endif
