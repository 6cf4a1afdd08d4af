#include "models/account/ettr/run_progress.h"

#include "core/base/memory.h"
#include "core/base/missing.h"
#include "models/account/night/night_runs.h"

#include <math.h>
#include <stdlib.h>

enum hc_status hc_run_progress_add(struct hc_run_progress *progress, const struct hc_slice *slice,
                                   int32_t gpus, struct hc_error *err)
{
    double weight = (double)slice->gpus / gpus;
    if (!hc_ettr_counts(HC_ETTR_BYTEROBUST, slice->what) || slice->to_ns <= slice->from_ns)
        return HC_OK;
    struct hc_progress_stretch *last =
        progress->n_stretches ? &progress->stretches[progress->n_stretches - 1] : NULL;
    if (last && last->to_ns == slice->from_ns && last->weight == weight) {
        last->to_ns = slice->to_ns;
        return HC_OK;
    }
    if (hc_reserve(&progress->stretches, &progress->stretches_room, progress->n_stretches + 1,
                   sizeof *progress->stretches, err))
        return err->status;
    progress->stretches[progress->n_stretches++] =
        (struct hc_progress_stretch){slice->from_ns, slice->to_ns, weight};
    return HC_OK;
}

static int compare_points(const void *a, const void *b)
{
    const struct hc_progress_point *x = a, *y = b;
    if (x->at_ns != y->at_ns)
        return x->at_ns < y->at_ns ? -1 : 1;
    return (x->weight > y->weight) - (x->weight < y->weight);
}

enum hc_status hc_run_progress_end(struct hc_run_progress *progress, struct hc_error *err)
{
    size_t n = 0;
    double weight = 0, s = 0;
    struct hc_progress_point *points = hc_new_array(2 * progress->n_stretches, sizeof *points, err);
    if (!points)
        return err->status;
    for (size_t i = 0; i < progress->n_stretches; i++) {
        const struct hc_progress_stretch *stretch = &progress->stretches[i];
        points[n++] = (struct hc_progress_point){stretch->from_ns, stretch->weight, 0};
        points[n++] = (struct hc_progress_point){stretch->to_ns, -stretch->weight, 0};
    }
    if (n)
        qsort(points, n, sizeof *points, compare_points);
    for (size_t i = 0; i < n; i++) {
        s += i ? weight * (double)(points[i].at_ns - points[i - 1].at_ns) * 1e-9 : 0;
        weight += points[i].weight;
        points[i].weight = fabs(weight) < 1e-9 ? 0 : weight;
        weight = points[i].weight;
        points[i].s = s;
    }
    progress->points = points;
    progress->n_points = n;
    return HC_OK;
}

double hc_run_progress_until(const struct hc_run_progress *progress, int64_t at_ns)
{
    const struct hc_progress_point *points = progress->points;
    size_t low = 0, high = progress->n_points;
    while (low < high) { /* the first point behind it */
        size_t middle = low + (high - low) / 2;
        if (points[middle].at_ns <= at_ns)
            low = middle + 1;
        else
            high = middle;
    }
    if (low == 0)
        return 0;
    return points[low - 1].s +
           points[low - 1].weight * (double)(at_ns - points[low - 1].at_ns) * 1e-9;
}

void hc_run_progress_fini(struct hc_run_progress *progress)
{
    free(progress->stretches);
    free(progress->points);
    *progress = (struct hc_run_progress){.n_points = 0};
}

/* ---- windows ---- */

static double share(const struct hc_run_progress *progress, int64_t end_ns, int64_t length_ns)
{
    double s = hc_run_progress_until(progress, end_ns) -
               hc_run_progress_until(progress, end_ns - length_ns);
    return s / ((double)length_ns * 1e-9);
}

static void look_at(struct hc_progress_window *window, const struct hc_run_progress *progress,
                    int64_t end_ns, int64_t length_ns)
{
    double value = share(progress, end_ns, length_ns);
    if (isnan(window->least) || value < window->least ||
        (value == window->least && end_ns < window->least_ns)) {
        window->least = value;
        window->least_ns = end_ns;
    }
}

/* Between two moments at which something begins or ends, at either side of the window, the share is
 * linear: it is least at one of these. */
struct hc_progress_window hc_run_progress_slide(const struct hc_run_progress *progress,
                                                int64_t from_ns, int64_t to_ns, int64_t length_ns)
{
    struct hc_progress_window window = {NAN, NAN, HC_MISSING_I64};
    if (to_ns - from_ns < length_ns)
        return window;
    look_at(&window, progress, from_ns + length_ns, length_ns);
    for (size_t i = 0; i < progress->n_points; i++) {
        int64_t at_ns = progress->points[i].at_ns;
        if (at_ns > from_ns + length_ns && at_ns < to_ns)
            look_at(&window, progress, at_ns, length_ns);
        if (at_ns > from_ns && at_ns + length_ns < to_ns)
            look_at(&window, progress, at_ns + length_ns, length_ns);
    }
    look_at(&window, progress, to_ns, length_ns);
    window.last = share(progress, to_ns, length_ns);
    return window;
}
