/* compare_notes.c - what of two jobs cannot be compared, and what to keep in mind. */
#include "core/base/memory.h"
#include "core/text/number_format.h"
#include "sim/compare/compare_parts.h"

#include <inttypes.h>
#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>

#define MOST_NOTES 16

__attribute__((format(printf, 2, 3))) static void note(struct hc_comparison *c, const char *format,
                                                       ...)
{
    if (c->n_notes == MOST_NOTES)
        return;
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(c->notes[c->n_notes++], HC_COMPARE_NOTE, format, arguments);
    va_end(arguments);
}

/* ---- shape ---- */

/* Forward passes of a stage in a step, of one dp rank: its microbatches, times its model chunks. */
static double passes_of_step(const struct hc_whatif_result *r)
{
    return (double)r->n_by_type[HC_FORWARD_COMPUTE] / ((double)r->n_workers * (double)r->n_steps);
}

static void note_sizes(struct hc_comparison *c)
{
    const struct {
        const char *name, *consequence;
        int32_t a, b;
    } sizes[] = {
        {"stages", "stages and workers are not compared", c->a->pp_size, c->b->pp_size},
        {"dp ranks", "workers are not compared one by one", c->a->dp_size, c->b->dp_size},
        {"model chunks a stage", "a pass is not the same work", c->a->vpp_size, c->b->vpp_size},
        {"tensor-parallel ranks", "a pass is not the same work", c->a->job.tp_size,
         c->b->job.tp_size},
        {"sequence-parallel ranks", "a pass is not the same work", c->a->job.dsp_size,
         c->b->job.dsp_size},
    };
    for (size_t i = 0; i < sizeof sizes / sizeof sizes[0]; i++)
        if (sizes[i].a != HC_MISSING_I32 && sizes[i].b != HC_MISSING_I32 &&
            sizes[i].a != sizes[i].b)
            note(c, "A has %" PRId32 " %s, B %" PRId32 ": %s", sizes[i].a, sizes[i].name,
                 sizes[i].b, sizes[i].consequence);
    double a = passes_of_step(c->a), b = passes_of_step(c->b);
    if (fabs(a - b) > 1e-6)
        note(c,
             "a stage does %.3g forward passes in a step of A, %.3g in one of B: their mean steps "
             "are not the same work",
             a, b);
}

/* ---- steps ---- */

static void note_few_steps(struct hc_comparison *c)
{
    const struct hc_whatif_result *sides[2] = {c->a, c->b};
    for (int i = 0; i < 2; i++)
        if (sides[i]->n_steps < HC_INTERVALS_LEAST_STEPS)
            note(c, "%s has %zu step%s: differences have no interval, which needs %d on each side",
                 i == 0 ? "A" : "B", sides[i]->n_steps, sides[i]->n_steps == 1 ? "" : "s",
                 HC_INTERVALS_LEAST_STEPS);
}

/* Steps that stand apart, which are no part of either sample. */
static void note_outliers(struct hc_comparison *c)
{
    const struct hc_whatif_result *sides[2] = {c->a, c->b};
    for (int i = 0; i < 2; i++) {
        const struct hc_left_out_step *first = NULL;
        size_t n = 0;
        for (size_t s = 0; s < sides[i]->n_left_out; s++) {
            const struct hc_left_out_step *out = &sides[i]->left_out[s];
            if (out->fate != HC_STEP_WARM_UP && out->fate != HC_STEP_OUTLIER)
                continue;
            first = n++ ? first : out;
        }
        if (n > 0)
            note(c,
                 "of %s %zu step%s left out, standing apart from the others: step %" PRId32 " %s%s",
                 i == 0 ? "A" : "B", n, n == 1 ? " is" : "s are", first->step, first->detail,
                 n > 1 ? ", ..." : "");
    }
}

/* "B changes its level: 833.0 ms in steps 11 to 14, 1.021 s in steps 15 to 31" */
static void note_levels(struct hc_comparison *c)
{
    for (int i = 0; i < 2; i++) {
        const struct hc_whatif_result *r = i == 0 ? c->a : c->b;
        char text[HC_COMPARE_NOTE], time[HC_NUMBER_TEXT];
        size_t n_steps = 0, n = 0, used = 0;
        for (size_t k = 0; k < c->n_stretches; k++) {
            const struct hc_compared_stretch *stretch = &c->stretches[k];
            if (stretch->in_b != (i == 1))
                continue;
            n++;
            n_steps += stretch->last - stretch->first + 1;
            used += (size_t)snprintf(text + used, sizeof text - used,
                                     "%s %s in steps %" PRId32 " to %" PRId32, used ? "," : "",
                                     hc_format_seconds(stretch->mean_s, time),
                                     r->steps[stretch->first], r->steps[stretch->last]);
        }
        if (n > 1 && n_steps == r->n_steps)
            note(c, "%s changes its level:%s", i == 0 ? "A" : "B", text);
    }
}

/* Both lists ascend. */
static size_t count_shared(const struct hc_whatif_result *a, const struct hc_whatif_result *b)
{
    size_t n = 0;
    for (size_t i = 0, k = 0; i < a->n_steps && k < b->n_steps;) {
        n += a->steps[i] == b->steps[k];
        int32_t step = a->steps[i];
        i += step <= b->steps[k];
        k += b->steps[k] <= step;
    }
    return n;
}

static void note_shared_steps(struct hc_comparison *c)
{
    size_t n = count_shared(c->a, c->b);
    if (n > 0)
        note(c,
             "A and B share %zu step%s of one source: they are not two samples, and the intervals "
             "are wider than they need be",
             n, n == 1 ? "" : "s");
}

/* ---- what one side lacks ---- */

static void note_lacks(struct hc_comparison *c)
{
    const struct hc_whatif_result *a = c->a, *b = c->b;
    if (a->hides_waiting != b->hides_waiting)
        note(c, "%s shows transfers without the wait before them: launch delays are not compared",
             a->hides_waiting ? "A" : "B");
    if ((a->job.n_nodes == 0) != (b->job.n_nodes == 0))
        note(c, "the metadata of %s names no hosts: they are not compared",
             a->job.n_nodes == 0 ? "A" : "B");
    for (int i = 0; i < 2; i++) {
        const struct hc_whatif_result *r = i == 0 ? a : b;
        if (r->discrepancy > HC_DISCREPANCY_LIMIT)
            note(c,
                 "the replay of %s is off by more than 5 %%: its S, and what comes from it, does "
                 "not stand for the job",
                 i == 0 ? "A" : "B");
        if (r->n_steps >= HC_INTERVALS_LEAST_STEPS && isnan(r->depth.intervals.slowdown.low))
            note(c, "S of %s has no interval: whether S changed is not known", i == 0 ? "A" : "B");
    }
}

enum hc_status hc_compare_note(struct hc_comparison *c, bool is_same_source, struct hc_error *err)
{
    c->notes = hc_new_array(MOST_NOTES, sizeof *c->notes, err);
    if (!c->notes)
        return err->status;
    note_sizes(c);
    note_few_steps(c);
    note_outliers(c);
    note_levels(c);
    if (is_same_source)
        note_shared_steps(c);
    note_lacks(c);
    return HC_OK;
}
