/* night_explain.h - the slices behind a figure of a night, line by line: when, how many GPUs, by
 * what rule, and which line of which file tells it. */
#ifndef HC_REPORTS_NIGHT_NIGHT_EXPLAIN_H
#define HC_REPORTS_NIGHT_NIGHT_EXPLAIN_H

#include "models/account/tree/slice.h"

#include <stdio.h>

/* A slice cut to the days that are reported, and its attempt; texts: NULL: not known. */
struct hc_explained {
    struct hc_slice slice;
    int64_t job, raw_job;
    int32_t array_task, restarts;
    const char *user, *run, *cause;
    const char *source; /* file with the line of the slice */
};

struct hc_explain {
    FILE *stream;
    bool is_csv;
    int64_t n;
    hc_gpu_ns gpu_ns;
    bool has_rule[HC_N_SLICE_RULES];
};

/* The heads of the columns. */
void hc_explain_start(struct hc_explain *explain);
void hc_explain_row(struct hc_explain *explain, const struct hc_explained *row);
/* In text the sum, and what each rule that was met says. */
void hc_explain_end(const struct hc_explain *explain);

#endif
