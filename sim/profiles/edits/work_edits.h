/* work_edits.h - the edits of a scenario while they are applied to a part of the graph.
 * Private to this wing. */
#ifndef HC_SIM_PROFILES_EDITS_WORK_EDITS_H
#define HC_SIM_PROFILES_EDITS_WORK_EDITS_H

#include "sim/profiles/edits/edited_profile.h"
#include "sim/profiles/edits/profile_selection.h"
#include "sim/profiles/profile_build.h"

/* A start that an edit delays: put back before the ideal, which has no delays. */
struct hc_delayed_point {
    uint32_t point;
    int64_t delay_ns;
};

struct hc_work_edits {
    const struct hc_profile_base *base;
    const struct hc_edit *edits;
    size_t n_edits;
    const struct hc_edit_draws *draws;
    struct hc_profile_selection **selections; /* [n_edits] */
    struct hc_profile_effect *effect;         /* [n_edits] */
    size_t failed;                            /* the edit that cannot be */
    bool has_changed;                         /* some work of this part */
    double length_ns; /* of what was changed and delayed so far: kept within 64 bits on any path */
    struct hc_delayed_point *delayed;
    size_t n_delayed, delayed_capacity;
};

enum hc_status hc_work_edits_init(struct hc_work_edits *w, const struct hc_profile_base *base,
                                  const struct hc_edit *edits, size_t n_edits,
                                  const struct hc_edit_draws *draws,
                                  struct hc_profile_effect *effect, struct hc_error *err);
void hc_work_edits_fini(struct hc_work_edits *w);

/* Change the work of a part, and the level of its peers with it. */
enum hc_status hc_work_edits_apply(struct hc_work_edits *w, struct hc_profile_build *build,
                                   struct hc_error *err);
/* Take the delays of that part back. */
void hc_work_edits_undelay(struct hc_work_edits *w, struct hc_profile_build *build);

#endif
