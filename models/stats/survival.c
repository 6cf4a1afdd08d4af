#include "models/stats/survival.h"

#include "core/base/memory.h"
#include "models/stats/rounding.h"
#include "models/stats/special.h"

#include <math.h>
#include <stdlib.h>

void hc_survival_fini(struct hc_survival *survival)
{
    free(survival->times);
    *survival = (struct hc_survival){.n = 0};
}

static enum hc_status add(struct hc_survival *survival, struct hc_survival_time time,
                          struct hc_error *err)
{
    if (hc_reserve(&survival->times, &survival->capacity, survival->n + 1, sizeof *survival->times,
                   err))
        return err->status;
    survival->times[survival->n++] = time;
    return HC_OK;
}

enum hc_status hc_survival_add(struct hc_survival *survival, double time, bool is_censored,
                               int64_t count, struct hc_error *err)
{
    return add(survival, (struct hc_survival_time){time, count, is_censored, false}, err);
}

enum hc_status hc_survival_add_residual(struct hc_survival *survival, double time, bool is_censored,
                                        int64_t count, struct hc_error *err)
{
    return add(survival, (struct hc_survival_time){time, count, is_censored, true}, err);
}

static int compare(const void *a, const void *b)
{
    const struct hc_survival_time *x = a, *y = b;
    if (x->time != y->time)
        return x->time < y->time ? -1 : 1;
    int by_end = (x->is_censored > y->is_censored) - (x->is_censored < y->is_censored);
    return by_end ? by_end : (x->is_residual > y->is_residual) - (x->is_residual < y->is_residual);
}

void hc_survival_finish(struct hc_survival *s)
{
    double shortest = 0;
    if (s->n)
        qsort(s->times, s->n, sizeof *s->times, compare);
    for (size_t i = 0; i < s->n && shortest == 0; i++)
        shortest = s->times[i].is_censored ? 0 : s->times[i].time;
    size_t n = 0;
    for (size_t i = 0; i < s->n; i++) {
        struct hc_survival_time *time = &s->times[i];
        if (time->time == 0 && (time->is_censored || shortest == 0))
            continue; /* says nothing, or there is nothing that it could be put beside */
        if (time->time == 0) {
            s->n_zeros += time->count;
            time->time = shortest / 2;
        }
        *(time->is_censored ? &s->n_censored : &s->n_events) += time->count;
        s->n_residual += time->is_residual ? time->count : 0;
        s->total += time->time * (double)time->count;
        if (n && compare(&s->times[n - 1], time) == 0)
            s->times[n - 1].count += time->count;
        else
            s->times[n++] = *time;
    }
    s->n = n;
    /* A zero became half the shortest time, and so may now be longer than a censored time that
     * stands behind it. */
    if (s->n)
        qsort(s->times, s->n, sizeof *s->times, compare);
}

enum hc_status hc_survival_curve(struct hc_survival_curve *curve,
                                 const struct hc_survival *survival, struct hc_error *err)
{
    int64_t n_whole = survival->n_events + survival->n_censored - survival->n_residual;
    double at_risk = (double)n_whole, above = 1;
    *curve = (struct hc_survival_curve){.n = 0};
    if (survival->n_events == 0 || n_whole == 0)
        return HC_OK;
    curve->time_s = hc_new_array(survival->n + 1, 3 * sizeof *curve->time_s, err);
    if (!curve->time_s)
        return err->status;
    curve->above = curve->time_s + survival->n + 1;
    curve->fitted = curve->above + survival->n + 1;
    curve->above[curve->n++] = 1;
    for (size_t i = 0; i < survival->n; i++) {
        const struct hc_survival_time *time = &survival->times[i];
        if (time->is_residual)
            continue;
        if (!time->is_censored) {
            above *= 1 - (double)time->count / at_risk;
            curve->time_s[curve->n] = time->time;
            curve->above[curve->n++] = above;
        }
        at_risk -= (double)time->count;
    }
    return HC_OK;
}

void hc_survival_curve_fini(struct hc_survival_curve *curve)
{
    free(curve->time_s);
}

bool hc_laplace_trend(const struct hc_survival *survival, double *statistic, double *p_value)
{
    if (!(survival->sum_variance > 0))
        return false;
    *statistic = survival->sum_distance / sqrt(survival->sum_variance);
    *p_value = hc_round_digits(hc_sf_normal_two_sided(*statistic), HC_STATS_DIGITS);
    return true;
}
