/* replay_engine.h - the engine of step timelines: what is changed of the steps of a job, and what
 * they take then (docs/methods/step-scenarios.md). */
#ifndef HC_STUDY_ENGINES_REPLAY_REPLAY_ENGINE_H
#define HC_STUDY_ENGINES_REPLAY_REPLAY_ENGINE_H

#include "core/tables/job.h"
#include "study/grammar/engine.h"

extern const struct hc_engine hc_replay_engine;

struct hc_replay_base;  /* sim/edits/replay_base.h */
struct hc_profile_base; /* sim/profiles/edits/profile_base.h */

/* The job whose steps are changed, as who reads the recorded data hands it in
 * (hc_data_source.timeline): a step timeline or profiler traces, replayed untouched. */
struct hc_replay_input {
    const struct hc_replay_base *steps; /* one of these; else NULL */
    const struct hc_profile_base *profile;
    const struct hc_job *job; /* what is known of it */
};

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
