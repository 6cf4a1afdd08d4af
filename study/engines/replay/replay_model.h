/* replay_model.h - figures of what a step trains. Private to this wing. */
#ifndef HC_STUDY_ENGINES_REPLAY_REPLAY_MODEL_H
#define HC_STUDY_ENGINES_REPLAY_REPLAY_MODEL_H

#include "study/grammar/engine.h"

/* Whether a scenario says what the figure needs. */
bool hc_replay_tells_tokens(const void *config);
bool hc_replay_tells_days(const void *config);
bool hc_replay_tells_mfu(const void *config);

/* Tokens of the steps, and their time in s; days for all tokens, and steps; FLOPs of the model, and
 * what the GPUs could have done. */
typedef double hc_replay_part(const struct hc_engine_figure *figure, const void *replica,
                              const struct hc_figure_scale *scale);
hc_replay_part hc_replay_tokens, hc_replay_span_s, hc_replay_days, hc_replay_n_steps,
    hc_replay_flops, hc_replay_peak_flops;

#endif
