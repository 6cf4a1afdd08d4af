/* study_views.h - what a study gave, as JSON, as text for a terminal, and as CSV tables. */
#ifndef HC_REPORTS_STUDY_STUDY_VIEWS_H
#define HC_REPORTS_STUDY_STUDY_VIEWS_H

#include "core/tables/record.h"
#include "study/run/study_result.h"

/* Into an object that is open (docs/json.md, hindcast-simulate). */
void hc_study_write_json(const struct hc_study_result *result, struct hc_json_writer *json);

/* HC_INTERNAL without memory. */
enum hc_status hc_study_write_text(const struct hc_study_result *result, FILE *stream,
                                   struct hc_error *err);

/* A CSV table of a study, with its header also where it has no row, so that a directory always
 * holds the same files. */
struct hc_study_csv {
    const char *name; /* "sweep" */
    struct hc_record_table table;
};
void hc_study_write_table(const struct hc_study_result *result, const struct hc_study_csv *csv,
                          FILE *stream);

/* The i-th table of a study, those of its engine (struct hc_study_engine_views) among them; NULL:
 * it has no more. */
const struct hc_study_csv *hc_study_nth_csv(const struct hc_study_result *result, size_t i);

/* The table that stands for the study: the points of its sweep, or its runs where it has none. */
void hc_study_write_csv(const struct hc_study_result *result, FILE *stream);

/* The tables of an engine (struct hc_study_section), the same way for each: of the base as text
 * (HC_INTERNAL without memory), and the i-th of all runs as CSV. */
enum hc_status hc_study_write_sections_text(const struct hc_study_result *result, FILE *stream,
                                            struct hc_error *err);
void hc_study_write_section_csv(const struct hc_study_result *result, size_t i, FILE *stream);

#endif
