#include "reports/export/perfetto/timeline_tracks.h"

#include "core/base/memory.h"

#include <stdlib.h>
#include <string.h>

static const char *const lane_names[HC_N_LANES] = {"compute",       "forward-recv",  "forward-send",
                                                   "backward-recv", "backward-send", "dp-comm"};

const char *hc_lane_name(enum hc_lane lane)
{
    return lane_names[lane];
}

static enum hc_lane lane_of(int op_type)
{
    switch (op_type) {
    case HC_FORWARD_COMPUTE:
    case HC_BACKWARD_COMPUTE:
    case HC_GC:
    case HC_OPTIMIZER:
        return HC_LANE_COMPUTE;
    case HC_FORWARD_RECV:
        return HC_LANE_FORWARD_RECV;
    case HC_FORWARD_SEND:
        return HC_LANE_FORWARD_SEND;
    case HC_BACKWARD_RECV:
        return HC_LANE_BACKWARD_RECV;
    case HC_BACKWARD_SEND:
        return HC_LANE_BACKWARD_SEND;
    default:
        return HC_LANE_COLLECTIVES;
    }
}

enum hc_status hc_track_layout_init(struct hc_track_layout *layout, int32_t dp_size,
                                    int32_t n_stages, struct hc_error *err)
{
    memset(layout, 0, sizeof *layout);
    layout->n_stages = n_stages;
    size_t n = (size_t)dp_size * (size_t)n_stages * HC_N_LANES;
    if (hc_reserve(&layout->tracks, &layout->capacity, n, sizeof *layout->tracks, err))
        return err->status;
    for (; layout->n_tracks < n; layout->n_tracks++)
        layout->tracks[layout->n_tracks] =
            (struct hc_track){.lane = layout->n_tracks % HC_N_LANES, .next = HC_NO_TRACK};
    return HC_OK;
}

void hc_track_layout_fini(struct hc_track_layout *layout)
{
    free(layout->tracks);
    free(layout->slices);
    memset(layout, 0, sizeof *layout);
}

/* By lane, then start; of those that start together the shorter first, so that an empty slice
 * stands before the op that begins where it ends. The last tie goes by op: the order is total. */
static int compare_slices(const void *x, const void *y)
{
    const struct hc_slice *a = x, *b = y;
    if (a->track != b->track) /* still the first track of the lane */
        return a->track > b->track ? 1 : -1;
    if (a->start_ns != b->start_ns)
        return a->start_ns > b->start_ns ? 1 : -1;
    if (a->end_ns != b->end_ns)
        return a->end_ns > b->end_ns ? 1 : -1;
    return (a->op > b->op) - (a->op < b->op);
}

static void list_slices(struct hc_track_layout *layout, const struct hc_timeline_op *ops, size_t n,
                        int64_t offset_ns)
{
    size_t worker = (size_t)ops[0].dp_rank * (size_t)layout->n_stages + (size_t)ops[0].stage;
    for (size_t i = 0; i < n; i++) {
        int64_t start_ns = ops[i].transfer_ns, end_ns = ops[i].end_ns;
        layout->slices[i] = (struct hc_slice){
            .start_ns = offset_ns + start_ns,
            .end_ns = offset_ns + (end_ns < start_ns ? start_ns : end_ns),
            .op = (uint32_t)i,
            .track = (uint32_t)(worker * HC_N_LANES + lane_of(ops[i].op_type)),
        };
    }
}

/* A further track after the last one of a lane. */
static enum hc_status add_track(struct hc_track_layout *layout, uint32_t last, struct hc_error *err)
{
    if (layout->n_tracks >= HC_NO_TRACK)
        return hc_fail(err, HC_BAD_INPUT, "more than %u tracks are needed", HC_NO_TRACK);
    if (hc_reserve(&layout->tracks, &layout->capacity, layout->n_tracks + 1, sizeof *layout->tracks,
                   err))
        return err->status;
    struct hc_track *track = &layout->tracks[layout->n_tracks];
    *track = (struct hc_track){.lane = layout->tracks[last].lane,
                               .number = layout->tracks[last].number + 1,
                               .next = HC_NO_TRACK};
    layout->tracks[last].next = (uint32_t)layout->n_tracks++;
    return HC_OK;
}

/* The first track of the lane that is free when the slice starts. */
static enum hc_status place_slice(struct hc_track_layout *layout, struct hc_slice *slice,
                                  const struct hc_timeline_op *op, struct hc_error *err)
{
    uint32_t at = slice->track;
    while (layout->tracks[at].n_slices && layout->tracks[at].busy_until_ns > slice->start_ns) {
        if (layout->tracks[at].next == HC_NO_TRACK && add_track(layout, at, err))
            return err->status;
        at = layout->tracks[at].next;
    }
    struct hc_track *track = &layout->tracks[at];
    track->dp_rank = op->dp_rank;
    track->stage = op->stage;
    track->rank = op->rank;
    track->busy_until_ns = slice->end_ns;
    track->n_slices++;
    layout->n_moved += track->number > 0;
    slice->track = at;
    return HC_OK;
}

static int compare_ops(const void *x, const void *y)
{
    const struct hc_slice *a = x, *b = y;
    return (a->op > b->op) - (a->op < b->op);
}

enum hc_status hc_track_layout_place(struct hc_track_layout *layout,
                                     const struct hc_timeline_op *ops, size_t n, int64_t offset_ns,
                                     struct hc_error *err)
{
    if (n == 0 ||
        hc_reserve(&layout->slices, &layout->slices_capacity, n, sizeof *layout->slices, err))
        return n == 0 ? HC_OK : err->status;
    list_slices(layout, ops, n, offset_ns);
    qsort(layout->slices, n, sizeof *layout->slices, compare_slices);
    for (size_t i = 0; i < n; i++)
        if (place_slice(layout, &layout->slices[i], &ops[layout->slices[i].op], err))
            return err->status;
    qsort(layout->slices, n, sizeof *layout->slices, compare_ops);
    return HC_OK;
}
