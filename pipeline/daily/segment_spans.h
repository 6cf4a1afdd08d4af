/* segment_spans.h - what one pass over the attempts of an archive learns of its segments, so that
 * later passes open only those that they need. */
#ifndef HC_PIPELINE_DAILY_SEGMENT_SPANS_H
#define HC_PIPELINE_DAILY_SEGMENT_SPANS_H

#include "models/joins/joins.h"
#include "pipeline/daily/record_scan.h"

/* Zeroed memory knows of none. */
struct hc_segment_spans {
    size_t n;          /* entries of the archive */
    int64_t *last_ns;  /* [n] latest time of an attempt of it; INT64_MAX: one goes on */
    int64_t latest_ns; /* of any time of an attempt; INT64_MIN: there is none */
    size_t n_attempts, room;
    size_t *entry_of; /* of the attempts of the joins: the entry that has it */
    bool *is_wanted;  /* [n], after hc_segment_spans_choose */
};

/* Before the pass. */
enum hc_status hc_segment_spans_init(struct hc_segment_spans *spans,
                                     const struct hc_archive *archive, struct hc_error *err);
/* In it: the times of rows of `jobs`; and, after each row, how many attempts the joins keep. */
void hc_segment_spans_see(struct hc_segment_spans *spans, const struct hc_archive *archive,
                          const struct hc_record_rows *rows);
enum hc_status hc_segment_spans_keep(struct hc_segment_spans *spans,
                                     const struct hc_archive *archive,
                                     const struct hc_record_rows *rows, size_t n_attempts,
                                     struct hc_error *err);
/* After it: want the segments with an attempt that goes on at from_ns or later, and those with an
 * attempt of a run that does. */
enum hc_status hc_segment_spans_choose(struct hc_segment_spans *spans, const struct hc_joins *joins,
                                       int64_t from_ns, struct hc_error *err);
void hc_segment_spans_fini(struct hc_segment_spans *spans);

#endif
