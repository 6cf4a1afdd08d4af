#include "sim/lifetime_trace.h"

/* ns of a stretch, for the share of the nodes that ran. */
static int64_t counted_ns(const struct hc_lifetime_span *span, int64_t ns)
{
    if (span->what != HC_WHAT_PRODUCTIVE_IDEAL || span->missing <= 0)
        return ns;
    return ns - (int64_t)((double)ns * span->missing + 0.5);
}

int64_t hc_life_read_until(struct hc_life_reader *reader, int64_t at_ns)
{
    const struct hc_lifetime_trace *trace = reader->trace;
    for (; reader->span < trace->n_spans && trace->span[reader->span].end_ns <= at_ns;
         reader->span++) {
        const struct hc_lifetime_span *span = &trace->span[reader->span];
        if (span->what == reader->what)
            reader->sum_ns += counted_ns(span, span->end_ns - span->start_ns - span->stall_ns);
    }
    if (reader->span == trace->n_spans)
        return reader->sum_ns;
    const struct hc_lifetime_span *span = &trace->span[reader->span];
    if (span->what != reader->what || at_ns <= span->start_ns)
        return reader->sum_ns;
    int64_t length_ns = span->end_ns - span->start_ns;
    hc_gpu_ns part_ns = (hc_gpu_ns)(length_ns - span->stall_ns) * (at_ns - span->start_ns);
    return reader->sum_ns + counted_ns(span, (int64_t)(part_ns / length_ns));
}
