#include "pipeline/fit/fit_load.h"

#include "pipeline/fit/fit_loading.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

/* The number of the run of that name. */
static enum hc_status find_run(struct hc_fit_loading *loading, struct hc_error *err)
{
    struct hc_fit_records *records = loading->records;
    const char *name = loading->choice->run;
    records->run = -1;
    if (!name)
        return HC_OK;
    for (size_t i = 0; i < records->n_runs; i++)
        if (records->runs[i].name && strcmp(records->runs[i].name, name) == 0)
            records->run = (int32_t)i;
    if (records->run < 0)
        return hc_fail(err, HC_BAD_INPUT,
                       "archive '%s' has no run '%s'; 'hindcast runs propose' lists its %zu",
                       loading->choice->archive->path, name, records->n_runs);
    return HC_OK;
}

enum hc_status hc_fit_load(struct hc_fit_source *source, const struct hc_fit_choice *choice,
                           struct hc_error *err)
{
    struct hc_fit_loading loading = {
        .choice = choice, .failures = &source->failures, .records = &source->records};
    if (hc_failures_load(&source->failures,
                         &(struct hc_failure_source){.archive = choice->archive,
                                                     .cluster = choice->cluster,
                                                     .as_of_ns = INT64_MAX,
                                                     .from_ns = INT64_MIN},
                         err))
        return err->status;
    enum hc_status status = hc_fit_load_jobs(&loading, err);
    if (!status)
        status = hc_fit_load_runs(&loading, err);
    if (!status)
        status = hc_fit_load_tries(&loading, err);
    if (!status)
        status = hc_fit_load_strikes(&loading, err);
    if (!status)
        status = hc_fit_load_stops(&loading, err);
    if (!status)
        status = find_run(&loading, err);
    if (!status)
        status = hc_fit_load_steps(&loading, err);
    if (!status)
        status = hc_fit_load_phases(&loading, err);
    if (!status)
        status = hc_fit_load_repairs(&loading, err);
    free(loading.launches);
    free(loading.namesakes);
    free(loading.tries);
    free(loading.side);
    return status;
}

void hc_fit_source_fini(struct hc_fit_source *source)
{
    hc_fit_records_fini(&source->records);
    hc_failure_records_fini(&source->failures);
}
