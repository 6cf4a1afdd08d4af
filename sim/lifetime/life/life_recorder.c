#include "sim/lifetime/life/life_recorder.h"

#include "core/base/memory.h"
#include "sim/lifetime/life/life_fold.h"

#include <stdlib.h>
#include <string.h>

void hc_life_recorder_start(struct hc_life_recorder *recorder, struct hc_lifetime_trace *trace,
                            struct hc_life_end *end, int32_t nodes)
{
    recorder->trace = trace;
    recorder->end = end;
    recorder->nodes = nodes;
    hc_life_fold_start(trace);
    trace->n_spans = trace->n_marks = recorder->n_rhythms = 0;
    recorder->run_ns = recorder->excess_ns = 0;
    recorder->slow = 1;
    recorder->without = 0;
    recorder->missed_by = -1;
}

void hc_life_recorder_fini(struct hc_life_recorder *recorder)
{
    free(recorder->rhythm);
    *recorder = (struct hc_life_recorder){0};
}

/* Stretches of steps in which the job only stood for a save are that. */
static void name_stall(struct hc_lifetime_span *span)
{
    if (!span->stall_ns || span->stall_ns != span->end_ns - span->start_ns)
        return;
    span->what = HC_WHAT_CHECKPOINT_STALL;
    span->why = HC_WHY_NONE;
    span->cause = -1;
    span->stall_ns = 0;
}

/* Steps since a save and saves before it may be lost in one go: that is one stretch. */
static bool lost_together(const struct hc_lifetime_span *a, const struct hc_lifetime_span *b)
{
    return a->what == HC_WHAT_LOST_WORK && b->what == HC_WHAT_LOST_WORK && a->why == b->why &&
           a->cause == b->cause && !a->excess_ns && !b->excess_ns && !a->more && !b->more;
}

/* Give the stretches that are over, all but the last `n_open`, the names that stay. */
static void tidy(struct hc_lifetime_trace *trace, size_t n_open)
{
    size_t n = 0;
    for (size_t i = 0; i < trace->n_spans; i++) {
        struct hc_lifetime_span *span = &trace->span[i];
        bool is_over = i + n_open < trace->n_spans;
        if (is_over)
            name_stall(span);
        if (is_over && n && lost_together(&trace->span[n - 1], span)) {
            trace->span[n - 1].end_ns = span->end_ns;
            trace->span[n - 1].stall_ns += span->stall_ns;
        } else {
            trace->span[n++] = *span;
        }
    }
    trace->n_spans = n;
}

/* Keep the rhythms of stretches that may still be cut by them. */
static void forget_rhythms(struct hc_life_recorder *r)
{
    const struct hc_lifetime_span *span = r->trace->span;
    size_t n = 0;
    for (size_t i = 0, s = 0; i < r->n_rhythms; i++) {
        while (s < r->trace->n_spans && span[s].start_ns < r->rhythm[i].start_ns)
            s++;
        if (s < r->trace->n_spans && span[s].start_ns == r->rhythm[i].start_ns &&
            span[s].what == HC_WHAT_PRODUCTIVE_IDEAL && !span[s].more)
            r->rhythm[n++] = r->rhythm[i];
    }
    r->n_rhythms = n;
}

/* Where the record has reached its bound: while no start-up is under way, which may fail and then
 * gets another name from its begin on. */
static void keep_bound(struct hc_life_recorder *r)
{
    if (!hc_life_fold_is_due(r->trace))
        return;
    tidy(r->trace, 1);
    hc_life_fold(r->trace, r->nodes);
    forget_rhythms(r);
}

void hc_life_recorder_end(struct hc_life_recorder *recorder)
{
    struct hc_lifetime_trace *trace = recorder->trace;
    tidy(trace, 0);
    if (trace->fold.slice_ns)
        hc_life_fold(trace, recorder->nodes);
    for (size_t i = 0; i < trace->n_spans; i++)
        hc_life_weigh_missing(&trace->span[i], recorder->nodes);
}

static int64_t last_end(const struct hc_lifetime_trace *trace)
{
    return trace->n_spans ? trace->span[trace->n_spans - 1].end_ns : 0;
}

static int32_t blamed(int32_t blame)
{
    return blame < HC_LIFETIME_MAX_FAULTS ? blame : -1;
}

/* Room for one more stretch; false on failure, which ends the life. */
static bool has_room(struct hc_life_recorder *r)
{
    struct hc_lifetime_trace *trace = r->trace;
    return !hc_life_failed(r->end,
                           hc_reserve(&trace->span, &trace->span_capacity, trace->n_spans + 1,
                                      sizeof *trace->span, r->end->err));
}

/* The stretch from the end of the last one until now; NULL when that is no time, or on failure. */
static struct hc_lifetime_span *new_span(struct hc_life_recorder *r, int64_t now_ns)
{
    int64_t start_ns = last_end(r->trace);
    if (start_ns == now_ns || !has_room(r))
        return NULL;
    struct hc_lifetime_span *span = &r->trace->span[r->trace->n_spans++];
    *span = (struct hc_lifetime_span){.start_ns = start_ns, .end_ns = now_ns, .cause = -1};
    return span;
}

