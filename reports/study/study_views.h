/* study_views.h - what a study gave, as JSON, as text for a terminal, and as CSV tables. */
#ifndef HC_REPORTS_STUDY_STUDY_VIEWS_H
#define HC_REPORTS_STUDY_STUDY_VIEWS_H

#include "core/text/json_writer.h"
#include "study/run/study_result.h"

/* Into an object that is open (docs/json.md, hindcast-simulate). */
void hc_study_write_json(const struct hc_study_result *result, struct hc_json_writer *json);

void hc_study_write_text(const struct hc_study_result *result, FILE *stream);

enum hc_study_table {
    HC_STUDY_RUNS,
    HC_STUDY_COMPARISON,
    HC_STUDY_ACCOUNT, /* GPU-hours a replica */
    HC_STUDY_CAUSES,
    HC_STUDY_SWEEP,
    HC_STUDY_FIND,
    HC_STUDY_SENSITIVITY,
    HC_STUDY_N_TABLES
};
void hc_study_write_csv(const struct hc_study_result *result, enum hc_study_table table,
                        FILE *stream);
const char *hc_study_table_name(enum hc_study_table table); /* "sweep" */

/* The tables of an engine (struct hc_study_section), the same way for each: of one run into the
 * object that is open, of the base as text, and the i-th of all runs as CSV. */
void hc_study_write_sections_json(const struct hc_study_run *run, struct hc_json_writer *json);
void hc_study_write_sections_text(const struct hc_study_result *result, FILE *stream);
void hc_study_write_section_csv(const struct hc_study_result *result, size_t i, FILE *stream);

/* A value as an object, and those of all columns by name; NULL: null (study_json_values.c). */
void hc_study_json_value(struct hc_json_writer *json, const char *key,
                         const struct hc_study_value *value);
void hc_study_json_values(struct hc_json_writer *json, const char *key,
                          const struct hc_study_result *result, const struct hc_study_value *value);

#endif
