/* fit_load.h - the records of an archive, as parameters are fitted to them. */
#ifndef HC_PIPELINE_FIT_FIT_LOAD_H
#define HC_PIPELINE_FIT_FIT_LOAD_H

#include "models/fit/fit_records.h"
#include "pipeline/daily/failure_input.h"
#include "store/archive/archive.h"

struct hc_fit_choice {
    const struct hc_archive *archive;
    const char *cluster;    /* NULL: all */
    const char *run;        /* whose steps, size and checkpoints are fitted; NULL: none's */
    int64_t from_ns, to_ns; /* what counts began, or ended, from one to the other; INT64_MIN,
                               INT64_MAX: all */
};

/* Names in records are those of the failures, which must live as long. */
struct hc_fit_source {
    struct hc_failure_records failures;
    struct hc_fit_records records;
};

/* Zeroed before; the caller's to hc_fit_source_fini whatever the result. HC_BAD_INPUT: the archive
 * has no accounting of a scheduler, the run is not among its runs, or nothing ran in the window. */
enum hc_status hc_fit_load(struct hc_fit_source *source, const struct hc_fit_choice *choice,
                           struct hc_error *err);
void hc_fit_source_fini(struct hc_fit_source *source);

#endif
