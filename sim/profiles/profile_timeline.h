/* profile_timeline.h - when each step, call and GPU event of profiler traces begins and ends: as
 * traced, as replayed, or with all work and all starts at the level of the peers; and the critical
 * path through it (spec: profiler traces 8). For viewers.
 */
#ifndef HC_SIM_PROFILES_PROFILE_TIMELINE_H
#define HC_SIM_PROFILES_PROFILE_TIMELINE_H

#include "sim/profiles/profile_whatif.h"

enum hc_profile_timeline {
    HC_PROFILE_TRACED,
    HC_PROFILE_REPLAYED,
    HC_PROFILE_IDEAL,
};

enum hc_profile_slice_kind {
    HC_SLICE_STEP,
    HC_SLICE_CALL, /* that launches, synchronises or makes a stream wait; not nested in another */
    HC_SLICE_GPU,
    HC_SLICE_PATH, /* of the critical path */
};

struct hc_profile_slice {
    enum hc_profile_slice_kind kind;
    enum hc_path_part part; /* of GPU events and of the path */
    int32_t rank;
    uint32_t rank_index;
    int32_t stream;           /* of a GPU event */
    const char *thread;       /* of a call: "<pid>/<tid>" */
    const char *name;         /* of the event; of the path: what it leads to; valid as long as the
                                 profile */
    int64_t step;             /* number; HC_MISSING_I64: the whole trace */
    int64_t start_ns, end_ns; /* from the origin */
    int32_t collective;       /* index, or -1 */
};

/* What a timeline is of. Valid during the call. */
struct hc_profile_scene {
    const struct hc_profile *profile;
    const struct hc_collectives *collectives;
    int64_t origin_ns; /* Unix time, on the clock of the lowest rank */
    int64_t first_ns;  /* earliest start of all slices, from the origin */
};

/* Slices come step by step: within that the ranks ascending, each in the order of its traced
 * starts, then what of the critical path is in it. */
typedef enum hc_status hc_profile_slice_sink(const struct hc_profile_scene *scene,
                                             const struct hc_profile_slice *slice, void *context,
                                             struct hc_error *err);

struct hc_profile_build; /* sim/profiles/profile_build.h */

/* What is shown of it. */
struct hc_profile_view {
    enum hc_profile_timeline timeline;
    int64_t only_step; /* number of the one step to show; HC_MISSING_I64: all */
    /* Change the work of each part of the graph before it is replayed; NULL: nothing is changed. */
    enum hc_status (*change)(struct hc_profile_build *build, void *context, struct hc_error *err);
    void *change_context;
};

/* first_step, last_step and threads of the options count. Memory: 8 bytes a point of the whole
 * window, and a step. HC_BAD_INPUT as hc_profile_whatif_run. */
enum hc_status hc_profile_timeline_each(const struct hc_profile *profile,
                                        const struct hc_collectives *collectives,
                                        const struct hc_profile_whatif_options *options,
                                        const struct hc_profile_view *view,
                                        hc_profile_slice_sink *sink, void *context,
                                        struct hc_error *err);

#endif
