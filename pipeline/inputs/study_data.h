/* study_data.h - recorded data for scenarios, from files and from an archive: the provider of the
 * program (study/grammar/data_provider.h). The archive is opened when the first job is named; a
 * trace is replayed once, before the run.
 *
 *     struct hc_study_data data = {.archive_path = path};
 *     const struct hc_data_provider provider = hc_study_data_provider(&data);
 */
#ifndef HC_PIPELINE_INPUTS_STUDY_DATA_H
#define HC_PIPELINE_INPUTS_STUDY_DATA_H

#include "store/archive/archive.h"
#include "study/grammar/data_provider.h"

struct hc_study_data {
    const char *archive_path;
    struct hc_archive *archive; /* NULL: not opened yet */
    bool is_lent;               /* the archive is the caller's, and stays open */
    /* The job whose timeline is asked for, whatever it is called: of a scenario on many jobs, the
     * one at hand. NULL: the one that is named. */
    const struct hc_manifest_entry *job;
};

struct hc_data_provider hc_study_data_provider(struct hc_study_data *data);

#endif
