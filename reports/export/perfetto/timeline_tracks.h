/* timeline_tracks.h - on which track each slice of a timeline is drawn, so that nothing overlaps.
 * Private to this wing.
 *
 * A worker has a lane for each kind of op that can run while others do. A slice that would overlap
 * one of its lane, as clock noise or a damaged trace makes it, goes to a further track of the lane.
 */
#ifndef HC_REPORTS_EXPORT_PERFETTO_TIMELINE_TRACKS_H
#define HC_REPORTS_EXPORT_PERFETTO_TIMELINE_TRACKS_H

#include "core/base/status.h"
#include "sim/replay/timeline.h"

#include <stddef.h>
#include <stdint.h>

enum hc_lane {
    HC_LANE_COMPUTE,
    HC_LANE_FORWARD_RECV,
    HC_LANE_FORWARD_SEND,
    HC_LANE_BACKWARD_RECV,
    HC_LANE_BACKWARD_SEND,
    HC_LANE_COLLECTIVES, /* and layernorm-grads-all-reduce, as the artifact draws it */
    HC_N_LANES
};

/* "compute", "forward-recv", ..., "dp-comm" */
const char *hc_lane_name(enum hc_lane lane);

#define HC_NO_TRACK UINT32_MAX

struct hc_track {
    int32_t dp_rank, stage, rank;
    enum hc_lane lane;
    uint32_t number; /* 0, 1, ... within the lane */
    uint32_t next;   /* index of the next one of the lane, or HC_NO_TRACK */
    int64_t n_slices;
    int64_t busy_until_ns;
};

/* Tracks never move: the first of lane l of worker (d, s) has index (d * n_stages + s) * HC_N_LANES
 * + l, further ones follow as they are needed. */
struct hc_track_layout {
    int32_t n_stages;
    size_t n_tracks, capacity;
    struct hc_track *tracks;
    int64_t n_moved; /* slices on further tracks */
    size_t slices_capacity;
    struct hc_slice *slices; /* scratch of one worker */
};

/* When an op is shown: communication from its transfer on; the end is never before the start. */
struct hc_slice {
    int64_t start_ns, end_ns;
    uint32_t op; /* index among those given */
    uint32_t track;
};

enum hc_status hc_track_layout_init(struct hc_track_layout *layout, int32_t dp_size,
                                    int32_t n_stages, struct hc_error *err);
void hc_track_layout_fini(struct hc_track_layout *layout);

/* Choose the track of each of n ops of one worker in one step: slices[i] is of ops[i], shown
 * offset_ns later than the op says. slices are valid until the next call. */
enum hc_status hc_track_layout_place(struct hc_track_layout *layout,
                                     const struct hc_timeline_op *ops, size_t n, int64_t offset_ns,
                                     struct hc_error *err);

#endif
