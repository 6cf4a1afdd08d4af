/* replay_engine.h - the engine of step timelines: what is changed of the steps of a job, and what
 * they take then (docs/methods/step-scenarios.md). */
#ifndef HC_STUDY_ENGINES_REPLAY_REPLAY_ENGINE_H
#define HC_STUDY_ENGINES_REPLAY_REPLAY_ENGINE_H

#include "study/grammar/engine.h"

extern const struct hc_engine hc_replay_engine;

/* The steps of a variant, for whoever takes its step times: [n_steps] each, of the config. */
struct hc_replay_steps {
    size_t n_steps;
    const int64_t *traced_ns;    /* as recorded */
    const int64_t *untouched_ns; /* of the untouched job, replayed */
    const double *edited_ns;     /* with the edits of the variant, a mean over draws */
};

/* Replay a bound scenario or variant of this engine. */
enum hc_status hc_replay_steps(struct hc_replay_steps *steps, const void *config,
                               struct hc_error *err);

#endif
