/* lifetime_wing.h - the parts of the engine of lifetimes among themselves. Private to this wing. */
#ifndef HC_STUDY_ENGINES_LIFETIME_LIFETIME_WING_H
#define HC_STUDY_ENGINES_LIFETIME_LIFETIME_WING_H

#include "study/binding/key_binding.h"
#include "study/engines/lifetime/lifetime_result.h"
#include "study/run/study_run.h"
#include "study/run/study_work.h"

#include <stdio.h>

/* lifetime_keys.c, lifetime_figures.c */
extern const struct hc_scenario_key hc_lifetime_keys[];
extern const struct hc_engine_figure hc_lifetime_figures[];

/* Keys that need or exclude each other by their values (lifetime_rules.c). */
void hc_lifetime_rules(struct hc_scenario *scenario, const struct hc_node *root);

/* ---- functions of rows (lifetime_elements.c) ---- */

void hc_lifetime_start_fault(void *fault);
bool hc_lifetime_finish_fault(struct hc_key_binder *binder, const struct hc_node *node,
                              void *fault);
void hc_lifetime_start_phase(void *phase);
bool hc_lifetime_finish_phase(struct hc_key_binder *binder, const struct hc_node *node,
                              void *phase);
void hc_lifetime_start_planned_stop(void *stop);
bool hc_lifetime_finish_incident(struct hc_key_binder *binder, const struct hc_node *node,
                                 void *incident);
int hc_lifetime_incident_order(const void *a, const void *b);

/* A checked document into a config, as the row of the engine says it (lifetime_binding.c). */
enum hc_status hc_lifetime_bind(void *config, struct hc_scenario *scenario,
                                const struct hc_node *root, struct hc_refusal *refusal,
                                struct hc_error *err);

/* The faults of lives as a list of incidents, as the row of the engine says it (lifetime_list.c).
 */
enum hc_status hc_lifetime_list_check(const void *config, struct hc_error *err);
enum hc_status hc_lifetime_list_write(const void *config, size_t n, FILE *stream,
                                      struct hc_error *err);

/* ---- several jobs in one scenario (lifetime_jobs.c) ---- */

/* The document of another job, a member of root's "jobs": the sections of root with those of the
 * job laid over, and nothing of what is asked. NULL with err filled when there is no memory. */
struct hc_node *hc_scenario_job(struct hc_arena *arena, const struct hc_node *root,
                                const struct hc_node *job, struct hc_error *err);

/* Check the documents of all other jobs of root, which itself has no mistakes. Complaints name the
 * place of what is wrong, with pointers into "/jobs/<name>". HC_INTERNAL when there is no memory.
 */
enum hc_status hc_scenario_check_jobs(struct hc_scenario *scenario, const struct hc_node *root,
                                      struct hc_error *err);

/* ---- what only reports need ---- */

/* What theory says of a config of which these lives were simulated (lifetime_reference.c). */
struct hc_study_reference hc_lifetime_reference(const struct hc_lifetime_config *config,
                                                const struct hc_lifetime_summary *lives);

/* The figures of each job of the pool, where there are several (lifetime_pool_jobs.c). */
enum hc_status hc_lifetime_each_job(struct hc_study_work *work, struct hc_study_run *run,
                                    struct hc_error *err);

/* Notes (lifetime_notes.c), and those of recorded data (lifetime_record_notes.c). */
enum hc_status hc_lifetime_note_run(struct hc_study_work *work, size_t run, struct hc_error *err);
enum hc_status hc_lifetime_note_records(struct hc_study_work *work, struct hc_error *err);
enum hc_status hc_lifetime_note_all(struct hc_study_work *work, struct hc_error *err);

/* ETTR over time of each run, from its first replicas, and the recorded life of one replica of the
 * base; these replicas are lived again (lifetime_pictures.c). */
enum hc_status hc_lifetime_draw(struct hc_study_answer *answer, struct hc_error *err);
void hc_lifetime_release(void *detail);

#endif
