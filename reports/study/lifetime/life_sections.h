/* life_sections.h - what only studies of lifetimes show: sections of the page, parts of the text.
 * Private to this wing. */
#ifndef HC_REPORTS_STUDY_LIFETIME_LIFE_SECTIONS_H
#define HC_REPORTS_STUDY_LIFETIME_LIFE_SECTIONS_H

#include "reports/study/study_sections.h"
#include "reports/study/study_tables.h"
#include "study/engines/lifetime/lifetime_findings.h"

/* The colour of a state in all charts, and names and colours of all (life_html_states.c). */
enum hc_color hc_study_html_state_color(enum hc_life_state state);
void hc_study_html_state_parts(struct hc_figure_part parts[HC_STATE_COUNT]);

/* ---- sections of the page ---- */

hc_study_section hc_study_html_account, hc_study_html_jobs, hc_study_html_references,
    hc_study_html_over_time, hc_study_html_unproductive, hc_study_html_stops, hc_study_html_life,
    hc_study_html_spent;

/* The longest interruptions of a life: pictures, and a table (life_html_halts.c). */
enum hc_status hc_study_html_draw_halts(FILE *stream, const struct hc_figure_sink *figures,
                                        const struct hc_life_story *story, struct hc_error *err);

/* Which of them there are. */
bool hc_study_html_has_references(const struct hc_study_result *result);
bool hc_study_html_has_curves(const struct hc_study_result *result);
bool hc_study_html_has_jobs(const struct hc_study_result *result);
bool hc_study_html_has_life(const struct hc_study_result *result);
bool hc_study_html_has_faults(const struct hc_study_result *result);

/* ---- tables (life_tables.c) ---- */

/* Unproductive time by cause. */
void hc_study_causes_table(struct hc_study_listing *table, const struct hc_life_findings *life);

/* Jobs that share a pool; name: of the run. */
void hc_study_jobs_table(struct hc_study_listing *table, const struct hc_study_result *result,
                         const struct hc_study_jobs *jobs, const char *name);

/* The job and the lives of each run. */
void hc_study_runs_table(struct hc_study_listing *table, const struct hc_study_result *result,
                         size_t most);

/* ---- the text (life_text.c) ---- */

/* A line each: ETTR beside theory, stops and their length, checkpoints. */
void hc_life_text_lines(const struct hc_study_result *result, FILE *stream);

/* Where the GPU-hours of the base went, the time by cause, and jobs that share its pool. Fails when
 * memory is short. */
enum hc_status hc_life_text_tables(const struct hc_study_result *result, FILE *stream,
                                   struct hc_error *err);

#endif
