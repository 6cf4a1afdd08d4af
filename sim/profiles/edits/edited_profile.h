/* edited_profile.h - profiler traces with edits, replayed: the same dependencies, with other times
 * of the work and later starts (docs/methods/step-scenarios.md, "Profiler traces").
 */
#ifndef HC_SIM_PROFILES_EDITS_EDITED_PROFILE_H
#define HC_SIM_PROFILES_EDITS_EDITED_PROFILE_H

#include "sim/edits/edit.h"
#include "sim/profiles/edits/profile_base.h"
#include "sim/profiles/profile_timeline.h"

/* What an edit did, over all steps and ranks, in ns. */
struct hc_profile_effect {
    int64_t n_selected, n_changed; /* works that it is for; those that last longer or shorter */
    double before_ns, after_ns;    /* of these */
    double delay_ns;               /* starts later, together */
};

/* Whether an edit means anything here: else why not, as a phrase; NULL: it does. */
const char *hc_profile_edit_refusal(const struct hc_edit *edit);

/* Replay with the edits in their order, and add to times (zeroed before the first draw) and to
 * effect [n_edits]. The measured level of the peers is what `replace` takes; the ideal is that of
 * what the edits have made, without delays.
 *
 * HC_BAD_INPUT: a time below 0, of the edit *failed; else as hc_profile_whatif_run. */
enum hc_status hc_profile_edited_replay(struct hc_profile_times *times,
                                        struct hc_profile_effect *effect,
                                        const struct hc_profile_base *base,
                                        const struct hc_edit *edits, size_t n_edits,
                                        const struct hc_edit_draws *draws, size_t *failed,
                                        struct hc_error *err);

/* When what a step has begins and ends with the edits, of one draw, for viewers: as
 * hc_profile_timeline_each. step: its number, HC_MISSING_I64: all. */
enum hc_status hc_profile_edited_timeline(const struct hc_profile_base *base,
                                          const struct hc_edit *edits, size_t n_edits,
                                          const struct hc_edit_draws *draws, int64_t step,
                                          hc_profile_slice_sink *sink, void *context,
                                          struct hc_error *err);

#endif
