/* job_choice.h - the jobs of an archive that a user means: by names and patterns, by cluster, by
 * date. The one place where a command line becomes a list of jobs.
 *
 *     hc_jobs_choose(is_chosen, &(struct hc_job_choice){.archive = archive, ...}, names, n, err)
 *
 * A job is of a time span when any part of it lies in that. Whoever names a time means jobs whose
 * time is known: the others are left out, with a warning that counts them.
 */
#ifndef HC_PIPELINE_CHOICE_JOB_CHOICE_H
#define HC_PIPELINE_CHOICE_JOB_CHOICE_H

#include "store/archive/archive.h"

struct hc_job_choice {
    const struct hc_archive *archive;
    const char *table;   /* the main one; NULL: any */
    const char *cluster; /* NULL: any */
    /* Unix time: from since_ns on, and before until_ns; INT64_MIN, INT64_MAX: no bound. */
    int64_t since_ns, until_ns;
    bool every_attempt; /* and every day of records; else the newest */
};

/* Set is_chosen, an entry of the archive each, of the jobs with one of n names (hc_archive_choose;
 * n is 0: of all), and clear it of the others. HC_USAGE: a name means no job, or none of the jobs
 * is of the time: the message says what is near. HC_IO: a segment could not be read for its dates.
 */
enum hc_status hc_jobs_choose(bool *is_chosen, const struct hc_job_choice *choice,
                              const char *const *names, size_t n, struct hc_error *err);

#endif
