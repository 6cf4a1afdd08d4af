#include "study/engines/lifetime/lifetime_life.h"

#include <math.h>
#include <stdlib.h>

/* Name of a cause; beyond the faults of the config, what has none. */
static const char *cause_name(const struct hc_lifetime_config *config, int32_t cause)
{
    if (cause >= 0 && (size_t)cause < config->n_faults && config->fault[cause].name)
        return config->fault[cause].name;
    return "start, plans, checkpoints";
}

static double length_s(const struct hc_lifetime_span *span)
{
    return (double)(span->end_ns - span->start_ns) * 1e-9;
}

/* ---- halts ---- */

/* What was planned within the halt has a mark, but no cause. */
static const char *name_of(const struct hc_life_story *story,
                           const struct hc_lifetime_config *config, const struct hc_life_halt *halt)
{
    const struct hc_lifetime_trace *trace = story->trace;
    int64_t start_ns = trace->span[halt->first].start_ns,
            end_ns = trace->span[halt->first + halt->n - 1].end_ns;
    if (halt->cause >= 0)
        return cause_name(config, halt->cause);
    if (start_ns == 0)
        return "first start";
    for (size_t i = 0; i < trace->n_marks; i++)
        if (trace->mark[i].cause < 0 && trace->mark[i].time_ns >= start_ns &&
            trace->mark[i].time_ns <= end_ns && trace->mark[i].name)
            return trace->mark[i].name;
    return "planned";
}

static struct hc_life_halt describe_halt(const struct hc_lifetime_trace *trace, size_t first,
                                         size_t n)
{
    const struct hc_lifetime_span *span = &trace->span[first];
    struct hc_life_halt halt = {.first = first, .n = n, .lost_first = first, .cause = -1};
    halt.start_s = (double)span->start_ns * 1e-9;
    halt.length_s = (double)(span[n - 1].end_ns - span->start_ns) * 1e-9;
    for (size_t i = 0; i < n; i++) {
        halt.cause = halt.cause < 0 ? span[i].cause : halt.cause;
        halt.state_s[hc_life_leaf_state(span[i].what)] += length_s(&span[i]);
    }
    while (halt.lost_first > 0 && trace->span[halt.lost_first - 1].what == HC_WHAT_LOST_WORK)
        halt.lost_first--;
    halt.lost_s = (double)(span->start_ns - trace->span[halt.lost_first].start_ns) * 1e-9;
    return halt;
}

/* Into halt, unless it is NULL; returns how many there are. */
static size_t list_halts(const struct hc_lifetime_trace *trace, struct hc_life_halt *halt)
{
    size_t n_halts = 0;
    for (size_t i = 0; i < trace->n_spans;) {
        size_t n = 0;
        while (i + n < trace->n_spans &&
               !hc_life_state_is_running(hc_life_leaf_state(trace->span[i + n].what)))
            n++;
        if (n > 0 && halt)
            halt[n_halts] = describe_halt(trace, i, n);
        n_halts += n > 0;
        i += n + (n == 0);
    }
    return n_halts;
}

static int by_length(const void *a, const void *b)
{
    const struct hc_life_halt *x = a, *y = b;
    int order = (x->length_s < y->length_s) - (x->length_s > y->length_s);
    return order ? order : (x->first > y->first) - (x->first < y->first);
}

/* ---- slices ---- */

/* Spread an amount evenly over [start, end), both counted in slices. */
static void spread(double slice[HC_LIFE_SLICES], double start, double end, double amount)
{
    double length = end - start;
    for (size_t i = (size_t)fmax(0, floor(start)); i < HC_LIFE_SLICES && (double)i < end; i++) {
        double from = fmax(start, (double)i), to = fmin(end, (double)i + 1);
        if (to > from && length > 0)
            slice[i] += amount * (to - from) / length;
    }
}

static void fill_slices(struct hc_life_story *story)
{
    const struct hc_lifetime_trace *trace = story->trace;
    double slice_ns = (double)trace->span[trace->n_spans - 1].end_ns / HC_LIFE_SLICES;
    for (size_t i = 0; i < trace->n_spans; i++) {
        const struct hc_lifetime_span *span = &trace->span[i];
        double start = (double)span->start_ns / slice_ns, end = (double)span->end_ns / slice_ns;
        double stall = (double)span->stall_ns / slice_ns, slow = (double)span->excess_ns / slice_ns;
        spread(story->slice[HC_STATE_CHECKPOINT], start, end, stall);
        spread(story->slice[HC_STATE_SLOW], start, end, slow);
        spread(story->slice[hc_life_leaf_state(span->what)], start, end,
               end - start - stall - slow);
    }
    for (size_t i = 0; i < HC_LIFE_SLICES; i++) {
        double sum = 0;
        for (int state = HC_STATE_PRODUCTIVE + 1; state < HC_STATE_COUNT; state++)
            sum += story->slice[state][i];
        story->most = fmax(story->most, sum);
    }
}

enum hc_status hc_life_tell(struct hc_life_story *story, const struct hc_lifetime_trace *trace,
                            const struct hc_lifetime_config *config, struct hc_arena *arena,
                            struct hc_error *err)
{
    bool is_summed = trace->fold.slice_ns > 0;
    size_t n = is_summed ? 0 : list_halts(trace, NULL);
    *story = (struct hc_life_story){
        .trace = trace,
        .wall_s = (double)trace->span[trace->n_spans - 1].end_ns * 1e-9,
        .most_events = trace->most,
        .is_summed = is_summed,
        .n_stretches = hc_life_n_stretches(trace),
        .n_events = hc_life_n_events(trace),
        .slice_s = is_summed ? (double)trace->fold.slice_ns * 1e-9 : NAN,
    };
    story->halt = hc_arena_new(arena, n * sizeof *story->halt, err);
    if (!story->halt)
        return err->status;
    story->n_halts = is_summed ? 0 : list_halts(trace, story->halt);
    if (n > 0)
        qsort(story->halt, n, sizeof *story->halt, by_length);
    for (size_t i = 0; i < n && i < HC_LIFE_NAMED; i++)
        story->halt[i].name = name_of(story, config, &story->halt[i]);
    fill_slices(story);
    return HC_OK;
}
