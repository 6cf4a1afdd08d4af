/* ingest.h - sources into an archive: one path for every kind of input.
 *
 *     struct hc_ingest_inputs inputs = {.options = &options, .paths = paths, .n = n};
 *     if (!hc_ingest_plan_make(&inputs.plan, paths, n, &options, err)) {
 *         hc_ingest_all(archive, &inputs, &observer, err);
 *         hc_ingest_plan_fini(&inputs.plan);
 *     }
 *
 * Each source is a segment, which is in the archive whole or not at all; those of what single ranks
 * of jobs recorded come at the end, all at once (up to 256 of them): its tables, checked by the
 * guard of its kind on the way in (pipeline/kinds).
 */
#ifndef HC_PIPELINE_INGEST_INGEST_H
#define HC_PIPELINE_INGEST_INGEST_H

#include "core/tables/table_counts.h"
#include "pipeline/ingest/ingest_plan.h"
#include "pipeline/inputs/source_input.h"
#include "store/archive/archive.h"

#include <stdbool.h>
#include <stddef.h>

struct hc_ingest_inputs {
    const struct hc_trace_options *options;
    const char *const *paths;
    size_t n;
    struct hc_ingest_plan plan;
};

/* A source that is in the archive now. Valid during the call only. */
struct hc_ingested {
    const struct hc_source_input *input; /* with the counts of what was read */
    bool was_there;                      /* read the same way: nothing was done, nothing follows */
    bool replaced;                       /* a segment of another recording */
    struct hc_table_counts tables;       /* rows that are kept */
    struct hc_rows_account account;      /* of its guard; zeroed without one */
    void *guard;                         /* which the account may point into; or NULL */
};

/* Who is told of each source. */
struct hc_ingest_observer {
    void (*done)(const struct hc_ingested *ingested, void *context);
    void (*failed)(const char *path, const struct hc_error *failure, void *context);
    void *context;
};

/* Ingest all inputs. One that fails does not keep the others from being kept; the error is then
 * that of the first, and says how many. */
enum hc_status hc_ingest_all(struct hc_archive *archive, const struct hc_ingest_inputs *inputs,
                             const struct hc_ingest_observer *observer, struct hc_error *err);

#endif