void hc_life_record(struct hc_life_recorder *r, int64_t now_ns, int32_t what, enum hc_why why,
                    int32_t blame)
{
    struct hc_lifetime_span *span = new_span(r, now_ns);
    if (!span)
        return;
    span->what = what;
    span->why = (int32_t)why;
    span->cause = blamed(blame);
}

void hc_life_record_failed_start(struct hc_life_recorder *r, int64_t since_ns)
{
    struct hc_lifetime_trace *trace = r->trace;
    for (size_t i = trace->n_spans; i-- > 0 && trace->span[i].start_ns >= since_ns;)
        trace->span[i].what = HC_WHAT_STARTUP_FAILED;
    keep_bound(r);
}

void hc_life_record_mark(struct hc_life_recorder *r, struct hc_lifetime_mark mark)
{
    struct hc_lifetime_trace *trace = r->trace;
    if (hc_life_failed(r->end, hc_reserve(&trace->mark, &trace->mark_capacity, trace->n_marks + 1,
                                          sizeof *trace->mark, r->end->err)))
        return;
    trace->mark[trace->n_marks++] = mark;
}

/* ---- steps ---- */

/* The rhythm of the saves around now_ns, from start_ns on. */
static struct hc_life_rhythm rhythm_of(const struct hc_life_progress *p, int64_t now_ns,
                                       int64_t start_ns)
{
    struct hc_life_rhythm r = {start_ns, start_ns, p->every_ns, p->stall_ns};
    if (r.every_ns == HC_LIFE_NEVER)
        return r;
    int64_t cycle_ns = r.every_ns + r.stall_ns;
    r.origin_ns = now_ns - p->since_ns;
    if (p->stall_left_ns)
        r.origin_ns += p->stall_left_ns - cycle_ns;
    if (r.origin_ns > start_ns)
        r.origin_ns -= (r.origin_ns - start_ns + cycle_ns - 1) / cycle_ns * cycle_ns;
    return r;
}

static bool same_rhythm(const struct hc_life_rhythm *a, const struct hc_life_rhythm *b)
{
    if (a->every_ns != b->every_ns || a->stall_ns != b->stall_ns)
        return false;
    return a->every_ns == HC_LIFE_NEVER ||
           (b->origin_ns - a->origin_ns) % (a->every_ns + a->stall_ns) == 0;
}

/* The stretch of these steps, a new one or, where they go on as before, the last; it lasts until
 * now_ns. NULL on failure. */
static struct hc_lifetime_span *steps_span(struct hc_life_recorder *r, int64_t now_ns, double slow,
                                           const struct hc_life_rhythm *rhythm,
                                           struct hc_life_missing missing)
{
    size_t n = r->trace->n_spans;
    struct hc_lifetime_span *last = n ? &r->trace->span[n - 1] : NULL;
    if (last && last->what == HC_WHAT_PRODUCTIVE_IDEAL && r->slow == slow &&
        r->without == missing.without && r->missed_by == missing.missed_by &&
        same_rhythm(&r->rhythm[r->n_rhythms - 1], rhythm)) {
        last->end_ns = now_ns;
        return last;
    }
    struct hc_lifetime_span *span = new_span(r, now_ns);
    if (!span ||
        hc_life_failed(r->end, hc_reserve(&r->rhythm, &r->rhythm_capacity, r->n_rhythms + 1,
                                          sizeof *r->rhythm, r->end->err)))
        return NULL;
    r->rhythm[r->n_rhythms++] = *rhythm;
    span->what = HC_WHAT_PRODUCTIVE_IDEAL;
    span->why = HC_WHY_NONE;
    span->cause = r->missed_by = missing.missed_by;
    span->missing_ns = r->without = missing.without;
    return span;
}

void hc_life_record_steps(struct hc_life_recorder *r, int64_t now_ns,
                          const struct hc_life_progress *p, struct hc_life_missing missing)
{
    keep_bound(r);
    struct hc_life_run sum = hc_work_sum(p);
    int64_t start_ns = last_end(r->trace), run_ns = sum.ideal_ns + sum.excess_ns;
    if (start_ns == now_ns)
        return;
    struct hc_life_rhythm rhythm = rhythm_of(p, now_ns, start_ns);
    struct hc_lifetime_span *span = steps_span(r, now_ns, p->slow, &rhythm, missing);
    if (!span)
        return;
    span->stall_ns += now_ns - start_ns - (run_ns - r->run_ns);
    span->excess_ns += sum.excess_ns - r->excess_ns;
    r->run_ns = run_ns;
    r->excess_ns = sum.excess_ns;
    r->slow = p->slow;
}

/* ---- losses ---- */

/* Run time from the origin of a rhythm to at_ns, and the other way round: the first moment by which
 * run_ns were run, which is the snapshot where a save follows. */
