/* trace_reading.h - a trace read as text and compressed, for the benchmarks of readers. */
#ifndef HC_BENCH_SUPPORT_TRACE_READING_H
#define HC_BENCH_SUPPORT_TRACE_READING_H

#include "core/tables/table.h"
#include "parsers/io/format.h"
#include "parsers/io/source.h"

#include <stdbool.h>

/* One source and what it is read into. */
struct hc_bench_trace {
    const struct hc_format *format;
    struct hc_source source;
    struct hc_table ops;
    bool float32;
};

/* Open a compressed trace, and its text, unpacked to a scratch file of that name. Both share one
 * table of ops. Failures end the program. */
void hc_bench_open_traces(struct hc_bench_trace *packed, struct hc_bench_trace *plain,
                          const char *path, const char *name);
void hc_bench_close_traces(struct hc_bench_trace *packed, struct hc_bench_trace *plain);

/* Read all of a struct hc_bench_trace to checked rows. */
void hc_bench_read_trace(void *trace);

#endif
