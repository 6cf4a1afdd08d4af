/* How one recorded life went, at evenly spaced times; and its episodes by cause. */
#include "sim/lifetime/lifetime_trace.h"

#define DAY_NS ((int64_t)86400 * 1000000000)

/* ---- samples ---- */

static int64_t window_of(int64_t life_ns, double window_s)
{
    if (!(window_s > 0))
        return life_ns <= 10 * DAY_NS ? DAY_NS / 24 : DAY_NS;
    int64_t window_ns = window_s < 4e9 ? (int64_t)(window_s * 1e9 + 0.5) : (int64_t)4e18;
    return window_ns < 1 ? 1 : window_ns;
}

void hc_life_samples_start(struct hc_life_samples *samples, const struct hc_lifetime_trace *trace,
                           const struct hc_lifetime_job *job, double window_s)
{
    const struct hc_life_reader productive = {.trace = trace, .what = HC_WHAT_PRODUCTIVE_IDEAL},
                                lost = {.trace = trace, .what = HC_WHAT_LOST_WORK};
    *samples = (struct hc_life_samples){.now = productive,
                                        .before = productive,
                                        .lost = lost,
                                        .gpus = (double)job->nodes * job->gpus_per_node};
    if (trace->n_spans) {
        const struct hc_lifetime_span *first = &trace->span[0];
        samples->first_start_ns = first->what == HC_SPAN_QUEUE ? first->end_ns : 0;
        samples->end_ns = trace->span[trace->n_spans - 1].end_ns;
    }
    int64_t life_ns = samples->end_ns - samples->first_start_ns;
    samples->window_ns = window_of(life_ns, window_s);
    samples->n = life_ns / (samples->window_ns / 4 + 1) + 1;
    if (samples->n > HC_LIFE_MOST_SAMPLES)
        samples->n = HC_LIFE_MOST_SAMPLES;
}

bool hc_life_samples_next(struct hc_life_samples *samples, struct hc_life_sample *sample)
{
    int64_t life_ns = samples->end_ns - samples->first_start_ns, since_ns = 0;
    while (since_ns == 0 && samples->n_read < samples->n && life_ns > 0)
        since_ns = (int64_t)((hc_gpu_ns)life_ns * ++samples->n_read / samples->n);
    if (since_ns == 0)
        return false;
    int64_t at_ns = samples->first_start_ns + since_ns;
    int64_t window_ns = samples->window_ns < since_ns ? samples->window_ns : since_ns;
    int64_t productive_ns = hc_life_read_total(&samples->now, at_ns);
    int64_t recent_ns = productive_ns - hc_life_read_total(&samples->before, at_ns - window_ns);
    int64_t lost_ns = hc_life_read_total(&samples->lost, at_ns);
    *sample = (struct hc_life_sample){.at_ns = at_ns,
                                      .cumulative = (double)productive_ns / (double)since_ns,
                                      .sliding = (double)recent_ns / (double)window_ns,
                                      .lost_gpu_h = (double)lost_ns * samples->gpus / 3.6e12};
    return true;
}

/* ---- episodes ---- */

static bool is_same(const struct hc_lifetime_span *a, const struct hc_lifetime_span *b)
{
    return a->cause == b->cause && (a->cause >= 0 || a->why == b->why);
}

struct hc_life_episode hc_life_read_episode(const struct hc_lifetime_trace *trace, size_t first)
{
    const struct hc_lifetime_span *span = &trace->span[first];
    struct hc_life_episode episode = {.n = 0};
    for (size_t i = 0; first + i < trace->n_spans && is_same(&span[i], span); i++) {
        episode.n++;
        if (span[i].what == HC_WHAT_LOST_WORK)
            episode.lost_ns += span[i].end_ns - span[i].start_ns - span[i].stall_ns;
    }
    return episode;
}