static int64_t run_until(const struct hc_life_rhythm *r, int64_t at_ns)
{
    int64_t cycle_ns = r->every_ns + r->stall_ns, since_ns = at_ns - r->origin_ns;
    int64_t in_cycle = since_ns % cycle_ns;
    return since_ns / cycle_ns * r->every_ns + (in_cycle < r->every_ns ? in_cycle : r->every_ns);
}

static int64_t moment_of(const struct hc_life_rhythm *r, int64_t run_ns)
{
    int64_t saves = run_ns > 0 ? (run_ns - 1) / r->every_ns : 0;
    return r->origin_ns + run_ns + saves * r->stall_ns;
}

/* Of the stretch that began at start_ns; NULL where it is forgotten. */
static const struct hc_life_rhythm *find_rhythm(const struct hc_life_recorder *r, int64_t start_ns)
{
    size_t n = r->n_rhythms;
    while (n > 0 && r->rhythm[n - 1].start_ns > start_ns)
        n--;
    return n > 0 && r->rhythm[n - 1].start_ns == start_ns ? &r->rhythm[n - 1] : NULL;
}

static int64_t share_of(int64_t whole_ns, int64_t part_ns, int64_t of_ns)
{
    return (int64_t)((hc_gpu_ns)whole_ns * part_ns / of_ns);
}

/* The stalls that came after the snapshot behind which run_ns of the span's steps lie. Where in a
 * slice they were that was summed up is not known: they get their share, as does a span that was
 * moved within its slice, and lies by chance where another began. */
static int64_t stall_behind(const struct hc_life_recorder *r, const struct hc_lifetime_span *span,
                            int64_t run_ns)
{
    const struct hc_life_rhythm *rhythm = span->more ? NULL : find_rhythm(r, span->start_ns);
    if (rhythm) {
        int64_t at_ns = moment_of(rhythm, run_until(rhythm, span->end_ns) - run_ns);
        int64_t stall_ns = span->end_ns - at_ns - run_ns;
        if (stall_ns >= 0 && stall_ns <= span->stall_ns)
            return stall_ns;
    }
    return share_of(span->stall_ns, run_ns, span->end_ns - span->start_ns - span->stall_ns);
}

/* Cut span i so that its last run_ns of steps, with excess_ns, are a stretch of their own, i + 1.
 * An elastic job may have several sums of steps in a slice; of the slow ones that are lost some may
 * then be in another. */
static bool cut(struct hc_life_recorder *r, size_t i, int64_t run_ns, int64_t excess_ns)
{
    struct hc_lifetime_trace *trace = r->trace;
    if (!has_room(r))
        return false;
    struct hc_lifetime_span *early = &trace->span[i], *late = early + 1;
    memmove(late, early, (trace->n_spans++ - i) * sizeof *early);
    int64_t ran_ns = early->end_ns - early->start_ns - early->stall_ns;
    late->stall_ns = stall_behind(r, early, run_ns);
    late->excess_ns = excess_ns < early->excess_ns ? excess_ns : early->excess_ns;
    late->more = 0;
    early->end_ns = late->start_ns = late->end_ns - run_ns - late->stall_ns;
    early->stall_ns -= late->stall_ns;
    early->excess_ns -= late->excess_ns;
    if (early->more)
        early->missing_ns -= share_of(early->missing_ns, run_ns, ran_ns);
    return true;
}

static bool is_folded(const struct hc_lifetime_trace *trace)
{
    return trace->fold.slice_ns || trace->cut_ns;
}

void hc_life_record_loss(struct hc_life_recorder *r, const struct hc_life_run *lost,
                         enum hc_why why, int32_t blame)
{
    int64_t left_ns = lost->ideal_ns + lost->excess_ns, excess_ns = lost->excess_ns;
    r->run_ns -= left_ns;
    r->excess_ns -= excess_ns;
    for (size_t i = r->trace->n_spans; left_ns > 0 && i-- > 0;) {
        struct hc_lifetime_span *span = &r->trace->span[i];
        int64_t ran_ns = span->end_ns - span->start_ns - span->stall_ns;
        if (span->what != HC_WHAT_PRODUCTIVE_IDEAL || !ran_ns)
            continue;
        if (ran_ns > left_ns) {
            if (!cut(r, i, left_ns, excess_ns))
                return;
            span = &r->trace->span[i + 1];
            ran_ns = left_ns;
        }
        span->what = HC_WHAT_LOST_WORK;
        span->missing_ns = 0;
        span->why = (int32_t)why;
        span->cause = blamed(blame);
        left_ns -= ran_ns;
        excess_ns -= span->excess_ns;
        if (excess_ns < 0 && is_folded(r->trace))
            excess_ns = 0;
    }
    if (left_ns || (excess_ns && !is_folded(r->trace)))
        hc_life_failed(r->end,
                       hc_fail(r->end->err, HC_INTERNAL,
                               "lifetime: %g ns are lost that were not run (a mistake in hindcast)",
                               (double)(left_ns ? left_ns : excess_ns)));
}
