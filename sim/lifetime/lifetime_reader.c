#include "sim/lifetime/lifetime_trace.h"

int64_t hc_life_read_total(struct hc_life_reader *reader, int64_t at_ns)
{
    const struct hc_lifetime_trace *trace = reader->trace;
    for (; reader->span < trace->n_spans && trace->span[reader->span].end_ns <= at_ns;
         reader->span++) {
        const struct hc_lifetime_span *span = &trace->span[reader->span];
        if (span->what == reader->what)
            reader->sum_ns += span->end_ns - span->start_ns - span->stall_ns - span->missing_ns;
    }
    if (reader->span == trace->n_spans)
        return reader->sum_ns;
    const struct hc_lifetime_span *span = &trace->span[reader->span];
    if (span->what != reader->what || at_ns <= span->start_ns)
        return reader->sum_ns;
    int64_t length_ns = span->end_ns - span->start_ns;
    hc_gpu_ns part_ns =
        (hc_gpu_ns)(length_ns - span->stall_ns - span->missing_ns) * (at_ns - span->start_ns);
    return reader->sum_ns + (int64_t)(part_ns / length_ns);
}

int64_t hc_life_n_stretches(const struct hc_lifetime_trace *trace)
{
    int64_t n = 0;
    for (size_t i = 0; i < trace->n_spans; i++)
        n += 1 + (int64_t)trace->span[i].more;
    return n;
}

int64_t hc_life_n_events(const struct hc_lifetime_trace *trace)
{
    int64_t n = 0;
    for (size_t i = 0; i < trace->n_marks; i++)
        n += 1 + (int64_t)trace->mark[i].more;
    return n;
}
