/* Profiler traces with edits, for viewers. */
#include "sim/profiles/edits/edited_profile.h"

#include "core/base/memory.h"
#include "sim/profiles/edits/work_edits.h"

#include <stdlib.h>

static enum hc_status change(struct hc_profile_build *build, void *context, struct hc_error *err)
{
    return hc_work_edits_apply(context, build, err);
}

enum hc_status hc_profile_edited_timeline(const struct hc_profile_base *base,
                                          const struct hc_edit *edits, size_t n_edits,
                                          const struct hc_edit_draws *draws, int64_t step,
                                          hc_profile_slice_sink *sink, void *context,
                                          struct hc_error *err)
{
    struct hc_work_edits w = {.n_edits = 0};
    struct hc_profile_effect *effect = hc_new_array(n_edits + 1, sizeof *effect, err);
    const struct hc_profile_view view = {
        .timeline = HC_PROFILE_REPLAYED, .only_step = step, .change = change, .change_context = &w};
    enum hc_status status = effect ? HC_OK : err->status;
    if (!status)
        status = hc_work_edits_init(&w, base, edits, n_edits, draws, effect, err);
    if (!status)
        status = hc_profile_timeline_each(base->profile, base->collectives, &base->window, &view,
                                          sink, context, err);
    hc_work_edits_fini(&w);
    free(effect);
    return status;
}
