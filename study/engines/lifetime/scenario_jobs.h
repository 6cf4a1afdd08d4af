/* scenario_jobs.h - several jobs in one scenario: each as a document of its own. */
#ifndef HC_STUDY_ENGINES_LIFETIME_SCENARIO_JOBS_H
#define HC_STUDY_ENGINES_LIFETIME_SCENARIO_JOBS_H

#include "sim/lifetime/lifetime_config.h"
#include "study/grammar/scenario_errors.h"

/* The document of another job, a member of root's "jobs": the sections of root with those of the
 * job laid over, and nothing of what is asked. NULL with err filled when there is no memory. */
struct hc_node *hc_scenario_job(struct hc_arena *arena, const struct hc_node *root,
                                const struct hc_node *job, struct hc_error *err);

/* Check the documents of all other jobs of root, which itself has no mistakes. Complaints name the
 * place of what is wrong, with pointers into "/jobs/<name>". HC_INTERNAL when there is no memory.
 */
enum hc_status hc_scenario_check_jobs(struct hc_arena *arena, const struct hc_node *root,
                                      struct hc_scenario_errors *errors, struct hc_error *err);

#endif
