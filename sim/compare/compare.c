#include "sim/compare/compare.h"

#include "core/base/memory.h"
#include "sim/compare/change.h"
#include "sim/compare/compare_parts.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

const char *hc_comparison_verdict_key(enum hc_comparison_verdict verdict)
{
    static const char *const keys[HC_N_COMPARISON_VERDICTS] = {"faster", "slower", "mixed", "same",
                                                               "unsure"};
    return keys[verdict];
}

const char *hc_change_sign_key(enum hc_change_sign sign)
{
    static const char *const keys[] = {"unknown", "no", "up", "down"};
    return keys[sign];
}

const char *hc_culprit_change_key(enum hc_culprit_change change)
{
    static const char *const keys[HC_N_CULPRIT_CHANGES] = {"gone",   "new",  "stronger",
                                                           "weaker", "same", "unsure"};
    return keys[change];
}

/* ---- the job as a whole ---- */

/* Times of each step of both sides; whole: NULL, so that the figure is a mean, or what it is a
 * ratio to. */
static enum hc_status compare_times(struct hc_change *change, const struct hc_comparison *c,
                                    const int64_t *const part[2], const int64_t *const whole[2],
                                    struct hc_error *err)
{
    const struct hc_whatif_result *sides[2] = {c->a, c->b};
    double *values[4] = {NULL, NULL, NULL, NULL};
    enum hc_status status = HC_OK;
    for (int i = 0; i < 2 && status == HC_OK; i++) {
        values[i] = hc_new_seconds(part[i], sides[i]->n_steps, err);
        values[2 + i] = whole[i] ? hc_new_seconds(whole[i], sides[i]->n_steps, err) : NULL;
        if (!values[i] || (whole[i] && !values[2 + i]))
            status = err->status;
    }
    if (status == HC_OK)
        *change = hc_change_of_series(
            &(struct hc_step_series){values[0], values[2], sides[0]->n_steps},
            &(struct hc_step_series){values[1], values[3], sides[1]->n_steps}, 1);
    for (int i = 0; i < 4; i++)
        free(values[i]);
    return status;
}

static struct hc_change compare_intervals(const struct hc_comparison *c, const double value[2],
                                          const struct hc_interval *const interval[2])
{
    if (!c->a->depth.intervals.done || !c->b->depth.intervals.done)
        return hc_change_of_values(value[0], value[1]);
    return hc_change_of_intervals(
        &(struct hc_measured){value[0], interval[0]->low, interval[0]->high},
        &(struct hc_measured){value[1], interval[1]->low, interval[1]->high});
}

/* 1 - 1/S, and the interval that it has by that of S. */
static struct hc_change compare_waste(const struct hc_comparison *c)
{
    struct hc_interval waste[2];
    const struct hc_whatif_result *sides[2] = {c->a, c->b};
    for (int i = 0; i < 2; i++) {
        const struct hc_interval *s = &sides[i]->depth.intervals.slowdown;
        waste[i] = (struct hc_interval){1 - 1 / s->low, 1 - 1 / s->high};
    }
    return compare_intervals(c, (double[]){c->a->waste, c->b->waste},
                             (const struct hc_interval *[]){&waste[0], &waste[1]});
}

static struct hc_change compare_explained(const struct hc_comparison *c,
                                          const struct hc_explained *const explained[2],
                                          const struct hc_interval *const interval[2])
{
    double value[2];
    for (int i = 0; i < 2; i++)
        value[i] = explained[i]->done ? explained[i]->rem : NAN;
    return compare_intervals(c, value, interval);
}

static enum hc_status compare_figures(struct hc_comparison *c, struct hc_error *err)
{
    const struct hc_whatif_result *a = c->a, *b = c->b;
    const struct hc_intervals *of_a = &a->depth.intervals, *of_b = &b->depth.intervals;
    const int64_t *const traced[] = {a->traced_ns, b->traced_ns};
    const int64_t *const replayed[] = {a->replayed_ns, b->replayed_ns};
    const int64_t *const ends[] = {a->replayed_end_ns, b->replayed_end_ns};
    const int64_t *const none[] = {NULL, NULL};
    struct hc_change *figures = c->figures;
    if (compare_times(&figures[HC_COMPARED_STEP], c, traced, none, err) ||
        compare_times(&figures[HC_COMPARED_REPLAYED], c, replayed, none, err) ||
        compare_times(&figures[HC_COMPARED_LAUNCH], c, traced, ends, err))
        return err->status;
    if (a->hides_waiting || b->hides_waiting)
        figures[HC_COMPARED_LAUNCH] = hc_change_of_values(a->launch_slowdown, b->launch_slowdown);
    figures[HC_COMPARED_IDEAL] = hc_change_of_values(a->ideal_s, b->ideal_s);
    figures[HC_COMPARED_SLOWDOWN] =
        compare_intervals(c, (double[]){a->slowdown, b->slowdown},
                          (const struct hc_interval *[]){&of_a->slowdown, &of_b->slowdown});
    figures[HC_COMPARED_WASTE] = compare_waste(c);
    figures[HC_COMPARED_M_W] =
        compare_explained(c, (const struct hc_explained *[]){&a->m_w, &b->m_w},
                          (const struct hc_interval *[]){&of_a->m_w, &of_b->m_w});
    figures[HC_COMPARED_M_S] =
        compare_explained(c, (const struct hc_explained *[]){&a->m_s, &b->m_s},
                          (const struct hc_interval *[]){&of_a->m_s, &of_b->m_s});
    return HC_OK;
}

/* ---- all of it ---- */

enum hc_status hc_compare(struct hc_comparison *comparison, const struct hc_whatif_result *a,
                          const struct hc_whatif_result *b, bool is_same_source,
                          struct hc_error *err)
{
    *comparison = (struct hc_comparison){.a = a, .b = b};
    if (compare_figures(comparison, err) || hc_compare_levels(comparison, err) ||
        hc_compare_types(comparison, err) || hc_compare_stages(comparison, err) ||
        hc_compare_workers(comparison, err) || hc_compare_hosts(comparison, err) ||
        hc_compare_culprits(comparison, err) || hc_compare_note(comparison, is_same_source, err)) {
        hc_comparison_fini(comparison);
        return err->status;
    }
    hc_compare_say(comparison);
    return HC_OK;
}

void hc_comparison_fini(struct hc_comparison *comparison)
{
    free(comparison->stretches);
    free(comparison->types);
    free(comparison->stages);
    free(comparison->workers);
    free(comparison->hosts);
    free(comparison->culprits);
    free(comparison->notes);
    memset(comparison, 0, sizeof *comparison);
}
