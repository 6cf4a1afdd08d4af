/* compare_levels.c - a side whose steps change within it: which stretches of its steps are slower
 * or faster than the other side. */
#include "core/base/memory.h"
#include "sim/compare/change.h"
#include "sim/compare/compare_parts.h"
#include "sim/whatif/change/level_stretches.h"

#include <math.h>
#include <stdlib.h>

#define NS_PER_S 1e9

/* Steps that drift have no levels. A stretch of these counts from this share of the side on, and
 * where its mean is so many standard deviations beyond all steps of the other side by which steps
 * differ from the one before: few stretches of equal sides are, also of correlated steps. */
#define LEAST_SHARE      (1.0 / 3)
#define LEAST_DEVIATIONS 4.0

/* Both sides together. */
#define MOST_STRETCHES (2 * HC_MOST_LEVEL_STRETCHES)

double *hc_new_seconds(const int64_t *ns, size_t n, struct hc_error *err)
{
    double *seconds = hc_new_array(n, sizeof *seconds, err);
    for (size_t s = 0; seconds && s < n; s++)
        seconds[s] = (double)ns[s] / NS_PER_S;
    return seconds;
}

/* Add a stretch of the steps of `own`, held against all steps of `other`. A difference that would
 * be no change of level counts as none. */
static void add_stretch(struct hc_comparison *c, bool in_b, struct hc_level_stretch stretch,
                        const struct hc_step_series sides[2])
{
    const struct hc_step_series own = {sides[in_b].part + stretch.first, NULL,
                                       stretch.last - stretch.first + 1};
    struct hc_change change = hc_change_of_series(&sides[!in_b], &own, 1);
    bool is_level = fabs(change.relative) >= HC_LEAST_LEVEL_RISE;
    c->stretches[c->n_stretches++] = (struct hc_compared_stretch){
        .in_b = in_b,
        .first = stretch.first,
        .last = stretch.last,
        .mean_s = change.b,
        .sign = is_level && change.sign != HC_CHANGE_UNKNOWN ? change.sign : HC_CHANGE_NONE};
}

/* Which way a step lies beyond all steps of the other side. */
static enum hc_change_sign beyond(double step, const struct hc_step_range *other)
{
    return step > other->most    ? HC_CHANGE_UP
           : step < other->least ? HC_CHANGE_DOWN
                                 : HC_CHANGE_NONE;
}

static bool is_far_beyond(double mean, const struct hc_step_range *other, double noise)
{
    return fmax(mean - other->most, other->least - mean) >= LEAST_DEVIATIONS * noise;
}

static void add_drifts(struct hc_comparison *c, bool in_b, const struct hc_step_series sides[2])
{
    const struct hc_step_series *own = &sides[in_b];
    double noise = fmax(hc_step_noise(&sides[0]), hc_step_noise(&sides[1]));
    size_t least = (size_t)fmax(HC_LEAST_LEVEL_STRETCH, ceil(LEAST_SHARE * (double)own->n));
    for (size_t first = 0, end; first < own->n; first = end) {
        enum hc_change_sign sign = beyond(own->part[first], &c->range[!in_b]);
        for (end = first + 1; end < own->n; end++)
            if (beyond(own->part[end], &c->range[!in_b]) != sign)
                break;
        if (sign == HC_CHANGE_NONE || end - first < least)
            continue;
        add_stretch(c, in_b, (struct hc_level_stretch){first, end - 1}, sides);
        if (!is_far_beyond(c->stretches[c->n_stretches - 1].mean_s, &c->range[!in_b], noise))
            c->n_stretches--;
    }
}

static enum hc_status add_side(struct hc_comparison *c, bool in_b,
                               const struct hc_step_series sides[2], struct hc_error *err)
{
    struct hc_level_stretch stretches[HC_MOST_LEVEL_STRETCHES];
    enum hc_change_sign sign = c->figures[HC_COMPARED_STEP].sign;
    size_t n;
    if (hc_level_stretches_find(stretches, &n, sides[in_b].part, sides[in_b].n, err))
        return err->status;
    for (size_t i = 0; i < n; i++)
        add_stretch(c, in_b, stretches[i], sides);
    if (n == 0 && sign != HC_CHANGE_UP && sign != HC_CHANGE_DOWN)
        add_drifts(c, in_b, sides);
    return HC_OK;
}

enum hc_status hc_compare_levels(struct hc_comparison *c, struct hc_error *err)
{
    const struct hc_whatif_result *results[2] = {c->a, c->b};
    double *seconds[2] = {NULL, NULL};
    struct hc_step_series sides[2];
    c->stretches = hc_new_array(MOST_STRETCHES, sizeof *c->stretches, err);
    enum hc_status status = c->stretches ? HC_OK : err->status;
    for (int i = 0; i < 2 && status == HC_OK; i++) {
        size_t n = results[i]->n_steps;
        seconds[i] = hc_new_seconds(results[i]->traced_ns, n, err);
        status = seconds[i] ? HC_OK : err->status;
        sides[i] = (struct hc_step_series){seconds[i], NULL, n};
        c->range[i] = (struct hc_step_range){INFINITY, -INFINITY};
        for (size_t s = 0; s < n && status == HC_OK; s++) {
            c->range[i].least = fmin(c->range[i].least, seconds[i][s]);
            c->range[i].most = fmax(c->range[i].most, seconds[i][s]);
        }
    }
    for (int i = 0; i < 2 && status == HC_OK; i++)
        status = add_side(c, i == 1, sides, err);
    free(seconds[0]);
    free(seconds[1]);
    return status;
}
