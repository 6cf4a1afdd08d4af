/* run_progress.h - how much of the time of a run made progress, up to any moment: for ETTR by day
 * and over a sliding hour (arXiv 2509.16293).
 *
 * Progress is what counts as productive for byterobust, GPU-time over the GPUs of its attempt, so
 * that an hour of all GPUs of a run is an hour, whatever their number.
 */
#ifndef HC_MODELS_ACCOUNT_ETTR_RUN_PROGRESS_H
#define HC_MODELS_ACCOUNT_ETTR_RUN_PROGRESS_H

#include "models/account/tree/slice.h"

struct hc_progress_stretch {
    int64_t from_ns, to_ns;
    double weight; /* of the GPUs of the attempt; 1: all made progress */
};

struct hc_progress_point {
    int64_t at_ns;
    double weight; /* from here on */
    double s;      /* progress made until here */
};

struct hc_run_progress {
    size_t n_stretches, stretches_room, n_points;
    struct hc_progress_stretch *stretches;
    struct hc_progress_point *points; /* filled by hc_run_progress_end */
};

/* Take a slice of an attempt that had so many GPUs; slices of one attempt in order of time. */
enum hc_status hc_run_progress_add(struct hc_run_progress *progress, const struct hc_slice *slice,
                                   int32_t gpus, struct hc_error *err);
/* After the last: sums. */
enum hc_status hc_run_progress_end(struct hc_run_progress *progress, struct hc_error *err);
/* Seconds of progress before a moment. */
double hc_run_progress_until(const struct hc_run_progress *progress, int64_t at_ns);
/* Zeroed memory has none. */
void hc_run_progress_fini(struct hc_run_progress *progress);

/* The share of progress in windows of one length that slide over [from, to). */
struct hc_progress_window {
    double least, last; /* NaN: the run is shorter than the window */
    int64_t least_ns;   /* end of the window that had least, the first of them */
};
struct hc_progress_window hc_run_progress_slide(const struct hc_run_progress *progress,
                                                int64_t from_ns, int64_t to_ns, int64_t length_ns);

#endif
