/* study_text_sections.h - the sections of the text of a study, and what they share; only the
 * study_text files include it. A section writes nothing where it has nothing to show.
 * Private to this wing. */
#ifndef HC_REPORTS_STUDY_STUDY_TEXT_SECTIONS_H
#define HC_REPORTS_STUDY_STUDY_TEXT_SECTIONS_H

#include "study/run/study_numbers.h"

#include <stdio.h>

/* Comparison, sweep, what was tried, tornado (study_text_tables.c). */
void hc_study_text_compare(const struct hc_study_result *result, FILE *stream);
void hc_study_text_sweep(const struct hc_study_result *result, FILE *stream);
void hc_study_text_tries(const struct hc_study_result *result, FILE *stream);
void hc_study_text_tornado(const struct hc_study_result *result, FILE *stream);

/* ---- cells (study_text_cells.c) ---- */

/* Print text, cut to width columns, and fill up with spaces. */
void hc_study_text_cell(FILE *stream, const char *text, size_t width);

/* A number in a cell, never cut: one that is too long pushes the next away. */
void hc_study_text_number(FILE *stream, const char *text, size_t width);

/* The value of a column by its name, or NULL. */
const struct hc_study_value *hc_study_text_value(const struct hc_study_result *result,
                                                 const struct hc_study_value *value,
                                                 const char *name);

#endif
