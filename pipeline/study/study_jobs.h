/* study_jobs.h - a scenario on many jobs of an archive, run (study/engines/replay/replay_jobs.h).
 *
 *     hc_study_jobs_choose(&choice, &run, err)         which jobs: mistakes are in the scenario
 *     hc_study_jobs_run(&result, &run, &choice, err)   each by itself, then the totals
 *
 * Jobs are read, replayed and forgotten one after the other, some at once as memory allows
 * (pipeline/fleet/fleet_work.h). The scenario is read once: each job has a copy of its document,
 * bound to its own steps. What is wrong with a job is its fate, and no error.
 */
#ifndef HC_PIPELINE_STUDY_STUDY_JOBS_H
#define HC_PIPELINE_STUDY_STUDY_JOBS_H

#include "pipeline/fleet/fleet_choice.h"
#include "store/archive/archive.h"
#include "study/engines/replay/replay_jobs.h"

struct hc_study_jobs {
    struct hc_scenario *scenario; /* read (hc_scenario_read), not bound */
    const struct hc_study *study;
    struct hc_archive *archive;
    int threads; /* 0: as OpenMP says */
};

/* The jobs that the scenario means. That its condition is none, or that it chooses no job, is a
 * mistake of the scenario: it is in scenario->errors, and the status is HC_OK. The caller frees
 * choice->jobs. */
enum hc_status hc_study_jobs_choose(struct hc_fleet_choice *choice, const struct hc_study_jobs *run,
                                    struct hc_error *err);

/* Whether the scenario can be run on any of its jobs, found out without running it: the mistakes
 * of the first job are in scenario->errors where it cannot. */
enum hc_status hc_study_jobs_check(const struct hc_study_jobs *run,
                                   const struct hc_fleet_choice *choice, struct hc_error *err);

/* Run it on each of them. Release result with hc_replay_jobs_fini in any case; it points into the
 * scenario and the archive. */
enum hc_status hc_study_jobs_run(struct hc_replay_jobs *result, const struct hc_study_jobs *run,
                                 const struct hc_fleet_choice *choice, struct hc_error *err);

#endif
