/* study_text_sections.h - the sections of the text of a study; only the study_text files include
 * it. A section writes nothing where it has nothing to show, and fails when memory is short.
 * Private to this wing. */
#ifndef HC_REPORTS_STUDY_STUDY_TEXT_SECTIONS_H
#define HC_REPORTS_STUDY_STUDY_TEXT_SECTIONS_H

#include "study/run/study_numbers.h"

#include <stdio.h>

/* Comparison, sweep, what was tried, tornado (study_text_tables.c). */
typedef enum hc_status hc_study_text_section(const struct hc_study_result *result, FILE *stream,
                                             struct hc_error *err);
hc_study_text_section hc_study_text_compare, hc_study_text_sweep, hc_study_text_tries,
    hc_study_text_tornado;

#endif
