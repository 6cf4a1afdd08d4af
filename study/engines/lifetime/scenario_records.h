/* scenario_records.h - the recorded incidents and the traces that a scenario names: read once,
 * hashed, and tied to the values that name them, from which binding takes them
 * (study/engines/lifetime/scenario_recorded.h, study/engines/lifetime/scenario_whatif.h). */
#ifndef HC_STUDY_ENGINES_LIFETIME_SCENARIO_RECORDS_H
#define HC_STUDY_ENGINES_LIFETIME_SCENARIO_RECORDS_H

#include "core/base/digest.h"
#include "models/incidents/incident_set.h"
#include "study/grammar/scenario_study.h"

struct hc_record_source {
    struct hc_record_source *next;
    bool is_job, is_trace;
    char *name; /* the path, or the name of the job */
    char *path; /* of the file that was read: the list, the trace, or the segment */
    char sha256[HC_DIGEST_TEXT];
    struct hc_incident_set set; /* of a list */

    /* Of a trace, replayed. */
    char *meta_path; /* of the metadata beside a trace file, or NULL */
    char meta_sha256[HC_DIGEST_TEXT];
    char *title;                   /* of the job, for people */
    double slowdown, worst_worker; /* the latter NaN unless asked for */
};

/* Read what the variants and sweeps of a scenario name: files relative to the scenario file that
 * has the name, jobs of the archive at that path. What cannot be read is complained of. HC_INTERNAL
 * only when there is no memory. */
enum hc_status hc_scenario_read_records(struct hc_scenario *scenario, const struct hc_study *study,
                                        const char *archive, struct hc_error *err);

/* All of a list; called by hc_scenario_fini. */
void hc_record_sources_free(struct hc_record_source *first);

#endif
