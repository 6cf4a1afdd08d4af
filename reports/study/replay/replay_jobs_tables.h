/* replay_jobs_tables.h - the tables that text and page of a scenario on many jobs both show. Each
 * fills a section, which is the caller's to print. Private to this wing. */
#ifndef HC_REPORTS_STUDY_REPLAY_REPLAY_JOBS_TABLES_H
#define HC_REPORTS_STUDY_REPLAY_REPLAY_JOBS_TABLES_H

#include "reports/write/section.h"
#include "study/engines/replay/replay_jobs.h"

/* "c1/4711", and only the id in the cluster "default"; "#2" for another attempt than 0. */
#define HC_JOB_NAME 300
const char *hc_job_name(const struct hc_replay_job *job, char text[HC_JOB_NAME]);

/* "cannot be read", ...: why jobs have no answer. */
const char *hc_job_fate_text(enum hc_job_fate fate);

/* "-22.5 % +- 0.3", or with the ends of an interval that goes farther to one side. */
#define HC_JOB_CHANGE 128
const char *hc_job_change_text(const struct hc_study_value *change, char text[HC_JOB_CHANGE]);

/* Runs that say something: all that apply edits in some job. */
bool hc_replay_jobs_shows(const struct hc_replay_jobs *jobs, size_t run);

/* The totals, a row a run; the jobs under one of the runs, those that gain most first, at most so
 * many; and those without an answer. */
struct hc_section hc_replay_jobs_totals_table(const struct hc_replay_jobs *jobs);
struct hc_section hc_replay_jobs_run_table(const struct hc_replay_jobs *jobs, size_t run,
                                           const size_t *order, size_t n);
struct hc_section hc_replay_jobs_unanswered_table(const struct hc_replay_jobs *jobs, size_t most);

/* The jobs that were answered, by the GPU-hours that a run gains, then by its change: [*n], the
 * caller's to free. NULL with err filled without memory. */
size_t *hc_replay_jobs_order(const struct hc_replay_jobs *jobs, size_t run, size_t *n,
                             struct hc_error *err);

#endif
