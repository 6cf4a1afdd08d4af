/* clock_drift.c - clocks that run faster than others: the residuals of a rank rise with time. */
#include "models/clocks/clock_set.h"

#include "core/base/memory.h"
#include "core/base/select.h"
#include "core/base/sort_keys.h"

#include <math.h>
#include <stdlib.h>

/* Theil and Sen look at each pair of points. So many events are taken as they are, more of
 * them as medians of blocks. */
#define MOST_POINTS 200
/* Three points in a row happen by chance. */
#define FEWEST_POINTS 6

struct points {
    size_t n;
    double at[MOST_POINTS], residual[MOST_POINTS]; /* ns */
    double slopes[MOST_POINTS * (MOST_POINTS - 1) / 2];
};

/* The members of the rank by the time of their events. */
static enum hc_status sort_members(const struct hc_clock_set *set, size_t rank,
                                   struct hc_sort_key *keys, struct hc_error *err)
{
    size_t first = set->rank_first[rank], n = set->rank_first[rank + 1] - first;
    for (size_t i = 0; i < n; i++) {
        uint32_t m = set->members[first + i];
        keys[i] = (struct hc_sort_key){set->true_end_ns[set->of[m]], m};
    }
    return hc_sort_keys(keys, n, err);
}

/* One point of the members in keys: the middle one's time, the lower median of their residuals. */
static void add_point(const struct hc_clock_set *set, const struct hc_sort_key *keys, size_t n,
                      int64_t *buffer, struct points *points)
{
    for (size_t i = 0; i < n; i++) {
        uint32_t m = keys[i].row;
        buffer[i] = set->end_ns[m] - set->offset_ns[set->rank[m]] - keys[i].key;
    }
    points->at[points->n] = (double)keys[(n - 1) / 2].key;
    points->residual[points->n++] = (double)hc_lower_median_i64(buffer, n);
}

/* The median slope of all pairs of points at different times; 0 where there is none. */
static double median_slope(struct points *points)
{
    size_t n = 0;
    for (size_t i = 0; i < points->n; i++)
        for (size_t j = i + 1; j < points->n; j++)
            if (points->at[j] > points->at[i])
                points->slopes[n++] =
                    (points->residual[j] - points->residual[i]) / (points->at[j] - points->at[i]);
    return n > 0 ? hc_median(points->slopes, n) : 0;
}

struct scratch {
    struct hc_sort_key *keys;
    int64_t *buffer;
    struct points *points;
    double *slope, *span; /* of each rank */
};

/* The slope of the residuals of a rank, and the time from its first event to its last. */
static enum hc_status find_slope(const struct hc_clock_set *set, size_t rank, struct scratch *s,
                                 struct hc_error *err)
{
    size_t n = set->rank_first[rank + 1] - set->rank_first[rank];
    size_t n_points = n < MOST_POINTS ? n : MOST_POINTS;
    s->slope[rank] = s->span[rank] = 0;
    if (n < FEWEST_POINTS)
        return HC_OK;
    if (sort_members(set, rank, s->keys, err))
        return err->status;
    s->points->n = 0;
    for (size_t p = 0; p < n_points; p++) {
        size_t from = p * n / n_points, to = (p + 1) * n / n_points;
        add_point(set, s->keys + from, to - from, s->buffer, s->points);
    }
    s->slope[rank] = median_slope(s->points);
    s->span[rank] = (double)(s->keys[n - 1].key - s->keys[0].key);
    return HC_OK;
}

/* Of two ranks, or of a few, each shows a part of the drift between them: so slopes are compared
 * with that of the reference. */
static bool has_drift(const struct hc_clock_set *set, const struct scratch *s, size_t rank)
{
    double change = (s->slope[rank] - s->slope[set->reference[rank]]) * s->span[rank];
    return fabs(change) > (double)set->max_residual_ns;
}

enum hc_status hc_clock_set_drifts(const struct hc_clock_set *set, bool *drifts,
                                   struct hc_error *err)
{
    struct scratch s = {.keys = hc_new_array(set->n, sizeof *s.keys, err)};
    s.buffer = s.keys ? hc_new_array(set->n, sizeof *s.buffer, err) : NULL;
    s.points = s.buffer ? hc_new_array(1, sizeof *s.points, err) : NULL;
    s.slope = s.points ? hc_new_array(set->n_ranks, sizeof *s.slope, err) : NULL;
    s.span = s.slope ? hc_new_array(set->n_ranks, sizeof *s.span, err) : NULL;
    enum hc_status status = s.span ? HC_OK : err->status;
    *drifts = false;
    for (size_t r = 0; status == HC_OK && r < set->n_ranks; r++)
        status = find_slope(set, r, &s, err);
    for (size_t r = 0; status == HC_OK && r < set->n_ranks; r++)
        *drifts |= has_drift(set, &s, r);
    free(s.keys);
    free(s.buffer);
    free(s.points);
    free(s.slope);
    free(s.span);
    return status;
}
