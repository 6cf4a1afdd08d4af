#include "models/account/tree/straggler_split.h"

#include "core/base/missing.h"

#include <math.h>
#include <stdlib.h>

#define QUARTER_NS ((int64_t)900 * 1000000000)

/* ---- stretches ---- */

static int compare_stretches(const void *a, const void *b)
{
    const struct hc_traced_stretch *x = a, *y = b;
    if (x->from_ns != y->from_ns)
        return x->from_ns < y->from_ns ? -1 : 1;
    if (x->to_ns != y->to_ns)
        return x->to_ns < y->to_ns ? -1 : 1;
    return (x->source > y->source) - (x->source < y->source);
}

void hc_traced_order(struct hc_traced_stretch *stretches, size_t *n)
{
    size_t kept = 0;
    if (*n)
        qsort(stretches, *n, sizeof *stretches, compare_stretches);
    for (size_t i = 0; i < *n; i++) {
        struct hc_traced_stretch at = stretches[i];
        if (kept && at.from_ns < stretches[kept - 1].to_ns)
            at.from_ns = stretches[kept - 1].to_ns;
        if (at.from_ns < at.to_ns)
            stretches[kept++] = at;
    }
    *n = kept;
}

double hc_traced_slowdown(const struct hc_traced_stretch *stretches, size_t n)
{
    double traced = 0, ideal = 0;
    for (size_t i = 0; i < n; i++) {
        double ns = (double)(stretches[i].to_ns - stretches[i].from_ns);
        traced += ns;
        ideal += ns / stretches[i].slowdown;
    }
    return ideal > 0 ? traced / ideal : NAN;
}

/* ---- slices ---- */

/* Time x (1 - 1/S), in whole nanoseconds, and less than the time. */
static int64_t excess_of(int64_t ns, double slowdown)
{
    if (!(slowdown > 1))
        return 0;
    int64_t excess_ns = (int64_t)((double)ns * (1 - 1 / slowdown) + 0.5);
    return excess_ns < ns ? excess_ns : ns - 1;
}

/* The steps of the slice that are done before a time in it, at an even pace. */
static int64_t steps_before(const struct hc_slice *slice, int64_t ns)
{
    return (int64_t)((hc_gpu_ns)slice->steps * (ns - slice->from_ns) /
                     (slice->to_ns - slice->from_ns));
}

/* Steps of one timeline, or (NULL) of none. The two parts stand one behind the other, though the
 * excess is spread over all of the piece. */
static enum hc_status give_piece(const struct hc_slice *piece, const struct hc_traced *traced,
                                 const struct hc_traced_stretch *stretch,
                                 const struct hc_slice_sink *sink, struct hc_error *err)
{
    struct hc_slice ideal = *piece, excess = *piece;
    int64_t excess_ns =
        excess_of(piece->to_ns - piece->from_ns, stretch ? stretch->slowdown : traced->slowdown);
    if (!stretch && !traced->is_sample) {
        ideal.excess_bound_ns = excess_ns;
        return sink->take(&ideal, sink->context, err);
    }
    if (!stretch || stretch->is_estimated)
        ideal.mark = HC_MARK_ESTIMATED;
    ideal.what = HC_WHAT_PRODUCTIVE_IDEAL;
    ideal.rule = stretch ? HC_RULE_TIMELINE : HC_RULE_TIMELINE_OF_OTHERS;
    ideal.to_ns -= excess_ns;
    excess.mark = ideal.mark;
    excess.rule = ideal.rule;
    excess.what = HC_WHAT_PRODUCTIVE_STRAGGLER_EXCESS;
    excess.from_ns = ideal.to_ns;
    excess.steps = 0;
    excess.uncertain_ns = 0;
    if (stretch) {
        excess.source = stretch->source;
        excess.line = HC_MISSING_I64;
    }
    return sink->take(&ideal, sink->context, err) ||
                   (excess_ns && sink->take(&excess, sink->context, err))
               ? err->status
               : HC_OK;
}

static int64_t next_quarter(int64_t ns)
{
    int64_t into_ns = ns % QUARTER_NS;
    return ns - into_ns + (into_ns < 0 ? 0 : QUARTER_NS);
}

enum hc_status hc_straggler_split(const struct hc_slice *slice, const struct hc_traced *traced,
                                  const struct hc_slice_sink *sink, struct hc_error *err)
{
    if (slice->what != HC_WHAT_PRODUCTIVE_UNSPLIT || traced->n == 0)
        return sink->take(slice, sink->context, err);
    struct hc_slice piece = *slice;
    size_t i = 0;
    while (piece.from_ns < slice->to_ns) {
        while (i < traced->n && traced->stretches[i].to_ns <= piece.from_ns)
            i++;
        const struct hc_traced_stretch *next = i < traced->n ? &traced->stretches[i] : NULL;
        bool is_traced = next && next->from_ns <= piece.from_ns;
        int64_t border_ns = !next ? INT64_MAX : is_traced ? next->to_ns : next->from_ns;
        int64_t quarter_ns = next_quarter(piece.from_ns);
        piece.to_ns = border_ns < quarter_ns ? border_ns : quarter_ns;
        piece.to_ns = piece.to_ns < slice->to_ns ? piece.to_ns : slice->to_ns;
        piece.steps = steps_before(slice, piece.to_ns) - steps_before(slice, piece.from_ns);
        if (give_piece(&piece, traced, is_traced ? next : NULL, sink, err))
            return err->status;
        piece.from_ns = piece.to_ns;
        piece.uncertain_ns = 0;
    }
    return HC_OK;
}
