#include "sim/replay/step_outliers.h"

#include "core/base/memory.h"
#include "core/base/select.h"

#include <math.h>
#include <stdlib.h>

/* The first steps are warm-up when they are longer than the median of the rest by so many robust
 * standard deviations, and by this part of it. */
#define APART_DEVIATIONS 6.0
#define APART_WARM_UP    1.25
/* Any other step must be this many times as long as the median. */
#define APART_ANYWHERE 3.0

#define MOST_WARM_UP 5

/* At most one in so many steps, but always one. */
#define STEPS_A_WARM_UP  10
#define STEPS_AN_OUTLIER 20

static size_t most_of(size_t n, size_t steps_each)
{
    return n < steps_each ? 1 : n / steps_each;
}

/* From which span on a step stands apart from n others, whose spans are reordered. */
static double apart_from(double *others, size_t n, double factor, double *median)
{
    *median = hc_median(others, n);
    for (size_t i = 0; i < n; i++)
        others[i] = fabs(others[i] - *median);
    double sd = HC_MAD_TO_SD * hc_median(others, n);
    return fmax(factor * *median, *median + APART_DEVIATIONS * sd);
}

static enum hc_status ask_shared(bool *shared, const struct hc_step_outliers *o, size_t s,
                                 struct hc_error *err)
{
    *shared = true;
    return o->is_shared ? o->is_shared(shared, s, o->context, err) : HC_OK;
}

/* The first steps, one after the other, that stand apart from the steps after the first few. More
 * of them than these few are no warm-up but a level of their own. */
static enum hc_status find_warm_up(struct hc_step_outliers *o, double *others, struct hc_error *err)
{
    size_t most = most_of(o->n, STEPS_A_WARM_UP);
    most = most < MOST_WARM_UP ? most : MOST_WARM_UP;
    for (size_t s = most; s < o->n; s++)
        others[s - most] = (double)o->span_ns[s];
    double limit = apart_from(others, o->n - most, APART_WARM_UP, &o->median_ns);
    size_t n_apart = 0;
    while (n_apart <= most && (double)o->span_ns[n_apart] > limit)
        n_apart++;
    if (n_apart > most)
        return HC_OK;
    for (size_t s = 0; s < n_apart; s++) {
        bool shared;
        if (ask_shared(&shared, o, s, err))
            return err->status;
        if (!shared)
            break;
        o->fate[s] = HC_STEP_WARM_UP;
    }
    return HC_OK;
}

static size_t list_used(const struct hc_step_outliers *o, double *spans)
{
    size_t n = 0;
    for (size_t s = 0; s < o->n; s++)
        if (o->fate[s] == HC_STEP_USED)
            spans[n++] = (double)o->span_ns[s];
    return n;
}

/* Single steps among those that are no warm-up. Where there are more than a few, they are how the
 * job is. */
static enum hc_status find_single(struct hc_step_outliers *o, double *others, struct hc_error *err)
{
    size_t n_found = 0;
    double limit = apart_from(others, list_used(o, others), APART_ANYWHERE, &o->median_ns);
    for (size_t s = 0; s < o->n; s++) {
        bool shared;
        if (o->fate[s] != HC_STEP_USED || (double)o->span_ns[s] <= limit)
            continue;
        if (ask_shared(&shared, o, s, err))
            return err->status;
        o->fate[s] = shared ? HC_STEP_OUTLIER : HC_STEP_USED;
        n_found += shared;
    }
    for (size_t s = 0; s < o->n && n_found > most_of(o->n, STEPS_AN_OUTLIER); s++)
        if (o->fate[s] == HC_STEP_OUTLIER)
            o->fate[s] = HC_STEP_USED;
    return HC_OK;
}

enum hc_status hc_step_outliers_find(struct hc_step_outliers *outliers, struct hc_error *err)
{
    for (size_t s = 0; s < outliers->n; s++)
        outliers->fate[s] = HC_STEP_USED;
    outliers->median_ns = NAN;
    if (outliers->n < HC_OUTLIERS_LEAST_STEPS)
        return HC_OK;
    double *others = hc_new_array(outliers->n, sizeof *others, err);
    if (!others)
        return err->status;
    enum hc_status status = find_warm_up(outliers, others, err);
    if (status == HC_OK)
        status = find_single(outliers, others, err);
    if (status == HC_OK)
        outliers->median_ns = hc_median(others, list_used(outliers, others));
    free(others);
    return status;
}
